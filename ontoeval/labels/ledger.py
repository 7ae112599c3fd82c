"""The ledger of a label file: whatever was met in it and makes no label, counted by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ontoeval.errors import MOST_SHOWN, enumerate_some, pluralise
from ontoeval.plumbing.json_text import Json

Paths = dict[str, "Paths"]
"""Keys that a decoder reads, each with those that it reads below; without one, all below is read."""


@dataclass(frozen=True)
class Ledger:
    """Nulls, labels that are marked as absent, and what is not used, by name: none of these makes a label."""

    nulls: int = 0
    negated: int = 0
    unused: Mapping[str, int] = field(default_factory=Counter)

    def __add__(self, other: Ledger) -> Ledger:
        """Add up the ledgers of two parts of a file."""
        unused = Counter(self.unused) + Counter(other.unused)
        return Ledger(self.nulls + other.nulls, self.negated + other.negated, unused)

    @property
    def notes(self) -> Iterator[str]:
        """Remarks on nulls, which are read as no label, on absent labels, and on what is not used."""
        if self.nulls:
            yield f"{pluralise(self.nulls, 'null')} among the labels, read as no label"
        if self.negated:
            count, how = pluralise(self.negated, "label"), "(score, compare, audit: --negative 0)"
            yield f"left out {count} marked as absent, which verified labels keep {how}"
        if self.unused:  # what is rare may be misspelt
            rare = sorted(self.unused.items(), key=lambda item: item[1])[:MOST_SHOWN]
            shown = enumerate_some((f"{name} ({count:,})" for name, count in rare), total=len(self.unused))
            yield f"not used: {shown}"


def paths_of(*paths: str) -> Paths:
    """All keys of some paths; a path has dots between keys, and may have [] behind those of lists."""
    read: Paths = {}
    for path in paths:
        at = read
        for key in path.replace("[]", "").split("."):
            at = at.setdefault(key, {})
    return read


def is_nothing(value: Json) -> bool:
    """Whether a value of JSON holds nothing that could be lost."""
    return not value and not isinstance(value, int | float)


def unread(value: Json, read: Paths, place: str = "") -> Iterator[str]:
    """Name the keys of an object, or of those in a list, that no decoder reads and that hold something."""
    if isinstance(value, list):
        for item in value:
            yield from unread(item, read, place)
    for key, held in value.items() if isinstance(value, dict) else ():
        at = f"{place}.{key}" if place else key
        below = read.get(key)
        if below is None:
            below = next((read[name] for name in read if name[:1] == "*" and key.endswith(name[1:])), None)
        if below:
            yield from unread(held, below, at)
        elif below is None and not is_nothing(held):
            yield at
