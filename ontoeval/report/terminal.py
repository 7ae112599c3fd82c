"""Tables and heatmaps on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ontoeval.report.formats import is_numeric
from ontoeval.report.table import Table, written

if TYPE_CHECKING:
    from rich.console import RenderableType

GAP = 3
"""What rich puts between two columns of the kind of table that is made here."""

READABLE, SHORT = 20, 4
"""To how many characters words are folded at most, and what names a row where there is little room."""


def on_terminal(table: Table, width: int = 80) -> RenderableType:
    """Make a table for a terminal, the best numbers in bold.

    Parameters
    ----------
    table
        Any table.
    width
        Characters in a line; columns that do not fit follow below, beside those that name the rows again.

    Returns
    -------
    RenderableType
        What rich prints.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    widths = _widths(table, width)
    blocks = [_block(table, columns, widths, width) for columns in _fitting(table, widths, width)]
    notes = [Padding(Text(written(note), style="yellow"), (0, 0, 0, 2)) for note in table.notes]
    heads = [Text(written(table.head))] if table.head else []
    return Group(Text(f"\n{written(table.title)}", style="bold"), *heads, *blocks, *notes)


def _block(table: Table, columns: Sequence[int], widths: Sequence[int], width: int) -> RenderableType:
    """Make a table of some of the columns."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, show_header=any(table.columns[c].title for c in columns))
    fits = sum(GAP + widths[which] for which in columns) <= width
    for which in columns:
        numeric = is_numeric(table, which)
        # Words may be folded, numbers not; where even one column of them is wider than the line, they are
        # folded between their parts: whatever does not fit must not be cut off.
        longest = widths[which] if fits else max(map(len, " ".join(_texts(table, which)).split()), default=0)
        shown.add_column(
            Text(_heading(table, which)),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric and fits,
            min_width=longest if numeric else widths[which] if which < table.keys and fits else None,
        )
    texts = [table.text(row) for row in table.rows]
    for row in range(len(table.rows)):
        cells = (Text(texts[row][c], style="bold green" * table.is_best(row, c)) for c in columns)
        shown.add_row(*cells)
    return shown


def _fitting(table: Table, widths: Sequence[int], width: int) -> list[list[int]]:
    """Deal the columns out to tables that are no wider than a line, each with those that name the rows."""
    needed = [GAP + wide for wide in widths]
    named = list(range(min(table.keys, len(needed))))
    blocks = [named]
    for which in range(len(named), len(needed)):
        if len(blocks[-1]) > len(named) and sum(needed[c] for c in blocks[-1]) + needed[which] > width:
            blocks.append(named)
        blocks[-1] = [*blocks[-1], which]
    return blocks


def _widths(table: Table, width: int) -> list[int]:
    """Tell how wide columns must be: numbers are not folded, words not to less than is readable.

    What names the rows shares what the widest of the other columns leaves of a line.
    """
    widths = [
        max(map(len, (*_heading(table, which).splitlines(), *_texts(table, which))), default=0)
        for which in range(len(table.columns))
    ]
    worded = [which for which in range(len(widths)) if not is_numeric(table, which)]
    for which in worded:
        widths[which] = min(widths[which], READABLE if which >= table.keys else width)
    names = sorted((which for which in worded if which < table.keys), key=lambda which: widths[which])
    numbered = sum(GAP + widths[which] for which in range(min(table.keys, len(widths))) if which not in names)
    room = width - numbered - GAP - max(widths[table.keys :], default=0)
    for place, which in enumerate(names):  # what the short ones leave is for the long ones
        widths[which] = min(widths[which], max(SHORT, room // (len(names) - place) - GAP))
        room -= GAP + widths[which]
    return widths


def _texts(table: Table, which: int) -> list[str]:
    return [written(row[which], table.columns[which].digits) for row in table.rows]


def _heading(table: Table, which: int) -> str:
    """Write a column's title over two lines where it is the long notation of a measure."""
    title = written(table.columns[which].title)
    return title.replace("(", "\n(") if is_numeric(table, which) else title


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
