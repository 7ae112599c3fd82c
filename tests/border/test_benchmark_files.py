"""Benchmark files and recipes of strangers: they write inside of their folder and run no code unasked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import ontoeval as oe
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
