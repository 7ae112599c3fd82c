"""Tables and heatmaps on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ontoeval.core.table import Table, cell_text, is_number, score_of_cell
from ontoeval.reports.formats import is_numeric

if TYPE_CHECKING:
    from ontoeval.ontology.model import Ontology

GAP, INDENT = 3, 2  # blanks between two columns, and before each line

READABLE = 15
"""Words in a table are folded to no fewer cells of the terminal: columns go to a further block instead."""

HANGING = 2  # blanks before the further lines of a cell
SIGNS = "./_-,;:|+"  # behind these a long name may be broken

BEST = "bold green"


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of which everything is written."""

    title: str
    cells: tuple[str, ...]
    best: tuple[bool, ...]
    numeric: bool
    whole: bool = False
    ranks: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    """The scores of ranked rows, the better the lower."""

    def taken(self, order: Sequence[int], ranks: Sequence[str]) -> _Column:
        """Put the rows into another order, with their ranks there."""
        cells = ranks if self.title == "rank" else self.cells
        best = tuple(self.best[at] for at in order)
        return replace(self, cells=tuple(cells[at] for at in order), best=best)

    @property
    def heading(self) -> list[str]:
        """The lines of the title: the notation of a measure is broken before its options."""
        return (self.title.replace("(", "\n(") if self.numeric else self.title).split("\n")

    @property
    def is_constant(self) -> bool:
        """Whether all of several rows hold the same text."""
        return len(self.cells) > 1 == len(set(self.cells)) and not self.numeric

    @cached_property
    def wide(self) -> int:
        """The width at which nothing is folded."""
        return max(map(cell_len, (*self.heading, *self.cells)))

    @cached_property
    def least(self) -> int:
        """The least width: numbers are not folded, and words not to less than is readable, if at all."""
        if self.numeric:
            words = (word for line in self.heading for word in line.split())
            return max(map(cell_len, ("", *words, *self.cells)))
        return min(self.wide, max(READABLE, self._longest if self.whole else 0))

    @property
    def _longest(self) -> int:
        """The width at which no word is broken but behind a sign."""
        parts = (re.split(f"(?<=[{re.escape(SIGNS)} ])", cell) for cell in self.cells)
        widths = (cell_len(part) + HANGING * bool(at) for words in parts for at, part in enumerate(words))
        return max(widths, default=0)


def on_terminal(table: Table, width: int = 80) -> Text:
    """Write a table of which no character is lost, the best numbers in bold.

    Columns that do not fit follow in further blocks, each behind the columns that name the rows. Where these
    leave no room, each row is written as lines `title: value`. What names all rows alike is written once.
    """
    table = _narrowed(table, width)
    lines = paragraphs([table.head] if table.head else [], width)
    title, body = _body(table, width)
    if table.parts:
        title, bodies = table.title, [_body(part, width) for part in table.parts]
        body = [line for name, own in bodies for line in (*paragraphs(["", name], width, style="bold"), *own)]
    lines = [*paragraphs(["", title], width, style="bold"), *lines, *body]
    lines += [Text(), *paragraphs(table.notes, width, style="yellow", indent=INDENT)]
    return join_lines(lines)


def _body(table: Table, width: int) -> tuple[str, list[Text]]:
    """Write the rows of a table, with the title above them."""
    columns, keys = _columns(table)
    alike = [column for column in columns[:keys] if column.is_constant]
    alike = alike if len(alike) < keys else alike[1:]
    columns, keys = [column for column in columns if column not in alike], keys - len(alike)
    blocks = _blocks(columns, keys, width)
    whole = _blocks([replace(column, whole=True) for column in columns], keys, width)
    if blocks and whole and len(whole) <= len(blocks) * 4 // 3:  # whole words at the price of few blocks
        blocks = whole
    title = table.title
    if blocks and len(blocks) > 1 and any(column.ranks for column in columns):
        orders = [sorted(range(len(table.rows)), key=block[keys].scores.__getitem__) for block in blocks]
        blocks = [
            [one.taken(order, block[keys].ranks) for one in block]
            for order, block in zip(orders, blocks, strict=True)
        ]
        title = f"{title}: each block of columns is ranked by its first measure"
    lines = paragraphs((f"{column.title}: {column.cells[0]}" for column in alike), width)
    if blocks is None:
        return title, [*lines, *_records(columns, width)]
    return title, [*lines, *(one for block in blocks for one in _block(block, width))]


