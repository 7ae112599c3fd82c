"""Rules for usage: duplicate samples, repeated labels, and concepts never used or once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import compress

import numpy as np

from ontoeval.audit.findings import Finding, rules_of
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.names import fold, without_zeros
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.sparse import pattern, without_entries

FEWEST = 10
"""Fewest used concepts, and fewest names in folders, by which a file is judged."""

CHANCE = 0.01
"""Largest expected number of pairs of samples with the same labels, for these to be reported."""

_ROWS = 100_000
"""How many rows are compared at once."""

_MEDIA = (
    r"\.(?:jpe?g|png|gif|bmp|tiff?|webp|svg|dcm|nii|wav|mp[34]|flac|ogg|m4[av]|avi|mov|mkv|txt|html?|pdf)\Z"
)
"""File endings of samples: other ends of names, such as .io, may be parts of them."""

_ENDING, _FOLDER = re.compile(f"(?<=.){_MEDIA}"), re.compile(rf"\A.*/(?=[^/]+{_MEDIA})")
"""The ending, and the folder, of a file's name."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find repeated samples and labels, what fills up a table, and concepts whose use tells nothing."""
    yield from _find_repeats(labels)
    yield from _find_filled_up(labels)
    names, sizes = labels.vocabulary, labels.sizes
    never, once = (np.flatnonzero(sizes == size).tolist() for size in (0, 1))
    if never:
        unused = tuple(names[label] for label in never)
        words = {"names": enumerate_some(map(labels.display_name, unused))}
        yield rules_of("labels")["never-used"].found_in(unused, words, total=len(names))
    if once:
        single = tuple(names[label] for label in once)
        bearers = np.concatenate([labels.samples_with_label(label) for label in once])
        distinct = bearers[np.sort(np.unique(bearers, return_index=True)[1])]
        words = {"names": enumerate_some(map(labels.display_name, single))}
        fields = {"total": len(names), "samples": labels.example_names(distinct), "rows": bearers}
        yield rules_of("labels")["used-once"].found_in(single, words, **fields)


def _find_repeats(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples that repeat others or have no label, and labels that are repeated."""
    yield from duplicate_rows(labels)
    yield from _similar(labels)
    sets = labels.respelt(labels.raw.per_sample(labels.raw.matrix))
    filled: Marks = np.diff(sets.indptr) > 0
    rows = np.flatnonzero(filled & ~labels.conflicting)
    # Each label has a random number; equal sums of them are equal sets.
    sums = sets @ np.random.default_rng(0).integers(2**63, size=sets.shape[1])
    _, which, bearers = np.unique(sums[rows], return_inverse=True, return_counts=True)
    several = bearers[which] > 1
    again, bearers = rows[several], bearers[which[several]]
    again = again[_expected_pairs(labels, again, bearers) < CHANCE]
    if again.size and not labels.raw.subjects:
        yield labels.finding("same-labels", again)
    if not filled.all():
        yield labels.finding("unlabelled", np.flatnonzero(~filled))


def _find_filled_up(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find what fills up a table: nulls among the labels, and samples with nearly every label."""
    if nulls := labels.raw.ledger.nulls:
        yield rules_of("labels")["null-label"].make_finding((), nulls)
    sizes, used = np.diff(labels.sets.matrix.indptr), np.count_nonzero(labels.sizes)
    every: Marks = 10 * sizes >= 9 * used
    usual = int(sizes[~every].max(initial=0))
    if used >= FEWEST and every.any() and 0 < 2 * usual <= used:
        yield labels.finding("all-labels", np.flatnonzero(every), {"used": used, "usual": usual})


def _expected_pairs(labels: ResolvedLabels, rows: Places, bearers: Places) -> Numbers:
    """Compute the expected number of pairs of samples with the label set of each row, if all were as rare.

    The labels are taken as independent: of n samples a share p of which has a label, n(n - 1) times the
    product of p for the labels of the set and 1 - p for all others. Copies do not make their own labels
    frequent: where half of the samples with a label have the very set, only two of these count. Ancestors
    follow from their descendants, so only most specific labels count. Each set has so many `bearers`.
    """
    count, above, sizes = labels.total, labels.hierarchy.labels_above, labels.sizes - labels.implied[1]
    logarithm, more = np.full(rows.size, np.log(max(1, count * (count - 1)))), bearers - 2
    for number in np.unique(more).tolist():
        some, others = np.flatnonzero(more == number), count - number
        # A label of all others is in the set as well, and its absence has no probability.
        absent = np.log1p(-np.where(sizes < others, sizes, 0) / others)
        copied = 2 * (number + 2) >= sizes
        there = np.log(np.maximum(sizes - number * copied, 1) / others)
        for part in np.split(some, range(_ROWS, some.size, _ROWS)):
            sets = labels.sets.matrix[rows[part]]
            logarithm[part] += absent.sum() + without_entries(sets, pattern(sets @ above)) @ (there - absent)
    return np.asarray(np.exp(logarithm))


def duplicate_rows(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples with several rows, and labels that are repeated."""
    raw, conflicting = labels.raw, labels.conflicting
    same, where = raw.has_several_rows & ~conflicting, raw.where_rows_differ
    if (rows := np.flatnonzero(same & ~raw.differing)).size:
        yield labels.finding("duplicate-sample", rows, fixable=True, seen_in="later")
    if (rows := np.flatnonzero(same & raw.differing)).size:
        text = f"Several rows give a sample the same labels, but they differ {where}: all are kept."
        fix, key = rules_of("labels")["conflicting-sample"].fix, ("duplicate-sample", "apart")
        yield labels.finding("duplicate-sample", rows, explanation=text, fix=fix, key=key, seen_in="later")
    if (rows := np.flatnonzero(conflicting)).size:
        yield labels.finding("conflicting-sample", rows, seen_in="all")
    if raw.repeats is None:
        return
    again, kept = raw.repeats.labels, raw.repeats.kept
    if again.nnz:
        words = {"duplicates": pluralise(int(again.sum()), "duplicate")}
        fix = "Keep each label once."
        yield labels.finding("repeated-label", raw.samples_of(again), words, fix=fix, fixable=True)
    if kept.nnz:
        text = f"Labels are given again in rows that differ {where}: {kept.sum():,} in all, kept."
        key = ("repeated-label", "apart")
        yield labels.finding("repeated-label", raw.samples_of(kept), explanation=text, key=key)


def _similar(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find samples whose names differ in case, blanks, leading zeros, a folder or a file ending alone."""
    names = [without_zeros(fold(name).removeprefix("./")) for name in labels.raw.samples]
    known = Counter(names)
    repeated = {name for name, count in known.items() if count > 1}
    for part, equal in ((_ENDING, repeated), (_FOLDER, set[str]())):
        shorter = {name: stem for name in known if (stem := part.sub("", name)) != name and stem in known}
        # A folder whose files mostly have the names of others is no slip.
        if part is _FOLDER and 2 * len(shorter) > max(FEWEST, sum("/" in name for name in known)):
            break
        alike, groups = {*equal, *shorter, *shorter.values()}, defaultdict[str, list[int]](list)
        for row in compress(range(len(names)), map(alike.__contains__, names)):
            groups[shorter.get(names[row], names[row])].append(row)
        for folded, rows in groups.items():
            words = {"names": enumerate_some(labels.raw.samples[row] for row in rows)}
            where = np.array(rows, dtype=np.intp)
            yield labels.finding("similar-sample", where, words, key=("similar-sample", folded))
