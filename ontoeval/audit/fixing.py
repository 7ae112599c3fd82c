"""Fixing: a corrected copy of label sets, and what was changed; what needs a human stays as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.audit.convention import Name as ConventionName
from ontoeval.audit.labels import subject_of
from ontoeval.audit.names import misspelt, spelt
from ontoeval.audit.repetitions import several_rows
from ontoeval.audit.subject import Subject
from ontoeval.csr import pattern, row_of_entries, without
from ontoeval.errors import InputError
from ontoeval.files import FilePath
from ontoeval.hierarchy import Hierarchy
from ontoeval.io.files import write_aside
from ontoeval.io.write import OutputFormat, write_labels
from ontoeval.labels import LabelSets
from ontoeval.ontology.model import Ontology
from ontoeval.vocabulary import Vocabulary


class Change(NamedTuple):
    """What was changed of a sample.

    Parameters
    ----------
    sample
        Its identifier.
    change
        "add", "remove", "rename" or "join".
    label
        The label that was added, removed or renamed; "" where rows or repeated labels were joined.
    new
        What a label that was renamed is called now.
    rule
        The rule of the audit that asked for it.
    """

    sample: str
    change: str
    label: str
    new: str
    rule: str


@dataclass(frozen=True, eq=False)
class Correction:
    """Corrected label sets.

    Parameters
    ----------
    sets
        The sets; what could not be understood is still there, as it was written.
    changes
        What was changed, sample by sample.
    output_format
        The format of `write_labels` that is nearest to the file's.
    separator
        What separates labels in it.
    """

    sets: LabelSets
    changes: tuple[Change, ...]
    output_format: OutputFormat
    separator: str = ";"

    @property
    def log(self) -> str:
        """The changes as CSV."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(Change._fields)
        writer.writerows(self.changes)
        return stream.getvalue()

    def write(self, path: Path, log: Path) -> None:
        """Write the corrected copy and the change log, each whole or not at all.

        Parameters
        ----------
        path
            Where the copy shall be.
        log
            Where the log shall be.
        """
        # The log first: a log without its copy misleads nobody, a copy without its log may.
        with write_aside(log) as aside:
            aside.write_text(self.log, encoding="utf-8")
        write_labels(self.sets, path, output_format=self.output_format, separator=self.separator)


