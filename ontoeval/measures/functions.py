"""Functions as measures: numbers for each sample, whose mean is the score, or one number of all samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.core.resampling import ROUNDING
from ontoeval.errors import MeasureError, OntoevalError, ParameterError
from ontoeval.measures.base import Function, MeasureInfo
from ontoeval.measures.counts import divide
from ontoeval.measures.sums import AnyBatch, Rows
from ontoeval.plumbing.memory import require


@dataclass(frozen=True)
class SampleValues:
    """Value of a function for each sample, and whether it is defined."""

    function: Function

    def __call__(self, batch: Batch) -> Rows:
        """Call the function; a sample whose number is nan or infinite is undefined."""
        values = np.asarray(_call(self.function, self.function.__name__, _sets_of(batch), _SETS))
        if values.shape != (len(batch),) or values.dtype.kind not in "biuf":
            called = f"{self.function.__name__}(truth, prediction)"
            raise MeasureError(
                f"{called} gives {values.dtype} of the shape {values.shape} for {len(batch):,} samples. It "
                f"is given {_SETS}, and must give a number for each sample, nan where undefined. {_ONE}"
            )
        defined = np.isfinite(values)
        return Rows(np.stack([np.where(defined, values, 0.0), defined], axis=-1))


_SETS = "two lists of sets of labels"

_ONE = (
    "A function of arrays, or with one number of all samples, is declared: "
    "ontoeval.own_measure(function, on='arrays')."
)


def _call(function: Callable[..., Any], name: str, sides: tuple[Any, Any], what: str) -> Any:  # noqa: ANN401
    """Call a function with truth and prediction."""
    try:
        given = function(*sides)
        return list(given) if isinstance(given, Iterator) else given
    except OntoevalError:
        raise
    except Exception as error:  # whatever somebody else's function raises
        raise MeasureError(
            f"{name}(truth, prediction) raises {type(error).__name__}: {error}. It is given {what}. {_ONE}"
        ) from error


def _sets_of(batch: Batch) -> tuple[list[set[str]], list[set[str]]]:
    """List the true and the predicted labels of each sample."""
    names = np.array(batch.truth.vocabulary.concepts, dtype=object)
    return _sets(batch.truth.matrix, names), _sets(batch.prediction.matrix, names)


def _sets(matrix: sparse.csr_array, names: NDArray[Any]) -> list[set[str]]:
    """Names of the labels of each row."""
    flat, ends = names[matrix.indices].tolist(), matrix.indptr.tolist()
    return [set(flat[begin:end]) for begin, end in pairwise(ends)]


@dataclass(frozen=True, repr=False)
class MeanOfFunction:
    """Mean of what a function gives for each sample."""

    function: Function

    def __repr__(self) -> str:
        """Name of the function."""
        return str(self.function.__name__)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as various as the attributes
        """Look up what the function states of itself, as other measures do."""
        if name in {"best", "bounds", "source", "formula_text"}:
            return getattr(self.function, name)
        raise AttributeError(name)

    @property
    def statistic(self) -> SampleValues:
        """Sum and number of the values."""
        return SampleValues(self.function)

    def formula(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the sum by the number of samples that are defined."""
        return divide(values[..., 0], values[..., 1])


