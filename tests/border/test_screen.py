"""What a person sees: nothing is cut off, rows can be told apart, and a slip is met with what was meant."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from typer.testing import CliRunner, Result

import ontoeval as oe
from ontoeval.cli import app, terminal
from ontoeval.reports.terminal import on_terminal

BENCHMARK = oe.ontologies.benchmark()
TRUTH, RUNS = BENCHMARK / "truth.csv", BENCHMARK / "runs"
WIDTHS = (40, 60, 80, 120, 200)
LONG = (
    "SceneDescription.AbstractCategories.Partylife",
    "SceneDescription.AbstractCategories.BeachHolidays",
    "PicturedObjects.Persons.NumberOfPersons.SmallGroup",
    "Quality.Aesthetics.AestheticImpression",
    "ひとの数がとても多い場面[bold]そして長い名前の概念",
)


def call(*arguments: object, width: int = 80) -> Result:
    """Call a command at a terminal of some width, as tests of the command line have one of 400."""
    before = terminal.out.width
    terminal.out.width = terminal.err.width = width
    try:
        return CliRunner().invoke(app, list(map(str, arguments)))
    finally:
        terminal.out.width = terminal.err.width = before


def told(*arguments: object, width: int = 160) -> str:
    """Whatever a command that fails says, a blank for any number of them."""
    done = call(*arguments, width=width)
    assert done.exit_code != 0
    return " ".join(f"{done.output} {done.exception}".replace("│", " ").split())


def signs(texts: Iterable[str]) -> Counter[str]:
    """Count what is no blank; what would steer a terminal is written as its escape."""
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in "".join(texts))
    return Counter("".join(shown).replace(" ", ""))


def headings(text: str) -> list[list[str]]:
    """The words above the line of each block of a table."""
    lines = text.splitlines()
    return [lines[at - 1].split() for at, line in enumerate(lines) if line.startswith(" ──")]


def names(letters: str) -> st.SearchStrategy[str]:
    """Long names; no letter of theirs is in the titles of columns."""
    return st.text(letters, min_size=10, max_size=60).map(lambda name: f"{letters[0]}{name}{letters[0]}")


@given(names("ABCDEF[]_日"), names("KLMNOPQR/-#本"), st.integers(40, 200))
def test_every_sign_of_every_name_is_printed_at_any_width(true: str, predicted: str, width: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        links, *files = (Path(folder) / name for name in ("links.csv", "true.json", "predicted.json"))
        links.write_text(f"child,parent\n{true},root\n{predicted},root\n", encoding="utf-8")
        for file, name in zip(files, (true, predicted), strict=True):
            file.write_text(json.dumps({"photo": [name]}), encoding="utf-8")
        shown = call("explain", *files, "photo", "--ontology", links, width=width).stdout
    assert all(cell_len(line) <= width for line in shown.splitlines())
    # Each name is a label, and is matched to the other: where these two stand side by side, each is there twice.
    blocks = re.split(r"\n *\n", shown)
    (block,) = [one for one in blocks if "matched to " in one.partition("─")[0]] or [shown]
    assert not signs([true, true, predicted, predicted]) - signs([block])


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ontology, a truth and a run of long names."""
    folder = tmp_path_factory.mktemp("named")
    (folder / "links.csv").write_text(
        "child,parent\n" + "".join(f"{name},Root of all that is pictured\n" for name in LONG),
        encoding="utf-8",
    )
    for name, step in (("truth", 1), ("run", 2)):
        rows = (
            f"photo-{number}-of-a-sample-with-a-long-name;{LONG[number * step % 5]}|{LONG[(number + step) % 5]}"
            for number in range(1, 9)
        )
        text = "\n".join(("id;labels", *rows)).replace(";", "\t").replace("|", ";")
        (folder / f"{name}.tsv").write_text(f"{text}\n", encoding="utf-8")
    votes = (f"photo,{who},{name}" for who in ("Ada", "Ben") for name in LONG)
    (folder / "votes.csv").write_text(
        "\n".join(("sample,annotator,concept", *votes)) + "\n", encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "command",
    [
        "explain truth.tsv run.tsv photo-1-of-a-sample-with-a-long-name --ontology links.csv",
        "confusion truth.tsv run.tsv --ontology links.csv",
        "ontology links.csv --tree",
        "diff truth.tsv run.tsv",
        "agreement votes.csv --resamples 10",
        "score truth.tsv run.tsv --ontology links.csv",
        "compare truth.tsv run.tsv --ontology links.csv --resamples 10",
    ],
)
def test_long_names_and_numbers_are_whole_at_every_width(
    named: Path, monkeypatch: pytest.MonkeyPatch, command: str, width: int
) -> None:
    monkeypatch.chdir(named)
    arguments = command.split()
    done = call(*arguments, width=width)
    assert done.exit_code == (1 if command.startswith("diff") else 0), done.output
    assert all(cell_len(line) <= width for line in done.stdout.splitlines())
    wanted = set(LONG) if "of-a-sample" not in command else {LONG[0], arguments[3]}
    if command.startswith(("score", "compare")):
        rows = json.loads(call(*arguments, "--format", "json").stdout)["rows"]
        wanted = {f"{value:.4f}" for row in rows for value in row.values() if isinstance(value, float)}
    assert not signs(wanted) - signs([done.stdout])


