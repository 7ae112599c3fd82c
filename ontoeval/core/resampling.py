"""Resampling: weights of samples in bootstrap resamples, and random exchanges of runs.

Sums are additive, so every resample of the samples is a row of weights, and the sums of all resamples are
one product ``weights @ rows``, whatever the measure. Weights are drawn by the place of a sample among the
sorted identifiers, in chunks of resamples and spans of samples, each from a stream of its own. So neither the
order of the rows of a file nor the portions in which samples are looked at change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.choices import IntervalMethod
from ontoeval.errors import one_of
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.checks import open_unit_interval, whole_number

Weights = NDArray[np.float64]

CHUNK = 250
"""Resamples that are drawn together: with 20,000 samples 40 MB of weights."""

SPAN = 2_000
"""Samples that are drawn together; the numbers do not depend on the portions."""

LARGEST_SEED = 2**64 - 1

_BOOTSTRAP, _SWAPS, _HALVES = 0, 1, 3  # each kind draws from streams of its own
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

_ROWS = 25
"""Resamples whose Poisson numbers are drawn together."""


class Portion(NamedTuple):
    """Consecutive samples of those that are `in_order`: the place of the first, and the number of all."""

    begin: int
    total: int
    samples: Sequence[str]


class Weighing(Protocol):
    """Draws weights of samples, one row per resample."""

    @property
    def resamples(self) -> int:
        """How many rows of weights there are in all."""
        ...

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw the weights of a portion in the resamples of a chunk, see `chunks`: resamples × samples."""
        ...


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """Resamples that a seed determines."""

    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the options."""
        seed = whole_number("seed", self.seed, most=LARGEST_SEED)
        vars(self).update(resamples=whole_number("resamples", self.resamples, 1), seed=seed)

    def _by_span(
        self,
        kind: int,
        begin: int,
        portion: Portion,
        drawn: Callable[[np.random.Generator, int, int], NDArray[Any]],
    ) -> NDArray[Any]:
        """Draw all spans that a portion overlaps, and cut the portion out."""
        stop, parts = portion.begin + len(portion.samples), []
        for span in range(portion.begin // SPAN, -(-max(stop, 1) // SPAN)):
            first = span * SPAN
            rng = np.random.default_rng([self.seed, kind, begin, span])
            whole = drawn(rng, span, min(SPAN, portion.total - first))
            parts.append(whole[:, max(portion.begin - first, 0) : stop - first])
        return np.concatenate(parts, axis=1)


@dataclass(frozen=True, kw_only=True)
class Bootstrap(_Drawn):
    """Samples drawn with replacement.

    Parameters
    ----------
    resamples
        How many resamples.
    seed
        Random seed.
    weights
        "multinomial" draws as many samples as there are, as the textbook has it. "poisson" gives each
        sample a weight that depends on its identifier and the seed alone, so that parts of the data
        can be resampled apart, in any order, and merged.

    Raises
    ------
    ParameterError
        If there are no resamples, the seed is no whole number, or the weights are of another kind.

    Examples
    --------
    >>> Bootstrap(resamples=2).draw(0, 2, Portion(0, 4, "abcd")).sum(axis=1)
    array([4., 4.])
    """

    weights: Literal["multinomial", "poisson"] = "multinomial"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("weights", self.weights, ("multinomial", "poisson"))

    def draw(self, begin: int, end: int, portion: Portion) -> NDArray[Any]:
        """Draw the weights of a portion, see `Weighing.draw`."""
        if self.weights == "poisson":
            return _poisson_numbers(self.seed, begin, end, tuple(portion.samples)).astype(np.float64)
        number, total = end - begin, portion.total
        times = np.full((number, 1), total, dtype=np.int32)
        if total > SPAN:  # of a resample of all samples, how many fall into each span
            sizes = np.diff(np.minimum(np.arange(0, total + SPAN, SPAN), total))
            whole = np.random.default_rng([self.seed, _BOOTSTRAP, begin])
            times = whole.multinomial(total, sizes / total, size=number).astype(np.int32)

        def drawn(rng: np.random.Generator, span: int, size: int) -> NDArray[np.integer]:
            ends = np.cumsum(times[:, span], dtype=np.int32)
            chosen = rng.integers(0, max(size, 1), ends[-1], dtype=np.int32)
            # A sparse matrix may have an entry several times; spreading it out is faster than counting.
            once, pointers = np.ones(chosen.size, dtype=np.int16), np.append(np.int32(0), ends)
            return np.asarray(sparse.csr_array((once, chosen, pointers), shape=(number, size)).toarray())

        return self._by_span(_BOOTSTRAP, begin, portion, drawn).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Swaps(_Drawn):
    """Samples in which two runs are exchanged (1), each with probability one half."""

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw the weights of a portion, see `Weighing.draw`."""

        def drawn(rng: np.random.Generator, _: int, size: int) -> NDArray[np.uint8]:
            return rng.integers(0, 2, (end - begin, size), dtype=np.uint8)

        return self._by_span(_SWAPS, begin, portion, drawn).astype(np.float64)


