"""``ontoeval measures``: the catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from ontoeval.cli.option_table import output_option
from ontoeval.cli.terminal import Format, show
from ontoeval.errors import ParameterError
from ontoeval.measures.presets import PRESETS


def measures(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NOTATION", help="A measure in its notation, such as OS or F(average='macro')."
        ),
    ] = None,
    *,
    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Say what a preset holds: {', '.join(PRESETS)}."),
    ] = None,
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
) -> None:
    """List the measures, or say everything about one."""
    from ontoeval.reports.catalogue import all_measures, one_measure, one_preset

    if preset is not None:
        if name is not None:
            raise ParameterError("--preset", preset, f"no measure beside it, but there is {name!r}")
        show(one_preset(preset), output)
    else:
        show(all_measures() if name is None else one_measure(name), output)
