"""Label files cut by sample into parts on disk in one pass, so that each part fits into memory."""

from __future__ import annotations

import csv
import os
from codecs import EncodedFile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, NamedTuple, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.separators import BLANK, SEPARATORS
from ontoeval.errors import InputError, located
from ontoeval.labels.delimited import punctuation_of
from ontoeval.labels.formats import PARQUET, Layout, Recognised
from ontoeval.labels.parquet import Arrow, import_pyarrow, kinds_of, plain_tables, read_footer, texts_of
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.recognition import form_of_parquet, parse, recognised
from ontoeval.labels.sources import LabelSource, is_array, is_parquet, refuse_others, text_of
from ontoeval.labels.statements import Statements, lines_of
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.files import File, FilePath, checked_path, compression_of, dataset_files, open_file
from ontoeval.plumbing.list_texts import BETWEEN
from ontoeval.plumbing.text_checks import LONGEST_ROW, line_ends, too_long, wide_encoding

ROWS = 2**18
"""Most rows of Parquet that are cut at once."""

CELLS = 2**24
"""Most cells of Parquet that are cut at once: tables with a column for each concept are wide."""

PIECE = 2**22
"""Bytes of text that are cut at once."""

_ENOUGH = 16  # bytes in which a binary format is recognised
_VALUE, _PACKED = 8, 5
_NUMBERS = "number of the row in the file"


@dataclass(frozen=True, eq=False)
class SplitFile:
    """A label file that was cut by sample into parts; rows keep their order and their numbers."""

    where: str
    form: Recognised
    header: tuple[str, ...]
    folder: Path
    separator: str | None = None
    """Separator of several labels in one field, which one part alone may not show."""

    def decoded(
        self, number: int, reading: LabelFileReader
    ) -> tuple[Statements, Recognised, LabelSource] | None:
        """Decode a part; None where it has no row."""
        source = self._source(number)
        if source.numbers is None or not source.numbers.size:
            return None
        wanted = reading.decoder_options(scores=False)
        found = parse(source, self.form, replace(wanted, separator=self.separator or wanted.separator))
        shown = {"separator": None} if self.separator == BETWEEN else {}
        return replace(found, seen={**found.seen, **shown}), self.form, LabelSource(self.where, b"", "")

    def fields(self, number: int) -> Iterator[str]:
        """Go through the fields of labels of a part, unsplit."""
        source, concept = self._source(number), self.form.concept or 0
        if source.table is not None:
            yield from texts_of(source.table[self.form.header[concept]], self.form.header[concept])
        else:
            for block in source.batches(self.form.delimiter, self.form.width, checked=False):
                yield from block.columns[concept]

    def _source(self, number: int) -> LabelSource:
        """Read the rows of a part."""
        arrow = import_pyarrow()
        with arrow.memory_map(os.fspath(_part(self.folder, number))) as file:
            table = arrow.ipc.open_stream(file).read_all()
        numbers, last = table.columns[-1].to_numpy(), table.num_columns - 1
        source = LabelSource(self.where, b"", "", header=self.header, numbers=numbers)
        if self.form.delimiter == PARQUET:
            return replace(source, table=table.remove_column(last))
        return replace(source, data="".join(table.columns[0].to_pylist()).encode())


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number}.arrow"


class _Rows(NamedTuple):
    """Some rows, the last column their numbers; the samples' names; of wide tables the fields of labels."""

    table: Arrow
    names: Arrow
    fields: Sequence[str] = ()


