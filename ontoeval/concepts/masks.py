"""Masks: small label sets as bits, eight to a byte, and what follows from a byte looked up in a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

BITS = 8


def masks_of(sets: sparse.csr_array) -> NDArray[np.uint8]:
    """Masks of some sets, bytes × samples: label k is bit k % 8 of byte k // 8."""
    return np.ascontiguousarray(np.packbits(sets.toarray(), axis=1, bitorder="little").T)


def byte_table(values: NDArray[Any], combine: np.ufunc, empty: Any) -> NDArray[Any]:  # noqa: ANN401 - a number
    """For each byte of a mask and each of its 256 values, combine the values of the labels in it."""
    labels, shape = values.shape[0], values.shape[1:]
    padded = np.full((-(-labels // BITS) * BITS, *shape), empty, dtype=values.dtype)
    padded[:labels] = values
    table = np.full((padded.shape[0] // BITS, 1 << BITS, *shape), empty, dtype=values.dtype)
    for bit in range(BITS):
        table[:, 1 << bit : 2 << bit] = combine(table[:, : 1 << bit], padded[bit::BITS, None])
    return table


def combined(table: NDArray[Any], places: Iterable[NDArray[np.integer]], combine: np.ufunc) -> NDArray[Any]:
    """Combine the values of all bytes: those at the places of each, which are rows of the table."""
    parts = (one.take(place, axis=0) for one, place in zip(table, places, strict=True))
    return np.asarray(reduce(combine, parts))
