"""Findings: what an audit found, by which rule, how bad, where, and how to correct it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.choices import Severity
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import listed, one_of
from ontoeval.evaluation.groups import Groups

SEVERITIES: tuple[Severity, ...] = get_args(Severity)

Certainty = Literal["certain", "axiom", "question"]
"""What a finding rests on: the files alone, a rule of the ontology, or evidence that needs an answer."""

CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)

SeenIn = Literal["first", "later", "all"]
"""Which rows of its samples show a finding: the first of each, those after it, or all."""

EXAMPLES = 5
"""How many samples a finding names."""


def _no_rows() -> NDArray[np.intp]:
    return np.empty(0, dtype=np.intp)


@dataclass(frozen=True)
class Rule:
    """What an audit looks for."""

    name: str
    severity: Severity
    description: str
    certainty: Certainty = "certain"

    def found(
        self,
        concepts: tuple[str, ...],
        count: int,
        samples: tuple[str, ...] = (),
        total: int | None = None,
        explanation: str = "",
        fix: str | None = None,
        **more: Any,  # noqa: ANN401 - as findings have them
    ) -> Finding:
        """Make a finding of this rule, with its severity and certainty."""
        more = {"certainty": self.certainty, **more}
        return Finding(self.name, self.severity, concepts, count, samples, total, explanation, fix, **more)


@dataclass(frozen=True)
class Finding:
    """What is wrong in one way with some concepts, however many samples show it.

    Parameters
    ----------
    rule
        The name of the rule that it breaks.
    severity
        "error", "warning" or "note".
    concepts
        The concepts, or what the file writes in their place, that it is about.
    count
        How many samples show it; where it is not about samples, how many concepts or links.
    samples
        The first few of these samples.
    total
        Of how many there could be; None where that makes no sense.
    explanation
        What is wrong and why, in words.
    fix
        What would mend it, in words; None where nobody can tell.
    fixable
        Whether that can be done without asking anybody.
    rows
        Positions of all these samples, where there are some.
    key
        What makes it the same finding as one of another day, however many cases of it there are; by
        default its rule and its concepts.
    cases
        What shows it, where that is no samples: concepts, links or rules.
    line
        Where in the file it is seen first; None where that is not known.
    seen_in
        Which rows of its samples show it: the first, those after it, or all.
    undecided
        Positions of the samples that are left as they are until somebody chooses among their rows.
    common
        What is said of several findings at once, where they differ in what each is about alone: what is
        wrong, and what would mend it.
    own
        What is said of each below that.
    certainty
        What it rests on: "certain" (the files alone), "axiom" (a rule of the ontology) or "question".

    Examples
    --------
    >>> Finding("exclusion", "error", ("summer", "winter"), 2, ("p1", "p7"), 90, "Both.").share
    0.022222222222222223
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
    line: int | None = None
    seen_in: SeenIn = "first"
    undecided: NDArray[np.intp] = field(default_factory=_no_rows, repr=False, compare=False)
    common: tuple[str, ...] = field(default=(), repr=False, compare=False)
    own: str = field(default="", repr=False, compare=False)
    certainty: Certainty = field(default="certain", repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the key, where none is given."""
        object.__setattr__(self, "key", self.key or (self.rule, *self.concepts))

    @property
    def lists(self) -> bool:
        """Whether it is a list of concepts, of which each is a case."""
        return bool(self.cases) and self.cases == self.concepts

    @property
    def share(self) -> float:
        """How many of those that could show it do; nan where that makes no sense."""
        return self.count / self.total if self.total else float("nan")

    @property
    def content(self) -> dict[str, Any]:
        """What JSON holds of it."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "concepts": list(self.concepts),
            "count": self.count,
            "samples": list(self.samples),
            "total": self.total,
            "explanation": self.explanation,
            "fix": self.fix,
            "fixable": self.fixable,
        }


def check_severities(severities: Mapping[str, str], rules: Iterable[str]) -> None:
    """Refuse severities that are none, and rules that there are not."""
    known = tuple(rules)
    for rule, severity in severities.items():
        one_of("severities", rule, known)
        one_of(f"severities[{rule!r}]", severity, (*SEVERITIES, "off"))


def graded(found: Iterable[Finding], severities: Mapping[str, Severity | Literal["off"]]) -> list[Finding]:
    """Give findings the severities that a file of rules asks for."""
    kept = []
    for finding in found:
        severity = severities.get(finding.rule, finding.severity)
        if severity != "off":
            kept.append(finding if severity == finding.severity else replace(finding, severity=severity))
    return kept


