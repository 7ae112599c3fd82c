"""Copying: the rows and labels of a corrected file, each renamed or joined where a finding asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.changes import Kind
from ontoeval.audit.finding import Finding
from ontoeval.audit.subject import Subject
from ontoeval.core.choices import OutputFormat
from ontoeval.core.csr import choose_entries, pattern, with_data, without
from ontoeval.labels.cells import BLANK, SEPARATORS
from ontoeval.labels.formats import Recognised


def joining(group: NDArray[np.intp], count: int) -> sparse.csr_array:
    """Make what joins rows that are in one group."""
    ends = group, np.arange(group.size)
    return sparse.csr_array((np.ones(group.size, dtype=bool), ends), shape=(count, group.size))


def format_like(
    form: Recognised | None, labels: Iterable[str], separator: str | None = None
) -> tuple[OutputFormat, str]:
    """Choose the format of a copy: one that is like the file's, and read again as it is written."""
    labels, chosen = list(labels), separator or (None if form is None else form.separator) or ";"
    if chosen == BLANK and separator is None and any(label.split() != [label] for label in labels):
        chosen = ";"
    # Where nobody names the separator, a reader takes the first that occurs.
    before = SEPARATORS[: SEPARATORS.index(chosen)] if chosen in SEPARATORS and separator is None else ()
    mixed = any(sign in label for label in labels for sign in (chosen, *before))
    return "long" if mixed or (form is not None and form.format == "long") else "wide", chosen


@dataclass(frozen=True, eq=False)
class CopiedRows:
    """The rows of a corrected file."""

    names: tuple[str, ...]
    sample: NDArray[np.intp]
    group: NDArray[np.intp]
    joined: tuple[Finding, ...]
    once: NDArray[np.bool_]

    @classmethod
    def of(cls, subject: Subject, findings: Iterable[Finding]) -> CopiedRows:
        """Join the rows of samples that findings are about."""
        written = subject.written
        sample = written.sample_of_row
        join, once = np.zeros((2, len(written.samples)), dtype=bool)
        joined = []
        for finding in findings:
            if finding.rule == "duplicate-sample":
                join[finding.rows] = True
                joined.append(finding)
            else:
                once[finding.rows] = True
        first = np.unique(sample, return_index=True)[1]
        kept = ~join[sample]
        kept[first] = True
        number = np.cumsum(kept) - 1
        group = np.where(kept, number, number[first[sample]]) if sample.size else number
        names = tuple(written.rows[row] for row in np.flatnonzero(kept).tolist())
        return cls(names, sample[kept], group, tuple(joined), once)

    def spread(self, matrix: sparse.csr_array) -> sparse.csr_array:
        """Make one row for each of these of what has one per sample."""
        return matrix if len(self.names) == matrix.shape[0] else matrix[self.sample]

    def changes(self, subject: Subject) -> list[tuple[sparse.csr_array, list[Kind]]]:
        """Tell which samples had rows or labels that are joined now."""
        written, shape = subject.written, (len(subject.written.samples), 1)
        told = [
            (
                sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, np.zeros_like(rows))), shape=shape),
                [Kind("join", "", "", rule)],
            )
            for rule, rows in ((one.rule, one.rows) for one in self.joined)
        ]
        if written.repeats is not None and self.once.any():
            again = written.per_sample(pattern(written.repeats.labels))
            again = choose_entries(again, np.repeat(self.once, np.diff(again.indptr)))
            codes = np.unique(again.indices)
            kinds = [Kind("join", written.spellings[code], "", "repeated-label") for code in codes.tolist()]
            told.append((sparse.csr_array(again[:, codes]), kinds))
        return told


@dataclass(frozen=True, eq=False)
class CopiedLabels:
    """The labels of a corrected file, before any is added or taken away."""

    names: tuple[str, ...]
    matrix: sparse.csr_array
    meant: sparse.csr_array
    renamed: sparse.csr_array
    kinds: tuple[Kind, ...]

    @classmethod
    def of(cls, subject: Subject, rows: CopiedRows, findings: Iterable[Finding]) -> CopiedLabels:
        """Rename labels that findings are about."""
        written, labels = subject.written, subject.vocabulary
        shown = [subject.naming[name] for name in labels]
        matrix = written.matrix
        if len(rows.names) < len(written.rows):
            matrix = pattern(joining(rows.group, len(rows.names)) @ matrix)
        column = np.array([meaning.column for meaning in subject.meanings], dtype=np.int32)
        own = np.array(
            [
                at >= 0 and shown[at] == text
                for at, text in zip(column.tolist(), written.spellings, strict=True)
            ],
            dtype=bool,
        )
        place = {text: code for code, text in enumerate(written.spellings)}
        rules = {}
        for one in findings:
            ways = subject.ways.get(labels.index.get(one.concepts[0], -1), ())
            rules.update(dict.fromkeys(ways[1:] if one.rule == "spelling" else [place[one.concepts[0]]], one))
        renamed = _renamed(matrix, rows, rules)
        others = sorted(
            np.unique(matrix.indices[~own[matrix.indices] & ~renamed]).tolist(),
            key=written.spellings.__getitem__,
        )
        target = column.copy()
        target[others] = len(labels) + np.arange(len(others))
        ends = target[matrix.indices]
        ends[renamed] = column[matrix.indices[renamed]]
        names = (*shown, *(written.spellings[code] for code in others))
        copied = sparse.csr_array((matrix.data, ends, matrix.indptr), shape=(len(rows.names), len(names)))
        means = np.concatenate([np.arange(len(labels)), column[others]])
        known = np.flatnonzero(means >= 0)
        meant = sparse.csr_array(
            (np.ones(known.size, dtype=bool), (means[known], known)), shape=(len(labels), len(names))
        )
        codes = sorted(rules)
        kinds = (Kind("rename", written.spellings[c], shown[int(column[c])], rules[c].rule) for c in codes)
        number = np.zeros(column.size, dtype=np.intp)
        number[codes] = np.arange(len(codes))
        row = np.searchsorted(matrix.indptr, np.flatnonzero(renamed), side="right") - 1
        where = rows.sample[row], number[matrix.indices[renamed]]
        shape = (len(written.samples), len(codes))
        changes = pattern(sparse.csr_array((np.ones(where[0].size, dtype=bool), where), shape=shape))
        return cls(names, pattern(copied), meant, changes, tuple(kinds))

    def changed(self, more: sparse.csr_array, less: sparse.csr_array) -> sparse.csr_array:
        """Add labels, and take others away."""
        matrix = without(self.matrix, pattern(less @ self.meant)) if less.nnz else self.matrix
        if not more.nnz:
            return matrix
        wide = sparse.csr_array((more.data, more.indices, more.indptr), shape=matrix.shape)
        return pattern(matrix + wide)


def _renamed(matrix: sparse.csr_array, rows: CopiedRows, rules: dict[int, Finding]) -> NDArray[np.bool_]:
    """Mark the entries that findings ask to be renamed."""
    renamed = np.zeros(matrix.nnz, dtype=bool)
    if not rules:
        return renamed
    number = with_data(matrix, np.arange(matrix.nnz)).tocsc()
    for code, finding in rules.items():
        begin, end = number.indptr[code : code + 2]
        concerned = np.isin(rows.sample[number.indices[begin:end]], finding.rows)
        renamed[number.data[begin:end][concerned]] = True
    return renamed
