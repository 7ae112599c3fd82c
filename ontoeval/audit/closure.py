"""Rules for closure: ancestors that are missing, redundant, or denied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from ontoeval.audit.findings import Finding
from ontoeval.audit.resolved_labels import FEWEST, ResolvedLabels, clear_side
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.sparse import stored_columns

_BY_FORCE = "; --fix does so with --convention {}"
"""Shares at which the convention of an ancestor is too unclear for corrections."""

DOUBTFUL = 3
"""Least samples from which a correction is doubted, if they are most of those concerned."""


def find(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find ancestors that break the convention, have no clear convention, or are marked absent."""
    yield from missing_ancestors(labels)
    yield from redundant_labels(labels)
    if not labels.convention.forced and labels.negative is None:
        yield from _unclear_pairs(labels)
    if labels.negative is not None:
        yield from _denied_labels(labels)


def _unclear_pairs(labels: ResolvedLabels) -> Iterator[Finding]:
    """Compare labels with their nearest ancestors that have no clear convention: one finding per pair."""
    implied, present = labels.implied
    unclear = labels.nearest((implied > 0) & (labels.sizes > 0) & (labels.convention.judged == 0))
    turn = _turn(labels, unclear) if unclear.nnz else ""
    for label, above, rows in _samples_lacking(labels, unclear, labels.columns):
        ends = labels.vocabulary[label], labels.vocabulary[above]
        words = {"label": labels.display_name(ends[0]), "above": labels.display_name(ends[1])}
        words |= {"present": present[above], "implied": implied[above], "turn": turn}
        total = int(labels.sizes[label])
        yield labels.finding("mixed-convention", rows, words, concepts=ends, total=total)


def _turn(labels: ResolvedLabels, unclear: sparse.csr_array) -> str:
    """Name the sample at which ancestors begin to lack, or to be there; "" without a clear change."""
    sets, lines = labels.sets.matrix, labels.raw.lines
    due = sparse.csr_array(sets @ unclear)
    sums = np.stack([np.diff(one.indptr).cumsum(dtype=np.int64) for one in (due, due.multiply(sets).tocsr())])
    last = int(np.abs(sums[1] * sums[0, -1] - sums[0] * sums[1, -1]).argmax())
    sides = sums[:, last], sums[:, -1] - sums[:, last]
    first, second = (int(clear_side(*side)) for side in sides)
    if first * second >= 0 or min(implied for implied, _ in sides) < FEWEST:
        return ""
    row = "" if lines is None else f" (row {lines.first[last + 1]:,})"
    what = ["lack before, and are there from there on", "are there before, and lack from there on"][first > 0]
    return f" The convention changes at sample {labels.raw.samples[last + 1]!r}{row}: ancestors {what}."


def _samples_lacking(
    labels: ResolvedLabels, below: sparse.csr_array, columns: sparse.csc_array
) -> Iterator[tuple[int, int, Places]]:
    """Give for pairs of a label and an ancestor the samples with the label that lack the ancestor."""
    of = below.tocsc()
    for above in np.flatnonzero(np.diff(of.indptr)).tolist():
        lower = stored_columns(of, above)
        lower = lower[columns.indptr[lower] < columns.indptr[lower + 1]]
        there = labels.row_mask(stored_columns(columns, above)) if lower.size else lower
        for label in lower.tolist():
            bearing = stored_columns(columns, label).astype(np.intp)
            rows = bearing[~there[bearing]]
            if rows.size:
                yield label, above, rows


def missing_ancestors(labels: ResolvedLabels, sets: sparse.csr_array | None = None) -> Iterator[Finding]:
    """Compare each label with the nearest ancestors that the convention demands: one finding per pair.

    `sets` are other label sets, judged by the convention of these.
    """
    columns = labels.columns if sets is None else sets.tocsc()
    totals = labels.sizes if sets is None else np.diff(columns.indptr)
    names, called, asked = labels.vocabulary, labels.display_name, labels.convention.forced
    judged, undecided = labels.convention.judged, labels.conflicting
    elsewhere = "" if asked else " Elsewhere this file includes {}."
    for label, above, rows in _samples_lacking(labels, labels.required_ancestors, columns):
        count, total, decided = rows.size, int(totals[label]), not undecided[rows].all()
        # If most samples lack an ancestor, the link may be wrong: then the user must decide.
        doubtful = not asked and count >= DOUBTFUL and 2 * count > total
        unclear = judged[above] == 1
        words = {
            "label": called(names[label]),
            "above": called(names[above]),
            "write": labels.naming[names[above]],
            "elsewhere": elsewhere.format("it"),
            "elsewhere_all": elsewhere.format("them"),
            "remedy": _BY_FORCE.format("closed") * bool(unclear) + ".",
        }
        fixable = not (doubtful or unclear) and decided
        more: dict[str, Any] = {"fixable": fixable, "undecided": rows[undecided[rows]]}
        more["concepts"] = names[label], names[above]
        rule = "doubtful-ancestor" if doubtful else "missing-ancestor"
        yield labels.finding(rule, rows, words, total=total, **more)


def redundant_labels(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find labels that others imply, and that the convention leaves out: one finding per label."""
    names, asked, judged = labels.vocabulary, labels.convention.forced, labels.convention.judged
    elsewhere = "" if asked else " Elsewhere this file leaves {} out."
    perhaps = " Most samples with a descendant have {}, so {} may be there on purpose."
    below, undecided = labels.hierarchy.labels_above.tocsc(), ~labels.removable
    for label in np.flatnonzero((labels.implied[1] > 0) & (judged < 0)).tolist():
        under = labels.row_mask(*map(labels.samples_with_label, stored_columns(below, label).tolist()))
        bearing = labels.samples_with_label(label)
        rows = bearing[under[bearing]]
        decided = not undecided[rows].all()
        # If most samples have a redundant label, that may be intended: then the user must decide, too.
        doubtful = rows.size >= DOUBTFUL and 2 * rows.size > int(labels.implied[0][label])
        unclear = judged[label] == -1
        words = {
            "label": labels.display_name(names[label]),
            "elsewhere": elsewhere.format("it"),
            "elsewhere_all": elsewhere.format("them"),
            "on_purpose": perhaps.format("it", "it") * doubtful,
            "all_on_purpose": perhaps.format("them", "they") * doubtful,
            "remedy": _BY_FORCE.format("most-specific") * bool(unclear) + ".",
        }
        more = {
            "fixable": (asked or not (doubtful or unclear)) and decided,
            "undecided": rows[undecided[rows]],
        }
        more |= {"certainty": "question" if doubtful else "certain", "concepts": (names[label],)}
        yield labels.finding("redundant-ancestor", rows, words, total=bearing.size, **more)


def _denied_labels(labels: ResolvedLabels) -> Iterator[Finding]:
    """Find labels that are present although they, or an ancestor, are marked absent."""
    assert labels.negative is not None  # noqa: S101 - the caller has looked
    names, denied = labels.vocabulary, labels.negative.matrix.tocsc()
    below = labels.hierarchy.labels_above.tocsc()
    for above in np.flatnonzero(np.diff(denied.indptr)).tolist():
        there, upper = labels.row_mask(stored_columns(denied, above)), labels.display_name(names[above])
        for label in [above, *stored_columns(below, above).tolist()]:
            bearing = labels.samples_with_label(label)
            rows = bearing[there[bearing]]
            if rows.size:
                ends = (names[label],) if label == above else (names[label], names[above])
                words = {"label": labels.display_name(names[label]), "above": upper}
                rule = "contradiction" if label == above else "negative-ancestor"
                yield labels.finding(rule, rows, words, concepts=ends, total=bearing.size)
