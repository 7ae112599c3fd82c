"""Label files read chunk by chunk, so that memory follows the chunk and not the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import FileIO
from itertools import chain
from typing import Unpack

from ontoeval.core.checks import whole_number
from ontoeval.core.files import File, FilePath, checked, open_file
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.limits import each_at_most
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.entries import Entries
from ontoeval.labels.formats import BY_ROWS, Recognised
from ontoeval.labels.joining import chunks_of
from ontoeval.labels.label_files import LabelFile
from ontoeval.labels.opening import is_array, is_parquet, refuse_others
from ontoeval.labels.parquet import tables_of
from ontoeval.labels.parsing import Wanted, parse, parse_table, refuse_other_kind
from ontoeval.labels.pieces import pieces_of
from ontoeval.labels.reading import LabelOptions, Reading
from ontoeval.labels.recognition import form_of_parquet, recognised, without_end, without_its_end
from ontoeval.labels.separators import SEPARATORS
from ontoeval.labels.tables import Source
from ontoeval.ontology.model import Ontology

_ROWS = 2**17
"""How many rows of a Parquet file are read at once."""
_ENOUGH = 16
"""How many bytes tell a binary format."""

Parts = Iterator[tuple[str, Entries]]
"""Where each part of a file is, and what it says."""


def read_label_chunks(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    chunk: int = 100_000,
    **options: Unpack[LabelOptions],
) -> Iterator[LabelSets]:
    r"""Read a large label file, so many samples at a time.

    Parameters
    ----------
    source
        A table (wide, long or with a column for each concept), JSON Lines, ImageCLEF text, CAFA's
        format or Parquet. The rows of a sample follow one another.
    ontology
        Tells which concepts may be labels; without one `concepts` does.
    chunk
        How many samples are read at a time.
    **options
        The options of `read_labels`.

    Returns
    -------
    iterator of LabelSets
        The labels of the next samples, all over the same concepts: `collect` sums what measures need
        of them, and `merge` adds the sums.

    Raises
    ------
    InputError
        As `read_labels` does, when the row is reached; and if a sample comes again after its chunk.
    UnknownConceptError
        If a label is no concept.
    ParameterError
        If nothing says which concepts may be labels, or an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> _ = path.write_text("id,labels\np1,sky;sea\np2,\np3,sea\n", encoding="utf-8")
    >>> [sets.samples for sets in read_label_chunks(path, concepts=["sea", "sky"], chunk=2)]
    [('p1', 'p2'), ('p3',)]
    """
    return (file.sets for file in read_label_file_chunks(source, ontology, chunk=chunk, **options))


def read_label_file_chunks(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    chunk: int = 100_000,
    **options: Unpack[LabelOptions],
) -> Iterator[LabelFile]:
    """Read a large label file in chunks, and tell of each how it was read.

    Parameters
    ----------
    source
        The file.
    ontology
        Tells which concepts may be labels.
    chunk
        How many samples are read at a time.
    **options
        The options of `read_labels`.

    Returns
    -------
    iterator of LabelFile
        The labels of the next samples, what was left out of them, and so on; without a digest.
    """
    chunk = whole_number("chunk", chunk, 1)
    reading = Reading.of(ontology, options)
    if reading.names.vocabulary is None:
        raise ParameterError(
            "concepts", options.get("concepts"), "the concepts, or an ontology: all chunks need the same"
        )
    return each_at_most(options.get("max_bytes"), _label_files(checked(source), reading, chunk))


def _label_files(path: str, reading: Reading, chunk: int) -> Iterator[LabelFile]:
    wanted = reading.wanted(scores=False)
    with open_file(path) as stream:
        start = Source(path, stream.peek(_ENOUGH), "")
        if is_array(start):
            raise _whole(Recognised("array"), path)
        if is_parquet(start):
            if not isinstance(stream.raw, FileIO):
                raise InputError("a Parquet file that is packed again", "Unpack it.", where=path)
            form, parts = _of_parquet(path, reading.input_format, wanted)
        else:
            refuse_others(File(path, start.data, ""))
            form, parts = _of_text(pieces_of(stream, path), path, reading.input_format, wanted)
        for entries in chunks_of(parts, chunk):
            yield reading.label_file(entries, form, Source(path, b"", ""))


def _whole(form: Recognised, path: str) -> InputError:
    return InputError(
        f"this is {form}, which is not read in chunks",
        "Read it whole with read_labels, or write it as JSON Lines, CSV or Parquet.",
        where=path,
    )


def _of_parquet(path: str, asked: str | None, wanted: Wanted) -> tuple[Recognised, Parts]:
    source = Source(path, b"", "")  # without its bytes: they are mapped into memory when they are needed
    form = form_of_parquet(source, asked)
    refuse_other_kind(form, wanted, path)

    def parts() -> Parts:
        row = 1
        for table in tables_of(source, form, _ROWS):
            yield (
                f"{path}, rows {row:,} to {row + len(table) - 1:,}",
                parse_table(table, form, wanted, path, row),
            )
            row += len(table)

    return form, parts()


def _of_text(
    pieces: Iterator[Source], path: str, asked: str | None, wanted: Wanted
) -> tuple[Recognised, Parts]:
    first = next(pieces)
    form, rows = recognised(first, asked, whole=False)
    if form.format not in BY_ROWS:
        raise _whole(form, path)

    if form.format == "cafa":
        headed, ended = rows.begin > 0, len(rows.data) < len(first.data)
        pieces = _without_end(pieces, None if ended or not headed else first)

    def parts() -> Parts:
        following = (replace(piece, header=rows.header) for piece in pieces)
        below = chain([rows] if rows.data[rows.begin :].strip() else [], following)
        first = next(below, rows)  # which says that there is no row below the header
        entries = parse(first, form, wanted)
        sign = entries.seen.get("separator")
        yield f"{path}, rows from {first.line:,} on", entries
        for piece in below:
            rows_of_piece = f"{path}, rows from {piece.line:,} on"
            entries = parse(piece, form, wanted)
            found = entries.seen.get("separator")
            if found not in {sign, None}:
                if sign is None or SEPARATORS.index(found) < SEPARATORS.index(sign):
                    raise InputError(
                        f"labels are separated by {found!r}, but by {sign!r} before",
                        "Say what separates them (separator=, --separator).",
                        where=rows_of_piece,
                    )
                entries = parse(piece, form, replace(wanted, separator=sign))
            yield rows_of_piece, entries

    return form, parts()


def _without_end(pieces: Iterator[Source], unended: Source | None) -> Iterator[Source]:
    """Leave out the line END of the last piece, which must have one if a first piece `unended` is given."""
    last = next(pieces, None)
    for piece in pieces:
        if last is not None:
            yield last
        last = piece
    rows = None if last is None else without_end(last)
    if unended is not None and (last is None or rows is None or len(rows.data) == len(last.data)):
        raise without_its_end(last or unended)
    if rows is not None and rows.data.strip():
        yield rows
