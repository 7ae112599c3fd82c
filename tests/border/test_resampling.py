"""What is drawn at random: neither the order of rows nor how samples are cut changes an interval or a test."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from tests.commands import call

BENCHMARK = Path(str(oe.ontologies.benchmark()))
COUNTED = ("F", "F(average='macro')", "Hamming")


def shuffled(source: Path, target: Path, seed: int) -> None:
    """Copy a table with its rows in another order."""
    header, *rows = source.read_text(encoding="utf-8").splitlines()
    order = np.random.default_rng(seed).permutation(len(rows))
    target.write_text("\n".join([header, *(rows[at] for at in order)]) + "\n", encoding="utf-8")


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two benchmarks that differ in the order of all rows."""
    same, other = tmp_path / "same", tmp_path / "other"
    for folder in (same, other):
        (folder / "runs").mkdir(parents=True)
    for number, path in enumerate(
        ["truth.csv", *(f"runs/{one}.csv" for one in ("careful", "noisy", "near-miss"))]
    ):
        shutil.copy(BENCHMARK / path, same / path)
        shuffled(BENCHMARK / path, other / path, seed=number)
    return [same, other]


def random_labels(
    samples: int, runs: int, seed: int = 0, concepts: int = 6
) -> tuple[np.ndarray, list[np.ndarray]]:
    """A truth and runs that err differently often."""
    rng = np.random.default_rng(seed)
    truth = rng.random((samples, concepts)) < 0.4
    return truth, [truth ^ (rng.random(truth.shape) < 0.1 + 0.3 * run / runs) for run in range(runs)]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_order_of_rows_changes_no_byte_of_a_comparison(folders, form, monkeypatch):
    printed = []
    for folder in folders:
        monkeypatch.chdir(folder)
        chosen = [part for one in (*COUNTED, "OS", "Jaccard") for part in ("-m", one)]
        printed.append(
            call("compare", "truth.csv", "runs", "--ontology", "photo", *chosen, "--format", form,
                 "--resamples", 100, "--baseline", "random", "--chance").stdout
        )  # fmt: skip
    assert printed[0] == printed[1]
    assert "careful" in printed[0]


@given(st.lists(st.text(max_size=4), min_size=8, max_size=12, unique=True), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_samples_in_any_order_have_the_same_intervals_p_values_and_groups(names, random):
    truth, runs = random_labels(len(names), 3)
    order = random.sample(range(len(names)), len(names))
    moved = [names[at] for at in order]
    found = [
        oe.compare(
            oe.LabelSets.from_array(truth[rows], samples=ids),
            {str(at): oe.LabelSets.from_array(run[rows], samples=ids) for at, run in enumerate(runs)},
            measures=["F", "Jaccard"],
            resamples=40,
        )
        for rows, ids in ((list(range(len(names))), names), (order, moved))
    ]
    for kept in ("low", "high", "replicates", "p_values", "adjusted"):
        np.testing.assert_array_equal(*(getattr(one, kept) for one in found))
    assert found[0].groups("F") == found[1].groups("F")


def test_measures_that_need_all_samples_at_once_have_the_same_intervals_in_any_order():
    truth, _ = random_labels(60, 1)
    scores = np.random.default_rng(1).random(truth.shape) + 0.3 * truth
    names, order = [f"p{at}" for at in range(60)], np.random.default_rng(2).permutation(60)
    found = [
        oe.compare(
            oe.LabelSets.from_array(truth[rows], samples=ids),
            {"run": oe.LabelScores.from_array(scores[rows], samples=ids)},
            measures=["AUC", "AP", "LRAP"],
            resamples=40,
        )
        for rows, ids in ((slice(None), names), (order, [names[at] for at in order]))
    ]
    np.testing.assert_allclose(found[0].replicates, found[1].replicates, atol=1e-12)


def test_streamed_and_whole_resamples_do_not_depend_on_the_order_of_samples():
    truth, (run,) = random_labels(5_000, 1)
    names, order = [f"p{at}" for at in range(5_000)], np.random.default_rng(2).permutation(5_000)
    sides = [oe.LabelSets.from_array(one, samples=names) for one in (truth, run)]
    moved = [side.take([names[at] for at in order]) for side in sides]
    for weights in ("multinomial", "poisson"):
        bootstrap = oe.core.Bootstrap(resamples=60, weights=weights)
        one, other = (
            oe.score(oe.collect(oe.align(*pair), "F", bootstrap=bootstrap)).interval("F")
            for pair in (sides, moved)
        )
        assert one == other


def test_an_array_counts_by_its_rows_as_sorted_identifiers_do():
    truth, runs = random_labels(40, 2)
    found = [
        oe.compare(
            oe.LabelSets.from_array(truth, samples=names),
            {str(at): oe.LabelSets.from_array(run, samples=names) for at, run in enumerate(runs)},
            measures="F",
            resamples=50,
        ).replicates
        for names in (None, [str(at) for at in range(40)], [f"p{at:03}" for at in range(40)])
    ]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_study_does_not_depend_on_the_order_of_samples():
    truth, runs = random_labels(50, 4)
    names, order = [f"p{at}" for at in range(50)], np.random.default_rng(3).permutation(50)
    found = [
        oe.study(
            oe.LabelSets.from_array(truth[rows], samples=ids),
            {str(at): oe.LabelSets.from_array(run[rows], samples=ids) for at, run in enumerate(runs)},
            measures=["F", "Hamming"],
            resamples=40,
            changes=oe.comparison.Changes(rates=(0.2,)),
        )
        for rows, ids in ((slice(None), names), (order, [names[at] for at in order]))
    ]
    for part, kept in (
        ("stability", ("tau", "halves", "swaps")),
        ("winners", ("share",)),
        ("power", ("adjusted",)),
    ):
        for name in kept:
            np.testing.assert_array_equal(*(getattr(getattr(one, part), name) for one in found))
    curves = [study.sensitivity.curves if study.sensitivity else () for study in found]
    for one, other in zip(*curves, strict=True):
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-12)
    assert curves[0]


