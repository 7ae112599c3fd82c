"""The tidy long table: one value in each row, of a run, of a concept, or of a sample."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import requires
from ontoeval.errors import InputError, MeasureError
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.measures.catalogue import full_name

TITLES = ("run", "measure", "parameters", "concept", "sample", "value")
"""The columns."""

ROW_GROUP = 1_000_000
"""Rows that are kept before they are written to Parquet."""

_PARQUET = "Writing Parquet"

Names = Sequence[str] | None


class Block(NamedTuple):
    """Values of one run and measure."""

    run: str
    measure: str
    parameters: str
    concepts: Names
    samples: Names
    values: NDArray[np.float64]


def blocks_of(evaluations: Mapping[str, Evaluation]) -> Iterator[Block]:
    """Go through all values: for each run and measure the score, those of concepts, those of samples."""
    for run, evaluation in evaluations.items():
        for notation, measure in evaluation.totals.measures.items():
            parameters = full_name(measure).partition("(")[2].removesuffix(")")
            named = (run, notation, parameters)
            yield Block(*named, None, None, np.array([evaluation.scores[notation]]))
            try:
                concepts = evaluation.per_concept(notation)
            except MeasureError:
                pass  # no mean over concepts
            else:
                yield Block(*named, list(concepts), None, np.array(list(concepts.values())))
            yield Block(*named, None, evaluation.samples, evaluation.per_sample(notation))


def columns_of(evaluations: Mapping[str, Evaluation]) -> dict[str, list[Any]]:
    """Make the whole table."""
    columns: dict[str, list[Any]] = {title: [] for title in TITLES}
    for block in blocks_of(evaluations):
        for title, cells in zip(TITLES, _cells(block), strict=True):
            columns[title] += cells
    return columns


def writer_of(path: Path) -> Callable[[Path, Iterator[Block]], None]:
    """Find what writes a file, by how its name ends."""
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    suffix = path.suffix.lower()
    if suffix not in writers:
        raise InputError(
            "the format of the long table is not known", "Name a file .csv or .parquet.", where=path
        )
    if suffix == ".parquet":
        requires("pyarrow", "arrow", _PARQUET)
    return writers[suffix]


def write_tidy(path: Path, evaluations: Mapping[str, Evaluation]) -> None:
    """Write the table into a file, a part at a time."""
    writer_of(path)(path, blocks_of(evaluations))


def _cells(block: Block) -> tuple[list[Any], ...]:
    count = len(block.values)
    constant = ([cell] * count for cell in block[:3])
    named = ([None] * count if names is None else list(names) for names in (block.concepts, block.samples))
    return (*constant, *named, block.values.tolist())


def _write_csv(path: Path, blocks: Iterator[Block]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TITLES)
        for block in blocks:
            named = (repeat("") if names is None else names for names in (block.concepts, block.samples))
            values = ("" if value != value else value for value in block.values.tolist())  # noqa: PLR0124 - nan
            # The values end the row, and they come to an end.
            writer.writerows(
                (*cells, value)
                for value, *cells in zip(values, *map(repeat, block[:3]), *named, strict=False)
            )


def _write_parquet(path: Path, blocks: Iterator[Block]) -> None:
    arrow = requires("pyarrow", "arrow", _PARQUET)
    parquet = requires("pyarrow.parquet", "arrow", _PARQUET)
    schema = arrow.schema(
        [(title, arrow.string()) for title in TITLES[:-1]] + [(TITLES[-1], arrow.float64())]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        waiting: list[Any] = []
        for block in blocks:
            cells = zip(_cells(block), schema.types, strict=True)
            arrays = [arrow.array(values, kind) for values, kind in cells]
            waiting.append(arrow.table(arrays, schema=schema))
            if sum(map(len, waiting)) >= ROW_GROUP:
                writer.write_table(arrow.concat_tables(waiting))
                waiting.clear()
        if waiting:
            writer.write_table(arrow.concat_tables(waiting))
