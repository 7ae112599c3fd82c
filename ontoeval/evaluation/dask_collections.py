"""Dask data frames and bags: each partition is scored where it is, and the totals are merged in a tree."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import add, methodcaller
from pathlib import Path
from socket import gethostname
from types import ModuleType
from typing import Any
from zlib import crc32

import numpy as np

from ontoeval.core.coercion import readable
from ontoeval.errors import (
    InputError,
    MisalignedError,
    OntoevalError,
    ParameterError,
    enumerate_some,
    pluralise,
    shortened,
)
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.clusters import losses_explained, refuse_other_versions
from ontoeval.evaluation.portions import PortionScoring, merge_in_tree
from ontoeval.evaluation.totals import Totals
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.column_titles import CONCEPT, CONCEPTS, SAMPLE, normalise_title
from ontoeval.plumbing.frames import AnyFrame, Listed, Wide, is_frame, repeated_names
from ontoeval.plumbing.processes import Client

DaskData = Any
"""A data frame or a bag of Dask, which need not be imported."""

FAN_IN = 8
"""Totals that one task merges: a power of two, so that the tree is that of `merge_in_tree` over all."""

DRAWN = 4096
"""Samples of each partition that are compared with those of all others."""

ALIKE = (
    "Put the same samples into the same partition of truth and runs: call frame.shuffle('sample', "
    "npartitions=n) or frame.set_index('sample') on all of them. Files need their rows in the same order."
)


def is_dask(value: object) -> bool:
    """Whether a value is a collection of Dask, which need not be imported."""
    return type(value).__module__.partition(".")[0] == "dask" and hasattr(value, "__dask_graph__")


def named_by_partitions(truth: DaskData, runs: Mapping[str, Any], how: SideOptions) -> SideOptions:
    """Check the partitions; columns name the concepts where nothing else does."""
    dask = requires("dask", "scale", "Scoring Dask collections")
    _check_partitions({"truth": truth} | {f"run {name!r}": run for name, run in runs.items()})
    if how.hierarchy is not None or how.classes is not None:
        return how
    return replace(how, classes=_columns(dask, [side.to_delayed()[0] for side in (truth, *runs.values())]))


def totals_of_partitions(
    scoring: PortionScoring, truth: DaskData, runs: Mapping[str, Any]
) -> dict[str, Totals]:
    """Totals of each run; only they reach this process."""
    dask = requires("dask", "scale", "Scoring Dask collections")
    partitions = [side.to_delayed() for side in (truth, *runs.values())]
    places = _partition_names(len(partitions[0]))
    score, sent = dask.delayed(score_partition, pure=False), dask.delayed(scoring, traverse=False)
    parts = [
        score(sent, place, true, dict(zip(runs, of_runs, strict=True)))
        for place, (true, *of_runs) in zip(places, zip(*partitions, strict=True), strict=True)
    ]
    return dict(_compute_in_tree(dask, parts, scoring).totals)


def totals_of_places(score: Any, client: Client) -> tuple[list[Totals], list[Counter[str]]]:  # noqa: ANN401 - a PartScoring, and of distributed
    """Totals of each run from files that a cluster reads, and for each file counts of deviations."""
    dask = requires("dask", "scale", "Scoring on a cluster")
    scoring, scans = score.scoring, score.scans
    if scoring.missing != "refuse":
        raise ParameterError(
            "missing", scoring.missing, "'refuse': on a cluster, samples are not matched by name"
        )
    contents = [[part.content for part in scan.portable_chunks(scans[0].chunk)] for scan in scans]
    if len({len(parts) for parts in contents}) > 1:
        sizes = (pluralise(scan.size, scan.unit.removesuffix("s")) for scan in scans)
        shown = ", ".join(f"{scan.where} {size}" for scan, size in zip(scans, sizes, strict=True))
        raise InputError(f"truth and runs differ in their numbers of samples: {shown}", ALIKE)
    refuse_other_versions(client)
    task, sent = dask.delayed(score_place, pure=False), dask.delayed(score, traverse=False)
    each = zip(_partition_names(len(contents[0])), zip(*contents, strict=True), strict=True)
    parts = [task(sent, place, of_sides) for place, of_sides in each]
    found = _compute_in_tree(dask, parts, scoring, scheduler=client)
    return list(found.totals.values()), list(found.counts)


def _partition_names(count: int) -> Iterator[str]:
    return (f"partition {at:,} of 0 to {count - 1:,}" for at in range(count))


def _compute_in_tree(
    dask: ModuleType, parts: list[Any], scoring: PortionScoring, scheduler: Client | None = None
) -> PartitionTotals:
    """Compute tasks, and merge what they return in a tree; only the root reaches this process."""
    merge = dask.delayed(merge_partitions, pure=False)
    while len(parts) > 1:
        parts = [merge(parts[at : at + FAN_IN]) for at in range(0, len(parts), FAN_IN)]
    with _large_graphs_allowed(), losses_explained():
        found: Sequence[PartitionTotals] = dask.compute(*parts, scheduler=scheduler)
    if not found or not found[0].totals:
        raise InputError("the truth has no samples", "Give some.")
    whole = {run: scoring.with_shared(totals) for run, totals in found[0].totals.items()}
    return replace(found[0], totals=whole)


def _check_partitions(sides: Mapping[str, Any]) -> None:
    """Refuse what is no collection of Dask, and collections of different numbers of partitions."""
    for name, side in sides.items():
        if not is_dask(side) or not hasattr(side, "npartitions") or hasattr(side, "chunks"):
            whose = "dask.array " * is_dask(side) + type(side).__name__
            raise InputError(
                f"the {name} is a {whose}, but others are Dask collections with partitions",
                "Give data frames or bags of Dask throughout: dask.dataframe.from_pandas(frame, "
                "npartitions=n), dask.dataframe.from_dask_array(array, columns=[...]).",
            )
    counts = {name: side.npartitions for name, side in sides.items()}
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"the {name} {count:,}" for name, count in counts.items())
        raise InputError(f"truth and runs differ in their numbers of partitions: {shown}", ALIKE)


def _columns(dask: ModuleType, firsts: Sequence[Any]) -> list[str] | None:
    """Concepts of data frames with a column for each, as their first partitions name them; else None."""
    named = dask.compute(*(dask.delayed(_named_columns)(first) for first in firsts))
    if any(columns is None for columns in named):
        return None
    return list(dict.fromkeys(name for columns in named for name in columns))


def _named_columns(partition: AnyFrame) -> tuple[str, ...] | None:
    rows = readable(partition) if is_frame(partition) else None
    return rows.concepts if isinstance(rows, Wide) else None


@dataclass(frozen=True, eq=False)
class PartitionTotals:
    """Totals of each run over some partitions, and a few of their samples; no totals without samples."""

    totals: Mapping[str, Totals]
    first: Mapping[str, str]
    """Partition of the first samples of truth and runs."""
    last: Mapping[str, str]
    drawn: Mapping[str, str]
    """Partition of the samples with the smallest checksums."""
    counts: Sequence[Counter[str]] = ()
    """Of each file, counts of deviations, such as labels left out."""


def score_partition(
    scoring: PortionScoring, place: str, truth: AnyFrame, runs: Mapping[str, AnyFrame]
) -> PartitionTotals:
    """Score one partition of all runs: a task of Dask."""
    with _locate_error(place):
        true = _read_partition(truth, scoring)
        predicted = {run: _read_partition(side, scoring) for run, side in runs.items()}
        sides = [true, *predicted.values()]
        if scoring.missing == "refuse":
            for run, side in predicted.items():
                _refuse_others(true.samples, side.samples, run)
        totals = scoring.of_runs(true, predicted) if len(true) else {}
        alike = scoring.missing == "refuse"  # so all sides have the samples of the truth
        samples = true.samples if alike else {name for side in sides for name in side.samples}
        return PartitionTotals(
            {run: scoring.without_shared(one) for run, one in totals.items()},
            {side.samples[0]: place for side in sides if len(side)},
            {name: place for side in sides for name in _last_samples(side)},
            dict.fromkeys(_draw_samples(samples), place),
        )


def score_place(score: Any, place: str, contents: Sequence[Any]) -> PartitionTotals:  # noqa: ANN401 - a PartScoring
    """Read one chunk of each file, and score it: a task of Dask."""
    with _locate_error(place):
        absent = [one.where for content in contents for one in content if not Path(one.where).exists()]
        if absent:
            raise InputError(
                f"the worker on {gethostname()} cannot find this file",
                "Name files by a path that all workers of the cluster can read.",
                where=absent[0],
            )
        scored = score(contents)
        if scored.left and any(len(sets.samples) for sets in scored.left):
            truth, *runs = (sets.samples for sets in scored.left)
            raise MisalignedError("samples", truth, [name for run in runs for name in run], remedy=ALIKE)
    totals = {str(run): one for run, one in enumerate(scored.totals)}
    first, last = (dict.fromkeys(scored.samples[at], place) for at in (slice(1), slice(-1, None)))
    counts = [Counter(of_side) for of_side in scored.counts]
    return PartitionTotals(totals, first, last, dict.fromkeys(_draw_samples(scored.samples), place), counts)


def merge_partitions(parts: Sequence[PartitionTotals]) -> PartitionTotals:
    """Merge the totals of consecutive partitions: a task of Dask."""
    drawn: dict[str, str] = {}
    for part in parts:
        _refuse_split(drawn, part.drawn)
        drawn |= part.drawn
    held = [part for part in parts if part.first]
    for part, following in pairwise(held):
        _refuse_split(part.last, following.first)
    scored = [part.totals for part in held if part.totals]
    return PartitionTotals(
        {run: merge_in_tree(totals[run] for totals in scored) for run in (scored[0] if scored else ())},
        held[0].first if held else {},
        held[-1].last if held else {},
        {sample: drawn[sample] for sample in _draw_samples(drawn)},
        [reduce(add, of_side) for of_side in zip(*(part.counts for part in parts), strict=True)],
    )


def _draw_samples(samples: Collection[str]) -> list[str]:
    """Choose the samples with the smallest checksums, which are the same wherever they are chosen."""
    names = list(samples)
    if len(names) <= DRAWN:
        return names
    encoded = map(methodcaller("encode", "utf-8", "surrogatepass"), names)
    checksums = np.fromiter(map(crc32, encoded), dtype=np.uint32, count=len(names))
    largest = np.partition(checksums, DRAWN)[DRAWN]
    return [names[at] for at in np.flatnonzero(checksums < largest)]


def _refuse_split(some: Mapping[str, str], others: Mapping[str, str]) -> None:
    """Refuse samples in two partitions."""
    if split := sorted(some.keys() & others.keys()):
        where = f"{enumerate_some(split)}, the first in {some[split[0]]} and in {others[split[0]]}"
        raise InputError(
            f"{pluralise(len(split), 'sample')} in more than one partition: {where}",
            f"All rows of a sample belong in one partition. {ALIKE}",
        )


def _read_partition(partition: AnyFrame, scoring: PortionScoring) -> Any:  # noqa: ANN401 - rows, whose samples have names
    """Read the frame of a partition, or its list of pairs or records."""
    if not len(partition):
        values = np.empty(0) if scoring.of_scores else None
        return Listed([], np.empty(0, dtype=np.intp), 0, (), values)
    if is_frame(partition):
        _refuse_texts_of_lists(partition, scoring)
    rows = readable(partition if is_frame(partition) else _by_sample(partition), scoring.reading)
    if rows.samples is None:
        raise InputError(
            "the samples have no names, by which partitions are matched",
            "Name the samples in a column, frame.assign(sample=...), or as the index: frame.set_index(...).",
        )
    return rows


def _refuse_texts_of_lists(frame: AnyFrame, scoring: PortionScoring) -> None:
    """Refuse texts that Dask made of lists."""
    for title in getattr(frame, "columns", ()):
        first = next(iter(frame[title]))
        if isinstance(first, str) and first[:1] + first[-1:] == "[]" and first not in scoring.vocabulary:
            raise InputError(
                f"column {str(title)!r} holds texts that Dask made of lists, such as {shortened(first)!r}",
                "Call dask.config.set({'dataframe.convert-string': False}) before the data frame is made.",
            )


def _last_samples(side: Any) -> set[str]:  # noqa: ANN401 - see `_read_partition`
    """Find the sample that came last, and that of the last row."""
    rows = side.row[-1:].tolist() if isinstance(side, Listed) else []
    return {side.samples[row] for row in (*rows, -1)} if len(side) else set()


def _refuse_others(truth: Sequence[str], prediction: Sequence[str], run: str) -> None:
    ours, theirs = set(truth), set(prediction)
    if ours != theirs:
        remedy = f"{ALIKE} Where only one side has a sample at all, pass missing='empty'."
        with _locate_error(f"run {run!r}"):
            raise MisalignedError("samples", sorted(ours - theirs), sorted(theirs - ours), remedy=remedy)


@contextmanager
def _locate_error(place: str) -> Iterator[None]:
    """Begin the message of an error with the partition or run that raised it."""
    try:
        yield
    except OntoevalError as error:
        error.args = (f"{place}: {error}", *error.args[1:])
        raise


@contextmanager
def _large_graphs_allowed() -> Iterator[None]:
    """Silence the warning about a large hierarchy, which is sent once."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        yield


