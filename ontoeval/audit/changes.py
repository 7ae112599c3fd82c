"""Changes: what was changed of label sets, sample by sample, however many changes there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from scipy import sparse

from ontoeval.labels.write import csv_field

_ORDER = ("join", "rename", "add", "remove")
"""In which order a sample is changed: labels are added and taken away under their new names."""

_SAMPLES = 10_000
"""Of how many samples the changes are written at once."""


class Kind(NamedTuple):
    """What can be changed of a sample."""

    change: str
    label: str
    new: str
    rule: str


class Change(NamedTuple):
    """What was changed of a sample.

    Parameters
    ----------
    sample
        Its identifier.
    change
        "add", "remove", "rename" or "join".
    label
        The label that was added, removed, renamed, or joined with its repetitions; "" where rows were joined.
    new
        What a label that was renamed is called now.
    rule
        The rule of the audit that asked for it.
    """

    sample: str
    change: str
    label: str
    new: str
    rule: str


@dataclass(frozen=True, eq=False)
class Changes(Sequence[Change]):
    """What was changed of label sets, sample by sample.

    Parameters
    ----------
    samples
        Identifiers of the samples.
    kinds
        What was changed, in the order in which it is done, each kind of change by the alphabet.
    matrix
        Boolean, samples × kinds.

    Examples
    --------
    >>> kind = Kind("add", "plants", "", "missing-ancestor")
    >>> changes = Changes.of(("p1", "p2"), [(sparse.csr_array([[False], [True]]), [kind])])
    >>> changes[0]
    Change(sample='p2', change='add', label='plants', new='', rule='missing-ancestor')
    """

    samples: tuple[str, ...]
    kinds: tuple[Kind, ...]
    matrix: sparse.csr_array

    @classmethod
    def of(
        cls, samples: tuple[str, ...], parts: Sequence[tuple[sparse.csr_array, Sequence[Kind]]]
    ) -> Changes:
        """Put changes of several kinds together.

        Parameters
        ----------
        samples
            Identifiers of the samples.
        parts
            For some kinds of changes which samples were changed so: boolean, samples × kinds.

        Returns
        -------
        Changes
            All of them.
        """
        kinds = [kind for _, some in parts for kind in some]
        order = sorted(
            range(len(kinds)), key=lambda number: (_ORDER.index(kinds[number].change), kinds[number])
        )
        place = np.empty(len(kinds), dtype=np.int32)
        place[order] = np.arange(len(kinds), dtype=np.int32)
        every = sparse.csr_array(sparse.hstack([matrix for matrix, _ in parts], format="csr"))
        shape = (len(samples), len(kinds))
        matrix = sparse.csr_array((every.data, place[every.indices], every.indptr), shape=shape)
        matrix.sort_indices()
        return cls(samples, tuple(kinds[number] for number in order), matrix)

    def __len__(self) -> int:
        """Count the changes."""
        return int(self.matrix.nnz)

    @property
    def changed(self) -> int:
        """How many samples were changed."""
        return int(np.count_nonzero(np.diff(self.matrix.indptr)))

    @overload
    def __getitem__(self, place: int) -> Change: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Change, ...]: ...

    def __getitem__(self, place: int | slice) -> Change | tuple[Change, ...]:
        """Pick a change, or several."""
        if isinstance(place, slice):
            return tuple(map(self.__getitem__, range(len(self))[place]))
        entry = range(len(self))[place]
        row = int(np.searchsorted(self.matrix.indptr, entry, side="right")) - 1
        return Change(self.samples[row], *self.kinds[self.matrix.indices[entry]])

    def lines(self) -> Iterator[str]:
        """Write the changes as CSV.

        Yields
        ------
        str
            Some lines.
        """
        yield ",".join(Change._fields) + "\n"
        ends = [",".join(map(csv_field, kind)) for kind in self.kinds]
        indices, indptr = self.matrix.indices, self.matrix.indptr
        for first in range(0, len(self.samples), _SAMPLES):
            begins = indptr[first : first + _SAMPLES + 1].tolist()
            some = indices[begins[0] : begins[-1]].tolist()
            yield "".join(
                f"{csv_field(sample)},{ends[kind]}\n"
                for sample, begin, end in zip(self.samples[first:], begins, begins[1:], strict=False)
                for kind in some[begin - begins[0] : end - begins[0]]
            )
