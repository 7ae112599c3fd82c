"""Options of agreement, declared once, and the resampling and intervals that they describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from ontoeval.comparison.plan import LEVEL, RESAMPLES, SEED, Resampled
from ontoeval.core.choices import IntervalMethod
from ontoeval.errors import one_of
from ontoeval.options import Opt
from ontoeval.plumbing.checks import as_list, open_unit_interval, whole_number

Coefficient = Literal["majority", "pairwise", "unanimous", "fleiss", "randolph", "ac1", "alpha", "cohen"]
"""Coefficients of agreement; "cohen" is the mean of Cohen's kappa over the pairs of annotators."""

ConsensusMethod = Literal["majority", "consistent", "dawid-skene"]
"""Consensus of annotators: majority, majority repaired to fit the ontology, or the Dawid-Skene model."""

TiedVotes = Literal["absent", "present"]
"""Consensus on a label that exactly half of the annotators see."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ontoeval.core.resampling import Interval, Portion

    Numbers = NDArray[np.float64]

COST = "depth-weighted"
"""Default costs of the hierarchical distance."""

MOST_SETS, DRAWN_PAIRS = 5_000, 200_000

PORTION = 20_000
"""Samples whose weights are drawn at a time."""


@dataclass(frozen=True)
class AgreementOptions(Resampled):
    """How agreement is computed.

    Parameters
    ----------
    sets
        Distances between whole label sets: "exact", "jaccard", "masi", and with a hierarchy "hierarchical";
        by default all of them.
    cost
        Costs of the hierarchical distance, see `ontoeval.concepts.costs.costs_by_name`.
    resamples
        Number of bootstrap resamples of the samples.
    level
        Confidence level of the intervals.
    interval
        "percentile", or "bca", which corrects the bias of percentiles, above all for α of few samples.
    seed
        Random seed.
    most_sets
        Up to so many distinct label sets, α of sets compares all pairs of sheets.
    drawn_pairs
        Pairs of sheets that are drawn where there are more.
    """

    sets: Sequence[str] | str | None = None
    cost: Annotated[str, Opt("Costs of the hierarchical distance between sets, such as lin.")] = COST
    resamples: Annotated[int, replace(RESAMPLES, panel=None)] = 1000
    level: Annotated[float, replace(LEVEL, panel=None)] = 0.95
    interval: Annotated[IntervalMethod, Opt("Bootstrap intervals: percentile, or bias-corrected (bca).")] = (
        "percentile"
    )
    seed: Annotated[int, replace(SEED, panel=None)] = 0
    most_sets: int = MOST_SETS
    drawn_pairs: int = DRAWN_PAIRS

    def __post_init__(self) -> None:
        """Check every value."""
        _ = self.bootstrap
        one_of("interval", self.interval, get_args(IntervalMethod))
        vars(self).update(
            sets=None if self.sets is None else tuple(as_list(self.sets)),
            level=open_unit_interval("level", self.level),
            most_sets=whole_number("most_sets", self.most_sets),
            drawn_pairs=whole_number("drawn_pairs", self.drawn_pairs, 1),
        )

    def bounds(self, replicates: Numbers, scores: Numbers) -> Interval:
        """Compute intervals of scores from those of the resamples, which stand on the first axis."""
        from ontoeval.core.resampling import interval

        return interval(replicates, scores, level=self.level, method=self.interval)

    def resampled(
        self, samples: tuple[str, ...], rows: Callable[[slice], Any], *, size: int = PORTION
    ) -> Numbers:
        """Sum the rows of the samples in every resample: resamples × columns; rows may be sparse."""
        import numpy as np

        from ontoeval.core.resampling import chunks, portions_of
        from ontoeval.plumbing.workers import mapped

        sums = np.zeros((self.resamples, 1))
        for where, portion in portions_of(samples, size):
            own = rows(where)
            if not where.start:
                sums = np.zeros((self.resamples, own.shape[1]))
            bounds = list(chunks(self.resamples))
            summed = mapped(partial(self._summed, portion, own), bounds)
            for (begin, end), some in zip(bounds, summed, strict=True):
                sums[begin:end] += some
        return sums

    def _summed(self, portion: Portion, rows: Numbers, chunk: tuple[int, int]) -> Numbers:
        return self.bootstrap.draw(*chunk, portion) @ rows
