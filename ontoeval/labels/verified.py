"""Files that say of some labels that they are there, and of others that they are not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from ontoeval.core.files import FilePath
from ontoeval.core.limits import reading_at_most
from ontoeval.core.statements import number_of_unknown, sides_of_numbers
from ontoeval.core.verified import VerifiedLabels
from ontoeval.labels.entries import Entries
from ontoeval.labels.numbers import TRUTH_VALUES
from ontoeval.labels.opening import read_label_source
from ontoeval.labels.parsing import parse
from ontoeval.labels.reading import Reading
from ontoeval.labels.recognition import recognised
from ontoeval.ontology.model import Ontology


def read_verified_labels(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    negative: Literal[0, -1] = 0,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    unknown: str = "error",
    max_bytes: int | None = None,
) -> VerifiedLabels:
    r"""Read verified labels: 1 for those that are there, 0 for those that are not.

    Parameters
    ----------
    source
        A table with one label in each row, as that of Open Images with the columns ImageID, LabelName
        and Confidence, or with one column for each concept; or any file that `read_scores` reads.
    ontology
        Tells which concepts may be labels; they may be named by local name, label, CURIE or IRI.
    negative
        Which number says that a label is not there: 0, or -1. The other one and an empty field say
        that nothing is known.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        What the labels of the file stand for; see `read_labels`.
    input_format
        One of `ontoeval.core.label_formats.FORMATS`, where the file does not tell.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    max_bytes
        How large the file may be, unpacked; by default 2 GiB.

    Returns
    -------
    VerifiedLabels
        One row per sample in the order of the file, one column per concept that may be a label.

    Raises
    ------
    InputError
        If the file cannot be read as it is, holds other numbers, or contradicts itself.
    UnknownConceptError
        If a label is no concept.
    AmbiguousNameError
        If a label may mean several concepts.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "verified.csv")
    >>> rows = "ImageID,Source,LabelName,Confidence\np1,verification,/m/01,1\np1,verification,/m/02,0\n"
    >>> _ = path.write_text(rows, encoding="utf-8")
    >>> read_verified_labels(path).negative.labels_of("p1")
    ('/m/02',)
    """
    words = {**TRUTH_VALUES, "": number_of_unknown(negative)}
    reading = Reading.of(
        ontology,
        {"concepts": concepts, "concept_map": concept_map, "input_format": input_format, "unknown": unknown},
    )
    with reading_at_most(max_bytes):
        form, rows = recognised(read_label_source(source), reading.input_format)
        entries = parse(rows, form, replace(reading.wanted(scores=True), words=words))
    numbers = reading.numbers(_without_repetitions(entries), form, rows)
    return VerifiedLabels(*sides_of_numbers(numbers, negative))


def _without_repetitions(entries: Entries) -> Entries:
    """Keep the first of statements that say the same of a sample: of two annotators, for example."""
    if entries.values is None:
        return entries
    said = np.stack([entries.row, entries.code, entries.values], axis=-1)
    first = np.sort(np.unique(said, axis=0, return_index=True)[1])
    lines = None if entries.lines is None else entries.lines[first]
    return replace(
        entries, row=entries.row[first], code=entries.code[first], values=entries.values[first], lines=lines
    )
