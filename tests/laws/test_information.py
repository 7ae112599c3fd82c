"""What holds for information content, for the similarities made of it, and for the contrast model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.concepts.costs import RELATED, costs_by_name
from ontoeval.concepts.information import information_by_name, weight_by_name
from ontoeval.measures.ontology_score import OntologyScore
from tests.laws.cases import Case, cases, exists, fewer, per_sample, scores
from tests.oracles import information as oracle
from tests.oracles import ontology_score as naive
from tests.oracles.hierarchical import above
from tests.oracles.hierarchical import depth as depth_of

INTRINSIC = ("uniform", "resnik", "seco", "sanchez", "sanchez(own-leaf)", "zhou", "zhou(0.25)")
OF_PATHS = ("wu-palmer", "wu-palmer(links)", "leacock-chodorow", "batet")
OF_INFORMATION = ("lin", "jiang-conrath", "resnik")


def named(case: Case) -> list[str]:
    """All concepts in the order of the hierarchy."""
    return list(case.hierarchy.vocabulary)


def corpus_of(case: Case) -> oe.LabelSets:
    """The true sets as annotations of a corpus."""
    return oe.LabelSets.from_sets(case.truths, vocabulary=case.bare_hierarchy.label_vocabulary)


# information content ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", INTRINSIC)
@fewer
@given(case=cases())
def test_intrinsic_information_is_that_of_the_naive_implementation(kind: str, case: Case) -> None:
    expected = oracle.intrinsic(case.graph.edges, named(case), kind)
    found = weight_by_name(case.hierarchy, kind)
    np.testing.assert_allclose(found, [expected[name] for name in named(case)], atol=1e-12)


@pytest.mark.parametrize("kind", INTRINSIC)
@fewer
@given(case=cases())
def test_information_grows_from_parent_to_child_and_one_root_has_none(kind: str, case: Case) -> None:
    hierarchy = case.hierarchy
    values = dict(zip(hierarchy.vocabulary, information_by_name(hierarchy, kind), strict=True))
    strictly = kind != "uniform"
    for parent, child in case.graph.edges:
        assert values[child] > values[parent] if strictly else values[child] == values[parent]
    if strictly and len(hierarchy.roots) == 1 and len(hierarchy.vocabulary) > 1:
        assert values[hierarchy.vocabulary[int(hierarchy.roots[0])]] == 0


@pytest.mark.parametrize("kind", ["seco", "zhou", "zhou(0)", "zhou(1)"])
@given(case=cases())
def test_scaled_information_lies_between_zero_and_one(kind: str, case: Case) -> None:
    values = weight_by_name(case.hierarchy, kind)
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12


@given(case=cases())
def test_seco_is_resnik_scaled_and_zhou_ends_in_seco(case: Case) -> None:
    hierarchy, n = case.hierarchy, len(case.hierarchy.vocabulary)
    seco = weight_by_name(hierarchy, "seco")
    np.testing.assert_allclose(weight_by_name(hierarchy, "zhou(1)"), seco)
    if n > 1:
        np.testing.assert_allclose(weight_by_name(hierarchy, "resnik") / np.log(n), seco, atol=1e-12)


@given(case=cases())
def test_all_leaves_say_the_same_to_seco_and_to_sanchez(case: Case) -> None:
    leaves = case.hierarchy.vocabulary.positions(sorted(oracle.leaves(case.graph.edges, named(case))))
    for kind in ("seco", "sanchez"):
        assert np.ptp(weight_by_name(case.hierarchy, kind)[leaves]) < 1e-12


def test_a_deeper_leaf_says_more_where_leaves_have_themselves() -> None:
    """Not all leaves are equal as nxontology computes the information of Sánchez et al."""

    def unequal(case: Case) -> bool:
        leaves = case.hierarchy.vocabulary.positions(sorted(oracle.leaves(case.graph.edges, named(case))))
        return bool(np.ptp(weight_by_name(case.hierarchy, "sanchez(own-leaf)")[leaves]) > 1e-6)

    assert exists(cases(), unequal)
    assert exists(cases().map(Case.as_tree), unequal)


@pytest.mark.parametrize("unseen", ["once", "smoothed"])
@given(case=cases())
def test_information_of_annotations_is_that_of_the_naive_implementation(unseen: Any, case: Case) -> None:
    found = oe.concepts.information_content(corpus_of(case), case.bare_hierarchy, unseen=unseen)
    expected = oracle.content(case.truths, case.graph.edges, named(case), unseen)
    np.testing.assert_allclose(found, [expected[name] for name in named(case)], atol=1e-12)
    known = oe.concepts.with_information(case.bare_hierarchy, corpus_of(case), corpus="c", unseen=unseen)
    assert information_by_name(known, "ic") == pytest.approx(found)  # and so grows from parent to child


@given(case=cases())
def test_accretion_is_that_of_the_naive_implementation_and_no_less_than_zero(case: Case) -> None:
    found = oe.concepts.information_accretion(corpus_of(case), case.bare_hierarchy)
    expected = oracle.accretion(case.truths, case.graph.edges, named(case))
    np.testing.assert_allclose(found, [expected[name] for name in named(case)], atol=1e-12)
    assert found.min() >= 0
    assert not found[case.bare_hierarchy.roots].any()


@fewer
@given(case=cases().map(Case.as_tree))
def test_in_a_tree_accretion_adds_up_to_content_beyond_that_of_the_root(case: Case) -> None:
    hierarchy = case.bare_hierarchy
    sets = corpus_of(case)
    content, accretion = (
        oe.concepts.information_content(sets, hierarchy),
        oe.concepts.information_accretion(sets, hierarchy),
    )
    seen = {name for truth in case.truths for name in above(case.graph.edges, truth)}
    index = hierarchy.vocabulary.index
    for name in seen:
        upward = above(case.graph.edges, {name})
        [root] = [index[one] for one in upward if depth_of(case.graph.edges, one) == 0]
        total = sum(accretion[index[one]] for one in upward)
        assert total == pytest.approx(content[index[name]] - content[root], abs=1e-9)


@fewer
@given(case=cases())
def test_blocks_of_a_corpus_and_its_order_change_nothing(case: Case) -> None:
    whole = oe.concepts.with_information(case.bare_hierarchy, corpus_of(case), corpus="c")
    with pytest.MonkeyPatch.context() as context:
        context.setattr("ontoeval.concepts.information.BLOCK", 1)
        backwards = oe.LabelSets(
            corpus_of(case).matrix[::-1, ::-1],
            oe.Vocabulary(corpus_of(case).vocabulary.concepts[::-1]),
            corpus_of(case).samples[::-1],
        )
        pieces = oe.concepts.with_information(case.bare_hierarchy, backwards, corpus="c")
    for name in ("ic", "ia"):
        np.testing.assert_array_equal(pieces.weights[name], whole.weights[name])
    assert pieces.sources == whole.sources


@pytest.mark.parametrize("weight", ["seco", "resnik", "sanchez", "zhou(0.2)"])
@fewer
@given(case=cases())
def test_without_links_weighted_measures_are_flat(weight: str, case: Case) -> None:
    flat = replace(case, graph=replace(case.graph, edges=()), exclusions=(), requirements=())
    assume(weight != "resnik" or len(flat.graph.names) > 1)  # alone a concept says nothing to it
    found = scores(flat.batch, [f"hF(weight={weight!r})", f"hJaccard(weight={weight!r}, average='samples')"])
    expected = scores(flat.batch, ["F", "Jaccard(average='samples')"])
    np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-12)


# similarities and costs -------------------------------------------------------------------------------------


def related(case: Case, information: str, *, connect_roots: bool) -> oracle.Related:
    """The naive similarities."""
    values = information_by_name(case.hierarchy, information)
    by_name = dict(zip(case.hierarchy.vocabulary, values.tolist(), strict=True))
    return oracle.Related(case.graph.edges, named(case), by_name, connect_roots)


@pytest.mark.parametrize("connect_roots", [True, False])
@pytest.mark.parametrize(
    ("measure", "information"),
    [
        *((measure, information) for measure in OF_INFORMATION for information in ("seco", "ic", "sanchez")),
        *((measure, "seco") for measure in OF_PATHS),
    ],
)
@fewer
@given(case=cases(max_nodes=6))
def test_similarities_and_their_costs_are_those_of_the_naive_implementation(
    measure: Any, information: str, connect_roots: Any, case: Case
) -> None:
    expected = related(case, information, connect_roots=connect_roots)
    cost = measure if measure in OF_PATHS else f"{measure}({information})"
    table = costs_by_name(case.hierarchy, cost, connect_roots=connect_roots).table
    index = case.hierarchy.label_vocabulary.index
    for one in named(case):
        for other in named(case):
            found = oe.concepts.similarity(
                case.hierarchy,
                one,
                other,
                measure=measure,
                information=information,
                connect_roots=connect_roots,
            )
            assert found == pytest.approx(expected.similarity(measure, one, other), abs=1e-12)
            costs = expected.cost(measure, one, other)
            single = oe.concepts.cost_between(
                case.hierarchy, one, other, cost=cost, connect_roots=connect_roots
            )
            assert single == pytest.approx(costs, abs=1e-9)
            if one in index and other in index:
                assert table[index[one], index[other]] == pytest.approx(costs, abs=1e-9)


@pytest.mark.parametrize("cost", [*RELATED, "lin(resnik)", "jiang-conrath(zhou)", "resnik(ic)"])
@pytest.mark.parametrize("connect_roots", [True, False])
@fewer
@given(case=cases())
def test_costs_of_similarities_are_costs(cost: str, connect_roots: Any, case: Case) -> None:
    table = costs_by_name(case.hierarchy, cost, connect_roots=connect_roots).table
    assert np.array_equal(table, table.T)
    assert table.min() >= 0
    assert table.max() <= 1 + 1e-12
    assert not table.diagonal().any()


@pytest.mark.parametrize("measure", ["wu-palmer", "wu-palmer(links)", "batet", "lin", "jiang-conrath"])
@fewer
@given(case=cases())
def test_only_the_same_concept_is_wholly_similar(measure: Any, case: Case) -> None:
    for one in named(case):
        for other in named(case):
            found = oe.concepts.similarity(case.hierarchy, one, other, measure=measure)
            assert found == oe.concepts.similarity(case.hierarchy, other, one, measure=measure)
            assert 0 <= found <= 1 + 1e-12
            assert (found > 1 - 1e-12) == (one == other)


@pytest.mark.parametrize("cost", ["batet", "wu-palmer", "jiang-conrath"])
@fewer
@given(case=cases().map(Case.as_tree))
def test_in_a_tree_a_parent_is_no_farther_from_what_lies_beside_its_child(cost: str, case: Case) -> None:
    """Every step down leads no nearer to what is neither above nor below."""
    hierarchy = case.hierarchy
    for parent, child in case.graph.edges:
        for other in named(case):
            if other not in above(case.graph.edges, {child}) and child not in above(
                case.graph.edges, {other}
            ):
                nearer = oe.concepts.cost_between(hierarchy, parent, other, cost=cost)
                assert nearer <= oe.concepts.cost_between(hierarchy, child, other, cost=cost) + 1e-9


FLAT = ("lin", "jiang-conrath", "resnik", "wu-palmer(links)", "leacock-chodorow", "batet")


@pytest.mark.parametrize("cost", FLAT)
@fewer
@given(case=cases())
def test_without_links_all_concepts_cost_the_most(cost: str, case: Case) -> None:
    flat = replace(case, graph=replace(case.graph, edges=()), exclusions=(), requirements=())
    measure = f"OS(cost={cost!r}, agreement=None)"
    found = scores(flat.batch, [measure, "Jaccard"])
    assert found[measure] == pytest.approx(found["Jaccard"], nan_ok=True)


def test_without_links_wu_and_palmer_count_the_virtual_root() -> None:
    """In nodes even roots share one, which lies above them; without it they are apart."""
    flat = oe.Hierarchy.from_edges([], concepts=["a", "b"])
    assert oe.concepts.cost_between(flat, "a", "b", cost="wu-palmer") == 0.5
    assert oe.concepts.cost_between(flat, "a", "b", cost="wu-palmer", connect_roots=False) == 1


@st.composite
def relations(draw: st.DrawFn) -> tuple[Case, str, bool, str]:
    """A case, costs, whether roots are connected, and which of the nearest is chosen."""
    information = draw(st.sampled_from(["seco", "ic", "sanchez(own-leaf)"]))
    cost = draw(st.sampled_from([*(f"{one}({information})" for one in OF_INFORMATION), *OF_PATHS]))
    return draw(cases()), cost, draw(st.booleans()), draw(st.sampled_from(["largest", "smallest"]))


def in_pieces(context: pytest.MonkeyPatch, *, by: str) -> None:
    """Match by one of the strategies, one sample at a time."""
    context.setattr("ontoeval.measures.matching.SMALL", {"table": 10**6, "paths": -1}[by])
    context.setattr("ontoeval.measures.matching.SCRATCH", 1)


@pytest.mark.parametrize("by", ["table", "paths"])
@given(chosen=relations())
def test_the_ontology_score_finds_the_nearest_as_pairs_show(
    by: str, chosen: tuple[Case, str, bool, str]
) -> None:
    case, cost, connect_roots, ties = chosen
    base, _, information = cost.rstrip(")").partition("(") if cost not in OF_PATHS else (cost, "", "seco")
    if information.startswith("sanchez"):
        information = "sanchez(own-leaf)"
    values = information_by_name(case.hierarchy, information)
    priced = oracle.Priced(
        case.graph.edges,
        tuple(case.graph.names),
        connect_roots=connect_roots,
        kind=base,
        information=dict(zip(case.hierarchy.vocabulary, values.tolist(), strict=True)),
    )
    measure = OntologyScore(cost=cost, connect_roots=connect_roots, ties=ties, penalise="none")  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as context:
        in_pieces(context, by=by)
        found = per_sample(case, measure)
    expected = [
        naive.score(truth, prediction, priced, agreement=case.agreement, ties=ties, penalise="none")
        for truth, prediction in zip(case.truths, case.predictions, strict=True)
    ]
    assert found == pytest.approx(expected, abs=1e-9)


# the information contrast model ----------------------------------------------------------------------------

trees = cases().map(Case.as_tree)


@given(case=trees, seed=st.randoms(use_true_random=False))
def test_the_closed_form_is_the_recursion_in_any_order(case: Case, seed: Any) -> None:
    values = dict(zip(named(case), case.hierarchy.weights["ic"].tolist(), strict=True))
    expected = []
    for truth, prediction in zip(case.truths, case.predictions, strict=True):
        orders = [sorted(side) for side in (truth, prediction)]
        for order in orders:
            seed.shuffle(order)
        expected.append(oracle.contrast(orders[0], orders[1], case.graph.edges, values))
    assert per_sample(case, oe.measures.parse("ICM")) == pytest.approx(expected, abs=1e-9)


def test_on_a_dag_the_recursion_depends_on_the_order() -> None:
    """So there is nothing that a closed form could be equal to."""

    def differs(case: Case) -> bool:
        values = dict(zip(named(case), weight_by_name(case.hierarchy, "seco").tolist(), strict=True))
        members: Sequence[str] = sorted(case.truths[0])
        forth, back = (oracle.of_set(order, case.graph.edges, values) for order in (members, members[::-1]))
        return abs(forth - back) > 1e-6

    assert exists(cases(), differs)


@given(
    case=trees, alphas=st.tuples(*[st.sampled_from([1.5, 2.0, 2.5])] * 2), beta=st.sampled_from([2.75, 2.9])
)
def test_no_prediction_contrasts_better_than_the_truth_and_an_empty_one_costs_what_the_truth_says(
    case: Case, alphas: tuple[float, float], beta: float
) -> None:
    options = f"alpha1={alphas[0]}, alpha2={alphas[1]}, beta={beta}"
    values = dict(zip(named(case), case.hierarchy.weights["ic"].tolist(), strict=True))
    found = per_sample(case, oe.measures.parse(f"ICM({options})"))
    for score, truth, prediction in zip(found, case.truths, case.predictions, strict=True):
        says = oracle.of_set(sorted(truth), case.graph.edges, values)
        assert score <= (sum(alphas) - beta) * says + 1e-9
        if not prediction:
            assert score == pytest.approx((alphas[1] - beta) * says)
    normalised = per_sample(case, oe.measures.parse(f"ICMnorm({options})"))
    assert all(0 <= score <= 1 for score in normalised)


@fewer
@given(case=trees)
def test_the_normalised_mean_is_made_of_means(case: Case) -> None:
    perfect = replace(case, predictions=case.truths)
    mean, best = scores(case.batch, ["ICM"])["ICM"], scores(perfect.batch, ["ICM"])["ICM"]
    expected = max(0.0, (mean + best) / (2 * best)) if best else float(mean >= 0)
    assert scores(case.batch, ["ICMnorm"])["ICMnorm"] == pytest.approx(expected)


def test_a_prediction_can_be_worse_than_none() -> None:
    """ICM of a sample has no lower bound, which is why the normalised one is cut off."""

    def worse(case: Case) -> bool:
        values = dict(zip(named(case), case.hierarchy.weights["ic"].tolist(), strict=True))
        least = -oracle.of_set(sorted(case.truths[0]), case.graph.edges, values)
        return per_sample(case, oe.measures.parse("ICM"))[0] < least - 1e-6

    assert exists(trees, worse)


def test_the_normalised_mean_is_no_mean_of_normalised_samples() -> None:
    def differs(case: Case) -> bool:
        mean = float(np.mean(per_sample(case, oe.measures.parse("ICMnorm"))))
        return abs(mean - scores(case.batch, ["ICMnorm"])["ICMnorm"]) > 1e-6

    assert exists(trees, differs)


# explanations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", RELATED)
@fewer
@given(case=cases())
def test_an_explanation_goes_over_a_common_ancestor_and_adds_up(cost: str, case: Case) -> None:
    sample = case.batch.truth.samples[0]
    told = oe.explain(
        case.batch.truth,
        case.batch.prediction,
        sample,
        hierarchy=case.hierarchy,
        measure=f"OS(cost={cost!r}, penalise='none', empty_prediction='weighted')",
    )
    for charge in told.charges:
        if charge.path:
            assert (charge.path[0], charge.path[-1]) == (charge.label, charge.matched)
            steps = {frozenset(edge) for edge in case.graph.edges}
            real = [name for name in charge.path if name != "(root)"]
            assert all(frozenset(step) in steps or "(root)" in charge.path for step in pairwise(real))
    if told.charges:
        expected = max(0.0, 1 - sum(charge.charge for charge in told.charges) / len(told.charges))
        assert told.score == pytest.approx(expected, abs=1e-9)
