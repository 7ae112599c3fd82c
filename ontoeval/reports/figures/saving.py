"""Figures as files for papers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.comparison.data_sets import FriedmanTest
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.sensitivity import Curve, Sensitivity
from ontoeval.comparison.study import Study
from ontoeval.core.atomic import write_aside
from ontoeval.core.checks import several
from ontoeval.core.files import FilePath
from ontoeval.errors import one_of
from ontoeval.reports.figures.changes import draw_curve, shown_of
from ontoeval.reports.figures.concepts import confusion, icicle
from ontoeval.reports.figures.marks import legend
from ontoeval.reports.figures.measures import agreement, power, stability, swaps, winners
from ontoeval.reports.figures.paper import TALLEST, TWO, height_of, new_figure, style
from ontoeval.reports.figures.ranks import critical_difference
from ontoeval.reports.figures.runs import distribution, scores
from ontoeval.reports.selection import best_run, per_sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Result = Comparison | Study | FriedmanTest

FORMATS: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {},
}
"""What is left out of files, so that the same result gives the same bytes."""

_COMPARED = r"(?:scores|samples)(?:-\d+)?|concepts|confusion"
_STUDIED = r"agreement-[a-z_]+|power|stability|swaps|winners|sensitivity-[a-z]+"
_NAMES = {
    Comparison: _COMPARED,
    Study: f"{_COMPARED}|{_STUDIED}",
    FriedmanTest: "critical-difference",
}
"""What figures are called, of each kind of result."""

ABREAST = 4
"""Panels side by side."""


def save_figures(
    result: Result, folder: FilePath, *, formats: Iterable[str] = ("pdf", "svg", "png")
) -> list[Path]:
    """Write all figures of a result into a folder.

    Parameters
    ----------
    result
        A comparison, a study, which has all figures of its comparison as well, or a test over data sets.
    folder
        Where files are written; it is made where there is none.
    formats
        "pdf", "svg", "png".

    Returns
    -------
    list of Path
        The files: the same bytes for the same result and the same version of matplotlib.

    Raises
    ------
    InputError
        If nothing can be written there.
    ParameterError
        If there is no such format.
    MissingExtraError
        If matplotlib is not installed.
    """
    paths = []
    for name, content in drawn_files(result, formats):
        paths.append(Path(folder) / name)
        with write_aside(paths[-1]) as aside:
            aside.write_bytes(content)
    return paths


def is_figure(kind: type[Result], name: str) -> bool:
    """Tell the name of a file that `save_figures` writes of some results of a kind."""
    return re.fullmatch(rf"(?:{_NAMES[kind]})\.(?:{'|'.join(FORMATS)})", name) is not None


def drawn_files(
    result: Result, formats: Iterable[str] = ("pdf", "svg", "png")
) -> Iterator[tuple[str, bytes]]:
    """Draw all figures of a result as files, one after the other."""
    chosen = tuple(dict.fromkeys(several(formats)))
    for form in chosen:
        one_of("formats", form, tuple(FORMATS))
    for title, figure in figures_of(result):
        files = [(f"{title}.{form}", form, BytesIO()) for form in chosen]
        with style(), warnings.catch_warnings():
            # Where no font has a sign, a box stands for it; an SVG holds it all the same.
            warnings.filterwarnings("ignore", r"Glyph \d+|Matplotlib currently does not support")
            # Laid out once: a file must not depend on which others are written.
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            for _, form, content in files:
                figure.savefig(content, format=form, metadata=FORMATS[form])
        yield from ((name, content.getvalue()) for name, _, content in files)


def figures_of(result: Result) -> Iterator[tuple[str, Figure]]:
    """Draw all figures of a result, one after the other.

    Parameters
    ----------
    result
        A comparison, a study, or a test over data sets.

    Yields
    ------
    name : str
        What the figure is called.
    figure : Figure
        The figure.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    if isinstance(result, FriedmanTest):
        yield "critical-difference", critical_difference(result).figure  # type: ignore[misc]
    elif isinstance(result, Study):
        yield from _of_comparison(result.comparison)
        yield from _of_study(result)
    else:
        yield from _of_comparison(result)


def _of_comparison(comparison: Comparison) -> Iterator[tuple[str, Any]]:
    notations = list(comparison.measures)
    for title, measures, draw, row in (
        ("scores", notations, scores, 0.17),
        ("samples", [one for one in notations if per_sample(comparison, one)], distribution, 0.26),
    ):
        yield from _panels(comparison, title, measures, draw, row)
    # What concepts are found, and what is taken for what, tells the truth of samples.
    if not comparison.public and comparison.evaluations[best_run(comparison)].sets is not None:
        yield "concepts", icicle(comparison).figure
        yield "confusion", confusion(comparison).figure


def _panels(
    comparison: Comparison, title: str, measures: Sequence[str], draw: Callable[..., Any], row: float
) -> Iterator[tuple[str, Figure]]:
    """Draw one panel per measure, the runs in the order of the first; as many as a page holds."""
    height = height_of(len(comparison.runs), row) + 0.45
    page = max(1, int(TALLEST / height)) * ABREAST
    for number, start in enumerate(range(0, len(measures), page), 1):
        own = measures[start : start + page]
        across = min(len(own), ABREAST)
        down = -(-len(own) // across)
        with style():
            width = TWO if across > 2 else 1.5 + 1.7 * across  # noqa: PLR2004 - more fill both columns
            figure = new_figure(width, height * down)
            for at, (ax, measure) in enumerate(
                zip(figure.subplots(down, across, squeeze=False).flat, own, strict=False)
            ):
                draw(comparison, measure, by=next(iter(comparison.measures)), ax=ax)
                if at % across:
                    ax.tick_params(labelleft=False)
                    ax.set_ylabel("")
            for ax in figure.axes[len(own) :]:
                ax.set_axis_off()
        yield title if number == 1 else f"{title}-{number}", figure


def _of_study(study: Study) -> Iterator[tuple[str, Any]]:
    for method, ranking in study.agreements.items():
        yield f"agreement-{method}", agreement(ranking).figure
    for title, draw in (("power", power), ("stability", stability), ("swaps", swaps), ("winners", winners)):
        yield title, draw(study).figure
    if study.sensitivity is not None:
        curves: dict[str, list[Curve]] = {}
        for curve in study.sensitivity.curves:
            if np.isfinite(shown_of(curve)).any():
                curves.setdefault(curve.changed, []).append(curve)
        for changed, own in curves.items():
            yield f"sensitivity-{changed}", _changes(study.sensitivity, own)


def _changes(found: Sensitivity, curves: Sequence[Curve]) -> Figure:
    """Draw all changes of one thing beside each other."""
    across = min(3, len(curves))
    down = -(-len(curves) // across)
    with style():
        figure = new_figure(TWO, max(1.5 * down + 0.4, 0.15 * len(found.measures) + 0.5))
        panels = figure.subplots(down, across, squeeze=False, sharey=True)
        for at, (ax, curve) in enumerate(zip(panels.flat, curves, strict=False)):
            lines = draw_curve(ax, curve, found.perfect)
            if at % across:
                ax.set_ylabel("")
            if at + across < len(curves):
                ax.set_xlabel("")
        for ax in panels.flat[len(curves) :]:
            ax.set_axis_off()
        legend(figure, lines, found.measures, loc="outside right upper")
    return figure
