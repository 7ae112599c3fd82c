"""Label files as bytes, text and rows: opened, decoded and cut into rows."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, enumerate_some, located
from ontoeval.labels.spans import LINE_END, placed_json
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.files import (
    File,
    FilePath,
    digest_of_file,
    is_dataset,
    read_file,
    size_limits,
    too_large,
)
from ontoeval.plumbing.json_text import DEEPEST, Json, load, written_json
from ontoeval.plumbing.memory import bytes_in_words
from ontoeval.plumbing.table_rows import NumberedRows, parsed_rows, split_rows
from ontoeval.plumbing.text_checks import (
    ENDS,
    LONGEST_FIELD,
    LONGEST_ROW,
    MARK,
    line_ends,
    ragged,
    refuse_long,
    refuse_nul,
    repeated_header,
    utf8_of,
    wide_encoding,
)


def plain_blocks(
    data: bytes, begin: int, delimiter: str, width: int
) -> Iterator[tuple[int, list[Sequence[str]]]]:
    """Split rows as long as all are plain: where each block of them ends, and its fields by column."""
    if width == 1 or data.find(b'"', begin) >= 0:
        return
    while begin < len(data):
        end = data.find(b"\n", begin + _BLOCK) + 1 or len(data)
        if end - begin > LONGEST_FIELD:  # the parser of CSV has a bound
            return
        block = data[begin:end].removesuffix(b"\n")
        if b"\r" in block:
            block = (block + b"\n").replace(b"\r\n", b"\n")[:-1]
        if b"\r" in block or not _has_width(block, delimiter, width):
            return
        fields = block.decode().replace("\n", delimiter).split(delimiter)
        yield end, [fields[column::width] for column in range(width)]
        begin = end


def _has_width(block: bytes, delimiter: str, width: int) -> bool:
    """Whether each row without quotes has so many fields."""
    signs = np.frombuffer(block, dtype=np.uint8)
    ends = np.append(np.flatnonzero(signs == ord("\n")), signs.size)
    found = np.flatnonzero(signs == ord(delimiter))
    if found.size != (width - 1) * ends.size:
        return False
    # The right number of fields may still be in the wrong rows.
    between = found.reshape(ends.size, width - 1)
    return bool((between[:, -1] < ends).all() and (between[1:, 0] > ends[:-1]).all())


_BLOCK = 2**18  # bytes of plain rows that are split at once

EMPTY = "Write at least a header and one row."
NO_ROW = "there is no row below"
MOST = 100  # most wrong rows that are collected before reading stops

# Text with quotes of the wrong kind is JSON too: its reader names the error.
_JSON = re.compile(rb"""\s*+(?:\{\s*+["']|\[\s*+["'\[{]|[{\[]\s*+[}\]]?[ \t]*+(?:\Z|[\r\n]))""")


def text_of(file: File, line: int = 1) -> bytes:
    """Decode the text of a file: UTF-8, or UTF-16 with a byte order mark."""
    with located(file.where):
        data = utf8_of(file.data, where=file.where, line=line)
        if not data or data.isspace():
            raise InputError("the file is empty", EMPTY)
        if not is_json(data):
            refuse_long(data, "a row", LONGEST_ROW, line=line)
        return data


def refuse_binary(file: File) -> None:
    """Refuse a binary file by its beginning; UTF-16 with a byte order mark is text."""
    if not wide_encoding(file.data):
        refuse_nul(file.data)


def is_json(text: bytes) -> bool:
    """Whether a text begins like JSON."""
    return _JSON.match(text) is not None


_FIRST_RECORD = re.compile(rb'(?: *+[\r\n]++)*+((?:"(?:[^"]++|"")*+"|[^"\r\n]++)*+)')
_QUOTED = re.compile(rb'"(?:[^"]++|"")*+"')
_BLANK = re.compile(rb"(?: *+[\r\n]++)++")
_SIGN = re.compile(rb"[,;]")

Row = tuple[int, list[str]]


class RowBlock(NamedTuple):
    """Some consecutive rows of a table: the line of each, and their fields by column."""

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


@dataclass(frozen=True)
class LabelSource(os.PathLike[str]):
    """A file that has been read, or a part of it.

    Errors of rows are raised; or they are collected in `faults`, by line, and these rows are left out.
    """

    where: str
    data: bytes = field(repr=False)
    digest: str
    begin: int = 0
    line: int = 1
    files: tuple[LabelSource, ...] = ()
    mark: str = ""
    header: tuple[str, ...] = ()
    faults: dict[int, InputError] | None = field(default=None, repr=False)
    numbers: NDArray[np.int32] | None = field(default=None, repr=False, compare=False)
    """Of a part, the number of each row in the file; None where rows are counted."""
    table: Any = field(default=None, repr=False, compare=False)
    """Of a part of Parquet, its rows as a table of pyarrow."""
    placed: bool = False
    """Whether decoders note where labels stand."""
    titles: tuple[str, ...] = ()
    """Titles of the columns, or keys of records, where the caller names some."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Titles of the columns that the caller names, by what they hold."""

    def __fspath__(self) -> str:
        """Name the file."""
        return self.where

    def refuse(self, problem: str, remedy: str, row: int) -> None:
        """Raise an error of a row, or collect it."""
        error = InputError(problem, remedy, where=self.where, row=row)
        if self.faults is None:
            raise error
        self.faults.setdefault(row, error)
        if len(self.faults) >= MOST:
            raise InputError("later rows were not checked", "Correct these rows first.")

    def load(self, text: str | bytes, row: int | None = None) -> Json:
        """Load JSON: the whole file, or that of a row."""
        content = load(text, row=row, deepest=100 if self.placed else DEEPEST)
        if not self.placed:
            return content
        begin = 0 if row is None else int(self.offsets[row - 1])
        return placed_json(content, text if isinstance(text, bytes) else text.encode(), begin.__add__)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each line of the file begins."""
        ends = (found.end() for found in LINE_END.finditer(self.data))
        return np.fromiter(chain((0,), ends), dtype=np.int64)

    def rows(self, delimiter: str | None) -> Iterator[Row]:
        """Go through the rows that are not blank."""
        for lines, rows in self._regular(delimiter, len(self.header)):
            self.refuse_header(lines, list(zip(*rows, strict=True)))
            yield from zip(lines, rows, strict=True)

    def batches(self, delimiter: str | None, width: int, *, checked: bool = True) -> Iterator[RowBlock]:
        """Go through the rows that are not blank, in batches; where checked, none repeats the header."""
        seen = 0
        for block in self._blocks(delimiter, width):
            if self.numbers is not None:
                lines = self.numbers[seen : (seen := seen + len(block.lines))]
                block = block._replace(lines=lines.tolist())  # noqa: PLW2901 - the same rows
            if checked:
                self.refuse_header(block.lines, block.columns)
            yield block

    def _blocks(self, delimiter: str | None, width: int) -> Iterator[RowBlock]:
        rest = self
        if delimiter is not None and not self.faults:
            for end, columns in plain_blocks(self.data, self.begin, delimiter, width):
                after = rest.line + len(columns[0])
                yield RowBlock(range(rest.line, after), columns)
                rest = replace(rest, begin=end, line=after)
        for lines, rows in rest._regular(delimiter, width):  # noqa: SLF001 - it is the same class
            yield RowBlock(lines, list(zip(*rows, strict=True)))

    def first(self, delimiter: str | None) -> list[str]:
        """Give the first row that is not blank."""
        return self._split_header(delimiter)[0]

    def without_header(self, delimiter: str | None) -> LabelSource:
        """Leave out the first row that is not blank."""
        return self._split_header(delimiter)[1]

    def _split_header(self, delimiter: str | None) -> tuple[list[str], LabelSource]:
        # Cached: several rules look at the first row, which may be the whole file.
        if delimiter not in self._first_rows:
            self._first_rows[delimiter] = self._read_first_row(delimiter)
        return self._first_rows[delimiter]

    @cached_property
    def _first_rows(self) -> dict[str | None, tuple[list[str], LabelSource]]:
        return {}

    def _read_first_row(self, delimiter: str | None) -> tuple[list[str], LabelSource]:
        """Parse the first row that is not blank; also return what follows."""
        blank = _BLANK.match(self.data, self.begin)
        if blank is not None and blank.end() > self.begin:
            line = self.line + line_ends(blank[0])
            return replace(self, begin=blank.end(), line=line)._read_first_row(delimiter)  # noqa: SLF001
        taken = []

        def counted() -> Iterator[str]:
            for line in self.lines():
                taken.append(len(line.encode()))
                yield line

        with located(self.where):
            # One row at once: the parser asks for none of the lines behind it.
            split = split_rows if delimiter is None else partial(parsed_rows, delimiter=delimiter)
            found = next(split(counted(), self.line, at_once=1), None)
            if found is None:
                raise InputError("the file is empty", EMPTY)
        fields = found[1][0]
        begin, line = self.begin + sum(taken), self.line + len(taken)
        return fields, replace(self, begin=begin, line=line, header=tuple(fields))

    def lines(self) -> Iterator[str]:
        """Go through the lines, with their ends."""
        raw = BytesIO(self.data)
        raw.seek(self.begin)
        return iter(TextIOWrapper(raw, encoding="utf-8", newline=""))

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """Go through the lines that are not blank, as Unicode means it, with their ends."""
        faults = self.faults or ()
        numbered = enumerate(self.lines(), self.line)
        return ((number, line) for number, line in numbered if line.strip() and number not in faults)

    @cached_property
    def delimiter(self) -> str | None:
        """A tab if the first row has one outside quotes, else the first of comma and semicolon."""
        record = _FIRST_RECORD.match(self.data, self.begin)
        outside = _QUOTED.sub(b"", record[1] if record else b"")
        if b"\t" in outside:
            return "\t"
        sign = _SIGN.search(outside)
        return None if sign is None else sign[0].decode()

    def _regular(self, delimiter: str | None, width: int) -> Iterator[NumberedRows]:
        """Go through the rows with `width` fields, by default as many as the first."""
        for lines, rows in self._read_rows(delimiter):
            width = width or len(rows[0])
            if not self.faults and set(map(len, rows)) == {width}:
                yield lines, rows
            else:
                for line, found in zip(lines, map(len, rows), strict=True):
                    if found != width:
                        self.refuse(*ragged(found, width, delimiter), line)
                numbered = zip(lines, rows, strict=True)
                kept = [row for row in numbered if len(row[1]) == width and row[0] not in (self.faults or ())]
                if kept:
                    yield [line for line, _ in kept], [fields for _, fields in kept]

    def _read_rows(self, delimiter: str | None) -> Iterator[NumberedRows]:
        if delimiter is None:
            signs = (b" ", b"\t", *ENDS)
            refuse_long(self.data, "a field", LONGEST_FIELD, signs, line=self.line)
            yield from split_rows(self.lines(), self.line)
            return
        rest = self
        while True:
            try:
                yield from parsed_rows(rest.lines(), rest.line, delimiter)
            except InputError as error:
                line = error.row or rest.line
                self.refuse(error.problem, error.remedy, line)
                # The parser goes on behind the line on which the row begins.
                ends = islice(LINE_END.finditer(self.data, self.begin), line - self.line, None)
                begin = next((end.end() for end in ends), len(self.data))
                rest = replace(self, begin=begin, line=line + 1)
            else:
                return

    @cached_property
    def _titles(self) -> tuple[list[str], frozenset[str]]:
        """The fields of the header, sorted, and what a row that repeats one may begin with."""
        titles = sorted(map(_title, self.header))
        return titles, frozenset((*titles, *map(str.casefold, self.header)))

    def begins_header(self, fields: Iterable[str]) -> bool:
        """Whether a row that repeats the header may begin with one of some fields."""
        return bool(self.header) and not self._titles[1].isdisjoint(map(str.casefold, fields))

    def refuse_header(self, lines: Sequence[int], columns: Sequence[Sequence[str]]) -> None:
        """Refuse a row with the fields of the header, in any order or case: files were joined."""
        if not self.begins_header(columns[0]):
            return
        titles, firsts = self._titles
        for number, row in enumerate(zip(*columns, strict=True)):
            if row[0].casefold() in firsts and sorted(map(_title, row)) == titles:
                self.refuse(*repeated_header(row), lines[number])


def _title(field: str) -> str:
    return field.strip().casefold()


def read_source(path: FilePath) -> LabelSource:
    """Read a text file."""
    file = read_file(path, look=refuse_binary)
    return LabelSource(file.where, text_of(file), file.digest)


CORPUS = "Give a text and <IRI>s with a tab between them in each line, or a folder of .tsv or .key files."
SUFFIXES = (".annif", ".tsv", ".key")  # suffixes of files with the subjects of one document

_PARQUET = b"PAR1"
_ARRAY = b"\x93NUMPY"

_OTHERS = {
    b"\x89HDF\r\n\x1a\n": ("HDF5", "Write its array with numpy.save, or a table as CSV or Parquet."),
    b"MATLAB 5.0 MAT-file": ("a MAT file of MATLAB", "Write its array with numpy.save, or a table as CSV."),
    b"ARROW1\0\0": ("Feather (Arrow)", "Write the table as Parquet."),
    b"\xd0\xcf\x11\xe0": ("an old Office file", "Export the table as CSV."),
    b"SQLite format 3\0": ("a database of SQLite", "Export the table as CSV."),
    b"%PDF-": ("a PDF file", "Write the table as CSV."),
}
"""Beginnings of files of other kinds: the kind, and what to do."""
_PICKLE = re.compile(rb"\x80[\x02-\x05]")  # never so in UTF-8
_ONTOLOGY = re.compile(
    rb"\s*+(?:format-version:|ontology:|@prefix\b|@base\b|<\?xml\b|<rdf:RDF\b|<!DOCTYPE\b|Prefix\(|Ontology\()"
)

NO_LABELS = "this is an ontology or XML, no label file"

CVAT = r"<annotations>\s*<version>"


def read_label_source(path: FilePath) -> LabelSource:
    """Read a label file, a folder that holds one for each document, or what a file of JSON holds."""
    if isinstance(path, LabelSource):
        return path
    if isinstance(path, Mapping | list | tuple):
        return LabelSource("Python objects", written_json(path), "")
    if isinstance(path, str | os.PathLike) and Path(path).is_dir():
        return _folder(Path(path), os.fspath(path))
    file = read_file(path, look=_refuse_at_once)
    source = LabelSource(file.where, file.data, file.digest)
    if is_parquet(source) or is_array(source):
        return source
    mark = MARK if file.data.startswith(MARK.encode()) else ""
    return LabelSource(file.where, text_of(file), file.digest, mark=mark)


def _refuse_at_once(head: File) -> None:
    source = LabelSource(head.where, head.data, "")
    if not (is_parquet(source) or is_array(source)):
        refuse_others(head)
        refuse_binary(head)


def refuse_others(file: File) -> None:
    """Refuse files of other kinds by their beginnings."""
    for mark, (what, remedy) in _OTHERS.items():
        if file.data.startswith(mark):
            raise InputError(f"this is {what}, which is not read", remedy)
    if _PICKLE.match(file.data):
        problem = "this is a pickle, which is never opened: it can hold a program"
        raise InputError(problem, "In Python pass the labels; or write JSON, or an array with numpy.save.")
    if _ONTOLOGY.match(file.data) and not re.search(CVAT.encode(), file.data):
        raise InputError(
            NO_LABELS,
            "Give it as the ontology (--ontology), and as labels a table such as 'id,labels', or JSON. Two "
            "versions of an ontology are compared by ontoeval diff OLD NEW.",
        )


def is_parquet(source: LabelSource) -> bool:
    """Whether a file is Parquet."""
    return source.data.startswith(_PARQUET)


def is_array(source: LabelSource) -> bool:
    """Whether a file holds an array of NumPy."""
    return source.data.startswith(_ARRAY)


def is_text(source: LabelSource) -> bool:
    """Whether a file is text that may hold a table."""
    return not (source.files or is_array(source) or is_parquet(source) or is_json(source.data))


def _folder(path: Path, where: str) -> LabelSource:
    if is_dataset(path):
        remedy = "Score it with --parts auto, or name one file in it."
        raise InputError("this is a folder of Parquet files, which is read in parts", remedy, where=where)
    if (path / "dataset_dict.json").is_file():
        splits = enumerate_some(sorted(one.name for one in path.iterdir() if one.is_dir()))
        raise InputError(f"this folder holds several splits: {splits}", "Give one of them.", where=where)
    if (path / "state.json").is_file() and (arrow := sorted(path.glob("*.arrow"))):
        with located(where):
            return _saved_dataset(arrow, where)
    paths = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    paths = paths or sorted(file for file in path.iterdir() if file.suffix == ".json")
    if not paths:
        problem = "this is a folder, and holds no label files of Annif and no Phenopackets"
        remedy = (
            f"Name one file in it, or all of them ({where.rstrip('/')}/*) where several files are allowed. "
            "Folders are read if they hold .tsv or .key files (Annif) or Phenopackets."
        )
        raise InputError(problem, remedy, where=where)
    files = [read_file(file, look=refuse_binary) for file in paths]
    digest = sha256("\n".join(f"{file.digest} {Path(file.where).name}" for file in files).encode())
    # A document without subjects has an empty file.
    sources = [LabelSource(f.where, text_of(f) if f.data.strip() else b"", f.digest) for f in files]
    return LabelSource(where, b"", digest.hexdigest(), files=tuple(sources))


def _saved_dataset(files: Sequence[Path], where: str) -> LabelSource:
    """Convert to Parquet what Hugging Face's library saved; images and sounds become their paths."""
    pyarrow, compute, ipc, parquet = (
        requires(name, "arrow", "Reading data sets of Hugging Face")
        for name in ("pyarrow", "pyarrow.compute", "pyarrow.ipc", "pyarrow.parquet")
    )
    if (size := sum(file.stat().st_size for file in files)) > size_limits().max_bytes:
        raise too_large(f"this data set has {bytes_in_words(size)}, more than", size=size)
    written = BytesIO()
    try:
        maps = [pyarrow.memory_map(os.fspath(file)) for file in files]
        table = pyarrow.concat_tables([ipc.open_stream(one).read_all() for one in maps])
        for at, column in enumerate(table.schema):
            if pyarrow.types.is_struct(column.type) and column.type.get_field_index("path") >= 0:
                path = compute.struct_field(table[column.name], "path")
                table = table.set_column(at, column.name, path)
        table.validate(full=True)
        parquet.write_table(table.replace_schema_metadata(table.schema.metadata), written)
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
        raise InputError(f"this data set cannot be read: {reason}", "Fetch or write it again.") from error
    digest = sha256("\n".join(map(digest_of_file, files)).encode())
    return LabelSource(where, written.getvalue(), digest.hexdigest())
