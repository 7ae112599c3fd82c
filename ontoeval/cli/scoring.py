"""``ontoeval score``, ``thresholds``, ``errors``, ``compare`` and ``study``: runs, and measures over runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ontoeval.benchmarks.destinations import ENDINGS, EXCEL, SCORE_FILES, Destinations, Outputs, in_format_of
from ontoeval.benchmarks.inputs import reader_of
from ontoeval.benchmarks.parted_runs import PartsOptions
from ontoeval.benchmarks.runs import compare_runs, score_runs
from ontoeval.benchmarks.scoring_options import (
    AGREEMENT,
    GROUPS,
    MISSING,
    SAMPLE_WEIGHTS,
    TRUTH,
    ComparisonOptions,
    DrawingOptions,
    Figures,
    Format,
    Output,
    OutputFolder,
    PageOptions,
    PartsBy,
    ScoringOptions,
    StudyOptions,
    Verbose,
    output_option,
)
from ontoeval.cli.limits import FailUnder, RunsFormat, check_limits, competing, limits_of, metrics_text
from ontoeval.core.choices import Missing
from ontoeval.errors import MeasureError, ParameterError, one_of
from ontoeval.labels.reading_options import ONTOLOGY, ReadingOptions
from ontoeval.options import Opt
from ontoeval.plumbing.writing import FileContent, check_table_name

if TYPE_CHECKING:
    from ontoeval.benchmarks.measure_study import StudiedRuns
    from ontoeval.core.showing import FrameRows


def score(
    scoring: ScoringOptions,
    page: PageOptions,
    cut: PartsOptions,
    *,
    by: PartsBy = (),
    output: RunsFormat = "table",
    fail_under: FailUnder = (),
    per_sample: Annotated[
        Path | None,
        output_option("Write the scores of every sample to this file, in the format of its ending."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option(
            "Write counts and scores of every concept to this file, in the format of its ending.", brief=True
        ),
    ] = None,
    out_dir: OutputFolder = None,
    verbose: Verbose = False,
) -> None:
    """Score one or more runs against the truth."""
    from ontoeval.cli.terminal import emit, present_runs, progress, text_of, warn

    limits = limits_of(fail_under, scoring)
    files = {"--per-sample": per_sample, "--per-concept": per_concept}
    for option, path in files.items():
        if scoring.public and path is not None:
            raise ParameterError(option, str(path), "no --public beside it: these scores reveal the truth")
        if path is not None and path.suffix.lower() not in {*ENDINGS, EXCEL}:
            check_table_name(option, path)
    cut.check(scoring, by=by, per_sample=per_sample, per_concept=per_concept)
    scoring.check_parts(by)
    page.check_page()
    places = Destinations(out_dir, SCORE_FILES, page.report)
    read = scoring.files | scoring.files_of_parts(by)
    places.check(read.values(), scoring.found_runs, files)
    warn(cut.leftovers())
    result = score_runs(scoring, progress, cut, by)
    contents, notes = dict[Path, FileContent](), list[str]()
    wanted: dict[FrameRows, Path | None] = {"sample": per_sample, "concept": per_concept}
    for rows, path in wanted.items():
        if path is not None:
            try:
                table = result.each(rows)
            except MeasureError as error:
                expected = "a --threshold beside it, for runs of scores"
                raise ParameterError(f"--per-{rows}", str(path), expected) from error
            contents[path], notes = in_format_of(path, table), [*notes, *table.notes]
    write, present = (
        partial(result.page, page.about),
        partial(present_runs, result, result.board_of_parts or result.board),
    )
    remarks = places.write(
        result.texts, contents, page=write, public=scoring.public, printed=partial(text_of, present)
    )
    if output == "metrics":
        emit(metrics_text(result.results))
    else:
        present(output, verbose=verbose)
    warn([*remarks, *notes])
    check_limits(limits, result.results)


def thresholds(  # noqa: PLR0913 - each is an option
    truth: Annotated[Path, TRUTH],
    scores: Annotated[Path, Opt("File of scores.", metavar="SCORES", positional=True)],
    reading: ReadingOptions,
    *,
    measure: Annotated[
        tuple[str, ...],
        Opt(
            "Measure of label sets to optimise. By default F.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
            brief=True,
        ),
    ] = (),
    per: Annotated[
        Literal["all", "concept"], Opt("One threshold for all concepts, or one for each.", brief=True)
    ] = "all",
    folds: Annotated[int, Opt("Number of folds, each held out once.", least=2)] = 5,
    threshold: Annotated[str | None, Opt("", hidden=True)] = None,
    seed: Annotated[int, Opt("Random seed of the folds.", least=0)] = 0,
    groups: Annotated[Path | None, GROUPS] = None,
    agreement: Annotated[Path | None, AGREEMENT] = None,
    missing: Annotated[Missing, MISSING] = "refuse",
    sample_weights: Annotated[Path | None, SAMPLE_WEIGHTS] = None,
    output: Output = "table",
) -> None:
    """Choose thresholds of scores for a measure, and cross-validate its score; --threshold takes the file."""
    from ontoeval.cli.terminal import present, progress
    from ontoeval.evaluation.tuning import tune_thresholds
    from ontoeval.labels.resolved import refuse_titles_beyond
    from ontoeval.reports.evaluation import chosen_thresholds

    if threshold is not None:
        raise ParameterError("--threshold", threshold, "none: thresholds are chosen here")
    if measure[1:]:
        raise ParameterError("--measure", ", ".join(measure), "one measure")
    reader = reader_of(reading)
    with progress("Reading", 2) as step:
        files = reader.labels(truth, scores, scores=True, step=step)
    refuse_titles_beyond(files)
    true = files[0].sets
    tuned = tune_thresholds(
        true,
        files[1].scores,
        measure=measure[0] if measure else "F",
        per=per,
        folds=folds,
        groups=reader.sample_groups(groups, true),
        seed=seed,
        hierarchy=reader.hierarchy,
        agreement=reader.agreement(agreement, None),
        missing=missing,
        sample_weight=reader.sample_weights(sample_weights, files[0]),
    )
    table = chosen_thresholds(tuned, () if output == "table" else true.vocabulary)
    present([table], output, {"inputs": reader.remarks(files)})


def errors(
    scoring: ScoringOptions,
    *,
    ontology: Annotated[str, ONTOLOGY],
    figures: Figures = None,
    output: Output = "table",
    verbose: Verbose = False,
) -> None:
    """Show the errors of runs by kind (too general, sibling and so on), and what measures charge for each."""
    from ontoeval.cli.terminal import present_runs, progress, warn
    from ontoeval.comparison.error_kinds import errors_of

    del ontology  # it is among the options of reading; here it only is no longer optional
    places = Destinations(None, (), figures=figures)
    places.check(scoring.files.values(), scoring.found_runs, {})
    result = score_runs(scoring, progress, soft=False)
    found = errors_of(result.results)
    remarks = places.write(dict, public=scoring.public, result=found)
    table = result.dataset.runs.with_teams(found.tables()["errors"])
    present_runs(result, table, output, verbose=verbose)
    warn(remarks)


def compare(
    options: ComparisonOptions,
    outputs: Outputs,
    cut: PartsOptions,
    *,
    pairs: Annotated[
        bool, output_option("Print the differences of all pairs of runs, not the leaderboard.")
    ] = False,
    output: RunsFormat = "table",
    fail_under: FailUnder = (),
    verbose: Verbose = False,
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    from ontoeval.cli.terminal import emit, present_runs, progress, text_of, warn

    limits = limits_of(fail_under, options.scoring)
    cut.check_comparison(options, long=outputs.long, report=outputs.report)
    outputs.check(options)
    warn(cut.leftovers())
    compared = compare_runs(options, progress, cut)
    if pairs:
        table = compared.pairs(by_parts=bool(compared.comparison.parts))
    else:
        table = compared.board_of_parts or compared.board
    own, present = competing(compared.comparison), partial(present_runs, compared, table)
    remarks = outputs.write(compared, printed=partial(text_of, present))
    if output == "metrics":
        emit(metrics_text(own))
    else:
        present(output, verbose=verbose)
    warn(remarks)
    check_limits(limits, own)


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
    from ontoeval.benchmarks.measure_study import recipe_writer, study_files, study_runs
    from ontoeval.benchmarks.recipes import inputs_of
    from ontoeval.cli.terminal import progress, text_of, warn

    _check_tables(options, table, output)
    places = Destinations(out_dir, study_files(), drawing.report, drawing.figures)
    drawing.check_page()
    scoring = options.scoring
    places.check(scoring.files.values(), scoring.found_runs, {})
    inputs: Mapping[str, str] = {}
    in_folder = out_dir is not None and places.file_format is None
    if in_folder:  # paths in what is written start where the command does, as `verify` has them
        options = replace(options, scoring=replace(scoring, folder=Path.cwd()))
        inputs = inputs_of(options.scoring, options.scoring.files)
    made = study_runs(options, progress)
    write_recipe = recipe_writer(made, options, drawing, out_dir, inputs) if out_dir and in_folder else None
    present = partial(present_study, made, table=table)
    remarks = made.write(places, drawing, recipe=write_recipe, printed=partial(text_of, present))
    present(output, verbose=verbose)
    warn(remarks)


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
    from ontoeval.benchmarks.measure_study import study_json
    from ontoeval.cli.terminal import emit, out, present, with_measures
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
    if output == "table" and verbose:
        shown[next(iter(shown))] = with_measures(next(iter(shown.values())), made.found.comparison.first)
    present(list(shown.values()), output, made.recipe, None if verbose else made.recipes(printed)[1])
