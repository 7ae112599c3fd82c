"""``ontoeval confusion`` and ``ontoeval explain``: one run against the truth, by concept and by label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import compress
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ontoeval.benchmarks.destinations import ENDINGS, Destinations
from ontoeval.benchmarks.inputs import Reader, files_of, reader_of
from ontoeval.benchmarks.scoring_options import (
    AGREEMENT,
    AGREEMENT_DEFAULT,
    MISSING,
    SAMPLE_WEIGHTS,
    TRUTH,
    Format,
    Output,
    Runs,
    output_option,
)
from ontoeval.core.choices import Missing
from ontoeval.errors import InputError, ParameterError, did_you_mean, join_with_and, pluralise
from ontoeval.labels.reading_options import ONTOLOGY, ReadingOptions
from ontoeval.options import Opt
from ontoeval.plumbing.files import short_names

if TYPE_CHECKING:
    from ontoeval.confusion.matrix import ConfusionMatrix
    from ontoeval.confusion.one_vs_rest import ConceptCounts
    from ontoeval.core.batch import Batch
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.table import Table

RUN = Opt("File of the predicted labels.", metavar="RUN", positional=True)


def explain(
    truth: Annotated[Path, TRUTH],
    run: Annotated[Path, RUN],
    sample: Annotated[str, Opt("Identifier of the sample.", metavar="SAMPLE", positional=True)],
    reading: ReadingOptions,
    *,
    ontology: Annotated[str, ONTOLOGY],
    measures: Annotated[
        tuple[str, ...],
        Opt(
            "Measure in its notation; can be repeated. By default the one that ranks, hF or LCaF, and OS. An "
            "ontology score among them is explained.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
            brief=True,
        ),
    ] = (),
    agreement: Annotated[Path | None, AGREEMENT] = None,
    agreement_default: Annotated[float | None, AGREEMENT_DEFAULT] = None,
    sample_weights: Annotated[Path | None, SAMPLE_WEIGHTS] = None,
    missing: Annotated[
        Missing,
        Opt(
            "A sample that only one file has: refuse it, or count it as unlabelled in the other.", brief=True
        ),
    ] = "refuse",
    output: Output = "table",
) -> None:
    """Explain the scores of one sample, label by label."""
    from ontoeval.cli.terminal import present, progress
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.evaluation.explanation import explain as explanation_of
    from ontoeval.reports.evaluation import explained

    del ontology  # it is among the options of reading; here it only is no longer optional
    reader = reader_of(reading)
    with progress("Reading", 2) as step:
        weights = reader.agreement(agreement, agreement_default)
        files = reader.labels(truth, run, step=step)
    true, predicted = (file.sets for file in files)
    for path, sets in ((truth, true), (run, predicted)):
        if missing == "refuse" and sample not in sets.row:
            other = sample in true.row or sample in predicted.row
            remedy = (
                "Pass --missing empty to count it as unlabelled there."
                if other
                else "Name one of its samples."
            )
            found = f"no sample {sample!r}{'' if other else did_you_mean(sample, sets.samples)}"
            raise InputError(found, remedy, where=path)
    hierarchy = reader.hierarchy or Hierarchy.flat(true.vocabulary)
    explanation = explanation_of(
        true,
        predicted,
        sample,
        hierarchy=hierarchy,
        agreement=weights,
        measure=measures or None,
        sample_weight=reader.sample_weights(sample_weights, files[0]),
    )
    table = explained(explanation)
    charged = [one.kind != "common" or one.charge > 0 for one in explanation.charges]
    if output == "table" and any(charged) and not all(charged):
        left = f"Not listed: {pluralise(charged.count(False), 'label')} in common, without a charge."
        table = replace(table, rows=tuple(compress(table.rows, charged)), notes=(left, *table.notes))
    present([table], output, {"inputs": reader.remarks(files)})


def confusion(  # noqa: PLR0913 - one for each option and kind of table
    truth: Annotated[Path, TRUTH],
    run: Annotated[Path, RUN],
    reading: ReadingOptions,
    *,
    rule: Annotated[
        Literal[
            "transport", "krstinic", "mlcm", "tensor-recall", "tensor-precision", "multiclass", "one-vs-rest"
        ]
        | None,
        Opt(
            "How missed and false labels are paired: transport pairs them one to one, the nearest first; the "
            "others are published rules. By default transport with an ontology, else krstinic.",
            brief=True,
        ),
    ] = None,
    variant: Annotated[
        str | None,
        Opt(
            "Variant of the rule. transport: 'facets given', 'related given' or 'all given'; or 'facets', "
            "'related' or 'all', which pair the most specific labels alone. mlcm: paper or package. "
            "tensor-recall and tensor-precision: unique or case. By default the first of the rule."
        ),
    ] = None,
    normalise: Annotated[
        Literal["none", "true", "predicted"],
        Opt("Divide by row sums (true: recall) or by column sums (predicted: precision).", brief=True),
    ] = "none",
    top: Annotated[
        int,
        output_option("How many of the largest confusions to list.", least=0, brief=True),
    ] = 20,
    level: Annotated[
        int | None,
        Opt("Sum rows and columns by the concepts of this depth in the ontology.", least=0, brief=True),
    ] = None,
    cut: Annotated[
        tuple[str, ...],
        Opt("Sum rows and columns by this concept and all below it; can be repeated.", metavar="CONCEPT"),
    ] = (),
    branch: Annotated[
        str | None,
        Opt("Keep the concepts of this branch, and sum all others to one.", metavar="CONCEPT"),
    ] = None,
    relations: Annotated[
        bool, Opt("Show how confused concepts are related: parent, child, sibling and so on.")
    ] = False,
    missing: Annotated[Missing, MISSING] = "refuse",
    sample_weights: Annotated[Path | None, SAMPLE_WEIGHTS] = None,
    output: Annotated[
        Format,
        output_option(
            "'table': a heatmap where it fits, the top confusions and the counts; else the matrix.",
            flags=("--format",),
        ),
    ] = "table",
    out: Annotated[
        Path | None,
        output_option(
            "Write the matrix to this .csv, .json, .md or .tex file, or in each format into this folder.",
            metavar="FOLDER|FILE",
            flags=("--out", "-o"),
            brief=True,
        ),
    ] = None,
) -> None:
    """Show which concepts were taken for which others."""
    from ontoeval.benchmarks.dataset import remarks_on_missing
    from ontoeval.cli.terminal import emit, progress, show, tell, warn
    from ontoeval.confusion.matrix import matrix_of
    from ontoeval.confusion.one_vs_rest import counts_of
    from ontoeval.core.label_sets import only_samples
    from ontoeval.evaluation.alignment import align
    from ontoeval.evaluation.parts import UnmatchedSamples
    from ontoeval.measures.confusion_rules import Confusion, usual_rule
    from ontoeval.reports import confusion as tables
    from ontoeval.reports.formats import FORMATS, as_json

    places = Destinations(out, [f"confusion{ending}" for ending in ENDINGS])
    places.check((truth, run, *files_of(reading).values()), Runs((), ()), {})
    reader, content = reader_of(reading), None
    chosen = Confusion(rule or usual_rule(reader.hierarchy), variant)
    groups = _groups(reader, {"level": level, "cut": list(cut) or None, "branch": branch})
    if groups or relations:
        _refuse_without_relations(reader, chosen.rule)
    with progress("Reading", 2) as step:
        files = reader.labels(truth, run, step=step)
    true, predicted, hierarchy = files[0].sets, files[1].sets, reader.hierarchy
    weights = reader.sample_weights(sample_weights, files[0])
    batch = align(true, predicted, hierarchy=hierarchy, missing=missing, sample_weight=weights)
    unmatched = remarks_on_missing(run, *map(UnmatchedSamples.of_all, only_samples(true, predicted)))
    remarks = [*reader.remarks(files), *unmatched, *_on_weights(batch)]
    matrix = None if chosen.rule == "one-vs-rest" else matrix_of(batch, chosen)
    if matrix is not None and groups and hierarchy is not None:
        matrix = matrix.aggregated(hierarchy, **groups)
    if matrix is None:
        table = cache(partial(_decisions, run, counts_of(batch), "Each concept against the rest"))
        show(table(), output, inputs=remarks)
    elif relations and hierarchy is not None:
        table = cache(partial(_show_relations, matrix, hierarchy, top, output, remarks))
        table()
    else:
        values = matrix.matrix if normalise == "none" else matrix.normalised(normalise)
        table = cache(partial(tables.matrix_table, matrix, values))  # of 5,000 concepts a gigabyte
        content = tables.matrix_content(matrix, values) if output == "json" or out else None
        if content and output == "json":
            emit(as_json({**content, "inputs": remarks}))
        elif output == "table":
            _show_matrix(matrix, normalise, top)
            for counts in _count_decisions(run, batch, matrix, grouped=bool(groups)):
                show(counts, output)
        else:
            show(table(), output)
    # CSV has no place for notes.
    tell([*remarks, *(table().notes if output == "csv" else ())], output)

    def text(kind: Format) -> str:
        return (
            as_json({**content, "inputs": remarks}) if kind == "json" and content else FORMATS[kind](table())
        )

    def texts() -> dict[str, str]:
        return {f"confusion{ending}": text(kind) for ending, kind in ENDINGS.items()}

    warn(places.write(texts, public=False, printed=text))


def _on_weights(batch: Batch) -> list[str]:
    """Remark on the weights of samples, by which matrix and counts are sums of weights."""
    weights = batch.sample_weight
    return [] if weights is None else [f"Weighted samples: the weights sum to {fsum(weights):.12g}"]


def _count_decisions(run: Path, batch: Batch, matrix: ConfusionMatrix, *, grouped: bool) -> Iterator[Table]:
    """Count the decisions of each concept, as far as the rule allows it."""
    from ontoeval.confusion.matrix import tensor_of
    from ontoeval.confusion.one_vs_rest import counts_of

    if matrix.rule.startswith("tensor") and not grouped:
        counts = tensor_of(batch, matrix.variant).counts()
        yield _decisions(run, counts, "Counts by both planes of the tensor")
    elif matrix.rule == "transport" and not grouped:
        yield _decisions(run, counts_of(batch), "Each concept against the rest")
    elif not matrix.rule.startswith(("tensor", "transport")):
        yield _decisions(run, matrix.counts(), f"Counts by the rule {matrix.rule}")


def _decisions(run: Path, counts: ConceptCounts, title: str) -> Table:
    from ontoeval.reports.evaluation import per_concept

    return per_concept(dict(zip(short_names([run]), [counts], strict=True)), title)


def _show_matrix(matrix: ConfusionMatrix, normalise: Literal["none", "true", "predicted"], top: int) -> None:
    """Draw a heatmap where it fits, and list the largest confusions."""
    from ontoeval.cli.terminal import out, show, tell
    from ontoeval.reports.confusion import top_confusions, unmatched
    from ontoeval.reports.terminal import heatmap, heatmap_width

    rows, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    by: Literal["true", "predicted"] = "predicted" if normalise == "predicted" else "true"
    title = f"Confusion matrix, rule {matrix.rule}: % of what is {by}; rows are true, columns predicted"
    if heatmap_width(rows, columns) > out.width:
        told = f"{len(matrix.columns)} concepts are too many for a heatmap here; --out FILE writes the matrix"
        tell([f"{told}; with an ontology --level, --cut and --branch sum the concepts to fewer."], "table")
    else:
        out.print(heatmap(title, rows, columns, matrix.normalised(by)))
    show(top_confusions(matrix, top), "table")
    if matrix.rule == "transport" and matrix.unmatched(1):
        show(unmatched(matrix, top), "table")


def _show_relations(
    matrix: ConfusionMatrix, hierarchy: Hierarchy, top: int, output: Format, remarks: list[str]
) -> Table:
    from ontoeval.cli.terminal import show
    from ontoeval.reports import confusion as tables

    table = tables.relations(matrix, hierarchy)
    show(table, output, inputs=remarks)
    if output == "table":
        show(tables.top_related(matrix, hierarchy, top), output)
    return table


def _refuse_without_relations(reader: Reader, rule: str) -> None:
    if reader.ontology is None:
        problem = "--level, --cut, --branch and --relations need an ontology"
        raise InputError(problem, "Name it: --ontology FILE.")
    if rule == "one-vs-rest":
        raise ParameterError(
            "--rule", rule, "a rule with a matrix beside --level, --cut, --branch and --relations"
        )


def _groups(reader: Reader, given: dict[str, Any]) -> dict[str, Any]:
    """Find the concepts by which rows and columns are summed, if any."""
    chosen = {name: value for name, value in given.items() if value is not None}
    if len(chosen) > 1:
        both = join_with_and([f"--{name}" for name in chosen])
        raise InputError(f"{both} exclude each other", "Choose one.")
    if reader.ontology is not None:
        if "cut" in chosen:
            chosen["cut"] = list(reader.ontology.resolve_all(chosen["cut"]).values())
        if "branch" in chosen:
            chosen["branch"] = reader.ontology.resolve(chosen["branch"])
    return chosen
