"""Entrants: the runs of a comparison that a study is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.result import Comparison

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Entrants:
    """The runs without baselines, and without those that predict the same as one before.

    Identical runs would agree with each other by any measure, and seem to be evidence.
    """

    comparison: Comparison

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Positions of the runs in the comparison."""
        again = {run for runs in self.comparison.duplicates for run in runs[1:]}
        left_out = again | set(self.comparison.baselines)
        return tuple(place for place, run in enumerate(self.comparison.runs) if run not in left_out)

    def __len__(self) -> int:
        """Count the runs."""
        return len(self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the runs."""
        return tuple(self.comparison.runs[place] for place in self.places)

    @property
    def measures(self) -> tuple[str, ...]:
        """Notations of the measures."""
        return tuple(self.comparison.measures)

    @cached_property
    def merits(self) -> Numbers:
        """Scores turned so that more is better, runs × measures."""
        return self.comparison.merits[list(self.places)]

    @cached_property
    def replicated(self) -> Numbers:
        """The same of every resample, resamples × runs × measures."""
        return self.comparison.replicated_merits[:, list(self.places)]
