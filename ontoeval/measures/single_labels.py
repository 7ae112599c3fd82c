"""Severity of mistakes where each sample has one true label, and one predicted label or scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import leaves_below
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.verified import KnownPart
from ontoeval.errors import MeasureError, enumerate_some
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, MeasureInfo, Number
from ontoeval.measures.counts import divide, harmonic, per_mistake
from ontoeval.measures.first_k import levels_within
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.matching import common_ancestors, least_of_pairs
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import entries_of_rows


def only_labels(sets: LabelSets, hierarchy: Hierarchy, side: str) -> NDArray[np.intp]:
    """Take the label of each sample, where each has one."""
    counts = np.diff(sets.matrix.indptr)
    others = np.flatnonzero(counts != 1)
    if others.size:
        named = enumerate_some(f"{sets.samples[row]} ({counts[row]})" for row in others[:6])
        which = " of those known to be right or wrong, as the rest counts neither way"
        raise MeasureError(
            f"This measure needs one {side} label in each sample, but {others.size:,} of {len(sets):,} have "
            f"none or several{which if isinstance(sets, KnownPart) else ''}: {named}. Use a measure of sets, "
            "such as hF, or leave one label each."
        )
    return np.asarray(hierarchy.labels[sets.matrix.indices])


def label_or(code: int | None, sets: LabelSets, side: str) -> NDArray[np.intp]:
    """Take the column of the label of each sample, and a code for no label, unless that is None."""
    counts = np.diff(sets.matrix.indptr)
    if code is None or (counts > 1).any():
        return only_labels(sets, Hierarchy.flat(sets.vocabulary), side)
    columns = np.full(len(sets), code)
    columns[counts == 1] = sets.matrix.indices
    return columns


def single_columns(batch: Batch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions in the hierarchy of the one true and the one predicted label of each sample."""
    hierarchy = batch.required_hierarchy("A measure of single labels")
    return only_labels(batch.truth, hierarchy, "true"), only_labels(batch.prediction, hierarchy, "predicted")


# heights ----------------------------------------------------------------------------------------------------


def heights_of(hierarchy: Hierarchy) -> NDArray[np.float64]:
    """Links on the longest path down from each concept."""
    heights = np.zeros(len(hierarchy.vocabulary))
    for members in reversed(hierarchy.generations):
        entries, parents = entries_of_rows(hierarchy.parents, members)
        np.maximum.at(heights, hierarchy.parents.indices[entries], np.repeat(heights[members] + 1, parents))
    return heights


def greatest_height(hierarchy: Hierarchy) -> float:
    """Find the height of the top: the root, or a virtual node above several roots."""
    return float(hierarchy.levels - (len(hierarchy.roots) == 1))


def heights_of_pairs(hierarchy: Hierarchy, first: Places, second: Places) -> Numbers:
    """Find the least height of common ancestors of pairs; without any, that of a node above all roots."""
    heights = hierarchy.derive(heights_of)
    least = np.full(first.size, greatest_height(hierarchy))
    for common in common_ancestors(hierarchy.links_upward, first, second):
        least_of_pairs(common, heights[common.ancestor], least)
    return np.where(first == second, 0.0, least)


@dataclass(frozen=True)
class HierarchicalDistance(MeasureInfo):
    """Mean height of the lowest common ancestor of the true and the predicted label; 0 where they are equal.

    A height is the number of links down to the deepest leaf. Of several lowest common ancestors
    the one with the least height counts; where there is none a node above all roots does.
    """

    bounds = (0.0, np.inf)
    best = 0.0
    single = True
    formula_text = "mean of h(lowest common ancestor of y and z), 0 where y = z"
    source = "bertinetto2020"
    laws = USUAL_LAWS | SYMMETRY

    @property
    def statistic(self) -> HierarchicalDistance:
        """Height and wrongness of the predicted label and a 1 for each sample."""
        return HierarchicalDistance()

    def __call__(self, batch: Batch) -> Rows:
        """Find the lowest common ancestor of each true and predicted label."""
        truth, prediction = batch.derive(single_columns)
        hierarchy = batch.required_hierarchy("A measure of single labels")
        heights = heights_of_pairs(hierarchy, truth, prediction)
        return Rows(np.stack([heights, truth != prediction, np.ones(len(batch))], axis=-1))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals."""
        return divide(values[..., 0], values[..., 2])


@dataclass(frozen=True)
class MistakeSeverity(HierarchicalDistance):
    """Mean height of the lowest common ancestor of the true and the predicted label, over wrong predictions.

    Many mistakes that are easy to avoid make it small. Where nothing is wrong it is 0.
    """

    formula_text = "mean of h(lowest common ancestor of y and z) over the samples with y ≠ z"

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals; nan where there are no samples."""
        height, wrong, samples = np.moveaxis(values, -1, 0)
        return per_mistake(height, wrong, wrong, samples)


