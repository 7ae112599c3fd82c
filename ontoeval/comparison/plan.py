"""Plan: how runs are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontoeval.core.checks import between
from ontoeval.core.choices import CORRECTIONS, INTERVALS, TESTS, Correction, IntervalMethod, TestMethod
from ontoeval.errors import ParameterError, one_of

if TYPE_CHECKING:
    from ontoeval.core.resampling import Bootstrap

CHANCE_DRAWS = 10
"""How many draws of random labels the score of chance is the mean of."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How runs are compared.

    Parameters
    ----------
    resamples
        How many times samples are drawn again for the intervals, and runs exchanged for the tests.
    seed
        Where the random numbers begin.
    level
        How often an interval is to hold the score of the population.
    interval
        "percentile", or "bca": bias-corrected and accelerated.
    test
        "randomisation" exchanges two runs in random samples; "bootstrap" shifts the bootstrap distribution
        of their difference, studentised for means over samples; "none" tests nothing.
    correction
        For the number of pairs: "tukey", randomised honestly significant differences; "holm"; or "none".
    alpha
        Differences whose adjusted p-value is below this are significant.

    Raises
    ------
    ParameterError
        If a value is none of these.
    """

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95
    interval: IntervalMethod = "percentile"
    test: TestMethod = "randomisation"
    correction: Correction = "tukey"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what is no plan, before anything is computed."""
        _ = self.bootstrap
        one_of("interval", self.interval, INTERVALS)
        one_of("test", self.test, TESTS)
        one_of("correction", self.correction, CORRECTIONS)
        for option in ("level", "alpha"):
            object.__setattr__(self, option, between(option, getattr(self, option)))
        if self.correction == "tukey" and self.test == "bootstrap":
            raise ParameterError(
                "correction",
                "tukey",
                "'holm' or 'none' for the bootstrap test: Tukey's exchanges runs at random",
            )

    @property
    def bootstrap(self) -> Bootstrap:
        """How samples are drawn again."""
        from ontoeval.core.resampling import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed)

    @property
    def lines(self) -> list[str]:
        """Say how runs are compared."""
        means = "bias-corrected and accelerated (BCa)" if self.interval == "bca" else "percentile"
        drawn = f"{self.resamples:,} resamples, seed {self.seed}"
        lines = [f"{100 * self.level:g} % intervals: {means} bootstrap of the samples, {drawn}."]
        if self.test != "none":
            corrections = {
                "tukey": "randomised Tukey HSD over all pairs",
                "holm": "Holm over all pairs",
                "none": "no correction for the number of pairs",
            }
            lines.append(
                f"Paired {self.test} test of the whole measure, {self.resamples:,} times, two-sided; "
                f"{corrections[self.correction]} of runs; significant below {self.alpha:g}."
            )
        return lines


def plan_of(**options: Any) -> Plan:  # noqa: ANN401 - as many types as options
    """Make a plan; what corrects the bootstrap test is Holm's procedure, unless it is said."""
    fields = Plan.__dataclass_fields__
    for option, value in options.items():
        if option not in fields:
            raise ParameterError(option, value, f"one of the options {', '.join(fields)}")
    if options.get("test") == "none" and options.get("correction", "none") != "none":
        raise ParameterError("correction", options["correction"], "'none', or a test: nothing is tested")
    if options.get("test") == "bootstrap":
        options = {"correction": "holm", **options}
    return Plan(**options)


def steps(plan: Plan, runs: int, *, baselines: int = 0, chance: bool = False) -> int:
    """Tell how many pieces of work a comparison has."""
    from ontoeval.core.resampling import chunks

    passes = 1
    if plan.test == "randomisation" and runs > 1:
        passes += 1 + (plan.correction == "tukey")
    return runs + baselines + chance * CHANCE_DRAWS + passes * len(list(chunks(plan.resamples)))
