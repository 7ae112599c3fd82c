"""Coefficients of every concept and of all concepts together, with their intervals over samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import rows_of, scores_of
from ontoeval.annotators.options import PORTION, AgreementOptions, Coefficient
from ontoeval.annotators.pairwise_kappa import (
    AnnotatorPairs,
    PairCounts,
    affordable,
    mean_of_pairs,
    resampled_means,
)
from ontoeval.annotators.votes import ConceptMatrices, Patterns, Votes, only_no
from ontoeval.measures.counts import divide
from ontoeval.plumbing.arrays import Numbers, Places

NAMES = get_args(Coefficient)
"""Every coefficient: those of all annotators at once, and the mean of Cohen's kappa over their pairs."""

TITLES: Mapping[str, str] = {
    "majority": "majority",
    "pairwise": "pairwise",
    "unanimous": "unanimous",
    "fleiss": "Fleiss κ",
    "randolph": "Randolph κ",
    "ac1": "AC1",
    "alpha": "α",
    "cohen": "Cohen κ",
}
"""Names of the coefficients in tables."""

FEWEST = 2
"""Of fewer samples nothing else can be drawn: their intervals would have no width."""

_NUMBERS = 4_000_000
"""Numbers of rows that are held at a time: 32 MB."""


class CoefficientEstimate(NamedTuple):
    """Coefficients with the bounds of their intervals; nan where they are undefined."""

    value: Numbers
    low: Numbers
    high: Numbers


class Basis(NamedTuple):
    """Data behind the coefficients of each concept, in samples that two annotators or more decide.

    Parameters
    ----------
    samples, decisions
        Number of these samples, and of the answers in them.
    positive, rarer, disputed
        Samples with any yes; whose majority gives the rarer answer; in which annotators disagree.
    undefined
        Resamples, left out, in which a coefficient is undefined that has a value.
    """

    samples: Places
    decisions: Places
    positive: Places
    rarer: Places
    disputed: Places
    undefined: Places


@dataclass(frozen=True, eq=False)
class Estimates:
    """Coefficients of agreement on concepts.

    Parameters
    ----------
    concepts
        For each coefficient of `NAMES`, estimates in the order of the concepts.
    mean, pooled
        The mean over the concepts for which it is defined; and, but for "cohen", the coefficient of all
        decisions, one for each concept of each sample.
    undefined
        For how many concepts each is undefined.
    pairs, counts
        The pairs of annotators who have samples in common, and counts of their answers.
    basis
        How much the estimates of concepts rest on.
    costly
        For which concepts "cohen" has no interval, since it would take too long.
    compared
        In how many samples two annotators or more decide any concept.
    """

    concepts: Mapping[str, CoefficientEstimate]
    mean: Mapping[str, CoefficientEstimate]
    pooled: Mapping[str, CoefficientEstimate]
    undefined: Mapping[str, int]
    pairs: AnnotatorPairs
    counts: PairCounts
    basis: Basis
    costly: NDArray[np.bool_]
    compared: int

    @property
    def kappa(self) -> Numbers:
        """Cohen's kappa of each pair, of all decisions."""
        return self.counts.kappa


def estimates(annotations: Annotations, votes: Votes, options: AgreementOptions) -> Estimates:
    """Compute every coefficient.

    Resamples are of samples, the same for all concepts and coefficients. Everything is computed anew from the
    sums of each resample, but for the mean of Cohen's kappa of concepts that many annotators see in many
    samples, which has no interval.
    """
    pairs = AnnotatorPairs.from_matrices(ConceptMatrices.from_annotations(annotations))
    patterns = Patterns.from_votes(votes)
    chosen, place = votes.distinct_concepts
    times = np.bincount(place, minlength=chosen.size)
    costly = ~affordable(pairs, np.diff(patterns.pattern.indptr)[chosen], options.resamples)
    resampled = _Resampled(patterns, annotations.samples, options)
    samples, decisions, positive, disputed, no, yes = patterns.sums(chosen, _answers).astype(np.intp).T
    lost = np.empty(chosen.size, dtype=np.intp)
    basis = Basis(samples, decisions, positive, np.minimum(no, yes), disputed, lost)
    scores = np.empty((chosen.size, len(NAMES)))
    bounds = np.empty((2, *scores.shape))
    whole, whole_again = np.zeros(resampled.all_no_sums.shape[1]), np.zeros_like(resampled.all_no_sums)
    parts_again = np.zeros((2, options.resamples, len(NAMES)))
    counts = PairCounts(*np.zeros((4, pairs.first.size)))
    for own in _blocks(patterns, chosen, options.resamples):
        columns, weight = chosen[own], times[own]
        total, sums = patterns.sums(columns, rows_of), resampled.sums(columns)
        found, anew = [*map(pairs.compare_on_concept, columns.tolist())], ~costly[own]
        scores[own] = np.column_stack([scores_of(total), [mean_of_pairs(one.kappa) for one in found]])
        cohen = np.full((options.resamples, columns.size), np.nan)
        cohen[:, anew] = resampled_means(
            pairs, columns[anew].tolist(), annotations.samples, options.bootstrap
        )
        again = np.concatenate([scores_of(sums), cohen[..., None]], axis=-1)
        parts_again += _sum_defined(again, weight)
        gone = np.isnan(again) & np.isfinite(scores[own])
        gone[..., -1] &= anew
        lost[own] = gone.sum(axis=0).max(axis=-1)
        again[:, basis.samples[own] < FEWEST] = np.nan
        bounds[:, own] = options.bounds(again, scores[own])
        whole += weight @ total
        whole_again += np.einsum("c,bcw->bw", weight, sums)
        for one, count in zip(found, weight.tolist(), strict=True):
            counts = PairCounts(*(side + count * more for side, more in zip(counts, one, strict=True)))
    mean, mean_again = divide(*_sum_defined(scores, times)), divide(*parts_again)
    mean_again[:, -1] *= np.nan if costly.any() else 1
    pooled, pooled_again = scores_of(whole), scores_of(whole_again)
    compared = patterns.count_compared
    if compared < FEWEST:
        mean_again[:], pooled_again[:] = np.nan, np.nan
    return Estimates(
        _by_coefficient(scores[place], *bounds[:, place]),
        _by_coefficient(mean, *options.bounds(mean_again, mean)),
        _by_coefficient(pooled, *options.bounds(pooled_again, pooled)),
        {name: int(times @ np.isnan(side)) for name, side in zip(NAMES, scores.T, strict=True)},
        pairs,
        counts,
        Basis(*(part[place] for part in basis)),
        costly[place],
        compared,
    )


