"""Material: what an audit of an ontology looks at, cycles and all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.csr import row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.ontology.draft import Draft
from ontoeval.ontology.live_concepts import ISOLATED
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.names import choose_label, local_name, with_label
from ontoeval.ontology.report import Source, Tally


class GivenUp(NamedTuple):
    """A concept that was given up and that others still build on."""

    name: str
    label: str
    users: tuple[tuple[str, str], ...]
    instead: str


@dataclass(frozen=True, eq=False)
class Material:
    """What an audit of an ontology looks at."""

    source: Source
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    parents: sparse.csr_array
    kinds: tuple[str, ...]
    relations: frozenset[str]
    abstract: NDArray[np.bool_]
    exclusions: tuple[Exclusion, ...]
    requirements: tuple[Requirement, ...]
    unlabelled: Tally = field(default_factory=Tally)
    undeclared: Tally = field(default_factory=Tally)
    imports: Tally = field(default_factory=Tally)
    apart: tuple[str, ...] = ()
    self_links: tuple[str, ...] = ()
    empty: tuple[tuple[str, str], ...] = ()
    given_up: tuple[GivenUp, ...] | None = None

    @classmethod
    def of_ontology(cls, ontology: Ontology) -> Material:
        """Take an ontology; what kept its file from being one, or was left out, is not to be seen."""
        arrays, report = ontology.arrays, ontology.report
        # What has no label is shown by its local name.
        names = zip(ontology.iris, ontology.labels, strict=True)
        unclear = bool(report.unlabelled.count)
        return cls(
            ontology.source,
            arrays.vocabulary,
            tuple("" if unclear and iri and label == local_name(iri) else label for iri, label in names),
            arrays.parents,
            ontology.kinds,
            _relations(ontology.kinds),
            arrays.abstract,
            arrays.exclusions,
            arrays.requirements,
            report.unlabelled,
            report.undeclared,
            report.imports,
        )

    @classmethod
    def of_draft(cls, draft: Draft) -> Material:
        """Take what a file says."""
        candidates = draft.live
        told, names = candidates.raw, candidates.names
        vocabulary = draft.vocabulary()
        parents, kinds = draft.matrix()
        labels = tuple(candidates.labels[iri] for iri in draft.kept)
        plain = told.plain and not any(labels)
        nameless = [name for name, label in zip(vocabulary, labels, strict=True) if not (label or plain)]
        empty = {
            names[iri]: reason
            for reason in _EMPTY
            for iri in told.unused.get(reason, ())
            if iri in draft.kept
        }
        exclusions, requirements = draft.rules()
        return cls(
            draft.source,
            vocabulary,
            labels,
            parents,
            kinds,
            frozenset(told.relations),
            draft.marks(),
            exclusions,
            requirements,
            _all(nameless),
            _all(sorted(names[iri] for iri in told.undeclared if iri in draft.kept)),
            _all(told.imports),
            tuple(sorted(names[iri] for iri, reason in draft.left_out.items() if reason == ISOLATED)),
            tuple(sorted(names[iri] for iri in told.self_links if iri in draft.kept)),
            tuple(sorted(empty.items())),
            _given_up(draft),
        )

    def called(self, name: str) -> str:
        """Name a concept such that a reader knows it: with its label, where that says more."""
        return with_label(name, self.labels[self.vocabulary.index[name]])

    @cached_property
    def is_a(self) -> NDArray[np.bool_]:
        """One mark per link: whether it says that one is the other."""
        return np.array([kind not in self.relations for kind in self.kinds], dtype=bool)

    @cached_property
    def kind_of(self) -> dict[tuple[int, int], str]:
        """The kind of each link, by positions of child and parent."""
        ends = zip(row_of_entries(self.parents).tolist(), self.parents.indices.tolist(), strict=True)
        return dict(zip(ends, self.kinds, strict=True))

    @cached_property
    def tangles(self) -> NDArray[np.intp]:
        """For each concept a number that it shares with those that are its ancestors and descendants."""
        from scipy.sparse.csgraph import connected_components

        _, component = connected_components(self.parents, directed=True, connection="strong")
        return np.asarray(component, dtype=np.intp)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy without the links of cycles: what follows from it, follows with them as well."""
        return self._without(np.zeros(len(self.kinds), dtype=bool))

    @cached_property
    def kinship(self) -> Hierarchy:
        """The same of the links alone that say that one is the other."""
        return self.hierarchy if self.is_a.all() else self._without(~self.is_a)

    def _without(self, links: NDArray[np.bool_]) -> Hierarchy:
        children = row_of_entries(self.parents)
        kept = ~links & (self.tangles[children] != self.tangles[self.parents.indices])
        ends = children[kept], self.parents.indices[kept]
        parents = sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=self.parents.shape)
        marks = np.zeros(len(self.vocabulary), dtype=bool)
        return Hierarchy(self.vocabulary, parents, marks, self.exclusions, self.requirements)


_IS_A = frozenset({"is_a", "isa", "subclassof", "intersection_of", "union_of", "genusids"})
_LANGUAGES = ("rdfs:", "owl:", "skos:", "iso-thes:", "gvp:")
"""How the kinds of links begin that say that one is the other, in the languages that have such."""


def _relations(kinds: Iterable[str]) -> frozenset[str]:
    """Pick the kinds of links that do not say that one is the other; in doubt they do not."""
    kinds = frozenset(kinds)
    known = {kind for kind in kinds if kind.casefold() in _IS_A or kind.startswith(_LANGUAGES)}
    return kinds - known if known else frozenset()


_EMPTY = (
    "exclusions of a class by itself",
    "owl:Nothing above a class, which then has no instances",
    "unions of nothing above a class",
)
"""What readers call what leaves a class without instances."""


def _all(names: Iterable[str]) -> Tally:
    listed = tuple(names)
    return Tally(len(listed), listed)


def _given_up(draft: Draft) -> tuple[GivenUp, ...]:
    """Find concepts that were given up, and that others build on."""
    told, kept, shown = draft.live.raw, draft.kept, draft.shown
    gone = told.deprecated
    uses: dict[str, dict[tuple[str, str], None]] = {}
    for parent, child in told.links:
        if parent in gone and child in kept:
            uses.setdefault(parent, {})[shown(child), "below it"] = None
    for need in told.requirements:
        for iri in need.any_of if need.concept in kept else ():
            if iri in gone:
                uses.setdefault(iri, {})[shown(need.concept), f"needing it ({need.relation})"] = None
    for one, other in told.exclusions:
        for old, user in ((one, other), (other, one)):
            if old in gone and user in kept:
                uses.setdefault(old, {})[shown(user), "excluding it"] = None
    replaced = draft.live.replaced(kept) if uses else {}
    return tuple(
        GivenUp(
            shown(iri),
            choose_label(told.labels.get(iri, ()), draft.live.language),
            tuple(sorted(users)),
            min(replaced.get(iri, {"": ""}).values()),
        )
        for iri, users in sorted(uses.items())
    )
