"""Rules for samples: duplicates, near duplicates, samples with the same labels or none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding, Rule, SeenIn
from ontoeval.audit.resolved_labels import Subject
from ontoeval.core.csr import pattern, without
from ontoeval.errors import counted, listed
from ontoeval.ontology.spellings import fold

DUPLICATE = Rule("duplicate-sample", "warning", "A sample with several rows that say the same.")
CONFLICTING = Rule("conflicting-sample", "error", "A sample with several rows that say different things.")
SIMILAR = Rule(
    "similar-sample", "warning", "Samples whose names differ in case, or in how accents are encoded."
)
REPEATED = Rule("repeated-label", "note", "A label that a row has several times.")
SAME = Rule(
    "same-labels", "note", "Samples that share a label set which is too rare to occur twice by chance."
)
UNLABELLED = Rule("unlabelled", "note", "Samples without any label.")
RULES = (DUPLICATE, CONFLICTING, SIMILAR, REPEATED, SAME, UNLABELLED)
_SEEN_IN: dict[Rule, SeenIn] = {DUPLICATE: "later", CONFLICTING: "all"}

CHANCE = 0.01
"""Samples with the same labels are reported where fewer such pairs are expected."""

_ROWS = 100_000
"""How many rows are compared at once."""


def find(subject: Subject) -> Iterator[Finding]:
    """Find samples that repeat others, and labels that are repeated."""
    yield from about_rows(subject)
    yield from _similar(subject)
    written = subject.written
    sets = written.per_sample(written.matrix)
    again = repeated_rows(subject.respelt(sets), ~subject.conflicting)
    again = again[_expected(subject, again) < CHANCE]
    if again.size:
        explanation = (
            f"{again.size:,} of {len(written.samples):,} samples share their exact label set with another "
            "sample, and the set is too rare to occur twice by chance. They may be copies."
        )
        yield _finding(subject, SAME, again, explanation, "Compare these samples, and remove copies.")
    empty = np.flatnonzero(np.diff(sets.indptr) == 0)
    if empty.size:
        explanation = f"{empty.size:,} of {len(written.samples):,} samples have no label."
        yield _finding(subject, UNLABELLED, empty, explanation, None)


def _expected(subject: Subject, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Expect, for the label set of each row, so many pairs of samples if all sets were as rare.

    The labels are taken as independent: of n samples a share p of which has a label, n(n - 1) times the
    product of p for the labels of the set and 1 - p for all others. Ancestors follow from their descendants,
    so only most specific labels count.
    """
    count, above = len(subject.sets), subject.hierarchy.labels_above
    share = (subject.sizes - subject.implied[1]) / max(1, count)
    with np.errstate(divide="ignore"):  # a label that all samples have, or none
        there, absent = np.log(share), np.log1p(-share)
    absent[share == 1] = 0.0
    each = np.where(share > 0, there, 0.0) - absent
    logarithm = np.full(rows.size, np.log(max(1, count * (count - 1))) + absent.sum())
    for begin in range(0, rows.size, _ROWS):
        sets = subject.sets.matrix[rows[begin : begin + _ROWS]]
        logarithm[begin : begin + _ROWS] += without(sets, pattern(sets @ above)) @ each
    expected: NDArray[np.float64] = np.exp(logarithm)
    return expected


def about_rows(subject: Subject) -> Iterator[Finding]:
    """Find samples with several rows, and labels that are repeated."""
    several, conflicting = subject.written.several, subject.conflicting
    apart, elsewhere = _apart(subject)
    same = several & ~conflicting
    if (rows := np.flatnonzero(same & ~apart)).size:
        told = "Several rows say the same of a sample."
        yield _finding(subject, DUPLICATE, rows, told, "Keep one row of each sample.", fixable=True)
    if (rows := np.flatnonzero(same & apart)).size:
        told = f"Several rows give a sample the same labels, but they differ {elsewhere}: all are kept."
        yield _finding(
            subject,
            DUPLICATE,
            rows,
            told,
            "Keep the right row of each sample.",
            key=(DUPLICATE.name, "apart"),
        )
    if (rows := np.flatnonzero(conflicting)).size:
        told = "Several rows give a sample different labels."
        yield _finding(subject, CONFLICTING, rows, told, "Keep the right row of each sample.")
    yield from _given_again(subject)


def _apart(subject: Subject) -> tuple[NDArray[np.bool_], str]:
    """Mark samples whose rows differ in columns that are not read, and name these."""
    repeats, form = subject.written.repeats, subject.written.form
    if repeats is None or form is None:
        return np.zeros(len(subject.written.samples), dtype=bool), ""
    return repeats.apart, f"in what is not read ({listed(form.unused)})"


def _given_again(subject: Subject) -> Iterator[Finding]:
    """Find labels that a row, or several rows with one label each, give again."""
    written = subject.written
    if written.repeats is None:
        return
    again, kept = written.repeats.labels, written.repeats.kept
    if again.nnz:
        told = f"Rows name a label again that they have already: {counted(int(again.sum()), 'duplicate')}."
        rows = written.samples_of(again)
        yield _finding(subject, REPEATED, rows, told, "Keep each label once.", fixable=True)
    if kept.nnz:
        told = (
            f"Labels are given again in rows that differ {_apart(subject)[1]}: {kept.sum():,} in all, kept."
        )
        yield _finding(subject, REPEATED, written.samples_of(kept), told, None, key=(REPEATED.name, "apart"))


def _similar(subject: Subject) -> Iterator[Finding]:
    names = subject.written.samples
    folded = list(map(fold, names))
    if len(set(folded)) == len(folded):
        return
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(folded):
        groups.setdefault(name, []).append(row)
    for folded_name, rows in groups.items():
        if len(rows) > 1:
            alike = listed(names[row] for row in rows)
            yield _finding(
                subject,
                SIMILAR,
                np.array(rows, dtype=np.intp),
                f"The names {alike} differ in case or accents alone.",
                "If these are one sample, give it one name.",
                key=(SIMILAR.name, folded_name),
            )


def repeated_rows(sets: sparse.csr_array, chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
    """List the rows, of those that hold something, that hold the same as another: all of each group."""
    # Each column has a random number of 128 bits; equal sums of them are equal rows.
    words = np.random.default_rng(0).integers(0, 2**64, (sets.shape[1], 2), dtype=np.uint64)
    parts = [sets[begin : begin + _ROWS] for begin in range(0, sets.shape[0], _ROWS)]
    sums = np.concatenate([np.empty((0, 2), dtype=np.uint64), *(part @ words for part in parts)])
    filled = np.flatnonzero(chosen & (np.diff(sets.indptr) > 0))
    order = filled[np.lexsort((filled, sums[filled, 1], sums[filled, 0]))]
    same = (sums[order[1:]] == sums[order[:-1]]).all(axis=1)
    equal = np.zeros(order.size, dtype=bool)
    equal[1:] |= same
    equal[:-1] |= same
    return np.sort(order[equal])


def _finding(
    subject: Subject,
    rule: Rule,
    rows: NDArray[np.intp],
    explanation: str,
    fix: str | None,
    *,
    fixable: bool = False,
    key: tuple[str, ...] = (),
) -> Finding:
    return rule.found(
        (),
        rows.size,
        subject.some(rows),
        len(subject.written.samples),
        explanation,
        fix,
        fixable=fixable,
        rows=rows,
        key=key,
        seen_in=_SEEN_IN.get(rule, "first"),
    )
