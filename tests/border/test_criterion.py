"""Studies against a criterion from outside: which measure orders the runs as it does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontoeval as oe
from ontoeval.comparison.criterion import calibrated
from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.core.rankings import of_pairs, signs
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


def test_accuracy_with_calibrated_ties_is_that_of_the_worked_case() -> None:
    criterion, measure = np.array([3.0, 2, 2, 1, 0]), np.array([0.9, 0.7, 0.8, 0.6, 0.65])
    accuracy, epsilon = calibrated(np.subtract(*of_pairs(measure[None])), signs(criterion[None])[0])
    assert (accuracy.item(), epsilon.item()) == (0.8, 0.0)
    assert tau_b(criterion, measure) == pytest.approx(0.7378647874)


def test_ties_are_calibrated_as_trying_every_threshold_does() -> None:
    random = np.random.default_rng(0)
    for _ in range(200):
        criterion, measure = random.integers(0, 4, 6).astype(float), random.integers(0, 7, 6) / 8
        wanted, differences = signs(criterion[None])[0], np.subtract(*of_pairs(measure[None]))[0]
        shares = {
            epsilon: np.mean(np.where(np.abs(differences) <= epsilon, 0, np.sign(differences)) == wanted)
            for epsilon in sorted({0.0, *np.abs(differences).tolist()})
        }
        accuracy, epsilon = calibrated(differences, wanted)
        assert accuracy == pytest.approx(max(shares.values()))
        assert epsilon == pytest.approx(
            next(one for one, share in shares.items() if share == max(shares.values()))
        )


def test_the_measure_that_a_criterion_follows_comes_first() -> None:
    found = oe.study(TRUTH, RUNS, criterion=JUDGED, **OPTIONS)
    assert found.criterion is not None
    table = found.tables()["criterion"]
    assert table.rows[0][0] == "F"
    assert found.criterion.counts.sum(axis=1).tolist() == [66] * 4
    assert "F has the highest agreement with the criterion" in of_study(found)
    assert "criterion" in str(found.report())
    lowest = oe.study(
        TRUTH, RUNS, criterion={run: -one for run, one in JUDGED.items()}, criterion_best="lowest", **OPTIONS
    )
    assert str(lowest.tables()["criterion"].rows) == str(table.rows)


def test_numbers_for_each_sample_are_averaged_and_resampled_with_the_samples() -> None:
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
    np.testing.assert_allclose(found.accuracy, whole.accuracy)
    assert np.ptp(found.accuracy_interval, axis=0).sum() > np.ptp(whole.accuracy_interval, axis=0).sum()


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
