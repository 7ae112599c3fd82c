"""Coefficients of every concept and of all together, with their intervals over samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import COEFFICIENTS, cohen, rows_of, sums_in
from ontoeval.annotators.kappas import EXACT, PORTION, affordable, means_again
from ontoeval.annotators.kinds import Kinds, silent
from ontoeval.annotators.layout import Layout
from ontoeval.annotators.pairs import Counts, OfConcept, Pairs
from ontoeval.annotators.votes import Votes
from ontoeval.core.choices import Coefficient, IntervalMethod
from ontoeval.core.intervals import interval
from ontoeval.core.resampling import Bootstrap, chunks, portions_of

Numbers = NDArray[np.float64]

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
"""What tables call the coefficients."""

FEWEST = 2
"""Of fewer samples nothing else can be drawn: their intervals, of no width, would tell nothing."""

_NUMBERS = 4_000_000
"""Numbers of rows that are held at a time: 32 MB."""


class Estimate(NamedTuple):
    """Coefficients with bounds of their intervals; nan where they are undefined."""

    value: Numbers
    low: Numbers
    high: Numbers


class Basis(NamedTuple):
    """What the coefficients of each concept rest on; samples that two annotators or more decide.

    Parameters
    ----------
    samples
        How many there are.
    decisions
        How many answers of annotators in these.
    positive
        In how many of them anybody says that it is there.
    rarer
        In how many the answer that is in the majority less often is in the majority.
    disputed
        In how many annotators disagree.
    undefined
        In how many resamples a coefficient is undefined that has a value: they are left out.
    """

    samples: NDArray[np.intp]
    decisions: NDArray[np.intp]
    positive: NDArray[np.intp]
    rarer: NDArray[np.intp]
    disputed: NDArray[np.intp]
    undefined: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Estimates:
    """Coefficients of agreement on concepts.

    Parameters
    ----------
    concepts
        For each coefficient of `NAMES`, estimates in the order of the concepts.
    mean
        For each, the mean over the concepts for which it is defined, as estimates of one number.
    pooled
        For each but "cohen", the coefficient of all decisions, one for each concept of each sample.
    undefined
        For how many concepts each is undefined.
    pairs
        Who has samples in common.
    counts
        What the pairs say of all concepts together.
    basis
        What the estimates of concepts rest on.
    linear
        For which concepts the interval of "cohen" is that of the infinitesimal jackknife.
    compared
        In how many samples two annotators or more decide any concept.
    """

    concepts: Mapping[str, Estimate]
    mean: Mapping[str, Estimate]
    pooled: Mapping[str, Estimate]
    undefined: Mapping[str, int]
    pairs: Pairs
    counts: Counts
    basis: Basis
    linear: NDArray[np.bool_]
    compared: int

    @property
    def kappa(self) -> Numbers:
        """Cohen's kappa of each pair, of all decisions."""
        return cohen(self.counts.tables)


def estimates(
    annotations: Annotations,
    votes: Votes,
    *,
    bootstrap: Bootstrap,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
    exact: int = EXACT,
) -> Estimates:
    """Compute every coefficient.

    Resamples are of samples, the same for all concepts and coefficients. Everything is computed anew from the
    sums of each resample, but for the mean of Cohen's kappa of concepts that many annotators see in many
    samples: it is carried along its derivatives by the weights of the samples, which is the infinitesimal
    jackknife [efron1993]_. With fewer than two samples there is no interval.
    """
    pairs, kinds, (chosen, place) = Pairs.of(Layout.of(annotations)), Kinds.of(votes), votes.alike
    times = np.bincount(place, minlength=chosen.size)
    told = np.diff(kinds.kind.indptr)[chosen]
    linear = ~affordable(pairs, told, bootstrap.resamples, exact)
    scores, basis = np.empty((chosen.size, len(NAMES))), _basis(kinds.sums(chosen, _answers))
    bounds, lost = np.empty((2, *scores.shape)), np.empty(chosen.size, dtype=np.intp)
    samples = annotations.samples
    silence = _resampled(rows_of(silent(kinds.seen)), bootstrap, samples)
    whole, whole_again = np.zeros(silence.shape[1]), np.zeros_like(silence)
    parts_again = np.zeros((2, bootstrap.resamples, len(NAMES)))
    number = Counts(*np.zeros((4, pairs.first.size)))
    for own in _blocks(kinds, chosen, linear, bootstrap.resamples):
        columns, weight, along = chosen[own], times[own], linear[own]
        total, sums = kinds.sums(columns, rows_of), _sums_again(kinds, columns, silence, bootstrap, samples)
        again = np.empty((*sums.shape[:2], len(NAMES)))
        scores[own, :-1], again[..., :-1] = _formulas(total), _formulas(sums)
        found = [
            pairs.on(column, influence=wanted)
            for column, wanted in zip(columns.tolist(), along.tolist(), strict=True)
        ]
        scores[own, -1] = [one.mean for one in found]
        again[..., -1] = _cohen_again(pairs, columns, found, along, bootstrap, samples)
        parts_again += _parts(again, weight)
        lost[own] = (np.isnan(again) & np.isfinite(scores[own])).sum(axis=0).max(axis=-1)
        again[:, basis.samples[own] < FEWEST] = np.nan
        bounds[:, own] = interval(again, scores[own], level=level, method=method)
        whole += weight @ total
        whole_again += np.einsum("c,bcw->bw", weight, sums)
        for one, count in zip(found, weight.tolist(), strict=True):
            number = Counts(*(side + count * more for side, more in zip(number, one.counts, strict=True)))
    mean, mean_again = _mean(_parts(scores, times)), _mean(parts_again)
    pooled, pooled_again = _formulas(whole), _formulas(whole_again)
    compared = kinds.compared
    if compared < FEWEST:
        mean_again[:], pooled_again[:] = np.nan, np.nan
    return Estimates(
        named(scores[place], *bounds[:, place]),
        named(mean, *interval(mean_again, mean, level=level, method=method)),
        named(pooled, *interval(pooled_again, pooled, level=level, method=method)),
        {name: int(times @ np.isnan(side)) for name, side in zip(NAMES, scores.T, strict=True)},
        pairs,
        number,
        Basis(*(part[place] for part in basis._replace(undefined=lost))),
        linear[place],
        compared,
    )


