"""Seeds of one system, and folds: means over runs, and the test that folds allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ontoeval.comparison.result import Comparison, compact_letters, merits_of
from ontoeval.comparison.significance import Family, bootstrap_test
from ontoeval.core.resampling import ROUNDING, logit_interval
from ontoeval.core.table import DIGITS, Cell, Column, Table
from ontoeval.errors import InputError, enumerate_some
from ontoeval.measures.base import info
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.checks import refuse_non_mapping, whole_number

_FEW_SEEDS = 3
"""Fewest seeds of which intervals nearly hold their level: see `docs/decisions/0027-groups.md`."""


def scores_of_systems(comparison: Comparison, systems: Mapping[str, str]) -> Table:
    """Compare systems by the mean of runs that are their seeds, with intervals over samples and seeds.

    Each resample draws samples, or whole groups, as `compare` does, and K - 1 of the K seeds of a system with
    replacement: the variance of a mean of these is that of a mean of K seeds, without bias [rao1988]_.

    Parameters
    ----------
    comparison
        The comparison of the runs.
    systems
        The system of each run that is a seed of one; other runs are left out.

    Returns
    -------
    Table
        One row per measure and system, the best first: number of seeds, mean, standard deviation over the
        seeds (undefined of one seed), the bounds of the interval, and letters: systems that share one do not
        differ significantly, by step-down max-T on the differences of the same resamples.

    Raises
    ------
    InputError
        If no run is named, or one that was not compared.
    ParameterError
        If the systems are no mapping.

    Examples
    --------
    >>> from ontoeval import compare
    >>> truth = [[1, 0], [1, 1], [0, 1], [1, 0]] * 10
    >>> runs = {"a1": truth, "a2": [[1, 1]] * 40}
    >>> compared = compare(truth, runs, measures="F", baselines=(), resamples=200)
    >>> table = scores_of_systems(compared, {"a1": "a", "a2": "a"})
    >>> [round(cell, 3) for cell in table.rows[0][2:5]]
    [2, 0.885, 0.163]
    """
    refuse_non_mapping("systems", systems)
    if unknown := [run for run in systems if run not in comparison.runs]:
        known = enumerate_some(comparison.runs)
        raise InputError(f"runs that were not compared: {enumerate_some(unknown)}", f"The runs are {known}.")
    if not systems:
        raise InputError("no run is named", "Name the system of each run: {'run-1': 'system', ...}.")
    rng, plan, measures = np.random.default_rng(comparison.plan.seed), comparison.plan, comparison.measures
    seeds: dict[str, list[int]] = {}
    for run, system in systems.items():
        seeds.setdefault(system, []).append(comparison.runs.index(run))
    names, shape = tuple(seeds), (len(seeds), len(measures))
    means, spread, drawn = np.empty(shape), np.full(shape, np.nan), list[Numbers]()
    for at, places in enumerate(seeds.values()):
        scores, number = comparison.finite[places], len(places)
        means[at] = scores.mean(axis=0)
        spread[at] = scores.std(axis=0, ddof=1) if number > 1 else np.nan
        chosen = rng.integers(0, number, (len(comparison.replicates), max(number - 1, 1), 1))
        drawn.append(np.take_along_axis(comparison.replicates[:, places], chosen, axis=1).mean(axis=1))
    replicates, nowhere = np.stack(drawn, axis=1), np.full(shape, np.nan)
    ends = [info(measure, "bounds") for measure in measures.values()]
    units = comparison.drawn_units
    low, high = logit_interval(means, replicates, nowhere, ends, units=units, level=plan.level)
    family = Family.from_runs(names, (), (), ())
    adjusted = family.table(bootstrap_test(family, means, replicates)[1])
    if plan.test == "none" or comparison.untested:
        adjusted = np.full_like(adjusted, np.nan)
    alike = [~(one < plan.alpha) for one in adjusted]
    tested = np.asarray(np.isfinite(adjusted).any(axis=2))
    merits, rows = merits_of(means, measures.values()), list[tuple[Cell, ...]]()
    for column, key in enumerate(measures):
        order = np.argsort(np.nan_to_num(-merits[:, column], nan=np.inf), kind="stable").tolist()
        letters = compact_letters(alike[column], tested[column], order)
        sides = [side[:, column].tolist() for side in (means, spread, low, high)]
        for at in order:
            own = (side[at] for side in sides)
            rows.append((key, names[at], len(seeds[names[at]]), *own, letters[at]))
    how = "score minus bias, ± t × error, by resamples of samples and seeds"
    notes = [f"{100 * plan.level:g} % intervals: {how}."]
    if tested.any():
        how = "by the bootstrap of samples and seeds, step-down max-T over all pairs of systems"
        notes.append(f"Systems that share a letter do not differ significantly, {how}; below {plan.alpha:g}.")
    if few := [one for one, places in seeds.items() if len(places) < _FEW_SEEDS]:
        narrow = f"Fewer than {_FEW_SEEDS} seeds, so that intervals are too narrow"
        notes.append(f"{narrow}: {enumerate_some(few)}.")
    numbers = (Column(title, DIGITS) for title in ("mean", "standard deviation", "low", "high"))
    columns = (*map(Column, ("measure", "system", "seeds")), *numbers, Column("group"))
    return Table("Systems", columns, tuple(rows), (*notes, *comparison.notes), keys=2)


def corrected_t_test(first: Sequence[float], second: Sequence[float], *, train: int, test: int) -> float:
    """Compare two systems over the folds of a cross-validation by the corrected resampled t-test.

    t = mean(d) / sqrt((1/k + test/train) · var(d)) of the differences d of k folds, with k - 1 degrees of
    freedom, two-sided [nadeau2003]_. Folds share training samples, so that without the correction the test
    finds differences far too often.

    Parameters
    ----------
    first, second
        Scores of the two systems, one per fold.
    train, test
        Number of samples that a fold trains on, and that it tests on.

    Returns
    -------
    float
        The p-value, in [0, 1]; nan where all differences are equal.

    Raises
    ------
    InputError
        If there are fewer than two folds, not as many of both, or a score is not finite.
    ParameterError
        If a number of samples is no whole number of at least 1.

    Examples
    --------
    >>> first, second = [0.8, 0.7, 0.9], [0.7, 0.65, 0.8]
    >>> round(corrected_t_test(first, second, train=200, test=100), 3)
    0.087
    """
    from scipy.special import stdtr

    share = whole_number("test", test, 1) / whole_number("train", train, 1)
    both = [np.asarray(scores, dtype=np.float64).ravel() for scores in (first, second)]
    folds = both[0].size
    if folds < 2 or both[1].size != folds or not np.isfinite(both).all():  # noqa: PLR2004 - of one there is no spread
        raise InputError(
            f"scores of {folds:,} and {both[1].size:,} folds, or some that are not finite",
            "Give the scores of both systems in the same folds, at least two.",
        )
    differences = both[0] - both[1]
    variance = (1 / folds + share) * differences.var(ddof=1)
    if np.ptp(differences) <= ROUNDING:
        return float("nan")
    return float(2 * stdtr(folds - 1, -abs(differences.mean()) / np.sqrt(variance)))
