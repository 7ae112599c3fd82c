"""Data frames of pandas, polars, pyarrow and others: what their columns say of samples and labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, listed, one_of
from ontoeval.extras import requires

Lists = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True, eq=False)
class FrameLabels:
    """What a frame with a column of labels says.

    Parameters
    ----------
    samples
        The samples in the order of their first row; where each row has a list, one per row.
    row
        Position of the sample, one per label.
    labels
        The labels.
    scores
        Their scores; 1 where there are none.
    """

    samples: Sequence[str]
    row: NDArray[np.intp]
    labels: Sequence[str]
    scores: NDArray[np.float64]


def table_of(frame: Any, *columns: str | None) -> Any:  # noqa: ANN401 - whatever narwhals knows
    """Take a frame that has some columns.

    Parameters
    ----------
    frame
        A frame of pandas, polars, pyarrow or any other library that narwhals knows.
    *columns
        The columns; None stands for none.

    Returns
    -------
    narwhals.DataFrame
        The frame.

    Raises
    ------
    InputError
        If it lacks one of them.
    MissingExtraError
        If narwhals is not installed.
    """
    narwhals = requires("narwhals", "frames", "Reading data frames")
    try:
        table = narwhals.from_native(frame, eager_only=True)
    except (TypeError, ValueError) as error:  # the latter where two columns have one name
        raise InputError(
            f"this {type(frame).__name__} is not taken as a data frame",
            "Give one of pandas, polars or pyarrow whose columns have different names: of a LazyFrame "
            "frame.collect(), of lists and dictionaries pandas.DataFrame(data).",
        ) from error
    lacking = [name for name in columns if name is not None and name not in table.columns]
    if lacking:
        raise InputError(
            f"the frame has no column {lacking[0]!r}", f"Its columns are {listed(table.columns)}."
        )
    return table


def labels_of(frame: Any, *, sample: str, concept: str, score: str | None = None) -> FrameLabels:  # noqa: ANN401
    """Read the labels of a frame that has one in each row, or a list.

    Parameters
    ----------
    frame
        The frame.
    sample
        The column of the samples.
    concept
        The column of the labels, or of lists of them; a null stands for none.
    score
        The column of their scores, or of lists of them.

    Returns
    -------
    FrameLabels
        What it says.

    Raises
    ------
    InputError
        If it lacks a column, labels and scores differ in number, or a score is no number.
    """
    table = table_of(frame, sample, concept, score)
    ids = list(map(str, table[sample].to_list()))
    cells = _cells(table[concept])
    given = None if score is None else _cells(table[score])
    if any(isinstance(cell, Lists) for cell in cells):
        samples: Sequence[str] = ids
        owner = np.arange(len(ids))
    else:
        position: dict[str, int] = {}
        owner = np.array([position.setdefault(name, len(position)) for name in ids], dtype=np.intp)
        samples = list(position)
    lists = [_listed(cell) for cell in cells]
    lengths = list(map(len, lists))
    scores = np.ones(sum(lengths))
    if given is not None:
        values = [_listed(cell) for cell in given]
        odd = [
            n
            for n, (length, numbers) in enumerate(zip(lengths, values, strict=True))
            if len(numbers) != length
        ]
        if odd:
            raise InputError(
                f"sample {ids[odd[0]]!r} has {lengths[odd[0]]} labels, but {len(values[odd[0]])} scores",
                "Give each label one score.",
            )
        scores = _numbers(chain.from_iterable(values))
    flat = list(map(str, chain.from_iterable(lists)))
    return FrameLabels(samples, np.repeat(owner, lengths), flat, scores)


def numbers_of(frame: Any, *, sample: str, concepts: Sequence[str] | None) -> dict[str, Any]:  # noqa: ANN401
    """Read a frame that has a column of numbers for each concept.

    Parameters
    ----------
    frame
        The frame.
    sample
        The column of the samples.
    concepts
        The columns of the concepts; by default all others.

    Returns
    -------
    dict
        What `LabelSets.from_array` takes: array, vocabulary and samples.

    Raises
    ------
    InputError
        If it lacks a column.
    """
    table = table_of(frame, sample, *(concepts or ()))
    names = [name for name in table.columns if name != sample] if concepts is None else list(concepts)
    samples = list(map(str, table[sample].to_list()))
    return {"array": table.select(names).to_numpy(), "vocabulary": names, "samples": samples}


def _cells(column: Any) -> list[Any]:  # noqa: ANN401 - a column of narwhals
    """List what a column holds, None for nulls of every kind."""
    return [
        None if null else cell
        for cell, null in zip(column.to_list(), column.is_null().to_list(), strict=True)
    ]


def _listed(cell: Any) -> Sequence[Any]:  # noqa: ANN401 - whatever a frame can hold
    if cell is None:
        return ()
    return list(cell) if isinstance(cell, Lists) else (cell,)


def _numbers(values: Iterable[object]) -> NDArray[np.float64]:
    try:
        return np.array(list(values), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"a score that is no number ({error})", "Give numbers.") from error


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str) -> Any:  # noqa: ANN401 - a frame of any library
    """Make a data frame.

    Parameters
    ----------
    columns
        Values by the titles of their columns.
    backend
        Library of the frame: "pandas", "polars" or "pyarrow".

    Returns
    -------
    DataFrame
        A frame of that library.

    Raises
    ------
    ParameterError
        If the library is another.
    MissingExtraError
        If narwhals is not installed.
    InputError
        If the library is not installed.
    """
    one_of("backend", backend, ("pandas", "polars", "pyarrow"))
    narwhals = requires("narwhals", "frames", "a data frame")
    try:
        import_module(backend)
    except ImportError as error:
        raise InputError(
            f"no data frame of {backend}, which is not installed",
            f"Install it with: python -m pip install {backend}",
        ) from error
    return narwhals.from_dict(dict(columns), backend=backend).to_native()
