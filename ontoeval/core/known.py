"""What follows from labels that were verified, and the part of a prediction that can be judged by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ontoeval.core.csr import pattern, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, listed


@dataclass(frozen=True, eq=False)
class KnownPart(LabelSets):
    """What of a prediction can be judged, and the whole of it, from which more follows in a hierarchy."""

    whole: LabelSets | None = None


def all_below(absent: LabelSets, hierarchy: Hierarchy) -> sparse.csr_array:
    """Find the labels that are absent because they or something above them is said to be."""
    return pattern(absent.matrix @ hierarchy.labels_upward.T.tocsr())


def refuse_contradictions(positive: LabelSets, negative: LabelSets, hierarchy: Hierarchy) -> None:
    """Refuse labels that are said to be there though one above them is said to be absent."""
    wrong = pattern(positive.matrix.multiply(all_below(negative, hierarchy)))
    if wrong.nnz:
        upwards = hierarchy.labels_upward
        cells = zip(row_of_entries(wrong).tolist(), wrong.indices.tolist(), strict=True)
        shown = []
        for _, (row, column) in zip(range(5), cells, strict=False):
            above = np.intersect1d(upwards[[column]].indices, negative.matrix[[row]].indices)[0]
            names = positive.vocabulary
            shown.append(f"{positive.samples[row]}: {names[column]} without {names[int(above)]}")
        raise InputError(
            f"{wrong.nnz:,} labels are there, but something above them is said to be absent: "
            f"{listed(shown, total=wrong.nnz)}",
            "Correct one of the two statements: what is there is also everything above it.",
        )
