"""Winners: which run each measure puts first, how surely, and between which measures that changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.entrants import Entrants
from ontoeval.measures.counts import divide

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Winners:
    """Who wins.

    Parameters
    ----------
    runs
        Names of the runs.
    measures
        Notations of the measures.
    first
        For each measure the runs that are first; none where it is undefined for all.
    share
        Share of the bootstrap resamples that each run wins, runs × measures; runs that tie share. Resamples
        in which a measure is undefined for all runs do not count.
    changes
        Share of the resamples of which no run is first by both measures, measures × measures.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    first: tuple[tuple[str, ...], ...]
    share: Numbers
    changes: Numbers

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the runs, that which wins most first."""
        return np.argsort(-np.nan_to_num(self.share).mean(axis=1), kind="stable")


def winners(entrants: Entrants) -> Winners:
    """Find the winners by each measure."""
    first = tuple(
        tuple(run for run, won in zip(entrants.names, column, strict=True) if won)
        for column in _first(entrants.merits).T.tolist()
    )
    won = _first(entrants.replicated)
    number = won.sum(axis=1, keepdims=True)
    won_by_any = number[:, 0] > 0
    share = divide((won / np.maximum(number, 1)).sum(axis=0), won_by_any.sum(axis=0))
    both = won_by_any.T.astype(float) @ won_by_any
    shared = np.array([(won & won[:, :, [column]]).any(axis=1).sum(axis=0) for column in range(len(first))])
    return Winners(entrants.names, entrants.measures, first, share, 1 - divide(shared, both))


def _first(merits: Numbers) -> NDArray[np.bool_]:
    """Mark the runs that no other surpasses; the runs are on the last axis but one."""
    defined = np.where(np.isnan(merits), -np.inf, merits)
    best = defined.max(axis=-2, keepdims=True)
    return np.asarray((defined == best) & (best > -np.inf))
