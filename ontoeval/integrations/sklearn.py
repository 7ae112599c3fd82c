"""Measures as scorers of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.frames import AnyFrame, is_frame
from ontoeval.core.graphs import AnyHierarchy, front_door, hierarchy_of
from ontoeval.core.inputs import Labels
from ontoeval.core.rows import number_names
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError, enumerate_some
from ontoeval.evaluation.alignment import align
from ontoeval.evaluation.scoring import evaluate
from ontoeval.integrations.columns import ArrayMeasures, ClassNames, greater_is_better
from ontoeval.measures.base import AnyMeasure, info
from ontoeval.plumbing.checks import requires

Estimator = Any
"""An estimator of scikit-learn, or what predicts like one."""

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.metadata_routing import UNUSED
except ImportError:  # `scorer` says what it needs
    BaseEstimator, UNUSED = object, None


class Scorer(BaseEstimator):  # type: ignore[misc]
    """A measure as a scorer of scikit-learn; `ontoeval.scorer` makes it.

    It is an estimator, so that scikit-learn copies it and routes sample weights to it.

    Parameters
    ----------
    measure
        A notation, a measure or a function.
    hierarchy
        The hierarchy of the classes.
    classes
        Names of the classes.
    """

    # Scikit-learn makes `set_score_request` of the other parameters of `score`: of sample_weight.
    __metadata_request__score = {"estimator": UNUSED}  # noqa: RUF012

    def __init__(
        self, measure: AnyMeasure, hierarchy: AnyHierarchy | None = None, classes: ClassNames | None = None
    ) -> None:
        self.measure, self.hierarchy, self.classes = measure, hierarchy, classes
        self._named = classes is not None or hierarchy is not None
        # Columns without names are counted when they are met; two of them show whether a measure can work.
        names = classes if self._named else number_names(2)
        links = None if hierarchy is None else hierarchy_of(hierarchy)
        self._ordered = links is None or links.vocabulary.origin != "edges"
        if names is None and links is not None:
            names = links.label_vocabulary.concepts  # in which order is seen of the labels
        self._columns = ArrayMeasures.from_measures(measure, hierarchy, names)
        if len(self._columns.measures) > 1:
            raise MeasureError(
                "A scorer has one measure. Give scikit-learn several scorers by name: "
                "scoring={name: ontoeval.scorer(name, hierarchy, classes) for name in measures}."
            )
        ((self._notation, self._measure),) = self._columns.measures.items()
        if greater_is_better(self._measure) is None and info(self._measure, "best") is not None:
            raise MeasureError(
                f"{self._notation} is best between its ends, so neither the highest nor the lowest score can "
                "be searched for. Search with a function of the distance from the best."
            )

    @property
    def greater_is_better(self) -> bool:
        """Whether more is better; otherwise the scorer gives minus the measure."""
        return greater_is_better(self._measure) is not False

    def __repr__(self) -> str:
        """Name the measure, and whether its sign is turned."""
        return f"scorer({self._notation!r}{', greater_is_better=False' * (not self.greater_is_better)})"

    def score(
        self, estimator: Estimator, X: object, y: Labels, sample_weight: SampleWeight | None = None
    ) -> float:
        """Score the predictions of an estimator.

        Parameters
        ----------
        estimator
            Fitted; measures of scores ask for its ``predict_proba``, or else its ``decision_function``.
        X
            Its input.
        y
            The true labels, as `evaluate` takes them.
        sample_weight
            What each sample counts for, in their order.

        Returns
        -------
        float
            The score, times -1 where less is better.
        """
        names, y = self._named_labels(y)
        if info(self._measure, "takes") == "sets":
            prediction = estimator.predict(X)
            prediction = _as_texts(prediction) if names is None else prediction
        else:
            single = np.ndim(y) == 1
            if names is None:
                names = tuple(map(str, estimator.classes_)) if single else number_names(np.shape(y)[1])
            prediction = _scores(estimator, X, names, single=single)
        result = evaluate(
            y,
            prediction,
            hierarchy=self._columns.hierarchy,
            measures=[self._measure],
            classes=names,
            sample_weight=None if sample_weight is None else np.asarray(sample_weight),
        )
        return result[self._measure] if self.greater_is_better else -result[self._measure]

    __call__ = score

    def _named_labels(self, y: Any) -> tuple[tuple[str, ...] | None, Any]:  # noqa: ANN401 - any labels
        """Classes that were given, or the titles of a frame, or None; and the labels in their order."""
        titles = tuple(getattr(y, "columns", ())) if self.classes is None and is_frame(y) else ()
        y = _in_order(y)
        if titles and all(isinstance(title, str) for title in titles):
            return titles, y
        known = self._columns.classes
        width = np.shape(y)[1] if np.ndim(y) > 1 else len(known)
        unfit = width != len(known) if self._ordered else np.ndim(y) > 1
        if unfit and self._named and self.classes is None:
            beside = f"a hierarchy of {len(known):,} concepts" * self._ordered or "links, which have no order"
            problem = f"labels in {width:,} columns beside {beside}"
            raise InputError(problem, "Name the columns in their order: oe.scorer(..., classes=[...]).")
        return (self._columns.classes, y) if self._named else (None, _as_texts(y))


@front_door
def scorer(
    measure: AnyMeasure,
    hierarchy: AnyHierarchy | None = None,
    classes: ClassNames | None = None,
    *,
    y: Labels | None = None,
) -> Scorer:
    """Make a scorer of scikit-learn, for ``cross_validate``, ``GridSearchCV`` and others.

    Scikit-learn expects that more is better: of a measure where less is better, such as Hamming, the scorer
    gives minus the score, and its ``greater_is_better`` is False. Measures of scores, such as Fmax and AP,
    are computed from ``predict_proba``, or else from ``decision_function``. Sample weights are routed to
    ``scorer(...).set_score_request(sample_weight=True)``.

    Scikit-learn turns an error of a scorer into nan and a warning, unless it is given
    ``error_score="raise"``. Labels that are given here as `y` are checked at once.

    Parameters
    ----------
    measure
        A notation, a measure or a function.
    hierarchy
        The hierarchy of the classes, see `evaluate`; needed by hierarchical measures.
    classes
        Names of the classes, in the order of the columns; by default those of the frame of labels, else the
        labels of the hierarchy. Without a hierarchy they may be left out: columns are counted, and single
        labels are their own names.
    y
        The labels that will be scored: an array or a frame of 0 and 1 with one column per class, or one
        label per sample.

    Raises
    ------
    MissingExtraError
        If scikit-learn is not installed.
    OntoevalError
        If a class is not in the hierarchy, the measure cannot be read or computed, or `y` does not fit.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification  # doctest: +SKIP
    >>> from sklearn.model_selection import cross_val_score  # doctest: +SKIP
    >>> from sklearn.tree import DecisionTreeClassifier  # doctest: +SKIP
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)  # doctest: +SKIP
    >>> hierarchy = {"all": ["plants", "sky"], "plants": ["tree", "moss"]}
    >>> hF = scorer("hF", hierarchy, ["tree", "moss", "sky"], y=y)  # doctest: +SKIP
    >>> tree = DecisionTreeClassifier(random_state=0)  # doctest: +SKIP
    >>> found = cross_val_score(tree, X, y, scoring=hF, error_score="raise")  # doctest: +SKIP
    >>> found.round(2).tolist()  # doctest: +SKIP
    [0.77, 0.82, 0.8, 0.77, 0.72]
    """
    requires("sklearn", "integrations", "ontoeval.scorer")
    made = Scorer(measure, hierarchy, classes)
    if y is not None:
        names, y = made._named_labels(y)  # noqa: SLF001 - of this module
        align(y, y, hierarchy=made._columns.hierarchy, classes=names)  # noqa: SLF001
    return made


def _in_order(y: AnyFrame) -> AnyFrame:
    """Leave out the index of a frame, which may repeat: scikit-learn matches samples by their order."""
    return y.reset_index(drop=True) if hasattr(y, "reset_index") else y


def _as_texts(labels: Any) -> Any:  # noqa: ANN401 - a vector of single labels, or a table
    """Write single labels as texts, as whole numbers alone would be places in a list of classes."""
    if getattr(labels, "ndim", 1) > 1 or not all(isinstance(one, str | Real | np.generic) for one in labels):
        return labels
    return np.asarray(labels).astype(str)


def _scores(estimator: Estimator, X: object, classes: Sequence[str], *, single: bool) -> NDArray[np.float64]:
    """Scores of an estimator, samples × classes."""
    response = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    if not hasattr(estimator, response):
        raise InputError(
            f"a {type(estimator).__name__} has neither predict_proba nor decision_function",
            "Take an estimator that has one, or a measure of label sets.",
        )
    found = getattr(estimator, response)(X)
    if isinstance(
        found, list
    ):  # for each class the probabilities of 0 and 1, or of those in the training data
        met = [list(values) for values in estimator.classes_]
        zeros = np.zeros(len(found[0]))
        return np.stack(
            [part[:, one.index(1)] if 1 in one else zeros for part, one in zip(found, met, strict=True)],
            axis=1,
        )
    if not single:
        return np.asarray(found)
    own = tuple(map(str, estimator.classes_))
    given = list(own) if own == classes else [_name(value, classes) for value in estimator.classes_]
    if np.ndim(found) != 2 or (response != "predict_proba" and {*given} != {*classes}):  # noqa: PLR2004
        raise InputError(
            f"{response} gives no score of each of {len(classes):,} classes, but of {enumerate_some(given)}",
            "Take an estimator with predict_proba, or give y one column of 0 and 1 per class.",
        )
    scores = np.zeros((len(found), len(classes)))
    scores[:, Vocabulary(tuple(classes)).positions(given)] = found
    return scores


def _name(value: object, classes: Sequence[str]) -> str:
    """Name of a label, which may be a place in the classes."""
    if isinstance(value, int | np.integer) and 0 <= value < len(classes):
        return classes[int(value)]
    return str(value)
