"""Costs of taking one concept for another: paths in the hierarchy, or a table.

Every path cost goes through a common ancestor, never through a common descendant: the cost of
a and b is the smallest up(a, c) + up(b, c) over the ancestors c that they share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import ParameterError
from ontoeval.hierarchy import Hierarchy

TIE = 1e-12
"""Costs that differ by no more are equal: path sums carry rounding errors of this size."""


def link_costs(levels: int) -> NDArray[np.float64]:
    r"""Cost of a link at each level, the top level first.

    .. math:: c_d = \frac{2^{L-d}}{2 (2^L - 1)}, \qquad d = 1, \ldots, L

    Each level costs half of the level above it, and a path between two concepts at the lowest
    level through the root costs 1. The paper defines N as the number of links but sums to N - 1;
    only with N - 1 = L do its example of 2/14 and its maximum of 1 come out.

    Parameters
    ----------
    levels
        Number of levels of links, L.

    Returns
    -------
    ndarray of float
        One cost per level, in (0, 1/2].

    References
    ----------
    [nowak2009]_, section 3.2.

    Examples
    --------
    >>> (link_costs(3) * 14).round(9).tolist()
    [4.0, 2.0, 1.0]
    """
    level = np.arange(1, levels + 1)
    # Equal to the formula above, but 2**L overflows where chains are thousands of links long.
    return np.asarray(np.exp2(-level.astype(np.float64)) / (2 * (1 - np.exp2(-float(levels)))))


@dataclass(frozen=True, eq=False)
class PathCosts:
    """Costs of cheapest paths through a common ancestor.

    Parameters
    ----------
    from_all
        One row per concept: the cost of the cheapest path to each of its ancestors, 0 to itself;
        one more column where there is a virtual root.
    labels
        Positions of the concepts that may be labels.
    unconnected
        Cost between concepts without a common ancestor.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> costs_by_name(hierarchy, "depth-weighted").table.tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 1.0], [0.5, 1.0, 0.0]]
    """

    from_all: sparse.csr_array
    labels: NDArray[np.intp]
    unconnected: float = 1.0

    @cached_property
    def upward(self) -> sparse.csr_array:
        """Rows of the concepts that may be labels."""
        return self.from_all[self.labels]

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Square table of the costs between all labels; for small hierarchies only."""
        labels = self.upward.shape[0]
        table = np.full((labels, labels), np.inf)
        columns = self.upward.tocsc()
        for column in range(columns.shape[1]):
            entries = slice(columns.indptr[column], columns.indptr[column + 1])
            rows, up = columns.indices[entries], columns.data[entries]
            block = np.ix_(rows, rows)
            table[block] = np.minimum(table[block], up[:, None] + up[None, :])
        table[np.isinf(table)] = self.unconnected
        return table


@dataclass(frozen=True, eq=False)
class TableCosts:
    """Costs that are given as a table.

    Parameters
    ----------
    table
        Square, one row and one column per concept that may be a label, entries in [0, 1].

    Examples
    --------
    >>> TableCosts(np.array([[0, 0.3], [0.3, 0]])).table[0, 1].item()
    0.3
    """

    table: NDArray[np.float64]


Costs = PathCosts | TableCosts

NAMES = ("depth-weighted", "links", "flat")
"""The costs that every hierarchy has; `Hierarchy.with_cost` adds tables by other names."""


