"""Rankings: how far down, by their scores, true labels of a sample or true samples of a concept stand.

What has no score stands below everything that has one, and is tied with all else that has none.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import ScoredBatch
from ontoeval.csr import row_of_entries
from ontoeval.statistics.counts import Numbers, divide

Axis = Literal["samples", "concepts", "all"]


class Ranks(NamedTuple):
    """Lists of things with a score, some of which are true; places are counted over the whole list.

    Parameters
    ----------
    row
        Which list each thing with a score is in; in each list the highest score comes first.
    hit
        Whether it is true.
    rank
        How many of its list score as much or more.
    hits
        How many of these are true.
    level
        How many score the same.
    level_hits
        How many of these are true.
    scored
        How many of each list have a score.
    true
        How many of each list are true.
    found
        How many of these have a score.
    length
        How long all lists are.
    """

    row: NDArray[np.intp]
    hit: NDArray[np.bool_]
    rank: NDArray[np.intp]
    hits: NDArray[np.intp]
    level: NDArray[np.intp]
    level_hits: NDArray[np.intp]
    scored: NDArray[np.intp]
    true: NDArray[np.intp]
    found: NDArray[np.intp]
    length: int

    def sum_of_hits(self, values: Numbers) -> Numbers:
        """Sum, list by list, what is computed of everything with a score, over what is true."""
        hit = self.hit
        return np.bincount(self.row[hit], values[hit].astype(np.float64), self.true.size).astype(np.float64)

    @property
    def lost(self) -> NDArray[np.intp]:
        """How many true things of each list have no score."""
        return self.true - self.found


@dataclass(frozen=True)
class Ranking:
    """The lists of a batch: the labels of each sample, the samples of each concept, or all in one.

    Parameters
    ----------
    axis
        What each list is of: "samples", "concepts", or "all" pairs of both.
    """

    axis: Axis = "samples"

    def __call__(self, batch: ScoredBatch) -> Ranks:
        """Sort the scores of each list."""
        scores, hit = batch.prediction.matrix, batch.hits
        samples, concepts = scores.shape
        row, column = row_of_entries(scores), scores.indices
        match self.axis:
            case "samples":
                lists, length, true = samples, concepts, np.diff(batch.truth.matrix.indptr)
            case "concepts":
                row, lists, length = column.astype(np.intp), concepts, samples
                true = np.bincount(batch.truth.matrix.indices, minlength=concepts)
            case "all":
                row, lists, length = np.zeros_like(row), 1, samples * concepts
                true = np.array([batch.truth.matrix.nnz])
        return _ranked(row, scores.data, hit, true.astype(np.intp), lists, length)


def _ranked(
    row: NDArray[np.intp],
    scores: Numbers,
    hit: NDArray[np.bool_],
    true: NDArray[np.intp],
    lists: int,
    length: int,
) -> Ranks:
    order = np.lexsort((-scores, row))
    row, scores, hit = row[order], scores[order], hit[order]
    scored = np.bincount(row, minlength=lists)
    found = np.bincount(row[hit], minlength=lists)
    new = np.ones(row.size, dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (scores[1:] != scores[:-1])
    level_of = np.cumsum(new) - 1
    begin = np.flatnonzero(new)
    end = np.append(begin[1:], row.size)
    before = np.concatenate([[0], np.cumsum(hit)])  # true things before each place, over all lists
    list_begin = (np.cumsum(scored) - scored)[row]
    last = end[level_of]
    return Ranks(
        row,
        hit,
        last - list_begin,
        before[last] - before[list_begin],
        (end - begin)[level_of],
        (before[end] - before[begin])[level_of],
        scored,
        true,
        found,
        length,
    )


class RankQuantity(Hashable, Protocol):
    """One number per list; frozen, so that equal ones are computed once."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Compute one number per list, nan where it is undefined."""
        ...


