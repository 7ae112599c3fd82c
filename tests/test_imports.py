"""What commands import: budgets of modules, so that nobody waits for what is not used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.cli import COMMANDS

SELDOM = frozenset(
    "cloudpickle dask distributed jinja2 loky markdown_it matplotlib narwhals networkx pandas plotly polars pyarrow "
    "pydantic rdflib rich.progress scipy.cluster scipy.optimize scipy.spatial scipy.special scipy.stats".split()
)
"""What takes long to import, and is used by few commands."""

ARRAYS = frozenset({"numpy", "scipy", "scipy.sparse"})
HELP = frozenset({"markdown_it"})
PAGE = ARRAYS | {"jinja2", "scipy.cluster", "scipy.spatial", "scipy.special"}

# For each command the most modules of ours, and what it may import of all the above.
BUDGETS = {
    "--version": (13, frozenset()),
    "--help": (13, HELP),
    "score --help": (43, HELP),
    "measures": (103, ARRAYS),
    "score TRUTH RUN -m F": (148, ARRAYS),
    "score TRUTH RUN --ontology photo": (155, ARRAYS),
    "explain TRUTH RUN photo-0001 --ontology photo": (147, ARRAYS),
    "confusion TRUTH RUN --ontology photo": (156, ARRAYS),
    "audit TRUTH --ontology photo": (165, ARRAYS),
    "ontology photo": (132, ARRAYS),
    "demo": (195, PAGE),
}


def modules_after(script: str, folder: Path) -> set[str]:
    """Names of the modules that are loaded when a script ends."""
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    program = [sys.executable, "-c", listing + script]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def ours(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.partition(".")[0] == "ontoeval"}


@pytest.mark.parametrize("command", BUDGETS)
def test_a_command_imports_what_it_uses(command: str, tmp_path: Path) -> None:
    folder, (most, allowed) = oe.ontologies.benchmark(), BUDGETS[command]
    files = {"TRUTH": str(folder / "truth.csv"), "RUN": str(folder / "runs" / "noisy.csv")}
    arguments = [files.get(word, word) for word in command.split()]
    script = f"sys.argv = {['ontoeval', *arguments]}; from ontoeval.cli import main; main()"
    loaded = modules_after(script, tmp_path)
    assert loaded & (SELDOM | ARRAYS) <= allowed
    assert len(ours(loaded)) <= most
    places = {name: f"ontoeval.cli.{entry.place.partition(':')[0]}" for name, entry in COMMANDS.items()}
    assert loaded & set(places.values()) <= {places.get(arguments[0])}


def test_the_first_score_imports_arrays_and_measures_alone(tmp_path: Path) -> None:
    loaded = modules_after("import ontoeval as oe; oe.evaluate([['a']], [['a']], measures='F')", tmp_path)
    assert loaded & (SELDOM | ARRAYS | {"msgspec", "rich", "typer"}) == ARRAYS
    unused = {"annotators", "audit", "benchmarks", "cli", "comparison", "labels", "ontology", "reports"}
    assert not {name for name in ours(loaded) if name.split(".")[1:2] and name.split(".")[1] in unused}
    assert len(ours(loaded)) <= 86


@pytest.mark.parametrize("command", COMMANDS)
def test_lists_show_of_a_command_what_its_own_help_says(command: str) -> None:
    entry = COMMANDS[command]
    assert entry.listed(command).help == entry.load(command).help
