"""Simulated annotators: label sets that several people might give, who agree so far or see so much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from types import MappingProxyType

import numpy as np

from ontoeval.comparison.perturbations import (
    CHANGES,
    Reading,
    Seed,
    changed,
    error_rates,
    flipped,
    generator_of,
    hittable,
    random_marks,
    sides,
)
from ontoeval.core.checks import by_name, share, whole_number
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.errors import ParameterError, one_of

ERRORS: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "sibling": 0.25})
"""How annotators err by default, where there is a hierarchy: what share of errors is of each kind."""

ERRORS_WITHOUT_HIERARCHY: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "random": 0.25})
"""The same where there is none."""


def simulate_annotators(
    truth: Labels,
    n: int,
    *,
    agreement: Mapping[str, float] | None = None,
    reading: Reading = "majority",
    accuracy: float | Sequence[float] | None = None,
    errors: Mapping[str, float] | None = None,
    seen: float = 1.0,
    hierarchy: Hierarchy | None = None,
    seed: Seed,
) -> dict[str, LabelSets]:
    """Make up what several annotators say, each erring alone, about samples whose labels are known.

    There are two models. By `agreement`, decisions are turned round: each annotator's decision about each
    concept of each sample is wrong with the probability that the agreement on the concept implies, as
    `perturb` has it for the kind "annotator"; so false labels are as frequent as decisions are many. By
    `accuracy`, labels are: each annotator gives each true label rightly with this probability, and
    otherwise errs in one of the ways of `perturb`, chosen by the shares of `errors`; so false labels are
    as frequent as true ones are. What cannot be replaced is given rightly. Of a closed truth annotators give
    closed sets: those who err in labels err in the most specific ones, as `perturb` has it.

    Parameters
    ----------
    truth
        Label sets, or whatever `evaluate` takes for some.
    n
        How many annotators. The first ones say the same whatever their number.
    agreement
        How far annotators agree on each concept; by default the hierarchy's, if `accuracy` is not given.
    reading
        What the agreement is: "majority" or "pairwise", see `perturb`.
    accuracy
        How often a true label is given rightly: by each annotator, or one number for each of them.
    errors
        With `accuracy`: shares of kinds of errors, keys of `PERTURBATIONS` other than "annotator"; by default
        half are dropped, a quarter have a wrong label beside them, and a quarter are siblings, or, without
        hierarchy, any other concepts.
    seen
        Which share of the samples each annotator looks at, at random.
    hierarchy
        The hierarchy of the concepts.
    seed
        A whole number, or a generator, which goes on from where it is.

    Returns
    -------
    dict of str to LabelSets
        What each annotator says, of the samples that they looked at; "annotator 1" and so on.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have, if both models are asked for, or what they need is
        not given.
    InputError
        If the truth cannot be understood, or a concept lacks an agreement.
    UnknownConceptError
        If the hierarchy lacks a concept.

    Examples
    --------
    >>> said = simulate_annotators([["sky", "sea"], ["sun"]], 3, accuracy=0.5, seed=1)
    >>> {name: sets.labels_of("0") for name, sets in said.items()}
    {'annotator 1': ('sea', 'sun'), 'annotator 2': ('sea', 'sun'), 'annotator 3': ('sea',)}
    """
    if errors is not None:
        by_name("errors", errors)
    n, seen, rng = whole_number("n", n, 1), share("seen", seen), generator_of(seed)
    sets, within = sides(truth, hierarchy)
    samples = sets.samples
    sets = sets.take(in_order(samples))
    if accuracy is None:
        if errors is not None:
            raise ParameterError(
                "errors", dict(errors), "None, without accuracy=, whose errors they share out"
            )
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
            given = flipped(sets, random_marks(rng, len(sets), rates), hierarchy)
        else:
            wrong = rng.random(hittable(sets, hierarchy).matrix.nnz) >= right[annotator]
            way = np.searchsorted(np.cumsum(list(shares.values())), rng.random(wrong.size), side="right")
            hits = {kind: wrong & (way == place) for place, kind in enumerate(shares)}
            given = changed(sets, hits, rng, hierarchy)
        names = [name for name in samples if name in looked]
        said[f"annotator {annotator + 1}"] = given.take(names).within(within)
    return said


def _accuracies(accuracy: float | Sequence[float], n: int) -> list[float]:
    """Give each annotator an accuracy."""
    each = list(accuracy) if isinstance(accuracy, Sequence | np.ndarray) else [accuracy] * n
    if len(each) != n:
        raise ParameterError("accuracy", accuracy, f"one number, or one for each of {n:,} annotators")
    return [share("accuracy", one) for one in each]


def _shares(errors: Mapping[str, float] | None, hierarchy: Hierarchy | None) -> dict[str, float]:
    """Share out errors among their kinds; those that are never made are left out."""
    if errors is None:
        errors = ERRORS_WITHOUT_HIERARCHY if hierarchy is None else ERRORS
    for kind in errors:
        one_of("errors", kind, tuple(CHANGES))
    chosen = {kind: share(f"errors[{kind!r}]", part) for kind, part in errors.items() if part}
    if not np.isclose(sum(chosen.values()), 1):
        raise ParameterError("errors", dict(errors), "shares that sum to 1")
    # The last one is taken wherever rounding leaves a gap below 1.
    return chosen | {list(chosen)[-1]: 1.0}
