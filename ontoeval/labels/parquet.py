"""Parquet files: checked for their size, and read without a loop over their rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, OntoevalError, located
from ontoeval.labels.delimited import from_fields, negated_rows
from ontoeval.labels.formats import ColumnKind, Recognised
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.sources import LabelSource
from ontoeval.labels.statements import (
    NAMELESS,
    NO_LABEL,
    Codebook,
    DecoderOptions,
    LabelBlock,
    Statements,
    first_occurrences,
    one_row_each,
    statements_of_blocks,
    statements_of_levels,
    with_places,
)
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.column_titles import PARQUET_INDEX
from ontoeval.plumbing.files import size_limits, too_large
from ontoeval.plumbing.json_text import load

Arrow = Any
"""A table, a column, a type or an open file of pyarrow, which has no types."""

_BYTE, _DOUBLE, _BINARY, _LIST, _STRUCT = 3, 7, 8, 9, 12
_BOOLEANS = frozenset({1, 2})
_INTEGERS = frozenset({4, 5, 6})
_DEEPEST = 20  # footers are nested four or five times

# field numbers in the specification of Parquet's footer
_ROW_GROUPS, _COLUMNS, _COLUMN, _PATH, _VALUES = 4, 1, 3, 3, 5


def values_in(footer: bytes, names: Collection[str]) -> int:
    """Count the values that a footer declares for its columns."""
    try:
        footer_fields = _Thrift(footer).value(_STRUCT)
        columns = [column[_COLUMN] for group in footer_fields[_ROW_GROUPS] for column in group[_COLUMNS]]
        return sum(abs(column[_VALUES]) for column in columns if column[_PATH][0].decode() in names)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"its footer is broken ({type(error).__name__})") from error


class _Thrift:
    """Reader of Thrift's compact protocol: numbers, texts, lists, and fields by their numbers.

    On some broken footers pyarrow's own metadata of columns end the whole program.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._simple: dict[int, Callable[[], Any]] = {
            _BYTE: self._byte,
            _DOUBLE: lambda: self._bytes(8),
            _BINARY: lambda: self._bytes(self._varint()),
            **dict.fromkeys(_INTEGERS, self._integer),
            **dict.fromkeys(_BOOLEANS, self._byte),
        }
        self._nested: dict[int, Callable[[int], Any]] = {_LIST: self._list, _STRUCT: self._struct}

    def value(self, kind: int, depth: int = 0) -> Any:  # noqa: ANN401 - whatever it holds
        """Read a value of some kind."""
        if kind in self._simple:
            return self._simple[kind]()
        if kind in self._nested and depth < _DEEPEST:
            return self._nested[kind](depth + 1)
        raise ValueError(f"its footer is broken (kind {kind} at depth {depth})")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        if self._at + count > len(self._data):
            raise IndexError
        self._at += count
        return self._data[self._at - count : self._at]

    def _integer(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)

    def _varint(self) -> int:
        number, shift = 0, 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 - the highest bit marks that more follows
                return number
            shift += 7

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4
        if size == 0xF:  # noqa: PLR2004 - too many for four bits
            size = self._varint()
        return [self.value(head & 0xF, depth) for _ in range(size)]

    def _struct(self, depth: int) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind = head & 0xF
            step = head >> 4
            number = number + step if step else self._integer()
            # A boolean's value is in the kind of its field.
            fields[number] = kind if kind in _BOOLEANS else self.value(kind, depth)
        return fields


LISTS = frozenset({"texts", "numbers"})  # the kinds of columns that hold a list in each row

_ROWS = 20_000  # rows of numbers that are checked at once