# information of a concept -----------------------------------------------------------------------------------

By = Literal["leaves", "depth"]


@dataclass(frozen=True)
class Specificity:
    """Specificity of each concept: a whole number that grows with its information."""

    by: By

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.intp]:
        """Compute one number per concept."""
        return hierarchy.depth if self.by == "depth" else -hierarchy.derive(leaves_below)


@dataclass(frozen=True)
class Information:
    """Information of each concept, as a view of a hierarchy; 0 for a root above everything."""

    by: By

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Compute one number of at least 0 per concept."""
        if self.by == "depth":
            # Roots carry information where there are several.
            return hierarchy.depth.astype(np.float64) + (len(hierarchy.roots) > 1)
        below = hierarchy.derive(leaves_below)
        return np.asarray(np.log2(max(hierarchy.leaves.size, 1)) - np.log2(below))


def aspects_of(hierarchy: Hierarchy, by: By, truth: Places, prediction: Places) -> dict[str, Numbers]:
    """Compare the information of true and predicted concepts, for every measure at once."""
    information = hierarchy.derive(Information(by))
    least, correct = np.zeros(truth.size), np.zeros(truth.size)
    for common in common_ancestors(hierarchy.links_upward, truth, prediction):
        least_of_pairs(common, -information[common.ancestor], least)
        one_of_both = (common.ancestor == truth[common.pair]) | (common.ancestor == prediction[common.pair])
        correct[common.pair[one_of_both]] = 1.0
    true, predicted, shared = information[truth], information[prediction], 0.0 - least
    precision = np.where(predicted > 0, divide(shared, predicted), 1.0)
    recall = np.where(true > 0, divide(shared, true), 1.0)
    excess, deficient = predicted - shared, true - shared
    return {
        "precision": precision,
        "recall": recall,
        "f": harmonic(precision, recall),
        "correct": correct,
        "excess": excess,
        "deficient": deficient,
        "distance": excess + deficient,
    }


@dataclass(frozen=True)
class _SharedInformation:
    """The aspects of the one true and the one predicted label of each sample, as a view of a batch."""

    by: By

    def __call__(self, batch: Batch) -> dict[str, Numbers]:
        hierarchy = batch.required_hierarchy("A measure of information")
        return aspects_of(hierarchy, self.by, *batch.derive(single_columns))


@dataclass(frozen=True, kw_only=True)
class OfInformation(MeanOfSamples):
    """A mean over samples that compares the information of the predicted and the true label.

    Their shared information is that of the most informative common ancestor.

    Parameters
    ----------
    by
        Information of a concept: "leaves": -log2 of the share of the leaves that lie below it; "depth":
        its depth, counted from a node above the roots where there are several.
    """

    by: By = "leaves"

    single = True
    laws = USUAL_LAWS | SYMMETRY
    source = "valmadre2022"
    aspect: ClassVar[str]
    """Key of `aspects_of`."""

    def __call__(self, batch: Batch) -> Numbers:
        """Compare the labels of each sample."""
        return batch.derive(_SharedInformation(self.by))[self.aspect]


@dataclass(frozen=True, kw_only=True)
class InformationPrecision(OfInformation):
    """Share of the information of the prediction that is shared with the truth."""

    aspect = "precision"
    formula_text = "mean of I(l) / I(z), l being the most informative common ancestor of y and z"
    denied_laws = SYMMETRY


@dataclass(frozen=True, kw_only=True)
class InformationRecall(OfInformation):
    """Share of the information of the truth that is shared with the prediction."""

    aspect = "recall"
    formula_text = "mean of I(l) / I(y), l being the most informative common ancestor of y and z"
    denied_laws = SYMMETRY


@dataclass(frozen=True, kw_only=True)
class InformationF(OfInformation):
    """Mean over samples of the harmonic mean of information precision and recall."""

    aspect = "f"
    formula_text = "mean of 2 I(l) / (I(y) + I(z)), l being the most informative common ancestor of y and z"


@dataclass(frozen=True, kw_only=True)
class Correct(MeanOfSamples):
    """Share of the samples whose prediction is the true label, an ancestor or a descendant."""

    single = True
    laws = USUAL_LAWS | SYMMETRY
    formula_text = "share of samples with y above z, z above y, or y = z"
    source = "valmadre2022"

    def __call__(self, batch: Batch) -> Numbers:
        """Score 1 for equal labels, and for ancestor and descendant."""
        return batch.derive(_SharedInformation("leaves"))["correct"]


@dataclass(frozen=True, kw_only=True)
class Excess(OfInformation):
    """Mean information of the prediction beyond the shared information."""

    aspect = "excess"
    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(z) - I(l), l being the most informative common ancestor of y and z"
    denied_laws = SYMMETRY


@dataclass(frozen=True, kw_only=True)
class Deficiency(OfInformation):
    """Mean information of the truth beyond the shared information."""

    aspect = "deficient"
    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(y) - I(l), l being the most informative common ancestor of y and z"
    denied_laws = SYMMETRY


@dataclass(frozen=True, kw_only=True)
class InformationDistance(OfInformation):
    """Mean information that only one of prediction and truth has: excess plus deficiency."""

    aspect = "distance"
    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(y) + I(z) - 2 I(l), l being the most informative common ancestor of y and z"


# the best ranks of scores -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class HierarchicalDistanceAt(MeasureInfo):
    """Mean height of the lowest common ancestor of the true label and each of the k best scored labels.

    A height is the number of links down to the deepest leaf, and 0 for the true label itself. Labels
    without score are not ranked; a sample without any score counts as far from the truth as can be.

    Parameters
    ----------
    k
        How many labels are looked at, 1 at least, or as many as have a score; tied ones count for
        their share of the ranks.
    over
        "ranks": the mean over all of them; "mistakes": over those that are wrong, 0 where none is;
        "nearest": the least height counts, labels tied for the last rank all included.
    """

    k: Number = 1
    over: Literal["ranks", "mistakes", "nearest"] = "ranks"

    bounds = (0.0, np.inf)
    best = 0.0
    takes = "scores"
    single = True
    formula_text = "mean over samples and ranks up to k of h(lowest common ancestor of y and z)"
    source = "bertinetto2020"
    laws = USUAL_LAWS

    @property
    def statistic(self) -> HierarchicalDistanceAt:
        """Mean height, share of mistakes, least height and a 1 for each sample."""
        return HierarchicalDistanceAt(k=self.k)

    def __call__(self, batch: ScoredBatch) -> Rows:
        """Find the lowest common ancestor of the true label and each ranked label."""
        hierarchy = batch.required_hierarchy("A distance between concepts")
        truth = only_labels(batch.truth, hierarchy, "true")
        row, label, share = best_scored(batch.prediction.matrix, self.k)
        found = hierarchy.labels[label]
        heights = heights_of_pairs(hierarchy, truth[row], found)
        ranked, height, wrong = (
            np.bincount(row, weights=share * values, minlength=len(batch)).astype(np.float64)
            for values in (1.0, heights, truth[row] != found)
        )
        height, wrong = divide(height, ranked), divide(wrong, ranked)
        worst = greatest_height(hierarchy)
        least = np.full(len(batch), worst)
        np.minimum.at(least, row, heights)
        nothing = ranked == 0
        columns = [np.where(nothing, worst, height), np.where(nothing, 1.0, wrong), least]
        return Rows(np.stack([*columns, np.ones(len(batch))], axis=-1))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals."""
        height, wrong, least, samples = np.moveaxis(values, -1, 0)
        if self.over == "mistakes":
            return per_mistake(height, wrong, wrong, samples)
        return divide(least if self.over == "nearest" else height, samples)


def best_scored(scores: sparse.csr_array, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Numbers]:
    """Row and label of the best scores of each row, and their shares of the ranks where they are tied."""
    entry, level, row, above, tied = levels_within(scores, most)
    share = np.minimum((most - above) / tied, 1.0)
    return row[level], scores.indices[entry].astype(np.intp), share[level]
