"""Sample weights, from arrays, names and files, in scores, matrices, intervals and tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError
from ontoeval.measures.sums import Rows
from tests.commands import call, refusal

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

FOLDER = oe.ontologies.benchmark()
ONTOLOGY = oe.read_ontology(oe.ontologies.path("photo"))
TRUTH = oe.read_labels(FOLDER / "truth.csv", ONTOLOGY)
RUNS = {
    name: oe.read_labels(FOLDER / "runs" / f"{name}.csv", ONTOLOGY).within(TRUTH.vocabulary)
    for name in ("noisy", "careful")
}
HOW: dict[str, Any] = {"hierarchy": ONTOLOGY.hierarchy(), "measures": ["OS", "F", "F(average='macro')"]}
WEIGHTS = {sample: 1 + place % 3 for place, sample in enumerate(TRUTH.samples)}
SCORES = oe.evaluate(TRUTH, RUNS["noisy"], sample_weight=WEIGHTS, **HOW).scores

LISTS = [["a"], ["a", "b"], ["b"]], [["a"], ["b"], ["a", "b"]]


def often(sets: oe.LabelSets) -> oe.LabelSets:
    """Each sample as often as it weighs."""
    rows = np.repeat(np.arange(len(sets)), [WEIGHTS[sample] for sample in sets.samples])
    return oe.LabelSets.from_array(
        sets.matrix[rows], vocabulary=sets.vocabulary, samples=list(map(str, range(len(rows))))
    )


def test_a_weight_is_a_number_of_repetitions() -> None:
    repeated = oe.evaluate(often(TRUTH), often(RUNS["noisy"]), **HOW)
    assert repeated.scores == SCORES
    assert oe.evaluate(TRUTH, RUNS["noisy"], **HOW).scores != SCORES


SERIES = pd.Series(WEIGHTS, name="weight")
FORMS: dict[str, Any] = {
    "shuffled series": SERIES.sample(frac=1, random_state=0),
    "frame with index": SERIES.to_frame(),
    "frame of two columns": SERIES.rename_axis("sample").reset_index(),
    "frame of polars": pl.DataFrame({"sample": list(WEIGHTS), "weight": list(WEIGHTS.values())}),
}


@pytest.mark.parametrize("form", FORMS)
def test_named_weights_are_aligned_by_name(form: str) -> None:
    assert oe.evaluate(TRUTH, RUNS["noisy"], sample_weight=FORMS[form], **HOW).scores == SCORES


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series], ids=str)
def test_weights_without_names_fit_samples_without_names(kind: Callable[..., Any]) -> None:
    found = oe.evaluate(*LISTS, measures="F", sample_weight=kind([0.0, 0.5, 2.0]))
    # The second sample has a hit and a miss, the third a hit and a false label.
    assert found["F"] == pytest.approx(2 * (0.5 + 2.0) / (2 * (0.5 + 2.0) + 0.5 + 2.0))
    assert "weighted samples: the weights sum to 2.5" in found.signature


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * len(TRUTH), "the sample weights have no names, but the samples have: 'photo-0001'"),
        ({**WEIGHTS, "photo-x": 1}, "1 sample with a weight but not in the truth: 'photo-x'"),
        (SERIES.iloc[7:], "7 samples without a weight: 'photo-0001'"),
        (WEIGHTS | {"photo-0001": -1}, r"1 sample weight below 0 or not finite: 'photo-0001 \(-1\)'"),
        (WEIGHTS | {"photo-0002": np.nan}, r"not finite: 'photo-0002 \(nan\)'"),
        (dict.fromkeys(WEIGHTS, 0), "no sample has a weight above 0"),
        (WEIGHTS | {"photo-0001": "much"}, "a sample weight that is no number"),
        (SERIES.to_frame().assign(other=1), "it is not plain which weight belongs to which sample"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        oe.evaluate(TRUTH, RUNS["noisy"], sample_weight=weights, **HOW)


def test_weights_of_another_number_are_refused() -> None:
    with pytest.raises(InputError, match=r"sample weights of shape \(2,\) for 3 samples"):
        oe.evaluate(*LISTS, measures="F", sample_weight=[1, 2])


def test_parts_are_merged_and_never_mixed() -> None:
    batch = oe.align(TRUTH, RUNS["noisy"], hierarchy=HOW["hierarchy"], sample_weight=WEIGHTS)
    parts = [oe.collect(chunk, HOW["measures"]) for chunk in batch.chunks(120)]
    assert oe.score(oe.merge(*parts)).scores == SCORES
    plain = oe.collect(oe.align(TRUTH, RUNS["noisy"], hierarchy=HOW["hierarchy"]), HOW["measures"])
    with pytest.raises(InputError, match="totals of weighted and of unweighted samples"):
        oe.merge(parts[0], plain)
    matrices = [oe.confusion_matrix(*LISTS, sample_weight=weights) for weights in ([2, 1, 1], None)]
    with pytest.raises(InputError, match="confusion matrices of weighted and of unweighted samples"):
        _ = matrices[0] + matrices[1]
    with pytest.raises(InputError, match="the samples of this batch have weights already"):
        oe.collect(batch, "F", sample_weight=WEIGHTS)


def test_results_with_and_without_weights_are_not_compared() -> None:
    compared = oe.compare(TRUTH, RUNS, baselines=(), resamples=20, **HOW)
    weighted = oe.compare(TRUTH, RUNS, baselines=(), resamples=20, sample_weight=WEIGHTS, **HOW)
    mixed = dict(compared.evaluations) | {"noisy": weighted.evaluations["noisy"]}
    with pytest.raises(InputError, match="different sample weights, or some without"):
        oe.comparison.Comparison(**{**vars(compared), "evaluations": mixed})


def test_measures_that_weights_have_no_meaning_for_are_refused_by_name() -> None:
    class Longest:
        """Largest number of true labels."""

        mergeable = False

        @property
        def statistic(self) -> Any:
            return lambda batch: Rows(batch.truth.sizes[:, None].max(axis=0, keepdims=True))

        def formula(self, values: Any) -> Any:
            return values[..., 0]

    with pytest.raises(MeasureError, match=r"Longest.* is not defined for weighted samples"):
        oe.evaluate(*LISTS, measures=Longest(), sample_weight=[1, 2, 3])


def test_counts_and_matrices_are_sums_of_weights() -> None:
    weights = [2, 0.5, 0]
    matrix = oe.confusion_matrix(*LISTS, sample_weight=weights)
    assert np.asarray(matrix.matrix).tolist() == [[2.0, 0.5, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]
    counts = oe.one_vs_rest(*LISTS, sample_weight=weights)
    assert [part.tolist() for part in (counts.tp, counts.fp, counts.fn, counts.tn)] == [
        [2.0, 0.5],
        [0.0, 0.0],
        [0.5, 0.0],
        [0.0, 2.0],
    ]
    tensor = oe.confusion_tensor(*LISTS, sample_weight=weights)
    assert (tensor.samples, tensor.counts().tp.tolist()) == (2.5, [2.0, 0.5, 0.0])


def test_equal_weights_change_no_interval_and_no_test() -> None:
    how = HOW | {"resamples": 100}
    plain = oe.compare(TRUTH, RUNS, **how)
    equal = oe.compare(TRUTH, RUNS, sample_weight=dict.fromkeys(WEIGHTS, 3), **how)
    for part in ("scores", "low", "high", "p_values", "adjusted"):
        np.testing.assert_allclose(getattr(equal, part), getattr(plain, part), rtol=0, atol=1e-12)


def test_a_sample_without_weight_is_not_there() -> None:
    """Resamples aside, which draw it, too."""
    kept = TRUTH.samples[:60]
    how = HOW | {"baselines": (), "resamples": 50}
    some = oe.compare(TRUTH.take(kept), {name: run.take(kept) for name, run in RUNS.items()}, **how)
    all_of_them = oe.compare(
        TRUTH, RUNS, sample_weight={sample: float(sample in set(kept)) for sample in WEIGHTS}, **how
    )
    np.testing.assert_array_equal(all_of_them.scores, some.scores)


def test_resamples_draw_weighted_samples() -> None:
    """The interval of few heavy samples is as wide as that of few samples."""
    heavy = {sample: 1000.0 if place < 20 else 1.0 for place, sample in enumerate(TRUTH.samples)}
    how = HOW | {"baselines": (), "resamples": 200}
    widths = [
        (found.high - found.low)[0]
        for found in (
            oe.compare(TRUTH, RUNS, **how),
            oe.compare(TRUTH, RUNS, sample_weight=heavy, **how),
        )
    ]
    assert (widths[1] > 2 * widths[0]).all()


def test_measures_of_scores_take_weights_in_comparisons() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((40, 3)) < 0.4
    runs = {name: np.clip(truth * 0.3 + rng.random(truth.shape) * 0.7, 0, 1) for name in "ab"}
    how: dict[str, Any] = {"measures": ["AUC", "F"], "threshold": 0.5, "baselines": (), "resamples": 30}
    weighted = oe.compare(truth, runs, sample_weight=rng.integers(1, 4, 40) / 2, **how)
    assert np.isfinite(weighted.low).all()
    assert (weighted.low <= weighted.scores).all()
    assert "weighted samples: the weights sum to" in weighted.signature


# files ------------------------------------------------------------------------------------------------------

FILES = (FOLDER / "truth.csv", FOLDER / "runs" / "noisy.csv", "--ontology", "photo")


def weights_file(folder: Path, weights: dict[str, Any]) -> Path:
    """A table of weights."""
    path = folder / "weights.csv"
    path.write_text("".join(f"{a},{b}\n" for a, b in {"sample": "weight", **weights}.items()))
    return path


def test_files_of_weights_score_as_mappings_do(tmp_path: Path) -> None:
    path = weights_file(tmp_path, WEIGHTS)
    for what in ("score", "compare"):
        asked = ("-m", "OS", "-m", "F", "--format", "json", "--sample-weights", path)
        result = json.loads(call(what, *FILES, *asked, *["--no-baseline"] * (what == "compare")).stdout)
        (row,) = result["rows"]
        found = [row[key] if what == "score" else row[key]["value"] for key in ("OS", "F")]
        assert found == [SCORES["OS"], SCORES["F"]]
        assert f"weighted samples: the weights sum to {sum(WEIGHTS.values())}" in result["recipe"]


def test_the_truth_may_have_the_column_of_weights(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.csv", tmp_path / "run.csv"
    truth.write_text("sample,concept,sample_weight\np1,a,2\np1,b,2\np2,b,0.5\n")
    run.write_text("sample,concept\np1,a\np2,b\n")
    shown = call("score", truth, run, "-m", "R", "--sample-weights", truth, "--format", "csv").stdout
    assert shown.splitlines()[1] == f"run,{2.5 / 4.5}"
    counts = call("confusion", truth, run, "--rule", "one-vs-rest", "--sample-weights", truth)
    assert "Weighted samples: the weights sum to 2.5" in counts.stdout + counts.stderr


@pytest.mark.parametrize(
    ("file", "text", "remedy"),
    [
        ("truth.csv", "id,labels,sample_weight\np1,a,2\np2,b,1\n", "--sample-weights truth.csv"),
        ("truth.csv", "sample,concept,Sample Weight\np1,a,2\np2,b,1\n", "--sample-weights truth.csv"),
        (
            "truth.jsonl",
            '{"id": "p1", "labels": ["a"], "sample_weight": 2}\n{"id": "p2", "labels": ["b"], "sample_weight": 1}\n',
            "a table sample,weight",
        ),
        ("truth.csv", "id,a,b,sample_weight\np1,1,0,1\np2,0,1,0\n", "a table of its own"),
    ],
)
@pytest.mark.parametrize("what", ["score", "compare", "confusion"])
def test_weights_in_the_truth_are_used_or_refused(
    what: str,
    file: str,
    text: str,
    remedy: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(text)
    Path("run.csv").write_text("id,labels\np1,a\np2,a\n")
    message = refusal([what, file, "run.csv"], capsys, monkeypatch)
    assert remedy in message
    assert "weight" in message


def test_a_column_of_weights_is_no_concept() -> None:
    frame = pd.DataFrame({"id": ["x", "y"], "a": [1, 0], "b": [0, 1], "sample_weight": [1, 0]})
    labels, weights = frame.drop(columns="sample_weight"), frame.set_index("id")["sample_weight"]
    with pytest.raises(InputError, match=r"sample_weight=frame.set_index\('id'\)\['sample_weight'\]"):
        oe.evaluate(frame, labels)
    assert oe.evaluate(labels, labels, sample_weight=weights).totals.weight == 1


def test_groups_of_samples_keep_their_weights(tmp_path: Path) -> None:
    groups = tmp_path / "groups.csv"
    some, rest = TRUTH.samples[:100], TRUTH.samples[100:]
    rows = [f"{sample},{group}\n" for group, samples in (("x", some), ("y", rest)) for sample in samples]
    groups.write_text("sample,group\n" + "".join(rows))
    weights = weights_file(tmp_path, WEIGHTS)
    asked = ("-m", "F", "--no-baseline", "--resamples", "2", "--format", "csv")
    shown = call("compare", *FILES, *asked, "--by", groups, "--sample-weights", weights).stdout
    of_x = next(line for line in shown.splitlines() if ",x," in line)
    alone = oe.evaluate(
        TRUTH.take(some),
        RUNS["noisy"].take(some),
        hierarchy=HOW["hierarchy"],
        measures="F",
        sample_weight={sample: WEIGHTS[sample] for sample in some},
    )
    assert str(alone["F"]) in of_x


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"photo-0002": "heavy"}, "weights.csv, row 3: the weight of 'photo-0002' is 'heavy'"),
        ({"photo-0002": -1}, "weights.csv, row 3: the weight of 'photo-0002' is '-1'"),
        ({"photo-x": 1}, "weights.csv: 1 sample with a weight but not in the truth: 'photo-x'"),
    ],
)
def test_files_of_weights_that_do_not_fit_are_refused(
    tmp_path: Path,
    changed: dict[str, Any],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = weights_file(tmp_path, {**WEIGHTS, **changed})
    assert message in refusal(["score", *FILES, "--sample-weights", path], capsys, monkeypatch)
    hidden = refusal(["score", *FILES, "--sample-weights", path, "--public"], capsys, monkeypatch)
    assert "the sample weights do not fit the truth" in hidden
    assert "photo-0002" not in hidden


def test_a_sample_has_one_weight_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weights.csv"
    path.write_text("sample,weight\nphoto-0001,1\nphoto-0001,2\n")
    message = refusal(["score", *FILES, "--sample-weights", path], capsys, monkeypatch)
    assert "row 3: 'photo-0001' has the weight 2, and 1 in row 2" in message


def test_sweeps_curves_and_baselines_count_a_weight_as_repetitions() -> None:
    rng = np.random.default_rng(0)
    drawn, names, times = rng.random((40, 3)), ["a", "b", "c"], rng.integers(0, 4, 40)
    truth = oe.LabelSets.from_array(rng.random((40, 3)) < 0.5, vocabulary=names)
    again = np.repeat(np.arange(40), times)
    more = oe.LabelSets.from_array(truth.matrix[again], vocabulary=names)
    once, often_scored = (oe.LabelScores.from_array(one, vocabulary=names) for one in (drawn, drawn[again]))
    how: dict[str, Any] = {"measures": ["F", "F(average='macro')"], "thresholds": (0.2, 0.5, 0.8)}
    first = oe.sweep(truth, once, sample_weight=times, **how)
    second = oe.sweep(more, often_scored, **how)
    for measure in how["measures"]:
        np.testing.assert_array_equal(first[measure], second[measure])
    curves = [
        oe.curve(truth, once, propagate=False, sample_weight=times),
        oe.curve(more, often_scored, propagate=False),
    ]
    for name in ("precision", "recall", "f", "coverage", "ru", "mi", "s"):
        np.testing.assert_allclose(getattr(curves[0], name), getattr(curves[1], name), rtol=0, atol=1e-12)
    weights = [100, *[1] * 39]
    lone = oe.LabelSets.from_array(np.eye(40, 1, dtype=bool))
    assert oe.comparison.baseline(lone, "prior", sample_weight=weights).labels_of("3") == ("0",)
    assert oe.comparison.baseline(
        lone.take(list(map(str, range(39, -1, -1)))),
        "prior",
        sample_weight=dict(zip(lone.samples, weights, strict=True)),
    ).labels_of("3") == ("0",)


def test_baselines_of_a_comparison_know_the_weights() -> None:
    truth, runs = {"p1": ["a"], "p2": ["b"], "p3": ["b"]}, {"run": {"p1": ["a"], "p2": ["a"], "p3": ["b"]}}
    how: dict[str, Any] = {"measures": "F", "baselines": "prior", "resamples": 20}
    assert oe.compare(truth, runs, **how).scores[-1, 0] == pytest.approx(2 / 3)
    # Of the weight of 6, p1 has 4: the label that most samples have is a.
    weighted = oe.compare(truth, runs, sample_weight={"p1": 4, "p2": 1, "p3": 1}, **how)
    assert weighted.scores[-1, 0] == pytest.approx(4 / 6)


def test_an_explanation_names_the_weight_of_the_sample() -> None:
    sample = TRUTH.samples[1]
    found = oe.explain(TRUTH, RUNS["noisy"], sample, hierarchy=HOW["hierarchy"], sample_weight=WEIGHTS)
    plain = oe.explain(TRUTH, RUNS["noisy"], sample, hierarchy=HOW["hierarchy"])
    assert found.sample_weight == 2
    assert found.score == plain.score
    assert str(found).splitlines()[0] == f"{sample}: {found.scores_in_words}  (sample weight 2)"
    assert "sample weight 2" in oe.reports.html(found)
    assert "weight" not in str(plain)


def test_an_explanation_on_the_command_line_names_the_weight(tmp_path: Path) -> None:
    weights = tmp_path / "weights.csv"
    weights.write_text("sample,weight\n" + "".join(f"{one},{weight}\n" for one, weight in WEIGHTS.items()))
    command = ["explain", FOLDER / "truth.csv", FOLDER / "runs" / "noisy.csv", TRUTH.samples[1]]
    shown = call(*command, "--ontology", "photo", "--sample-weights", weights)
    assert "sample weight 2" in shown.output


def test_a_frame_of_two_columns_may_hold_whole_numbers_as_samples() -> None:
    frame = pd.DataFrame({"sample": [7, 3], "weight": [2, 1]})
    truth, run = {"3": ["a"], "7": ["b"]}, {"3": ["b"], "7": ["b"]}
    expected = oe.evaluate(truth, run, sample_weight={"3": 1, "7": 2}).scores
    for given in (frame, pl.from_pandas(frame), frame[["weight", "sample"]]):
        assert oe.evaluate(truth, run, sample_weight=given).scores == expected
    with pytest.raises(InputError, match="it is not plain which weight belongs to which sample"):
        oe.evaluate(truth, run, sample_weight=frame.rename(columns={"sample": "other"}))


def test_a_weighted_result_says_so() -> None:
    weighted, plain = (oe.evaluate(*LISTS, measures="F", sample_weight=given) for given in ([2, 1, 1], None))
    assert "3 weighted samples (weights sum to 4)" in repr(weighted)
    assert "3 weighted samples (weights sum to 4)" in weighted._repr_html_()
    assert "weighted" not in repr(plain) + plain._repr_html_()


def test_weights_of_concepts_without_an_ontology_name_those_of_samples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = refusal(["score", *FILES[:2], "--weights", "w3.csv"], capsys, monkeypatch)
    assert "--weights='w3.csv'" in message
    assert "--sample-weights FILE" in message
