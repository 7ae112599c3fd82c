"""Bits of concepts: worked values, what abstract concepts between others do to them, and bad weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.bits import Bits, Sizes
from ontoeval.errors import InputError, ParameterError
from tests.oracles.worked_examples import TOY_EDGES

TREE = oe.Hierarchy.from_edges(TOY_EDGES, abstract=["R"])
DAG = oe.Hierarchy.from_edges([*TOY_EDGES, ("B1", "c")], abstract=["R"])

SIZES = {"R": 0, "A": 0.2527782637, "B": 0.3288122585, "A1": 0.5418430900, "B1": 0.5418430900}
SIZES |= {"A2": 0.7109351737, **dict.fromkeys(["B2", *"abcde"], 1)}
BITS_OF_DAG = {"R": 0, "A": 0.2527782637, "B": 0.2527782637, "A1": 0.2890648263, "A2": 0.4581569100}
BITS_OF_DAG |= {"a": 0.4581569100, "b": 0.4581569100, "B1": 0.1690920837, "B2": 0.7472217363}
BITS_OF_DAG |= {"c": 0.4335972395, "d": 0.5781296526, "e": 0.5781296526}


def found(hierarchy: oe.Hierarchy, view: Any) -> dict[str, float]:
    return dict(zip(hierarchy.vocabulary, hierarchy.derive(view).tolist(), strict=True))


def test_worked_values_of_a_tree_and_of_several_parents() -> None:
    assert found(TREE, Sizes()) == pytest.approx(SIZES, abs=1e-10)
    assert found(DAG, Bits()) == pytest.approx(BITS_OF_DAG, abs=1e-10)
    assert found(DAG, Sizes())["c"] == pytest.approx(1, abs=1e-12)


def test_other_weights() -> None:
    halving, unit = (found(TREE, Bits(weights=weights)) for weights in ("halving", "unit"))
    assert [halving[name] for name in ("R", "A", "A1", "a")] == pytest.approx([0, 4 / 7, 2 / 7, 1 / 7])
    assert unit == dict.fromkeys(TREE.vocabulary, 1) | {"R": 0}
    own = TREE.with_weight("own", np.arange(12))
    assert found(own, Bits(weights="own")) == dict(zip(own.vocabulary, range(12), strict=True))


def test_credit_from_half_of_the_bits() -> None:
    sizes = found(TREE, Sizes(Bits(credit_from=0.5)))
    assert sizes == pytest.approx({name: max(0, 2 * size - 1) for name, size in SIZES.items()}, abs=1e-9)


def test_missing_and_unknown_weights_are_errors() -> None:
    with pytest.raises(InputError, match="the weight 'own' lacks 1 of 12 concepts: 'e'"):
        TREE.with_weight("own", {name: 1 for name in TREE.vocabulary if name != "e"})
    with pytest.raises(ParameterError, match="weights='own'"):
        TREE.derive(Bits(weights="own"))
    with pytest.raises(ParameterError, match="weights='bits'"):
        TREE.with_weight("bits", np.ones(12)).derive(Bits())
    with pytest.raises(InputError, match="no agreement, which is at most 1: 'a: 2'"):
        TREE.with_weight("own", [1, 1, 1, 1, 1, 2, *[1] * 6]).derive(Bits(agreement="own"))
