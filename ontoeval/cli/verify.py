"""``ontoeval verify``: whether the numbers of a folder of results still hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.benchmark_file import Benchmark, benchmark_of
from ontoeval.cli.run import inputs_of, make, packages_of
from ontoeval.cli.terminal import Format, show
from ontoeval.errors import OntoevalError

if TYPE_CHECKING:
    from ontoeval.recipes import Recipe
    from ontoeval.report.table import Table

Row = tuple[str, str, bool, str]

RECIPE, VERSION = "recipe", "version"
"""What a row is about where that is neither an input nor an output."""


def verify(
    folder: Annotated[Path, typer.Argument(help="Folder of results, as `ontoeval run` writes it.")],
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="Folder of the benchmark file, where it lies no longer where it did.",
        ),
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to print the table.")] = "table",
) -> None:
    """Compute results again by their recipe, and say which of them still hold.

    The exit code is 1 where an input has changed, or a result does not hold.
    """
    from ontoeval.recipes import Recipe

    recipe = Recipe.read(folder)
    rows = list(_rows(folder, source or folder / recipe.folder, recipe))
    show(_table(rows), output, verified=all(holds for _, _, holds, _ in rows))
    if not all(holds for _, _, holds, _ in rows):
        raise typer.Exit(1)


def _rows(folder: Path, source: Path, recipe: Recipe) -> Iterator[Row]:
    """Look at the inputs first: where these have changed, no result can be expected to hold."""
    path = source / recipe.file
    try:
        benchmark = replace(benchmark_of(recipe.benchmark, path), results=folder.resolve())
        inputs = inputs_of(benchmark)
    except OntoevalError as error:
        yield "input", recipe.file, False, f"nothing can be computed: {error}"
        return
    yield from _changed_inputs(benchmark, inputs, recipe)
    yield from _other_versions(benchmark, recipe)
    yield from _outputs(folder, benchmark, recipe)


def _changed_inputs(benchmark: Benchmark, inputs: dict[str, str], recipe: Recipe) -> Iterator[Row]:
    from ontoeval.recipes import WITHHELD

    if not benchmark.path.exists():
        yield "input", recipe.file, True, "not there; the recipe holds it"
    elif benchmark.path.read_bytes() != recipe.benchmark.encode():
        yield "input", recipe.file, False, "has changed; what follows is by the recipe"
    for name in sorted({*inputs, *recipe.inputs}):
        before, after = recipe.inputs.get(name), inputs.get(name)
        if before is None or after is None:
            yield "input", name, False, "is new" if before is None else "is no longer read"
        elif before != after:
            yield "input", name, False, "has changed"
        else:
            yield "input", name, True, "withheld" if after == WITHHELD else "the same"


def _other_versions(benchmark: Benchmark, recipe: Recipe) -> Iterator[Row]:
    from ontoeval.recipes import TOLERANCE, versions

    now = versions(packages_of(benchmark))
    for name in dict.fromkeys([*now, *recipe.versions]):
        then = recipe.versions.get(name, "not there")
        if then != now.get(name, "not there"):
            finding = f"was {then}, says the recipe: numbers may lie {TOLERANCE:g} apart"
            yield VERSION, f"{name} {now.get(name, 'is not there')}", True, finding


def _outputs(folder: Path, benchmark: Benchmark, recipe: Recipe) -> Iterator[Row]:
    from ontoeval.recipes import FILE, compare_files, compare_texts, digest_of, files_in

    with TemporaryDirectory() as temporary:
        again = Path(temporary)
        try:
            compared = make(benchmark, again)
        except OntoevalError as error:
            yield "output", "everything", False, f"cannot be computed: {error}"
            return
        seed = benchmark.planned.plan.seed
        yield RECIPE, "seed", recipe.seed == seed, "the same" if recipe.seed == seed else f"is {seed}"
        before, after = ("\n".join(lines) for lines in (recipe.conventions, compared.recipe["recipe"]))
        yield RECIPE, "conventions", *compare_texts(before, after, recipe)
        made, there = set(files_in(again)), set(files_in(folder)) - {FILE}
        for name in sorted({*made, *recipe.outputs, *there}):
            if name not in recipe.outputs or name not in made:
                yield "output", name, False, "is none of the results"
            elif name not in there:
                yield "output", name, False, "is missing"
            else:
                holds, finding = compare_files(folder / name, again / name, recipe)
                if digest_of(folder / name) != recipe.outputs[name]:
                    holds, finding = False, f"was changed after it was written; {finding}"
                yield "output", name, holds, finding


def _table(rows: list[Row]) -> Table:
    from ontoeval.recipes import TOLERANCE
    from ontoeval.report.table import Column, Table

    titles = ("what", "name", "holds", "finding")
    broken = sum(not holds for _, _, holds, _ in rows)
    verdict = f"{broken:,} of {len(rows):,} do not hold." if broken else "Everything holds."
    if not broken and any(what == VERSION for what, _, _, _ in rows):
        verdict = f"Everything holds, but numbers to {TOLERANCE:g} only: the recipe names other versions."
    cells = tuple((what, name, "yes" if holds else "NO", finding) for what, name, holds, finding in rows)
    return Table("Results, computed again", tuple(map(Column, titles)), cells, (verdict,))
