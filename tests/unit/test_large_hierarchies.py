"""Large hierarchies: only the labels in use are closed, and the numbers are those of the whole."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.masks import words_of
from ontoeval.core import hierarchy as hierarchies
from ontoeval.measures import ancestor_counts
from tests.oracles import hierarchical as oracle

CONCEPTS = 700
NAMES = [f"c{number}" for number in range(CONCEPTS)]


def drawn(*, several: float = 0.1) -> oe.Hierarchy:
    """Draw a hierarchy in which a share of the concepts has two parents."""
    random = np.random.default_rng(4)
    first, second = (random.random((2, CONCEPTS)) ** 0.5 * np.arange(CONCEPTS)).astype(int).tolist()
    edges = {(first[child], child) for child in range(1, CONCEPTS)}
    edges |= {(second[child], child) for child in range(1, CONCEPTS) if random.random() < several}
    named = [(NAMES[parent], NAMES[child]) for parent, child in sorted(edges)]
    return oe.Hierarchy.from_edges(named, concepts=NAMES, exclusions=[oe.core.Exclusion("c5", "c7")])


def sides() -> tuple[list[set[str]], list[set[str]]]:
    """Draw sets, an empty one among them."""
    random = np.random.default_rng(5)
    truth, prediction = (
        [set(random.choice(NAMES, size)) for size in random.integers(0, 9, 40)] for _ in "12"
    )
    return [set(), *truth], [{"c3"}, *prediction]


@pytest.mark.parametrize("several", [0.0, 0.1])
def test_measures_close_the_labels_in_use_alone(several: float, monkeypatch: pytest.MonkeyPatch) -> None:
    measures = ["hF", "hF(average='macro')", "OS", "OS(cost='links')", "tF", "tKappa", "Distance"]
    expected = oe.evaluate(*sides(), hierarchy=drawn(several=several), measures=measures)
    monkeypatch.setattr(hierarchies, "LARGE", 0)
    hierarchy = drawn(several=several)
    found = oe.evaluate(*sides(), hierarchy=hierarchy, measures=measures)
    assert dict(found.scores) == pytest.approx(dict(expected.scores), abs=1e-12)
    assert found.signature == expected.signature
    closures = {"links_upward", "ancestors", "label_ancestors"} & hierarchy.__dict__.keys()
    assert not closures


def test_more_concepts_than_are_united_as_bits_score_as_in_the_naive_implementation() -> None:
    hierarchy = drawn()
    below, above = hierarchy.parents.nonzero()
    edges = [(NAMES[parent], NAMES[child]) for child, parent in zip(below, above, strict=True)]
    assert len(NAMES) > ancestor_counts.IN_WORDS
    result = oe.evaluate(*sides(), hierarchy=hierarchy, measures="hF(average='samples', root='in')")
    expected = [
        oracle.ratios(*(oracle.above(tuple(edges), side) for side in pair))[2]
        for pair in zip(*sides(), strict=True)
    ]
    np.testing.assert_allclose(result.per_sample(), expected, atol=1e-12)


def test_bits_are_summed_alike_by_words_and_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(6)
    marks = random.random((50, 150)) < 0.3
    words, weights = words_of(marks).T, random.random(150)
    chosen = (weights < 0.5).astype(float)
    np.testing.assert_allclose(ancestor_counts.sums_of_bits(words, weights), marks @ weights, atol=1e-12)
    np.testing.assert_array_equal(ancestor_counts.sums_of_bits(words, chosen), marks @ chosen)
    monkeypatch.delattr(np, "bitwise_count", raising=False)  # NumPy 1 has none
    np.testing.assert_array_equal(ancestor_counts.sums_of_bits(words, chosen), marks @ chosen)
