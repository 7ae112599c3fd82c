"""Kinds of errors: how what is predicted lies to what is true, and what measures charge for each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.comparison.axioms import ALIKE
from ontoeval.comparison.result import merits_of
from ontoeval.comparison.runs import check_names
from ontoeval.core.batch import Batch
from ontoeval.core.choices import Missing, Threshold
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, RunsOrPaths, runs_by_name
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.showing import axes_of
from ontoeval.core.table import Tabled
from ontoeval.errors import MeasureError, pluralise_all
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.groups import relation_of_pairs
from ontoeval.evaluation.scoring import Evaluation, evaluate_aligned, usual_for
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import Measures, info
from ontoeval.measures.catalogue import asks_for_scores, measures_of
from ontoeval.measures.confusion_rules import Confusion
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import choose_entries, pattern, row_of_entries, stored_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ERROR_KINDS: Mapping[str, str] = {
    "too general": "the predicted label is above the true one",
    "too specific": "the predicted label is below the true one",
    "sibling": "the predicted and the true label have a parent in common",
    "cousin": "they have a grandparent in common, but no parent",
    "other branch": "any other predicted label in the place of the true one",
    "nothing": "a true label is missed, and no false label is in its place",
    "invented": "a false label is in the place of no missed one",
}
"""Kinds of errors; the first that fits."""

_KIND_OF_RELATION = {"parent": 0, "ancestor": 0, "child": 1, "descendant": 1, "sibling": 2, "cousin": 3}
_OTHER_BRANCH, _NOTHING, _INVENTED = 4, 5, 6


class LabelErrors(NamedTuple):
    """Missed and false labels of each sample, and the kind of each, in the order of the entries."""

    missed: sparse.csr_array
    false: sparse.csr_array
    missed_kind: Places
    false_kind: Places

    @classmethod
    def from_batch(cls, batch: Batch) -> LabelErrors:
        """Give each wrong label the kind of the pairs that hold most of it; of equal kinds the first.

        An unpaired label above or below a label of the other side is too general or too specific.
        """
        hierarchy = batch.required_hierarchy("Errors by kind")
        labels, above = len(hierarchy.labels), hierarchy.labels_above
        sample, true, predicted, mass = (
            np.concatenate(parts) for parts in zip(*Confusion("transport")(batch).entries(), strict=True)
        )
        wrong = true != predicted
        sample, true, predicted, mass = (part[wrong] for part in (sample, true, predicted, mass))
        kind = np.where(true == labels, _INVENTED, _NOTHING)
        both = np.flatnonzero((true < labels) & (predicted < labels))
        kind[both] = _kinds_of_pairs(hierarchy, true[both], predicted[both])
        kinds = []
        for own, others, label, alone, up, down in (
            (batch.missed, batch.prediction.matrix, true, _NOTHING, 0, 1),
            (batch.false, batch.truth.matrix, predicted, _INVENTED, 1, 0),
        ):
            rows = row_of_entries(own)
            here = label < labels
            entry = np.searchsorted(rows * labels + own.indices, sample[here] * labels + label[here])
            parts = np.zeros((own.nnz, len(ERROR_KINDS)))
            np.add.at(parts, (entry, kind[here]), mass[here])
            found = parts.round(9).argmax(axis=1)
            loose = np.flatnonzero(found == alone)
            higher = above[own.indices[loose]].multiply(others[rows[loose]]).sum(axis=1) > 0
            lower = stored_in(own, pattern(others @ above))[loose]
            found[loose[lower]] = down
            found[loose[higher]] = up
            kinds.append(found)
        return cls(batch.missed, batch.false, *kinds)

    def counts(self, weights: Numbers | None) -> Numbers:
        """Count the missed and the false labels of each kind: 2 × kinds; samples count by their weights."""
        sides = ((self.missed, self.missed_kind), (self.false, self.false_kind))
        amounts = [
            np.bincount(kind, None if weights is None else weights[row_of_entries(side)], len(ERROR_KINDS))
            for side, kind in sides
        ]
        return np.array(amounts, dtype=np.float64)

    def repair(self, batch: Batch, kinds: Sequence[int]) -> Batch:
        """Put the truth in the place of all errors of some kinds."""
        added = choose_entries(self.missed, np.isin(self.missed_kind, kinds))
        stays = choose_entries(self.false, ~np.isin(self.false_kind, kinds))
        labels = pattern(batch.common + added + stays)
        return batch.predicting(LabelSets(labels, batch.truth.vocabulary, batch.truth.samples))


def _kinds_of_pairs(hierarchy: Hierarchy, true: Places, predicted: Places) -> Places:
    """Kinds of pairs of labels, each pair of concepts looked up once."""
    width = len(hierarchy.labels)
    codes, which = np.unique(true * width + predicted, return_inverse=True)
    relation, _ = relation_of_pairs(hierarchy, *(hierarchy.labels[part] for part in np.divmod(codes, width)))
    found = [_KIND_OF_RELATION.get(name, _OTHER_BRANCH) for name in relation.tolist()]
    return np.array(found, dtype=np.intp)[which]


@dataclass(frozen=True, eq=False, repr=False)
class ErrorsByKind(Tabled):
    """Errors of runs by kind, and what measures charge for each kind.

    Parameters
    ----------
    runs
        Names of the runs.
    measures
        Notations of the measures.
    counts
        Numbers of missed and of false labels, weighted as the samples are: runs × 2 × `ERROR_KINDS`.
    scores
        Runs × measures.
    losses
        What each score improves if all errors are repaired, in units of the measure: runs × measures.
    gains
        What it improves if all errors of one kind alone are: runs × measures × `ERROR_KINDS`.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    counts: Numbers
    scores: Numbers
    losses: Numbers
    gains: Numbers

    @property
    def _brief(self) -> str:
        return pluralise_all(run=len(self.runs), measure=len(self.measures))

    @property
    def shares(self) -> Numbers:
        """Share of the wrong labels of each run that are of each kind: runs × kinds; nan without any."""
        return _shares(self.counts.sum(axis=1))

    @property
    def loss_shares(self) -> Numbers:
        """Share of each kind in the sum of the gains: runs × measures × kinds; nan where the sum is 0."""
        return _shares(self.gains)

    @property
    def rest(self) -> Numbers:
        """Loss less the sum of the gains, runs × measures: 0 of a measure that is additive."""
        return np.asarray(self.losses - self.gains.sum(axis=-1))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the shares of the kinds, by matplotlib; see `ontoeval.figures.errors`.

        Parameters
        ----------
        ax
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            A notebook shows them as a picture.
        """
        return axes_of("errors", self, ax=ax)


def _shares(amounts: Numbers) -> Numbers:
    total = amounts.sum(axis=-1, keepdims=True)
    shares = np.full(amounts.shape, np.nan)
    np.divide(amounts, total, out=shares, where=np.abs(total) > ALIKE)
    return shares


@front_door
def errors_by_kind(
    truth: Labels,
    runs: RunsOrPaths,
    *,
    hierarchy: AnyHierarchy,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    threshold: Threshold | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    known: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> ErrorsByKind:
    """Count the errors of runs by kind, and find what share of its loss each measure gives to each kind.

    Missed and false labels are paired by the rule "transport" of `confusion_matrix`, and the kind of a wrong
    label is the relation of the pair that takes most of it. An unpaired label above or below a label of the
    other side is too general or too specific; any other has nothing in its place, or is invented. The loss
    that a measure gives to a kind is what its score gains when all errors of this kind are repaired: missed
    labels are added, false ones removed. The kinds refine the cases of [kosmopoulos2015]_, Figure 2.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    runs
        The prediction of each run by its name; what `evaluate` takes, all of the same kind.
    hierarchy
        The hierarchy of the concepts.
    agreement, measures, threshold, missing, sample_weight, known, classes, separator
        See `evaluate`; measures of label sets alone.

    Returns
    -------
    ErrorsByKind
        Counts, scores and gains.

    Raises
    ------
    InputError
        If the runs have no names.
    MeasureError
        If a measure is not one of label sets.

    Examples
    --------
    >>> tree = [("animal", "dog"), ("animal", "cat"), ("dog", "poodle")]
    >>> truth, runs = [["poodle"], ["cat"]], {"run": [["dog"], ["dog"]]}
    >>> found = errors_by_kind(truth, runs, hierarchy=tree, measures=["F", "hF"])
    >>> counts = found.counts.sum(axis=(0, 1)).tolist()
    >>> dict(zip(ERROR_KINDS, counts, strict=True))["too general"]
    2.0
    >>> found.loss_shares[0, :, [0, 2]].round(2).tolist()
    [[0.5, 0.4], [0.5, 0.6]]
    """
    runs = runs_by_name(truth, runs)
    check_names(runs)
    how = SideOptions(hierarchy, missing, sample_weight, classes, separator, agreement, threshold, known)
    chosen = None if measures is None else measures_of(measures)
    given = AlignedRuns.from_labels(truth, runs, how, scores=asks_for_scores(chosen))
    wanted = chosen or usual_for(given)
    return errors_of({run: evaluate_aligned(given, batch, wanted) for run, batch in given.batches.items()})


def errors_of(evaluations: Mapping[str, Evaluation]) -> ErrorsByKind:
    """Find the errors behind evaluations of runs by the same measures."""
    first = next(iter(evaluations.values()))
    measures, every = first.totals.measures, range(len(ERROR_KINDS))
    unfit = [f"{one} takes scores" for one, its in measures.items() if info(its, "takes") != "sets"]
    batches = {run: one.sets for run, one in evaluations.items() if one.sets is not None}
    if unfit or len(batches) < len(evaluations):
        raise MeasureError(
            f"Errors have kinds in label sets alone, and {[*unfit, 'a run holds scores'][0]}. Name measures "
            "of label sets, and for runs of scores a threshold (--threshold)."
        )
    counts, merits = [], []
    for run, sets in batches.items():
        found = LabelErrors.from_batch(sets)
        counts.append(found.counts(sets.sample_weight))
        repaired = [evaluations[run].scores] + [
            Evaluation(totals_of(found.repair(sets, kinds), measures)).scores
            for kinds in (every, *([kind] for kind in every))
        ]
        merits.append(merits_of(np.array([[*scores.values()] for scores in repaired]), measures.values()))
    merit = np.array(merits)
    now, best, parts = merit[:, 0], merit[:, 1], merit[:, 2:]
    scores = np.array([[*one.scores.values()] for one in evaluations.values()])
    gains = np.moveaxis(parts - now[:, None], 1, -1)
    return ErrorsByKind(tuple(evaluations), tuple(measures), np.array(counts), scores, best - now, gains)
