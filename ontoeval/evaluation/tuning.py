"""Thresholds chosen for a measure, and its score on samples that had no part in the choice."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.choices import Missing
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.sample_weights import SampleGroup, SampleGroups, SampleWeight
from ontoeval.core.showing import Shown
from ontoeval.errors import InputError, MeasureError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.sweeps import (
    COUNTED,
    EQUAL,
    Sweep,
    counts_at,
    limits_of,
    measures_of_sets,
    scores_at,
    unions,
)
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import AnyMeasure, compute, shortfall
from ontoeval.measures.best_threshold import Thresholds
from ontoeval.plumbing.arrays import Numbers, reaches
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.sparse import row_of_entries, with_data

_HALF = 0.5


@dataclass(frozen=True, eq=False, repr=False)
class TunedThresholds(Shown):
    """Thresholds chosen for a measure, its score on held-out samples, and the optimism.

    Parameters
    ----------
    threshold
        What `evaluate`, `read_labels` and `LabelScores.at` take: one threshold, or one for each concept.
    measure
        The notation of the measure.
    score
        Cross-validated score: the labels of each fold are made by thresholds that the others choose.
    apparent
        Score of all samples by the thresholds that these samples choose.
    optimism
        How much better the apparent score is; negative where it is worse.
    by_fold
        Thresholds chosen without each fold: one row per fold, one column per concept, or a single one.
    choices
        The thresholds to choose from.
    common
        Concepts true of fewer samples than there are folds, which have the best threshold for all concepts.
    truth
        Digest of the truth that chose.
    unchosen
        Score at the threshold 0.5, which nobody has chosen; nan where scores are no fractions.
    """

    threshold: float | Mapping[str, float]
    measure: str
    score: float
    apparent: float
    optimism: float
    by_fold: NDArray[np.float64]
    choices: NDArray[np.float64]
    common: tuple[str, ...] = ()
    truth: str = ""
    unchosen: float = np.nan

    def __getitem__(self, concept: str) -> float:
        """Look up the threshold of a concept."""
        return self.threshold[concept] if isinstance(self.threshold, Mapping) else self.threshold

    def __float__(self) -> float:
        """Give the one threshold for all concepts."""
        return float(self.threshold)  # type: ignore[arg-type] # Python refuses several

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001 - NumPy's protocol
        """List the thresholds in the order of the concepts."""
        own = [*self.threshold.values()] if isinstance(self.threshold, Mapping) else self.threshold
        return np.array(own, dtype, copy=copy)

    __array_ufunc__ = None  # so that NumPy leaves comparisons to this class

    def __le__(self, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Cut an array, which has the concepts in their order: ``scores >= tuned``."""
        own = np.array(self)
        if np.size(own) > 1 and np.shape(scores)[-1:] != np.shape(own):
            problem = f"scores of the shape {np.shape(scores)} for {np.size(own):,} thresholds"
            raise InputError(problem, "Give one column for each concept, in their order.")
        if self.common:
            few = "true of fewer samples than there are folds (least: folds=2)"
            rare = f"{len(self.common):,} of {np.size(own):,} concepts, {few}: {enumerate_some(self.common)}"
            warnings.warn(f"The best threshold for all stands for {rare}", stacklevel=2)
        return scores >= own

    @property
    def _brief(self) -> str:
        own = self.threshold.values() if isinstance(self.threshold, Mapping) else [self.threshold]
        ends = " to ".join(f"{limit:g}" for limit in dict.fromkeys((min(own), max(own))))
        rare = f"; {pluralise(len(self.common), 'rare concept')} with the threshold of all"
        return f"threshold {ends}; {self.score_in_words}{rare * bool(self.common)}"

    @property
    def score_in_words(self) -> str:
        """The score of samples that had no part in the choice, beside that of all, in words."""
        half = "" if np.isnan(self.unchosen) else f"; {self.unchosen:.4f} at 0.5"
        return (
            f"{self.measure} {self.score:.4f} held out in {len(self.by_fold)} folds, "
            f"{self.apparent:.4f} on the samples that choose: optimism {self.optimism:.4f}{half}"
        )


