"""Branches of a hierarchy, by which findings are counted."""

from __future__ import annotations

from collections.abc import Iterable

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.evaluation.groups import Groups


def branches_of(hierarchy: Hierarchy, concepts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Tell in which branches some concepts lie: below which root, or which child of a single one."""
    known = [name for name in dict.fromkeys(concepts) if name in hierarchy.vocabulary]
    groups = Groups.branches(hierarchy, known)
    indices, indptr = groups.members.indices.tolist(), groups.members.indptr.tolist()
    return {
        name: tuple(sorted(groups.names[at] for at in indices[begin:end]))
        for name, begin, end in zip(known, indptr, indptr[1:], strict=False)
    }
