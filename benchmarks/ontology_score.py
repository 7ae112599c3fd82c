"""The ontology score: a small ontology with rules, and ones of the size of MeSH and WordNet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, cost, scaled
from benchmarks.published import MESH, published
from benchmarks.samples import first, label_sets, names_of
from tests.oracles import ontology_score as oracle

EVERYTHING = tuple(entry.symbol for entry in oe.CATALOGUE if entry.family in {"ontology", "flat"})
"""The ontology score and every measure of sets that needs no hierarchy, with default parameters."""

WORDNET = 74_000
"""How many nouns WordNet has, about."""


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Score photos with agreement and penalties, and documents bearing headings of a large hierarchy."""
    yield photos(effort)
    mesh = published(MESH)
    if isinstance(mesh, str):
        yield Comparison("OS, MeSH", mesh)
    else:
        hierarchy = oe.read_ontology(mesh).hierarchy()
        yield beside_a_loop("MeSH", hierarchy, effort)
        yield everything("MeSH", hierarchy, effort)
    drawn = drawn_hierarchy(effort.of(WORDNET))
    yield everything("as many concepts as WordNet has nouns", drawn, effort)


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


def beside_a_loop(name: str, hierarchy: oe.Hierarchy, effort: Effort) -> Comparison:
    """Score sets of 13 concepts of a large hierarchy."""
    labels = hierarchy.label_vocabulary
    samples, few = effort.of(10_000), effort.of(100)
    truth, prediction = label_sets(samples, labels, labels=13)
    ours = partial(oe.evaluate, hierarchy=hierarchy, measures="OS")
    pairs = list(zip(names_of(first(truth, few)), names_of(first(prediction, few)), strict=True))
    # A table of all pairs would have hundreds of millions of entries: paths are walked up for each pair.
    loop = partial(_one_by_one, pairs, oracle.Tree(_edges(hierarchy)), hierarchy, None)
    _check(ours(first(truth, few), first(prediction, few)), loop())
    return Comparison(
        f"OS, {name}",
        f"{samples:,} × {len(labels):,}",
        cost(partial(ours, truth, prediction), effort),
        scaled("pair by pair", loop, effort, done=few, wanted=samples),
    )


def everything(name: str, hierarchy: oe.Hierarchy, effort: Effort) -> Comparison:
    """Score sets of 13 concepts of a large hierarchy by every measure."""
    samples, labels = effort.of(10_000), hierarchy.label_vocabulary
    truth, prediction = label_sets(samples, labels, labels=13)
    ours = partial(oe.evaluate, truth, prediction, hierarchy=hierarchy, measures=EVERYTHING)
    size = f"{samples:,} × {len(labels):,}"
    bar = Bar(seconds=2, megabytes=500)
    return Comparison(f"all {len(EVERYTHING)} measures, {name}", size, cost(ours, effort), bar=bar)


def drawn_hierarchy(concepts: int) -> oe.Hierarchy:
    """Draw a hierarchy in which a concept lies below one or two that were drawn before it."""
    random = np.random.default_rng(2)
    first_parent, second_parent = (random.random((2, concepts)) ** 0.5 * np.arange(concepts)).astype(int)
    second = random.random(concepts) < 0.02  # noqa: PLR2004
    names = [f"noun {number}" for number in range(concepts)]
    edges = {(names[parent], names[child]) for child, parent in enumerate(first_parent) if child}
    edges |= {(names[second_parent[child]], names[child]) for child in np.flatnonzero(second) if child}
    return oe.Hierarchy.from_edges(sorted(edges))


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


def _check(ours: oe.evaluation.Evaluation, expected: float) -> None:
    np.testing.assert_allclose(ours["OS"], expected, atol=1e-9)
