"""Laws of measures of scores, and the same numbers from loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
import ontoeval.evaluation.sweeps
from ontoeval.errors import MeasureError
from ontoeval.measures.base import info, laws_of
from ontoeval.measures.best_threshold import Fmax, Smin
from ontoeval.measures.catalogue import full_name
from tests.laws.cases import differing, exists, fewer
from tests.laws.scored import CORPUS, LEVELS, SCORE_POINTS, ScoredCase, scored_cases
from tests.oracles import scores as naive

Law = Callable[[ScoredCase, Sequence[Any]], dict[str, Any]]


def found(batch: oe.core.ScoredBatch, measures: Sequence[Any]) -> dict[str, float]:
    """Score a batch with some measures."""
    return dict(oe.score(oe.collect(batch, measures)).scores)


def alone(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """A sample scores in a batch as it would alone."""
    result = oe.evaluation.Evaluation(oe.collect(case.batch, measures), case.batch)
    per_sample = {name: result.per_sample(name) for name in result}
    single = [found(case.batch.rows(row, row + 1), measures) for row in range(len(case.batch))]
    return differing(per_sample, {name: [one[name] for one in single] for name in per_sample})


def bounds(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Scores of batches and of samples lie in the measure's bounds, or are undefined."""
    result = oe.evaluation.Evaluation(oe.collect(case.batch, measures), case.batch)
    broken = {}
    for name, measure in result.totals.measures.items():
        low, high = info(measure, "bounds")
        values = np.append(result.per_sample(name), result[name])
        values = values[~np.isnan(values)]
        if not np.all((values >= low - 1e-12) & (values <= high + 1e-12)):
            broken[name] = values
    return broken