# one number of all samples ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WholeNumber:
    """Number that a function gives for all samples; single samples have none."""

    value: float
    samples: int

    def __len__(self) -> int:
        return self.samples

    def total(self) -> NDArray[np.float64]:
        """Take the number as the only column of a total."""
        return np.array([self.value])

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Give no number to single samples."""
        yield np.full((self.samples, 1), np.nan)


@dataclass(frozen=True, repr=False)
class OwnMeasure(MeasureInfo):
    """A function that gives one number for all samples; `own_measure` makes it."""

    function: Callable[..., Any]
    on: Literal["arrays", "sets"]
    label: str
    takes: Literal["sets", "scores"] = "sets"
    best: float | None = 1.0

    mergeable = False
    joint = True

    def __repr__(self) -> str:
        """Name of the function."""
        return self.label

    @property
    def bounds(self) -> tuple[float, float]:
        """The best value, which is the highest above 0 and else the lowest, and no other bound."""
        best = np.inf if self.best is None else self.best
        return (-np.inf, best) if best > 0 else (best, np.inf)

    @property
    def statistic(self) -> OwnMeasure:
        """The measure itself."""
        return self

    def formula(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take the number as it is."""
        return values[..., 0]

    def __call__(self, batch: AnyBatch) -> WholeNumber:
        """Call the function with all samples of a batch."""
        what, sides = f"two {_SETS[4:]}", None
        if self.on == "arrays":
            shape = batch.truth.matrix.shape
            require(16.0 * shape[0] * shape[1], f"{self.label} of arrays", "Declare it on='sets'.")
            kinds = (int, float if self.takes == "scores" else int)
            both = zip((batch.truth, batch.prediction), kinds, strict=True)
            sides = tuple(side.matrix.astype(kind).toarray() for side, kind in both)
            what = f"two arrays of the shape {shape}, samples × concepts"
        found = np.asarray(_call(self.function, self.label, sides or _sets_of(batch), what))
        if found.shape or found.dtype.kind not in "biuf":
            raise MeasureError(
                f"{self.label}(truth, prediction) gives {found.dtype} of the shape {found.shape}. It is "
                f"given {what}, and must give one number. A function of two lists of sets that gives a "
                "number for each sample is a measure as it is: measures=[function]."
            )
        low, high = self.bounds
        if found < low - ROUNDING or found > high + ROUNDING:
            raise MeasureError(
                f"{self.label}(truth, prediction) gives {float(found):g}, which passes its best value, "
                f"{self.best:g}. Declare another, best=math.inf where more is always better, or best=None."
            )
        return WholeNumber(float(found), len(batch))


def own_measure(
    function: Callable[..., Any],
    *,
    on: Literal["arrays", "sets"],
    takes: Literal["sets", "scores"] = "sets",
    best: float | None = 1.0,
    name: str | None = None,
) -> OwnMeasure:
    """Make a measure of a function that gives one number for all samples, such as those of scikit-learn.

    Such a number has no sum over samples: intervals and tests call the function once for each resample of
    each run, 2,000 times by default. `compare` says first how long this takes, where it is long (`progress`).
    The number is not merged, has no part for each sample, and takes no sample weights. A function that gives
    a number for each sample needs no declaration: ``measures=[function]``.

    Parameters
    ----------
    function
        Takes the truth and the prediction, gives a number, nan where undefined.
    on
        What it is given: "arrays", 0 and 1 of the shape samples × concepts (a prediction of scores holds
        these); or "sets", two lists with a set of names for each sample.
    takes
        Kind of prediction: label "sets", or "scores", only on arrays.
    best
        The best value, the highest one if it is above 0, else the lowest one, which no number may pass;
        ``math.inf`` where more is always better. None where neither end is better.
    name
        How results name it; by default the name of the function.

    Returns
    -------
    OwnMeasure
        A measure, for ``measures=``.

    Raises
    ------
    ParameterError
        If the function cannot be called or has no name, or an option has an invalid value. Scoring raises
        `MeasureError` where a number passes the best value.

    Examples
    --------
    >>> import ontoeval as oe
    >>> def agreed(truth, prediction):
    ...     return (truth == prediction).all(axis=1).mean()
    >>> measure = oe.own_measure(agreed, on="arrays")
    >>> oe.evaluate([["a"], ["b"]], [["a"], ["a"]], measures=measure).scores
    {'agreed': 0.5}
    """
    if not callable(function):
        raise ParameterError("function", function, "a function (truth, prediction) that gives one number")
    label = getattr(function, "__name__", None) if name is None else name
    if not isinstance(label, str) or not label.isidentifier():
        raise ParameterError("name", label, "how results name the function, such as name='f1_macro_of_mine'")
    if best is not None and not (isinstance(best, Real) and not np.isnan(best)):
        raise ParameterError("best", best, "the best value, such as 1.0, 0.0 or math.inf; or None")
    if takes == "scores" and on == "sets":
        raise ParameterError("on", on, "'arrays' with takes='scores': sets have no scores")
    return OwnMeasure(function, on, label, takes, best)
