"""How often the truth itself breaks the rules that predictions are penalised by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.batch import Batch
from ontoeval.hierarchy import Hierarchy
from ontoeval.statistics.sums import Rows
from ontoeval.violations import Breaches, ChosenRules


@dataclass(frozen=True)
class TruthBreaches:
    """For each rule, whether it applies to a true set and whether the set breaks it.

    Parameters
    ----------
    chosen
        The rules that count.
    """

    chosen: ChosenRules

    def __call__(self, batch: Batch) -> Rows:
        """Put the marks of all rules side by side."""
        book = batch.required_hierarchy("Looking for broken rules").once(self.chosen)
        return Rows(sparse.hstack(book.marks(batch.truth.matrix), format="csr", dtype=np.float64))

    def unpack(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Name the two halves: applies, broken."""
        applies, broken = np.split(values, 2, axis=-1)
        return applies, broken

    def breaches(self, total: NDArray[np.float64], hierarchy: Hierarchy) -> list[Breaches]:
        """Name the rules of a total.

        Parameters
        ----------
        total
            The sum of this statistic's rows.
        hierarchy
            The hierarchy of the batch.

        Returns
        -------
        list of Breaches
            One for each rule.
        """
        applies, broken = self.unpack(total)
        rules = hierarchy.once(self.chosen).rules
        return [Breaches(rule, int(a), int(b)) for rule, a, b in zip(rules, applies, broken, strict=True)]
