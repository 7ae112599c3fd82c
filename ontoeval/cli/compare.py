"""``ontoeval compare``: runs side by side, with the uncertainty of their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import compares_runs
from ontoeval.cli.outputs import Outputs
from ontoeval.cli.planned import Compared, Planned
from ontoeval.cli.reports import Verbose
from ontoeval.cli.terminal import Format, present, progress, warn

if TYPE_CHECKING:
    from ontoeval.core.table import Table


@compares_runs
def compare(
    *,
    planned: Planned,
    outputs: Outputs,
    pairs: Annotated[
        bool, output_option("--pairs", help="Print the differences of all pairs of runs instead.")
    ] = False,
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
    verbose: Verbose = False,
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    outputs.check(planned)
    compared = planned.compare(progress)
    remarks = outputs.write(compared)
    if pairs:
        table = compared.pairs_by if compared.sliced else compared.pairs
    else:
        table = compared.board_by if compared.sliced else compared.board
    show_compared(compared, table, output, verbose=verbose)
    warn(remarks)


def show_compared(compared: Compared, table: Table, output: Format, *, verbose: bool = False) -> None:
    """Print one of the tables of a comparison, and with it how it came about."""
    shown = compared.captioned(table) if output == "latex" else table
    present([shown], output, compared.recipe, None if verbose else compared.brief)
