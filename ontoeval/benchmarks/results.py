"""Folders of results with their recipes: written by `run_benchmark`, computed again by `verify`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, get_args

from ontoeval._version import __version__
from ontoeval.benchmarks.benchmark_file import (
    STUDY,
    Benchmark,
    Part,
    UntrustedError,
    benchmark_of,
    naming_keys,
    read_benchmark,
)
from ontoeval.benchmarks.destinations import Destinations
from ontoeval.benchmarks.measure_study import StudiedRuns, study_files, study_runs
from ontoeval.benchmarks.parted_runs import WHOLE, PartsOptions
from ontoeval.benchmarks.recipes import (
    COMMAND,
    RECIPE_FILE,
    WITHHELD,
    Recipe,
    digest_of,
    files_in,
    inputs_of,
    packages_of,
    versions,
)
from ontoeval.benchmarks.runs import ComparedRuns, compare_runs
from ontoeval.comparison.plan import Progress, silent
from ontoeval.core.showing import Brief
from ontoeval.core.table import Column, Table
from ontoeval.errors import InputError, OntoevalError, ParameterError, enumerate_some
from ontoeval.options import PICTURES
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.files import FilePath, reading_at_most
from ontoeval.plumbing.workers import checked_workers, using_workers
from ontoeval.plumbing.writing import write_all, write_folder_aside

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison
    from ontoeval.comparison.study import Study

TOLERANCE = 1e-12
"""Largest difference of numbers that hold: processors and versions round the last digits differently."""

VERSION = "version"

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
"""A number; not one within a word, such as a digest."""


@dataclass(frozen=True, eq=False, repr=False)
class BenchmarkResults(Brief):
    """Results of a benchmark.

    Parameters
    ----------
    folder
        The folder of the results.
    comparison
        The runs side by side, and in parts.
    study
        The study of the measures, where the benchmark file has a section [study].
    """

    folder: Path
    comparison: Comparison
    study: Study | None = None

    @property
    def _brief(self) -> str:
        return f"{self.folder.name!r}: {self.comparison!r}"


def run_benchmark(
    path: FilePath,
    *,
    out: FilePath | None = None,
    trust: bool = False,
    max_bytes: int | None = None,
    progress: Progress = silent,
    workers: int | None = None,
) -> BenchmarkResults:
    """Run a benchmark file: read, compare, and write the folder of results.

    Parameters
    ----------
    path
        The benchmark file, or the folder in which it lies as benchmark.toml.
    out
        Folder of the results, wherever it lies; by default the one that the file names.
    trust
        Whether to import modules that measures name, "module:Class": code of the file's author then runs.
    max_bytes
        Largest size of each file, unpacked; by default 2 GiB.
    progress
        Called with a description and a number of steps; its context's value is called after each step.
    workers
        Number of threads that work at the same time; by default 1. The results are the same.

    Returns
    -------
    BenchmarkResults
        The comparison, and where the results are.

    Raises
    ------
    OntoevalError
        If the file, or one that it names, cannot be used.
    """
    with using_workers(checked_workers(workers)), reading_at_most(max_bytes):
        benchmark = read_benchmark(Path(path), out=None if out is None else Path(out), trust=trust)
        made = write_results(benchmark, progress)
    compared, found = made.compared, None if made.studied is None else made.studied.found
    assert compared is not None  # noqa: S101 - all parts are made
    return BenchmarkResults(benchmark.results, compared.comparison, found)


@dataclass(frozen=True, eq=False)
class Results:
    """The parts of a benchmark that were made."""

    compared: ComparedRuns | None
    studied: StudiedRuns | None

    @property
    def conventions(self) -> tuple[str, ...]:
        """The lines of the recipes of all parts, each once."""
        recipes = [one.recipe["recipe"] for one in (self.compared, self.studied) if one is not None]
        return tuple(dict.fromkeys(line for recipe in recipes for line in recipe))


def write_results(benchmark: Benchmark, progress: Progress = silent, cut: PartsOptions = WHOLE) -> Results:
    """Compute everything, and write the folder of results with its recipe."""
    _refuse_to_replace(benchmark.results)
    if cut.parts is not None:
        with naming_keys(benchmark.path):
            cut.check_comparison(
                benchmark.options, long=benchmark.outputs.long, report=benchmark.outputs.report
            )
            cut = cut.counted(benchmark.options.scoring)
            if benchmark.study is not None and benchmark.has_part("study"):
                raise ParameterError(
                    "--parts", cut.parts, "--part comparison beside it: studies need samples"
                )
    inputs = _inputs(benchmark)
    # From behind a link, the way from its target.
    way = os.path.relpath(benchmark.path.parent.resolve(), benchmark.results.resolve())
    with write_folder_aside(benchmark.results) as aside:
        made = write_parts(benchmark, aside, progress, cut=cut)
        # No time and no place is kept: the same inputs give the same bytes.
        recipe = Recipe(
            versions(_packages(benchmark)),
            benchmark.path.name,
            Path(way).as_posix(),
            benchmark.published,
            benchmark.options.plan.seed,
            made.conventions,
            inputs,
            {name: digest_of(file) for name, file in files_in(aside).items()},
            benchmark.part or "",
            parts=cut.parts or "",
        )
        write_all({aside / RECIPE_FILE: recipe.text()})
    return made


def write_parts(
    benchmark: Benchmark,
    folder: Path,
    progress: Progress = silent,
    *,
    command: bool = False,
    cut: PartsOptions = WHOLE,
) -> Results:
    """Compute all parts and write them into a folder; the study of a benchmark file into a subfolder."""
    compared = found = None
    with naming_keys(benchmark.path):
        if benchmark.has_part("comparison"):
            compared = compare_runs(benchmark.options, progress, cut)
            benchmark.outputs.in_folder(folder).write(compared, linked_from=benchmark.results.resolve())
        if benchmark.study is not None and benchmark.has_part("study"):
            found, own = study_runs(benchmark.study.options, progress), folder if command else folder / STUDY
            drawing = benchmark.study.drawing
            report, figures = (
                None if one is None else own / one for one in (drawing.report, drawing.figures)
            )
            found.write(Destinations(own, study_files(), report, figures), drawing)
    return Results(compared, found)


def _packages(benchmark: Benchmark) -> tuple[str, ...]:
    drawing = () if benchmark.study is None else benchmark.study.drawing.packages
    return packages_of(benchmark.options.scoring, benchmark.outputs.packages, drawing)


def _inputs(benchmark: Benchmark) -> dict[str, str]:
    """Compute the digests of everything that is read."""
    found: dict[str, str] = {}
    if benchmark.has_part("comparison"):
        found |= inputs_of(benchmark.options.scoring, benchmark.options.files)
    if benchmark.study is not None and benchmark.has_part("study"):
        scoring = benchmark.study.options.scoring
        found |= inputs_of(scoring, scoring.files)
    return found


def _refuse_to_replace(folder: Path) -> None:
    """Refuse to replace a folder that holds anything but earlier results."""
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file", "Name another folder: out = ... or --out FOLDER.", where=folder)
    there = files_in(folder)
    known = {RECIPE_FILE, *Recipe.read(folder).outputs} if RECIPE_FILE in there else set[str]()
    if others := [name for name in there if name not in known]:
        raise InputError(
            f"this folder holds files that no benchmark has written: {enumerate_some(others)}",
            "Move it, or name another folder: out = ... or --out FOLDER.",
            where=folder,
        )


class Check(NamedTuple):
    """One check of a folder of results.

    Parameters
    ----------
    what
        "input", "version", "recipe" or "output".
    name
        The file, or the part of the recipe.
    holds
        Whether it is as it was.
    finding
        The finding, in words.
    exact
        Whether it holds to the last digit.
    checked
        Whether it could be checked; otherwise it counts as holding.
    """

    what: str
    name: str
    holds: bool
    finding: str
    exact: bool = True
    checked: bool = True

    @property
    def verdict(self) -> str:
        """Whether it holds, in a word."""
        if not self.checked:
            return "not checked"
        return "yes" if self.holds else "NO"


@dataclass(frozen=True)
class Verification:
    """Results that have been computed again.

    Parameters
    ----------
    checks
        Checks of inputs, versions, the recipe, outputs.
    """

    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that could be checked is as it was."""
        return all(check.holds for check in self.checks)

    @property
    def verdict(self) -> str:
        """Whether everything holds, in a sentence."""
        broken = sum(not check.holds for check in self.checks)
        if broken:
            return f"{broken:,} of {len(self.checks):,} do not hold."
        unchecked = [check.name for check in self.checks if not check.checked]
        more = (
            f" Not checked, since no digest was made of it: {enumerate_some(unchecked)}." if unchecked else ""
        )
        close = f"Everything holds, but numbers to {TOLERANCE:g} only: "
        if any(check.what == VERSION for check in self.checks):
            return f"{close}the recipe names other versions.{more}"
        if not all(check.exact for check in self.checks):
            return f"{close}the last digits are rounded otherwise.{more}"
        return f"Everything holds.{more}"

    def table(self) -> Table:
        """List the checks."""
        titles = map(Column, ("what", "name", "holds", "finding"))
        cells = tuple((check.what, check.name, check.verdict, check.finding) for check in self.checks)
        return Table("Results, computed again", tuple(titles), cells, (self.verdict,), keys=2)


