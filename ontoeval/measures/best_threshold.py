"""Measures of scores at the best threshold: Fmax and Smin of the CAFA challenge, and their parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from itertools import pairwise
from numbers import Real
from typing import Annotated, Any, Literal, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import weight_by_name
from ontoeval.core.batch import ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.base import (
    USUAL_LAWS,
    AtLeast0,
    MeasureInfo,
    ShareOrNone,
    check_parameters,
    name_or_none,
)
from ontoeval.measures.counts import fill_undefined
from ontoeval.measures.distinct_thresholds import (
    PARTS,
    Denominator,
    Points,
    StepRows,
    rows_at_all_scores,
    stack_parts,
    summed_weights_of_labels,
    sums_from_above,
    unstack_parts,
)
from ontoeval.measures.hierarchical import Sets
from ontoeval.measures.sums import RowsInBlocks
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries, rows_between, with_data
from ontoeval.plumbing.values import copy_unchecked

Thresholds = float | tuple[float, ...] | str

FINEST = 0.0001
"""The smallest step of a grid."""

GRIDS = {"cafaeval": tuple(np.arange(0.01, 1, 0.01).tolist())}
"""Grids of programs, to their last bit: many steps of cafaeval, such as .57, are a little more than that."""


def thresholds_of(thresholds: Thresholds | Iterable[float]) -> Thresholds:
    """Take a list or an array of thresholds, too."""
    if isinstance(thresholds, str | int | float):
        return thresholds
    try:
        values = tuple(thresholds)
    except TypeError:
        return cast("Thresholds", thresholds)  # refused later
    return tuple(float(v) if isinstance(v, Real) and not isinstance(v, bool) else v for v in values)


def grid_of(thresholds: Thresholds) -> tuple[float, ...] | None:
    """Read how thresholds are given."""
    if isinstance(thresholds, str) and thresholds == "distinct":
        return None
    if isinstance(thresholds, str) and thresholds in GRIDS:
        return GRIDS[thresholds]
    if isinstance(thresholds, tuple):
        if not all(_is_number(value) for value in thresholds) or not thresholds:
            raise ParameterError("thresholds", thresholds, "finite numbers, one at least")
        if any(second <= first for first, second in pairwise(thresholds)):
            raise ParameterError("thresholds", thresholds, "ascending numbers, none twice")
        return tuple(map(float, thresholds))
    if not (_is_number(thresholds) and FINEST <= thresholds < 1):
        raise ParameterError(
            "thresholds",
            thresholds,
            f"a step from {FINEST} to below 1, ascending thresholds such as (0.2, 0.5), 'distinct', "
            "or 'cafaeval'",
        )
    # k / 100 is the number that is written so; k times .01 is often the one beside it.
    whole, step = round(1 / float(thresholds)), float(thresholds)
    even = abs(whole * step - 1) < 1e-9  # noqa: PLR2004 - rounding
    grid = np.arange(1, whole) / whole if even else np.arange(1, int(1 / step) + 1) * step
    return tuple(grid.tolist())


def is_unit_grid(thresholds: Thresholds) -> bool:
    """Whether thresholds lie between 0 and 1 by convention, so that scores beyond are a mistake."""
    return thresholds != "distinct" and not isinstance(thresholds, tuple)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))


@dataclass(frozen=True, kw_only=True)
class AtBestThreshold(MeasureInfo):
    """A value of a curve over thresholds at its best point, the first of several.

    Parameters
    ----------
    weight
        Name of the weight of each concept, such as "ia" for its information accretion; concepts that
        weigh 0 are left out. None counts concepts.
    thresholds
        The step of a grid, such as 0.01 for .01, .02, …, .99, as CAFA has it; or ascending
        thresholds; or "distinct" for every score that occurs, of which totals cannot be merged; or
        "cafaeval" for the grid of that program, of which some steps are a rounding error too large.
    denominator
        Divisor of sums over samples: "cafa": precision by the samples with something
        predicted, all else by all samples; "predicted": everything by the former; "truth":
        everything by all samples.
    root
        "in": a root above everything is a concept like the others; "out": it is left out.
    orphans
        Whether concepts without parents count; False leaves out every root.
    propagate
        Whether ancestors are true of what is true, and have the largest score of what is below
        them; False compares the labels as they are.
    empty
        Recall of a sample without anything true, while nothing is predicted, and its precision where
        that is divided by all samples; 0.0 in cafaeval. None leaves such samples out.
    branches
        "together"; or "mean" of the numbers of each root's branch, without the samples that have nothing true
        there, as the competition of CAFA takes three namespaces; undefined where a branch is.
    """

    weight: str | None = None
    thresholds: Thresholds = 0.01
    denominator: Denominator = "cafa"
    root: Literal["in", "out"] = "in"
    orphans: bool = True
    propagate: bool = True
    empty: ShareOrNone = 1.0
    branches: Literal["together", "mean"] = "together"

    takes = "scores"
    known_terms = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.statistic
        if self.branches == "mean" and not (self.propagate and self.orphans and self.mergeable):
            raise ParameterError("branches", self.branches, "'together' without ancestors, roots or a grid")

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """A perfect prediction is the best only where a best value exists."""
        return USUAL_LAWS - {"perfect"} if self.best is None else USUAL_LAWS

    @property
    def mergeable(self) -> bool:  # type: ignore[override]
        """Whether the thresholds do not depend on the scores."""
        return self.thresholds != "distinct"

    @cached_property
    def sums(self) -> ThresholdSums:
        """Sums over samples at each threshold, of one branch or of all together."""
        options: dict[str, Any] = {one.name: getattr(self, one.name, None) for one in fields(ScoredSets)}
        step, uncovered = is_unit_grid(self.thresholds), getattr(self, "uncovered", True)
        return ThresholdSums(ScoredSets(**options), grid_of(self.thresholds), step, self.empty, uncovered)

    @property
    def statistic(self) -> ThresholdSums | BranchSums:
        """Sums over samples at each threshold, of all branches."""
        return BranchSums(self.sums) if self.branches == "mean" else self.sums

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the measure from totals, or the mean of those of all branches."""
        if self.branches == "together":
            return self.at_best(values)
        parts = values.reshape(*values.shape[:-1], -1, self.sums.width)
        return np.asarray(self.at_best(parts).mean(axis=-1))

    def at_best(self, values: Numbers) -> Numbers:
        """Compute the measure from totals of one branch, or of all together."""
        curve = self.curve(self.sums.unpack(values))
        best = np.argmax(self.goodness(curve), axis=-1)[..., None]
        wanted = np.broadcast_to(self.values(curve), best.shape[:-1] + curve.thresholds.shape[-1:])
        found = np.take_along_axis(wanted, best, axis=-1)[..., 0]
        return np.where(self._is_defined(curve), found, np.nan)

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Where there are samples to average over."""
        return points.samples > 0

    def curve(self, points: Points) -> Points:
        """Choose the divisors of the sums."""
        return points._replace(denominator=self.denominator)

    def goodness(self, curve: Points) -> Numbers:
        """Compute the number that is largest at the best threshold."""
        raise NotImplementedError

    def values(self, curve: Points) -> Numbers:
        """Compute the part at each threshold."""
        raise NotImplementedError


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
        "F", or another number at its threshold: "precision", "recall", "coverage" (the share of
        samples with something predicted), or the "threshold" itself.
    undefined
        Value where nothing is true that weighs something; None leaves it undefined, cafaeval has 0.0.
    """

    average: Literal["samples", "micro"] = "samples"
    beta: AtLeast0 = 1.0
    part: Literal["F", "precision", "recall", "coverage", "threshold"] = "F"
    undefined: ShareOrNone = None

    formula_text = (
        "Fmax = max over τ of (1 + β²) pr(τ) rc(τ) / (β² pr(τ) + rc(τ)); "
        "pr(τ) = mean of |Y↑ ∩ Z(τ)| / |Z(τ)| over samples with Z(τ) ≠ ∅, "
        "rc(τ) = mean of |Y↑ ∩ Z(τ)| / |Y↑|, Z(τ) being what scores τ or more"
    )
    source = "radivojac2013"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.average == "micro" and self.denominator != "cafa":
            raise ParameterError(
                "denominator", self.denominator, "'cafa' with average='micro', where nothing is divided"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Thresholds may lie anywhere."""
        return (-np.inf, np.inf) if self.part == "threshold" else (0.0, 1.0)

    @property
    def best(self) -> float | None:  # type: ignore[override]
        """More is better for F alone: other numbers at the best threshold may be traded for F."""
        return 1.0 if self.part == "F" else None

    def at_best(self, values: Numbers) -> Numbers:
        """Compute the measure from totals of one branch, or of all together."""
        found = fill_undefined(super().at_best(values), self.undefined)
        return np.where(self.sums.unpack(values).samples > 0, found, np.nan)

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Where anything is true that weighs something."""
        return points.hits[..., 0] + points.missed[..., 0] > 0

    def goodness(self, curve: Points) -> Numbers:
        """Compute F."""
        return curve.f(self.beta, micro=self.average == "micro")

    def values(self, curve: Points) -> Numbers:
        """Compute the part at each threshold."""
        if self.part == "F":
            return self.goodness(curve)
        if self.part == "threshold":
            return curve.thresholds
        micro = self.average == "micro" and self.part in {"precision", "recall"}
        return np.asarray(getattr(curve, f"micro_{self.part}" if micro else self.part))


@dataclass(frozen=True, kw_only=True)
class Smin(AtBestThreshold):
    """The least distance from a perfect prediction over all thresholds, of information missed and false.

    Parameters
    ----------
    part
        "S", or another number at its threshold: "ru" (remaining uncertainty, the mean weight of
        what is missed), "mi" (misinformation, the mean weight of what is false), or the "threshold"
        itself.
    uncovered
        Whether thresholds count at which no sample has anything predicted, not even a concept that
        weighs 0; cafaeval leaves them out.
    """

    weight: str | None = "ia"
    part: Literal["S", "ru", "mi", "threshold"] = "S"
    uncovered: bool = True

    formula_text = (
        "Smin = min over τ of √(ru(τ)² + mi(τ)²); ru(τ) = mean weight of Y↑ ∖ Z(τ), mi(τ) = mean weight of "
        "Z(τ) ∖ Y↑, Z(τ) being what scores τ or more"
    )
    source = "clark2013"

    @property
    def bounds(self) -> tuple[float, float]:
        """The distance has no upper bound."""
        return (-np.inf if self.part == "threshold" else 0.0, np.inf)

    @property
    def best(self) -> float | None:  # type: ignore[override]
        """Less is better for S alone: ru and mi are traded for one another."""
        return 0.0 if self.part == "S" else None

    def goodness(self, curve: Points) -> Numbers:
        """Compute minus the distance; undefined points are never the best."""
        return -np.nan_to_num(curve.s, nan=np.inf)

    def values(self, curve: Points) -> Numbers:
        """Compute the part at each threshold."""
        return np.asarray(getattr(curve, "thresholds" if self.part == "threshold" else self.part.lower()))

    def _is_defined(self, points: Points) -> NDArray[np.bool_]:
        """Where there are samples, and a threshold that counts."""
        return super()._is_defined(points) & ~np.isnan(points.missed).all(axis=-1)


@dataclass(frozen=True)
class ThresholdSums:
    """Sums over samples at each threshold."""

    sets: ScoredSets
    grid: tuple[float, ...] | None
    step: bool = False
    empty: float | None = 1.0
    uncovered: bool = True

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks | StepRows:
        """Prepare the rows, which are computed on demand."""
        if self.step:
            refuse_beyond_unit(batch)
        if self.grid is None:
            return rows_at_all_scores(batch.derive(self.sets), self.empty)
        counted, size, largest = batch.derive(_ReachedThresholds(self.grid)), len(self.grid), None
        if not self.uncovered:
            whole = counted.derive(replace(self.sets, weight=None))
            largest = whole.prediction.matrix.max(axis=1).toarray().ravel()
        rows = _GridRows(counted.derive(self.sets), size, self.empty, largest)
        return RowsInBlocks(len(batch), self.width, rows)

    @property
    def width(self) -> int:
        """Sums at all thresholds of a grid."""
        return (len(PARTS) + (not self.uncovered)) * len(self.grid or ()) + 1

    def unpack(self, values: Numbers) -> Points:
        """Name the sums."""
        grid = [] if self.grid is None else [np.array(self.grid)]
        marks = 0 if self.grid is None or self.uncovered else len(self.grid)
        parts, samples = unstack_parts(values[..., marks:], len(PARTS) + (self.grid is None))
        if self.grid is None:  # the least first; above all scores only where there are none
            parts = parts[..., ::-1][..., : max(1, parts.shape[-1] - 1)]
        points = Points(*(*grid, *np.moveaxis(parts, -2, 0), samples))
        if self.uncovered:
            return points
        return points.masked((points.covered if self.grid is None else values[..., :marks]) > 0)


@dataclass(frozen=True)
class BranchSums:
    """The sums of each root's branch, side by side, without samples that have nothing true there."""

    sums: ThresholdSums

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks:
        """Prepare the rows of all branches."""
        hierarchy = batch.required_hierarchy("A mean over branches")
        names = [hierarchy.vocabulary[int(root)] for root in hierarchy.roots]
        sides = [replace(self.sums, sets=replace(self.sums.sets, branch=name))(batch) for name in names]
        present = batch.propagated.truth.matrix[:, hierarchy.roots].toarray()

        def between(begin: int, end: int) -> Numbers:
            marks = present[begin:end].T[..., None]
            found = (rows.between(begin, end) for rows in sides if isinstance(rows, RowsInBlocks))
            return np.concatenate([rows * some for rows, some in zip(found, marks, strict=True)], axis=1)

        return RowsInBlocks(len(batch), len(names) * self.sums.width, between)


@dataclass(frozen=True)
class _ReachedThresholds:
    """The number of thresholds that each score reaches in its place, as a view of a batch."""

    grid: tuple[float, ...]

    def __call__(self, batch: ScoredBatch) -> ScoredBatch:
        scores = batch.prediction
        reached = np.searchsorted(self.grid, scores.matrix.data, side="right").astype(np.float64)
        return copy_unchecked(batch, prediction=scores.remade(with_data(scores.matrix, reached)))


@dataclass(frozen=True, eq=False)
class _GridRows:
    """Rows on a grid of thresholds, of a batch of the numbers of thresholds reached.

    With the largest number of each sample the rows begin with marks of the thresholds that it reaches.
    """

    batch: ScoredBatch
    size: int
    empty: float | None
    largest: Numbers | None

    def __call__(self, begin: int, end: int) -> Numbers:
        """Sum false scores and hits of each sample from the highest threshold down."""
        batch = self.batch
        weights, scores = batch.weights, rows_between(batch.prediction.matrix, begin, end)
        hit = batch.hits[slice(*batch.prediction.matrix.indptr[[begin, end]])]
        amount = None if weights is None else weights[scores.indices]
        row, reached = 2 * row_of_entries(scores) + hit, scores.data.astype(np.intp)
        sums = sums_from_above(row, reached, amount, (2 * (end - begin), self.size))
        true = summed_weights_of_labels(rows_between(batch.truth.matrix, begin, end), weights)
        rows = stack_parts(sums[1::2], sums[::2], true[:, None], self.empty)
        if self.largest is None:
            return rows
        return np.concatenate([self.largest[begin:end, None] > np.arange(self.size), rows], axis=1)


def refuse_beyond_unit(batch: ScoredBatch) -> None:
    """Refuse scores outside the range of a grid between 0 and 1."""
    data = batch.prediction.matrix.data
    if data.size and not (data.min() >= 0 and data.max() <= 1):
        raise InputError(
            f"scores from {data.min():g} to {data.max():g}, but a grid of thresholds between 0 and 1",
            "Give probabilities (1 / (1 + exp(-score))); or in Python thresholds='distinct'.",
        )


@dataclass(frozen=True, kw_only=True)
class ScoredSets:
    """The view that propagates scores and truth, and leaves concepts out."""

    propagate: bool = True
    root: Literal["in", "out"] = "in"
    orphans: bool = True
    weight: Annotated[str | None, partial(name_or_none, expected="None or the name of a weight")] = None
    branch: str | None = None
    """A root whose branch is looked at alone."""

    def __post_init__(self) -> None:
        check_parameters(self)

    def __call__(self, batch: ScoredBatch) -> ScoredBatch:
        """Put the members in the place of the labels."""
        if self == ScoredSets(propagate=False):
            return batch
        wanted_by = "A curve over ancestors" if self.propagate else "A curve without roots or with weights"
        hierarchy = batch.required_hierarchy(wanted_by)
        members, weights = self._members(hierarchy)
        whole = batch.propagated if self.propagate else batch
        concepts = whole.truth.vocabulary
        if members.all():
            return whole if weights is None else ScoredBatch(whole.truth, whole.prediction, weights=weights)
        kept = np.flatnonzero(members)
        names = Vocabulary(tuple(concepts[place] for place in kept.tolist()), concepts.names)
        truth, scores = (sparse.csr_array(side.matrix[:, kept]) for side in (whole.truth, whole.prediction))
        return ScoredBatch(
            LabelSets(truth, names, batch.truth.samples),
            LabelScores(scores, names, batch.truth.samples, whole.prediction.signed),
            weights=None if weights is None else weights[members],
        )

    def _members(self, hierarchy: Hierarchy) -> tuple[NDArray[np.bool_], NDArray[np.float64] | None]:
        members = np.zeros(len(hierarchy.vocabulary), dtype=bool)
        members[Sets(root=self.root).member_concepts(hierarchy)] = True
        if not self.orphans:
            members[hierarchy.roots] = False
        if self.branch is not None:
            root = hierarchy.vocabulary.positions([self.branch])
            members &= hierarchy.ancestors[:, root].toarray().ravel()
        weights = None if self.weight is None else weight_by_name(hierarchy, self.weight)
        if weights is not None:
            members &= weights > 0
        if not self.propagate:
            members = members[hierarchy.labels]
            weights = None if weights is None else weights[hierarchy.labels]
        if not members.any():
            raise InputError(
                f"no concept is left to compare (root={self.root!r}, orphans={self.orphans}, "
                f"weight={self.weight!r})",
                "Keep the roots, or give some concept a weight above 0.",
            )
        return members, weights
