"""Krippendorff's alpha of whole label sets: exact where few of them differ, else from a sample of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.agreements.alpha import alpha_from, observed
from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.sets import SetDistance
from ontoeval.intervals import interval
from ontoeval.resampling import Bootstrap, chunks, portions_of

Numbers = NDArray[np.float64]

MOST_SETS = 5_000
"""Up to so many distinct sets alpha is exact."""

PAIRS = 200_000
"""How many pairs are drawn where there are more."""

PORTION = 20_000
"""Samples whose weights are drawn at a time."""


class SetAlpha(NamedTuple):
    """Alpha of label sets.

    Parameters
    ----------
    distance
        The distance between sets, see `ontoeval.agreements.sets.SetDistance`.
    value
        Alpha; nan where no two sets differ.
    low
        Lower bound of its interval over samples.
    high
        Upper bound.
    sheets
        How many sets were compared: those without an unknown concept, of samples with two or more.
    distinct
        How many of them are different.
    pairs
        How many pairs were drawn; None where all were taken.
    standard_error
        Of a value from pairs that were drawn, by how much drawing changes it; 0 where all were taken.
    """

    distance: str
    value: float
    low: float
    high: float
    sheets: int
    distinct: int
    pairs: int | None = None
    standard_error: float = 0.0


def alphas(
    annotations: Annotations,
    distances: tuple[SetDistance, ...],
    *,
    bootstrap: Bootstrap,
    level: float = 0.95,
    most_sets: int = MOST_SETS,
    pairs: int = PAIRS,
) -> tuple[SetAlpha, ...]:
    """Compute alpha by several distances.

    Parameters
    ----------
    annotations
        Who said what; sheets with an unknown concept are left out, since the set is not known.
    distances
        The distances.
    bootstrap
        How samples are drawn for the intervals; its seed also draws pairs.
    level
        How often intervals hold.
    most_sets
        Up to so many distinct sets all pairs are taken.
    pairs
        How many are drawn otherwise.

    Returns
    -------
    tuple of SetAlpha
        One for each distance.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"], ["b"]], "Bob": [["a"], ["c"]]})
    >>> (found,) = alphas(said, (SetDistance("exact"),), bootstrap=Bootstrap(resamples=10))
    >>> round(found.value, 3), found.distinct
    (0.4, 3)
    """
    whole = annotations.chosen(annotations.complete)
    kept = whole.chosen(whole.sheets_of_samples[whole.sample] > 1)
    which, first = distinct_rows(kept.positive)
    found = []
    for distance in distances:
        exact = first.size <= most_sets and distance.tabled(kept.positive)
        if not len(kept):
            found.append(SetAlpha(distance.kind, np.nan, np.nan, np.nan, 0, 0))
            continue
        if exact:
            value, resampled = _exact(kept, which, first, distance)
            drawn, error = None, 0.0
        else:
            value, resampled, error = _sampled(kept, distance, pairs, bootstrap.seed)
            drawn = pairs
        replicates = np.concatenate(
            [
                resampled(_weights(bootstrap, annotations.samples, begin, end))
                for begin, end in chunks(bootstrap.resamples)
            ]
        )
        low, high = interval(replicates[:, None], np.array([value]), level=level)
        found.append(
            SetAlpha(distance.kind, value, float(low[0]), float(high[0]), len(kept), first.size, drawn, error)
        )
    return tuple(found)


Weights = Iterator[tuple[slice, Numbers]]
"""Weights of some resamples, for one portion of the samples after the other."""

_Resampled = Callable[[Weights], Numbers]


def _weights(bootstrap: Bootstrap, samples: tuple[str, ...], begin: int, end: int) -> Weights:
    for place, portion in portions_of(samples, PORTION):
        yield place, bootstrap.draw(begin, end, portion)


def _exact(
    kept: Annotations, which: NDArray[np.intp], first: NDArray[np.intp], distance: SetDistance
) -> tuple[float, _Resampled]:
    """Take all pairs."""
    table = distance.table(kept.positive[first], kept.vocabulary)
    shape = len(kept.samples), first.size
    counts = sparse.csr_array((np.ones(len(kept)), (kept.sample, which)), shape=shape)
    counts.sum_duplicates()
    seen = observed(counts, table)

    def resampled(weights: Weights) -> Numbers:
        parts = [(drawn @ seen[place], drawn @ counts[place]) for place, drawn in weights]
        differing, sums = (np.sum(side, axis=0) for side in zip(*parts, strict=True))
        return alpha_from(differing, sums, table)

    number = np.asarray(counts.sum(axis=0), dtype=np.float64)
    return float(alpha_from(np.asarray(seen.sum()), number, table)), resampled


def _sampled(
    kept: Annotations, distance: SetDistance, pairs: int, seed: int
) -> tuple[float, _Resampled, float]:
    """Draw pairs of sheets: any two, and two of the same sample."""
    rng = np.random.default_rng([seed, len(kept)])
    begin = np.concatenate([[0], np.cumsum(kept.sheets_of_samples)])
    one = rng.integers(0, len(kept), (2, pairs))
    start, size = begin[kept.sample[one[0]]], kept.sheets_of_samples[kept.sample[one[0]]]
    # The other sheet is any but the first: one of the sheets that follow it, counted around the end.
    partner = start + (one[0] - start + 1 + (rng.random(pairs) * (size - 1)).astype(np.intp)) % size
    anyone = (one[1] + 1 + rng.integers(0, len(kept) - 1, pairs)) % len(kept)
    within = distance.between(kept.positive[one[0]], kept.positive[partner], kept.vocabulary)
    across = distance.between(kept.positive[one[1]], kept.positive[anyone], kept.vocabulary)
    units = kept.sample[one[0]], kept.sample[one[1]], kept.sample[anyone]

    def resampled(weights: Weights) -> Numbers:
        # No sample is drawn hundreds of times: a byte holds how often.
        whole = np.concatenate([drawn.astype(np.uint8) for _, drawn in weights], axis=1)
        return np.array(
            [
                _of_means(within, across, w[units[0]].astype(float), w[units[1]].astype(float) * w[units[2]])
                for w in whole
            ]
        )

    value, expected = _of_means(within, across, np.ones(pairs), np.ones(pairs)), across.mean()
    spread = (
        within.var() / expected**2 + (within.mean() / expected**2) ** 2 * across.var() if expected else 0.0
    )
    return value, resampled, float(np.sqrt(spread / pairs))


def _of_means(within: Numbers, across: Numbers, weights: Numbers, products: Numbers) -> float:
    """Compute alpha from weighted means of distances."""
    expected = across @ products
    if not expected:
        return np.nan
    return float(1 - (within @ weights) * products.sum() / (weights.sum() * expected))


def distinct_rows(matrix: sparse.csr_array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find out which rows of a matrix have the same entries.

    Parameters
    ----------
    matrix
        Boolean CSR, sorted.

    Returns
    -------
    which : ndarray of int
        For each row the number of its like.
    first : ndarray of int
        For each number the first row that bears it.

    Examples
    --------
    >>> distinct_rows(sparse.csr_array([[1, 0], [0, 1], [1, 0]]))
    (array([0, 1, 0]), array([0, 1]))
    """
    sizes = np.diff(matrix.indptr)
    number = np.zeros(matrix.shape[0], dtype=np.int64)
    begun, known = matrix.indptr[:-1].astype(np.intp), 1
    rows = np.flatnonzero(sizes > 0)
    step = 0
    while rows.size:
        # Rows that agree in all labels so far have the same number: the next label tells them apart.
        keys = number[rows] * matrix.shape[1] + matrix.indices[begun[rows] + step]
        _, again = np.unique(keys, return_inverse=True)
        number[rows] = known + again
        known += int(again.max()) + 1
        step += 1
        rows = rows[sizes[rows] > step]
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place[which], first[order]
