"""Tables and pages of any result: the module of its kind is imported when the result is shown."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from ontoeval.core.checks import requires
from ontoeval.core.table import Table

MODULES = {
    "AnnotatorAgreement": "agreement",
    "Behaviour": "sensitivity",
    "Comparison": "comparison",
    "Findings": "audit",
    "Study": "study",
}
"""The module that shows each type of result: its function `tables`, and `report` where it has a page."""


def tables(result: Any) -> dict[str, Table]:  # noqa: ANN401 - one of these types
    """Make all tables of a result, by short names."""
    return _shown(result, "tables")(result)  # type: ignore[no-any-return]


def report(result: Any, **options: Any) -> str:  # noqa: ANN401 - one of these types
    """Write one HTML page about a result, which needs nothing else."""
    return _shown(result, "report")(result, **options)  # type: ignore[no-any-return]


def _shown(result: Any, what: str) -> Any:  # noqa: ANN401
    (module,) = (MODULES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in MODULES)
    return getattr(import_module(f"{__package__}.{module}"), what)


def check_report(path: Path | None) -> None:
    """Refuse a report that cannot be written, before an hour of work."""
    if path is not None:
        for package in ("jinja2", "plotly"):
            requires(package, "report", "A report")


def check_figures(folder: Path | None) -> None:
    """Refuse figures that cannot be drawn, before an hour of work."""
    if folder is not None:
        requires("matplotlib", "figures", "A figure")
