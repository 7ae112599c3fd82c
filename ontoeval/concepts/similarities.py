"""Similarity of two concepts, by the formulas as they were published; as costs see `relatedness`."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ontoeval.concepts.information import information_by_name
from ontoeval.concepts.relatedness import DEFAULT_INFORMATION, LinksUpward
from ontoeval.core.csr import values_of_row
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import one_of

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
    first
        A concept.
    second
        Another.
    measure
        One of these.
    information
        Name of the information content that the first three compare, see `weight_by_name`.
    connect_roots
        Whether several roots are connected by a virtual root, which says nothing and is a level;
        otherwise concepts below different roots have the similarity 0. To Batet et al. it is no
        ancestor.

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
        If what is named is no information content.

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
    up = [values_of_row(hierarchy.once(LinksUpward(virtual)), end) for end in (a, b)]
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
