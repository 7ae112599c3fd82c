"""``ontoeval compare``: runs side by side, with the uncertainty of their scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.planned import Compared, Planned, compares_runs
from ontoeval.cli.terminal import Format, show, tell, write_all
from ontoeval.errors import ParameterError

Long = Annotated[
    Path | None,
    typer.Option(
        "--long",
        metavar="FILE",
        help="Write all values of runs, concepts and samples to this file, .csv or .parquet, one in each row.",
    ),
]


@compares_runs
def compare(
    *,
    planned: Planned,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Print the differences of all pairs of runs instead.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the table.")] = "table",
    long: Long = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report to this file: one HTML page.")
    ] = None,
    images: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|URL",
            help="Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
        ),
    ] = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Write all tables into this folder.")
    ] = None,
) -> None:
    """Compare runs: scores with bootstrap intervals, paired tests, groups that are not distinguishable."""
    refuse_extras(planned, long=long, report=report, images=images)
    compared = planned.compare()
    if out_dir is not None:
        write_all({out_dir / name: text for name, text in compared.texts().items()})
    write_extras(compared, long=long, report=report, images=images)
    show_compared(compared, output, pairs=pairs)


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
    whole = compared.board_by if compared.sliced else compared.board
    table, recipe = compared.pairs if pairs else whole, compared.recipe
    show(table, output, **recipe)
    if output == "table":
        tell([*recipe["inputs"], *recipe["recipe"]], output)
    else:
        tell([*(table.notes if output == "csv" else ()), *recipe["inputs"]], output)


def refuse_extras(planned: Planned, *, long: Path | None, report: Path | None, images: str | None) -> None:
    """Refuse what cannot be written, before an hour of reading.

    Parameters
    ----------
    planned
        What is compared.
    long
        Where the long table is wanted.
    report
        Where the report is wanted.
    images
        Pictures of the samples.
    """
    from ontoeval.extras import requires
    from ontoeval.report.tidy import writer_of

    if long is not None:
        if planned.wanted.public:
            raise ParameterError(
                "--long", str(long), "no --public beside it: scores of samples tell the truth"
            )
        writer_of(long)
    if report is not None:
        for package in ("jinja2", "plotly"):
            requires(package, "report", "A report")
    elif images is not None:
        raise ParameterError("--images", images, "a --report beside it, which shows them")


def write_extras(compared: Compared, *, long: Path | None, report: Path | None, images: str | None) -> None:
    """Write what is wanted beside the tables.

    Parameters
    ----------
    compared
        The comparison.
    long
        Where the long table is wanted.
    report
        Where the report is wanted.
    images
        Pictures of the samples.
    """
    from ontoeval.io import write_aside
    from ontoeval.report.tidy import write_tidy

    if report is not None:
        write_all({report: compared.comparison.report(folder=report.parent, images=images)})
    if long is not None:
        with write_aside(long) as aside:
            write_tidy(aside, compared.comparison.evaluations)
