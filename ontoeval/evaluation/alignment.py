"""Truth and runs in one order of samples and concepts: the entry of all scoring in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, repeat
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, Unpack, cast, overload

import numpy as np

from ontoeval.concepts.weighting import with_agreement_of
from ontoeval.core.batch import Batch, ScoredBatch, aligned
from ontoeval.core.choices import BRANCH, LEVEL, Missing, OutsideRule, Threshold, check_outside
from ontoeval.core.frames import is_frame, without_columns
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, Sides, sets_of, sides_of
from ontoeval.core.label_scores import LabelScores, named_thresholds
from ontoeval.core.label_sets import LabelSets, only_samples
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.sample_weights import SampleGroup, SampleGroups, SampleWeight, group_names, weights_of
from ontoeval.core.shares import SoftTruth
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary, numbers_in_order
from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise
from ontoeval.measures.flat import EMPTY
from ontoeval.plumbing.values import copy_unchecked

if TYPE_CHECKING:
    from ontoeval.evaluation.slices import OnlySpec, PartSpec, Slice


@dataclass(frozen=True, eq=False)
class SideOptions:
    """How truth and runs are read and brought together; see `evaluate`."""

    hierarchy: Hierarchy | None = None
    missing: Missing = "refuse"
    sample_weight: SampleWeight | None = None
    classes: Sequence[str] | None = None
    separator: str | None = None
    agreement: Mapping[str, float] | None = None
    threshold: Threshold | None = None
    known: Labels | None = None
    groups: SampleGroup | None = None
    ignore_index: float | None = None
    by: PartSpec | None = None
    only: OnlySpec | None = None
    outside: OutsideRule = "ancestor"
    soft: bool = False
    """Whether the truth may be of several annotators."""

    def __post_init__(self) -> None:
        """Check the rule for labels outside."""
        check_outside(self.outside, self.only)


@dataclass(frozen=True, eq=False)
class AlignedRuns:
    """Truth and prediction of each run over the same samples and concepts; nothing behind it coerces."""

    batches: Mapping[str, Any]
    threshold: float | Mapping[str, float] | None
    notes: tuple[str, ...]
    """Lines of the recipe about how the data were read, known labels, groups and parts."""
    group: Mapping[str, str] | None = None
    """The group of each sample."""
    sample_of: Mapping[str, str] | None = None
    """The sample of each row, where a truth of several annotators repeats samples."""
    uncut: Sequence[Any] = ()
    """The batches with all labels of all samples, known or not, each weighing its own weight."""
    reading: tuple[str, ...] = ()
    """Lines about how the data were read, without those on known labels, groups and parts."""
    before: LabelSets | None = None
    """Labels that were known before."""
    slices: Mapping[tuple[str, str], Slice] = field(default_factory=dict)
    """Parts, by what cuts them and their names."""
    whole: tuple[Vocabulary | None, Hierarchy | None] = (None, None)
    """All labels and their hierarchy, also those that are left out."""
    only: Slice | None = None
    """The labels that count, where these are not all."""
    counts: Sequence[int] = ()
    """Samples, those without true label, and labels that `only` leaves out: true ones, and those of runs."""

    @classmethod
    def from_labels(
        cls,
        truth: Labels,
        runs: Mapping[str, Labels],
        how: SideOptions,
        *,
        only: Literal["sets", "scores"] | None = None,
        scores: bool = False,
    ) -> Self:
        """Read and align; with `scores` predictions hold scores, with a threshold some may hold labels."""
        mixed = how.threshold is not None and not scores
        hierarchy, scores = how.hierarchy, scores or mixed
        reading = LabelSyntax(how.classes, how.separator, how.ignore_index, mixed=mixed)
        soft = truth.repeated if how.soft and isinstance(truth, SoftTruth) else None
        if soft is not None:
            if how.known is not None:
                raise ParameterError("known", ..., "a truth of label sets: not of several annotators")
            truth, hierarchy = soft.once, soft.admitted(hierarchy)
        truth, by = _columns_taken(truth, how.by, reading, hierarchy)
        sides = sides_of(truth, runs, hierarchy, reading, only=only, scores=scores)
        true, predicted, hierarchy, notes, columns = _with_ancestors(sides, hierarchy, how)
        agreed = _agreement(how.agreement, sides.truth.vocabulary, true.vocabulary)
        hierarchy = with_agreement_of(hierarchy, agreed, true.vocabulary)
        verified, before = isinstance(true, VerifiedLabels), None
        threshold = None if how.threshold is None else named_thresholds(how.threshold, columns)
        _refuse_runs(threshold, runs, true.vocabulary)
        doubts = (one.doubts(threshold) for one in predicted if isinstance(one, LabelScores))
        notes = (*notes, *dict.fromkeys(chain.from_iterable(doubts)))
        notes = (*notes, *_below(threshold if mixed else None, zip(runs, predicted, strict=True)))
        uncut = [name for name, one in zip(runs, predicted, strict=True) if not isinstance(one, LabelScores)]
        if threshold is not None and len(uncut) < len(runs) and mixed and (uncut or verified):
            shown = "of each concept" if isinstance(threshold, Mapping) else threshold
            left = f"labels as they are, without threshold: {enumerate_some(uncut)}"
            notes = (*notes, f"label sets of scores at the threshold {shown}", *[left] * bool(uncut))
            predicted = [one.at(threshold) if isinstance(one, LabelScores) else one for one in predicted]
            threshold = None
        if how.known is not None:
            before = _known_terms(how.known, hierarchy, reading, verified=verified)
        batches = list(aligned(true, dict(zip(runs, predicted, strict=True)), hierarchy, how.missing))
        present = true.positive if isinstance(true, VerifiedLabels) else true
        notes = (*notes, *chain.from_iterable(map(_on_missing, repeat(present), runs, predicted)))
        if how.sample_weight is not None:
            weights = weights_of(how.sample_weight, true.samples)
            batches = [copy_unchecked(one, sample_weight=weights) for one in batches]
        group = None if how.groups is None else group_names(how.groups, true.samples)
        sample_of = None if soft is None else soft.sample_of
        if soft is not None and sample_of is not None:
            notes, batches = (*notes, *soft.notes(hierarchy)), soft.repeat(batches)
            group = group and {row: group[sample] for row, sample in sample_of.items()}
        labels = batches[0].truth.vocabulary
        if isinstance(threshold, Mapping) and (how.only, by) != (None, None):
            limits = numbers_in_order(labels, threshold, "threshold")
            threshold = dict(zip(labels, limits.tolist(), strict=True))
        whole = labels, hierarchy
        bare = cls(dict.fromkeys(runs), threshold, (), group, sample_of, before=before, whole=whole)
        given = bare.with_labels(how, batches, notes)
        return given if by is None else given.with_parts(by)

    def with_labels(self, how: SideOptions, batches: Sequence[Any], notes: tuple[str, ...]) -> Self:
        """Let all labels count, or some of them alone, with notes on the others."""
        if how.only is None:
            return self.counting(batches, notes)
        from ontoeval.evaluation.slices import slice_of_labels

        part = slice_of_labels(how.only, how.outside, batches[0].hierarchy, batches[0].truth.vocabulary)
        given = self.counting([part.restrict(one) for one in batches], notes)
        empty = (given.first.truth.sizes == 0) & getattr(given.first, "judged", True)
        told = given.of_sets and given.sample_of is None
        counts = (len(empty), int(empty.sum()) * told, *part.left_out(batches))
        every, rule = (*given.notes, *part.notes(counts)), [part.rule] * bool(part.rule)
        return replace(given, notes=every, reading=(*notes, *rule), only=part, counts=counts)

    @property
    def of_sets(self) -> bool:
        """Whether label sets are scored."""
        return self.threshold is not None or isinstance(self.first, Batch)

    def with_parts(self, by: PartSpec) -> Self:
        """Add the parts of the samples or labels."""
        from ontoeval.evaluation.slices import slices_of

        first, more = self.uncut[0], list[str]()
        samples = first.truth.samples if self.sample_of is None else [*dict.fromkeys(self.sample_of.values())]
        cuts = slices_of(by, samples, first.truth.vocabulary, first.hierarchy, more)
        kinds = [title for title in (BRANCH, LEVEL) if title in cuts]
        if kinds and self.of_sets:
            some = "every part has all samples, also those without a true label there"
            more.append(f"by {', '.join(kinds)}: {some}. {EMPTY}")
        named = {(title, part.name): part for title, parts in cuts.items() for part in parts}
        if self.sample_of is not None:
            rows = {one: tuple(own) for one, own in groupby(self.sample_of, self.sample_of.__getitem__)}
            named = {key: part.repeated(rows) for key, part in named.items()}
        return replace(self, notes=(*self.notes, *more), slices=named)

    @property
    def parts(self) -> Iterator[tuple[tuple[str, str], Self]]:
        """The runs on some of the samples, or by some of the labels."""
        for key, part in self.slices.items():
            cut = [part.restrict(one) for one in self.uncut]
            if cut[0].sample_weight is not None and not cut[0].sample_weight.any():
                problem = f"no sample of the part {key[1]!r} by {key[0]!r} has a weight above 0"
                raise InputError(problem, "Leave these samples out of the parts.")
            yield key, replace(self.counting(cut, self.reading), counts=())

    def counting(self, batches: Sequence[Any], notes: tuple[str, ...]) -> Self:
        """Take batches without what was known, in which groups weigh the same."""
        uncut, samples = batches, len(batches[0])
        if self.before is not None:
            batches = [one.without(self.before.take(one.truth.samples)) for one in batches]
        if self.group is not None:
            groups = SampleGroups.from_names(self.group, batches[0].truth.samples)
            weights = groups.weights(batches[0].sample_weight)
            batches = [copy_unchecked(one, sample_weight=weights) for one in batches]
        limit, own = self.threshold, batches[0].truth.vocabulary
        if isinstance(limit, Mapping) and own != self.whole[0]:
            limit = {name: limit[name] for name in own if name in limit}
        runs = dict(zip(self.batches, batches, strict=True))
        every = *notes, *_notes(batches[0], samples, self.group)
        return replace(
            self, batches=runs, threshold=limit, uncut=uncut, notes=every, reading=notes, slices={}
        )

    @property
    def first(self) -> Batch | ScoredBatch:
        """The batch of the first run."""
        found: Batch | ScoredBatch = next(iter(self.batches.values()))
        return found


def _with_ancestors(sides: Sides, hierarchy: Hierarchy | None, how: SideOptions) -> Sides:
    """Let ancestors be labels too, where labels may count as these; note thresholds that this truth chose."""
    truth, choice = sides.truth, cast("Any", how.threshold)
    if getattr(choice, "truth", "") and isinstance(truth, LabelSets) and choice.truth == truth.digest:
        note = f"thresholds chosen on this truth make its scores too good: {choice.score_in_words}"
        sides = sides._replace(notes=(*sides.notes, note))
    if how.only is None or how.outside == "drop" or hierarchy is None:
        return sides
    above = hierarchy.ancestors[hierarchy.vocabulary.positions(truth.vocabulary)].indices
    kept = np.setdiff1d(above, np.flatnonzero(hierarchy.abstract)).tolist()
    wide = hierarchy.with_labels(hierarchy.vocabulary[at] for at in kept)
    truth, *runs = (one.within(wide.label_vocabulary) for one in (truth, *sides.runs))
    return sides._replace(truth=truth, runs=runs, hierarchy=wide)


def _agreement(
    given: Mapping[str, float] | None, labels: Vocabulary, every: Vocabulary
) -> Mapping[str, float] | None:
    """Take an agreement of 1 for ancestors that were added to a list of labels."""
    added = [name for name in every if name not in labels]
    return {**dict.fromkeys(added, 1.0), **given} if added and isinstance(given, Mapping) else given


def _refuse_runs(threshold: object, runs: Iterable[str], concepts: Vocabulary) -> None:
    """Refuse thresholds of runs, where each concept has one."""
    named = {*threshold}.difference(concepts) if isinstance(threshold, Mapping) else ()
    if named and {*runs}.issuperset(named):
        raise InputError(
            f"a threshold for each run ({enumerate_some(sorted(named))}), not for each concept",
            "Cut each run: LabelScores.from_array(p, vocabulary=classes).at(threshold).",
        )


def _below(threshold: object, runs: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Note the runs of scores that all lie below a threshold."""
    scores = {name: one.matrix.data for name, one in runs if isinstance(one, LabelScores)}
    if isinstance(threshold, float | int):
        for name in [name for name, one in scores.items() if one.max(initial=0) < threshold]:
            yield f"no score reaches the threshold {threshold}: {name}"


