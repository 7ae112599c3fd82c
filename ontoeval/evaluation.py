"""Evaluation: collect statistics, merge them, score them. There is no other path to a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval._version import __version__
from ontoeval.batch import Batch, Missing, align
from ontoeval.errors import InputError, MeasureError, UnknownConceptError, near
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.measures.base import Measure, fact
from ontoeval.measures.catalogue import full_name, measures_of, name, parse
from ontoeval.statistics.matching import AGREEMENT
from ontoeval.statistics.sums import Statistic
from ontoeval.violations import SUSPECT, Breaches
from ontoeval.vocabulary import Vocabulary

Labels = LabelSets | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any
DEFAULT_MEASURES = ("P", "R", "F", "F(average='macro')", "Jaccard", "Hamming", "ExactMatch")
"""What is computed where nothing is asked for; with a hierarchy the ontology score comes first."""


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums of statistics over samples: all that scores are made of.

    Parameters
    ----------
    measures
        The measures that the sums are for, by notation.
    sums
        One sum per statistic.
    samples
        How many samples were summed.
    vocabulary
        The concepts.
    hierarchy
        The hierarchy, if there is one.

    See Also
    --------
    collect : Make totals from a batch.
    merge : Add totals of different samples.
    score : Compute the scores.
    """

    measures: Mapping[str, Any]
    sums: Mapping[Statistic, NDArray[np.float64]]
    samples: int
    vocabulary: Vocabulary
    hierarchy: Hierarchy | None = None


class Row(NamedTuple):
    """One line of a result.

    Parameters
    ----------
    measure
        Notation of the measure.
    score
        The score; nan where it is undefined.
    undefined
        How many concepts a mean over concepts found undefined.
    """

    measure: str
    score: float
    undefined: int


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores, with everything that they depend on.

    Parameters
    ----------
    totals
        What the scores are computed from.
    batch
        The batch, where it is at hand: scores of single samples need it.

    Examples
    --------
    >>> result = evaluate([[1, 0], [1, 1]], [[1, 0], [0, 1]], measures=["F", "Hamming"])
    >>> result["F"], result.scores
    (0.8, {'F': 0.8, 'Hamming': 0.25})
    """

    totals: Totals
    batch: Batch | None = field(default=None, repr=False)

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Score of each measure by its notation."""
        sums = self.totals.sums
        return {
            notation: float(measure.formula(sums[measure.statistic]))
            for notation, measure in self.totals.measures.items()
        }

    def __getitem__(self, measure: str | Measure) -> float:
        """Look up a score, by any notation of its measure."""
        return self.scores[self._notation(measure)]

    def __iter__(self) -> Any:  # noqa: ANN401 - an iterator of notations
        """Go through the notations of the measures."""
        return iter(self.totals.measures)

    def per_sample(self, measure: str | Measure) -> NDArray[np.float64]:
        """Score every sample alone.

        Parameters
        ----------
        measure
            One of the measures that were evaluated, or any other.

        Returns
        -------
        ndarray of float
            One score per sample, in the order of the truth; nan where undefined.

        Raises
        ------
        MeasureError
            If the samples are not at hand, because the result was made from totals.

        Examples
        --------
        >>> evaluate([[1, 0], [1, 1]], [[1, 0], [0, 1]]).per_sample("Jaccard")
        array([1. , 0.5])
        """
        if self.batch is None:
            raise MeasureError("Totals hold no samples. Use evaluate(...) to have scores of single samples.")
        chosen = self.totals.measures.get(measure, measure) if isinstance(measure, str) else measure
        chosen = parse(chosen) if isinstance(chosen, str) else chosen
        rows = chosen.statistic(self.batch)
        return np.concatenate([chosen.formula(block) for block in rows.blocks()])

    @property
    def samples(self) -> tuple[str, ...]:
        """Identifiers of the samples, where they are at hand."""
        return () if self.batch is None else self.batch.truth.samples

    def rows(self) -> list[Row]:
        """List the scores as tuples.

        Returns
        -------
        list of Row
            Measure, score and number of undefined concepts.

        Examples
        --------
        >>> tuple(evaluate([[1, 0]], [[1, 0]], measures="R(average='macro')").rows()[0])
        ("R(average='macro')", 1.0, 1)
        """
        return [
            Row(notation, self.scores[notation], self._undefined(measure))
            for notation, measure in self.totals.measures.items()
        ]

    @cached_property
    def breaches(self) -> list[Breaches]:
        """How often the truth breaks each rule that counts in a score."""
        hierarchy, found = self.totals.hierarchy, {}
        for measure in self.totals.measures.values():
            check = getattr(measure, "truth_check", None)
            if check is not None and hierarchy is not None:
                found.update({b.rule: b for b in check.breaches(self.totals.sums[check], hierarchy)})
        return list(found.values())

    @property
    def notes(self) -> list[str]:
        """What a reader of the scores should know: rules that the truth itself breaks often."""
        suspect = [
            f"The truth breaks '{b.rule}' in {b.broken:,} of {b.applies:,} sets."
            for b in self.breaches
            if b.suspect
        ]
        return [*suspect, SUSPECT] if suspect else []

    @property
    def signature(self) -> str:
        """The recipe: version, data, hierarchy, agreement, and every parameter of every measure."""
        totals = self.totals
        lines = [
            f"ontoeval {__version__}",
            (
                f"{totals.samples:,} samples, {len(totals.vocabulary):,} concepts "
                f"(sha256 {totals.vocabulary.digest[:12]})"
            ),
        ]
        hierarchy = totals.hierarchy
        if hierarchy is not None:
            roots = f"{len(hierarchy.roots):,} root{'s' * (len(hierarchy.roots) != 1)}"
            lines.append(
                f"hierarchy of {len(hierarchy.vocabulary):,} concepts, {hierarchy.levels - 1:,} levels of "
                f"links, {roots} (sha256 {hierarchy.digest[:12]})"
            )
            given = AGREEMENT in hierarchy.weights
            lines.append("agreement given" if given else "no agreement given: a = 1")
        lines += [full_name(measure) for measure in totals.measures.values()]
        return "\n".join(lines)

    def _notation(self, measure: str | Measure) -> str:
        if isinstance(measure, str) and measure in self.totals.measures:
            return measure
        notation = name(parse(measure) if isinstance(measure, str) else measure)
        if notation not in self.totals.measures:
            raise MeasureError(
                f"{measure!r} was not evaluated{near(notation, self.totals.measures)}. "
                f"There are: {', '.join(self.totals.measures)}."
            )
        return notation

    def _undefined(self, measure: Any) -> int:  # noqa: ANN401 - a measure of any class
        count = getattr(measure, "undefined_concepts", None)
        return count(self.totals.sums[measure.statistic]) if count else 0


