"""Risk over coverage: errors of predictions that become more general, or are withheld, below a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.base import USUAL_LAWS, MeasureInfo
from ontoeval.measures.counts import divide
from ontoeval.measures.distinct_thresholds import StepRows, Steps
from ontoeval.measures.matching import places_in
from ontoeval.measures.operating_curve import DIGITS, ROUNDING, Propagate, ScoresOfConcepts
from ontoeval.measures.single_labels import Information, best_scored, label_or, only_labels
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import cells_of, entries_of_rows, row_of_entries


@dataclass(frozen=True, kw_only=True)
class OfRiskCoverage(MeasureInfo):
    """The area below a curve of risk over coverage, with a point at each score where a prediction changes."""

    best = 0.0
    takes = "scores"
    single = True
    mergeable = False
    laws = USUAL_LAWS

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the area from totals: thresholds, coverage and errors at each, number of samples."""
        points = divide(values[..., :-1].reshape(*values.shape[:-1], 3, -1), values[..., -1:, None])
        coverage, risk = points[..., 1, :], points[..., 2, :]
        width = np.diff(coverage, axis=-1)
        # Of points with the same coverage the last, with the lowest threshold, counts.
        place = np.full(coverage.shape, coverage.shape[-1] - 1)
        place[..., :-1][width > ROUNDING] = np.nonzero(width > ROUNDING)[-1]
        risk = np.take_along_axis(risk, np.minimum.accumulate(place[..., ::-1], axis=-1)[..., ::-1], axis=-1)
        area = (width * (risk[..., 1:] + risk[..., :-1])).sum(axis=-1) / 2
        return np.where(width.sum(axis=-1) > ROUNDING, area, np.nan)


@dataclass(frozen=True, kw_only=True)
class HierarchicalRiskCoverage(OfRiskCoverage):
    r"""Area below the risk over the coverage of predictions that become more general below a threshold.

    Each sample begins with its best scored leaf and climbs, to the most probable parent, while the score of
    the concept is below the threshold; at the top it stops. The coverage of a concept is its share of all
    information,

    .. math:: 1 - \frac{\ln |\text{leaves below it}|}{\ln |\text{leaves}|},

    and the risk is the share of samples whose true label is not at or below the concept. Of leaves with the
    same score the first in the vocabulary counts. Where no leaf has a score above 0, the best scored concept
    does; at threshold 0 the sample counts as a leaf, a wrong one unless that concept is the true label.

    Parameters
    ----------
    propagate
        Score of a concept: the "sum" of the scores of itself and of all below it, for
        probabilities of single labels; the "max" of these; or its own score alone ("none").
    begin
        "zero": the curve begins with all samples at the top; "reached": with those predictions that hold
        at threshold 1, as the authors' code has it, so that what is wrong with a score of 1 costs little
        and of scores of 0 and 1 alone there is no area.
    """

    propagate: Propagate = "sum"
    begin: Literal["zero", "reached"] = "zero"

    formula_text = "∫ of the share of samples with y not at or below z, over the mean coverage of z"
    source = "goren2024"
    denied_laws = frozenset({"relabelling"})  # of tied leaves the first counts

    @property
    def statistic(self) -> Climbing:
        """Coverage and errors at each threshold."""
        return Climbing(self.propagate, from_1=self.begin == "reached")


@dataclass(frozen=True, kw_only=True)
class GeneralizedRiskCoverage(OfRiskCoverage):
    """Area below the errors among the accepted samples over the accepted samples, both as shares of all.

    A sample is accepted where the score of its best scored label reaches the threshold: the area is the mean
    rate of errors that nobody notices. Of tied labels the mean counts. A sample without any score is accepted
    last, as an error.
    """

    bounds = (0.0, 0.5)
    formula_text = "∫ of |accepted samples with z ≠ y| / N over |accepted samples| / N"
    source = "traub2024"

    @property
    def statistic(self) -> Acceptance:
        """Accepted samples and errors among them at each threshold."""
        return Acceptance()


