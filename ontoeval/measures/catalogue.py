"""The catalogue: every measure by its symbol, and the notation that names its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from ontoeval.errors import MeasureError, listed, near
from ontoeval.measures.averages import Accuracy, ErrorRate, F, Jaccard, Precision, Recall
from ontoeval.measures.base import Measure, frozen
from ontoeval.measures.hierarchical import (
    HierarchicalF,
    HierarchicalJaccard,
    HierarchicalPrecision,
    HierarchicalRecall,
)
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.measures.samples import AlphaEvaluation, ExactMatch, FullyWrong, HammingLoss, PartlyCorrect


@dataclass(frozen=True)
class Entry:
    """A named point among the measures.

    Parameters
    ----------
    symbol
        What it is called.
    measure
        The measure with its default parameters.
    title
        Its name in words.
    family
        What it belongs to.
    """

    symbol: str
    measure: Any
    title: str
    family: str


_BELOW: dict[str, Any] = {"members": "descendants", "average": "samples"}
"""What Sokolova and Lapalme compare: each label's subclasses, sample by sample."""

CATALOGUE = (
    Entry("OS", OntologyScore(), "ontology score", "ontology"),
    Entry("P", Precision(), "precision", "flat"),
    Entry("R", Recall(), "recall", "flat"),
    Entry("F", F(), "F measure", "flat"),
    Entry("Jaccard", Jaccard(), "Jaccard index, example-based accuracy", "flat"),
    Entry("Accuracy", Accuracy(), "accuracy of decisions", "flat"),
    Entry("Error", ErrorRate(), "error rate of decisions", "flat"),
    Entry("Hamming", HammingLoss(), "Hamming loss", "flat"),
    Entry("ExactMatch", ExactMatch(), "exact match ratio, fully correct samples", "flat"),
    Entry("PartlyCorrect", PartlyCorrect(), "partly correct samples", "flat"),
    Entry("FullyWrong", FullyWrong(), "fully wrong samples", "flat"),
    Entry("Alpha", AlphaEvaluation(), "α-evaluation of Shen and Boutell", "flat"),
    Entry("hP", HierarchicalPrecision(), "hierarchical precision", "ancestors"),
    Entry("hR", HierarchicalRecall(), "hierarchical recall", "ancestors"),
    Entry("hF", HierarchicalF(), "hierarchical F measure", "ancestors"),
    Entry("hJaccard", HierarchicalJaccard(), "hierarchical Jaccard index", "ancestors"),
    Entry("dP", HierarchicalPrecision(**_BELOW), "precision over descendants, P↓", "descendants"),
    Entry("dR", HierarchicalRecall(**_BELOW), "recall over descendants, R↓", "descendants"),
    Entry("dF", HierarchicalF(**_BELOW), "F measure over descendants, F↓", "descendants"),
)
"""Every measure that the package names."""

_BY_SYMBOL = {entry.symbol: entry for entry in CATALOGUE}


def entry(symbol: str) -> Entry:
    """Look up a symbol.

    Parameters
    ----------
    symbol
        What a measure is called.

    Returns
    -------
    Entry
        Its entry.

    Raises
    ------
    MeasureError
        If nothing is called so.

    Examples
    --------
    >>> entry("OS").title
    'ontology score'
    """
    if symbol not in _BY_SYMBOL:
        raise MeasureError(
            f"Unknown measure {symbol!r}{near(symbol, _BY_SYMBOL)}. There are: {', '.join(_BY_SYMBOL)}."
        )
    return _BY_SYMBOL[symbol]


