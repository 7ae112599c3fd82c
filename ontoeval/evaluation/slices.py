"""Slices: some of the samples, or some of the labels, scored alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rules import Requirement
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.evaluation.groups import Groups

LEAST = 5
"""Fewest members of a slice where scores of single samples or labels are secret."""

Sets = TypeVar("Sets", bound=LabelSets | LabelScores)


@dataclass(frozen=True)
class Slice:
    """Some of the samples, or some of the labels.

    Parameters
    ----------
    name
        Name of the slice.
    samples
        Identifiers of the samples; None for all.
    labels
        The labels; None for all.

    Examples
    --------
    >>> sets = LabelSets.from_sets({"p1": ["a", "b"], "p2": ["b"]})
    >>> Slice("only a", labels=("a",)).of(sets).sizes, Slice("first", samples=("p1",)).of(sets).sizes
    (array([1, 0]), array([2]))
    """

    name: str
    samples: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None

    def of(self, sets: Sets) -> Sets:
        """Keep the samples or the labels of the slice.

        Parameters
        ----------
        sets
            Labels or scores of all samples and concepts.

        Returns
        -------
        LabelSets or LabelScores
            Those of the slice; samples that do not occur are left out.
        """
        cut: Any = sets
        if self.samples is not None:
            cut = cut.take([sample for sample in self.samples if sample in cut.row])
        if self.labels is not None:
            columns = [cut.vocabulary.index[label] for label in self.labels]
            matrix = sparse.csr_array(cut.matrix[:, columns])
            cut = replace(cut, matrix=matrix, vocabulary=Vocabulary(self.labels))
        return cast("Sets", cut)

    def within(self, hierarchy: Hierarchy) -> Hierarchy:
        """Restrict the labels of a hierarchy to the slice.

        Parameters
        ----------
        hierarchy
            The hierarchy of all concepts.

        Returns
        -------
        Hierarchy
            The same links, so the same costs; without the requirements that labels outside could fulfil.
        """
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


def splits(groups: Mapping[str, Iterable[str]], samples: Iterable[str]) -> list[Slice]:
    """Slice samples by given groups.

    Parameters
    ----------
    groups
        The samples of each group.
    samples
        All samples.

    Returns
    -------
    list of Slice
        One for each group; a sample may be in several, or in none.

    Examples
    --------
    >>> [part.samples for part in splits({"dev": ["p2"], "test": ["p1", "p3"]}, ["p1", "p2", "p3"])]
    [('p2',), ('p1', 'p3')]
    """
    known = dict.fromkeys(samples)
    named = {group: dict.fromkeys(members) for group, members in groups.items()}
    unknown = [sample for members in named.values() for sample in members if sample not in known]
    if unknown:
        raise InputError(
            f"{pluralise(len(unknown), 'unknown sample')} in the groups: {enumerate_some(unknown)}",
            "Name samples of the truth.",
        )
    return [
        Slice(group, samples=tuple(sample for sample in known if sample in members))
        for group, members in named.items()
    ]


def pooled(slices: Sequence[Slice], least: int = LEAST) -> list[Slice]:
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


def branches(hierarchy: Hierarchy, labels: Vocabulary) -> list[Slice]:
    """Slice labels by the branches of the hierarchy, below the children of its root or below several roots.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    labels
        The labels that are scored.

    Returns
    -------
    list of Slice
        One for each branch with labels; where concepts have several parents, a label may be in several.
        The root, if it is a label, is in a slice of its own.
    """
    groups = Groups.branches(hierarchy, tuple(labels))
    return [
        Slice(name, labels=tuple(labels[row] for row in rows))
        for name, rows in zip(groups.names, groups.members.T.tolil().rows, strict=True)
        if rows
    ]


def levels(hierarchy: Hierarchy, labels: Vocabulary) -> list[Slice]:
    """Slice labels by their depth: the links on the longest path from a root.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    labels
        The labels that are scored.

    Returns
    -------
    list of Slice
        One for each depth with labels, from the root on.
    """
    depth = hierarchy.depth[hierarchy.vocabulary.positions(tuple(labels))]
    return [
        Slice(f"depth {one}", labels=tuple(labels[int(row)] for row in np.flatnonzero(depth == one)))
        for one in np.unique(depth).tolist()
    ]
