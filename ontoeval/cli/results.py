"""Folders of results with their recipes, and ``ontoeval run``, which makes them of benchmark files."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval._version import __version__
from ontoeval.cli import benchmark as benchmarks
from ontoeval.cli.benchmark import Benchmark, naming_keys, read_benchmark
from ontoeval.cli.comparison import Compared, compared_runs, show_compared
from ontoeval.cli.options import Output, Verbose
from ontoeval.comparison.plan import Progress, silent
from ontoeval.core.files import FilePath, digest_of_file, read_file, reading_at_most
from ontoeval.core.writing import write_all
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.options import Opt

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

FILE = "recipe.json"
"""The file that holds the recipe of a folder."""

PACKAGES = ("rdflib", "pyoxigraph", "pyarrow", "jinja2", "plotly", "matplotlib")
"""Packages that may read, write or draw, beside those that compute."""

WITHHELD = "withheld"
"""In place of the digest of a file that is not public: a guess of the truth could be tested by it."""


Trust = Annotated[
    bool,
    Opt(
        "Import the modules of measures that the file names as module:Class. This runs code of the "
        "file's author."
    ),
]


def run(
    file: Annotated[
        Path, Opt(f"The benchmark file, or its folder; by default {benchmarks.FILE}.", positional=True)
    ] = Path(benchmarks.FILE),
    *,
    trust: Trust = False,
    output: Output = "table",
    verbose: Verbose = False,
) -> None:
    """Run a benchmark file, and write a folder of results with its recipe."""
    from ontoeval.cli.terminal import out, progress
    from ontoeval.reports.terminal import joined, paragraphs

    benchmark = read_benchmark(file, trust=trust)
    compared = write_results(benchmark, progress)
    whole = output == "table" or not compared.sliced
    show_compared(compared, compared.board if whole else compared.board_by, output, verbose=verbose)
    if output == "table":
        where = os.path.relpath(benchmark.results)
        said = f"All results are in {where}; `ontoeval verify {where}` repeats them."
        if compared.sliced:
            said = f"{said} leaderboard-by.csv has those of {pluralise(len(compared.sliced), 'part')}."
        out.print(joined(paragraphs(["", said], out.width, style="bold", indent=2)), soft_wrap=True)


@dataclass(frozen=True)
class Recipe:
    """The recipe of a folder of results."""

    versions: Mapping[str, str]
    file: str
    folder: str
    benchmark: str
    seed: int
    conventions: tuple[str, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def text(self) -> str:
        """Write the recipe."""
        return json.dumps(vars(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Recipe:
        """Read the recipe of a folder of results."""
        path = folder / FILE
        if not path.exists():
            raise InputError(
                f"there is no {FILE} here", "Name a folder that `ontoeval run` has written.", where=folder
            )
        data = read_file(path).data
        try:
            content = json.loads(data)
            recipe = cls(**{**content, "conventions": tuple(content["conventions"])})
            mappings: tuple[Any, ...] = (recipe.versions, recipe.inputs, recipe.outputs)
            texts: list[Any] = [recipe.file, recipe.folder, recipe.benchmark]
            texts += [text for one in mappings for text in one.values()]
            plain = all(isinstance(text, str) for text in texts)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise _no_recipe(path) from error
        # A folder of results can come from anybody: nothing outside it is looked at as an output.
        outside = (PurePosixPath(name).is_absolute() or ".." in name.split("/") for name in recipe.outputs)
        if not plain or any(outside):
            raise _no_recipe(path)
        return recipe


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """List the versions that compute, and those of some other packages."""
    import numpy as np
    import scipy

    used = set(packages)
    known: dict[str, str] = {}
    for package in PACKAGES:
        if package in used:
            with suppress(metadata.PackageNotFoundError):
                known[package] = metadata.version(package)
    return {
        "ontoeval": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        **known,
    }


def digest_of(path: Path) -> str:
    """Compute the digest of a file, or of all files in a folder."""
    if not path.is_dir():
        return digest_of_file(path)
    whole = sha256()
    for name, file in files_in(path).items():
        whole.update(f"{name}\0{digest_of(file)}\0".encode())
    return whole.hexdigest()


def files_in(folder: Path) -> dict[str, Path]:
    """List the files of a folder, and of the folders in it."""
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path for path in files}


def _no_recipe(path: Path) -> InputError:
    return InputError("this is no recipe", "Run the benchmark again: ontoeval run.", where=path)


@dataclass(frozen=True, eq=False)
class BenchmarkResults:
    """Results of a benchmark.

    Parameters
    ----------
    folder
        The folder of the results.
    comparison
        The runs side by side.
    sliced
        The same for each part, by grouping and name.
    """

    folder: Path
    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]


def run_benchmark(
    path: FilePath, *, trust: bool = False, max_bytes: int | None = None, progress: Progress = silent
) -> BenchmarkResults:
    """Run a benchmark file: read, compare, and write the folder of results.

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
        Progress callback: called with a description and a number of steps, it returns a context manager
        whose value is called after each step. By default nothing is shown.

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
    from ontoeval.core.writing import write_folder_aside

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
            benchmark.options.plan.seed,
            tuple(compared.recipe["recipe"]),
            inputs,
            {name: digest_of(file) for name, file in files_in(aside).items()},
        )
        write_all({aside / FILE: recipe.text()})
    return compared


def make(benchmark: Benchmark, folder: Path, progress: Progress = silent) -> Compared:
    """Compute everything and write it into a folder."""
    with naming_keys(benchmark.path):
        compared = compared_runs(benchmark.options, progress)
    benchmark.outputs.within(folder).write(compared, linked_from=benchmark.results.resolve())
    return compared


def packages_of(benchmark: Benchmark) -> tuple[str, ...]:
    """List the packages that read and write, beside those that compute."""
    parsers = () if benchmark.options.scoring.reading.ontology is None else ("rdflib", "pyoxigraph")
    return (*parsers, *benchmark.outputs.packages)


def inputs_of(benchmark: Benchmark) -> dict[str, str]:
    """Compute the digests of everything that is read."""
    scoring = benchmark.options.scoring
    secret = {scoring.truth, scoring.information_from} if scoring.public else set()
    digests = {
        name: WITHHELD if path in secret else digest_of(path)
        for name, path in benchmark.options.files.items()
    }
    for measure in scoring.chosen:
        module = sys.modules[type(measure).__module__]
        file = getattr(module, "__file__", None)
        if file is not None and module.__name__.partition(".")[0] != "ontoeval":
            digests[f"module {module.__name__}"] = digest_of(Path(file))
    return digests


def _way(begin: Path, end: Path) -> str:
    """Make the relative path between folders; from behind a link, that from its target."""
    return Path(os.path.relpath(end.resolve(), begin.resolve())).as_posix()


def _refuse_to_replace(folder: Path) -> None:
    """Refuse to replace a folder that holds anything but earlier results."""
    if not folder.is_dir():
        if folder.exists():
            raise InputError("this is a file", "Name another folder: out = ...", where=folder)
        return
    there = list(files_in(folder))
    known = {FILE, *Recipe.read(folder).outputs} if FILE in there else set[str]()
    others = [name for name in there if name not in known]
    if others:
        raise InputError(
            f"this folder holds what no benchmark has written: {enumerate_some(others)}",
            "Move it, or name another folder: out = ...",
            where=folder,
        )
