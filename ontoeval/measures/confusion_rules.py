"""Confusion rules: which predicted label a true label is confused with, and by how much.

Every published matrix is one outer product per sample,

    M = diag(d on T1) + w · sources ⊗ targets,

with T1 the common, T2 the missed and P2 the false labels of the sample; a rule defines the
sources and targets, their weight w and the diagonal d. Rows are true, columns predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch, PartSizes, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, one_of
from ontoeval.measures.counts import Counts
from ontoeval.measures.sums import CountedRows, Rows
from ontoeval.measures.transport_pairs import Unrelated, pair_labels
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import (
    choose_entries,
    common_entries,
    nonzero_entries,
    pairs_of_rows,
    pattern,
    row_of_entries,
    scale_rows,
    sum_of_outer_products,
    with_column,
    with_data,
    without_entries,
)


class Outer(NamedTuple):
    """Outer products w · sources ⊗ targets: one per sample, or each of the sample that owns it."""

    sources: sparse.csr_array
    targets: sparse.csr_array
    weight: NDArray[np.float64]
    owner: NDArray[np.intp] | None = None

    def weighted(self, weights: NDArray[np.float64]) -> Outer:
        """Let each sample count for its weight."""
        return self._replace(weight=self.weight * (weights if self.owner is None else weights[self.owner]))


class Entries(NamedTuple):
    """Mass that samples put into cells."""

    sample: NDArray[np.intp]
    row: NDArray[np.intp]
    column: NDArray[np.intp]
    mass: NDArray[np.float64]


class Links(NamedTuple):
    """The result of a rule for a batch: one row per sample, one column per concept and pseudo-concept."""

    diagonal: sparse.csr_array
    outer: tuple[Outer, ...]

    def weighted(self, weights: NDArray[np.float64] | None) -> Links:
        """Let each sample count for its weight."""
        if weights is None:
            return self
        outer = tuple(one.weighted(weights) for one in self.outer)
        return Links(scale_rows(self.diagonal, weights), outer)

    def matrix(self) -> sparse.csr_array:
        """Sum diagonals and outer products over the samples."""
        total = sparse.diags_array(np.asarray(self.diagonal.sum(axis=0), dtype=np.float64)).tocsr()
        for sources, targets, weight, _ in self.outer:
            total = total + sum_of_outer_products(sources, scale_rows(targets, weight))
        return sparse.csr_array(total)

    def entries(self, most: int = 4_000_000) -> Iterator[Entries]:
        """Go through the mass that each sample puts into each cell; blocks of `most` bound the memory."""
        hits, concept = self.diagonal, self.diagonal.indices.astype(np.intp)
        yield Entries(row_of_entries(hits), concept, concept, hits.data.astype(np.float64))
        for sources, targets, weight, owner in self.outer:
            rows = row_of_entries(sources)
            for source, target in pairs_of_rows(sources, targets, most):
                sample = rows[source] if owner is None else owner[rows[source]]
                mass = weight[rows[source]] * sources.data[source] * targets.data[target]
                row, column = sources.indices[source], targets.indices[target]
                yield Entries(sample, row.astype(np.intp), column.astype(np.intp), mass)

    def margins(self) -> tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]:
        """Diagonal, row sums and column sums without it, of each sample's own matrix."""
        hits, parts = self.diagonal, []
        for sources, targets, weight, _ in self.outer:
            missed = scale_rows(sources, weight * set_sizes(targets))
            added = scale_rows(targets, weight * set_sizes(sources))
            # What is source and target at once, as NTL and NPL, has its share on the diagonal.
            shared = scale_rows(common_entries(sources, targets), weight)
            if shared.nnz:
                hits, missed, added = hits + shared, missed - shared, added - shared
            parts.append((missed, added))
        misses, false = (sum(others, start=first) for first, *others in zip(*parts, strict=True))
        return hits, misses, false


@dataclass(frozen=True, eq=False)
class Split:
    """Common, missed and false labels of every sample, as a rule looks at them."""

    truth: sparse.csr_array
    prediction: sparse.csr_array
    """Both sides, each label with 1 where no other side has it, else with 2."""
    common: sparse.csr_array
    sizes: PartSizes

    @classmethod
    def from_batch(cls, batch: Batch) -> Split:
        """Split the sets as they are."""
        truth, prediction = (
            with_data(side.matrix, shared + np.int8(1))
            for side, shared in zip((batch.truth, batch.prediction), batch.in_both, strict=True)
        )
        return cls(truth, prediction, batch.common, batch.part_sizes)

    def missed(self, common_of: NDArray[np.bool_] | None = None) -> sparse.csr_array:
        """Choose the missed labels, and the common labels of some samples."""
        return _one_sided(self.truth, common_of)

    def false(self, common_of: NDArray[np.bool_] | None = None) -> sparse.csr_array:
        """Choose the false labels, and the common labels of some samples."""
        return _one_sided(self.prediction, common_of)


