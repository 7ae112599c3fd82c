"""Advice runs as it is printed, and gives what was asked: the same measure, option and value."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.cli import COMMANDS
from ontoeval.cli.exit_codes import Exit
from ontoeval.concepts.costs import costs_by_name
from ontoeval.core.advice import parsed_row
from ontoeval.errors import habits
from tests.border.test_annotation_tools import TASKS
from tests.commands import call

metrics, pd = map(pytest.importorskip, ("sklearn.metrics", "pandas"))

Y = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]])
P = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])
S = np.array(
    [[0.9, 0.1, 0.4, 0.3], [0.2, 0.8, 0.6, 0.1], [0.7, 0.4, 0.1, 0.2], [0.1] * 4, [0.6, 0.3, 0.7, 0.1]]
)
untyped: Any = oe


def refused(call: Callable[[], object]) -> str:
    """What a wrong call is told."""
    with pytest.raises((TypeError, AttributeError, oe.OntoevalError)) as met:
        call()
    return str(met.value)


SYMBOLS = {"f1": metrics.f1_score, "P": metrics.precision_score, "R": metrics.recall_score}


@pytest.mark.parametrize("zero", [0, 1, np.nan, "warn"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("way", ["F", "f1", "F(average='AVERAGE')", "f1_AVERAGE"])
def test_options_of_scikit_learn_give_its_number(way: str, average: str, zero: Any) -> None:
    options = {"zero_division": zero} | ({"average": average} if way in {"F", "f1"} else {})
    found = untyped.evaluate(Y, P, measures=way.replace("AVERAGE", average), **options)
    expected = metrics.f1_score(Y, P, average=average, zero_division=0 if zero == "warn" else zero)
    assert [*found.values()] == pytest.approx([expected], nan_ok=True)


def test_options_are_given_to_each_measure_that_has_them_and_the_usual_one_without_measures() -> None:
    several = untyped.evaluate(Y, P, measures=["P", "Jaccard", "Hamming"], average="macro", zero_division=1)
    assert [*several] == [
        "P(average='macro', undefined=1)",
        "Jaccard(average='macro', undefined=1)",
        "Hamming",
    ]
    weighted = untyped.compare(Y, {"run": P}, average="weighted", resamples=5)["run"]
    assert [*weighted.values()] == pytest.approx(
        [metrics.f1_score(Y, P, average="weighted", zero_division=0)]
    )
    squared = untyped.evaluate(Y, P, "fbeta", beta=2, average="macro")
    assert [*squared.values()] == pytest.approx(
        [metrics.fbeta_score(Y, P, beta=2, average="macro", zero_division=0)]
    )
    assert [*untyped.evaluate(Y, S, "PAt", k=2)] == ["PAt(k=2)"]
    with pytest.raises(oe.OntoevalError, match="'top_k': no option of 'F'"):
        untyped.evaluate(Y, P, top_k=2)


OTHERS = [
    "f1_score(Y, P, average='micro')",
    "f1_score(Y, P, average='weighted', zero_division=1)",
    "f1_score(y_true=Y, y_pred=P, average='samples', sample_weight=W)",
    "f1_score(Y, P, average='macro', labels=[0, 3])",
    "f1_score(Y, P, average=None, labels=(2, 0))",
    "precision_score(Y, P, average='samples', zero_division=0)",
    "recall_score(Y, P, average=None, sample_weight=W)",
    "fbeta_score(Y, P, beta=2, average='macro')",
    "fbeta_score(Y, P, average='micro', beta=0.5, zero_division=1.0)",
    "jaccard_score(Y, P, average='samples')",
    "jaccard_score(Y, P, average='weighted')",
    "hamming_loss(Y, P, sample_weight=W)",
    "accuracy_score(Y, P, normalize=True)",
    "multilabel_confusion_matrix(Y, P, labels=[2, 0], sample_weight=W)",
    "roc_auc_score(Y3, S3, average='weighted', max_fpr=None)",
    "average_precision_score(Y, S, average='micro')",
    "average_precision_score(y_true=Y3, y_score=S3)",
    "ndcg_score(Y, T, k=2)",
    "coverage_error(Y, T, sample_weight=W)",
    "label_ranking_average_precision_score(Y, T)",
    "label_ranking_loss(Y, T)",
]
UNLIKE = ["hamming_loss([0, 1, 2], [0, 1, 1], classes=[*'abc'])", "hamming_loss(tuple('abca'), tuple('aabc'))", "f1_score(Y[:, :1].tolist(), P[:, :1].tolist(), average='macro')", "classification_report(Y, P, zero_division=1)", "fbeta_score(Y, P, average='macro')", "f1_score(Y, P, 2, average='macro')", "ConfusionMatrixDisplay.from_estimator(AsIs(), Y, Y)", "f1_score(Y[:, :1], P[:, :1], average='macro')", "precision_recall_fscore_support(Y, P, beta=2)", "hamming_loss([*'ab'], [*'ac'])", "roc_auc_score(Y3, S3, max_fpr=0.5)", "ndcg_score(Y, S, ignore_ties=True)", "precision(P, Y, task='multilabel', average='macro')", "accuracy_score(Y, P, normalize=False, sample_weight=W)", "precision_recall_fscore_support(Y, P, labels=[3, 2, 1, 0])"]  # fmt: skip
W, T = np.array([1.0, 2.0, 0.5, 3.0, 1.0]), S.round() / 2 + (S > 0.6)
Y3, S3 = Y[:, :3], S[:, :3]  # the last class is never true


def replayed(text: str) -> Any:
    """What the one call gives that a message has in place of another, in the names that are used here."""
    message = refused(lambda: eval(text))  # noqa: S307 - our own
    (call,) = re.findall(
        r"Write (ontoeval\..+?)\.(?= [A-Z]|$)", message.replace(" and ontoeval.", ", ontoeval.")
    )
    return eval(call, globals() | {"ontoeval": oe})  # noqa: S307


@pytest.mark.filterwarnings("ignore:.* ill-defined")
@pytest.mark.parametrize("text", OTHERS)
def test_a_call_of_scikit_learn_gives_its_number(text: str) -> None:
    expected = eval(f"metrics.{text}")  # noqa: S307 - our own
    assert eval(f"oe.{text}") == pytest.approx(expected)  # noqa: S307


@pytest.mark.parametrize("text", UNLIKE)
def test_a_call_with_another_number_elsewhere_is_answered(text: str) -> None:
    assert " is another call here. " in refused(lambda: eval(f"oe.{text}"))  # noqa: S307


def test_a_report_of_scikit_learn_is_answered_by_the_one_with_its_numbers() -> None:
    names = [*"abcd"]
    options = "(Y, P, target_names=[*'abcd'], output_dict=True, digits=3, zero_division=0, sample_weight=W)"
    found = eval(f"oe.classification_report{options}")  # noqa: S307 - ours
    expected = metrics.classification_report(
        Y, P, target_names=names, output_dict=True, zero_division=0, sample_weight=W
    )
    for row in ("a", "c", "macro avg", "weighted avg"):
        theirs = [expected[row][one] for one in ("precision", "recall", "f1-score", "support")]
        assert [*found[row].values()] == pytest.approx(np.round(theirs, 3).tolist())
    each = untyped.precision_recall_fscore_support(Y, P, zero_division=0)
    assert np.array(each) == pytest.approx(
        np.array(metrics.precision_recall_fscore_support(Y, P, zero_division=0))
    )


@pytest.mark.parametrize("zero", [1, np.nan])
@pytest.mark.parametrize("name", ["P", "precision", "recall"])
def test_a_value_of_0_by_0_that_a_measure_lacks_is_refused(name: str, zero: float) -> None:
    with pytest.raises(oe.OntoevalError, match=r"labels is 0: leave it out"):
        untyped.evaluate(Y, P, measures=["f1", name], average="samples", zero_division=zero)


LINKS, LETTERS, Z = [("r", one) for one in "abcd"], [*"abcd"], 1 - P
KEYWORDS = {
    "oe.evaluate(Y, P, measures='Jaccard', n_bootstrap=20, ci=0.9, random_state=3)": "oe.compare(Y, {'run': P}, measures='Jaccard', resamples=20, level=0.9, seed=3)",
    "oe.evaluate(Y, P, average='weighted', bootstrap=20)": "oe.compare(Y, {'run': P}, measures=\"F(average='weighted', undefined=0)\", resamples=20)",
    "oe.evaluate(Y, P, metric='jaccard', average=None, zero_division=1)": "oe.evaluate(Y, P, measures=\"Jaccard(average='macro', undefined=1)\").per_concept()",
    "oe.evaluate(Y, P, per_class=True, metrics=['recall'], digits=2)": "oe.evaluate(Y, P, measures=\"R(average='macro', undefined=0)\").per_concept()",
    "oe.evaluate(Y, P, per_label=True, target_names=LETTERS, digits=2)": "oe.evaluate(Y, P, classes=LETTERS).classification_report(sort='f1-score').to_frame().round(2)",
    "oe.evaluate(Y, P, LINKS, LETTERS, measures='hP')": "oe.evaluate(Y, P, hierarchy=LINKS, classes=LETTERS, measures='hP')",
    "oe.evaluate(Y, P, tree=LINKS, names=LETTERS, leaves_only=True, metrics='P', verbose=1)": "oe.evaluate(Y, P, hierarchy=LINKS, classes=LETTERS, measures='P', only='leaves')",
    "oe.evaluate(Y, P, taxonomy=LINKS, classes=LETTERS, level=1)": "oe.evaluate(Y, P, hierarchy=LINKS, classes=LETTERS, only='depth=1')",
    "oe.evaluate(Y, P, Z)": "oe.compare(Y, {'P': P, 'Z': Z})",
    "oe.compare({'a': P, 'b': Z}, Y, measures='P', resamples=9)": "oe.compare(Y, {'a': P, 'b': Z}, measures='P', resamples=9)",
    "oe.compare(Y, P, Z, metric='R')": "oe.compare(Y, {'P': P, 'Z': Z}, measures='R')",
    "oe.compare(Y, [P, Z], names=['a', 'b'], n_boot=9)": "oe.compare(Y, {'a': P, 'b': Z}, resamples=9)",
    "oe.compare(Y, [('a', P), ('b', Z)], ci=0.9, sort_by='F')": "oe.compare(Y, {'a': P, 'b': Z}, level=0.9).to_frame().sort_values('F')",
    "oe.wilcoxon(Y, P, Z, resamples=9)": "oe.compare(Y, {'P': P, 'Z': Z}, resamples=9)",
    "oe.bootstrap_ci(Y, P, metric='P', n_resamples=9)": "oe.compare(Y, {'P': P}, measures='P', resamples=9)",
    "oe.evaluate(Y, P, normalize='pred', target_names=LETTERS)": "oe.confusion_matrix(Y, P, classes=LETTERS, normalise='pred')",
    "oe.evaluate(Y, P, ci=True, per_class=True)": "oe.compare(Y, {'run': P}), oe.evaluate(Y, P).classification_report(sort='f1-score')",
    "oe.evaluate(Y, P, metrics=['f1', 'jaccard'], average=None)": "oe.evaluate(Y, P, measures='f1_macro').per_concept(), oe.evaluate(Y, P, measures='jaccard_macro').per_concept()",
    "oe.agreement(SETS, SIDE, method='fleiss')": "oe.agreement({'SETS': SETS, 'SIDE': SIDE}).to_frame()",
}  # fmt: skip
"""Calls with the words of other libraries, and what is to be given by the call of the answer."""


@pytest.mark.filterwarnings("ignore:Cells are sums")
@pytest.mark.parametrize("text", KEYWORDS)
def test_words_of_other_libraries_are_answered_by_one_call_with_all_that_was_given(text: str) -> None:
    found, expected = replayed(text), eval(KEYWORDS[text])  # noqa: S307
    tables = [one.to_frame() if hasattr(one, "to_frame") else one for one in (found, expected)]
    assert repr(tables[0]) == repr(tables[1])
    assert type(found) is type(expected)


@pytest.mark.parametrize("name", ["mcnemar", "Metric", "TunedThresholdClassifierCV"])
def test_a_function_of_another_library_can_be_imported_and_is_answered_where_it_is_called(name: str) -> None:
    names = dict[str, Any]()
    exec(f"from ontoeval import {name}", names)  # noqa: S102 - our own
    assert refused(names[name]).startswith(f"ontoeval.{name} is another call here. Write ontoeval.")
    with pytest.raises(ImportError, match=r"No ontoeval attribute evalute: use ontoeval\.evaluate"):
        exec("from ontoeval import evalute")  # noqa: S102
    with pytest.raises(AttributeError, match=r"No ontoeval attribute evalute: use ontoeval\.evaluate"):
        untyped.evalute(Y, P)


def test_a_keyword_of_another_library_is_heard() -> None:
    tree = [("r", name) for name in "abcd"]
    calls: list[tuple[Callable[..., Any], dict[str, Any], dict[str, Any]]] = [
        (oe.evaluate, {"metrics": "F"}, {"measures": "F"}),
        (oe.evaluate, {"labels": [*"abcd"]}, {"classes": [*"abcd"]}),
        (oe.evaluate, {"num_labels": 4}, {}),
        (oe.evaluate, {"weights": [1, 2, 3, 1, 1]}, {"sample_weight": [1, 2, 3, 1, 1]}),
        (oe.evaluate, {"n_jobs": 2}, {"workers": 2}),
        (
            oe.evaluate,
            {"ontology": tree, "id2label": dict(enumerate("abcd"))},
            {"hierarchy": tree, "classes": [*"abcd"]},
        ),
    ]
    for verb, theirs, ours in calls:
        assert verb(Y, P, **theirs).scores == verb(Y, P, **ours).scores
    assert untyped.evaluate(preds=P, target=Y, measures="P").scores == oe.evaluate(Y, P, measures="P").scores
    assert untyped.confusion_matrix(Y, P, sample_weights=[1, 2, 3, 1, 1]).matrix.sum() > 5


# calls and commands ---------------------------------------------------------------------------------------

SIDE = {"p1": {"cat"}, "p2": {"cat", "dog"}}
ABSENT = {"p1": {"dog"}, "p2": set[str]()}
PAIR = [oe.LabelSets.from_sets(one, vocabulary=["cat", "dog"]) for one in (SIDE, ABSENT)]
LONG = pd.DataFrame([["p1", "cat"], ["p2", "cat"], ["p2", "dog"]], columns=["id", "label"])
MARKED, MIXED = LONG.assign(score=[1, 0, 1]), LONG.set_axis(["x", "y"], axis=1)
LEVELS = LONG.set_index([["a", "b", "b"], "id"])
BESIDE = pd.DataFrame([["p1", "cat", None], ["p2", "cat", "dog"]], columns=["id", "label", "label2"])
VOTES = pd.concat([LONG.assign(annotator=who) for who in ("ann", "bob")])
WIDE = pd.DataFrame([[1, 0], [1, 1]], index=["p1", "p2"], columns=["cat", "dog"])
ARRAY, SCORES = WIDE.to_numpy(), oe.LabelScores.from_frame(WIDE * 0.9)
UPWARD = [("cat", "pet"), ("dog", "pet")]
TREE, VERIFIED = oe.Hierarchy.from_edges([("pet", "cat"), ("pet", "dog")]), oe.VerifiedLabels(*PAIR)
RECORDS = [{"id": one, "labels": sorted(labels)} for one, labels in SIDE.items()]
SETS, FRAME = {**SIDE, "p1": {"dog"}}, pd.DataFrame(Y, columns=LETTERS)
DRAWN = oe.core.Bootstrap(resamples=20)
NAMES: dict[str, Any] = {
    "truth": SIDE, "prediction": SIDE, "run": SIDE, "positive": SIDE, "negative": ABSENT, "path": "side.csv",
    "sample": "id", "concept": "label", "vocabulary": ["cat", "dog"], "samples": ["p1", "p2"], "array": ARRAY,
    "frame": WIDE, "hierarchy": TREE, "measures": "F", "name": "one", "sets": SIDE, "ontology": "tree.csv",
    "classes": ["cat", "dog"], "scores": SCORES, "sample_weight": [1, 2], "runs": {"one": SIDE}, "labels": SIDE,
    "columns": ["cat", "dog"], "threshold": 0.5, "TRUTH": "side.csv", "RUNS": "side.csv", "FILE": "tree.csv",
    "OLD": "tree.csv", "NEW": "more.csv", "more": [], "value": "score",
}  # fmt: skip
"""What the names in calls stand for."""
FILLED = {"(...": "(*given", ", ...)": ", *more)", ", ...}": "}", "[columns]": "columns", "hierarchy = ": ""}
"""What stands for what a message leaves open."""


def parts(*drawn: Any) -> list[Any]:
    """Totals of the same samples."""
    return [oe.collect(oe.align(SIDE, SIDE), "F", bootstrap=one) for one in drawn]


def lone(truth: Any, prediction: Any) -> Any:
    """Give one number, as functions of scikit-learn do."""
    return np.mean(np.asarray(truth) == np.asarray(prediction))


def of_runs(found: Any) -> bool:
    return [run for run in found.runs if run not in found.baselines] == ["one"]


def score_1(found: Any) -> bool:
    """Whether a run is right: sets, a batch, totals, by a measure, with a hierarchy."""
    if isinstance(found, oe.Hierarchy | list):
        found = oe.evaluate(SIDE, SIDE, hierarchy=found, measures="hF")
    elif callable(found):
        found = oe.evaluate(SIDE, SIDE, measures=found)
    elif isinstance(found, oe.evaluation.Totals | oe.Batch):
        found = oe.score(found if isinstance(found, oe.evaluation.Totals) else oe.collect(found, "F"))
    return {*found.values()} == {1}


def tree_score(measure: str = "OS", hierarchy: Any = TREE, **options: Any) -> Any:
    return oe.evaluate(SIDE, SIDE, hierarchy=hierarchy, measures=measure, **options)


class AsIs:
    """An estimator that predicts what it is given."""

    def predict(self, features: Any) -> Any:
        return features


Case = tuple[str, Callable[[], object], Any] | tuple[str, Callable[[], object], Any, dict[str, Any]]
ADVICE: list[Case] = [
    ("LabelScores.from_array(p, vocabulary=classes).at(threshold)", lambda: untyped.compare(ARRAY, {"a": ARRAY * 0.9}, threshold={"a": 0.5}), lambda f: len(f) == 2, {"p": ARRAY * 0.9}),
    ("ontoeval.evaluate(truth, prediction, measures=...)", lambda: untyped.Batch(SIDE, SIDE, measures="F"), score_1, {"measures": "F"}),
    ("ontoeval.Accumulator(measures)", lambda: untyped.Batch(SIDE, SIDE, measures="F"), lambda f: f.totals is None and callable(f.update), {"measures": "F"}),
    ("ontoeval.evaluate(truth, prediction)", lambda: untyped.Batch(ARRAY, ARRAY), lambda f: f["F"] == 1),
    ("ontoeval.align(truth, prediction)", lambda: untyped.Batch(ARRAY, ARRAY), lambda f: len(f) == 2),
    ("ontoeval.evaluate(SIDE, SIDE, measures=\"F(average='macro', undefined=0)\").per_concept()", lambda: untyped.evaluate(SIDE, SIDE, average=None), lambda f: f["dog"] == 1),
    ("ontoeval.VerifiedLabels.from_array(array, ignore_index=-1)", lambda: untyped.LabelSets.from_array(ARRAY, ignore_index=-1), lambda f: len(f) == 2),
    ("compute()", lambda: untyped.Accumulator("F").result(), lambda f: f.samples, {"compute": lambda: oe.evaluate(SIDE, SIDE)}),
    ("ontoeval.Annotations.from_frame(frame)", lambda: oe.agreement(1), lambda f: len(f) == 4, {"frame": VOTES}),
    ("ontoeval.Annotations.from_sets({name: sets})", lambda: oe.agreement(1), lambda f: f.annotators == ("one",)),
    ("agreement(Annotations.from_frame(frame))", lambda: oe.evaluate(VOTES, VOTES), lambda f: "2 annotators" in repr(f), {"frame": VOTES}),
    ("Annotations.from_frame(frame, annotator=..., sample=..., concept=...)", lambda: oe.Annotations.from_frame(LONG), lambda f: len(f) == 4, {"frame": VOTES, "annotator": "annotator"}),
    ("ontoeval.audit_labels(SIDE, ontology='tree.csv')", lambda: untyped.audit(SIDE, hierarchy="tree.csv"), lambda f: f.samples),
    ("ontoeval.audit_ontology(path)", lambda: untyped.audit(SIDE, hierarchy="tree.csv"), lambda f: f.checks, {"path": "tree.csv"}),
    ("ontoeval.compare(truth, runs, sample_weight=...)", lambda: replace(untyped.compare(SIDE, {"a": SIDE}), evaluations={one: untyped.evaluate([["a"]], [["a"]], sample_weight=one) for one in (None, (2,))}), of_runs, {"sample_weight": {"p1": 1, "p2": 2}}),
    ("ontoeval.compare(truth, {name: frame})", lambda: oe.evaluate([WIDE], [WIDE]), of_runs),
    ("ontoeval.compare(truth, {name: run, ...})", lambda: oe.evaluate(SIDE, {"a": SIDE, "b": SIDE}), of_runs),
    ("ontoeval.compare(truth, {name: run, ...})", lambda: oe.evaluate(ARRAY, {"a": ARRAY, "b": ARRAY}), of_runs),
    ("ontoeval.read_labels(records)", lambda: untyped.LabelSets.from_sets(RECORDS), lambda f: score_1(oe.evaluate(SIDE, f, measures="F")), {"records": RECORDS}),
    ("ontoeval.compare(truth, {name: run})", lambda: oe.evaluate([["cat"]], [[["cat"], ["dog"]]]), of_runs),
    ("ontoeval.compare(truth, runs)", lambda: oe.evaluate(SIDE, SIDE).interval("F"), of_runs),
    ("ontoeval.collect(..., bootstrap=ontoeval.core.Bootstrap())", lambda: oe.evaluate(SIDE, SIDE).interval("F"), lambda f: oe.score(f).interval("F"), {"given": [oe.align(SIDE, SIDE), "F"]}),
    ("ontoeval.comparison.Changes(kinds=..., rates=...)", lambda: untyped.study(Y, {"a": P, "b": Y}, changes="drop"), lambda f: oe.study(Y, {"a": P, "b": Y}, changes=f), {"kinds": ["drop"], "rates": [0.1]}),
    ("hierarchy.with_labels(names)", lambda: costs_by_name(untyped.Hierarchy.flat(untyped.Vocabulary(map(str, range(12_000)))), "depth-weighted").table, lambda f: f.labels.size == 1, {"names": ["cat"]}),
    ("hierarchy = ontoeval.concepts.with_information(hierarchy, sets, corpus='...')", lambda: tree_score("OS(cost='lin(ic)')"), lambda f: tree_score("OS(cost='lin(ic)')", f)),
    ("hierarchy.with_weight('ic', ...)", lambda: tree_score("OS(cost='lin(ic)')"), lambda f: tree_score("OS(cost='lin(ic)')", f), {"more": [[1, 1, 1]]}),
    ("ontoeval.read_agreement(..., default=1)", lambda: tree_score(agreement={"cat": 0.5}), lambda f: tree_score(agreement=f), {"given": ["agreed.csv", "tree.csv"], "default": 1}),
    ("ontoeval.confusion_matrix(truth, prediction)", lambda: (oe.confusion_matrix(SIDE, SIDE) + oe.confusion_matrix(SIDE, SIDE)).samples("cat", "cat"), lambda f: f.samples("cat", "cat") == {"p1": 1, "p2": 1}),
    ("ontoeval.one_vs_rest(truth, prediction)", lambda: oe.confusion_matrix(SIDE, SIDE, hierarchy=TREE, rule="transport").counts(), lambda f: f.tp.tolist() == [2, 1]),
    ("ontoeval.one_vs_rest(truth, prediction)", lambda: oe.confusion_matrix(SIDE, SIDE, rule="one-vs-rest"), lambda f: f.tp.tolist() == [2, 1]),
    ("ontoeval.confusion_tensor(truth, prediction).counts()", lambda: oe.confusion_matrix(SIDE, SIDE, rule="tensor-recall").counts(), lambda f: f.tp.tolist()[:2] == [2, 1]),
    ("ontoeval.align(truth, prediction)", lambda: oe.Batch(PAIR[0], PAIR[0].take(["p2", "p1"])), score_1),
    ("ontoeval.align(ontoeval.VerifiedLabels(positive, negative), prediction)", lambda: oe.Batch(PAIR[0], PAIR[0], known=PAIR[1].matrix), score_1, {"positive": PAIR[0], "negative": PAIR[1]}),
    ("collect(ontoeval.align(truth, prediction, hierarchy=...), measures)", lambda: untyped.collect(SIDE, "F"), score_1),
    ("LabelSets.from_frame(frame, sample='x', concept='y')", lambda: oe.evaluate(MIXED, MIXED), SIDE, {"frame": MIXED}),
    ("LabelSets.from_frame(frame, sample='x', vocabulary=[columns])", lambda: oe.evaluate(MIXED, MIXED), SIDE, {"frame": WIDE.reset_index(names="x")}),
    ("LabelScores.from_frame(frame, sample='x', vocabulary=[columns])", lambda: oe.evaluate(MIXED, MIXED), lambda f: len(f) == 2, {"frame": WIDE.reset_index(names="x")}),
    ("LabelSets.from_frame(frame.reset_index(), sample=..., concept=...)", lambda: oe.evaluate(LEVELS, LEVELS), SIDE, {"frame": LEVELS}),
    ("series.reset_index()", lambda: oe.evaluate(LEVELS["label"], LEVELS["label"]), lambda f: f.columns[-1] == "label", {"series": LEVELS["label"]}),
    ("LabelSets.from_frame(frame, sample=..., concept='value')", lambda: oe.evaluate(BESIDE, BESIDE), SIDE, {"frame": BESIDE.melt("id", ["label", "label2"])}),
    ("frame.melt(sample, columns)", lambda: oe.evaluate(BESIDE, BESIDE), lambda f: [*f] == ["id", "variable", "value"], {"frame": BESIDE, "columns": ["label", "label2"]}),
    ("LabelSets.from_paths(frame)", lambda: oe.evaluate(BESIDE, BESIDE), lambda f: len(f) == 2, {"frame": BESIDE.set_index("id")}),
    ("LabelSets.from_frame(..., value='score')", lambda: oe.LabelSets.from_frame(MARKED, sample="id", concept="label"), {"p1": {"cat"}, "p2": {"dog"}}, {"given": [MARKED]}),
    ("frame[frame['score'] > 0]", lambda: oe.LabelSets.from_frame(MARKED, sample="id", concept="label"), lambda f: len(f) == 2, {"frame": MARKED}),
    ("[(parent, child) for child, parent in edges]", lambda: oe.evaluate(SIDE, SIDE, hierarchy=UPWARD), score_1, {"edges": UPWARD}),
    ("ontoeval.Hierarchy.from_edges(edges)", lambda: oe.evaluate(SIDE, SIDE, hierarchy=UPWARD), score_1, {"edges": UPWARD}),
    ("ontoeval.Ontology.from_paths(paths)", lambda: oe.evaluate(SIDE, SIDE, hierarchy=["pet/cat"]), lambda f: [*f.hierarchy().vocabulary] == ["pet", "pet/cat"], {"paths": ["pet/cat"]}),
    ("LabelSets.from_array(array, vocabulary=[...], samples=[...])", lambda: oe.compare(ARRAY, {"a": WIDE, "b": WIDE[::-1]}), SIDE),
    ("LabelSets.from_array(array, vocabulary=[...], samples=[...])", lambda: oe.evaluate(WIDE, ARRAY[:, :1]), SIDE),
    ("LabelSets.from_array(array, vocabulary=[...])", lambda: oe.evaluate(ARRAY, [["cat"], ["cat"]]), {"0": {"cat"}, "1": {"cat", "dog"}}),
    ("LabelSets.from_array(array, vocabulary=classes)", lambda: oe.evaluate(oe.LabelSets.from_array(ARRAY), SIDE, classes=["cat", "dog"]), {"0": {"cat"}, "1": {"cat", "dog"}}),
    ("LabelSets.from_array(array, vocabulary=[...], samples=[...])", lambda: oe.evaluate(ARRAY, SIDE, classes=["cat", "dog"]), SIDE),
    ("LabelSets.from_frame(frame, sample=column)", lambda: oe.evaluate(ARRAY, SIDE, classes=["cat", "dog"]), SIDE, {"frame": WIDE.reset_index(names="id"), "column": "id"}),
    ("ontoeval.read_scores", lambda: oe.sweep(SIDE, SIDE, measures="F"), callable),
    ("LabelScores.from_array(...)", lambda: oe.sweep(SIDE, SIDE, measures="F"), lambda f: oe.sweep(ARRAY, f, measures="F"), {"given": [ARRAY * 0.9]}),
    ("ontoeval.read_scores(path, ontology)", lambda: oe.evaluate(SIDE, SIDE, measures="AP"), lambda f: oe.evaluate(SIDE, f, measures="AP"), {"path": "scores.csv"}),
    ("LabelScores.from_frame(frame)", lambda: oe.LabelScores.from_array(WIDE), lambda f: f.samples == ("p1", "p2")),
    ("LabelSets.from_frame(frame)", lambda: oe.LabelSets.from_array(WIDE), SIDE),
    ("VerifiedLabels.from_frame(frame)", lambda: oe.VerifiedLabels.from_array(WIDE), (SIDE, ABSENT)),
    ("LabelScores.from_frame(frame, sample=..., concept=..., score=...)", lambda: oe.LabelScores.from_frame(LONG), lambda f: f.samples == ("p1", "p2"), {"frame": MARKED, "score": "score"}),
    ("ontoeval.read_labels(path, ontology)", lambda: oe.evaluate(b"side.csv", SIDE), SIDE),
    ("VerifiedLabels.from_array(..., negative=-1)", lambda: oe.evaluate(ARRAY * 2 - 1, ARRAY), ({"0": {"0"}, "1": {"0", "1"}}, {"0": {"1"}, "1": set()}), {"given": [ARRAY * 2 - 1]}),
    ("VerifiedLabels.from_frame(..., negative=-1)", lambda: oe.evaluate(WIDE * 2 - 1, WIDE), (SIDE, ABSENT), {"given": [WIDE * 2 - 1]}),
    ("LabelScores.from_array(...).at(threshold)", lambda: oe.evaluate(ARRAY * 0.9, ARRAY), {"0": {"0"}, "1": {"0", "1"}}, {"given": [ARRAY * 0.9]}),
    ("LabelScores.from_array(...).at(threshold)", lambda: oe.evaluate(ARRAY, ARRAY * 0.9), {"0": {"0"}, "1": {"0", "1"}}, {"given": [ARRAY * 0.9]}),
    ("LabelScores.from_frame(...)", lambda: oe.evaluate(WIDE, WIDE * 0.9), lambda f: plain(f.at(0.5)) == SIDE, {"given": [WIDE * 0.9]}),
    ("scores.at(threshold)", lambda: oe.evaluate(SCORES, SIDE), SIDE),
    ("scores.at(0.5)", lambda: oe.collect(oe.align(SIDE, SCORES), "F"), SIDE),
    ("scores.at(0.5)", lambda: oe.evaluate(VERIFIED, SCORES, measures="AP"), SIDE),
    ("VerifiedLabels.from_sets(positive, negative)", lambda: oe.VerifiedLabels(PAIR[0], PAIR[1].take(["p1"])), (SIDE, ABSENT)),
    ("VerifiedLabels.from_sets(...)", lambda: untyped.VerifiedLabels(SIDE, ABSENT), (SIDE, ABSENT), {"given": [SIDE, ABSENT]}),
    ("VerifiedLabels.from_sets(positive, negative)", lambda: oe.VerifiedLabels.from_frame(LONG), (SIDE, ABSENT)),
    ("ontoeval.evaluate(...)", lambda: oe.score(oe.merge(*parts(None))).per_sample("F"), lambda f: f.per_sample("F").size == 2, {"given": [SIDE, SIDE]}),
    ("ontoeval.evaluate(truth, scores, ...)", lambda: oe.sweep(SIDE, SCORES, measures="AP"), lambda f: f["AP"] == 1, {"measures": "AP"}),
    ("ontoeval.core.Bootstrap(weights='poisson', ...)", lambda: oe.merge(*parts(DRAWN, DRAWN)), lambda f: score_1(oe.merge(*parts(f, f)))),
    ("merge(first, second)", lambda: untyped.merge(parts(None, None)), score_1, {"first": parts(None)[0], "second": parts(None)[0]}),
    ("merge(*totals)", lambda: untyped.merge(parts(None, None)), score_1, {"totals": parts(None, None)}),
    ("ontology.hierarchy()", lambda: oe.collect(oe.align(SIDE, SIDE), "hF"), score_1, {"ontology": oe.Ontology.from_paths(["cat", "dog"])}),
    ("{name: ontoeval.scorer(name, hierarchy, classes) for name in measures}", lambda: untyped.scorer(["F", "P"]), lambda f: f.keys() == {"F", "P"}, {"measures": ["F", "P"]}),
    ("oe.scorer(..., classes=[...])", lambda: oe.scorer("hF", TREE).score(AsIs(), Y, Y), lambda f: f.score(AsIs(), ARRAY, ARRAY) == 1, {"given": ["hF", TREE]}),
    ("ontoeval.own_measure(function, on='arrays')", lambda: oe.evaluate(SIDE, SIDE, measures=lone), score_1, {"function": lone}),
    ("ontoeval.measures.PropensityPrecisionAt(corpus=ontoeval.concepts.LabelFrequencies.from_labels(...))", lambda: oe.evaluate(SIDE, SCORES, measures="PSPAt"), lambda f: oe.evaluate(SIDE, SCORES, measures=f), {"given": [{**SIDE, "p3": {"cat"}}]}),
    ("ontoeval.measures.LabelCosts(...)", lambda: oe.evaluate([["cat"]], [["cat"]], measures="Cost(table='x')"), lambda f: oe.evaluate([["cat"]], [["cat"]], measures=oe.measures.LabelCost(table=f)), {"given": [[("cat", "dog", 2)]]}),
    ("ontoeval.evaluate(truth, run, by=...)", lambda: untyped.study(SIDE, {"a": SIDE}, by="site"), lambda f: [*f.parts], {"by": "sites.csv"}),
    ("ontoeval validate RUNS --samples TRUTH", lambda: call("score", "side.csv", "wrong.csv", "votes.csv"), lambda f: f.exit_code == 1, {"RUNS": "wrong.csv"}),
    ("ontoeval agreement FILE --consensus majority --truth NEW", lambda: oe.read_labels("tasks.json"), lambda f: f.exit_code == 0 and oe.read_labels("more.csv"), {"FILE": "tasks.json"}),
    ("ontoeval.annotators.consensus(annotations)", lambda: oe.confusion_matrix(untyped.Annotations.from_frame(VOTES), SIDE), lambda f: len(f) == 2, {"annotations": VOTES}),
    ("ontoeval agreement ANNOTATIONS --ontology FILE --shares NEW", lambda: call("score", "shares.csv", "side.csv", "--ontology", "tree.csv"), lambda f: f.exit_code == 0 and oe.read_shares("more.csv"), {"ANNOTATIONS": "votes.csv", "FILE": "tree.csv"}),
    ("ontoeval diff OLD NEW", lambda: oe.read_labels("pets.txt"), lambda f: f.exit_code == 1),
    ("ontoeval verify results", lambda: call("run", "own.toml"), lambda f: f.exit_code == 0),
    ("ontoeval compare TRUTH RUNS --ontology FILE --report page.html", lambda: call("demo", "-o", "demo"), lambda f: f.exit_code == 0),
]  # fmt: skip
"""What a message prints; a call that is answered so; what the advised call gives; other names in it."""


def plain(found: Any) -> Any:
    """Labels of each sample; of verified labels the present and the absent ones."""
    if isinstance(found, oe.VerifiedLabels):
        return plain(found.positive), plain(found.negative)
    return {one: {*found.labels_of(one)} for one in found.samples}


def told(call: Callable[[], Any]) -> str:
    """What a call is told: how it is refused, or what a command prints."""
    try:
        return " ".join(call().stdout.split())
    except (TypeError, AttributeError, oe.OntoevalError) as error:
        return str(error)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that the calls read."""
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name in ("side", "truth", "runs/one"):
        LONG.to_csv(f"{name}.csv", index=False)
    VOTES.to_csv("votes.csv", index=False)
    LONG.assign(score=0.9).to_csv("scores.csv", index=False)
    texts = {
        "tree.csv": "parent,child\npet,cat\npet,dog\n",
        "more.csv": "parent,child\npet,cat\npet,dog\npet,owl\n",
        "pets.txt": "format-version: 1.2\n[Term]\nid: T:1\nname: pet\n",
        "agreed.csv": "concept,agreement\ncat,0.5\n",
        "shares.csv": "sample,label,share\np1,cat,.5\np2,dog,1\n",
        "sites.csv": "sample,group\np1,north\np2,south\n",
        "wrong.csv": "id,label\np1,cat\n",
        "empty.toml": "",
        "own.toml": 'truth = "truth.csv"\nruns = ["runs"]\n',
        "tasks.json": json.dumps(TASKS),
    }
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("case", ADVICE, ids=[f"{n}-{one[0]}" for n, one in enumerate(ADVICE)])
def test_an_advised_call_runs_as_it_is_printed_and_gives_what_was_asked(case: Case) -> None:
    printed, wrong, right, *others = case
    ours = {"ontoeval": oe, "oe": oe} | {one: getattr(oe, one) for one in oe.__all__}
    names = reduce(dict.__or__, others, globals() | ours | NAMES)
    assert printed in told(wrong)
    if printed.startswith("ontoeval "):
        words = [names.get(word, word) if word.isupper() else word for word in printed.split()[1:]]
        found = call(*words, *names.get("arguments", ()))
    else:
        filled = re.sub(r"(\w+)=(?:\.{3}|\[\.{3}\])(?=[,)])", r"\1=\1", printed)
        found = eval(reduce(lambda text, one: text.replace(*one), FILLED.items(), filled), names)  # noqa: S307 - our own
    assert right(found) not in (False, None) if callable(right) else plain(found) == right


