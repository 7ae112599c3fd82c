"""What the laws of measures of scores are tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

import ontoeval as oe
from ontoeval.concepts.information import LabelFrequencies
from ontoeval.measures.base import info
from tests.laws.cases import hierarchies, subsets
from tests.strategies import NAMES, Graph

LEVELS = (None, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.99, 1.0)
"""Scores, of which few make ties likely; None is a label without score."""


def label_scores(
    rows: Sequence[Mapping[str, float]], vocabulary: oe.Vocabulary, samples: Sequence[str] | None = None
) -> oe.LabelScores:
    """Scores of some labels."""
    entries = [(row, label, score) for row, some in enumerate(rows) for label, score in some.items()]
    place = np.array([row for row, _, _ in entries], dtype=np.intp)
    column = np.array([vocabulary.index[label] for _, label, _ in entries], dtype=np.intp)
    order = np.lexsort((column, place))
    data = np.array([score for _, _, score in entries], dtype=float)
    begin = np.concatenate([[0], np.cumsum(np.bincount(place, minlength=len(rows)))])
    matrix = sparse.csr_array((data[order], column[order], begin), shape=(len(rows), len(vocabulary)))
    return oe.LabelScores.from_array(matrix, vocabulary=vocabulary, samples=samples)


@dataclass(frozen=True)
class ScoredCase:
    """True sets and scores over the labels of a hierarchy, and what its concepts weigh."""

    graph: Graph
    abstract: frozenset[str]
    weights: Mapping[str, float]
    truths: tuple[frozenset[str], ...]
    scores: tuple[Mapping[str, float], ...]
    new_names: tuple[str, ...]

    @cached_property
    def hierarchy(self) -> oe.Hierarchy:
        """The hierarchy with the weight "ia"; its concepts are in alphabetical order."""
        names = sorted(self.graph.names)
        hierarchy = oe.Hierarchy.from_edges(self.graph.edges, concepts=names, abstract=sorted(self.abstract))
        return hierarchy.with_weight("ia", [self.weights[name] for name in names])

    @property
    def labels(self) -> list[str]:
        """The columns."""
        return list(self.hierarchy.label_vocabulary)

    @cached_property
    def batch(self) -> oe.core.ScoredBatch:
        """Truth and scores as a batch."""
        return self.of(self.truths, self.scores)

    def of(
        self, truths: Sequence[frozenset[str]], scores: Sequence[Mapping[str, float]]
    ) -> oe.core.ScoredBatch:
        """A batch of other samples over the same labels."""
        vocabulary = self.hierarchy.label_vocabulary
        truth = oe.LabelSets.from_sets(truths, vocabulary=vocabulary)
        return oe.core.ScoredBatch(truth, label_scores(scores, vocabulary), self.hierarchy)

    def above(self, concept: str) -> set[str]:
        """The ancestors of a concept, itself among them."""
        found, waiting = {concept}, [concept]
        while waiting:
            child = waiting.pop()
            parents = {a for a, b in self.graph.edges if b == child} - found
            found |= parents
            waiting += parents
        return found

    def renamed(self) -> ScoredCase:
        """Give every concept its new name, which moves its column too."""
        new = dict(zip(self.graph.names, self.new_names, strict=True))
        return replace(
            self,
            graph=Graph(self.new_names, tuple((new[a], new[b]) for a, b in self.graph.edges)),
            abstract=frozenset(new[name] for name in self.abstract),
            weights={new[name]: value for name, value in self.weights.items()},
            truths=tuple(frozenset(new[name] for name in labels) for labels in self.truths),
            scores=tuple({new[name]: score for name, score in some.items()} for some in self.scores),
        )


@st.composite
def scored_cases(
    draw: st.DrawFn, *, max_samples: int = 4, max_nodes: int = 7, min_true: int = 0
) -> ScoredCase:
    """Random scores over a random hierarchy with weights and with concepts that are no labels."""
    graph = draw(hierarchies(max_nodes=max_nodes))
    names = graph.names
    labels = sorted(draw(subsets(names, 1))[0]) or list(names)
    if draw(st.booleans()):
        labels = list(names)
    count = draw(st.integers(1, max_samples))
    truths = draw(subsets(labels, count))
    if min_true:
        truths = tuple(true or frozenset(labels[:1]) for true in truths)
    drawn = draw(st.binary(min_size=count * len(labels), max_size=count * len(labels)))
    levels = [LEVELS[byte % len(LEVELS)] for byte in drawn]
    scores = tuple(
        {
            label: score
            for label, score in zip(labels, levels[row * len(labels) :], strict=False)
            if score is not None
        }
        for row in range(count)
    )
    weights = draw(st.binary(min_size=len(names), max_size=len(names)))
    turned = draw(st.integers(0, len(names) - 1))
    weighed = {name: byte % 4 / 2 for name, byte in zip(names, weights, strict=True)}
    return ScoredCase(
        graph,
        frozenset(names) - frozenset(labels),
        # some label must weigh something, and some concept that is not the only root
        {**weighed, names[-1]: weighed[names[-1]] or 0.7, labels[0]: weighed[labels[0]] or 0.3},
        truths,
        scores,
        (names[turned:] + names[:turned])[:: draw(st.sampled_from([1, -1]))],
    )


_CURVES: tuple[dict[str, Any], ...] = (
    {"thresholds": "distinct"},
    {"thresholds": (0.3, 0.5)},
    {"thresholds": 0.3, "denominator": "predicted"},
    {"denominator": "truth", "root": "out"},
    {"empty": None},
    {"empty": 0.0},
    {"propagate": False},
    {"propagate": False, "weight": "ia", "thresholds": "distinct", "empty": None},
    {"part": "threshold"},
    {"thresholds": "cafaeval"},
)
_COVERED: tuple[dict[str, Any], ...] = (
    {"uncovered": False},
    {"uncovered": False, "denominator": "predicted", "part": "ru"},
    {"uncovered": False, "thresholds": "distinct"},
)
_RANKED: tuple[dict[str, Any], ...] = (
    {"average": "micro"},
    {"average": "weighted"},
    {"average": "samples"},
    {"undefined": 0.0},
    {"average": "samples", "undefined": 1.0},
)
_SCORED: dict[str, tuple[dict[str, Any], ...]] = {
    "Fmax": (*_CURVES, {"beta": 2}, {"part": "recall"}, {"part": "coverage", "thresholds": "distinct"}),
    "microFmax": ({"thresholds": "distinct"}, {"part": "precision"}, {"weight": "ia"}),
    "Smin": (*_CURVES, {"weight": None}, {"part": "ru"}, {"part": "mi", "thresholds": "distinct"}, *_COVERED),
    "OneError": ({"empty": None},),
    "Coverage": ({"minus_one": False}, {"empty": None}),
    "RankingLoss": ({"ties": "half"}, {"empty": None}),
    "LRAP": ({"empty": None}, {"empty": 0.0}),
    "AP": _RANKED,
    "AUC": _RANKED,
    "EER": _RANKED,
    "PAt": ({"k": 1}, {"k": 2, "unscored": "last"}),
    "RAt": ({"of": "reach", "k": 2}, {"k": 1, "unscored": "last", "of": "reach", "empty_truth": 0.0}),
    "nDCGAt": ({"k": 2}, {"k": 3, "unscored": "last"}),
    "HitAt": ({"k": 1}, {"k": 2, "unscored": "last"}),
    "RR": ({"k": 2}, {"unscored": "last"}, {"empty_truth": 0.0}),
}
CORPUS = LabelFrequencies({name: 3 * number for number, name in enumerate(NAMES)}, 3 * len(NAMES))
"""How often labels are in training data."""

SCORE_POINTS: dict[str, list[Any]] = {
    entry.symbol: list(
        dict.fromkeys(
            [entry.measure, *(replace(entry.measure, **one) for one in _SCORED.get(entry.symbol, ()))]
        )
    )
    for entry in oe.CATALOGUE
    if info(entry.measure, "takes") == "scores"
    and not info(entry.measure, "single")
    and not hasattr(entry.measure, "corpus")
}
"""Each measure of scores of any sets at many points."""