def _narrowed(table: Table, width: int) -> Table:
    """Make a square matrix fit into a line: give its columns numbers, and leave out bounds if need be."""
    names = tuple(column.title for column in table.columns[1:])
    if not names or names != tuple(row[0] for row in table.rows):
        return table
    digits = len(str(len(names)))
    heads = (replace(column, title=str(number)) for number, column in enumerate(table.columns[1:], 1))
    rows = ((f"{number:>{digits}} {row[0]}", *row[1:]) for number, row in enumerate(table.rows, 1))
    numbered = replace(table, columns=(table.columns[0], *heads), rows=tuple(rows))
    bare = replace(numbered, rows=tuple((row[0], *map(score_of_cell, row[1:])) for row in numbered.rows))
    if bare.rows != numbered.rows:
        lost = "The bounds in brackets do not fit into a line here; CSV, JSON and LaTeX have them."
        rest = (note for note in table.notes if not note.startswith("In brackets:"))
        bare = replace(bare, notes=(lost, *rest))
    fitting = (one for one in (table, numbered) if len(_blocks(*_columns(one), width) or ()) == 1)
    return next(fitting, bare)


def join_lines(lines: Iterable[Text]) -> Text:
    """Put lines below each other, which are as long as they are."""
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def paragraphs(texts: Iterable[str], width: int, *, style: str = "", indent: int = 0) -> list[Text]:
    """Write texts below each other, broken by words."""
    return [
        Text(f"{'':{indent * bool(line)}}{line}", style)
        for text in texts
        for line in folded(cell_text(text), width - indent)
    ]


