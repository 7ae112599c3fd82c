"""The concepts that a file has not made obsolete, with names, labels and replacements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ontoeval.errors import CORRECT, MOST_SHOWN, enumerate_some
from ontoeval.ontology.names import Namespaces, Spellings, choose_label, name_all, obo_id, with_label
from ontoeval.ontology.raw_ontology import RawOntology

TRANSLATE = (
    "Correct the names, or translate them with a concept map "
    "(--concept-map FILE; in Python concept_map= of read_labels)."
)
DEPRECATED = "deprecated"
OUTSIDE = "outside the branches"
ISOLATED = "without link and label"


@dataclass(frozen=True, eq=False)
class LiveConcepts:
    """The concepts of a file that are not deprecated."""

    raw: RawOntology
    language: str
    where: str

    @cached_property
    def names(self) -> dict[str, str]:
        """Name of each concept, whatever is left out afterwards."""
        live = [iri for iri in self.raw.concepts if iri not in self.raw.deprecated]
        return {name: name for name in live} if self.raw.plain else name_all(live, self.raw.prefixes)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each concept, "" where it has none."""
        return {iri: choose_label(self.raw.labels.get(iri, ()), self.language) for iri in self.names}

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Links between live concepts."""
        if not self.raw.deprecated:
            return self.raw.links
        return {
            (parent, child): kind
            for (parent, child), kind in self.raw.links.items()
            if parent in self.names and child in self.names
        }

    @cached_property
    def _iris(self) -> dict[str, str]:
        return {name: iri for iri, name in self.names.items()}

    @cached_property
    def _spellings(self) -> Spellings:
        raw = self.raw
        concepts = {
            name: ("" if raw.plain else iri, self.labels[iri] or raw.local(iri))
            for iri, name in self.names.items()
        }
        return Spellings.of(concepts, raw.prefixes, same=self.same)

    @cached_property
    def same(self) -> dict[str, tuple[str, str]]:
        """Name of the concept that each equivalent IRI was merged into, and the label of the IRI itself."""
        raw = self.raw
        return {
            iri: (self.names[kept], choose_label(raw.labels.get(iri, ()), self.language))
            for iri, kept in raw.same.items()
            if kept in self.names
        }

    def replaced(self, kept: Container[str]) -> dict[str, dict[str, str]]:
        """Spellings of each replaced identifier, with the name of the kept concept that replaces it."""
        if not self.raw.replaced:
            return {}
        names, spellings = self.names, self._spellings
        live = {iri: name for iri, name in names.items() if iri in kept}
        live |= {iri: names[one] for iri, one in self.raw.same.items() if one in live}
        namespaces = Namespaces.of(self.raw.prefixes)

        def called(iri: str) -> list[str]:
            every = dict.fromkeys([*self.spellings_of(iri), f"<{iri}>", *namespaces.curies(iri)])
            return [spelling for spelling in every if spelling not in spellings.exact]

        return follow_replacements(self.raw.replaced, live, called)

    def considered(self, kept: Container[str]) -> dict[str, tuple[str, ...]]:
        """Concepts that may replace each deprecated spelling; somebody must choose one."""
        raw, meant = self.raw, defaultdict[str, set[str]](set)
        for old, iris in raw.considered.items():
            live = {raw.same.get(iri, iri) for iri in iris}
            for spelling in () if old in kept else self.spellings_of(old):
                meant[spelling] |= {self.names[iri] for iri in live if iri in kept}
        return {spelling: tuple(sorted(names)) for spelling, names in sorted(meant.items()) if names}

    def dead_ends(self, gone: Mapping[str, str]) -> dict[str, str]:
        """Reason why the named replacements of each deprecated spelling lead to no concept."""
        raw = self.raw

        def successors(iri: str) -> list[str]:
            named = {raw.replaced[iri]} if iri in raw.replaced else raw.considered.get(iri, set())
            return sorted(raw.same.get(one, one) for one in named)

        def fate(iri: str) -> str:
            if iri in raw.deprecated:
                return "is obsolete too"
            if iri in gone:
                return f"was left out ({gone[iri]})"
            return "" if iri in self.names else "does not exist"

        def shown(iri: str) -> str:
            name, label = (*obo_id(iri), self.names.get(iri) or raw.local(iri))[0], raw.labels.get(iri, ())
            return with_label(name, choose_label(label, self.language))

        found = ((iri, why_dead_end(iri, successors, fate, shown)) for iri in sorted(raw.deprecated))
        return {spelling: why for iri, why in found if why for spelling in self.spellings_of(iri)}

    def spellings_of(self, iri: str) -> tuple[str, ...]:
        """Spellings of a concept, deprecated or not."""
        label = self.labels.get(iri) or choose_label(self.raw.labels.get(iri, ()), self.language)
        return (iri, self.names.get(iri) or self.raw.local(iri), *obo_id(iri), *([label] if label else ()))

    def resolve(self, texts: Sequence[str], *, option: str) -> set[str]:
        """IRIs of the concepts that an option names."""
        if not texts:
            return set()
        gone = {spelling: DEPRECATED for iri in self.raw.deprecated for spelling in self.spellings_of(iri)}
        places = dict.fromkeys(texts, f"`{option}`")
        remedy = TRANSLATE if option == "concepts" else CORRECT
        found = self._spellings.resolve(places, left_out=gone, where=self.where, remedy=remedy)
        return {self._iris[name] for name in found.values()}

    def outside(self, roots: Iterable[str]) -> dict[str, str]:
        """Concepts outside the branches, with the reason."""
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
        """Concepts without link and label, in a file that labels most of what it links."""
        if self.raw.plain:  # a name says as much as a label
            return {}
        linked = {end for link in self.links for end in link}
        if 2 * sum(bool(self.labels[iri]) for iri in linked) <= len(linked):
            return {}
        return {
            iri: ISOLATED
            for iri, label in self.labels.items()
            if not label and iri not in linked and iri not in asked
        }


# Replacements -----------------------------------------------------------------------------------------------


def follow_replacements(
    replaced: Mapping[str, str], live: Mapping[str, str], called: Callable[[str], Iterable[str]]
) -> dict[str, dict[str, str]]:
    """Follow replacements to live concepts; returns the unambiguous spellings of each old identifier."""
    ends: dict[str, str | None] = dict(live)
    for old in replaced:
        way: dict[str, None] = {}
        current = old
        while current not in ends and current not in way and current in replaced:
            way[current] = None
            current = replaced[current]
        # What replaces each other in a circle leads nowhere, and so does what nothing is said of.
        ends |= dict.fromkeys(way, ends.get(current))
    led = {old: end for old in replaced if old not in live and (end := ends[old]) is not None}
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for old, name in led.items():
        for spelling in called(old):
            meant[spelling].add(name)
    return {
        old: {spelling: name for spelling in called(old) if len(meant[spelling]) == 1}
        for old, name in led.items()
    }


def why_dead_end(
    old: str,
    successors: Callable[[str], Sequence[str]],
    gone: Callable[[str], str],
    called: Callable[[str], str],
) -> str:
    """Why replacements of an identifier lead to no concept; "" if none is named, or one is in use."""
    way, steps = {old: None}, list[str]()
    while following := successors(next(reversed(way))):
        what = "that one's replacement" if steps else "its replacement"
        fates = sorted({gone(one) for one in following})
        if "" in fates and not steps:
            return ""
        if len(following) > 1:
            ends = " or ".join(fate or "is in use" for fate in fates)
            steps.append(f"each of {what}s {enumerate_some(map(called, following))} {ends}")
            break
        if following[0] in way:
            steps.append(f"{what} {called(following[0])!r} leads back to it")
            break
        steps.append(f"{what} {called(following[0])!r} {fates[0] or 'is in use'}")
        way[following[0]] = None
        if len(steps) == MOST_SHOWN:  # chains of thousands are found in files made by programs
            steps.append("so on")
            break
    text = ", and ".join(steps)
    return f"{text[0].upper()}{text[1:]}." if text else ""
