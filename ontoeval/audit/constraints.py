"""Constraints: exclusions and requirements that label sets break, and those that no label set can meet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import EXAMPLES, Finding
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.sparse import (
    choose_entries,
    entries_at,
    entries_of_rows,
    pattern,
    pattern_at,
    row_of_entries,
    stored_columns,
)

FEWEST = 3
"""Least samples that break a rule before the rule is questioned, if they are most of its samples."""

_LOOKED_AT = 1_000
"""Most samples in which labels that inherit a rule are counted, and adding a label is tried."""

_BLOCK = 4_000_000
"""Most pairs of a requirement and a concept per block."""

_OF_PARTS = re.compile(r"(?i)^$|^has|part|contain|includ|requir|depict|show|member|place|_in$")
"""Relations by which what is related is to be seen in a sample too."""

_Broken = tuple[Exclusion, NDArray[np.intp], int, int]
"""An exclusion, the samples that break it, and its sides."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find the rules that label sets break: one finding each, and a note on rules that no set can keep."""
    book = labels.rules
    broken = book.counts(labels.sets.matrix)[1]
    if not broken.any():
        return
    sides, exclusions = _SamplesOfSides(labels), int(book.excludes.sum())
    hopeless = _unmeetable_by_label(labels)
    never: dict[int, Places] = {}
    excluded: list[_Broken] = []
    for number in np.flatnonzero(broken).tolist():
        rule, left, right = book.rules[number], int(book.left[number]), int(book.right[number])
        on_side = sides.samples_on(left)
        rows = on_side[labels.row_mask(sides.samples_on(right))[on_side] == book.excludes[number]]
        # A label below both sides of an exclusion breaks it by itself. A set with a label beside which no
        # set can keep the rule is not reported.
        guilty = (
            np.intersect1d(stored_columns(sides.members, left), stored_columns(sides.members, right))
            if isinstance(rule, Exclusion)
            else stored_columns(hopeless, number - exclusions)
        )
        lost = labels.row_mask(*map(labels.samples_with_label, guilty.tolist()))[rows]
        if lost.any():
            never[number] = rows[lost]
            rows = rows[~lost]
        if rows.size and isinstance(rule, Exclusion):
            excluded.append((rule, rows, left, right))
        elif rows.size and isinstance(rule, Requirement):
            total = int(labels.side_sizes[left] - lost.sum())
            yield _requirement(sides, rule, rows, total, left, right)
    yield from _exclusions(sides, excluded)
    if never:
        yield _unmeetable(labels, never)


def _unmeetable_by_label(labels: ResolvedLabels) -> sparse.csc_array:
    """Boolean, labels × requirements: true where no label set with the label can meet the requirement."""
    hierarchy = labels.hierarchy
    rules = [rule for rule in labels.rules.rules if isinstance(rule, Requirement)]
    if not rules:
        return sparse.csc_array((len(labels.vocabulary), 0), dtype=bool)
    found = unmeetable_by_concept(
        hierarchy, rules, hierarchy.abstract, ExclusionSides.from_hierarchy(hierarchy)
    )
    return found.unmet[hierarchy.labels].tocsc()


def _unmeetable(labels: ResolvedLabels, never: dict[int, Places]) -> Finding:
    most = sorted(never, key=lambda number: (-never[number].size, number))
    rules = [labels.rules.rules[number] for number in most]
    rows = np.unique(np.concatenate([*never.values()]))
    others = f"; and {len(rules) - EXAMPLES:,} more" if len(rules) > EXAMPLES else ""
    words = {
        "rules": f"{len(rules):,} rules" if len(rules) > 1 else "a rule",
        "samples": pluralise(rows.size, "sample"),
        "named": "; ".join(_in_words(labels, rule) for rule in rules[:EXAMPLES]) + others,
    }
    ends = dict.fromkeys(rule.first if isinstance(rule, Exclusion) else rule.concept for rule in rules)
    more: dict[str, Any] = {"concepts": tuple(ends), "key": ("unmeetable",), "cases": tuple(map(str, rules))}
    return labels.finding("unmeetable", rows, words, **more)


