"""Options that functions pass on by a `TypedDict`, and the signatures that write them out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

import ontoeval as oe
from ontoeval.audit.labels import resolve_labels
from ontoeval.labels.annotations import AnnotationOptions
from ontoeval.labels.reading import LabelOptions, ScoreOptions
from ontoeval.ontology.reading import read_draft

READERS: dict[str, tuple[Callable[..., Any], type, set[str]]] = {
    "labels": (oe.read_labels, LabelOptions, set()),
    "scores": (oe.read_scores, ScoreOptions, set()),
    "verified labels": (oe.read_verified_labels, ScoreOptions, {"repeats"}),
    "audit": (oe.audit_labels, LabelOptions, {"close", "na", "unknown", "threshold"}),
    "correction": (oe.correct_labels, LabelOptions, {"close", "na", "unknown", "threshold"}),
}


@pytest.mark.parametrize("kind", READERS)
def test_a_reader_writes_out_the_options_that_it_passes_on(kind: str) -> None:
    verb, options, others = READERS[kind]
    passed, own = get_type_hints(options), get_type_hints(verb)
    assert {name: own.get(name) for name in passed.keys() - others} == {
        name: passed[name] for name in passed.keys() - others
    }


@pytest.mark.parametrize(
    ("verb", "behind", "kept"),
    [
        (oe.read_ontology, read_draft, {"max_bytes"}),
        (oe.read_annotations, oe.labels.read_annotation_files, set()),
        (oe.audit_labels, resolve_labels, {"severities"}),
        (oe.correct_labels, resolve_labels, {"severities", "baseline", "ontology"}),
    ],
)
def test_options_and_defaults_that_are_handed_on_are_those_of_the_function_behind(
    verb: Callable[..., Any], behind: Callable[..., Any], kept: set[str]
) -> None:
    theirs = inspect.signature(behind).parameters
    handed_on = {name: one for name, one in inspect.signature(verb).parameters.items() if name not in kept}
    named = {name: one.default for name, one in handed_on.items() if name in theirs}
    assert named == {name: theirs[name].default for name in named}
    others = get_type_hints(LabelOptions) if behind is resolve_labels else get_type_hints(AnnotationOptions)
    assert handed_on.keys() <= theirs.keys() | others.keys()
