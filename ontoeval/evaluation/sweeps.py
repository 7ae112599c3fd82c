"""Thresholds of scores: curves of precision and recall, and sweeps of measures of sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.choices import Missing
from ontoeval.core.frames import is_frame
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.showing import Shown
from ontoeval.errors import InputError, MeasureError, ParameterError, enumerate_some, pluralise, pluralise_all
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.totals import merge, totals_of
from ontoeval.measures.base import AnyMeasure, Measures, compute, info, shortfall
from ontoeval.measures.best_threshold import (
    Fmax,
    Thresholds,
    grid_of,
    is_unit_grid,
    refuse_beyond_unit,
    thresholds_of,
)
from ontoeval.measures.catalogue import find_measure, measures_of
from ontoeval.measures.confusion_rules import CountsPerConcept
from ontoeval.measures.counts import Overlap
from ontoeval.measures.decoding import Candidates, decoder_of
from ontoeval.measures.distinct_thresholds import Denominator
from ontoeval.measures.sums import with_sample_weights
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries

_T = TypeVar("_T")


def _lines(columns: Mapping[str, NDArray[np.float64]]) -> list[dict[str, float]]:
    """List arrays as rows of a table."""
    lists = [column.tolist() for column in columns.values()]
    return [dict(zip(columns, line, strict=True)) for line in zip(*lists, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCurve(Shown):
    """A curve over thresholds, one number per threshold in each array.

    Parameters
    ----------
    thresholds
        The thresholds, ascending.
    precision
        Mean precision; nan where nothing is predicted.
    recall
        Mean recall.
    f
        Weighted harmonic mean of both; its maximum is Fmax.
    coverage
        Share of the samples with something predicted.
    ru
        Remaining uncertainty: mean weight of what is missed.
    mi
        Misinformation: mean weight of what is false.
    s
        The root of ru² + mi²; its minimum is Smin.
    """

    thresholds: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f: NDArray[np.float64]
    coverage: NDArray[np.float64]
    ru: NDArray[np.float64]
    mi: NDArray[np.float64]
    s: NDArray[np.float64]

    @property
    def _brief(self) -> str:
        return f"{pluralise(len(self.thresholds), 'threshold')}"

    def rows(self) -> list[dict[str, float]]:
        """List the points of the curve as rows of a table."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return _lines({"threshold": columns.pop("thresholds"), **columns})

    @property
    def best(self) -> dict[str, float]:
        """The point of the largest F, the first of several."""
        return self.rows()[int(np.argmax(self.f))]


