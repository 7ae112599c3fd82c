"""What a measure is: a statistic, and a formula on its totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MeasureError, OntoevalError, shortened
from ontoeval.measures.notation import notation_of
from ontoeval.measures.parameters import check_parameters
from ontoeval.measures.references import is_entry, is_known
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
        """Compute the measure from totals, or from rows to have it for each sample.

        Totals lie on the last axis; leading axes are kept.
        """
        ...


Measures = Iterable[str | Measure] | str | Measure
"""Notations or measures, several or a single one."""

LAWS = {
    "alone": "a sample scores in a batch as it would alone",
    "bounds": "no score leaves the range",
    "duplication": "samples taken twice change nothing",
    "perfect": "a perfect prediction has the best score",
    "relabelling": "the order and the names of concepts say nothing",
    "symmetry": "truth and prediction can be exchanged",
}
"""Laws that measures claim or deny, by name."""
USUAL_LAWS = frozenset(LAWS) - {"symmetry"}
"""Laws that most measures claim; about symmetry each says something of its own."""
SYMMETRY = frozenset({"symmetry"})


class MeasureInfo:
    """What a measure states beside its parameters; the defaults suit most.

    Parameters are checked by the types of their fields.
    """

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
    """Keys of `LAWS`: what holds, unless the parameters deny it."""
    denied_laws: frozenset[str] = frozenset()
    """Keys of `LAWS`: what is known not to hold with these parameters."""
    formula_text: str = ""
    source: str = ""
    """Key in the list of references; of a measure of others also an entry of BibTeX, as it is."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_parameters(self)

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts that are undefined (0/0) in a total, of which a mean over concepts is taken."""
        del values
        return 0


def laws_of(measure: object) -> frozenset[str]:
    """Laws that hold for a measure with its very parameters."""
    return frozenset(info(measure, "laws") - info(measure, "denied_laws"))


def info(measure: object, name: str) -> Any:  # noqa: ANN401 - as various as the attributes
    """Look up an attribute of `MeasureInfo`, or its default where a third party's measure has none."""
    if name in {"best", "bounds"} and not hasattr(measure, name):
        return _best(measure) if name == "best" else _bounds(measure)
    return getattr(measure, name, getattr(MeasureInfo, name))


def _best(measure: object) -> float:
    """Expect that more is better, as far as scores can go."""
    return float(getattr(measure, "bounds", (-np.inf, np.inf))[1])


def _bounds(measure: object) -> tuple[float, float]:
    """Expect scores between 0 and 1 only where a measure says that one of these is best."""
    best = info(measure, "best")
    if best is None or np.isinf(best):
        return -np.inf, np.inf
    return min(0.0, float(best)), max(1.0, float(best))


def shortfall(measure: object, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of scores from the best value of a measure."""
    best = float(info(measure, "best"))
    return np.abs(scores - best) if np.isfinite(best) else -np.sign(best) * scores


# measures of others -----------------------------------------------------------------------------------------


@contextmanager
def blaming(what: object) -> Iterator[None]:
    """Turn what a measure of others raises into an error that names the measure."""
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
    """Compute a measure from totals: every score comes from here."""
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


def check_info(measure: object) -> None:
    """Refuse attributes of a measure of others that cannot be used."""
    bounds = getattr(measure, "bounds", (0.0, 1.0))
    best, source = info(measure, "best"), info(measure, "source")
    two = isinstance(bounds, tuple | list) and len(bounds) == 2  # noqa: PLR2004 - two ends
    if not (two and all(map(_is_real, bounds))):
        raise _unusable(measure, "bounds", "the least and the greatest score, two numbers")
    if best is not None and not _is_real(best):
        raise _unusable(measure, "best", "the best score, a number such as 1.0, 0.0 or math.inf; or None")
    if info(measure, "takes") not in {"sets", "scores"}:
        raise _unusable(measure, "takes", "'sets' or 'scores'")
    if not isinstance(source, str) or (source and not is_known(source) and not is_entry(source)):
        raise _unusable(
            measure, "source", "an entry of BibTeX, '@article{key, ...}', or the key of one of ours"
        )


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not np.isnan(float(value))


def _unusable(measure: object, name: str, expected: str) -> MeasureError:
    found = shortened(repr(getattr(measure, name)))
    return MeasureError(f"{_called(measure)} says {name} = {found}: expected {expected}.")


def _called(what: object) -> str:
    kind = type(what)
    return notation_of(what) or f"{kind.__module__}:{kind.__qualname__}"
