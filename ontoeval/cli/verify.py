"""``ontoeval verify``: whether the numbers of a folder of results still hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.exits import Exit
from ontoeval.cli.option_table import output_option
from ontoeval.cli.run import Trust
from ontoeval.cli.terminal import Format, progress, show


def verify(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder of results, as `ontoeval run` writes it.")
    ],
    *,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="The benchmark file or its folder, where it lies no longer where it did.",
        ),
    ] = None,
    trust: Trust = False,
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
) -> None:
    """Compute results again by their recipe, and say which of them still hold.

    The exit code is 1 where an input has changed, or a result does not hold.
    """
    from ontoeval.cli.verifying import verify as verification_of

    found = verification_of(folder, source=source, trust=trust, progress=progress)
    show(found.table(), output, verified=found.holds)
    if not found.holds:
        raise typer.Exit(Exit.FINDINGS)
