"""Studies against a criterion from outside: which measure orders the runs as it does."""

from __future__ import annotations

import json
import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.reports.verdicts import of_study
from tests.commands import call, refusal

TRUTH = {f"p{number}": {"abcdef"[number % 6], "abcdef"[number * 5 % 6]} for number in range(30)}


def changed(number: int, missed: int) -> dict[str, set[str]]:
    """The truth with false labels in every so many samples, and others without labels."""
    return {
        sample: (set() if missed and row % missed == 0 else labels) | ({"f"} if row % number == 0 else set())
        for row, (sample, labels) in enumerate(TRUTH.items())
    }


RUNS = {f"run{a}{b}": changed(a, b) for a in (1, 2, 3, 7) for b in (0, 2, 5)}
OPTIONS: dict[str, Any] = {"measures": ["F", "P", "R", "ExactMatch"], "resamples": 200, "changes": None}
NOISE = np.random.default_rng(3)
JUDGED = {
    run: oe.evaluate(TRUTH, labels, measures="F").scores["F"] + NOISE.normal(0, 0.02)
    for run, labels in RUNS.items()
}


def verdict(criterion: Any, **options: Any) -> str:
    return of_study(oe.study(TRUTH, RUNS, criterion=criterion, **OPTIONS, **options)).split("\n")[0]


TEAMS = {run: run[:4] for run in RUNS}  # run1, run2, run3, run7


def agreement(criterion: Any, **options: Any) -> Any:
    return oe.study(TRUTH, RUNS, criterion=criterion, **OPTIONS, **options).criterion


def test_soft_accuracy_averages_the_p_values_of_the_runs_of_two_teams() -> None:
    study = oe.study(TRUTH, RUNS, criterion=JUDGED, teams=TEAMS, **OPTIONS)
    compared, names = study.comparison, list(RUNS)
    for measure, accuracy in zip(compared.measures, study.criterion.accuracy, strict=True):  # type: ignore[union-attr]
        column, away = compared.column(measure), []
        for one, other in combinations(dict.fromkeys(TEAMS.values()), 2):
            by_measure, by_criterion = [], []
            for a, b in product(
                (run for run in RUNS if TEAMS[run] == one), (run for run in RUNS if TEAMS[run] == other)
            ):
                at = names.index(a), names.index(b)
                p, ahead = compared.p_values[column][at], np.subtract(*compared.merits[at, column])
                by_measure.append(1 - p / 2 if ahead > 0 else p / 2 if ahead < 0 else 1 / 2)
                by_criterion.append(float(JUDGED[a] > JUDGED[b]))
            away.append(abs(np.mean(by_measure) - np.mean(by_criterion)))
        assert accuracy == pytest.approx(1 - np.mean(away))


def test_a_criterion_with_samples_is_exchanged_as_runs_are() -> None:
    # F of one label in each sample is the mean of hits: the same numbers, exchanged in the same samples.
    truth = {f"p{at}": ["a"] for at in range(40)}
    hits = np.random.default_rng(1).random((5, 40)) < np.linspace(0.3, 0.9, 5)[:, None]
    runs = {
        f"r{at}": {name: ["a" if hit else "b"] for name, hit in zip(truth, row, strict=True)}
        for at, row in enumerate(hits)
    }
    noisy = hits + np.random.default_rng(2).normal(0, 1e-6, hits.shape)
    noisy[:, 0] += [0.3, -0.2, 0.2, -0.3, 0.1]  # no linear function of the score
    criterion = {
        run: dict(zip(truth, row.tolist(), strict=True)) for run, row in zip(runs, noisy, strict=True)
    }
    found = oe.study(truth, runs, criterion=criterion, measures="F", resamples=2000, changes=None).criterion
    assert found is not None
    assert found.accuracy[0] > 0.98
    certain = {run: float(np.mean([*one.values()])) for run, one in criterion.items()}
    hard = oe.study(truth, runs, criterion=certain, measures="F", resamples=2000, changes=None).criterion
    assert hard is not None
    assert hard.accuracy[0] < found.accuracy[0]


def test_teams_are_permuted_in_all_ways_and_four_of_them_are_a_hint() -> None:
    found = agreement(JUDGED, teams=TEAMS)
    assert found.units == "4 teams"
    assert found.p_chance * 24 == pytest.approx(round(found.p_chance * 24))
    best = {run: float(run[3]) + at / 100 for at, run in enumerate(RUNS)}
    said = verdict(best, teams=TEAMS)
    assert re.search(r"p = 0\.042 over 4 teams: no more than a hint\)", said)
    reverse = verdict({run: -one for run, one in best.items()}, teams=TEAMS)
    assert (
        "In reverse the criterion is fitted (p = 0.042): are low numbers best (--criterion-best)?" in reverse
    )
    assert reverse.startswith("No measure is shown to order the runs as the criterion does")


