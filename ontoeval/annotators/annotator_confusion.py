"""Which concepts annotators confuse: the label sets of two of them as truth and prediction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontoeval.annotators.annotations import Annotations, annotations_of
from ontoeval.confusion.matrix import ConfusionMatrix, confusion_matrix
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, listed, near

MOST = 200_000
"""Of more pairs so many are drawn."""


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
        Who said what: annotations, a data frame that `Annotations.from_frame` reads, or the labels of each
        annotator; sheets with an unknown concept are left out.
    first
        Whose labels stand in the rows; by default everybody's in turn.
    second
        Whose labels stand in the columns; by default everybody's else.
    rule
        The rule of the matrix, see `ontoeval.confusion_matrix`.
    variant
        The rule's variant.
    most
        Of more pairs of sheets of the same sample so many are drawn.
    seed
        Where the random numbers begin.

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
    annotations = annotations_of(annotations)
    for name in (first, second):
        if name is not None and name not in annotations.annotators:
            raise InputError(
                f"no annotator {name!r}{near(name, annotations.annotators)}",
                f"The first are {listed(annotations.annotators)}.",
            )
    annotations = annotations.in_order()
    kept = annotations.chosen(annotations.complete)
    rows = np.arange(len(kept))
    if first is not None:
        rows = np.flatnonzero(kept.annotator == kept.annotators.index(first))
    sizes = kept.sheets_of_samples[kept.sample[rows]]
    begin = (np.cumsum(kept.sheets_of_samples) - kept.sheets_of_samples)[kept.sample[rows]]
    before = np.cumsum(sizes) - sizes
    number = np.arange(sizes.sum())
    if second is None and number.size > most:
        number = np.unique(np.random.default_rng(seed).integers(0, number.size, most))
    which = np.searchsorted(before, number, side="right") - 1
    one, other = rows[which], begin[which] + number - before[which]
    chosen = one != other
    if second is not None:
        chosen &= kept.annotator[other] == kept.annotators.index(second)
    if not chosen.any():
        raise InputError(
            "no two of these annotators have a sample in common of which both say something of every concept",
            "Name others.",
        )
    names = tuple(map(str, range(int(chosen.sum()))))
    sides = (LabelSets(kept.positive[side[chosen]], kept.vocabulary, names) for side in (one, other))
    return confusion_matrix(*sides, rule=rule, variant=variant)
