"""What the true and the predicted label say, and what both of them say: their common information."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.information import LeavesBelow
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.statistics.counts import Numbers, divide, harmonic
from ontoeval.measures.statistics.pairs import common_ancestors, least_of_pairs
from ontoeval.measures.statistics.single import Singles

By = Literal["leaves", "depth"]


@dataclass(frozen=True)
class Specificity:
    """How specific each concept is: a whole number that grows with its information."""

    by: By

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.intp]:
        """Compute one number per concept."""
        return hierarchy.depth if self.by == "depth" else -hierarchy.once(LeavesBelow())


@dataclass(frozen=True)
class Information:
    """What each concept says, as a view of a hierarchy; a root that lies above everything says 0."""

    by: By

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Compute one number of at least 0 per concept."""
        if self.by == "depth":
            # Roots say something where there are several.
            return hierarchy.depth.astype(np.float64) + (len(hierarchy.roots) > 1)
        below = hierarchy.once(LeavesBelow())
        return np.asarray(np.log2(max(hierarchy.leaves.size, 1)) - np.log2(below))


class Shared(NamedTuple):
    """What the true and the predicted label of each sample say, and what both say."""

    truth: Numbers
    prediction: Numbers
    common: Numbers
    correct: Numbers


def shared_information(
    hierarchy: Hierarchy, by: By, truth: NDArray[np.intp], prediction: NDArray[np.intp]
) -> Shared:
    """Compare concepts by what they say."""
    says = hierarchy.once(Information(by))
    least, correct = np.zeros(truth.size), np.zeros(truth.size)
    for common in common_ancestors(hierarchy.links_upward, truth, prediction):
        least_of_pairs(common, -says[common.ancestor], least)
        one_of_both = (common.ancestor == truth[common.pair]) | (common.ancestor == prediction[common.pair])
        correct[common.pair[one_of_both]] = 1.0
    return Shared(says[truth], says[prediction], 0.0 - least, correct)


Aspect = Literal["precision", "recall", "f", "correct", "excess", "deficient", "distance"]


def aspect_of(shared: Shared, aspect: Aspect) -> Numbers:
    """Compute one of the things that are said of a prediction."""
    precision = np.where(shared.prediction > 0, divide(shared.common, shared.prediction), 1.0)
    recall = np.where(shared.truth > 0, divide(shared.common, shared.truth), 1.0)
    excess, deficient = shared.prediction - shared.common, shared.truth - shared.common
    return {
        "precision": precision,
        "recall": recall,
        "f": harmonic(precision, recall),
        "correct": shared.correct,
        "excess": excess,
        "deficient": deficient,
        "distance": excess + deficient,
    }[aspect]


@dataclass(frozen=True)
class SharedInformation:
    """What the one true and the one predicted label of each sample say."""

    by: By

    def __call__(self, batch: Batch) -> Shared:
        """Compare the labels."""
        hierarchy = batch.required_hierarchy("A measure of information")
        return shared_information(hierarchy, self.by, *batch.once(Singles()))


@dataclass(frozen=True)
class InformationSample:
    """One of the things that are said of the prediction of a sample."""

    aspect: Aspect
    by: By

    def __call__(self, batch: Batch) -> Numbers:
        """Compute one number per sample."""
        return aspect_of(batch.once(SharedInformation(self.by)), self.aspect)
