"""Constraints: exclusions that are broken, and requirements that are not met."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.subject import Subject
from ontoeval.constraints import Exclusion, Requirement
from ontoeval.csr import entries_of_rows, line
from ontoeval.errors import listed

EXCLUSION = Rule("exclusion", "error", "Two labels that exclude each other, on one sample.")
REQUIREMENT = Rule("requirement", "error", "A label without any of those that it requires beside it.")
SYSTEMATIC_EXCLUSION = Rule(
    "systematic-exclusion",
    "error",
    "Labels that exclude each other, together on nearly all samples of one: the axiom probably does not "
    "mean what labels mean, or the labels were made by a rule.",
)
SYSTEMATIC_REQUIREMENT = Rule(
    "systematic-requirement", "error", "A requirement that nearly all samples leave unmet."
)
UNMEETABLE = Rule("unmeetable", "note", "A requirement that no label could meet.")
RULES = (EXCLUSION, REQUIREMENT, SYSTEMATIC_EXCLUSION, SYSTEMATIC_REQUIREMENT, UNMEETABLE)

SYSTEMATIC = 0.9
"""From which share of broken sets on a rule is broken systematically, and not by mistakes."""

MANY = 10
"""How many broken sets that takes at least."""

_LOOKED_AT = 100_000
"""In how many samples is looked for the labels by which a rule is inherited."""

_TRIED = 1_000
"""In how many samples it is tried whether a label could be added."""


def find(subject: Subject) -> Iterator[Finding]:
    """Find the exclusions and requirements that label sets break.

    Parameters
    ----------
    subject
        The label sets.

    Yields
    ------
    Finding
        One per rule that is broken.
    """
    book = subject.rules
    applies, broken = book.counts(subject.sets.matrix)
    reachable = np.diff(book.sides.tocsc().indptr) > 0
    sides = _Sides(subject)
    # Rules with the same left side follow each other: what is on it is marked once.
    order = np.lexsort((np.arange(book.left.size), book.left))
    for number in order[broken[order] > 0].tolist():
        rule = book.rules[number]
        left, right = int(book.left[number]), int(book.right[number])
        if isinstance(rule, Exclusion):
            yield _exclusion(subject, rule, sides, left, right)
        elif reachable[right]:
            yield _requirement(subject, rule, sides, left, right)
        else:
            rows, called = sides.bearing(left), subject.called
            yield UNMEETABLE.found(
                (rule.concept, *rule.any_of),
                int(applies[number]),
                subject.some(rows),
                int(applies[number]),
                f"{called(rule.concept)!r} requires {_either(subject, rule)}, but nothing at or below "
                "these may be a label: no set could meet it, and none is blamed.",
                "Let what it requires be a label, or take the requirement away.",
                rows=rows,
                key=(UNMEETABLE.name, str(rule)),
                cases=(str(rule),),
            )


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
        return "whatever there is of " * (len(called) > 1) + listed(called)


def _exclusion(subject: Subject, rule: Exclusion, sides: _Sides, left: int, right: int) -> Finding:
    first, second = subject.called(rule.first), subject.called(rule.second)
    on_right = sides.bearing(right)
    rows = on_right[sides.on(left)[on_right]]
    total, most, rarer, other = sides.bearing(left).size, on_right.size, first, second
    if total > most:
        total, most, rarer, other = most, total, other, rarer
    systematic = rows.size >= MANY and rows.size >= SYSTEMATIC * total
    axiom = f"{first!r} and {second!r} exclude each other ({rule.source or 'a rule'})"
    below = sides.heirs(rows, left, rule.first), sides.heirs(rows, right, rule.second)
    inherited = "; ".join(filter(None, below))
    explanation = (
        f"{axiom}{f', inherited by {inherited}' if inherited else ''}; both are on {rows.size:,} of "
        f"{total:,} samples with {rarer!r}, and {most:,} with {other!r}."
    )
    away = dict.fromkeys(sides.whatever(rows, side) for side in (left, right))
    fix = f"Take {' or '.join(away)} away."
    if systematic:
        explanation += (
            f" This is one systematic error: {'all' if rows.size == total else 'nearly all'} samples with "
            f"{rarer!r} are labelled {other!r} too. Either the axiom is not meant for labels, or a rule made "
            f"these labels."
        )
        fix = f"Decide it once: label none of them {other!r} for being {rarer!r}, or drop the axiom."
    return (SYSTEMATIC_EXCLUSION if systematic else EXCLUSION).found(
        (rule.first, rule.second),
        rows.size,
        subject.some(rows),
        total,
        explanation,
        fix,
        rows=rows,
        key=(EXCLUSION.name, rule.first, rule.second),
        common=()
        if systematic
        else ("Labels that exclude each other are on the same samples.", "Take one of them away."),
        own=f"{first!r} and {second!r} ({rule.source or 'a rule'})"
        + (f", inherited by {inherited}" if inherited else ""),
    )


def _requirement(subject: Subject, rule: Requirement, sides: _Sides, left: int, right: int) -> Finding:
    on_left = sides.bearing(left)
    rows = np.setdiff1d(on_left, sides.bearing(right), assume_unique=True)
    systematic = rows.size >= MANY and rows.size >= SYSTEMATIC * on_left.size
    heirs, concept = sides.heirs(rows, left, rule.concept), subject.called(rule.concept)
    explanation = (
        f"{concept!r} requires {_either(subject, rule)}, or something below ({rule.relation or 'a rule'})"
        f"{f', inherited by {heirs}' if heirs else ''}; {rows.size:,} of {on_left.size:,} samples are "
        "without."
    )
    if systematic:
        explanation += " Nearly all lack it: the axiom is probably not meant for labels."
    fix, mended = _remedies(subject, sides, rows, left, right)
    return (SYSTEMATIC_REQUIREMENT if systematic else REQUIREMENT).found(
        (rule.concept, *rule.any_of),
        rows.size,
        subject.some(rows),
        on_left.size,
        explanation,
        fix,
        rows=rows,
        key=(REQUIREMENT.name, rule.relation, rule.concept, *rule.any_of),
        common=()
        if systematic
        else (
            "Labels are there without what they require, or something below it.",
            mended,
        ),
        own=f"{concept!r} requires {_either(subject, rule)} ({rule.relation or 'a rule'})"
        + (f", inherited by {heirs}" if heirs else ""),
    )


def _remedies(
    subject: Subject, sides: _Sides, rows: NDArray[np.intp], left: int, right: int
) -> tuple[str, str]:
    """Say how samples could meet a requirement, and the same of several such."""
    satisfying = np.sort(line(sides.members, right).astype(np.intp))
    tried = rows[:_TRIED]
    barred = subject.rules.barred(subject.sets.matrix[tried], satisfying).astype(np.intp).sum(axis=0)
    left_over = satisfying[barred < tried.size].tolist()
    labels = [subject.called(subject.vocabulary[label]) for label in left_over]
    whatever = sides.whatever(rows, left)
    if not labels:
        why = "something there excludes what is required."
        return f"Take {whatever} away: {why}", f"Take them away: {why}"
    one_of = "one of " * (len(labels) > 1)
    return (
        f"Add {one_of}{listed(labels)}, or take {whatever} away.",
        "Add what is required, or take the label away.",
    )


def _either(subject: Subject, rule: Requirement) -> str:
    return " or ".join(repr(subject.called(name)) for name in rule.any_of)
