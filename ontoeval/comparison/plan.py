"""Plan of a comparison: resampling, intervals, tests and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, Unpack, get_args

from ontoeval.core.choices import IntervalMethod
from ontoeval.errors import ParameterError, one_of
from ontoeval.options import Opt
from ontoeval.plumbing.checks import open_unit_interval
from ontoeval.plumbing.memory import available, bytes_in_words

TestMethod = Literal["randomisation", "bootstrap", "none"]
"""Paired tests of two runs."""

PairCorrection = Literal["tukey", "holm", "none"]
"""Corrections for the number of pairs."""

if TYPE_CHECKING:
    from ontoeval.core.resampling import Bootstrap

CHANCE_DRAWS = 10
"""Draws of random labels whose mean score is that of chance."""

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Called with a description and a number of steps; the context's value is called after each step."""


@contextmanager
def silent(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show no progress."""
    del description, total
    yield lambda: None


_option = partial(Opt, panel="Comparison")
RESAMPLES = _option("Number of resamples, of intervals and of tests.")
SEED = _option("Random seed.")
LEVEL = _option("Confidence level of the intervals.")
INTERVAL = _option("Bootstrap intervals: percentile, or bias-corrected and accelerated.")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How runs are compared.

    Parameters
    ----------
    resamples
        Number of bootstrap resamples for the intervals, and of random exchanges for the tests.
    seed
        Random seed.
    level
        Confidence level of the intervals.
    interval
        "percentile": farther out the fewer samples there are, by Student's t [hesterberg2015]_; or "bca":
        bias-corrected and accelerated.
    test
        "randomisation" exchanges two runs in random samples; "bootstrap" shifts the bootstrap distribution
        of their difference, studentised for means over samples; "none" tests nothing.
    correction
        For the number of pairs: "tukey", randomised honestly significant differences; "holm"; or "none".
    alpha
        Differences whose adjusted p-value is below this are significant.
    """

    resamples: Annotated[int, RESAMPLES] = 1000
    seed: Annotated[int, SEED] = 0
    level: Annotated[float, LEVEL] = 0.95
    interval: Annotated[IntervalMethod, INTERVAL] = "percentile"
    test: Annotated[
        TestMethod,
        _option("Paired test of all pairs: randomisation (runs exchanged in random samples), bootstrap."),
    ] = "randomisation"
    correction: Annotated[
        PairCorrection,
        _option(
            "Correction for the number of pairs. tukey (randomised HSD) takes about twice as long as "
            "holm. holm takes no longer than none, but needs more resamples the more pairs there are. By "
            "default tukey; with --test bootstrap, which has no tukey, holm.",
            decided=True,
        ),
    ] = "tukey"
    alpha: Annotated[float, _option("Significance level of adjusted p-values.")] = 0.05

    @classmethod
    def from_options(cls, **options: Unpack[PlanOptions]) -> Plan:
        """Make a plan of some of its fields; without a correction, of the one that the test has.

        Parameters
        ----------
        **options
            Fields of a plan.
        """
        if options.get("test") == "none" and options.get("correction", "none") != "none":
            raise ParameterError("correction", options["correction"], "'none', or a test: nothing is tested")
        if options.get("test") == "bootstrap":
            options = {"correction": "holm", **options}
        return cls(**options)

    def __post_init__(self) -> None:
        """Check all values before anything is computed."""
        _ = self.bootstrap
        one_of("interval", self.interval, get_args(IntervalMethod))
        one_of("test", self.test, get_args(TestMethod))
        one_of("correction", self.correction, get_args(PairCorrection))
        for option in ("level", "alpha"):
            object.__setattr__(self, option, open_unit_interval(option, getattr(self, option)))
        if self.correction == "tukey" and self.test == "bootstrap":
            raise ParameterError(
                "correction",
                "tukey",
                "'holm' or 'none' for the bootstrap test: Tukey's exchanges runs at random",
            )

    @property
    def bootstrap(self) -> Bootstrap:
        """How samples are resampled."""
        from ontoeval.core.resampling import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed)

    def sentences(self, groups: int | None = None) -> list[str]:
        """Write the plan in sentences, for recipes.

        Parameters
        ----------
        groups
            How many groups are drawn whole; None where samples are drawn.
        """
        units = "the samples" if groups is None else f"whole groups ({groups:,})"
        whole = "" if groups is None else " of whole groups"
        means = "bias-corrected and accelerated (BCa)" if self.interval == "bca" else "expanded percentile"
        drawn = f"{self.resamples:,} resamples, seed {self.seed}"
        lines = [f"{100 * self.level:g} % intervals: {means} bootstrap of {units}, {drawn}."]
        if self.test != "none":
            corrections = {
                "tukey": "randomised Tukey HSD over all pairs",
                "holm": "Holm over all pairs",
                "none": "no correction for the number of pairs",
            }
            lines.append(
                f"Paired {self.test} test{whole} of the whole measure, {self.resamples:,} times, two-sided; "
                f"{corrections[self.correction]} of runs; significant below {self.alpha:g}."
            )
        return lines


class PlanOptions(TypedDict, total=False):
    """The fields of `Plan`, as keywords of whatever compares runs."""

    resamples: int
    seed: int
    level: float
    interval: IntervalMethod
    test: TestMethod
    correction: PairCorrection
    alpha: float


_Plan = TypeVar("_Plan")


def plan_of(kind: type[_Plan], plan: _Plan | None, options: Mapping[str, Any]) -> _Plan:
    """Take a plan, or make one of its fields."""
    if plan is not None:
        if options:
            raise ParameterError("plan", plan, "either a plan or its fields as options, not both")
        return plan
    make: Callable[..., _Plan] = getattr(kind, "from_options", kind)
    return make(**options)


LONG = 10
"""Seconds from which the time of work is estimated before it starts."""


def title(work: str, seconds: float, cheaper: str, size: float = 0) -> str:
    """Title of a progress bar; of long or large work with an estimate, and with what is cheaper."""
    room = available()
    if seconds < LONG and (room is None or size < room / 4):
        return work
    time = f"{seconds:,.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} minutes"  # noqa: PLR2004
    memory = f", {bytes_in_words(int(size))} of memory" * (size > 0)
    return f"{work}: about {time} of processor time{memory}. Cheaper: {cheaper}."