class Lines(NamedTuple):
    """The lines of a file in which its rows begin."""

    first: NDArray[np.int32]
    later: NDArray[np.int32]
    sample: NDArray[np.intp]

    @classmethod
    def of(cls, starts: NDArray[np.int32], sample_of_row: NDArray[np.intp]) -> Lines:
        """Tell the first row of each sample from the others."""
        first = np.unique(sample_of_row, return_index=True)[1]
        later = np.delete(np.arange(starts.size), first)
        return cls(starts[first], starts[later], sample_of_row[later])

    def showing(self, finding: Finding, most: int) -> tuple[int, ...]:
        """Tell in which lines a finding is seen."""
        met = [] if finding.line is None else [finding.line]
        starts = self.first[finding.rows[:most]].tolist() if finding.seen_in != "later" else []
        if finding.seen_in != "first":
            starts = sorted((*starts, *self.later[np.isin(self.sample, finding.rows)].tolist()))
        # What is met first is met in a header, or in the first sample: then nearer than where this begins.
        inside = met and starts and starts[0] <= met[0]
        return tuple(dict.fromkeys((*met, *starts[1 if inside else 0 :])))[:most]


WORST = 10
"""How many of the worst samples are named."""

MOST = 1_000
"""How many findings of a rule are shown one by one; more than that nobody reads."""


