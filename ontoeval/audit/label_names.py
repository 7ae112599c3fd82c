"""Rules for names: labels that are no concepts, or stand for others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.findings import Finding, Rule
from ontoeval.audit.resolved_labels import Meaning, Subject
from ontoeval.core.csr import line
from ontoeval.errors import listed, near
from ontoeval.ontology.candidates import DEPRECATED

UNKNOWN = Rule("unknown", "error", "A label that is no concept of the ontology.")
AMBIGUOUS = Rule("ambiguous", "error", "A label that may mean several concepts.")
ABSTRACT = Rule("abstract", "error", "A concept that is never a label, used as one.")
GIVEN_UP = Rule("deprecated", "error", "An obsolete concept without a single replacement that can be used.")
REPLACED = Rule("replaced", "warning", "An obsolete concept, for which the ontology names a replacement.")
ALTERNATIVE = Rule(
    "alternative", "warning", "An alternative identifier of a concept, such as of one merged into it."
)
SPELLING = Rule("spelling", "note", "A concept that the file writes in several ways.")
RULES = (UNKNOWN, AMBIGUOUS, ABSTRACT, GIVEN_UP, REPLACED, ALTERNATIVE, SPELLING)

_ROW = re.compile(r"row ([\d,]+)")

_GUESSED = 100
"""How many unknown labels are compared with all names: more of them are no misspellings."""


def find(subject: Subject, *, fixable: bool = False) -> Iterator[Finding]:
    """Find labels that are no concepts, or stand for others."""
    for code, wrong in misspelt(subject, fixable=fixable).items():
        named = (subject.written.spellings[code], *subject.meanings[code].concepts)
        yield _finding(subject, [code], wrong, named)
    for column, (kept, *others) in subject.ways.items():
        if others:
            written = listed(subject.written.spellings[code] for code in (kept, *others))
            told = Misspelt(
                SPELLING,
                f"The file writes the concept in {1 + len(others)} ways: {written}.",
                f"Write {subject.written.spellings[kept]!r} everywhere.",
                fixable=True,
                common=("The file writes concepts in several ways.", "Write the first everywhere."),
                own=written,
            )
            named = (subject.vocabulary[column], *(subject.written.spellings[code] for code in others))
            yield _finding(subject, others, told, named)


def misspelt(subject: Subject, *, fixable: bool = False) -> dict[int, Misspelt]:
    """Tell which spellings are no names of labels."""
    guesses = {} if fixable else _guesses(subject)
    told = {
        code: _told(subject, code, meaning, guesses.get(code, ""))
        for code, meaning in enumerate(subject.meanings)
        # A label that no sample bears may be written as one likes; what is none is refused elsewhere.
        if (subject.written.counts[code] if meaning.column >= 0 else not fixable)
    }
    return {code: wrong for code, wrong in told.items() if wrong is not None}


class Misspelt(NamedTuple):
    """What is wrong with a spelling."""

    rule: Rule
    explanation: str
    fix: str | None = None
    fixable: bool = False
    common: tuple[str, ...] = ()
    own: str = ""


def _told(subject: Subject, code: int, meaning: Meaning, guess: str) -> Misspelt | None:
    """Tell what is wrong with a spelling; nothing if all is well."""
    spelling = subject.written.spellings[code]
    what = f"{spelling!r} ({subject.written.places[code]})" if subject.written.places else repr(spelling)
    # What names a concept that is there means this, whatever else was called so once.
    gone = "" if meaning.by_name else _left_out(subject, spelling)
    told = None
    if len(meaning.concepts) > 1:
        choices = listed(map(subject.called, meaning.concepts))
        told = Misspelt(AMBIGUOUS, f"{what} may mean {choices}.", "Write one of these.")
    elif meaning.column >= 0 and not meaning.by_name:
        concept = subject.called(meaning.concepts[0])
        rule = REPLACED if gone == DEPRECATED else ALTERNATIVE
        why = "is obsolete, and its replacement is" if rule is REPLACED else "is an alternative identifier of"
        told = Misspelt(
            rule,
            f"{what} {why} {concept!r}.",
            f"Write {concept!r}.",
            fixable=True,
            common=(
                "Labels are obsolete, and the ontology names their replacements."
                if rule is REPLACED
                else "Labels are alternative identifiers of concepts.",
                "Write the replacements." if rule is REPLACED else "Write the concepts.",
            ),
            own=f"{what}: {concept!r}",
        )
    elif meaning.concepts and meaning.column < 0:
        below = _labels_below(subject, meaning.concepts[0])
        fix = f"Write a concept below it, such as {listed(below)}." if below else "Remove it."
        told = Misspelt(ABSTRACT, f"{what} is a concept that is never a label.", fix)
    elif gone == DEPRECATED:
        told = _deprecated(subject, spelling, what)
    elif gone:
        told = Misspelt(UNKNOWN, f"{what} was left out when the ontology was read: {gone}.")
    elif not meaning.concepts:
        meant = f"Write what was meant{guess}." if guess else None
        told = Misspelt(
            UNKNOWN,
            f"{what} is no concept of the ontology.",
            meant,
            common=("Labels are no concepts of the ontology.", "Write what was meant."),
            own=what + guess,
        )
    return told


def _deprecated(subject: Subject, spelling: str, what: str) -> Misspelt:
    """Report an obsolete concept with the replacements that the ontology names."""
    ontology = subject.names.ontology
    text = subject.names.concept_map.get(spelling, spelling).strip()
    choices = () if ontology is None else ontology.considered.get(text, ())
    if choices:
        named = listed(map(subject.called, choices))
        fix = "Write one of these." if len(choices) > 1 else f"Write {named}, if it is meant."
        return Misspelt(GIVEN_UP, f"{what} is obsolete. The ontology names what to consider: {named}.", fix)
    why = "" if ontology is None else ontology.dead_ends.get(text, "")
    fix = "Choose another concept" + "; and correct the replacement in the ontology." * bool(why)
    told = f"{what} is obsolete. {why or 'The ontology names no replacement.'}"
    return Misspelt(GIVEN_UP, told, fix if why else f"{fix}.")


def _finding(subject: Subject, codes: list[int], told: Misspelt, named: tuple[str, ...]) -> Finding:
    rows = _rows(subject, codes)
    return told.rule.found(
        tuple(dict.fromkeys(named)),
        rows.size,
        subject.some(rows),
        len(subject.written.samples),
        told.explanation,
        told.fix,
        fixable=told.fixable,
        rows=rows,
        key=(told.rule.name, named[0]),
        line=_line(subject, codes[0]),
        common=told.common,
        own=told.own,
    )


def _line(subject: Subject, code: int) -> int | None:
    """Tell in which row of the file a spelling was first met."""
    place = _ROW.fullmatch(subject.written.places[code]) if subject.written.places else None
    return None if place is None else int(place[1].replace(",", ""))


def _rows(subject: Subject, codes: list[int]) -> NDArray[np.intp]:
    """List the samples with some spellings, for present labels or absent ones."""
    found = [line(columns, code) for columns in subject.spelling_columns for code in codes]
    rows = subject.written.sample_of_row[found[0] if len(found) == 1 else np.concatenate(found)]
    alone = len(found) == 1 and len(subject.written.samples) == len(subject.written.rows)
    return rows if alone else np.unique(rows)


def _left_out(subject: Subject, spelling: str) -> str:
    ontology = subject.names.ontology
    text = subject.names.concept_map.get(spelling, spelling)
    return "" if ontology is None else ontology.left_out.get(text, ontology.left_out.get(text.strip(), ""))


def _guesses(subject: Subject) -> dict[int, str]:
    """Say for the most frequent unknown labels what may have been meant."""
    unknown = [code for code, meaning in enumerate(subject.meanings) if not meaning.concepts]
    ontology = subject.names.ontology
    known = list(subject.vocabulary) if ontology is None else [n for n in ontology.names if "://" not in n]
    return {
        code: near(subject.written.spellings[code], known)
        for code in islice(subject.ordered(unknown), _GUESSED)
    }


def _labels_below(subject: Subject, concept: str) -> list[str]:
    column = subject.hierarchy.vocabulary.index[concept]
    below = subject.hierarchy.label_ancestors[:, [column]].nonzero()[0]
    return [subject.called(subject.vocabulary[int(label)]) for label in below[:3]]
