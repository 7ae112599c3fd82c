"""Products of the weights of resamples with the rows of several runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from ontoeval.comparison.products import RowProducts
from ontoeval.measures.sums import Rows, RowsInBlocks, Weighted

made: Any = RowProducts.from_rows  # of statistics by any name

RNG = np.random.default_rng(5)
WEIGHTS = RNG.poisson(1.0, (7, 60)).astype(np.float64)
VERY_DIFFERENT = RNG.choice([1e-30, 1 / 3, 1e12, -7.7e-8, 0.0], (60, 3))
MARKS = (RNG.random((60, 50)) < 0.3) * RNG.random(50)


def exact(values: np.ndarray) -> np.ndarray:
    """Sum with fractions, and round once."""
    rows = [
        [
            float(sum(Fraction(w) * Fraction(x) for w, x in zip(row, column, strict=True)))
            for column in values.T
        ]
        for row in WEIGHTS.tolist()
    ]
    return np.array(rows)


@pytest.mark.parametrize(
    "values",
    [
        RNG.integers(0, 900, (60, 4)).astype(float),
        RNG.random((60, 5)),
        VERY_DIFFERENT,
        np.zeros((60, 2)),
        sparse.csr_array(MARKS),
        sparse.csr_array(np.hstack([VERY_DIFFERENT, MARKS])),
        sparse.csr_array((60, 3)),
    ],
    ids="whole fractions different zero marks both empty".split(),
)
def test_sums_are_those_of_fractions(values: np.ndarray | sparse.csr_array) -> None:
    (found,) = made([{"one": Rows(values)}]).sums(WEIGHTS)
    dense = values.toarray() if sparse.issparse(values) else values
    np.testing.assert_allclose(found["one"], exact(dense), rtol=2e-16, atol=0)


def test_sums_do_not_depend_on_the_order_of_the_samples_or_on_other_runs() -> None:
    first, second = Rows(RNG.random((60, 5))), Rows(sparse.csr_array(np.hstack([RNG.random((60, 3)), MARKS])))
    alone = [made([{"s": one}]).sums(WEIGHTS)[0]["s"] for one in (first, second)]
    both = made([{"s": second}, {"s": first}]).sums(WEIGHTS)
    order = RNG.permutation(60)
    permuted = made([{"s": Rows(one.values[order])} for one in (first, second)])
    again = permuted.sums(WEIGHTS[:, order])
    for run, sums in enumerate(alone):
        assert both[1 - run]["s"].tobytes() == sums.tobytes()
        assert again[run]["s"].tobytes() == sums.tobytes()


def test_equal_marks_are_multiplied_once_whatever_their_number() -> None:
    twice, other = sparse.csr_array(MARKS * 2), sparse.csr_array(np.roll(MARKS, 1, axis=0))
    products = made([{"s": Rows(sparse.csr_array(MARKS))}, {"s": Rows(twice), "t": Rows(other)}])
    assert sum(marks.shape[1] for marks in products.marks) == 100
    first, second = products.sums(WEIGHTS)
    np.testing.assert_array_equal(second["s"], 2 * first["s"])
    np.testing.assert_allclose(second["t"], WEIGHTS @ other.toarray(), rtol=1e-14)


@pytest.mark.parametrize("odd", [np.nan, 1e300])
def test_rows_that_cannot_be_cut_are_multiplied_as_they_are(odd: float) -> None:
    values = RNG.random((60, 3))
    values[5, 1] = odd
    wide = sparse.csr_array(RNG.random((60, 40)))
    blocks = RowsInBlocks(60, 3, lambda begin, end: values[begin:end, [0, 0, 2]])
    heavy = Weighted(Rows(values[:, [0, 2]]), RNG.random(60))
    rows: dict[str, Any] = {"odd": Rows(values), "wide": Rows(wide), "blocks": blocks, "heavy": heavy}
    (found,) = made([rows]).sums(WEIGHTS)
    for name, one in rows.items():
        np.testing.assert_allclose(found[name], WEIGHTS @ one, rtol=1e-13)
