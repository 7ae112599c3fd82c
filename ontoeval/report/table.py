"""Table: columns, rows and notes, which every format is written from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from ontoeval.choices import Best


@dataclass(frozen=True)
class Estimate:
    """A score with its uncertainty, in one cell.

    Parameters
    ----------
    value
        The score.
    low, high
        Bounds of its interval.
    mark
        Letters of the groups of runs that it does not differ from.
    """

    value: float
    low: float
    high: float
    mark: str = ""


Cell = str | int | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title
        What stands above it.
    digits
        Decimals of its numbers; None stands for counts.
    best
        Which of its numbers is best and is set off: "highest", "lowest", or neither.
    mixed
        Whether its numbers count different things, so that each has its own decimals.
    """

    title: str
    digits: int | None = None
    best: Best | None = None
    mixed: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of texts and numbers.

    Parameters
    ----------
    title
        What the table shows.
    columns
        Its columns.
    rows
        One cell per column; None and nan are undefined.
    notes
        What a reader should know.
    keys
        How many columns, from the first on, name a row: they are repeated where a table is cut.
    aside
        Positions of rows that do not compete, such as baselines: none of their numbers is best.
    head
        The sentence that is to be read first, above the rows.

    Examples
    --------
    >>> table = Table("Runs", (Column("run"), Column("F", 3, "highest")), (("a", 0.5), ("b", 0.75)))
    >>> table.text(table.rows[0]), table.is_best(1, 1)
    (('a', '0.500'), True)
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    keys: int = 1
    aside: frozenset[int] = frozenset()
    head: str = ""

    @property
    def said(self) -> tuple[str, ...]:
        """The head and the notes, for formats that have one place for both."""
        return (self.head, *self.notes) if self.head else self.notes

    def text(self, row: Sequence[Cell]) -> tuple[str, ...]:
        """Write the cells of a row as texts.

        Parameters
        ----------
        row
            A row.

        Returns
        -------
        tuple of str
            Texts; an undefined number is a dash.
        """
        return tuple(written(cell, digits) for cell, digits in zip(row, self.digits, strict=True))

    @cached_property
    def digits(self) -> tuple[int | None, ...]:
        """Decimals of each column: where it says none, two if any of its numbers is a fraction."""
        fractions = [any(_is_fraction(row[which]) for row in self.rows) for which in range(len(self.columns))]
        return tuple(
            2 if column.digits is None and fraction and not column.mixed else column.digits
            for column, fraction in zip(self.columns, fractions, strict=True)
        )

    def is_best(self, row: int, column: int) -> bool:
        """Tell whether a cell holds the best number of its column, ties included.

        Parameters
        ----------
        row
            Position of the row.
        column
            Position of the column.

        Returns
        -------
        bool
            Whether it does, to the digits that are shown; never in a table of one row, nor in one set aside.
        """
        best, cell = self._best[column], plain(self.rows[row][column])
        alone = len(self.rows) - len(self.aside) == 1
        if best is None or alone or row in self.aside or not is_number(cell):
            return False
        return round(cell, self.columns[column].digits or 12) == best

    @cached_property
    def _best(self) -> tuple[float | None, ...]:
        """The best number of each column, if one is."""
        rows = [one for place, one in enumerate(self.rows) if place not in self.aside]
        found: list[float | None] = []
        for which, column in enumerate(self.columns):
            shown = (plain(one[which]) for one in rows if column.best is not None)
            numbers = [round(cell, column.digits or 12) for cell in shown if is_number(cell)]
            found.append((max if column.best == "highest" else min)(numbers, default=None))
        return tuple(found)


def plain(cell: Cell) -> str | int | float | None:
    """Take the score of a cell without its uncertainty.

    Parameters
    ----------
    cell
        A cell.

    Returns
    -------
    str, int, float or None
        What it holds.

    Examples
    --------
    >>> plain(Estimate(0.5, 0.4, 0.6)), plain("a")
    (0.5, 'a')
    """
    return cell.value if isinstance(cell, Estimate) else cell


def is_number(cell: Cell) -> TypeGuard[int | float]:
    """Tell a defined number from a text and from what is undefined.

    Parameters
    ----------
    cell
        A cell.

    Returns
    -------
    bool
        Whether it is a number other than nan.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(float("nan"))
    (True, False, False)
    """
    return isinstance(cell, int | float) and not math.isnan(cell)


def _is_fraction(cell: Cell) -> bool:
    """Whether the two decimals of a number would be others than 00."""
    return is_number(cell := plain(cell)) and math.isfinite(cell) and round(cell, 2) != round(cell)


def written(cell: Cell, digits: int | None = None) -> str:
    r"""Write a cell as a text.

    Parameters
    ----------
    cell
        A cell.
    digits
        Decimals; None writes counts, and two decimals where they are fractions.

    Returns
    -------
    str
        The text; a dash for what is undefined; control characters are shown as escapes.

    Examples
    --------
    >>> written(0.25, 3), written(None), written("a" + chr(27))
    ('0.250', '–', 'a\\x1b')
    >>> written(Estimate(0.25, 0.2, 0.3, "ab"), 2)
    '0.25 [0.20, 0.30] ab'
    """
    if isinstance(cell, Estimate):
        value, low, high = (written(number, digits) for number in (cell.value, cell.low, cell.high))
        bounds = "" if low == high == "–" else f" [{low}, {high}]"
        return f"{value}{bounds}{' ' * bool(cell.mark)}{cell.mark}"
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, str):
        # A label from a file must not steer the terminal, nor break a line of a table.
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cell)
    if digits is None:
        digits = 2 * _is_fraction(cell)
    return f"{cell:,.{digits}f}"


def clipped(name: str, longest: int | None) -> str:
    """Write a name as a text that is not too long: names of runs often differ at their ends alone.

    Parameters
    ----------
    name
        Any text.
    longest
        Characters that are left of it; None cuts nothing.

    Returns
    -------
    str
        The text, without its middle where it is too long; control characters are shown as escapes.

    Examples
    --------
    >>> clipped("a very long name", 10)
    'a very …me'
    """
    shown = written(name)
    if longest is None or len(shown) <= longest:
        return shown
    end = (longest - 1) // 4
    return f"{shown[: longest - 1 - end]}…{shown[len(shown) - end :]}"
