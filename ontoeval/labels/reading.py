"""How a label file is to be read, and what becomes of its entries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from typing import Self, TypedDict, cast, get_args

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.files import FilePath
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.named_matrix import Named
from ontoeval.errors import ParameterError, one_of
from ontoeval.labels.concepts import ConceptList, concept_list
from ontoeval.labels.contents import Contents, contents_of
from ontoeval.labels.entries import Entries
from ontoeval.labels.formats import Recognised
from ontoeval.labels.label_files import LabelFile, ScoreFile
from ontoeval.labels.names import Names
from ontoeval.labels.parsing import Wanted
from ontoeval.labels.per_concept import thresholds_by
from ontoeval.labels.tables import Source
from ontoeval.ontology.model import Ontology

Threshold = float | FilePath | Mapping[str, float]


class ScoreOptions(TypedDict, total=False):
    """The options of `read_scores`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    unknown: str
    repeats: ScoreRepeats
    max_bytes: int | None


class LabelOptions(ScoreOptions, total=False):
    """The options of `read_labels`."""

    separator: str | None
    threshold: Threshold | None
    close: bool


@dataclass(frozen=True, eq=False)
class Reading:
    """How a label file is to be read."""

    names: Names
    columns: ConceptList | None = None
    input_format: str | None = None
    separator: str | None = None
    threshold: Threshold | None = None
    hierarchy: Hierarchy | None = None
    repeats: ScoreRepeats = "refuse"

    @classmethod
    def of(cls, ontology: Ontology | None, options: LabelOptions | ScoreOptions) -> Self:
        """Check the options."""
        given = cast("LabelOptions", options)  # scores have fewer options
        repeats = given.get("repeats", "refuse")
        one_of("repeats", repeats, get_args(ScoreRepeats))
        concepts, separator = given.get("concepts"), given.get("separator")
        threshold, close = given.get("threshold"), given.get("close", False)
        if separator == "":
            raise ParameterError("separator", separator, "at least one character")
        if close and ontology is None:
            raise ParameterError("close", close, "an ontology beside it, whose hierarchy tells the ancestors")
        named = isinstance(threshold, Mapping | str | os.PathLike)
        finite = isinstance(threshold, Real) and not isinstance(threshold, bool) and isfinite(threshold)
        if threshold is not None and not named and not finite:
            raise ParameterError("threshold", threshold, "a finite number, a mapping, or a file")
        columns = None if concepts is None else concept_list(concepts)
        names = Names.given(
            ontology,
            concepts=columns,
            concept_map=options.get("concept_map"),
            unknown=options.get("unknown", "error"),
        )
        hierarchy = None
        if close and ontology is not None and names.vocabulary is not None:
            hierarchy = ontology.hierarchy().with_labels(names.vocabulary)
        return cls(names, columns, options.get("input_format"), separator, threshold, hierarchy, repeats)

    def wanted(self, *, scores: bool) -> Wanted:
        """Say what is wanted of the file."""
        known = None if self.names.vocabulary is None else self.names.know
        return Wanted(scores or self.threshold is not None, self.columns, self.separator, known)

    def label_file(self, entries: Entries, form: Recognised, source: Source) -> LabelFile:
        """Make label sets of entries."""
        contents = self._contents(entries, form, source)
        told = contents.told(source.digest)
        if self.threshold is None:
            sets = contents.sets()
            told["repeated"] = contents.row.size - sets.matrix.nnz
        else:
            scores, again = contents.scores(self.repeats)
            sets = scores.at(self._limits(contents))
            told |= {"repeated_scores": again, "repeats": self.repeats}
        if self.hierarchy is None:
            return LabelFile(sets=sets, **told)
        closed = sets.closed(self.hierarchy)
        return LabelFile(
            sets=closed,
            closed=int((closed.sizes > sets.sizes).sum()),
            added=int(closed.matrix.nnz - sets.matrix.nnz),
            **told,
        )

    def score_file(self, entries: Entries, form: Recognised, source: Source) -> ScoreFile:
        """Make label scores of entries."""
        contents = self._contents(entries, form, source)
        scores, again = contents.scores(self.repeats)
        told = contents.told(source.digest)
        return ScoreFile(scores=scores, repeated_scores=again, repeats=self.repeats, **told)

    def numbers(self, entries: Entries, form: Recognised, source: Source) -> Named:
        """Put the numbers of entries into a named matrix, zeros too."""
        return self._contents(entries, form, source).numbers()[0]

    def _contents(self, entries: Entries, form: Recognised, source: Source) -> Contents:
        certain = self.input_format is not None
        return contents_of(entries, form, self.names, source.where, certain=certain)

    def _limits(self, contents: Contents) -> float | Mapping[str, float]:
        if isinstance(self.threshold, Mapping | str | os.PathLike):
            return thresholds_by(replace(self.names, vocabulary=contents.vocabulary), self.threshold)
        return float(self.threshold or 0)
