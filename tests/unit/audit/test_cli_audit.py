"""``ontoeval audit``, as its users call it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ontoeval.cli import app
from tests import commands
from tests.unit.audit.test_labels import OBO

LABELS = "id,labels\np1,X:1;X:2\np2,X:2;X:3;X:1\np3,X:4;X:1\np4,X:6;X:1\n" + "".join(
    f"q{number},X:1;X:3\n" for number in range(8)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("x.obo").write_text(OBO, encoding="utf-8")
    Path("labels.csv").write_text(LABELS, encoding="utf-8")
    return tmp_path


def call(*arguments: str) -> Result:
    full = ["audit", "labels.csv", "--ontology", "x.obo", *arguments]
    return CliRunner().invoke(app, full, catch_exceptions=False)


def refusal(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    code: int = 3,
) -> str:
    full = ["audit", "labels.csv", "--ontology", "x.obo", *arguments]
    return commands.refusal(full, capsys, monkeypatch, code=code)


def test_findings_are_shown_with_counts_by_rule_branch_and_sample() -> None:
    shown = call().stdout
    for text in ("Audit of labels.csv", "exclusion", "By rule", "By branch", "Worst samples"):
        assert text in shown
    assert "closed upwards (12 of 13 implied ancestors are there)" in shown


def test_a_convention_that_was_asked_for_is_said_to_be_so() -> None:
    Path("labels.csv").write_text("id,labels\np1,X:1\n", encoding="utf-8")
    shown = " ".join(call("--convention", "most-specific").stdout.split())
    assert "most specific (asked for; no label of any sample has an ancestor that the file uses)" in shown


def test_most_limits_the_table_and_says_so() -> None:
    Path("labels.csv").write_text("id,labels\np1,what;who\n", encoding="utf-8")
    assert "1 finding not shown. Show more of each kind with --most NUMBER" in call("--most", "1").stdout


def test_nothing_to_say_is_said() -> None:
    Path("labels.csv").write_text("id,labels\n" + "p1,X:1;X:2\n", encoding="utf-8")
    Path("rules.toml").write_text("[rules]\nnever-used = 'off'\nused-once = 'off'\n", encoding="utf-8")
    shown = call("--rules", "rules.toml").stdout
    assert "0 findings: 0 errors, 0 warnings, 0 notes." in shown
    assert "By rule" not in shown


def test_json_is_an_object_with_findings_and_summary() -> None:
    content = json.loads(call("--format", "json").stdout)
    assert list(content) == ["findings", "summary"]
    assert content["summary"]["labels"] == "labels.csv"
    assert {finding["rule"] for finding in content["findings"]} >= {
        "exclusion",
        "replaced",
        "missing-ancestor",
    }


def test_csv_has_one_row_for_each_finding() -> None:
    content = json.loads(call("--format", "json").stdout)
    done = call("--format", "csv")
    assert len(done.stdout.splitlines()) == 1 + len(content["findings"])


def test_a_corrected_copy_passes_but_for_what_needs_a_human() -> None:
    told = "fixed.csv: corrected copy, all else as it was, 2 changes: fixed.csv.log.csv"
    assert told in call("--fix", "fixed.csv").stdout
    assert Path("fixed.csv.log.csv").read_text(encoding="utf-8").count("\n") == 3
    assert Path("labels.csv").read_text(encoding="utf-8") == LABELS
    done = CliRunner().invoke(
        app, ["audit", "fixed.csv", "--ontology", "x.obo", "--format", "json", "--fix", "again.csv"]
    )
    bad = [f["rule"] for f in json.loads(done.stdout)["findings"] if f["severity"] != "note"]
    assert bad == ["exclusion"]
    assert Path("again.csv").read_bytes() == Path("fixed.csv").read_bytes()


def test_what_a_correction_would_mend_and_has_mended_is_marked_and_counted() -> None:
    before, after = call().stdout, call("--fix", "fixed.csv").stdout
    told = "2 findings in 2 samples; left for a human: 1 error, 1 note."
    assert f"--fix would correct {told}" in " ".join(before.split())
    assert f"Corrected: {told}" in " ".join(after.split())
    for shown, mark in ((before, "--fix"), (after, "corrected")):
        marked = {line.split()[1]: line.endswith(mark) for line in shown.splitlines() if " of " in line}
        assert marked["exclusion"] is False
        assert (marked["missing-ancestor"], marked["replaced"]) == (True, True)
    content = json.loads(call("--fix", "fixed.csv", "--format", "json").stdout)
    assert content["summary"]["corrected_samples"] == 2


def test_what_is_not_corrected_is_not_promised_to_be() -> None:
    Path("labels.csv").write_text(
        "sample,label,score\np1,X:4,0.9\np2,X:2,0.9\np2,X:1,0.7\n", encoding="utf-8"
    )
    assert "--fix" not in call("--threshold", "0.5").stdout
    content = json.loads(call("--threshold", "0.5", "--format", "json").stdout)
    assert not any(finding["fixable"] for finding in content["findings"])


def test_what_rules_and_baselines_switch_off_is_not_corrected() -> None:
    Path("rules.toml").write_text("[rules]\nreplaced = 'off'\n", encoding="utf-8")
    call("--fix", "fixed.csv", "--rules", "rules.toml")
    assert "X:4" in Path("fixed.csv").read_text(encoding="utf-8")
    call("--write-baseline", "accepted.json")
    assert "0 changes" in call("--fix", "fixed.csv", "--baseline", "accepted.json").stdout


def test_what_a_copy_replaces_and_leaves_out_is_said() -> None:
    text = "id,start_seconds,labels\np1,30,X:1;X:2\n"
    Path("labels.csv").write_text(text, encoding="utf-8")
    assert "not in it" not in call("--fix", "fixed.csv").stdout
    assert Path("fixed.csv").read_text(encoding="utf-8") == text
    Path("labels.csv").write_text('{"id": "p1", "seconds": 30, "labels": ["X:1", "X:2"]}\n', encoding="utf-8")
    again = " ".join(call("--fix", "fixed.csv").stdout.split())
    assert "written anew as wide CSV, 0 changes: fixed.csv.log.csv" in again
    assert "columns that are not in it: 'seconds'" in again
    assert "it takes the place of the file that was there" in again


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        (".", LABELS, "--fix='.': expected the name of a file: this is a folder"),
        ("folder", LABELS, "this is a folder"),
        ("out.parquet", LABELS, "expected a name for a table of text, such as out.csv or out.csv.gz"),
        ("out.json.gz", LABELS, "such as out.csv or out.csv.gz"),
        ("out.tsv", LABELS, "such as out.csv or out.csv.gz"),
        ("out.csv", "sample,label,score\np1,X:1,0.9\np1,X:2,0.2\n", "scores are not corrected"),
    ],
)
def test_what_cannot_be_written_is_refused_and_nothing_is_written(
    name: str, text: str, problem: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("folder").mkdir()
    Path("labels.csv").write_text(text, encoding="utf-8")
    before = sorted(Path().iterdir())
    scores = ["--threshold", "0.5"] * ("score" in text)
    assert problem in refusal(["--fix", name, *scores], capsys, monkeypatch)
    assert sorted(Path().iterdir()) == before


def test_columns_that_are_merged_in_a_copy_are_said_to_be_gone() -> None:
    Path("labels.csv").write_text("id,dog,Dog\np1,1,0\np2,1,0\np3,0,1\n", encoding="utf-8")
    told = " ".join(call("--fix", "out.csv").stdout.split())
    assert "all else as it was, 1 change: out.csv.log.csv; columns that are not in it: 'Dog'" in told


def test_tabs_stay_tabs_and_a_copy_can_be_packed() -> None:
    text = LABELS.replace(",", "\t")
    Path("labels.csv").write_text(text, encoding="utf-8")
    call("--fix", "fixed.tsv")
    call("--fix", "fixed.tsv.gz")
    fixed = Path("fixed.tsv").read_text(encoding="utf-8")
    assert fixed.splitlines()[:2] == text.splitlines()[:2]
    assert gzip.decompress(Path("fixed.tsv.gz").read_bytes()).decode() == fixed


@pytest.mark.parametrize("option", ["--log", "--sarif", "--write-baseline", "--baseline"])
def test_where_one_file_cannot_be_written_or_read_none_is_written(
    option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.obo.d").mkdir()
    refusal(["--fix", "fixed.csv", option, "x.obo.d"], capsys, monkeypatch)
    assert sorted(path.name for path in Path().iterdir()) == ["labels.csv", "x.obo", "x.obo.d"]


def test_help_does_not_offer_what_is_refused() -> None:
    shown = CliRunner().invoke(app, ["audit", "--help"], env={"COLUMNS": "200"}).stdout
    assert "--close" not in shown
    assert "--unknown" not in shown
    assert "runs become" not in shown


@pytest.mark.parametrize("arguments", [["--close"], ["--unknown", "drop"], ["--repeats", "max"]])
def test_what_would_hide_findings_is_refused_by_the_name_of_its_option(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    value = repr(arguments[1]) if arguments[1:] else "True"
    expected = f"Error: {arguments[0]}={value}: expected nothing: an audit takes the labels as they are."
    assert refusal(arguments, capsys, monkeypatch) == expected


def test_the_log_can_lie_elsewhere() -> None:
    call("--fix", "fixed.csv", "--log", "changes.csv")
    assert sorted(path.name for path in Path().iterdir()) == [
        "changes.csv",
        "fixed.csv",
        "labels.csv",
        "x.obo",
    ]


def test_findings_fail_where_that_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call().exit_code == 0
    message = refusal(["--fail-on", "error", "--sarif", "a.sarif"], capsys, monkeypatch, code=1)
    assert "labels.csv: the audit has 4 findings: 2 errors, 1 warning, 1 note (--fail-on error)." in message
    assert Path("a.sarif").exists(), "what a program reads is written all the same"


def test_what_a_baseline_accepts_does_not_fail(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call("--write-baseline", "accepted.json")
    done = call("--baseline", "accepted.json", "--fail-on", "note")
    assert done.exit_code == 0
    assert "accepted.json: accepts 4 findings, not told again" in done.stdout
    with Path("labels.csv").open("a", encoding="utf-8") as file:
        file.write("p9,nothing\n")
    message = refusal(["--baseline", "accepted.json", "--fail-on", "note"], capsys, monkeypatch, code=1)
    assert "has 1 finding: 1 error" in message


def test_verified_labels_are_audited_by_the_number_that_says_absent() -> None:
    Path("labels.csv").write_text("sample,concept,score\np1,X:2,1\np1,X:1,-1\n", encoding="utf-8")
    content = json.loads(call("--negative", "-1", "--format", "json").stdout)
    assert content["findings"][0]["rule"] == "negative-ancestor"


def test_shapes_add_findings() -> None:
    pytest.importorskip("pyshacl")
    from tests.unit.audit.test_files import SHAPES

    Path("shapes.ttl").write_text(SHAPES, encoding="utf-8")
    content = json.loads(call("--shapes", "shapes.ttl", "--format", "json").stdout)
    (finding,) = (f for f in content["findings"] if f["rule"] == "shape" and f["severity"] == "warning")
    assert finding["count"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fix", "labels.csv"], "--fix='labels.csv': expected another name: a file that is read"),
        (["--fix", "x.obo"], "--fix='x.obo': expected another name: a file that is read"),
        (
            ["--fix", "a.csv", "--sarif", "./a.csv"],
            "--sarif='a.csv': expected another name: what --fix names",
        ),
        (["--log", "log.csv"], "--log='log.csv': expected a --fix beside it"),
    ],
)
def test_files_that_would_be_overwritten_are_refused(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert message in refusal(arguments, capsys, monkeypatch)


def test_names_of_a_file_cannot_steer_the_terminal() -> None:
    Path("labels.csv").write_text("id,labels\n\x1b[31mp1,X:1;[bold]\x1b]0;x\x07\n", encoding="utf-8")
    shown = call().stdout
    assert "\x1b" not in shown
    assert "[bold]" in shown
