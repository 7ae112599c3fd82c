"""Lists of samples: which ones a run must speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontoeval.core.files import FilePath
from ontoeval.core.roles import SAMPLE, plain, sample_positions
from ontoeval.errors import InputError, listed
from ontoeval.labels.formats import Recognised
from ontoeval.labels.named_columns import rows_by_role
from ontoeval.labels.opening import is_array, is_parquet, read_label_source
from ontoeval.labels.parsing import parse
from ontoeval.labels.reading import Reading
from ontoeval.labels.recognition import recognised
from ontoeval.labels.tables import Source
from ontoeval.labels.text import is_json

_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
"""A line that is one field in quotes, as R and others write all texts."""


def read_samples(source: FilePath | Iterable[str]) -> tuple[str, ...]:
    """Read which samples there are."""
    if not isinstance(source, str | bytes) and isinstance(source, Iterable):
        return tuple(dict.fromkeys(map(str, source)))
    file = read_label_source(source)
    found = None if file.files or is_parquet(file) or is_array(file) else _listed(file)
    if found is None:
        form, rows = recognised(file)
        found = _samples_of(rows, form)
    return tuple(dict.fromkeys(found))


def _listed(file: Source) -> Iterable[str] | None:
    """Take a column of identifiers, or every line where there is but one column."""
    if is_json(file.data):
        return None
    fields = file.first(file.delimiter) if file.delimiter else [_unquoted(next(file.lines()))]
    if len(sample_positions(list(map(plain, fields)))) == 1:
        return [row["sample"] for _, row in rows_by_role(file, {"sample": SAMPLE})]
    try:
        recognised(file)
    except InputError as error:
        if len(fields) > 1:
            raise InputError(
                f"this is no list of samples: the first row is {listed(fields)}",
                "Write an identifier in each line, in double quotes where it holds a comma, a semicolon or a "
                "tab; or give a table with a column 'id', or any label file.",
                where=file.where,
            ) from error
        return [_unquoted(line) for line in file.lines() if line.strip()]
    return None


def _unquoted(line: str) -> str:
    quoted = _QUOTED.fullmatch(line.strip())
    return line.strip() if quoted is None else quoted[1].replace('""', '"').strip()


def _samples_of(rows: Source, form: Recognised) -> tuple[str, ...]:
    unnamed = form.format == "imageclef"  # which concepts the values stand for is of no account
    reading = Reading.of(None, {"concepts": list(map(str, range(form.values)))} if unnamed else {})
    try:
        return parse(rows, form, reading.wanted(scores=False)).samples
    except InputError:
        return parse(rows, form, reading.wanted(scores=True)).samples
