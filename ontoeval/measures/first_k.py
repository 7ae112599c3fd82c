"""Measures of the first k labels of a ranking: P@k, R@k, nDCG@k, top-k accuracy, reciprocal rank, PSP@k.

Labels of equal score share their places: every value is the expectation over all orders of ties
[mcsherry2008]_.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import LabelFrequencies
from ontoeval.core.batch import ScoredBatch, set_sizes
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import MeasureError, ParameterError, enumerate_some, pluralise
from ontoeval.measures.base import (
    USUAL_LAWS,
    Above0,
    AtLeast0,
    MeasureInfo,
    Number,
    ShareOrNone,
    whole_or_none,
)
from ontoeval.measures.counts import divide, fill_undefined
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.matching import places_in
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.sparse import cells_of, cut_into_runs, row_of_entries

CELLS = 1 << 16
"""Scores of padded rows that are looked through at a time."""

Unscored = Literal["out", "last"]


class FirstLevels(NamedTuple):
    """Groups of equal scores within the first k places, and the true labels among them."""

    row: Places
    above: Places
    """Labels of the sample with a higher score."""
    size: Places
    hit_level: Places
    """Group of each true label with a place."""
    hit_column: Places
    rest: Marks
    """Whether each group is that of the labels without a score, whose true ones have no entry."""
    true: Numbers
    """True labels of each sample."""

    def gains(self, batch: ScoredBatch, of_label: Numbers | None = None) -> Numbers:
        """Sum what true labels are worth in each group; by default 1 each."""
        worth = None if of_label is None else of_label[self.hit_column]
        found = np.bincount(self.hit_level, worth, self.row.size).astype(np.float64)
        total = self.true if of_label is None else batch.truth.matrix @ of_label
        found[self.rest] = (total - np.bincount(self.row, found, len(batch)))[self.row[self.rest]]
        return found


@dataclass(frozen=True)
class FirstPlaces:
    """The labels on the first k places of each sample, as a view of a batch."""

    k: int
    unscored: Unscored

    def __call__(self, batch: ScoredBatch) -> FirstLevels:
        """Choose the scores that reach the first k places, and sort these alone."""
        scores, truth = batch.prediction.matrix, batch.truth.matrix
        entry, level, *parts = levels_within(scores, self.k)
        column, width = scores.indices[entry].astype(np.intp), scores.shape[1]
        hit = places_in(cells_of(truth), parts[0][level] * width + column) >= 0
        scored = np.diff(scores.indptr).astype(np.intp)
        rest = np.flatnonzero((scored < min(self.k, width)) & (self.unscored == "last"))
        row, above, size = map(np.append, parts, (rest, scored[rest], width - scored[rest]))
        of_rest = np.arange(row.size) >= parts[0].size
        return FirstLevels(row, above, size, level[hit], column[hit], of_rest, set_sizes(truth))


def levels_within(scores: sparse.csr_array, k: int) -> tuple[Places, Places, Places, Places, Places]:
    """Sort the stored scores on the first k places of each row, with all ties of the last.

    The entries, the group of equal scores of each; and row, scores above and size of each group.
    """
    begin, lengths = scores.indptr[:-1].astype(np.intp), np.diff(scores.indptr)
    chosen, longer = np.repeat(lengths <= k, lengths), np.flatnonzero(lengths > k)
    longer = longer[np.argsort(lengths[longer], kind="stable")]  # rows of a block are padded to the longest
    for first, last in cut_into_runs(lengths[longer], CELLS):
        some = longer[first:last]
        within = np.arange(lengths[some[-1]])
        at = begin[some, None] + within
        block = np.where(within < lengths[some, None], scores.data.take(at, mode="clip"), -np.inf)
        chosen[at[block >= np.partition(block, -k, axis=1)[:, -k, None]]] = True
    entry = np.flatnonzero(chosen)
    row = row_of_entries(scores)[entry]
    entry = entry[np.lexsort((-scores.data[entry], row))]
    values, new = scores.data[entry], np.ones(row.size, dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (values[1:] != values[:-1])
    group = np.flatnonzero(new)
    of_row = np.searchsorted(row, row[group])
    return entry, np.cumsum(new) - 1, row[group], group - of_row, np.diff(group, append=row.size)


@dataclass(frozen=True, kw_only=True)
class FirstK(MeasureInfo):
    """Options of measures of the first k labels.

    Parameters
    ----------
    k
        Places that are looked at; more than there are labels are allowed.
    unscored
        Labels without a score, or with 0 where no score is negative: "out": they have no place, as in
        trec_eval; "last": they are tied after all others.
    """

    k: Number = 5
    unscored: Unscored = "out"

    takes = "scores"
    laws = USUAL_LAWS
    source = "mcsherry2008"

    def remarks(self, vocabulary: Vocabulary) -> Iterator[str]:
        """Say which rule holds for labels without a score, and that k exceeds the labels."""
        rule = {"out": "have no place", "last": "share the places after all others"}[self.unscored]
        yield f"Among the first places, labels without a score {rule} (unscored={self.unscored!r})."
        if (self.k or 0) > len(vocabulary):
            symbol, labels = self.formula_text.partition(" = ")[0], pluralise(len(vocabulary), "label")
            yield f"{symbol}: the first {self.k:,} places are more than the {labels}."

    def discounts(self, places: int) -> Numbers:
        """Sum the discounts of the first places, from none to so many."""
        return np.arange(places + 1.0)


@dataclass(frozen=True, kw_only=True)
class OfFirst(FirstK, MeanOfSamples):
    """A mean over samples of a score of the first k labels.

    Parameters
    ----------
    empty_truth
        Value of a sample without true labels; None leaves it out.
    """

    empty_truth: ShareOrNone = None

    def score_places(self, batch: ScoredBatch, levels: FirstLevels) -> Numbers:
        """Score each sample with a true label."""
        sums = self.discounts(min(self.k, batch.truth.matrix.shape[1]))
        hits = levels.gains(batch) * mean_discount(levels, sums)
        found = np.bincount(levels.row, hits, len(batch)).astype(np.float64)
        return divide(found, self.most(levels.true, sums))

    def most(self, true: Numbers, sums: Numbers) -> Numbers:
        """Divisor of each sample: the sum of the discounts that its true labels can have."""
        return sums[np.minimum(true, sums.size - 1).astype(np.intp)]

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Score each sample, nan without true labels."""
        levels = batch.derive(FirstPlaces(self.k, self.unscored))
        scores = self.score_places(batch, levels)
        return fill_undefined(np.where(levels.true > 0, scores, np.nan), self.empty_truth)


