"""Patching: the text of a corrected file, in which whatever is not corrected stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.copying import CopiedRows
from ontoeval.audit.patched_long import one_label_each
from ontoeval.audit.patched_rows import Labels, Values
from ontoeval.audit.placing import Wanted
from ontoeval.audit.written import LINE_END, Original, Written
from ontoeval.core.atomic import text_file
from ontoeval.core.csr import choose_entries, without
from ontoeval.core.encodings import MARK
from ontoeval.labels.edits import Edit, RawRow, edited
from ontoeval.labels.formats import Recognised
from ontoeval.labels.write import Rows

_ROWS = 50_000
"""How many rows are compared at once."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with some rows corrected."""

    original: Original
    form: Recognised
    edits: Callable[[], Iterator[Edit]]
    gone: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        """Write the corrected text."""
        with text_file(path) as file:
            file.write(_header(self.original.head, self.form, self.gone))
            file.writelines(edited(self.original.rows, self.form.delimiter, self.edits()))
            file.write(self.original.tail)


def patch_of(
    written: Written, copied: CopiedRows, final: Rows, called: Mapping[str, str], separator: str | None
) -> Patch | None:
    """Correct the text of a file."""
    original, form = written.original, written.form
    if original is None or form is None:
        return None
    new = set(final.vocabulary) - set(written.spellings)
    if form.delimiter is None and any(text.split() != [text] for text in new):
        return None
    kept = np.unique(copied.group, return_index=True)[1]
    once = copied.once[copied.sample]
    gone = _merged(written.spellings, final, called) if form.format == "columns" else ()
    changed = np.arange(kept.size) if gone else _changed(written, kept, once, final)
    wanted = Wanted(form, final, called, once, changed)
    if form.format in {"long", "cafa"}:
        return Patch(original, form, partial(one_label_each, wanted, original))
    change: Callable[[int, str], str] | None = None
    if form.format in {"columns", "imageclef"} and not new:
        place = {text: number for number, text in enumerate(written.spellings, 1)}
        change = Values(wanted, place, original, tuple(place[text] for text in gone))
    if form.format == "wide":
        change = Labels.of(wanted, new, separator)
    if change is None:
        return None
    return Patch(original, form, partial(_by_row, written, kept, wanted, change), gone)


def _merged(columns: tuple[str, ...], final: Rows, called: Mapping[str, str]) -> tuple[str, ...]:
    """List the columns that no sample bears any more, and whose concept another column has."""
    own: dict[str, str] = {}
    for text in sorted(columns, key=lambda text: text not in final.vocabulary):
        own.setdefault(called.get(text, text), text)
    kept = {*own.values(), *final.vocabulary}
    return tuple(text for text in columns if text not in kept)


def _header(head: str, form: Recognised, gone: tuple[str, ...]) -> str:
    """Leave columns out of what stands before the rows, of which the last names the columns."""
    if not gone:
        return head
    begins = [len(MARK) * head.startswith(MARK), *(found.end() for found in LINE_END.finditer(head))]
    rows = ((begin, RawRow(head[begin:], form.delimiter)) for begin in reversed(begins))
    begin, row = next(one for one in rows if len(one[1].spans) == len(form.header))
    return head[:begin] + row.without(form.header.index(name, 1) for name in gone)


def _changed(
    written: Written, kept: NDArray[np.intp], once: NDArray[np.bool_], final: Rows
) -> NDArray[np.intp]:
    """List the rows that do not hold what they are to hold, or some of it twice."""
    column = np.array([final.vocabulary.index.get(text, -1) for text in written.spellings], dtype=np.int32)
    differ = [np.empty(0, dtype=np.intp)]
    for begin in range(0, kept.size, _ROWS):
        now = final.matrix[begin : begin + _ROWS]
        before = written.matrix[kept[begin : begin + _ROWS]]
        still = choose_entries(before, column[before.indices] >= 0)
        same = sparse.csr_array((still.data, column[still.indices], still.indptr), shape=now.shape)
        # What is new, what is gone, and what is called otherwise.
        lengths = [
            np.diff(matrix.indptr) for matrix in (without(now, same), without(same, now), before, still)
        ]
        differ.append(lengths[0] + lengths[1] + lengths[2] - lengths[3])
    repeated = 0 if written.repeats is None else np.diff(written.repeats.labels.indptr)[kept] * once
    return np.flatnonzero(np.concatenate(differ) + repeated)


def _by_row(
    written: Written, kept: NDArray[np.intp], wanted: Wanted, change: Callable[[int, str], str]
) -> Iterator[Edit]:
    """Correct files with all labels of a sample in one row."""
    begins = np.asarray(written.starts).tolist()
    numbers = dict(zip(kept[wanted.changed].tolist(), wanted.changed.tolist(), strict=True))
    gone = np.setdiff1d(np.arange(len(written.rows)), kept).tolist()
    for place in sorted([*numbers, *gone]):
        yield Edit(begins[place], partial(change, numbers[place]) if place in numbers else _nothing)


def _nothing(_: str) -> str:
    return ""
