"""``ontoeval compare``: runs side by side, with the uncertainty of their scores."""

from __future__ import annotations

from typing import Annotated

import typer

from ontoeval.benchmarks.outputs import Outputs
from ontoeval.benchmarks.planned import Compared, Planned
from ontoeval.cli.options import compares_runs
from ontoeval.cli.terminal import Format, progress, show, tell, warn


@compares_runs
def compare(
    *,
    planned: Planned,
    outputs: Outputs,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Print the differences of all pairs of runs instead.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the table.")] = "table",
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    outputs.check(planned)
    compared = planned.compare(progress)
    remarks = outputs.write(compared)
    show_compared(compared, output, pairs=pairs)
    warn(remarks)


def show_compared(compared: Compared, output: Format, *, pairs: bool = False) -> None:
    """Print a table, and with it how it came about.

    Parameters
    ----------
    compared
        The comparison.
    output
        The format.
    pairs
        Whether to print the pairs of runs.
    """
    board = compared.captioned if output == "latex" else compared.board
    whole = compared.board_by if compared.sliced else board
    table, recipe = compared.pairs if pairs else whole, compared.recipe
    show(table, output, **recipe)
    if output == "table":
        # The notes of a leaderboard say how it was made.
        lines = [line for line in recipe["recipe"] if line not in table.notes]
        tell([*recipe["inputs"], *lines], output)
    else:
        tell([*(table.notes if output == "csv" else ()), *recipe["inputs"]], output)
