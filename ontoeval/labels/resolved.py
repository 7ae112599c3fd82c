"""Statements with every label resolved, and the label sets and scores that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.gate import Advice, marks_in, refuse_joined, refuse_misread, refuse_other_columns, width_of
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import MatrixWithNames
from ontoeval.core.shares import SoftTruth
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary, on_missing_columns
from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, located, pluralise
from ontoeval.labels.formats import ANY_LAYOUT, Layout, Recognised
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.name_resolution import Names
from ontoeval.labels.statements import LABELS_NOT_SCORES, Statements, sorted_repeats

_CHOOSE = "; or pass repeats='max' (--repeats max) to use the highest score, or 'first'"


class Resolved(NamedTuple):
    """Statements about columns of a vocabulary, and the column of each spelling, -1 for none."""

    statements: Statements
    vocabulary: Vocabulary
    columns: NDArray[np.int32]
    translated: Mapping[str, str]


def resolve(statements: Statements, names: Names, where: str, hint: str = "") -> Resolved:
    """Look up the labels of statements; leave out statements about unknown labels."""
    vocabulary, columns, translated = names.columns(
        statements.spellings, statements.places, where, in_order=statements.header, hint=hint
    )
    first: dict[int, int] = {}
    for number, column in enumerate(columns.tolist() if statements.header else ()):
        if column >= 0 and first.setdefault(column, number) != number:
            titles = (repr(statements.spellings[n]) for n in (first[column], number))
            problem = f"the columns {' and '.join(titles)} are both the concept {vocabulary[column]!r}"
            raise InputError(problem, "Keep one.", where=where)
    found = replace(statements, concept=columns[statements.concept])
    if (columns < 0).any():
        found = found.select(np.flatnonzero(found.concept >= 0))
    return Resolved(found, vocabulary, columns, translated)


@dataclass(frozen=True, eq=False, kw_only=True)
class ResolvedFile:
    """A file that has been read, and what was not read as written."""

    source: str
    digest: str
    format: Recognised
    dropped: Mapping[str, int]
    translated: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    remark: str = ""
    lacking: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    repeated_scores: int = 0
    repeats: ScoreRepeats = "refuse"
    unit: str = "label"
    uncut: bool = False
    """Whether these are labels, which a threshold leaves as they are."""

    @property
    def titles(self) -> list[str]:
        """Titles of the columns of values."""
        return [self.format.header[place] for place in self.format.values_at]

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on everything that was not read as written."""
        own = tuple(f"{self.source}: {note}" for note in self._notes())
        return (*own, self.remark) if self.remark else own

    def _notes(self) -> Iterator[str]:
        if self.dropped:
            yield f"left out {_counted(self.unit, 'that are no concepts', self.dropped)}"
        yield from (*self.lacking, *self.doubts)
        yield from self.ledger.notes
        if self.translated:
            counts = {f"{text} as {name}": count for text, (name, count) in self.translated.items()}
            yield f"read {_counted(self.unit, 'as what they stand for', counts)}"
        if self.repeated_scores:
            counts_which = {"max": "highest", "first": "first"}[self.repeats]
            yield (
                f"{pluralise(self.repeated_scores, 'repeated score')} of a (sample, concept) pair; "
                f"the {counts_which} score of each pair counts (--repeats {self.repeats})"
            )


def refuse_titles_beyond(files: Sequence[ResolvedFile]) -> None:
    """Refuse runs with a column for each concept, of which the truth, the first file, lacks one."""
    first = files[0]
    for file in files:
        if first.format.format == file.format.format == "columns":
            refuse_other_columns(file.titles, first.titles, file.source)


def refuse_all_uncut(files: Sequence[ResolvedFile]) -> None:
    """Refuse a threshold for runs of which none holds scores."""
    if files and all(file.uncut for file in files):
        problem = f"this is {files[0].format}: labels, not scores"
        raise InputError(problem, LABELS_NOT_SCORES, where=files[0].source)


