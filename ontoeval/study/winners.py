"""Winners: which run each measure puts first, how surely, and between which measures that changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison import Comparison
from ontoeval.study.entrants import entrants

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
        For each measure the runs that are first.
    share
        Share of the bootstrap resamples that each run wins, runs × measures; runs that tie share.
    changes
        Share of the resamples of which no run is first by both measures, measures × measures.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    first: tuple[tuple[str, ...], ...]
    share: Numbers
    changes: Numbers


def winners(comparison: Comparison) -> Winners:
    """Find the winners by each measure.

    Parameters
    ----------
    comparison
        Of the runs; baselines are left out, and of runs that predict the same all but the first.

    Returns
    -------
    Winners
        Of the samples, and of their resamples.
    """
    chosen = entrants(comparison)
    runs = tuple(comparison.runs[place] for place in chosen)
    of_all = _wins(comparison.merits[None, chosen])[0]
    wins = _wins(comparison.replicated_merits[:, chosen])
    first_by = wins > 0
    shared = [
        (first_by & first_by[:, :, [column]]).any(axis=1).mean(axis=0) for column in range(wins.shape[2])
    ]
    changes = 1 - np.array(shared)
    first = tuple(
        tuple(run for run, won in zip(runs, column, strict=True) if won > 0) for column in of_all.T.tolist()
    )
    return Winners(runs, tuple(comparison.measures), first, wins.mean(axis=0), changes)


def _wins(merits: Numbers) -> Numbers:
    """Give the best run of each ranking 1, those that tie a part each: resamples × runs × measures."""
    merits = np.where(np.isnan(merits), -np.inf, merits)
    best = merits.max(axis=1, keepdims=True)
    first = (merits >= best - 1e-12) & np.isfinite(best)
    number = first.sum(axis=1, keepdims=True)
    return np.asarray(first / np.maximum(number, 1))
