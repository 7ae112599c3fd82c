"""Sensitivity: what changes of labels and ontology do to measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ontoeval.comparison.sensitivity import Curve
from ontoeval.comparison.study import Study
from ontoeval.errors import InputError, one_of
from ontoeval.reports.figures.marks import legend, line_of
from ontoeval.reports.figures.paper import PLAIN, TWO, Numbers, axes, subscripts, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def sensitivity(study: Study, changed: str, kind: str, *, ax: Axes | None = None) -> Axes:
    """Draw what a change does to all measures, the more of it the farther to the right.

    Parameters
    ----------
    study
        Of the measures.
    changed
        "prediction": scores of a truth that was changed; "truth" or "ontology": τ_b with the ranking of the
        runs by what is unchanged.
    kind
        How it was changed.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure.

    Raises
    ------
    InputError
        If no changes were tried.
    ParameterError
        If this one was not.
    MissingExtraError
        If matplotlib is not installed.
    """
    if study.sensitivity is None:
        raise InputError("no changes were tried", "Make the study without changes=None.")
    curves: dict[tuple[str, str], Curve] = {
        (curve.changed, curve.kind): curve for curve in study.sensitivity.curves
    }
    one_of("changed", changed, tuple(dict.fromkeys(one for one, _ in curves)))
    one_of("kind", kind, tuple(other for one, other in curves if one == changed))
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(study.sensitivity.measures) + 0.6)) as on:
        lines = draw_curve(on, curves[changed, kind], study.sensitivity.perfect)
        if ax is None:
            legend(on, lines, study.sensitivity.measures, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return on


def draw_curve(ax: Axes, curve: Curve, start: Numbers) -> list[object]:
    """Draw one change without naming the measures."""
    predicted = curve.changed == "prediction"
    amounts, values = np.asarray(curve.amounts), shown_of(curve)
    if not curve.by_level:  # what is unchanged ranks alike
        amounts = np.concatenate([[0.0], amounts])
        values = np.vstack([start if predicted else np.where(np.isnan(values[0]), np.nan, 1.0), values])
    lines: list[object] = []
    for number in range(values.shape[1]):
        lines += ax.plot(amounts, values[:, number], marker=".", markersize=3.5, **line_of(number))
    ax.locator_params(axis="x", nbins=4, integer=curve.by_level)
    ax.set_title(wrapped(curve.kind, 26), **PLAIN)
    ax.set_xlabel("level" if curve.by_level else "rate")
    ax.set_ylabel("score" if predicted else subscripts("τ_b"))
    return lines


def shown_of(curve: Curve) -> Numbers:
    """Choose what of a change is drawn: scores of changed predictions, rank correlations of all else."""
    return curve.scores if curve.changed == "prediction" else curve.tau
