"""What the commands share towards the user: consoles, progress, tables and files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

if TYPE_CHECKING:
    from ontoeval.report.table import Table

PATIENCE = 2.0
"""Seconds after which work on a terminal shows how far it is."""

Format = Literal["table", "csv", "json", "latex", "markdown"]

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


@contextmanager
def progress(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show how far work is, where it takes long and someone watches.

    Parameters
    ----------
    description
        What is done.
    total
        How many steps it has.

    Yields
    ------
    callable
        To be called after each step.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=err, transient=True)
    task = bar.add_task(description, total=total)
    timer = Timer(PATIENCE, bar.start)
    timer.daemon = True
    if err.is_terminal:
        timer.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        timer.cancel()
        if bar.live.is_started:
            bar.stop()


def show(table: Table, output: Format, **more: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Print a table.

    Parameters
    ----------
    table
        The table.
    output
        The format.
    **more
        What JSON is to hold beside the rows.
    """
    from ontoeval.report.formats import FORMATS, to_json
    from ontoeval.report.terminal import on_terminal

    if output == "table":
        out.print(on_terminal(table, out.width))
    else:
        emit(to_json(table, **more) if output == "json" else FORMATS[output](table))


def present(tables: Sequence[Table], output: Format, recipe: Mapping[str, Sequence[str]]) -> None:
    """Print tables, and how they came about.

    Parameters
    ----------
    tables
        The tables; of JSON and CSV there can be but one.
    output
        The format.
    recipe
        What is to be said, by its kind, unless the notes right above say it: of the kind "recipe" below
        tables that a person reads alone.
    """
    for table in tables:
        show(table, output, **recipe)
    above = tables[-1].said if tables else ()
    said = [line for kind, lines in recipe.items() if kind != "recipe" or output == "table" for line in lines]
    # CSV has no place for notes, and nowhere is it silent what was left out.
    tell([*(above if output == "csv" else ()), *(line for line in said if line not in above)], output)


def emit(text: str) -> None:
    """Print what programs read, as it is; only a terminal is not to be steered by the names in it.

    Parameters
    ----------
    text
        Any text.
    """
    from ontoeval.report.table import written

    sys.stdout.write("\n".join(map(written, text.split("\n"))) if sys.stdout.isatty() else text)


def tell(lines: Iterable[str], output: Format) -> None:
    """Say how results came about: below a table, and beside what a program reads on the other channel.

    Parameters
    ----------
    lines
        What is to be said; JSON says it itself.
    output
        The format of the results.
    """
    from ontoeval.report.table import written

    if output != "json":
        for line in lines:
            (out if output == "table" else err).print(Padding(Text(written(line), style="dim"), (0, 0, 0, 2)))


def warn(lines: Iterable[str]) -> None:
    """Say what whoever calls a command should know beside its results, whatever their format.

    Parameters
    ----------
    lines
        What is to be said.
    """
    tell(lines, "csv")
