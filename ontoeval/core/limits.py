"""Bounds of memory: how much of one file is read, whether it is packed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from io import BytesIO
from typing import IO, TypeVar

from ontoeval.errors import InputError, ParameterError

MAX_BYTES = 2 * 2**30
"""The bound of one file unless the caller names another: 2 GiB."""

_Item = TypeVar("_Item")
STEP = 2**20
"""Bytes that are read at once."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?)?", re.IGNORECASE)
_POWERS = "KMGT"


@dataclass(frozen=True)
class _Limits:
    """The bound, and what the pipes of one command held: a pipe can be read only once."""

    max_bytes: int = MAX_BYTES
    pipes: dict[tuple[int, int], bytes] | None = None


_LIMITS: ContextVar[_Limits | None] = ContextVar("limits", default=None)


def limits() -> _Limits:
    """Give the bound that holds here."""
    return _LIMITS.get() or _Limits()


@contextmanager
def reading_at_most(max_bytes: int | None, *, keep_pipes: bool = False) -> Iterator[None]:
    """Bound every file that the block reads; None leaves the bound as it is."""
    if max_bytes is not None and (type(max_bytes) is not int or max_bytes < 1):
        raise ParameterError("max_bytes", max_bytes, "a whole number of bytes, at least 1")
    outer = limits()
    token = _LIMITS.set(_Limits(max_bytes or outer.max_bytes, {} if keep_pipes else outer.pipes))
    try:
        yield
    finally:
        _LIMITS.reset(token)


def each_at_most(max_bytes: int | None, items: Iterator[_Item]) -> Iterator[_Item]:
    """Bound what an iterator reads for each item, and nothing that the caller reads between two of them."""
    while True:
        with reading_at_most(max_bytes):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


def bytes_of(text: str) -> int:
    """Read a size such as "4GiB", "500 MiB" or "4096"; all units are powers of 1,024."""
    found = _SIZE.fullmatch(text.strip())
    unit = 1024 ** (_POWERS.index(found[2].upper()) + 1 if found and found[2] else 0)
    size = int(float(found[1]) * unit) if found else 0
    if not size:
        raise ParameterError("--max-size", text, "a size such as 4GiB or 500MiB")
    return size


def read_all(
    stream: IO[bytes],
    where: str,
    *,
    what: str = "this file has more than",
    begin: bytes = b"",
    taken: int = 0,
) -> bytes:
    """Read the rest of a stream whose beginning was read, up to the bound, of which some may be taken."""
    most = limits().max_bytes - taken
    content = BytesIO()
    piece = begin
    while True:
        content.write(piece)
        if content.tell() > most:
            raise too_large(where, what=what)
        piece = stream.read(STEP)
        if not piece:
            return content.getvalue()


def too_large(where: str, *, what: str, size: int = 0) -> InputError:
    """Say that a file is larger than the bound, and how the bound is raised."""
    most = limits().max_bytes
    enough = 1 << max(2 * most - 1, size, 1023).bit_length()
    return InputError(
        f"{what} the {in_words(most)} that are read into memory",
        "If the machine has several times as much memory as the file is large, raise the bound: "
        f"--max-size {in_words(enough).replace(' ', '')}, in Python max_bytes={enough}.",
        where=where,
    )


def in_words(size: int) -> str:
    """Write a number of bytes with a unit."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(_POWERS))
    number = f"{size / 1024**power:,.1f}".removesuffix(".0")
    return f"{number} {f'{_POWERS[power - 1]}iB' if power else 'bytes'}"
