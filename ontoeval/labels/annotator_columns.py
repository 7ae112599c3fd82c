"""What the columns of tables with several annotators are: told by the caller, or by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ontoeval.core.choices import ColumnsAre
from ontoeval.core.roles import (
    ANNOTATOR,
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    plain,
    positions,
    says_nothing_of_labels,
)
from ontoeval.errors import InputError, listed, near

ONE_CONCEPT = CONCEPT - {"subject"}
"""What the column of the concepts may be called: subjects are people here."""

ANSWER = SCORE | {"answer", "vote", "rating", "present", "response"}
"""What the column of the values may be called."""

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
"""What a column beside those of annotators is called that sums them up."""

OPTIONS = "--sample-column, --annotator-column and --concept-column say which columns are what."
"""What to do where names of columns tell too little."""

HOW = (
    "Name the columns 'sample,annotator,concept'; or give one file per annotator; or one column for each "
    f"annotator beside 'sample' or 'sample,concept'. {OPTIONS}"
)
"""What to do where nothing says whose labels a file holds."""

_INDEX = re.compile(r"(Unnamed: 0)?")
"""What data frames call the column of their index."""


@dataclass(frozen=True)
class ToldColumns:
    """What the caller says of columns."""

    sample: str | None = None
    annotator: str | None = None
    concept: str | None = None
    ignored: tuple[str, ...] = ()
    columns: ColumnsAre | None = None

    def place(self, header: tuple[str, ...], where: str) -> dict[str, int]:
        """Find the columns that are named."""
        names = {"sample": self.sample, "annotator": self.annotator, "concept": self.concept}
        given = [name for name in names.values() if name is not None]
        twice = {name for name in given if given.count(name) > 1}
        if twice:
            roles = listed(what for what, name in names.items() if name in twice)
            raise InputError(
                f"column {listed(twice)} is named for several: {roles}",
                "Name another for each.",
                where=where,
                row=1,
            )
        return {what: _position(header, name, where) for what, name in names.items() if name is not None}

    def left(self, header: tuple[str, ...], where: str) -> set[int]:
        """Find the columns that are not read."""
        return {_position(header, name, where) for name in self.ignored}


class Columns(NamedTuple):
    """Which columns of a table are what."""

    sample: int
    annotator: int | None
    concept: int | None
    value: int | None
    others: list[int]
    unused: list[int]
    one: bool = False


NOTHING_TOLD = ToldColumns()
"""Where names of columns alone tell."""


def columns_of_header(
    header: tuple[str, ...], where: str, *, alone: bool, told: ToldColumns = NOTHING_TOLD
) -> Columns | None:
    """Tell what the columns of a table are."""
    roles = _Roles.of(header, told, where)
    if roles.annotator:
        for what, some in (
            ("annotator", roles.annotator),
            ("concept", roles.concept),
            ("value", roles.value),
        ):
            if len(some) > 1:
                columns = listed(header[n] for n in some)
                raise InputError(f"several columns for the {what}: {columns}", HOW, where=where, row=1)
        if roles.sample is None:
            raise InputError(f"no column for the sample among {listed(header)}", HOW, where=where, row=1)
        if told.columns == "annotators":
            raise InputError(
                f"column {header[roles.annotator[0]]!r} holds the annotators, so that the others are none",
                "Leave --columns annotators out; or leave that column unread (--ignore-column).",
                where=where,
                row=1,
            )
    if roles.sample is None:
        return None
    return roles.of_several() if roles.annotator else roles.of_columns(told, alone=alone)


class _Roles(NamedTuple):
    """Columns that may be this or that."""

    names: list[str]
    sample: int | None
    annotator: list[int]
    concept: list[int]
    value: list[int]
    named: dict[str, int]
    left: set[int]

    @classmethod
    def of(cls, header: tuple[str, ...], told: ToldColumns, where: str) -> _Roles:
        """Look through the names."""
        named, left = told.place(header, where), told.left(header, where)
        names = [plain(column).lstrip("_") for column in header]
        fixed = {*named.values(), *left}

        def found(what: str, accepted: Iterable[str]) -> list[int]:
            if what in named:
                return [named[what]]
            return [n for n in positions(names, accepted) if n not in fixed]

        who, answers = found("annotator", ANNOTATOR), found("value", ANSWER)
        concept = found("concept", ONE_CONCEPT | CONCEPTS)
        if len(concept) == 2 and not answers and "label" in names:  # noqa: PLR2004
            answers = [names.index("label")]  # beside a column of concepts it says whether they are there
            concept = [position for position in concept if position not in answers]
        taken = {*who, *concept, *answers, *left}
        samples = [n for n in found("sample", SAMPLE) if n not in taken]
        if 0 not in {*taken, *samples} and _INDEX.fullmatch(header[0]):
            left |= {0} if samples else set()
            samples = samples or [0]
        return cls(names, samples[0] if samples else None, who, concept, answers, named, left)

    @property
    def rest(self) -> list[int]:
        """What is neither read for sure nor left out."""
        taken = {self.sample, *self.annotator, *self.concept, *self.value, *self.left}
        return [n for n in range(len(self.names)) if n not in taken]

    @property
    def beside(self) -> set[int]:
        """What is not read, where each concept or annotator has a column."""
        return {n for n in self.rest if says_nothing_of_labels(self.names[n])} | self.left

    @property
    def votes(self) -> list[int]:
        """What may be a concept or an annotator."""
        return sorted({*self.rest, *self.value} - self.beside)

    def of_several(self) -> Columns:
        """Take a table with a column for annotators."""
        if not self.concept:
            return Columns(self.sample or 0, self.annotator[0], None, None, self.votes, sorted(self.beside))
        return self._long(self.annotator[0])

    def of_columns(self, told: ToldColumns, *, alone: bool) -> Columns | None:
        """Take a table without a column for annotators."""
        sample, one = self.sample or 0, self.concept[0] if len(self.concept) == 1 else None
        each = "concept" in self.named or (one is not None and self.names[one] in ONE_CONCEPT)
        columns = None if self.concept else told.columns or ("annotators" if alone else "concepts")
        if columns == "annotators" or (each and not self.value):
            unread = {*self.beside, *(n for n in self.votes if self.names[n] in SUMMARIES)}
            votes = [n for n in self.votes if n not in unread]
            if len(votes) > 1:
                return Columns(sample, None, one, None, votes, sorted(unread))
        if columns == "concepts" and self.votes:
            return Columns(sample, None, None, None, self.votes, sorted(self.beside), one=True)
        return self._long(None) if one is not None and self.named and not alone else None

    def _long(self, annotator: int | None) -> Columns:
        value = self.value[0] if self.value else None
        unread = sorted({*self.rest, *self.left})
        one = annotator is None
        return Columns(self.sample or 0, annotator, self.concept[0], value, [], unread, one=one)


def _position(header: tuple[str, ...], name: str, where: str) -> int:
    if name not in header:
        raise InputError(
            f"no column {name!r}{near(name, header)}", f"There are {listed(header)}.", where=where, row=1
        )
    return header.index(name)
