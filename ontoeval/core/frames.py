"""Data frames of pandas, polars and pyarrow, read by the names of rows and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, one_of, pluralise
from ontoeval.plumbing.column_titles import (
    ANNOTATOR,
    CONCEPT,
    CONCEPTS,
    OWN_SAMPLE_WEIGHT,
    SAMPLE,
    SCORE,
    label_columns,
    normalise_title,
    numbered_alike,
    refuse_flags,
    sample_positions,
)

if TYPE_CHECKING:
    from narwhals import DataFrame, Series

AnyFrame = Any
"""A data frame or a series of a library that narwhals knows."""


Index = Any
"""An index of pandas, or None."""

_Native = Any
"""A data frame of narwhals, or a series."""

_T = TypeVar("_T")

LISTS = (list, tuple, set, frozenset, np.ndarray)
"""Types of cells that hold several labels."""

_WITHOUT_NAMES = frozenset({"builtins", "numpy", "scipy", "collections", "itertools", "ontoeval"})
"""Libraries whose arrays and collections name neither rows nor columns."""
_NAMED = ("columns", "column_names", "coords", "to_frame", "to_pylist", "__dataframe__", "__arrow_c_stream__")
_VALUES = (0, 1)
_MARKS = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "false": 0.0, "true": 1.0}

FrameColumnKind = Literal["number", "list", "text", "empty", "other"]
"""Kind of the content of a column."""


class NumberColumns(NamedTuple):
    """A column of numbers, nan for nulls, for each concept; names are None where the frame has none."""

    numbers: NDArray[Any]
    concepts: tuple[str, ...] | None
    samples: tuple[str, ...] | None


class LabelColumn(NamedTuple):
    """A column of labels, or of lists of labels, with the names of its rows and a column of values."""

    cells: Sequence[Any]
    samples: tuple[str, ...] | None
    values: Sequence[Any] | None = None


def is_frame(value: object) -> bool:
    """Whether a value may name its own rows or columns."""
    return _is_frame_type(type(value))


def _is_frame_type(kind: type) -> bool:
    return kind.__module__.partition(".")[0] not in _WITHOUT_NAMES and any(
        hasattr(kind, name) for name in _NAMED
    )


def refuse_frame(value: object, instead: str) -> None:
    """Refuse a data frame where an array belongs, whose names would be lost."""
    if is_frame(value):
        raise InputError(f"a {type(value).__name__} with names stands where an array belongs", instead)


def refuse_framed(rows: Sequence[Any]) -> None:
    """Refuse frames and series of numbers where collections of labels belong."""
    framed = {kind for kind in {*map(type, rows)} if _is_frame_type(kind)}
    for row in (row for row in rows if type(row) in framed):
        series = _narwhals_frame(row, series=True)
        if hasattr(series, "iter_columns"):
            raise InputError(
                f"a {type(row).__name__} stands where the labels of one sample belong",
                "Give the data frame itself; compare several runs by ontoeval.compare(truth, {name: frame}).",
            )
        if _kind(series) == "number":
            raise InputError(
                f"a {type(row).__name__} of numbers stands where the labels of a sample belong",
                "Give the data frame itself, which is read by its names.",
            )


def read_frame(
    frame: AnyFrame,
    *,
    sample: str | None = None,
    concept: str | None = None,
    value: str | None = None,
    vocabulary: Collection[str] | None = None,
    classes: Collection[str] | None = None,
) -> NumberColumns | LabelColumn:
    """Read a data frame, or a series of labels or lists, by its names.

    Where each concept has a column, a vocabulary chooses columns. Whole numbers may stand for `classes`.
    """
    table = _narwhals_frame(frame, series=concept is None and sample is None)
    if not hasattr(table, "iter_columns"):
        return _of_series(table, numbered=classes is not None)
    return _Frame.from_frame(table, classes).read(sample, concept, value, vocabulary)


@dataclass(frozen=True, eq=False)
class _Frame:
    """Columns by their titles, and the index where it names the rows."""

    columns: Mapping[str, Series[Any]]
    count: int
    index: Index
    numbered: bool
    classes: Collection[str] | None

    @classmethod
    def from_frame(cls, table: DataFrame[Any], classes: Collection[str] | None) -> _Frame:
        if any(isinstance(title, tuple) for title in table.columns):
            raise InputError(
                f"the frame has titles of several levels: {enumerate_some(table.columns)}",
                "Give each column one title: frame.columns = [...].",
            )
        titles = list(map(str, table.columns))
        if twice := _repeated_names(titles):
            raise InputError(
                f"{pluralise(len(twice), 'title')} of more than one column: {enumerate_some(twice)}",
                "Give each column its own title.",
            )
        columns = dict(zip(titles, table.iter_columns(), strict=True))
        numbered = _counts_rows(getattr(table.to_native(), "columns", None))
        return cls(columns, len(table), _index_of(table), numbered, classes)

    @cached_property
    def kinds(self) -> Mapping[str, FrameColumnKind]:
        """What each column holds."""
        return {title: _kind(column) for title, column in self.columns.items()}

    def column(self, title: str) -> Series[Any]:
        """Column by its title; a missing one is refused."""
        if title not in self.columns:
            raise InputError(
                f"the frame has no column {title!r}", f"Its columns are {enumerate_some(self.columns)}."
            )
        return self.columns[title]

    def ids(self, sample: str | None) -> tuple[str, ...] | None:
        """Names of the rows from a column or the index."""
        if sample is None:
            return _ids_of_index(self.index)
        column = self.column(sample)
        return _names(column.to_list(), column.is_null().to_list(), f"the column {sample!r}")

    def sample_column(self, concepts: Collection[str] | None = None) -> str | None:
        """Title of the column of the samples, where title and content leave no doubt."""
        titled = [
            title
            for title in self.columns
            if normalise_title(title) in SAMPLE and title not in (concepts or ())
        ]
        sure = [title for title in titled if _may_name(self.columns[title], self.kinds[title])]
        sure = [sure[place] for place in sample_positions([*map(normalise_title, sure)])]
        if len(sure) > 1:
            raise self.ambiguity_error(f"each of the columns {enumerate_some(sure)} may hold the samples")
        if sure and self.index is not None and not _is_plain_count(self.index):
            raise self.ambiguity_error(f"both the index and the column {sure[0]!r} may hold the samples")
        if titled and not sure and self.index is None and 0 < self.count <= len(_VALUES):
            raise self.ambiguity_error(f"the column {titled[0]!r} may hold samples, or 0 and 1 of a concept")
        return sure[0] if sure else None

    def read(
        self, sample: str | None, concept: str | None, value: str | None, vocabulary: Collection[str] | None
    ) -> NumberColumns | LabelColumn:
        """Read the columns as the call names them, or as far as titles and contents leave no doubt."""
        for named in (sample, concept, value):
            if named is not None:
                self.column(named)
        if concept is not None:
            if value is None:
                self.refuse_absent({sample, concept})
                refuse_flags(self.columns.keys() - {sample, concept} if self.kinds[concept] == "text" else ())
            values = None if value is None else _cells(self.column(value))
            return LabelColumn(_cells(self.column(concept)), self.ids(sample), values)
        guessed = sample is None
        chosen = vocabulary is not None and self.columns.keys() >= set(vocabulary)
        sample = self.sample_column(vocabulary if chosen else None) if guessed else sample
        if chosen:
            return self.wide(sample, vocabulary)
        kinds = {title: self.kinds[title] for title in self.columns if title != sample}
        own = next((title for title in kinds if normalise_title(title) in OWN_SAMPLE_WEIGHT), None)
        if own is not None:
            indexed = "" if sample is None else f".set_index({sample!r})"
            raise InputError(
                f"the column {own!r} holds the weights of samples, not labels",
                f"Pass it by itself: sample_weight=frame{indexed}[{own!r}], and as labels "
                f"frame.drop(columns={own!r}).",
            )
        concept, value = self.roles(
            kinds, named=sample is not None or self.index is not None, guessed=guessed
        )
        if concept is None:
            return self.wide(sample, vocabulary)
        return self.read(sample, concept, value, None)

    def roles(
        self, kinds: Mapping[str, FrameColumnKind], *, named: bool, guessed: bool
    ) -> tuple[str | None, str | None]:
        """Titles of the columns of labels and of their values; None where each column is a concept."""
        if named and (found := self._titled(kinds)) is not None:
            return found
        lists = [title for title, kind in kinds.items() if kind == "list"]
        if lists:
            values = [
                title for title in lists if _holds_numbers(self.columns[title]) and not self._numbered(title)
            ]
            names = [title for title in lists if title not in values]
            if len(names) == 1 and len(values) <= 1 and len(lists) == len(kinds):
                return names[0], next(iter(values), None)
            numbers = "the lists hold numbers, which may be 0 and 1 or the names of concepts"
            raise self.ambiguity_error("there are lists beside other columns" if names else numbers)
        if kinds and all(kind in {"number", "empty"} for kind in kinds.values()):
            first, *others = kinds
            if not others and normalise_title(first) in CONCEPT and named and guessed and self.index is None:
                raise self.ambiguity_error(f"the column {first!r} may hold concepts, or the values of one")
            return None, None
        texts = [title for title, kind in kinds.items() if kind == "text"]
        if alike := numbered_alike(texts):
            raise InputError(
                f"the columns {enumerate_some(alike)} differ by a number only, so that each may hold labels",
                "Write one label in each row: frame.melt(sample, columns) of pandas, which "
                "LabelSets.from_frame(frame, sample=..., concept='value') reads; where they are levels "
                "of a path, call LabelSets.from_paths(frame).",
            )
        if annotators := [title for title in kinds if normalise_title(title) in ANNOTATOR]:
            raise InputError(
                f"the column {annotators[0]!r} names annotators, of whom each has labels of a sample",
                "Measure their agreement: agreement(Annotations.from_frame(frame)); or choose one.",
            )
        roles = CONCEPT | CONCEPTS | SCORE
        if named and len(kinds) > 1 and not any(normalise_title(title) in roles for title in kinds):
            return None, None
        raise self.ambiguity_error("it is not plain which columns hold samples and labels")

    def _titled(self, kinds: Mapping[str, FrameColumnKind]) -> tuple[str, str | None] | None:
        """Titles of the columns of labels and of their values, as a file with these titles is read."""
        titles = [*kinds]
        found = label_columns(["id", *map(normalise_title, titles)])
        if found is None or found.sample:
            return None
        concept = titles[found.concept - 1]
        if kinds[concept] == "number" and not self._numbered(concept):
            column = self.columns[concept].drop_nulls()
            if column.is_in(_VALUES).all() or not (column == column.round()).all():
                return None
        return concept, None if found.score is None else titles[found.score - 1]

    def _numbered(self, title: str) -> bool:
        """Whether the numbers of a column stand for classes: by its title, which is no class itself."""
        return (
            self.classes is not None
            and title not in self.classes
            and normalise_title(title) in CONCEPT | CONCEPTS
        )

    def refuse_absent(self, read: Collection[str | None]) -> None:
        """Refuse an unread column of values with a 0: its rows would become present labels."""
        for title, column in self.columns.items():
            if title in read or normalise_title(title) not in SCORE or self.kinds[title] != "number":
                continue
            if absent := int((_numbers(column, title) == 0).sum()):
                raise InputError(
                    f"the column {title!r} holds 0 in {pluralise(absent, 'row')}, whose labels are absent",
                    f"Name the column in LabelSets.from_frame(..., value={title!r}), or leave the rows out: "
                    f"frame[frame[{title!r}] > 0].",
                )

    def wide(self, sample: str | None, concepts: Collection[str] | None) -> NumberColumns:
        """Read a column of numbers for each concept."""
        chosen = [title for title in self.columns if title != sample] if concepts is None else list(concepts)
        arrays = [_numbers(self.column(title), title) for title in chosen]
        numbers = np.column_stack(arrays) if arrays else np.zeros((self.count, 0), dtype=bool)
        named = concepts is not None or sample is not None or not self.numbered
        return NumberColumns(numbers, tuple(chosen) if named else None, self.ids(sample))

    def ambiguity_error(self, problem: str) -> InputError:
        """Error for an ambiguous frame, with the calls that read the frame."""
        kinds = self.kinds
        if not kinds:
            return InputError("a data frame without columns", "Give columns of labels or concepts.")
        shown = ", ".join(f"{title!r} ({kind})" for title, kind in list(kinds.items())[:MOST_SHOWN])
        more = f" and {len(kinds) - MOST_SHOWN:,} more" if len(kinds) > MOST_SHOWN else ""
        titled = [title for title in kinds if normalise_title(title) in CONCEPT | CONCEPTS]
        samples = [title for title in kinds if normalise_title(title) in SAMPLE]
        texts = [title for title in kinds if kinds[title] == "text" and title not in titled]
        sample = next(iter([*samples, *texts] if self.index is None else samples), None)
        first = "" if sample is None else f", sample={sample!r}"
        others = sorted((title for title in kinds if title != sample), key=lambda title: title not in titled)
        cells = [title for title in others if kinds[title] != "number"]
        labels = next(iter(cells), next(iter(others), None))
        values = [title for title in others if title != labels and normalise_title(title) in SCORE]
        calls = []
        if labels is not None and labels in (*titled, *cells):
            value = f", value={values[0]!r}" if values and kinds[values[0]] == "number" else ""
            call = f"LabelSets.from_frame(frame{first}, concept={labels!r}{value})"
            calls.append(f"for a label or a list of labels in each row {call}")
        call = f"LabelSets.from_frame(frame{first}, vocabulary=[columns])"
        calls.append(f"for a column of 0 and 1 per concept {call}, for scores LabelScores.from_frame")
        return InputError(
            f"{problem}; the data frame has the columns {shown}{more}", f"Choose: {'; '.join(calls)}."
        )


def levels_in(
    frame: AnyFrame, sample: str | None, levels: Sequence[str] | None
) -> tuple[tuple[str, ...] | None, list[list[Any]]]:
    """Names of the rows of a data frame, and in each row the cells of some columns, or of all others."""
    found = _Frame.from_frame(_narwhals_frame(frame), None)
    sample = found.sample_column() if sample is None else sample
    titles = [title for title in found.columns if title != sample] if levels is None else levels
    cells = zip(*(_cells(found.column(title)) for title in titles), strict=True)
    return found.ids(sample), [*map(list, cells)]


def columns_of(frame: AnyFrame) -> dict[str, list[Any]]:
    """Cells of all columns of a data frame by their titles; those of an index that names the rows by ""."""
    found = _Frame.from_frame(_narwhals_frame(frame), None)
    ids: dict[str, list[Any]] = {} if found.index is None else {"": [*(found.ids(None) or ())]}
    return ids | {title: _cells(column) for title, column in found.columns.items()}


def without_columns(
    frame: AnyFrame, titles: Sequence[str], classes: Collection[str] | None
) -> tuple[Any, dict[str, list[tuple[str, Any]]]]:
    """Read labels or numbers beside some columns, and the cells of these with the sample of each."""
    whole = _Frame.from_frame(_narwhals_frame(frame), classes)
    others = {title: column for title, column in whole.columns.items() if title not in titles}
    found = replace(whole, columns=others).read(None, None, None, None)
    ids = map(str, range(whole.count)) if found.samples is None else found.samples
    names = tuple(ids)
    return found, {title: [*zip(names, _cells(whole.column(title)), strict=True)] for title in titles}


def csv_of(frame: AnyFrame) -> str:
    """Write a data frame as CSV, without its index; columns without names are refused."""
    table = _narwhals_frame(frame)
    if not all(isinstance(title, str) for title in table.columns):
        raise InputError(
            f"a data frame whose columns are called {enumerate_some(table.columns)} stands where a hierarchy "
            "belongs",
            'Name them: frame.columns = ["parent", "child"].',
        )
    return cast("str", table.write_csv())


def _narwhals_frame(frame: AnyFrame, *, series: bool = False) -> _Native:
    """Frame of narwhals; with `series` also a series."""
    if hasattr(frame, "__arrow_c_array__") and not hasattr(frame, "__arrow_c_stream__"):
        frame = import_module("pyarrow").chunked_array([frame])
    options = {"eager_only": True, **({"allow_series": True} if series else {})}
    wrapped = partial(import_module("narwhals").from_native, **options)
    try:
        return wrapped(frame)
    except (TypeError, ValueError) as error:  # the latter where two columns have one name
        streams = hasattr(frame, "__arrow_c_stream__") and type(frame).__name__ != "Table"
        for kind in ("table", "chunked_array") if streams else ():
            with suppress(ImportError, NotImplementedError, TypeError, ValueError):
                return wrapped(getattr(import_module("pyarrow"), kind)(frame))
        raise InputError(
            f"this {type(frame).__name__} is not taken as a data frame",
            "Give one of pandas, polars or pyarrow whose columns have different names: of a LazyFrame "
            "frame.collect(), of Dask frame.compute(), of an array of xarray array.to_pandas(), of lists and "
            "dictionaries pandas.DataFrame(data).",
        ) from error


def _of_series(series: Series[Any], *, numbered: bool) -> LabelColumn:
    """Read a series that has a label or a list of labels for each sample."""
    kind = _kind(series)
    if not numbered and (kind not in {"text", "list", "empty"} or _holds_numbers(series)):
        held = {"list": "lists of numbers", "number": "numbers"}.get(kind, "other values")
        raise InputError(
            f"a series of {held} stands where labels belong",
            "Give a text or a list of texts for each sample. Where whole numbers stand for classes, name "
            "these: classes=[...].",
        )
    return LabelColumn(_cells(series), _ids_of_index(_index_of(series)))


def _repeated_names(names: Sequence[str]) -> list[str]:
    """Names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def _index_of(table: DataFrame[Any] | Series[Any]) -> Index:
    """Index of a frame of pandas; None where the index only counts the rows."""
    index = import_module("narwhals").maybe_get_index(table)
    return None if _counts_rows(index) else index


