"""What is handed over is read once; options that several functions share are alike."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontoeval as oe
from ontoeval.comparison import baseline
from tests import commands

TREE = oe.Hierarchy.from_edges([("water", "sea"), ("water", "lake"), ("air", "sky")])
TRUTH = {"p1": ["sea"], "p2": ["sea", "sky"], "p3": ["lake"]}
RUN = {"p1": ["sea"], "p2": ["lake", "sky"], "p3": []}
NAMES = ["sea", "lake", "sky"]
SCORES = pd.DataFrame([[0.9, 0.1, 0], [0.2, 0.6, 0.8], [0, 0.3, 0.1]], index=list(TRUTH), columns=NAMES)
AGREEMENT = dict.fromkeys(["water", "air", *NAMES], 0.9)
KNOWN = {"p1": ["water"]}

ONE_DOOR: dict[str, Callable[[], object]] = {
    "evaluate": lambda: oe.evaluate(TRUTH, RUN),
    "evaluate, hierarchy": lambda: oe.evaluate(TRUTH, RUN, hierarchy=TREE, agreement=AGREEMENT),
    "evaluate, scores": lambda: oe.evaluate(TRUTH, SCORES, measures=["F", "AP"], threshold=0.5),
    "evaluate, arrays": lambda: oe.evaluate(np.eye(3), np.ones((3, 3)), measures="F"),
    "evaluate, known": lambda: oe.evaluate(TRUTH, RUN, hierarchy=TREE, known=KNOWN, measures="F"),
    "compare": lambda: oe.compare(TRUTH, {"one": RUN, "other": TRUTH}, resamples=5, chance=True),
    "compare, hierarchy": lambda: oe.compare(TRUTH, {"a": RUN, "b": TRUTH}, hierarchy=TREE, resamples=5),
    "align": lambda: oe.align(TRUTH, RUN),
    "confusion_matrix": lambda: oe.confusion_matrix(TRUTH, RUN, hierarchy=TREE),
    "confusion_tensor": lambda: oe.confusion_tensor(TRUTH, RUN),
    "one_vs_rest": lambda: oe.one_vs_rest(TRUTH, RUN),
    "explain": lambda: oe.explain(TRUTH, RUN, "p2", hierarchy=TREE, agreement=AGREEMENT),
    "errors_by_kind": lambda: oe.errors_by_kind(TRUTH, {"run": RUN}, hierarchy=TREE, agreement=AGREEMENT),
    "curve": lambda: oe.curve(TRUTH, SCORES, hierarchy=TREE),
    "sweep": lambda: oe.sweep(TRUTH, SCORES, measures="Jaccard", hierarchy=TREE, agreement=AGREEMENT),
}


@pytest.mark.parametrize("verb", ONE_DOOR)
def test_each_side_is_read_once_and_measures_are_looked_up_once(verb: str) -> None:
    calls = Counter[str]()

    def seen(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_globals.get("__name__", "").startswith("ontoeval."):
            calls[frame.f_code.co_name] += 1

    call = ONE_DOOR[verb]
    sys.setprofile(seen)
    try:
        call()
    finally:
        sys.setprofile(None)
    sides = 2 + ("compare" in verb or "known" in verb)
    scored = verb.startswith(("evaluate", "compare", "errors", "sweep", "explain"))
    assert (calls["read_side"], calls["door"], calls["measures_of"]) == (sides, 1, scored)


SHARING: list[Any] = [
    *(oe.compare, oe.align, oe.collect, oe.confusion_matrix, oe.confusion_tensor, oe.one_vs_rest),
    *(oe.curve, oe.sweep, oe.explain, oe.errors_by_kind, baseline, oe.study),
]


def texts_of(verb: Callable[..., object]) -> dict[str, str]:
    """Text of each parameter in a docstring."""
    section = re.search(r"Parameters\n-+\n(.*?)\n\n", inspect.getdoc(verb) or "", re.DOTALL)
    assert section is not None
    found = re.findall(r"^(\S.*)\n((?: +.*\n?)+)", section[1], re.MULTILINE)
    return {name: text.strip() for names, text in found for name in re.split(r",\s*", names)}


@pytest.mark.parametrize("verb", SHARING, ids=lambda verb: verb.__name__)
def test_options_of_evaluate_are_the_same_elsewhere(verb: Callable[..., object]) -> None:
    alike, own = inspect.signature(oe.evaluate).parameters, inspect.signature(verb).parameters
    told, texts = texts_of(oe.evaluate), texts_of(verb)
    for name in own.keys() & alike.keys() - {"truth", "prediction"}:
        required = own[name].default is inspect.Parameter.empty
        assert required or own[name].default == alike[name].default, name
        known = {str(alike[name].annotation), "int | None" * (name == "workers")}
        kinds = {one.removesuffix(" | None") if required else one for one in known}
        assert str(own[name].annotation) in kinds, name
        beginning = re.split("[,:;.]", told[name])[0]
        assert texts[name].startswith((beginning, "See `")), name


def test_a_study_takes_what_a_comparison_takes() -> None:
    options = inspect.signature(oe.study, eval_str=True).parameters["options"].annotation.__args__[0]
    own = inspect.signature(oe.compare).parameters.keys() - {
        "truth",
        "runs",
        "progress",
        "workers",
        "options",
        "by",  # a study is of all samples
    }
    fields = set(oe.Plan.__dataclass_fields__)
    assert options.__annotations__.keys() == own | fields


def test_a_sample_that_only_one_side_has_is_explained_as_empty_on_the_other() -> None:
    missed = oe.explain({"p1": ["sea"]}, {"p2": ["sea"]}, "p1", hierarchy=TREE)
    false = oe.explain({"p1": ["sea"]}, {"p2": ["sea"]}, "p2", hierarchy=TREE)
    assert [charge.kind for charge in missed.charges] == ["missed"]
    assert [charge.kind for charge in false.charges] == ["false"]


def test_baselines_score_in_a_comparison_what_they_score_alone() -> None:
    names = [*NAMES, "water", "air"]
    truth = {str(at): [names[at % 3], *names[3:][: at % 2]] for at in range(20)}
    verified = oe.VerifiedLabels.from_sets(
        truth, {str(at): [names[(at + 1) % 3]] for at in range(20)}, vocabulary=names
    )
    run = {name: labels[:1] for name, labels in truth.items()}
    weights = {name: 1 + int(name) % 3 for name in truth}
    known = {"1": ["water"], "2": ["sky"], "7": ["lake"]}
    every: list[tuple[Any, dict[str, Any]]] = [
        (truth, {"sample_weight": weights}),
        (truth, {"known": known}),
        (verified, {"sample_weight": weights}),
    ]
    for true, options in every:
        options |= {"hierarchy": TREE, "measures": ["F", "hF", "P"]}
        found = oe.compare(true, {"run": run}, resamples=5, baselines=["prior", "random"], **options)
        batch = found.evaluations["run"].batch
        assert batch is not None
        for kind in ("prior", "random"):
            sets = found.evaluations[kind].sets
            assert sets is not None
            alone = oe.evaluate(true, sets.whole_prediction.take(verified.samples), **options)
            assert alone.scores == found.evaluations[kind].scores
            assert alone.reading == found.evaluations[kind].reading


def test_arrays_that_took_the_names_of_frames_are_noted_in_comparisons_too() -> None:
    frame = pd.DataFrame(np.eye(3, dtype=int), index=list(TRUTH), columns=NAMES)
    array = np.ones((3, 3), dtype=int)
    line = "arrays without names, in the order of the data frame's rows and columns: "
    assert f"{line}'prediction'" in oe.evaluate(frame, array, measures="F").reading
    found = oe.compare(frame, {"one": array, "two": frame}, measures="F", resamples=5)
    assert all(f"{line}'one'" in one.reading for one in found.evaluations.values())


def test_concepts_that_only_a_run_has_are_those_of_both_in_scores_and_comparisons() -> None:
    truth = pd.DataFrame({"sky": [1, 0], "sea": [0, 1]}, index=["a", "b"])
    run = truth.assign(moon=[1, 0])
    lists = [{"a": ["sky"], "b": ["sea"]}, {"a": ["sky", "moon"], "b": ["sea"]}]
    with pytest.raises(oe.OntoevalError, match="'prediction' has 1 column that the truth lacks: 'moon'"):
        oe.evaluate(truth, run)
    for true, predicted in (lists, (truth, lists[1]), (lists[0], run)):
        alone = oe.evaluate(true, predicted, measures=["F", "Hamming"])
        assert alone.scores == {"F": 0.8, "Hamming": 1 / 6}
        assert alone.notes[0] == "1 label in the prediction alone: 'moon'. Names count as they are written."
        compared = oe.compare(true, {"run": predicted}, measures=["F", "Hamming"], resamples=5)
        assert compared.evaluations["run"].scores == alone.scores
        assert alone.notes[0] in compared.notes


def test_label_sets_with_labels_of_another_vocabulary_are_refused_in_scores_and_comparisons() -> None:
    truth = oe.LabelSets.from_sets([["sky"], ["sea"]], vocabulary=("sea", "sky"))
    for run in (sets := [["sky", "moon"], []], oe.LabelSets.from_sets(sets)):
        for others in ({}, {"other": truth}):
            with pytest.raises(oe.OntoevalError, match="moon"):
                oe.compare(truth, {**others, "run": run})
        with pytest.raises(oe.OntoevalError, match="moon"):
            oe.evaluate(truth, run)


def test_paths_are_read_as_commands_read_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "tree.csv": 'parent,child\nfood,salt\nfood,herbs\nfood,"potato, fried"\n',
        "truth.csv": 'id,labels\np1,"potato, fried;salt"\np2,herbs\np3,\n',
        "scores.csv": "sample,concept,score\np1,salt,0.8\np1,herbs,0.7\np2,herbs,0.6\np3,salt,0.1\n",
        "runs/one.csv": 'id,labels\np1,"potato, fried;salt"\np2,salt\np3,\n',
        "runs/two.csv": "id,labels\np1,salt;herbs\np2,herbs\np3,salt\n",
        "runs/README.md": "",
        "verified.csv": "id,salt,herbs\np1,1,-1\np2,0,1\n",
        "wide.csv": "id,salt,herbs\np1,1,1\np2,1,0\n",
    }  # fmt: skip
    Path("runs").mkdir()
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    for run, threshold in (("runs/one.csv", None), (Path("runs/two.csv"), None), ("scores.csv", 0.5)):
        found = oe.evaluate("truth.csv", run, hierarchy="tree.csv", measures=["F", "hF"], threshold=threshold)
        words = ["score", "truth.csv", str(run), "--ontology", "tree.csv", "-mF", "-mhF", "--format", "csv"]
        told = commands.call(*words, *["--threshold", "0.5"] * (threshold is not None))
        assert [*map(float, told.stdout.split()[1].split(",")[1:])] == [*found.values()]
    named = {"one": "runs/one.csv", "two": "runs/two.csv"}
    ways: list[Any] = ["runs", "runs/*.csv", [*named.values()], named]
    for runs in ways:
        compared = oe.compare("truth.csv", runs, measures="F", resamples=5, baselines=())
        assert {run: compared[run]["F"] for run in compared.runs} == {"one": 2 / 3, "two": 4 / 7}
        assert ("left out what is no run: 'runs/README.md'" in compared.first.notes) is (runs == "runs")
    runs = {"one": "runs/one.csv", "cut": "scores.csv", "sets": {"p1": ["salt"], "p2": [], "p3": []}}
    mixed = oe.compare("truth.csv", runs, measures="F", resamples=5, baselines=(), threshold=0.5)
    assert "labels as they are, without threshold: 'one', 'sets'" in mixed.first.notes
    assert mixed.scores[:2, 0].tolist() == [2 / 3, 2 / 3]
    done = commands.call("compare", "truth.csv", "runs", "scores.csv", "-mF", "--threshold", "0.5").stdout
    assert "Labels as they are, without threshold: 'runs/one.csv', 'runs/two.csv'" in done
    assert oe.evaluate("verified.csv", "wide.csv", ignore_index=-1, measures="F")["F"] == 0.5
    assert oe.confusion_matrix("truth.csv", "runs/one.csv").samples("herbs", "salt") == {"p2": 1}
    with pytest.raises(oe.OntoevalError, match=r"nowhere\.csv: there is no such file"):
        oe.evaluate("nowhere.csv", "truth.csv")
