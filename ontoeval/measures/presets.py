"""Presets: the usual measures of a field, with the conventions of its programs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from ontoeval.core.choices import ScoreRepeats
from ontoeval.errors import one_of


@dataclass(frozen=True)
class Preset:
    """Measures that a field computes, as its own program does."""

    title: str
    measures: tuple[str, ...]
    conventions: tuple[str, ...]
    source: str
    repeats: ScoreRepeats = "refuse"


def _presets() -> dict[str, Preset]:
    text = files("ontoeval").joinpath("presets.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    for table in tables.values():
        table |= {key: tuple(table[key]) for key in ("measures", "conventions")}
    return {name: Preset(**table) for name, table in tables.items()}


PRESETS = _presets()
"""Every preset by name."""


def preset(name: str) -> Preset:
    """Look up a preset.

    Parameters
    ----------
    name
        A key of `PRESETS`, such as "sklearn".

    Raises
    ------
    ParameterError
        If there is none by that name.

    Examples
    --------
    >>> preset("sklearn").measures[0]
    "F(average='micro', undefined=0.0)"
    """
    one_of("preset", name, tuple(PRESETS))
    return PRESETS[name]
