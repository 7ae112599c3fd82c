"""``ontoeval agreement``: inter-annotator agreement, the weights that follow, and the consensus."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.annotators.options import AgreementOptions, Coefficient, ConsensusMethod, TiedVotes
from ontoeval.benchmarks.inputs import Reader, files_of, reader_of
from ontoeval.benchmarks.scoring_options import Format, Output, PageOptions, output_option
from ontoeval.errors import InputError, ParameterError, pluralise
from ontoeval.labels.reading_options import AnnotationReading, ReadingOptions
from ontoeval.options import Opt, flag
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.writing import (
    FileContent,
    check_table_name,
    ending,
    is_table_name,
    refuse_overlaps,
    write_all,
)

if TYPE_CHECKING:
    from ontoeval.annotators.agreement import AnnotatorAgreement
    from ontoeval.annotators.consensus import Consensus
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.table import Table
    from ontoeval.labels.annotations import AnnotationFiles
    from ontoeval.labels.reading import LabelFileReader


@dataclass(frozen=True, kw_only=True)
class AnnotationInputs:
    """Files of annotations, and how they are read."""

    annotations: Annotated[
        tuple[Path, ...],
        Opt(
            "Tables with the annotator in a column or in the header, or one label file per annotator.",
            metavar="ANNOTATIONS",
            positional=True,
        ),
    ]
    reading: AnnotationReading

    def read(self, reader: Reader) -> AnnotationFiles:
        """Read the files."""
        from ontoeval.labels.annotations import read_annotation_files

        close, hierarchy = self.reading.labels.close, reader.hierarchy
        if close and hierarchy is None:
            expected = "an --ontology beside this option, for the ancestors"
            raise ParameterError("--close", close, expected)
        files = read_annotation_files(*self.annotations, ontology=reader.ontology, reading=self.reading)
        if close and hierarchy:
            return replace(files, annotations=files.annotations.closed(hierarchy))
        return files


@dataclass(frozen=True, kw_only=True)
class AgreementOutputs(PageOptions):
    """Files of agreement and consensus."""

    out: Annotated[
        Path | None,
        output_option(
            "Write the weights: concept,agreement, for score --agreement.", flags=("--out", "-o"), brief=True
        ),
    ] = None
    per_concept: Annotated[
        Path | None,
        output_option("Write all coefficients of all concepts, with intervals, as CSV.", brief=True),
    ] = None
    pairs: Annotated[
        Path | None,
        output_option(
            "Write Cohen's κ of every pair of annotators, of decisions and of whole label sets, as CSV."
        ),
    ] = None
    truth: Annotated[
        Path | None,
        output_option(
            "Write the consensus in the words of the annotators: as a table, or with the ending of the first "
            "file (.json, .jsonl, .xml) as this file with the labels of the consensus alone.",
            brief=True,
        ),
    ] = None
    shares: Annotated[
        Path | None,
        output_option(
            "Write the share of annotators that give each label of a sample, closed with an --ontology: "
            "sample,concept,share, a truth for score and compare."
        ),
    ] = None
    model: Annotated[
        Path | None, output_option("Write the annotators' rates by Dawid and Skene, as CSV.")
    ] = None
    probabilities: Annotated[
        Path | None, output_option("Write the probabilities of labels by Dawid and Skene, as a score file.")
    ] = None

    def check(self, read: Sequence[Path]) -> None:
        """Refuse outputs that are an input, or another output."""
        files = {flag(name): path for name, path in vars(self).items() if isinstance(path, Path)}
        refuse_overlaps(files, read)
        for option, path in files.items():
            if option != "--report" and not (option == "--truth" and self.into(read[0])):
                check_table_name(option, path)
        self.check_page()

    def into(self, first: Path) -> Path | None:
        """Find the file of annotations in which the consensus is written; None for a table."""
        named = self.truth is not None and ending(self.truth) == ending(first) and not is_table_name(first)
        return first if named else None

    def write(
        self,
        found: AnnotatorAgreement,
        coefficient: Coefficient,
        weights: Mapping[str, float],
        consensus: tuple[ConsensusMethod, Consensus] | None,
        truth: Callable[[Path], None] | None,
    ) -> list[str]:
        """Write all files or none; give remarks on them."""
        from ontoeval.annotators.agreement import notes_on_weights
        from ontoeval.annotators.concept_agreement import TITLES
        from ontoeval.reports import agreement as tables
        from ontoeval.reports.formats import to_csv

        texts = {
            self.out: tables.weights(weights),
            self.per_concept: tables.per_concept(found, coefficient, intervals=True),
            self.pairs: tables.pairs(found),
        }
        if self.shares is not None:
            texts[self.shares] = tables.shares(found.annotations.shares(found.hierarchy))
        if consensus is not None and (model := consensus[1].model) is not None:
            texts |= {self.model: tables.model_rates(model), self.probabilities: tables.probabilities(model)}
        contents: dict[Path, FileContent] = {path: to_csv(table) for path, table in texts.items() if path}
        remarks: list[str] = []
        if self.report is not None:
            contents[self.report] = found.report(**self.about)
        if consensus is not None:
            method, agreed = consensus
            if self.truth is not None and truth is not None:
                contents[self.truth] = truth
            count = pluralise(len(agreed.sets), "sample")
            written = self.truth or self.model or self.probabilities
            remarks += [f"{written}: {method} consensus of {count}", *agreed.notes]
        write_all(contents)
        if self.out is not None:
            count = pluralise(len(weights), "concept")
            remarks.append(f"{self.out}: {TITLES[coefficient]} of {count}")
            remarks += notes_on_weights(found, coefficient)
        return remarks


def _consensus_writer(
    sets: LabelSets, reading: LabelFileReader, spellings: Sequence[str], into: Path | None, out: Path
) -> Callable[[Path], None]:
    """Write label sets in the words of the annotators: as a table, or into a file of theirs."""
    from ontoeval.audit.migration import agreed_copy, named_rows
    from ontoeval.audit.patches import format_like
    from ontoeval.audit.resolved_labels import Naming
    from ontoeval.labels.writers import write_labels

    own: dict[str, str] = {}
    for text in spellings:
        found, by_name = reading.names.meaning(text)
        if by_name and len(found) == 1:
            own.setdefault(found[0], text)
    naming = Naming(reading.names, own)
    if into is not None:
        try:
            return agreed_copy(into, sets, reading, naming).checked("--truth", out, accept_losses=True)
        except InputError as error:
            problem = f"the consensus cannot be written into this file: {error.problem}"
            remedy = "Write the consensus as a table (--truth NEW.csv)."
            raise InputError(problem, remedy, where=into) from error
    rows = named_rows(sets, naming)
    layout, separator = format_like(None, rows.vocabulary)
    return partial(write_labels, rows, output_format=layout, separator=separator)


def agreement(
    reading: ReadingOptions,
    sources: AnnotationInputs,  # whose `repeats` replaces that of scores
    options: AgreementOptions,
    outputs: AgreementOutputs,
    *,
    threshold: Annotated[str | None, Opt("", hidden=True)] = None,
    coefficient: Annotated[
        Coefficient, Opt("The coefficient that weights concepts.", flags=("--coefficient", "-c"))
    ] = "majority",
    undefined: Annotated[
        float | None, Opt("Weight of concepts whose coefficient is undefined; by default they are left out.")
    ] = None,
    consensus: Annotated[
        ConsensusMethod,
        Opt(
            "Method of the consensus: majority; the majority made consistent with the ontology; or the "
            "model of Dawid and Skene."
        ),
    ] = "majority",
    ties: Annotated[
        TiedVotes, Opt("Consensus on a label that exactly half of the annotators have marked.")
    ] = "absent",
    top: Annotated[
        int, output_option("How many pairs of annotators and how many confusions are listed.")
    ] = 10,
    output: Output = "table",
) -> None:
    """Measure inter-annotator agreement; write concept weights and consensus labels."""
    from ontoeval.annotators.agreement import agreement_of
    from ontoeval.annotators.annotator_comparison import annotator_confusion
    from ontoeval.annotators.consensus import consensus_with_notes
    from ontoeval.annotators.simulation import sufficiency
    from ontoeval.cli.terminal import progress
    from ontoeval.labels.reading import LabelFileReader
    from ontoeval.reports import agreement as tables
    from ontoeval.reports.confusion import top_confusions

    if threshold is not None:
        raise ParameterError("--threshold", threshold, "nothing: annotations have no scores")
    whole_number("--top", top)
    if consensus == "consistent" and reading.ontology is None:
        raise ParameterError("--consensus", consensus, "an --ontology beside it")
    if consensus != "dawid-skene" and (path := outputs.model or outputs.probabilities):
        option = flag("model" if outputs.model else "probabilities")
        raise ParameterError(option, str(path), "--consensus dawid-skene beside it")
    reader = reader_of(reading)
    outputs.check((*sources.annotations, *files_of(reading).values()))
    with progress("Comparing", 4) as step:
        files = sources.read(reader)
        annotations, remarks = files.annotations, [*files.notes]
        step()
        found = agreement_of(annotations, reader.hierarchy, options)
        step()
        of_all = "majority" if coefficient == "cohen" else coefficient
        curve = sufficiency(annotations, coefficient=of_all, seed=options.seed)
        step()
        extra = []
        if annotations.comparable:
            matrix = annotator_confusion(annotations, hierarchy=reader.hierarchy, seed=options.seed)
            extra += [top_confusions(matrix, top, ("one says", "another says"))] * bool(matrix.top(1))
        else:
            remarks.append(
                "confusions: none are listed, since no two annotators decide every concept of a sample"
            )
        step()
    together, truth = None, None
    if outputs.truth or outputs.model or outputs.probabilities:
        how: dict[str, Any] = {"hierarchy": reader.hierarchy, "ties": ties, "progress": progress}
        together = consensus, consensus_with_notes(annotations, method=consensus, **how)
    weights = found.weights(coefficient, undefined=undefined)
    if together is not None and outputs.truth is not None:
        into = outputs.into(sources.annotations[0])
        alone = replace(sources.reading.labels, close=False, repeats=None)
        how_read = LabelFileReader.from_options(reader.ontology, alone)
        truth = _consensus_writer(together[1].sets, how_read, files.spellings, into, outputs.truth)
    remarks += outputs.write(found, coefficient, weights, together, truth)
    if together is not None and together[1].model is not None and output == "json":
        extra.append(tables.model_rates(together[1].model))
    fewer = tables.fewer_annotators(curve)
    _show(found, coefficient, fewer, extra, output=output, top=top, remarks=remarks)


def _show(
    found: AnnotatorAgreement,
    coefficient: Coefficient,
    fewer: Table,
    extra: list[Table],
    *,
    output: Format,
    top: int,
    remarks: list[str],
) -> None:
    """Print the tables: in full for programs (CSV: the first table only), shortened for people."""
    from ontoeval.cli.terminal import present, show
    from ontoeval.reports import agreement as tables
    from ontoeval.reports.formats import to_json

    first, each = tables.per_concept(found, coefficient), tables.annotators(found)
    of_all, sets, pairs = tables.overall(found), tables.set_alphas_table(found), tables.pairs(found)
    if output == "json":
        rest = [json.loads(to_json(table)) for table in (of_all, sets, each, pairs, fewer, *extra)]
        show(first, output, tables=rest, inputs=remarks)
    elif output == "csv":
        present([first], output, {"inputs": remarks})
    else:
        most_apart = [tables.least_agreeing(pairs, top)] if top else []
        more = [tables.brief(each), *most_apart, tables.brief(fewer)]
        if len(found.concepts) > 1:  # of a single concept they would repeat its own table
            more = [tables.brief(of_all), tables.brief(sets), *more]
        shown = [tables.brief_per_concept(first, coefficient), *more, *extra]
        present(shown, output, {"inputs": remarks})
