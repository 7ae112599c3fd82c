"""What needs all samples at once is the same of samples that count several times as of repeated ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from ontoeval.comparison.replication import RunRows, repeat_samples, replicates
from ontoeval.core.resampling import portions_of
from ontoeval.measures.base import info
from ontoeval.measures.rankings import Axis, ListRows, Ranking, Sorting
from ontoeval.measures.sums import Weighable
from tests.laws.cases import fewer
from tests.laws.scored import SCORE_POINTS, scored_cases
from tests.laws.test_operating import POINTS, single_cases

Counts = NDArray[np.float64]


def whole(measures: Sequence[Any]) -> list[Any]:
    """Measures that need all samples at once."""
    return [one for one in measures if not info(one, "mergeable")]


RANKED = {symbol: whole(points) for symbol, points in SCORE_POINTS.items() if whole(points)}


def counts_of(draw: st.DrawFn, samples: int) -> Counts:
    """How often each sample is there; in one resample none is, in another all are."""
    some = draw(st.lists(st.lists(st.integers(0, 3), min_size=samples, max_size=samples), max_size=3))
    return np.array([*some, [0] * samples, [1] * samples], dtype=np.float64)


def anew(batch: oe.core.ScoredBatch, counts: Counts) -> Iterator[oe.core.ScoredBatch]:
    """The batch of each resample."""
    for count in counts.astype(np.intp):
        again = repeat_samples(batch, np.repeat(np.arange(len(batch)), count))
        assert isinstance(again, oe.core.ScoredBatch)
        yield again


def check(batch: oe.core.ScoredBatch, counts: Counts, measures: Sequence[Any]) -> None:
    """Compare with what repeated samples come to."""
    for measure in measures:
        rows = measure.statistic(batch)
        assert isinstance(rows, Weighable)
        found = [total for totals in rows.weighted(counts) for total in totals]
        wanted = [measure.statistic(one).total() for one in anew(batch, counts)]
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=oe.measures.name(measure))
        # What else is so at the best of several thresholds is no function of rounded sums.
        if getattr(measure, "part", "F") in {"F", "S"}:
            ours, theirs = (np.array([measure.formula(one) for one in totals]) for totals in (found, wanted))
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=oe.measures.name(measure))


@pytest.mark.parametrize("symbol", RANKED)
@fewer
@given(data=st.data())
def test_a_sample_that_counts_twice_is_the_same_as_two(symbol: str, data: st.DataObject) -> None:
    batch = data.draw(scored_cases()).batch
    check(batch, data.draw(st.composite(counts_of)(len(batch))), RANKED[symbol])


@fewer
@given(data=st.data())
def test_so_it_is_of_what_is_inferred(data: st.DataObject) -> None:
    batch = data.draw(single_cases()).batch
    check(batch, data.draw(st.composite(counts_of)(len(batch))), whole(POINTS))


@pytest.mark.parametrize("axis", ["concepts", "all"])
@fewer
@given(data=st.data())
def test_ranks_of_resamples_are_those_of_repeated_samples_to_the_last_one(
    axis: Axis, data: st.DataObject
) -> None:
    batch = data.draw(scored_cases()).batch
    counts = data.draw(st.composite(counts_of)(len(batch)))
    together = batch.derive(Sorting(axis)).ranks(counts)
    lists = together.true.size // len(counts)
    for which, one in enumerate(anew(batch, counts)):
        wanted, mine = Ranking(axis)(one), together.row // lists == which
        assert (together.row[mine] % lists).tolist() == wanted.row.tolist()
        for name in ("rank", "hits", "level", "level_hits"):
            assert getattr(together, name)[mine].tolist() == getattr(wanted, name).tolist()
        for name in ("scored", "true", "found", "length"):
            assert (
                getattr(together, name).reshape(-1, lists)[which].tolist() == getattr(wanted, name).tolist()
            )


def drawn(samples: int, concepts: int) -> oe.core.ScoredBatch:
    """A few scores, with ties, of a few of the samples."""
    rng = np.random.default_rng(0)
    truth = oe.LabelSets.from_array(rng.random((samples, concepts)) < 5 / concepts)
    scores = np.where(
        rng.random((samples, concepts)) < 10 / concepts, rng.integers(1, 9, truth.matrix.shape), 0
    )
    scored = oe.LabelScores.from_array(sparse.csr_array(scores / 8), vocabulary=truth.vocabulary)
    return oe.core.ScoredBatch(truth, scored)


def test_more_resamples_than_are_ranked_at_a_time_are_ranked_alike() -> None:
    batch, auc = drawn(4, 150_000), oe.measures.parse("AUC")
    counts = np.random.default_rng(1).poisson(1.0, (11, 4)).astype(np.float64)
    rows = auc.statistic(batch)
    assert isinstance(rows, ListRows)
    totals = list(rows.weighted(counts))
    assert [len(some) for some in totals] == [6, 5]
    np.testing.assert_array_equal(
        np.concatenate(totals), [auc.statistic(one).total() for one in anew(batch, counts)]
    )


def test_more_scores_than_are_sorted_at_a_time_are_summed_alike() -> None:
    rng = np.random.default_rng(0)
    truth = oe.LabelSets.from_array(rng.random((70, 2_000)) < 0.01)
    scores = oe.LabelScores.from_array(rng.random((70, 2_000)).round(3), vocabulary=truth.vocabulary)
    counts = rng.poisson(1.0, (2, 70)).astype(np.float64)
    measure = oe.measures.parse("Fmax(thresholds='distinct', propagate=False)")
    batch = oe.core.ScoredBatch(truth, scores)
    for (ours,), one in zip(measure.statistic(batch).weighted(counts), anew(batch, counts), strict=True):
        np.testing.assert_allclose(ours, measure.statistic(one).total(), rtol=1e-12, atol=1e-12)


@dataclass(frozen=True)
class Plain:
    """A statistic of which nothing is known but its total."""

    statistic: Any

    def __call__(self, batch: Any) -> Plain:
        """Compute the total."""
        return Plain(self.statistic(batch).total())

    def total(self) -> Any:
        """Return the total."""
        return self.statistic


@dataclass(frozen=True)
class Own:
    """Somebody's measure, which cannot be merged."""

    measure: Any
    mergeable = False

    @property
    def statistic(self) -> Plain:
        """The same statistic."""
        return Plain(self.measure.statistic)

    def formula(self, values: Any) -> Any:
        """The same formula."""
        return self.measure.formula(values)


