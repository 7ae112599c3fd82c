"""Laws of every measure of the catalogue, at every point where they are claimed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures.base import LAWS as CLAIMS
from ontoeval.measures.base import info, laws_of
from ontoeval.measures.catalogue import full_name
from tests.laws.cases import (
    ONE_LABEL_POINTS,
    POINTS,
    SINGLE_POINTS,
    Case,
    cases,
    differing,
    exists,
    fewer,
    picked,
    scores,
    some,
)

ALL_POINTS = POINTS | SINGLE_POINTS

Law = Callable[[Case, Sequence[Any]], dict[str, Any]]
"""What breaks the law: the names of measures, with what they give."""


def alone(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """A sample scores in a batch as it would alone."""
    result = oe.evaluation.Evaluation(oe.collect(case.batch, measures), case.batch)
    per_sample = {name: result.per_sample(name) for name in result}
    single = [scores(case.batch.rows(row, row + 1), measures) for row in range(len(case.batch))]
    return differing(per_sample, {name: [one[name] for one in single] for name in per_sample})


def bounds(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Scores of batches and of samples lie in the measure's bounds, or are undefined."""
    result = oe.evaluation.Evaluation(oe.collect(case.batch, measures), case.batch)
    broken = {}
    for name, measure in result.totals.measures.items():
        low, high = info(measure, "bounds")
        found = np.append(result.per_sample(name), result[name])
        found = found[~np.isnan(found)]
        if not np.all((found >= low - 1e-12) & (found <= high + 1e-12)):
            broken[name] = found
    return broken


