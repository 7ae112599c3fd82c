"""The information contrast model of Amigó and Delgado (2022)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.information import information_by_name
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MeasureError, ParameterError, enumerate_some
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Above0, MeasureInfo
from ontoeval.measures.counts import divide
from ontoeval.measures.hierarchical import Sets
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries


@dataclass(frozen=True)
class _Gains:
    """Information content of each concept beyond that of its parent, as a view of a hierarchy."""

    information: str

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        values = information_by_name(hierarchy, self.information)
        several = hierarchy.several_parents
        if several.size:
            named = enumerate_some(hierarchy.vocabulary[at] for at in several.tolist())
            raise MeasureError(
                "ICM is defined for trees only: it takes the information of two concepts' one lowest common "
                f"ancestor away, and with several parents there may be several; here {several.size:,} "
                f"concepts have some: {named}. Choose one parent for each, or take "
                f"hF(weight={self.information!r}), which has no such limit."
            )
        gains = values.copy()
        gains[row_of_entries(hierarchy.parents)] -= values[hierarchy.parents.indices]
        return np.maximum(gains, 0.0)


@dataclass(frozen=True)
class _InformationOfSets:
    """Information content of truth, prediction and both together, and a 1 for each sample.

    In a tree IC(set) sums IC(c) - IC(parent of c) over members and ancestors; the same as, step
    by step, IC({c} ∪ S) = IC(c) + IC(S) - IC(lowest common ancestor of c and some s in S).
    """

    information: str

    def __call__(self, batch: Batch) -> Rows:
        gains = batch.required_hierarchy("ICM").derive(_Gains(self.information))
        closed = batch.derive(Sets(members="ancestors", root="in"))
        common, missed, false = (part @ gains for part in (closed.common, closed.missed, closed.false))
        return Rows(
            np.stack([common + missed, common + false, common + missed + false, np.ones(len(batch))], axis=-1)
        )


@dataclass(frozen=True, kw_only=True)
class Contrast(MeasureInfo):
    """Base of both measures of the model.

    Parameters
    ----------
    information
        Name of the information content of concepts: "ic" is that of a corpus, see
        `ontoeval.concepts.with_information`.
    alpha1
        Weight of the information of the prediction.
    alpha2
        Weight of the information of the truth.
    beta
        Weight of the information of both together: above either weight, below their sum.
    """

    information: str = "ic"
    alpha1: Above0 = 2.0
    alpha2: Above0 = 2.0
    beta: Above0 = 3.0

    source = "amigo2022"
    trees = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not max(self.alpha1, self.alpha2) < self.beta < self.alpha1 + self.alpha2:
            expected = f"more than alpha1={self.alpha1:g} and alpha2={self.alpha2:g}, less than their sum"
            raise ParameterError("beta", self.beta, expected)
        if not isinstance(self.information, str):
            raise ParameterError("information", self.information, "the name of a weight")

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: unequal weights treat prediction and truth differently."""
        return frozenset() if self.alpha1 == self.alpha2 else SYMMETRY

    @property
    def statistic(self) -> _InformationOfSets:
        """Information content of the sets of each sample."""
        return _InformationOfSets(self.information)

    def contrast(self, truth: Numbers, prediction: Numbers, union: Numbers, samples: Numbers) -> Numbers:
        """Compute the mean of the contrast model."""
        alone = self.alpha1 * prediction + self.alpha2 * truth
        return divide(alone - self.beta * union, samples)


@dataclass(frozen=True, kw_only=True)
class InformationContrast(Contrast):
    r"""Information that truth and prediction have in common, less what is missed and what is false.

    .. math:: ICM(Z, Y) = \alpha_1 IC(Z) + \alpha_2 IC(Y) - \beta\,IC(Y \cup Z)

    With the default parameters an empty prediction has -IC(Y), and a perfect one IC(Y). For trees only: with
    several parents the information of a set is not defined.
    """

    formula_text = "ICM = mean of α₁ IC(Z) + α₂ IC(Y) - β IC(Y ∪ Z)"
    bounds = (-np.inf, np.inf)
    best = None  # it is IC(Y), which depends on the truth
    laws = frozenset({"alone", "relabelling", "duplication", "symmetry"})

    def formula(self, values: Numbers) -> Numbers:
        """Compute the mean from totals."""
        return self.contrast(*np.moveaxis(values, -1, 0))


@dataclass(frozen=True, kw_only=True)
class NormalisedInformationContrast(Contrast):
    """The information contrast model, scaled: 0 for an empty or a worse prediction, 1 for the truth.

    Means over samples are divided; the quotients of samples are not averaged. Where the truth
    has no information, a prediction without any scores 1 and any other 0.
    """

    formula_text = "ICMnorm = max(0, (ICM + g) / 2 g), g the mean ICM of the truth with itself"
    laws = USUAL_LAWS
    denied_laws = SYMMETRY

    def formula(self, values: Numbers) -> Numbers:
        """Compute the normalised mean from totals."""
        truth, prediction, union, samples = np.moveaxis(values, -1, 0)
        contrast = self.contrast(truth, prediction, union, samples)
        whole = self.contrast(truth, truth, truth, samples)
        share = np.clip(divide(contrast + whole, 2 * whole), 0.0, 1.0)
        nothing = np.where(contrast < 0, 0.0, 1.0)
        return np.where(np.isnan(whole), np.nan, np.where(whole == 0, nothing, share))
