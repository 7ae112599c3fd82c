"""Cells that hold a list as Python, numpy or JSON writes it, or other JSON, which is no label."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from ontoeval.core.roles import CONCEPTS, plain

BETWEEN = "\x1f"
"""What stands between the items once they are taken out of their brackets."""

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
_BETWEEN_COMMAS, _WORD = re.compile(r"[^\s,](?:[^,]*[^\s,])?"), re.compile(r"\S+")
_MARKED = re.compile("[\\s,'\"\\[\\]]|^$")
_TO_ESCAPE, _WITH_BACKSLASH = re.compile(r"(['\\])"), r"\\\1"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unlisted(cells: Sequence[str]) -> list[str] | None:
    """Take the items of lists out of their brackets and quotes."""
    found = []
    for cell in cells:
        items = _items(cell.strip())
        if items is None:
            return None
        found.append(BETWEEN.join(items))
    return found if any(cell.strip() for cell in cells) else None


def json_labels(cell: str) -> list[str] | None:
    """Take the labels out of a cell of JSON: of a list, or of {"choices": [...]}, as Label Studio has it."""
    found = _json(cell)
    if isinstance(found, dict) and len(found) == 1 and plain(next(iter(found))) in CONCEPTS:
        (found,) = found.values()
    labels = isinstance(found, list) and all(
        isinstance(item, str | int) and not isinstance(item, bool) for item in found
    )
    return [str(item) for item in found] if labels else None


def is_structure(cell: str) -> bool:
    """Whether a cell holds an object or a list, as JSON or Python writes it, or the beginning of one."""
    if "{" not in cell and "[" not in cell:
        return False
    text = cell.strip()
    closing = {"[": "]", "{": "}"}.get(text[:1])
    if closing and text[1:].lstrip()[:1] in {"'", '"'} and not text.endswith(closing):
        return True  # cut off
    quoted = "'" in text or '"' in text
    written = (text[:1] == "{" and text[-1:] == "}" and quoted) or isinstance(_json(text), dict | list)
    return written or (quoted and _items(text) is not None)


def _json(cell: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    text = cell.strip()
    if text[:1] + text[-1:] not in {"[]", "{}"}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def relisted(items: Sequence[str], cell: str) -> str:
    """Put items into brackets as another cell has them."""
    body = cell.strip()[1:-1]
    spans = _spans(body) or [(0, 0)]
    raw = [body[begin:end] for begin, end in spans]
    own = raw[0][:1] if raw[0].startswith(("'", '"')) else ""
    # Items that stand without quotes all get some where one needs them.
    mark = own or '"' * any(map(_MARKED.search, items))
    written = dict(zip(map(_item, raw), raw, strict=True)) if mark == own else {}
    between = body[spans[0][1] : spans[1][0]] if len(spans) > 1 else ", "
    texts = [written.get(item) or _quoted(item, mark) for item in items]
    return f"[{body[: spans[0][0]]}{between.join(texts)}{body[spans[-1][1] :]}]"


def _quoted(item: str, mark: str) -> str:
    if mark == '"':
        return json.dumps(item, ensure_ascii=False)
    return mark + _TO_ESCAPE.sub(_WITH_BACKSLASH, item) + mark


def _items(cell: str) -> list[str] | None:
    if not cell:
        return []
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    body = cell[1:-1]
    if ("'" in body or '"' in body) and _QUOTED.sub("", body).strip(", \r\n\t"):
        return None
    return [_item(body[begin:end]) for begin, end in _spans(body)]


def _spans(body: str) -> list[tuple[int, int]]:
    """Find out where the items stand between the brackets."""
    without_quotes = _BETWEEN_COMMAS if "," in body else _WORD
    item = _QUOTED if "'" in body or '"' in body else without_quotes
    return [found.span() for found in item.finditer(body)]


def _item(raw: str) -> str:
    """Read an item."""
    if raw.startswith('"'):
        return _text(raw)
    return _ESCAPED.sub(r"\1", raw[1:-1]) if raw.startswith("'") else raw


def _text(quoted: str) -> str:
    """Read a text of JSON, or one of Python that has escapes of its own."""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return _ESCAPED.sub(r"\1", quoted[1:-1])
