"""Label files as they are opened: text, the bytes of a binary format, or a folder."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from ontoeval.errors import InputError
from ontoeval.files import FilePath, read_file
from ontoeval.io.annif import CORPUS, SUFFIXES
from ontoeval.io.tables import Source
from ontoeval.io.text import text_of
from ontoeval.packed import packing

_PARQUET = b"PAR1"
_ARRAY = b"\x93NUMPY"


def read_label_source(path: FilePath) -> Source:
    """Read a label file, or a folder that holds one for each document.

    Parameters
    ----------
    path
        The file, packed or not, or the folder.

    Returns
    -------
    Source
        The text, or the bytes of a binary format.

    Raises
    ------
    InputError
        If it cannot be read, or a folder holds no such files.
    """
    if isinstance(path, str | os.PathLike) and Path(path).is_dir():
        return _folder(Path(path), os.fspath(path))
    file = read_file(path)
    source = Source(file.where, file.data, file.digest)
    if is_parquet(source) or is_array(source):
        return source
    return Source(file.where, text_of(file), file.digest)


def is_parquet(source: Source) -> bool:
    """Tell whether a file is Parquet.

    Parameters
    ----------
    source
        The file.

    Returns
    -------
    bool
        Whether it says so in its first bytes.

    Examples
    --------
    >>> is_parquet(Source("memory", b"id,labels", ""))
    False
    """
    return source.data.startswith(_PARQUET)


def is_array(source: Source) -> bool:
    """Tell whether a file holds arrays of NumPy.

    Parameters
    ----------
    source
        The file.

    Returns
    -------
    bool
        Whether it is one array, or an archive: others have been unpacked.

    Examples
    --------
    >>> is_array(Source("memory", b"id,labels", ""))
    False
    """
    return source.data.startswith(_ARRAY) or packing(source.data) == "zip"


def _folder(path: Path, where: str) -> Source:
    paths = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not paths:
        raise InputError("this is a folder, and holds no label files of Annif", CORPUS, where=where)
    files = [read_file(file) for file in paths]
    digest = sha256("\n".join(f"{file.digest} {Path(file.where).name}" for file in files).encode())
    # A document without subjects has an empty file.
    sources = [Source(f.where, text_of(f) if f.data.strip() else b"", f.digest) for f in files]
    return Source(where, b"", digest.hexdigest(), files=tuple(sources))
