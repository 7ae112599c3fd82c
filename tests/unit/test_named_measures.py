"""Measures of others, named by the module in which they are defined; see sessions/own_measures.md too."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError
from ontoeval.measures.base import info, measure_blamed
from ontoeval.measures.notation import import_measure, notation_of
from ontoeval.reports.evaluation import best_end

MEASURES = """
from dataclasses import dataclass
from ontoeval.measures.counts import Overlap

@dataclass(frozen=True)
class Excess:
    beta: float = 1.0
    statistic = Overlap()

    def formula(self, values):
        return self.beta * (values[..., 0] + values[..., 1]) / (values[..., 0] + values[..., 2])

TWICE = Excess(beta=2)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a module of a name of its own into the current folder."""

    def make(text: str) -> str:
        name = re.sub(r"\W", "_", f"own_{tmp_path.name}")
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    return make


def test_a_module_that_breaks_the_path_of_python_says_why_it_fails(
    module: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(MeasureError, match="fails: ZeroDivisionError"):
        oe.measures.parse(f"{module('import sys; sys.path.clear(); 1 / 0')}:X")


def test_what_cannot_be_imported_again_has_no_notation() -> None:
    class Local:
        """Defined in a function."""

    module = ModuleType("__main__")
    assert notation_of(Local()) is None
    assert notation_of(module) is None
    assert notation_of(oe.CATALOGUE[0]) is None  # an option is no literal


def test_options_that_are_no_literals_cannot_be_written() -> None:
    assert notation_of(oe.core.Exclusion("a", "b")) is not None
    assert notation_of(oe.core.Exclusion("a", "b", Path("x"))) is None  # type: ignore[arg-type]
    assert notation_of(oe.core.Exclusion("a", "b", range(3))) is None  # type: ignore[arg-type]


def test_only_what_names_a_module_is_imported() -> None:
    with pytest.raises(MeasureError, match="'F' names no module"):
        import_measure("F")


def test_a_module_is_found_where_python_looks_for_it(
    module: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = module(MEASURES)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert oe.measures.parse(f"{home}:TWICE").beta == 2
    assert str(tmp_path) in sys.path


def test_one_of_both_ends_tells_the_other() -> None:
    loss, share, silent = (type("Own", (), facts)() for facts in ({"best": 0.0}, {"bounds": (0, 2)}, {}))
    assert (info(loss, "bounds"), best_end(loss)) == ((0, 1), "lowest")
    assert (info(share, "best"), best_end(share)) == (2, "highest")
    assert info(silent, "bounds") == (-np.inf, np.inf)
    assert best_end(type("Own", (), {"best": None})()) is None


def test_an_ontology_score_of_ones_own_that_fails_is_named_when_it_is_explained(
    module: Callable[[str], str],
) -> None:
    home = module(
        "from ontoeval.measures.ontology_score import OntologyScore\n"
        "class Score(OntologyScore):\n"
        "    def formula(self, values):\n"
        "        raise ZeroDivisionError('by nothing')\n"
    )
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    with pytest.raises(MeasureError, match=f"{home}:Score.* cannot be computed: it raises ZeroDivisionError"):
        oe.explain({"1": ["trees"]}, {"1": []}, "1", hierarchy=hierarchy, measure=f"{home}:Score")


def test_what_the_package_itself_raises_is_left_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), measure_blamed(oe.measures.parse("F")):
        raise ZeroDivisionError


def test_the_command_line_finds_modules_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MEASURES, encoding="utf-8")
    (tmp_path / "truth.csv").write_text("id,labels\n1,a\n2,a;b\n", encoding="utf-8")
    command = [str(Path(sys.executable).parent / "ontoeval"), "score", "truth.csv", "truth.csv"]
    done = subprocess.run(
        [*command, "-m", "mine:Excess(beta=2)", "--format", "csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["run,mine:Excess(beta=2)", "truth,2.0"], done.stderr


def test_the_example_is_named_as_it_says() -> None:
    examples = Path(__file__).parents[2] / "examples"
    text = (examples / "own_measure.py").read_text(encoding="utf-8")
    (notation,) = re.findall(r'-m "(own_measure:.*)"', text)
    command = [str(Path(sys.executable).parent / "ontoeval"), "measures", notation, "--format", "csv"]
    done = subprocess.run(command, cwd=examples, capture_output=True, encoding="utf-8", check=False)
    assert "  trees for flowers,0.6667" in done.stdout.splitlines(), done.stderr