def test_fewer_than_four_teams_and_runs_without_tests_are_not_tested() -> None:
    few = {run: "AB"[at % 2] for at, run in enumerate(RUNS)}
    assert verdict(JUDGED, teams=few) == (
        "Agreement with the criterion was not tested: a test needs at least 4 teams, and has 2 teams."
    )
    assert (
        verdict(JUDGED, test="none") == "Agreement with the criterion was not tested: runs were not tested."
    )
    alone = oe.study(TRUTH, RUNS, criterion=JUDGED, **OPTIONS).notes
    assert "Criterion: each run is a team of its own. Runs of one team are not independent." in alone
    with pytest.raises(InputError, match="the teams have runs that are not compared: 'run99'"):
        verdict(JUDGED, teams={"run99": "A"})


def test_variants_of_one_team_are_no_evidence() -> None:
    random = np.random.default_rng(8)
    worth = dict(zip("1237", random.permutation(4), strict=True))
    criterion = {run: float(worth[run[3]]) + random.normal(0, 0.1) for run in RUNS}
    alone, together = agreement(criterion), agreement(criterion, teams=TEAMS)
    assert together.p_chance >= 1 / 24
    assert alone.units == "12 runs"
    assert alone.p_chance < together.p_chance


def test_the_measure_that_a_criterion_follows_comes_first() -> None:
    found = oe.study(TRUTH, RUNS, criterion=JUDGED, **OPTIONS)
    assert found.criterion is not None
    table = found.tables()["criterion"]
    assert table.rows[0][0] == "F"
    assert found.criterion.units == "12 runs"
    assert "F has the highest agreement with the criterion" in of_study(found)
    assert "criterion" in str(found.report())
    lowest = oe.study(
        TRUTH, RUNS, criterion={run: -one for run, one in JUDGED.items()}, criterion_best="lowest", **OPTIONS
    )
    assert str(lowest.tables()["criterion"].rows) == str(table.rows)


def test_numbers_for_each_sample_are_averaged_and_tested() -> None:
    each = {run: {sample: value + NOISE.normal() for sample in TRUTH} for run, value in JUDGED.items()}
    found = oe.study(TRUTH, RUNS, criterion=each, **OPTIONS).criterion
    framed = oe.study(TRUTH, RUNS, criterion=pd.DataFrame(each), **OPTIONS).criterion
    whole = oe.study(
        TRUTH, RUNS, criterion={run: np.mean([*one.values()]) for run, one in each.items()}, **OPTIONS
    ).criterion
    assert found is not None
    assert framed is not None
    assert whole is not None
    np.testing.assert_array_equal(found.accuracy_interval, framed.accuracy_interval)
    np.testing.assert_allclose(found.values, whole.values)
    assert not np.allclose(found.accuracy, whole.accuracy)  # the p-values of a criterion with samples


@pytest.mark.parametrize("nonsense", ["random", "order"])
def test_no_measure_is_said_to_agree_with_nonsense(nonsense: str) -> None:
    random = np.random.default_rng(5)
    worth = {run: random.random() if nonsense == "random" else place % 5 for place, run in enumerate(RUNS)}
    assert verdict(worth).startswith("No measure is shown to order the runs as the criterion does")


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (dict.fromkeys(RUNS, 1), "has one value for all runs"),
        ({**JUDGED, "run99": 1}, "runs that are not compared: 'run99'"),
        ({"run10": 1}, "lacks 11 runs"),
        ({**JUDGED, "run10": float("nan")}, "the criterion of 'run10' is nan"),
        ({**JUDGED, "run10": "good"}, "the criterion of 'run10' is 'good'"),
        ({run: {"p0": 1} for run in RUNS}, "other samples than the truth"),
        ([1, 2], "no mapping"),
        (
            {
                run: 3 + 2 * oe.evaluate(TRUTH, one, measures="Jaccard").scores["Jaccard"]
                for run, one in RUNS.items()
            },
            "the criterion is Jaccard of these runs, or a linear function of it",
        ),
    ],
)
def test_what_is_no_criterion_is_refused(criterion: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        verdict(criterion)


def test_the_command_reads_a_criterion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    oe.write_labels(TRUTH, tmp_path / "truth.csv")
    for run, labels in RUNS.items():
        oe.write_labels(labels, tmp_path / f"{run}.csv")
    file = tmp_path / "judged.txt"
    options = ["study", tmp_path / "truth.csv", *(tmp_path / f"{run}.csv" for run in RUNS), "--no-changes"]
    options += ["-m", "F", "-m", "P", "--resamples", "50", "--criterion", file]
    file.write_text(
        "run,value\n" + "".join(f"{run},{one}\n" for run, one in JUDGED.items()), encoding="utf-8"
    )
    printed = json.loads(call(*options, "--format", "json").stdout)
    assert printed["tables"]["criterion"]["rows"][0]["measure"] == "F"
    file.write_text("run,value\nrun10,high\n", encoding="utf-8")
    assert "row 2: the value of 'run10' is 'high'" in refusal(options, capsys, monkeypatch)
