"""Verifying: whether the numbers of a folder of results still hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from ontoeval.cli.benchmark_file import Benchmark, UntrustedError, benchmark_of
from ontoeval.cli.progress import Progress, silent
from ontoeval.cli.recipe import FILE, WITHHELD, Recipe, digest_of, files_in, versions
from ontoeval.cli.running import inputs_of, make, packages_of
from ontoeval.cli.sameness import TOLERANCE, compare_files, compare_texts
from ontoeval.core.files import FilePath
from ontoeval.core.limits import reading_at_most
from ontoeval.errors import OntoevalError, listed

if TYPE_CHECKING:
    from ontoeval.core.table import Table

VERSION = "version"
"""What a check is of that cannot fail."""


class Check(NamedTuple):
    """One thing that was looked at.

    Parameters
    ----------
    what
        "input", "version", "recipe" or "output".
    name
        The file, or the part of the recipe.
    holds
        Whether it is as it was.
    finding
        What was found, in words.
    exact
        Whether it is so to the last digit.
    checked
        Whether it could be looked at; what could not holds, as far as is known.
    """

    what: str
    name: str
    holds: bool
    finding: str
    exact: bool = True
    checked: bool = True

    @property
    def verdict(self) -> str:
        """Say in a word whether it holds."""
        if not self.checked:
            return "not checked"
        return "yes" if self.holds else "NO"


@dataclass(frozen=True)
class Verification:
    """Results that have been computed again.

    Parameters
    ----------
    checks
        What was looked at: inputs, versions, the recipe, outputs.
    """

    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that could be checked is as it was."""
        return all(check.holds for check in self.checks)

    @property
    def verdict(self) -> str:
        """Say in a sentence whether everything holds."""
        broken = sum(not check.holds for check in self.checks)
        if broken:
            return f"{broken:,} of {len(self.checks):,} do not hold."
        unchecked = [check.name for check in self.checks if not check.checked]
        more = f" Not checked, since no digest was made of it: {listed(unchecked)}." if unchecked else ""
        close = f"Everything holds, but numbers to {TOLERANCE:g} only: "
        if any(check.what == VERSION for check in self.checks):
            return f"{close}the recipe names other versions.{more}"
        if not all(check.exact for check in self.checks):
            return f"{close}the last digits are rounded otherwise.{more}"
        return f"Everything holds.{more}"

    def table(self) -> Table:
        """List what was looked at.

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
    """Compute results again by their recipe, and tell which of them still hold.

    Parameters
    ----------
    folder
        Folder of results, as `run_benchmark` writes it.
    source
        The benchmark file or its folder, where it lies no longer where it did.
    trust
        Whether measures of the recipe that name a module, "module:Class", are imported: code of the
        recipe's author then runs.
    max_bytes
        How large each file may be, unpacked; by default 2 GiB.
    progress
        Shows how far the work is: called with what is done and in how many steps, it gives a context whose
        value is called after each. By default nothing is shown.

    Returns
    -------
    Verification
        What was looked at, and whether it holds.

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
        seed = benchmark.planned.plan.seed
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
