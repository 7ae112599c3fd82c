"""How often intervals hold the true score, tests err, and the best run is found: of the product itself.

``python -m benchmarks.simulation --quick`` takes two minutes, and without ``--quick`` two hours. Data sets
are drawn from a population whose scores are known. Of the 95 % intervals, 93 to 97 of a hundred should hold
the population's score. Where runs are equally good, some two of them should differ significantly in 5 of a
hundred data sets, however many runs there are, alike or far away. Power is how often the best run is told
from the second. Noise should fit a criterion in 5 of a hundred studies, and of equal runs nothing be said.
Where labels are rare, intervals hold the score less often, of which `Comparison.notes`
warns; and for annotators of concepts that are rare, or on which they seldom disagree, the notes of agreement.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import ontoeval as oe
from ontoeval.annotators.agreement import doubtful
from ontoeval.annotators.concept_agreement import estimates
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.votes import Votes
from ontoeval.reports.verdicts import of_study

Rows = NDArray[np.bool_]
MEASURES = ("F", "F(average='macro')", "F(average='samples')", "tKappa", "Hamming", "OS", "hF")
TESTED = ("F(average='samples')", "F", "F(average='macro')")
HIERARCHY = oe.Hierarchy.from_edges(
    [("root", "a"), ("root", "b"), ("root", "c"), ("a", "d"), ("a", "e"), ("b", "f"), ("b", "g")]
)
FEW = (30, 100)
LABELS = {
    "8 labels in 15 to 50 %": np.linspace(0.15, 0.5, 8),
    "15 labels in 12 to 25 %": np.linspace(0.12, 0.25, 15),
    "15 labels in 2 to 50 %": np.geomspace(0.02, 0.5, 15),
    "15 labels in 2 to 10 %": np.geomspace(0.02, 0.1, 15),
}
"""In what share of the samples each label is true."""
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


def coverage(
    trials: int, samples: int, labels: str = "8 labels in 15 to 50 %", seed: int = 0
) -> Iterator[Share]:
    """Draw data sets from a population: how often intervals of scores and differences hold, how wide."""
    rng, over = np.random.default_rng(seed), len(LABELS[labels]) == len(HIERARCHY.vocabulary)
    measures = MEASURES if over else TESTED
    truth = rng.random((POPULATION, len(LABELS[labels]))) < LABELS[labels]
    runs = [truth ^ (rng.random(truth.shape) < rng.beta(1, 4, (POPULATION, 1))) for _ in range(2)]
    how: dict[str, Any] = {"measures": measures, "hierarchy": HIERARCHY if over else None}
    known = np.array([list(oe.evaluate(truth, run, **how).scores.values()) for run in runs])
    held, widths, shown = np.zeros((3, 2, len(measures)))
    for trial in range(trials):
        drawn = rng.integers(0, POPULATION, samples)
        named = {str(at): run[drawn] for at, run in enumerate(runs)}
        found = oe.compare(truth[drawn], named, baselines=(), resamples=1000, seed=trial, test="none", **how)
        rows = [row[3:6] for row in found.tables()["pairs"].rows]
        apart = np.array([[low, high] for _, low, high in rows], dtype=np.float64).T
        ends = np.stack([np.stack([found.low[0], found.high[0]]), apart], axis=1)
        known_ends = np.stack([known[0], known[0] - known[1]])
        held += (ends[0] <= known_ends) & (known_ends <= ends[1])
        widths += np.nan_to_num(ends[1] - ends[0])
        shown += np.isfinite(ends[0])
    for which, kind in enumerate(("score", "difference")):
        for at, measure in enumerate(measures):
            if shown[which, at]:
                number = float(shown[which, at])
                what = f"interval of a {kind}, {samples} samples, {labels}"
                yield Share(what, measure, held[which, at] / number, 0.93, 0.97, widths[which, at] / number)


GROUPS = (5, 10, 30)
"""Numbers of groups."""


def coverage_of_groups(trials: int, groups: int, seed: int = 0) -> Iterator[Share]:
    """Draw groups of 3 to 60 samples which differ in how often a run errs: how often intervals hold."""
    rng = np.random.default_rng(seed)

    def drawn(number: int) -> tuple[Rows, Rows, list[int]]:
        sizes = rng.integers(3, 61, number)
        truth = rng.random((sizes.sum(), 8)) < LABELS["8 labels in 15 to 50 %"]
        wrong = rng.random(truth.shape) < np.repeat(rng.beta(8, 32, number), sizes)[:, None]
        return truth, truth ^ wrong, np.repeat(np.arange(number), sizes).tolist()

    truth, run, group = drawn(3000)
    known = np.array(list(oe.evaluate(truth, run, measures=TESTED, groups=group).scores.values()))
    held, widths = np.zeros((2, len(TESTED)))
    for trial in range(trials):
        truth, run, group = drawn(groups)
        how: dict[str, Any] = {"baselines": (), "resamples": 1000, "seed": trial}
        found = oe.compare(truth, {"run": run}, measures=TESTED, groups=group, **how)
        held += (found.low[0] <= known) & (known <= found.high[0])
        widths += found.high[0] - found.low[0]
    for at, measure in enumerate(TESTED):
        yield Share(f"interval, {groups} groups", measure, held[at] / trials, 0.93, 0.97, widths[at] / trials)


def coverage_of_rare(trials: int, samples: int, seed: int = 0) -> Iterator[Share]:
    """Do the same with scores for labels many of which are rare; and count how often a note warns of it."""
    rng = np.random.default_rng(seed)
    truth, prediction = _scores(rng, POPULATION)
    known = np.array(
        list(oe.evaluate(truth, prediction, measures=RARE_MEASURES, threshold=1.5).scores.values())
    )
    plan, held, told, shown = (
        oe.Plan(resamples=500, test="none", seed=seed),
        *np.zeros((3, len(RARE_MEASURES))),
    )
    for _ in range(trials):
        drawn = rng.integers(0, POPULATION, samples)
        runs = {"run": oe.LabelScores.from_array(prediction.matrix[drawn])}
        found = oe.compare(truth[drawn], runs, measures=RARE_MEASURES, threshold=1.5, plan=plan)
        held += (found.low[0] <= known) & (known <= found.high[0])
        shown += np.isfinite(found.low[0])
        told += [any(name in note for note in found.notes) for name in found.measures]
    for at, measure in enumerate(RARE_MEASURES):
        number = max(float(shown[at]), 1.0)
        yield Share("interval of rare labels", measure, held[at] / number, 0.93, 0.97)
        yield Share("which are shown", measure, shown[at] / trials, 0.0, 1.0)
        yield Share("with a note", measure, told[at] / trials, 0.0, 1.0)


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


class Runs(NamedTuple):
    """Runs of one data set.

    Parameters
    ----------
    truth
        The true labels.
    runs
        The runs.
    alike
        Which runs are equally good have the same number.
    group
        Groups of the samples.
    """

    truth: Rows
    runs: Sequence[Rows]
    alike: Sequence[int]
    group: Sequence[int] | None = None


GOOD, BEST, POOR = 0.34, 0.28, 0.6
"""How often runs miss a label."""
VARIED = 0.15
"""In what share of the samples a variant of a team's run differs."""
NEAR = 0.01
"""In what share of the samples a near copy differs."""


