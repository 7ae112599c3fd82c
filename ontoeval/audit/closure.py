"""Closure: ancestors that are missing, too many, or denied."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.subject import Subject
from ontoeval.csr import line

MISSING = Rule("missing-ancestor", "error", "A label without its ancestor, in a file that is closed upwards.")
REDUNDANT = Rule(
    "redundant-ancestor", "warning", "An ancestor of a label, in a file of most specific labels."
)
MIXED = Rule("mixed-convention", "warning", "Ancestors that are often there, and often not.")
DENIED = Rule("negative-ancestor", "error", "A label that is there below one that is said to be absent.")
CONTRADICTION = Rule("contradiction", "error", "A label that is said to be there and to be absent.")
RULES = (MISSING, REDUNDANT, MIXED, DENIED, CONTRADICTION)

DOUBTFUL = 3
"""From how many samples on a correction is doubted, if they are most of those that it could concern."""


def find(subject: Subject) -> Iterator[Finding]:
    """Find ancestors that are not as the file's convention has them, or are denied.

    Parameters
    ----------
    subject
        The label sets.

    Yields
    ------
    Finding
        One per label and ancestor; one per ancestor that is redundant.
    """
    if subject.convention.name == "closed":
        yield from missing(subject)
    elif subject.convention.name == "most-specific":
        yield from redundant(subject)
    elif not subject.convention.forced and subject.negative is None:
        convention = subject.convention
        yield MIXED.found(
            (),
            convention.present,
            total=convention.implied,
            explanation=f"Of {convention.implied:,} ancestors that labels imply, {convention.present:,} are "
            "there and the others are not: the file is neither closed upwards nor most specific.",
            fix="Choose a convention: --convention closed, or --convention most-specific.",
        )
    yield from _denied(subject)


def missing(subject: Subject) -> Iterator[Finding]:
    """Compare each label with its nearest ancestors: a set is closed where none of these is missing.

    Parameters
    ----------
    subject
        The label sets.

    Yields
    ------
    Finding
        One per label and ancestor.
    """
    names, called = subject.vocabulary, subject.called
    as_usual = subject.convention.followed * "; the file is closed upwards otherwise"
    below = subject.links.tocsc()
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
                asked = subject.convention.forced
                perhaps = ": perhaps the link does not speak of labels."
                mostly = f" That is most of them{perhaps}" * doubtful
                remedy = ", or take the link away." if doubtful else "."
                yield MISSING.found(
                    (names[label], names[above]),
                    rows.size,
                    subject.some(rows),
                    bearing.size,
                    f"In {rows.size:,} of the {bearing.size:,} samples labelled {called(names[label])!r} "
                    f"there is no {called(names[above])!r}, which lies above it{as_usual}.{mostly}",
                    f"Add {called(names[above])!r}{remedy}",
                    fixable=(asked or not doubtful) and not undecided[rows].all(),
                    rows=rows,
                    undecided=rows[undecided[rows]],
                    common=(
                        f"Labels are there without what lies above them{as_usual}."
                        + f" Most samples with the label lack it{perhaps}" * doubtful,
                        f"Add it{remedy}",
                    ),
                    own=f"{called(names[label])!r} without {called(names[above])!r}",
                )
        there[holders] = False


def redundant(subject: Subject) -> Iterator[Finding]:
    """Find labels that others imply.

    Parameters
    ----------
    subject
        The label sets.

    Yields
    ------
    Finding
        One per label.
    """
    names = subject.vocabulary
    as_usual = subject.convention.followed * "; the file holds most specific labels otherwise"
    below = subject.hierarchy.labels_above.tocsc()
    # Nor is a row taken away that says more than its label.
    undecided = subject.conflicting | subject.written.guarded
    under = np.zeros(len(subject.sets), dtype=bool)
    for label in np.flatnonzero(subject.implied[1]).tolist():
        lower = line(below, label).tolist()
        marked = np.concatenate([subject.bearing(other) for other in lower])
        under[marked] = True
        bearing = subject.bearing(label)
        rows = bearing[under[bearing]]
        under[marked] = False
        # Where most samples bear what others imply, they may mean to: then, too, somebody must decide.
        doubtful = rows.size >= DOUBTFUL and 2 * rows.size > int(subject.implied[0][label])
        mostly = " That is most of those with a label below it: perhaps it is meant to be there." * doubtful
        so_often = " Most samples with a label below these bear them: perhaps they are meant to be there."
        yield REDUNDANT.found(
            (names[label],),
            rows.size,
            subject.some(rows),
            bearing.size,
            f"In {rows.size:,} of the {bearing.size:,} samples labelled {subject.called(names[label])!r} a "
            f"label below it is there too, which says the same{as_usual}.{mostly}",
            f"Take {subject.called(names[label])!r} away there.",
            fixable=(subject.convention.forced or not doubtful) and not undecided[rows].all(),
            rows=rows,
            undecided=rows[undecided[rows]],
            common=(
                f"Labels are there beside others below them, which say the same{as_usual}."
                + so_often * doubtful,
                "Take them away there.",
            ),
            own=repr(subject.called(names[label])),
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
                of_it = "also to be absent" if same else f"{upper!r} above it to be absent"
                yield (CONTRADICTION if same else DENIED).found(
                    (names[label],) if same else (names[label], names[above]),
                    rows.size,
                    subject.some(rows),
                    bearing.size,
                    f"{lower!r} is said to be there, and {of_it}.",
                    "Keep one of the two statements.",
                    rows=rows,
                    common=(
                        "Labels are said to be there, and also to be absent."
                        if same
                        else "Labels are said to be there, and what lies above them to be absent.",
                        "Keep one of the two statements.",
                    ),
                    own=repr(lower) if same else f"{lower!r} below {upper!r}",
                )
        there[absent] = False
