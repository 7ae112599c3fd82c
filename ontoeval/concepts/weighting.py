"""Agreement of annotators on each concept, as a weight of the hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.frames import by_names
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary, numbers_in_order
from ontoeval.errors import InputError, MeasureError, enumerate_some, pluralise
from ontoeval.plumbing.checks import refuse_non_mapping

AGREEMENT = "agreement"
"""Name of the weight that the ontology score uses by default; without it agreement is full, a = 1."""


@front_door
def with_agreement(
    hierarchy: AnyHierarchy, agreement: Mapping[str, float], labels: Iterable[str] | None = None
) -> Hierarchy:
    """Add the annotators' agreement to a hierarchy, as its weight "agreement".

    Parameters
    ----------
    hierarchy
        The hierarchy.
    agreement
        A number in [0, 1] for each concept: a mapping, a series whose index is the concepts, or a data frame
        of two columns.
    labels
        The concepts that need one; by default all that may be labels.

    Returns
    -------
    Hierarchy
        The hierarchy with the weight; 1 for concepts that are no labels.

    Raises
    ------
    UnknownConceptError
        If a concept is unknown.
    InputError
        If a concept that needs an agreement has none, or a number is outside [0, 1].

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b")])
    >>> with_agreement(hierarchy, {"a": 1, "b": 0.8}).weights["agreement"]
    array([1. , 0.8])
    """
    return _with_agreement(hierarchy, agreement, labels)


def _with_agreement(
    hierarchy: Hierarchy, agreement: Mapping[str, float], labels: Iterable[str] | None
) -> Hierarchy:
    agreement = by_names("agreement", agreement)
    refuse_non_mapping("agreement", agreement)
    concepts = hierarchy.vocabulary
    wanted = hierarchy.labels if labels is None else concepts.positions(labels)
    free = np.setdiff1d(np.arange(len(concepts)), wanted).tolist()
    given = {**{concepts[position]: 1.0 for position in free}, **agreement}
    return hierarchy.with_weight(AGREEMENT, agreement_of(concepts, given))


def with_agreement_of(
    hierarchy: Hierarchy | None, agreement: Mapping[str, float] | None, labels: Iterable[str]
) -> Hierarchy | None:
    """Add the annotators' agreement to a hierarchy, if there is one; see `with_agreement`."""
    if agreement is None:
        return hierarchy
    if hierarchy is None:
        raise MeasureError("An agreement needs a hierarchy to weight: pass hierarchy= as well.")
    return _with_agreement(hierarchy, agreement, labels)


def agreement_of(concepts: Vocabulary, given: Mapping[str, float]) -> NDArray[np.float64]:
    """Agreement of each concept, a number from 0 to 1."""
    shares = numbers_in_order(concepts, given, AGREEMENT)
    wrong = np.flatnonzero(~((shares >= 0) & (shares <= 1)))  # nan is neither
    if wrong.size:
        named = enumerate_some(concepts[position] for position in wrong.tolist())
        raise InputError(
            f"no agreement from 0 to 1 for {pluralise(wrong.size, 'concept')}: {named}",
            "Give each concept one, or read the file with a default: "
            "ontoeval.read_agreement(..., default=1).",
        )
    return shares