def verify(
    folder: FilePath,
    *,
    source: FilePath | None = None,
    trust: bool = False,
    max_bytes: int | None = None,
    progress: Progress = silent,
    workers: int | None = None,
) -> Verification:
    """Compute results again by their recipe, and compare.

    Parameters
    ----------
    folder
        Folder of results, as `run_benchmark` writes it, or the recipe.json in it.
    source
        The benchmark file or its folder, where it was moved.
    trust
        Whether to import modules that measures name: code of the recipe's author then runs.
    max_bytes
        Largest size of each file, unpacked; by default 2 GiB.
    progress, workers
        As for `run_benchmark`.

    Raises
    ------
    InputError
        If the folder has no recipe, or a measure names a module and `trust` is not given.
    """
    folder = Path(folder)
    folder = folder.parent if folder.name == RECIPE_FILE and folder.is_file() else folder
    with using_workers(checked_workers(workers)), reading_at_most(max_bytes):
        recipe = Recipe.read(folder)
        place = folder / recipe.folder if source is None else Path(source)
        return Verification(tuple(_checks(folder, place, recipe, progress, trust=trust)))


def _checks(
    folder: Path, source: Path, recipe: Recipe, progress: Progress, *, trust: bool
) -> Iterator[Check]:
    """Look at the inputs first: where these have changed, no result can be expected to hold."""
    path = source if source.is_file() else source / recipe.file
    try:
        parsed = benchmark_of(recipe.benchmark, path, trust=trust).select_part(_part_of(recipe))
        benchmark = replace(parsed, results=folder.resolve())
        inputs = _inputs(benchmark)
    except UntrustedError:  # of the results nothing is known yet
        raise
    except OntoevalError as error:
        yield Check("input", recipe.file, holds=False, finding=f"nothing can be computed: {error}")
        return
    yield from _changed_inputs(benchmark, inputs, recipe)
    yield from _other_versions(benchmark, recipe)
    yield from _outputs(folder, benchmark, recipe, progress)


