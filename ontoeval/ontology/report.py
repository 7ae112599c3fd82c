"""Reading reports: counts of what was read from an ontology file and what was left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

from ontoeval.errors import MOST_SHOWN


@dataclass(frozen=True)
class Source:
    """Where an ontology comes from."""

    path: str = ""
    format: str = ""
    iri: str = ""
    version: str = ""
    digest: str = ""


class Row(NamedTuple):
    """One line of a report."""

    item: str
    value: int | str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tally:
    """A count, and a few examples."""

    count: int = 0
    examples: tuple[str, ...] = ()

    @classmethod
    def of(cls, items: Iterable[str]) -> Tally:
        """Count some items."""
        items = list(items)
        return cls(len(items), tuple(nsmallest(MOST_SHOWN, {item for item in items if item})))


Tallies = Mapping[str, Tally]


def tallies(pairs: Iterable[tuple[str, str]]) -> dict[str, Tally]:
    """Count items by reason."""
    groups = defaultdict(list)
    for reason, item in pairs:
        groups[reason].append(item)
    return {reason: Tally.of(groups[reason]) for reason in sorted(groups)}


def counts(items: Iterable[str]) -> dict[str, int]:
    """Count how often each item occurs."""
    return dict(sorted(Counter(items).items()))


@dataclass(frozen=True)
class ReadingReport:
    """Counts of what was read and left out, with examples: names, and local names of what is left out.

    Parameters
    ----------
    read_as
        "OWL classes", "SKOS concepts", or another description of the file.
    found
        Concepts in the file.
    left_out
        Concepts that were left out, by reason.
    undeclared
        Concepts that the file uses without declaring them.
    concepts, abstract, roots
        Concepts of the ontology, those that are never labels, and those without a parent.
    levels
        Links on the longest path from a root.
    several_parents
        Concepts with more than one parent.
    links
        Links by axiom or relation.
    links_left_out
        Links that were left out, by reason, with the lower concept.
    exclusions
        Pairs of concepts that exclude each other, by axiom.
    preconditions, other_requirements
        Requirements that are preconditions of labelling, and others, by relation.
    rules_left_out
        Exclusions and requirements of concepts that were left out.
    unused
        Other statements of the file that were ignored, by kind.
    equivalents
        Concepts that were merged into equivalent ones.
    languages
        Labels by language tag, "" for those without.
    unlabelled
        Concepts without a label, which are shown by their local name.
    ambiguous
        Labels of several concepts, which therefore name none of them.
    clashing
        Local names of several concepts, which therefore have longer names.
    imports, imported
        Imported ontologies that were not read, and those that were.
    replaced
        Deprecated identifiers that still find the concepts which replace them.
    also
        What the file holds beside `read_as`.

    Examples
    --------
    >>> ReadingReport("OWL classes", found=3, concepts=3, levels=1).rows()[1]
    Row(item='concepts found', value=3, examples=())
    """

    read_as: str = ""
    found: int = 0
    left_out: Tallies = field(default_factory=dict)
    undeclared: Tally = Tally()
    concepts: int = 0
    abstract: Tally = Tally()
    roots: Tally = Tally()
    levels: int = 0
    several_parents: Tally = Tally()
    links: Mapping[str, int] = field(default_factory=dict)
    links_left_out: Tallies = field(default_factory=dict)
    exclusions: Mapping[str, int] = field(default_factory=dict)
    preconditions: Mapping[str, int] = field(default_factory=dict)
    other_requirements: Mapping[str, int] = field(default_factory=dict)
    rules_left_out: Tallies = field(default_factory=dict)
    unused: Tallies = field(default_factory=dict)
    equivalents: Tally = Tally()
    languages: Mapping[str, int] = field(default_factory=dict)
    unlabelled: Tally = Tally()
    ambiguous: Tally = Tally()
    clashing: Tally = Tally()
    imports: Tally = Tally()
    imported: Tally = Tally()
    replaced: Tally = Tally()
    also: str = ""

    def rows(self) -> tuple[Row, ...]:
        """List all counts for a table; zeros of optional items are omitted.

        Returns
        -------
        tuple of Row
            Item, value and examples.
        """
        values = vars(self) | {
            "labels": self.concepts - self.abstract.count,
            "all links": sum(self.links.values()),
        }
        found = [(name, row) for item, name in _ITEMS.items() for row in _rows(item, values[name])]
        return tuple(row for name, row in found if row.value or name in _ALWAYS)

    def __str__(self) -> str:
        """Show the rows as plain text."""
        rows = self.rows()
        values = [f"{row.value:,}" if isinstance(row.value, int) else row.value for row in rows]
        first, second = max(len(row.item) for row in rows), max(map(len, values))
        lines = (
            f"{row.item:<{first}}  {value:>{second}}  {', '.join(map(_printable, row.examples))}".rstrip()
            for row, value in zip(rows, values, strict=True)
        )
        return "\n".join(lines)


# Titles of rows, with the fields that they show, those of reasons with the reason.
_ITEMS = {
    "read as": "read_as",
    "concepts found": "found",
    "left out: {}": "left_out",
    "concepts": "concepts",
    "of these labels": "labels",
    "of these abstract": "abstract",
    "roots": "roots",
    "levels of links": "levels",
    "links": "all links",
    "links from {}": "links",
    "links left out: {}": "links_left_out",
    "several parents": "several_parents",
    "exclusions from {}": "exclusions",
    "preconditions by {}": "preconditions",
    "no preconditions: {}": "other_requirements",
    "rules left out: {}": "rules_left_out",
    "not used: {}": "unused",
    "equal to others, merged": "equivalents",
    "replaced by concepts": "replaced",
    "used but not declared": "undeclared",
    "labels in {}": "languages",
    "without a label": "unlabelled",
    "ambiguous labels": "ambiguous",
    "ambiguous local names": "clashing",
    "imports read": "imported",
    "imports not read": "imports",
    "not read as": "also",
}
_ALWAYS = tuple(_ITEMS.values())[:9]
_NAMELESS = {"preconditions by {}": "preconditions", "labels in {}": "labels in no language"}


def _rows(item: str, value: Mapping[str, int | Tally] | Tally | int | str) -> list[Row]:
    if isinstance(value, Mapping):
        titles = {key: item.format(key) for key in value} | (
            {"": _NAMELESS[item]} if item in _NAMELESS else {}
        )
        return [row for key, one in value.items() for row in _rows(titles[key], one)]
    return [Row(item, value.count, value.examples) if isinstance(value, Tally) else Row(item, value)]


def _printable(text: str) -> str:
    """Show control characters as an escape: a label could otherwise rewrite the line."""
    return text if text.isprintable() else repr(text)
