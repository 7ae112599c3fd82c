"""How often the truth itself breaks the rules that predictions are penalised by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.violations import Breaches, ChosenRules
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.statistics.sums import Rows


@dataclass(frozen=True)
class TruthBreaches:
    """For each rule, how many true sets it applies to and how many break it."""

    chosen: ChosenRules

    def __call__(self, batch: Batch) -> Rows:
        """Count over the whole batch: one row, since nobody asks for single samples here."""
        book = batch.required_hierarchy("Looking for broken rules").once(self.chosen)
        return Rows(book.counts(batch.truth.matrix).reshape(1, -1).astype(np.float64))

    def unpack(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Name the two halves: applies, broken."""
        applies, broken = np.split(values, 2, axis=-1)
        return applies, broken

    def breaches(self, total: NDArray[np.float64], hierarchy: Hierarchy) -> list[Breaches]:
        """Name the rules of a total."""
        applies, broken = self.unpack(total)
        rules = hierarchy.once(self.chosen).rules
        return [Breaches(rule, int(a), int(b)) for rule, a, b in zip(rules, applies, broken, strict=True)]
