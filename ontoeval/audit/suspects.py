"""Likely label errors by a model's scores: doubtful labels and absences, and swapped siblings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.audit.findings import Finding, rules_of
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.table import Column, Table
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.sources import read_source
from ontoeval.measures.counts import divide
from ontoeval.measures.matching import places_in
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import (
    entries_of_rows,
    pattern,
    pattern_at,
    row_of_entries,
    stored_in,
    without_entries,
)

_HALF = 0.5

_LUCKY = 2
"""Samples with a label that chance may rank high, and that so prove nothing."""

_SURE = 3
"""Standard errors by which scores must rank samples with a label above others, for findings of that label."""

RULES = ("doubtful-label", "doubtful-absence", "swapped-label", "uninformative-scores")
"""The rules that need scores."""


class Suspects(NamedTuple):
    """Cells of samples and labels that are likely errors, the likeliest first.

    `confident` marks those that are shown as findings: the scores separate samples with the label from
    others, and the score is on the other side of one half, at least as far as it is on average where it is
    right [northcutt2021]_. The order does not depend on it.
    """

    row: Places
    label: Places
    score: Numbers
    evidence: Numbers
    confident: Marks
    instead: Places
    score_instead: Numbers

    def in_order(self) -> Suspects:
        """Sort by evidence; ties stay in the order of samples and labels."""
        return self.take(np.argsort(-self.evidence, kind="stable"))

    def take(self, chosen: Places | Marks) -> Suspects:
        """Choose some of the cells."""
        parts: list[Any] = [part[chosen] for part in self]
        return Suspects(*parts)


@dataclass(frozen=True)
class _Judged:
    """Labels beside scores: what both say of each stored cell, and how sure the model usually is."""

    sets: LabelSets
    scores: sparse.csr_array
    hierarchy: Hierarchy

    def of_labels(self) -> tuple[Places, Places, Numbers]:
        """Sample, label and score of each label."""
        matrix = self.sets.matrix
        row, label = row_of_entries(matrix), matrix.indices.astype(np.intp)
        return row, label, np.asarray(self.scores[row, label], dtype=np.float64).ravel()

    def of_absences(self) -> tuple[Places, Places, Numbers]:
        """Sample, label and score of each cell with a score and without the label."""
        absent = ~stored_in(self.scores, self.sets.matrix)
        row, label = row_of_entries(self.scores)[absent], self.scores.indices[absent].astype(np.intp)
        return row, label, self.scores.data[absent]

    def usual(self) -> tuple[Numbers, Numbers]:
        """Average score of each label where it is given, and 1 - score where it is not; nan without any."""
        count = self.scores.shape[1]
        sums = [
            np.bincount(label, score, count) for _, label, score in (self.of_labels(), self.of_absences())
        ]
        given = np.bincount(self.sets.matrix.indices, minlength=count).astype(np.float64)
        present, absent = (np.asarray(one, dtype=np.float64) for one in sums)
        return divide(present, given), 1 - divide(absent, len(self.sets) - given)

    @cached_property
    def separated(self) -> Marks:
        """Mark the labels whose samples score higher than others, by more than chance explains.

        Without the `_LUCKY` best of them, which chance puts high where few cells have a score, their ranks
        add up to `_SURE` standard errors more than they would without knowledge (Mann-Whitney; equal scores
        share their ranks).
        """
        samples, count = self.scores.shape
        stored = self.scores.data > 0
        label, score = self.scores.indices[stored], self.scores.data[stored]
        order = np.lexsort((score, label))
        label, score = label[order], score[order]
        given = stored_in(self.scores, self.sets.matrix)[stored][order]
        first = np.ones(label.size, dtype=bool)
        first[1:] = (label[1:] != label[:-1]) | (score[1:] != score[:-1])
        start, size = np.flatnonzero(first), np.bincount(np.cumsum(first) - 1)
        above = np.bincount(label, minlength=count)
        zeros, before = samples - above, np.cumsum(above) - above
        of = label[start]
        rank = np.repeat(zeros[of] + start - before[of] + (size + 1) / 2, size)
        bearers = np.bincount(self.sets.matrix.indices, minlength=count)
        there = np.bincount(label[given], minlength=count)
        # Of the given cells, which ascend, how many of the same label follow.
        follow = np.cumsum(there)[label[given]] - np.arange(1, given.sum() + 1)
        rest = np.bincount(label[given], (follow >= _LUCKY) * rank[given], count)
        bearers = np.maximum(bearers - _LUCKY, 0)
        at_zero = bearers - np.maximum(there - _LUCKY, 0)
        ranks = rest + at_zero * (zeros + 1) / 2
        cubes = np.bincount(of, size.astype(np.float64) ** 3 - size, count) + zeros.astype(np.float64) ** 3
        ties = (cubes - zeros) / max(1, samples * (samples - 1))
        variance = bearers * (samples - bearers) / 12 * (samples + 1 - ties)
        return np.asarray(ranks - bearers * (samples + 1) / 2 > _SURE * np.sqrt(variance))

    def lists(self) -> dict[str, Suspects]:
        """Find the suspects of each rule."""
        present, absent = self.usual()
        found = {}
        for rule, (row, label, score), given, usual in (
            ("doubtful-label", self.of_labels(), True, absent),
            ("doubtful-absence", self.of_absences(), False, present),
        ):
            evidence = 1 - score if given else score
            confident = self.separated[label] & (evidence >= np.maximum(usual[label], _HALF))
            none = np.full(row.size, -1), np.full(row.size, np.nan)
            found[rule] = Suspects(row, label, score, evidence, confident, *none).in_order()
        return {**found, "swapped-label": self._swapped(present, absent)}

    def _swapped(self, present: Numbers, absent: Numbers) -> Suspects:
        """Find the most specific labels whose best sibling, which is not given, scores more."""
        sets, hierarchy = self.sets.matrix, self.hierarchy
        parents = hierarchy.parents[hierarchy.labels]
        specific = without_entries(sets, pattern(sets @ hierarchy.labels_above))
        row, label = row_of_entries(specific), specific.indices.astype(np.intp)
        own = np.asarray(self.scores[row, label], dtype=np.float64).ravel()
        # The best of the labels below each parent that are not given and not implied, sample by sample.
        implied = pattern(sets + pattern(sets @ hierarchy.labels_above))
        free = ~stored_in(self.scores, implied)
        at, other = row_of_entries(self.scores)[free], self.scores.indices[free]
        score = self.scores.data[free]
        entries, number = entries_of_rows(parents, other)
        key = np.repeat(at, number) * np.intp(parents.shape[1]) + parents.indices[entries]
        other, score = np.repeat(other, number), np.repeat(score, number)
        best = _greatest_of_each(key, score)
        key, other, score = key[best], other[best], score[best]
        entries, number = entries_of_rows(parents, label)
        which = np.repeat(np.arange(row.size), number)
        wanted = row[which] * np.intp(parents.shape[1]) + parents.indices[entries]
        place = places_in(key, wanted)
        there = place >= 0
        which, place = which[there], place[there]
        # Of several parents the one with the best sibling.
        best = _greatest_of_each(which, score[place])
        which, place = which[best], place[best]
        margin = score[place] - own[which]
        stronger = margin > 0
        which, place, margin = which[stronger], place[stronger], margin[stronger]
        label, instead = label[which], other[place].astype(np.intp)
        confident = (score[place] >= present[instead]) & (1 - own[which] >= absent[label])
        confident &= self.separated[label] & self.separated[instead]
        return Suspects(row[which], label, own[which], margin, confident, instead, score[place]).in_order()


def _greatest_of_each(key: Places, value: Numbers) -> Places:
    """Places of the greatest value of each key, in the order of the keys."""
    order = np.lexsort((value, key))
    last = np.ones(order.size, dtype=bool)
    last[:-1] = key[order[1:]] != key[order[:-1]]
    return order[last]


def _judged(labels: ResolvedLabels) -> _Judged | None:
    """Put labels beside scores of the same samples and labels; None without scores."""
    sets, scores = labels.sets, labels.scores
    if scores is None:
        return None
    subjects = labels.raw.subjects or sets.samples
    if lacking := [name for name in dict.fromkeys(subjects) if name not in scores.row]:
        raise InputError(
            f"{pluralise(len(lacking), 'sample')} without scores: {enumerate_some(lacking)}",
            "Give scores of all samples that are audited, made without having seen their labels.",
        )
    taken = scores.take(tuple(dict.fromkeys(subjects))).within(sets.vocabulary)
    matrix = taken.matrix[[taken.row[name] for name in subjects]]
    outside = (matrix.data < 0) | (matrix.data > 1)
    if outside.any():
        problem = f"scores outside 0 to 1, such as {matrix.data[outside][0]:g}"
        raise InputError(problem, "Give probabilities, such as the sigmoid of each output.")
    return _Judged(sets, matrix, labels.hierarchy)


def suspects(labels: ResolvedLabels) -> dict[str, Suspects]:
    """Find likely errors of labels by scores; none without scores."""
    judged = labels.derive(_judged)
    return {} if judged is None else judged.lists()


def _why_unknown(labels: ResolvedLabels, unknown: Places) -> str:
    """Tell labels that too few samples have, or lack, from those that the scores do not rank."""
    bearers, total = np.maximum(labels.sizes[unknown] - _LUCKY, 0), labels.total
    # Of the best possible ranks, the distance from those of chance in standard errors.
    few = np.sqrt(3 * bearers * (total - bearers) / (total + 1)) <= _SURE
    sentences = (
        ("so few samples have, or lack, the label that no ranks are beyond chance", unknown[few]),
        (
            "samples with the label, but for the two best, are not ranked above others by 3 standard errors",
            unknown[~few],
        ),
    )
    return "; ".join(
        f"{why} ({enumerate_some(labels.display_name(labels.vocabulary[at]) for at in which.tolist())})"
        for why, which in sentences
        if which.size
    )


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find labels that a model's scores speak against, confidently."""
    names, judged = labels.vocabulary, labels.derive(_judged)
    if judged is not None:
        used = (labels.sizes > 0) & (labels.sizes < labels.total)
        unknown = tuple(names[at] for at in np.flatnonzero(used & ~judged.separated).tolist())
        if unknown:
            total = int(np.count_nonzero(used))
            words = {"why": _why_unknown(labels, np.flatnonzero(used & ~judged.separated))}
            yield rules_of("labels")["uninformative-scores"].found_in(unknown, words, total=total)
    for rule, found in labels.derive(suspects).items():
        shown = found.take(found.confident)
        pairs = shown.label * (len(names) + 1) + shown.instead + 1
        _, first, group = np.unique(pairs, return_index=True, return_inverse=True)
        for number in np.argsort(first).tolist():
            cells = np.flatnonzero(group == number)
            label, instead = int(shown.label[cells[0]]), int(shown.instead[cells[0]])
            concepts = tuple(names[at] for at in (label, instead) if at >= 0)
            called = [labels.display_name(one) for one in concepts]
            words = {"label": called[0], "other": called[-1], "first": f"{shown.score[cells[0]]:.2f}"}
            words["second"] = f"{shown.score_instead[cells[0]]:.2f}"
            more = {"concepts": concepts, "samples": labels.example_names(shown.row[cells])}
            yield labels.finding(rule, np.sort(shown.row[cells]), words, **more)


