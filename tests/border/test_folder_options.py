"""Options of a folder, in ontoeval.toml; audits without an ontology; and the steps of the action."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call, refusal

ROOT = Path(__file__).parents[2]

LABELS = "what,photo\nrose,p1\nDog house,p2\ndog_house,p3\ndog_house,p4\ntree,p4\n"
LINKS = "child,parent\nrose,plant\ntree,plant\ndog_house,thing\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "labels.csv").write_text(LABELS, encoding="utf-8")
    (tmp_path / "links.csv").write_text(LINKS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


AUDIT = (
    *("audit", "labels.csv", "--ontology", "links.csv", "--sample-column", "photo"),
    *("--concept-column", "what", "--sarif", "own.sarif"),
)

READING = '[reading]\nontology = "links.csv"\nsample-column = ["photo", "id"]\nconcept_column = "what"\n'


def rules_in(output: str) -> set[str]:
    return {one["rule"] for one in json.loads(output)["findings"]}


def test_every_command_takes_the_options_of_the_folder_and_the_command_line_wins(folder: Path) -> None:
    settings = '[audit]\nfail-on = "note"\n[rules]\nnever-used = "off"\nunlabelled = "error"\n'
    (folder / "ontoeval.toml").write_text(READING + settings, encoding="utf-8")
    ended = call("audit", "labels.csv", "--format", "json")
    said = "ontoeval.toml sets --ontology, --sample-column, --concept-column, --fail-on, --rules"
    assert ended.stderr.startswith(said)
    assert ended.exit_code == 1, "the folder's fail-on"
    assert "never-used" not in rules_in(ended.stdout)
    assert "unknown" in rules_in(ended.stdout), "'Dog house' is no concept"
    relaxed = call("audit", "labels.csv", "--fail-on", "warning", "--rules", "ontoeval.toml")
    assert "--fail-on warning" in relaxed.stderr
    scored = call("score", "labels.csv", "labels.csv", "-m", "F", "--unknown", "drop", "--format", "metrics")
    assert json.loads(scored.stdout) == {"F": 1}
    assert "ontoeval.toml sets --ontology, --sample-column, --concept-column\n" in scored.stderr
    assert "plant" in call("ontology", "--tree").stdout, "an argument has its default there too"


def test_paths_begin_at_the_file_and_none_is_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "ontoeval.toml").write_text(READING, encoding="utf-8")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    ended = call("audit", "../labels.csv", "--config=../ontoeval.toml", "--format", "json")
    assert "unknown" in rules_in(ended.stdout)
    monkeypatch.chdir(folder)
    alone = ("--sample-column", "photo", "--concept-column", "what", "--format", "json")
    ended = call("audit", "labels.csv", "--config", "none", *alone)
    assert "ontoeval.toml" not in ended.stderr
    assert rules_in(ended.stdout) >= {"spelling"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[audit]\nfailon = 'note'\n", "ontoeval.toml: unknown key 'failon' (near: 'fail_on')"),
        ("[audit]\nfail-on = 'bad'\n", "fail_on = 'bad'. Expected one of error, warning, note"),
        (
            "[audit]\nfix = 'labels.csv'\n",
            "'fix' is an output. Pass --fix to the command.",
        ),
        ("[audit]\nsarif = 'labels.csv'\n", "'sarif' is an output"),
        ("[readings]\n", "unknown table 'readings' (near: 'reading')"),
        ("reading = 3\n", "unknown table 'reading'"),
        ("[reading]\nheader = 'no'\n", "header = 'no'. Expected true or false"),
        ("[rules]\nspeling = 'off'\n", "there is no rule 'speling' (near: 'spelling')"),
        ("[reading\n", "this is no TOML"),
        (
            f"[audit]\n{'a.' * 200_000}b = 1\n",
            "ontoeval.toml, row 2: the key 'a.a.a.a.a.a.a.a.a.a.' has more than 100",
        ),
        (
            f"[reading]\nseparator = '{' ' * 2**20}'\n",
            "a configuration of 1,048,601 bytes: 1 MiB is the most",
        ),
    ],
)
def test_wrong_options_of_a_folder_are_refused_and_write_nothing(
    text: str,
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "ontoeval.toml").write_text(text, encoding="utf-8")
    assert message in refusal(["audit", "labels.csv", "--kind", "labels"], capsys, monkeypatch)
    assert (folder / "labels.csv").read_text(encoding="utf-8") == LABELS
    assert "{FILE}" in call("audit", "--help").stdout


def test_without_an_ontology_repeats_conflicts_and_spellings_are_found(folder: Path) -> None:
    rows = "id,labels\na,Dog;cat\nb,dog\nb,cat\nc,dog\nd,dog_\ne,\nc.jpg,dog\n"
    (folder / "l.csv").write_text(rows, encoding="utf-8")
    ended = call("audit", "l.csv", "--format", "json")
    expected = {"conflicting-sample", "similar-sample", "spelling", "unlabelled"}
    assert rules_in(ended.stdout) == expected
    shown = " ".join(call("audit", "l.csv").stdout.split())
    assert "without an ontology, so ancestors and rules of labels are not checked" in shown
    found = oe.audit_labels("l.csv")
    assert {*found.checks}.isdisjoint({"unknown", "never-used", "exclusion", "missing-ancestor"})
    assert not any(one.fixable for one in found), "what is frequent is not what is right"
    assert [one.concepts for one in found.of("spelling")] == [("dog", "Dog", "dog_")]
    listed = oe.audit_labels("l.csv", concepts=["dog", "cow"])
    assert {one.concepts[0] for one in listed.of("unknown")} == {"cat", "Dog", "dog_"}
    assert [one.concepts for one in listed.of("never-used")] == [("cow",)]


def test_what_needs_an_ontology_is_refused_without_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "l.csv").write_text("id,labels\na,dog\n", encoding="utf-8")
    fix = refusal(["audit", "l.csv", "--fix", "new.csv"], capsys, monkeypatch)
    assert "an --ontology beside it" in fix
    with pytest.raises(InputError, match="no sample has a label"):
        oe.audit_labels({"a": [], "b": []})


def test_a_run_of_a_benchmark_keeps_limits_too(folder: Path) -> None:
    (folder / "t.csv").write_text("id,labels\np1,sky\np2,sea\n", encoding="utf-8")
    (folder / "r.csv").write_text("id,labels\np1,sky\np2,sky\n", encoding="utf-8")
    text = 'truth = "t.csv"\nruns = ["r.csv"]\nmeasures = ["F"]\nresamples = 20\nout = "results"\n'
    (folder / "benchmark.toml").write_text(text, encoding="utf-8")
    ended = call("run", "--format", "metrics", "--fail-under", "F=0.6")
    assert (ended.exit_code, json.loads(ended.stdout)) == (1, {"F": 0.5})
    assert "r: F is 0.5, and the limit is 0.6" in ended.stderr
    assert (folder / "results" / "recipe.json").exists()


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="the action runs bash")
def test_the_steps_of_the_action_pass_options_as_words(folder: Path) -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    script = text[text.rindex("run: |") + len("run: |") :]
    program = folder / "bin" / "ontoeval"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ontoeval "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    given = {
        "LABELS": "labels.csv",
        "ONTOLOGY": "links.csv",
        "FAIL_ON": "error",
        "SARIF": "out.sarif",
        "OPTIONS": "--sample-column photo --concept-column what --title *",
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    for ontology, code in (("links.csv", 3), ("", 3)):  # a title needs a report
        wrong = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
            env={**given, "ONTOLOGY": ontology},
            capture_output=True,
            check=False,
        )
        assert wrong.returncode == code
        assert b"--title='*'" in wrong.stderr, "a pattern is no list of files"
    for ontology, rule in (("links.csv", "unknown"), ("", "spelling")):
        words = given["OPTIONS"].removesuffix(" --title *")
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
            env={**given, "ONTOLOGY": ontology, "OPTIONS": words},
            capture_output=True,
            check=False,
        )
        log = json.loads((folder / "out.sarif").read_text(encoding="utf-8"))
        assert rule in {one["ruleId"] for one in log["runs"][0]["results"]}
        (folder / "out.sarif").unlink()
    for settings, code in ((READING, 0), (READING + '[audit]\nfail-on = "warning"\n', 1)):
        (folder / "ontoeval.toml").write_text(settings, encoding="utf-8")
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
            env={**given, "ONTOLOGY": "", "OPTIONS": "", "FAIL_ON": ""},
            capture_output=True,
            check=False,
        )
        assert ended.returncode == code, "the file of the folder governs inputs that are not given"


def test_addresses_of_rules_come_from_the_distribution(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    call(*AUDIT)
    driver = json.loads((folder / "own.sarif").read_text(encoding="utf-8"))["runs"][0]["tool"]["driver"]
    assert ("informationUri" in driver) == ("Documentation" in project.get("urls", {}))
    named = "https://example.org/manual/"
    monkeypatch.setattr("ontoeval.audit.exchange._manual", lambda: named)
    call(*AUDIT)
    driver = json.loads((folder / "own.sarif").read_text(encoding="utf-8"))["runs"][0]["tool"]["driver"]
    assert driver["informationUri"] == named
    assert {one["helpUri"] for one in driver["rules"]} == {f"{named}audit.html"}
    assert all("**" in one["help"]["markdown"] for one in driver["rules"])


def test_a_file_of_options_that_is_missing_is_named_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    message = refusal(["audit", "labels.csv", "--config", "other.toml"], capsys, monkeypatch)
    assert message.count("other.toml") == 1
