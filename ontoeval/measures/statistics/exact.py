"""Exact sums, which depend neither on the order of what is added nor on the parts in which it is added.

Many rows are reduced to few, the addends, that add up to exactly the same. To that end numbers are cut: the
upper parts are multiples of a power of two so large that they add up without rounding; the rests are cut
again, until nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Numbers = NDArray[np.float64]

AT_A_TIME = 1 << 16
"""Numbers that are cut together: half a megabyte, which a processor keeps at hand."""

_LEAST = 128
"""Least number of rows that are cut together: more than there can be addends, 2,098 bits in cuts of 45."""

_HUGE = 2.0**960
"""Nothing is cut of larger numbers."""


def addends(rows: NDArray[Any] | sparse.csr_array) -> Numbers:
    """Find few rows, one at least, whose sum is exactly that of all rows, dense or CSR."""
    width = rows.shape[1]
    if sparse.issparse(rows):
        return addends_at(rows.data, rows.indices, width)
    found = np.asarray(rows, dtype=np.float64)
    step = max(_LEAST, AT_A_TIME // max(1, width))
    while len(found) != 1:
        cut = [_cut(found[at : at + step], _over_rows) for at in range(0, max(1, len(found)), step)]
        found = np.concatenate(cut)
        if len(cut) == 1:
            break
    return found


def joined(*several: Numbers) -> Numbers:
    """Find addends of several addends together."""
    return addends(np.concatenate(several))


def addends_at(values: NDArray[Any], columns: NDArray[np.integer], width: int) -> Numbers:
    """Find addends of values that belong to some columns."""
    return _cut(values, lambda some: np.bincount(columns, some, width).astype(np.float64))


def rounded(some: Numbers) -> Numbers:
    """Add addends up: the number next to the exact sum, column by column."""
    total = _over_rows(some)
    if len(some) > 2:  # noqa: PLR2004 - the sum of two numbers is the number next to it
        several = np.flatnonzero((np.count_nonzero(some, axis=0) > 2) & np.isfinite(total))  # noqa: PLR2004
        total[several] = [fsum(column) for column in some[:, several].T.tolist()]
    return total


def _over_rows(values: Numbers) -> Numbers:
    with np.errstate(over="ignore", invalid="ignore"):  # of what is infinite or nearly so
        return np.asarray(values.sum(axis=0))


def _cut(values: NDArray[Any], add: Callable[[Numbers], Numbers]) -> Numbers:
    """Cut numbers into parts that `add` adds up exactly, and add up each part."""
    rest = np.array(values, dtype=np.float64)
    found = []
    room = 1.5 * 2.0 ** max(1, len(rest) - 1).bit_length()
    largest = _largest(rest)
    if not largest < _HUGE:  # so is nan
        odd = ~(np.abs(rest) < _HUGE)
        found.append(add(np.where(odd, rest, 0.0)))
        rest[odd] = 0.0
        largest = _largest(rest)
    while largest:
        # Of 2^n numbers below 2^e the upper parts are multiples of 2^(e + n - 52): no sum of them needs more
        # than the 53 bits of a number.
        shift = room * 2.0 ** np.frexp(largest)[1]
        upper = rest + shift
        upper -= shift
        found.append(add(upper))
        rest -= upper
        largest = _largest(rest)
    return np.stack(found) if found else add(rest)[None]


def _largest(values: Numbers) -> float:
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))
