"""Distances between label sets, from how many labels they share and from the hierarchy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import costs_by_name
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.measures.ontology_score import OntologyScore

Numbers = NDArray[np.float64]

MOST_CONCEPTS = 5_000
"""How many concepts a table of costs between all that are used may have: 200 MB."""

_COLUMNS = 100
"""To how many sets the nearest labels are looked for at a time."""


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


COUNTED: dict[str, Callable[[Numbers, Numbers, Numbers], Numbers]] = {
    "exact": _exact,
    "jaccard": _jaccard,
    "masi": _masi,
}
"""Distances from the number of shared labels and the sizes of the two sets."""

HIERARCHICAL = "hierarchical"
"""The distance that the costs of a hierarchy make."""


@dataclass(frozen=True, eq=False)
class SetDistance:
    r"""A distance between label sets, 0 between equal ones and at most 1.

    "exact" tells whether the sets differ; "jaccard" is 1 - \|A ∩ B\| / \|A ∪ B\|; "masi" is
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
    cost: str = "depth-weighted"

    def tabled(self, sets: sparse.csr_array) -> bool:
        """Tell whether a table of the distances between all sets can be had.

        Parameters
        ----------
        sets
            Boolean, one row per set.

        Returns
        -------
        bool
            Whether few enough concepts are used.
        """
        return self.kind in COUNTED or np.unique(sets.indices).size <= MOST_CONCEPTS

    def table(self, sets: sparse.csr_array, vocabulary: Vocabulary) -> Numbers:
        """Compute the distances between all of some sets.

        Parameters
        ----------
        sets
            Boolean, one row per set.
        vocabulary
            The concepts.

        Returns
        -------
        ndarray of float
            Square.
        """
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
        """Compute the distances between sets, pair by pair.

        Parameters
        ----------
        first
            Boolean, one row per set.
        second
            As many others.
        vocabulary
            The concepts.

        Returns
        -------
        ndarray of float
            One distance per pair.
        """
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

    def _over(self, concepts: Any) -> Hierarchy:  # noqa: ANN401 - a vocabulary or some of its names
        return (self.hierarchy or Hierarchy.flat(Vocabulary(tuple(concepts)))).with_labels(concepts)

    def _matched(self, sets: sparse.csr_array, vocabulary: Vocabulary) -> Numbers:
        """Sum, for each set and each other one, the costs from its labels to the nearest of the other."""
        sums = np.zeros((sets.shape[0], sets.shape[0]))
        used = np.unique(sets.indices)
        if not used.size:
            return sums
        hierarchy = self._over([vocabulary[column] for column in used])
        place = hierarchy.label_vocabulary.positions(vocabulary[column] for column in used)
        costs = costs_by_name(hierarchy, self.cost).table[np.ix_(place, place)]
        members = sets[:, used].astype(np.float64)
        for begin in range(0, sets.shape[0], _COLUMNS):
            others = members[begin : begin + _COLUMNS]
            full = np.flatnonzero(np.diff(others.indptr))
            if full.size:
                nearest = np.minimum.reduceat(costs[:, others.indices], others.indptr[full], axis=1)
                sums[:, begin + full] = members @ nearest
        return sums
