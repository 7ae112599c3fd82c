"""Slices: some of the samples, or some of the labels, scored alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rules import Requirement
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import enumerate_some
from ontoeval.evaluation.groups import Groups

LEAST = 5
"""Fewest members of a slice where scores of single samples or labels are secret."""

SetsOrScores = TypeVar("SetsOrScores", bound=LabelSets | LabelScores | VerifiedLabels)


@dataclass(frozen=True)
class Slice:
    """Some of the samples, or some of the labels."""

    name: str
    samples: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None

    def restrict(self, sets: SetsOrScores) -> SetsOrScores:
        """Keep the samples or the labels of the slice."""
        cut: Any = sets
        if isinstance(cut, VerifiedLabels):
            return cast(
                "SetsOrScores", VerifiedLabels(self.restrict(cut.positive), self.restrict(cut.negative))
            )
        if self.samples is not None:
            cut = cut.take([sample for sample in self.samples if sample in cut.row])
        if self.labels is not None:
            columns = [cut.vocabulary.index[label] for label in self.labels]
            matrix = sparse.csr_array(cut.matrix[:, columns])
            cut = replace(cut, matrix=matrix, vocabulary=replace(cut.vocabulary, concepts=self.labels))
        return cast("SetsOrScores", cut)

    def restrict_hierarchy(self, hierarchy: Hierarchy) -> Hierarchy:
        """Restrict the labels of a hierarchy to the slice, without requirements that others could fulfil."""
        if self.labels is None:
            return hierarchy
        outside = np.ones(len(hierarchy.vocabulary), dtype=bool)
        outside[hierarchy.vocabulary.positions(self.labels)] = False
        outside &= ~hierarchy.abstract
        below = hierarchy.ancestors.T.tocsr()

        def fulfilled_outside(rule: Requirement) -> bool:
            positions = hierarchy.vocabulary.positions(rule.any_of)
            return bool(outside[below[positions].indices].any())

        kept = tuple(rule for rule in hierarchy.requirements if not fulfilled_outside(rule))
        return replace(hierarchy.with_labels(self.labels), requirements=kept)


def pool_small(slices: Sequence[Slice], least: int = LEAST) -> list[Slice]:
    """Merge small slices, so that no score is of a few samples or labels alone."""
    sizes = [len(part.samples or part.labels or ()) for part in slices]
    by_size = sorted(range(len(slices)), key=sizes.__getitem__)
    small = sum(size < least for size in sizes)
    if not small:
        return list(slices)
    while small < len(slices) and len(_union(slices[which] for which in by_size[:small])) < least:
        small += 1
    chosen = set(by_size[:small])
    pool = [part for which, part in enumerate(slices) if which in chosen]
    members, kind = _union(pool), "labels" if pool[0].samples is None else "samples"
    together = Slice(enumerate_some(part.name for part in pool), **{kind: members})
    return [part for which, part in enumerate(slices) if which not in chosen] + [together]


def _union(slices: Iterable[Slice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(member for part in slices for member in part.samples or part.labels or ()))


def slices_by_branch(hierarchy: Hierarchy, labels: Vocabulary) -> list[Slice]:
    """Slice labels by branches: below each root, or each child of a single root, which is itself a slice."""
    groups = Groups.branches(hierarchy, tuple(labels))
    return [
        Slice(name, labels=tuple(labels[row] for row in rows))
        for name, rows in zip(groups.names, groups.members.T.tolil().rows, strict=True)
        if rows
    ]


def slices_by_level(hierarchy: Hierarchy, labels: Vocabulary) -> list[Slice]:
    """Slice labels by their depth: the links on the longest path from a root."""
    depth = hierarchy.depth[hierarchy.vocabulary.positions(tuple(labels))]
    return [
        Slice(f"depth {one}", labels=tuple(labels[int(row)] for row in np.flatnonzero(depth == one)))
        for one in np.unique(depth).tolist()
    ]