def split(
    paths: Sequence[FilePath], readers: Sequence[LabelFileReader], place: Path, parts: int, at: int
) -> SplitFile:
    """Cut a file into parts, by a checksum of each sample's name; its beginning decides how it is read."""
    requires("pyarrow", "arrow", "Scoring in parts")
    path, reading, folder = paths[at], readers[at], place / str(at)
    wanted, signs, writers = reading.decoder_options(scores=False), set[str](), list[Any]()
    folder.mkdir()
    with ExitStack() as stack:
        form, first, blocks = _recognised_rows(path, reading.layout, stack)
        for block in blocks:
            if not writers:
                files = (_part(folder, number) for number in range(parts))
                writers = [_writer(file, block.table.schema, stack) for file in files]
            text = "\n".join(block.fields)
            signs |= {sign for sign in (*SEPARATORS, "[", "{") if sign in text}
            part = _parts_of(block.names, parts)
            rows = block.table.take(np.argsort(part, kind="stable"))
            sizes = np.bincount(part, minlength=parts)
            for writer, end, size in zip(writers, np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
                if size:
                    writer.write_table(rows.slice(end - size, size))
        if not writers:
            parse(first, form, wanted)  # which refuses a file without rows
    found = SplitFile(os.fspath(path), form, first.header, folder)
    if wanted.separator is not None or not signs:
        return found
    if len(signs - {BLANK}) == 1 and signs <= {*SEPARATORS}:
        return replace(found, separator=(signs - {BLANK}).pop())
    kept: dict[str, str] = {}  # each text is held once
    fields = [kept.setdefault(one, one) for number in range(parts) for one in found.fields(number)]
    with located(found.where):
        _, sign, lists = punctuation_of(fields, wanted)
    return replace(found, separator=None if lists is not None else sign or BETWEEN)


def size_of(path: FilePath) -> int:
    """Size by which parts are counted: of Parquet 8 bytes a value, of packed text five times the file."""
    files = dataset_files(Path(path)) if Path(path).is_dir() else (checked_path(path),)
    return sum(_size(Path(file)) for file in files if Path(file).is_file())


def _size(file: Path) -> int:
    with file.open("rb") as opened:
        head = opened.read(_ENOUGH)
    if not is_parquet(LabelSource(str(file), head, "")):
        return file.stat().st_size * (_PACKED if compression_of(head) else 1)
    found = read_footer(str(file))
    groups = map(found.row_group, range(found.num_row_groups))
    values = (group.column(at).num_values for group in groups for at in range(group.num_columns))
    return int(_VALUE * sum(values))


def _writer(path: Path, schema: Arrow, stack: ExitStack) -> Arrow:
    """Open a part for writing."""
    arrow = import_pyarrow()
    file = stack.enter_context(arrow.OSFile(os.fspath(path), "wb"))
    options = arrow.ipc.IpcWriteOptions(compression="lz4")
    return stack.enter_context(arrow.ipc.new_stream(file, schema, options=options))


def _parts_of(names: Arrow, parts: int) -> NDArray[np.uint16]:
    """Find the part of each sample."""
    coded = names.dictionary_encode().unify_dictionaries().combine_chunks()
    texts = [*texts_of(coded.dictionary, "of the samples"), ""]  # the last one for nulls
    number = np.array([crc32(text.strip().encode()) % parts for text in texts], dtype=np.uint16)
    found: NDArray[np.uint16] = number[coded.indices.fill_null(len(texts) - 1).to_numpy()]
    return found


def _recognised_rows(
    path: FilePath, layout: Layout, stack: ExitStack
) -> tuple[Recognised, LabelSource, Iterator[_Rows]]:
    """Recognise a file by its beginning, and go through its rows."""
    if Path(path).is_dir():
        if files := dataset_files(Path(path)):
            return _recognised_parquet(files, layout)
        raise InputError("this folder holds no Parquet files", "Name a file, or such a folder.", where=path)
    where = checked_path(path)
    if not Path(where).is_file():
        raise InputError("this is a pipe, which is no file", "Write it to a file first.", where=where)
    stack.enter_context(located(where))
    opened = stack.enter_context(open_file(where))
    head, stream = LabelSource(where, opened.peek(_ENOUGH), ""), cast("IO[bytes]", opened)
    if is_parquet(head):
        return _recognised_parquet((where,), layout)
    if is_array(head):
        raise _not_cut(recognised(head)[0])
    refuse_others(File(where, head.data, ""))
    if wide_encoding(head.data) == "UTF-16":
        stream = cast("IO[bytes]", EncodedFile(stream, "utf-8", "utf-16"))
    pieces = _pieces(stream, where)
    form, first = recognised(next(pieces), layout, whole=False)
    if form.format not in {"wide", "long", "columns"} or form.delimiter is None:
        raise _not_cut(form)
    return form, first, filter(None, (_rows_of_text(piece, form) for piece in chain([first], pieces)))


def _not_cut(form: Recognised) -> InputError:
    return InputError(
        f"this is {form}, which is not cut into parts",
        "Write it as Parquet or CSV, with a label or a list of labels in each row; or read it whole (without "
        "--parts).",
    )


def _pieces(stream: IO[bytes], where: str) -> Iterator[LabelSource]:
    """Read text some MiB at a time, each piece up to the end of a row."""
    rest, line, ended, empty = b"", 1, False, True
    while not ended:
        block = stream.read(PIECE)
        ended, rest = not block, rest + block
        end = len(rest) if ended else _end_of_rows(rest)
        if not end and len(rest) > LONGEST_ROW:
            raise too_long("a row", LONGEST_ROW, row=line)
        piece, rest = rest[:end], rest[end:]
        if piece.strip() or (ended and empty):
            empty = False
            yield LabelSource(where, text_of(File(where, piece, ""), line), "", line=line)
        line += line_ends(piece)


def _end_of_rows(block: bytes) -> int:
    """Find where the last whole row of a block ends: at a newline outside of quotes."""
    end = block.rfind(b"\n") + 1
    open_quotes = block.count(b'"', 0, end) % 2
    while end and open_quotes:
        before = block.rfind(b"\n", 0, end - 1) + 1
        open_quotes = (open_quotes + block.count(b'"', before, end)) % 2
        end = before
    return end


def _rows_of_text(piece: LabelSource, form: Recognised) -> _Rows | None:
    """Rows of a piece of text, each with its end."""
    blocks, rows = [*piece.batches(form.delimiter, form.width, checked=False)], list[str]()
    if not blocks:
        return None
    # Both signs at the ends, so that fields with either are quoted.
    writer = csv.writer(
        SimpleNamespace(write=rows.append), delimiter=str(form.delimiter), lineterminator="\r\n"
    )
    names, fields = list[str](), list[str]()
    for block in blocks:
        writer.writerows(zip(*block.columns, strict=True))
        names += block.columns[form.sample]
        fields += block.columns[form.concept or 0] if form.format == "wide" else ()
    arrow, lines = import_pyarrow(), lines_of(block.lines for block in blocks)
    table = arrow.table([arrow.array(rows, arrow.large_string()), arrow.array(lines)], ["rows", _NUMBERS])
    return _Rows(table, arrow.chunked_array([names], arrow.string()), fields)


def _recognised_parquet(
    files: Sequence[str], layout: Layout
) -> tuple[Recognised, LabelSource, Iterator[_Rows]]:
    """Recognise Parquet files, which have the same columns, and go through their rows, counted through."""
    first, *others = (LabelSource(file, b"", "") for file in files)  # without bytes: they are mapped
    with located(first.where):
        form, kinds = form_of_parquet(first, layout), kinds_of(first)
    names = [name for name in form.header if name not in form.unused]
    for other in others:
        found = kinds_of(other)
        if any(found.get(name) != kinds[name] for name in names):
            problem = f"the columns differ from those of {first.where}"
            raise InputError(problem, "Write all files alike.", where=other.where)
    sample, concept = form.header[form.sample], form.header[form.concept or 0]
    texts = form.format == "wide" and kinds[concept] == "text"

    def rows() -> Iterator[_Rows]:
        begin, at_once = 1, max(min(ROWS, CELLS // len(names)), 1)
        for file in files:
            for table in plain_tables(file, names, at_once):
                numbers = np.arange(begin, begin := begin + len(table), dtype=np.int32)
                fields = texts_of(table[concept], concept) if texts else ()
                yield _Rows(table.append_column(_NUMBERS, [numbers]), table[sample], fields)

    return form, first, rows()