def mean_discount(levels: FirstLevels, sums: Numbers) -> Numbers:
    """Mean discount of the places that each group shares; places beyond the last sum count 0."""
    last = sums.size - 1
    begin, end = np.minimum(levels.above, last), np.minimum(levels.above + levels.size, last)
    return np.asarray((sums[end] - sums[begin]) / levels.size)


class _Logarithmic:
    """Discounts of 1 / log2(place + 1)."""

    def discounts(self, places: int) -> Numbers:
        """Sum the discounts of the first places, from none to so many."""
        return np.asarray(np.append(0.0, np.cumsum(1 / np.log2(np.arange(2, places + 2)))))


@dataclass(frozen=True, kw_only=True)
class PrecisionAt(OfFirst):
    """Share of the first k places that true labels have; places that no label has count, too."""

    formula_text = "P@k = Σ_{c in Y} w(c) / k, w(c) = share of its places within k"
    denied_laws = frozenset({"perfect"})  # with fewer than k true labels

    def most(self, true: Numbers, _: Numbers) -> Numbers:
        """Divide by k."""
        return np.full(true.size, float(self.k))


@dataclass(frozen=True, kw_only=True)
class RecallAt(OfFirst):
    """Share of the true labels that are among the first k.

    Parameters
    ----------
    of
        Divisor: "truth": all true labels; "reach": as many as k places can hold.
    """

    of: Literal["truth", "reach"] = "truth"

    formula_text = "R@k = Σ_{c in Y} w(c) / |Y|; with of='reach' / min(k, |Y|)"

    @property
    def denied_laws(self) -> frozenset[str]:
        """A perfect run is not the best where more labels are true than there are places."""
        return frozenset({"perfect"}) if self.of == "truth" else frozenset()

    def most(self, true: Numbers, sums: Numbers) -> Numbers:
        """Divide by the true labels."""
        return true if self.of == "truth" else super().most(true, sums)


@dataclass(frozen=True, kw_only=True)
class GainAt(_Logarithmic, OfFirst):
    """Normalised discounted cumulative gain of the first k labels, a true one gaining 1."""

    formula_text = "nDCG@k = Σ_{c in Y} d(place) / the most possible, d(j) = [j ≤ k] / log2(j+1)"
    source = "jarvelin2002"


