"""Traits of measures, found by small cases: which errors lower them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ontoeval.comparison.axioms import ALIKE, RandomCases
from ontoeval.comparison.result import merits_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.errors import OntoevalError
from ontoeval.evaluation.scoring import Evaluation, evaluate
from ontoeval.measures.base import info
from ontoeval.plumbing.arrays import Marks

ERRORS = ("missed", "false")
"""Kinds of wrong labels."""

LEAST = 1 / 3
"""A kind of error that lowers a measure by a smaller part of what the other kind does hardly lowers it."""


class Trait(NamedTuple):
    """Which errors lower a measure."""

    lowered_by: tuple[str, ...]
    """The `ERRORS` of which one more lowers, and not hardly, the score of sets that have one already."""
    scores: tuple[float, ...] = ()
    """Scores of the cases, most of which are not closed."""


def traits(measures: Mapping[str, Any], hierarchy: Hierarchy, cases: int, seed: int) -> dict[str, Trait]:
    """Find the traits of measures, by notation; a measure that cannot be scored has none."""
    material = RandomCases(hierarchy, np.random.default_rng(seed), cases)
    three = material.random_sets(least=3)
    one = material.single_label_sets(material.draw_labels(three))
    two = one | material.single_label_sets(material.draw_labels(three & ~one))
    return {key: _trait(measure, material, one, two, three) for key, measure in measures.items()}


def _trait(measure: Any, material: RandomCases, one: Marks, two: Marks, three: Marks) -> Trait:  # noqa: ANN401 - of any class
    tries = (three, two, one), (one, two, three)
    if info(measure, "single"):  # a wrong label is missed and false
        three, tries = one, ((one, one, two & ~one),) * 2
    try:
        found = [[_scored(measure, material, three, truth, some) for some in pair] for truth, *pair in tries]
    except OntoevalError:
        return Trait(())
    scores = np.array([[[*each.scores.values()] for each in pair] for pair in found])
    falls = -np.diff(merits_of(scores, [measure])[..., 0])[:, 0]
    least = max(ALIKE, LEAST * float(np.nanmax(falls, initial=0)))
    lowered = tuple(error for error, fall in zip(ERRORS, falls.tolist(), strict=True) if fall > least)
    return Trait(lowered, tuple(scores.ravel().tolist()))


def _scored(measure: Any, material: RandomCases, right: Marks, truth: Marks, prediction: Marks) -> Evaluation:  # noqa: ANN401 - of any class
    """Score cases and perfect samples of the same labels: no concept is without true and predicted labels."""
    batch = material.batch(np.vstack([right, truth]), np.vstack([right, prediction]))
    predicted: Any = batch.prediction
    if info(measure, "takes") == "scores":
        predicted = LabelScores(predicted.matrix, predicted.vocabulary, predicted.samples)
    return evaluate(batch.truth, predicted, hierarchy=material.hierarchy, measures=measure)
