"""Corrections: a corrected copy of label sets, and the log of its changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit import closure, label_names
from ontoeval.audit.choices import Axioms, ConventionAsked
from ontoeval.audit.exchange import Accepted, check_severities, new_findings, read_baseline, with_severities
from ontoeval.audit.findings import Finding, Severities
from ontoeval.audit.labels import RULES, AuditOptions, resolve_labels
from ontoeval.audit.patches import Copy, copy_of
from ontoeval.audit.relabelling import Relabelling
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.audit.suspects import Confirmed, confirmed_errors
from ontoeval.audit.usage import duplicate_rows
from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.separators import BLANK, unclear_blanks
from ontoeval.core.showing import Shown
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, located, pluralise
from ontoeval.labels.formats import ColumnNames, Layout
from ontoeval.labels.reading_options import LabelReading, NameOptions
from ontoeval.labels.writers import LabelRows, csv_field
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import pattern, pattern_at, with_data, without_entries
from ontoeval.plumbing.writing import text_file, write_all

_ORDER = ("join", "rename", "add", "remove")
"""The order in which a sample is changed: labels are added and removed under their new names."""

Choose = Callable[[Iterable[Finding]], list[Finding]]
"""Picks the findings that count."""


class Change(NamedTuple):
    """A change of one sample.

    Parameters
    ----------
    sample, change
        Its identifier; "add", "remove", "rename" or "join".
    label, new
        The label, or "" where rows were joined; the new name of one that was renamed.
    rule
        The rule of the audit that asked for the change.
    """

    sample: str
    change: str
    label: str
    new: str
    rule: str


@dataclass(frozen=True, eq=False, repr=False)
class Correction(Copy, Shown):
    """Corrected label sets: a `Copy`, and its changes.

    Parameters
    ----------
    rows, patch, output_format, separator, losses, why, source
        See `Copy`.
    changes
        The changes, sample by sample.
    """

    changes: tuple[Change, ...]

    @property
    def changed(self) -> int:
        """How many samples were changed."""
        return len({one.sample for one in self.changes})

    @property
    def _brief(self) -> str:
        return f"{pluralise(len(self.changes), 'change')} in {pluralise(self.changed, 'sample')}"

    def write(self, path: Path, log: Path, *, accept_losses: bool = False) -> None:
        """Write the corrected copy and the change log, both whole or neither.

        Parameters
        ----------
        path, log
            The files of the copy and of the log.
        accept_losses
            Write the labels alone where the format of the file cannot be kept.

        Raises
        ------
        InputError
            If something would be lost, and this is not accepted.
        """
        write_all(self.writers(path, log, accept_losses=accept_losses))

    def writers(self, path: Path, log: Path, *, accept_losses: bool) -> dict[Path, Callable[[Path], None]]:
        """Give the functions that write the change log and the corrected copy.

        Parameters
        ----------
        path, log, accept_losses
            See `write`.

        Returns
        -------
        dict of Path to callable
            The function that writes each file.
        """
        write = self.checked("--fix", path, accept_losses=accept_losses)
        return {log: partial(_write_log, self.changes), path: write}


def _write_log(changes: Sequence[Change], path: Path) -> None:
    with text_file(path) as file:
        file.writelines(",".join(map(csv_field, one)) + "\n" for one in (Change._fields, *changes))


@front_door
def correct_labels(  # noqa: PLR0913 - each is an option
    labels: FilePath | LabelSets,
    ontology: AnyOntology,
    *,
    convention: ConventionAsked = "infer",
    severities: Severities | None = None,
    baseline: FilePath | None = None,
    axioms: Axioms = "all",
    negative: Literal[0, -1] | None = None,
    classes: Sequence[str] | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    threshold: float | None = None,
    repeats: ScoreRepeats = "refuse",
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    max_bytes: int | None = None,
    confirmed: FilePath | None = None,
) -> Correction:
    """Correct what an audit finds and can be corrected without asking anybody.

    Parameters
    ----------
    labels
        A label file, or what `evaluate` takes.
    ontology
        The ontology, or a hierarchy.
    convention
        How ancestors are treated; see `audit_labels`.
    severities
        For some rules another severity; rules that are "off" correct nothing.
    baseline
        File of findings that are accepted, and so not corrected.
    axioms, negative
        Rules of the ontology, and the number of an absent label; see `audit_labels`.
    classes
        Names of the classes that numbers in lists, arrays and frames stand for; see `evaluate`.
    concepts, concept_map, input_format, separator, threshold, repeats
        How a file is read; see `read_labels`. A separator also splits the texts of labels in memory.
    sample_column, concept_column, value_column, negation_column, header, max_bytes
        The columns of a table, and the largest size of a file; see `read_labels`.
    confirmed
        A table of errors that a person confirmed, with the columns rule, sample, label and instead of
        `audit --suspects`, without its wrong rows.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
    >>> sets = LabelSets.from_sets({"p1": ["plants", "trees"], "p2": ["trees"]})
    >>> correct_labels(sets, hierarchy, convention="closed").changes[0]
    Change(sample='p2', change='add', label='plants', new='', rule='missing-ancestor')
    """
    columns = sample_column, concept_column, value_column, negation_column
    layout = Layout(input_format, *columns, header=header, separator=separator)
    names = NameOptions(concepts, concept_map)
    reading = LabelReading(names, layout, threshold, repeats, max_bytes=max_bytes)
    options = AuditOptions(convention, axioms, negative, None, classes, reading)
    check_severities(severities or {}, RULES)
    accepted = {} if baseline is None else read_baseline(baseline)
    resolved = resolve_labels(labels, ontology, options, keep=True)
    return correct_resolved(
        resolved, severities=severities or {}, accepted=accepted, separator=separator, confirmed=confirmed
    )


def correct_resolved(
    labels: ResolvedLabels,
    *,
    severities: Severities,
    accepted: Accepted,
    separator: str | None = None,
    confirmed: FilePath | None = None,
) -> Correction:
    """Correct what can be corrected without asking anybody, and what a person confirmed.

    Labels get the name of the concept that they stand for, one spelling for each concept; a file that is
    closed upwards gets the ancestors that are missing, and one of most specific labels loses those that
    are redundant; equal rows of a sample are joined. In a sample whose rows
    contradict each other only the names of labels change: somebody has to choose a row. Rows that differ in
    a column that is not read are all kept, as long as the copy has this column.
    """
    if why := labels.uncorrectable:
        remedy = "Audit it without --fix, or write its labels as a table 'id,labels'."
        raise InputError(why, remedy, where=labels.raw.source)

    def choose(found: Iterable[Finding]) -> list[Finding]:
        new = new_findings(with_severities(found, severities), accepted, labels.raw.samples)
        return [finding for finding in new if finding.fixable]

    errors = confirmed_errors(labels, confirmed)
    correction = _correct(labels, errors, choose, separator)
    repeats = labels.raw.repeats
    if correction.patch is not None or repeats is None or not repeats.differing.any():
        return correction
    # In rows that are written anew nothing stands beside the labels any more.
    alone = replace(labels, raw=replace(labels.raw, repeats=repeats.without_columns()))
    return _correct(alone, errors, choose, separator)


def _correct(labels: ResolvedLabels, errors: Confirmed, choose: Choose, separator: str | None) -> Correction:
    raw, shown = labels.raw, [labels.naming[name] for name in labels.vocabulary]
    doubled = {one.rule: one.rows for one in choose(duplicate_rows(labels))}
    none = np.empty(0, dtype=np.intp)
    joined = labels.row_mask(doubled.get("duplicate-sample", none))
    once = labels.row_mask(doubled.get("repeated-label", none))
    renamed = _renamed_samples(labels, choose(label_names.find(labels, fixable=True)))
    more, less = _by_convention(labels, errors, choose)
    if more.nnz and separator is None:
        with located(raw.source):
            _refuse_unclear_blanks(labels)
    kept, group = _kept_rows(labels, joined)
    sample = raw.sample_of_row[kept]
    matrix = raw.matrix
    if kept.size < len(raw.rows):
        matrix = pattern(pattern_at(group, np.arange(group.size), (kept.size, group.size)) @ matrix)
    matrix, names, renames = _rename_labels(labels, matrix, sample, shown, renamed)

    def spread(of_samples: sparse.csr_array) -> sparse.csr_array:
        return of_samples if kept.size == len(raw.samples) else of_samples[sample]

    if less.nnz:
        matrix = without_entries(matrix, pattern(spread(less) @ _names_of_labels(labels, names)))
    if more.nnz:
        added = spread(more)
        matrix = pattern(
            matrix + sparse.csr_array((added.data, added.indices, added.indptr), shape=matrix.shape)
        )
    used = np.bincount(matrix.indices, minlength=len(names)) > 0
    vocabulary = Vocabulary(tuple(compress(names, used.tolist())))
    final = LabelRows(tuple(raw.rows[row] for row in kept.tolist()), vocabulary, matrix[:, used])
    found = [(Change("", *kind), np.array(rows)) for kind, rows in errors.changes.items()]
    found += [*_log_joins(labels, joined, once), *renames]
    of_rules = without_entries(more, errors.more), without_entries(less, errors.less)
    kinds = ("add", "missing-ancestor"), ("remove", "redundant-ancestor")
    for (change, rule), ends in zip(kinds, of_rules, strict=True):
        found += [(Change("", change, shown[at], "", rule), rows) for at, rows in _used_columns(ends)]
    changes = _changes(raw.samples, found)
    meanings = zip(raw.spellings, labels.meanings, strict=True)
    called = {text: shown[meaning.column] for text, meaning in meanings if meaning.column >= 0}
    changed = np.flatnonzero(np.isin(sample, [*changes]))
    new = Relabelling(final, kept, changed, once[sample], called, errors.exchanged)
    copy = copy_of(raw, new, separator, anew=raw.scored)
    return Correction(**vars(copy), changes=tuple(chain.from_iterable(changes.values())))


def _changes(samples: tuple[str, ...], found: Iterable[tuple[Change, Places]]) -> dict[int, list[Change]]:
    """List the changes of each sample that changes, by its position."""
    changes = defaultdict[int, list[Change]](list)
    for kind, rows in sorted(found, key=lambda one: (_ORDER.index(one[0].change), one[0])):
        for row in np.unique(rows).tolist():
            changes[row].append(kind._replace(sample=samples[row]))
    return {row: changes[row] for row in sorted(changes)}


def _used_columns(matrix: sparse.csr_array) -> Iterator[tuple[int, NDArray[np.integer]]]:
    """Give the columns that hold something, each with its rows."""
    columns = matrix.tocsc()
    for column in np.flatnonzero(np.diff(columns.indptr)).tolist():
        yield column, columns.indices[columns.indptr[column] : columns.indptr[column + 1]]


def _kept_rows(labels: ResolvedLabels, join: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the rows of the corrected file, and number the one that each row of the file joins."""
    sample = labels.raw.sample_of_row
    first = np.unique(sample, return_index=True)[1]
    kept = ~join[sample]
    kept[first] = True
    number = np.cumsum(kept) - 1
    return np.flatnonzero(kept), np.where(kept, number, number[first[sample]]) if sample.size else number


