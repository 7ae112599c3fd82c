"""Krippendorff's alpha of whole label sets, by distances between them that may follow the hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import alpha_from, observed
from ontoeval.annotators.options import COST, PORTION, AgreementOptions
from ontoeval.concepts.costs import costs_by_name
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import chunks, portions_of
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, one_of
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import number_equal_rows

MOST_CONCEPTS = 5_000
"""Most concepts in use of which a table of all costs is made: 200 MB."""

_COLUMNS = 100
"""Sets to which the nearest labels are looked for at a time."""


def _exact(shared: Numbers, first: Numbers, second: Numbers) -> Numbers:
    return np.asarray((shared != first) | (shared != second), dtype=np.float64)


def _jaccard(shared: Numbers, first: Numbers, second: Numbers) -> Numbers:
    union = first + second - shared
    return np.where(union > 0, 1 - shared / np.maximum(union, 1), 0.0)


def _masi(shared: Numbers, first: Numbers, second: Numbers) -> Numbers:
    nested = (shared == first) | (shared == second)
    monotonic = np.where(nested, 2 / 3, np.where(shared > 0, 1 / 3, 0.0))
    monotonic = np.where((shared == first) & (shared == second), 1.0, monotonic)
    return 1 - monotonic * (1 - _jaccard(shared, first, second))


COUNTED: Mapping[str, Callable[[Numbers, Numbers, Numbers], Numbers]] = {
    "exact": _exact,
    "jaccard": _jaccard,
    "masi": _masi,
}
"""Distances from the number of shared labels and the sizes of the two sets."""

HIERARCHICAL = "hierarchical"
"""The distance that follows the costs of a hierarchy."""


@dataclass(frozen=True, eq=False)
class SetDistance:
    r"""A distance between label sets, 0 between equal ones and at most 1.

    "exact" is 1 unless the sets are equal; "jaccard" is 1 - \|A ∩ B\| / \|A ∪ B\|; "masi" is
    1 - m \|A ∩ B\| / \|A ∪ B\| with m = 1 for equal sets, 2/3 where one holds the other, 1/3 where they
    overlap and 0 else [passonneau2006]_. "hierarchical" is

    .. math:: \frac{\sum_{a \in A \setminus B} \min_{b \in B} cost(a, b)
              + \sum_{b \in B \setminus A} \min_{a \in A} cost(a, b)}{|A \cup B|},

    1 less the ontology score [nowak2009]_ with full agreement and no penalties, and 1 between the
    empty set and another. In a hierarchy without links every cost is 1, and it is "jaccard";
    between single labels it is their cost, which then is "exact".

    Parameters
    ----------
    kind
        One of the four.
    hierarchy
        The hierarchy, for "hierarchical".
    cost
        Its costs, see `ontoeval.concepts.costs.costs_by_name`.

    Examples
    --------
    >>> sets = LabelSets.from_sets([["a", "b"], ["a"]])
    >>> SetDistance("masi").table(sets.matrix, sets.vocabulary).round(3).tolist()
    [[0.0, 0.667], [0.667, 0.0]]
    """

    kind: str
    hierarchy: Hierarchy | None = None
    cost: str = COST

    def fits_in_table(self, sets: sparse.csr_array) -> bool:
        """Whether few enough concepts are in use for a table of the distances between all sets."""
        return self.kind in COUNTED or np.unique(sets.indices).size <= MOST_CONCEPTS

    def table(self, sets: sparse.csr_array, vocabulary: Vocabulary) -> Numbers:
        """Compute the distances between all sets, the rows of a boolean matrix: sets × sets."""
        sizes = np.diff(sets.indptr).astype(np.float64)
        counts = sets.astype(np.float64)
        shared = (counts @ counts.T).toarray()
        if self.kind in COUNTED:
            return COUNTED[self.kind](shared, sizes[:, None], sizes)
        distances = self._matched(sets, vocabulary)
        distances += distances.T.copy()
        distances /= np.maximum(sizes[:, None] + sizes - shared, 1)
        empty = sizes == 0
        distances[empty] = distances[:, empty] = 1.0
        distances[np.ix_(empty, empty)] = 0.0
        return distances

    def between(self, first: sparse.csr_array, second: sparse.csr_array, vocabulary: Vocabulary) -> Numbers:
        """Compute the distances between sets, row by row of two boolean matrices."""
        if self.kind in COUNTED:
            shared = np.asarray((first * second).sum(axis=1), dtype=np.float64)
            sizes = (np.diff(side.indptr).astype(np.float64) for side in (first, second))
            return COUNTED[self.kind](shared, *sizes)
        hierarchy = self._over(vocabulary)
        samples = tuple(map(str, range(first.shape[0])))
        one, other = (
            LabelSets(side, vocabulary, samples).within(hierarchy.label_vocabulary)
            for side in (first, second)
        )
        score = OntologyScore(cost=self.cost, agreement=None, penalise="none")
        return 1 - score(Batch(one, other, hierarchy))

    def _over(self, concepts: Iterable[str]) -> Hierarchy:
        concepts = tuple(concepts)
        return (self.hierarchy or Hierarchy.flat(Vocabulary(concepts))).with_labels(concepts)

    def _matched(self, sets: sparse.csr_array, vocabulary: Vocabulary) -> Numbers:
        """Sum, for each set and each other one, the costs from its labels to the nearest of the other."""
        sums = np.zeros((sets.shape[0], sets.shape[0]))
        used = np.unique(sets.indices)
        if not used.size:
            return sums
        names = [vocabulary[column] for column in used]
        hierarchy = self._over(names)
        place = hierarchy.label_vocabulary.positions(names)
        costs = costs_by_name(hierarchy, self.cost).table[np.ix_(place, place)]
        members = sets[:, used].astype(np.float64)
        for begin in range(0, sets.shape[0], _COLUMNS):
            others = members[begin : begin + _COLUMNS]
            full = np.flatnonzero(np.diff(others.indptr))
            if full.size:
                nearest = np.minimum.reduceat(costs[:, others.indices], others.indptr[full], axis=1)
                sums[:, begin + full] = members @ nearest
        return sums


class SetAlpha(NamedTuple):
    """Alpha of label sets by one distance; with the number of pairs and its error if pairs were drawn."""

    distance: str
    value: float
    low: float
    high: float
    sheets: int
    distinct: int
    pairs: int | None = None
    standard_error: float = 0.0


def set_distances(options: AgreementOptions, hierarchy: Hierarchy | None) -> tuple[SetDistance, ...]:
    """Make the distances that the options name; by default all that can be made."""
    known = (*COUNTED, *([] if hierarchy is None else [HIERARCHICAL]))
    chosen = known if options.sets is None else options.sets
    for kind in chosen:
        if hierarchy is None and isinstance(kind, str) and kind == HIERARCHICAL:
            raise ParameterError("sets", kind, "an ontology beside it (--ontology, hierarchy=)")
        one_of("sets", kind, known)
    if options.cost != COST and HIERARCHICAL not in chosen:
        raise ParameterError(
            "cost", options.cost, "an ontology (--ontology, hierarchy=), and hierarchical sets beside it"
        )
    return tuple(SetDistance(kind, hierarchy, options.cost) for kind in chosen)


def set_alphas(
    annotations: Annotations, distances: Iterable[SetDistance], options: AgreementOptions
) -> tuple[SetAlpha, ...]:
    """Compute alpha by each distance, from all pairs of sheets, or drawn ones where too many sets differ."""
    annotations = annotations.in_order()
    whole = annotations.chosen(annotations.complete)
    kept = whole.chosen(whole.sheets_of_samples[whole.sample] > 1)
    which, first = distinct_rows(kept.positive)
    if not len(kept):
        return tuple(SetAlpha(distance.kind, np.nan, np.nan, np.nan, 0, 0) for distance in distances)
    draw: _Draw | None = None
    found = []
    for distance in distances:
        parts: _AllPairs | _DrawnPairs
        if first.size <= options.most_sets and distance.fits_in_table(kept.positive):
            parts = _AllPairs(kept, which, first, distance)
        else:
            draw = draw or _draw(kept, options)
            parts = _DrawnPairs(kept, draw, distance)
        chunks = _chunks_of_weights(options, annotations.samples)
        replicates = np.concatenate([parts.resampled(weights) for weights in chunks])
        if np.ptp(kept.sample) == 0:  # of a single sample nothing else can be drawn
            replicates[:] = np.nan
        low, high = options.bounds(replicates[:, None], np.array([parts.value]))
        estimate = parts.value, float(low[0]), float(high[0]), len(kept), first.size
        found.append(SetAlpha(distance.kind, *estimate, parts.pairs, parts.standard_error))
    return tuple(found)


_Weights = Iterator[tuple[slice, Numbers]]
"""Weights of some resamples, for one portion of the samples after the other."""


def _chunks_of_weights(options: AgreementOptions, samples: tuple[str, ...]) -> Iterator[_Weights]:
    portions = portions_of(samples, PORTION)
    for begin, end in chunks(options.resamples):
        yield ((place, options.bootstrap.draw(begin, end, portion)) for place, portion in portions)


class _AllPairs:
    """All pairs: how often each sample has each distinct set, and the distances between these."""

    pairs, standard_error = None, 0.0

    def __init__(self, kept: Annotations, which: Places, first: Places, distance: SetDistance) -> None:
        self._table = distance.table(kept.positive[first], kept.vocabulary)
        shape = len(kept.samples), first.size
        self._counts = sparse.csr_array((np.ones(len(kept)), (kept.sample, which)), shape=shape)
        self._counts.sum_duplicates()
        self._seen = observed(self._counts, self._table)
        number = np.asarray(self._counts.sum(axis=0), dtype=np.float64)
        self.value = float(alpha_from(np.asarray(self._seen.sum()), number, self._table))

    def resampled(self, weights: _Weights) -> Numbers:
        parts = [(drawn @ self._seen[place], drawn @ self._counts[place]) for place, drawn in weights]
        differing, sums = (np.sum(side, axis=0) for side in zip(*parts, strict=True))
        return alpha_from(differing, sums, self._table)


_Draw = tuple[tuple[Places, Places], tuple[Places, Places]]
"""Pairs of sheets that were drawn: of the same sample, and any two."""


def _draw(kept: Annotations, options: AgreementOptions) -> _Draw:
    pairs, rng = options.drawn_pairs, np.random.default_rng([options.seed, len(kept)])
    one, other = rng.integers(0, len(kept), (2, pairs))
    size = kept.sheets_of_samples[kept.sample[one]]
    start = (np.cumsum(kept.sheets_of_samples) - kept.sheets_of_samples)[kept.sample[one]]
    # The other sheet is any but the first: one of those that follow it, counted around the end.
    partner = start + (one - start + 1 + (rng.random(pairs) * (size - 1)).astype(np.intp)) % size
    return (one, partner), (other, (other + 1 + rng.integers(0, len(kept) - 1, pairs)) % len(kept))


class _DrawnPairs:
    """Drawn pairs: sums of their distances, and their number, by the samples that they are of."""

    def __init__(self, kept: Annotations, draw: _Draw, distance: SetDistance) -> None:
        within, across = (
            distance.between(kept.positive[one], kept.positive[other], kept.vocabulary) for one, other in draw
        )
        number = len(kept.samples)
        (unit, _), where = ((kept.sample[one], kept.sample[other]) for one, other in draw)
        self._sums = [
            np.bincount(unit, weights=values, minlength=number) for values in (within, np.ones(unit.size))
        ]
        self._products = [
            sparse.csr_array((values, where), shape=(number, number))
            for values in (across, np.ones(across.size))
        ]
        self.pairs, self.value, self.standard_error = within.size, np.nan, 0.0
        seen, expected = within.mean(), across.mean()
        if expected:
            self.value = float(1 - seen / expected)
            spread = within.var() / expected**2 + (seen / expected**2) ** 2 * across.var()
            self.standard_error = float(np.sqrt(spread / self.pairs))

    def resampled(self, weights: _Weights) -> Numbers:
        whole = np.concatenate([drawn for _, drawn in weights], axis=1)
        seen, number = (whole @ side for side in self._sums)
        expected, products = (((whole @ side) * whole).sum(axis=1) for side in self._products)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected > 0, 1 - seen * products / (number * expected), np.nan)


def distinct_rows(matrix: sparse.csr_array) -> tuple[Places, Places]:
    """Find the distinct rows of a boolean matrix: which one each row is, and where each comes first."""
    which = number_equal_rows(matrix)
    return which, np.unique(which, return_index=True)[1]
