"""A study of the measures over runs that were read, with its tables and its recipe."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ontoeval.benchmarks.benchmark_file import STUDY, as_benchmark
from ontoeval.benchmarks.dataset import Dataset, as_lines, read_dataset
from ontoeval.benchmarks.destinations import Destinations, Printed, WriteRecipe
from ontoeval.benchmarks.recipes import COMMAND, RECIPE_FILE, Recipe, packages_of, versions
from ontoeval.benchmarks.scoring_options import DrawingOptions, StudyOptions
from ontoeval.comparison.plan import Progress, silent
from ontoeval.core.showing import page_of
from ontoeval.plumbing.writing import FileContent

if TYPE_CHECKING:
    from ontoeval.comparison.study import Study
    from ontoeval.core.table import Table


@dataclass(frozen=True, eq=False)
class StudiedRuns:
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
        return {**texts, "study.json": study_json(tables, recipe), "recipe.txt": as_lines(lines)}

    @property
    def verdict(self) -> str:
        """The answer, in sentences."""
        from ontoeval.reports.verdicts import of_study

        return of_study(self.found)

    def write(
        self,
        places: Destinations,
        drawing: DrawingOptions,
        *,
        recipe: WriteRecipe | None = None,
        printed: Printed | None = None,
    ) -> list[str]:
        """Write tables, page and figures, or nothing."""

        def page() -> str:
            one = self.dataset
            return page_of(self.found, teams=one.runs.by_team, inputs=one.remarks, **drawing.about)

        public = self.found.comparison.public
        return places.write(
            self.texts, page=page, result=self.found, public=public, recipe=recipe, printed=printed
        )


def study_runs(options: StudyOptions, progress: Progress = silent) -> StudiedRuns:
    """Read all files and study the measures."""
    from ontoeval.comparison.study import study_of
    from ontoeval.labels.per_sample import read_criterion
    from ontoeval.reports.study import LEADERBOARD

    with progress("Reading", len(options.scoring.found_runs.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step)
    compared = dataset.compare(options.plan, baselines=(), progress=progress)
    with dataset.withholding():
        found = study_of(
            compared,
            correlations=options.chosen_correlations,
            changes=options.changes,
            criterion=None if options.criterion is None else read_criterion(options.criterion),
            criterion_best=options.criterion_best,
            teams=dataset.runs.by_team,
            progress=progress,
        )
    tables = found.tables()
    tables[LEADERBOARD] = dataset.runs.with_teams(tables[LEADERBOARD])
    return StudiedRuns(dataset, found, tables)


def study_files() -> list[str]:
    """List the files that a folder of a study may hold, beside page and figures."""
    from ontoeval.comparison.rank_correlation import CORRELATIONS
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    tables = [*(f"{AGREEMENT}{one}" for one in CORRELATIONS), *MAKERS, *NOT_ALWAYS]
    return [
        *(f"{name}.{form}" for name in tables for form in ("csv", "tex")),
        "study.json",
        "recipe.txt",
        RECIPE_FILE,
    ]


def recipe_writer(
    made: StudiedRuns, options: StudyOptions, drawing: DrawingOptions, folder: Path, inputs: Mapping[str, str]
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

    def write(contents: Mapping[Path, FileContent]) -> dict[Path, str]:
        written = {
            path.relative_to(folder).as_posix(): text.encode() if isinstance(text, str) else text
            for path, text in contents.items()
            if path.is_relative_to(folder) and isinstance(text, str | bytes)
        }
        recipe = Recipe(
            versions(packages_of(options.scoring, kept.packages)),
            COMMAND,
            Path(os.path.relpath(Path.cwd(), folder.resolve())).as_posix(),
            as_benchmark(options, kept),
            options.plan.seed,
            tuple(made.recipe["recipe"]),
            inputs,
            {name: sha256(data).hexdigest() for name, data in sorted(written.items())},
            STUDY,
        )
        return {folder / RECIPE_FILE: recipe.text()}

    return write


def study_json(tables: Mapping[str, Table], recipe: dict[str, list[str]]) -> str:
    """Write tables and the recipe as JSON."""
    from ontoeval.reports.formats import as_json, to_json

    return as_json({"tables": {name: json.loads(to_json(table)) for name, table in tables.items()}, **recipe})
