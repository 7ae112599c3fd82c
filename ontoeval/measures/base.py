"""What a measure is: a statistic, and a formula on its totals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MeasureError, OntoevalError, shortened
from ontoeval.measures.notation import notation_of
from ontoeval.measures.references import is_known
from ontoeval.measures.sums import Statistic


class Measure(Protocol):
    """A frozen dataclass of parameters with a statistic and a formula.

    No base class and no registration is needed: whatever has these two members is a measure.
    """

    @property
    def statistic(self) -> Statistic:
        """The additive statistic that the formula is computed from."""
        ...

    def formula(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the measure from totals, or from rows to have it for each sample."""
        ...


Measures = Iterable[str | Measure] | str | Measure
"""What can be given wherever measures are asked for: notations and measures, or a single one."""

LAWS = {
    "alone": "a sample scores in a batch as it would alone",
    "bounds": "no score leaves the range",
    "duplication": "samples taken twice change nothing",
    "perfect": "a perfect prediction has the best score",
    "relabelling": "the order and the names of concepts say nothing",
    "symmetry": "truth and prediction can be exchanged",
}
"""Laws that measures claim or deny, with their default parameters, by name."""

USUAL_LAWS = frozenset(LAWS) - {"symmetry"}
"""What most measures claim."""


class Facts:
    """What is said of a measure beside its parameters; the defaults suit most."""

    bounds: tuple[float, float] = (0.0, 1.0)
    best: float | None = 1.0
    """None where neither end is better: the higher score then ranks first, and a note says so."""
    mergeable: bool = True
    """Whether totals of several parts can be added."""
    takes: Literal["sets", "scores"] = "sets"
    """What of the prediction is measured: label sets, or the scores of labels."""
    single: bool = False
    """Whether every sample must have exactly one true and one predicted label."""
    emerging: bool = False
    """Whether the formula could not be checked against its source, and may change."""
    trees: bool = False
    """Whether it is defined only where no concept has several parents."""
    laws: frozenset[str] = frozenset()
    """Laws that hold: keys of `LAWS`."""
    non_laws: frozenset[str] = frozenset()
    """Laws that one might expect but that are known not to hold."""
    formula_text: str = ""
    source: str = ""
    """Key in the list of references; of somebody else's measure also an entry of BibTeX, as it is."""

    @property
    def given_up(self) -> frozenset[str]:
        """Laws that the class claims and these parameters break."""
        return frozenset()

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts that a mean over concepts finds undefined (0/0) in a total.

        Parameters
        ----------
        values
            A total of the statistic.

        Returns
        -------
        int
            How many; 0 for measures that are no mean over concepts.
        """
        del values
        return 0


def laws_of(measure: object) -> frozenset[str]:
    """Tell which laws hold for a measure with its very parameters."""
    given_up = getattr(measure, "given_up", frozenset[str]())
    return frozenset(fact(measure, "laws") - given_up)


def fact(measure: object, name: str) -> Any:  # noqa: ANN401 - as various as the facts
    """Look up a fact of a measure, or the default where a third party's measure states none."""
    if name in {"best", "bounds"} and not hasattr(measure, name):
        return _best(measure) if name == "best" else _bounds(measure)
    return getattr(measure, name, getattr(Facts, name))


def _best(measure: object) -> float:
    """Expect that more is better, as far as scores can go."""
    return float(getattr(measure, "bounds", (-np.inf, np.inf))[1])


def _bounds(measure: object) -> tuple[float, float]:
    """Expect scores between 0 and 1 only where a measure says that one of these is best."""
    best = fact(measure, "best")
    if best is None or np.isinf(best):
        return -np.inf, np.inf
    return min(0.0, float(best)), max(1.0, float(best))


def shortfall(measure: object, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tell how far scores lie from the best value of a measure."""
    best = float(fact(measure, "best"))
    return np.abs(scores - best) if np.isfinite(best) else -np.sign(best) * scores


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
