"""Label sets and label scores from arrays, collections and data frames, matched by names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores, scores_of_rows
from ontoeval.core.label_sets import (
    LabelSets,
    class_names,
    collections_in,
    listed_of,
    names_not_in,
    number_names,
    numbers_in,
    of_numpy,
    refuse_same,
    separator_of,
    sets_of_rows,
)
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary, refuse_alike, refuse_nothing
from ontoeval.errors import InputError, UnknownConceptError, enumerate_some, pluralise
from ontoeval.plumbing.frames import FrameRows, Listed, Wide, is_frame, is_whole, rows_of

Ready = LabelSets | VerifiedLabels | LabelScores
Side = Ready | FrameRows
"""One side as `readable` leaves it."""

Labels = LabelSets | VerifiedLabels | ArrayLike | Mapping[str, Iterable[str]] | Iterable[Iterable[str]] | Any


@dataclass(frozen=True)
class LabelSyntax:
    """How labels are written: the classes that numbers stand for, and the separator of labels in a text."""

    classes: Any = None
    separator: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a separator, or a list of classes, of which a vocabulary is made."""
        separator_of(self.separator)
        if self.classes is not None:
            object.__setattr__(self, "classes", class_names(self.classes))


BY_NAME = LabelSyntax()
"""Labels are texts, each of them one label."""


def sets_of(labels: Labels, hierarchy: Hierarchy | None = None, reading: LabelSyntax = BY_NAME) -> LabelSets:
    """Label sets of one side."""
    made: LabelSets = coerce_sides([readable(labels, reading)], hierarchy, reading)[0]
    return made


def refuse_scores(side: Side) -> Side:
    """Refuse scores where label sets belong."""
    if isinstance(side, LabelScores):
        raise InputError("scores stand where labels belong", "Make labels of them: scores.at(threshold).")
    return side


def coerce_sides(
    sides: Sequence[Side], hierarchy: Hierarchy | None, reading: LabelSyntax, *, scores: bool = False
) -> list[Any]:
    """Label sets of a truth, and label sets or, with `scores`, label scores of runs; all were `readable`.

    Names are looked up in the vocabulary of label sets among them, in the hierarchy, or among all names that
    occur. Unnamed columns take the names of the frame beside, of that vocabulary or of the hierarchy.
    """
    first, *others = (with_hierarchy_names(side, hierarchy) for side in _named_by_frames(sides))
    refuse_scores(first)
    for side in others or [first]:
        if isinstance(side, VerifiedLabels):
            raise InputError(
                "verified labels stand where predictions belong", "Pass them as the truth, which comes first."
            )
        _refuse_lacking_names(first, side, hierarchy)
    vocabulary = _vocabulary([first, *others], hierarchy)
    made: list[Any] = [_labelled(first, vocabulary, hierarchy, scores=False)]
    for side in others:
        known = made[0].vocabulary if vocabulary is None else vocabulary
        arrays = isinstance(first, Wide) and isinstance(side, Wide) and len(first) == len(side)
        if arrays and first.samples is side.samples is None:
            side = replace(side, samples=made[0].samples)  # noqa: PLW2901 - one tuple of numbers for all
        made.append(_labelled(side, known, hierarchy, scores=scores))
    if reading.classes is not None:
        return _over_classes(made, reading.classes, hierarchy)
    if hierarchy is None and isinstance(first, FrameRows):
        raw = [
            one.vocabulary for side, one in zip(others, made[1:], strict=True) if isinstance(side, FrameRows)
        ]
        made[0] = _add_concepts_of_runs(made[0], raw)
    return made


def _add_concepts_of_runs(true: LabelSets, runs: Iterable[Vocabulary]) -> LabelSets:
    """Add the concepts that only runs have, sorted, behind those of the truth."""
    own = true.vocabulary
    beyond = {name for names in runs if names is not own for name in names_not_in(names, own)}
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


def with_hierarchy_names(side: Side, hierarchy: Hierarchy | None) -> Side:
    """Name the concepts of a side as a hierarchy does; texts that mean none of them are left as they are."""
    if hierarchy is None:
        return side
    known = hierarchy.vocabulary
    if isinstance(side, Listed):
        meant = known.translated(set(side.labels), side.place)
        return replace(side, labels=[meant.get(label, label) for label in side.labels]) if meant else side
    if not isinstance(side, Wide):
        return side.named_by(known)
    meant = known.translated(side.concepts or (), lambda _: "the columns")
    if not meant or side.concepts is None:
        return side
    refuse_same(side.concepts, meant)
    return replace(side, concepts=tuple(meant.get(name, name) for name in side.concepts))