def suspects_table(labels: ResolvedLabels) -> Table:
    """List all suspects, those of each rule with the likeliest first."""
    titles = ("rule", "sample", "label", "score", "instead", "score of it", "shown")
    rows: list[tuple[str | float | None, ...]] = []
    for rule, found in labels.derive(suspects).items():
        columns = (found.row, found.label, found.score, found.instead, found.score_instead, found.confident)
        for row, label, score, instead, other, shown in zip(*(one.tolist() for one in columns), strict=True):
            called = (labels.naming[labels.vocabulary[instead]], other) if instead >= 0 else (None, None)
            name = labels.naming[labels.vocabulary[label]]
            rows.append((rule, labels.raw.samples[row], name, score, *called, "yes" if shown else "no"))
    notes = ("A list for each rule, the likeliest errors first. shown: among the findings of the audit.",)
    return Table("Likely label errors", tuple(map(Column, titles)), tuple(rows), notes)


_CHANGES = {
    "swapped-label": "rename",
    "doubtful-label": "remove",
    "exclusion": "remove",
    "doubtful-absence": "add",
}


class Confirmed(NamedTuple):
    """Errors that a person confirmed: the samples of each change, exchanged spellings, and cells that change.

    A change is its kind, label, new label and rule; a spelling in a sample is exchanged for another label;
    `more` and `less` are samples × labels.
    """

    changes: dict[tuple[str, str, str, str], list[int]]
    exchanged: dict[tuple[str, str], str]
    more: sparse.csr_array
    less: sparse.csr_array


