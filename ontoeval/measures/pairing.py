"""Measures of paired labels: by how many links what is wrong lies beside what is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontoeval.core.checks import real_number
from ontoeval.errors import one_of
from ontoeval.measures.samples import MeanOfSamples
from ontoeval.measures.statistics.means import Quantity
from ontoeval.measures.statistics.pairing import PAIRS, PairingAccuracy, PairingError, Pairs


@dataclass(frozen=True, kw_only=True)
class OfPairs(MeanOfSamples):
    """A mean over samples of what pairs of labels cost, in links.

    Parameters
    ----------
    max_distance
        What a label without partner costs, in links; none costs more.
    connect_roots
        Whether several roots are connected by a node above them; otherwise concepts below different
        roots are `max_distance` apart.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    max_distance: float = 5.0
    connect_roots: bool = False

    source = "kosmopoulos2015"
    emerging = True  # the definition is that of the authors' software, the paper could not be read

    def __post_init__(self) -> None:
        """Check the options."""
        object.__setattr__(self, "max_distance", real_number("max_distance", self.max_distance, above=True))
        one_of("connect_roots", self.connect_roots, (True, False))


@dataclass(frozen=True, kw_only=True)
class GraphInducedAccuracy(OfPairs):
    r"""Multi-label graph-induced accuracy, with the cheapest of all pairings.

    .. math:: 1 - \frac{\min_E \sum_{(y, z) \in E} d(y, z)}{D\,|Y \triangle Z|}

    E holds pairs of a true and a predicted label such that each label which only one side has is
    in one of them, or is charged D, the `max_distance`, instead; labels on both sides can be a
    partner of any number of others. HEMKit chooses pairs one after the other, which is not always
    the cheapest way, and can fall below 0.

    The distances of all missed to all false labels of a sample are held at once. Only where several
    missed labels would save most with the same false one an assignment problem is solved, sample by
    sample: about 10 µs for ten labels on each side, growing with the cube of their number.
    """

    formula_text = "mean of 1 - err / (D |Y Δ Z|), err = cost of the cheapest edge cover of Y Δ Z, 1 if Y = Z"

    @property
    def quantity(self) -> Quantity:
        """The accuracy of a sample."""
        return PairingAccuracy(PairingError("cover", self.max_distance, self.connect_roots))


@dataclass(frozen=True, kw_only=True)
class GraphInducedError(OfPairs):
    """Mean over samples of the links between paired labels.

    For one true and one predicted label, pairs="all" gives the tree-induced error of [dekel2004]_ up
    to `max_distance`, and pairs="cover" up to twice that; pairs="nearest" counts it from either side.

    Parameters
    ----------
    pairs
        "nearest": each label that only one side has, with the nearest on the other side; "cover":
        the cheapest pairs in which each such label occurs; "all": every true with every predicted
        label, which is above 0 even for identical sets of several labels.
    """

    pairs: Pairs = "nearest"

    best = 0.0
    bounds = (0.0, np.inf)
    formula_text = "mean of Σ min(D, d(y, z)) over the pairs (y, z) that `pairs` chooses"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("pairs", self.pairs, PAIRS)

    @property
    def given_up(self) -> frozenset[str]:
        """Laws that these parameters break: identical sets hold other pairs than a label with itself."""
        return frozenset({"perfect"} if self.pairs == "all" else ())

    @property
    def quantity(self) -> Quantity:
        """The error of a sample."""
        return PairingError(self.pairs, self.max_distance, self.connect_roots)
