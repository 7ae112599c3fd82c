"""Label files as written, before names are resolved, with everything that reading would refuse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import LineNumbers
from ontoeval.core.gate import refuse_misread
from ontoeval.core.inputs import Labels
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import Listed
from ontoeval.core.verified import VerifiedLabels, number_of_unknown
from ontoeval.errors import InputError, ParameterError, enumerate_some
from ontoeval.labels.annotation_tools import TOOLS
from ontoeval.labels.formats import Recognised
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.recognition import is_table, parse, recognised
from ontoeval.labels.resolved import advice_of
from ontoeval.labels.sources import LabelSource, read_label_source
from ontoeval.labels.spans import LINE_END
from ontoeval.labels.statements import DecoderOptions, Statements, sorted_repeats
from ontoeval.plumbing.arrays import Marks, reaches
from ontoeval.plumbing.files import FilePath, reading_at_most
from ontoeval.plumbing.sparse import pattern, pattern_at, row_of_entries

_ENTRIES = 2**22
"""Entries that are counted at once."""


class Repeats(NamedTuple):
    """Repeated labels: counts, rows × spellings, and the samples whose rows differ in other columns.

    Labels repeated in rows that differ in columns that are not read are `kept`.
    """

    labels: sparse.csr_array
    kept: sparse.csr_array
    differing: NDArray[np.bool_]

    @classmethod
    def from_entries(
        cls, entries: Statements, chosen: Marks, matrix: sparse.csr_array, rows: LabelSource, form: Recognised
    ) -> Repeats:
        """Count the repeated labels among the chosen entries of a file, from which `matrix` is made."""
        names = dict.fromkeys(entries.samples)
        long, number = form.format == "long", None
        differing = np.zeros(len(names), dtype=bool)
        several = long or len(names) < len(entries.samples)
        found = _unread_columns(rows, form) if several else None
        if found is not None and long:
            number, lines = found
            # Some rows may be left out: their labels are absent.
            number = number[np.searchsorted(lines, np.asarray(entries.place))]
            differing = _differing(number, entries.sample, len(names))
            number = number[chosen]
        elif found is not None:
            place = dict(zip(names, range(len(names)), strict=True))
            sample = np.fromiter(map(place.__getitem__, entries.samples), dtype=np.intp)
            differing = _differing(found[0], sample, len(names))
        row, code = entries.sample[chosen], entries.concept[chosen]
        if row.size == matrix.nnz or form.format in TOOLS:  # each is given once, or in a region of its own
            row, code, number = row[:0], code[:0], None
        return cls(*_given_again(row, code, number, matrix.shape), differing)

    def without_columns(self) -> Repeats:
        """Ignore the columns that are not read."""
        every = sparse.csr_array(self.labels + self.kept)
        return Repeats(every, sparse.csr_array(every[:, :0]), np.zeros_like(self.differing))


def _unread_columns(
    rows: LabelSource, form: Recognised
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Hash the fields of each row that are not read; returns also the line of each row."""
    others = sorted(set(range(form.width)) - {form.sample, form.concept, form.score})
    if form.format not in {"wide", "long"} or not is_table(form) or not others or form.negation is not None:
        return None
    numbers, lines = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for batch in rows.batches(form.delimiter, form.width):
        texts = zip(*(batch.columns[column] for column in others), strict=True)
        # The numbers are only compared.
        numbers.append(np.fromiter(map(hash, texts), dtype=np.int64, count=len(batch.lines)))
        lines.append(np.asarray(batch.lines, dtype=np.int64))
    return np.concatenate(numbers), np.concatenate(lines)


def _differing(number: NDArray[np.int64], sample: NDArray[np.integer], count: int) -> NDArray[np.bool_]:
    """Mark the samples whose rows have different numbers."""
    first = np.zeros(count, dtype=np.int64)
    first[sample[::-1]] = number[::-1]
    return np.asarray(np.bincount(sample[number != first[sample]], minlength=count) > 0)


def _given_again(
    row: NDArray[np.integer],
    code: NDArray[np.integer],
    number: NDArray[np.int64] | None,
    shape: tuple[int, int],
) -> tuple[sparse.csr_array, sparse.csr_array]:
    # Most labels are given once: these are left out early.
    every = row.astype(np.int64) * shape[1] + code
    order, repeated = sorted_repeats(every)
    several = np.zeros(row.size, dtype=bool)
    several[order[repeated]] = several[order[:-1][repeated[1:]]] = True
    pairs = every[several]
    numbers = np.zeros_like(pairs) if number is None else number[several]
    different = np.unique(np.stack([pairs, numbers], axis=1), axis=0)[:, 0]
    counts = []
    for some in (pairs, different, np.unique(pairs)):
        ends = np.divmod(some, shape[1])
        counts.append(sparse.csr_array((np.ones(some.size, dtype=np.int32), ends), shape=shape))
    again, kept = counts[0] - counts[1], counts[1] - counts[2]
    for matrix in (again, kept):
        matrix.eliminate_zeros()
    return again, kept


class Original(NamedTuple):
    """A label file, its rows, and how these were decoded."""

    file: LabelSource
    rows: LabelSource
    options: DecoderOptions

    @property
    def line_end(self) -> str:
        """End of its first line."""
        found = LINE_END.search(self.file.data)
        return "\n" if found is None else found[0].decode()


