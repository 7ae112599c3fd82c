"""Extras: optional packages, imported where they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ontoeval.errors import MissingExtraError


def requires(package: str, extra: str, feature: str) -> Any:  # noqa: ANN401 - a module, whatever it offers
    """Import an optional package, or say which extra brings it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(package, extra, feature) from error
