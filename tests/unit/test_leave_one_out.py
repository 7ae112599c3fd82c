"""Annotators against the majority of the others, in detail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.annotators.annotator_comparison import annotator_details
from ontoeval.annotators.options import AgreementOptions


def annotated(*, gaps: float = 0.1, seen: float = 0.7) -> oe.Annotations:
    rng = np.random.default_rng(7)
    place = rng.random((40, 6)) < seen
    sample, annotator = np.nonzero(place)
    said = rng.random((sample.size, 5))
    return oe.Annotations(
        sparse.csr_array(said < 0.4),
        sparse.csr_array(said > 1 - gaps),
        oe.Vocabulary(tuple("abcde")),
        tuple(f"s{at}" for at in range(40)),
        tuple(f"who{at}" for at in range(6)),
        sample,
        annotator,
    )


def found(said: oe.Annotations, resamples: int = 200, **options):
    return annotator_details(said, AgreementOptions(resamples=resamples, seed=5, **options))


def naive(said: oe.Annotations) -> tuple[np.ndarray, np.ndarray]:
    """Count what each alone says, and what he lacks, sheet by sheet and concept by concept."""
    more, fewer = np.zeros((2, len(said.annotators), len(said.vocabulary)), dtype=int)
    positive, unknown = said.positive.toarray(), said.unknown.toarray()
    for sheet, (sample, who) in enumerate(zip(said.sample, said.annotator, strict=True)):
        for concept in range(len(said.vocabulary)):
            others = [
                positive[other, concept]
                for other in np.flatnonzero(said.sample == sample)
                if other != sheet and not unknown[other, concept]
            ]
            if not others or unknown[sheet, concept]:
                continue
            majority = 2 * sum(others) > len(others)
            more[who, concept] += positive[sheet, concept] and not majority
            fewer[who, concept] += majority and not positive[sheet, concept]
    return more, fewer


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("seen", [0.25, 0.9])
def test_differences_are_those_of_each_sheet_and_the_majority_of_the_others(gaps, seen):
    said = annotated(gaps=gaps, seen=seen)
    more, fewer = naive(said)
    assert found(said, 10).more.toarray().tolist() == more.tolist()
    assert found(said, 10).fewer.toarray().tolist() == fewer.tolist()


def test_annotators_who_are_alone_have_no_scores():
    said = oe.Annotations.from_sets(
        {"Ann": {"p1": ["a"], "p2": ["a"]}, "Bob": {"p1": ["a"]}, "Eve": {"p3": ["b"]}}
    )
    one = found(said, 10)
    assert np.isnan(one.scores["agreement"].value).tolist() == [False, False, True]
    assert one.more.nnz == 0
