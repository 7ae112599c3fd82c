"""A taxonomy compared with a gold taxonomy: links and ancestors in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.table import DIGITS, Column, Table
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.sparse import row_of_entries

Link = tuple[str, str]


class LinkCounts(NamedTuple):
    """Counts of links, or of pairs of a concept and an ancestor.

    Parameters
    ----------
    shared
        Those that both taxonomies have.
    proposed
        Those of the taxonomy.
    gold
        Those of the gold taxonomy.
    """

    shared: int
    """Those that both taxonomies have."""
    proposed: int
    """Those of the taxonomy."""
    gold: int
    """Those of the gold taxonomy."""

    @property
    def precision(self) -> float:
        """Share of what is proposed that is in the gold taxonomy; nan where nothing is proposed."""
        return self.shared / self.proposed if self.proposed else nan

    @property
    def recall(self) -> float:
        """Share of the gold taxonomy that is proposed; nan where it has nothing."""
        return self.shared / self.gold if self.gold else nan

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 where neither taxonomy has anything."""
        whole = self.proposed + self.gold
        return 2 * self.shared / whole if whole else 1.0


@dataclass(frozen=True)
class TaxonomyComparison:
    """What a taxonomy and a gold taxonomy have in common.

    Parameters
    ----------
    edges
        Links from parent to child.
    ancestors
        Pairs of a concept and an ancestor.
    concepts
        Concepts.
    false
        Links that the gold taxonomy lacks, sorted.
    missed
        Links of the gold taxonomy that the taxonomy lacks, sorted.
    """

    edges: LinkCounts
    ancestors: LinkCounts
    concepts: LinkCounts
    false: tuple[Link, ...] = field(repr=False)
    missed: tuple[Link, ...] = field(repr=False)

    @property
    def table(self) -> Table:
        """Counts and scores."""
        rows = {one: getattr(self, one) for one in ("edges", "ancestors", "concepts")}
        cells = ((name, *some, some.precision, some.recall, some.f1) for name, some in rows.items())
        titles = (
            *map(Column, ("of", *LinkCounts._fields)),
            *(Column(one, DIGITS) for one in ("P", "R", "F1")),
        )
        note = "No name is in both: give names= (--concept-map) if names differ."
        notes = () if self.concepts.shared else (note,)
        return Table("Taxonomy and gold taxonomy", titles, tuple(cells), notes)

    @property
    def differences(self) -> Table:
        """Links that one of the two has alone."""
        sides = {"false": self.false, "missed": self.missed}
        rows = tuple((side, *link) for side, links in sides.items() for link in links)
        return Table("Differing links", tuple(map(Column, ("link", "parent", "child"))), rows, keys=3)


@front_door
def compare_taxonomies(
    taxonomy: AnyHierarchy, gold: AnyHierarchy, *, names: Mapping[str, str] | None = None
) -> TaxonomyComparison:
    r"""Compare a taxonomy with a gold taxonomy: F1 of the links, and of their closure.

    .. math:: F_1 = \frac{2 |E \cap E'|}{|E| + |E'|}

    of the links E from parent to child, and of all pairs of an ancestor and a descendant.

    Parameters
    ----------
    taxonomy
        The taxonomy, as a hierarchy, an ontology, a path, or links from parent to child.
    gold
        The gold taxonomy.
    names
        For names or labels of concepts of the taxonomy, the names of these in the gold taxonomy; the others
        have the same name in both.

    Returns
    -------
    TaxonomyComparison
        Precision, recall and F1, and the links that differ.

    Raises
    ------
    UnknownConceptError
        If `names` has a concept that the taxonomy lacks.
    InputError
        If `names` gives two concepts of the taxonomy the same name.
    CycleError
        If one of them has a cycle.

    Notes
    -----
    Links against those of a gold taxonomy are what TExEval counts [bordea2015]_. That of closures is usual in
    later work; it is known here from programs, not from a paper.

    Examples
    --------
    >>> gold = [("pet", "cat"), ("pet", "dog")]
    >>> found = compare_taxonomies([("pet", "cat"), ("cat", "dog")], gold)
    >>> found.edges.f1, found.ancestors.f1, found.missed
    (0.5, 0.8, (('pet', 'dog'),))
    """
    names = names or {}
    new = dict(zip(taxonomy.vocabulary.positions(names).tolist(), names.values(), strict=True))
    renamed = Vocabulary(tuple(new.get(place, name) for place, name in enumerate(taxonomy.vocabulary)))
    every = Vocabulary(tuple(dict.fromkeys([*gold.vocabulary, *renamed])))
    sides = (taxonomy, every.positions(renamed)), (gold, every.positions(gold.vocabulary))
    links = [_pairs(one.parents, place, len(every)) for one, place in sides]
    closures = [_pairs(one.ancestors, place, len(every)) for one, place in sides]
    false, missed = (
        tuple(sorted((every[one % len(every)], every[one // len(every)]) for one in alone.tolist()))
        for alone in (np.setdiff1d(links[0], links[1]), np.setdiff1d(links[1], links[0]))
    )
    both = np.intersect1d(closures[0], closures[1], assume_unique=True)
    own, theirs = len(taxonomy.vocabulary), len(gold.vocabulary)
    return TaxonomyComparison(
        LinkCounts(links[0].size - len(false), links[0].size, links[1].size),
        LinkCounts(both.size, closures[0].size, closures[1].size),
        LinkCounts(own + theirs - len(every), own, theirs),
        false,
        missed,
    )


def _pairs(above: sparse.csr_array, place: Places, count: int) -> Places:
    """Give each pair of a concept and one above it a number."""
    child, parent = place[row_of_entries(above)], place[above.indices]
    return np.asarray((child * count + parent)[child != parent])
