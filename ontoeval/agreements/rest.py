"""Each annotator against the rest: what the majority of the others says of the same samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.coefficients import cohen
from ontoeval.agreements.votes import Votes
from ontoeval.csr import choose_entries, row_of_entries

Numbers = NDArray[np.float64]

_SHEETS = 100_000
"""How many sheets are compared at a time."""


class Annotator(NamedTuple):
    """An annotator beside the rest.

    Parameters
    ----------
    name
        The name.
    samples
        How many samples he has seen.
    labels
        How many labels he gives a sample, in the mean.
    unknown
        Of which share of all concepts of these samples nothing is known from him.
    decisions
        How many decisions were compared: one for each concept of each sample that another decides on, too.
    agreement
        On which share of these he says what the majority of the others says.
    kappa
        Cohen's kappa of the two.
    precision
        Which share of his labels the majority of the others has.
    recall
        Which share of their labels he has.
    f
        Harmonic mean of the two.
    """

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
    """Compare each annotator with the majority of the others; half of them are no majority.

    Parameters
    ----------
    annotations
        Who said what.
    votes
        How often.

    Returns
    -------
    tuple of Annotator
        One for each annotator.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"]], "Bob": [["a"]], "Eve": [["b"]]})
    >>> [one.agreement for one in against_rest(said, Votes.of(said))]
    [0.5, 0.5, 0.0]
    """
    sheets = _sheets(annotations, votes)
    number = len(annotations.annotators)
    samples, labels, gaps, decided, claimed, tp, fn = (
        np.bincount(annotations.annotator, weights=side, minlength=number) for side in sheets
    )
    fp = claimed - tp
    tables = np.array([[decided - claimed - fn, fp], [fn, tp]])
    with np.errstate(invalid="ignore", divide="ignore"):
        columns = (
            samples.astype(int),
            labels / samples,
            gaps / (samples * len(annotations.vocabulary)),
            decided.astype(int),
            (decided - fp - fn) / decided,
            cohen(np.moveaxis(tables, (0, 1), (-2, -1))),
            tp / claimed,
            tp / (tp + fn),
            2 * tp / (2 * tp + fp + fn),
        )
    rows = zip(annotations.annotators, *(side.tolist() for side in columns), strict=True)
    return tuple(Annotator(*row) for row in rows)


def _sheets(annotations: Annotations, votes: Votes) -> Numbers:
    """Compare each sheet with the others of its sample: seven numbers for each."""
    seen, unknown = votes.seen, sparse.csr_array(votes.unknown)
    # Twice the yeses of the others against all that is known from them; both are counted with his own.
    margin = sparse.csr_array(2 * votes.yes + votes.unknown)
    over = margin.data - seen[row_of_entries(margin)]
    theirs_if_not, theirs_if_so = choose_entries(margin, over > -1), choose_entries(margin, over > 1)
    alone = choose_entries(unknown, seen[row_of_entries(unknown)] - unknown.data < 2)  # noqa: PLR2004
    parts = [np.empty((7, 0))]
    for begin in range(0, len(annotations), _SHEETS):
        part = slice(begin, begin + _SHEETS)
        of, mine, gaps = annotations.sample[part], annotations.positive[part], annotations.unknown[part]
        others, lonely, together = theirs_if_not[of], alone[of], theirs_if_so[of]
        labels, blank = np.diff(mine.indptr), np.diff(gaps.indptr)
        compared = len(annotations.vocabulary) - blank - np.diff(lonely.indptr) + _common(lonely, gaps)
        claimed = labels - _common(lonely, mine)
        missed = np.diff(others.indptr) - _common(others, mine) - _common(others, gaps)
        several = seen[of] > 1
        beside = np.stack([compared, claimed, _common(together, mine), missed]) * several
        parts.append(np.concatenate([[np.ones(labels.size), labels, blank], beside]))
    return np.concatenate(parts, axis=1)


def _common(first: sparse.csr_array, second: sparse.csr_array) -> NDArray[np.intp]:
    """Count what both have, row by row."""
    return np.asarray(np.diff((first * second).indptr), dtype=np.intp)
