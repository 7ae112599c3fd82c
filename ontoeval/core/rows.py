"""Rows of labels or numbers, of arrays, collections and frames, before their names mean concepts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain, repeat
from numbers import Real
from os import PathLike
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.frames import (
    LISTS,
    LabelColumn,
    NumberColumns,
    floats,
    is_frame,
    read_frame,
    refuse_frame,
    refuse_framed,
)
from ontoeval.core.gate import Advice, marks_in, refuse_joined, refuse_misread, vectors, vectors_error
from ontoeval.core.vocabulary import Vocabulary, refuse_alike, refuse_nothing, refuse_same, vocabulary_of
from ontoeval.errors import CORRECT, InputError, ParameterError, enumerate_some, pluralise
from ontoeval.plumbing.list_texts import labels_in
from ontoeval.plumbing.sparse import checked_csr, every_entry, nonzero_entries, row_of_entries, sealed_pattern


@dataclass(frozen=True)
class LabelSyntax:
    """How labels are written: the classes of numbers, the separator, the number of what was not verified."""

    classes: Any = None
    separator: str | None = None
    ignore_index: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a separator, or a list of classes, of which a vocabulary is made."""
        if self.separator is not None and not (isinstance(self.separator, str) and self.separator):
            raise ParameterError("separator", self.separator, 'a text, such as ";"')
        if self.classes is not None:
            object.__setattr__(self, "classes", class_names(self.classes))


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
    samples: tuple[str, ...] | None = None
    of_frame: bool = False
    nulls: int = 0
    ignore_index: float | None = None

    def __len__(self) -> int:
        """Count the rows."""
        return int(self.numbers.shape[0])

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the columns, which list no concepts."""
        return None if self.concepts is None else Vocabulary(self.concepts, origin="side")

    @property
    def given(self) -> Any:  # noqa: ANN401 - an array, or a sparse one
        """The numbers, without nulls of a frame, which are nan."""
        if not self.nulls:
            return self.numbers
        at = np.nonzero(~np.isnan(self.numbers))
        return sparse.csr_array((self.numbers[at], at), shape=self.numbers.shape)

    def named_by(self, vocabulary: Vocabulary) -> Wide:
        """Give columns the names that a vocabulary has for them, if it has one."""
        meant = vocabulary.translated(self.concepts or (), lambda _: "the columns")
        if not meant or self.concepts is None:
            return self
        refuse_same(self.concepts, meant)
        return replace(self, concepts=tuple(meant.get(name, name) for name in self.concepts))


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
    separated: bool = False
    nulls: int = 0

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

    def split(self, separator: str | None) -> Listed:
        """Split texts of several labels; a text without any label is an empty set."""
        if separator is None or not self.texts:
            return self
        if self.values is not None:
            raise ParameterError("separator", separator, "None beside a column of values, one for each label")
        pieces = [[one for part in text.split(separator) if (one := part.strip())] for text in self.labels]
        row = np.repeat(self.row, list(map(len, pieces)))
        return replace(self, labels=list(chain.from_iterable(pieces)), row=row, texts=False, separated=True)

    def refuse_joined(self, known: Collection[str], beside: Sequence[str] = ()) -> None:
        """Refuse texts that seem to hold several labels: the separator is not guessed.

        Those beside are the labels of the other side, where no names are known. A comma alone separates
        where a piece is itself a label, or where every text on both sides has one: names have commas too.
        """
        different = [label for label in dict.fromkeys(self.labels) if label not in known]
        sizes = np.bincount(self.row, minlength=self.count)
        refuse_misread({*different, *beside}, sizes, self._advice, overruled=bool(known) or self.separated)
        if not self.texts:
            return
        refuse_joined(different, ";|", self._advice)
        pieces = {piece.strip() for label in different if "," in label for piece in label.split(",")}
        every = not known and all("," in label for label in chain(different, beside))
        if pieces and (every or not pieces.isdisjoint({*different, *beside, *known})):
            refuse_joined(different, ",", self._advice)

    @property
    def _advice(self) -> Advice:
        """How the labels are read otherwise."""
        frame = ", or split them: frame[column].str.split({0!r})" * self.of_frame
        how = f"Name what separates several labels, separator={{0!r}}{frame}" if self.texts else "Split them"
        return Advice(
            VALUES,
            f"{how}. A name that holds this sign must be in classes= or vocabulary=.".format,
        )


VALUES = (
    "Name the concepts in the order of the values, classes=[...]; or give an array or a data frame with a "
    "column for each."
)
"""How vectors in memory are read."""

SideRows = Wide | Listed
"""Labels or numbers in rows, before unnamed rows or columns take names from the other side."""


def rows_of(side: Any, reading: LabelSyntax = BY_NAME) -> SideRows:  # noqa: ANN401 - whatever was handed over
    """Rows of one side: of a frame, an array of numbers or of texts, a mapping or a collection."""
    classes = reading.classes
    if is_frame(side):
        side = read_frame(side, classes=classes)
    elif isinstance(side, list) and {(2,)} <= (widths := {*map(_width, side)}) <= {(1,), (2,)}:
        if (1,) in widths:
            at = next(at for at, one in enumerate(side) if _width(one) == (1,))
            raise InputError(
                f"class {at if classes is None else classes[at]!r} was constant in training: one probability",
                f"Name its only value: p[{at}] = numpy.eye(2)[[int(estimator.classes_[{at}][0])] * "
                f"len(p[{at}])], p = estimator.predict_proba(X).",
            )
        side = np.stack([one[:, 1] for one in side], axis=1)  # predict_proba of several outputs
    if isinstance(side, LabelColumn):
        return listed(side, reading, of_frame=True)
    if isinstance(side, NumberColumns):
        numbers: Any = numbers_in(side.numbers)
        nulls = int(np.isnan(numbers).sum()) if numbers.dtype.kind == "f" else 0
        return Wide(numbers, side.concepts, side.samples, of_frame=True, nulls=nulls)
    if any(hasattr(side, name) for name in ("shape", "__array__", "__dlpack__")):
        side = side if sparse.issparse(side) else _of_numpy(side)
        if not _holds_labels(side, classes):
            return Wide(numbers_in(side))
        side = (
            side.tolist() if side.ndim == 1 else [[one for one in row if one != ""] for row in side.tolist()]
        )
    rows = collections_in(side, classes)
    numeric = not isinstance(side, Mapping) and all(map(_is_numeric, rows)) and any(len(row) for row in rows)
    marked = classes is None or reading.ignore_index is not None
    if numeric and (marked or not all(map(is_whole, chain.from_iterable(rows)))):
        return Wide(numbers_in(rows))
    return listed_of(rows, tuple(map(str, side)) if isinstance(side, Mapping) else None, reading)


def _width(array: Any) -> Any:  # noqa: ANN401 - one part of a list
    return getattr(array, "dtype", None) and array.shape[1:]


def listed_of(rows: list[Any], samples: tuple[str, ...] | None, reading: LabelSyntax) -> SideRows:
    """Labels of texts, or of collections of labels, of which whole numbers may stand for classes."""
    kinds = {*map(type, rows)}
    texts = any(issubclass(kind, str) for kind in kinds)
    if texts and not all(isinstance(row, str) or row is None or not len(row) for row in rows):
        text = next(row for row in rows if isinstance(row, str))
        raise InputError(
            f"the labels of some samples are a text, such as {text!r}, those of others a collection",
            f"Give a collection for each sample, such as [{text!r}].",
        )
    if texts:
        rows = ["" if row is not None and not isinstance(row, str) else row for row in rows]
    elif reading.classes is None and vectors(rows) is None:
        several = rows if type(None) not in kinds else [row for row in rows if row is not None]
        if not {*map(type, chain.from_iterable(several))} <= {str}:
            _refuse_vectors(several)
    if not kinds <= {str, type(None), *LISTS}:
        rows = [row if row is None or isinstance(row, (str, *LISTS)) else list(row) for row in rows]
    return listed(LabelColumn(rows, samples), reading, of_frame=False)


def listed(column: LabelColumn, reading: LabelSyntax, *, of_frame: bool) -> SideRows:
    """Labels one after the other: every cell of a side is met here, before its texts become names.

    Vectors of 0 and 1, one for each class, are rows of numbers.
    """
    cells, names, values = column
    classes = reading.classes
    if values is None and (wide := _vectors_in(column, classes, of_frame=of_frame)) is not None:
        return wide
    kinds, samples = {*map(type, cells)}, names
    texts = not any(issubclass(kind, LISTS) for kind in kinds)
    owner, count = np.arange(len(cells)), len(cells)
    if of_frame and texts and names is not None:  # a row for each label
        place = {name: at for at, name in enumerate(dict.fromkeys(names))}
        owner, samples = np.array([place[name] for name in names], dtype=np.intp), tuple(place)
        count = len(place)
    lists = cells
    if not kinds <= {*LISTS}:
        different = {cell for cell in cells if isinstance(cell, str)} if texts else ()
        written = {cell: _written(cell, classes) for cell in different}
        lists = [
            cell
            if not texts and isinstance(cell, LISTS)
            else [cell] * (cell is None or str(cell).strip() != "")
            if not isinstance(cell, str) or written.get(cell) is None
            else written[cell]
            for cell in cells
        ]
        texts = texts and None in written.values()
    lengths = np.fromiter(map(len, lists), dtype=np.intp, count=len(lists))
    flat = list(chain.from_iterable(lists))

    def place_of(cell: int) -> str:
        if names is None and of_frame:
            return f"row {cell}"
        return f"sample {(str(cell) if names is None else names[cell])!r}"

    given = list[Any]()
    if values is not None:
        scores = [
            [None] * length if score is None else list(score) if isinstance(score, LISTS) else [score]
            for score, length in zip(values, lengths.tolist(), strict=True)
        ]
        odd = next((n for n, score in enumerate(scores) if len(score) != lengths[n]), None)
        if odd is not None:
            raise InputError(
                f"{place_of(odd)} has {lengths[odd]} labels, but {len(scores[odd])} scores",
                "Give each label one score.",
            )
        given = list(chain.from_iterable(scores))
        flat = [None if _is_null(score) else label for label, score in zip(flat, given, strict=True)]
    if classes is not None:
        flat = [
            label if label is None or (of_frame and _is_null(label)) else _class_name(label, classes)
            for label in flat
        ]
    each, several = np.repeat(np.arange(len(cells)), lengths), count == len(cells)
    labels, there = _names_in(flat, lambda at: place_of(int(each[at])))
    return Listed(
        labels,
        owner[each[there]],
        count,
        samples,
        None if values is None else floats(given)[there],
        of_frame,
        texts and (several or reading.separator is not None),  # rows of one sample hold a label each
        nulls=int((~there).sum()),
    ).split(reading.separator)


def _vectors_in(column: LabelColumn, classes: Vocabulary | None, *, of_frame: bool) -> Wide | None:
    """Rows of 0 and 1 for each class, one in each cell; None where cells hold labels, or class numbers."""
    found = vectors(column.cells, 2 if classes is None else 1)
    if found is None:
        return None
    width, marks = max(map(len, found)), marks_in(found)
    if classes is not None and marks is not None and width == len(classes):
        if sum(map(bool, found)) > 1:
            return Wide(marks, classes.concepts, column.samples, of_frame)
        raise InputError(
            f"{width} numbers, 0 and 1, beside as many classes: marks or class numbers",
            "Give numpy.array(rows) for a column of 0 and 1 per class, sets of numbers for classes.",
        )
    if classes is None or any(len({*row}) < len(row) for row in found):
        raise vectors_error(width, VALUES)
    return None


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


def collections_in(sets: Any, classes: Vocabulary | None) -> list[Any]:  # noqa: ANN401 - whatever was handed over
    """List the labels of each sample: a text, a collection or None; refuse runs, records and numbers."""
    refuse_frame(sets, "Use LabelSets.from_frame(frame), which reads its names.")
    if isinstance(sets, str | bytes | PathLike) or not isinstance(sets, Iterable):
        raise InputError(
            f"{sets!r} is no collection of label sets",
            "Give a collection of labels for each sample; of a file ontoeval.read_labels(path, ontology).",
        )
    rows = list(sets.values()) if isinstance(sets, Mapping) else list(sets)
    if isinstance(sets, Mapping):
        _refuse_runs(sets)
    if classes is not None:
        rows = [[row] if is_whole(row) else row for row in rows]
    kinds = {*map(type, rows)} - {type(None)}
    odd = {kind for kind in kinds if issubclass(kind, _NO_LABELS) or not issubclass(kind, Iterable)}
    wrong = [row for row in rows if type(row) in odd] if odd else []
    if wrong and is_whole(wrong[0]):
        raise InputError(
            f"the number {wrong[0]!r} stands where the labels of a sample belong",
            "Where whole numbers stand for classes, name these: classes=[...].",
        )
    if wrong:
        plain = isinstance(wrong[0], str | bytes | int | float)
        shown = repr(wrong[0]) if plain else f"a {type(wrong[0]).__name__}"
        raise InputError(
            f"{shown} stands where the labels of a sample belong",
            "Give a text or a collection for each sample, an empty one where it has no label: "
            "['cat', []] or [['cat'], []].",
        )
    if records := [kind for kind in kinds if issubclass(kind, Mapping) or hasattr(kind, "_fields")]:
        raise InputError(
            f"a {records[-1].__name__} of names and values stands where the labels of a sample belong",
            "Give a data frame, which is read by its names: pandas.DataFrame(records), or of a mapping from "
            "samples to values pandas.DataFrame.from_dict(values, orient='index').",
        )
    refuse_framed(rows)
    return [row if row is None or hasattr(row, "__len__") else list(row) for row in rows]


_NO_LABELS = (bytes, sparse.sparray, sparse.spmatrix)
"""Types that can be iterated, but hold no labels of a sample."""


def _refuse_runs(sets: Mapping[Any, Any]) -> None:
    """Refuse a mapping from names to whole runs, where one from samples to labels belongs."""
    runs = [name for name, side in sets.items() if _is_run(side)]
    if runs and len(runs) == len(sets):
        raise InputError(
            f"{pluralise(len(runs), 'run')} ({enumerate_some(runs)}) where the labels of one belong",
            "Compare runs by ontoeval.compare(truth, {name: run, ...}).",
        )


def _is_run(side: object) -> bool:
    if hasattr(type(side), "within") or sparse.issparse(side):  # label sets, scores and verified labels
        return True
    if hasattr(side, "ndim"):
        return bool(side.ndim > 1)
    if isinstance(side, Mapping):
        return any(isinstance(one, str | list | tuple | set | frozenset) for one in side.values())
    first = next(iter(side), None) if isinstance(side, list | tuple) else None
    return isinstance(first, list | tuple | set | frozenset | np.ndarray)


_ORDERED = (list, tuple, np.ndarray)
_NUMBER = (Real, np.bool_)


def _refuse_vectors(rows: Sequence[Any]) -> None:
    """Refuse runs, and 0 and 1 or scores for each concept, where collections of labels belong."""
    for row in rows:
        first: Any = next(iter(row), "")
        if isinstance(first, str):
            continue
        if isinstance(first, LISTS) or (hasattr(first, "ndim") and first.ndim):
            raise InputError(
                f"a {type(row).__name__} of several {type(first).__name__}s stands where the labels of one "
                "sample belong",
                "Give a collection of labels for each sample; compare several runs by "
                "ontoeval.compare(truth, {name: run}).",
            )
        if not (isinstance(first, _NUMBER) and isinstance(row, _ORDERED)):
            continue
        whole = all(map(is_whole, row))
        if len({*row}) < len(row) or not (whole or any(isinstance(label, str) for label in row)):
            raise InputError(
                f"the numbers {enumerate_some(row)} stand where the labels of a sample belong",
                "Give an array or a data frame, such as pandas.DataFrame.from_dict(values, orient='index', "
                "columns=[...]) with the names of the concepts. Labels may be whole numbers, each once.",
            )


def _is_numeric(row: object) -> bool:
    """Whether a row holds numbers of an array, not labels; labels that are numbers come in sets."""
    if isinstance(row, np.ndarray):
        return row.dtype.kind in "biuf"
    numbers = bool | int | float | np.number | np.bool_
    return isinstance(row, list | tuple) and all(isinstance(value, numbers) for value in row)


def _holds_labels(array: Any, classes: Vocabulary | None) -> bool:  # noqa: ANN401 - of NumPy, or sparse
    """Whether an array holds texts, or numbers of classes, such as indices of `topk`."""
    kind = array.dtype.kind
    if array.ndim == 1:
        return kind in "UO" or (classes is not None and kind in "iu")
    if classes is not None and kind in "iu" and array.shape[1] != len(classes) and array.max(initial=0) > 1:
        return all(len({*row}) == len(row) for row in array.tolist())
    texts = kind == "U" or (kind == "O" and array.size and all(isinstance(one, str) for one in array.flat))
    return bool(array.ndim == 2 and texts)  # noqa: PLR2004


def numbers_in(array: ArrayLike | sparse.sparray | sparse.spmatrix) -> NDArray[Any] | sparse.csr_array:
    """Array of numbers, dense or CSR; anything else is refused."""
    if sparse.issparse(array):
        numbers = array
    else:
        try:
            numbers = _of_numpy(list(array) if isinstance(array, Iterator) else array)
        except InputError:
            raise
        except ValueError as error:
            remedy = (
                "Give one number per sample and concept; labels must be texts, or whole numbers beside "
                "classes=[...]."
            )
            raise InputError("rows of different lengths", remedy) from error
        if numbers.dtype == object and all(isinstance(value, Real | Decimal) for value in numbers.flat):
            with suppress(OverflowError):  # an integer of hundreds of digits: refused as an object
                numbers = numbers.astype(np.float64)
    if numbers.ndim != 2 or numbers.dtype.kind not in "biuf":  # noqa: PLR2004
        raise InputError(
            f"an array of shape {numbers.shape} and type {numbers.dtype}",
            "Give numbers, one row per sample and one column per concept."
            + " Where each stands for a class, name these: classes=[...]." * (numbers.dtype.kind in "iu"),
        )
    return checked_csr(numbers) if sparse.issparse(array) else numbers


def _of_numpy(array: Any) -> NDArray[Any]:  # noqa: ANN401 - an array of any library, or rows of numbers
    """Array of NumPy, of a tensor of any library too; numbers of half precision in single precision."""
    if hasattr(array, "detach"):  # a tensor of torch may require gradients, or lie on another device
        array = array.detach().cpu()
        array = array.float() if "bfloat16" in str(array.dtype) else array
    if np.ma.is_masked(array):
        raise InputError(
            f"an array with {pluralise(int(np.ma.getmaskarray(array).sum()), 'masked value')}, whose meaning "
            "is unknown",
            "Give array.filled(0) where they mean absent; for labels that are unknown see VerifiedLabels.",
        )
    by_dlpack = hasattr(array, "__dlpack__") and not hasattr(array, "__array__")
    numbers = np.from_dlpack(array) if by_dlpack else np.asarray(array)
    half = numbers.dtype == np.float16 or numbers.dtype.name == "bfloat16"  # which scipy does not take
    return numbers.astype(np.float32) if half else numbers


MatrixWithNames = tuple[sparse.csr_array, Vocabulary, tuple[str, ...]]
"""Parts of a named matrix: the matrix, its concepts and its samples."""


def vocabulary_of_labels(sides: Sequence[Listed], known: Sequence[str] = ()) -> Vocabulary:
    """Concepts that are known, and the other labels that occur, sorted; doubtful texts are refused."""
    own = [(side, set(side.labels)) for side in sides]
    names = set().union(*(labels for _, labels in own))
    for side, labels in own:
        side.refuse_joined(known, tuple(names))
        refuse_nothing(labels.difference(known), side.place)
    every = (*known, *sorted(names.difference(known)))
    refuse_alike(every)
    differ = any(labels != ({*known} or names) for _, labels in own)
    return Vocabulary(every, origin="sides" if differ else "side")


def matrix_of_labels(
    rows: Listed, vocabulary: Vocabulary | Sequence[str] | None, *, remedy: str = CORRECT
) -> MatrixWithNames:
    """Matrix of labels in rows, with the value of each, or True; duplicates are kept."""
    names = vocabulary_of_labels([rows]) if vocabulary is None else vocabulary_of(vocabulary)
    if vocabulary is not None:
        rows.refuse_joined(names)
    samples = rows.samples or number_names(rows.count)
    found = map(names.index.get, rows.labels, repeat(-1))
    columns = np.fromiter(found, dtype=np.intp, count=len(rows.labels))
    if (columns < 0).any():
        unknown: dict[str, str] = {}
        for entry in np.flatnonzero(columns < 0).tolist():
            unknown.setdefault(rows.labels[entry], f"sample {samples[rows.row[entry]]!r}")
        raise names.spellings.unknown_error(unknown, remedy=remedy)
    order = np.argsort(rows.row, kind="stable")
    begin = np.concatenate([[0], np.cumsum(np.bincount(rows.row, minlength=rows.count))])
    data = np.ones(order.size, dtype=bool) if rows.values is None else rows.values[order]
    matrix = sparse.csr_array((data, columns[order], begin), shape=(rows.count, len(names)))
    return matrix, names, samples


def with_names(
    numbers: NDArray[Any] | sparse.csr_array,
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str] | None,
) -> MatrixWithNames:
    """Matrix of all numbers, zeros too, with names of rows and columns, by default their numbers."""
    matrix = every_entry(numbers) if isinstance(numbers, np.ndarray) else numbers
    rows, columns = matrix.shape
    counted = Vocabulary(number_names(columns), origin="side") if vocabulary is None else vocabulary
    return matrix, vocabulary_of(counted), tuple(number_names(rows) if samples is None else samples)


def matrix_of_marks(
    numbers: NDArray[Any] | sparse.csr_array,
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str] | None,
) -> MatrixWithNames:
    """Boolean matrix of an array of 0 and 1, with its names."""
    matrix = nonzero_entries(numbers) if isinstance(numbers, np.ndarray) else numbers
    values = matrix.data
    if values.dtype != bool and not np.all((values == 0) | (values == 1)):
        entry = int(np.flatnonzero((values != 0) & (values != 1))[0])
        row, column, value = int(row_of_entries(matrix)[entry]), int(matrix.indices[entry]), values[entry]
        whole = values.dtype.kind in "iu"
        names = ", ".join(
            f"{kind} {list(given)[place]!r}"
            for kind, given, place in (("sample", samples, row), ("concept", vocabulary, column))
            if given is not None
        )
        raise InputError(
            f"row {row}, column {column} holds {value.item()!r}{f' ({names})' if names else ''}, "
            "neither 0 nor 1",
            "Give a 0 where the label is absent; where the truth was not verified, pass ignore_index=-1 to "
            "evaluate or compare."
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
    if matrix is not numbers:  # sorted, and without duplicates
        matrix.data = values.astype(bool)
        matrix = sealed_pattern(matrix)
    return with_names(matrix, vocabulary, samples)


def number_names(number: int) -> tuple[str, ...]:
    """Numbers as names: "0", "1", and so on; the sides of a batch share them unless they are very many."""
    return _new_number_names(number) if number <= _SHARED else _new_number_names.__wrapped__(number)


_SHARED = 200_000
"""Most names that are kept, in two tuples of 13 MB."""


@lru_cache(maxsize=2)
def _new_number_names(number: int) -> tuple[str, ...]:
    return tuple(map(str, range(number)))
