"""Measures of rankings: how the scores order the labels of each sample.

A label without score, or with a score of 0 where none is negative, stands below all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import real_number
from ontoeval.errors import one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.means import SampleMeans
from ontoeval.measures.statistics.ranking import (
    LowestTrue,
    Misordered,
    OfRanks,
    PrecisionAtHits,
    RankQuantity,
    TopIsWrong,
)


@dataclass(frozen=True, kw_only=True)
class MeanOfRankings(Facts):
    """A mean over samples of what the ranking of their labels is worth.

    Parameters
    ----------
    empty
        Value of a sample of which the source does not say it, see the measure; None leaves such
        samples out.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    empty: float | None = 0.0

    takes = "scores"
    best = 0.0
    source = "zhang2014"
    laws = USUAL_LAWS

    def __post_init__(self) -> None:
        """Check the options."""
        most = self.bounds[1]
        if self.empty is not None:
            expected = "None or a number of at least 0" + " and at most 1" * (most == 1)
            object.__setattr__(self, "empty", real_number("empty", self.empty, most=most, expected=expected))

    @property
    def quantity(self) -> RankQuantity:
        """What is averaged."""
        raise NotImplementedError

    @property
    def statistic(self) -> SampleMeans:
        """The mean of the quantity."""
        return SampleMeans((OfRanks(self.quantity, "samples", self.empty),))

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
        return self.statistic.unpack(values)[0]


@dataclass(frozen=True, kw_only=True)
class OneError(MeanOfRankings):
    """Share of the samples whose highest scored label is not true; of tied labels the mean.

    Parameters
    ----------
    empty
        Value of a sample without true labels, whose first label cannot be one: by definition 1;
        None leaves such samples out.
    """

    empty: float | None = 1.0

    formula_text = "share of samples whose highest scored label is not in Y"
    laws = MeanOfRankings.laws - {"perfect"}  # not without true labels

    @property
    def quantity(self) -> RankQuantity:
        """Whether the first label is wrong."""
        return TopIsWrong()


@dataclass(frozen=True, kw_only=True)
class Coverage(MeanOfRankings):
    """How far one must go down the labels to have seen all true ones, on average.

    Parameters
    ----------
    minus_one
        Whether the first label counts as 0 steps, as Zhang and Zhou have it; scikit-learn's
        `coverage_error` does not subtract it.
    empty
        Value of a sample without true labels; None leaves such samples out.
    """

    minus_one: bool = True

    formula_text = "mean of the largest rank of a label in Y, ties counting as lower, minus 1"
    bounds = (0.0, np.inf)
    laws = MeanOfRankings.laws - {"perfect"}  # all true labels must be seen in any case

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("minus_one", self.minus_one, (True, False))

    @property
    def quantity(self) -> RankQuantity:
        """Rank of the lowest true label."""
        return LowestTrue(1.0 if self.minus_one else 0.0)


@dataclass(frozen=True, kw_only=True)
class RankingLoss(MeanOfRankings):
    """Share of the pairs of a true and another label that are scored in the wrong order.

    Parameters
    ----------
    ties
        "full": a tied pair counts as wrong, as in Zhang and Zhou and in scikit-learn; "half": it
        counts half, so that the loss is 1 - AUC(average='samples').
    empty
        Value of a sample that no label, or every label, is true of; None leaves such samples out.
    """

    ties: Literal["full", "half"] = "full"

    formula_text = "mean of |{(y, z) in Y × not Y: f(y) ≤ f(z)}| / (|Y| |not Y|)"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("ties", self.ties, ("full", "half"))

    @property
    def quantity(self) -> RankQuantity:
        """Share of misordered pairs."""
        return Misordered(1.0 if self.ties == "full" else 0.5)


@dataclass(frozen=True, kw_only=True)
class LabelRankingAveragePrecision(MeanOfRankings):
    """Mean over true labels of the share of true ones among all that score as much, averaged over samples.

    Parameters
    ----------
    empty
        Value of a sample without true labels; None leaves such samples out.
    """

    empty: float | None = 1.0

    formula_text = "mean over samples, and y in Y, of |{z in Y: f(z) ≥ f(y)}| / |{z: f(z) ≥ f(y)}|"
    best = 1.0

    @property
    def quantity(self) -> RankQuantity:
        """Average precision of a sample."""
        return PrecisionAtHits()
