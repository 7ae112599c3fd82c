"""``ontoeval measures``: the catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from ontoeval.cli.terminal import Format, show


def measures(
    name: Annotated[
        str | None, typer.Argument(help="A measure in its notation, such as OS or F(average='macro').")
    ] = None,
    *,
    output: Annotated[Format, typer.Option("--format", help="How to print the table.")] = "table",
) -> None:
    """List the measures, or say everything about one."""
    from ontoeval.report.catalogue import all_measures, one_measure

    show(all_measures() if name is None else one_measure(name), output)
