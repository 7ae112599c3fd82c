"""Bits of concepts: how much of naming a label each concept adds to its parents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import link_costs
from ontoeval.concepts.information import weight_by_name
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError, ParameterError, enumerate_some
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import choose_entries, pattern, row_of_entries, with_data, without_entries

BUILT_IN = ("bits", "halving", "unit")
"""Weights that every hierarchy has; others are named weights of the hierarchy."""


@dataclass(frozen=True, kw_only=True)
class Bits:
    """What each concept adds to the size of the labels below it, as a view of a hierarchy.

    The numbers are the bits that a concept adds to naming a label, as a share of those that name one
    ("bits"); twice the depth-weighted cost of its link upward ("halving"); 1 but for a single root ("unit");
    or a named weight of the hierarchy. An agreement multiplies those of labels. With `credit_from`, bits
    below this share of those that name a label count nothing.
    """

    weights: str = "bits"
    agreement: str | None = AGREEMENT
    credit_from: float = 0.0

    @property
    def flows(self) -> bool:
        """Whether labels are split among several parents; with other weights each parent has all of them."""
        return self.weights == "bits"

    def __call__(self, hierarchy: Hierarchy) -> Numbers:
        """Compute one number of at least 0 per concept."""
        if self.weights in BUILT_IN and self.weights in hierarchy.weights:
            raise ParameterError(
                "weights", self.weights, "another name for the weight, since this one is built in"
            )
        match self.weights:
            case "bits":
                values = _bits(hierarchy, self.credit_from)
            case "halving":
                values = _halving_costs(hierarchy)
            case "unit":
                values = np.ones(len(hierarchy.vocabulary))
                if _has_top(hierarchy):
                    values[hierarchy.roots] = 0.0
            case name:
                values = weight_by_name(hierarchy, name, option="weights", others=BUILT_IN).copy()
        values *= _agreement(hierarchy, self.agreement)
        values.flags.writeable = False
        return values


@dataclass(frozen=True)
class Sizes:
    """Sum of the bits of each concept and its ancestors, each as often as labels reach it, as a view."""

    bits: Bits = Bits()

    def __call__(self, hierarchy: Hierarchy) -> Numbers:
        """Compute one number of at least 0 per concept."""
        sizes = np.array(hierarchy.derive(self.bits))
        if self.bits.flows:
            shares = hierarchy.derive(effective_parents)
            for members in hierarchy.generations[1:]:
                sizes[members] += shares[members] @ sizes
        else:
            sizes = hierarchy.ancestors_of(hierarchy.labels) @ sizes
        sizes.flags.writeable = False
        return sizes


def labels_below(hierarchy: Hierarchy) -> NDArray[np.intp]:
    """Count the labels at or below each concept, without the closure where that is large."""
    return hierarchy.below(~hierarchy.abstract)


def effective_parents(hierarchy: Hierarchy) -> sparse.csr_array:
    """Give equal shares to the parents of each concept that divide its labels: concepts × concepts.

    Parents of clear concepts stand in the place of these; parents that others imply are dropped. Rows sum to
    1, or to 0 without parents.
    """
    clear = _without_bits(hierarchy, hierarchy.derive(labels_below))
    found = hierarchy.parents_beyond(clear)
    found = choose_entries(found, ~clear[found.indices])
    several = np.diff(found.indptr) > 1
    chosen = choose_entries(found, several[row_of_entries(found)])
    identity = sparse.csr_array(sparse.eye_array(found.shape[0], dtype=bool))
    above = hierarchy.ancestors_of(np.unique(chosen.indices))
    implied = pattern(chosen @ without_entries(above, identity))
    found = without_entries(found, pattern(implied.multiply(found)))
    return with_data(found, 1.0 / np.diff(found.indptr)[row_of_entries(found)])


def _has_top(hierarchy: Hierarchy) -> bool:
    """Whether there is a single root with concepts below it; such a root carries no information."""
    return len(hierarchy.roots) == 1 and hierarchy.levels > 1


def _halving_costs(hierarchy: Hierarchy) -> Numbers:
    """Twice the cost of the link from each concept upward in the ontology score; two ways make a path."""
    depth = hierarchy.depth + (not _has_top(hierarchy))
    return 2 * np.append(0.0, link_costs(int(depth.max(initial=0))))[depth]


def _bits(hierarchy: Hierarchy, credit_from: float) -> Numbers:
    """Compute r(c), 1 - ln n(c) over ln T, less the mean of r over the parents."""
    below = hierarchy.derive(labels_below)
    labels = len(hierarchy.labels)
    # A label above all others leaves "nothing more" as one more possibility.
    total = max(2, labels + bool((below[hierarchy.labels] == labels).any()))
    known = 1 - np.log(np.maximum(below, 1)) / np.log(total)
    if credit_from:
        known = np.maximum(known - credit_from, 0.0) / (1 - credit_from)
    counted = (below > 0) & ~_without_bits(hierarchy, below)
    return np.where(counted, np.maximum(known - hierarchy.derive(effective_parents) @ known, 0.0), 0.0)


def _without_bits(hierarchy: Hierarchy, below: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Find abstract concepts with the same labels below as one of their children: they carry no bits."""
    child, parent = row_of_entries(hierarchy.parents), hierarchy.parents.indices
    clear = np.zeros(below.size, dtype=bool)
    clear[parent[(below[child] == below[parent]) & (below[parent] > 0)]] = True
    return clear & hierarchy.abstract


def _agreement(hierarchy: Hierarchy, name: str | None) -> Numbers:
    """Agreement of labels, 1 where there is none; abstract concepts have none."""
    weights, names = hierarchy.weights, hierarchy.vocabulary
    if name is None or (name == AGREEMENT and name not in weights):
        return np.ones(len(names))
    if name not in weights:
        raise ParameterError("agreement", name, f"one of {[AGREEMENT, *weights]}")
    found = np.where(hierarchy.abstract, 1.0, weights[name])
    wrong = np.flatnonzero(found > 1)
    if wrong.size:
        shown = enumerate_some(f"{names[at]}: {found[at]:g}" for at in wrong.tolist())
        raise InputError(
            f"the weight {name!r} is no agreement, which is at most 1: {shown}",
            "Name another weight, or divide it by its maximum.",
        )
    return found
