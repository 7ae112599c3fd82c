"""Changed hierarchies, and what becomes of labels and rules whose concepts are taken out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.csr import choose_entries, line, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class ChangedHierarchy:
    """A changed hierarchy, and what has become of the labels.

    Parameters
    ----------
    hierarchy
        The changed hierarchy.
    original
        The one that it was made of.
    moved
        Each label that is no more, with the labels that take its place.
    lost
        What could not be kept: rules and tables of costs.

    See Also
    --------
    collapse_level, insert_nodes, merge_siblings : Make one.
    """

    hierarchy: Hierarchy
    original: Hierarchy
    moved: Mapping[str, tuple[str, ...]]
    lost: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the mapping."""
        object.__setattr__(self, "moved", MappingProxyType(dict(self.moved)))

    def carry(self, labels: LabelSets) -> LabelSets:
        """Move label sets to the changed hierarchy.

        Parameters
        ----------
        labels
            Sets over labels of the original.

        Returns
        -------
        LabelSets
            The same sets over the labels of the changed hierarchy.

        Raises
        ------
        MisalignedError
            If a label is none of the original's.

        Examples
        --------
        >>> from ontoeval.comparison.perturbed_hierarchies import collapse_level
        >>> thing = Hierarchy.from_edges([("thing", "plants"), ("plants", "trees")])
        >>> collapse_level(thing, 2).carry(LabelSets.from_sets([["trees"]])).labels_of("0")
        ('plants',)
        """
        old, new = self.original.label_vocabulary, self.hierarchy.label_vocabulary
        pairs = [
            (column, new.index[name])
            for column, concept in enumerate(old)
            for name in self.moved.get(concept, (concept,))
        ]
        rows, columns = np.array(pairs, dtype=np.intp).T
        ones = np.ones(len(pairs), dtype=bool)
        moves = sparse.csr_array((ones, (rows, columns)), shape=(len(old), len(new)))
        return LabelSets(labels.within(old).matrix @ moves, new, labels.samples)


def without_concepts(
    hierarchy: Hierarchy,
    gone: NDArray[np.bool_],
    links: sparse.csr_array,
    ends: sparse.csr_array,
    unbound: Collection[str] = (),
) -> ChangedHierarchy:
    """Take out concepts: their labels become others, and rules about them hold for what is below them."""
    names, kept = hierarchy.vocabulary, np.flatnonzero(~gone)
    labels = gone & ~hierarchy.abstract
    taking = np.zeros(gone.size, dtype=bool)
    taking[choose_entries(ends, labels[row_of_entries(ends)]).indices] = True
    abstract = hierarchy.abstract & ~taking
    downwards = hierarchy.parents.T.tocsr()

    def named(table: sparse.csr_array, row: int) -> tuple[str, ...]:
        return tuple(names[column] for column in line(table, row).tolist())

    out = np.flatnonzero(gone).tolist()
    above = {names[row]: named(ends, row) for row in out}
    below = {names[row]: named(downwards, row) for row in out} | dict.fromkeys(unbound, ())
    exclusions = [
        Exclusion(first, second, rule.source)
        for rule in hierarchy.exclusions
        for first in below.get(rule.first, (rule.first,))
        for second in below.get(rule.second, (rule.second,))
        if first != second
    ]
    requirements = [
        Requirement(concept, _satisfying(rule.any_of, above), rule.relation, rule.precondition)
        for rule in hierarchy.requirements
        for concept in below.get(rule.concept, (rule.concept,))
    ]
    bound: list[tuple[tuple[str, ...], str]]
    bound = [((rule.first, rule.second), str(rule)) for rule in hierarchy.exclusions]
    bound += [((rule.concept,), str(rule)) for rule in hierarchy.requirements]
    lost = [text for concepts, text in bound if any(not below.get(name, True) for name in concepts)]
    stays = ~gone[hierarchy.labels]
    complete = not np.any(hierarchy.abstract & taking)
    costs = {name: table[np.ix_(stays, stays)] for name, table in hierarchy.costs.items()} if complete else {}
    lost += [f"cost {name!r} (a new label lacks in it)" for name in hierarchy.costs if name not in costs]
    smaller = replace(
        hierarchy,
        vocabulary=Vocabulary(tuple(names[row] for row in kept.tolist())),
        parents=links[kept][:, kept],
        abstract=abstract[kept],
        exclusions=tuple(exclusions),
        requirements=tuple(requirements),
        weights={name: values[kept] for name, values in hierarchy.weights.items()},
        costs=costs,
    )
    moved = {names[row]: above[names[row]] for row in np.flatnonzero(labels).tolist()}
    return ChangedHierarchy(smaller, hierarchy, moved, tuple(lost))


def _satisfying(any_of: Iterable[str], above: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in any_of for name in above.get(one, (one,))))
