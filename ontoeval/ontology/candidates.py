"""Candidates: the concepts that a file has not given up, named, labelled and found by their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ontoeval.errors import CORRECT
from ontoeval.ontology.names import Namespaces, choose_label, name_all
from ontoeval.ontology.replacements import dead_end, lead_on
from ontoeval.ontology.spellings import Spellings, obo_id, with_label
from ontoeval.ontology.told import Told

TRANSLATE = (
    "Correct the names, or translate them with a concept map "
    "(--concept-map FILE; in Python concept_map= of read_labels)."
)
DEPRECATED = "deprecated"
OUTSIDE = "outside the branches"
ISOLATED = "without link and label"


@dataclass(frozen=True, eq=False)
class Candidates:
    """The concepts that a file has not given up."""

    told: Told
    language: str
    where: str

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each concept; it does not depend on what is left out afterwards."""
        live = [iri for iri in self.told.concepts if iri not in self.told.deprecated]
        return {name: name for name in live} if self.told.plain else name_all(live, self.told.prefixes)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each concept, "" where it has none."""
        return {iri: choose_label(self.told.labels.get(iri, ()), self.language) for iri in self.names}

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Links between live concepts."""
        if not self.told.deprecated:
            return self.told.links
        return {
            (parent, child): kind
            for (parent, child), kind in self.told.links.items()
            if parent in self.names and child in self.names
        }

    @cached_property
    def _iris(self) -> dict[str, str]:
        return {name: iri for iri, name in self.names.items()}

    @cached_property
    def _spellings(self) -> Spellings:
        told = self.told
        concepts = {
            name: ("" if told.plain else iri, self.labels[iri] or told.local(iri))
            for iri, name in self.names.items()
        }
        return Spellings.of(concepts, told.prefixes, same=self.same)

    @cached_property
    def same(self) -> dict[str, tuple[str, str]]:
        """Of each IRI that became one with another concept, the name of that and a label of its own."""
        told = self.told
        return {
            iri: (self.names[kept], choose_label(told.labels.get(iri, ()), self.language))
            for iri, kept in told.same.items()
            if kept in self.names
        }

    def replaced(self, kept: Container[str]) -> dict[str, dict[str, str]]:
        """Of each identifier that was given up for a concept that is kept, the spellings with its name."""
        if not self.told.replaced:
            return {}
        names, spellings = self.names, self._spellings
        live = {iri: name for iri, name in names.items() if iri in kept}
        live |= {iri: names[one] for iri, one in self.told.same.items() if one in live}
        namespaces = Namespaces.of(self.told.prefixes)

        def called(iri: str) -> list[str]:
            every = dict.fromkeys([*self.called(iri), f"<{iri}>", *namespaces.curies(iri)])
            return [spelling for spelling in every if spelling not in spellings.exact]

        return lead_on(self.told.replaced, live, called)

    def considered(self, kept: Container[str]) -> dict[str, tuple[str, ...]]:
        """Of each spelling of what was given up, the names of the concepts that may take its place."""
        told, meant = self.told, defaultdict[str, set[str]](set)
        for old, iris in told.considered.items():
            live = {told.same.get(iri, iri) for iri in iris}
            for spelling in () if old in kept else self.called(old):
                meant[spelling] |= {self.names[iri] for iri in live if iri in kept}
        return {spelling: tuple(sorted(names)) for spelling, names in sorted(meant.items()) if names}

    def dead_ends(self, gone: Mapping[str, str]) -> dict[str, str]:
        """Of each spelling of what is obsolete, why the replacements that are named lead to no concept."""
        told = self.told

        def successors(iri: str) -> list[str]:
            named = {told.replaced[iri]} if iri in told.replaced else told.considered.get(iri, set())
            return sorted(told.same.get(one, one) for one in named)

        def fate(iri: str) -> str:
            if iri in told.deprecated:
                return "is obsolete too"
            if iri in gone:
                return f"was left out ({gone[iri]})"
            return "" if iri in self.names else "does not exist"

        def shown(iri: str) -> str:
            name, label = (*obo_id(iri), self.names.get(iri) or told.local(iri))[0], told.labels.get(iri, ())
            return with_label(name, choose_label(label, self.language))

        found = ((iri, dead_end(iri, successors, fate, shown)) for iri in sorted(told.deprecated))
        return {spelling: why for iri, why in found if why for spelling in self.called(iri)}

    def called(self, iri: str) -> tuple[str, ...]:
        """List by what a concept may be named, live or not."""
        label = self.labels.get(iri) or choose_label(self.told.labels.get(iri, ()), self.language)
        return (iri, self.names.get(iri) or self.told.local(iri), *obo_id(iri), *([label] if label else ()))

    def resolve(self, texts: Sequence[str], *, option: str) -> set[str]:
        """IRIs of the concepts that an option names."""
        if not texts:
            return set()
        gone = {spelling: DEPRECATED for iri in self.told.deprecated for spelling in self.called(iri)}
        places = dict.fromkeys(texts, f"`{option}`")
        remedy = TRANSLATE if option == "concepts" else CORRECT
        found = self._spellings.resolve(places, left_out=gone, where=self.where, remedy=remedy)
        return {self._iris[name] for name in found.values()}

    def beyond(self, roots: Iterable[str]) -> dict[str, str]:
        """List what lies in none of the branches."""
        children = defaultdict(list)
        for parent, child in self.links:
            children[parent].append(child)
        inside = set(roots)
        waiting = list(inside)
        while waiting:
            new = [child for child in children[waiting.pop()] if child not in inside]
            inside.update(new)
            waiting += new
        return {iri: OUTSIDE for iri in self.names if iri not in inside}

    def isolated(self, asked: set[str]) -> dict[str, str]:
        """List what has neither link nor label, in a file that labels most of what it links."""
        if self.told.plain:  # a name says as much as a label
            return {}
        linked = {end for link in self.links for end in link}
        if 2 * sum(bool(self.labels[iri]) for iri in linked) <= len(linked):
            return {}
        return {
            iri: ISOLATED
            for iri, label in self.labels.items()
            if not label and iri not in linked and iri not in asked
        }
