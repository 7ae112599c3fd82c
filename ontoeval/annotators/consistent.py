"""Label sets made to fit a hierarchy: closed upwards and within its rules, at the cost of what few say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.violations import RuleBook, rule_book
from ontoeval.core.csr import entries_at, entries_of_rows, pattern, row_of_entries, without
from ontoeval.core.hierarchy import Hierarchy

Numbers = NDArray[np.float64]


def consistent(sets: sparse.csr_array, support: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
    """Add ancestors, and take away labels until no exclusion and no requirement is broken.

    A label is supported as much as any label below it. In each sample, of the exclusions that are broken,
    that comes first whose better supported side is supported best: the labels of the other side go, or both
    where they are supported alike. When no exclusion is broken, labels go that require what is not there.
    What is an ancestor of nothing that is left goes with them.
    """
    upwards = hierarchy.labels_upward
    book = rule_book(hierarchy)
    # Above 0, so that a label that nobody supports is not taken for one that is not there.
    own = sparse.csr_array(sets * support + sets.astype(np.float64))
    active, kept = np.arange(sets.shape[0]), own
    while active.size:
        gone = _gone(_strongest(_strongest(kept[active], upwards), book.sides), book)
        lost = sparse.csr_array((gone @ book.sides.T.tocsr()) * pattern(kept[active]))
        changed = np.flatnonzero(np.diff(lost.indptr))
        active, lost = active[changed], lost[changed]
        cells = active[row_of_entries(lost)], lost.indices
        taken = sparse.csr_array((np.ones(lost.nnz, dtype=bool), cells), shape=kept.shape)
        kept = sparse.csr_array(kept * without(pattern(kept), taken))
    return pattern(pattern(kept) @ upwards)


def _gone(sides: sparse.csr_array, book: RuleBook) -> sparse.csr_array:
    """Tell which sides of rules go from which samples, from how well each side is supported."""
    left, right = (sides[:, which[book.excludes]] for which in (book.left, book.right))
    both = sparse.csr_array(left * right)
    row, rule = row_of_entries(both), both.indices.astype(np.intp)
    one, other = (entries_at(sparse.csr_array(side), row, rule) for side in (left, right))
    better = np.maximum(one, other)
    best = np.zeros(sides.shape[0])
    np.maximum.at(best, row, better)
    first = better == best[row]
    weaker = [
        (row[first & chosen], which[book.excludes][rule[first & chosen]])
        for which, chosen in ((book.left, one <= other), (book.right, other <= one))
    ]
    requires = ~book.excludes
    there, met = (pattern(sides[:, which[requires]]) for which in (book.left, book.right))
    unmet = without(there, met)
    row = row_of_entries(unmet)
    last = best[row] == 0  # requirements come when no exclusion is broken
    weaker.append((row[last], book.left[requires][unmet.indices[last]]))
    rows, columns = (np.concatenate(side) for side in zip(*weaker, strict=True))
    return pattern(sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=sides.shape))


def _strongest(values: sparse.csr_array, members: sparse.csr_array) -> sparse.csr_array:
    """Give every group of each row the largest value of its members there."""
    entries, lengths = entries_of_rows(members, values.indices)
    rows = np.repeat(row_of_entries(values), lengths)
    columns, data = members.indices[entries].astype(np.intp), np.repeat(values.data, lengths)
    order = np.lexsort((columns, rows))
    rows, columns, data = rows[order], columns[order], data[order]
    starts = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(columns, prepend=-1) != 0))
    if starts.size:
        data = np.maximum.reduceat(data, starts)
    shape = values.shape[0], members.shape[1]
    return sparse.csr_array((data, (rows[starts], columns[starts])), shape=shape)
