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
    ranges,
    row_of_entries,
    stored_in_both,
    with_data,
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


def pair_labels(
    truth: sparse.csr_array, prediction: sparse.csr_array, hierarchy: Hierarchy, unrelated: Unrelated
) -> PairedLabels:
    """Pair missed and false labels of each sample, from the concepts of the largest size to the root.

    At a concept, what is left of the missed labels at or below it and what is left of the false ones are
    paired in proportion. Concepts of equal size share their common labels equally, and what stays over waits
    for the next: on trees no label is at or below two of them. Labels that share no bits are paired last, in
    proportion: "facets" keeps out those that share some with another label of the other side.
    """
    bits, whole, labels = Bits(agreement=None), (truth, prediction), truth.shape[1]
    own, sizes, above = hierarchy.derive(bits), hierarchy.derive(Sizes(bits)), hierarchy.label_ancestors
    above, rounded = choose_entries(above, own[above.indices] > 0), np.round(sizes, 12)
    largest_first = np.argsort(-rounded, kind="stable")
    place, width = np.argsort(largest_first), sizes.size + 1  # the last place is above all roots
    sets = [choose_entries(one, ~both) for one, both in zip(whole, stored_in_both(*whole), strict=True)]
    sides = sparse.hstack(sets, format="csr")
    row, is_false = row_of_entries(sides), sides.indices >= labels
    label = sides.indices - labels * is_false
    last = np.full(sides.nnz, unrelated == "all")
    if unrelated == "facets":  # labels that share any concept share one that has no other above it
        tops = choose_entries(above, (sizes == own)[above.indices])
        last = _share_nothing(sides, sparse.hstack((prediction, truth), format="csr"), tops)
    # One number holds sample, place and label: sorted, a group has its labels together, the false ones last.
    span = int(np.diff(sides.indptr).max(initial=1))
    code = np.arange(sides.nnz) - sides.indptr[row] + row * (width * span)
    at, lengths = entries_of_rows(above, label)
    below = np.repeat(code, lengths) + (place * span)[above.indices][at]
    code = np.sort(np.concatenate([below, code[last] + (width - 1) * span]))
    key = code // span
    entry = sides.indptr[key // width] + code - key * span
    first = np.flatnonzero(np.diff(key, prepend=-1))
    lengths = np.diff(first, append=key.size)
    both = ~is_false[entry[first]] & is_false[entry[first + lengths - 1]]
    first, lengths = first[both], lengths[both]
    sample, concept = np.divmod(key[first], width)
    size = np.append(rounded[largest_first], 0.0)[concept]
    new = np.diff(sample, prepend=-1) > 0
    step = np.cumsum(new | (np.diff(size, prepend=0) != 0))
    rounds = step - np.maximum.accumulate(
        np.where(new, step, 0)
    )  # of each sample from 0; equal sizes share one
    order = np.argsort(rounds, kind="stable")
    lengths = lengths[order]
    entry, group = entry[ranges(first[order], lengths)], np.repeat(np.arange(order.size), lengths)
    ends = np.searchsorted(rounds[order], np.arange(rounds.max(initial=-1) + 2))
    parts = np.append(0, np.cumsum(lengths))[ends]
    left, weight, mass = np.ones(sides.nnz), np.zeros(order.size), np.zeros(entry.size)
    for groups, entries in zip(pairwise(ends.tolist()), pairwise(parts.tolist()), strict=True):
        some, part = slice(*groups), slice(*entries)
        cell = 2 * (group[part] - some.start) + is_false[entry[part]]
        weight[some], mass[part] = _pair_round(left, entry[part], cell, some.stop - some.start)
    rest = (with_data(side, left[is_false == number]) for number, side in enumerate(sets))
    row_of_group = sparse.csr_array((mass, (group, sides.indices[entry])), shape=(order.size, 2 * labels))
    return PairedLabels(row_of_group[:, :labels], row_of_group[:, labels:], weight, sample[order], *rest)


def _share_nothing(
    sides: sparse.csr_array, others: sparse.csr_array, concepts: sparse.csr_array
) -> NDArray[np.bool_]:
    """Whether each label shares no concept with the labels of the other side of its sample."""
    used, column = np.unique(concepts.indices, return_inverse=True)
    keys, labels = [], concepts.shape[0]
    for side in (others, sides):
        is_false = side.indices >= labels
        at, lengths = entries_of_rows(concepts, side.indices - labels * is_false)
        start = (2 * row_of_entries(side) + is_false) * used.size
        keys.append(np.repeat(start, lengths) + column[at])
    shared = np.isin(keys[1], keys[0])
    return np.asarray(np.bincount(np.repeat(np.arange(sides.nnz), lengths), shared, sides.nnz) == 0)


def _pair_round(
    left: Numbers, entry: NDArray[np.intp], cell: NDArray[np.intp], groups: int
) -> tuple[Numbers, Numbers]:
    """Pair what is left of some labels; returns weights of groups and masses of entries."""
    mass, group = left[entry], cell >> 1
    enough = np.bincount(cell, mass, 2 * groups) > NOTHING
    live = enough[::2] & enough[1::2]
    here = live[group]
    shares = np.bincount(entry, here, left.size)[entry]
    mass = np.divide(mass, shares, out=np.zeros(entry.size), where=here)
    sums = np.bincount(cell, mass, 2 * groups)
    weight = np.divide(1.0, np.maximum(sums[::2], sums[1::2]), out=np.zeros(groups), where=live)
    np.subtract.at(left, entry, mass * (sums[cell ^ 1] * weight[group]))
    left[entry[left[entry] < NOTHING]] = 0.0
    return weight, mass
