"""Truths of several annotators: each sample repeated for each of them, or for each level of their shares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, pluralise
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import checked_csr, ranges, row_of_entries
from ontoeval.plumbing.values import copy_unchecked


class ShareLevels(LabelSets):
    """Sets of labels whose share reaches a level; annotators need not have given them together."""


@dataclass(frozen=True, eq=False)
class Repetition:
    """Each sample in several rows, whose weights sum to 1."""

    once: LabelSets
    """Each sample with all labels that its rows have."""
    rows: LabelSets
    sample: Places
    """Position of the sample of each row."""
    weight: Numbers
    kind: str
    """What the rows are, in words."""

    @cached_property
    def sample_of(self) -> Mapping[str, str]:
        """Name of the sample of each row."""
        return {name: self.once.samples[at] for name, at in zip(self.rows.samples, self.sample, strict=True)}

    def admitted(self, hierarchy: Hierarchy | None) -> Hierarchy | None:
        """Let abstract concepts that have shares of annotators be labels."""
        if hierarchy is None or not isinstance(self.rows, ShareLevels):
            return hierarchy
        once = self.once.named_by(hierarchy.vocabulary)
        used = {once.vocabulary[at] for at in np.unique(once.matrix.indices).tolist()}
        kept = [hierarchy.vocabulary[at] not in used for at in np.flatnonzero(hierarchy.abstract).tolist()]
        abstract = hierarchy.abstract.copy()
        abstract[abstract] = kept
        return hierarchy if all(kept) else replace(hierarchy, abstract=abstract, costs={})

    def repeat(self, batches: list[Batch | ScoredBatch]) -> list[Batch | ScoredBatch]:
        """Repeat aligned batches, whose truth is `once`."""
        first, rows, weight = batches[0], self.rows, self.weight
        if first.hierarchy is not None:
            rows = rows.named_by(first.hierarchy.vocabulary)
        rows = rows.within(first.truth.vocabulary)
        if first.sample_weight is not None:
            weight = weight * first.sample_weight[self.sample]

        def repeated(side: LabelSets | LabelScores) -> LabelSets | LabelScores:
            return side.remade(sparse.csr_array(side.matrix[self.sample]), samples=rows.samples)

        both = {"truth": rows, "sample_weight": weight}
        return [copy_unchecked(one, prediction=repeated(one.prediction), **both) for one in batches]

    def notes(self, hierarchy: Hierarchy | None) -> Iterator[str]:
        """Lines of the recipe on what is repeated, and on the shares of ancestors."""
        count = f"{pluralise(len(self.once), 'sample')} in {pluralise(len(self.rows), 'row')}"
        means = "; means over samples are means over annotators" * (not isinstance(self.rows, ShareLevels))
        yield f"truth of {self.kind}: {count}, whose weights sum to 1{means}"
        if not isinstance(self.rows, ShareLevels):
            if hierarchy is not None and "agreement" in hierarchy.weights:
                yield "annotators and agreement weights both discount what annotators disagree on"
        elif hierarchy is not None:
            own = self.rows.named_by(hierarchy.vocabulary).within(hierarchy.label_vocabulary)
            if hierarchy.abstract.any() or own.unclosed(hierarchy).any():
                yield (
                    "the share of an ancestor is the largest of its own and its descendants', a lower bound; "
                    "`ontoeval agreement ANNOTATIONS --ontology FILE --shares NEW` writes that of annotators"
                )
            elif (own.matrix @ hierarchy.labels_directly_above).nnz:
                yield "the shares hold ancestors, which measures without a hierarchy, such as F, count too"


class SoftTruth(ABC):
    """A truth of which annotators may have different opinions."""

    @property
    @abstractmethod
    def repeated(self) -> Repetition:
        """Each sample in rows of label sets, whose weights sum to 1."""


@dataclass(frozen=True, eq=False, repr=False)
class Shares(LabelScores, SoftTruth):
    """The share of annotators that give each label of a sample, a number from 0 to 1.

    Parameters
    ----------
    matrix
        One row per sample and one column per concept; a label that is not stored has the share 0.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples, none twice.
    signed
        As of `LabelScores`: shares are never below 0.

    Raises
    ------
    InputError
        If a share is below 0, above 1, or no number, or the shape does not fit.

    Examples
    --------
    >>> shares = Shares.from_array([[0.6, 0.4], [1, 0]])
    >>> [shares.repeated.rows.sizes.tolist(), shares.repeated.weight.tolist()]
    [[2, 1, 0, 1], [0.4, 0.19999999999999996, 0.4, 1.0]]
    """

    def __post_init__(self) -> None:
        """Check that all are shares."""
        matrix = checked_csr(self.matrix)
        wrong = np.flatnonzero(~((matrix.data >= 0) & (matrix.data <= 1)))
        if wrong.size:
            sample, concept = row_of_entries(matrix)[wrong[0]], int(matrix.indices[wrong[0]])
            raise InputError(
                f"the share of {tuple(self.vocabulary)[concept]!r} in sample {self.samples[sample]!r} is "
                f"{matrix.data[wrong[0]]:g}",
                "Write the share of the sample's annotators that give the label, from 0 to 1.",
            )
        super().__post_init__()

    @property
    def repeated(self) -> Repetition:
        """Each sample once for each level of its shares, with the labels that reach the level.

        A level weighs what it is above the one below, so the rows that have a label weigh its share; and what
        closes the sets gives each ancestor the largest share of its descendants.
        """
        number, sample = len(self.samples), row_of_entries(self.matrix)
        order = np.lexsort((self.matrix.data, sample))
        own, share = sample[order], self.matrix.data[order]
        new = (np.diff(own, prepend=-1) > 0) | (np.diff(share, prepend=0.0) != 0)
        # The last level of a sample is 1, which no label may reach.
        open_above = np.flatnonzero(np.bincount(own[share == 1], minlength=number) == 0)
        row = np.append(own[new], open_above).astype(np.intp)
        level = np.append(share[new], np.ones(open_above.size))
        by_sample = np.lexsort((level, row))
        row, level = row[by_sample], level[by_sample]
        weight = np.where(np.diff(row, prepend=-1) > 0, level, np.diff(level, prepend=0.0))
        begin = np.searchsorted(row, own)
        reached = np.cumsum(new) + np.searchsorted(open_above, own) - begin
        places = ranges(begin, reached), np.repeat(self.matrix.indices[order], reached)
        shape = row.size, len(self.vocabulary)
        sets = sparse.csr_array((np.ones(places[0].size, dtype=bool), places), shape=shape)
        names = (f"{self.samples[at]} ≥ {one}" for at, one in zip(row.tolist(), level.tolist(), strict=True))
        once = LabelSets(self.matrix > 0, self.vocabulary, self.samples)
        rows = ShareLevels(sets, self.vocabulary, tuple(names))
        return Repetition(once, rows, row, weight, "shares of annotators")
