"""Runs over several data sets: the tests of Friedman, Nemenyi and Conover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ontoeval.core.checks import Best, between, requires
from ontoeval.core.rankings import Floats, numbers
from ontoeval.errors import InputError, enumerate_some, one_of

FEWEST_RUNS, FEWEST_DATA_SETS = 3, 2
CORRECTIONS = (None, "holm", "holm-sidak", "hommel", "bonferroni", "fdr_bh", "fdr_by")
"""Corrections for the number of comparisons, by their names in scikit-posthocs."""


@dataclass(frozen=True, eq=False)
class FriedmanTest:
    """Runs over several data sets: Friedman's test and that of Nemenyi after it.

    Parameters
    ----------
    runs
        Names of the runs.
    data_sets
        Names of the data sets that were compared.
    left_out
        Names of data sets on which a run has no score.
    ranks
        The rank of each run on each data set, data sets × runs: 1 is best, ties share the mean.
    mean_ranks
        One per run.
    chi2, p
        Friedman's χ², corrected for ties, with k-1 degrees of freedom; nan where all runs tie on all data
        sets.
    f, f_p
        F of Iman and Davenport, less conservative, with k-1 and (k-1)(n-1) degrees of freedom.
    alpha
        The level of the critical difference.
    critical_difference
        Nemenyi's: mean ranks that differ by it, or more, differ significantly.
    p_values
        Nemenyi's, runs × runs; they are adjusted for the number of pairs.

    See Also
    --------
    friedman : Compute it.
    """

    runs: tuple[str, ...]
    data_sets: tuple[str, ...]
    left_out: tuple[str, ...]
    ranks: Floats
    mean_ranks: Floats
    chi2: float
    p: float
    f: float
    f_p: float
    alpha: float
    critical_difference: float
    p_values: Floats

    @property
    def order(self) -> tuple[int, ...]:
        """Positions of the runs, best mean rank first; ties in the order given."""
        return tuple(map(int, np.argsort(self.mean_ranks, kind="stable")))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Runs that a bar joins in the diagram of critical differences: no two of them differ."""
        order = self.order
        ranks = self.mean_ranks[list(order)]
        # Mean ranks are sums of halves, divided: rounding does not decide.
        ends = np.searchsorted(ranks, ranks + self.critical_difference - 1e-12)
        longest = [
            (start, int(end))
            for start, end in enumerate(ends)
            if end - start > 1 and (start == 0 or end > ends[start - 1])
        ]
        return tuple(tuple(self.runs[run] for run in order[start:end]) for start, end in longest)

    def conover(self, *, correction: str | None = "holm") -> Floats:
        """Compare all pairs by the test of Conover, which is more powerful than that of Nemenyi.

        Parameters
        ----------
        correction
            For the number of pairs: one of `CORRECTIONS`, or "single-step" (studentised range).

        Returns
        -------
        array
            The p-values, runs × runs: 0 where all data sets rank the runs alike, nan where all runs tie.

        Raises
        ------
        MissingExtraError
            If scikit-posthocs is not installed.
        ParameterError
            If there is no such correction.
        """
        one_of("correction", correction, (*CORRECTIONS, "single-step"))
        posthocs = requires("scikit_posthocs", "study", "The test of Conover")
        with np.errstate(divide="ignore", invalid="ignore"):
            found = posthocs.posthoc_conover_friedman(self.ranks, p_adjust=correction)
        return np.array(found, dtype=np.float64)

    def against(self, control: str, *, correction: str | None = "holm") -> dict[str, float]:
        """Compare each run with one that was chosen beforehand, such as a baseline [demsar2006]_.

        Parameters
        ----------
        control
            Name of a run.
        correction
            For the number of runs: one of `CORRECTIONS`.

        Returns
        -------
        dict
            Name of each other run -> two-sided p-value, from z of the difference of the mean ranks.

        Raises
        ------
        MissingExtraError
            If scikit-posthocs is not installed.
        ParameterError
            If there is no such run or correction.
        """
        one_of("control", control, self.runs)
        one_of("correction", correction, CORRECTIONS)
        posthocs = requires("scikit_posthocs", "study", "Comparing with a control")
        place = self.runs.index(control)
        found = posthocs.posthoc_demsar(self.ranks, control=place, p_adjust=correction)
        row = np.array(found, dtype=np.float64)[place]
        return {run: float(p) for run, p in zip(self.runs, row, strict=True) if run != control}


