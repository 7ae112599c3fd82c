"""Measures of rankings: how the scores order the samples of each concept, or all pairs of both.

A label without score, or with a score of 0 where none is negative, stands below all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import share_or_none
from ontoeval.errors import one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import Numbers, divide, filled
from ontoeval.measures.statistics.lists import PerList
from ontoeval.measures.statistics.means import SampleMeans
from ontoeval.measures.statistics.ranking import (
    EqualError,
    Misordered,
    OfRanks,
    PrecisionAtHits,
    RankQuantity,
)

Average = Literal["macro", "weighted", "micro", "samples"]
AVERAGES = ("macro", "weighted", "micro", "samples")


@dataclass(frozen=True, kw_only=True)
class AveragedRanking(Facts):
    """What the ranking of the samples of each concept is worth, averaged over concepts, or otherwise.

    Parameters
    ----------
    average
        "macro": mean over concepts; "weighted": weighted by the true samples of each; "micro": of
        all pairs of sample and concept in one ranking; "samples": mean over samples, of the
        ranking of their labels.
    undefined
        Value where there is nothing to rank: a concept without true samples, and for AUC and EER one
        without others. None leaves it out of means.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    average: Average = "macro"
    undefined: float | None = None

    takes = "scores"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("average", self.average, AVERAGES)
        object.__setattr__(self, "undefined", share_or_none("undefined", self.undefined))

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether samples are ranked apart from one another: only with means over samples."""
        return self.average == "samples"

    @property
    def quantity(self) -> RankQuantity:
        """What is averaged."""
        raise NotImplementedError

    @property
    def statistic(self) -> SampleMeans | PerList:
        """The quantity of each list."""
        if self.average == "samples":
            return SampleMeans((OfRanks(self.quantity, "samples", self.undefined),))
        return PerList(self.quantity, "all" if self.average == "micro" else "concepts")

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        statistic = self.statistic
        if isinstance(statistic, SampleMeans):
            return statistic.unpack(values)[0]
        found, true = statistic.unpack(values)
        found = filled(found, self.undefined)
        weights = true if self.average == "weighted" else np.ones_like(found)
        weights = np.where(np.isnan(found), 0.0, weights)
        return filled(
            divide((np.nan_to_num(found) * weights).sum(axis=-1), weights.sum(axis=-1)), self.undefined
        )

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Take the values of the concepts, for averages over concepts.

        Parameters
        ----------
        values
            A total of the statistic on the last axis.

        Returns
        -------
        ndarray of float
            One number per concept, nan where it is undefined.
        """
        return PerList.unpack(self.statistic, values).values  # type: ignore[arg-type]

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts without value."""
        return int(np.isnan(self.per_concept(values)).sum()) if self.average in {"macro", "weighted"} else 0


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(AveragedRanking):
    """Mean precision at the scores of the true samples of a concept; its mean over concepts is MAP."""

    formula_text = "AP = Σ (R(τ) - R(τ+)) P(τ) over the scores τ of a concept, τ+ being the next higher one"
    source = "zhang2014"

    @property
    def quantity(self) -> RankQuantity:
        """Average precision of a list."""
        return PrecisionAtHits()


@dataclass(frozen=True, kw_only=True)
class AreaUnderCurve(AveragedRanking):
    """Chance that a true sample of a concept scores more than another one; ties count half."""

    formula_text = (
        "AUC = share of the pairs of a true and another sample in the right order, ties counting half"
    )
    source = "zhang2014"

    @property
    def quantity(self) -> RankQuantity:
        """Share of the pairs in the right order."""
        return Misordered(0.5, right=True)


@dataclass(frozen=True, kw_only=True)
class EqualErrorRate(AveragedRanking):
    """Error rate of a concept at the threshold where as many true samples are missed as others accepted.

    Between two thresholds the rate is found on the line between their points of the ROC curve.
    """

    formula_text = (
        "EER = FPR(τ) where FPR(τ) = FNR(τ), on the ROC curve with straight lines between its points"
    )
    source = "nowak2010overview"
    best = 0.0
    emerging = True  # that ImageCLEF draws lines between points could not be checked

    @property
    def quantity(self) -> RankQuantity:
        """Equal error rate of a list."""
        return EqualError()
