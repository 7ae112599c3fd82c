"""Label files read in chunks, so that memory follows the chunk and not the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from io import BufferedReader, FileIO
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.scans import SeenSamples, Step
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, located
from ontoeval.labels.cells import SEPARATORS
from ontoeval.labels.formats import Layout, Recognised
from ontoeval.labels.parquet import from_table, kinds_of, row_groups, tables_of
from ontoeval.labels.reading import LabelFileReader, LabelOptions
from ontoeval.labels.recognition import (
    LABEL_FORMATS,
    cut_off_error,
    form_of_parquet,
    parse,
    recognised,
    refuse_other_kind,
    without_end,
)
from ontoeval.labels.resolved import LabelFile
from ontoeval.labels.sources import LabelSource, is_array, is_parquet, pieces_of, refuse_others
from ontoeval.labels.statements import ONE_ROW_EACH, DecoderOptions, Statements
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.files import File, FilePath, checked_path, dataset_files, each_at_most, open_file

NumberType = TypeVar("NumberType", np.float64, np.int32)

SORT = "Sort the rows by sample, or read the file whole with read_labels."


def chunks_of(
    parts: Iterable[tuple[str, Statements]], size: int, *, repeats: bool = False
) -> Iterator[Statements]:
    """Cut the statements of a file's parts into chunks of so many samples, which may have `repeats`."""
    met = SeenSamples()
    waiting: Statements | None = None
    for where, part in parts:
        again = None if repeats else met.find_repeated(part.samples)
        if again is None and not repeats and waiting is not None and not part.several_rows:
            again = next(iter(set(waiting.samples).intersection(part.samples)), None)
        if again is not None:
            problem = "goes on, but was complete before" if part.several_rows else "is there already"
            remedy = SORT if part.several_rows else ONE_ROW_EACH
            raise InputError(f"sample {again!r} {problem}", remedy, where=where)
        *chunks, waiting = split_into_chunks(
            part if waiting is None else join_statements(waiting, part), size
        )
        for chunk in chunks:
            if not repeats:
                met.add(chunk.samples)
            yield chunk
    if waiting is not None:
        yield waiting


def join_statements(first: Statements, second: Statements) -> Statements:
    """Join the statements of two parts."""
    if first.several_rows:
        samples, row = _join_names(first.samples, second.samples)
    else:  # each row is a sample
        samples = (*first.samples, *second.samples)
        row = np.arange(len(first.samples), len(samples), dtype=np.int32)
    spellings, code = _join_names(first.spellings, second.spellings)
    places = dict(zip((*second.spellings, *first.spellings), (*second.places, *first.places), strict=True))
    return replace(
        first,
        samples=samples,
        spellings=spellings,
        places=tuple(places[text] for text in spellings),
        sample=np.concatenate([first.sample, row[second.sample]]),
        concept=np.concatenate([first.concept, code[second.concept]]),
        value=_join_arrays(first.value, second.value),
        place=_join_arrays(first.place, second.place),
        starts=None,
        nulls=first.nulls + second.nulls,
        negated=first.negated + second.negated,
    )


def split_into_chunks(entries: Statements, size: int) -> list[Statements]:
    """Cut statements into chunks."""
    if len(entries.samples) <= size:
        return [entries]
    order = np.argsort(entries.sample, kind="stable")
    begins = range(0, len(entries.samples), size)
    ends = np.searchsorted(entries.sample[order], [*begins, len(entries.samples)])
    parts = []
    for n, begin in enumerate(begins):
        part = entries.select(order[ends[n] : ends[n + 1]])
        names = part.samples[begin : begin + size]
        part = replace(part, samples=names, sample=part.sample - begin, starts=None)
        # Of all chunks, counted once.
        part = replace(part, nulls=0, negated=0) if begin else part
        used = np.bincount(part.concept, minlength=len(part.spellings)) > 0
        parts.append(part if part.header else part.select_spellings(used))
    return parts


