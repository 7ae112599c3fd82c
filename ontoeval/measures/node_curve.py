"""Precision over recall of the nodes of a hierarchy, sample by sample, while the threshold sinks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.measures.base import number_or_none
from ontoeval.measures.counts import divide
from ontoeval.measures.hierarchical import Sets
from ontoeval.measures.operating_curve import Propagate, ScoresOfConcepts
from ontoeval.measures.rankings import MeanOfRankings, Ranks
from ontoeval.measures.risk_coverage import DIGITS
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import pattern, pattern_at, with_data


@dataclass(frozen=True, kw_only=True)
class HierarchicalArea(MeanOfRankings):
    r"""Area below the precision over the recall of nodes, of each sample, without any threshold.

    For the falling distinct scores of nodes, r and p are recall and precision of nodes with at least that,

    .. math:: A = \frac{1}{N} \sum_i \sum_g (r_g - r_{g-1}) \frac{p_{g-1} + p_g}{2},
              \qquad r_0 = 0,\ p_0 = 1.

    Between two scores lies a straight line, which is optimistic beside a step-wise average precision. Nodes
    are the labels with their ancestors. Nodes without a score, or with 0, come last, as one step.

    Parameters
    ----------
    propagate
        Score of a node: the "sum" of the scores of itself and of all below it, for probabilities of single
        labels; the "max" of these; or its own score alone ("none"), as the authors' program has it.
    root
        "out": a root above everything is no node; "in": it is.
    empty
        Value of a sample without true nodes; None leaves it out.
    """

    propagate: Propagate = "sum"
    root: Literal["out", "in"] = "out"
    empty: Annotated[float | None, partial(number_or_none, most=1)] = None

    best = 1.0
    formula_text = "mean of Σ (r_g - r_(g-1)) (p_(g-1) + p_g) / 2, of nodes with at least the g-th score"
    source = "plaud2024"

    @property
    def single(self) -> bool:  # type: ignore[override]
        """Whether scores are probabilities of one label."""
        return self.propagate == "sum"

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: scores of the true labels alone leave their ancestors without one."""
        return frozenset({"perfect"} if self.propagate == "none" else ())

    @property
    def view(self) -> ScoredNodes:
        """Nodes with their scores in the place of labels."""
        return ScoredNodes(self.propagate, self.root)

    def score_lists(self, ranks: Ranks) -> Numbers:
        """Area of each sample; nan where nothing is true."""
        above, hits = ranks.rank - ranks.level, ranks.hits - ranks.level_hits
        before = np.where(above > 0, divide(hits, above), 1.0)
        area = ranks.sum_of_hits((before + ranks.hits / ranks.rank) / 2)
        last = np.where(ranks.scored > 0, divide(ranks.found, ranks.scored), 1.0)
        last = (last + divide(ranks.true, ranks.length)) / 2
        return divide(area + np.where(ranks.count_unranked > 0, ranks.count_unranked * last, 0.0), ranks.true)


@dataclass(frozen=True)
class ScoredNodes:
    """The view that puts nodes in the place of labels, each with a score."""

    propagate: Propagate
    root: Literal["out", "in"]

    def __call__(self, batch: ScoredBatch) -> ScoredBatch:
        """Close the truth, and score the nodes."""
        hierarchy = batch.required_hierarchy("An area over nodes")
        kept, given = Sets(root=self.root).member_concepts(hierarchy), batch.prediction
        if self.propagate == "sum":
            found = batch.derive(ScoresOfConcepts("sum"))
            scores = with_data(found, np.round(found.data, DIGITS))
        elif self.propagate == "max":
            scores = batch.propagated.prediction.matrix
        else:
            own = pattern_at(
                np.arange(len(hierarchy.labels)), hierarchy.labels, hierarchy.label_ancestors.shape
            )
            scores = sparse.csr_array(given.matrix @ own.astype(np.float64))
        truth = pattern(batch.truth.matrix @ hierarchy.label_ancestors)[:, kept]
        names, samples = Vocabulary(tuple(hierarchy.vocabulary[at] for at in kept)), batch.truth.samples
        nodes = LabelScores(scores[:, kept], names, samples, given.signed)
        return ScoredBatch(LabelSets(truth, names, samples), nodes, sample_weight=batch.sample_weight)
