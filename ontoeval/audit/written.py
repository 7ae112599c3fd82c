"""What label files write, before any of it is understood: an audit must see what reading would refuse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.lines import Lines
from ontoeval.audit.repeats import Repeats
from ontoeval.core.csr import pattern
from ontoeval.core.files import FilePath
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.limits import reading_at_most
from ontoeval.core.statements import number_of_unknown
from ontoeval.core.verified import VerifiedLabels
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.cells import TRUTH_VALUES
from ontoeval.labels.formats import Recognised
from ontoeval.labels.names import Names
from ontoeval.labels.reading import LabelOptions, Reading
from ontoeval.labels.recognition import parse, recognised
from ontoeval.labels.sources import Source, read_label_source
from ontoeval.labels.statements import Statements
from ontoeval.ontology.model import Ontology

LINE_END = re.compile(r"\r\n|\r|\n")

_ENTRIES = 2**22
"""How many entries are counted at once."""


class Original(NamedTuple):
    """The text of a label file."""

    head: str
    rows: Source
    tail: str

    @property
    def line_end(self) -> str:
        """What ends its first line."""
        found = LINE_END.search(self.head) or LINE_END.search(next(self.rows.lines(), ""))
        return "\n" if found is None else found[0]


@dataclass(frozen=True, eq=False)
class Written:
    """Rows and spellings of a label file."""

    rows: tuple[str, ...]
    spellings: tuple[str, ...]
    matrix: sparse.csr_array
    negative: sparse.csr_array | None = None
    places: tuple[str, ...] = ()
    starts: Sequence[int] | NDArray[np.int32] | None = None
    repeats: Repeats | None = None
    source: str = ""
    form: Recognised | None = None
    scored: bool = False
    original: Original | None = None

    @classmethod
    def of_sets(cls, labels: LabelSets | VerifiedLabels) -> Written:
        """Take label sets that are in memory."""
        sets = labels.positive if isinstance(labels, VerifiedLabels) else labels
        negative = labels.negative.matrix if isinstance(labels, VerifiedLabels) else None
        return cls(sets.samples, sets.vocabulary.concepts, sets.matrix, negative)

    @cached_property
    def samples(self) -> tuple[str, ...]:
        """The samples in the order of their first row."""
        return tuple(dict.fromkeys(self.rows))

    @cached_property
    def sample_of_row(self) -> NDArray[np.intp]:
        """Position of the sample of each row."""
        if len(self.samples) == len(self.rows):
            return np.arange(len(self.rows))
        position = {name: number for number, name in enumerate(self.samples)}
        return np.fromiter(map(position.__getitem__, self.rows), dtype=np.intp, count=len(self.rows))

    @cached_property
    def lines(self) -> Lines | None:
        """The lines in which the rows of samples begin; None where that is not known."""
        if self.starts is None:
            return None
        starts = np.asarray(self.starts, dtype=np.int32)
        if len(self.samples) == len(self.rows):
            return Lines(starts, starts[:0], self.sample_of_row[:0])
        return Lines.of(starts, self.sample_of_row)

    def per_sample(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Join the rows of each sample."""
        if len(self.samples) == len(self.rows):
            return matrix
        ones = np.ones(len(self.rows), dtype=bool)
        shape = (len(self.samples), len(self.rows))
        joined = sparse.csr_array((ones, (self.sample_of_row, np.arange(len(self.rows)))), shape=shape)
        return pattern(joined @ matrix)

    def samples_of(self, matrix: sparse.csr_array) -> NDArray[np.intp]:
        """List the samples of which a row holds something."""
        samples: NDArray[np.intp] = np.unique(self.sample_of_row[np.flatnonzero(np.diff(matrix.indptr))])
        return samples

    @cached_property
    def several(self) -> NDArray[np.bool_]:
        """Mark the samples with several rows."""
        several: NDArray[np.bool_] = np.bincount(self.sample_of_row, minlength=len(self.samples)) > 1
        return several

    @property
    def guarded(self) -> NDArray[np.bool_]:
        """Mark the samples of which no label may be taken away: its row says something of its own."""
        if self.repeats is None or self.form is None or self.form.format != "long":
            return np.zeros(len(self.samples), dtype=bool)
        return self.repeats.apart

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """How many rows bear each spelling, as present or absent."""
        counts = np.zeros(len(self.spellings), dtype=np.intp)
        for side in (self.matrix, self.negative):
            if side is not None:
                for begin in range(0, side.nnz, _ENTRIES):  # NumPy counts in a copy of what it counts
                    counts += np.bincount(side.indices[begin : begin + _ENTRIES], minlength=counts.size)
        return counts


def read_written(
    source: FilePath,
    ontology: Ontology | None,
    options: Mapping[str, Any],
    *,
    negative: int | None = None,
    keep: bool = False,
) -> tuple[Written, Names]:
    """Read a label file as it is written."""
    for name, usual in (("close", False), ("unknown", "error")):
        if options.get(name, usual) != usual:
            raise ParameterError(name, options[name], f"{usual!r}: an audit takes the labels as they are")
    given: LabelOptions = {**options}  # type: ignore[typeddict-item] # the command line's, with these names
    reading = Reading.of(ontology, given)
    wanted = replace(reading.wanted(scores=negative is not None), repeats=True)
    if negative is not None:
        wanted = replace(wanted, words={**TRUTH_VALUES, "": number_of_unknown(negative)})
    with reading_at_most(given.get("max_bytes")):
        file = read_label_source(source)
        form, rows = recognised(file, reading.input_format)
        entries = parse(rows, form, wanted)
    form = replace(form, **entries.seen)
    positive, absent = _sides(entries, reading.threshold, negative, rows.where)
    matrix = _matrix(entries, positive)
    written = Written(
        entries.samples,
        entries.spellings,
        matrix,
        None if absent is None else _matrix(entries, absent),
        entries.places,
        entries.starts,
        Repeats.of(entries, positive, matrix, rows, form),
        rows.where,
        form,
        entries.value is not None and negative is None,
        _original(file, rows) if keep and form.is_table else None,
    )
    return written, reading.names


def _original(file: Source, rows: Source) -> Original:
    head, tail = file.data[: rows.begin], file.data[len(rows.data) :]
    return Original(file.mark + head.decode(), rows, tail.decode())


def _sides(
    entries: Statements, threshold: object, negative: int | None, where: str
) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """Mark the entries that say that a label is there, and those that say that it is not."""
    if entries.value is None:
        return np.ones(entries.sample.size, dtype=bool), None
    if negative is None:
        if not isinstance(threshold, int | float):
            raise ParameterError("threshold", threshold, "one number for all concepts, for an audit")
        return entries.value >= threshold, None
    known = np.isin(entries.value, [1.0, float(negative), number_of_unknown(negative)])
    if not known.all():
        odd = int(np.flatnonzero(~known)[0])
        raise InputError(
            f"sample {entries.samples[entries.sample[odd]]!r} has the value {entries.value[odd]:g} for "
            f"{entries.spellings[entries.concept[odd]]!r}",
            f"Write 1 for a label that is present, and {negative} for one that is absent.",
            where=where,
        )
    return entries.value == 1, entries.value == negative


def _matrix(entries: Statements, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make rows × spellings of some entries."""
    ends, shape = (
        (entries.sample[chosen], entries.concept[chosen]),
        (len(entries.samples), len(entries.spellings)),
    )
    return pattern(sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=shape))
