"""Types of arrays by what they hold, and hashes of texts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
Marks = NDArray[np.bool_]


def hashes(texts: Iterable[str], count: int) -> NDArray[np.int64]:
    """Hash texts, eight bytes each; the hashes hold for this process."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=count)


def hashes_among(hashed: NDArray[np.int64], some: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each hash occurs among some sorted ones."""
    if not some.size:
        return np.zeros(hashed.shape, dtype=bool)
    at = np.minimum(np.searchsorted(some, hashed), some.size - 1)
    return np.asarray(some[at] == hashed)


def repeated_hashes(hashed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted hashes that occur again, each as often as it is repeated."""
    hashed = np.sort(hashed)
    return np.asarray(hashed[1:][hashed[1:] == hashed[:-1]])
