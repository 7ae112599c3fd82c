"""Tables: columns, rows and notes, independent of the output format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from ontoeval.core.choices import Best
from ontoeval.core.names import DisplayedName, Show, shown_text
from ontoeval.core.showing import Shown, reports
from ontoeval.errors import pluralise

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TextType = TypeVar("_TextType")

DIGITS = 4
"""Decimals of scores."""


@dataclass(frozen=True)
class Estimate:
    """A score with its uncertainty, in one cell."""

    value: float
    low: float
    high: float
    mark: str = ""


class PValue(float):
    """A p-value, written with the digits that its resamples support."""

    resamples: int

    @classmethod
    def of(cls, value: float, resamples: int) -> PValue:
        """Take the share of so many resamples."""
        found = cls(value)
        found.resamples = resamples
        return found

    @property
    def text(self) -> str:
        """The number, of which the last digit is no smaller than two standard errors, nearly."""
        error = math.sqrt(max(self * (1 - self), 1 / self.resamples) / self.resamples)
        digits = max(round(-math.log10(2 * error)), 1)
        shown = f"{self:.{digits}f}"
        if float(shown) in {0, 1}:
            return f"> {1 - 10.0**-digits:g}" if self > 0.5 else f"< {10.0**-digits:g}"  # noqa: PLR2004
        return shown


class Rank(int):
    """A rank, written with the ranks that are possible."""

    text: str
    ends: tuple[int, int]


class RunName(str):
    """The name of a run; behind that of a baseline or oracle people read its kind."""

    __slots__ = ("kind",)
    kind: str


Cell = str | int | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    digits: int | None = None
    best: Best | None = None
    mixed: bool = False
    ranks: tuple[int | None, ...] = ()


@dataclass(frozen=True, repr=False)
class Table(Shown):
    """Rows of texts and numbers."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    keys: int = 1
    aside: frozenset[int] = frozenset()
    head: str = ""
    parts: tuple[Table, ...] = ()
    """The tables of which the rows are, where a person reads one below the other."""

    @property
    def _brief(self) -> str:
        return f"{self.title!r}, {pluralise(len(self.rows), 'row')}"

    def __str__(self) -> str:
        """Write the table as aligned text, with its notes."""
        return str(reports("on_terminal")(self)).strip("\n")

    @classmethod
    def from_columns(
        cls,
        title: str,
        columns: Mapping[str, Any],
        *,
        digits: int | None = DIGITS,
        notes: Iterable[str] = (),
        keys: int = 1,
    ) -> Table:
        """Make a table of columns; columns of fractions have `digits` decimals."""
        fractions = {name for name, cells in columns.items() if getattr(cells, "dtype", "") == "float64"}
        titles = (Column(name, digits if name in fractions else None) for name in columns)
        cells = (cells.tolist() if hasattr(cells, "dtype") else cells for cells in columns.values())
        return cls(title, tuple(titles), tuple(zip(*cells, strict=True)), tuple(notes), keys)

    @classmethod
    def from_matrix(
        cls,
        title: str,
        corner: str,
        rows: Iterable[str],
        columns: Iterable[str],
        values: NDArray[Any],
        *,
        digits: int = DIGITS,
        notes: Iterable[str] = (),
    ) -> Table:
        """Name the rows and columns of an array."""
        titles = (Column(corner), *(Column(name, digits) for name in columns))
        cells = tuple((name, *row) for name, row in zip(rows, values.tolist(), strict=True))
        return cls(title, titles, cells, tuple(notes))

    def showing(self, show: Show) -> Table:
        """Choose how concepts are shown: by label, by name ("id"), or by both."""

        def other(cell: _TextType) -> _TextType:
            return cell.showing(show) if isinstance(cell, DisplayedName) else cell

        columns = tuple(replace(column, title=other(column.title)) for column in self.columns)
        return replace(self, columns=columns, rows=tuple(tuple(map(other, row)) for row in self.rows))

    def inserted(self, at: int, titles: Sequence[str], cells: Iterable[Sequence[Cell]]) -> Table:
        """Insert columns at a place, with the cells of each row."""
        columns = (*self.columns[:at], *map(Column, titles), *self.columns[at:])
        rows = tuple((*row[:at], *own, *row[at:]) for row, own in zip(self.rows, cells, strict=True))
        return replace(self, columns=columns, rows=rows, keys=self.keys + len(titles) * (at <= self.keys))

    @property
    def best_first(self) -> list[tuple[Cell, ...]]:
        """The rows, those of baselines behind those of runs."""
        return [self.rows[at] for at in sorted(range(len(self.rows)), key=self.aside.__contains__)]

    @property
    def caption(self) -> tuple[str, ...]:
        """Heading and notes, for formats that have one place for both."""
        return (self.head, *self.notes) if self.head else self.notes

    def text(self, row: Sequence[Cell]) -> tuple[str, ...]:
        """Write the cells of a row as texts."""
        return tuple(cell_text(cell, digits) for cell, digits in zip(row, self.digits, strict=True))

    @cached_property
    def digits(self) -> tuple[int | None, ...]:
        """Decimals of each column; by default two if any of its numbers is a fraction."""
        fractions = [any(_is_fraction(row[which]) for row in self.rows) for which in range(len(self.columns))]
        return tuple(
            2 if column.digits is None and fraction and not column.mixed else column.digits
            for column, fraction in zip(self.columns, fractions, strict=True)
        )

    def is_best(self, row: int, column: int) -> bool:
        """Check for the best number of a column, ties included."""
        best, cell = self._best[column], score_of_cell(self.rows[row][column])
        alone = len(self.rows) - len(self.aside) == 1
        if best is None or alone or row in self.aside or not is_number(cell):
            return False
        return round(cell, self.columns[column].digits or 12) == best

    @cached_property
    def _best(self) -> tuple[float | None, ...]:
        """Best number of each column, if it has one."""
        rows = [one for place, one in enumerate(self.rows) if place not in self.aside]
        found: list[float | None] = []
        for which, column in enumerate(self.columns):
            shown = (score_of_cell(one[which]) for one in rows if column.best is not None)
            numbers = [round(cell, column.digits or 12) for cell in shown if is_number(cell)]
            found.append((max if column.best == "highest" else min)(numbers, default=None))
        return tuple(found)


