"""Inter-annotator agreement: one call, one result, with remarks on estimates from little data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.annotator_comparison import (
    Annotator,
    AnnotatorDetails,
    annotator_details,
    leave_one_out,
)
from ontoeval.annotators.concept_agreement import (
    FEWEST,
    NAMES,
    TITLES,
    CoefficientEstimate,
    Estimates,
    estimates,
    single_label_estimates,
)
from ontoeval.annotators.given import AnyAnnotations, annotations_of
from ontoeval.annotators.options import COST, DRAWN_PAIRS, MOST_SETS, AgreementOptions
from ontoeval.annotators.set_agreement import SetAlpha, set_alphas, set_distances
from ontoeval.annotators.votes import Votes
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import ConceptNames
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.showing import Paged
from ontoeval.core.table import Tabled, cell_text
from ontoeval.errors import InputError, enumerate_some, join_with_and, one_of, pluralise, pluralise_all
from ontoeval.plumbing.checks import unit_interval_or_none
from ontoeval.plumbing.sparse import without_entries
from ontoeval.plumbing.workers import checked_workers, using_workers

if TYPE_CHECKING:
    from ontoeval.annotators.outliers import Outlier

FEW_SAMPLES = 10
"""With fewer samples that two annotators decide, the estimates of a concept are remarked on."""

RARER, DISPUTED = 6, 4
"""With so many samples in which the rarer answer has the majority, and so many in which annotators disagree,
95 % intervals of kappa and alpha hold in nine of ten cases or more: see benchmarks/simulation.py."""

MANY_SAMPLES = 10
"""Samples in which two people hardly answer alike throughout."""

SHEET = " (what one annotator says of one sample)"


def notes_on(found: AnnotatorAgreement) -> tuple[str, ...]:
    """Write all remarks that apply."""
    annotations, estimates = found.annotations, found.estimates
    concepts, basis = annotations.vocabulary.shown(), estimates.basis
    twins, total = similar_names(annotations.annotators), len(annotations.samples)
    lone, costly = basis.samples < FEWEST, estimates.costly
    unused = int(annotations.asked.sum()) - np.unique(annotations.positive.indices).size
    copies = _copies(annotations)
    notes = {
        f"the same answers to the same {MANY_SAMPLES} or more samples, as if one were copied: "
        f"{'; '.join(map(enumerate_some, copies))}": bool(copies),
        f"names that differ only in case or blanks count as different annotators: {enumerate_some(twins)}": (
            bool(twins)
        ),
        f"not compared: {total - estimates.compared:,} of {pluralise(total, 'sample')}, in which no two "
        "annotators decide the same concept": estimates.compared < total,
        f"nobody gives {unused:,} of {pluralise(len(concepts), 'concept')}: on these all agree, which raises "
        "majority, AC1 and what is computed over all decisions": unused > 0,
        **dict.fromkeys(_on_sheets(annotations, found.hierarchy), True),
        **dict.fromkeys(_on_undefined(concepts, estimates), True),
        "no interval, since fewer than two samples have two annotators: "
        f"{_list_concepts(concepts, lone)}": lone.any(),
        **dict.fromkeys(_on_little(concepts, estimates, found.options.resamples), True),
        "Cohen κ: no intervals, since there are too many pairs × samples to compute it in every resample: "
        f"{_list_concepts(concepts, costly)}": costly.any(),
    }
    drawn = (
        f"α of sets, {one.distance}: from {one.pairs:,} pairs that were drawn, standard error "
        f"{one.standard_error:.4f}"
        for one in found.sets
        if one.pairs is not None
    )
    return (*(note for note, holds in notes.items() if holds), *drawn)


def _copies(annotations: Annotations) -> list[list[str]]:
    """Group annotators who give the same answers to the same samples, of which there are many."""
    found = defaultdict[tuple[bytes, ...], list[str]](list)
    for at, name in enumerate(annotations.annotators):
        sheets = np.flatnonzero(annotations.annotator == at)
        if len(sheets) >= MANY_SAMPLES:
            sides = (annotations.positive[sheets], annotations.unknown[sheets])
            parts: list[NDArray[Any]] = [annotations.sample[sheets]]
            parts += [part for side in sides for part in (side.indptr, side.indices)]
            found[tuple(part.tobytes() for part in parts)].append(name)
    return [names for names in found.values() if len(names) > 1]


def similar_names(names: Sequence[str]) -> list[str]:
    """Find names that differ only in case or blanks from another."""
    same: dict[str, list[str]] = {}
    for name in names:
        same.setdefault(" ".join(name.casefold().split()), []).append(name)
    return [name for some in same.values() if len(some) > 1 for name in some]


def doubtful(estimates: Estimates) -> NDArray[np.bool_]:
    """Mark the concepts whose intervals of kappa and alpha may be too narrow.

    Resampling cannot show how rare an answer is by accident. Stray answers of one annotator do not count, so
    the rarer answer must have the majority; and coefficients rest as much on disagreement.
    """
    basis = estimates.basis
    told = np.isfinite(estimates.concepts["alpha"].value) & (basis.samples >= FEWEST)
    return np.asarray(told & ((basis.rarer < RARER) | (basis.disputed < DISPUTED)))


def _on_sheets(annotations: Annotations, hierarchy: Hierarchy | None) -> Iterator[str]:
    """Count the sheets; the first sentence explains what a sheet is."""
    unclosed, unasked = 0, np.empty(0, dtype=np.intp)
    if hierarchy is not None and set(annotations.vocabulary) <= set(hierarchy.vocabulary):
        closed = without_entries(annotations.closed(hierarchy).positive, annotations.unknown)
        unclosed = int((np.diff(closed.indptr) > np.diff(annotations.positive.indptr)).sum())
        places = hierarchy.vocabulary.positions(annotations.vocabulary)
        above = hierarchy.ancestors[places[np.unique(annotations.positive.indices)]].indices
        unasked = np.flatnonzero(~annotations.asked & np.isin(places, above))
    incomplete = int((~annotations.complete).sum())
    found = {
        "left out of whole sets and of confusions, since something is unknown": incomplete,
        "ancestors of labels are missing, which counts as absent: --close adds them, "
        "in Python Annotations.closed": unclosed,
    }
    explained = SHEET
    for what, number in found.items():
        if number:
            yield f"{number:,} of {pluralise(len(annotations), 'sheet')}{explained}: {what}"
            explained = ""
    if unasked.size:
        shown = annotations.vocabulary.shown()
        named = enumerate_some(shown[place] for place in unasked.tolist())
        yield (
            f"no sheet decides {pluralise(unasked.size, 'ancestor')} of labels ({named}): no coefficients, "
            "and --close adds none, since no annotator could mark them absent"
        )


def _on_undefined(concepts: Sequence[str], estimates: Estimates) -> Iterator[str]:
    lacking: dict[int, list[str]] = {}
    for name, number in estimates.undefined.items():
        if number:
            lacking.setdefault(number, []).append(TITLES[name])
    if lacking:
        where = "" if len(concepts) == 1 else f", and left out of means, of {len(concepts):,} concepts"
        some = (
            f"{join_with_and(names)}{f' for {number:,}' if where else ''}"
            for number, names in lacking.items()
        )
        yield f"undefined{where}: {'; '.join(some)}"


def _on_little(concepts: Sequence[str], estimates: Estimates, resamples: int) -> Iterator[str]:
    """Write one sentence on the concepts with too little data: how many, and what is too little."""
    basis = estimates.basis
    several = basis.samples >= FEWEST
    few, narrow = several & (basis.samples < FEW_SAMPLES), doubtful(estimates)
    lost = basis.undefined * several
    little = few | narrow | (lost > 0)
    reasons = {
        f"fewer than {FEW_SAMPLES} samples with two annotators": few,
        f"fewer than {RARER} samples with a majority for the rarer answer, or fewer than {DISPUTED} with "
        "disagreement, so that intervals of κ and α are probably too narrow": narrow,
        "κ or α undefined in resamples, which are left out (up to "
        f"{lost.max(initial=0):,} of {resamples:,})": lost > 0,
    }
    if little.any():
        # A number is added only to reasons that do not hold for all.
        why = (
            f"{'' if which.sum() == little.sum() else f'for {which.sum():,} of them '}{what}"
            for what, which in reasons.items()
            if which.any()
        )
        yield f"too little data for {_list_concepts(concepts, little)}: {'; '.join(why)}"


def _list_concepts(concepts: Sequence[str], which: NDArray[np.bool_]) -> str:
    """Name some concepts, with their number if there are several in all."""
    named = enumerate_some([concepts[place] for place in np.flatnonzero(which).tolist()])
    if len(concepts) == 1:
        return named
    some = "all" if which.all() else f"{which.sum():,} of"
    return f"{some} {len(concepts):,} concepts ({named})"


class PairKappa(NamedTuple):
    """Cohen's kappa of two annotators, of all decisions that both take."""

    first: str
    second: str
    samples: int
    decisions: int
    kappa: float


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorAgreement(Paged, Tabled):
    """How far annotators agree.

    Parameters
    ----------
    annotations
        The annotations.
    estimates
        Coefficients of each concept, their means, and those of all decisions together.
    single
        Coefficients with the labels as categories, where every sheet has exactly one label.
    sets
        Krippendorff's alpha of whole label sets, by each distance.
    annotators
        Each annotator beside the majority of the others.
    options
        Resampling, intervals and costs.
    hierarchy
        The hierarchy of the hierarchical distance.
    """

    annotations: Annotations
    estimates: Estimates
    single: Mapping[str, CoefficientEstimate]
    sets: tuple[SetAlpha, ...]
    annotators: tuple[Annotator, ...]
    options: AgreementOptions
    hierarchy: Hierarchy | None = None

    @property
    def _brief(self) -> str:
        said, alpha = self.annotations, float(self.estimates.mean["alpha"].value)
        people, samples = len(said.annotators), len(said.samples)
        counts = pluralise_all(annotator=people, sample=samples, concept=len(self.concepts))
        return f"{counts}; mean α {cell_text(alpha, 3)}"

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts, in the order of the estimates."""
        return self.annotations.vocabulary.concepts

    @property
    def names(self) -> ConceptNames:
        """Display names of the concepts, where the annotations or the hierarchy have them."""
        own = self.annotations.vocabulary
        return own.names if self.hierarchy is None else self.hierarchy.names_of(own)

    @property
    def pairs(self) -> tuple[PairKappa, ...]:
        """Cohen's kappa of each pair of annotators who have a sample in common."""
        names, of_pairs, counts = self.annotations.annotators, self.estimates.pairs, self.estimates.counts
        numbers = of_pairs.first, of_pairs.second, of_pairs.shared, counts.both.astype(int), counts.kappa
        return tuple(
            PairKappa(names[first], names[second], *rest)
            for first, second, *rest in zip(*(side.tolist() for side in numbers), strict=True)
        )

    def weights(self, coefficient: str = "majority", *, undefined: float | None = None) -> dict[str, float]:
        """Take a coefficient for the agreement by which the ontology score weighs costs.

        Parameters
        ----------
        coefficient
            One of `ontoeval.annotators.concept_agreement.NAMES`.
        undefined
            Weight of concepts for which it is undefined; by default they are left out.

        Returns
        -------
        dict of str to float
            Numbers in [0, 1]: agreement worse than chance is 0.

        Raises
        ------
        ParameterError
            If there is no such coefficient, or `undefined` is outside [0, 1].
        """
        one_of("coefficient", coefficient, NAMES)
        undefined = unit_interval_or_none("undefined", undefined)
        values = self.estimates.concepts[coefficient].value
        filled = values if undefined is None else np.where(np.isnan(values), undefined, values)
        rows = zip(self.concepts, np.clip(filled, 0, 1).tolist(), np.isfinite(filled), strict=True)
        return {concept: value for concept, value, defined in rows if defined}

    @cached_property
    def details(self) -> AnnotatorDetails:
        """Intervals of the scores of annotators, and how often each differs on which concepts."""
        return annotator_details(self.annotations, self.options)

    @property
    def annotator_order(self) -> list[int]:
        """Positions of the annotators by their kappa beside the majority of the others, lowest first."""
        return [*map(int, np.argsort(self.details.scores["kappa"].value, kind="stable"))]

    @cached_property
    def outliers(self) -> tuple[Outlier, ...]:
        """Annotators who agree with the others much less than these do on the same samples."""
        from ontoeval.annotators.outliers import outliers

        return outliers(self.annotations, self.details, self.options.level)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on what was left out, on what counts as disagreement, and on numbers with little data."""
        return notes_on(self)


def notes_on_weights(found: AnnotatorAgreement, coefficient: str) -> list[str]:
    """Count the concepts whose weight differs from their coefficient."""
    estimates = found.estimates
    counts = {
        "agreement below chance, which weighs 0": int((estimates.concepts[coefficient].value < 0).sum()),
        "no weight unless --undefined gives one, or score --agreement-default": estimates.undefined[
            coefficient
        ],
    }
    of_all = pluralise(len(found.concepts), "concept")
    return [f"{count:,} of {of_all}: {what}" for what, count in counts.items() if count]


@front_door
def agreement(  # noqa: PLR0913 - each is an option
    annotations: AnyAnnotations,
    *,
    hierarchy: AnyHierarchy | None = None,
    sets: Sequence[str] | str | None = None,
    cost: str = COST,
    resamples: int = 1000,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
    seed: int = 0,
    most_sets: int = MOST_SETS,
    drawn_pairs: int = DRAWN_PAIRS,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    workers: int | None = None,
) -> AnnotatorAgreement:
    """Measure how far annotators agree.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, files, or the labels of each annotator.
    hierarchy
        The hierarchy, for the hierarchical distance between sets and for kappa of sets. Its concepts that may
        be labels count, unless the annotations have a list: see `Annotations.beside`.
    sets, cost, resamples, level, interval, seed, most_sets, drawn_pairs
        Distances between sets, resampling and intervals; see
        `ontoeval.annotators.options.AgreementOptions`.
    classes, separator
        See `evaluate`.
    workers
        Number of threads that work at the same time on the resamples; by default 1. The results are the
        same to the last bit.

    Returns
    -------
    AnnotatorAgreement
        Coefficients, intervals, and how annotators differ.

    Raises
    ------
    InputError
        If no sample has two annotators, or there is no concept.
    ParameterError
        If the number of workers is no whole number of at least 1, or another option is wrong.

    Examples
    --------
    >>> sheets = {"Ann": [["a"], ["a", "b"]], "Bob": [["a"], ["a"]]}
    >>> said = Annotations.from_sets(sheets)
    >>> agreement(said, resamples=100).weights()
    {'a': 1.0, 'b': 0.75}
    """
    options = AgreementOptions(sets, cost, resamples, level, interval, seed, most_sets, drawn_pairs)
    annotations = annotations_of(annotations, LabelSyntax(classes, separator))
    with using_workers(checked_workers(workers)):
        return agreement_of(annotations, hierarchy, options)


def agreement_of(
    annotations: Annotations, hierarchy: Hierarchy | None, options: AgreementOptions
) -> AnnotatorAgreement:
    """Measure how far annotators agree, as `agreement` does."""
    if hierarchy is not None:
        annotations = annotations.beside(hierarchy)
    distances = set_distances(options, hierarchy)
    number = pluralise(len(annotations.samples), "sample")
    if not len(annotations.vocabulary):
        raise InputError(
            f"no concept in the annotations of {number} by {enumerate_some(annotations.annotators)}",
            "Where nobody saw anything, list the concepts that they looked for, or give an ontology.",
        )
    if not (annotations.sheets_of_samples > 1).any():
        problem = f"no sample has two annotators ({number} of {enumerate_some(annotations.annotators)})"
        raise InputError(problem, "Give annotations in which two annotators have seen the same samples.")
    annotations = annotations.in_order(annotators=False)
    votes = Votes.from_annotations(annotations)
    found = estimates(annotations, votes, options)
    return AnnotatorAgreement(
        annotations,
        found,
        MappingProxyType(single_label_estimates(annotations, votes, options)),
        set_alphas(annotations, distances, options),
        leave_one_out(annotations, votes),
        options,
        hierarchy,
    )
