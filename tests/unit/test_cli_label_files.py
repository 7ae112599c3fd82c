"""Label files of every kind, and closing them, from the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from ontoeval.cli import app
from ontoeval.labels.formats import FORMATS

TRUTH = "id,labels\np1,seaplane\np2,aircraft;seaplane;watercraft\np3,car;land_vehicle\n"


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False, env={"COLUMNS": "200"})


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def inputs(*arguments: str) -> list[str]:
    found: list[str] = json.loads(call(*arguments, "--format", "json").stdout)["inputs"]
    return found


def test_sets_that_are_not_closed_upwards_are_counted(tmp_path: Path) -> None:
    truth, run = written(tmp_path / "truth.csv", TRUTH), written(tmp_path / "run.csv", TRUTH)
    remarks = inputs("score", truth, run, "--ontology", "diamond")
    what = "Sets that are not closed upwards (--close adds the ancestors)"
    assert f"{what}: 1 of 3 in {truth}, 1 of 3 in {run}" in remarks
    assert not any("closed upwards" in line for line in inputs("score", truth, run))


def test_sets_are_closed_upwards_where_that_is_asked_for(tmp_path: Path) -> None:
    truth = written(tmp_path / "truth.csv", TRUTH)
    run = written(tmp_path / "run.csv", TRUTH.replace("p1,seaplane", "p1,seaplane;aircraft;watercraft"))
    options = ("--ontology", "diamond", "-m", "ExactMatch", "--format", "json")
    open_sets = json.loads(call("score", truth, run, *options).stdout)
    closed = json.loads(call("score", truth, run, *options, "--close").stdout)
    assert open_sets["rows"][0]["ExactMatch"] == pytest.approx(2 / 3)
    assert closed["rows"][0]["ExactMatch"] == 1
    assert f"{truth}: closed 1 of 3 sets upwards, which added 2 labels" in closed["inputs"]
    assert not any("not closed" in line for line in closed["inputs"])


def test_closing_needs_an_ontology(tmp_path: Path) -> None:
    truth = written(tmp_path / "truth.csv", TRUTH)
    with pytest.raises(ValueError, match="close=True: expected an ontology beside this option"):
        call("score", truth, truth, "--close")


def test_every_format_can_be_asked_for() -> None:
    shown = call("score", "--help").stdout
    assert all(name in shown for name in FORMATS)


def test_arrays_and_packed_files_are_scored_with_their_concepts(tmp_path: Path) -> None:
    np.save(tmp_path / "truth.npy", np.array([[1, 0], [1, 1]]))
    np.save(tmp_path / "run.npy", np.array([[0.9, 0.2], [0.1, 0.8]]))
    concepts = written(tmp_path / "concepts.txt", "sky\nsea\n")
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(b"id,sky,sea\n0,1,0\n1,0,1\n"))
    runs = (str(tmp_path / "run.npy"), str(tmp_path / "packed.csv.gz"))
    arguments = ("--concepts", concepts, "--threshold", "0.5", "-m", "F", "--format", "json")
    found = json.loads(call("score", str(tmp_path / "truth.npy"), *runs, *arguments).stdout)
    assert {row["run"] for row in found["rows"]} == {"run", "packed"}
    assert [row["F"] for row in found["rows"]] == pytest.approx([0.8, 0.8])
