"""Predictions made level by level: how many levels are right, and whether the levels are consistent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.violations import ChosenRules
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, MeasureInfo
from ontoeval.measures.counts import divide, mean_of_defined
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.hierarchical import Sets
from ontoeval.measures.matching import places_in
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.sparse import cells_of, entries_of_rows, pattern_at, row_of_entries


@dataclass(frozen=True, kw_only=True)
class LevelAccuracy(MeasureInfo):
    """Mean over the levels of the share of samples whose labels of that level are exactly right.

    A level is a depth. A sample counts at the levels at which it has a true label, ancestors counted in; a
    root above everything is no level.

    Parameters
    ----------
    members
        Predicted labels that are compared: the "labels" themselves, one for each level; or also their
        "ancestors", for predictions of the lowest level alone.
    over
        "levels": the mean over the levels; "paths": the share of the samples that are right at all their
        levels, which is HCA.
    """

    members: Literal["labels", "ancestors"] = "labels"
    over: Literal["levels", "paths"] = "levels"

    formula_text = (
        "mean over levels l of the share of samples with z_l = y_l, of those with a y_l; "
        "over='paths': share of samples with z_l = y_l at every l"
    )
    source = "park2025"
    emerging = True  # the definitions are known from the abstract and from others' accounts
    laws = USUAL_LAWS

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: the levels are those of the truth, and true labels need not be paths."""
        return SYMMETRY | {"perfect"} if self.members == "labels" else SYMMETRY

    @property
    def statistic(self) -> LevelAccuracy:
        """Right at all levels, a 1 for each sample with levels; right at each level, a 1 for each level."""
        return LevelAccuracy(members=self.members)

    def __call__(self, batch: Batch) -> Rows:
        """Compare the labels of each sample at each depth."""
        hierarchy, sets = batch.required_hierarchy("A measure of levels"), Sets()
        truth = batch.derive(sets).truth.matrix
        prediction = batch.derive(Sets(members=self.members)).prediction.matrix
        depth = hierarchy.depth[sets.member_concepts(hierarchy)]
        levels = pattern_at(np.arange(depth.size), depth, (depth.size, hierarchy.levels)).astype(np.intp)
        true, found, both = (side @ levels for side in (truth, prediction, truth.multiply(prediction)))
        there = true > 0
        right = there > ((true != both) + (found != both))
        counted, rights = np.diff(there.indptr), np.diff(right.indptr)
        whole = sparse.csr_array(np.stack([(counted > 0) & (rights == counted), counted > 0], axis=-1))
        return Rows(sparse.csr_array(sparse.hstack([whole, right, there], format="csr", dtype=np.float64)))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the mean from totals."""
        if self.over == "paths":
            return divide(values[..., 0], values[..., 1])
        right, there = np.split(values[..., 2:], 2, axis=-1)
        return mean_of_defined(np.moveaxis(divide(right, there), -1, 0))


@dataclass(frozen=True, kw_only=True)
class Inconsistency(MeanOfSamples):
    """Share of the samples whose predicted labels do not go together, whatever is true.

    Parameters
    ----------
    by
        "parents": a predicted label has parents, but none of them is predicted; a root above everything
        need not be. "paths": that, or two labels have the same depth. "exclusions": a label excludes
        another, as the ontology declares.
    """

    by: Literal["parents", "paths", "exclusions"] = "parents"

    best = 0.0
    formula_text = "share of samples with a z in Z that has parents, but none in Z"
    source = "park2025"
    emerging = True  # the definition is known from the abstract and from others' accounts
    laws = USUAL_LAWS - {"perfect"}
    denied_laws = SYMMETRY | {"perfect"}

    def remarks(self, _: Vocabulary) -> Iterator[str]:
        """Say which rule predictions break."""
        yield f"Inconsistency(by={self.by!r}) looks at predicted labels alone; an empty set is consistent."

    def __call__(self, batch: Batch) -> Numbers:
        """Score 1 for predictions that are not consistent."""
        hierarchy = batch.required_hierarchy("Consistency")
        labels = batch.whole_prediction.matrix
        if self.by == "exclusions":
            rules = hierarchy.derive(ChosenRules(requirements="none"))
            odd = rules.offending_labels(labels, labels)
        else:
            odd = _without_parents(hierarchy, labels)
        row = row_of_entries(labels)
        found = np.bincount(row[odd], minlength=len(batch)) > 0
        if self.by == "paths":
            cells = row * hierarchy.levels + hierarchy.depth[hierarchy.labels[labels.indices]]
            cells, count = np.unique(cells, return_counts=True)
            found[cells[count > 1] // hierarchy.levels] = True
        return found.astype(np.float64)


def _without_parents(hierarchy: Hierarchy, labels: sparse.csr_array) -> Marks:
    """Mark the stored labels that have parents which may be labels, but none in the set of their row."""
    above = hierarchy.labels_directly_above
    entries, parents = entries_of_rows(above, labels.indices)
    child, parent = np.repeat(np.arange(labels.nnz), parents), above.indices[entries]
    there = places_in(cells_of(labels), row_of_entries(labels)[child] * labels.shape[1] + parent) >= 0
    if len(hierarchy.roots) == 1:
        there |= hierarchy.labels[parent] == hierarchy.roots
    return np.asarray((parents > 0) & (np.bincount(child[there], minlength=labels.nnz) == 0))
