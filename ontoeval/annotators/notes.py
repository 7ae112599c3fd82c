"""Remarks on coefficients of agreement: what was left out, and which numbers rest on little data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.concept_agreement import FEWEST, TITLES, Estimates
from ontoeval.annotators.set_agreement import SetAlpha
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import without
from ontoeval.errors import enumerate_some, pluralise

FEW_SAMPLES = 10
"""With fewer samples that two annotators decide, the estimates of a concept are remarked on."""

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
    """Write all remarks that apply."""
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


def _on_samples(annotations: Annotations, estimates: Estimates) -> Iterator[str]:
    twins = alike(annotations.annotators)
    if twins:
        shown = enumerate_some(twins)
        yield f"names that differ only in case or blanks count as different annotators: {shown}"
    total = len(annotations.samples)
    lone = total - estimates.compared
    if lone:
        yield (
            f"not compared: {lone:,} of {pluralise(total, 'sample')}, in which no two annotators decide the "
            "same concept"
        )


def _on_sheets(annotations: Annotations, hierarchy: Hierarchy | None) -> Iterator[str]:
    """Count sheets; the first sentence explains the word."""
    if hierarchy is not None and not set(annotations.vocabulary) <= set(hierarchy.vocabulary):
        hierarchy = None
    found = {
        "left out of whole sets and of confusions, since something is unknown": int(
            (~annotations.complete).sum()
        ),
        "ancestors of labels are missing, which counts as absent: --close adds them, "
        "in Python Annotations.closed": _unclosed(annotations, hierarchy),
    }
    explained = SHEET
    for what, number in found.items():
        if number:
            yield f"{number:,} of {pluralise(len(annotations), 'sheet')}{explained}: {what}"
            explained = ""
    unasked = np.flatnonzero(_unasked(annotations, hierarchy)).tolist()
    if unasked:
        yield (
            f"no sheet decides {pluralise(len(unasked), 'ancestor')} of labels "
            f"({enumerate_some(annotations.vocabulary[place] for place in unasked)}): no coefficients, and "
            "--close adds none, since no annotator could mark them absent"
        )


def _unclosed(annotations: Annotations, hierarchy: Hierarchy | None) -> int:
    """Count the sheets that lack ancestors of their labels."""
    if hierarchy is None:
        return 0
    closed = without(annotations.closed(hierarchy).positive, annotations.unknown)
    return int((np.diff(closed.indptr) > np.diff(annotations.positive.indptr)).sum())


def _unasked(annotations: Annotations, hierarchy: Hierarchy | None) -> NDArray[np.bool_]:
    """Mark the ancestors of labels that no sheet decides."""
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
            "intervals of Cohen κ by the infinitesimal jackknife, since there are too many pairs × samples "
            f"to compute it in every resample: {_told(concepts, estimates.linear)}"
        )


def _on_little(concepts: Sequence[str], estimates: Estimates, resamples: int) -> Iterator[str]:
    """Write one sentence on all concepts with little data, and how many of them lack what."""
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
        yield f"too little data for {_told(concepts, little)}: {'; '.join(why)}"


def _told(concepts: Sequence[str], which: NDArray[np.bool_]) -> str:
    """Name some concepts, with their number if there are several in all."""
    named = enumerate_some([concepts[place] for place in np.flatnonzero(which).tolist()])
    if len(concepts) == 1:
        return named
    some = "all" if which.all() else f"{which.sum():,} of"
    return f"{some} {len(concepts):,} concepts ({named})"


def _and(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
