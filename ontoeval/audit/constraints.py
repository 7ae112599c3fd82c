"""Rules for constraints: exclusions that labels break, and requirements that they do not meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES, Finding, Rule
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.audit.satisfiability import Sides, unmeetable
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.core.sparse import entries_of_rows, line
from ontoeval.errors import enumerate_some, pluralise

_QUESTION = "Most samples that a rule of the ontology applies to break it. Is the rule meant for labels?"
_ANSWERS = (
    "If it is not, switch it off for labels (--axioms {}) or correct the ontology. If it is, one mistake "
    "made these labels: correct it where they come from."
)
EXCLUSION = Rule("exclusion", "error", "Two labels that exclude each other, on one sample.", "axiom")
REQUIREMENT = Rule("requirement", "error", "A label without any of those that it requires.", "axiom")
SYSTEMATIC_EXCLUSION = Rule(
    "systematic-exclusion",
    "warning",
    "An exclusion that most samples with the rarer label break: it may not be meant for labels.",
    "question",
    _ANSWERS.format("off"),
    (_QUESTION, _ANSWERS.format("off")),
)
SYSTEMATIC_REQUIREMENT = Rule(
    "systematic-requirement",
    "warning",
    "A requirement that most samples with the label break: it may not be meant for labels.",
    "question",
    _ANSWERS.format("exclusions"),
    (_QUESTION, _ANSWERS.format("exclusions")),
)
UNMEETABLE = Rule(
    "unmeetable",
    "note",
    "Rules that no label set can satisfy.",
    "axiom",
    "Switch these rules off for labels (--axioms off or exclusions), or correct the ontology. Do not delete "
    "labels.",
)
RULES = (EXCLUSION, REQUIREMENT, SYSTEMATIC_EXCLUSION, SYSTEMATIC_REQUIREMENT, UNMEETABLE)

FEWEST = 3
"""How many samples must break a rule before it is questioned, where they are most of its samples."""

_LOOKED_AT = 100_000
"""In how many samples the labels are counted by which a rule is inherited."""

_TRIED = 1_000
"""For how many samples it is tried whether a label could be added."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find the rules that label sets break: a finding for each, and a note on those that no set can keep."""
    book = labels.rules
    broken = book.counts(labels.sets.matrix)[1]
    if not broken.any():
        return
    sides, hopeless, exclusions = _Sides(labels), _hopeless(labels), int(book.excludes.sum())
    never: dict[int, NDArray[np.intp]] = {}
    for number in np.flatnonzero(broken).tolist():
        rule, left, right = book.rules[number], int(book.left[number]), int(book.right[number])
        bearing = sides.bearing(left)
        rows = bearing[labels.mark(sides.bearing(right))[bearing] == book.excludes[number]]
        # A label below both sides of an exclusion breaks it by itself. What holds a label beside which no
        # set can keep the rule is not to blame for breaking it.
        guilty = (
            np.intersect1d(line(sides.members, left), line(sides.members, right))
            if isinstance(rule, Exclusion)
            else line(hopeless, number - exclusions)
        )
        lost = labels.mark(*map(labels.bearing, guilty.tolist()))[rows]
        if lost.any():
            never[number] = rows[lost]
            rows = rows[~lost]
        if rows.size and isinstance(rule, Exclusion):
            yield _exclusion(sides, rule, rows, left, right)
        elif rows.size and isinstance(rule, Requirement):
            yield _requirement(sides, rule, rows, bearing.size - int(lost.sum()), left, right)
    if never:
        yield _unmeetable(labels, never)


def _hopeless(labels: ResolvedLabels) -> sparse.csc_array:
    """Labels × requirements: beside which label no label set can meet which."""
    hierarchy = labels.hierarchy
    rules = [rule for rule in labels.rules.rules if isinstance(rule, Requirement)]
    if not rules:
        return sparse.csc_array((len(labels.vocabulary), 0), dtype=bool)
    found = unmeetable(hierarchy, rules, hierarchy.abstract, Sides.of(hierarchy))
    return found.unmet[hierarchy.labels].tocsc()


