"""Inputs: lists, dictionaries, arrays, frames, series and tensors become label sets or scores, once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal, NamedTuple

from numpy.typing import ArrayLike

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
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary, refuse_alike
from ontoeval.errors import InputError, enumerate_some, pluralise

Ready = LabelSets | VerifiedLabels | LabelScores
Side = Ready | SideRows
"""One side as `read_side` leaves it: ready, or in rows whose names have no concepts yet."""

Labels = LabelSets | VerifiedLabels | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any


class Sides(NamedTuple):
    """A truth and the predictions of runs over the same concepts, and lines about how they were read."""

    truth: Any
    runs: list[Any]
    notes: tuple[str, ...]


def sets_of(labels: Labels, hierarchy: Hierarchy | None = None, reading: LabelSyntax = BY_NAME) -> LabelSets:
    """Label sets of one side."""
    made: LabelSets = sides_of(labels, {}, hierarchy, reading).truth
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

    Names are looked up in the vocabulary of label sets among them, in the hierarchy, or among all names that
    occur. Unnamed columns take the names of the frame beside, of that vocabulary or of the hierarchy.
    """
    sides = [read_side(side, reading) for side in (truth, *runs.values())]
    for side, given in zip(sides[1:], runs.values(), strict=True):
        if only == "sets":
            _refuse_scores(side)
        elif only and not _may_hold_scores(side):
            raise InputError(
                f"{type(given).__name__} stands where scores belong",
                "Read them with ontoeval.read_scores, or take LabelScores.from_array(...).",
            )
    named = _named_alike(sides, hierarchy)
    true, *made = _made_alike(named, hierarchy, scores=scores or only == "scores")
    if reading.classes is not None:
        true, *made = _over_classes([true, *made], reading.classes, hierarchy)
    elif hierarchy is None and isinstance(named[0], SideRows):
        read = zip(named[1:], made, strict=True)
        true = _with_concepts_of(true, [one.vocabulary for side, one in read if isinstance(side, SideRows)])
    return Sides(true, made, tuple(_notes(["truth", *runs], sides, named, hierarchy)))


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
            "Give one class for each column, in their order.",
        )
    return replace(rows, concepts=classes.concepts) if rows.concepts is None else rows


def _refuse_scores(side: Side) -> None:
    """Refuse scores where label sets belong."""
    if isinstance(side, LabelScores):
        raise InputError("scores stand where labels belong", "Make labels of them: scores.at(threshold).")


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
    for side in named[1:] or named:
        if isinstance(side, VerifiedLabels):
            raise InputError(
                "verified labels stand where predictions belong", "Pass them as the truth, which comes first."
            )
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


def _made_alike(sides: Sequence[Side], hierarchy: Hierarchy | None, *, scores: bool) -> list[Any]:
    """Label sets of the truth, and sets or scores of runs, over the concepts of one vocabulary."""
    known, (first, *others) = _vocabulary(sides, hierarchy), sides
    true = _made(first, known, hierarchy, scores=False)
    made = [true]
    for side in others:
        arrays = isinstance(first, Wide) and isinstance(side, Wide) and len(first) == len(side)
        if arrays and first.samples is side.samples is None:
            side = replace(side, samples=true.samples)  # noqa: PLW2901 - one tuple of numbers for all
        made.append(_made(side, known or true.vocabulary, hierarchy, scores=scores))
    return made


def _made(side: Side, vocabulary: Vocabulary | None, hierarchy: Hierarchy | None, *, scores: bool) -> Ready:
    """Label sets or scores of a side."""
    if not isinstance(side, SideRows):
        return side
    of_scores = scores and (isinstance(side, Wide) or side.values is not None)
    named = isinstance(side, Wide) and side.concepts is not None
    made = (scores_of_rows if of_scores else sets_of_rows)(side, None if named else vocabulary)
    if not named or hierarchy is None:
        return made
    labels = hierarchy.label_vocabulary
    if unknown := {name: "the columns" for name in made.vocabulary if name not in labels}:
        raise labels.spellings.unknown_error(unknown)
    return made.within(labels)


def _vocabulary(sides: Sequence[Side], hierarchy: Hierarchy | None) -> Vocabulary | None:
    """Concepts for bare labels and unnamed columns; None where the columns are counted."""
    ready = next((side for side in sides if isinstance(side, LabelSets | VerifiedLabels)), None)
    if ready is not None:
        return ready.vocabulary
    if hierarchy is not None:
        return hierarchy.label_vocabulary
    known = tuple(dict.fromkeys(chain.from_iterable(map(_concepts, sides))))
    own = [side for side in sides if isinstance(side, Listed)]
    return vocabulary_of_labels(own, known) if own or known else None


def _with_concepts_of(true: LabelSets, runs: Iterable[Vocabulary]) -> LabelSets:
    """Add the concepts that only runs have, sorted, behind those of the truth."""
    own = true.vocabulary
    beyond = {name for names in runs if names is not own for name in names if name not in own}
    if not beyond:
        return true
    every = (*own, *sorted(beyond))
    refuse_alike(every)
    return true.within(Vocabulary(every, united=True))


def _over_classes(made: list[Any], classes: Vocabulary, hierarchy: Hierarchy | None) -> list[Any]:
    """Move label sets and scores to the classes, which a hierarchy may name otherwise."""
    names = classes
    if hierarchy is not None:
        meant = hierarchy.vocabulary.translated(names)
        names = Vocabulary(tuple(meant.get(name, name) for name in names), hierarchy.vocabulary.names)
    for side in made:
        numbered = number_names(len(side.vocabulary))
        if side.vocabulary.concepts == numbered and numbered and not any(name in names for name in numbered):
            kind = type(side).__name__
            raise InputError(
                f"{kind} of {pluralise(len(numbered), 'column')} without names beside classes=",
                f"Name the columns: {kind}.from_array(array, vocabulary=classes).",
            )
    return [side.within(names) for side in made]


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
            yield f"{pluralise(nulls, 'null')} among the labels of {name!r}, read as no label"
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
