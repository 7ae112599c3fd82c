"""Functions as measures: numbers for each sample, whose mean is the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.errors import MeasureError, OntoevalError
from ontoeval.measures.base import Function
from ontoeval.measures.counts import divide
from ontoeval.measures.sums import Rows


@dataclass(frozen=True)
class SampleValues:
    """Value of a function for each sample, and whether it is defined."""

    function: Function

    def __call__(self, batch: Batch) -> Rows:
        """Call the function; a sample whose number is nan or infinite is undefined."""
        names = np.array(batch.truth.vocabulary.concepts, dtype=object)
        sides = (_sets(side.matrix, names) for side in (batch.truth, batch.prediction))
        called, what = f"{self.function.__name__}(truth, prediction)", "two lists of sets of labels"
        try:
            given = self.function(*sides)
            values = np.asarray(list(given) if isinstance(given, Iterator) else given)
        except OntoevalError:
            raise
        except Exception as error:  # whatever somebody else's function raises
            raise MeasureError(
                f"{called} raises {type(error).__name__}: {error}. It is given {what}."
            ) from error
        if values.shape != (len(batch),) or values.dtype.kind not in "biuf":
            raise MeasureError(
                f"{called} gives {values.dtype} of the shape {values.shape} for {len(batch):,} samples. It "
                f"is given {what}, and must give a number for each sample, nan where undefined."
            )
        defined = np.isfinite(values)
        return Rows(np.stack([np.where(defined, values, 0.0), defined], axis=-1))


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
