"""Findings: all that an audit found, in order and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.audit.finding import CERTAINTIES, EXAMPLES, SEVERITIES, Finding
from ontoeval.core.choices import Severity
from ontoeval.core.showing import reports
from ontoeval.core.table import Table
from ontoeval.errors import listed, one_of

if TYPE_CHECKING:
    from ontoeval.audit.lines import Lines
    from ontoeval.core.hierarchy import Hierarchy

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
            Those of `ontoeval.reports.audit.report`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If the extra "report" is not installed.
        """
        return reports("report")(self, **options)  # type: ignore[no-any-return]

    def tables(self) -> dict[str, Table]:
        """Make all tables of the audit.

        Returns
        -------
        dict of str to Table
            "findings", how many there are by "rules", "branches" and "samples", and the "shape" of an
            ontology that was audited.
        """
        return reports("tables")(self)  # type: ignore[no-any-return]

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
