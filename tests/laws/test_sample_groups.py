"""Laws of groups of samples: each weighs the same and is drawn whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import cases, fewer

GROUPS = ("a", "b", "cc")


MEANS = [
    "OS",
    "Jaccard",
    "Hamming",
    "ExactMatch",
    "hF(average='samples')",
    "F(average='samples', undefined=0.0)",
]
SUMS = ["F", "F(average='macro')", "tF", "hF", "tKappa"]


@fewer
@given(data=st.data(), case=cases(min_samples=2))
def test_means_over_samples_are_means_of_group_means(data: st.DataObject, case: Any) -> None:
    batch = case.batch
    group = {sample: data.draw(st.sampled_from(GROUPS)) for sample in batch.truth.samples}
    how: dict[str, Any] = {"hierarchy": batch.hierarchy, "measures": MEANS}
    found = oe.evaluate(batch.truth, batch.prediction, groups=group, **how)
    plain = oe.evaluate(batch.truth, batch.prediction, **how)
    names = np.array(list(group.values()))
    for key in found:
        each = plain.per_sample(key)
        means = [each[names == name].mean() for name in set(group.values())]
        assert found[key] == pytest.approx(np.mean(means), abs=1e-12)


@fewer
@given(data=st.data(), case=cases(min_samples=2))
def test_parts_of_whole_groups_are_merged(data: st.DataObject, case: Any) -> None:
    batch = case.batch
    group = {sample: data.draw(st.sampled_from(GROUPS)) for sample in batch.truth.samples}
    how: dict[str, Any] = {"hierarchy": batch.hierarchy, "measures": [*MEANS, *SUMS]}
    parts = []
    for name in sorted(set(group.values())):
        own = batch.take([sample for sample, its in group.items() if its == name])
        named = dict.fromkeys(own.truth.samples, name)
        parts.append(oe.evaluate(own.truth, own.prediction, groups=named, **how).totals)
    whole = oe.evaluate(batch.truth, batch.prediction, groups=group, **how)
    for key, score in oe.score(oe.merge(*parts)).items():
        np.testing.assert_allclose(score, whole[key], rtol=0, atol=1e-12, err_msg=key)


labels = st.lists(st.sets(st.sampled_from("abc")), min_size=12, max_size=12)
plans = st.fixed_dictionaries({"seed": st.integers(0, 9)})
HOW: dict[str, Any] = {
    "measures": ["F", "F(average='samples')", "F(average='macro', undefined=0.0)", "Hamming"],
    "classes": list("abc"),
    "baselines": (),
    "resamples": 30,
}


def numbers(found: oe.comparison.Comparison) -> list[Any]:
    return [found.scores, found.low, found.high, found.replicates, found.p_values, found.adjusted]


def same(first: oe.comparison.Comparison, second: oe.comparison.Comparison) -> None:
    for ours, theirs in zip(numbers(first), numbers(second), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)


@fewer
@given(truth=labels, runs=st.tuples(labels, labels), plan=plans)
def test_groups_of_one_sample_each_are_no_groups(truth: Any, runs: Any, plan: Any) -> None:
    how = HOW | plan
    given_runs = dict(zip("xy", runs, strict=True))
    grouped = oe.compare(truth, given_runs, groups=[str(at) for at in range(12)], **how)
    same(grouped, oe.compare(truth, given_runs, **how))


@fewer
@given(truth=labels, runs=st.tuples(labels, labels), plan=plans, data=st.data())
def test_all_samples_of_a_group_repeated_change_nothing(
    truth: Any, runs: Any, plan: Any, data: st.DataObject
) -> None:
    how = HOW | plan
    group = data.draw(st.lists(st.sampled_from(["a", "b", "cc", "d"]), min_size=12, max_size=12))
    again = [at for at in range(12) if group[at] == group[0]]
    longer = [*range(12), *again, *again]
    first = oe.compare(truth, dict(zip("xy", runs, strict=True)), groups=group, **how)
    repeated = {name: [run[at] for at in longer] for name, run in zip("xy", runs, strict=True)}
    second = oe.compare([truth[at] for at in longer], repeated, groups=[group[at] for at in longer], **how)
    same(first, second)


@fewer
@given(truth=labels, runs=st.tuples(labels, labels), plan=plans, data=st.data())
def test_neither_the_order_of_samples_nor_names_of_groups_matter(
    truth: Any, runs: Any, plan: Any, data: st.DataObject
) -> None:
    how = HOW | plan
    group = data.draw(st.lists(st.integers(0, 3), min_size=12, max_size=12))
    order = data.draw(st.permutations(range(12)))
    first = oe.compare(truth, dict(zip("xy", runs, strict=True)), groups=group, **how)
    turned = {name: [run[at] for at in order] for name, run in zip("xy", runs, strict=True)}
    named = [f"site {group[at]}" for at in order]
    same(first, oe.compare([truth[at] for at in order], turned, groups=named, **how))
