"""Label files with some rows that cannot be read: all of these rows, and what the others say."""

from __future__ import annotations

import re
from dataclasses import replace

from ontoeval.errors import InputError
from ontoeval.io.entries import Entries
from ontoeval.io.formats import PARQUET, Recognised
from ontoeval.io.parsing import Wanted, parse
from ontoeval.io.tables import Source

MOST = 100
"""How many rows are left out at most before the rest of a file is given up."""

_WORK = 5_000_000
"""How many lines are parsed at most, again and again: of large files fewer rows are left out."""

_LINE = re.compile(rb"\r\n|\r|\n")


def parse_what_can_be(
    rows: Source, form: Recognised, wanted: Wanted
) -> tuple[Entries | None, list[InputError]]:
    r"""Parse a file without the rows that are refused.

    Whatever reads the format refuses one row after the other; each is blanked, and the file parsed again.
    So all rows are judged by the very rules by which the file is read.

    Parameters
    ----------
    rows
        The file, from behind its header on.
    form
        Its format.
    wanted
        What is wanted of it.

    Returns
    -------
    entries : Entries or None
        What the other rows say; None where something is wrong that lies in no row, or in too many.
    refused : list of InputError
        What is wrong, with one row each where it lies in one.

    Examples
    --------
    >>> rows = Source("memory", b"id,labels\np1,sky\np1,sea\np2,sky,sea\np3,sky\n", "", begin=10, line=2)
    >>> form = Recognised("wide", ",", ("id", "labels"), concept=1)
    >>> entries, refused = parse_what_can_be(rows, form, Wanted())
    >>> entries.samples, [error.row for error in refused]
    (('p1', 'p3'), [4, 3])
    """
    refused: list[InputError] = []
    starts: list[int] = []
    while True:
        try:
            return parse(rows, form, wanted), refused
        except InputError as error:
            refused.append(_in_row(error, rows.where))
        starts = starts or [0, *(match.end() for match in _LINE.finditer(rows.data)), len(rows.data)]
        row = refused[-1].row
        if row is None or row < rows.line or form.delimiter == PARQUET:
            return None, refused
        if len(refused) >= max(1, min(MOST, _WORK // len(starts))):
            refused.append(InputError("what follows was not looked at", "Correct these rows first."))
            return None, refused
        end = row
        while form.delimiter is not None and end < len(starts) - 1:
            if rows.data.count(b'"', starts[row - 1], starts[end]) % 2 == 0:
                break
            end += 1  # a quoted field goes on
        record = rows.data[starts[row - 1] : starts[end]]
        if not record.strip():
            return None, refused
        blank = re.sub(rb"[^\r\n]", b" ", record)
        rows = replace(rows, data=rows.data[: starts[row - 1]] + blank + rows.data[starts[end] :])


def _in_row(error: InputError, where: str) -> InputError:
    """Tell the row of an error that names it with the file, as those about records do."""
    named = re.match(rf"{re.escape(where)}, row ([\d,]+): ", str(error))
    row = int(named[1].replace(",", "")) if named else error.row
    return InputError(error.problem, error.remedy, where=where, row=row)