@dataclass(frozen=True, eq=False, kw_only=True)
class Contents(ResolvedFile):
    """The resolved statements of a label file."""

    vocabulary: Vocabulary
    statements: Statements

    def reported(self) -> dict[str, Any]:
        """Give what is reported of every file."""
        return {one.name: getattr(self, one.name) for one in fields(ResolvedFile)}

    def sets(self) -> LabelSets:
        """Make label sets."""
        data = np.ones(self.statements.sample.size, dtype=bool)
        return LabelSets(self._matrix(data), self.vocabulary, self.statements.samples)

    @property
    def repeats_of_pairs(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Order of the statements by sample and concept, and marks of those that so repeat the one before."""
        found = self.statements
        return sorted_repeats(found.sample.astype(np.int64) * len(self.vocabulary) + found.concept)

    def matrix_of_values(self, repeats: ScoreRepeats | None = None) -> tuple[MatrixWithNames, int]:
        """Make a named matrix with one number for each pair, zeros too; count the duplicates left out."""
        found = self.statements
        given = np.empty(0) if found.value is None else found.value
        order, again = self.repeats_of_pairs
        repeated = int(again.sum())
        if not repeated:
            return (self._matrix(given), self.vocabulary, found.samples), 0
        if repeats in {None, "refuse"}:
            place = int(np.argmax(again))
            remedy = f"Keep one{'' if repeats is None else _CHOOSE}."
            raise self._repeated(int(order[place - 1]), int(order[place]), repeated, remedy)
        starts = np.flatnonzero(~again)
        values = np.maximum.reduceat(given[order], starts) if repeats == "max" else given[order[starts]]
        kept = replace(self, statements=found.select(order[starts]))
        return (kept._matrix(values), self.vocabulary, found.samples), repeated  # noqa: SLF001

    def scores(self, repeats: ScoreRepeats = "refuse") -> tuple[LabelScores, int]:
        """Make label scores, and count the duplicates left out."""
        named, repeated = self.matrix_of_values(repeats)
        with located(self.source):
            return LabelScores(*named), repeated

    def _repeated(self, first: int, second: int, repeated: int, remedy: str) -> InputError:
        found = self.statements
        rows = "" if found.place is None else f", in rows {found.place[first]:,} and {found.place[second]:,}"
        more = "" if repeated == 1 else f"; the file has {repeated:,} repeated scores"
        said = "two scores" if self.format.negation is None else "both presence and absence"
        return InputError(
            f"sample {found.samples[found.sample[first]]!r} has {said} for "
            f"{self.vocabulary[int(found.concept[first])]!r}{rows}{more}",
            remedy,
            where=self.source,
        )

    def _matrix(self, data: NDArray[Any]) -> sparse.csr_array:
        row, column = self.statements.sample, self.statements.concept
        shape = len(self.statements.samples), len(self.vocabulary)
        if (row[1:] < row[:-1]).any():
            return sparse.csr_array(sparse.coo_array((data, (row, column)), shape=shape))
        lengths = np.bincount(row, minlength=shape[0])
        begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        return sparse.csr_array((data, column, begin), shape=shape)


def contents_of(
    entries: Statements,
    form: Recognised,
    names: Names,
    where: str,
    digest: str = "",
    *,
    layout: Layout = ANY_LAYOUT,
) -> Contents:
    """Look up the labels of a file."""
    form = replace(form, **entries.seen)
    if not entries.header and form.format != "array":
        entries = _judged(entries, form, names, where, layout)
    if not layout.certain and names.vocabulary is None and not entries.annotators:
        _refuse_other_kinds(entries, form, where)
    separated = f"Labels are separated by {form.separator!r} (separator=, --separator). "
    found = resolve(entries, names, where, separated if form.separator else "")
    odd = np.flatnonzero(found.columns < 0).tolist()
    used = entries.concept if odd or found.translated else entries.concept[:0]
    number = dict(
        zip(entries.spellings, np.bincount(used, minlength=len(entries.spellings)).tolist(), strict=True)
    )
    dropped = {entries.spellings[code]: number[entries.spellings[code]] for code in odd}
    whole = form.format != "columns" or names.vocabulary is None or entries.annotators
    columns = found.columns[found.columns >= 0].tolist()
    titled = set() if whole else {found.vocabulary[column] for column in columns}
    return Contents(
        source=where,
        digest=digest,
        format=form,
        vocabulary=found.vocabulary,
        statements=found.statements,
        dropped=MappingProxyType({**dict.fromkeys(names.dropped, 0), **dropped}),
        translated=MappingProxyType({text: (name, number[text]) for text, name in found.translated.items()}),
        remark=names.remark,
        lacking=() if whole else tuple(on_missing_columns(found.vocabulary, titled)),
        ledger=entries.ledger,
    )


def _judged(entries: Statements, form: Recognised, names: Names, where: str, layout: Layout) -> Statements:
    """Judge the column of the labels; vectors of 0 and 1 of the listed concepts are read as such."""
    sizes = np.bincount(entries.sample, minlength=len(entries.samples))
    listed, texts = names.listed, entries.spellings
    if listed is not None and entries.value is None and width_of(texts, sizes) == len(listed.spellings):
        begin, owner = np.cumsum(sizes) - sizes, np.repeat(np.arange(sizes.size), sizes)
        if np.array_equal(owner, entries.sample) and (marks := marks_in([texts])) is not None:
            place = (np.arange(owner.size) - begin[owner]).astype(np.int32)
            of_listed = replace(entries, spellings=listed.spellings, places=listed.places, concept=place)
            return of_listed.select(marks[0][entries.concept])
    overruled = layout.separator is not None or layout.input_format == "long"
    at = dict(zip(texts, entries.places, strict=True)).__getitem__
    advice = advice_of(form, at, annotators=entries.annotator is not None)
    refuse_misread(texts, sizes, advice, known=names.known, overruled=overruled, where=where)
    unused = layout.separator is not None and form.format == "wide" and sizes.max(initial=0) == 1
    sure = form.lists or (layout.certain and not unused) or names.vocabulary is not None
    doubtful: Sequence[str] = () if sure else texts
    if form.format in {"json", "jsonl"} and doubtful:
        doubtful = [text for text in texts if text in entries.alone]
    elif form.format not in {"wide", "long"}:
        doubtful = ()
    signs = [";", "|"]
    if layout.separator is not None and form.format != "wide":  # which is not used
        doubtful, signs = texts, [layout.separator]
    refuse_joined(doubtful, signs, advice, among=texts if form.format == "wide" else None, where=where)
    return entries


def advice_of(
    form: Recognised, place: Callable[[str], str] = lambda _: "", *, annotators: bool = False
) -> Advice:
    """How the files are read otherwise."""
    listed = "list the concepts (concepts=, --concepts FILE)"
    long = form.format != "wide" and not annotators

    def separate(sign: str) -> str:
        if form.format in {"json", "jsonl"}:
            return f'Write lists, ["sky", "sea"], of one label too; or {listed}.'
        words = f"{'--input-format wide ' * long}--separator {sign!r}"
        several = "input_format='wide', " * long + f"separator={sign!r} ({words})"
        return f"If each is several labels, pass {several}; if each is one, {'long, or ' * long}{listed}."

    values = f"L{listed[1:]} in the order of the values, or write a table with a column for each."
    return Advice(values, separate, place)


def _refuse_other_kinds(entries: Statements, form: Recognised, where: str) -> None:
    """Without a list of concepts, refuse columns of scores of which some leave [0, 1]."""
    if form.format != "columns" or entries.value is None:
        return
    outside = ((entries.value < 0) | (entries.value > 1)) & (entries.value != -1)
    count = np.bincount(entries.concept[outside], minlength=len(entries.spellings))
    if 0 < (odd := np.flatnonzero(count)).size < count.size:
        raise InputError(
            f"{odd.size:,} of {pluralise(count.size, 'column')} hold numbers outside [0, 1], others none: "
            f"{enumerate_some(entries.spellings[at] for at in odd.tolist())}",
            "Take out columns that are no concepts; if all are (logits, for example), pass "
            "input_format='columns' (--input-format columns), or list them (concepts=, --concepts FILE).",
            where=where,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelFile(ResolvedFile):
    """A label file that has been read.

    Parameters
    ----------
    source
        Name of the file.
    digest
        SHA-256 of its content.
    format
        The format, as recognised.
    dropped
        Labels that are no concepts and were left out, with their counts.
    translated
        Labels that stand for a concept of another name, with that name and their counts.
    remark
        Remark on the concept map.
    lacking
        Remark on known concepts that have no column, and count as absent.
    doubts
        Remark on scores that are no probabilities, at a threshold of probabilities.
    ledger
        What makes no label: nulls, labels that are marked as absent, and what is not used.
    repeated_scores
        How many scores repeat the pair of another.
    repeats
        Which of several scores of one pair counts.
    unit
        The noun by which notes count what was left out, such as "label".
    uncut
        Whether these are labels, which a threshold leaves as they are.
    sets
        The label sets.
    absent
        In a file of verified labels, those that were verified to be absent.
    soft
        In a file of several annotators, their shares or annotations; the sets are all labels of anybody.
    repeated
        How many labels repeat another of their sample.
    added
        How many ancestors were added.
    closed
        How many sets got some of them.
    """

    sets: LabelSets
    absent: LabelSets | None = None
    soft: SoftTruth | None = None
    repeated: int = 0
    added: int = 0
    closed: int = 0

    def _notes(self) -> Iterator[str]:
        yield from super()._notes()
        if self.repeated:
            yield f"{pluralise(self.repeated, 'label')} repeated for the same sample"
        if self.closed:
            sets = f"{self.closed:,} of {pluralise(len(self.sets), 'set')}"
            yield f"closed {sets} upwards, which added {pluralise(self.added, 'label')}"

    @property
    def labels(self) -> Any:  # noqa: ANN401 - whatever may be a truth
        """The labels, with those that are absent if they were verified; or what several annotators say."""
        return self.soft or (self.sets if self.absent is None else VerifiedLabels(self.sets, self.absent))

    def within(self, vocabulary: Vocabulary) -> Self:
        """Move the columns to where another vocabulary has them.

        Parameters
        ----------
        vocabulary
            The concepts, all of the file's among them.
        """
        absent = None if self.absent is None else self.absent.within(vocabulary)
        return replace(self, sets=self.sets.within(vocabulary), absent=absent)

    def __str__(self) -> str:
        """Describe what was read."""
        return f"{self.source}: {self.format}; {pluralise(len(self.sets), 'sample')}"


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFile(ResolvedFile):
    """A file of scores that has been read.

    Parameters
    ----------
    source
        Name of the file.
    digest
        SHA-256 of its content.
    format
        The format, as recognised.
    dropped
        Labels that are no concepts and were left out, with their counts.
    translated
        Labels that stand for a concept of another name, with that name and their counts.
    remark
        Remark on the concept map.
    lacking
        Remark on known concepts that have no column, and count as absent.
    doubts
        Remark on scores that are no probabilities, at a threshold of probabilities.
    ledger
        What makes no label: nulls, labels that are marked as absent, and what is not used.
    repeated_scores
        How many scores repeat the pair of another.
    repeats
        Which of several scores of one pair counts.
    unit
        The noun by which notes count what was left out, such as "label".
    uncut
        Whether these are labels, which a threshold leaves as they are.
    scores
        The scores.
    """

    scores: LabelScores

    def within(self, vocabulary: Vocabulary) -> Self:
        """Move the columns to where another vocabulary has them.

        Parameters
        ----------
        vocabulary
            The concepts, all of the file's among them.
        """
        return replace(self, scores=self.scores.within(vocabulary))

    def __str__(self) -> str:
        """Describe what was read."""
        return f"{self.source}: {self.format}; {pluralise(len(self.scores), 'sample')} with scores"


def _counted(unit: str, what: str, counts: Mapping[str, int]) -> str:
    shown = sorted(counts.items(), key=lambda item: -item[1])[:MOST_SHOWN]
    each = enumerate_some((f"{text} ({count:,})" for text, count in shown), total=len(counts))
    return f"{pluralise(sum(counts.values()), unit)} {what}: {each}"
