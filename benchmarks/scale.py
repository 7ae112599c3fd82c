"""Millions of documents in Parquet, scored part by part.

``python -m benchmarks.scale --folder F --samples N --write`` writes the files; without ``--write`` they are
scored. ``python -m benchmarks`` leaves this out.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.samples import large_hierarchy

MEASURES = ("F", "F(average='macro')", "hF", "OS", "tF", "tKappa")
LABELS, RIGHT = 13, 0.5
PART, GROUP = 250_000, 50_000  # documents in a file, and in a row group
MEGA = 1e6


def main(arguments: list[str] | None = None) -> None:
    """Write the files, or score them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Scoring at scale.")
    parser.add_argument("--folder", type=Path, required=True, help="where the Parquet files are")
    parser.add_argument("--samples", type=int, default=10_000_000, help="number of documents")
    parser.add_argument("--parts", default="auto", help="number of parts")
    parser.add_argument("--workers", default="2", help="number of processes")
    parser.add_argument("--write", action="store_true", help="write the files, and stop")
    asked = parser.parse_args(arguments)
    if asked.write:
        _write(asked.folder, asked.samples)
        return
    _score(asked.folder, "--parts", asked.parts, "--workers", asked.workers, "--scratch", str(asked.folder))


def _write(folder: Path, samples: int) -> None:
    """Write the hierarchy, truth and run, a row group at a time; files that are there are kept."""
    # MeSH where ONTOEVAL_DATA has it, else a drawn hierarchy of its size.
    known, begun = large_hierarchy()[0], perf_counter()
    concepts, names = known.label_vocabulary, pa.array(list(known.label_vocabulary))
    folder.mkdir(parents=True, exist_ok=True)
    pairs = zip(*(side.tolist() for side in known.parents.nonzero()), strict=True)
    links = "".join(f"{known.vocabulary[child]},{known.vocabulary[parent]}\n" for child, parent in pairs)
    (folder / "links.csv").write_text(f"child,parent\n{links}", encoding="utf-8")
    schema = _table(names, 0, np.zeros((0, LABELS), dtype=np.int32)).schema
    for first in range(0, samples, PART):
        paths = [folder / side / f"part.{first // PART}.parquet" for side in ("truth", "run")]
        if all(path.exists() for path in paths):
            continue
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        drafts = [path.with_suffix(".draft") for path in paths]
        with pq.ParquetWriter(drafts[0], schema) as truth, pq.ParquetWriter(drafts[1], schema) as run:
            for begin in range(first, min(first + PART, samples), GROUP):
                both = _drawn(begin, min(GROUP, samples - begin), len(concepts))
                for writer, columns in zip((truth, run), both, strict=True):
                    writer.write_table(_table(names, begin, columns))
        for draft, path in zip(drafts, paths, strict=True):
            draft.replace(path)
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    print(f"{samples:,} documents in {size / MEGA:,.0f} MB, {perf_counter() - begun:.0f} s")


def _drawn(begin: int, samples: int, concepts: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw true labels, and predicted ones of which half are right; -1 where there is no further one."""
    random, shape = np.random.default_rng(begin), (samples, LABELS)
    # Sorted draws that are pushed apart are all different.
    truth = np.sort(random.integers(concepts - LABELS + 1, size=shape), axis=1) + np.arange(LABELS)
    drawn = np.where(random.random(shape) < RIGHT, truth, random.integers(concepts, size=shape))
    run = np.sort(drawn, axis=1)
    run[:, 1:][run[:, 1:] == run[:, :-1]] = -1
    return truth.astype(np.int32), run.astype(np.int32)


def _table(names: Any, begin: int, columns: NDArray[np.int32]) -> Any:  # noqa: ANN401 - of pyarrow
    """Make a column of samples, and one of lists of labels, which are numbers of a dictionary."""
    kept = columns >= 0
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
    labels = pa.DictionaryArray.from_arrays(pa.array(columns[kept]), names)
    samples = pa.array([f"doc{number}" for number in range(begin, begin + len(columns))], pa.string())
    return pa.table({"sample": samples, "labels": pa.ListArray.from_arrays(pa.array(offsets), labels)})


def _score(folder: Path, *options: str) -> None:
    """Score the run by the command, and print what it took, with all its processes."""
    measures = (word for measure in MEASURES for word in ("-m", measure))
    command = [sys.executable, "-m", "ontoeval", "score", str(folder / "truth"), str(folder / "run")]
    begun = perf_counter()
    subprocess.run([*command, "--ontology", str(folder / "links.csv"), *measures, *options], check=True)  # noqa: S603 - ours
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{perf_counter() - begun:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of processors, "
        f"largest process {used.ru_maxrss * 1024 / MEGA:,.0f} MB"
    )


if __name__ == "__main__":
    main()
