"""Verified labels: made, read, and used as truth."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe

OPEN_IMAGES = [("a", "b"), ("a", "c"), ("c", "d"), ("c", "e"), ("a", "f"), ("f", "d")]
"""The hierarchy of the test of the expansion in TensorFlow's object detection API."""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def told(verified: oe.VerifiedLabels, sample: str) -> tuple[set[str], set[str]]:
    return set(verified.positive.labels_of(sample)), set(verified.negative.labels_of(sample))


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ("d", "", ({"c", "d", "f"}, set())),
        ("", "c", (set(), {"c", "d", "e"})),
        ("", "b", (set(), {"b"})),
        ("b", "", ({"b"}, set())),
    ],
)
def test_open_images_are_expanded_up_and_down(
    positive: str, negative: str, expected: tuple[set[str], set[str]]
) -> None:
    hierarchy = oe.Hierarchy.from_edges(OPEN_IMAGES)
    verified = oe.VerifiedLabels.from_sets(
        {"1": list(positive)}, {"1": list(negative)}, vocabulary=hierarchy.vocabulary
    )
    assert told(verified.expanded(hierarchy), "1") == expected
    with_root = expected[0] | ({"a"} if positive else set()), expected[1]
    assert told(verified.expanded(hierarchy, root="in"), "1") == with_root


def test_a_root_that_was_verified_stays() -> None:
    hierarchy = oe.Hierarchy.from_edges(OPEN_IMAGES)
    verified = oe.VerifiedLabels.from_sets([["a"]], [["b"]], vocabulary=hierarchy.vocabulary)
    assert told(verified.expanded(hierarchy), "0") == ({"a"}, {"b"})


def test_roots_are_added_where_there_are_several() -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b"), ("c", "d")])
    verified = oe.VerifiedLabels.from_sets([["b"]], [["c"]], vocabulary=hierarchy.vocabulary)
    assert told(verified.expanded(hierarchy), "0") == ({"a", "b"}, {"c", "d"})


def test_sides_may_lack_samples() -> None:
    verified = oe.VerifiedLabels.from_sets({"1": ["x"]}, {"2": ["x", "y"]})
    assert verified.samples == ("1", "2")
    assert verified.known.toarray().tolist() == [[True, False], [True, True]]
    assert len(verified) == 2


def test_arrays_say_1_0_and_nothing() -> None:
    first = oe.VerifiedLabels.from_array(np.array([[1, 0, -1], [np.nan, 1, 0]]))
    second = oe.VerifiedLabels.from_array(np.array([[1, -1, 0], [np.nan, 1, -1]]), negative=-1)
    for verified in (first, second):
        assert told(verified, "0") == ({"0"}, {"1"})
        assert told(verified, "1") == ({"1"}, {"2"})


def test_a_table_of_open_images_is_read(tmp_path: Path) -> None:
    rows = (
        "ImageID,Source,LabelName,Confidence\n"
        "i1,verification,/m/01,1\n"
        "i1,crowdsource-verification,/m/01,1\n"
        "i1,verification,/m/02,0\n"
        "i2,verification,/m/02,1\n"
    )
    verified = oe.read_verified_labels(write(tmp_path / "t.csv", rows))
    assert told(verified, "i1") == ({"/m/01"}, {"/m/02"})
    assert told(verified, "i2") == ({"/m/02"}, set())


@pytest.mark.parametrize(("negative", "absent"), [(0, "sea"), (-1, "sun")])
def test_tables_with_a_column_for_each_concept_are_read(tmp_path: Path, negative: int, absent: str) -> None:
    path = write(tmp_path / "t.csv", "id,sky,sea,sun,moon\np1,1,0,-1,\np2,,,,true\n")
    verified = oe.read_verified_labels(path, negative=negative)  # type: ignore[arg-type]
    assert told(verified, "p1") == ({"sky"}, {absent})
    assert told(verified, "p2") == ({"moon"}, set())


def test_a_long_table_may_leave_values_empty(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "id,concept,value\np1,sky,1\np1,sea,\np1,sun,0\n")
    assert told(oe.read_verified_labels(path), "p1") == ({"sky"}, {"sun"})


def test_concepts_are_named_as_in_the_ontology(tmp_path: Path) -> None:
    edges = write(tmp_path / "edges.csv", "parent,child\nplants,trees\nplants,flowers\n")
    ontology = oe.read_ontology(edges)
    path = write(tmp_path / "t.csv", "id,concept,value\np1,trees,1\np1,flowers,0\n")
    verified = oe.read_verified_labels(path, ontology)
    assert verified.vocabulary == ontology.hierarchy().label_vocabulary
    result = oe.evaluate(verified, {"p1": ["plants", "flowers"]}, hierarchy=ontology.hierarchy())
    assert result["F"] == 0


def test_only_what_was_verified_counts() -> None:
    verified = oe.VerifiedLabels.from_sets(
        {"1": ["sky"], "2": []}, {"1": ["sea"], "2": ["sky"]}, vocabulary=["sea", "sky", "sun"]
    )
    said = {"1": ["sky", "sun"], "2": ["sun"]}
    result = oe.evaluate(
        verified, said, measures=["P", "R", "Accuracy", "Accuracy(average='macro')", "Hamming"]
    )
    assert set(result.scores.values()) == {1.0, 0.0}
    assert result["Hamming"] == 0
    assert "3 of 6 labels of samples are known" in result.signature
    counts = oe.one_vs_rest(verified, said)
    assert [part.tolist() for part in (counts.tp, counts.tn)] == [[0, 1, 0], [1, 1, 0]]
    tensor = oe.confusion_tensor(verified, said).counts()
    assert tensor.tn.tolist() == [1, 1, 0, 1]


