"""Measures of rankings: how the scores order the samples of each concept, or all pairs of both.

A label without score, or with a score of 0 where none is negative, stands below all others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.checks import real_number, share_or_none
from ontoeval.core.csr import row_of_entries
from ontoeval.errors import one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.counts import Numbers, divide, filled
from ontoeval.measures.flat import SampleMeans
from ontoeval.measures.sums import BLOCK

Axis = Literal["samples", "concepts", "all"]


class Ranks(NamedTuple):
    """Lists of things with a score, some of which are true, level by level of those with something true."""

    row: NDArray[np.intp]
    rank: Numbers
    hits: Numbers
    level: Numbers
    level_hits: Numbers
    scored: Numbers
    true: Numbers
    found: Numbers
    length: Numbers

    def sum_of_hits(self, values: Numbers) -> Numbers:
        """Sum, list by list, over what is true and has a score, what is computed of each level."""
        return np.bincount(self.row, values * self.level_hits, self.true.size).astype(np.float64)

    @property
    def lost(self) -> Numbers:
        """How many true things of each list have no score."""
        return self.true - self.found


@dataclass(frozen=True)
class Ranking:
    """The lists of a batch: the labels of each sample, the samples of each concept, or all in one."""

    axis: Axis = "samples"

    def __call__(self, batch: ScoredBatch) -> Ranks:
        """Rank each list."""
        levels = batch.once(Sorting(self.axis))
        return levels.ranks(np.ones((1, levels.down.shape[1])))


class Levels(NamedTuple):
    """Lists sorted by score: which samples are on each level. Each matrix has one column per sample."""

    row: NDArray[np.intp]
    down: sparse.csr_array
    level: sparse.csr_array
    hits: sparse.csr_array
    true: sparse.csr_array
    width: int

    def ranks(self, counts: Numbers) -> Ranks:
        """Rank each list, as if samples were there several times or not at all."""
        resamples, lists = len(counts), self.true.shape[0]
        levels = np.cumsum(np.bincount(self.row, minlength=lists))  # up to the end of each list
        down, level, level_hits, true = (
            np.ascontiguousarray((matrix @ counts.T).T)
            for matrix in (self.down, self.level, self.hits, self.true)
        )
        rank = _sums_to(down)
        above, scored = _of_lists(rank, levels + np.arange(1, lists + 1))
        hits = _sums_to(level_hits)
        above_hits, found = _of_lists(hits, levels)
        place = np.arange(self.row.size) + self.row + 1
        here = level_hits > 0
        row = np.arange(resamples)[:, None] * lists + self.row
        return Ranks(
            row[here],
            (rank[:, place] - above[:, self.row])[here],
            (hits[:, 1:] - above_hits[:, self.row])[here],
            level[here],
            level_hits[here],
            scored.ravel(),
            true.ravel(),
            found.ravel(),
            np.repeat(counts.sum(axis=1) * self.width, lists),
        )


@dataclass(frozen=True)
class Sorting:
    """Sorts the lists of a batch by score."""

    axis: Axis

    def __call__(self, batch: ScoredBatch) -> Levels:
        """Sort the scores of each list, and find the levels with something true."""
        scores, truth = batch.prediction.matrix, batch.truth.matrix.astype(np.float64)
        concepts = scores.shape[1]
        sample, row = row_of_entries(scores), np.zeros(scores.nnz, dtype=np.intp)
        match self.axis:
            case "samples":
                sample, row, width = row, sample, concepts
                true = sparse.csr_array(truth.sum(axis=1)[:, None])
            case "concepts":
                row, width = scores.indices.astype(np.intp), 1
                true = sparse.csr_array(truth.T)
            case "all":
                width = concepts
                true = sparse.csr_array(truth.sum(axis=1)[None, :])
        order = np.lexsort((-scores.data, row))
        return _levels(row[order], scores.data[order], batch.hits[order], sample[order], true, width)


def _levels(
    row: NDArray[np.intp],
    scores: Numbers,
    hit: NDArray[np.bool_],
    sample: NDArray[np.intp],
    true: sparse.csr_array,
    width: int,
) -> Levels:
    lists, samples = true.shape
    new = np.ones(row.size, dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (scores[1:] != scores[:-1])
    begin = np.flatnonzero(new)
    sizes, level_of = np.diff(begin, append=row.size), np.cumsum(new) - 1
    hits = np.bincount(level_of[hit], minlength=begin.size)
    kept = np.flatnonzero(hits)

    def matrix(chosen: NDArray[np.intp], end: NDArray[np.intp]) -> sparse.csr_array:
        places = np.ones(chosen.size), chosen, np.concatenate([[0], end])
        return sparse.csr_array(places, shape=(end.size, samples))

    end = np.sort(np.concatenate([(begin + sizes)[kept], np.cumsum(np.bincount(row, minlength=lists))]))
    return Levels(
        row[begin[kept]],
        matrix(sample, end),
        matrix(sample[hits[level_of] > 0], np.cumsum(sizes[kept])),
        matrix(sample[hit], np.cumsum(hits[kept])),
        true,
        width,
    )


def _sums_to(values: Numbers) -> Numbers:
    """Sum along each row up to each place, the first of which is before everything."""
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _of_lists(sums: Numbers, end: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """Tell what each list begins with, and what is in it."""
    at_end = sums[:, end]
    at_begin = sums[:, np.concatenate([[0], end[:-1]])]
    return at_begin, at_end - at_begin


class RankQuantity(Hashable, Protocol):
    """One number per list; frozen, so that equal ones are computed once."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Compute one number per list, nan where it is undefined."""
        ...


