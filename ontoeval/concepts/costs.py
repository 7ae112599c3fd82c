"""Costs of taking one concept for another: paths in the hierarchy, what common ancestors say, or a table.

Every path cost goes through a common ancestor, never through a common descendant: the cost of
a and b is the smallest up(a, c) + up(b, c) over the ancestors c that they share. Costs of relatedness do the
same with other parts than links, and close the sum by a function of it and of c, see `relatedness`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts import relatedness
from ontoeval.concepts.relatedness import AncestorCosts, Closing
from ontoeval.core.hierarchy import VIRTUAL_ROOT, Hierarchy, cheapest_upward
from ontoeval.core.sparse import line, values_of_row
from ontoeval.errors import ParameterError

TIE = 1e-12
"""Costs that differ by no more are equal: path sums carry rounding errors of this size."""


def link_costs(levels: int) -> NDArray[np.float64]:
    r"""Cost of a link at each level, the top level first.

    .. math:: c_d = \frac{2^{L-d}}{2 (2^L - 1)}, \qquad d = 1, \ldots, L

    Each level costs half of the level above it, and a path between two concepts at the lowest
    level through the root costs 1. The paper defines N as the number of links but sums to N - 1;
    only with N - 1 = L do its example of 2/14 and its maximum of 1 come out.
    """
    level = np.arange(1, levels + 1)
    # Equal to the formula above, but 2**L overflows where chains are thousands of links long.
    return np.asarray(np.exp2(-level.astype(np.float64)) / (2 * (1 - np.exp2(-float(levels)))))


@dataclass(frozen=True, eq=False)
class PathCosts:
    """Costs of cheapest paths through a common ancestor."""

    from_all: sparse.csr_array
    labels: NDArray[np.intp]
    unconnected: float = 1.0
    unit: float = 1.0
    closing: Closing | None = None

    def closed(self, total: NDArray[np.float64], ancestor: NDArray[np.intp] | int) -> NDArray[np.float64]:
        """Costs of sums of two ways up."""
        return total if self.closing is None else self.closing(total, ancestor)

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
            table[block] = np.minimum(table[block], self.closed(up[:, None] + up[None, :], column))
        table[np.isinf(table)] = self.unconnected
        np.fill_diagonal(table, 0.0)  # to Resnik a concept is related to itself no more than it says
        return table


@dataclass(frozen=True, eq=False)
class TableCosts:
    """Costs that are given as a table."""

    table: NDArray[np.float64]
    unit: ClassVar[float] = 1.0


Costs = PathCosts | TableCosts | AncestorCosts

NAMES = ("depth-weighted", "links", "flat")
"""Costs of paths that every hierarchy has, beside `relatedness.NAMES`; `Hierarchy.with_cost` adds tables."""
GEOMETRIC = "geometric({})"
"""Name of costs of links that shrink by a ratio with each level."""


def costs_by_name(hierarchy: Hierarchy, name: str, *, connect_roots: bool = True) -> Costs:
    """Look up the costs of a hierarchy by name."""
    if not isinstance(name, str):
        raise ParameterError("cost", name, "the name of costs, such as 'links'")
    ratio, related = ratio_of(name), relatedness.is_name(name)
    if (name in NAMES or related or ratio is not None) and name in hierarchy.costs:
        raise ParameterError("cost", name, "another name for the table, since this one is built in")
    if name in hierarchy.costs:
        return TableCosts(hierarchy.costs[name])
    if name == "batet" and hierarchy.several_parents.size:
        return AncestorCosts(hierarchy.ancestors, hierarchy.labels)
    if related:
        from_all, closing = relatedness.parts(hierarchy, name, connect_roots=connect_roots)
        return PathCosts(from_all, hierarchy.labels, closing=closing)
    if name not in NAMES and ratio is None:
        known = ", ".join(map(repr, (*NAMES, GEOMETRIC.format(0.5), *relatedness.NAMES, *hierarchy.costs)))
        raise ParameterError("cost", name, f"one of {known}, or a table added by `Hierarchy.with_cost`")
    if name == "flat":
        apart = sparse.eye_array(len(hierarchy.vocabulary), format="csr") * 0.0
        return PathCosts(sparse.csr_array(apart), hierarchy.labels)
    virtual_root = connect_roots and len(hierarchy.roots) > 1
    depth = hierarchy.depth + virtual_root
    levels = int(depth.max(initial=0))
    if name == "depth-weighted":
        by_level, unit = link_costs(levels), 1.0
    else:  # links all alike are those with the ratio 1
        own = np.power(1.0 if ratio is None else ratio, np.arange(levels))
        unit = 2 * float(own.sum()) if levels else 2.0
        by_level = own / unit
    # A root that nothing lies above has no link; its cost is never used.
    step = np.concatenate([[0.0], by_level])[depth]
    return PathCosts(
        cheapest_upward(hierarchy.parents, hierarchy.generations, step, virtual_root=virtual_root),
        hierarchy.labels,
        unit=unit,
    )


def ratio_of(name: str) -> float | None:
    """Parse the ratio in the name of geometric costs; None for other names."""
    before, after = GEOMETRIC.split("{}")
    if not (name.startswith(before) and name.endswith(after)):
        return None
    try:
        ratio = float(name.removeprefix(before).removesuffix(after))
    except ValueError:
        ratio = np.nan
    if not 0 < ratio <= 1:
        raise ParameterError(
            "cost", name, f"{GEOMETRIC.format('r')} with a number r above 0 and of 1 at most"
        )
    return ratio


def cheapest_path(
    hierarchy: Hierarchy, costs: PathCosts, first: str, second: str
) -> tuple[tuple[str, ...], float]:
    """Cheapest path between two concepts through a common ancestor, and its cost."""
    ends = hierarchy.vocabulary.positions([first, second])
    ups = [values_of_row(costs.from_all, end) for end in ends]
    shared = ups[0].keys() & ups[1].keys()
    if not shared:
        return (), costs.unconnected
    if first == second:
        return (first,), 0.0
    tops = np.array(sorted(shared, reverse=True), dtype=np.intp)
    cost = costs.closed(np.array([ups[0][top] + ups[1][top] for top in tops.tolist()]), tops)
    top = int(tops[cost.argmin()])
    ways = [_way_up(hierarchy, costs, int(end), top) for end in ends]
    names = (*hierarchy.vocabulary, VIRTUAL_ROOT)
    path = tuple(names[position] for position in (*ways[0], *reversed(ways[1][:-1])))
    return path, float(cost.min())


def cost_between(
    hierarchy: Hierarchy, first: str, second: str, *, cost: str = "depth-weighted", connect_roots: bool = True
) -> float:
    """Cost of taking one concept for another.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    first, second
        Two concepts; for costs that were given as a table two that may be labels.
    cost
        Name of the costs: "depth-weighted", "links", "flat", "lin" …, or a table of the hierarchy.
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
        If the hierarchy lacks one of the two.

    Examples
    --------
    >>> cost_between(Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")]), "plants", "trees")
    0.5
    """
    costs = costs_by_name(hierarchy, cost, connect_roots=connect_roots)
    if isinstance(costs, TableCosts):
        return float(costs.table[tuple(hierarchy.label_vocabulary.positions([first, second]))])
    if isinstance(costs, AncestorCosts):
        return float(costs.between(*hierarchy.vocabulary.positions([first, second])[:, None])[0])
    return cheapest_path(hierarchy, costs, first, second)[1]


def _way_up(hierarchy: Hierarchy, costs: PathCosts, start: int, top: int) -> list[int]:
    """Follow the cheapest links from a concept to one of its ancestors."""
    to_top = costs.from_all[:, [top]].toarray()[:, 0]
    reaches = set(costs.from_all[:, [top]].tocoo().coords[0].tolist())
    way = [start]
    while way[-1] != top:
        above = [p for p in line(hierarchy.parents, way[-1]).tolist() if p in reaches]
        # A concept whose parents do not lead there is a root, just below the virtual one.
        way.append(min(above, key=lambda p: (to_top[p], p)) if above else top)
    return way
