"""Label scores: what is kept, and which labels reach a threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, UnknownConceptError


def test_what_has_no_score_is_never_a_label() -> None:
    stored = sparse.csr_array((np.array([0.0, 1.0]), np.array([1, 2]), np.array([0, 2])), shape=(1, 3))
    scores = oe.LabelScores.from_array(stored)
    assert scores.at(-2).labels_of("0") == ("2",)
    assert len(scores) == 1
    assert stored.nnz == 2, "what was given stays as it was"


@pytest.mark.parametrize(
    ("threshold", "error", "message"),
    [
        ({"a": 0.5}, InputError, "no threshold for 1 concept: 'b'"),
        (np.nan, InputError, "no threshold for 2 concepts"),
        ({"a": 0.5, "z": 0.5}, UnknownConceptError, "'z'"),
    ],
)
def test_every_concept_needs_a_threshold(threshold: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        oe.LabelScores.from_array([[0.5, 0.5]], vocabulary=("a", "b")).at(threshold)


def test_scores_are_given_once() -> None:
    twice = sparse.csr_array((np.array([0.1, 0.2]), np.array([0, 0]), np.array([0, 2])), shape=(1, 1))
    with pytest.raises(InputError, match="sample 'p' has two scores for 'a'; 1 repeated score in all"):
        oe.LabelScores(twice, oe.Vocabulary(("a",)), ("p",))
