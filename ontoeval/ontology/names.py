"""Names of concepts: local names, CURIEs, labels and other spellings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from ontoeval.core.names import Namespaces
from ontoeval.ontology.raw_ontology import RawOntology


def name_all(local_names: Mapping[str, str], raw: RawOntology) -> dict[str, str]:
    """Name each concept by the shortest name that no other has: its own or local name, CURIE, or IRI."""
    own = {iri: name for iri, name in raw.own_names.items() if name and iri in local_names}
    names = {**local_names, **own}
    if len(set(names.values())) == len(names):
        return names
    # The empty prefix is for reading only: a name that begins with a colon is no help.
    namespaces = Namespaces.from_prefixes({prefix: space for prefix, space in raw.prefixes.items() if prefix})
    for iri in _not_alone(names):
        names[iri] = next(iter(namespaces.curies(iri)), iri)
    names.update((iri, iri) for iri in _not_alone(names))  # a CURIE may look like a local name
    return names


def choose_labels(iris: Iterable[str], raw: RawOntology, several: set[str], language: str) -> dict[str, str]:
    """Choose the label of each concept, or "": in the language, in its variants, untagged, any other."""
    asked = language.lower()
    base = asked.partition("-")[0]
    ranks, found = {"": 3, base: 1, asked: 0}, dict.fromkeys(iris, "")
    best: dict[str, tuple[int, int, str, str]] = {}
    for concept, text, tag, place in raw.labels:
        label = " ".join(text.split())
        if concept in several and label:
            if tag not in ranks:
                ranks[tag] = 2 if tag.partition("-")[0] == base else 4
            best[concept] = min(best.get(concept, (5, 0, "", "")), (ranks[tag], place, tag, label))
            found[concept] = best[concept][-1]
        elif label:
            found[concept] = text if text == label else label
    return found


def _not_alone(names: Mapping[str, str]) -> list[str]:
    bearers = Counter(names.values())
    return [iri for iri, name in names.items() if bearers[name] > 1]


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
        # Circular replacements lead nowhere, nor do unknown identifiers.
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
