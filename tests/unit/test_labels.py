"""Label sets: built from sets, arrays and frames, picked and moved."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, MisalignedError

SETS = {"p1": ["sky", "sea"], "p2": [], "p3": ["sea", "sea"]}


def test_samples_occur_once() -> None:
    with pytest.raises(InputError, match="samples that occur twice: 'p1'"):
        oe.LabelSets.from_sets([["a"], ["b"]], samples=["p1", "p1"])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (sparse.csr_array([[0, 0, 2]]), "row 0, column 2 holds 2"),
        (sparse.coo_array(np.array([1])), r"an array of shape \(1,\)"),
        ([[[1]]], r"an array of shape \(1, 1, 1\)"),
        (np.array([[None]]), "type object"),
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
