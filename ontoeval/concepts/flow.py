"""Masses of labels at their ancestors: one unit of each label flows up, split equally among parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.bits import Bits, effective_parents, labels_below
from ontoeval.core.dag import with_ancestors
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import choose_entries, row_of_entries, with_data

_PARTS = 2.0**40
"""Parts of a label: sums of so many labels as samples have are exact, in whatever order."""

_LEVELS = np.concatenate([np.arange(48) / 12, 4 + np.arange(16) / 4, 8 + np.arange(17) / 2])
"""Masses to which chance rounds: twelfths, from 4 quarters, from 8 halves; above 16 whole numbers."""

_LEVEL = np.searchsorted((_LEVELS[1:] + _LEVELS[:-1]) / 2, (np.arange(16 * 24) + 0.5) / 24).astype(np.int32)
"""Number of the nearest level of each 24th: all limits between levels are such."""


def flow_of(hierarchy: Hierarchy, concepts: NDArray[np.integer] | None = None) -> sparse.csr_array:
    """Share of the unit of each concept, by default each label, that reaches each ancestor, as a view.

    The rows of other concepts are empty.
    """
    concepts = hierarchy.labels if concepts is None else concepts
    step, used = hierarchy.derive(effective_parents), np.zeros(len(hierarchy.vocabulary))
    used[concepts] = 1.0
    mine = with_ancestors(hierarchy.parents, concepts)[row_of_entries(step)]
    step = with_data(choose_entries(step, mine), step.data[mine])
    found = sparse.csr_array(sparse.diags_array(used))
    found.eliminate_zeros()
    while step.nnz:  # the share that has gone up fewer than 1, 2, 4, … links
        found, step = found + found @ step, sparse.csr_array(step @ step)
    return with_data(found, np.rint(found.data * _PARTS) / _PARTS)


class PossibleMasses(NamedTuple):
    """Masses that the labels of a sample may have at each concept."""

    whole: NDArray[np.bool_]
    """Concepts that each label reaches as a whole: their masses are counts."""
    number: NDArray[np.intp]
    """Levels above 0 of each concept."""

    def reached(self, concepts: NDArray[np.integer], masses: Numbers) -> tuple[Numbers, NDArray[np.int32]]:
        """Nearest level of the mass at each concept, the upper one of two, and how many levels that are."""
        # What rounding errors make of a limit belongs to the upper level, too.
        parts = (masses * 24 + 1e-6).astype(np.int32)
        numbers = _LEVEL.take(parts, mode="clip")
        found = _LEVELS.take(numbers)
        far = np.flatnonzero(parts >= _LEVEL.size)
        found[far] = np.floor(masses[far] + 0.5)
        numbers[far] = found[far] + (_LEVELS.size - 1 - _LEVELS[-1])
        np.copyto(numbers, found, where=self.whole[concepts], casting="unsafe")
        return found, numbers

    def steps(self, concepts: NDArray[np.integer], levels: NDArray[np.integer]) -> Numbers:
        """Mass from a level of each place to the next."""
        steps = np.append(np.diff(_LEVELS), 1.0)
        return np.where(self.whole[concepts], 1.0, steps[np.minimum(levels, steps.size - 1)])


@dataclass(frozen=True)
class MassLevels:
    """Levels of the masses at each concept, as a view of a hierarchy."""

    flows: bool = True
    """Whether labels are split among several parents."""

    def __call__(self, hierarchy: Hierarchy) -> PossibleMasses:
        """Find where each label below a concept reaches it as a whole, and the mass of all of them."""
        below, mass = hierarchy.derive(labels_below), (~hierarchy.abstract).astype(np.float64)
        if not self.flows:
            return PossibleMasses(np.ones(below.size, dtype=bool), below)
        shares = hierarchy.derive(effective_parents)
        for members in reversed(hierarchy.generations[1:]):
            mass += mass[members] @ shares[members]
        # The least share is far above rounding errors; what has no bits does not matter.
        whole = (below - mass < 1e-6) | (hierarchy.derive(Bits(agreement=None)) == 0)  # noqa: PLR2004
        levels = PossibleMasses(whole, below)
        return levels._replace(number=levels.reached(np.arange(below.size), mass)[1].astype(np.intp))
