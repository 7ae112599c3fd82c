"""Tables with one value for each sample and concept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.labels.concepts import ConceptList
from ontoeval.labels.entries import THRESHOLD_NEEDED, Entries, one_row_each


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of such a table."""

    lines: Sequence[int]
    samples: Sequence[str]
    values: NDArray[Any]


def entries_of_blocks(
    blocks: Iterable[Block],
    names: Sequence[str],
    places: Sequence[str],
    where: str,
    *,
    scores: bool,
    repeats: bool = False,
) -> Entries:
    """Put together what the rows say."""
    samples: list[str] = []
    lines: list[int] = []
    row, code, values = [np.empty(0, np.int32)], [np.empty(0, np.int32)], [np.empty(0)]
    for block in blocks:
        _refuse_other_numbers(block, names, where, scores=scores)
        at = np.nonzero(np.ones_like(block.values) if scores else block.values)
        row.append((at[0] + len(samples)).astype(np.int32))
        code.append(at[1].astype(np.int32))
        if scores:
            values.append(block.values[at])
        samples += block.samples
        lines += block.lines
    return Entries(
        one_row_each(where, samples, lines, repeats=repeats),
        tuple(names),
        tuple(places),
        np.concatenate(row),
        np.concatenate(code),
        np.concatenate(values) if scores else None,
        starts=np.array(lines, dtype=np.int32),
        header=True,
    )


def columns_of(
    columns: ConceptList | None, width: int, what: str, where: str
) -> tuple[Sequence[str], list[str]]:
    """Name columns that bear no names."""
    if columns is None:
        raise InputError(
            f"this is {what}, and nothing says which concepts the values stand for",
            "Name the concepts in the order of the values (concepts=, --concepts FILE).",
            where=where,
        )
    if len(columns.spellings) != width:
        raise InputError(
            f"{width:,} values in the first row, but {len(columns.spellings):,} concepts are listed",
            "List one concept for each value, in the order of the values.",
            where=where,
        )
    return columns.spellings, [f"{place} of {columns.where}" for place in columns.places]


def _refuse_other_numbers(block: Block, names: Sequence[str], where: str, *, scores: bool) -> None:
    values = block.values
    odd = ~np.isfinite(values) if scores else (values != 0) & (values != 1)
    if odd.any():
        row, column = divmod(int(np.argmax(odd)), len(names))
        problem = "which is no finite number" if scores else "neither 0 nor 1: these are scores"
        raise InputError(
            f"column {names[column]!r} holds {values[row, column].item():g}, {problem}",
            "Leave out what has no score." if scores else THRESHOLD_NEEDED,
            where=where,
            row=block.lines[row],
        )
