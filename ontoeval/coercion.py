"""Coercion: label sets from whatever is handed over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ontoeval.batch import Batch, Missing, align
from ontoeval.errors import InputError
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.vocabulary import Vocabulary

Labels = LabelSets | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any


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


def label_sets(truth: Labels, prediction: Labels, hierarchy: Hierarchy | None) -> tuple[LabelSets, LabelSets]:
    """Make label sets of whatever was handed over."""
    vocabulary = next((s.vocabulary for s in (truth, prediction) if isinstance(s, LabelSets)), None)
    if vocabulary is None and hierarchy is not None:
        vocabulary = hierarchy.label_vocabulary
    sides: list[Any] = [
        side if isinstance(side, LabelSets) or _is_array(side) else _sets(side)
        for side in (truth, prediction)
    ]
    if vocabulary is None:
        named = [set().union(*side.values()) for side in sides if isinstance(side, dict)]
        vocabulary = Vocabulary(tuple(sorted(set().union(*named)))) if named else None
    made: list[LabelSets] = []
    for side in sides:
        make = LabelSets.from_sets if isinstance(side, dict) else LabelSets.from_array
        made.append(side if isinstance(side, LabelSets) else make(side, vocabulary=vocabulary))
        vocabulary = vocabulary or made[0].vocabulary  # two arrays without names need equal widths
    return made[0], made[1]


def _is_array(side: object) -> bool:
    """Tell numbers in rows from collections of names."""
    if hasattr(side, "shape"):
        return True
    if isinstance(side, Mapping) or not isinstance(side, Sequence) or isinstance(side, str):
        return False
    first = next(
        (row for row in side if isinstance(row, Sequence) and len(row) and not isinstance(row, str)), ()
    )
    return bool(first) and all(isinstance(value, int | float | np.number) for value in first)


def _sets(side: Any) -> dict[str, list[str]]:  # noqa: ANN401 - whatever was handed over
    """Take the labels of each sample, keeping what may be an iterator."""
    pairs = side.items() if isinstance(side, Mapping) else enumerate(side)
    if isinstance(side, Mapping) and any(isinstance(labels, str) for labels in side.values()):
        raise InputError("a text stands where the labels of a sample belong", "Give a list of labels.")
    return {str(sample): list(map(str, labels)) for sample, labels in pairs}