def correct_labels(
    labels: FilePath | LabelSets,
    ontology: Ontology | Hierarchy,
    *,
    convention: Literal["infer"] | ConventionName = "infer",
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
    >>> correct_labels(sets, hierarchy, convention="closed").changes
    (Change(sample='p2', change='add', label='plants', new='', rule='missing-ancestor'),)
    """
    separator = reading.get("separator") or ";"
    return corrected(subject_of(labels, ontology, convention=convention, **reading), separator=separator)


def corrected(subject: Subject, *, separator: str = ";") -> Correction:
    """Correct what can be corrected without asking anybody.

    Labels get the name of the concept that they stand for, one spelling for each concept; a file that is
    closed upwards gets the ancestors that are missing, and one of most specific labels loses those that
    are redundant; rows of one sample are joined.

    Parameters
    ----------
    subject
        The label sets.
    separator
        What separates labels in a wide file.

    Returns
    -------
    Correction
        The corrected sets; correcting them again changes nothing.

    Raises
    ------
    InputError
        If the file says of labels that they are absent, which no label sets hold.
    """
    if subject.negative is not None:
        raise InputError(
            "a file of verified labels is not corrected: what is absent has no place in label sets",
            "Audit it without --fix.",
            where=subject.written.source,
        )
    shown = _shown(subject)
    sets, kept = _sets(subject), _not_understood(subject)
    vocabulary = Vocabulary((*shown, *(subject.written.spellings[code] for code in kept)))
    others = subject.written.per_sample(pattern(subject.written.matrix[:, kept]))
    matrix = sparse.csr_array(sparse.hstack([sets, others], format="csr"))
    output_format: OutputFormat = "wide"
    form = subject.written.form
    if (form is not None and form.format == "long") or any(separator in name for name in vocabulary):
        output_format = "long"
    return Correction(
        LabelSets(matrix, vocabulary, subject.written.samples),
        tuple(sorted(_changes(subject, shown, sets), key=_place(subject))),
        output_format,
        separator,
    )


def _sets(subject: Subject) -> sparse.csr_array:
    """Make what is understood follow the convention."""
    sets = subject.sets.matrix
    if subject.convention.name == "mixed":
        return sets
    implied = pattern(sets @ subject.above)
    if subject.convention.name == "closed":
        return pattern(sets + implied)
    return without(sets, sparse.csr_array(implied.multiply(sets)))


def _not_understood(subject: Subject) -> list[int]:
    """List the spellings that mean no label, in alphabetical order: the file's own may change."""
    spellings = subject.written.spellings
    codes = (code for code, meaning in enumerate(subject.meanings) if meaning.column < 0)
    return sorted(codes, key=spellings.__getitem__)


def _shown(subject: Subject) -> list[str]:
    """Choose the spelling of each label: the file's most frequent name of it, or one like its others."""
    ways: dict[int, list[int]] = {}
    for code, meaning in enumerate(subject.meanings):
        if meaning.column >= 0 and meaning.by_name:
            ways.setdefault(meaning.column, []).append(code)
    written = {column: subject.written.spellings[spelt(subject, codes)[0]] for column, codes in ways.items()}
    styles = [_translated(subject), *_styles(subject)]
    styles.sort(key=lambda style: -sum(style(column) == text for column, text in written.items()))
    return [
        written[column] if column in written else _first_that_means(subject, column, styles)
        for column in range(len(subject.vocabulary))
    ]


Style = Callable[[int], str]


def _styles(subject: Subject) -> list[Style]:
    """Name, label, IRI and identifier of a label, by its column."""
    ontology, names = subject.names.ontology, subject.vocabulary
    styles: list[Style] = [lambda column: names[column]]
    if ontology is not None:
        at = ontology.hierarchy().vocabulary.positions(names).tolist()
        styles += [
            lambda column: ontology.labels[at[column]],
            lambda column: ontology.iris[at[column]],
            lambda column: names[column].replace("_", ":", 1),
        ]
    return styles


def _translated(subject: Subject) -> Style:
    """Turn the concept map around."""
    back: dict[int, str] = {}
    index = subject.vocabulary.index
    for text in sorted(subject.names.concept_map):
        found = subject.names.meaning(text)[0]
        if len(found) == 1 and found[0] in index:
            back.setdefault(index[found[0]], text)
    return lambda column: back.get(column, "")


def _first_that_means(subject: Subject, column: int, styles: Iterable[Style]) -> str:
    name = subject.vocabulary[column]
    texts = (style(column) for style in styles)
    return next((text for text in texts if text and tuple(subject.names.meaning(text)[0]) == (name,)), name)


def _changes(subject: Subject, shown: list[str], sets: sparse.csr_array) -> Iterator[Change]:
    written, samples = subject.written, subject.written.samples
    for rule, several in several_rows(subject).items():
        for row in several.tolist():
            yield Change(samples[row], "join", "", "", rule)
    if written.repeated is not None:
        for row in np.unique(written.sample_of_row[np.flatnonzero(written.repeated)]).tolist():
            yield Change(samples[row], "join", "", "", "repeated-label")
    told = misspelt(subject)
    columns = written.matrix.tocsc()
    for code, meaning in enumerate(subject.meanings):
        old = written.spellings[code]
        if meaning.column >= 0 and shown[meaning.column] != old:
            rule = told[code].rule if code in told else "spelling"
            bearing = written.sample_of_row[columns.indices[columns.indptr[code] : columns.indptr[code + 1]]]
            for row in np.unique(bearing).tolist():
                yield Change(samples[row], "rename", old, shown[meaning.column], rule)
    sides = (
        ("add", "missing-ancestor", without(sets, subject.sets.matrix)),
        ("remove", "redundant-ancestor", without(subject.sets.matrix, sets)),
    )
    for change, rule, matrix in sides:
        for row, column in zip(row_of_entries(matrix).tolist(), matrix.indices.tolist(), strict=True):
            yield Change(samples[row], change, shown[column], "", rule)


def _place(subject: Subject) -> Callable[[Change], tuple[int, Change]]:
    position = subject.sets.row
    return lambda change: (position[change.sample], change)