def _now(benchmark: Benchmark) -> Benchmark:
    """Take the text of the file as it is now."""
    return replace(benchmark, text=benchmark.path.read_bytes().decode(errors="replace"))


def _part_of(recipe: Recipe) -> Part | None:
    """Find the part that was made; older recipes name none."""
    if recipe.part not in {"", *get_args(Part)}:
        raise InputError(f"there is no part {recipe.part!r}", f"Parts are {', '.join(get_args(Part))}.")
    return next((part for part in get_args(Part) if part == recipe.part), None)


def _changed_inputs(benchmark: Benchmark, inputs: dict[str, str], recipe: Recipe) -> Iterator[Check]:
    if recipe.file == COMMAND:
        pass  # the recipe alone holds it
    elif not benchmark.path.exists():
        yield Check("input", recipe.file, holds=True, finding="not there; the recipe holds it")
    elif _now(benchmark).published != recipe.benchmark:
        yield Check("input", recipe.file, holds=False, finding="has changed; what follows is by the recipe")
    for name in sorted({*inputs, *recipe.inputs}):
        before, after = recipe.inputs.get(name), inputs.get(name)
        if before == after:
            finding = WITHHELD if after == WITHHELD else "the same"
        elif before and after:
            finding = "has changed"
        else:
            finding = "is new" if after else "is no longer read"
        yield Check("input", name, before == after, finding, checked=finding != WITHHELD)


