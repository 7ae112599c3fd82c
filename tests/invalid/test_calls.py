"""Wrong calls, each with the class and the gist of the error that it meets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.annotators.coefficients import nominal
from ontoeval.errors import (
    CycleError,
    InputError,
    MeasureError,
    MisalignedError,
    ParameterError,
    UnknownConceptError,
)

HIERARCHY = oe.Hierarchy.from_edges([("thing", "sky"), ("thing", "sea")])
SETS = oe.LabelSets.from_sets({"p1": ["sky"], "p2": ["sea"]})


def evaluate(
    truth: Any = (("sky",),), prediction: Any = (("sea",),), **options: Any
) -> oe.evaluation.Evaluation:
    """Evaluate two sets that are right."""
    return oe.evaluate(truth, prediction, **options)


def score(measure: str, **options: Any) -> oe.evaluation.Evaluation:
    """Evaluate one measure with a hierarchy."""
    return evaluate(hierarchy=HIERARCHY, measures=measure, **options)


WRONG: dict[str, tuple[Callable[[], Any], type[Exception], tuple[str, ...]]] = {
    # annotators
    "counts of answers below 0": (
        lambda: nominal([[3, 0], [4, -1]]),
        InputError,
        ("counts", "-1", "whole numbers"),
    ),
    # label sets
    "rows of different lengths": (
        lambda: evaluate([[1, 0], [1]], [[1], [0]]),
        InputError,
        ("rows of different lengths", "labels must be texts"),
    ),
    "shares as labels": (
        lambda: evaluate([[0.5]], [[1]]),
        InputError,
        ("row 0, column 0 holds 0.5", "LabelScores"),
    ),
    "arrays of different widths": (
        lambda: evaluate([[1, 0]], [[1]]),
        InputError,
        ("shape (1, 1)", "2 concepts"),
    ),
    "different numbers of samples": (
        lambda: evaluate([[1]], [[1], [0]]),
        MisalignedError,
        ("samples", "only in the prediction ('1')"),
    ),
    "a text beside a set": (
        lambda: evaluate({"p": "sky", "q": ["sea"]}, {"p": "sky", "q": "sea"}),
        InputError,
        ("a text, such as 'sky', those of others a collection", "such as ['sky']"),
    ),
    "a label that the hierarchy lacks": (
        lambda: evaluate([["sky"]], [["fog"]], hierarchy=HIERARCHY),
        UnknownConceptError,
        ("'fog' in sample '0'",),
    ),
    "a misspelt label": (
        lambda: evaluate([["Skyy"]], [[]], hierarchy=HIERARCHY),
        UnknownConceptError,
        ("near: 'sky'",),
    ),
    "an array narrower than the hierarchy": (
        lambda: evaluate(np.eye(2), np.eye(2), hierarchy=HIERARCHY),
        InputError,
        ("3 concepts",),
    ),
    "one dimension": (
        lambda: evaluate(np.zeros(3), np.zeros(3)),
        InputError,
        ("shape (3,)", "one row per sample"),
    ),
    "nan as label": (lambda: evaluate(np.full((1, 1), np.nan), np.ones((1, 1))), InputError, ("holds nan",)),
    "a missing sample": (
        lambda: evaluate(SETS, SETS.take(["p1"])),
        MisalignedError,
        ("1 only in the truth ('p2')", "missing='empty'"),
    ),
    "an unknown policy for missing samples": (
        lambda: evaluate(SETS, SETS, missing="ignore"),
        ParameterError,
        ("missing='ignore'", "'refuse', 'empty'"),
    ),
    "samples in another order": (
        lambda: oe.Batch(SETS, SETS.take(["p2", "p1"])),
        MisalignedError,
        ("another order", "ontoeval.align"),
    ),
    "other concepts than the hierarchy": (
        lambda: oe.Batch(SETS, SETS, HIERARCHY),
        InputError,
        ("other concepts than the hierarchy",),
    ),
    "an unknown sample": (lambda: SETS.labels_of("p3"), InputError, ("no sample 'p3'", "'p1', 'p2'")),
    "a label that the vocabulary lacks": (
        lambda: oe.LabelSets.from_sets([["a"]], vocabulary=["b"]),
        UnknownConceptError,
        ("'a' in sample '0'",),
    ),
    "more names than samples": (
        lambda: oe.LabelSets.from_sets([[]], samples=["p", "q"]),
        InputError,
        ("2 identifiers for the labels of 1 samples", "Give each sample one"),
    ),
    "a text of several labels": (
        lambda: oe.LabelSets.from_sets(["a;b"]),
        InputError,
        ("1 label with ';': 'a;b'", "separator=';'"),
    ),
    "numbers for the sets": (lambda: oe.LabelSets.from_sets([5]), InputError, ("5 stands where",)),  # type: ignore[list-item]
    "a text for all sets": (
        lambda: oe.LabelSets.from_sets("abc"),
        InputError,
        ("'abc' is no collection of label sets", "Give a collection of labels for each sample"),
    ),
    "fewer names than samples": (
        lambda: oe.LabelSets.from_sets([["a"], ["b"]], vocabulary=["a"], samples=["p"]),
        InputError,
        ("1 identifiers for the labels of 2 samples",),
    ),
    "texts for scores": (
        lambda: oe.LabelScores.from_array([["x"]]),
        InputError,
        ("type <U1", "Give numbers, one row per sample"),
    ),
    "a text for a threshold": (
        lambda: oe.LabelScores.from_array([[0.5]]).at("abc"),  # type: ignore[arg-type]
        InputError,
        ("the threshold of '0' is 'abc'", "Give a number"),
    ),
    "a text for the threshold of a concept": (
        lambda: oe.LabelScores.from_array([[0.5]]).at({"0": "abc"}),  # type: ignore[dict-item]
        InputError,
        ("the threshold of '0' is 'abc'",),
    ),
    "an infinite score": (
        lambda: oe.LabelScores.from_array([[np.inf]]),
        InputError,
        ("'0' for sample '0' is inf",),
    ),
    "no threshold": (lambda: oe.LabelScores.from_array([[0.5]]).at({}), InputError, ("no threshold", "'0'")),
    "nothing at all": (lambda: evaluate(None), InputError, ("None is no collection of label sets",)),
    "a path": (
        lambda: evaluate("truth.csv"),
        InputError,
        ("'truth.csv' is no", "Give a collection of labels for each sample"),
    ),
    "nothing for a set": (
        lambda: evaluate([["sky"], 0.5], ["sea", "sky"]),
        InputError,
        ("0.5 stands where", "['cat', []]"),
    ),
    "numbers for sets": (lambda: evaluate([1, 2], [1, 2]), InputError, ("number 1 stands", "classes=[...]")),
    "scores for labels": (
        lambda: evaluate(oe.LabelScores.from_array([[0.5]]), SETS),
        InputError,
        ("scores stand where labels belong", "scores.at(threshold)"),
    ),
    "columns without names beside names": (
        lambda: evaluate([["sky"]], [[1]]),
        InputError,
        ("one side is an array without names", "vocabulary=[...]"),
    ),
    "chunks of nothing": (
        lambda: list(oe.Batch(SETS, SETS).chunks(0)),
        ParameterError,
        ("size=0", "at least 1"),
    ),
    # hierarchies
    "a number for a hierarchy": (
        lambda: evaluate(hierarchy=3),
        ParameterError,
        ("hierarchy='int'", "an Ontology, a path"),
    ),
    "a concept named twice": (lambda: oe.Vocabulary(("sky", "sky")), InputError, ("named twice: 'sky'",)),
    "a concept without name": (lambda: oe.Vocabulary(("",)), InputError, ("non-empty texts",)),
    "a cycle": (
        lambda: oe.Hierarchy.from_edges([("a", "b"), ("b", "a")]),
        CycleError,
        ("1 cycle", "remove one link"),
    ),
    "an edge of three": (
        lambda: oe.Hierarchy.from_edges([("a", "b", "c")]),  # type: ignore[list-item]
        InputError,
        ("no edges", "pairs of parent and child"),
    ),
    "nothing but abstract concepts": (
        lambda: oe.Hierarchy.from_edges([("a", "b")], abstract=["a", "b"]),
        InputError,
        ("every concept is abstract",),
    ),
    "an abstract concept that is not there": (
        lambda: oe.Hierarchy.from_edges([("a", "b")], abstract=["c"]),
        UnknownConceptError,
        ("'c'",),
    ),
    "an exclusion of itself": (lambda: oe.core.Exclusion("a", "a"), InputError, ("'a' excludes itself",)),
    "a requirement of nothing": (lambda: oe.core.Requirement("a", ()), InputError, ("names no concept",)),
    "a label chosen that is not there": (
        lambda: HIERARCHY.with_labels(["fog"]),
        UnknownConceptError,
        ("'fog'",),
    ),
    "weights that are too few": (
        lambda: HIERARCHY.with_weight("w", [1, 2]),
        InputError,
        ("the weight 'w' needs 3",),
    ),
    "weights that are texts": (
        lambda: HIERARCHY.with_weight("w", ["high", "low", "low"]),
        InputError,
        ("the weight 'w' holds something else than numbers", "'high'", "Give numbers"),
    ),
    "costs that are texts": (
        lambda: HIERARCHY.with_cost("c", [["high"]]),
        InputError,
        ("the cost table 'c' holds something else than numbers", "Give numbers"),
    ),
    "costs of a concept to itself": (
        lambda: HIERARCHY.with_cost("c", np.eye(3)),
        InputError,
        ("the cost table 'c'", "divide by the largest"),
    ),
    "a cost of an unknown concept": (
        lambda: oe.concepts.cost_between(HIERARCHY, "sky", "fog"),
        UnknownConceptError,
        ("'fog'",),
    ),
    "unknown costs": (
        lambda: oe.concepts.cost_between(HIERARCHY, "sky", "sea", cost="hops"),
        ParameterError,
        ("cost='hops'", "'links'"),
    ),
    # measures
    "an unknown measure": (
        lambda: evaluate(measures="G"),
        MeasureError,
        ("Unknown measure 'G'", "There are: OS, P"),
    ),
    "a notation that cannot be read": (
        lambda: evaluate(measures="F(beta)"),
        MeasureError,
        ("Cannot read the measure 'F(beta)'",),
    ),
    "a text without quotes": (
        lambda: evaluate(measures="F(average=macro)"),
        MeasureError,
        ("Quote texts: average='macro'",),
    ),
    "a misspelt option": (
        lambda: evaluate(measures="F(averag='macro')"),
        MeasureError,
        ("no option 'averag'", "near: 'average'"),
    ),
    "a misspelt value": (
        lambda: evaluate(measures="F(average='macros')"),
        ParameterError,
        ("average='macros'", "near: 'macro'"),
    ),
    "a weight of recall that is too large to be squared": (
        lambda: evaluate(measures="F(beta=1e200)"),
        ParameterError,
        ("beta=1e+200", "at most 1e+100"),
    ),
    "no measure": (lambda: evaluate(measures=[]), MeasureError, ("No measure is asked for", "such as 'F'")),
    "a number for a measure": (lambda: evaluate(measures=[42]), MeasureError, ("No measure: '42'",)),
    "an ontology score without hierarchy": (
        lambda: evaluate(measures="OS"),
        MeasureError,
        ("needs a hierarchy", "hierarchy="),
    ),
    "a score that was not asked for": (
        lambda: evaluate()["OS"],
        MeasureError,
        ("'OS' was not evaluated", "There are: F, P, R"),
    ),
    "an unknown measure per sample": (
        lambda: evaluate().per_sample("Q"),
        MeasureError,
        ("Unknown measure 'Q'",),
    ),
    "unknown costs of a score": (
        lambda: score("OS(cost='hops')"),
        ParameterError,
        ("cost='hops'", "Hierarchy.with_cost"),
    ),
    "an unknown agreement of a score": (
        lambda: score("OS(agreement='votes')"),
        ParameterError,
        ("agreement='votes'", "'agreement'"),
    ),
    "an unknown word for exclusions": (
        lambda: score("OS(exclusions='all')"),
        ParameterError,
        ("exclusions='all'", "pairs of concepts"),
    ),
    "an exclusion of an unknown concept": (
        lambda: score("OS(exclusions=(('sky', 'fog'),))"),
        UnknownConceptError,
        ("'fog' in the rule",),
    ),
    "requirements of an unknown property": (
        lambda: score("OS(requirements=('shows',))"),
        ParameterError,
        ("requirements='shows'", "a property"),
    ),
    "HEMKit's choice of lowest common ancestors": (
        lambda: score("LCaF(variant='hemkit')"),
        MeasureError,
        ("variant='hemkit' is not offered", "Leave the variant out", "max_distance=4"),
    ),
    "no links at most": (
        lambda: score("LCaP(max_distance=0)"),
        ParameterError,
        ("max_distance=0", "whole number of at least 1"),
    ),
    "half a link at most": (
        lambda: score("LCaP(max_distance=2.5)"),
        ParameterError,
        ("max_distance=2.5", "whole number"),
    ),
    "a mark for a distance": (
        lambda: score("LCaR(max_distance=True)"),
        ParameterError,
        ("max_distance=True",),
    ),
    "an unknown root of lowest common ancestors": (
        lambda: score("LCaF(root='top')"),
        ParameterError,
        ("root='top'", "'virtual'"),
    ),
    "pairs without any distance": (
        lambda: score("MGIA(max_distance=0)"),
        ParameterError,
        ("max_distance=0", "a number above 0"),
    ),
    "pairs at any distance": (
        lambda: score("GIE(max_distance=1e999)"),
        ParameterError,
        ("max_distance=inf", "a number above 0"),
    ),
    "unknown pairs": (
        lambda: score("GIE(pairs='greedy')"),
        ParameterError,
        ("pairs='greedy'", "'cover', 'nearest', 'all'"),
    ),
    "roots that are half connected": (
        lambda: score("MGIA(connect_roots=2)"),
        ParameterError,
        ("connect_roots=2",),
    ),
    # agreement
    "an agreement without hierarchy": (
        lambda: evaluate(agreement={"sky": 1}),
        MeasureError,
        ("An agreement needs a hierarchy",),
    ),
    "an incomplete agreement": (
        lambda: score("OS", agreement={"sky": 1}),
        InputError,
        ("no agreement from 0 to 1 for 2 concepts", "'thing', 'sea'", "read_agreement(..., default=1)"),
    ),
    "an agreement on an unknown concept": (
        lambda: score("OS", agreement={"fog": 1}),
        UnknownConceptError,
        ("'fog'",),
    ),
    "an agreement above one": (
        lambda: score("OS", agreement={"thing": 1, "sky": 2, "sea": 1}),
        InputError,
        ("no agreement from 0 to 1 for 1 concept: 'sky'", "Give each concept one"),
    ),
    "an agreement that is a text": (
        lambda: score("OS", agreement={"thing": 1, "sky": "high", "sea": 1}),
        InputError,
        ("the agreement of 'sky' is 'high'", "Give a number"),
    ),
    "an agreement that is nothing": (
        lambda: oe.concepts.with_agreement(HIERARCHY, {"thing": 1, "sky": 1, "sea": None}),  # type: ignore[dict-item]
        InputError,
        ("the agreement of 'sea' is None",),
    ),
    "an agreement of hundreds of digits": (
        lambda: oe.concepts.with_agreement(HIERARCHY, {"thing": 1, "sky": 10**400, "sea": 1}),
        InputError,
        ("the agreement of 'sky' is 1000",),
    ),
    "an agreement that is not a number": (
        lambda: oe.concepts.with_agreement(HIERARCHY, {"thing": 1, "sky": np.nan, "sea": 1}),
        InputError,
        ("no agreement from 0 to 1 for 1 concept: 'sky'",),
    ),
    # totals
    "merging nothing": (oe.merge, InputError, ("no totals to merge",)),
    "merging different measures": (
        lambda: oe.merge(evaluate(measures="F").totals, evaluate(measures="P").totals),
        InputError,
        ("different measures", "Collect the same in all parts"),
    ),
    "samples of totals": (
        lambda: oe.score(evaluate().totals).per_sample("F"),
        MeasureError,
        ("Totals hold no samples",),
    ),
    # confusion
    "an unknown rule": (
        lambda: oe.confusion_matrix([["a"]], [["a"]], rule="mlcn"),
        ParameterError,
        ("rule='mlcn'", "near: 'mlcm'"),
    ),
    "a matrix against the rest": (
        lambda: oe.confusion_matrix([["a"]], [["a"]], rule="one-vs-rest"),
        InputError,
        ("ontoeval.one_vs_rest",),
    ),
    "several labels for the ordinary matrix": (
        lambda: oe.confusion_matrix([["a", "b"]], [["a"]], rule="multiclass"),
        InputError,
        ("0 (2 labels)",),
    ),
    "fewer than no confusions": (
        lambda: oe.confusion_matrix([["a"]], [["a"]]).top(-1),
        ParameterError,
        ("number=-1",),
    ),
    "counts of one plane of the tensor": (
        lambda: oe.confusion_matrix([["a"]], [["a"]], rule="tensor-recall").counts(),
        InputError,
        ("one plane of the tensor", "confusion_tensor(truth, prediction).counts()"),
    ),
    "an unknown variant": (
        lambda: oe.confusion_tensor([["a"]], [["a"]], variant="both"),  # type: ignore[arg-type]
        ParameterError,
        ("variant='both'",),
    ),
    "a matrix without names": (
        lambda: oe.confusion.ConfusionMatrix(np.ones((1, 1)), (), (), "mlcm"),
        InputError,
        ("shape (1, 1) for 0 rows",),
    ),
    # explanations
    "explaining an unknown sample": (
        lambda: oe.explain([["sky"]], [["sea"]], "7", hierarchy=HIERARCHY),
        InputError,
        ("no sample '7'", "Name one of the samples"),
    ),
    "explaining a flat measure": (
        lambda: oe.explain([["sky"]], [["sea"]], "0", hierarchy=HIERARCHY, measure="F"),
        MeasureError,
        ("Only ontology scores are explained",),
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_call_meets_an_error_that_says_what_to_do(wrong: str) -> None:
    call, error, parts = WRONG[wrong]
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, oe.OntoevalError)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message
    assert message.endswith((".", ")")), "a message ends with what to do"
