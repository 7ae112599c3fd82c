"""What a reader of coefficients of agreement should know, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.concept_agreement import FEWEST, TITLES, Estimates
from ontoeval.annotators.set_agreement import SetAlpha
from ontoeval.core.csr import without
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import counted, listed

FEW_SAMPLES = 10
"""From so many samples on that two annotators decide, the estimates of a concept are not remarked on."""

RARER, DISPUTED = 6, 4
"""With so many samples in which the rarer answer has the majority, and so many in which annotators disagree,
95 % intervals of kappa and alpha hold in nine of ten cases or more: see benchmarks/simulation.py."""

SHEET = " (what one annotator says of one sample)"


def notes_on(
    annotations: Annotations,
    estimates: Estimates,
    sets: Sequence[SetAlpha],
    hierarchy: Hierarchy | None,
    resamples: int,
) -> tuple[str, ...]:
    """Say what was left out, what counts as disagreement, and which numbers rest on little."""
    return (
        *_on_samples(annotations, estimates),
        *_on_sheets(annotations, hierarchy),
        *_on_estimates(annotations, estimates, resamples),
        *(
            f"α of sets, {one.distance}: from {one.pairs:,} pairs that were drawn, standard error "
            f"{one.standard_error:.4f}"
            for one in sets
            if one.pairs is not None
        ),
    )


def alike(names: Sequence[str]) -> list[str]:
    """Find names that differ from another in case or blanks alone."""
    same: dict[str, list[str]] = {}
    for name in names:
        same.setdefault(" ".join(name.casefold().split()), []).append(name)
    return [name for some in same.values() if len(some) > 1 for name in some]


def doubtful(estimates: Estimates) -> NDArray[np.bool_]:
    """Tell of which concepts the intervals of kappa and alpha may be too narrow.

    Resampling knows nothing of answers that are rare by accident. A stray answer of one annotator is no
    such thing, so what counts is how often the rarer answer has the majority; and of disagreement, on which
    the coefficients rest as much, whether there is any.
    """
    basis = estimates.basis
    told = np.isfinite(estimates.concepts["alpha"].value) & (basis.samples >= FEWEST)
    return np.asarray(told & ((basis.rarer < RARER) | (basis.disputed < DISPUTED)))


def _on_samples(annotations: Annotations, estimates: Estimates) -> Iterator[str]:
    twins = alike(annotations.annotators)
    if twins:
        yield f"annotators whose names differ in case or blanks alone count as several: {listed(twins)}"
    total = len(annotations.samples)
    lone = total - estimates.compared
    if lone:
        yield (
            f"not compared: {lone:,} of {counted(total, 'sample')}, in which no two annotators decide the "
            "same concept"
        )


def _on_sheets(annotations: Annotations, hierarchy: Hierarchy | None) -> Iterator[str]:
    """Count sheets, and say with the first of these sentences what a sheet is."""
    if hierarchy is not None and not set(annotations.vocabulary) <= set(hierarchy.vocabulary):
        hierarchy = None
    found = {
        "left out of whole sets and of confusions, since something is unknown": int(
            (~annotations.complete).sum()
        ),
        "ancestors of labels are lacking, which counts as saying that they are not there: --close adds them, "
        "in Python Annotations.closed": _unclosed(annotations, hierarchy),
    }
    explained = SHEET
    for what, number in found.items():
        if number:
            yield f"{number:,} of {counted(len(annotations), 'sheet')}{explained}: {what}"
            explained = ""
    unasked = np.flatnonzero(_unasked(annotations, hierarchy)).tolist()
    if unasked:
        yield (
            f"no sheet speaks of {counted(len(unasked), 'ancestor')} of labels "
            f"({listed(annotations.vocabulary[place] for place in unasked)}): no coefficients, and --close "
            "adds none, since nobody could say that they are not there"
        )


def _unclosed(annotations: Annotations, hierarchy: Hierarchy | None) -> int:
    """Count the sheets that say of ancestors of their labels that they are not there."""
    if hierarchy is None:
        return 0
    closed = without(annotations.closed(hierarchy).positive, annotations.unknown)
    return int((np.diff(closed.indptr) > np.diff(annotations.positive.indptr)).sum())


def _unasked(annotations: Annotations, hierarchy: Hierarchy | None) -> NDArray[np.bool_]:
    """Find the ancestors of labels of which no sheet says anything."""
    if hierarchy is None or annotations.asked.all():
        return np.zeros(len(annotations.vocabulary), dtype=bool)
    places = hierarchy.vocabulary.positions(annotations.vocabulary)
    above = np.unique(hierarchy.ancestors[places[np.unique(annotations.positive.indices)]].indices)
    return ~annotations.asked & np.isin(places, above)


def _on_estimates(annotations: Annotations, estimates: Estimates, resamples: int) -> Iterator[str]:
    concepts = annotations.vocabulary.concepts
    lacking: dict[int, list[str]] = {}
    for name, number in estimates.undefined.items():
        if number:
            lacking.setdefault(number, []).append(TITLES[name])
    if lacking:
        where = "" if len(concepts) == 1 else f", and left out of means, of {len(concepts):,} concepts"
        some = (f"{_and(names)}{f' for {number:,}' if where else ''}" for number, names in lacking.items())
        yield f"undefined{where}: {'; '.join(some)}"
    lone = estimates.basis.samples < FEWEST
    if lone.any():
        yield f"no interval, since fewer than two samples have two annotators: {_told(concepts, lone)}"
    yield from _on_little(concepts, estimates, resamples)
    if estimates.linear.any():
        yield (
            "intervals of Cohen κ along its derivatives, since pairs × samples are too many to compute it "
            f"anew: {_told(concepts, estimates.linear)}"
        )


def _on_little(concepts: Sequence[str], estimates: Estimates, resamples: int) -> Iterator[str]:
    """Say in one sentence which concepts rest on little, and of how many what is lacking."""
    basis = estimates.basis
    several = basis.samples >= FEWEST
    few, narrow = several & (basis.samples < FEW_SAMPLES), doubtful(estimates)
    lost = basis.undefined * several
    little = few | narrow | (lost > 0)
    reasons = {
        f"fewer than {FEW_SAMPLES} samples have two annotators": few,
        f"the rarer answer has the majority in fewer than {RARER} samples, or annotators disagree in fewer "
        f"than {DISPUTED}, so that intervals of κ and α may be too narrow": narrow,
        "κ or α is undefined in resamples, which are left out (up to "
        f"{lost.max(initial=0):,} of {resamples:,})": lost > 0,
    }
    if little.any():
        # Of how many a reason holds says nothing where it holds of all.
        why = (
            f"{'' if which.sum() == little.sum() else f'for {which.sum():,} of them '}{what}"
            for what, which in reasons.items()
            if which.any()
        )
        yield f"little is known of {_told(concepts, little)}: {'; '.join(why)}"


def _told(concepts: Sequence[str], which: NDArray[np.bool_]) -> str:
    """Name some concepts, and say how many of all they are where there are several."""
    named = listed([concepts[place] for place in np.flatnonzero(which).tolist()])
    if len(concepts) == 1:
        return named
    some = "all" if which.all() else f"{which.sum():,} of"
    return f"{some} {len(concepts):,} concepts ({named})"


def _and(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