RUN_AT_ONCE = {
    "score --truth side.csv --pred side.csv": "score side.csv side.csv",
    "score --preds side.csv -m F --y-true=side.csv": "score side.csv side.csv -m F",
    "score side.csv side.csv --metrics F --measures P": "score side.csv side.csv --measure F --measure P",
    "score side.csv side.csv --json": "score side.csv side.csv --format json",
    "score side.csv side.csv --csv": "score side.csv side.csv --format csv",
    "score side.csv side.csv --csv new.csv": "score side.csv side.csv --out new.csv",
    "score side.csv side.csv --output new.json": "score side.csv side.csv --out new.json",
    "score side.csv side.csv --html new.html": "score side.csv side.csv --report new.html",
    "score side.csv side.csv --per-class new.csv": "score side.csv side.csv --per-concept new.csv",
    "score side.csv side.csv --taxonomy tree.csv": "score side.csv side.csv --ontology tree.csv",
    "score side.csv side.csv --owl tree.csv -j 2 -v": "score side.csv side.csv --ontology tree.csv --workers 2 --verbose",
    "score side.csv side.csv --metrics hP,hR --hierarchy tree.csv": "score side.csv side.csv --measure hP,hR --ontology tree.csv",
    "score side.csv side.csv --group-by sites.csv": "score side.csv side.csv --by sites.csv",
    "compare side.csv side.csv --bootstrap 20 --random-state 3": "compare side.csv side.csv --resamples 20 --seed 3",
    "compare side.csv side.csv --paired-bs --paired-bs-n 9": "compare side.csv side.csv --resamples 9",
    "compare side.csv side.csv --plots drawn": "compare side.csv side.csv --figures drawn",
    "explain side.csv side.csv --sample p1 --owl tree.csv": "explain side.csv side.csv p1 --ontology tree.csv",
    "score side.csv side.csv --leaves --owl tree.csv": "score side.csv side.csv --only leaves --ontology tree.csv",
    "score side.csv side.csv --slice sites.csv": "score side.csv side.csv --by sites.csv",
    "compare side.csv side.csv --ci 0.9": "compare side.csv side.csv --level 0.9",
    "compare side.csv side.csv --ci": "compare side.csv side.csv",
    "diff side.csv wrong.csv --by sample": "diff side.csv wrong.csv --rows sample",
    "measures -mF": "measures F",
    "score side.csv side.csv -m F,P": "score side.csv side.csv -m F -m P",
    'score side.csv side.csv -m "macro F1"': "score side.csv side.csv -m f1_macro",
    "evaluate side.csv side.csv": "score side.csv side.csv",
    "side.csv side.csv -m F": "score side.csv side.csv -m F",
    "list-measures": "measures",
    "audit-ontology tree.csv": "audit tree.csv",
    "help score": "score --help",
    "help tree": "ontology --help",
    "help F": "measures F",
    "help scoer": "score --help",
    "score side.csv side.csv --measures F macro-F Hamming": "score side.csv side.csv --measure F --measure macro-F --measure Hamming",
    "score -m F R side.csv side.csv": "score -m F -m R side.csv side.csv",
    "compare side.csv side.csv --sort F": "compare side.csv side.csv --rank F",
    "score side.csv side.csv --metadata sites.csv --group-by group": "score side.csv side.csv --by group=sites.csv",
    "score side.csv side.csv --groups shares.csv --by share": "score side.csv side.csv --by share=shares.csv",
    "confusion side.csv side.csv --plot new.svg": "confusion side.csv side.csv --figure new.svg",
    "validate side.csv --truth side.csv --ontology tree.csv": "validate side.csv --samples side.csv --ontology tree.csv",
    "agreement votes.csv --cohen": "agreement votes.csv --coefficient cohen",
    "agreement votes.csv --method fleiss": "agreement votes.csv --coefficient fleiss",
    "confusion side.csv side.csv -o new.png": "confusion side.csv side.csv --figure new.png",
    "score side.csv side.csv -o new.html": "score side.csv side.csv --report new.html",
    "score side.csv side.csv --force --no-progress": "score side.csv side.csv",
    "score side.csv side.csv --format md": "score side.csv side.csv --format markdown",
    "score --gt side.csv --dt side.csv": "score side.csv side.csv",
    "score side.csv side.csv --item-col id": "score side.csv side.csv --sample-column id",
    "compare side.csv side.csv --ci 95 --n-boot=20": "compare side.csv side.csv --level 0.95 --resamples 20",
    "confusion side.csv side.csv --normalize pred": "confusion side.csv side.csv --normalise predicted",
    "confusion side.csv side.csv --method mlcm --limit 3": "confusion side.csv side.csv --rule mlcm --top 3",
    "migrate side.csv --old tree.csv --new more.csv -o new.csv": "migrate side.csv --from tree.csv --to more.csv -o new.csv",
    "ontology tree.csv --term cat": "ontology tree.csv --tree --root cat",
    "describe hF": "measures hF",
    "cm side.csv side.csv": "confusion side.csv side.csv",
    "-m F score side.csv side.csv": "score -m F side.csv side.csv",
    "score help": "score --help",
    "info side.csv": "audit side.csv",
    "score side.csv --zero-division=0 side.csv -m P --average weighted --measure=R": "score side.csv side.csv"
    " -m \"P(average='weighted', undefined=0)\" -m \"R(average='weighted', undefined=0)\"",
    "score side.csv side.csv -m F --beta 2": "score side.csv side.csv -m 'F(beta=2)'",
    "score side.csv scores.csv -m PAt --top-k 2": "score side.csv scores.csv -m 'PAt(k=2)'",
    "compare side.csv side.csv -m f1,P --average samples": "compare side.csv side.csv -m \"F(average='samples', empty=0)\" -m \"P(average='samples', empty=0)\"",
    "thresholds side.csv scores.csv --folds 2 --per-concept new.csv": "thresholds side.csv scores.csv --folds 2 --per concept --out new.csv",
    "thresholds side.csv scores.csv --folds 2 --per label": "thresholds side.csv scores.csv --folds 2 --per concept",
    "score side.csv side.csv --per-class --output new.csv -m F": "score side.csv side.csv --per-concept new.csv -m F",
    "score side.csv side.csv -vv": "score side.csv side.csv --verbose",
    "score side.csv side.csv -m F Hamming --average macro": "score side.csv side.csv -m \"F(average='macro', undefined=0)\" -m Hamming",
}  # fmt: skip
"""What is written with the words of other programs, and the command line that is run."""
ANSWERED = {
    "score side.csv side.csv --average macro": "score side.csv side.csv -m \"F(average='macro', undefined=0)\"",
    "score side.csv side.csv --ci": "compare side.csv side.csv",
    "score side.csv side.csv --baseline prior": "compare side.csv side.csv --baseline prior",
    "score side.csv side.csv --per-class --csv new.csv": "score side.csv side.csv --per-concept new.csv",
    "compare side.csv side.csv --per-concept -o new.csv": "score side.csv side.csv --per-concept new.csv",
    "score side.csv side.csv --bootstrap 20": "compare side.csv side.csv --resamples 20",
    "score side.csv side.csv --plot": "compare side.csv side.csv --figures figures",
    "report side.csv side.csv -m F": "score side.csv side.csv -m F --report page.html",
    "plot side.csv side.csv": "compare side.csv side.csv --figures figures",
    "per_class side.csv side.csv": "score side.csv side.csv --per-concept concepts.csv",
    "test side.csv side.csv": "compare side.csv side.csv --pairs",
    "fix side.csv --ontology tree.csv": "audit side.csv --ontology tree.csv --fix corrected.csv",
    "check side.csv --truth side.csv --ontology tree.csv": "validate side.csv --samples side.csv --ontology tree.csv",
    "audit side.csv --samples=side.csv": "validate side.csv --samples side.csv",
    "agreement --kappa votes.csv": "agreement --coefficient cohen votes.csv",
    "cite F P": "measures F P --bibtex",
    "pitfall hF": "measures hF --pitfall",
    "tree tree.csv": "ontology tree.csv --tree",
    "consensus votes.csv -o new.csv": "agreement votes.csv --consensus majority --truth new.csv",
    "scor side.csv side.csv": "score side.csv side.csv",
    "export tree.csv": "ontology tree.csv --out ontology.ttl",
    "score --input side.csv side.csv": "score side.csv side.csv",
    "f1_macro side.csv side.csv": "score side.csv side.csv -m f1_macro",
    "score side.csv side.csv --ontolgy tree.csv --digits 3": "score side.csv side.csv --ontology tree.csv",
    "score side.csv side.csv --per-class --bootstrap 20 --foo 3": "compare side.csv side.csv --resamples 20",
    "score side.csv side.csv --average macro --ci 90": "compare side.csv side.csv --level 0.9 -m \"F(average='macro', undefined=0)\"",
    "score side.csv side.csv --owl tree.csv --level 1": "score side.csv side.csv --ontology tree.csv --only depth=1",
    "compare side.csv side.csv --rule mlcm": "confusion side.csv side.csv --rule mlcm",
    "confusion side.csv side.csv --metrics F": "score side.csv side.csv --measure F",
    "score side.csv side.csv --seed": "score side.csv side.csv",
    "score side.csv side.csv --report": "score side.csv side.csv --report page.html",
    "audit side.csv --fix --dry-run --ontology tree.csv": "audit side.csv --fix corrected.csv --ontology tree.csv",
    "score side.csv side.csv --test permutation": "compare side.csv side.csv --pairs",
    "agreement votes.csv --coefficient kappa": "agreement votes.csv --coefficient cohen",
    "compare side.csv side.csv --test t-test": "compare side.csv side.csv --test randomisation",
}  # fmt: skip
"""What is written so, and the command line of the answer."""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("wrong", [*RUN_AT_ONCE, *ANSWERED])
def test_words_of_other_programs_are_heard(wrong: str) -> None:
    heard = call(*shlex.split(wrong))
    if wrong in RUN_AT_ONCE:
        right = call(*shlex.split(RUN_AT_ONCE[wrong]))
        assert (heard.stdout, heard.exit_code) == (right.stdout, right.exit_code)
        assert f"ontoeval {RUN_AT_ONCE[wrong]}" in " ".join(heard.stderr.split()) or not {
            "-m",
            "-o",
            "help",
        }.isdisjoint(wrong.split())
    else:
        assert heard.exit_code == Exit.USAGE
        advised = re.search("Write: (?:ontoeval|root) (.*)$", heard.stderr.strip())
        assert advised, heard.stderr
        assert advised[1] == ANSWERED[wrong]
        right = call(*shlex.split(ANSWERED[wrong]))
    assert right.exit_code in {Exit.DONE, Exit.FINDINGS}


