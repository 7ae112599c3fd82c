"""Precision, recall, F and Jaccard index of sets that a hierarchy makes of the labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import LinksUpward
from ontoeval.concepts.information import weight_by_name
from ontoeval.core.batch import Batch
from ontoeval.core.dag import with_ancestors
from ontoeval.core.hierarchy import VIRTUAL_ROOT, Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.verified import below_absent
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.ancestor_counts import AncestorCounts, cells_by_side, sides_of, sums_by_side
from ontoeval.measures.base import NameOrNone, check_parameters, whole_or_none
from ontoeval.measures.counts import Overlap
from ontoeval.measures.flat import Average, Averaged, F, Jaccard, Precision, Recall
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import choose_entries, pattern, with_data, without_entries

Members = Literal["labels", "ancestors", "descendants", "leaves"]
Root = Literal["out", "in", "virtual"]


@dataclass(frozen=True, kw_only=True)
class SetOptions:
    """Options of measures that compare what a hierarchy makes of the labels.

    Parameters
    ----------
    members
        Members that represent the labels: the "labels" themselves, their "ancestors", their
        "descendants", or the "leaves" among them.
    root
        "out": a root above everything is no member; "in": it is; "virtual": so is a node above
        all roots, which HEMKit adds.
    level
        Compare the concepts of this depth alone; a root has 0.
    branch
        Compare this concept and those below it alone.
    """

    members: Members = "ancestors"
    root: Root = "out"
    level: Annotated[int | None, partial(whole_or_none, least=0)] = None
    branch: NameOrNone = None

    @property
    def view(self) -> Sets:
        """The view that replaces the labels by their members."""
        common = (field.name for field in fields(Sets) if hasattr(self, field.name))
        return Sets(**{name: getattr(self, name) for name in common})


@dataclass(frozen=True, kw_only=True)
class Sets(SetOptions):
    """The view that puts members in the place of labels, each of which counts for its weight."""

    weight: NameOrNone = None
    max_distance: Annotated[int | None, partial(whole_or_none, least=0)] = None

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.root == "virtual" and (
            self.members != "ancestors" or {self.level, self.branch, self.weight} != {None}
        ):
            raise ParameterError(
                "root", self.root, "'out' or 'in' unless all ancestors are compared, without weight"
            )
        if self.max_distance is not None and self.members != "ancestors":
            raise ParameterError("max_distance", self.max_distance, "None unless members='ancestors'")

    def member_concepts(self, hierarchy: Hierarchy) -> NDArray[np.intp]:
        """Choose the concepts that can be members."""
        kept = np.ones(len(hierarchy.vocabulary), dtype=bool)
        # A root without descendants is a label like any other.
        if self.root == "out" and len(hierarchy.roots) == 1 and hierarchy.levels > 1:
            kept[hierarchy.roots] = False
        if self.members == "leaves":
            kept[hierarchy.parents.indices] = False
        if self.level is not None:
            kept &= hierarchy.depth == self.level
        if self.branch is not None:
            branch = hierarchy.vocabulary.positions([self.branch])
            kept &= with_ancestors(hierarchy.parents.T.tocsr(), branch)  # the descendants
        if not kept.any():
            chosen = ", ".join(f"{name}={getattr(self, name)!r}" for name in ("members", "level", "branch"))
            raise InputError(
                f"no concept is left to compare ({chosen})",
                f"The hierarchy has the depths 0 to {hierarchy.levels - 1}. "
                "Choose others, or root='in' to keep the root.",
            )
        return np.flatnonzero(kept)

    def __call__(self, batch: Batch) -> Batch:
        """Put the members in the place of the labels.

        More labels follow from known ones: ancestors of a true label are true, and descendants of a
        false one are not; descendants of a true one are true, unless they lie below a false one. A
        concept that is never a label is false where all labels below it are.
        """
        hierarchy = batch.required_hierarchy(f"A measure of {self.members}")
        kept = self.member_concepts(hierarchy)
        weights = None if self.weight is None else weight_by_name(hierarchy, self.weight)[kept]
        plain = batch.known is None and batch.excluded is None and self.max_distance is None
        if plain and self.members == "ancestors" and self.root != "virtual":
            return ClosedBatch(batch, kept, weights)
        names, columns = tuple(hierarchy.vocabulary[position] for position in kept), kept
        if self.root == "virtual":
            names, columns = (*names, VIRTUAL_ROOT), np.append(kept, len(hierarchy.vocabulary))
        virtual = self.root == "virtual"
        step = hierarchy.derive(_Steps(self.members, self.max_distance, virtual=virtual))[:, columns]
        vocabulary = Vocabulary(names)
        truth, prediction = (
            LabelSets(side.matrix @ step, vocabulary, side.samples)
            for side in (batch.truth, batch.whole_prediction)
        )
        if batch.excluded is not None:
            shut = sparse.csr_array(batch.excluded.matrix[:, kept])
            shut = sparse.csr_array((shut.data, shut.indices, shut.indptr), shape=truth.matrix.shape)
            truth, prediction = (
                side.remade(without_entries(side.matrix, shut)) for side in (truth, prediction)
            )
            excluded = LabelSets(shut, vocabulary, truth.samples)
            return Batch(truth, prediction, weights=weights, excluded=excluded)
        if batch.known is None:
            return Batch(truth, prediction, weights=weights)
        absent = self._absent_members(batch, batch.known, hierarchy, kept, len(vocabulary))
        if self.members == "descendants":
            truth = replace(truth, matrix=without_entries(truth.matrix, absent))
        return Batch(truth, prediction, weights=weights, known=pattern(truth.matrix + absent))

    def _absent_members(
        self, batch: Batch, known: sparse.csr_array, hierarchy: Hierarchy, kept: Places, width: int
    ) -> sparse.csr_array:
        """Find the members that are known to be absent: samples × members."""
        sides, labels = batch.truth, without_entries(known, batch.truth.matrix)
        below: Members = "labels" if self.members in {"labels", "leaves"} else "descendants"
        if self.members == "ancestors":
            below_absent(sides, replace(sides, matrix=labels), hierarchy)
        absent = pattern(labels @ hierarchy.derive(_Steps(below))[:, kept])
        if self.members == "ancestors":
            upward = hierarchy.derive(_Steps("ancestors"))[:, kept].astype(np.int32)
            number = np.where(np.isin(kept, hierarchy.labels), -1, upward.sum(axis=0))
            below_each = sparse.csr_array(labels.astype(np.int32) @ upward)
            absent = pattern(
                absent + choose_entries(below_each, below_each.data == number[below_each.indices])
            )
        # Of a virtual root, which comes last, it is never known.
        return sparse.csr_array((absent.data, absent.indices, absent.indptr), shape=(len(batch), width))


class ClosedBatch(Batch):
    """The ancestors of both sides in the place of the labels; a measure that asks for the sets makes them."""

    def __init__(self, batch: Batch, kept: NDArray[np.intp], weights: Numbers | None) -> None:
        self.__dict__.update(labels=batch, kept=kept, weights=weights)

    labels: Batch
    kept: NDArray[np.intp]
    """Positions of the concepts that can be members."""

    def __len__(self) -> int:
        return len(self.labels)

    def derive(self, view: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - as of every batch
        """Count the decisions of each sample without the sets."""
        return self.overlap if view == Overlap() else super().derive(view)

    @cached_property
    def overlap(self) -> Rows:
        """TP, FP, FN and TN of each sample, or sums of their weights."""
        hierarchy = self.labels.required_hierarchy("A measure of ancestors")
        of_concept = np.zeros(len(hierarchy.vocabulary))
        of_concept[self.kept] = 1.0 if self.weights is None else self.weights
        if hierarchy.large:
            sums = cells_by_side(self.labels.derive(AncestorCounts()), of_concept)
        else:
            sums = sums_by_side(self.labels, of_concept)
        _, fn, fp, tp = sums.T
        # Of weights a rounding error could be left.
        return Rows(np.stack([tp, fp, fn, np.maximum(of_concept.sum() - tp - fp - fn, 0.0)], axis=-1))

    @cached_property
    def _coded_members(self) -> sparse.csr_array:
        """1 for what is true, 2 for what is predicted, 3 for both: samples × members, sorted."""
        counts = self.labels.derive(AncestorCounts())
        members = with_data(counts, sides_of(counts)).tocsc()
        if self.kept.size < counts.shape[1]:
            members = members[:, self.kept]
        return sparse.csr_array(members.tocsr())  # sorted on the way, by counting

    @cached_property
    def truth(self) -> LabelSets:  # type: ignore[override]
        """The true labels and their ancestors."""
        return self._side(1)

    @cached_property
    def prediction(self) -> LabelSets:
        """The predicted labels and their ancestors."""
        return self._side(2)

    def _side(self, side: int) -> LabelSets:
        concepts = self.labels.required_hierarchy("A measure of ancestors").vocabulary
        members = choose_entries(self._coded_members, self._coded_members.data & side > 0)
        names = Vocabulary(tuple(concepts[position] for position in self.kept))
        return LabelSets(members, names, self.labels.truth.samples)


def with_weights(members: Batch, weights: Numbers) -> Batch:
    """Let members count for other weights."""
    if isinstance(members, ClosedBatch):
        return ClosedBatch(members.labels, members.kept, weights)
    return replace(members, weights=weights)


@dataclass(frozen=True)
class _Steps:
    """Which concepts stand for each label: boolean, labels × concepts."""

    members: Members
    max_distance: int | None = None
    virtual: bool = False

    def __call__(self, hierarchy: Hierarchy) -> sparse.csr_array:
        if self.virtual or self.max_distance is not None:
            links = hierarchy.derive(LinksUpward(self.virtual))[hierarchy.labels]
            most = np.inf if self.max_distance is None else self.max_distance
            return choose_entries(links, links.data <= most)
        match self.members:
            case "ancestors":
                return hierarchy.label_ancestors
            case "descendants":
                return sparse.csr_array(hierarchy.ancestors.T)[hierarchy.labels]
        return sparse.eye_array(len(hierarchy.vocabulary), dtype=bool, format="csr")[hierarchy.labels]


@dataclass(frozen=True, kw_only=True)
class OfSets(SetOptions, Averaged):
    """A ratio of decisions about the members that represent the labels in the hierarchy.

    Parameters
    ----------
    weight
        Name of what each member counts for, such as an information content; None counts members.
        Where everything that is compared weighs 0, sets count as empty: see `undefined` and `empty`.
    max_distance
        Most links from a label up to an ancestor that counts; None counts all, 0 none. HEMKit's argument d is
        d + 1 here, so BioASQ's 4 is 5. Labels that are closed already reach farther.
    """

    weight: NameOrNone = None
    max_distance: Annotated[int | None, partial(whole_or_none, least=0)] = None

    source = "kiritchenko2006"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.view
        if self.weight is not None and (self.average in {"macro", "weighted"} or self.rule != "one-vs-rest"):
            raise ParameterError(
                "weight", self.weight, "None with averages over concepts, and with confusion rules"
            )

    @property
    def emerging(self) -> bool:  # type: ignore[override]
        """Whether the formula is unchecked: that of descendants is known from others' accounts alone."""
        return self.members == "descendants"


@dataclass(frozen=True, kw_only=True)
class HierarchicalPrecision(OfSets, Precision):
    """Precision of the predicted labels as the hierarchy extends them."""

    formula_text = "P = |Y′ ∩ Z′| / |Z′|, Y′ and Z′ by members= and weight="


@dataclass(frozen=True, kw_only=True)
class HierarchicalRecall(OfSets, Recall):
    """Recall of the true labels as the hierarchy extends them."""

    formula_text = "R = |Y′ ∩ Z′| / |Y′|, Y′ and Z′ by members= and weight="


@dataclass(frozen=True, kw_only=True)
class HierarchicalF(OfSets, F):
    """Harmonic mean of hierarchical precision and recall."""

    formula_text = "F = (1 + β²) |Y′ ∩ Z′| / (β² |Y′| + |Z′|), Y′ and Z′ by members= and weight="


@dataclass(frozen=True, kw_only=True)
class HierarchicalJaccard(OfSets, Jaccard):
    """Jaccard index of true and predicted labels as the hierarchy extends them."""

    average: Average = "samples"

    formula_text = "J = |Y′ ∩ Z′| / |Y′ ∪ Z′|, Y′ and Z′ by members= and weight="
