"""Inputs: what is handed over for a truth and for runs becomes label sets, scores or verified labels, once.

`read_side` recognises a side: it is ready, or has one of two forms, numbers in columns or labels one after
the other, which `frames` reads from frames and series, and `containers` from arrays and collections. Arrays
then take the names of a frame beside them, and all forms those of the hierarchy. `concepts_of` says which
concepts may be labels; where no list does, the gate judges all labels together before they become concepts.
Each form makes its matrix over these concepts once, and is ready. What was read by position, left out or
counted as absent is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import Any, Literal, NamedTuple, cast

from numpy.typing import ArrayLike

from ontoeval.core.containers import form_of_container, is_document
from ontoeval.core.frames import is_frame, read_frame
from ontoeval.core.gate import refuse_other_columns
from ontoeval.core.graphs import OPENED
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import (
    BY_NAME,
    LabelSyntax,
    Listed,
    SideRows,
    Wide,
    number_names,
    vocabulary_of_labels,
)
from ontoeval.core.shares import SoftTruth
from ontoeval.core.verified import VerifiedLabels, sides_of_columns
from ontoeval.core.vocabulary import Vocabulary, on_missing_columns
from ontoeval.errors import InputError, MisalignedError, ParameterError, enumerate_some, of_run, pluralise

Ready = LabelSets | VerifiedLabels | LabelScores
Side = Ready | SideRows
"""One side as `read_side` leaves it: ready, or in rows whose names have no concepts yet."""

Labels = LabelSets | VerifiedLabels | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any

RunsOrPaths = Mapping[str, Labels] | str | PathLike[str] | Sequence[str | PathLike[str]]
"""The prediction of each run by its name, or the paths of their files."""


class Sides(NamedTuple):
    """A truth and the predictions of runs over the same concepts, and lines about how they were read."""

    truth: Any
    runs: list[Any]
    hierarchy: Hierarchy | None
    """The hierarchy, of which only these concepts may be labels."""
    notes: tuple[str, ...]
    columns: tuple[str, ...]
    """Names of the columns of all runs in their order; none where the runs have no columns, or others."""


def sets_of(labels: Labels, hierarchy: Hierarchy | None = None, reading: LabelSyntax = BY_NAME) -> LabelSets:
    """Label sets of one side."""
    made: LabelSets = sides_of(labels, {}, hierarchy, reading).truth
    _refuse_verified(made)
    return made


def listed_or_sets(labels: Labels, hierarchy: Hierarchy | None, reading: LabelSyntax) -> LabelSets | Listed:
    """Labels one after the other, in which those that are there twice are seen, or else label sets."""
    side = opened_side(labels, reading)
    if isinstance(side, Listed):
        side = side.split(None if hierarchy is None else hierarchy.vocabulary)
    return side if isinstance(side, Listed) and side.values is None else sets_of(side, reading=reading)


def sides_of(
    truth: Labels,
    runs: Mapping[str, Labels],
    hierarchy: Hierarchy | None,
    reading: LabelSyntax,
    *,
    only: Literal["sets", "scores"] | None = None,
    scores: bool = False,
) -> Sides:
    """Read a truth and runs; with `scores`, frames and arrays of predictions hold scores.

    All get the columns of one vocabulary, that of `concepts_of`. Unnamed columns take the names of the frame
    beside, or that vocabulary's.
    """
    reading = reading.knowing(reading.classes if hierarchy is None else hierarchy.vocabulary)
    of_scores = scores or only == "scores"
    plain = reading if reading.ignore_index is None else replace(reading, ignore_index=None)
    opened = [_opened(truth, hierarchy, reading, scores=False)]
    if isinstance(opened[0][0], SoftTruth):
        raise InputError(
            "a truth of several annotators stands where label sets belong",
            "Only evaluate and compare take it. Make label sets of annotations by "
            "ontoeval.annotators.consensus(annotations), of shares by shares.at(0.5).",
        )
    true = read_side(opened[0][0], reading)
    found = {*(true.split(None).labels if isinstance(true, Listed) else _concepts(true))}
    plain = plain if plain.known or not found else replace(plain, known=found.issuperset)
    read = [true]
    for name, run in runs.items():
        with of_run(name):
            opened.append(_opened(run, hierarchy, plain, scores=of_scores))
            read.append(read_side(opened[-1][0], plain))
    given: Any = _split(read, hierarchy)
    for side, (name, run) in zip(given[1:], runs.items(), strict=True):
        with of_run(name):
            _refuse_others(side, run, only)
    alike = _named_alike(given)
    sides = alike if hierarchy is None else [side.named_by(hierarchy.vocabulary) for side in alike]
    _refuse_unfit(sides, [*runs], hierarchy, reading.classes)
    names, restricted = concepts_of(sides, reading.classes, hierarchy), hierarchy
    if hierarchy is not None and names is not None:
        restricted = hierarchy.with_labels(names)
        names = restricted.label_vocabulary.of(names.origin)
    made, called = list[Any](), ["truth", *runs]
    for name, side in zip(["", *runs], sides, strict=True):
        if made and isinstance(side, SideRows) and side.samples is None and len(side) == len(made[0]):
            side = replace(side, samples=made[0].samples)  # noqa: PLW2901 - one tuple of numbers for all
        try:
            with of_run(name):
                made.append(_made(side, names, hierarchy, scores=of_scores and bool(made)))
        except MisalignedError:
            if reading.classes is None or hierarchy is not None or not isinstance(side, Wide):
                raise
            unknown = {name: "the columns" for name in side.concepts or () if name not in reading.classes}
            raise reading.classes.spellings.unknown_error(unknown, remedy=_ALL_CLASSES) from None
        names = names or made[0].vocabulary
    takers = [name for name, side, own in zip(called, alike, given, strict=True) if side is not own]
    notes = *getattr(runs, "notes", ()), *chain.from_iterable(told for _, told in opened)
    notes = *notes, *_notes(called, takers, given, sides, hierarchy)
    pairs = zip(sides[1:], made[1:], strict=True)
    scored = [pair for pair in pairs if isinstance(pair[1], LabelScores) or not reading.mixed]
    orders = {() if isinstance(a, Listed) else _concepts(a) or b.vocabulary.concepts for a, b in scored}
    return Sides(made[0], made[1:], restricted, notes, orders.pop() if len(orders) == 1 else ())


def _split(given: Sequence[Any], hierarchy: Hierarchy | None) -> Sequence[Any]:
    """Split the texts of listed sides among the concepts that the other sides know."""
    if not (listed := [one for one in given if isinstance(one, Listed)]):
        return given
    known = next((one.vocabulary for one in (hierarchy, *given) if isinstance(one, Hierarchy | Ready)), None)
    of_lists = (one.labels for one in listed if not one.texts)
    beside = set() if known is not None else {*chain(*of_lists, *map(_concepts, given))}
    return [one.split(known, beside) if isinstance(one, Listed) else one for one in given]


def _opened(
    side: Labels, hierarchy: Hierarchy | None, reading: LabelSyntax, *, scores: bool
) -> tuple[Any, tuple[str, ...]]:
    """Read a file or what a file of JSON may hold, by the only import from a higher room, with notes."""
    if not isinstance(side, str | PathLike) and not is_document(side):
        return side, ()
    paths: Any = import_module("ontoeval.labels.paths")
    return cast("tuple[Any, tuple[str, ...]]", paths.read_path(side, hierarchy, reading, scores=scores))


def runs_by_name(truth: Labels, runs: RunsOrPaths) -> Mapping[str, Labels]:
    """Name runs that are given as files, folders or patterns by their files."""
    paths = runs if isinstance(runs, list | tuple) else [runs]
    if paths and all(isinstance(path, str | PathLike) for path in paths):
        beside = [truth] if isinstance(truth, str | PathLike) else []
        runs = import_module("ontoeval.labels.paths").run_files(paths, beside)
    return cast("Mapping[str, Labels]", runs)


def _opened_threshold(given: str | PathLike[str]) -> Any:  # noqa: ANN401 - a number, or numbers by concept
    """Read a text as a number, or a file of thresholds."""
    with suppress(ValueError):
        return float(str(given))
    return import_module("ontoeval.labels.paths").read_thresholds(given)


def _opened_sides(sides: Mapping[str, Any]) -> Mapping[str, Any]:
    """Open files among sides, for the titles of their columns."""
    runs = {"runs": runs_by_name(sides.get("truth"), sides["runs"])} if "runs" in sides else {}
    opened: Any = import_module("ontoeval.labels.paths").named_file
    return {name: opened(side) for name, side in {**sides, **runs}.items()}


def _reader_of_values(kind: str) -> Any:  # noqa: ANN401 - of numbers or names by sample
    """Find what reads a file of weights or groups of samples."""
    return getattr(import_module("ontoeval.labels.paths").per_sample, f"read_sample_{kind}s")


OPENED |= {"sides": _opened_sides, "threshold": _opened_threshold, "values": _reader_of_values}


_SOME_COUNT = "Where only some labels count, evaluate and compare take only=[...]."
_ALL_CLASSES = f"Labels must be in classes=: add them there, or correct the names. {_SOME_COUNT}"


def opened_side(side: Labels, reading: LabelSyntax = BY_NAME) -> Side:
    """Open a side that is a file, or what a file of JSON may hold, and recognise it."""
    return read_side(_opened(side, None, reading, scores=False)[0], reading)


def read_side(side: Any, reading: LabelSyntax) -> Side:  # noqa: ANN401 - whatever was handed over, but files
    """Recognise what a side is: ready, numbers as `Wide`, labels as `Listed`; among classes as label sets.

    A truth may say which number marks labels that were not verified, as its nulls are then.
    """
    if isinstance(side, VerifiedLabels):
        return side
    form = side
    if not isinstance(form, Ready | SideRows):
        form = read_frame(form, reading) if is_frame(form) else form_of_container(form, reading)
    classes = reading.classes
    if isinstance(form, Listed) and classes is not None and form.values is None:
        form = LabelSets(*form.split(classes).marks(classes, remedy=_ALL_CLASSES))
    if isinstance(form, Wide) and classes is not None and form.concepts is None:
        if form.numbers.shape[1] != len(classes):
            raise InputError(
                f"an array of {pluralise(form.numbers.shape[1], 'column')} beside {len(classes):,} classes",
                f"Give one class for each column, in their order. {_SOME_COUNT}",
            )
        form = replace(form, concepts=classes.concepts)
    if reading.ignore_index is None:
        return cast("Side", form)
    if not isinstance(form, Wide):
        expected = "a truth of 0 and 1, one column per concept"
        raise ParameterError("ignore_index", reading.ignore_index, expected)
    return replace(form, ignore_index=reading.ignore_index, nulls=0)


def _refuse_scores(side: Side) -> None:
    """Refuse scores where label sets belong."""
    if isinstance(side, LabelScores):
        raise InputError("scores stand where labels belong", "Make labels of them: scores.at(threshold).")


def _refuse_others(side: Side, run: Labels, only: Literal["sets", "scores"] | None) -> None:
    """Refuse scores where label sets alone may stand, or label sets where scores may."""
    if only == "sets":
        _refuse_scores(side)
    elif only and not (isinstance(side, LabelScores) or getattr(side, "may_be_scores", False)):
        raise InputError(
            f"{type(run).__name__} stands where scores belong",
            "Read them with ontoeval.read_scores, or take LabelScores.from_array(...).",
        )


def _refuse_verified(side: Side) -> None:
    """Refuse verified labels where label sets belong."""
    if isinstance(side, VerifiedLabels):
        raise InputError("verified labels stand where predictions belong", "Pass them as the truth.")


def _named_alike(sides: Sequence[Any]) -> list[Any]:
    """Name arrays by the frame beside; runs that are frames may name the truth, if they agree."""
    first, *runs = sides
    named: list[Any] = [one for side in runs if (one := _named_like(first, side, "truth")) is not first]
    if len({(one.samples, one.concepts) for one in named}) > 1:
        raise InputError(
            "the truth is an array without names, beside data frames that differ in rows or columns",
            "Give the truth names: LabelSets.from_array(array, vocabulary=[...], samples=[...]).",
        )
    first = named[0] if named else first
    return [first, *(_named_like(side, first, "prediction") for side in runs)]


def _named_like(array: Side, frame: Side, side: str) -> Side:
    """Array without names with those of a frame of its shape; any other side as it is."""
    if not (isinstance(array, Wide) and isinstance(frame, Wide) and frame.of_frame) or array.of_frame:
        return array
    if frame.samples is frame.concepts is None:
        return array
    if array.numbers.shape != frame.numbers.shape:
        rows, columns = frame.numbers.shape
        raise InputError(
            f"the {side} is an array of shape {array.numbers.shape} beside a data frame of "
            f"{pluralise(rows, 'row')} and {pluralise(columns, 'concept')}",
            "Give an array of the frame's shape, which takes the frame's names; or name its own: "
            "LabelSets.from_array(array, vocabulary=[...], samples=[...]).",
        )
    return replace(array, concepts=frame.concepts, samples=frame.samples, of_frame=True)


def refuse_counted(sides: Mapping[str, Any]) -> None:
    """Refuse sides that only count their samples beside one that names them."""
    lacking = [name for name, side in sides.items() if side.samples is None]
    named = (names for side in sides.values() if lacking and (names := side.samples) is not None)
    names = next((names for names in named if names != number_names(len(names))), None)
    if names is not None:
        raise InputError(
            f"the samples of the {lacking[0]} have no names, but other samples have: {enumerate_some(names)}",
            "Name the samples: of a data frame by set_index(column) or LabelSets.from_frame(frame, "
            "sample=column), of an array by LabelSets.from_array(array, vocabulary=[...], samples=[...]), of "
            "lists by dict(zip(samples, lists)). An array beside a data frame of its shape takes its names.",
        )


def _refuse_unfit(
    sides: Sequence[Any], runs: Sequence[str], hierarchy: Hierarchy | None, classes: Vocabulary | None
) -> None:
    """Refuse sides that do not fit the others: by their kind, or by names that they lack or alone have."""
    first, *others = sides
    _refuse_scores(first)
    marks = (isinstance(side, Wide) and not side.holds_fractions for side in others)
    if others and isinstance(first, Wide) and first.holds_fractions and all(marks):
        raise InputError(
            "fractions stand where the truth belongs, beside a prediction of 0 and 1",
            "The truth comes first, then what was predicted. If this is the truth, make labels of it: "
            "LabelScores.from_array(...).at(threshold).",
        )
    for side in others:
        _refuse_verified(side)
    for side in others or sides:
        refuse_counted({"truth": first, "prediction": side})
        _refuse_lacking_names("truth", first, side, hierarchy)
        _refuse_lacking_names("prediction", side, first, hierarchy)
    for name, side in zip(["", *runs], sides, strict=True):
        titled = side.concepts if isinstance(side, Wide) else None
        if titled is not None and hierarchy is not None:
            known = hierarchy.label_vocabulary
            if unknown := {title: "the columns" for title in titled if title not in known}:
                raise known.spellings.unknown_error(unknown)
        elif titled is not None and classes is None and name and isinstance(first, Wide):
            refuse_other_columns(titled, first.concepts or titled, name)


def _refuse_lacking_names(name: str, side: Side, other: Side, hierarchy: Hierarchy | None) -> None:
    """Refuse columns without names beside a side or a hierarchy that has names."""
    if not isinstance(side, Wide) or side.concepts is not None:
        return
    known = _concepts(other) if hierarchy is None else hierarchy.label_vocabulary.concepts
    width, array = side.numbers.shape[1], not side.of_frame and isinstance(other, SideRows)
    links = hierarchy is not None and hierarchy.vocabulary.origin == "edges"
    if hierarchy is not None and array and (links or width != len(known)):
        counted = f"{pluralise(len(known), 'concept')} that may be labels"
        beside = counted if width != len(known) else "links, which are no order of columns"
        raise InputError(
            f"the {name} is an array of {pluralise(width, 'column')} beside a hierarchy of {beside}",
            "Name the columns in their order: classes=[...].",
        )
    if side.of_frame and known and known != number_names(len(known)):
        raise InputError(
            f"the columns of the {name} have no names",
            "Name the columns of the data frame by concepts: frame.columns = [...].",
        )
    if hierarchy is None and isinstance(other, Listed):
        raise InputError(
            "one side is an array without names, the other has names",
            "Name the columns: LabelSets.from_array(array, vocabulary=[...]).",
        )


def _concepts(side: Side) -> tuple[str, ...]:
    """All concepts of a side; none where the side has only labels."""
    if isinstance(side, SideRows):
        return () if isinstance(side, Listed) else side.concepts or ()
    return tuple(side.vocabulary)


def concepts_of(
    sides: Sequence[Side], classes: Vocabulary | None, hierarchy: Hierarchy | None
) -> Vocabulary | None:
    """Say which concepts may be labels; None where columns without names are counted.

    They are those of the list that was given, as classes or as the vocabulary of the truth; without a list
    those of the hierarchy that are not abstract; without both the names of all sides: of the first that names
    its columns, then the others, sorted.
    """
    ready = [side for side in sides if isinstance(side, Ready)]
    for side in ready if classes is not None else ():
        counted = side.vocabulary == Vocabulary(number_names(len(side.vocabulary)))
        if classes is not None and counted and classes.index.keys().isdisjoint(side.vocabulary):
            kind = type(side).__name__
            raise InputError(
                f"{kind} of {pluralise(len(side.vocabulary), 'column')} without names beside classes=",
                f"Name the columns: {kind}.from_array(array, vocabulary=classes).",
            )
    first = next((side for side in sides if not isinstance(side, Wide) or side.concepts is not None), None)
    own = first.vocabulary if isinstance(first, Ready) else None
    if classes is not None or (own is not None and own.origin == "list"):
        return classes or own
    if hierarchy is not None:
        return hierarchy.label_vocabulary
    if own is not None and own.origin == "hierarchy":
        return own
    listed = [side for side in sides if isinstance(side, Listed)]
    columns, *others = [*filter(None, map(_concepts, sides)), ()]
    known = (*columns, *sorted(set().union(*others).difference(columns)))
    names = vocabulary_of_labels(listed, known) if listed or known else None
    differ = len(known) > len(columns) or any(side.vocabulary.origin == "sides" for side in ready)
    return names.of("sides") if names is not None and differ else names


def _made(side: Side, names: Vocabulary | None, hierarchy: Hierarchy | None, *, scores: bool) -> Ready:
    """Label sets, scores or verified labels of a side over the concepts that may be labels."""
    made: Ready
    if isinstance(side, SideRows):
        columns = None if isinstance(side, Wide) and side.concepts is not None else names
        if isinstance(side, Wide) and side.ignore_index is not None:
            made = VerifiedLabels(*sides_of_columns(side, columns, 0, side.ignore_index))
        elif scores and (isinstance(side, Wide) or side.values is not None):
            made = LabelScores(*side.matrix(columns))
        else:
            made = LabelSets(*side.marks(columns))
    else:
        made = side
    if names is None:
        return made
    try:
        return made.within(names)
    except MisalignedError:
        if hierarchy is not None:  # which may not know the names, or have them as abstract concepts
            hierarchy.with_labels(name for name in made.vocabulary if name not in names)
        raise


def _notes(
    names: Sequence[str],
    takers: Sequence[str],
    given: Sequence[Any],
    sides: Sequence[Any],
    hierarchy: Hierarchy | None,
) -> Iterable[str]:
    """Lines of the recipe on what was read by position, left out, or counted as absent."""
    yield from [hierarchy.sources["columns"]] if hierarchy and "columns" in hierarchy.sources else []
    if takers:
        yield (
            "arrays without names, in the order of the data frame's rows and columns: "
            f"{enumerate_some(takers)}"
        )
    rows = [(name, side) for name, side in zip(names, given, strict=True) if isinstance(side, SideRows)]
    bare = [name for name, side in rows if side.of_frame and side.samples is None]
    if bare[1:]:
        found = enumerate_some(bare)
        yield f"frames or series without names of samples, matched by the position of their rows: {found}"
    unnamed = [name for name, side in rows if isinstance(side, Wide) and side.concepts is None]
    if hierarchy is not None and unnamed and not takers:
        order = enumerate_some(hierarchy.label_vocabulary)
        yield f"columns without names, in the hierarchy's order ({order}): {enumerate_some(unnamed)}"
    for name, side in rows:
        if side.nulls:
            nulls = pluralise(side.nulls, "null or empty text")
            yield f"{nulls} among the labels of {name!r}, read as no label"
        if side.found:
            yield f"{name}: {side.found}"
    true = sides[0]
    known = sorted({*true.labels}) if isinstance(true, Listed) and hierarchy is not None else _concepts(true)
    for name, side in zip(names[1:], sides[1:], strict=True):
        if isinstance(side, Wide) and side.concepts:
            yield from (f"{name}: {text}" for text in on_missing_columns(known, {*side.concepts}))
