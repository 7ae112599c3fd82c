"""The PhysioNet score: worked values, and the rewards of the challenge."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.measures.near_misses import PhysioNet

REWARDS = np.array([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]])
TRUTH, SAID = [{"x"}, {"y"}, {"x", "y"}, {"n"}], [{"x"}, {"x", "y"}, {"y"}, {"x"}]
TOY = oe.Hierarchy.flat(oe.Vocabulary(("x", "y", "n"))).with_cost("rewards", 1 - REWARDS)
MEASURE = PhysioNet(cost="rewards", normal="n")


def test_the_toy_example_scores_as_the_code_of_the_challenge_does() -> None:
    result = oe.evaluate(TRUTH, SAID, hierarchy=TOY, measures=[MEASURE])
    (sums,) = result.totals.sums.values()
    assert sums == pytest.approx([2.6, 4.5, 17 / 12])
    assert result[MEASURE] == pytest.approx(0.38378378378378386, abs=1e-9)


def test_what_is_unknown_earns_nothing() -> None:
    verified = oe.VerifiedLabels.from_sets([["x"]], [["y"]], vocabulary=TOY.vocabulary)
    result = oe.evaluate(verified, [["x", "n"]], hierarchy=TOY, measures=[MEASURE])
    assert next(iter(result.totals.sums.values())).tolist() == [1, 1, 0]


def test_the_rewards_of_the_challenge_are_costs_of_merged_classes(data: Path) -> None:
    path = data / "labels" / "physionet2021" / "weights.csv"
    with path.open(encoding="utf-8", newline="") as file:
        (_, *names), *rows = csv.reader(file)
    rewards = np.array([[float(cell) for cell in cells] for _, *cells in rows])
    assert [name for name, *_ in rows] == names
    hierarchy = oe.Hierarchy.flat(oe.Vocabulary(tuple(names))).with_cost("physionet2021", 1 - rewards)
    merged = {code: name for name in names for code in name.split("|")}
    assert len(merged) == 30
    codes = [["733534002", "164909002"], ["426783006"], ["164889003"], ["59931005", "427172004"]]
    said = [["164909002"], ["426783006"], ["164890007"], ["17338001"]]
    truth, prediction = ([{merged[code] for code in one} for one in side] for side in (codes, said))
    measure = PhysioNet(cost="physionet2021", normal="426783006")
    result = oe.evaluate(truth, prediction, hierarchy=hierarchy, measures=[measure])
    # By the definition, with whole matrices of pairs.
    assert result[measure] == pytest.approx(0.5050215208034433, abs=1e-12)
    assert oe.evaluate(truth, truth, hierarchy=hierarchy, measures=[measure])[measure] == pytest.approx(1)
