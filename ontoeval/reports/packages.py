"""Packages that reports and figures need: asked for before an hour of work."""

from __future__ import annotations

from pathlib import Path

from ontoeval.core.extras import requires


def check_report(path: Path | None) -> None:
    """Refuse a report that cannot be written, before an hour of work."""
    if path is not None:
        for package in ("jinja2", "plotly"):
            requires(package, "report", "A report")


def check_figures(folder: Path | None) -> None:
    """Refuse figures that cannot be drawn, before an hour of work."""
    if folder is not None:
        requires("matplotlib", "figures", "A figure")
