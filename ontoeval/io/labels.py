"""Label files in, LabelSets and LabelScores out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import TypedDict, Unpack

from ontoeval.errors import ParameterError, listed
from ontoeval.files import FilePath
from ontoeval.io.concepts import concept_list
from ontoeval.io.contents import Contents, contents_of
from ontoeval.io.formats import Recognised, recognised
from ontoeval.io.names import Names
from ontoeval.io.per_concept import thresholds_by
from ontoeval.io.tables import read_source
from ontoeval.labels import LabelScores, LabelSets
from ontoeval.ontology.model import Ontology

Threshold = float | FilePath | Mapping[str, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class _File:
    """What is known of a label file beside its contents."""

    source: str
    digest: str
    format: Recognised
    dropped: Mapping[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken as it is written, in words."""
        if not self.dropped:
            return ()
        counts = sorted(self.dropped.items(), key=lambda item: -item[1])
        return (
            f"{self.source}: left out {sum(self.dropped.values()):,} labels that are no concepts: "
            + listed([f"{name} ({count:,})" for name, count in counts[:5]], total=len(counts)),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelFile(_File):
    """A label file that has been read.

    Parameters
    ----------
    source
        The path as it was given.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    format
        The format that was recognised or asked for; printing it says it in words.
    dropped
        How often each label occurred that is no concept and was left out.
    sets
        The labels of each sample.
    repeated
        How many labels were given to a sample that had them already, which changes nothing.
    """

    sets: LabelSets
    repeated: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken as it is written, in words."""
        repeated = (f"{self.source}: {self.repeated:,} labels repeated for the same sample",)
        return (*super().notes, *(repeated if self.repeated else ()))

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {len(self.sets):,} samples"


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFile(_File):
    """A file of scores that has been read.

    Parameters
    ----------
    source
        The path as it was given.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    format
        The format that was recognised or asked for; printing it says it in words.
    dropped
        How often each label occurred that is no concept and was left out.
    scores
        The scores of each sample.
    """

    scores: LabelScores

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {len(self.scores):,} samples with scores"


class ScoreOptions(TypedDict, total=False):
    """The options of `read_scores`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    unknown: str


class LabelOptions(ScoreOptions, total=False):
    """The options of `read_labels`."""

    separator: str | None
    threshold: Threshold | None


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
) -> LabelSets:
    r"""Read the labels of each sample from a file.

    Parameters
    ----------
    source
        A file in one of the formats that `recognise` knows.
    ontology
        Tells which concepts may be labels; labels may be local names, labels, CURIEs or IRIs.
    concepts
        The concepts that may be labels, as a file or as names; by default those of the
        ontology, and without one the labels that occur. They also say what the values of
        ImageCLEF text stand for.
    concept_map
        What the labels of the file stand for, as a file (`read_concept_map`) or a mapping.
    input_format
        "wide", "long", "columns", "json" or "imageclef", where the file does not tell.
    separator
        What separates the labels of a wide file; by default the first of ``;``, ``|`` and ``,``
        that occurs in any of its label fields.
    unknown
        "error", or "drop" to leave out labels that are no concepts; `read_label_file` counts them.
    threshold
        Makes labels of scores: those that reach it. One number, a mapping from concept to
        number, or a file with the columns "concept" and "threshold".

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
    ).sets


def read_scores(
    source: FilePath,
    ontology: Ontology | None = None,
    *,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    unknown: str = "error",
) -> LabelScores:
    r"""Read the scores of each sample's labels from a file.

    Parameters
    ----------
    source
        A file with one score per row ("sample,concept,score"), one column of scores for each
        concept, ImageCLEF text, or JSON.
    ontology
        Tells which concepts may be labels; they may be named by local name, label, CURIE or IRI.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        What the labels of the file stand for; see `read_labels`.
    input_format
        "long", "columns", "json" or "imageclef", where the file does not tell.
    unknown
        "error", or "drop" to leave out labels that are no concepts; `read_score_file` counts them.

    Returns
    -------
    LabelScores
        One row per sample in the order of the file, one column per concept that may be a label.

    Raises
    ------
    InputError
        If the file cannot be read as it is, or a sample has two scores for one concept.
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
    threshold = options.get("threshold")
    separator = options.get("separator")
    contents = _contents(source, ontology, options, scores=threshold is not None, separator=separator)
    if threshold is not None:
        limits = _limits(threshold, contents.names)
        return LabelFile(sets=contents.scores().at(limits), **contents.told)
    sets = contents.sets()
    return LabelFile(sets=sets, repeated=contents.row.size - sets.matrix.nnz, **contents.told)


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
    contents = _contents(source, ontology, options, scores=True)
    return ScoreFile(scores=contents.scores(), **contents.told)


def _contents(
    path: FilePath,
    ontology: Ontology | None,
    options: ScoreOptions,
    *,
    scores: bool,
    separator: str | None = None,
) -> Contents:
    concepts, asked = options.get("concepts"), options.get("input_format")
    if separator == "":
        raise ParameterError("separator", separator, "at least one character")
    chosen = None if concepts is None else concept_list(concepts)
    names = Names.given(
        ontology,
        concepts=chosen,
        concept_map=options.get("concept_map"),
        unknown=options.get("unknown", "error"),
    )
    source = read_source(path)
    form = recognised(source, asked)
    return contents_of(
        source, form, names, concepts=chosen, separator=separator, scores=scores, certain=asked is not None
    )


def _limits(threshold: Threshold, names: Names) -> float | Mapping[str, float]:
    if isinstance(threshold, Mapping | str | os.PathLike):
        return thresholds_by(names, threshold)
    if not isinstance(threshold, Real) or isinstance(threshold, bool) or not isfinite(threshold):
        raise ParameterError("threshold", threshold, "a finite number, a mapping, or a file")
    return float(threshold)
