"""Laws of the step-down test, exact for a seed: what other runs may do to the p-values of two."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.comparison.significance import step_down

MEASURES = ["F", "F(average='samples')", "F(average='macro', undefined=0.0)", "Hamming"]
LABELS = 4


@st.composite
def comparisons(draw: st.DrawFn, least: int = 2) -> tuple[NDArray[np.bool_], list[NDArray[np.bool_]], Any]:
    """A truth, runs of it, and how they are compared: by all exchanges or random ones."""
    samples = draw(st.integers(6, 12))
    sides = st.lists(arrays.arrays(bool, (samples, LABELS)), min_size=least + 1, max_size=5)
    truth, *runs = draw(sides)
    truth[0, 0] = True
    how: dict[str, Any] = {
        "measures": MEASURES,
        "baselines": (),
        "resamples": 63,
        "seed": draw(st.integers(0, 9)),
    }
    unequal = draw(st.sampled_from([None, "sample_weight", "groups"]))
    if unequal == "sample_weight":
        how[unequal] = draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=samples, max_size=samples))
    elif unequal == "groups":
        how[unequal] = [
            *range(6),
            *draw(st.lists(st.integers(0, 5), min_size=samples - 6, max_size=samples - 6)),
        ]
    return truth, runs, how


def adjusted(truth: NDArray[np.bool_], runs: list[NDArray[np.bool_]], how: Any) -> NDArray[np.float64]:
    """Adjusted p-values by the places of the runs."""
    found: oe.comparison.Comparison = oe.compare(
        truth, {f"run {at}": run for at, run in enumerate(runs)}, **how
    )
    return found.adjusted


def same_where_defined(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


@given(comparisons())
def test_no_p_value_is_adjusted_downwards(given: Any) -> None:
    truth, runs, how = given
    found = oe.compare(truth, {str(at): run for at, run in enumerate(runs)}, **how)
    assert same_where_defined(np.fmax(found.adjusted, found.p_values), found.adjusted)


@given(comparisons(), st.data())
def test_exact_copies_change_no_p_value(given: Any, data: st.DataObject) -> None:
    truth, runs, how = given
    copied = data.draw(st.lists(st.sampled_from(range(len(runs))), min_size=1, max_size=4))
    before, after = (adjusted(truth, some, how) for some in (runs, [*runs, *(runs[at] for at in copied)]))
    assert same_where_defined(after[:, : len(runs), : len(runs)], before)
    for place, at in enumerate(copied, len(runs)):
        assert same_where_defined(after[:, place, : len(runs)], before[:, at])


@given(comparisons(least=3))
def test_a_run_more_lowers_no_p_value(given: Any) -> None:
    truth, runs, how = given
    before, after = (adjusted(truth, some, how) for some in (runs[:-1], runs))
    kept = after[:, :-1, :-1]
    assert same_where_defined(np.fmax(kept, before), kept)


@given(comparisons(), st.data())
def test_order_and_names_of_runs_change_no_p_value(given: Any, data: st.DataObject) -> None:
    truth, runs, how = given
    order = data.draw(st.permutations(range(len(runs))))
    before, after = (adjusted(truth, some, how) for some in (runs, [runs[at] for at in order]))
    assert same_where_defined(after, before[:, order][:, :, order])


PAIRS = st.integers(1, 5)
SIZES = st.integers(-20, 20).map(lambda size: size / 8)


@st.composite
def families(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Differences of pairs, and those of resamples."""
    pairs = draw(PAIRS)
    differences = draw(arrays.arrays(float, (pairs, 1), elements=SIZES))
    return differences, draw(arrays.arrays(float, (draw(st.integers(1, 12)), pairs, 1), elements=SIZES))


def sizes(differences: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences by the root of the mean square of their resamples; 0 where these are all 0."""
    scale: NDArray[np.float64] = np.sqrt((drawn**2).mean(axis=0))
    return np.divide(np.abs(differences), scale, out=np.zeros_like(differences), where=scale > 0)


@given(families())
def test_the_larger_a_difference_the_smaller_its_p_value(given: Any) -> None:
    differences, drawn = given
    _, found = step_down(differences, lambda: [drawn])
    size = sizes(differences, drawn)[:, 0]
    for one in range(len(size)):
        assert (found[one] <= found[size <= size[one]]).all()


@given(families(), families())
def test_larger_differences_change_a_p_value_to_theirs_at_most(given: Any, more: Any) -> None:
    differences, drawn = given
    number = min(len(drawn), len(more[1]))
    drawn, others = drawn[:number], more[1][:number]
    larger = sizes(more[0], others)[:, 0] > sizes(differences, drawn).max()
    _, before = step_down(differences, lambda: [drawn])
    both = np.concatenate([differences, more[0][larger]]), np.concatenate([drawn, others[:, larger]], axis=1)
    _, after = step_down(both[0], lambda: [both[1]])
    old, new = after[: len(differences)], after[len(differences) :]
    assert (old == np.maximum(before, new.max(initial=0))).all()
