"""Numbers that the programs of authors printed for made data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ontoeval as oe

RECORDED = json.loads((Path(__file__).parents[1] / "oracles/reference_gold.json").read_text("utf-8"))
AREAS = RECORDED["hF_area_and_decoding"]["cases"]
TOY = AREAS[0]


def tree(children: dict[str, list[Any]]) -> oe.Hierarchy:
    """The hierarchy of lists of children."""
    return oe.Hierarchy.from_edges((name, str(one)) for name, below in children.items() for one in below)


def columns(rows: list[list[float]], names: list[Any], hierarchy: oe.Hierarchy) -> NDArray[np.float64]:
    """Numbers of some labels, as an array of all."""
    array = np.zeros((len(rows), len(hierarchy.label_vocabulary)))
    array[:, hierarchy.label_vocabulary.positions(map(str, names))] = rows
    return array


@pytest.mark.parametrize("case", AREAS[1:])
@pytest.mark.parametrize(
    ("given", "official"),
    [("node_scores", "official_HF1_AUC"), ("scores_random", "official_HF1_AUC_random")],
)
def test_the_area_over_nodes_is_the_authors(case: dict[str, Any], given: str, official: str) -> None:
    hierarchy = tree(case["children"])
    scores = columns(case[given], case["nodes"], hierarchy)
    truth = [[str(leaf)] for leaf in case["true_leaf"]]
    found = oe.evaluate(truth, scores, hierarchy=hierarchy, measures="hFArea(propagate='none')")
    assert found["hFArea(propagate='none')"] == pytest.approx(case[official], abs=1e-11)


def decoded(measure: str, rule: str) -> tuple[list[set[str]], float]:
    """Sets of the toy that a rule makes for a measure, and their score."""
    hierarchy = tree(TOY["children"])
    scores = columns(TOY["probabilities"], TOY["leaves"], hierarchy)
    sets = oe.decode(scores, hierarchy, measure, candidates=rule)  # type: ignore[arg-type]
    truth = [[label] for label in TOY["truth"]]
    option = f"{measure[:-1]}, decode={rule!r})"
    score = oe.evaluate(truth, scores, hierarchy=hierarchy, measures=option)[option]
    assert score == oe.evaluate(truth, sets.matrix, hierarchy=hierarchy, measures=measure)[measure]
    return [set(sets.labels_of(sample)) for sample in sets.samples], score


@pytest.mark.parametrize("root", ["in", "out"])
def test_the_best_leaves_nodes_and_sets_of_hf_are_those_recorded(root: str) -> None:
    measure, wanted = f"hF(average='samples', root={root!r})", TOY["decoding"][f"root {root}"]
    for rule, key in (("leaves", "leaf"), ("nodes", "node"), ("sets", "sets")):
        recorded = wanted[key].get("sets", wanted[key].get("nodes"))
        sets = [set(one) if isinstance(one, list) else {one} for one in recorded]
        found, score = decoded(measure, rule)
        assert found == sets
        assert score == pytest.approx(wanted[key]["hF"], abs=1e-9)


def test_of_equally_many_links_the_upper_node_is_taken() -> None:
    wanted = TOY["decoding"]["root in"]["distance"]
    measure = "Distance(per='sample', sides='false')"
    assert decoded(measure, "nodes") == ([{one} for one in wanted["nodes"]], wanted["distance"])
    assert decoded(measure, "leaves")[1] == pytest.approx(wanted["distance_of_leaf"])


def test_the_area_of_the_toy_is_that_recorded() -> None:
    hierarchy = tree(TOY["children"])
    scores = columns(TOY["probabilities"], TOY["leaves"], hierarchy)
    found = oe.evaluate([[one] for one in TOY["truth"]], scores, hierarchy=hierarchy, measures="hFArea")
    assert found["hFArea"] == pytest.approx(TOY["HF1_AUC_root_out"], abs=1e-11)
    flat = oe.evaluate(
        [["a"]], np.full((1, 12), 0.1), hierarchy=hierarchy, measures="hFArea(propagate='max')"
    )
    assert list(flat.values()) == [pytest.approx((1 + 3 / 11) / 2)]


SETS = RECORDED["sets"]["cases"]


@pytest.mark.parametrize(
    ("cases", "wanted"),
    [
        (SETS[0]["cases"][:4], SETS[0]["first_four"]),
        (SETS[0]["cases"], SETS[0]["all_five"]),
        (SETS[1]["node_sets"], SETS[1]),
    ],
)
def test_coverage_size_and_complexity_of_sets_are_those_recorded(
    cases: list[tuple[list[str], str]], wanted: dict[str, Any]
) -> None:
    keys = {
        "coverage": "SetCoverage",
        "size": "SetSize",
        "mean_leaves": "SetSize",
        "mean_nodes": "SetSize(of='members')",
        "mean_complexity": "SetComplexity",
    }
    recorded = {keys[key]: wanted[key] for key in keys if key in wanted}
    for depth, share in wanted.get("coverage_at_depth", {}).items():
        recorded[f"SetCoverage(level={depth})"] = share
    sets, labels = zip(*cases, strict=True)
    hierarchy = tree(SETS[0]["children"])
    result = oe.evaluate([[one] for one in labels], sets, hierarchy=hierarchy, measures=[*recorded])
    assert dict(result.scores) == pytest.approx(recorded, abs=1e-11)
    if "complexity" in wanted:
        assert result.per_sample("SetComplexity").tolist() == wanted["complexity"]


@pytest.mark.parametrize(
    ("right", "target", "said"),
    [
        (80, 0.9, "0.8000 (95 % interval 0.7082–0.8733), target 0.9: below; 20 % of the sets are empty."),
        (100, 0.9, "1.0000 (95 % interval 0.9638–1.0000), target 0.9: above; 0 % of the sets are empty."),
        (85, 0.9, "0.8500 (95 % interval 0.7647–0.9135), target 0.9: within the interval; 15 % of the sets "),
        (0, None, "0.0000 (95 % interval 0.0000–0.0362); 100 % of the sets are empty."),
    ],
)
def test_coverage_is_told_with_its_exact_interval_and_the_target(
    right: int, target: float | None, said: str
) -> None:
    sets: list[list[str]] = [["a"]] * right + [[]] * (100 - right)
    measure = "SetCoverage" + f"(target={target})" * (target is not None)
    found = oe.evaluate([["b"]] * 100, sets, hierarchy=[("a", "b"), ("a", "c")], measures=measure)
    assert [f"{measure} {said}" in note for note in found.cautions] == [True]


def test_samples_repeated_for_each_annotator_have_the_recorded_numbers_of_shares() -> None:
    case = RECORDED["soft_truth"]["cases"][0]
    links = [(parent, name) for name, above in case["parents"].items() for parent in above]
    truth = {f"p1/{place}": labels for place, labels in enumerate(case["annotators"])}
    wanted = dict(zip(["hP", "hR", "hF"], case["result"]["hPRF_annotators"], strict=True))
    wanted |= dict(zip("PRF", case["result"]["flat_PRF"], strict=True))
    wanted["hF(average='samples')"] = case["result"]["mean_over_annotators_crisp_hF"]
    run, group = dict.fromkeys(truth, case["run"]), dict.fromkeys(truth, "p1")
    found = oe.evaluate(truth, run, hierarchy=links, groups=group, measures=[*wanted])
    assert dict(found.scores) == pytest.approx(wanted, abs=1e-9)
