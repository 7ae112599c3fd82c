"""What a file of annotations says, before its labels are looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.io.numbers import TRUTH_VALUES

UNCERTAIN, MISSING = -1, 2
"""What is said of a concept beside 1, that it is there, and 0, that it is not."""

BLANK = 1e9
"""The number that stands for nothing where values are read."""

VOTES = (1.0, 0.0, float(UNCERTAIN), BLANK)
"""The numbers that say something of a concept."""

WORDS = {
    **TRUTH_VALUES,
    "yes": 1.0,
    "no": 0.0,
    "uncertain": float(UNCERTAIN),
    **dict.fromkeys(("", "nan", "na", "n/a", "none", "null"), BLANK),
}
REMEDY = "Write 1 (there), 0 (not there), -1 (uncertain) or nothing (missing)."


@dataclass(frozen=True, eq=False, kw_only=True)
class Opinions:
    """What a file says.

    Parameters
    ----------
    where
        The file.
    form
        Its format in words.
    samples
        Identifiers of the samples, none twice.
    annotators
        Names of the annotators, none twice.
    sample
        Position of the sample, one per sheet: what one annotator says of one sample.
    annotator
        Position of the annotator, one per sheet.
    spellings
        What stands for concepts, none twice.
    places
        Where each spelling was first met.
    sheet
        Position of the sheet, one per entry.
    code
        Position of the spelling, one per entry.
    state
        What is said: 1, 0, `UNCERTAIN` or `MISSING`, one per entry.
    line
        The line, one per entry; 0 where it is not known.
    header
        Whether the spellings name columns.
    spoken
        Whether nothing is known of what no entry speaks of; otherwise it is not there.
    """

    where: str
    form: str
    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    sample: NDArray[np.intp]
    annotator: NDArray[np.intp]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    sheet: NDArray[np.intp]
    code: NDArray[np.intp]
    state: NDArray[np.int8]
    line: NDArray[np.intp]
    header: bool = False
    spoken: bool = False


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
            REMEDY,
            where=where,
            row=int(lines[row]),
        )
    return np.where(values == BLANK, MISSING, np.where(odd, 0, values)).astype(np.int8)


def of_votes(
    state: NDArray[np.int8],
    lines: NDArray[np.intp],
    concepts: Sequence[str],
    *,
    where: str,
    form: str,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    sheets: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Opinions:
    """Take a row of values for each sheet; a row without any is a sample that has not been seen.

    Parameters
    ----------
    state
        Sheets × concepts: what is said.
    lines
        The line of each sheet.
    concepts
        What stands for the concepts.
    where
        The file.
    form
        Its format in words.
    names
        Samples and annotators.
    sheets
        Position of the sample, and of the annotator, for each sheet.

    Returns
    -------
    Opinions
        What the file says.
    """
    seen = np.flatnonzero((state != MISSING).any(axis=1))
    sheet, code = np.nonzero(state[seen])
    return Opinions(
        where=where,
        form=form,
        samples=names[0],
        annotators=names[1],
        sample=sheets[0][seen],
        annotator=sheets[1][seen],
        spellings=tuple(concepts),
        places=("row 1",) * len(concepts),
        sheet=sheet,
        code=code,
        state=state[seen][sheet, code],
        line=lines[seen][sheet],
        header=True,
    )
