"""Cells of annotations: values that say whether a concept is there, labels, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, counted, listed
from ontoeval.io.numbers import TRUTH_VALUES, numbers
from ontoeval.io.separators import Known

UNCERTAIN, MISSING = -1, 2
"""What is said of a concept beside 1, that it is there, and 0, that it is not."""

BLANK = 1e9
"""The number that stands for nothing where values are read."""

VOTES = (1.0, 0.0, float(UNCERTAIN), BLANK)
"""The numbers that say something of a concept."""

NOTHING = frozenset({"", "nan", "na", "n/a", "none", "null"})
"""What stands for an empty cell."""

WORDS = {
    **TRUTH_VALUES,
    "yes": 1.0,
    "no": 0.0,
    "uncertain": float(UNCERTAIN),
    **dict.fromkeys(NOTHING, BLANK),
}
"""Words that are values."""

REMEDY = "Write 1 (there), 0 (not there), -1 (uncertain) or nothing (missing)."


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


def votes_in(
    values: NDArray[np.float64],
    texts: Sequence[str],
    lines: Sequence[int] | NDArray[np.intp],
    columns: Sequence[str],
    where: str,
) -> NDArray[np.int8]:
    """Take values for what they say.

    Parameters
    ----------
    values
        Numbers, one row after the other.
    texts
        What they are written as.
    lines
        The line of each row.
    columns
        The names of the columns.
    where
        The file.

    Returns
    -------
    ndarray of int
        1, 0, `UNCERTAIN` or `MISSING`.

    Raises
    ------
    InputError
        If there is another value.

    Examples
    --------
    >>> votes_in(np.array([1.0, -1.0]), ["1", "-1"], [2, 3], ["vote"], "memory")
    array([ 1, -1], dtype=int8)
    """
    odd = ~np.isin(values, VOTES)
    if odd.any():
        row, column = divmod(int(np.argmax(odd)), len(columns))
        raise InputError(
            f"column {columns[column]!r} holds {texts[int(np.argmax(odd))]!r}",
            f"{REMEDY} Or leave the column unread: --ignore-column.",
            where=where,
            row=int(lines[row]),
        )
    return np.where(values == BLANK, MISSING, np.where(odd, 0, values)).astype(np.int8)


def nothing_in(texts: Collection[str], known: Callable[[Collection[str]], bool] | None) -> frozenset[str]:
    """Find the words that stand for an empty cell, those left out that are concepts.

    Parameters
    ----------
    texts
        What cells hold.
    known
        Tells whether texts mean concepts, where that is known.

    Returns
    -------
    frozenset of str
        Those among them that stand for nothing, blanks too.

    Examples
    --------
    >>> sorted(nothing_in(["sky", "NaN", ""], None))
    ['', 'NaN']
    """
    empty = {text for text in texts if text.strip().lower() in NOTHING}
    return frozenset(text for text in empty if not text.strip() or not (known and known({text.strip()})))


def read_as_nothing(words: Collection[str], number: int) -> str:
    """Say that words stand for empty cells.

    Parameters
    ----------
    words
        The words.
    number
        How often they occur.

    Returns
    -------
    str
        A note.

    Examples
    --------
    >>> read_as_nothing({"NaN"}, 2)
    "read as empty, 2 times: 'NaN'"
    """
    return f"read as empty, {counted(number, 'time')}: {listed(sorted(words))}"