def perfect(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """The truth as prediction has the best score, or an undefined one."""
    found = scores(oe.Batch(case.batch.truth, case.batch.truth, case.hierarchy), measures)
    best = {oe.measures.name(measure): info(measure, "best") for measure in measures}
    return differing(found, {name: best[name] for name in found if not np.isnan(found[name])})


def relabelling(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Names and order of the concepts say nothing, if the hierarchy moves with them."""
    return differing(scores(case.renamed().batch, measures), scores(case.batch, measures))


def duplication(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Every sample twice scores as every sample once."""
    twice = picked(case.batch, np.repeat(np.arange(len(case.batch)), 2))
    return differing(scores(twice, measures), scores(case.batch, measures))


def repeat(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Equal data give equal scores to the last bit."""
    again = replace(case)
    return differing(scores(again.batch, measures), scores(case.batch, measures), 0.0)


def order(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Neither the order of the samples nor the parts that are merged change a bit."""
    backwards = picked(case.batch, range(len(case.batch))[::-1])
    merged = oe.merge(*(oe.collect(chunk, measures) for chunk in backwards.chunks(2)))
    whole = scores(case.batch, measures)
    return differing(scores(backwards, measures), whole, 0.0) | differing(oe.score(merged).scores, whole, 0.0)


def symmetry(case: Case, measures: Sequence[Any]) -> dict[str, Any]:
    """Truth and prediction can be exchanged."""
    swapped = oe.Batch(case.batch.prediction, case.batch.truth, case.hierarchy)
    return differing(scores(swapped, measures), scores(case.batch, measures))


LAWS: dict[str, Law] = {
    law.__name__: law for law in (alone, bounds, perfect, relabelling, duplication, repeat, order, symmetry)
}


def holds(law: str, measure: Any) -> bool:
    """Whether a measure with these parameters claims a law, if the law is one that measures can deny."""
    return law not in CLAIMS or law in laws_of(measure)


@pytest.mark.parametrize("symbol", ALL_POINTS)
def test_a_measure_states_whether_it_is_symmetric(symbol: str) -> None:
    for measure in ALL_POINTS[symbol]:
        assert "symmetry" in info(measure, "laws") | info(measure, "denied_laws")


def claimed(law: str, points: dict[str, list[Any]], *, trees: bool = False) -> list[Any]:
    """All measures that claim a law, or those of them that are defined for trees alone."""
    every = (measure for measures in points.values() for measure in measures if holds(law, measure))
    return [measure for measure in every if bool(info(measure, "trees")) is trees]


@pytest.mark.parametrize("law", LAWS)
@some
@given(case=cases())
def test_all_measures_obey_a_law_that_they_claim(law: str, case: Case) -> None:
    assert LAWS[law](case, claimed(law, POINTS)) == {}


@pytest.mark.parametrize("law", LAWS)
@fewer
@given(case=cases())
def test_measures_of_trees_obey_a_law_that_they_claim(law: str, case: Case) -> None:
    measures = claimed(law, POINTS, trees=True)
    assert not measures or LAWS[law](case.as_tree(), measures) == {}


@pytest.mark.parametrize("law", LAWS)
@fewer
@given(case=cases(one_label=True))
def test_counts_of_one_label_each_obey_the_laws(law: str, case: Case) -> None:
    assert LAWS[law](case, claimed(law, ONE_LABEL_POINTS)) == {}


@pytest.mark.parametrize("symbol", ALL_POINTS)
def test_a_measure_states_laws_that_are_tested(symbol: str) -> None:
    for measure in ALL_POINTS[symbol]:
        assert info(measure, "laws") | info(measure, "denied_laws") <= set(LAWS) & set(CLAIMS)


@pytest.mark.parametrize("notation", ["PhysioNet(cost='flat', undefined=None)", "PhysioNet(cost='links')"])
@fewer
@given(case=cases())
def test_costs_of_the_package_reward_nothing_more_than_the_truth(notation: str, case: Case) -> None:
    assert perfect(case, [replace(oe.measures.parse(notation), undefined=None)]) == {}


NON_LAWS = [
    ("OS", "symmetry"),
    ("OS(penalise='none')", "symmetry"),
    ("OS(penalise='all predicted')", "perfect"),
    ("P(average='macro', undefined=0.0)", "perfect"),
    ("Jaccard(empty=0.0)", "perfect"),
    ("P", "symmetry"),
    ("R", "symmetry"),
    ("F(beta=2)", "symmetry"),
    ("F(average='weighted')", "symmetry"),
    ("Jaccard(average='weighted')", "symmetry"),
    ("F(average='macro', labels='true')", "symmetry"),
    ("F(average='macro', rule='krstinic')", "symmetry"),
    ("F(average='macro', rule='mlcm')", "symmetry"),
    ("Alpha(beta=0.5)", "symmetry"),
    ("hP", "symmetry"),
    ("hR", "symmetry"),
    ("dP", "symmetry"),
    ("dR", "symmetry"),
    ("LCaP", "symmetry"),
    ("LCaR", "symmetry"),
    ("LCaF(beta=2)", "symmetry"),
    ("GIE(pairs='all')", "perfect"),
    ("nearP", "symmetry"),
    ("nearR", "symmetry"),
    ("Distance(sides='missed')", "symmetry"),
    ("tP", "symmetry"),
    ("tR", "symmetry"),
    ("tF", "symmetry"),
    ("tF(average='samples', empty=0.0)", "perfect"),
    ("tJaccard", "symmetry"),
    ("tKappa", "symmetry"),
    ("CoPHE(beta=2)", "symmetry"),
    ("iP", "symmetry"),
    ("iR", "symmetry"),
    ("Excess", "symmetry"),
    ("Deficient", "symmetry"),
    ("ICM(alpha1=2.5)", "symmetry"),
    ("ICMnorm", "symmetry"),
    ("PhysioNet", "perfect"),
    ("PhysioNet", "symmetry"),
    ("pathP", "symmetry"),
    ("pathR", "symmetry"),
    ("pathF(beta=2)", "symmetry"),
    ("LevelAccuracy", "symmetry"),
    ("LevelAccuracy", "perfect"),
    ("LevelAccuracy(members='ancestors')", "symmetry"),
    ("HCA", "symmetry"),
    ("HCA", "perfect"),
    ("Inconsistency", "symmetry"),
    ("Inconsistency", "perfect"),
    ("SetCoverage", "symmetry"),
    ("SetSize", "symmetry"),
    ("SetComplexity", "symmetry"),
]


@pytest.mark.parametrize(("notation", "law"), NON_LAWS)
def test_a_law_that_does_not_hold_has_a_counterexample(notation: str, law: str) -> None:
    measure = oe.measures.parse(notation)
    assert not holds(law, measure)
    some = cases(max_nodes=5, one_label=info(measure, "single"))

    def broken(case: Case) -> bool:
        return bool(LAWS[law](case.as_tree() if info(measure, "trees") else case, [measure]))

    assert exists(some, broken)


def test_every_law_that_a_class_denies_has_a_counterexample() -> None:
    denied = {(symbol, law) for symbol, same in ALL_POINTS.items() for law in info(same[0], "denied_laws")}
    assert denied <= set(NON_LAWS)


@st.composite
def measures(draw: st.DrawFn) -> Any:
    """Any measure of the catalogue with any options that go together."""
    choices: dict[str, Sequence[Any]] = {
        "average": ("micro", "macro", "weighted", "samples"),
        "rule": ("one-vs-rest", "krstinic", "mlcm", "tensor", "multiclass"),
        "variant": (None, "paper", "package", "unique", "case"),
        "pseudo_classes": (None, "include", "exclude"),
        "undefined": (None, 0.0, 1),
        "empty": (None, 0.0, 1.0, 0.5),
        "of": ("concepts", "averages"),
        "ties": ("largest", "smallest", "half"),
        "thresholds": (0.01, 0.3, "distinct", (0.25, 0.5), (0.0,)),
        "denominator": ("cafa", "predicted", "truth"),
        "part": ("F", "precision", "coverage", "threshold", "ru"),
        "propagate": (True, False),
        "orphans": (True, False),
        "minus_one": (True, False),
        "agreement": (None, "agreement", "it's"),
        "cost": ("links", "flat", "lin(sanchez(own-leaf))", 'a "table"'),
        "empty_prediction": ("zero", "weighted"),
        "penalise": ("false positives", "all predicted", "none"),
        "exclusions": ("declared", "none", (("a", "b"),), ()),
        "requirements": ("declared", "none", ("hasPart", ("a", ("b", "c")))),
        "connect_roots": (True, False),
        "pairs": ("cover", "nearest", "all"),
        "weights": ("bits", "halving", "unit", "it's"),
        "members": ("most specific", "given", "ancestors", "leaves"),
        "credit_from": (0.0, 0.25),
        "information": ("ic", "seco", "zhou(0.7)"),
    }
    numbers = st.one_of(st.just(1), st.integers(0, 5), st.floats(0, 1e6))
    default = draw(st.sampled_from(oe.CATALOGUE)).measure
    names = [field.name for field in fields(default)]
    given = {
        name: draw(st.sampled_from(choices[name]) if name in choices else numbers)
        for name in draw(st.sets(st.sampled_from(names), max_size=4) if names else st.just(set()))
    }
    try:
        return replace(default, **given)
    except oe.OntoevalError:
        assume(condition=False)


@given(measure=measures())
def test_notation_is_read_back(measure: Any) -> None:
    notation = oe.measures.name(measure)
    assert oe.measures.parse(notation) == measure
    assert oe.measures.parse(full_name(measure)) == measure
    assert oe.measures.name(oe.measures.parse(notation)) == notation
    assert oe.measures.parse(f"  {notation} ") == measure
    assert hash(oe.measures.parse(notation)) == hash(measure)


@pytest.mark.parametrize("symbol", ALL_POINTS)
def test_every_point_has_a_notation_of_its_own(symbol: str) -> None:
    names = [oe.measures.name(measure) for measure in ALL_POINTS[symbol]]
    assert names[0] == symbol
    assert len(set(names)) == len(names)
    assert [oe.measures.parse(name) for name in names] == ALL_POINTS[symbol]


@given(case=cases(max_samples=2))
def test_a_result_is_found_by_any_notation_of_its_measure(case: Case) -> None:
    result = oe.evaluate(
        case.batch.truth, case.batch.prediction, hierarchy=case.hierarchy, measures=["OS", "F(beta=1)"]
    )
    assert list(result) == ["OS", "F"]
    same = (
        result["F"],
        result[" F( beta = 1.0 )"],
        result[oe.measures.parse("F")],
        result["F(average='micro')"],
    )
    assert len(set(map(repr, same))) == 1


SCRIPT = """
import ontoeval as oe
edges = {("a", "b"), ("a", "c"), ("b", "d"), ("c", "e"), ("c", "d")}
truth, prediction = [{"d", "e"}, {"b"}], [{"b", "e"}, {"c", "e", "d"}]
hierarchy = oe.Hierarchy.from_edges(sorted(edges))
print(oe.evaluate(truth, prediction, hierarchy=hierarchy).scores)
print(oe.evaluate(truth, prediction).signature)
"""


def test_hashes_of_texts_change_no_score() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1
    assert b"OS" in printed.pop()
