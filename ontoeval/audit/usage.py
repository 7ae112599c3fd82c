"""Usage: concepts that are never used, once, or only together with another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding, Rule
from ontoeval.audit.resolved_labels import Subject
from ontoeval.core.csr import row_of_entries
from ontoeval.errors import listed

NEVER = Rule("never-used", "note", "Concepts that may be labels, and that no sample has.")
ONCE = Rule("used-once", "note", "Concepts that one sample has.")
ALWAYS = Rule("always-with", "note", "A label that is always used with another, though nothing demands it.")
RULES = (NEVER, ONCE, ALWAYS)

FEWEST = 10
"""How often a label must be used before it is said to be always used with another."""

CHANCE = 0.01
"""How likely it may be that any of the labels is always used with another by chance."""

_FIRST = 32
"""How many samples of each label are looked at to rule most others out."""


def find(subject: Subject) -> Iterator[Finding]:
    """Find concepts that are used in a way that tells nothing."""
    names, sizes = subject.vocabulary, subject.sizes
    never, once = np.flatnonzero(sizes == 0).tolist(), np.flatnonzero(sizes == 1).tolist()
    if never:
        yield NEVER.found(
            unused := tuple(names[label] for label in never),
            len(never),
            total=len(names),
            explanation=f"{len(never):,} of {len(names):,} concepts are never used: "
            f"{listed(map(subject.called, unused))}.",
            key=(NEVER.name,),
            cases=unused,
        )
    if once:
        bearers = np.array([subject.bearing(label)[0] for label in once], dtype=np.intp)
        distinct = bearers[np.sort(np.unique(bearers, return_index=True)[1])]
        yield ONCE.found(
            single := tuple(names[label] for label in once),
            len(once),
            subject.some(distinct),
            len(names),
            f"{len(once):,} of {len(names):,} concepts are used once: {listed(map(subject.called, single))}; "
            "the samples named are those of the first concepts.",
            rows=bearers,
            key=(ONCE.name,),
            cases=single,
        )
    yield from _companions(subject)


def _companions(subject: Subject) -> Iterator[Finding]:
    """Find labels that are always used with others, more often than chance would have it.

    Where a share p of all samples bears another label, n samples all bear it with a chance of p^n. What
    a hierarchy or a rule says already is not said again.
    """
    sizes, count, names = subject.sizes, max(1, len(subject.sets)), subject.vocabulary
    pairs = np.stack(_candidates(subject), axis=-1)
    if not pairs.size:
        return
    label, other = pairs.T
    rare = sizes[label] * np.log(sizes[other] / count) < np.log(CHANCE / max(1, len(names)) ** 2)
    pairs = pairs[rare & ~_said(subject, label, other)]
    bears = np.zeros(len(subject.sets), dtype=bool)
    always: dict[int, list[int]] = {}
    for one, companion in pairs[np.argsort(pairs[:, 1], kind="stable")].tolist():
        holders = subject.bearing(companion)
        bears[holders] = True
        if bears[subject.bearing(one)].all():
            always.setdefault(one, []).append(companion)
        bears[holders] = False
    for one in sorted(always):
        rows = subject.bearing(one)
        companions = [names[companion] for companion in always[one]]
        equal = [names[companion] for companion in always[one] if sizes[companion] == rows.size]
        both = f" Nor are {listed(map(subject.called, equal))} ever used without it." if equal else ""
        yield ALWAYS.found(
            (names[one], *companions),
            rows.size,
            subject.some(rows),
            rows.size,
            f"All {rows.size:,} samples with {subject.called(names[one])!r} have "
            f"{listed(map(subject.called, companions))} too, though nothing demands it.{both}",
            "If one follows from the other, let the ontology say so.",
            rows=rows,
            key=(ALWAYS.name, names[one]),
            cases=tuple(companions),
            common=(
                "All samples with a label have another too, though nothing demands it.",
                "If one follows from the other, let the ontology say so.",
            ),
            own=f"{subject.called(names[one])!r} with {listed(map(subject.called, companions))}"
            + (f", and {listed(map(subject.called, equal))} not without it" if equal else ""),
        )


def _candidates(subject: Subject) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pair labels with those that all of their first samples bear."""
    used = np.flatnonzero(subject.sizes >= FEWEST)
    first = [subject.bearing(label)[:_FIRST] for label in used.tolist()]
    if not first:
        return used, used
    lengths = np.array([rows.size for rows in first], dtype=np.intp)
    rows, place = np.unique(np.concatenate(first), return_inverse=True)
    ones = np.ones(place.size, dtype=np.int32)
    begin = np.concatenate([[0], np.cumsum(lengths)])
    pick = sparse.csr_array((ones, place, begin), shape=(used.size, rows.size))
    together = sparse.csr_array(pick @ subject.sets.matrix[rows].astype(np.int32))
    row = row_of_entries(together)
    kept = (together.data == lengths[row]) & (together.indices != used[row])
    return used[row[kept]], together.indices[kept].astype(np.intp)


def _said(subject: Subject, label: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell of which pairs the hierarchy or a rule says that they go together, or that they do not."""
    said: NDArray[np.bool_] = np.zeros(label.size, dtype=bool)
    book = subject.rules
    links = sparse.csr_array(
        (np.ones(book.left.size, dtype=bool), (book.left, book.right)), shape=(book.sides.shape[1],) * 2
    )
    sides, above = book.sides, subject.hierarchy.labels_above
    step = 10_000
    for begin in range(0, label.size, step):
        part = slice(begin, begin + step)
        one, two = label[part], other[part]
        related = _meet(above[one], two) | _meet(above[two], one)
        ruled = (sides[one] @ links).multiply(sides[two]).sum(axis=1) > 0
        back = (sides[one] @ links.T.tocsr()).multiply(sides[two]).sum(axis=1) > 0
        said[part] = related | ruled | back
    return said


def _meet(matrix: sparse.csr_array, columns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which rows hold the column that is asked for: one for each."""
    ones = np.ones(columns.size, dtype=bool)
    asked = sparse.csr_array((ones, columns, np.arange(columns.size + 1)), shape=matrix.shape)
    met: NDArray[np.bool_] = matrix.multiply(asked).sum(axis=1) > 0
    return met
