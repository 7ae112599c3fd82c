"""The catalogue and its notation."""

from __future__ import annotations

from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.measures.catalogue import entry, full_name, measures_of
from ontoeval.measures.counts import Overlap
from ontoeval.measures.decoding import DecodedMeasure
from ontoeval.measures.flat import F, HammingLoss
from ontoeval.measures.ontology_score import OntologyScore


class NotADataclass:
    """A measure without parameters."""

    statistic = Overlap()

    def formula(self, values: Any) -> Any:
        """Take the hits."""
        return values[..., 0]

    def __repr__(self) -> str:
        return "Hits"


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


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("", "Cannot read the measure ''"),
        ("F(", r"Cannot read the measure 'F\('"),
        ("F(2)", r"Cannot read the measure 'F\(2\)'. Write a symbol and named options"),
        ("F(*[2])", "Cannot read"),
        ("x.F", "Cannot read"),
        ("F + P", "Cannot read"),
        ("'F'", "Cannot read"),
        ("F(beta=2)(beta=2)", "Cannot read"),
        ("F(beta=2\0)", "Cannot read"),
        (
            "Jacard",
            r"Unknown measure 'Jacard' \(near: 'Jaccard', 'tJaccard', 'hJaccard'\). `ontoeval measures` lists all",
        ),
        ("f(beta=2)", r"Unknown measure 'f' \(near: 'F'\)"),
        (
            "F(average='macro', betta=2)",
            r"F has no option 'betta' \(near: 'beta'\). Its options are average, ",
        ),
        ("F(**{'beta': 2})", "F has no option None"),
        ("Hamming(beta=2)", "Hamming has no option 'beta'. Its options are decode."),
        ("F(average=macro)", r"macro is no value. Quote texts: average='macro'"),
        ("F(beta=float('nan'))", r"float\('nan'\) is no value. Quote texts: beta=\"float\('nan'\)\""),
        ("F(beta=2*2)", r"2 \* 2 is no value"),
        ("F(beta=1, beta=2)", "gives 'beta' twice. Give it once"),
        ("F(beta={[]: 1})", r"\{\[\]: 1\} is no value"),
    ],
)
def test_notations_that_cannot_be_read_are_quoted(notation: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        oe.measures.parse(notation)


def test_notations_that_are_nested_too_deeply_are_refused() -> None:
    for deep in ("(" * 1_000, "F(beta=" + "-" * 100_000 + "1)"):
        with pytest.raises(MeasureError, match="Cannot read the measure"):
            oe.measures.parse(deep)


REFUSED = [
    ("F(average='micros')", r"average='micros': expected one of 'micro', .* \(near: 'micro', 'macro'\)"),
    ("Accuracy(average='samples')", "average='samples': expected one of 'micro', 'macro', 'weighted'"),
    ("F(rule='mlcn')", r"rule='mlcn': .* \(near: 'mlcm'\)"),
    ("F(rule='mlcm', variant='case')", "variant='case': expected one of 'paper', 'package'"),
    ("F(rule='tensor', variant='paper')", "variant='paper': expected one of 'unique', 'case'"),
    ("F(variant='paper')", "variant='paper': expected one of ''"),
    ("F(rule='tensor-recall')", "rule='tensor-recall'"),
    ("F(average='samples', rule='mlcm')", "'one-vs-rest' with average='samples', which looks at no other"),
    (
        "F(pseudo_classes='include')",
        "pseudo_classes='include': expected None: the rule 'one-vs-rest' has none",
    ),
    ("F(rule='mlcm', pseudo_classes='maybe')", "pseudo_classes='maybe'"),
    ("F(undefined=2)", r"undefined=2: expected None or a number in \[0, 1\]"),
    ("F(undefined='zero')", "undefined='zero'"),
    ("F(empty=-1)", "empty=-1"),
    ("F(beta=-1)", "beta=-1: expected a number of at least 0"),
    ("F(beta='2')", "beta='2'"),
    ("F(of='averages')", "of='averages': expected 'concepts' with average='micro'"),
    ("F(of='means')", "of='means'"),
    ("Alpha(alpha=-1)", "alpha=-1: expected a number of at least 0"),
    ("Alpha(beta=2)", "beta=2: expected a number of at least 0 and at most 1"),
    ("Alpha(beta=0.5, gamma=0.5)", r"beta, gamma=\(0.5, 0.5\): expected at least one of them to be 1"),
    ("OS(alpha=-0.5)", "alpha=-0.5"),
    ("OS(ties='first')", "ties='first'"),
    ("OS(empty_prediction='one')", "empty_prediction='one'"),
    ("OS(penalise='everybody')", "penalise='everybody'"),
    ("OS(connect_roots=1)", "connect_roots=1: expected one of True, False"),
]


@pytest.mark.parametrize(("notation", "message"), REFUSED)
def test_options_that_a_measure_cannot_have_are_refused(notation: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        oe.measures.parse(notation)


def test_infinite_and_undefined_options_are_refused() -> None:
    for value in (float("inf"), float("nan")):
        with pytest.raises(ParameterError, match="beta="):
            F(beta=value)
        with pytest.raises(ParameterError, match="alpha="):
            OntologyScore(alpha=value)


def test_names_leave_out_defaults_and_full_names_do_not() -> None:
    assert oe.measures.name(F(beta=1, average="macro")) == "F(average='macro')"
    assert full_name(F(average="macro")).startswith("F(average='macro', rule='one-vs-rest', variant=None")
    assert full_name(HammingLoss()) == "Hamming"


def test_a_measure_need_not_be_a_dataclass() -> None:
    assert full_name(NotADataclass()) == "Hits"
    assert oe.evaluate([[1, 0]], [[1, 0]], measures=[NotADataclass()]).scores == {"Hits": 1}


def test_no_measure_at_all_is_refused() -> None:
    with pytest.raises(MeasureError, match="No measure is asked for"):
        measures_of([])


@pytest.mark.parametrize("wanted", [[5], [None], ["F", object()]])
def test_what_is_no_measure_is_refused(wanted: list[Any]) -> None:
    with pytest.raises(MeasureError, match=r"No measure: .*Give notations such as 'F'"):
        measures_of(wanted)
