"""Chunks of a file say together what the whole file says."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError, UnknownConceptError
from ontoeval.labels import sources as pieces

CONCEPTS = ["a", "b", "c", "d"]
SAMPLES = {"p1": "ab", "p2": "", "p3": "a", "p4": "bcd", "p5": "d", "p6": "abcd", "p7": "c"}
FORMATS = {
    "wide": "id,labels\n" + "".join(f"{name},{';'.join(labels)}\n" for name, labels in SAMPLES.items()),
    "wide with quotes": "id,labels\n"
    + "".join(f'"{name}","{f",{chr(10)}".join(labels)}"\n' for name, labels in SAMPLES.items()),
    "long": "sample,concept\n"
    + "".join(f"{name},{label}\n" for name, labels in SAMPLES.items() for label in labels or [""]),
    "long with Windows's ends of lines": "sample,concept\r\n"
    + "".join(f"{name},{label}\r\n" for name, labels in SAMPLES.items() for label in labels or [""]),
    "columns": "id,a,b,c,d\n"
    + "".join(
        f"{name},{','.join(str(int(c in labels)) for c in 'abcd')}\n" for name, labels in SAMPLES.items()
    ),
    "imageclef": "".join(
        f"{name} {' '.join(str(int(c in labels)) for c in 'abcd')}\n" for name, labels in SAMPLES.items()
    ),
    "jsonl": "".join(
        f'{{"id": "{name}", "text": "a \\"quote", "labels": {list(labels)}}}\n'.replace("'", '"')
        for name, labels in SAMPLES.items()
    ),
    "jsonl with one label each": "".join(
        f'{{"id": "{name}", "label": "{label}"}}\n'
        for name, labels in SAMPLES.items()
        for label in labels or [""]
    ),
}


def written(folder: Path, content: str) -> Path:
    path = folder / "truth.csv"
    path.write_bytes(content.encode())
    return path


def together(chunks: list[Any]) -> tuple[tuple[str, ...], list[list[bool]]]:
    names = tuple(name for chunk in chunks for name in chunk.samples)
    return names, sparse.vstack([chunk.matrix for chunk in chunks]).toarray().tolist()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("piece", [1, 20, 2**22])
@pytest.mark.parametrize("case", FORMATS)
def test_chunks_are_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, piece: int, size: int
) -> None:
    monkeypatch.setattr(pieces, "PIECE", piece)
    path = written(tmp_path, FORMATS[case])
    whole = oe.read_labels(path, concepts=CONCEPTS)
    chunks = list(oe.labels.read_label_chunks(path, concepts=CONCEPTS, chunk=size))
    assert [len(chunk) for chunk in chunks[:-1]] == [size] * (len(chunks) - 1)
    assert all(chunk.vocabulary == whole.vocabulary for chunk in chunks)
    assert together(chunks) == (whole.samples, whole.matrix.toarray().tolist())


@pytest.mark.parametrize("end", ["END", "END\n", "\nEND\t\n\n"])
@pytest.mark.parametrize("piece", [1, 8, 2**22])
def test_the_end_of_cafa_is_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, piece: int
) -> None:
    monkeypatch.setattr(pieces, "PIECE", piece)
    path = written(tmp_path, f"T1\tGO:1\nT2\tGO:2\n{end}")
    chunks = list(oe.labels.read_label_chunks(path, concepts=["GO:1", "GO:2"], chunk=1))
    assert together(chunks) == (("T1", "T2"), [[True, False], [False, True]])


@pytest.mark.parametrize("columns", [{"sample": [], "concept": []}, {"id": [], "labels": []}])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_chunks_of_parquet_are_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: dict[str, list[Any]], size: int
) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    from ontoeval.labels import chunks as module

    monkeypatch.setattr(module, "_ROWS", 2)
    first, second = columns
    for name, labels in SAMPLES.items():
        lists: list[Any] = [list(labels)] if second == "labels" else list(labels) or [None]
        columns = {first: [*columns[first], *([name] * len(lists))], second: [*columns[second], *lists]}
    path = tmp_path / "truth.parquet"
    parquet.write_table(arrow.table(columns), path, row_group_size=5)
    whole = oe.read_labels(path, concepts=CONCEPTS)
    chunks = list(oe.labels.read_label_chunks(path, concepts=CONCEPTS, chunk=size))
    assert together(chunks) == (whole.samples, whole.matrix.toarray().tolist())
    packed = tmp_path / "truth.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert oe.read_labels(packed, concepts=CONCEPTS).samples == whole.samples
    with pytest.raises(InputError, match="a Parquet file that is packed again"):
        list(oe.labels.read_label_chunks(packed, concepts=CONCEPTS))


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 9), st.lists(st.sampled_from([*CONCEPTS, "x"]), max_size=4)),
        min_size=1,
        unique_by=lambda row: row[0],
    ),
    size=st.integers(1, 5),
    piece=st.integers(1, 60),
)
@settings(max_examples=100)
def test_what_is_left_out_or_repeated_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, list[str]]], size: int, piece: int
) -> None:
    text = "".join(f"p{name},{label}\n" for name, labels in rows for label in labels or [""])
    path = written(tmp_path_factory.mktemp("chunks"), f"sample,concept\n{text}")
    original = pieces.PIECE
    try:
        pieces.PIECE = piece
        files = list(oe.labels.read_label_file_chunks(path, concepts=CONCEPTS, unknown="drop", chunk=size))
    finally:
        pieces.PIECE = original
    whole = oe.labels.read_label_file(path, concepts=CONCEPTS, unknown="drop")
    assert together([file.sets for file in files]) == (
        whole.sets.samples,
        whole.sets.matrix.toarray().tolist(),
    )
    assert sum(file.repeated for file in files) == whole.repeated
    assert sum(file.dropped.get("x", 0) for file in files) == whole.dropped.get("x", 0)


def test_measures_of_chunks_are_merged(tmp_path: Path) -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b"), ("a", "c"), ("c", "d")])
    truth, run = written(tmp_path, FORMATS["long"]), tmp_path / "run.jsonl"
    run.write_text(FORMATS["jsonl"].replace('["d"]', '["c"]'), encoding="utf-8")
    measures = ("OS", "F", "Jaccard")
    parts = [
        oe.collect(oe.align(true, predicted, hierarchy=hierarchy), measures)
        for true, predicted in zip(
            oe.labels.read_label_chunks(truth, concepts=CONCEPTS, chunk=3),
            oe.labels.read_label_chunks(run, concepts=CONCEPTS, chunk=3),
            strict=True,
        )
    ]
    whole = oe.evaluate(
        oe.read_labels(truth, concepts=CONCEPTS),
        oe.read_labels(run, concepts=CONCEPTS),
        hierarchy=hierarchy,
        measures=measures,
    )
    assert len(parts) == 3
    assert oe.score(oe.merge(*parts)).scores == pytest.approx(whole.scores)


def test_thresholds_make_labels_of_scores_in_chunks(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept,score\np1,a,0.9\np1,b,0.1\np2,a,0.2\np3,d,0.8\n")
    chunks = list(oe.labels.read_label_chunks(path, concepts=CONCEPTS, chunk=2, threshold=0.5))
    assert together(chunks)[1] == [[True, False, False, False], [False] * 4, [False, False, False, True]]
    with pytest.raises(InputError, match="scores, not labels"):
        list(oe.labels.read_label_chunks(path, concepts=CONCEPTS))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sample,concept\np1,a\np2,a\np3,a\np1,b\n", r"rows from 5 on: sample 'p1' goes on, .*Sort the rows"),
        ("id,labels\np1,a\np2,a\np3,a\np1,b\n", r"rows from 5 on: sample 'p1' is there already"),
        ("id,labels\np1,a\np1,b\n", r"rows from 3 on: sample 'p1' is there already"),
        ("id,a\np1,0\np2,0\np3,0\np2,1\n", r"rows from 5 on: sample 'p2' is there already"),
        ('id,labels\np1,"a,b"\np2,a;b\n', r"rows from 3 on: labels are separated by ';', but by ',' before"),
        (
            "id,labels\np1,a\np2,a;b\n",
            r"rows from 3 on: labels are separated by ';', but the first rows have one label each",
        ),
        ("id,labels\np1,a\np2,e\n", "'e' in row 3"),
        ("sample,concept\np1,a\np2\n", "row 3: 1 field where the first row has 2"),
        ('sample,concept\np1,a\np2,"b\n', "row 3: this row breaks the rules of quoting"),
        ("sample,concept\np1,a\np2,\0\n", "row 3: a NUL character"),
        ("sample,concept\n", "there is no row below the header"),
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("foo,bar\n", "the format is not recognised"),
        ('{"p1": ["a"]}', "this is JSON .*not read in chunks"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, message: str
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 1)
    path = written(tmp_path, content)
    with pytest.raises((InputError, UnknownConceptError), match=rf"truth\.csv.*{message}"):
        list(oe.labels.read_label_chunks(path, concepts=CONCEPTS, chunk=1))


def test_a_separator_that_is_given_or_of_lower_rank_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 1)
    path = written(tmp_path, 'id,labels\np1,a;b\np2,"c,c"\np3,"c,c;d"\n')
    sets = list(oe.labels.read_label_chunks(path, concepts=["a", "b", "c,c", "d"], chunk=2))
    assert [chunk.labels_of(name) for chunk in sets for name in chunk.samples] == [
        ("a", "b"),
        ("c,c",),
        ("c,c", "d"),
    ]
    path = written(tmp_path, "id,labels\np1,a\np2,a;b\n")
    assert together(list(oe.labels.read_label_chunks(path, concepts=CONCEPTS, separator=";")))[1][1][:2] == [
        True,
        True,
    ]


def test_arrays_and_utf_16_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "truth.npy"
    np.save(path, np.eye(4))
    with pytest.raises(InputError, match="this is an array of NumPy, which is not read in chunks"):
        list(oe.labels.read_label_chunks(path, concepts=CONCEPTS))
    path.write_bytes("id,labels\np1,a\n".encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16 is not read in chunks"):
        list(oe.labels.read_label_chunks(path, concepts=CONCEPTS))


def test_a_row_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LONGEST_ROW", 2**20)
    monkeypatch.setattr(pieces, "PIECE", 2**18)
    path = written(tmp_path, "id,labels\np1,a\np2," + "a;" * 2**20)
    with pytest.raises(InputError, match=r"row 3: a row of more than 1 MiB"):
        list(oe.labels.read_label_chunks(path, concepts=CONCEPTS))


@pytest.mark.parametrize("chunk", [0, -1, 2.0, True, "all"])
def test_a_chunk_is_a_number_of_samples(tmp_path: Path, chunk: Any) -> None:
    with pytest.raises(ParameterError, match="chunk="):
        oe.labels.read_label_chunks(written(tmp_path, FORMATS["wide"]), concepts=CONCEPTS, chunk=chunk)


def test_all_chunks_need_the_same_concepts(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="all chunks need the same"):
        oe.labels.read_label_file_chunks(written(tmp_path, FORMATS["wide"]))


@pytest.mark.no_cover
def test_memory_follows_the_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 2**16)
    path = tmp_path / "truth.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write("sample,concept\n")
        for number in range(0, 200_000, 1_000):
            file.write(
                "".join(f"p{sample:07d},a\np{sample:07d},b\n" for sample in range(number, number + 1_000))
            )
    tracemalloc.start()
    try:
        total = sum(len(chunk) for chunk in oe.labels.read_label_chunks(path, concepts=CONCEPTS, chunk=1_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 200_000
    assert peak < 8 * 2**20