def _join_names(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    names = dict.fromkeys((*first, *second))
    position = dict(zip(names, range(len(names)), strict=True))
    return tuple(names), np.array([position[name] for name in second], dtype=np.int32)


def _join_arrays(
    first: NDArray[NumberType] | None, second: NDArray[NumberType] | None
) -> NDArray[NumberType] | None:
    return None if first is None or second is None else np.concatenate([first, second])


_ROWS = 2**17  # how many rows of a Parquet file are read at once
_ENOUGH = 16  # bytes in which a binary format is recognised

FileParts = Iterator[tuple[str, Statements]]  # place and statements of each part of a file


@front_door
def read_label_chunks(
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    chunk: int = 100_000,
    **options: Unpack[LabelOptions],
) -> Iterator[LabelSets]:
    r"""Read a large label file in chunks of samples.

    Parameters
    ----------
    source
        A table, JSON Lines, ImageCLEF text, CAFA's format or Parquet. The rows of a sample must follow
        one another.
    ontology
        Has the concepts that may be labels; without one give `concepts`.
    chunk
        Number of samples that are read at a time.
    **options
        The options of `read_labels`.

    Returns
    -------
    iterator of LabelSets
        The labels of the next samples over the same concepts, for `collect` and `merge`.

    Raises
    ------
    InputError
        As `read_labels`, when the row is reached; and if a sample occurs again after its chunk.
    ParameterError
        If neither ontology nor concepts are given, or an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> _ = path.write_text("id,labels\np1,sky;sea\np2,\np3,sea\n", encoding="utf-8")
    >>> chunks = read_label_chunks(path, concepts=["sea", "sky"], chunk=2)
    >>> [sets.samples for sets in chunks]
    [('p1', 'p2'), ('p3',)]
    """
    return (file.sets for file in read_label_file_chunks(source, ontology, chunk=chunk, **options))


@front_door
def read_label_file_chunks(
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    chunk: int = 100_000,
    **options: Unpack[LabelOptions],
) -> Iterator[LabelFile]:
    """Read a large label file in chunks, each with notes on how it was read.

    Parameters
    ----------
    source
        The file.
    ontology
        Has the concepts that may be labels.
    chunk
        Number of samples that are read at a time.
    **options
        The options of `read_labels`.

    Returns
    -------
    iterator of LabelFile
        The labels of the next samples, what was left out of them, and so on; without a digest.
    """
    chunk, (reading, _) = whole_number("chunk", chunk, 1), reader_of_chunks(ontology, options)
    return each_at_most(options.get("max_bytes"), _label_files(checked_path(source), reading, chunk))


def reader_of_chunks(ontology: Ontology | None, options: LabelOptions) -> tuple[LabelFileReader, Vocabulary]:
    """Check the options, and that the concepts are known before the first chunk is read."""
    reading = LabelFileReader.from_options(ontology, options)
    if reading.names.vocabulary is None:
        wanted = "the concepts, or an ontology: all chunks need the same"
        raise ParameterError("concepts", options.get("concepts"), wanted)
    return reading, reading.names.vocabulary


def _label_files(path: str, reading: LabelFileReader, chunk: int) -> Iterator[LabelFile]:
    wanted = reading.decoder_options(scores=False)
    for form, entries in statement_chunks(path, reading.layout, wanted, chunk):
        yield reading.label_file(entries, form, LabelSource(path, b"", ""))


def _open_file(path: str) -> AbstractContextManager[Any]:
    """Open a file; a folder is None."""
    return nullcontext() if Path(path).is_dir() else open_file(path)


def size_of(path: str) -> int | None:
    """Size of a file for progress: rows of Parquet, bytes of text; None for packed text."""
    with _open_file(path) as stream:
        if stream is None or begins_parquet(stream, path):
            return sum(sum(row_groups(file)) for file in parquet_files(path))
        return Path(path).stat().st_size if isinstance(stream.raw, FileIO) else None


def statement_chunks(
    path: str, layout: Layout, wanted: DecoderOptions, chunk: int, step: Step = lambda _: None
) -> Iterator[tuple[Recognised, Statements]]:
    """Read the statements of a file, or a folder of Parquet files, in chunks of samples, with its format."""
    with _open_file(path) as stream:
        if stream is None or begins_parquet(stream, path):
            form, parts = _of_parquet(parquet_files(path), layout, wanted, step)
        else:
            pieces = with_progress(pieces_of(stream, path), step)
            form, parts = statements_of_text(pieces, path, layout, wanted)
        for entries in chunks_of(parts, chunk, repeats=wanted.repeats):
            yield form, entries


def with_progress(pieces: Iterator[LabelSource], step: Step) -> Iterator[LabelSource]:
    """Yield pieces of text, and report the bytes of each as progress."""
    for piece in pieces:
        step(len(piece.data))
        yield piece


def begins_parquet(stream: BufferedReader, path: str) -> bool:
    """Whether a file is Parquet, not text; formats that cannot be read in chunks are refused."""
    start = LabelSource(path, stream.peek(_ENOUGH), "")
    if is_array(start):
        raise not_in_chunks_error(recognised(start)[0])
    if is_parquet(start):
        if not isinstance(stream.raw, FileIO):
            raise InputError("a Parquet file that is packed again", "Unpack it.")
        return True
    refuse_others(File(path, start.data, ""))
    return False


def not_in_chunks_error(form: Recognised) -> InputError:
    """Error for a format that cannot be read in chunks."""
    return InputError(
        f"this is {form}, which is not read in chunks",
        "Read the file whole with read_labels (without --chunk), or write it as JSON Lines, CSV or Parquet.",
    )


def parquet_files(path: FilePath) -> tuple[str, ...]:
    """Name the Parquet files of a folder, or the one file."""
    if not Path(path).is_dir():
        return (str(path),)
    if files := dataset_files(Path(path)):
        return files
    raise InputError(
        "this folder holds no Parquet files",
        "Name a file, or a folder of Parquet files as Spark and Dask write it.",
        where=path,
    )


def form_of_files(files: Sequence[str], layout: Layout, wanted: DecoderOptions) -> Recognised:
    """Format of Parquet files, which have the same columns."""
    # Without their bytes: they are mapped into memory when they are needed.
    first, *others = (LabelSource(file, b"", "") for file in files)
    with located(first.where):
        form, kinds = form_of_parquet(first, layout), kinds_of(first)
        refuse_other_kind(form, wanted)
    names = [name for name in form.header if name not in form.unused]
    for other in others:
        found = kinds_of(other)
        if any(found.get(name) != kinds[name] for name in names):
            problem = f"the columns differ from those of {first.where}"
            raise InputError(problem, "Write all files alike.", where=other.where)
    return form


def _of_parquet(
    files: Sequence[str], layout: Layout, wanted: DecoderOptions, step: Step
) -> tuple[Recognised, FileParts]:
    form = form_of_files(files, layout, wanted)

    def tables() -> Iterator[tuple[LabelSource, int, Any]]:
        for source in (LabelSource(file, b"", "") for file in files):
            row = 1
            for table in tables_of(source, form, _ROWS):
                yield source, row, table
                row += len(table)

    def parts() -> FileParts:
        sign, begun = None, False
        for source, row, table in tables():
            where = f"{source.where}, rows {row:,} to {row + len(table) - 1:,}"
            decode = partial(from_table, table, form, source=source, row=row)
            entries = separated_alike(decode, wanted, sign, where) if begun else decode(wanted)
            sign, begun = (sign if begun else entries.seen.get("separator")), True
            yield where, entries
            step(len(table))

    return form, parts()


def statements_of_text(
    pieces: Iterator[LabelSource], path: str, layout: Layout, wanted: DecoderOptions
) -> tuple[Recognised, FileParts]:
    """Recognise the format of a text by its first piece, and decode piece after piece."""
    first = next(pieces)
    form, rows = recognised(first, layout, whole=False)
    if not LABEL_FORMATS[form.format].chunks:
        raise not_in_chunks_error(form)

    if form.format == "cafa":
        headed, ended = rows.begin > 0, len(rows.data) < len(first.data)
        pieces = _without_end(pieces, None if ended or not headed else first)

    def parts() -> FileParts:
        following = (replace(piece, header=rows.header) for piece in pieces)
        below = chain([rows] if rows.data[rows.begin :].strip(b" \r\n") else [], following)
        first = next(below, rows)  # for the message that no row follows the header
        entries = parse(first, form, wanted)
        sign = entries.seen.get("separator")
        yield f"{path}, rows from {first.line:,} on", entries
        for piece in below:
            rows_of_piece = f"{path}, rows from {piece.line:,} on"
            entries = separated_alike(partial(parse, piece, form), wanted, sign, rows_of_piece)
            yield rows_of_piece, entries

    return form, parts()


def separated_alike(
    decode: Callable[[DecoderOptions], Statements], wanted: DecoderOptions, sign: str | None, where: str
) -> Statements:
    """Decode a part of a file whose beginning shows the separator of labels: a few rows may lack it."""
    entries = decode(wanted)
    found = entries.seen.get("separator")
    if found in {sign, None}:
        return entries
    if sign is None or SEPARATORS.index(found) < SEPARATORS.index(sign):
        raise InputError(
            f"labels are separated by {found!r}, but "
            + ("the first rows have one label each" if sign is None else f"by {sign!r} before"),
            "Say what separates them (separator=, --separator).",
            where=where,
        )
    return decode(replace(wanted, separator=sign))


def _without_end(pieces: Iterator[LabelSource], unended: LabelSource | None) -> Iterator[LabelSource]:
    """Leave out the line END of the last piece, which must have one if a first piece `unended` is given."""
    last = next(pieces, None)
    for piece in pieces:
        if last is not None:
            yield last
        last = piece
    rows = None if last is None else without_end(last)
    if unended is not None and (last is None or rows is None or len(rows.data) == len(last.data)):
        raise cut_off_error(last or unended)
    if rows is not None and rows.data.strip():
        yield rows
