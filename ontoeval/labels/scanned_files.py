"""Label files larger than memory: their chunks, which workers read and score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import FileIO
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.scans import Content, Scan, ScanChunk
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, pluralise
from ontoeval.labels.chunks import (
    begins_parquet,
    chunks_of,
    form_of_files,
    parquet_files,
    reader_of_chunks,
    separated_alike,
    statements_of_text,
    with_progress,
)
from ontoeval.labels.formats import Recognised
from ontoeval.labels.parquet import (
    LISTS,
    Arrow,
    from_table,
    import_pyarrow,
    kinds_of,
    row_groups,
    sample_starts,
    tables_between,
)
from ontoeval.labels.reading import LabelFileReader, LabelOptions
from ontoeval.labels.recognition import parse, recognised
from ontoeval.labels.sources import (
    LabelSource,
    end_of_rows,
    is_json,
    pieces_of,
)
from ontoeval.labels.statements import DecoderOptions, Statements
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.files import FilePath, checked_path, open_file, reading_at_most

_ALL = 2**62  # more samples than any file has


@dataclass(frozen=True, eq=False, repr=False)
class LabelScan(Scan):
    """A label file of any size, which is read in chunks; made by `ontoeval.scan_labels`.

    Parameters
    ----------
    where
        The path.
    vocabulary
        The concepts that may be labels.
    chunk
        Number of samples that are read and scored at a time.
    reading
        How labels are read.
    form
        The format.
    max_bytes
        Largest size of a chunk; None for the usual bound.
    """

    where: str
    vocabulary: Vocabulary
    chunk: int
    reading: LabelFileReader
    form: Recognised
    max_bytes: int | None

    @property
    def _brief(self) -> str:
        return f"{self.where!r}: {self.form}; {pluralise(len(self.vocabulary), 'concept')}"

    @property
    def decoder_options(self) -> DecoderOptions:
        """What decoders need to know."""
        return self.reading.decoder_options(scores=False)

    def read(self, content: Content) -> tuple[LabelSets, Mapping[str, int]]:
        """Read a chunk.

        Parameters
        ----------
        content
            The content of one of the `parts`.

        Returns
        -------
        tuple of LabelSets and mapping
            The labels of its samples, and counts of what was not read as written.
        """
        with reading_at_most(self.max_bytes):
            entries = content if isinstance(content, Statements) else self._statements(content)
            file = self.reading.label_file(
                entries, self.form, LabelSource(self._where_of_chunk(content), b"", "")
            )
        counts = {
            "labels that are no concepts, left out": sum(file.dropped.values()),
            "labels read as what they stand for": sum(count for _, count in file.translated.values()),
            "labels repeated for the same sample": file.repeated,
            "repeated scores of a (sample, concept) pair": file.repeated_scores,
            "sets closed upwards": file.closed,
            "nulls among the labels, read as no label": file.nulls,
            "labels marked as absent, left out": file.negated,
            **{f"samples have {text}": len(file.sets) for text in file.lacking},
        }
        return file.sets, {what: count for what, count in counts.items() if count}

    def _where_of_chunk(self, content: Content) -> str:
        """Name the file of a chunk, for messages."""
        del content
        return self.where

    @abstractmethod
    def _statements(self, content: Content) -> Statements:
        """Decode a chunk."""


@dataclass(frozen=True, eq=False, repr=False)
class TextScan(LabelScan):
    """Text, packed or not: one process cuts the rows into blocks, and workers decode them."""

    several_rows: bool
    size: int | None
    unit = "bytes"

    def parts(self, chunk: int) -> Iterator[ScanChunk]:
        """Cut the text at row ends; where a sample has several rows, parse it and cut the statements."""
        with reading_at_most(self.max_bytes), open_file(self.where) as stream:
            taken: list[int] = []
            pieces = with_progress(pieces_of(stream, self.where), taken.append)
            blocks: Iterator[Statements | LabelSource]
            if self.several_rows:
                layout, wanted = self.reading.layout, self.decoder_options
                blocks = chunks_of(statements_of_text(pieces, self.where, layout, wanted)[1], chunk)
            else:
                blocks = self._pieces_with_rows(pieces, chunk)
            for block in blocks:
                yield ScanChunk(block, sum(taken))
                taken.clear()

    def _pieces_with_rows(self, pieces: Iterator[LabelSource], chunk: int) -> Iterator[LabelSource]:
        _, first = recognised(next(pieces), self.reading.layout, whole=False)
        begin = replace(first, data=first.data[first.begin :], begin=0)
        # A chunk without rows is decoded too, for the message that no row follows the header.
        blocks = _blocks(chain([begin], pieces), chunk)
        return (replace(block, header=first.header) for block in chain([next(blocks, begin)], blocks))

    def _statements(self, content: LabelSource) -> Statements:
        where = f"{self.where}, rows from {content.line:,} on"
        decode = partial(parse, content, self.form)
        return separated_alike(decode, self.decoder_options, self.form.separator, where)


def _blocks(pieces: Iterator[LabelSource], rows: int) -> Iterator[LabelSource]:
    """Cut pieces, which end with a row, into blocks of so many rows."""
    held: list[bytes] = []
    lines, first = 0, None
    for piece in pieces:
        first = piece if first is None else first
        held.append(piece.data)
        lines += piece.data.count(b"\n")
        if lines < rows:
            continue
        rest, line = b"".join(held), first.line
        while lines >= rows and rest:
            end = _position_after_rows(rest, rows)
            if not _is_blank(rest[:end]):
                yield replace(first, data=rest[:end], line=line)
            taken = rest.count(b"\n", 0, end)
            line, lines, rest = line + taken, lines - taken, rest[end:]
        held, first = [rest], replace(piece, line=line)
    if first is not None and not _is_blank(rest := b"".join(held)):
        yield replace(first, data=rest)


def _is_blank(block: bytes) -> bool:
    """Whether a block holds no row but empty lines; a tab stands between two empty fields."""
    return not block.strip(b" \r\n")


def _position_after_rows(block: bytes, rows: int) -> int:
    """Position after a number of lines; newlines in quotes end no row, so there may be fewer rows."""
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
    end = int(ends[rows - 1]) + 1
    if block.find(b'"', 0, end) < 0 or is_json(block):
        return end
    return end_of_rows(block[:end]) or len(block)


class RowRange(NamedTuple):
    """Rows of a Parquet file, from the first to the last but one; a worker reads them."""

    where: str
    begin: int
    end: int


class RowTable(NamedTuple):
    """Rows of a Parquet file that have been read, and the number of the first."""

    where: str
    begin: int
    table: Any


@dataclass(frozen=True, eq=False, repr=False)
class ParquetScan(LabelScan):
    """A Parquet file, or the files of a folder: one process reads their footers, and workers their rows."""

    files: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    one_row: bool

    @property
    def unit(self) -> str:
        """What is counted."""
        return "samples" if self.one_row else "rows"

    @property
    def size(self) -> int:
        """Number of rows."""
        return sum(map(sum, self.groups))

    @property
    def _names(self) -> list[str]:
        return [name for name in self.form.header if name not in self.form.unused]

    def parts(self, chunk: int) -> Iterator[ScanChunk]:
        """Yield ranges of rows, or the rows themselves where row groups are much larger than a chunk."""
        tables: _Tables | None = None
        for begin, end in pairwise(self._chunk_starts(chunk)):
            # Of a much larger row group each worker would decode all rows to read some.
            if begin == 0 and max(map(max, filter(None, self.groups)), default=0) > 2 * end:
                whole = (tables_between(where, self._names, 0, self.size) for where in self.files)
                tables = _Tables(chain.from_iterable(whole))
            ranges = self._ranges(begin, end)
            yield ScanChunk(ranges if tables is None else tables.take(ranges), end - begin)

    def portable_chunks(self, chunk: int) -> Iterator[ScanChunk]:
        """Yield chunks as ranges of rows in files; each can be read by itself."""
        at = {where: str(Path(where).absolute()) for where in self.files}
        for begin, end in pairwise(self._chunk_starts(chunk)):
            ranges = self._ranges(begin, end)
            yield ScanChunk(tuple(one._replace(where=at[one.where]) for one in ranges), end - begin)

    def _chunk_starts(self, chunk: int) -> Iterator[int]:
        """Rows where chunks begin, and the end."""
        if self.one_row:
            yield from range(0, self.size, chunk)
        else:
            seen = 0
            for starts in sample_starts(self.files, self.form.header[self.form.sample]):
                yield from starts[-seen % chunk :: chunk].tolist()
                seen += len(starts)
        yield self.size

    def _ranges(self, begin: int, end: int) -> tuple[RowRange, ...]:
        ranges, first = [], 0
        for where, count in zip(self.files, map(sum, self.groups), strict=True):
            one = RowRange(where, max(begin - first, 0), min(end - first, count))
            if one.begin < one.end:  # not of files without rows, as Spark writes them
                ranges.append(one)
            first += count
        return tuple(ranges)

    def _where_of_chunk(self, content: Sequence[RowRange | RowTable]) -> str:
        """Name the file of a part, or the first and the last: rows are counted in each file."""
        first, last = content[0].where, content[-1].where
        return first if first == last else f"{first} to {Path(last).name}"

    def _statements(self, content: Sequence[RowRange | RowTable]) -> Statements:
        parts = ((str(part.where), self._decoded(part)) for part in content)
        (entries,) = chunks_of(parts, _ALL)
        return entries

    def _decoded(self, part: RowRange | RowTable) -> Statements:
        if isinstance(part, RowTable):
            table = part.table
        else:
            table = import_pyarrow().concat_tables(
                tables_between(part.where, self._names, part.begin, part.end)
            )
        where = f"{part.where}, rows from {part.begin + 1:,} on"
        return separated_alike(
            partial(self._decode_rows, table, part), self.decoder_options, self.form.separator, where
        )

    def _decode_rows(self, table: Arrow, part: RowRange | RowTable, wanted: DecoderOptions) -> Statements:
        return from_table(table, self.form, wanted, LabelSource(part.where, b"", ""), part.begin + 1)

    def with_separator(self) -> ParquetScan:
        """Find what separates the labels of texts by the first rows, since other parts may lack that sign."""
        where = next(file for file, rows in zip(self.files, self.groups, strict=True) if any(rows))
        table = next(tables_between(where, self._names, 0, self.size))
        entries = self._decode_rows(table, RowRange(where, 0, len(table)), self.decoder_options)
        return replace(self, form=replace(self.form, separator=entries.seen.get("separator")))


class _Tables:
    """Rows of Parquet files read one after the other."""

    def __init__(self, tables: Iterator[Arrow]) -> None:
        self._tables = tables
        self._rest: Arrow = None

    def take(self, ranges: Sequence[RowRange]) -> tuple[RowTable, ...]:
        """Read the next rows."""
        return tuple(RowTable(one.where, one.begin, self._next(one.end - one.begin)) for one in ranges)

    def _next(self, rows: int) -> Arrow:
        parts = []
        while rows:
            table = next(self._tables) if self._rest is None else self._rest
            parts.append(table[:rows])
            self._rest = table[rows:] if len(table) > rows else None
            rows -= len(parts[-1])
        return import_pyarrow().concat_tables(parts)


@front_door
def scan_labels(
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    chunk: int = 100_000,
    **options: Unpack[LabelOptions],
) -> LabelScan:
    r"""Name a label file of any size, which `evaluate` and `compare` read in chunks.

    Parameters
    ----------
    source
        A table, JSON Lines, ImageCLEF text, CAFA's format or Parquet; or a folder of Parquet files, as Spark
        and Dask write. Rows of the same sample must follow one another.
    ontology
        Has the concepts that may be labels; without one give `concepts`.
    chunk
        Number of samples that are read and scored at a time.
    **options
        The options of `read_labels`.

    Returns
    -------
    LabelScan
        The file and how it is read; only its beginning has been read and checked.

    Raises
    ------
    InputError
        If the file is of no such format, or its beginning cannot be read.
    ParameterError
        If neither ontology nor concepts are given, or an option has no such value.

    Examples
    --------
    >>> import ontoeval, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> _ = path.write_text("id,labels\np1,sky;sea\np2,\np3,sea\n", encoding="utf-8")
    >>> truth = scan_labels(path, concepts=["sea", "sky"], chunk=2)
    >>> ontoeval.evaluate(truth, truth, measures="F").scores
    {'F': 1.0}
    """
    chunk = whole_number("chunk", chunk, 1)
    reading, vocabulary = reader_of_chunks(ontology, options)
    max_bytes = options.get("max_bytes")
    common = {"vocabulary": vocabulary, "chunk": chunk, "reading": reading, "max_bytes": max_bytes}
    with reading_at_most(max_bytes):
        if isinstance(source, str | Path) and Path(source).is_dir():
            return _of_parquet(str(source), parquet_files(source), reading, common)
        return _of_file(checked_path(source), reading, common)


def _of_file(where: str, reading: LabelFileReader, common: Mapping[str, Any]) -> LabelScan:
    if not Path(where).is_file():
        raise InputError(
            "this is a pipe, which can be read only once", "Write it to a file first.", where=where
        )
    with open_file(where) as stream:
        if begins_parquet(stream, where):
            return _of_parquet(where, (where,), reading, common)
        wanted = reading.decoder_options(scores=False)
        form, parts = statements_of_text(pieces_of(stream, where), where, reading.layout, wanted)
        _, first = next(parts)
        form = replace(form, separator=first.seen.get("separator"))
        size = Path(where).stat().st_size if isinstance(stream.raw, FileIO) else None
        return TextScan(where=where, form=form, several_rows=first.several_rows, size=size, **common)


def _of_parquet(
    where: str, files: tuple[str, ...], reading: LabelFileReader, common: Mapping[str, Any]
) -> ParquetScan:
    form = form_of_files(files, reading.layout, reading.decoder_options(scores=False))
    kinds = kinds_of(LabelSource(files[0], b"", ""))
    concept = None if form.concept is None else kinds[form.header[form.concept]]
    one_row = form.format in {"columns", "wide"} or concept in LISTS
    groups = tuple(tuple(row_groups(file)) for file in files)
    if not any(map(any, groups)):
        raise InputError("there is no row in this table", "Write one.", where=where)
    scan = ParquetScan(where=where, form=form, files=files, groups=groups, one_row=one_row, **common)
    return scan.with_separator() if form.format == "wide" and concept == "text" else scan
