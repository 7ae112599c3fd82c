"""The contents of a label file with every label looked up: rows and columns of a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import InputError
from ontoeval.io.concepts import ConceptList
from ontoeval.io.entries import Entries
from ontoeval.io.formats import Recognised
from ontoeval.io.names import Names
from ontoeval.io.parsing import parse
from ontoeval.io.tables import Source
from ontoeval.labels import LabelScores, LabelSets
from ontoeval.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Contents:
    """What a label file says of which sample and concept.

    Parameters
    ----------
    source
        The file.
    form
        Its format.
    names
        Which concepts may be labels, whatever said so before.
    vocabulary
        The concepts that may be labels.
    samples
        Identifiers of the samples.
    row
        Position of the sample, one per entry.
    column
        Position of the concept, one per entry.
    values
        The score, one per entry, where scores are wanted.
    lines
        The line, one per entry, where it is known.
    dropped
        How often each label occurred that is no concept and was left out.
    """

    source: Source
    form: Recognised
    names: Names
    vocabulary: Vocabulary
    samples: tuple[str, ...]
    row: NDArray[np.int32]
    column: NDArray[np.intp]
    values: NDArray[np.float64]
    lines: NDArray[np.int32] | None
    dropped: Mapping[str, int]

    @property
    def told(self) -> dict[str, Any]:
        """What is told of every file that is read."""
        return {
            "source": self.source.where,
            "digest": self.source.digest,
            "format": self.form,
            "dropped": self.dropped,
        }

    def sets(self) -> LabelSets:
        """Make label sets.

        Returns
        -------
        LabelSets
            Every entry is a label; those that are there twice count once.
        """
        data = np.ones(self.row.size, dtype=bool)
        return LabelSets(self._matrix(data), self.vocabulary, self.samples)

    def scores(self) -> LabelScores:
        """Make label scores.

        Returns
        -------
        LabelScores
            Every entry is a score.

        Raises
        ------
        InputError
            If a sample has two scores for one concept.
        """
        cell = self.row.astype(np.int64) * len(self.vocabulary) + self.column
        order = np.argsort(cell, kind="stable")
        again = np.flatnonzero(cell[order[1:]] == cell[order[:-1]]) + 1
        if again.size:
            # The sort is stable: what repeats a score follows the score that it repeats.
            first, second = (int(entry) for entry in order[again[0] - 1 : again[0] + 1])
            rows = "" if self.lines is None else f", in rows {self.lines[first]:,} and {self.lines[second]:,}"
            raise InputError(
                f"sample {self.samples[self.row[first]]!r} has two scores for "
                f"{self.vocabulary[int(self.column[first])]!r}{rows}",
                "Keep one.",
                where=self.source.where,
            )
        return LabelScores(self._matrix(self.values), self.vocabulary, self.samples)

    def _matrix(self, data: NDArray[Any]) -> sparse.csr_array:
        shape = len(self.samples), len(self.vocabulary)
        return sparse.csr_array(sparse.coo_array((data, (self.row, self.column)), shape=shape))


def contents_of(
    source: Source,
    form: Recognised,
    names: Names,
    *,
    scores: bool,
    certain: bool,
    concepts: ConceptList | None = None,
    separator: str | None = None,
) -> Contents:
    """Read the entries of a file and look up its labels.

    Parameters
    ----------
    source
        The file.
    form
        Its format.
    names
        Which concepts may be labels.
    scores
        Whether scores are wanted, instead of labels.
    certain
        Whether the format was asked for, instead of recognised.
    concepts
        What the values of ImageCLEF text stand for.
    separator
        What separates the labels of a wide file, where it is given.

    Returns
    -------
    Contents
        The entries whose labels are concepts.

    Raises
    ------
    InputError
        If the file cannot be read as it is.
    UnknownConceptError
        If a label is no concept.
    """
    entries = parse(source, form, scores=scores, columns=concepts, separator=separator)
    if form.format == "long" and not certain and names.vocabulary is None:
        _refuse_several_in_one(entries, form, source.where)
    hint = f"Labels are separated by {entries.separator!r} (separator=, --separator). "
    vocabulary, column_of = names.columns(
        entries.spellings,
        entries.places,
        source.where,
        in_order=entries.header,
        hint=hint if entries.separator else "",
    )
    if entries.header:
        _refuse_equal_columns(entries, vocabulary, column_of, source.where)
    column = column_of[entries.code]
    kept = np.flatnonzero(column >= 0) if (column_of < 0).any() else slice(None)
    counts = np.bincount(entries.code, minlength=len(entries.spellings)).tolist()
    lost = {entries.spellings[code]: counts[code] for code in np.flatnonzero(column_of < 0)}
    return Contents(
        source,
        replace(form, separator=entries.separator),
        replace(names, vocabulary=vocabulary),
        vocabulary,
        entries.samples,
        entries.row[kept],
        column[kept],
        np.empty(0) if entries.values is None else entries.values[kept],
        None if entries.lines is None else entries.lines[kept],
        MappingProxyType({**dict.fromkeys(names.dropped, 0), **lost}),
    )


def _refuse_several_in_one(entries: Entries, form: Recognised, where: str) -> None:
    """Where nothing says which labels there are, what looks like several must not become one."""
    several = [text for text in entries.spellings if ";" in text or "|" in text]
    if several:
        raise InputError(
            f"{several[0]!r} looks like several labels, but the column {form.header[form.concept or 0]!r} "
            "says one in each row",
            "Call the column 'labels', or pass input_format='long' (--input-format long) if it is one.",
            where=where,
        )


def _refuse_equal_columns(
    entries: Entries, vocabulary: Vocabulary, column_of: NDArray[np.intp], where: str
) -> None:
    first: dict[int, int] = {}
    for number, column in enumerate(column_of.tolist()):
        if column >= 0 and first.setdefault(column, number) != number:
            raise InputError(
                f"the columns {entries.spellings[first[column]]!r} and {entries.spellings[number]!r} "
                f"are both the concept {vocabulary[column]!r}",
                "Keep one.",
                where=where,
            )
