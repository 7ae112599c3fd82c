"""Many resamples of many runs, beside scoring every resample anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer, cost
from ontoeval.comparison.replication import RunRows, replicates
from ontoeval.core.resampling import Bootstrap, portions_of

MEASURES = (
    *(f"{symbol}(average={average!r})" for average in ("micro", "macro", "samples") for symbol in "PRF"),
    "Jaccard",
    "Hamming",
    "ExactMatch",
)
RUNS, CONCEPTS, RESAMPLES = 10, 100, 1000
LABELLED = 0.1
RANKINGS = (("AUC", "AP", "EER"), ("Fmax(thresholds='distinct', propagate=False)",))
"""Measures that need all samples at once: of ranks, and of sums at all scores."""
STORED = 20


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
        Peer("every resample anew", _anew(truth, runs["0"], MEASURES, resamples * RUNS)),
        bar,
    )
    for correction in ("holm", "tukey"):
        ours = cost(partial(oe.compare, truth, runs, correction=correction, **plain), effort)
        yield Comparison(f"intervals and tests, {correction}", size, ours)

    for stored, amount in ((STORED, f"{STORED} scores per sample"), (CONCEPTS, "all scores")):
        scores = _scores(truth, stored, rng)
        for measures in RANKINGS:
            yield _ranked(truth, scores, measures, amount, resamples, effort)


def _scores(truth: np.ndarray, stored: int, rng: np.random.Generator) -> sparse.csr_array:
    """Score what is true higher, and keep the best of each sample."""
    scores = rng.random(truth.shape) + 0.3 * truth
    least = np.partition(scores, CONCEPTS - stored, axis=1)[:, [CONCEPTS - stored]]
    return sparse.csr_array(np.where(scores >= least, scores, 0.0))


def _ranked(
    truth: np.ndarray,
    scores: sparse.csr_array,
    measures: tuple[str, ...],
    amount: str,
    resamples: int,
    effort: Effort,
) -> Comparison:
    """Bootstrap measures of one run that cannot be summed."""
    few = max(5, resamples // 10)
    run = RunRows.from_evaluation(oe.evaluate(truth, oe.LabelScores.from_array(scores), measures=measures))
    return Comparison(
        f"bootstrap of {', '.join(measures)}",
        f"{len(truth):,} × {CONCEPTS}, {amount}, {few:,} resamples",
        cost(lambda: replicates([run], Bootstrap(resamples=few)), effort),
        Peer("every resample anew", _anew(truth, scores, measures, few)),
    )


def _anew(truth: Any, run: Any, measures: tuple[str, ...], wanted: int) -> Cost:  # noqa: ANN401 - sets or scores
    """Time a few resamples of one run, each scored by itself; they agree with ours."""
    few = 3
    bootstrap = Bootstrap(resamples=few)
    labels = oe.LabelScores if sparse.issparse(run) else oe.LabelSets
    evaluation = oe.evaluate(truth, labels.from_array(run), measures=measures)
    ours = replicates([RunRows.from_evaluation(evaluation)], bootstrap)[:, 0]
    ((_, portion),) = portions_of(evaluation.samples, len(truth))
    counts = bootstrap.draw(0, few, portion).astype(int)

    def theirs() -> list[list[float]]:
        rows = (np.repeat(np.arange(len(truth)), count) for count in counts)
        return [
            list(oe.evaluate(truth[drawn], labels.from_array(run[drawn]), measures=measures).scores.values())
            for drawn in rows
        ]

    np.testing.assert_allclose(ours, theirs(), atol=1e-12)
    return Cost(cost(theirs, Effort(0.1)).seconds * wanted / few)
