"""Label sets drawn at random, and the forms in which loops take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval import LabelSets, Vocabulary


def label_sets(
    samples: int, vocabulary: Vocabulary, *, labels: int = 12, seed: int = 0
) -> tuple[LabelSets, LabelSets]:
    """Draw true sets of so many labels, and predicted ones of which about half is right."""
    random = np.random.default_rng(seed)
    shape, concepts = (samples, labels), len(vocabulary)
    # Sorted draws that are pushed apart are all different.
    truth = np.sort(random.integers(concepts - labels + 1, size=shape), axis=1) + np.arange(labels)
    prediction = np.where(random.random(shape) < 0.5, truth, random.integers(concepts, size=shape))  # noqa: PLR2004
    return _sets(truth, vocabulary), _sets(prediction, vocabulary)


def _sets(columns: NDArray[np.intp], vocabulary: Vocabulary) -> LabelSets:
    samples, labels = columns.shape
    indptr = np.arange(0, columns.size + 1, labels)
    matrix = sparse.csr_array(
        (np.ones(columns.size, dtype=bool), columns.ravel(), indptr), shape=(samples, len(vocabulary))
    )
    return LabelSets.from_array(matrix, vocabulary=vocabulary)


def first(sets: LabelSets, samples: int) -> LabelSets:
    """Keep the first samples."""
    return LabelSets(sets.matrix[:samples], sets.vocabulary, sets.samples[:samples])


def columns_of(sets: LabelSets) -> list[frozenset[int]]:
    """List the columns of the labels of each sample."""
    rows = np.split(sets.matrix.indices, sets.matrix.indptr[1:-1])
    return [frozenset(row.tolist()) for row in rows]


def names_of(sets: LabelSets) -> list[frozenset[str]]:
    """List the labels of each sample."""
    return [frozenset(sets.labels_of(sample)) for sample in sets.samples]
