"""How often intervals hold the true score, and tests err: ``python -m benchmarks.simulation``, some minutes.

Data sets are drawn from a population whose scores are known. Of the 95 % intervals, 93 to 97 of a hundred
should hold the population's score; where two runs are drawn from the same source, a test at 5 % should find
a difference in 4 to 6 of a hundred data sets. Where labels are rare, intervals hold the score less often:
that is shown as well, and how often `Comparison.notes` warns of it; and for annotators of concepts that are
rare, or on which they seldom disagree, and how often `AnnotatorAgreement.notes` warns of that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import ontoeval as oe
from ontoeval.annotators.agreement import doubtful
from ontoeval.annotators.concept_agreement import estimates
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.votes import Votes
from ontoeval.comparison.plan import Plan
from ontoeval.comparison.replication import RunRows, jackknife_moments, replicates
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.resampling import Bootstrap, interval

MEASURES = (
    "F",
    "F(average='macro')",
    "tKappa",
    "F(average='samples')",
    "Jaccard",
    "Hamming",
    "OS",
    "hF",
)
HIERARCHY = oe.Hierarchy.from_edges(
    [("root", "a"), ("root", "b"), ("root", "c"), ("a", "d"), ("a", "e"), ("b", "f"), ("b", "g")]
)
FEW = (30, 50, 100)
METHODS = ("percentile", "expanded", "bca")
"""Percentiles as they are, expanded as `compare` has them, and corrected."""
CONCEPTS = len(HIERARCHY.vocabulary)
POPULATION = 100_000
RARE_MEASURES = ("F", "F(average='macro', undefined=0.0)", "AUC", "AP")
RARE = np.geomspace(0.3, 0.004, 40)
"""How often each label is true, where many are rare."""


ANNOTATORS = (3, 5, 10)
SEEN = (
    *((present, 0.8, 0.99) for present in (0.01, 0.02, 0.03, 0.05, 0.1)),
    (0.3, 0.8, 0.9),
    *((present, 0.95, 0.999) for present in (0.05, 0.1)),
)
"""How often concepts are there, how likely annotators see them, and how likely none where none is."""


class Share(NamedTuple):
    """How often something happened.

    Parameters
    ----------
    what
        Interval or test.
    measure
        Of which measure.
    share
        In what share of the data sets.
    low, high
        What the share should lie between.
    width
        Mean width of the intervals.
    """

    what: str
    measure: str
    share: float
    low: float
    high: float
    width: float = np.nan


def coverage(trials: int, samples: int, seed: int = 0) -> Iterator[Share]:
    """Draw data sets from a population: how often intervals hold its scores, and their widths."""
    rng = np.random.default_rng(seed)
    truth, prediction = _labels(rng, POPULATION, runs=1)
    known = np.array(list(_evaluate(truth, prediction).scores.values()))
    held, widths = np.zeros((2, len(METHODS), len(MEASURES)))
    for trial in range(trials):
        drawn = rng.integers(0, POPULATION, samples)
        rows = RunRows.from_evaluation(_evaluate(truth[drawn], prediction[drawn]))
        scores = replicates([rows], Bootstrap(resamples=1000, seed=seed + trial))[:, 0]
        moments = jackknife_moments(rows)
        for at, method in enumerate(METHODS):
            widened = samples if method == "expanded" else 0
            kind: IntervalMethod = "bca" if method == "bca" else "percentile"
            low, high = interval(scores, rows.score, moments, method=kind, samples=widened)
            held[at] += (low <= known) & (known <= high)
            widths[at] += high - low
    for at, method in enumerate(METHODS):
        what = f"95 % interval of {samples} samples, {method}"
        for measure, count, width in zip(MEASURES, held[at], widths[at], strict=True):
            yield Share(what, measure, float(count) / trials, 0.93, 0.97, float(width) / trials)


def coverage_of_rare(trials: int, samples: int, seed: int = 0) -> Iterator[Share]:
    """Do the same with scores for labels many of which are rare; and count how often a note warns of it."""
    rng = np.random.default_rng(seed)
    truth, prediction = _scores(rng, POPULATION)
    known = np.array(
        list(oe.evaluate(truth, prediction, measures=RARE_MEASURES, threshold=1.5).scores.values())
    )
    for method in ("percentile", "bca"):
        plan = Plan(resamples=500, interval=method, test="none", seed=seed)
        held, told = np.zeros((2, len(RARE_MEASURES)))
        for _ in range(trials):
            drawn = rng.integers(0, POPULATION, samples)
            runs = {"run": oe.LabelScores.from_array(prediction.matrix[drawn])}
            found = oe.compare(truth[drawn], runs, measures=RARE_MEASURES, threshold=1.5, plan=plan)
            held += (found.low[0] <= known) & (known <= found.high[0])
            told += [any(f"{name} (" in note for note in found.notes) for name in found.measures]
        for measure, count, notes in zip(RARE_MEASURES, held, told, strict=True):
            yield Share(f"95 % interval of rare labels, {method}", measure, float(count) / trials, 0.93, 0.97)
            yield Share("of these with a note", measure, float(notes) / trials, 0.0, 1.0)


def coverage_of_agreement(trials: int, samples: int = 200, seed: int = 0) -> Iterator[Share]:
    """Draw annotators of concepts, and count the intervals that hold how far they agree, and the warnings."""
    rng = np.random.default_rng(seed)
    for number, (present, sensitivity, specificity) in product(ANNOTATORS, SEEN):
        seen = present * sensitivity + (1 - present) * (1 - specificity)
        together = present * sensitivity**2 + (1 - present) * (1 - specificity) ** 2
        known = (together - seen**2) / (seen - seen**2)
        truth = rng.random((samples, 1, trials)) < present
        rates = np.where(truth, sensitivity, 1 - specificity)
        said = rng.random((samples, number, trials)) < rates
        names = [str(trial) for trial in range(trials)]
        drawn = oe.Annotations.from_sets(
            {str(who): oe.LabelSets.from_array(said[:, who], vocabulary=names) for who in range(number)}
        )
        found = estimates(drawn, Votes.from_annotations(drawn), AgreementOptions(resamples=500, seed=seed))
        seen_by_most, disputed = found.basis.rarer.mean(), found.basis.disputed.mean()
        where = (
            f"{number} annotators, majority in {seen_by_most:.0f}, disagree in {disputed:.0f} of {samples}"
        )
        for name in ("cohen", "alpha"):
            one = found.concepts[name]
            held = ((one.low <= known) & (known <= one.high))[np.isfinite(one.value)]
            yield Share(f"95 % interval, {where}", name, float(held.mean()), 0.93, 0.97)
        told = doubtful(found)[np.isfinite(found.concepts["alpha"].value)]
        yield Share("of these with a note", "", float(told.mean()), 0.0, 1.0)


def errors(trials: int, samples: int, seed: int = 0, runs: int = 3) -> Iterator[Share]:
    """Draw runs that are equally good, and count the data sets in which a test tells two of them apart."""
    tests = {
        "randomisation": Plan(resamples=399, correction="none"),
        "bootstrap": Plan(resamples=399, test="bootstrap", correction="none"),
        f"any of {runs} runs, Tukey": Plan(resamples=399),
        f"any of {runs} runs, Holm": Plan(resamples=399, correction="holm"),
    }
    for what, plan in tests.items():
        rng = np.random.default_rng(seed)
        wrong = np.zeros(len(MEASURES))
        for trial in range(trials):
            truth, *predictions = _labels(rng, samples, runs=runs if "any" in what else 2)
            named = {str(number): prediction for number, prediction in enumerate(predictions)}
            options = {name: getattr(plan, name) for name in ("resamples", "test", "correction")}
            found = oe.compare(truth, named, hierarchy=HIERARCHY, measures=MEASURES, seed=trial, **options)
            wrong += np.nanmin(found.adjusted, axis=(1, 2)) <= plan.alpha
        # Holm's procedure is allowed to err less often.
        low = 0.0 if "Holm" in what else 0.04
        for measure, count in zip(MEASURES, wrong, strict=True):
            yield Share(f"error of the test: {what}", measure, float(count) / trials, low, 0.06)


def _labels(rng: np.random.Generator, samples: int, *, runs: int) -> list[NDArray[np.bool_]]:
    """Draw true labels, and runs that err more on some samples than on others."""
    truth = rng.random((samples, CONCEPTS)) < np.linspace(0.15, 0.5, CONCEPTS)
    rate = rng.beta(1, 4, (samples, 1))
    return [truth, *(truth ^ (rng.random(truth.shape) < rate) for _ in range(runs))]


def _scores(rng: np.random.Generator, samples: int) -> tuple[NDArray[np.bool_], oe.LabelScores]:
    """Draw true labels, many of them rare, and scores that are higher for these."""
    truth = rng.random((samples, len(RARE))) < RARE
    return truth, oe.LabelScores.from_array(1.5 * truth + rng.normal(size=truth.shape))


def _evaluate(truth: NDArray[np.bool_], prediction: NDArray[np.bool_]) -> oe.evaluation.Evaluation:
    return oe.evaluate(truth, prediction, hierarchy=HIERARCHY, measures=MEASURES)


def as_table(shares: Iterator[Share]) -> Table:
    """Lay the shares out."""
    table = Table("what", "measure", "share", "should be", "is", "mean width", box=None)
    for one in shares:
        width = "" if np.isnan(one.width) else f"{one.width:.3f}"
        met = "yes" if one.low <= one.share <= one.high else "no"
        table.add_row(
            one.what, one.measure, f"{one.share:.1%}", f"{one.low:.0%} to {one.high:.0%}", met, width
        )
    return table


def main(arguments: list[str] | None = None) -> None:
    """Simulate, then print all tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--trials", type=int, default=4000, help="how many data sets are drawn (4000)")
    parser.add_argument("--samples", type=int, default=200, help="samples of each data set (200)")
    given = parser.parse_args(arguments)
    console = Console(width=120, highlight=False)
    for samples in (*FEW, given.samples):
        console.print(as_table(coverage(given.trials, samples)))
    console.print(as_table(coverage_of_rare(given.trials // 10, 2 * given.samples)))
    console.print(as_table(coverage_of_agreement(given.trials // 10)))
    console.print(as_table(errors(given.trials, given.samples)))


if __name__ == "__main__":
    main()