def evaluate(
    truth: Labels,
    prediction: Labels,
    *,
    hierarchy: Hierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Iterable[str | Measure] | str | None = None,
    missing: Missing = "refuse",
) -> Evaluation:
    """Score predicted against true label sets.

    Parameters
    ----------
    truth
        Label sets; or a 0/1 array, dense or sparse, one row per sample; or the labels of one
        sample after the other, or a mapping from sample to labels.
    prediction
        The same of what was predicted.
    hierarchy
        The hierarchy of the concepts. Arrays then have one column for each of its labels.
    agreement
        How far annotators agree on each concept, in [0, 1], for every concept that may be a label.
    measures
        Notations or measures; by default the ontology score, where there is a hierarchy, and the
        usual flat measures.
    missing
        What to do with samples that only one side has: "refuse" or "empty".

    Returns
    -------
    Evaluation
        The scores and their recipe.

    Raises
    ------
    MisalignedError
        If samples or concepts differ.
    MeasureError
        If a measure cannot be read, or needs a hierarchy that is not there.
    UnknownConceptError
        If a label is not in the hierarchy, or a concept has no agreement.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> evaluate([["trees"]], [["plants"]], hierarchy=hierarchy, measures=["OS", "F"]).scores
    {'OS': 0.5, 'F': 0.0}
    """
    truth, prediction = label_sets(truth, prediction, hierarchy)
    if agreement is not None:
        if hierarchy is None:
            raise MeasureError("An agreement needs a hierarchy to weight: pass hierarchy= as well.")
        hierarchy = with_agreement(hierarchy, agreement, truth.vocabulary)
    if measures is None:
        measures = DEFAULT_MEASURES if hierarchy is None else ("OS", *DEFAULT_MEASURES)
    batch = align(truth, prediction, hierarchy=hierarchy, missing=missing)
    return Evaluation(collect(batch, measures), batch)


def collect(batch: Batch, measures: Iterable[str | Measure] | str) -> Totals:
    """Sum the statistics that some measures need; measures that need the same share it.

    Parameters
    ----------
    batch
        Some samples, or all.
    measures
        Notations or measures.

    Returns
    -------
    Totals
        The sums, which `merge` adds to those of other samples.

    Raises
    ------
    MeasureError
        If a measure cannot be read, cannot be summed, or needs a hierarchy that is not there.

    Examples
    --------
    >>> batch = align(*(LabelSets.from_array(a) for a in ([[1, 0], [1, 1]], [[1, 0], [0, 1]])))
    >>> score(merge(*(collect(chunk, "F") for chunk in batch.chunks(1)))).scores
    {'F': 0.8}
    """
    chosen = measures_of(measures)
    single = [notation for notation, measure in chosen.items() if not fact(measure, "mergeable")]
    if single:
        raise MeasureError(f"{', '.join(single)}: needs all samples at once, so its parts cannot be summed.")
    wanted = [measure.statistic for measure in chosen.values()]
    wanted += [check for m in chosen.values() if (check := getattr(m, "truth_check", None)) is not None]
    sums = {statistic: statistic(batch).total() for statistic in dict.fromkeys(wanted)}
    return Totals(chosen, sums, len(batch), batch.truth.vocabulary, batch.hierarchy)


