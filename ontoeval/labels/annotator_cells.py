"""Cells of annotations: values that say whether a concept is there, labels, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, counted, listed
from ontoeval.labels.cells import is_structure
from ontoeval.labels.numbers import TRUTH_VALUES, numbers
from ontoeval.labels.separators import Known

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
    """Tell whether cells hold values of one concept."""
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
    """Take values for what they say."""
    odd = ~np.isin(values, VOTES)
    if odd.any():
        row, column = divmod(int(np.argmax(odd)), len(columns))
        # Of a column that alone says what is there, nothing would be left to say what is not.
        text = texts[int(np.argmax(odd))]
        unread = " Or leave the column unread: --ignore-column." if len(columns) > 1 else ""
        labels = " Or read the column as labels: --concept-column." if is_structure(text) else ""
        raise InputError(
            f"column {columns[column]!r} holds {text!r}",
            f"{REMEDY}{unread}{labels}",
            where=where,
            row=int(lines[row]),
        )
    return np.where(values == BLANK, MISSING, np.where(odd, 0, values)).astype(np.int8)


def refuse_ignored(texts: Sequence[str], lines: NDArray[np.intp], column: str, where: str) -> None:
    """Refuse to take every row for a label where values that are to be ignored say that some are none."""
    against = np.isin(numbers(texts, WORDS), (0, UNCERTAIN))
    if against.any():
        odd = int(np.argmax(against))
        raise InputError(
            f"column {column!r}, which is to be ignored, holds {texts[odd]!r}: without it the row would say "
            "that the concept is there",
            f"{REMEDY} Or remove such rows.",
            where=where,
            row=int(lines[odd]),
        )


def remarks_on_answers(
    labels: Sequence[str], known: Known | None, column: str, where: str
) -> tuple[str, ...]:
    """Say where labels look like the answers of several people to one question."""
    values = numbers(labels, WORDS)
    answers = sorted(text for text, value in zip(labels, values, strict=True) if value != BLANK)
    if not answers or not np.isin(values, VOTES).all() or (known is not None and known(answers)):
        return ()
    what = f"column {column!r} holds {listed(answers)} alone, like answers to one question"
    how = "add a column 'concept' that names what is asked, and call this one 'value'"
    if known is not None:
        raise InputError(f"{what}, and no concepts", f"{how.capitalize()}.", where=where, row=1)
    return (f"{what}, and they are taken for concepts; where they are answers, {how}",)


def nothing_in(texts: Collection[str], known: Callable[[Collection[str]], bool] | None) -> frozenset[str]:
    """Find the words that stand for an empty cell, those left out that are concepts."""
    empty = {text for text in texts if text.strip().lower() in NOTHING}
    return frozenset(text for text in empty if not text.strip() or not (known and known({text.strip()})))


def read_as_nothing(words: Collection[str], number: int) -> str:
    """Say that words stand for empty cells."""
    return f"read as empty, {counted(number, 'time')}: {listed(sorted(words))}"
