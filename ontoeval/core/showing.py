"""How a result reaches what shows it: the one way from the rooms below up to `ontoeval.reports`."""

from importlib import import_module
from typing import Any


def reports(name: str) -> Any:  # noqa: ANN401 - whatever function has this name
    """Find a function of `ontoeval.reports`, which is imported only when a result is shown."""
    return getattr(import_module("ontoeval.reports"), name)
