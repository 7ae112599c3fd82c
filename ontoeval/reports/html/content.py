"""What the script of a page reads: figures and tables as JSON, each list of values once."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ontoeval.reports.formats import spread
from ontoeval.reports.table import Table, is_number, written

SHORT = 6
"""Lists up to this length are written where they stand."""

DIGITS = 6
"""Significant digits of numbers that are no whole ones."""


EXACT = 2**53
"""Whole numbers below this are what they seem to a browser."""


class Pool:
    """Lists of values, each kept once however often it is used: choices of a figure share most of theirs."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def lists(self) -> str:
        """The lists as JSON, in the order in which they were met."""
        return f"[{','.join(self._places)}]"

    def keep(self, values: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Put long lists of plain values into the pool."""
        if isinstance(values, Mapping):
            return {key: self.keep(value) for key, value in values.items()}
        if isinstance(values, list):
            kept = [self.keep(value) for value in values]
            if len(kept) <= SHORT or any(isinstance(value, dict) and "$" not in value for value in kept):
                return kept
            return {"$": self._places.setdefault(_json(kept), len(self._places))}
        return values


def of_plot(figure: Any) -> dict[str, Any]:  # noqa: ANN401 - a figure of plotly
    """Write a figure as what JSON can hold."""
    content: dict[str, Any] = _plain(figure.to_plotly_json())
    content["layout"].pop("template", None)  # the page has its own
    return content


def of_table(table: Table) -> dict[str, Any]:
    """Write a table as what JSON can hold, column by column."""
    table = spread(table)
    columns = [
        {
            "title": written(column.title),
            "digits": table.digits[which],
            "values": _column([_cell(row[which]) for row in table.rows]),
        }
        for which, column in enumerate(table.columns)
    ]
    return {
        "title": written(table.title),
        "columns": columns,
        "notes": [written(note) for note in table.notes],
    }


def in_script(content: str) -> str:
    """Write JSON such that it can stand inside a script element, whatever texts it holds."""
    for character in "<>&\u2028\u2029":
        content = content.replace(character, f"\\u{ord(character):04x}")
    return content


def as_content(figures: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """Write the content of a page."""
    pool = Pool()
    kept = _json([[pool.keep(view) for view in views] for views in figures])
    return in_script(f'{{"figures":{kept},"lists":{pool.lists}}}')


def _json(values: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _column(values: list[Any]) -> Any:  # noqa: ANN401 - values, or what they are made of
    """Name each text once where texts are repeated: `{"of": texts, "at": places}`."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values)) if isinstance(value, str)}
    if len(places) < len(set(values)) or len(values) < 2 * len(places):
        return values
    return {"of": list(places), "at": [places[value] for value in values]}


def _cell(cell: Any) -> Any:  # noqa: ANN401 - a cell of a table
    if isinstance(cell, str):
        return written(cell)
    return _short(cell) if is_number(cell) else None


def _short(number: float) -> float:
    """Round a number, and write 1.0 as 1, which is the same to the page."""
    if float(number).is_integer() and abs(number) < EXACT:
        return int(number)
    return float(f"{number:.{DIGITS}g}")


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever plotly holds
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return _short(value)
    return value
