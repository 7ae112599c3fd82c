"""Laws of tuned thresholds, and the same numbers from a loop with scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import f1_score

import ontoeval as oe

GRID = np.arange(1, 100) / 100


def made(seed: int, samples: int = 60, noise: float = 0.25) -> tuple[Any, Any]:
    """Labels and scores that know something of them."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((samples, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(int)
    return truth, np.clip(rng.normal(0.35 + 0.3 * truth, noise), 0.001, 0.999).round(3)


def by_loop(
    truth: Any, scores: Any, average: str, per: str, folds: int, seed: int
) -> tuple[Any, float, float]:
    """Thresholds, cross-validated and apparent F by scikit-learn, one threshold and one concept at a time."""
    fold = np.random.default_rng(seed).permutation(len(truth)) % folds

    def chosen(rows: Any) -> Any:
        if per == "all":
            found = [
                f1_score(truth[rows], scores[rows] >= one, average=average, zero_division=0) for one in GRID
            ]
            return np.full(truth.shape[1], GRID[int(np.argmax(np.round(found, 12)))])
        each = [
            [f1_score(truth[rows, at], scores[rows, at] >= one, zero_division=0) for one in GRID]
            for at in range(truth.shape[1])
        ]
        return GRID[np.argmax(np.round(each, 12), axis=1)]

    limits = np.array([chosen(fold != one) for one in range(folds)])
    whole = chosen(fold >= 0)
    sides = scores >= limits[fold], scores >= whole
    held_out, apparent = (f1_score(truth, side, average=average, zero_division=0) for side in sides)
    return whole, held_out, apparent


@pytest.mark.parametrize("per", ["all", "concept"])
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(3))
def test_thresholds_and_scores_are_those_of_a_loop_with_scikit_learn(
    average: str, per: Any, seed: int
) -> None:
    truth, scores = made(seed)
    measure = f"F(average='{average}', undefined=0)"
    tuned = oe.tune_thresholds(truth, scores, measure=measure, per=per, folds=3, seed=seed)
    whole, held_out, apparent = by_loop(truth, scores, average, per, 3, seed)
    own = tuned.threshold
    assert (list(own.values()) if isinstance(own, dict) else [own] * 4) == whole.tolist()
    assert (tuned.score, tuned.apparent) == pytest.approx((held_out, apparent))
    assert tuned.optimism == pytest.approx(apparent - held_out)
    losses = oe.tune_thresholds(truth, scores, measure="Hamming", seed=seed)
    assert losses.optimism == pytest.approx(losses.score - losses.apparent)


@pytest.mark.parametrize("measure", ["hF", "Hamming"])
def test_one_threshold_is_the_best_of_a_sweep_and_goes_into_every_door(measure: str, tmp_path: Any) -> None:
    truth, scores = made(5)
    how: Any = {"hierarchy": {"r": ["s", "t"], "s": [*"ab"], "t": [*"cd"]}, "classes": [*"abcd"]}
    tuned = oe.tune_thresholds(truth, scores, measure=measure, **how)
    best = oe.sweep(truth, scores, measures=measure, **how).best(measure)
    assert (tuned.threshold, tuned.apparent) == best
    assert oe.evaluate(truth, scores, measures=measure, threshold=tuned.threshold, **how)[measure] == best[1]
    each = oe.tune_thresholds(truth, scores, per="concept", measure="F(average='macro')", classes=[*"abcd"])
    sets = oe.LabelScores.from_array(scores, vocabulary=[*"abcd"]).at(each.threshold)
    assert (
        oe.evaluate(truth, sets, measures="F(average='macro')", classes=[*"abcd"])["F(average='macro')"]
        == each.apparent
    )
    lines = [",".join(map(str, row)) for row in scores.tolist()]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["id,a,b,c,d", *(f"p{at},{line}" for at, line in enumerate(lines))]))
    limits = tmp_path / "limits.csv"
    each.to_frame().to_csv(limits, index=False)
    for form in (each.threshold, limits, [*each.threshold.values()]):  # type: ignore[union-attr]
        assert (
            oe.read_labels(path, threshold=form, concepts=[*"abcd"]).matrix.toarray().tolist()
            == sets.matrix.toarray().tolist()
        )


def test_thresholds_for_each_concept_make_the_best_mean_over_concepts() -> None:
    for seed in range(4):
        both = [
            oe.tune_thresholds(*made(seed), measure="F(average='macro')", per=per)
            for per in ("all", "concept")
        ]
        assert both[0].apparent <= both[1].apparent + 1e-12


def test_the_order_of_samples_and_repeated_samples_in_one_group_change_nothing() -> None:
    truth, scores = made(3, 40)
    names = [f"p{at}" for at in range(40)]
    mixed = np.random.default_rng(0).permutation(40)

    def tuned(rows: Any, **options: Any) -> Any:
        samples = [names[row] + "'" * (rows[:at].tolist().count(row)) for at, row in enumerate(rows)]
        sides = (
            oe.LabelSets.from_array(truth[rows], samples=samples),
            oe.LabelScores.from_array(scores[rows], samples=samples),
        )
        groups = {sample: sample.rstrip("'") for sample in samples}
        found = oe.tune_thresholds(*sides, per="concept", groups=groups if options else None)
        return found.threshold, found.by_fold.tolist(), found.score, found.apparent

    first = tuned(np.arange(40))
    assert tuned(mixed) == first
    twice = tuned(np.repeat(np.arange(40), 2), groups=True)
    assert twice[:2] == first[:2]
    assert twice[2:] == pytest.approx(first[2:])


def test_where_scores_know_nothing_the_cross_validated_score_is_not_flattered() -> None:
    """The mean optimism is positive, and the honest score is, but for chance, that of new samples."""
    found, new = [], []
    for seed in range(40):
        truth, scores = made(seed, 25)
        tuned = oe.tune_thresholds(
            truth, scores, measure="F(average='macro', undefined=0)", per="concept", folds=5
        )
        fresh = made(seed + 1000, 400)
        new.append(oe.evaluate(*fresh, threshold=tuned.threshold, measures=tuned.measure)[tuned.measure])
        found.append((tuned.score, tuned.apparent))
    honest, flattering = np.mean(found, axis=0)
    assert flattering - honest > 0.05
    assert abs(honest - np.mean(new)) < 0.04 < flattering - np.mean(new)


def test_rare_concepts_have_the_threshold_for_all() -> None:
    truth, scores = made(1)
    truth[:, 3] = np.arange(60) == 7
    tuned = oe.tune_thresholds(truth, scores, per="concept")
    assert tuned.common == ("3",)
    assert tuned.threshold["3"] == oe.tune_thresholds(truth, scores).threshold  # type: ignore[index]


@given(arrays(np.float64, (4, 5), elements=st.sampled_from([-1.0, 0.0, 0.2, 0.5, 0.9])), st.integers(1, 6))
def test_the_labels_on_top_are_those_of_a_stable_sort(scores: Any, k: int) -> None:
    found = oe.LabelScores.from_array(scores).top(k).matrix.toarray() > 0
    order = np.argsort(-scores, axis=1, kind="stable")
    usual = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(usual, order[:, :k], values=True, axis=1)
    assert (found == (usual if (scores < 0).any() else usual & (scores > 0))).all()
