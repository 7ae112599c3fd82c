"""The model of Dawid and Skene: probabilities of labels and the reliability of each annotator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logit

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.votes import ConceptMatrices, Votes
from ontoeval.core.checks import whole_number
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, enumerate_some

Numbers = NDArray[np.float64]

_LEAST = 1e-9
"""Smaller probabilities are kept as 0."""

_IDENTIFIED = 3
"""Annotators that it takes to find out from their answers who of them errs."""


class Heard(NamedTuple):
    """Most annotators of a sample, samples with an answer, answers yes, and all answers on a concept."""

    deciding: int
    samples: int
    yes: int
    decisions: int


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """The model fitted to each concept.

    Parameters
    ----------
    vocabulary
        The concepts.
    probability
        Samples × concepts: probability of the label; 0 where nobody answers.
    sensitivity
        Annotators × concepts: how likely an annotator says yes where the label is true; nan for concepts
        without any yes.
    specificity
        The same for saying no where it is not.
    prevalence
        Probability of each label before anybody answers.
    iterations
        Number of steps of each concept.
    converged
        Whether the fit of each concept converged.
    heard
        Numbers of answers on each concept that is mentioned, by its position.
    """

    vocabulary: Vocabulary
    probability: sparse.csr_array
    sensitivity: Numbers
    specificity: Numbers
    prevalence: Numbers
    iterations: NDArray[np.intp]
    converged: NDArray[np.bool_]
    heard: Mapping[int, Heard]

    @property
    def notes(self) -> tuple[str, ...]:
        """Concepts whose model is not to be trusted, in words."""
        likely = self.probability.indices[self.probability.data > 0.5]  # noqa: PLR2004
        found = np.bincount(likely, minlength=len(self.vocabulary)).tolist()
        given = {concept: heard for concept, heard in self.heard.items() if heard.yes}
        doubts: dict[str, Callable[[int, Heard], bool]] = {
            "the fit did not converge": (lambda concept, _: not self.converged[concept]),
            "at most two annotators of a sample decide, so that the result depends on the starting values; "
            "the majority is the safer consensus": (lambda _, heard: heard.deciding < _IDENTIFIED),
            "in no sample of the consensus, although annotators give the label": lambda concept, _: (
                not found[concept]
            ),
            "in every sample of the consensus, although annotators disagree": (
                lambda concept, heard: found[concept] == heard.samples and heard.yes < heard.decisions
            ),
        }
        named = {
            what: [self.vocabulary[concept] for concept, heard in given.items() if holds(concept, heard)]
            for what, holds in doubts.items()
        }
        return tuple(
            f"Dawid and Skene, {len(some):,} of {len(given):,} concepts ({enumerate_some(some)}): {what}"
            for what, some in named.items()
            if some
        )


def dawid_skene(
    annotations: Annotations,
    *,
    smoothing: float = 0.01,
    tolerance: float = 1e-5,
    most: int = 1_000,
    step: Callable[[], None] = lambda: None,
) -> DawidSkene:
    """Fit the model of Dawid and Skene [dawid1979]_ to each concept, by expectation maximisation.

    A label is true or not, independently in each sample; annotator and truth decide how likely a yes is,
    independently of the other annotators. The first probabilities are the shares of yes. From three
    annotators on it can be found out who of them errs; with two the same answers fit several models.

    Parameters
    ----------
    annotations
        The annotations.
    smoothing
        Right and wrong answers of either kind that are added to everybody's, so that an annotator who was
        never wrong can be outvoted.
    tolerance
        The fit ends when no probability changes more.
    most
        Most steps of each concept.
    step
        Called after each concept that is fitted.

    Returns
    -------
    DawidSkene
        The model of every concept.

    Raises
    ------
    ParameterError
        If smoothing or tolerance are not above 0, or `most` is not.

    Examples
    --------
    >>> said = {"Ann": [["a"], [], ["a"]], "Bob": [["a"], [], ["a"]], "Eve": [[], ["a"], []]}
    >>> model = dawid_skene(Annotations.from_sets(said))
    >>> model.probability.toarray().round(2).T.tolist(), bool(model.sensitivity[2, 0] < 0.1)
    ([[1.0, 0.0, 1.0]], True)
    """
    for name, value in (("smoothing", smoothing), ("tolerance", tolerance)):
        if not 0 < value < np.inf:
            raise ParameterError(name, value, "a finite number above 0")
    most = whole_number("most", most, 1)
    matrices, used = ConceptMatrices.of(annotations, dense=0), Votes.of(annotations).used
    number = len(annotations.vocabulary)
    rates, prevalence = np.full((2, len(annotations.annotators), number), np.nan), np.zeros(number)
    iterations, converged = np.zeros(number, dtype=np.intp), np.ones(number, dtype=bool)
    heard: dict[int, Heard] = {}
    rows, values = [np.empty(0, dtype=np.intp)], [np.empty(0)]
    for concept in used.tolist():
        fit = _Fit(matrices.yes(concept), matrices.known(concept), smoothing)
        steps, change = 0, np.inf
        while change > tolerance and steps < most:
            change, steps = fit.step(), steps + 1
        rates[:, :, concept], prevalence[concept] = fit.rates, fit.prevalence
        iterations[concept], converged[concept] = steps, change <= tolerance
        heard[concept] = fit.heard
        rows.append(np.flatnonzero(fit.probability > _LEAST))
        values.append(fit.probability[rows[-1]])
        step()
    places = np.concatenate(rows), np.repeat(used, [len(likely) for likely in rows[1:]])
    shape = len(annotations.samples), number
    return DawidSkene(
        annotations.vocabulary,
        sparse.csr_array((np.concatenate(values), places), shape=shape),
        rates[0],
        rates[1],
        prevalence,
        iterations,
        converged,
        MappingProxyType(heard),
    )


class _Fit:
    """The model of one concept while it is fitted."""

    def __init__(self, yes: sparse.csr_array, known: sparse.csr_array, smoothing: float) -> None:
        self._yes, self._smoothing = yes.astype(np.float64), smoothing
        self._whole = known.nnz == known.shape[0] * known.shape[1]  # sums tell as much, and are fast
        self._known = known.astype(np.float64)
        self._yes_of, self._known_of = self._yes.T.tocsr(), self._known.T.tocsr()
        self._found, self._answers = self._yes.sum(axis=1), self._known.sum(axis=1)
        asked = np.asarray(known.sum(axis=0), dtype=np.float64)
        self._told = asked > 0
        self.heard = Heard(int(asked.max(initial=0)), int(self._told.sum()), int(yes.nnz), int(asked.sum()))
        self.probability: Numbers = np.asarray(yes.sum(axis=0)) / np.maximum(asked, 1)
        self._learn()

    def step(self) -> float:
        """Infer the probabilities, then learn the rates from them; return the largest change."""
        (sensitivity, specificity), before = self.rates, self.probability
        if_yes = np.log(sensitivity) - np.log1p(-specificity)
        if_no = np.log1p(-sensitivity) - np.log(specificity)
        evidence = self._yes_of @ (if_yes - if_no)
        evidence += if_no.sum() if self._whole else self._known_of @ if_no
        self.probability = np.where(self._told, expit(logit(self.prevalence) + evidence), 0.0)
        self._learn()
        return float(np.abs(self.probability - before).max(initial=0))

    def _learn(self) -> None:
        there, more = self.probability, self._smoothing
        right, present = self._yes @ there, self._of_known(there)
        absent = np.maximum(self._answers - present, 0)
        rejected = np.maximum(absent - (self._found - right), 0)  # rounding must not leave less than nothing
        self.rates = np.stack(
            [(right + more) / (present + 2 * more), (rejected + more) / (absent + 2 * more)]
        )
        self.prevalence = float((there.sum() + more) / (self._told.sum() + 2 * more))

    def _of_known(self, probability: Numbers) -> Numbers:
        """Sum over the samples of which each annotator says anything."""
        if self._whole:
            return np.full(self._known.shape[0], probability.sum())
        return np.asarray(self._known @ probability)
