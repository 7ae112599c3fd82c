"""Measures of rankings: how scores order the labels of each sample, or the samples of each concept.

A level is a group of equal scores in a list. Items without score, or with 0 where no score is negative, rank
below all others, tied with each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.resampling import ROUNDING
from ontoeval.errors import ParameterError
from ontoeval.measures.base import USUAL_LAWS, MeasureInfo, ShareOrNone, number_or_none
from ontoeval.measures.counts import divide, fill_undefined, weighted_mean
from ontoeval.measures.flat import MeanOfSamples, SampleMeans
from ontoeval.measures.sums import BLOCK, Rows, Statistic
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.sparse import pattern, row_of_entries

Axis = Literal["samples", "concepts", "all"]

LEAST_AP = 1e-5
"""What a concept counts at least in a geometric mean."""


class Ranks(NamedTuple):
    """Ranked lists, some of whose items are true, at the levels that hold a true item."""

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
        """Sum values of the levels, list by list, over the true items with a score."""
        return np.bincount(self.row, values * self.level_hits, self.true.size).astype(np.float64)

    @property
    def count_wrong(self) -> Numbers:
        """Number of things of each list that are not true; what rounding leaves of weights is nothing."""
        wrong = self.length - self.true
        return np.where(wrong > ROUNDING * self.length, wrong, 0.0)

    @property
    def count_unranked(self) -> Numbers:
        """Number of true items of each list without a score."""
        return self.true - self.found


@dataclass(frozen=True)
class Ranking:
    """The lists of a batch: the labels of each sample, the samples of each concept, or all in one."""

    axis: Axis = "samples"

    def __call__(self, batch: ScoredBatch) -> Ranks:
        """Rank each list."""
        levels = batch.derive(Sorting(self.axis))
        return levels.ranks(np.ones((1, levels.down.shape[1])))


class ScoreLevels(NamedTuple):
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
        whole = bool((counts == np.floor(counts)).all())
        rank, above, scored = _sums_of(down, levels + np.arange(1, lists + 1), exact=whole)
        hits, above_hits, found = _sums_of(level_hits, levels, exact=whole)
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

    def __call__(self, batch: ScoredBatch) -> ScoreLevels:
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
    row: Places, scores: Numbers, hit: Marks, sample: Places, true: sparse.csr_array, width: int
) -> ScoreLevels:
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
    return ScoreLevels(
        row[begin[kept]],
        matrix(sample, end),
        matrix(sample[hits[level_of] > 0], np.cumsum(sizes[kept])),
        matrix(sample[hit], np.cumsum(hits[kept])),
        true,
        width,
    )


def _sums_of(values: Numbers, end: NDArray[np.intp], *, exact: bool) -> tuple[Numbers, Numbers, Numbers]:
    """Sum along each row up to each place, the first before everything; and before and within each list.

    Where sums are rounded, those of each list begin at 0: else long lists would blur the short ones behind.
    """
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    begin = np.concatenate([[0], end[:-1]])
    if exact:
        np.cumsum(values, axis=1, out=sums[:, 1:])
        return sums, sums[:, begin], sums[:, end] - sums[:, begin]
    for first, last in zip(begin.tolist(), end.tolist(), strict=True):
        np.cumsum(values[:, first:last], axis=1, out=sums[:, first + 1 : last + 1])
    within = np.where(end > begin, sums[:, end], 0.0)
    return sums, np.zeros_like(within), within


# means over samples -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MeanOfRankings(MeanOfSamples):
    """A mean over samples of a score of the ranking of their labels.

    Parameters
    ----------
    empty
        Value of a sample for which the source defines none; None leaves the sample out.
    """

    empty: Annotated[float | None, partial(number_or_none, most=1)] = 0.0

    takes = "scores"
    best = 0.0
    source = "zhang2014"
    laws = USUAL_LAWS

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Score the ranking of each sample, nan where the source defines no score."""
        raise NotImplementedError

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Score each sample."""
        return fill_undefined(self.score_lists(batch.derive(Ranking("samples"))), self.empty)


@dataclass(frozen=True, kw_only=True)
class OneError(MeanOfRankings):
    """Share of the samples whose highest scored label is not true; of tied labels the mean.

    Parameters
    ----------
    empty
        Value of a sample without true labels, by definition 1; None leaves it out.
    """

    empty: Annotated[float | None, partial(number_or_none, most=1)] = 1.0

    formula_text = "share of samples whose highest scored label is not in Y"
    laws = MeanOfRankings.laws - {"perfect"}  # not without true labels

    def score_lists(self, ranks: Ranks) -> Numbers:
        """1 where the top label is wrong, or the wrong share of several; nan where nothing is true."""
        wrong = np.where(ranks.scored > 0, 1.0, 1.0 - divide(ranks.true, ranks.length))
        top = ranks.rank == ranks.level
        wrong[ranks.row[top]] = 1.0 - ranks.level_hits[top] / ranks.level[top]
        return np.where(ranks.true == 0, np.nan, wrong)


@dataclass(frozen=True, kw_only=True)
class Coverage(MeanOfRankings):
    """Mean rank of the lowest true label: how many labels to read until all true ones are found.

    Parameters
    ----------
    minus_one
        Whether the first label counts as 0 steps, as Zhang and Zhou have it; scikit-learn's
        `coverage_error` does not subtract it.
    empty
        Value of a sample without true labels; None leaves it out.
    """

    minus_one: bool = True
    empty: Annotated[float | None, number_or_none] = 0.0

    formula_text = "mean of the largest rank of a label in Y, ties counting as lower, minus 1"
    bounds = (0.0, np.inf)
    laws = MeanOfRankings.laws - {"perfect"}  # all true labels must be seen in any case

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Rank of the lowest true label, that of the last one if it has no score; nan without any."""
        lowest = np.zeros(ranks.true.size)
        np.maximum.at(lowest, ranks.row, ranks.rank)
        lowest = np.where(ranks.count_unranked > 0, ranks.length, lowest)
        return np.where(ranks.true == 0, np.nan, lowest - self.minus_one)


