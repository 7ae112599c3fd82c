"""Unit tests for measures: which axioms hold, in how many cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison.axioms import LITTLE, RandomCases
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.measures.base import info

SIBLING, COUSIN, PARENT = list(oe.comparison.AXIOMS)[:3]
WRONG_ADDED, RIGHT_ADDED = "adding a wrong label does not help", "adding a right label does not hurt"
ALIKE = "a missed and a false label cost alike"
NODES, UNUSED = "inserting nodes changes little", "a concept that nobody uses changes nothing"
EMPTY, EVERYTHING = "the empty prediction is not best", "predicting everything is not best"


@pytest.fixture(scope="module")
def photo() -> oe.Hierarchy:
    return oe.read_ontology(oe.ontologies.path("photo")).hierarchy()


@pytest.fixture(scope="module")
def found(photo: oe.Hierarchy) -> oe.comparison.Behaviour:
    return oe.comparison.behaviour(
        ["F", "P", "R", "OS(penalise='none')", "hF", "LCaF", "HLoss", "hDistance"], photo
    )


def names(batch: oe.Batch, row: int) -> tuple[set[str], set[str]]:
    return set(batch.truth.labels_of(str(row))), set(batch.prediction.labels_of(str(row)))


# cases ------------------------------------------------------------------------------------------------------


# results ----------------------------------------------------------------------------------------------------


def test_laws_that_are_known_to_hold_or_not_come_out_so(found: oe.comparison.Behaviour) -> None:
    # an additional near miss may help the ontology score and lower ancestors' F; H-loss unmasks deeper misses
    for measure in ("OS(penalise='none')", "hF", "LCaF"):
        assert 0 < found[measure, WRONG_ADDED].held < 200
    assert found["OS(penalise='none')", RIGHT_ADDED].held == 200
    assert 0 < found["HLoss", RIGHT_ADDED].held < 200
    broken = found["OS(penalise='none')", WRONG_ADDED].example
    assert broken is not None
    assert broken.second.score > broken.first.score
    assert set(broken.first.prediction) < set(broken.second.prediction)
    loss = found["HLoss", RIGHT_ADDED].example
    assert loss is not None
    assert loss.first.score > loss.second.score  # a loss is better where it is smaller


def test_counterexamples_score_as_they_say(found: oe.comparison.Behaviour, photo: oe.Hierarchy) -> None:
    shown = [
        trial for trial in found.trials if trial.example is not None and trial.axiom not in {NODES, UNUSED}
    ]
    assert len(shown) > 10
    for trial in shown:
        for side in trial.example or ():
            result = oe.evaluate([side.truth], [side.prediction], hierarchy=photo, measures=[trial.measure])
            assert result[trial.measure] == pytest.approx(side.score, nan_ok=True)


def test_an_axiom_of_several_labels_is_not_tried_with_a_measure_of_one(
    found: oe.comparison.Behaviour,
) -> None:
    with pytest.raises(ParameterError, match="tried together"):
        _ = found["hDistance", ALIKE]


def test_tables_show_shares_and_counterexamples(found: oe.comparison.Behaviour, photo: oe.Hierarchy) -> None:
    table = found.table()
    assert [column.title for column in table.columns] == [
        "axiom",
        *(line["measure"] for line in found.rows()),
    ]
    assert table.text(table.rows[0])[:3] == (SIBLING, "0.00", "0.00")
    assert len(table.rows) == len(table.notes) - 1 == len(oe.comparison.AXIOMS)
    shown = found.tables()["counterexamples"]
    assert len(shown.rows) == sum(trial.example is not None for trial in found.trials)
    cells = {row[:2]: shown.text(row) for row in shown.rows}
    assert cells[ALIKE, "P"][2].count("; then ") == 1
    assert cells[EVERYTHING, "R"][4].endswith(f" and {len(photo.labels) - 5} more")
    nothing = oe.comparison.behaviour(["Fmax"], oe.Hierarchy.flat(oe.Vocabulary(("a",))), cases=3)
    assert nothing.table().rows == ()
    assert nothing.table().notes[-2] == "Fmax was not tried: it takes scores, and cases are label sets."
    recalled = oe.comparison.behaviour("R", photo, axioms=EMPTY).tables()["counterexamples"]
    assert recalled.rows == ()
    partly = oe.comparison.behaviour(
        "FullyWrong", photo, axioms=[EVERYTHING, "nothing is better than the truth"]
    )
    assert partly.tables()["counterexamples"].rows[0][1] == "FullyWrong"


def test_measures_that_cannot_be_tried_are_named_with_the_reason(photo: oe.Hierarchy) -> None:
    wanted = ["Fmax", "ICM", "ICMnorm", "PartlyCorrect", "Jaccard"]
    found = oe.comparison.behaviour(wanted, photo, cases=5)
    assert list(found.skipped) == wanted[:-1]
    reasons = ["takes scores", "no best value", "with_information", "no best value"]
    assert all(reason in text for reason, text in zip(reasons, found.skipped.values(), strict=True))
    assert {trial.measure for trial in found.trials} == {"Jaccard"}


def test_every_measure_of_sets_is_tried_or_named(photo: oe.Hierarchy) -> None:
    entries = (entry for entry in oe.CATALOGUE if info(entry.measure, "takes") == "sets")
    wanted = [*(entry.symbol for entry in entries), "F(average='macro')"]
    found = oe.comparison.behaviour(wanted, photo, cases=3)
    assert {trial.measure for trial in found.trials} == {*wanted} - {*found.skipped}
    assert {*found.skipped} == {"PartlyCorrect", "ICM", "ICMnorm", "SetSize", "SetComplexity"}
    assert found.together == ("tKappa",)
    assert "tKappa: each case is scored with about nine others." in found.table().notes


@pytest.mark.parametrize("axiom", [SIBLING, WRONG_ADDED, NODES])
def test_a_measure_that_compares_samples_scores_a_case_with_others(axiom: str, photo: oe.Hierarchy) -> None:
    found = oe.comparison.behaviour("tKappa", photo, axioms=axiom, cases=25)
    trial = found["tKappa", axiom]
    assert trial.undefined == 0
    seed = np.random.default_rng(0).integers(2**63, size=len(oe.comparison.AXIOMS))
    place = list(oe.comparison.AXIOMS).index(axiom)
    material = RandomCases(photo, np.random.default_rng(int(seed[place])), 25)
    sides = oe.comparison.AXIOMS[axiom].make(material)
    count = len(sides.first)
    group = np.arange(count) * max(1, count // 10) // count
    held = 0
    for row in range(count):
        others = np.flatnonzero(group == group[row])
        before = [names(sides.first, int(at)) for at in others]
        after = [names(sides.second if at == row else sides.first, int(at)) for at in others]
        hierarchies = photo, photo if axiom != NODES else sides.second.hierarchy
        first, second = (
            oe.evaluate(*zip(*some, strict=True), hierarchy=one, measures="tKappa")["tKappa"]
            for some, one in zip((before, after), hierarchies, strict=True)
        )
        near = abs(first - second) <= LITTLE * max(1, abs(first))
        held += {SIBLING: first > second + 1e-9, WRONG_ADDED: first >= second - 1e-9, NODES: near}[axiom]
    assert (trial.cases, trial.held) == (count, held)


def test_an_axiom_is_not_kept_by_seeing_no_difference(photo: oe.Hierarchy) -> None:
    found = oe.comparison.behaviour(["F", "ExactMatch"], photo, axioms=[WRONG_ADDED, EMPTY])
    assert found["ExactMatch", WRONG_ADDED].held == found["F", WRONG_ADDED].held == 200
    assert [found[one, WRONG_ADDED].holds for one in ("F", "ExactMatch")] == [True, False]
    assert found["ExactMatch", EMPTY].holds


def test_axioms_without_cases_are_named() -> None:
    found = oe.comparison.behaviour("F", oe.Hierarchy.flat(oe.Vocabulary(("a", "b"))), cases=10)
    assert found.without_cases == (SIBLING, COUSIN, PARENT, "one more confusion does not help", UNUSED)
    assert found["F", EVERYTHING].cases < 10  # where all labels are true, everything is right
    trees = oe.Hierarchy.from_edges([(root, f"{root}{leaf}") for root in "ab" for leaf in "cd"])
    assert oe.comparison.behaviour("hF", trees, axioms=[SIBLING, COUSIN]).without_cases == (COUSIN,)
    alone = oe.comparison.behaviour("F", oe.Hierarchy.flat(oe.Vocabulary(("a",))), cases=10)
    assert {trial.axiom for trial in alone.trials} == {
        RIGHT_ADDED, "nothing is better than the truth", EMPTY, NODES
    }  # fmt: skip


@pytest.mark.parametrize(("options", "kind", "message"), [
    ({"cases": 0}, ParameterError, "cases=0"),
    ({"cases": True}, ParameterError, "cases=True"),
    ({"axioms": ["a sibling costs less"]}, ParameterError, "near: 'a sibling costs less than a stranger', 'a sibling costs less than a cousin'"),
    ({"seed": "0"}, ParameterError, "seed='0'"),
    ({"measures": "G"}, MeasureError, "Unknown measure 'G'"),
    ({"hierarchy": None}, ParameterError, "hierarchy='NoneType'"),
])  # fmt: skip
def test_a_wrong_call_is_refused(
    options: dict[str, Any], kind: type[Exception], message: str, photo: oe.Hierarchy
) -> None:
    with pytest.raises(kind, match=message):
        oe.comparison.behaviour(**{"measures": "F", "hierarchy": photo, **options})


def test_labels_that_nobody_uses_change_measures_of_bits_alone(photo: oe.Hierarchy) -> None:
    measures = ["F", "F(average='macro')", "hF", "LCaF", "OS", "tF(weights='unit')", "tF", "tKappa"]
    found = oe.comparison.behaviour(measures, photo, axioms=UNUSED)
    assert [found[one, UNUSED].holds for one in measures] == [True] * 6 + [False] * 2
    broken = found["tF", UNUSED].example
    assert broken is not None
    assert broken.first[:2] == broken.second[:2]
    flat = oe.Hierarchy.from_edges([], concepts=["a", "b"])
    assert oe.comparison.behaviour("F", flat, axioms=UNUSED).without_cases
