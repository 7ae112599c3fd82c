"""Inputs: lists, dictionaries, arrays, frames, series and tensors become label sets or scores, once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import Any, Literal, NamedTuple, cast

from numpy.typing import ArrayLike

from ontoeval.core.gate import refuse_other_columns
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores, scores_of_rows
from ontoeval.core.label_sets import LabelSets, sets_of_rows
from ontoeval.core.rows import (
    BY_NAME,
    LabelSyntax,
    Listed,
    SideRows,
    Wide,
    number_names,
    rows_of,
    vocabulary_of_labels,
)
from ontoeval.core.shares import SoftTruth
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MisalignedError, ParameterError, enumerate_some, pluralise

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
    of_scores, plain = scores or only == "scores", replace(reading, ignore_index=None)
    opened = [_opened(truth, hierarchy, reading, scores=False)]
    opened += [_opened(run, hierarchy, plain, scores=of_scores) for run in runs.values()]
    sides = [_read_truth(opened[0][0], reading), *(read_side(run, plain) for run, _ in opened[1:])]
    for side, given in zip(sides[1:], runs.values(), strict=True):
        if only == "sets":
            _refuse_scores(side)
        elif only and not _may_hold_scores(side):
            raise InputError(
                f"{type(given).__name__} stands where scores belong",
                "Read them with ontoeval.read_scores, or take LabelScores.from_array(...).",
            )
    named = _named_alike(sides, hierarchy)
    if hierarchy is None and reading.classes is None:
        for name, side in zip(runs, named[1:], strict=True):
            if isinstance(named[0], Wide) and isinstance(side, Wide) and side.concepts is not None:
                refuse_other_columns(side.concepts, named[0].concepts or side.concepts, name)
    names, restricted = concepts_of(named, reading.classes, hierarchy), hierarchy
    if hierarchy is not None and names is not None:
        restricted = hierarchy.with_labels(names)
        names = restricted.label_vocabulary.of(names.origin)
    made = list[Any]()
    for side in named:
        if made and not isinstance(side, Ready) and side.samples is None and len(side) == len(made[0]):
            side = replace(side, samples=made[0].samples)  # noqa: PLW2901 - one tuple of numbers for all
        made.append(_made(side, names, hierarchy, scores=of_scores and bool(made)))
        names = names or made[0].vocabulary
    notes = *getattr(runs, "notes", ()), *chain.from_iterable(told for _, told in opened)
    notes = *notes, *_notes(["truth", *runs], sides, named, hierarchy)
    pairs = zip(named[1:], made[1:], strict=True)
    orders = {() if isinstance(a, Listed) else _concepts(a) or b.vocabulary.concepts for a, b in pairs}
    return Sides(made[0], made[1:], restricted, notes, orders.pop() if len(orders) == 1 else ())


def _opened(
    side: Labels, hierarchy: Hierarchy | None, reading: LabelSyntax, *, scores: bool
) -> tuple[Any, tuple[str, ...]]:
    """Read the file that a path names, by the only import from a higher room, with notes on what was read."""
    if not isinstance(side, str | PathLike):
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


def read_side(side: Labels, reading: LabelSyntax = BY_NAME) -> Side:
    """Read one side: numbers as `Wide`, labels as `Listed`; labels among classes as label sets of these."""
    if isinstance(side, Ready):
        return side
    rows, classes = side if isinstance(side, SideRows) else rows_of(side, reading), reading.classes
    if classes is None:
        return rows
    if isinstance(rows, Listed):
        remedy = "Labels must be in classes=: add them there, or correct the names."
        return sets_of_rows(rows, classes, remedy=remedy) if rows.values is None else rows
    if rows.concepts is None and rows.numbers.shape[1] != len(classes):
        raise InputError(
            f"an array of {pluralise(rows.numbers.shape[1], 'column')} beside {len(classes):,} classes",
            "Give one class for each column, in their order; only=[...] chooses among them.",
        )
    return replace(rows, concepts=classes.concepts) if rows.concepts is None else rows


def _read_truth(truth: Labels, reading: LabelSyntax) -> Side:
    """Read a truth, and note which number marks labels that were not verified, as its nulls are then."""
    if isinstance(truth, SoftTruth):
        raise InputError(
            "a truth of several annotators stands where label sets belong",
            "Only evaluate and compare take it. Make label sets of annotations by "
            "ontoeval.annotators.consensus(annotations), of shares by shares.at(0.5).",
        )
    side = read_side(truth, reading)
    if reading.ignore_index is None or isinstance(side, VerifiedLabels):
        return side
    if not isinstance(side, Wide):
        expected = "a truth of 0 and 1, one column per concept"
        raise ParameterError("ignore_index", reading.ignore_index, expected)
    return replace(side, ignore_index=reading.ignore_index, nulls=0)


def _refuse_scores(side: Side) -> None:
    """Refuse scores where label sets belong."""
    if isinstance(side, LabelScores):
        raise InputError("scores stand where labels belong", "Make labels of them: scores.at(threshold).")


def _refuse_verified(side: Side) -> None:
    """Refuse verified labels where label sets belong."""
    if isinstance(side, VerifiedLabels):
        raise InputError(
            "verified labels stand where predictions belong", "Pass them as the truth, which comes first."
        )


def _may_hold_scores(side: Side) -> bool:
    """Whether a side is scores, a frame, or an array whose numbers are fractions by their type."""
    if isinstance(side, Wide) and side.numbers.dtype.kind == "f":
        return True
    return isinstance(side, LabelScores) or getattr(side, "of_frame", False)


def _named_alike(sides: Sequence[Any], hierarchy: Hierarchy | None) -> list[Any]:
    """Name concepts as a hierarchy does, and arrays by the frame beside; refuse what has no names."""
    first, *runs = sides
    frames = [side for side in runs if _takes_names(first, side)]
    if len({(frame.samples, frame.concepts) for frame in frames}) > 1:
        raise InputError(
            "the truth is an array without names, beside data frames that differ in rows or columns",
            "Give the truth names: LabelSets.from_array(array, vocabulary=[...], samples=[...]).",
        )
    first = _named_like(first, frames[0], "truth") if frames else first
    named = [first, *(_named_like(s, first, "prediction") if _takes_names(s, first) else s for s in runs)]
    if hierarchy is not None:
        named = [side.named_by(hierarchy.vocabulary) for side in named]
    _refuse_scores(named[0])
    for side in named[1:]:
        _refuse_verified(side)
    for side in named[1:] or named:
        _refuse_lacking_names(named[0], side, hierarchy)
    return named


def _takes_names(side: Side, other: Side) -> bool:
    """Whether a side is an array without names beside a frame that has names."""
    if not (isinstance(side, Wide) and isinstance(other, Wide) and other.of_frame) or side.of_frame:
        return False
    return other.samples is not None or other.concepts is not None


def _named_like(array: Wide, frame: Wide, side: str) -> Wide:
    """Array with the names of a frame of its shape."""
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


def _refuse_lacking_names(first: Side, second: Side, hierarchy: Hierarchy | None) -> None:
    """Refuse rows and columns without names beside a side whose rows or columns have names."""
    refuse_counted({"truth": first, "prediction": second})
    for name, side, other in (("truth", first, second), ("prediction", second, first)):
        if not isinstance(side, Wide) or side.concepts is not None:
            continue
        known = _concepts(other) if hierarchy is None else hierarchy.label_vocabulary.concepts
        width, array = side.numbers.shape[1], not side.of_frame and isinstance(other, SideRows)
        if hierarchy is not None and array and width != len(known):
            raise InputError(
                f"the {name} is an array of {pluralise(width, 'column')} beside a hierarchy of "
                f"{pluralise(len(known), 'concept')} that may be labels",
                "Name the columns in their order: classes=[...].",
            )
        if hierarchy is not None and array and hierarchy.vocabulary.origin == "edges":
            raise InputError(
                f"the {name} is an array without names beside a hierarchy of links, which are no order of "
                "columns",
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
    if isinstance(side, Listed):
        return ()
    found = side.concepts if isinstance(side, Wide) else side.vocabulary.concepts
    return tuple(found or ())


def concepts_of(
    sides: Sequence[Side], classes: Vocabulary | None, hierarchy: Hierarchy | None
) -> Vocabulary | None:
    """Say which concepts may be labels; None where columns without names are counted.

    They are those of the list that was given, as classes or as the vocabulary of the truth; without a list
    those of the hierarchy that are not abstract; without both the names of all sides.
    """
    if classes is not None:
        _refuse_numbered(sides, classes)
        return classes
    first = next((side for side in sides if not isinstance(side, Wide) or side.concepts is not None), None)
    own = {first.vocabulary.origin: first.vocabulary} if isinstance(first, Ready) else {}
    known = None if hierarchy is None else hierarchy.label_vocabulary
    return own.get("list") or known or own.get("hierarchy") or _names_of_all(sides)


def _refuse_numbered(sides: Iterable[Side], classes: Vocabulary) -> None:
    """Refuse label sets and scores whose columns are only counted beside classes with other names."""
    for side in sides:
        own = side.vocabulary.concepts if isinstance(side, Ready) else ()
        if own and own == number_names(len(own)) and classes.index.keys().isdisjoint(own):
            kind = type(side).__name__
            raise InputError(
                f"{kind} of {pluralise(len(own), 'column')} without names beside classes=",
                f"Name the columns: {kind}.from_array(array, vocabulary=classes).",
            )


def _names_of_all(sides: Sequence[Side]) -> Vocabulary | None:
    """Unite the names of all sides: those of the first that names its columns, then the others, sorted."""
    own = [side for side in sides if isinstance(side, Listed)]
    first, *others = [*filter(None, map(_concepts, sides)), ()]
    known = (*first, *sorted(set().union(*others).difference(first)))
    united = any(isinstance(side, Ready) and side.vocabulary.origin == "sides" for side in sides)
    names = vocabulary_of_labels(own, known) if own or known else None
    return names.of("sides") if names is not None and (united or len(known) > len(first)) else names


def _made(side: Side, names: Vocabulary | None, hierarchy: Hierarchy | None, *, scores: bool) -> Ready:
    """Label sets, scores or verified labels of a side over the concepts that may be labels."""
    made: Ready
    if not isinstance(side, SideRows):
        made = side
    else:
        of_scores = scores and (isinstance(side, Wide) or side.values is not None)
        named = isinstance(side, Wide) and side.concepts is not None
        if isinstance(side, Wide) and side.ignore_index is not None:
            how: Any = {"ignore_index": side.ignore_index, "samples": side.samples}
            made = VerifiedLabels.from_array(side.numbers, vocabulary=side.vocabulary or names, **how)
        else:
            columns = None if named else names
            made = scores_of_rows(side, columns, LabelScores) if of_scores else sets_of_rows(side, columns)
        labels = made.vocabulary if hierarchy is None or not named else hierarchy.label_vocabulary
        if unknown := {name: "the columns" for name in made.vocabulary if name not in labels}:
            raise labels.spellings.unknown_error(unknown)
    if names is None:
        return made
    try:
        return made.within(names)
    except MisalignedError:
        if hierarchy is not None:  # which may not know the names, or have them as abstract concepts
            hierarchy.with_labels(name for name in made.vocabulary if name not in names)
        raise


def _notes(
    names: Sequence[str], sides: Sequence[Any], named: Sequence[Any], hierarchy: Hierarchy | None
) -> Iterable[str]:
    """Lines of the recipe on what was read by position, left out, or counted as absent."""
    takers = [name for name, side in zip(names, sides, strict=True) if _takes_names(side, sides[0])]
    if any(_takes_names(sides[0], side) for side in sides):
        takers = ["truth"]
    every = dict(zip(names, sides, strict=True))
    bare = [name for name, side in every.items() if getattr(side, "of_frame", False) and side.samples is None]
    unnamed = [name for name, side in every.items() if isinstance(side, Wide) and side.concepts is None]
    if takers:
        yield (
            "arrays without names, in the order of the data frame's rows and columns: "
            f"{enumerate_some(takers)}"
        )
    if bare[1:]:
        found = enumerate_some(bare)
        yield f"data frames without names of samples, matched by the position of their rows: {found}"
    if hierarchy is not None and unnamed and not takers:
        order = enumerate_some(hierarchy.label_vocabulary)
        yield f"columns without names, in the hierarchy's order ({order}): {enumerate_some(unnamed)}"
    for name, side in every.items():
        if nulls := getattr(side, "nulls", 0):
            yield f"{pluralise(nulls, 'null or empty text')} among the labels of {name!r}, read as no label"
    true = named[0]
    known = sorted({*true.labels}) if isinstance(true, Listed) and hierarchy is not None else _concepts(true)
    for name, side in zip(names[1:], named[1:], strict=True):
        if isinstance(side, Wide) and side.concepts:
            yield from (f"{name}: {text}" for text in on_missing_columns(known, {*_concepts(side)}))


def on_missing_columns(known: Iterable[str], columns: Collection[str]) -> list[str]:
    """Remark on a table that has no column for some concepts."""
    lacking = [name for name in known if name not in columns]
    what = f"no column for {pluralise(len(lacking), 'concept')}, counted as absent"
    remedy = "--concepts, or classes=, names those that count"
    return [f"{what}: {enumerate_some(lacking)}; {remedy}"] if lacking else []
