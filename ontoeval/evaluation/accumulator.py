"""Scores of samples that come in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, unknown_attribute
from ontoeval.evaluation.scoring import Evaluation, evaluate, score
from ontoeval.evaluation.totals import Totals, merge, refuse_unsummed
from ontoeval.measures.base import Measures
from ontoeval.measures.catalogue import measures_of


class Accumulator(Brief):
    """Measures of samples that come in batches, summed by `collect` and `merge`.

    Parameters
    ----------
    measures
        Notations, measures or functions, or a single one.
    hierarchy, classes, threshold, ignore_index
        See `evaluate`. Lists of labels need a hierarchy or classes, which all batches then have.

    Raises
    ------
    MeasureError
        If a measure cannot be read, or needs all samples at once, such as AP and AUC.

    Examples
    --------
    >>> running = Accumulator(["F", "Hamming"])
    >>> running.update([[1, 0]], [[1, 0]])
    >>> running.update([[1, 1]], [[0, 1]])
    >>> running.compute().scores
    {'F': 0.8, 'Hamming': 0.25}
    """

    @front_door
    def __init__(
        self,
        measures: Measures,
        *,
        hierarchy: AnyHierarchy | None = None,
        classes: Sequence[str] | None = None,
        threshold: float | Mapping[str, float] | None = None,
        ignore_index: float | None = None,
    ) -> None:
        self._measures = measures_of(measures)
        refuse_unsummed(self._measures)
        self._options: dict[str, Any] = {"hierarchy": hierarchy, "classes": classes, "threshold": threshold}
        self._options["ignore_index"] = ignore_index
        self.totals: Totals | None = None

    @property
    def _brief(self) -> str:
        return f"{', '.join(self._measures)}; {'no sample' if self.totals is None else self.totals.counts}"

    def __call__(self, *_: object) -> NoReturn:
        """Name the call that adds a batch."""
        raise unknown_attribute(self, "forward")

    @front_door
    def update(self, truth: Labels, prediction: Labels, *, sample_weight: SampleWeight | None = None) -> None:
        """Add the samples of a batch.

        Parameters
        ----------
        truth, prediction, sample_weight
            What `evaluate` takes: the truth comes first.

        Raises
        ------
        InputError
            If a batch has other concepts than those before.
        """
        weighted = {**self._options, "sample_weight": sample_weight}
        self._add(evaluate(truth, prediction, measures=self._measures, **weighted).totals)

    def merge(self, other: Accumulator) -> None:
        """Add the samples of another accumulator, of another process for example.

        Parameters
        ----------
        other
            It has the same measures, concepts and hierarchy.

        Raises
        ------
        InputError
            If it differs in them.
        """
        if other.totals is not None:
            self._add(other.totals)

    def _add(self, totals: Totals) -> None:
        self.totals = totals if self.totals is None else merge(self.totals, totals)

    def compute(self) -> Evaluation:
        """Compute the scores of all samples so far.

        Returns
        -------
        Evaluation
            The scores, as `score` gives them.

        Raises
        ------
        InputError
            If there is no sample yet.
        """
        if self.totals is None:
            raise InputError("no sample to score", "Call update(truth, prediction) for each batch first.")
        return score(self.totals)

    def reset(self) -> None:
        """Forget all samples."""
        self.totals = None
