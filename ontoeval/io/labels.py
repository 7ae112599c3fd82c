"""Label files in, LabelSets and LabelScores out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import InputError, ParameterError, listed
from ontoeval.io.concepts import concept_list
from ontoeval.io.entries import Entries
from ontoeval.io.formats import Recognised, recognised
from ontoeval.io.names import ConceptNames, Names
from ontoeval.io.parsing import parse
from ontoeval.io.per_concept import thresholds_by
from ontoeval.io.tables import read_source
from ontoeval.labels import LabelScores, LabelSets
from ontoeval.vocabulary import Vocabulary

Path = str | os.PathLike[str]
Threshold = float | Path | Mapping[str, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class _File:
    """What is known of a label file beside its contents."""

    source: str
    digest: str
    format: Recognised
    dropped: Mapping[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken as it is written, in words."""
        if not self.dropped:
            return ()
        counts = sorted(self.dropped.items(), key=lambda item: -item[1])
        return (
            f"{self.source}: left out {len(counts):,} unknown concepts, {sum(self.dropped.values()):,} entries: "
            + listed([f"{name} ({count:,})" for name, count in counts[:5]], total=len(counts)),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelFile(_File):
    """A label file that has been read.

    Parameters
    ----------
    source
        The path as it was given.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    format
        The format that was recognised or asked for; printing it says it in words.
    dropped
        How often each label occurred that is no concept and was left out.
    sets
        The labels of each sample.
    repeated
        How many labels were given to a sample that had them already, which changes nothing.
    """

    sets: LabelSets
    repeated: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken as it is written, in words."""
        repeated = (f"{self.source}: {self.repeated:,} labels repeated for the same sample",)
        return (*super().notes, *(repeated if self.repeated else ()))

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {len(self.sets):,} samples"


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFile(_File):
    """A file of scores that has been read.

    Parameters
    ----------
    source
        The path as it was given.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    format
        The format that was recognised or asked for; printing it says it in words.
    dropped
        How often each label occurred that is no concept and was left out.
    scores
        The scores of each sample.
    """

    scores: LabelScores

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {len(self.scores):,} samples with scores"
