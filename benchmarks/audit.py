"""Time and memory of an audit of many label sets over a large hierarchy, read from a file.

Run with: python benchmarks/audit.py [SAMPLES [CONCEPTS]]
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from ontoeval.audit.labels import audit_labels
from ontoeval.constraints import Exclusion, Requirement
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets

LABELS = 6
"""Labels of a sample, before it is closed upwards."""


def made(samples: int, concepts: int) -> tuple[LabelSets, Hierarchy]:
    """Make closed label sets with mistakes, over a tree with rules."""
    rng = np.random.default_rng(0)
    names = [f"c{number}" for number in range(concepts)]
    edges = [(names[int(rng.integers(max(1, child // 4), child + 1)) - 1], names[child]) for child in range(1, concepts)]
    pairs = rng.integers(concepts // 10, concepts, (500, 2))
    hierarchy = Hierarchy.from_edges(
        edges,
        exclusions=[Exclusion(names[a], names[b]) for a, b in pairs[:400].tolist() if a != b],
        requirements=[Requirement(names[a], (names[b],)) for a, b in pairs[400:].tolist()],
    )
    chosen = (rng.random((samples, LABELS)) ** 2 * concepts).astype(np.int32)
    rows = np.repeat(np.arange(samples), LABELS)
    ones = np.ones(rows.size, dtype=bool)
    from scipy import sparse

    matrix = sparse.csr_array((ones, (rows, chosen.ravel())), shape=(samples, concepts))
    sets = LabelSets(matrix, hierarchy.vocabulary, tuple(f"p{number}" for number in range(samples)))
    closed = sets.closed(hierarchy)
    kept = rng.random(closed.matrix.nnz) > 0.001
    matrix = sparse.csr_array((kept, closed.matrix.indices, closed.matrix.indptr), shape=closed.matrix.shape)
    return LabelSets(matrix, closed.vocabulary, closed.samples), hierarchy


def main() -> None:
    """Print seconds and memory, in memory and from a file."""
    samples, concepts = (int(text) for text in (*sys.argv[1:], "1000000", "5000")[:2])
    sets, hierarchy = made(samples, concepts)
    print(f"{samples:,} samples, {concepts:,} concepts, {sets.matrix.nnz:,} labels")
    begin = perf_counter()
    findings = audit_labels(sets, hierarchy)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"audit: {perf_counter() - begin:.1f} s; {len(findings):,} findings; peak {peak:.2f} GiB")


if __name__ == "__main__":
    main()
