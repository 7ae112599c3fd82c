"""Measures of label sets without a hierarchy: means over samples, and averages of ratios of counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.errors import ParameterError, one_of
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, AtLeast0, Beta, MeasureInfo, ShareOrNone, UpTo1
from ontoeval.measures.confusion_rules import COUNTING_RULES, CountsPerConcept
from ontoeval.measures.counts import (
    Counts,
    FRatio,
    Overlap,
    Ratio,
    accuracy,
    divide,
    error_rate,
    fill_undefined,
    harmonic,
    jaccard,
    mean_terms,
    precision,
    recall,
)
from ontoeval.measures.sums import AnyBatch, Of, Rows, Statistic, View
from ontoeval.plumbing.arrays import Numbers, Places

# means over samples -----------------------------------------------------------------------------------------


Quantity = Callable[[AnyBatch], Numbers]
"""Computes a value for each sample, nan where it is left out; frozen, so that equal ones are shared."""


EMPTY = "Means over samples count these as right where nothing is predicted (empty=1)"
"""End of notes on samples without true label."""


@dataclass(frozen=True)
class SampleMeans:
    """Means over the samples of one or more quantities."""

    quantities: tuple[Quantity, ...]

    def __call__(self, batch: Batch | ScoredBatch) -> Rows:
        """Put each quantity beside a 1 where it is defined, and two zeros elsewhere."""
        columns = []
        for quantity in self.quantities:
            values = batch.derive(quantity)
            defined = ~np.isnan(values) & getattr(batch, "judged", True)
            columns += [np.where(defined, values, 0.0), defined.astype(np.float64)]
        return Rows(np.stack(columns).T)  # columns that lie together are added faster

    def unpack(self, values: NDArray[np.float64]) -> tuple[Numbers, ...]:
        """Compute the mean of each quantity."""
        return tuple(divide(values[..., at], values[..., at + 1]) for at in range(0, values.shape[-1], 2))


@dataclass(frozen=True)
class PerSample:
    """A ratio of the counts of each sample."""

    ratio: Ratio
    empty: float | None = 1.0
    empty_truth: float | None = 0.0

    def __call__(self, batch: Batch) -> Numbers:
        """Compute the ratio of each sample."""
        counts = Overlap().unpack(np.asarray(batch.derive(Overlap()).values))
        values = np.nan_to_num(self.ratio(counts), nan=0.0)
        without_truth = counts.tp + counts.fn == 0
        values = np.where(without_truth, np.nan if self.empty_truth is None else self.empty_truth, values)
        if self.empty_truth is None:
            return values
        both_empty = without_truth & (counts.fp == 0)
        return np.where(both_empty, np.nan if self.empty is None else self.empty, values)


@dataclass(frozen=True)
class MeanOfSamples(MeasureInfo):
    """A mean over samples: the measure itself is the function of a batch that scores each sample."""

    laws = USUAL_LAWS

    def __call__(self, batch: AnyBatch) -> Numbers:
        """Score each sample, with nan where a sample is to be left out."""
        raise NotImplementedError

    @property
    def view(self) -> View | None:
        """The view that replaces the labels; None compares the labels themselves."""
        return None

    @property
    def statistic(self) -> Statistic:
        """The mean, of the sets that are compared."""
        means = SampleMeans((self,))
        return means if self.view is None else Of(means, self.view)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Divide the sum by the number of samples."""
        return divide(values[..., 0], values[..., 1])