@dataclass(frozen=True, kw_only=True)
class RankingLoss(MeanOfRankings):
    """Share of the pairs of a true and another label that are scored in the wrong order.

    Parameters
    ----------
    ties
        "full": a tied pair counts as wrong, as in scikit-learn; "half": it counts half, so that the loss is
        1 - AUC(average='samples').
    empty
        Value of a sample that no label, or every label, is true of; None leaves it out.
    """

    ties: Literal["full", "half"] = "full"

    formula_text = "mean of |{(y, z) in Y × not Y: f(y) ≤ f(z)}| / (|Y| |not Y|)"

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Share of misordered pairs."""
        return misordered_share(ranks, tied=1.0 if self.ties == "full" else 0.5)


@dataclass(frozen=True, kw_only=True)
class LabelRankingAveragePrecision(MeanOfRankings):
    """Mean over true labels of the share of true ones among all that score as much, averaged over samples.

    Parameters
    ----------
    empty
        Value of a sample without true labels; None leaves it out.
    average
        "samples": the mean over samples; "labels": over the true labels of all samples, lwlrap, for which
        samples without true labels do not count.
    """

    empty: Annotated[float | None, partial(number_or_none, most=1)] = 1.0
    average: Literal["samples", "labels"] = "samples"

    formula_text = "mean over samples, and y in Y, of |{z in Y: f(z) ≥ f(y)}| / |{z: f(z) ≥ f(y)}|"
    best = 1.0

    @property
    def statistic(self) -> Statistic:
        """The value of each sample, by average its number of true labels or 1."""
        return _PrecisionOfLabels(self) if self.average == "labels" else super().statistic

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Average precision of each sample."""
        return precision_at_hits(ranks)


@dataclass(frozen=True)
class _PrecisionOfLabels:
    """Sums over the true labels of each sample, and their number."""

    measure: LabelRankingAveragePrecision

    def __call__(self, batch: ScoredBatch) -> Rows:
        number = np.diff(batch.truth.matrix.indptr).astype(np.float64)
        return Rows(np.stack([self.measure(batch) * number, number], axis=-1))


