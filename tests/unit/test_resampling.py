"""Weights of resamples."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.core.resampling import Halves, Swaps, chunks, portions_of
from ontoeval.errors import InputError, ParameterError

SAMPLES = [f"s{number}" for number in range(40)]


def drawn(weighing, size=40, samples=SAMPLES):
    """All weights, whatever the size of the portions."""
    blocks = [
        np.concatenate(
            [weighing.draw(begin, end, portion) for _, portion in portions_of(samples, size)], axis=1
        )
        for begin, end in chunks(weighing.resamples)
    ]
    return np.concatenate(blocks)


def test_so_it_has_where_the_samples_come_in_portions():
    weights = drawn(oe.core.Bootstrap(resamples=300, seed=1), size=15)
    assert (weights.sum(axis=1) == 40).all()
    assert weights[:, :15].sum(axis=1).std() == pytest.approx(np.sqrt(40 * 15 / 40 * 25 / 40), abs=0.4)


@pytest.mark.parametrize(
    "weighing",
    [
        oe.core.Bootstrap(resamples=20),
        Swaps(resamples=20),
        Halves(resamples=20),
    ],
    ids=lambda weighing: type(weighing).__name__,
)
def test_what_is_drawn_does_not_depend_on_the_portions(weighing):
    samples = [str(number) for number in range(4_500)]
    whole = drawn(weighing, size=4_500, samples=samples)
    assert (whole == drawn(weighing, size=700, samples=samples)).all()
    assert len(np.unique(whole[:, 4_000:4_100], axis=0)) > 1


def test_a_seed_gives_the_same_resamples_again_and_another_seed_others():
    for weights in ("multinomial", "poisson"):
        first, again, other = (drawn(oe.core.Bootstrap(seed=seed, weights=weights)) for seed in (7, 7, 8))
        assert ((first == again).all(), (first == other).all()) == (True, False)


def test_poisson_weights_are_poisson_numbers_of_mean_one():
    many = [str(number) for number in range(2000)]
    weights = drawn(oe.core.Bootstrap(resamples=250, weights="poisson"), size=2000, samples=many)
    shares = np.bincount(weights.astype(int).ravel(), minlength=4)[:4] / weights.size
    assert shares == pytest.approx(np.exp(-1) / np.array([1, 1, 2, 6]), abs=0.003)
    assert np.abs(np.corrcoef(weights[:5])[np.triu_indices(5, 1)]).max() < 0.1


def test_an_identifier_need_not_be_valid_unicode():
    one, other = (
        drawn(oe.core.Bootstrap(weights="poisson"), samples=[name]) for name in ("\udc80", "\udc81")
    )
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": 0}, "resamples=0: expected a whole number of at least 1"),
        ({"resamples": True}, "resamples=True"),
        ({"resamples": 10.0}, "resamples=10.0"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed=18446744073709551616: .* at most 18446744073709551615"),
        ({"weights": "bayes"}, "weights='bayes'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        oe.core.Bootstrap(**options)


def pieces(number=3):
    rng = np.random.default_rng(5)
    truth, prediction = (rng.random((60, 4)) < share for share in (0.4, 0.5))
    names = [f"p{sample}" for sample in range(60)]
    sets = [oe.LabelSets.from_array(array, samples=names) for array in (truth, prediction)]
    batch = oe.align(*sets)
    return batch, list(batch.chunks(60 // number))


def test_streamed_resamples_are_those_of_all_samples_at_once():
    batch, parts = pieces()
    poisson = oe.core.Bootstrap(resamples=300, weights="poisson")
    measures = ["F", "F(average='macro')", "Jaccard"]
    whole = oe.score(oe.collect(batch, measures, bootstrap=poisson))
    merged = oe.score(oe.merge(*(oe.collect(part, measures, bootstrap=poisson) for part in parts[::-1])))
    for measure in measures:
        assert merged.interval(measure) == pytest.approx(whole.interval(measure), abs=1e-12)
        low, high = whole.interval(measure)
        assert low < whole[measure] < high
        wide, wider = whole.interval(measure, level=0.8), whole.interval(measure, level=0.99)
        assert wider[0] < low < wide[0] < wide[1] < high < wider[1]


@pytest.mark.parametrize(
    "bootstraps",
    [
        [oe.core.Bootstrap(), oe.core.Bootstrap(), oe.core.Bootstrap()],
        [
            oe.core.Bootstrap(weights="poisson"),
            oe.core.Bootstrap(weights="poisson", seed=1),
            oe.core.Bootstrap(weights="poisson"),
        ],
        [None, oe.core.Bootstrap(weights="poisson"), None],
    ],
)
def test_resamples_that_do_not_belong_together_are_not_merged(bootstraps):
    _, parts = pieces()
    totals = [oe.collect(part, "F", bootstrap=one) for part, one in zip(parts, bootstraps, strict=True)]
    with pytest.raises(InputError, match="resamples of parts that do not belong together"):
        oe.merge(*totals)


def test_portions_of_no_samples_are_one_empty_portion():
    ((place, portion),) = portions_of([], 10)
    assert (place, portion.total) == (slice(0, 0), 0)
    assert oe.core.Bootstrap(resamples=3).draw(0, 3, portion).shape == (3, 0)
