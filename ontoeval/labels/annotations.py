"""Files of annotations: who said what of which sample, in one table or in one file per annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack, cast, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.checks import ColumnsAre, Repeats, Uncertain, as_list
from ontoeval.core.files import FilePath, reading_at_most, short_names
from ontoeval.errors import InputError, one_of
from ontoeval.labels.annotation_columns import (
    BLANK,
    HOW,
    MISSING,
    NOTHING_TOLD,
    OPTIONS,
    REMEDY,
    VOTES,
    WORDS,
    Columns,
    ToldColumns,
    columns_of_header,
)
from ontoeval.labels.annotation_joining import LookedUp, Together
from ontoeval.labels.annotation_tables import (
    WRITE,
    AnnotationFile,
    AnnotationRows,
    AnnotatorTable,
    from_votes,
    is_text,
    settled,
)
from ontoeval.labels.reading import LabelOptions, Reading
from ontoeval.labels.recognition import parse, recognised
from ontoeval.labels.sources import Source, read_label_source
from ontoeval.labels.statements import Statements
from ontoeval.ontology.model import Ontology

RECORDS = f"{WRITE} Parquet is read without lists. Or give one file per annotator."
"""What to do where a file of another format holds several annotators."""


def opinions_of(
    path: FilePath, name: str, reading: Reading, *, alone: bool, told: ToldColumns = NOTHING_TOLD
) -> AnnotationFile:
    """Read one file."""
    source = read_label_source(path)
    rows = AnnotationRows.of(source) if reading.input_format is None else None
    if rows is not None:
        found, told = _columns(rows.header, source.where, name, reading, alone=alone, told=told)
        if found is not None and not (found.one and rows.exact):
            return AnnotatorTable(rows, found, reading, name, told).read()
    text = is_text(source)
    if alone and told.columns != "concepts":
        raise InputError("nothing says whose labels these are", HOW if text else RECORDS, where=source.where)
    try:
        return _of_one(source, name, reading)
    except InputError as error:
        # Wrong names of columns look like many other mistakes.
        remedy = f"{error.remedy} {f'Of tables, {OPTIONS}' if text else RECORDS}"
        raise InputError(error.problem, remedy, where=source.where, row=error.row) from error


def _columns(
    header: tuple[str, ...], where: str, name: str, reading: Reading, *, alone: bool, told: ToldColumns
) -> tuple[Columns | None, ToldColumns]:
    """Tell what the columns are; the concepts decide, where they are known, which of two readings holds."""
    found = columns_of_header(header, where, alone=alone, told=told)
    names = reading.names
    if found is not None and found.one and told.columns is None and names.vocabulary is not None:
        known = any(names.know({header[n]}) for n in found.others)
        if not known and names.know({name}):
            told = replace(told, columns="annotators")
            return columns_of_header(header, where, alone=alone, told=told), told
    return found, told


def _of_one(source: Source, name: str, reading: Reading) -> AnnotationFile:
    """Read a label file, or a table of values, of one annotator."""
    form, rows = recognised(source, reading.input_format)
    columns = form.format in {"columns", "imageclef"}
    wanted = replace(reading.wanted(scores=columns or form.has_scores), words=WORDS)
    found = parse(rows, form, wanted)
    called = f"{replace(form, **found.seen)}, of {name!r}"
    votes = None if found.value is None else _votes(found, source.where)
    samples = np.arange(len(found.samples), dtype=np.int32)
    found = replace(found, value=votes, annotators=(name,))
    if columns and votes is not None:
        found = replace(found, sample=samples, place=None)
        return from_votes(votes.reshape(samples.size, -1), found, where=source.where, form=called)
    seen = samples, np.zeros_like(samples)
    return AnnotationFile(
        where=source.where, form=called, statements=found, seen=seen, decisions=votes is not None
    )


def _votes(found: Statements, where: str) -> NDArray[np.float64]:
    values = np.empty(0) if found.value is None else found.value
    odd = np.flatnonzero(~np.isin(values, VOTES))
    if odd.size:
        first = int(odd[0])
        raise InputError(
            f"{values[first]:g} is said of {found.spellings[found.concept[first]]!r} in sample "
            f"{found.samples[found.sample[first]]!r}",
            REMEDY,
            where=where,
            row=None if found.place is None else int(found.place[first]),
        )
    return np.where(values == BLANK, MISSING, values)


class AnnotationOptions(TypedDict, total=False):
    """The options of `read_annotations`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    separator: str | None
    unknown: str
    uncertain: Uncertain
    sample_column: str | None
    annotator_column: str | None
    concept_column: str | None
    ignore_columns: Iterable[str]
    columns: ColumnsAre | None
    repeats: Repeats
    max_bytes: int | None


@dataclass(frozen=True, eq=False)
class AnnotationFiles:
    """Annotations that have been read."""

    annotations: Annotations
    notes: tuple[str, ...]


