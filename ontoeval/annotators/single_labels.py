"""Coefficients with labels as categories, where every sheet has exactly one label."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.coefficients import COEFFICIENTS, rows_of, sums_in
from ontoeval.annotators.estimates import FEWEST, Estimate, named
from ontoeval.annotators.kappas import PORTION
from ontoeval.annotators.votes import Votes
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.intervals import interval
from ontoeval.core.resampling import Bootstrap, chunks, portions_of

_NUMBERS = 4_000_000
"""Numbers of rows that are held at a time: 32 MB."""


def of_single_labels(
    annotations: Annotations,
    votes: Votes,
    *,
    bootstrap: Bootstrap,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
) -> dict[str, Estimate]:
    """Compute the coefficients with labels as categories, where every sheet has exactly one."""
    if not annotations.complete.all() or (np.diff(annotations.positive.indptr) != 1).any():
        return {}
    yes, categories = sparse.csr_array(votes.yes[:, votes.used]), len(annotations.vocabulary)
    size = min(PORTION, max(1, _NUMBERS // max(1, 2 * yes.shape[1])))
    width = rows_of(np.zeros((1, yes.shape[1]))).shape[-1]
    total, sums = np.zeros(width), np.zeros((bootstrap.resamples, width))
    for where, portion in portions_of(annotations.samples, size):
        rows = rows_of(yes[where].toarray().astype(np.float64))
        total += rows.sum(axis=0)
        for begin, end in chunks(bootstrap.resamples):
            sums[begin:end] += bootstrap.draw(begin, end, portion) @ rows
    if (votes.seen > 1).sum() < FEWEST:
        sums[:] = np.nan
    scores, again = (
        np.stack([formula(sums_in(side, categories)) for formula in COEFFICIENTS.values()], axis=-1)
        for side in (total, sums)
    )
    return named(scores, *interval(again, scores, level=level, method=method))
