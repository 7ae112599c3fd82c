"""Findings of an audit: rule, severity, samples, explanation and fix."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.choices import Severity
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import NO_NAMES, ConceptNames
from ontoeval.core.showing import Brief, Page, page_of
from ontoeval.core.table import Tabled
from ontoeval.errors import enumerate_some, one_of, pluralise
from ontoeval.plumbing.files import FilePath

SEVERITIES: tuple[Severity, ...] = get_args(Severity)

Severities = Mapping[str, Severity | Literal["off"]]
"""By rule another severity, or "off"."""

Certainty = Literal["certain", "axiom", "question"]
"""Evidence of a finding: the files alone, a rule of the ontology, or a frequency that needs a decision."""

CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)

SeenIn = Literal["first", "later", "all"]
"""Which rows of its samples show a finding: the first of each, those after it, or all."""

EXAMPLES = 5
"""Most samples that a finding names."""

WORST = 10
"""Most worst samples that are named."""

MOST = 1_000
"""Most findings of a rule that are shown one by one."""


def _no_rows() -> NDArray[np.intp]:
    return np.empty(0, dtype=np.intp)


@dataclass(frozen=True)
class AuditRule:
    """A rule of an audit, with the texts of its findings; words in braces are filled in."""

    name: str
    severity: Severity
    description: str
    certainty: Certainty = "certain"
    explanation: str = ""
    fix: str | None = None
    common: Sequence[str] = ()
    own: str = ""

    def make_finding(
        self,
        concepts: tuple[str, ...],
        count: int,
        words: Mapping[str, object] = MappingProxyType({}),
        **more: object,
    ) -> Finding:
        """Make a finding: the texts of the rule with some words; `more` are other fields of `Finding`."""
        words = {"count": count, "total": more.get("total"), **words}
        fields: dict[str, Any] = {"severity": self.severity, "certainty": self.certainty}
        for name in ("explanation", "fix", "own"):
            text = getattr(self, name)
            fields[name] = text.format_map(words) if text and name not in more else text
        fields["common"] = () if "common" in more else tuple(text.format_map(words) for text in self.common)
        return Finding(self.name, concepts=concepts, count=count, **{**fields, **more})

    def found_in(self, cases: Sequence[str], words: Mapping[str, object], **more: object) -> Finding:
        """Make a finding that lists all its cases; they are concepts, unless `concepts` is given."""
        fields: dict[str, Any] = {"concepts": tuple(cases), "count": len(cases), "key": (self.name,), **more}
        return self.make_finding(words=words, cases=tuple(cases), **fields)


@cache
def rules_of(audit: Literal["labels", "ontology", "run"]) -> Mapping[str, AuditRule]:
    """Read the rules of an audit, by name."""
    tables = tomllib.loads(files(__package__).joinpath("rules.toml").read_text(encoding="utf-8"))
    return {name: AuditRule(name, **fields) for name, fields in tables[audit].items()}


@dataclass(frozen=True, repr=False)
class Finding(Brief):
    """One thing that is wrong with some concepts, and all samples that show it.

    Parameters
    ----------
    rule, severity
        Name of the broken rule; "error", "warning" or "note".
    concepts
        The concepts concerned, or what the file writes in their place.
    count
        Number of samples; of concepts or links where the finding is not about samples.
    samples, total
        The first few of these samples; the largest possible count, if there is one.
    explanation, fix, fixable
        What is wrong and why; how to correct it, if known; whether `correct_labels` can do so.
    rows
        Positions of all these samples.
    key
        Identity across versions of the file; by default the rule and the concepts.
    cases
        The concepts, links or rules that show it, where these are not samples.
    line, seen_in
        Line of the file where it is first seen; which rows of its samples show it.
    undecided
        Positions of samples that are not corrected, since their rows contradict each other.
    common, own
        Explanation and fix shared with findings about other concepts; what this one adds.
    certainty
        Its evidence: "certain" (the files alone), "axiom" (a rule of the ontology) or "question".
    members
        The concepts of each case.

    Examples
    --------
    >>> both = ("summer", "winter")
    >>> Finding("exclusion", "error", both, 2, ("p1", "p7"), 80, "Both.").key
    ('exclusion', 'summer', 'winter')
    """

    rule: str
    severity: Severity
    concepts: tuple[str, ...]
    count: int
    samples: tuple[str, ...] = ()
    total: int | None = None
    explanation: str = ""
    fix: str | None = None
    fixable: bool = False
    rows: NDArray[np.intp] = field(default_factory=_no_rows, repr=False, compare=False)
    key: tuple[str, ...] = field(default=(), repr=False)
    cases: tuple[str, ...] = field(default=(), repr=False)
    members: tuple[tuple[str, ...], ...] = field(default=(), repr=False, compare=False, kw_only=True)
    line: int | None = None
    seen_in: SeenIn = "first"
    undecided: NDArray[np.intp] = field(default_factory=_no_rows, repr=False, compare=False)
    common: tuple[str, ...] = field(default=(), repr=False, compare=False)
    own: str = field(default="", repr=False, compare=False)
    certainty: Certainty = field(default="certain", repr=False, compare=False)

    @property
    def _brief(self) -> str:
        return f"{self.rule!r}, {self.severity!r}, [{enumerate_some(self.concepts)}], {self.count:,}"

    def __post_init__(self) -> None:
        """Make the key, where none is given."""
        object.__setattr__(self, "key", self.key or (self.rule, *self.concepts))

    @property
    def lists(self) -> bool:
        """Whether it is a list of concepts, each of which is a case."""
        return bool(self.cases) and self.cases == self.concepts

    @property
    def content(self) -> dict[str, Any]:
        """The finding as JSON holds it."""
        names = ("rule", "severity", "concepts", "count", "samples", "total", "explanation", "fix", "fixable")
        values = ((name, getattr(self, name)) for name in names)
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in values}
        cases = zip_longest(() if self.lists else self.cases, self.members, fillvalue=())
        return {**own, "cases": [{"case": case, "concepts": list(concepts)} for case, concepts in cases]}

    @property
    def order(self) -> tuple[object, ...]:
        """Its place among others: certain ones first, then the worst, then the most frequent; notes last."""
        # A note claims no fault, however certain it is; but one that asks something wants an answer.
        ranks = CERTAINTIES.index(self.certainty), SEVERITIES.index(self.severity)
        last = self.severity == "note" and self.certainty != "question"
        return last, *ranks, -self.count, self.rule, self.concepts, self.key


class LineNumbers(NamedTuple):
    """The lines of a file on which rows begin: the first of each sample, later ones with their samples."""

    first: NDArray[np.int32]
    later: NDArray[np.int32]
    sample: NDArray[np.intp]

    @classmethod
    def from_rows(cls, starts: NDArray[np.int32], sample_of_row: NDArray[np.intp]) -> LineNumbers:
        """Separate the first row of each sample from the others."""
        first = np.unique(sample_of_row, return_index=True)[1]
        later = np.delete(np.arange(starts.size), first)
        return cls(starts[first], starts[later], sample_of_row[later])

    def lines_of(self, finding: Finding, most: int) -> tuple[int, ...]:
        """List the lines that show a finding."""
        met = [] if finding.line is None else [finding.line]
        starts = self.first[finding.rows[:most]].tolist() if finding.seen_in != "later" else []
        if finding.seen_in != "first":
            starts = sorted((*starts, *self.later[np.isin(self.sample, finding.rows)].tolist()))
        # A label occurs first in a header or in the first sample, at or after the sample's line.
        inside = met and starts and starts[0] <= met[0]
        return tuple(dict.fromkeys((*met, *starts[1 if inside else 0 :])))[:most]


@dataclass(frozen=True, repr=False)
class Findings(Tabled):
    """All that an audit found: what is certain first, then the worst, then what is most frequent.

    Parameters
    ----------
    found
        The findings, in any order.
    facts
        What was audited and how it was read, by name.
    hierarchy
        The concepts that were audited, or that labels were audited by.
    samples, lines
        Identifiers of all samples, and the lines on which their rows begin, if known.
    checks
        Names of the rules that were checked; empty where these are not known.

    Examples
    --------
    >>> rare = Finding("rare", "note", ("a",), 1)
    >>> findings = Findings([rare, Finding("unknown", "error", ("b",), 3)])
    >>> [finding.rule for finding in findings], findings.fails("warning")
    (['unknown', 'rare'], True)
    """

    found: Sequence[Finding]
    facts: Mapping[str, Any] = field(default_factory=dict)
    hierarchy: Hierarchy | None = field(default=None, repr=False, compare=False, kw_only=True)
    samples: tuple[str, ...] = field(default=(), repr=False, compare=False, kw_only=True)
    lines: LineNumbers | None = field(default=None, repr=False, compare=False, kw_only=True)
    checks: tuple[str, ...] = field(default=(), repr=False, compare=False, kw_only=True)

    @property
    def names(self) -> ConceptNames:
        """Display names of the concepts."""
        return NO_NAMES if self.hierarchy is None else self.hierarchy.vocabulary.names

    @property
    def _brief(self) -> str:
        counts = _levels(self.found).items()
        return ", ".join(pluralise(number, level) for level, number in counts if number) or "nothing found"

    def __post_init__(self) -> None:
        """Order the findings."""
        object.__setattr__(self, "found", tuple(sorted(self.found, key=lambda finding: finding.order)))

    def __iter__(self) -> Iterator[Finding]:
        """Go through the findings in order."""
        return iter(self.found)

    def __len__(self) -> int:
        """Count the findings."""
        return len(self.found)

    @cached_property
    def worst(self) -> tuple[tuple[str, int], ...]:
        """The samples that show most errors and warnings, each with how many."""
        counts = np.zeros(len(self.samples), dtype=np.intp)
        for finding in self.found:
            if finding.severity != "note" and self.samples:
                counts[finding.rows] += 1
        order = np.argsort(-counts, kind="stable")[:WORST]
        return tuple((self.samples[row], int(counts[row])) for row in order.tolist() if counts[row])

    def report(
        self,
        *,
        title: str | None = None,
        description: str | None = None,
        author: str | None = None,
        images: FilePath | None = None,
        folder: FilePath | None = None,
    ) -> Page:
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        title
            Title of the page.
        description, author
            Words below the title; an empty line begins a new paragraph.
        images
            Pictures of the samples: a folder, or an address with {sample} in it.
        folder
            Folder of the page, from which it finds pictures; by default the current one.

        Returns
        -------
        Page
            The page: a text of HTML; ``.save(path)`` writes the file, and a notebook shows it in a frame.
        """
        about = {"title": title, "description": description, "author": author}
        return page_of(self, **about, images=images, folder=folder)

    def of(self, rule: str) -> tuple[Finding, ...]:
        """Pick the findings of one rule.

        Parameters
        ----------
        rule
            Its name.
        """
        return tuple(finding for finding in self.found if finding.rule == rule)

    def fails(self, severity: Severity) -> bool:
        """Check for findings of a severity, or of a worse one.

        Parameters
        ----------
        severity
            "error", "warning" or "note".

        Returns
        -------
        bool
            Whether there are any.

        Raises
        ------
        ParameterError
            If there is no such severity.
        """
        one_of("severity", severity, SEVERITIES)
        bad = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(finding.severity in bad for finding in self.found)

    @property
    def by_rule(self) -> list[dict[str, Any]]:
        """For each rule and severity its number of findings, and the sum of their counts."""
        groups: dict[tuple[str, Severity], list[Finding]] = {}
        for finding in self.found:
            groups.setdefault((finding.rule, finding.severity), []).append(finding)
        return [
            {
                "rule": rule,
                "severity": severity,
                "findings": len(found),
                "count": sum(one.count for one in found),
            }
            for (rule, severity), found in groups.items()
        ]

    def samples_of(self, finding: Finding) -> tuple[str, ...]:
        """Name all samples that show a finding, its examples first; these alone where no others are known.

        Parameters
        ----------
        finding
            One of the findings.
        """
        if not self.samples:
            return finding.samples
        return tuple(dict.fromkeys((*finding.samples, *(self.samples[row] for row in finding.rows.tolist()))))

    @property
    def summary(self) -> dict[str, Any]:
        """Facts, counts by severity and rule, and worst samples, as JSON holds them."""
        return {
            **self.facts,
            "findings": len(self.found),
            **_levels(self.found),
            "by_rule": self.by_rule,
            "worst_samples": [{"sample": sample, "count": count} for sample, count in self.worst],
        }

    @property
    def gathered(self) -> tuple[Finding, ...]:
        """The worst findings of each rule one by one, and one finding for all its others."""
        shown: dict[tuple[str, ...], list[Finding]] = {}
        for finding in self.found:
            shown.setdefault((finding.rule, finding.severity, finding.certainty), []).append(finding)
        kept = (one for found in shown.values() for one in (*found[:MOST], *_merge_findings(found[MOST:])))
        return tuple(sorted(kept, key=lambda finding: finding.order))

    @property
    def content(self) -> dict[str, Any]:
        """Everything as JSON: an object with "findings", as they are `gathered`, and "summary"."""
        every = [{**one.content, "samples": list(self.samples_of(one))} for one in self.gathered]
        return {"findings": every, "summary": self.summary}


def _merge_findings(found: list[Finding]) -> Iterator[Finding]:
    """Gather findings of one rule in one."""
    if found:
        rows = np.unique(np.concatenate([one.rows for one in found]))
        samples = dict.fromkeys(sample for one in found[:EXAMPLES] for sample in one.samples)
        yield Finding(
            found[0].rule,
            found[0].severity,
            (),
            rows.size or len(found),
            tuple(samples)[:EXAMPLES],
            rows=rows,
            explanation=f"{len(found):,} more findings of this rule, none of them in more samples: "
            f"{enumerate_some(' & '.join(one.concepts[:3]) for one in found)}.",
            fix="Correct the others first: these may be of the same kind.",
            certainty=found[0].certainty,
        )


def _levels(found: Iterable[Finding]) -> dict[str, int]:
    levels = Counter[str](finding.severity for finding in found)
    return {level: levels[level] for level in SEVERITIES}
