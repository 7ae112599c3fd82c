"""Findings: what an audit found, of which rule, how bad, where, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.choices import Severity
from ontoeval.errors import one_of

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