def from_table(table: Arrow, form: Recognised, wanted: DecoderOptions, source: LabelSource) -> Statements:
    """Decode a table of pyarrow."""
    rows = np.arange(1, len(table) + 1, dtype=np.int32) if source.numbers is None else source.numbers
    with parquet_explained(source.where):
        if not len(table):
            raise InputError("there is no row in this table", "Write one.")
        if form.format == "columns":
            names = [form.header[place] for place in form.values_at]
            blocks = _blocks(table, form, rows)
            return statements_of_blocks(blocks, names, ["the header"] * len(names), source, wanted)
        if form.format == "paths":
            texts = {n: texts_of(table[form.header[n]], form.header[n]) for n in (form.sample, *form.levels)}
            levels = [texts[n] for n in form.levels]
            return statements_of_levels(texts[form.sample], levels, rows, source, wanted)
        concept = table[form.header[form.concept or 0]]
        if form.format != "wide" or kind_of(concept.type) != "text":
            found = _long_or_lists(table, form, wanted, source, rows)
            if form.negation is None:
                return found
            title, book = form.header[form.negation], Codebook()
            code = book.codes(texts_of(table[title], title))
            marks = negated_rows(source, book, code, rows).astype(np.float64)
            return replace(
                found, value=marks[np.searchsorted(rows, np.asarray(found.place))]
            ).without_negated(wanted)
        columns = [form.sample, form.concept or 0, *([] if form.score is None else [form.score])]
        samples, fields, *given = (texts_of(table[form.header[n]], form.header[n]) for n in columns)
        found = from_fields(source, rows, samples, fields, given[0] if given else None, wanted)
        return replace(found, ledger=Ledger(concept.null_count))


def _long_or_lists(
    table: Arrow, form: Recognised, wanted: DecoderOptions, source: LabelSource, rows: NDArray[np.int32]
) -> Statements:
    compute = import_pyarrow("pyarrow.compute")
    concept = table[form.header[form.concept or 0]]
    score = None if form.score is None else table[form.header[form.score]]
    classes = class_names(table.schema.metadata, form.header[form.concept or 0])
    owner = np.arange(len(table), dtype=np.int32)
    lists = kind_of(concept.type) in LISTS
    nulls = concept.null_count if lists else 0
    if lists:
        owner = np.repeat(owner, _lengths(concept))
        if score is not None and not np.array_equal(_lengths(score), _lengths(concept)):
            raise InputError(
                "a list of labels and one of scores that differ in length", "Give each label one."
            )
        concept = compute.list_flatten(concept)
        score = None if score is None else compute.list_flatten(score)
        names = texts_of(table[form.header[form.sample]], form.header[form.sample])
        starts = rows
        samples: Sequence[str] = one_row_each(source, names, rows, repeats=wanted.repeats)
        sample = owner
    else:
        samples, sample = _codes(table[form.header[form.sample]])
        if "" in samples:
            source.refuse(*NAMELESS, int(rows[np.argmax(sample == samples.index(""))]))
        starts = rows[first_occurrences(sample)]
    there = concept.is_valid().to_numpy() & (True if score is None else score.is_valid().to_numpy())
    if not there.all():
        concept, score = (part if part is None else part.filter(there) for part in (concept, score))
        owner, sample, nulls = owner[there], sample[there], nulls + int((~there).sum())
    spellings, code = _codes(concept)
    if lists and "" in spellings:
        raise InputError(*NO_LABEL, row=int(rows[owner[np.argmax(code == spellings.index(""))]]))
    unknown = [number for number, name in enumerate(spellings) if classes and name and name not in classes]
    if unknown:
        at = int(np.argmax(code == unknown[0]))
        raise InputError(
            f"the class {spellings[code[at]]}, but the metadata name those from 0 to {len(classes) - 1:,}",
            "Leave out samples without a class (-1), or write the names of the classes in place of numbers.",
            row=int(rows[owner[at]]),
        )
    spellings = [classes.get(name, name) for name in spellings]
    values = None if score is None else _numbers(score)
    if values is not None:
        # Where there is no label there is no score, and the other way round.
        blank = spellings.index("") if "" in spellings else -1
        bad = np.flatnonzero(np.isfinite(values) != (code != blank))
        if bad.size:
            problem = f"the score of {spellings[code[bad[0]]]!r} is {values[bad[0]]:g}"
            raise InputError(problem, "Give each label a finite number.", row=int(rows[owner[bad[0]]]))
    place, names_of = rows[owner], (tuple(samples), tuple(spellings), ())
    found = Statements(*names_of, sample, code, values, place, starts, ledger=Ledger(nulls))
    found = replace(found, seen={"lists": lists})
    return with_places(found, lambda entry: f"row {place[entry]:,}")


