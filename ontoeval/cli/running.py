"""Running a benchmark: from a file of what is compared to a folder of results with its recipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ontoeval.cli.benchmark_file import Benchmark, naming_keys, read_benchmark
from ontoeval.cli.planned import Compared
from ontoeval.cli.progress import Progress, silent
from ontoeval.cli.recipe import FILE, WITHHELD, Recipe, digest_of, files_in, versions
from ontoeval.core.files import FilePath
from ontoeval.core.limits import reading_at_most
from ontoeval.core.writing import write_all
from ontoeval.errors import InputError, listed

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison


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


def run_benchmark(
    path: FilePath, *, trust: bool = False, max_bytes: int | None = None, progress: Progress = silent
) -> BenchmarkResults:
    """Do what a benchmark file says: read, compare, and write the folder of results.

    Parameters
    ----------
    path
        The benchmark file, or the folder in which it lies as benchmark.toml.
    trust
        Whether measures of the file that name a module, "module:Class", are imported: code of the file's
        author then runs.
    max_bytes
        How large each file may be, unpacked; by default 2 GiB.
    progress
        Shows how far the work is: called with what is done and in how many steps, it gives a context whose
        value is called after each. By default nothing is shown.

    Returns
    -------
    BenchmarkResults
        The comparison, and where the results are.

    Raises
    ------
    OntoevalError
        If the file, or one that it names, cannot be used.
    """
    with reading_at_most(max_bytes):
        benchmark = read_benchmark(Path(path), trust=trust)
        compared = write_results(benchmark, progress)
    return BenchmarkResults(benchmark.results, compared.comparison, compared.sliced)


def write_results(benchmark: Benchmark, progress: Progress = silent) -> Compared:
    """Compute everything, and write the folder of results with its recipe."""
    from ontoeval.core.atomic import write_folder_aside

    _refuse_to_replace(benchmark.results)
    inputs = inputs_of(benchmark)
    with write_folder_aside(benchmark.results) as aside:
        compared = make(benchmark, aside, progress)
        # No time and no place is kept: the same inputs give the same bytes.
        recipe = Recipe(
            versions(packages_of(benchmark)),
            benchmark.path.name,
            _way(benchmark.results, benchmark.path.parent),
            benchmark.text,
            benchmark.planned.plan.seed,
            tuple(compared.recipe["recipe"]),
            inputs,
            {name: digest_of(file) for name, file in files_in(aside).items()},
        )
        write_all({aside / FILE: recipe.text()})
    return compared


def make(benchmark: Benchmark, folder: Path, progress: Progress = silent) -> Compared:
    """Compute everything and write it into a folder."""
    with naming_keys(benchmark.path):
        compared = benchmark.planned.compare(progress)
    benchmark.outputs.within(folder).write(compared, linked_from=benchmark.results.resolve())
    return compared


def packages_of(benchmark: Benchmark) -> tuple[str, ...]:
    """List the packages that read and write, beside those that compute."""
    parsers = () if benchmark.planned.wanted.asked.file is None else ("rdflib", "pyoxigraph")
    return (*parsers, *benchmark.outputs.packages)


def inputs_of(benchmark: Benchmark) -> dict[str, str]:
    """Compute the digests of everything that is read."""
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


def _way(begin: Path, end: Path) -> str:
    """Tell the way from one folder to another, which from behind a link is that from its target."""
    return Path(os.path.relpath(end.resolve(), begin.resolve())).as_posix()


def _refuse_to_replace(folder: Path) -> None:
    """Replace earlier results only, and no folder that holds anything else."""
    if not folder.is_dir():
        if folder.exists():
            raise InputError("this is a file", "Name another folder: out = ...", where=folder)
        return
    there = list(files_in(folder))
    known = {FILE, *Recipe.read(folder).outputs} if FILE in there else set[str]()
    others = [name for name in there if name not in known]
    if others:
        raise InputError(
            f"this folder holds what no benchmark has written: {listed(others)}",
            "Move it, or name another folder: out = ...",
            where=folder,
        )
