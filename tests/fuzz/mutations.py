"""Files that are nearly right: seeds with bytes, words and members of archives changed; and bytes of any kind."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

LARGEST = 2**17
"""Up to so many bytes a seed may grow."""

_WORD = re.compile(rb'"[^"\n]*"|<[^<>\n]*>|[\w.:#/@+-]+|\s+|.', re.DOTALL)

_EVERYWHERE: tuple[bytes, ...] = (
    *(sign.encode() for sign in "\0\n\r\t ,;|\"'\\/#@%<>\ufeff\u0085\u2028\x0b\x1c\xa0\u200bé\u0301😀ǆßİ٣"),
    *b"0 1 -1 0.5 1e999 -0 nan inf 9999999999999999999999999 1_0 true null None".split(),
    *(b"", b"[" * 60, b"(" * 60, b"{" * 60, b"a" * 300),
    *b"\x80 \xff \xc3 \xed\xa0\x80 \xf5\x80\x80\x80 \xef\xbb\xbf \xff\xfe \x1f\x8b".split(b" "),
)
"""What may stand in any file, and trips readers up."""


@dataclass(frozen=True)
class Box:
    """How what a file contains is taken out of it, and put into another such file.

    Without it, nearly all that is changed in an archive only shows that its checksums work.
    """

    opened: Callable[[bytes], dict[str, bytes]]
    closed: Callable[[Mapping[str, bytes]], bytes]


@st.composite
def mutants(
    draw: st.DrawFn, seeds: Sequence[bytes], tokens: Sequence[bytes] = (), box: Box | None = None
) -> bytes:
    """Draw a file: most often a seed that has been edited a few times."""
    tokens = (*tokens, *tokens, *tokens, *_EVERYWHERE)
    kind = draw(st.sampled_from(["edited"] * 8 + ["inside"] * 10 + ["bytes", "text"]))
    if kind == "bytes":
        return draw(st.binary(max_size=100))
    if kind == "text":
        return b"".join(draw(st.lists(st.sampled_from(tokens), max_size=20)))
    seed = draw(st.sampled_from(seeds))
    if kind == "edited" or box is None:
        return _edited(draw, seed, seeds, tokens)
    parts = box.opened(seed)
    for name in draw(st.lists(st.sampled_from(sorted(parts)), min_size=1, max_size=3)):
        if draw(st.integers(0, 9)) == 9:
            parts[draw(st.sampled_from(tokens)).decode(errors="replace")] = parts.pop(name, b"")
        else:
            parts[name] = _edited(draw, parts.get(name, b""), list(parts.values()), tokens)
    return box.closed(parts)


def _edited(draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    # Few at a time: what is quite wrong is refused at the first row.
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 2, 3, 6]))):
        data = draw(st.sampled_from(_EDITS))(draw, data, seeds, tokens)[:LARGEST]
    return data


Edit = Callable[[st.DrawFn, bytes, Sequence[bytes], Sequence[bytes]], bytes]


def _piece(draw: st.DrawFn, data: bytes, longest: int = 60) -> tuple[int, int]:
    begin = draw(st.integers(0, len(data)))
    return begin, draw(st.integers(begin, min(len(data), begin + longest)))


def _cut_end(draw: st.DrawFn, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    return data[: draw(st.integers(0, len(data)))]


def _cut_piece(draw: st.DrawFn, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    begin, end = _piece(draw, data)
    return data[:begin] + data[end:]


def _flip(draw: st.DrawFn, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    begin, end = _piece(draw, data, longest=4)
    return data[:begin] + draw(st.binary(min_size=end - begin, max_size=end - begin)) + data[end:]


def _insert(draw: st.DrawFn, data: bytes, _: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.sampled_from(tokens)) + data[at:]


def _repeat(draw: st.DrawFn, data: bytes, _: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Repeat a piece or a word: what takes the square of the time shows with many of them."""
    begin, end = _piece(draw, data)
    piece = draw(st.sampled_from([data[begin:end], data[begin : begin + 1], draw(st.sampled_from(tokens))]))
    return data[:begin] + piece * draw(st.sampled_from([2, 3, 10, 100, 2_000, 100_000])) + data[end:]


def _splice(draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], _: Sequence[bytes]) -> bytes:
    other = draw(st.sampled_from(seeds))
    return data[: draw(st.integers(0, len(data)))] + other[draw(st.integers(0, len(other))) :]


def _replace_word(draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Put another word of the format, of this file or of another one in the place of one."""
    words = _WORD.findall(data[:4_096])
    if not words:
        return data
    at = draw(st.integers(0, len(words) - 1))
    of = draw(st.sampled_from(["format", "format", "file", "other"]))
    choice = (
        tokens if of == "format" else words if of == "file" else _WORD.findall(draw(st.sampled_from(seeds)))
    )
    words[at] = draw(st.sampled_from(choice or tokens))
    return b"".join(words) + data[4_096:]


def _other_value(draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Put another value of JSON in the place of one, name it otherwise, or leave it out."""
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))  # of JSON Lines
    document = _value(data) or _value(lines[at])
    places = list(_places(document))
    if not places:
        return _replace_word(draw, data, seeds, tokens)
    holder, key = draw(st.sampled_from(places))
    other = _value(draw(st.sampled_from(seeds)))
    values = [value for value in map(_value, tokens) if value is not None]
    values += [holder[key] for holder, key in (*places, *_places(other))]
    new = copy.deepcopy(draw(st.sampled_from([*values, None])))
    match draw(st.sampled_from(["value", "value", "value", "list", "key", "nothing"])):
        case "value":
            holder[key] = new
        case "list":
            holder[key] = [holder[key], new]
        case "key" if isinstance(holder, dict):
            holder[new if isinstance(new, str) else ""] = holder.pop(key)
        case _:
            del holder[key]
    changed = json.dumps(document).encode()
    return changed if _value(data) else b"\n".join([*lines[:at], changed, *lines[at + 1 :]])


def _value(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Go through all places of values in a document: what holds them, and under which key."""
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
                yield holder, key
                waiting.append(value)


def _move_line(draw: st.DrawFn, data: bytes, seeds: Sequence[bytes], _: Sequence[bytes]) -> bytes:
    """Put a line of this file or of another one somewhere else."""
    lines = data.split(b"\n")
    line = draw(st.sampled_from(draw(st.sampled_from([data, *seeds])).split(b"\n")))
    at = draw(st.integers(0, len(lines)))
    return b"\n".join([*lines[:at], line, *lines[at:]])


def _other_text(draw: st.DrawFn, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    """Change a few characters, such that the file stays text."""
    text = data.decode(errors="replace")
    begin = draw(st.integers(0, len(text)))
    end = draw(st.integers(begin, min(len(text), begin + 4)))
    new = draw(st.text(st.characters(codec="utf-8"), max_size=5))
    return (text[:begin] + new + text[end:]).encode()


def _other_encoding(draw: st.DrawFn, data: bytes, _: Sequence[bytes], __: Sequence[bytes]) -> bytes:
    """Write it as other systems do."""
    kind = draw(st.sampled_from(["\r\n", "\r", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"]))
    if kind.startswith("\r"):
        return data.replace(b"\n", kind.encode())
    return data.decode(errors="replace").encode(kind, errors="replace")


_EDITS: tuple[Edit, ...] = (
    *[_replace_word] * 5,
    *[_other_value] * 5,
    *[_insert] * 3,
    *[_cut_piece] * 2,
    _move_line,
    _cut_end,
    _flip,
    _repeat,
    _splice,
    _other_text,
    _other_encoding,
)
