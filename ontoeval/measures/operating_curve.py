"""Operating curves after Valmadre (2022): correctness and information of the inferred concept, by threshold.

At each threshold the most specific concept that scores more is inferred: the higher the threshold, the
less often the concept is wrong, and the less information it carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError
from ontoeval.measures.base import USUAL_LAWS, MeasureInfo, Share, number_or_none
from ontoeval.measures.best_threshold import Thresholds, grid_of
from ontoeval.measures.counts import divide
from ontoeval.measures.distinct_thresholds import StepRows, Steps, sums_from_above, unstack_parts
from ontoeval.measures.hierarchical import Sets
from ontoeval.measures.rankings import MeanOfRankings, Ranks
from ontoeval.measures.single_labels import By, Information, Specificity, aspects_of, only_labels
from ontoeval.measures.sums import RowsInBlocks
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import pattern, pattern_at, row_of_entries, with_data

Propagate = Literal["sum", "max", "none"]
PARTS = ("correct", "recall", "precision")

ABOVE_1, ROUNDED = 1e-6, 5.1e-4
"""By how much sums of probabilities exceed 1 without a note, and at most for each label of three decimals."""
DIGITS = 12
"""Decimals of scores: sums that differ by rounding are one threshold."""
ROUNDING = 1e-9
"""Shares of samples that differ by no more are equal."""


@dataclass(frozen=True, kw_only=True)
class OfOperatingCurve(MeasureInfo):
    """A number of the curve of the inferred concepts, the most specific that score above a threshold.

    Parameters
    ----------
    by
        Information of a concept: "leaves": -log2 of the share of the leaves below it; "depth":
        its depth. The most specific concept has the most information.
    propagate
        Score of a concept: the "sum" of the scores of itself and of all below it, for
        probabilities of single labels; the "max" of these; or its own score alone ("none").
    against
        The other axis, against information recall: "correct", the share of samples whose inferred
        concept is the true one, an ancestor or a descendant; or information "precision".
    thresholds
        "distinct" for every score that occurs, of which totals cannot be merged; or the step of a
        grid, or ascending thresholds.
    """

    by: By = "leaves"
    propagate: Propagate = "sum"
    against: Literal["correct", "precision"] = "correct"
    thresholds: Thresholds = "distinct"

    takes = "scores"
    single = True
    source = "valmadre2022"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.statistic

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether the thresholds do not depend on the scores."""
        return self.thresholds != "distinct"

    def remarks(self, _: Vocabulary) -> Iterator[str]:
        """Say how concepts are scored and inferred."""
        yield f"Operating curve: concepts score by propagate={self.propagate!r}, informative by={self.by!r}."

    @cached_property
    def statistic(self) -> OperatingCurve:
        """Sums over samples at each threshold."""
        return OperatingCurve(Inferred(by=self.by, propagate=self.propagate), grid_of(self.thresholds))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the measure from totals."""
        curve = self.statistic.unpack(values)
        found = self._score_curve(
            np.nan_to_num(curve.mean(self.against)), np.nan_to_num(curve.mean("recall"))
        )
        return np.where(curve.samples > 0, np.clip(found, 0.0, 1.0), np.nan)

    def _score_curve(self, right: Numbers, recall: Numbers) -> Numbers:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class OperatingArea(OfOperatingCurve):
    """Area below the operating curve: information recall over the share of correct concepts."""

    formula_text = "∫ of the most information recall that any threshold has with that much correct"

    def _score_curve(self, right: Numbers, recall: Numbers) -> Numbers:
        return pareto_area(right, recall)


@dataclass(frozen=True, kw_only=True)
class RecallAtCorrect(OfOperatingCurve):
    """The largest information recall of a threshold with at least a given share correct.

    Parameters
    ----------
    least
        Least share of correct concepts, or least precision, in [0, 1].
    """

    least: Share = 0.9

    formula_text = "largest information recall at a threshold where a share of 0.9 is correct"

    def _score_curve(self, right: Numbers, recall: Numbers) -> Numbers:
        return pareto_intercept(right, recall, self.least - ROUNDING)


def pareto_area(first: Numbers, second: Numbers) -> Numbers:
    """Integrate the best value of one number over the least value required of another."""
    order = np.argsort(first, axis=-1, kind="stable")
    first, second = np.take_along_axis(first, order, axis=-1), np.take_along_axis(second, order, axis=-1)
    best = np.maximum.accumulate(second[..., ::-1], axis=-1)[..., ::-1]
    return np.asarray((np.diff(first, axis=-1, prepend=0.0) * best).sum(axis=-1))


def pareto_intercept(first: Numbers, second: Numbers, least: float) -> Numbers:
    """Find the best value of one number where another has at least a given value."""
    return np.asarray(np.where(first >= least, second, 0.0).max(axis=-1))


class Operating(NamedTuple):
    """Points of an operating curve, one for each threshold on the last axis."""

    thresholds: Numbers
    correct: Numbers
    recall: Numbers
    precision: Numbers
    samples: Numbers

    def mean(self, part: str) -> Numbers:
        """Average over samples."""
        return divide(getattr(self, part), self.samples[..., None])


@dataclass(frozen=True, eq=False)
class _FixedThresholdRows:
    """Rows at thresholds that do not depend on the scores."""

    steps: Steps
    grid: Numbers

    def __call__(self, begin: int, end: int) -> Numbers:
        start, row, score, change = self.steps
        here = slice(*np.searchsorted(row, [begin, end]))
        exceeded = np.searchsorted(self.grid, score[here], side="left")
        shape = end - begin, self.grid.size
        sides = [
            start[part, begin:end, None]
            + sums_from_above(row[here] - begin, exceeded, change[part, here], shape)
            for part in range(len(PARTS))
        ]
        return np.concatenate([*sides, np.ones((end - begin, 1))], axis=1)


@dataclass(frozen=True)
class OperatingCurve:
    """Correctness and information of the inferred concepts, threshold by threshold."""

    inferred: Inferred
    grid: tuple[float, ...] | None

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks | StepRows:
        """Prepare the rows, which are computed on demand."""
        steps = batch.derive(self.inferred)
        if self.grid is None:
            return StepRows(steps, np.ones(len(batch)))
        width = len(PARTS) * len(self.grid) + 1
        return RowsInBlocks(len(batch), width, _FixedThresholdRows(steps, np.array(self.grid)))

    def unpack(self, values: Numbers) -> Operating:
        """Name the sums."""
        parts, samples = unstack_parts(values, len(PARTS) + (self.grid is None))
        correct, recall, precision = (parts[..., which - len(PARTS), :] for which in range(len(PARTS)))
        thresholds = parts[..., 0, :] if self.grid is None else np.array(self.grid)
        return Operating(thresholds, correct, recall, precision, samples)


@dataclass(frozen=True)
class Inferred:
    """The inferred concept of each sample while the threshold sinks, at first a node above everything."""

    by: By
    propagate: Propagate

    def __call__(self, batch: ScoredBatch) -> Steps:
        """Go down the scores of each sample, and keep what is more specific than all above it."""
        hierarchy = batch.required_hierarchy("Inference")
        truth = only_labels(batch.truth, hierarchy, "true")
        scores = batch.derive(ScoresOfConcepts(self.propagate))
        specificity = hierarchy.derive(Specificity(self.by))
        row, concept = row_of_entries(scores), scores.indices.astype(np.intp)
        order = np.lexsort((-specificity[concept], -scores.data, row))
        row, concept, score = row[order], concept[order], scores.data[order]
        level = specificity[concept]
        # The running maximum of specificity per row: an offset between rows exceeds all differences.
        low, high = int(specificity.min(initial=0)), int(specificity.max(initial=0))
        apart = row * (high - low + 2) + level - low + 1
        # The virtual top node has the least specificity.
        least = -(len(hierarchy.roots) > 1) if self.by == "depth" else -hierarchy.leaves.size
        start = least - low + 1
        before = np.concatenate([[0], np.maximum.accumulate(apart)[:-1]]) if row.size else apart
        before = np.maximum(before, row * (high - low + 2) + start)
        more = apart > before
        # Concepts tied with a kept one follow it directly.
        same = np.zeros(row.size, dtype=bool)
        same[1:] = (row[1:] == row[:-1]) & (score[1:] == score[:-1]) & (level[1:] == level[:-1])
        first = np.flatnonzero(~same)
        tied = np.diff(first, append=row.size)
        kept = np.repeat(more[first], tied)
        row, concept, score = row[kept], concept[kept], score[kept]
        tied = tied[more[first]]
        return self._steps(hierarchy, truth, row, concept, score, tied)

    def _steps(
        self, hierarchy: Hierarchy, truth: Places, row: Places, concept: Places, score: Numbers, tied: Places
    ) -> Steps:
        aspects = aspects_of(hierarchy, self.by, truth[row], concept)
        values = np.stack([aspects[part] for part in PARTS])
        begin = np.cumsum(tied) - tied
        values = np.add.reduceat(values, begin, axis=1) / tied if begin.size else values
        row, score = row[begin], score[begin]
        nothing = hierarchy.derive(Information(self.by))[truth] == 0
        start = np.stack([np.ones(truth.size), nothing.astype(np.float64), np.ones(truth.size)])
        return Steps.from_values(start, row, score, values)


@dataclass(frozen=True)
class ScoresOfConcepts:
    """Scores of all concepts of the hierarchy, those above 0 alone, as a view of a batch."""

    propagate: Propagate

    def __call__(self, batch: ScoredBatch) -> sparse.csr_array:
        """Score all concepts: samples × concepts."""
        scores = self.before_checks(batch)
        if self.propagate == "sum" and scores.nnz:
            self._check_sums(batch, scores)
        positive = sparse.csr_array(scores, copy=True)
        positive.data = np.where(positive.data > 0, positive.data, 0.0)
        positive.eliminate_zeros()
        positive.sort_indices()
        return positive

    def before_checks(self, batch: ScoredBatch) -> sparse.csr_array:
        """Scores of all concepts, which may be negative, or sum to more than 1."""
        if self.propagate == "max":
            return batch.propagated.prediction.matrix
        hierarchy = batch.required_hierarchy("Inference")
        step = hierarchy.label_ancestors
        if self.propagate == "none":
            step = pattern_at(np.arange(len(hierarchy.labels)), hierarchy.labels, step.shape)
        return sparse.csr_array(batch.prediction.matrix @ step.astype(np.float64))

    @staticmethod
    def _check_sums(batch: ScoredBatch, scores: sparse.csr_array) -> None:
        given, row = batch.prediction.matrix.data, row_of_entries(scores)
        beyond = scores.data - ROUNDED * np.diff(batch.prediction.matrix.indptr)[row]
        top = int(beyond.argmax())
        if given.min(initial=0) < 0 or beyond[top] > 1:
            sample = batch.prediction.samples[row[top]]
            raise InputError(
                f"scores from {given.min():g}, and up to {scores.data[top]:.9g} in sum below one concept "
                f"(sample {sample!r}), where probabilities of single labels sum to 1 at most",
                "Give such probabilities, or choose propagate='none' if scores of inner concepts are given "
                "too, or propagate='max'.",
            )


# precision over recall of nodes -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class HierarchicalArea(MeanOfRankings):
    r"""Area below the precision over the recall of nodes, of each sample, without any threshold.

    For the falling distinct scores of nodes, r and p are recall and precision of nodes with at least that,

    .. math:: A = \frac{1}{N} \sum_i \sum_g (r_g - r_{g-1}) \frac{p_{g-1} + p_g}{2},
              \qquad r_0 = 0,\ p_0 = 1.

    Between two scores lies a straight line, which is optimistic beside a step-wise average precision. Nodes
    are the labels with their ancestors. Nodes without a score, or with 0, come last, as one step.

    Parameters
    ----------
    propagate
        Score of a node: the "sum" of the scores of itself and of all below it, for probabilities of single
        labels; the "max" of these; or its own score alone ("none"), as the authors' program has it.
    root
        "out": a root above everything is no node; "in": it is.
    empty
        Value of a sample without true nodes; None leaves it out.
    """

    propagate: Propagate = "sum"
    root: Literal["out", "in"] = "out"
    empty: Annotated[float | None, partial(number_or_none, most=1)] = None

    best = 1.0
    formula_text = "mean of Σ (r_g - r_(g-1)) (p_(g-1) + p_g) / 2, of nodes with at least the g-th score"
    source = "plaud2024"

    @property
    def single(self) -> bool:  # type: ignore[override]
        """Whether scores are probabilities of one label."""
        return self.propagate == "sum"

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: scores of the true labels alone leave their ancestors without one."""
        return frozenset({"perfect"} if self.propagate == "none" else ())

    @property
    def view(self) -> ScoredNodes:
        """Nodes with their scores in the place of labels."""
        return ScoredNodes(self.propagate, self.root)

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Area of each sample; nan where nothing is true."""
        above, hits = ranks.rank - ranks.level, ranks.hits - ranks.level_hits
        before = np.where(above > 0, divide(hits, above), 1.0)
        area = ranks.sum_of_hits((before + ranks.hits / ranks.rank) / 2)
        last = np.where(ranks.scored > 0, divide(ranks.found, ranks.scored), 1.0)
        last = (last + divide(ranks.true, ranks.length)) / 2
        return divide(area + np.where(ranks.count_unranked > 0, ranks.count_unranked * last, 0.0), ranks.true)


@dataclass(frozen=True)
class ScoredNodes:
    """The view that puts nodes in the place of labels, each with a score."""

    propagate: Propagate
    root: Literal["out", "in"]

    def __call__(self, batch: ScoredBatch) -> ScoredBatch:
        """Close the truth, and score the nodes."""
        hierarchy = batch.required_hierarchy("An area over nodes")
        kept, given = Sets(root=self.root).member_concepts(hierarchy), batch.prediction
        if self.propagate == "sum":
            found = batch.derive(ScoresOfConcepts("sum"))
            scores = with_data(found, np.round(found.data, DIGITS))
        else:
            scores = ScoresOfConcepts(self.propagate).before_checks(batch)
        truth = pattern(batch.truth.matrix @ hierarchy.label_ancestors)[:, kept]
        names, samples = Vocabulary(tuple(hierarchy.vocabulary[at] for at in kept)), batch.truth.samples
        nodes = LabelScores(scores[:, kept], names, samples, given.signed)
        return ScoredBatch(LabelSets(truth, names, samples), nodes, sample_weight=batch.sample_weight)