@dataclass(frozen=True, kw_only=True)
class HitAt(OfFirst):
    """Share of the samples with a true label among the first k, top-k accuracy: 1 less the top-k error."""

    formula_text = "Hit@k = share of samples with a true label within k"

    def score_places(self, batch: ScoredBatch, levels: FirstLevels) -> Numbers:
        """Chance that each sample has a true label within k."""
        hits, within = levels.gains(batch), np.minimum(self.k - levels.above, levels.size)
        missed = np.ones(hits.size)
        for number in range(int(hits.max(initial=0))):  # C(m - b, n) / C(m, n) as a product of b factors
            factor = np.maximum(levels.size - within - number, 0) / np.maximum(levels.size - number, 1)
            missed *= np.where(number < hits, factor, 1.0)
        none = np.ones(len(batch))
        np.multiply.at(none, levels.row, missed)
        return 1.0 - none


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(OfFirst):
    """Mean of 1 / the place of the first true label; its mean over groups by the true label is MA-MRR.

    Parameters
    ----------
    k
        Places that are looked at; None looks at all.
    """

    k: Annotated[int | None, partial(whole_or_none, least=1)] = None  # type: ignore[assignment]

    formula_text = "RR = 1 / place of the first label in Y, 0 beyond k"
    source = "voorhees1999"

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Score each sample without sorting: of the best true score of each, count the scores above."""
        scores, truth, true = batch.prediction.matrix, batch.truth.matrix, set_sizes(batch.truth.matrix)
        at = places_in(cells_of(scores), cells_of(truth))
        row, found = row_of_entries(truth)[at >= 0], scores.data[at[at >= 0]]
        best, width = np.full(len(batch), -np.inf), scores.shape[1]
        np.maximum.at(best, row, found)
        of_row = np.repeat(best, np.diff(scores.indptr))
        marks = scores.data > of_row, scores.data == of_row
        above, size = (np.diff(np.append(0, np.cumsum(some))[scores.indptr]) for some in marks)
        hits = np.bincount(row, found == best[row], len(batch)).astype(np.intp)
        if self.unscored == "last":
            rest = np.isinf(best)
            size[rest], hits[rest] = width - above[rest], true[rest]
        chances = expected_reciprocal(above, size, hits, width if self.k is None else self.k)
        return fill_undefined(np.where(true > 0, chances, np.nan), self.empty_truth)


def expected_reciprocal(above: Places, size: Places, hits: Places, most: int) -> Numbers:
    """Mean of 1 / place of the first of some true labels, over the orders of a group behind others."""
    found = np.where((hits > 0) & (above < most), 1.0 / (above + 1), 0.0)
    tied = np.flatnonzero((found > 0) & (hits < size))
    cases, which = np.unique(np.stack([above, size, hits])[:, tied], axis=1, return_inverse=True)
    values, errors = _by_recurrence(cases.astype(np.float64), most)
    for number in np.flatnonzero(errors > EXACT * values):
        before, labels, right = cases[:, number].tolist()
        # So far away, less than e ** -50 is left.
        late = np.arange(min(labels - right + 1, most - before, 50 * labels // right + 1))
        # C(m - 1 - j, b - 1) / C(m, b) that j wrong labels come first, by its ratio from one j to the next.
        ratio = np.append(right / labels, (labels - right - late[:-1]) / (labels - 1 - late[:-1]))
        values[number] = np.sum(np.cumprod(ratio) / (before + 1 + late))
    found[tied] = values[which.ravel()]
    return found


EXACT = 1e-13
"""Largest relative error of a recurrence."""

_STEPS = 200
"""Most true labels of a group for which there is a recurrence: the sum over places of more is short."""


def _by_recurrence(cases: Numbers, most: int) -> tuple[Numbers, Numbers]:
    """Mean of 1 / place of the first of so many true labels of a tied group, from that of one less.

    Of N = a + m places e are looked at, so E_1 = (H(e) - H(a)) / m. As C(N - p, b - 1) is
    (N - b + 2 - p) / (b - 1) C(N - p, b - 2), E_b = b ((N - b + 2) E_{b-1} - 1 + r) / ((b - 1) (m - b + 1)),
    r = C(N - e, b - 1) / C(m, b - 1). Beside it a bound of its error.
    """
    from scipy.special import digamma

    above, size, hits = cases
    last, rounding = np.minimum(above + size, most), 4 * np.finfo(np.float64).eps
    value = (digamma(last + 1) - digamma(above + 1)) / size
    error, behind = rounding * digamma(last + 1) / size, np.ones_like(size)
    for b in range(2, int(min(hits.max(initial=0), _STEPS)) + 1):
        behind = behind * np.maximum(above + size - last - b + 2, 0) / np.maximum(size - b + 2, 1)
        factor, left = b / ((b - 1) * np.maximum(size - b + 1, 1)), above + size - b + 2
        error = np.where(hits < b, error, factor * (left * error + rounding * (left * value + 1)))
        value = np.where(hits < b, value, factor * (left * value - 1 + behind))
    return value, np.where(hits > _STEPS, np.inf, error)


# propensities -----------------------------------------------------------------------------------------------


def _corpus_or_none(name: str, value: object) -> object:
    if value is not None and not isinstance(value, str | LabelFrequencies):
        raise ParameterError(name, value, "None, or frequencies (ontoeval.concepts.LabelFrequencies)")
    return value


@dataclass(frozen=True, kw_only=True)
class PropensityPrecisionAt(FirstK):
    """Propensity-scored precision of the first k labels: a true one gains 1/p, over the most possible.

    It is a ratio of sums over samples; p is the propensity in a corpus, so that rare labels count more.

    Parameters
    ----------
    k
        Places that are looked at.
    unscored
        Labels without a score: "out": they have no place; "last": they are tied after all others.
    corpus
        Frequencies of the labels in the training data, `LabelFrequencies`; on the command line those of
        ``--information-from``. A label that the corpus lacks counts as the rarest.
    a
        Exponent of the propensity: .5 for Wikipedia, .6 for Amazon.
    b
        Constant that is added to the counts: .4 for Wikipedia, 2.6 for Amazon.
    """

    corpus: Annotated[LabelFrequencies | str | None, _corpus_or_none] = None
    a: AtLeast0 = 0.55
    b: Above0 = 1.5

    source = "jain2016"
    formula_text = "PSP@k = Σ_i Σ_{c in Y} w(c) / p(c) / Σ_i (sum of the k greatest 1 / p(c) of Y)"

    @property
    def denied_laws(self) -> frozenset[str]:
        """A corpus names labels; true labels that tie are perfect only where they are equally rare."""
        return frozenset({"perfect", *({"relabelling"} if self.corpus is not None else ())})

    @property
    def statistic(self) -> Self:
        """The sums of each sample."""
        return self

    def remarks(self, vocabulary: Vocabulary) -> Iterator[str]:
        """Say which rule holds for labels without a score, and which labels the corpus lacks."""
        yield from super().remarks(vocabulary)
        counts = getattr(self.corpus, "counts", {})
        if lacking := [label for label in vocabulary if label not in counts]:
            number = pluralise(len(lacking), "label")
            yield f"{number} not in {self.corpus!r}, counted as the rarest: {enumerate_some(lacking)}."

    def __call__(self, batch: ScoredBatch) -> Rows:
        """Sum what is gained on the first places, and the most that could be."""
        if not isinstance(self.corpus, LabelFrequencies):
            raise MeasureError(
                "Propensities need the frequencies of labels in training data, never in the truth that is "
                f"scored: --information-from LABELS, or ontoeval.measures.{type(self).__name__}("
                "corpus=ontoeval.concepts.LabelFrequencies.from_labels(...))."
            )
        worth = self.corpus.inverse_propensities(batch.truth.vocabulary, self.a, self.b)
        levels, truth = batch.derive(FirstPlaces(self.k, self.unscored)), batch.truth.matrix
        sums = self.discounts(min(self.k, truth.shape[1]))
        found = np.bincount(levels.row, levels.gains(batch, worth) * mean_discount(levels, sums), len(batch))
        row, value = row_of_entries(truth), worth[truth.indices]
        order = np.lexsort((-value, row))
        place = np.minimum(np.arange(row.size) - truth.indptr[row], sums.size - 1)
        best = np.bincount(row, value[order] * np.append(np.diff(sums), 0.0)[place], len(batch))
        share = self.share(sums[np.minimum(levels.true, self.k).astype(np.intp)])
        return Rows(np.stack([found, best], axis=-1) * share[:, None])

    def share(self, most: Numbers) -> Numbers:
        """Factor of each sample, from the sum of the discounts that its true labels can have."""
        return np.ones(most.size)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Divide the sums."""
        return divide(values[..., 0], values[..., 1])


@dataclass(frozen=True, kw_only=True)
class PropensityGainAt(_Logarithmic, PropensityPrecisionAt):
    """Propensity-scored nDCG of the first k labels, each sample divided by the discounts that it can have.

    Parameters
    ----------
    k
        Places that are looked at.
    unscored
        Labels without a score; see `PropensityPrecisionAt`.
    corpus
        Frequencies of the labels in the training data; see `PropensityPrecisionAt`.
    a
        Exponent of the propensity: .5 for Wikipedia, .6 for Amazon.
    b
        Constant that is added to the counts: .4 for Wikipedia, 2.6 for Amazon.
    """

    formula_text = "PSnDCG@k = PSP@k with d(place), each sample / Σ_{j ≤ min(k, |Y|)} d(j)"

    def share(self, most: Numbers) -> Numbers:
        """Divide by the discounts."""
        return np.asarray(np.divide(1.0, most, out=np.zeros_like(most), where=most > 0))
