"""Means over samples of what each sample scores alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import real_number
from ontoeval.errors import ParameterError
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import ErrorRatio, Numbers
from ontoeval.measures.statistics.means import (
    AlphaSample,
    FullyCorrectSample,
    PartlyCorrectSample,
    Quantity,
    SampleMeans,
    WrongSample,
)
from ontoeval.measures.statistics.overlap import Overlap
from ontoeval.measures.statistics.sets import Of, View
from ontoeval.measures.statistics.sums import Statistic


@dataclass(frozen=True)
class MeanOfSamples(Facts):
    """A mean over samples of one quantity."""

    laws = USUAL_LAWS | {"symmetry"}

    @property
    def quantity(self) -> Quantity:
        """What is averaged."""
        raise NotImplementedError

    @property
    def view(self) -> View | None:
        """What stands for the labels; None where they stand for themselves."""
        return None

    @property
    def statistic(self) -> Statistic:
        """The mean of the quantity, of the sets that are compared."""
        means = SampleMeans((self.quantity,))
        return means if self.view is None else Of(means, self.view)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        return SampleMeans((self.quantity,)).unpack(values)[0]


@dataclass(frozen=True)
class HammingLoss(Facts):
    """Share of wrong decisions: labels that are missed or false, of all concepts."""

    formula_text = "HL = mean of |Y Δ Z| / q"
    best = 0.0
    source = "krstinic2020"
    laws = MeanOfSamples.laws

    @property
    def statistic(self) -> Overlap:
        """The counts of each sample."""
        return Overlap()

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the loss from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        return ErrorRatio()(self.statistic.unpack(values))


@dataclass(frozen=True)
class ExactMatch(MeanOfSamples):
    """Share of the samples whose sets are identical: fully correct; also called subset accuracy."""

    formula_text = "share of samples with Y = Z"
    source = "krstinic2020"

    @property
    def quantity(self) -> Quantity:
        """1 for identical sets."""
        return FullyCorrectSample()


@dataclass(frozen=True)
class PartlyCorrect(MeanOfSamples):
    """Share of the samples whose sets differ but have labels in common."""

    formula_text = "share of samples with Y ≠ Z and Y ∩ Z ≠ ∅"
    best = None  # fewer may mean more right samples, or more wrong ones
    source = "nowak2009"
    laws = MeanOfSamples.laws - {"perfect"}

    @property
    def quantity(self) -> Quantity:
        """1 for sets that overlap."""
        return PartlyCorrectSample()


@dataclass(frozen=True)
class FullyWrong(MeanOfSamples):
    """Share of the samples whose sets have nothing in common and are not both empty."""

    formula_text = "share of samples with Y ≠ Z and Y ∩ Z = ∅"
    best = 0.0
    source = "nowak2009"

    @property
    def quantity(self) -> Quantity:
        """1 for sets apart."""
        return WrongSample()


@dataclass(frozen=True, kw_only=True)
class AlphaEvaluation(MeanOfSamples):
    """The α-evaluation of Shen and Boutell: Jaccard with weights and forgiveness.

    Parameters
    ----------
    alpha
        At least 0; the larger, the less partly correct sets are worth.
    beta
        Weight of missed labels, in [0, 1].
    gamma
        Weight of false labels, in [0, 1]; one of the two weights is 1.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 1.0

    formula_text = "mean of (1 - (β |Y \\ Z| + γ |Z \\ Y|) / |Y ∪ Z|)^α"
    source = "boutell2004"
    laws = MeanOfSamples.laws - {"symmetry"}

    def __post_init__(self) -> None:
        """Check the options."""
        for name, most in (("alpha", np.inf), ("beta", 1), ("gamma", 1)):
            object.__setattr__(self, name, real_number(name, getattr(self, name), most=most))
        if max(self.beta, self.gamma) != 1:
            raise ParameterError("beta, gamma", (self.beta, self.gamma), "at least one of them to be 1")

    @property
    def emerging(self) -> bool:  # type: ignore[override]
        """Whether the formula is unchecked: with weights it is known from others' accounts alone."""
        return min(self.beta, self.gamma) != 1

    @property
    def quantity(self) -> Quantity:
        """The α-evaluation of a sample."""
        return AlphaSample(self.alpha, self.beta, self.gamma)
