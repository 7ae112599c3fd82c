"""A measure of your own: hierarchical F, which compares sets with all their ancestors.

A measure is a frozen dataclass with two members: a `statistic`, which makes one row of numbers for
each sample, and a `formula`, which makes the measure of their sum. There is no class to inherit from
and nothing to register::

    python examples/own_measure.py

In this folder, and wherever it can be imported from, the command line knows it by its module::

    ontoeval score truth.csv run.csv --ontology photo -m "own_measure:HierarchicalF(beta=2)"
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from ontoeval.core.batch import set_sizes
from ontoeval.measures.sums import Rows

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class OverlapOfAncestors:
    """What is common, predicted and true of each sample, once all ancestors have been added."""

    def __call__(self, batch: oe.Batch) -> Rows:
        """Make one row for each sample."""
        hierarchy = batch.required_hierarchy("Hierarchical F")
        # Every sample has the root among its ancestors: that says nothing, so it is left out.
        below_roots = hierarchy.label_ancestors[:, np.flatnonzero(hierarchy.depth > 0)]
        truth = sparse.csr_array(batch.truth.matrix @ below_roots, dtype=bool)
        prediction = sparse.csr_array(batch.prediction.matrix @ below_roots, dtype=bool)
        common = sparse.csr_array(truth.multiply(prediction))
        return Rows(np.stack([set_sizes(common), set_sizes(prediction), set_sizes(truth)], axis=-1))

    def unpack(self, values: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Name the columns; a total has them on its last axis, as a row has."""
        return values[..., 0], values[..., 1], values[..., 2]


@dataclass(frozen=True)
class HierarchicalF:
    """F of the sets with their ancestors, summed over the samples."""

    beta: float = 1.0

    @property
    def statistic(self) -> OverlapOfAncestors:
        """What is summed; measures with equal statistics share it."""
        return OverlapOfAncestors()

    def formula(self, values: Numbers) -> Numbers:
        """Compute F from a total; from rows, that of each sample."""
        common, predicted, true = self.statistic.unpack(values)
        with np.errstate(invalid="ignore"):  # 0/0 is undefined, and said so
            return (1 + self.beta**2) * common / (predicted + self.beta**2 * true)


def main() -> None:
    """Score two runs that are equally often wrong, one of them wrong by less."""
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    folder = oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", ontology)
    for name in ("near-miss", "noisy"):
        run = oe.read_labels(folder / "runs" / f"{name}.csv", ontology)
        result = oe.evaluate(
            truth,
            run,
            hierarchy=ontology.hierarchy(),
            measures=["F", HierarchicalF(), HierarchicalF(beta=2), "OS"],
        )
        print(name)
        for row in result.rows():
            print(f"  {row.measure:<24}{row.score:.4f}")
        print(f"  worst sample: {result.per_sample(HierarchicalF()).min():.4f}")


if __name__ == "__main__":
    main()
