"""Simulations of fewer annotators, and their agreement with all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import COEFFICIENTS, rows_of, sums_in
from ontoeval.annotators.consensus import majority
from ontoeval.annotators.given import AnyAnnotations, annotations_of
from ontoeval.annotators.votes import Patterns, Votes
from ontoeval.core.resampling import LARGEST_SEED
from ontoeval.core.rows import LabelSyntax
from ontoeval.errors import one_of
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.checks import whole_number

NUMBERS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100)
"""Default numbers of annotators, as far as there are more."""


class Sufficiency(NamedTuple):
    """Agreement of the majority of fewer annotators with that of all: means over draws, and range of F."""

    annotators: int
    samples: int
    decisions: float
    f: float
    low: float
    high: float
    weight: float


def sufficiency(
    annotations: AnyAnnotations,
    *,
    numbers: Sequence[int] | None = None,
    draws: int = 10,
    coefficient: str = "majority",
    samples: int = 1_000,
    seed: int = 0,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> tuple[Sufficiency, ...]:
    """Simulate fewer annotators: of each sample those who come first in a random order of all.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator.
    numbers
        Numbers of annotators; by default up to one less than have seen any sample.
    draws
        Number of orders.
    coefficient
        The weight of a concept: a key of `ontoeval.annotators.coefficients.COEFFICIENTS`.
    samples
        Of more samples so many are drawn.
    seed
        Random seed.
    classes, separator
        See `evaluate`.

    Returns
    -------
    tuple of Sufficiency
        One for each number, as far as a sample has more annotators.

    Raises
    ------
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> said = {"Ann": [["a"], []], "Bob": [["a"], []], "Eve": [["a"], ["a"]]}
    >>> curve = sufficiency(Annotations.from_sets(said), seed=1)
    >>> [one.annotators for one in curve], curve[1].samples
    ([1, 2], 2)
    """
    annotations = annotations_of(annotations, LabelSyntax(classes, separator))
    one_of("coefficient", coefficient, tuple(COEFFICIENTS))
    most = int(annotations.sheets_of_samples.max(initial=0))
    wanted = [n for n in NUMBERS if n < most] if numbers is None else numbers
    wanted, draws = [whole_number("numbers", n, 1) for n in wanted], whole_number("draws", draws, 1)
    samples = whole_number("samples", samples, 1)
    rng = np.random.default_rng(whole_number("seed", seed, most=LARGEST_SEED))
    annotations = annotations.in_order()
    orders = [rng.permutation(len(annotations.annotators)) for _ in range(draws)]
    lottery = rng.permutation(len(annotations.samples))
    several = annotations.sheets_of_samples > min(wanted, default=most)
    chosen = lottery[several[lottery]][:samples]
    kept = annotations.chosen(np.isin(annotations.sample, chosen))
    votes, turns = Votes.from_annotations(kept), [_count_sheets(kept, order) for order in orders]
    return tuple(_fewer(kept, votes, turns, n, coefficient) for n in wanted if (votes.seen > n).any())


def _count_sheets(annotations: Annotations, order: Places) -> Places:
    """Count the sheets of each sample from 0, in the order of the annotators."""
    by_turn = np.lexsort((order[annotations.annotator], annotations.sample))
    begin = np.cumsum(annotations.sheets_of_samples) - annotations.sheets_of_samples
    turns = np.empty_like(by_turn)
    turns[by_turn] = np.arange(len(annotations)) - begin[annotations.sample[by_turn]]
    return turns


def _fewer(
    annotations: Annotations, votes: Votes, turns: Sequence[Places], number: int, coefficient: str
) -> Sufficiency:
    rows = np.flatnonzero(votes.seen > number)
    of_all = votes.select_samples(rows)
    whole, weights = majority(of_all), _weights(of_all, coefficient)
    undecided = (of_all.unknown.data == of_all.seen[of_all.unknown.indices]).sum()
    decided = max(rows.size * len(annotations.vocabulary) - int(undecided), 1)
    tries = []
    for turn in turns:
        fewer = Votes.from_annotations(annotations, np.flatnonzero(turn < number)).select_samples(rows)
        sets = majority(fewer)
        common, both = (sets * whole).nnz, sets.nnz + whole.nnz
        change = np.abs(_weights(fewer, coefficient) - weights)
        defined = change[np.isfinite(change)]
        moved = defined.mean() if defined.size else np.nan
        tries.append((1 - (both - 2 * common) / decided, 2 * common / both if both else 1.0, moved))
    decisions, f, weight = np.array(tries).T
    mean = np.clip(f.mean(), f.min(), f.max())  # of equal numbers it may be rounded beyond them
    found = map(float, (decisions.mean(), mean, f.min(), f.max(), weight.mean()))
    return Sufficiency(number, int(rows.size), *found)


def _weights(votes: Votes, coefficient: str) -> NDArray[np.float64]:
    """Compute a coefficient of every concept."""
    sums = Patterns.from_votes(votes).sums(np.arange(votes.yes.shape[1]), rows_of)
    return np.asarray(COEFFICIENTS[coefficient](sums_in(sums)))
