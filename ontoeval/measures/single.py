"""How bad mistakes are, where each sample has one true and one predicted label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.samples import MeanOfSamples
from ontoeval.measures.statistics.counts import Numbers, divide, per_mistake
from ontoeval.measures.statistics.shared import By, InformationSample
from ontoeval.measures.statistics.single import SingleMistakes


@dataclass(frozen=True)
class HierarchicalDistance(Facts):
    """Mean height of the lowest common ancestor of the true and the predicted label; 0 where they are equal.

    A height is the number of links down to the deepest leaf. Of several lowest common ancestors
    the one with the least height counts; where there is none a node above all roots does.
    """

    bounds = (0.0, np.inf)
    best = 0.0
    single = True
    formula_text = "mean of h(lowest common ancestor of y and z), 0 where y = z"
    source = "bertinetto2020"
    laws = USUAL_LAWS | {"symmetry"}

    @property
    def statistic(self) -> SingleMistakes:
        """Heights and mistakes."""
        return SingleMistakes()

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
        sums = self.statistic.unpack(values)
        return divide(sums.height, sums.samples)


@dataclass(frozen=True)
class MistakeSeverity(HierarchicalDistance):
    """Mean height of the lowest common ancestor of the true and the predicted label, over wrong predictions.

    Many mistakes that are easy to avoid make it small: look at the share of mistakes beside it. Where
    nothing is wrong it is 0, the best there is.
    """

    formula_text = "mean of h(lowest common ancestor of y and z) over the samples with y ≠ z"

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals; nan where there are no samples."""
        sums = self.statistic.unpack(values)
        return per_mistake(sums.height, sums.wrong, sums.wrong, sums.samples)


@dataclass(frozen=True, kw_only=True)
class OfInformation(MeanOfSamples):
    """A mean over samples of what the predicted label says, beside what the true one says.

    What both say is what the common ancestor says that says the most; a node above all roots says
    nothing.

    Parameters
    ----------
    by
        What a concept says: "leaves": -log2 of the share of the leaves that lie below it; "depth":
        its depth, counted from a node above the roots where there are several.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    by: By = "leaves"

    single = True
    source = "valmadre2022"

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("by", self.by, ("leaves", "depth"))


@dataclass(frozen=True, kw_only=True)
class InformationPrecision(OfInformation):
    """Share of what the prediction says that the truth says too."""

    formula_text = "mean of I(l) / I(z), l being the common ancestor of y and z that says the most"
    laws = MeanOfSamples.laws - {"symmetry"}
    non_laws = frozenset({"symmetry"})

    @property
    def quantity(self) -> InformationSample:
        """The precision of a sample."""
        return InformationSample("precision", self.by)


@dataclass(frozen=True, kw_only=True)
class InformationRecall(OfInformation):
    """Share of what the truth says that the prediction says too."""

    formula_text = "mean of I(l) / I(y), l being the common ancestor of y and z that says the most"
    laws = MeanOfSamples.laws - {"symmetry"}
    non_laws = frozenset({"symmetry"})

    @property
    def quantity(self) -> InformationSample:
        """The recall of a sample."""
        return InformationSample("recall", self.by)


@dataclass(frozen=True, kw_only=True)
class InformationF(OfInformation):
    """Mean over samples of the harmonic mean of information precision and recall."""

    formula_text = "mean of 2 I(l) / (I(y) + I(z)), l being the common ancestor of y and z that says the most"

    @property
    def quantity(self) -> InformationSample:
        """The harmonic mean of a sample."""
        return InformationSample("f", self.by)


@dataclass(frozen=True, kw_only=True)
class Correct(MeanOfSamples):
    """Share of the samples whose prediction is the true label or lies above or below it."""

    single = True
    formula_text = "share of samples with y above z, z above y, or y = z"
    source = "valmadre2022"

    @property
    def quantity(self) -> InformationSample:
        """1 where one lies above the other."""
        return InformationSample("correct", "leaves")


@dataclass(frozen=True, kw_only=True)
class Excess(OfInformation):
    """Mean of what the prediction says beyond what the truth says too."""

    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(z) - I(l), l being the common ancestor of y and z that says the most"
    laws = MeanOfSamples.laws - {"symmetry"}
    non_laws = frozenset({"symmetry"})

    @property
    def quantity(self) -> InformationSample:
        """The excess of a sample."""
        return InformationSample("excess", self.by)


@dataclass(frozen=True, kw_only=True)
class Deficiency(OfInformation):
    """Mean of what the truth says beyond what the prediction says too."""

    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(y) - I(l), l being the common ancestor of y and z that says the most"
    laws = MeanOfSamples.laws - {"symmetry"}
    non_laws = frozenset({"symmetry"})

    @property
    def quantity(self) -> InformationSample:
        """The deficiency of a sample."""
        return InformationSample("deficient", self.by)


@dataclass(frozen=True, kw_only=True)
class InformationDistance(OfInformation):
    """Mean of what just one of prediction and truth says: excess and deficiency together."""

    bounds = (0.0, np.inf)
    best = 0.0
    formula_text = "mean of I(y) + I(z) - 2 I(l), l being the common ancestor of y and z that says the most"

    @property
    def quantity(self) -> InformationSample:
        """The distance of a sample."""
        return InformationSample("distance", self.by)
