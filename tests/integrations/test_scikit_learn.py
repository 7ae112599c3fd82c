"""Scorers of scikit-learn: the numbers of `evaluate`, copied, routed and refused as scikit-learn does."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import ontoeval as oe

pytest.importorskip("sklearn")

from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

HIERARCHY = {"plants": ["tree", "moss"], "water": ["sea", "lake"], "all": ["plants", "water"]}
CLASSES = ["sea", "tree", "moss", "lake"]
X, Y = make_multilabel_classification(120, n_classes=4, n_labels=2, random_state=0)
FOREST = RandomForestClassifier(5, random_state=0)
LOUD: dict[str, Any] = {"cv": 3, "error_score": "raise"}


def expected(measure: str, estimator: Any, **options: Any) -> float:
    if measure not in {"LRAP", "AP"}:
        prediction: Any = oe.LabelSets.from_array(estimator.predict(X), vocabulary=CLASSES)
    else:
        scores = estimator.decision_function(X)
        prediction = oe.LabelScores.from_array(scores, vocabulary=CLASSES)
    truth = oe.LabelSets.from_array(Y, vocabulary=CLASSES)
    return oe.evaluate(truth, prediction, hierarchy=HIERARCHY, measures=measure, **options)[measure]


@pytest.mark.parametrize("measure", ["F", "hF", "OS", "ExactMatch", "LRAP", "AP"])
def test_a_scorer_gives_the_score_of_evaluate(measure):
    estimator = OneVsRestClassifier(LinearSVC()).fit(X, Y)
    assert oe.scorer(measure, HIERARCHY, CLASSES)(estimator, X, Y) == expected(measure, estimator)


def test_where_less_is_better_the_sign_is_turned_and_the_text_says_so():
    estimator = OneVsRestClassifier(LinearSVC()).fit(X, Y)
    scorer = oe.scorer("Hamming", classes=CLASSES)
    assert scorer(estimator, X, Y) == -expected("Hamming", estimator)
    assert repr(scorer) == "scorer('Hamming', greater_is_better=False)"
    assert repr(oe.scorer("F", classes=CLASSES)) == "scorer('F')"


def test_cross_validation_with_several_scorers_and_processes():
    scoring = {measure: oe.scorer(measure, HIERARCHY, CLASSES) for measure in ("hF", "Hamming", "Fmax")}
    found = cross_validate(FOREST, X, Y, scoring=scoring, n_jobs=2, **LOUD)
    alone = cross_validate(FOREST, X, Y, scoring=scoring["Fmax"], **LOUD)
    assert found["test_Fmax"].tolist() == alone["test_score"].tolist()
    assert (found["test_hF"] > 0.5).all()
    assert (found["test_Hamming"] < 0).all()


def test_a_grid_search_takes_the_highest_score():
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 8]},
        scoring=oe.scorer("hF", HIERARCHY, CLASSES),
        **LOUD,
    )
    search.fit(X, Y)
    assert search.best_params_ == {"max_depth": 8}
    assert clone(search).scoring is not search.scoring


def test_a_scorer_is_copied_and_pickled():
    scorer, estimator = oe.scorer("hF", HIERARCHY, CLASSES), FOREST.fit(X, Y)
    for copy in (clone(scorer), pickle.loads(pickle.dumps(scorer))):  # noqa: S301 - our own
        assert copy(estimator, X, Y) == scorer(estimator, X, Y)


class Always(BaseEstimator):  # type: ignore[misc]
    """Predicts every label."""

    def fit(self, X, y):
        del X, y
        return self

    def predict(self, X):
        return np.ones((len(X), len(CLASSES)), dtype=int)


def test_sample_weights_are_routed_to_the_scorer():
    weights = np.arange(1.0, len(X) + 1)
    with config_context(enable_metadata_routing=True):
        scorer = oe.scorer("hF", HIERARCHY, CLASSES).set_score_request(sample_weight=True)
        found = cross_validate(Always(), X, Y, scoring=scorer, params={"sample_weight": weights}, **LOUD)[
            "test_score"
        ]
        plain = cross_validate(Always(), X, Y, scoring=oe.scorer("hF", HIERARCHY, CLASSES), **LOUD)
    first = slice(0, 40)
    ones = np.ones((40, 4), dtype=int)
    options: dict[str, Any] = {"hierarchy": HIERARCHY, "classes": CLASSES, "measures": "hF"}
    assert found[0] == oe.evaluate(Y[first], ones, sample_weight=weights[first], **options)["hF"]
    assert plain["test_score"][0] == oe.evaluate(Y[first], ones, **options)["hF"]
    assert found[0] != plain["test_score"][0]


def test_frames_count_by_their_columns_whatever_the_index():
    pd = pytest.importorskip("pandas")
    order = [2, 0, 3, 1]
    frame = pd.DataFrame(Y[:, order], columns=[CLASSES[at] for at in order], index=["twice"] * len(Y))
    scorer = oe.scorer("hF", HIERARCHY, CLASSES, y=frame)
    estimator = KNeighborsClassifier(3).fit(X, frame)
    array = KNeighborsClassifier(3).fit(X, Y)
    assert scorer(estimator, X, frame) == scorer(array, X, Y)
    weights = np.arange(len(Y)) + 1
    assert scorer(estimator, X, frame, sample_weight=weights) == scorer(array, X, Y, sample_weight=weights)


def test_a_class_without_a_sample_in_the_training_data_has_the_probability_0():
    rare = Y.copy()
    rare[:, 2] = 0
    estimator = FOREST.fit(X, rare)
    assert estimator.predict_proba(X)[2].shape == (len(X), 1)  # one probability, that of 0
    found = oe.scorer("Fmax", HIERARCHY, CLASSES)(estimator, X, Y)
    scores = np.stack(
        [part[:, 1] if part.shape[1] == 2 else np.zeros(len(X)) for part in estimator.predict_proba(X)], 1
    )
    sides = (
        oe.LabelSets.from_array(Y, vocabulary=CLASSES),
        oe.LabelScores.from_array(scores, vocabulary=CLASSES),
    )
    assert found == oe.evaluate(*sides, hierarchy=HIERARCHY, measures="Fmax")["Fmax"]


@pytest.mark.parametrize("names", [True, False], ids=["names", "numbers"])
def test_one_label_per_sample(names):
    y: Any = Y.argmax(axis=1)
    y = np.array(CLASSES)[y] if names else y
    estimator = KNeighborsClassifier(3).fit(X, y)
    truth = np.eye(4)[Y.argmax(axis=1)]
    scores = np.zeros((len(X), 4))
    for column, name in enumerate(estimator.classes_):
        scores[:, CLASSES.index(name) if names else name] = estimator.predict_proba(X)[:, column]
    sides = (
        oe.LabelSets.from_array(truth, vocabulary=CLASSES),
        oe.LabelScores.from_array(scores, vocabulary=CLASSES),
    )
    assert (
        oe.scorer("Fmax", HIERARCHY, CLASSES)(estimator, X, y)
        == oe.evaluate(*sides, hierarchy=HIERARCHY, measures="Fmax")["Fmax"]
    )
    predicted = [[str(one) if names else CLASSES[one]] for one in estimator.predict(X)]
    sets = [[CLASSES[at]] for at in Y.argmax(axis=1)]
    assert (
        oe.scorer("hF", HIERARCHY, CLASSES, y=y)(estimator, X, y)
        == oe.evaluate(sets, predicted, hierarchy=HIERARCHY, classes=CLASSES, measures="hF")["hF"]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hF", HIERARCHY, ["sea", "tree", "mos", "lake"]), "'mos'.*near: 'moss'"),
        (("hG", HIERARCHY, CLASSES), "'hG'"),
        (("hF", None, CLASSES), "needs a hierarchy"),
        (("hF",), "needs a hierarchy"),
        (("accuracy",), "'ExactMatch'"),
        ((["F", "P"], None, CLASSES), "one measure.*scoring={name"),
    ],
)
def test_what_cannot_work_is_refused_when_the_scorer_is_made(arguments, message):
    with pytest.raises(oe.OntoevalError, match=message):
        oe.scorer(*arguments)


@pytest.mark.parametrize("name", ["f1_macro", "f1_samples", "average_precision", "roc_auc"])
def test_without_classes_columns_are_counted(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, where a sample has no label
        theirs = cross_validate(FOREST, X, Y, scoring=name, **LOUD)["test_score"]
    found = cross_validate(FOREST, X, Y, scoring=oe.scorer(name, y=Y), **LOUD)["test_score"]
    assert found == pytest.approx(theirs)


@pytest.mark.parametrize("values", [(0, 1, 2), (7, 5, 6), ("u", "w", "v")])
@pytest.mark.parametrize(("name", "theirs"), [("f1_macro",) * 2, ("roc_auc", "roc_auc_ovr")])
def test_without_classes_single_labels_are_their_own_names(name, theirs, values):
    y = np.array(values)[np.arange(len(X)) % 3]
    found = cross_validate(FOREST, X, y, scoring=oe.scorer(name, y=y), **LOUD)["test_score"]
    assert found == pytest.approx(cross_validate(FOREST, X, y, scoring=theirs, **LOUD)["test_score"])


def test_labels_that_do_not_fit_are_refused_when_the_scorer_is_made():
    with pytest.raises(oe.OntoevalError, match="3 columns beside 4 classes"):
        oe.scorer("hF", HIERARCHY, CLASSES, y=Y[:, :3])
    with pytest.raises(oe.OntoevalError, match="'mud'"):
        oe.scorer("hF", HIERARCHY, CLASSES, y=np.array(["sea", "mud"]))


def test_an_error_at_the_score_is_raised_where_asked_for():
    scorer = oe.scorer("F", classes=CLASSES[:3])
    with pytest.raises(oe.OntoevalError, match="4 columns beside 3 classes"):
        cross_validate(FOREST, X, Y, scoring=scorer, **LOUD)
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        cross_validate(FOREST, X, Y, scoring=scorer, cv=3)
    assert any("4 columns beside 3 classes" in str(one.message) for one in met)


def test_scores_that_nothing_gives_are_refused():
    with pytest.raises(oe.OntoevalError, match="neither predict_proba nor decision_function"):
        oe.scorer("Fmax", HIERARCHY, CLASSES)(Always(), X, Y)


@pytest.mark.parametrize("label", ["mud", 7])
def test_a_label_that_is_no_class_is_refused_where_scores_are_asked_for(label):
    y = np.array([*(CLASSES[:3] if isinstance(label, str) else (0, 1, 2)), label])[Y.argmax(axis=1)]
    scorer = oe.scorer("Fmax", HIERARCHY, CLASSES)
    with pytest.raises(oe.OntoevalError, match=f"unknown concept: '{label}'"):
        scorer(KNeighborsClassifier(3).fit(X, y), X, y)


def test_a_frame_names_its_columns_where_no_classes_are_given():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(Y, columns=CLASSES)
    wider = {**HIERARCHY, "water": ["sea", "lake", "river"]}
    found = cross_validate(
        DecisionTreeClassifier(random_state=0), X, frame, scoring=oe.scorer("hF", wider), **LOUD
    )
    named = oe.scorer("hF", wider, CLASSES, y=frame)
    same = cross_validate(DecisionTreeClassifier(random_state=0), X, Y, scoring=named, **LOUD)
    assert found["test_score"].tolist() == same["test_score"].tolist()
    with pytest.raises(oe.OntoevalError, match="unknown concept: 'pond'"):
        oe.scorer("hF", wider, y=frame.rename(columns={"sea": "pond"}))


def test_a_function_is_a_scorer_whose_sign_follows_from_its_best_value():
    def brier(truth, scores):
        return ((truth - scores) ** 2).sum() / len(truth) if len(truth) > 1 else 1 / 0

    own = oe.own_measure(brier, on="arrays", takes="scores", best=0.0)
    estimator = FOREST.fit(X, Y)
    scores = np.stack([part[:, 1] for part in estimator.predict_proba(X)], axis=1)
    assert oe.scorer(own)(estimator, X, Y) == pytest.approx(-((Y - scores) ** 2).sum() / len(Y))
    agreed = oe.own_measure(lambda truth, run: (truth == run).mean(), on="arrays", name="agreed")
    assert oe.scorer(agreed)(estimator, X, Y) == pytest.approx((estimator.predict(X) == Y).mean())
