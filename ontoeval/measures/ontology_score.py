"""The ontology score of Nowak and Lukashevich (2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ontoeval.concepts.violations import ChosenRules, Exclusions, Requirements
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.checks import real_number
from ontoeval.errors import ParameterError, one_of
from ontoeval.measures.base import USUAL_LAWS, frozen
from ontoeval.measures.samples import MeanOfSamples
from ontoeval.measures.statistics.breaches import TruthBreaches
from ontoeval.measures.statistics.matching import Matching, OntologyScoreSample, Penalise


@dataclass(frozen=True, kw_only=True)
class OntologyScore(MeanOfSamples):
    r"""How well labels match, near misses earning credit by their distance in the ontology.

    Each false label is matched to its nearest true label and each missed label to its nearest
    predicted one; what that costs is weighted by the annotators' agreement on the true label:

    .. math:: \left(1 - \frac{\sum_{l \in Z \setminus Y} \min_{g \in Y} cost(l, g)\,a(l^*)
              + \sum_{g \in Y \setminus Z} \min_{l \in Z} cost(l, g)\,a(g)}{|Y \cup Z|}\right)^{\alpha}

    Labels that break a rule of the ontology may be charged the maximum of 1 instead.

    Parameters
    ----------
    alpha
        At least 0; the larger, the less partly correct sets are worth. With 0 every score above 0
        becomes 1.
    cost
        Cost between concepts: "depth-weighted" halves the cost of a link with each level,
        "links" counts links, "geometric(0.75)" makes a link cost 0.75 of one a level above it,
        "flat" is 1; "lin", "jiang-conrath", "resnik", "wu-palmer", "wu-palmer(links)",
        "leacock-chodorow" and "batet" are 1 less a similarity, the first three with Seco's information
        content or another, as in "lin(sanchez)"; or the name of a table added by `Hierarchy.with_cost`.
    agreement
        The hierarchy's weight that holds the agreement; None stands for full agreement, as does
        the absence of a weight named "agreement".
    ties
        Of equally near true labels the one with the "largest" or "smallest" agreement counts;
        the paper leaves it open, and a rule by order would depend on the order.
    empty_prediction
        Where nothing is predicted: "zero" scores 0, as the paper says; "weighted" charges every
        missed label 1 times its agreement, as eq. 1 says.
    penalise
        Which labels are charged 1, unweighted, for breaking a rule: "false positives", as eq. 1
        has it, "all predicted", or "none".
    exclusions
        Exclusions that count: "declared" by the ontology, "none", or pairs of concepts.
    requirements
        Requirements that count: "declared" preconditions, "none", or a tuple of properties and of
        pairs (concept, concepts of which one is required).
    connect_roots
        Whether several roots are connected by a virtual root above them; otherwise concepts
        below different roots cost 1.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    alpha: float = 1.0
    cost: str = "depth-weighted"
    agreement: str | None = AGREEMENT
    ties: Literal["largest", "smallest"] = "largest"
    empty_prediction: Literal["zero", "weighted"] = "zero"
    penalise: Penalise = "false positives"
    exclusions: Exclusions = "declared"
    requirements: Requirements = "declared"
    connect_roots: bool = True

    formula_text = "mean of (1 - (Σ min cost(false, true) a + Σ min cost(missed, predicted) a) / |Y ∪ Z|)^α"
    source = "nowak2009"
    laws = USUAL_LAWS
    non_laws = frozenset({"symmetry"})

    def __post_init__(self) -> None:
        """Check the options."""
        object.__setattr__(self, "alpha", real_number("alpha", self.alpha))
        for name in ("exclusions", "requirements"):
            # Lists cannot be hashed, and measures must be.
            object.__setattr__(self, name, frozen(getattr(self, name)))
            if not isinstance(getattr(self, name), str | tuple):
                raise ParameterError(name, getattr(self, name), '"declared", "none", or a tuple of rules')
        one_of("ties", self.ties, ("largest", "smallest"))
        one_of("empty_prediction", self.empty_prediction, ("zero", "weighted"))
        one_of("penalise", self.penalise, ("false positives", "all predicted", "none"))
        one_of("connect_roots", self.connect_roots, (True, False))

    @property
    def given_up(self) -> frozenset[str]:
        """Laws that these parameters break: the truth itself may break a rule."""
        return frozenset({"perfect"} if self.penalise == "all predicted" else ())

    @property
    def matching(self) -> Matching:
        """How labels are matched; scores that differ in α alone share it."""
        return Matching(
            self.cost,
            self.agreement,
            self.ties,
            self.empty_prediction,
            self.penalise,
            self.exclusions,
            self.requirements,
            self.connect_roots,
        )

    @property
    def quantity(self) -> OntologyScoreSample:
        """The score of a sample."""
        return OntologyScoreSample(self.matching, self.alpha)

    @property
    def truth_check(self) -> TruthBreaches | None:
        """Counts of the rules that the truth breaks, where rules count."""
        if self.penalise == "none":
            return None
        return TruthBreaches(ChosenRules(self.exclusions, self.requirements))
