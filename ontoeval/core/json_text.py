"""JSON text, with bounds on size and depth and without duplicate keys."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from ontoeval.core.text_checks import LONGEST_FIELD, line_ends, too_long
from ontoeval.errors import InputError, enumerate_some

DEEPEST = 500
"""Deepest nesting; Python's own reader fails at about twice as many levels."""

LARGEST = 2 * 10**9
"""Most characters of one text; the parsed values take several times the memory."""

_BETWEEN = re.compile(r"[\s,:]++")
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}"'))
_STEP = np.zeros(256, dtype=np.int8)
_STEP[[*b"[{"]] = 1
_STEP[[*b"]}"]] = -1


def load(
    text: str | bytes,
    *,
    where: str,
    row: int | None = None,
    kind: str = "JSON",
    repeated: Literal["refuse", "last"] = "refuse",
    deepest: int = DEEPEST,
    largest: int = LARGEST,
    flatter: str = "Write a table, or JSON with fewer levels.",
) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Load JSON."""
    if len(text) > largest:
        raise InputError(
            f"{len(text):,} characters of {kind} are too many to be loaded at once",
            "Write a table, or one object in each line: JSON Lines.",
            where=where,
            row=row,
        )

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):  # Python would silently keep the last
            refuse_repeated((key for key, _ in pairs), where=where, row=row)
        return found

    try:
        if _is_deeper(text, deepest):
            raise too_deep(deepest, flatter, where=where, row=row)
        _refuse_long_texts(text, where=where, row=row)
        return json.loads(text, object_pairs_hook=unique if repeated == "refuse" else None)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not valid {kind}: {error.msg} (column {error.colno:,})",
            "Is the file complete? Fetch it again, or correct the row.",
            where=where,
            row=error.lineno if row is None else row,
        ) from error
    except RecursionError as error:  # with little stack left
        raise too_deep(deepest, flatter, where=where, row=row) from error
    except ValueError as error:  # not in the encoding that it begins in, or a number of thousands of digits
        raise InputError(
            f"this {kind} cannot be read: {reason_of(error)}",
            "Is it the right file? Texts are in UTF-8, and numbers are short.",
            where=where,
            row=row,
        ) from error


def row_of(text: str | bytes, path: Sequence[str | int]) -> int:
    """Row on which a value of a document begins, found by the keys and positions that lead to the value."""
    content, at = _plain(text).decode("utf-8", "surrogatepass"), 0
    decoder = json.JSONDecoder()
    for step in path:
        at, number = _skipped(content, at) + 1, 0
        while True:
            at, key = _skipped(content, at), number
            if isinstance(step, str):
                key, at = decoder.raw_decode(content, at)
                at = _skipped(content, at)
            if key == step:
                break
            at, number = decoder.raw_decode(content, at)[1], number + 1
    return content.count("\n", 0, at) + 1


def _skipped(content: str, at: int) -> int:
    found = _BETWEEN.match(content, at)
    return found.end() if found else at


def path_to(document: object, item: object) -> tuple[str | int, ...]:
    """Keys and positions that lead to an object or a list of a document."""
    waiting: list[tuple[tuple[str | int, ...], object]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        if value is item:
            return path
        inner = (
            value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
        )
        waiting += [((*path, key), below) for key, below in inner if isinstance(below, dict | list)]
    return ()


def reason_of(error: Exception) -> str:
    """Reason of an error; for very long integers without Python's advice to programmers."""
    long = "int_max_str_digits" in str(error)
    return f"a whole number of more than {sys.get_int_max_str_digits():,} digits" if long else str(error)


def _plain(text: str | bytes) -> bytes:
    """Text in UTF-8."""
    if isinstance(text, bytes) and b"\0" in text:
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _refuse_long_texts(text: str | bytes, *, where: str, row: int | None) -> None:
    if len(text) <= LONGEST_FIELD:
        return
    data = _plain(text)
    if b"\\" in data:
        data = data.replace(b"\\\\", b"  ").replace(b'\\"', b"  ")
    quotes = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord('"'))
    begin, end = quotes[: quotes.size // 2 * 2].reshape(-1, 2).T
    long = np.flatnonzero(end - begin > LONGEST_FIELD)
    if long.size:
        place = line_ends(data, int(begin[long[0]])) + 1 if row is None else row
        raise too_long("a text", LONGEST_FIELD, where=where, row=place)


def _is_deeper(text: str | bytes, deepest: int) -> bool:
    """Whether brackets are nested deeper, checked before any parser sees them."""
    if len(text) <= deepest:
        return False
    data = _plain(text)
    if data.count(b"[") + data.count(b"{") <= deepest:
        return False
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = np.frombuffer(data.translate(None, _NO_MARKS), dtype=np.uint8)
    quotes = np.cumsum(marks == ord('"'), dtype=np.uint8)  # whose parity is kept when it overflows
    return bool(np.cumsum(_STEP[marks[quotes % 2 == 0]]).max(initial=0) > deepest)


def too_deep(deepest: int, flatter: str, *, where: str, row: int | None = None) -> InputError:
    """Error for brackets that are nested too deeply."""
    problem = f"brackets are nested too deeply to be followed: more than {deepest} inside each other"
    return InputError(problem, flatter, where=where, row=row)


def refuse_repeated(keys: Iterable[str], *, where: str, row: int | None = None) -> None:
    """Refuse duplicate keys of an object."""
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        raise InputError(
            f"keys stand twice in one object: {enumerate_some(twice)}",
            "Keep one of each.",
            where=where,
            row=row,
        )
