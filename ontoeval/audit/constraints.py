"""Constraints: exclusions that are broken, and requirements that are not met."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES, Finding, Rule
from ontoeval.audit.resolved_labels import Subject
from ontoeval.audit.satisfiability import Sides, unmeetable
from ontoeval.core.constraints import Exclusion, Requirement
from ontoeval.core.csr import entries_of_rows, line
from ontoeval.errors import counted, listed

EXCLUSION = Rule("exclusion", "error", "Two labels that exclude each other, on one sample.", "axiom")
REQUIREMENT = Rule("requirement", "error", "A label without any of those that it requires.", "axiom")
SYSTEMATIC_EXCLUSION = Rule(
    "systematic-exclusion",
    "warning",
    "An exclusion that most samples with the rarer label break: it may not be meant for labels.",
    "question",
)
SYSTEMATIC_REQUIREMENT = Rule(
    "systematic-requirement",
    "warning",
    "A requirement that most samples with the label break: it may not be meant for labels.",
    "question",
)
UNMEETABLE = Rule("unmeetable", "note", "Rules that no label set can satisfy.", "axiom")
RULES = (EXCLUSION, REQUIREMENT, SYSTEMATIC_EXCLUSION, SYSTEMATIC_REQUIREMENT, UNMEETABLE)

FEWEST = 3
"""How many samples must break a rule before it is questioned, where they are most of its samples."""

_LOOKED_AT = 100_000
"""In how many samples is looked for the labels by which a rule is inherited."""

_TRIED = 1_000
"""In how many samples it is tried whether a label could be added."""

_QUESTION = "Most samples that a rule of the ontology applies to break it. Is the rule meant for labels?"
_ANSWERS = (
    "If it is not, switch it off for labels (--axioms {}) or correct the ontology. If it is, one mistake "
    "made these labels: correct it where they come from."
)


def find(subject: Subject) -> Iterator[Finding]:
    """Find the rules that label sets break: a finding for each, and a note on those that no set can keep."""
    book = subject.rules
    broken = book.counts(subject.sets.matrix)[1]
    sides = _Sides(subject)
    if not broken.any():
        return
    hopeless, exclusions = _hopeless(subject), int(book.excludes.sum())
    never: dict[int, NDArray[np.intp]] = {}
    # Rules with the same left side follow each other: what is on it is marked once.
    order = np.lexsort((np.arange(book.left.size), book.left))
    for number in order[broken[order] > 0].tolist():
        rule = book.rules[number]
        left, right = int(book.left[number]), int(book.right[number])
        bearing, other = sides.bearing(left), sides.bearing(right)
        excludes = isinstance(rule, Exclusion)
        rows = other[sides.on(left)[other]] if excludes else np.setdiff1d(bearing, other, assume_unique=True)
        # A label below both sides of an exclusion breaks it by itself. What holds a label beside which no
        # set can keep the rule is not to blame for breaking it.
        labels = (
            np.intersect1d(line(sides.members, left), line(sides.members, right))
            if excludes
            else line(hopeless, number - exclusions)
        ).tolist()
        lost = np.intersect1d(rows, np.unique(np.concatenate([rows[:0], *map(subject.bearing, labels)])))
        if lost.size:
            never[number] = lost
            rows = np.setdiff1d(rows, lost, assume_unique=True)
        if not rows.size:
            continue
        if isinstance(rule, Exclusion):
            yield _exclusion(subject, rule, sides, rows, left, right)
        else:
            yield _requirement(subject, rule, sides, rows, bearing.size - lost.size, left, right)
    if never:
        yield _unmeetable(subject, never)


def _hopeless(subject: Subject) -> sparse.csc_array:
    """Labels × requirements: beside which label no label set can meet which."""
    hierarchy = subject.hierarchy
    rules = [rule for rule in subject.rules.rules if isinstance(rule, Requirement)]
    if not rules:
        return sparse.csc_array((len(subject.vocabulary), 0), dtype=bool)
    found = unmeetable(hierarchy, rules, hierarchy.abstract, Sides.of(hierarchy))
    return found.unmet[hierarchy.labels].tocsc()


def _unmeetable(subject: Subject, never: dict[int, NDArray[np.intp]]) -> Finding:
    """Note on the ontology the rules that no label set can keep."""
    most = sorted(never, key=lambda number: (-never[number].size, number))
    rules = [subject.rules.rules[number] for number in most]
    rows = np.unique(np.concatenate(list(never.values())))
    named = [_said(subject, rule) for rule in rules[:EXAMPLES]]
    more = f"; and {len(rules) - EXAMPLES:,} more" if len(rules) > EXAMPLES else ""
    count = f"{len(rules):,} rules" if len(rules) > 1 else "a rule"
    return UNMEETABLE.found(
        tuple(dict.fromkeys(rule.first if isinstance(rule, Exclusion) else rule.concept for rule in rules)),
        rows.size,
        subject.some(rows),
        len(subject.sets),
        f"No label set can satisfy {count} of the ontology together with labels of "
        f"{counted(rows.size, 'sample')}: {'; '.join(named)}{more}. Causes: other rules exclude the required "
        "concepts, these are never labels, or a label lies below two concepts that exclude each other.",
        "Switch these rules off for labels (--axioms off or exclusions), or correct the ontology. Do not "
        "delete labels.",
        rows=rows,
        key=(UNMEETABLE.name,),
        cases=tuple(map(str, rules)),
    )


def _said(subject: Subject, rule: Exclusion | Requirement) -> str:
    """Say a rule in words, and by which axiom the ontology states it."""
    if isinstance(rule, Exclusion):
        ends = f"{subject.called(rule.first)!r} and {subject.called(rule.second)!r} exclude each other"
        return f"{ends} ({rule.source or 'a rule'})"
    return f"{subject.called(rule.concept)!r} requires {_either(subject, rule)} ({rule.relation or 'a rule'})"


class _Sides:
    """The samples on the sides of rules."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.samples = (subject.sets.matrix @ subject.rules.sides).tocsc()
        self.samples.sort_indices()
        self.members = subject.rules.sides.tocsc()
        self.marked = -1
        self.marks = np.zeros(len(subject.sets), dtype=bool)
        self.inside = np.zeros(len(subject.vocabulary), dtype=bool)

    def bearing(self, side: int) -> NDArray[np.intp]:
        """List the samples on a side, in order."""
        return line(self.samples, side).astype(np.intp)

    def on(self, side: int) -> NDArray[np.bool_]:
        """Mark the samples on a side."""
        if side != self.marked:
            if self.marked >= 0:
                self.marks[self.bearing(self.marked)] = False
            self.marks[self.bearing(side)] = True
            self.marked = side
        return self.marks

    def heirs(self, rows: NDArray[np.intp], side: int, concept: str) -> str:
        """Name the labels by which samples inherit a rule of something above, the most frequent first."""
        called = self.borne(rows, side, self.subject.vocabulary.index.get(concept, -1))
        return f"{listed(called)} below {self.subject.called(concept)!r}" if called else ""

    def borne(self, rows: NDArray[np.intp], side: int, own: int = -1) -> list[str]:
        """Name the labels of a side that samples without a label of their own bear, as `heirs` does."""
        members = line(self.members, side)
        if members.tolist() == [own]:
            return []
        sets, rows = self.subject.sets.matrix, rows[:_LOOKED_AT]
        entries, lengths = entries_of_rows(sets, rows)
        labels, row = sets.indices[entries], np.repeat(np.arange(rows.size), lengths)
        without = np.ones(rows.size, dtype=bool)
        without[row[labels == own]] = False
        self.inside[members] = True
        used, counts = np.unique(labels[self.inside[labels] & without[row]], return_counts=True)
        self.inside[members] = False
        most = used[np.argsort(-counts, kind="stable")].tolist()
        return [self.subject.called(self.subject.vocabulary[label]) for label in most]

    def whatever(self, rows: NDArray[np.intp], side: int) -> str:
        """Name what samples bear of a side."""
        called = self.borne(rows, side)
        return "whichever is there of " * (len(called) > 1) + listed(called)


