"""Missed and false labels paired along a hierarchy, nearest first: the plan behind the transport matrix."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.bits import Bits, Sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import (
    choose_entries,
    entries_of_rows,
    pattern,
    row_of_entries,
    with_column,
    with_data,
    without_entries,
)

Unrelated = Literal["facets", "related", "all"]
"""Labels without common bits that are paired: those that share none with the whole other side, none, all."""

NOTHING = 1e-12
"""Mass of a label below which nothing is left of it."""


class PairedLabels(NamedTuple):
    """What is paired, one row for each concept of a sample at which labels are paired, and what is left.

    Row g of `missed` and `false` pairs missed ⊗ false · weight in the sample `owner[g]`; `left_missed` and
    `left_false` have a row for each sample.
    """

    missed: sparse.csr_array
    false: sparse.csr_array
    weight: Numbers
    owner: NDArray[np.intp]
    left_missed: sparse.csr_array
    left_false: sparse.csr_array


class _Side:
    """One side of the plan: what is left of each label, and the concepts where it may be paired."""

    def __init__(
        self, sets: sparse.csr_array, above: sparse.csr_array, other: sparse.csr_array, unrelated: Unrelated
    ) -> None:
        self.sets, self.left = sets, np.ones(sets.nnz)
        places, lengths = entries_of_rows(above, sets.indices)
        entry, row, width = np.repeat(np.arange(sets.nnz), lengths), row_of_entries(sets), above.shape[1] + 1
        key, last = row[entry] * width + above.indices[places], np.full(sets.nnz, unrelated == "all")
        if unrelated == "facets":  # labels that share no concept with any label of the other side
            closed = pattern(other @ above)
            keys = row_of_entries(closed) * width + closed.indices
            last = np.bincount(entry, np.append(keys, -1)[np.searchsorted(keys, key)] == key, sets.nnz) == 0
        self.entry = np.append(entry, np.flatnonzero(last))
        self.key = np.append(key, row[last] * width + width - 1)

    def rounds(self, keys: NDArray[np.intp], order: NDArray[np.intp], ends: NDArray[np.intp]) -> list[slice]:
        """Sort the labels by their groups, which `order` sorts by rounds, and find the part of each round."""
        group = np.searchsorted(keys, self.key)
        here = np.flatnonzero(np.append(keys, -1)[group] == self.key)
        number = np.empty(keys.size, dtype=np.intp)
        number[order] = np.arange(keys.size)
        group = number[group[here]]
        sort = np.argsort(group, kind="stable")
        self.entry, self.group = self.entry[here[sort]], group[sort]
        return [slice(*ends) for ends in pairwise(np.searchsorted(self.group, ends).tolist())]

    def rows(self, masses: list[Numbers], groups: int) -> sparse.csr_array:
        """Put the masses that each group pairs into a row of its own."""
        places = self.group, self.sets.indices[self.entry]
        return sparse.csr_array((np.concatenate([[], *masses]), places), shape=(groups, self.sets.shape[1]))


def pair_labels(
    truth: sparse.csr_array, prediction: sparse.csr_array, hierarchy: Hierarchy, unrelated: Unrelated
) -> PairedLabels:
    """Pair missed and false labels of each sample, from the concepts of the largest size to the root.

    At a concept, what is left of the missed labels at or below it and what is left of the false ones are
    paired in proportion. Concepts of equal size share their common labels equally, and what stays over waits
    for the next: on trees no label is at or below two of them. Labels that share no bits are paired last, in
    proportion: "facets" keeps out those that share some with another label of the other side.
    """
    bits, above = Bits(agreement=None), hierarchy.label_ancestors
    above = choose_entries(above, hierarchy.derive(bits)[above.indices] > 0)
    sizes = np.append(hierarchy.derive(Sizes(bits)), 0.0)  # the last concept stands above all roots
    missed, false = without_entries(truth, prediction), without_entries(prediction, truth)
    sides = _Side(missed, above, prediction, unrelated), _Side(false, above, truth, unrelated)
    shared = pattern(pattern(missed @ above).multiply(pattern(false @ above)))
    shared = with_column(shared, np.ones(shared.shape[0], dtype=bool))
    sample, concept = row_of_entries(shared), shared.indices.astype(np.intp)
    keys = sample * shared.shape[1] + concept
    rounds = _rounds(sample, np.round(sizes[concept], 12))
    order = np.argsort(rounds, kind="stable")
    ends = np.searchsorted(rounds[order], np.arange(rounds.max(initial=-1) + 2))
    weight, masses = np.zeros(keys.size), list[tuple[Numbers, Numbers]]()
    parts = [side.rounds(keys, order, ends) for side in sides]
    for (begin, end), *places in zip(pairwise(ends.tolist()), *parts, strict=True):
        weight[begin:end], paired = _pair_round(sides, places, begin, end)
        masses.append(paired)
    first, second = (side.rows([pair[at] for pair in masses], keys.size) for at, side in enumerate(sides))
    left = (with_data(side.sets, side.left) for side in sides)
    return PairedLabels(first, second, weight, sample[order], *left)


def _pair_round(
    sides: tuple[_Side, _Side], places: list[slice], begin: int, end: int
) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """Pair what is left at the groups of one round; returns their weights and the masses of both sides."""
    entries = [side.entry[part] for side, part in zip(sides, places, strict=True)]
    groups = [side.group[part] - begin for side, part in zip(sides, places, strict=True)]
    masses = [side.left[entry] for side, entry in zip(sides, entries, strict=True)]
    live = np.ones(end - begin, dtype=bool)
    for group, mass in zip(groups, masses, strict=True):
        live &= np.bincount(group, mass, live.size) > NOTHING
    for number, (entry, group) in enumerate(zip(entries, groups, strict=True)):
        shares = np.bincount(entry, live[group])[entry] if entry.size else live[group]
        masses[number] = np.divide(masses[number], shares, out=np.zeros(entry.size), where=live[group])
    sums = [np.bincount(group, mass, live.size) for group, mass in zip(groups, masses, strict=True)]
    weight = np.divide(1.0, np.maximum(*sums), out=np.zeros(live.size), where=live)
    for side, entry, group, mass, other in zip(sides, entries, groups, masses, reversed(sums), strict=True):
        np.subtract.at(side.left, entry, mass * (other * weight)[group])
        side.left[entry[side.left[entry] < NOTHING]] = 0.0
    return weight, (masses[0], masses[1])


def _rounds(sample: NDArray[np.intp], size: Numbers) -> NDArray[np.intp]:
    """Rank concepts by size within each sample, from 0, the largest first; equal sizes share a rank."""
    order = np.lexsort((-size, sample))
    first = np.diff(sample[order], prepend=-1) > 0
    step = np.cumsum(first | (np.diff(size[order], prepend=0) != 0))
    rounds = np.empty(size.size, dtype=np.intp)
    rounds[order] = step - np.repeat(step[first], np.diff(np.append(np.flatnonzero(first), size.size)))
    return rounds
