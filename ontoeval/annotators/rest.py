"""Each annotator against the rest: what the majority of the others says of the same samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import cohen
from ontoeval.annotators.votes import Votes
from ontoeval.core.csr import choose_entries, row_of_entries

Numbers = NDArray[np.float64]

_SHEETS = 100_000
"""How many sheets are compared at a time."""


class Annotator(NamedTuple):
    """An annotator beside the rest."""

    name: str
    samples: int
    labels: float
    unknown: float
    decisions: int
    agreement: float
    kappa: float
    precision: float
    recall: float
    f: float


def against_rest(annotations: Annotations, votes: Votes) -> tuple[Annotator, ...]:
    """Compare each annotator with the majority of the others; half of them are no majority."""
    sheets = sheets_beside(annotations, votes)
    number = len(annotations.annotators)
    samples, labels, gaps, decided, claimed, tp, fn = (
        np.bincount(annotations.annotator, weights=side, minlength=number).astype(np.float64)
        for side in sheets
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        columns = (
            samples.astype(int),
            labels / samples,
            gaps / (samples * len(annotations.vocabulary)),
            decided.astype(int),
            *scores_beside(decided, claimed, tp, fn),
        )
    rows = zip(annotations.annotators, *(side.tolist() for side in columns), strict=True)
    return tuple(Annotator(*row) for row in rows)


def scores_beside(decided: Numbers, claimed: Numbers, tp: Numbers, fn: Numbers) -> tuple[Numbers, ...]:
    """Score annotators by counts of decisions; see `Annotator`."""
    fp = claimed - tp
    tables = np.array([[decided - claimed - fn, fp], [fn, tp]])
    with np.errstate(invalid="ignore", divide="ignore"):
        return (
            (decided - fp - fn) / decided,
            cohen(np.moveaxis(tables, (0, 1), (-2, -1))),
            tp / claimed,
            tp / (tp + fn),
            2 * tp / (2 * tp + fp + fn),
        )


def sheets_beside(annotations: Annotations, votes: Votes) -> Numbers:
    """Compare each sheet with the others of its sample."""
    parts = [np.empty((7, 0))]
    for one in portions_beside(annotations, votes):
        labels, blank = np.diff(one.mine.indptr), np.diff(one.gaps.indptr)
        compared = (
            len(annotations.vocabulary) - blank - np.diff(one.lonely.indptr) + _common(one.lonely, one.gaps)
        )
        claimed = labels - _common(one.lonely, one.mine)
        missed = np.diff(one.others.indptr) - _common(one.others, one.mine) - _common(one.others, one.gaps)
        beside = np.stack([compared, claimed, _common(one.together, one.mine), missed]) * one.several
        parts.append(np.concatenate([[np.ones(labels.size), labels, blank], beside]))
    return np.concatenate(parts, axis=1)


class Portion(NamedTuple):
    """Some sheets, and what the others say of the same samples: boolean, sheets × concepts."""

    where: slice
    mine: sparse.csr_array
    gaps: sparse.csr_array
    lonely: sparse.csr_array
    others: sparse.csr_array
    together: sparse.csr_array
    several: NDArray[np.bool_]


def portions_beside(annotations: Annotations, votes: Votes) -> Iterator[Portion]:
    """Go through the sheets and what the others say, some at a time."""
    seen, unknown = votes.seen, sparse.csr_array(votes.unknown)
    # Twice the yeses of the others against all that is known from them; both are counted with his own.
    margin = sparse.csr_array(2 * votes.yes + votes.unknown)
    over = margin.data - seen[row_of_entries(margin)]
    theirs_if_not, theirs_if_so = choose_entries(margin, over > -1), choose_entries(margin, over > 1)
    alone = choose_entries(unknown, seen[row_of_entries(unknown)] - unknown.data < 2)  # noqa: PLR2004
    for begin in range(0, len(annotations), _SHEETS):
        part = slice(begin, begin + _SHEETS)
        of = annotations.sample[part]
        yield Portion(
            part,
            annotations.positive[part],
            annotations.unknown[part],
            alone[of],
            theirs_if_not[of],
            theirs_if_so[of],
            seen[of] > 1,
        )


def _common(first: sparse.csr_array, second: sparse.csr_array) -> NDArray[np.intp]:
    """Count what both have, row by row."""
    return np.asarray(np.diff((first * second).indptr), dtype=np.intp)
