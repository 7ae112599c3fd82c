"""Confusion matrices of every rule, beside the loops that their authors' programs are made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, cost, scaled
from benchmarks.samples import columns_of, first, label_sets
from tests.oracles.loops import DENSE, SETS

SAMPLES = 100_000
# Loops over sets fill a matrix of zeros first: on few samples that would count too much.
DENSE_SAMPLES, SETS_SAMPLES = 500, 10_000
BARS = {
    53: (Bar(ratio=10), Bar(ratio=10)),
    1_000: (Bar(ratio=100, seconds=0.3, megabytes=300), Bar(ratio=10)),
}
"""For each number of concepts the bars beside dense loops and beside loops over sets."""


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Go through sizes, rules and variants; "multiclass" needs sets of one label and is left out."""
    samples, few, some = (effort.of(number) for number in (SAMPLES, DENSE_SAMPLES, SETS_SAMPLES))
    for concepts, bars in BARS.items():
        truth, prediction = label_sets(samples, oe.Vocabulary(tuple(map(str, range(concepts)))))
        y, z = (first(sets, few).matrix.toarray().astype(np.float64) for sets in (truth, prediction))
        ys, zs = (columns_of(first(sets, some)) for sets in (truth, prediction))
        for rule, variant in DENSE:
            if rule == "multiclass":
                continue
            matrix = partial(oe.confusion_matrix, rule=rule, variant=variant)
            ours = cost(partial(matrix, truth, prediction), effort)
            loops = (
                ("dense loop", partial(DENSE[rule, variant], y, z), few),
                ("loop over sets", partial(SETS[rule, variant], ys, zs, concepts), some),
            )
            what = f"confusion matrix {rule}" if variant is None else f"confusion matrix {rule}, {variant}"
            for (name, loop, done), bar in zip(loops, bars, strict=True):
                same = matrix(first(truth, done), first(prediction, done)).matrix
                np.testing.assert_allclose(np.asarray(same), loop(), atol=1e-9)
                peer = scaled(name, loop, effort, done=done, wanted=samples)
                yield Comparison(what, f"{samples:,} × {concepts:,}", ours, peer, bar)
