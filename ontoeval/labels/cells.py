"""Cells of tables: numbers, lists in brackets, and several labels in one field."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, repeat
from math import isfinite, nan
from operator import contains

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.plumbing.column_titles import CONCEPTS, normalise_title
from ontoeval.plumbing.json_text import Json

TRUTH_VALUES = {"true": 1.0, "false": 0.0}  # words that columns of 0 and 1 may hold instead


_ABSENT = frozenset({"not", "excluded", "absent"})
_PRESENT = re.compile(  # words, and the relations of GAF 2.2
    "|present|enables|contributes_to|involved_in|located_in|part_of|is_active_in|colocalizes_with"
    "|acts_upstream_of(_or_within)?(_(positive|negative)_effect)?"
)


def is_negated(text: str) -> bool | None:
    """Whether a qualifier marks a label as absent; None where a word of it is unknown."""
    words = {word.strip().lower() for word in text.split("|")}
    return None if not all(map(_PRESENT.fullmatch, words - _ABSENT)) else not words.isdisjoint(_ABSENT)


def parse_number(text: str) -> float | None:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    # Python's own notation allows underscores between digits; in a table an underscore is a slip.
    return value if isfinite(value) and "_" not in text else None


def parse_numbers(texts: Sequence[str], words: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Read many numbers."""
    if "_" not in "".join(texts):
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            pass  # a word, or an error
        else:
            if not words or np.isfinite(values).all():
                return values  # Python reads some words, such as nan, as numbers
    known: dict[str, float] = {}
    for text in set(texts):
        value = (words or {}).get(text.strip().lower(), parse_number(text))
        known[text] = nan if value is None else value
    return np.fromiter(map(known.__getitem__, texts), dtype=np.float64, count=len(texts))


BETWEEN = "\x1f"  # separator of the items without their brackets

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
_BETWEEN_COMMAS, _WORD = re.compile(r"[^\s,](?:[^,]*[^\s,])?"), re.compile(r"\S+")
_MARKED = re.compile("[\\s,'\"\\[\\]]|^$")
_TO_ESCAPE, _WITH_BACKSLASH = re.compile(r"(['\\])"), r"\\\1"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def list_items(cells: Sequence[str]) -> list[str] | None:
    """Items of lists, without brackets and quotes."""
    found = []
    for cell in cells:
        items = _items(cell.strip())
        if items is None:
            return None
        found.append(BETWEEN.join(items))
    return found if any(cell.strip() for cell in cells) else None


def json_labels(cell: str) -> list[str] | None:
    """Labels in a cell of JSON: a list, or {"choices": [...]} as Label Studio writes."""
    found = _json(cell)
    if isinstance(found, dict) and len(found) == 1 and normalise_title(next(iter(found))) in CONCEPTS:
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
    body = cell.strip()[1:-1]
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
    without_quotes = _BETWEEN_COMMAS if "," in body else _WORD
    item = _QUOTED if "'" in body or '"' in body else without_quotes
    return [found.span() for found in item.finditer(body)]


def _item(raw: str) -> str:
    if raw.startswith('"'):
        return _text(raw)
    return _ESCAPED.sub(r"\1", raw[1:-1]) if raw.startswith("'") else raw


def _text(quoted: str) -> str:
    """Read a text of JSON, or one of Python that has escapes of its own."""
    try:
        return str(json.loads(quoted))
    except ValueError:
        return _ESCAPED.sub(r"\1", quoted[1:-1])


BLANK = " "

SEPARATORS = (";", "|", ",", BLANK)
"""Separators of labels, of which the first that occurs in any field counts; for blanks see `separator_of`."""

_IRI_OR_NUMBER = re.compile(r"<[^<>\s]+>|\d+")

Known = Callable[[Collection[str]], bool]  # whether all of some texts are labels


def separator_of(fields: Sequence[str], known: Known | None = None) -> str | None:
    """Find the separator of labels."""
    present = [sign for sign in SEPARATORS if sign != BLANK and any(map(contains, fields, repeat(sign)))]
    if len(present) > 1 and known is not None:
        for sign in present:
            texts = {text.strip() for text in chain.from_iterable(field.split(sign) for field in fields)}
            if known(texts - {""}):
                return sign
    if present or not any(BLANK in field.strip() for field in fields):
        return present[0] if present else None
    words = set(chain.from_iterable(map(str.split, fields)))
    if known is None:
        return BLANK if all(map(_IRI_OR_NUMBER.fullmatch, words)) else None
    return BLANK if _are_words(fields, words, known) else None


def _are_words(fields: Sequence[str], words: Collection[str], known: Known) -> bool:
    """Whether fields hold several labels of one word, not one label of several words."""
    different = {field.strip() for field in fields} - {""}
    if known(words):
        return not known(different)
    # A few may be misspelt or obsolete: the others decide how fields are read.
    several = [field for field in fields if BLANK in field.strip()]
    count = Counter(chain.from_iterable(map(str.split, several)))
    right = sum(times for word, times in count.items() if known((word,)))
    return 2 * right > count.total() and not any(known((field.strip(),)) for field in set(several))


def refuse_blanks(fields: Sequence[str]) -> None:
    """Refuse fields that may hold one label of several words or several of one word."""
    different = {field.strip() for field in fields}
    count = Counter(chain.from_iterable(set(field.split()) for field in different))
    several = [
        field for field in different if BLANK in field and any(count[word] > 1 for word in field.split())
    ]
    if several:
        raise unclear_blanks(min(several))


def unclear_blanks(field: str) -> InputError:
    """Error for a field that may hold one label of several words or several of one word."""
    return InputError(
        f"{field[:80]!r} may be one label, or several with blanks between them",
        "Name the separator of labels (separator=, --separator): ' ' if there are several, ';' if each field "
        "is one label.",
    )
