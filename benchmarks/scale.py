"""Millions of documents in Parquet, scored by a few processes.

``python -m benchmarks.scale --folder F --samples N --write`` writes the files; without ``--write`` they are
scored, by worker processes and by a local cluster of Dask. ``python -m benchmarks`` leaves this out.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import ontoeval as oe
from benchmarks.samples import large_hierarchy
from benchmarks.scaling import Costs, makespan
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.portions import PortionScoring
from ontoeval.evaluation.totals import Totals, merge

MEASURES = ("F", "F(average='macro')", "hF", "OS", "tF", "tKappa")
LABELS, RIGHT = 13, 0.5
PART, GROUP = 250_000, 50_000  # documents in a file, and in a row group
SCALED = (1, 2, 4, 8, 16)
MEGA = 1e6


def main(arguments: list[str] | None = None) -> None:
    """Write the files, or score them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Scoring at scale.")
    parser.add_argument("--folder", type=Path, required=True, help="where the Parquet files are")
    parser.add_argument("--samples", type=int, default=10_000_000, help="number of documents")
    parser.add_argument("--workers", type=int, default=2, help="processes, of one thread each")
    parser.add_argument("--chunk", type=int, default=GROUP, help="documents in a task")
    parser.add_argument("--write", action="store_true", help="write the files, and stop")
    asked = parser.parse_args(arguments)
    known = _hierarchy()
    if asked.write:
        _write(asked.folder, asked.samples, known.label_vocabulary)
        return
    os.environ["OMP_NUM_THREADS"] = "1"  # of the workers too
    # Dask lets glibc return memory at once, and then glibc maps every array of 128 KiB anew.
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**25)
    sides = [oe.scan_labels(asked.folder / side, concepts=known.label_vocabulary, chunk=asked.chunk)
             for side in ("truth", "run")]  # fmt: skip
    print(f"{sides[0].size:,} documents × {len(known.vocabulary):,} concepts × {LABELS} labels")
    costs = _one_part(sides, known)
    found = [run(sides, known, asked.workers) for run in (_by_processes, _by_dask)]
    print(f"the same bits: {found[0] == found[1]}; {found[0]}")
    _scaled(costs, -(-sides[0].size // asked.chunk))


def _hierarchy() -> oe.Hierarchy:
    """MeSH where ONTOEVAL_DATA has it, else a drawn hierarchy of its size."""
    return large_hierarchy()[0]


def _write(folder: Path, samples: int, concepts: oe.Vocabulary) -> None:
    """Write truth and run, a row group at a time; files that are there are kept."""
    names, begun = pa.array(list(concepts)), perf_counter()
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


def _one_part(sides: list[Any], known: oe.Hierarchy) -> Costs:
    """Measure what one partition costs: reading, each measure alone, all at once, merging and sending."""
    contents = [next(iter(side.portable_chunks(side.chunk))).content for side in sides]
    read, both = _seconds(lambda: [side.read(part)[0] for side, part in zip(sides, contents, strict=True)])
    print(f"one partition of {len(both[0]):,} documents: reading both sides {read:.2f} s", end="")
    for measures in (*((one,) for one in MEASURES), MEASURES):
        scoring = PortionScoring.from_options(SideOptions(known), measures)
        scored, totals = _seconds(partial(scoring.totals, *both))
        print(f", {measures[0] if len(measures) == 1 else 'all at once'} {scored:.2f} s", end="")
    light: Totals = scoring.without_shared(totals)
    merging, _ = _seconds(lambda: merge(light, light))
    size, sent = len(pickle.dumps(light)), len(pickle.dumps(scoring))
    print(f"; reading is {read / (read + scored):.0%} of the whole")
    print(f"totals: {size / MEGA:.2f} MB, merged in {merging * 1e3:.1f} ms; sent once: {sent / MEGA:.1f} MB")
    return Costs(part=read + scored, merge=merging, size=size, task=_task_seconds(), start=0.5)


def _seconds(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Best of a few times of the processor, and the result."""
    best = float("inf")
    for _ in range(times):
        begun = process_time()
        found = work()
        best = min(best, process_time() - begun)
    return best, found


def _by_processes(sides: list[Any], known: oe.Hierarchy, workers: int) -> dict[str, float]:
    """Score by worker processes."""
    begun, before = perf_counter(), os.times()
    found = oe.evaluate(*sides, hierarchy=known, measures=MEASURES, workers=workers)
    after = os.times()
    cpu = sum(after[at] - before[at] for at in range(4))
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    _show("worker processes", found.totals.samples, perf_counter() - begun, cpu, peaks)
    return dict(found.scores)


def _by_dask(sides: list[Any], known: oe.Hierarchy, workers: int) -> dict[str, float]:
    """Score on a local cluster, whose scheduler is in this process."""
    with _cluster(workers) as client:
        before, begun, own = sum(client.run(process_time).values()), perf_counter(), process_time()
        found = oe.evaluate(*sides, hierarchy=known, measures=MEASURES, workers=client)
        seconds = perf_counter() - begun
        cpu = sum(client.run(process_time).values()) - before + process_time() - own
        peaks = [max(client.run(_peak).values()), _peak()]
    _show("Dask", found.totals.samples, seconds, cpu, peaks)
    return dict(found.scores)


def _cluster(workers: int) -> Any:  # noqa: ANN401 - a client of distributed
    from distributed import Client

    started: Any = Client
    return started(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _show(what: str, samples: int, seconds: float, cpu: float, peaks: list[int]) -> None:
    worker, client = (peak * 1024 / MEGA for peak in peaks)
    print(
        f"{what}: {seconds:.1f} s, {cpu:.1f} s of processors, {samples / seconds:,.0f} documents a second; "
        f"peak of a worker {worker:,.0f} MB, of the client {client:,.0f} MB"
    )


def _task_seconds(workers: int = 16, tasks: int = 2_000) -> float:
    """Measure what the scheduler takes for a task that does nothing, with many workers of little work."""
    from distributed import Client

    started: Any = Client
    with started(n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        begun = process_time()
        client.gather(client.map(_nothing, range(tasks), pure=False))
        return (process_time() - begun) / tasks


def _nothing(number: int) -> int:
    return number


def _scaled(costs: Costs, parts: int) -> None:
    """Replay this job with more workers."""
    print(f"replayed with {costs.task * 1e3:.2f} ms of the scheduler for a task, 10 Gbit/s:")
    alone = makespan(parts, 1, costs)
    for workers in SCALED:
        seconds = makespan(parts, workers, costs)
        print(f"  {workers:2} workers: {seconds:.0f} s, {alone / seconds:.1f} × one worker")


if __name__ == "__main__":
    main()
