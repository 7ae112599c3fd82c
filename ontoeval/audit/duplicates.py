"""Rules for samples: duplicates, near duplicates, samples with the same labels or none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding, Rule
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.sparse import pattern, without
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.ontology.names import fold

DUPLICATE = Rule("duplicate-sample", "warning", "A sample with several rows that say the same.")
CONFLICTING = Rule(
    "conflicting-sample",
    "error",
    "A sample with several rows that say different things.",
    fix="Keep the right row of each sample.",
)
SIMILAR = Rule(
    "similar-sample",
    "warning",
    "Samples whose names differ in case, or in how accents are encoded.",
    fix="If these are one sample, give it one name.",
)
REPEATED = Rule("repeated-label", "note", "A label that a row has several times.")
SAME = Rule(
    "same-labels",
    "note",
    "Samples that share a label set which is too rare to occur twice by chance.",
    fix="Compare these samples, and remove copies.",
)
UNLABELLED = Rule("unlabelled", "note", "Samples without any label.")
RULES = (DUPLICATE, CONFLICTING, SIMILAR, REPEATED, SAME, UNLABELLED)

CHANCE = 0.01
"""Samples with the same labels are reported where fewer such pairs are expected."""

_ROWS = 100_000
"""How many rows are compared at once."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples that repeat others, and labels that are repeated."""
    yield from duplicate_rows(labels)
    yield from _similar(labels)
    sets, every = labels.raw.per_sample(labels.raw.matrix), len(labels.raw.samples)
    again = repeated_rows(labels.respelt(sets), ~labels.conflicting)
    again = again[_expected(labels, again) < CHANCE]
    if again.size:
        explanation = (
            f"{again.size:,} of {every:,} samples share their exact label set with another "
            "sample, and the set is too rare to occur twice by chance. They may be copies."
        )
        yield labels.finding(SAME, again, explanation)
    empty = np.flatnonzero(np.diff(sets.indptr) == 0)
    if empty.size:
        yield labels.finding(UNLABELLED, empty, f"{empty.size:,} of {every:,} samples have no label.")


def _expected(labels: ResolvedLabels, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Expect, for the label set of each row, so many pairs of samples if all sets were as rare.

    The labels are taken as independent: of n samples a share p of which has a label, n(n - 1) times the
    product of p for the labels of the set and 1 - p for all others. Ancestors follow from their descendants,
    so only most specific labels count.
    """
    count, above = len(labels.sets), labels.hierarchy.labels_above
    share = (labels.sizes - labels.implied[1]) / max(1, count)
    with np.errstate(divide="ignore"):  # a label that all samples have, or none
        there, absent = np.log(share), np.log1p(-share)
    absent[share == 1] = 0.0
    each = np.where(share > 0, there, 0.0) - absent
    logarithm = np.full(rows.size, np.log(max(1, count * (count - 1))) + absent.sum())
    for begin in range(0, rows.size, _ROWS):
        sets = labels.sets.matrix[rows[begin : begin + _ROWS]]
        logarithm[begin : begin + _ROWS] += without(sets, pattern(sets @ above)) @ each
    expected: NDArray[np.float64] = np.exp(logarithm)
    return expected


def duplicate_rows(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples with several rows, and labels that are repeated."""
    raw, conflicting = labels.raw, labels.conflicting
    same = raw.several & ~conflicting
    if (rows := np.flatnonzero(same & ~raw.differing)).size:
        told, fix = "Several rows say the same of a sample.", "Keep one row of each sample."
        yield labels.finding(DUPLICATE, rows, told, fix=fix, fixable=True, seen_in="later")
    if (rows := np.flatnonzero(same & raw.differing)).size:
        told = f"Several rows give a sample the same labels, but they differ {raw.elsewhere}: all are kept."
        key = (DUPLICATE.name, "apart")
        yield labels.finding(DUPLICATE, rows, told, fix=CONFLICTING.fix, key=key, seen_in="later")
    if (rows := np.flatnonzero(conflicting)).size:
        told = "Several rows give a sample different labels."
        yield labels.finding(CONFLICTING, rows, told, seen_in="all")
    if raw.repeats is None:
        return
    again, kept = raw.repeats.labels, raw.repeats.kept
    if again.nnz:
        told = f"Rows name a label again that they have already: {pluralise(int(again.sum()), 'duplicate')}."
        fix = "Keep each label once."
        yield labels.finding(REPEATED, raw.samples_of(again), told, fix=fix, fixable=True)
    if kept.nnz:
        told = f"Labels are given again in rows that differ {raw.elsewhere}: {kept.sum():,} in all, kept."
        yield labels.finding(REPEATED, raw.samples_of(kept), told, key=(REPEATED.name, "apart"))


def _similar(labels: ResolvedLabels) -> Iterator[Finding]:
    names = labels.raw.samples
    alike = list(map(fold, names))
    if len(set(alike)) == len(alike):
        return
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(alike):
        groups.setdefault(name, []).append(row)
    for folded, rows in groups.items():
        if len(rows) > 1:
            told = f"The names {enumerate_some(names[row] for row in rows)} differ in case or accents alone."
            key = (SIMILAR.name, folded)
            yield labels.finding(SIMILAR, np.array(rows, dtype=np.intp), told, key=key)


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
