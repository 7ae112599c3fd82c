"""The example of a scoring program runs in the folders of Codabench, and as EvalAI calls it."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ontoeval as oe

EXAMPLE = Path(__file__).parents[2] / "examples" / "scoring_program"
BENCHMARK = oe.ontologies.benchmark()

Run = Callable[[], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """The folders as Codabench lays them out."""
    shutil.copytree(EXAMPLE, tmp_path / "program")
    for folder in ("input/ref", "input/res", "output"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("truth.csv", "agreement.csv"):
        shutil.copy(BENCHMARK / name, tmp_path / "input" / "ref")
    shutil.copy(BENCHMARK / "runs" / "careful.csv", tmp_path / "input" / "res" / "run.csv")
    return tmp_path


@pytest.fixture
def run(app: Path) -> Run:
    """Run the command of metadata.yaml."""

    def call() -> subprocess.CompletedProcess[str]:
        metadata = (app / "program" / "metadata.yaml").read_text(encoding="utf-8")
        command = metadata.removeprefix("command: ").replace("/app", str(app)).split()
        assert command[0] == "python3"
        return subprocess.run(
            [sys.executable, "-W", "error", *command[1:]], capture_output=True, encoding="utf-8", check=False
        )

    return call


def expected() -> dict[str, float]:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    result = oe.evaluate(
        oe.read_labels(BENCHMARK / "truth.csv", ontology),
        oe.read_labels(BENCHMARK / "runs" / "careful.csv", ontology),
        hierarchy=ontology.hierarchy(),
        agreement=oe.read_agreement(BENCHMARK / "agreement.csv", ontology),
        measures=["OS", "F", "F(average='macro', undefined=0.0)", "ExactMatch"],
    )
    return dict(zip(("os", "f", "f_macro", "exact"), result.scores.values(), strict=True))


def test_the_scores_of_codabench_are_those_of_the_package(app: Path, run: Run) -> None:
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    scores = json.loads((app / "output" / "scores.json").read_text(encoding="utf-8"))
    assert scores == expected()
    text = (app / "output" / "scores.txt").read_text(encoding="utf-8")
    assert {key: float(value) for key, value in re.findall(r"(?m)^(\w+): (.*)$", text)} == scores


def test_a_submission_worse_than_the_baselines_has_its_own_scores(app: Path, run: Run) -> None:
    truth = oe.read_labels(BENCHMARK / "truth.csv")
    rarest = truth.vocabulary[int(truth.matrix.sum(axis=0).argmin())]
    rows = "".join(f"{sample},{rarest}\n" for sample in truth.samples)
    (app / "input" / "res" / "run.csv").write_text(f"id,labels\n{rows}", encoding="utf-8")
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((app / "output" / "scores.json").read_text(encoding="utf-8"))["f"] < 0.05


def test_a_submission_that_was_zipped_with_its_folder_is_found(app: Path, run: Run) -> None:
    (app / "input" / "res" / "mine").mkdir()
    (app / "input" / "res" / "run.csv").rename(app / "input" / "res" / "mine" / "run.csv")
    assert run().returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_the_truth_is_no_submission(app: Path, run: Run) -> None:
    (app / "input" / "res" / "run.csv").unlink()
    (app / "input" / "res" / "run.csv").symlink_to(app / "input" / "ref" / "truth.csv")
    done = run()
    assert done.returncode == 1
    assert "There must be one file called run.csv" in done.stderr


def test_without_folders_it_says_how_it_is_called() -> None:
    command = [sys.executable, str(EXAMPLE / "score.py")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (1, "Usage: python score.py INPUT OUTPUT\n")


def test_a_refused_submission_is_told_why_and_nothing_of_the_truth(app: Path, run: Run) -> None:
    (app / "input" / "ref" / "agreement.csv").unlink()
    (app / "input" / "ref" / "truth.csv").write_text("id,labels\nsecret,trees\np2,snow\n", encoding="utf-8")
    submission = app / "input" / "res" / "run.csv"
    for text, message in (
        ("id,labels\np2,skyy\n", "'skyy' in row 2 (near: 'sky')"),
        ("id,labels\np2,sky\nmine,sky\n", "1 missing sample; 1 unknown sample ('mine')"),
    ):
        submission.write_text(text, encoding="utf-8")
        done = run()
        assert done.returncode == 1
        assert message in done.stderr
        assert not re.search("secret|snow|Traceback", done.stderr + done.stdout)
    assert not list((app / "output").iterdir())


def test_a_refused_submission_leaves_no_scores_of_an_earlier_one(app: Path, run: Run) -> None:
    assert run().returncode == 0
    (app / "input" / "res" / "run.csv").write_text("id,labels\n", encoding="utf-8")
    assert run().returncode == 1
    assert not list((app / "output").iterdir())


def test_a_truth_that_cannot_be_read_is_not_told(app: Path, run: Run) -> None:
    (app / "input" / "ref" / "truth.csv").write_text("id,labels\np1,rainboww\n", encoding="utf-8")
    done = run()
    assert done.returncode == 1
    assert "the truth cannot be read as it is" in done.stderr
    assert "rainbow" not in done.stderr


def test_a_submission_must_hold_one_run(app: Path, run: Run) -> None:
    (app / "input" / "res" / "run.csv").unlink()
    done = run()
    assert (done.returncode, "one file called run.csv" in done.stderr) == (1, True)


def test_an_ontology_may_lie_among_the_reference_data(app: Path, run: Run) -> None:
    shutil.copy(oe.ontologies.path("photo"), app / "input" / "ref" / "mine.ttl")
    program = app / "program" / "score.py"
    text = program.read_text(encoding="utf-8").replace('ONTOLOGY = "photo"', 'ONTOLOGY = "mine.ttl"')
    program.write_text(text, encoding="utf-8")
    assert run().returncode == 0


def test_no_module_is_imported_from_the_current_folder(
    app: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ontoeval", "json"):
        (app / "input" / "res" / f"{name}.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.chdir(app / "input" / "res")
    done = run()
    assert (done.returncode, done.stderr) == (0, "")


def test_scores_that_cannot_be_read_are_no_traceback(app: Path, run: Run) -> None:
    program = app / "program" / "score.py"
    text = program.read_text(encoding="utf-8")
    program.write_text(text.replace("] = []", '] = ["--format", "csv"]'), encoding="utf-8")
    done = run()
    assert (done.returncode, done.stderr) == (1, "The scoring program failed.\n")


def test_evalai_is_given_the_same_scores() -> None:
    program = runpy.run_path(str(EXAMPLE / "score.py"))
    files = [str(BENCHMARK / "truth.csv"), str(BENCHMARK / "runs" / "careful.csv")]
    found = program["evaluate"](*files, "test", submission_metadata={})
    assert found == {"result": [{"test": expected()}], "submission_result": expected()}


def test_the_readme_names_the_columns_that_there_are() -> None:
    program = runpy.run_path(str(EXAMPLE / "score.py"))
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"key: (\w+), index", readme)) <= set(program["MEASURES"])
