"""Texts by number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse
from operator import eq

import numpy as np
from numpy.typing import NDArray


class Codebook(dict[str, int]):
    """Numbers texts, without blanks around them, in the order of their first occurrence."""

    def __init__(self) -> None:
        super().__init__()
        self._blanks: set[str] = set()

    def __missing__(self, text: str) -> int:
        """Take a new text, as it is or without blanks."""
        stripped = text.strip()
        if len(stripped) == len(text):
            number = self.count
        else:
            number = self[stripped]
            self._blanks.add(text)
        self[text] = number
        return number

    def codes(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Give texts their numbers."""
        new = dict.fromkeys(filterfalse(self.__contains__, texts))
        if all(map(eq, new, map(str.strip, new))):
            self.update(zip(new, range(self.count, self.count + len(new)), strict=True))
        # Nothing is called but the dictionary itself, except for new texts with blanks.
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int32, count=len(texts))

    @property
    def count(self) -> int:
        """How many texts there are, without blanks around them."""
        return len(self) - len(self._blanks)

    @property
    def index(self) -> dict[str, int]:
        """The number of each text, without blanks around it."""
        if not self._blanks:
            return self
        return {text: number for text, number in self.items() if text not in self._blanks}
