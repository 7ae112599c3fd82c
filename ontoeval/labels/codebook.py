"""Texts by number: repeated ones are found by their bytes, and are never decoded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse
from operator import eq

import numpy as np
from numpy.typing import NDArray

from ontoeval.plumbing.arrays import Places

_WORD, _MOST = 8, 16  # bytes of a word, and words of the longest text that is found by its bytes
_MASKS = np.array([2 ** (8 * length) - 1 for length in range(_WORD + 1)], dtype=np.uint64)
_FACTORS = np.multiply.accumulate(np.full(_MOST, 0x9E3779B97F4A7C15, dtype=np.uint64))
_FIRST = 2**12
_BITS = 18  # most bits of the hash of a text


class Codebook(dict[str, int]):
    """Numbers texts, without blanks around them, in the order of their first occurrence."""

    def __init__(self) -> None:
        super().__init__()
        self._blanks: set[str] = set()
        # By hash, the number and the words of the last text that has the hash.
        self._numbers = np.empty(0, dtype=np.int32)
        self._words: list[NDArray[np.uint64]] = []

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

    def codes_of_slices(self, text: bytes, begin: Places, end: Places) -> NDArray[np.int32]:
        """Give slices of UTF-8 their numbers."""
        lengths = end - begin
        longest = max(int(lengths.max(initial=1)), _WORD * len(self._words))
        if longest > _MOST * _WORD or b"\0" in text:  # which ends the words of a text
            return self._codes_of_decoded(text, begin, end)
        padded = text + bytes(_MOST * _WORD)
        every = np.ndarray((len(padded) - _WORD + 1,), np.dtype("<u8"), padded, strides=(1,))
        words = [every[begin + at] & _MASKS[(lengths - at).clip(0, _WORD)] for at in range(0, longest, _WORD)]
        other = np.ones(begin.size, dtype=bool)
        np.logical_or.reduce([word[1:] != word[:-1] for word in words], out=other[1:])
        runs = np.flatnonzero(other)
        if 2 * runs.size < other.size:
            of_runs = self.codes_of_slices(text, begin[runs], end[runs])
            return of_runs.repeat(np.diff(runs, append=other.size))
        if not self._numbers.size:
            self._numbers = np.full(2 ** min(runs.size.bit_length() + 2, _BITS), -1, dtype=np.int32)
            parts = (slice(_FIRST), slice(_FIRST, None))  # what the first texts teach, the others find
            return np.concatenate([self.codes_of_slices(text, begin[part], end[part]) for part in parts])
        for _ in words[len(self._words) :]:
            self._words.append(np.zeros(self._numbers.size, dtype=np.uint64))
        hashes = np.add.reduce([word * factor for word, factor in zip(words, _FACTORS, strict=False)])
        place: Places = (hashes >> np.uint64(65 - self._numbers.size.bit_length())).astype(np.intp)
        code = self._numbers[place]
        known = code >= 0
        for word, held in zip(words, self._words, strict=True):
            known &= word == held[place]
        new = np.flatnonzero(~known)
        if new.size:
            code[new] = self._codes_of_decoded(text, begin[new], end[new])
            place = place[new]
            self._numbers[place] = code[new]
            for word, held in zip(words, self._words, strict=True):
                held[place] = word[new]
        return code

    def _codes_of_decoded(self, text: bytes, begin: Places, end: Places) -> NDArray[np.int32]:
        places = zip(begin.tolist(), end.tolist(), strict=True)
        return self.codes([text[first:last].decode() for first, last in places])

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
