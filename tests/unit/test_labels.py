"""Label sets: built from sets, arrays and frames, picked and moved."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, MisalignedError, UnknownConceptError

SETS = {"p1": ["sky", "sea"], "p2": [], "p3": ["sea", "sea"]}


def test_sets_come_from_mappings_lists_and_iterators() -> None:
    expected = [[True, True], [False, False], [True, False]]
    mapped = oe.LabelSets.from_sets(SETS)
    assert mapped.samples == ("p1", "p2", "p3")
    for found in (
        mapped,
        oe.LabelSets.from_sets(SETS.values()),
        oe.LabelSets.from_sets(set(labels) for labels in SETS.values()),
        oe.LabelSets.from_sets((iter(labels) for labels in SETS.values()), samples=["a", "b", "c"]),
    ):
        assert found.vocabulary.concepts == ("sea", "sky")
        assert found.matrix.toarray().tolist() == expected
        assert found.sizes.tolist() == [2, 0, 1]


def test_unknown_labels_are_listed_with_the_first_sample_that_bears_them() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        oe.LabelSets.from_sets({"p1": ["sky", "tree"], "p2": ["tree", "fog"]}, vocabulary=["sky", "trees"])
    assert str(caught.value).startswith(
        "2 unknown concepts: 'tree' in sample 'p1' (near: 'trees'); 'fog' in sample 'p2'"
    )


def test_a_text_is_one_label_and_no_set_of_letters() -> None:
    assert oe.LabelSets.from_sets({"p1": "sky"}).labels_of("p1") == ("sky",)
    with pytest.raises(InputError, match="a text, such as 'sky', those of others a collection"):
        oe.LabelSets.from_sets({"p1": ["sea"], "p2": "sky"})


def test_samples_occur_once_and_fit_the_rows() -> None:
    with pytest.raises(InputError, match="samples that occur twice: 'p1'"):
        oe.LabelSets.from_sets([["a"], ["b"]], samples=["p1", "p1"])
    with pytest.raises(InputError, match="1 identifiers for the labels of 2 samples"):
        oe.LabelSets.from_sets([["a"], ["b"]], samples=["p1"])
    with pytest.raises(InputError, match=r"shape \(2, 1\) does not fit 1 sample and 1 concept"):
        oe.LabelSets.from_array([[1], [0]], samples=["p1"])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[0, 1], [0.5, 1]], "row 1, column 0 holds 0.5, neither 0 nor 1.*LabelScores"),
        ([[0, -1]], "row 0, column 1 holds -1"),
        ([[0, np.nan]], "row 0, column 1 holds nan"),
        (sparse.csr_array([[0, 0, 2]]), "row 0, column 2 holds 2"),
        ([1, 0], r"an array of shape \(2,\)"),
        ([[[1]]], r"an array of shape \(1, 1, 1\)"),
        ([["a"]], "type <U1"),
        (np.array([[None]]), "type object"),
        ([[1, 2], [1]], "rows of different lengths"),
    ],
)
def test_arrays_of_anything_but_zeros_and_ones_are_refused(array: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        oe.LabelSets.from_array(array)


def test_arrays_of_objects_are_taken_where_all_are_numbers() -> None:
    array = np.array([[True, 0], [Decimal(0), 1.0]], dtype=object)
    assert oe.LabelSets.from_array(array).sizes.tolist() == [1, 1]
    with pytest.raises(InputError, match="type object"):
        oe.LabelSets.from_array([[10**400]])


def test_arrays_are_copied() -> None:
    array = sparse.csr_array(np.array([[True, False]]))
    found = oe.LabelSets.from_array(array)
    array.data[:] = False
    assert found.matrix.sum() == 1


def test_labels_of_an_unknown_sample_are_an_error() -> None:
    with pytest.raises(InputError, match=r"no sample 'p9'. The first samples are 'p1', 'p2', 'p3'"):
        oe.LabelSets.from_sets(SETS).labels_of("p9")


def test_samples_are_taken_by_name_and_come_out_empty_where_missing() -> None:
    taken = oe.LabelSets.from_sets(SETS).take(["p3", "p9", "p1"])
    assert taken.samples == ("p3", "p9", "p1")
    assert taken.matrix.toarray().tolist() == [[True, False], [False, False], [True, True]]


def test_columns_move_to_another_vocabulary_that_has_all_that_is_used() -> None:
    found = oe.LabelSets.from_sets({"p": ["sea"]}, vocabulary=("sky", "sea"))
    assert found.within(found.vocabulary) is found
    moved = found.within(oe.Vocabulary(("sand", "sea")))
    assert moved.labels_of("p") == ("sea",)
    with pytest.raises(MisalignedError, match=r"1 only in the prediction \('sea'\)"):
        found.within(oe.Vocabulary(("sky", "sand")))


# frames -----------------------------------------------------------------------------------------------------

LONG: dict[str, list[Any]] = {"photo": ["p1", "p2", "p1"], "label": ["sky", None, "sea"]}
WIDE: dict[str, list[Any]] = {"photo": ["p1", "p2"], "sky": [1, 0], "sea": [1, 0]}


def frame(module: str, columns: dict[str, list[Any]]) -> Any:
    """Make a data frame of pandas or polars."""
    return pytest.importorskip(module).DataFrame(columns)


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_frames_without_a_column_that_is_asked_for_are_refused(module: str) -> None:
    for columns, options in (
        (WIDE, {"sample": "image"}),
        (LONG, {"sample": "photo", "concept": "image"}),
        (WIDE, {"sample": "photo", "vocabulary": ["image"]}),
    ):
        with pytest.raises(InputError, match=r"the frame has no column 'image'. Its columns are 'photo'"):
            oe.LabelSets.from_frame(frame(module, columns), **options)


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_wide_frames_of_scores_are_refused(module: str) -> None:
    with pytest.raises(InputError, match=r"row 0, column 0 holds 0.5"):
        oe.LabelSets.from_frame(frame(module, {"photo": ["p1"], "sky": [0.5]}), sample="photo")


@pytest.mark.parametrize("module", ["pandas", "polars", "", "lazy"])
def test_what_is_no_frame_is_refused_in_words(module: str) -> None:
    given: Any = [["p1", "sky"]]
    if module == "pandas":
        given = frame(module, WIDE).set_axis(["photo", "sky", "sky"], axis=1)
    elif module == "polars":
        given = frame(module, WIDE)["sky"]
    elif module == "lazy":
        given = frame("polars", WIDE).lazy()
    for options in ({}, {"concept": "sky"}):
        with pytest.raises(InputError, match=r"this \w+ is not taken as a data frame.*frame\.collect\(\)"):
            oe.LabelSets.from_frame(given, sample="photo", **options)