def score_of_cell(cell: Cell) -> str | int | float | None:
    """Take the score of a cell without its uncertainty."""
    return cell.value if isinstance(cell, Estimate) else cell


def is_number(cell: Cell) -> TypeGuard[int | float]:
    """Check for a defined number, neither text nor nan."""
    return isinstance(cell, int | float) and not math.isnan(cell)


def _is_fraction(cell: Cell) -> bool:
    """Whether a number has decimals when rounded to two."""
    return is_number(cell := score_of_cell(cell)) and math.isfinite(cell) and round(cell, 2) != round(cell)


def cell_text(cell: Cell, digits: int | None = None) -> str:
    """Write a cell as a text."""
    if isinstance(cell, Estimate):
        value, low, high = (cell_text(number, digits) for number in (cell.value, cell.low, cell.high))
        bounds = "" if low == high == "–" else f" [{low}, {high}]"
        return f"{value}{bounds}{' ' * bool(cell.mark)}{cell.mark}"
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, PValue | Rank):
        return cell.text
    if not isinstance(cell, str) and math.isinf(cell):
        return "∞" if cell > 0 else "-∞"
    if isinstance(cell, str):
        cell = f"{cell} ({kind})" if (kind := getattr(cell, "kind", "")) else shown_text(cell)
        # A label from a file must not steer the terminal, nor break a line of a table.
        escaped = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in cell)
        return cell if cell.isprintable() else "".join(escaped)
    if digits is None:
        digits = 2 * _is_fraction(cell)
    return f"{cell:z,.{digits}f}"  # tκ of constant predictions is 0 but for rounding


def shorten_names(names: Iterable[str], longest: int) -> list[str]:
    """Shorten names in the middle; more of their ends is kept where they would look alike."""
    shown, found = list(map(cell_text, names)), list[list[str]]()
    for end in range((longest - 1) // 4, longest - 1):
        parts = ((one, one[: longest - 1 - end], one[len(one) - end :]) for one in shown)
        found.append([one if len(one) <= longest else f"{head}…{tail}" for one, head, tail in parts])
        if len({*found[-1]}) == len({*shown}):
            return found[-1]
    return found[0]


class Tabled(Shown):
    """Base of results with tables."""

    def tables(self) -> dict[str, Table]:
        """Make all tables of the result.

        Returns
        -------
        dict of str to Table
            By short names, such as "power" or "pairs".
        """
        return cast("dict[str, Table]", reports("tables")(self))