def _columns_taken(
    truth: Labels, by: PartSpec | None, reading: LabelSyntax, hierarchy: Hierarchy | None
) -> tuple[Labels, PartSpec | None]:
    """Separate the columns that `by` names from the truth."""
    if by is None:
        return truth, None
    from ontoeval.evaluation.slices import ValueColumns, as_tuple, is_column

    known = {*map(str, getattr(truth, "columns", ()))} if is_frame(truth) else set[str]()
    by = as_tuple(by, known)
    specs = by if isinstance(by, tuple) else (by,)
    if isinstance(truth, str | os.PathLike):
        path = os.fspath(truth)
        return truth, tuple(f"{one}={path}" if is_column(one, None) else one for one in specs)
    titles = [one for one in specs if is_column(one, known)]
    if not titles:
        return truth, by
    reading = reading.knowing(reading.classes if hierarchy is None else hierarchy.vocabulary)
    found, cells = without_columns(truth, titles, reading)
    return found, tuple(ValueColumns({one: cells[one]}) if one in titles else one for one in specs)


def _on_missing(truth: Any, name: str, run: Any) -> Iterator[str]:  # noqa: ANN401 - sets or scores
    """Note the samples that only one side has."""
    if truth.samples == run.samples:
        return
    ways = "the truth alone has, counted as empty", "it alone has, left out"
    for some, what in zip(only_samples(truth, run), ways, strict=True):
        if some:
            yield f"{name}: {pluralise(len(some), 'sample')} that {what}"


