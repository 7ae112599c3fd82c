"""Conventions: whether label sets hold the ancestors of their labels, or leave them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.choices import ConventionName

CLEAR = 0.75
"""The share of implied ancestors that must be there, or must not, for a convention to be clear."""


@dataclass(frozen=True)
class Convention:
    """How a file treats ancestors.

    Parameters
    ----------
    name
        "closed": every set holds the ancestors of its labels; "most-specific": none does; "mixed":
        neither.
    implied
        Pairs of a sample and a label that an ancestor of one of its labels is.
    present
        Those of them where the sample bears that label.
    forced
        Whether it was asked for, instead of inferred.

    Examples
    --------
    >>> print(Convention("closed", 40, 38))
    closed upwards (38 of 40 implied ancestors are there)
    """

    name: ConventionName
    implied: int
    present: int
    forced: bool = False

    @classmethod
    def inferred(cls, implied: int, present: int) -> Convention:
        """Tell the convention from how many ancestors are there.

        Parameters
        ----------
        implied
            Pairs of a sample and a label that an ancestor of one of its labels is.
        present
            Those of them where the sample bears that label.

        Returns
        -------
        Convention
            The one that at least three quarters of them follow.

        Examples
        --------
        >>> Convention.inferred(10, 9).name, Convention.inferred(10, 5).name
        ('closed', 'mixed')
        """
        if implied and present >= CLEAR * implied:
            return cls("closed", implied, present)
        if present <= (1 - CLEAR) * implied:
            return cls("most-specific", implied, present)
        return cls("mixed", implied, present)

    @property
    def followed(self) -> bool:
        """Whether most of the file follows it."""
        return bool(self.implied) and self.inferred(self.implied, self.present).name == self.name

    @property
    def content(self) -> dict[str, Any]:
        """What JSON holds of it."""
        return {
            "name": self.name,
            "implied": self.implied,
            "present": self.present,
            "forced": self.forced,
        }

    def __str__(self) -> str:
        """Say it in words."""
        words = {"closed": "closed upwards", "most-specific": "most specific", "mixed": "mixed"}[self.name]
        seen = f"{self.present:,} of {self.implied:,} implied ancestors are there"
        if not self.implied:
            seen = "no label of any sample has an ancestor that may be a label"
        return f"{words} ({'asked for; ' if self.forced else ''}{seen})"


def implied_ancestors(
    sets: sparse.csr_array, above: sparse.csr_array, rows: int = 100_000
) -> NDArray[np.intp]:
    """Count for each label the samples where a label below it implies it, and those that bear it then.

    Parameters
    ----------
    sets
        Boolean, samples × labels.
    above
        Boolean, labels × labels: the ancestors of each, itself not among them.
    rows
        How many samples are looked at at a time.

    Returns
    -------
    ndarray of int
        Two rows, one column per label: implied, and implied and present.

    Examples
    --------
    >>> sets = sparse.csr_array([[True, True], [True, False]])
    >>> implied_ancestors(sets, sparse.csr_array([[False, True], [False, False]])).tolist()
    [[0, 2], [0, 1]]
    """
    counts = np.zeros((2, sets.shape[1]), dtype=np.intp)
    for begin in range(0, sets.shape[0], rows):
        part = sets[begin : begin + rows]
        implied = sparse.csr_array(part @ above)
        present = sparse.csr_array(implied.multiply(part))
        for number, matrix in enumerate((implied, present)):
            counts[number] += np.bincount(matrix.indices, minlength=sets.shape[1])
    return counts
