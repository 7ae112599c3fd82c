"""Time and memory of an audit of many label sets over a large hierarchy, read from a file.

Run with: python benchmarks/audit.py [SAMPLES [CONCEPTS]]
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import sparse

from ontoeval.audit.labels import audit_labels
from ontoeval.constraints import Exclusion, Requirement
from ontoeval.hierarchy import Hierarchy
from ontoeval.io import write_labels
from ontoeval.labels import LabelSets

LABELS = 6
"""Labels of a sample, before it is closed upwards."""

MISTAKES = 0.001
"""Share of labels that are missing."""


def made(samples: int, concepts: int) -> tuple[LabelSets, Hierarchy]:
    """Make closed label sets with mistakes, over a tree with rules."""
    rng = np.random.default_rng(0)
    names = [f"c{number}" for number in range(concepts)]
    parents = [int(rng.integers(child // 4, max(1, child // 2))) for child in range(1, concepts)]
    edges = [(names[parent], names[child]) for child, parent in enumerate(parents, 1)]
    pairs = rng.integers(concepts // 10, concepts, (500, 2))
    hierarchy = Hierarchy.from_edges(
        edges,
        exclusions=[Exclusion(names[a], names[b]) for a, b in pairs[:400].tolist() if a != b],
        requirements=[Requirement(names[a], (names[b],)) for a, b in pairs[400:].tolist()],
    )
    chosen = (rng.random((samples, LABELS)) ** 2 * concepts).astype(np.int32)
    rows = np.repeat(np.arange(samples), LABELS)
    ones = np.ones(rows.size, dtype=bool)
    matrix = sparse.csr_array((ones, (rows, chosen.ravel())), shape=(samples, concepts))
    sets = LabelSets(matrix, hierarchy.vocabulary, tuple(f"p{number}" for number in range(samples)))
    closed = sets.closed(hierarchy)
    kept = rng.random(closed.matrix.nnz) > MISTAKES
    matrix = sparse.csr_array((kept, closed.matrix.indices, closed.matrix.indptr), shape=closed.matrix.shape)
    return LabelSets(matrix, closed.vocabulary, closed.samples), hierarchy


def main() -> None:
    """Print seconds and memory, in memory and from a file."""
    samples, concepts = (int(text) for text in (*sys.argv[1:], "1000000", "5000")[:2])
    sets, hierarchy = made(samples, concepts)
    print(f"{samples:,} samples, {concepts:,} concepts, {sets.matrix.nnz:,} labels")
    begin = perf_counter()
    findings = audit_labels(sets, hierarchy)
    seconds = perf_counter() - begin
    print(f"in memory: {seconds:.1f} s; {len(findings):,} findings; peak {peak():.2f} GiB")
    with tempfile.TemporaryDirectory() as folder:
        labels, ontology = Path(folder, "labels.csv"), Path(folder, "ontology.csv")
        write_labels(sets, labels)
        links = hierarchy.parents.tocoo()
        names = hierarchy.vocabulary
        rows = zip(links.coords[1].tolist(), links.coords[0].tolist(), strict=True)
        ontology.write_text("parent,child\n" + "".join(f"{names[a]},{names[b]}\n" for a, b in rows))
        begin = perf_counter()
        command = [sys.executable, "-m", "ontoeval", "audit", str(labels), "--ontology", str(ontology)]
        subprocess.run([*command, "--format", "json"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        seconds = perf_counter() - begin
        print(f"from a file of {labels.stat().st_size / 2**20:.0f} MiB: {seconds:.1f} s")


def peak() -> float:
    """Tell the most memory that was used so far, in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
