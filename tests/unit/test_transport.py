"""Calls of transport measures: streaming, comparisons, wrong options, and what has no score of single samples."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.bits import Sizes, labels_below
from ontoeval.errors import ParameterError

LINKS = [("plants", "trees"), ("plants", "flowers"), ("trees", "oak"), ("trees", "fir"), ("people", "group")]
TRUTH = [["oak"], ["fir", "group"], ["flowers"], ["group"]] * 6
RUNS = {
    "sibling": [["fir"], ["fir", "group"], ["flowers"], ["group"]] * 6,
    "constant": [["oak", "group"]] * 24,
    "reversed": TRUTH[::-1],
}
MEASURES = ["tF", "tKappa"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("credit_from=1", "credit_from=1.0: expected less than 1"),
        ("credit_from=0.5, weights='unit'", "0 with other weights than 'bits'"),
        ("weights=2", "weights=2: expected"),
        ("members='leaves'", "members='leaves'"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    for symbol in MEASURES:
        with pytest.raises(ParameterError, match=message):
            oe.measures.parse(f"{symbol}({options})")


def test_all_weights_0_leave_nothing_to_be_told() -> None:
    nothing = oe.Hierarchy.from_edges(LINKS).with_weight("own", np.zeros(7))
    measures = ["tF(weights='own')", "tF(weights='own', average='samples')", "tKappa(weights='own')"]
    found = oe.evaluate(TRUTH, RUNS["sibling"], hierarchy=nothing, measures=measures).scores
    assert all(np.isnan(score) for score in found.values())


def test_bits_are_counted_in_the_list_of_concepts() -> None:
    links = [("r", "x"), ("r", "y"), *(("x", name) for name in "abc"), *(("y", name) for name in "def")]
    listed = oe.Hierarchy.from_edges(links).with_labels("abd")
    bits = dict(zip(listed.vocabulary, np.log2(3 / np.maximum(listed.derive(labels_below), 1)), strict=True))
    expected = {"r": 0, "x": 0.584963, "y": 1.584963, "a": 1.584963, "b": 1.584963, "d": 1.584963}
    assert {name: bits[name] for name in expected} == pytest.approx(expected, abs=5e-7)
    sizes = dict(zip(listed.vocabulary, np.log2(3) * listed.derive(Sizes()), strict=True))
    del expected["y"]  # which divides nothing: its bits are those of d
    assert {name: sizes[name] for name in expected} == pytest.approx(expected, abs=5e-7)
    truth, run = [["a"], ["d"]], [["b"], ["d"]]
    found = oe.evaluate(truth, run, hierarchy=links, classes=list("abd"), measures=MEASURES)
    assert found["tF"] == pytest.approx((1 + 0.584963 / 1.584963) / 2, abs=5e-7)
    assert not any("Neither" in note for note in oe.reports.tables(found)["scores"].notes)
    *_, note, _ = oe.reports.tables(oe.evaluate(truth, run, hierarchy=links, measures=MEASURES))[
        "scores"
    ].notes
    assert note.startswith("Neither truth nor runs use 6 of 9 labels, which count in the bits of tF, tKappa.")


def test_credit_from_half_of_the_bits_ends_the_credit_of_far_kin() -> None:
    measures = ["tF", "tF(credit_from=0.5)"]
    far = oe.evaluate([["oak"]], [["flowers"]], hierarchy=LINKS, measures=measures)
    assert far["tF"] > far["tF(credit_from=0.5)"] == 0


def test_masses_in_parts_are_merged_to_the_bit_and_rounded_for_chance() -> None:
    names = [f"x{at}" for at in range(40)]
    links = [(parent, name) for name in names for parent in ("P", "Q", "R")[: 1 + int(name[1:]) % 3]]
    hierarchy = oe.Hierarchy.from_edges(links)
    rng = np.random.default_rng(1)
    sides = [[rng.choice(names, size, replace=False).tolist() for size in range(1, 38)] for _ in range(2)]
    batch = oe.align(*sides, hierarchy=hierarchy)
    merged = oe.merge(*(oe.collect(chunk, MEASURES) for chunk in batch.chunks(5)))
    whole = oe.collect(batch, MEASURES)
    assert oe.score(merged).scores == oe.score(whole).scores
    exact, rounded = (whole.sums[oe.measures.parse(name).statistic] for name in MEASURES)
    assert rounded[1:4] == pytest.approx(exact, rel=0.03)
