"""Studies of measures: agreement of rankings, power, stability, winners, sensitivity."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from statistics import mean
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ontoeval as oe
from ontoeval.comparison.reliability import RankCorrelation
from ontoeval.comparison.sensitivity import STREAM, Sensitivity
from ontoeval.errors import InputError, ParameterError
from tests.oracles import studies as naive
from tests.progress import Bars

HIERARCHY = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("a", "d"), ("b", "e"), ("b", "f")])
FLAT = ["F", "Jaccard", "Hamming", "F(average='macro')", "P"]
FEW: dict[str, Any] = {"resamples": 40, "seed": 1}
QUICK = oe.comparison.Changes(kinds=["drop"], rates=[0.3])


def changed(study: oe.comparison.Study) -> Sensitivity:
    assert study.sensitivity is not None
    return study.sensitivity


@pytest.fixture(scope="module")
def truth():
    labels, rng = np.array(list("abcdef")), np.random.default_rng(0)
    sets = {f"s{at}": labels[rng.random(6) < 0.4].tolist() for at in range(30)}
    return oe.LabelSets.from_sets(sets, vocabulary=HIERARCHY.vocabulary).within(HIERARCHY.label_vocabulary)


@pytest.fixture(scope="module")
def runs(truth):
    changes = [("drop", 0.1), ("drop", 0.5), ("add", 0.3), ("sibling", 0.4), ("random", 0.4)]
    return {
        f"{kind} {rate}": oe.comparison.perturb(truth, kind, rate, hierarchy=HIERARCHY, seed=seed)
        for seed, (kind, rate) in enumerate(changes)
    }


@pytest.fixture(scope="module")
def flat(truth, runs):
    return oe.study(truth, runs, measures=FLAT, changes=None, **FEW)


@pytest.mark.no_cover
def test_agreement_is_that_of_pairs_of_measures_one_after_the_other(flat):
    table = naive.merits(flat.comparison, flat.comparison.scores)
    drawn = [naive.merits(flat.comparison, one) for one in flat.comparison.replicates]
    for method, found in flat.agreements.items():
        assert found.values == pytest.approx(np.array(naive.agreement(table, method)))
        assert found.error == pytest.approx(naive.jackknife(table, method))
        pair = [naive.agreement(one, method)[0][3] for one in drawn]
        assert (found.low[0, 3], found.high[0, 3]) == pytest.approx(tuple(np.quantile(pair, [0.025, 0.975])))


def test_power_is_counted_pair_by_pair(flat):
    for column in range(len(FLAT)):
        found = flat.power.share[column], flat.power.adjusted[column], flat.power.needed[column]
        assert found == pytest.approx(naive.power(flat.comparison, column))
    assert flat.power.pairs == 10
    assert flat.power.curves.shape == (5, 10)
    assert (np.diff(flat.power.curves) <= 0).all()


def test_the_difference_needed_is_the_least_that_is_significant_for_every_pair(flat):
    comparison, places = flat.comparison, range(len(flat.entrants))
    for column, needed in enumerate(flat.power.needed.tolist()):
        drawn, scores = comparison.replicates[:, :, column], comparison.scores[:, column]
        away = [
            np.abs(drawn[:, a] - drawn[:, b] - (scores[a] - scores[b])).tolist()
            for a, b in combinations(places, 2)
        ]
        assert max(naive.p_value(one, needed) for one in away) < flat.power.alpha
        assert max(naive.p_value(one, needed - 4e-12) for one in away) >= flat.power.alpha


def test_with_too_few_resamples_no_difference_is_enough(truth, runs):
    found = oe.study(truth, runs, measures="F", changes=None, resamples=19).power
    assert np.isnan(found.needed).all()  # the least p-value is 1/20
    assert np.isfinite(oe.study(truth, runs, measures="F", changes=None, resamples=20).power.needed).all()


def test_stability_is_counted_resample_by_resample(flat, truth, runs):
    table = naive.merits(flat.comparison, flat.comparison.scores)
    drawn = [naive.merits(flat.comparison, one) for one in flat.comparison.replicates]
    splits = naive.halves(flat.comparison, truth, runs)
    for column in range(len(FLAT)):
        ranking = [row[column] for row in table]
        taus = [oe.comparison.CORRELATIONS["tau_b"](ranking, [row[column] for row in one]) for one in drawn]
        assert flat.stability.tau[column] == pytest.approx(np.nanmean(taus))
        between = [
            oe.comparison.CORRELATIONS["tau_b"](*([row[column] for row in side] for side in sides))
            for sides in splits
        ]
        assert flat.stability.halves[column] == pytest.approx(np.nanmean(between))
        pairs = [pair for sides in splits for pair in naive.swapped(*sides, column)]
        assert flat.stability.swaps[column] == pytest.approx(mean(swap for _, swap in pairs))
        bounds = flat.stability.differences[column]
        for place, share in enumerate(flat.stability.swaps_by_difference[column]):
            inside = [
                swap
                for size, swap in pairs
                if size <= bounds[place + 1] and (size > bounds[place] or place == 0)
            ]
            assert share == pytest.approx(mean(inside) if inside else np.nan, nan_ok=True)


def test_as_many_swaps_lie_in_each_bin_and_none_in_the_last(flat, truth, runs):
    pairs = [
        pair for sides in naive.halves(flat.comparison, truth, runs) for pair in naive.swapped(*sides, 3)
    ]
    turned = [size for size, swap in pairs if swap]
    bounds = flat.stability.differences[3]
    counts = np.histogram(turned, bounds[:-1])[0]
    assert counts.max() - counts.min() <= 2
    assert bounds[-2] == max(turned) < bounds[-1] == max(size for size, _ in pairs)
    assert flat.stability.swaps_by_difference[3, -1] == 0


def test_winners_are_counted_resample_by_resample(flat):
    drawn = [naive.merits(flat.comparison, one) for one in flat.comparison.replicates]
    first = [[naive.first([row[column] for row in one]) for column in range(len(FLAT))] for one in drawn]
    for column in range(len(FLAT)):
        for run in range(len(flat.winners.runs)):
            shares = [(run in one[column]) / len(one[column]) for one in first]
            assert flat.winners.share[run, column] == pytest.approx(mean(shares))
        for other in range(len(FLAT)):
            apart = mean(not (one[column] & one[other]) for one in first)
            assert flat.winners.changes[column, other] == pytest.approx(apart)


def test_sensitivity_is_what_evaluate_says_of_what_is_changed(truth, runs):
    measures, changes = ["hF", "F"], oe.comparison.Changes(kinds=["drop", "sibling"], rates=[0.2, 0.5])
    study = oe.study(truth, runs, measures=measures, hierarchy=HIERARCHY, changes=changes, **FEW)
    found = changed(study)
    curves = {(curve.changed, curve.kind): curve for curve in found.curves}
    assert set(curves) == {
        ("prediction", "drop"),
        ("truth", "drop"),
        ("prediction", "sibling"),
        ("truth", "sibling"),
        ("ontology", "insert nodes"),
        ("ontology", "collapse level"),
    }

    def scores(true, prediction, hierarchy=HIERARCHY):
        return list(oe.evaluate(true, prediction, hierarchy=hierarchy, measures=measures).scores.values())

    assert found.perfect.tolist() == [1, 1]
    assert found.unchanged == pytest.approx(study.comparison.scores.mean(axis=0))
    for place, rate in enumerate(changes.rates):
        stream = np.random.default_rng([1, STREAM])
        other = oe.comparison.perturb(truth, "sibling", rate, hierarchy=HIERARCHY, seed=stream)
        assert curves["prediction", "sibling"].scores[place] == pytest.approx(scores(truth, other))
        assert np.isnan(curves["prediction", "sibling"].tau).all()
        table = np.array([scores(other, run) for run in runs.values()])
        assert curves["truth", "sibling"].scores[place] == pytest.approx(table.mean(axis=0))
        tau = [
            stats.kendalltau(*sides).statistic
            for sides in zip(table.T, study.comparison.scores.T, strict=False)
        ]
        assert curves["truth", "sibling"].tau[place] == pytest.approx(tau)
    level = oe.comparison.collapse_level(HIERARCHY, 1)
    carried = [scores(level.carry(truth), level.carry(run), level.hierarchy) for run in runs.values()]
    collapsed = curves["ontology", "collapse level"]
    assert collapsed.amounts == (1, 2)
    assert collapsed.scores[0] == pytest.approx(np.mean(carried, axis=0))


def test_runs_perturbed_with_the_seed_of_the_study_are_not_its_changed_truths(truth, runs):
    changes = oe.comparison.Changes(kinds=["drop", "random"], rates=[0.3])
    for kind in changes.kinds:
        same = {
            "same": oe.comparison.perturb(truth, str(kind), 0.3, hierarchy=HIERARCHY, seed=1),
            "other": runs["add 0.3"],
        }
        options: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": "ExactMatch"}
        found = changed(oe.study(truth, same, changes=changes, **options, **FEW))
        curve = next(one for one in found.curves if (one.changed, one.kind) == ("truth", kind))
        other = oe.evaluate(same["same"], same["other"], measures="ExactMatch").scores["ExactMatch"]
        assert curve.scores[0, 0] < (1 + other) / 2


def test_changes_are_tried_on_some_samples_of_many(truth, runs):
    changes = oe.comparison.Changes(kinds=["drop"], rates=[1], samples=7)
    found = changed(oe.study(truth, runs, measures=["F"], changes=changes, **FEW))
    assert found.samples == 7
    assert found.skipped == {"ontology": "there is none"}


def test_what_a_change_needs_and_is_not_there_is_told(truth, runs):
    changes = oe.comparison.Changes(rates=[0.2])
    found = changed(oe.study(truth, runs, measures=["F"], changes=changes, **FEW))
    assert found.skipped == {
        "sibling": "it needs a hierarchy",
        "parent": "it needs a hierarchy",
        "annotator": "it needs the annotators' agreement",
        "ontology": "there is none",
    }
    agreement = dict.fromkeys("rabcdef", 0.9)
    options: dict[str, Any] = {"hierarchy": HIERARCHY, "agreement": agreement, "changes": changes}
    assert not changed(oe.study(truth, runs, measures=["F"], **options, **FEW)).skipped


def test_a_measure_that_a_change_leaves_nothing_to_is_told_and_the_others_go_on():
    tree = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("b", "d")], abstract=["r"])
    known = tree.with_cost("mine", 1 - np.eye(4))  # once a is collapsed, r is a label, and has no costs
    truth = {"1": ["a", "c"], "2": ["b"], "3": ["c", "d"]}
    runs = {"x": truth, "y": {"1": ["a"], "2": ["b"], "3": ["d"]}}
    options: dict[str, Any] = {"hierarchy": known, "changes": QUICK, **FEW}
    both = changed(oe.study(truth, runs, measures=["OS(cost='mine')", "F"], **options))
    (reason,) = (what for what in both.skipped if "collapse level" in what)
    assert reason == "OS(cost='mine'), ontology: collapse level"
    curves = {curve.kind: curve for curve in both.curves}
    assert np.isnan(curves["collapse level"].scores[:, 0]).any()
    assert np.isfinite(curves["collapse level"].scores[:, 1]).all()
    assert np.isfinite(curves["insert nodes"].scores).all()
    shown = replace(oe.compare(truth, runs, measures="OS(cost='mine')", hierarchy=known, **FEW), public=True)
    alone = changed(oe.comparison.study_of(shown, changes=QUICK))
    assert alone.skipped[reason] == "it cannot be scored so"


def test_measures_of_scores_are_studied_and_sets_made_for_them_are_not(truth):
    rng = np.random.default_rng(2)
    scores = {
        str(noise): oe.LabelScores.from_array(
            np.clip(truth.matrix.toarray() + noise * rng.standard_normal(truth.matrix.shape), 0, 1),
            vocabulary=truth.vocabulary,
            samples=truth.samples,
        )
        for noise in (0.3, 0.6, 1)
    }
    options: dict[str, Any] = {"threshold": 0.5, "hierarchy": HIERARCHY, "changes": QUICK, "resamples": 20}
    found = oe.study(truth, scores, measures=["LRAP", "AUC", "F"], **options)
    assert np.isfinite(found.agreements["tau_b"].values).all()
    assert np.isfinite(found.power.share).all()
    assert np.isfinite(found.stability.halves).tolist() == [True, False, True]
    prediction, true = changed(found).curves
    assert np.isnan(prediction.scores).tolist() == [[True, True, False]]
    assert np.isfinite(true.scores).all()
    assert changed(found).skipped["ontology"].startswith("scores of labels cannot be carried")


def test_a_measure_that_is_undefined_for_all_ranks_nothing(truth):
    empty = oe.LabelSets.from_sets(dict.fromkeys(truth.samples, ()), vocabulary=truth.vocabulary)
    runs = {
        "x": oe.comparison.perturb(truth, "drop", 0.5, seed=0),
        "y": oe.comparison.perturb(truth, "drop", 0.8, seed=0),
    }
    found = oe.study(empty, runs, measures=["R", "Hamming"], changes=QUICK, **FEW)
    assert np.isnan(found.agreements["tau_b"].values[0]).all()
    assert np.isnan(found.power.share[0])
    assert np.isnan(found.power.needed[0])
    assert np.isnan(found.stability.tau[0])
    assert np.isnan(found.stability.swaps[0])
    assert found.winners.first == ((), ("y",))
    assert np.isnan(found.winners.share[:, 0]).all()
    assert np.isnan(found.winners.changes[0]).all()
    assert found.winners.changes[1, 1] == 0
    assert np.isnan(changed(found).unchanged[0])
    assert found.agreements["tau_b"].clusters(0.1) == (("R",), ("Hamming",))
    assert found.tables()["winners"].rows[0] == ("R", "", None)


def test_baselines_and_repetitions_are_left_out(truth, runs, flat):
    again = {**runs, "again": runs["add 0.3"]}
    found = oe.study(truth, again, measures=FLAT, changes=None, baselines=("empty",), **FEW)
    assert found.entrants.names == tuple(runs)
    assert found.agreements["tau_b"].values.tolist() == flat.agreements["tau_b"].values.tolist()
    assert found.stability.swaps.tolist() == flat.stability.swaps.tolist()
    assert found.notes[:2] == [
        "5 runs. Baselines are left out.",
        "Runs that predict the same count once: add 0.3 = again.",
    ]
    assert repr(found) == "Study(5 measures, 5 runs)"


def test_what_cannot_be_studied_is_refused(truth, runs):
    one = runs["add 0.3"]
    with pytest.raises(InputError, match="fewer than two different runs"):
        oe.study(truth, {"x": one, "y": one}, measures="F", **FEW)
    with pytest.raises(ParameterError, match="correlations='tau_ap'"):
        oe.study(truth, runs, correlations=["tau_ap"])
    with pytest.raises(ParameterError, match="at least one of tau_b"):
        oe.study(truth, runs, correlations=[])
    with pytest.raises(ParameterError, match="correlations=None: expected one of 'tau_b'"):
        oe.study(truth, runs, correlations=None)  # type: ignore[arg-type]
    compared = oe.compare(truth, runs, measures="F", **FEW)
    for changes in ("drop", False):
        message = f"changes={changes!r}: expected None, or ontoeval.comparison.Changes"
        with pytest.raises(ParameterError, match=message):
            oe.study("not looked at yet", {}, changes=changes)  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match=message):
            oe.comparison.study_of(compared, changes=changes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"runs without names.*Write ontoeval\.study"):
        oe.study(truth, [one])


def test_one_choice_needs_no_list_and_what_is_named_twice_is_done_once(truth, runs):
    one: dict[str, Any] = {"kinds": "drop", "rates": 0.1, "samples": np.int64(5)}
    twice: dict[str, Any] = {"kinds": ["drop", "drop"], "rates": np.array([0.1, 0.1]), "samples": 5}
    changes = oe.comparison.Changes(**one)
    assert changes == oe.comparison.Changes(**twice)
    assert (changes.kinds, changes.rates, changes.samples) == (("drop",), (0.1,), 5)
    for chosen in ("rbo", ["rbo", "rbo"]):
        found = oe.study(truth, runs, measures="F", correlations=chosen, changes=None, **FEW)
        assert list(found.agreements) == ["rbo"]


def test_of_a_deep_hierarchy_some_levels_are_taken_out():
    names = [f"c{at}" for at in range(40)]
    deep = oe.Hierarchy.from_edges(list(pairwise(names)))
    truth, runs = [["c39"], ["c20"]] * 4, {"x": [["c38"], ["c20"]] * 4, "y": [["c39"], ["c2"]] * 4}
    options: dict[str, Any] = {"hierarchy": deep, "changes": QUICK, "measures": "hF"}
    found = changed(oe.study(truth, runs, **options, **FEW))
    levels = found.curves[-1].amounts
    assert (found.curves[-1].kind, len(levels), levels[0], levels[-1]) == ("collapse level", 10, 1, 39)
    assert max(np.diff(levels)) <= 5
    assert found.skipped == {
        "collapse level, other levels": "of 39 levels 10 are taken out, spread over the depth"
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": ["cousin"]}, "kinds='cousin'"),
        ({"rates": [1.5]}, "rates=1.5"),
        ({"rates": []}, "rates=.*at least one"),
        ({"rates": True}, "rates=True"),
        ({"rates": "0.1"}, "rates='0.1'"),
        ({"rates": None}, "rates=None"),
        ({"kinds": None}, "kinds=None"),
        ({"kinds": [["drop"]]}, r"kinds=\['drop'\]"),
        ({"kinds": []}, "kinds=.*at least one of drop"),
        ({"samples": 0}, "samples=0"),
        ({"samples": True}, "samples=True"),
    ],
)
def test_changes_that_cannot_be_tried_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        oe.comparison.Changes(**options)


def test_labels_that_are_not_known_cannot_be_changed():
    truth = oe.VerifiedLabels.from_sets([["a"], ["b"], ["a"]], [["b"], ["a"], []])
    runs = {"x": [["a"], ["b"], ["a", "b"]], "y": [["a", "b"], ["a"], []]}
    found = changed(oe.study(truth, runs, measures="F", changes=QUICK, **FEW))
    assert found.skipped == {"all": "of some labels it is not known whether they are true"}
    assert found.curves == ()


def test_every_piece_of_work_is_told(truth, runs):
    for hierarchy in (None, HIERARCHY):
        for changes in (None, QUICK):
            bars = Bars()
            options: dict[str, Any] = {"hierarchy": hierarchy, "changes": changes}
            oe.study(truth, runs, measures="F", progress=bars, **options, **FEW)
            assert len(runs) < bars.done == bars.announced


def test_distances_are_0_where_measures_rank_alike_whichever_way_the_correlation_goes():
    values = np.array([[0.9, 0.5], [0.7, 0.9]])
    nothing = np.full((2, 2), np.nan)
    for method, apart in (("rbo", 0.4), ("ks", 0.6)):
        found = RankCorrelation(method, ("a", "b"), values, nothing, nothing, nothing)
        assert found.distances == pytest.approx(np.array([[0, apart], [apart, 0]]))


def test_clusters_join_measures_up_to_a_distance():
    values = 1 - np.array([[0, 0.05, 0.4], [0.05, 0, 0.6], [0.4, 0.6, 0]])
    nothing = np.full((3, 3), np.nan)
    found = RankCorrelation("tau_b", ("a", "b", "c"), values, nothing, nothing, nothing)
    assert found.tree[:, 2] == pytest.approx([0.05, 0.5])
    assert set(map(frozenset, found.clusters(0.1))) == {frozenset("ab"), frozenset("c")}
    assert set(map(frozenset, found.clusters(0.5))) == {frozenset("abc")}


def test_changed_labels_of_all_runs_are_scored_at_once_to_the_same_bits(truth, runs, monkeypatch):
    measures = ["OS", "hF", "LCaF", "tF", "F(average='macro')"]
    changes = oe.comparison.Changes(kinds=["drop", "sibling"], rates=[0.3])

    def tables(at_once: int) -> list[bytes]:
        monkeypatch.setattr("ontoeval.comparison.sensitivity.AT_ONCE", at_once)
        found = oe.study(truth, runs, hierarchy=HIERARCHY, measures=measures, changes=changes, **FEW)
        return [one.tobytes() for curve in changed(found).curves for one in (curve.scores, curve.tau)]

    several = tables(70)
    monkeypatch.setattr("ontoeval.comparison.sensitivity._Setting._at_once", lambda *_: None)
    assert tables(70) == several