def test_agreement_has_the_same_intervals_whatever_the_order_of_rows(tmp_path):
    rng, rows = np.random.default_rng(0), []
    for sample in range(30):
        for who in ("Zoe", "Ann", "Bob"):
            labels = [name for name in ("cat", "dog", "owl") if rng.random() < 0.4 + 0.05 * (sample % 7)]
            rows += [(f"p{sample}", who, label) for label in labels or [""]]
    written = []
    for number in range(2):
        order = range(len(rows)) if not number else rng.permutation(len(rows))
        path = tmp_path / f"said{number}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("sample", "annotator", "label"), *(rows[at] for at in order)])
        tables = [tmp_path / f"{name}{number}.csv" for name in ("weights", "concepts")]
        call("agreement", path, "--out", tables[0], "--per-concept", tables[1], "--resamples", 100)
        written.append([table.read_bytes() for table in tables])
    assert written[0] == written[1]
    assert b"cat" in written[0][1]


@pytest.mark.parametrize(
    "drawn",
    [
        lambda sets: oe.comparison.perturb(sets, "random", 0.4, seed=1),
        lambda sets: oe.comparison.perturb(
            sets, "annotator", 1, agreement=dict.fromkeys("012345", 0.8), seed=1
        ),
        lambda sets: oe.comparison.baseline(sets, "random"),
    ],
    ids=["perturb", "perturb by agreement", "baseline"],
)
def test_labels_made_at_random_do_not_depend_on_the_order_of_samples(drawn):
    truth, _ = random_labels(40, 1)
    names, order = [f"p{at}" for at in range(40)], np.random.default_rng(2).permutation(40)
    sets = oe.LabelSets.from_array(truth, samples=names)
    moved = sets.take([names[at] for at in order])
    one, other = drawn(sets), drawn(moved)
    assert {name: one.labels_of(name) for name in one.samples} == {
        name: other.labels_of(name) for name in other.samples
    }
    assert [name for name in moved.samples if name in one.row] == list(other.samples)


def test_the_ontology_score_has_intervals_where_the_ontology_has_rules():
    folder, ontology = oe.ontologies.benchmark(), oe.read_ontology(oe.ontologies.path("photo"))
    truth, run = (oe.read_labels(folder / name, ontology) for name in ("truth.csv", "runs/noisy.csv"))
    hierarchy = ontology.hierarchy()
    batch = oe.align(truth, run, hierarchy=hierarchy)
    bootstrap = oe.core.Bootstrap(resamples=50, weights="poisson")
    parts = [oe.collect(part, ["OS", "F"], bootstrap=bootstrap) for part in batch.chunks(200)]
    result = oe.score(oe.merge(*parts))
    assert result["OS"] == oe.evaluate(truth, run, hierarchy=hierarchy)["OS"]
    low, high = result.interval("OS")
    assert low < result["OS"] < high
    assert result.breaches == oe.score(oe.collect(batch, "OS")).breaches


@pytest.mark.parametrize("labels", ["8 labels in 15 to 50 %", "15 labels in 12 to 25 %"])
def test_intervals_of_few_samples_hold_the_true_score_as_often_as_they_say(labels: str) -> None:
    from benchmarks import simulation

    held = {(one.what.split(",")[0], one.measure): one.share for one in simulation.coverage(150, 30, labels)}
    assert min(held.values()) > 0.88, held


def test_equal_weights_of_any_size_change_no_p_value() -> None:
    """Sums that must be 0 are 0: a concept of which an exchange leaves no label is undefined, not noise."""
    rng = np.random.default_rng(0)
    truth = rng.random((60, 600)) < 0.02
    runs = {
        name: (truth & (rng.random(truth.shape) < 0.7)) | (rng.random(truth.shape) < 0.01) for name in "abcd"
    }
    found = [
        oe.compare(
            truth,
            runs,
            measures="F(average='macro')",
            sample_weight=weights,
            resamples=100,
            baselines=(),
        )
        for weights in (None, [0.1] * 60)
    ]
    assert np.array_equal(found[0].p_values, found[1].p_values, equal_nan=True)
    assert np.array_equal(found[0].adjusted, found[1].adjusted, equal_nan=True)


def test_runs_without_labels_are_compared() -> None:
    hierarchy = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "a1"), ("b", "b1"), ("a", "a2")])
    empty: list[list[str]] = [[], [], []]
    runs = {"x": empty, "y": empty}
    for truth in ([["a1"], ["a2"], ["a1"]], empty):
        found = oe.compare(truth, runs, hierarchy=hierarchy, resamples=10)
        assert found.scores.shape == (len(found.runs), 4)
        assert np.array_equal(found.scores[0], found.scores[1], equal_nan=True)
