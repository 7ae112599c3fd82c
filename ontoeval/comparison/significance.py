"""Significance of differences of runs: one family of pairs, tested by step-down max-T."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.products import RowProducts
from ontoeval.comparison.replication import RunRows, StepCallback, weighted
from ontoeval.core.resampling import ROUNDING, AllSwaps, Weighing
from ontoeval.plumbing.arrays import Numbers

Blocks = Callable[[], Iterable[Numbers]]
"""Gives differences of pairs that do not differ, anew with each call: resamples × pairs × measures."""

FEWEST = 6
"""Fewest samples, or groups, that are tested: exchanges of five have no p-value below 2 / 2^5."""

_KEPT = 32_000_000
"""Most differences that are kept rather than computed twice: 256 MB."""

_AT_ONCE = 4_000_000
"""Differences that are ordered at a time: 32 MB."""


@dataclass(frozen=True, eq=False)
class Family:
    """Pairs that are tested together: all runs that differ, and each of them with each baseline."""

    members: list[int]
    """Positions of the runs and baselines, one of all that predict the same."""
    pairs: list[tuple[int, int]]
    """Pairs of members."""
    places: list[int]
    """Place of each run among the members; -1 where it is not tested."""

    @classmethod
    def from_runs(
        cls,
        runs: Sequence[str],
        baselines: Collection[str],
        untested: Collection[str],
        same: Iterable[Sequence[str]],
    ) -> Family:
        """Pair runs with each other and with the baselines, which come last."""
        first = {run: alike[0] for alike in same for run in alike}
        named = {run: first.get(run, run) for run in runs if run not in untested}
        members = list(dict.fromkeys(named.values()))
        own = sum(name not in baselines for name in members)
        pairs = [(a, b) for a, b in combinations(range(len(members)), 2) if a < own]
        places = [members.index(named[run]) if run in named else -1 for run in runs]
        return cls([runs.index(name) for name in members], pairs, places)

    def table(self, values: Numbers) -> Numbers:
        """Spread values, pairs × measures: measures × runs × runs, nan where nothing is tested."""
        found = np.full((values.shape[1], len(self.members) + 1, len(self.members) + 1), np.nan)
        if self.pairs:
            a, b = np.transpose(self.pairs)
            found[:, a, b] = found[:, b, a] = values.T
        return found[:, np.array(self.places)[:, None], self.places]

    def differences(self, scores: Numbers) -> Numbers:
        """Subtract the scores of each pair: ... × pairs × measures."""
        a, b = np.array(self.pairs, dtype=np.intp).reshape(-1, 2).T
        chosen = scores[..., self.members, :]
        return np.asarray(chosen[..., a, :] - chosen[..., b, :])


def randomisation(
    runs: Sequence[RunRows], family: Family, swaps: Weighing, step: StepCallback = lambda: None
) -> tuple[Numbers, Numbers]:
    """Raw and adjusted p-values, pairs × measures, by exchanging two runs in random samples.

    The null hypothesis is that it makes no difference which run labelled a sample. The test is of the whole
    measure, not of a mean over samples: the sums of an exchanged run are its own over the samples that are
    kept, and those of the other run over the samples that are swapped. All pairs have the same exchanges.
    """
    members = [runs[at] for at in family.members]

    products, steps = RowProducts.from_runs(members), chain([step], repeat(lambda: None))

    def blocks() -> Iterator[Numbers]:
        arranged = partial(_exchanged, family.pairs)
        for *_, found in weighted(members, swaps, arranged, next(steps), complement=True, products=products):
            yield found[:, ::2] - found[:, 1::2]

    differences = family.differences(np.stack([run.score for run in runs]))
    kept = list(blocks()) if swaps.resamples * differences.size <= _KEPT else None
    counts = step_down(differences, blocks if kept is None else lambda: kept)
    return _p_values(counts, differences, swaps.resamples, whole=isinstance(swaps, AllSwaps))


def _exchanged(
    pairs: Sequence[tuple[int, int]],
    swapped: Sequence[NDArray[Any]],
    totals: Sequence[NDArray[Any]],
    kept: Sequence[NDArray[Any]] | None,
) -> Iterator[NDArray[Any]]:
    """Add up both runs of each pair after an exchange; equal rows need none."""
    for a, b in pairs:
        if swapped[a] is swapped[b]:
            yield from (totals[a], totals[b])
        elif kept is None:
            moved = swapped[b] - swapped[a]
            yield from (totals[a] + moved, totals[b] - moved)
        else:
            yield from (kept[a] + swapped[b], kept[b] + swapped[a])


def bootstrap_test(family: Family, scores: Numbers, replicates: Numbers) -> tuple[Numbers, Numbers]:
    """Raw and adjusted p-values, pairs × measures, by the bootstrap of each difference, shifted to 0."""
    differences = family.differences(scores)
    parts = np.array_split(replicates, 1 + len(replicates) * differences.size // _AT_ONCE)
    counts = step_down(differences, lambda: (family.differences(part) - differences for part in parts))
    return _p_values(counts, differences, len(replicates))


def _p_values(
    counts: tuple[Numbers, Numbers], differences: Numbers, resamples: int, *, whole: bool = False
) -> tuple[Numbers, Numbers]:
    """Shares of the resamples; all exchanges hold the runs as they are, random ones may not."""
    undefined = np.where(np.isnan(differences), np.nan, 0.0)
    raw, adjusted = (undefined + (count + (not whole)) / (resamples + (not whole)) for count in counts)
    return raw, adjusted


def step_down(differences: Numbers, blocks: Blocks) -> tuple[Numbers, Numbers]:
    """Count resamples beyond the differences, pairs × measures: of each pair, and of the step-down maximum.

    Each pair is scaled by the root of the mean square of its own resamples, so that other pairs cannot hide
    it; and the largest of a resample is that of the pairs which are not farther out [westfall1993]_.
    """
    squares, number = np.zeros((2, *differences.shape))
    for block in blocks():
        squares += np.nansum(block**2, axis=0)
        number += np.isfinite(block).sum(axis=0)
    scale = np.sqrt(squares / np.maximum(number, 1))
    scale[scale <= ROUNDING] = np.inf  # what no exchange changes is no difference
    limit = np.abs(differences) / scale
    out = np.isnan(limit)
    limit[out] = -np.inf
    order = np.argsort(limit, axis=0, kind="stable")
    ordered = np.take_along_axis(limit, order, axis=0)
    alone, most = np.zeros((2, *limit.shape))
    for block in chain.from_iterable(np.array_split(one, 1 + one.size // _AT_ONCE) for one in blocks()):
        far = (np.abs(block) + ROUNDING) / scale
        lost = np.isnan(far)  # counts against its own pair
        alone += (lost | (far >= limit)).sum(axis=0)
        far[lost | out] = -np.inf
        far, lost = (np.take_along_axis(one, order[None], axis=1) for one in (far, lost))
        most += (lost | (np.maximum.accumulate(far, axis=1) >= ordered)).sum(axis=0)
    adjusted = np.empty_like(most)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(most[::-1], axis=0)[::-1], axis=0)
    return alone, adjusted