def _log_joins(
    labels: ResolvedLabels, join: Marks, once: Marks
) -> Iterator[tuple[Change, NDArray[np.integer]]]:
    """Log the samples whose rows are joined, and the labels that are."""
    raw = labels.raw
    if join.any():
        yield Change("", "join", "", "", "duplicate-sample"), np.flatnonzero(join)
    if raw.repeats is not None and once.any():
        for code, rows in _used_columns(raw.per_sample(pattern(raw.repeats.labels))):
            if once[rows].any():
                yield Change("", "join", raw.spellings[code], "", "repeated-label"), rows[once[rows]]


def _renamed_samples(labels: ResolvedLabels, findings: list[Finding]) -> dict[int, tuple[str, Marks]]:
    """For each spelling that is renamed the rule, and marks of the samples where it is."""
    place = {text: code for code, text in enumerate(labels.raw.spellings)}
    renamed = {}
    for one in findings:
        concept, rows = one.concepts[0], labels.row_mask(one.rows)
        ways = labels.label_spellings.get(labels.vocabulary.index.get(concept, -1), ())
        for code in ways[1:] if one.rule == "spelling" else [place[concept]]:
            renamed[code] = one.rule, rows
    return renamed


def _rename_labels(
    labels: ResolvedLabels,
    matrix: sparse.csr_array,
    sample: Places,
    shown: list[str],
    renamed: dict[int, tuple[str, Marks]],
) -> tuple[sparse.csr_array, tuple[str, ...], list[tuple[Change, NDArray[np.integer]]]]:
    """Rename labels: rows × names, where names are one for each label, and then all spellings in order."""
    spellings, column = labels.raw.spellings, labels.column
    names = (*shown, *sorted(spellings))
    place = {name: at for at, name in enumerate(names)}  # of spellings, where a label is called the same
    own = [at >= 0 and shown[at] == text for text, at in zip(spellings, column.tolist(), strict=True)]
    target = np.where(own, column, np.array([place[text] for text in spellings], dtype=np.int32))
    ends = target[matrix.indices]
    kinds: list[tuple[Change, NDArray[np.integer]]] = []
    entries = with_data(matrix, np.arange(matrix.nnz)).tocsc() if renamed else matrix
    for code, (rule, concerned) in renamed.items():
        begin, end = entries.indptr[code : code + 2]
        samples, numbers = sample[entries.indices[begin:end]], entries.data[begin:end]
        ends[numbers[concerned[samples]]] = column[code]
        kind = Change("", "rename", spellings[code], shown[column[code]], rule)
        kinds.append((kind, np.unique(samples[concerned[samples]])))
    shape = (matrix.shape[0], len(names))
    return pattern(sparse.csr_array((matrix.data, ends, matrix.indptr), shape=shape)), names, kinds


