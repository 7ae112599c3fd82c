"""Groups of concepts in a hierarchy, and relations of two concepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.matching import common_ancestors
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import entries_of_rows, pattern, row_of_entries, with_column, without_entries

REST = "(rest)"
"""Name of the group of all other concepts."""

RELATIONS = {
    "same": "right: what is predicted is the true concept",
    "parent": "directly above the true one",
    "child": "directly below the true one",
    "ancestor": "farther above the true one",
    "descendant": "farther below the true one",
    "sibling": "a parent in common",
    "cousin": "a grandparent in common, but no parent",
    "far": "something else above both",
    "other root": "nothing above both",
    "no concept": "one of the two is a pseudo-concept, or the rest",
}
"""Relations of a predicted to a true concept; the first that fits."""


class Related(NamedTuple):
    """A true concept that was taken for another, and the relation of the two."""

    true: str
    predicted: str
    mass: float
    share: float
    relation: str
    links: float


class Relation(NamedTuple):
    """Mass of the confusions with one relation."""

    relation: str
    mass: float
    share: float


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of concepts."""

    names: tuple[str, ...]
    members: sparse.csr_array

    @classmethod
    def from_hierarchy(
        cls,
        hierarchy: Hierarchy,
        concepts: Sequence[str],
        *,
        level: int | None = None,
        cut: Iterable[str] | None = None,
        branch: str | None = None,
    ) -> Groups:
        """Group concepts by level, cut or branch."""
        given = {"level": level, "cut": cut, "branch": branch}
        if sum(value is not None for value in given.values()) != 1:
            raise ParameterError("level, cut, branch", tuple(given.values()), "exactly one of them")
        positions = hierarchy.vocabulary.positions(concepts)
        ancestors = hierarchy.ancestors
        if branch is not None:
            inside = ancestors[:, hierarchy.vocabulary.positions([branch])].toarray()[:, 0]
            chosen = positions[inside[positions]]
            single = sparse.eye_array(len(hierarchy.vocabulary), dtype=bool, format="csr")
            members = pattern(single[positions][:, chosen])
        else:
            chosen = cls._chosen_concepts(hierarchy, level, cut)
            # Of the chosen concepts above a concept those count that have no other of them below.
            above, between = ancestors[positions][:, chosen], ancestors[chosen][:, chosen]
            strictly = without_entries(between, pattern(sparse.eye_array(chosen.size, format="csr")))
            members = without_entries(above, pattern(above @ strictly))
        return cls._with_rest([hierarchy.vocabulary[position] for position in chosen], members, [REST])

    @classmethod
    def branches(cls, hierarchy: Hierarchy, concepts: Sequence[str]) -> Groups:
        """Group concepts by branches: below each root, or each child of a single root."""
        tops = roots = hierarchy.roots
        if roots.size == 1 and hierarchy.levels > 1:
            tops = np.sort(hierarchy.parents[:, roots].nonzero()[0])
        above = hierarchy.ancestors[hierarchy.vocabulary.positions(concepts)]
        names, root = ([hierarchy.vocabulary[place] for place in places] for places in (tops, roots))
        return cls._with_rest(names, pattern(above[:, tops]), root)

    @classmethod
    def _with_rest(cls, names: list[str], members: sparse.csr_array, rest: list[str]) -> Groups:
        outside = np.diff(members.indptr) == 0
        if outside.any():
            names, members = [*names, *rest], pattern(with_column(members, outside))
        return cls(tuple(names), members)

    @staticmethod
    def _chosen_concepts(
        hierarchy: Hierarchy, level: int | None, cut: Iterable[str] | None
    ) -> NDArray[np.intp]:
        if cut is not None:
            if isinstance(cut, str):
                raise ParameterError("cut", cut, "several concepts")
            chosen = hierarchy.vocabulary.positions(dict.fromkeys(cut))
            if not chosen.size:
                raise InputError("the cut has no concepts", "Name the concepts that groups are made for.")
            return chosen
        chosen = np.flatnonzero(hierarchy.depth == level)
        if not chosen.size or isinstance(level, bool):
            raise InputError(
                f"no concept has the depth {level!r}",
                f"The hierarchy has the depths 0 to {hierarchy.levels - 1}.",
            )
        return chosen


def sum_by_groups(
    entries: sparse.csr_array, rows: sparse.csr_array, columns: sparse.csr_array
) -> sparse.csr_array:
    """Sum the entries of a matrix by groups of its rows and columns."""
    entries = sparse.csr_array(entries)
    which, row, column, share = cells_of_groups(row_of_entries(entries), entries.indices, rows, columns)
    shape = rows.shape[1], columns.shape[1]
    return sparse.csr_array(sparse.coo_array((entries.data[which] * share, (row, column)), shape=shape))


def cells_of_groups(
    row: NDArray[np.integer], column: NDArray[np.integer], rows: sparse.csr_array, columns: sparse.csr_array
) -> tuple[Places, Places, Places, Numbers]:
    """Find the cells of groups that each entry counts in: its number, row, column and share in each."""
    at, number = entries_of_rows(rows, row)
    which = np.repeat(np.arange(row.size), number)
    group = rows.indices[at]
    at, number = entries_of_rows(columns, column[which])
    which, group, other = np.repeat(which, number), np.repeat(group, number), columns.indices[at]
    together = group == other
    kept = together | (np.bincount(which, weights=together, minlength=row.size) == 0)[which]
    which, group, other = which[kept], group[kept].astype(np.intp), other[kept].astype(np.intp)
    return which, group, other, 1 / np.bincount(which, minlength=row.size)[which]


def relation_of_pairs(
    hierarchy: Hierarchy, true: Places, predicted: Places
) -> tuple[NDArray[np.str_], Numbers]:
    """Relation and number of links of each pair of concepts; pseudo-concepts have a negative position."""
    relation = np.full(true.size, "other root", dtype=f"<U{max(map(len, RELATIONS))}")
    links = np.full(true.size, np.nan)
    real = np.flatnonzero((true >= 0) & (predicted >= 0))
    relation[(true < 0) | (predicted < 0)] = "no concept"
    upward = hierarchy.links_upward
    least = np.full(real.size, np.inf)
    # Later relations are closer and overwrite earlier ones.
    marks = {name: np.zeros(real.size, dtype=bool) for name in ("far", "cousin", "sibling", "down", "up")}
    for common in common_ancestors(upward, true[real], predicted[real]):
        first, second, pair = upward.data[common.first], upward.data[common.second], common.pair
        np.minimum.at(least, pair, first + second)
        marks["far"][pair] = True
        marks["cousin"][pair[(first == 2) & (second == 2)]] = True  # noqa: PLR2004 - a grandparent
        marks["sibling"][pair[(first == 1) & (second == 1)]] = True
        marks["down"][pair[first == 0]] = True
        marks["up"][pair[second == 0]] = True
    for name in ("far", "cousin", "sibling"):
        relation[real[marks[name]]] = name
    near = least == 1
    for mark, close, distant in (("down", "child", "descendant"), ("up", "parent", "ancestor")):
        relation[real[marks[mark] & ~near]] = distant
        relation[real[marks[mark] & near]] = close
    relation[real[true[real] == predicted[real]]] = "same"
    links[real] = np.where(np.isinf(least), np.nan, least)
    return relation, links
