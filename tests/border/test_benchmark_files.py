"""Benchmark files and recipes of strangers: they write inside of their folder and run no code unasked."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.benchmarks.benchmark_file import keys, study_keys
from ontoeval.errors import InputError
from tests.commands import call, refusal

BENCHMARK = 'truth = "truth.csv"\nruns = "run.csv"\nresamples = 5\n'
MODULE = """
from dataclasses import dataclass
from pathlib import Path

from ontoeval.measures.flat import F

Path(__file__).with_name("imported").touch()


@dataclass(frozen=True)
class Twice(F):
    pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a truth and a run."""
    made = tmp_path / "task"
    made.mkdir()
    for name in ("truth.csv", "run.csv"):
        (made / name).write_text("id,labels\np1,sky;sea\np2,sea\n", encoding="utf-8")
    return made


def benchmark(folder: Path, *lines: str) -> Path:
    """Write a benchmark file."""
    path = folder / "benchmark.toml"
    path.write_text(BENCHMARK + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("out", ["../elsewhere", "a/../../elsewhere", "{absolute}", "link", "link/deeper"])
def test_results_are_written_inside_of_the_folder_of_the_benchmark_file(
    folder: Path, tmp_path: Path, out: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    path = benchmark(folder, f"out = '{out.format(absolute=tmp_path / 'elsewhere')}'")
    with pytest.raises(InputError, match=r"benchmark\.toml: out = .* lies outside the folder"):
        oe.run_benchmark(path)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_the_default_folder_of_results_is_no_link_to_another_place(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "results").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(InputError, match="lies outside the folder"):
        oe.run_benchmark(benchmark(folder))


def test_a_folder_of_results_may_lie_deeper(folder: Path) -> None:
    results = oe.run_benchmark(benchmark(folder, 'out = "out/of/today"')).folder
    assert results == folder / "out" / "of" / "today"
    assert oe.verify(results).holds


def test_a_measure_of_a_module_is_imported_only_if_trusted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "measure_of_a_stranger.py").write_text(MODULE, encoding="utf-8")
    path = benchmark(folder, 'measures = ["F", "measure_of_a_stranger:Twice"]')
    said = refusal(["run", path], capsys, monkeypatch)
    assert "'measure_of_a_stranger:Twice'" in said
    assert "its code runs on this machine" in said
    assert "--trust" in said
    assert not (folder / "imported").exists()
    try:
        assert call("run", path, "--trust").exit_code == 0
        assert (folder / "imported").exists()
    finally:
        sys.modules.pop("measure_of_a_stranger", None)


def test_a_recipe_imports_a_measure_of_a_module_only_if_trusted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = oe.run_benchmark(benchmark(folder)).folder
    (folder / "measure_of_another.py").write_text(MODULE, encoding="utf-8")
    recipe = json.loads((results / "recipe.json").read_text("utf-8"))
    recipe["benchmark"] += 'measures = ["measure_of_another:Twice"]\n'
    (results / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    assert "--trust" in refusal(["verify", results], capsys, monkeypatch)
    with pytest.raises(InputError, match="measure_of_another:Twice"):
        oe.verify(results)
    assert not (folder / "imported").exists()
    try:
        oe.verify(results, trust=True)
        assert (folder / "imported").exists()
    finally:
        sys.modules.pop("measure_of_another", None)


def test_measures_beside_the_file_are_found_and_are_inputs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "own_beside_the_file.py").write_text(MODULE, encoding="utf-8")
    path = benchmark(folder, 'measures = "own_beside_the_file:Twice"')
    monkeypatch.chdir(tmp_path)
    results = oe.run_benchmark(path, trust=True).folder
    assert "module own_beside_the_file" in json.loads((results / "recipe.json").read_text("utf-8"))["inputs"]
    sys.modules.pop("own_beside_the_file")
    assert call("verify", results, "--trust").exit_code == 0
    assert str(folder) not in sys.path
    sys.modules.pop("own_beside_the_file")


def test_results_behind_a_link_are_verified_there(folder: Path) -> None:
    (folder / "far" / "away").mkdir(parents=True)
    (folder / "out").symlink_to(folder / "far" / "away", target_is_directory=True)
    results = oe.run_benchmark(benchmark(folder, 'out = "out"')).folder
    assert results.is_symlink()
    assert oe.verify(results).holds
    assert oe.verify(folder / "far" / "away").holds


def test_verification_tells_how_far_it_is_and_what_rounding_has_changed(folder: Path) -> None:
    results = oe.run_benchmark(benchmark(folder)).folder
    said: list[tuple[str, int]] = []
    steps: list[None] = []

    @contextmanager
    def progress(description: str, total: int) -> Iterator[Callable[[], None]]:
        said.append((description, total))
        yield lambda: steps.append(None)

    assert oe.verify(results, progress=progress).verdict == "Everything holds."
    assert [description for description, _ in said] == ["Reading", "Comparing", "Resampling"]
    assert len(steps) == sum(total for _, total in said)
    numbers = results / "scores.csv"
    numbers.write_text(re.sub(r"(\d\.\d{14,})\d\b", r"\g<1>1", numbers.read_text("utf-8")), encoding="utf-8")
    recipe = json.loads((results / "recipe.json").read_text("utf-8"))
    recipe["outputs"]["scores.csv"] = hashlib.sha256(numbers.read_bytes()).hexdigest()
    (results / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    shown = call("verify", results)
    assert "Everything holds, but numbers to 1e-12 only: the last digits" in shown.stdout
    assert shown.exit_code == 0


@pytest.mark.no_cover
def test_a_page_and_figures_are_part_of_the_results(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    lines = ('measures = "F"', 'figures = "figures"', 'report = "report.html"')
    path = benchmark(folder, *lines, 'images = "https://example.org/{sample}.jpg"')
    for _ in range(2):  # what a benchmark has written is replaced
        results = oe.run_benchmark(path).folder
    written = json.loads((results / "recipe.json").read_text("utf-8"))["outputs"]
    assert {"figures/scores.pdf", "report.html"} <= set(written)
    (results / "figures" / "scores.svg").write_text("<svg/>", encoding="utf-8")
    (results / "figures" / "mine.svg").touch()
    found = {check.name: check.finding for check in oe.verify(results).checks if not check.holds}
    assert set(found) == {"figures/mine.svg", "figures/scores.svg"}
    assert "drawn otherwise" in found["figures/scores.svg"]
    with pytest.raises(InputError, match=r"no benchmark has written: 'figures/mine\.svg'"):
        oe.run_benchmark(path)


def test_what_reads_and_writes_is_among_the_versions(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    results = oe.run_benchmark(
        benchmark(folder, 'ontology = "photo"', 'unknown = "drop"', 'long = "v.parquet"')
    ).folder
    recipe = json.loads((results / "recipe.json").read_text("utf-8"))
    assert {"pyoxigraph", "pyarrow"} <= set(recipe["versions"])
    assert not {"matplotlib", "jinja2"} & set(recipe["versions"])
    del recipe["versions"]["pyarrow"]
    (results / "recipe.json").write_text(json.dumps(recipe), encoding="utf-8")
    told = [check.finding for check in oe.verify(results).checks if check.name.startswith("pyarrow")]
    assert told[0].startswith("was not there b")


def test_every_key_is_an_option_of_compare_or_study() -> None:
    options = call("compare", "--help").stdout + call("study", "--help").stdout
    for key in {*keys(), *study_keys()} - {"truth", "runs"}:
        assert any(f"--{name} " in options for name in (key.replace("_", "-"), key[:-1])), key


@pytest.mark.parametrize("again", [False, True])
def test_results_stay_as_they_were_where_new_ones_cannot_take_their_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> None:
    path, results = benchmark(folder), folder / "results"
    if again:
        oe.run_benchmark(path)
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    replace, lost = Path.replace, iter([True])

    def failing(self: Path, target: Path) -> Path:
        if target == results and next(lost, False):
            raise OSError("lost")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(InputError, match="results: the folder cannot be written: lost"):
        oe.run_benchmark(path)
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before
    assert not [file for file in folder.iterdir() if file.name.startswith(".")]


def test_parquet_is_compared_by_what_it_holds(folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    results = oe.run_benchmark(benchmark(folder, 'long = "values.parquet"')).folder
    path, recipe = results / "values.parquet", results / "recipe.json"
    table, told = parquet.read_table(path), json.loads(recipe.read_text("utf-8"))
    other = table.set_column(len(titles := table.column_names) - 1, titles[-1], [[2.0] * len(table)])
    for holds, written in ((True, table), (False, table.slice(1)), (False, other)):
        parquet.write_table(written, path, compression="none")
        told["outputs"][path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        recipe.write_text(json.dumps(told), encoding="utf-8")
        assert oe.verify(results).holds is holds


def test_the_recipe_of_a_public_benchmark_has_no_comments_and_still_holds(folder: Path) -> None:
    (folder / "concepts.txt").write_text("sky\nsea\n", encoding="utf-8")
    lines = 'public = true  # p1 has no sea\n# the truth: sky;sea\nconcepts = "concepts.txt"\ntitle = "A # B"\nreport = "report.html"'
    path = benchmark(folder, *lines.splitlines())
    assert call("run", path).exit_code == 0
    recipe = (folder / "results" / "recipe.json").read_text(encoding="utf-8")
    assert "p1" not in recipe
    assert "the truth:" not in recipe
    assert "A # B" in recipe
    path.write_text(path.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert "has changed" not in call("verify", folder / "results").output
    path.write_text(path.read_text(encoding="utf-8").replace("A # B", "C"), encoding="utf-8")
    assert "has changed" in call("verify", folder / "results").output
