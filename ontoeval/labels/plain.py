"""Plain text: rows without quotes, whose fields are split all at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def plain_blocks(
    data: bytes, begin: int, delimiter: str, width: int, *, size: int = 2**18
) -> Iterator[tuple[int, list[list[str]]]]:
    """Split rows of text for as long as all of them are plain."""
    if width == 1 or data.find(b'"', begin) >= 0:
        return
    while begin < len(data):
        end = data.find(b"\n", begin + size) + 1 or len(data)
        columns = plain_fields(data[begin:end].removesuffix(b"\n"), delimiter, width)
        if columns is None:
            return
        yield end, columns
        begin = end


def plain_fields(block: bytes, delimiter: str, width: int) -> list[list[str]] | None:
    """Split some rows of text."""
    if b"\r" in block:
        block = (block + b"\n").replace(b"\r\n", b"\n")[:-1]
        if b"\r" in block:
            return None
    signs = np.frombuffer(block, dtype=np.uint8)
    ends = np.append(np.flatnonzero(signs == ord("\n")), signs.size)
    found = np.flatnonzero(signs == ord(delimiter))
    if found.size != (width - 1) * ends.size:
        return None
    # As many as there should be may still be in the wrong rows.
    between = found.reshape(ends.size, width - 1)
    if (between[:, -1] > ends).any() or (between[1:, 0] < ends[:-1]).any():
        return None
    fields = block.decode().replace("\n", delimiter).split(delimiter)
    return [fields[column::width] for column in range(width)]
