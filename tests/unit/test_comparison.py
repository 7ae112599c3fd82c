"""Comparisons of runs."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison.result import compact_letters
from ontoeval.errors import InputError, MeasureError, ParameterError
from ontoeval.reports.comparison import pairs_table
from ontoeval.reports.formats import to_csv, to_json, to_latex, to_markdown
from tests.progress import Bars

HIERARCHY = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("a", "d"), ("b", "e")])
FEW: dict[str, Any] = {"resamples": 60, "seed": 1}


def sets(rng, number=40):
    labels = np.array(["a", "b", "c", "d", "e"])
    return {f"s{at}": labels[rng.random(5) < 0.4].tolist() for at in range(number)}


@pytest.fixture(scope="module")
def truth():
    return oe.LabelSets.from_sets(sets(np.random.default_rng(0)), vocabulary=HIERARCHY.vocabulary)


@pytest.fixture(scope="module")
def runs(truth):
    return {
        "good": oe.comparison.perturb(truth, "drop", 0.1, seed=1),
        "bad": oe.comparison.perturb(truth, "drop", 0.7, seed=1),
        "other": oe.LabelSets.from_sets(sets(np.random.default_rng(5)), vocabulary=HIERARCHY.vocabulary),
    }


def test_one_run_has_intervals_and_nothing_to_test(truth, runs):
    found = oe.compare(truth, {"only": runs["good"]}, measures=["F", "Jaccard"], baselines=(), **FEW)
    assert np.isfinite(found.low).all()
    assert np.isnan(found.adjusted).all()
    assert found.groups("F") == ("",)
    assert pairs_table(found).rows == ()


def test_a_constant_score_differs_from_none():
    truth = [["a"], ["b"]] * 15
    empty: list[list[str]] = [[]] * 30
    found = oe.compare(
        truth, {"x": empty, "y": empty, "z": truth}, measures="F(average='samples')", baselines=(), **FEW
    )
    assert found.scores[:2, 0].tolist() == [0, 0]
    assert (found.low[:, 0] == found.high[:, 0]).all()
    assert found.groups("F(average='samples')") == ("b", "b", "a")
    assert found.notes == [
        "These runs predict the same: x, y.",
        "'z' has the labels of the truth in every sample.",
    ]


def test_an_undefined_score_is_no_number_and_has_no_rank():
    truth = [["a"], ["b"]] * 10
    nothing: list[list[str]] = [[], []] * 10
    found = oe.compare(truth, {"full": truth, "nothing": nothing}, measures="P", baselines=(), **FEW)
    assert np.isnan(found.scores[1, 0])
    assert found.ranks[:, 0].tolist() == [1, 0]
    assert np.isnan(found.adjusted[0]).all()
    row = found.table().rows[1]
    assert found.table().text(row)[-1] == "–"


def test_unknown_measures_options_and_names_are_refused(truth, runs):
    found = oe.compare(truth, runs, measures="F", test="none", **FEW)
    with pytest.raises(MeasureError, match="'P' was not compared"):
        found.groups("P")
    assert found.column("F(beta=1)") == found.column(oe.measures.parse("F")) == 0
    with pytest.raises(ParameterError, match="not both"):
        oe.compare(truth, runs, plan=oe.Plan(), seed=1)
    with pytest.raises(InputError, match="no run to compare"):
        oe.compare(truth, {})
    with pytest.raises(InputError, match="runs without names"):
        oe.compare(truth, [runs["good"]])
    with pytest.raises(InputError, match="a run is called 'empty' like a baseline"):
        oe.compare(truth, {"empty": runs["good"]}, baselines=("empty",))
    with pytest.raises(ParameterError, match="baselines='none'"):
        oe.compare(truth, runs, baselines=("none",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "t"}, "test='t'"),
        ({"level": 95}, "level=95"),
        ({"alpha": 0}, "alpha=0"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        oe.Plan(**options)


def test_too_few_resamples_for_any_significance_are_told(truth, runs):
    note = "No difference can be significant: the least p-value is 0.062."
    assert oe.compare(truth, runs, measures="F", resamples=15).notes[0] == f"{note} Take more resamples."
    few = {name: run.take(run.samples[:6]) for name, run in runs.items()}
    found = oe.compare(truth.take(truth.samples[:6]), few, measures="F", alpha=0.01)
    assert "No difference can be significant: the least p-value is 0.031." in found.notes
    assert not oe.compare(truth, runs, measures="F", resamples=20).notes


def test_baselines_do_not_compete(truth, runs):
    found = oe.compare(truth, runs, measures=["R", "F"], baselines=("all", "empty"), **FEW)
    assert found.runs[found.order("R")[0]] == "all"
    assert found.ranks[:, 0].tolist() == [1, 2, 3, 0, 0]
    table = found.table()
    assert [table.text(row)[1] for row in table.rows][:2] == ["all (baseline)", "good"]
    frame = found.to_frame("polars")
    assert frame["run"].to_list() == ["good", "bad", "other", "all", "empty"]
    assert frame["kind"].to_list() == ["run"] * 3 + ["baseline"] * 2
    assert [table.is_best(row, 2) for row in range(5)] == [False, True, False, False, False]


def test_the_recipe_says_what_baselines_are(truth, runs):
    found = oe.compare(truth, runs, measures="F", baselines=("empty", "all"), resamples=20)
    said = "Baselines, without ranks: empty (no label), all (every concept that may be a label)."
    assert said in found.signature.splitlines()


def test_every_piece_of_work_is_told(truth, runs):
    one = {"good": runs["good"]}
    for plan in (oe.Plan(resamples=300), oe.Plan(test="none")):
        for chosen, baselines, chance in (
            (runs, (), False),
            (runs, ("empty",), True),
            (one, ("empty",), False),
            (one, (), False),
        ):
            bars = Bars()
            how: dict[str, Any] = {"plan": plan, "baselines": baselines, "chance": chance, "progress": bars}
            oe.compare(truth, chosen, measures="F", **how)
            assert bars.done == bars.announced > len(chosen)


def test_letters_join_runs_that_are_alike():
    alike = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    everyone = np.ones(4, dtype=bool)
    assert compact_letters(alike, everyone, range(4)) == ("a", "ab", "b", "c")
    assert compact_letters(alike, everyone, [3, 2, 1, 0]) == ("c", "bc", "b", "a")
    assert compact_letters(alike, np.array([True, False, True, True]), range(4)) == ("a", "", "b", "c")
    apart = compact_letters(np.eye(30, dtype=bool), np.ones(30, dtype=bool), range(30))
    assert (apart[0], apart[25], apart[26]) == ("a", "z", "a1")


def test_letters_follow_the_order_of_runs_that_only_rounding_tells_apart(truth):
    runs = {"A": truth, "B": truth, "C": truth, "D": truth}
    adjusted = np.full((1, 4, 4), 0.001)
    for one, other in (("A", "B"), ("A", "C"), ("B", "D")):
        places = "ABCD".index(one), "ABCD".index(other)
        adjusted[0, places, places[::-1]] = 0.9
    scores = np.array([[0.3 - 1e-15], [0.3], [0.2], [0.1]])
    found = replace(
        oe.compare(truth, runs, measures="F", baselines=(), **FEW), scores=scores, adjusted=adjusted
    )
    assert (found.order(), found.ranks[:, 0].tolist()) == ([0, 1, 2, 3], [1, 1, 3, 4])
    assert found.groups("F") == ("ab", "ac", "b", "c")


def test_tables_hold_intervals_in_every_format(truth, runs):
    runs = {"<b>&\\x": runs["good"], **runs}
    found = oe.compare(truth, runs, measures=["F"], **FEW)
    table = found.table()
    csv_text = to_csv(table)
    assert csv_text.splitlines()[0] == "rank,best rank,worst rank,run,kind,F,F low,F high,F group"
    first = json.loads(to_json(table))["rows"][0]
    assert set(first["F"]) == {"value", "low", "high", "group"}
    assert first["F"]["value"] == found.scores[0, 0]
    latex = to_latex(table)
    assert latex.splitlines()[:6] == found.to_latex().splitlines()[:6]
    assert r"\caption{Leaderboard}" in latex
    assert f"ontoeval {oe.__version__}; 40 samples" in found.to_latex().splitlines()[-3]
    assert r"\textless{}b\textgreater{}\&\textbackslash{}x & \textbf{" in latex
    assert r"\textsuperscript{a} {\footnotesize [" in latex
    assert "1,000" not in latex
    assert "60 resamples of the samples, seed 1." in latex
    assert "**" in to_markdown(table)
    assert r"\<b>" in to_markdown(table)


def test_a_frame_has_a_row_for_each_run_and_that_of_the_scores_for_each_measure(truth, runs):
    pandas = pytest.importorskip("pandas")
    found = oe.compare(truth, runs, measures=["F", "P"], baselines=(), **FEW)
    frame, ranks = found.to_frame(), ["rank", "best rank", "worst rank"]
    assert isinstance(frame, pandas.DataFrame)
    of_measures = [f"{one}{what}" for one in "FP" for what in ("", " low", " high", " group")]
    assert list(frame.columns) == [*ranks, "run", "kind", *of_measures]
    assert len(frame) == 3
    long = found.tables()["scores"].to_frame()
    assert list(long.columns) == ["run", "measure", "score", "low", "high", *ranks, "group"]
    assert len(long) == 6


def test_a_comparison_says_what_it_is_and_how_it_was_made(truth, runs):
    found = oe.compare(truth, runs, measures=["F", "P"], **FEW)
    assert repr(found) == "Comparison(3 runs, 2 baselines, 2 measures)"
    assert "± t × jackknife error, by logits; 60 resamples of the samples, seed 1." in found.signature
    assert "step-down max-T over all pairs of runs, and of runs and 'prior';" in found.signature


def test_a_biased_bootstrap_is_told():
    truth = np.zeros((200, 30), dtype=bool)
    truth[np.arange(180), np.arange(180) % 30] = True  # each label six times: a resample lacks some
    scores = oe.LabelScores.from_array(truth + np.random.default_rng(0).normal(size=truth.shape))
    found = oe.compare(truth, {"a": scores}, measures=["AP", "AUC"], resamples=200)
    biased, *rare, tested = found.notes
    assert tested.startswith("AP, AUC: tested by the bootstrap of differences")
    assert re.match(
        r"The bootstrap is biased for AP \(by up to \d\.\d standard errors, a\), as some labels are rare\. ",
        biased,
    )
    assert rare == [
        f"{key} has intervals that may be too narrow: its median label has 6 true samples."
        for key in ("AP", "AUC")
    ]
    even = oe.compare(truth, {"a": ~truth}, measures=["F"], resamples=200)
    assert not even.notes


def test_a_mean_over_labels_has_no_interval_where_most_are_true_in_one_or_two_samples():
    truth = np.zeros((60, 30), dtype=bool)
    truth[np.arange(60), np.arange(60) % 30] = True
    wrong = truth & (np.random.default_rng(0).random(truth.shape) < 0.7)
    measures = ["F(average='macro')", "F"]
    found = oe.compare(truth, {"a": wrong, "b": truth}, measures=measures, resamples=50)
    assert np.isnan([found.low[:, 0], found.high[:, 0]]).all()
    assert np.isfinite([found.low[:, 1], found.high[:, 1]]).all()
    assert "F(average='macro') has no interval: its median label has 2 true samples." in found.notes
    assert found.tables()["pairs"].rows[0][4:6] == pytest.approx((np.nan, np.nan), nan_ok=True)
    hidden = replace(found, public=True)
    assert "F(average='macro') has no interval: its labels are rare." in hidden.notes


def test_a_frame_of_a_library_that_is_not_there_says_what_to_install(truth, runs, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="python -m pip install polars"):
        oe.compare(truth, runs, measures="F", **FEW).to_frame("polars")