def test_a_predicted_descendant_of_what_is_there_is_half_right() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "plants"), ("plants", "trees"), ("r", "people")])
    verified = oe.VerifiedLabels.from_sets([["plants"]], [["people"]], vocabulary=hierarchy.vocabulary)
    measures = ["P", "R", "hP", "hR", "hP(members='labels')", "hR(members='leaves', undefined=0.0)"]
    result = oe.evaluate(verified, [["trees"]], hierarchy=hierarchy, measures=measures)
    # That there are trees is not known, that there are plants is, and is said by "trees".
    assert (result["hP"], result["hR"], result["R"]) == (1, 1, 0)
    assert np.isnan(result["P"])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P", 1 / 2),
        ("hP", 1 / 2),
        ("HLoss", 1),
        ("OS", 1 / 2),
        ("LCaP", 2 / 5),
        ("MGIA", 0),
        ("PhysioNet", 1 / 2),
        ("pathP", 1 / 2),
        ("nearP", 0),
        ("GIE", 5),
        ("Distance", 6),
    ],
)
def test_a_prediction_below_something_absent_is_wrong_for_every_measure(
    measure: str, expected: float
) -> None:
    edges = ["RA", "RB", "AC", "AD", "Ca", "Cb", "Dc", "BE", "BF", "Ed", "Ee"]
    hierarchy = oe.Hierarchy.from_edges([(edge[0], edge[1]) for edge in edges])
    verified = oe.VerifiedLabels.from_sets([["a"]], [["B"]], vocabulary=hierarchy.vocabulary)
    # Of "c" nothing is known; "d" lies below "B".
    for predicted in (["a", "d"], ["a", "d", "c"]):
        result = oe.evaluate(verified, [predicted], hierarchy=hierarchy, measures=measure)
        assert result[measure] == pytest.approx(expected)
    plain = oe.evaluate([["a"]], [["a", "d"]], hierarchy=hierarchy, measures=measure)
    assert plain[measure] == pytest.approx(expected)


def test_what_lies_above_something_there_counts_neither_way_unless_it_is_added() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "plants"), ("plants", "trees"), ("r", "people")])
    verified = oe.VerifiedLabels.from_sets([["trees"]], [["people"]], vocabulary=hierarchy.vocabulary)
    said = [["trees", "plants"]]
    measures = ["P", "R", "GIE"]
    result = oe.evaluate(verified, said, hierarchy=hierarchy, measures=measures)
    assert list(result.scores.values()) == [1, 1, 0]
    assert "2 of 4 labels of samples are known" in result.signature
    expanded = verified.expanded(hierarchy)
    result = oe.evaluate(expanded, [["trees"]], hierarchy=hierarchy, measures=["P", "R"])
    assert list(result.scores.values()) == [1, 1 / 2]


def test_of_a_node_above_all_roots_only_what_is_there_tells() -> None:
    hierarchy = oe.Hierarchy.from_edges([("x", "a"), ("y", "b")])
    verified = oe.VerifiedLabels.from_sets([["a"], []], [[], ["y"]], vocabulary=hierarchy.vocabulary)
    result = oe.evaluate(verified, [["b"], ["b"]], hierarchy=hierarchy, measures="hP(root='virtual')")
    # Common: the node above all, once; false: "y" and "b" of the second sample.
    assert list(result.scores.values()) == [pytest.approx(1 / 3)]


def test_copies_and_parts_know_as_much() -> None:
    verified = oe.VerifiedLabels.from_sets([["x"], ["y"]], [["y"], []])
    batch = oe.align(verified, oe.LabelSets.from_sets([["x", "y"], ["x"]]))
    for other in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):  # noqa: S301 - our own
        assert other.known is not None
        assert np.array_equal(other.known.toarray(), [[True, True], [False, True]])
        assert np.array_equal(other.prediction.matrix.toarray(), batch.prediction.matrix.toarray())
    assert batch.whole_prediction.sizes.tolist() == [2, 1]
    assert batch.prediction.sizes.tolist() == [2, 0]
    assert batch.rows(1, 2).whole_prediction.sizes.tolist() == [1]
    assert told(verified.rows(1, 2), "1") == ({"y"}, set())
    assert batch.judged.tolist() == [True, True]


def test_samples_are_aligned_by_name() -> None:
    verified = oe.VerifiedLabels.from_sets({"1": ["x"], "2": ["y"]}, {"1": ["y"]})
    found = oe.evaluate(verified, {"2": ["y"], "1": ["x", "y"]}, measures="F(average='samples')")
    assert found.per_sample("F(average='samples')") == pytest.approx([2 / 3, 1])


def test_totals_of_plain_and_of_verified_labels_can_be_added() -> None:
    truth = oe.LabelSets.from_array([[1, 0]])
    plain = oe.collect(oe.Batch(truth, truth), "F")
    verified = oe.VerifiedLabels.from_array([[1, float("nan")]])
    part = oe.collect(oe.align(verified, truth), "F")
    assert oe.merge(plain, part).verified == 3
    assert oe.merge(plain, plain).verified is None