def _unmeetable(labels: ResolvedLabels, never: dict[int, NDArray[np.intp]]) -> Finding:
    most = sorted(never, key=lambda number: (-never[number].size, number))
    rules = [labels.rules.rules[number] for number in most]
    rows = np.unique(np.concatenate(list(never.values())))
    named = "; ".join(_in_words(labels, rule) for rule in rules[:EXAMPLES])
    more = f"; and {len(rules) - EXAMPLES:,} more" if len(rules) > EXAMPLES else ""
    count = f"{len(rules):,} rules" if len(rules) > 1 else "a rule"
    concepts = (rule.first if isinstance(rule, Exclusion) else rule.concept for rule in rules)
    return labels.finding(
        UNMEETABLE,
        rows,
        f"No label set can satisfy {count} of the ontology together with labels of "
        f"{pluralise(rows.size, 'sample')}: {named}{more}. Causes: other rules exclude the required "
        "concepts, these are never labels, or a label lies below two concepts that exclude each other.",
        concepts=tuple(dict.fromkeys(concepts)),
        key=(UNMEETABLE.name,),
        cases=tuple(map(str, rules)),
    )


def _in_words(labels: ResolvedLabels, rule: Exclusion | Requirement) -> str:
    """Write out a rule, and the axiom by which the ontology states it."""
    if isinstance(rule, Exclusion):
        ends = f"{labels.called(rule.first)!r} and {labels.called(rule.second)!r} exclude each other"
        return f"{ends} ({rule.source or 'a rule'})"
    return f"{labels.called(rule.concept)!r} requires {_either(labels, rule)} ({rule.relation or 'a rule'})"


class _Sides:
    """The samples on the sides of rules."""

    def __init__(self, labels: ResolvedLabels) -> None:
        self.labels = labels
        self.samples = (labels.sets.matrix @ labels.rules.sides).tocsc()
        self.samples.sort_indices()
        self.members = labels.rules.sides.tocsc()

    def bearing(self, side: int) -> NDArray[np.intp]:
        """List the samples on a side, in order."""
        return line(self.samples, side).astype(np.intp)

    def inherited(self, rows: NDArray[np.intp], *ends: tuple[int, str]) -> str:
        """Name the labels by which samples inherit a rule of a concept above, for each side and concept."""
        heirs = []
        for side, concept in ends:
            found = self.borne(rows, side, self.labels.vocabulary.index.get(concept, -1))
            if found:
                heirs.append(f"{enumerate_some(found)} below {self.labels.called(concept)!r}")
        return f", inherited by {'; '.join(heirs)}" if heirs else ""

    def borne(self, rows: NDArray[np.intp], side: int, own: int = -1) -> list[str]:
        """Name the labels of a side in samples without the label `own`, the most frequent first."""
        members = line(self.members, side)
        if members.tolist() == [own]:
            return []
        sets, rows = self.labels.sets.matrix, rows[:_LOOKED_AT]
        entries, lengths = entries_of_rows(sets, rows)
        found, row = sets.indices[entries], np.repeat(np.arange(rows.size), lengths)
        without = np.ones(rows.size, dtype=bool)
        without[row[found == own]] = False
        inside = np.zeros(sets.shape[1], dtype=bool)
        inside[members] = True
        used, counts = np.unique(found[inside[found] & without[row]], return_counts=True)
        most = used[np.argsort(-counts, kind="stable")].tolist()
        return [self.labels.called(self.labels.vocabulary[label]) for label in most]

    def removable(self, rows: NDArray[np.intp], side: int) -> str:
        """Name the labels of a side, of which each sample has some."""
        called = self.borne(rows, side)
        return "whichever is there of " * (len(called) > 1) + enumerate_some(called)


