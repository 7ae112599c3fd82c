"""The mean of Cohen's kappa over pairs of annotators, computed anew in each resample, if affordable."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.layout import Matrix
from ontoeval.annotators.pairs import Counts, Pairs
from ontoeval.core.resampling import CHUNK, Bootstrap, chunks, portions_of

Numbers = NDArray[np.float64]
Rows = NDArray[np.intp]

EXACT = 250_000_000
"""How many products of weights and what a pair says of a sample are summed for one concept, at most."""

CONCEPTS = 40
"""How many times as many for all concepts: some seconds."""

_FORMULA = 50
"""As many samples of a pair cost as much as the formula of its kappa."""

_SHARED = 20
"""What is the same for all concepts is summed once: it costs such a part."""

PORTION = 20_000
"""Samples whose weights are drawn at a time."""


def affordable(pairs: Pairs, samples: Rows, resamples: int, most: int = EXACT) -> NDArray[np.bool_]:
    """Tell of which concepts the mean is computed anew in each resample.

    Only samples in which anybody says that the concept is there, or is undecided, tell pairs apart: few where
    it is rare, which is where derivatives would mislead. Those with fewest come first.
    """
    layout = pairs.layout
    shared = 0 if layout.complete else layout.seen.shape[1] / _SHARED
    cost = (np.maximum(samples, _FORMULA) + shared) * float(max(resamples, CHUNK)) * pairs.first.size
    order = np.argsort(cost, kind="stable")
    chosen = cost <= most
    chosen[order] &= np.cumsum(cost[order]) <= CONCEPTS * most
    return chosen


def means_again(pairs: Pairs, concepts: list[int], samples: tuple[str, ...], bootstrap: Bootstrap) -> Numbers:
    """Compute the mean of Cohen's kappa over the pairs in each resample."""
    again = np.empty((bootstrap.resamples, len(concepts)))
    if not concepts:
        return again
    layout = pairs.layout
    rows = [layout.samples(concept) for concept in concepts]
    wanted = np.unique(np.concatenate(rows))
    for begin, end in chunks(bootstrap.resamples):
        met, weights = np.zeros((end - begin, 1 if layout.complete else pairs.first.size)), []
        for where, portion in portions_of(samples, PORTION):
            drawn = bootstrap.draw(begin, end, portion)
            met += (
                drawn.sum(axis=1, keepdims=True) if layout.complete else drawn @ _seen_by_pairs(pairs, where)
            )
            own = wanted[(wanted >= where.start) & (wanted < where.stop)]
            weights.append(drawn[:, own - where.start].astype(np.float32))
        table = np.concatenate(weights, axis=1)
        for place, (concept, some) in enumerate(zip(concepts, rows, strict=True)):
            own = table[:, np.searchsorted(wanted, some)]
            again[begin:end, place] = _counts(pairs, concept, some, own, met).mean
    return again


def _seen_by_pairs(pairs: Pairs, where: slice | Rows) -> NDArray[np.float32]:
    """Tell what both of each pair have seen: samples × pairs."""
    seen = _array(pairs.layout.seen, where)
    return seen[:, pairs.first] * seen[:, pairs.second]


def _counts(pairs: Pairs, concept: int, rows: Rows, weights: NDArray[np.float32], met: Numbers) -> Counts:
    """Count what the pairs say, in each resample."""
    layout = pairs.layout
    whole = layout.known(concept)
    yes, known = _array(layout.yes(concept), rows), _array(whole, rows)
    one, other = pairs.first, pairs.second
    both = met
    if whole is not layout.seen:
        both = met - weights @ (_seen_by_pairs(pairs, rows) - known[:, one] * known[:, other])
    products = (
        yes[:, one] * known[:, other],
        known[:, one] * yes[:, other],
        yes[:, one] * yes[:, other],
    )
    return Counts(both, *((weights @ product).astype(np.float64) for product in products))


def _array(matrix: Matrix, columns: slice | Rows) -> NDArray[np.float32]:
    """Take some columns as rows."""
    some = matrix[:, columns]
    return np.ascontiguousarray((some if isinstance(some, np.ndarray) else some.toarray()).T)
