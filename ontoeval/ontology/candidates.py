"""Candidates: the concepts that a file has not given up, named, labelled and found by their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ontoeval.ontology.names import choose_label, local_name, name_all
from ontoeval.ontology.spellings import Spellings
from ontoeval.ontology.told import Told

DEPRECATED = "deprecated"
OUTSIDE = "outside the branches"
ISOLATED = "without link and label"


@dataclass(frozen=True, eq=False)
class Candidates:
    """The concepts that a file has not given up."""

    told: Told
    prefixes: Mapping[str, str]
    language: str
    where: str

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each concept; it does not depend on what is left out afterwards."""
        live = (iri for iri in self.told.concepts if iri not in self.told.deprecated)
        return name_all(live, self.prefixes)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each concept, "" where it has none."""
        return {iri: choose_label(self.told.labels.get(iri, ()), self.language) for iri in self.names}

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Links between live concepts."""
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
        return Spellings.of(
            {name: (iri, self.labels[iri] or local_name(iri)) for iri, name in self.names.items()},
            self.prefixes,
        )

    def called(self, iri: str) -> tuple[str, ...]:
        """Name and label of a concept, live or not."""
        return (self.names.get(iri) or local_name(iri), *filter(None, (self.labels.get(iri),)))

    def resolve(self, texts: Sequence[str], *, option: str) -> set[str]:
        """IRIs of the concepts that an option names."""
        if not texts:
            return set()
        gone = {spelling: DEPRECATED for iri in self.told.deprecated for spelling in (iri, *self.called(iri))}
        places = dict.fromkeys(texts, f"`{option}`")
        found = self._spellings.resolve(places, left_out=gone, where=self.where)
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
        linked = {end for link in self.links for end in link}
        if 2 * sum(bool(self.labels[iri]) for iri in linked) <= len(linked):
            return {}
        return {
            iri: ISOLATED
            for iri, label in self.labels.items()
            if not label and iri not in linked and iri not in asked
        }