@dataclass(frozen=True)
class OfRanks:
    """A quantity of the lists of one axis, as a quantity of a batch."""

    quantity: RankQuantity
    axis: Axis = "samples"
    undefined: float | None = None

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Compute one number per list."""
        return filled(self.quantity(batch.once(Ranking(self.axis))), self.undefined)


@dataclass(frozen=True)
class TopIsWrong:
    """Share of the highest scored that is not true, 0 or 1 where none are tied; nan where nothing is true."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Look at the level with nothing above; where nothing has a score, everything is tied."""
        wrong = np.where(ranks.scored > 0, 1.0, 1.0 - divide(ranks.true, ranks.length))
        top = ranks.rank == ranks.level
        wrong[ranks.row[top]] = 1.0 - ranks.level_hits[top] / ranks.level[top]
        return np.where(ranks.true == 0, np.nan, wrong)


@dataclass(frozen=True)
class LowestTrue:
    """How far down the lowest true label stands, counting all that score as much; nan without any."""

    minus: float = 0.0

    def __call__(self, ranks: Ranks) -> Numbers:
        """Take the last true label with a score, or the end of the list."""
        lowest = np.zeros(ranks.true.size)
        np.maximum.at(lowest, ranks.row, ranks.rank)
        lowest = np.where(ranks.lost > 0, ranks.length, lowest)
        return np.where(ranks.true == 0, np.nan, lowest - self.minus)


@dataclass(frozen=True)
class Misordered:
    """Share of pairs, one true and one not, in which the latter scores as much or more; nan without any."""

    tied: float = 1.0
    right: bool = False

    def __call__(self, ranks: Ranks) -> Numbers:
        """Count what is not true above and beside each true one."""
        beside = ranks.level - ranks.level_hits
        above = ranks.rank - ranks.hits - beside
        wrong = ranks.length - ranks.true
        without = wrong - (ranks.scored - ranks.found)  # not true, and without score
        pairs = ranks.sum_of_hits(above + self.tied * beside)
        pairs = pairs + ranks.lost * (wrong - without + self.tied * without)
        share = divide(pairs, ranks.true * wrong)
        return 1.0 - share if self.right else share