@front_door
def curve(  # noqa: PLR0913 - each is an option
    truth: Labels,
    scores: LabelScores | Labels,
    *,
    hierarchy: AnyHierarchy | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    average: Literal["samples", "micro"] = "samples",
    beta: float = 1.0,
    weight: str | None = None,
    thresholds: Thresholds | Iterable[float] = 0.01,
    denominator: Denominator = "cafa",
    root: Literal["in", "out"] = "in",
    orphans: bool = True,
    propagate: bool = True,
    empty: float | None = 1.0,
) -> ScoreCurve:
    """Compute precision, recall, coverage, ru and mi at every threshold.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    scores
        Scores of labels: `LabelScores`, a data frame, or an array of fractions.
    hierarchy
        The hierarchy of the concepts; it can be left out with ``propagate=False``.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.
    sample_weight
        What each sample counts for, see `evaluate`.
    classes, separator
        See `evaluate`.
    average, beta, weight
        Parameters of the measure `Fmax`.
    thresholds
        See `sweep`.
    denominator, root, orphans, propagate, empty
        Parameters of the measure `Fmax`.

    Returns
    -------
    ScoreCurve
        One point per threshold.

    Raises
    ------
    InputError
        If there are no scores but sets.
    ParameterError
        If an option has a value that it cannot have.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.4], [0.2, 0.6]])
    >>> found = curve([[1, 0], [1, 1]], scores, thresholds=(0.3, 0.5), propagate=False)
    >>> found.precision, found.recall
    (array([0.75, 1.  ]), array([0.75, 0.75]))
    """
    measure = Fmax(
        average=average,
        beta=beta,
        weight=weight,
        thresholds=thresholds_of(thresholds),
        denominator=denominator,
        root=root,
        orphans=orphans,
        propagate=propagate,
        empty=empty,
    )
    how = SideOptions(hierarchy, missing, sample_weight, classes, separator)
    batch = AlignedRuns.from_labels(truth, {"scores": scores}, how, only="scores").batches["scores"]
    statistic = measure.sums
    total = with_sample_weights(statistic(batch), batch.sample_weight).total()
    found = measure.curve(statistic.unpack(total))
    micro = "micro_" * (measure.average == "micro")
    first, second = (getattr(found, f"{micro}{name}") for name in ("precision", "recall"))
    sides = first, second, found.f(measure.beta, micro=bool(micro)), found.coverage
    return ScoreCurve(found.thresholds, *sides, found.ru, found.mi, found.s)


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Shown):
    """Scores of measures at each threshold.

    Parameters
    ----------
    thresholds
        The thresholds, ascending.
    scores
        One array per measure, by its notation, with one score per threshold.
    measures
        The measures by their notations.
    """

    thresholds: NDArray[np.float64]
    scores: Mapping[str, NDArray[np.float64]]
    measures: Mapping[str, Any]

    @property
    def _brief(self) -> str:
        return pluralise_all(threshold=len(self.thresholds), measure=len(self.measures))

    def __getitem__(self, measure: AnyMeasure) -> NDArray[np.float64]:
        """Look up the scores of a measure, by any of its notations."""
        return self.scores[find_measure(measure, self.scores, "was not swept")]

    def best(self, measure: AnyMeasure) -> tuple[float, float]:
        """Best threshold of a measure.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        tuple of two floats
            The first threshold of the best score, and that score.

        Raises
        ------
        MeasureError
            If the measure has no best value, or is defined nowhere.
        """
        notation = find_measure(measure, self.scores, "was not swept")
        best, scores = info(self.measures[notation], "best"), self.scores[notation]
        if best is None or np.isnan(scores).all():
            raise MeasureError(
                f"{notation} has no best threshold: "
                + ("it has no best value." if best is None else "it is undefined at all of them.")
            )
        place = int(np.nanargmin(shortfall(self.measures[notation], scores).round(EQUAL)))
        return float(self.thresholds[place]), float(scores[place])

    def rows(self) -> list[dict[str, float]]:
        """List the scores as rows of a table."""
        return _lines({"threshold": self.thresholds, **self.scores})