def _one_sided(side: sparse.csr_array, common_of: NDArray[np.bool_] | None) -> sparse.csr_array:
    if common_of is not None and common_of.all():
        return with_data(side, side.data > 0)
    chosen = side.data == 1
    if common_of is not None and common_of.any():
        chosen |= np.repeat(common_of, np.diff(side.indptr))
    return choose_entries(side, chosen)


def _with_unknown(batch: Batch) -> Split:
    """Extend the sets by the pseudo-concept `unknown`, which is a member exactly of empty sets."""
    plain = Split.from_batch(batch)
    no_truth, no_prediction = (side.sizes == 0 for side in (batch.truth, batch.prediction))
    both = no_truth & no_prediction
    added = both, no_truth & ~both, no_prediction & ~both
    return Split(
        with_column(plain.truth, no_truth * (1 + both)),
        with_column(plain.prediction, no_prediction * (1 + both)),
        with_column(plain.common, both),
        PartSizes(*(one + more for one, more in zip(plain.sizes, added, strict=True))),
    )


def _multiclass(batch: Batch) -> Links:
    """Exactly one label each: the ordinary confusion matrix (Krstinić section 3.1)."""
    for side in (batch.truth, batch.prediction):
        wrong = np.flatnonzero(side.sizes != 1)
        if wrong.size:
            shown = [f"{side.samples[row]} ({side.sizes[row]} labels)" for row in wrong[:MOST_SHOWN]]
            raise InputError(
                f"the rule 'multiclass' needs exactly one label for each sample, but has "
                f"{enumerate_some(shown, total=wrong.size)}",
                "Use a multi-label rule, such as 'krstinic'.",
            )
    return Links(batch.common, (Outer(batch.missed, batch.false, np.ones(len(batch))),))


def _one_vs_rest(_: Batch) -> Links:
    """Refuse: one-vs-rest defines margins of each concept, but no pairs."""
    raise InputError(
        "the rule 'one-vs-rest' gives counts per concept, not a square matrix",
        "Use ontoeval.one_vs_rest(truth, prediction), or another rule.",
    )


def _krstinic(batch: Batch) -> Links:
    """Krstinić 2020, equations 11 to 17 and Algorithm 1, with `unknown` for empty sets."""
    split = batch.derive(_with_unknown)
    common, missed, false = split.sizes
    only_missed, only_false = (missed > 0) & (false == 0), (missed == 0) & (false > 0)
    outer = Outer(
        split.missed(common_of=only_false),
        split.false(common_of=only_missed),
        1 / np.where((missed > 0) & (false > 0), false, common + false),
    )
    # Only predicted too much: the correct labels share the false ones' mass (eq. 13).
    diagonal = np.where(only_false, common / (common + false), 1.0)
    return Links(scale_rows(split.common, diagonal), (outer,))


def _mlcm(batch: Batch) -> Links:
    """Heydarian 2022, Algorithms 2 to 4: a row NTL, no true label, and a column NPL, none predicted."""
    split = Split.from_batch(batch)
    common, missed, false = split.sizes
    no_truth = common + missed == 0
    never = np.zeros(len(batch), dtype=bool)
    sources = split.missed(common_of=(missed == 0) & (false > 0))
    targets = with_column(split.false(), (false == 0) & ((missed > 0) | no_truth))
    outer = Outer(with_column(sources, no_truth), targets, np.ones(len(batch)))
    return Links(with_column(split.common, never), (outer,))


def _mlcm_package(batch: Batch) -> Links:
    """Do as the mlcm package 0.0.1: beside missed labels, false ones count against the common ones too.

    All but the first do, so that the result depends on the order of the concepts.
    """
    paper, sizes = _mlcm(batch), batch.part_sizes
    never = np.zeros(len(batch), dtype=bool)
    false = batch.false
    later = np.ones(false.nnz, dtype=bool)
    later[false.indptr[:-1][sizes.false > 0]] = False
    rest = with_column(choose_entries(false, later), never)
    both = (sizes.common > 0) & (sizes.missed > 0)
    extra = Outer(paper.diagonal, rest, both.astype(np.float64))
    return Links(paper.diagonal, (*paper.outer, extra))


def _plane(batch: Batch, *, recall: bool, by_case: bool) -> Links:
    """One plane of the confusion tensor.

    Recall: a missed label is spread over all predicted ones, or by case over the false ones where there are
    some. Precision: a false label is spread over all true ones, or over the missed ones.
    """
    split = batch.derive(_with_unknown)
    common, missed, false = split.sizes
    wrong = false if recall else missed
    shared = ~(by_case & (wrong > 0))
    ends = split.missed(None if recall else shared), split.false(shared if recall else None)
    return Links(split.common, (Outer(*ends, 1 / (wrong + shared * common)),))


