"""Prediction sets with a guarantee, as conformal prediction makes them: coverage, size and complexity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
from scipy import sparse

from ontoeval.concepts.information import leaves_below
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.measures.base import USUAL_LAWS, ShareOrNone, whole_or_none
from ontoeval.measures.flat import MeanOfSamples, SampleMeans
from ontoeval.measures.matching import have_parents_beside
from ontoeval.measures.single_labels import only_labels
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.sparse import choose_entries, common_entries, pattern, row_of_entries


def leaves_held(batch: Batch) -> sparse.csr_array:
    """Count the leaves at or below each concept that the set of each sample holds: samples × concepts."""
    hierarchy = batch.required_hierarchy("A measure of prediction sets")
    members, below = batch.prediction.matrix, hierarchy.derive(leaves_below)[hierarchy.labels]
    remedy = "Name fewer upper concepts, or score the samples in parts (--parts auto)."
    require(16.0 * float(below[members.indices].sum()), "Listing the leaves of all sets", remedy)
    leaves = sparse.csr_array(hierarchy.ancestors.T)[hierarchy.labels][:, hierarchy.leaves]
    held = pattern(members @ leaves).astype(np.intp) @ hierarchy.ancestors[hierarchy.leaves]
    held = sparse.csr_array(held)
    held.sort_indices()
    return held


def sizes_of(batch: Batch) -> Numbers:
    """Count the leaves of each set."""
    hierarchy, held = batch.any_hierarchy, batch.derive(leaves_held)
    return set_sizes(choose_entries(held, np.isin(held.indices, hierarchy.leaves)))


def are_empty(batch: Batch) -> Numbers:
    """1 for empty sets."""
    return np.where(batch.prediction.sizes == 0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class SetCoverage(MeanOfSamples):
    """Share of the samples whose true label is in the predicted set, or below a member of it.

    A note has its exact binomial interval of 95 % and the share of empty sets. A set that holds all that is
    below a true label, but nothing at or above the label, does not cover it.

    Parameters
    ----------
    level
        Depth (of a root 0) at which the label is looked for: its ancestor there, or the label itself if it is
        not as deep, is at or above a leaf of the set. None looks for the label.
    target
        The coverage that is guaranteed, 1 - α, with which the interval is compared; None for none.
    """

    level: Annotated[int | None, partial(whole_or_none, least=0)] = None
    target: ShareOrNone = None

    single = True
    formula_text = "share of samples with y in Z, or below a member of Z"
    source = "mortier2025"
    emerging = True  # the formula is in the words of the abstract

    @property
    def statistic(self) -> SampleMeans:
        """Covered samples, and empty sets."""
        return SampleMeans((SetCoverage(level=self.level), are_empty))

    def __call__(self, batch: Batch) -> Numbers:
        """Score 1 for sets that cover the true label."""
        hierarchy = batch.required_hierarchy("Coverage")
        truth = only_labels(batch.truth, hierarchy, "true")
        above = hierarchy.ancestors_of(truth)[truth]
        if self.level is None:
            sets, above = batch.prediction.matrix, above[:, hierarchy.labels]
        else:
            sets, depth = batch.derive(leaves_held), hierarchy.depth
            there = depth[above.indices] == np.minimum(self.level, depth[truth])[row_of_entries(above)]
            above = choose_entries(above, there)
        return np.where(set_sizes(common_entries(above, pattern(sets))) > 0, 1.0, 0.0)

    def verdict(self, values: Numbers) -> str:
        """Interval of the coverage of a total, and how it lies to the target."""
        from scipy.special import betaincinv

        covered, number, empty = values[:3]
        low = betaincinv(covered, number - covered + 1, 0.025) if covered else 0.0
        high = betaincinv(covered + 1, number - covered, 0.975) if covered < number else 1.0
        text = f"{covered / number:.4f} (95 % interval {low:.4f}–{high:.4f})"
        if self.target is not None:
            side = "below" if high < self.target else "above" if low > self.target else "within the interval"
            text += f", target {self.target:g}: {side}"
        return f"{text}; {100 * empty / number:.3g} % of the sets are empty"


@dataclass(frozen=True, kw_only=True)
class CountOfSets(MeanOfSamples):
    """Mean over samples of a count of what the predicted set holds, of which no value is the best."""

    best = None
    bounds = (0.0, np.inf)
    laws = USUAL_LAWS - {"perfect"}
    source = "mortier2025"
    emerging = True  # the formula is in the words of the abstract


@dataclass(frozen=True, kw_only=True)
class SetSize(CountOfSets):
    """Mean number of leaves at or below the members of the predicted set.

    Parameters
    ----------
    of
        "leaves", or the "members" themselves.
    """

    of: Literal["leaves", "members"] = "leaves"

    formula_text = "mean of the number of leaves at or below a member of Z"

    def __call__(self, batch: Batch) -> Numbers:
        """Count what each set holds."""
        return batch.derive(sizes_of) if self.of == "leaves" else set_sizes(batch.prediction.matrix)


@dataclass(frozen=True, kw_only=True)
class SetComplexity(CountOfSets):
    """Mean of the least number of concepts below which are exactly the leaves of the predicted set.

    In a tree these are the uppermost concepts all of whose leaves are in the set. With several parents fewer
    may do: there it is the most that is needed.
    """

    formula_text = "mean of the least number of concepts whose leaves are exactly those of Z"

    def __call__(self, batch: Batch) -> Numbers:
        """Count the concepts that are held wholly, and have no parent that is."""
        held, hierarchy = batch.derive(leaves_held), batch.any_hierarchy
        whole = choose_entries(held, held.data == hierarchy.derive(leaves_below)[held.indices])
        below = have_parents_beside(hierarchy, row_of_entries(whole), whole.indices.astype(np.intp))
        return set_sizes(choose_entries(whole, ~below))
