"""Sweeps: measures of label sets at every threshold that makes sets of scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.weighting import weighted
from ontoeval.core.batch import ScoredBatch, align
from ontoeval.core.choices import Missing
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.errors import InputError, MeasureError
from ontoeval.evaluation.curves import scored_sides
from ontoeval.evaluation.evaluating import Evaluation
from ontoeval.evaluation.totals import collect
from ontoeval.measures.base import Measure, Measures, info, shortfall
from ontoeval.measures.catalogue import among, measures_of
from ontoeval.measures.thresholds import Thresholds, grid_of, is_unit_grid, refuse_beyond_unit, thresholds_of


@dataclass(frozen=True, eq=False)
class Sweep:
    """Scores of measures at each threshold.

    Parameters
    ----------
    thresholds
        The thresholds, ascending.
    scores
        One array per measure, by its notation, with one score per threshold.
    measures
        The measures by their notations.

    See Also
    --------
    sweep : Compute it.
    """

    thresholds: NDArray[np.float64]
    scores: Mapping[str, NDArray[np.float64]]
    measures: Mapping[str, Any]

    def __getitem__(self, measure: str | Measure) -> NDArray[np.float64]:
        """Look up the scores of a measure, by any of its notations."""
        return self.scores[among(measure, self.scores, "was not swept")]

    def best(self, measure: str | Measure) -> tuple[float, float]:
        """Find where a measure is best.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        tuple of two floats
            The threshold, the first of several, and the score there.

        Raises
        ------
        MeasureError
            If the measure has no best value, or is defined nowhere.
        """
        notation = among(measure, self.scores, "was not swept")
        best, scores = info(self.measures[notation], "best"), self.scores[notation]
        if best is None or np.isnan(scores).all():
            raise MeasureError(
                f"{notation} has no best threshold: "
                + ("it has no best value." if best is None else "it is undefined at all of them.")
            )
        place = int(np.nanargmin(shortfall(self.measures[notation], scores)))
        return float(self.thresholds[place]), float(scores[place])

    def rows(self) -> list[dict[str, float]]:
        """List the scores as a table.

        Returns
        -------
        list of dict
            One line per threshold: the threshold, and the score of each measure.
        """
        columns = {"threshold": self.thresholds, **self.scores}
        lists = [column.tolist() for column in columns.values()]
        return [dict(zip(columns, line, strict=True)) for line in zip(*lists, strict=True)]


def sweep(
    truth: Labels,
    scores: LabelScores | Labels,
    *,
    measures: Measures,
    thresholds: Thresholds | Iterable[float] = 0.01,
    hierarchy: Hierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    missing: Missing = "refuse",
) -> Sweep:
    """Score the label sets that each threshold makes of scores.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    scores
        Scores of labels; or a data frame of them, or an array beside a frame of its shape.
    measures
        Notations or measures, or a single one of label sets.
    thresholds
        The step of a grid between 0 and 1, ascending thresholds, "distinct" for every score that
        occurs, or "cafaeval" for the grid of that program.
    hierarchy
        The hierarchy of the concepts.
    agreement
        How far annotators agree on each concept.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.

    Returns
    -------
    Sweep
        Thresholds × measures.

    Raises
    ------
    MeasureError
        If a measure is one of scores, or needs a hierarchy that is not there.
    ParameterError
        If the thresholds are no numbers, or not ascending.
    InputError
        If there are no scores but sets, or scores beyond a grid between 0 and 1.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.4], [0.2, 0.6]])
    >>> found = sweep([[1, 0], [1, 1]], scores, measures="F", thresholds=(0.1, 0.5))
    >>> found["F"].round(4), found.best("F")
    (array([0.8571, 0.8   ]), (0.1, 0.8571428571428571))
    """
    chosen = measures_of(measures)
    of_scores = [key for key, measure in chosen.items() if info(measure, "takes") == "scores"]
    if of_scores:
        raise MeasureError(
            f"{', '.join(of_scores)}: measured by the scores themselves, not by the sets that a "
            "threshold makes of them. Compute it with evaluate(truth, scores, ...), and sweep those of sets."
        )
    thresholds = thresholds_of(thresholds)
    grid = grid_of(thresholds)
    sides = scored_sides(truth, scores, hierarchy)
    batch = align(*sides, hierarchy=weighted(hierarchy, agreement, sides[0].vocabulary), missing=missing)
    if is_unit_grid(thresholds):
        refuse_beyond_unit(batch)
    stored = np.unique(batch.prediction.matrix.data)
    limits = stored if grid is None else np.array(grid)
    if not limits.size:
        raise InputError("no score at all", "Give thresholds: thresholds=0.01.")
    # Between two thresholds without a score there, nothing changes.
    reached = np.searchsorted(stored, limits, side="left")
    _, first, place = np.unique(reached, return_index=True, return_inverse=True)
    at_levels = [_at(batch, limit, chosen) for limit in limits[first]]
    table = {key: np.array([found[key] for found in at_levels])[place] for key in chosen}
    return Sweep(limits, table, chosen)


def _at(batch: ScoredBatch, threshold: float, measures: Mapping[str, Any]) -> Mapping[str, float]:
    return Evaluation(collect(batch.at(float(threshold)), measures.values())).scores
