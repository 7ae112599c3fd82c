"""Precision, recall, F and accuracy along the paths from the root to labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import real_number, share_or_none
from ontoeval.errors import one_of
from ontoeval.measures.averages import MOST_BETA
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import (
    AccuracyRatio,
    FRatio,
    Numbers,
    PrecisionRatio,
    Ratio,
    RecallRatio,
    filled,
)
from ontoeval.measures.statistics.paths import Ends, PathCounts


@dataclass(frozen=True, kw_only=True)
class OfPaths(Facts):
    """A ratio of the counts of the hierarchical confusion matrix.

    The true and predicted labels of a sample are matched greedily. Where labels are equally near, those
    that come first in the vocabulary are matched first, so that the order of concepts can matter.

    Parameters
    ----------
    ends
        Where paths end: at all "labels", as in the paper; or at the "most specific", which have no
        label of the same set below them.
    undefined
        What stands for 0/0; None leaves it undefined.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    ends: Ends = "labels"
    undefined: float | None = None

    # Which path stands for a label of several, and what is left over, is stated nowhere but in code.
    emerging = True
    source = "riehl2023"
    laws = USUAL_LAWS - {"relabelling"}

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("ends", self.ends, ("labels", "most specific"))
        object.__setattr__(self, "undefined", share_or_none("undefined", self.undefined))

    @property
    def ratio(self) -> Ratio:
        """The ratio."""
        raise NotImplementedError

    @property
    def statistic(self) -> PathCounts:
        """Counts along the paths."""
        return PathCounts(self.ends)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        return filled(self.ratio(self.statistic.unpack(values)), self.undefined)


@dataclass(frozen=True, kw_only=True)
class PathPrecision(OfPaths):
    """Share of the predicted paths that is common with the true ones."""

    formula_text = "P = TP / (TP + FP), TP and FP being concepts on matched paths"
    non_laws = frozenset({"symmetry"})

    @property
    def ratio(self) -> Ratio:
        """The precision."""
        return PrecisionRatio()


@dataclass(frozen=True, kw_only=True)
class PathRecall(OfPaths):
    """Share of the true paths that is common with the predicted ones."""

    formula_text = "R = TP / (TP + FN), TP and FN being concepts on matched paths"
    non_laws = frozenset({"symmetry"})

    @property
    def ratio(self) -> Ratio:
        """The recall."""
        return RecallRatio()


@dataclass(frozen=True, kw_only=True)
class PathF(OfPaths):
    """Harmonic mean of precision and recall along paths.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision.
    """

    beta: float = 1.0

    formula_text = "F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP), counted along matched paths"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        object.__setattr__(self, "beta", real_number("beta", self.beta, most=MOST_BETA))

    @property
    def ratio(self) -> Ratio:
        """The F measure."""
        return FRatio(self.beta)


@dataclass(frozen=True, kw_only=True)
class PathAccuracy(OfPaths):
    """Share of right decisions along and beside paths."""

    formula_text = "Acc = (TP + TN) / (TP + TN + FP + FN), TN being what lies beside the common part of paths"

    @property
    def ratio(self) -> Ratio:
        """The accuracy."""
        return AccuracyRatio()