def test_each_block_of_a_table_names_its_rows() -> None:
    shown = call("confusion", TRUTH, RUNS / "noisy.csv", "--ontology", "photo", width=60).stdout
    assert "run: noisy" in shown
    counts = shown.partition("Each concept against the rest")[2]
    assert len(headings(counts)) > 1
    assert {words[0] for words in headings(counts)} == {"concept"}
    tops = shown.partition("Top confusions")[2].partition("Each concept")[0]
    assert {tuple(words[:2]) for words in headings(tops)} == {("true", "predicted"), ("concept", "missed")}


def test_where_not_even_the_names_of_rows_have_room_each_value_has_a_line() -> None:
    shown = call("confusion", TRUTH, RUNS / "noisy.csv", "--ontology", "photo", width=40).stdout
    tops = shown.partition("Top confusions")[2].partition("Each concept")[0]
    first = tops.split("\n\n")[1].splitlines()
    assert [line.split(":")[0].strip() for line in first] == ["true", "predicted", "mass", "share of row"]


def test_a_word_is_not_broken_where_that_costs_few_more_blocks(tmp_path: Path) -> None:
    named = ("PicturedObjects.MusicalInstrument", "PicturedObjects.Toys.SmallToys")
    links, truth, run = (tmp_path / name for name in ("links.csv", "truth.json", "run.json"))
    links.write_text("child,parent\n" + "".join(f"{name},root\n" for name in named), encoding="utf-8")
    for file, name in ((truth, named[0]), (run, named[1])):
        file.write_text(json.dumps({"photo": [name]}), encoding="utf-8")
    words = call("explain", truth, run, "photo", "--ontology", links, width=78).stdout.split()
    assert "MusicalInstrument" in words
    assert words.count("matched") == 1


def test_files_that_are_not_named_do_not_share_the_number_of_one_that_is() -> None:
    short = " ".join(call("score", TRUTH, RUNS, "--ontology", "photo", "-m", "F").stdout.split())
    assert re.search(r"closed\(\)\): 59 of 500 in truth, \d+ of 500 in \S+ and others in 3 more runs", short)


def test_a_column_has_one_format_of_numbers_and_no_column_is_empty() -> None:
    arguments = ("confusion", TRUTH, RUNS / "noisy.csv", "--ontology", "photo", "--rule", "tensor-recall")
    counts = call(*arguments, width=120).stdout.partition("Counts by")[2]
    cells = [re.findall(r"[\d,.]+", line)[:3] for line in counts.splitlines() if re.search(r"  \d", line)]
    assert len(cells) > 50
    assert all(len({"." in cell for cell in column}) == 1 for column in zip(*cells, strict=True))
    explained = call("explain", TRUTH, TRUTH, "photo-0001", "--ontology", "photo", width=120).stdout
    assert "breaks" not in explained
    assert "matched to" not in explained


def test_the_recipe_is_a_line_and_all_of_it_where_that_is_asked_for(tmp_path: Path) -> None:
    arguments = ("score", TRUTH, RUNS, "--ontology", "photo", "-m", "OS", "-m", "F(average='macro')")
    short, whole = call(*arguments).stdout, call(*arguments, "--verbose", "-o", tmp_path / "out").stdout
    (line,) = [line for line in short.splitlines() if "ontoeval 0" in line]
    assert re.search(r"500 samples, 53 concepts, ontology [0-9a-f]{8}", line)
    assert "cost='depth-weighted'" not in short
    assert "careful.csv" not in short
    written = (tmp_path / "out" / "recipe.txt").read_text("utf-8")
    for text in (whole, written):
        assert "cost='depth-weighted'" in text
        assert "careful.csv" in text
    kept = call(*arguments, "--agreement", BENCHMARK / "agreement.csv").stdout
    assert "agreement given" in kept  # it differs from the default


