"""Counts over chunks of samples, and hashes by which repeats in different chunks are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Key = tuple[object, ...]
"""What is counted: mostly the key of a finding."""


class Tally:
    """Counts by key, added over the chunks until it is `complete`; then they are read."""

    def __init__(self) -> None:
        self.counts: Counter[Key] = Counter()
        self.complete = False
        self._examples: list[NDArray[np.intp]] = []

    def number(self, key: Key, number: int) -> int:
        """Add the number of a chunk, or read that of all chunks."""
        if self.complete:
            return self.counts[key]
        self.counts[key] += number
        return number

    def samples(self, key: Key, rows: NDArray[np.intp], keep: int) -> int:
        """Count the samples of a chunk, and keep the first as examples; or read the count of all chunks."""
        if not self.complete:
            self._examples.append(rows[: max(0, keep - self.counts[key])])
        return self.number(key, rows.size)

    def take_examples(self) -> NDArray[np.intp]:
        """Return the examples in the last chunk, each once and in order."""
        found = np.unique(np.concatenate([np.empty(0, dtype=np.intp), *self._examples]))
        self._examples.clear()
        return found


def hashes(texts: Iterable[str], count: int) -> NDArray[np.int64]:
    """Hash texts, eight bytes each; the hashes hold for this process."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=count)


def repeated(hashed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort the hashes that occur several times."""
    hashed = np.sort(hashed)
    again: NDArray[np.int64] = np.unique(hashed[1:][hashed[1:] == hashed[:-1]])
    return again


def among(hashed: NDArray[np.int64], some: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the hashes that are among some sorted ones."""
    if not some.size:
        return np.zeros(hashed.shape, dtype=bool)
    at = np.minimum(np.searchsorted(some, hashed), some.size - 1)
    found: NDArray[np.bool_] = some[at] == hashed
    return found