def _counts_rows(index: Index) -> bool:
    """Whether an index is the default index of pandas."""
    return (
        type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1 and index.name is None
    )


def _is_plain_count(index: Index) -> bool:
    """Whether an index holds whole numbers without a title, as after selecting rows."""
    return index.name is None and index.nlevels == 1 and index.dtype.kind in "iu"


def _ids_of_index(index: Index) -> tuple[str, ...] | None:
    if index is None:
        return None
    if index.nlevels > 1:
        raise InputError(
            f"an index of several levels: {enumerate_some(index.names)}",
            "Name the columns that hold samples and labels: LabelSets.from_frame(frame.reset_index(), "
            "sample=..., concept=...); of a series series.reset_index().",
        )
    return _names(list(index), index.isna().tolist(), "the index")


def _names(values: Sequence[Any], missing: Sequence[bool], where: str) -> tuple[str, ...]:
    if any(missing):
        rows = [row for row, null in enumerate(missing) if null]
        raise InputError(
            f"{pluralise(len(rows), 'row')} without a sample in {where}: {enumerate_some(rows)}",
            "Name every sample.",
        )
    return tuple(map(str, values))


def _cells(column: Series[Any]) -> list[Any]:
    """Cells of a column, None for nulls of every kind."""
    arrow = column.implementation.is_pandas() and _lists_texts(column)  # lists of arrays otherwise
    cells: list[Any] = column.to_arrow().to_pylist() if arrow else column.to_list()
    nulls = column.is_null().to_list()
    if any(map(_is_frame_type, {*map(type, cells)})):  # a series or an index in each cell
        cells = [list(cell) if _is_frame_type(type(cell)) else cell for cell in cells]
    return [None if null else cell for cell, null in zip(cells, nulls, strict=True)]