# averages over concepts -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AveragedRanking(MeasureInfo):
    """A score of the ranking of the samples of each concept, and how it is averaged.

    Parameters
    ----------
    average
        "macro": mean over concepts; "weighted": weighted by the true samples of each; "micro": of
        all pairs of sample and concept in one ranking; "samples": mean over samples, of the
        ranking of their labels.
    undefined
        Value where there is nothing to rank: a concept without true samples, and for AUC and EER one
        without others. None leaves it out of means.
    """

    average: Literal["macro", "weighted", "micro", "samples"] = "macro"
    undefined: ShareOrNone = None

    takes = "scores"
    laws = USUAL_LAWS

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether samples are ranked apart from one another: only with means over samples."""
        return self.average == "samples"

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Compute the score of each list, nan where there is nothing to rank."""
        raise NotImplementedError

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Score the ranking of the labels of each sample."""
        return fill_undefined(self.score_lists(batch.derive(Ranking("samples"))), self.undefined)

    @property
    def statistic(self) -> SampleMeans | PerList:
        """The scores of the lists; equal for all averages over concepts."""
        if self.average == "samples":
            return SampleMeans((self,))
        return PerList(replace(self, average="micro" if self.average == "micro" else "macro", undefined=None))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals."""
        if self.average == "samples":
            return divide(values[..., 0], values[..., 1])
        found, true = np.split(values, 2, axis=-1)
        return weighted_mean(found, true if self.average == "weighted" else None, self.undefined)

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Take the values of the concepts from a total, nan where undefined; for averages over concepts."""
        return np.split(values, 2, axis=-1)[0]

    def true_per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Take the number of true samples of each concept from a total; for averages over concepts."""
        return np.split(values, 2, axis=-1)[1]


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(AveragedRanking):
    """Mean precision at the scores of the true samples of a concept; its mean over concepts is MAP.

    Parameters
    ----------
    mean
        Of the concepts: "arithmetic"; "geometric", GMAP, in which a concept counts .00001 at least, as in
        trec_eval.
    pad
        Samples that are true of every concept, with a score of 1, that are added: 5 in BirdCLEF 2023.
    """

    mean: Literal["arithmetic", "geometric"] = "arithmetic"
    pad: Annotated[int, partial(whole_number, least=0)] = 0

    formula_text = "AP = Σ (R(τ) - R(τ+)) P(τ) over the scores τ of a concept, τ+ being the next higher one"
    source = "zhang2014"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.mean, self.pad) != ("arithmetic", 0) and self.average != "macro":
            raise ParameterError("average", self.average, "'macro' with mean='geometric' or pad")

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals."""
        if self.mean == "arithmetic":
            return super().formula(values)
        found, true = np.split(values, 2, axis=-1)
        logarithms = np.log(np.maximum(fill_undefined(found, self.undefined), LEAST_AP))
        of_all = replace(self, mean="arithmetic", undefined=None)
        return np.exp(of_all.formula(np.concatenate([logarithms, true], axis=-1)))

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Average precision of each list."""
        return precision_at_hits(ranks)


@dataclass(frozen=True, kw_only=True)
class AreaUnderCurve(AveragedRanking):
    """Chance that a true sample of a concept scores more than another one; ties count half."""

    formula_text = (
        "AUC = share of the pairs of a true and another sample in the right order, ties counting half"
    )
    source = "zhang2014"

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Share of the pairs in the right order."""
        return 1.0 - misordered_share(ranks, tied=0.5)


@dataclass(frozen=True, kw_only=True)
class DPrime(AreaUnderCurve):
    r"""Distance of two normal distributions with the same area under the curve.

    .. math:: d' = \sqrt{2} \Phi^{-1}(\mathrm{AUC})

    Parameters
    ----------
    of
        "averages": of the averaged AUC, as AudioSet has it; "concepts": the mean of each concept's, infinite
        where one is ranked without error.
    """

    of: Literal["averages", "concepts"] = "averages"

    formula_text = "d′ = √2 Φ⁻¹(AUC)"
    bounds = (-np.inf, np.inf)
    best = np.inf
    source = "gemmeke2017"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of == "concepts" and self.average != "macro":
            raise ParameterError("of", self.of, "'averages', or average='macro'")

    @property
    def statistic(self) -> SampleMeans | PerList:
        """The AUC of the lists."""
        return AreaUnderCurve(average=self.average, undefined=self.undefined).statistic

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the distance from totals."""
        from scipy.special import ndtri

        if self.of == "averages":
            return np.asarray(np.sqrt(2) * ndtri(super().formula(values)))
        found, true = np.split(values, 2, axis=-1)
        return super().formula(np.concatenate([np.sqrt(2) * ndtri(found), true], axis=-1))