def _known_terms(
    known: Labels, hierarchy: Hierarchy | None, reading: LabelSyntax, *, verified: bool
) -> LabelSets:
    """Labels that were known before, with all their ancestors: samples × concepts of the hierarchy."""
    if hierarchy is None:
        expected = "a hierarchy (hierarchy=, --ontology): the ancestors of known labels are known too"
        raise ParameterError("known", ..., expected)
    if verified:
        raise InputError(
            "verified labels and known terms exclude each other: both say which labels count",
            "Leave out known= (--known), or give a truth that is not verified (without --negative).",
        )
    sets = sets_of(known, hierarchy, reading)
    upwards = hierarchy.ancestors[hierarchy.vocabulary.positions(sets.vocabulary)]
    return LabelSets(sets.matrix @ upwards, hierarchy.vocabulary, sets.samples)


def _notes(batch: Batch | ScoredBatch, samples: int, group: Mapping[str, str] | None) -> Iterator[str]:
    """Lines of the recipe on terms that were known before, samples left out of so many, and groups."""
    if batch.excluded is not None:
        out = samples - len(batch)
        having = int((batch.excluded.sizes > 0).sum()) + out
        are = "is" if out == 1 else "are"
        yield (
            f"known terms: those of {pluralise(having, 'sample')}, with their ancestors, are not counted"
            + f"; {pluralise(out, 'sample')} {are} left out, of which everything true was known" * bool(out)
        )
    if group is not None:
        number = len({group[sample] for sample in batch.truth.samples})
        yield (
            f"{pluralise(number, 'group')} of samples, of equal weight: means over samples are means of "
            "group means, and other measures are of the sums of weighted samples"
        )


