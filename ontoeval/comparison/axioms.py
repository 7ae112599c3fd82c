"""Axioms: what one may expect of any measure, each with small cases to try it on, made at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from scipy import sparse

from ontoeval.comparison.cases import Marks, Material, Sides
from ontoeval.comparison.perturbed_hierarchies import insert_nodes
from ontoeval.comparison.perturbed_targets import parents, siblings
from ontoeval.measures.sums import BLOCK

Relation = Literal["better", "no worse", "alike", "near"]
"""How the first side is to score beside the second: "better" is strictly so."""


@dataclass(frozen=True, eq=False)
class Axiom:
    """What is expected, and how cases of it are made."""

    text: str
    relation: Relation
    make: Callable[[Material], Sides]
    single: bool = False


def _sibling(material: Material) -> Sides:
    return material.near_and_far(siblings(material.hierarchy), deep=True)


def _cousin(material: Material) -> Sides:
    return material.near_and_far(siblings(material.hierarchy), deep=False, cousins=True)


def _parent(material: Material) -> Sides:
    return material.near_and_far(parents(material.hierarchy), deep=False)


def _wrong_added(material: Material) -> Sides:
    truth = material.some()
    prediction = material.partly(truth, material.one(material.pick(truth)))
    above = np.asarray((sparse.csr_array(truth) @ material.hierarchy.labels_upward).toarray(), dtype=bool)
    wrong = material.pick(~(above | prediction))
    return material.sides(truth, prediction, prediction | material.one(wrong), wrong >= 0)


def _right_added(material: Material) -> Sides:
    truth = material.some()
    missed = material.pick(truth)
    added = material.one(missed)
    prediction = material.partly(truth, np.zeros_like(truth)) & ~added
    return material.sides(truth, prediction | added, prediction)


def _missed_or_false(material: Material) -> Sides:
    larger = material.some(least=2)
    smaller = larger & ~material.one(material.pick(larger))
    usable = smaller.any(axis=1)
    return Sides(
        material.batch(larger[usable], smaller[usable]), material.batch(smaller[usable], larger[usable])
    )


def _exchanged(material: Material) -> Sides:
    truth = material.some(least=2)
    once = _exchange(material, truth, truth)
    twice = _exchange(material, truth, once)
    usable = (once & ~truth).any(axis=1) & ((twice & ~truth).sum(axis=1) > 1)
    return material.sides(truth, once, twice, usable)


def _exchange(material: Material, truth: Marks, prediction: Marks) -> Marks:
    """Put a wrong label in the place of a right one, where there are both."""
    right, wrong = material.pick(truth & prediction), material.pick(~(material.in_line(truth) | prediction))
    both = (right >= 0) & (wrong >= 0)
    gone, comes = (material.one(np.where(both, column, -1)) for column in (right, wrong))
    return (prediction & ~gone) | comes


def _empty(material: Material) -> Sides:
    truth = material.some()
    return material.sides(truth, truth, np.zeros_like(truth))


def _everything(material: Material) -> Sides:
    truth = material.some(count=min(material.count, max(1, BLOCK // 2 // max(1, material.width))))
    return material.sides(truth, truth, np.ones_like(truth), np.logical_not(truth.all(axis=1)))


def _truth(material: Material) -> Sides:
    truth = material.some()
    return material.sides(truth, truth, material.partly(truth, np.zeros_like(truth)))


def _nodes_inserted(material: Material) -> Sides:
    truth = material.some()
    prediction = material.partly(truth, np.zeros_like(truth))
    larger = insert_nodes(material.hierarchy, 0.2, seed=material.rng).hierarchy
    return Sides(material.batch(truth, prediction), material.batch(truth, prediction, larger))


AXIOMS: Mapping[str, Axiom] = MappingProxyType(
    {
        "a sibling costs less than a stranger": Axiom(
            "one label, taken for a sibling; or for one that shares nothing but a root with it",
            "better",
            _sibling,
            single=True,
        ),
        "a sibling costs less than a cousin": Axiom(
            "one label, taken for a sibling; or for one that shares a grandparent, but no parent with it",
            "better",
            _cousin,
            single=True,
        ),
        "a parent costs less than a stranger": Axiom(
            "one label, taken for one directly above; or for one that shares nothing but a root with it",
            "better",
            _parent,
            single=True,
        ),
        "adding a wrong label does not help": Axiom(
            "a prediction with a right label; or the same and a label that is not true nor above a true one",
            "no worse",
            _wrong_added,
        ),
        "adding a right label does not hurt": Axiom(
            "a prediction and a true label that it lacks; or the prediction without it",
            "no worse",
            _right_added,
        ),
        "one more confusion does not help": Axiom(
            "the truth with one label exchanged for a wrong one; or with one more",
            "no worse",
            _exchanged,
        ),
        "a missed and a false label cost alike": Axiom(
            "one label of several missed; or truth and prediction exchanged", "alike", _missed_or_false
        ),
        "nothing is better than the truth": Axiom(
            "the truth as prediction; or some of it, and at times a false label", "no worse", _truth
        ),
        "the empty prediction is not best": Axiom("the truth as prediction; or no label", "better", _empty),
        "predicting everything is not best": Axiom(
            "the truth as prediction; or every label", "better", _everything
        ),
        "inserting nodes changes little": Axiom(
            "some prediction; or the same, with abstract concepts put on a fifth of the links",
            "near",
            _nodes_inserted,
        ),
    }
)
"""What one may expect of a measure, by name."""
