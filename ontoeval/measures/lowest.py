"""Precision, recall and F over lowest common ancestors."""

from __future__ import annotations

from dataclasses import dataclass

from ontoeval.errors import MeasureError
from ontoeval.measures.averages import Average, Averaged, F, Precision, Recall
from ontoeval.measures.statistics.lowest import LowestCommonAncestors
from ontoeval.measures.statistics.sets import Root


@dataclass(frozen=True, kw_only=True)
class OfLowestCommonAncestors(Averaged):
    """A ratio of decisions about labels and the concepts on the shortest ways between both sides.

    Of several shortest ways all are kept, so that no order of concepts decides; where HEMKit keeps a
    few, chosen one after the other by the numbers of the concepts, numbers can differ.

    Parameters
    ----------
    average
        As elsewhere, but by default "samples".
    root
        "in": a root can be where labels meet; "out": a root above everything cannot; "virtual": so
        can a node above all roots, which HEMKit adds.
    max_distance
        Most links that are walked up from a label, 4 in BioASQ; None walks up to the roots.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    MeasureError
        If `variant` is "hemkit", which is not offered.
    """

    average: Average = "samples"
    root: Root = "in"
    max_distance: int | None = None

    emerging = True  # the definition is that of the authors' software, the paper could not be read

    def __post_init__(self) -> None:
        """Check the options."""
        if self.variant == "hemkit":
            raise MeasureError(
                "variant='hemkit' is not offered: of several shortest ways HEMKit keeps some, chosen by the "
                "numbers of the concepts, in a way that its source alone states, which its licence does not "
                "allow to take over. Leave the variant out, which keeps all of them; root='virtual' and "
                "max_distance=4 are what BioASQ uses besides."
            )
        super().__post_init__()
        _ = self.view

    @property
    def view(self) -> LowestCommonAncestors:
        """Labels and the ways between them."""
        return LowestCommonAncestors(root=self.root, max_distance=self.max_distance)


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorPrecision(OfLowestCommonAncestors, Precision):
    """Share of the predicted labels and of the ways from them to the truth that is on the true side too."""

    formula_text = "P = |Y′ ∩ Z′| / |Z′|, Y′ and Z′ being Y and Z with their lowest common ancestors"
    source = "kosmopoulos2015"


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorRecall(OfLowestCommonAncestors, Recall):
    """Share of the true labels and of the ways from them to the prediction that is on the other side too."""

    formula_text = "R = |Y′ ∩ Z′| / |Y′|, Y′ and Z′ being Y and Z with their lowest common ancestors"
    source = "kosmopoulos2015"


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorF(OfLowestCommonAncestors, F):
    """Harmonic mean of precision and recall over lowest common ancestors."""

    formula_text = (
        "F = (1 + β²) |Y′ ∩ Z′| / (β² |Y′| + |Z′|), "
        "Y′ and Z′ being Y and Z with their lowest common ancestors"
    )
    source = "kosmopoulos2015"
