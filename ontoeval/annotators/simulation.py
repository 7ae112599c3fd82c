"""Simulated annotators: label sets of a known truth with errors, by agreement or by accuracy."""

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
from ontoeval.core.checks import refuse_non_mapping, unit_interval, whole_number
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.errors import ParameterError, one_of

ERRORS: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "sibling": 0.25})
"""Default shares of the kinds of errors, with a hierarchy."""

ERRORS_WITHOUT_HIERARCHY: Mapping[str, float] = MappingProxyType({"drop": 0.5, "add": 0.25, "random": 0.25})
"""Default shares of the kinds of errors, without a hierarchy."""


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
    """Simulate annotators of samples whose labels are known; each errs independently.

    There are two models. By `agreement`, each decision of an annotator, about each concept of each sample, is
    wrong with the probability that the agreement on the concept implies, as in
    `ontoeval.comparison.perturb` of the kind "annotator": false labels are as frequent as decisions. By
    `accuracy`, an annotator gives each true label with this probability, and otherwise errs in one of the
    ways of `ontoeval.comparison.perturb`, by the shares of `errors`: false labels are as frequent as true
    ones. Labels that cannot be replaced are kept. Of a closed truth annotators give closed sets, and err in
    the most specific labels, as there.

    Parameters
    ----------
    truth
        Label sets, or whatever `ontoeval.evaluate` takes for them.
    n
        Number of annotators. The first ones answer alike whatever the number.
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
    hierarchy
        The hierarchy of the concepts.
    seed
        A whole number, or a generator, which goes on from where it is.

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
    >>> {name: sets.labels_of("0") for name, sets in said.items()}
    {'annotator 1': ('sea', 'sun'), 'annotator 2': ('sea', 'sun'), 'annotator 3': ('sea',)}
    """
    if errors is not None:
        refuse_non_mapping("errors", errors)
    n, seen, rng = whole_number("n", n, 1), unit_interval("seen", seen), generator_of(seed)
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
