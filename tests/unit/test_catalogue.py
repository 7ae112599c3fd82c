"""The catalogue and its notation."""

from __future__ import annotations

from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError
from ontoeval.measures.catalogue import entry
from ontoeval.measures.decoding import DecodedMeasure
from ontoeval.measures.flat import F, HammingLoss
from ontoeval.measures.ontology_score import OntologyScore


def test_symbols_are_unique_and_every_entry_is_at_its_defaults() -> None:
    symbols = [one.symbol for one in oe.CATALOGUE]
    assert len(set(symbols)) == len(symbols)
    for one in oe.CATALOGUE:
        assert oe.measures.parse(one.symbol) is one.measure
        assert entry(one.symbol) is one
        assert oe.measures.name(one.measure) == one.symbol
        assert one.measure.formula_text
        assert one.measure.source


@pytest.mark.parametrize(
    ("notation", "measure"),
    [
        ("F", F()),
        ("F()", F()),
        (" F ( beta = 2 ,average = 'macro' ) ", F(beta=2, average="macro")),
        ('F(average="macro", undefined=None)', F(average="macro")),
        ("Hamming", HammingLoss()),
        ("OS(exclusions=[['a', 'b']])", OntologyScore(exclusions=(("a", "b"),))),
        ("OS(requirements=['p', ('a', ['b'])])", OntologyScore(requirements=("p", ("a", ("b",))))),
        ("F(beta=+2)", F(beta=2)),
        ("F(beta=1e-3)", F(beta=0.001)),
        ("F(beta=2, decode='sets')", DecodedMeasure(F(beta=2), "sets")),
    ],
)
def test_notations_are_read(notation: str, measure: Any) -> None:
    assert oe.measures.parse(notation) == measure


def test_notations_that_are_nested_too_deeply_are_refused() -> None:
    for deep in ("(" * 1_000, "F(beta=" + "-" * 100_000 + "1)"):
        with pytest.raises(MeasureError, match="Cannot read the measure"):
            oe.measures.parse(deep)