def single_label_estimates(
    annotations: Annotations, votes: Votes, options: AgreementOptions
) -> dict[str, CoefficientEstimate]:
    """Compute the coefficients with labels as categories, if every sheet has exactly one label."""
    if not annotations.complete.all() or (np.diff(annotations.positive.indptr) != 1).any():
        return {}
    yes, categories = sparse.csr_array(votes.yes[:, votes.used_concepts]), len(annotations.vocabulary)
    total: list[Numbers] = []

    def rows(where: slice) -> Numbers:
        found = rows_of(yes[where].toarray().astype(np.float64))
        total.append(found.sum(axis=0))
        return found

    size = min(PORTION, max(1, _NUMBERS // max(1, 2 * yes.shape[1])))
    sums = options.resampled(annotations.samples, rows, size=size)
    if (votes.seen > 1).sum() < FEWEST:
        sums[:] = np.nan
    scores, again = scores_of(np.sum(total, axis=0), categories), scores_of(sums, categories)
    return _by_coefficient(scores, *options.bounds(again, scores))


@dataclass(frozen=True, eq=False)
class _Resampled:
    """Sums of concepts in every resample: resamples × concepts."""

    patterns: Patterns
    samples: tuple[str, ...]
    options: AgreementOptions

    @cached_property
    def all_no_sums(self) -> Numbers:
        """Sums of the rows of a concept to which every answer is no."""
        rows = rows_of(only_no(self.patterns.seen))
        return self.options.resampled(self.samples, rows.__getitem__)

    def sums(self, columns: Places) -> Numbers:
        """Sum the rows of concepts."""
        split = self.patterns.split(columns, rows_of)
        apart = self.options.resampled(self.samples, split.samples.__getitem__) @ split.rows
        return np.asarray(self.all_no_sums[:, None] + apart.reshape(len(self.all_no_sums), columns.size, -1))


def _by_coefficient(value: Numbers, low: Numbers, high: Numbers) -> dict[str, CoefficientEstimate]:
    """Give the coefficients on the last axis their names."""
    columns = zip(*(np.moveaxis(side, -1, 0) for side in (value, low, high)), strict=True)
    return {name: CoefficientEstimate(*column) for name, column in zip(NAMES, columns, strict=False)}


def _blocks(patterns: Patterns, chosen: Places, resamples: int) -> Iterator[slice]:
    """Go through the concepts, few enough at a time."""
    width = rows_of(patterns.counts).shape[-1] + len(NAMES)
    cost = resamples * (width + patterns.count_patterns(chosen))
    block = (np.cumsum(cost) - cost) // _NUMBERS
    ends = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), chosen.size]
    return (slice(begin, end) for begin, end in pairwise(ends) if begin < end)


def _answers(counts: Numbers) -> Numbers:
    """Make the rows of units, of no and yes, whose sums are a basis."""
    number = counts.sum(axis=-1)
    given, most = counts > 0, 2 * counts > number[..., None]
    parts = (np.ones_like(number), number, given[..., 1], given.all(axis=-1), most[..., 0], most[..., 1])
    return np.asarray(np.stack(parts, axis=-1) * (number > 1)[..., None])


def _sum_defined(scores: Numbers, times: Places) -> Numbers:
    """Sum the defined coefficients over concepts, and count them."""
    defined = np.isfinite(scores) * times[:, None]
    return np.stack([(np.nan_to_num(scores) * defined).sum(axis=-2), defined.sum(axis=-2)])
