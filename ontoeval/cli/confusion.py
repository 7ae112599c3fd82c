"""``ontoeval confusion``: what was taken for what."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ontoeval.cli.inputs import Inputs, reads_labels
from ontoeval.cli.terminal import Format, out, progress, show, write_all
from ontoeval.errors import ParameterError

HEATMAP = 24
"""Up to so many columns a matrix is drawn on the terminal."""
SUFFIXES = {".csv": "csv", ".json": "json", ".tex": "latex"}


@reads_labels
def confusion(
    truth: Annotated[Path, typer.Argument(help="File of the true labels.")],
    run: Annotated[Path, typer.Argument(help="File of the predicted labels.")],
    *,
    inputs: Inputs,
    rule: Annotated[
        Literal["multiclass", "one-vs-rest", "krstinic", "mlcm", "tensor-recall", "tensor-precision"],
        typer.Option(help="The published rule."),
    ] = "krstinic",
    variant: Annotated[
        str | None, typer.Option(help="Of mlcm: paper or package; of the tensor: unique or case.")
    ] = None,
    normalise: Annotated[
        Literal["none", "true", "predicted"],
        typer.Option(help="Divide by row sums (true: recall) or by column sums (predicted: precision)."),
    ] = "none",
    top: Annotated[int, typer.Option(min=0, help="How many of the largest confusions to list.")] = 20,
    missing: Annotated[
        Literal["refuse", "empty"],
        typer.Option(help="What to do with samples that only one file has; 'empty' counts them unlabelled."),
    ] = "refuse",
    output: Annotated[
        Format,
        typer.Option(
            "--format",
            help="'table': a heatmap where it fits, the top confusions and the counts; else the matrix.",
        ),
    ] = "table",
    out_file: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the matrix to this .csv, .json or .tex file.")
    ] = None,
) -> None:
    """Show which concepts were taken for which others."""
    from ontoeval.batch import align
    from ontoeval.concept_counts import counts_of
    from ontoeval.confusion import matrix_of
    from ontoeval.report import results as tables
    from ontoeval.report.formats import FORMATS, heatmap
    from ontoeval.statistics.confusion import Confusion

    chosen = Confusion(rule, variant)
    if out_file is not None and out_file.suffix not in SUFFIXES:
        raise ParameterError("--out", str(out_file), f"a file that ends in {', '.join(SUFFIXES)}")
    with progress("Reading", 2) as step:
        true, predicted = (file.sets for file in inputs.labels(truth, run, step=step))
    batch = align(true, predicted, hierarchy=inputs.hierarchy, missing=missing)
    if rule == "one-vs-rest":
        table = tables.per_concept({run.stem: counts_of(batch)}, "Each concept against the rest")
        show(table, output)
    else:
        matrix = matrix_of(batch, chosen)
        values = matrix.matrix if normalise == "none" else matrix.normalised(normalise)
        table = tables.matrix_table(matrix, values)
        if output == "table":
            if len(matrix.columns) <= HEATMAP:
                by: Literal["true", "predicted"] = "predicted" if normalise == "predicted" else "true"
                title = f"Confusion matrix, rule {rule}: % of what is {by}; rows are true, columns predicted"
                out.print(heatmap(title, matrix.rows, matrix.columns, matrix.normalised(by)))
            show(tables.top_confusions(matrix, top), output)
            show(tables.per_concept({run.stem: matrix.counts()}, f"Counts by the rule {rule}"), output)
        else:
            show(table, output)
    if out_file is not None:
        write_all({out_file: FORMATS[SUFFIXES[out_file.suffix]](table)})
