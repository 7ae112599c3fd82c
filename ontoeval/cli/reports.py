"""Reports and figures: what the commands share that write some beside their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ontoeval.cli.option_table import output_option

Report = Annotated[
    Path | None,
    output_option(metavar="FILE", help="Write a report to this file: one HTML page."),
]

Verbose = Annotated[
    bool, output_option("--verbose", help="Print the whole recipe: all files, and all options of measures.")
]
