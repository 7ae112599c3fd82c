"""``ontoeval run``, ``verify`` and ``demo``: benchmark files and their folders of results."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from ontoeval.benchmarks.benchmark_file import BENCHMARK_FILE, Part, read_benchmark
from ontoeval.benchmarks.parted_runs import PartsOptions
from ontoeval.benchmarks.results import verify, write_results
from ontoeval.benchmarks.scoring_options import Output, Verbose, output_option
from ontoeval.cli.exit_codes import end_with_findings
from ontoeval.cli.limits import FailUnder, RunsFormat, check_limits, competing, limits_of, metrics_text
from ontoeval.errors import InputError, ParameterError, pluralise
from ontoeval.options import Opt
from ontoeval.plumbing.writing import check_folder_name, write_all

if TYPE_CHECKING:
    from ontoeval.benchmarks.runs import ComparedRuns

Trust = Annotated[
    bool,
    Opt(
        "Import the modules of measures that the file names as module:Class. This runs code of the "
        "file's author."
    ),
]


def run(
    cut: PartsOptions,
    file: Annotated[
        Path, Opt(f"The benchmark file, or its folder; by default {BENCHMARK_FILE}.", positional=True)
    ] = Path(BENCHMARK_FILE),
    *,
    out_dir: Annotated[
        Path | None,
        output_option(
            "Write the results into this folder; by default the one that the file names.",
            metavar="FOLDER",
            flags=("--out", "-o"),
        ),
    ] = None,
    part: Annotated[
        Part | None,
        output_option(
            "Compute only this part: the comparison, or the study of the section [study]. The folder then "
            "holds nothing else. By default both."
        ),
    ] = None,
    trust: Trust = False,
    output: RunsFormat = "table",
    fail_under: FailUnder = (),
    verbose: Verbose = False,
) -> None:
    """Run a benchmark file, and write a folder of results with its recipe."""
    from ontoeval.cli.scoring import present_study
    from ontoeval.cli.terminal import emit, out, present_runs, progress, tell, warn
    from ontoeval.reports.terminal import join_lines, paragraphs

    limits = limits_of(fail_under)
    if out_dir is not None:
        check_folder_name("--out", out_dir)
    if part == "study" and (limits or output == "metrics"):
        raise ParameterError("--part", part, "the comparison too, which has the scores of runs")
    benchmark = read_benchmark(file, out=out_dir, trust=trust).select_part(part)
    limits = limits_of(fail_under, benchmark.options.scoring)
    warn(cut.leftovers())
    results = write_results(benchmark, progress, cut)
    where = os.path.relpath(benchmark.results)
    summary = f"All results are in {where}; `ontoeval verify {where}` repeats them."
    compared, studied = results.compared, results.studied
    if output == "metrics":
        emit(metrics_text(competing(cast("ComparedRuns", compared).comparison)))
    else:
        if compared is not None:
            board = (output != "table" and compared.board_of_parts) or compared.board
            present_runs(compared, board, output, verbose=verbose)
        if compared is not None and (parts := compared.comparison.parts):
            summary = f"{summary} leaderboard-by.csv has those of {pluralise(len(parts), 'part')}."
        if studied is not None and compared is None:
            present_study(studied, output, verbose=verbose)
        elif studied is not None:
            tell(["", *studied.verdict.split("\n")], output)
    if output == "table":
        out.print(join_lines(paragraphs(["", summary], out.width, style="bold", indent=2)), soft_wrap=True)
    if compared is not None:
        check_limits(limits, competing(compared.comparison))


def verify_results(
    folder: Annotated[
        Path,
        Opt(
            "Folder of results of `ontoeval run`, or of `ontoeval study --out`; or its recipe.json.",
            metavar="FOLDER",
            positional=True,
        ),
    ],
    *,
    source: Annotated[
        Path | None,
        Opt(
            "The benchmark file or its folder, where it was moved; by default where the results place it.",
            metavar="PATH",
            flags=("--from",),
        ),
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
        end_with_findings()


_BENCHMARK = """\
truth = "truth.csv"
runs = ["runs"]
ontology = "photo"
agreement = "agreement.csv"
report = "report.html"
title = "Demo: photo benchmark"
"""
"""The demo's benchmark file."""


def demo(
    out_dir: Annotated[
        Path,
        Opt("Folder for the benchmark's files and the results.", metavar="FOLDER", flags=("--out", "-o")),
    ] = Path("ontoeval-demo"),
) -> None:
    """Score the shipped photo benchmark: synthetic truth, four runs and an agreement table."""
    from ontoeval.cli.terminal import out, progress, show
    from ontoeval.ontology import ontologies
    from ontoeval.reports.evaluation import leaderboard
    from ontoeval.reports.terminal import join_lines, paragraphs
    from ontoeval.reports.verdicts import best_run

    check_folder_name("--out", out_dir)
    source = ontologies.benchmark()
    files = [source / "truth.csv", source / "agreement.csv", *sorted((source / "runs").glob("*.csv"))]
    copies = {out_dir / file.relative_to(source): file.read_text(encoding="utf-8") for file in files}
    copies[out_dir / BENCHMARK_FILE] = _BENCHMARK
    for path, text in copies.items():
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            raise InputError(
                "another file of this name is there already", "Name an empty folder with --out.", where=path
            )
    write_all(copies)
    found = cast("ComparedRuns", write_results(read_benchmark(out_dir), progress).compared).comparison

    def with_scores(measure: str, *runs: str) -> str:
        scores = [f"{found.scores[found.runs.index(run), found.column(measure)]:.4f}" for run in runs]
        return f"{measure} ({' and '.join(scores)})"

    good, poor = (with_scores(measure, "over-labelling") for measure in ("hF", "OS"))
    alike, apart = (with_scores(measure, "near-miss", "noisy") for measure in ("F", "OS"))
    tells = "the ontology tells near errors from far ones"
    breaks = "it breaks rules of the ontology, which only OS penalises"
    seen = [
        f"Open {out_dir / 'results' / 'report.html'} in a browser. What to see in it:",
        f"'near-miss' and 'noisy' are close by {alike}, and far apart by {apart}: {tells}.",
        f"'over-labelling' is second by {good} and last by {poor}: {breaks}.",
        "",
        "With files of your own:",
        "ontoeval compare TRUTH RUNS --ontology FILE --report page.html",
    ]
    show(replace(leaderboard(competing(found)), head=best_run(found), notes=()), "table")
    where = f"All of these data are synthetic. Data and results are in {out_dir}"
    out.print(join_lines(paragraphs(["", where], out.width, style="bold", indent=2)), soft_wrap=True)
    out.print(join_lines(paragraphs(seen, out.width, indent=2)), soft_wrap=True)
