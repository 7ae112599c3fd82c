"""Seeds of one system, and folds."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison import corrected_t_test, scores_of_systems
from ontoeval.errors import InputError, ParameterError
from tests.commands import call

RNG = np.random.default_rng(3)
TRUTH = RNG.random((40, 4)) < 0.4
RUNS = {f"{name}{seed}": TRUTH ^ (RNG.random((40, 4)) < 0.2) for name in "ab" for seed in range(3)}
SYSTEMS = {run: run[0] for run in RUNS}
HOW: dict[str, Any] = {"measures": ["F", "Jaccard"], "baselines": (), "test": "none"}


def test_means_and_spreads_are_over_the_seeds_of_a_system() -> None:
    compared = oe.compare(TRUTH, RUNS, **HOW)
    table = scores_of_systems(compared, SYSTEMS)
    assert [row[0] for row in table.rows] == ["F", "F", "Jaccard", "Jaccard"]
    assert {row[1:3] for row in table.rows} == {("a", 3), ("b", 3)}
    rows: Any = table.rows
    assert all(rows[at][3] >= rows[at + 1][3] for at in (0, 2))  # the best first
    for row in rows:
        own = [run for run in RUNS if run[0] == row[1]]
        scores = [compared.evaluations[run][row[0]] for run in own]
        assert row[7] == ""  # nothing is tested
        assert row[3:5] == pytest.approx((np.mean(scores), np.std(scores, ddof=1)))
        assert row[5] < row[3] < row[6]
    assert table.rows == scores_of_systems(compared, SYSTEMS).rows
    assert len(scores_of_systems(compared, {"b2": "b"}).rows) == 2


@pytest.mark.parametrize("seeds", [1, 3])
def test_seeds_that_predict_the_same_have_the_interval_of_their_run(seeds: int) -> None:
    runs = {f"run-{seed}": RUNS["a0"] for seed in range(seeds)}
    compared = oe.compare(TRUTH, runs, groups=[at % 12 for at in range(40)], **HOW)
    table = scores_of_systems(compared, dict.fromkeys(runs, "one"))
    bounds = np.array([row[5:7] for row in table.rows], dtype=np.float64)
    assert bounds == pytest.approx(np.stack([compared.low[0], compared.high[0]], axis=1), abs=0.02)
    few = "Fewer than 3 seeds, so that intervals are too narrow: 'one'."
    assert (few in table.notes) == (seeds < 3)


def test_without_a_spread_of_samples_the_interval_is_that_of_means_of_one_seed_less() -> None:
    # All samples are alike: P is 1, 1/2, 1/3 and 1/4 in every resample.
    truth = [["a"]] * 30
    runs = {str(more): [["a", *"bcd"[:more]]] * 30 for more in range(4)}
    compared = oe.compare(truth, runs, measures="P", baselines=(), test="none", resamples=8000, level=0.8)
    row = scores_of_systems(compared, dict.fromkeys(runs, "one")).rows[0]
    error = np.std([np.mean(some) for some in product([1, 1 / 2, 1 / 3, 1 / 4], repeat=3)])
    mean = np.mean([1, 1 / 2, 1 / 3, 1 / 4])
    far = 1.311 * error / (mean * (1 - mean))  # t of 30 samples
    odds = mean / (1 - mean) * np.exp([-far, far])
    assert row[5:7] == pytest.approx(odds / (1 + odds), abs=0.005)


def system(name: str, missed: float, seeds: int = 3) -> dict[str, Any]:
    """Draw runs of a system, whose seeds differ in how often they miss a label."""
    rates = missed + RNG.normal(0, 0.02, seeds)
    return {f"{name}{at}": TRUTH & (RNG.random(TRUTH.shape) > rate) for at, rate in enumerate(rates)}


def test_systems_are_tested_by_the_resamples_of_samples_and_seeds() -> None:
    runs = system("x", 0.2) | system("y", 0.2) | system("z", 0.6)
    how: dict[str, Any] = HOW | {"test": "randomisation", "resamples": 500, "measures": "F"}
    compared, systems = oe.compare(TRUTH, runs, **how), {run: run[0] for run in runs}
    table = scores_of_systems(compared, systems)
    letters = {row[1]: row[7] for row in table.rows}
    assert letters == {"x": "a", "y": "a", "z": "b"}
    assert any("step-down max-T over all pairs of systems" in note for note in table.notes)
    few = oe.compare(TRUTH[:5], {run: one[:5] for run, one in runs.items()}, **how)
    assert {row[7] for row in scores_of_systems(few, systems).rows} == {""}


def test_the_command_ranks_systems_where_a_table_names_them(tmp_path: Path) -> None:
    runs = system("x", 0.2) | system("z", 0.6)
    oe.write_labels(oe.LabelSets.from_array(TRUTH), tmp_path / "truth.csv")
    for run, labels in runs.items():
        oe.write_labels(oe.LabelSets.from_array(labels), tmp_path / f"{run}.csv")
    names = tmp_path / "names.txt"
    given = [tmp_path / "truth.csv", *(tmp_path / f"{run}.csv" for run in runs), "-m", "F", "--names", names]
    given += ["--resamples", "100", "--format", "csv"]
    names.write_text("run,system\n" + "".join(f"{run},{run[0]}\n" for run in runs), encoding="utf-8")
    board = call("compare", *given).stdout.splitlines()
    assert board[0] == "measure,system,seeds,mean,standard deviation,low,high,group"
    assert [row.split(",")[:3] for row in board[1:]] == [["F", "x", "3"], ["F", "z", "3"]]
    call("compare", *given, "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<p class="head">Systems are compared in the first table.' in page
    assert page.index(">Systems<") < page.index(">Leaderboard<")
    assert "first by F" not in page
    names.write_text("run,system\n" + "".join(f"{run},the {run}\n" for run in runs), encoding="utf-8")
    assert "the x0" in call("compare", *given).stdout  # systems of one run each are names


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({}, "no run is named"),
        ({"c9": "c"}, "runs that were not compared: 'c9'"),
        (["a0"], "systems=.*a mapping from names"),
    ],
)
def test_systems_that_cannot_be_are_refused(systems: Any, message: str) -> None:
    compared = oe.compare(TRUTH, RUNS, resamples=20, **HOW)
    with pytest.raises((InputError, ParameterError), match=message):
        scores_of_systems(compared, systems)


def test_the_corrected_test_scales_the_paired_one() -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = RNG.random((2, 10))
    plain = stats.ttest_rel(first, second)
    statistic = plain.statistic / np.sqrt(1 + 10 * 100 / 900)
    expected = 2 * stats.t.sf(abs(statistic), 9)
    assert corrected_t_test(first, second, train=900, test=100) == pytest.approx(expected)
    assert expected > plain.pvalue


def test_folds_without_a_spread_have_no_p_value() -> None:
    assert np.isnan(corrected_t_test([0.5, 0.6], [0.4, 0.5], train=8, test=2))


@pytest.mark.parametrize(
    ("scores", "sizes"),
    [
        (([0.5], [0.4]), (8, 2)),
        (([0.5, 0.6], [0.4]), (8, 2)),
        (([0.5, float("nan")], [0.4, 0.5]), (8, 2)),
        (([0.5, 0.6], [0.4, 0.2]), (0, 2)),
        (([0.5, 0.6], [0.4, 0.2]), (8, 0.2)),
    ],
)
def test_folds_that_cannot_be_tested_are_refused(scores: Any, sizes: Any) -> None:
    with pytest.raises((InputError, ParameterError)):
        corrected_t_test(*scores, train=sizes[0], test=sizes[1])
