"""``ontoeval study`` and ``pitfall``: measures themselves, over many runs and on small cases."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ontoeval.benchmarks.destinations import Destinations
from ontoeval.benchmarks.inputs import reader_of
from ontoeval.benchmarks.measure_study import StudiedRuns, recipe_writer, study_files, study_json, study_runs
from ontoeval.benchmarks.recipes import inputs_of
from ontoeval.benchmarks.scoring_options import (
    DrawingOptions,
    Format,
    Output,
    OutputFolder,
    StudyOptions,
    Verbose,
    output_option,
)
from ontoeval.core.table import cell_text
from ontoeval.errors import ParameterError, one_of
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.options import Opt
from ontoeval.plumbing.writing import FileContent, write_all

MAIN = ("clusters", "power", "stability", "winners", "changes", "behaviour")
"""Tables that are printed beside the first agreement, if no other is asked for."""


def study(
    options: StudyOptions,
    drawing: DrawingOptions,
    *,
    table: Annotated[
        tuple[str, ...],
        output_option(
            "Table to print, such as agreement-rbo, swaps or sensitivity; can be repeated. By "
            "default the answer and the main tables.",
            brief=True,
        ),
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
    places.check(scoring.files.values(), scoring.found_runs, {})
    inputs: Mapping[str, str] = {}
    if out_dir is not None:  # paths in what is written start where the command does, as `verify` has them
        options = replace(options, scoring=replace(scoring, folder=Path.cwd()))
        inputs = inputs_of(options.scoring, options.scoring.files)
    made = study_runs(options, progress)
    write_recipe = None if out_dir is None else recipe_writer(made, options, drawing, out_dir, inputs)
    remarks = made.write(places, drawing, recipe=write_recipe)
    present_study(made, output, table, verbose=verbose)
    warn(remarks)


def pitfall(
    reading: ReadingOptions,
    *,
    measure: Annotated[
        str, Opt("Measure in its notation.", metavar="NOTATION", flags=("--measure", "-m"), brief=True)
    ],
    axiom: Annotated[
        tuple[str, ...],
        Opt(
            "Axiom to break; can be repeated. By default those by which a prediction is plainly better.",
            brief=True,
        ),
    ] = (),
    least: Annotated[
        float, Opt("Least fall of the score of the better prediction that is searched for.")
    ] = 0.01,
    seed: Annotated[int, Opt("Random seed.", least=0)] = 0,
    out_dir: Annotated[
        Path | None,
        output_option(
            "Write each case into a folder in this folder.", metavar="FOLDER", flags=("--out", "-o")
        ),
    ] = None,
) -> None:
    """Search for a small case in which a measure scores a plainly better prediction lower."""
    from ontoeval.cli.terminal import out, show, tell
    from ontoeval.comparison.pitfalls import PLAINLY_BETTER, find_pitfalls
    from ontoeval.reports.pitfalls import files, picture

    hierarchy = reader_of(reading).hierarchy
    found = find_pitfalls(
        measure, hierarchy=hierarchy, axioms=axiom or PLAINLY_BETTER, least=least, seed=seed
    )
    contents, commands = dict[Path, FileContent](), []
    for one in found.pitfalls if out_dir else ():
        folder = Path(out_dir or "", one.axiom.replace(" ", "-"))
        written = {folder / name: content for name, content in files(one).items()}
        *tree, truth, worse, better = map(str, written)
        ontology = [*tree, str(reading.ontology)][0]
        words = ["ontoeval", "score", truth, worse, better, "--ontology", ontology, "-m", found.measure]
        commands.append(cell_text(shlex.join(words)))
        contents |= written
    write_all(contents)
    for one in found.pitfalls:
        show(picture(one), "table")
    tell([found.verdict], "table")
    out.print("\n".join(commands), soft_wrap=True, markup=False, end="\n" * bool(commands))


def _check_tables(options: StudyOptions, table: tuple[str, ...], output: str) -> None:
    """Refuse tables that this study does not have."""
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    lacking = {"sensitivity", "changes"} if options.no_changes else set()
    lacking |= {"behaviour", "counterexamples"} if options.scoring.reading.ontology is None else set()
    sometimes = [name for name in NOT_ALWAYS if name not in lacking]
    for name in table:
        one_of(
            "--table",
            name,
            (*(f"{AGREEMENT}{one}" for one in options.chosen_correlations), *MAKERS, *sometimes),
        )
    if output == "csv" and len(table) > 1:
        raise ParameterError(
            "--table", list(table), "one table for --format csv; --out writes a file for each"
        )


def present_study(
    made: StudiedRuns, output: Format, table: Sequence[str] = (), *, verbose: bool = False
) -> None:
    """Print the answer, and the main tables or those that are named."""
    from ontoeval.cli.terminal import emit, out, present
    from ontoeval.reports.study import AGREEMENT
    from ontoeval.reports.terminal import join_lines, paragraphs

    first = f"{AGREEMENT}{next(iter(made.found.agreements))}"
    usual = {"json": tuple(made.tables), "csv": ("agreements",)}.get(output, (first, *MAIN))
    shown = {name: made.tables[name] for name in table or usual if name in made.tables}
    if output == "json":
        emit(study_json(shown, made.recipe))
        return
    if output == "table" and not table:
        out.print(join_lines(paragraphs(["", *made.verdict.split("\n")], out.width)), soft_wrap=True)
    printed = [note for one in shown.values() for note in one.notes]
    present(list(shown.values()), output, made.recipe, None if verbose else made.recipes(printed)[1])
