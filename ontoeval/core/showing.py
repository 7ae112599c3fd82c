"""Deferred access to `ontoeval.reports`, the only import from a lower room to a higher one."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from ontoeval.core.table import Table


def reports(name: str) -> Any:  # noqa: ANN401 - whatever function has this name
    """Import `ontoeval.reports`, only when a result is shown, and return its function of this name."""
    return getattr(import_module("ontoeval.reports"), name)


def tables_of(result: object) -> dict[str, Table]:
    """All tables of a result, by short names."""
    return cast("dict[str, Table]", reports("tables")(result))


def page_of(result: object, **options: Any) -> str:  # noqa: ANN401 - those of the page
    """One HTML page about a result."""
    return cast("str", reports("report")(result, **options))
