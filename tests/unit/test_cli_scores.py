"""Measures of scores from the command line, alone and beside those of label sets."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import OntoevalError

FILES = {
    "truth.csv": "sample,label\np1,trees\np2,flowers\np2,plants\n",
    "run.csv": "sample,label,score\np1,trees,0.9\np1,flowers,0.3\np2,flowers,0.4\np2,trees,0.6\n",
    "edges.csv": "parent,child\nplants,trees\nplants,flowers\n",
    "thresholds.csv": "concept,threshold\ntrees,0.7\nflowers,0.2\nplants,0.5\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")


def call(*options: str) -> Any:
    """Run the command."""
    return CliRunner().invoke(app, ["score", "truth.csv", "run.csv", *options])


def row(*options: str) -> dict[str, float]:
    """The run's scores."""
    (found,) = json.loads(call(*options, "--format", "json").stdout)["rows"]
    del found["run"]
    return {key: round(value, 4) for key, value in found.items()}


def test_measures_of_scores_need_no_threshold() -> None:
    assert row("-m", "LRAP", "-m", "AUC") == {"LRAP": 0.7917, "AUC": 0.8333}
    expected = {"Fmax": 0.9091, "AUC": 0.8333}
    assert row("--ontology", "edges.csv", "-m", "Fmax", "-m", "AUC") == expected


def test_a_threshold_lets_measures_of_labels_stand_beside_them() -> None:
    options = ("--ontology", "edges.csv", "-m", "F", "-m", "Fmax", "--threshold")
    assert row(*options, "0.5") == {"F": 0.4, "Fmax": 0.9091}
    assert row(*options, "thresholds.csv") == {"F": 0.6667, "Fmax": 0.9091}
    assert "threshold of measures of label sets: 0.5" in call(*options, "0.5").stdout


def test_files_hold_what_there_is() -> None:
    assert call("-m", "LRAP", "--out", "alone").exit_code == 0
    assert not Path("alone/per_concept.csv").exists()
    assert call("-m", "LRAP", "-m", "F", "--threshold", "0.5", "--out", "both").exit_code == 0
    samples = list(csv.DictReader(Path("both/per_sample.csv").read_text("utf-8").splitlines()))
    assert [one["sample"] for one in samples] == ["p1", "p2"]
    assert {"LRAP", "F"} < set(samples[0])
    assert "flowers" in Path("both/per_concept.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "LRAP", "-m", "F"), "F: compares label sets"),
        (("-m", "F"), "scores, not labels. Give a threshold"),
        (("-m", "LRAP", "--per-concept", "x.csv"), "--per-concept='x.csv': expected a --threshold beside it"),
        (("-m", "LRAP", "--close"), "--close=True: expected measures of labels alone"),
        (("-m", "Fmax"), "needs a hierarchy. Pass hierarchy=ontology.hierarchy"),
    ],
)
def test_what_cannot_be_had_of_scores_is_told(options: tuple[str, ...], message: str) -> None:
    result = call(*options)
    assert isinstance(result.exception, OntoevalError)
    assert message in str(result.exception)


def test_a_run_of_labels_has_no_scores() -> None:
    result = CliRunner().invoke(app, ["score", "truth.csv", "truth.csv", "-m", "LRAP"])
    assert isinstance(result.exception, oe.OntoevalError)
    assert "labels, not scores" in str(result.exception)
