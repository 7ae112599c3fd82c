"""The notation of measures: a symbol and named options, all of them literals. Nothing is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import numpy as np

from ontoeval.errors import MeasureError, near
from ontoeval.measures.base import frozen


def split(notation: str, written: str) -> tuple[str, list[ast.keyword]]:
    """Split a notation into its symbol and its options."""
    try:
        tree = ast.parse(notation.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two where it is nested deeply
        tree = None
    if isinstance(tree, ast.Name):
        return tree.id, []
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or tree.args:
        raise MeasureError(
            f"Cannot read the measure {written!r}. Write a symbol and named options, such as "
            "F(average='macro') or OS(alpha=2); see `ontoeval measures`."
        )
    return tree.func.id, tree.keywords


def values_of(
    keywords: Sequence[ast.keyword], options: Sequence[str], symbol: str, written: str
) -> dict[str, object]:
    """Read the values of options."""
    given: dict[str, object] = {}
    for keyword in keywords:
        name = str(keyword.arg)  # None, where something is unpacked, is no option
        if name not in options:
            known = f"Its options are {', '.join(options)}" if options else "It has no options"
            raise MeasureError(f"{symbol} has no option {keyword.arg!r}{near(name, options)}. {known}.")
        if name in given:
            raise MeasureError(f"{written!r} gives {name!r} twice. Give it once.")
        try:
            given[name] = frozen(ast.literal_eval(keyword.value))
        except (ValueError, TypeError):
            text = ast.unparse(keyword.value)
            raise MeasureError(f"{written!r}: {text} is no value. Quote texts: {name}={text!r}.") from None
    return given


def joined(symbol: str, options: Mapping[str, object]) -> str:
    """Write a symbol with options."""
    # A number of NumPy's is written as Python writes it: its own representation could not be read back.
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}
    texts = (
        f"{key}={int(value) if isinstance(value, float) and value.is_integer() else value!r}"
        for key, value in plain.items()
    )
    return f"{symbol}({', '.join(texts)})" if options else symbol
