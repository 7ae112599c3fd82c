"""The two forms of what is not ready yet: numbers in columns, or labels one after the other.

What stands in frames, arrays and collections becomes one of them, is judged by the gate with all names known,
and makes a matrix once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, repeat
from numbers import Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.gate import Advice, Known, marks_in, refuse_joined, refuse_misread, vectors, vectors_error
from ontoeval.core.separators import joins, pieces_of, refuse_blanks, separator_of
from ontoeval.core.vocabulary import Vocabulary, refuse_alike, refuse_nothing, refuse_same, vocabulary_of
from ontoeval.errors import CORRECT, InputError, ParameterError, enumerate_some, pluralise
from ontoeval.plumbing.arrays import as_floats
from ontoeval.plumbing.list_texts import labels_in
from ontoeval.plumbing.sparse import checked_csr, every_entry, nonzero_entries, row_of_entries, sealed_pattern

LISTS = (list, tuple, set, frozenset, np.ndarray)
"""Types of cells that hold several labels."""

MatrixWithNames = tuple[sparse.csr_array, Vocabulary, tuple[str, ...]]
"""Parts of a named matrix: the matrix, its concepts and its samples."""

Concepts = Vocabulary | Sequence[str] | None
"""Names of columns; None for those that a form has itself."""


@dataclass(frozen=True)
class LabelSyntax:
    """How labels are written: the classes of numbers, the separator, the number of what was not verified."""

    classes: Any = None
    separator: str | None = None
    ignore_index: float | None = None
    known: Known | None = None
    """Whether texts are concepts, by which columns are found."""
    mixed: bool = False
    """Whether files may hold labels where scores are wanted."""

    def __post_init__(self) -> None:
        """Refuse what cannot be a separator, or a list of classes, of which a vocabulary is made."""
        if self.separator is not None and not (isinstance(self.separator, str) and self.separator):
            raise ParameterError("separator", self.separator, 'a text, such as ";"')
        if self.classes is not None:
            object.__setattr__(self, "classes", class_names(self.classes))

    def knowing(self, names: Vocabulary | None) -> LabelSyntax:
        """Let columns be found by concepts that are known."""
        if names is None:
            return self
        return replace(self, known=lambda texts: all(map(names.spellings.find, texts)))


BY_NAME = LabelSyntax()
"""Labels are texts, each of them one label."""


def class_names(classes: Sequence[str]) -> Vocabulary:
    """Vocabulary of a list of classes."""
    if isinstance(classes, Mapping) and classes.keys() == {*range(len(classes))}:
        classes = [classes[number] for number in range(len(classes))]
    if is_whole(classes):
        classes = tuple(map(str, range(classes)))
    if isinstance(classes, str | Mapping) or not isinstance(classes, Iterable):
        raise ParameterError("classes", classes, 'a list of names, such as ["sea", "sky"]')
    return classes if isinstance(classes, Vocabulary) else Vocabulary(tuple(map(str, classes)))


@dataclass(frozen=True, eq=False)
class Wide:
    """A column of numbers for each concept; names are None where the data has none."""

    numbers: Any
    concepts: tuple[str, ...] | None = None
    samples: Sequence[str] | None = None
    of_frame: bool = False
    nulls: int = 0
    """How many numbers of a frame are nan, as nulls are."""
    ignore_index: float | None = None
    found: str = ""
    """Which column of a frame was found by what it holds."""

    def __len__(self) -> int:
        """Count the rows."""
        return int(self.numbers.shape[0])

    @property
    def may_be_scores(self) -> bool:
        """Whether the numbers are of a frame, or fractions by their type."""
        return self.of_frame or self.numbers.dtype.kind == "f"

    @property
    def dense(self) -> NDArray[Any]:
        """All numbers in an array."""
        numbers = self.numbers
        return numbers if isinstance(numbers, np.ndarray) else checked_csr(numbers).toarray()

    @property
    def holds_fractions(self) -> bool:
        """Whether a number lies between 0 and 1."""
        if self.numbers.dtype.kind != "f":
            return False
        values = self.numbers if isinstance(self.numbers, np.ndarray) else checked_csr(self.numbers).data
        return bool(((values > 0) & (values < 1)).any())

    def at(self, rows: NDArray[np.intp]) -> Wide:
        """Choose some rows."""
        samples = None if self.samples is None else tuple(self.samples[row] for row in rows)
        return replace(self, numbers=self.numbers[rows], samples=samples)

    def form(self, reading: LabelSyntax) -> Wide:  # noqa: ARG002 - of cells
        """Return the numbers as they are."""
        return self

    def named_by(self, vocabulary: Vocabulary) -> Wide:
        """Give columns the names that a vocabulary has for them, if it has one."""
        meant = vocabulary.translated(self.concepts or (), lambda _: "the columns")
        if not meant or self.concepts is None:
            return self
        refuse_same(self.concepts, meant)
        return replace(self, concepts=tuple(meant.get(name, name) for name in self.concepts))

    def matrix(self, concepts: Concepts = None, *, remedy: str = CORRECT) -> MatrixWithNames:  # noqa: ARG002 - of labels
        """Matrix of all numbers but nulls, zeros too, with names of rows and columns."""
        numbers = self.numbers
        if self.nulls:
            at = np.nonzero(~np.isnan(numbers))
            numbers = sparse.csr_array((numbers[at], at), shape=numbers.shape)
        dense = isinstance(numbers, np.ndarray)
        return self._named(every_entry(numbers) if dense else checked_csr(numbers), concepts)

    def marks(self, concepts: Concepts = None, *, remedy: str = CORRECT) -> MatrixWithNames:  # noqa: ARG002 - of labels
        """Boolean matrix of 0 and 1, with its names."""
        dense = isinstance(self.numbers, np.ndarray)
        matrix = nonzero_entries(self.numbers) if dense else checked_csr(self.numbers)
        values = matrix.data
        if values.dtype != bool and not np.all((values == 0) | (values == 1)):
            raise self._error_of_marks(matrix, concepts)
        if dense:  # sorted, and without duplicates
            matrix.data = values.astype(bool)
            matrix = sealed_pattern(matrix)
        return self._named(matrix, concepts)

    def _named(self, matrix: sparse.csr_array, concepts: Concepts) -> MatrixWithNames:
        """Add the given names, or the own ones, or numbers."""
        rows, columns = matrix.shape
        if concepts is None:
            own = number_names(columns) if self.concepts is None else self.concepts
            concepts = Vocabulary(own, origin="side")
        samples = number_names(rows) if self.samples is None else self.samples
        return matrix, vocabulary_of(concepts), tuple(samples)

    def _error_of_marks(self, matrix: sparse.csr_array, concepts: Concepts) -> InputError:
        """Error for the first number that is neither 0 nor 1."""
        values = matrix.data
        entry = int(np.flatnonzero((values != 0) & (values != 1))[0])
        row, column, value = int(row_of_entries(matrix)[entry]), int(matrix.indices[entry]), values[entry]
        whole = values.dtype.kind in "iu"
        columns = self.concepts if concepts is None else concepts
        names = ", ".join(
            f"{kind} {list(given)[place]!r}"
            for kind, given, place in (("sample", self.samples, row), ("concept", columns, column))
            if given is not None
        )
        return InputError(
            f"row {row}, column {column} holds {value.item()!r}{f' ({names})' if names else ''}, "
            "neither 0 nor 1",
            "Give a 0 where the label is absent, of a data frame by frame.fillna(0), in polars fill_null(0); "
            "where the truth was not verified, pass ignore_index=-1 to evaluate or compare."
            if value != value  # noqa: PLR0124 - nan
            else "If -1 marks labels of the truth that were not verified, pass ignore_index=-1 to evaluate "
            "or compare; if absent ones, VerifiedLabels.from_array(..., negative=-1), of a data frame "
            "VerifiedLabels.from_frame(..., negative=-1)."
            if value == -1
            else "Where whole numbers stand for classes, name these: classes=[...]. " * whole
            + "Of logits make probabilities: 1 / (1 + numpy.exp(-logits)), or torch.sigmoid(logits). "
            * bool((values < 0).any() or (not whole and (values > 1).any()))
            + "If these are scores, pass threshold= to evaluate or compare; or make labels of them, "
            "LabelScores.from_array(...).at(threshold), of a data frame LabelScores.from_frame(...).",
        )


@dataclass(frozen=True, eq=False)
class Listed:
    """Labels one after the other, with the row of each; samples are None where they have no names."""

    labels: Sequence[str]
    row: NDArray[np.intp]
    count: int
    samples: tuple[str, ...] | None = None
    values: NDArray[np.float64] | None = None
    of_frame: bool = False
    texts: bool = False
    separator: str | None = None
    nulls: int = 0
    plural: bool = False
    """Whether a frame calls the labels so that a text may hold several."""
    repeated: bool = False
    """Whether texts are one label each because their samples repeat."""
    found: str = ""
    """Which columns of a frame were found by what they hold."""

    def __len__(self) -> int:
        """Count the samples."""
        return self.count

    def named_by(self, vocabulary: Vocabulary) -> Listed:
        """Give labels the names that a vocabulary has for them; texts that mean nothing stay as they are."""
        meant = vocabulary.translated(set(self.labels), self.place)
        return replace(self, labels=[meant.get(label, label) for label in self.labels]) if meant else self

    def place(self, label: str) -> str:
        """Say where a label first occurs, for messages."""
        row = int(self.row[list(self.labels).index(label)])
        return f"sample {(str(row) if self.samples is None else self.samples[row])!r}"

    def split(self, names: Vocabulary | None, beside: Collection[str] = ()) -> Listed:
        """Split texts by the given separator, else as a column of a file with a plural title is split.

        Known names are those of a vocabulary or, without one, those beside, of sides that are no texts. They
        stay whole, and between them alone a comma separates, or any sign without a plural title.
        """
        if not self.texts or self.values is not None:
            return self
        listed = None if names is None else names.spellings.know
        known = listed or ({*beside}.issuperset if beside else None)
        fields, sign = [*dict.fromkeys(self.labels)], self.separator
        if sign is None:
            sign = separator_of(fields, listed) if self.plural else None
            if sign in {None, ","}:
                sign = next((one for one in ";|," if known and joins(fields, one, known)), None)
        if sign is None or not any(sign in field for field in fields):
            stripped = self.plural or self.separator is not None
            return replace(self, labels=[text.strip() for text in self.labels]) if stripped else self
        cut = {text: pieces_of(text, sign, known) for text in fields}
        pieces = [cut[text] for text in self.labels]
        row = np.repeat(self.row, list(map(len, pieces)))
        return replace(self, labels=list(chain.from_iterable(pieces)), row=row, texts=False)

    @property
    def _advice(self) -> Advice:
        """How the labels are read otherwise."""
        frame = ", or split them: frame[column].str.split({0!r})" * self.of_frame
        how = (
            f"Name what separates several labels, separator={{0!r}}{frame}"
            if (self.texts or self.repeated) and self.separator is None
            else "Split them"
        )
        told = f"{how}. A name that holds this sign must be in classes= or vocabulary=."
        return Advice(VALUES, told.format)

    def judge(self, known: Collection[str], beside: Collection[str] = ()) -> None:
        """Refuse labels that seem to be several, or none: the separator is not guessed.

        Those beside are the labels of all sides, where no names are known. A comma alone separates where a
        piece is itself a label, or where every text on all sides has one: names have commas too.
        """
        different = [label for label in dict.fromkeys(self.labels) if label not in known]
        sizes = np.bincount(self.row, minlength=self.count)
        advice, sure = self._advice, bool(known) or self.separator is not None
        refuse_misread({*different, *beside}, sizes, advice, overruled=sure)
        if not (self.texts or self.repeated):
            return
        refuse_joined(different, ";|", advice)
        pieces = {piece.strip() for label in different if "," in label for piece in label.split(",")}
        every = not sure and all("," in label for label in chain(different, beside))
        if pieces and (every or not pieces.isdisjoint({*different, *beside, *known})):
            refuse_joined(different, ",", advice)
        if self.plural and self.texts and not sure:  # which a file may separate
            refuse_joined([label for label in different if "," in label], "\t\n&,", advice)
            refuse_blanks(different)

    def matrix(self, concepts: Concepts = None, *, remedy: str = CORRECT) -> MatrixWithNames:
        """Matrix of the labels with the value of each, or True; duplicates are kept."""
        names = vocabulary_of_labels([self]) if concepts is None else vocabulary_of(concepts)
        samples = self.samples or number_names(self.count)
        found = map(names.index.get, self.labels, repeat(-1))
        columns = np.fromiter(found, dtype=np.intp, count=len(self.labels))
        if (columns < 0).any():
            self.judge(names)
            unknown: dict[str, str] = {}
            for entry in np.flatnonzero(columns < 0).tolist():
                unknown.setdefault(self.labels[entry], f"sample {samples[self.row[entry]]!r}")
            raise names.spellings.unknown_error(unknown, remedy=remedy)
        order = np.argsort(self.row, kind="stable")
        begin = np.concatenate([[0], np.cumsum(np.bincount(self.row, minlength=self.count))])
        data = np.ones(order.size, dtype=bool) if self.values is None else self.values[order]
        matrix = sparse.csr_array((data, columns[order], begin), shape=(self.count, len(names)))
        return matrix, names, samples

    def marks(self, concepts: Concepts = None, *, remedy: str = CORRECT) -> MatrixWithNames:
        """Boolean matrix of the labels that are present, of those with a value by 0 and 1."""
        matrix, names, samples = self.matrix(concepts, remedy=remedy)
        if self.values is None:
            return matrix, names, samples
        matrix.sort_indices()
        refuse_repeats("value", matrix, names, samples)
        return Wide(matrix, samples=samples).marks(names)


VALUES = (
    "Name the concepts in the order of the values, classes=[...]; or give an array or a data frame with a "
    "column for each."
)
"""How vectors in memory are read."""

SideRows = Wide | Listed
"""Labels or numbers in rows, before unnamed rows or columns take names from the other side."""


def vocabulary_of_labels(sides: Sequence[Listed], known: Sequence[str] = ()) -> Vocabulary:
    """Concepts that are known, and the other labels that occur, sorted; doubtful texts are refused."""
    own = [(side, set(side.labels)) for side in sides]
    names = set().union(*(labels for _, labels in own))
    for side, labels in own:
        side.judge(known, names)
        refuse_nothing(labels.difference(known), side.place)
    every = (*known, *sorted(names.difference(known)))
    refuse_alike(every)
    differ = any(labels != ({*known} or names) for _, labels in own)
    return Vocabulary(every, origin="sides" if differ else "side")


def refuse_repeats(kind: str, matrix: sparse.csr_array, names: Vocabulary, samples: Sequence[str]) -> None:
    """Refuse duplicate entries of one sample and concept; columns must be sorted."""
    if matrix.has_canonical_format:
        return
    rows, columns = row_of_entries(matrix), matrix.indices
    again = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
    raise InputError(
        f"sample {samples[rows[again[0]]]!r} has two {kind}s for {names[int(columns[again[0]])]!r}; "
        f"{pluralise(again.size, f'repeated {kind}')} in all",
        "Keep one, of a data frame by frame.groupby([sample, concept], as_index=False).max().",
    )


def form_of_cells(
    cells: Sequence[Any],
    names: tuple[str, ...] | None,
    reading: LabelSyntax,
    *,
    values: Sequence[Any] | None = None,
    of_frame: bool = False,
) -> SideRows:
    """Labels in cells, one or several in each: every cell of a side is met here, before texts become names.

    Vectors of 0 and 1, one for each class, are rows of numbers.
    """
    classes = reading.classes
    if values is None and (found := vectors(cells, 2 if classes is None else 1)) is not None:
        marks = _marks_of_classes(found, classes)
        if marks is not None:
            return Wide(marks, classes.concepts, names, of_frame)
    elif classes is None and not of_frame:
        _refuse_numbers(cells)
    lists, texts, several = _lists_in(cells, classes)
    owner, samples, count = np.arange(len(cells)), names, len(cells)
    if of_frame and names is not None and not several:  # a row for each label
        place = {name: at for at, name in enumerate(dict.fromkeys(names))}
        owner, samples = np.array([place[name] for name in names], dtype=np.intp), tuple(place)
        count = len(place)
    lengths = list(map(len, lists))
    flat, each = list(chain.from_iterable(lists)), np.repeat(np.arange(len(cells)), lengths)

    def place_of(cell: int) -> str:
        if names is None and of_frame:
            return f"row {cell}"
        return f"sample {(str(cell) if names is None else names[cell])!r}"

    given = None if values is None else _values_in(values, lengths, place_of)
    if given is not None:
        flat = [None if _is_null(score) else label for label, score in zip(flat, given, strict=True)]
    if classes is not None:
        flat = [
            label if label is None or (of_frame and _is_null(label)) else _class_name(label, classes)
            for label in flat
        ]
    labels, there = _names_in(flat, lambda at: place_of(int(each[at])))
    return Listed(
        labels,
        owner[each[there]],
        count,
        samples,
        None if given is None else floats(given)[there],
        of_frame,
        # Rows of one sample hold a label each.
        texts and (count == len(cells) or reading.separator is not None),
        reading.separator if texts else None,
        nulls=int((~there).sum()),
        repeated=texts and count < len(cells),
    )


def _values_in(values: Sequence[Any], lengths: Sequence[int], place: Callable[[int], str]) -> list[Any]:
    """List the value of each label, or None."""
    given = list[Any]()
    for at, (value, length) in enumerate(zip(values, lengths, strict=True)):
        own = [None] * length if value is None else list(value) if isinstance(value, LISTS) else [value]
        if len(own) != length:
            problem = f"{place(at)} has {length} labels, but {len(own)} scores"
            raise InputError(problem, "Give each label one score.")
        given += own
    return given


def _lists_in(cells: Sequence[Any], classes: Vocabulary | None) -> tuple[Sequence[Any], bool, bool]:
    """List the labels of each cell; say whether texts may be several each, and whether cells are lists."""
    kinds = {*map(type, cells)}
    if any(issubclass(kind, LISTS) for kind in kinds):
        alone = () if kinds <= {*LISTS} else cells
        return [cell if isinstance(cell, LISTS) else _alone(cell) for cell in alone] or cells, False, True
    written = {cell: _written(cell, classes) for cell in {cell for cell in cells if isinstance(cell, str)}}
    lists = {cell: _alone(cell) if found is None else found for cell, found in written.items()}
    of_cells = [lists[cell] if isinstance(cell, str) else _alone(cell) for cell in cells]
    return of_cells, not cells or None in written.values(), False


def _alone(cell: object) -> list[Any]:
    """Label that is alone in its cell; blanks are none."""
    return [cell] * (cell is None or str(cell).strip() != "")


def _marks_of_classes(found: list[list[str]], classes: Vocabulary | None) -> NDArray[np.bool_] | None:
    """Array of vectors of 0 and 1 for each class; None where the numbers are those of classes."""
    width, marks = max(map(len, found)), marks_in(found)
    if classes is not None and marks is not None and width == len(classes):
        if sum(map(bool, found)) > 1:
            return marks
        raise InputError(
            f"{width} numbers, 0 and 1, beside as many classes: marks or class numbers",
            "Give numpy.array(rows) for a column of 0 and 1 per class, sets of numbers for classes.",
        )
    if classes is None or any(len({*row}) < len(row) for row in found):
        raise vectors_error(width, VALUES)
    return None


def _refuse_numbers(rows: Sequence[Any]) -> None:
    """Refuse runs, and 0 and 1 or scores for each concept, where collections of labels belong."""
    rows = [row for row in rows if not isinstance(row, str | None)]
    if {*map(type, chain.from_iterable(rows))} <= {str}:
        return
    for row in rows:
        first: Any = next(iter(row), "")
        if isinstance(first, LISTS) or (hasattr(first, "ndim") and first.ndim):
            raise InputError(
                f"a {type(row).__name__} of several {type(first).__name__}s stands where the labels of one "
                "sample belong",
                "Give a collection of labels for each sample; compare several runs by "
                "ontoeval.compare(truth, {name: run}).",
            )
        if not (isinstance(first, Real | np.bool_) and isinstance(row, list | tuple | np.ndarray)):
            continue
        whole = all(map(is_whole, row))
        if len({*row}) < len(row) or not (whole or any(isinstance(label, str) for label in row)):
            raise InputError(
                f"the numbers {enumerate_some(row)} stand where the labels of a sample belong",
                "Give an array or a data frame, such as pandas.DataFrame.from_dict(values, orient='index', "
                "columns=[...]) with the names of the concepts. Labels may be whole numbers, each once.",
            )


def _written(text: str, classes: Vocabulary | None) -> list[Any] | None:
    """Labels of a list written in a text, of which whole numbers may stand for classes."""
    found = None if classes is not None and text in classes else labels_in(text)
    if found is None or classes is None:
        return found
    return [int(label) if label.isdecimal() and label not in classes else label for label in found]


def _names_in(labels: Sequence[Any], place: Callable[[int], str]) -> tuple[list[str], NDArray[np.bool_]]:
    """Labels that are not null, as texts, and their mask; bytes and other objects are refused."""
    if {*map(type, labels)} <= {str} and "" not in labels:
        return list(labels), np.ones(len(labels), dtype=bool)
    there = np.array([not (_is_null(label) or label == "") for label in labels], dtype=bool)
    kept = [labels[at] for at in np.flatnonzero(there).tolist()]
    odd = next((label for label in kept if not isinstance(label, str) and not is_whole(label)), None)
    if odd is not None:
        how = "label.decode()" if isinstance(odd, bytes) else "label.name of an Enum, or str(label)"
        at = next(at for at, label in enumerate(labels) if label is odd)
        problem = f"{place(at)} has the label {odd!r}, which is no text but {type(odd).__name__}"
        raise InputError(problem, f"Give texts, such as {how}, or whole numbers.")
    return [str.__str__(label) if isinstance(label, str) else str(label) for label in kept], there


def _is_null(value: object) -> bool:
    """Whether a value is None, nan, or pandas' NA and NaT."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)  # noqa: PLR0124


def is_whole(value: object) -> TypeGuard[int | np.integer]:
    """Whether a value is a whole number, which True is not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _class_name(label: object, classes: Vocabulary) -> str:
    """Name of the class that a whole number stands for."""
    if isinstance(label, str):
        return label
    if not is_whole(label) or not 0 <= label < len(classes):
        most = len(classes) - 1
        raise InputError(
            f"{label!r} stands for none of {len(classes):,} classes",
            f"Give names, or numbers from 0 to {most}.",
        )
    return classes[int(label)]


def floats(values: Sequence[Any]) -> NDArray[np.float64]:
    """Numbers as floats, nan for None."""
    return as_floats([np.nan if value is None else value for value in values], "a score that is no number")


def number_names(number: int) -> tuple[str, ...]:
    """Numbers as names: "0", "1", and so on; the sides of a batch share them unless they are very many."""
    return _new_number_names(number) if number <= _SHARED else _new_number_names.__wrapped__(number)


_SHARED = 200_000
"""Most names that are kept, in two tuples of 13 MB."""


@lru_cache(maxsize=2)
def _new_number_names(number: int) -> tuple[str, ...]:
    return tuple(map(str, range(number)))
