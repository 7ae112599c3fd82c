"""``ontoeval explain``: how the ontology score of one sample comes about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import OPTIONS, output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, present, progress
from ontoeval.core.choices import Missing
from ontoeval.errors import InputError, near


@reads_labels
def explain(
    truth: Annotated[Path, OPTIONS["truth"]],
    run: Annotated[Path, typer.Argument(metavar="RUN", help="File of the predicted labels.")],
    sample: Annotated[str, typer.Argument(metavar="SAMPLE", help="Identifier of the sample.")],
    *,
    inputs: Inputs,
    ontology: Annotated[str, OPTIONS["ontology"]],
    measure: Annotated[
        str, typer.Option("--measure", "-m", metavar="NOTATION", help="An ontology score in its notation.")
    ] = "OS",
    agreement: Annotated[Path | None, OPTIONS["agreement"]] = None,
    agreement_default: Annotated[float | None, OPTIONS["agreement_default"]] = None,
    missing: Annotated[
        Missing,
        typer.Option(help="What to do where only one file has the sample; 'empty' takes it as unlabelled."),
    ] = "refuse",
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
) -> None:
    """Explain the ontology score of one sample, label by label."""
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.evaluation.explanation import explain as explanation_of
    from ontoeval.reports.evaluation import explained

    del ontology  # it is in the inputs; here it only is no longer optional
    with progress("Reading", 2) as step:
        weights = inputs.agreement(agreement, agreement_default)
        files = inputs.labels(truth, run, step=step)
    true, predicted = (file.sets for file in files)
    for path, sets in ((truth, true), (run, predicted)):
        if missing == "refuse" and sample not in sets.row:
            other = sample in true.row or sample in predicted.row
            remedy = (
                "Pass --missing empty to count it as unlabelled there."
                if other
                else "Name one of its samples."
            )
            found = f"no sample {sample!r}{'' if other else near(sample, sets.samples)}"
            raise InputError(found, remedy, where=path)
    hierarchy = inputs.hierarchy or Hierarchy.flat(true.vocabulary)
    explanation = explanation_of(
        true, predicted, sample, hierarchy=hierarchy, agreement=weights, measure=measure
    )
    present([explained(explanation)], output, {"inputs": inputs.remarks(files)})