def _lists_texts(column: Series[Any]) -> bool:
    """Whether the type of a column is that of lists of texts."""
    narwhals, dtype = import_module("narwhals"), column.dtype
    return isinstance(dtype, narwhals.List) and bool(dtype.inner == narwhals.String)


def _kind(column: Series[Any]) -> FrameColumnKind:
    """Kind of a column by its type or, where the type is general, by its cells."""
    narwhals, dtype = import_module("narwhals"), column.dtype
    if dtype.is_numeric() or dtype == narwhals.Boolean:
        return "number"
    if isinstance(dtype, narwhals.List | narwhals.Array):
        return "list"
    if dtype in {narwhals.String, narwhals.Categorical, narwhals.Enum}:
        return "text"
    cells = [cell for cell in _cells(column) if cell is not None]
    if not cells:
        return "empty"
    kinds: tuple[tuple[FrameColumnKind, Any], ...] = (
        ("list", LISTS),
        ("number", (Real, np.generic)),
        ("text", str),
    )
    return next((kind for kind, types in kinds if all(isinstance(cell, types) for cell in cells)), "other")


def _holds_numbers(column: Series[Any]) -> bool:
    """Whether the lists of a column hold numbers."""
    if _lists_texts(column):
        return False
    first = next((label for cell in _cells(column) if cell is not None for label in cell), "")
    return isinstance(first, Real | np.bool_)


