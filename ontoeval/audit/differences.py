"""Differences: what changed between two collections of label sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.coercion import Labels, sets_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import only_samples
from ontoeval.core.sparse import line, pattern, without
from ontoeval.core.vocabulary import Vocabulary, union_of
from ontoeval.errors import InputError
from ontoeval.evaluation.groups import Groups


class Change(NamedTuple):
    """What changed of a concept, or of a branch."""

    name: str
    before: int
    after: int
    added: int
    removed: int
    samples: int


@dataclass(frozen=True, eq=False)
class Difference:
    """What changed between two collections of label sets.

    Parameters
    ----------
    vocabulary
        The concepts of both.
    samples
        The samples that both have, in the order of the first.
    before
        Boolean, one row per such sample and one column per concept: its labels in the first.
    after
        The same of the second.
    samples_added
        Samples that only the second has.
    samples_removed
        Samples that only the first has.
    totals
        Labels of each concept in all samples: one row for the first collection, one for the second.
    hierarchy
        Tells what lies in which branch; None where nothing does.

    Examples
    --------
    >>> from ontoeval import LabelSets
    >>> first = LabelSets.from_sets({"p1": ["sky"], "p2": ["sea"]})
    >>> second = LabelSets.from_sets({"p1": ["sky", "sea"], "p3": []})
    >>> changes = difference(first, second)
    >>> changes.added("p1"), changes.samples_added, changes.samples_removed
    (('sea',), ('p3',), ('p2',))
    """

    vocabulary: Vocabulary
    samples: tuple[str, ...]
    before: sparse.csr_array
    after: sparse.csr_array
    samples_added: tuple[str, ...]
    samples_removed: tuple[str, ...]
    totals: NDArray[np.intp]
    hierarchy: Hierarchy | None = None

    @cached_property
    def _new(self) -> sparse.csr_array:
        return without(self.after, self.before)

    @cached_property
    def _gone(self) -> sparse.csr_array:
        return without(self.before, self.after)

    @cached_property
    def _row(self) -> dict[str, int]:
        return {sample: row for row, sample in enumerate(self.samples)}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The samples that both have, with other labels."""
        counts = np.diff(self._new.indptr) + np.diff(self._gone.indptr)
        return tuple(self.samples[row] for row in np.flatnonzero(counts).tolist())

    def added(self, sample: str) -> tuple[str, ...]:
        """Name the labels that a sample has got.

        Parameters
        ----------
        sample
            A sample that both have.

        Returns
        -------
        tuple of str
            Concepts.

        Raises
        ------
        InputError
            If not both have it.
        """
        return self._labels(self._new, sample)

    def removed(self, sample: str) -> tuple[str, ...]:
        """Name the labels that a sample has lost.

        Parameters
        ----------
        sample
            A sample that both have.

        Returns
        -------
        tuple of str
            Concepts.

        Raises
        ------
        InputError
            If not both have it.
        """
        return self._labels(self._gone, sample)

    def _labels(self, matrix: sparse.csr_array, sample: str) -> tuple[str, ...]:
        if sample not in self._row:
            raise InputError(f"not both have a sample {sample!r}", "Name one of `samples`.")
        return tuple(self.vocabulary[column] for column in line(matrix, self._row[sample]))

    def by_concept(self) -> tuple[Change, ...]:
        """Count what changed of each concept.

        Returns
        -------
        tuple of Change
            Those of which anything changed, what changed most first.
        """
        count = len(self.vocabulary)
        each = sparse.csr_array(sparse.eye_array(count, dtype=bool))
        return self._changes(each, tuple(self.vocabulary))

    def by_branch(self) -> tuple[Change, ...]:
        """Count what changed in each branch: below each root, or each child of a single root.

        Returns
        -------
        tuple of Change
            Those in which anything changed, what changed most first; a concept of several branches
            counts in each, and a single root is one of its own. None without a hierarchy.
        """
        if self.hierarchy is None:
            return ()
        groups = Groups.branches(self.hierarchy, self.vocabulary.concepts)
        return self._changes(groups.members, groups.names)

    def _changes(self, members: sparse.csr_array, names: tuple[str, ...]) -> tuple[Change, ...]:
        """Count for each group of concepts."""
        weights = members.astype(np.intp)
        new, gone = (np.asarray(matrix.sum(axis=0)).ravel() @ weights for matrix in (self._new, self._gone))
        before, after = (total @ weights for total in self.totals)
        touched = np.bincount(pattern((self._new + self._gone) @ members).indices, minlength=len(names))
        columns = (before, after, new, gone, touched)
        rows = zip(names, *(column.tolist() for column in columns), strict=True)
        found = [Change(*row) for row in rows]
        kept = [change for change in found if change.added or change.removed or change.before != change.after]
        return tuple(sorted(kept, key=lambda change: (-change.added - change.removed, change.name)))


def difference(first: Labels, second: Labels, hierarchy: Hierarchy | None = None) -> Difference:
    """Tell what changed from one collection of label sets to another.

    Parameters
    ----------
    first
        The label sets before, or what `evaluate` takes for some.
    second
        The same after; samples are matched by their identifiers.
    hierarchy
        Tells in which branch a concept lies.

    Returns
    -------
    Difference
        What changed.

    Raises
    ------
    MisalignedError
        If a concept that is used is no label of the hierarchy.

    Examples
    --------
    >>> from ontoeval import LabelSets
    >>> first = LabelSets.from_sets({"p1": ["sky"]})
    >>> difference(first, LabelSets.from_sets({"p1": ["sea"]})).by_concept()[0]
    Change(name='sea', before=0, after=1, added=1, removed=0, samples=1)
    """
    first, second = sets_of(first), sets_of(second)
    if hierarchy is None:
        vocabulary = union_of([first.vocabulary, second.vocabulary])
    else:
        vocabulary = hierarchy.label_vocabulary
    first, second = first.within(vocabulary), second.within(vocabulary)
    shared = tuple(sample for sample in first.samples if sample in second.row)
    gone, new = only_samples(first, second)
    return Difference(
        vocabulary,
        shared,
        first.matrix[[first.row[sample] for sample in shared]],
        second.matrix[[second.row[sample] for sample in shared]],
        tuple(new),
        tuple(gone),
        np.stack([np.bincount(sets.matrix.indices, minlength=len(vocabulary)) for sets in (first, second)]),
        hierarchy,
    )
