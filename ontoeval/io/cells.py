"""Cells that hold a list as Python, numpy or JSON writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

BETWEEN = "\x1f"
"""What stands between the items once they are taken out of their brackets."""

_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*+)'|("(?:[^"\\]|\\.)*+")""", re.DOTALL)
_MARKS = re.compile("['\"]")
_MARKED = re.compile("[\\s,'\"\\[\\]]|^$")
_BLANK = re.compile(r"\s")
_TO_ESCAPE, _WITH_BACKSLASH = re.compile(r"(['\\])"), r"\\\1"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unlisted(cells: Sequence[str]) -> list[str] | None:
    r"""Take the items of lists out of their brackets and quotes.

    Parameters
    ----------
    cells
        The cells of a column.

    Returns
    -------
    list of str, or None
        The items of each, with `BETWEEN` between them; None where not all cells are lists or empty.

    Examples
    --------
    >>> [cell.split(BETWEEN) for cell in unlisted(["['sky', 'sea']", "[7]"])], unlisted(["sky"])
    ([['sky', 'sea'], ['7']], None)
    """
    found = []
    for cell in cells:
        items = _items(cell.strip())
        if items is None:
            return None
        found.append(BETWEEN.join(items))
    return found if any(cell.strip() for cell in cells) else None


def relisted(items: Sequence[str], cell: str) -> str:
    r"""Put items into brackets as another cell has them.

    Parameters
    ----------
    items
        The items.
    cell
        A cell that holds a list.

    Returns
    -------
    str
        A cell that holds these items.

    Examples
    --------
    >>> relisted(["sky", "it's"], "['sky']"), relisted(["7", "9"], "[7 8]")
    ("['sky', 'it\\'s']", '[7 9]')
    """
    marks = _MARKS.findall(cell)
    mark = marks[0] if marks else ""
    if not mark and any(_MARKED.search(item) for item in items):
        mark = '"'
    between = " " if "," not in cell and _BLANK.search(cell.strip()) else ", "
    if mark == '"':
        return f"[{between.join(json.dumps(item, ensure_ascii=False) for item in items)}]"
    return f"[{between.join(mark + _TO_ESCAPE.sub(_WITH_BACKSLASH, item) + mark for item in items)}]"


def _items(cell: str) -> list[str] | None:
    if not cell:
        return []
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    body = cell[1:-1]
    if "'" not in body and '"' not in body:
        parts = body.split(",") if "," in body else body.split()
        return [part.strip() for part in parts]
    if _QUOTED.sub("", body).strip(", \r\n\t"):
        return None
    return [_ESCAPED.sub(r"\1", one) if one else _text(other) for one, other in _QUOTED.findall(body)]


def _text(quoted: str) -> str:
    """Read a text of JSON, or one of Python that has escapes of its own."""
    if not quoted:
        return ""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return _ESCAPED.sub(r"\1", quoted[1:-1])
