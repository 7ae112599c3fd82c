"""Risk over coverage, predictions made level by level, and a taxonomy against gold: files in, numbers out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, ParameterError
from tests.commands import call
from tests.laws.scored import label_scores

LINKS = ["R A", "R B", "A A1", "A A2", "B B1", "B B2", "A1 a", "A1 b", "A2 c", "B1 d", "B1 e"]
TREE = oe.Hierarchy.from_edges([(parent, child) for parent, child in map(str.split, LINKS)])

PROBABILITIES = [
    {"a": 0.6, "b": 0.2, "c": 0.1, "d": 0.1},
    {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1},
    {"d": 0.45, "e": 0.35, "B2": 0.2},
    {"c": 0.5, "d": 0.2, "e": 0.1, "B2": 0.2},
]


def table(path: Path, header: str, rows: Sequence[str]) -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return table(tmp_path / "tree.csv", "parent,child", [link.replace(" ", ",") for link in LINKS])


def area(
    truths: str, rows: Sequence[Mapping[str, float]], measure: str = "hAURC", of: oe.Hierarchy = TREE
) -> float:
    """Score some samples with one true label each."""
    truth = oe.LabelSets.from_sets([[label] for label in truths.split()], vocabulary=of.label_vocabulary)
    scores = label_scores(rows, of.label_vocabulary)
    return oe.evaluate(truth, scores, hierarchy=of, measures=measure)[measure]


# risk over coverage -----------------------------------------------------------------------------------------


def test_areas_of_risk_are_those_of_the_worked_example_in_files(tree: Path, tmp_path: Path) -> None:
    truth = table(tmp_path / "truth.csv", "id,label", ["1,a", "2,c", "3,d", "4,B2"])
    cells = [f"{row},{name},{p}" for row, some in enumerate(PROBABILITIES, 1) for name, p in some.items()]
    run = table(tmp_path / "run.csv", "id,label,score", cells)
    names = "hAURC", "hAURC(begin='reached')", "AUGRC"
    options = [part for name in names for part in ("-m", name)]
    shown = call("score", truth, run, "--ontology", tree, *options, "--format", "json")
    (found,) = json.loads(shown.stdout)["rows"]
    assert found["hAURC"] == pytest.approx(0.2217132018, abs=5e-11)
    assert found["hAURC(begin='reached')"] == pytest.approx(0.2217132018, abs=5e-11)
    assert found["AUGRC"] == pytest.approx(0.1875)  # errors 0 1 0 1 at .6 .4 .45 .5


def test_generalised_risk_of_five_confidences() -> None:
    rows = [{"x": confidence} for confidence in (0.9, 0.8, 0.7, 0.6, 0.5)]
    flat = oe.Hierarchy.flat(oe.Vocabulary(("x", "y")))
    assert area("x y x x y", rows, "AUGRC", flat) == pytest.approx(0.16)
    logits = [{"x": 10 * row["x"] - 20, "y": -30.0} for row in rows]  # only their order counts
    assert area("x y x x y", logits, "AUGRC", flat) == pytest.approx(0.16)
    assert area("x", [{"x": 0.5, "y": 0.5}], "AUGRC", flat) == 0.25  # of tied labels the mean counts
    # What has no score is accepted last, as an error: points (0, 0) (.5, 0) (1, .5).
    assert area("x y", [{"x": 0.9}, {}], "AUGRC", flat) == 0.125


def test_of_tied_leaves_the_first_in_the_vocabulary_counts() -> None:
    tied = [{"a": 0.5, "b": 0.5}]
    assert area("a", tied) == 0
    # A1 holds both, from (0, 0) to (1 - ln 2 / ln 6, 0); from there to (1, 1) of the wrong leaf.
    assert area("b", tied) == pytest.approx(np.log(2) / np.log(6) / 2)


def test_what_says_nothing_or_is_surely_wrong_does_not_win() -> None:
    sure, top, nothing = [{"d": 1.0}], [{"R": 1.0}], [dict[str, float]()]
    assert [area("a", rows) for rows in (sure, top, nothing)] == [0.5, 0.5, 0.5]
    assert np.isnan(area("a", sure, "hAURC(begin='reached')"))
    # From the least coverage that threshold 1 reaches, (.5, .5), to (1, 1).
    half = [{"d": 1.0}, {"e": 0.5, "a": 0.5}]
    reached = area("a a", half, "hAURC(begin='reached')")
    assert reached == pytest.approx(0.5 * 0.5)
    assert area("a a", half) == pytest.approx(0.5 * 0.5 / 2 + reached)


def test_an_inner_label_is_right_where_it_is_predicted() -> None:
    assert area("A", [{"A": 1.0}]) == 0
    assert area("a", [{"A": 1.0}]) == pytest.approx(np.log(3) / np.log(6) / 2)
    assert area("A", [{"a": 1.0}]) == 0.5  # its child says too much


def test_of_points_with_the_same_coverage_the_lowest_threshold_counts() -> None:
    chain = oe.Hierarchy.from_edges([("p", "q"), ("q", "x"), ("p", "y")])
    # The true label q is predicted, then x below it: both cover all, and the last is wrong.
    rows = [{"q": 0.4, "x": 0.3}]
    assert area("q", rows, of=chain) == 0.5
    assert area("x", rows, of=chain) == 0


def test_in_a_dag_a_sample_climbs_to_the_most_probable_parent() -> None:
    dag = oe.Hierarchy.from_edges([("l", "x"), ("l", "u"), ("r", "x"), ("r", "v"), ("r", "w"), ("t", "o")])
    rows = [{"x": 0.4, "u": 0.1, "w": 0.3}]
    # r (.7) of three of the five leaves, then x (.4); v is below r alone.
    wide = 1 - np.log(3) / np.log(5)
    assert area("v", rows, of=dag) == pytest.approx((1 - wide) / 2)
    assert area("u", rows, of=dag) == pytest.approx(wide / 2 + (1 - wide))


def test_a_single_leaf_has_no_coverage() -> None:
    assert np.isnan(area("x", [{"x": 0.5}], of=oe.Hierarchy.from_edges([("p", "x")])))


def test_areas_of_risk_are_compared_with_intervals_and_refuse_what_they_cannot_take() -> None:
    vocabulary = TREE.label_vocabulary
    truth = oe.LabelSets.from_sets([["a"], ["c"], ["d"], ["B2"]], vocabulary=vocabulary)
    runs = {
        "one": label_scores(PROBABILITIES, vocabulary),
        "two": label_scores(PROBABILITIES[::-1], vocabulary),
    }
    found = oe.compare(truth, runs, hierarchy=TREE, measures=["hAURC", "AUGRC"], resamples=50, baselines=())
    assert found.scores[0, 0] == pytest.approx(0.2217132018, abs=5e-11)
    assert found.scores[0, 0] < found.scores[1, 0]
    assert list(found.ranks[:2, 0]) == [1, 2]
    assert np.all(found.low[:, 0] <= found.scores[:, 0])
    with pytest.raises(MeasureError, match="needs one true label in each sample"):
        oe.evaluate([["a", "c"]], runs["one"].rows(0, 1), hierarchy=TREE, measures="AUGRC")
    with pytest.raises(InputError, match="probabilities of single labels sum to 1"):
        area("a", [{"a": 0.9, "b": 0.9}])
    with pytest.raises(ParameterError, match="begin"):
        oe.measures.parse("hAURC(begin='one')")


# level by level ---------------------------------------------------------------------------------------------


LEVELS = "LevelAccuracy", "HCA", "Inconsistency", "Inconsistency(by='paths')"


def levels(
    truths: Sequence[str], runs: Sequence[str], *measures: str, of: oe.Hierarchy = TREE
) -> list[float]:
    truth, run = ([one.split() for one in side] for side in (truths, runs))
    return list(oe.evaluate(truth, run, hierarchy=of, measures=measures).scores.values())


def test_levels_are_those_of_the_worked_example_in_files(tree: Path, tmp_path: Path) -> None:
    truth = table(tmp_path / "truth.csv", "id,label", ["1,a", "2,c", "3,d", "4,b"])
    rows = ["1,A;A1;a", "2,A;A1;c", "3,B;B1;e", "4,A;B1;b"]
    run = table(tmp_path / "run.csv", "id,labels", rows)
    names = ("HCA", "Inconsistency", "LevelAccuracy")
    options = [part for name in names for part in ("-m", name)]
    shown = call("score", truth, run, "--ontology", tree, *options, "--format", "json")
    (found,) = json.loads(shown.stdout)["rows"]
    assert [found[name] for name in names] == [0.25, 0.5, 0.75]
    given = [row.split(",")[1].replace(";", " ") for row in rows]
    paths = ["A A1 a", "A A2 c", "B B1 d", "A A1 b"]
    assert levels(["a", "c", "d", "b"], given, *LEVELS) == levels(paths, given, *LEVELS)
    assert levels(paths, given, "ExactMatch") == [0.25]  # with true paths HCA is the exact match


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("", 0),
        ("A A1", 0),  # the levels below are missing too
        ("R A A1 a", 0),
        ("R a", 1),
        ("A a", 1),
        ("A1 a", 1),
        ("A A1 a b", 0),
        ("A B", 0),
    ],
)
def test_a_label_needs_a_parent_unless_the_root_alone_is_above_it(labels: str, expected: int) -> None:
    assert levels(["a"], [labels], "Inconsistency") == [expected]


def test_paths_have_one_label_of_each_depth_and_excluding_labels_are_inconsistent() -> None:
    assert levels(["a"] * 2, ["A A1 a b", "A A1 a"], "Inconsistency(by='paths')") == [0.5]
    disjoint = oe.Hierarchy.from_edges(
        [("R", "A"), ("R", "B"), ("A", "a")], exclusions=[oe.core.Exclusion("A", "B")]
    )
    assert levels(["a"] * 3, ["A B", "B a", "A a"], "Inconsistency(by='exclusions')", of=disjoint) == [2 / 3]
    dag = oe.Hierarchy.from_edges([("p", "x"), ("q", "x"), ("q", "y")])
    assert levels(["x"] * 2, ["p x", "p y"], "Inconsistency", of=dag) == [0.5]  # one parent is enough


def test_levels_are_those_of_the_truth() -> None:
    assert levels(["B2"], ["B B2"], *LEVELS[:2]) == [1, 1]
    assert levels(["B", "a"], ["B B1 d", "A"], *LEVELS[:2]) == [pytest.approx((1 + 0 + 0) / 3), 0.5]
    closed = "LevelAccuracy(members='ancestors')", "HCA(members='ancestors')"
    assert levels(["a"], ["a"], *LEVELS[:2]) == [pytest.approx(1 / 3), 0]
    assert levels(["a"], ["a"], closed[0], "LevelAccuracy(members='ancestors', over='paths')") == [1, 1]
    assert levels(["", "a"], ["A", "A A1 a"], *LEVELS[:2]) == [1, 1]  # nothing true: no levels
