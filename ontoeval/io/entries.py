"""What every format comes down to: which sample bears which spelling, with which score."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError

ONE_ROW_EACH = (
    "Keep one row for each sample; where each row holds one label of a sample, name the columns "
    "'sample,concept' or pass input_format='long' (--input-format long)."
)
THRESHOLD_NEEDED = (
    "Give a threshold (threshold=, --threshold) that makes labels of scores, or use read_scores."
)


@dataclass(frozen=True, eq=False)
class Entries:
    """The contents of a label file, before its labels are looked up.

    Parameters
    ----------
    samples
        Identifiers of the samples in the order of the file, none twice.
    spellings
        What stands for concepts, none twice.
    places
        Where each spelling was first met.
    row
        Position of the sample, one per entry.
    code
        Position of the spelling, one per entry.
    values
        The score, one per entry; None where the file says which labels there are.
    lines
        The line, one per entry; None where it is not known or says nothing.
    header
        Whether the spellings name columns, so that their order means something and none may
        mean the same as another.
    separator
        What was found to separate labels.
    """

    samples: tuple[str, ...]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    row: NDArray[np.int32]
    code: NDArray[np.int32]
    values: NDArray[np.float64] | None = None
    lines: NDArray[np.int32] | None = None
    header: bool = False
    separator: str | None = None


class Codebook(dict[str, int]):
    """Numbers texts in the order in which they are first met, apart from blanks around them.

    Examples
    --------
    >>> codebook = Codebook()
    >>> codebook.codes(["sky", "sea", " sky "]).tolist(), codebook.codes(["sea"]).tolist()
    ([0, 1, 0], [1])
    >>> codebook.index
    {'sky': 0, 'sea': 1}
    """

    def __init__(self) -> None:
        super().__init__()
        self._blanks: set[str] = set()

    def __missing__(self, text: str) -> int:
        """Number a text that has not been met as it is."""
        stripped = text.strip()
        if len(stripped) == len(text):
            number = len(self) - len(self._blanks)
        else:
            number = self[stripped]
            self._blanks.add(text)
        self[text] = number
        return number

    def codes(self, texts: Iterable[str]) -> NDArray[np.int32]:
        """Give texts their numbers.

        Parameters
        ----------
        texts
            The texts.

        Returns
        -------
        ndarray of int
            One number per text, the same for the same text ever again.
        """
        # Nothing is called but the dictionary itself, except for texts that are new to it.
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int32)

    @property
    def index(self) -> dict[str, int]:
        """The number of each text, without blanks around it."""
        if not self._blanks:
            return self
        return {text: number for text, number in self.items() if text not in self._blanks}


@dataclass(frozen=True)
class Lines(Sequence[int]):
    """The lines of many rows, most of them consecutive.

    Parameters
    ----------
    parts
        The lines of some rows after the other.

    Examples
    --------
    >>> lines = Lines([range(2, 5), [7, 9]])
    >>> lines[2], lines[4], len(lines)
    (4, 9, 5)
    """

    parts: Sequence[Sequence[int]]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(map(len, self.parts)))

    def __len__(self) -> int:
        """Count the rows."""
        return self._ends[-1] if self.parts else 0

    @overload
    def __getitem__(self, row: int) -> int: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[int]: ...
    def __getitem__(self, row: int | slice) -> int | Sequence[int]:
        """Give the line of a row."""
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        part = bisect_right(self._ends, row)
        return self.parts[part][row - self._ends[part]]


def entries_of(
    samples: tuple[str, ...],
    spellings: Codebook,
    row: NDArray[np.int32],
    code: NDArray[np.int32],
    *,
    place: Callable[[int], str],
    values: NDArray[np.float64] | None = None,
    lines: NDArray[np.int32] | None = None,
    separator: str | None = None,
) -> Entries:
    """Put together what was found, without the entries that name no concept.

    Parameters
    ----------
    samples
        Identifiers of the samples.
    spellings
        What stands for concepts; an empty text among them names none.
    row
        Position of the sample, one per entry.
    code
        Number of the spelling, one per entry.
    place
        Tells where an entry is.
    values
        The score, one per entry.
    lines
        The line, one per entry.
    separator
        What was found to separate labels.

    Returns
    -------
    Entries
        The contents.
    """
    first = np.zeros(len(spellings.index), dtype=np.intp)
    first[code[::-1]] = np.arange(code.size - 1, -1, -1)
    places = {text: place(int(first[number])) for text, number in spellings.index.items() if text}
    blank = spellings.index.get("")
    if blank is not None:
        named = code != blank
        row, code = row[named], code[named]
        code = code - (code > blank).astype(np.int32)
        values = None if values is None else values[named]
        lines = None if lines is None else lines[named]
    return Entries(
        samples, tuple(places), tuple(places.values()), row, code, values, lines, separator=separator
    )


def one_row_each(where: str, names: Sequence[str], lines: Sequence[int]) -> tuple[str, ...]:
    """Check that every row names a sample, and no two the same.

    Parameters
    ----------
    where
        The file.
    names
        The names of the samples, one per row.
    lines
        The lines of the rows.

    Returns
    -------
    tuple of str
        The names without blanks around them.

    Raises
    ------
    InputError
        If a name is missing, or there twice.
    """
    samples = tuple(name.strip() for name in names)
    first: dict[str, int] = {}
    for name, line in zip(samples, lines, strict=True):
        if not name:
            raise nameless(where, line)
        if first.setdefault(name, line) != line:
            raise InputError(
                f"sample {name!r} is there already in row {first[name]:,}",
                ONE_ROW_EACH,
                where=where,
                row=line,
            )
    return samples


def nameless(where: str, line: int | None) -> InputError:
    """Say that a sample has no name.

    Parameters
    ----------
    where
        The file.
    line
        The row.

    Returns
    -------
    InputError
        The error, to be raised.
    """
    return InputError("the sample has no name", "Name every sample.", where=where, row=line)


def refuse_what_is_no_number(
    where: str,
    values: NDArray[np.float64],
    texts: Sequence[str],
    lines: Sequence[int],
    columns: Sequence[str],
    remedy: str,
) -> None:
    """Check that numbers could be read.

    Parameters
    ----------
    where
        The file.
    values
        The numbers, row after row; not finite where there was none.
    texts
        What the fields held.
    lines
        The lines of the rows.
    columns
        The names of the columns.
    remedy
        What to do about it.

    Raises
    ------
    InputError
        If a value is not finite.
    """
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        row, column = divmod(int(bad[0]), len(columns))
        raise InputError(
            f"column {columns[column]!r} holds {texts[bad[0]]!r}, which is no finite number",
            remedy,
            where=where,
            row=int(lines[row]),
        )