@pytest.mark.usefixtures("folder")
def test_all_strange_options_are_answered_at_once_and_those_without_a_home_are_named() -> None:
    told = " ".join(
        call(*"score side.csv side.csv --per-class --n-boot 9 --digits 3 --foo".split()).stderr.split()
    )
    assert told == (
        "Error: score has no --per-class and --n-boot. compare has no --per-concept, --digits and --foo. "
        "--per-concept is left out. Tables have four digits; CSV and JSON have all (--format csv). --foo is "
        "left out. Write: ontoeval compare side.csv side.csv --resamples 9"
    )
    call(*"audit side.csv --fix --ontology tree.csv".split())
    assert not Path("--ontology").exists()


@pytest.mark.parametrize("line", [line for one in COMMANDS.values() for line in one.examples])
def test_examples_of_the_help_name_options_that_exist(line: str) -> None:
    words = [*shlex.split(line)[1:], "--help"]
    known = {*re.findall(r"--?[a-z][a-z-]*", call(words[0], "--help").stdout)}
    assert {one for one in words if re.match("--?[a-z]", one)} <= known


def test_every_option_and_command_that_stands_for_another_exists() -> None:
    flags = {*re.findall(r"--?[a-z][a-z-]*", " ".join(call(name, "--help").stdout for name in COMMANDS))}
    known = habits()
    rows = [row for rows in known["options"].values() if isinstance(rows, list) for row in rows]
    named = [one for row in rows for one in row.split()]
    named += [one for row in known["commands"].values() for one in row.split()]
    assert {one for one in named if one.startswith("-")} - flags == {"--version"}
    assert {row.split()[0] for row in known["commands"].values()} - {*COMMANDS} == {"--help", "--version"}
    assert {row.split()[0] for row in rows if row[:1].islower()} <= {*COMMANDS}
    calls = [parsed_row(one)[0] for kind in ("functions", "in_python") for one in known[kind].values()]
    calls = [one for one in calls if one]
    assert all(callable(attrgetter(one)(oe)) for one in calls)


