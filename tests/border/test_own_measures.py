"""Functions that give one number for all samples, declared as measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ontoeval as oe

TRUTH = np.random.default_rng(0).random((60, 4)) < 0.4
RUN = TRUTH ^ (np.random.default_rng(1).random(TRUTH.shape) < 0.2)
OTHER = TRUTH ^ (np.random.default_rng(2).random(TRUTH.shape) < 0.3)


def dice(truth: NDArray[Any], prediction: NDArray[Any]) -> float:
    return float(2 * (truth * prediction).sum() / (truth.sum() + prediction.sum()))


def dice_of_sets(truth: list[set[str]], prediction: list[set[str]]) -> float:
    pairs = list(zip(truth, prediction, strict=True))
    return (
        2 * sum(len(one & other) for one, other in pairs) / sum(len(one) + len(other) for one, other in pairs)
    )


def test_a_function_of_arrays_or_sets_scores_and_is_resampled_as_the_same_measure_is() -> None:
    own: list[Any] = ["F", oe.own_measure(dice, on="arrays"), oe.own_measure(dice_of_sets, on="sets")]
    runs = {"one": RUN, "other": OTHER}
    found = oe.compare(TRUTH, runs, measures=own, resamples=30)
    assert list(found.measures) == ["F", "dice", "dice_of_sets"]
    for values in (found.scores, found.replicates, found.p_values.transpose(1, 2, 0)[..., 1:]):
        assert np.allclose(values[..., :1], values, equal_nan=True)


def test_scores_are_given_as_they_are_and_the_least_may_be_best() -> None:
    def squares(truth: NDArray[Any], scores: NDArray[Any]) -> float:
        return float(((truth - scores) ** 2).mean())

    measure = oe.own_measure(squares, on="arrays", takes="scores", best=0.0, name="Brier")
    scores = {"near": np.where(TRUTH, 0.8, 0.1), "far": np.where(TRUTH, 0.6, 0.3)}
    found = oe.compare(TRUTH, scores, measures=measure, resamples=10, baselines=())
    assert found.scores[0, 0] == pytest.approx(np.where(TRUTH, 0.04, 0.01).mean())
    assert found.ranks.tolist() == [[1], [2]]


def test_single_samples_have_no_number_and_weights_are_refused() -> None:
    measure = oe.own_measure(dice, on="arrays")
    result = oe.evaluate(TRUTH, RUN, measures=measure)
    assert np.isnan(result.per_sample()).all()
    with pytest.raises(oe.OntoevalError, match="dice is not defined for weighted samples"):
        oe.evaluate(TRUTH, RUN, measures=measure, sample_weight=np.ones(len(TRUTH)))


def test_the_time_of_a_slow_function_is_said_before_it_is_resampled() -> None:
    said: list[str] = []

    @contextmanager
    def progress(work: str, _: int) -> Iterator[Callable[[], None]]:
        said.append(work)
        if "Resampling" in work:
            raise KeyboardInterrupt
        yield lambda: None

    def slow(truth: NDArray[Any], prediction: NDArray[Any]) -> float:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return dice(truth, prediction)

    measure = oe.own_measure(slow, on="arrays")
    with pytest.raises(KeyboardInterrupt):
        oe.compare(TRUTH, {"one": RUN, "other": OTHER}, measures=["F", measure], progress=progress)
    assert "of processor time" in said[-1]
    assert "fewer resamples" in said[-1]


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "partial": (lambda: oe.own_measure(partial(dice), on="arrays"), "name="),
    "lambda": (lambda: oe.own_measure(lambda *_: 1.0, on="arrays"), "<lambda>.*name="),
    "unknown": (lambda: oe.own_measure(dice, on="array"), "near: 'arrays'"),  # type: ignore[arg-type]
    "best": (lambda: oe.own_measure(dice, on="sets", best=float("nan")), "best=nan: expected the best value"),
    "scores in sets": (lambda: oe.own_measure(dice, on="sets", takes="scores"), "sets have no scores"),
    "no function": (lambda: oe.own_measure("F", on="sets"), "'F'.*a function"),  # type: ignore[arg-type]
    "several numbers": (
        lambda: oe.evaluate(TRUTH, RUN, measures=oe.own_measure(lambda *both: both[0], on="arrays", name="all")),
        r"all\(truth, prediction\) gives .*must give one number",
    ),
    "own error": (
        lambda: oe.evaluate(TRUTH, RUN, measures=oe.own_measure(lambda a: a, on="sets", name="one")),
        "one.*raises TypeError.*two lists of sets",
    ),
    "taken name": (
        lambda: oe.evaluate(TRUTH, RUN, measures=oe.own_measure(dice, on="arrays", name="F")),
        "has the name of a measure of the catalogue",
    ),
    "not declared": (
        lambda: oe.evaluate(TRUTH, RUN, measures=[lambda *_: 1.0]),  # type: ignore[list-item]
        "one number of all samples.*own_measure",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_a_measure_is_refused_with_what_is_wanted(case: str) -> None:
    call, message = WRONG[case]
    with pytest.raises(oe.OntoevalError, match=message):
        call()
