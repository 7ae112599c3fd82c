"""The catalogue of measures as tables."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

from ontoeval.measures.base import LAWS, fact
from ontoeval.measures.catalogue import CATALOGUE, entry, full_name, parse
from ontoeval.references import citation
from ontoeval.report.table import Column, Table, written


def all_measures() -> Table:
    """List every measure.

    Returns
    -------
    Table
        One row per measure.

    Examples
    --------
    >>> all_measures().rows[0][0]
    'OS'
    """
    rows = tuple((one.symbol, one.family, one.title, fact(one.measure, "formula_text")) for one in CATALOGUE)
    return Table(
        "Measures",
        (Column("symbol"), Column("family"), Column("title"), Column("formula")),
        rows,
        ("Options go in brackets: F(average='macro'). `ontoeval measures SYMBOL` explains them.",),
    )


def one_measure(notation: str) -> Table:
    """Say everything about one measure.

    Parameters
    ----------
    notation
        A symbol, or a measure in its notation.

    Returns
    -------
    Table
        Formula, range, options with their defaults and meaning, laws and source.

    Raises
    ------
    MeasureError
        If there is no such measure.

    Examples
    --------
    >>> dict(one_measure("Hamming").rows)["best"]
    '0'
    """
    measure = parse(notation)
    known = entry(notation.partition("(")[0].strip())
    low, high = fact(measure, "bounds")
    meanings = _meanings(type(measure))
    rows = [
        ("name", known.title),
        ("summary", inspect.getdoc(type(measure)).partition("\n")[0]),  # type: ignore[union-attr]
        ("formula", fact(measure, "formula_text")),
        ("range", f"{low:g} to {high:g}"),
        ("best", written(fact(measure, "best"))),
        ("with every option", full_name(measure)),
        *((f"  {field.name}", meanings.get(field.name, "")) for field in fields(measure)),
        ("laws it has", "; ".join(LAWS[law] for law in sorted(fact(measure, "laws"))) or "–"),
        ("laws it has not", "; ".join(LAWS[law] for law in sorted(fact(measure, "non_laws"))) or "–"),
        ("source", citation(fact(measure, "source"))),
    ]
    return Table(known.symbol, (Column("what"), Column("which")), tuple(rows))


def _meanings(kind: type) -> dict[str, str]:
    """Collect what the docstrings of a class and its parents say of each parameter."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        block = re.search(r"Parameters\n-+\n(.*?)(\n\n\w|\Z)", inspect.cleandoc(one.__doc__ or ""), re.DOTALL)
        if block:
            for name, text in re.findall(r"^(\w+)\n((?: {4}.*\n?)+)", block.group(1), re.MULTILINE):
                found[name] = " ".join(text.split())
    return found
