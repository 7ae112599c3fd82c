"""Text files read piece by piece, each of whole rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from ontoeval.core.encodings import to_convert, wide_encoding
from ontoeval.core.files import File
from ontoeval.errors import InputError
from ontoeval.labels.tables import Source
from ontoeval.labels.text import is_json, text_of

PIECE = 2**22
"""How many bytes are read at once."""
LONGEST = 2**26
"""How many bytes a row may have."""


def pieces_of(stream: IO[bytes], where: str) -> Iterator[Source]:
    """Read a text file piece by piece."""
    rest, line, ended, empty = b"", 1, False, True
    while not ended:
        block = stream.read(PIECE)
        if line == 1 and not rest and (wide := wide_encoding(block)):
            remedy = to_convert(wide, where=where).remedy
            raise InputError(f"{wide} is not read in chunks", remedy, where=where)
        ended = not block
        rest += block
        end = len(rest) if ended else _end_of_rows(rest)
        if not end and len(rest) > LONGEST:
            raise InputError(
                f"no row ends within {LONGEST // 2**20} MiB",
                "Close the quotes, and end each row with a newline.",
                where=where,
                row=line,
            )
        piece, rest = rest[:end], rest[end:]
        if piece.strip() or (ended and empty):
            empty = False
            yield Source(where, text_of(File(where, piece, ""), line), "", line=line)
        line += piece.count(b"\n")


def _end_of_rows(block: bytes) -> int:
    """Find where the last whole row ends."""
    end = block.rfind(b"\n") + 1
    if is_json(block):
        return end  # a line of JSON has all of its quotes to itself
    open_quotes = block.count(b'"', 0, end) % 2
    while end and open_quotes:
        before = block.rfind(b"\n", 0, end - 1) + 1
        open_quotes = (open_quotes + block.count(b'"', before, end)) % 2
        end = before
    return end
