"""``ontoeval agreement``: how far annotators agree, the weights that follow, and what they say together."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.annotations import Sources, reads_annotations
from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import output_option
from ontoeval.cli.reports import Report
from ontoeval.cli.terminal import Format, present, progress, show
from ontoeval.core.checks import whole_number
from ontoeval.core.choices import Coefficient, ConsensusMethod, IntervalMethod, Ties
from ontoeval.core.writing import apart, check_table_name, write_all
from ontoeval.errors import ParameterError, counted
from ontoeval.reports.kinds import check_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ontoeval.annotators.agreement import AnnotatorAgreement as Agreement
    from ontoeval.annotators.sufficiency import Sufficiency
    from ontoeval.core.table import Table


@reads_annotations
def agreement(  # noqa: PLR0913 - one for each option
    *,
    inputs: Inputs,
    sources: Sources,
    threshold: Annotated[str | None, typer.Option(hidden=True)] = None,
    coefficient: Annotated[
        Coefficient,
        typer.Option("--coefficient", "-c", help="The coefficient that is the weight of a concept."),
    ] = "majority",
    undefined: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="Weight of concepts for which it is undefined; by default they are left out.",
        ),
    ] = None,
    cost: Annotated[
        str, typer.Option(metavar="NAME", help="Costs of the hierarchical distance between sets.")
    ] = "depth-weighted",
    out: Annotated[
        Path | None,
        output_option(
            "--out", "-o", metavar="FILE", help="Write the weights: concept,agreement, for score --agreement."
        ),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Write all coefficients of all concepts, with intervals, as CSV."),
    ] = None,
    pairs: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Write Cohen's κ of every pair of annotators, as CSV."),
    ] = None,
    truth: Annotated[
        Path | None, output_option(metavar="FILE", help="Write the consensus as a label file: id,labels.")
    ] = None,
    consensus: Annotated[
        ConsensusMethod,
        typer.Option(
            help="What the consensus is: what most say; this made to fit the ontology; or what the model of "
            "Dawid and Skene has."
        ),
    ] = "majority",
    ties: Annotated[
        Ties,
        typer.Option(help="What becomes of a label that half of the annotators see."),
    ] = "absent",
    resamples: Annotated[
        int, typer.Option(metavar="NUMBER", help="Bootstrap resamples of the intervals.")
    ] = 1000,
    level: Annotated[float, typer.Option(metavar="NUMBER", help="Level of the intervals.")] = 0.95,
    interval: Annotated[
        IntervalMethod,
        typer.Option(help="How intervals are made of resamples; 'bca' corrects their bias."),
    ] = "percentile",
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of all that is drawn.")] = 0,
    top: Annotated[
        int, output_option(metavar="NUMBER", help="How many concepts that annotators confuse are listed.")
    ] = 10,
    report: Report = None,
    output: Annotated[Format, output_option("--format", help="How to print the tables.")] = "table",
) -> None:
    """Tell how far annotators agree, and write the weights that follow and the consensus."""
    if threshold is not None:
        raise ParameterError("--threshold", threshold, "nothing: annotations have no scores")
    whole_number("--top", top)
    from ontoeval.annotators.agreement import agreement as agreement_of
    from ontoeval.annotators.annotator_confusion import annotator_confusion
    from ontoeval.annotators.concept_agreement import TITLES
    from ontoeval.annotators.consensus import agreed
    from ontoeval.annotators.sufficiency import sufficiency
    from ontoeval.labels.write import write_labels
    from ontoeval.reports import agreement as tables
    from ontoeval.reports.formats import to_csv

    targets = {"--out": out, "--per-concept": per_concept, "--pairs": pairs, "--truth": truth}
    apart({**targets, "--report": report}, (*sources.paths, *inputs.files))
    for option, path in targets.items():
        if path is not None:
            check_table_name(option, path)
    check_report(report)
    if consensus == "consistent" and inputs.ontology is None:
        raise ParameterError("--consensus", consensus, "an --ontology beside it")
    with progress("Comparing", 4) as step:
        said, remarks = sources.read()
        step()
        found = agreement_of(
            said,
            hierarchy=inputs.hierarchy,
            cost=cost,
            resamples=resamples,
            level=level,
            interval=interval,
            seed=seed,
        )
        step()
        curve = sufficiency(
            said, coefficient="majority" if coefficient == "cohen" else coefficient, seed=seed
        )
        step()
        confused = []
        if said.comparable:
            confused.append(tables.confusions(said, annotator_confusion(said, seed=seed), top))
        else:
            remarks.append(
                "confusions: none are listed, since no two annotators decide every concept of a sample"
            )
        step()
    together = None
    if truth is not None:
        with progress("Finding the consensus", len(said.vocabulary)) as step:
            together = agreed(said, method=consensus, hierarchy=inputs.hierarchy, ties=ties, step=step)
    values = found.weights(coefficient, undefined=undefined)
    texts = {
        out: tables.weights(values),
        per_concept: tables.per_concept(found, coefficient, intervals=True),
        pairs: tables.pairs(found),
    }
    written = {path: to_csv(table) for path, table in texts.items() if path is not None}
    if report is not None:
        written[report] = found.report()
    labels = {}
    if truth is not None and together is not None:
        labels = {truth: partial(write_labels, together.sets)}
        remarks += [
            f"{truth}: {consensus} consensus of {counted(len(together.sets), 'sample')}",
            *together.notes,
        ]
    write_all({**written, **labels})
    if out is not None:
        remarks += [
            f"{out}: {TITLES[coefficient]} of {counted(len(values), 'concept')}",
            *found.lost(coefficient),
        ]
    first, more = _tables(found, curve, coefficient, output)
    _show(first, [*more, *confused], output, remarks)


def _tables(
    found: Agreement, curve: Sequence[Sufficiency], coefficient: Coefficient, output: Format
) -> tuple[Table, list[Table]]:
    """Make the tables: whole where programs read them, and elsewhere narrow enough for a line."""
    from ontoeval.reports import agreement as brief
    from ontoeval.reports import agreement as tables

    first, each = tables.per_concept(found, coefficient), tables.annotators(found)
    of_all, sets, fewer = tables.overall(found), tables.of_sets(found), tables.fewer_annotators(curve)
    if output in {"csv", "json"}:
        return first, [of_all, sets, each, fewer]
    more = [brief.brief_annotators(each), brief.brief_fewer_annotators(fewer)]
    if len(found.concepts) > 1:  # of a single one these would say once more what its own table says
        more = [brief.brief_overall(of_all), brief.brief_of_sets(sets), *more]
    return brief.brief_per_concept(first, coefficient), more


def _show(first: Table, more: list[Table], output: Format, remarks: list[str]) -> None:
    """Print the tables; where a program reads one, the first alone."""
    if output == "json":
        from ontoeval.reports.formats import to_json

        rest = [json.loads(to_json(table)) for table in more]
        show(first, output, tables=rest, inputs=remarks)
    else:
        present([first] if output == "csv" else [first, *more], output, {"inputs": remarks})
