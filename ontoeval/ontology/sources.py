"""Sources: files that ontologies are read from, opened by nobody but this module."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from ontoeval.errors import InputError, ParameterError, near

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # one letter would be a drive
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


def read_bytes(source: str | os.PathLike[str]) -> bytes:
    """Read a local file; nothing is ever fetched from a network.

    Parameters
    ----------
    source
        A path.

    Returns
    -------
    bytes
        What the file contains.

    Raises
    ------
    InputError
        If there is no such file, it cannot be read, or the path is an address in the web.
    ParameterError
        If the source is no path.

    Examples
    --------
    >>> read_bytes("http://example.org/photo.ttl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ontoeval.errors.InputError: http://example.org/photo.ttl: this is an address in the web...
    """
    if not isinstance(source, str | os.PathLike) or isinstance(os.fspath(source), bytes):
        raise ParameterError("source", source, "the path of a local file, as a text or a Path")
    where = os.fspath(source)
    if _URL.match(where):
        raise InputError(
            "this is an address in the web, and nothing is fetched from there",
            "Download the file, then give its path.",
            where=where,
        )
    path = Path(where)
    try:
        if path.is_dir():
            raise InputError("this is a folder", "Name one file in it.", where=where)
        if path.exists() and not path.is_file():
            raise InputError("this is no ordinary file", "Name a file.", where=where)
        return path.read_bytes()
    except FileNotFoundError as error:
        beside = sorted(entry.name for entry in path.parent.iterdir()) if path.parent.is_dir() else []
        raise InputError(
            f"there is no such file{near(path.name, beside)}", "Correct the path.", where=where
        ) from error
    except (OSError, ValueError) as error:  # a ValueError where the path holds a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the file cannot be read: {reason}", "Check the path and its permissions.", where=where
        ) from error


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
