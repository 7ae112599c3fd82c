"""Twelve measures at once, beside one after the other and beside scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Comparison, Cost, Effort, Peer, cost
from benchmarks.samples import label_sets

AVERAGES = ("micro", "macro", "samples")
IN_SCIKIT_LEARN = (
    *(f"{symbol}(average={average!r})" for average in AVERAGES for symbol in "PRF"),
    "Jaccard",
    "Hamming",
)
MEASURES = (*IN_SCIKIT_LEARN, "Alpha(alpha=2)")


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Evaluate all at once; what measures share is computed once."""
    samples, concepts = effort.of(100_000), 2_000
    truth, prediction = label_sets(samples, oe.Vocabulary(tuple(map(str, range(concepts)))))
    size = f"{samples:,} × {concepts:,}"

    def costs(measures: tuple[str, ...]) -> Cost:
        return cost(lambda: oe.evaluate(truth, prediction, measures=measures).scores, effort)

    alone = [costs((measure,)) for measure in MEASURES]
    most = max(one.megabytes or 0.0 for one in alone)
    peer = Peer("one after the other", Cost(sum(one.seconds for one in alone), most))
    yield Comparison(f"{len(MEASURES)} measures at once", size, costs(MEASURES), peer)

    what = f"the {len(IN_SCIKIT_LEARN)} that scikit-learn has"
    if find_spec("sklearn") is None:
        yield Comparison(what, "skipped: scikit-learn is not installed")
        return
    theirs = partial(_scikit_learn(), truth.matrix.astype(int), prediction.matrix.astype(int))
    ours = list(oe.evaluate(truth, prediction, measures=IN_SCIKIT_LEARN).scores.values())
    np.testing.assert_allclose(ours, theirs(), atol=1e-9)
    yield Comparison(what, size, costs(IN_SCIKIT_LEARN), Peer("scikit-learn", cost(theirs, effort)))


def _scikit_learn() -> Callable[..., list[float]]:
    from sklearn.metrics import hamming_loss, jaccard_score, precision_recall_fscore_support

    def scores(truth: object, prediction: object) -> list[float]:
        found: list[float] = []
        for average in AVERAGES:  # P, R and F in one call: as fast as scikit-learn can
            given = {"average": average, "zero_division": np.nan}
            found += precision_recall_fscore_support(truth, prediction, **given)[:3]
        return [*found, jaccard_score(truth, prediction, average="samples"), hamming_loss(truth, prediction)]

    return scores
