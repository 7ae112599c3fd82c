"""Weights and groups of samples as they are given, matched by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.core.frames import by_names
from ontoeval.core.graphs import OPENED
from ontoeval.core.resampling import Portion, Weighing, in_order
from ontoeval.core.rows import number_names
from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, located, pluralise
from ontoeval.plumbing.arrays import as_floats

Weights = NDArray[np.float64]
_SMALL = 1e-50

SampleWeight = Mapping[str, float] | ArrayLike | Any
"""Weights of samples: a mapping, series, frame or file that names the samples, or numbers in their order."""


def weights_of(given: SampleWeight, samples: Sequence[str]) -> Weights:
    """Weights of samples in their order; names must match, and numbers without names fit unnamed samples."""
    with located(given if isinstance(given, str | PathLike) else ""):
        weights = checked_weights(values_in_order("weight", given, samples), samples)
        if not weights.any():
            raise InputError("no sample has a weight above 0", "Give at least one sample a weight.")
    if not _SMALL < weights.max() < 1 / _SMALL:  # whose sums and squares a float does not hold
        weights = checked_weights(weights / weights.max(), samples)
    return weights


SampleGroup = Mapping[str, Any] | ArrayLike | Any
"""Groups of samples: a mapping, series, frame or file that names the samples, or groups in their order."""


def group_names(given: SampleGroup, samples: Sequence[str]) -> dict[str, str]:
    """Name the group of each sample; every sample has one."""
    with located(given if isinstance(given, str | PathLike) else "", "To score parts, give by= (--by)."):
        values = list(values_in_order("group", given, samples))
        if len(values) != len(samples):
            problem = f"{pluralise(len(values), 'group')} for {pluralise(len(samples), 'sample')}"
            raise InputError(problem, "Give a mapping from samples to groups, or one group for each sample.")
        named = {
            sample: "" if value is None or value != value else str(value).strip()  # noqa: PLR0124 - nan
            for sample, value in zip(samples, values, strict=True)
        }
        if lacking := [sample for sample, name in named.items() if not name]:
            problem = f"{pluralise(len(lacking), 'sample')} without a group: {enumerate_some(lacking)}"
            raise InputError(problem, "Give each sample of the truth one group, and no other.")
    return named


def values_in_order(
    kind: Literal["weight", "group"],
    given: Any,  # noqa: ANN401 - a mapping, a frame or an array of any library
    samples: Sequence[str],
) -> Any:  # noqa: ANN401 - values of any kind, which the caller checks
    """Bring the weights or groups of samples into the order of the samples, by name where they have names."""
    if isinstance(given, str | PathLike):
        given = OPENED["values"](kind)(given)
    named = by_names(kind, given, of="sample", unnamed=True, texts=kind == "group")
    if isinstance(named, Mapping):
        named = {str(sample): weight for sample, weight in named.items()}
        known = set(samples)
        sides = (
            (f"without a {kind}", [sample for sample in samples if sample not in named]),
            (f"with a {kind} but not in the truth", [sample for sample in named if sample not in known]),
        )
        problems = [
            f"{pluralise(len(found), 'sample')} {what}: {enumerate_some(found)}"
            for what, found in sides
            if found
        ]
        if problems:
            raise InputError("; ".join(problems), f"Give each sample of the truth one {kind}, and no other.")
        return [named[sample] for sample in samples]
    if tuple(samples) != number_names(len(samples)):
        option = "sample_weight" if kind == "weight" else "groups"
        raise InputError(
            f"the sample {kind}s have no names, but the samples have: {enumerate_some(samples)}",
            f"Name the samples: {option}=dict(zip(samples, {kind}s)), or a series indexed by them.",
        )
    return named


def checked_weights(values: SampleWeight, samples: Sequence[str]) -> Weights:
    """Read-only weights, one finite number of at least 0 for each sample."""
    weights = as_floats(values, "a sample weight that is no number")
    if weights.shape != (len(samples),):
        raise InputError(
            f"sample weights of shape {weights.shape} for {pluralise(len(samples), 'sample')}",
            "Give one number for each sample.",
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        shown = [f"{samples[row]} ({weights[row]:g})" for row in wrong[:MOST_SHOWN]]
        raise InputError(
            f"{pluralise(wrong.size, 'sample weight')} below 0 or not finite: "
            f"{enumerate_some(shown, total=wrong.size)}",
            "Give finite numbers of at least 0.",
        )
    weights.flags.writeable = False
    return weights


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
