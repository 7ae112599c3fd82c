"""``ontoeval agreement``: inter-annotator agreement, the weights that follow, and the consensus."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.options import Format, Output, Report, output_option
from ontoeval.cli.reading import Reader, reader_of
from ontoeval.comparison.plan import INTERVAL, LEVEL, RESAMPLES, SEED
from ontoeval.core.checks import (
    Coefficient,
    ColumnsAre,
    ConsensusMethod,
    IntervalMethod,
    Repeats,
    Ties,
    Uncertain,
    whole_number,
)
from ontoeval.core.writing import Content, check_table_name, refuse_overlaps, write_all
from ontoeval.errors import ParameterError, pluralise
from ontoeval.labels.options import ReadingOptions
from ontoeval.options import Opt
from ontoeval.reports.kinds import check_report

if TYPE_CHECKING:
    from ontoeval.annotators.agreement import AnnotatorAgreement
    from ontoeval.annotators.annotations import Annotations
    from ontoeval.annotators.consensus import Consensus
    from ontoeval.annotators.simulation import Sufficiency
    from ontoeval.core.table import Table

_column = partial(Opt, panel="Tables of annotations")


@dataclass(frozen=True, kw_only=True)
class AnnotationOptions:
    """Files of annotations, and how they are read."""

    annotations: Annotated[
        tuple[Path, ...],
        Opt(
            "Tables with the annotator in a column or in the header, or one label file per annotator.",
            metavar="ANNOTATIONS",
            positional=True,
        ),
    ]
    uncertain: Annotated[Uncertain, Opt("Meaning of -1: not asked (missing), absent, or present.")] = (
        "missing"
    )
    sample_column: Annotated[str | None, _column("Column of the samples, unless its name shows it.")] = None
    annotator_column: Annotated[str | None, _column("Column of the annotators.")] = None
    concept_column: Annotated[str | None, _column("Column of the concepts, or labels.")] = None
    ignore_column: Annotated[tuple[str, ...], _column("Column that is not read; can be repeated.")] = ()
    columns: Annotated[
        ColumnsAre | None,
        _column(
            "Remaining columns: 'annotators' (the file's name is the concept; default for one file) or "
            "'concepts' (the file's name is the annotator; default for several)."
        ),
    ] = None
    repeats: Annotated[Repeats, _column("Duplicate annotations: refuse them, or merge them.")] = "refuse"

    def read(self, reader: Reader) -> tuple[Annotations, list[str]]:
        """Read the files."""
        from ontoeval.labels.annotations import read_annotation_files

        close = reader.reading.get("close", False)
        if close and reader.hierarchy is None:
            expected = "an --ontology beside it, whose hierarchy tells the ancestors"
            raise ParameterError("--close", close, expected)
        files = read_annotation_files(
            *self.annotations,
            ontology=reader.ontology,
            uncertain=self.uncertain,
            sample_column=self.sample_column,
            annotator_column=self.annotator_column,
            concept_column=self.concept_column,
            ignore_columns=self.ignore_column,
            columns=self.columns,
            repeats=self.repeats,
            **reader.but("close", "repeats"),
        )
        found, hierarchy = files.annotations, reader.hierarchy
        return (found.closed(hierarchy) if close and hierarchy else found), list(files.notes)


@dataclass(frozen=True, kw_only=True)
class AgreementOutputs:
    """Files of agreement and consensus."""

    out: Annotated[
        Path | None,
        output_option("Write the weights: concept,agreement, for score --agreement.", flags=("--out", "-o")),
    ] = None
    per_concept: Annotated[
        Path | None,
        output_option("Write all coefficients of all concepts, with intervals, as CSV."),
    ] = None
    pairs: Annotated[
        Path | None,
        output_option("Write Cohen's κ of every pair of annotators, as CSV."),
    ] = None
    truth: Annotated[Path | None, output_option("Write the consensus as a label file: id,labels.")] = None
    report: Report = None

    def check(self, read: Sequence[Path]) -> None:
        """Refuse what cannot be written."""
        tables = {
            "--out": self.out,
            "--per-concept": self.per_concept,
            "--pairs": self.pairs,
            "--truth": self.truth,
        }
        refuse_overlaps({**tables, "--report": self.report}, read)
        for option, path in tables.items():
            if path is not None:
                check_table_name(option, path)
        check_report(self.report)

    def write(
        self,
        found: AnnotatorAgreement,
        coefficient: Coefficient,
        weights: Mapping[str, float],
        consensus: tuple[ConsensusMethod, Consensus] | None,
    ) -> list[str]:
        """Write all files or none; give remarks on them."""
        from ontoeval.annotators.agreement import notes_on_weights
        from ontoeval.annotators.concept_agreement import TITLES
        from ontoeval.labels.writers import write_labels
        from ontoeval.reports import agreement as tables
        from ontoeval.reports.formats import to_csv

        texts = {
            self.out: tables.weights(weights),
            self.per_concept: tables.per_concept(found, coefficient, intervals=True),
            self.pairs: tables.pairs(found),
        }
        contents: dict[Path, Content] = {
            path: to_csv(table) for path, table in texts.items() if path is not None
        }
        remarks: list[str] = []
        if self.report is not None:
            contents[self.report] = found.report()
        if self.truth is not None and consensus is not None:
            method, agreed = consensus
            contents[self.truth] = partial(write_labels, agreed.sets)
            count = pluralise(len(agreed.sets), "sample")
            remarks += [f"{self.truth}: {method} consensus of {count}", *agreed.notes]
        write_all(contents)
        if self.out is not None:
            count = pluralise(len(weights), "concept")
            remarks += [
                f"{self.out}: {TITLES[coefficient]} of {count}",
                *notes_on_weights(found, coefficient),
            ]
        return remarks


def agreement(  # noqa: PLR0913 - one for each option
    reading: ReadingOptions,
    sources: AnnotationOptions,  # whose `repeats` replaces that of scores
    outputs: AgreementOutputs,
    *,
    threshold: Annotated[str | None, Opt("", hidden=True)] = None,
    coefficient: Annotated[
        Coefficient, Opt("The coefficient that weights concepts.", flags=("--coefficient", "-c"))
    ] = "majority",
    undefined: Annotated[
        float | None, Opt("Weight of concepts whose coefficient is undefined; by default they are left out.")
    ] = None,
    cost: Annotated[str, Opt("Costs of the hierarchical distance between sets.")] = "depth-weighted",
    consensus: Annotated[
        ConsensusMethod,
        Opt(
            "Method of the consensus: majority; the majority made consistent with the ontology; or the "
            "model of Dawid and Skene."
        ),
    ] = "majority",
    ties: Annotated[Ties, Opt("Labels that half of the annotators see.")] = "absent",
    resamples: Annotated[int, replace(RESAMPLES, panel=None)] = 1000,
    level: Annotated[float, replace(LEVEL, panel=None)] = 0.95,
    interval: Annotated[IntervalMethod, replace(INTERVAL, panel=None)] = "percentile",
    seed: Annotated[int, replace(SEED, panel=None)] = 0,
    top: Annotated[
        int,
        output_option("How many concepts that annotators confuse are listed."),
    ] = 10,
    output: Output = "table",
) -> None:
    """Measure inter-annotator agreement; write concept weights and consensus labels."""
    from ontoeval.annotators.agreement import agreement as agreement_of
    from ontoeval.annotators.annotator_comparison import annotator_confusion
    from ontoeval.annotators.consensus import consensus_with_notes
    from ontoeval.annotators.simulation import sufficiency
    from ontoeval.cli.terminal import progress
    from ontoeval.reports.agreement import confusions

    if threshold is not None:
        raise ParameterError("--threshold", threshold, "nothing: annotations have no scores")
    whole_number("--top", top)
    if consensus == "consistent" and reading.ontology is None:
        raise ParameterError("--consensus", consensus, "an --ontology beside it")
    reader = reader_of(reading)
    outputs.check((*sources.annotations, *reader.files))
    with progress("Comparing", 4) as step:
        annotations, remarks = sources.read(reader)
        step()
        how: dict[str, Any] = {"cost": cost, "resamples": resamples, "level": level, "interval": interval}
        found = agreement_of(annotations, hierarchy=reader.hierarchy, seed=seed, **how)
        step()
        of_all = "majority" if coefficient == "cohen" else coefficient
        curve = sufficiency(annotations, coefficient=of_all, seed=seed)
        step()
        confused = []
        if annotations.comparable:
            confused.append(confusions(annotations, annotator_confusion(annotations, seed=seed), top))
        else:
            remarks.append(
                "confusions: none are listed, since no two annotators decide every concept of a sample"
            )
        step()
    together = None
    if outputs.truth is not None:
        how = {"method": consensus, "hierarchy": reader.hierarchy, "ties": ties, "progress": progress}
        together = consensus, consensus_with_notes(annotations, **how)
    weights = found.weights(coefficient, undefined=undefined)
    remarks += outputs.write(found, coefficient, weights, together)
    first, more = _tables(found, curve, coefficient, output)
    _show(first, [*more, *confused], output, remarks)


def _tables(
    found: AnnotatorAgreement, curve: Sequence[Sufficiency], coefficient: Coefficient, output: Format
) -> tuple[Table, list[Table]]:
    """Make the tables: whole for programs, narrow for people."""
    from ontoeval.reports import agreement as tables

    first, each = tables.per_concept(found, coefficient), tables.annotators(found)
    of_all, sets, fewer = tables.overall(found), tables.of_sets(found), tables.fewer_annotators(curve)
    if output in {"csv", "json"}:
        return first, [of_all, sets, each, fewer]
    more = [tables.brief(each), tables.brief(fewer)]
    if len(found.concepts) > 1:  # of a single one these would say once more what its own table says
        more = [tables.brief(of_all), tables.brief(sets), *more]
    return tables.brief_per_concept(first, coefficient), more


def _show(first: Table, more: list[Table], output: Format, remarks: list[str]) -> None:
    """Print the tables; of CSV, the first alone."""
    from ontoeval.cli.terminal import present, show

    if output == "json":
        from ontoeval.reports.formats import to_json

        rest = [json.loads(to_json(table)) for table in more]
        show(first, output, tables=rest, inputs=remarks)
    else:
        present([first] if output == "csv" else [first, *more], output, {"inputs": remarks})