def class_names(metadata: Mapping[bytes, bytes] | None, column: str) -> dict[str, str]:
    """Names by number that Hugging Face's metadata have for a column of ClassLabel, also in lists."""
    held: Any = load((metadata or {}).get(b"huggingface", b"null"))
    for key in ("info", "features", column, 0, "feature", "names"):
        if isinstance(held, dict) and key != 0:
            held = held.get(key, held if key == "feature" else None)
        elif isinstance(held, list) and key == 0:  # which is how lists were written before version 2
            held = held[0] if held else None
    return {str(at): str(name).strip() for at, name in enumerate(held if isinstance(held, list) else [])}


def _blocks(table: Arrow, form: Recognised, rows: NDArray[np.int32]) -> Iterator[LabelBlock]:
    for begin in range(0, len(table), _ROWS):
        part = table.slice(begin, _ROWS)
        names, sample = [form.header[n] for n in form.values_at], form.header[form.sample]
        values = np.column_stack([_numbers(part[name]) for name in names])
        if any(part[name].null_count for name in names):
            nulls = np.column_stack([part[name].is_null().to_numpy() for name in names])
            values = np.ma.masked_array(values, nulls)
        yield (rows[begin : begin + _ROWS], texts_of(part[sample], sample), values)


def kind_of(kind: Arrow) -> ColumnKind:
    """Kind of content of a column of this type."""
    types = import_pyarrow("pyarrow.types")
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        lists: dict[ColumnKind, ColumnKind] = {"text": "texts", "number": "numbers"}
        return lists.get(kind_of(kind.value_type), "other")
    if types.is_dictionary(kind):
        return kind_of(kind.value_type)
    if any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_null)):
        return "text"
    numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
    return "number" if numeric else "other"


def _codes(column: Arrow) -> tuple[Sequence[str], NDArray[np.int32]]:
    """Enumerate the texts of a column in the order of first occurrence; nulls are empty texts."""
    types, kind = import_pyarrow("pyarrow.types"), column.type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    if kind_of(kind) == "other" or types.is_floating(kind) or types.is_boolean(kind):
        raise InputError(f"a column of {kind}", "Names of samples and concepts are texts.")
    column.validate(full=True)  # a dictionary may lack entries
    texts = column.cast(import_pyarrow().string()).dictionary_encode(null_encoding="encode")
    numbered, book = texts.combine_chunks(), Codebook()
    code = book.codes(_texts(numbered.dictionary))[numbered.indices.to_numpy()]
    return tuple(book.index), code


def _texts(column: Arrow) -> list[str]:
    return ["" if text is None else text for text in column.cast(import_pyarrow().string()).to_pylist()]


def texts_of(column: Arrow, name: str) -> list[str]:
    """List the texts of a column, numbers as texts and nulls as empty ones."""
    if kind_of(column.type) not in {"text", "number"}:
        raise InputError(f"column {name!r} holds {column.type}", "Name each sample by a text.")
    return _texts(column)


def _numbers(column: Arrow) -> NDArray[np.float64]:
    values = column.cast(import_pyarrow().float64()).to_numpy()
    return np.asarray(values, dtype=np.float64)


def _lengths(column: Arrow) -> NDArray[np.intp]:
    compute = import_pyarrow("pyarrow.compute")
    lengths = compute.fill_null(compute.list_value_length(column), 0).to_numpy()
    return np.asarray(lengths, dtype=np.intp)


def import_pyarrow(module: str = "pyarrow") -> ModuleType:
    """Import a module of pyarrow; the error names the extra that installs pyarrow."""
    return requires(module, "arrow", "Reading Parquet")


_BYTES = 8  # bytes of a value in memory
_TAIL = 8  # the last bytes of a file: the length of its footer, and a mark


