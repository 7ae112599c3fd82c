"""Sources: the files that ontologies are read from."""

from __future__ import annotations

from dataclasses import dataclass

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Source:
    """Where an ontology comes from."""

    path: str = ""
    format: str = ""
    iri: str = ""
    version: str = ""
    digest: str = ""


def without_mark(data: bytes) -> bytes:
    """Drop the byte order mark that some editors put before UTF-8."""
    return data.removeprefix(_BYTE_ORDER_MARK)


def with_newlines(content: str) -> str:
    """End rows as Unix does, whatever they end with."""
    return content.replace("\r\n", "\n").replace("\r", "\n") if "\r" in content else content