def _names_of_labels(labels: ResolvedLabels, names: tuple[str, ...]) -> sparse.csr_array:
    """Labels × names of `_rename_labels`: which of these mean a label."""
    count = len(labels.vocabulary)
    column = dict(zip(labels.raw.spellings, labels.column.tolist(), strict=True))
    means = np.array([*range(count), *(column[text] for text in names[count:])])
    known = np.flatnonzero(means >= 0)
    return pattern_at(means[known], known, (count, means.size))


def _refuse_unclear_blanks(labels: ResolvedLabels) -> None:
    """Refuse to add labels where nothing but blanks may separate those that are there."""
    form, knows = labels.raw.form, labels.names.are_concepts
    if form is None or form.format != "wide" or form.separator is not None:
        return
    for text, meaning in zip(labels.raw.spellings, labels.meanings, strict=True):
        if BLANK in text and not meaning.concepts and sum(knows((word,)) for word in text.split()) > 1:
            raise unclear_blanks(text)


def _by_convention(
    labels: ResolvedLabels, errors: Confirmed, choose: Choose
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Find the labels that samples get, and those that they lose: boolean, samples × labels."""
    redundant = ((one.concepts[0], one.rows) for one in choose(closure.redundant_labels(labels)))
    removed = pattern(_marked(labels, redundant, labels.removable) + errors.less)
    before, every, now = labels.sets.matrix, errors.more, None
    if errors.changes:
        before = without_entries(before, errors.less)
        now = pattern(before + every)
    # What gets a label needs what lies above that; and where many get one, doubts about links may end.
    while True:
        missing = list(closure.missing_ancestors(labels, now))
        fixable = choose(missing)
        kept = {one.concepts for one in fixable}
        refused = [one.concepts for one in missing if one.concepts not in kept]
        added = _marked(labels, ((one.concepts[1], one.rows) for one in fixable), ~labels.conflicting)
        added = _without_present(pattern(added @ _upward(labels, refused)), before if now is None else now)
        if not added.nnz:
            return every, removed
        every = pattern(every + added)
        now = pattern(before + every)


def _marked(labels: ResolvedLabels, found: Iterable[tuple[str, Places]], free: Marks) -> sparse.csr_array:
    """Mark one label in some samples, another in others, of the samples that are free to change."""
    some = [(labels.vocabulary.index[name], rows[free[rows]]) for name, rows in found]
    columns = np.repeat(np.array([column for column, _ in some], np.int32), [rows.size for _, rows in some])
    rows = np.concatenate([np.empty(0, dtype=np.int32), *(rows.astype(np.int32) for _, rows in some)])
    return pattern_at(rows, columns, labels.sets.matrix.shape)


def _without_present(added: sparse.csr_array, there: sparse.csr_array) -> sparse.csr_array:
    """Leave out what is there already, looking at few rows of a large matrix; its indices stay narrow."""
    lengths = np.diff(added.indptr)
    rows = np.flatnonzero(lengths)
    left = without_entries(added[rows], there[rows])
    lengths[rows] = np.diff(left.indptr)
    indptr = np.append(0, np.cumsum(lengths)).astype(there.indptr.dtype)
    return sparse.csr_array((left.data, left.indices.astype(there.indices.dtype), indptr), shape=added.shape)


def _upward(labels: ResolvedLabels, refused: Iterable[tuple[str, ...]]) -> sparse.csr_array:
    """Labels × labels: each label and the ancestors that are to be there with it, by all links but some."""
    places = [tuple(labels.vocabulary.index[name] for name in pair) for pair in refused]
    rows, columns = np.array(places, dtype=np.intp).reshape(-1, 2).T
    required = labels.required_ancestors
    links = without_entries(required, pattern_at(rows, columns, required.shape))
    return Hierarchy(labels.vocabulary, links, np.zeros(len(labels.vocabulary), dtype=bool)).ancestors
