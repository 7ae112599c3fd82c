"""An audit of many label sets over a large hierarchy, in memory and from a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, cost

LABELS = 6
"""Labels of a sample, before it is closed upwards."""

MISTAKES = 0.001
"""Share of labels that are missing."""

RULES = 500
BAR = Bar(seconds=60, megabytes=2_000)


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Audit closed label sets with mistakes; nothing else does the same."""
    samples, concepts = effort.of(1_000_000), 5_000
    sets, hierarchy = _made(samples, concepts)
    size = f"{samples:,} × {concepts:,}, {sets.matrix.nnz / samples:.0f} labels each"
    ours = cost(partial(oe.audit_labels, sets, hierarchy), effort)
    yield Comparison("audit", size, ours, bar=BAR)
    with TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        oe.write_labels(sets, path)
        ours = cost(partial(oe.audit_labels, path, hierarchy), effort)
    yield Comparison("audit of a CSV file", size, ours, bar=BAR)


def _made(samples: int, concepts: int) -> tuple[oe.LabelSets, oe.Hierarchy]:
    rng = np.random.default_rng(0)
    names = [f"c{number}" for number in range(concepts)]
    parents = [int(rng.integers(child // 4, max(1, child // 2))) for child in range(1, concepts)]
    pairs = [(names[one], names[other]) for one, other in rng.integers(concepts // 10, concepts, (RULES, 2))]
    hierarchy = oe.Hierarchy.from_edges(
        [(names[parent], names[child]) for child, parent in enumerate(parents, 1)],
        exclusions=[oe.core.Exclusion(one, other) for one, other in pairs[RULES // 5 :] if one != other],
        requirements=[oe.core.Requirement(one, (other,)) for one, other in pairs[: RULES // 5]],
    )
    chosen = (rng.random((samples, LABELS)) ** 2 * concepts).astype(np.int32)
    rows = np.repeat(np.arange(samples), LABELS)
    ones = np.ones(rows.size, dtype=bool)
    matrix = sparse.csr_array((ones, (rows, chosen.ravel())), shape=(samples, concepts))
    identifiers = tuple(f"p{number}" for number in range(samples))
    closed = oe.LabelSets(matrix, hierarchy.vocabulary, identifiers).closed(hierarchy).matrix
    kept = rng.random(closed.nnz) > MISTAKES
    matrix = sparse.csr_array((kept, closed.indices, closed.indptr), shape=closed.shape)
    return oe.LabelSets(matrix, hierarchy.vocabulary, identifiers), hierarchy