@dataclass(frozen=True)
class PrecisionAtHits:
    """Mean over what is true of the share that is true of all that scores as much; nan without any."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Average the precisions; at the end of the list it is the share of what is true."""
        at_end = divide(ranks.true, ranks.length)
        found = ranks.sum_of_hits(ranks.hits / ranks.rank)
        return divide(found + np.where(ranks.lost > 0, ranks.lost * at_end, 0.0), ranks.true)


@dataclass(frozen=True)
class EqualError:
    """Error rate where accepting what is not true is as frequent as rejecting what is; nan without both.

    Between two thresholds it is found on the line between their points.
    """

    def __call__(self, ranks: Ranks) -> Numbers:
        """Cross the ROC curve of each list with its falling diagonal."""
        true, wrong = ranks.true, ranks.length - ranks.true
        # Corners of the curve: before and behind each level, and behind everything with a score.
        row = np.concatenate([ranks.row, ranks.row, np.arange(true.size)])
        hits = np.concatenate([ranks.hits - ranks.level_hits, ranks.hits, ranks.found])
        rank = np.concatenate([ranks.rank - ranks.level, ranks.rank, ranks.scored])
        rejected, accepted = 1.0 - divide(hits, true[row]), divide(rank - hits, wrong[row])
        above = accepted >= rejected
        below = accepted < rejected
        # The curve begins with nothing accepted and ends with everything; it crosses once in each list.
        low = np.stack([np.zeros(true.size), np.ones(true.size)])
        high = np.stack([np.ones(true.size), np.zeros(true.size)])
        np.maximum.at(low[0], row[below], accepted[below])
        np.minimum.at(low[1], row[below], rejected[below])
        np.minimum.at(high[0], row[above], accepted[above])
        np.maximum.at(high[1], row[above], rejected[above])
        gap_low, gap_high = low[1] - low[0], high[0] - high[1]
        share = divide(gap_low, gap_low + gap_high)
        found = low[0] + share * (high[0] - low[0])
        return np.where((true == 0) | (wrong == 0), np.nan, found)


class OfLists(NamedTuple):
    """What was computed of each list, lists on the last axis."""

    values: Numbers
    true: Numbers


@dataclass(frozen=True)
class PerList:
    """A quantity of the ranked samples of each concept, or of all pairs of sample and concept."""

    quantity: RankQuantity
    axis: Axis = "concepts"

    def __call__(self, batch: ScoredBatch) -> ListRows:
        """Prepare what formulas need."""
        return ListRows(batch, self)

    def unpack(self, values: Numbers) -> OfLists:
        """Name the two halves."""
        return OfLists(*np.split(values, 2, axis=-1))


@dataclass(frozen=True, eq=False)
class ListRows:
    """What a formula needs of all samples together, or of each alone; the latter have no sum."""

    batch: ScoredBatch
    statistic: PerList

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.batch)

    def total(self) -> Numbers:
        """Compute the quantity of each list of the whole batch."""
        (total,) = self._laid_out(self.batch.once(Ranking(self.statistic.axis)), 1)
        return np.asarray(total)

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Compute the quantity of each list of every resample; the scores are sorted once."""
        levels = self.batch.once(Sorting(self.statistic.axis))
        step = max(1, BLOCK // 4 // max(1, levels.down.shape[0]))
        for begin in range(0, len(counts), step):
            some = counts[begin : begin + step]
            yield self._laid_out(levels.ranks(some), len(some))

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        if self.statistic.axis == "all":
            of_samples = self.batch.once(Ranking("samples"))
            yield np.stack([self.statistic.quantity(of_samples), of_samples.true], axis=-1)
            return
        truth = self.batch.truth.matrix
        # The list of a concept is then one sample long, and that is true or not.
        nothing, none = np.zeros(0), np.zeros(2)
        alone = Ranks(
            nothing.astype(np.intp),
            nothing,
            nothing,
            nothing,
            nothing,
            none,
            np.array([0.0, 1.0]),
            none,
            none + 1,
        )
        untrue, true = self.statistic.quantity(alone)
        step = max(1, BLOCK // 2 // max(1, truth.shape[1]))
        for begin in range(0, max(1, len(self)), step):
            marks: NDArray[np.bool_] = truth[begin : begin + step].toarray()
            yield np.concatenate([np.where(marks, true, untrue), marks.astype(np.float64)], axis=1)

    def _laid_out(self, ranks: Ranks, totals: int) -> Numbers:
        parts = self.statistic.quantity(ranks), ranks.true
        return np.concatenate([part.reshape(totals, -1) for part in parts], axis=1)


@dataclass(frozen=True, kw_only=True)
class MeanOfRankings(Facts):
    """A mean over samples of what the ranking of their labels is worth.

    Parameters
    ----------
    empty
        Value of a sample of which the source does not say it, see the measure; None leaves such
        samples out.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    empty: float | None = 0.0

    takes = "scores"
    best = 0.0
    source = "zhang2014"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        most = self.bounds[1]
        if self.empty is not None:
            expected = "None or a number of at least 0" + " and at most 1" * (most == 1)
            object.__setattr__(self, "empty", real_number("empty", self.empty, most=most, expected=expected))

    @property
    def quantity(self) -> RankQuantity:
        """What is averaged."""
        raise NotImplementedError

    @property
    def statistic(self) -> SampleMeans:
        """The mean of the quantity."""
        return SampleMeans((OfRanks(self.quantity, "samples", self.empty),))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        return self.statistic.unpack(values)[0]