def friedman(
    scores: ArrayLike | Mapping[str, Mapping[str, float]],
    *,
    runs: Sequence[str] | None = None,
    data_sets: Sequence[str] | None = None,
    best: Best = "highest",
    alpha: float = 0.05,
) -> FriedmanTest:
    r"""Test whether runs differ over several data sets, by their ranks on each.

    Friedman's :math:`\chi^2` of `n` data sets and `k` runs, :math:`F = (n-1)\chi^2 / (n(k-1) - \chi^2)` of
    Iman and Davenport, and Nemenyi's critical difference :math:`q_\alpha \sqrt{k(k+1)/(6n)}`
    [demsar2006]_.

    Parameters
    ----------
    scores
        An array or data frame, data sets × runs, or for each data set the score of each run by name. Scores
        tie where they are equal. A data set on which a run has no score (nan, or no name) is left out.
    runs
        Names of the columns, by default those of the frame, or numbers; of scores by name a selection.
    data_sets
        Names of the rows, by default the index of the frame, or numbers; of scores by name a selection.
    best
        Which scores are best.
    alpha
        Level of the critical difference.

    Returns
    -------
    FriedmanTest
        The test.

    Raises
    ------
    InputError
        If there are fewer than three runs, or than two data sets with scores of all runs, or the names do
        not fit.
    ParameterError
        If an option is something else.

    Examples
    --------
    >>> test = friedman([[0.9, 0.8, 0.6], [0.8, 0.7, 0.6], [0.7, 0.72, 0.6]], runs=["a", "b", "c"])
    >>> round(test.chi2, 3), round(test.p, 3), round(test.critical_difference, 3), test.groups
    (4.667, 0.097, 1.914, (('a', 'b', 'c'),))
    """
    one_of("best", best, get_args(Best))
    alpha = between("alpha", alpha)
    table, data_sets, runs = _table(scores, data_sets, runs)
    defined = np.flatnonzero(~np.isnan(table).any(axis=1))
    compared = tuple(data_sets[row] for row in defined)
    left_out = tuple(name for name in data_sets if name not in set(compared))
    n, k = len(compared), len(runs)
    if k < FEWEST_RUNS:
        raise InputError(
            f"{k} runs to compare over data sets",
            f"Friedman's test needs {FEWEST_RUNS}; of two runs compare the scores, pair by pair.",
        )
    if n < FEWEST_DATA_SETS:
        lost = f" (without a score of every run: {enumerate_some(left_out)})" if left_out else ""
        raise InputError(
            f"{n} data sets on which all runs have scores{lost}",
            f"Friedman's test needs {FEWEST_DATA_SETS}, and is of use from about five on.",
        )
    better = table[defined] * (-1 if best == "highest" else 1)
    ranks = stats.rankdata(better, axis=1)
    mean_ranks = ranks.mean(axis=0)
    # Where all runs tie everywhere 0/0 is meant to be nan; in perfect agreement F is infinite.
    # By rounding alone χ² would not reach the n (k - 1) of perfect agreement.
    short = 0.0 if (ranks == ranks[0]).all() else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2, p = map(float, stats.friedmanchisquare(*ranks.T))
        f = np.float64((n - 1) * chi2) / (short * (n * (k - 1) - chi2))
    unit = np.sqrt(k * (k + 1) / (6 * n))
    apart = np.abs(mean_ranks[:, None] - mean_ranks)
    return FriedmanTest(
        runs=runs,
        data_sets=compared,
        left_out=left_out,
        ranks=ranks,
        mean_ranks=mean_ranks,
        chi2=chi2,
        p=p,
        f=float(f),
        f_p=float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
        alpha=alpha,
        critical_difference=float(stats.studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2) * unit),
        p_values=np.asarray(stats.studentized_range.sf(apart / unit * np.sqrt(2), k, np.inf)),
    )


def _table(
    scores: ArrayLike | Mapping[str, Mapping[str, float]],
    data_sets: Sequence[str] | None,
    runs: Sequence[str] | None,
) -> tuple[Floats, tuple[str, ...], tuple[str, ...]]:
    """Scores as an array, data sets × runs, and the names of both."""
    if isinstance(scores, Mapping):
        rows = tuple(scores if data_sets is None else data_sets)
        columns = tuple(
            dict.fromkeys(run for row in scores.values() for run in row) if runs is None else runs
        )
        if unknown := [name for name in rows if name not in scores]:
            raise InputError(
                f"no scores on {enumerate_some(unknown)}", f"There are scores on {enumerate_some(scores)}."
            )
        scores = [[scores[row].get(column, np.nan) for column in columns] for row in rows]
        array = numbers(scores).reshape(len(rows), len(columns))
    else:
        array = numbers(scores)
        if array.ndim != 2:  # noqa: PLR2004 - data sets and runs
            raise InputError(
                f"an array of the shape {array.shape}", "Give one row per data set, one column per run."
            )
        # Frames of pandas name both, those of polars only columns; lists have a method `index`.
        titles = getattr(scores, "columns", None)
        index = None if titles is None else getattr(scores, "index", None)
        rows, columns = (
            tuple(map(str, next((one for one in names if one is not None), range(length))))
            for names, length in zip(((data_sets, index), (runs, titles)), array.shape, strict=True)
        )
    if array.shape != (len(rows), len(columns)):
        raise InputError(
            f"{array.shape[0]} rows of {array.shape[1]} scores, but {len(rows)} data sets "
            f"and {len(columns)} runs",
            "Name each row and each column once.",
        )
    for kind, names in (("data set", rows), ("run", columns)):
        if len(set(names)) < len(names):
            twice = dict.fromkeys(name for name in names if names.count(name) > 1)
            raise InputError(
                f"a name of more than one {kind}: {enumerate_some(twice)}", "Name each differently."
            )
    return array, rows, columns
