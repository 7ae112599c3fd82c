"""Information content of concepts: what a concept says, from the hierarchy alone or from annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import ParameterError
from ontoeval.hierarchy import Hierarchy

INTRINSIC = ("uniform",)
"""Weights that every hierarchy has; `Hierarchy.with_weight` adds others."""


def weight_by_name(hierarchy: Hierarchy, name: str) -> NDArray[np.float64]:
    """Find the weights of the concepts that go by a name.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    name
        "uniform": 1 for every concept; or the name of a weight that the hierarchy carries.

    Returns
    -------
    ndarray of float
        One number of at least 0 per concept.

    Raises
    ------
    ParameterError
        If there are no weights by that name.

    Examples
    --------
    >>> weight_by_name(Hierarchy.from_edges([("a", "b")]), "uniform")
    array([1., 1.])
    """
    if name in hierarchy.weights:
        return hierarchy.weights[name]
    if name == "uniform":
        return np.ones(len(hierarchy.vocabulary))
    known = ", ".join(map(repr, (*INTRINSIC, *hierarchy.weights)))
    raise ParameterError("weight", name, f"one of {known}, or a weight added by `Hierarchy.with_weight`")
