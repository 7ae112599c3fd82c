"""Deferred access to `ontoeval.reports`, the only import from a lower room to a higher one."""

from importlib import import_module
from typing import Any


def reports(name: str) -> Any:  # noqa: ANN401 - whatever function has this name
    """Import `ontoeval.reports`, only when a result is shown, and return its function of this name."""
    return getattr(import_module("ontoeval.reports"), name)