def _named_by_frames(sides: Sequence[Any]) -> list[Any]:
    """Name arrays without names by the frame beside: the truth by the runs, or each run by the truth."""
    first, *runs = sides
    frames = [side for side in runs if takes_names(first, side)]
    if len({(frame.samples, frame.concepts) for frame in frames}) > 1:
        raise InputError(
            "the truth is an array without names, beside data frames that differ in rows or columns",
            "Give the truth names: LabelSets.from_array(array, vocabulary=[...], samples=[...]).",
        )
    first = _named_like(first, frames[0], "truth") if frames else first
    return [first, *(_named_like(s, first, "prediction") if takes_names(s, first) else s for s in runs)]


def takes_names(side: Side, other: Side) -> bool:
    """Whether a side is an array without names beside a frame that has names."""
    if not (isinstance(side, Wide) and isinstance(other, Wide) and other.of_frame) or side.of_frame:
        return False
    return other.samples is not None or other.concepts is not None


def lines_on_reading(
    truth: Side, predictions: Mapping[str, Side], hierarchy: Hierarchy | None
) -> tuple[str, ...]:
    """Lines of the recipe, and notes, on what was read by position, left out, or counted as absent."""
    takers = [name for name, side in predictions.items() if takes_names(side, truth)]
    if any(takes_names(truth, side) for side in predictions.values()):
        takers = ["truth"]
    every = {"truth": truth, **predictions}
    bare = [name for name, side in every.items() if getattr(side, "of_frame", False) and side.samples is None]
    lines = {
        "arrays without names, in the order of the data frame's rows and columns": takers,
        "data frames without names of samples, matched by the position of their rows": bare[1:] and bare,
    }
    found = [f"{line}: {enumerate_some(names)}" for line, names in lines.items() if names]
    unnamed = [name for name, side in every.items() if isinstance(side, Wide) and side.concepts is None]
    if hierarchy is not None and unnamed and not takers:
        order = enumerate_some(hierarchy.label_vocabulary)
        found.append(f"columns without names, in the hierarchy's order ({order}): {enumerate_some(unnamed)}")
    for name, side in every.items():
        if nulls := getattr(side, "nulls", 0):
            found.append(f"{pluralise(nulls, 'null')} among the labels of {name!r}, read as no label")
    tables = {name: side for name, side in predictions.items() if isinstance(side, Wide) and side.concepts}
    true = with_hierarchy_names(truth, hierarchy) if tables else truth
    known = sorted({*true.labels}) if isinstance(true, Listed) and hierarchy is not None else _concepts(true)
    for name, side in tables.items():
        absent = on_missing_columns(known, {*_concepts(with_hierarchy_names(side, hierarchy))})
        found += [f"{name}: {text}" for text in absent]
    return tuple(found)


def on_missing_columns(known: Iterable[str], columns: Collection[str]) -> list[str]:
    """Remark on a table that has no column for some concepts."""
    lacking = names_not_in(known, columns)
    what = f"no column for {pluralise(len(lacking), 'concept')}, counted as absent"
    remedy = "--concepts, or classes=, names those that count"
    return [f"{what}: {enumerate_some(lacking)}; {remedy}"] if lacking else []


def readable(side: Labels, reading: LabelSyntax = BY_NAME) -> Side:
    """Read one side: an array as `Wide`, labels of samples as `Listed`, a frame as either."""
    if isinstance(side, Ready):
        return side
    classes, separator = reading.classes, reading.separator
    rows = side if isinstance(side, FrameRows) else _read_side(side, classes, joined=separator is not None)
    rows = rows.split(separator) if isinstance(rows, Listed) else rows
    if classes is None:
        return rows
    if isinstance(rows, Listed):
        return _of_classes(rows, classes) if rows.values is None else rows
    if rows.concepts is None and rows.numbers.shape[1] != len(classes):
        raise InputError(
            f"an array of {pluralise(rows.numbers.shape[1], 'column')} beside {len(classes):,} classes",
            "Give one class for each column, in their order.",
        )
    return replace(rows, concepts=classes.concepts) if rows.concepts is None else rows


def _of_classes(rows: Listed, classes: Vocabulary) -> LabelSets:
    """Label sets over classes; labels that are none of them are refused."""
    try:
        return sets_of_rows(rows, classes)
    except UnknownConceptError:
        unknown = {label: rows.place(label) for label in dict.fromkeys(rows.labels) if label not in classes}
        remedy = "Labels must be in classes=: add them there, or correct the names."
        raise classes.spellings.unknown_error(unknown, remedy=remedy) from None


