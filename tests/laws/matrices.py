"""What the laws of confusion matrices share."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontoeval.confusion.matrix import matrix_of
from ontoeval.measures.confusion_rules import RULES, Confusion
from tests.laws.cases import batch_of, pairs
from tests.strategies import Pair, multiclass_pairs

Numbers = NDArray[np.float64]

EVERY = [(rule, variant) for rule in RULES if rule != "one-vs-rest" for variant in RULES[rule].variants]
SQUARE = [each for each in EVERY if not each[0].startswith("tensor")]
MULTI = [each for each in EVERY if each[0] != "multiclass"]


def matrix(pair: Pair, rule: str, variant: str | None = None) -> Numbers:
    """The matrix of a pair, pseudo-concepts last."""
    return np.asarray(matrix_of(batch_of(pair), Confusion(rule, variant)).matrix)


def pairs_for(rule: str) -> st.SearchStrategy[Pair]:
    """Pairs that a rule takes."""
    return multiclass_pairs() if rule == "multiclass" else pairs()


def extended(side: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Append `unknown`, a member of empty sets."""
    return np.column_stack([side, ~side.any(axis=1)])


def off_diagonal(found: Numbers) -> float:
    """Everything that is a confusion."""
    return float(found.sum() - np.trace(found))


def counts(found: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """TP, FP and FN of a square matrix."""
    tp = found.diagonal()
    return tp, found.sum(axis=0) - tp, found.sum(axis=1) - tp


def close(found: Any, expected: Any) -> bool:
    """Expect equality up to rounding."""
    return np.allclose(found, expected, rtol=0, atol=1e-9, equal_nan=True)


def at_most(one: Any, other: Any) -> bool:
    """Expect no element above another one, but for rounding and what is undefined."""
    return not np.any(np.asarray(one) > np.asarray(other) + 1e-9)
