"""The example makes a bundle for Codabench, whose scoring program is run as the platform's workers do."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import ontoeval as oe

EXAMPLE = Path(__file__).parents[2] / "examples" / "codabench.py"
BENCHMARK = oe.ontologies.benchmark()


def make(folder: Path, *options: str) -> zipfile.ZipFile:
    """Run the example, and open what it writes."""
    command = [sys.executable, "-W", "error", str(EXAMPLE), "--out", str(folder / "bundle.zip"), *options]
    subprocess.run(command, check=True)
    return zipfile.ZipFile(folder / "bundle.zip")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Make the bundle of the shipped benchmark."""
    return make(tmp_path_factory.mktemp("bundle"))


def test_the_competition_has_what_is_required_and_names_files_of_the_bundle(bundle: zipfile.ZipFile) -> None:
    wanted = json.loads(bundle.read("competition.yaml"))
    assert wanted["version"] == 2
    assert wanted["title"]
    (task,), (phase,), (board,) = wanted["tasks"], wanted["phases"], wanted["leaderboards"]
    named = [wanted["image"], wanted["terms"], *(page["file"] for page in wanted["pages"])]
    for name in (*named, task["scoring_program"], task["reference_data"]):
        assert bundle.read(name)
    assert phase["tasks"] == [task["index"]]
    assert wanted["enable_detailed_results"] is True
    assert [column["index"] for column in board["columns"]] == [0, 1, 2, 3]
    assert (board["columns"][0]["key"], board["columns"][0]["sorting"]) == ("os", "desc")


def test_the_scoring_program_writes_scores_of_all_columns_and_our_page(
    bundle: zipfile.ZipFile, tmp_path: Path
) -> None:
    for name, folder in (("scoring_program.zip", "program"), ("reference_data.zip", "input/ref")):
        zipfile.ZipFile(io.BytesIO(bundle.read(name))).extractall(tmp_path / folder)
    (tmp_path / "output").mkdir()
    (tmp_path / "input" / "res").mkdir()
    run = (BENCHMARK / "runs" / "careful.csv").read_bytes()
    (tmp_path / "input" / "res" / "run.csv").write_bytes(run)
    metadata = (tmp_path / "program" / "metadata.yaml").read_text(encoding="utf-8")
    command = metadata.removeprefix("command: ").replace("/app", str(tmp_path)).split()
    done = subprocess.run(
        [sys.executable, *command[1:]],
        cwd=tmp_path / "program",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    scores = json.loads((tmp_path / "output" / "scores.json").read_text(encoding="utf-8"))
    (board,) = json.loads(bundle.read("competition.yaml"))["leaderboards"]
    assert set(scores) == {column["key"] for column in board["columns"]}
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "<title>Results of a submission</title>" in page
    assert "Leaderboard" in page
    assert "photo-0001" not in page
    assert "Worst samples" not in page


def test_a_challenge_of_ones_own_is_packed_the_same_each_time(tmp_path: Path) -> None:
    truth, ontology = tmp_path / "labels.jsonl", tmp_path / "mine.ttl"
    truth.write_text('{"id": "p1", "labels": ["sky"]}\n', encoding="utf-8")
    ontology.write_bytes(Path(oe.ontologies.path("photo")).read_bytes())
    options = ("--truth", str(truth), "--beside", str(ontology))
    made = make(tmp_path, *options)
    reference = zipfile.ZipFile(io.BytesIO(made.read("reference_data.zip")))
    assert sorted(reference.namelist()) == ["mine.ttl", "truth.jsonl"]
    first = (tmp_path / "bundle.zip").read_bytes()
    make(tmp_path, *options)
    assert (tmp_path / "bundle.zip").read_bytes() == first
