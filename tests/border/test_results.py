"""Tables and pages of any result, through the public API."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe


def test_what_is_no_result_has_no_tables_and_a_behaviour_no_page() -> None:
    behaviour = oe.comparison.behaviour(["F"], oe.Hierarchy.from_edges([("a", "b"), ("a", "c")]), cases=2)
    assert oe.reports.tables(behaviour).keys() == behaviour.tables().keys()
    for shown, result in ((oe.reports.tables, [["a"]]), (oe.reports.report, behaviour)):
        with pytest.raises(oe.OntoevalError, match="a comparison, a study, findings or an agreement"):
            shown(result)


def test_an_explanation_has_the_scores_of_measures_that_rank_and_ancestors_of_one_side() -> None:
    hierarchy = [("plants", "oak"), ("plants", "fir"), ("people", "one"), ("people", "two")]
    found = oe.explain({"p": ["oak", "one", "two"]}, {"p": ["fir", "one"]}, "p", hierarchy=hierarchy)
    assert found.scores == {"hF": pytest.approx(2 * 3 / (5 + 4)), "OS": found.score}
    assert not any(one.ancestors for one in found.charges)  # both have plants and people
    beside = oe.explain([["oak"]], [["one"]], "0", hierarchy=hierarchy, measure=["F", "OS(alpha=2)"])
    assert {one.ancestors for one in beside.charges} == {("plants",), ("people",)}
    assert beside.scores == {"F": 0, "OS(alpha=2)": beside.score}


def test_an_evaluation_is_a_mapping_and_equal_to_itself_alone() -> None:
    truth, run = [["a"], ["b"]], [["a"], []]
    result = oe.evaluate(truth, run, measures=["hP", "hF"], hierarchy=[("r", "a"), ("r", "b")])
    assert isinstance(result, Mapping)
    assert dict(result) == {**result} == result.scores
    assert list(result) == list(result.keys()) == ["hP", "hF"]
    assert list(result.items()) == list(zip(result, result.values(), strict=True))
    assert len(result) == 2
    assert "hF" in result
    assert "hF(beta=1)" in result
    assert "F" not in result
    assert "nonsense" not in result
    assert result.get("hF(beta=1)") == result["hF"]
    assert result.get("F", 7) == 7
    again = oe.evaluate(truth, run, measures=["hP", "hF"], hierarchy=[("r", "a"), ("r", "b")])
    assert result == result  # noqa: PLR0124 - equality is that of objects
    assert result != again
    assert len({result, again}) == 2


def test_scores_with_a_threshold_have_the_measures_of_label_sets() -> None:
    truth, scores = np.array([[1, 0], [1, 1]]), np.array([[0.9, 0.2], [0.4, 0.6]])
    labels = oe.evaluate(truth, (scores >= 0.5).astype(int))
    assert dict(oe.evaluate(truth, scores, threshold=0.5)) == dict(labels)
    compared = oe.compare(truth, {"run": scores}, threshold=0.5, baselines=(), resamples=5)
    assert compared.scores.tolist() == [list(labels.values())]
    each = oe.evaluate(truth, scores, threshold={"0": 0.5, "1": 0.5})
    assert (dict(each), "label sets: one for each concept" in each.signature) == (dict(labels), True)
    hierarchy: dict[str, Any] = {"hierarchy": [("r", "a"), ("r", "b")], "classes": ["a", "b"]}
    assert next(iter(oe.evaluate(truth, scores, threshold=0.5, **hierarchy))) == "hF"
    assert "Fmax" in oe.evaluate(truth, oe.LabelScores.from_array(scores, vocabulary=["a", "b"]), **hierarchy)


def test_a_study_is_pickled_and_copied() -> None:
    truth = [["a"], ["a", "b"], ["b"], ["c"]] * 5
    runs = {"x": truth, "y": [["a"]] * 20, "z": [["a", "b"]] * 20}
    hierarchy = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("b", "c")])
    found = oe.study(truth, runs, hierarchy=hierarchy, measures=["F", "hF"], resamples=20)
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):  # noqa: S301 - our own
        assert list(map(str, other.tables().values())) == list(map(str, found.tables().values()))


def test_a_page_is_a_text_a_file_and_a_frame_in_a_notebook(tmp_path: Path) -> None:
    page = oe.evaluate([["a"]], [["a"]]).report(title="One & two", author="Me")
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>One &amp; two" in page
    assert len(repr(page)) < 100
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html')
    assert page._repr_html_().count('"') == 2 * 3  # of three attributes: all quotes of the page are escaped
    page.save(tmp_path / "page.html")
    (tmp_path / "text.html").write_text(page, encoding="utf-8")
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "text.html").read_bytes()
    assert type(pickle.loads(pickle.dumps(page))) is type(page)  # noqa: S301 - our own
    with pytest.raises(oe.OntoevalError, match="folder"):
        page.save(tmp_path)