@dataclass(frozen=True)
class Acceptance:
    """Acceptance of each sample and of its error, while the threshold sinks."""

    def __call__(self, batch: ScoredBatch) -> StepRows:
        """Take the confidence in the best scored label, and whether it is wrong."""
        scores, count = batch.prediction.matrix, len(batch)
        truth = label_or(None, batch.truth, "true")
        row, label, share = best_scored(scores, 1)
        right = np.bincount(row, weights=share * (truth[row] == label), minlength=count)
        confidence = np.full(count, -np.inf)
        np.maximum.at(confidence, row_of_entries(scores), scores.data)
        values = np.stack([np.ones(count), 1.0 - right])
        return StepRows(Steps(np.zeros_like(values), np.arange(count), confidence, values), np.ones(count))


@dataclass(frozen=True)
class Climbing:
    """Coverage and error of the concept at which each sample stops, while the threshold sinks."""

    propagate: Propagate
    from_1: bool

    def __call__(self, batch: ScoredBatch) -> StepRows:
        """Climb from the best scored leaf of each sample, then go down and keep what changes something."""
        hierarchy = batch.required_hierarchy("Climbing")
        truth = only_labels(batch.truth, hierarchy, "true")
        row, concept, score, climbed = self._paths(batch, hierarchy)
        order = np.lexsort((-climbed, row))
        # Of concepts with the same score the sample stops at the lowest.
        lowest = np.ones(row.size, dtype=bool)
        lowest[:-1] = (np.diff(row[order]) > 0) | (np.diff(score[order]) < 0)
        row, concept, score, climbed = (side[order[lowest]] for side in (row, concept, score, climbed))
        above, most = hierarchy.ancestors_of(truth)[truth], np.log2(hierarchy.leaves.size)
        right = places_in(cells_of(above), row * above.shape[1] + concept) >= 0
        covered = hierarchy.derive(Information("leaves"))[concept] / (most or 1.0)
        at_the_end = [np.full(row.size, most > 0), concept != truth[row]]  # nothing is covered with one leaf
        values = np.where(climbed < 0, at_the_end, [covered, ~right])
        start, first = np.zeros((2, len(batch))), score >= (1.0 if self.from_1 else np.inf)
        start[:, row[first]] = values[:, first]
        return StepRows(
            Steps.from_values(start, row[~first], score[~first], values[:, ~first]), np.ones(len(batch))
        )

    def _paths(self, batch: ScoredBatch, hierarchy: Hierarchy) -> Sequence[NDArray[Any]]:
        """List the concepts on the way of each sample: row, concept, score, links climbed; -1 for the end."""
        own, leaf = batch.prediction.matrix, np.ones(len(hierarchy.vocabulary), dtype=bool)
        leaf[hierarchy.parents.indices] = False
        scored = np.flatnonzero(own.data > 0)
        row, concept = row_of_entries(own)[scored], hierarchy.labels[own.indices[scored]]
        best = _first_of_each(row, -own.data[scored], ~leaf[concept])
        row, concept = row[best], concept[best]
        start = np.full(len(batch), -1)
        start[row] = concept
        ends = np.flatnonzero((start < 0) | ~leaf[start])
        parts = [(ends, start[ends], np.zeros(ends.size), np.full(ends.size, -1))]
        scores, score = batch.derive(ScoresOfConcepts(self.propagate)), np.zeros(row.size)
        cells, values = cells_of(scores), np.append(np.round(scores.data, DIGITS), 0.0)
        for climbed in range(hierarchy.levels):
            score = np.maximum(score, values[places_in(cells, row * leaf.size + concept)])
            parts.append((row, concept, score, np.full(row.size, climbed)))
            entries, parents = entries_of_rows(hierarchy.parents, concept)
            child = np.repeat(np.arange(row.size), parents)
            above = hierarchy.parents.indices[entries].astype(np.intp)
            best = _first_of_each(child, -values[places_in(cells, row[child] * leaf.size + above)])
            row, concept, score = row[child[best]], above[best], score[child[best]]
        return [np.concatenate(side) for side in zip(*parts, strict=True)]


def _first_of_each(owner: Places, *keys: NDArray[Any]) -> Places:
    """Find the place of the least of each owner, by the last key first; owners are in order."""
    return np.lexsort((*keys, owner))[np.flatnonzero(np.diff(owner, prepend=-1))]
