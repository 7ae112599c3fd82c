"""What holds where of some labels it is not known whether they are true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures.confusion_rules import CountsPerConcept
from ontoeval.measures.counts import Overlap
from ontoeval.measures.hierarchical import Sets
from tests.laws.cases import Case, cases, differing, fewer, scores, subsets
from tests.oracles import hierarchical, verified

FLAT = [
    "P",
    "R",
    "F",
    "F(average='macro')",
    "F(average='samples')",
    "Jaccard",
    "Hamming",
    "Accuracy",
    "ExactMatch",
]


OF_LABELS = [
    "OS(penalise='none')",
    *("LCaP", "LCaR", "LCaF(average='macro')", "MGIA", "GIE(pairs='cover')"),
    *("GIE", "Distance", "PhysioNet", "nearP", "nearR", "pathP", "pathR", "pathF", "pathAccuracy"),
    *("P", "R", "F(average='samples')", "Jaccard"),
]
"""Measures of the labels themselves, or of what they lie next to, in which no true negatives count."""


@st.composite
def verified_cases(draw: st.DrawFn, *, consistent: bool = True) -> tuple[Case, tuple[frozenset[str], ...]]:
    """A case, and what is known to be absent from each sample: nothing that what is there lies below."""
    case = draw(cases())
    absent = draw(subsets(case.labels, len(case.truths)))
    there = [hierarchical.above(case.graph.edges, truth) if consistent else truth for truth in case.truths]
    return case, tuple(names - some for names, some in zip(absent, there, strict=True))


def everything_known(case: Case) -> tuple[Case, tuple[frozenset[str], ...]]:
    """The case with truths that hold what lies above, and all other labels as absent."""
    labels = frozenset(case.labels)
    truths = tuple(frozenset(hierarchical.above(case.graph.edges, truth)) & labels for truth in case.truths)
    return replace(case, truths=truths), tuple(labels - truth for truth in truths)


def all_absent(case: Case, absent: tuple[frozenset[str], ...]) -> list[frozenset[str]]:
    """The labels that are absent, with those below them."""
    return [frozenset(hierarchical.below(case.graph.edges, names)) & set(case.labels) for names in absent]


def labels_of(case: Case, absent: tuple[frozenset[str], ...]) -> oe.VerifiedLabels:
    """What is known, over the labels of the case."""
    return oe.VerifiedLabels.from_sets(case.truths, absent, vocabulary=case.bare_hierarchy.label_vocabulary)


def batch_of(case: Case, absent: tuple[frozenset[str], ...]) -> oe.Batch:
    """What is known beside what is predicted."""
    return oe.align(labels_of(case, absent), case.batch.prediction, hierarchy=case.hierarchy)


def batch_by_hand(case: Case, absent: tuple[frozenset[str], ...]) -> oe.Batch:
    """What is known without what follows, beside what is predicted."""
    hierarchy = case.hierarchy.with_labels(case.labels)
    told = labels_of(case, absent).within(hierarchy.label_vocabulary)
    return oe.Batch(told.positive, case.batch.prediction, hierarchy, known=told.known)


def contradicts(case: Case, absent: tuple[frozenset[str], ...]) -> bool:
    """Something there lies below something absent."""
    edges = case.graph.edges
    sides = [verified.known(edges, *pair) for pair in zip(case.truths, absent, strict=True)]
    return any(there & gone for there, gone in sides)


@fewer
@given(drawn=verified_cases())
def test_only_what_is_known_is_counted(drawn: tuple[Case, tuple[frozenset[str], ...]]) -> None:
    case, absent = drawn
    gone = all_absent(case, absent)
    expected = [verified.judged(*sides) for sides in zip(case.truths, gone, case.predictions, strict=True)]
    batch = batch_of(case, absent)
    np.testing.assert_array_equal(Overlap()(batch).values, expected)
    per_concept = CountsPerConcept().unpack(CountsPerConcept()(batch).total())
    np.testing.assert_array_equal([part.sum() for part in per_concept], np.sum(expected, axis=0))


@fewer
@given(case=cases())
def test_if_everything_is_known_verified_labels_are_labels(case: Case) -> None:
    case, absent = everything_known(case)
    measures = [
        *FLAT,
        "OS(penalise='none')",
        *("hF", "hF(average='macro')", "hP", "hR(root='in')"),
        "F(rule='krstinic')",
        "F(rule='tensor', average='macro')",
        "Alpha",
    ]
    found, expected = scores(batch_of(case, absent), measures), scores(case.batch, measures)
    assert differing(found, expected) == {}


@fewer
@given(drawn=verified_cases())
def test_what_lies_below_something_absent_is_wrong_and_only_what_is_unknown_is_left_out(
    drawn: tuple[Case, tuple[frozenset[str], ...]],
) -> None:
    case, absent = drawn
    known = [truth | gone for truth, gone in zip(case.truths, all_absent(case, absent), strict=True)]
    told = [row for row, names in enumerate(known) if names]
    assume(told)
    plain = replace(
        case,
        truths=tuple(case.truths[row] for row in told),
        predictions=tuple(case.predictions[row] & known[row] for row in told),
    )
    found = scores(batch_of(case, absent), OF_LABELS)
    assert differing(found, scores(plain.batch, OF_LABELS)) == {}


@fewer
@given(drawn=verified_cases())
def test_saying_what_follows_of_what_is_absent_changes_nothing(
    drawn: tuple[Case, tuple[frozenset[str], ...]],
) -> None:
    case, absent = drawn
    measures = [*FLAT, *OF_LABELS, "hF", "hF(members='leaves', root='in')", "dF", "HLoss", "Alpha"]
    found = scores(batch_of(case, absent), measures)
    assert differing(found, scores(batch_of(case, tuple(all_absent(case, absent))), measures)) == {}


@pytest.mark.parametrize("rule", ["one-vs-rest", "tensor"])
@fewer
@given(case=cases())
def test_if_everything_is_known_every_decision_counts(rule: str, case: Case) -> None:
    case, absent = everything_known(case)
    sides = [
        CountsPerConcept(rule).unpack(CountsPerConcept(rule)(batch).total())
        for batch in (batch_of(case, absent), case.batch)
    ]
    np.testing.assert_array_equal(sides[0], sides[1])


@fewer
@given(drawn=verified_cases(), more=st.data())
def test_predictions_of_what_is_unknown_change_no_flat_score(
    drawn: tuple[Case, tuple[frozenset[str], ...]], more: st.DataObject
) -> None:
    case, absent = drawn
    added = more.draw(subsets(case.labels, len(absent)))
    known = [truth | gone for truth, gone in zip(case.truths, all_absent(case, absent), strict=True)]
    predictions = [
        prediction | (names - some)
        for prediction, names, some in zip(case.predictions, added, known, strict=True)
    ]
    other = replace(case, predictions=tuple(predictions))
    measures = [*FLAT, "OS(penalise='none')"]
    assert (
        differing(scores(batch_of(other, absent), measures), scores(batch_of(case, absent), measures)) == {}
    )


@fewer
@given(drawn=verified_cases())
def test_expanding_adds_what_follows(drawn: tuple[Case, tuple[frozenset[str], ...]]) -> None:
    case, absent = drawn
    labels = frozenset(case.labels)
    expanded = labels_of(case, absent).expanded(case.bare_hierarchy, root="in")
    for sample, truth, gone in zip(expanded.samples, case.truths, absent, strict=True):
        there, nowhere = verified.known(case.graph.edges, truth, gone)
        assert set(expanded.positive.labels_of(sample)) == there & labels
        assert set(expanded.negative.labels_of(sample)) == nowhere & labels
    again = expanded.expanded(case.bare_hierarchy, root="in")
    assert np.array_equal(again.known.toarray(), expanded.known.toarray())


@fewer
@given(drawn=verified_cases(consistent=False))
def test_contradictions_are_refused_exactly_where_there_are_some(
    drawn: tuple[Case, tuple[frozenset[str], ...]],
) -> None:
    case, absent = drawn
    refusing = (
        lambda: labels_of(case, absent).expanded(case.bare_hierarchy),
        lambda: batch_of(case, absent),
        lambda: batch_by_hand(case, absent).derive(Sets(root="in")),
    )
    for attempt in refusing:
        if contradicts(case, absent):
            with pytest.raises(oe.OntoevalError, match="an ancestor is marked as absent"):
                attempt()
        else:
            attempt()


@pytest.mark.parametrize("root", ["in", "out"])
@fewer
@given(drawn=verified_cases())
def test_ancestors_are_known_above_what_is_there_and_below_what_is_absent(
    root: str, drawn: tuple[Case, tuple[frozenset[str], ...]]
) -> None:
    case, absent = drawn
    edges, concepts = case.graph.edges, frozenset(case.graph.names)
    kept = concepts - (hierarchical.common_root(edges, concepts) if root == "out" else frozenset())
    found = Overlap()(batch_of(case, absent).derive(Sets(root=root))).values  # type: ignore[arg-type]
    for row, (truth, gone, prediction) in enumerate(zip(case.truths, absent, case.predictions, strict=True)):
        there, nowhere = verified.known(edges, truth, gone)
        nowhere |= verified.without_labels(edges, frozenset(case.labels), nowhere)
        there, nowhere = there & kept, nowhere & kept
        expected = verified.judged(there, nowhere, hierarchical.above(edges, prediction))
        np.testing.assert_array_equal(found[row], expected)


@fewer
@given(drawn=verified_cases())
def test_descendants_of_what_is_absent_are_not_there(drawn: tuple[Case, tuple[frozenset[str], ...]]) -> None:
    case, absent = drawn
    edges = case.graph.edges
    found = Overlap()(batch_of(case, absent).derive(Sets(members="descendants", root="in"))).values
    for row, (truth, gone, prediction) in enumerate(zip(case.truths, absent, case.predictions, strict=True)):
        there, nowhere, said = (hierarchical.below(edges, names) for names in (truth, gone, prediction))
        np.testing.assert_array_equal(found[row], verified.judged(there - nowhere, nowhere, said))


@fewer
@given(drawn=verified_cases())
def test_samples_of_which_nothing_is_known_are_left_out_of_means(
    drawn: tuple[Case, tuple[frozenset[str], ...]],
) -> None:
    case, absent = drawn
    nothing: frozenset[str] = frozenset()
    more = replace(
        case, truths=(*case.truths, nothing), predictions=(*case.predictions, frozenset(case.labels[:1]))
    )
    measures = ["Jaccard", "ExactMatch", "F(average='samples')", "FullyWrong", *OF_LABELS, "hF", "HLoss"]
    found = scores(batch_of(more, (*absent, nothing)), measures)
    assert differing(found, scores(batch_of(case, absent), measures)) == {}


@fewer
@given(drawn=verified_cases())
def test_parts_of_verified_labels_sum_to_the_whole(drawn: tuple[Case, tuple[frozenset[str], ...]]) -> None:
    case, absent = drawn
    measures = [*FLAT, "hF", "hF(average='macro')", "hF(average='samples', root='virtual')", "dF"]
    batch = batch_of(case, absent)
    merged = oe.merge(*(oe.collect(part, measures) for part in batch.chunks(1)))
    whole = oe.collect(batch, measures)
    assert (
        merged.verified
        == whole.verified
        == sum(len(a | b) for a, b in zip(case.truths, all_absent(case, absent), strict=True))
    )
    assert differing(oe.score(merged).scores, oe.score(whole).scores) == {}
