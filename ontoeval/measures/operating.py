"""Measures of scores where each sample has one true label: of the best ranks, and of what is inferred."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import share, whole_number
from ontoeval.errors import one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import Numbers, divide, per_mistake
from ontoeval.measures.statistics.curve import Thresholds, grid_of
from ontoeval.measures.statistics.inference import PROPAGATE, Inferred, Propagate
from ontoeval.measures.statistics.operating import OperatingCurve, pareto_area, pareto_intercept
from ontoeval.measures.statistics.ranked import MistakesAt
from ontoeval.measures.statistics.shared import By

ROUNDING = 1e-9
"""Shares of samples that differ by no more are equal."""


@dataclass(frozen=True, kw_only=True)
class HierarchicalDistanceAt(Facts):
    """Mean height of the lowest common ancestor of the true label and each of the best scored ones.

    A height is the number of links down to the deepest leaf, and 0 for the true label itself. Labels
    without score, or with a score of 0 where none is negative, are not ranked; a sample without any score
    counts as far from the truth as can be. Where labels are tied each counts for its share of the ranks.

    Parameters
    ----------
    k
        How many labels are looked at, 1 at least; where fewer have a score, so many.
    over
        "ranks": the mean over all of them; "mistakes": over those that are wrong, 0 where none is, which
        for k=1 is the mistake severity; "nearest": the least height counts, labels tied for the last rank
        all included.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    k: int = 1
    over: Literal["ranks", "mistakes", "nearest"] = "ranks"

    bounds = (0.0, np.inf)
    best = 0.0
    takes = "scores"
    single = True
    formula_text = "mean over samples and ranks up to k of h(lowest common ancestor of y and z)"
    source = "bertinetto2020"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        object.__setattr__(self, "k", whole_number("k", self.k, 1))
        one_of("over", self.over, ("ranks", "mistakes", "nearest"))

    @property
    def statistic(self) -> MistakesAt:
        """Heights and mistakes."""
        return MistakesAt(self.k)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total, nan where there is nothing to divide by.
        """
        sums = self.statistic.unpack(values)
        match self.over:
            case "mistakes":
                return per_mistake(sums.height, sums.wrong, sums.wrong, sums.samples)
            case "nearest":
                return divide(sums.least, sums.samples)
        return divide(sums.height, sums.samples)


@dataclass(frozen=True, kw_only=True)
class OfOperatingCurve(Facts):
    """What is inferred from scores, at every threshold: the most specific concept that scores more.

    Where nothing scores more that is a node above everything, which is correct but says nothing.

    Parameters
    ----------
    by
        What a concept says: "leaves": -log2 of the share of the leaves that lie below it; "depth":
        its depth. The most specific concept is the one that says the most.
    propagate
        What a concept scores: the "sum" of the scores of itself and of all below it, for
        probabilities of single labels; the "max" of these; or what it was given itself ("none").
    against
        What information recall is traded for: "correct", the share of samples whose inferred
        concept lies above or below the true one; or information "precision".
    thresholds
        "distinct" for every score that occurs, of which totals cannot be merged; or the step of a
        grid, or ascending thresholds.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    by: By = "leaves"
    propagate: Propagate = "sum"
    against: Literal["correct", "precision"] = "correct"
    thresholds: Thresholds = "distinct"

    takes = "scores"
    single = True
    source = "valmadre2022"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("by", self.by, ("leaves", "depth"))
        one_of("propagate", self.propagate, PROPAGATE)
        one_of("against", self.against, ("correct", "precision"))
        _ = self.statistic

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether the thresholds do not depend on the scores."""
        return self.thresholds != "distinct"

    @cached_property
    def statistic(self) -> OperatingCurve:
        """Sums over samples at each threshold."""
        return OperatingCurve(Inferred(self.by, self.propagate), grid_of(self.thresholds))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the measure from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total; nan where there are no samples.
        """
        curve = self.statistic.unpack(values)
        found = self._of(np.nan_to_num(curve.mean(self.against)), np.nan_to_num(curve.mean("recall")))
        return np.where(curve.samples > 0, np.clip(found, 0.0, 1.0), np.nan)

    def _of(self, right: Numbers, recall: Numbers) -> Numbers:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class OperatingArea(OfOperatingCurve):
    """Area below the operating curve: information recall over the share of what is correct."""

    formula_text = "∫ of the most information recall that any threshold has with that much correct"

    def _of(self, right: Numbers, recall: Numbers) -> Numbers:
        return pareto_area(right, recall)


@dataclass(frozen=True, kw_only=True)
class RecallAtCorrect(OfOperatingCurve):
    """The most information recall that any threshold has with so much correct.

    Parameters
    ----------
    least
        How much must be correct, or precise, in [0, 1].
    """

    least: float = 0.9

    formula_text = "largest information recall at a threshold where a share of 0.9 is correct"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        object.__setattr__(self, "least", share("least", self.least))

    def _of(self, right: Numbers, recall: Numbers) -> Numbers:
        return pareto_intercept(right, recall, self.least - ROUNDING)
