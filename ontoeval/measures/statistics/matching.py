"""Matching of false and missed labels to their nearest label on the other side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import TIE, Costs, PathCosts, TableCosts, costs_by_name
from ontoeval.concepts.relatedness import AncestorCosts
from ontoeval.concepts.violations import ChosenRules, Exclusions, Requirements, RuleBook
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch, sizes
from ontoeval.core.csr import entries_of_rows, row_of_entries, stored_in, with_data
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.portions import pairs_of_rows
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.measures.statistics.means import powered

SMALL = 256
"""Up to so many labels a table of all costs is faster than paths: it has 65,536 entries."""
SCRATCH = 4_000_000
"""Numbers of scratch space for samples × concepts at a time: 32 MB."""


class Nearest(NamedTuple):
    """The nearest label for each stored entry of some sets."""

    cost: NDArray[np.float64]
    label: NDArray[np.intp]


def nearest(
    costs: Costs,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Find for each label of each sample the candidate of the same sample that costs least."""
    if isinstance(costs, TableCosts) or labels.shape[1] <= SMALL:
        return _nearest_by_table(costs.table, labels, candidates, preference)
    if isinstance(costs, AncestorCosts):
        return _nearest_by_pairs(costs, labels, candidates, preference)
    return _nearest_by_paths(costs, labels, candidates, preference)


