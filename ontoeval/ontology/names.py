"""Names of concepts: local names, CURIEs, labels and other spellings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from ontoeval.core.names import Namespaces, local_name
from ontoeval.errors import MOST_SHOWN, enumerate_some
from ontoeval.ontology.triples import Text


def name_all(
    iris: Iterable[str], prefixes: Mapping[str, str], own: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Name each concept by the shortest name that no other has: its own or local name, CURIE, or IRI."""
    names = {iri: own.get(iri) or local_name(iri) for iri in iris}
    # The empty prefix is for reading only: a name that begins with a colon is no help.
    namespaces = Namespaces.from_prefixes({prefix: space for prefix, space in prefixes.items() if prefix})
    for iri in _not_alone(names):
        names[iri] = next(iter(namespaces.curies(iri)), iri)
    names.update((iri, iri) for iri in _not_alone(names))  # a CURIE may look like a local name
    return names


def choose_label(labels: Iterable[Iterable[Text]], language: str) -> str:
    """Choose the label to show: in the language, in its variants, untagged, any other."""
    asked = language.lower()
    base = asked.partition("-")[0]
    best: tuple[int, int, str, str] | None = None
    for order, group in enumerate(labels):
        for text, tag in group:
            if tag == asked:
                rank = 0
            elif tag.partition("-")[0] == base:
                rank = 1 if tag == base else 2
            else:
                rank = 4 if tag else 3
            candidate = (rank, order, tag, " ".join(text.split()))
            if candidate[-1] and (best is None or candidate < best):
                best = candidate
    return best[-1] if best else ""


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


def why_dead_end(
    old: str,
    successors: Callable[[str], Sequence[str]],
    gone: Callable[[str], str],
    called: Callable[[str], str],
    noun: Callable[[str], str],
) -> str:
    """Why the named replacements of an identifier lead to no concept; "" if none is named or one is live."""
    way, steps = {old: None}, list[str]()
    while following := successors(next(reversed(way))):
        what = ("that one's " if steps else "its ") + noun(next(reversed(way)))
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
