"""Fixing: a corrected copy of label sets, and what was changed; what needs a human stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit import closure, names
from ontoeval.audit.changes import Changes, Kind
from ontoeval.audit.copying import CopiedLabels, CopiedRows, format_like, joining
from ontoeval.audit.finding import check_severities
from ontoeval.audit.labels import RULES, subject_of
from ontoeval.audit.losses import loss
from ontoeval.audit.patching import Patch, patch_of
from ontoeval.audit.repetitions import about_rows
from ontoeval.audit.settings import Choose, counting, read_baseline
from ontoeval.audit.subject import Subject
from ontoeval.core.atomic import text_file, write_aside
from ontoeval.core.choices import ConventionAsked, OutputFormat, Severity
from ontoeval.core.csr import pattern, without
from ontoeval.core.files import FilePath
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError
from ontoeval.labels.cells import BLANK, unclear_blanks
from ontoeval.labels.write import Rows, write_labels
from ontoeval.ontology.model import Ontology


@dataclass(frozen=True, eq=False)
class Correction:
    """Corrected label sets.

    Parameters
    ----------
    rows
        The rows of the corrected file; what could not be understood is still there, as it was written.
    changes
        What was changed, sample by sample.
    output_format
        The format of `write_labels` that is nearest to the file's.
    separator
        What separates labels in it.
    patch
        The text of the file with what was changed, if it is a table of text; otherwise the copy is CSV.
    """

    rows: Rows
    changes: Changes
    output_format: OutputFormat
    separator: str = ";"
    patch: Patch | None = None

    @property
    def tabs(self) -> bool:
        """Whether tabs stand between the fields of the copy."""
        return self.patch is not None and self.patch.form.delimiter == "\t"

    @cached_property
    def sets(self) -> LabelSets:
        """The labels of each sample, over those that are used."""
        position = {name: number for number, name in enumerate(dict.fromkeys(self.rows.samples))}
        sample = np.array([position[name] for name in self.rows.samples], dtype=np.intp)
        joined = joining(sample, len(position)) @ self.rows.matrix
        return LabelSets(joined, self.rows.vocabulary, tuple(position))

    def files(self, path: Path, log: Path) -> dict[Path, Callable[[Path], None]]:
        """Tell what writes the corrected copy, and what the change log.

        Parameters
        ----------
        path
            Where the copy shall be.
        log
            Where the log shall be.

        Returns
        -------
        dict
            What writes each file.
        """
        return {log: self._write_log, path: self._write_rows}

    def write(self, path: Path, log: Path) -> None:
        """Write the corrected copy and the change log, both whole or neither.

        Parameters
        ----------
        path
            Where the copy shall be.
        log
            Where the log shall be.
        """
        with ExitStack() as stack:
            for place, write in self.files(path, log).items():
                write(stack.enter_context(write_aside(place)))

    def _write_rows(self, path: Path) -> None:
        if self.patch is not None:
            self.patch.write(path)
        else:
            write_labels(self.rows, path, output_format=self.output_format, separator=self.separator)

    def _write_log(self, path: Path) -> None:
        with text_file(path) as file:
            file.writelines(self.changes.lines())


def correct_labels(
    labels: FilePath | LabelSets,
    ontology: Ontology | Hierarchy,
    *,
    convention: ConventionAsked = "infer",
    severities: Mapping[str, Severity | Literal["off"]] | None = None,
    baseline: FilePath | None = None,
    **reading: Any,  # noqa: ANN401 - the options of read_labels
) -> Correction:
    """Correct what an audit finds and can be corrected without asking anybody; see `corrected`.

    Parameters
    ----------
    labels
        A label file, or label sets.
    ontology
        The ontology, or a hierarchy.
    convention
        How ancestors are treated; see `audit_labels`.
    severities
        For some rules another severity; what is "off" is not corrected.
    baseline
        File of findings that are accepted, and so not corrected.
    **reading
        The options of `read_labels` for a file.

    Returns
    -------
    Correction
        The corrected sets, and the changes.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
    >>> sets = LabelSets.from_sets({"p1": ["plants", "trees"], "p2": ["trees"]})
    >>> correct_labels(sets, hierarchy, convention="closed").changes[0]
    Change(sample='p2', change='add', label='plants', new='', rule='missing-ancestor')
    """
    check_severities(severities or {}, RULES)
    accepted = {} if baseline is None else read_baseline(baseline)
    subject = subject_of(labels, ontology, convention=convention, keep=True, **reading)
    choose = counting(severities or {}, accepted, subject.written.samples)
    return corrected(subject, choose=choose, separator=reading.get("separator"))


def corrected(subject: Subject, *, choose: Choose = tuple, separator: str | None = None) -> Correction:
    """Correct what can be corrected without asking anybody.

    Labels get the name of the concept that they stand for, one spelling for each concept; a file that is
    closed upwards gets the ancestors that are missing, and one of most specific labels loses those that
    are redundant; rows of a sample that say the same are joined. A sample whose rows say different
    things stays as it is until somebody chooses among them, but for the names of its labels; and no row
    goes that says something of its own in a column that is not read, as long as the copy has this column.
    """
    if why := loss(subject):
        raise InputError(
            why,
            "Audit it without --fix, or write its labels as a table 'id,labels'.",
            where=subject.written.source,
        )
    correction = _corrected(subject, choose, separator)
    repeats = subject.written.repeats
    if correction.patch is not None or repeats is None or not repeats.apart.any():
        return correction
    # In rows that are written anew nothing stands beside the labels any more.
    alone = replace(subject, written=replace(subject.written, repeats=repeats.alone()))
    return _corrected(alone, choose, separator)


def _corrected(subject: Subject, choose: Choose, separator: str | None) -> Correction:
    found = [one for one in choose([*names.find(subject, fixable=True), *about_rows(subject)]) if one.fixable]
    about_names = {rule.name for rule in names.RULES}
    rows = CopiedRows.of(subject, [one for one in found if one.rule not in about_names])
    more, less = _by_convention(subject, choose)
    if more.nnz and separator is None:
        _refuse_unclear_blanks(subject)
    spelt = CopiedLabels.of(subject, rows, [one for one in found if one.rule in about_names])
    matrix = spelt.changed(rows.spread(more), rows.spread(less))
    used = np.bincount(matrix.indices, minlength=len(spelt.names)) > 0
    vocabulary = Vocabulary(tuple(spelt.names[column] for column in np.flatnonzero(used).tolist()))
    shown = spelt.names[: more.shape[1]]
    changes = Changes.of(
        subject.written.samples,
        [
            *rows.changes(subject),
            (spelt.renamed, spelt.kinds),
            (more, [Kind("add", name, "", "missing-ancestor") for name in shown]),
            (less, [Kind("remove", name, "", "redundant-ancestor") for name in shown]),
        ],
    )
    form = format_like(subject.written.form, vocabulary, separator)
    final = Rows(rows.names, vocabulary, matrix[:, used])
    meanings = zip(subject.written.spellings, subject.meanings, strict=True)
    called = {text: shown[meaning.column] for text, meaning in meanings if meaning.column >= 0}
    return Correction(final, changes, *form, patch_of(subject.written, rows, final, called, separator))


def _refuse_unclear_blanks(subject: Subject) -> None:
    """Refuse to add labels where nothing but blanks may separate those that are there."""
    form, knows = subject.written.form, subject.names.know
    if form is None or form.format != "wide" or form.separator is not None:
        return
    for text, meaning in zip(subject.written.spellings, subject.meanings, strict=True):
        if BLANK in text and not meaning.concepts and sum(knows((word,)) for word in text.split()) > 1:
            raise unclear_blanks(text, subject.written.source)


def _by_convention(subject: Subject, choose: Choose) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Find the labels that samples get, and those that they lose: boolean, samples × labels."""
    redundant = (one for one in choose(closure.redundant(subject)) if one.fixable)
    removable = _Marks(subject, ~(subject.conflicting | subject.written.guarded))
    removed = removable.of((one.concepts[0], one.rows) for one in redundant)
    marks, every, now = _Marks(subject, ~subject.conflicting), subject.nothing, subject
    # What gets a label needs what lies above that; and where many get one, doubts about links may end.
    while True:
        missing = list(closure.missing(now))
        fixable = [one for one in choose(missing) if one.fixable]
        added = marks.of((one.concepts[1], one.rows) for one in fixable)
        kept = {one.concepts for one in fixable}
        refused = [one.concepts for one in missing if one.concepts not in kept]
        added = _new(pattern(added @ _upward(subject, refused)), now.sets.matrix)
        if not added.nnz:
            return every, removed
        every = pattern(every + added)
        now = now.with_sets(pattern(now.sets.matrix + added))


