"""The information contrast model of Amigó and Delgado (2022)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontoeval.core.checks import real_number
from ontoeval.errors import ParameterError
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import Numbers, divide
from ontoeval.measures.statistics.information import Contents, InformationOfSets


@dataclass(frozen=True, kw_only=True)
class Contrast(Facts):
    """What both measures of the model have in common.

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

    source = "amigo2022"
    trees = True

    def __post_init__(self) -> None:
        """Check the options."""
        for name in ("alpha1", "alpha2", "beta"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), above=True))
        if not max(self.alpha1, self.alpha2) < self.beta < self.alpha1 + self.alpha2:
            expected = f"more than alpha1={self.alpha1:g} and alpha2={self.alpha2:g}, less than their sum"
            raise ParameterError("beta", self.beta, expected)
        if not isinstance(self.information, str):
            raise ParameterError("information", self.information, "the name of a weight")

    @property
    def given_up(self) -> frozenset[str]:
        """Laws that these parameters break."""
        return frozenset({"symmetry"} if self.alpha1 != self.alpha2 else ())

    @property
    def statistic(self) -> InformationOfSets:
        """What the sets of each sample say."""
        return InformationOfSets(self.information)

    def contrast(self, contents: Contents) -> Numbers:
        """Compute the mean of the contrast model.

        Parameters
        ----------
        contents
            What the sets say.

        Returns
        -------
        ndarray of float
            One number per total.
        """
        alone = self.alpha1 * contents.prediction + self.alpha2 * contents.truth
        return divide(alone - self.beta * contents.union, contents.samples)


@dataclass(frozen=True, kw_only=True)
class InformationContrast(Contrast):
    r"""How much of what truth and prediction say they say in common, in the unit of the information content.

    .. math:: ICM(Z, Y) = \alpha_1 IC(Z) + \alpha_2 IC(Y) - \beta\,IC(Y \cup Z)

    With the default parameters that is what is common less what is missed and what is false. An
    empty prediction has -IC(Y), and a perfect one IC(Y), so the best depends on the truth. For trees
    only: with several parents the information of a set is not defined.
    """

    formula_text = "ICM = mean of α₁ IC(Z) + α₂ IC(Y) - β IC(Y ∪ Z)"
    bounds = (-np.inf, np.inf)
    best = None  # it is IC(Y), the more the truth says
    laws = frozenset({"alone", "relabelling", "duplication", "symmetry"})

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
        return self.contrast(self.statistic.unpack(values))


@dataclass(frozen=True, kw_only=True)
class NormalisedInformationContrast(Contrast):
    """The information contrast model between 0, as bad as nothing or worse, and 1, the truth itself.

    It is how far the mean lies on the way from minus that of the truth with itself, which by default an empty
    prediction has, to that of the truth with itself, and 0 below. Of several samples the means are
    compared; the quotients of the samples are not averaged. Where the truth says nothing, a prediction
    that says nothing scores 1 and any other 0.
    """

    formula_text = "ICMnorm = max(0, (ICM + g) / 2 g), g the mean ICM of the truth with itself"
    laws = USUAL_LAWS
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
        contents = self.statistic.unpack(values)
        contrast = self.contrast(contents)
        whole = self.contrast(contents._replace(prediction=contents.truth, union=contents.truth))
        share = np.clip(divide(contrast + whole, 2 * whole), 0.0, 1.0)
        nothing = np.where(contrast < 0, 0.0, 1.0)
        return np.where(np.isnan(whole), np.nan, np.where(whole == 0, nothing, share))
