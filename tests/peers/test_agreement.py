"""Coefficients of agreement beside krippendorff, statsmodels and scikit-learn, on random data with gaps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.annotators.coefficients import nominal
from ontoeval.annotators.pairwise_kappa import PairCounts

SEEDS = range(8)
ANNOTATORS, SAMPLES, VALUES = 5, 40, 4


def drawn(seed: int, *, missing: float = 0.3) -> NDArray[np.float64]:
    """Values from 1 to 4 that annotators give units, about half of them the unit's own; nan where there is none."""
    rng = np.random.default_rng(seed)
    own = rng.integers(1, VALUES + 1, SAMPLES)
    values = np.where(
        rng.random((ANNOTATORS, SAMPLES)) < 0.5, own, rng.integers(1, VALUES + 1, (ANNOTATORS, SAMPLES))
    )
    return np.where(rng.random(values.shape) < missing, np.nan, values)


def counts_of(values: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.stack([(values == value).sum(axis=0) for value in range(1, VALUES + 1)], axis=1)


def as_annotations(values: NDArray[np.float64]) -> oe.Annotations:
    """Take 4 for what is there, 3 for what is uncertain, the others for what is not; of two concepts."""
    said = {}
    for concept, shift in (("first", 0), ("second", 1)):
        shifted = (values - 1 + shift) % VALUES + 1
        for who, unit in zip(*np.nonzero(np.isfinite(shifted)), strict=True):
            said[unit, who, concept] = {4.0: 1, 3.0: 2}.get(float(shifted[who, unit]), 0)
    sheets = sorted({(unit, who) for unit, who, _ in said})
    states = np.array([[said[(*sheet, concept)] for concept in ("first", "second")] for sheet in sheets])
    sample, annotator = np.array(sheets).T
    from scipy import sparse

    return oe.Annotations(
        sparse.csr_array(states == 1),
        sparse.csr_array(states == 2),
        oe.Vocabulary(("first", "second")),
        tuple(map(str, range(SAMPLES))),
        tuple(map(str, range(ANNOTATORS))),
        sample,
        annotator,
    )


def binary(values: NDArray[np.float64], shift: int) -> NDArray[np.float64]:
    """What `as_annotations` says of a concept: 1, 0, or nan."""
    shifted = (values - 1 + shift) % VALUES + 1
    return np.where(np.isnan(values) | (shifted == 3), np.nan, (shifted == 4).astype(float))


@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_of_concepts_is_that_of_krippendorff(seed: int) -> None:
    peer = pytest.importorskip("krippendorff")
    values = drawn(seed)
    found = oe.agreement(as_annotations(values), resamples=10).estimates.concepts["alpha"].value
    for concept in range(2):
        expected = peer.alpha(
            reliability_data=binary(values, concept), level_of_measurement="nominal", value_domain=[0, 1]
        )
        assert found[concept] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_and_randolph_are_those_of_statsmodels(seed: int) -> None:
    peer = pytest.importorskip("statsmodels.stats.inter_rater")
    counts = counts_of(drawn(seed, missing=0.0))
    found = nominal(counts)
    assert found["fleiss"] == pytest.approx(peer.fleiss_kappa(counts, method="fleiss"), abs=1e-12)
    assert found["randolph"] == pytest.approx(peer.fleiss_kappa(counts, method="randolph"), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_cohen_is_that_of_statsmodels_and_scikit_learn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    peer = pytest.importorskip("statsmodels.stats.inter_rater")
    first, second = (drawn(seed, missing=0.0)[:2] > 2).astype(int)
    table = np.zeros((2, 2))
    np.add.at(table, (first, second), 1)
    counts = table.sum(), table[1].sum(), table[:, 1].sum(), table[1, 1]
    found = float(PairCounts(*counts).kappa)
    assert found == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-12)
    assert found == pytest.approx(peer.cohens_kappa(table, return_results=False), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mean_of_cohens_kappa_over_pairs_is_that_of_scikit_learn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    values = drawn(seed)
    found = oe.agreement(as_annotations(values), resamples=10)
    for concept in range(2):
        said = binary(values, concept)
        kappas = []
        for one, other in combinations(range(ANNOTATORS), 2):
            known = np.isfinite(said[[one, other]]).all(axis=0)
            kappas.append(metrics.cohen_kappa_score(said[one][known], said[other][known]))
        assert found.estimates.concepts["cohen"].value[concept] == pytest.approx(np.mean(kappas), abs=1e-12)
    both = np.concatenate([binary(values, concept) for concept in range(2)], axis=1)
    for pair in found.pairs:
        one, other = int(pair.first), int(pair.second)
        known = np.isfinite(both[[one, other]]).all(axis=0)
        assert pair.decisions == known.sum()
        assert pair.kappa == pytest.approx(
            metrics.cohen_kappa_score(both[one][known], both[other][known]), abs=1e-12
        )
