"""Annotators beside the rest in detail: how sure their scores are, and on which concepts they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.estimates import FEWEST, Estimate
from ontoeval.annotators.rest import portions_beside, scores_beside, sheets_beside
from ontoeval.annotators.votes import Votes
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.csr import without
from ontoeval.core.intervals import interval
from ontoeval.core.resampling import Bootstrap, chunks, portions_of

SCORES = ("agreement", "kappa", "precision", "recall", "f")

_NUMBERS = 4_000_000
"""Counts of samples and annotators that are held at a time."""


@dataclass(frozen=True, eq=False)
class Beside:
    """Annotators beside the majority of the others."""

    scores: Mapping[str, Estimate]
    more: sparse.csr_array
    fewer: sparse.csr_array


def beside(
    annotations: Annotations,
    votes: Votes,
    *,
    bootstrap: Bootstrap,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
) -> Beside:
    """Compare each annotator with the majority of the others, see `ontoeval.annotators.rest.against_rest`."""
    counts = sheets_beside(annotations, votes)[3:]
    number = len(annotations.annotators)
    total = np.stack([np.bincount(annotations.annotator, side, number) for side in counts])
    sums = np.zeros((bootstrap.resamples, total.size))
    size = max(1, _NUMBERS // total.size)
    for where, portion in portions_of(annotations.samples, size):
        own = (annotations.sample >= where.start) & (annotations.sample < where.stop)
        spread = np.zeros((len(portion.samples), *total.shape))
        spread[annotations.sample[own] - where.start, :, annotations.annotator[own]] = counts[:, own].T
        for begin, end in chunks(bootstrap.resamples):
            sums[begin:end] += bootstrap.draw(begin, end, portion) @ spread.reshape(len(spread), -1)
    scores = np.stack(scores_beside(*total))
    again = np.stack(scores_beside(*np.moveaxis(sums.reshape(-1, *total.shape), 1, 0)), axis=1)
    again[:, :, np.bincount(annotations.annotator[counts[0] > 0], minlength=number) < FEWEST] = np.nan
    low, high = interval(again, scores, level=level, method=method)
    more, fewer = _differences(annotations, votes)
    return Beside(
        {name: Estimate(*side) for name, *side in zip(SCORES, scores, low, high, strict=True)}, more, fewer
    )


def _differences(annotations: Annotations, votes: Votes) -> tuple[sparse.csr_array, sparse.csr_array]:
    shape = len(annotations.annotators), len(annotations.vocabulary)
    more, fewer = (sparse.csr_array(shape, dtype=np.int64) for _ in range(2))
    for one in portions_beside(annotations, votes):
        who = annotations.annotator[one.where]
        counts = one.several.astype(np.int64)
        gathered = sparse.csr_array((counts, (who, np.arange(who.size))), shape=(shape[0], who.size))
        alone = without(without(one.mine, one.together), one.lonely)
        missed = without(without(one.others, one.mine), one.gaps)
        more = sparse.csr_array(more + gathered @ alone.astype(np.int64))
        fewer = sparse.csr_array(fewer + gathered @ missed.astype(np.int64))
    return more, fewer
