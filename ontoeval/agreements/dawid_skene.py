"""The model of Dawid and Skene: what is likely there, and how reliable each annotator is, found together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.layout import Layout, Matrix
from ontoeval.agreements.votes import Votes
from ontoeval.errors import ParameterError

Numbers = NDArray[np.float64]

_LEAST = 1e-9
"""Probabilities below it are kept as 0."""


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """The model fitted to each concept.

    Parameters
    ----------
    probability
        Samples × concepts: how likely the concept is there; of what nobody says anything, 0.
    sensitivity
        Annotators × concepts: how likely an annotator sees what is there; nan for concepts that are
        never mentioned.
    specificity
        The same for seeing that it is not there.
    prevalence
        How likely each concept is there before anybody says anything.
    iterations
        After how many steps the probabilities of each concept stood still.
    converged
        Whether they did.
    """

    probability: sparse.csr_array
    sensitivity: Numbers
    specificity: Numbers
    prevalence: Numbers
    iterations: NDArray[np.intp]
    converged: NDArray[np.bool_]


def dawid_skene(
    annotations: Annotations, *, smoothing: float = 0.01, tolerance: float = 1e-5, most: int = 1_000
) -> DawidSkene:
    """Fit the model of Dawid and Skene [dawid1979]_ to each concept, by expectation maximisation.

    A concept is there or not, independently in each sample; annotator and truth decide how likely it is said
    to be there, independently of what others say. It begins with the shares of those who say so.

    Parameters
    ----------
    annotations
        Who said what.
    smoothing
        How many more right and wrong answers of either kind everybody is taken to have given, which
        keeps who was never wrong from being believed against all others.
    tolerance
        It ends when no probability changes more.
    most
        Most steps.

    Returns
    -------
    DawidSkene
        The model of every concept.

    Raises
    ------
    ParameterError
        If smoothing or tolerance are not above 0, or there is to be no step.

    Examples
    --------
    >>> said = {"Ann": [["a"], [], ["a"]], "Bob": [["a"], [], ["a"]], "Eve": [[], ["a"], []]}
    >>> model = dawid_skene(Annotations.from_sets(said))
    >>> model.probability.toarray().round(2).T.tolist(), bool(model.sensitivity[2, 0] < 0.1)
    ([[1.0, 0.0, 1.0]], True)
    """
    for name, value in (("smoothing", smoothing), ("tolerance", tolerance), ("most", most)):
        if not value > 0:
            raise ParameterError(name, value, "a number above 0")
    layout, used = Layout.of(annotations), Votes.of(annotations).used
    shape = len(annotations.annotators), len(annotations.vocabulary)
    rates, prevalence = np.full((2, *shape), np.nan), np.zeros(shape[1])
    iterations, converged = np.zeros(shape[1], dtype=np.intp), np.ones(shape[1], dtype=bool)
    columns: list[sparse.coo_array] = []
    for concept in used.tolist():
        fit = _Fit(layout.yes(concept), layout.known(concept), smoothing)
        steps, change = 0, np.inf
        while change > tolerance and steps < most:
            change, steps = fit.step(), steps + 1
        rates[:, :, concept], prevalence[concept] = fit.rates, fit.prevalence
        iterations[concept], converged[concept] = steps, change <= tolerance
        likely = np.flatnonzero(fit.probability > _LEAST)
        column = np.full(likely.size, concept)
        columns.append(
            sparse.coo_array((fit.probability[likely], (likely, column)), (fit.probability.size, shape[1]))
        )
    empty = sparse.coo_array((len(annotations.samples), shape[1]), dtype=np.float64)
    probability = sparse.csr_array(sum(columns, start=empty))
    return DawidSkene(probability, rates[0], rates[1], prevalence, iterations, converged)


class _Fit:
    """The model of one concept while it is fitted."""

    def __init__(self, yes: Matrix, known: Matrix, smoothing: float) -> None:
        self._yes, self._known, self._smoothing = yes, known, smoothing
        self._asked = np.asarray(known.sum(axis=0), dtype=np.float64)
        self._told = self._asked > 0
        says = np.asarray(yes.sum(axis=0), dtype=np.float64)
        self.probability: Numbers = says / np.maximum(self._asked, 1)
        self._learn()

    def step(self) -> float:
        """Infer the probabilities, then learn from them; give their largest change."""
        (sensitivity, specificity), before = self.rates, self.probability
        if_yes = np.log(sensitivity) - np.log1p(-specificity)
        if_no = np.log1p(-sensitivity) - np.log(specificity)
        evidence = (if_yes - if_no) @ self._yes + if_no @ self._known
        self.probability = np.where(self._told, expit(logit(self.prevalence) + evidence), 0.0)
        self._learn()
        return float(np.abs(self.probability - before).max(initial=0))

    def _learn(self) -> None:
        there = self.probability
        absent = np.where(self._told, 1 - there, 0.0)
        yes, known, more = self._yes, self._known, self._smoothing
        self.rates = np.stack(
            [
                (yes @ there + more) / (known @ there + 2 * more),
                (known @ absent - yes @ absent + more) / (known @ absent + 2 * more),
            ]
        )
        self.prevalence = float((there.sum() + more) / (self._told.sum() + 2 * more))