def merge(*parts: Totals) -> Totals:
    """Add totals of different samples.

    Parameters
    ----------
    *parts
        Totals of the same measures over the same concepts and hierarchy.

    Returns
    -------
    Totals
        Their sum.

    Raises
    ------
    InputError
        If there are none, or they were not collected alike.
    """
    if not parts:
        raise InputError("no totals to merge", "Collect at least one batch.")
    first = parts[0]
    for part in parts[1:]:
        if dict(part.measures) != dict(first.measures) or part.vocabulary != first.vocabulary:
            raise InputError("totals of different measures or concepts", "Collect all parts alike.")
        digests = [None if p.hierarchy is None else p.hierarchy.digest for p in (part, first)]
        if digests[0] != digests[1]:
            raise InputError("totals over different hierarchies", "Collect all parts alike.")
    sums = {statistic: np.sum([part.sums[statistic] for part in parts], axis=0) for statistic in first.sums}
    samples = sum(part.samples for part in parts)
    return Totals(first.measures, sums, samples, first.vocabulary, first.hierarchy)


def score(totals: Totals) -> Evaluation:
    """Compute the scores of totals.

    Parameters
    ----------
    totals
        Collected from a batch, or merged.

    Returns
    -------
    Evaluation
        The scores; without the samples, so without scores of single ones.
    """
    return Evaluation(totals)


def with_agreement(
    hierarchy: Hierarchy, agreement: Mapping[str, float], labels: Iterable[str] | None = None
) -> Hierarchy:
    """Give a hierarchy the annotators' agreement as its weight "agreement".

    Parameters
    ----------
    hierarchy
        The hierarchy.
    agreement
        A number in [0, 1] for each concept.
    labels
        The concepts that need one; by default all that may be labels.

    Returns
    -------
    Hierarchy
        The hierarchy with the weight; 1 for concepts that are no labels.

    Raises
    ------
    UnknownConceptError
        If a concept is unknown, or one that needs an agreement has none.
    InputError
        If a number is outside [0, 1].

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b")])
    >>> with_agreement(hierarchy, {"a": 1, "b": 0.8}).weights["agreement"]
    array([1. , 0.8])
    """
    weights = np.ones(len(hierarchy.vocabulary))
    weights[hierarchy.vocabulary.positions(agreement)] = list(agreement.values())
    lacking = {
        label: ""
        for label in (hierarchy.label_vocabulary if labels is None else labels)
        if label not in agreement
    }
    if lacking:
        raise UnknownConceptError(
            lacking,
            where="the agreement",
            remedy="They have no agreement: add them, or read the file with a default "
            "(read_agreement(..., default=1)).",
        )
    if not np.all((weights >= 0) & (weights <= 1)):
        raise InputError(
            f"agreements from {weights.min():g} to {weights.max():g}", "Give numbers from 0 to 1."
        )
    return hierarchy.with_weight(AGREEMENT, weights)


def label_sets(truth: Labels, prediction: Labels, hierarchy: Hierarchy | None) -> tuple[LabelSets, LabelSets]:
    """Make label sets of whatever was handed over."""
    vocabulary = next((s.vocabulary for s in (truth, prediction) if isinstance(s, LabelSets)), None)
    if vocabulary is None and hierarchy is not None:
        vocabulary = hierarchy.label_vocabulary
    sides: list[Any] = [
        side if isinstance(side, LabelSets) or _is_array(side) else _sets(side)
        for side in (truth, prediction)
    ]
    if vocabulary is None:
        named = [set().union(*side.values()) for side in sides if isinstance(side, dict)]
        vocabulary = Vocabulary(tuple(sorted(set().union(*named)))) if named else None
    made: list[LabelSets] = []
    for side in sides:
        make = LabelSets.from_sets if isinstance(side, dict) else LabelSets.from_array
        made.append(side if isinstance(side, LabelSets) else make(side, vocabulary=vocabulary))
        vocabulary = vocabulary or made[0].vocabulary  # two arrays without names need equal widths
    return made[0], made[1]


def _is_array(side: object) -> bool:
    """Tell numbers in rows from collections of names."""
    if hasattr(side, "shape"):
        return True
    if isinstance(side, Mapping) or not isinstance(side, Sequence) or isinstance(side, str):
        return False
    first = next(
        (row for row in side if isinstance(row, Sequence) and len(row) and not isinstance(row, str)), ()
    )
    return bool(first) and all(isinstance(value, int | float | np.number) for value in first)


def _sets(side: Any) -> dict[str, list[str]]:  # noqa: ANN401 - whatever was handed over
    """Take the labels of each sample, keeping what may be an iterator."""
    pairs = side.items() if isinstance(side, Mapping) else enumerate(side)
    if isinstance(side, Mapping) and any(isinstance(labels, str) for labels in side.values()):
        raise InputError("a text stands where the labels of a sample belong", "Give a list of labels.")
    return {str(sample): list(map(str, labels)) for sample, labels in pairs}