@dataclass(frozen=True, kw_only=True)
class EqualErrorRate(AveragedRanking):
    """Equal error rate of a concept: the share of errors at the threshold where FPR = FNR.

    Between two thresholds the rate is found on the line between their points of the ROC curve.
    """

    formula_text = (
        "EER = FPR(τ) where FPR(τ) = FNR(τ), on the ROC curve with straight lines between its points"
    )
    source = "nowak2010overview"
    best = 0.0
    emerging = True  # that ImageCLEF draws lines between points could not be checked

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Cross the ROC curve of each list, FPR = FNR; nan without positives or without negatives."""
        true, wrong = ranks.true, ranks.count_wrong
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


def precision_at_hits(ranks: Ranks) -> Numbers:
    """Mean, over the true items, of the precision at their score; nan without any."""
    # At the end of the list the precision is the share of what is true.
    at_end = divide(ranks.true, ranks.length)
    found = ranks.sum_of_hits(ranks.hits / ranks.rank)
    return divide(found + np.where(ranks.count_unranked > 0, ranks.count_unranked * at_end, 0.0), ranks.true)


def misordered_share(ranks: Ranks, *, tied: float) -> Numbers:
    """Share of the pairs of a true and another item that are in the wrong order; nan without any."""
    beside = ranks.level - ranks.level_hits
    above = ranks.rank - ranks.hits - beside
    wrong = ranks.count_wrong
    without = wrong - (ranks.scored - ranks.found)  # not true, and without score
    pairs = ranks.sum_of_hits(above + tied * beside)
    pairs = pairs + ranks.count_unranked * (wrong - without + tied * without)
    return divide(pairs, ranks.true * wrong)


# lists that are ranked as wholes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PerList:
    """A score of the ranked samples of each concept, or of all pairs of sample and concept."""

    measure: AveragedRanking

    @property
    def axis(self) -> Axis:
        """One list of all pairs for micro averages, else one list per concept."""
        return "all" if self.measure.average == "micro" else "concepts"

    def __call__(self, batch: ScoredBatch) -> ListRows:
        """Prepare the rankings for the formulas."""
        return ListRows(batch, self)


@dataclass(frozen=True, eq=False)
class ListRows:
    """Totals of all samples together, and rows of each alone; rows have no sum."""

    batch: ScoredBatch
    statistic: PerList

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def pad(self) -> int:
        """Samples that are added."""
        return getattr(self.statistic.measure, "pad", 0)

    @cached_property
    def padded(self) -> ScoredBatch:
        """The batch, and the samples that are added."""
        if not self.pad:
            return self.batch
        truth, scores = self.batch.truth, self.batch.prediction
        ones = sparse.csr_array(np.ones((self.pad, truth.matrix.shape[1])))
        names = (*map(str, range(len(self) + self.pad)),)
        sides = (sparse.csr_array(sparse.vstack([side.matrix, ones])) for side in (truth, scores))
        return ScoredBatch(
            replace(truth, matrix=pattern(next(sides)), samples=names),
            replace(scores, matrix=next(sides), samples=names),
        )

    def total(self) -> Numbers:
        """Compute the quantity of each list of the whole batch."""
        (total,) = self._laid_out(self.padded.derive(Ranking(self.statistic.axis)), 1)
        return np.asarray(total)

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Compute the quantity of each list of every resample; the scores are sorted once."""
        levels = self.padded.derive(Sorting(self.statistic.axis))
        counts = np.concatenate([counts, np.ones((len(counts), self.pad))], axis=1)
        step = max(1, BLOCK // 4 // max(1, levels.down.shape[0]))
        for begin in range(0, len(counts), step):
            some = counts[begin : begin + step]
            yield self._laid_out(levels.ranks(some), len(some))

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        if self.statistic.axis == "all":
            of_samples = self.batch.derive(Ranking("samples"))
            yield np.stack([self.statistic.measure.score_lists(of_samples), of_samples.true], axis=-1)
            return
        truth = self.batch.truth.matrix
        # The list of a concept is then one sample long, and that is true or not.
        nothing, none = np.zeros(0), np.zeros(2)
        row, true = nothing.astype(np.intp), np.array([0.0, 1.0])
        alone = Ranks(row, nothing, nothing, nothing, nothing, none, true, none, none + 1)
        if_untrue, if_true = self.statistic.measure.score_lists(alone)
        step = max(1, BLOCK // 2 // max(1, truth.shape[1]))
        for begin in range(0, max(1, len(self)), step):
            marks: NDArray[np.bool_] = truth[begin : begin + step].toarray()
            values = np.where(marks, if_true, if_untrue)
            if self.pad:
                first = ~marks & (self.batch.prediction.matrix[begin : begin + step].toarray() >= 1)
                values = np.where(first, self.pad / (self.pad + 1), 1.0)
            yield np.concatenate([values, marks.astype(np.float64)], axis=1)

    def _laid_out(self, ranks: Ranks, totals: int) -> Numbers:
        parts = self.statistic.measure.score_lists(ranks), ranks.true
        return np.concatenate([part.reshape(totals, -1) for part in parts], axis=1)
