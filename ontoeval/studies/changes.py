"""Changes: what is changed to see what measures make of it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontoeval.checks import several, share, whole_number
from ontoeval.errors import ParameterError, one_of
from ontoeval.perturbation import PERTURBATIONS
from ontoeval.perturbation.labels import ANNOTATOR, CHANGES

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
        Keys of `ontoeval.perturbation.PERTURBATIONS`, or one of them.
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
    """Take some of the choices, each once, in the order given.

    Parameters
    ----------
    name
        The option.
    values
        What was chosen; a text is one choice.
    choices
        What can be chosen.

    Returns
    -------
    tuple of str
        At least one.

    Raises
    ------
    ParameterError
        If one is none of the choices, or there is none.

    Examples
    --------
    >>> once("kinds", ["add", "drop", "add"], ("drop", "add")), once("kinds", "drop", ("drop", "add"))
    (('add', 'drop'), ('drop',))
    """
    chosen = several(values)
    if not chosen:
        raise ParameterError(name, values, f"at least one of {', '.join(choices)}")
    for value in chosen:
        one_of(name, value, choices)
    return tuple(dict.fromkeys(chosen))


def check_changes(value: object) -> None:
    """Refuse what says not what is changed.

    Parameters
    ----------
    value
        What was given.

    Raises
    ------
    ParameterError
        If it is neither None nor `Changes`.

    Examples
    --------
    >>> check_changes(None)
    """
    if value is not None and not isinstance(value, Changes):
        raise ParameterError("changes", value, "None, or Changes(kinds=..., rates=...)")


def lacking(kind: str, *, hierarchy: bool, agreement: bool) -> str:
    """Tell what a kind of change needs and has not.

    Parameters
    ----------
    kind
        A key of `ontoeval.perturbation.PERTURBATIONS`.
    hierarchy
        Whether there is a hierarchy.
    agreement
        Whether it is known how far annotators agree.

    Returns
    -------
    str
        What is lacking; nothing, if the change can be made.

    Examples
    --------
    >>> (
    ...     lacking("sibling", hierarchy=False, agreement=False),
    ...     lacking("drop", hierarchy=False, agreement=False),
    ... )
    ('a hierarchy', '')
    """
    if kind == ANNOTATOR:
        return "" if agreement else "the annotators' agreement"
    return "a hierarchy" if CHANGES[kind].near and not hierarchy else ""


def collapsed_levels(levels: int) -> tuple[int, ...]:
    """Choose the levels that are taken out: all below the roots, or some that are spread over the depth.

    Parameters
    ----------
    levels
        How many generations the hierarchy has.

    Returns
    -------
    tuple of int
        At most `MOST_LEVELS`.

    Examples
    --------
    >>> collapsed_levels(4), collapsed_levels(1), len(collapsed_levels(400))
    ((1, 2, 3), (), 10)
    """
    below = max(levels - 1, 0)
    return tuple(np.linspace(1, below, min(below, MOST_LEVELS)).round().astype(int).tolist())


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
    return len(changes.rates) * (2 * len(changes.kinds) + (levels > 0)) + len(collapsed_levels(levels))
