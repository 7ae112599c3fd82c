"""Arrays and collections: by what is in their rows they hold numbers in columns, or labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import chain
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.frames import is_frame
from ontoeval.core.rows import LISTS, LabelSyntax, SideRows, Wide, form_of_cells, is_whole
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.plumbing.column_titles import are_columns


def form_of_container(side: Any, reading: LabelSyntax) -> SideRows:  # noqa: ANN401 - whatever was handed over
    """Rows of an array of numbers or of texts, of the arrays of several outputs, or of collections."""
    classes = reading.classes
    if isinstance(side, list) and {(2,)} <= (widths := {*map(_width, side)}) <= {(1,), (2,)}:
        if (1,) in widths:
            at = next(at for at, one in enumerate(side) if _width(one) == (1,))
            raise InputError(
                f"class {at if classes is None else classes[at]!r} was constant in training: one probability",
                f"Name its only value: p[{at}] = numpy.eye(2)[[int(estimator.classes_[{at}][0])] * "
                f"len(p[{at}])], p = estimator.predict_proba(X).",
            )
        return Wide(numbers_in(np.stack([one[:, 1] for one in side], axis=1)))  # predict_proba
    if any(hasattr(side, name) for name in ("shape", "__array__", "__dlpack__")):
        array: Any = side if sparse.issparse(side) else _of_numpy(side)
        if sparse.issparse(side) or not _holds_labels(array, classes):
            return Wide(numbers_in(array))
        side = array.tolist()
        side = side if array.ndim == 1 else [[one for one in row if one != ""] for row in side]
    return form_of_collections(side, reading)


def _width(array: Any) -> Any:  # noqa: ANN401 - one part of a list
    return getattr(array, "dtype", None) and array.shape[1:]


def _holds_labels(array: NDArray[Any], classes: Vocabulary | None) -> bool:
    """Whether an array holds texts, or numbers of classes, such as indices of `topk`."""
    kind = array.dtype.kind
    if array.ndim == 1:
        return kind in "UO" or (classes is not None and kind in "iu")
    if classes is not None and kind in "iu" and array.shape[1] != len(classes) and array.max(initial=0) > 1:
        return all(len({*row}) == len(row) for row in array.tolist())
    texts = kind == "U" or (kind == "O" and array.size and all(isinstance(one, str) for one in array.flat))
    return bool(array.ndim == 2 and texts)  # noqa: PLR2004


def form_of_collections(
    sets: Any,  # noqa: ANN401 - whatever was handed over
    reading: LabelSyntax,
    samples: tuple[str, ...] | None = None,
    *,
    numbers: bool = True,
) -> SideRows:
    """Rows of a mapping from samples to labels, or of the labels of one sample after the other.

    A row is a text, a collection or None; runs, records and numbers of a single sample are refused. With
    `numbers`, rows that hold nothing else, as those of an array do, are these.
    """
    if isinstance(sets, str | bytes | PathLike) or not isinstance(sets, Iterable):
        raise InputError(
            f"{sets!r} is no collection of label sets",
            "Give a collection of labels for each sample; of a file ontoeval.read_labels(path, ontology).",
        )
    classes, rows = reading.classes, list[Any]()
    if named := isinstance(sets, Mapping):
        _refuse_runs(sets)
        samples, rows = tuple(map(str, sets)), [*sets.values()]
    else:
        rows = [*sets]
    rows = [[row] if classes is not None and is_whole(row) else row for row in rows]
    _refuse_no_labels(rows)
    rows = [row if row is None or hasattr(row, "__len__") else list(row) for row in rows]
    if numbers and not named and all(map(_is_numeric, rows)) and any(len(row) for row in rows):
        marked = classes is None or reading.ignore_index is not None
        if marked or not all(map(is_whole, chain.from_iterable(rows))):
            return Wide(numbers_in(rows))
    rows = [row if row is None or isinstance(row, (str, *LISTS)) else list(row) for row in rows]
    text = next((row for row in rows if isinstance(row, str)), None)
    if text is not None:
        if not all(isinstance(row, str) or row is None or not len(row) for row in rows):
            raise InputError(
                f"the labels of some samples are a text, such as {text!r}, those of others a collection",
                f"Give a collection for each sample, such as [{text!r}].",
            )
        rows = ["" if row is not None and not isinstance(row, str) else row for row in rows]
    return form_of_cells(rows, samples, reading)


def is_document(side: object) -> bool:
    """Whether a side holds records, objects for samples or labels, or rows and their titles, as JSON does."""
    if isinstance(side, Mapping):
        tabular = {"columns", "data"} <= side.keys() or are_columns(side)
        return tabular or any(map(_is_object, side.values()))
    return isinstance(side, list | tuple) and any(map(_is_object, side))


def _is_object(row: object) -> bool:
    first = row[0] if isinstance(row, list | tuple) and row else row
    return isinstance(first, Mapping)


def _refuse_no_labels(rows: Sequence[Any]) -> None:
    """Refuse rows that are no text and no collection, or hold names and values."""
    kinds = {*map(type, rows)} - {type(None)}
    if kinds <= {str, *LISTS}:
        return
    odd = tuple(kind for kind in kinds if issubclass(kind, _NO_LABELS) or not issubclass(kind, Iterable))
    wrong = next((row for row in rows if type(row) in odd), None)
    if is_whole(wrong):
        raise InputError(
            f"the number {wrong!r} stands where the labels of a sample belong",
            "Where whole numbers stand for classes, name these: classes=[...].",
        )
    if wrong is not None:
        plain = isinstance(wrong, bytes | int | float)
        shown = repr(wrong) if plain else f"a {type(wrong).__name__}"
        raise InputError(
            f"{shown} stands where the labels of a sample belong",
            "Give a text or a collection for each sample, an empty one where it has no label: "
            "['cat', []] or [['cat'], []].",
        )
    if records := [kind for kind in kinds if issubclass(kind, Mapping) or hasattr(kind, "_fields")]:
        raise InputError(
            f"a {records[-1].__name__} of names and values stands where the labels of a sample belong",
            "Give records to ontoeval.read_labels(records), or a data frame: pandas.DataFrame(records).",
        )
    for row in filter(is_frame, rows):
        if hasattr(row, "columns"):
            raise InputError(
                f"a {type(row).__name__} stands where the labels of one sample belong",
                "Give the data frame itself; compare several runs by ontoeval.compare(truth, {name: frame}).",
            )
        if len(row) and _is_numeric(list(row)):
            raise InputError(
                f"a {type(row).__name__} of numbers stands where the labels of a sample belong",
                "Give the data frame itself, which is read by its names.",
            )


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
    first = next(iter(side), None) if isinstance(side, list | tuple) else None
    return isinstance(first, list | tuple | set | frozenset | np.ndarray)


def _is_numeric(row: object) -> bool:
    """Whether a row holds numbers of an array, not labels; labels that are numbers come in sets."""
    if isinstance(row, np.ndarray):
        return row.dtype.kind in "biuf"
    numbers = bool | int | float | np.number | np.bool_
    return isinstance(row, list | tuple) and all(isinstance(value, numbers) for value in row)


def refuse_frame(value: object, kind: type) -> None:
    """Refuse a data frame where an array or a collection belongs: its names would be lost."""
    if is_frame(value):
        raise InputError(
            f"a {type(value).__name__} with names stands where an array belongs",
            f"Use {kind.__name__}.from_frame(frame), which reads its names.",
        )


def numbers_in(
    array: ArrayLike | sparse.sparray | sparse.spmatrix, kind: type | None = None
) -> NDArray[Any] | sparse.sparray:
    """Array of numbers, dense or sparse; anything else is refused, a frame with the kind that reads it."""
    if kind is not None:
        refuse_frame(array, kind)
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
    return numbers


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
