"""``ontoeval confusion`` and ``ontoeval explain``: one run against the truth, by concept and by label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import compress
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ontoeval.benchmarks.inputs import Reader, reader_of
from ontoeval.benchmarks.scoring_options import (
    AGREEMENT,
    AGREEMENT_DEFAULT,
    MISSING,
    SAMPLE_WEIGHTS,
    TRUTH,
    Output,
    output_option,
)
from ontoeval.core.choices import Missing
from ontoeval.errors import InputError, ParameterError, did_you_mean, pluralise
from ontoeval.labels.reading_options import ONTOLOGY, ReadingOptions
from ontoeval.options import PICTURES, Opt
from ontoeval.plumbing.files import short_names
from ontoeval.plumbing.writing import write_aside

if TYPE_CHECKING:
    from ontoeval.confusion.matrix import ConfusionMatrix, Normalise
    from ontoeval.confusion.one_vs_rest import ConceptCounts
    from ontoeval.core.batch import Batch
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.table import Table

WIDEST = 16  # columns of a matrix that a terminal has room for

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
        Literal["none", "true", "predicted", "all"],
        Opt("Divide by row sums (true: recall), column sums (predicted: precision), or all.", brief=True),
    ] = "none",
    top: Annotated[
        int, output_option("How many of the largest confusions to list.", least=0, brief=True)
    ] = 20,
    level: Annotated[
        int | None,
        Opt("Sum rows and columns by the concepts of this depth; a root has 0.", least=0, brief=True),
    ] = None,
    cut: Annotated[
        tuple[str, ...],
        Opt("Sum rows and columns by this concept and all below it; can be repeated.", metavar="CONCEPT"),
    ] = (),
    branch: Annotated[
        str | None, Opt("Keep the concepts of this branch, and sum all others to one.", metavar="CONCEPT")
    ] = None,
    missing: Annotated[Missing, MISSING] = "refuse",
    sample_weights: Annotated[Path | None, SAMPLE_WEIGHTS] = None,
    figure: Annotated[
        Path | None, output_option("Draw the matrix into this .pdf, .png or .svg file.", metavar="FILE")
    ] = None,
    output: Output = "table",
) -> None:
    """Show which concepts were taken for which others."""
    from ontoeval.benchmarks.dataset import remarks_on_missing
    from ontoeval.cli.terminal import emit, progress, show, tell
    from ontoeval.confusion.matrix import matrix_of
    from ontoeval.confusion.one_vs_rest import counts_of
    from ontoeval.core.label_sets import only_samples
    from ontoeval.evaluation.alignment import align
    from ontoeval.evaluation.parts import UnmatchedSamples
    from ontoeval.measures.confusion_rules import Confusion, usual_rule
    from ontoeval.reports import confusion as tables
    from ontoeval.reports.formats import as_json

    reader = reader_of(reading)
    chosen = Confusion(rule or usual_rule(reader.hierarchy), variant)
    groups = _groups(reader, chosen.rule, {"level": level, "cut": cut, "branch": branch})
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
    remarks += _draw(matrix, None if groups else hierarchy, figure)
    if matrix is None:
        show(_decisions(run, counts_of(batch), "Each concept against the rest"), output, inputs=remarks)
    elif output == "table":
        _show_matrix(matrix, "true" if normalise == "none" else normalise, top)
        for table in _count_decisions(run, batch, matrix, grouped=bool(groups)):
            show(table, output)
    else:
        written = matrix if normalise == "none" else matrix.normalised(normalise)
        if output == "json":  # without a table, which of 5,000 concepts takes a gigabyte
            emit(as_json({**tables.matrix_content(written), "inputs": remarks}))
        else:
            show(tables.matrix_table(written), output)
    # CSV has no place for notes.
    if matrix is not None and output == "csv":
        remarks.append(f"Rule {matrix.rule}. {matrix.pairing}")
    tell(remarks, output)


def _draw(matrix: ConfusionMatrix | None, hierarchy: Hierarchy | None, figure: Path | None) -> list[str]:
    """Draw a matrix into a file, and name the file."""
    if figure is None:
        return []
    if figure.suffix not in PICTURES or matrix is None:
        expected = f"a file that ends in one of {', '.join(PICTURES)}, and a --rule with a matrix"
        raise ParameterError("--figure", str(figure), expected)
    drawn: Any = matrix.plot(hierarchy=hierarchy).figure
    with write_aside(figure) as aside:
        drawn.savefig(aside, format=figure.suffix[1:])
    return [f"{figure}: figure of the matrix"]


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
        other = ", not those of score" * (matrix.rule != "multiclass")
        yield _decisions(run, matrix.counts(), f"Counts by the rule {matrix.rule}{other}")


def _decisions(run: Path, counts: ConceptCounts, title: str) -> Table:
    from ontoeval.reports.evaluation import per_concept

    return per_concept(dict(zip(short_names([run]), [counts], strict=True)), title)


def _show_matrix(matrix: ConfusionMatrix, normalise: Normalise, top: int) -> None:
    """Show the shares where they fit, and list the largest confusions."""
    from ontoeval.cli.terminal import show, tell
    from ontoeval.reports.confusion import matrix_table, top_confusions, unmatched

    if len(matrix.columns) > WIDEST:
        told = f"{len(matrix.columns)} columns are too many for a matrix here; --out FILE writes the matrix"
        tell([f"{told}; with an ontology --level, --cut and --branch sum the concepts to fewer."], "table")
    else:
        show(replace(matrix_table(matrix.normalised(normalise)), notes=()), "table")
    show(top_confusions(matrix, top), "table")
    if matrix.rule == "transport" and matrix.unmatched(1):
        show(unmatched(matrix, top), "table")


def _groups(reader: Reader, rule: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Find the concepts by which rows and columns are summed, if any."""
    chosen = {name: value for name, value in given.items() if value not in {None, ()}}
    if not chosen:
        return {}
    if len(chosen) > 1 or reader.ontology is None or rule == "one-vs-rest":
        expected = "an --ontology, a --rule with a matrix, and one alone of --level, --cut and --branch"
        name, value = next(iter(chosen.items()))
        raise ParameterError(f"--{name}", value, expected)
    if "cut" in chosen:
        chosen["cut"] = list(reader.ontology.resolve_all(chosen["cut"]).values())
    if "branch" in chosen:
        chosen["branch"] = reader.ontology.resolve(chosen["branch"])
    return chosen
