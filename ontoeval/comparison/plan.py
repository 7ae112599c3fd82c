"""Plan of a comparison: resampling, intervals, tests and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, get_args

from ontoeval.errors import ParameterError, one_of
from ontoeval.options import Opt
from ontoeval.plumbing.checks import open_unit_interval

TestMethod = Literal["randomisation", "none"]
"""Paired tests of two runs."""

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


class Resampled:
    """Options that say how samples are resampled."""

    resamples: int
    seed: int

    @property
    def bootstrap(self) -> Bootstrap:
        """How samples are resampled."""
        from ontoeval.core.resampling import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed)


@dataclass(frozen=True, kw_only=True)
class Plan(Resampled):
    """How runs are compared.

    Parameters
    ----------
    resamples
        Number of bootstrap resamples for the intervals, and of random exchanges for the tests.
    seed
        Random seed.
    level
        Confidence level of the intervals.
    test
        "randomisation" exchanges two runs in random samples, and corrects for the number of pairs by
        step-down max-T [westfall1993]_; "none" tests nothing.
    alpha
        Differences whose adjusted p-value is below this are significant.
    """

    resamples: Annotated[int, RESAMPLES] = 2000
    seed: Annotated[int, SEED] = 0
    level: Annotated[float, LEVEL] = 0.95
    test: Annotated[
        TestMethod,
        _option("Paired test of all pairs: runs exchanged in random samples, corrected by step-down max-T."),
    ] = "randomisation"
    alpha: Annotated[float, _option("Significance level of adjusted p-values.")] = 0.05

    def __post_init__(self) -> None:
        """Check all values before anything is computed."""
        _ = self.bootstrap
        one_of("test", self.test, get_args(TestMethod))
        for option in ("level", "alpha"):
            object.__setattr__(self, option, open_unit_interval(option, getattr(self, option)))


class PlanOptions(TypedDict, total=False):
    """The fields of `Plan`, as keywords of whatever compares runs."""

    resamples: int
    seed: int
    level: float
    test: TestMethod
    alpha: float


_Plan = TypeVar("_Plan")


def plan_of(kind: type[_Plan], plan: _Plan | None, options: Mapping[str, Any]) -> _Plan:
    """Take a plan, or make one of its fields."""
    if plan is not None:
        if options:
            raise ParameterError("plan", plan, "either a plan or its fields as options, not both")
        return plan
    return kind(**options)
