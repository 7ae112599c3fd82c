"""Steps: what samples are worth while a threshold sinks, and what resamples of them come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.exact import addends, addends_at, rounded


def sums_from_above(
    row: NDArray[np.intp], reached: NDArray[np.intp], amount: Numbers | None, shape: tuple[int, int]
) -> Numbers:
    """Sum in each row at each threshold what reaches it."""
    rows, bins = shape[0], shape[1] + 1
    counted = np.bincount(row * bins + reached, weights=amount, minlength=rows * bins)
    by_row = counted.reshape(rows, bins).astype(np.float64)
    return np.cumsum(by_row[:, :0:-1], axis=1)[:, ::-1]


class Steps(NamedTuple):
    """What each sample is worth while the threshold sinks."""

    start: Numbers
    row: NDArray[np.intp]
    score: Numbers
    change: Numbers

    def total(self, thresholds: Numbers) -> Numbers:
        """Sum over the samples, in any order the same, at each ascending threshold and above all."""
        where = np.searchsorted(thresholds, self.score)
        sums = np.empty((len(self.change), thresholds.size + 1))
        for part, start, change in zip(sums, self.start, self.change, strict=True):
            part[:-1] = rounded(addends_at(change, where, thresholds.size))
            part[-1:] = rounded(addends(start[:, None]))
        return np.asarray(np.cumsum(sums[:, ::-1], axis=1)[:, ::-1])

    def sums(self, counts: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
        """Sum over the samples of each resample at every score at which one of them changes."""
        order = np.argsort(-self.score, kind="stable")
        row, score, change = self.row[order], self.score[order], np.take(self.change, order, axis=1)
        for count in counts:
            amount = count[row]
            drawn = np.flatnonzero(amount)
            amount, here = amount[drawn], score[drawn]
            # At a score all steps are taken that have it.
            first = np.flatnonzero(np.append(np.inf, here[:-1]) != here)
            sums = np.empty((len(change), first.size + 1))
            sums[:, 0] = self.start @ count
            for part, changes in zip(sums, change, strict=True):
                part[1:] = np.add.reduceat(changes[drawn] * amount, first)
            yield np.append(np.inf, here[first]), np.cumsum(sums, axis=1, out=sums)
