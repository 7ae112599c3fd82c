"""Rankings: how far down, by their scores, true labels of a sample or true samples of a concept stand."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ontoeval.core.batch import ScoredBatch
from ontoeval.measures.statistics.counts import Numbers, divide, filled
from ontoeval.measures.statistics.levels import Axis, Ranking, Ranks


class RankQuantity(Hashable, Protocol):
    """One number per list; frozen, so that equal ones are computed once."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Compute one number per list, nan where it is undefined."""
        ...


@dataclass(frozen=True)
class OfRanks:
    """A quantity of the lists of one axis, as a quantity of a batch."""

    quantity: RankQuantity
    axis: Axis = "samples"
    undefined: float | None = None

    def __call__(self, batch: ScoredBatch) -> Numbers:
        """Compute one number per list."""
        return filled(self.quantity(batch.once(Ranking(self.axis))), self.undefined)


@dataclass(frozen=True)
class TopIsWrong:
    """Share of the highest scored that is not true, 0 or 1 where none are tied; nan where nothing is true."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Look at the level with nothing above; where nothing has a score, everything is tied."""
        wrong = np.where(ranks.scored > 0, 1.0, 1.0 - divide(ranks.true, ranks.length))
        top = ranks.rank == ranks.level
        wrong[ranks.row[top]] = 1.0 - ranks.level_hits[top] / ranks.level[top]
        return np.where(ranks.true == 0, np.nan, wrong)


@dataclass(frozen=True)
class LowestTrue:
    """How far down the lowest true label stands, counting all that score as much; nan without any."""

    minus: float = 0.0

    def __call__(self, ranks: Ranks) -> Numbers:
        """Take the last true label with a score, or the end of the list."""
        lowest = np.zeros(ranks.true.size)
        np.maximum.at(lowest, ranks.row, ranks.rank)
        lowest = np.where(ranks.lost > 0, ranks.length, lowest)
        return np.where(ranks.true == 0, np.nan, lowest - self.minus)


@dataclass(frozen=True)
class Misordered:
    """Share of pairs, one true and one not, in which the latter scores as much or more; nan without any."""

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
        share = divide(pairs, ranks.true * wrong)
        return 1.0 - share if self.right else share


@dataclass(frozen=True)
class PrecisionAtHits:
    """Mean over what is true of the share that is true of all that scores as much; nan without any."""

    def __call__(self, ranks: Ranks) -> Numbers:
        """Average the precisions; at the end of the list it is the share of what is true."""
        at_end = divide(ranks.true, ranks.length)
        found = ranks.sum_of_hits(ranks.hits / ranks.rank)
        return divide(found + np.where(ranks.lost > 0, ranks.lost * at_end, 0.0), ranks.true)


@dataclass(frozen=True)
class EqualError:
    """Error rate where accepting what is not true is as frequent as rejecting what is; nan without both.

    Between two thresholds it is found on the line between their points.
    """

    def __call__(self, ranks: Ranks) -> Numbers:
        """Cross the ROC curve of each list with its falling diagonal."""
        true, wrong = ranks.true, ranks.length - ranks.true
        # Corners of the curve: before and behind each level, and behind everything with a score.
        row = np.concatenate([ranks.row, ranks.row, np.arange(true.size)])
        hits = np.concatenate([ranks.hits - ranks.level_hits, ranks.hits, ranks.found])
        rank = np.concatenate([ranks.rank - ranks.level, ranks.rank, ranks.scored])
        rejected, accepted = 1.0 - divide(hits, true[row]), divide(rank - hits, wrong[row])
        above = accepted >= rejected
        below = accepted < rejected
        # The curve begins with nothing accepted and ends with everything; it crosses once in each list.
        low = np.stack([np.zeros(true.size), np.ones(true.size)])
        high = np.stack([np.ones(true.size), np.zeros(true.size)])
        np.maximum.at(low[0], row[below], accepted[below])
        np.minimum.at(low[1], row[below], rejected[below])
        np.minimum.at(high[0], row[above], accepted[above])
        np.maximum.at(high[1], row[above], rejected[above])
        gap_low, gap_high = low[1] - low[0], high[0] - high[1]
        share = divide(gap_low, gap_low + gap_high)
        found = low[0] + share * (high[0] - low[0])
        return np.where((true == 0) | (wrong == 0), np.nan, found)