@front_door
def sweep(
    truth: Labels,
    scores: LabelScores | Labels,
    *,
    measures: Measures,
    thresholds: Thresholds | Iterable[float] = 0.01,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> Sweep:
    """Score the label sets that each threshold makes of scores.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    scores
        Scores of labels: `LabelScores`, a data frame, or an array of fractions.
    measures
        Notations, measures or functions of label sets, or a single one.
    thresholds
        The step of a grid between 0 and 1, ascending thresholds, "distinct" for every score that
        occurs, or "cafaeval" for the grid of that program.
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
    Sweep
        Thresholds × measures.

    Raises
    ------
    MeasureError
        If a measure is one of scores, or needs a hierarchy that is not there.
    ParameterError
        If the thresholds are no numbers, or not ascending.
    InputError
        If there are no scores but sets, or scores beyond a grid between 0 and 1.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.4], [0.2, 0.6]])
    >>> found = sweep([[1, 0], [1, 1]], scores, measures="F", thresholds=(0.1, 0.5))
    >>> found["F"].round(4), found.best("F")
    (array([0.8571, 0.8   ]), (0.1, 0.8571428571428571))
    """
    chosen = measures_of_sets(measures)
    how = SideOptions(hierarchy, missing, sample_weight, classes, separator, agreement)
    batch = AlignedRuns.from_labels(truth, {"scores": scores}, how, only="scores").batches["scores"]
    limits = limits_of(batch, thresholds)
    found = scores_at([batch], limits, chosen)
    return Sweep(limits, {key: some[0] for key, some in found.items()}, chosen)


def measures_of_sets(measures: Measures) -> Mapping[str, Any]:
    """Take measures of label sets, and refuse those of scores."""
    chosen = measures_of(measures)
    if of_scores := [key for key, measure in chosen.items() if info(measure, "takes") == "scores"]:
        raise MeasureError(
            f"{', '.join(of_scores)}: measured by the scores themselves, not by the sets that a threshold "
            "makes of them. Compute it with ontoeval.evaluate(truth, scores, ...); here take one of sets."
        )
    return chosen


def limits_of(batch: ScoredBatch, thresholds: Thresholds | Iterable[float]) -> Numbers:
    """Thresholds in ascending order: of a grid, or all scores that occur."""
    grid = grid_of(thresholds := thresholds_of(thresholds))
    if is_unit_grid(thresholds):
        refuse_beyond_unit(batch)
    limits = np.unique(batch.prediction.matrix.data) if grid is None else np.array(grid)
    if not limits.size:
        raise InputError("no score at all", "Give thresholds: thresholds=0.01.")
    return limits


def scores_at(parts: Sequence[ScoredBatch], limits: Numbers, chosen: Mapping[str, Any]) -> dict[str, Numbers]:
    """Score measures at ascending thresholds: all parts together, then all without each of several parts."""
    # Between two thresholds without a score there, nothing changes.
    stored = np.unique(np.concatenate([part.prediction.matrix.data for part in parts]))
    reached = np.searchsorted(stored, limits, side="left")
    _, first, place = np.unique(reached, return_index=True, return_inverse=True)
    limits = limits[first]
    found = {key: np.empty((len(unions(parts)), limits.size)) for key in chosen}
    for statistic in COUNTED:
        some = {key: measure for key, measure in chosen.items() if measure.statistic == statistic}
        for at, totals in counts_at(parts, limits, statistic) if some else ():
            for key, measure in some.items():
                found[key][:, at] = compute(measure, totals, infinite=True)
    others = {key: measure for key, measure in chosen.items() if measure.statistic not in COUNTED}
    for row, limit in enumerate(limits.tolist() if others else ()):
        for which, kept in enumerate(unions([totals_of(part.at(limit), others) for part in parts])):
            for key, value in Evaluation(merge(*kept)).scores.items():
                found[key][which, row] = value
    return {key: found[key][:, place] for key in chosen}


def unions(parts: Sequence[_T]) -> list[list[_T]]:
    """All parts, then all but each of several."""
    others = [[*parts[:at], *parts[at + 1 :]] for at in range(len(parts))]
    return [[*parts], *(others if others[0] else ())]


@front_door
def decode(
    scores: LabelScores | ArrayLike,
    hierarchy: AnyHierarchy | None = None,
    measure: AnyMeasure = "hF",
    *,
    candidates: Candidates = "nodes",
) -> LabelSets:
    r"""Make labels of probabilities of one label, such that a measure expects most of them.

    .. math:: Z^* = \arg\max_Z \sum_y p(y) M(\{y\}, Z)

    Of equally good candidates the uppermost is taken, of several the first. Averages are decoded as if they
    were means over samples. `evaluate` decodes by itself: ``measures="hF(decode='sets')"``. Candidates are
    scored without their ancestors, so HCA, which compares whole paths, needs ``HCA(members='ancestors')``.

    Parameters
    ----------
    scores
        Probabilities of labels that exclude each other; those of a sample sum to 1. `LabelScores`, a data
        frame, or an array.
    hierarchy
        The hierarchy, see `evaluate`; F and other flat measures need none.
    measure
        A measure of label sets.
    candidates
        "leaves": labels without others below; "nodes": any label; "sets": any set of labels, for hF and F.

    Returns
    -------
    LabelSets
        The best labels of each sample; none where it has no probabilities.

    Raises
    ------
    InputError
        If the scores of a sample do not sum to 1, but for rounding, or a concept is not in the hierarchy.
    MeasureError
        If the measure takes scores, has no best value, or compares samples with each other.
    ParameterError
        If the measure has no known best sets, or there are several measures.

    References
    ----------
    plaud2025

    Examples
    --------
    >>> links = [("plant", "tree"), ("tree", "oak"), ("tree", "fir"), ("plant", "rose")]
    >>> names = ["oak", "fir", "rose"]
    >>> scores = LabelScores.from_array([[0.4, 0.3, 0.3]], vocabulary=names)
    >>> [decode(scores, links, one).labels_of("0") for one in ("hF", "Distance")]
    [('oak',), ('tree',)]
    """
    (named, chosen), *others = measures_of(measure).items()
    if others:
        raise ParameterError("measure", measure, "one measure")
    if not isinstance(scores, LabelScores):
        columns = None if hierarchy is None else hierarchy.label_vocabulary
        frame = is_frame(scores)
        scores = (
            LabelScores.from_frame(scores) if frame else LabelScores.from_array(scores, vocabulary=columns)
        )
    if hierarchy is not None:
        scores = scores.named_by(hierarchy.vocabulary)
        used = (scores.vocabulary[column] for column in np.unique(scores.matrix.indices))
        if unknown := [name for name in used if name not in hierarchy.label_vocabulary]:
            problem = f"the scores name {pluralise(len(unknown), 'concept')} not among the hierarchy's labels"
            raise InputError(f"{problem}: {enumerate_some(unknown)}", "Leave them out, or correct the names.")
        scores = scores.within(hierarchy.label_vocabulary)
    nothing = LabelSets(sparse.csr_array(scores.matrix.shape, dtype=bool), scores.vocabulary, scores.samples)
    decoder = decoder_of(chosen, candidates, "candidates", named)
    return decoder(ScoredBatch(nothing, scores, hierarchy)).prediction


EQUAL = 12
"""Decimals of scores: those that differ by rounding are equal, and the first of them is the best."""


_AT_ONCE = 500_000
"""Most counts that are held together: thresholds × concepts."""


COUNTED = (Overlap(), CountsPerConcept())
"""Statistics that are counts of decisions."""


def counts_at(
    parts: Sequence[ScoredBatch],
    limits: Numbers,
    statistic: Overlap | CountsPerConcept,
    *,
    each: bool = False,
) -> Iterator[tuple[slice, Numbers]]:
    """Sum counts at ascending thresholds in one pass over the scores: unions of parts × thresholds × sums.

    With `each` the sums are those of each concept alone, on a further axis before the last.
    """
    for blocks in zip(*(_counts_of_part(part, limits, statistic, each=each) for part in parts), strict=True):
        totals = [sum(some[1:], some[0]) for some in unions([block for _, block in blocks])]
        yield blocks[0][0], np.stack(totals)


def _counts_of_part(
    batch: ScoredBatch, limits: Numbers, statistic: Overlap | CountsPerConcept, *, each: bool
) -> Iterator[tuple[slice, Numbers]]:
    """Sum counts of a part, a block of thresholds at a time, the highest first."""
    scores, true, weight = batch.prediction.matrix, batch.truth.matrix, batch.sample_weight
    level = np.searchsorted(limits, scores.data, side="right").astype(np.min_scalar_type(limits.size))
    by_concept = each or isinstance(statistic, CountsPerConcept)
    column, labels = (side.indices if by_concept else np.zeros_like(side.indices) for side in (scores, true))
    decisions = (len(batch) if weight is None else weight.sum()) * (
        1 if by_concept else len(batch.vocabulary)
    )
    worth, of_true = (None if weight is None else weight[row_of_entries(side)] for side in (scores, true))
    truths = np.bincount(labels, of_true, minlength=len(batch.vocabulary) if by_concept else 1)
    shape = limits.size, truths.size
    of_hits = None if worth is None else worth[batch.hits]
    hits = _counts_from_above(level[batch.hits], column[batch.hits], of_hits, shape)
    every = _counts_from_above(level, column, worth, shape)
    for (place, hit), (_, predicted) in zip(hits, every, strict=True):
        h, t, p = (some[..., None] if each else some for some in (hit, truths, predicted))
        yield place, statistic.totals(h, t, p, decisions)


def _counts_from_above(
    level: NDArray[np.integer], column: NDArray[np.integer], weight: Numbers | None, shape: tuple[int, int]
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Sum the entries above each level in each column, a block of levels at a time, the highest first."""
    order = np.argsort(level, kind="stable")
    level, column = level[order].astype(np.intp), column[order]
    weight = None if weight is None else weight[order]
    above, step = np.zeros(shape[1], dtype=np.intp), max(1, _AT_ONCE // shape[1])
    for end in range(shape[0], 0, -step):
        begin = max(0, end - step)
        part = slice(*np.searchsorted(level, [begin, end], side="right"))
        cells = (level[part] - begin - 1) * shape[1] + column[part]
        own = None if weight is None else weight[part]
        counts = np.bincount(cells, own, minlength=(end - begin) * shape[1]).reshape(-1, shape[1])
        counts = np.cumsum(counts[::-1], axis=0)[::-1] + above
        yield slice(begin, end), counts
        above = counts[0]
