"""Laws of the transport confusion matrix over trees and DAGs."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.concepts.bits import Bits, Sizes
from tests.laws.matrices import Numbers, close
from tests.oracles.transport_matrix import transport_matrix
from tests.strategies import dags, trees

KINDS = ("facets", "related", "all")
variants = pytest.mark.parametrize("variant", [name + given for given in (" given", "") for name in KINDS])


class Sample(NamedTuple):
    """Label sets of some samples over one hierarchy."""

    hierarchy: oe.Hierarchy
    truths: list[frozenset[str]]
    predictions: list[frozenset[str]]

    def matrix(self, variant: str) -> Numbers:
        """The transport matrix of all samples, "unmatched" last."""
        found = oe.confusion_matrix(
            self.truths, self.predictions, rule="transport", variant=variant, hierarchy=self.hierarchy
        )
        return np.asarray(found.matrix)


@st.composite
def samples(draw: st.DrawFn, *, only_trees: bool = False) -> Sample:
    """Trees and DAGs whose inner concepts may be abstract, and label sets over the others."""
    graph = draw(trees(max_nodes=9) if only_trees else st.one_of(trees(max_nodes=9), dags(max_nodes=9)))
    inner = sorted({parent for parent, _ in graph.edges})
    abstract = draw(st.sets(st.sampled_from(inner))) if inner else set()
    hierarchy = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names, abstract=abstract)
    names = st.frozensets(st.sampled_from(hierarchy.label_vocabulary.concepts), max_size=5)
    count = draw(st.integers(1, 3))
    sides = [draw(st.lists(names, min_size=count, max_size=count)) for _ in range(2)]
    return Sample(hierarchy, *sides)


def expected(sample: Sample, variant: str) -> Numbers:
    """What the oracle makes of each sample, added."""
    hierarchy, names = sample.hierarchy, (*sample.hierarchy.label_vocabulary, "unmatched")
    everything = hierarchy.vocabulary.concepts
    above = {
        everything[label]: {
            everything[at] for at in np.flatnonzero(hierarchy.ancestors[[label]].toarray()[0])
        }
        for label in hierarchy.labels.tolist()
    }
    bits, sizes = hierarchy.derive(Bits()), np.round(hierarchy.derive(Sizes()), 12).tolist()
    size = {name: sizes[at] for at, name in enumerate(everything) if bits[at] > 0}
    total: dict[tuple[str, str], float] = defaultdict(float)
    for truth, prediction in zip(sample.truths, sample.predictions, strict=True):
        found = transport_matrix(
            truth, prediction, above, size, unrelated=variant.partition(" ")[0], given="given" in variant
        )
        for place, mass in found.items():
            total[place] += mass
    return np.array([[total[row, column] for column in names] for row in names])


@variants
@given(sample=samples())
def test_the_matrix_is_that_of_the_plain_algorithm(variant: str, sample: Sample) -> None:
    assert close(sample.matrix(variant), expected(sample, variant))


@pytest.mark.parametrize("variant", ["facets given", "related given", "all given"])
@given(sample=samples())
def test_rows_count_true_labels_and_columns_predicted_ones(variant: str, sample: Sample) -> None:
    found, names = sample.matrix(variant), sample.hierarchy.label_vocabulary
    for sets, sums in ((sample.truths, found.sum(axis=1)), (sample.predictions, found.sum(axis=0))):
        assert close(sums[:-1], [sum(name in one for one in sets) for name in names])
    hits = [
        sum(
            name in true & predicted
            for true, predicted in zip(sample.truths, sample.predictions, strict=True)
        )
        for name in names
    ]
    assert close(found.diagonal()[:-1], hits)


@variants
@given(sample=samples())
def test_exchanging_truth_and_prediction_transposes_the_matrix(variant: str, sample: Sample) -> None:
    swapped = sample._replace(truths=sample.predictions, predictions=sample.truths)
    assert close(swapped.matrix(variant), sample.matrix(variant).T)


@pytest.mark.parametrize("variant", ["facets given", "facets", "all"])
@given(sample=samples())
def test_single_labels_give_the_multi_class_matrix(variant: str, sample: Sample) -> None:
    names = sample.hierarchy.label_vocabulary
    single = sample._replace(
        truths=[frozenset({min(one | {names[0]})}) for one in sample.truths],
        predictions=[frozenset({max(one | {names[0]})}) for one in sample.predictions],
    )
    multiclass = oe.confusion_matrix(
        single.truths, single.predictions, rule="multiclass", hierarchy=sample.hierarchy
    )
    assert close(single.matrix(variant)[:-1, :-1], multiclass.matrix)


@given(sample=samples(only_trees=True))
def test_on_trees_the_pairs_share_as_many_bits_as_the_best_pairing(sample: Sample) -> None:
    from scipy.optimize import linear_sum_assignment

    hierarchy = sample.hierarchy
    weighted = hierarchy.label_ancestors * hierarchy.derive(Bits())
    shared = np.asarray((weighted @ hierarchy.label_ancestors.T).toarray())
    names = hierarchy.label_vocabulary
    for truth, prediction in zip(sample.truths, sample.predictions, strict=True):
        alone = sample._replace(truths=[truth], predictions=[prediction]).matrix("all given")[:-1, :-1]
        missed, false = (
            names.positions(sorted(truth - prediction)),
            names.positions(sorted(prediction - truth)),
        )
        costs = shared[np.ix_(missed, false)]
        best = costs[linear_sum_assignment(costs, maximize=True)].sum()
        assert np.sum(alone[np.ix_(missed, false)] * costs) == pytest.approx(best, abs=1e-9)


def below_tops(sample: Sample, tops: int) -> oe.Hierarchy:
    """Put a chain of abstract roots above all others."""
    hierarchy, names = sample.hierarchy, sample.hierarchy.vocabulary.concepts
    chain = [f"top {at}" for at in range(tops)]
    links = [(names[row], names[column]) for column, row in zip(*hierarchy.parents.nonzero(), strict=True)]
    links += [*pairwise(chain)]
    links += [(chain[-1], names[root]) for root in hierarchy.roots.tolist()]
    abstract = [names[at] for at in np.flatnonzero(hierarchy.abstract).tolist()]
    return oe.Hierarchy.from_edges(links, concepts=[*chain, *names], abstract=[*chain, *abstract])


@variants
@given(sample=samples(), tops=st.integers(1, 3))
def test_abstract_roots_above_all_change_no_confusion(variant: str, sample: Sample, tops: int) -> None:
    rooted = sample._replace(hierarchy=below_tops(sample, tops))
    plain, moved = (
        oe.confusion_matrix(
            one.truths, one.predictions, rule="transport", variant=variant, hierarchy=one.hierarchy
        )
        for one in (sample, rooted)
    )
    assert moved.rows == plain.rows
    assert np.array_equal(moved.to_numpy(), plain.to_numpy())
    assert moved.top() == plain.top()
    assert moved.unmatched() == plain.unmatched()


@given(sample=samples())
def test_labels_without_a_relative_on_the_other_side_are_paired_as_far_as_they_go(sample: Sample) -> None:
    hierarchy, names = sample.hierarchy, sample.hierarchy.label_vocabulary
    bits = hierarchy.derive(Bits())
    shared = (
        np.asarray(((hierarchy.label_ancestors * (bits > 0)) @ hierarchy.label_ancestors.T).toarray()) > 0
    )
    for truth, prediction in zip(sample.truths, sample.predictions, strict=True):
        found = sample._replace(truths=[truth], predictions=[prediction]).matrix("facets given")
        sides = names.positions(sorted(truth)), names.positions(sorted(prediction))
        relatives = shared[np.ix_(*sides)]
        alone = sides[0][~relatives.any(axis=1)], sides[1][~relatives.any(axis=0)]
        assert found[np.ix_(*alone)].sum() == pytest.approx(min(map(len, alone)))


@given(sample=samples())
def test_facets_that_both_sides_have_are_not_confused(sample: Sample) -> None:
    hierarchy, names = sample.hierarchy, sample.hierarchy.label_vocabulary
    near = (hierarchy.label_ancestors * (hierarchy.derive(Bits()) > 0)) @ hierarchy.label_ancestors.T
    shared = np.asarray(near.toarray()) > 0
    for truth, prediction in zip(sample.truths, sample.predictions, strict=True):
        alone = sample._replace(truths=[truth], predictions=[prediction]).matrix("facets given")[:-1, :-1]
        true, predicted = names.positions(sorted(truth)), names.positions(sorted(prediction))
        for one, other in np.argwhere(alone).tolist():
            kept = shared[one, predicted].any() or shared[true, other].any()
            assert shared[one, other] or not kept
