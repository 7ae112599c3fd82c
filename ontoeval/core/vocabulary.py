"""Vocabularies: names of concepts in the order of columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, UnknownConceptError, enumerate_some


@dataclass(frozen=True, repr=False)
class Vocabulary(Brief):
    """Names of concepts, each with its column.

    Parameters
    ----------
    concepts
        The names, in the order of the columns; none twice.

    Raises
    ------
    InputError
        If a name is empty, no text, or there twice.

    Examples
    --------
    >>> vocabulary = Vocabulary(("sky", "trees"))
    >>> len(vocabulary), vocabulary.index["trees"], "sea" in vocabulary
    (2, 1, False)
    """

    concepts: tuple[str, ...]

    @property
    def _brief(self) -> str:
        return enumerate_some(self.concepts)

    def __post_init__(self) -> None:
        """Check the names."""
        object.__setattr__(self, "concepts", tuple(self.concepts))
        bad = [name for name in self.concepts if not isinstance(name, str) or not name]
        if bad:
            raise InputError(
                f"concepts need names that are non-empty texts, not {enumerate_some(map(repr, bad))}",
                "Name every concept.",
            )
        if len(self.index) != len(self.concepts):
            twice = [name for column, name in enumerate(self.concepts) if self.index[name] != column]
            raise InputError(f"concepts named twice: {enumerate_some(twice)}", "Give each concept one name.")

    @cached_property
    def index(self) -> dict[str, int]:
        """Column of each name."""
        return {name: column for column, name in enumerate(self.concepts)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the names in order, as hexadecimal digits."""
        return sha256("\0".join(self.concepts).encode()).hexdigest()

    def positions(self, names: Iterable[str]) -> NDArray[np.intp]:
        """Find the columns of some names.

        Parameters
        ----------
        names
            Names of concepts.

        Raises
        ------
        UnknownConceptError
            If a name is not in the vocabulary.
        """
        names = list(names)
        columns = [self.index.get(name, -1) for name in names]
        if -1 in columns:
            unknown = {name: "" for name in names if name not in self.index}
            raise UnknownConceptError(unknown, self.concepts)
        return np.array(columns, dtype=np.intp)

    def __len__(self) -> int:
        """Count the concepts."""
        return len(self.concepts)

    def __iter__(self) -> Iterator[str]:
        """Go through the names in the order of the columns."""
        return iter(self.concepts)

    def __contains__(self, name: object) -> bool:
        """Whether a name is one of the concepts."""
        return name in self.index

    def __getitem__(self, column: int) -> str:
        """Name the concept of a column."""
        return self.concepts[column]


def union_of(vocabularies: Iterable[Iterable[str]]) -> Vocabulary:
    """Vocabulary of all names, sorted; names that only look different are refused."""
    names = sorted({name for names in vocabularies for name in names})
    refuse_alike(names)
    return Vocabulary(tuple(names))


def common_vocabulary(vocabularies: Iterable[Vocabulary]) -> Vocabulary:
    """Vocabulary of all: their own where all are equal, otherwise their union."""
    first, *others = set(vocabularies)
    return union_of([first, *others]) if others else first


def numbers_in_order(vocabulary: Vocabulary, values: Mapping[str, float], kind: str) -> NDArray[np.float64]:
    """Put the number of each concept into its column; nan where there is none."""
    numbers = np.full(len(vocabulary), np.nan)
    for (name, value), column in zip(values.items(), vocabulary.positions(values).tolist(), strict=True):
        try:
            number = float(value) if isinstance(value, Real) else None
        except OverflowError:  # an integer of hundreds of digits
            number = None
        if number is None:
            raise InputError(f"the {kind} of {name!r} is {value!r}", "Give a number.")
        numbers[column] = number
    return numbers


def refuse_alike(
    names: Iterable[str],
    place: Callable[[str], str] = lambda _: "",
    *,
    what: str = "concept",
    where: object = "",
) -> None:
    """Refuse names that differ only in their Unicode normal form (NFC, NFD) or in invisible characters."""
    met: dict[str, str] = {}
    special = [name for name in names if not (name.isascii() and met.setdefault(name, name))]
    for name in special:
        first = met.setdefault(_visible(name), name)
        if first != name:
            shown = [f"{one!a}{f' ({place(one)})' if place(one) else ''}" for one in (first, name)]
            others = (
                ", or map one to the other (concept_map=, --concept-map FILE); if they are two concepts, "
                "list both (concepts=, --concepts FILE)."
            )
            raise InputError(
                f"two names of {what}s look the same and differ only in their Unicode normal form or in "
                f"invisible characters: {' and '.join(shown)}",
                f"Write one of them everywhere{others if what == 'concept' else '.'}",
                where=where,
            )


def _visible(name: str) -> str:
    # Tag characters distinguish flags: of England, of Scotland.
    if not name.isprintable():
        name = "".join(sign for sign in name if unicodedata.category(sign) != "Cf" or sign >= "\U000e0000")
    return unicodedata.normalize("NFC", name)
