"""Audits, agreements and studies that pages are made of: of ordinary names, and of hostile ones."""

from __future__ import annotations

from functools import cache

import numpy as np

import ontoeval as oe
from ontoeval.annotators.agreement import AnnotatorAgreement as Agreement
from ontoeval.annotators.agreement import agreement
from ontoeval.annotators.annotations import Annotations
from ontoeval.comparison.study import Study, study
from tests.pages import comparison

NAMES = ("animals", "cats", "dogs", "plants", "trees", "flowers", "sky", "sea")


def hierarchy(names: tuple[str, ...] = NAMES) -> oe.Hierarchy:
    """Stand the second and third name below the first, the fifth and sixth below the fourth."""
    return oe.Hierarchy.from_edges(
        [(names[0], names[1]), (names[0], names[2]), (names[3], names[4]), (names[3], names[5])],
        concepts=names,
        exclusions=[oe.core.Exclusion(names[6], names[7])],
    )


def audit(names: tuple[str, ...] = NAMES, *, samples: int = 60) -> oe.audit.Findings:
    """Audit sets that are closed upwards, some of which bear labels that exclude each other, or unknown ones."""
    usual = [{names[0], names[1]}, {names[3], names[4]}, {names[6]}, {names[7]}]
    sets = [set(usual[at % 4]) for at in range(samples)]
    sets[1] = {names[4]}
    sets[2] |= {names[7], names[5], "no such " + names[0]}
    ids = [f"{names[at % len(names)]} {at}" for at in range(samples)]
    labels = oe.LabelSets.from_sets(dict(zip(ids, sets, strict=True)), vocabulary=sorted(set().union(*sets)))
    return oe.audit_labels(labels, hierarchy(names))


def annotators(
    names: tuple[str, ...] = NAMES, *, number: int = 5, samples: int = 30, flat: bool = False
) -> Agreement:
    """Let annotators err more and more on the same samples; each is called like a concept."""
    rng = np.random.default_rng(2011)
    truth = rng.random((samples, len(names))) < 0.3
    ids = [f"s{at}" for at in range(samples)]
    said = {
        (names[at % len(names)] + " " * (at // len(names))): oe.LabelSets.from_array(
            truth ^ (rng.random(truth.shape) < 0.05 * (at + 1)), vocabulary=names, samples=ids
        )
        for at in range(number)
    }
    return agreement(
        Annotations.from_sets(said), hierarchy=None if flat else hierarchy(names), resamples=50, seed=3
    )


@cache
def measures(names: tuple[str, ...] = NAMES, *, flat: bool = False) -> Study:
    """Study three or four measures over six runs."""
    from ontoeval.comparison.sensitivity import Changes
    from ontoeval.comparison.study import study_of

    compared = comparison(names, runs=6, flat=flat)
    return study_of(
        compared,
        correlations=("tau_b", "ks"),
        changes=Changes(kinds=("drop", "sibling"), rates=(0.1, 0.3), samples=40),
    )


def small_study(truth: list[list[str]], runs: dict[str, list[list[str]]], *, only: list[str]) -> Study:
    """Study without changes and without a hierarchy."""
    return study(truth, runs, measures=only, resamples=30, changes=None)
