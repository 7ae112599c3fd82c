"""Information content of sets: what truth, prediction and their union say, with all that they imply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.information import information_by_name
from ontoeval.core.batch import Batch
from ontoeval.core.csr import row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MeasureError, listed
from ontoeval.measures.statistics.sets import Sets
from ontoeval.measures.statistics.sums import Rows


@dataclass(frozen=True)
class Gains:
    """What each concept says beyond its parent, as a view of a hierarchy."""

    information: str

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64]:
        """Compute one number of at least 0 per concept; roots say all that they say."""
        values = information_by_name(hierarchy, self.information)
        several = hierarchy.several_parents
        if several.size:
            named = listed(hierarchy.vocabulary[at] for at in several.tolist())
            raise MeasureError(
                "ICM is defined for trees only: it takes the information of two concepts' one lowest common "
                f"ancestor away, and with several parents there may be several; here {several.size:,} "
                f"concepts have some: {named}. Choose one parent for each, or take "
                f"hF(weight={self.information!r}), which has no such limit."
            )
        gains = values.copy()
        gains[row_of_entries(hierarchy.parents)] -= values[hierarchy.parents.indices]
        return np.maximum(gains, 0.0)


class Contents(NamedTuple):
    """Information content of the sets of a sample, or sums over samples."""

    truth: NDArray[np.float64]
    prediction: NDArray[np.float64]
    union: NDArray[np.float64]
    samples: NDArray[np.float64]


@dataclass(frozen=True)
class InformationOfSets:
    """Information content of the sets of each sample.

    In a tree that of a set is the sum, over its members and all their ancestors, of what each says
    beyond its parent. Amigó and Delgado define it step by step, which gives the same in any order:
    IC({c} ∪ S) = IC(c) + IC(S) - IC(lowest common ancestor of c and some s in S, the lowest of them).
    """

    information: str

    def __call__(self, batch: Batch) -> Rows:
        """Sum what the members say; truth, prediction, union and a 1."""
        gains = batch.required_hierarchy("ICM").once(Gains(self.information))
        closed = batch.once(Sets(members="ancestors", root="in"))
        common, missed, false = (part @ gains for part in (closed.common, closed.missed, closed.false))
        return Rows(
            np.stack([common + missed, common + false, common + missed + false, np.ones(len(batch))], axis=-1)
        )

    def unpack(self, values: NDArray[np.float64]) -> Contents:
        """Name the four sums."""
        return Contents(*np.moveaxis(values, -1, 0))
