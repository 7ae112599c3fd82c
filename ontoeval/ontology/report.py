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
    concepts
        Concepts of the ontology.
    abstract
        Concepts that are never labels.
    roots
        Concepts without a parent.
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
    preconditions
        Requirements that are preconditions of labelling, by relation.
    other_requirements
        Other requirements, by relation.
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
    imports
        Imported ontologies that were not read.
    imported
        Imported ontologies that were read.
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

        Examples
        --------
        >>> len(ReadingReport("SKOS concepts").rows())
        8
        """
        always = [
            Row("read as", self.read_as),
            Row("concepts found", self.found),
            *_by_reason("left out", self.left_out),
            Row("concepts", self.concepts),
            Row("of these labels", self.concepts - self.abstract.count),
            Row("of these abstract", *_values(self.abstract)),
            Row("roots", *_values(self.roots)),
            Row("levels of links", self.levels),
            Row("links", sum(self.links.values())),
        ]
        sometimes = [
            *(Row(f"links from {axiom}", count) for axiom, count in self.links.items()),
            *_by_reason("links left out", self.links_left_out),
            Row("several parents", *_values(self.several_parents)),
            *(Row(f"exclusions from {axiom}", count) for axiom, count in self.exclusions.items()),
            *(
                Row(f"preconditions by {name}" if name else "preconditions", count)
                for name, count in self.preconditions.items()
            ),
            *(Row(f"no preconditions: {name}", count) for name, count in self.other_requirements.items()),
            *_by_reason("rules left out", self.rules_left_out),
            *_by_reason("not used", self.unused),
            Row("equal to others, merged", *_values(self.equivalents)),
            Row("replaced by concepts", *_values(self.replaced)),
            Row("used but not declared", *_values(self.undeclared)),
            *(Row(f"labels in {tag or 'no language'}", count) for tag, count in self.languages.items()),
            Row("without a label", *_values(self.unlabelled)),
            Row("ambiguous labels", *_values(self.ambiguous)),
            Row("ambiguous local names", *_values(self.clashing)),
            Row("imports read", *_values(self.imported)),
            Row("imports not read", *_values(self.imports)),
            Row("not read as", self.also),
        ]
        return (*always, *(row for row in sometimes if row.value))

    def __str__(self) -> str:
        """Show the rows as plain text."""
        rows = self.rows()
        width = max(len(row.item) for row in rows)
        number = max(len(_shown(row.value)) for row in rows)
        lines = (
            (
                f"{row.item:<{width}}",
                f"{_shown(row.value):>{number}}",
                ", ".join(map(_printable, row.examples)),
            )
            for row in rows
        )
        return "\n".join("  ".join(line).rstrip() for line in lines)


def _values(tally: Tally) -> tuple[int, tuple[str, ...]]:
    return tally.count, tally.examples


def _by_reason(item: str, reasons: Tallies) -> list[Row]:
    return [Row(f"{item}: {reason}", *_values(tally)) for reason, tally in reasons.items()]


def _shown(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def _printable(text: str) -> str:
    """Show control characters as an escape: a label could otherwise rewrite the line."""
    return text if text.isprintable() else repr(text)
