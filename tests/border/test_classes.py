"""Class numbers and delimited labels: every public function that takes labels takes them alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ontoeval as oe

CLASSES = ["sea", "sky", "sun"]
EDGES = [("all", name) for name in CLASSES]
NAMED = {"p1": ["sea", "sky"], "p2": ["sun"]}
OTHER = {"p1": ["sea"], "p2": ["sun", "sky"]}
NUMBERS = {
    name: {sample: [CLASSES.index(one) for one in labels] for sample, labels in sets.items()}
    for name, sets in {"named": NAMED, "other": OTHER}.items()
}
JOINED = {
    name: {sample: ";".join(labels) for sample, labels in sets.items()}
    for name, sets in {"named": NAMED, "other": OTHER}.items()
}
WRITTEN: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "numbers": (NUMBERS["named"], NUMBERS["other"], {"classes": CLASSES}),
    "texts": (JOINED["named"], JOINED["other"], {"separator": ";"}),
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "agreement": lambda a, b, **how: oe.agreement({"Ann": a, "Bob": b}, resamples=20, **how).weights(),
    "consensus": lambda a, b, **how: oe.annotators.consensus({"Ann": a, "Bob": b}, ties="present", **how).labels_of("p2"),
    "sufficiency": lambda a, b, **how: oe.annotators.sufficiency({"Ann": a, "Bob": b, "Eve": a}, seed=1, **how)[1].decisions,
    "annotator_confusion": lambda a, b, **how: oe.annotators.annotator_confusion({"Ann": a, "Bob": b}, "Ann", "Bob", rule="mlcm", **how).top(9),
    "Annotations": lambda a, b, **how: oe.Annotations.from_sets({"Ann": a, "Bob": b}, **how).of("Bob").labels_of("p2"),
    "perturb": lambda a, _, **how: oe.comparison.perturb(a, "drop", 0.5, seed=3, **how).labels_of("p1"),
    "perturbable": lambda a, _, **how: oe.comparison.perturbable(a, "drop", **how).labels_of("p1"),
    "baseline": lambda a, _, **how: oe.comparison.baseline(a, "permuted", **how).labels_of("p1"),
    "difference": lambda a, b, **how: oe.audit.difference(a, b, **how).by_concept(),
    "study": lambda a, b, **how: oe.study(a, {"one": b, "two": a}, resamples=20, **how).comparison.scores.tolist(),
    "one_vs_rest": lambda a, b, **how: oe.one_vs_rest(a, b, **how).tp.tolist(),
    "explain": lambda a, b, **how: str(oe.explain(a, b, "p1", hierarchy=EDGES, **how)),
    "information_content": lambda a, _, **how: oe.concepts.information_content(a, EDGES, **how).tolist(),
    "information_accretion": lambda a, _, **how: oe.concepts.information_accretion(a, EDGES, **how).tolist(),
    "with_information": lambda a, _, **how: oe.concepts.with_information(EDGES, a, corpus="c", **how).weights["ia"].tolist(),
    "CoOccurrence": lambda a, _, **how: oe.concepts.CoOccurrence.of(a, **how).together.tolist(),
    "audit_labels": lambda a, _, **how: oe.audit_labels(a, EDGES, **how).of("unknown"),
}  # fmt: skip


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("verb", FUNCTIONS)
def test_every_function_of_labels_takes_class_numbers_and_delimited_texts(verb: str, written: str) -> None:
    first, second, how = WRITTEN[written]
    expected = FUNCTIONS[verb](NAMED, OTHER)
    assert FUNCTIONS[verb](first, second, **how) == expected


def test_baselines_and_perturbations_are_over_all_classes() -> None:
    assert oe.comparison.baseline([[0], [1]], "all", classes=CLASSES).labels_of("0") == ("sea", "sky", "sun")
    assert oe.comparison.perturb([[0], [1]], "drop", 0, seed=0, classes=CLASSES).vocabulary.concepts == (
        "sea",
        "sky",
        "sun",
    )


def test_class_numbers_stand_in_data_frames() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = [(sample, label) for sample, labels in NUMBERS["named"].items() for label in labels]
    long = {"sample": [sample for sample, _ in rows], "label": [label for _, label in rows]}
    lists = {"sample": list(NAMED), "labels": list(NUMBERS["named"].values())}
    frames = [pd.DataFrame(long), pl.DataFrame(long), pd.DataFrame(lists), pl.DataFrame(lists)]
    frames += [
        pd.Series(lists["labels"], index=lists["sample"]),
        pd.DataFrame(long).set_index("sample")["label"],
    ]
    expected = oe.evaluate(NAMED, OTHER).scores
    for frame in frames:
        assert oe.evaluate(frame, OTHER, classes=CLASSES).scores == expected
        assert oe.LabelSets.from_frame(frame, classes=CLASSES).labels_of("p1") == ("sea", "sky")
    single = pd.DataFrame({"sample": ["p1", "p2"], "label": [0, 2]})
    assert oe.evaluate(single, {"p1": "sea", "p2": "sun"}, classes=CLASSES)["F"] == 1
    with pytest.raises(oe.OntoevalError, match="3 stands for none of 3 classes"):
        oe.evaluate(pd.DataFrame({"sample": ["p1"], "label": [3]}), {"p1": "sea"}, classes=CLASSES)


def test_a_column_that_is_itself_a_class_may_hold_marks() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"sample": ["p1", "p2"], "label": [0, 1]})
    with pytest.raises(oe.OntoevalError, match="may hold concepts, or the values of one"):
        oe.LabelSets.from_frame(frame, classes=["label"])


def test_annotations_in_a_frame_hold_class_numbers() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"annotator": ["Ann", "Bob"], "sample": ["p1", "p1"], "label": [0, 0]})
    assert oe.agreement(frame, classes=CLASSES, resamples=20).weights()["sea"] == 1
    assert oe.Annotations.from_frame(frame, classes=CLASSES).of("Ann").labels_of("p1") == ("sea",)
