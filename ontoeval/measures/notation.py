"""The notation of measures: a symbol and named options, all of them literals. Nothing is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import numpy as np

from ontoeval.errors import MeasureError, near
from ontoeval.measures.base import frozen


def split(notation: str, written: str) -> tuple[str, list[ast.keyword]]:
    """Split a notation into its symbol and its options.

    Parameters
    ----------
    notation
        A symbol, or a symbol with options in brackets.
    written
        What the user wrote, for messages.

    Returns
    -------
    symbol : str
        The symbol.
    keywords : list of ast.keyword
        The options, not yet read.

    Raises
    ------
    MeasureError
        If it is something else.

    Examples
    --------
    >>> split("F(beta=2)", "F(beta=2)")[0]
    'F'
    """
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
    """Read the values of options.

    Parameters
    ----------
    keywords
        The options.
    options
        Those that the measure has.
    symbol
        What the measure is called, for messages.
    written
        What the user wrote, for messages.

    Returns
    -------
    dict
        Literals by the names of the options; lists have become tuples.

    Raises
    ------
    MeasureError
        If there is no such option, it is given twice, or its value is no literal.

    Examples
    --------
    >>> values_of(split("F(beta=2)", "")[1], ["beta"], "F", "F(beta=2)")
    {'beta': 2}
    """
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
    """Write a symbol with options.

    Parameters
    ----------
    symbol
        The symbol.
    options
        Values by the names of the options.

    Returns
    -------
    str
        The notation; equal numbers are written alike, 2.0 as 2, so that equal measures have one name.

    Examples
    --------
    >>> joined("F", {"beta": 2.0, "average": "macro"}), joined("F", {})
    ("F(beta=2, average='macro')", 'F')
    """
    # A number of NumPy's is written as Python writes it: its own representation could not be read back.
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}
    texts = (
        f"{key}={int(value) if isinstance(value, float) and value.is_integer() else value!r}"
        for key, value in plain.items()
    )
    return f"{symbol}({', '.join(texts)})" if options else symbol