@dataclass(frozen=True, eq=False)
class RawLabels:
    """Rows and spellings of a label file; `matrix` is rows × spellings, `negative` the labels marked absent.

    `places` are where each spelling is first met, `starts` the lines on which rows begin, `subjects` the
    samples that annotators have labelled, where each annotator's labels are a sample.
    """

    rows: tuple[str, ...]
    spellings: tuple[str, ...]
    matrix: sparse.csr_array
    negative: sparse.csr_array | None = None
    places: Sequence[str] = ()
    starts: Sequence[int] | NDArray[np.int32] | None = None
    repeats: Repeats | None = None
    source: str = ""
    form: Recognised | None = None
    scored: bool = False
    original: Original | None = None
    ledger: Ledger = field(default_factory=Ledger)
    subjects: tuple[str, ...] = ()

    @classmethod
    def from_sets(cls, labels: LabelSets | VerifiedLabels | Listed) -> RawLabels:
        """Take labels that are in memory."""
        if isinstance(labels, Listed):
            matrix, names, samples = labels.matrix()
            again = _given_again(row_of_entries(matrix), matrix.indices, None, matrix.shape)
            repeats = Repeats(*again, np.zeros(len(labels), dtype=bool))
            return cls(samples, names.concepts, pattern(matrix), repeats=repeats)
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
    def lines(self) -> LineNumbers | None:
        """The lines on which the rows of samples begin; None where that is not known."""
        if self.starts is None:
            return None
        starts = np.asarray(self.starts, dtype=np.int32)
        if len(self.samples) == len(self.rows):
            return LineNumbers(starts, starts[:0], self.sample_of_row[:0])
        return LineNumbers.from_rows(starts, self.sample_of_row)

    def per_sample(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Join the rows of each sample."""
        if len(self.samples) == len(self.rows):
            return matrix
        shape = (len(self.samples), len(self.rows))
        return pattern(pattern_at(self.sample_of_row, np.arange(len(self.rows)), shape) @ matrix)

    def samples_of(self, matrix: sparse.csr_array) -> NDArray[np.intp]:
        """List the samples of which a row holds something."""
        return np.asarray(np.unique(self.sample_of_row[np.flatnonzero(np.diff(matrix.indptr))]))

    @cached_property
    def has_several_rows(self) -> NDArray[np.bool_]:
        """Mark the samples with several rows."""
        return np.asarray(np.bincount(self.sample_of_row, minlength=len(self.samples)) > 1)

    @property
    def differing(self) -> NDArray[np.bool_]:
        """Mark the samples whose rows differ in columns that are not read."""
        none = np.zeros(len(self.samples), dtype=bool)
        return none if self.repeats is None else self.repeats.differing

    @property
    def where_rows_differ(self) -> str:
        """Part of a sentence: where the rows of a sample differ."""
        return "" if self.form is None else f"in what is not read ({enumerate_some(self.form.unused)})"

    @cached_property
    def spelling_columns(self) -> tuple[sparse.csc_array, ...]:
        """The present labels by column, and the absent ones if there are any."""
        return tuple(side.tocsc() for side in (self.matrix, self.negative) if side is not None)

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """Number of rows with each spelling, present or absent."""
        counts = np.zeros(len(self.spellings), dtype=np.intp)
        for side in (self.matrix, self.negative):
            if side is not None:
                for begin in range(0, side.nnz, _ENTRIES):  # NumPy counts in a copy of what it counts
                    counts += np.bincount(side.indices[begin : begin + _ENTRIES], minlength=counts.size)
        return counts


def read_raw_labels(
    labels: FilePath | Labels, reader: LabelFileReader, negative: int | None, *, keep: bool
) -> RawLabels:
    """Read a label file as it is written, and keep what reading would refuse."""
    if isinstance(labels, LabelSets | VerifiedLabels | Listed):
        return RawLabels.from_sets(labels)
    path: Any = labels  # anything else is refused when it is opened
    with reading_at_most(reader.options.max_bytes):
        file = read_label_source(path)
        form, rows = recognised(file, reader.layout, known=reader.names.known)
        verified = None if negative is None else reader.verified_options(negative)
        options = replace(verified or reader.decoder_options(scores=False), repeats=True)
        entries = parse(rows, form, options)
    form = replace(form, **entries.seen)
    if not entries.header:
        sizes, known = np.bincount(entries.sample, minlength=len(entries.samples)), reader.names.known
        how = advice_of(form)
        refuse_misread(entries.spellings, sizes, how, known=known, overruled=True, where=rows.where)
    positive, absent = sides_of(entries, reader.options.threshold, negative, rows.where)
    matrix = matrix_of(entries, positive)
    return RawLabels(
        entries.samples,
        entries.spellings,
        matrix,
        None if absent is None else matrix_of(entries, absent),
        entries.places,
        entries.starts,
        Repeats.from_entries(entries, positive, matrix, rows, form),
        rows.where,
        form,
        entries.value is not None and negative is None,
        Original(file, rows, options) if keep and not file.files else None,
        entries.ledger,
        entries.subjects,
    )


def sides_of(
    entries: Statements, threshold: object, negative: int | None, where: str
) -> tuple[Marks, Marks | None]:
    """Mark the entries of present labels and those of absent ones."""
    if entries.value is None:
        return np.ones(entries.sample.size, dtype=bool), None
    if negative is None:
        if not isinstance(threshold, int | float):
            raise ParameterError("threshold", threshold, "one number for all concepts, for an audit")
        return reaches(entries.value, threshold), None
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


def matrix_of(entries: Statements, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make rows × spellings of some entries."""
    shape = (len(entries.samples), len(entries.spellings))
    return pattern_at(entries.sample[chosen], entries.concept[chosen], shape)
