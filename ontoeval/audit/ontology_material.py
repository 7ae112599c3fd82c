"""Material: what an audit of an ontology looks at, cycles and all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.sparse import row_of_entries
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.ontology.model import ISOLATED, Draft, Ontology
from ontoeval.ontology.names import choose_label, local_name, with_label
from ontoeval.ontology.report import Source, Tally

EMPTY = {
    "exclusions of a class by itself": "declared disjoint with itself",
    "owl:Nothing above a class, which then has no instances": "declared below owl:Nothing",
    "unions of nothing above a class": "declared below a union of no classes",
}
"""Why a class has no instances, by what readers call the axiom."""

_IS_A = frozenset({"is_a", "isa", "subclassof", "intersection_of", "union_of", "genusids"})
_LANGUAGES = ("rdfs:", "owl:", "skos:", "iso-thes:", "gvp:")
"""How the kinds of is-a links begin, in the languages that have such."""


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
        told, names = draft.raw, draft.names
        vocabulary = draft.vocabulary()
        parents, kinds = draft.matrix()
        labels = tuple(draft.labels[iri] for iri in draft.kept)
        plain = told.plain and not any(labels)
        nameless = tuple(n for n, label in zip(vocabulary, labels, strict=True) if not (label or plain))
        undeclared = tuple(sorted(names[iri] for iri in told.undeclared if iri in draft.kept))
        empty = {
            names[iri]: reason for reason in EMPTY for iri in told.unused.get(reason, ()) if iri in draft.kept
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
            Tally(len(nameless), nameless),
            Tally(len(undeclared), undeclared),
            Tally(len(told.imports), tuple(told.imports)),
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

    @property
    def shape(self) -> dict[str, Any]:
        """How deep the ontology is, and how it fans out."""
        names, depth = self.vocabulary, self.hierarchy.depth
        children = np.bincount(self.parents.indices, minlength=len(names))
        parents = np.diff(self.parents.indptr)
        leaves = children == 0
        return {
            "concepts": len(names),
            "labels": int((~self.abstract).sum()),
            "abstract": int(self.abstract.sum()),
            "links": self.parents.nnz,
            "roots": int((parents == 0).sum()),
            "leaves": int(leaves.sum()),
            "depth": int(depth.max()),
            "deepest": names[int(depth.argmax())],
            "mean depth of leaves": float(depth[leaves].mean()) if leaves.any() else None,
            "children": int(children.max()),
            "most children": names[int(children.argmax())] if children.any() else "",
            "mean children of inner concepts": float(children[~leaves].mean()) if not leaves.all() else None,
            "with one child": int((children == 1).sum()),
            "with several parents": int((parents > 1).sum()),
            "parents": int(parents.max()),
            "most parents": names[int(parents.argmax())] if parents.max() > 1 else "",
            "exclusions": len(self.exclusions),
            "requirements": len(self.requirements),
        }

    def _without(self, links: NDArray[np.bool_]) -> Hierarchy:
        children = row_of_entries(self.parents)
        kept = ~links & (self.tangles[children] != self.tangles[self.parents.indices])
        ends = children[kept], self.parents.indices[kept]
        parents = sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=self.parents.shape)
        marks = np.zeros(len(self.vocabulary), dtype=bool)
        return Hierarchy(self.vocabulary, parents, marks, self.exclusions, self.requirements)


def _relations(kinds: Iterable[str]) -> frozenset[str]:
    """Pick the kinds of links that do not say that one is the other; in doubt they do not."""
    kinds = frozenset(kinds)
    known = {kind for kind in kinds if kind.casefold() in _IS_A or kind.startswith(_LANGUAGES)}
    return kinds - known if known else frozenset()


def _given_up(draft: Draft) -> tuple[GivenUp, ...]:
    """Find concepts that were given up, and that others build on."""
    told, kept, shown = draft.raw, draft.kept, draft.shown
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
    replaced = draft.replaced if uses else {}
    return tuple(
        GivenUp(
            shown(iri),
            choose_label(told.labels.get(iri, ()), draft.language),
            tuple(sorted(users)),
            min(replaced.get(iri, {"": ""}).values()),
        )
        for iri, users in sorted(uses.items())
    )
