"""``ontoeval run``: a benchmark file, from label files to a folder of results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.benchmark_file import FILE, read_benchmark
from ontoeval.cli.compare import show_compared
from ontoeval.cli.option_table import output_option
from ontoeval.cli.reports import Verbose
from ontoeval.cli.terminal import Format, out, progress
from ontoeval.errors import counted

BenchmarkPath = Annotated[
    Path, typer.Argument(metavar="FILE", help=f"The benchmark file, or its folder; by default {FILE}.")
]

Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Import the modules of measures that the file names as module:Class. This runs code of the "
        "file's author.",
    ),
]


def run(
    file: BenchmarkPath = Path(FILE),
    *,
    trust: Trust = False,
    output: Annotated[Format, output_option("--format", help="How to print the leaderboard.")] = "table",
    verbose: Verbose = False,
) -> None:
    """Do all that a benchmark file says, and write a folder of results with its recipe."""
    from ontoeval.cli.running import write_results
    from ontoeval.reports.terminal import joined, paragraphs

    benchmark = read_benchmark(file, trust=trust)
    compared = write_results(benchmark, progress)
    whole = output == "table" or not compared.sliced
    show_compared(compared, compared.board if whole else compared.board_by, output, verbose=verbose)
    if output == "table":
        where = os.path.relpath(benchmark.results)
        said = f"All results are in {where}; `ontoeval verify {where}` repeats them."
        if compared.sliced:
            said = f"{said} leaderboard-by.csv has those of {counted(len(compared.sliced), 'part')}."
        out.print(joined(paragraphs(["", said], out.width, style="bold", indent=2)), soft_wrap=True)