def texts_in(path: Path) -> Iterator[str]:
    """Texts of a module but docstrings, with … for what is filled in."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    parts = [part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values]
    left_out = {*parts, *(node.value for node in nodes if isinstance(node, ast.Expr))}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield node.value


TEXTS = {one for path in Path(oe.__file__).parent.rglob("*.py") for one in texts_in(path)}
"""All texts of the package."""

CALLED = re.compile(
    r"\b(?:(?:ontoeval|oe)\.[\w.]+|(?:Label\w+|VerifiedLabels|Annotations|Hierarchy|Ontology)\.\w+|merge"
    rf"|scores\.at|hierarchy\.with_\w+|ontology\.hierarchy)\(|\bontoeval (?:{'|'.join(COMMANDS)})\b"
)
"""Where a text names a call of the package, or a command."""
POINTERS = (
    "`ontoeval measures", "options of `ontoeval ", "`ontoeval run`", "`ontoeval study --out`", "ontoeval audit --fix does",
    "call ontoeval.evaluate(...) at the end", "(ontoeval compare tests it)", "`ontoeval agreement FILE --ontology FILE --shares FILE`", "`ontoeval audit RUN --ontology ONTOLOGY`",
    "(`ontoeval thresholds` chooses them)", "ontoeval compare TRUTH RUN ...",
)  # fmt: skip
"""What only points at a list or a command."""


def test_a_strange_word_behind_a_command_of_others_is_no_fault() -> None:
    for command in habits()["commands"]:
        with suppress(oe.OntoevalError):
            assert call(command, "nonsense").exit_code in {Exit.DONE, Exit.USAGE}, command


@pytest.mark.usefixtures("folder")
def test_each_call_that_a_text_names_is_followed() -> None:
    messages = [told(wrong) for _, wrong, *_ in ADVICE]
    printed = sorted({one for one, *_ in ADVICE}, key=len, reverse=True)

    def left(text: str, known: Sequence[str]) -> str:
        return reduce(lambda rest, one: rest.replace(one, ""), known, " ".join(text.split()))

    assert [one for one in messages if CALLED.search(left(one, (*POINTERS, *printed)))] == []
    named = [text for text in TEXTS if CALLED.search(left(text, POINTERS))]
    assert len(named) > 55
    like = {text: re.escape(" ".join(text.split())).replace("…", ".*") for text in named}
    assert [text for text in named if not any(re.search(like[text], one) for one in messages)] == []


def test_each_option_of_the_command_line_that_a_text_names_exists() -> None:
    helps = [call(*command, "--help").stdout for command in ([], *([name] for name in COMMANDS))]
    known = {*re.findall(r"--[a-z][a-z-]*", " ".join(helps))}
    named = {option for text in TEXTS for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*\b(?!-)", text)}
    assert len(named) > 80
    assert named - known == {"--input", "--output"}  # of ROBOT
