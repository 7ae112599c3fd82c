"""Annotations: the answers of several annotators on the same samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.frames import AnyFrame, by_annotator
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, opened_side, refuse_counted, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.core.rows import LabelSyntax, Wide
from ontoeval.core.shares import Repetition, Shares, SoftTruth
from ontoeval.core.showing import Brief
from ontoeval.core.vocabulary import Vocabulary, rename_concepts, union_of, vocabulary_of
from ontoeval.errors import (
    InputError,
    UnknownConceptError,
    did_you_mean,
    enumerate_some,
    pluralise,
    pluralise_all,
)
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.sparse import pattern, pattern_at, row_of_entries, without_entries
from ontoeval.plumbing.values import PickledByFields


@dataclass(frozen=True, eq=False, repr=False)
class Annotations(Brief, PickledByFields, SoftTruth):
    """The answers of several annotators, one sheet for each sample that an annotator has seen.

    Parameters
    ----------
    positive
        Sheets × concepts, true where the annotator says that the concept is present.
    unknown
        Sheets × concepts, true where the annotator is undecided, or was not asked; all others are absent.
    vocabulary
        The concepts.
    samples, annotators
        Names, none twice.
    sample, annotator
        Positions among these names, one per sheet.

    Raises
    ------
    InputError
        If shapes do not fit, a name occurs twice, an annotator has two sheets for one sample, or a concept is
        both present and unknown.

    Examples
    --------
    >>> sheets = {"Ann": {"p1": ["sky"], "p2": []}, "Bob": {"p1": ["sky", "sea"]}}
    >>> said = Annotations.from_sets(sheets)
    >>> len(said), said.of("Bob").labels_of("p1")
    (3, ('sea', 'sky'))
    """

    positive: sparse.csr_array
    unknown: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    sample: Places
    annotator: Places

    @property
    def _brief(self) -> str:
        samples, concepts = len(self.samples), len(self.vocabulary)
        return pluralise_all(annotator=len(self.annotators), sample=samples, concept=concepts)

    def __post_init__(self) -> None:
        """Check that everything fits, and sort the sheets by sample and annotator."""
        names = {"samples": tuple(self.samples), "annotators": tuple(self.annotators)}
        for what, some in names.items():
            if len(set(some)) < len(some):
                twice = [name for name, times in Counter(some).items() if times > 1]
                raise InputError(f"{what} that occur twice: {enumerate_some(twice)}", "Name each once.")
        sample, annotator = (np.asarray(side, dtype=np.intp) for side in (self.sample, self.annotator))
        shape = sample.size, len(self.vocabulary)
        if not (self.positive.shape == self.unknown.shape == shape and annotator.shape == sample.shape):
            raise InputError(
                f"sheets of shapes {self.positive.shape} and {self.unknown.shape} for {sample.size:,} "
                f"samples, {annotator.size:,} annotators and {shape[1]:,} concepts",
                "Give one row per sheet and one column per concept.",
            )
        order = np.lexsort((annotator, sample))
        sample, annotator = sample[order], annotator[order]
        again = np.flatnonzero((np.diff(sample) == 0) & (np.diff(annotator) == 0))
        if again.size:
            who, what = self.annotators[annotator[again[0]]], self.samples[sample[again[0]]]
            raise InputError(f"two sheets of {who!r} for sample {what!r}", "Keep one.")
        positive, unknown = (pattern(side[order]) for side in (self.positive, self.unknown))
        if (positive * unknown).nnz:
            raise InputError("concepts marked both present and unknown", "Keep one of the two statements.")
        places = {"sample": sample, "annotator": annotator}
        for array in places.values():
            array.flags.writeable = False
        vars(self).update(**names, **places, positive=positive, unknown=unknown)

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[str, Labels],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        separator: str | None = None,
    ) -> Self:
        """Take the label sets of each annotator.

        Parameters
        ----------
        sets
            For each annotator the labels of the samples seen: whatever `evaluate` takes for label sets; a
            list of sets is of the samples "0", "1" and so on.
        vocabulary
            The concepts; by default the classes, or the labels that occur, sorted.
        classes, separator
            See `evaluate`.

        Returns
        -------
        Annotations
            The sheets; samples in the order in which they are first met.

        Raises
        ------
        UnknownConceptError
            If a label is not in the vocabulary.
        """
        reading = LabelSyntax(classes, separator)
        told = {who: opened_side(some, reading) for who, some in sets.items()}
        refuse_counted({f"annotator {who!r}": side for who, side in told.items()})
        read = {
            who: side if isinstance(side, LabelSets) else sets_of(side, reading=reading)
            for who, side in told.items()
        }
        listed = reading.classes if vocabulary is None else vocabulary
        tables = [isinstance(side, Wide) for side in told.values()]
        if listed is None:
            listed = union_of(some.vocabulary for some in read.values())
            listed = listed.of("columns") if all(tables) else listed
        concepts = vocabulary_of(listed)
        for who, some in read.items():
            columns, entries = np.unique(some.matrix.indices, return_index=True)
            found = zip(columns.tolist(), row_of_entries(some.matrix)[entries].tolist(), strict=True)
            places = {some.vocabulary[at]: f"sample {some.samples[row]!r} of {who!r}" for at, row in found}
            unknown = {name: place for name, place in places.items() if name not in concepts}
            if unknown:
                raise UnknownConceptError(unknown, concepts)
        samples = tuple(dict.fromkeys(name for some in read.values() for name in some.samples))
        place = {name: position for position, name in enumerate(samples)}
        empty = sparse.csr_array((0, len(concepts)), dtype=bool)
        matrices = [some.within(concepts).matrix for some in read.values()]
        unasked = [
            _without_columns(len(some), concepts, some.vocabulary if table else concepts)
            for table, some in zip(tables, read.values(), strict=True)
        ]
        return cls(
            sparse.csr_array(sparse.vstack([empty, *matrices], format="csr")),
            sparse.csr_array(sparse.vstack([empty, *unasked], format="csr")),
            concepts,
            samples,
            tuple(read),
            np.array([place[name] for some in read.values() for name in some.samples], dtype=np.intp),
            np.repeat(np.arange(len(read)), [len(some) for some in read.values()]),
        )

    @classmethod
    def from_frame(
        cls,
        frame: AnyFrame,
        *,
        sample: str | None = None,
        annotator: str | None = None,
        concept: str | None = None,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        separator: str | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows.

        Parameters
        ----------
        frame
            One row per label, or one row per sheet with a list of its labels, or with one column of 0 and 1
            per concept. A null in the place of a label is a sheet without labels.
        sample, annotator, concept
            Columns; by default those with a usual name, such as "image", "rater" or "label".
        vocabulary
            The concepts; by default the classes, the columns, or the labels that occur, sorted.
        classes, separator
            See `evaluate`.

        Raises
        ------
        InputError
            If a column is missing, or the frame can be read in several ways.
        UnknownConceptError
            If a label is not in the vocabulary.
        """
        columns = {"annotator": annotator, "sample": sample, "concept": concept}
        found = by_annotator(frame, **columns, reading=LabelSyntax(classes, separator))
        return cls.from_sets(found, vocabulary=vocabulary, classes=classes, separator=separator)

    def __len__(self) -> int:
        """Count the sheets."""
        return self.sample.size

    @cached_property
    def sheets_of_samples(self) -> Places:
        """How many annotators have seen each sample."""
        return np.bincount(self.sample, minlength=len(self.samples))

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Which concepts any sheet decides."""
        return np.asarray(np.bincount(self.unknown.indices, minlength=len(self.vocabulary)) < len(self))

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Which sheets decide every concept that any sheet decides."""
        never = (~self.asked).sum()
        return np.asarray((np.diff(self.unknown.indptr) == never) & (never < len(self.vocabulary)))

    @cached_property
    def comparable(self) -> bool:
        """Whether any sample has two complete sheets."""
        return bool((np.bincount(self.sample[self.complete], minlength=1) > 1).any())

    def chosen(self, sheets: NDArray[np.bool_] | Places) -> Self:
        """Keep some sheets.

        Parameters
        ----------
        sheets
            A mask, or positions.
        """
        parts = "positive", "unknown", "sample", "annotator"
        return replace(self, **{name: getattr(self, name)[sheets] for name in parts})

    def in_order(self, *, annotators: bool = True) -> Self:
        """Sort samples, and annotators, so that the order of rows in a file changes no draw.

        Parameters
        ----------
        annotators
            Whether annotators are sorted too.
        """
        sides = {"samples": in_order(self.samples)}
        if annotators:
            sides["annotators"] = in_order(self.annotators)
        moved: dict[str, Any] = {}
        for names, after in sides.items():
            if after != getattr(self, names):
                place = {name: at for at, name in enumerate(after)}
                before = np.array([place[name] for name in getattr(self, names)], dtype=np.intp)
                moved |= {names: after, names[:-1]: before[getattr(self, names[:-1])]}
        return replace(self, **moved) if moved else self

    def named_by(self, vocabulary: Vocabulary) -> Self:
        """Give concepts the names that a vocabulary has for them; columns of one concept are united.

        Parameters
        ----------
        vocabulary
            The names, such as those of a hierarchy; what means no concept of it keeps its name.

        Raises
        ------
        AmbiguousNameError
            If a name means several concepts.
        """
        names = vocabulary.translated(self.vocabulary)
        if not names:
            return self
        concepts, column = rename_concepts(self.vocabulary, names)
        ends = np.arange(column.size), column
        moves = sparse.csr_array((np.ones(column.size), ends), shape=(column.size, len(concepts)))
        positive, unknown = pattern(self.positive @ moves), self.unknown @ moves
        unknown.data = unknown.data == moves.sum(axis=0)[unknown.indices]  # none of them decided
        return replace(
            self, positive=positive, unknown=without_entries(pattern(unknown), positive), vocabulary=concepts
        )

    def beside(self, hierarchy: Hierarchy) -> Self:
        """Count the concepts of a hierarchy that may be labels, unless a list was given.

        Parameters
        ----------
        hierarchy
            Its other concepts are absent, or unknown where annotators filled in columns.

        Raises
        ------
        UnknownConceptError, InputError
            If the hierarchy lacks a label, or has it as an abstract concept.
        """
        named = self.named_by(hierarchy.vocabulary)
        hierarchy.with_labels(named.vocabulary[at] for at in np.unique(named.positive.indices).tolist())
        own, labels = named.vocabulary, hierarchy.label_vocabulary
        if own.origin not in {"columns", "side", "sides"}:
            return named
        place = np.array([labels.index.get(name, -1) for name in own], dtype=np.intp)
        there = np.flatnonzero(place >= 0)
        moves = pattern_at(there, place[there], (len(own), len(labels)))
        unknown = pattern(named.unknown @ moves)
        if own.origin == "columns":
            unknown = pattern(unknown + _without_columns(len(self), labels, own))
        return replace(named, positive=pattern(named.positive @ moves), unknown=unknown, vocabulary=labels)

    @front_door
    def closed(self, hierarchy: AnyHierarchy) -> Self:
        """Add to every sheet the ancestors of its labels.

        Concepts that no sheet decides are not added: nobody could say that they are absent.

        Parameters
        ----------
        hierarchy
            The hierarchy; ancestors outside the vocabulary are not added.

        Returns
        -------
        Annotations
            The same sheets with more labels, and less that is unknown.

        Raises
        ------
        UnknownConceptError
            If the hierarchy lacks a concept.

        Examples
        --------
        >>> hierarchy = [("plants", "trees")]
        >>> names = ["plants", "trees"]
        >>> said = Annotations.from_sets({"Ann": [["trees"]]}, vocabulary=names)
        >>> said.closed(hierarchy).of("Ann").labels_of("0")
        ('plants', 'trees')
        """
        self = self.named_by(hierarchy.vocabulary)  # noqa: PLW0642 - the same sheets
        places = hierarchy.vocabulary.positions(self.vocabulary)
        upwards = sparse.csr_array(hierarchy.ancestors[places][:, places])
        there = pattern(self.positive @ (upwards * self.asked[None]))
        return replace(self, positive=there, unknown=without_entries(self.unknown, there))

    @property
    def repeated(self) -> Repetition:
        """Each sample once for each of its annotators, who weigh the same; undecided concepts are refused."""
        if self.unknown.nnz:
            sheets = np.diff(self.unknown.indptr) > 0
            concepts = (self.vocabulary[at] for at in np.unique(self.unknown.indices).tolist())
            raise InputError(
                f"{pluralise(int(sheets.sum()), 'sheet')} without a decision on some concepts: "
                f"{enumerate_some(list(concepts))}",
                "Let annotators decide all, list the concepts that they were asked for (concepts=, "
                "--concepts), or score their consensus (agreement --truth FILE).",
            )
        if lacking := [self.samples[at] for at in np.flatnonzero(self.sheets_of_samples == 0)]:
            problem = f"{pluralise(len(lacking), 'sample')} without annotators: {enumerate_some(lacking)}"
            raise InputError(problem, "Leave them out.")
        every = pattern(self._sheets_by_sample @ self.positive)
        names = zip(self.sample.tolist(), self.annotator.tolist(), strict=True)
        named = tuple(f"{self.samples[at]}/{self.annotators[who]}" for at, who in names)
        once = LabelSets(every, self.vocabulary, self.samples)
        rows, weight = (
            LabelSets(self.positive, self.vocabulary, named),
            1 / self.sheets_of_samples[self.sample],
        )
        return Repetition(once, rows, self.sample, weight, pluralise(len(self.annotators), "annotator"))

    @property
    def _sheets_by_sample(self) -> sparse.csr_array:
        """Samples × sheets, 1 where a sheet is of a sample."""
        places = self.sample, np.arange(len(self))
        return sparse.csr_array((np.ones(len(self)), places), shape=(len(self.samples), len(self)))

    @front_door
    def shares(self, hierarchy: AnyHierarchy | None = None) -> Shares:
        """Compute the share of annotators that give each label of a sample.

        Parameters
        ----------
        hierarchy
            Closes the labels of each annotator first, over all of its concepts.

        Returns
        -------
        Shares
            One row per sample.

        Raises
        ------
        InputError
            If a concept is undecided, or a sample has no annotators.

        Examples
        --------
        >>> said = Annotations.from_sets({"Ann": [["oak"]], "Bob": [["pine"]]})
        >>> said.shares([("tree", "oak"), ("tree", "pine")]).matrix.toarray().tolist()
        [[1.0, 0.5, 0.5]]
        """
        rows = self.repeated.rows
        marks, vocabulary = rows.matrix, rows.vocabulary
        if hierarchy is not None:
            vocabulary = hierarchy.vocabulary
            marks = (
                rows.named_by(vocabulary).within(hierarchy.label_vocabulary).matrix
                @ hierarchy.label_ancestors
            )
        counts = sparse.csr_array(self._sheets_by_sample @ pattern(marks).astype(np.float64))
        counts.data /= self.sheets_of_samples[row_of_entries(counts)]
        return Shares(counts, vocabulary, self.samples)

    def of(self, annotator: str) -> LabelSets:
        """Give the label sets of one annotator.

        Parameters
        ----------
        annotator
            The name.

        Returns
        -------
        LabelSets
            The samples that the annotator has seen; undecided concepts are not among their labels.

        Raises
        ------
        InputError
            If there is no such annotator.
        """
        own = np.flatnonzero(self.annotator == annotator_position(self, annotator))
        return LabelSets(
            self.positive[own], self.vocabulary, tuple(self.samples[row] for row in self.sample[own].tolist())
        )


def _without_columns(sheets: int, concepts: Vocabulary, columns: Vocabulary) -> sparse.csr_array:
    """Mark on every sheet the concepts that have no column."""
    lacking = np.array([name not in columns for name in concepts], dtype=bool)
    return sparse.csr_array(np.ones((sheets, 1), dtype=bool)) @ sparse.csr_array(lacking[None])


def annotator_position(annotations: Annotations, annotator: str) -> int:
    """Look an annotator up by name."""
    if annotator not in annotations.annotators:
        problem = f"no annotator {annotator!r}{did_you_mean(annotator, annotations.annotators)}"
        raise InputError(problem, f"The first are {enumerate_some(annotations.annotators)}.")
    return annotations.annotators.index(annotator)
