"""The model of Dawid and Skene: what is likely there, and how reliable each annotator is, found together."""

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
from ontoeval.errors import ParameterError, listed

Numbers = NDArray[np.float64]

_LEAST = 1e-9
"""Probabilities below it are kept as 0."""

_IDENTIFIED = 3
"""How many annotators it takes at least to tell from what they say who of them errs."""


class Heard(NamedTuple):
    """What is said of a concept in all."""

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
    heard
        What is said of each concept that is mentioned, by its position.
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
        """Of which concepts the model is not to be trusted, in words."""
        found = np.bincount(
            self.probability.indices[self.probability.data > 0.5],  # noqa: PLR2004
            minlength=len(self.vocabulary),
        ).tolist()
        given = {concept: heard for concept, heard in self.heard.items() if heard.yes}
        doubts = {
            "the probabilities did not stand still in the steps that are made": [
                concept for concept in given if not self.converged[concept]
            ],
            "at most two annotators of a sample decide: who of them errs cannot be told, and what is found "
            "hangs on where the model begins; the majority is the safer consensus": [
                concept for concept, heard in given.items() if heard.deciding < _IDENTIFIED
            ],
            "in no sample of the consensus, although annotators see it": [
                concept for concept in given if not found[concept]
            ],
            "in every sample of the consensus, although annotators differ": [
                concept
                for concept, heard in given.items()
                if found[concept] == heard.samples and heard.yes < heard.decisions
            ],
        }
        return tuple(
            f"Dawid and Skene, {len(some):,} of {len(given):,} concepts "
            f"({listed(self.vocabulary[concept] for concept in some)}): {what}"
            for what, some in doubts.items()
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

    A concept is there or not, independently in each sample; annotator and truth decide how likely it is said
    to be there, independently of what others say. It begins with the shares of those who say so. From three
    annotators on it can be told who of them errs; with two the same answers fit several models.

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
        Most steps of each concept.
    step
        Called after each concept that is mentioned, for those who watch.

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
    for name, value in (("smoothing", smoothing), ("tolerance", tolerance)):
        if not 0 < value < np.inf:
            raise ParameterError(name, value, "a finite number above 0")
    most = whole_number("most", most, 1)
    matrices, used = ConceptMatrices.of(annotations, dense=0), Votes.of(annotations).used
    shape = len(annotations.annotators), len(annotations.vocabulary)
    rates, prevalence = np.full((2, *shape), np.nan), np.zeros(shape[1])
    iterations, converged = np.zeros(shape[1], dtype=np.intp), np.ones(shape[1], dtype=bool)
    heard: dict[int, Heard] = {}
    columns: list[sparse.coo_array] = []
    for concept in used.tolist():
        fit = _Fit(matrices.yes(concept), matrices.known(concept), smoothing)
        steps, change = 0, np.inf
        while change > tolerance and steps < most:
            change, steps = fit.step(), steps + 1
        rates[:, :, concept], prevalence[concept] = fit.rates, fit.prevalence
        iterations[concept], converged[concept] = steps, change <= tolerance
        heard[concept] = fit.heard
        likely = np.flatnonzero(fit.probability > _LEAST)
        column = np.full(likely.size, concept)
        columns.append(
            sparse.coo_array((fit.probability[likely], (likely, column)), (fit.probability.size, shape[1]))
        )
        step()
    empty = sparse.coo_array((len(annotations.samples), shape[1]), dtype=np.float64)
    probability = sparse.csr_array(sum(columns, start=empty))
    return DawidSkene(
        annotations.vocabulary,
        probability,
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
        """Infer the probabilities, then learn from them; give their largest change."""
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
