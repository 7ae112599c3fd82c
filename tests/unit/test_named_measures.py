"""Measures of others, named by the module in which they are defined; see sessions/own_measures.md too."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError
from ontoeval.measures.base import best_end, info
from ontoeval.measures.notation import import_measure


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


def test_only_what_names_a_module_is_imported() -> None:
    with pytest.raises(MeasureError, match="'F' names no module"):
        import_measure("F")


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


def test_the_example_is_named_as_it_says() -> None:
    examples = Path(__file__).parents[2] / "examples"
    text = (examples / "own_measure.py").read_text(encoding="utf-8")
    (notation,) = re.findall(r'-m "(own_measure:.*)"', text)
    command = [str(Path(sys.executable).parent / "ontoeval"), "measures", notation, "--format", "csv"]
    done = subprocess.run(command, cwd=examples, capture_output=True, encoding="utf-8", check=False)
    assert "  trees for flowers,0.6667" in done.stdout.splitlines(), done.stderr
