"""Changed hierarchies: a level collapsed, concepts inserted, siblings merged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from scipy import sparse

from ontoeval.comparison.perturbations import Seed, generator_of
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError
from ontoeval.plumbing.arrays import Marks
from ontoeval.plumbing.checks import unit_interval, whole_number
from ontoeval.plumbing.sparse import (
    choose_entries,
    number_equal_rows,
    pattern,
    pattern_at,
    row_of_entries,
    stored_columns,
)


@dataclass(frozen=True, eq=False)
class ChangedHierarchy:
    """A changed hierarchy, and the labels that replace those that are gone.

    Parameters
    ----------
    hierarchy
        The changed hierarchy.
    original
        The hierarchy before the change.
    moved
        Each label that is gone, with the labels that replace it.
    lost
        Rules and tables of costs that could not be kept.
    """

    hierarchy: Hierarchy
    original: Hierarchy
    moved: Mapping[str, tuple[str, ...]]
    lost: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the mapping."""
        object.__setattr__(self, "moved", MappingProxyType(dict(self.moved)))

    def carry(self, labels: LabelSets) -> LabelSets:
        """Carry label sets over to the changed hierarchy.

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
        """
        old, new = self.original.label_vocabulary, self.hierarchy.label_vocabulary
        pairs = [
            (column, new.index[name])
            for column, concept in enumerate(old)
            for name in self.moved.get(concept, (concept,))
        ]
        rows, columns = np.array(pairs, dtype=np.intp).T
        moves = pattern_at(rows, columns, (len(old), len(new)))
        return LabelSets(labels.within(old).matrix @ moves, new, labels.samples)


def _without_concepts(
    hierarchy: Hierarchy,
    gone: Marks,
    links: sparse.csr_array,
    ends: sparse.csr_array,
    unbound: Collection[str] = (),
) -> ChangedHierarchy:
    """Remove concepts: labels are replaced by the ends of a concept, rules hold for its children."""
    names, kept, out = hierarchy.vocabulary, np.flatnonzero(~gone), np.flatnonzero(gone).tolist()
    labels = gone & ~hierarchy.abstract
    taking = np.zeros(gone.size, dtype=bool)
    taking[choose_entries(ends, labels[row_of_entries(ends)]).indices] = True
    above, below = (
        {names[row]: tuple(names[column] for column in stored_columns(table, row).tolist()) for row in out}
        for table in (ends, hierarchy.parents.T.tocsr())
    )
    exclusions, requirements, lost = _rules_of(hierarchy, above, below | dict.fromkeys(unbound, ()))
    stays = ~gone[hierarchy.labels]
    complete = not np.any(hierarchy.abstract & taking)
    costs = {name: table[np.ix_(stays, stays)] for name, table in hierarchy.costs.items()} if complete else {}
    lost += [f"cost {name!r} (a new label lacks in it)" for name in hierarchy.costs if name not in costs]
    smaller = replace(
        hierarchy,
        vocabulary=Vocabulary(tuple(names[row] for row in kept.tolist()), hierarchy.vocabulary.names),
        parents=links[kept][:, kept],
        abstract=(hierarchy.abstract & ~taking)[kept],
        exclusions=exclusions,
        requirements=requirements,
        weights={name: values[kept] for name, values in hierarchy.weights.items()},
        costs=costs,
    )
    moved = {names[row]: above[names[row]] for row in np.flatnonzero(labels).tolist()}
    return ChangedHierarchy(smaller, hierarchy, moved, tuple(lost))


def _rules_of(
    hierarchy: Hierarchy, above: Mapping[str, tuple[str, ...]], below: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Exclusion, ...], tuple[Requirement, ...], list[str]]:
    """Make the rules for what is below removed concepts, and name those that hold for nothing."""
    exclusions = tuple(
        Exclusion(first, second, rule.source)
        for rule in hierarchy.exclusions
        for first in below.get(rule.first, (rule.first,))
        for second in below.get(rule.second, (rule.second,))
        if first != second
    )
    requirements: list[Requirement] = []
    bound: list[tuple[tuple[str, ...], str]]
    for rule in hierarchy.requirements:
        satisfying = dict.fromkeys(name for one in rule.any_of for name in above.get(one, (one,)))
        requirements += [
            Requirement(concept, tuple(satisfying), rule.relation, rule.precondition)
            for concept in below.get(rule.concept, (rule.concept,))
        ]
    bound = [((rule.first, rule.second), str(rule)) for rule in hierarchy.exclusions]
    bound += [((rule.concept,), str(rule)) for rule in hierarchy.requirements]
    lost = [text for concepts, text in bound if not all(below.get(name, True) for name in concepts)]
    return exclusions, tuple(requirements), lost