@front_door
def tune_thresholds(  # noqa: PLR0913 - each is an option
    truth: Labels,
    scores: LabelScores | Labels,
    *,
    measure: AnyMeasure = "F",
    per: Literal["all", "concept"] = "all",
    folds: int = 5,
    groups: SampleGroup | None = None,
    seed: int = 0,
    thresholds: Thresholds | Iterable[float] = 0.01,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> TunedThresholds:
    """Choose the thresholds that make the best label sets of scores, and cross-validate the score.

    The thresholds are the best for all samples, as those of `sweep`. For an honest score, the samples are
    divided into folds at random, each fold is cut at the thresholds that are best for all others, and the
    measure compares the label sets of all folds together with the truth. So truth and scores are those of
    validation data, which the model was not trained on.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    scores
        Scores of labels: `LabelScores`, a data frame, or an array of fractions.
    measure
        A measure of label sets.
    per
        "all": one threshold for all concepts. "concept": for each concept the best threshold by the measure
        of its decisions alone, so that a mean over concepts, such as ``F(average='macro')``, is best; a
        measure of all decisions together, such as F, may be higher with one threshold.
    folds
        Number of folds.
    groups
        The group of each sample, see `evaluate`: a fold takes whole groups, and all groups weigh the same.
    seed
        Random seed of the folds.
    thresholds
        Thresholds to choose from, see `sweep`.
    hierarchy
        The hierarchy of the concepts.
    agreement
        Agreement of annotators, see `evaluate`.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, see `evaluate`.
    classes, separator
        See `evaluate`.

    Returns
    -------
    TunedThresholds
        Thresholds, scores and optimism.

    Raises
    ------
    InputError
        If there are no scores, or 0 and 1 alone, or fewer samples or groups with true labels than folds.
    MeasureError
        If the measure is one of scores, has no best value or, for ``per="concept"``, is not one of decisions
        about single concepts.
    ParameterError
        If there are several measures, or an option has a value that it cannot have.

    Examples
    --------
    >>> truth = [[1, 0], [1, 1], [0, 1], [0, 0]] * 5
    >>> numbers = [[0.9, 0.1], [0.8, 0.3], [0.4, 0.2], [0.6, 0.1]] * 5
    >>> scores = LabelScores.from_array(numbers)
    >>> tuned = tune_thresholds(truth, scores, per="concept")
    >>> tuned.threshold, tuned.score, tuned.apparent
    ({'0': 0.61, '1': 0.11}, 1.0, 1.0)
    """
    one_of("per", per, ("all", "concept"))
    folds, seed = whole_number("folds", folds, 2), whole_number("seed", seed)
    (key, chosen), *others = (named := measures_of_sets(measure)).items()
    if others:
        raise ParameterError("measure", measure, "one measure")
    if per == "concept" and chosen.statistic not in COUNTED:
        raise MeasureError(
            f"{key}: not a measure of decisions about single concepts, which a threshold for each concept "
            "needs. Choose per='all', or a measure such as F(average='macro')."
        )
    how = SideOptions(hierarchy, missing, sample_weight, classes, separator, agreement, groups=groups)
    given = AlignedRuns.from_labels(truth, {"scores": scores}, how, only="scores")
    batch, limits = given.batches["scores"], limits_of(given.batches["scores"], thresholds)
    matrix, positive, samples = batch.prediction.matrix, batch.truth.matrix, batch.truth.samples
    if np.isin(matrix.data, (0.0, 1.0)).all():
        remedy = "Give the scores from which the labels were made, such as probabilities."
        raise InputError("the scores are 0 and 1 alone: every threshold makes the same labels", remedy)
    units = SampleGroups.from_names(given.group or dict(zip(samples, samples, strict=True)), samples)
    true = np.unique(np.stack([units.of_samples[row_of_entries(positive)], positive.indices]), axis=1)
    number, kind = np.unique(true[0]).size, "group" if given.group else "sample"
    if number < folds:
        problem = f"{pluralise(number, kind)} with true labels, for {folds} folds"
        raise InputError(problem, "Choose fewer folds (folds=2), or give more samples.")
    fold = (np.random.default_rng(seed).permutation(len(units)) % folds)[units.of_samples]
    names = np.array(samples, dtype=object)
    parts = [batch.take(names[fold == one].tolist()) for one in range(folds)]
    table = scores_at(parts, limits, named)[key]
    best = np.array([[Sweep(limits, {key: row}, named).best(key)[0]] for row in table])
    common: tuple[str, ...] = ()
    threshold: float | dict[str, float] = best.item(0)
    if per == "concept":
        counts = [np.bincount(one.truth.matrix.indices, minlength=matrix.shape[1]) for one in parts]
        own = np.array([np.sum(some, axis=0) > 0 for some in unions(counts)])
        own &= np.bincount(true[1], minlength=matrix.shape[1]) >= folds
        best = np.where(own, limits[_best_of_each(parts, limits, chosen)], best)
        common = tuple(batch.vocabulary[at] for at in np.flatnonzero(~own[0]).tolist())
        threshold = dict(zip(batch.vocabulary, best[0].tolist(), strict=True))
    at = best[1:][fold[row_of_entries(matrix)], matrix.indices if per == "concept" else 0]
    held_out = LabelSets(with_data(matrix, reaches(matrix.data, at)), batch.prediction.vocabulary, samples)
    sides = batch.with_sets(held_out), batch.at(threshold), batch.at(_HALF)
    found = np.array([Evaluation(totals_of(side, named)).scores[key] for side in sides])
    score, apparent, unchosen = found.tolist()
    (optimism,) = -np.diff(shortfall(chosen, found[:2])) + 0.0
    fractions = matrix.data.min(initial=0) >= 0 and matrix.data.max(initial=0) <= 1
    beside = batch.truth.digest, unchosen if fractions else np.nan
    of_choice = float(optimism), best[1:], limits, common, *beside
    return TunedThresholds(threshold, key, score, apparent, *of_choice)


def _best_of_each(parts: Sequence[ScoredBatch], limits: Numbers, measure: Any) -> NDArray[np.intp]:  # noqa: ANN401 - a measure of any class
    """Place of the best threshold of each concept: of all samples, and without each fold."""
    shape = len(parts) + 1, len(parts[0].vocabulary)
    least, found = np.full(shape, np.inf), np.zeros(shape, dtype=np.intp)
    for at, totals in counts_at(parts, limits, measure.statistic, each=True):
        short = np.nan_to_num(shortfall(measure, compute(measure, totals)).round(EQUAL), nan=np.inf)
        better = short.min(axis=1) <= least  # of equal ones the lowest threshold, which comes last
        found[better] = at.start + short.argmin(axis=1)[better]
        least = np.minimum(least, short.min(axis=1))
    return found
