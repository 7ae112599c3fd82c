"""Lists written in a text, as JSON, Python and NumPy write them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ontoeval.plumbing.column_titles import CONCEPTS, normalise_title
from ontoeval.plumbing.json_text import Json

BETWEEN = "\x1f"  # separator of the items without their brackets

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
_QUOTED_ONLY = re.compile(rf"(?:{_QUOTED.pattern})(?:\s*,\s*(?:{_QUOTED.pattern}))*", re.DOTALL)
_BETWEEN_COMMAS, _WORD = re.compile(r"[^\s,](?:[^,]*[^\s,])?"), re.compile(r"\S+")
_MARKED = re.compile("[\\s,'\"\\[\\]]|^$")
_TO_ESCAPE, _WITH_BACKSLASH = re.compile(r"(['\\])"), r"\\\1"
_ESCAPED = re.compile(
    r"\\(?:([nrt]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U000[\da-fA-F]{5}|U0010[\da-fA-F]{4})|(.))", re.DOTALL
)


_EMPTY = frozenset({"set()", "frozenset()", "()", "{}", "[]"})


def list_items(cells: Sequence[str]) -> list[str] | None:
    """Items of lists, without brackets and quotes."""
    found = []
    for cell in cells:
        items = _items(cell.strip())
        if items is None:
            return None
        found.append(BETWEEN.join(items))
    return found if any(cell.strip() for cell in cells) else None


def is_structure(cell: str) -> bool:
    """Whether a cell holds an object or a list, as JSON or Python writes it, or the beginning of one."""
    if not any(sign in cell for sign in "[{("):
        return False
    text = cell.strip()
    closing = {"[": "]", "{": "}"}.get(text[:1])
    if closing and text[1:].lstrip()[:1] in {"'", '"'} and not text.endswith(closing):
        return True  # cut off
    quoted = "'" in text or '"' in text
    written = (text[:1] == "{" and text[-1:] == "}" and quoted) or isinstance(_json(text), dict | list)
    return written or (quoted and _items(text) is not None)


def _json(cell: str) -> Json:
    text = cell.strip()
    if text[:1] + text[-1:] not in {"[]", "{}"}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def write_list(items: Sequence[str], cell: str) -> str:
    """Write items as a list in the style of another cell."""
    body = _body(cell.strip()) or ""
    spans = _spans(body) or [(0, 0)]
    raw = [body[begin:end] for begin, end in spans]
    own = raw[0][:1] if raw[0].startswith(("'", '"')) else ""
    # If one item needs quotes, all get them.
    mark = own or '"' * any(map(_MARKED.search, items))
    written = dict(zip(map(_item, raw), raw, strict=True)) if mark == own else {}
    between = body[spans[0][1] : spans[1][0]] if len(spans) > 1 else ", "
    texts = [written.get(item) or _quoted(item, mark) for item in items]
    return f"[{body[: spans[0][0]]}{between.join(texts)}{body[spans[-1][1] :]}]"


def _quoted(item: str, mark: str) -> str:
    if mark == '"':
        return json.dumps(item, ensure_ascii=False)
    return mark + _TO_ESCAPE.sub(_WITH_BACKSLASH, item) + mark


def labels_in(text: str) -> list[str] | None:
    """Labels of a list in a text: of JSON, or of texts in quotes as Python and NumPy write them.

    Label Studio writes {"choices": [...]}.
    """
    found, bare = _json(text), text.strip()
    if isinstance(found, dict) and len(found) == 1 and normalise_title(next(iter(found))) in CONCEPTS:
        (found,) = found.values()
    if isinstance(found, list) and {*map(type, found)} <= {str, int}:
        return [*map(str, found)]
    return _items(bare) if "'" in bare or '"' in bare or bare in _EMPTY else None


def _body(cell: str) -> str | None:
    """Items of a list without its brackets; those of quoted items may be of any kind, or none."""
    body = cell.removeprefix("frozenset(").removesuffix(")") if cell.startswith("frozenset(") else cell
    if not body or body in _EMPTY:
        return ""
    if body[0] in "'\"" and _QUOTED_ONLY.fullmatch(body):
        return body
    others = {"()", "{}"} if "'" in body or '"' in body else set[str]()
    return body[1:-1] if body[0] + body[-1] in {"[]", *others} else None


def _items(cell: str) -> list[str] | None:
    body = _body(cell)
    if body is None or (("'" in body or '"' in body) and _QUOTED.sub("", body).strip(", \r\n\t")):
        return None
    return [_item(body[begin:end]) for begin, end in _spans(body)]


def _spans(body: str) -> list[tuple[int, int]]:
    without_quotes = _BETWEEN_COMMAS if "," in body else _WORD
    item = _QUOTED if "'" in body or '"' in body else without_quotes
    return [found.span() for found in item.finditer(body)]


def _item(raw: str) -> str:
    if raw.startswith('"'):
        return _text(raw)
    return _ESCAPED.sub(_decoded, raw[1:-1]) if raw.startswith("'") else raw


def _decoded(found: re.Match[str]) -> str:
    """Decode an escape as Python does; a backslash before any other sign is left out."""
    return found[2] or found[0].encode().decode("unicode_escape")


def _text(quoted: str) -> str:
    """Read a text of JSON, or one of Python that has escapes of its own."""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return _ESCAPED.sub(_decoded, quoted[1:-1])
