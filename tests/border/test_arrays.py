"""Arrays of NumPy: read with their concepts, and never unpickled."""

from __future__ import annotations

import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

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
def test_an_archive_may_name_samples_and_concepts(tmp_path: Path, save: Any) -> None:
    path = tmp_path / "truth.npz"
    save(path, y_true=TABLE, samples=np.array(["p1", "p2", "p3"]), classes=np.array(CONCEPTS, dtype="S"))
    assert as_sets(path) == SETS
    assert as_sets(path, concepts=["trees", "sea", "sky"])["p1"] == ("sea", "sky")


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_matrices_of_scipy_are_read(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "truth.npz"
    sparse.save_npz(path, make(TABLE))
    assert list(as_sets(path, concepts=CONCEPTS).values()) == list(SETS.values())
    sparse.save_npz(path, make(TABLE * 0.5))
    scores = oe.read_scores(path, concepts=CONCEPTS)
    np.testing.assert_array_equal(scores.matrix.toarray(), TABLE * 0.5)
    assert scores.matrix.nnz == 3
    with pytest.raises(
        InputError, match=r"row 1: column 'sky' holds 0\.5, neither 0 nor 1: these are scores"
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


def saved(array: Any, **more: Any) -> bytes:
    file = BytesIO()
    np.savez(file, array, **more) if more else np.save(file, array, allow_pickle=True)
    return file.getvalue()


def sparse_with(**changes: Any) -> bytes:
    parts = {"format": b"csr", "shape": [2, 3], "data": [1], "indices": [0], "indptr": [0, 1, 1]}
    file = BytesIO()
    np.savez(file, **{name: np.array(value) for name, value in (parts | changes).items()})  # type: ignore[arg-type]
    return file.getvalue()


HEADER = np.lib.format.magic(1, 0) + b"\x76\x00"
WRONG: dict[str, tuple[bytes, str]] = {
    "pickled objects": (saved(np.array([[Harmful()]], dtype=object)), "pickled objects.*never loaded"),
    "pickled objects in an archive": (
        saved(TABLE, labels=np.array(["a", Harmful()], dtype=object)),
        r"labels\.npy: this array holds pickled objects",
    ),
    "truncated": (saved(TABLE)[:-1], r"shall have shape \(3, 3\), but 71 bytes follow"),
    "no header": (saved(TABLE)[:9], "no array that NumPy has saved"),
    "broken header": (HEADER + b"{" * 0x76, "no array that NumPy has saved"),
    "a shape that is huge": (
        HEADER
        + f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({10**15}, 1)}}".ljust(0x75).encode()
        + b"\n",
        "but 0 bytes follow",
    ),
    "one dimension": (saved(TABLE[0]), "no table of numbers among"),
    "texts": (saved(np.array([["a"]])), "no table of numbers among"),
    "two tables": (saved(TABLE, other=TABLE), "several tables of numbers among 'other"),
    "fewer concepts": (saved(TABLE, classes=np.array(["a"])), "1 concepts in 'classes', but the table has 3"),
    "two lists of concepts": (
        saved(TABLE, classes=np.array(CONCEPTS), labels=np.array(CONCEPTS)),
        "concepts in 'classes', 'labels'",
    ),
    "fewer samples": (saved(TABLE, ids=np.array(["a"])), "no table|1 samples in 'ids'"),
    "a sample twice": (
        saved(TABLE, samples=np.array(["a", "b", "a"])),
        "sample 'a' is there already in row 1",
    ),
    "not finite": (saved(TABLE * np.nan), "column 'sky' holds nan, neither 0 nor 1"),
    "other numbers": (saved(TABLE * 2), "column 'sky' holds 2, neither 0 nor 1"),
    "sparse of an unknown kind": (sparse_with(format=b"bsr"), "no sparse matrix that scipy has saved"),
    "sparse without a part": (sparse_with(format=b"coo"), "no sparse matrix that scipy has saved: 'row'"),
    "sparse with a column too many": (sparse_with(indices=[3]), "no sparse matrix that scipy has saved"),
    "sparse with endless rows": (
        sparse_with(format=b"coo", shape=[10**12, 3], row=[0], col=[0]),
        "1,000,000,000,000 rows, of which the file holds next to nothing",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_array_is_refused(tmp_path: Path, case: str) -> None:
    content, message = WRONG[case]
    path = tmp_path / "truth.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"truth\.npz.*{message}"):
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


def test_an_audit_goes_on_behind_a_repeated_sample(tmp_path: Path) -> None:
    path = tmp_path / "truth.npz"
    np.savez(path, y=np.array([[1, 0], [1, 1], [0, 1]]), samples=["p1", "p1", "p2"], classes=["sky", "sea"])
    findings = oe.audit_labels(path, oe.read_ontology(oe.ontologies.path("photo")))
    assert findings.of("conflicting-sample")[0].samples == ("p1",)