def equal(rng: np.random.Generator, samples: int, runs: int, group: Sequence[int] | None = None) -> Runs:
    """Draw runs that are equally good."""
    truth, *found = _runs(rng, samples, [GOOD] * runs)
    return Runs(truth, found, [0] * runs, group)


def copies(rng: np.random.Generator, samples: int, runs: int) -> Runs:
    """Draw two runs that are equally good, and copies of one that differ in one sample of a hundred."""
    truth, one, other = _runs(rng, samples, [GOOD] * 2)
    again = [
        np.where(rng.random((samples, 1)) < NEAR, _runs(rng, samples, [GOOD], truth)[1], one)
        for _ in range(runs)
    ]
    return Runs(truth, [other, one, *again], [0] * (2 + runs))


def partial_null(rng: np.random.Generator, samples: int) -> Runs:
    """Draw three good runs, three poor ones, and an empty one."""
    truth, *found = _runs(rng, samples, [GOOD] * 3 + [POOR] * 3)
    return Runs(truth, [*found, np.zeros_like(truth)], [0] * 3 + [1] * 3 + [2])


def grouped(rng: np.random.Generator, samples: int) -> Runs:
    """Draw four equal runs of which samples lie in 15 groups of unequal sizes."""
    shares = rng.lognormal(size=15)
    more = rng.choice(15, samples - 15, p=shares / shares.sum())
    return equal(rng, samples, 4, [*range(15), *more.tolist()])


