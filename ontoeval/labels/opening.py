"""Label files as they are opened: text, the bytes of a binary format, or a folder."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path

from ontoeval.core.encodings import MARK
from ontoeval.core.files import File, FilePath, read_file
from ontoeval.core.packed import packing
from ontoeval.errors import InputError
from ontoeval.labels.annif import CORPUS, SUFFIXES
from ontoeval.labels.tables import Source
from ontoeval.labels.text import refuse_binary, text_of

_PARQUET = b"PAR1"
_ARRAY = b"\x93NUMPY"

_OTHERS = {
    b"\x89HDF\r\n\x1a\n": ("HDF5", "Write its arrays with numpy.savez, or a table as CSV or Parquet."),
    b"MATLAB 5.0 MAT-file": ("a MAT file of MATLAB", "Write its arrays with numpy.savez, or a table as CSV."),
    b"ARROW1\0\0": ("Feather (Arrow)", "Write the table as Parquet."),
    b"\xd0\xcf\x11\xe0": ("an old Office file", "Export the table as CSV."),
    b"SQLite format 3\0": ("a database of SQLite", "Export the table as CSV."),
    b"%PDF-": ("a PDF file", "Write the table as CSV."),
}
"""What else files begin with that people give as labels: what it is, and what to do."""
_PICKLE = re.compile(rb"\x80[\x02-\x05]")  # never so in UTF-8
_ONTOLOGY = re.compile(
    rb"\s*+(?:format-version:|@prefix\b|@base\b|<\?xml\b|<rdf:RDF\b|<!DOCTYPE\b|Prefix\(|Ontology\()"
)


def read_label_source(path: FilePath) -> Source:
    """Read a label file, or a folder that holds one for each document."""
    if isinstance(path, str | os.PathLike) and Path(path).is_dir():
        return _folder(Path(path), os.fspath(path))
    file = read_file(path, look=_refuse_at_once)
    source = Source(file.where, file.data, file.digest)
    if is_parquet(source) or is_array(source):
        return source
    mark = MARK if file.data.startswith(MARK.encode()) else ""
    return Source(file.where, text_of(file), file.digest, mark=mark)


def _refuse_at_once(head: File) -> None:
    """Refuse by its beginning what is neither text nor a binary format of labels."""
    source = Source(head.where, head.data, "")
    if not (is_parquet(source) or is_array(source)):
        refuse_others(head)
        refuse_binary(head)


def refuse_others(file: File) -> None:
    """Refuse files that say of themselves that they are something else."""
    for mark, (what, remedy) in _OTHERS.items():
        if file.data.startswith(mark):
            raise InputError(f"this is {what}, which is not read", remedy, where=file.where)
    if _PICKLE.match(file.data):
        raise InputError(
            "this is a pickle, which is never opened: it can hold a program",
            "Write the labels from Python as JSON, or arrays with numpy.savez.",
            where=file.where,
        )
    if _ONTOLOGY.match(file.data):
        raise InputError(
            "this is an ontology or XML, no label file",
            "Give it as the ontology (--ontology), and as labels a table such as 'id,labels', or JSON.",
            where=file.where,
        )


def is_parquet(source: Source) -> bool:
    """Tell whether a file is Parquet."""
    return source.data.startswith(_PARQUET)


def is_array(source: Source) -> bool:
    """Tell whether a file holds arrays of NumPy."""
    return source.data.startswith(_ARRAY) or packing(source.data) == "zip"


def _folder(path: Path, where: str) -> Source:
    paths = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not paths:
        raise InputError("this is a folder, and holds no label files of Annif", CORPUS, where=where)
    files = [read_file(file, look=refuse_binary) for file in paths]
    digest = sha256("\n".join(f"{file.digest} {Path(file.where).name}" for file in files).encode())
    # A document without subjects has an empty file.
    sources = [Source(f.where, text_of(f) if f.data.strip() else b"", f.digest) for f in files]
    return Source(where, b"", digest.hexdigest(), files=tuple(sources))
