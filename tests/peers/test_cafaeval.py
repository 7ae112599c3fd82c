"""Numbers of cafaeval 1.3.0, recorded in cafaeval.json, beside ours.

The cases are hierarchies, truths and scores, most of them random; cafaeval was run with each of its
normalisations, with and without `no_orphans`. "preset" holds what it gives by default, s_w being the least of its
table. Two things it does are options here:

- Its grid is ``numpy.arange(0.01, 1, 0.01)``, whose .57 is a little more than .57: a score of .57 does not
  reach it, and where another score is .56, no threshold lies between them (thresholds="cafaeval").
- It drops the thresholds at which no sample has anything predicted, so that Smin cannot be had by predicting
  nothing (uncovered=False); what weighs nothing is predicted, too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.measures.presets import preset
from tests.laws.scored import label_scores

CASES = json.loads(Path(__file__).with_suffix(".json").with_stem("cafaeval").read_text(encoding="utf-8"))
DENOMINATORS = {"cafa": "cafa", "pred": "predicted", "gt": "truth"}


def sides(case: dict[str, Any]) -> dict[str, Any]:
    """Truth, scores and hierarchy of a case."""
    edges, names = [tuple(edge) for edge in case["edges"]], case["names"]
    hierarchy = oe.Hierarchy.from_edges(edges, concepts=names)
    vocabulary = hierarchy.label_vocabulary
    return {
        "truth": oe.LabelSets.from_sets(case["truth"], vocabulary=vocabulary),
        "scores": label_scores(list(case["scores"].values()), vocabulary, tuple(case["truth"])),
        "hierarchy": hierarchy.with_weight("ia", [case["ia"][name] for name in names]),
        "empty": 0.0,
    }


def measured(case: dict[str, Any], *measures: str) -> list[float]:
    """Scores of a case."""
    given = sides(case)
    result = oe.evaluate(given["truth"], given["scores"], hierarchy=given["hierarchy"], measures=measures)
    return list(result.scores.values())


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_preset_gives_the_numbers_of_cafaeval(case: dict[str, Any]) -> None:
    expected = [case["preset"][key] for key in ("f", "f_w", "s_w", "cov", "f_micro")]
    assert measured(case, *preset("cafa").measures) == pytest.approx(expected, rel=0, abs=1e-15)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_curves_are_those_of_cafaeval(case: dict[str, Any]) -> None:
    given = {**sides(case), "thresholds": "cafaeval"}
    for conventions, expected in case["cafaeval"].items():
        norm, no_orphans = conventions.split(",")
        unweighted: dict[str, Any] = {"orphans": no_orphans == "False"}
        denominator: dict[str, Any] = {"denominator": DENOMINATORS[norm]}
        curves = {
            "f": oe.curve(**given, **denominator, **unweighted),
            "f_w": oe.curve(**given, **denominator, weight="ia"),
            "f_micro": oe.curve(**given, **unweighted, average="micro"),
            "f_micro_w": oe.curve(**given, average="micro", weight="ia"),
        }
        covered = curves["f"].coverage > 0
        found = {key: curve.f[covered].max(initial=0) for key, curve in curves.items()}
        options = f"denominator={DENOMINATORS[norm]!r}, orphans={no_orphans == 'False'}"
        found["s"] = measured(case, f"Smin(weight=None, thresholds='cafaeval', uncovered=False, {options})")[
            0
        ]
        assert expected == pytest.approx({key: found[key] for key in expected}, abs=1e-12)


def test_a_grid_of_rounded_steps_misses_a_threshold() -> None:
    case, options = CASES[1], "weight='ia', denominator='predicted', empty=0.0"
    assert {"0.56", "0.57"} <= {str(s) for some in case["scores"].values() for s in some.values()}
    found = measured(case, f"Fmax({options})", f"Fmax({options}, thresholds='cafaeval')")
    assert found == pytest.approx([12 / 13, 0.9195402299])  # at .57, and at .35
    assert case["cafaeval"]["pred,False"]["f_w"] == pytest.approx(0.9195402299)


def test_predicting_nothing_may_be_the_least_distance() -> None:
    found = measured(
        CASES[0], *(f"Smin(weight=None, orphans=False, uncovered={which})" for which in (True, False))
    )
    assert found == pytest.approx([2.0, 2.0615528128])
    assert CASES[0]["cafaeval"]["cafa,True"]["s"] == pytest.approx(2.0615528128)
