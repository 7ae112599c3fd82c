"""Changes: what is changed to see what measures make of it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontoeval.comparison.perturbed_labels import ANNOTATOR, CHANGES, PERTURBATIONS
from ontoeval.core.checks import several, share, whole_number
from ontoeval.errors import ParameterError, one_of

RATES = (0.05, 0.1, 0.2, 0.4)
"""How much is changed by default."""

MOST_SAMPLES = 1000
"""On how many samples changes are tried by default."""

MOST_LEVELS = 10
"""How many levels are taken out of a hierarchy, each alone; of more, some spread over the depth."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is changed, and by how much.

    Parameters
    ----------
    kinds
        Keys of `ontoeval.comparison.perturbations.PERTURBATIONS`, or one of them.
    rates
        How much is changed, each from 0 to 1.
    samples
        Most samples on which changes are tried: of more, some drawn at random.

    Raises
    ------
    ParameterError
        If there is no such kind, a rate is no share, or there are no samples.
    """

    kinds: Sequence[str] = tuple(PERTURBATIONS)
    rates: Sequence[float] = RATES
    samples: int = MOST_SAMPLES

    def __post_init__(self) -> None:
        """Refuse what cannot be tried, before anything is computed, and take nothing twice."""
        rates = [share("rates", rate) for rate in several(self.rates)]
        object.__setattr__(self, "samples", whole_number("samples", self.samples, 1))
        object.__setattr__(self, "kinds", once("kinds", self.kinds, tuple(PERTURBATIONS)))
        object.__setattr__(self, "rates", tuple(dict.fromkeys(rates)))
        if not self.rates:
            raise ParameterError("rates", self.rates, "at least one number in [0, 1]")


def once(name: str, values: Sequence[str] | str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Take some of the choices, each once, in the order given."""
    chosen = several(values)
    if not chosen:
        raise ParameterError(name, values, f"at least one of {', '.join(choices)}")
    for value in chosen:
        one_of(name, value, choices)
    return tuple(dict.fromkeys(chosen))


def check_changes(value: object) -> None:
    """Refuse what says not what is changed."""
    if value is not None and not isinstance(value, Changes):
        raise ParameterError("changes", value, "None, or Changes(kinds=..., rates=...)")


def lacking(kind: str, *, hierarchy: bool, agreement: bool) -> str:
    """Tell what a kind of change needs and has not."""
    if kind == ANNOTATOR:
        return "" if agreement else "the annotators' agreement"
    return "a hierarchy" if CHANGES[kind].near and not hierarchy else ""


def collapsed_levels(levels: int) -> tuple[int, ...]:
    """Choose the levels that are taken out: all below the roots, or some that are spread over the depth."""
    below = max(levels - 1, 0)
    return tuple(np.linspace(1, below, min(below, MOST_LEVELS)).round().astype(int).tolist())


def trials(changes: Changes, levels: int) -> int:
    """Tell how many changes there are at most."""
    return len(changes.rates) * (2 * len(changes.kinds) + (levels > 0)) + len(collapsed_levels(levels))
