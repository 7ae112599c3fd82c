"""Numbers for texts, and the lines of many rows: what the formats share before labels are looked up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Codebook(dict[str, int]):
    """Numbers texts in the order in which they are first met, apart from blanks around them."""

    def __init__(self) -> None:
        super().__init__()
        self._blanks: set[str] = set()

    def __missing__(self, text: str) -> int:
        """Take a new text, as it is or without blanks."""
        stripped = text.strip()
        if len(stripped) == len(text):
            number = len(self) - len(self._blanks)
        else:
            number = self[stripped]
            self._blanks.add(text)
        self[text] = number
        return number

    def codes(self, texts: Iterable[str]) -> NDArray[np.int32]:
        """Give texts their numbers."""
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
    """The lines of many rows, most of them consecutive."""

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

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001 - as NumPy asks
        """Give all lines at once."""
        del copy  # they are put together anew in any case
        parts = [np.asarray(part, dtype=np.int32) for part in self.parts]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts]).astype(dtype or np.int32)


def newcomers(code: NDArray[np.int32], known: int = 0) -> NDArray[np.intp]:
    """Find where numbers are met for the first time, of numbers given in the order in which they are met."""
    top = np.maximum(np.maximum.accumulate(code), known - 1)
    return np.flatnonzero(np.diff(top, prepend=known - 1))


def first_met(code: NDArray[np.int32], count: int) -> tuple[NDArray[np.int32], Sequence[int]]:
    """Renumber what has been numbered in any order, in the order in which it is first met."""
    top = np.maximum.accumulate(code)
    if code.size and code[0] == 0 and top[-1] == count - 1 and (top[1:] - top[:-1] <= 1).all():
        return code, range(count)
    first = np.full(count, code.size)
    first[code[::-1]] = np.arange(code.size - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: int((first < code.size).sum())]
    number = np.zeros(count, dtype=np.int32)
    number[order] = np.arange(order.size)
    return number[code], order.tolist()
