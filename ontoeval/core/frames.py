"""Data frames of pandas, polars and pyarrow, read by the names of rows and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from itertools import chain
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.core.rows import BY_NAME, LISTS, LabelSyntax, Listed, SideRows, Wide, floats, form_of_cells
from ontoeval.errors import MOST_SHOWN, InputError, enumerate_some, one_of, pluralise
from ontoeval.plumbing.column_contents import columns_by_content, rows_to_see, sample_beside_numbers
from ontoeval.plumbing.column_titles import (
    ANNOTATOR,
    CONCEPT,
    CONCEPTS,
    OWN_SAMPLE_WEIGHT,
    PARQUET_INDEX,
    SAMPLE,
    SCORE,
    index_width,
    is_ignorable,
    is_plural,
    label_columns,
    normalise_title,
    numbered_alike,
    refuse_flags,
    sample_titles,
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

_NAMELESS = frozenset({"builtins", "numpy", "scipy", "collections", "itertools", "ontoeval"})
"""Libraries whose arrays and collections name neither rows nor columns."""
_NAMED = ("columns", "column_names", "coords", "to_frame", "to_pylist", "__dataframe__", "__arrow_c_stream__")
_VALUES = (0, 1)
_FIRST = 1_000  # rows whose cells show which columns hold samples and labels
_MARKS = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "false": 0.0, "true": 1.0}

FrameColumnKind = Literal["number", "list", "text", "empty", "other"]
"""Kind of the content of a column."""


class LabelColumn(NamedTuple):
    """A column of labels, or of lists of labels, with the names of its rows and a column of values."""

    cells: Sequence[Any]
    samples: tuple[str, ...] | None
    values: Sequence[Any] | None = None
    plural: bool = False
    """Whether the title is that of a column with all labels of a sample."""
    found: str = ""
    """Which columns were found by what they hold."""

    def at(self, rows: NDArray[np.intp]) -> LabelColumn:
        """Choose some rows."""
        samples = None if self.samples is None else tuple(self.samples[row] for row in rows)
        values = None if self.values is None else [self.values[row] for row in rows]
        return LabelColumn([self.cells[row] for row in rows], samples, values, self.plural, self.found)

    def form(self, reading: LabelSyntax) -> SideRows:
        """Labels one after the other, or vectors of 0 and 1."""
        found = form_of_cells(self.cells, self.samples, reading, values=self.values, of_frame=True)
        if not isinstance(found, Listed):
            return found
        return replace(found, plural=self.plural, found=self.found)


def is_frame(value: object) -> bool:
    """Whether a value may name its own rows or columns."""
    return _is_frame_type(type(value))


def _is_frame_type(kind: type) -> bool:
    named = any(hasattr(kind, name) for name in _NAMED)
    return named and kind.__module__.partition(".")[0] not in _NAMELESS


def read_frame(
    frame: AnyFrame,
    reading: LabelSyntax = BY_NAME,
    *,
    sample: str | None = None,
    concept: str | None = None,
    value: str | None = None,
    vocabulary: Collection[str] | None = None,
) -> SideRows:
    """Read a data frame, or a series of labels or lists, by its names.

    Where each concept has a column, a vocabulary chooses columns. Whole numbers may stand for classes.
    """
    table = _narwhals_frame(frame, series=concept is None and sample is None)
    if not hasattr(table, "iter_columns"):
        return _of_series(table, numbered=reading.classes is not None).form(reading)
    whole = replace(_Frame.from_frame(table, reading.classes), known=reading.known)
    return whole.read(sample, concept, value, vocabulary).form(reading)


@dataclass(frozen=True, eq=False)
class _Frame:
    """Columns by their titles, and the index where it names the rows."""

    columns: Mapping[str, Series[Any]]
    count: int
    index: Index
    numbered: bool
    classes: Collection[str] | None
    known: Known | None = None

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
        first = {PARQUET_INDEX: columns[PARQUET_INDEX]} if PARQUET_INDEX in columns else {}
        numbered = _counts_rows(getattr(table.to_native(), "columns", None))
        return cls(first | columns, len(table), _index_of(table), numbered, classes)

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

    def sample_column(self, concepts: Collection[str] = ()) -> str | None:
        """Title of the column of the samples, where title and content leave no doubt."""
        titled = [one for one in self.columns if normalise_title(one) in SAMPLE and one not in concepts]
        sure = [title for title in titled if _may_name(self.columns[title], self.kinds[title])]
        sure = sample_titles(sure)
        if len(sure) > 1:
            raise self.ambiguity_error(f"each of the columns {enumerate_some(sure)} may hold the samples")
        if sure and self.index is not None and [*self.index.names] != [None]:
            raise self.ambiguity_error(f"both the index and the column {sure[0]!r} may hold the samples")
        if titled and not sure and self.index is None and 0 < self.count <= len(_VALUES):
            raise self.ambiguity_error(f"the column {titled[0]!r} may hold samples, or 0 and 1 of a concept")
        if sure or not (self.index is None or _is_plain_count(self.index)):
            return next(iter(sure), None)
        titles = [*self.columns][len(self.index_titles) :]
        cells = [_cells(self.columns[one].head(rows_to_see(len(titles)))) for one in titles]
        found = sample_beside_numbers(titles, cells, self.known)
        return found or (next(iter(self.index_titles), None) if self.index is None else None)

    @property
    def index_titles(self) -> list[str]:
        """Titles of the columns that were the index of a data frame."""
        return [*self.columns][: index_width(self.columns)]

    def others(self, sample: str | None) -> list[str]:
        """Titles of the columns but that of the samples and, beside it, those of an index."""
        left = {sample} if sample in {None, *self.index_titles} else {sample, *self.index_titles}
        return [title for title in self.columns if title not in left]

    def read(
        self, sample: str | None, concept: str | None, value: str | None, vocabulary: Collection[str] | None
    ) -> Wide | LabelColumn:
        """Read the columns as the call names them, or as far as titles and contents leave no doubt."""
        for named in (sample, concept, value):
            if named is not None:
                self.column(named)
        if concept is not None:
            if value is None:
                self.refuse_absent({sample, concept})
                refuse_flags(self.columns.keys() - {sample, concept} if self.kinds[concept] == "text" else ())
            values = None if value is None else _cells(self.column(value))
            plural = is_plural(concept)
            return LabelColumn(_cells(self.column(concept)), self.ids(sample), values, plural)
        guessed = sample is None
        if guessed and vocabulary is None and (found := self.roles_as_in_files()) is not None:
            sample, concept, value, plural, told = found
            self.refuse_unread(sample, concept, value)
            labels = cast("LabelColumn", self.read(sample, concept, value, None))
            return labels._replace(plural=plural, found=told)
        wanted = set[str]() if vocabulary is None else {*vocabulary}
        chosen = vocabulary is not None and self.columns.keys() >= wanted
        sample = self.sample_column(wanted if chosen else ()) if guessed else sample
        if chosen:
            return self.wide(sample, vocabulary)
        kinds = {title: self.kinds[title] for title in self.others(sample)}
        own = next((title for title in kinds if normalise_title(title) in OWN_SAMPLE_WEIGHT), None)
        if own is not None:
            indexed = "" if sample is None else f".set_index({sample!r})"
            raise InputError(
                f"the column {own!r} holds the weights of samples, not labels",
                f"Pass it by itself: sample_weight=frame{indexed}[{own!r}], and as labels "
                f"frame.drop(columns={own!r}).",
            )
        given = sample not in {None, *self.index_titles} or self.index is not None
        concept, value = self.roles(kinds, named=given, guessed=guessed)
        if concept is None:
            return self.wide(sample, vocabulary)
        self.refuse_unread(sample, concept, value)
        return self.read(sample, concept, value, None)

    def roles_as_in_files(self, *annotator: str) -> tuple[str | None, str, str | None, bool, str] | None:
        """Titles of samples (None: the index), labels and values; if cells hold several; and what is told."""
        own = [] if self.index is None else [*map(self.index.get_level_values, range(self.index.nlevels))]
        titles = [*("" if one.name is None else str(one.name) for one in own), *self.columns]
        by_title = found = None if annotator else label_columns([*map(normalise_title, titles)])
        if found is None:
            cells = [one[:_FIRST].tolist() for one in own]
            cells += [_cells(column.head(_FIRST)) for column in self.columns.values()]
            apart = [titles.index(title) for title in annotator] or None
            found = columns_by_content(titles, cells, self.known, annotators=apart)
        if found is None or self.kinds.get(titles[found.concept]) not in {"text", "list"}:
            return None
        sample, concept = None if found.sample < len(own) else titles[found.sample], titles[found.concept]
        value = None if found.score is None else titles[found.score]
        named = sample is None or _may_name(self.columns[sample], self.kinds[sample])
        where = "the index" if sample is None else f"the column {sample!r}"
        told = "" if by_title else f"samples are in {where}, labels in {concept!r}"
        return (sample, concept, value, found.plural, told) if named else None

    def refuse_unread(self, sample: str | None, concept: str, value: str | None) -> None:
        """Refuse unread numbers beside samples that repeat: they may say which labels are present."""
        numbers = [title for title in self.others(sample) if self.kinds[title] == "number"]
        unread = [
            title
            for title in numbers
            if title not in {sample, concept, value} and not is_ignorable(normalise_title(title))
        ]
        ids = self.ids(sample) if unread and value is None else None
        if ids is not None and len({*ids}) < len(ids):
            raise self.ambiguity_error(f"samples repeat, beside the numbers of {unread[0]!r}")

    def roles(
        self, kinds: Mapping[str, FrameColumnKind], *, named: bool, guessed: bool
    ) -> tuple[str | None, str | None]:
        """Titles of the columns of labels and of their values; None where each column is a concept."""
        if named and (found := self._titled(kinds)) is not None:
            return found
        lists = [title for title, kind in kinds.items() if kind == "list"]
        if lists:
            values = [one for one in lists if _holds_numbers(self.columns[one]) and not self._numbered(one)]
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
        titles = ["id", *kinds]
        found = label_columns([*map(normalise_title, titles)])
        if found is None or found.sample:
            return None
        concept = titles[found.concept]
        if kinds[concept] == "number" and not self._numbered(concept):
            column = self.columns[concept].drop_nulls()
            if column.is_in(_VALUES).all() or not (column == column.round()).all():
                return None
        return concept, None if found.score is None else titles[found.score]

    def _numbered(self, title: str) -> bool:
        """Whether the numbers of a column stand for classes: by its title, which is no class itself."""
        usual = normalise_title(title) in CONCEPT | CONCEPTS
        return usual and self.classes is not None and title not in self.classes

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

    def wide(self, sample: str | None, concepts: Collection[str] | None) -> Wide:
        """Read a column of numbers for each concept."""
        chosen = self.others(sample) if concepts is None else list(concepts)
        arrays = [_numbers(self.column(title), title) for title in chosen]
        numbers = np.column_stack(arrays) if arrays else np.zeros((self.count, 0), dtype=bool)
        if numbers.dtype == np.float16:  # which scipy does not take
            numbers = numbers.astype(np.float32)
        nulls = int(np.isnan(numbers).sum()) if numbers.dtype.kind == "f" else 0
        named = concepts is not None or sample is not None or not self.numbered
        names = tuple(chosen) if named else None
        usual = sample is None or normalise_title(sample) in SAMPLE
        found = "" if usual else f"samples are in the column {sample!r}"
        return Wide(numbers, names, self.ids(sample), of_frame=True, nulls=nulls, found=found)

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
            named = f"{first}, concept={labels!r}{value}"
            how = f"add {named[2:]} to the call, or take LabelSets.from_frame(frame{named})"
            calls.append(f"for a label or a list of labels in each row {how}")
        call = f"from_frame(frame{first}, vocabulary=[columns])"
        calls.append(f"for a column of 0 and 1 per concept LabelSets.{call}, for scores LabelScores.{call}")
        problem += f"; the data frame has the columns {shown}{more}"
        return InputError(problem, f"Choose: {'; '.join(calls)}.")


def with_titles(sides: Mapping[str, Any], columns: Mapping[str, str]) -> Mapping[str, Any]:
    """Give columns the titles of what they hold, in each data frame and file that has them."""
    flat = [*chain(*(side.values() if isinstance(side, Mapping) else [side] for side in sides.values()))]
    titles = [*dict.fromkeys(chain(*map(_titles_of, flat)))]
    for title in columns:
        if title not in titles:
            known = f"Columns are {enumerate_some(titles)}." if titles else "Give data frames or files."
            raise InputError(f"no data frame and no file has the column {title!r}", known)

    def retitled(side: Any) -> Any:  # noqa: ANN401 - a data frame of any library, or a file
        if isinstance(side, dict):  # which the opener has made, with notes
            side.update((name, retitled(one)) for name, one in [*side.items()])
            return side
        own = {old: new for old, new in columns.items() if old in _titles_of(side)}
        if not own or isinstance(side, PathLike):
            return replace(side, named={new: old for old, new in own.items()}) if own else side
        if not hasattr(side, "columns"):
            role = own.get(getattr(side, "name", ""))
            return _narwhals_frame(side, series=True).alias(role).to_native() if role else side
        side = side.reset_index() if getattr(_index_of(_narwhals_frame(side)), "name", None) in own else side
        table = _narwhals_frame(side)
        others = [new for old, new in own.items() if new != old and new in table.columns]
        if others and (CONCEPT | CONCEPTS).isdisjoint({*map(normalise_title, table.columns), *own.values()}):
            raise InputError(
                f"a data frame has the columns {roles[others[0]]!r} and {others[0]!r}, of which one names "
                "samples, and the other would be a concept",
                f"Take it out: frame.drop(columns={others[0]!r}).",
            )
        return table.drop(others).rename(own).to_native()

    roles = {role: title for title, role in columns.items()}
    return {name: retitled(side) for name, side in sides.items()}


def _titles_of(side: Any) -> list[str]:  # noqa: ANN401 - whatever was handed over
    """Titles of the columns of a table, and of the index of a data frame or a series."""
    if not is_frame(side):
        return [*getattr(side, "titles", ())]
    table = _narwhals_frame(side, series=True)
    own = table.columns if hasattr(table, "columns") else [table.name]
    return [str(one) for one in (*own, getattr(_index_of(table), "name", None)) if one is not None]


SIDES = frozenset({"truth", "prediction", "runs", "scores", "annotations", "labels"})


def levels_in(
    frame: AnyFrame, sample: str | None, levels: Sequence[str] | None
) -> tuple[tuple[str, ...] | None, list[list[Any]]]:
    """Names of the rows of a data frame, and in each row the cells of some columns, or of all others."""
    found = _Frame.from_frame(_narwhals_frame(frame), None)
    sample = found.sample_column() if sample is None else sample
    titles = found.others(sample) if levels is None else levels
    cells = zip(*(_cells(found.column(title)) for title in titles), strict=True)
    return found.ids(sample), [*map(list, cells)]


def columns_of(frame: AnyFrame) -> dict[str, list[Any]]:
    """Cells of all columns of a data frame by their titles; those of an index that names the rows by ""."""
    found = _Frame.from_frame(_narwhals_frame(frame), None)
    ids: dict[str, list[Any]] = {} if found.index is None else {"": [*(found.ids(None) or ())]}
    return ids | {title: _cells(column) for title, column in found.columns.items()}


def without_columns(
    frame: AnyFrame, titles: Sequence[str], reading: LabelSyntax
) -> tuple[SideRows, dict[str, list[tuple[str, Any]]]]:
    """Read labels or numbers beside some columns, and the cells of these with the sample of each."""
    whole = _Frame.from_frame(_narwhals_frame(frame), reading.classes)
    others = {title: column for title, column in whole.columns.items() if title not in titles}
    found = replace(whole, columns=others, known=reading.known).read(None, None, None, None)
    names = found.samples or [*map(str, range(whole.count))]
    cells = {title: [*zip(names, _cells(whole.column(title)), strict=True)] for title in titles}
    return found.form(reading), cells


def csv_of(frame: AnyFrame) -> str:
    """Write a data frame as CSV, with an index that has a name; columns without names are refused."""
    named = getattr(getattr(frame, "index", None), "name", None) is not None
    table = _narwhals_frame(frame.reset_index() if named else frame)
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
    plural = is_plural(str(series.name))
    return LabelColumn(_cells(series), _ids_of_index(_index_of(series)), plural=plural)


def _repeated_names(names: Sequence[str]) -> list[str]:
    """Names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def _index_of(table: DataFrame[Any] | Series[Any]) -> Index:
    """Index of a frame of pandas; None where the index only counts the rows."""
    index = import_module("narwhals").maybe_get_index(table)
    return None if _counts_rows(index) else index


