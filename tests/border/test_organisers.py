"""What organisers need: pages with a title of their own, and results where they are wanted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from tests.commands import call, refusal

ABOUT = ("--title", "Photos <1>", "--description", "First.\n\nSecond & last.", "--author", 'A "B" C')
KEYS = 'report = "page.html"\ntitle = "Photos <1>"\ndescription = "First.\\n\\nSecond & last."\nauthor = \'A "B" C\'\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a truth, runs, an ontology and a benchmark file."""
    made = tmp_path / "task"
    (made / "runs").mkdir(parents=True)
    (made / "truth.csv").write_text("id,labels\np1,trees;sky\np2,sky\np3,trees\n", encoding="utf-8")
    (made / "runs" / "one.csv").write_text("id,labels\np1,trees\np2,sky\np3,sky\n", encoding="utf-8")
    (made / "runs" / "two.csv").write_text("id,labels\np1,sky\np2,sky\np3,trees\n", encoding="utf-8")
    (made / "annotations.csv").write_text(
        "sample,annotator,labels\np1,a,sky\np1,b,trees\np2,a,sky\np2,b,sky\n", encoding="utf-8"
    )
    (made / "benchmark.toml").write_text(
        'truth = "truth.csv"\nruns = "runs"\nresamples = 5\n', encoding="utf-8"
    )
    return made


def head(page: str) -> str:
    """Find what stands above the first section."""
    return re.sub(r"\s+", " ", page.partition("<h1>")[2].partition("<section")[0])


def check_head(page: str) -> None:
    """Check that the head has title, description and author, as text."""
    assert "<title>Photos &lt;1&gt;</title>" in page
    assert '<meta name="author" content="A &#34;B&#34; C">' in page
    assert "Photos &lt;1&gt;" in head(page)
    assert "<p>First.</p> <p>Second &amp; last.</p>" in head(page)
    assert "A &#34;B&#34; C" in head(page)


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "truth.csv", "runs", "--resamples", "5"),
        ("compare", "truth.csv", "runs", "--resamples", "5", "--ontology", "photo", "--public"),
        ("study", "truth.csv", "runs", "--resamples", "5", "--no-changes"),
        ("audit", "truth.csv", "--ontology", "photo"),
        ("audit", "photo"),
        ("agreement", "annotations.csv"),
    ],
    ids=lambda command: "-".join([*command[:2], *command[7:]]),
)
def test_a_page_has_the_title_the_description_and_the_author_that_are_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(folder)
    result = call(*command, "--report", "page.html", *ABOUT)
    assert result.exit_code == 0, result.output
    check_head(Path("page.html").read_text(encoding="utf-8"))


def test_in_python_pages_have_the_same_words(folder: Path) -> None:
    truth, run = oe.read_labels(folder / "truth.csv"), oe.read_labels(folder / "runs" / "one.csv")
    compared = oe.compare(truth, {"one": run, "same": run}, resamples=5)
    words: Any = {"title": "Photos <1>", "description": "First.\n\nSecond & last.", "author": 'A "B" C'}
    check_head(compared.report(**words))
    assert 'meta name="author"' not in compared.report()


def test_a_title_without_a_page_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    said = refusal(["compare", "truth.csv", "runs", "--title", "Photos"], capsys, monkeypatch)
    assert "--title='Photos': expected a --report beside it" in said
    Path("benchmark.toml").write_text('truth = "truth.csv"\nruns = "runs"\nauthor = "A"\n', encoding="utf-8")
    said = refusal(["run"], capsys, monkeypatch)
    assert "author" in said
    assert "report" in said


def test_the_keys_of_a_benchmark_file_give_its_page_a_head_and_are_verified(folder: Path) -> None:
    path = folder / "benchmark.toml"
    path.write_text(path.read_text(encoding="utf-8") + KEYS, encoding="utf-8")
    results = oe.run_benchmark(path).folder
    check_head((results / "page.html").read_text(encoding="utf-8"))
    recipe = json.loads((results / "recipe.json").read_text(encoding="utf-8"))
    assert 'title = "Photos <1>"' in recipe["benchmark"]
    assert oe.verify(results).holds


def test_run_writes_its_results_into_the_folder_that_is_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = oe.run_benchmark(folder).folder
    elsewhere = tmp_path / "elsewhere" / "board"
    result = call("run", folder, "-o", elsewhere)
    assert result.exit_code == 0, result.output
    names = {path.name for path in usual.iterdir()}
    assert {path.name for path in elsewhere.iterdir()} == names
    assert all(
        (elsewhere / one).read_bytes() == (usual / one).read_bytes() for one in names - {"recipe.json"}
    )
    assert oe.verify(elsewhere).holds
    assert oe.run_benchmark(folder, out=elsewhere).folder == elsewhere  # earlier results are replaced
    (elsewhere / "thesis.tex").touch()
    said = refusal(["run", folder, "--out", elsewhere], capsys, monkeypatch)
    assert "this folder holds files that no benchmark has written: 'thesis.tex'" in said
    assert "--out" in said
    assert "lies outside" not in said


def test_one_measure_ranks_beside_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    files = ("truth.csv", "runs", "--ontology", "photo")
    usual = "tKappa,hF,OS,F,F(average='macro')"
    by_kappa = call("score", *files, "--rank", "tKappa", "--format", "csv").stdout.splitlines()
    assert by_kappa[0].endswith(usual)
    by_f = call("compare", *files, "-m", "OS", "-m", "F", "--rank", "F", "--resamples", 5, "--format", "csv")
    assert re.findall(r"rank,run,kind,(F),.*?(OS)", by_f.stdout) == [("F", "OS")]
    assert call("study", *files, "--rank", "tKappa", "--resamples", 5, "--no-changes").exit_code == 0
    with Path("benchmark.toml").open("a", encoding="utf-8") as benchmark:
        benchmark.write('ontology = "photo"\nrank = "tKappa"\n')
    assert tuple(oe.run_benchmark(folder).comparison.measures) == tuple(re.split(r",(?=\w)", usual))
    assert "Unknown measure 'tKapa' (near: 'tKappa'" in refusal(
        ["score", *files, "--rank", "tKapa"], capsys, monkeypatch
    )


def test_a_measure_that_ranks_is_imported_only_if_trusted(folder: Path) -> None:
    with (folder / "benchmark.toml").open("a", encoding="utf-8") as benchmark:
        benchmark.write('rank = "nowhere:Measure()"\n')
    with pytest.raises(oe.errors.InputError, match="trust"):
        oe.run_benchmark(folder)