def _may_name(column: Series[Any], kind: FrameColumnKind) -> bool:
    """Whether a column can hold samples: texts, or whole numbers that are not all 0 and 1."""
    if kind != "number":
        return kind in {"text", "empty"}
    return bool(column.dtype.is_integer()) and not column.is_in(_VALUES).all()


def _numbers(column: Series[Any], title: str) -> NDArray[Any]:
    """Numbers of a column, nan for nulls."""
    if _kind(column) not in {"number", "empty"}:
        cells = [None if cell is None else _MARKS.get(str(cell).lower(), cell) for cell in _cells(column)]
        held = next((cell for cell in cells if isinstance(cell, str)), None)
        if held is not None or not all(cell is None or isinstance(cell, float) for cell in cells):
            odd = cells[0] if held is None else held
            raise InputError(
                f"the column {title!r} holds {odd!r}, which is no finite number",
                "Give 0 and 1, or scores, and take out columns that are no concepts, or name those that are: "
                "vocabulary=[columns]; the column of the samples is named by sample=, of labels by concept=.",
            )
        return floats(cells)
    if "128" not in str(column.dtype) and (found := column.to_numpy()).dtype.kind in "biuf":
        return np.asarray(found)
    return floats(_cells(column))


def floats(values: Sequence[Any]) -> NDArray[np.float64]:
    """Numbers as floats, nan for None."""
    try:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError(f"a score that is no number ({error})", "Give numbers.") from error


