"""Annotators who agree with the others much less than these do on the same samples, and on which concepts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import bdtrc, ndtri

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.annotator_comparison import AnnotatorDetails, compared_sheets
from ontoeval.annotators.votes import Votes

FEWEST_DIFFERING = 10
"""Samples in which an outlier differs from the majority of the rest, at least."""

DEVIATIONS = 3 * 1.4826
"""Median absolute deviations below the median: three standard deviations of a normal distribution."""


class DisputedConcept(NamedTuple):
    """A concept on which an outlier differs from the majority more often than the others do.

    Parameters
    ----------
    concept
        Its name.
    decisions
        How many decisions of the annotator are compared.
    share, others
        Share of these that differ, and of those of the others on the same samples, in [0, 1].
    """

    concept: str
    decisions: int
    share: float
    others: float


class Outlier(NamedTuple):
    """An annotator who agrees with the others much less than these do on the same samples.

    Parameters
    ----------
    name
        The annotator.
    samples
        How many samples are compared.
    kappa, others
        Kappa with the majority of the rest, of the annotator and in the mean of the others, in [-1, 1].
    concepts
        Those on which the annotator differs significantly more often, the largest excess first.
    """

    name: str
    samples: int
    kappa: float
    others: float
    concepts: tuple[DisputedConcept, ...]


def outliers(annotations: Annotations, details: AnnotatorDetails, level: float) -> tuple[Outlier, ...]:
    """Find the annotators whose kappa lies far and significantly below that of the others, lowest first.

    Far is `DEVIATIONS` below the median difference, significant is at the level by a bootstrap standard
    error, corrected for the number of annotators.
    """
    kappa, others = details.scores["kappa"].value, details.others
    below = kappa - others
    told = below[np.isfinite(below)]
    if not told.size:
        return ()
    limit = np.median(told) - DEVIATIONS * np.median(np.abs(told - np.median(told)))
    limits = np.minimum(limit, details.error * ndtri((1 - level) / told.size))
    far = np.flatnonzero((below < limits) & (details.differing >= FEWEST_DIFFERING))
    shared = annotations.chosen(annotations.sheets_of_samples[annotations.sample] > 1)
    found = []
    for at in far[np.argsort(below[far], kind="stable")].tolist():
        seen = np.unique(shared.sample[shared.annotator == at])
        concepts = _disputed(shared.chosen(np.isin(shared.sample, seen)), at, level)
        name = annotations.annotators[at]
        found.append(Outlier(name, seen.size, float(kappa[at]), float(others[at]), concepts))
    return tuple(found)


def _disputed(annotations: Annotations, annotator: int, level: float) -> tuple[DisputedConcept, ...]:
    """Find the concepts on which an annotator differs significantly more often than the others do."""
    sums = np.zeros((2, 2, len(annotations.vocabulary)))  # own and others × differing and decided
    for one in compared_sheets(annotations, Votes.from_annotations(annotations)):
        own = (annotations.annotator[one.where] == annotator).astype(np.float64)
        for side, rows in zip(sums, (own, 1 - own), strict=True):
            side += [rows @ one.more + rows @ one.fewer, rows.sum() - rows @ one.left_out]
    (differing, decided), (of_others, by_others) = sums
    together = differing + of_others
    p_values = bdtrc(differing - 1, together.astype(np.int64), decided / np.maximum(decided + by_others, 1))
    excess = differing - decided * of_others / np.maximum(by_others, 1)
    clear = np.flatnonzero(p_values * np.count_nonzero(together) < 1 - level)
    clear = clear[np.argsort(-excess[clear], kind="stable")]
    shares = (sums[:, 0, clear] / sums[:, 1, clear]).T.tolist()
    numbers = zip(clear.tolist(), decided[clear].astype(int).tolist(), shares, strict=True)
    return tuple(DisputedConcept(annotations.vocabulary[at], times, *pair) for at, times, pair in numbers)
