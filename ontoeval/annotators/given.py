"""Annotations as they are handed over: ready, in files, a data frame, or the label sets of each annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from os import PathLike
from typing import Any, cast

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.frames import AnyFrame, is_frame
from ontoeval.core.inputs import Labels
from ontoeval.core.rows import BY_NAME, LabelSyntax
from ontoeval.errors import InputError
from ontoeval.plumbing.files import FilePath

AnyAnnotations = Annotations | Mapping[str, Labels] | AnyFrame | FilePath | Sequence[FilePath]
"""Annotations, the label sets of each annotator, a data frame, or files."""


def annotations_of(given: AnyAnnotations, reading: LabelSyntax = BY_NAME) -> Annotations:
    """Make annotations of a data frame, of files, or of the label sets of each annotator."""
    if isinstance(given, Annotations):
        return given
    files: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
    if files and all(isinstance(one, str | PathLike) for one in files):
        read: Any = import_module("ontoeval.labels.annotations").read_annotations
        return cast("Annotations", read(*files, concepts=reading.classes, separator=reading.separator))
    if is_frame(given):
        return Annotations.from_frame(given, classes=reading.classes, separator=reading.separator)
    if isinstance(given, Mapping):
        return Annotations.from_sets(given, classes=reading.classes, separator=reading.separator)
    raise InputError(
        f"{type(given).__name__} stands where annotations belong",
        "Give files, ontoeval.Annotations.from_frame(frame) or ontoeval.Annotations.from_sets({name: sets}).",
    )