def _in_words(labels: ResolvedLabels, rule: Exclusion | Requirement) -> str:
    """Write out a rule, and the axiom by which the ontology states it."""
    if isinstance(rule, Exclusion):
        first, second = labels.display_name(rule.first), labels.display_name(rule.second)
        return f"{first!r} and {second!r} exclude each other ({rule.source or 'a rule'})"
    concept = labels.display_name(rule.concept)
    return f"{concept!r} requires {_either(labels, rule)} ({rule.relation or 'a rule'})"


class _SamplesOfSides:
    """The samples with a label on a side of a rule."""

    def __init__(self, labels: ResolvedLabels) -> None:
        self.labels, self.samples = labels, labels.samples_of_sides
        self.members = labels.rules.sides.tocsc()

    def samples_on(self, side: int) -> NDArray[np.intp]:
        """List the samples on a side, in order."""
        return stored_columns(self.samples, side).astype(np.intp)

    def inheriting_labels(self, rows: NDArray[np.intp], *ends: tuple[int, str]) -> str:
        """Name the labels by which samples inherit a rule of a concept above, for each side and concept."""
        heirs = []
        for side, concept in ends:
            found = self.labels_in(rows, side, self.labels.vocabulary.index.get(concept, -1))
            if found:
                heirs.append(f"{enumerate_some(found)} below {self.labels.display_name(concept)!r}")
        return f", inherited by {'; '.join(heirs)}" if heirs else ""

    def labels_in(self, rows: NDArray[np.intp], side: int, own: int = -1) -> list[str]:
        """Name the labels of a side in samples without the label `own`, the most frequent first."""
        members = stored_columns(self.members, side)
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
        return [self.labels.display_name(self.labels.vocabulary[label]) for label in most]

    def removable_labels(self, rows: NDArray[np.intp], side: int) -> str:
        """Name the labels of a side that could be removed from the samples."""
        called = self.labels_in(rows, side)
        return "each present label of " * (len(called) > 1) + enumerate_some(called)


def mostly_broken(rows: int, total: int) -> bool:
    """Whether most of the samples that a rule applies to break it."""
    return rows >= FEWEST and 2 * rows > total


def _exclusions(sides: _SamplesOfSides, broken: Sequence[_Broken]) -> Iterator[Finding]:
    """Find broken exclusions; question those that most samples break, and those between what lies below."""
    hierarchy, sizes = sides.labels.hierarchy, sides.labels.side_sizes
    systematic = [
        mostly_broken(rows.size, int(sizes[[left, right]].min())) for _, rows, left, right in broken
    ]
    names = [name for rule, *_ in broken for name in (rule.first, rule.second)]
    ends = hierarchy.vocabulary.positions(names)
    doubted = np.unique(ends.reshape(-1, 2)[systematic])
    lies = hierarchy.ancestors_of(ends)[ends][:, doubted]
    for number, (one, most) in enumerate(zip(broken, systematic, strict=True)):
        pair = slice(2 * number, 2 * number + 2)
        below = np.diff(lies[pair].indptr).all() and not np.isin(ends[pair], doubted).all()
        above = doubted[np.unique(lies[pair].indices)] if below else doubted[:0]
        yield _exclusion(sides, one, above, most=most)


def _exclusion(sides: _SamplesOfSides, broken: _Broken, above: NDArray[np.intp], *, most: bool) -> Finding:
    labels, (rule, rows, left, right) = sides.labels, broken
    ends, (on_left, on_right) = (rule.first, rule.second), labels.side_sizes[[left, right]].tolist()
    first, second = map(labels.display_name, ends)
    (total, rarer, other), (others, _, _) = sorted([(on_left, first, second), (on_right, second, first)])
    words = {"first": first, "second": second, "rarer": rarer, "other": other, "most": others}
    words |= {"by": rule.source or "a rule", "stated": _in_words(labels, rule)}
    words["above"] = enumerate_some(
        labels.display_name(labels.hierarchy.vocabulary[at]) for at in above.tolist()
    )
    if not most:
        words["inherited"] = sides.inheriting_labels(rows, (left, rule.first), (right, rule.second))
        words["away"] = " or ".join(
            dict.fromkeys(sides.removable_labels(rows, side) for side in (left, right))
        )
    name = "systematic-exclusion" if most else "doubtful-exclusion" if above.size else "exclusion"
    key = ("exclusion", *ends)
    return labels.finding(name, rows, words, concepts=ends, total=total, key=key)


