"""The protocol of a measure: a statistic, a formula on its totals, and parameters checked by type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import cache, partial
from inspect import get_annotations
from math import inf
from types import UnionType
from typing import Annotated, Any, Literal, Protocol, Union, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.choices import Best
from ontoeval.errors import MeasureError, OntoevalError, ParameterError, one_of
from ontoeval.measures.notation import notation_of
from ontoeval.measures.sums import Statistic
from ontoeval.plumbing.checks import real_number, unit_interval, unit_interval_or_none, whole_number

ParameterCheck = Callable[[str, Any], Any]
"""Takes name and value of a parameter; returns the value to keep, or raises a `ParameterError`."""


def name_or_none(name: str, value: object, expected: str = "None or a name") -> object:
    """Refuse what is neither None nor a text."""
    if value is not None and not isinstance(value, str):
        raise ParameterError(name, value, expected)
    return value


def number_or_none(name: str, value: object, most: float = inf) -> float | None:
    """Refuse what is neither None nor a number in the range."""
    expected = "None or a number of at least 0" + " and at most 1" * (most == 1)
    return None if value is None else real_number(name, value, most=most, expected=expected)


def whole_or_none(name: str, value: object, least: int) -> int | None:
    """Refuse what is neither None nor a whole number in the range."""
    expected = f"None or a whole number of at least {least}"
    return None if value is None else whole_number(name, value, least, expected=expected)


MOST_BETA = 1e100
"""Largest β: F equals recall to the last digit there, and squares of larger numbers may overflow."""

AtLeast0 = Annotated[float, real_number]
Above0 = Annotated[float, partial(real_number, above=True)]
UpTo1 = Annotated[float, partial(real_number, most=1)]
Above0UpTo1 = Annotated[float, partial(real_number, most=1, above=True)]
Beta = Annotated[float, partial(real_number, most=MOST_BETA)]
Share = Annotated[float, unit_interval]
ShareOrNone = Annotated[float | None, unit_interval_or_none]
Number = Annotated[int, partial(whole_number, least=1)]
NameOrNone = Annotated[str | None, name_or_none]


def check_parameters(holder: Any) -> None:  # noqa: ANN401 - a dataclass
    """Check the fields of a dataclass by their types: `Annotated` with a check, `Literal`, or `bool`."""
    for name, check in _checks(holder.__class__).items():
        object.__setattr__(holder, name, check(name, getattr(holder, name)))


_own_hints = cache(partial(get_annotations, eval_str=True))
"""Annotations of a class without those of its bases, which so are evaluated once for all measures."""


@cache
def _checks(kind: type[Any]) -> dict[str, ParameterCheck]:
    hints = {name: hint for base in reversed(kind.__mro__) for name, hint in _own_hints(base).items()}
    found = {field.name: _check_of(hints[field.name]) for field in fields(kind)}
    return {name: check for name, check in found.items() if check is not None}


def _check_of(hint: object) -> ParameterCheck | None:
    if get_origin(hint) is Annotated:
        return cast("ParameterCheck", get_args(hint)[1])
    allowed = _allowed(hint)
    return partial(_one_of, allowed=allowed) if allowed else None


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> object:
    one_of(name, value, allowed)
    return value


def _allowed(hint: object) -> tuple[object, ...]:
    """List what a type allows, if it is `bool` or a `Literal`, or that or None."""
    if hint is bool:
        return (True, False)
    if get_origin(hint) is Literal:
        return get_args(hint)
    parts = get_args(hint) if get_origin(hint) in {Union, UnionType} else ()
    choices = [_allowed(part) for part in parts if part is not type(None)]
    return (None, *choices[0]) if len(choices) == 1 and choices[0] else ()


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


Function = Callable[[list[set[str]], list[set[str]]], Iterable[float]]
"""Takes the true and the predicted labels, a set of names for each sample; gives a number for each."""

AnyMeasure = str | Measure | Function
"""A notation, a measure or a function."""

Measures = Iterable[AnyMeasure] | AnyMeasure
"""Notations, measures or functions, several or a single one."""

LAWS = {
    "alone": "a sample scores in a batch as it would alone",
    "bounds": "no score leaves the range",
    "duplication": "samples taken twice change nothing",
    "perfect": "a perfect prediction has the best score",
    "relabelling": "the order and the names of concepts change nothing but rounding",
    "symmetry": "truth and prediction can be exchanged",
}
"""Laws that measures claim or deny, by name."""
USUAL_LAWS = frozenset(LAWS) - {"symmetry"}
"""Laws that most measures claim; symmetry is left to each measure."""
SYMMETRY = frozenset({"symmetry"})


class MeasureInfo:
    """Attributes of a measure beside its parameters; the defaults suit most.

    Parameters are checked by the types of their fields.
    """

    best: float | None = 1.0
    """None where neither end is better: the higher score then ranks first, with a note."""
    mergeable: bool = True
    """Whether totals of several parts can be added."""
    takes: Literal["sets", "scores"] = "sets"
    """Kind of prediction that is measured: label sets, or scores of labels."""
    single: bool = False
    """Whether every sample must have exactly one true and one predicted label."""
    known_terms: bool = False
    """Whether terms that were known of a sample before can be left out."""
    of_shares: bool = False
    """Whether it depends on sums over labels alone, so that the truth may be shares of annotators."""
    emerging: bool = False
    """Whether the formula could not be checked against its source, and may change."""
    joint: bool = False
    """Whether samples are compared with each other, so that a single one has no score."""
    trees: bool = False
    """Whether it is defined only where no concept has several parents."""
    concept_columns: tuple[int, int] | None = None
    """Numbers before the columns of concepts, and columns of each: `of_sums` takes sums of their `terms`."""
    laws: frozenset[str] = frozenset()
    """Keys of `LAWS`: laws that hold, unless the parameters deny them."""
    formula_text: str = ""
    source: str = ""
    """Key in the list of references; of a measure of others also an entry of BibTeX, as it is."""

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest score."""
        return 0.0, 1.0

    @property
    def denied_laws(self) -> frozenset[str]:
        """Keys of `LAWS`: laws that are known not to hold with these parameters."""
        denied = SYMMETRY - self.laws if self.laws and self.takes == "sets" else frozenset()
        values = getattr(self, "undefined", None), getattr(self, "empty", None)
        # What stands for 0/0 may be less than the best.
        return denied | {"perfect"} if self.best == 1 and 0 in values else denied

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts that are undefined (0/0) in a total, of which a mean over concepts is taken."""
        by_concept: Any = getattr(self, "per_concept", None)
        macro = by_concept is not None and getattr(self, "average", "") in {"macro", "weighted"}
        return int(np.isnan(by_concept(values)).sum()) if macro else 0


_DEFAULTS = MeasureInfo()


def laws_of(measure: object) -> frozenset[str]:
    """Laws that hold for a measure with its very parameters."""
    return frozenset(info(measure, "laws") - info(measure, "denied_laws"))


def info(measure: object, name: str) -> Any:  # noqa: ANN401 - as various as the attributes
    """Look up an attribute of `MeasureInfo`, or its default where a third party's measure has none."""
    if name in {"best", "bounds"} and not hasattr(measure, name):
        return _best(measure) if name == "best" else _bounds(measure)
    return getattr(measure, name, getattr(_DEFAULTS, name))


