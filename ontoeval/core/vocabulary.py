"""Vocabularies: names of concepts in the order of columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.names import NO_NAMES, ConceptNames, Show, Spellings
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.plumbing.values import PickledByFields, copy_unchecked

VocabularyOrigin = Literal["list", "hierarchy", "edges", "columns", "side", "sides"]


@dataclass(frozen=True, repr=False)
class Vocabulary(Brief, PickledByFields):
    """Names of concepts, each with its column.

    Parameters
    ----------
    concepts
        The names, in the order of the columns; none twice.
    names
        What else concepts are called; vocabularies that differ in this alone are equal.
    origin
        What says that these are the concepts: a "list" that was given, the "hierarchy", whose abstract
        concepts are left out, or that of "edges", which give no order of columns, the "columns" that
        annotators filled in, the names that one "side" has, or those of "sides" that have different ones.

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
    names: ConceptNames = field(default=NO_NAMES, compare=False)
    origin: VocabularyOrigin = field(default="list", compare=False)

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
            Names of concepts, or other spellings of them.

        Raises
        ------
        UnknownConceptError, AmbiguousNameError
            If a text means no concept, or several.
        """
        names = list(names)
        columns = [self.index.get(name, -1) for name in names]
        if -1 in columns:
            meant = self.spellings.resolve(names)
            columns = [self.index[meant[name]] for name in names]
        return np.array(columns, dtype=np.intp)

    @cached_property
    def spellings(self) -> Spellings:
        """Every spelling of the concepts."""
        return Spellings.from_names(self.concepts, self.names)

    def translated(self, texts: Iterable[str], place: Callable[[str], str] = lambda _: "") -> dict[str, str]:
        """Find the concepts that texts mean which are no names themselves; texts that mean none are left out.

        Parameters
        ----------
        texts
            Names, CURIEs, IRIs, labels or synonyms.
        place
            Where a text occurs, for messages.
        """
        own, index = self.names.own_names, self.index
        if isinstance(texts, Vocabulary) and texts == self and not own:
            return {}
        others = {text: "" for text in texts if text not in index or text in own}
        found = {text: self.spellings.meaning(text, place(text)) for text in others}
        return {text: name for text, name in found.items() if name is not None and name != text}

    def with_names(self, names: ConceptNames) -> Vocabulary:
        """Give the concepts other names, and make the shown ones unique.

        Parameters
        ----------
        names
            Labels and other names of the concepts.
        """
        called = object.__new__(Vocabulary)  # the concepts are checked and indexed already
        called.__dict__.update(self.__dict__, names=replace(names, concepts=self.concepts))
        called.__dict__.pop("spellings", None)
        return called

    def of(self, origin: VocabularyOrigin) -> Vocabulary:
        """Say otherwise why these are the concepts.

        Parameters
        ----------
        origin
            What says that these are the concepts.
        """
        return self if origin == self.origin else copy_unchecked(self, origin=origin)

    def shown(self, show: Show | None = None) -> tuple[str, ...]:
        """Text that people read for each concept, in the order of the columns.

        Parameters
        ----------
        show
            "label": the user's own name, the label, or the last parts of a name that is a path, with the name
            or CURIE in brackets where several concepts have it; "id": the name; "both". By default what
            `Hierarchy.showing` has chosen, or "label".
        """
        return tuple(self.names.display_name(concept, show) for concept in self.concepts)

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


def vocabulary_of(names: Iterable[str]) -> Vocabulary:
    """Vocabulary of names; it keeps the display names of a vocabulary."""
    return names if isinstance(names, Vocabulary) else Vocabulary(tuple(names))


def rename_concepts(concepts: Iterable[str], names: Mapping[str, str]) -> tuple[Vocabulary, NDArray[np.intp]]:
    """Vocabulary of concepts under other names, equal ones united, and the column of each in it."""
    called = [names.get(name, name) for name in concepts]
    origin = concepts.origin if isinstance(concepts, Vocabulary) else "list"
    vocabulary = Vocabulary(tuple(dict.fromkeys(called)), origin=origin)
    return vocabulary, np.array([vocabulary.index[name] for name in called], dtype=np.intp)


def refuse_same(titles: Iterable[str], names: Mapping[str, str]) -> None:
    """Refuse two columns for one concept."""
    first: dict[str, str] = {}
    for title in titles:
        name = names.get(title, title)
        if first.setdefault(name, title) != title:
            raise InputError(
                f"the columns {first[name]!r} and {title!r} are both the concept {name!r}", "Keep one."
            )


def union_of(vocabularies: Iterable[Iterable[str]]) -> Vocabulary:
    """Vocabulary of all names, sorted; names that only look different are refused."""
    vocabularies = list(vocabularies)
    names = sorted({name for names in vocabularies for name in names})
    refuse_alike(names)
    called = (one.names for one in vocabularies if isinstance(one, Vocabulary) and one.names)
    return Vocabulary(tuple(names), next(called, NO_NAMES), "sides" if len(vocabularies) > 1 else "side")


def common_vocabulary(vocabularies: Iterable[Vocabulary]) -> Vocabulary:
    """Return the first vocabulary if all are equal, otherwise their union."""
    every = dict.fromkeys(sorted(vocabularies, key=lambda one: one.origin != "sides"))
    return next(iter(every)) if len(every) == 1 else union_of(every)


def numbers_in_order(vocabulary: Vocabulary, values: Mapping[str, float], kind: str) -> NDArray[np.float64]:
    """Put the number of each concept into its column; nan where there is none."""
    numbers, named = np.full(len(vocabulary), np.nan), dict[int, str]()
    for (name, value), column in zip(values.items(), vocabulary.positions(values).tolist(), strict=True):
        if named.setdefault(column, name) != name:
            raise InputError(
                f"{named[column]!r} and {name!r} are both the concept {vocabulary[column]!r}", "Keep one."
            )
        try:
            number = float(value) if isinstance(value, Real) else None
        except OverflowError:  # an integer of hundreds of digits
            number = None
        if number is None:
            raise InputError(
                f"the {kind} of {name!r} is {value!r}", f"Give a number, or a mapping from concept to {kind}."
            )
        numbers[column] = number
    return numbers


NOTHING = frozenset({"#N/A", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"})
"""What programs write where a value is missing, as pandas reads it; no label unless it is a known concept."""

_ABSENT = "Write nothing (in memory None) where there is no label; if it is one, name all concepts: classes=."


def refuse_nothing(
    names: Iterable[str], place: Callable[[str], str], *, where: object = "", remedy: str = _ABSENT
) -> None:
    """Refuse names that programs write where a value is missing."""
    if found := sorted(NOTHING.intersection(names)):
        more = f", and {pluralise(len(found) - 1, 'other such name')}," * (len(found) > 1)
        what = f"{found[0]!r} in {place(found[0])}{more} is no label"
        raise InputError(f"{what}: programs write this where a value is missing", remedy, where=where)


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
        first = met.setdefault(_normalise(name), name)
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


def _normalise(name: str) -> str:
    # Tag characters distinguish flags: of England, of Scotland.
    if not name.isprintable():
        name = "".join(
            " " if kind == "Zs" else sign
            for sign, kind in zip(name, map(unicodedata.category, name), strict=True)
            if kind != "Cf" or sign >= "\U000e0000"
        )
    return unicodedata.normalize("NFC", name)


def on_missing_columns(known: Iterable[str], columns: Collection[str]) -> list[str]:
    """Remark on a table that has no column for some concepts."""
    lacking = [name for name in known if name not in columns]
    what = f"no column for {pluralise(len(lacking), 'concept')}, counted as absent"
    remedy = "--concepts, or classes=, names those that count"
    return [f"{what}: {enumerate_some(lacking)}; {remedy}"] if lacking else []