def one_better(rng: np.random.Generator, samples: int, runs: int, poor: int = 0, empty: int = 0) -> Runs:
    """Draw runs of which the first is better than the others, poorer ones, and empty ones."""
    truth, *found = _runs(rng, samples, [BEST] + [GOOD] * (runs - 1) + [POOR] * poor)
    empties = [np.zeros_like(truth)] * empty
    return Runs(truth, [*found, *empties], [0] + [1] * (runs - 1) + [2] * poor + [3] * empty)


NULLS: dict[str, Callable[[np.random.Generator, int], Runs]] = {
    "2 equal runs": partial(equal, runs=2),
    "4 equal runs": partial(equal, runs=4),
    "12 equal runs": partial(equal, runs=12),
    "2 equal runs, 5 near copies": partial(copies, runs=5),
    "2 equal runs, 10 near copies": partial(copies, runs=10),
    "3 good, 3 poor, 1 empty": partial_null,
    "4 equal runs, 15 unequal groups": grouped,
}
"""Runs of which some are equally good."""

BETTER: dict[str, Callable[[np.random.Generator, int], Runs]] = {
    "4 runs": partial(one_better, runs=4),
    "4 runs, 1 empty": partial(one_better, runs=4, empty=1),
    "12 runs, 4 poor, 1 empty": partial(one_better, runs=12, poor=4, empty=1),
}
"""Runs of which the first is the best."""


def errors(trials: int, samples: int, scenario: str, seed: int = 0) -> Iterator[Share]:
    """Count the data sets in which some two runs that are equally good differ, and where all ranks hold."""
    wrong, ranked = np.zeros((2, len(TESTED)))
    for drawn, found in _compared(trials, samples, NULLS[scenario], seed):
        alike = np.array(drawn.alike)
        null = alike[:, None] == alike
        wrong += (null & (found.adjusted < found.plan.alpha)).any(axis=(1, 2))
        best = [1 + (alike < one).sum() for one in alike]  # ties: both ends lie inside
        worst = [(alike <= one).sum() for one in alike]
        low, high = np.moveaxis(found.rank_intervals, -1, 0)
        inside = (low <= np.array(best)[:, None]) & (high >= np.array(worst)[:, None])
        ranked += inside.all(axis=0)
    for measure, count, held in zip(TESTED, wrong, ranked, strict=True):
        yield Share(f"error, {samples} samples, {scenario}", measure, count / trials, 0.0, 0.07)
        yield Share("all ranks held", measure, held / trials, 0.93, 1.0)


def power(trials: int, samples: int, scenario: str, seed: int = 0) -> Iterator[Share]:
    """Count the data sets in which the best run is told from the second."""
    told = np.zeros(len(TESTED))
    for _, found in _compared(trials, samples, BETTER[scenario], seed):
        told += found.adjusted[:, 0, 1] < found.plan.alpha
    for measure, count in zip(TESTED, told, strict=True):
        yield Share(f"power, {samples} samples, {scenario}", measure, count / trials, 0.0, 1.0)


TEAMS = {
    "20 × 1": [1] * 20,
    "6 × 3": [3] * 6,
    "5 × 4": [4] * 5,
    "4 × 8": [8] * 4,
    "1, 1, 2, 3, 5, 8": [1, 1, 2, 3, 5, 8],
}
"""Numbers of runs of each team."""
RANKING = ("F", "P", "R", "Jaccard", "F(average='macro')", "Hamming")


def criteria(trials: int, teams: str, *, near: bool, seed: int = 0) -> Iterator[Share]:
    """Count the studies that fit a criterion which is noise of the teams, or near F, by teams and by runs."""
    found = np.zeros(3)
    for trial in range(trials):
        rng = np.random.default_rng([seed, trial])
        truth, named, own, worth = (
            _runs(rng, 60, [])[0],
            dict[str, Rows](),
            dict[str, str](),
            dict[str, float](),
        )
        for team, size in enumerate(TEAMS[teams]):
            missed, luck = rng.uniform(0.1, 0.5), rng.normal()
            base = _runs(rng, 60, [missed], truth)[1]
            for number in range(size):
                variant = _runs(rng, 60, [missed], truth)[1]
                run = f"{team}-{number}"
                named[run], own[run] = np.where(rng.random((60, 1)) < VARIED, variant, base), str(team)
                right = 2 * (truth & named[run]).sum() / (truth.sum() + named[run].sum())
                worth[run] = 20 * right + rng.normal(0, 0.6) if near else luck + rng.normal(0, 0.3)
        how: dict[str, Any] = {"measures": RANKING, "resamples": 199, "changes": None, "criterion": worth}
        by_team = oe.study(truth, named, teams=own, correlations="tau_b", seed=trial, **how).criterion
        by_run = oe.study(truth, named, correlations="tau_b", seed=trial, **how).criterion
        assert by_team is not None and by_run is not None  # noqa: S101, PT018 - a criterion was given
        found += [p < 0.05 for p in (by_team.p_chance, by_team.p_reverse, by_run.p_chance)]  # noqa: PLR2004 - the level
    what = f"a criterion near F, {teams} teams" if near else f"a criterion of noise, {teams} teams"
    for kind, count in zip(("fitted", "fitted in reverse", "fitted, runs as teams"), found, strict=True):
        yield Share(f"{what}: {kind}", "", count / trials, 0.0, 1.0 if near or "runs" in kind else 0.1)


