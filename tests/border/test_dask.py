"""Data frames and bags of Dask give the scores of the same data in memory, bit for bit."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import cloudpickle
import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MissingExtraError
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.dask_collections import DRAWN, FAN_IN, merge_partitions, score_partition
from ontoeval.evaluation.portions import PortionScoring, merge_in_tree

dask = pytest.importorskip("dask")
bags = pytest.importorskip("dask.bag")
frames = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

HIERARCHY = oe.Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers"), ("sky", "clouds")])
TRUTH = {f"p{n:02}": [["trees"], ["flowers", "clouds"], ["sky"], ["sky", "plants"]][n % 4] for n in range(40)}
RUN = {f"p{n:02}": [["plants"], ["flowers"], ["clouds", "trees"]][n % 3] for n in range(40)}
MEASURES = ("F", "F(average='macro')", "hF", "OS", "tF", "tKappa")
HOW: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": MEASURES}
RESAMPLED: dict[str, Any] = {"resamples": 50, "test": "bootstrap", "baselines": ()}


@pytest.fixture(autouse=True)
def _lists_stay_lists():
    with dask.config.set({"dataframe.convert-string": False, "scheduler": "synchronous"}):
        yield


def lists(sides, column="labels"):
    return pd.DataFrame({"sample": list(sides), column: list(sides.values())})


def long(sides):
    return lists(sides, "label").explode("label", ignore_index=True)


def wide(sides):
    sets = oe.LabelSets.from_sets(sides, vocabulary=HIERARCHY.vocabulary)
    return pd.DataFrame(sets.matrix.toarray().astype(int), columns=list(sets.vocabulary), index=sets.samples)


def parted(frame, parts=5):
    """Cut a frame between samples."""
    names = frame["sample"] if "sample" in frame else frame.index.to_series()
    groups = names.str[1:].astype(int).to_numpy() * parts // 40
    return frames.from_delayed([dask.delayed(frame[groups == part]) for part in range(parts)])


def bag(sides, parts=5):
    items = iter(sides.items())
    return bags.from_delayed(
        [dask.delayed(list(islice(items, -(-len(sides) // parts)))) for _ in range(parts)]
    )


def records(sides):
    return bag(sides).map(lambda pair: {"id": pair[0], "Labels": pair[1], "title": "any"})


@pytest.mark.parametrize("shape", [lists, long, wide])
def test_frames_of_every_shape_give_the_scores_of_memory(shape):
    truth, run = shape(TRUTH), shape(RUN)
    found = oe.evaluate(parted(truth), parted(run), **HOW)
    whole = oe.evaluate(truth, run, **HOW)
    assert found.scores == whole.scores
    assert found.signature == whole.signature


@pytest.mark.parametrize("shape", [bag, records])
def test_bags_of_pairs_and_of_records_give_the_scores_of_memory(shape):
    found = oe.evaluate(shape(TRUTH), shape(RUN), **HOW)
    assert found.scores == oe.evaluate(TRUTH, RUN, **HOW).scores


def test_truth_and_run_may_be_of_different_shapes():
    found = oe.evaluate(parted(long(TRUTH)), bag(RUN), **HOW)
    assert found.scores == oe.evaluate(TRUTH, RUN, **HOW).scores


def test_series_and_texts_with_a_separator_are_read_as_in_memory():
    truth, run = (lists(side).set_index("sample")["labels"].str.join(";") for side in (TRUTH, RUN))
    pieces = (frames.from_pandas(side, npartitions=5) for side in (truth, run))
    found = oe.evaluate(*pieces, separator=";", **HOW)
    assert found.scores == oe.evaluate(truth, run, separator=";", **HOW).scores


def test_lists_in_arrow_are_read_as_lists_of_objects():
    pa = pytest.importorskip("pyarrow")
    kinds = {"sample": pd.ArrowDtype(pa.string()), "labels": pd.ArrowDtype(pa.list_(pa.string()))}
    sides = (parted(lists(side).astype(kinds)) for side in (TRUTH, RUN))
    assert oe.evaluate(*sides, **HOW).scores == oe.evaluate(TRUTH, RUN, **HOW).scores


def test_columns_name_the_concepts_where_there_is_no_hierarchy():
    found = oe.evaluate(parted(wide(TRUTH)), parted(wide(RUN)))
    assert found.scores == oe.evaluate(wide(TRUTH), wide(RUN)).scores


def test_labels_without_a_hierarchy_need_their_classes():
    with pytest.raises(oe.OntoevalError, match="classes= with all concepts"):
        oe.evaluate(parted(lists(TRUTH)), parted(lists(RUN)))
    classes = list(HIERARCHY.vocabulary)
    found = oe.evaluate(parted(lists(TRUTH)), parted(lists(RUN)), classes=classes)
    assert found.scores == oe.evaluate(TRUTH, RUN, classes=classes).scores


def test_measures_of_sets_and_of_scores_share_a_threshold():
    scores = wide(RUN) * 0.7 + wide(TRUTH) * 0.2
    how: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": ["F", "Fmax"], "threshold": 0.5}
    found = oe.evaluate(parted(wide(TRUTH)), parted(scores), **how)
    assert found.scores == oe.evaluate(wide(TRUTH), scores, **how).scores


def test_partitions_without_rows_count_nothing():
    some = partial(dict.fromkeys, ["p00", "p39"])
    truth = parted(lists({sample: TRUTH[sample] for sample in some()}))
    run = parted(lists({sample: RUN[sample] for sample in some()}))
    both = ({sample: side[sample] for sample in some()} for side in (TRUTH, RUN))
    assert oe.evaluate(truth, run, **HOW).scores == oe.evaluate(*both, **HOW).scores
    nothing = parted(lists(TRUTH)[:0])
    with pytest.raises(oe.OntoevalError, match="the truth has no samples"):
        oe.evaluate(nothing, nothing, **HOW)


def test_lacking_samples_are_empty_where_that_is_asked_for():
    few = {sample: RUN[sample] for sample in list(RUN)[10:]}
    found = oe.evaluate(bag(TRUTH), parted(lists(few)), missing="empty", **HOW)
    assert found.scores == oe.evaluate(TRUTH, few, missing="empty", **HOW).scores


def test_comparisons_have_the_scores_of_memory_and_intervals_of_poisson_resamples():
    runs = {"half": RUN, "all": TRUTH}
    found = oe.compare(bag(TRUTH), {name: bag(run) for name, run in runs.items()}, resamples=50, **HOW)
    whole = oe.compare(TRUTH, runs, **RESAMPLED, **HOW)
    assert (found.scores == whole.scores).all()
    bootstrap = oe.core.Bootstrap(resamples=50, weights="poisson")
    for run, side in runs.items():
        totals = oe.collect(oe.align(TRUTH, side, hierarchy=HIERARCHY), MEASURES, bootstrap=bootstrap)
        at = found.runs.index(run)
        assert found.low[at].tolist() == pytest.approx(
            [oe.score(totals).interval(one)[0] for one in MEASURES]
        )
    assert found.adjusted[0, 0, 1] == pytest.approx(1 / 51)
    assert "a Poisson number for each sample" in found.signature
    assert "Leaderboard" in found.report()
    assert not any("0 samples" in note for note in found.notes)


def test_comparisons_have_the_same_bits_whatever_the_scheduler():
    runs = {"half": bag(RUN), "all": bag(TRUTH)}
    found = []
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler):
            found.append(oe.compare(bag(TRUTH), runs, resamples=50, **HOW))
    first, second = found
    assert first.replicates.tobytes() == second.replicates.tobytes()


@pytest.mark.parametrize("option", [{"test": "randomisation"}, {"interval": "bca"}])
def test_tests_and_intervals_that_need_samples_in_memory_are_refused(option):
    with pytest.raises(oe.OntoevalError, match="which needs no samples in memory"):
        oe.compare(bag(TRUTH), {"run": bag(RUN)}, **HOW, **option)


@pytest.mark.parametrize("workers", [2, "abc"])
def test_workers_beside_those_of_dask_are_refused(workers):
    with pytest.raises(oe.OntoevalError, match="Dask has the workers"):
        oe.evaluate(bag(TRUTH), bag(RUN), **HOW, workers=workers)
    with pytest.raises(oe.OntoevalError, match="Dask has the workers"):
        oe.compare(bag(TRUTH), {"run": bag(RUN)}, **HOW, workers=workers)


@pytest.mark.parametrize("option", [{"sample_weight": {}}, {"known": TRUTH}])
def test_options_about_single_samples_are_refused(option):
    with pytest.raises(oe.OntoevalError, match="None for scans and Dask collections"):
        oe.evaluate(bag(TRUTH), bag(RUN), **HOW, **option)
    with pytest.raises(oe.OntoevalError, match="None for scans and Dask collections"):
        oe.compare(bag(TRUTH), {"run": bag(RUN)}, **HOW, **option)


def test_baselines_are_refused():
    with pytest.raises(oe.OntoevalError, match="baselines="):
        oe.compare(bag(TRUTH), {"run": bag(RUN)}, baselines=["prior"], **HOW)


def test_other_numbers_of_partitions_are_refused():
    with pytest.raises(oe.OntoevalError, match=r"the truth 5, the run 'prediction' 4\. .*npartitions=n"):
        oe.evaluate(bag(TRUTH), bag(RUN, 4), **HOW)


@pytest.mark.parametrize("other", [RUN, lists(RUN), np.ones((40, 5))])
def test_collections_beside_data_in_memory_are_refused(other):
    with pytest.raises(oe.OntoevalError, match=rf"the run 'prediction' is a {type(other).__name__}, but"):
        oe.evaluate(bag(TRUTH), other, **HOW)


def test_samples_in_other_partitions_are_named_with_the_remedy():
    names = [{"p03": "p35", "p35": "p03"}.get(name, name) for name in RUN]
    mixed = {name: RUN[name] for name in names}
    with pytest.raises(oe.OntoevalError) as caught:
        oe.evaluate(bag(TRUTH), bag(mixed), **HOW)
    for part in (" of 0 to 4: run 'prediction'", "'p03'", "'p35'", "shuffle('sample', npartitions=n)"):
        assert part in str(caught.value)


def test_shuffled_frames_fit_each_other():
    both = (parted(long(side).sample(frac=1, random_state=1)) for side in (TRUTH, RUN))
    found = oe.evaluate(*(side.shuffle("sample", npartitions=4) for side in both), **HOW)
    assert found.scores == oe.evaluate(TRUTH, RUN, **HOW).scores


@pytest.mark.parametrize("places", [(0, 1), (0, 4), (1, 3)])
def test_a_sample_in_two_partitions_is_found(places):
    sides = []
    for side in (TRUTH, RUN):
        parts = [dict(list(side.items())[at : at + 8]) for at in range(0, 40, 8)]
        for part in places:
            parts[part]["twice"] = ["sky"]
        sides.append(bags.from_delayed([dask.delayed(list(part.items())) for part in parts]))
    where = "'twice', the first in partition {} of 0 to 4 and in partition {} of 0 to 4"
    with pytest.raises(oe.OntoevalError, match=where.format(*places)):
        oe.evaluate(*sides, **HOW)


def test_a_sample_whose_rows_end_one_partition_and_begin_the_next_is_found_among_many():
    scoring = PortionScoring.from_options(SideOptions(HIERARCHY), "F")
    count = DRAWN * 3
    names = sorted((f"s{n:06}" for n in range(2 * count)), key=lambda name: crc32(name.encode()))
    frame = pd.DataFrame({"sample": [*names[:count], *names[count - 1 :]], "label": "sky"})
    parts = [
        score_partition(scoring, f"partition {place}", part, {"run": part})
        for place, part in enumerate((frame[:count], frame[count:]))
    ]
    assert names[count - 1] not in parts[0].drawn, "else the border is not what finds it"
    with pytest.raises(oe.OntoevalError, match=names[count - 1]):
        merge_partitions(parts)


def test_frames_that_only_count_their_samples_are_refused():
    truth = frames.from_pandas(wide(TRUTH).reset_index(drop=True), npartitions=2)
    with pytest.raises(oe.OntoevalError, match=r"partition 0 of 0 to 1: the samples have no names"):
        oe.evaluate(truth, truth, **HOW)


def test_lists_that_became_texts_are_refused_with_the_setting_that_keeps_lists():
    with dask.config.set({"dataframe.convert-string": True}):
        truth = frames.from_pandas(lists(TRUTH), npartitions=2)
        with pytest.raises(oe.OntoevalError, match=r"holds texts that Dask made of lists.*convert-string"):
            oe.evaluate(truth, truth, **HOW)


@pytest.mark.parametrize("element", ["p1", ("p1",), {"who": "p1", "labels": []}, {"sample": "p1"}, 3])
def test_elements_of_bags_that_are_no_samples_are_refused(element):
    some = bags.from_sequence([element], npartitions=1)
    with pytest.raises(oe.OntoevalError, match="an element of a bag that is no pair"):
        oe.evaluate(some, some, **HOW)


def test_a_sample_twice_in_a_partition_of_a_bag_is_refused():
    some = bags.from_sequence([("p1", ["sky"]), ("p1", ["trees"])], npartitions=1)
    with pytest.raises(oe.OntoevalError, match=r"1 sample more than once in a bag: 'p1'"):
        oe.evaluate(some, some, **HOW)


def test_unknown_labels_are_refused_with_their_partition():
    with pytest.raises(oe.OntoevalError, match=r"partition 1 of 0 to 4: .*'trres'"):
        oe.evaluate(bag(TRUTH), bag(RUN | {"p09": ["trres"]}), **HOW)


def test_eight_at_a_time_are_the_tree_of_one_after_the_other():
    bootstrap = oe.core.Bootstrap(resamples=3, weights="poisson")
    scoring = PortionScoring.from_options(SideOptions(HIERARCHY), "OS", bootstrap=bootstrap)
    parts = [
        score_partition(scoring, str(n), [(f"s{n}", ["trees"])], {"run": [(f"s{n}", ["sky", "flowers"])]})
        for n in range(2 * FAN_IN**2 + 5)
    ]
    for count in (1, 2, 7, 8, 9, 20, 63, 64, 65, 71, 100, len(parts)):
        level = parts[:count]
        while len(level) > 1:
            level = [merge_partitions(level[at : at + FAN_IN]) for at in range(0, len(level), FAN_IN)]
        whole = merge_in_tree(part.totals["run"] for part in parts[:count])
        for statistic, drawn in level[0].totals["run"].replicates.items():
            assert drawn.tobytes() == whole.replicates[statistic].tobytes()


def test_the_hierarchy_is_one_key_of_the_graph_and_a_partition_adds_little():
    edges = [("root", f"concept {n}") for n in range(5_000)]
    hierarchy = oe.Hierarchy.from_edges(edges)

    def part(number):
        return [(f"s{number}", [f"concept {number}"])]

    def graph_size(partitions):
        sizes = []

        def get(graph, keys, **options):
            tasks = graph.__dask_graph__() if hasattr(graph, "__dask_graph__") else dict(graph)
            sizes.append((len(tasks), len(cloudpickle.dumps(tasks))))
            return dask.get(tasks, keys, **options)

        some = bags.from_delayed([dask.delayed(part)(number) for number in range(partitions)])
        with dask.config.set(scheduler=get):
            oe.evaluate(some, some, hierarchy=hierarchy, measures="F")
        return sizes[-1]

    (few, small), (many, large) = graph_size(8), graph_size(72)
    assert many - few < 4 * 64
    assert (large - small) / 64 < 4_000
    assert small > len(cloudpickle.dumps(hierarchy)), "the hierarchy is in the graph"


@pytest.mark.parametrize("call", [oe.LabelSets.from_frame, oe.agreement])
def test_other_functions_name_dask_and_what_to_do(call):
    with pytest.raises(InputError, match=r"a DataFrame of Dask, which only evaluate.*frame\.compute\(\)"):
        call(parted(lists(TRUTH)))


def test_a_study_refuses_dask_collections_and_scans_before_any_work(tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("id,labels\np1,trees\n", encoding="utf-8")

    def fails(_):
        raise AssertionError

    for side in (bag(TRUTH).map(fails), oe.scan_labels(path, concepts=["trees"])):
        with pytest.raises(InputError, match=r"a study needs the labels of all samples.*compare takes both"):
            oe.study(side, {"one": side, "other": side}, measures="F")


def test_data_in_memory_is_scored_without_dask():
    call = "import sys, ontoeval as oe; oe.evaluate([['a']], [['a']]); assert 'dask' not in sys.modules"
    subprocess.run([sys.executable, "-c", call], check=True)


def test_the_error_without_dask_names_the_extra(monkeypatch):
    truth = bag(TRUTH)
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(MissingExtraError, match=r"ontoeval-metrics\[scale\]"):
        oe.evaluate(truth, truth, **HOW)


def test_the_example_of_the_manual_runs():
    page = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    (block,) = (one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "dask.dataframe" in one)
    exec(compile(block, "docs/scale.md", "exec"), {})  # noqa: S102 - our own