def _planes(*, recall: bool) -> dict[str, Callable[[Batch], Links]]:
    return {name: partial(_plane, recall=recall, by_case=name == "case") for name in ("unique", "case")}


def _transport(batch: Batch, *, unrelated: Unrelated, given: bool) -> Links:
    """Pair each missed label with at most one false one, the nearest first, and leave the rest unmatched.

    Implied labels count only where the sets are taken as given.
    """
    hierarchy = batch.hierarchy or Hierarchy.flat(batch.truth.vocabulary)
    sides = batch.truth.matrix, batch.prediction.matrix
    if not given:
        true, predicted = (without_entries(side, pattern(side @ hierarchy.labels_above)) for side in sides)
        sides = true, predicted
    pairs = pair_labels(*sides, hierarchy, unrelated)
    never, always = np.zeros(len(batch), dtype=bool), np.ones(len(batch), dtype=bool)
    nobody, no_group = sparse.csr_array(sides[0].shape, dtype=bool), np.zeros(pairs.weight.size, dtype=bool)
    unmatched, ones = with_column(nobody, always), np.ones(len(batch))
    empty = (set_sizes(sides[0]) == 0) & (set_sizes(sides[1]) == 0)
    return Links(
        with_column(common_entries(*sides), empty),
        (
            Outer(
                with_column(pairs.missed, no_group),
                with_column(pairs.false, no_group),
                pairs.weight,
                pairs.owner,
            ),
            Outer(with_column(pairs.left_missed, never), unmatched, ones),
            Outer(unmatched, with_column(pairs.left_false, never), ones),
        ),
    )


class ConfusionRule(NamedTuple):
    """A published rule."""

    variants: dict[str, Callable[[Batch], Links]]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    source: str


_UNKNOWN = ("unknown",)

RULES = {
    "multiclass": ConfusionRule({"": _multiclass}, (), (), "krstinic2020"),
    "one-vs-rest": ConfusionRule({"": _one_vs_rest}, (), (), "heydarian2022"),
    "krstinic": ConfusionRule({"": _krstinic}, _UNKNOWN, _UNKNOWN, "krstinic2020"),
    "mlcm": ConfusionRule({"paper": _mlcm, "package": _mlcm_package}, ("NTL",), ("NPL",), "heydarian2022"),
    "transport": ConfusionRule(
        {
            f"{unrelated}{sets}": partial(_transport, unrelated=unrelated, given=bool(sets))
            for sets in (" given", "")
            for unrelated in get_args(Unrelated)
        },
        ("unmatched",),
        ("unmatched",),
        "",
    ),
    "tensor-recall": ConfusionRule(_planes(recall=True), _UNKNOWN, _UNKNOWN, "krstinic2024"),
    "tensor-precision": ConfusionRule(_planes(recall=False), _UNKNOWN, _UNKNOWN, "krstinic2024"),
}
"""Every confusion rule by name."""


_ALL_PAIRED = "No pair of a missed and a false label of a sample is ruled out."
_SPLIT = (
    "Cells are sums of shares, not counts: each missed label is split among the false labels of its sample "
    "(among the correct ones if none is false). If none is missed, false labels take a share of the correct "
    "ones. 'unknown' stands for an empty set."
)
_ROOT = "An abstract root of all labels is no such ancestor."
_UNPAIRED = {
    "facets": "Not paired: a missed and a false label without a common ancestor, if one of them has one with "
    f"another label of the other side. {_ROOT}",
    "related": f"Not paired: a missed and a false label without a common ancestor. {_ROOT}",
    "all": _ALL_PAIRED,
}


@dataclass(frozen=True)
class Confusion:
    """A confusion rule and its variant."""

    rule: str
    variant: str | None = None

    def __post_init__(self) -> None:
        one_of("rule", self.rule, tuple(RULES))
        variants = tuple(RULES[self.rule].variants)
        if self.variant is None:
            object.__setattr__(self, "variant", variants[0])
        one_of("variant", self.variant, variants)

    @property
    def pairing(self) -> str:
        """Describe how missed and false labels are paired, or share cells."""
        if self.rule != "transport" or not self.variant:
            return _SPLIT if self.rule == "krstinic" else _ALL_PAIRED
        unrelated, _, given = self.variant.partition(" ")
        return _UNPAIRED[unrelated] + ("" if given else " Labels above others of their set are left out.")

    def __call__(self, batch: Batch) -> Links:
        """Apply the rule to every sample of a batch."""
        return RULES[self.rule].variants[self.variant or ""](batch)


def usual_rule(hierarchy: Hierarchy | None) -> str:
    """Choose the rule of matrices for which none is named."""
    return "krstinic" if hierarchy is None else "transport"


