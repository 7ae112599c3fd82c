"""What a reader of coefficients of agreement should know, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.estimates import FEWEST, Estimates
from ontoeval.agreements.set_alpha import SetAlpha
from ontoeval.errors import listed
from ontoeval.hierarchy import Hierarchy

FEW_SAMPLES = 10
"""From so many samples on that two annotators decide, the estimates of a concept are not remarked on."""

RARE = 20
"""With the rarer answer in so many samples, 95 % intervals of kappa and alpha hold in nine of ten cases."""


def notes_on(
    annotations: Annotations,
    estimates: Estimates,
    sets: Sequence[SetAlpha],
    hierarchy: Hierarchy | None,
    resamples: int,
) -> tuple[str, ...]:
    """Say what was left out, what counts as disagreement, and which numbers rest on little.

    Parameters
    ----------
    annotations
        Who said what.
    estimates
        The coefficients.
    sets
        Alpha of whole label sets.
    hierarchy
        Tells ancestors.
    resamples
        How many resamples there are.

    Returns
    -------
    tuple of str
        Sentences.

    Examples
    --------
    >>> from ontoeval.agreements.estimates import estimates
    >>> from ontoeval.agreements.votes import Votes
    >>> from ontoeval.resampling import Bootstrap
    >>> said = Annotations.from_sets({"Ann": [["a"], []], "ann": [["a"], []]})
    >>> found = estimates(said, Votes.of(said), bootstrap=Bootstrap(resamples=9))
    >>> notes_on(said, found, (), None, 9)[0]
    "annotators whose names differ in case or blanks alone count as several: 'Ann', 'ann'"
    """
    return (
        *_on_sheets(annotations, sets, hierarchy),
        *_on_estimates(annotations, estimates, resamples),
        *(
            f"α of sets, {one.distance}: from {one.pairs:,} pairs that were drawn, standard error "
            f"{one.standard_error:.4f}"
            for one in sets
            if one.pairs is not None
        ),
    )


def alike(names: Sequence[str]) -> list[str]:
    """Find names that differ from another in case or blanks alone.

    Parameters
    ----------
    names
        Names, none twice.

    Returns
    -------
    list of str
        Those that do, in their order.

    Examples
    --------
    >>> alike(["Ann", "Bob", "ann "])
    ['Ann', 'ann ']
    """
    same: dict[str, list[str]] = {}
    for name in names:
        same.setdefault(" ".join(name.casefold().split()), []).append(name)
    return [name for some in same.values() if len(some) > 1 for name in some]


def _on_sheets(
    annotations: Annotations, sets: Sequence[SetAlpha], hierarchy: Hierarchy | None
) -> Iterator[str]:
    twins = alike(annotations.annotators)
    if twins:
        yield f"annotators whose names differ in case or blanks alone count as several: {listed(twins)}"
    lone = int((annotations.sheets_of_samples == 1).sum())
    if lone:
        yield f"{lone:,} of {len(annotations.samples):,} samples have one annotator, and say nothing"
    gaps = int((~annotations.complete).sum())
    if gaps and sets:
        yield f"{gaps:,} of {len(annotations):,} sheets say nothing of some concept, and are left out of sets"
    lacking = _unclosed(annotations, hierarchy)
    if lacking:
        yield (
            f"{lacking:,} of {len(annotations):,} sheets lack ancestors of their labels, which counts as "
            "saying that these are not there: --close adds them, in Python Annotations.closed"
        )


def _unclosed(annotations: Annotations, hierarchy: Hierarchy | None) -> int:
    """Count the sheets to which closing upwards would add labels."""
    if hierarchy is None or not set(annotations.vocabulary) <= set(hierarchy.vocabulary):
        return 0
    closed = annotations.closed(hierarchy).positive
    return int((np.diff(closed.indptr) > np.diff(annotations.positive.indptr)).sum())


def _on_estimates(annotations: Annotations, estimates: Estimates, resamples: int) -> Iterator[str]:
    basis, concepts = estimates.basis, annotations.vocabulary.concepts
    lacking = [f"{name} of {count:,}" for name, count in estimates.undefined.items() if count]
    if lacking:
        yield f"undefined, and left out of means: {', '.join(lacking)} concepts"

    def told(which: NDArray[np.bool_]) -> str:
        return f"{which.sum():,} of {len(concepts):,} concepts ({listed(_named(concepts, which))})"

    lone = basis.samples < FEWEST
    few = (basis.samples < FEW_SAMPLES) & ~lone
    rarer = np.minimum(basis.positive, basis.negative)
    rare = (rarer > 0) & (rarer < RARE) & ~lone
    if lone.any():
        yield f"no interval, since fewer than two samples have two annotators: {told(lone)}"
    if few.any():
        yield f"fewer than {FEW_SAMPLES} samples have two annotators: {told(few)}"
    if rare.any():
        yield (
            f"intervals of κ and α are too narrow, since one of the two answers is given in fewer than "
            f"{RARE} samples: {told(rare)}"
        )
    lost = basis.undefined * ~lone
    if lost.any():
        yield (
            f"resamples in which κ or α is undefined are left out, up to {lost.max():,} of {resamples:,}: "
            f"{told(lost > 0)}"
        )
    if estimates.linear.any():
        yield (
            "intervals of Cohen κ along its derivatives, since pairs × samples are too many to compute it "
            f"anew: {told(estimates.linear)}"
        )


def _named(concepts: Sequence[str], which: NDArray[np.bool_]) -> list[str]:
    return [concepts[place] for place in np.flatnonzero(which).tolist()]
