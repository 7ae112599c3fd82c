"""Tables as CSV, JSON and LaTeX, and on a terminal."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ontoeval.report.table import Cell, Table, is_number, written

if TYPE_CHECKING:
    from rich.console import RenderableType


def to_csv(table: Table) -> str:
    r"""Write a table as CSV, numbers in full; notes have no place there.

    Parameters
    ----------
    table
        Any table.

    Returns
    -------
    str
        One line per row, below the titles; what is undefined is left empty.

    Examples
    --------
    >>> from ontoeval.report.table import Column
    >>> to_csv(Table("", (Column("run"), Column("F", 3)), (("a", 1 / 3), ("b", None))))
    'run,F\na,0.3333333333333333\nb,\n'
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.title for column in table.columns])
    writer.writerows([["" if _undefined(cell) else cell for cell in row] for row in table.rows])
    return stream.getvalue()


def to_json(table: Table, **more: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Write a table as JSON, numbers in full.

    Parameters
    ----------
    table
        Any table.
    **more
        What is to stand beside the rows.

    Returns
    -------
    str
        An object with the title, the rows as objects, and the notes.

    Examples
    --------
    >>> from ontoeval.report.table import Column
    >>> json.loads(to_json(Table("Runs", (Column("run"),), (("a",),))))["rows"]
    [{'run': 'a'}]
    """
    rows = [
        {
            column.title: None if _undefined(cell) else cell
            for column, cell in zip(table.columns, row, strict=True)
        }
        for row in table.rows
    ]
    return as_json({"title": table.title, "rows": rows, "notes": list(table.notes), **more})


def as_json(content: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    r"""Write anything as JSON.

    Parameters
    ----------
    content
        What is to be written.

    Returns
    -------
    str
        Readable text, ending with its line.

    Examples
    --------
    >>> as_json({"a": 1})
    '{\n  "a": 1\n}\n'
    """
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def to_latex(table: Table) -> str:
    r"""Write a table for LaTeX with the booktabs package, the best numbers in bold.

    Parameters
    ----------
    table
        Any table.

    Returns
    -------
    str
        A table environment with a caption, which holds the notes.

    Examples
    --------
    >>> from ontoeval.report.table import Column
    >>> print(to_latex(Table("Runs", (Column("run"), Column("F", 2)), (("a_1", 0.5),))).splitlines()[7])
    a\_1 & 0.50 \\
    """
    numeric = [_is_numeric(table, which) for which in range(len(table.columns))]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{' '.join(map(_escaped, (f'{table.title}.', *table.notes)))}}}",
        rf"\begin{{tabular}}{{{''.join('r' if n else 'l' for n in numeric)}}}",
        r"\toprule",
        " & ".join(_escaped(column.title) for column in table.columns) + r" \\",
        r"\midrule",
    ]
    for position, row in enumerate(table.rows):
        cells = [
            rf"\textbf{{{_escaped(text)}}}" if table.is_best(position, column) else _escaped(text)
            for column, text in enumerate(table.text(row))
        ]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


FORMATS: dict[str, Callable[[Table], str]] = {"csv": to_csv, "json": to_json, "latex": to_latex}
"""Formats for programs and papers, by name."""


def on_terminal(table: Table, width: int = 80) -> RenderableType:
    """Make a table for a terminal, the best numbers in bold.

    Parameters
    ----------
    table
        Any table.
    width
        Characters in a line; columns that do not fit follow below, beside the first column again.

    Returns
    -------
    RenderableType
        What rich prints.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    blocks = [_block(table, columns, width) for columns in _fitting(table, width)]
    notes = [Padding(Text(note, style="yellow"), (0, 0, 0, 2)) for note in table.notes]
    return Group(Text(f"\n{table.title}", style="bold"), *blocks, *notes)


def _block(table: Table, columns: Sequence[int], width: int) -> RenderableType:
    """Make a table of some of the columns."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, show_header=any(table.columns[c].title for c in columns))
    for which in columns:
        numeric = _is_numeric(table, which)
        # Words may be folded, numbers not.
        shown.add_column(
            Text(_heading(table, which)),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric,
            min_width=_needed(table, which, width) if numeric or which == 0 else None,
        )
    texts = [table.text(row) for row in table.rows]
    for row in range(len(table.rows)):
        cells = (Text(texts[row][c], style="bold green" * table.is_best(row, c)) for c in columns)
        shown.add_row(*cells)
    return shown


def _fitting(table: Table, width: int) -> list[list[int]]:
    """Deal the columns out to tables that are no wider than a line, each with the first column."""
    gap = 3  # what rich puts between two columns of this kind of table
    needed = [gap + _needed(table, which, width) for which in range(len(table.columns))]
    blocks: list[list[int]] = [[0]]
    for which in range(1, len(needed)):
        if len(blocks[-1]) > 1 and sum(needed[c] for c in blocks[-1]) + needed[which] > width:
            blocks.append([0])
        blocks[-1].append(which)
    return blocks


def _needed(table: Table, which: int, width: int) -> int:
    """How wide a column must be: numbers are not folded, words not to less than is readable."""
    heading = max(map(len, _heading(table, which).splitlines()), default=0)
    longest = max((len(written(row[which], table.columns[which].digits)) for row in table.rows), default=0)
    wanted = max(heading, longest)
    if _is_numeric(table, which):
        return wanted
    return min(wanted, width // 2 if which == 0 else 20)


def _heading(table: Table, which: int) -> str:
    """Write a column's title over two lines where it is the long notation of a measure."""
    title = table.columns[which].title
    return title.replace("(", "\n(") if _is_numeric(table, which) else title


def _is_numeric(table: Table, which: int) -> bool:
    return any(is_number(row[which]) for row in table.rows)


def heatmap_width(rows: Sequence[str], columns: Sequence[str]) -> int:
    """Tell how wide a heatmap gets.

    Parameters
    ----------
    rows
        Names of the rows.
    columns
        Names of the columns.

    Returns
    -------
    int
        Characters.

    Examples
    --------
    >>> heatmap_width(["a", "bc"], ["a", "bc"])
    20
    """
    names = max((len(_both(row, column)) for row, column in zip(rows, columns, strict=True)), default=0)
    cell, margin = 4, 10
    return names + cell * len(columns) + margin


def _both(row: str, column: str) -> str:
    """Name a row, and the column of the same number where that is called otherwise."""
    return written(row if row == column else f"{row} / {column}")


def heatmap(title: str, rows: Sequence[str], columns: Sequence[str], shares: Any) -> RenderableType:  # noqa: ANN401 - an array
    """Make a matrix of shares for a terminal: the darker, the more.

    Parameters
    ----------
    title
        What the matrix shows.
    rows
        Names of the rows.
    columns
        Names of the columns.
    shares
        Numbers in [0, 1], one row per row.

    Returns
    -------
    RenderableType
        What rich prints; columns are numbered, and rows numbered alike carry the names.
    """
    from rich import box
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, padding=0)
    shown.add_column("")
    shown.add_column("")
    for number in range(len(columns)):
        shown.add_column(f"{number + 1:>3}", justify="right")
    for number, (name, line) in enumerate(zip(rows, shares, strict=True)):
        shown.add_row(
            f"{number + 1:>3} ",
            Text(_both(name, columns[number]) + " "),
            *(_shaded(float(share)) for share in line),
        )
    return Group(Text(f"\n{title}", style="bold"), shown)


def _shaded(share: float) -> RenderableType:
    from rich.text import Text

    if share <= 0:
        return Text("  ·", style="dim")
    level = 235 + round(20 * min(share, 1.0))  # the terminal's 256 colours end in a scale of greys
    style = f"{'black' if share > 0.5 else 'white'} on color({level})"  # noqa: PLR2004 - readable on both
    return Text(f"{min(99, round(100 * share)):>3}" if share < 1 else "100", style=style)


def _undefined(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _escaped(text: str) -> str:
    special = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{c: rf"\{c}" for c in "&%$#_{}"},
    }
    return "".join(special.get(c, c) for c in text)
