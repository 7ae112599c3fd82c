"""Arrays of NumPy: read with their concepts, and never unpickled."""

from __future__ import annotations

import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError

CONCEPTS = ["sky", "sea", "trees"]
TABLE = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 1]])
SETS = {"p1": ("sky", "sea"), "p2": (), "p3": ("trees",)}


def as_sets(path: Path, **options: Any) -> dict[str, tuple[str, ...]]:
    sets = oe.read_labels(path, **options)
    return {sample: sets.labels_of(sample) for sample in sets.samples}


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, bool, np.float32, np.float16, ">i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_is_read_with_a_list_of_concepts(tmp_path: Path, dtype: Any, order: Any) -> None:
    path = tmp_path / "truth.npy"
    np.save(path, TABLE.astype(dtype, order=order))
    file = oe.labels.read_label_file(path, reading=oe.labels.LabelReading(oe.labels.NameOptions(CONCEPTS)))
    assert str(file.format) == "an array of NumPy with a column for each concept (3)"
    assert str(oe.labels.recognise(path)) == "an array of NumPy"
    assert file.sets.samples == ("0", "1", "2")
    assert file.sets.vocabulary.concepts == tuple(CONCEPTS)
    np.testing.assert_array_equal(file.sets.matrix.toarray(), TABLE.astype(bool))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_archive_of_one_array_is_unpacked_and_of_several_refused(tmp_path: Path, save: Any) -> None:
    path = tmp_path / "truth.npz"
    save(path, y_true=TABLE)
    assert list(as_sets(path, concepts=CONCEPTS).values()) == list(SETS.values())
    save(path, y_true=TABLE, classes=np.array(CONCEPTS))
    with pytest.raises(
        InputError, match=r"this archive holds 2 arrays of NumPy: 'y_true.npy', 'classes.npy'"
    ):
        oe.read_labels(path, concepts=CONCEPTS)


def test_scores_are_kept_but_for_zeros(tmp_path: Path) -> None:
    path = tmp_path / "run.npy"
    np.save(path, TABLE * 0.25)
    assert oe.read_scores(path, concepts=CONCEPTS).matrix.nnz == np.count_nonzero(TABLE)
    assert oe.read_labels(path, concepts=CONCEPTS, threshold=0.2).labels_of("2") == ("trees",)
    with pytest.raises(InputError, match=r"row 1: column 'sky' holds 0\.25, neither 0 nor 1"):
        oe.read_labels(path, concepts=CONCEPTS)


class Harmful:
    def __reduce__(self) -> Any:
        return (pytest.fail, ("it has been unpickled",))


def saved(array: Any) -> bytes:
    file = BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


HEADER = np.lib.format.magic(1, 0) + b"\x76\x00"
WRONG: dict[str, tuple[bytes, str]] = {
    "pickled objects": (saved(np.array([[Harmful()]], dtype=object)), "pickled objects.*never loaded"),
    "truncated": (saved(TABLE)[:-1], r"shall have shape \(3, 3\), but 71 bytes follow"),
    "no header": (saved(TABLE)[:9], "no array that NumPy has saved"),
    "broken header": (HEADER + b"{" * 0x76, "no array that NumPy has saved"),
    "a shape that is huge": (
        HEADER
        + f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({10**15}, 1)}}".ljust(0x75).encode()
        + b"\n",
        "but 0 bytes follow",
    ),
    "one dimension": (saved(TABLE[0]), r"no table of numbers, but an array of int64 of the shape \(3,\)"),
    "texts": (saved(np.array([["a"]])), "no table of numbers, but an array of <U1"),
    "not finite": (saved(TABLE * np.nan), "column 'sky' holds nan, neither 0 nor 1"),
    "other numbers": (saved(TABLE * 2), "column 'sky' holds 2, neither 0 nor 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_array_is_refused(tmp_path: Path, case: str) -> None:
    content, message = WRONG[case]
    path = tmp_path / "truth.npy"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"truth\.npy.*{message}"):
        oe.read_labels(path, concepts=CONCEPTS)


def test_a_pickle_is_no_array(tmp_path: Path) -> None:
    path = tmp_path / "truth.npy"
    path.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(InputError, match="this is a pickle, which is never opened"):
        oe.read_labels(path, concepts=CONCEPTS)


def test_an_array_needs_the_names_of_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "truth.npy"
    np.save(path, TABLE)
    with pytest.raises(InputError, match="an array, but the concepts of the values are unknown"):
        oe.read_labels(path)
    with pytest.raises(InputError, match="3 values in the first row, but 2 concepts are listed"):
        oe.read_labels(path, concepts=["sky", "sea"])
    with pytest.raises(InputError, match="not the format 'wide': it is an array of NumPy"):
        oe.read_labels(path, concepts=CONCEPTS, input_format="wide")
