"""``ontoeval study``: compare the measures themselves over many runs."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ontoeval.cli.benchmark import STUDY, as_benchmark
from ontoeval.cli.dataset import Dataset, as_lines, read_dataset
from ontoeval.cli.recipes import FILE, Recipe, inputs_of, packages_of, versions
from ontoeval.cli.scoring import Destinations, WriteRecipe
from ontoeval.cli.scoring_options import (
    DrawingOptions,
    Format,
    Output,
    OutputFolder,
    StudyOptions,
    Verbose,
    output_option,
)
from ontoeval.comparison.plan import Progress, silent
from ontoeval.errors import ParameterError, one_of
from ontoeval.options import flag, flat, values_of
from ontoeval.plumbing.writing import Content

if TYPE_CHECKING:
    from ontoeval.comparison.study import Study
    from ontoeval.core.table import Table

MAIN = ("clusters", "power", "stability", "winners", "changes", "behaviour")
"""Tables that are printed beside the first agreement, if no other is asked for."""


def study(
    options: StudyOptions,
    drawing: DrawingOptions,
    *,
    table: Annotated[
        tuple[str, ...],
        output_option("Table to print, such as agreement-rbo, swaps or sensitivity; can be repeated."),
    ] = (),
    output: Output = "table",
    out_dir: OutputFolder = None,
    verbose: Verbose = False,
) -> None:
    """Study measures over many runs: whether they agree, discriminate, and remain stable."""
    from ontoeval.cli.terminal import progress, warn

    _check_tables(options, table, output)
    places = Destinations(out_dir, study_files(), drawing.report, drawing.figures)
    drawing.check_page()
    scoring = options.scoring
    places.check(scoring.files.values(), scoring.found, {})
    inputs: Mapping[str, str] = {}
    if out_dir is not None:  # paths in what is written start where the command does, as `verify` has them
        options = replace(options, scoring=replace(scoring, folder=Path.cwd()))
        inputs = inputs_of(options.scoring, options.scoring.files)
    made = studied(options, progress)
    write_recipe = None if out_dir is None else _recipe_of(made, options, drawing, out_dir, inputs)
    remarks = made.write(places, drawing, recipe=write_recipe)
    made.show(output, table, verbose=verbose)
    warn(remarks)


@dataclass(frozen=True, eq=False)
class Studied:
    """A study of runs that were read, with its tables."""

    dataset: Dataset
    found: Study
    tables: Mapping[str, Table]

    def recipes(self, printed: list[str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Write the recipe, in full and in short without the lines that were printed."""
        found = self.found
        return self.dataset.recipes(found.signature, found.comparison.first, printed, notes=found.notes)

    @property
    def recipe(self) -> dict[str, list[str]]:
        """The recipe, as JSON holds it."""
        return self.recipes([])[0]

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results."""
        from ontoeval.reports.formats import to_csv, to_latex

        tables, recipe = self.tables, self.recipe
        lines = [line for part in recipe.values() for line in part]
        for name, table in tables.items():
            lines += ["", f"{name}.csv: {table.title}", *table.notes]
        texts = {f"{name}.csv": to_csv(table) for name, table in tables.items()}
        texts |= {f"{name}.tex": to_latex(table) for name, table in tables.items()}
        return {**texts, "study.json": _as_json(tables, recipe), "recipe.txt": as_lines(lines)}

    @property
    def verdict(self) -> str:
        """The answer, in sentences."""
        from ontoeval.reports.verdicts import of_study

        return of_study(self.found)

    def show(self, output: Format, table: Sequence[str] = (), *, verbose: bool = False) -> None:
        """Print the answer, and the main tables or those that are named."""
        from ontoeval.cli.terminal import emit, out, present
        from ontoeval.reports.study import AGREEMENT
        from ontoeval.reports.terminal import join_lines, paragraphs

        first = f"{AGREEMENT}{next(iter(self.found.agreements))}"
        usual = {"json": tuple(self.tables), "csv": ("agreements",)}.get(output, (first, *MAIN))
        shown = {name: self.tables[name] for name in table or usual if name in self.tables}
        if output == "json":
            emit(_as_json(shown, self.recipe))
            return
        if output == "table" and not table:
            out.print(join_lines(paragraphs(["", *self.verdict.split("\n")], out.width)), soft_wrap=True)
        printed = [note for one in shown.values() for note in one.notes]
        present(list(shown.values()), output, self.recipe, None if verbose else self.recipes(printed)[1])

    def write(
        self, places: Destinations, drawing: DrawingOptions, *, recipe: WriteRecipe | None = None
    ) -> list[str]:
        """Write tables, page and figures, or nothing."""

        def page() -> str:
            return self.found.report(teams=self.dataset.runs.by_team, **drawing.about)

        public = self.found.comparison.public
        return places.write(self.texts, page=page, result=self.found, public=public, recipe=recipe)


def studied(options: StudyOptions, progress: Progress = silent) -> Studied:
    """Read all files and study the measures."""
    from ontoeval.comparison.study import study_of
    from ontoeval.reports.study import LEADERBOARD

    with progress("Reading", len(options.scoring.found.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step)
    compared = dataset.compare(options.plan, baselines=(), progress=progress)
    with dataset.withholding():
        found = study_of(compared, correlations=options.methods, changes=options.changes, progress=progress)
    tables = found.tables()
    tables[LEADERBOARD] = dataset.runs.with_teams(tables[LEADERBOARD])
    return Studied(dataset, found, tables)


def study_files() -> list[str]:
    """List the files that a folder of a study may hold, beside page and figures."""
    from ontoeval.comparison.rank_correlation import CORRELATIONS
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    tables = [*(f"{AGREEMENT}{one}" for one in CORRELATIONS), *MAKERS, *NOT_ALWAYS]
    return [
        *(f"{name}.{form}" for name in tables for form in ("csv", "tex")),
        "study.json",
        "recipe.txt",
        FILE,
    ]


def _check_tables(options: StudyOptions, table: tuple[str, ...], output: str) -> None:
    """Refuse tables that this study does not have."""
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    lacking = {"sensitivity", "changes"} if options.no_changes else set()
    lacking |= {"behaviour", "counterexamples"} if options.scoring.reading.ontology is None else set()
    sometimes = [name for name in NOT_ALWAYS if name not in lacking]
    for name in table:
        one_of("--table", name, (*(f"{AGREEMENT}{one}" for one in options.methods), *MAKERS, *sometimes))
    if output == "csv" and len(table) > 1:
        raise ParameterError(
            "--table", list(table), "one table for --format csv; --out writes a file for each"
        )


def _recipe_of(
    made: Studied, options: StudyOptions, drawing: DrawingOptions, folder: Path, inputs: Mapping[str, str]
) -> WriteRecipe:
    """Write the recipe of a folder: the command, and digests of what was read and is written there."""
    # What lies elsewhere is none of the results that `verify` looks for in the folder.
    report, figures = (
        None if path is None or path.parent != folder else Path(path.name)
        for path in (drawing.report, drawing.figures)
    )
    kept = replace(drawing, report=report, figures=figures)
    if kept.report is None:
        kept = replace(kept, title=None, description=None, author=None)

    def write(contents: Mapping[Path, Content]) -> dict[Path, str]:
        written = {
            path.relative_to(folder).as_posix(): text.encode() if isinstance(text, str) else text
            for path, text in contents.items()
            if path.is_relative_to(folder) and isinstance(text, str | bytes)
        }
        recipe = Recipe(
            versions(packages_of(options.scoring, kept.packages)),
            "command",
            Path(os.path.relpath(Path.cwd(), folder.resolve())).as_posix(),
            as_benchmark(options, kept),
            options.plan.seed,
            tuple(made.recipe["recipe"]),
            inputs,
            {name: sha256(data).hexdigest() for name, data in sorted(written.items())},
            STUDY,
            _command(options, kept),
        )
        return {folder / FILE: recipe.text()}

    return write


def _command(options: StudyOptions, drawing: DrawingOptions) -> str:
    """Write the command line of a study."""
    known, words, flags = flat(StudyOptions) | flat(DrawingOptions), list[str](), list[str]()
    for name, value in (values_of(options) | values_of(drawing)).items():
        values = [str(one) for one in (value if isinstance(value, tuple) else (value,))]
        called = (known[name].opt.flags or (flag(name),))[0]
        if known[name].opt.positional:
            words += values
        else:
            flags += [called] if value is True else [word for one in values for word in (called, one)]
    return shlex.join(["ontoeval", "study", *words, *flags])


def _as_json(tables: Mapping[str, Table], recipe: dict[str, list[str]]) -> str:
    from ontoeval.reports.formats import as_json, to_json

    return as_json({"tables": {name: json.loads(to_json(table)) for name, table in tables.items()}, **recipe})