@dataclass(frozen=True, kw_only=True)
class OneError(MeanOfRankings):
    """Share of the samples whose highest scored label is not true; of tied labels the mean.

    Parameters
    ----------
    empty
        Value of a sample without true labels, whose first label cannot be one: by definition 1;
        None leaves such samples out.
    """

    empty: float | None = 1.0

    formula_text = "share of samples whose highest scored label is not in Y"
    laws = MeanOfRankings.laws - {"perfect"}  # not without true labels

    @property
    def quantity(self) -> RankQuantity:
        """Whether the first label is wrong."""
        return TopIsWrong()


@dataclass(frozen=True, kw_only=True)
class Coverage(MeanOfRankings):
    """How far one must go down the labels to have seen all true ones, on average.

    Parameters
    ----------
    minus_one
        Whether the first label counts as 0 steps, as Zhang and Zhou have it; scikit-learn's
        `coverage_error` does not subtract it.
    empty
        Value of a sample without true labels; None leaves such samples out.
    """

    minus_one: bool = True

    formula_text = "mean of the largest rank of a label in Y, ties counting as lower, minus 1"
    bounds = (0.0, np.inf)
    laws = MeanOfRankings.laws - {"perfect"}  # all true labels must be seen in any case

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("minus_one", self.minus_one, (True, False))

    @property
    def quantity(self) -> RankQuantity:
        """Rank of the lowest true label."""
        return LowestTrue(1.0 if self.minus_one else 0.0)


@dataclass(frozen=True, kw_only=True)
class RankingLoss(MeanOfRankings):
    """Share of the pairs of a true and another label that are scored in the wrong order.

    Parameters
    ----------
    ties
        "full": a tied pair counts as wrong, as in Zhang and Zhou and in scikit-learn; "half": it
        counts half, so that the loss is 1 - AUC(average='samples').
    empty
        Value of a sample that no label, or every label, is true of; None leaves such samples out.
    """

    ties: Literal["full", "half"] = "full"

    formula_text = "mean of |{(y, z) in Y × not Y: f(y) ≤ f(z)}| / (|Y| |not Y|)"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("ties", self.ties, ("full", "half"))

    @property
    def quantity(self) -> RankQuantity:
        """Share of misordered pairs."""
        return Misordered(1.0 if self.ties == "full" else 0.5)


@dataclass(frozen=True, kw_only=True)
class LabelRankingAveragePrecision(MeanOfRankings):
    """Mean over true labels of the share of true ones among all that score as much, averaged over samples.

    Parameters
    ----------
    empty
        Value of a sample without true labels; None leaves such samples out.
    """

    empty: float | None = 1.0

    formula_text = "mean over samples, and y in Y, of |{z in Y: f(z) ≥ f(y)}| / |{z: f(z) ≥ f(y)}|"
    best = 1.0

    @property
    def quantity(self) -> RankQuantity:
        """Average precision of a sample."""
        return PrecisionAtHits()


