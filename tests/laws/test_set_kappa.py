"""Laws of kappa of whole label sets over a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.annotators.options import AgreementOptions
from ontoeval.core.resampling import in_order, portions_of
from tests import strategies as some
from tests.laws.cases import fewer
from tests.oracles import agreement as oracle
from tests.oracles.transport import Graph

Sheet = list[frozenset[str] | None]
Sheets = list[Sheet]
"""For each annotator the label set of each sample, None where the annotator has not seen it."""

Case = tuple[some.Graph, Graph, Sheets]


@st.composite
def cases(draw: st.DrawFn, *, missing: bool = True, annotators: int = 3) -> Case:
    """A hierarchy, as the library and the oracle have it, and sheets of up to four samples."""
    graph = draw(some.graphs(max_nodes=7))
    abstract = draw(st.frozensets(st.sampled_from(graph.names), max_size=len(graph.names) - 1))
    slow = Graph(graph.edges, graph.names, abstract)
    sheet: st.SearchStrategy[frozenset[str] | None] = some.concept_sets(slow.labels)
    if missing:
        sheet = st.one_of(sheet, sheet, st.none())
    number = draw(st.integers(2, 4))
    return graph, slow, [draw(st.lists(sheet, min_size=number, max_size=number)) for _ in range(annotators)]


def sheets_of(sheets: Sheets, labels: Sequence[str]) -> oe.Annotations:
    """Annotations of A, B, C …"""
    seen = {
        "ABCD"[n]: {str(at): sorted(one) for at, one in enumerate(side) if one is not None}
        for n, side in enumerate(sheets)
    }
    return oe.Annotations.from_sets(seen, vocabulary=labels)


def with_alike(sheets: Sheets) -> Sheets:
    """Add a sample in which nobody sees anything, so that all pairs meet."""
    return [[*side, frozenset()] for side in sheets]


def hierarchy_of(graph: some.Graph, slow: Graph) -> oe.Hierarchy:
    return oe.Hierarchy.from_edges(graph.edges, concepts=graph.names, abstract=sorted(slow.abstract))


def found_in(case: Case) -> oe.annotators.AnnotatorAgreement:
    graph, slow, sheets = case
    said = sheets_of(with_alike(sheets), slow.labels)
    return oe.agreement(said, hierarchy=hierarchy_of(graph, slow), sets=(), resamples=5)


def common(one: Sheet, other: Sheet) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The sets of the samples that both have seen."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return [*pairs, (frozenset(), frozenset())]


def same(found: object, expected: object) -> None:
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), atol=1e-9)


@given(cases())
def test_kappa_of_pairs_is_that_of_all_permutations_and_at_most_1(case: Case) -> None:
    _, slow, sheets = case
    found, bits = found_in(case), slow.bits()
    expected = [oracle.set_kappa(slow, bits, common(*both)) for both in combinations(sheets, 2)]
    same([pair.set_kappa for pair in found.pairs], expected)
    same(found.set_kappa.mean.value, oracle.mean(expected))
    assert all(np.isnan(pair.set_kappa) or pair.set_kappa <= 1 for pair in found.pairs)


@given(cases())
def test_kappa_of_each_annotator_is_that_of_the_set_and_the_majority_of_the_others(case: Case) -> None:
    _, slow, sheets = case
    found, bits = found_in(case), slow.bits()
    for who, row in enumerate(found.annotators):
        pairs = []
        for at, own in enumerate(sheets[who]):
            others = [given for n, side in enumerate(sheets) if n != who and (given := side[at]) is not None]
            if own is not None and others:
                rest = {
                    name for name in slow.labels if 2 * sum(name in some for some in others) > len(others)
                }
                pairs.append((own, frozenset(rest)))
        pairs.append((frozenset(), frozenset()))
        same(row.set_kappa, oracle.set_kappa(slow, bits, pairs))


@given(cases(annotators=2))
def test_kappa_is_symmetric(case: Case) -> None:
    graph, slow, (one, other) = case
    (there,), (back,) = (found_in((graph, slow, sides)).pairs for sides in ([one, other], [other, one]))
    same(there.set_kappa, back.set_kappa)


@given(cases(annotators=1))
def test_who_says_the_same_has_kappa_1_unless_all_sets_are_alike(case: Case) -> None:
    graph, slow, (one,) = case
    (pair,) = found_in((graph, slow, [one, one])).pairs
    kinds = {slow.most_specific(labels) for labels, _ in common(one, one)}
    same(pair.set_kappa, 1 if len(kinds) > 1 else np.nan)


@fewer
@given(cases(annotators=2, missing=False))
def test_shuffled_sheets_agree_by_chance_in_the_mean(case: Case) -> None:
    graph, slow, (one, other) = case
    hierarchy = hierarchy_of(graph, slow)
    kappas = [
        oe.agreement(sheets_of([one, list(order)], slow.labels), hierarchy=hierarchy, sets=(), resamples=1)
        .pairs[0]
        .set_kappa
        for order in permutations(other)
    ]
    same(np.mean(kappas) if np.isfinite(kappas[0]) else 0, 0)


@given(cases())
def test_without_a_hierarchy_it_is_the_pooled_kappa_of_the_decisions(case: Case) -> None:
    _, slow, sheets = case
    found = oe.agreement(sheets_of(with_alike(sheets), slow.labels), sets=(), resamples=1)
    expected = [oracle.pooled_kappa(common(*both), slow.labels) for both in combinations(sheets, 2)]
    same([pair.set_kappa for pair in found.pairs], expected)


@given(cases(annotators=2))
def test_intervals_are_those_of_annotations_drawn_again(case: Case) -> None:
    graph, slow, sheets = case
    said, hierarchy = sheets_of(with_alike(sheets), slow.labels), hierarchy_of(graph, slow)
    options = AgreementOptions(resamples=6, seed=3, sets=())
    found = oe.agreement(said, hierarchy=hierarchy, resamples=6, seed=3, sets=())
    samples = in_order(said.samples)
    ((_, portion),) = portions_of(samples, 20_000)
    order = list(map(str, range(len(sheets[0]) + 1)))
    kappas = []
    for times in options.bootstrap.draw(0, 6, portion).astype(int):
        drawn = np.repeat([order.index(sample) for sample in samples], times).tolist()
        again = [[[*side, frozenset()][at] for at in drawn] for side in sheets]
        kappas.append(oracle.set_kappa(slow, slow.bits(), common(*again)[:-1]))
    (pair,) = found.pairs
    shared = sum(a is not None and b is not None for a, b in zip(*sheets, strict=True)) + 1
    bounds = options.bounds(np.array(kappas)[:, None], np.array([pair.set_kappa]))
    same([pair.low, pair.high], [float(end[0]) if shared > 1 else np.nan for end in bounds])
    same([found.set_kappa.mean.low, found.set_kappa.mean.high], [pair.low, pair.high])
