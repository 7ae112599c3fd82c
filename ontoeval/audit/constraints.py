"""Constraints: exclusions that are broken, and requirements that are not met."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.subject import Subject
from ontoeval.constraints import Exclusion, Requirement
from ontoeval.errors import listed

RULES = (
    Rule("exclusion", "error", "Two labels that exclude each other, on one sample."),
    Rule("requirement", "error", "A label without any of those that it requires beside it."),
    Rule(
        "systematic-exclusion",
        "error",
        "Labels that exclude each other, together on nearly all samples of one: the axiom probably does not "
        "mean what labels mean, or the labels were made by a rule.",
    ),
    Rule("systematic-requirement", "error", "A requirement that nearly all samples leave unmet."),
    Rule("unmeetable", "note", "A requirement that no label could meet."),
)
_SEVERITY = {rule.name: rule.severity for rule in RULES}

SYSTEMATIC = 0.9
"""From which share of broken sets on a rule is broken systematically, and not by mistakes."""

MANY = 10
"""How many broken sets that takes at least."""


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
    sides = (subject.sets.matrix @ book.sides).tocsc()
    for number in np.flatnonzero(broken).tolist():
        rule = book.rules[number]
        left, right = (_rows(sides, int(side[number])) for side in (book.left, book.right))
        if isinstance(rule, Exclusion):
            yield _exclusion(subject, rule, number, left, right)
        elif reachable[book.right[number]]:
            yield _requirement(subject, rule, number, left, np.setdiff1d(left, right, assume_unique=True))
        else:
            yield Finding(
                "unmeetable",
                _SEVERITY["unmeetable"],
                (rule.concept, *rule.any_of),
                int(applies[number]),
                subject.some(left),
                int(applies[number]),
                f"{rule.concept!r} requires {' or '.join(map(repr, rule.any_of))}, but nothing at or below "
                "these may be a label: no set could meet it, and none is blamed.",
                "Let what it requires be a label, or take the requirement away.",
                rows=left,
            )


def _exclusion(
    subject: Subject, rule: Exclusion, number: int, left: NDArray[np.intp], right: NDArray[np.intp]
) -> Finding:
    rows = np.intersect1d(left, right, assume_unique=True)
    rarer, other = (rule.first, rule.second) if left.size <= right.size else (rule.second, rule.first)
    total, most = sorted((left.size, right.size))
    systematic = rows.size >= MANY and rows.size >= SYSTEMATIC * total
    axiom = f"{rule.first!r} and {rule.second!r} exclude each other ({rule.source or 'a rule'})"
    below = [
        _heirs(subject, rows, int(side[number]), concept)
        for side, concept in ((subject.rules.left, rule.first), (subject.rules.right, rule.second))
    ]
    inherited = "; ".join(filter(None, below))
    explanation = (
        f"{axiom}{f', inherited by {inherited}' if inherited else ''}; both are on {rows.size:,} of "
        f"{total:,} samples with {rarer!r}, and {most:,} with {other!r}."
    )
    fix = f"Take {rule.first!r} or {rule.second!r} away."
    if systematic:
        explanation += (
            f" This is one systematic error: {'all' if rows.size == total else 'nearly all'} samples with "
            f"{rarer!r} are labelled {other!r} too. Either the axiom is not meant for labels, or a rule made "
            f"these labels."
        )
        fix = f"Decide it once: label none of them {other!r} for being {rarer!r}, or drop the axiom."
    name = "systematic-exclusion" if systematic else "exclusion"
    return Finding(
        name,
        _SEVERITY[name],
        (rule.first, rule.second),
        rows.size,
        subject.some(rows),
        total,
        explanation,
        fix,
        rows=rows,
    )


def _requirement(
    subject: Subject, rule: Requirement, number: int, left: NDArray[np.intp], rows: NDArray[np.intp]
) -> Finding:
    systematic = rows.size >= MANY and rows.size >= SYSTEMATIC * left.size
    needed = " or ".join(map(repr, rule.any_of))
    heirs = _heirs(subject, rows, int(subject.rules.left[number]), rule.concept)
    explanation = (
        f"{rule.concept!r} requires {needed}, or something below ({rule.relation or 'a rule'})"
        f"{f', inherited by {heirs}' if heirs else ''}; {rows.size:,} of {left.size:,} samples are without."
    )
    if systematic:
        explanation += " Nearly all lack it: the axiom is probably not meant for labels."
    satisfying = subject.rules.sides[:, [int(subject.rules.right[number])]].nonzero()[0].tolist()
    labels = [subject.vocabulary[label] for label in satisfying]
    name = "systematic-requirement" if systematic else "requirement"
    return Finding(
        name,
        _SEVERITY[name],
        (rule.concept, *rule.any_of),
        rows.size,
        subject.some(rows),
        left.size,
        explanation,
        f"Add {'one of ' if len(labels) > 1 else ''}{listed(labels)}, or take {rule.concept!r} away.",
        rows=rows,
    )


def _heirs(subject: Subject, rows: NDArray[np.intp], side: int, concept: str) -> str:
    """Name the labels by which samples inherit a rule of something above, the most frequent first."""
    members = subject.rules.sides[:, [side]].nonzero()[0]
    sets = subject.sets.matrix[rows]
    if concept in subject.vocabulary:
        sets = sets[~sets[:, [subject.vocabulary.index[concept]]].toarray().ravel()]
    counts = np.bincount(sets.indices, minlength=len(subject.vocabulary))[members]
    used = members[np.argsort(-counts, kind="stable")][: np.count_nonzero(counts)]
    named = listed(subject.vocabulary[label] for label in used.tolist())
    return f"{named} below {concept!r}" if named else ""


def _rows(sides: sparse.csc_array, side: int) -> NDArray[np.intp]:
    begin, end = sides.indptr[side : side + 2]
    return np.sort(sides.indices[begin:end]).astype(np.intp)