def _new(added: sparse.csr_array, there: sparse.csr_array) -> sparse.csr_array:
    """Leave out what is there already, looking at few rows of a large matrix; its indices stay narrow."""
    lengths = np.diff(added.indptr)
    rows = np.flatnonzero(lengths)
    left = without(added[rows], there[rows])
    lengths[rows] = np.diff(left.indptr)
    indptr = np.append(0, np.cumsum(lengths)).astype(there.indptr.dtype)
    return sparse.csr_array((left.data, left.indices.astype(there.indices.dtype), indptr), shape=added.shape)


def _upward(subject: Subject, refused: Iterable[tuple[str, ...]]) -> sparse.csr_array:
    """Labels × labels: each label and the ancestors that are to be there with it, by all links but some."""
    places = [tuple(subject.vocabulary.index[name] for name in pair) for pair in refused]
    rows, columns = np.array(places, dtype=np.intp).reshape(-1, 2).T
    ones = np.ones(rows.size, dtype=bool)
    links = without(subject.due, pattern(sparse.csr_array((ones, (rows, columns)), shape=subject.due.shape)))
    return Hierarchy(subject.vocabulary, links, np.zeros(len(subject.vocabulary), dtype=bool)).ancestors


@dataclass(frozen=True)
class _Marks:
    """Marks labels of samples, of those that may be changed."""

    subject: Subject
    free: NDArray[np.bool_]

    def of(self, found: Iterable[tuple[str, NDArray[np.intp]]]) -> sparse.csr_array:
        """Mark one label in some samples, and another in others."""
        some = [(self.subject.vocabulary.index[name], rows[self.free[rows]]) for name, rows in found]
        if not some:
            return self.subject.nothing
        columns = np.repeat([column for column, _ in some], [rows.size for _, rows in some])
        ends = np.concatenate([rows for _, rows in some]).astype(np.int32), columns.astype(np.int32)
        ones = np.ones(columns.size, dtype=bool)
        return pattern(sparse.csr_array((ones, ends), shape=self.subject.sets.matrix.shape))