@dataclass(frozen=True)
class HammingLoss(MeasureInfo):
    """Share of wrong decisions: labels that are missed or false, of all concepts."""

    formula_text = "HL = Σ |Y Δ Z| / (N q); of verified labels and beside known terms, / all decisions left"
    best = 0.0
    source = "krstinic2020"
    laws = USUAL_LAWS | SYMMETRY
    known_terms = of_shares = True

    @property
    def statistic(self) -> Overlap:
        """The counts of each sample."""
        return Overlap()

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the loss from totals."""
        return error_rate(self.statistic.unpack(values))


def are_identical(batch: Batch) -> Numbers:
    """1 where truth and prediction are the same set, else 0."""
    return np.where(batch.part_sizes.missed + batch.part_sizes.false == 0, 1.0, 0.0)


@dataclass(frozen=True)
class ExactMatch(MeanOfSamples):
    """Share of the samples whose sets are identical: fully correct; also called subset accuracy."""

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "share of samples with Y = Z"
    source = "krstinic2020"

    def __call__(self, batch: Batch) -> Numbers:
        """Score identical sets 1."""
        return are_identical(batch)


@dataclass(frozen=True)
class PartlyCorrect(MeanOfSamples):
    """Share of the samples whose sets differ but have labels in common."""

    formula_text = "share of samples with Y ≠ Z and Y ∩ Z ≠ ∅"
    best = None  # fewer may mean more right samples, or more wrong ones
    source = "nowak2009"
    laws = USUAL_LAWS - {"perfect"} | SYMMETRY

    def __call__(self, batch: Batch) -> Numbers:
        """Score sets that overlap 1."""
        return np.where(batch.part_sizes.common > 0, 1.0 - are_identical(batch), 0.0)


@dataclass(frozen=True)
class FullyWrong(MeanOfSamples):
    """Share of the samples whose sets have nothing in common and are not both empty."""

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "share of samples with Y ≠ Z and Y ∩ Z = ∅"
    best = 0.0
    source = "nowak2009"

    def __call__(self, batch: Batch) -> Numbers:
        """Score sets apart 1."""
        return np.where(batch.part_sizes.common == 0, 1.0 - are_identical(batch), 0.0)


@dataclass(frozen=True, kw_only=True)
class AlphaEvaluation(MeanOfSamples):
    """The α-evaluation of Shen and Boutell: Jaccard with weights and forgiveness; two empty sets score 1.

    Parameters
    ----------
    alpha
        At least 0; the larger, the less partly correct sets are worth.
    beta
        Weight of missed labels, in [0, 1].
    gamma
        Weight of false labels, in [0, 1]; one of the two weights is 1.
    """

    alpha: AtLeast0 = 1.0
    beta: UpTo1 = 1.0
    gamma: UpTo1 = 1.0

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "mean of (1 - (β |Y \\ Z| + γ |Z \\ Y|) / |Y ∪ Z|)^α"
    source = "boutell2004"

    def __post_init__(self) -> None:
        super().__post_init__()
        if max(self.beta, self.gamma) != 1:
            raise ParameterError("beta, gamma", (self.beta, self.gamma), "at least one of them to be 1")

    @property
    def emerging(self) -> bool:  # type: ignore[override]
        """Whether the formula is unchecked: with weights it is known from others' accounts alone."""
        return min(self.beta, self.gamma) != 1

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: unequal weights treat missed and false labels differently."""
        return frozenset() if self.beta == self.gamma else SYMMETRY

    def __call__(self, batch: Batch) -> Numbers:
        """Score each sample."""
        common, missed, false = batch.part_sizes
        union = missed + false + common
        loss = np.nan_to_num(divide(self.beta * missed + self.gamma * false, union))
        return raise_to_power(1.0 - loss, self.alpha)


def raise_to_power(scores: Numbers, alpha: float) -> Numbers:
    """Raise scores to a power; values within rounding of 0 are 0."""
    scores = np.where(scores < 1e-12, 0.0, np.minimum(scores, 1.0))  # noqa: PLR2004 - see the docstring
    return np.where(scores > 0, scores**alpha, 0.0)


# averages of ratios -----------------------------------------------------------------------------------------

Average = Literal["micro", "macro", "weighted", "samples"]

_counts_per_concept = lru_cache(CountsPerConcept)


@dataclass(frozen=True, kw_only=True)
class Averaged(MeasureInfo):
    """A ratio of TP, FP, FN and TN, and how it is averaged.

    Parameters
    ----------
    average
        "micro": of the sums over concepts; "macro": mean over concepts; "weighted": mean over
        concepts weighted by their true labels (the slides divide by the number of samples instead,
        which leaves [0, 1]); "samples": mean over samples.
    rule
        TP, FP and FN of a concept: "one-vs-rest", or the diagonal, rows and
        columns of a confusion rule: "multiclass", "krstinic", "mlcm", "tensor".
    variant
        Variant of the rule, where it has some.
    pseudo_classes
        Whether the rule's pseudo-concepts (`unknown`, NTL and NPL) are averaged in: "include" or
        "exclude"; None includes them in micro averages only, as in Heydarian's Table 12.
    undefined
        What stands for 0/0: None leaves a concept out of a mean and leaves a micro average
        undefined; 0.0 agrees with scikit-learn.
    empty
        Value of a sample without true and predicted labels, for average "samples"; None leaves it out.
        Where no label is predicted but some are true the value is 0.
    empty_truth
        Value of a sample with predicted labels but no true one, for average "samples"; None leaves out
        samples without true labels, whatever is predicted.
    labels
        Labels that averages over concepts are taken over: "all"; those that are "used", true or predicted
        somewhere; those "true" somewhere, as BioASQ has it for R and F; those "predicted" somewhere.
    """

    average: Average = "micro"
    rule: str = "one-vs-rest"
    variant: str | None = None
    pseudo_classes: Literal["include", "exclude"] | None = None
    undefined: ShareOrNone = None
    empty: ShareOrNone = 1.0
    empty_truth: ShareOrNone = 0.0
    labels: Literal["all", "used", "true", "predicted"] = "all"

    laws = USUAL_LAWS
    ratio: ClassVar[Ratio]
    """The ratio that is averaged."""

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("rule", self.rule, COUNTING_RULES)
        pseudo = self._per_concept.pseudo  # checks the variant
        if self.average == "samples" and self.rule != "one-vs-rest":
            raise ParameterError(
                "rule", self.rule, "'one-vs-rest' with average='samples', which has no other"
            )
        if self.pseudo_classes is not None and not pseudo:
            raise ParameterError("pseudo_classes", self.pseudo_classes, f"None: {self.rule!r} has none")
        if self.labels != "all" and self.average not in {"macro", "weighted"}:
            raise ParameterError("labels", self.labels, "'all' unless average is 'macro' or 'weighted'")

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that these parameters break."""
        broken = set(super().denied_laws)
        if self.variant == "package" and self.average != "micro":
            broken.add("relabelling")  # the package charges false labels by the order of their columns
        if self.rule not in {"one-vs-rest", "tensor", "multiclass"} or self.average == "weighted":
            broken.add("symmetry")
        if self.empty_truth != 0 or self.labels in {"true", "predicted"}:
            broken.add("symmetry")  # predicted sets may be empty
        return frozenset(broken)

    @property
    def view(self) -> View | None:
        """The view that replaces the labels; None compares the labels themselves."""
        return None

    @property
    def known_terms(self) -> bool:  # type: ignore[override]
        """Whether terms known before can be left out: not of matrices, which have no cell for them."""
        return self.rule == "one-vs-rest"

    @property
    def of_shares(self) -> bool:  # type: ignore[override]
        """Whether the truth may be shares of annotators: not where each sample is scored alone."""
        return self.rule == "one-vs-rest" and self.average != "samples"

    def ceiling(self, hits: Numbers, predicted: Numbers, column: Places, decisions: Numbers) -> float:
        """Compute the best score of label sets beside shares; nan where it is not known.

        Given are, of each cell of a sample and a concept, what it adds to TP and to the predicted labels, and
        its concept; and the decisions of each concept. Of equally many labels the largest shares are best.
        """
        if self.average != "micro" and (self.labels == "predicted" or self._ratios != (self.ratio,)):
            return np.nan
        if self.average != "micro" and self.ratio is precision:
            return np.nan  # a concept that is never predicted has none, and so can raise the mean
        if self.average == "micro":
            column, decisions = np.zeros_like(column), decisions.sum(keepdims=True)
        order = np.lexsort((-hits / predicted, column))
        ends = np.searchsorted(column[order], np.arange(decisions.size + 1))
        best = []
        for cells, whole in zip((order[slice(*some)] for some in pairwise(ends)), decisions, strict=True):
            tp, some = (np.append(0.0, np.cumsum(given[cells])) for given in (hits, predicted))
            counts = Counts(tp, some - tp, tp[-1] - tp, whole - some - tp[-1] + tp)
            ratios = np.nan_to_num(self.ratio(counts) * (1 if self.best else -1), nan=-np.inf)
            best.append([part[int(ratios.argmax())] for part in counts])
        tp, fp, fn, _ = np.array(best).T
        statistic: Any = self._counts_statistic
        return float(self.formula(statistic.totals(tp, tp + fn, tp + fp, decisions[0])))

    @property
    def statistic(self) -> Statistic:
        """Counts of each sample or of each concept, or the ratio of each sample, of the sets compared."""
        return self._counts_statistic if self.view is None else Of(self._counts_statistic, self.view)

    @property
    def _counts_statistic(self) -> Overlap | CountsPerConcept | SampleMeans:
        if self.average == "samples":
            return SampleMeans(tuple(PerSample(one, self.empty, self.empty_truth) for one in self._ratios))
        if self.average == "micro" and self.rule == "one-vs-rest":
            return Overlap()
        return self._per_concept

    @property
    def _per_concept(self) -> CountsPerConcept:
        return _counts_per_concept(self.rule, self.variant)

    @property
    def _ratios(self) -> tuple[Ratio, ...]:
        return (self.ratio,)

    @property
    def concept_columns(self) -> tuple[int, int] | None:  # type: ignore[override]
        """Columns of the totals whose terms are summed, where no pseudo-concept is to be left out."""
        return (1, 4) if self.average in {"macro", "weighted"} and not self._per_concept.pseudo else None

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals."""
        if isinstance(statistic := self._counts_statistic, SampleMeans):
            return self._joined(*statistic.unpack(values))
        if self.average != "micro":
            return self.of_sums(values, *(term.sum(axis=-1) for term in self.terms(values)))
        micro = isinstance(statistic, Overlap)
        counts = statistic.unpack(values) if micro else self._counts(values).over_concepts()
        return self._joined(*(fill_undefined(ratio(counts), self.undefined) for ratio in self._ratios))

    def terms(self, values: NDArray[np.float64]) -> list[Numbers]:
        """Compute what each concept adds to the sums that `of_sums` takes."""
        counts = self._counts(values)
        weights = counts.tp + counts.fn if self.average == "weighted" else None
        if self.labels != "all":
            true, predicted = counts.tp + counts.fn > 0, counts.tp + counts.fp > 0
            of_label = {"used": true | predicted, "true": true, "predicted": predicted}[self.labels]
            weights = np.where(of_label, 1.0 if weights is None else weights, 0.0)
        means = (mean_terms(ratio(counts), weights, self.undefined) for ratio in self._ratios)
        return [term for both in means for term in both]

    def of_sums(self, _: Numbers, *sums: Numbers) -> Numbers:
        """Compute the average from sums over the concepts."""
        means = (divide(*sums[at : at + 2]) for at in range(0, len(sums), 2))
        return self._joined(*(fill_undefined(mean, self.undefined) for mean in means))

    def _joined(self, *averages: Numbers) -> Numbers:
        return averages[0]

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio of each concept from a total, nan where it is 0/0; for averages over concepts."""
        return self.ratio(self._counts(values))

    def true_per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Take the number of true samples of each concept from a total; for averages over concepts."""
        counts = self._counts(values)
        return np.asarray(counts.tp + counts.fn)

    def _counts(self, values: NDArray[np.float64]) -> Counts:
        """Name the counts, TN only for ratios that need it; leave out unwanted pseudo-concepts, the last."""
        without = all(isinstance(one, FRatio) or one in (precision, recall, jaccard) for one in self._ratios)
        counts, pseudo = self._per_concept.unpack(values, negatives=not without), self._per_concept.pseudo
        wanted = self.pseudo_classes or ("include" if self.average == "micro" else "exclude")
        if not pseudo or wanted == "include":
            return counts
        return Counts(*(part[..., :-pseudo] for part in counts))


@dataclass(frozen=True, kw_only=True)
class Precision(Averaged):
    """Share of the predicted labels that are true."""

    formula_text = "P = TP / (TP + FP)"
    source = "krstinic2020"
    ratio = staticmethod(precision)


@dataclass(frozen=True, kw_only=True)
class Recall(Averaged):
    """Share of the true labels that were predicted."""

    formula_text = "R = TP / (TP + FN)"
    source = "krstinic2020"
    ratio = staticmethod(recall)


@dataclass(frozen=True, kw_only=True)
class F(Averaged):
    """Harmonic mean of precision and recall.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision.
    of
        For averages other than micro: "concepts" averages the F of each concept (or sample), as
        Opitz and Burst recommend; "averages" takes the F of averaged precision and recall.
    """

    beta: Beta = 1.0
    of: Literal["concepts", "averages"] = "concepts"

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP)"
    source = "vanrijsbergen1979"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of == "averages" and self.average == "micro":
            raise ParameterError("of", self.of, "'concepts' with average='micro', where both are the same")

    @property
    def ratio(self) -> Ratio:  # type: ignore[override]
        """The F measure."""
        return FRatio(self.beta)

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that these parameters break."""
        return super().denied_laws | (SYMMETRY if self.beta != 1 else set())

    @property
    def _ratios(self) -> tuple[Ratio, ...]:
        return (precision, recall) if self.of == "averages" else (self.ratio,)

    def _joined(self, *averages: Numbers) -> Numbers:
        return harmonic(averages[0], averages[1], self.beta) if self.of == "averages" else averages[0]


@dataclass(frozen=True, kw_only=True)
class Jaccard(Averaged):
    """Share of the true or predicted labels that are both; also called example-based accuracy."""

    average: Average = "samples"

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "J = TP / (TP + FP + FN) = |Y ∩ Z| / |Y ∪ Z|"
    source = "krstinic2020"
    ratio = staticmethod(jaccard)


@dataclass(frozen=True, kw_only=True)
class Accuracy(Averaged):
    """Share of right decisions, each concept of each sample being one decision."""

    average: Literal["micro", "macro", "weighted"] = "micro"

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "Acc = (TP + TN) / (TP + TN + FP + FN)"
    source = "krstinic2020"
    ratio = staticmethod(accuracy)


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Accuracy):
    """Share of wrong decisions, each concept of each sample being one decision."""

    formula_text = "Err = 1 - Acc"
    best = 0.0

    ratio = staticmethod(error_rate)