@dataclass(frozen=True, eq=False)
class AllSwaps:
    """All exchanges of two runs in the units that weigh, without mirror images: the first one stays."""

    units: Marks

    @property
    def resamples(self) -> int:
        """Number of exchanges, the one that leaves all as it is among them."""
        return 1 << max(int(self.units.sum()) - 1, 0)

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Give the exchanges of a portion, see `Weighing.draw`."""
        bit = np.where(self.units, np.cumsum(self.units) - 2, -1)[portion.begin :][: len(portion.samples)]
        swapped = np.arange(begin, end)[:, None] >> np.maximum(bit, 0) & 1
        return np.where(bit < 0, 0.0, swapped)


def swaps_of(units: Marks, resamples: int, seed: int) -> Weighing:
    """Exchange two runs in all ways, if these are no more than the resamples, or at random."""
    every = AllSwaps(units)
    return every if every.resamples <= resamples else Swaps(resamples=resamples, seed=seed)


@dataclass(frozen=True)
class LeaveOneOut:
    """All samples but one, each left out once."""

    resamples: int

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Give the weights of a portion, see `Weighing.draw`."""
        places = portion.begin + np.arange(len(portion.samples))
        return np.not_equal.outer(np.arange(begin, end), places).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Halves(_Drawn):
    """Random halves of the samples."""

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw the weights of a portion, see `Weighing.draw`."""

        def drawn(rng: np.random.Generator, _: int, size: int) -> NDArray[np.uint8]:
            half = (np.arange(size) < size // 2).astype(np.uint8)
            return rng.permuted(np.tile(half, (end - begin, 1)), axis=1)

        return self._by_span(_HALVES, begin, portion, drawn).astype(np.float64)


def chunks(resamples: int) -> Iterator[tuple[int, int]]:
    """Begin and end of each chunk of resamples that are drawn together."""
    for begin in range(0, resamples, CHUNK):
        yield begin, min(begin + CHUNK, resamples)


def in_order(samples: Iterable[str]) -> tuple[str, ...]:
    """Sort samples in the order of drawing: by length, then identifier, so that "2" comes before "10"."""
    return tuple(sorted(sorted(samples), key=len))


def portions_of(samples: Sequence[str], size: int) -> list[tuple[slice, Portion]]:
    """Cut samples that are `in_order` into portions of at most `size`, each with its slice."""
    places = [slice(at, min(at + size, len(samples))) for at in range(0, max(len(samples), 1), size)]
    return [(place, Portion(place.start, len(samples), samples[place])) for place in places]


@lru_cache(maxsize=8)  # the same for all runs: 40 MB for 20,000 samples
def _poisson_numbers(seed: int, begin: int, end: int, samples: tuple[str, ...]) -> NDArray[np.uint8]:
    key = int(seed).to_bytes(8, "little")
    digests = b"".join(_digest(one, key) for one in samples)
    keys = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
    numbers = np.empty((end - begin, len(samples)), dtype=np.uint8)
    for first in range(begin, end, _ROWS):  # few at a time: 64-bit numbers of all would take 200 MB
        last = min(first + _ROWS, end)
        steps = np.arange(first + 1, last + 1, dtype=np.uint64) * _GOLDEN
        uniform = (_scatter_keys(keys + steps[:, None]) >> np.uint64(11)) * 2.0**-53
        numbers[first - begin : last - begin] = np.searchsorted(_POISSON, uniform, side="right")
    return numbers


def _digest(sample: str, seed: bytes) -> bytes:
    return blake2b(sample.encode("utf-8", "surrogatepass"), digest_size=8, key=seed).digest()


def _scatter_keys(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter keys over all integers of 64 bits: the finaliser of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


_POISSON = np.exp(-1) * np.cumsum(1.0 / np.cumprod([1.0, *range(1, 19)]))
"""Probability that a Poisson number of mean 1 is at most 0, 1, 2, ..."""


ROUNDING = 1e-12
"""Scores that differ by at most this are equal."""


class Interval(NamedTuple):
    """Lower and upper ends of the bootstrap intervals of scores."""

    low: Numbers
    high: Numbers


def interval(
    replicates: Numbers, scores: Numbers, *, level: float = 0.95, method: IntervalMethod = "percentile"
) -> Interval:
    """Compute percentiles of replicates, or those with the bias corrected."""
    one_of("interval", method, get_args(IntervalMethod))
    level = open_unit_interval("level", level)
    defined = np.isfinite(scores) & ((~np.isnan(replicates)).sum(axis=0) > 1)
    tails = np.broadcast_to([[0.5 - level / 2], [0.5 + level / 2]], (2, defined.sum()))
    inside = replicates[:, defined]
    if method == "bca":
        tails = _bias_corrected(inside, scores[defined], tails)
    bounds = np.full((2, *scores.shape), np.nan)
    bounds[:, defined] = _quantiles(inside, tails)
    return Interval(bounds[0], bounds[1])


def logit_interval(
    scores: Numbers,
    replicates: Numbers,
    errors: Numbers,
    bounds: Sequence[tuple[float, float]],
    *,
    units: int,
    level: float,
) -> Interval:
    """Compute intervals of scores, measures last: the logit of score − bias, ± t standard errors.

    The bias is that of the replicates, whose standard deviation stands in where an error is undefined. The
    bounds are those of each measure; where one is infinite, nothing is transformed.
    """
    from scipy.special import expit, logit, stdtrit

    number = (~np.isnan(replicates)).sum(axis=0)
    lowest, highest = np.reshape(bounds, (-1, 2)).T
    width = np.where(np.isfinite(highest - lowest), highest - lowest, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(replicates, axis=0) / number
        spread = np.sqrt(np.nansum((replicates - mean) ** 2, axis=0) / np.maximum(number - 1, 0))
        away = stdtrit(units - 1, 0.5 + level / 2) * np.where(np.isnan(errors), spread, errors)
        score, middle = (scores - lowest) / width, (2 * scores - mean - lowest) / width
        middle = np.clip(middle, np.minimum(0.001, score), np.maximum(0.999, score))
        far = away / (width * middle * (1 - middle))
        ends = [lowest + width * expit(logit(middle) + side * far) for side in (-1, 1)]
        plain = [np.clip(2 * scores - mean + side * away, lowest, highest) for side in (-1, 1)]
        low, high = (np.where(np.isnan(one), other, one) for one, other in zip(ends, plain, strict=True))
        still = away <= ROUNDING
    low, high = (np.where(still, scores, end) for end in (low, high))
    return Interval(np.minimum(low, scores), np.maximum(high, scores))


def _bias_corrected(replicates: Numbers, scores: Numbers, tails: Numbers) -> Numbers:
    """Move the tails by the bias: Efron and Tibshirani (1993), equations 14.10 and 14.14, not accelerated."""
    from scipy.special import ndtr, ndtri

    # Ties count half, and what differs by rounding only is tied.
    above = scores - replicates
    above[np.abs(above) <= ROUNDING] = 0.0
    below = 0.5 + np.sign(above) / 2
    # At least half a resample is counted on each side, or the tails would move to infinity.
    least = 0.5 / (~np.isnan(replicates)).sum(axis=0)
    return np.asarray(ndtr(2 * ndtri(np.clip(np.nanmean(below, axis=0), least, 1 - least)) + ndtri(tails)))


def _quantiles(values: Numbers, shares: Numbers) -> Numbers:
    """Interpolate linearly between sorted values, column by column, nan left out."""
    ordered = np.sort(values, axis=0)  # nan last
    place = shares * ((~np.isnan(ordered)).sum(axis=0) - 1)
    below = np.floor(place).astype(np.intp)
    column = np.arange(values.shape[1])
    low = ordered[below, column]
    high = ordered[np.minimum(below + 1, len(ordered) - 1), column]
    part = place - below
    # Nothing can be interpolated next to an infinite value, so the bound may be too low.
    outer = np.stack([low[0], high[1]])
    with np.errstate(invalid="ignore"):
        between = np.where(np.isfinite(high - low), low + (high - low) * part, outer)
    return np.asarray(np.where(part > 0, between, low))
