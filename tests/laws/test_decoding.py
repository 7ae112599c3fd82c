"""Decoding of probabilities: no other labels have a higher expected score."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import fewer
from tests.laws.scored import ScoredCase
from tests.laws.test_operating import single_cases


@st.composite
def probable_cases(draw: st.DrawFn) -> ScoredCase:
    """Probabilities of labels, with ties; every concept may be a label."""
    case = draw(single_cases(max_nodes=5))
    case = replace(case, abstract=frozenset())
    shares = [{label: 1 + round(8 * score) for label, score in some.items()} for some in case.scores]
    shares = [some or {case.labels[0]: 1} for some in shares]
    scores = tuple({label: part / sum(some.values()) for label, part in some.items()} for some in shares)
    return replace(case, scores=scores)


def expected(case: ScoredCase, measure: str, row: int, candidates: list[tuple[str, ...]]) -> Any:
    """What a measure expects of each candidate for one sample, by scoring it against each label."""
    names, count = case.hierarchy.label_vocabulary, len(candidates)
    prediction = oe.LabelSets.from_sets(candidates, vocabulary=names)
    total = np.zeros(count)
    for label, share in case.scores[row].items():
        truth = oe.LabelSets.from_sets([(label,)] * count, vocabulary=names)
        total += (
            share * oe.evaluate(truth, prediction, hierarchy=case.hierarchy, measures=measure).per_sample()
        )
    return total


@pytest.mark.parametrize("beta", [0.5, 1, 2])
@pytest.mark.parametrize("kind", ["F", "hF(root='in')", "hF"])
@fewer
@given(case=probable_cases())
def test_the_best_sets_are_the_best_of_all_sets(kind: str, beta: float, case: ScoredCase) -> None:
    measure = f"{kind.removesuffix(')')}{', ' if '(' in kind else '('}average='samples', beta={beta})"
    every = [some for k in range(6) for some in itertools.combinations(case.labels, k)]
    sets = oe.decode(case.batch.prediction, case.hierarchy, measure, candidates="sets")
    for row, sample in enumerate(sets.samples):
        values = expected(case, measure, row, [*every, sets.labels_of(sample)])
        assert values[-1] == pytest.approx(values.max(), abs=1e-9)


@pytest.mark.parametrize("measure", ["hF", "Distance", "OS", "tF", "LCaF", "Jaccard", "hDistance"])
@fewer
@given(case=probable_cases())
def test_the_best_node_is_the_best_of_all_and_the_uppermost(measure: str, case: ScoredCase) -> None:
    nodes = oe.decode(case.batch.prediction, case.hierarchy, measure)
    depth = dict(zip(case.hierarchy.vocabulary, case.hierarchy.depth.tolist(), strict=True))
    lowest = oe.measures.parse(measure).best == 0
    for row, sample in enumerate(nodes.samples):
        values = expected(case, measure, row, [(label,) for label in case.labels])
        if np.isnan(values).any():
            continue
        best = np.round(values * (-1 if lowest else 1), 9)
        alike = [label for label, one in zip(case.labels, best, strict=True) if one == best.max()]
        assert nodes.labels_of(sample) == (min(alike, key=lambda label: (depth[label], label)),)


@fewer
@given(case=probable_cases())
def test_a_certain_label_is_decoded_to_itself_with_its_ancestors(case: ScoredCase) -> None:
    sure = [{min(some): 1.0} for some in case.scores]
    scores = case.of(case.truths, sure).prediction
    sets = oe.decode(scores, case.hierarchy, "hF(root='in')", candidates="sets")
    assert [set(sets.labels_of(one)) for one in sets.samples] == [case.above(min(some)) for some in sure]


@pytest.mark.parametrize(
    ("scores", "message"),
    [([[0.9, 0.4]], "sum to 1.3"), ([[1.5, -0.5]], "negative"), ([[0.5, 0.2]], "sum to 0.7")],
)
def test_what_is_no_probability_of_one_label_is_refused(scores: list[list[float]], message: str) -> None:
    with pytest.raises(oe.OntoevalError, match=message):
        oe.decode(scores, None, "F")


@pytest.mark.parametrize(
    ("measure", "columns", "message"),
    [("AUC", "ab", "^AUC cannot be"), (["F", "P"], "ab", "one measure"), ("F", "az", "labels: 'z'")],
)
def test_what_cannot_be_decoded_is_named(measure: Any, columns: str, message: str) -> None:
    scores = oe.LabelScores.from_array([[0.5, 0.5]], vocabulary=list(columns))
    with pytest.raises(oe.OntoevalError, match=message):
        oe.decode(scores, [("a", "b")], measure)


def test_a_tie_that_rounding_breaks_goes_to_the_uppermost() -> None:
    tied = oe.decode([[0, 2 / 3, 1 / 3]], [("n0", "n1"), ("n0", "n2")], "hF(beta=0.5, root='in')")
    assert tied.labels_of("0") == ("n0",)


def test_rounded_probabilities_are_divided_by_their_sum_with_a_note() -> None:
    links = [("r", "a"), ("r", "b"), ("r", "c")]
    scores = oe.LabelScores.from_array([[0.333, 0.333, 0.333]], vocabulary=["a", "b", "c"])
    found = oe.evaluate([["a"]], scores, hierarchy=links, measures="hF(decode='sets')")
    assert found["hF(decode='sets')"] == 0.5
    assert found.notes == [
        "Probabilities of 1 sample are divided by their sum.",
        "Decoded as if they were averages over samples: hF(decode='sets').",
    ]