def by_annotator(
    frame: AnyFrame,
    *,
    annotator: str | None,
    sample: str | None,
    concept: str | None,
    classes: Collection[str] | None,
) -> dict[str, NumberColumns | LabelColumn]:
    """Read a frame for each annotator, who is named in a column."""
    whole = _Frame.from_frame(_narwhals_frame(frame), classes)
    titled = [title for title in whole.columns if normalise_title(title) in ANNOTATOR]
    if annotator is None and len(titled) != 1:
        raise InputError(
            f"{pluralise(len(titled), 'column')} of annotators among {enumerate_some(whole.columns)}",
            "Name the column: Annotations.from_frame(frame, annotator=..., sample=..., concept=...). "
            "Of columns for each annotator make rows: frame.reset_index().melt('id', var_name='annotator', "
            "value_name='labels'), and give separator=';' where a cell has several labels.",
        )
    who = titled[0] if annotator is None else annotator
    names = np.array(whole.ids(who), dtype=object)
    rest = replace(whole, columns={title: whole.columns[title] for title in whole.columns if title != who})
    if sample is None:
        sample = rest.sample_column()
        if sample is None and (rest.index is None or _is_plain_count(rest.index)):
            raise rest.ambiguity_error("no column names the samples")
    value = None
    if concept is None:
        kinds = {title: kind for title, kind in rest.kinds.items() if title != sample}
        concept, value = rest.roles(kinds, named=True, guessed=True)
    found = rest.wide(sample, None) if concept is None else rest.read(sample, concept, value, None)
    return {name: _at_rows(found, np.flatnonzero(names == name)) for name in dict.fromkeys(names.tolist())}


