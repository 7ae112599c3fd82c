"""From a cell of a confusion matrix, or a figure of a page, to the samples behind it."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError

TRUTH = {"p1": ["lake"], "p2": ["lake", "boat"], "p3": ["lake"], "p4": ["boat"], "p5": []}
RUN = {"p1": ["river"], "p2": ["river", "sky"], "p3": ["lake"], "p4": ["boat", "river"], "p5": ["sky"]}
HIERARCHY = [("water", "lake"), ("water", "river"), ("all", "water"), ("all", "boat"), ("all", "sky")]


def matrix(**options: object) -> oe.confusion.ConfusionMatrix:
    return oe.confusion_matrix(TRUTH, RUN, hierarchy=HIERARCHY, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("krstinic", {"p1": 1.0, "p2": 0.5}),
        ("mlcm", {"p1": 1.0, "p2": 1.0}),
        ("tensor-recall", {"p1": 1.0, "p2": 0.5}),
        ("tensor-precision", {"p1": 1.0, "p2": 0.5}),
    ],
)
def test_a_cell_names_its_samples_those_of_most_mass_first(rule: str, expected: dict[str, float]) -> None:
    found = matrix(rule=rule)
    assert found.samples("lake", "river") == expected
    assert list(found.samples("lake", "river")) == ["p1", "p2"]
    assert found.samples("lake", "lake") == {"p3": 1.0}
    assert found.samples("river", "boat") == {}


def test_pseudo_concepts_and_one_label_rules_have_samples_too() -> None:
    assert matrix(rule="krstinic").samples("unknown", "sky") == {"p5": 1.0}
    assert matrix(rule="mlcm").samples("NTL", "sky") == {"p5": 1.0}
    one = oe.confusion_matrix({"a": ["x"], "b": ["x"]}, {"a": ["y"], "b": ["x"]}, rule="multiclass")
    assert one.samples("x", "y") == {"a": 1.0}


def test_weighted_samples_count_for_their_weights() -> None:
    weights = {"p1": 1.0, "p2": 4.0, "p3": 1.0, "p4": 1.0, "p5": 0.0}
    found = matrix(rule="krstinic", sample_weight=weights)
    assert found.samples("lake", "river") == {"p2": 2.0, "p1": 1.0}
    assert found.samples("unknown", "sky") == {}


def test_groups_have_the_samples_of_their_cells() -> None:
    hierarchy = oe.Hierarchy.from_edges(HIERARCHY)
    groups = matrix(rule="krstinic").aggregated(hierarchy, level=1)
    for row, true in enumerate(groups.rows):
        for column, predicted in enumerate(groups.columns):
            masses = groups.samples(true, predicted).values()
            assert sum(masses) == pytest.approx(np.asarray(groups.matrix)[row, column])
    assert groups.samples("boat", "water") == {"p4": 0.5, "p2": 0.5}


def test_a_matrix_without_samples_says_what_to_do() -> None:
    whole = matrix()
    assert pickle.loads(pickle.dumps(whole)).samples("lake", "river") == whole.samples("lake", "river")  # noqa: S301
    for none in (
        whole + whole,
        oe.confusion.ConfusionMatrix(whole.matrix, whole.rows, whole.columns, "mlcm"),
    ):
        with pytest.raises(InputError, match=r"holds no samples.*ontoeval\.confusion_matrix\(truth"):
            none.samples("lake", "river")
    with pytest.raises(InputError, match=r"no row 'laek' \(near: 'lake'\)"):
        whole.samples("laek", "river")
    with pytest.raises(InputError, match=r"no column 'sea'"):
        whole.samples("lake", "sea")


def test_pairs_of_annotators_are_named_by_their_sample() -> None:
    said = oe.Annotations.from_sets({"Ann": {"p1": ["lake"]}, "Bob": {"p1": ["river"]}})
    found = oe.annotators.annotator_confusion(said, rule="multiclass")
    assert found.samples("lake", "river") == {"p1 (Ann, Bob)": 1.0}


# pages ------------------------------------------------------------------------------------------------------


def data_of(page: str) -> Any:
    """Read the data of a page, as its script does."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(one) for one in value]
        if not isinstance(value, dict):
            return value
        return whole(data["lists"][value["$"]]) if "$" in value else {key: whole(value[key]) for key in value}

    return {"figures": whole(data["figures"]), "samples": whole(data.get("samples"))}


def behind(page: str, kind: str) -> list[dict[str, Any]]:
    """Find what the views of the figures of a kind lead to."""
    views = [view for figure in data_of(page)["figures"] for view in figure]
    return [view["samples"] for view in views if view.get("samples", {}).get("kind") == kind]


def compared(**options: Any) -> Any:
    hierarchy = oe.Hierarchy.from_edges(HIERARCHY)
    return oe.compare(TRUTH, {"one": RUN}, hierarchy=hierarchy, measures=["F"], resamples=5, **options)


def test_a_page_leads_to_samples_and_tells_their_labels() -> None:
    page = compared().report()
    pool = data_of(page)["samples"]
    run = pool["runs"][0]
    labels = {
        pool["names"][sample]: [{pool["concepts"][one] for one in side} for side in sides]
        for sample, *sides in zip(run["samples"], run["truth"], run["wrong"], strict=True)
    }
    assert labels["p2"] == [{"lake", "boat"}, {"lake", "boat", "river", "sky"}]
    finest, bars, branches = behind(page, "cell")[-1], behind(page, "bar")[0], behind(page, "branch")[0]
    for found in (finest, bars, branches):
        assert found["n"] == [len(samples) for samples in found["samples"]]
    assert ["p1", "p2"] in [[pool["names"][one] for one in samples] for samples in bars["samples"]]
    assert {pool["names"][one] for one in branches["samples"][0]} == {"p1", "p2", "p4", "p5"}


def test_names_of_samples_cannot_end_the_script() -> None:
    bad = "</script><script>alert(1)</script>"
    page = oe.compare({bad: ["a"], "p": ["b"]}, {bad: {bad: ["b"], "p": ["b"]}}, measures="F").report()
    assert data_of(page)["samples"]["names"] == [bad]
    assert bad not in page


def test_what_a_page_holds_of_samples_is_bounded() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random((3_000, 40)) < 0.2
    runs = {f"run {at}": truth ^ (rng.random(truth.shape) < 0.05 * at) for at in range(1, 9)}
    page = oe.compare(truth, runs, measures=["F"], resamples=2, test="none").report()
    for found in (*behind(page, "cell"), *behind(page, "branch")):
        assert max(map(len, found["samples"])) <= 12
        assert max(found["n"]) > 12
        assert found["there"] >= len(found["keys"]) > 0
    held = [data_of(page)["samples"], [*behind(page, "cell"), *behind(page, "branch")]]
    assert len(json.dumps(held, separators=(",", ":"))) < 600_000


def test_pages_of_a_truth_that_is_not_public_hold_no_samples() -> None:
    page = replace(compared(), public=True).report(description="Words.")
    assert data_of(page)["samples"] is None
    assert not re.search(r"\bp[1-5]\b|lake|river|Show samples", page.partition("<script>")[0])


def test_pictures_of_samples_are_named_not_embedded(tmp_path: Path) -> None:
    (tmp_path / "p1.png").write_bytes(b"0" * 10)
    pool = data_of(compared().report(images=tmp_path, folder=tmp_path))["samples"]
    found = dict(zip(pool["names"], pool["pictures"], strict=True))
    assert found["p1"] == ["p1.png", False]
    assert found["p2"] == []