def questioned(rows: int, total: int) -> bool:
    """Whether most of the samples that a rule applies to break it."""
    return rows >= FEWEST and 2 * rows > total


def _exclusion(
    subject: Subject, rule: Exclusion, sides: _Sides, rows: NDArray[np.intp], left: int, right: int
) -> Finding:
    first, second = subject.called(rule.first), subject.called(rule.second)
    ends = [(sides.bearing(left).size, first, second), (sides.bearing(right).size, second, first)]
    (total, rarer, other), (most, _, _) = sorted(ends)
    told = (
        f"{rows.size:,} of {total:,} samples with {rarer!r} have {other!r} too, which {most:,} samples have"
    )
    by = rule.source or "a rule"
    question = questioned(rows.size, total)
    rules, more = (SYSTEMATIC_EXCLUSION if question else EXCLUSION), ""
    if question:
        common = _QUESTION, _ANSWERS.format("off")
        explanation, fix = f"{told}. {_said(subject, rule)}. Is this rule meant for labels?", common[1]
    else:
        below = sides.heirs(rows, left, rule.first), sides.heirs(rows, right, rule.second)
        inherited = "; ".join(filter(None, below))
        more = f", inherited by {inherited}" if inherited else ""
        explanation = f"{told}, although the ontology says that they exclude each other ({by}){more}."
        away = dict.fromkeys(sides.whatever(rows, side) for side in (left, right))
        fix = f"Check which label is wrong, and remove it: {' or '.join(away)}."
        common = "Labels that exclude each other are on the same samples.", "Remove the wrong one of the two."
    return rules.found(
        (rule.first, rule.second),
        rows.size,
        subject.some(rows),
        total,
        explanation,
        fix,
        rows=rows,
        key=(EXCLUSION.name, rule.first, rule.second),
        common=common,
        own=f"{first!r} and {second!r} ({by}){more}",
    )


