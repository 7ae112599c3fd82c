"""Reports and figures: what the commands share that write some beside their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.report.packages import check_figures as check_figures  # noqa: PLC0414 - commands find it here
from ontoeval.report.packages import check_report as check_report  # noqa: PLC0414 - and this

Report = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write a report to this file: one HTML page.", rich_help_panel="Output"
    ),
]
