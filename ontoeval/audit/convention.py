"""Conventions: whether label sets hold the ancestors of their labels, or leave them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.choices import ConventionName

FEWEST = 10
"""Ancestors that fewer samples imply are judged together."""


@dataclass(frozen=True, eq=False)
class Convention:
    """How a file treats ancestors."""

    name: ConventionName
    implied: int
    present: int
    judged: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8), repr=False)
    forced: bool = False

    @classmethod
    def inferred(
        cls, implied: NDArray[np.intp], present: NDArray[np.intp], sizes: NDArray[np.intp]
    ) -> Convention:
        """Judge each ancestor by the samples that imply it: clear are shares above 90 % and below 10 %.

        Rare ancestors are judged together or, where these are few, as most others. What is not clear by
        itself follows the file where this is clear, unless most of its samples do otherwise. Where neither
        the file nor half of its implied ancestors are clear, none counts as clear.
        """
        rare = implied < FEWEST
        of, there = (np.where(rare, counts[rare].sum(), counts) for counts in (implied, present))
        own = (implied > 0) * _clear(of, there)
        # What a corrected copy no longer uses has no weight, so that correcting it again changes nothing.
        weights = implied * ((sizes > present) | (10 * present >= implied))
        if weights[rare].sum() < FEWEST and (sign := np.sign((weights * own)[~rare].sum())):
            own[rare & (implied > 0)] = sign
        closed, specific, total = (int(some.sum()) for some in (weights[own > 0], weights[own < 0], weights))
        file = int(_clear(implied.sum(), present.sum()))
        if not file and 2 * (closed + specific) < total:
            own[:] = 0
        follows = (implied > 0) & (own == 0) & (np.sign(2 * there - of) == file)
        names: dict[int, ConventionName] = {1: "closed", -1: "most-specific", 0: "mixed"}
        most = file or (2 * closed > total) * 1 - (2 * specific > total or not total)
        judged = np.where(follows, file, 2 * own).astype(np.int8)
        return cls(names[int(most)], int(implied.sum()), int(present.sum()), judged)

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
            seen = "no label of any sample has an ancestor that the file uses"
        return f"{words} ({'asked for; ' if self.forced else ''}{seen})"


def _clear(implied: NDArray[np.intp], present: NDArray[np.intp]) -> NDArray[np.intp]:
    """Mark shares above 90 % by 1, and below 10 % by -1."""
    return (10 * present > 9 * implied) * 1 - (10 * present < implied)


def implied_ancestors(
    sets: sparse.csr_array, above: sparse.csr_array, rows: int = 100_000
) -> NDArray[np.intp]:
    """Count for each label the samples where a label below it implies it, and those that bear it then."""
    counts = np.zeros((2, sets.shape[1]), dtype=np.intp)
    for begin in range(0, sets.shape[0], rows):
        part = sets[begin : begin + rows]
        implied = sparse.csr_array(part @ above)
        present = sparse.csr_array(implied.multiply(part))
        for number, matrix in enumerate((implied, present)):
            counts[number] += np.bincount(matrix.indices, minlength=sets.shape[1])
    return counts