def folded(text: str, width: int, hanging: int = 0) -> list[str]:
    """Break a text into lines of at most so many cells of the terminal; only blanks get lost."""
    lines: list[str] = []
    room = width
    while cell_len(text) > room:
        cut = next((end for end in range(2, len(text) + 1) if cell_len(text[:end]) > room), 2) - 1
        # A break far left of the end of a line would waste too much of it.
        blank = text.rfind(" ", cut // 4 + 1, cut + 1)
        sign = max(text.rfind(one, cut // 3, cut) for one in SIGNS)
        at = blank if blank > 0 else sign + 1 if sign >= 0 else cut
        lines.append(text[:at].rstrip(" "))
        text = text[at:].lstrip(" ")
        room = max(width - hanging, 1)
    lines.append(text)
    return [lines[0], *(" " * hanging + line for line in lines[1:])]


def _columns(table: Table) -> tuple[list[_Column], int]:
    """Write the columns that hold anything; and how many of these, from the first on, name the rows."""
    texts = [table.text(row) for row in table.rows]
    kept = [
        which
        for which in range(len(table.columns))
        if not texts or any(row[which] not in ("", None) for row in table.rows)
    ]
    columns = [
        _Column(
            cell_text(table.columns[which].title),
            tuple(line[which] for line in texts),
            tuple(table.is_best(row, which) for row in range(len(texts))),
            is_numeric(table, which),
            ranks=tuple(map(cell_text, table.columns[which].ranks)),
            scores=_merits(table, which) if table.columns[which].ranks else (),
        )
        for which in kept
    ]
    return columns, sum(which < table.keys for which in kept)


def _merits(table: Table, which: int) -> tuple[float, ...]:
    """Scores of a column, the better the lower; undefined ones are last."""
    sign = 1 if table.columns[which].best == "lowest" else -1
    scores = (score_of_cell(row[which]) for row in table.rows)
    return tuple(sign * one if is_number(one) else inf for one in scores)


def _blocks(columns: Sequence[_Column], keys: int, width: int) -> list[list[_Column]] | None:
    """Deal columns out to blocks that fit into a line, each behind those that name the rows, if any can."""
    named = list(columns[:keys])
    blocks = [named]
    for column in columns[keys:]:
        if len(blocks[-1]) > keys and _least([*blocks[-1], column]) > width:
            blocks.append(named)
        blocks[-1] = [*blocks[-1], column]
    return None if any(_least(block) > width for block in blocks) else blocks


def _least(block: Sequence[_Column]) -> int:
    return _line(column.least for column in block)


def _line(widths: Iterable[int]) -> int:
    return INDENT - GAP + sum(wide + GAP for wide in widths)


def _widths(block: Sequence[_Column], width: int) -> list[int]:
    """Share the room that columns leave among those that are folded, the narrowest first."""
    widths = [column.least for column in block]
    for _ in range(width - _line(widths)):
        growing = [which for which, column in enumerate(block) if widths[which] < column.wide]
        if not growing:
            break
        widths[min(growing, key=widths.__getitem__)] += 1
    return widths


def _block(block: Sequence[_Column], width: int) -> Iterator[Text]:
    widths = _widths(block, width)
    yield Text()
    if any(column.title for column in block):
        pairs = zip(block, widths, strict=True)
        heads = [[part for line in column.heading for part in folded(line, wide)] for column, wide in pairs]
        highest = max(map(len, heads))
        yield from _row(
            block, widths, [[""] * (highest - len(head)) + head for head in heads], ["bold"] * len(heads)
        )
        yield Text(f" {'─' * (_line(widths) - 1)}")
    for number in range(len(block[0].cells) if block else 0):
        pairs = zip(block, widths, strict=True)
        cells = [folded(column.cells[number], wide, hanging=HANGING) for column, wide in pairs]
        yield from _row(block, widths, cells, [BEST * column.best[number] for column in block])


def _row(
    block: Sequence[_Column], widths: Sequence[int], cells: Sequence[Sequence[str]], styles: Sequence[str]
) -> Iterator[Text]:
    for parts in zip_longest(*cells, fillvalue=""):
        line = Text(" " * INDENT)
        for part, column, wide, style in zip(parts, block, widths, styles, strict=True):
            blanks = " " * (wide - cell_len(part))
            line.append(blanks * column.numeric).append(part, style).append(
                blanks * (not column.numeric) + " " * GAP
            )
        line.rstrip()
        yield line


def _records(columns: Sequence[_Column], width: int) -> Iterator[Text]:
    for number in range(len(columns[0].cells)):
        yield from paragraphs([""], width)
        for column in columns:
            if cell := column.cells[number]:
                text = f"{column.title}: {cell}" if column.title else cell
                for line in folded(text, width - INDENT, hanging=HANGING):
                    yield Text(" " * INDENT + line, BEST * column.best[number])


def draw_hierarchy(read: Ontology, width: int) -> Iterator[Text]:
    """Draw a hierarchy; a concept's children are drawn once, abstract concepts in italics."""
    graph = read.graph
    yield Text("hierarchy", style="bold")
    done: set[str] = set()

    def below(names: Iterable[str], guides: str) -> list[tuple[str, str, str]]:
        """Give each name the guides before it and below it, the last first."""
        return [
            (name, guides + ("├── " if place else "└── "), guides + ("│   " if place else "    "))
            for place, name in enumerate(sorted(names, reverse=True))
        ]

    waiting = below((name for name, degree in graph.in_degree() if not degree), "")
    while waiting:
        name, begin, guides = waiting.pop()
        node, again = graph.nodes[name], name in done and graph.out_degree(name)
        if name not in done:
            waiting += below(graph.successors(name), guides)
        done.add(name)
        label = f"  {cell_text(node['label'])}" if node["label"] and node["label"] != name else ""
        style = "italic dim" if node["abstract"] else ""
        lines = folded(
            f"{cell_text(name)}{label}{'  (drawn above)' * bool(again)}", max(width - len(begin), READABLE)
        )
        for place, line in enumerate(lines):
            yield Text(guides if place else begin).append(line, style)
