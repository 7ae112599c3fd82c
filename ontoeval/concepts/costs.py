"""Costs of taking one concept for another, and similarities: by paths, by common ancestors, or by a table.

A path leads through a common ancestor, never through a common descendant: the cost of a and b is the
smallest up(a, c) + up(b, c) over the ancestors c that they share. Costs of relatedness sum other parts than
links, and are a function of the sum and of c that never falls as the sum grows: so the nearest of many
concepts is found without looking at pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import information_by_name, with_option
from ontoeval.core.dag import cheapest_upward
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import VIRTUAL_ROOT, Hierarchy
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries, stored_columns, values_of_row, with_data

OF_INFORMATION = ("lin", "jiang-conrath", "resnik")
"""Costs of information content, by default that of Seco; "lin(sanchez)" names another."""
RELATED = (*OF_INFORMATION, "wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet")
"""Costs of relatedness."""
DEFAULT_INFORMATION = "seco"
NAMES = ("depth-weighted", "links", "flat")
"""Costs of paths."""
GEOMETRIC = "geometric({})"
"""Name of costs of links that shrink by a ratio with each level."""

TIE = 1e-12
"""Costs that differ by no more are equal: path sums carry rounding errors of this size."""

MOST_PAIRS = 2**27
"""Most pairs of labels in a table of all costs: 1.1 GB."""

PAIRS_AT_A_TIME = 100_000
"""Pairs whose ancestors are written out at a time."""


Closing = Callable[[Numbers, NDArray[np.integer] | int], Numbers]
"""Costs in [0, 1] of sums and the common ancestors that were summed over; larger sums never cost less."""


def _lin(information: Numbers, total: Numbers, ancestor: NDArray[np.integer] | int) -> Numbers:
    """1 - 2 IC(c) / (IC(a) + IC(b)), the sum being that of the information contents; 0 for 0/0."""
    shared = 2 * information[ancestor]
    similarity = np.divide(shared, total, out=np.ones_like(total), where=total > 0)
    return np.asarray(1 - np.minimum(similarity, 1))


def _wu_palmer(depth: Numbers, total: Numbers, ancestor: NDArray[np.integer] | int) -> Numbers:
    """1 - 2 depth(c) / (links(a, c) + links(b, c) + 2 depth(c)), the sum being that of links; 0 for 0/0."""
    whole = total + 2 * depth[ancestor]
    return np.asarray(np.divide(total, whole, out=np.zeros_like(total), where=whole > 0))


def _leacock_chodorow(levels: int, total: Numbers, _: NDArray[np.integer] | int) -> Numbers:
    """ln(nodes of the way) / ln(2 D - 1), the sum being that of the links, D the nodes of the longest way."""
    return np.asarray(np.log1p(total) / np.log(max(2 * levels - 1, 2)))


def _batet(ancestors: Numbers, total: Numbers, ancestor: NDArray[np.integer] | int) -> Numbers:
    """1 - |Anc(c)| / |Anc(a) ∪ Anc(b)| in trees, where all common ancestors are those of c."""
    shared = ancestors[ancestor]
    return np.asarray(1 - shared / (total - shared))


@dataclass(frozen=True, eq=False)
class AncestorCosts:
    """1 less the share of common ancestors, pair by pair.

    With several parents there may be several lowest common ancestors, so all ancestors are compared.
    """

    ancestors: sparse.csr_array
    labels: NDArray[np.intp]
    unit: ClassVar[float] = 1.0

    @cached_property
    def table(self) -> Numbers:
        """Square table of the costs between all labels; for small hierarchies only."""
        return whole_table(self)

    def rows(self, begin: int, end: int) -> Numbers:
        """Compute the rows of some labels of the table."""
        above = self.ancestors[self.labels].astype(np.float64)
        common, own = (above[begin:end] @ above.T).toarray(), np.diff(above.indptr)
        return np.asarray(1 - common / (own[begin:end, None] + own[None, :] - common))

    def between(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Numbers:
        """Compute the costs between concepts."""
        shares = np.empty(first.size)
        for begin in range(0, first.size, PAIRS_AT_A_TIME):
            chosen = slice(begin, begin + PAIRS_AT_A_TIME)
            one, other = self.ancestors[first[chosen]], self.ancestors[second[chosen]]
            union = np.diff((one + other).indptr)  # a sum of booleans is their union
            shares[chosen] = 1 - (np.diff(one.indptr) + np.diff(other.indptr) - union) / union
        return shares


@dataclass(frozen=True)
class LinksUpward:
    """Fewest links from each concept to each of its ancestors, as a view of a hierarchy."""

    virtual_root: bool

    def __call__(self, hierarchy: Hierarchy) -> sparse.csr_array:
        """Links, concepts × ancestors."""
        if not self.virtual_root:
            return hierarchy.links_upward
        ones = np.ones(len(hierarchy.vocabulary))
        return cheapest_upward(hierarchy.parents, hierarchy.generations, ones, virtual_root=True)


def _relatedness_costs(hierarchy: Hierarchy, name: str, *, virtual: bool) -> PathCosts | AncestorCosts:
    """Make costs of relatedness."""
    base, option = with_option(name)
    closing: Closing | None
    if base in OF_INFORMATION:
        parts, closing = _of_information(hierarchy, base, option or DEFAULT_INFORMATION, virtual=virtual)
        return PathCosts(parts, hierarchy.labels, closing=closing)
    if base == "batet":
        above = hierarchy.ancestors
        if hierarchy.several_parents.size:
            return AncestorCosts(above, hierarchy.labels)
        number = np.diff(above.indptr).astype(np.float64)
        parts, closing = with_data(above, number[row_of_entries(above)]), partial(_batet, number)
        return PathCosts(parts, hierarchy.labels, closing=closing)
    if base == "leacock-chodorow":
        closing = partial(_leacock_chodorow, hierarchy.levels + virtual)
    else:  # nodes or links from a root
        depth: Numbers = np.append(hierarchy.depth + virtual, [0.0] * virtual)
        closing = partial(_wu_palmer, depth + float(name == "wu-palmer"))
    return PathCosts(hierarchy.derive(LinksUpward(virtual)), hierarchy.labels, closing=closing)


def _of_information(
    hierarchy: Hierarchy, base: str, information: str, *, virtual: bool
) -> tuple[sparse.csr_array, Closing | None]:
    values = information_by_name(hierarchy, information)
    most = values.max(initial=0.0) or 1.0
    if base == "jiang-conrath":  # (IC(a) + IC(b) - 2 IC(c)) / (2 max IC)
        ways = hierarchy.derive(LinksUpward(virtual))
        gained = values[row_of_entries(ways)] - np.append(values, [0.0] * virtual)[ways.indices]
        return with_data(ways, np.maximum(gained, 0.0) / (2 * most)), None
    above = hierarchy.ancestors  # without a virtual root, which has no information
    if base == "resnik":  # 1 - IC(c) / max IC
        return with_data(above, (1 - values[above.indices] / most) / 2), None
    return with_data(above, values[row_of_entries(above)]), partial(_lin, values)


Similarity = Literal[
    "lin", "jiang-conrath", "resnik", "wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet"
]


@front_door
def similarity(
    hierarchy: AnyHierarchy,
    first: str,
    second: str,
    *,
    measure: Similarity = "lin",
    information: str = DEFAULT_INFORMATION,
    connect_roots: bool = True,
) -> float:
    r"""Compute how similar two concepts are.

    With c any common ancestor, links(a, c) the fewest links from a up to c, and depth(c) the most
    links from a root down to c, after [lin1998]_, [jiang1997]_, [resnik1999]_, [wu1994]_, [leacock1998]_
    and [batet2011]_:

    ================== ====================================================================== =========
    lin                2 max IC(c) / (IC(a) + IC(b)); 1 where both are 0                      [0, 1]
    jiang-conrath      1 / (1 + IC(a) + IC(b) - 2 max IC(c))                                  (0, 1]
    resnik             max IC(c)                                                              [0, max IC]
    wu-palmer          max 2 N / (links(a, c) + links(b, c) + 2 N), with N = depth(c) + 1     (0, 1]
    wu-palmer(links)   the same with N = depth(c)                                             [0, 1]
    leacock-chodorow   max -ln((links(a, c) + links(b, c) + 1) / 2 D), D the number of levels (0, ln 2 D]
    batet              \|Anc(a) ∩ Anc(b)\| / \|Anc(a) ∪ Anc(b)\|                              [0, 1]
    ================== ====================================================================== =========

    Parameters
    ----------
    hierarchy
        The hierarchy.
    first, second
        Two concepts.
    measure
        A formula of the table.
    information
        Name of the information content (IC), such as "seco", "sanchez" or the weight "ic".
    connect_roots
        Whether a virtual root without information connects several roots; otherwise concepts below different
        roots have the similarity 0. By "batet" it is no ancestor.

    Raises
    ------
    UnknownConceptError
        If the hierarchy lacks one of the two.
    InputError
        If the weight is no information content.

    Examples
    --------
    >>> links = [("animal", "pet"), ("pet", "cat"), ("pet", "dog"), ("animal", "yak")]
    >>> pets = Hierarchy.from_edges(links)
    >>> round(similarity(pets, "cat", "dog"), 4)
    0.3174
    >>> similarity(pets, "cat", "yak", measure="batet")
    0.25
    """
    one_of("measure", measure, get_args(Similarity))
    named = f"{measure}({information})" if measure in OF_INFORMATION else measure
    costs = costs_by_name(hierarchy, named, connect_roots=connect_roots)
    ends = hierarchy.vocabulary.positions([first, second])
    if not isinstance(costs, PathCosts):
        return 1 - cost_between(hierarchy, first, second, cost=measure)
    path, cost = cheapest_path(hierarchy, costs, first, second)
    if not path:
        return 0.0
    match measure:
        case "leacock-chodorow":
            nodes = 2 * (hierarchy.levels + (connect_roots and len(hierarchy.roots) > 1))
            return float(np.log(nodes) - cost * np.log(max(nodes - 1, 2)))
        case "resnik" | "jiang-conrath":
            values = information_by_name(hierarchy, information)
            most = float(values.max(initial=0.0)) or 1.0
            if measure == "jiang-conrath":
                return 1 / (1 + 2 * most * cost)
            return float(values[ends[0]]) if ends[0] == ends[1] else most * (1 - cost)
    return 1 - cost


def link_costs(levels: int) -> NDArray[np.float64]:
    r"""Cost of a link at each level, the top level first.

    .. math:: c_d = \frac{2^{L-d}}{2 (2^L - 1)}, \qquad d = 1, \ldots, L

    The paper defines N as the number of links but sums to N - 1; only with N - 1 = L do its example of 2/14
    and its maximum of 1 come out.
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

    def closed(self, total: NDArray[np.float64], ancestor: NDArray[np.integer] | int) -> NDArray[np.float64]:
        """Costs from the sums of two upward paths."""
        return total if self.closing is None else self.closing(total, ancestor)

    @cached_property
    def upward(self) -> sparse.csr_array:
        """Rows of the concepts that may be labels."""
        return self.from_all[self.labels]

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Square table of the costs between all labels; for small hierarchies only."""
        return whole_table(self)

    def rows(self, begin: int, end: int) -> NDArray[np.float64]:
        """Compute the rows of some labels of the table."""
        table = np.full((end - begin, self.labels.size), np.inf)
        some, all_ = self.upward[begin:end].tocsc(), self._by_ancestor
        for column in np.flatnonzero(np.diff(some.indptr)).tolist():
            (rows, own), (columns, other) = (_column(side, column) for side in (some, all_))
            block = np.ix_(rows, columns)
            table[block] = np.minimum(table[block], self.closed(own[:, None] + other[None, :], column))
        table[np.isinf(table)] = self.unconnected
        np.fill_diagonal(table[:, begin:], 0.0)  # Resnik's similarity of a concept to itself may be below 1
        return table

    @cached_property
    def _by_ancestor(self) -> sparse.csc_array:
        return self.upward.tocsc()


@dataclass(frozen=True, eq=False)
class TableCosts:
    """Costs that are given as a table."""

    table: NDArray[np.float64]
    unit: ClassVar[float] = 1.0

    def rows(self, begin: int, end: int) -> NDArray[np.float64]:
        """Cut out the rows of some labels."""
        return self.table[begin:end]


Costs = PathCosts | TableCosts | AncestorCosts


def whole_table(costs: PathCosts | AncestorCosts) -> Numbers:
    """Compute the costs between all labels; refuse more pairs than fit into a gigabyte."""
    labels = costs.labels.size
    if labels**2 > MOST_PAIRS:
        raise InputError(
            f"a table of the costs of all {labels**2:,} pairs of {labels:,} labels takes "
            f"{8e-9 * labels**2:.1f} GB, more than {8e-9 * MOST_PAIRS:.1f} GB",
            "Let fewer concepts be labels: hierarchy.with_labels(names), or read a part of the hierarchy "
            "(root=, --root).",
        )
    return costs.rows(0, labels)


def _column(matrix: sparse.csc_array, at: int) -> tuple[NDArray[np.integer], Numbers]:
    begin, end = matrix.indptr[at : at + 2]
    return matrix.indices[begin:end], matrix.data[begin:end]


def costs_by_name(
    hierarchy: Hierarchy, name: str, *, connect_roots: bool = True, of: NDArray[np.integer] | None = None
) -> Costs:
    """Look up the costs of a hierarchy by name; costs of links for some concepts alone, if they are given."""
    if not isinstance(name, str):
        raise ParameterError("cost", name, "the name of costs, such as 'links'")
    ratio, (base, option) = ratio_of(name), with_option(name)
    related = name in RELATED or (base in OF_INFORMATION and option != "")
    built_in = related or name in NAMES or ratio is not None
    if name in hierarchy.costs:
        if built_in:
            raise ParameterError("cost", name, "another name for the table, since this one is built in")
        return TableCosts(hierarchy.costs[name])
    if not built_in:
        known = ", ".join(map(repr, (*NAMES, GEOMETRIC.format(0.5), *RELATED, *hierarchy.costs)))
        raise ParameterError("cost", name, f"one of {known}, or a table added by `Hierarchy.with_cost`")
    virtual = connect_roots and len(hierarchy.roots) > 1
    if related:
        return _relatedness_costs(hierarchy, name, virtual=virtual)
    if name == "flat":
        apart = sparse.eye_array(len(hierarchy.vocabulary), format="csr") * 0.0
        return PathCosts(sparse.csr_array(apart), hierarchy.labels)
    depth = hierarchy.depth + virtual
    levels = int(depth.max(initial=0))
    if name == "depth-weighted":
        by_level, unit = link_costs(levels), 1.0
    else:  # links all alike are those with the ratio 1
        own = np.power(1.0 if ratio is None else ratio, np.arange(levels))
        unit = 2 * float(own.sum()) if levels else 2.0
        by_level = own / unit
    # A top root has no link upward; its cost is never used.
    step = np.concatenate([[0.0], by_level])[depth]
    links = cheapest_upward(hierarchy.parents, hierarchy.generations, step, virtual_root=virtual, of=of)
    return PathCosts(links, hierarchy.labels, unit=unit)


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


@front_door
def cost_between(
    hierarchy: AnyHierarchy,
    first: str,
    second: str,
    *,
    cost: str = "depth-weighted",
    connect_roots: bool = True,
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
    UnknownConceptError
        If the hierarchy lacks one of the two.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> cost_between(hierarchy, "plants", "trees")
    0.5
    """
    costs = costs_by_name(hierarchy, cost, connect_roots=connect_roots)
    if isinstance(costs, TableCosts):
        return float(costs.table[tuple(hierarchy.label_vocabulary.positions([first, second]))])
    if isinstance(costs, AncestorCosts):
        return float(costs.between(*hierarchy.vocabulary.positions([first, second])[:, None])[0])
    return cheapest_path(hierarchy, costs, first, second)[1]


def _way_up(hierarchy: Hierarchy, costs: PathCosts, start: int, top: int) -> list[int]:
    """Cheapest upward path from a concept to one of its ancestors."""
    way = [start]
    while way[-1] != top:
        above = {
            p: values_of_row(costs.from_all, p) for p in stored_columns(hierarchy.parents, way[-1]).tolist()
        }
        # A concept whose parents do not lead there is a root, just below the virtual one.
        way.append(min(((up[top], p) for p, up in above.items() if top in up), default=(0.0, top))[1])
    return way