def test_a_benchmark_prints_its_leaderboard_and_where_the_rest_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(BENCHMARK, tmp_path, dirs_exist_ok=True)
    (tmp_path / "benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = ["runs"]\nontology = "photo"\nmeasures = ["OS", "F"]\n'
        'by = ["branch", "level"]\nresamples = 10\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    shown = call("run").stdout
    assert shown.count("Leaderboard") == 1
    assert "All results are in results" in shown
    assert "leaderboard-by.csv" in shown
    assert "leaderboard-by.csv" in {path.name for path in (tmp_path / "results").iterdir()}


def test_validate_says_in_sentences_what_is_wrong_where_and_what_to_do(tmp_path: Path) -> None:
    run, samples = tmp_path / "run-with-a-rather-long-name.csv", tmp_path / "samples.txt"
    run.write_text("id,labels\np1,sky\np2,indoor\np3,partylife\np4,\np2,sky\n", encoding="utf-8")
    samples.write_text("p1\np2\np3\np4\np5\np6\n", encoding="utf-8")
    for width in WIDTHS:
        said = told("validate", run, "--ontology", "photo", "--samples", samples, width=width)
        assert "run-with-a-rather-long-name would be refused" in said
        assert "2 of 6 These samples have no row in the run." in said
        assert "→ Add a row for each, even if it predicts nothing. For example 'p5', 'p6'." in said
        assert "'partylife' in row 4 (near: 'party')" in said
        assert "row 6: sample 'p2' is there already in row 3" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("score", TRUTH, TRUTH, "-m", "F1"), "'F1' means several measures: 'F'"),
        (("score", TRUTH, TRUTH, "-m", "precision"), "'precision' means several measures: 'P'"),
        (("score", TRUTH, TRUTH, "--meassure", "F"), "--measure"),
        (("compare", TRUTH, TRUTH, "--html"), "--report"),
        (("explain", TRUTH, TRUTH, "foto-0001", "--ontology", "photo"), "(near: 'photo-0001')"),
        (("explain", TRUTH, TRUTH, "photo-02", "--ontology", "photo"), "(near: 'photo-0002')"),
        (("explain", TRUTH, TRUTH, "0001", "--ontology", "photo"), "(near: 'photo-0001')"),
        (("explain", TRUTH, TRUTH, "photo-0001.jpg", "--ontology", "photo"), "(near: 'photo-0001'"),
    ],
)
def test_a_slip_is_met_with_what_was_meant(arguments: tuple[object, ...], said: str) -> None:
    assert said in told(*arguments)


@pytest.mark.no_cover
def test_the_width_is_that_of_the_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ontoeval", "ontology", "diamond"],
        env=os.environ | {"COLUMNS": "40", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    )
    assert max(map(len, done.stdout.decode().splitlines())) <= 40


def test_no_option_is_proposed_that_is_not_near() -> None:
    assert "--test" not in told("compare", TRUTH, TRUTH, "--title", "x")


def test_a_misspelt_sample_is_not_advised_to_count_as_unlabelled(tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    run.write_text("id,labels\nphoto-0002,sky\n", encoding="utf-8")
    misspelt, lacking = (
        told("explain", TRUTH, run, sample, "--ontology", "photo") for sample in ("photo-1", "photo-0001")
    )
    assert "--missing" not in misspelt
    assert "Pass --missing empty" in lacking


def test_names_that_an_ontology_calls_otherwise_are_found_by_their_ends(named: Path) -> None:
    listed = named / "concepts.txt"
    listed.write_text("".join(f"{name.rpartition('.')[2]}\n" for name in LONG), encoding="utf-8")
    truth = named / "truth.tsv"
    said = told("score", truth, truth, "--ontology", named / "links.csv", "--concepts", listed)
    assert "'Partylife' in `concepts` (near: 'SceneDescription.AbstractCategories.Partylife')" in said
    assert "--concept-map FILE" in said
    with pytest.raises(oe.OntoevalError, match=r"near: '\S+\.Partylife'"):
        oe.read_ontology(named / "links.csv", concepts=["Partylife"])


def test_ranks_in_a_further_block_are_by_its_own_measure():
    hierarchy = {"r": ["A", "B"], "A": ["a", "b"], "B": ["c", "d"]}
    truth = {str(at): ["a", "c"] for at in range(24)}
    shy = {name: ["a"] for name in truth}
    bold = {name: ["a", "b", "c", "d"] for name in truth}
    found = oe.compare(
        truth,
        {"shy": shy, "bold": bold},
        hierarchy=hierarchy,
        measures=["P", "R"],
        resamples=20,
        baselines=(),
        test="none",
    )
    blocks = str(on_terminal(found.table(), 45)).split("rank   run")[1:]
    assert [re.findall(r"(\d)   (shy|bold)", block) for block in blocks] == [
        [("1", "shy"), ("2", "bold")],
        [("1", "bold"), ("2", "shy")],
    ]
    whole = str(on_terminal(found.table(), 120))
    assert "each block of columns" not in whole


def test_undefined_concepts_are_told_once_for_all_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run, label in (("truth", "b"), ("one", "a"), ("two", "c"), ("three", "b")):
        Path(f"{run}.csv").write_text(f"id,labels\n1,a\n2,{label}\n", encoding="utf-8")
    Path("names.csv").write_text("concept\na\nb\nc\nd\n", encoding="utf-8")
    given = ("one.csv", "two.csv", "three.csv", "--concepts", "names.csv", "-m", "F(average='macro')")
    for command in ("score", "compare"):
        shown = " ".join(call(command, "truth.csv", *given).stdout.split())
        assert shown.count("undefined (0/0)") == 1
        assert "found 1 to 2 concepts undefined (0/0) in 3 of 3 runs. Its mean is over 2 to 3" in shown