def named(value: Numbers, low: Numbers, high: Numbers) -> dict[str, Estimate]:
    """Give estimates of coefficients their names."""
    columns = zip(*(np.moveaxis(side, -1, 0) for side in (value, low, high)), strict=True)
    return {name: Estimate(*column) for name, column in zip(NAMES, columns, strict=False)}


def _blocks(
    kinds: Kinds, chosen: NDArray[np.intp], linear: NDArray[np.bool_], resamples: int
) -> Iterator[slice]:
    """Go through the concepts, few enough at a time."""
    width = rows_of(kinds.counts).shape[-1] + len(NAMES)
    cost = resamples * (width + kinds.sizes(chosen)) + kinds.seen.size * linear
    block = (np.cumsum(cost) - cost) // _NUMBERS
    ends = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), chosen.size]
    return (slice(begin, end) for begin, end in pairwise(ends) if begin < end)


def _answers(counts: Numbers) -> Numbers:
    """Compute what `_basis` is a sum of: one row per unit."""
    number = counts.sum(axis=-1)
    given, most = counts > 0, 2 * counts > number[..., None]
    parts = (np.ones_like(number), number, given[..., 1], given.all(axis=-1), most[..., 0], most[..., 1])
    return np.asarray(np.stack(parts, axis=-1) * (number > 1)[..., None])


def _basis(sums: Numbers) -> Basis:
    """Tell what the estimates rest on, but for resamples."""
    samples, decisions, positive, disputed, no, yes = sums.astype(np.intp).T
    return Basis(samples, decisions, positive, np.minimum(no, yes), disputed, np.zeros_like(samples))


def _resampled(rows: Numbers | sparse.csr_array, bootstrap: Bootstrap, samples: tuple[str, ...]) -> Numbers:
    """Sum the rows of every resample."""
    sums = np.zeros((bootstrap.resamples, rows.shape[1]))
    for begin, end in chunks(bootstrap.resamples):
        for where, portion in portions_of(samples, PORTION):
            sums[begin:end] += bootstrap.draw(begin, end, portion) @ rows[where]
    return sums


def _sums_again(
    kinds: Kinds, columns: NDArray[np.intp], silence: Numbers, bootstrap: Bootstrap, samples: tuple[str, ...]
) -> Numbers:
    """Sum the rows of concepts in every resample."""
    split = kinds.split(columns, rows_of)
    apart = _resampled(split.samples, bootstrap, samples) @ split.apart
    return np.asarray(silence[:, None] + apart.reshape(len(silence), columns.size, -1))


def _cohen_again(
    pairs: Pairs,
    columns: NDArray[np.intp],
    found: Sequence[OfConcept],
    linear: NDArray[np.bool_],
    bootstrap: Bootstrap,
    samples: tuple[str, ...],
) -> Numbers:
    """Compute the mean of Cohen's kappa in every resample: anew, or along its derivatives."""
    again = np.empty((bootstrap.resamples, columns.size))
    again[:, ~linear] = means_again(pairs, columns[~linear].tolist(), samples, bootstrap)
    if linear.any():
        some = [one for one, along in zip(found, linear.tolist(), strict=True) if along]
        moved = _resampled(np.stack([one.influence for one in some], axis=1), bootstrap, samples)
        again[:, linear] = np.clip([one.mean for one in some] + moved, -1, 1)
    return again


def _formulas(sums: Numbers) -> Numbers:
    """Compute the coefficients of all annotators at once."""
    parts = sums_in(sums)
    return np.stack([formula(parts) for formula in COEFFICIENTS.values()], axis=-1)


def _parts(scores: Numbers, times: NDArray[np.intp]) -> Numbers:
    """Sum over concepts, and count them, those left out for which a coefficient is undefined."""
    defined = np.isfinite(scores) * times[:, None]
    return np.stack([(np.nan_to_num(scores) * defined).sum(axis=-2), defined.sum(axis=-2)])


def _mean(parts: Numbers) -> Numbers:
    sums, number = parts
    return np.where(number > 0, sums / np.maximum(number, 1), np.nan)
