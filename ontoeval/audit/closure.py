"""Closure: ancestors that are missing, too many, or denied."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.audit.findings import EXAMPLES, Finding, Rule
from ontoeval.audit.resolved_labels import Subject
from ontoeval.core.csr import line
from ontoeval.errors import counted

MISSING = Rule("missing-ancestor", "error", "A label without an ancestor that the file includes elsewhere.")
REDUNDANT = Rule(
    "redundant-ancestor", "warning", "An ancestor of a label that the file leaves out elsewhere."
)
MIXED = Rule("mixed-convention", "warning", "Ancestors that are often there, and often left out.", "question")
DENIED = Rule("negative-ancestor", "error", "A label whose ancestor is marked absent.")
CONTRADICTION = Rule("contradiction", "error", "A label that is marked present and absent.")
RULES = (MISSING, REDUNDANT, MIXED, DENIED, CONTRADICTION)

_FIXED = "; --fix does so with --convention closed"
"""How a corrected copy is had where the convention of an ancestor is not clear enough to change it."""

DOUBTFUL = 3
"""From how many samples on a correction is doubted, if they are most of those that it could concern."""


def find(subject: Subject) -> Iterator[Finding]:
    """Find ancestors that are not as their convention has them, have none, or are denied."""
    yield from missing(subject)
    yield from redundant(subject)
    if not subject.convention.forced and subject.negative is None:
        yield from _mixed(subject)
    yield from _denied(subject)


def _mixed(subject: Subject) -> Iterator[Finding]:
    """List in one finding the ancestors without a clear convention, by share."""
    implied, present = subject.implied * (subject.sizes > 0)
    unclear = np.flatnonzero((implied > 0) & (subject.convention.judged == 0))
    if not unclear.size:
        return
    shares = present / np.maximum(implied, 1)
    unclear = unclear[np.lexsort((unclear, -implied[unclear], -shares[unclear]))]
    names = tuple(subject.vocabulary[label] for label in unclear.tolist())
    shown = np.unique(np.linspace(0, unclear.size - 1, EXAMPLES).astype(np.intp))
    told = ", ".join(
        f"{subject.called(names[place])!r} {shares[label]:.0%} of {implied[label]:,}"
        for place, label in zip(shown.tolist(), unclear[shown].tolist(), strict=True)
    )
    of, every = int((implied > 0).sum()), "" if shown.size == unclear.size else "for example "
    yield MIXED.found(
        names,
        unclear.size,
        total=of,
        explanation=f"No clear convention for {unclear.size:,} of {counted(of, 'ancestor')}: samples with "
        f"a descendant have them {present[unclear].sum():,} of {implied[unclear].sum():,} times "
        f"({every}{told}). They are reported neither as missing nor as redundant.",
        fix="Choose a convention with --convention closed or --convention most-specific.",
        key=(MIXED.name,),
        cases=names,
    )


def missing(subject: Subject) -> Iterator[Finding]:
    """Compare each label with the nearest of the ancestors that are to be there: one finding per pair."""
    names, called = subject.vocabulary, subject.called
    asked = subject.convention.forced
    as_usual = "" if asked else " Elsewhere this file includes it."
    below, judged = subject.due.tocsc(), subject.convention.judged
    there, undecided = np.zeros(len(subject.sets), dtype=bool), subject.conflicting
    for above in np.flatnonzero(np.diff(below.indptr)).tolist():
        holders = subject.bearing(above)
        there[holders] = True
        for label in line(below, above).tolist():
            bearing = subject.bearing(label)
            rows = bearing[~there[bearing]]
            if rows.size:
                # What most samples lack, the link may say wrongly: then somebody must decide.
                doubtful = rows.size >= DOUBTFUL and 2 * rows.size > bearing.size
                perhaps = "so the link in the ontology may be wrong."
                mostly = f" These are most of them, {perhaps}" * doubtful
                unclear = judged[above] == 1
                remedy = (
                    ", or remove the link from the ontology." if doubtful else _FIXED * bool(unclear) + "."
                )
                yield MISSING.found(
                    (names[label], names[above]),
                    rows.size,
                    subject.some(rows),
                    bearing.size,
                    f"{rows.size:,} of {bearing.size:,} samples with {called(names[label])!r} lack its "
                    f"ancestor {called(names[above])!r}.{as_usual}{mostly}",
                    f"Add {called(names[above])!r}{remedy}",
                    fixable=(asked or not (doubtful or unclear)) and not undecided[rows].all(),
                    rows=rows,
                    undecided=rows[undecided[rows]],
                    common=(
                        "Ancestors of labels are missing."
                        + " Elsewhere this file includes them." * (not asked)
                        + f" Most samples with these labels lack them, {perhaps}" * doubtful,
                        f"Add the ancestor{remedy}",
                    ),
                    certainty="question" if doubtful else "certain",
                    own=f"{called(names[label])!r} without {called(names[above])!r}",
                )
        there[holders] = False


def redundant(subject: Subject) -> Iterator[Finding]:
    """Find labels that others imply, and that are to be left out: one finding per label."""
    names = subject.vocabulary
    as_usual = "" if subject.convention.forced else " Elsewhere this file leaves {} out."
    below = subject.hierarchy.labels_above.tocsc()
    # Nor is a row taken away that says more than its label.
    undecided = subject.conflicting | subject.written.guarded
    under = np.zeros(len(subject.sets), dtype=bool)
    for label in np.flatnonzero((subject.implied[1] > 0) & (subject.convention.judged < 0)).tolist():
        lower = line(below, label).tolist()
        marked = np.concatenate([subject.bearing(other) for other in lower])
        under[marked] = True
        bearing = subject.bearing(label)
        rows = bearing[under[bearing]]
        under[marked] = False
        # Where most samples bear what others imply, they may mean to: then, too, somebody must decide.
        doubtful = rows.size >= DOUBTFUL and 2 * rows.size > int(subject.implied[0][label])
        unclear = subject.convention.judged[label] == -1
        remedy = (_FIXED.replace("closed", "most-specific") * bool(unclear)) + "."
        mostly = " Most samples with a descendant have it, so it may be there on purpose." * doubtful
        so_often = " Most samples with a descendant have them, so they may be there on purpose."
        yield REDUNDANT.found(
            (names[label],),
            rows.size,
            subject.some(rows),
            bearing.size,
            f"{rows.size:,} of {bearing.size:,} samples with {subject.called(names[label])!r} have a "
            f"descendant of it too, which implies it.{as_usual.format('it')}{mostly}",
            f"Remove {subject.called(names[label])!r} there{remedy}",
            fixable=(subject.convention.forced or not (doubtful or unclear)) and not undecided[rows].all(),
            rows=rows,
            undecided=rows[undecided[rows]],
            common=(
                "Labels are redundant: a descendant implies them."
                + as_usual.format("them")
                + so_often * doubtful,
                f"Remove the redundant labels{remedy}",
            ),
            own=repr(subject.called(names[label])),
            certainty="question" if doubtful else "certain",
        )


def _denied(subject: Subject) -> Iterator[Finding]:
    """Find labels that are there although they, or what lies above them, are said to be absent."""
    if subject.negative is None:
        return
    names = subject.vocabulary
    denied = subject.negative.matrix.tocsc()
    below = subject.hierarchy.labels_above.tocsc()
    there = np.zeros(len(subject.sets), dtype=bool)
    for above in np.flatnonzero(np.diff(denied.indptr)).tolist():
        absent = line(denied, above)
        there[absent] = True
        for label in [above, *line(below, above).tolist()]:
            bearing = subject.bearing(label)
            rows = bearing[there[bearing]]
            if rows.size:
                same = label == above
                upper, lower = subject.called(names[above]), subject.called(names[label])
                of_it = "also absent" if same else f"its ancestor {upper!r} absent"
                yield (CONTRADICTION if same else DENIED).found(
                    (names[label],) if same else (names[label], names[above]),
                    rows.size,
                    subject.some(rows),
                    bearing.size,
                    f"{rows.size:,} of {bearing.size:,} samples with {lower!r} have {of_it}.",
                    "Keep one of the two statements.",
                    rows=rows,
                    common=(
                        "Labels are marked present, and also absent."
                        if same
                        else "Labels are marked present, and an ancestor of theirs absent.",
                        "Keep one of the two statements.",
                    ),
                    own=repr(lower) if same else f"{lower!r} below {upper!r}",
                )
        there[absent] = False
