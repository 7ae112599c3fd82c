"""JSON text, with bounds on size and depth and without duplicate keys."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from ontoeval.errors import InputError, enumerate_some
from ontoeval.plumbing.text_checks import LONGEST_FIELD, line_ends, too_long

Json = Any
"""Whatever JSON can hold: None, numbers, texts, lists and dictionaries of these."""

DEEPEST = 500
"""Deepest nesting; Python's own reader fails at about twice as many levels."""

LARGEST = 2 * 10**9
"""Most characters of one text; the parsed values take several times the memory."""

_SIGN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[{]|[^][{}",:\s]++')
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}"'))
_STEP = np.zeros(256, dtype=np.int8)
_STEP[[*b"[{"]] = 1
_STEP[[*b"]}"]] = -1


def load(
    text: str | bytes,
    *,
    row: int | None = None,
    kind: str = "JSON",
    repeated: Literal["refuse", "last"] = "refuse",
    deepest: int = DEEPEST,
    flatter: str = "Write a table, or JSON with fewer levels.",
) -> Json:
    """Load JSON."""
    if len(text) > LARGEST:
        problem = f"{len(text):,} characters of {kind} are too many to be loaded at once"
        remedy = "Write a table, or one object in each line: JSON Lines."
        raise InputError(problem, remedy, row=row)

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):  # Python would silently keep the last
            refuse_repeated((key for key, _ in pairs), row=row)
        return found

    try:
        data = _without_escapes(text)
        if _is_deeper(data, deepest):
            raise too_deep(deepest, flatter, row=row)
        _refuse_long_texts(data, row=row)
        return json.loads(text, object_pairs_hook=unique if repeated == "refuse" else None)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        problem = f"this is not valid {kind}: {error.msg} (column {error.colno:,})"
        remedy = "Is the file complete? Fetch it again, or correct the row."
        raise InputError(problem, remedy, row=error.lineno if row is None else row) from error
    except RecursionError as error:  # with little stack left
        raise too_deep(deepest, flatter, row=row) from error
    except ValueError as error:  # not in the encoding that it begins in, or a number of many digits
        remedy = "Is it the right file? Texts are in UTF-8, and numbers are short."
        raise InputError(f"this {kind} cannot be read: {reason_of(error)}", remedy, row=row) from error


def written_json(value: object) -> bytes:
    """Write objects of Python, also sets and what NumPy holds."""

    def plain(held: Any) -> Json:  # noqa: ANN401 - whatever is no JSON
        if isinstance(held, set | frozenset):
            return sorted(held, key=str)
        return held.tolist() if hasattr(held, "tolist") else dict(held)

    def named(held: Any) -> Any:  # noqa: ANN401 - as given
        """Objects whose keys are texts."""
        if isinstance(held, Mapping):
            return {str(key): named(one) for key, one in held.items()}
        return [*map(named, held)] if isinstance(held, list | tuple) else held

    try:
        try:
            return json.dumps(value, default=plain).encode()
        except TypeError:
            return json.dumps(named(value), default=plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"objects that JSON cannot hold: {error}"
        raise InputError(problem, "Give texts, numbers, lists and dictionaries of these.") from error


def is_name(value: Json) -> bool:
    """Whether a value may be a name: a text or a whole number."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def row_of(text: str, document: object, holder: object, key: str | int | None = None) -> int | None:
    """Row on which an object or a list of a document begins, or what it holds at a key or position."""
    waiting: list[tuple[object, str | int | None, object]] = [(None, None, document)]
    for sign in _SIGN.finditer(text):  # each name, value and beginning of an object or a list is one
        above, at, value = waiting.pop()
        if value is holder if key is None else (above is holder and at == key):
            return text.count("\n", 0, sign.start()) + 1
        if isinstance(value, dict):
            items = reversed(value.items())
            waiting += [part for at, item in items for part in ((value, at, item), (None, None, at))]
        elif isinstance(value, list):
            waiting += [(value, at, value[at]) for at in reversed(range(len(value)))]
    return None


def reason_of(error: Exception) -> str:
    """Reason of an error; for very long integers without Python's advice to programmers."""
    long = "int_max_str_digits" in str(error)
    return f"a whole number of more than {sys.get_int_max_str_digits():,} digits" if long else str(error)


def _without_escapes(text: str | bytes) -> bytes:
    """Text in UTF-8, with blanks for escaped quotes, which end no text."""
    if isinstance(text, bytes) and b"\0" in text:
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return data.replace(b"\\\\", b"  ").replace(b'\\"', b"  ") if b"\\" in data else data


def _refuse_long_texts(data: bytes, *, row: int | None) -> None:
    if len(data) <= LONGEST_FIELD:
        return
    quotes = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord('"'))
    lengths = np.diff(quotes)[::2]
    if lengths.max(initial=0) > LONGEST_FIELD:
        begin = int(quotes[2 * np.argmax(lengths)])
        raise too_long("a text", LONGEST_FIELD, row=row or line_ends(data, begin) + 1)


def _is_deeper(data: bytes, deepest: int) -> bool:
    """Whether brackets are nested deeper, checked before any parser sees them."""
    if data.count(b"[") + data.count(b"{") <= deepest:
        return False
    marks = np.frombuffer(data.translate(None, _NO_MARKS), dtype=np.uint8)
    quotes = np.cumsum(marks == ord('"'), dtype=np.uint8)  # whose parity is kept when it overflows
    return bool(np.cumsum(_STEP[marks[quotes % 2 == 0]]).max(initial=0) > deepest)


def too_deep(deepest: int, flatter: str, *, row: int | None = None) -> InputError:
    """Error for brackets that are nested too deeply."""
    problem = f"brackets are nested too deeply to be followed: more than {deepest} inside each other"
    return InputError(problem, flatter, row=row)


def refuse_repeated(keys: Iterable[str], *, row: int | None = None) -> None:
    """Refuse duplicate keys of an object."""
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        problem = f"keys stand twice in one object: {enumerate_some(twice)}"
        raise InputError(problem, "Keep one of each.", row=row)