@front_door
def collapse_level(hierarchy: AnyHierarchy, level: int) -> ChangedHierarchy:
    """Remove the concepts of a level, and link their children to their parents.

    A label of that level becomes its parents, which then may be labels even if they were abstract. A rule
    about a removed concept holds for its children; a requirement of removed concepts is satisfied by their
    parents, too: so no set breaks a rule that it did not break before. Tables of costs that lack a new label
    are dropped.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    level
        Depth of the concepts, from 1: roots have no parents.

    Returns
    -------
    ChangedHierarchy
        The smaller hierarchy, and the labels that replace others.

    Raises
    ------
    ParameterError
        If there is no such level, or it is that of the roots.

    Examples
    --------
    >>> links = [("thing", "plants"), ("plants", "trees"), ("plants", "flowers")]
    >>> flatter = collapse_level(Hierarchy.from_edges(links), 1)
    >>> flatter.hierarchy.vocabulary.concepts, flatter.hierarchy.levels
    (('thing', 'trees', 'flowers'), 2)
    >>> dict(flatter.moved)
    {'plants': ('thing',)}
    >>> flatter.carry(LabelSets.from_sets([["plants"]])).labels_of("0")
    ('thing',)
    """
    if hierarchy.levels < 2:  # noqa: PLR2004 - nothing lies below the roots
        raise ParameterError("level", level, "a hierarchy in which something lies below a root")
    deepest = hierarchy.levels - 1
    level = whole_number("level", level, 1, most=deepest, expected=f"a depth from 1 to {deepest}")
    gone, links = hierarchy.depth == level, hierarchy.parents
    through = links[:, np.flatnonzero(gone)] @ links[np.flatnonzero(gone)]
    ends = choose_entries(links, gone[row_of_entries(links)])
    return _without_concepts(hierarchy, gone, pattern(links + through), ends)


@front_door
def merge_siblings(hierarchy: AnyHierarchy, rate: float, *, seed: Seed) -> ChangedHierarchy:
    """Merge pairs of siblings: leaves that are labels and have the same parents.

    Siblings are paired at random, and each pair is merged with probability `rate` under the name of the
    first, those of a lower rate at a higher one too. Rules about the second alone are lost; requirements of
    the second are satisfied by the first.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    rate
        From 0 to 1.
    seed
        Random seed, or a generator, which is advanced.

    Returns
    -------
    ChangedHierarchy
        The smaller hierarchy, and the labels that replace others.

    Raises
    ------
    ParameterError
        If the rate or the seed is out of range.

    Examples
    --------
    >>> plants = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> dict(merge_siblings(plants, 1, seed=0).moved)
    {'flowers': ('trees',)}
    """
    rate, rng = unit_interval("rate", rate), generator_of(seed)
    links = hierarchy.parents
    leaf = (np.diff(links.T.tocsr().indptr) == 0) & (np.diff(links.indptr) > 0) & ~hierarchy.abstract
    found = np.flatnonzero(leaf)
    rng.shuffle(found)
    family = number_equal_rows(links[found])
    order = np.argsort(family, kind="stable")
    found, family = found[order], family[order]
    place = np.arange(found.size) - np.searchsorted(family, family)
    second = np.flatnonzero(place % 2 == 1)
    second = second[rng.random(second.size) < rate]
    gone = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    gone[found[second]] = True
    ends = pattern_at(found[second], found[second - 1], links.shape)
    # A rule about one of the two does not hold for what is labelled with either.
    bound = {hierarchy.vocabulary[place] for place in found[second - 1].tolist()}
    return _without_concepts(hierarchy, gone, links, ends, bound)


@front_door
def insert_nodes(hierarchy: AnyHierarchy, rate: float, *, seed: Seed) -> ChangedHierarchy:
    """Insert an abstract concept between parent and child on some of the links.

    Labels, rules and tables of costs stay as they are. A new concept has the weights of its child. Concepts
    that are inserted at a lower rate are inserted at a higher one too.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    rate
        Share of the links, from 0 to 1.
    seed
        Random seed, or a generator, which is advanced.

    Returns
    -------
    ChangedHierarchy
        The larger hierarchy, new concepts last, with the same labels.

    Raises
    ------
    ParameterError
        If the rate or the seed is out of range.

    Examples
    --------
    >>> plants = Hierarchy.from_edges([("plants", "trees")])
    >>> insert_nodes(plants, 1, seed=0).hierarchy.vocabulary.concepts
    ('plants', 'trees', 'plants > trees')
    """
    rate, rng = unit_interval("rate", rate), generator_of(seed)
    links, count, names = hierarchy.parents, len(hierarchy.vocabulary), hierarchy.vocabulary
    chosen = rng.random(links.nnz) < rate
    child, parent = row_of_entries(links), links.indices
    below, above = child[chosen], parent[chosen]
    new = count + np.arange(below.size)
    rows = np.concatenate([child[~chosen], below, new])
    columns = np.concatenate([parent[~chosen], new, above])
    total = count + below.size
    between = dict.fromkeys(names)
    for high, low in zip(above.tolist(), below.tolist(), strict=True):
        name = f"{names[high]} > {names[low]}"
        while name in between:
            name += "'"
        between[name] = None
    larger = replace(
        hierarchy,
        vocabulary=Vocabulary(tuple(between), hierarchy.vocabulary.names),
        parents=pattern_at(rows, columns, (total, total)),
        abstract=np.concatenate([hierarchy.abstract, np.ones(below.size, dtype=bool)]),
        weights={name: np.concatenate([values, values[below]]) for name, values in hierarchy.weights.items()},
    )
    return ChangedHierarchy(larger, hierarchy, {})
