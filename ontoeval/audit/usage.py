"""Rules for usage: duplicate samples, repeated labels, concepts never used, once, or always with another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding, rules_of
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.names import fold, without_zeros
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.sparse import entries_at, pattern, row_of_entries, without_entries

FEWEST = 10
"""Least samples of a label before it is reported as always used with another."""

CHANCE = 0.01
"""Largest probability that any label is always used with another by chance.

Also the largest expected number of pairs of samples with the same labels, for these to be reported.
"""

_ROWS = 100_000
"""How many rows are compared at once."""

_FIRST = 32
"""How many samples of each label are looked at to rule most others out."""

_PAIRS = 10_000
"""How many pairs are compared with the rules at once."""

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
    yield from _companions(labels)


def _companions(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find labels that are always used with others, more often than chance would have it.

    If a share p of all samples has another label, n samples all have it with probability p^n.
    Pairs joined by the hierarchy or a rule are not reported.
    """
    sizes, names = labels.sizes, labels.vocabulary
    always: dict[int, list[int]] = {}
    for one, companion in _possible_companions(labels):
        if labels.row_mask(labels.samples_with_label(companion))[labels.samples_with_label(one)].all():
            always.setdefault(one, []).append(companion)
    for one in sorted(always):
        rows = labels.samples_with_label(one)
        companions = [names[companion] for companion in always[one]]
        equal = enumerate_some(
            labels.display_name(names[at]) for at in always[one] if sizes[at] == sizes[one]
        )
        words = {
            "label": labels.display_name(names[one]),
            "others": enumerate_some(map(labels.display_name, companions)),
            "nor_without": f" Nor are {equal} ever used without it." if equal else "",
            "not_without": f", and {equal} not without it" if equal else "",
        }
        more: dict[str, Any] = {"concepts": (names[one], *companions), "key": ("always-with", names[one])}
        yield labels.finding("always-with", rows, words, total=rows.size, cases=tuple(companions), **more)


def _possible_companions(labels: ResolvedLabels) -> list[tuple[int, int]]:
    """Pairs of labels that the first samples of one always have together, though chance seldom would."""
    sizes, chance = labels.sizes, np.log(CHANCE / max(1, len(labels.vocabulary)) ** 2)
    label, other = _candidates(labels)
    rare = sizes[label] * np.log(sizes[other] / max(1, labels.total)) < chance
    label, other = label[rare], other[rare]
    unknown = ~_are_related(labels, label, other)
    label, other = label[unknown], other[unknown]
    order = np.argsort(other, kind="stable")
    return list(zip(label[order].tolist(), other[order].tolist(), strict=True))


def _candidates(labels: ResolvedLabels) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pair labels with the labels that all of their first samples have."""
    used = np.flatnonzero(labels.sizes >= FEWEST)
    first = [labels.samples_with_label(label)[:_FIRST] for label in used.tolist()]
    if not first:
        return used, used
    lengths = np.array([rows.size for rows in first], dtype=np.intp)
    rows, place = np.unique(np.concatenate(first), return_inverse=True)
    ones = np.ones(place.size, dtype=np.int32)
    begin = np.concatenate([[0], np.cumsum(lengths)])
    pick = sparse.csr_array((ones, place, begin), shape=(used.size, rows.size))
    together = sparse.csr_array(pick @ labels.sets.matrix[rows].astype(np.int32))
    row = row_of_entries(together)
    kept = (together.data == lengths[row]) & (together.indices != used[row])
    return used[row[kept]], together.indices[kept].astype(np.intp)


def _are_related(labels: ResolvedLabels, label: Places, other: Places) -> Marks:
    """Mark the pairs that the hierarchy or a rule joins or separates."""
    book, above = labels.rules, labels.hierarchy.labels_above
    known: Marks = entries_at(above, label, other) | entries_at(above, other, label)
    ones, count = np.ones(book.left.size, dtype=bool), book.sides.shape[1]
    links = sparse.csr_array((ones, (book.left, book.right)), shape=(count, count))
    both = sparse.csr_array(links + links.T)
    for begin in range(0, label.size, _PAIRS):
        part = slice(begin, begin + _PAIRS)
        one, two = label[part], other[part]
        known[part] |= (book.sides[one] @ both).multiply(book.sides[two]).sum(axis=1) > 0
    return known


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
