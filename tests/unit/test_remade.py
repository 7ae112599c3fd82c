"""Copies, and what travels between processes: equal to the original, as frozen, without what was derived."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe

ONTOLOGY = oe.read_ontology(oe.ontologies.path("photo"))
HIERARCHY = oe.concepts.with_agreement(
    ONTOLOGY.hierarchy(), dict.fromkeys(ONTOLOGY.hierarchy().vocabulary, 0.5)
)
FOLDER = oe.ontologies.benchmark()
TRUTH, RUN = (oe.read_labels(FOLDER / name, ONTOLOGY) for name in ("truth.csv", "runs/noisy.csv"))
RESULT = oe.evaluate(TRUTH, RUN, hierarchy=HIERARCHY, measures=["OS", "F", "F(average='macro')"])
VALUES: dict[str, Any] = {
    "Vocabulary": TRUTH.vocabulary,
    "Hierarchy": HIERARCHY,
    "Ontology": ONTOLOGY,
    "LabelSets": TRUTH,
    "LabelScores": oe.LabelScores.from_array([[0.5, 0.0], [0.1, 1.0]]),
    "Batch": RESULT.batch,
    "Totals": RESULT.totals,
    "Evaluation": RESULT,
    "ConfusionMatrix": oe.confusion_matrix(TRUTH, RUN),
    "ConfusionTensor": oe.confusion_tensor(TRUTH, RUN),
    "ConceptCounts": oe.one_vs_rest(TRUTH, RUN),
}


def sent(value: Any) -> Any:
    """Send it to another process, as it were."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


def _eq(kind: type) -> Any:
    """The equality that a class defines itself, else that of objects."""
    return vars(kind).get("__eq__", object.__eq__)


def contents(value: Any) -> Any:
    """Tell what a value holds, in texts, numbers and collections that can be compared."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    if isinstance(value, sparse.csr_array):
        return value.dtype, value.shape, value.indptr.tolist(), value.indices.tolist(), value.data.tolist()
    if isinstance(value, tuple | list):
        return type(value), [contents(item) for item in value]
    if isinstance(value, dict | MappingProxyType):
        return [(key, contents(item)) for key, item in value.items()]
    if is_dataclass(value) and not isinstance(value, type) and _eq(type(value)) is object.__eq__:
        return type(value), {field.name: contents(getattr(value, field.name)) for field in fields(value)}
    return value


@pytest.mark.parametrize("copied", [sent, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kind", VALUES)
def test_a_copy_holds_what_the_original_holds(kind: str, copied: Callable[[Any], Any]) -> None:
    value = VALUES[kind]
    again = copied(value)
    assert type(again) is type(value)
    assert contents(again) == contents(value)


def test_a_sent_value_is_as_frozen_as_the_original() -> None:
    with pytest.raises(ValueError, match="read-only"):
        sent(TRUTH).matrix.data[0] = False
    with pytest.raises(ValueError, match="read-only"):
        sent(HIERARCHY).weights["agreement"][0] = 0
    with pytest.raises(TypeError, match="does not support item assignment"):
        sent(ONTOLOGY).prefixes["a"] = "urn:a#"


def test_what_was_derived_stays_at_home() -> None:
    fresh, used = (oe.read_ontology(oe.ontologies.path("photo")) for _ in range(2))
    assert used.graph.nodes
    assert used.names
    assert len(pickle.dumps(used)) == len(pickle.dumps(fresh))
