"""Coefficients of every concept and of all together, with their intervals over samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.coefficients import COEFFICIENTS, cohen, rows_of, sums_in
from ontoeval.agreements.kappas import EXACT, PORTION, affordable, means_again
from ontoeval.agreements.layout import Layout
from ontoeval.agreements.pairs import Counts, Pairs
from ontoeval.agreements.votes import Votes
from ontoeval.comparison_choices import IntervalMethod
from ontoeval.intervals import interval
from ontoeval.resampling import Bootstrap, chunks, portions_of

Numbers = NDArray[np.float64]

NAMES = (*COEFFICIENTS, "cohen")
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
    """Coefficients with bounds of their intervals; nan where they are undefined.

    Parameters
    ----------
    value
        The coefficients.
    low
        Lower bounds.
    high
        Upper bounds.
    """

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


class _Block(NamedTuple):
    """Some concepts: their rows, with the influences on the mean of Cohen's kappa behind, and these means.

    Behind follow what pairs say, what the coefficients rest on, and which samples are compared.
    """

    columns: NDArray[np.intp]
    rows: Numbers
    cohen: Numbers
    counts: list[Counts]
    basis: NDArray[np.intp]
    compared: NDArray[np.bool_]


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

    Parameters
    ----------
    annotations
        Who said what.
    votes
        How often.
    bootstrap
        How samples are drawn.
    level
        How often intervals hold.
    method
        How they are made of resamples: "percentile" or "bca", see `ontoeval.intervals.interval`.
    exact
        Up to so many products of resamples, pairs and samples of a concept its mean of kappa is computed
        anew, see `ontoeval.agreements.kappas.affordable`.

    Returns
    -------
    Estimates
        The coefficients.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"], ["a", "b"]], "Bob": [["a"], ["a"]]})
    >>> found = estimates(said, Votes.of(said), bootstrap=Bootstrap(resamples=10))
    >>> found.concepts["majority"].value, found.undefined["alpha"]
    (array([1.  , 0.75]), 1)
    """
    pairs, (chosen, place) = Pairs.of(Layout.of(annotations)), votes.alike
    times = np.bincount(place, minlength=chosen.size)
    scores = np.empty((chosen.size, len(NAMES)))
    again = np.empty((bootstrap.resamples, chosen.size, len(NAMES)))
    width = rows_of(np.zeros((1, 2))).shape[-1]
    whole, whole_again = np.zeros(width), np.zeros((bootstrap.resamples, width))
    number = Counts(*np.zeros((4, pairs.first.size)))
    basis = np.zeros((chosen.size, len(Basis._fields)), dtype=np.intp)
    told = np.diff(votes.yes.indptr)[chosen] + np.diff(votes.unknown.indptr)[chosen]
    linear = ~affordable(pairs, told, bootstrap.resamples, exact)
    compared = np.zeros(len(annotations.samples), dtype=bool)
    done = 0
    for block in _blocks(pairs, votes, chosen):
        own = slice(done, done + block.columns.size)
        total = block.rows.sum(axis=0)
        total[:, -1] = 0  # the derivatives, which single precision lets sum to nearly 0
        sums = _resampled(block.rows, bootstrap, annotations.samples)
        scores[own], again[:, own] = _formulas(total, block.cohen), _formulas(sums, block.cohen)
        anew = np.flatnonzero(~linear[own])
        concepts = block.columns[anew].tolist()
        again[:, done + anew, -1] = means_again(pairs, concepts, annotations.samples, bootstrap)
        basis[own, :-1] = block.basis
        compared |= block.compared
        whole += times[own] @ total[:, :-1]
        whole_again += np.einsum("c,bcw->bw", times[own], sums[..., :-1])
        for each, count in zip(block.counts, times[own].tolist(), strict=True):
            number = Counts(*(side + count * more for side, more in zip(number, each, strict=True)))
        done = own.stop
    mean, mean_again = _mean(scores, times), _mean(again, times)
    basis[:, -1] = (np.isnan(again) & np.isfinite(scores)).sum(axis=0).max(axis=-1)
    again[:, basis[:, 0] < FEWEST] = np.nan
    low, high = interval(again, scores, level=level, method=method)
    pooled, pooled_again = (
        np.stack([f(sums_in(s)) for f in COEFFICIENTS.values()], axis=-1) for s in (whole, whole_again)
    )
    if compared.sum() < FEWEST:
        mean_again[:], pooled_again[:] = np.nan, np.nan
    return Estimates(
        named(scores[place], low[place], high[place]),
        named(mean, *interval(mean_again, mean, level=level, method=method)),
        named(pooled, *interval(pooled_again, pooled, level=level, method=method)),
        {name: int(times @ np.isnan(side)) for name, side in zip(NAMES, scores.T, strict=True)},
        pairs,
        number,
        Basis(*basis[place].T),
        linear[place],
        int(compared.sum()),
    )


