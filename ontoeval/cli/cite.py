"""``ontoeval cite``: whom to cite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.option_table import output_option
from ontoeval.cli.terminal import emit
from ontoeval.core.writing import write_all
from ontoeval.measures.presets import PRESETS


def cite(
    *,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NOTATION",
            help="Measure in its notation, see `ontoeval measures`; can be repeated.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"The measures of a preset as well: {', '.join(PRESETS)}."),
    ] = None,
    out_file: Annotated[
        Path | None, output_option("--out", "-o", metavar="FILE", help="Write the entries to this file.")
    ] = None,
) -> None:
    """Print the BibTeX of the measures used, of what their options name, and of ontoeval."""
    from ontoeval.reports.bibliography import cite as entries_of

    text = entries_of(measure or (), preset=preset)
    if out_file is None:
        emit(text)
    else:
        write_all({out_file: text})
