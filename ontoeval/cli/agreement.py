"""``ontoeval agreement``: how far annotators agree, the weights that follow, and what they say together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ontoeval.cli.inputs import Inputs
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, progress, show, tell, write_all
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.report.table import Table

Coefficient = Literal["majority", "pairwise", "unanimous", "fleiss", "randolph", "ac1", "alpha", "cohen"]


@reads_labels
def agreement(  # noqa: PLR0913 - one for each option
    annotations: Annotated[
        list[Path],
        typer.Argument(
            help="Tables with the annotator in a column or in the header, or one label file per annotator."
        ),
    ],
    *,
    inputs: Inputs,
    uncertain: Annotated[
        Literal["missing", "absent", "present"],
        typer.Option(help="What -1 stands for: as if not asked, not there, or there."),
    ] = "missing",
    coefficient: Annotated[
        Coefficient,
        typer.Option("--coefficient", "-c", help="The coefficient that is the weight of a concept."),
    ] = "majority",
    undefined: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER", help="Weight of concepts for which it is undefined; by default they are left out."
        ),
    ] = None,
    cost: Annotated[
        str, typer.Option(metavar="NAME", help="Costs of the hierarchical distance between sets.")
    ] = "depth-weighted",
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the weights: concept,agreement, for score --agreement."
        ),
    ] = None,
    per_concept: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all coefficients of all concepts, with intervals, as CSV."),
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write Cohen's κ of every pair of annotators, as CSV.")
    ] = None,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the consensus as a label file: id,labels.")
    ] = None,
    consensus: Annotated[
        Literal["majority", "consistent", "dawid-skene"],
        typer.Option(
            help="What the consensus is: what most say; this made to fit the ontology; or the model of Dawid and "
            "Skene."
        ),
    ] = "majority",
    ties: Annotated[
        Literal["absent", "present"],
        typer.Option(help="What becomes of a label that half of the annotators see."),
    ] = "absent",
    resamples: Annotated[
        int, typer.Option(metavar="NUMBER", help="Bootstrap resamples of the intervals.")
    ] = 1000,
    level: Annotated[float, typer.Option(metavar="NUMBER", help="Level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of all that is drawn.")] = 0,
    top: Annotated[
        int, typer.Option(metavar="NUMBER", help="How many concepts that annotators confuse are listed.")
    ] = 10,
    output: Annotated[Format, typer.Option("--format", help="How to print the tables.")] = "table",
) -> None:
    """Tell how far annotators agree, and write weights and consensus."""
    from ontoeval.agreements.consensus import consensus as consensus_of
    from ontoeval.agreements.result import agreement as agreement_of
    from ontoeval.agreements.sufficiency import sufficiency
    from ontoeval.io import write_labels
    from ontoeval.io.annotations import read_annotation_files
    from ontoeval.report import agreement as tables
    from ontoeval.report.formats import to_csv

    _refuse_overwriting(annotations, (output_file, per_concept, pairs, truth))
    if consensus == "consistent" and inputs.ontology is None:
        raise ParameterError("--consensus", consensus, "an --ontology beside it")
    reading = dict(inputs.reading)
    if "threshold" in reading:
        raise ParameterError("--threshold", str(reading["threshold"]), "labels: annotations have no scores")
    close = reading.pop("close", False)
    if close and inputs.ontology is None:
        raise ParameterError("--close", close, "an --ontology beside it")
    with progress("Comparing", 4) as step:
        files = read_annotation_files(*annotations, ontology=inputs.ontology, uncertain=uncertain, **reading)
        said, hierarchy = files.annotations, inputs.hierarchy
        if hierarchy is not None and close:
            said = said.closed(hierarchy)
        step()
        found = agreement_of(
            said, hierarchy=hierarchy, cost=cost, resamples=resamples, level=level, seed=seed
        )
        step()
        curve = sufficiency(said, coefficient="majority" if coefficient == "cohen" else coefficient, seed=seed)
        step()
        sets = None
        if truth is not None:
            sets = consensus_of(said, method=consensus, hierarchy=hierarchy, ties=ties)
        step()
    values = found.weights(coefficient, undefined=undefined)
    remarks = [*files.notes, *_remarks(coefficient, len(said.vocabulary) - len(values), found.below_chance(coefficient))]
    if truth is not None and sets is not None:
        write_labels(sets, truth)
        remarks.append(f"{truth}: the {consensus} of {len(sets):,} samples")
    texts = {
        output_file: lambda: to_csv(tables.weights(values)),
        per_concept: lambda: to_csv(tables.per_concept(found, coefficient, intervals=True)),
        pairs: lambda: to_csv(tables.pairs(found)),
    }
    write_all({path: text() for path, text in texts.items() if path is not None})
    if output_file is not None:
        remarks.append(f"{output_file}: {tables.TITLES[coefficient]} of {len(values):,} concepts")
    _show(
        [
            tables.per_concept(found, coefficient),
            tables.overall(found),
            tables.of_sets(found),
            tables.annotators(found),
            tables.fewer_annotators(curve),
        ],
        output,
        remarks,
    )
