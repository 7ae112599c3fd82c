"""What holds for confusion matrices that are summed along a hierarchy, and for how concepts are related."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.confusion.matrix import matrix_of
from ontoeval.evaluation.groups import RELATIONS, REST, Groups, relation_of_pairs
from ontoeval.measures.confusion_rules import Confusion
from tests.laws.cases import Case, cases, fewer
from tests.oracles.hierarchical import above

RULES = ("krstinic", "mlcm", "tensor-recall", "tensor-precision")


def array(matrix: oe.confusion.ConfusionMatrix) -> NDArray[np.float64]:
    """The entries; there are few concepts here."""
    assert isinstance(matrix.matrix, np.ndarray)
    return matrix.matrix


@st.composite
def chosen(draw: st.DrawFn, case: Case) -> dict[str, Any]:
    """A level, a cut or a branch."""
    names = case.graph.names
    kind = draw(st.sampled_from(["level", "cut", "branch"]))
    if kind == "level":
        return {"level": draw(st.integers(0, case.hierarchy.levels - 1))}
    if kind == "branch":
        return {"branch": draw(st.sampled_from(names))}
    return {"cut": draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))}


@pytest.mark.parametrize("rule", RULES)
@fewer
@given(case=cases(), data=st.data())
def test_the_sum_of_all_entries_stays(rule: str, case: Case, data: st.DataObject) -> None:
    matrix = matrix_of(case.batch, Confusion(rule))
    groups = matrix.aggregated(case.hierarchy, **data.draw(chosen(case)))
    assert groups.matrix.sum() == pytest.approx(matrix.matrix.sum())
    assert array(groups).trace() >= array(matrix).trace() - 1e-9


@fewer
@given(case=cases(), data=st.data())
def test_sums_of_parts_are_the_sum_of_the_array(case: Case, data: st.DataObject) -> None:
    options = data.draw(chosen(case))
    rule = Confusion("krstinic")
    parts = [matrix_of(part, rule).aggregated(case.hierarchy, **options) for part in case.batch.chunks(1)]
    total = sum(parts[1:], start=parts[0])
    parted = matrix_of(case.batch, rule).aggregated(case.hierarchy, **options)
    assert total.rows == parted.rows
    np.testing.assert_allclose(array(total), array(parted), atol=1e-12)


@fewer
@given(case=cases(), data=st.data())
def test_a_concept_is_in_the_groups_of_the_lowest_chosen_concepts_above_it(
    case: Case, data: st.DataObject
) -> None:
    cut = data.draw(st.lists(st.sampled_from(case.graph.names), min_size=1, max_size=3, unique=True))
    groups = Groups.from_hierarchy(case.hierarchy, case.labels, cut=cut)
    edges = case.graph.edges
    for label, members in zip(case.labels, groups.members.toarray(), strict=True):
        over = above(edges, {label}) & set(cut)
        lowest = {one for one in over if not any(one in above(edges, {two}) - {two} for two in over)}
        assert {name for name, member in zip(groups.names, members, strict=True) if member} == lowest or {
            REST
        }
        assert not lowest or REST not in lowest


@fewer
@given(case=cases())
def test_every_concept_as_its_own_group_changes_nothing(case: Case) -> None:
    matrix = matrix_of(case.batch, Confusion("mlcm"))
    groups = matrix.aggregated(case.hierarchy, cut=case.labels)
    assert (groups.rows, groups.columns) == (matrix.rows, matrix.columns)
    np.testing.assert_array_equal(array(groups), array(matrix))


def naive(edges: tuple[tuple[str, str], ...], true: str, predicted: str) -> tuple[str, float]:
    """How two concepts are related."""

    def up(name: str) -> dict[str, int]:
        found = {name: 0}
        for parent, child in edges:
            if child == name:
                for one, links in up(parent).items():
                    found[one] = min(links + 1, found.get(one, 99))
        return found

    first, second = up(true), up(predicted)
    shared = first.keys() & second.keys()
    links = min((first[one] + second[one] for one in shared), default=np.nan)
    if true == predicted:
        return "same", 0
    if predicted in first:
        return ("parent" if first[predicted] == 1 else "ancestor"), links
    if true in second:
        return ("child" if second[true] == 1 else "descendant"), links
    if any(first[one] == second[one] == 1 for one in shared):
        return "sibling", links
    if any(first[one] == second[one] == 2 for one in shared):
        return "cousin", links
    return ("far" if shared else "other root"), links


@fewer
@given(case=cases())
def test_concepts_are_related_as_in_the_naive_implementation(case: Case) -> None:
    names = case.hierarchy.vocabulary.concepts
    first, second = (np.ravel(side) for side in np.indices((len(names), len(names))))
    relation, links = relation_of_pairs(case.hierarchy, first, second)
    for a, b, kind, length in zip(first, second, relation, links, strict=True):
        expected, fewest = naive(case.graph.edges, names[a], names[b])
        assert kind == expected
        np.testing.assert_equal(length, fewest)


@pytest.mark.parametrize("rule", RULES)
@fewer
@given(case=cases())
def test_relations_share_out_the_whole_matrix(rule: str, case: Case) -> None:
    matrix = matrix_of(case.batch, Confusion(rule))
    relations = matrix.relations(case.hierarchy)
    assert [one.relation for one in relations] == list(RELATIONS)
    assert sum(one.mass for one in relations) == pytest.approx(matrix.matrix.sum())
    assert relations[0].mass == pytest.approx(array(matrix).trace())
    found = matrix.related(case.hierarchy, 10_000)
    assert [one[:4] for one in found] == [tuple(one) for one in matrix.top(10_000)]