def _requirement(
    subject: Subject,
    rule: Requirement,
    sides: _Sides,
    rows: NDArray[np.intp],
    total: int,
    left: int,
    right: int,
) -> Finding:
    question = questioned(rows.size, total)
    rules, more = (SYSTEMATIC_REQUIREMENT if question else REQUIREMENT), ""
    told = f"{rows.size:,} of {total:,} samples with {subject.called(rule.concept)!r}"
    if question:
        common = _QUESTION, _ANSWERS.format("exclusions")
        explanation = f"{told} break a rule: {_said(subject, rule)}. Is this rule meant for labels?"
        fix = common[1]
    else:
        heirs = sides.heirs(rows, left, rule.concept)
        more = f", inherited by {heirs}" if heirs else ""
        explanation = (
            f"{told} have neither {_either(subject, rule)} nor a descendant, which the ontology requires "
            f"({rule.relation or 'a rule'}){more}."
        )
        fix, mended = _remedies(subject, sides, rows, left, right)
        common = "A required label, or a descendant of it, is missing beside these labels.", mended
    return rules.found(
        (rule.concept, *rule.any_of),
        rows.size,
        subject.some(rows),
        total,
        explanation,
        fix,
        rows=rows,
        key=(REQUIREMENT.name, rule.relation, rule.concept, *rule.any_of),
        common=common,
        own=_said(subject, rule) + more,
    )


def _remedies(
    subject: Subject, sides: _Sides, rows: NDArray[np.intp], left: int, right: int
) -> tuple[str, str]:
    """Say how samples could meet a requirement, and the same of several requirements."""
    satisfying = np.sort(line(sides.members, right).astype(np.intp))
    tried = rows[:_TRIED]
    barred = subject.rules.barred(subject.sets.matrix[tried], satisfying).astype(np.intp).sum(axis=0)
    left_over = satisfying[barred < tried.size].tolist()
    labels = [subject.called(subject.vocabulary[label]) for label in left_over]
    if not labels:
        why = "Another label of these samples excludes what is required: check which of the labels is wrong."
        return why, why
    one_of = "one of " * (len(labels) > 1)
    return (
        f"Add {one_of}{listed(labels)}; or remove {sides.whatever(rows, left)}, if that is wrong.",
        "Add what is required; or remove the label, if that is wrong.",
    )


def _either(subject: Subject, rule: Requirement) -> str:
    return " or ".join(repr(subject.called(name)) for name in rule.any_of)