def _at_rows(found: NumberColumns | LabelColumn, rows: NDArray[np.intp]) -> NumberColumns | LabelColumn:
    """Choose rows of what was read of a frame."""
    at = rows.tolist()
    samples = None if found.samples is None else tuple(found.samples[row] for row in at)
    if isinstance(found, NumberColumns):
        return found._replace(numbers=found.numbers[rows], samples=samples)
    values = None if found.values is None else [found.values[row] for row in at]
    return LabelColumn([found.cells[row] for row in at], samples, values)


def by_names(
    kind: str, given: _T, *, of: str = "concept", unnamed: bool = False, texts: bool = False
) -> _T | dict[str, Any]:
    """Convert to a mapping a series, or a frame with a column of names and one of numbers, or of `texts`.

    With `unnamed` a single column without names comes out as an array.
    """
    if isinstance(given, Mapping) or not is_frame(given):
        return given
    values: AnyFrame = given
    table = _narwhals_frame(values, series=True)
    columns = list(table.iter_columns()) if hasattr(table, "iter_columns") else [table]
    names = _ids_of_index(_index_of(table))
    called = [column for column in columns if _kind(column) == "text" and not texts]
    if not called and of == "sample":
        called = [column for column in columns if normalise_title(str(column.name)) in SAMPLE]
        called = [column for column in called if _may_name(column, _kind(column))]
    if len(called) == 1 and len(columns) > 1 and (names is None or _is_plain_count(_index_of(table))):
        names = _names(called[0].to_list(), called[0].is_null().to_list(), f"the {kind}")
        columns = [column for column in columns if column is not called[0]]
    if len(columns) != 1 or (_kind(columns[0]) != "number" and not texts):
        names, unnamed = None, False
    numbers = _cells(columns[0])
    if names is None and unnamed:
        # As for samples in order.
        return cast("_T", np.array(numbers, dtype=object) if texts else floats(numbers))
    if names is None:
        values_are = f"{kind}s" if texts else "numbers"
        raise InputError(
            f"it is not plain which {kind} belongs to which {of} in this {type(values).__name__}",
            f"Give a mapping from {of}s to {values_are}, a series with the {of}s as its index, or a frame of "
            f"two columns: the {of}s, and their {values_are}.",
        )
    if twice := _repeated_names(names):
        raise InputError(f"more than one {kind} for {enumerate_some(twice)}", "Keep one.")
    return dict(zip(names, numbers, strict=True))


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str) -> AnyFrame:
    """Build a data frame of the named library."""
    one_of("backend", backend, ("pandas", "polars", "pyarrow"))
    narwhals = import_module("narwhals")
    try:
        import_module(backend)
    except ImportError as error:
        raise InputError(
            f"no data frame of {backend}, which is not installed",
            f"Install it with: python -m pip install {backend}",
        ) from error
    return narwhals.from_dict(dict(columns), backend=backend).to_native()
