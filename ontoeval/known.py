"""What is known: which numbers say so, what follows in a hierarchy, and the part of a prediction it judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ontoeval.csr import pattern, row_of_entries
from ontoeval.errors import InputError, listed, one_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.scores import LabelScores

_UNKNOWN = {0: -1.0, -1: 0.0}
"""By the number that says that a label is absent, the one that says nothing."""


@dataclass(frozen=True, eq=False)
class KnownPart(LabelSets):
    """What of a prediction can be judged, and the whole of it, from which more follows in a hierarchy.

    Parameters
    ----------
    matrix
        The labels of which it is known whether they are there.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples.
    whole
        All labels that were predicted.
    """

    whole: LabelSets | None = None


def all_below(absent: LabelSets, hierarchy: Hierarchy) -> sparse.csr_array:
    """Find the labels that are absent because they or something above them is said to be.

    Parameters
    ----------
    absent
        Labels that are said not to be there, over the labels of the hierarchy.
    hierarchy
        Tells what lies below.

    Returns
    -------
    csr_array of bool
        One row per sample and one column per label of the hierarchy.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("b", "c")])
    >>> all_below(LabelSets.from_sets([["b"]], vocabulary=hierarchy.vocabulary), hierarchy).toarray()
    array([[False,  True,  True]])
    """
    upwards = hierarchy.label_ancestors[:, hierarchy.labels]
    return pattern(absent.matrix @ upwards.T.tocsr())


def refuse_contradictions(positive: LabelSets, negative: LabelSets, hierarchy: Hierarchy) -> None:
    """Refuse labels that are said to be there though one above them is said to be absent.

    Parameters
    ----------
    positive
        Labels that are there, over the labels of the hierarchy.
    negative
        Labels that are not, of the same samples.
    hierarchy
        Tells what lies above.

    Raises
    ------
    InputError
        If there are such; the message lists them.
    """
    wrong = pattern(positive.matrix.multiply(all_below(negative, hierarchy)))
    if wrong.nnz:
        upwards = hierarchy.label_ancestors[:, hierarchy.labels]
        cells = zip(row_of_entries(wrong).tolist(), wrong.indices.tolist(), strict=True)
        shown = []
        for _, (row, column) in zip(range(5), cells, strict=False):
            above = np.intersect1d(upwards[[column]].indices, negative.matrix[[row]].indices)[0]
            names = positive.vocabulary
            shown.append(f"{positive.samples[row]}: {names[column]} without {names[int(above)]}")
        raise InputError(
            f"{wrong.nnz:,} labels are there, but something above them is said to be absent: "
            f"{listed(shown, total=wrong.nnz)}",
            "Correct one of the two statements: what is there is also everything above it.",
        )


def number_of_unknown(negative: int) -> float:
    """Tell which number says that nothing is known.

    Parameters
    ----------
    negative
        Which number says that a label is not there.

    Returns
    -------
    float
        -1 beside 0, and 0 beside -1.

    Raises
    ------
    ParameterError
        If it is neither 0 nor -1.

    Examples
    --------
    >>> number_of_unknown(0)
    -1.0
    """
    one_of("negative", negative, tuple(_UNKNOWN))
    return _UNKNOWN[negative]


def sides_of_numbers(scores: LabelScores, negative: int) -> tuple[LabelSets, LabelSets]:
    """Tell labels that are there from those that are not, where numbers say so.

    Parameters
    ----------
    scores
        The numbers: 1, 0 or -1; what has none is unknown.
    negative
        Which number says that a label is not there: 0, or -1.

    Returns
    -------
    tuple of two LabelSets
        The labels that are there, and those that are not.

    Raises
    ------
    InputError
        If there is another number.
    ParameterError
        If a label cannot be said so not to be there.
    """
    unknown, matrix = number_of_unknown(negative), scores.matrix
    odd = np.flatnonzero(~np.isin(matrix.data, [1.0, float(negative), unknown]))
    if odd.size:
        sample = scores.samples[row_of_entries(matrix)[odd[0]]]
        raise InputError(
            f"of {scores.vocabulary[int(matrix.indices[odd[0]])]!r} in sample {sample!r} "
            f"{matrix.data[odd[0]]:g} is said",
            f"Say 1 of a label that is there, {negative} of one that is not, and {unknown:g} or nothing "
            "where that is not known.",
        )
    positive, absent = (
        LabelSets(
            sparse.csr_array((matrix.data == value, matrix.indices, matrix.indptr), shape=matrix.shape),
            scores.vocabulary,
            scores.samples,
        )
        for value in (1.0, float(negative))
    )
    return positive, absent
