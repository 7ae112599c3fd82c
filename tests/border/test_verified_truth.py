"""Truth of which only some labels were verified, on the command line and in benchmark files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ontoeval as oe
from tests.commands import call, refusal

TRUTH = "ImageID,LabelName,Confidence\np1,trees,1\np1,sky,0\np2,sky,1\np3,trees,0\np3,lake,1\n"
RUN = "id,labels\np1,trees;sky\np2,sky;lake\np3,sea\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a verified truth and a run, and go there."""
    (tmp_path / "truth.csv").write_text(TRUTH, encoding="utf-8")
    (tmp_path / "run.csv").write_text(RUN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(*arguments: str) -> dict[str, float]:
    """Score, and read the first row of the leaderboard."""
    result = call(*arguments, "-m", "P", "-m", "R", "-m", "hF", "--ontology", "photo", "--format", "json")
    assert result.exit_code == 0, result.output
    row = json.loads(result.stdout)["rows"][0]
    return {name: cell["value"] if isinstance(cell, dict) else cell for name, cell in row.items()}


@pytest.mark.parametrize("command", [("score",), ("compare", "--resamples", "5", "--by", "branch")])
def test_a_verified_truth_is_scored_as_in_python(folder: Path, command: tuple[str, ...]) -> None:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    truth = oe.read_verified_labels(folder / "truth.csv", ontology)
    run = oe.read_labels(folder / "run.csv", ontology)
    wanted = oe.evaluate(truth, run, hierarchy=ontology.hierarchy(), measures=["P", "R", "hF"]).scores
    found = scores(*command, "truth.csv", "run.csv", "--negative", "0")
    assert {name: found[name] for name in wanted} == wanted


def test_pages_folders_and_benchmark_files_take_a_verified_truth(folder: Path) -> None:
    result = call("score", "truth.csv", "run.csv", "--ontology", "photo", "--negative", "0", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "labels of samples are known" in (folder / "out" / "recipe.txt").read_text(encoding="utf-8")
    (folder / "truth.csv").write_text(TRUTH.replace(",0\n", ",-1\n"), encoding="utf-8")
    (folder / "benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = "run.csv"\nontology = "photo"\nresamples = 5\nreport = "page.html"\n'
        "negative = -1\nby = 'level'\nlong = 'long.csv'\n",
        encoding="utf-8",
    )
    assert oe.verify(oe.run_benchmark(folder).folder).holds
    (folder / "two.csv").write_text(RUN.replace("sea", "lake"), encoding="utf-8")
    study = (
        "study",
        "truth.csv",
        "run.csv",
        "two.csv",
        "--resamples",
        "5",
        "--negative=-1",
        "-m",
        "P",
        "-m",
        "R",
    )
    assert call(*study, "--ontology", "photo", "--report", "study.html").exit_code == 0


def test_what_a_verified_truth_cannot_be_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*options: str, code: int = 3) -> str:
        return refusal(["score", "truth.csv", "run.csv", *options], capsys, monkeypatch, code=code)

    assert "truth.csv: sample 'p1' has the value 0 for 'sky'" not in said("--negative", "1", code=2)
    assert "--close:" in said("--negative", "0", "--ontology", "photo", "--close")
    assert "--negative" in said("--negative", "0", "-m", "AP")
    (folder / "truth.csv").write_text(TRUTH + "p1,sky,1\n", encoding="utf-8")
    assert "truth.csv: " in said("--negative", "0")
    (folder / "truth.csv").write_text(TRUTH + "p2,trees,3\n", encoding="utf-8")
    assert "truth.csv: sample 'p2' has the value 3 for 'trees'" in said("--negative", "0")
    withheld = said("--negative", "0", "--ontology", "photo", "--public")
    assert "trees" not in withheld