def _no_pair(element: object) -> InputError:
    return InputError(
        f"an element of a bag that is no pair of a sample and its labels: {shortened(repr(element))}",
        "Give pairs (sample, labels), or records with the keys sample and labels.",
    )


def _by_sample(elements: Sequence[Any]) -> dict[str, Any]:
    """Labels of each sample in a bag, whose elements are pairs, or records with a sample and its labels."""
    first = elements[0]
    keys: list[Any] = [0, 1]
    if isinstance(first, Mapping):
        keys = [
            key
            for known in (SAMPLE, CONCEPT | CONCEPTS)
            for key in first
            if normalise_title(str(key)) in known
        ]
    if not isinstance(first, list | tuple | Mapping) or len(keys) != 2:  # noqa: PLR2004 - a sample and its labels
        raise _no_pair(first)
    sample, labels = keys
    try:
        pairs = [(str(element[sample]), element[labels]) for element in elements]
    except (TypeError, KeyError, IndexError) as error:
        raise _no_pair(first) from error
    if twice := repeated_names([name for name, _ in pairs]):
        raise InputError(
            f"{pluralise(len(twice), 'sample')} more than once in a bag: {enumerate_some(twice)}",
            "Give one element for each sample, with all its labels: bag.groupby.",
        )
    return dict(pairs)