@dataclass(frozen=True)
class CountsPerConcept:
    """Counts of decisions, one column per concept: diagonal, rest of the row and of the column of a rule.

    For the tensor the two planes give the ordinary counts of each concept against the rest, over concepts
    and `unknown`.
    """

    rule: str = "one-vs-rest"
    variant: str | None = None

    def __post_init__(self) -> None:
        one_of("rule", self.rule, COUNTING_RULES)
        named = "tensor-recall" if self.rule == "tensor" else self.rule
        object.__setattr__(self, "variant", Confusion(named, self.variant).variant)

    @property
    def pseudo(self) -> int:
        """Number of pseudo-concepts behind the concepts."""
        return len(RULES["tensor-recall" if self.rule == "tensor" else self.rule].rows)

    def __call__(self, batch: Batch) -> Rows:
        """Put hits, misses and false alarms of each sample side by side, and mark its decisions.

        A leading 1 marks all concepts; where only some labels are known, their marks stand at the end.
        """
        if self.rule in {"one-vs-rest", "tensor"}:
            return CountedRows(len(batch), self._sum_against_rest(batch), partial(self._count_rows, batch))
        return Rows(self._count_rows(batch))

    def _count_rows(self, batch: Batch) -> sparse.csr_array:
        if self.rule == "one-vs-rest":
            parts = batch.common, batch.missed, batch.false
        elif self.rule == "tensor":
            split = batch.derive(_with_unknown)
            parts = split.common, split.missed(), split.false()
        else:
            parts = Confusion(self.rule, self.variant)(batch).margins()
        one, decided = self._decisions(batch, parts[0].shape)
        return sparse.csr_array(sparse.hstack([one, *parts, decided], format="csr", dtype=np.float64))

    def _sum_against_rest(self, batch: Batch) -> NDArray[np.float64]:
        """Sum the counts against the rest, without computing the rows or the missed and false labels."""
        sides = batch.common, batch.truth.matrix, batch.prediction.matrix
        counts = [np.bincount(side.indices, minlength=side.shape[1]) for side in sides]
        if self.pseudo:
            nothing = [side.sizes == 0 for side in (batch.truth, batch.prediction)]
            unknown = (nothing[0] & nothing[1], *nothing)
            counts = [np.append(count, marks.sum()) for count, marks in zip(counts, unknown, strict=True)]
        one, decided = self._decisions(batch, (len(batch), counts[0].size))
        hits, true, predicted = counts
        total = self.totals(hits, true, predicted, one.nnz)
        total[total.size - decided.shape[1] :] = decided.sum(axis=0)
        return total

    @staticmethod
    def totals(hits: NDArray[Any], true: NDArray[Any], predicted: NDArray[Any], decisions: float) -> Numbers:
        """Make the sums of counts against the rest from those of each concept, which are on the last axis."""
        one = np.full((*hits.shape[:-1], 1), decisions)
        parts = one, hits, true - hits, predicted - hits, np.zeros_like(hits)
        return np.concatenate(parts, axis=-1, dtype=np.float64)

    def _decisions(self, batch: Batch, shape: tuple[int, int]) -> tuple[sparse.csr_array, sparse.csr_array]:
        if batch.known is not None and self.rule in {"one-vs-rest", "tensor"}:
            width = shape[1] - batch.known.shape[1]
            known = with_column(batch.known, np.ones(len(batch), dtype=bool)) if width else batch.known
            return sparse.csr_array((len(batch), 1)), known
        if batch.excluded is not None and self.rule == "one-vs-rest":
            return nonzero_entries(np.ones((len(batch), 1))), -batch.excluded_labels.astype(np.float64)
        return nonzero_entries(np.ones((len(batch), 1))), sparse.csr_array(shape)

    def unpack(self, values: NDArray[np.float64], *, negatives: bool = True) -> Counts:
        """Name the counts, the concepts on the last axis; TN are nan unless `negatives` are wanted."""
        concepts = (values.shape[-1] - 1) // 4
        tp, fn, fp, decided = (values[..., 1 + concepts * part :][..., :concepts] for part in range(4))
        if not negatives:
            return Counts(tp, fp, fn, np.broadcast_to(np.nan, tp.shape))
        if self.rule == "mlcm":  # Heydarian's eq. 18 takes the other classes' hits for true negatives.
            return Counts(tp, fp, fn, tp.sum(axis=-1, keepdims=True) - tp)
        # Krstinić's matrix holds one unit for each true label, the others one for each sample.
        whole = (
            (tp + fn).sum(axis=-1, keepdims=True) if self.rule == "krstinic" else values[..., :1] + decided
        )
        return Counts(tp, fp, fn, whole - tp - fn - fp)


COUNTING_RULES = (*(rule for rule in RULES if not rule.startswith(("tensor", "transport"))), "tensor")
"""Rules that count per concept: the two planes of the tensor do so together, transport as one-vs-rest."""
