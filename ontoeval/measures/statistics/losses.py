"""Losses of single samples: what differs between the sets, and which of it is charged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch, sizes
from ontoeval.core.csr import entries_of_rows, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MeasureError, listed
from ontoeval.measures.statistics.matching import NamedCosts, nearest, sums_of_rows
from ontoeval.measures.statistics.sets import Root, Sets
from ontoeval.measures.statistics.sums import Rows

Costing = Literal["unit", "normalised", "depth"]
COSTINGS = get_args(Costing)


@dataclass(frozen=True)
class Difference:
    """How many labels only one side has, or the sum of their weights: |Y Δ Z|."""

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Add what is missed and what is false."""
        return batch.amount(batch.missed) + batch.amount(batch.false)


@dataclass(frozen=True)
class Distance:
    """Euclidean distance of the two sets as weighted vectors: the root of the difference."""

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Take the root; rounding errors cannot make a sum of weights negative."""
        return np.sqrt(batch.once(Difference()))


# what concepts weigh ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DepthWeights:
    """A weight that shrinks with depth: 1 for roots, else a share of the mean of the parents' weights.

    In a tree that is base^depth.
    """

    base: float

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Go down the generations; one weight per concept."""
        weights = np.ones(len(hierarchy.vocabulary))
        for members in hierarchy.generations[1:]:
            entries, parents = entries_of_rows(hierarchy.parents, members)
            sums = np.add.reduceat(weights[hierarchy.parents.indices[entries]], np.cumsum(parents) - parents)
            weights[members] = self.base * sums / parents
        return weights


@dataclass(frozen=True)
class SharedWeights:
    """A whole that is divided among the roots, and by each concept among its children."""

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Go down the generations of a tree or forest; one weight per concept."""
        several = hierarchy.several_parents
        if several.size:
            named = listed(hierarchy.vocabulary[position] for position in several.tolist())
            raise MeasureError(
                "Normalised costs share what a concept costs among its children, so no concept may have "
                f"several parents, but {several.size:,} have: {named}. Use costs='unit' or costs='depth'."
            )
        shares = np.zeros(len(hierarchy.vocabulary))
        shares[hierarchy.roots] = 1 / max(1, hierarchy.roots.size)
        children = np.bincount(hierarchy.parents.indices, minlength=shares.size)
        for members in hierarchy.generations[1:]:
            above = hierarchy.parents.indices[hierarchy.parents.indptr[members]]
            shares[members] = shares[above] / children[above]
        return shares


@dataclass(frozen=True)
class DepthWeighted:
    """A view of sets whose members weigh less the deeper they lie."""

    sets: Sets
    base: float

    def __call__(self, batch: Batch) -> Batch:
        """Give the members their weights."""
        hierarchy = batch.required_hierarchy("A loss that depends on depth")
        weights = hierarchy.once(DepthWeights(self.base))[self.sets.kept(hierarchy)]
        return replace(batch.once(self.sets), weights=weights)


# H-loss -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HLossSample:
    """What the topmost mistakes in each sample cost.

    Of sets that hold all ancestors of their members, a concept about which they differ is charged
    unless they differ about one of its ancestors too.
    """

    costs: Costing
    base: float
    root: Root

    def cost_of(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Choose the costs; one per concept."""
        match self.costs:
            case "normalised":
                return hierarchy.once(SharedWeights())
            case "depth":
                return hierarchy.once(DepthWeights(self.base))
        return np.ones(len(hierarchy.vocabulary))

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Charge what differs below nothing that differs."""
        hierarchy = batch.required_hierarchy("The H-loss")
        costs = self.cost_of(hierarchy)
        sets = Sets(root=self.root)
        closed, kept = batch.once(sets), sets.kept(hierarchy)
        differing = closed.missed + closed.false
        # Both sets hold the ancestors of their members. So if an ancestor differs, a parent does.
        at, count = kept[differing.indices], len(hierarchy.vocabulary)
        first = row_of_entries(differing) * count
        entries, parents = entries_of_rows(hierarchy.parents, at)
        wanted = np.repeat(first, parents) + hierarchy.parents.indices[entries]
        shadowed = np.zeros(at.size, dtype=bool)
        shadowed[np.repeat(np.arange(at.size), parents)[contained(wanted, first + at)]] = True
        return sums_of_rows(differing, np.where(shadowed, 0.0, costs[at]))


def contained(wanted: NDArray[np.intp], ascending: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which numbers are among others that are sorted."""
    if not ascending.size:
        return np.zeros(wanted.size, dtype=bool)
    place = np.minimum(np.searchsorted(ascending, wanted), ascending.size - 1)
    return np.asarray(ascending[place] == wanted)


# distance to the nearest label ------------------------------------------------------------------------------


class Distances(NamedTuple):
    """What mistakes cost, and what that can be related to."""

    cost: NDArray[np.float64]
    mistakes: NDArray[np.float64]
    labels: NDArray[np.float64]
    samples: NDArray[np.float64]


@dataclass(frozen=True)
class NearestDistances:
    """Costs between false labels and the nearest true ones, and missed ones and the nearest predicted.

    A label without any on the other side costs the most that a path can.
    """

    cost: str
    sides: Literal["both", "false", "missed"]
    scaled: bool
    connect_roots: bool

    def __call__(self, batch: Batch) -> Rows:
        """Match the labels of every sample."""
        hierarchy = batch.required_hierarchy("A distance between concepts")
        costs = hierarchy.once(NamedCosts(self.cost, self.connect_roots))
        unit = 1.0 if self.scaled else costs.unit
        order = np.arange(len(hierarchy.labels))
        charged, mistakes = np.zeros(len(batch)), np.zeros(len(batch))
        for side, mistaken, other in (
            ("false", batch.false, batch.truth.matrix),
            ("missed", batch.missed, batch.prediction.matrix),
        ):
            if self.sides in {"both", side}:
                charged += sums_of_rows(mistaken, nearest(costs, mistaken, other, order).cost)
                mistakes += sizes(mistaken)
        labels = sizes(batch.common) + sizes(batch.missed) + sizes(batch.false)
        return Rows(np.stack([charged * unit, mistakes, labels, np.ones(len(batch))], axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> Distances:
        """Name the sums."""
        return Distances(*np.moveaxis(values, -1, 0))
