"""Reading reports: counts of what was read from an ontology file and what was left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from heapq import nsmallest
from html import escape
from typing import NamedTuple

from ontoeval.errors import MOST_SHOWN


@dataclass(frozen=True)
class Source:
    """Where an ontology comes from.

    Parameters
    ----------
    path
        Name of the file.
    format
        Syntax of the file.
    iri, version
        Those that the file states.
    digest
        SHA-256 of the content of the file.
    """

    path: str = ""
    format: str = ""
    iri: str = ""
    version: str = ""
    digest: str = ""


class ReportRow(NamedTuple):
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
    def from_items(cls, items: Iterable[str]) -> Tally:
        """Count some items."""
        items = list(items)
        return cls(len(items), tuple(nsmallest(MOST_SHOWN, {item for item in items if item})))


Tallies = Mapping[str, Tally]
NamedCounts = Mapping[str, int]


def tallies(pairs: Iterable[tuple[str, str]]) -> dict[str, Tally]:
    """Count items by reason."""
    groups = defaultdict(list)
    for reason, item in pairs:
        groups[reason].append(item)
    return {reason: Tally.from_items(groups[reason]) for reason in sorted(groups)}


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
    found, left_out
        Concepts in the file, and those that were left out, by reason.
    concepts, abstract, roots
        Concepts of the ontology, those that are never labels, and those without a parent.
    levels
        Links on the longest path from a root.
    links
        Links by axiom or relation.
    links_left_out
        Links that were left out, by reason, with the lower concept.
    cut
        Links that were cut to break cycles, all of them, as "child -> parent".
    several_parents
        Concepts with more than one parent.
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
    replaced
        Deprecated identifiers that still find the concepts which replace them.
    undeclared
        Concepts that the file uses without declaring them.
    languages, unlabelled
        Labels by language tag, "" for those without, and concepts without a label.
    ambiguous, clashing
        Labels, and local names, of several concepts.
    imported, imports
        Imported ontologies that were read, and those that were not.
    also
        What the file holds beside `read_as`.

    Examples
    --------
    >>> ReadingReport("OWL classes", found=3, concepts=3, levels=1).rows()[1]
    ReportRow(item='concepts found', value=3, examples=())
    """

    read_as: str = field(default_factory=str, metadata={"title": "read as"})
    found: int = field(default_factory=int, metadata={"title": "concepts found"})
    left_out: Tallies = field(default_factory=dict, metadata={"title": "left out: {}"})
    concepts: int = field(default_factory=int, metadata={"title": "concepts"})
    abstract: Tally = field(default_factory=Tally, metadata={"title": "of these abstract"})
    roots: Tally = field(default_factory=Tally, metadata={"title": "roots"})
    levels: int = field(default_factory=int, metadata={"title": "levels of links"})
    links: NamedCounts = field(default_factory=dict, metadata={"title": "links from {}"})
    links_left_out: Tallies = field(default_factory=dict, metadata={"title": "links left out: {}"})
    cut: Tally = field(default_factory=Tally, metadata={"title": "links cut to break cycles"})
    several_parents: Tally = field(default_factory=Tally, metadata={"title": "several parents"})
    exclusions: NamedCounts = field(default_factory=dict, metadata={"title": "exclusions from {}"})
    preconditions: NamedCounts = field(default_factory=dict, metadata={"title": "preconditions by {}"})
    other_requirements: NamedCounts = field(default_factory=dict, metadata={"title": "no preconditions: {}"})
    rules_left_out: Tallies = field(default_factory=dict, metadata={"title": "rules left out: {}"})
    unused: Tallies = field(default_factory=dict, metadata={"title": "not used: {}"})
    equivalents: Tally = field(default_factory=Tally, metadata={"title": "equal to others, merged"})
    replaced: Tally = field(default_factory=Tally, metadata={"title": "replaced by concepts"})
    undeclared: Tally = field(default_factory=Tally, metadata={"title": "used but not declared"})
    languages: NamedCounts = field(default_factory=dict, metadata={"title": "labels in {}"})
    unlabelled: Tally = field(default_factory=Tally, metadata={"title": "without a label"})
    ambiguous: Tally = field(default_factory=Tally, metadata={"title": "ambiguous labels"})
    clashing: Tally = field(default_factory=Tally, metadata={"title": "ambiguous local names"})
    imported: Tally = field(default_factory=Tally, metadata={"title": "imports read"})
    imports: Tally = field(default_factory=Tally, metadata={"title": "imports not read"})
    also: str = field(default_factory=str, metadata={"title": "not read as"})

    def rows(self) -> tuple[ReportRow, ...]:
        """List all counts for a table; zeros of optional items are omitted.

        Returns
        -------
        tuple of Row
            Item, value and examples.
        """
        found = {
            one.name: _report_rows(one.metadata["title"], getattr(self, one.name)) for one in fields(self)
        }
        found["concepts"].append(ReportRow("of these labels", self.concepts - self.abstract.count))
        found["levels"].append(ReportRow("links", sum(self.links.values())))
        return tuple(row for name, rows in found.items() for row in rows if row.value or name in _ALWAYS)

    def _repr_html_(self) -> str:
        """Keep line breaks in a notebook."""
        return f"<pre>{escape(str(self))}</pre>"

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


_ALWAYS = frozenset({"read_as", "found", "left_out", "concepts", "abstract", "roots", "levels"})
_NAMELESS = {"preconditions by {}": "preconditions", "labels in {}": "labels in no language"}


def _report_rows(item: str, value: Mapping[str, int | Tally] | Tally | int | str) -> list[ReportRow]:
    if isinstance(value, Mapping):
        titles = {key: item.format(key) for key in value} | (
            {"": _NAMELESS[item]} if item in _NAMELESS else {}
        )
        return [row for key, one in value.items() for row in _report_rows(titles[key], one)]
    return [
        ReportRow(item, value.count, value.examples) if isinstance(value, Tally) else ReportRow(item, value)
    ]


def _printable(text: str) -> str:
    """Show control characters as an escape: a label could otherwise rewrite the line."""
    return text if text.isprintable() else repr(text)