Average = Literal["macro", "weighted", "micro", "samples"]

AVERAGES = ("macro", "weighted", "micro", "samples")


@dataclass(frozen=True, kw_only=True)
class AveragedRanking(Facts):
    """What the ranking of the samples of each concept is worth, averaged over concepts, or otherwise.

    Parameters
    ----------
    average
        "macro": mean over concepts; "weighted": weighted by the true samples of each; "micro": of
        all pairs of sample and concept in one ranking; "samples": mean over samples, of the
        ranking of their labels.
    undefined
        Value where there is nothing to rank: a concept without true samples, and for AUC and EER one
        without others. None leaves it out of means.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    average: Average = "macro"
    undefined: float | None = None

    takes = "scores"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("average", self.average, AVERAGES)
        object.__setattr__(self, "undefined", share_or_none("undefined", self.undefined))

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether samples are ranked apart from one another: only with means over samples."""
        return self.average == "samples"

    @property
    def quantity(self) -> RankQuantity:
        """What is averaged."""
        raise NotImplementedError

    @property
    def statistic(self) -> SampleMeans | PerList:
        """The quantity of each list."""
        if self.average == "samples":
            return SampleMeans((OfRanks(self.quantity, "samples", self.undefined),))
        return PerList(self.quantity, "all" if self.average == "micro" else "concepts")

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        statistic = self.statistic
        if isinstance(statistic, SampleMeans):
            return statistic.unpack(values)[0]
        found, true = statistic.unpack(values)
        found = filled(found, self.undefined)
        weights = true if self.average == "weighted" else np.ones_like(found)
        weights = np.where(np.isnan(found), 0.0, weights)
        return filled(
            divide((np.nan_to_num(found) * weights).sum(axis=-1), weights.sum(axis=-1)), self.undefined
        )

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Take the values of the concepts, for averages over concepts.

        Parameters
        ----------
        values
            A total of the statistic on the last axis.

        Returns
        -------
        ndarray of float
            One number per concept, nan where it is undefined.
        """
        return PerList.unpack(self.statistic, values).values  # type: ignore[arg-type]

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts without value."""
        return int(np.isnan(self.per_concept(values)).sum()) if self.average in {"macro", "weighted"} else 0


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(AveragedRanking):
    """Mean precision at the scores of the true samples of a concept; its mean over concepts is MAP."""

    formula_text = "AP = Σ (R(τ) - R(τ+)) P(τ) over the scores τ of a concept, τ+ being the next higher one"
    source = "zhang2014"

    @property
    def quantity(self) -> RankQuantity:
        """Average precision of a list."""
        return PrecisionAtHits()


@dataclass(frozen=True, kw_only=True)
class AreaUnderCurve(AveragedRanking):
    """Chance that a true sample of a concept scores more than another one; ties count half."""

    formula_text = (
        "AUC = share of the pairs of a true and another sample in the right order, ties counting half"
    )
    source = "zhang2014"

    @property
    def quantity(self) -> RankQuantity:
        """Share of the pairs in the right order."""
        return Misordered(0.5, right=True)


@dataclass(frozen=True, kw_only=True)
class EqualErrorRate(AveragedRanking):
    """Error rate of a concept at the threshold where as many true samples are missed as others accepted.

    Between two thresholds the rate is found on the line between their points of the ROC curve.
    """

    formula_text = (
        "EER = FPR(τ) where FPR(τ) = FNR(τ), on the ROC curve with straight lines between its points"
    )
    source = "nowak2010overview"
    best = 0.0
    emerging = True  # that ImageCLEF draws lines between points could not be checked

    @property
    def quantity(self) -> RankQuantity:
        """Equal error rate of a list."""
        return EqualError()