def _requirement(
    sides: _SamplesOfSides, rule: Requirement, rows: Places, total: int, left: int, right: int
) -> Finding:
    labels, key = sides.labels, ("requirement", rule.relation, rule.concept, *rule.any_of)
    systematic = mostly_broken(rows.size, total)
    words = {"label": labels.display_name(rule.concept), "stated": _in_words(labels, rule)}
    if not systematic:
        words |= {"either": _either(labels, rule), "by": rule.relation or "a rule"}
        words["inherited"] = sides.inheriting_labels(rows, (left, rule.concept))
        words["remedy"], words["common_remedy"] = _remedies(sides, rows, left, right)
    name, ends = "systematic-requirement" if systematic else "requirement", (rule.concept, *rule.any_of)
    # Of what is not part of a thing its relations do not say that it is labelled.
    doubt = {} if _OF_PARTS.search(rule.relation) else {"severity": "warning", "certainty": "question"}
    return labels.finding(name, rows, words, concepts=ends, total=total, key=key, **doubt)


def _remedies(sides: _SamplesOfSides, rows: NDArray[np.intp], left: int, right: int) -> tuple[str, str]:
    """Describe how samples could meet a requirement, for one finding and for several together."""
    labels, satisfying = sides.labels, np.sort(stored_columns(sides.members, right).astype(np.intp))
    tried = rows[:_LOOKED_AT]
    barred = labels.rules.labels_barred(labels.sets.matrix[tried], satisfying).astype(np.intp).sum(axis=0)
    possible = satisfying[barred < tried.size].tolist()
    if not possible:
        why = "Another label of these samples excludes what is required: check which of the labels is wrong."
        return why, why
    one_of = "one of " * (len(possible) > 1)
    names = enumerate_some(labels.display_name(labels.vocabulary[label]) for label in possible)
    return (
        f"Add {one_of}{names}; or remove {sides.removable_labels(rows, left)}, if that is wrong.",
        "Add what is required; or remove the label, if that is wrong.",
    )


def _either(labels: ResolvedLabels, rule: Requirement) -> str:
    return " or ".join(repr(labels.display_name(name)) for name in rule.any_of)


class ExclusionSides(NamedTuple):
    """Distinct concepts (sides) of exclusions: `left`, `right` by exclusion; `below`: concepts × sides."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    below: sparse.csr_array

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> ExclusionSides:
        """List the sides of the exclusions of a hierarchy."""
        index = hierarchy.vocabulary.index
        ends = np.array(
            [(index[rule.first], index[rule.second]) for rule in hierarchy.exclusions], dtype=np.intp
        ).reshape(-1, 2)
        columns, numbers = np.unique(ends, return_inverse=True)
        left, right = numbers.reshape(-1, 2).T
        return cls(left, right, pattern(hierarchy.ancestors[:, columns]))

    def required_sides(self, hierarchy: Hierarchy, rules: Sequence[Requirement]) -> sparse.csr_array:
        """Boolean, concepts × sides: every way to meet the concept's requirements is on the side."""
        index, ancestors = hierarchy.vocabulary.index, hierarchy.ancestors
        which, choice = _alternatives(hierarchy, rules)
        concept = np.array([index[rule.concept] for rule in rules], dtype=np.intp)
        shape, every = (len(index), len(rules)), np.arange(len(rules))
        bearer = pattern_at(concept, every, shape)
        several = np.flatnonzero(np.bincount(which, minlength=every.size)[which] > 1)
        left = np.ones(which.size, dtype=bool)
        found, size = self.below, -1
        while found.nnz > size:
            size = found.nnz
            barred = pattern(found[concept[which[several]]] @ self.exclusive_sides)
            left[several] = np.asarray(barred.multiply(found[choice[several]]).sum(axis=1)).ravel() == 0
            some = np.bincount(which, left, minlength=every.size) > 0
            picked = np.flatnonzero(left | ~some[which])
            ones = np.ones(picked.size, dtype=np.intp)
            either = sparse.csr_array((ones, (which[picked], choice[picked])), shape=shape[::-1])
            # The needs of every alternative are needs of the requirement.
            needed = sparse.csr_array(either @ found.astype(np.intp))
            needed = choose_entries(needed, needed.data == either.sum(axis=1)[row_of_entries(needed)])
            found = pattern(found + ancestors @ (bearer @ needed))
        return found

    @property
    def exclusive_sides(self) -> sparse.csr_array:
        """Boolean, sides × sides: true where two sides exclude each other."""
        count = self.below.shape[1]
        ends = np.concatenate([self.left, self.right]), np.concatenate([self.right, self.left])
        return pattern(sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=(count, count)))

    @property
    def clashing(self) -> NDArray[np.bool_]:
        """Mark the concepts that lie below both sides of an exclusion."""
        found: NDArray[np.bool_] = (self.below @ self.exclusive_sides).multiply(self.below).sum(axis=1) > 0
        return np.asarray(found).ravel()


