"""Names: what a concept is called and how it is labelled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ontoeval.ontology.triples import Text


def local_name(iri: str) -> str:
    """Take the last part of an IRI."""
    trimmed = iri.rstrip("#/") or iri
    for separator in "#/:":
        if separator in trimmed:
            return trimmed.rpartition(separator)[2] or trimmed
    return trimmed


class Namespaces(NamedTuple):
    """The prefixes of a file, turned around."""

    prefixes: Mapping[str, Sequence[str]]
    lengths: Sequence[int]

    @classmethod
    def of(cls, prefixes: Mapping[str, str]) -> Namespaces:
        """Turn the prefixes around."""
        found = defaultdict(list)
        for prefix, namespace in sorted(prefixes.items()):
            if namespace:
                found[namespace].append(prefix)
        return cls(dict(found), sorted({len(namespace) for namespace in found}, reverse=True))

    def curies(self, iri: str) -> list[str]:
        """Abbreviate an IRI."""
        return [
            f"{prefix}:{iri[length:]}"
            for length in self.lengths
            if length < len(iri)
            for prefix in self.prefixes.get(iri[:length], ())
        ]


def name_all(iris: Iterable[str], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Give each concept the shortest name that no other has: local name, CURIE, or IRI."""
    names = {iri: local_name(iri) for iri in iris}
    # The empty prefix is for reading only: a name that begins with a colon tells nothing.
    namespaces = Namespaces.of({prefix: space for prefix, space in prefixes.items() if prefix})
    for iri in _not_alone(names):
        names[iri] = next(iter(namespaces.curies(iri)), iri)
    names.update((iri, iri) for iri in _not_alone(names))  # a CURIE may look like a local name
    return names


def choose_label(labels: Iterable[Iterable[Text]], language: str) -> str:
    """Choose the label to show: in the asked language, in its variants, untagged, any other."""
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
    """List the IRIs whose name is another's as well."""
    bearers = Counter(names.values())
    return [iri for iri, name in names.items() if bearers[name] > 1]
