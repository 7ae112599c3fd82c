"""The command that compares annotators, as its users call it."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import ontoeval as oe
from ontoeval.cli import app, terminal
from tests import commands

SHIPPED = Path(__file__).parents[2] / "examples" / "annotations" / "annotations.csv"
SAID = "sample,annotator,concept\n" + "".join(
    f"p{n},{who},{label}\n"
    for n, rows in enumerate((("sky", "sky", "sea"), ("sea", "sea", "sea"), ("", "sky", "sky")))
    for who, label in zip(("Ann", "Bob", "Eve"), rows, strict=True)
)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["agreement", *map(str, arguments)], catch_exceptions=False)


def refusal(
    arguments: list[object], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    return commands.refusal(["agreement", *arguments], capsys, monkeypatch)


@pytest.fixture
def said(tmp_path: Path) -> Path:
    path = tmp_path / "said.csv"
    path.write_text(SAID, encoding="utf-8")
    return path


def test_the_weights_are_those_that_score_reads(tmp_path: Path) -> None:
    weights, truth = tmp_path / "agreement.csv", tmp_path / "truth.csv"
    arguments = (SHIPPED, "--ontology", "photo", "--resamples", 20)
    shown = call(*arguments, "-o", weights, "--truth", truth, "--consensus", "consistent").stdout
    assert "Agreement of 10 annotators on 100 samples, 53 concepts" in shown
    assert f"{weights}: majority of 53 concepts" in shown
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    found = oe.agreement(oe.read_annotations(SHIPPED, ontology=ontology), resamples=20)
    assert dict(oe.read_agreement(weights, ontology)) == found.weights()
    assert not oe.read_labels(truth, ontology).unclosed(ontology.hierarchy()).any()
    options = ["--ontology", "photo", "--agreement", str(weights), "-m", "OS", "--format", "json"]
    scored = CliRunner().invoke(app, ["score", str(truth), str(truth), *options], catch_exceptions=False)
    assert json.loads(scored.stdout)["rows"][0]["OS"] == 1


def test_ancestors_are_lacking_and_said_to_be_until_they_are_added(tmp_path: Path) -> None:
    truth = tmp_path / "truth.csv"
    arguments = (SHIPPED, "--ontology", "photo", "--resamples", 5, "--format", "json")
    plain, closed = (
        json.loads(call(*arguments, *more).stdout) for more in (("--truth", truth), ("--close",))
    )
    rows = [{row["concept"]: row for row in found["rows"]} for found in (plain, closed)]
    assert rows[1]["trees"] == rows[0]["trees"]
    assert rows[1]["plants"]["majority"] > rows[0]["plants"]["majority"]
    lacking = [
        any("ancestors of labels are missing" in note for note in found["notes"]) for found in (plain, closed)
    ]
    assert lacking == [True, False]
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    majority = oe.read_labels(truth, ontology)
    assert len(majority) == 100
    assert majority.unclosed(ontology.hierarchy()).any()


def test_json_holds_all_tables(said: Path) -> None:
    found = json.loads(call(said, "--resamples", 20, "--format", "json").stdout)
    assert [row["concept"] for row in found["rows"]] == ["sea", "sky"]
    assert len(found["tables"]) == 6
    (pairs,) = (table for table in found["tables"] if table["title"] == "Pairs of annotators")
    assert {"first", "second", "Cohen κ", "set κ", "low", "high"} <= set(pairs["rows"][0])
    assert "one label in each row" in found["inputs"][0]


def test_csv_holds_the_concepts_alone_and_the_rest_is_said_beside(said: Path) -> None:
    done = call(said, "--resamples", 20, "--format", "csv", "-c", "pairwise")
    header, *rows = csv.reader(done.stdout.splitlines())
    assert header[:4] == ["concept", "pairwise", "pairwise low", "pairwise high"]
    assert [row[0] for row in rows] == ["sea", "sky"]
    assert "bootstrap resamples" in done.stderr


def test_latex_and_markdown_hold_every_table(said: Path) -> None:
    assert call(said, "--resamples", 5, "--format", "latex").stdout.count(r"\begin{table}") in {0, 7}
    assert "Dawid" not in call(said, "--resamples", 5, "--format", "markdown").stdout


def test_all_coefficients_and_all_pairs_can_be_written(said: Path, tmp_path: Path) -> None:
    concepts, pairs = tmp_path / "concepts.csv", tmp_path / "new" / "pairs.csv"
    call(said, "--resamples", 20, "--per-concept", concepts, "--pairs", pairs)
    with concepts.open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert len(header) == len(set(header)) == 1 + 3 * 8 + 6
    assert len(pairs.read_text(encoding="utf-8").splitlines()) == 4


def test_concepts_that_are_undefined_are_left_out_of_the_weights_and_counted(
    said: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "concepts.txt"
    listed.write_text("sea\nsky\nsun\n", encoding="utf-8")
    out = tmp_path / "agreement.csv"
    arguments = (said, "--resamples", 5, "--concepts", listed, "-c", "alpha", "-o", out)
    shown = call(*arguments).stdout
    assert "1 of 3 concepts: no weight" in shown
    assert "below chance" not in shown
    assert "sun" not in out.read_text(encoding="utf-8")
    call(*arguments, "--undefined", "0.5")
    assert out.read_text(encoding="utf-8").endswith("sun,0.5\n")


def test_agreement_below_chance_weighs_nothing_and_is_said(tmp_path: Path) -> None:
    path, out = tmp_path / "said.csv", tmp_path / "agreement.csv"
    path.write_text("sample,Ann,Bob\np1,a,b\np2,b,a\n", encoding="utf-8")
    shown = call(path, "--resamples", 5, "-c", "cohen", "-o", out).stdout
    assert "2 of 2 concepts: agreement below chance, which weighs 0" in shown
    assert out.read_text(encoding="utf-8") == "concept,agreement\na,0.0\nb,0.0\n"


def test_one_file_for_each_annotator_with_uncertain_values(tmp_path: Path) -> None:
    paths = []
    for who, row in {"Ann": "p1,1,-1,0", "Bob": "p1,1,0,", "Eve": "p1,0,1,0"}.items():
        paths.append(tmp_path / f"{who}.csv")
        paths[-1].write_text(f"Study,sea,sky,sun\n{row}\n", encoding="utf-8")
    done = call(*paths, "--resamples", 5, "--uncertain", "absent", "--format", "json")
    found = json.loads(done.stdout)
    assert found["rows"][1]["majority"] == pytest.approx(2 / 3)
    assert any("since something is unknown" in note for note in found["notes"])
    assert len(json.loads(call(*paths, "--resamples", 5, "--format", "json").stdout)["tables"]) == 5


REFUSED = {
    "the input as output": (("-o", "{said}"), "another name: a file that is read"),
    "two results in one file": (
        ("-o", "{folder}/a.csv", "--pairs", "{folder}/a.csv"),
        "another name: what --",
    ),
    "consistent with nothing": (("--consensus", "consistent"), "an --ontology beside it"),
    "a threshold": (("--threshold", "0.5"), "annotations have no scores"),
    "ancestors added": (("--close",), "an --ontology beside this option"),
    "an odd weight": (("--undefined", "2"), "a number in [0, 1]"),
    "no resamples": (("--resamples", "0"), "a whole number"),
    "no level": (("--level", "2"), "above 0 and below 1"),
    "fewer than no confusions": (("--top", "-3"), "--top=-3: expected a whole number of at least 0"),
    "a place where nothing can be written": (("-o", "{folder}/said.csv/x.csv"), "cannot be written"),
    "a column that is not there": (("--sample-column", "simple"), "no column 'simple' (near: 'sample')"),
    "costs of nothing": (("--cost", "nope"), "cost='nope': expected a hierarchical distance"),
    "no such cost": (("--ontology", "photo", "--cost", "gold"), "gold"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_call_writes_nothing(
    case: str,
    said: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options, message = REFUSED[case]
    words = [word.format(said=said, folder=tmp_path) for word in options]
    out = [] if "-o" in words else ["-o", tmp_path / "out.csv"]
    assert message in refusal([said, *words, *out, "--truth", tmp_path / "truth.csv"], capsys, monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == ["said.csv"]
    assert said.read_text(encoding="utf-8") == SAID


@pytest.mark.parametrize("option", ["--ontology", "--concepts"])
def test_nothing_is_written_over_what_is_read_beside_the_annotations(
    option: str,
    said: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("child,parent\nsky,all\nsea,all\nsun,all\n", encoding="utf-8")
    message = refusal([said, option, other, "--pairs", other], capsys, monkeypatch)
    assert "another name: a file that is read lies there" in message


def test_options_that_nothing_uses_are_not_listed() -> None:
    shown = call("--help").stdout
    assert "--annotator-column" in shown
    assert "--threshold" not in shown


def test_columns_and_repeats_are_as_the_options_say(tmp_path: Path) -> None:
    path = tmp_path / "boxes.csv"
    path.write_text("uid,box,who\np,sky,A\np,sky,A\np,sky,B\n", encoding="utf-8")
    columns = ("--sample-column", "uid", "--concept-column", "box", "--annotator-column", "who")
    done = call(path, *columns, "--repeats", "merge", "--resamples", 5, "--format", "json")
    assert json.loads(done.stdout)["rows"][0]["majority"] == 1
    votes = tmp_path / "sky.csv"
    votes.write_text("uid,hand,A,B\np,left,1,0\n", encoding="utf-8")
    options = ("--sample-column", "uid", "--ignore-column", "hand", "--columns", "annotators")
    done = call(votes, *options, "--resamples", 5, "--format", "json")
    assert [row["concept"] for row in json.loads(done.stdout)["rows"]] == ["sky"]


def test_confusions_are_those_of_annotators_and_say_what_they_leave_out(tmp_path: Path) -> None:
    path = tmp_path / "said.csv"
    rows = "p1,A,1,0\np1,B,0,1\np2,A,1,\np2,B,0,1\n"
    path.write_text(f"sample,annotator,sky,sea\n{rows}", encoding="utf-8")
    found = json.loads(call(path, "--resamples", 5, "--format", "json").stdout)
    tables = found["tables"]
    assert len([line for line in found["notes"] if "1 of 4 sheets" in line and "confusions" in line]) == 1
    assert [line for table in tables for line in table["notes"] if "sheet" in line] == []
    assert {"one says", "another says"} <= set(tables[-1]["rows"][0])
    path.write_text("sample,annotator,sky,sea\np1,A,1,\np1,B,,1\np2,A,1,\np2,B,1,\n", encoding="utf-8")
    found = json.loads(call(path, "--resamples", 5, "--format", "json").stdout)
    assert len(found["tables"]) == 5
    assert any(line.startswith("confusions: none are listed") for line in found["inputs"])


def test_what_is_not_to_be_trusted_is_said_beside_the_tables(tmp_path: Path) -> None:
    path, truth = tmp_path / "said.csv", tmp_path / "truth.csv"
    rows = "".join(f"p{n},{who},{'sky' if n < 2 else ''}\n" for n in range(4) for who in ("Ann", "ann "))
    path.write_text(f"sample,annotator,labels\n{rows}", encoding="utf-8")
    shown = call(path, "--resamples", 5, "--truth", truth, "--consensus", "dawid-skene", "--format", "json")
    found = json.loads(shown.stdout)
    assert any("'sky'): at most two annotators of a sample decide" in line for line in found["inputs"])
    assert any("differ only in case or blanks" in note for note in found["notes"])
    assert any("fewer than 10 samples with two annotators" in note for note in found["notes"])
    assert found["rows"][0]["samples"] == 4
    assert not any(
        "at most two" in line for line in json.loads(call(path, "--format", "json").stdout)["inputs"]
    )


def shown(arguments: list[object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(terminal.out, "_width", 80)
    lines = call(*arguments).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    return lines


def test_tables_of_many_concepts_fit_a_line_without_being_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    for more in ((), ("-c", "alpha")):
        lines = shown([SHIPPED, "--ontology", "photo", "--resamples", 5, *more], monkeypatch)
        assert sum(line.startswith("  beach holiday ") for line in lines) == 1
        assert sum(line.split()[:2] == ["Ada", "100"] for line in lines) == 1
        assert sum(line.split()[0] == "Randolph" for line in lines if line.strip()) == 1
        assert sum(line.startswith("  α, masi ") for line in lines) == 1
        assert not any("undefined" in line and "resamples" in line.split() for line in lines if "│" in line)
        assert len(lines) < 165
        text = " ".join(" ".join(lines).split())
        assert "drawn" not in text
        assert "undefined resamples" not in text
        assert "--per-concept FILE" in text


def test_what_one_concept_says_is_not_said_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rad.csv"
    rows = "".join(f"i{n},{n % 2},{n % 3 % 2},{-1 if n % 4 == 0 else 1}\n" for n in range(40))
    path.write_text(f"image,R1,R2,R3\n{rows}", encoding="utf-8")
    text = "\n".join(shown([path, "--resamples", 5], monkeypatch))
    assert "Agreement of 3 annotators on 40 samples, 1 concept\n" in text
    assert "all concepts together" not in text
    assert "masi" not in text
    assert all(title in text for title in ("AC1", "Cohen κ", "Randolph κ", "pairwise"))
    assert "1 concepts" not in text
    assert "1 of 1" not in text
    (line,) = (line for line in text.splitlines() if line.startswith("  annotator "))
    assert " open " in line
    assert "unknown" not in text.replace("something is unknown", "")
    assert "Top confusions" not in text
    assert len(json.loads(call(path, "--resamples", 5, "--format", "json").stdout)["tables"]) == 5
    least = shown([SHIPPED, "--resamples", 5, "--top", 2], monkeypatch)
    assert "Pairs of annotators, 2 of 45 with the lowest set κ" in least
    assert "Pairs of" not in "".join(shown([path, "--resamples", 5, "--top", 0], monkeypatch))


def test_a_single_concept_is_counted_as_one(tmp_path: Path) -> None:
    path, out, truth = tmp_path / "said.csv", tmp_path / "agreement.csv", tmp_path / "truth.csv"
    path.write_text("sample,annotator,labels\np1,Ann,sky\np1,Bob,sky\n", encoding="utf-8")
    done = call(path, "--resamples", 5, "-o", out, "--truth", truth, "--format", "json")
    told = json.loads(done.stdout)["inputs"]
    assert f"{out}: majority of 1 concept" in told
    assert f"{truth}: majority consensus of 1 sample" in told


@pytest.mark.parametrize(
    ("option", "name"),
    [("--out", "w.parquet"), ("--per-concept", "w.xlsx"), ("--pairs", "w.json"), ("--truth", "t.json")],
)
def test_names_that_promise_another_format_are_refused(
    option: str,
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "a name for a table of text" in refusal([SHIPPED, option, tmp_path / name], capsys, monkeypatch)
    assert not list(tmp_path.iterdir())


def test_a_packed_name_gets_a_packed_table(said: Path, tmp_path: Path) -> None:
    plain, packed = tmp_path / "w.csv", tmp_path / "w.csv.gz"
    for path in (plain, packed):
        call(said, "--resamples", 5, "-o", path)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


# Dawid and Skene ------------------------------------------------------------------------------------------


def strict_and_lenient(folder: Path, *, shared: bool) -> Path:
    """Five annotators of 300 photos; with `shared`, two of them see clouds in the same photos without any."""
    random, lines = Random(3), ["photo,annotator,labels"]  # noqa: S311
    for photo in range(300):
        sky, clouds, fooled = random.random() < 0.4, random.random() < 0.15, random.random() < 0.2
        for name in ("Ann", "Bob", "Eve", "Dan", "Fay"):
            said = {"sky"} if random.random() < (0.9 if sky else 0.05) else set[str]()
            if random.random() < (0.85 if clouds else 0.02):
                said.add("clouds")
            if shared and fooled and name in {"Ann", "Bob"} and random.random() < 0.9:
                said.add("clouds")
            lines.append(f"p{photo},{name},{';'.join(sorted(said))}")
    path = folder / "said.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


WARNING = "half of the annotators or more are wrong more often than right"


def test_what_a_model_changes_against_the_majority_is_told_and_listed(tmp_path: Path) -> None:
    said, names = strict_and_lenient(tmp_path, shared=True), ("most.csv", "model.csv", "rates.csv", "p.csv")
    most, truth, rates, likely = (tmp_path / name for name in names)
    call(said, "--resamples", 5, "--truth", most)
    files = ("--truth", truth, "--model", rates, "--probabilities", likely)
    done = call(said, "--resamples", 5, "--consensus", "dawid-skene", *files)
    before, after = oe.read_labels(most), oe.read_labels(truth)
    changed = sum(before.labels_of(name) != after.labels_of(name) for name in before.samples)
    counts = [sum("clouds" in sets.labels_of(name) for name in sets.samples) for sets in (before, after)]
    shown = " ".join(done.stdout.split())
    assert changed > 20
    assert f"Dawid and Skene change {changed} of 300 samples against the majority" in shown
    assert f"'clouds' {counts[0]} -> {counts[1]}" in shown
    assert WARNING in shown
    with rates.open(encoding="utf-8", newline="") as file:
        model = {(row["concept"], row["annotator"]): row for row in csv.DictReader(file)}
    assert len(model) == 10
    assert float(model["clouds", "Eve"]["sensitivity"]) < 0.5 < float(model["clouds", "Ann"]["sensitivity"])
    scores = oe.read_scores(likely)
    assert {name: scores.at(0.5).labels_of(name) for name in scores.samples} == {
        name: after.labels_of(name) for name in scores.samples
    }
    found = json.loads(
        call(said, "--resamples", 5, "--consensus", "dawid-skene", *files, "--format", "json").stdout
    )
    listed = found["tables"][-1]
    assert {row["annotator"] for row in listed["rows"]} == {"Ann", "Bob", "Eve", "Dan", "Fay"}


def test_a_model_that_agrees_with_most_annotators_is_not_warned_of(tmp_path: Path) -> None:
    said = strict_and_lenient(tmp_path, shared=False)
    done = call(said, "--resamples", 5, "--consensus", "dawid-skene", "--truth", tmp_path / "truth.csv")
    assert "Dawid and Skene change" in " ".join(done.stdout.split())
    assert WARNING not in " ".join(done.stdout.split())


@pytest.mark.parametrize("option", ["--model", "--probabilities"])
def test_files_of_a_model_need_the_model(
    option: str, said: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = refusal([said, option, said.with_name("out.csv")], capsys, monkeypatch)
    assert "expected --consensus dawid-skene beside it" in message
