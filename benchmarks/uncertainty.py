"""Many resamples of many runs, beside scoring every resample anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer, cost
from ontoeval.replication import RunRows, replicates
from ontoeval.resampling import Bootstrap, portions_of

MEASURES = (
    *(f"{symbol}(average={average!r})" for average in ("micro", "macro", "samples") for symbol in "PRF"),
    "Jaccard",
    "Hamming",
    "ExactMatch",
)
RUNS, CONCEPTS, RESAMPLES = 10, 100, 1000
LABELLED = 0.1


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Bootstrap twelve measures of ten runs, then test all pairs."""
    samples = effort.of(10_000)
    rng = np.random.default_rng(0)
    truth = rng.random((samples, CONCEPTS)) < LABELLED
    runs = {str(run): truth ^ (rng.random(truth.shape) < (run + 1) / 100) for run in range(RUNS)}
    resamples = max(20, round(effort.share * RESAMPLES))
    size = f"{samples:,} × {CONCEPTS}, {RUNS} runs, {len(MEASURES)} measures, {resamples:,} resamples"
    plain: dict[str, Any] = {"measures": MEASURES, "resamples": resamples}
    bar = Bar(seconds=20, megabytes=1000)
    yield Comparison(
        "bootstrap intervals",
        size,
        cost(lambda: oe.compare(truth, runs, test="none", **plain), effort),
        Peer("every resample anew", _anew(truth, runs["0"], resamples)),
        bar,
    )
    for correction in ("holm", "tukey"):
        ours = cost(partial(oe.compare, truth, runs, correction=correction, **plain), effort)
        yield Comparison(f"intervals and tests, {correction}", size, ours)


def _anew(truth: np.ndarray, run: np.ndarray, resamples: int) -> Cost:
    """Time a few resamples of one run, each scored by itself; they agree with ours."""
    few = 5
    bootstrap = Bootstrap(resamples=few)
    evaluation = oe.evaluate(truth, run, measures=MEASURES)
    ours = replicates([RunRows.of(evaluation)], bootstrap)[:, 0]
    ((_, portion),) = portions_of(evaluation.samples, len(truth))
    counts = bootstrap.draw(0, few, portion).astype(int)

    def theirs() -> list[list[float]]:
        rows = (np.repeat(np.arange(len(truth)), count) for count in counts)
        return [
            list(oe.evaluate(truth[drawn], run[drawn], measures=MEASURES).scores.values()) for drawn in rows
        ]

    np.testing.assert_allclose(ours, theirs(), atol=1e-12)
    return Cost(cost(theirs, Effort(0.1)).seconds * RUNS * resamples / few)
