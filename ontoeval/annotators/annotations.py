"""Annotations: who said what of which sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.coercion import Labels, readable, refuse_counted, sets_of
from ontoeval.core.csr import pattern, without
from ontoeval.core.frames import by_annotator, is_frame
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets, named_sets
from ontoeval.core.named_matrix import of_entries
from ontoeval.core.remade import Remade
from ontoeval.core.resampling import in_order
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, UnknownConceptError, listed, near

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Annotations(Remade):
    """What several annotators said of the same samples, one sheet for each sample that one of them has seen.

    Parameters
    ----------
    positive
        One row per sheet and one column per concept, true where the annotator says that it is there.
    unknown
        The same, true where nothing is known: the annotator is undecided, or was not asked. Of every
        other concept a sheet says that it is not there.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples, none twice.
    annotators
        Names of the annotators, none twice.
    sample
        Position of the sample, one per sheet.
    annotator
        Position of the annotator, one per sheet.

    Raises
    ------
    InputError
        If shapes do not fit, names occur twice, an annotator has two sheets for one sample, or a
        concept is both there and unknown.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": {"p1": ["sky"], "p2": []}, "Bob": {"p1": ["sky", "sea"]}})
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

    def __post_init__(self) -> None:
        """Check that everything fits, and sort the sheets by sample and annotator."""
        names = {"samples": tuple(self.samples), "annotators": tuple(self.annotators)}
        for what, some in names.items():
            if len(set(some)) < len(some):
                twice = [name for name, times in Counter(some).items() if times > 1]
                raise InputError(f"{what} that occur twice: {listed(twice)}", "Name each once.")
            object.__setattr__(self, what, some)
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
            raise InputError("concepts that are both there and unknown", "Keep one of the two statements.")
        for array in (sample, annotator):
            array.flags.writeable = False
        for name, value in (
            ("positive", positive),
            ("unknown", unknown),
            ("sample", sample),
            ("annotator", annotator),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[str, Labels],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
    ) -> Self:
        """Take the label sets of each annotator.

        Parameters
        ----------
        sets
            For each annotator the labels of the samples that he has seen: sets, a data frame, a mapping from
            sample to labels, or the labels of one sample after the other, called "0", "1" and so on.
        vocabulary
            The concepts; by default the labels that occur, sorted.

        Returns
        -------
        Annotations
            The sheets; samples in the order in which they are first met.

        Raises
        ------
        UnknownConceptError
            If a label is not in the vocabulary.

        Examples
        --------
        >>> Annotations.from_sets({"Ann": {"p1": ["sky"]}, "Bob": {"p1": ["sea"]}}).vocabulary.concepts
        ('sea', 'sky')
        """
        told = {who: readable(some) for who, some in sets.items()}
        refuse_counted({f"annotator {who!r}": side for who, side in told.items()})
        read = {who: side if isinstance(side, LabelSets) else sets_of(side) for who, side in told.items()}
        if vocabulary is None:
            vocabulary = sorted({name for some in read.values() for name in some.vocabulary})
        concepts = vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary(tuple(vocabulary))
        for who, some in read.items():
            unknown = {
                some.vocabulary[column]: f"the labels of {who!r}"
                for column in np.unique(some.matrix.indices)
                if some.vocabulary[column] not in concepts
            }
            if unknown:
                raise UnknownConceptError(unknown, concepts)
        row = {name: None for some in read.values() for name in some.samples}
        place = {name: position for position, name in enumerate(row)}
        matrices = [some.within(concepts).matrix for some in read.values()]
        empty = sparse.csr_array((0, len(concepts)), dtype=bool)
        positive = sparse.csr_array(sparse.vstack([empty, *matrices], format="csr"))
        return cls(
            positive,
            sparse.csr_array((positive.shape[0], len(concepts)), dtype=bool),
            concepts,
            tuple(row),
            tuple(read),
            np.array([place[name] for some in read.values() for name in some.samples], dtype=np.intp),
            np.repeat(np.arange(len(read)), [len(some) for some in read.values()]),
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str | None = None,
        annotator: str | None = None,
        concept: str | None = None,
        vocabulary: Vocabulary | Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows.

        Parameters
        ----------
        frame
            One row per label, or one row per sheet with a list of its labels, or with one column of 0 and 1
            per concept.
        sample
            The column of the sample identifiers; by default as `LabelSets.from_frame` finds them.
        annotator
            The column of the annotators; by default the one that is called "annotator", "rater" or the like.
        concept
            The column of the labels; by default as `LabelSets.from_frame` finds it. A null stands for a
            sheet without labels.
        vocabulary
            The concepts; by default the columns, or the labels that occur, sorted.

        Returns
        -------
        Annotations
            The sheets.

        Raises
        ------
        InputError
            If a column is not there, or the frame can be read in several ways.
        UnknownConceptError
            If a label is not in the vocabulary.
        """
        found = by_annotator(frame, annotator=annotator, sample=sample, concept=concept)
        sets = {who: LabelSets(*named_sets(rows, None)) for who, rows in found.items()}
        return cls.from_sets(sets, vocabulary=vocabulary)

    @classmethod
    def from_records(
        cls,
        records: Iterable[tuple[str, str, str | None]],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
    ) -> Self:
        """Take one label after the other.

        Parameters
        ----------
        records
            Sample, annotator and label; None or "" where the annotator saw no label at all.
        vocabulary
            The concepts; by default the labels that occur, sorted.

        Returns
        -------
        Annotations
            The sheets; samples and annotators in the order in which they are first met.

        Raises
        ------
        UnknownConceptError
            If a label is not in the vocabulary.
        InputError
            If an annotator says the same twice.

        Examples
        --------
        >>> said = Annotations.from_records([("p1", "Ann", "sky"), ("p1", "Bob", None)])
        >>> said.positive.toarray().tolist()
        [[True], [False]]
        """
        rows = [(str(sample), str(who), label) for sample, who, label in records]
        seen: dict[tuple[str, str, str | None], None] = {}
        for record in rows:
            if record in seen:
                sample, who, label = record
                raise InputError(f"{who!r} says {label!r} of sample {sample!r} twice", "Keep one.")
            seen[record] = None
        samples = {name: number for number, name in enumerate(dict.fromkeys(row[0] for row in rows))}
        annotators = {name: number for number, name in enumerate(dict.fromkeys(row[1] for row in rows))}
        sheets: dict[tuple[str, str], int] = {}
        for name, who, _ in rows:
            sheets.setdefault((name, who), len(sheets))
        said = [(sheets[name, who], str(label)) for name, who, label in rows if label]
        owner = np.array([sheet for sheet, _ in said], dtype=np.intp)
        positive, concepts, _ = of_entries(
            [label for _, label in said],
            owner,
            np.ones(len(said), dtype=bool),
            vocabulary,
            [f"{name} of {who}" for name, who in sheets],
        )
        return cls(
            positive,
            sparse.csr_array(positive.shape, dtype=bool),
            concepts,
            tuple(samples),
            tuple(annotators),
            np.array([samples[name] for name, _ in sheets], dtype=np.intp),
            np.array([annotators[who] for _, who in sheets], dtype=np.intp),
        )

    def __len__(self) -> int:
        """Count the sheets."""
        return self.sample.size

    @cached_property
    def sheets_of_samples(self) -> Places:
        """How many annotators have seen each sample."""
        return np.bincount(self.sample, minlength=len(self.samples))

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Of which concepts any sheet says anything."""
        return np.asarray(np.bincount(self.unknown.indices, minlength=len(self.vocabulary)) < len(self))

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Which sheets say something of every concept of which any sheet does."""
        never = (~self.asked).sum()
        return np.asarray((np.diff(self.unknown.indptr) == never) & (never < len(self.vocabulary)))

    @cached_property
    def comparable(self) -> bool:
        """Whether any sample has two sheets that say something of every concept."""
        return bool((np.bincount(self.sample[self.complete], minlength=1) > 1).any())

    def chosen(self, sheets: NDArray[np.bool_] | Places) -> Self:
        """Keep some sheets.

        Parameters
        ----------
        sheets
            A mark for each sheet, or positions.

        Returns
        -------
        Annotations
            These alone, over the same concepts, samples and annotators.
        """
        return type(self)(
            self.positive[sheets],
            self.unknown[sheets],
            self.vocabulary,
            self.samples,
            self.annotators,
            self.sample[sheets],
            self.annotator[sheets],
        )

    def in_order(self, *, annotators: bool = True) -> Self:
        """Sort samples, and annotators, as they are drawn: the order of rows in a file changes no draw.

        Parameters
        ----------
        annotators
            Whether annotators are sorted too.

        Returns
        -------
        Annotations
            The same annotations.
        """
        samples = in_order(self.samples)
        names = in_order(self.annotators) if annotators else self.annotators
        if (samples, names) == (self.samples, self.annotators):
            return self
        sides = ((self.samples, samples, self.sample), (self.annotators, names, self.annotator))
        sample, annotator = (
            np.array([place[name] for name in before], dtype=np.intp)[positions]
            for before, after, positions in sides
            for place in ({name: at for at, name in enumerate(after)},)
        )
        return replace(self, samples=samples, annotators=names, sample=sample, annotator=annotator)

    def closed(self, hierarchy: Hierarchy) -> Self:
        """Close every sheet upwards: whoever says that a concept is there says so of what lies above it.

        Nothing is added of a concept of which no sheet says anything, such as one that has no column in
        tables of values: nobody could say that it is not there, and all would seem to agree on it.

        Parameters
        ----------
        hierarchy
            Tells the ancestors; those that are no concepts here are not added.

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
        >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
        >>> said = Annotations.from_sets({"Ann": [["trees"]]}, vocabulary=["plants", "trees"])
        >>> said.closed(hierarchy).of("Ann").labels_of("0")
        ('plants', 'trees')
        """
        places = hierarchy.vocabulary.positions(self.vocabulary)
        upwards = sparse.csr_array(hierarchy.ancestors[places][:, places])
        there = pattern(self.positive @ (upwards * self.asked[None]))
        return replace(self, positive=there, unknown=without(self.unknown, there))

    def of(self, annotator: str) -> LabelSets:
        """Give what one annotator says is there.

        Parameters
        ----------
        annotator
            The name.

        Returns
        -------
        LabelSets
            The samples that he has seen; what he is undecided of is not among their labels.

        Raises
        ------
        InputError
            If there is no such annotator.
        """
        if annotator not in self.annotators:
            raise InputError(
                f"no annotator {annotator!r}{near(annotator, self.annotators)}",
                f"The first are {listed(self.annotators)}.",
            )
        own = np.flatnonzero(self.annotator == self.annotators.index(annotator))
        return LabelSets(
            self.positive[own], self.vocabulary, tuple(self.samples[row] for row in self.sample[own].tolist())
        )


def annotations_of(given: Any) -> Annotations:  # noqa: ANN401 - annotations, a frame or a mapping
    """Make annotations of a data frame, or of the label sets of each annotator."""
    if isinstance(given, Annotations):
        return given
    if is_frame(given):
        return Annotations.from_frame(given)
    if isinstance(given, Mapping):
        return Annotations.from_sets(given)
    raise InputError(
        f"{type(given).__name__} stands where annotations belong",
        "Give read_annotations(path), Annotations.from_frame(frame) or Annotations.from_sets({name: sets}).",
    )