def parse(notation: str) -> Any:  # noqa: ANN401 - a measure of any class
    """Read a measure in its notation.

    Parameters
    ----------
    notation
        A symbol, or a symbol with options: "F(beta=2, average='macro')".

    Returns
    -------
    Measure
        The measure.

    Raises
    ------
    MeasureError
        If the notation cannot be read.
    ParameterError
        If an option has a value that it cannot have.

    Examples
    --------
    >>> parse("F(average='macro')").average
    'macro'
    """
    try:
        tree = ast.parse(notation.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two where it is nested deeply
        tree = None
    if isinstance(tree, ast.Name):
        return entry(tree.id).measure
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or tree.args:
        raise MeasureError(
            f"Cannot read the measure {notation!r}. Write a symbol and named options, such as "
            "F(average='macro') or OS(alpha=2); see `ontoeval measures`."
        )
    default = entry(tree.func.id).measure
    options = [field.name for field in fields(default)]
    given = {}
    for keyword in tree.keywords:
        if keyword.arg not in options:
            hint = near(str(keyword.arg), options)
            known = f"Its options are {', '.join(options)}" if options else "It has no options"
            raise MeasureError(f"{tree.func.id} has no option {keyword.arg!r}{hint}. {known}.")
        if keyword.arg in given:
            raise MeasureError(f"{notation!r} gives {keyword.arg!r} twice. Give it once.")
        try:
            given[keyword.arg] = frozen(ast.literal_eval(keyword.value))
        except (ValueError, TypeError):
            written = ast.unparse(keyword.value)
            raise MeasureError(
                f"{notation!r}: {written} is no value. Quote texts: {keyword.arg}='{written}'."
            ) from None
    return replace(default, **given)


def name(measure: Measure) -> str:
    """Write a measure in its notation; `parse` reads it back.

    Parameters
    ----------
    measure
        Any measure.

    Returns
    -------
    str
        Its symbol with the parameters that differ from the default; for a measure outside the
        catalogue its representation.

    Examples
    --------
    >>> name(F(average="macro"))
    "F(average='macro')"
    """
    nearest = _nearest(measure)
    if nearest is None:
        return repr(measure)
    differences = _differences(measure, nearest.measure)
    return f"{nearest.symbol}({_options(differences)})" if differences else nearest.symbol


def full_name(measure: Measure) -> str:
    """Write a measure with every parameter, as signatures do.

    Parameters
    ----------
    measure
        Any measure.

    Returns
    -------
    str
        Its symbol with all parameters.

    Examples
    --------
    >>> full_name(AlphaEvaluation(alpha=2))
    'Alpha(alpha=2, beta=1, gamma=1)'
    """
    nearest = _nearest(measure)
    if nearest is None or not is_dataclass(measure):
        return repr(measure)
    options = _options({field.name: getattr(measure, field.name) for field in fields(measure)})
    return f"{nearest.symbol}({options})" if options else nearest.symbol


def measures_of(wanted: Iterable[str | Measure] | str) -> dict[str, Any]:
    """Collect measures given as notations or as values.

    Parameters
    ----------
    wanted
        Notations and measures, in the order wanted.

    Returns
    -------
    dict
        Each measure by its canonical notation; what is asked for twice is there once.

    Raises
    ------
    MeasureError
        If something is neither, or nothing is wanted.

    Examples
    --------
    >>> list(measures_of(["F(beta=1.0)", F()]))
    ['F']
    """
    wanted = [wanted] if isinstance(wanted, str) else list(wanted)
    measures = [parse(one) if isinstance(one, str) else one for one in wanted]
    wrong = [one for one in measures if not hasattr(one, "statistic") or not hasattr(one, "formula")]
    if not measures:
        raise MeasureError("No measure is asked for. Name one, such as 'F'.")
    if wrong:
        raise MeasureError(
            f"No measure: {listed(map(repr, wrong))}. Give notations such as 'F', or objects with "
            "`statistic` and `formula`."
        )
    return {name(measure): measure for measure in measures}


def _nearest(measure: object) -> Entry | None:
    """Find the entry of the same class from which the fewest parameters differ, the first of several."""
    candidates = [entry for entry in CATALOGUE if type(entry.measure) is type(measure)]
    return min(candidates, key=lambda one: len(_differences(measure, one.measure)), default=None)


def _differences(measure: object, default: object) -> dict[str, object]:
    values = {field.name: getattr(measure, field.name) for field in fields(default)}  # type: ignore[arg-type]
    return {key: value for key, value in values.items() if value != getattr(default, key)}


def _options(values: dict[str, object]) -> str:
    """Write options; equal numbers are written alike, 2.0 as 2, so that equal measures have one name."""
    return ", ".join(
        f"{key}={int(value) if isinstance(value, float) and value.is_integer() else value!r}"
        for key, value in values.items()
    )
