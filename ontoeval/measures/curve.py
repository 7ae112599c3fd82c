"""Measures of scores at the best threshold: Fmax and Smin of the CAFA challenge, and what goes with them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import real_number, share_or_none
from ontoeval.errors import ParameterError, one_of
from ontoeval.measures.base import USUAL_LAWS, Facts
from ontoeval.measures.statistics.counts import Numbers, filled
from ontoeval.measures.statistics.curve import Curve, Thresholds, grid_of, is_unit_grid
from ontoeval.measures.statistics.points import DENOMINATORS, Averages, Denominator, Points
from ontoeval.measures.statistics.scored_sets import ScoredSets


@dataclass(frozen=True, kw_only=True)
class AtBestThreshold(Facts):
    """What a curve over thresholds comes to at its best point, the first of several.

    Parameters
    ----------
    weight
        Name of what each concept weighs, such as "ia" for its information accretion; concepts that
        weigh 0 are left out. None counts concepts.
    thresholds
        The step of a grid, such as 0.01 for .01, .02, …, .99, as CAFA has it; or ascending
        thresholds; or "distinct" for every score that occurs, of which totals cannot be merged; or
        "cafaeval" for the grid of that program, of which some steps, such as .57, are a rounding error
        too large, so that a score of .57 is below.
    denominator
        By what sums over samples are divided: "cafa": precision by the samples with something
        predicted, all else by all samples; "predicted": everything by the former; "truth":
        everything by all samples.
    root
        "in": a root above everything is a concept like the others; "out": it is left out.
    orphans
        Whether concepts without parents count; False leaves out every root, as cafaeval's
        `no_orphans` does.
    propagate
        Whether ancestors are true of what is true, and have the largest score of what is below
        them; False compares the labels as they are.
    empty
        Recall of a sample without anything true, while nothing is predicted, and its precision where
        that is divided by all samples; where something is predicted, both are 0. With 0.0 they are
        always 0, as in cafaeval; None leaves such samples out altogether.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    """

    weight: str | None = None
    thresholds: Thresholds = 0.01
    denominator: Denominator = "cafa"
    root: Literal["in", "out"] = "in"
    orphans: bool = True
    propagate: bool = True
    empty: float | None = 1.0

    takes = "scores"

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("denominator", self.denominator, DENOMINATORS)
        object.__setattr__(self, "empty", share_or_none("empty", self.empty))
        _ = self.statistic

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """A perfect prediction is the best only of what has a best."""
        return USUAL_LAWS - {"perfect"} if self.best is None else USUAL_LAWS

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether the thresholds do not depend on the scores."""
        return self.thresholds != "distinct"

    @cached_property
    def statistic(self) -> Curve:
        """Sums over samples at each threshold."""
        sets = ScoredSets(**{field.name: getattr(self, field.name) for field in fields(ScoredSets)})
        return Curve(
            sets, grid_of(self.thresholds), is_unit_grid(self.thresholds), self.empty, self._uncovered
        )

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the measure from totals.

        Parameters
        ----------
        values
            A total of the statistic on the last axis; leading axes are kept.

        Returns
        -------
        ndarray of float
            One number per total; nan where there are no samples, and for Fmax where nothing is true.
        """
        points = self.statistic.unpack(values)
        curve = self.curve(points)
        best = self.best_point(curve)[..., None]
        wanted = np.broadcast_to(getattr(curve, self._part), best.shape[:-1] + curve.thresholds.shape[-1:])
        found = np.take_along_axis(wanted, best, axis=-1)[..., 0]
        return np.where(self._is_defined(points), found, np.nan)

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Tell where there are samples to average over."""
        return points.samples > 0

    def curve(self, points: Points) -> Averages:
        """Average the sums at each threshold.

        Parameters
        ----------
        points
            Sums over samples.

        Returns
        -------
        Averages
            What they come to.
        """
        return Averages(points, self.denominator)

    def best_point(self, curve: Averages) -> NDArray[np.intp]:
        """Find the best threshold; one position per total."""
        raise NotImplementedError

    @property
    def _part(self) -> str:
        raise NotImplementedError

    @property
    def _uncovered(self) -> bool:
        return True