@dataclass(frozen=True)
class Findings:
    """All that an audit found: what is certain first, then the worst, then what is most frequent.

    Parameters
    ----------
    found
        The findings, in any order.
    branches
        The branch, or branches, that each concept lies in; others lie in none.
    facts
        What else the audit says, by name: what was audited, and how it was understood.
    hierarchy
        The concepts that were audited, or that labels were audited by.
    samples
        Identifiers of all samples, which the rows of findings are positions of.
    lines
        Where in their file their rows begin; None where that is not known.
    called
        What branches are called, where that says more than their name.

    Examples
    --------
    >>> findings = Findings([Finding("rare", "note", ("a",), 1), Finding("unknown", "error", ("b",), 3)])
    >>> [finding.rule for finding in findings], findings.fails("warning")
    (['unknown', 'rare'], True)
    """

    found: tuple[Finding, ...]
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    hierarchy: Hierarchy | None = field(default=None, repr=False, compare=False)
    samples: tuple[str, ...] = field(default=(), repr=False, compare=False)
    lines: Lines | None = field(default=None, repr=False, compare=False)
    called: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __init__(
        self,
        found: Iterable[Finding],
        branches: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        facts: Mapping[str, Any] = MappingProxyType({}),
        *,
        hierarchy: Hierarchy | None = None,
        samples: tuple[str, ...] = (),
        lines: Lines | None = None,
        called: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Order the findings by certainty, severity and count; notes are last."""
        ordered = sorted(found, key=_place)
        object.__setattr__(self, "found", tuple(ordered))
        object.__setattr__(self, "branches", MappingProxyType(dict(branches)))
        object.__setattr__(self, "facts", MappingProxyType(dict(facts)))
        object.__setattr__(self, "hierarchy", hierarchy)
        object.__setattr__(self, "samples", samples)
        object.__setattr__(self, "lines", lines)
        object.__setattr__(self, "called", MappingProxyType(dict(called)))

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

    def seen_in(self, finding: Finding, most: int) -> tuple[int, ...]:
        """Tell in which lines of the file a finding is seen.

        Parameters
        ----------
        finding
            One of the findings.
        most
            How many lines to tell at most.

        Returns
        -------
        tuple of int
            Where what it is about is met first, if that is known, and where the samples begin that show it.
        """
        if self.lines is not None:
            return self.lines.showing(finding, most)
        return () if finding.line is None else (finding.line,)

    def of(self, rule: str) -> tuple[Finding, ...]:
        """Pick the findings of one rule.

        Parameters
        ----------
        rule
            Its name.

        Returns
        -------
        tuple of Finding
            Its findings in order.
        """
        return tuple(finding for finding in self.found if finding.rule == rule)

    def fails(self, severity: Severity) -> bool:
        """Tell whether there are findings as bad as that, or worse.

        Parameters
        ----------
        severity
            "error", "warning" or "note".

        Returns
        -------
        bool
            Whether there are.

        Raises
        ------
        ParameterError
            If there is no such severity.
        """
        one_of("severity", severity, SEVERITIES)
        return any(_rank(finding.severity) <= _rank(severity) for finding in self.found)

    def only(self, found: Iterable[Finding], **facts: Any) -> Findings:  # noqa: ANN401 - whatever JSON can hold
        """Keep some of the findings.

        Parameters
        ----------
        found
            Those to keep.
        **facts
            What is to be said beside what is said already.

        Returns
        -------
        Findings
            These, with all else as it is.
        """
        return Findings(
            found,
            self.branches,
            {**self.facts, **facts},
            hierarchy=self.hierarchy,
            samples=self.samples,
            lines=self.lines,
            called=self.called,
        )

    def by_rule(self) -> list[dict[str, Any]]:
        """Count the findings of each rule.

        Returns
        -------
        list of dict
            For each rule and severity its findings, and the sum of their counts.
        """
        groups: dict[tuple[str, Severity], list[Finding]] = {}
        for finding in self.found:
            groups.setdefault((finding.rule, finding.severity), []).append(finding)
        return [
            {"rule": rule, "severity": severity, **_sums(found)} for (rule, severity), found in groups.items()
        ]

    def by_branch(self) -> list[dict[str, Any]]:
        """Count the findings of each branch of the hierarchy.

        Returns
        -------
        list of dict
            For each branch its findings, the sum of their counts, and how many there are of each
            severity. A finding about concepts of several branches counts in each of them, a list of
            concepts with those that lie there; one about none counts in the branch "".
        """
        within: dict[str, list[Finding]] = {}
        for finding in self.found:
            concerned = Counter(branch for name in finding.concepts for branch in self.branches.get(name, ()))
            for branch, concepts in sorted(concerned.items()) or [("", finding.count)]:
                count = concepts if finding.lists else finding.count
                same = count == finding.count  # as of nearly all, which may be a million
                within.setdefault(branch, []).append(finding if same else replace(finding, count=count))
        return [
            {"branch": branch, **_sums(found), **_levels(found)} for branch, found in sorted(within.items())
        ]

    @property
    def summary(self) -> dict[str, Any]:
        """What JSON holds beside the findings: facts, counts by severity, rule and branch, worst samples."""
        return {
            **self.facts,
            "findings": len(self.found),
            **_levels(self.found),
            "by_rule": self.by_rule(),
            "by_branch": self.by_branch(),
            "worst_samples": [{"sample": sample, "count": count} for sample, count in self.worst],
        }

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        **options
            Those of `ontoeval.reports.html.audit_report`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If the extra "report" is not installed.
        """
        from ontoeval.reports.html.audit import audit_report

        return audit_report(self, **options)

    @property
    def gathered(self) -> tuple[Finding, ...]:
        """The findings, of each rule the worst, and one for all the others: what can be looked through."""
        shown: dict[tuple[str, ...], list[Finding]] = {}
        for finding in self.found:
            shown.setdefault((finding.rule, finding.severity, finding.certainty), []).append(finding)
        kept = (one for found in shown.values() for one in (*found[:MOST], *_rest(found[MOST:])))
        return tuple(sorted(kept, key=_place))

    @property
    def content(self) -> dict[str, Any]:
        """All of it as JSON holds it: an object with "findings", as they are `gathered`, and "summary"."""
        return {"findings": [finding.content for finding in self.gathered], "summary": self.summary}


def _rank(severity: Severity) -> int:
    return SEVERITIES.index(severity)


def _place(finding: Finding) -> tuple[object, ...]:
    # A note claims no fault, however certain it is.
    certainty = CERTAINTIES.index(finding.certainty)
    order = finding.severity == "note", certainty, _rank(finding.severity), -finding.count
    return *order, finding.rule, finding.concepts, finding.key


def _rest(found: list[Finding]) -> Iterator[Finding]:
    """Gather findings of one rule in one."""
    if found:
        rows = np.unique(np.concatenate([one.rows for one in found]))
        yield Finding(
            found[0].rule,
            found[0].severity,
            (),
            rows.size or len(found),
            tuple(dict.fromkeys(sample for one in found[:EXAMPLES] for sample in one.samples))[:EXAMPLES],
            explanation=f"{len(found):,} more findings of this rule, none of them in more samples: "
            f"{listed(' & '.join(one.concepts[:3]) for one in found)}.",
            fix="Correct the others first: these may be of the same kind.",
            rows=rows,
            certainty=found[0].certainty,
        )


def _sums(found: Iterable[Finding]) -> dict[str, int]:
    counts = [finding.count for finding in found]
    return {"findings": len(counts), "count": sum(counts)}


def _levels(found: Iterable[Finding]) -> dict[str, int]:
    levels = Counter[str](finding.severity for finding in found)
    return {level: levels[level] for level in SEVERITIES}


def branches_of(hierarchy: Hierarchy, concepts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Tell in which branches some concepts lie: below which root, or which child of a single one."""
    known = [name for name in dict.fromkeys(concepts) if name in hierarchy.vocabulary]
    groups = Groups.branches(hierarchy, known)
    indices, indptr = groups.members.indices.tolist(), groups.members.indptr.tolist()
    return {
        name: tuple(sorted(groups.names[at] for at in indices[begin:end]))
        for name, begin, end in zip(known, indptr, indptr[1:], strict=False)
    }
