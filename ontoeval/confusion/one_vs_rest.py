"""Decisions about each concept against the rest: TP, FP, FN and TN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ontoeval.core.batch import Batch
from ontoeval.core.choices import Missing
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels
from ontoeval.core.names import NO_NAMES, ConceptNames
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.showing import Shown
from ontoeval.errors import pluralise
from ontoeval.evaluation.alignment import SideOptions, batch_of
from ontoeval.measures.confusion_rules import CountsPerConcept
from ontoeval.measures.counts import Counts, FRatio, accuracy, fill_undefined, precision, recall
from ontoeval.measures.sums import with_sample_weights
from ontoeval.plumbing.arrays import Numbers

_MOST = 2**53
"""Above that a float is no exact count."""


@dataclass(frozen=True, eq=False, repr=False)
class ConceptCounts(Shown):
    """Decisions about each concept.

    Parameters
    ----------
    concepts
        Names, pseudo-concepts last.
    tp
        True labels that were predicted, one count per concept.
    fp
        Predicted labels that are not true.
    fn
        True labels that were not predicted.
    tn
        What is neither, by the equations of the rule.
    names
        Labels and other names of the concepts.
    """

    concepts: tuple[str, ...]
    tp: Numbers
    fp: Numbers
    fn: Numbers
    tn: Numbers
    names: ConceptNames = field(default=NO_NAMES)

    def __post_init__(self) -> None:
        """Make whole numbers of counts without weights."""
        for name, counts in self._counts._asdict().items():
            whole = np.all((np.mod(counts, 1) == 0) & (np.abs(counts) < _MOST))
            object.__setattr__(self, name, np.asarray(counts, dtype=np.intp if whole else np.float64))

    @property
    def _brief(self) -> str:
        sums = (f"{name.upper()} {one.sum():,.12g}" for name, one in self._counts._asdict().items())
        return f"{pluralise(len(self.concepts), 'concept')}; {', '.join(sums)}"

    @property
    def _counts(self) -> Counts:
        return Counts(self.tp, self.fp, self.fn, self.tn)

    @property
    def support(self) -> Numbers:
        """True labels of each concept: TP + FN."""
        return self.tp + self.fn

    @property
    def precision(self) -> Numbers:
        """Precision of each concept, nan where nothing was predicted."""
        return precision(self._counts)

    @property
    def recall(self) -> Numbers:
        """Recall of each concept, nan where nothing is true."""
        return recall(self._counts)

    @property
    def accuracy(self) -> Numbers:
        """Accuracy of each concept."""
        return accuracy(self._counts)

    def to_numpy(self) -> Numbers:
        """Give the counts as scikit-learn's ``multilabel_confusion_matrix`` has them.

        Returns
        -------
        ndarray
            Of the shape (concepts, 2, 2): TN and FP, below them FN and TP.
        """
        return np.stack([self.tn, self.fp, self.fn, self.tp], axis=1).reshape(-1, 2, 2)

    def scores(self, *, undefined: float | None = None) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Give precision, recall, F and support, as scikit-learn's ``precision_recall_fscore_support`` does.

        Parameters
        ----------
        undefined
            What stands for 0/0; None for nan.

        Returns
        -------
        tuple of four ndarray of float
            One number per concept in each.
        """
        p, r, f = (fill_undefined(one, undefined) for one in (self.precision, self.recall, self.f()))
        return p, r, f, self.support

    def f(self, beta: float = 1.0) -> Numbers:
        """F measure of each concept.

        Parameters
        ----------
        beta
            How many times as much recall counts as precision.

        Returns
        -------
        ndarray of float
            One number per concept, nan where nothing is true or predicted.
        """
        return FRatio(beta)(self._counts)


@front_door
def one_vs_rest(
    truth: Labels,
    prediction: Labels,
    *,
    hierarchy: AnyHierarchy | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> ConceptCounts:
    """Count the decisions about each concept against the rest.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    hierarchy
        The hierarchy of the concepts.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, see `evaluate`.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ConceptCounts
        TP, FP, FN and TN of each concept, which sum to the number of samples, or to their weights.

    Raises
    ------
    MisalignedError
        If samples or concepts differ.

    Examples
    --------
    >>> one_vs_rest([[1, 0], [1, 1]], [[1, 1], [0, 1]]).fp.tolist()
    [0, 1]
    """
    return counts_of(
        batch_of(truth, prediction, SideOptions(hierarchy, missing, sample_weight, classes, separator))
    )


def counts_of(batch: Batch) -> ConceptCounts:
    """Count the decisions about each concept of a batch against the rest."""
    statistic = CountsPerConcept()
    total = with_sample_weights(statistic(batch), batch.sample_weight).total()
    concepts, names = batch.vocabulary.concepts, batch.vocabulary.names
    return ConceptCounts(concepts, *statistic.unpack(total), names)


def branch_counts(hierarchy: Hierarchy, batch: Batch) -> Counts:
    """Count weighted samples by branch: a branch is true, or predicted, where any label of it is."""
    upwards = hierarchy.label_ancestors
    truth, prediction = (side.matrix @ upwards for side in (batch.truth, batch.prediction))
    weights = np.ones(len(batch)) if batch.sample_weight is None else batch.sample_weight
    true, predicted, both = (
        np.asarray(weights @ part, dtype=np.float64)
        for part in (truth, prediction, truth.multiply(prediction))
    )
    return Counts(both, predicted - both, true - both, np.zeros_like(both))