def _other_versions(benchmark: Benchmark, recipe: Recipe) -> Iterator[Check]:
    now = versions(_packages(benchmark))
    for name in dict.fromkeys([*now, *recipe.versions]):
        then = recipe.versions.get(name, "not there")
        if then != now.get(name, "not there"):
            finding = f"was {then} by the recipe: numbers may lie {TOLERANCE:g} apart"
            yield Check(VERSION, f"{name} {now.get(name, 'is not there')}", holds=True, finding=finding)


def _outputs(folder: Path, benchmark: Benchmark, recipe: Recipe, progress: Progress) -> Iterator[Check]:
    with TemporaryDirectory() as temporary:
        again = Path(temporary)
        try:
            cut = PartsOptions(parts=recipe.parts or None)
            made_again = write_parts(benchmark, again, progress, command=recipe.file == COMMAND, cut=cut)
        except OntoevalError as error:
            yield Check("output", "everything", holds=False, finding=f"cannot be computed: {error}")
            return
        seed = benchmark.options.plan.seed
        same = recipe.seed == seed
        yield Check("recipe", "seed", same, "the same" if same else f"is {seed}")
        before, after = ("\n".join(lines) for lines in (recipe.conventions, made_again.conventions))
        yield Check("recipe", "conventions", *compare_texts(before, after, recipe))
        made, there = set(files_in(again)), set(files_in(folder)) - {RECIPE_FILE}
        for name in sorted({*made, *recipe.outputs, *there}):
            if name not in recipe.outputs or name not in made:
                yield Check("output", name, holds=False, finding="is none of the results")
            elif name not in there:
                yield Check("output", name, holds=False, finding="is missing")
            else:
                holds, finding, exact = compare_files(folder / name, again / name, recipe)
                if digest_of(folder / name) != recipe.outputs[name]:
                    holds, finding = False, f"was changed after it was written; {finding}"
                yield Check("output", name, holds, finding, exact)


class Verdict(NamedTuple):
    """Whether something still holds."""

    holds: bool
    finding: str
    exact: bool = True


def compare_files(before: Path, after: Path, recipe: Recipe) -> Verdict:
    """Compare a file of results with itself made again."""
    first, second = before.read_bytes(), after.read_bytes()
    if first == second:
        return Verdict(holds=True, finding="the same, byte for byte")
    if before.suffix.lower() == ".parquet":
        return _compare(_of_parquet(before), _of_parquet(after))
    if before.suffix in PICTURES:
        finding = "drawn otherwise; pictures depend on the version of matplotlib, too"
        return Verdict(holds=False, finding=finding)
    return compare_texts(first.decode("utf-8", "replace"), second.decode("utf-8", "replace"), recipe)


def compare_texts(before: str, after: str, recipe: Recipe) -> Verdict:
    """Compare a text with itself made again."""
    if before == after:
        return Verdict(holds=True, finding="the same")
    # The version that wrote a text is no number in it.
    then = f"ontoeval {recipe.versions.get('ontoeval', __version__)}"
    return _compare(before, after.replace(f"ontoeval {__version__}", then))


def _compare(first: str, second: str) -> Verdict:
    before, after = (_NUMBER.findall(text) for text in (first, second))
    lines = enumerate(zip_longest(first.split("\n"), second.split("\n")), 1)
    line = f"from line {next((at for at, (one, other) in lines if one != other), 1)} on"
    same_words = _NUMBER.sub("#", first) == _NUMBER.sub("#", second)
    if len(before) != len(after):
        return Verdict(holds=False, finding=f"other rows, {line}")
    apart = [abs(float(a) - float(b)) if a != b else 0.0 for a, b in zip(before, after, strict=True)]
    count = sum(distance != 0 for distance in apart)
    if not count:
        return Verdict(same_words, "the same numbers" if same_words else f"other words, {line}")
    far = f"{count:,} of {len(apart):,} numbers differ, by at most {max(apart):.2g}"
    if same_words and max(apart) <= TOLERANCE:
        return Verdict(holds=True, finding=f"{far}: rounding", exact=False)
    which = next(which for which, distance in enumerate(apart) if distance != 0)
    return Verdict(holds=False, finding=f"{far}, {line}: {before[which]} is now {after[which]}")


def _of_parquet(path: Path) -> str:
    parquet = requires("pyarrow.parquet", "arrow", "Reading Parquet")
    rows = parquet.read_table(path).to_pylist()
    return "".join(f"{json.dumps(list(row.values()), ensure_ascii=False)}\n" for row in rows)
