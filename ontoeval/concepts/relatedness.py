"""Relatedness of concepts by their common ancestors: similarities as published, and costs in [0, 1].

All but one of these costs are made of two parts, one from each concept up to a common ancestor, that are
added and then closed by a function of the sum and the ancestor which never falls as the sum grows. So the
nearest of many concepts is found without looking at pairs, as it is with paths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import information_by_name, with_option
from ontoeval.core.hierarchy import Hierarchy, cheapest_upward
from ontoeval.core.sparse import row_of_entries, values_of_row, with_data
from ontoeval.errors import ParameterError, one_of

Numbers = NDArray[np.float64]

OF_INFORMATION = ("lin", "jiang-conrath", "resnik")
"""Costs of information content, by default that of Seco; "lin(sanchez)" names another."""
OF_PATHS = ("wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet")
NAMES = (*OF_INFORMATION, *OF_PATHS)
DEFAULT_INFORMATION = "seco"


PAIRS_AT_A_TIME = 100_000
"""Pairs whose ancestors are written out at a time."""


Closing = Callable[[Numbers, NDArray[np.intp] | int], Numbers]
"""Costs in [0, 1] of sums and the common ancestors that were summed over; larger sums never cost less."""


def _lin(information: Numbers, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
    """1 - 2 IC(c) / (IC(a) + IC(b)), the sum being that of the information contents; 0 for 0/0."""
    shared = 2 * information[ancestor]
    similarity = np.divide(shared, total, out=np.ones_like(total), where=total > 0)
    return np.asarray(1 - np.minimum(similarity, 1))


def _wu_palmer(depth: Numbers, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
    """1 - 2 depth(c) / (links(a, c) + links(b, c) + 2 depth(c)), the sum being that of links; 0 for 0/0."""
    whole = total + 2 * depth[ancestor]
    return np.divide(total, whole, out=np.zeros_like(total), where=whole > 0)


def _leacock_chodorow(levels: int, total: Numbers, _: NDArray[np.intp] | int) -> Numbers:
    """ln(nodes of the way) / ln(2 D - 1), the sum being that of the links, D the nodes of the longest way."""
    return np.asarray(np.log1p(total) / np.log(max(2 * levels - 1, 2)))


def _batet(ancestors: Numbers, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
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
        rows = self.ancestors[self.labels].astype(np.float64)
        common, own = (rows @ rows.T).toarray(), np.diff(rows.indptr)
        return np.asarray(1 - common / (own[:, None] + own[None, :] - common))

    def between(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Numbers:
        """Compute the costs between concepts."""
        shares = np.empty(first.size)
        for begin in range(0, first.size, PAIRS_AT_A_TIME):
            chosen = slice(begin, begin + PAIRS_AT_A_TIME)
            one, other = self.ancestors[first[chosen]], self.ancestors[second[chosen]]
            union = np.diff((one + other).indptr)  # a sum of booleans is their union
            shares[chosen] = 1 - (np.diff(one.indptr) + np.diff(other.indptr) - union) / union
        return shares


class Parts(NamedTuple):
    """Parts of `ontoeval.concepts.costs.PathCosts`."""

    from_all: sparse.csr_array
    closing: Closing | None


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


def is_name(name: str) -> bool:
    """Whether costs of relatedness have this name."""
    base, option = with_option(name)
    return name in NAMES or (base in OF_INFORMATION and option != "")


def parts(hierarchy: Hierarchy, name: str, *, connect_roots: bool = True) -> Parts:
    r"""Make the parts of the costs with a name.

    With c the common ancestor that makes the cost least, and IC, depth and Anc as elsewhere:

    ======================== ===========================================================
    lin                      1 - 2 IC(c) / (IC(a) + IC(b)), 0/0 being similarity 1
    jiang-conrath            (IC(a) + IC(b) - 2 IC(c)) / (2 max IC)
    resnik                   1 - IC(c) / max IC; 0 between a concept and itself
    wu-palmer                1 - 2 N / (links(a, c) + links(b, c) + 2 N), N the nodes from a root to c
    wu-palmer(links)         the same with the links from a root to c
    leacock-chodorow         ln(nodes from a over c to b) / ln(2 D - 1), D the nodes of the longest way down
    batet                    1 - \|Anc(a) ∩ Anc(b)\| / \|Anc(a) ∪ Anc(b)\|
    ======================== ===========================================================
    """
    virtual = connect_roots and len(hierarchy.roots) > 1
    base, option = with_option(name)
    if base in OF_INFORMATION:
        return _of_information(hierarchy, base, option or DEFAULT_INFORMATION, virtual=virtual)
    if base == "batet":
        return _of_ancestors(hierarchy)
    links = hierarchy.derive(LinksUpward(virtual))
    depth = _above(hierarchy.depth + virtual, 0.0, virtual=virtual)
    match name:
        case "wu-palmer":
            return Parts(links, partial(_wu_palmer, depth + 1))
        case "wu-palmer(links)":
            return Parts(links, partial(_wu_palmer, depth))
        case "leacock-chodorow":
            return Parts(links, partial(_leacock_chodorow, hierarchy.levels + virtual))
    raise ParameterError("cost", name, f"one of {', '.join(map(repr, NAMES))}")


def _of_information(hierarchy: Hierarchy, base: str, information: str, *, virtual: bool) -> Parts:
    values = information_by_name(hierarchy, information)
    most = values.max(initial=0.0) or 1.0
    if base == "jiang-conrath":
        ways = hierarchy.derive(LinksUpward(virtual))
        gained = values[row_of_entries(ways)] - _above(values, 0.0, virtual=virtual)[ways.indices]
        return Parts(with_data(ways, np.maximum(gained, 0.0) / (2 * most)), None)
    above = hierarchy.ancestors  # a virtual root says nothing: whoever shares it alone shares nothing
    if base == "resnik":
        return Parts(with_data(above, (1 - values[above.indices] / most) / 2), None)
    return Parts(with_data(above, values[row_of_entries(above)]), partial(_lin, values))


def _of_ancestors(hierarchy: Hierarchy) -> Parts:
    above = hierarchy.ancestors
    number = np.diff(above.indptr).astype(np.float64)
    return Parts(with_data(above, number[row_of_entries(above)]), partial(_batet, number))


def _above(values: NDArray[np.float64] | NDArray[np.intp], virtual_root: float, *, virtual: bool) -> Numbers:
    """Append the value of the virtual root, where there is one."""
    values = values.astype(np.float64)
    return np.append(values, virtual_root) if virtual else values


Similarity = Literal[
    "lin", "jiang-conrath", "resnik", "wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet"
]


def similarity(  # noqa: PLR0911 - a formula to a line
    hierarchy: Hierarchy,
    first: str,
    second: str,
    *,
    measure: Similarity = "lin",
    information: str = DEFAULT_INFORMATION,
    connect_roots: bool = True,
) -> float:
    r"""Compute how similar two concepts are.

    With c any common ancestor, links(a, c) the fewest links from a up to c, and depth(c) the most
    links from a root down to c:

    ================== ====================================================================== =========
    lin                2 max IC(c) / (IC(a) + IC(b)); 1 where neither says anything           [0, 1]
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
        Whether a virtual root connects several roots, at a level of its own and with the information content
        0; otherwise concepts below different roots have the similarity 0. By "batet" it is no ancestor.

    Returns
    -------
    float
        The similarity.

    Raises
    ------
    UnknownConceptError
        If the hierarchy lacks one of the two.
    ParameterError
        If there is no such measure or information content.
    InputError
        If the weight is no information content.

    See Also
    --------
    cost_between : The same as costs in [0, 1].

    References
    ----------
    [lin1998]_, [jiang1997]_, [resnik1999]_, [wu1994]_, [leacock1998]_, [batet2011]_.

    Examples
    --------
    >>> pets = Hierarchy.from_edges([("animal", "pet"), ("pet", "cat"), ("pet", "dog"), ("animal", "yak")])
    >>> round(similarity(pets, "cat", "dog"), 4), similarity(pets, "cat", "yak", measure="batet")
    (0.3174, 0.25)
    """
    one_of("measure", measure, get_args(Similarity))
    a, b = hierarchy.vocabulary.positions([first, second]).tolist()
    virtual = connect_roots and len(hierarchy.roots) > 1
    up = [values_of_row(hierarchy.derive(LinksUpward(virtual)), end) for end in (a, b)]
    common = sorted(up[0].keys() & up[1].keys())
    real = [c for c in common if c < len(hierarchy.vocabulary)]
    if measure == "batet":
        return len(real) / len((up[0].keys() | up[1].keys()) - {len(hierarchy.vocabulary)})
    if not common:
        return 0.0
    ways = np.array([up[0][c] + up[1][c] for c in common])
    depth = np.array([hierarchy.depth[c] + virtual if c in real else 0 for c in common])
    match measure:
        case "wu-palmer":
            return float(np.max(2 * (depth + 1) / (ways + 2 * (depth + 1))))
        case "wu-palmer(links)":
            return 1.0 if a == b else float(np.max(2 * depth / (ways + 2 * depth)))
        case "leacock-chodorow":
            return float(-np.log((ways.min() + 1) / (2 * (hierarchy.levels + virtual))))
    values = information_by_name(hierarchy, information)
    shared = float(values[real].max(initial=0.0))
    both = float(values[a] + values[b])
    match measure:
        case "resnik":
            return shared
        case "jiang-conrath":
            return 1 / (1 + both - 2 * shared)
    return 2 * shared / both if both > 0 else float(bool(real))
