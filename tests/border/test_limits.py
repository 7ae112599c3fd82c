"""What continuous integration reads: limits of scores, flat JSON, and all samples of findings."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import ontoeval as oe
from tests.commands import call, refusal

TRUTH = "id,labels\np1,sky\np2,sea\np3,sky;sea\np4,tree\n"
RUN = "id,labels\np1,sky\np2,sky\np3,sky;sea\np4,\n"


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    (tmp_path / "truth.csv").write_text(TRUTH, encoding="utf-8")
    (tmp_path / "run.csv").write_text(RUN, encoding="utf-8")
    return [tmp_path / "truth.csv", tmp_path / "run.csv"]


@pytest.mark.parametrize(
    ("limit", "fails"),
    [
        ("F=0.66", False),
        ("F=0.6666666666666666", False),
        ("F=0.67", True),
        ("Hamming=0.3", False),
        ("Hamming=0.1", True),
        ("F(average='macro')=0.4", False),
        ("F(beta=1.0)=0.9", True),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_limit_follows_the_better_direction_of_its_measure(
    command: str, limit: str, files: list[object], *, fails: bool
) -> None:
    measures = ["-m", "F", "-m", "Hamming", "-m", "F(average='macro')"]
    more = ["--resamples", "20"] if command == "compare" else []
    ended = call(command, *files, *measures, *more, "--fail-under", limit, "--format", "metrics")
    assert ended.exit_code == int(fails)
    assert list(json.loads(ended.stdout)) == ["F", "Hamming", "F(average='macro')"]
    assert (f"and the limit is {float(limit.rpartition('=')[2]):g}" in ended.stderr) == fails


def test_an_undefined_score_fails(files: list[object], tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("id,labels\np1,\np2,\np3,\np4,\n", encoding="utf-8")
    ended = call("score", *files, "-m", "P", "--fail-under", "P=0", "--format", "metrics")
    assert (ended.exit_code, json.loads(ended.stdout)) == (1, {"P": None})


def test_several_runs_have_keys_of_their_own(files: list[object], tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text(TRUTH, encoding="utf-8")
    printed = call("score", *files, tmp_path / "other.csv", "-m", "F", "--format", "metrics").stdout
    assert list(json.loads(printed)) == ["run/F", "other/F"]


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("F", "a measure and a number, such as F=0.8"),
        ("F>=0.5", "a measure and a number, with one sign: write F=0.5"),
        ("Q=0.5", "Unknown measure 'Q'"),
        ("f1_macro=0.5", "'f1_macro' of --fail-under was not computed: add -m f1_macro"),
    ],
)
def test_wrong_limits_are_refused(
    limit: str,
    message: str,
    files: list[object],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path(str(files[1])).write_text("no labels", encoding="utf-8")  # limits are checked before files are read
    assert message in refusal(["score", *files, "-m", "F", "--fail-under", limit], capsys, monkeypatch)


def test_json_and_csv_name_all_samples_of_a_finding(tmp_path: Path) -> None:
    sets = {f"p{number}": ["treee"] for number in range(20)}
    oe.write_labels(sets, tmp_path / "labels.csv")
    audit = ["audit", tmp_path / "labels.csv", "--ontology", "photo"]
    (found,) = [
        one
        for one in json.loads(call(*audit, "--format", "json").stdout)["findings"]
        if one["rule"] == "unknown"
    ]
    assert sorted(found["samples"]) == sorted(sets)
    rows = csv.DictReader(io.StringIO(call(*audit, "--format", "csv").stdout))
    (row,) = [row for row in rows if row["rule"] == "unknown"]
    assert sorted(row["samples"].split(", ")) == sorted(sets)


def test_sarif_has_what_code_scanning_asks_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    oe.write_labels({"p1": ["treee"], "p2": ["sky"]}, tmp_path / "in" / "labels file.csv")
    monkeypatch.chdir(tmp_path)
    call("audit", tmp_path / "in" / "labels file.csv", "--ontology", "photo", "--sarif", "in.sarif")
    (log,) = json.loads(Path("in.sarif").read_text(encoding="utf-8"))["runs"]
    for rule in log["tool"]["driver"]["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
    first = log["results"][0]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "in/labels%20file.csv"
    assert first["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")
    monkeypatch.chdir(tmp_path / "in")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    call("audit", "../in/labels file.csv", "--ontology", "photo", "--sarif", "out.sarif")
    (log,) = json.loads(Path("out.sarif").read_text(encoding="utf-8"))["runs"]
    assert log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith(
        "file:///"
    )
