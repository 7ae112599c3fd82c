"""One true and one predicted label per sample, and how high their lowest common ancestor lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch
from ontoeval.core.csr import entries_of_rows
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.known import KnownPart
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import MeasureError, listed
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.pairs import common_ancestors, least_of_pairs
from ontoeval.measures.statistics.sums import Rows


def only_labels(sets: LabelSets, hierarchy: Hierarchy, side: str) -> NDArray[np.intp]:
    """Take the label of each sample, where each has one."""
    counts = np.diff(sets.matrix.indptr)
    others = np.flatnonzero(counts != 1)
    if others.size:
        named = listed(f"{sets.samples[row]} ({counts[row]})" for row in others[:6])
        which = " of those known to be right or wrong, as the rest counts neither way"
        raise MeasureError(
            f"This measure needs one {side} label in each sample, but {others.size:,} of {len(sets):,} have "
            f"none or several{which if isinstance(sets, KnownPart) else ''}: {named}. Use a measure of sets, "
            "such as hF, or leave one label each."
        )
    return np.asarray(hierarchy.labels[sets.matrix.indices])


@dataclass(frozen=True)
class Singles:
    """The true and the predicted label of each sample, as positions in the hierarchy."""

    def __call__(self, batch: Batch) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Take them, where there is one of each."""
        hierarchy = batch.required_hierarchy("A measure of single labels")
        return (
            only_labels(batch.truth, hierarchy, "true"),
            only_labels(batch.prediction, hierarchy, "predicted"),
        )


# heights ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heights:
    """Links on the longest path down from each concept, as a view of a hierarchy."""

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Go up the generations; one number per concept."""
        heights = np.zeros(len(hierarchy.vocabulary))
        for members in reversed(hierarchy.generations):
            entries, parents = entries_of_rows(hierarchy.parents, members)
            np.maximum.at(
                heights, hierarchy.parents.indices[entries], np.repeat(heights[members] + 1, parents)
            )
        return heights


def greatest_height(hierarchy: Hierarchy) -> float:
    """Find the height of what lies above everything: the root, or a node above several roots."""
    return float(hierarchy.levels - (len(hierarchy.roots) == 1))


def heights_of_pairs(
    hierarchy: Hierarchy, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Find how high the lowest common ancestors of pairs lie.

    Of several common ancestors the one with the least height counts, which always is one of the
    lowest. Where nothing lies above both, a node above all roots does.
    """
    heights = hierarchy.once(Heights())
    least = np.full(first.size, greatest_height(hierarchy))
    for common in common_ancestors(hierarchy.links_upward, first, second):
        least_of_pairs(common, heights[common.ancestor], least)
    return np.where(first == second, 0.0, least)


class Mistakes(NamedTuple):
    """How wrong predictions are, summed over samples."""

    height: Numbers
    wrong: Numbers
    samples: Numbers


@dataclass(frozen=True)
class SingleMistakes:
    """How wrong the one predicted label of each sample is."""

    def __call__(self, batch: Batch) -> Rows:
        """Look for what lies above the true and the predicted label."""
        truth, prediction = batch.once(Singles())
        hierarchy = batch.required_hierarchy("A measure of single labels")
        heights = heights_of_pairs(hierarchy, truth, prediction)
        return Rows(np.stack([heights, truth != prediction, np.ones(len(batch))], axis=-1))

    def unpack(self, values: Numbers) -> Mistakes:
        """Name the sums."""
        return Mistakes(*np.moveaxis(values, -1, 0))
