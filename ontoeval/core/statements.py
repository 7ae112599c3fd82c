"""Statements: numbers that say of a label that it is there, that it is not, or nothing."""

from __future__ import annotations

import numpy as np

from ontoeval.core.csr import row_of_entries, with_data
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.named_matrix import Named
from ontoeval.errors import InputError, one_of

_UNKNOWN = {0: -1.0, -1: 0.0}
"""By the number that says that a label is absent, the one that says nothing."""


def number_of_unknown(negative: int) -> float:
    """Tell which number says that nothing is known."""
    one_of("negative", negative, tuple(_UNKNOWN))
    return _UNKNOWN[negative]


def sides_of_numbers(numbers: Named, negative: int) -> tuple[LabelSets, LabelSets]:
    """Separate present labels (1) from absent ones (0 or -1); a label without a number is unknown."""
    unknown, (matrix, vocabulary, samples) = number_of_unknown(negative), numbers
    odd = np.flatnonzero(~np.isin(matrix.data, [1.0, float(negative), unknown]))
    if odd.size:
        sample = samples[row_of_entries(matrix)[odd[0]]]
        raise InputError(
            f"sample {sample!r} has the value {matrix.data[odd[0]]:g} for "
            f"{vocabulary[int(matrix.indices[odd[0]])]!r}",
            f"Write 1 for a label that is present, {negative} for one that is absent, and {unknown:g} or "
            "nothing for one that is not known.",
        )
    positive, absent = (
        LabelSets(with_data(matrix, matrix.data == value), vocabulary, samples)
        for value in (1.0, float(negative))
    )
    return positive, absent
