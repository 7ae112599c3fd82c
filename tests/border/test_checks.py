"""Options that are numbers are checked alike wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.measures.best_threshold import Fmax
from ontoeval.measures.flat import AlphaEvaluation, F
from ontoeval.measures.hierarchical import HierarchicalF
from ontoeval.measures.information import InformationContrast
from ontoeval.measures.losses import EuclideanSetDistance, HLoss
from ontoeval.measures.lowest_common_ancestors import LowestCommonAncestorF
from ontoeval.measures.near_misses import PrecisionWithNearMisses
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.measures.operating_curve import RecallAtCorrect
from ontoeval.measures.pairing import GraphInducedAccuracy
from ontoeval.measures.paths import PathF
from ontoeval.measures.rankings import AreaUnderCurve, Coverage, OneError
from ontoeval.measures.single_labels import HierarchicalDistanceAt

CHAIN = oe.Hierarchy.from_edges([("all", "sky"), ("sky", "clouds")])
SAID = oe.Annotations.from_sets({"Ann": [["a"], []], "Bob": [["a"], []], "Eve": [["a"], ["a"]]})
CONFUSED = oe.confusion_matrix([["a"]], [["b"]], rule="mlcm")
BATCH = oe.align(*[oe.LabelSets.from_sets([["a"], ["b"]])] * 2)

WHOLE: dict[str, Callable[[Any], object]] = {
    "confusions": CONFUSED.top,
    "size of chunks": lambda value: len(list(BATCH.chunks(value))),
    "drawn pairs": lambda value: oe.agreement(SAID, drawn_pairs=value, resamples=2).weights(),
    "sets that are compared": lambda value: oe.agreement(SAID, most_sets=value, resamples=2).weights(),
    "annotators of a curve": lambda value: [
        found.annotators for found in oe.annotators.sufficiency(SAID, numbers=[value])
    ],
    "orders of a curve": lambda value: len(oe.annotators.sufficiency(SAID, draws=value)),
    "best ranks": lambda value: oe.measures.name(HierarchicalDistanceAt(k=value)),
    "depth of members": lambda value: oe.measures.name(HierarchicalF(level=value)),
    "most links": lambda value: oe.measures.name(LowestCommonAncestorF(max_distance=value)),
    "a level taken out": lambda value: (
        oe.comparison.collapse_level(CHAIN, value).hierarchy.vocabulary.concepts
    ),
    "resamples and seed": lambda value: oe.Plan(resamples=value, seed=value),
    "seed of changes": lambda value: (
        oe.comparison.insert_nodes(CHAIN, 0.5, seed=value).hierarchy.vocabulary.concepts
    ),
}


@pytest.mark.parametrize("used", WHOLE.values(), ids=WHOLE)
def test_a_whole_number_is_pythons_or_numpys_and_no_truth_value(used: Callable[[Any], object]) -> None:
    assert used(np.int64(1)) == used(1)
    for wrong in (True, np.True_, 1.0, "1", -1):
        with pytest.raises(ParameterError, match="expected"):
            used(wrong)


SHARES: dict[str, Callable[[Any], object]] = {
    "rate": lambda value: repr(oe.comparison.perturb([["a"], ["b"]], "drop", value, seed=1)),
    "what is undefined": lambda value: oe.measures.name(F(undefined=value)),
    "what must be correct": lambda value: oe.measures.name(RecallAtCorrect(least=value)),
    "weights": lambda value: oe.agreement(SAID, resamples=2).weights(undefined=value),
}


@pytest.mark.parametrize("used", SHARES.values(), ids=SHARES)
def test_a_share_is_pythons_or_numpys_and_no_truth_value(used: Callable[[Any], object]) -> None:
    assert used(np.float32(0.5)) == used(np.float64(0.5)) == used(0.5)
    assert used(np.int64(1)) == used(1)
    for wrong in (True, np.False_, 1.5, -0.5, np.nan):
        with pytest.raises(ParameterError, match=r"a number in \[0, 1\]"):
            used(wrong)


NUMBERS: dict[str, Callable[[Any], object]] = {
    "forgiveness": lambda value: oe.measures.name(AlphaEvaluation(alpha=value)),
    "weight of missed labels": lambda value: oe.measures.name(AlphaEvaluation(beta=value)),
    "forgiveness of the ontology score": lambda value: oe.measures.name(OntologyScore(alpha=value)),
    "weight of recall": lambda value: oe.measures.name(F(beta=value)),
    "weight of recall along paths": lambda value: oe.measures.name(PathF(beta=value)),
    "weight of recall on a curve": lambda value: oe.measures.name(Fmax(beta=value)),
    "share of the parents": lambda value: oe.measures.name(EuclideanSetDistance(base=value)),
    "share of what the parents cost": lambda value: oe.measures.name(HLoss(base=value)),
    "what information counts for": lambda value: oe.measures.name(
        InformationContrast(alpha1=value, alpha2=1, beta=1.25)
    ),
    "accepted distance": lambda value: oe.measures.name(PrecisionWithNearMisses(acceptable=value)),
    "most distance": lambda value: oe.measures.name(GraphInducedAccuracy(max_distance=value)),
    "sample without true labels": lambda value: oe.measures.name(OneError(empty=value)),
    "sample without labels to see": lambda value: oe.measures.name(Coverage(empty=value)),
    "concept without samples": lambda value: oe.measures.name(AreaUnderCurve(undefined=value)),
}


@pytest.mark.parametrize("used", NUMBERS.values(), ids=NUMBERS)
def test_a_number_is_pythons_or_numpys_and_no_truth_value(used: Callable[[Any], object]) -> None:
    assert used(np.float32(0.5)) == used(np.float64(0.5)) == used(0.5)
    assert used(np.int64(1)) == used(1) == used(1.0)
    for wrong in (True, np.True_, "1", -1, np.nan, np.inf, 10**400):
        with pytest.raises(ParameterError, match=r"a number (of at least|above|in)"):
            used(wrong)


def test_bounds_that_a_number_may_reach_are_read() -> None:
    for notation in ("HLoss(base=1)", "Alpha(beta=0)", "F(average='macro')"):
        assert oe.measures.name(oe.measures.parse(notation)) == notation


def test_a_level_lies_between_0_and_1() -> None:
    assert oe.Plan(level=np.float32(0.5)).level == 0.5  # type: ignore[arg-type]
    for wrong in (0, 1, True, np.nan, "0.5", None):
        with pytest.raises(ParameterError, match="expected a number above 0 and below 1"):
            oe.Plan(level=wrong)  # type: ignore[arg-type]


def test_a_measure_made_with_a_number_of_numpys_is_written_so_that_it_can_be_read() -> None:
    measure = F(beta=np.float64(0.5))
    assert oe.measures.name(measure) == "F(beta=0.5)"
    assert oe.measures.parse(oe.measures.name(measure)) == measure
