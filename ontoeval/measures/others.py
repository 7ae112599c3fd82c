"""Measures that others wrote: what they must say and give, and whose fault it is where they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MeasureError, OntoevalError, shortened
from ontoeval.measures.base import fact
from ontoeval.measures.named import notation_of
from ontoeval.measures.references import is_known

_ENTRY = re.compile(r"\s*@\w+\s*\{\s*[^\s,{}]+\s*,.*\}\s*", re.DOTALL)


@contextmanager
def blaming(what: object) -> Iterator[None]:
    """Say whose fault it is where somebody else's measure fails."""
    try:
        yield
    except OntoevalError:
        raise
    except Exception as error:
        if type(what).__module__.partition(".")[0] == "ontoeval":
            raise
        raise MeasureError(
            f"{_called(what)} cannot be computed: it raises {type(error).__name__}: {error}"
        ) from error


def computed(measure: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:  # noqa: ANN401 - of any class
    """Compute a measure from totals: every number that it gives comes from here."""
    with blaming(measure):
        given = np.asarray(measure.formula(values))
    if given.dtype.kind not in "biuf" or given.shape != values.shape[:-1]:
        raise MeasureError(
            f"{_called(measure)} cannot be computed: of totals of the shape {values.shape} its formula gives "
            f"{given.dtype} of the shape {given.shape}. It must give a real number for each total, which "
            f"lies on the last axis: numbers of the shape {values.shape[:-1]}, nan where undefined."
        )
    # No format, mean or test could do anything with an infinite score.
    return np.where(np.isinf(given), np.nan, given).astype(np.float64, copy=False)


def check_facts(measure: object) -> None:
    """Refuse a measure that says of itself what nothing can be made of."""
    bounds = getattr(measure, "bounds", (0.0, 1.0))
    if not (isinstance(bounds, tuple | list) and len(bounds) == 2 and all(map(_real, bounds))):  # noqa: PLR2004
        raise _wrong(measure, "bounds", "the least and the greatest score, two numbers")
    best = fact(measure, "best")
    if best is not None and not _real(best):
        raise _wrong(measure, "best", "the best score, a number such as 1.0, 0.0 or math.inf; or None")
    if fact(measure, "takes") not in {"sets", "scores"}:
        raise _wrong(measure, "takes", "'sets' or 'scores'")
    source = fact(measure, "source")
    if not isinstance(source, str) or (source and not is_known(source) and not cites(source)):
        raise _wrong(measure, "source", "an entry of BibTeX, '@article{key, ...}', or the key of one of ours")


def cites(source: str) -> bool:
    """Tell whether the source of a measure is an entry of BibTeX itself."""
    return _ENTRY.fullmatch(source) is not None


def _real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not np.isnan(float(value))


def _wrong(measure: object, name: str, expected: str) -> MeasureError:
    said = shortened(repr(getattr(measure, name)))
    return MeasureError(f"{_called(measure)} says {name} = {said}: expected {expected}.")


def _called(what: object) -> str:
    kind = type(what)
    return notation_of(what) or f"{kind.__module__}:{kind.__qualname__}"
