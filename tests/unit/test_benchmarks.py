"""The benchmarks run, and what they compare with computes the same; how long it takes is no test."""

import pytest

from benchmarks import (
    agreement,
    audit,
    confusion,
    families,
    label_files,
    many_measures,
    ontologies,
    ontology_score,
    simulation,
    study,
    uncertainty,
)
from benchmarks.__main__ import as_table
from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer
from ontoeval.measures.confusion_rules import RULES

FAST = Cost(0.1, 10.0)
PEER = Peer("a loop", Cost(2.0))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "suite",
    [
        confusion,
        families,
        ontology_score,
        many_measures,
        ontologies,
        label_files,
        audit,
        agreement,
        study,
        uncertainty,
    ],
    ids=[
        "confusion",
        "families",
        "OS",
        "many",
        "ontologies",
        "label files",
        "audit",
        "agreement",
        "study",
        "uncertainty",
    ],
)
def test_a_benchmark_runs_and_agrees_with_its_peers(suite, tmp_path, monkeypatch):
    monkeypatch.setenv("ONTOEVAL_DATA", str(tmp_path))  # published files are large: `tox -e bench` times them
    rows = list(suite.comparisons(Effort(0.001)))
    measured = [row for row in rows if row.ours is not None]
    assert measured
    assert all(row.ours.seconds > 0 for row in measured)
    assert all("skipped" in row.size for row in rows if row not in measured)
    assert as_table(rows, bars=False).row_count == len(rows)


def test_a_simulation_counts_intervals_and_errors():
    held, wrong = list(simulation.coverage(3, 30)), list(simulation.errors(3, 30))
    assert {one.measure for one in held} == {one.measure for one in wrong} == set(simulation.MEASURES)
    assert all(one.share * 3 in {0, 1, 2, 3} for one in [*held, *wrong])
    assert simulation.as_table(iter(held)).row_count == 2 * len(simulation.MEASURES)


@pytest.mark.no_cover
def test_a_simulation_of_rare_labels_counts_intervals_and_notes():
    held = list(simulation.coverage_of_rare(2, 200))
    assert {one.measure for one in held} == set(simulation.RARE_MEASURES)
    assert any(one.share == 1 for one in held if "note" in one.what and one.measure == "AP")


def test_a_simulation_of_annotators_counts_intervals_and_notes(monkeypatch):
    monkeypatch.setattr(simulation, "SEEN", ((0.02, 0.8, 0.99), (0.3, 0.8, 0.9)))
    held = list(simulation.coverage_of_agreement(3, 100))
    assert len(held) == len(simulation.ANNOTATORS) * 2 * 3
    rare, frequent = ([one.share for one in held if "note" in one.what][at::2] for at in (0, 1))
    assert min(rare) > 0.5
    assert max(frequent) == 0


def test_every_published_confusion_rule_and_variant_is_timed():
    timed = {row.what.removeprefix("confusion matrix ") for row in confusion.comparisons(Effort(0.0001))}
    assert timed == {
        f"{rule}, {variant}" if len(RULES[rule].variants) > 1 else rule
        for rule in RULES
        for variant in RULES[rule].variants
        if rule not in {"multiclass", "one-vs-rest", "transport"}  # which no other program has
    }


@pytest.mark.parametrize(
    ("bar", "met"),
    [
        (Bar(ratio=20), True),
        (Bar(ratio=21), False),
        (Bar(ratio=20, seconds=0.1, megabytes=10), True),
        (Bar(ratio=20, seconds=0.09), False),
        (Bar(ratio=20, megabytes=9), False),
    ],
    ids=str,
)
def test_a_bar_is_met_where_ratio_time_and_memory_are(bar, met):
    assert Comparison("it", "small", FAST, PEER, bar).met is met


def test_without_a_bar_nothing_is_met_or_missed():
    assert Comparison("it", "small", FAST, PEER).met is None


def test_a_bar_is_written_with_the_bounds_that_it_has():
    assert str(Bar(ratio=100, seconds=0.3)) == "≥ 100 ×, ≤ 0.3 s"