def _best(measure: object) -> float:
    """Take the upper bound as the best score of a measure that states none."""
    return float(getattr(measure, "bounds", (-np.inf, np.inf))[1])


def _bounds(measure: object) -> tuple[float, float]:
    """Bounds of a measure that states none: 0 and 1 if its best value is 0 or 1."""
    best = info(measure, "best")
    if best is None or np.isinf(best):
        return -np.inf, np.inf
    return min(0.0, float(best)), max(1.0, float(best))


def best_end(measure: object) -> Best | None:
    """Find the end of its range at which a measure is best."""
    low, high = info(measure, "bounds")
    ends: dict[float, Best] = {high: "highest", low: "lowest"}
    return ends.get(info(measure, "best"))


def shortfall(measure: object, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of scores from the best value of a measure."""
    best = float(info(measure, "best"))
    return np.abs(scores - best) if np.isfinite(best) else -np.sign(best) * scores


# measures of others -----------------------------------------------------------------------------------------


@contextmanager
def measure_blamed(what: object) -> Iterator[None]:
    """Turn exceptions of a third party's measure into an error that names the measure."""
    try:
        yield
    except OntoevalError:
        raise
    except Exception as error:
        if type(what).__module__.partition(".")[0] == "ontoeval":
            raise
        raise MeasureError(
            f"{name_in_messages(what)} cannot be computed: it raises {type(error).__name__}: {error}"
        ) from error


def compute(measure: Measure, values: NDArray[np.float64], *, infinite: bool = False) -> NDArray[np.float64]:
    """Compute a measure from totals: every score comes from here.

    With `infinite` an infinite score stays one where the best score is infinite; elsewhere it is a division
    by zero, and undefined. Differences, means and resamples can do nothing with it.
    """
    with measure_blamed(measure):
        given = np.asarray(measure.formula(values))
    if given.dtype.kind not in "biuf" or given.shape != values.shape[:-1]:
        raise MeasureError(
            f"{name_in_messages(measure)} cannot be computed: of totals of the shape {values.shape} "
            f"its formula gives {given.dtype} of the shape {given.shape}. It must give a real number for "
            f"each total, which lies on the last axis: numbers of the shape {values.shape[:-1]}, nan where "
            "undefined."
        )
    lost = np.isinf(given) & (not infinite or np.isfinite(info(measure, "best") or 0))
    return np.where(lost, np.nan, given).astype(np.float64, copy=False)


def name_in_messages(what: object) -> str:
    """Name a measure in messages, whatever its class."""
    kind = type(what)
    return notation_of(what) or f"{kind.__module__}:{kind.__qualname__}"
