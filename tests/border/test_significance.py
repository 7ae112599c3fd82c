"""One family of tests: worked values with all exchanges, copies, baselines, ranks, and what is not tested."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.core.table import PValue
from ontoeval.reports.comparison import RANKS, pairs_table
from ontoeval.reports.verdicts import of_comparison

HITS = {"a": "22222221", "b": "21212111", "c": "11012101", "x": "00000000"}
PREDICTED = {"a": "22322222", "b": "22223222", "c": "21122312", "x": "00000000"}
"""Of eight samples with two true labels each: hits, and predicted labels."""

TRUTH = [["t1", "t2"]] * 8
MEAN = "F(average='samples')"


def run(name: str) -> list[list[str]]:
    """Write a run of the worked example out."""
    sides = zip(map(int, HITS[name]), map(int, PREDICTED[name]), strict=True)
    return [["t1", "t2"][:hits] + ["f1", "f2", "f3"][: number - hits] for hits, number in sides]


def compared(names: Sequence[str], measures: str = "F", **options: Any) -> oe.comparison.Comparison:
    """Compare runs of the worked example without baselines."""
    return oe.compare(TRUTH, {one: run(one[0]) for one in names}, measures=measures, baselines=(), **options)


def of_256(found: oe.comparison.Comparison, adjusted: str = "adjusted") -> dict[str, float]:
    """Numerators of the p-values of the pairs, over 256."""
    table = getattr(found, adjusted)[0] * 256
    pairs = combinations(range(len(found.runs)), 2)
    return {found.runs[a] + found.runs[b]: float(table[a, b]) for a, b in pairs}


@pytest.mark.parametrize(
    ("measure", "weights", "raw", "adjusted"),
    [
        ("F", None, (24, 8, 56), (32, 8, 56)),
        (MEAN, None, (24, 8, 56), (32, 8, 56)),
        ("F", [3, *[1] * 7], (24, 8, 56), (24, 16, 56)),
    ],
)
def test_eight_samples_have_the_p_values_of_all_exchanges(
    measure: str, weights: Any, raw: Any, adjusted: Any
) -> None:
    found = compared("abc", measure, sample_weight=weights)
    assert tuple(of_256(found, "p_values").values()) == raw
    assert tuple(of_256(found).values()) == adjusted
    assert "test of the whole measure, 128 times, two-sided; step-down max-T" in found.signature


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("F", {"ab": 32, "ac": 10, "ax": 2, "bc": 56, "bx": 2, "cx": 14}),
        (MEAN, {"ab": 32, "ac": 8, "ax": 2, "bc": 56, "bx": 2, "cx": 8}),
    ],
)
def test_an_empty_run_takes_next_to_nothing_from_the_others(measure: str, expected: dict[str, int]) -> None:
    assert of_256(compared("abcx", measure)) == expected


def test_a_weight_of_0_is_no_sample() -> None:
    more = {one: [*run(one), ["f1"]] for one in "abc"}
    weights = [1] * 8 + [0]
    found = oe.compare([*TRUTH, ["t1"]], more, measures="F", baselines=(), sample_weight=weights)
    assert of_256(found) == of_256(compared("abc"))
    few = oe.compare(TRUTH, {"a": run("a"), "c": run("c")}, measures="F", sample_weight=[1] * 5 + [0] * 3)
    assert "Tests are left out: there are 5 samples, and tests need at least 6." in few.notes


def test_copies_are_one_run_and_share_their_letters() -> None:
    found = compared(["a", "b", "c", "a2", "a3"])
    shown = of_256(found)
    assert {pair: shown[pair] for pair in ("ab", "ac", "bc")} == of_256(compared("abc"))
    assert shown["ba2"] == shown["ba3"] == shown["ab"]
    assert np.isnan([shown["aa2"], shown["a2a3"]]).all()
    assert found.groups("F") == ("a", "ab", "b", "a", "a")
    assert found.rank_intervals[:, 0].tolist() == [[1, 4], [1, 5], [4, 5], [1, 4], [1, 4]]
    assert np.isnan(compared(["a", "a2"]).adjusted).all()


def test_random_exchanges_come_close_to_all_of_them() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random((13, 4)) < 0.5
    runs = [truth ^ (rng.random(truth.shape) < share) for share in (0.1, 0.3, 0.4)]
    named = {str(at): one for at, one in enumerate(runs)}
    found = oe.compare(truth, named, measures="F", baselines=(), resamples=3000)
    assert "randomisation test of the whole measure, 3,000 times" in found.signature
    flips = np.array(list(product([False, True], repeat=13)))[:4096]
    hits = np.array([(truth & one).sum(axis=1) for one in runs])
    sizes = np.array([(truth.sum(axis=1) + one.sum(axis=1)) for one in runs])
    moved: list[np.ndarray] = []
    for a, b in combinations(range(3), 2):
        ways = [
            2 * np.where(way, hits[one], hits[other]).sum(axis=1)
            / np.where(way, sizes[one], sizes[other]).sum(axis=1)
            for way in (flips,)
            for one, other in ((b, a), (a, b))
        ]  # fmt: skip
        moved.append(np.abs(ways[0] - ways[1]))
    far = np.array([one / np.sqrt((one**2).mean()) for one in moved])
    order = np.argsort(-far[:, 0])
    tops = [np.mean(far[order[at:]].max(axis=0) >= far[order[at], 0] - 1e-9) for at in range(3)]
    p = [found.adjusted[0, a, b] for a, b in combinations(range(3), 2)]
    assert [p[at] for at in order] == pytest.approx(np.maximum.accumulate(tops), abs=0.03)


def test_a_baseline_is_tested_with_the_runs_and_other_baselines_are_not() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random((60, 5)) < [0.7, 0.3, 0.3, 0.3, 0.2]
    good, poor = (truth ^ (rng.random(truth.shape) < share) for share in (0.1, 0.38))
    usual = np.tile([True, False, False, False, False], (60, 1))
    runs = {"good": good, "poor": poor, "usual": usual}
    found = oe.compare(truth, runs, measures="F", baselines=["permuted", "prior"])
    at = {name: place for place, name in enumerate(found.runs)}
    table = found.adjusted[0]
    assert np.isnan(table[at["permuted"]]).all()
    assert np.isnan(table[at["usual"], at["prior"]])
    for name in ("good", "poor"):  # one test: the baseline has the p-values of the run that is the same
        assert table[at[name], at["prior"]] == table[at[name], at["usual"]]
    assert "over all pairs of runs, and of runs and 'prior'" in found.signature
    head = of_comparison(found)
    verdict = "Above it, but not significantly: 'poor'." if table[at["poor"], at["prior"]] >= 0.05 else ""
    assert "1 of 3 runs does not beat the baseline 'prior'" in head
    assert verdict in head


def test_ranks_follow_from_the_adjusted_p_values() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random((200, 6)) < 0.4
    shares = {"a": 0.1, "b": 0.11, "c": 0.12, "d": 0.3}
    runs = {name: truth ^ (rng.random(truth.shape) < share) for name, share in shares.items()}
    found = oe.compare(truth, runs, measures=["F", "Hamming"], resamples=500)
    assert found.rank_intervals[:4, 0].tolist() == [[1, 3], [1, 3], [1, 3], [4, 4]]
    assert found.rank_intervals[:4, 1].tolist() == [[1, 3], [1, 3], [1, 3], [4, 4]]
    assert found.rank_intervals[4:].max() == 0
    board = found.table()
    texts = [board.text(row)[0] for row in board.rows]
    assert texts[:4] == ["1 (1–3)", "2 (1–3)", "3 (1–3)", "4"]
    assert [row[0] for row in board.rows][:4] == [1, 2, 3, 4]
    assert RANKS in board.notes
    assert "May be first: 'a'" in board.head
    assert "scores best of 4 runs" in board.head
    assert "rank 1 (1–3)" in found.report()


@pytest.mark.parametrize(
    ("truth", "options", "why"),
    [
        ([["a"], ["b"]] * 6, {"groups": ["site"] * 12}, "all samples are in one group"),
        (
            [["a"], ["b"]] * 6,
            {"groups": list("aabbccddeeee")},
            "there are 5 groups, and tests need at least 6",
        ),
        ([["a"]], {}, "there is one sample"),
        ([["a"], ["b"], ["a"], ["b"], ["a"]], {}, "there are 5 samples, and tests need at least 6"),
        ([[]] * 12, {}, "no sample has a true label"),
    ],
    ids=["one group", "five groups", "one sample", "five samples", "no truth"],
)
def test_what_cannot_be_tested_is_said_for_runs_and_baselines_alike(
    truth: Any, options: Any, why: str
) -> None:
    number = len(truth)
    runs = {"right": truth, "wrong": [["b"], ["a", "b"]] * 6, "last": [["a"]] * 12}
    found = oe.compare(truth, {name: one[:number] for name, one in runs.items()}, measures="F", **options)
    assert np.isnan(found.p_values).all()
    assert np.isnan(found.adjusted).all()
    assert any(note.endswith(f"are left out: {why}.") for note in found.notes)
    head = of_comparison(found)
    assert "significant" not in head
    assert "the baseline" not in head
    assert "(" not in "".join(str(found.table().text(row)[0]) for row in found.table().rows)


def test_what_is_undefined_once_runs_are_exchanged_makes_no_difference_significant() -> None:
    truth = [["a"], ["b"]] * 6
    runs = {"x": [["a"], []] * 6, "y": [[], ["b"]] * 6}
    strict = "P(average='macro', undefined=None)"
    found = oe.compare(truth, runs, measures=["P", strict], resamples=50)
    assert (found.adjusted[:, 0, 1] > 0.9).all()


def test_measures_that_cannot_be_exchanged_are_tested_by_the_bootstrap_step_down() -> None:
    rng = np.random.default_rng(4)
    truth = rng.random((80, 4)) < 0.4
    noise = rng.normal(size=truth.shape)
    runs = {str(at): oe.LabelScores.from_array(truth * at + noise) for at in (3, 2, 1)}
    runs["near"] = oe.LabelScores.from_array(truth * 3 + noise + 0.01 * rng.normal(size=truth.shape))
    found = oe.compare(truth, runs, measures="AUC", baselines=(), resamples=400)
    drawn, scores = found.replicates[:, :, 0], found.scores[:, 0]
    pairs = list(combinations(range(4), 2))
    moved = np.array([drawn[:, a] - drawn[:, b] - (scores[a] - scores[b]) for a, b in pairs])
    scale = np.sqrt((moved**2).mean(axis=1))
    limit, far = (
        np.array([abs(scores[a] - scores[b]) for a, b in pairs]) / scale,
        np.abs(moved) / scale[:, None],
    )
    order = np.argsort(-limit)
    tops = [(1 + (far[order[at:]].max(axis=0) >= limit[order[at]]).sum()) / 401 for at in range(6)]
    found_p = [found.adjusted[0][pairs[at]] for at in order]
    assert found_p == pytest.approx(np.maximum.accumulate(tops), abs=0.003)
    assert any(note.startswith("AUC: tested by the bootstrap of differences") for note in found.notes)


def test_long_data_are_tested_portion_by_portion_and_many_pairs_in_two_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((60, 4)) < 0.5
    runs = {str(at): truth ^ (rng.random(truth.shape) < 0.1 * at) for at in range(1, 5)}
    how: dict[str, Any] = {"measures": ["F", "Jaccard"], "resamples": 300}
    whole = oe.compare(truth, runs, **how)
    monkeypatch.setattr("ontoeval.comparison.significance._KEPT", 10)
    monkeypatch.setattr("ontoeval.comparison.significance._AT_ONCE", 1000)
    again = oe.compare(truth, runs, **how)
    assert np.array_equal(whole.adjusted, again.adjusted, equal_nan=True)
    monkeypatch.setattr("ontoeval.evaluation.totals.AT_ONCE", 25)
    assert np.array_equal(whole.adjusted, oe.compare(truth, runs, **how).adjusted, equal_nan=True)


@pytest.mark.parametrize(
    ("p", "resamples", "text"),
    [
        (1 / 2001, 2000, "< 0.001"),
        (0.0482, 2000, "0.05"),
        (0.0126, 2000, "0.01"),
        (0.2351, 2000, "0.24"),
        (0.003, 2000, "0.003"),
        (0.05, 19, "0.1"),
        (1.0, 2000, "> 0.999"),
        (0.0251, 100_000, "0.025"),
    ],
)
def test_a_p_value_has_the_digits_that_the_resamples_support(p: float, resamples: int, text: str) -> None:
    assert PValue.of(p, resamples).text == text


def test_p_values_are_written_in_full_for_programs() -> None:
    found = compared("abc")
    table = pairs_table(found)
    assert table.rows[1][6:8] == (8 / 256, 8 / 256)
    assert table.text(table.rows[1])[6] == "0.031"
    assert of_comparison(found).endswith(
        "the difference is not significant (adjusted p = 0.125). May be first: 'a' and 'b'."
    )
