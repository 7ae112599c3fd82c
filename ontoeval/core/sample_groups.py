"""Groups of samples, such as sites or patients: each weighs the same, and is drawn whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.resampling import Portion, Weighing, in_order
from ontoeval.core.sample_weights import Weights
from ontoeval.errors import InputError, enumerate_some


@dataclass(frozen=True, eq=False)
class SampleGroups:
    """Names of groups in the order of drawing, and the position of each sample's group among them."""

    names: tuple[str, ...]
    of_samples: NDArray[np.intp]

    @classmethod
    def from_names(cls, named: Mapping[str, str], samples: Sequence[str]) -> SampleGroups:
        """Collect the groups of some samples, in the order of these."""
        own = [named[sample] for sample in samples]
        place = {name: at for at, name in enumerate(in_order(set(own)))}
        return cls(tuple(place), np.array([place[name] for name in own], dtype=np.intp))

    def __len__(self) -> int:
        """Count the groups."""
        return len(self.names)

    @property
    def portion(self) -> Portion:
        """All groups, as samples are drawn."""
        return Portion(0, len(self.names), self.names)

    def totals(self, values: Weights) -> Weights:
        """Sum over the samples of each group."""
        sums = np.zeros((len(self), *values.shape[1:]))
        np.add.at(sums, self.of_samples, values)
        return sums

    def weights(self, given: Weights | None = None) -> Weights:
        """Weights of the samples that sum to 1 in each group."""
        weights = np.ones(len(self.of_samples)) if given is None else given
        totals = self.totals(weights)
        if empty := [self.names[at] for at in np.flatnonzero(totals == 0)]:
            problem = f"all samples of a group weigh 0: {enumerate_some(empty)}"
            raise InputError(problem, "Leave these samples out, or give one a weight above 0.")
        return np.asarray(weights / totals[self.of_samples])


@dataclass(frozen=True)
class GroupDraws:
    """Draws of whole groups: each sample has the weight, or the place, that its group draws."""

    drawing: Weighing
    groups: SampleGroups

    @property
    def resamples(self) -> int:
        """How many rows of weights there are in all."""
        return self.drawing.resamples

    def draw(self, begin: int, end: int, portion: Portion) -> NDArray[Any]:
        """Draw the weights of a portion of the samples, see `Weighing.draw`."""
        place = slice(portion.begin, portion.begin + len(portion.samples))
        return self.drawing.draw(begin, end, self.groups.portion)[:, self.groups.of_samples[place]]
