"""The information contrast model of Amigó and Delgado (2022)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.measures.base import Facts
from ontoeval.statistics.counts import Numbers, divide
from ontoeval.statistics.information import InformationOfSets


@dataclass(frozen=True, kw_only=True)
class InformationContrast(Facts):
    r"""How much of what truth and prediction say they say in common, in bits.

    .. math:: ICM(Z, Y) = \alpha_1 IC(Z) + \alpha_2 IC(Y) - \beta\,IC(Y \cup Z)

    With the default parameters that is what is common less what is missed and what is false. An
    empty prediction has -IC(Y), and a perfect one IC(Y), so the best depends on the truth. For trees
    only: with several parents the information of a set is not defined.

    Parameters
    ----------
    information
        Name of the information content of concepts: "ic" is that of a corpus, which
        `with_information` gives to the hierarchy; any other may be named.
    alpha1
        What the information of the prediction counts for.
    alpha2
        What that of the truth counts for.
    beta
        What that of both together counts for: more than either, less than their sum.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    information: str = "ic"
    alpha1: float = 2.0
    alpha2: float = 2.0
    beta: float = 3.0

    formula_text = "ICM = mean of α₁ IC(Z) + α₂ IC(Y) - β IC(Y ∪ Z)"
    source = "amigo2022"
    bounds = (-np.inf, np.inf)
    best: ClassVar[float | None] = None  # it is IC(Y), the more the truth says
    trees = True
    laws = frozenset({"alone", "relabelling", "duplication", "symmetry"})
    non_laws = frozenset()

    def __post_init__(self) -> None:
        """Check the options."""
        for name in ("alpha1", "alpha2", "beta"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and 0 < value < np.inf):
                raise ParameterError(name, value, "a number above 0")
        if not max(self.alpha1, self.alpha2) < self.beta < self.alpha1 + self.alpha2:
            raise ParameterError(
                "beta",
                self.beta,
                f"more than alpha1 and alpha2 ({self.alpha1:g}, {self.alpha2:g}), less than their sum",
            )
        if not isinstance(self.information, str):
            raise ParameterError("information", self.information, "the name of a weight")

    @property
    def statistic(self) -> InformationOfSets:
        """What the sets of each sample say."""
        return InformationOfSets(self.information)

    def formula(self, values: Numbers) -> Numbers:
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
        contrast = self.alpha1 * sums.prediction + self.alpha2 * sums.truth - self.beta * sums.union
        return divide(contrast, sums.samples)


@dataclass(frozen=True, kw_only=True)
class NormalisedInformationContrast(InformationContrast):
    """The information contrast model between 0, as bad as nothing or worse, and 1, the truth itself.

    Half of the way from minus that of the truth, which an empty prediction has, to that of the truth;
    below that it is cut off. Of several samples the means are compared, not the quotients averaged. Where
    the truth says nothing, a prediction that says nothing scores 1 and any other 0.
    """

    formula_text = "ICMnorm = max(0, (ICM + g) / 2 g), g the mean ICM of the truth with itself"
    bounds = (0.0, 1.0)
    best = 1.0
    laws = frozenset({"alone", "bounds", "perfect", "relabelling", "duplication"})
    non_laws = frozenset({"symmetry"})

    def formula(self, values: Numbers) -> Numbers:
        """Compute the normalised mean from totals.

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
        contrast = super().formula(values)
        whole = divide((self.alpha1 + self.alpha2 - self.beta) * sums.truth, sums.samples)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.clip((contrast + whole) / (2 * whole), 0.0, 1.0)
        nothing = np.where(contrast < 0, 0.0, 1.0)
        return np.where(np.isnan(whole), np.nan, np.where(whole == 0, nothing, share))
