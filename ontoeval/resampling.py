"""Resampling: how often each sample counts when samples are drawn again, or runs exchanged.

Sums are additive, so every resample of the samples is a row of weights, and the sums of all resamples are
one product ``weights @ rows``, whatever the measure. Weights are drawn in chunks of resamples and portions
of samples, each from a stream of its own: they can be drawn again, alone, and in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.checks import whole_number
from ontoeval.errors import one_of

Weights = NDArray[np.float64]

CHUNK = 250
"""Resamples that are drawn together: with 20,000 samples 40 MB of weights."""

LARGEST_SEED = 2**64 - 1

_BOOTSTRAP, _SWAPS, _ORDERS, _HALVES = range(4)  # each kind draws from streams of its own
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Portion(NamedTuple):
    """Some of the samples.

    Parameters
    ----------
    which
        Position of the portion among all.
    sizes
        How many samples each of all portions has.
    samples
        Identifiers of its own samples.
    """

    which: int
    sizes: tuple[int, ...]
    samples: Sequence[str]


class Weighing(Protocol):
    """Draws weights of samples, one row per resample."""

    @property
    def resamples(self) -> int:
        """How many rows of weights there are in all."""
        ...

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw some rows: those of a chunk, see `chunks`.

        Parameters
        ----------
        begin
            The first.
        end
            Behind the last.
        portion
            The samples that they are wanted for.

        Returns
        -------
        ndarray of float
            One row per resample, one column per sample of the portion.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """Resamples that a seed determines.

    Parameters
    ----------
    resamples
        How many resamples.
    seed
        Where the random numbers begin.

    Raises
    ------
    ParameterError
        If there are no resamples, or the seed is no whole number.
    """

    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        object.__setattr__(self, "resamples", whole_number("resamples", self.resamples, 1))
        object.__setattr__(self, "seed", whole_number("seed", self.seed, most=LARGEST_SEED))


@dataclass(frozen=True, kw_only=True)
class Bootstrap(_Drawn):
    """Samples drawn with replacement.

    Parameters
    ----------
    resamples
        How many resamples.
    seed
        Where the random numbers begin.
    weights
        "multinomial" draws as many samples as there are, as the textbook has it. "poisson" gives each
        sample a weight that depends on its identifier and the seed alone, so that parts of the data
        can be resampled apart, in any order, and merged.

    Raises
    ------
    ParameterError
        If there are no resamples, the seed is no whole number, or the weights are of another kind.

    References
    ----------
    [efron1993]_, [chamandy2012]_

    Examples
    --------
    >>> Bootstrap(resamples=2).draw(0, 2, Portion(0, (4,), "abcd")).sum(axis=1)
    array([4., 4.])
    """

    weights: Literal["multinomial", "poisson"] = "multinomial"

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        super().__post_init__()
        one_of("weights", self.weights, ("multinomial", "poisson"))

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw how often each sample is there in each resample.

        Parameters
        ----------
        begin
            The first resample.
        end
            Behind the last.
        portion
            The samples that they are wanted for.

        Returns
        -------
        ndarray of float
            One row per resample, one column per sample of the portion.
        """
        return (self._poisson if self.weights == "poisson" else self._multinomial)(begin, end, portion)

    def _multinomial(self, begin: int, end: int, portion: Portion) -> Weights:
        size, total = len(portion.samples), sum(portion.sizes)
        times = np.full(end - begin, total)
        if len(portion.sizes) > 1:  # of a resample of all samples, how many fall into this portion
            shares = np.array(portion.sizes) / total
            whole = np.random.default_rng([self.seed, _BOOTSTRAP, begin])
            times = whole.multinomial(total, shares, size=end - begin)[:, portion.which]
        rng = np.random.default_rng([self.seed, _BOOTSTRAP, begin, portion.which])
        chosen = rng.integers(0, max(size, 1), int(times.sum()))
        chosen += np.repeat(np.arange(end - begin) * size, times)
        return (
            np.bincount(chosen, minlength=(end - begin) * size).reshape(end - begin, size).astype(np.float64)
        )

    def _poisson(self, begin: int, end: int, portion: Portion) -> Weights:
        seed = int(self.seed).to_bytes(8, "little")
        digests = b"".join(_digest(one, seed) for one in portion.samples)
        keys = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
        steps = np.arange(begin + 1, end + 1, dtype=np.uint64) * _GOLDEN
        uniform = (_mixed(keys + steps[:, None]) >> np.uint64(11)) * 2.0**-53
        return np.searchsorted(_POISSON, uniform, side="right").astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Swaps(_Drawn):
    """Samples in which two runs are exchanged, each with probability one half.

    Parameters
    ----------
    resamples
        How many times.
    seed
        Where the random numbers begin.
    """

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw 1 where the runs are exchanged and 0 elsewhere; see `Weighing.draw`."""
        rng = np.random.default_rng([self.seed, _SWAPS, begin, portion.which])
        return rng.integers(0, 2, (end - begin, len(portion.samples)), dtype=np.uint8).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Halves(_Drawn):
    """Random halves of the samples.

    Parameters
    ----------
    resamples
        How many times the samples are split.
    seed
        Where the random numbers begin.
    """

    def draw(self, begin: int, end: int, portion: Portion) -> Weights:
        """Draw 1 for the first half of the portion and 0 for the second; see `Weighing.draw`."""
        rng = np.random.default_rng([self.seed, _HALVES, begin, portion.which])
        size = len(portion.samples)
        half = (np.arange(size) < size // 2).astype(np.float64)
        return rng.permuted(np.tile(half, (end - begin, 1)), axis=1)


@dataclass(frozen=True, kw_only=True)
class Orders(_Drawn):
    """Orders of the runs, another one for each sample, as the randomised Tukey HSD exchanges them.

    Parameters
    ----------
    resamples
        How many times all samples are reordered.
    seed
        Where the random numbers begin.
    runs
        How many runs.

    Examples
    --------
    >>> sorted(Orders(runs=3).draw(0, 1, Portion(0, (1,), "a"))[0, 0].tolist())
    [0, 1, 2]
    """

    runs: int

    def draw(self, begin: int, end: int, portion: Portion) -> NDArray[np.integer]:
        """Draw which run stands in the place of each: resamples × samples × runs; see `Weighing.draw`."""
        rng = np.random.default_rng([self.seed, _ORDERS, begin, portion.which])
        small = np.uint8 if self.runs <= np.iinfo(np.uint8).max else np.intp
        straight = np.tile(np.arange(self.runs, dtype=small), (end - begin, len(portion.samples), 1))
        return rng.permuted(straight, axis=-1)


def chunks(resamples: int) -> Iterator[tuple[int, int]]:
    """Cut resamples into the chunks that are drawn together.

    Parameters
    ----------
    resamples
        How many.

    Yields
    ------
    tuple of two ints
        The first of each chunk, and the one behind its last.

    Examples
    --------
    >>> list(chunks(300))
    [(0, 250), (250, 300)]
    """
    for begin in range(0, resamples, CHUNK):
        yield begin, min(begin + CHUNK, resamples)


def portions_of(samples: Sequence[str], size: int) -> list[tuple[slice, Portion]]:
    """Cut samples into portions.

    Parameters
    ----------
    samples
        Identifiers of all samples.
    size
        Most samples in a portion.

    Returns
    -------
    list of tuples
        Where each portion lies, and what it holds; one empty portion where there are no samples.

    Examples
    --------
    >>> [place for place, _ in portions_of("abc", 2)]
    [slice(0, 2, None), slice(2, 3, None)]
    """
    places = [slice(at, min(at + size, len(samples))) for at in range(0, max(len(samples), 1), size)]
    sizes = tuple(place.stop - place.start for place in places)
    return [(place, Portion(which, sizes, samples[place])) for which, place in enumerate(places)]


def _digest(sample: str, seed: bytes) -> bytes:
    return blake2b(sample.encode("utf-8", "surrogatepass"), digest_size=8, key=seed).digest()


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter keys over all integers of 64 bits: the finaliser of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


_POISSON = np.exp(-1) * np.cumsum(1.0 / np.cumprod([1.0, *range(1, 19)]))
"""Probability that a Poisson number of mean 1 is at most 0, 1, 2, ..."""
