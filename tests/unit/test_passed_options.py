"""The options that signatures write out, and the values that they become."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

import ontoeval as oe
from ontoeval.annotators.options import AgreementOptions
from ontoeval.audit.labels import AuditOptions
from ontoeval.ontology.file_formats import OntologyReading
from ontoeval.options import is_group

VERBS: dict[str, tuple[Callable[..., Any], type]] = {
    "labels": (oe.read_labels, oe.labels.LabelReading),
    "scores": (oe.read_scores, oe.labels.LabelReading),
    "verified labels": (oe.read_verified_labels, oe.labels.LabelReading),
    "annotations": (oe.read_annotations, oe.labels.AnnotationReading),
    "audit": (oe.audit_labels, AuditOptions),
    "correction": (oe.correct_labels, AuditOptions),
    "validation": (oe.audit.validate, oe.labels.LabelReading),
    "ontology": (oe.read_ontology, OntologyReading),
    "agreement": (oe.agreement, AgreementOptions),
}

DIFFERING = {
    "annotations": set[str](),
    "audit": {"repeats", "threshold"},  # one number for all concepts
    "correction": {"repeats", "threshold"},
}
"""Options that differ: of repeated scores, the value knows whether anybody has chosen."""


def fields_of(group: type) -> dict[str, tuple[Any, Any]]:
    """Type and default of each option of a group, and of the groups in it."""
    found, hints = dict[str, tuple[Any, Any]](), get_type_hints(group)
    for name, field in inspect.signature(group).parameters.items():
        own = fields_of(hints[name]) if is_group(hints[name]) else {name: (hints[name], field.default)}
        found |= own
    return found


@pytest.mark.parametrize("kind", VERBS)
def test_a_signature_has_the_types_and_defaults_of_the_value_that_it_becomes(kind: str) -> None:
    verb, group = VERBS[kind]
    hints, fields = get_type_hints(verb), fields_of(group)
    written = {name: (hints[name], one.default) for name, one in inspect.signature(verb).parameters.items()}
    differing = DIFFERING.get(kind, {"repeats"})
    shared = written.keys() & fields.keys() - differing
    assert len(shared) > 7
    assert {name: written[name] for name in shared} == {name: fields[name] for name in shared}
