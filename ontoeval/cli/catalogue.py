"""``ontoeval measures`` and ``ontoeval cite``: the catalogue, and whom to cite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ontoeval.cli.options import Output, output_option
from ontoeval.core.writing import write_all
from ontoeval.errors import ParameterError
from ontoeval.measures.presets import PRESETS
from ontoeval.options import Opt


def measures(
    name: Annotated[
        str | None,
        Opt(
            "A measure in its notation, such as OS or F(average='macro').",
            metavar="NOTATION",
            positional=True,
        ),
    ] = None,
    *,
    preset: Annotated[str | None, Opt(f"List the measures of a preset: {', '.join(PRESETS)}.")] = None,
    output: Output = "table",
) -> None:
    """List the measures, or describe one."""
    from ontoeval.cli.terminal import show
    from ontoeval.reports.catalogue import all_measures, one_measure, one_preset

    if preset is not None:
        if name is not None:
            raise ParameterError("--preset", preset, f"no measure beside it, but there is {name!r}")
        show(one_preset(preset), output)
    else:
        show(all_measures() if name is None else one_measure(name), output)


def cite(
    *,
    measure: Annotated[
        tuple[str, ...],
        Opt(
            "Measure in its notation, see `ontoeval measures`; can be repeated.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
        ),
    ] = (),
    preset: Annotated[str | None, Opt(f"The measures of a preset as well: {', '.join(PRESETS)}.")] = None,
    out_file: Annotated[
        Path | None,
        output_option("Write the entries to this file.", flags=("--out", "-o")),
    ] = None,
) -> None:
    """Print the BibTeX of the measures used, of what their options name, and of ontoeval."""
    from ontoeval.cli.terminal import emit
    from ontoeval.reports.catalogue import cite as entries_of

    text = entries_of(measure, preset=preset)
    if out_file is None:
        emit(text)
    else:
        write_all({out_file: text})
