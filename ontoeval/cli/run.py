"""``ontoeval run``: a benchmark file, from label files to a folder of results."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ontoeval.cli.benchmark_file import FILE, Benchmark, read_benchmark
from ontoeval.cli.compare import show_compared
from ontoeval.cli.planned import Compared
from ontoeval.cli.terminal import Format, out, write_all
from ontoeval.errors import InputError, listed
from ontoeval.files import FilePath

if TYPE_CHECKING:
    from ontoeval.comparison import Comparison

BenchmarkPath = Annotated[
    Path, typer.Argument(metavar="[FILE]", help=f"The benchmark file, or its folder; by default {FILE}.")
]


@dataclass(frozen=True, eq=False)
class BenchmarkResults:
    """What has become of a benchmark.

    Parameters
    ----------
    folder
        The folder of the results.
    comparison
        The runs side by side.
    sliced
        The same for each slice, by what it is cut by and its name.
    """

    folder: Path
    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]


def run_benchmark(path: FilePath) -> BenchmarkResults:
    """Do what a benchmark file says: read, compare, and write the folder of results.

    Parameters
    ----------
    path
        The benchmark file, or the folder in which it lies as benchmark.toml.

    Returns
    -------
    BenchmarkResults
        The comparison, and where the results are.

    Raises
    ------
    OntoevalError
        If the file, or one that it names, cannot be used.
    """
    benchmark = read_benchmark(Path(path))
    compared = _run(benchmark)
    return BenchmarkResults(benchmark.results, compared.comparison, compared.sliced)


def run(
    file: BenchmarkPath = Path(FILE),
    *,
    output: Annotated[Format, typer.Option("--format", help="How to print the leaderboard.")] = "table",
) -> None:
    """Do all that a benchmark file says, and write a folder of results with its recipe."""
    benchmark = read_benchmark(file)
    show_compared(_run(benchmark), output)
    if output == "table":
        where = os.path.relpath(benchmark.results)
        out.print(
            Text(f"\n  The results are in {where}; `ontoeval verify {where}` repeats them", style="bold")
        )


def make(benchmark: Benchmark, folder: Path) -> Compared:
    """Compute everything and write it into a folder.

    Parameters
    ----------
    benchmark
        What is asked for.
    folder
        An empty folder.

    Returns
    -------
    Compared
        The comparison.
    """
    compared = benchmark.planned.compare()
    inside = {key: folder / name for key, name in _inside(benchmark).items()}
    replace(benchmark.outputs, out=folder, **inside).write(compared, linked_from=benchmark.results)
    return compared


def packages_of(benchmark: Benchmark) -> tuple[str, ...]:
    """List the packages that read and write, beside those that compute.

    Parameters
    ----------
    benchmark
        What is asked for.

    Returns
    -------
    tuple of str
        Their names; of those that read RDF the faster one counts where it is installed.
    """
    parsers = () if benchmark.planned.wanted.asked.file is None else ("rdflib", "pyoxigraph")
    return (*parsers, *benchmark.outputs.packages)


def inputs_of(benchmark: Benchmark) -> dict[str, str]:
    """Compute the digests of everything that is read.

    Parameters
    ----------
    benchmark
        What is asked for.

    Returns
    -------
    dict of str to str
        Digests by how the files are told, and by the names of modules that define measures. Those of the
        truth, and of annotations, are withheld where they are not public.
    """
    from ontoeval.recipes import WITHHELD, digest_of

    wanted = benchmark.planned.wanted
    secret = {wanted.truth, wanted.weights[1]} if wanted.public else set()
    digests = {
        told: WITHHELD if path in secret else digest_of(path)
        for told, path in benchmark.planned.files.items()
    }
    for measure in wanted.measures:
        module = sys.modules[type(measure).__module__]
        file = getattr(module, "__file__", None)
        if file is not None and module.__name__.partition(".")[0] != "ontoeval":
            digests[f"module {module.__name__}"] = digest_of(Path(file))
    return digests


def _run(benchmark: Benchmark) -> Compared:
    from ontoeval.io.folders import write_folder_aside
    from ontoeval.recipes import FILE as RECIPE
    from ontoeval.recipes import Recipe, digest_of, files_in, versions

    _refuse_to_replace(benchmark)
    inputs = inputs_of(benchmark)
    with write_folder_aside(benchmark.results) as aside:
        compared = make(benchmark, aside)
        # No time and no place is kept: the same inputs give the same bytes.
        recipe = Recipe(
            versions(packages_of(benchmark)),
            benchmark.path.name,
            Path(os.path.relpath(benchmark.path.parent, benchmark.results)).as_posix(),
            benchmark.text,
            benchmark.planned.plan.seed,
            tuple(compared.recipe["recipe"]),
            inputs,
            {name: digest_of(file) for name, file in files_in(aside).items()},
        )
        write_all({aside / RECIPE: recipe.text()})
    return compared


def _inside(benchmark: Benchmark) -> dict[str, Any]:
    outputs = benchmark.outputs
    named = {"long": outputs.long, "report": outputs.report, "figures": outputs.figures}
    return {key: path for key, path in named.items() if path is not None}


def _refuse_to_replace(benchmark: Benchmark) -> None:
    """Replace earlier results only, and no folder that holds anything else."""
    from ontoeval.recipes import FILE as RECIPE
    from ontoeval.recipes import Recipe, files_in

    folder = benchmark.results
    if not folder.is_dir():
        if folder.exists():
            raise InputError("this is a file", "Name another folder: out = ...", where=folder)
        return
    there = list(files_in(folder))
    known = {RECIPE, *Recipe.read(folder).outputs} if RECIPE in there else set[str]()
    others = [name for name in there if name not in known]
    if others:
        raise InputError(
            f"this folder holds what no benchmark has written: {listed(others)}",
            "Move it, or name another folder: out = ...",
            where=folder,
        )
