"""Names of concepts: local names, CURIEs, labels and other spellings."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ontoeval.errors import (
    CORRECT,
    MOST_SHOWN,
    AmbiguousNameError,
    UnknownConceptError,
    enumerate_some,
    shortened,
)
from ontoeval.ontology.triples import Text


def local_name(iri: str) -> str:
    """Last part of an IRI."""
    trimmed = iri.rstrip("#/") or iri
    for separator in "#/:":
        if separator in trimmed:
            return trimmed.rpartition(separator)[2] or trimmed
    return trimmed


class Namespaces(NamedTuple):
    """The prefixes of each namespace of a file, and the lengths of the namespaces."""

    prefixes: Mapping[str, Sequence[str]]
    lengths: Sequence[int]

    @classmethod
    def of(cls, prefixes: Mapping[str, str]) -> Namespaces:
        """Invert a mapping of prefixes to namespaces."""
        found = defaultdict(list)
        for prefix, namespace in sorted(prefixes.items()):
            if namespace:
                found[namespace].append(prefix)
        return cls(dict(found), sorted({len(namespace) for namespace in found}, reverse=True))

    def curies(self, iri: str) -> list[str]:
        """Abbreviations of an IRI, those by the longest namespace first."""
        return [
            f"{prefix}:{iri[length:]}"
            for length in self.lengths
            if length < len(iri)
            for prefix in self.prefixes.get(iri[:length], ())
        ]


def name_all(iris: Iterable[str], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Name each concept by the shortest name that no other has: local name, CURIE, or IRI."""
    names = {iri: local_name(iri) for iri in iris}
    # The empty prefix is for reading only: a name that begins with a colon is no help.
    namespaces = Namespaces.of({prefix: space for prefix, space in prefixes.items() if prefix})
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


OBO = "http://purl.obolibrary.org/obo/"
"""Where the IRIs of OBO ontologies begin."""

_OBO_ID = re.compile(r"([A-Za-z][A-Za-z_]*)_(\w+)")


# Spellings --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spellings:
    """The names that each spelling of a concept may mean; `folded` disregards case."""

    exact: Mapping[str, tuple[str, ...]]
    folded: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        concepts: Mapping[str, tuple[str, str]],
        prefixes: Mapping[str, str],
        *,
        same: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    ) -> Spellings:
        """Collect names, IRIs, CURIEs and labels; `concepts` gives IRI and label by name."""
        namespaces = Namespaces.of(prefixes)
        exact: dict[str, tuple[str, ...]] = {name: (name,) for name in concepts}
        named = ((name, iri) for name, (iri, _) in concepts.items() if iri)
        identifiers = (
            (spelling, name)
            for name, iri in chain(named, ((name, iri) for iri, (name, _) in same.items()))
            for spelling in (iri, f"<{iri}>", local_name(iri), *namespaces.curies(iri), *obo_id(iri))
        )
        _add(exact, identifiers)
        labels = [(label, name) for name, (_, label) in concepts.items()]
        labels += [(label, name) for name, label in same.values() if label]
        _add(exact, labels)
        folded: dict[str, tuple[str, ...]] = {}
        _add(
            folded,
            ((fold(spelling), name) for spelling, name in (*labels, *zip(concepts, concepts, strict=True))),
        )
        return cls(exact, folded)

    def find(self, text: str) -> tuple[str, ...]:
        """Find the concepts that a text may mean."""
        return self.exact.get(text) or self.exact.get(text.strip()) or self.folded.get(fold(text), ())

    def resolve(
        self,
        texts: Iterable[str] | Mapping[str, str],
        *,
        left_out: Mapping[str, str],
        replaced: Mapping[str, str] = MappingProxyType({}),
        where: str = "",
        remedy: str = CORRECT,
    ) -> dict[str, str]:
        """Find the one concept that each text means; a mapping gives the place of each, for messages."""
        places = texts if isinstance(texts, Mapping) else {}
        resolved: dict[str, str] = {}
        unknown: dict[str, str] = {}
        for text in dict.fromkeys(texts):
            found = self.find(text)
            if len(found) > 1:
                place = ", ".join(filter(None, (where, places.get(text, ""))))
                raise AmbiguousNameError(text, found, where=place)
            if found:
                resolved[text] = found[0]
            elif text.strip() in replaced:
                resolved[text] = replaced[text.strip()]
            else:
                unknown[text] = places.get(text, "")
        if not unknown:
            return resolved
        # IRIs resemble each other, so they are no help as near names.
        known = [spelling for spelling in self.exact if "/" not in spelling and spelling[:1] != ":"]
        gone = [f"{text!r} ({left_out[text]})" for text in unknown if text in left_out]
        if gone:
            remedy = f"Left out when the ontology was read: {', '.join(gone[:MOST_SHOWN])}."
        raise UnknownConceptError(unknown, known, where=where, remedy=remedy)


def fold(text: str) -> str:
    """Normalise case, surrounding blanks, and the encoding of accents."""
    return unicodedata.normalize("NFC", text.strip()).casefold()


def with_label(name: str, label: str, *others: str) -> str:
    """Name a concept, with its label in brackets where that differs."""
    known = {_letters(text) for text in ("", name, *others)}
    return name if _letters(label) in known else f"{name} ({shortened(label)})"


def _letters(text: str) -> str:
    return fold(text).replace("_", "").replace(" ", "")


def obo_id(iri: str) -> tuple[str, ...]:
    """Abbreviate an IRI of the OBO library, to GO:0005634 for example."""
    match = _OBO_ID.fullmatch(iri.removeprefix(OBO)) if iri.startswith(OBO) else None
    return (f"{match[1]}:{match[2]}",) if match else ()


def _add(spellings: dict[str, tuple[str, ...]], found: Iterable[tuple[str, str]]) -> None:
    new: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for spelling, name in found:
        if spelling not in spellings:
            new[spelling][name] = None
    spellings.update((spelling, tuple(sorted(names))) for spelling, names in new.items())


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
