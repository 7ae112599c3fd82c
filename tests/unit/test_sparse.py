"""Sparse matrices and derived values: what no result shows is that nothing is copied or computed twice."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from ontoeval.plumbing import sparse as ours
from ontoeval.plumbing.sparse import (
    common_entries,
    nonzero_entries,
    pattern,
    rows_between,
    scale_rows,
    stored_in,
    sum_of_outer_products,
    with_column,
)
from tests.laws.cases import pairs
from tests.strategies import Pair


def test_a_pattern_is_canonical_and_frozen_and_not_copied_again() -> None:
    messy = sparse.csr_array(
        (np.array([1.0, 0.0, 2.0, 3.0]), np.array([2, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 3)
    )
    found = pattern(messy)
    assert [part.dtype.name for part in (found, found.indices, found.indptr)] == ["bool", "int32", "int32"]
    assert found.toarray().tolist() == [[False, False, True], [True, False, False]]
    assert (found.nnz, found.has_canonical_format) == (2, True)
    assert messy.nnz == 4, "what was given stays as it was"
    with pytest.raises(ValueError, match="read-only"):
        found.data[0] = False
    assert pattern(found) is found
    part = rows_between(found, 1, 2)
    assert pattern(part) is part
    assert np.shares_memory(part.indices, found.indices)
    assert not part.indptr.flags.writeable
    sent = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert sent.indices.flags.writeable, "as NumPy does it"
    assert not pattern(sent).indices.flags.writeable


@pytest.mark.parametrize("narrow", [True, False])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=pairs(min_samples=0), begin=st.integers(-7, 7), end=st.integers(-7, 7))
def test_entries_of_narrow_and_of_wide_matrices_meet(
    pair: Pair, begin: int, end: int, monkeypatch: pytest.MonkeyPatch, *, narrow: bool
) -> None:
    monkeypatch.setattr(ours, "is_narrow", lambda _: narrow)
    true, predicted = pattern(sparse.csr_array(pair.truth)), pattern(sparse.csr_array(pair.prediction))
    assert common_entries(true, predicted).toarray().tolist() == (pair.truth & pair.prediction).tolist()
    assert stored_in(true, predicted).tolist() == pair.prediction[np.nonzero(pair.truth)].tolist()
    factors = np.arange(len(pair.truths)) / 4
    outer = sum_of_outer_products(true, scale_rows(predicted, factors)).toarray()
    assert outer.tolist() == (pair.truth.astype(float).T @ (pair.prediction * factors[:, None])).tolist()
    assert rows_between(true, begin, end).toarray().tolist() == pair.truth[begin:end].tolist()
    for column in (factors > 0, factors < 0):
        wider = with_column(true, column).toarray()
        assert wider.tolist() == np.column_stack([pair.truth, column]).tolist()
    for order in (np.ascontiguousarray, np.asfortranarray):
        numbers = pair.truth * np.arange(1.0, pair.truth.size + 1).reshape(pair.truth.shape)
        found, expected = nonzero_entries(order(numbers)), sparse.csr_array(numbers)
        for side in ("indptr", "indices", "data"):
            assert getattr(found, side).tolist() == getattr(expected, side).tolist()


def test_narrow_matrices_of_many_rows_are_cut_into_blocks() -> None:
    random = np.random.default_rng(0)
    one, other = (sparse.csr_array(random.random((15_000, 300)) < 0.2) for _ in range(2))
    assert ours.is_narrow(other)
    assert len(list(ours.dense_blocks(other))) > 2
    assert (common_entries(one, other).toarray() == (one.toarray() & other.toarray())).all()
    found = sum_of_outer_products(one, other.astype(np.float64)).toarray()
    assert (found == one.toarray().astype(float).T @ other.toarray()).all()