class AlignKeywords(TypedDict, total=False):
    """Keywords that `align`, `evaluate` and others share."""

    hierarchy: AnyHierarchy | None
    missing: Missing
    sample_weight: SampleWeight | None
    known: Labels | None
    classes: Sequence[str] | None
    separator: str | None
    ignore_index: float | None


@overload
def align(truth: Labels, prediction: LabelScores, **how: Unpack[AlignKeywords]) -> ScoredBatch: ...


@overload
def align(truth: Labels, prediction: Labels, **how: Unpack[AlignKeywords]) -> Batch: ...


@front_door
def align(
    truth: Labels,
    prediction: Labels,
    *,
    hierarchy: AnyHierarchy | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    known: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    ignore_index: float | None = None,
) -> Batch | ScoredBatch:
    """Bring truth and prediction into one order of samples and concepts.

    The order of samples is that of the truth. With a hierarchy the concepts are those that the
    truth is over, in the order of the hierarchy, whose other concepts then count as abstract.

    Parameters
    ----------
    truth
        Label sets, data frames and others, as `evaluate` takes; or `VerifiedLabels`, where predictions
        about unknown labels count neither way. With a hierarchy, descendants of absent labels are known
        to be absent.
    prediction
        The same for the prediction; or `LabelScores`.
    hierarchy
        The hierarchy of the concepts; it has every concept of the truth.
    missing
        What to do with samples that only one side has: "refuse" is an error; with "empty" those
        without prediction get an empty one, and those without truth are left out, since an empty
        truth would reward whoever adds empty predictions.
    sample_weight
        What each sample counts for, see `evaluate`.
    known
        Labels that were known of samples before, see `evaluate`.
    classes, separator, ignore_index
        See `evaluate`.

    Returns
    -------
    Batch, or ScoredBatch where the prediction is made of scores
        Both sides in one order.

    Raises
    ------
    MisalignedError
        If one side has samples, or uses concepts, that the other lacks.
    UnknownConceptError
        If the hierarchy lacks a concept.
    InputError
        If the truth is verified labels and the prediction scores, or a label is said to be there and
        one above it not to be.

    Examples
    --------
    >>> truth = LabelSets.from_sets({"p1": ["sky"], "p2": ["sea"]})
    >>> run = LabelSets.from_sets({"p2": ["sea"]})
    >>> align(truth, run, missing="empty").prediction.sizes
    array([0, 1])
    """
    how = SideOptions(
        hierarchy, missing, sample_weight, classes, separator, known=known, ignore_index=ignore_index
    )
    return AlignedRuns.from_labels(truth, {"prediction": prediction}, how).first


def batch_of(truth: Labels, prediction: Labels, how: SideOptions) -> Batch:
    """Bring label sets of both sides into one order, and refuse scores."""
    return cast("Batch", AlignedRuns.from_labels(truth, {"prediction": prediction}, how, only="sets").first)