def _read_side(side: Any, classes: Vocabulary | None, *, joined: bool) -> FrameRows:  # noqa: ANN401 - see `readable`
    """Read one side as rows of numbers or of labels."""
    if is_frame(side):
        return rows_of(side, joined=joined, classes=classes)
    if hasattr(side, "__array__") or hasattr(side, "__dlpack__"):
        side = of_numpy(side)
    if hasattr(side, "shape"):
        one_each = len(side.shape) == 1 and (side.dtype.kind in "UO" or (classes and side.dtype.kind in "iu"))
        texts = len(side.shape) == 2 and _holds_texts(side)  # noqa: PLR2004
        if not (one_each or texts):
            return Wide(numbers_in(side))
        side = [[one for one in row if one] for row in side.tolist()] if texts else side.tolist()
    rows = collections_in(side, classes=classes)
    if not isinstance(side, Mapping) and all(map(_is_numeric, rows)) and any(len(row) for row in rows):
        if classes is None or not all(map(is_whole, chain.from_iterable(rows))):
            return Wide(numbers_in(rows))
        if all(len(row) == len(classes) and {*row} <= {0, 1} for row in rows):
            raise InputError(
                f"rows of {len(classes)} numbers, 0 and 1, beside as many classes: marks or class numbers",
                "Give numpy.array(rows) for a column of 0 and 1 per class, sets of numbers for classes.",
            )
    return listed_of(rows, tuple(map(str, side)) if isinstance(side, Mapping) else None, classes)


def _holds_texts(array: Any) -> bool:  # noqa: ANN401 - an array of any library
    """Whether an array holds nothing but texts."""
    kind = array.dtype.kind if isinstance(array, np.ndarray) else ""
    return kind == "U" or (kind == "O" and array.size > 0 and all(isinstance(one, str) for one in array.flat))


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
    sides = (("truth", first, second), ("prediction", second, first))
    for name, side, other in sides:
        if not isinstance(side, Wide) or side.concepts is not None:
            continue
        known = _concepts(other) if hierarchy is None else hierarchy.label_vocabulary.concepts
        width = side.numbers.shape[1]
        if (
            hierarchy is not None
            and isinstance(other, FrameRows)
            and not side.of_frame
            and width != len(known)
        ):
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


def _vocabulary(sides: Sequence[Any], hierarchy: Hierarchy | None) -> Vocabulary | None:
    """Concepts for bare labels and unnamed columns; None where the columns are counted."""
    ready = next((side for side in sides if isinstance(side, LabelSets | VerifiedLabels)), None)
    if ready is not None:
        return ready.vocabulary
    if hierarchy is not None:
        return hierarchy.label_vocabulary
    known = tuple(dict.fromkeys(chain.from_iterable(map(_concepts, sides))))
    own = [(side, set(side.labels)) for side in sides if isinstance(side, Listed)]
    names = set().union(*(labels for _, labels in own))
    for side, labels in own:
        side.refuse_joined(known, tuple(names))
        refuse_nothing(labels.difference(known), side.place)
    every = (*known, *sorted(names.difference(known)))
    refuse_alike(every)
    united = any(labels != ({*known} or names) for _, labels in own)
    return Vocabulary(every, united=united) if own or every else None


def _labelled(
    side: Side, vocabulary: Vocabulary | None, hierarchy: Hierarchy | None, *, scores: bool
) -> Ready:
    """Label sets or scores of a side."""
    if not isinstance(side, FrameRows):
        return side
    of_scores = scores and (isinstance(side, Wide) or side.values is not None)
    named = isinstance(side, Wide) and side.concepts is not None
    made = (scores_of_rows if of_scores else sets_of_rows)(side, None if named else vocabulary)
    if not named or hierarchy is None:
        return made
    known = hierarchy.label_vocabulary
    if unknown := {name: "the columns" for name in made.vocabulary if name not in known}:
        raise known.spellings.unknown_error(unknown)
    return made.within(known)


def _concepts(side: Side) -> tuple[str, ...]:
    """All concepts of a side; none where the side has only labels."""
    if isinstance(side, Listed):
        return ()
    found = side.concepts if isinstance(side, Wide) else side.vocabulary.concepts
    return found or ()


def _is_numeric(row: object) -> bool:
    """Whether a row holds numbers of an array, not labels; labels that are numbers come in sets."""
    if isinstance(row, np.ndarray):
        return row.dtype.kind in "biuf"
    numbers = bool | int | float | np.number | np.bool_
    return isinstance(row, list | tuple) and all(isinstance(value, numbers) for value in row)
