"""Cells of annotators' columns: values of one concept, or labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.io.numbers import numbers
from ontoeval.io.opinions import BLANK, REMEDY, VOTES, WORDS
from ontoeval.io.separators import Known


def hold_votes(
    cells: Sequence[str],
    lines: NDArray[np.intp],
    columns: Sequence[str],
    where: str,
    known: Known | None,
) -> bool:
    """Tell whether cells hold values of one concept.

    Parameters
    ----------
    cells
        What they hold, one row after the other.
    lines
        The line of each row.
    columns
        The names of the columns.
    where
        The file, for messages.
    known
        Tells whether texts mean concepts, where that is known.

    Returns
    -------
    bool
        Whether they do; otherwise they hold labels.

    Raises
    ------
    InputError
        If most of them do, or all of one column, but not all.

    Examples
    --------
    >>> hold_votes(
    ...     ["1", "0", "sky", ""], np.array([2, 3]), ["Ann", "Bob"], "memory", {"sky", "1", "0"}.issuperset
    ... )
    False
    """
    values = numbers(cells, WORDS).reshape(-1, len(columns))
    votes, given = np.isin(values, VOTES[:-1]), values != BLANK
    odd = given & ~votes
    if not odd.any() or not votes.any():
        return not odd.any()
    whole = votes.any(axis=0) & ~odd.any(axis=0)
    if known is not None:
        seem_labels = known({cells[n].strip() for n in np.flatnonzero(votes).tolist()})
    else:
        seem_labels = 2 * votes.sum() < given.sum() and not whole.any()
    if not seem_labels:
        row, column = divmod(int(np.argmax(odd)), len(columns))
        raise InputError(
            f"column {columns[column]!r} holds {cells[int(np.argmax(odd))]!r} where others hold 1, 0 or -1",
            f"{REMEDY} Or leave the column unread (--ignore-column); where numbers are labels, list them "
            "(--concepts).",
            where=where,
            row=int(lines[row]),
        )
    return False
