"""Measures by default; and presets: the usual measures of a field, with the conventions of its programs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ontoeval.core.choices import ScoreRepeats
from ontoeval.errors import one_of, pluralise

if TYPE_CHECKING:
    from ontoeval.core.hierarchy import Hierarchy


@dataclass(frozen=True)
class Preset:
    """Measures that a field computes, as its own program does."""

    title: str
    measures: tuple[str, ...]
    conventions: tuple[str, ...]
    source: str
    checked: str
    """What the numbers were compared with: a program at a version or commit, or the definition alone."""
    date: str
    """Day of the comparison."""
    cases: int | None = None
    """Recorded runs of the program; None where none is recorded."""
    digits: int | None = None
    """Decimals that agreed; None where no number could be compared."""
    repeats: ScoreRepeats = "refuse"
    groups: str = ""
    """What the samples are grouped by, where the score is a mean of group means."""
    costs: Mapping[str, tuple[tuple[str, str, float], ...]] = field(default_factory=dict)
    """Tables of costs by name; what they name other than "*" are groups."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Conventions, and what the numbers were compared with."""
        digits = "" if self.digits is None else f", {self.digits} decimals"
        cases = "" if self.cases is None else f", {pluralise(self.cases, 'recorded case')}"
        return (*self.conventions, f"Compared with {self.checked}{cases} ({self.date}{digits}).")


def _presets() -> dict[str, Preset]:
    text = files("ontoeval").joinpath("presets.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    for table in tables.values():
        table |= {key: tuple(table[key]) for key in ("measures", "conventions")}
        table["costs"] = {key: tuple(map(tuple, rows)) for key, rows in table.get("costs", {}).items()}
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


DEFAULT_MEASURES = ("F", "P", "R", "F(average='macro')", "Jaccard", "Hamming", "ExactMatch")
"""Measures of sets by default, without a hierarchy. The first measure ranks the runs."""

DEFAULT_ONTOLOGY_MEASURES = ("hF", "OS", "F", "F(average='macro')")
"""Measures of sets by default, with a hierarchy."""

WITH_SEVERAL_PARENTS = "LCaF"
"""Takes the place of the first of these where labels have several parents."""

SEVERAL_PARENTS = 0.25
"""Share of the labels that have several parents, or lie below a concept that has, from which it does."""

DEFAULT_SCORE_MEASURES = ("LRAP", "RankingLoss", "OneError", "AP", "AUC")
"""Measures of scores by default; with a hierarchy Fmax comes first."""


def usual_measures(hierarchy: Hierarchy | None, *, scores: bool, shares: bool = False) -> tuple[str, ...]:
    """Measures by default; beside shares of annotators those that only need sums."""
    if shares:
        return DEFAULT_MEASURES[:4] if hierarchy is None else ("hF", "hP", "hR")
    if scores:
        return ("Fmax",) * (hierarchy is not None) + DEFAULT_SCORE_MEASURES
    if hierarchy is None:
        return DEFAULT_MEASURES
    first, *others = DEFAULT_ONTOLOGY_MEASURES
    return (WITH_SEVERAL_PARENTS if _have_several_parents(hierarchy) else first, *others)


def _have_several_parents(hierarchy: Hierarchy) -> bool:
    """Whether enough labels have several parents, or lie below a concept that has."""
    import numpy as np

    several, marks = hierarchy.several_parents, np.zeros(len(hierarchy.vocabulary), dtype=bool)
    # Where all ancestors lie on one path, the other links are redundant.
    marks[several] = np.diff(hierarchy.ancestors_of_several.indptr) > hierarchy.depth[several] + 1
    for members in hierarchy.generations[1:]:
        marks[members] |= hierarchy.parents[members] @ marks
    return bool(marks.any() and marks[hierarchy.labels].mean() >= SEVERAL_PARENTS)
