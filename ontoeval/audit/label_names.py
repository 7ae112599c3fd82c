"""Rules for names: labels that are unknown, misspelt, deprecated or ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.findings import Finding
from ontoeval.audit.resolved_labels import Meaning, ResolvedLabels
from ontoeval.core.names import without_zeros
from ontoeval.core.table import Column, Table
from ontoeval.errors import enumerate_some, near_names
from ontoeval.ontology.raw_ontology import DEPRECATED
from ontoeval.plumbing.sparse import stored_columns

_ROW = re.compile(r"row ([\d,]+)")

_GUESSED = 100
"""Most unknown labels that are compared with all names: more are no misspellings."""


def find(labels: ResolvedLabels, *, fixable: bool = False) -> Iterator[Finding]:
    """Find labels that are no concepts, or stand for others; with `fixable` only what can be corrected."""
    spellings = labels.raw.spellings
    guesses = {} if fixable else _near_names(labels)
    for code, meaning in enumerate(labels.meanings):
        # Unused labels may have any spelling; unknown labels are refused elsewhere.
        if labels.raw.counts[code] if meaning.column >= 0 else not fixable:
            near = guesses.get(code, [])
            guess = f" (near: {enumerate_some(near)})" * bool(near)
            yield from _spelling_problem(labels, code, meaning, guess)
    for column, (kept, *others) in labels.label_spellings.items():
        if others:
            written = enumerate_some(spellings[code] for code in (kept, *others))
            named = (labels.vocabulary[column], *(spellings[code] for code in others))
            words = {"ways": 1 + len(others), "written": written, "kept": spellings[kept]}
            yield _finding(labels, others, named, "spelling", words, fixable=True)


def _spelling_problem(labels: ResolvedLabels, code: int, meaning: Meaning, guess: str) -> Iterator[Finding]:
    """Find what is wrong with a spelling, if anything is."""
    spelling = labels.raw.spellings[code]
    what = f"{spelling!r} ({labels.raw.places[code]})" if labels.raw.places else repr(spelling)
    # A name of a current concept means this concept, not a deprecated one.
    gone = "" if meaning.by_name else _why_left_out(labels, spelling)
    found = partial(_finding, labels, [code], (spelling, *meaning.concepts))
    if len(meaning.concepts) > 1:
        named = enumerate_some(map(labels.display_name, meaning.concepts))
        rule = "name-is-label" if meaning.concepts[0] in {spelling, spelling.strip()} else "ambiguous"
        yield found(rule, {"what": what, "concepts": named})
    elif meaning.column >= 0 and not meaning.by_name:
        words = {"what": what, "concept": labels.display_name(meaning.concepts[0])}
        words["write"] = labels.naming[meaning.concepts[0]]
        if spelling in labels.names.concept_map:
            text = f"{what} stands for {words['concept']!r} in the concept map."
            yield found("alternative", words, explanation=text, common=(), own="", fixable=True)
        else:
            yield found("replaced" if gone == DEPRECATED else "alternative", words, fixable=True)
    elif meaning.concepts and meaning.column < 0:
        below = _labels_below(labels, meaning.concepts[0])
        fix = f"Write a concept below it, such as {enumerate_some(below)}." if below else "Remove it."
        yield found("abstract", {"what": what}, fix=fix)
    elif gone == DEPRECATED:
        instead, fix = _describe_replacements(labels, spelling)
        yield found("deprecated", {"what": what, "instead": instead}, fix=fix)
    elif gone:
        text = f"{what} was left out when the ontology was read: {gone}."
        yield found("unknown", explanation=text, common=(), own="")
    elif not meaning.concepts:
        meant = f"Write what was meant{guess}." if guess else None
        yield found("unknown", {"what": what, "guess": guess, "basis": labels.basis}, fix=meant)


def _describe_replacements(labels: ResolvedLabels, spelling: str) -> tuple[str, str]:
    """Describe the replacements of an obsolete concept that the ontology names, and what to do."""
    ontology = labels.names.ontology
    text = labels.names.concept_map.get(spelling, spelling).strip()
    choices = () if ontology is None else ontology.considered.get(text, ())
    if choices:
        named = enumerate_some(map(labels.display_name, choices))
        fix = "Write one of these." if len(choices) > 1 else f"Write {named}, if that is intended."
        return f"The ontology names what to consider: {named}.", fix
    if ontology is not None and text in ontology.dead_ends:
        fix = "Choose another concept; and correct the replacement in the ontology."
        return ontology.dead_ends[text], fix
    return "The ontology names no replacement.", "Choose another concept."


def _finding(
    labels: ResolvedLabels,
    codes: list[int],
    named: tuple[str, ...],
    rule: str,
    words: Mapping[str, object] = MappingProxyType({}),
    **more: object,
) -> Finding:
    place = _ROW.fullmatch(labels.raw.places[codes[0]]) if labels.raw.places else None
    return labels.finding(
        rule,
        _samples_with(labels, codes),
        words,
        concepts=tuple(dict.fromkeys(named)),
        key=(rule, named[0]),
        line=None if place is None else int(place[1].replace(",", "")),
        **more,
    )


def _samples_with(labels: ResolvedLabels, codes: list[int]) -> NDArray[np.intp]:
    """List the samples with some spellings, for present labels or absent ones."""
    raw = labels.raw
    found = [stored_columns(columns, code) for columns in raw.spelling_columns for code in codes]
    rows = raw.sample_of_row[found[0] if len(found) == 1 else np.concatenate(found)]
    return rows if len(found) == 1 and len(raw.samples) == len(raw.rows) else np.unique(rows)


def _why_left_out(labels: ResolvedLabels, spelling: str) -> str:
    ontology = labels.names.ontology
    text = labels.names.concept_map.get(spelling, spelling)
    return "" if ontology is None else ontology.left_out.get(text, ontology.left_out.get(text.strip(), ""))


def misspelt_table(labels: ResolvedLabels) -> Table:
    """Make a concept map of unknown labels, to be checked: the nearest name of each, and its count."""
    texts, counts = labels.raw.spellings, labels.raw.counts.tolist()
    rows = [(texts[code], near[0], counts[code]) for code, near in _near_names(labels).items() if near]
    return Table("Misspelt labels", tuple(map(Column, ("label", "concept", "count"))), tuple(rows))


def _near_names(labels: ResolvedLabels) -> dict[int, list[str]]:
    """Near names of the most frequent unknown labels; for an obsolete one the only concept to consider."""
    unknown = [code for code, meaning in enumerate(labels.meanings) if not meaning.concepts]
    ontology = labels.names.ontology
    known = labels.names.suggested([labels.raw.spellings[code] for code in unknown])
    choices = {} if ontology is None else ontology.considered
    found = dict[int, list[str]]()
    for code in islice(labels.ordered(unknown), _GUESSED):
        named = choices.get(labels.raw.spellings[code].strip(), ())
        near = near_names(without_zeros(labels.raw.spellings[code]), known)
        found[code] = [labels.naming[named[0]]] if len(named) == 1 else near
    return found


def _labels_below(labels: ResolvedLabels, concept: str) -> list[str]:
    column = labels.hierarchy.vocabulary.index[concept]
    below = labels.hierarchy.label_ancestors[:, [column]].nonzero()[0]
    return [labels.display_name(labels.vocabulary[int(label)]) for label in below[:3]]
