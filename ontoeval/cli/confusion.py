"""``ontoeval confusion``: what was taken for what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.cli.inputs import Inputs, remarks_on_missing
from ontoeval.cli.option_table import OPTIONS, output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, emit, out, progress, show, tell
from ontoeval.core.choices import Missing
from ontoeval.core.files import short_names
from ontoeval.core.writing import write_all
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.confusion.matrix import ConfusionMatrix
    from ontoeval.confusion.one_vs_rest import ConceptCounts
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.table import Table

SUFFIXES = {".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex"}


@reads_labels
def confusion(  # noqa: PLR0913 - as many as there are options
    truth: Annotated[Path, OPTIONS["truth"]],
    run: Annotated[Path, typer.Argument(metavar="RUN", help="File of the predicted labels.")],
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
        int, output_option(min=0, metavar="NUMBER", help="How many of the largest confusions to list.")
    ] = 20,
    level: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="NUMBER",
            help="Sum rows and columns by the concepts of this depth in the ontology.",
        ),
    ] = None,
    cut: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Sum them by this concept, with all below it; can be repeated."),
    ] = None,
    branch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Keep the concepts of this branch, and sum all others to one."),
    ] = None,
    relations: Annotated[
        bool,
        typer.Option(
            "--relations", help="Show how confused concepts are related: parent, child, sibling and so on."
        ),
    ] = False,
    missing: Annotated[Missing, OPTIONS["missing"]] = "refuse",
    output: Annotated[
        Format,
        output_option(
            "--format",
            help="'table': a heatmap where it fits, the top confusions and the counts; else the matrix.",
        ),
    ] = "table",
    out_file: Annotated[
        Path | None,
        output_option(
            "--out", "-o", metavar="FILE", help="Write the matrix to this .csv, .json or .tex file."
        ),
    ] = None,
) -> None:
    """Show which concepts were taken for which others."""
    from ontoeval.confusion.matrix import matrix_of, tensor_of
    from ontoeval.confusion.one_vs_rest import counts_of
    from ontoeval.core.batch import align
    from ontoeval.measures.confusion_rules import Confusion
    from ontoeval.reports import confusion as tables
    from ontoeval.reports.formats import FORMATS, as_json

    chosen = Confusion(rule, variant)
    groups = _groups(inputs, {"level": level, "cut": cut or None, "branch": branch})
    if groups or relations:
        _refuse_without_relations(inputs, rule)
    if out_file is not None and out_file.suffix not in SUFFIXES:
        raise ParameterError("--out", str(out_file), f"a file that ends in {', '.join(SUFFIXES)}")
    with progress("Reading", 2) as step:
        files = inputs.labels(truth, run, step=step)
    true, predicted = (file.sets for file in files)
    hierarchy = inputs.hierarchy
    batch = align(true, predicted, hierarchy=hierarchy, missing=missing)
    remarks = [*inputs.remarks(files), *remarks_on_missing(run, true, predicted)]
    content = None
    if rule == "one-vs-rest":
        table = _decisions(run, counts_of(batch), "Each concept against the rest")
        show(table, output, inputs=remarks)
    else:
        matrix = matrix_of(batch, chosen)
        matrix = matrix.aggregated(hierarchy, **groups) if groups and hierarchy is not None else matrix
        if relations and hierarchy is not None:
            table = _show_relations(matrix, hierarchy, top, output, remarks)
        else:
            values = matrix.matrix if normalise == "none" else matrix.normalised(normalise)
            table = tables.matrix_table(matrix, values)
            content = tables.matrix_content(matrix, values) if output == "json" or out_file else None
            if content and output == "json":
                emit(as_json({**content, "inputs": remarks}))
            elif output == "table":
                _show_matrix(matrix, normalise, top)
                tensor = rule.startswith("tensor")
                if not (tensor and groups):
                    counts = tensor_of(batch, variant).counts() if tensor else matrix.counts()
                    title = "Counts by both planes of the tensor" if tensor else f"Counts by the rule {rule}"
                    show(_decisions(run, counts, title), output)
            else:
                show(table, output)
    tell(remarks, output)
    if out_file is not None:
        kind = SUFFIXES[out_file.suffix]
        text = as_json({**content, "inputs": remarks}) if kind == "json" and content else FORMATS[kind](table)
        write_all({out_file: text})


def _decisions(run: Path, counts: ConceptCounts, title: str) -> Table:
    """List the decisions of a run about every concept, under the name that it has in all tables."""
    from ontoeval.reports.evaluation import per_concept

    return per_concept(dict(zip(short_names([run]), [counts], strict=True)), title)


def _show_matrix(matrix: ConfusionMatrix, normalise: Literal["none", "true", "predicted"], top: int) -> None:
    """Draw a heatmap where it fits, and list the largest confusions."""
    from ontoeval.reports.confusion import top_confusions
    from ontoeval.reports.terminal import heatmap, heatmap_width

    if heatmap_width(matrix.rows, matrix.columns) > out.width:
        told = f"A heatmap of {len(matrix.columns)} concepts is too wide here. --out FILE writes the matrix"
        tell([f"{told}; with an ontology --level, --cut and --branch sum the concepts to fewer."], "table")
    else:
        by: Literal["true", "predicted"] = "predicted" if normalise == "predicted" else "true"
        title = f"Confusion matrix, rule {matrix.rule}: % of what is {by}; rows are true, columns predicted"
        out.print(heatmap(title, matrix.rows, matrix.columns, matrix.normalised(by)))
    show(top_confusions(matrix, top), "table")


def _show_relations(
    matrix: ConfusionMatrix, hierarchy: Hierarchy, top: int, output: Format, remarks: list[str]
) -> Table:
    """Sum what was confused by how it is related, and list the largest confusions."""
    from ontoeval.reports import confusion as tables

    table = tables.relations(matrix, hierarchy)
    show(table, output, inputs=remarks)
    if output == "table":
        show(tables.top_related(matrix, hierarchy, top), output)
    return table


def _refuse_without_relations(inputs: Inputs, rule: str) -> None:
    if inputs.ontology is None:
        raise ParameterError("--level, --cut, --branch, --relations", "given", "an --ontology beside them")
    if rule == "one-vs-rest":
        raise ParameterError(
            "--rule", rule, "a rule with a matrix beside --level, --cut, --branch and --relations"
        )


def _groups(inputs: Inputs, given: dict[str, Any]) -> dict[str, Any]:
    """Say by which concepts rows and columns are summed; nothing where they are not."""
    chosen = {name: value for name, value in given.items() if value is not None}
    if len(chosen) > 1:
        only_one = "no other of --level, --cut and --branch beside it"
        raise ParameterError(f"--{next(iter(chosen))}", "given", only_one)
    if inputs.ontology is not None:
        if "cut" in chosen:
            chosen["cut"] = list(inputs.ontology.resolve_all(chosen["cut"]).values())
        if "branch" in chosen:
            chosen["branch"] = inputs.ontology.resolve(chosen["branch"])
    return chosen