def costs_by_name(hierarchy: Hierarchy, name: str, *, connect_roots: bool = True) -> Costs:
    """Make the costs of a hierarchy that go by a name.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    name
        "depth-weighted": each level of links costs half of the level above [nowak2009]_;
        "links": the number of links, divided by twice the number of levels; "flat": 1 between
        any two concepts; or the name of a table that the hierarchy carries.
    connect_roots
        Whether several roots are connected by a virtual root above them, which makes them lie
        at depth 1; otherwise concepts below different roots cost 1.

    Returns
    -------
    PathCosts or TableCosts
        Costs between all concepts that may be labels.

    Raises
    ------
    ParameterError
        If the hierarchy has no costs by that name.

    Examples
    --------
    >>> forest = Hierarchy.from_edges([("a", "b"), ("c", "d")])
    >>> costs_by_name(forest, "links").table[1].tolist()
    [0.25, 0.0, 0.75, 1.0]
    >>> costs_by_name(forest, "links", connect_roots=False).table[1].tolist()
    [0.5, 0.0, 1.0, 1.0]
    """
    if name in NAMES and name in hierarchy.costs:
        raise ParameterError("cost", name, "another name for the table, since this one is built in")
    if name in hierarchy.costs:
        return TableCosts(hierarchy.costs[name])
    if name not in NAMES:
        known = ", ".join(map(repr, (*NAMES, *hierarchy.costs)))
        raise ParameterError("cost", name, f"one of {known}, or a table added by `Hierarchy.with_cost`")
    if name == "flat":
        apart = sparse.eye_array(len(hierarchy.vocabulary), format="csr") * 0.0
        return PathCosts(sparse.csr_array(apart), hierarchy.labels)
    virtual_root = connect_roots and len(hierarchy.roots) > 1
    depth = hierarchy.depth + virtual_root
    levels = int(depth.max(initial=0))
    by_level = link_costs(levels) if name == "depth-weighted" else np.full(levels, 0.5 / max(levels, 1))
    # A root that nothing lies above has no link; its cost is never used.
    step = np.concatenate([[0.0], by_level])[depth]
    return PathCosts(hierarchy.upward(step, virtual_root=virtual_root), hierarchy.labels)


def cheapest_path(
    hierarchy: Hierarchy, costs: PathCosts, first: str, second: str
) -> tuple[tuple[str, ...], float]:
    """Find the cheapest path between two concepts through a common ancestor.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    costs
        Path costs of this hierarchy.
    first
        A concept.
    second
        Another.

    Returns
    -------
    path : tuple of str
        The concepts on the way, both ends among them; a virtual root is written "(root)"; no
        concepts where the two have no common ancestor.
    cost : float
        What the path costs.

    Raises
    ------
    UnknownConceptError
        If the hierarchy lacks one of the two.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> cheapest_path(hierarchy, costs_by_name(hierarchy, "links"), "trees", "flowers")
    (('trees', 'plants', 'flowers'), 1.0)
    """
    ends = hierarchy.vocabulary.positions([first, second])
    ups = [
        dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
        for row in (costs.from_all[[end]] for end in ends)
    ]
    shared = ups[0].keys() & ups[1].keys()
    if not shared:
        return (), costs.unconnected
    top = min(shared, key=lambda ancestor: (ups[0][ancestor] + ups[1][ancestor], -ancestor))
    ways = [_way_up(hierarchy, costs, int(end), top) for end in ends]
    names = (*hierarchy.vocabulary, "(root)")
    path = tuple(names[position] for position in (*ways[0], *reversed(ways[1][:-1])))
    return path, ups[0][top] + ups[1][top]


def cost_between(
    hierarchy: Hierarchy, first: str, second: str, *, cost: str = "depth-weighted", connect_roots: bool = True
) -> float:
    """Cost of taking one concept for another.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    first
        A concept; for costs that are a table one that may be a label.
    second
        Another.
    cost
        Name of the costs, see `costs_by_name`.
    connect_roots
        Whether a virtual root connects several roots.

    Returns
    -------
    float
        The cost, in [0, 1].

    Raises
    ------
    ParameterError
        If the hierarchy has no costs by that name.
    UnknownConceptError
        If one of the two is not there.

    Examples
    --------
    >>> cost_between(Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")]), "plants", "trees")
    0.5
    """
    costs = costs_by_name(hierarchy, cost, connect_roots=connect_roots)
    if isinstance(costs, TableCosts):
        return float(costs.table[tuple(hierarchy.label_vocabulary.positions([first, second]))])
    return cheapest_path(hierarchy, costs, first, second)[1]


def _way_up(hierarchy: Hierarchy, costs: PathCosts, start: int, top: int) -> list[int]:
    """Follow the cheapest links from a concept to one of its ancestors."""
    to_top = costs.from_all[:, [top]].toarray()[:, 0]
    reaches = set(costs.from_all[:, [top]].tocoo().coords[0].tolist())
    way = [start]
    while way[-1] != top:
        begin, end = hierarchy.parents.indptr[way[-1] :][:2]
        above = [p for p in hierarchy.parents.indices[begin:end].tolist() if p in reaches]
        # A concept whose parents do not lead there is a root, just below the virtual one.
        way.append(min(above, key=lambda p: (to_top[p], p)) if above else top)
    return way