@dataclass(frozen=True, kw_only=True)
class Fmax(AtBestThreshold):
    """The largest F over all thresholds, of precision and recall averaged over samples.

    Parameters
    ----------
    average
        "samples": F of mean precision and mean recall, as in CAFA; "micro": of precision and
        recall of all samples together.
    beta
        How many times as much recall counts as precision.
    part
        "F", or what else is so at its threshold: "precision", "recall", "coverage" (the share of
        samples with something predicted), or the "threshold" itself.
    undefined
        Value where nothing is true, or what is true weighs nothing; None leaves it undefined. 0.0 agrees
        with cafaeval.
    """

    average: Literal["samples", "micro"] = "samples"
    beta: float = 1.0
    part: Literal["F", "precision", "recall", "coverage", "threshold"] = "F"
    undefined: float | None = None

    formula_text = (
        "Fmax = max over τ of (1 + β²) pr(τ) rc(τ) / (β² pr(τ) + rc(τ)); "
        "pr(τ) = mean of |Y↑ ∩ Z(τ)| / |Z(τ)| over samples with Z(τ) ≠ ∅, "
        "rc(τ) = mean of |Y↑ ∩ Z(τ)| / |Y↑|, Z(τ) being what scores τ or more"
    )
    source = "radivojac2013"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("average", self.average, ("samples", "micro"))
        one_of("part", self.part, ("F", "precision", "recall", "coverage", "threshold"))
        object.__setattr__(self, "beta", real_number("beta", self.beta))
        object.__setattr__(self, "undefined", share_or_none("undefined", self.undefined))
        if self.average == "micro" and self.denominator != "cafa":
            raise ParameterError(
                "denominator", self.denominator, "'cafa' with average='micro', where nothing is divided"
            )

    @property
    def given_up(self) -> frozenset[str]:
        """What stands for 0/0 may be less than the best."""
        return frozenset({"perfect"} if 0 in {self.undefined, self.empty} else ())

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """Thresholds may lie anywhere."""
        return (-np.inf, np.inf) if self.part == "threshold" else (0.0, 1.0)

    @property
    def best(self) -> float | None:  # type: ignore[override]
        """More is better of F alone: what else is so at the best threshold may be traded for it."""
        return 1.0 if self.part == "F" else None

    def best_point(self, curve: Averages) -> NDArray[np.intp]:
        """Find the largest F."""
        return np.asarray(np.argmax(self._f(curve), axis=-1))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the measure from totals."""
        points = self.statistic.unpack(values)
        if self.part == "F":
            found = np.where(self._is_defined(points), self._f(self.curve(points)).max(axis=-1), np.nan)
        else:
            found = super().formula(values)
        return np.where(points.samples > 0, filled(found, self.undefined), np.nan)

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Tell where anything is true that weighs something."""
        return points.hits[..., 0] + points.missed[..., 0] > 0

    def _f(self, curve: Averages) -> Numbers:
        return curve.f(self.beta, micro=self.average == "micro")

    @property
    def _part(self) -> str:
        if self.part == "threshold":
            return "thresholds"
        micro = self.average == "micro" and self.part in {"precision", "recall"}
        return f"micro_{self.part}" if micro else self.part


@dataclass(frozen=True, kw_only=True)
class Smin(AtBestThreshold):
    """The least distance from a perfect prediction over all thresholds, of information missed and false.

    Parameters
    ----------
    part
        "S", or what else is so at its threshold: "ru" (remaining uncertainty, the mean weight of
        what is missed), "mi" (misinformation, the mean weight of what is false), or the "threshold"
        itself.
    uncovered
        Whether thresholds count at which no sample has anything predicted, not even a concept that
        weighs 0, so that predicting nothing can be the best; cafaeval leaves them out. False makes it
        undefined where none is left.
    """

    weight: str | None = "ia"
    part: Literal["S", "ru", "mi", "threshold"] = "S"
    uncovered: bool = True

    formula_text = (
        "Smin = min over τ of √(ru(τ)² + mi(τ)²); ru(τ) = mean weight of Y↑ ∖ Z(τ), mi(τ) = mean weight of "
        "Z(τ) ∖ Y↑, Z(τ) being what scores τ or more"
    )
    source = "clark2013"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        one_of("part", self.part, ("S", "ru", "mi", "threshold"))
        one_of("uncovered", self.uncovered, (True, False))

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """As much information may be missed or false as there is."""
        return (-np.inf if self.part == "threshold" else 0.0, np.inf)

    @property
    def best(self) -> float | None:  # type: ignore[override]
        """Less is better of S alone: ru and mi are traded for one another."""
        return 0.0 if self.part == "S" else None

    def best_point(self, curve: Averages) -> NDArray[np.intp]:
        """Find the least distance; what is undefined is never the best."""
        return np.asarray(np.argmin(np.nan_to_num(curve.s, nan=np.inf), axis=-1))

    @property
    def _part(self) -> str:
        return {"S": "s", "threshold": "thresholds"}.get(self.part, self.part)

    @property
    def _uncovered(self) -> bool:
        return self.uncovered

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Tell where there are samples, and a threshold that counts."""
        return super()._is_defined(points) & ~np.isnan(points.missed).all(axis=-1)
