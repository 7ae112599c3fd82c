"""The ontology score of Nowak and Lukashevich (2009): eq. 1 is `Matching`, eq. 2 `OntologyScore`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.costs import Costs
from ontoeval.concepts.violations import Breaches, ChosenRules, Exclusions, Requirements, RuleBook
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, AtLeast0
from ontoeval.measures.flat import MeanOfSamples, raise_to_power
from ontoeval.measures.matching import NamedCosts, Nearest, nearest, sums_of_rows
from ontoeval.measures.notation import as_tuples
from ontoeval.measures.sums import Rows


def _rules(name: str, value: object) -> object:
    value = as_tuples(value)  # lists cannot be hashed, and measures must be
    if not isinstance(value, str | tuple):
        raise ParameterError(name, value, '"declared", "none", or a tuple of rules')
    return value


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
        The hierarchy's weight that holds the agreement; None, or no such weight, stands for full agreement.
    ties
        Of equally near true labels the one with the "largest" or "smallest" agreement counts; the
        paper leaves it open.
    empty_prediction
        Where nothing is predicted: "zero" scores 0, as in the paper; "weighted" charges every
        missed label 1 times its agreement, as in eq. 1.
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
    """

    alpha: AtLeast0 = 1.0
    cost: str = "depth-weighted"
    agreement: str | None = AGREEMENT
    ties: Literal["largest", "smallest"] = "largest"
    empty_prediction: Literal["zero", "weighted"] = "zero"
    penalise: Literal["false positives", "all predicted", "none"] = "false positives"
    exclusions: Annotated[Exclusions, _rules] = "declared"
    requirements: Annotated[Requirements, _rules] = "declared"
    connect_roots: bool = True

    laws = USUAL_LAWS | SYMMETRY
    formula_text = "mean of (1 - (Σ min cost(false, true) a + Σ min cost(missed, predicted) a) / |Y ∪ Z|)^α"
    source = "nowak2009"

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: the truth may break a rule; false labels have the weight of true ones."""
        if self.penalise == "all predicted":
            return SYMMETRY | {"perfect"}
        return frozenset() if self.penalise == "none" and self.agreement is None else SYMMETRY

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Score each sample, eq. 2."""
        return raise_to_power(batch.derive(self.matching).score, self.alpha)

    @property
    def matching(self) -> Matching:
        """The matching of eq. 1; scores that differ in α alone share it."""
        return Matching(replace(self, alpha=1.0))

    @property
    def truth_check(self) -> TruthBreaches | None:
        """Counts of the rules that the truth breaks, where rules count."""
        return None if self.penalise == "none" else TruthBreaches(self.rules)

    @property
    def rules(self) -> ChosenRules:
        """The rules that count, as a view of a hierarchy."""
        return ChosenRules(self.exclusions, self.requirements)


class Matches(NamedTuple):
    """Nearest labels of a batch, their costs, and the score of each sample before the power."""

    false: Nearest
    missed: Nearest
    false_cost: NDArray[np.float64]
    missed_cost: NDArray[np.float64]
    common_cost: NDArray[np.float64]
    score: NDArray[np.float64]


@dataclass(frozen=True)
class Matching:
    """The matching of Nowak and Lukashevich, eq. 1, before the power of eq. 2."""

    options: OntologyScore
    partners: bool = False
    """Whether all partners are named, or only those whose agreement counts."""

    def costs(self, hierarchy: Hierarchy) -> Costs:
        """Make the costs between labels, once for each hierarchy."""
        return hierarchy.derive(self._costs)

    @property
    def _costs(self) -> NamedCosts:
        return NamedCosts(self.options.cost, self.options.connect_roots)

    def rules(self, hierarchy: Hierarchy) -> RuleBook:
        """Choose the rules that count, once for each hierarchy."""
        return hierarchy.derive(self.options.rules)

    def agreement_of(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Find the agreement of each label."""
        name, weights = self.options.agreement, hierarchy.weights
        if name is None or (name not in weights and name == AGREEMENT):
            return np.ones(len(hierarchy.labels))
        if name not in weights:
            raise ParameterError("agreement", name, f"one of {[AGREEMENT, *weights]}")
        found = weights[name][hierarchy.labels]
        if found.max(initial=0) > 1:
            raise MeasureError(
                f"The weight {name!r} has values up to {found.max():g}, but an agreement is at "
                "most 1. Name another weight, or scale it."
            )
        return found

    def __call__(self, batch: Batch) -> Matches:
        """Match the labels of every sample."""
        hierarchy = batch.required_hierarchy("The ontology score")
        costs, agreement = batch.derive(self._costs), self.agreement_of(hierarchy)
        weighted = bool((agreement != 1).any())
        named = weighted or self.partners
        false, missed = nearest(costs, batch, self._preference(agreement) if named else None)
        false_cost, missed_cost, common_cost = false.cost, missed.cost, np.zeros(batch.common.nnz)
        if weighted:
            # Eq. 1 weights by the true label's agreement on both sides. Where there is none, it is 1.
            false_cost = false_cost * np.append(agreement, 1.0)[false.label]
            missed_cost = missed_cost * agreement[batch.missed.indices]
        prediction = batch.prediction.matrix
        if self.options.penalise != "none":
            false_cost = np.where(
                self.rules(hierarchy).offending_labels(prediction, batch.false), 1.0, false_cost
            )
        charged = sums_of_rows(batch.false, false_cost) + sums_of_rows(batch.missed, missed_cost)
        if self.options.penalise == "all predicted":
            common_cost[self.rules(hierarchy).offending_labels(prediction, batch.common)] = 1.0
            charged += sums_of_rows(batch.common, common_cost)
        union = set_sizes(batch.common) + set_sizes(batch.missed) + set_sizes(batch.false)
        score = 1.0 - charged / np.maximum(union, 1.0)
        if self.options.empty_prediction == "zero":
            score[(set_sizes(prediction) == 0) & (union > 0)] = 0.0
        return Matches(false, missed, false_cost, missed_cost, common_cost, score)

    def _preference(self, agreement: NDArray[np.float64]) -> NDArray[np.intp]:
        """Ranks of the labels by agreement, which decides between equally near labels."""
        sign = -1 if self.options.ties == "largest" else 1
        return np.argsort(np.argsort(sign * agreement, kind="stable"))


@dataclass(frozen=True)
class TruthBreaches:
    """For each rule, how many true sets it applies to and how many break it."""

    chosen: ChosenRules

    def __call__(self, batch: Batch) -> Rows:
        """Count over the whole batch: one row, since nobody asks for single samples here."""
        book = batch.required_hierarchy("Looking for broken rules").derive(self.chosen)
        return Rows(book.counts(batch.truth.matrix).reshape(1, -1).astype(np.float64))

    def breaches(self, total: NDArray[np.float64], hierarchy: Hierarchy) -> list[Breaches]:
        """Name the rules of a total."""
        applies, broken = np.split(total, 2, axis=-1)
        rules = hierarchy.derive(self.chosen).rules
        return [Breaches(rule, int(a), int(b)) for rule, a, b in zip(rules, applies, broken, strict=True)]
