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


def check_report(path: Path | None) -> None:
    """Refuse a report that cannot be written, before an hour of work.

    Parameters
    ----------
    path
        Where it is wanted, if it is.

    Raises
    ------
    MissingExtraError
        If a package is not installed that writes it.
    """
    from ontoeval.extras import requires

    if path is not None:
        for package in ("jinja2", "plotly"):
            requires(package, "report", "A report")


def check_figures(folder: Path | None) -> None:
    """Refuse figures that cannot be drawn, before an hour of work.

    Parameters
    ----------
    folder
        Where they are wanted, if they are.

    Raises
    ------
    MissingExtraError
        If the package is not installed that draws them.
    """
    from ontoeval.extras import requires

    if folder is not None:
        requires("matplotlib", "figures", "A figure")
