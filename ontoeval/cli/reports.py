"""Reports and figures: what the commands share that write some beside their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Report = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write a report to this file: one HTML page.", rich_help_panel="Output"
    ),
]
