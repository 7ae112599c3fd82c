"""Files of annotations: who said what of which sample, in one table or in one file per annotator."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, Unpack

from ontoeval.agreements.annotations import Annotations
from ontoeval.errors import InputError, one_of
from ontoeval.files import FilePath
from ontoeval.io.annotation_files import opinions_of
from ontoeval.io.annotation_joining import LookedUp, Together, Uncertain
from ontoeval.io.reading import Reading
from ontoeval.ontology.model import Ontology

UNCERTAINTIES = ("missing", "absent", "present")


class AnnotationOptions(TypedDict, total=False):
    """The options of `read_annotations`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    separator: str | None
    unknown: str
    uncertain: Uncertain


@dataclass(frozen=True, eq=False)
class AnnotationFiles:
    """Annotations that have been read.

    Parameters
    ----------
    annotations
        Who said what.
    notes
        How the files were read, and what was left out.
    """

    annotations: Annotations
    notes: tuple[str, ...]


def read_annotations(
    *sources: FilePath,
    ontology: Ontology | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: str = "error",
    uncertain: Uncertain = "missing",
) -> Annotations:
    r"""Read what several annotators say of the same samples.

    What a file is, its header tells:

    - sample, annotator, concept: one label in each row, or several if the column is called "labels"; an
      empty one is a sample of which the annotator says that nothing is there. With a column "value" of 1,
      0, -1 (uncertain) or nothing (missing), what no row speaks of is unknown;
    - sample, annotator, and a column for each concept that holds such values;
    - sample, concept, and a column for each annotator that holds such values;
    - sample, and a column for each annotator that holds labels, or such values of the one concept that
      the file is called by; nothing is a sample that the annotator has not seen;
    - any label file that `read_labels` knows, or a table with a column for each concept that holds such
      values: of the one annotator that the file is called by.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Tells which concepts may be labels; they may be named by local name, label, CURIE or IRI.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        What the labels of the files stand for; see `read_labels`.
    input_format
        One of `ontoeval.label_formats.FORMATS`, for files of one annotator that do not tell.
    separator
        What separates labels in one field; see `read_labels`.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    uncertain
        What -1 stands for: the concept is "missing", as if the annotator had not been asked, "absent",
        or "present".

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
    AmbiguousNameError
        If a label may mean several concepts.
    ParameterError
        If an option has no such value.

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
        Tells which concepts may be labels.
    **options
        The options of `read_annotations`.

    Returns
    -------
    AnnotationFiles
        The annotations, and notes.
    """
    uncertain = options.pop("uncertain", "missing")
    one_of("uncertain", uncertain, UNCERTAINTIES)
    if not sources:
        raise InputError("no file of annotations is named", "Name one or more.")
    reading = Reading.of(ontology, options)
    files = [
        opinions_of(path, name, reading, alone=len(sources) == 1)
        for path, name in zip(sources, _annotators(sources), strict=True)
    ]
    looked_up = [LookedUp.of(file, reading) for file in files]
    return AnnotationFiles(
        Together(looked_up).annotations(uncertain), tuple(note for one in looked_up for note in one.notes)
    )


def _annotators(sources: Sequence[FilePath]) -> list[str]:
    """Name annotators by their files, and by the whole path where these are alike."""
    paths = [Path(os.fspath(source)) for source in sources]
    stems = [path.stem for path in paths]
    return [
        stem if stems.count(stem) == 1 else path.as_posix() for stem, path in zip(stems, paths, strict=True)
    ]
