"""Precision, recall, F and Jaccard index of sets that a hierarchy makes of the labels."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ontoeval.errors import ParameterError
from ontoeval.measures.averages import Average, Averaged, F, Jaccard, Precision, Recall
from ontoeval.measures.statistics.sets import Members, Root, Sets


@dataclass(frozen=True, kw_only=True)
class OfSets(Averaged):
    """A ratio of decisions about what stands for the labels in the hierarchy.

    Parameters
    ----------
    members
        What stands for the labels: the "labels" themselves, their "ancestors", their
        "descendants", or the "leaves" among them.
    root
        "out": a root above everything is no member; "in": it is; "virtual": so is a node above
        all roots, which HEMKit adds.
    level
        Compare the concepts of this depth alone.
    branch
        Compare this concept and those below it alone.
    weight
        Name of what each member counts for, such as an information content; None counts members.
        Where all that is compared weighs 0, totals are 0/0, as `undefined` says, and samples are
        empty on both sides, as `empty` says.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    members: Members = "ancestors"
    root: Root = "out"
    level: int | None = None
    branch: str | None = None
    weight: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        _ = self.view
        if self.weight is not None and (self.average in {"macro", "weighted"} or self.rule != "one-vs-rest"):
            raise ParameterError(
                "weight", self.weight, "None with averages over concepts, and with confusion rules"
            )

    @property
    def emerging(self) -> bool:  # type: ignore[override]
        """Whether the formula is unchecked: that of descendants is known from others' accounts alone."""
        return self.members == "descendants"

    @property
    def view(self) -> Sets:
        """What stands for the labels."""
        return Sets(**{field.name: getattr(self, field.name) for field in fields(Sets)})


@dataclass(frozen=True, kw_only=True)
class HierarchicalPrecision(OfSets, Precision):
    """Share of what is predicted, as the hierarchy extends it, that is true."""

    formula_text = "P = |Y′ ∩ Z′| / |Z′|, Y′ and Z′ as members= and weight= say"
    source = "kiritchenko2006"


@dataclass(frozen=True, kw_only=True)
class HierarchicalRecall(OfSets, Recall):
    """Share of what is true, as the hierarchy extends it, that was predicted."""

    formula_text = "R = |Y′ ∩ Z′| / |Y′|, Y′ and Z′ as members= and weight= say"
    source = "kiritchenko2006"


@dataclass(frozen=True, kw_only=True)
class HierarchicalF(OfSets, F):
    """Harmonic mean of hierarchical precision and recall."""

    formula_text = "F = (1 + β²) |Y′ ∩ Z′| / (β² |Y′| + |Z′|), Y′ and Z′ as members= and weight= say"
    source = "kiritchenko2006"


@dataclass(frozen=True, kw_only=True)
class HierarchicalJaccard(OfSets, Jaccard):
    """Share of what is true or predicted, as the hierarchy extends it, that is both."""

    average: Average = "samples"

    formula_text = "J = |Y′ ∩ Z′| / |Y′ ∪ Z′|, Y′ and Z′ as members= and weight= say"
    source = "kiritchenko2006"