def _counts_rows(index: Index) -> bool:
    """Whether an index is the default index of pandas."""
    plain = type(index).__name__ == "RangeIndex" and index.name is None
    return plain and (index.start, index.step) == (0, 1)


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


def by_annotator(
    frame: AnyFrame, *, annotator: str | None, sample: str | None, concept: str | None, reading: LabelSyntax
) -> dict[str, SideRows]:
    """Read a frame for each annotator, who is named in a column."""
    whole = _Frame.from_frame(_narwhals_frame(frame), reading.classes)
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
    roles = whole.roles_as_in_files(who) if sample is concept is None else None
    sample, concept, _, plural, _ = roles or (sample, concept, None, False, "")
    if sample is None:
        sample = rest.sample_column()
        if sample in {None, *rest.index_titles} and (rest.index is None or _is_plain_count(rest.index)):
            raise rest.ambiguity_error("no column names the samples")
    value = None
    if concept is None:
        kinds = {title: rest.kinds[title] for title in rest.others(sample)}
        concept, value = rest.roles(kinds, named=True, guessed=True)
    found = rest.wide(sample, None) if concept is None else rest.read(sample, concept, value, None)
    if plural and isinstance(found, LabelColumn):
        found = found._replace(plural=True)
    places = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
    return {name: found.at(rows).form(reading) for name, rows in places.items()}


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
