"""Comparisons that pages are made of: ordinary ones, and ones whose names try to be more than names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ontoeval as oe
from ontoeval.comparison.result import Comparison

HOSTILE = (
    "</script><script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "<b>bold</b>&amp;%{x}$y$",
    "line\nbreak\x1b[31m\x00",
    "\u202egnp.exe",
    "2011-01-01",
    "{{7*7}}",
    "a' onmouseover='document.title=1",
)
"""Names as they can be found in files."""


def comparison(
    names: tuple[str, ...] = ("animals", "cats", "dogs", "plants", "trees", "flowers", "sky", "sea"),
    *,
    samples: int = 60,
    runs: int = 3,
    flat: bool = False,
    **options: object,
) -> Comparison:
    """Compare runs that err more and more; the first, fourth and seventh name stand above others."""
    rng = np.random.default_rng(20090)
    hierarchy = oe.Hierarchy.from_edges(
        [(names[0], names[1]), (names[0], names[2]), (names[3], names[4]), (names[3], names[5])],
        concepts=names,
    )
    ids = [f"{names[at % len(names)]} {at}" for at in range(samples)]
    truth = rng.random((samples, len(names))) < 0.3

    def sets(array: np.ndarray) -> oe.LabelSets:
        return oe.LabelSets.from_array(array, vocabulary=names, samples=ids)

    made = {names[at]: sets(truth ^ (rng.random(truth.shape) < 0.08 * (at + 1))) for at in range(runs)}
    measures = ["F", "F(average='macro')", "Hamming"]
    return oe.compare(
        sets(truth),
        made,
        hierarchy=None if flat else hierarchy,
        **{"measures": measures if flat else ["OS", *measures], "resamples": 100, **options},  # type: ignore[arg-type]
    )


def plotted(kind: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Draw a mark by plotly itself, which refuses what is no figure."""
    from plotly.graph_objects import Figure

    from ontoeval.reports.plots import as_plotly

    return Figure(as_plotly(kind(*args, **options)))


def plot_in(view: Any) -> Any:
    """Draw what a view shows."""
    return plotted(lambda: view.plot)
