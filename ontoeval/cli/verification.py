"""``ontoeval verify``: whether the numbers of a folder of results still hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ontoeval._version import __version__
from ontoeval.cli.benchmark import Benchmark, UntrustedError, benchmark_of
from ontoeval.cli.exits import Exit
from ontoeval.cli.options import Output
from ontoeval.cli.results import (
    FILE,
    WITHHELD,
    Recipe,
    Trust,
    digest_of,
    files_in,
    inputs_of,
    make,
    packages_of,
    versions,
)
from ontoeval.comparison.plan import Progress, silent
from ontoeval.core.checks import requires
from ontoeval.core.files import FilePath, reading_at_most
from ontoeval.errors import OntoevalError, enumerate_some
from ontoeval.options import Opt

if TYPE_CHECKING:
    from ontoeval.core.table import Table

TOLERANCE = 1e-12
"""Largest difference of numbers that hold: processors and versions round the last digits differently."""

_PICTURES = frozenset({".pdf", ".png", ".svg"})

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
"""A number; not one within a word, such as a digest."""

VERSION = "version"
"""A check that cannot fail."""


def verify_results(
    folder: Annotated[Path, Opt("Folder of results of `ontoeval run`.", metavar="FOLDER", positional=True)],
    *,
    source: Annotated[
        Path | None,
        Opt("The benchmark file or its folder, where it was moved.", metavar="PATH", flags=("--from",)),
    ] = None,
    trust: Trust = False,
    output: Output = "table",
) -> None:
    """Compute results again by their recipe, and compare.

    The exit code is 1 where an input has changed, or a result does not hold.
    """
    from ontoeval.cli.terminal import progress, show

    found = verify(folder, source=source, trust=trust, progress=progress)
    show(found.table(), output, verified=found.holds)
    if not found.holds:
        raise typer.Exit(Exit.FINDINGS)


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
        """List the checks.

        Returns
        -------
        Table
            One row per check.
        """
        from ontoeval.core.table import Column, Table

        titles = ("what", "name", "holds", "finding")
        cells = tuple((check.what, check.name, check.verdict, check.finding) for check in self.checks)
        return Table("Results, computed again", tuple(map(Column, titles)), cells, (self.verdict,), keys=2)


def verify(
    folder: FilePath,
    *,
    source: FilePath | None = None,
    trust: bool = False,
    max_bytes: int | None = None,
    progress: Progress = silent,
) -> Verification:
    """Compute results again by their recipe, and compare.

    Parameters
    ----------
    folder
        Folder of results, as `run_benchmark` writes it.
    source
        The benchmark file or its folder, where it was moved.
    trust
        Whether measures of the recipe that name a module, "module:Class", are imported: code of the
        recipe's author then runs.
    max_bytes
        How large each file may be, unpacked; by default 2 GiB.
    progress
        Progress callback: called with a description and a number of steps, it returns a context manager
        whose value is called after each step. By default nothing is shown.

    Returns
    -------
    Verification
        The checks, and whether all hold.

    Raises
    ------
    InputError
        If the folder has no recipe, or a measure names a module and `trust` is not given.
    """
    folder = Path(folder)
    with reading_at_most(max_bytes):
        recipe = Recipe.read(folder)
        place = folder / recipe.folder if source is None else Path(source)
        return Verification(tuple(_checks(folder, place, recipe, progress, trust=trust)))


def _checks(
    folder: Path, source: Path, recipe: Recipe, progress: Progress, *, trust: bool
) -> Iterator[Check]:
    """Look at the inputs first: where these have changed, no result can be expected to hold."""
    path = source if source.is_file() else source / recipe.file
    try:
        benchmark = replace(benchmark_of(recipe.benchmark, path, trust=trust), results=folder.resolve())
        inputs = inputs_of(benchmark)
    except UntrustedError:  # of the results nothing is known yet
        raise
    except OntoevalError as error:
        yield Check("input", recipe.file, holds=False, finding=f"nothing can be computed: {error}")
        return
    yield from _changed_inputs(benchmark, inputs, recipe)
    yield from _other_versions(benchmark, recipe)
    yield from _outputs(folder, benchmark, recipe, progress)


def _changed_inputs(benchmark: Benchmark, inputs: dict[str, str], recipe: Recipe) -> Iterator[Check]:
    if not benchmark.path.exists():
        yield Check("input", recipe.file, holds=True, finding="not there; the recipe holds it")
    elif benchmark.path.read_bytes() != recipe.benchmark.encode():
        yield Check("input", recipe.file, holds=False, finding="has changed; what follows is by the recipe")
    for name in sorted({*inputs, *recipe.inputs}):
        before, after = recipe.inputs.get(name), inputs.get(name)
        if before is None:
            finding = "is new"
        elif after is None:
            finding = "is no longer read"
        elif before != after:
            finding = "has changed"
        else:
            finding = WITHHELD if after == WITHHELD else "the same"
        yield Check("input", name, before == after, finding, checked=finding != WITHHELD)


def _other_versions(benchmark: Benchmark, recipe: Recipe) -> Iterator[Check]:
    now = versions(packages_of(benchmark))
    for name in dict.fromkeys([*now, *recipe.versions]):
        then = recipe.versions.get(name, "not there")
        if then != now.get(name, "not there"):
            finding = f"was {then}, says the recipe: numbers may lie {TOLERANCE:g} apart"
            yield Check(VERSION, f"{name} {now.get(name, 'is not there')}", holds=True, finding=finding)


def _outputs(folder: Path, benchmark: Benchmark, recipe: Recipe, progress: Progress) -> Iterator[Check]:
    with TemporaryDirectory() as temporary:
        again = Path(temporary)
        try:
            compared = make(benchmark, again, progress)
        except OntoevalError as error:
            yield Check("output", "everything", holds=False, finding=f"cannot be computed: {error}")
            return
        seed = benchmark.options.plan.seed
        same = recipe.seed == seed
        yield Check("recipe", "seed", same, "the same" if same else f"is {seed}")
        before, after = ("\n".join(lines) for lines in (recipe.conventions, compared.recipe["recipe"]))
        yield Check("recipe", "conventions", *compare_texts(before, after, recipe))
        made, there = set(files_in(again)), set(files_in(folder)) - {FILE}
        for name in sorted({*made, *recipe.outputs, *there}):
            if name not in recipe.outputs or name not in made:
                yield Check("output", name, holds=False, finding="is none of the results")
            elif name not in there:
                yield Check("output", name, holds=False, finding="is missing")
            else:
                verdict = compare_files(folder / name, again / name, recipe)
                if digest_of(folder / name) != recipe.outputs[name]:
                    finding = f"was changed after it was written; {verdict.finding}"
                    verdict = verdict._replace(holds=False, finding=finding)
                yield Check("output", name, *verdict)


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
    if before.suffix in _PICTURES:
        return Verdict(
            holds=False, finding="drawn otherwise; pictures depend on the version of matplotlib, too"
        )
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
    line = f"from line {_line(first, second)} on"
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


def _line(first: str, second: str) -> int:
    """Find the number of the first line that differs."""
    lines = [text.split("\n") for text in (first, second)]
    same: Iterator[bool] = (a == b for a, b in zip(lines[0], lines[1], strict=False))
    return next((number for number, alike in enumerate(same, 1) if not alike), min(map(len, lines)) + 1)


def _of_parquet(path: Path) -> str:
    """Write a table of Parquet as text."""
    parquet = requires("pyarrow.parquet", "arrow", "Reading Parquet")
    rows = parquet.read_table(path).to_pylist()
    return "".join(f"{json.dumps(list(row.values()), ensure_ascii=False)}\n" for row in rows)
