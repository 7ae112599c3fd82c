"""What a corpus of annotations says of concepts: information content and information accretion.

The corpus is always given: estimated from the truth that is scored, the numbers would change with it, and
scores of parts could not be added.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.csr import pattern
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, ParameterError, counted, listed, one_of

Unseen = Literal["once", "smoothed", "refuse"]
UNSEEN = ("once", "smoothed", "refuse")
BLOCK = 20_000
"""Samples whose ancestors are written out at a time."""


def information_content(
    sets: Labels, hierarchy: Hierarchy, *, unseen: Unseen = "once"
) -> NDArray[np.float64]:
    r"""Estimate from annotations what each concept says, in bits.

    .. math:: IC(c) = -\log_2 \frac{|\{i : c \in Y_i\uparrow\}|}{N}

    Parameters
    ----------
    sets
        The annotations of a corpus, as `evaluate` takes labels; any concept of the hierarchy may be a
        label there.
    hierarchy
        The hierarchy, whose ancestors every label brings along.
    unseen
        Of concepts that no sample bears: "once" counts them as borne by one sample, as PyEvALL
        does; "smoothed" counts every concept, seen or not, one more time, in one more sample;
        "refuse" makes them an error.

    Returns
    -------
    ndarray of float
        One number of at least 0 per concept of the hierarchy, none smaller than that of a parent.

    Raises
    ------
    InputError
        If there are no samples, or some concept is in none and that is refused.
    UnknownConceptError
        If the hierarchy lacks a label.
    ParameterError
        If an option has a value that it cannot have.

    See Also
    --------
    with_information : Give the numbers to the hierarchy, with the corpus they come from.

    References
    ----------
    [resnik1999]_, [amigo2022]_.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c")])
    >>> information_content(LabelSets.from_sets([["b"], ["c"], ["c"], ["c"]]), hierarchy).round(4)
    array([0.   , 2.   , 0.415])
    """
    one_of("unseen", unseen, UNSEEN)
    sets = sets_of(sets)
    counts, _ = _counts(sets, hierarchy)
    none = np.flatnonzero(counts == 0)
    if unseen == "refuse" and none.size:
        raise InputError(
            f"no sample bears {none.size:,} of {counts.size:,} concepts: "
            + listed(hierarchy.vocabulary[at] for at in none.tolist()),
            "Take a larger corpus, or say what unseen concepts count as: unseen='once' or 'smoothed'.",
        )
    more = float(unseen == "smoothed")
    seen = np.maximum(counts + more, 1.0)
    return np.asarray(np.abs(np.log2(seen / (len(sets) + more))))


def information_accretion(sets: Labels, hierarchy: Hierarchy) -> NDArray[np.float64]:
    r"""Estimate from annotations what each concept says beyond its parents, in bits.

    .. math:: IA(c) = -\log_2 \frac{|\{i : c \in Y_i\uparrow\}|}
                                   {|\{i : parents(c) \subseteq Y_i\uparrow\}|}

    It is 0 for roots, and for concepts that no sample bears.

    Parameters
    ----------
    sets
        The annotations of a corpus, as `evaluate` takes labels; any concept of the hierarchy may be a
        label there.
    hierarchy
        The hierarchy, whose ancestors every label brings along.

    Returns
    -------
    ndarray of float
        One number of at least 0 per concept of the hierarchy.

    Raises
    ------
    InputError
        If there are no samples.
    UnknownConceptError
        If the hierarchy lacks a label.

    See Also
    --------
    with_information : Give the numbers to the hierarchy, with the corpus they come from.

    References
    ----------
    [clark2013]_.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c"), ("b", "d")])
    >>> information_accretion(LabelSets.from_sets([["d"], ["d"], ["b"], ["c"]]), hierarchy).round(4)
    array([0.   , 0.415, 2.   , 0.585])
    """
    counts, together = _counts(sets, hierarchy)
    defined = (counts > 0) & (np.diff(hierarchy.parents.indptr) > 0)
    shares = np.divide(counts, together, out=np.ones(counts.size), where=defined)
    return np.asarray(np.abs(np.log2(shares)))


def with_information(
    hierarchy: Hierarchy,
    sets: Labels,
    *,
    corpus: str,
    unseen: Unseen = "once",
    withheld: bool = False,
) -> Hierarchy:
    """Give a hierarchy the information content and accretion of a corpus, as weights "ic" and "ia".

    Parameters
    ----------
    hierarchy
        The hierarchy.
    sets
        The annotations of the corpus: not the truth that is to be scored.
    corpus
        What the corpus is, for signatures; its size and its digest are added.
    unseen
        What concepts that no sample bears count as, see `information_content`.
    withheld
        Whether the corpus is not public: then no digest is made of it, by which a guess could be tested.

    Returns
    -------
    Hierarchy
        The hierarchy with both weights.

    Raises
    ------
    InputError
        If there are no samples.
    UnknownConceptError
        If the hierarchy lacks a label.
    ParameterError
        If the corpus is not described.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c")])
    >>> known = with_information(hierarchy, LabelSets.from_sets([["b"], ["c"]]), corpus="train 2024")
    >>> known.weights["ia"], known.sources["weight 'ia'"]
    (array([0., 1., 1.]), 'information accretion in train 2024, 2 samples (sha256 92f8898fb53f)')
    """
    if not isinstance(corpus, str) or not corpus.strip():
        raise ParameterError("corpus", corpus, "a text that says where the annotations come from")
    sets = sets_of(sets)
    digest = "digest withheld" if withheld else f"sha256 {_digest(sets)[:12]}"
    described = f"{corpus.strip()}, {counted(len(sets), 'sample')} ({digest})"
    content = f"information content in {described}, {_COUNTED.get(unseen)}"
    known = hierarchy.with_weight("ic", information_content(sets, hierarchy, unseen=unseen), source=content)
    accretion = f"information accretion in {described}"
    known = known.with_weight("ia", information_accretion(sets, hierarchy), source=accretion)
    return replace(known, withheld=known.withheld | {"ic", "ia"}) if withheld else known


_COUNTED = {
    "once": "unseen concepts counted as borne once",
    "smoothed": "every concept counted once more",
    "refuse": "no concept unseen",
}


def _counts(sets: Labels, hierarchy: Hierarchy) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count the samples that bear each concept, and those that bear all of its parents."""
    sets = sets_of(sets)
    if not len(sets):
        raise InputError("a corpus without samples says nothing", "Give annotations.")
    concepts = len(hierarchy.vocabulary)
    above = hierarchy.ancestors[hierarchy.vocabulary.positions(sets.vocabulary)]
    parents = hierarchy.parents
    number = np.diff(parents.indptr)
    several = np.flatnonzero(number > 1)
    to_children = sparse.csr_array(parents[several].T.astype(np.int32))
    counts, all_parents = np.zeros(concepts), np.zeros(concepts)
    for begin in range(0, len(sets), BLOCK):
        borne = pattern(sets.matrix[begin : begin + BLOCK] @ above)
        counts += np.bincount(borne.indices, minlength=concepts)
        met = borne.astype(np.int32) @ to_children
        whole = met.indices[met.data == number[several][met.indices]]
        all_parents[several] += np.bincount(whole, minlength=several.size)
    single = np.flatnonzero(number == 1)
    all_parents[single] = counts[parents.indices[parents.indptr[single]]]
    return counts, all_parents


def _digest(sets: LabelSets) -> str:
    """SHA-256 of who bears what, whatever the order of concepts and samples."""
    order = np.argsort(np.array(sets.vocabulary.concepts, dtype=object))
    names = [sets.vocabulary[int(at)] for at in order]
    columns = pattern(sets.matrix[:, order])
    rows = np.argsort(np.array(sets.samples, dtype=object))
    matrix = columns[rows]
    present, place = np.unique(matrix.indices, return_inverse=True)
    used = [names[at] for at in present.tolist()]
    digest = sha256("\0".join([*used, "", *(sets.samples[int(at)] for at in rows)]).encode())
    digest.update(np.asarray(matrix.indptr, dtype="<i8").tobytes())
    digest.update(np.asarray(place, dtype="<i8").tobytes())
    return digest.hexdigest()
