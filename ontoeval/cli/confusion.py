"""``ontoeval confusion``: what was taken for what."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from ontoeval.cli.inputs import Inputs, remarks_on_missing
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, out, progress, show, tell, write_all
from ontoeval.errors import ParameterError

SUFFIXES = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}


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
        str | None,
        typer.Option(metavar="NAME", help="Of mlcm: paper or package; of the tensor: unique or case."),
    ] = None,
    normalise: Annotated[
        Literal["none", "true", "predicted"],
        typer.Option(help="Divide by row sums (true: recall) or by column sums (predicted: precision)."),
    ] = "none",
    top: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="How many of the largest confusions to list.")
    ] = 20,
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
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the matrix to this .csv, .json or .tex file."
        ),
    ] = None,
) -> None:
    """Show which concepts were taken for which others."""
    from ontoeval.batch import align
    from ontoeval.concept_counts import counts_of
    from ontoeval.confusion import matrix_of
    from ontoeval.report import results as tables
    from ontoeval.report.formats import FORMATS, as_json
    from ontoeval.report.terminal import heatmap, heatmap_width
    from ontoeval.statistics.confusion import Confusion
    from ontoeval.tensor import tensor_of

    chosen = Confusion(rule, variant)
    if out_file is not None and out_file.suffix not in SUFFIXES:
        raise ParameterError("--out", str(out_file), f"a file that ends in {', '.join(SUFFIXES)}")
    with progress("Reading", 2) as step:
        files = inputs.labels(truth, run, step=step)
    true, predicted = (file.sets for file in files)
    batch = align(true, predicted, hierarchy=inputs.hierarchy, missing=missing)
    remarks = [*inputs.remarks(files), *remarks_on_missing(run, true, predicted)]
    if rule == "one-vs-rest":
        table = tables.per_concept({run.stem: counts_of(batch)}, "Each concept against the rest")
        show(table, output)
    else:
        matrix = matrix_of(batch, chosen)
        values = matrix.matrix if normalise == "none" else matrix.normalised(normalise)
        table = tables.matrix_table(matrix, values)
        if output == "table":
            if heatmap_width(matrix.rows, matrix.columns) > out.width:
                tell([f"A heatmap of {len(matrix.columns)} columns is too wide here: see --out."], output)
            else:
                by: Literal["true", "predicted"] = "predicted" if normalise == "predicted" else "true"
                title = f"Confusion matrix, rule {rule}: % of what is {by}; rows are true, columns predicted"
                out.print(heatmap(title, matrix.rows, matrix.columns, matrix.normalised(by)))
            show(tables.top_confusions(matrix, top), output)
            tensor = rule.startswith("tensor")
            counts = tensor_of(batch, variant).counts() if tensor else matrix.counts()
            title = "Counts by both planes of the tensor" if tensor else f"Counts by the rule {rule}"
            show(tables.per_concept({run.stem: counts}, title), output)
        elif output == "json":
            sys.stdout.write(as_json({**tables.matrix_content(matrix, values), "inputs": remarks}))
        else:
            show(table, output)
    tell(remarks, output)
    if out_file is not None:
        kind = SUFFIXES[out_file.suffix]
        content = None if rule == "one-vs-rest" else tables.matrix_content(matrix, values)
        text = as_json({**content, "inputs": remarks}) if kind == "json" and content else FORMATS[kind](table)
        write_all({out_file: text})
