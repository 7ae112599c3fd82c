"""Consoles, progress, and how tables and remarks are printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console

from ontoeval.benchmarks.scoring_options import Format

if TYPE_CHECKING:
    from ontoeval.benchmarks.dataset import RunLeaderboard
    from ontoeval.core.table import Table
    from ontoeval.evaluation.scoring import Evaluation

NOTES = 5
"""Most lines below a table, with those of the recipe in short."""

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


@contextmanager
def progress(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal, where work takes long; print an estimate in its title before."""
    work, _, estimate = description.partition(": ")
    warn([description] * bool(estimate))
    if err.quiet or not err.is_terminal:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left:", TimeRemainingColumn()
    bar = Progress("{task.description}", *columns, console=err, transient=True)
    task = bar.add_task(work, total=total)
    timer = Timer(2.0, bar.start)  # seconds: most work is done before
    timer.daemon = True
    timer.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        timer.cancel()
        if bar.live.is_started:
            bar.stop()


def show(table: Table, output: Format, **more: object) -> None:
    """Print a table."""
    from ontoeval.reports.formats import FORMATS, to_json
    from ontoeval.reports.terminal import on_terminal

    if output == "table":
        out.print(on_terminal(table, out.width), soft_wrap=True)
    else:
        emit(to_json(table, **more) if output == "json" else FORMATS[output](table))


def present(
    tables: Sequence[Table],
    output: Format,
    recipe: Mapping[str, Sequence[str]],
    brief: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Print tables and their recipe, in short below tables that a person reads."""
    above = tables[-1].caption if tables else ()
    if output == "table" and brief is not None:
        recipe = brief
        if len(tables) == 1 and brief["recipe"]:
            tables, recipe = _shortened(tables[0], brief)
    for table in tables:
        show(table, output, **recipe)
    lines_below = [
        line for kind, lines in recipe.items() if kind != "recipe" or output == "table" for line in lines
    ]
    # CSV has no place for notes, but omissions are always reported.
    tell([*(above if output == "csv" else ()), *(line for line in lines_below if line not in above)], output)


def _shortened(
    table: Table, brief: Mapping[str, Sequence[str]]
) -> tuple[list[Table], dict[str, Sequence[str]]]:
    """Keep the first notes below a table that fit into few lines, and count the lines of the others."""
    from ontoeval.core.table import cell_text
    from ontoeval.reports.terminal import INDENT, folded

    last, *others = brief["recipe"]
    *lost, forms = [line for kind in brief if kind != "recipe" for line in brief[kind]]
    width = out.width - INDENT
    kept, room, left = list[str](), NOTES - len(folded(f"{last} 9 more", width)), 0
    for note in dict.fromkeys([*table.notes[:1], *lost, *table.notes, forms, *others]):
        lines = 0 if note == table.head else len(folded(cell_text(note), width))
        if lines > room:
            left += lines
        elif lines:
            kept.append(note)
            room -= lines
    last = last.replace("--verbose: all", f"--verbose: {left:,} more" if left else "--verbose: all")
    own = tuple(note for note in table.notes if note in kept)
    return [replace(table, notes=own)], {"recipe": [*(note for note in kept if note not in own), last]}


def with_measures(table: Table, evaluation: Evaluation) -> Table:
    """Put a line on each measure ahead of the notes."""
    from ontoeval.reports.catalogue import measure_lines

    lines = measure_lines(evaluation.totals.measures, evaluation.totals.hierarchy)
    return replace(table, notes=(*map(str, lines), *table.notes))


def present_runs(runs: RunLeaderboard, table: Table, output: Format, *, verbose: bool = False) -> None:
    """Print one of the tables of runs, and the recipe."""
    recipe, brief = runs.dataset.recipes(runs.signature, runs.first, runs.board.notes)
    shown = runs.with_recipe_notes(table) if output == "latex" else table
    if output == "table" and verbose:
        shown = with_measures(table, runs.first)
    elif output == "table":  # how runs were compared is what comes last
        how = [note for note in table.notes if note in runs.methods]
        shown = replace(table, notes=tuple(note for note in table.notes if note not in how))
        brief = brief | {"recipe": [*brief["recipe"], *how]}
    present([shown], output, recipe, None if verbose else brief)


def text_of(present: Callable[[Format], object], output: Format) -> str:
    """Give what is printed in a format, without remarks."""
    with redirect_stdout(StringIO()) as text, redirect_stderr(StringIO()):
        present(output)
    return text.getvalue()


def emit(text: str) -> None:
    """Print text for programs as it is; on a terminal, without control characters."""
    from ontoeval.core.table import cell_text

    sys.stdout.write("\n".join(map(cell_text, text.split("\n"))) if sys.stdout.isatty() else text)


def tell(lines: Iterable[str], output: Format) -> None:
    """Print remarks: below a table, or on stderr beside formats for programs; JSON holds them itself."""
    from ontoeval.reports.terminal import join_lines, paragraphs

    console = out if output == "table" else err
    shown = [] if output == "json" or err.quiet else paragraphs(lines, console.width, style="dim", indent=2)
    if shown:
        console.print(join_lines(shown), soft_wrap=True)


def warn(lines: Iterable[str]) -> None:
    """Print remarks on stderr, whatever the format of the results."""
    tell(lines, "csv")
