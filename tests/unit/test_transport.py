"""Calls of transport measures: streaming, comparisons, wrong options, and what has no score of single samples."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison import replication
from ontoeval.errors import MeasureError, ParameterError

LINKS = [("plants", "trees"), ("plants", "flowers"), ("trees", "oak"), ("trees", "fir"), ("people", "group")]
TRUTH = [["oak"], ["fir", "group"], ["flowers"], ["group"]] * 6
RUNS = {
    "sibling": [["fir"], ["fir", "group"], ["flowers"], ["group"]] * 6,
    "constant": [["oak", "group"]] * 24,
    "reversed": TRUTH[::-1],
}
MEASURES = ["tF", "tKappa"]


def test_parts_are_merged() -> None:
    batch = oe.align(TRUTH, RUNS["sibling"], hierarchy=oe.Hierarchy.from_edges(LINKS))
    merged = oe.merge(*(oe.collect(chunk, MEASURES) for chunk in batch.chunks(5)))
    assert oe.score(merged).scores == oe.score(oe.collect(batch, MEASURES)).scores


def test_a_comparison_in_small_portions_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"hierarchy": LINKS, "measures": MEASURES, "resamples": 60, "interval": "bca"}
    whole = oe.compare(TRUTH, RUNS, **options)  # type: ignore[arg-type]
    monkeypatch.setattr(replication, "_HELD", 500)
    cut = oe.compare(TRUTH, RUNS, **options)  # type: ignore[arg-type]
    for name in ("scores", "low", "high", "replicates", "p_values", "adjusted"):
        np.testing.assert_allclose(getattr(cut, name), getattr(whole, name), atol=1e-12)
    assert np.isfinite(whole.low[:3]).all()
    column = whole.replicates[:, list(RUNS).index("constant"), MEASURES.index("tKappa")]
    assert np.nanmax(np.abs(column)) < 1e-9


def test_kappa_has_no_score_of_a_sample_and_no_axioms() -> None:
    result = oe.evaluate(TRUTH, RUNS["sibling"], hierarchy=LINKS, measures=MEASURES)
    assert np.isnan(result.per_sample("tKappa")).all()
    assert np.isfinite(result.per_sample("tF")).all()


def test_truth_and_run_that_are_the_same_constant_have_no_kappa() -> None:
    result = oe.evaluate([["oak"]] * 3, [["oak"]] * 3, hierarchy=LINKS, measures=MEASURES)
    assert result["tF"] == 1
    assert np.isnan(result["tKappa"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("credit_from=1", "credit_from=1.0: expected less than 1"),
        ("credit_from=0.5, weights='unit'", "0 with other weights than 'bits'"),
        ("weights=2", "weights=2: expected"),
        ("members='leaves'", "members='leaves'"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    for symbol in MEASURES:
        with pytest.raises(ParameterError, match=message):
            oe.measures.parse(f"{symbol}({options})")


def test_kappa_has_no_exclusions_and_none_works_without_a_hierarchy() -> None:
    with pytest.raises(MeasureError, match="tKappa has no option 'exclusions'"):
        oe.measures.parse("tKappa(exclusions='declared')")
    with pytest.raises(MeasureError, match="needs a hierarchy"):
        oe.evaluate([["a"]], [["a"]], measures="tF")


def test_all_weights_0_leave_nothing_to_be_told() -> None:
    nothing = oe.Hierarchy.from_edges(LINKS).with_weight("own", np.zeros(7))
    measures = ["tF(weights='own')", "tF(weights='own', average='samples')", "tKappa(weights='own')"]
    found = oe.evaluate(TRUTH, RUNS["sibling"], hierarchy=nothing, measures=measures).scores
    assert all(np.isnan(score) for score in found.values())


def test_credit_from_half_of_the_bits_ends_the_credit_of_far_kin() -> None:
    measures = ["tF", "tF(credit_from=0.5)"]
    far = oe.evaluate([["oak"]], [["flowers"]], hierarchy=LINKS, measures=measures)
    assert far["tF"] > far["tF(credit_from=0.5)"] == 0
