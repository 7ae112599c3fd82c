"""``ontoeval score``, ``errors`` and ``compare``: runs against the truth, alone and side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from ontoeval.benchmarks.destinations import SCORE_FILES, Destinations, Outputs
from ontoeval.benchmarks.parted_runs import PartsOptions
from ontoeval.benchmarks.runs import compare_runs, score_runs
from ontoeval.benchmarks.scoring_options import (
    ComparisonOptions,
    Figures,
    Output,
    PageOptions,
    ScoringOptions,
    Verbose,
    output_option,
)
from ontoeval.cli.limits import FailUnder, RunsFormat, check_limits, competing, limits_of, metrics_text
from ontoeval.errors import ParameterError
from ontoeval.labels.reading_options import ONTOLOGY
from ontoeval.plumbing.writing import FileContent


def score(
    scoring: ScoringOptions,
    page: PageOptions,
    cut: PartsOptions,
    *,
    output: RunsFormat = "table",
    fail_under: FailUnder = (),
    per_sample: Annotated[
        Path | None,
        output_option("Write the scores of every sample to this file, as CSV."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option("Write counts, P, R and F of every concept to this file, as CSV.", brief=True),
    ] = None,
    out_dir: Annotated[
        Path | None,
        output_option(
            "Write all results into this folder.", metavar="FOLDER", flags=("--out", "-o"), brief=True
        ),
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Score one or more runs against the truth."""
    from ontoeval.cli.terminal import emit, present_runs, progress, warn

    limits = limits_of(fail_under)
    files = {"--per-sample": per_sample, "--per-concept": per_concept}
    for option, path in files.items():
        if scoring.public and path is not None:
            raise ParameterError(option, str(path), "no --public beside it: these scores reveal the truth")
    cut.check(scoring, per_sample=per_sample, per_concept=per_concept)
    page.check_page()
    places = Destinations(out_dir, SCORE_FILES, page.report)
    places.check(scoring.files.values(), scoring.found_runs, files)
    warn(cut.leftovers())
    result = score_runs(scoring, progress, cut)
    if per_concept is not None and not result.sets:
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    contents: dict[Path, FileContent] = {}
    if per_sample is not None:
        contents[per_sample] = result.per_sample()
    if per_concept is not None:
        contents[per_concept] = result.per_concept()
    write = partial(result.page, page.about)
    remarks = places.write(result.texts, contents, page=write, public=scoring.public)
    if output == "metrics":
        emit(metrics_text(result.results))
    else:
        present_runs(result, result.board, output, verbose=verbose)
    warn(remarks)
    check_limits(limits, result.results)


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
    result = score_runs(scoring, progress)
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
    from ontoeval.cli.terminal import emit, present_runs, progress, warn

    limits = limits_of(fail_under)
    cut.check_comparison(options, long=outputs.long, report=outputs.report)
    outputs.check(options)
    warn(cut.leftovers())
    compared = compare_runs(options, progress, cut)
    remarks = outputs.write(compared)
    if pairs:
        table = compared.pairs(by_parts=bool(compared.sliced))
    else:
        table = compared.board_of_parts if compared.sliced else compared.board
    own = competing(compared.comparison)
    if output == "metrics":
        emit(metrics_text(own))
    else:
        present_runs(compared, table, output, verbose=verbose)
    warn(remarks)
    check_limits(limits, own)