def named(value: Numbers, low: Numbers, high: Numbers) -> dict[str, Estimate]:
    """Give estimates of coefficients their names.

    Parameters
    ----------
    value
        Coefficients on the last axis, in the order of `NAMES`.
    low
        Lower bounds.
    high
        Upper bounds.

    Returns
    -------
    dict
        Estimates of each coefficient there is.

    Examples
    --------
    >>> float(named(np.ones(7), np.zeros(7), np.ones(7))["alpha"].low)
    0.0
    """
    columns = zip(*(np.moveaxis(side, -1, 0) for side in (value, low, high)), strict=True)
    return {name: Estimate(*column) for name, column in zip(NAMES, columns, strict=False)}


def _blocks(pairs: Pairs, votes: Votes, chosen: NDArray[np.intp]) -> Iterator[_Block]:
    """Go through the concepts, few enough at a time."""
    width = rows_of(np.zeros((1, 2))).shape[-1] + 1
    step = max(1, _NUMBERS // (width * max(1, votes.seen.size)))
    for begin in range(0, chosen.size, step):
        columns = chosen[begin : begin + step]
        found = [pairs.on(column) for column in columns.tolist()]
        influence = np.stack([one.influence for one in found], axis=1)
        counts = votes.counts(columns)
        number = counts.sum(axis=-1)
        paired = number > 1
        given = (counts > 0) & paired[..., None]
        most = (2 * counts > number[..., None]) & paired[..., None]
        basis = (
            paired.sum(axis=0),
            (number * paired).sum(axis=0).astype(np.intp),
            given[..., 1].sum(axis=0),
            most.sum(axis=0).min(axis=-1),
            given.all(axis=-1).sum(axis=0),
        )
        yield _Block(
            columns,
            np.concatenate([rows_of(counts), influence[..., None]], axis=-1),
            np.array([one.mean for one in found]),
            [one.counts for one in found],
            np.stack(basis, axis=-1),
            paired.any(axis=1),
        )


def _resampled(rows: Numbers, bootstrap: Bootstrap, samples: tuple[str, ...]) -> Numbers:
    """Sum the rows of every resample."""
    flat = rows.reshape(len(rows), -1)
    sums = np.zeros((bootstrap.resamples, flat.shape[1]))
    for begin, end in chunks(bootstrap.resamples):
        for where, portion in portions_of(samples, PORTION):
            sums[begin:end] += bootstrap.draw(begin, end, portion) @ flat[where]
    return sums.reshape(-1, *rows.shape[1:])


def _formulas(sums: Numbers, cohen_of_concepts: Numbers) -> Numbers:
    """Compute all coefficients from sums, the means of Cohen's kappa along their derivatives."""
    parts = sums_in(sums[..., :-1])
    moved = np.clip(cohen_of_concepts + sums[..., -1], -1, 1)
    return np.stack([*(formula(parts) for formula in COEFFICIENTS.values()), moved], axis=-1)


def _mean(scores: Numbers, times: NDArray[np.intp]) -> Numbers:
    """Average over concepts, those left out for which a coefficient is undefined."""
    defined = np.isfinite(scores) * times[:, None]
    number = defined.sum(axis=-2)
    sums = (np.nan_to_num(scores) * defined).sum(axis=-2)
    return np.where(number > 0, sums / np.maximum(number, 1), np.nan)
