"""Reading label files of a million samples, beside the data-frame library that reads the same tables."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, Peer, cost
from benchmarks.samples import label_sets
from ontoeval.labels.chunks import read_label_chunks
from ontoeval.labels.reading import read_labels
from ontoeval.labels.writers import write_labels

LABELS = 12


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Read long tables and list columns, whole and in chunks."""
    samples, concepts = effort.of(1_000_000), 1_000
    vocabulary = oe.Vocabulary(tuple(f"concept {number:04}" for number in range(concepts)))
    sets, _ = label_sets(samples, vocabulary, labels=LABELS)
    size = f"{samples:,} × {LABELS}"
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder, "labels.csv")
        write_labels(sets, csv, output_format="long")
        _check(read_labels(csv), sets)
        peer = None
        if find_spec("pandas") is not None:
            peer = Peer("pandas, the table", cost(partial(import_module("pandas").read_csv, csv), effort))
        bar = Bar(seconds=10, megabytes=1000)
        yield Comparison("labels, long CSV", size, cost(partial(read_labels, csv), effort), peer, bar)
        yield Comparison(
            "labels, long CSV in chunks of 50,000",
            size,
            cost(partial(_in_chunks, csv, vocabulary.concepts), effort),
        )
        if find_spec("pyarrow") is None:
            yield Comparison("labels, Parquet", "skipped: pyarrow is not installed")
            return
        for form, table in (("long", _long(sets)), ("list column", _lists(sets))):
            parquet = Path(folder, "labels.parquet")
            import_module("pyarrow.parquet").write_table(table, parquet)
            _check(read_labels(parquet), sets)
            read = partial(import_module("pyarrow.parquet").read_table, parquet)
            peer = Peer("pyarrow, the table", cost(read, effort))
            ours = cost(partial(read_labels, parquet), effort)
            yield Comparison(f"labels, Parquet, {form}", size, ours, peer, Bar(seconds=2))


def _in_chunks(file: Path, concepts: tuple[str, ...]) -> int:
    return sum(len(chunk) for chunk in read_label_chunks(file, concepts=concepts, chunk=50_000))


def _long(sets: oe.LabelSets) -> object:
    arrow = import_module("pyarrow")
    samples = np.repeat(np.asarray(sets.samples), LABELS)
    concepts = np.asarray(sets.vocabulary.concepts)[sets.matrix.indices]
    return arrow.table({"sample": samples, "concept": concepts})


def _lists(sets: oe.LabelSets) -> object:
    arrow = import_module("pyarrow")
    concepts = arrow.array(np.asarray(sets.vocabulary.concepts)[sets.matrix.indices])
    lists = arrow.ListArray.from_arrays(sets.matrix.indptr.astype(np.int32), concepts)
    return arrow.table({"sample": np.asarray(sets.samples), "labels": lists})


def _check(found: oe.LabelSets, written: oe.LabelSets) -> None:
    np.testing.assert_array_equal(found.matrix.indptr, written.matrix.indptr)
    assert found.matrix.nnz == written.matrix.nnz  # noqa: S101
