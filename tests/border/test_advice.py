"""Advice runs as it is printed, and gives what was asked: the same measure, option and value."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.cli import COMMANDS
from ontoeval.cli.commands import SYNONYMS
from tests.commands import call

metrics = pytest.importorskip("sklearn.metrics")

Y = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]])
P = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])
S = np.array(
    [[0.9, 0.1, 0.4, 0.3], [0.2, 0.8, 0.6, 0.1], [0.7, 0.4, 0.1, 0.2], [0.1] * 4, [0.6, 0.3, 0.7, 0.1]]
)
SEVERAL: dict[str, tuple[Callable[..., Any], Any]] = {
    "evaluate": (oe.evaluate, P),
    "compare": (oe.compare, {"run": P}),
    "study": (oe.study, {"a": P, "b": Y}),
}


def refused(call: Callable[[], object]) -> str:
    """What a wrong call is told."""
    with pytest.raises((TypeError, AttributeError, oe.OntoevalError)) as met:
        call()
    return str(met.value)


def advised_measures(message: str) -> Any:
    """The measures that a message names."""
    found = re.search(r"measures=(.*)\.$", message)
    assert found, message
    return eval(found[1])  # noqa: S307 - a literal of our own


SYMBOLS = {"f1": metrics.f1_score, "P": metrics.precision_score, "R": metrics.recall_score}


@pytest.mark.parametrize("zero", [0, 1, np.nan, "warn"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("way", ["F", "F(average='AVERAGE')", "f1_AVERAGE"])
@pytest.mark.parametrize("verb", SEVERAL)
def test_options_of_scikit_learn_stand_in_the_measure_as_they_were_given(
    verb: str, way: str, average: str, zero: Any
) -> None:
    function, run = SEVERAL[verb]
    measure = way.replace("AVERAGE", average)
    options = {"zero_division": zero} | ({"average": average} if way == "F" else {})
    advised = advised_measures(refused(lambda: function(Y, run, measures=measure, **options)))
    if verb == "evaluate":
        expected = metrics.f1_score(Y, P, average=average, zero_division=0 if zero == "warn" else zero)
        assert [*oe.evaluate(Y, P, measures=advised).values()] == pytest.approx([expected], nan_ok=True)


def test_options_are_given_to_each_measure_that_has_them_and_the_usual_one_without_measures() -> None:
    several = refused(
        lambda: oe.evaluate(Y, P, measures=["P", "Jaccard", "Hamming"], average="macro", zero_division=1)  # type: ignore[call-arg]
    )
    assert advised_measures(several) == [
        "P(average='macro', undefined=1)",
        "Jaccard(average='macro', undefined=1)",
        "Hamming",
    ]
    assert advised_measures(refused(lambda: oe.evaluate(Y, P, average="weighted"))) == "F(average='weighted')"  # type: ignore[call-arg]


MACRO = {"average": "macro", "zero_division": 0}
OTHERS: dict[str, dict[str, Any]] = {
    "accuracy_score": {},
    "hamming_loss": {},
    **dict.fromkeys(("f1_score", "precision_score", "recall_score", "jaccard_score"), MACRO),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_function_of_scikit_learn_is_answered_by_the_call_with_its_number(name: str) -> None:
    assert [*replayed(name).values()] == pytest.approx([getattr(metrics, name)(Y, P, **OTHERS[name])])


def replayed(name: str) -> Any:
    """What the call gives that stands for a function of other libraries."""
    advice = refused(lambda: getattr(oe, name)).partition(": use ")[2]
    sides = {"truth": Y, "prediction": P, "scores": S, "runs": {"a": P, "b": Y}}
    if advice.endswith(("measures='roc_auc')", "measures='average_precision')")):
        sides |= {"truth": Y[:, :3], "scores": S[:, :3]}  # the last class is never true
    names = {"ontoeval": oe, **sides}
    return eval(advice, names)  # noqa: S307 - a call of our own


def test_other_answers_run_and_have_what_the_function_had() -> None:
    counts = replayed("multilabel_confusion_matrix")
    theirs = metrics.multilabel_confusion_matrix(Y, P)
    for name, cell in (("tn", (0, 0)), ("fp", (0, 1)), ("fn", (1, 0)), ("tp", (1, 1))):
        assert getattr(counts, name).tolist() == theirs[:, *cell].tolist()
    for name in ("average_precision_score", "roc_auc_score"):
        (found,) = replayed(name).values()
        assert found == pytest.approx(getattr(metrics, name)(Y[:, :3], S[:, :3], average="macro"))
    threshold, best = replayed("tune_thresholds")
    assert best == max(oe.evaluate(Y, S, threshold=one, measures="F")["F"] for one in np.linspace(0, 1, 101))
    assert 0 <= threshold <= 1
    assert replayed("precision_recall_curve").rows()
    assert replayed("confidence_interval")
    assert replayed("classification_report").rows


def test_a_keyword_of_another_library_is_answered_by_one_that_takes_its_value() -> None:
    classes: dict[str, Any] = {"classes": [*"abcd"]}
    tree = [("r", name) for name in "abcd"]
    calls: list[tuple[Callable[..., Any], dict[str, Any], dict[str, Any]]] = [
        (oe.evaluate, {"metrics": "F"}, {}),
        (oe.evaluate, {"labels": [*"abcd"]}, {}),
        (oe.evaluate, {"target_names": [*"abcd"]}, {}),
        (oe.evaluate, {"weights": [1, 2, 3, 1, 1]}, {}),
        (oe.evaluate, {"groups": [*"aabbc"]}, {}),
        (oe.evaluate, {"n_jobs": 2}, {}),
        (oe.confusion_matrix, {"sample_weights": [1, 2, 3, 1, 1]}, {}),
        (oe.evaluate, {"ontology": tree}, classes),
    ]
    for verb, wrong, others in calls:
        found = re.search(r"Write (\w+)=", refused(partial(verb, Y, P, **wrong, **others)))
        assert found
        assert verb(Y, P, **dict.fromkeys([found[1]], *wrong.values()), **others)


@pytest.mark.parametrize(
    ("wrong", "right"),
    {
        "--owl": "--ontology",
        "--output": "--out",
        "--per-class": "--per-concept",
        "--metrics": "--measure",
    }.items(),
)
def test_an_option_of_other_programs_is_answered_by_the_one_that_does_the_same(
    wrong: str, right: str
) -> None:
    assert (
        f"No such option: {wrong} (Possible options: {right})" in call("score", "a", "b", wrong, "c").stderr
    )


def test_parts_are_scored_by_the_command_and_groups_are_another_thing() -> None:
    message = refused(lambda: oe.compare(Y, {"run": P}, by="site"))  # type: ignore[call-arg]
    assert message.startswith(
        "compare() has no 'by'. Score parts by `ontoeval compare --by FILE`; with group="
    )


TEXTS = [
    "".join(
        str(part.value) if isinstance(part, ast.Constant) else "…" for part in getattr(node, "values", [node])
    )
    for path in Path(oe.__file__).parent.rglob("*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
]
"""All texts of the package, with what is filled in left out."""

OWN = re.compile(
    r"(?:\b(?:ontoeval|oe)\.|\b(?=(?:LabelSets|LabelScores|VerifiedLabels|Annotations|Hierarchy|Ontology)\.))"
    r"((?:\w+\.)*\w+)\(([^()]*)"
)


def test_each_call_that_a_text_of_the_package_names_exists_with_its_keywords() -> None:
    calls = {found.groups(default="") for text in TEXTS for found in OWN.finditer(text)}
    assert len(calls) > 40
    for name, arguments in calls:
        function = attrgetter(name)(oe)
        keywords = re.findall(r"(?:^|, )(\w+)=", arguments)
        if keywords and callable(function):
            parameters = signature(function).parameters
            passed_on = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
            assert passed_on or {*keywords} <= {*parameters}, (name, arguments)


def test_each_option_of_the_command_line_that_a_text_names_exists() -> None:
    helps = [call(*command, "--help").stdout for command in ([], *([name] for name in COMMANDS))]
    known = {*re.findall(r"--[a-z][a-z-]*", " ".join(helps))} | {*SYNONYMS}
    named = {option for text in TEXTS for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*\b(?!-)", text)}
    assert len(named) > 80
    assert named - known == {"--input"}  # of ROBOT
