"""Cells that hold a list as Python, numpy or JSON writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

BETWEEN = "\x1f"
"""What stands between the items once they are taken out of their brackets."""

_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*+)'|("(?:[^"\\]|\\.)*+")""", re.DOTALL)
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
