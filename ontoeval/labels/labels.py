"""Label files in, LabelSets and LabelScores out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Unpack

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.files import FilePath
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.limits import reading_at_most
from ontoeval.labels.entries import Entries
from ontoeval.labels.formats import Recognised
from ontoeval.labels.label_files import LabelFile, ScoreFile
from ontoeval.labels.opening import read_label_source
from ontoeval.labels.parsing import parse
from ontoeval.labels.reading import LabelOptions, Reading, ScoreOptions, Threshold
from ontoeval.labels.recognition import recognised
from ontoeval.labels.tables import Source
from ontoeval.ontology.model import Ontology


def read_labels(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: str = "error",
    threshold: Threshold | None = None,
    close: bool = False,
    repeats: ScoreRepeats = "refuse",
    max_bytes: int | None = None,
) -> LabelSets:
    r"""Read the labels of each sample from a file.

    Parameters
    ----------
    source
        A file in one of the formats that `recognise` knows, packed by gzip, bzip2, xz or zip or not.
    ontology
        Tells which concepts may be labels; labels may be local names, labels, CURIEs or IRIs.
    concepts
        The concepts that may be labels, as a file or as names; by default those of the
        ontology, and without one the labels that occur. They also say what the values of
        ImageCLEF text stand for.
    concept_map
        What the labels of the file stand for, as a file (`read_concept_map`) or a mapping.
    input_format
        One of `ontoeval.core.label_formats.FORMATS`, where the file does not tell.
    separator
        What separates the labels of a wide file; by default the first of ``;``, ``|`` and ``,``
        that occurs in any of its label fields, and of several the first that leaves only labels.
    unknown
        "error", or "drop" to leave out labels that are no concepts; `read_label_file` counts them.
    threshold
        Makes labels of scores: those that reach it. One number, a mapping from concept to
        number, or a file with the columns "concept" and "threshold".
    close
        Whether every sample also gets the ancestors of its labels, of those that may be labels.
    repeats
        What is done with several scores of one (sample, concept) pair, where a threshold makes labels
        of scores; see `read_scores`.
    max_bytes
        How large the file may be, unpacked; by default 2 GiB. `read_label_chunks` reads larger files.

    Returns
    -------
    LabelSets
        One row per sample in the order of the file, one column per concept that may be a label.

    Raises
    ------
    InputError
        If the file cannot be read as it is; the message names the row and what to do.
    UnknownConceptError
        If a label is no concept.
    AmbiguousNameError
        If a label may mean several concepts.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> _ = path.write_text("id,labels\np1,sky;sea\np2,\n", encoding="utf-8")
    >>> read_labels(path).labels_of("p1")
    ('sea', 'sky')
    """
    return read_label_file(
        source,
        ontology,
        concepts=concepts,
        concept_map=concept_map,
        input_format=input_format,
        separator=separator,
        unknown=unknown,
        threshold=threshold,
        close=close,
        repeats=repeats,
        max_bytes=max_bytes,
    ).sets


def read_scores(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    unknown: str = "error",
    repeats: ScoreRepeats = "refuse",
    max_bytes: int | None = None,
) -> LabelScores:
    r"""Read the scores of each sample's labels from a file.

    Parameters
    ----------
    source
        A file with scores in one of the formats that `recognise` knows.
    ontology
        Tells which concepts may be labels; they may be named by local name, label, CURIE or IRI.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        What the labels of the file stand for; see `read_labels`.
    input_format
        One of `ontoeval.core.label_formats.FORMATS`, where the file does not tell.
    unknown
        "error", or "drop" to leave out labels that are no concepts; `read_score_file` counts them.
    repeats
        What is done with several scores of one (sample, concept) pair: "refuse" them, or use the highest
        ("max") or the "first" in the file; `read_score_file` counts them.
    max_bytes
        How large the file may be, unpacked; by default 2 GiB.

    Returns
    -------
    LabelScores
        One row per sample in the order of the file, one column per concept that may be a label. A score
        of 0 is the same as none, where no score is negative.

    Raises
    ------
    InputError
        If the file cannot be read as it is, a sample has two scores for one concept and `repeats` is
        "refuse", or some score is negative while a sample has none for some concept.
    UnknownConceptError
        If a label is no concept.
    AmbiguousNameError
        If a label may mean several concepts.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "run.csv")
    >>> _ = path.write_text("sample,concept,score\np1,sky,0.8\np1,sea,0.1\n", encoding="utf-8")
    >>> read_scores(path).at(0.5).labels_of("p1")
    ('sky',)
    """
    return read_score_file(
        source,
        ontology,
        concepts=concepts,
        concept_map=concept_map,
        input_format=input_format,
        unknown=unknown,
        repeats=repeats,
        max_bytes=max_bytes,
    ).scores


def read_label_file(
    source: FilePath, ontology: Ontology | None = None, **options: Unpack[LabelOptions]
) -> LabelFile:
    """Read labels, and tell how they were read.

    Parameters
    ----------
    source
        The file.
    ontology
        Tells which concepts may be labels.
    **options
        The options of `read_labels`.

    Returns
    -------
    LabelFile
        The labels, the format that was recognised, and what was left out.
    """
    with reading_at_most(options.get("max_bytes")):
        reading = Reading.of(ontology, options)
        return reading.label_file(*_entries(source, reading, scores=False))


def read_score_file(
    source: FilePath, ontology: Ontology | None = None, **options: Unpack[ScoreOptions]
) -> ScoreFile:
    """Read scores, and tell how they were read.

    Parameters
    ----------
    source
        The file.
    ontology
        Tells which concepts may be labels.
    **options
        The options of `read_scores`.

    Returns
    -------
    ScoreFile
        The scores, the format that was recognised, and what was left out.
    """
    with reading_at_most(options.get("max_bytes")):
        reading = Reading.of(ontology, options)
        return reading.score_file(*_entries(source, reading, scores=True))


def _entries(path: FilePath, reading: Reading, *, scores: bool) -> tuple[Entries, Recognised, Source]:
    form, rows = recognised(read_label_source(path), reading.input_format)
    entries = parse(rows, form, reading.wanted(scores=scores))
    # The text itself is no longer needed, and may be most of what memory holds.
    return entries, form, Source(rows.where, b"", rows.digest)
