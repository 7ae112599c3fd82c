"""Annotations: the options by which a command takes files of annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontoeval.cli.inputs import Inputs
from ontoeval.cli.options import reads_labels, taking
from ontoeval.core.choices import ColumnsAre, Repeats, Uncertain
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.annotators.annotations import Annotations

TABLES = "Tables of annotations"
"""Under which heading the help lists options of columns."""


@dataclass(frozen=True, eq=False)
class Sources:
    """Files of annotations; none of them is read yet."""

    paths: list[Path]
    inputs: Inputs
    how: Mapping[str, Any]

    def read(self) -> tuple[Annotations, list[str]]:
        """Read the files."""
        from ontoeval.labels.annotations import read_annotation_files

        reading = {name: value for name, value in self.inputs.reading.items() if name not in self.how}
        hierarchy, close = self.inputs.hierarchy, reading.pop("close", False)
        if close and hierarchy is None:
            raise ParameterError(
                "--close", close, "an --ontology beside it, whose hierarchy tells the ancestors"
            )
        files = read_annotation_files(*self.paths, ontology=self.inputs.ontology, **self.how, **reading)
        said = files.annotations
        return (said.closed(hierarchy) if close and hierarchy else said), list(files.notes)


def _sources(
    annotations: Annotated[
        list[Path],
        typer.Argument(
            metavar="ANNOTATIONS",
            help="Tables with the annotator in a column or in the header, or one label file per annotator.",
        ),
    ],
    *,
    inputs: Inputs,
    uncertain: Annotated[
        Uncertain, typer.Option(help="What -1 stands for: as if not asked, not there, or there.")
    ] = "missing",
    sample_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column of the samples, where its name does not tell.",
            rich_help_panel=TABLES,
        ),
    ] = None,
    annotator_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of the annotators.", rich_help_panel=TABLES),
    ] = None,
    concept_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Column of the concepts, or labels.", rich_help_panel=TABLES),
    ] = None,
    ignore_column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Column that is not read; can be repeated.", rich_help_panel=TABLES
        ),
    ] = None,
    columns: Annotated[
        ColumnsAre | None,
        typer.Option(
            help="What the other columns are: annotators of the concept that the file is called by, as in a "
            "single file by default; or concepts of the annotator that it is called by, as in several.",
            rich_help_panel=TABLES,
        ),
    ] = None,
    repeats: Annotated[
        Repeats,
        typer.Option(help="Whether what is said again counts once or is an error.", rich_help_panel=TABLES),
    ] = "refuse",
) -> Sources:
    how = {
        "uncertain": uncertain,
        "sample_column": sample_column,
        "annotator_column": annotator_column,
        "concept_column": concept_column,
        "ignore_columns": ignore_column or (),
        "columns": columns,
        "repeats": repeats,
    }
    return Sources(annotations, inputs, how)


def reads_annotations(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command files of annotations, and all options by which they are read."""
    return reads_labels(taking(command, sources=_sources))