def resampled(batch: Any, measures: Mapping[str, Any], bootstrap: oe.core.Bootstrap) -> tuple[Counts, int]:
    """Scores of all resamples, and how many steps were told of."""
    steps: list[None] = []
    portions = portions_of(batch.truth.samples, 7)
    added = [one for one in measures.values() if info(one, "mergeable")]
    rows = [
        {one.statistic: one.statistic(batch.rows(at.start, at.stop)) for one in added} for at, _ in portions
    ]
    run = RunRows(measures, portions, rows, dict.fromkeys(measures, batch))
    values = replicates([run], bootstrap, lambda: steps.append(None))
    return values[:, 0], len(steps)


@pytest.mark.parametrize("weights", ["multinomial", "poisson"])
def test_measures_of_others_are_computed_for_every_resample(weights: Any) -> None:
    bootstrap = oe.core.Bootstrap(resamples=300, weights=weights)
    measures = dict.fromkeys(
        ["AUC", "AP(average='micro')", "EER", "Fmax(thresholds='distinct', propagate=False)"]
    )
    ours = {name: oe.measures.parse(name) for name in measures}
    batch = drawn(20, 10)
    values, steps = resampled(batch, ours, bootstrap)
    again, others = resampled(batch, {name: Own(one) for name, one in ours.items()}, bootstrap)
    assert steps == others == 2 * len(ours)
    assert np.isfinite(values).any(axis=0).all()
    np.testing.assert_allclose(values, again, rtol=0, atol=1e-12)


def test_measures_of_sets_can_be_computed_for_every_resample_too() -> None:
    vocabulary = oe.Vocabulary(("sea", "sky", "tree"))
    positive = oe.LabelSets.from_sets([["sea"], ["sky", "tree"], [], ["tree"]], vocabulary=vocabulary)
    negative = oe.LabelSets.from_sets([["sky"], [], ["sea"], []], vocabulary=vocabulary)
    predicted = oe.LabelSets.from_sets(
        [["sea", "sky"], ["tree"], ["sea", "tree"], ["sea"]], vocabulary=vocabulary
    )
    jaccard, bootstrap = oe.measures.parse("Jaccard"), oe.core.Bootstrap(resamples=20)
    for truth in (positive, oe.VerifiedLabels(positive, negative)):
        batch = oe.align(truth, predicted)
        values, _ = resampled(batch, {"Jaccard": jaccard, "own": Own(jaccard)}, bootstrap)
        np.testing.assert_allclose(values[:, 0], values[:, 1], rtol=0, atol=1e-12)
        assert np.ptp(values) > 0
