"""``ontoeval compare``: runs side by side, with the uncertainty of their scores."""

from __future__ import annotations

from typing import Annotated

from ontoeval.benchmarks.outputs import Outputs
from ontoeval.benchmarks.planned import Compared, Planned
from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import compares_runs
from ontoeval.cli.terminal import Format, present, progress, warn


@compares_runs
def compare(
    *,
    planned: Planned,
    outputs: Outputs,
    pairs: Annotated[
        bool, output_option("--pairs", help="Print the differences of all pairs of runs instead.")
    ] = False,
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
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
    if pairs:
        table = compared.pairs_by if compared.sliced else compared.pairs
    else:
        table = compared.board_by if compared.sliced else compared.board
    present([compared.captioned(table) if output == "latex" else table], output, compared.recipe)
