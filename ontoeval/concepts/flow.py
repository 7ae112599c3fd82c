"""Masses of labels at their ancestors: one unit of each label flows up, split equally among parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.bits import Flow, LabelsBelow
from ontoeval.core.hierarchy import Hierarchy, with_ancestors
from ontoeval.core.sparse import choose_entries, row_of_entries, with_data

Numbers = NDArray[np.float64]

_PARTS = 2.0**40
"""Parts of a label: sums of so many labels as samples have are exact, in whatever order."""

_LEVELS = np.concatenate([np.arange(49) / 12, 4 + np.arange(1, 17) / 4, 8 + np.arange(1, 17) / 2])
"""Masses to which chance rounds: twelfths, above 4 quarters, above 8 halves; above 16 whole numbers."""
_STEPS = np.append(np.diff(_LEVELS), 1.0)
_BETWEEN = (_LEVELS[1:] + _LEVELS[:-1]) / 2 - 1e-9  # what rounding errors make of a middle is rounded up, too


def flow_upward(hierarchy: Hierarchy, concepts: NDArray[np.integer]) -> sparse.csr_array:
    """Share of the unit of each concept that reaches each ancestor; the rows of other concepts are empty."""
    step, used = hierarchy.derive(Flow()), np.zeros(len(hierarchy.vocabulary))
    used[concepts] = 1.0
    mine = with_ancestors(hierarchy.parents, concepts)[row_of_entries(step)]
    step = with_data(choose_entries(step, mine), step.data[mine])
    found = sparse.csr_array(sparse.diags_array(used))
    found.eliminate_zeros()
    while step.nnz:  # the share that has gone up fewer than 1, 2, 4, … links
        found, step = found + found @ step, sparse.csr_array(step @ step)
    return with_data(found, np.rint(found.data * _PARTS) / _PARTS)


class Levels(NamedTuple):
    """Masses that the labels of a sample may have at each concept."""

    whole: NDArray[np.bool_]
    """Concepts that each label reaches as a whole: their masses are counts."""
    number: NDArray[np.intp]
    """Levels above 0 of each concept."""

    def reached(self, concepts: NDArray[np.integer], masses: NDArray[np.number]) -> NDArray[np.int64]:
        """Levels up to the mass of each place."""
        last = _LEVELS.size - 1
        levels = np.searchsorted(_BETWEEN, masses, side="right")
        more = levels == last
        levels[more] = np.maximum(last + np.rint(masses[more] - _LEVELS[-1]), last)
        return np.where(self.whole[concepts], np.rint(masses), levels).astype(np.int64)

    def masses(self, concepts: NDArray[np.integer], levels: NDArray[np.int64]) -> Numbers:
        """Mass of a level of each place."""
        last = _LEVELS.size - 1
        rounded = _LEVELS[np.minimum(levels, last)] + np.maximum(levels - last, 0)
        return np.where(self.whole[concepts], levels, rounded)

    def steps(self, concepts: NDArray[np.integer], levels: NDArray[np.integer]) -> Numbers:
        """Mass from a level of each place to the next."""
        return np.where(self.whole[concepts], 1.0, _STEPS[np.minimum(levels, _STEPS.size - 1)])


@dataclass(frozen=True)
class MassLevels:
    """Levels of the masses at each concept, as a view of a hierarchy."""

    flows: bool = True
    """Whether labels are split among several parents."""

    def __call__(self, hierarchy: Hierarchy) -> Levels:
        """Find where each label below a concept reaches it as a whole, and the mass of all of them."""
        below, flow = hierarchy.derive(LabelsBelow()), hierarchy.derive(Flow()) if self.flows else None
        if flow is None:
            return Levels(np.ones(below.size, dtype=bool), below)
        mass = (~hierarchy.abstract).astype(np.float64)
        for members in reversed(hierarchy.generations[1:]):
            mass += mass[members] @ flow[members]
        levels = Levels(below - mass < 1e-6, below)  # noqa: PLR2004 - far below the least share
        return levels._replace(number=levels.reached(np.arange(below.size), mass + 1e-6).astype(np.intp))