def studies(trials: int, runs: int, seed: int = 0) -> Iterator[Share]:
    """Count the studies of equal runs that name winners, recommend measures, or call a power the greatest."""
    sentences = ("The choice decides who is first", "Report one measure", "tells most runs apart")
    found = np.zeros(len(sentences))
    for trial in range(trials):
        truth, *drawn = _runs(np.random.default_rng([seed, trial]), 100, [GOOD] * runs)
        named = {str(number): run for number, run in enumerate(drawn)}
        how: dict[str, Any] = {"resamples": 199, "changes": None, "correlations": "tau_b", "seed": trial}
        said = of_study(oe.study(truth, named, measures=(*TESTED, "Jaccard", "F(beta=2)"), **how))
        found += [sentence in said for sentence in sentences]
    for sentence, count in zip(sentences, found, strict=True):
        yield Share(f"{runs} equal runs, '{sentence}'", "", count / trials, 0.0, 0.05)


def _compared(
    trials: int, samples: int, draw: Callable[[np.random.Generator, int], Runs], seed: int
) -> Iterator[tuple[Runs, oe.comparison.Comparison]]:
    for trial in range(trials):
        drawn = draw(np.random.default_rng([seed, trial]), samples)
        named = {str(number): run for number, run in enumerate(drawn.runs)}
        how: dict[str, Any] = {"measures": TESTED, "baselines": (), "resamples": 999, "seed": trial}
        yield drawn, oe.compare(drawn.truth, named, groups=drawn.group, **how)


def _runs(
    rng: np.random.Generator, samples: int, missed: Sequence[float], truth: Rows | None = None
) -> list[Rows]:
    """Draw true labels, and runs that err more on samples that are difficult for all of them."""
    shares = np.linspace(0.05, 0.5, 15)
    truth = rng.random((samples, 15)) < shares if truth is None else truth
    difficulty = rng.gamma(2, 0.5, (samples, 1))
    found = [truth]
    for one in missed:
        lost, false = (
            rng.random(truth.shape) < np.minimum(rate * difficulty, 0.9) for rate in (one, 0.3 * one)
        )
        found.append((truth & ~lost) | (~truth & false))
    return found


def _scores(rng: np.random.Generator, samples: int) -> tuple[NDArray[np.bool_], oe.LabelScores]:
    """Draw true labels, many of them rare, and scores that are higher for these."""
    truth = rng.random((samples, len(RARE))) < RARE
    return truth, oe.LabelScores.from_array(1.5 * truth + rng.normal(size=truth.shape))


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
    parser.add_argument("--trials", type=int, default=2000, help="how many data sets are drawn (2000)")
    parser.add_argument("--quick", action="store_true", help="60 data sets of each kind: two minutes")
    given = parser.parse_args(arguments)
    trials, console = 60 if given.quick else given.trials, Console(width=130, highlight=False)
    for samples in FEW:
        for labels in LABELS:
            console.print(as_table(coverage(trials, samples, labels)))
        for scenario in NULLS:
            console.print(as_table(errors(trials, samples, scenario)))
        for scenario in BETTER:
            console.print(as_table(power(trials, samples, scenario)))
    for teams, near in product(TEAMS, (False, True)):
        console.print(as_table(criteria(max(trials // 10, 20), teams, near=near)))
    console.print(as_table(studies(max(trials // 10, 20), 16)))
    for groups in GROUPS:
        console.print(as_table(coverage_of_groups(trials, groups)))
    console.print(as_table(coverage_of_rare(trials // 10, 400)))
    console.print(as_table(coverage_of_agreement(trials // 10)))


if __name__ == "__main__":
    main()
