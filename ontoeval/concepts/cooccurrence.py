"""Co-occurrence of concepts in samples, and the context similarity and costs that follow."""

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
from ontoeval.plumbing.checks import real_number

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
    >>> counts.distance[1].round(4)  # of sea from cat, sea and sky
    array([  inf, 0.   , 0.585])
    """

    together: NDArray[np.float64]
    total: float

    @property
    def _brief(self) -> str:
        return pluralise_all(concept=len(self.together), sample=int(self.total))

    def __post_init__(self) -> None:
        try:
            together = np.array(self.together, dtype=np.float64)
        except (OverflowError, TypeError, ValueError) as error:
            raise InputError(f"counts that are no numbers ({error})", "Give a square of counts.") from error
        if together.ndim != 2 or together.shape[0] != together.shape[1]:  # noqa: PLR2004 - a square
            raise InputError(f"counts of shape {together.shape}", "Give a square: concepts × concepts.")
        single = together.diagonal()
        wrong = [
            what
            for what, there in (
                ("some are negative or not finite", not np.all(np.isfinite(together) & (together >= 0))),
                ("they are not symmetric", not np.array_equal(together, together.T)),
                ("two concepts occur together more often than one of them", np.any(together > single)),
                (f"a concept occurs more often than {self.total:,} times", np.any(single > self.total)),
            )
            if there
        ]
        if wrong:
            raise InputError(f"no counts of occurrences: {'; '.join(wrong)}", "Count samples, each once.")
        together.flags.writeable = False
        vars(self).update(together=together, total=float(self.total))

    @classmethod
    def of(
        cls,
        sets: Labels,
        *,
        classes: Sequence[str] | None = None,
        separator: str | None = None,
    ) -> Self:
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

    @property
    def distance(self) -> NDArray[np.float64]:
        r"""Normalised distance of each two concepts, inf where they never occur together.

        .. math:: NGD(x, y) = \frac{\max(\ln f_x, \ln f_y) - \ln f_{xy}}{\ln N - \min(\ln f_x, \ln f_y)}

        It is 0 where both occur in all samples.
        """
        single = self.together.diagonal()
        with np.errstate(divide="ignore", invalid="ignore"):
            largest, least = (np.log(how.outer(single, single)) for how in (np.maximum, np.minimum))
            found = (largest - np.log(self.together)) / (np.log(self.total) - least)
        found[(self.together == self.total) & (self.total > 0)] = 0.0
        found[self.together == 0] = np.inf
        np.fill_diagonal(found, 0.0)
        return np.asarray(np.maximum(found, 0.0))

    def similarity(self, *, scale: float | None = None) -> NDArray[np.float64]:
        r"""Context similarity of each two concepts, exp(-NGD / scale).

        Parameters
        ----------
        scale
            The distance at which similarity is 1/e; None takes the mean of different concepts that co-occur.

        Returns
        -------
        ndarray of float
            Square, entries in [0, 1], 1 on the diagonal, 0 where concepts never occur together.

        Raises
        ------
        ParameterError
            If the scale is no number above 0.
        """
        if scale is not None:
            scale = real_number("scale", scale, above=True, expected="a number above 0, or None")
        distance = self.distance
        if scale is None:
            finite = np.isfinite(distance) & ~np.eye(len(distance), dtype=bool)
            scale = float(distance[finite].mean()) if finite.any() else 1.0
        # Where all pairs that occur together do so always, the scale does not matter.
        return np.exp(-distance / (scale or 1.0))

    def costs(self, *, scale: float | None = None) -> NDArray[np.float64]:
        """Compute costs for `Hierarchy.with_cost`: 1 less the context similarity.

        Parameters
        ----------
        scale
            See `similarity`.

        Returns
        -------
        ndarray of float
            Square, entries in [0, 1], 0 on the diagonal.
        """
        # The conversion of similarities to costs could not be checked against the text of Nowak et al.
        return np.asarray(1 - self.similarity(scale=scale))
