"""Changes: what is changed to see what measures make of it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ontoeval.errors import ParameterError, one_of
from ontoeval.perturbation import PERTURBATIONS
from ontoeval.perturbation.chance import check_share

RATES = (0.05, 0.1, 0.2, 0.4)
"""How much is changed by default."""

MOST_SAMPLES = 1000
"""On how many samples changes are tried by default."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is changed, and by how much.

    Parameters
    ----------
    kinds
        Keys of `ontoeval.perturbation.PERTURBATIONS`.
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
        """Refuse what cannot be tried, before anything is computed."""
        for kind in self.kinds:
            one_of("kinds", kind, tuple(PERTURBATIONS))
        if not self.rates:
            raise ParameterError("rates", self.rates, "at least one")
        for rate in self.rates:
            check_share("rates", rate)
        if isinstance(self.samples, bool) or not isinstance(self.samples, int) or self.samples < 1:
            raise ParameterError("samples", self.samples, "a whole number of at least 1")


def trials(changes: Changes, levels: int) -> int:
    """Tell how many changes there are at most.

    Parameters
    ----------
    changes
        What is changed, and by how much.
    levels
        How many generations the hierarchy has; 0 where there is none.

    Returns
    -------
    int
        How often `sensitivity` calls its ``step``, or less.

    Examples
    --------
    >>> trials(Changes(kinds=["drop", "add"], rates=[0.1]), 4)
    8
    """
    return len(changes.rates) * (2 * len(changes.kinds) + (levels > 0)) + max(levels - 1, 0)
