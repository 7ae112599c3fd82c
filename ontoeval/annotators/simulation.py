"""Simulations: annotators of a known truth, and agreement with fewer annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations, AnyAnnotations, annotations_of
from ontoeval.annotators.coefficients import COEFFICIENTS, rows_of, sums_in
from ontoeval.annotators.consensus import majority
from ontoeval.annotators.votes import Patterns, Votes
from ontoeval.comparison.perturbations import (
    CHANGES,
    Reading,
    Seed,
    error_rates,
    generator_of,
    hittable,
    invert_decisions,
    perturb_labels,
    random_marks,
)
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import LARGEST_SEED, in_order
from ontoeval.core.rows import LabelSyntax
from ontoeval.errors import ParameterError, one_of
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.checks import refuse_non_mapping, unit_interval, whole_number

ERRORS: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "sibling": 0.25})
"""Default shares of the kinds of errors, with a hierarchy."""

ERRORS_WITHOUT_HIERARCHY: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "random": 0.25})
"""Default shares of the kinds of errors, without a hierarchy."""


@front_door
def simulate_annotators(
    truth: Labels,
    n: int,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    reading: Reading = "majority",
    accuracy: float | Sequence[float] | None = None,
    errors: Mapping[str, float] | None = None,
    seen: float = 1.0,
    seed: Seed,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> dict[str, LabelSets]:
    """Simulate annotators of samples whose labels are known; each errs independently.

    There are two models. By `agreement`, each decision about a concept is wrong with the probability that
    the agreement on it implies, see `ontoeval.comparison.perturb` of the kind "annotator". By `accuracy`, an
    annotator gives each true label with this probability, and otherwise errs in one of the ways of
    `perturb`, by the shares of `errors`. As there, labels that cannot be replaced are kept, and of a closed
    truth the sets are closed.

    Parameters
    ----------
    truth
        Label sets, or whatever `ontoeval.evaluate` takes for them.
    n
        Number of annotators. The first ones answer alike whatever the number.
    hierarchy
        The hierarchy of the concepts.
    agreement
        Agreement on each concept; by default the hierarchy's, if `accuracy` is not given.
    reading
        Kind of the agreement: "majority" or "pairwise", see `ontoeval.comparison.perturb`.
    accuracy
        Probability that a true label is given: of each annotator, or one number for each of them.
    errors
        With `accuracy`: shares of the kinds of errors, keys of `ontoeval.comparison.PERTURBATIONS` other
        than "annotator"; by default 0.5 "drop", 0.25 "add" and 0.25 "sibling", or "random" without a
        hierarchy.
    seen
        Share of the samples that each annotator looks at, at random.
    seed
        A whole number, or a generator, which goes on from where it is.
    classes, separator
        See `evaluate`.

    Returns
    -------
    dict of str to LabelSets
        Label sets of the samples that each annotator looked at; "annotator 1" and so on.

    Raises
    ------
    ParameterError
        If an option has no such value, if both models are named, or an option that a model needs is missing.
    InputError
        If the truth cannot be understood, or a concept lacks an agreement.
    UnknownConceptError
        If the hierarchy lacks a concept.

    Examples
    --------
    >>> said = simulate_annotators([["sky", "sea"], ["sun"]], 3, accuracy=0.5, seed=1)
    >>> [sets.labels_of("0") for sets in said.values()]
    [('sea', 'sun'), ('sea', 'sun'), ('sea',)]
    """
    if errors is not None:
        refuse_non_mapping("errors", errors)
    n, seen, rng = whole_number("n", n, 1), unit_interval("seen", seen), generator_of(seed)
    sets = sets_of(truth, hierarchy, LabelSyntax(classes, separator))
    samples = sets.samples
    sets = sets.take(in_order(samples))
    if accuracy is None:
        if errors is not None:
            expected = "None, without accuracy=, whose errors they share out"
            raise ParameterError("errors", dict(errors), expected)
        rates = error_rates(sets.vocabulary, agreement, hierarchy, reading)
    elif agreement is not None:
        raise ParameterError("agreement", agreement, "None, beside accuracy=")
    else:
        right = _accuracies(accuracy, n)
        shares = _shares(errors, hierarchy)
    said = {}
    for annotator in range(n):
        looked = set(compress(sets.samples, (rng.random(len(sets)) < seen).tolist()))
        if accuracy is None:
            given = invert_decisions(sets, random_marks(rng, len(sets), rates), hierarchy)
        else:
            wrong = rng.random(hittable(sets, hierarchy).matrix.nnz) >= right[annotator]
            way = np.searchsorted(np.cumsum(list(shares.values())), rng.random(wrong.size), side="right")
            hits = {kind: wrong & (way == place) for place, kind in enumerate(shares)}
            given = perturb_labels(sets, hits, rng, hierarchy)
        names = [name for name in samples if name in looked]
        said[f"annotator {annotator + 1}"] = given.take(names)
    return said


def _accuracies(accuracy: float | Sequence[float], n: int) -> list[float]:
    each = list(accuracy) if isinstance(accuracy, Sequence | np.ndarray) else [accuracy] * n
    if len(each) != n:
        raise ParameterError("accuracy", accuracy, f"one number, or one for each of {n:,} annotators")
    return [unit_interval("accuracy", one) for one in each]


def _shares(errors: Mapping[str, float] | None, hierarchy: Hierarchy | None) -> dict[str, float]:
    """Check the shares of the kinds of errors; kinds of share 0 are left out."""
    if errors is None:
        errors = ERRORS_WITHOUT_HIERARCHY if hierarchy is None else ERRORS
    for kind in errors:
        one_of("errors", kind, tuple(CHANGES))
    chosen = {kind: unit_interval(f"errors[{kind!r}]", part) for kind, part in errors.items() if part}
    if not np.isclose(sum(chosen.values()), 1):
        raise ParameterError("errors", dict(errors), "shares that sum to 1")
    # The last one is taken wherever rounding leaves a gap below 1.
    return chosen | {list(chosen)[-1]: 1.0}


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
        tries.append(
            (
                1 - (both - 2 * common) / decided,
                2 * common / both if both else 1.0,
                defined.mean() if defined.size else np.nan,
            )
        )
    decisions, f, weight = np.array(tries).T
    return Sufficiency(
        number,
        int(rows.size),
        float(decisions.mean()),
        float(np.clip(f.mean(), f.min(), f.max())),  # the mean of equal numbers may be rounded beyond them
        float(f.min()),
        float(f.max()),
        float(weight.mean()),
    )


def _weights(votes: Votes, coefficient: str) -> NDArray[np.float64]:
    """Compute a coefficient of every concept."""
    sums = Patterns.from_votes(votes).sums(np.arange(votes.yes.shape[1]), rows_of)
    return np.asarray(COEFFICIENTS[coefficient](sums_in(sums)))
