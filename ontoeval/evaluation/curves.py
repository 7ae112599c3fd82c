"""Curves of scores over thresholds as values: precision and recall, ru and mi, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import align
from ontoeval.core.choices import Missing
from ontoeval.core.coercion import Labels, beside, labels_and_prediction
from ontoeval.core.frames import Rows
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.thresholds import Fmax, thresholds_of


class CurvePoint(NamedTuple):
    """One line of a curve."""

    threshold: float
    precision: float
    recall: float
    f: float
    coverage: float
    ru: float
    mi: float
    s: float


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """A curve over thresholds, one number per threshold in each array.

    Parameters
    ----------
    thresholds
        The thresholds, ascending.
    precision
        Mean precision; nan where nothing is predicted.
    recall
        Mean recall.
    f
        Weighted harmonic mean of both; its maximum is Fmax.
    coverage
        Share of the samples with something predicted.
    ru
        Remaining uncertainty: mean weight of what is missed.
    mi
        Misinformation: mean weight of what is false.
    s
        The root of ru² + mi²; its minimum is Smin.

    See Also
    --------
    curve : Compute it.
    """

    thresholds: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f: NDArray[np.float64]
    coverage: NDArray[np.float64]
    ru: NDArray[np.float64]
    mi: NDArray[np.float64]
    s: NDArray[np.float64]

    def rows(self) -> list[CurvePoint]:
        """List the points as tuples.

        Returns
        -------
        list of CurvePoint
            One per threshold, in ascending order.
        """
        columns = [getattr(self, field.name).tolist() for field in fields(self)]
        return [CurvePoint(*point) for point in zip(*columns, strict=True)]

    @property
    def best(self) -> CurvePoint:
        """The point of the largest F, the first of several."""
        return self.rows()[int(np.argmax(self.f))]


def curve(
    truth: Labels,
    scores: LabelScores | Labels,
    *,
    hierarchy: Hierarchy | None = None,
    missing: Missing = "refuse",
    **options: Any,  # noqa: ANN401 - as various as the options
) -> ScoreCurve:
    """Compute precision, recall, coverage, ru and mi at every threshold.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    scores
        Scores of labels; or a data frame of them, or an array beside a frame of its shape.
    hierarchy
        The hierarchy of the concepts; it can be left out with ``propagate=False``.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    **options
        Those of `Fmax`: `weight`, `thresholds` (a list or an array, too), `denominator`, `root`,
        `orphans`, `propagate`, `empty`, `average` and `beta`.

    Returns
    -------
    ScoreCurve
        One point per threshold.

    Raises
    ------
    InputError
        If there are no scores but sets.
    ParameterError
        If there is no such option, or it has a value that it cannot have.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.4], [0.2, 0.6]])
    >>> found = curve([[1, 0], [1, 1]], scores, thresholds=(0.3, 0.5), propagate=False)
    >>> found.precision, found.recall
    (array([0.75, 1.  ]), array([0.75, 0.75]))
    """
    known = {field.name for field in fields(Fmax)} - {"part", "undefined"}
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise ParameterError(unknown, options[unknown], f"another option, one of {', '.join(sorted(known))}")
    if "thresholds" in options:
        options["thresholds"] = thresholds_of(options["thresholds"])
    measure = Fmax(**options)
    batch = align(*scored_sides(truth, scores, hierarchy), hierarchy=hierarchy, missing=missing)
    statistic = measure.statistic
    found = measure.curve(statistic.unpack(statistic(batch).total()))
    micro = measure.average == "micro"
    return ScoreCurve(
        found.thresholds,
        found.micro_precision if micro else found.precision,
        found.micro_recall if micro else found.recall,
        found.f(measure.beta, micro=micro),
        found.coverage,
        found.ru,
        found.mi,
        found.s,
    )


def scored_sides(
    truth: Labels, scores: LabelScores | Labels, hierarchy: Hierarchy | None
) -> tuple[LabelSets, LabelScores]:
    """Take a truth beside scores, and nothing else."""
    given = type(scores).__name__
    truth, scores = beside(truth, scores)
    if not isinstance(scores, LabelScores) and not (isinstance(scores, Rows) and scores.of_frame):
        raise InputError(
            f"{given} stands where scores belong",
            "Read them with read_scores, or take LabelScores.from_array(...).",
        )
    sides = labels_and_prediction(truth, scores, hierarchy, scores=True)
    return cast("tuple[LabelSets, LabelScores]", sides)
