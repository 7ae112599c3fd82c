"""The columns and cells of tables with several annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.core.vocabulary import NOTHING
from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels.cells import TRUTH_VALUES, parse_numbers
from ontoeval.labels.formats import column_positions
from ontoeval.labels.reading_options import ColumnsAre
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.column_titles import (
    ANNOTATOR,
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    index_width,
    is_ignorable,
    normalise_title,
    positions,
)
from ontoeval.plumbing.list_texts import is_structure

UNCERTAIN, MISSING = -1, 2  # answers besides 1 (present) and 0 (absent)

BLANK = 1e9  # number of an empty cell while values are read

VOTES = (1.0, 0.0, float(UNCERTAIN), BLANK)

WORDS = {
    **TRUTH_VALUES,
    "yes": 1.0,
    "no": 0.0,
    "uncertain": float(UNCERTAIN),
    **dict.fromkeys(("", *map(str.lower, NOTHING)), BLANK),
}

REMEDY = "Write 1 (present), 0 (absent), -1 (uncertain) or nothing (missing)."


def are_votes(cells: Sequence[str], columns: int, known: Known | None) -> bool:
    """Whether the cells of some columns hold values of one concept, not labels."""
    values = parse_numbers(cells, WORDS).reshape(-1, columns)
    votes, given = np.isin(values, VOTES[:-1]), values != BLANK
    odd = given & ~votes
    if not odd.any() or not votes.any():
        return not odd.any()
    if known is not None:
        return not known({cells[n].strip() for n in np.flatnonzero(votes).tolist()})
    whole = votes.any(axis=0) & ~odd.any(axis=0)
    return bool(2 * votes.sum() >= given.sum() or whole.any())


def votes_in(texts: Sequence[str], lines: NDArray[np.integer], columns: Sequence[str], hint: str) -> Numbers:
    """Read the values of some columns, row by row, with `MISSING` for empty cells."""
    values = parse_numbers(texts, WORDS)
    odd = np.flatnonzero(~np.isin(values, VOTES))
    if odd.size:
        row, column = divmod(int(odd[0]), len(columns))
        text = texts[odd[0]]
        # If the only column of values is left unread, nothing marks absent labels.
        unread = " Or leave the column unread: --ignore-column." if len(columns) > 1 else ""
        others = " where others hold 1, 0 or -1" if unread and np.isin(values, VOTES[:-1]).any() else ""
        labels = " Or read the column as labels: --concept-column." if is_structure(text) else ""
        problem = f"column {columns[column]!r} holds {text!r}{others}"
        raise InputError(problem, f"{REMEDY}{unread}{labels}{hint}", row=int(lines[row]))
    return np.where(values == BLANK, MISSING, values)


def refuse_ignored(texts: Sequence[str], lines: NDArray[np.integer], column: str) -> None:
    """Refuse to ignore values that mark labels as absent or uncertain: their rows would become labels."""
    against = np.isin(parse_numbers(texts, WORDS), (0, UNCERTAIN))
    if against.any():
        odd = int(np.argmax(against))
        raise InputError(
            f"column {column!r}, which is to be ignored, holds {texts[odd]!r}: without it the row would mean "
            "that the concept is there",
            f"{REMEDY} Or remove such rows.",
            row=int(lines[odd]),
        )


def remarks_on_answers(labels: Sequence[str], known: Known | None, column: str) -> tuple[str, ...]:
    """Remark on labels that look like the answers of several people to one question."""
    values = parse_numbers(labels, WORDS)
    answers = sorted(text for text, value in zip(labels, values, strict=True) if value != BLANK)
    if not answers or not np.isin(values, VOTES).all() or (known is not None and known(answers)):
        return ()
    what = f"column {column!r} holds {enumerate_some(answers)} alone, like answers to one question"
    how = "add a column 'concept' that names what is asked, and call this one 'value'"
    if known is not None:
        raise InputError(f"{what}, and no concepts", f"{how.capitalize()}.", row=1)
    return (f"{what}, and they are taken for concepts; where they are answers, {how}",)


ONE_CONCEPT = CONCEPT - {"subject"}  # titles of the column of the concepts: subjects are people here

ANSWER = SCORE | {"answer", "vote", "rating", "present", "response"}

SUMMARIES = frozenset(
    {
        "consensus",
        "majority",
        "gold",
        "gold_standard",
        "reference_standard",
        "ground_truth",
        "truth",
        "adjudicated",
    }
)

OPTIONS = "--sample-column, --annotator-column and --concept-column name the columns."

HOW = (
    "Name the columns 'sample,annotator,concept'; or give one file per annotator; or one column for each "
    f"annotator beside 'sample' or 'sample,concept'. {OPTIONS}"
)


class NamedColumns(NamedTuple):
    """Columns that the caller names: those with a role, those to ignore, and the meaning of all others."""

    named: Mapping[str, Sequence[str]]
    ignored: tuple[str, ...]
    columns: ColumnsAre | None

    def find_positions(self, header: tuple[str, ...]) -> tuple[dict[str, int], set[int]]:
        """Position of each column with a role, and of those to ignore."""
        named = column_positions(self.named, header)
        return named, {column_positions({"": [name]}, header)[""] for name in self.ignored}


class AnnotationColumns(NamedTuple):
    """Positions of the columns of a table by role; `others` are concepts or annotators each.

    `one`: the table is of one annotator; `guessed`: nobody said what the others are.
    """

    sample: int
    annotator: int | None
    concept: int | None
    value: int | None
    others: list[int]
    unused: list[int]
    one: bool = False
    guessed: bool = True


def columns_of_header(
    header: tuple[str, ...], *, alone: bool, chosen: NamedColumns
) -> AnnotationColumns | None:
    """Find the role of each column; None where no column holds the samples."""
    roles = _ColumnRoles.from_header(header, *chosen.find_positions(header))
    if not roles.annotator:
        return None if roles.sample is None else roles.without_annotator(chosen, alone=alone)
    for what in ("annotator", "concept", "value"):
        some = getattr(roles, what)
        if len(some) > 1:
            columns = enumerate_some(header[n] for n in some)
            raise InputError(f"several columns for the {what}: {columns}", HOW, row=1)
    if roles.sample is None:
        raise InputError(f"no column for the sample among {enumerate_some(header)}", HOW, row=1)
    if chosen.columns == "annotators":
        problem = f"column {header[roles.annotator[0]]!r} holds the annotators, so that the others are none"
        remedy = "Leave --columns annotators out; or leave that column unread (--ignore-column)."
        raise InputError(problem, remedy, row=1)
    if roles.concept:
        return roles.long(roles.annotator[0])
    return AnnotationColumns(roles.sample, roles.annotator[0], None, None, roles.votes, sorted(roles.unread))


class _ColumnRoles(NamedTuple):
    """Columns by role; `unassigned` have none, `unread` are left out, `votes` are concepts or annotators."""

    names: list[str]
    sample: int | None
    annotator: list[int]
    concept: list[int]
    value: list[int]
    unassigned: list[int]
    unread: set[int]
    votes: list[int]
    named: Mapping[str, int]

    @classmethod
    def from_header(cls, header: tuple[str, ...], named: Mapping[str, int], left: set[int]) -> _ColumnRoles:
        """Find the columns of each role, by the caller's names or by usual titles."""
        names = [normalise_title(column).lstrip("_") for column in header]
        fixed = {*named.values(), *left}

        def found(what: str, accepted: Iterable[str]) -> list[int]:
            if what in named:
                return [named[what]]
            return [n for n in positions(names, accepted) if n not in fixed]

        who, answers = found("annotator", ANNOTATOR), found("value", ANSWER)
        concept = found("concept", ONE_CONCEPT | CONCEPTS)
        if len(concept) == 2 and not answers and "label" in names:  # noqa: PLR2004
            answers = [names.index("label")]  # beside a column of concepts: whether each is present
            concept = [position for position in concept if position not in answers]
        taken = {*who, *concept, *answers, *left}
        samples = [n for n in found("sample", SAMPLE) if n not in taken]
        index = {*range(index_width(header))}.difference(taken, samples)
        left |= index if samples else set()
        samples = samples or sorted(index)[:1]
        rest = [n for n in range(len(names)) if n not in {*taken, *samples[:1], *left}]
        beside = {n for n in rest if is_ignorable(names[n])} | left
        votes = sorted({*rest, *answers} - beside)
        return cls(names, samples[0] if samples else None, who, concept, answers, rest, beside, votes, named)

    def without_annotator(self, chosen: NamedColumns, *, alone: bool) -> AnnotationColumns | None:
        """Columns of a table without a column for the annotator."""
        sample, one = self.sample or 0, self.concept[0] if len(self.concept) == 1 else None
        each = "concept" in self.named or (one is not None and self.names[one] in ONE_CONCEPT)
        columns = None if self.concept else chosen.columns or ("annotators" if alone else "concepts")
        if columns == "annotators" or (each and not self.value):
            unread = {*self.unread, *(n for n in self.votes if self.names[n] in SUMMARIES)}
            votes = [n for n in self.votes if n not in unread]
            if len(votes) > 1:
                return AnnotationColumns(sample, None, one, None, votes, sorted(unread))
        if columns == "concepts" and self.votes:
            return AnnotationColumns(sample, None, None, None, self.votes, sorted(self.unread), one=True)
        return self.long(None) if one is not None and self.named and not alone else None

    def long(self, annotator: int | None) -> AnnotationColumns:
        """Columns of a table with a column for the concept."""
        value, unread = self.value[0] if self.value else None, sorted({*self.unassigned, *self.unread})
        return AnnotationColumns(
            self.sample or 0, annotator, self.concept[0], value, [], unread, one=annotator is None
        )
