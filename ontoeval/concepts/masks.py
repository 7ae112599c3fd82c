"""Masks: small label sets as bits, eight to a byte, and what follows from a byte looked up in a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

BITS = 8


def masks_of(sets: sparse.csr_array) -> NDArray[np.uint64]:
    """Masks of some sets, samples × words: label k is bit k % 64 of word k // 64."""
    rows, labels = sets.shape
    whole = sparse.csr_array((sets.data, sets.indices, sets.indptr), shape=(rows, -(-labels // 64) * 64))
    return words_of(whole.toarray())


def words_of(marks: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack rows of marks into words of 64 bits."""
    packed = np.packbits(np.ascontiguousarray(marks), axis=1, bitorder="little")
    missing = -packed.shape[1] % 8
    return (np.pad(packed, ((0, 0), (0, missing))) if missing else packed).view(np.uint64)


def unpack_words(words: NDArray[np.uint64], count: int) -> NDArray[np.bool_]:
    """Unpack the rows of marks that `words_of` packed."""
    return np.unpackbits(words.view(np.uint8), axis=1, count=count, bitorder="little").view(bool)


def bytes_of(words: NDArray[np.uint64], count: int) -> NDArray[np.intp]:
    """Bytes of masks that hold so many labels, bytes × samples."""
    return words.view(np.uint8)[:, : -(-count // BITS)].T.astype(np.intp, order="C")


def byte_table(values: NDArray[Any], combine: np.ufunc, empty: float) -> NDArray[Any]:
    """For each byte of a mask and each of its 256 values, combine the values of the labels in it."""
    labels, shape = values.shape[0], values.shape[1:]
    padded = np.full((-(-labels // BITS) * BITS, *shape), empty, dtype=values.dtype)
    padded[:labels] = values
    table = np.full((padded.shape[0] // BITS, 1 << BITS, *shape), empty, dtype=values.dtype)
    for bit in range(BITS):
        table[:, 1 << bit : 2 << bit] = combine(table[:, : 1 << bit], padded[bit::BITS, None])
    return table


def combine_bytes(
    table: NDArray[Any], places: Iterable[NDArray[np.integer]], combine: np.ufunc
) -> NDArray[Any]:
    """Combine the values of all bytes: those at the places of each, which are rows of the table."""
    parts = (one.take(place, axis=0) for one, place in zip(table, places, strict=True))
    return np.asarray(reduce(lambda one, other: combine(one, other, out=one), parts))


def bit_counts(packed: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Count the bits of each row."""
    return np.asarray(_BIT_COUNTS.take(packed).sum(axis=1, dtype=np.intp))


_BIT_COUNTS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
