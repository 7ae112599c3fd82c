"""Losses of label sets in a hierarchy: 0 for identical sets, larger is worse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import MeasureError, enumerate_some
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Above0UpTo1, MeasureInfo, NameOrNone
from ontoeval.measures.counts import per_mistake
from ontoeval.measures.flat import MeanOfSamples, are_identical
from ontoeval.measures.hierarchical import SetOptions, Sets, with_weights
from ontoeval.measures.matching import NamedCosts, have_parents_beside, nearest, sums_of_rows
from ontoeval.measures.sums import Rows, View
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import entries_of_rows, row_of_entries


@dataclass(frozen=True, kw_only=True)
class LossOfSets(SetOptions, MeanOfSamples):
    """A mean over samples of the difference of the members that represent the labels."""

    best = 0.0
    laws = USUAL_LAWS | SYMMETRY
    source = "cesabianchi2006"

    def __post_init__(self) -> None:
        _ = self.view


@dataclass(frozen=True, kw_only=True)
class ZeroOneLoss(LossOfSets):
    """Share of the samples whose sets differ, ancestors counted in."""

    formula_text = "share of samples with Y↑ ≠ Z↑, Y↑ being the true labels with their ancestors"

    def __call__(self, batch: Batch) -> Numbers:
        """Score identical sets 1; the formula takes the other samples."""
        return are_identical(batch)

    def formula(self, values: Numbers) -> Numbers:
        """Take the samples whose sets are not identical."""
        return 1.0 - super().formula(values)


@dataclass(frozen=True, kw_only=True)
class SymmetricDifferenceLoss(LossOfSets):
    """Mean number of concepts about which the sets differ, ancestors counted in.

    Parameters
    ----------
    weight
        Name of the weight of each member, such as an information content; None counts members.
    """

    weight: NameOrNone = None

    bounds = (0.0, np.inf)
    formula_text = "mean of |Y↑ Δ Z↑|, Y↑ being the true labels with their ancestors"

    def __call__(self, batch: Batch) -> Numbers:
        """Sum the weights of the members that only one side has."""
        return batch.amount(batch.missed) + batch.amount(batch.false)


# losses in which deep concepts weigh less -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EuclideanSetDistance(MeanOfSamples):
    r"""Distance between the sets as vectors in which deep concepts weigh less.

    .. math:: d(Y, Z) = \sqrt{\sum_{c \in Y^\uparrow \triangle Z^\uparrow} w(c)}

    Roots weigh 1, other concepts the share `base` of the mean of their parents' weights.

    Parameters
    ----------
    base
        Weight of a concept relative to its parents, above 0 and at most 1.
    root
        "in": a root above everything is a member of all sets but empty ones, as in Clus; "out": of none.
    """

    base: Above0UpTo1 = 0.75
    root: Literal["in", "out"] = "in"

    bounds = (0.0, np.inf)
    best = 0.0
    emerging = True  # Clus has the base and the mean of parents; whether its root weighs 1 is from memory
    laws = USUAL_LAWS | SYMMETRY
    formula_text = "mean of √(Σ w(c) over Y↑ Δ Z↑), w(c) = base · mean weight of the parents, 1 for roots"
    source = "vens2008"

    @property
    def view(self) -> View:
        """Labels and their ancestors with their weights."""
        return _DepthWeighted(Sets(root=self.root), base=self.base)

    def __call__(self, batch: Batch) -> Numbers:
        """Take the root of the difference; rounding errors cannot make a sum of weights negative."""
        return np.sqrt(batch.amount(batch.missed) + batch.amount(batch.false))


@dataclass(frozen=True)
class _DepthWeighted:
    """A view of sets whose members weigh less the deeper they lie."""

    sets: Sets
    base: float

    def __call__(self, batch: Batch) -> Batch:
        hierarchy = batch.required_hierarchy("A loss that depends on depth")
        weights = hierarchy.derive(_DepthWeights(self.base))[self.sets.member_concepts(hierarchy)]
        return with_weights(batch.derive(self.sets), weights)


@dataclass(frozen=True)
class _DepthWeights:
    """A weight that shrinks with depth: 1 for roots, else a share of the mean of the parents' weights."""

    base: float

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        weights = np.ones(len(hierarchy.vocabulary))
        for members in hierarchy.generations[1:]:
            entries, parents = entries_of_rows(hierarchy.parents, members)
            sums = np.add.reduceat(weights[hierarchy.parents.indices[entries]], np.cumsum(parents) - parents)
            weights[members] = self.base * sums / parents
        return weights


def _shared_weights(hierarchy: Hierarchy) -> NDArray[np.float64]:
    """Divide 1 among the roots of a forest, and the share of each concept among its children."""
    several = hierarchy.several_parents
    if several.size:
        named = enumerate_some(hierarchy.vocabulary[position] for position in several.tolist())
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