class Unmeetable(NamedTuple):
    """Concepts × requirements: where no label meets a requirement beside a concept that has it.

    Beside it, what each concept `needs` (concepts × sides) and at or below how many labels it lies (`sizes`).
    """

    unmet: sparse.csr_array
    needs: sparse.csr_array
    sizes: NDArray[np.intp]


def unmeetable_by_concept(
    hierarchy: Hierarchy, rules: Sequence[Requirement], abstract: Marks, sides: ExclusionSides
) -> Unmeetable:
    """Find the requirements whose every alternative is excluded, or holds nothing that may be a label."""
    index, ancestors = hierarchy.vocabulary.index, hierarchy.ancestors
    needs = sides.required_sides(hierarchy, rules)
    possible = sparse.csr_array(sparse.diags_array(~abstract & ~sides.clashing, dtype=np.intp))
    labels = sparse.csr_array(possible @ ancestors.astype(np.intp))
    sizes = np.asarray(labels.sum(axis=0)).ravel()
    inherits = sparse.csr_array(ancestors[:, [index[rule.concept] for rule in rules]])
    inherits = choose_entries(inherits, sizes[row_of_entries(inherits)] > 0)
    row = row_of_entries(inherits)
    # Concepts that exclude the same are judged together.
    barred = pattern(needs @ sides.exclusive_sides)
    bearers = np.unique(row)
    groups: dict[bytes, int] = {}
    group = np.zeros(len(hierarchy.vocabulary), dtype=np.intp)
    for bearer in bearers.tolist():
        group[bearer] = groups.setdefault(stored_columns(barred, bearer).tobytes(), len(groups))
    firsts = bearers[np.unique(group[bearers], return_index=True)[1]]
    closed = _closed(barred[firsts], needs, labels, _alternatives(hierarchy, rules))
    unmet = choose_entries(inherits, entries_at(closed, group[row], inherits.indices))
    return Unmeetable(unmet, needs, sizes)


def _alternatives(hierarchy: Hierarchy, rules: Sequence[Requirement]) -> tuple[Places, Places]:
    """List the alternatives of all requirements: positions of the requirement and of the alternative."""
    index = hierarchy.vocabulary.index
    ends = [(rule, index[name]) for rule, one in enumerate(rules) for name in dict.fromkeys(one.any_of)]
    which, choice = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    return which, choice


def _closed(
    barred: sparse.csr_array,
    needs: sparse.csr_array,
    labels: sparse.csr_array,
    alternatives: tuple[Places, Places],
) -> sparse.csr_array:
    """Find the requirements whose every possible label needs one of some sides: groups × requirements."""
    which, choice = alternatives
    sizes = np.asarray(labels.sum(axis=0)).ravel()[choice]
    begins = np.flatnonzero(np.diff(which, prepend=-1))
    step = max(1, _BLOCK // max(labels.shape[0], choice.size))
    found = []
    for begin in range(0, max(1, barred.shape[0]), step):
        beside = pattern(barred[begin : begin + step] @ needs.T).astype(np.intp)
        every = sparse.csr_array(beside @ labels)[:, choice].toarray() == sizes
        found.append(sparse.csr_array(np.logical_and.reduceat(every, begins, axis=1)))
    return sparse.csr_array(sparse.vstack(found, format="csr"))
