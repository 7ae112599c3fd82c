"""Nonsense of which no verdict may speak well."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.reports.verdicts import of_study
from tests.commands import call

RANDOM = np.random.default_rng(28)
TRUTH = (RANDOM.random((60, 5)) < 0.4).astype(int)


def hits(truth: Any, prediction: Any) -> float:
    return float((truth * prediction).sum())


def test_an_own_measure_whose_number_passes_its_best_value_ranks_no_runs() -> None:
    with pytest.raises(MeasureError, match=r"gives \d+, which passes its best value, 1\. .*best=math\.inf"):
        oe.evaluate(TRUTH, TRUTH, measures=oe.own_measure(hits, on="arrays"))
    more = oe.own_measure(hits, on="arrays", best=math.inf)
    runs = {"none": 0 * TRUTH, "truth": TRUTH}
    assert oe.compare(TRUTH, runs, measures=[more], resamples=20).best == "truth"


def test_a_run_that_is_the_truth_is_named() -> None:
    found = oe.compare(TRUTH, {"copy": TRUTH, "other": TRUTH[::-1]}, measures="F", resamples=20)
    assert found.same == ["'copy' has the labels of the truth in every sample."]


def test_a_near_copy_of_the_truth_is_named_with_the_question() -> None:
    truth = np.random.default_rng(4).random((300, 6)) < 0.4
    near, good = truth.copy(), truth ^ (np.random.default_rng(5).random(truth.shape) < 0.02)
    near[7, 2] ^= True
    found = oe.compare(truth, {"near": near, "good": good}, measures="F", resamples=20)
    assert found.same == [
        "'near' and the truth differ in 1 label (F above 0.995): check that it was not made of the truth."
    ]
    few = oe.compare(truth[:20], {"near": near[:20], "good": good[:20]}, measures="F", resamples=20)
    assert not any("not made of" in note for note in few.same)


def test_where_no_sample_has_a_true_label_no_run_is_best() -> None:
    runs = {"some": TRUTH, "none": 0 * TRUTH, "other": 1 - TRUTH}
    found = oe.compare(0 * TRUTH, runs, resamples=20)
    assert found.table().head == "No sample has a true label: no run is named the best."
    assert "This study recommends no measure" in of_study(
        oe.study(0 * TRUTH, runs, resamples=20, changes=None)
    )


@pytest.mark.parametrize(
    ("samples", "weight", "cause"),
    [
        (10, 1, "as there are 10 samples"),
        (200, 1e6, "as one sample has most of the weight"),
        (60, 1, "as some labels are rare"),
    ],
)
def test_the_cause_of_a_biased_bootstrap_is_named(samples: int, weight: float, cause: str) -> None:
    random = np.random.default_rng(6)
    truth = random.random((samples, 12)) < 0.08
    run = truth ^ (random.random(truth.shape) < 0.1)
    weights = np.where(np.arange(samples) == 0, weight, 1.0)
    found = oe.compare(
        truth, {"run": run}, measures="F(average='macro')", sample_weight=weights, resamples=400
    )
    assert any(f"{cause}. Intervals are corrected, but may hold" in note for note in found.notes)


def test_one_sample_has_no_interval() -> None:
    found = oe.compare([["a"]], {"r": [["a"]], "q": [["b"]]}, measures="F", resamples=20)
    assert np.isnan(found.low).all()
    assert np.isnan(found.adjusted).all()


@pytest.mark.parametrize("limit", ["F=80", "F=1.5", "F=-1", "Hamming=2"])
def test_a_limit_that_no_score_can_miss_or_reach_is_refused(tmp_path: Path, limit: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text("id,labels\n1,a\n2,b\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="a limit from 0 to 1"):
        call("score", file, file, "-m", limit.partition("=")[0], "--fail-under", limit)


def test_answers_that_are_copied_are_named() -> None:
    said = {f"p{at}": ["a" if one[0] else "b"] for at, one in enumerate(TRUTH)}
    other = {f"p{at}": ["a" if one[1] else "b"] for at, one in enumerate(TRUTH)}
    notes = oe.agreement(oe.Annotations.from_sets({"x": said, "y": dict(said), "z": other})).notes
    assert any("as if one were copied: 'x', 'y'" in note for note in notes)


def test_measures_that_rank_all_runs_alike_are_described_whatever_they_average() -> None:
    drawn = RANDOM.random(TRUTH.shape)  # the errors of a run are those of the next too
    runs = {f"r{at}": np.where(drawn < at / 20, 1 - TRUTH, TRUTH) for at in range(1, 7)}
    study = oe.study(TRUTH, runs, measures=["F", "F(average='macro')", "F(average='samples')"], resamples=50)
    said = of_study(study)
    assert "Kendall's τ_b of two rankings of the 6 runs is 1.00; " in said


def test_other_names_that_are_lost_are_a_difference(tmp_path: Path) -> None:
    head = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix m: <http://m/> .\n"
    top = 'm:c0 a skos:Concept ; skos:prefLabel "Place"@en .\n'
    old, new = (tmp_path / name for name in ("old.ttl", "new.ttl"))
    hall = 'm:c1 a skos:Concept ; skos:prefLabel "Town hall"@en{} ; skos:broader m:c0 .\n'
    old.write_text(head + top + hall.format(' ; skos:altLabel "Guildhall"@en'), encoding="utf-8")
    new.write_text(head + top + hall.format(""), encoding="utf-8")
    (change,) = oe.diff_ontologies(old, new).changes
    assert (change.change, change.before) == ("unnamed", "Guildhall")
    assert not oe.diff_ontologies(new, old).changes


def test_migrating_keeps_columns_separators_and_preferred_labels(tmp_path: Path) -> None:
    old, new, file, out = (tmp_path / name for name in ("old.csv", "new.csv", "labels.csv", "moved.csv"))
    old.write_text("id,parent,label\nc1,,vehicle\nc2,c1,tram\nc3,c1,boat\n", encoding="utf-8")
    new.write_text("id,parent,label\nc1,,vehicle\nc2,c1,tram\nc3,c1,ship\n", encoding="utf-8")
    file.write_text("Number;Photographer;Subjects\n1;Müller;tram|boat\n2;;boat\n", encoding="utf-8")
    done = call(
        *("migrate", file, "--from", old, "--to", new, "-o", out),
        *("--sample-column", "Number", "--concept-column", "Subjects"),
    )
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8") == "Number;Photographer;Subjects\n1;Müller;tram|ship\n2;;ship\n"


def test_the_recipe_of_a_page_has_digests_that_depend_on_the_labels_alone() -> None:
    truth = {"1": ["b"], "2": ["a", "c"]}
    first = oe.compare(truth, {"r": {"2": ["a"], "1": ["b"]}}, measures="F", resamples=20)
    other = oe.compare(truth, {"r": truth, "s": {"1": ["a", "x"], "2": ["b"]}}, measures="F", resamples=20)
    assert first.digests["the truth"] == other.digests["the truth"] == other.digests["r"]
    assert first.digests["r"] != other.digests["r"]
    assert f"labels: the truth {first.digests['the truth']}, r {first.digests['r']}." in first.report()


def test_the_preferred_label_is_kept_where_a_file_mostly_writes_such(tmp_path: Path) -> None:
    hierarchy = tmp_path / "t.ttl"
    hierarchy.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix m: <http://m/> .\n"
        'm:c0 a skos:Concept ; skos:prefLabel "Vehicle"@en .\n'
        'm:c1 a skos:Concept ; skos:prefLabel "Tram"@en ; skos:altLabel "Streetcar"@en ; skos:broader m:c0 .\n'
        'm:c2 a skos:Concept ; skos:prefLabel "Boat"@en ; skos:broader m:c0 .\n',
        encoding="utf-8",
    )
    usual = {
        "1": ["Streetcar"],
        "2": ["Streetcar"],
        "3": ["Tram"],
        "4": ["Boat"],
        "5": ["Boat"],
        "6": ["Boat"],
    }
    (found,) = oe.audit_labels(usual, hierarchy).of("spelling")
    assert found.fix == "Write 'Tram' everywhere."
    (found,) = oe.audit_labels(dict(list(usual.items())[:3]), hierarchy).of("spelling")
    assert found.fix == "Write 'Streetcar' everywhere."


def test_a_baseline_is_written_anew_but_not_beside_corrections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("id,labels\n1,a\n2,A\n", encoding="utf-8")
    Path("h.csv").write_text("child,parent\na,r\n", encoding="utf-8")
    Path("ontoeval.toml").write_text('[audit]\nbaseline = "accepted.json"\n', encoding="utf-8")
    for _ in range(2):  # there is no such file at first
        done = call("audit", "t.csv", "--ontology", "h.csv", "--write-baseline", "accepted.json")
        assert "accepted.json: accepts all" in done.output
    with pytest.raises(ParameterError, match="no --fix beside it"):
        call("audit", "t.csv", "--ontology", "h.csv", "--write-baseline", "b.json", "--fix", "f.csv")
