"""How related two concepts are, by what their common ancestors say and how far these are: as costs in [0, 1].

All but one of these costs are made of two parts, one from each concept up to a common ancestor, that are
added and then closed by a function of the sum and the ancestor which never falls as the sum grows. So the
nearest of many concepts is found without looking at pairs, as it is with paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import information_by_name, with_option
from ontoeval.core.csr import row_of_entries, with_data
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import ParameterError

Numbers = NDArray[np.float64]

OF_INFORMATION = ("lin", "jiang-conrath", "resnik")
"""Costs of information content; "lin(sanchez)" names another than Seco's."""
OF_PATHS = ("wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet")
NAMES = (*OF_INFORMATION, *OF_PATHS)
DEFAULT_INFORMATION = "seco"


PAIRS_AT_A_TIME = 100_000
"""Pairs whose ancestors are written out at a time."""


class Closing(Protocol):
    """Makes a cost of a sum and of the common ancestors that it was summed over."""

    def __call__(self, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
        """Compute costs in [0, 1]; larger sums never cost less."""
        ...


@dataclass(frozen=True, eq=False)
class LinClosing:
    """1 - 2 IC(c) / (IC(a) + IC(b)), the sum being that of the information contents."""

    information: Numbers

    def __call__(self, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
        """Compute the costs; where neither says anything, they are alike."""
        shared = 2 * self.information[ancestor]
        similarity = np.divide(shared, total, out=np.ones_like(total), where=total > 0)
        return np.asarray(1 - np.minimum(similarity, 1))


@dataclass(frozen=True, eq=False)
class WuPalmerClosing:
    """1 - 2 depth(c) / (links(a, c) + links(b, c) + 2 depth(c)), the sum being that of the links."""

    depth: Numbers

    def __call__(self, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
        """Compute the costs; the same concept costs 0, even a root at depth 0."""
        whole = total + 2 * self.depth[ancestor]
        return np.divide(total, whole, out=np.zeros_like(total), where=whole > 0)


@dataclass(frozen=True, eq=False)
class LeacockChodorowClosing:
    """ln(nodes of the way) / ln(2 D - 1), the sum being that of the links, D the nodes of the longest way."""

    levels: int

    def __call__(self, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
        """Compute the costs; the longest possible way costs 1."""
        del ancestor
        return np.asarray(np.log1p(total) / np.log(max(2 * self.levels - 1, 2)))


@dataclass(frozen=True, eq=False)
class BatetClosing:
    """1 - |Anc(c)| / |Anc(a) ∪ Anc(b)| in trees, the sum being |Anc(a)| + |Anc(b)|."""

    ancestors: Numbers

    def __call__(self, total: Numbers, ancestor: NDArray[np.intp] | int) -> Numbers:
        """Compute the costs; what lies above a common ancestor is shared, and in a tree nothing else is."""
        shared = self.ancestors[ancestor]
        return np.asarray(1 - shared / (total - shared))


@dataclass(frozen=True, eq=False)
class AncestorCosts:
    """1 less the share of the ancestors of two concepts that are common, pair by pair.

    In a tree the lowest common ancestor tells which they are; where concepts have several parents
    there may be several lowest ones, so the ancestors themselves are compared.
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
    """What path costs are made of, see `ontoeval.concepts.costs.PathCosts`."""

    from_all: sparse.csr_array
    closing: Closing | None


@dataclass(frozen=True)
class LinksUpward:
    """Fewest links from each concept to each of its ancestors, as a view of a hierarchy."""

    virtual_root: bool

    def __call__(self, hierarchy: Hierarchy) -> sparse.csr_array:
        """Count the links."""
        if not self.virtual_root:
            return hierarchy.links_upward
        return hierarchy.upward(np.ones(len(hierarchy.vocabulary)), virtual_root=True)


def is_name(name: str) -> bool:
    """Tell whether a name is that of costs of relatedness."""
    base, option = with_option(name)
    return name in NAMES or (base in OF_INFORMATION and option != "")


def parts(hierarchy: Hierarchy, name: str, *, connect_roots: bool = True) -> Parts:
    r"""Make the parts of the costs that go by a name.

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
    links = hierarchy.once(LinksUpward(virtual))
    depth = _above(hierarchy.depth + virtual, 0.0, virtual=virtual)
    match name:
        case "wu-palmer":
            return Parts(links, WuPalmerClosing(depth + 1))
        case "wu-palmer(links)":
            return Parts(links, WuPalmerClosing(depth))
        case "leacock-chodorow":
            return Parts(links, LeacockChodorowClosing(hierarchy.levels + virtual))
    raise ParameterError("cost", name, f"one of {', '.join(map(repr, NAMES))}")


def _of_information(hierarchy: Hierarchy, base: str, information: str, *, virtual: bool) -> Parts:
    values = information_by_name(hierarchy, information)
    most = values.max(initial=0.0) or 1.0
    if base == "jiang-conrath":
        ways = hierarchy.once(LinksUpward(virtual))
        gained = values[row_of_entries(ways)] - _above(values, 0.0, virtual=virtual)[ways.indices]
        return Parts(with_data(ways, np.maximum(gained, 0.0) / (2 * most)), None)
    above = hierarchy.ancestors  # a virtual root says nothing: whoever shares it alone shares nothing
    if base == "resnik":
        return Parts(with_data(above, (1 - values[above.indices] / most) / 2), None)
    return Parts(with_data(above, values[row_of_entries(above)]), LinClosing(values))


def _of_ancestors(hierarchy: Hierarchy) -> Parts:
    above = hierarchy.ancestors
    number = np.diff(above.indptr).astype(np.float64)
    return Parts(with_data(above, number[row_of_entries(above)]), BatetClosing(number))


def _above(values: NDArray[np.float64] | NDArray[np.intp], virtual_root: float, *, virtual: bool) -> Numbers:
    """Append the value of the virtual root, where there is one."""
    values = values.astype(np.float64)
    return np.append(values, virtual_root) if virtual else values
