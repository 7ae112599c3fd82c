"""Rules for usage: concepts that are never used, once, or only together with another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding, Rule
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.sparse import row_of_entries
from ontoeval.errors import enumerate_some

_LET_IT_SAY = "If one follows from the other, let the ontology say so."
NEVER = Rule("never-used", "note", "Concepts that may be labels, and that no sample has.")
ONCE = Rule("used-once", "note", "Concepts that one sample has.")
ALWAYS = Rule(
    "always-with",
    "note",
    "A label that is always used with another, though nothing demands it.",
    fix=_LET_IT_SAY,
    common=("All samples with a label have another too, though nothing demands it.", _LET_IT_SAY),
)
RULES = (NEVER, ONCE, ALWAYS)

FEWEST = 10
"""How often a label must be used before it is said to be always used with another."""

CHANCE = 0.01
"""Largest probability that any of the labels is always used with another by chance."""

_FIRST = 32
"""How many samples of each label are looked at to rule most others out."""

_PAIRS = 10_000
"""How many pairs are compared with the rules at once."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find concepts whose use carries no information."""
    names, sizes = labels.vocabulary, labels.sizes
    never, once = (np.flatnonzero(sizes == size).tolist() for size in (0, 1))
    if never:
        unused = tuple(names[label] for label in never)
        told = f"{len(never):,} of {len(names):,} concepts are never used: "
        yield NEVER.found_in(unused, f"{told}{enumerate_some(map(labels.called, unused))}.", total=len(names))
    if once:
        single = tuple(names[label] for label in once)
        bearers = np.array([labels.bearing(label)[0] for label in once], dtype=np.intp)
        distinct = bearers[np.sort(np.unique(bearers, return_index=True)[1])]
        yield ONCE.found_in(
            single,
            f"{len(once):,} of {len(names):,} concepts are used once: "
            f"{enumerate_some(map(labels.called, single))}; "
            "the samples named are those of the first concepts.",
            total=len(names),
            samples=labels.some(distinct),
            rows=bearers,
        )
    yield from _companions(labels)


def _companions(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find labels that are always used with others, more often than chance would have it.

    Where a share p of all samples bears another label, n samples all bear it with a chance of p^n. What
    a hierarchy or a rule says already is not said again.
    """
    sizes, count, names = labels.sizes, max(1, len(labels.sets)), labels.vocabulary
    pairs = np.stack(_candidates(labels), axis=-1)
    if not pairs.size:
        return
    label, other = pairs.T
    rare = sizes[label] * np.log(sizes[other] / count) < np.log(CHANCE / max(1, len(names)) ** 2)
    pairs = pairs[rare & ~_known(labels, label, other)]
    always: dict[int, list[int]] = {}
    for one, companion in pairs[np.argsort(pairs[:, 1], kind="stable")].tolist():
        if labels.mark(labels.bearing(companion))[labels.bearing(one)].all():
            always.setdefault(one, []).append(companion)
    for one in sorted(always):
        rows, called = labels.bearing(one), labels.called(names[one])
        companions = [names[companion] for companion in always[one]]
        with_it = enumerate_some(map(labels.called, companions))
        equal = enumerate_some(labels.called(names[at]) for at in always[one] if sizes[at] == rows.size)
        both = f" Nor are {equal} ever used without it." if equal else ""
        yield labels.finding(
            ALWAYS,
            rows,
            f"All {rows.size:,} samples with {called!r} have {with_it} too, though nothing demands it.{both}",
            concepts=(names[one], *companions),
            total=rows.size,
            key=(ALWAYS.name, names[one]),
            cases=tuple(companions),
            own=f"{called!r} with {with_it}" + (f", and {equal} not without it" if equal else ""),
        )


def _candidates(labels: ResolvedLabels) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pair labels with those that all of their first samples bear."""
    used = np.flatnonzero(labels.sizes >= FEWEST)
    first = [labels.bearing(label)[:_FIRST] for label in used.tolist()]
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


def _known(labels: ResolvedLabels, label: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Mark the pairs that the hierarchy or a rule joins or separates."""
    known: NDArray[np.bool_] = np.zeros(label.size, dtype=bool)
    book, above = labels.rules, labels.hierarchy.labels_above
    ones, count = np.ones(book.left.size, dtype=bool), book.sides.shape[1]
    links = sparse.csr_array((ones, (book.left, book.right)), shape=(count, count))
    both = sparse.csr_array(links + links.T)
    for begin in range(0, label.size, _PAIRS):
        part = slice(begin, begin + _PAIRS)
        one, two = label[part], other[part]
        related = _holds(above[one], two) | _holds(above[two], one)
        known[part] = related | ((book.sides[one] @ both).multiply(book.sides[two]).sum(axis=1) > 0)
    return known


def _holds(matrix: sparse.csr_array, columns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each row holds the column that is asked for."""
    ones = np.ones(columns.size, dtype=bool)
    asked = sparse.csr_array((ones, columns, np.arange(columns.size + 1)), shape=matrix.shape)
    met: NDArray[np.bool_] = matrix.multiply(asked).sum(axis=1) > 0
    return met
