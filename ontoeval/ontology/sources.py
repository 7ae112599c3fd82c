"""Sources: the files that ontologies are read from."""

from __future__ import annotations

from dataclasses import dataclass

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Source:
    """Where an ontology comes from.

    Parameters
    ----------
    path
        The file, as the caller named it.
    format
        The syntax, such as "Turtle".
    iri
        What the ontology calls itself, "" where it does not say.
    version
        The version that it states, "" where it does not.
    digest
        SHA-256 of the file, as hexadecimal digits.

    Examples
    --------
    >>> Source("photo.ttl", "Turtle", version="1.0").version
    '1.0'
    """

    path: str = ""
    format: str = ""
    iri: str = ""
    version: str = ""
    digest: str = ""


def without_mark(data: bytes) -> bytes:
    r"""Drop the byte order mark that some editors put before UTF-8.

    Parameters
    ----------
    data
        A file.

    Returns
    -------
    bytes
        The file without it.

    Examples
    --------
    >>> without_mark(b"\xef\xbb\xbfa")
    b'a'
    """
    return data.removeprefix(_BYTE_ORDER_MARK)


def with_newlines(content: str) -> str:
    r"""End rows as Unix does, whatever they end with.

    Parameters
    ----------
    content
        A text.

    Returns
    -------
    str
        The text, its rows separated by nothing but newlines.

    Examples
    --------
    >>> with_newlines("a\r\nb\rc\n")
    'a\nb\nc\n'
    """
    return content.replace("\r\n", "\n").replace("\r", "\n") if "\r" in content else content