def _nearest_by_table(
    table: NDArray[np.float64],
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Go through the labels, and for all samples that have one look for its first candidate."""
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    # For each label all others, nearest first; costs that differ by rounding only are tied.
    by_cost = np.argsort(table, axis=1, kind="stable")
    ascending = np.take_along_axis(table, by_cost, axis=1)
    step = np.diff(ascending, axis=1, prepend=0) > TIE
    tied = np.empty_like(by_cost)
    np.put_along_axis(tied, by_cost, np.cumsum(step, axis=1), axis=1)
    order = np.lexsort((np.broadcast_to(preference, table.shape), tied), axis=1)
    rows_at_a_time = max(1, SCRATCH // max(1, labels.shape[1]))
    for begin in range(0, labels.shape[0], rows_at_a_time):
        end = min(begin + rows_at_a_time, labels.shape[0])
        there = candidates[begin:end].toarray()
        block = labels[begin:end]
        entries = labels.indptr[begin] + np.arange(block.nnz)
        by_label = with_data(block, entries).tocsc()
        for label in np.flatnonzero(np.diff(by_label.indptr)):
            of_label = slice(by_label.indptr[label], by_label.indptr[label + 1])
            rows, at = by_label.indices[of_label], by_label.data[of_label]
            ranked = there.take(rows, axis=0).take(order[label], axis=1)
            found = ranked.argmax(axis=1)
            some = ranked[np.arange(found.size), found]
            which = order[label][found]
            result.label[at] = np.where(some, which, -1)
            result.cost[at] = np.where(some, table[label][which], 1.0)
    return result


def _nearest_by_paths(
    costs: PathCosts,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Let every candidate mark its ancestors, then let every label ask its own.

    The nearest candidate of l costs the minimum, over the ancestors c of l, of up(l, c) plus the
    smallest up(g, c) of a candidate g below c: linear in the number of ancestors, no pairs.
    """
    upward = costs.upward
    label_count, concepts = upward.shape
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    by_preference = np.argsort(preference)
    rows_at_a_time = max(1, SCRATCH // max(1, concepts))
    room = min(rows_at_a_time, max(1, labels.shape[0])) * concepts
    cheapest = np.full(room, np.inf)
    preferred = np.full(room, label_count, dtype=np.intp)
    for begin in range(0, labels.shape[0], rows_at_a_time):
        end = min(begin + rows_at_a_time, labels.shape[0])
        cells, up, owner = _spread(upward, candidates[begin:end])
        np.minimum.at(cheapest, cells, up)
        tied = up <= cheapest[cells] + TIE
        rank = preference[candidates[begin:end].indices[owner]]
        np.minimum.at(preferred, cells[tied], rank[tied])

        asked, up, owner = _spread(upward, labels[begin:end])
        stored = labels.indptr[end] - labels.indptr[begin]
        total = up + cheapest[asked]
        if costs.closing is not None:
            met = np.flatnonzero(np.isfinite(total))
            total[met] = costs.closing(total[met], asked[met] % concepts)
        starts = np.searchsorted(owner, np.arange(stored))
        least = np.minimum.reduceat(total, starts) if stored else total
        rank = np.where(total <= least[owner] + TIE, preferred[asked], label_count)
        best = np.minimum.reduceat(rank, starts) if stored else rank
        entries = np.arange(labels.indptr[begin], labels.indptr[end])
        found = least < costs.unconnected - TIE
        result.cost[entries[found]] = least[found]
        result.label[entries[found]] = by_preference[best[found]]
        # Where no common ancestor brings a candidate nearer, all are equally far: the preferred one is taken.
        lost = np.flatnonzero(~found)
        if lost.size:
            rows = row_of_entries(labels[begin:end])[lost]
            some = sizes(candidates[begin:end])[rows] > 0
            chosen = _preferred_of_rows(candidates[begin:end], rows[some], preference, by_preference)
            result.cost[entries[lost[some]]] = costs.unconnected
            result.label[entries[lost[some]]] = chosen
        cheapest[cells] = np.inf
        preferred[cells] = label_count
    return result


def _nearest_by_pairs(
    costs: AncestorCosts,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Compare every label with every candidate of its sample, as many at a time as there is room for."""
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    by_preference = np.argsort(preference)
    for owner, entries in pairs_of_rows(labels, candidates, SCRATCH):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        asked, candidate = owner[starts], candidates.indices[entries]
        cost = costs.between(costs.labels[labels.indices[owner]], costs.labels[candidate])
        result.cost[asked] = np.minimum.reduceat(cost, starts)
        rank = np.where(cost <= result.cost[owner] + TIE, preference[candidate], preference.size)
        result.label[asked] = by_preference[np.minimum.reduceat(rank, starts)]
    return result


def _spread(
    upward: sparse.csr_array, sets: sparse.csr_array
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
    """For each stored label its ancestors: cell in samples × concepts, cost up, and which entry it is."""
    entries, lengths = entries_of_rows(upward, sets.indices)
    owner = np.repeat(np.arange(sets.nnz, dtype=np.intp), lengths)
    cells = row_of_entries(sets)[owner] * upward.shape[1] + upward.indices[entries]
    return cells, upward.data[entries], owner


def _preferred_of_rows(
    sets: sparse.csr_array,
    rows: NDArray[np.intp],
    preference: NDArray[np.intp],
    by_preference: NDArray[np.intp],
) -> NDArray[np.intp]:
    entries, lengths = entries_of_rows(sets, rows)
    starts = np.cumsum(lengths) - lengths
    ranks = preference[sets.indices[entries]]
    return by_preference[np.minimum.reduceat(ranks, starts)] if rows.size else rows


@dataclass(frozen=True)
class NamedCosts:
    """The costs that go by a name, as a view of a hierarchy."""

    name: str
    connect_roots: bool

    def __call__(self, hierarchy: Hierarchy) -> Costs:
        """Make the costs."""
        return costs_by_name(hierarchy, self.name, connect_roots=self.connect_roots)


class Matches(NamedTuple):
    """How the labels of a batch were matched and what that costs."""

    false: Nearest
    missed: Nearest
    false_cost: NDArray[np.float64]
    missed_cost: NDArray[np.float64]
    common_cost: NDArray[np.float64]
    score: NDArray[np.float64]


Penalise = Literal["false positives", "all predicted", "none"]


@dataclass(frozen=True)
class Matching:
    """The matching of Nowak and Lukashevich, eq. 1, before the power of eq. 2."""

    cost: str
    agreement: str | None
    ties: Literal["largest", "smallest"]
    empty_prediction: Literal["zero", "weighted"]
    penalise: Penalise
    exclusions: Exclusions
    requirements: Requirements
    connect_roots: bool

    def costs(self, hierarchy: Hierarchy) -> Costs:
        """Make the costs between labels, once for each hierarchy."""
        return hierarchy.once(NamedCosts(self.cost, self.connect_roots))

    def rules(self, hierarchy: Hierarchy) -> RuleBook:
        """Choose the rules that count, once for each hierarchy."""
        return hierarchy.once(ChosenRules(self.exclusions, self.requirements))

    def agreement_of(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Find the agreement of each label."""
        if self.agreement is None or (
            self.agreement not in hierarchy.weights and self.agreement == AGREEMENT
        ):
            return np.ones(len(hierarchy.labels))
        if self.agreement not in hierarchy.weights:
            raise ParameterError("agreement", self.agreement, f"one of {[AGREEMENT, *hierarchy.weights]}")
        weights = hierarchy.weights[self.agreement][hierarchy.labels]
        if weights.max(initial=0) > 1:
            raise MeasureError(
                f"The weight {self.agreement!r} has values up to {weights.max():g}, but an agreement is at "
                "most 1. Name another weight, or scale it."
            )
        return weights

    def __call__(self, batch: Batch) -> Matches:
        """Match the labels of every sample."""
        hierarchy = batch.required_hierarchy("The ontology score")
        costs, agreement = self.costs(hierarchy), self.agreement_of(hierarchy)
        truth, prediction = batch.truth.matrix, batch.prediction.matrix
        sign = -1 if self.ties == "largest" else 1
        preference = np.empty(agreement.size, dtype=np.intp)
        preference[np.lexsort((np.arange(agreement.size), sign * agreement))] = np.arange(agreement.size)
        false = nearest(costs, batch.false, truth, preference)
        missed = nearest(costs, batch.missed, prediction, preference)
        # Eq. 1 weights by the true label's agreement on both sides. Where there is none, it is 1.
        false_cost = false.cost * np.where(false.label >= 0, agreement[false.label], 1.0)
        missed_cost = missed.cost * agreement[batch.missed.indices]
        common_cost = np.zeros(batch.common.nnz)
        if self.penalise != "none":
            offending = self.rules(hierarchy).offending(prediction)
            if offending.nnz:
                false_cost[stored_in(batch.false, offending)] = 1.0
                if self.penalise == "all predicted":
                    common_cost[stored_in(batch.common, offending)] = 1.0
        charged = (
            sums_of_rows(batch.false, false_cost)
            + sums_of_rows(batch.missed, missed_cost)
            + sums_of_rows(batch.common, common_cost)
        )
        union = sizes(batch.common) + sizes(batch.missed) + sizes(batch.false)
        score = 1.0 - charged / np.maximum(union, 1.0)
        if self.empty_prediction == "zero":
            score[(sizes(prediction) == 0) & (union > 0)] = 0.0
        return Matches(false, missed, false_cost, missed_cost, common_cost, score)


@dataclass(frozen=True)
class OntologyScoreSample:
    """The ontology score of each sample, eq. 2."""

    matching: Matching
    alpha: float

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Score each sample."""
        return powered(batch.once(self.matching).score, self.alpha)


def sums_of_rows(matrix: sparse.csr_array, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum values that belong to the stored entries of a matrix, row by row."""
    return np.asarray(with_data(matrix, values).sum(axis=1))
