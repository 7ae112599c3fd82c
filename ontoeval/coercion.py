"""Coercion: label sets from whatever is handed over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ontoeval.batch import Batch, align
from ontoeval.choices import Missing
from ontoeval.errors import InputError, ParameterError
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets, collections_in
from ontoeval.scores import LabelScores
from ontoeval.verified import VerifiedLabels
from ontoeval.vocabulary import Vocabulary

Labels = LabelSets | VerifiedLabels | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any


def check_hierarchy(value: object) -> None:
    """Refuse what is no hierarchy.

    Parameters
    ----------
    value
        What was given.

    Raises
    ------
    ParameterError
        If it is something else.

    Examples
    --------
    >>> check_hierarchy(Hierarchy.flat(Vocabulary(("sky",))))
    """
    if not isinstance(value, Hierarchy):
        raise ParameterError("hierarchy", type(value).__name__, "a Hierarchy, such as ontology.hierarchy()")


def batch_of(
    truth: Labels, prediction: Labels, hierarchy: Hierarchy | None, missing: Missing = "refuse"
) -> Batch:
    """Make a batch of whatever was handed over.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels.
    hierarchy
        The hierarchy of the concepts, if there is one.
    missing
        What to do with samples that only one side has, see `align`.

    Returns
    -------
    Batch
        Both sides in one order.

    Examples
    --------
    >>> len(batch_of([["a"], ["b"]], [["b"], ["b"]], None))
    2
    """
    return align(*label_sets(truth, prediction, hierarchy), hierarchy=hierarchy, missing=missing)


def label_sets(
    truth: Labels, prediction: Labels, hierarchy: Hierarchy | None
) -> tuple[LabelSets | VerifiedLabels, LabelSets]:
    """Make label sets of whatever was handed over.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels.
    hierarchy
        The hierarchy of the concepts, if there is one.

    Returns
    -------
    tuple of LabelSets
        Both sides; a truth that is verified labels stays so. Names get their meaning from the other
        side's vocabulary, from the hierarchy, or from all names that occur, sorted; columns of arrays
        from the first two of these.

    Raises
    ------
    InputError
        If a side cannot be understood as label sets, or has unnamed columns beside names.
    ParameterError
        If the hierarchy is none.

    Examples
    --------
    >>> [sets.vocabulary.concepts for sets in label_sets([["a"]], [["b"]], None)]
    [('a', 'b'), ('a', 'b')]
    """
    if hierarchy is not None:
        check_hierarchy(hierarchy)
    if isinstance(prediction, VerifiedLabels):
        raise InputError(
            "verified labels stand where predictions belong", "Pass them as the truth, which comes first."
        )
    sides = [_readable(side) for side in (truth, prediction)]
    vocabulary = next(
        (side.vocabulary for side in sides if isinstance(side, LabelSets | VerifiedLabels)), None
    )
    if vocabulary is None and hierarchy is not None:
        vocabulary = hierarchy.label_vocabulary
    if vocabulary is None and any(isinstance(side, dict) for side in sides):
        if not all(isinstance(side, dict) for side in sides):
            raise InputError(
                "one side is an array without names, the other has names",
                "Name the columns: LabelSets.from_array(array, vocabulary=[...]).",
            )
        vocabulary = Vocabulary(
            tuple(sorted({name for side in sides for names in side.values() for name in names}))
        )
    first = _made(sides[0], vocabulary)
    # Two arrays without names need equal widths.
    return first, _made(sides[1], first.vocabulary if vocabulary is None else vocabulary)


def labels_and_prediction(
    truth: Labels, prediction: Labels, hierarchy: Hierarchy | None
) -> tuple[LabelSets | VerifiedLabels, LabelSets | LabelScores]:
    """Make label sets of whatever was handed over, but leave scores as they are.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels, or scores of labels.
    hierarchy
        The hierarchy of the concepts, if there is one.

    Returns
    -------
    tuple of LabelSets and of LabelSets or LabelScores
        Both sides. Beside scores, names in the truth get their meaning from the hierarchy, or from
        the concepts of the scores and all other names that occur.

    Raises
    ------
    InputError
        If a side cannot be understood.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.5]], vocabulary=["a"])
    >>> labels_and_prediction([["b"]], scores, None)[0].vocabulary.concepts
    ('a', 'b')
    """
    if not isinstance(prediction, LabelScores):
        return label_sets(truth, prediction, hierarchy)
    known = hierarchy.label_vocabulary if isinstance(hierarchy, Hierarchy) else prediction.vocabulary
    side = _readable(truth)
    if isinstance(side, dict) and hierarchy is None:
        others = {name for names in side.values() for name in names if name not in known}
        known = Vocabulary((*known, *sorted(others)))
    nothing = LabelSets(sparse.csr_array((0, len(known)), dtype=bool), known, ())
    return label_sets(truth, nothing, hierarchy)[0], prediction


def _made(side: Any, vocabulary: Vocabulary | None) -> Any:  # noqa: ANN401 - see `_readable`
    if isinstance(side, LabelSets | VerifiedLabels):
        return side
    if isinstance(side, dict):
        return LabelSets.from_sets(side, vocabulary=vocabulary)
    return LabelSets.from_array(side, vocabulary=vocabulary)


def _readable(side: Labels) -> Any:  # noqa: ANN401 - label sets, an array, or labels by sample
    """Tell numbers in rows from collections of names, and refuse what is neither."""
    if isinstance(side, LabelSets | VerifiedLabels) or hasattr(side, "shape"):
        return side
    if isinstance(side, LabelScores):
        raise InputError("scores stand where labels belong", "Make labels of them: scores.at(threshold).")
    rows = collections_in(side)
    if not isinstance(side, Mapping) and all(map(_is_numeric, rows)) and any(len(row) for row in rows):
        return rows
    samples = map(str, side) if isinstance(side, Mapping) else map(str, range(len(rows)))
    return {sample: list(map(str, row)) for sample, row in zip(samples, rows, strict=True)}


def _is_numeric(row: Any) -> bool:  # noqa: ANN401 - a row of any kind
    """Tell a row of an array from labels; labels that are numbers come in sets."""
    if isinstance(row, np.ndarray):
        return row.dtype.kind in "biuf"
    return isinstance(row, list | tuple) and all(isinstance(v, bool | int | float | np.generic) for v in row)
