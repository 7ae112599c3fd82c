"""Laws of transport F and tκ on trees, of κ on all hierarchies, and the two wishes that no measure meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import ontoeval as oe
from ontoeval.concepts.bits import Bits, Sizes
from tests.laws.cases import Case, cases, exists, fewer, some
from tests.oracles.transport import Graph

Labels = frozenset[str]
EXACT = 1e-12


def trees(max_nodes: int = 8) -> st.SearchStrategy[Case]:
    """Sets over a tree."""
    return cases(max_nodes=max_nodes).map(Case.as_tree)


def graph_of(case: Case) -> Graph:
    return Graph(case.graph.edges, case.graph.names, case.abstract)


def scores(
    case: Case, truths: Iterable[Labels], predictions: Iterable[Labels], measure: str = "tF"
) -> NDArray[np.float64]:
    """Score pairs of sets, one after the other."""
    notation = f"{measure[:-1]}, average='samples')" if "(" in measure else f"{measure}(average='samples')"
    batch = case.sets(list(truths), list(predictions), agreed=False)
    return oe.evaluation.Evaluation(oe.collect(batch, notation), batch).per_sample(notation)


def of_one_truth(case: Case, predictions: list[Labels], measure: str = "tF") -> NDArray[np.float64]:
    return scores(case, [case.truths[0]] * len(predictions), predictions, measure)


def variants(case: Case, labels: Iterable[str]) -> list[Labels]:
    """The first prediction, and the prediction with one more label."""
    return [case.predictions[0], *(case.predictions[0] | {label} for label in labels)]


def sides(case: Case) -> tuple[Graph, Labels, Labels, list[str]]:
    """True and predicted labels of the first sample, and those that would be wrong to add."""
    graph, true, predicted = graph_of(case), case.truths[0], case.predictions[0]
    right = frozenset[str]().union(*(graph.above[label] for label in true))
    return graph, true, predicted, [z for z in graph.labels if z not in right | predicted]


@pytest.mark.parametrize("weights", ["bits", "halving", "unit"])
@some
@given(case=trees())
def test_a_right_label_never_hurts(weights: str, case: Case) -> None:
    _, true, predicted, _ = sides(case)
    assume(true - predicted)
    found = of_one_truth(case, variants(case, sorted(true - predicted)), f"tF(weights='{weights}')")
    assert np.all((found[1:] >= found[0] - EXACT) | np.isnan(found[1:]) | np.isnan(found[0]))


@some
@given(case=trees())
def test_where_all_is_found_a_wrong_label_hurts(case: Case) -> None:
    graph, true, predicted, wrong = sides(case)
    both = predicted | true
    assume(wrong and true)
    found = of_one_truth(case, [both, *(both | {z} for z in wrong)])
    implied = np.array([any(z in graph.above[label] for label in both) for z in wrong])
    assert np.all(np.where(implied, found[1:] == found[0], found[1:] < found[0] - EXACT))


@some
@given(case=trees(), data=st.data())
def test_a_wrong_label_no_nearer_than_the_predicted_ones_does_not_help(
    case: Case, data: st.DataObject
) -> None:
    graph, _, predicted, _ = sides(case)
    only = data.draw(st.sampled_from(graph.labels))
    bits = graph.bits()
    nearest = max((graph.shared(bits, only, z) for z in predicted), default=-1.0)
    wrong = [z for z in graph.labels if z not in graph.above[only] | predicted]
    farther = [z for z in wrong if graph.shared(bits, only, z) <= nearest]
    assume(farther)
    added = variants(case, farther)
    found = scores(case, [frozenset({only})] * len(added), added)
    assert np.all(found[1:] <= found[0] + EXACT)


@some
@given(case=trees())
def test_a_label_that_shares_nothing_with_the_truth_does_not_help(case: Case) -> None:
    graph, true, _, wrong = sides(case)
    bits = graph.bits()
    strangers = [z for z in wrong if not any(graph.shared(bits, z, y) for y in true)]
    found = of_one_truth(case, variants(case, strangers))
    assert not true or np.all(found[1:] <= found[0] + EXACT)


@some
@given(case=trees())
def test_a_wrong_label_helps_no_more_than_the_best_right_one(case: Case) -> None:
    _, true, predicted, wrong = sides(case)
    missed = sorted(true - predicted)
    assume(wrong and missed)
    found = of_one_truth(case, variants(case, [*missed, *wrong]))
    assert found[1 + len(missed) :].max() <= found[1 : 1 + len(missed)].max() + EXACT


@some
@given(case=trees())
def test_a_true_ancestor_is_worth_no_more_than_the_label_and_no_less_than_nothing(case: Case) -> None:
    graph, true, predicted, _ = sides(case)
    pairs = [
        (y, p)
        for y in sorted(graph.most_specific(true))
        for p in graph.above[y]
        if p in graph.labels and p != y
    ]
    assume(pairs)
    for y, p in pairs:
        without = predicted - {y}
        nothing, ancestor, label, before, added = of_one_truth(
            case, [without, without | {p}, without | {y}, predicted, predicted | {p}]
        )
        assert nothing - EXACT <= ancestor <= label + EXACT
        assert added >= before - EXACT


@some
@given(case=cases())
def test_so_many_labels_excuse_no_more_leaves_than_as_many(case: Case) -> None:
    graph = graph_of(case)
    leaves = {name for name in graph.labels if graph.below[name] == {name}}
    true, predicted = case.truths[0] & leaves, graph.most_specific(case.predictions[0])
    k, m = len(true), len(predicted)
    assume(0 < m <= k)
    assert scores(case, [true], [predicted])[0] <= 2 * m / (m + k) + EXACT


@some
@given(case=cases())
def test_right_leaves_alone_score_by_their_number(case: Case) -> None:
    graph = graph_of(case)
    true = {name for name in case.truths[0] if graph.below[name] == {name}}
    found = case.predictions[0] & true
    k, m = len(true), len(found)
    assume(k)
    assert scores(case, [frozenset(true)], [found])[0] == pytest.approx(2 * m / (m + k), abs=EXACT)


@some
@given(case=cases())
def test_the_size_of_a_label_is_its_share_of_the_bits_however_many_parents_it_has(case: Case) -> None:
    graph, hierarchy = graph_of(case), case.bare_hierarchy
    q = len(graph.labels)
    total = max(2, q + any(len(graph.below[label]) == q for label in graph.labels))
    sizes = dict(zip(hierarchy.vocabulary, hierarchy.derive(Sizes()).tolist(), strict=True))
    for label in graph.labels:
        assert sizes[label] == pytest.approx(1 - np.log(len(graph.below[label])) / np.log(total), abs=EXACT)
        assert sizes[label] <= 1 + EXACT


@some
@given(case=cases())
def test_1_where_and_only_where_all_that_is_told_is_the_same(case: Case) -> None:
    graph = graph_of(case)
    closed = [
        [frozenset[str]().union(*(graph.above[label] for label in labels)) for labels in side]
        for side in (case.truths, case.predictions)
    ]
    found = scores(case, case.truths, case.predictions)
    for score, true, predicted in zip(found, *closed, strict=True):
        assert (abs(score - 1) <= EXACT) == (true == predicted)


@some
@given(case=cases())
def test_single_labels_score_1_less_the_dissimilarity_of_lin(case: Case) -> None:
    graph = graph_of(case)
    bits = graph.bits()
    pairs = list(product(graph.labels, repeat=2))
    first, second = ([frozenset({pair[side]}) for pair in pairs] for side in (0, 1))
    found = scores(case, first, second)
    for score, (a, b) in zip(found, pairs, strict=True):
        shared = graph.shared(bits, a, b)
        predicted = shared if b in graph.above[a] else graph.size(bits, b)  # what is above is never false
        both = graph.size(bits, a) + predicted
        assert score == pytest.approx(2 * graph.shared(bits, a, b) / both, abs=EXACT)


@some
@given(case=cases(), data=st.data())
def test_an_abstract_concept_on_a_link_changes_nothing(case: Case, data: st.DataObject) -> None:
    assume(case.graph.edges)
    parent, child = data.draw(st.sampled_from(case.graph.edges))
    edges = [edge for edge in case.graph.edges if edge != (parent, child)]
    longer = oe.Hierarchy.from_edges(
        [*edges, (parent, "new"), ("new", child)],
        concepts=sorted(case.graph.names),
        abstract=[*case.abstract, "new"],
    )
    batch = case.sets(case.truths, case.predictions, agreed=False)
    moved = oe.Batch(batch.truth, batch.prediction, longer)
    for one, other in zip(
        *(oe.collect(each, ["tF", "tKappa"]).sums.values() for each in (batch, moved)), strict=True
    ):
        assert one[:4] == pytest.approx(other[:4], abs=EXACT)
    both = [oe.score(oe.collect(each, "tKappa"))["tKappa"] for each in (batch, moved)]
    assert both[0] == pytest.approx(both[1], abs=1e-9, nan_ok=True)


@some
@given(case=cases())
def test_without_links_they_are_the_measures_of_sets(case: Case) -> None:
    flat = oe.Hierarchy.from_edges([], concepts=sorted(case.labels))
    batch = case.sets(case.truths, case.predictions, agreed=False)
    ours, usual = (
        oe.score(oe.collect(oe.Batch(batch.truth, batch.prediction, flat), measures)).scores.values()
        for measures in (
            ["tP", "tR", "tF", "tJaccard", "CoPHE", "tF(beta=2, average='samples')"],
            ["P", "R", "F", "Jaccard(average='micro')", "hF", "F(beta=2, average='samples')"],
        )
    )
    assert list(ours) == pytest.approx(list(usual), abs=EXACT, nan_ok=True)


@some
@given(case=cases())
def test_the_sums_and_kappa_are_those_of_the_definition(case: Case) -> None:
    graph = graph_of(case)
    bits = graph.bits()
    batch = case.sets(case.truths, case.predictions, agreed=False)
    result = oe.score(oe.collect(batch, ["tF", "tKappa"]))
    sums = result.totals.sums[oe.measures.parse("tF").statistic]
    concepts = case.bare_hierarchy
    assert dict(zip(concepts.vocabulary, concepts.derive(Bits()), strict=True)) == pytest.approx(bits)
    assert sums == pytest.approx(graph.whole(bits, case.truths, case.predictions), abs=EXACT)
    kappa = graph.kappa(bits, case.truths, case.predictions)
    assert result["tKappa"] == pytest.approx(np.nan if kappa is None else kappa, abs=1e-9, nan_ok=True)


@some
@given(case=cases())
def test_concepts_divide_the_sums(case: Case) -> None:
    measure = oe.measures.parse("tF")
    found = np.array(list(measure.by_concept(case.batch).values())).sum(axis=0)
    right, false, true = oe.collect(case.batch, measure).sums[measure.statistic]
    assert found == pytest.approx([right, false, true - right], abs=EXACT)


def best_pairing(case: Case, true: Labels, some: Labels) -> float:
    """Most bits that pairs share, one to one: two labels share those of their best common ancestor."""
    graph, hierarchy = graph_of(case), case.bare_hierarchy
    sizes = dict(zip(hierarchy.vocabulary, hierarchy.derive(Sizes()).tolist(), strict=True))
    table = [[max([0.0, *(sizes[c] for c in graph.above[y] & graph.above[z])]) for z in some] for y in true]
    found = np.array(table).reshape(len(true), len(some))
    return float(found[linear_sum_assignment(found, maximize=True)].sum())


def sums_and_pairings(case: Case) -> tuple[NDArray[np.float64], float, float]:
    """S, FP and A of the first sample, and what the best pairings make of S and FP."""
    graph = graph_of(case)
    true, predicted = (graph.most_specific(side[0]) for side in (case.truths, case.predictions))
    false = frozenset(z for z in predicted if not any(z in graph.above[y] for y in true))
    sums = oe.collect(case.sets([true], [predicted], agreed=False), "tF").sums[
        oe.measures.parse("tF").statistic
    ]
    sizes = sum(graph.size(graph.bits(), z) for z in false)
    return sums, best_pairing(case, true, predicted), sizes - best_pairing(case, true, false)


@some
@given(case=trees())
def test_what_is_told_is_the_best_pairing(case: Case) -> None:
    (right, false, _), told, told_falsely = sums_and_pairings(case)
    assert [right, false] == pytest.approx([told, told_falsely], abs=EXACT)


@some
@given(case=cases())
def test_no_more_is_told_than_by_the_best_pairing_however_many_parents_labels_have(case: Case) -> None:
    (right, false, _), told, told_falsely = sums_and_pairings(case)
    assert right <= told + EXACT
    assert false >= told_falsely - EXACT


@some
@given(case=cases(one_label=True))
def test_single_leaves_of_a_tree_score_as_by_valmadre(case: Case) -> None:
    """F of the information of the common ancestors, if all leaves are labels and as likely."""
    case = case.as_tree()
    inner = {parent for parent, _ in case.graph.edges}
    leaves = [name for name in case.graph.names if name not in inner]
    assume(len(leaves) > 1)
    hierarchy = oe.Hierarchy.from_edges(case.graph.edges, concepts=case.graph.names, abstract=inner)
    pairs = list(product(leaves, repeat=2))
    ours, theirs = (
        oe.evaluate(
            [[y] for y, _ in pairs], [[z] for _, z in pairs], hierarchy=hierarchy, measures=symbol
        ).per_sample(symbol)
        for symbol in ("tF(average='samples')", "iF")
    )
    assert ours == pytest.approx(theirs, abs=EXACT)


# several parents --------------------------------------------------------------------------------------------


def one_score(links: dict[str, str], true: str, predicted: str, measure: str = "tF") -> float:
    """Score one sample over the parents of some children; capitals may not be labels."""
    edges = [(parent, child) for child, parents in links.items() for parent in parents.split()]
    abstract = {name for edge in edges for name in edge if name.isupper()}
    hierarchy = oe.Hierarchy.from_edges(edges, abstract=abstract)
    return oe.evaluate([true.split()], [predicted.split()], hierarchy=hierarchy, measures=measure)[measure]


TWO_WAYS = {"bat": "mammal FLYER", "dog": "mammal", "bird": "FLYER", "oak": "PLANT", "fir": "PLANT"}


def test_what_the_split_of_labels_loses() -> None:
    """A label through one of two parents, a parent through its child, and what is implied by the child."""
    assert one_score(TWO_WAYS, "dog", "mammal", "tR") == pytest.approx(
        2 * one_score(TWO_WAYS, "bat", "mammal", "tR")
    )
    assert one_score(TWO_WAYS, "mammal", "bat", "tR") == pytest.approx(0.5)
    assert one_score(TWO_WAYS, "mammal", "mammal bat", "tR") == pytest.approx(0.5)
    # Where all is found, a wrong label can help, since it makes up for what the child of two parents tells.
    assert one_score(TWO_WAYS, "mammal", "bat dog", "tR") == 1
    before, after = (one_score(TWO_WAYS, "mammal", some) for some in ("mammal bat", "mammal bat dog"))
    assert before < after


# chance -----------------------------------------------------------------------------------------------------


def kappa(case: Case, predictions: Iterable[Labels], hierarchy: oe.Hierarchy | None = None) -> float:
    batch = case.sets(case.truths, list(predictions), agreed=False)
    batch = oe.Batch(batch.truth, batch.prediction, hierarchy or batch.hierarchy)
    return oe.score(oe.collect(batch, "tKappa"))["tKappa"]


@some
@given(case=cases())
def test_a_constant_prediction_scores_0(case: Case) -> None:
    found = kappa(case, [case.predictions[0]] * len(case.truths))
    assert np.isnan(found) or abs(found) < 1e-9


@some
@given(case=cases())
def test_kappa_is_at_most_1_and_1_for_the_truth(case: Case) -> None:
    found, best = kappa(case, case.predictions), kappa(case, case.truths)
    assert np.isnan(found) or found <= 1 + EXACT
    assert np.isnan(best) or best == pytest.approx(1)


def cohen(truth: list[str], predicted: list[str], distance: dict[tuple[str, str], float]) -> float:
    """Weighted κ of single labels by its definition; nan where chance leaves no disagreement."""
    observed = np.mean([distance[pair] for pair in zip(truth, predicted, strict=True)])
    chance = np.mean([distance[pair] for pair in product(truth, predicted)])
    return float(1 - observed / chance) if chance > EXACT else np.nan


@some
@given(case=cases(one_label=True, max_samples=8))
def test_kappa_of_single_labels_is_cohens(case: Case) -> None:
    graph = graph_of(case)
    bits = graph.bits()
    pairs = list(product(graph.labels, repeat=2))
    truth, predicted = ([next(iter(one)) for one in side] for side in (case.truths, case.predictions))
    too_general = any(z in graph.above[y] - {y} for y, z in zip(truth, predicted, strict=True))
    assume(not too_general or case == case.as_tree())  # with several parents they have few false bits
    sums = {(a, b): graph.sums(bits, frozenset({a}), frozenset({b}), rounded=True) for a, b in pairs}
    weighted = {(a, b): (sums[a, b].true + sums[b, a].true) / 2 - sums[a, b].right for a, b in pairs}
    assert kappa(case, case.predictions) == pytest.approx(
        cohen(truth, predicted, weighted), abs=1e-9, nan_ok=True
    )
    flat = oe.Hierarchy.from_edges([], concepts=sorted(case.labels))
    unequal = {(a, b): float(a != b) for a, b in pairs}
    found = kappa(case, case.predictions, flat)
    assert found == pytest.approx(cohen(truth, predicted, unequal), abs=1e-9, nan_ok=True)


@fewer
@given(case=trees())
def test_where_all_is_found_a_wrong_label_lowers_kappa(case: Case) -> None:
    graph = graph_of(case)
    both = [true | predicted for true, predicted in zip(case.truths, case.predictions, strict=True)]
    before = kappa(case, both)
    for label in graph.labels:
        after = kappa(case, [both[0] | {label}, *both[1:]])
        assert label in both[0] or np.isnan(before) or before < 0 or after <= before + 1e-9


@some
@given(case=cases(max_samples=6), weights=st.data())
def test_a_weight_of_2_is_a_repetition_and_resamples_are_computed_anew(
    case: Case, weights: st.DataObject
) -> None:
    batch = case.batch
    drawn = weights.draw(st.lists(st.integers(0, 3), min_size=len(batch), max_size=len(batch)).filter(any))
    rows = [row for row, times in enumerate(drawn) for _ in range(times)]
    again = case.sets([case.truths[row] for row in rows], [case.predictions[row] for row in rows])
    expected = oe.score(oe.collect(again, "tKappa"))["tKappa"]
    weighed = oe.score(oe.collect(batch, "tKappa", sample_weight=np.array(drawn, dtype=float)))["tKappa"]
    measure = oe.measures.parse("tKappa")
    resampled = measure.formula(np.array([drawn], dtype=float) @ measure.statistic(batch))[0]
    assert [weighed, resampled] == pytest.approx([expected] * 2, abs=1e-9, nan_ok=True)


# what no measure can do -------------------------------------------------------------------------------------

COPHE = "CoPHE(weights='halving', members='most specific', average='samples')"


def rated(case: Case, truths: list[Labels], predictions: list[Labels], notation: str) -> NDArray[np.float64]:
    batch = case.sets(truths, predictions, agreed=False)
    return oe.evaluation.Evaluation(oe.collect(batch, notation), batch).per_sample(notation)


@pytest.mark.parametrize("notation", ["OS", "hF", "LCaF", COPHE, "tF", "tJaccard"])
def test_whoever_gives_credit_lets_a_wrong_label_help(notation: str) -> None:
    """An empty prediction scores 0, and a near miss more: so adding a wrong label helps."""

    def helps(case: Case) -> bool:
        pairs = [(frozenset({y}), frozenset({z})) for y, z in product(case.labels, repeat=2) if y != z]
        truths, wrong = ([pair[side] for pair in pairs] for side in (0, 1))
        nothing = rated(case, truths, [frozenset()] * len(pairs), notation)
        return bool(np.any((rated(case, truths, wrong, notation) > 0) & ~(nothing > 0)))

    assert exists(trees(max_nodes=6), helps)


def leaves_alone(case: Case) -> tuple[Labels, Labels]:
    graph = graph_of(case)
    leaves = {name for name in graph.labels if graph.below[name] == {name}}
    return case.truths[0] & leaves, case.predictions[0] & leaves


def depends_on_the_side(case: Case, notation: str) -> bool:
    true, predicted = leaves_alone(case)
    there, back = rated(case, [true, predicted], [predicted, true], notation)
    return bool(abs(there - back) > 1e-9)


def hurt_by_a_right_label(case: Case, notation: str) -> bool:
    true, predicted = leaves_alone(case)
    sets = [predicted, *(predicted | {y} for y in sorted(true - predicted))]
    found = rated(case, [true] * len(sets), sets, notation)
    return bool(np.any(found[1:] < found[0] - 1e-9))


def excuses_twice(case: Case, notation: str) -> bool:
    true, predicted = leaves_alone(case)
    k, m = len(true), len(predicted)
    return bool(0 < m <= k and rated(case, [true], [predicted], notation)[0] > 2 * m / (m + k) + 1e-9)


@pytest.mark.parametrize(
    ("notation", "broken"),
    [
        ("tF(average='samples')", depends_on_the_side),
        (COPHE, hurt_by_a_right_label),
        ("hF(average='samples')", excuses_twice),
        ("OS", excuses_twice),
    ],
)
def test_of_symmetry_right_labels_and_excuses_one_must_go(
    notation: str, broken: Callable[[Case, str], bool]
) -> None:
    assert exists(trees(), lambda case: broken(case, notation))


def test_why_one_must_go() -> None:
    """Where siblings b and c score more than 2/3 alone, the three wishes contradict each other."""
    notation = "tF(weights='halving', average='samples')"

    def near(case: Case) -> list[tuple[str, str]]:
        true, predicted = leaves_alone(case)
        pairs = [(b, c) for b, c in product(sorted(true), sorted(predicted)) if b != c]
        return [
            (b, c) for b, c in pairs if rated(case, [frozenset({b})], [frozenset({c})], notation)[0] > 2 / 3
        ]

    health = settings(max_examples=2_000, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    case = find(trees(), lambda case: bool(near(case)), settings=health)
    b, c = near(case)[0]
    one, two = frozenset({b}), frozenset({b, c})
    over, under = rated(case, [one, two], [two, one], notation)
    assert over > 2 / 3  # no less than without the right label
    assert under <= 2 / 3 + EXACT  # one label excuses no more than one
