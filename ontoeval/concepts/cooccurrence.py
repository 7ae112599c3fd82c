"""Co-occurrence of concepts in samples, and the costs that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, pluralise_all
from ontoeval.plumbing.arrays import as_floats

MOST = 5_000
"""Most concepts of a table of all pairs: 25 million entries, 200 MB."""


@dataclass(frozen=True, eq=False, repr=False)
class CoOccurrence(Brief):
    """Numbers of samples with each concept, and with each two, as [cilibrasi2007]_ and [nowak2010]_ use them.

    Parameters
    ----------
    together
        Square: samples with the concepts of both row and column; on the diagonal, samples with the concept.
    total
        Number of samples.

    Raises
    ------
    InputError
        If the counts are inconsistent.

    Examples
    --------
    >>> from ontoeval import LabelSets
    >>> sets = LabelSets.from_sets([["sea", "sky"], ["sky"], ["sea", "sky"], ["cat"]])
    >>> counts = CoOccurrence.of(sets)
    >>> counts.costs()[1].round(3)  # of sea and cat, sea, sky
    array([1.   , 0.   , 0.632])
    """

    together: NDArray[np.float64]
    total: float

    @property
    def _brief(self) -> str:
        return pluralise_all(concept=len(self.together), sample=int(self.total))

    def __post_init__(self) -> None:
        together = as_floats(self.together, "counts that are no numbers", "Give a square of counts.")
        single = together.diagonal() if together.ndim == 2 else together  # noqa: PLR2004 - a square
        if together.shape != (single.size,) * 2 or not (
            np.array_equal(together, together.T)
            and np.all((together >= 0) & (together <= single) & (together <= self.total))
        ):
            raise InputError(
                "no counts of the samples with both of two concepts, and on the diagonal with one",
                "Give a symmetric square of numbers, none below 0, above those on the diagonal or above the "
                "number of samples.",
            )
        together.flags.writeable = False
        vars(self).update(together=together, total=float(self.total))

    @classmethod
    def of(cls, sets: Labels, *, classes: Sequence[str] | None = None, separator: str | None = None) -> Self:
        """Count the concepts of label sets.

        Parameters
        ----------
        sets
            The sets of a corpus, as `evaluate` takes labels.
        classes, separator
            See `evaluate`.

        Raises
        ------
        InputError
            If there are more than 5,000 concepts.
        """
        sets = sets_of(sets, reading=LabelSyntax(classes, separator))
        concepts = len(sets.vocabulary)
        if concepts > MOST:
            raise InputError(
                f"a table of all pairs of {concepts:,} concepts has {concepts**2:,} entries, "
                f"{8e-9 * concepts**2:.1f} GB",
                f"Choose at most {MOST:,} concepts, or take costs that need no table, such as 'lin'.",
            )
        matrix = sets.matrix.astype(np.float64)
        return cls((matrix.T @ matrix).toarray(), float(len(sets)))

    def costs(self) -> NDArray[np.float64]:
        """Table of costs: 1 less the context similarity exp(-distance / mean distance).

        The distance is the normalised one of [cilibrasi2007]_; its mean is over pairs that occur together,
        and those that never do cost 1.

        Returns
        -------
        numpy.ndarray
            Square, 0 on the diagonal.
        """
        single = self.together.diagonal()
        with np.errstate(divide="ignore", invalid="ignore"):
            largest, least = (np.log(how.outer(single, single)) for how in (np.maximum, np.minimum))
            distance = (largest - np.log(self.together)) / (np.log(self.total) - least)
        distance[(self.together == self.total) & (self.total > 0)] = 0.0
        distance[self.together == 0] = np.inf
        np.fill_diagonal(distance, 0.0)
        distance = np.maximum(distance, 0.0)
        finite = np.isfinite(distance) & ~np.eye(len(distance), dtype=bool)
        # Where all pairs that occur together do so always, the scale does not matter. The conversion of
        # similarities to costs could not be checked against the text of Nowak et al.
        scale = float(distance[finite].mean()) if finite.any() else 1.0
        return np.asarray(1 - np.exp(-distance / (scale or 1.0)))