def kinds_of(source: LabelSource) -> dict[str, ColumnKind]:
    """Kind of content of each column of a Parquet file, an index of pandas first, as in CSV."""
    with parquet_explained(source.where):
        schema = open_parquet(source).schema_arrow
        held = load((schema.metadata or {}).get(b"pandas", b"null"))
    if len(set(schema.names)) < len(schema.names):
        raise InputError("two columns have one name", "Rename one.")
    index = held.get("index_columns") if isinstance(held, dict) else [PARQUET_INDEX]
    return {one.name: kind_of(one.type) for one in sorted(schema, key=lambda field: [field.name] != index)}


def table_of(source: LabelSource, form: Recognised) -> Arrow:
    """Table of the required columns of a Parquet file."""
    if source.table is not None:
        return source.table
    names = [name for name in form.header if name not in form.unused]
    with parquet_explained(source.where):
        return _whole_table(open_parquet(source, names), names)


def _whole_table(file: Arrow, names: list[str]) -> Arrow:
    """Read all rows; lists of numbered texts group by group, which pyarrow does not put together itself."""
    numbered = import_pyarrow("pyarrow.types").is_dictionary
    types = (file.schema_arrow.field(name).type for name in names)
    count = file.num_row_groups
    if count <= 1 or not any(numbered(getattr(one, "value_type", one)) for one in types):
        return file.read(columns=names)
    groups = (file.iter_batches(row_groups=[group], columns=names) for group in range(count))
    return import_pyarrow().Table.from_batches(chain.from_iterable(groups))


def plain_tables(where: str, names: list[str], rows: int) -> Iterator[Arrow]:
    """Tables of some rows of a Parquet file each; texts that a dictionary numbers are written out."""
    arrow, numbered = import_pyarrow(), import_pyarrow("pyarrow.types").is_dictionary
    with parquet_explained(where):
        opened = import_pyarrow("pyarrow.parquet").ParquetFile
        # A file mapped into memory would fill it.
        file = opened(where, page_checksum_verification=True, pre_buffer=False, buffer_size=2**20)
        for group in range(file.num_row_groups):
            for batch in file.iter_batches(batch_size=rows, row_groups=[group], columns=names):
                table = arrow.Table.from_batches([batch])
                for at, field in enumerate(table.schema):
                    inner = getattr(field.type, "value_type", field.type)
                    if numbered(field.type) or numbered(inner):
                        kind = inner if numbered(field.type) else arrow.list_(inner.value_type)
                        table = table.set_column(at, field.name, table.column(at).cast(kind))
                yield table


def read_footer(where: str) -> Arrow:
    """Read the metadata of a Parquet file: the numbers of its rows, and of its values by row group."""
    with parquet_explained(where):
        return import_pyarrow("pyarrow.parquet").read_metadata(where)


def open_parquet(source: LabelSource, names: list[str] | None = None) -> Arrow:
    """Open a Parquet file; refuse a file whose values exceed the size bound."""
    # The bytes that have been read; without any, the file is mapped into memory.
    arrow = import_pyarrow()
    raw = arrow.BufferReader(source.data) if source.data else arrow.memory_map(source.where)
    opened = import_pyarrow("pyarrow.parquet").ParquetFile(raw, page_checksum_verification=True)
    if names is None:
        return opened
    size = raw.size()
    length = int.from_bytes(raw.read_at(4, max(size - _TAIL, 0)), "little")
    values = values_in(raw.read_at(length, max(size - _TAIL - length, 0)), names)
    if _BYTES * values > size_limits().max_bytes:
        raise too_large(f"this Parquet file of {size:,} bytes declares {values:,} values, more than")
    return opened


@contextmanager
def parquet_explained(where: str, what: str = "read") -> Iterator[None]:
    """Raise pyarrow's errors as InputError."""
    with located(where):
        try:
            yield
        except OntoevalError:
            raise
        except (import_pyarrow().ArrowException, OSError, ValueError, KeyError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            problem = f"this Parquet file cannot be {what}: {reason[:200].rstrip('.')}"
            raise InputError(problem, "Fetch or write it again.") from error
