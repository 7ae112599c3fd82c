"""``ontoeval run``: a benchmark file, from label files to a folder of results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ontoeval.benchmarks.file import FILE, read_benchmark
from ontoeval.cli.compare import show_compared
from ontoeval.cli.terminal import Format, out, progress

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
    output: Annotated[Format, typer.Option("--format", help="How to print the leaderboard.")] = "table",
) -> None:
    """Do all that a benchmark file says, and write a folder of results with its recipe."""
    from ontoeval.benchmarks.running import write_results
    from ontoeval.report.table import written

    benchmark = read_benchmark(file, trust=trust)
    show_compared(write_results(benchmark, progress), output)
    if output == "table":
        where = written(os.path.relpath(benchmark.results))
        out.print(
            Text(f"\n  The results are in {where}; `ontoeval verify {where}` repeats them", style="bold")
        )