@dataclass(frozen=True)
class OfRanks:
    """A quantity of the lists of one axis, as a quantity of a batch.

    Parameters
    ----------
    quantity
        What is computed.
    axis
        Of which lists.
    undefined
        What stands where it is undefined; None leaves nan.
    """

    quantity: RankQuantity
    axis: Axis = "samples"
    undefined: float | None = None

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Compute one number per list."""
        values = self.quantity(batch.once(Ranking(self.axis)))
        return values if self.undefined is None else np.where(np.isnan(values), self.undefined, values)


@dataclass(frozen=True)
class TopIsWrong:
    """Share of the highest scored that is not true, 0 or 1 where none are tied; nan where nothing is true."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Look at the first level; where nothing has a score, everything is tied."""
        wrong = 1.0 - divide(ranks.true.astype(float), np.full(ranks.true.size, float(ranks.length)))
        first = np.flatnonzero(np.diff(ranks.row, prepend=-1))
        wrong[ranks.row[first]] = 1.0 - ranks.level_hits[first] / ranks.level[first]
        return np.where(ranks.true == 0, np.nan, wrong)


@dataclass(frozen=True)
class LowestTrue:
    """How far down the lowest true label stands, counting all that score as much; nan without any.

    Parameters
    ----------
    minus
        What is taken off.
    """

    minus: float = 0.0

    def __call__(self, ranks: Ranks) -> Numbers:
        """Take the last true label with a score, or the end of the list."""
        lowest = np.zeros(ranks.true.size)
        np.maximum.at(lowest, ranks.row[ranks.hit], ranks.rank[ranks.hit])
        lowest = np.where(ranks.lost > 0, ranks.length, lowest)
        return np.where(ranks.true == 0, np.nan, lowest - self.minus)


@dataclass(frozen=True)
class Misordered:
    """Share of pairs, one true and one not, in which the latter scores as much or more; nan without any.

    Parameters
    ----------
    tied
        What a tied pair counts for.
    right
        Whether the share of all others is wanted instead.
    """

    tied: float = 1.0
    right: bool = False

    def __call__(self, ranks: Ranks) -> Numbers:
        """Count what is not true above and beside each true one."""
        beside = ranks.level - ranks.level_hits
        above = ranks.rank - ranks.hits - beside
        wrong = ranks.length - ranks.true
        without = wrong - (ranks.scored - ranks.found)  # not true, and without score
        pairs = ranks.sum_of_hits(above + self.tied * beside)
        pairs = pairs + ranks.lost * (wrong - without + self.tied * without)
        share = divide(pairs, ranks.true.astype(float) * wrong)
        return 1.0 - share if self.right else share


@dataclass(frozen=True)
class PrecisionAtHits:
    """Mean over what is true of the share that is true of all that scores as much; nan without any."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Average the precisions; at the end of the list it is the share of what is true."""
        true = ranks.true.astype(float)
        at_end = divide(true, np.full(true.size, float(ranks.length)))
        found = ranks.sum_of_hits(divide(ranks.hits.astype(float), ranks.rank.astype(float)))
        return divide(found + np.where(ranks.lost > 0, ranks.lost * at_end, 0.0), true)


@dataclass(frozen=True)
class EqualError:
    """Error rate where accepting what is not true is as frequent as rejecting what is; nan without both.

    Between two thresholds it is found on the line between their points.
    """

    def __call__(self, ranks: Ranks) -> Numbers:
        """Cross the ROC curve of each list with its falling diagonal."""
        true, wrong = ranks.true.astype(float), (ranks.length - ranks.true).astype(float)
        rejected = 1.0 - divide(ranks.hits.astype(float), true[ranks.row])
        accepted = divide((ranks.rank - ranks.hits).astype(float), wrong[ranks.row])
        with np.errstate(invalid="ignore"):
            crossed = accepted >= rejected
        # The curve begins with nothing accepted and ends with everything; it crosses once in each list.
        low = np.stack([np.zeros(true.size), np.ones(true.size)])
        high = np.stack([np.ones(true.size), np.zeros(true.size)])
        same = np.append(ranks.row[1:] == ranks.row[:-1], False)  # the next is in the same list
        below = ~crossed & ~(same & np.append(~crossed[1:], False))
        above = crossed & ~np.append(False, same[:-1] & crossed[:-1])
        low[:, ranks.row[below]] = accepted[below], rejected[below]
        high[:, ranks.row[above]] = accepted[above], rejected[above]
        gap_low, gap_high = low[1] - low[0], high[0] - high[1]
        share = divide(gap_low, gap_low + gap_high)
        found = low[0] + share * (high[0] - low[0])
        return np.where((true == 0) | (wrong == 0), np.nan, found)
