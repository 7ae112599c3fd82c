"""Timings side by side with other ways to compute the same: ``python -m benchmarks``, some minutes."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable

import numpy as np
import scipy
from rich.console import Console
from rich.table import Table

import ontoeval
from benchmarks import (
    agreement,
    audit,
    confusion,
    families,
    label_files,
    many_measures,
    ontologies,
    ontology_score,
    start,
    study,
    uncertainty,
)
from benchmarks.measuring import Comparison, Effort

SUITES = (
    confusion,
    ontology_score,
    families,
    many_measures,
    uncertainty,
    study,
    ontologies,
    label_files,
    audit,
    start,
    agreement,
)
NOTES = """\
s: best of three or more; of processes the median of ten. MB: the most that is allocated at a time, beside
what is given. ×: how many times as long the peer takes, whose results are checked to be ours. Both are given
the sets in the form that they work on: 12 labels per sample (MeSH: 13), about half of the predictions right.
"on 500": timed on 500 samples, and scaled to all."""


def main(arguments: list[str] | None = None) -> None:
    """Measure, then print one table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Timings beside peers.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the samples, timed once")
    effort = Effort(0.1 if parser.parse_args(arguments).quick else 1.0)
    rows = []
    for suite in SUITES:
        for row in suite.comparisons(effort):
            print(f"{row.what}, {row.size}", file=sys.stderr)
            rows.append(row)
    console = Console(width=160, highlight=False)
    console.print(as_table(rows, bars=effort.whole))
    console.print(NOTES, style="dim")


def as_table(rows: Iterable[Comparison], *, bars: bool) -> Table:
    """Lay the comparisons out; bars are for whole sizes only."""
    table = Table(
        title=f"ontoeval {ontoeval.__version__}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"SciPy {scipy.__version__}, {platform.machine()}, {os.cpu_count()} processors",
        title_justify="left",
        box=None,
    )
    for name in ("what", "size", "s", "MB", "peer", "peer s", "peer MB", "×", "bar", "met"):
        table.add_column(name, justify="right" if name in {"s", "MB", "peer s", "peer MB", "×"} else "left")
    for row in rows:
        ours, theirs = row.ours, None if row.peer is None else row.peer.cost
        table.add_row(
            row.what,
            row.size,
            _number(ours and ours.seconds, ".3f"),
            _number(ours and ours.megabytes, ".0f"),
            row.peer.name if row.peer else "",
            _number(theirs and theirs.seconds, ",.3f"),
            _number(theirs and theirs.megabytes, ".0f"),
            _number(row.ratio, ",.1f"),
            str(row.bar) if bars and row.bar else "",
            {True: "yes", False: "no", None: ""}[row.met] if bars else "",
        )
    return table


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


if __name__ == "__main__":
    main()