def perfect(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Scores of 1 for what is true, and none else, have the best score, or an undefined one."""
    values = found(case.of(case.truths, [dict.fromkeys(truth, 1.0) for truth in case.truths]), measures)
    best = {oe.measures.name(measure): info(measure, "best") for measure in measures}
    return differing(values, {name: best[name] for name in values if not np.isnan(values[name])})


def relabelling(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Names and order of the concepts say nothing, if the hierarchy moves with them."""
    return differing(found(case.renamed().batch, measures), found(case.batch, measures))


def duplication(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Every sample twice scores as every sample once."""
    twice = case.of(case.truths * 2, case.scores * 2)
    return differing(found(twice, measures), found(case.batch, measures))


def merging(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Parts score as the whole to the last bit, where they can be merged."""
    parts = [oe.collect(chunk, measures) for chunk in case.batch.chunks(1)]
    return differing(oe.score(oe.merge(*parts[::-1])).scores, found(case.batch, measures), 0.0)


def order(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """The order of the samples changes no bit."""
    backwards = case.of(case.truths[::-1], case.scores[::-1])
    return differing(found(backwards, measures), found(case.batch, measures), 0.0)


def repeat(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """Equal data give equal scores to the last bit."""
    return differing(found(replace(case).batch, measures), found(case.batch, measures), 0.0)


def monotone(case: ScoredCase, measures: Sequence[Any]) -> dict[str, Any]:
    """A larger score wherever the score was larger changes nothing."""
    other = case.of(case.truths, [{label: 2 * s**3 for label, s in some.items()} for some in case.scores])
    return differing(found(other, measures), found(case.batch, measures))


LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (alone, bounds, perfect, relabelling, duplication, merging, order, repeat, monotone)
}


def holds(law: str, measure: Any) -> bool:
    """Whether a measure with these parameters obeys a law."""
    curve = isinstance(measure, Fmax | Smin)
    match law:
        case "perfect":
            if info(measure, "best") is None or type(measure).__name__ in {"OneError", "Coverage"}:
                return False
            filled = {getattr(measure, option, None) for option in ("undefined", "empty", "empty_truth")}
            if "perfect" in info(measure, "denied_laws"):
                return False
            return isinstance(measure, Smin) or filled <= {None, measure.best}
        case "merging":
            return bool(info(measure, "mergeable"))
        case "monotone":
            return not curve or (measure.thresholds == "distinct" and measure.part != "threshold")
    return True


def claimed(law: str) -> dict[str, list[Any]]:
    """The points of each measure where a law holds."""
    chosen = {s: [one for one in same if holds(law, one)] for s, same in SCORE_POINTS.items()}
    if law not in {"relabelling", "perfect"}:
        chosen |= {s: [replace(oe.measures.parse(f"{s}(k=2)"), corpus=CORPUS)] for s in ("PSPAt", "PSnDCGAt")}
    return {symbol: measures for symbol, measures in chosen.items() if measures}


@pytest.mark.parametrize(("law", "symbol"), [(law, symbol) for law in LAWS for symbol in claimed(law)])
@fewer
@given(case=scored_cases())
def test_a_measure_obeys_its_laws(law: str, symbol: str, case: ScoredCase) -> None:
    assert LAWS[law](case, claimed(law)[symbol]) == {}


@pytest.mark.parametrize("k", [1, 2, 3])
@fewer
@given(case=scored_cases(min_true=1))
def test_the_first_k_labels_are_ordered_as_their_definitions_say(k: int, case: ScoredCase) -> None:
    names = "nDCGAt", "PAt", "HitAt", "RR", "RAt"

    def at(case: ScoredCase, k: int) -> list[float]:
        return list(
            found(case.batch, [oe.measures.parse(f"{one}(k={k}, unscored='last')") for one in names]).values()
        )

    gain, precision, hit, reciprocal, recall = at(case, k)
    assert hit / k - 1e-12 <= reciprocal <= hit + 1e-12
    after = at(case, k + 1)
    assert all(now <= then + 1e-12 for now, then in zip((hit, reciprocal, recall), after[2:], strict=True))
    if k == 1:
        error = found(case.batch, [oe.measures.parse("OneError")])["OneError"]
        assert [gain, precision, hit, reciprocal] == pytest.approx([1 - error] * 4)
    true = min(case.truths[0])
    more = {**case.scores[0], true: min(1.0, case.scores[0].get(true, 0.0) + 0.25)}
    higher = at(replace(case, scores=(more, *case.scores[1:])), k)
    assert all(
        now <= then + 1e-12
        for now, then in zip((gain, precision, hit, reciprocal, recall), higher, strict=True)
    )


@pytest.mark.parametrize("symbol", SCORE_POINTS)
def test_a_measure_claims_laws_that_its_defaults_obey(symbol: str) -> None:
    measure = SCORE_POINTS[symbol][0]
    assert info(measure, "laws") <= set(LAWS)
    assert all(holds(law, measure) for law in laws_of(measure))


@pytest.mark.parametrize("symbol", SCORE_POINTS)
def test_every_point_has_a_notation_of_its_own(symbol: str) -> None:
    names = [oe.measures.name(measure) for measure in SCORE_POINTS[symbol]]
    assert names[0] == symbol
    assert len(set(names)) == len(names)
    assert [oe.measures.parse(name) for name in names] == SCORE_POINTS[symbol]
    assert [oe.measures.parse(full_name(one)) for one in SCORE_POINTS[symbol]] == SCORE_POINTS[symbol]


@pytest.mark.parametrize("notation", ["Fmax(thresholds='distinct')", "AP", "AUC(average='micro')", "EER"])
@fewer
@given(case=scored_cases(max_samples=3))
def test_a_measure_that_needs_all_samples_is_computed_but_not_merged(notation: str, case: ScoredCase) -> None:
    parts = [oe.collect(chunk, notation) for chunk in case.batch.chunks(1)]
    assert (
        differing(
            oe.score(oe.merge(parts[0])).scores, found(case.batch.rows(0, 1), [oe.measures.parse(notation)])
        )
        == {}
    )
    with pytest.raises(MeasureError, match="needs all samples at once"):
        oe.merge(*parts, parts[0])


# curves -----------------------------------------------------------------------------------------------------


def samples_of(case: ScoredCase, measure: Any) -> tuple[list[naive.Sample], dict[str, float]]:
    """What loops see of a case, and what each concept weighs."""
    kept = set(case.graph.names) if measure.propagate else set(case.labels)
    roots = {name for name in case.graph.names if case.above(name) == {name}}
    if measure.root == "out" and len(roots) == 1 and len(case.graph.names) > 1:
        kept -= roots
    if not measure.orphans:
        kept -= roots
    weight = {name: case.weights[name] if measure.weight else 1.0 for name in kept}
    kept = {name for name in kept if weight[name] > 0}
    samples: list[naive.Sample] = []
    for truth, scores in zip(case.truths, case.scores, strict=True):
        true = naive.closed(truth, case.above) if measure.propagate else truth
        all_scores = naive.propagated(scores, case.above) if measure.propagate else scores
        samples.append((frozenset(true & kept), {n: s for n, s in all_scores.items() if n in kept}))
    return samples, weight


def by_loops(case: ScoredCase, measure: Any) -> float:
    """Fmax or Smin as one would write it down."""
    samples, weight = samples_of(case, measure)
    if measure.thresholds == "distinct":
        thresholds = sorted({score for _, some in samples for score in some.values()}) or [np.inf]
    elif isinstance(measure.thresholds, tuple):
        thresholds = list(measure.thresholds)
    else:
        thresholds = [k / 100 for k in range(1, 100)] if measure.thresholds == 0.01 else [0.3, 0.6, 0.9]
    curve = [
        naive.at(samples, one, weight, denominator=measure.denominator, empty=measure.empty)
        for one in thresholds
    ]
    if not any(true for true, _ in samples) and (measure.empty is None or isinstance(measure, Fmax)):
        return np.nan
    if isinstance(measure, Smin):
        values = np.nan_to_num([point["S"] for point in curve], nan=np.inf).tolist()
        best = int(np.argmin(np.round(values, 10)))
    else:
        values = [point["micro" if measure.average == "micro" else "F"] for point in curve]
        values = np.nan_to_num(values).tolist()
        best = int(np.argmax(np.round(values, 10)))
    return values[best] if measure.part in {"F", "S"} else curve[best][measure.part]


AVERAGES = st.sampled_from(["samples", "micro"])
OPTIONS = {
    "thresholds": st.sampled_from([0.01, 0.3, "distinct", (0.0, 0.3, 1.0), (0.5,)]),
    "denominator": st.sampled_from(["cafa", "predicted", "truth"]),
    "root": st.sampled_from(["in", "out"]),
    "propagate": st.booleans(),
    "weight": st.sampled_from([None, "ia"]),
    "empty": st.sampled_from([None, 0.0, 1.0]),
}


@given(case=scored_cases(), options=st.fixed_dictionaries({}, optional=OPTIONS), average=AVERAGES)
def test_fmax_and_smin_are_what_loops_find(case: ScoredCase, options: dict[str, Any], average: Any) -> None:
    if average == "micro":
        options.pop("denominator", None)
    fmax, smin = Fmax(average=average, **options), Smin(**{"weight": None, **options})
    # the only label may be a root that is left out, or weigh nothing
    assume(samples_of(case, fmax)[1] and any(samples_of(case, fmax)[1].values()))
    values = found(case.batch, [fmax, smin])
    expected = {oe.measures.name(one): by_loops(case, one) for one in (fmax, smin)}
    assert differing(values, expected, 1e-9) == {}


@given(case=scored_cases(), weight=st.sampled_from([None, "ia"]), average=AVERAGES)
def test_parts_are_those_of_the_best_threshold(case: ScoredCase, weight: str | None, average: Any) -> None:
    assume(any(case.truths))
    options: Any = {"weight": weight, "average": average}
    parts: Any = ("F", "precision", "recall", "coverage", "threshold")
    measures = [Fmax(part=part, **options) for part in parts]
    values = dict(zip(parts, found(case.batch, measures).values(), strict=True))
    curve = oe.curve(case.batch.truth, case.batch.prediction, hierarchy=case.hierarchy, **options)
    best = curve.best
    assert values["F"] == max(curve.f) == best["f"]
    assert differing(values, {key: best[key] for key in ("precision", "recall", "threshold")}) == {}
    assert values["coverage"] == best["coverage"]
    distances = [Smin(weight=weight, part=part) for part in ("S", "ru", "mi", "threshold")]
    s, ru, mi, threshold = found(case.batch, distances).values()
    assert s == min(curve.s)
    assert np.hypot(ru, mi) == pytest.approx(s)
    assert threshold in curve.thresholds[np.isclose(curve.s, s)]


@given(case=scored_cases(min_true=1))
def test_higher_thresholds_recall_and_cover_less_and_miss_more(case: ScoredCase) -> None:
    for thresholds in (0.01, "distinct"):
        curve = oe.curve(
            case.batch.truth,
            case.batch.prediction,
            hierarchy=case.hierarchy,
            weight="ia",
            thresholds=thresholds,
            empty=0.0,
        )
        for falling in (curve.recall, curve.coverage, curve.mi, -curve.ru):
            assert np.all(np.diff(falling) <= 1e-12)


def precision_rises(case: ScoredCase) -> bool:
    """Whether a higher threshold lowers the precision somewhere."""
    precision = oe.curve(case.batch.truth, case.batch.prediction, hierarchy=case.hierarchy).precision
    return bool(np.any(np.diff(precision) < -1e-9))


def test_precision_may_fall_with_the_threshold() -> None:
    assert exists(scored_cases(), precision_rises)


def test_on_a_fixed_grid_a_larger_score_wherever_it_was_larger_may_change_fmax() -> None:
    def changes(case: ScoredCase) -> bool:
        squeezed = [{label: 0.0095 * s for label, s in some.items()} for some in case.scores]
        return bool(differing(found(case.of(case.truths, squeezed), [Fmax()]), found(case.batch, [Fmax()])))

    assert exists(scored_cases(), changes)


@given(case=scored_cases())
def test_without_links_fmax_is_that_of_the_labels(case: ScoredCase) -> None:
    flat = oe.Hierarchy.flat(case.hierarchy.label_vocabulary)
    batch = oe.core.ScoredBatch(case.batch.truth, case.batch.prediction, flat)
    bare = oe.core.ScoredBatch(case.batch.truth, case.batch.prediction)
    given: list[dict[str, Any]] = [{}, {"thresholds": "distinct"}, {"average": "micro"}]
    for options in given:
        closed, open_ = Fmax(**options), Fmax(propagate=False, **options)
        assert found(batch, [closed])[oe.measures.name(closed)] == pytest.approx(
            found(bare, [open_])[oe.measures.name(open_)], nan_ok=True
        )


@given(case=scored_cases(), threshold=st.sampled_from([one for one in LEVELS if one]))
def test_one_threshold_is_hierarchical_f(case: ScoredCase, threshold: float) -> None:
    assume(any(case.truths))
    measures = ["hF(root='in')", "hP(root='in')", "hR(root='in')"]
    sets = dict(oe.score(oe.collect(case.batch.at(threshold), measures)).scores)
    at = (threshold,)
    parts = [Fmax(average="micro", thresholds=at, part=part) for part in ("F", "precision", "recall")]
    values = list(found(case.batch, parts).values())
    assert np.nan_to_num(sets["hF(root='in')"]) == pytest.approx(values[0])
    assert [sets["hP(root='in')"], sets["hR(root='in')"]] == pytest.approx(values[1:], nan_ok=True)


@fewer
@given(case=scored_cases())
def test_a_sweep_is_an_evaluation_at_each_threshold(case: ScoredCase) -> None:
    measures = ["F", "hF", "OS", "Hamming"]
    sides = (case.batch.truth, case.batch.prediction)
    swept = oe.sweep(*sides, hierarchy=case.hierarchy, measures=measures, thresholds=(0.0, 0.2, 0.3, 0.99, 2))
    for row in swept.rows():
        one = oe.evaluate(
            sides[0], sides[1].at(row.pop("threshold")), hierarchy=case.hierarchy, measures=measures
        )
        assert differing(row, one.scores) == {}
    losses = swept["Hamming"]
    assert swept.best("Hamming") == (swept.thresholds[np.argmin(losses)], losses.min())


@fewer
@given(case=scored_cases(), together=st.sampled_from([1, 5, 500_000]))
def test_a_sweep_in_one_pass_gives_each_bit_of_an_evaluation(case: ScoredCase, together: int) -> None:
    assume(case.batch.prediction.matrix.nnz)
    measures = ["F", "P", "F(average='macro')", "Accuracy(average='weighted')", "Jaccard"]
    sides = (case.batch.truth, case.batch.prediction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ontoeval.evaluation.sweeps, "_AT_ONCE", together)
        swept = oe.sweep(*sides, measures=measures, thresholds="distinct")
    assert list(swept.scores) == measures
    for place, threshold in enumerate(swept.thresholds):
        one = oe.evaluate(sides[0], sides[1].at(float(threshold)), measures=measures).scores
        at = [scores[place] for scores in swept.scores.values()]
        np.testing.assert_array_equal(at, list(one.values()))


# rankings ---------------------------------------------------------------------------------------------------


def lists(case: ScoredCase, axis: str) -> list[list[tuple[bool, float | None]]]:
    """What is ranked with what."""
    table = [
        [(label in truth, scores.get(label)) for label in case.labels]
        for truth, scores in zip(case.truths, case.scores, strict=True)
    ]
    match axis:
        case "samples":
            return table
        case "concepts":
            return [list(column) for column in zip(*table, strict=True)]
    return [[one for row in table for one in row]]


def mean_of(values: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Mean of what is defined."""
    pairs = [(v, w) for v, w in zip(values, weights or [1.0] * len(values), strict=True) if not isnan(v)]
    return naive.mean([v * w for v, w in pairs], sum(w for _, w in pairs))


@given(case=scored_cases(max_samples=6))
def test_rankings_of_samples_are_what_loops_find(case: ScoredCase) -> None:
    table = lists(case, "samples")
    true = [any(wanted for wanted, _ in row) for row in table]

    def filled(values: Sequence[float], value: float) -> list[float]:
        return [value if isnan(one) else one for one in values]

    depths = filled([naive.lowest_rank(row) for row in table], 0)
    expected = {
        "OneError": mean_of(
            [naive.one_error(row) if any_ else 1 for row, any_ in zip(table, true, strict=True)]
        ),
        "Coverage": mean_of([depth - 1 if depth else 0 for depth in depths]),
        "Coverage(minus_one=False)": mean_of(depths),
        "RankingLoss": mean_of(filled([naive.misordered(row, 1) for row in table], 0)),
        "RankingLoss(ties='half')": mean_of(filled([naive.misordered(row, 0.5) for row in table], 0)),
        "LRAP": mean_of(filled([naive.average_precision(row) for row in table], 1)),
        "AP(average='samples')": mean_of([naive.average_precision(row) for row in table]),
        "AUC(average='samples')": mean_of([1 - naive.misordered(row, 0.5) for row in table]),
        "EER(average='samples')": mean_of([naive.equal_error(row) for row in table]),
    }
    assert differing(found(case.batch, [oe.measures.parse(one) for one in expected]), expected) == {}


QUANTITIES: Mapping[str, Callable[[naive.Ranked], float]] = {
    "AP": naive.average_precision,
    "AUC": lambda ranked: 1 - naive.misordered(ranked, 0.5),
    "EER": naive.equal_error,
}


@pytest.mark.parametrize("symbol", QUANTITIES)
@given(case=scored_cases(max_samples=8))
def test_rankings_of_concepts_are_what_loops_find(symbol: str, case: ScoredCase) -> None:
    of_concepts = lists(case, "concepts")
    values = [QUANTITIES[symbol](ranked) for ranked in of_concepts]
    true = [float(sum(wanted for wanted, _ in ranked)) for ranked in of_concepts]
    expected = {
        symbol: mean_of(values),
        f"{symbol}(undefined=0.0)": mean_of([0 if isnan(one) else one for one in values]),
        f"{symbol}(average='weighted')": mean_of(values, true),
        f"{symbol}(average='micro')": QUANTITIES[symbol](lists(case, "all")[0]),
    }
    expected = {oe.measures.name(oe.measures.parse(notation)): value for notation, value in expected.items()}
    result = oe.score(oe.collect(case.batch, list(expected)))
    assert differing(result.scores, expected) == {}
    per_concept = result.per_concept(symbol)
    assert list(per_concept) == case.labels
    assert np.array(list(per_concept.values())) == pytest.approx(np.array(values), nan_ok=True)
    assert result.rows()[0].undefined == sum(map(isnan, values))


def test_macro_auc_may_change_where_one_sample_has_larger_scores() -> None:
    def changes(case: ScoredCase) -> bool:
        raised = ({label: s + 1 for label, s in case.scores[0].items()}, *case.scores[1:])
        return bool(differing(found(case.of(case.truths, raised), [AUC]), found(case.batch, [AUC])))

    assert exists(scored_cases(), changes)


AUC = oe.measures.parse("AUC")


@given(case=scored_cases())
def test_rankings_of_samples_do_not_change_where_one_sample_has_larger_scores(case: ScoredCase) -> None:
    raised = case.of(case.truths, ({label: s + 1 for label, s in case.scores[0].items()}, *case.scores[1:]))
    measures = [oe.measures.parse(one) for one in ("OneError", "Coverage", "RankingLoss", "LRAP")]
    assert differing(found(raised, measures), found(case.batch, measures)) == {}


@fewer
@given(case=scored_cases(), weights=st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_whole_weights_of_rows_are_repetitions(case: ScoredCase, weights: list[int]) -> None:
    used = weights[: len(case.truths)]
    repeated = [row for row, times in enumerate(used) for _ in range(times)]
    batch = case.of([case.truths[row] for row in repeated], [case.scores[row] for row in repeated])
    for symbol in ("Fmax", "Smin", "LRAP", "RankingLoss"):
        statistic = oe.measures.parse(symbol).statistic
        rows = statistic(case.batch)
        assert np.array(used, dtype=float) @ rows == pytest.approx(statistic(batch).total())
        assert np.asarray(rows.values).sum(axis=0) == pytest.approx(rows.total())
        assert len(rows) == len(used)
