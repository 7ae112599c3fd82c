"""Tables of pyarrow, whose columns are typed: read without a loop over their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.extras import requires
from ontoeval.errors import InputError
from ontoeval.labels.blocks import Block, entries_of_blocks
from ontoeval.labels.codebook import Codebook, first_met, newcomers
from ontoeval.labels.entries import Entries, entries_of, nameless, one_row_each
from ontoeval.labels.formats import Recognised
from ontoeval.labels.records import refuse_values
from ontoeval.labels.separators import Known
from ontoeval.labels.wide import entries_of_fields

Kind = Literal["text", "number", "texts", "numbers", "other"]
"""What a column holds: one in each row, or a list."""

LISTS = frozenset({"texts", "numbers"})
"""The kinds of columns that hold a list in each row."""

_ROWS = 20_000
"""How many rows of numbers are looked at at once."""


def entries_of_table(
    table: Any,  # noqa: ANN401 - a table of pyarrow
    form: Recognised,
    where: str,
    *,
    scores: bool,
    row: int = 1,
    separator: str | None = None,
    known: Known | None = None,
) -> Entries:
    """Take the entries from a table of pyarrow."""
    if not len(table):
        raise InputError("there is no row in this table", "Write one.", where=where)
    if form.format == "columns":
        names = form.header[1:]
        blocks = _blocks(table, form, where, row)
        return entries_of_blocks(blocks, names, ["the header"] * len(names), where, scores=scores)
    if form.format == "wide" and kind_of(table[form.header[form.concept or 0]].type) == "text":
        columns = [form.sample, form.concept or 0, *([] if form.score is None else [form.score])]
        samples, fields, *given = (_texts(table[form.header[n]], form.header[n], where) for n in columns)
        return entries_of_fields(
            where,
            range(row, row + len(samples)),
            samples,
            fields,
            given[0] if given else None,
            separator=separator,
            known=known,
        )
    return _long_or_lists(table, form, where, row)


def _long_or_lists(table: Any, form: Recognised, where: str, row: int) -> Entries:  # noqa: ANN401
    compute = arrow("pyarrow.compute")
    concept = table[form.header[form.concept or 0]]
    score = None if form.score is None else table[form.header[form.score]]
    owner = np.arange(len(table), dtype=np.int32)
    if kind_of(concept.type) in LISTS:
        _refuse_values(concept, where)
        owner = np.repeat(owner, _lengths(concept))
        if score is not None and not np.array_equal(_lengths(score), _lengths(concept)):
            raise InputError(
                "a list of labels and one of scores that differ in length",
                "Give each label one.",
                where=where,
            )
        concept = compute.list_flatten(concept)
        score = None if score is None else compute.list_flatten(score)
        names = _texts(table[form.header[form.sample]], form.header[form.sample], where)
        starts = np.arange(row, row + len(names))
        samples: Sequence[str] = one_row_each(where, names, starts.tolist())
        sample = owner
    else:
        samples, sample = _codes(table[form.header[form.sample]], where)
        if "" in samples:
            raise nameless(where, row + int(np.argmax(sample == samples.index(""))))
        starts = row + newcomers(sample)
    spellings, code = _codes(concept, where)
    values = None if score is None else _numbers(score, form.header[form.score or 0], where)
    if values is not None:
        # Where there is no label there is no score, and the other way round.
        blank = spellings.index("") if "" in spellings else -1
        bad = np.flatnonzero(np.isfinite(values) != (code != blank))
        if bad.size:
            raise InputError(
                f"the score of {spellings[code[bad[0]]]!r} is {values[bad[0]]:g}",
                "Give each label a finite number.",
                where=where,
                row=row + int(owner[bad[0]]),
            )
    return entries_of(
        samples,
        spellings,
        sample,
        code,
        place=lambda entry: f"row {row + int(owner[entry]):,}",
        values=values,
        lines=None if values is None else row + owner,
        starts=starts.astype(np.int32),
        several_rows=kind_of(table[form.header[form.concept or 0]].type) not in LISTS,
    )


def _refuse_values(column: Any, where: str) -> None:  # noqa: ANN401 - a column of pyarrow
    """Refuse lists that hold 0 or 1 for each concept, as `refuse_values` does elsewhere."""
    if kind_of(column.type) == "numbers":
        refuse_values(column.slice(0, _ROWS).to_pylist(), where)


def _blocks(table: Any, form: Recognised, where: str, row: int) -> Iterator[Block]:  # noqa: ANN401
    for begin in range(0, len(table), _ROWS):
        part = table.slice(begin, _ROWS)
        columns = [_numbers(part[name], name, where) for name in form.header[1:]]
        lines = range(row + begin, row + begin + len(part))
        yield Block(lines, _texts(part[form.header[0]], form.header[0], where), np.column_stack(columns))


def kind_of(kind: Any) -> Kind:  # noqa: ANN401 - a type of pyarrow
    """Tell what a column of some type holds."""
    types = arrow("pyarrow.types")
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return {"text": "texts", "number": "numbers"}.get(kind_of(kind.value_type), "other")  # type: ignore[return-value]
    if types.is_dictionary(kind):
        return kind_of(kind.value_type)
    if is_text(kind) or types.is_null(kind):  # null: of nothing else
        return "text"
    numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
    return "number" if numeric else "other"


def is_text(kind: Any) -> bool:  # noqa: ANN401 - a type of pyarrow
    """Tell whether a type is one of texts."""
    types = arrow("pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _codes(column: Any, where: str) -> tuple[Sequence[str], NDArray[np.int32]]:  # noqa: ANN401 - of pyarrow
    """Count the texts of a column up, in the order in which they are first met; nulls are empty texts."""
    types, compute = arrow("pyarrow.types"), arrow("pyarrow.compute")
    if types.is_null(column.type):
        column = column.cast(arrow().string())
    numbered = column if types.is_dictionary(column.type) else column.dictionary_encode()
    kind = numbered.type.value_type
    if kind_of(kind) == "other" or types.is_floating(kind) or types.is_boolean(kind):
        raise InputError(f"a column of {kind}", "Names of samples and concepts are texts.", where=where)
    whole = numbered.unify_dictionaries().combine_chunks()
    count = len(whole.dictionary)
    indices = compute.fill_null(whole.indices, count) if whole.null_count else whole.indices
    number = indices.to_numpy().astype(np.int32, copy=False)
    size = count + bool(whole.null_count)
    if number.size and not 0 <= number.min() <= number.max() < size:
        raise InputError("a dictionary of texts lacks entries", "Fetch or write it again.", where=where)
    code, order = first_met(number, size)
    names = whole.dictionary.cast(arrow().string())
    if whole.null_count or not isinstance(order, range):
        chosen = [None if number == count else number for number in order]
        names = names.take(arrow().array(chosen, type=arrow().int64()))
    stripped = [(name or "").strip() for name in names.to_pylist()]
    if len(set(stripped)) == len(stripped):
        return stripped, code
    book = Codebook()
    renumbered = book.codes(stripped)[code]
    return list(book), renumbered


def _texts(column: Any, name: str, where: str) -> list[str]:  # noqa: ANN401 - a column of pyarrow
    if kind_of(column.type) not in {"text", "number"}:
        raise InputError(f"column {name!r} holds {column.type}", "Name each sample by a text.", where=where)
    return ["" if text is None else text for text in column.cast(arrow().string()).to_pylist()]


def _numbers(column: Any, name: str, where: str) -> NDArray[np.float64]:  # noqa: ANN401 - a column of pyarrow
    if kind_of(column.type) != "number":
        raise InputError(f"column {name!r} holds {column.type}", "Write numbers.", where=where)
    values = column.cast(arrow().float64()).to_numpy()
    return np.asarray(values, dtype=np.float64)


def _lengths(column: Any) -> NDArray[np.intp]:  # noqa: ANN401 - a column of pyarrow
    compute = arrow("pyarrow.compute")
    lengths = compute.fill_null(compute.list_value_length(column), 0).to_numpy()
    return np.asarray(lengths, dtype=np.intp)


def arrow(module: str = "pyarrow") -> Any:  # noqa: ANN401 - a module
    """Import a module of pyarrow, or say which extra brings it."""
    return requires(module, "arrow", "Reading Parquet")