def read_annotations(  # noqa: PLR0913 - one for each option
    *sources: FilePath,
    ontology: Ontology | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: str = "error",
    uncertain: Uncertain = "missing",
    sample_column: str | None = None,
    annotator_column: str | None = None,
    concept_column: str | None = None,
    ignore_columns: Iterable[str] = (),
    columns: ColumnsAre | None = None,
    repeats: Repeats = "refuse",
    max_bytes: int | None = None,
) -> Annotations:
    r"""Read what several annotators say of the same samples.

    What a file is, its header tells:

    - sample, annotator, concept: one label in each row, or several if the column is called "labels"; an
      empty one is a sample of which the annotator says that nothing is there. With a column "value" of 1,
      0, -1 (uncertain) or nothing (missing), what no row speaks of is unknown, unless all values of all
      files are 1;
    - sample, annotator, and a column for each concept that holds such values;
    - sample, concept, and a column for each annotator that holds such values;
    - sample, and a column for each annotator that holds labels, or such values of the one concept that
      the file is called by; nothing is a sample that the annotator has not seen;
    - any label file that `read_labels` knows, or a table with a column for each concept that holds such
      values: of the one annotator that the file is called by.

    Tables of values speak only of the concepts that have a column there; of others nothing is known.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Has the concepts that may be labels; see `read_labels`.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        Translates labels; see `read_labels`.
    input_format
        One of `ontoeval.core.label_formats.FORMATS`, for files of one annotator that do not tell.
    separator
        What separates labels in one field; see `read_labels`.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    uncertain
        Meaning of -1: the concept is "missing" (as if not asked), "absent", or "present".
    sample_column
        Column of the samples, where its name does not tell.
    annotator_column
        Column of the annotators.
    concept_column
        Column of the concepts.
    ignore_columns
        Names of columns that are not read.
    columns
        Remaining columns are "annotators" (file name = concept; default for one file) or "concepts" (file
        name = annotator; default for several).
    repeats
        Duplicate annotations: "refuse" or "merge". Contradictions are always refused.
    max_bytes
        Largest size of each unpacked file; by default 2 GiB.

    Returns
    -------
    Annotations
        Samples and annotators in the order in which they are first met.

    Raises
    ------
    InputError
        If a file cannot be read as it is, or an annotator says the same twice.
    UnknownConceptError
        If a label is no concept.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "said.csv")
    >>> _ = path.write_text(
    ...     "sample,annotator,concept\np1,Ann,sky\np1,Bob,sky\np1,Bob,sea\n", encoding="utf-8"
    ... )
    >>> read_annotations(path).of("Bob").labels_of("p1")
    ('sea', 'sky')
    """
    return read_annotation_files(
        *sources,
        ontology=ontology,
        concepts=concepts,
        concept_map=concept_map,
        input_format=input_format,
        separator=separator,
        unknown=unknown,
        uncertain=uncertain,
        sample_column=sample_column,
        annotator_column=annotator_column,
        concept_column=concept_column,
        ignore_columns=ignore_columns,
        columns=columns,
        max_bytes=max_bytes,
        repeats=repeats,
    ).annotations


def read_annotation_files(
    *sources: FilePath, ontology: Ontology | None = None, **options: Unpack[AnnotationOptions]
) -> AnnotationFiles:
    """Read annotations, and tell how they were read.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Has the concepts that may be labels.
    **options
        The options of `read_annotations`.

    Returns
    -------
    AnnotationFiles
        The annotations, and notes.
    """
    uncertain, repeats = options.pop("uncertain", "missing"), options.pop("repeats", "refuse")
    one_of("uncertain", uncertain, get_args(Uncertain))
    one_of("repeats", repeats, get_args(Repeats))
    ignored = options.pop("ignore_columns", ())
    told = ToldColumns(
        options.pop("sample_column", None),
        options.pop("annotator_column", None),
        options.pop("concept_column", None),
        tuple(as_list(ignored)),
        options.pop("columns", None),
    )
    if told.columns is not None:
        one_of("columns", told.columns, get_args(ColumnsAre))
    if not sources:
        raise InputError("no file of annotations is named", "Name one or more.")
    reading = Reading.of(ontology, cast(LabelOptions, options))  # the others have been taken out
    with reading_at_most(options.get("max_bytes")):
        files, silence = settled(
            [
                opinions_of(path, name, reading, alone=len(sources) == 1, told=told)
                for path, name in zip(sources, short_names(sources), strict=True)
            ]
        )
    looked_up = [LookedUp.of(file, reading) for file in files]
    annotations, merged = Together(looked_up).annotations(uncertain, repeats)
    notes = (note for one in looked_up for note in one.notes)
    guesses = dict.fromkeys(file.guess for file in files if file.guess)
    return AnnotationFiles(annotations, (*notes, *guesses, *silence, *merged))
