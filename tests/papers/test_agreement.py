"""Worked values of annotator agreement, to the digits that are printed."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.annotators.coefficients import nominal
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import PairCounts
from ontoeval.annotators.set_agreement import SetDistance, set_alphas

NAN = float("nan")

# Krippendorff (2011): four observers, twelve units, five values.
CANONICAL = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]

# The table by which Fleiss's kappa is usually explained: fourteen raters, ten subjects, five categories.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

SKEWED = [[118, 5], [2, 0]]
SETS = [["ab", "ab", "a"], ["c", "c", "cd"], ["e", "f", "e"]]


def units_of(table: list[list[int]]) -> list[list[int]]:
    """Tell of each unit how often each category was chosen, where two annotators chose the cells of a table."""
    rows = []
    for first, row in enumerate(table):
        for second, times in enumerate(row):
            rows += [[(first == k) + (second == k) for k in range(len(table))]] * times
    return rows


def cohen(table: list[list[int]]) -> float:
    counts = np.sum(table), np.sum(table[0]), np.sum(table, axis=0)[0], table[0][0]
    return float(PairCounts(*np.array(counts, dtype=np.float64)).kappa)


def binary(votes: list[int], annotators: int = 10) -> oe.Annotations:
    """One concept, of which so many of the annotators say in each image that it is there."""
    return oe.Annotations.from_sets(
        {f"annotator {n}": [["it"] if n < yes else [] for yes in votes] for n in range(annotators)},
        vocabulary=["it"],
    )


def test_alpha_of_krippendorffs_example_taken_as_labels() -> None:
    sets = {
        f"observer {who}": {
            f"unit {unit}": [str(int(value))]
            for unit, value in enumerate(row)
            if value == value  # noqa: PLR0124 - not nan
        }
        for who, row in enumerate(CANONICAL)
    }
    said = oe.Annotations.from_sets(sets)
    found = oe.agreement(said, resamples=20, hierarchy=oe.Hierarchy.flat(said.vocabulary))
    assert [round(one.value, 6) for one in found.sets] == [0.743421] * 4
    assert float(found.single["alpha"].value) == pytest.approx(0.743421, abs=5e-7)


def test_the_table_of_fleiss() -> None:
    found = nominal(FLEISS)
    expected = {
        "pairwise": 0.378022,
        "fleiss": 0.209931,
        "randolph": 0.222527,
        "ac1": 0.225614,
        "majority": 0.528571,
    }
    assert {name: round(found[name], 6) for name in expected} == expected


def test_cohens_kappa_of_a_table() -> None:
    assert cohen([[20, 5], [10, 15]]) == pytest.approx(0.4, abs=1e-12)


def test_a_skewed_table_has_much_agreement_and_less_than_chance() -> None:
    found = nominal(units_of(SKEWED))
    assert found["pairwise"] == pytest.approx(0.944, abs=1e-12)
    assert cohen(SKEWED) == pytest.approx(-0.023391812865497075, abs=1e-9)
    assert found["fleiss"] == pytest.approx(-0.028806584362140154, abs=1e-9)
    assert found["alpha"] == pytest.approx(-0.024691358024691468, abs=1e-9)
    assert found["ac1"] == pytest.approx(0.9407763376087177, abs=1e-9)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        (
            [10, 0, 10, 9, 0, 1],
            {"majority": 0.966667, "pairwise": 0.933333, "fleiss": 0.866667, "alpha": 0.868889},
        ),
        (
            [7, 4, 8, 3, 6, 2],
            {"majority": 0.7, "pairwise": 0.548148, "fleiss": 0.096296, "alpha": 0.111358},
        ),
    ],
    ids=["clear", "unclear"],
)
def test_votes_of_ten_annotators_on_six_images(votes: list[int], expected: dict[str, float]) -> None:
    found = oe.agreement(binary(votes), resamples=20).estimates.concepts
    assert {name: round(float(found[name].value[0]), 6) for name in expected} == expected
    table = nominal([[10 - yes, yes] for yes in votes])
    assert {name: round(table[name], 6) for name in expected} == expected


@pytest.mark.parametrize(
    ("distance", "expected"), [("exact", 0.272727), ("jaccard", 0.483871), ("masi", 0.410526)]
)
def test_alpha_of_sets(distance: str, expected: float) -> None:
    said = oe.Annotations.from_sets(
        {
            f"annotator {who}": {f"unit {n}": list(labels) for n, labels in enumerate(column)}
            for who, column in enumerate(zip(*SETS, strict=True))
        }
    )
    (found,) = set_alphas(said, (SetDistance(distance),), AgreementOptions(resamples=10))
    assert found.value == pytest.approx(expected, abs=5e-7)


def test_where_all_say_the_same_kappa_and_alpha_are_undefined_and_ac1_is_1() -> None:
    found = oe.agreement(binary([0, 0, 0]), resamples=20).estimates.concepts
    values = {name: float(one.value[0]) for name, one in found.items()}
    assert {name for name, value in values.items() if np.isnan(value)} == {"fleiss", "alpha", "cohen"}
    assert {values[name] for name in ("majority", "pairwise", "unanimous", "randolph", "ac1")} == {1.0}
