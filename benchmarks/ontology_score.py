"""The ontology score: a small ontology with rules, and one of the size of MeSH."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, cost, scaled
from benchmarks.samples import first, label_sets, names_of
from tests.oracles import ontology_score as oracle

MESH = Path("ontologies", "mesh_bioasq", "mesh_hierarchy.txt")
"""Lines of parent and child, 27,900 concepts; in the folder that ONTOEVAL_DATA names."""


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Score photos with agreement and penalties, and documents bearing headings of a large hierarchy."""
    yield photos(effort)
    folder = os.environ.get("ONTOEVAL_DATA")
    if folder is None or not Path(folder, MESH).is_file():
        yield Comparison("OS, MeSH", f"skipped: no {MESH} in the folder that ONTOEVAL_DATA names")
    else:
        yield from documents(Path(folder, MESH), effort)


def photos(effort: Effort) -> Comparison:
    """Score with agreement and penalties, on the ontology of photos that comes with the package."""
    samples, few = effort.of(100_000), effort.of(1_000)
    hierarchy = oe.read_ontology(oe.ontologies.path("photo")).hierarchy()
    labels = hierarchy.label_vocabulary
    drawn = np.random.default_rng(1).uniform(0.5, 1.0, len(labels))
    agreement = dict(zip(labels, drawn.tolist(), strict=True))
    truth, prediction = label_sets(samples, labels)

    ours = partial(oe.evaluate, hierarchy=hierarchy, agreement=agreement, measures="OS")
    pairs = list(zip(names_of(first(truth, few)), names_of(first(prediction, few)), strict=True))
    loop = partial(_one_by_one, pairs, _Tabled(_edges(hierarchy)), hierarchy, agreement)
    _check(ours(first(truth, few), first(prediction, few)), loop())
    return Comparison(
        "OS with agreement and penalties",
        f"{samples:,} × {len(labels)}",
        cost(partial(ours, truth, prediction), effort),
        scaled("pair by pair", loop, effort, done=few, wanted=samples),
        Bar(seconds=0.5),
    )


def documents(file: Path, effort: Effort) -> Iterator[Comparison]:
    """Read a large hierarchy, and score sets of 13 of its concepts."""

    def read() -> oe.Hierarchy:
        lines = file.read_text(encoding="utf-8").splitlines()
        return oe.Hierarchy.from_edges((parent, child) for parent, child in map(str.split, lines))

    hierarchy = read()
    labels = hierarchy.label_vocabulary
    yield Comparison("hierarchy, MeSH", f"{len(labels):,} concepts", cost(read, effort))

    samples, few = effort.of(10_000), effort.of(100)
    truth, prediction = label_sets(samples, labels, labels=13)
    ours = partial(oe.evaluate, hierarchy=hierarchy, measures="OS")
    pairs = list(zip(names_of(first(truth, few)), names_of(first(prediction, few)), strict=True))
    # A table of all pairs would have 778 million entries: paths are walked up for each pair.
    loop = partial(_one_by_one, pairs, oracle.Tree(_edges(hierarchy)), hierarchy, None)
    _check(ours(first(truth, few), first(prediction, few)), loop())
    yield Comparison(
        "OS, MeSH",
        f"{samples:,} × {len(labels):,}",
        cost(partial(ours, truth, prediction), effort),
        scaled("pair by pair", loop, effort, done=few, wanted=samples),
    )


@dataclass(frozen=True)
class _Tabled(oracle.Tree):
    """A hierarchy whose costs are computed beforehand, as whoever writes the loop would do."""

    @cached_property
    def table(self) -> dict[tuple[str, str], float]:
        """Cost of every pair."""
        cost = super().cost
        return {(one, other): cost(one, other) for one in self.nodes for other in self.nodes}

    def cost(self, one: str, other: str) -> float:
        """Look the cost up."""
        return self.table[one, other]


def _edges(hierarchy: oe.Hierarchy) -> tuple[tuple[str, str], ...]:
    names, (below, above) = hierarchy.vocabulary.concepts, hierarchy.parents.nonzero()
    return tuple((names[parent], names[child]) for parent, child in zip(above, below, strict=True))


def _one_by_one(
    pairs: list[tuple[frozenset[str], frozenset[str]]],
    tree: oracle.Tree,
    hierarchy: oe.Hierarchy,
    agreement: dict[str, float] | None,
) -> float:
    exclusions = [(rule.first, rule.second) for rule in hierarchy.exclusions]
    requirements = [
        (rule.concept, frozenset(rule.any_of)) for rule in hierarchy.requirements if rule.precondition
    ]
    scores = [
        oracle.score(
            truth, prediction, tree, agreement=agreement, exclusions=exclusions, requirements=requirements
        )
        for truth, prediction in pairs
    ]
    return float(np.mean(scores))


def _check(ours: oe.Evaluation, expected: float) -> None:
    np.testing.assert_allclose(ours["OS"], expected, atol=1e-9)