@dataclass(frozen=True, kw_only=True)
class HLoss(MeanOfSamples):
    r"""Cost of the topmost mistakes: descendants of a mistake are free.

    .. math:: \ell_H = \sum_i c_i [i \in Y^\uparrow \triangle Z^\uparrow,\
              \text{no ancestor of } i \text{ is in } Y^\uparrow \triangle Z^\uparrow]

    The loss is defined over forests. In a DAG all ancestors of a concept must be right for it to be charged.
    R's package hierclass charges nothing where a prediction stops early but right, which is another loss.

    Parameters
    ----------
    costs
        Cost of a concept: "unit" 1; "normalised", in forests only: 1 is divided among
        the roots, and the cost of each concept among its children; "depth": 1 for roots, and the share
        `base` of the mean of its parents' costs for each other concept.
    base
        For costs="depth", above 0 and at most 1.
    root
        "out": a root above everything is no concept that can be wrong; "in": it can be, and where just one
        of the sets is empty it is all that is charged.
    """

    costs: Literal["unit", "normalised", "depth"] = "unit"
    base: Above0UpTo1 = 0.75
    root: Literal["out", "in"] = "out"

    best = 0.0
    emerging = True  # the abstract states the loss; the costs are given from memory
    laws = USUAL_LAWS | SYMMETRY
    formula_text = "mean of Σ c(i) over the topmost concepts i of Y↑ Δ Z↑"
    source = "cesabianchi2006"

    @property
    def bounds(self) -> tuple[float, float]:
        """Normalised costs sum to 1 at most, others to as many as there are concepts."""
        return (0.0, 1.0 if self.costs == "normalised" else np.inf)

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Charge the differing concepts without a differing ancestor."""
        hierarchy = batch.required_hierarchy("The H-loss")
        by_depth = _DepthWeights(self.base if self.costs == "depth" else 1.0)  # with 1 all weigh 1
        costs = hierarchy.derive(_shared_weights if self.costs == "normalised" else by_depth)
        sets = Sets(root=self.root)
        closed, kept = batch.derive(sets), sets.member_concepts(hierarchy)
        differing = closed.missed + closed.false
        # Both sets hold the ancestors of their members. So if an ancestor differs, a parent does.
        at = kept[differing.indices]
        shadowed = have_parents_beside(hierarchy, row_of_entries(differing), at)
        return sums_of_rows(differing, np.where(shadowed, 0.0, costs[at]))


# distance to the nearest label ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DistanceCost(MeasureInfo):
    """What false and missed labels cost by their distance to the nearest label on the other side.

    Where there is no label on the other side, a mistake costs the most that a path can.

    Parameters
    ----------
    cost
        Cost between concepts, by any name that the ontology score takes: "links" counts links.
    sides
        Which labels: "both", "false" or "missed".
    per
        Divisor of the sum of the costs: the number of such "mistake"s, of true or predicted
        "label"s, or of "sample"s.
    scaled
        Whether costs are divided by the longest path that can be; otherwise they are in links.
    connect_roots
        Whether several roots are connected by a virtual root above them; otherwise concepts
        below different roots cost the most that a path can.
    """

    cost: str = "links"
    sides: Literal["both", "false", "missed"] = "both"
    per: Literal["mistake", "label", "sample"] = "mistake"
    scaled: bool = False
    connect_roots: bool = True

    best = 0.0
    emerging = True  # the path costs are well known, the mapping of sets is the ontology score's
    formula_text = "Σ min cost(false, true) + Σ min cost(missed, predicted), by mistakes, labels or samples"
    source = "costa2007"
    laws = USUAL_LAWS | SYMMETRY

    @property
    def bounds(self) -> tuple[float, float]:
        """Scaled costs of a mistake are 1 at most."""
        return (0.0, 1.0 if self.scaled and self.per != "sample" else np.inf)

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: labels of one side alone count."""
        return frozenset() if self.sides == "both" else SYMMETRY

    def remarks(self, _: Vocabulary) -> Iterator[str]:
        """Say which labels divide the costs."""
        yield from ["Distance divides by true or predicted labels, each once."] * (self.per == "label")

    @property
    def statistic(self) -> DistanceCost:
        """Costs, mistakes, labels and a 1 for each sample, whatever the sums are divided by."""
        return replace(self, per="mistake")

    def __call__(self, batch: Batch) -> Rows:
        """Match the labels of every sample; one without any on the other side costs the most."""
        batch.required_hierarchy("A distance between concepts")
        costs = batch.derive(NamedCosts(self.cost, self.connect_roots))
        partners = nearest(costs, batch)
        charged, mistakes = np.zeros(len(batch)), np.zeros(len(batch))
        for side, mistaken, found in zip(
            ("false", "missed"), (batch.false, batch.missed), partners, strict=True
        ):
            if self.sides in {"both", side}:
                charged += sums_of_rows(mistaken, found.cost)
                mistakes += set_sizes(mistaken)
        labels = set_sizes(batch.common) + set_sizes(batch.missed) + set_sizes(batch.false)
        charged *= 1.0 if self.scaled else costs.unit
        return Rows(np.stack([charged, mistakes, labels, np.ones(len(batch))], axis=-1))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals."""
        cost, mistakes, labels, samples = np.moveaxis(values, -1, 0)
        below = {"mistake": mistakes, "label": labels, "sample": samples}[self.per]
        return per_mistake(cost, below, mistakes, samples)
