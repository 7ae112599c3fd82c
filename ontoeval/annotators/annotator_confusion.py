"""Which concepts annotators confuse: the label sets of two of them as truth and prediction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontoeval.annotators.annotations import Annotations, annotations_of, annotator_position
from ontoeval.confusion.matrix import ConfusionMatrix, confusion_matrix
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError

MOST = 200_000
"""Default of the number of pairs of sheets."""


def annotator_confusion(
    annotations: Annotations | Any,  # noqa: ANN401 - a frame of any library
    first: str | None = None,
    second: str | None = None,
    *,
    rule: str = "krstinic",
    variant: str | None = None,
    most: int = MOST,
    seed: int = 0,
) -> ConfusionMatrix:
    """Make the confusion matrix of annotators: rows are what one says, columns what another says.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator;
        sheets with an unknown concept are left out.
    first
        Whose labels stand in the rows; by default everybody's in turn.
    second
        Whose labels stand in the columns; by default everybody else's.
    rule, variant
        The rule of the matrix and its variant, see `ontoeval.confusion_matrix`.
    most
        Of more pairs of sheets of the same sample so many are drawn.
    seed
        Random seed.

    Returns
    -------
    ConfusionMatrix
        The matrix, summed over the pairs of sheets.

    Raises
    ------
    InputError
        If there is no such annotator, or no two of them have a sample in common.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"]], "Bob": [["b"]]})
    >>> annotator_confusion(said, "Ann", "Bob", rule="multiclass").matrix.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    annotations = annotations_of(annotations).in_order()
    row, column = (
        None if name is None else annotator_position(annotations, name) for name in (first, second)
    )
    kept = annotations.chosen(annotations.complete)
    sheets = np.flatnonzero((kept.annotator == row) | (row is None))
    sizes = kept.sheets_of_samples[kept.sample[sheets]]
    begin = (np.cumsum(kept.sheets_of_samples) - kept.sheets_of_samples)[kept.sample[sheets]]
    before = np.cumsum(sizes) - sizes
    number = np.arange(sizes.sum())
    if second is None and number.size > most:
        number = np.unique(np.random.default_rng(seed).integers(0, number.size, most))
    which = np.searchsorted(before, number, side="right") - 1
    one, other = sheets[which], begin[which] + number - before[which]
    chosen = (one != other) & ((kept.annotator[other] == column) | (column is None))
    if not chosen.any():
        raise InputError(
            "no two of these annotators have a sample in common of which both say something of every concept",
            "Name others.",
        )
    names = tuple(map(str, range(int(chosen.sum()))))
    sides = (LabelSets(kept.positive[side[chosen]], kept.vocabulary, names) for side in (one, other))
    return confusion_matrix(*sides, rule=rule, variant=variant)
