"""Products of the weights of resamples with the rows of several runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from ontoeval.comparison.products import RowProducts, samples_by_resamples
from ontoeval.comparison.replication import RunRows
from ontoeval.core.resampling import Portion
from ontoeval.measures.sums import Rows, RowsInBlocks, Weighted


@dataclass(frozen=True)
class Column:
    """A measure that is one column of its statistic, which has any name."""

    statistic: Any
    column: int

    def formula(self, values: np.ndarray) -> np.ndarray:
        """Take the column."""
        return values[..., self.column]


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


def products(*runs: dict[str, Any]) -> RowProducts:
    """Prepare the rows of runs, and a measure for each column."""
    sizes = [(name, (np.ones(len(rows)) @ rows).size) for name, rows in runs[0].items()]
    measures = {f"{name} {at}": Column(name, at) for name, size in sizes for at in range(size)}
    portion = Portion(0, 60, tuple(map(str, range(60))))
    rows: Any = RunRows
    return RowProducts.from_runs([rows(measures, [(slice(60), portion)], [run], {}) for run in runs])


def sums(*runs: dict[str, Any], weights: np.ndarray = WEIGHTS) -> list[dict[str, np.ndarray]]:
    """Sum the rows of runs with weights."""
    made = products(*runs)
    drawn: list[Any] = [samples_by_resamples(weights, counted=made.counted)]
    found = made.scores(made.dense(drawn), lambda block: block.sums(drawn))
    columns = [one.statistic for one in made.measures.values()]
    return [
        {name: found[:, run, [column == name for column in columns]] for name in runs[0]}
        for run in range(len(runs))
    ]


@pytest.mark.parametrize(
    "values",
    [
        RNG.integers(0, 900, (60, 4)).astype(float),
        RNG.random((60, 5)),
        VERY_DIFFERENT,
        np.zeros((60, 2)),
        sparse.csr_array(MARKS > 0, dtype=float),
        sparse.csr_array((60, 3)),
    ],
    ids="whole fractions different zero marks empty".split(),
)
def test_sums_are_those_of_fractions(values: np.ndarray | sparse.csr_array) -> None:
    (found,) = sums({"one": Rows(values)})
    dense = values.toarray() if sparse.issparse(values) else values
    np.testing.assert_allclose(found["one"], exact(dense), rtol=2e-16, atol=0)


@pytest.mark.parametrize("odd", [np.nan, 1e300])
def test_rows_that_cannot_be_cut_are_multiplied_as_they_are(odd: float) -> None:
    values = RNG.random((60, 3))
    values[5, 1] = odd
    wide = sparse.csr_array(RNG.random((60, 40)))
    blocks = RowsInBlocks(60, 3, lambda begin, end: values[begin:end, [0, 0, 2]])
    heavy = Weighted(Rows(values[:, [0, 2]]), RNG.random(60))
    rows: dict[str, Any] = {"odd": Rows(values), "wide": Rows(wide), "blocks": blocks, "heavy": heavy}
    (found,) = sums(rows)
    for name, one in rows.items():
        np.testing.assert_allclose(found[name], WEIGHTS @ one, rtol=1e-13)
