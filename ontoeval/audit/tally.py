"""Counts over chunks of samples, and repeats in different chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.scans import hashes_among

Key = tuple[object, ...]
"""What is counted: mostly the key of a finding."""


class ChunkTally:
    """Counts by key, added over the chunks until it is `complete`; then they are read."""

    def __init__(self) -> None:
        self.counts: Counter[Key] = Counter()
        self.complete = False
        self._examples: list[NDArray[np.intp]] = []

    def add_or_read(self, key: Key, number: int) -> int:
        """Add the number of a chunk, or read that of all chunks."""
        if self.complete:
            return self.counts[key]
        self.counts[key] += number
        return number

    def samples(self, key: Key, rows: NDArray[np.intp], keep: int) -> int:
        """Count the samples of a chunk, and keep the first as examples; or read the count of all chunks."""
        if not self.complete:
            self._examples.append(rows[: max(0, keep - self.counts[key])])
        return self.add_or_read(key, rows.size)

    def take_examples(self) -> NDArray[np.intp]:
        """Return the examples in the last chunk, each once and in order."""
        found = np.unique(np.concatenate([np.empty(0, dtype=np.intp), *self._examples]))
        self._examples.clear()
        return found


def repeated_hashes(hashed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted hashes that occur again, each as often as it is repeated."""
    hashed = np.sort(hashed)
    return np.asarray(hashed[1:][hashed[1:] == hashed[:-1]])


def repeated_names(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Find the hashes of names that occur again, or once more with a file ending (second rows: without)."""
    names = np.sort(np.concatenate([own for own, _ in parts]))
    bare = [stems[(stems != own) & hashes_among(stems, names)] for own, stems in parts]
    return np.unique(np.concatenate([repeated_hashes(names), *bare]))
