"""Optimal decoding: the labels of each sample of which a measure expects most, given probabilities."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from scipy import sparse

from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, MeasureError, ParameterError, one_of, pluralise
from ontoeval.measures.base import compute, info, name_in_messages, shortfall
from ontoeval.measures.flat import F
from ontoeval.measures.hierarchical import HierarchicalF
from ontoeval.measures.matching import places_in
from ontoeval.measures.operating_curve import ROUNDED
from ontoeval.measures.sums import BLOCK, Of
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.sparse import (
    cells_of,
    cut_into_runs,
    pattern_at,
    row_of_entries,
    rows_between,
    with_data,
)

Candidates = Literal["leaves", "nodes", "sets"]
Decoding = Literal["leaves", "nodes", "sets", "hF"]

UNITS = 1e12
"""Probabilities are whole numbers of 1 / UNITS, so that sums are exact, and equal ones are equal."""
DIGITS = 10
"""Decimals of expected values: those that differ by rounding are equal."""
PAIRS = 200_000
"""Pairs of a true and a predicted label that are scored at a time."""


class Probabilities(NamedTuple):
    """Probabilities of the labels of each sample, in units, and a note on their sums."""

    units: sparse.csr_array
    note: str


def probabilities(batch: ScoredBatch) -> Probabilities:
    """Normalise rounded probabilities, and refuse other scores; a sample may have none at all."""
    given, row = batch.prediction.matrix, row_of_entries(batch.prediction.matrix)
    sums, counts = np.bincount(row, given.data, len(batch)), np.diff(given.indptr)
    off = np.where(counts > 0, np.abs(sums - 1.0), 0.0)
    beyond = off - 1e-3 - ROUNDED * counts
    beyond[row[given.data < 0]] = np.inf
    if (at := int(beyond.argmax()) if len(batch) else -1) >= 0 and beyond[at] > 0:
        raise InputError(
            f"the scores of sample {batch.prediction.samples[at]!r} sum to {sums[at]:.6g}, or some are "
            "negative: decoding needs probabilities of labels that exclude each other, whose sum is 1",
            "Divide the scores of each sample by their sum. Where several labels can be true, take a "
            "threshold= (--threshold) instead.",
        )
    uneven = off > 1e-9  # noqa: PLR2004 - of sums of many numbers
    units = with_data(given.copy(), np.rint(given.data / np.where(uneven, sums, 1.0)[row] * UNITS))
    units.eliminate_zeros()
    several = pluralise(int(uneven.sum()), "sample")
    return Probabilities(units, f"Probabilities of {several} are divided by their sum." * bool(uneven.any()))


@dataclass(frozen=True)
class LossTable:
    """What a measure loses if one label is true and another one predicted, as a view of a hierarchy."""

    measure: Any
    leaves: bool

    def __call__(self, hierarchy: Hierarchy) -> tuple[Numbers, Places]:
        """Score all pairs: labels × candidates, the uppermost first; and the columns of the candidates."""
        names, count = hierarchy.label_vocabulary, len(hierarchy.labels)
        columns = np.lexsort((np.arange(count), hierarchy.depth[hierarchy.labels]))
        if self.leaves:
            columns = columns[np.isin(hierarchy.labels[columns], hierarchy.leaves)]
        require(
            8.0 * count * columns.size,
            f"A table of the {count:,} labels, in which each can be true or predicted,",
            "Decode by hF (decode='hF', --decode hF), which needs none.",
        )
        table = np.empty((count, columns.size))
        step = max(1, PAIRS // max(1, columns.size))
        samples = tuple(map(str, range(step * columns.size)))
        for begin in range(0, count, step):
            true = np.repeat(np.arange(begin, min(begin + step, count)), columns.size)
            truth, prediction = (
                LabelSets(
                    pattern_at(np.arange(true.size), one, (true.size, count)), names, samples[: true.size]
                )
                for one in (true, np.resize(columns, true.size))
            )
            rows = Batch(truth, prediction, hierarchy).derive(self.measure.statistic)
            scores = np.concatenate([compute(self.measure, block) for block in rows.blocks()])
            table[begin : begin + step] = shortfall(self.measure, scores).reshape(-1, columns.size)
        return np.where(np.isnan(table), np.inf, table), columns


@dataclass(frozen=True)
class Decoder:
    """The view that puts the best labels in the place of probabilities; it does not look at the truth."""

    measure: Any
    candidates: Decoding

    def __call__(self, batch: ScoredBatch) -> Batch:
        """Decode each sample."""
        hierarchy = batch.hierarchy or Hierarchy.flat(batch.truth.vocabulary)
        units = batch.derive(probabilities).units
        sets = self.candidates in {"sets", "hF"} and has_best_sets(self.measure, hierarchy)
        if self.candidates == "sets" and not sets:
            raise MeasureError(
                "Some concepts that count for hF cannot be labels (abstract, not in classes= or --concepts): "
                "its best sets are not known. Let them be labels, or choose hF(decode='nodes')."
            )
        found = (self._best_sets if sets else self._best_labels)(units, hierarchy)
        return batch.with_sets(LabelSets(found, batch.truth.vocabulary, batch.truth.samples))

    def _best_labels(self, units: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
        """Find the label with the least expected loss; of equal ones the uppermost, then the first."""
        table, columns = hierarchy.derive(LossTable(self.measure, self.candidates == "leaves"))
        found = np.zeros(units.shape[0], dtype=np.intp)
        step = max(1, BLOCK // 4 // max(1, columns.size))
        for begin in range(0, units.shape[0], step):
            losses = rows_between(units, begin, begin + step) @ table / UNITS
            found[begin : begin + step] = columns[np.round(losses, DIGITS).argmin(axis=1)]
        rows = np.flatnonzero(np.diff(units.indptr))
        return pattern_at(rows, found[rows], units.shape)

    def _best_sets(self, units: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
        """Find the set of which F expects most, among all sets."""
        labels, beside = hierarchy.labels, np.zeros(units.shape[1], dtype=np.intp)
        step, nodes = sparse.csr_array(sparse.eye_array(labels.size, dtype=bool)), labels
        if isinstance(self.measure, HierarchicalF):
            nodes = self.measure.view.member_concepts(hierarchy)
            step = hierarchy.label_ancestors[:, nodes]
        order = np.empty(nodes.size, dtype=np.intp)
        order[np.lexsort((nodes, hierarchy.depth[nodes]))] = np.arange(nodes.size)
        reached = np.append(0, np.cumsum(np.diff(step.indptr)[units.indices], dtype=np.int64))
        rows, chosen = [beside[:0]], [beside[:0]]
        for begin, end in cut_into_runs(np.diff(reached[units.indptr]), BLOCK // 4):
            row, node = self._best_of(rows_between(units, begin, end), step, order)
            rows.append(begin + row)
            chosen.append(np.searchsorted(labels, nodes)[node])
        return pattern_at(np.concatenate(rows), np.concatenate(chosen), units.shape)

    def _best_of(
        self, units: sparse.csr_array, step: sparse.csr_array, order: Places
    ) -> tuple[Places, Places]:
        """Find rows and nodes of the best sets: of each size the nodes that add most, then the best size.

        A set of k nodes gains by each Σ p(y) (1 + β²) / (k + β² n(y)) over the labels y below it, n(y) being
        the nodes of y. A node adds no less than one below it, so the best k are closed.
        """
        square, depths = self.measure.beta**2, np.diff(step.indptr)
        sums = sparse.csr_array(units @ step.astype(np.float64))
        sums.sort_indices()
        row, node, cells = row_of_entries(sums), sums.indices.astype(np.intp), cells_of(sums)
        sizes = np.unique(depths[units.indices])
        gains = np.zeros((sizes.size, row.size))
        for size, part in zip(sizes, gains, strict=True):
            some = sparse.csr_array((units * (depths == size)[None, :]).tocsr() @ step.astype(np.float64))
            part[places_in(cells, cells_of(some))] = some.data
        count = units.shape[0]
        nothing = np.asarray(units @ (depths == 0)).ravel() / UNITS  # their sets have no nodes
        best, most = nothing * (self.measure.empty or 0.0), np.bincount(row, sums.data, count) / UNITS
        least = np.full(count, np.inf)
        np.minimum.at(
            least, row_of_entries(units), np.where(depths[units.indices] > 0, depths[units.indices], np.inf)
        )
        lengths, chosen = np.diff(sums.indptr), np.zeros(row.size, dtype=bool)
        for k in range(1, int(lengths.max(initial=0)) + 1):
            # The gains of k nodes are at most those of all, at the least number of nodes.
            bound = (1 + square) * np.minimum(most, k) / (k + square * least)
            open_rows = (lengths >= k) & ((k < most) | (bound > best - 10.0**-DIGITS))
            if not open_rows.any():
                break
            entries = np.flatnonzero(open_rows[row])
            value = np.zeros(entries.size)
            for size, part in zip(sizes, gains, strict=True):
                value += part[entries] * ((1 + square) / (k + square * size))
            sort = np.lexsort((order[node[entries]], -value, row[entries]))
            ranked, here = row[entries][sort], lengths * open_rows
            top = np.arange(sort.size) - (np.cumsum(here) - here)[ranked] < k
            total = np.round(np.bincount(ranked[top], value[sort][top], count) / UNITS, DIGITS)
            better = open_rows & (total > best)
            best = np.where(better, total, best)
            chosen[better[row]] = False
            chosen[entries[sort[top & better[ranked]]]] = True
        return row[chosen], node[chosen]


@dataclass(frozen=True)
class DecodedMeasure:
    """A measure of label sets, of probabilities decoded for it or, with "hF", for hF: see `decode`."""

    measure: Any
    decode: Decoding

    takes = "scores"
    known_terms = False
    truth_check = None

    def __post_init__(self) -> None:
        _ = self.decoder

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as various as the attributes
        """Look up what the measure states of itself."""
        if name.startswith("__") or name == "measure":
            raise AttributeError(name)
        return getattr(self.measure, name)

    @property
    def decoder(self) -> Decoder:
        """The view that makes label sets of probabilities."""
        return decoder_of(HierarchicalF() if self.decode == "hF" else self.measure, self.decode)

    @property
    def statistic(self) -> Of:
        """The statistic of the measure, of the labels that are decoded."""
        return Of(self.measure.statistic, self.decoder)

    def formula(self, values: Numbers) -> Numbers:
        """Compute the measure from totals."""
        return np.asarray(self.measure.formula(values))


def decoder_of(measure: Any, candidates: Decoding, option: str = "decode", named: str = "") -> Decoder:  # noqa: ANN401 - of any class
    """Decode for a measure, averaged over samples; refuse where samples have no score of their own."""
    one_of(option, candidates, get_args(Decoding if option == "decode" else Candidates))
    reason = "" if info(measure, "takes") == "sets" else "it takes scores"
    reason = "it compares samples with each other" if info(measure, "joint") else reason
    reason = reason or "it has no best value" * (info(measure, "best") is None)
    if getattr(measure, "over", "") == "paths" and measure.members == "labels":
        reason = "it compares whole paths, which one label is not. Decode by HCA(members='ancestors')"
    if reason:
        raise MeasureError(f"{named or name_in_messages(measure)} cannot be decoded: {reason}.")
    with suppress(ParameterError):  # some have no such average, and score each sample by another
        if getattr(measure, "average", "samples") != "samples":
            measure = replace(measure, average="samples")
    if candidates == "sets" and not has_best_sets(measure):
        raise ParameterError(
            option,
            candidates,
            "'nodes' or 'leaves': best sets are known for F, and for hF without weight, level and branch",
        )
    return Decoder(measure, candidates)


def has_best_sets(measure: object, hierarchy: Hierarchy | None = None) -> bool:
    """Whether the best sets of a measure are known: of F, or of hF where all that counts can be a label."""
    if not isinstance(measure, F) or measure.rule != "one-vs-rest":
        return False
    if not isinstance(measure, HierarchicalF):
        return type(measure) is F
    view = measure.view
    plain = (view.members, view.level, view.branch, view.weight) == ("ancestors", None, None, None)
    if not plain or view.root == "virtual":
        return False
    return hierarchy is None or not hierarchy.abstract[view.member_concepts(hierarchy)].any()