def questioned(rows: int, total: int) -> bool:
    """Whether most of the samples that a rule applies to break it."""
    return rows >= FEWEST and 2 * rows > total


def _exclusion(sides: _Sides, rule: Exclusion, rows: NDArray[np.intp], left: int, right: int) -> Finding:
    labels = sides.labels
    first, second = labels.called(rule.first), labels.called(rule.second)
    ends = [(sides.bearing(left).size, first, second), (sides.bearing(right).size, second, first)]
    (total, rarer, other), (most, _, _) = sorted(ends)
    told = (
        f"{rows.size:,} of {total:,} samples with {rarer!r} have {other!r} too, which {most:,} samples have"
    )
    by = rule.source or "a rule"
    own = f"{first!r} and {second!r} ({by})"
    fields = {
        "concepts": (rule.first, rule.second),
        "total": total,
        "key": (EXCLUSION.name, rule.first, rule.second),
    }
    if questioned(rows.size, total):
        explanation = f"{told}. {_in_words(labels, rule)}. Is this rule meant for labels?"
        return labels.finding(SYSTEMATIC_EXCLUSION, rows, explanation, own=own, **fields)
    more = sides.inherited(rows, (left, rule.first), (right, rule.second))
    away = dict.fromkeys(sides.removable(rows, side) for side in (left, right))
    return labels.finding(
        EXCLUSION,
        rows,
        f"{told}, although the ontology says that they exclude each other ({by}){more}.",
        fix=f"Check which label is wrong, and remove it: {' or '.join(away)}.",
        common=(
            "Labels that exclude each other are on the same samples.",
            "Remove the wrong one of the two.",
        ),
        own=own + more,
        **fields,
    )


def _requirement(
    sides: _Sides, rule: Requirement, rows: NDArray[np.intp], total: int, left: int, right: int
) -> Finding:
    labels = sides.labels
    told = f"{rows.size:,} of {total:,} samples with {labels.called(rule.concept)!r}"
    said = _in_words(labels, rule)
    fields = {
        "concepts": (rule.concept, *rule.any_of),
        "total": total,
        "key": (REQUIREMENT.name, rule.relation, rule.concept, *rule.any_of),
    }
    if questioned(rows.size, total):
        explanation = f"{told} break a rule: {said}. Is this rule meant for labels?"
        return labels.finding(SYSTEMATIC_REQUIREMENT, rows, explanation, own=said, **fields)
    more = sides.inherited(rows, (left, rule.concept))
    fix, corrected = _remedies(sides, rows, left, right)
    return labels.finding(
        REQUIREMENT,
        rows,
        f"{told} have neither {_either(labels, rule)} nor a descendant, which the ontology requires "
        f"({rule.relation or 'a rule'}){more}.",
        fix=fix,
        common=("A required label, or a descendant of it, is missing beside these labels.", corrected),
        own=said + more,
        **fields,
    )


def _remedies(sides: _Sides, rows: NDArray[np.intp], left: int, right: int) -> tuple[str, str]:
    """Say how samples could meet a requirement, and the same of several requirements."""
    labels, satisfying = sides.labels, np.sort(line(sides.members, right).astype(np.intp))
    tried = rows[:_TRIED]
    barred = labels.rules.barred(labels.sets.matrix[tried], satisfying).astype(np.intp).sum(axis=0)
    possible = satisfying[barred < tried.size].tolist()
    if not possible:
        why = "Another label of these samples excludes what is required: check which of the labels is wrong."
        return why, why
    one_of = "one of " * (len(possible) > 1)
    names = enumerate_some(labels.called(labels.vocabulary[label]) for label in possible)
    return (
        f"Add {one_of}{names}; or remove {sides.removable(rows, left)}, if that is wrong.",
        "Add what is required; or remove the label, if that is wrong.",
    )


def _either(labels: ResolvedLabels, rule: Requirement) -> str:
    return " or ".join(repr(labels.called(name)) for name in rule.any_of)
