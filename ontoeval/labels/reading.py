"""Label files in, LabelSets, LabelScores and VerifiedLabels out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from typing import Literal, Self, cast, get_args

import numpy as np

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.frames import AnyFrame, is_frame
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.shares import Shares
from ontoeval.core.verified import VerifiedLabels, number_of_unknown, sides_of_numbers
from ontoeval.errors import InputError, ParameterError, enumerate_some, located, one_of
from ontoeval.labels.cells import TRUTH_VALUES
from ontoeval.labels.formats import ColumnNames, Layout, Recognised
from ontoeval.labels.name_resolution import Names, rows_by_role
from ontoeval.labels.per_concept import thresholds_by
from ontoeval.labels.reading_options import (
    ANY_NAMES,
    AS_RECOGNISED,
    Absent,
    AnyThreshold,
    LabelReading,
    NameOptions,
    Unknown,
)
from ontoeval.labels.recognition import parse, recognised
from ontoeval.labels.resolved import Contents, LabelFile, ScoreFile, contents_of
from ontoeval.labels.sources import LabelSource, is_text, read_label_source
from ontoeval.labels.statements import DecoderOptions, Statements
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.column_titles import SAMPLE, sample_titles
from ontoeval.plumbing.files import FilePath, reading_at_most


@dataclass(frozen=True, eq=False)
class LabelFileReader:
    """How a label file is to be read."""

    options: LabelReading
    names: Names
    hierarchy: Hierarchy | None
    repeats: ScoreRepeats

    @classmethod
    def from_options(cls, ontology: Ontology | None, options: LabelReading) -> Self:
        """Check the options."""
        threshold, repeats = options.threshold, options.repeats or "refuse"
        one_of("repeats", repeats, get_args(ScoreRepeats))
        if options.layout.separator == "":
            raise ParameterError("separator", "", "at least one character")
        if options.close and ontology is None:
            raise ParameterError("close", options.close, "an ontology beside this option, for the ancestors")
        several = isinstance(threshold, Mapping | str | os.PathLike) or np.ndim(threshold) == 1  # type: ignore[arg-type]
        finite = isinstance(threshold, Real) and not isinstance(threshold, bool) and isfinite(threshold)
        if threshold is not None and not several and not finite:
            raise ParameterError("threshold", threshold, "a finite number, several, a mapping, or a file")
        names = Names.from_options(ontology, options.names)
        hierarchy = None
        if options.close and ontology is not None and names.vocabulary is not None:
            hierarchy = ontology.hierarchy().with_labels(names.vocabulary)
        return cls(options, names, hierarchy, repeats)

    @property
    def layout(self) -> Layout:
        """The form of the file as the caller names it."""
        return self.options.layout

    def decoder_options(self, *, scores: bool) -> DecoderOptions:
        """Return what the decoder needs to know."""
        valued, separator = scores or self.options.threshold is not None, self.layout.separator
        vocabulary, listed, known = self.names.vocabulary, self.names.listed, self.names.known
        long = self.layout.input_format == "long"
        spelled = () if vocabulary is None or long else vocabulary.spellings.exact
        return DecoderOptions(valued, self.options.mixed, listed, separator, known, spelled)

    def verified_options(self, negative: int) -> DecoderOptions:
        """Return what the decoder needs to know of verified labels, by the number of an absent one."""
        words = {**TRUTH_VALUES, "": number_of_unknown(negative)}
        return replace(self.decoder_options(scores=True), words=words, absent=float(negative))

    def label_file(self, entries: Statements, form: Recognised, source: LabelSource) -> LabelFile:
        """Make label sets of statements."""
        contents = self.contents(entries, form, source)
        limits = None if contents.statements.value is None else self.options.threshold
        fields = contents.reported() | {"uncut": limits is not self.options.threshold}
        if limits is None:
            sets = contents.sets()
            fields["repeated"] = contents.statements.sample.size - sets.matrix.nnz
        else:
            scores, again = contents.scores(self.repeats)
            if isinstance(limits, Mapping | str | os.PathLike):
                limits = thresholds_by(replace(self.names, vocabulary=contents.vocabulary), limits)
            sets = scores.at(limits)
            fields |= {"repeated_scores": again, "repeats": self.repeats, "doubts": scores.doubts(limits)}
        if self.hierarchy is not None:
            own, sets = sets, sets.closed(self.hierarchy)
            fields["closed"] = int((sets.sizes > own.sizes).sum())
            fields["added"] = int(sets.matrix.nnz - own.matrix.nnz)
        return LabelFile(sets=sets, **fields)

    def score_file(self, entries: Statements, form: Recognised, source: LabelSource) -> ScoreFile:
        """Make label scores of statements."""
        if entries.value is None:
            return cast("ScoreFile", self.label_file(entries, form, source))  # of mixed files
        contents = self.contents(entries, form, source)
        scores, again = contents.scores(self.repeats)
        fields = contents.reported() | {"repeated_scores": again, "repeats": self.repeats}
        return ScoreFile(scores=scores, **fields)

    def contents(self, entries: Statements, form: Recognised, source: LabelSource) -> Contents:
        """Resolve the labels of statements."""
        return contents_of(entries, form, self.names, source.where, source.digest, layout=self.layout)


@front_door
def read_labels(  # noqa: PLR0913 - one for each option
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    separator: str | None = None,
    unknown: Unknown = "error",
    na: Absent = "error",
    threshold: AnyThreshold | None = None,
    close: bool = False,
    repeats: ScoreRepeats = "refuse",
    max_bytes: int | None = None,
) -> LabelSets:
    r"""Read the labels of each sample from a file.

    Parameters
    ----------
    source
        A file in a format that `ontoeval.labels.recognise` knows; it may be packed (gzip, bzip2, xz, zip).
    ontology
        Has the concepts that may be labels, named by local name, label, CURIE or IRI.
    concepts
        The concepts that may be labels, as a file or as names; by default those of the ontology, or the
        labels that occur. They also name the columns of files without a header.
    concept_map
        Translates labels: a file (`ontoeval.labels.read_concept_map`) or a mapping.
    input_format
        One of `ontoeval.labels.formats.FORMATS`, where the format is not recognised.
    sample_column, concept_column
        Columns of a table, or keys of records, with unusual titles, by title or by number from 1. Of several
        names the first that a file has counts; where labels are paths, each is a level, from the root down.
    value_column
        Column of the scores, to which a threshold applies.
    negation_column
        Column that marks labels as absent by NOT (also in ``NOT|involved_in``), "excluded" or "absent": these
        are left out and counted; `read_verified_labels` keeps them. Empty fields, "present" and the relations
        of GAF mean present.
    header
        Whether a table begins with a row of titles; without, columns are named by number.
    separator
        Separator of the labels in wide files; by default the first of ``;``, ``|`` and ``,`` that occurs in
        any field, and of several the first that leaves only labels.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    na
        Names NA, N/A, NaN, null, None and the like that are no known concepts: "error", "empty" where no
        label is meant, or "label".
    threshold
        Least score that makes a label: a number, a mapping from concept to number, a file with the columns
        "concept" and "threshold", or numbers in the order of the concepts. `tune_thresholds` chooses some.
    close
        Whether to add the ancestors of each label that may be labels.
    repeats
        Several scores of one (sample, concept) pair; see `read_scores`.
    max_bytes
        Largest size of the unpacked file; by default 2 GiB.

    Returns
    -------
    LabelSets
        One row per sample in the order of the file, one column per concept.

    Raises
    ------
    OntoevalError
        If the file cannot be read as it is, or a label is no concept.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> _ = path.write_text("id,labels\np1,sky;sea\np2,\n", encoding="utf-8")
    >>> read_labels(path).labels_of("p1")
    ('sea', 'sky')
    """
    columns = sample_column, concept_column, value_column, negation_column
    names = NameOptions(concepts, concept_map, unknown, na)
    layout = Layout(input_format, *columns, header=header, separator=separator)
    reading = LabelReading(names, layout, threshold, repeats, close=close, max_bytes=max_bytes)
    return read_label_file(source, ontology, reading).sets


@front_door
def read_scores(  # noqa: PLR0913 - one for each option
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    header: bool = True,
    unknown: Unknown = "error",
    na: Absent = "error",
    repeats: ScoreRepeats = "refuse",
    max_bytes: int | None = None,
) -> LabelScores:
    r"""Read the scores of each sample's labels from a file.

    Parameters
    ----------
    source
        A file with scores; see `read_labels`.
    ontology
        Has the concepts that may be labels; see `read_labels`.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        Translates labels; see `read_labels`.
    input_format
        One of `ontoeval.labels.formats.FORMATS`, where the format is not recognised.
    sample_column, concept_column, value_column, header
        Columns of the samples, concepts and scores, and whether they have titles; see `read_labels`.
    unknown
        "error", or "drop" to leave out labels that are no concepts; `ontoeval.labels.read_score_file`
        counts them.
    na
        Names such as NA, NaN and null; see `read_labels`.
    repeats
        What is done with several scores of one (sample, concept) pair: "refuse" them, or use the highest
        ("max") or the "first" in the file.
    max_bytes
        Largest size of the unpacked file; by default 2 GiB.

    Returns
    -------
    LabelScores
        One row per sample, one column per concept; a score of 0 is the same as none.

    Raises
    ------
    OntoevalError
        If the file cannot be read as it is, or a label is no concept.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "run.csv")
    >>> rows = "sample,concept,score\np1,sky,0.8\np1,sea,0.1\n"
    >>> _ = path.write_text(rows, encoding="utf-8")
    >>> read_scores(path).at(0.5).labels_of("p1")
    ('sky',)
    """
    names = NameOptions(concepts, concept_map, unknown, na)
    layout = Layout(input_format, sample_column, concept_column, value_column, header=header)
    reading = LabelReading(names, layout, repeats=repeats, max_bytes=max_bytes)
    return read_score_file(source, ontology, reading).scores


@front_door
def read_label_file(
    source: FilePath, ontology: AnyOntology | None = None, reading: LabelReading = AS_RECOGNISED
) -> LabelFile:
    """Read labels, with notes on how they were read.

    Parameters
    ----------
    source
        The file.
    ontology
        Has the concepts that may be labels.
    reading
        The options of `read_labels`.
    """
    with reading_at_most(reading.max_bytes):
        reader = LabelFileReader.from_options(ontology, reading)
        return reader.label_file(*decoded_file(source, reader))


@front_door
def read_score_file(
    source: FilePath, ontology: AnyOntology | None = None, reading: LabelReading = AS_RECOGNISED
) -> ScoreFile:
    """Read scores, with notes on how they were read.

    Parameters
    ----------
    source
        The file.
    ontology
        Has the concepts that may be labels.
    reading
        The options of `read_scores`.

    Raises
    ------
    ParameterError
        If the options have a threshold, or close label sets.
    """
    for name, value in (("threshold", reading.threshold), ("close", reading.close or None)):
        if value is not None:
            raise ParameterError(name, value, "labels: scores are read as they are")
    with reading_at_most(reading.max_bytes):
        reader = LabelFileReader.from_options(ontology, reading)
        return reader.score_file(*decoded_file(source, reader, scores=True))


def decoded_file(
    path: FilePath, reader: LabelFileReader, *, scores: bool = False
) -> tuple[Statements, Recognised, LabelSource]:
    """Decode a file, as `label_file` and `score_file` take it."""
    known = reader.names.known or reader.options.known
    form, rows = recognised(read_label_source(path), reader.layout, known=known)
    entries = parse(rows, form, reader.decoder_options(scores=scores))
    # The text itself is no longer needed, and may be most of what memory holds.
    return entries, form, LabelSource(rows.where, b"", rows.digest)


@front_door
def read_shares(
    source: FilePath | AnyFrame,
    ontology: AnyOntology | None = None,
    *,
    sample_column: str | None = None,
    concept_column: str | None = None,
    value_column: str | None = None,
) -> Shares:
    r"""Read the shares of annotators that give each label of a sample.

    As a truth, ancestors have the largest share of their descendants, or a larger one of their own.

    Parameters
    ----------
    source
        A file that `read_scores` reads, with numbers from 0 to 1; or a data frame, as
        `LabelScores.from_frame` takes it.
    ontology
        Has the concepts; abstract ones may have shares, too.
    sample_column, concept_column, value_column
        See `read_scores`.

    Returns
    -------
    Shares
        One row per sample, one column per concept; a label without a row has the share 0.

    Raises
    ------
    OntoevalError
        If the file cannot be read as it is, a label is no concept or has two shares, or a number is no share.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "shares.csv")
    >>> _ = path.write_text("sample,label,share\np1,sky,0.75\n", encoding="utf-8")
    >>> read_shares(path).matrix.toarray().tolist()
    [[0.75]]
    """
    columns = sample_column, concept_column, value_column
    if is_frame(source):
        found = Shares.from_frame(source, **dict(zip(("sample", "concept", "score"), columns, strict=True)))
        if ontology is None:
            return found
        names = ontology.hierarchy().vocabulary
        found = found.named_by(names)
        names.positions(found.vocabulary)  # refuses those that are unknown
        return found.within(names)
    reading = LabelReading(layout=Layout(None, *columns))
    return cast("Shares", read_share_file(source, ontology, reading).soft)


def read_share_file(source: FilePath, ontology: Ontology | None, reading: LabelReading) -> LabelFile:
    """Read shares as `read_shares` does, and how they were read."""
    with reading_at_most(reading.max_bytes):
        reader = LabelFileReader.from_options(ontology, reading)
        if ontology is not None:
            names = replace(reader.names, vocabulary=ontology.hierarchy().vocabulary)
            reader = replace(reader, names=names)
        contents = reader.contents(*decoded_file(source, reader, scores=True))
    found, row = contents.statements, None
    values = np.empty(0) if found.value is None else found.value
    if (wrong := np.flatnonzero(~((values >= 0) & (values <= 1)))).size:
        row = None if found.place is None else int(found.place[wrong[0]])
        contents = replace(contents, statements=found.select(wrong[:1]))
    try:
        shares = Shares(*contents.matrix_of_values()[0])
    except InputError as error:
        error.locate(contents.source, row)
        raise
    return LabelFile(sets=shares.repeated.once, soft=shares, **contents.reported())


@front_door
def read_verified_labels(  # noqa: PLR0913 - one for each option
    source: FilePath,
    ontology: AnyOntology | None = None,
    *,
    negative: Literal[0, -1] = 0,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    unknown: Unknown = "error",
    na: Absent = "error",
    max_bytes: int | None = None,
) -> VerifiedLabels:
    r"""Read verified labels: 1 for present labels, 0 for absent ones.

    Parameters
    ----------
    source
        A file that `read_scores` reads, such as that of Open Images (ImageID, LabelName, Confidence).
    ontology
        Has the concepts that may be labels; see `read_labels`.
    negative
        Number of an absent label: 0 or -1. The other one and an empty field mean unknown.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        Translates labels; see `read_labels`.
    input_format
        One of `ontoeval.labels.formats.FORMATS`, where the format is not recognised.
    sample_column, concept_column, value_column, negation_column, header
        Columns of a table, and whether they have titles; see `read_labels`. Either the value column holds the
        numbers, or the negation column marks absent labels, whatever `negative` is.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    na
        Names such as NA, NaN and null; see `read_labels`.
    max_bytes
        Largest size of the unpacked file; by default 2 GiB.

    Returns
    -------
    VerifiedLabels
        One row per sample in the order of the file, one column per concept.

    Raises
    ------
    InputError
        If the file cannot be read as it is, holds other numbers, or contradicts itself.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "verified.csv")
    >>> rows = "ImageID,Source,LabelName,Confidence\np1,verification,/m/01,1\n"
    >>> rows += "p1,verification,/m/02,0\n"
    >>> _ = path.write_text(rows, encoding="utf-8")
    >>> read_verified_labels(path).negative.labels_of("p1")
    ('/m/02',)
    """
    columns = sample_column, concept_column, value_column, negation_column
    names = NameOptions(concepts, concept_map, unknown, na)
    reading = LabelReading(names, Layout(input_format, *columns, header=header), max_bytes=max_bytes)
    return cast("VerifiedLabels", read_verified_file(source, ontology, reading, negative=negative).labels)


def read_verified_file(
    source: FilePath, ontology: Ontology | None, reading: LabelReading, *, negative: Literal[0, -1]
) -> LabelFile:
    """Read verified labels as `read_verified_labels` does, and how they were read."""
    reader = LabelFileReader.from_options(ontology, reading)
    with reading_at_most(reading.max_bytes):
        form, rows = recognised(read_label_source(source), reader.layout, known=reader.names.known)
        entries = parse(rows, form, reader.verified_options(negative))
    if entries.value is not None:
        # Of statements that are the same, of two annotators for example, the first counts.
        said = np.stack([entries.sample, entries.concept, entries.value], axis=-1)
        entries = entries.select(np.sort(np.unique(said, axis=0, return_index=True)[1]))
    contents = reader.contents(entries, form, rows)
    with located(rows.where):
        both = VerifiedLabels(*sides_of_numbers(contents.matrix_of_values()[0], negative))
    return LabelFile(sets=both.positive, absent=both.negative, **contents.reported())


_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
"""A line that is one field in quotes, as R and others write all texts."""


def read_samples(source: FilePath | Iterable[str]) -> tuple[str, ...]:
    """Read a list of samples."""
    if not isinstance(source, str | bytes) and isinstance(source, Iterable):
        return tuple(dict.fromkeys(map(str, source)))
    file = read_label_source(source)
    found = _identifier_column(file) if is_text(file) else None
    if found is None:
        form, rows = recognised(file)
        found = _samples_of(rows, form)
    return tuple(dict.fromkeys(found))


def _identifier_column(file: LabelSource) -> Iterable[str] | None:
    """Take a column of identifiers, or every line where there is but one column."""
    fields = file.first(file.delimiter) if file.delimiter else [_unquoted(next(file.lines()))]
    if len(sample_titles(fields)) == 1:
        return [row["sample"] for _, row in rows_by_role(file, {"sample": SAMPLE})]
    try:
        recognised(file)
    except InputError as error:
        if len(fields) > 1:
            raise InputError(
                f"this is no list of samples: the first row is {enumerate_some(fields)}",
                "Write an identifier in each line, in double quotes where it holds a comma, a semicolon or a "
                "tab; or give a table with a column 'id', or any label file.",
                where=file.where,
            ) from error
        return [_unquoted(line) for line in file.lines() if line.strip()]
    return None


def _unquoted(line: str) -> str:
    quoted = _QUOTED.fullmatch(line.strip())
    return line.strip() if quoted is None else quoted[1].replace('""', '"').strip()


def _samples_of(rows: LabelSource, form: Recognised) -> tuple[str, ...]:
    unnamed = form.format == "imageclef"  # the concepts of the values do not matter
    names = NameOptions(list(map(str, range(form.values)))) if unnamed else ANY_NAMES
    reader = LabelFileReader.from_options(None, LabelReading(names))
    try:
        return parse(rows, form, reader.decoder_options(scores=False)).samples
    except InputError:
        return parse(rows, form, reader.decoder_options(scores=True)).samples
