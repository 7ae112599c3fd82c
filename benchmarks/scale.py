"""Millions of documents in Parquet, scored by a few processes: ``python -m benchmarks.scale --help``."""

from __future__ import annotations

import argparse
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import ontoeval as oe
from benchmarks.samples import large_hierarchy
from ontoeval.evaluation.dask_collections import totals_of_scan_parts
from ontoeval.evaluation.portions import PortionScoring

MEASURES = ("F", "F(average='macro')", "hF", "OS", "tF", "tKappa")
LABELS = 13
PART = 250_000
"""Documents in a file."""
GROUP = 50_000
"""Documents in a row group, and in a task."""
RIGHT = 0.5


def hierarchy() -> oe.Hierarchy:
    """MeSH where ONTOEVAL_DATA has it, else a drawn hierarchy of its size."""
    return large_hierarchy()[0]


def write(folder: Path, samples: int, concepts: oe.Vocabulary) -> None:
    """Write truth and a run, a row group at a time; a part that is there is kept."""
    names = pa.array(list(concepts))
    for side in ("truth", "run"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    for first in range(0, samples, PART):
        paths = [folder / side / f"part.{first // PART}.parquet" for side in ("truth", "run")]
        if all(path.exists() for path in paths):
            continue
        drafts = [path.with_suffix(".draft") for path in paths]
        schema = _table(names, 0, np.zeros((0, LABELS), dtype=np.int32)).schema
        with pq.ParquetWriter(drafts[0], schema) as truth, pq.ParquetWriter(drafts[1], schema) as run:
            for begin in range(first, min(first + PART, samples), GROUP):
                size = min(GROUP, samples - begin)
                for writer, columns in zip((truth, run), _drawn(begin, size, len(concepts)), strict=True):
                    writer.write_table(_table(names, begin, columns))
        for draft, path in zip(drafts, paths, strict=True):
            draft.replace(path)


def _drawn(begin: int, samples: int, concepts: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw true labels, and predicted ones of which half are right; those of a sample are different."""
    random = np.random.default_rng(begin)
    shape = (samples, LABELS)
    # Sorted draws that are pushed apart are all different.
    truth = np.sort(random.integers(concepts - LABELS + 1, size=shape), axis=1) + np.arange(LABELS)
    wrong = (truth + random.integers(1, concepts // LABELS, size=shape)) % concepts
    run = np.sort(np.where(random.random(shape) < RIGHT, truth, wrong), axis=1)
    run[:, 1:][run[:, 1:] == run[:, :-1]] = -1
    return truth.astype(np.int32), run.astype(np.int32)


def _table(names: Any, begin: int, columns: NDArray[np.int32]) -> Any:
    """A column of samples, and one of lists of labels, which are numbers of a dictionary."""
    kept = columns >= 0
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
    labels = pa.DictionaryArray.from_arrays(pa.array(columns[kept]), names)
    samples = pa.array([f"doc{number}" for number in range(begin, begin + len(columns))], pa.string())
    return pa.table({"sample": samples, "labels": pa.ListArray.from_arrays(pa.array(offsets), labels)})
