"""Tables as CSV, JSON, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from ontoeval.core.names import DisplayedName, JoinedNames
from ontoeval.core.table import DIGITS, Cell, Column, Estimate, Table, cell_text, is_number, score_of_cell
from ontoeval.plumbing.checks import requires


def table_of(
    title: str,
    titles: Iterable[str],
    rows: Iterable[Iterable[Any]],
    *,
    digits: int = DIGITS,
    own: Mapping[str, int | None] | None = None,
    notes: Iterable[str] = (),
    keys: int = 1,
) -> Table:
    """Put rows below titles: columns with fractions have so many digits, or their own."""
    cells = tuple(map(tuple, rows))
    fractions = {at for row in cells for at, cell in enumerate(row) if isinstance(cell, float | Estimate)}
    chosen = ((name, digits if at in fractions else None) for at, name in enumerate(titles))
    columns = (Column(name, (own or {}).get(name, usual)) for name, usual in chosen)
    return Table(title, tuple(columns), cells, tuple(notes), keys)


def to_csv(table: Table) -> str:
    """Write a table as CSV, numbers in full; notes have no place there."""
    table = explode_estimates(for_programs(table))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.title for column in table.columns])
    writer.writerows([["" if _undefined(cell) else cell for cell in row] for row in table.rows])
    return stream.getvalue()


def explode_estimates(table: Table) -> Table:
    """Give the parts of estimates columns of their own."""
    columns: list[Column] = []
    parts: list[list[Cell]] = [[] for _ in table.rows]
    for which, column in enumerate(table.columns):
        cells = [row[which] for row in table.rows]
        columns.append(column)
        if not any(isinstance(cell, Estimate) for cell in cells):
            for part, cell in zip(parts, cells, strict=True):
                part.append(cell)
            continue
        columns += [replace(column, title=f"{column.title} {bound}", best=None) for bound in ("low", "high")]
        grouped = _grouped(table, which)
        columns += [Column(f"{column.title} group")] * grouped
        for part, cell in zip(parts, cells, strict=True):
            if isinstance(cell, Estimate):
                part.extend((cell.value, cell.low, cell.high, *[cell.mark] * grouped))
            else:
                part.extend((cell, None, None, *[None] * grouped))
    return replace(table, columns=tuple(columns), rows=tuple(map(tuple, parts)))


def for_programs(table: Table) -> Table:
    """Give labels, ranks that runs may have and kinds of runs columns; put baselines behind runs."""
    table = with_rank_ends(with_labels(replace(table, rows=tuple(table.best_first))))
    at = next((at for at, column in enumerate(table.columns, 1) if column.title == "run"), 1)
    kinds = [getattr(row[at - 1], "kind", None) for row in table.rows]
    runs = kinds and None not in kinds
    return table.inserted(at, ["kind"], ([one or "run"] for one in kinds)) if runs else table


def with_labels(table: Table) -> Table:
    """Put a column of labels behind each column of concepts where any label differs, for programs.

    It is called "label" in a table with one column of concepts, else after its column; matrices have names
    alone.
    """
    if any(isinstance(column.title, DisplayedName) for column in table.columns):
        return table
    found: dict[int, list[str]] = {}
    differs = False
    for which in range(len(table.columns)):
        cells = [row[which] for row in table.rows]
        named = [one for one in cells if isinstance(one, DisplayedName) and not isinstance(one, JoinedNames)]
        if named:
            found[which] = [cell.label if isinstance(cell, DisplayedName) else "" for cell in cells]
            differs = differs or any(cell.label != cell for cell in named)
    if not differs:
        return table
    alone = len(found) == 1 and "label" not in {column.title for column in table.columns}
    columns = list(table.columns)
    rows: list[list[Cell]] = [list(row) for row in table.rows]
    for which, labels in reversed(found.items()):
        columns.insert(which + 1, Column("label" if alone else f"{columns[which].title} label"))
        for row, label in zip(rows, labels, strict=True):
            row.insert(which + 1, label)
    keys = table.keys + sum(which < table.keys for which in found)
    return replace(table, columns=tuple(columns), rows=tuple(map(tuple, rows)), keys=keys)


def with_rank_ends(table: Table) -> Table:
    """Put the ranks that runs may have into columns of their own, for programs."""
    titles = [column.title for column in table.columns]
    at = titles.index("rank") + 1 if "rank" in titles else 1
    ends = [getattr(row[at - 1], "ends", (0, 0)) for row in table.rows]
    if not any(map(any, ends)):
        return table
    cells = ([end or None for end in own] for own in ends)
    return table.inserted(at, ["best rank", "worst rank"], cells)


def to_json(table: Table, **more: object) -> str:
    """Write a table as JSON, numbers in full."""
    table = for_programs(table)
    grouped = [_grouped(table, which) for which in range(len(table.columns))]
    rows = [
        {
            column.title: _for_json(cell, grouped=by)
            for column, cell, by in zip(table.columns, row, grouped, strict=True)
        }
        for row in table.rows
    ]
    return as_json({"title": table.title, "rows": rows, "notes": list(table.caption), **more})


def as_json(content: object) -> str:
    """Write anything as JSON."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def to_latex(table: Table) -> str:
    """Write a table for LaTeX with the booktabs package, the best numbers in bold; the notes stand below."""
    said = [cell_text(text) for text in table.caption]
    sentences = [text if text.endswith((".", "!", "?")) else f"{text}." for text in said]
    numeric = [is_numeric(table, which) for which in range(len(table.columns))]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped(cell_text(table.title))}}}",
        rf"\begin{{tabular}}{{{''.join('r' if n else 'l' for n in numeric)}}}",
        r"\toprule",
        _row(_escaped(cell_text(column.title)) for column in table.columns),
        r"\midrule",
    ]
    for position, row in enumerate(table.rows):
        cells = (
            _in_latex(cell, table.digits[column], best=table.is_best(position, column))
            for column, cell in enumerate(row)
        )
        lines.append(_row(cells))
    lines += [r"\bottomrule", r"\end{tabular}"]
    if sentences:
        note = r"\begin{minipage}{\linewidth}\footnotesize"
        lines += [r"\par\smallskip", note, " ".join(map(_escaped, sentences)), r"\end{minipage}"]
    lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def to_markdown(table: Table) -> str:
    """Write a table in GitHub's Markdown, the best numbers in bold; the notes follow it."""
    rows = [
        [
            f"**{text}**" if table.is_best(position, column) else in_markdown(text)
            for column, text in enumerate(table.text(row))
        ]
        for position, row in enumerate(table.rows)
    ]
    sides = ["---:" if is_numeric(table, which) else "---" for which in range(len(table.columns))]
    lines = [[in_markdown(cell_text(column.title)) for column in table.columns], sides, *rows]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    head = f"{in_markdown(cell_text(table.head))}\n\n" if table.head else ""
    return head + text + "".join(f"\n{in_markdown(cell_text(note))}\n" for note in table.notes)


_PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?")


def to_excel(text: str) -> bytes:
    """Write a table, as CSV has it, for Excel: numbers in full, and no text as a formula."""
    stream = io.BytesIO()
    with requires("xlsxwriter", "excel", "Writing for Excel").Workbook(stream) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001 - the same table is the same file
        sheet = book.add_worksheet()
        for at, row in enumerate(csv.reader(io.StringIO(text))):
            for column, cell in enumerate(row):
                number = _PLAIN_NUMBER.fullmatch(cell) and float(cell)
                write = sheet.write_string if number is None else sheet.write_number
                write(at, column, cell if number is None else number)
    return stream.getvalue()


FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "json": to_json,
    "latex": to_latex,
    "markdown": to_markdown,
}
"""Formats for programs and papers, by name."""


def is_numeric(table: Table, which: int) -> bool:
    """Check for numbers in a column."""
    return any(is_number(score_of_cell(row[which])) for row in table.rows)


def _grouped(table: Table, which: int) -> bool:
    return any(isinstance(cell, Estimate) and cell.mark for cell in (row[which] for row in table.rows))


def _for_json(cell: Cell, *, grouped: bool = False) -> object:
    if isinstance(cell, Estimate):
        numbers = {"value": cell.value, "low": cell.low, "high": cell.high}
        group = {"group": cell.mark} if grouped else {}
        return {name: _for_json(number) for name, number in numbers.items()} | group
    return None if _undefined(cell) or (isinstance(cell, float) and math.isinf(cell)) else cell


def _undefined(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _row(cells: Iterable[str]) -> str:
    """Join cells; what ends the row above would take a bracket or a star at the beginning as its option."""
    line = " & ".join(cells) + r" \\"
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def _in_latex(cell: Cell, digits: int | None, *, best: bool) -> str:
    value = _escaped(cell_text(score_of_cell(cell), digits))
    value = rf"\textbf{{{value}}}" if best else value
    if not isinstance(cell, Estimate):
        return value
    mark = rf"\textsuperscript{{{_escaped(cell.mark)}}}" if cell.mark else ""
    bounds = f"[{cell_text(cell.low, digits)}, {cell_text(cell.high, digits)}]"
    return rf"{value}{mark} {{\footnotesize {_escaped(bounds)}}}"


def in_markdown(text: str) -> str:
    """Escape what Markdown would take for marks."""
    return re.sub(r"([\\|*_`<\[~$&@])", r"\\\1", text)


def _escaped(text: str) -> str:
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "∞": r"$\infty$",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{c: rf"\{c}" for c in "&%$#_{}"},
    }
    return "".join(special.get(c, c) for c in text)
