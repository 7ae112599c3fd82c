"""Measures for the Trainer of transformers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.special import expit

from ontoeval.core.choices import Threshold
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.errors import one_of
from ontoeval.evaluation.scoring import score
from ontoeval.integrations.columns import ArrayMeasures, ClassNames
from ontoeval.measures.base import Measures


@front_door
def compute_metrics(
    measures: Measures,
    hierarchy: AnyHierarchy | None = None,
    classes: ClassNames | None = None,
    *,
    threshold: Threshold = 0.5,
    activation: Literal["sigmoid", "none"] = "sigmoid",
    ignore_index: float | None = None,
) -> Callable[[Any], dict[str, float]]:
    """Make the function that ``Trainer(compute_metrics=...)`` takes, for multi-label models.

    Parameters
    ----------
    measures
        Notations, measures or functions, or a single one.
    hierarchy
        The hierarchy of the classes, see `evaluate`; needed by hierarchical measures.
    classes
        Names of the classes, in the order of the columns: ``model.config.id2label``. By
        default the labels of the hierarchy.
    threshold
        Probability from which on a label counts as predicted: one for all classes, or one for each.
    activation
        What makes probabilities of the predictions: "sigmoid", for logits, or "none", for predictions that
        are probabilities. Of a tuple of predictions the first counts, which are the logits.
    ignore_index
        Number, such as -100, of labels in ``label_ids`` that count neither way, as in `VerifiedLabels`.

    Returns
    -------
    Callable
        Takes an ``EvalPrediction``, and gives the scores by `Evaluation.flat_names`.

    Raises
    ------
    OntoevalError
        If a class is not in the hierarchy, or a measure cannot be read or computed.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> hierarchy = {"plants": ["tree", "moss"]}
    >>> metrics = compute_metrics(["hF", "F"], hierarchy, ["moss", "tree"])
    >>> logits, labels = [[-2.0, 1.5], [0.5, -1.0]], [[0.0, 1.0], [0.0, 1.0]]
    >>> metrics(SimpleNamespace(predictions=logits, label_ids=labels))
    {'hF': 0.5, 'F': 0.5}
    """
    one_of("activation", activation, ("sigmoid", "none"))
    columns = ArrayMeasures.from_measures(measures, hierarchy, classes, threshold, ignore_index)

    def metrics(evaluated: Any) -> dict[str, float]:  # noqa: ANN401 - an EvalPrediction
        found = evaluated.predictions
        found = np.asarray(found[0] if isinstance(found, tuple) else found, dtype=np.float64)
        found = expit(found) if activation == "sigmoid" else found
        return score(columns.totals(evaluated.label_ids, found)).flat_names()

    return metrics