def confirmed_errors(labels: ResolvedLabels, source: FilePath | None) -> Confirmed:
    """Read a table of suspects, whose wrong rows were deleted."""
    errors = {} if source is None else _confirmed_errors(labels, source)
    write, names, shape = labels.naming, labels.vocabulary, labels.sets.matrix.shape
    changes, exchanged = defaultdict[tuple[str, str, str, str], list[int]](list), dict[tuple[str, str], str]()
    for (row, label), (rule, instead) in errors.items():
        new = write[names[instead]] if instead >= 0 else ""
        changes[_CHANGES[rule], write[names[label]], new, rule].append(row)
        for code in np.flatnonzero(labels.column == label).tolist() if new else ():
            exchanged[labels.raw.samples[row], labels.raw.spellings[code]] = new
    cells = [(row, label, rule == "doubtful-absence") for (row, label), (rule, _) in errors.items()]
    cells += [(row, instead, True) for (row, _), (_, instead) in errors.items() if instead >= 0]
    rows, columns, added = np.array(cells, dtype=np.intp).reshape(-1, 3).T
    sides = (pattern_at(rows[some], columns[some], shape) for some in (added == 1, added == 0))
    return Confirmed(changes, exchanged, *sides)


def _confirmed_errors(labels: ResolvedLabels, source: FilePath) -> dict[tuple[int, int], tuple[str, int]]:
    """Read errors: of a sample and a label the rule, and the label that belongs there instead or -1."""
    file, found = read_source(source), dict[tuple[int, int], tuple[str, int]]()
    delimiter, needed = file.delimiter or ",", ("rule", "sample", "label", "instead")
    header = file.first(delimiter)
    if lacking := sorted({*needed}.difference(header)):
        remedy = "Give the table that --suspects writes beside --scores, without the rows that are wrong."
        raise InputError(f"no column {enumerate_some(lacking)}", remedy, where=file.where, row=1)
    for line, fields in file.without_header(delimiter).rows(delimiter):
        given = dict(zip(header, fields, strict=True))
        rule, sample, *names = map(given.__getitem__, needed)
        if given.get("shown") == "no":
            continue
        change, row = _CHANGES.get(rule), labels.sets.row.get(sample, -1)
        ends = [labels.meaning(name).column for name in names[: 1 + (change == "rename")]]
        there = [row >= 0 <= end and bool(labels.sets.matrix[row, end]) for end in ends]
        if change is None or row < 0 or min(ends) < 0 or there != [change != "add", False][: len(ends)]:
            problem = f"the labels have no such error: {enumerate_some(filter(None, (rule, sample, *names)))}"
            file.refuse(problem, "Delete this row.", line)
        if change == "rename":  # it counts, and not the doubts about either label
            found |= {(row, ends[0]): (rule, ends[1]), (row, ends[1]): ("", -1)}
        found.setdefault((row, ends[0]), (rule, -1))
    return {cell: error for cell, error in found.items() if error[0]}
