"""Studies as tables, and on the command line."""

from __future__ import annotations

import csv
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.core.table import Column, Estimate, Table
from ontoeval.reports import sensitivity
from ontoeval.reports import study as tables
from ontoeval.reports.formats import FORMATS, to_csv, to_json
from tests.commands import call, refusal

FOLDER = oe.ontologies.benchmark()
TRUTH, RUNS = str(FOLDER / "truth.csv"), str(FOLDER / "runs")
FEW: dict[str, Any] = {"resamples": 30, "seed": 1}
QUICK = ("--resamples", "20", "--samples", "50", "--kind", "drop", "--rate", "0.2")


@pytest.fixture(scope="module")
def study() -> oe.comparison.Study:
    tree = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "c"), ("b", "d")])
    truth = [["a"], ["c"], ["a", "d"], ["b", "c"]] * 6
    runs = {
        "<i>x": [["a"], ["a"], ["a", "d"], ["b"]] * 6,
        "y": [["a"], ["c"], [], ["b", "c"]] * 6,
        "z": [["a", "b"], ["c"], ["a", "b"], ["c"]] * 6,
    }
    changes = oe.comparison.Changes(kinds=["drop", "annotator"], rates=[0.2, 0.5])
    return oe.study(truth, runs, hierarchy=tree, measures=["hF", "F", "Hamming"], changes=changes, **FEW)


def test_there_is_a_table_of_everything_and_every_format_writes_it(study: oe.comparison.Study) -> None:
    found = study.tables()
    assert set(found) == {
        *(f"agreement-{method}" for method in ("tau_b", "tau_ap_b", "spearman", "rbo", "ks")),
        *tables.MAKERS,
        *tables.NOT_ALWAYS,
    }
    for table in found.values():
        assert table.title
        assert all(len(row) == len(table.columns) for row in table.rows)
        for write in FORMATS.values():
            assert write(table)


def test_agreement_stands_in_the_order_of_the_clusters(study: oe.comparison.Study) -> None:
    agreement = study.agreements["tau_b"]
    table = tables.agreement(study, "tau_b")
    order = [agreement.measures[at] for at in agreement.order]
    assert [row[0] for row in table.rows] == order == [column.title for column in table.columns[1:]]
    a, b = agreement.order[:2]
    cell = table.rows[0][2]
    assert isinstance(cell, Estimate)
    assert (cell.value, cell.low) == (agreement.values[a, b], agreement.low[a, b])
    assert table.notes[0] == "1 is the same ranking. In brackets: where 95% of the resamples lie."
    assert "no confidence intervals" in table.notes[1]
    assert "so they tend to lie low" in table.notes[1]
    distances = tables.agreement(study, "ks").notes
    assert distances[0].startswith("0 is the same ranking")
    assert "so they tend to lie high" in distances[1]


def test_pairs_clusters_and_joins_of_measures_are_listed(study: oe.comparison.Study) -> None:
    agreement = study.agreements["spearman"]
    pairs = {row[:3]: row[3:] for row in tables.agreements(study).rows}
    assert len(pairs) == 5 * 3
    assert pairs["spearman", "hF", "Hamming"] == pytest.approx(
        tuple(part[0, 2] for part in (agreement.values, agreement.low, agreement.high, agreement.error)),
        nan_ok=True,
    )
    clusters = [row[2] for row in tables.clusters(study).rows if row[0] == "spearman"]
    assert clusters == [", ".join(together) for together in agreement.clusters(0.1)]
    joins = [row for row in tables.joins(study).rows if row[0] == "spearman"]
    assert [row[3] for row in joins] == agreement.tree[:, 2].tolist()
    assert set(f"{joins[-1][1]}, {joins[-1][2]}".split(", ")) == {"hF", "F", "Hamming"}


def test_power_and_its_curves_are_listed(study: oe.comparison.Study) -> None:
    table = tables.power(study)
    assert table.rows[1] == (
        "F",
        study.power.share[1],
        study.power.adjusted[1],
        study.power.needed[1],
    )
    assert "not whether it is valid" in table.notes[1]
    curve = [row[2] for row in tables.significance_levels(study).rows if row[0] == "F"]
    assert curve == study.power.curves[1].tolist()


def test_stability_and_swaps_are_listed(study: oe.comparison.Study) -> None:
    measure, tau, halves, swaps = tables.stability(study).rows[0]
    assert measure == "hF"
    assert tau == Estimate(study.stability.tau[0], study.stability.low[0], study.stability.high[0])
    assert (halves, swaps) == (study.stability.halves[0], study.stability.swaps[0])
    rows = [row for row in tables.swaps(study).rows if row[0] == "hF"]
    assert [row[3] for row in rows] == pytest.approx(study.stability.swaps_by_difference[0], nan_ok=True)
    assert all(one[2] == other[1] for one, other in itertools.pairwise(rows))


def test_winners_are_listed(study: oe.comparison.Study) -> None:
    _, first, share = tables.winners(study).rows[0]
    assert first == ", ".join(study.winners.first[0])
    assert share == pytest.approx(
        sum(study.winners.share[study.winners.runs.index(run), 0] for run in study.winners.first[0])
    )
    assert [row[0] for row in tables.wins(study).rows] == ["<i>x", "y", "z"]
    assert [row[1:] for row in tables.winner_changes(study).rows] == [
        tuple(row) for row in study.winners.changes.tolist()
    ]


def test_sensitivity_tells_differences_from_what_is_unchanged(study: oe.comparison.Study) -> None:
    found = study.sensitivity
    assert found is not None
    table = sensitivity.sensitivity(found)
    rows = {row[:4]: row[4:] for row in table.rows}
    truth = next(curve for curve in found.curves if (curve.changed, curve.kind) == ("truth", "drop"))
    score = float(truth.scores[1, 2])
    assert rows["truth", "drop", 0.5, "Hamming"] == pytest.approx(
        (score, score - found.unchanged[2], truth.tau[1, 2]), nan_ok=True
    )
    assert rows["prediction", "drop", 0.2, "F"][1] == pytest.approx(
        rows["prediction", "drop", 0.2, "F"][0] - 1  # type: ignore[operator]
    )
    assert ("ontology", "collapse level", 1, "F") in rows
    assert "Not tried, annotator: it needs the annotators' agreement." in table.notes


def test_what_most_is_made_of_changes_stands_in_a_short_table(study: oe.comparison.Study) -> None:
    found = study.sensitivity
    assert found is not None
    table = sensitivity.most_changed(found)
    curves = {(curve.changed, curve.kind): curve for curve in found.curves}
    assert [row[:4] for row in table.rows] == [
        ("prediction", "drop", 0.5, "score"),
        ("truth", "drop", 0.5, "τ_b"),
        ("ontology", "insert nodes", 0.5, "τ_b"),
        ("ontology", "collapse level", 1, "τ_b"),
        ("ontology", "collapse level", 2, "τ_b"),
    ]
    assert list(table.rows[0][4:]) == curves["prediction", "drop"].scores[1].tolist()
    assert list(table.rows[1][4:]) == pytest.approx(curves["truth", "drop"].tau[1].tolist(), nan_ok=True)
    assert "Not tried, annotator: it needs the annotators' agreement." in table.notes


def test_kinds_of_change_that_cannot_change_all_labels_are_named_with_the_share_that_they_can() -> None:
    tree = oe.Hierarchy.from_edges([("r", "a"), ("a", "c"), ("r", "b")])
    truth = [["a"], ["b"], ["c"], ["a"]] * 3  # c has no sibling
    runs = {"x": truth, "y": [["a"]] * 12}
    options: dict[str, Any] = {"hierarchy": tree, "measures": "F", **FEW}
    changes = oe.comparison.Changes(kinds=["parent", "sibling", "drop"], rates=[0.2])
    study = oe.study(truth, runs, changes=changes, **options)
    found = study.sensitivity
    assert found is not None
    assert found.able == {"drop": 1, "sibling": 0.75, "parent": 1}
    note = "Of the labels that are hit only some can be changed, the others stay: sibling 75.00%."
    assert note in sensitivity.sensitivity(found).notes
    assert note in sensitivity.most_changed(found).notes
    secret = oe.comparison.study_of(replace(study.comparison, public=True), changes=changes).sensitivity
    assert secret is not None
    assert not secret.able


def test_a_study_without_hierarchy_and_changes_has_fewer_tables() -> None:
    truth = [["a"], ["b"]] * 5
    found = oe.study(truth, {"x": truth, "y": [["a"]] * 10}, measures="F", changes=None, **FEW)
    assert not set(found.tables()) & set(tables.NOT_ALWAYS)


def test_the_command_prints_the_main_tables() -> None:
    shown = call("study", TRUTH, RUNS, "--ontology", "photo", "-m", "hF", "-m", "F", *QUICK).stdout
    for title in (
        "Agreement of rankings, Kendall's τ_b",
        "Clusters of measures",
        "Discriminative power",
        "Stability of rankings",
        "Winners",
        "Share of cases in which axioms hold",
        "What changes do",
        "4 runs.",
        "With fewer than 15 runs",
        "20 resamples, seed 0",
    ):
        assert title in shown
    assert "Sensitivity" not in shown


def test_notes_on_the_runs_stand_below_any_table() -> None:
    arguments = ("study", TRUTH, RUNS, "-m", "F", "--no-changes", "--resamples", "20", "--table", "power")
    assert "see the standard errors of pairs of measures (agreements)" in call(*arguments).stdout
    found = json.loads(call(*arguments, "--format", "json").stdout)
    assert found["notes"][0] == "4 runs."


def test_groups_are_written_where_there_are_some(tmp_path: Path) -> None:
    call("study", TRUTH, RUNS, "-m", "F", "-m", "P", *QUICK, "-o", str(tmp_path))
    header = (tmp_path / "agreement-tau_b.csv").read_text(encoding="utf-8").splitlines()[0]
    assert sorted(header.split(",")) == sorted("measure,F,F low,F high,P,P low,P high".split(","))
    found = json.loads((tmp_path / "study.json").read_text(encoding="utf-8"))
    cell = found["tables"]["stability"]["rows"][0]["τ_b with resamples"]
    assert set(cell) == {"value", "low", "high"}
    grouped = Table("", (Column("F"),), ((Estimate(0.5, 0.4, 0.6, "a"),), (Estimate(0.1, 0, 0.2),), (None,)))
    assert to_csv(grouped) == "F,F low,F high,F group\n0.5,0.4,0.6,a\n0.1,0,0.2,\n,,,\n"
    assert [row["F"] for row in json.loads(to_json(grouped))["rows"]] == [
        {"value": 0.5, "low": 0.4, "high": 0.6, "group": "a"},
        {"value": 0.1, "low": 0, "high": 0.2, "group": ""},
        None,
    ]


@pytest.mark.no_cover
def test_the_command_writes_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ("study", TRUTH, RUNS, "-m", "F", "--no-changes", "--resamples", "20", "--table", "wins")
    call(*arguments, "--correlation", "tau_b", "--figures", str(tmp_path / "figures"))
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"power.pdf", "stability.svg", "swaps.png"} < names


def test_the_command_computes_what_python_computes() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    expected = oe.study(
        oe.read_labels(TRUTH, ontology),
        {path.stem: oe.read_labels(path, ontology) for path in sorted(Path(RUNS).iterdir())},
        hierarchy=ontology.hierarchy(),
        measures=["hF", "F"],
        resamples=20,
        correlations=["rbo"],
        changes=oe.comparison.Changes(kinds=["drop"], rates=[0.2], samples=50),
    )
    arguments = ("--ontology", "photo", "-m", "hF", "-m", "F", *QUICK, "--correlation", "rbo")
    found = json.loads(call("study", TRUTH, RUNS, *arguments, "--format", "json").stdout)
    assert set(found["tables"]) == set(expected.tables())
    assert found["tables"]["stability"]["rows"][1]["swaps"] == expected.stability.swaps[1]
    assert len(found["tables"]["sensitivity"]["rows"]) == len(expected.tables()["sensitivity"].rows)
    assert found["recipe"] == expected.signature.splitlines()


def test_the_recipe_tells_all_that_the_numbers_depend_on(study: oe.comparison.Study) -> None:
    assert study.signature == "\n".join([study.comparison.signature, *study.lines])
    assert study.lines == [
        "Rank correlations: tau_b, tau_ap_b, spearman, rbo with p = 0.9, ks.",
        "Changes: drop, insert nodes at 0.2, 0.5; collapse level at 1, 2; on 24 of 24 samples, seed 1.",
        (
            "The truth is not closed (24 of 24 sets lack ancestors of their labels): labels are changed as "
            "they are given."
        ),
        "Axioms: at most 200 cases each, seed 1.",
    ]
    truth = [["a"], ["b"]] * 5
    runs = {"x": truth, "y": [["a"]] * 10}
    few = oe.study(truth, runs, measures="F", changes=None, correlations="ks", **FEW)
    assert few.lines == ["Rank correlations: ks."]


def test_the_command_writes_a_file_for_each_table(tmp_path: Path) -> None:
    call("study", TRUTH, RUNS, "-m", "F", "-m", "P", *QUICK, "-o", str(tmp_path))
    written = {path.name for path in tmp_path.iterdir()}
    assert {"agreements.csv", "agreement-rbo.csv", "sensitivity.csv", "study.json", "recipe.txt"} < written
    with (tmp_path / "power.csv").open(encoding="utf-8", newline="") as file:
        assert [row["measure"] for row in csv.DictReader(file)] == ["F", "P"]
    recipe = (tmp_path / "recipe.txt").read_text(encoding="utf-8")
    assert "Paired randomisation test" in recipe
    assert "power.csv: Discriminative power" in recipe


def test_a_folder_of_a_study_holds_the_scores_of_the_comparison(tmp_path: Path) -> None:
    asked = (TRUTH, RUNS, "-m", "P", "-m", "F", "--resamples", "20")
    call("compare", *asked, "--no-baseline", "-o", str(tmp_path / "compared"))
    call("study", *asked, "--no-changes", "-o", str(tmp_path / "studied"))
    board = (tmp_path / "studied" / "leaderboard.csv").read_text(encoding="utf-8")
    assert board == (tmp_path / "compared" / "leaderboard.csv").read_text(encoding="utf-8")


def test_the_command_prints_the_tables_that_are_asked_for() -> None:
    arguments = ("study", TRUTH, RUNS, "-m", "F", "-m", "P", "--no-changes", "--resamples", "20")
    assert call(*arguments, "--format", "csv").stdout.startswith("correlation,measure,other,value")
    assert call(*arguments, "--table", "wins", "--format", "csv").stdout.startswith("run,F,P\n")
    both = call(*arguments, "--table", "wins", "--table", "swaps", "--format", "markdown").stdout
    assert "| run | F | P |" in both
    assert "| measure | from | up to | swaps |" in both


def test_the_command_says_nothing_of_the_truth_where_that_is_not_public() -> None:
    arguments = ("study", TRUTH, RUNS, "--ontology", "photo", "-m", "F", *QUICK, "--public")
    assert "The truth breaks" not in call(*arguments).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--correlation", "tau_ap"], "--correlation='tau_ap'"),
        (["--kind", "cousin"], "kinds='cousin'"),
        (["--rate", "2"], "rates=2"),
        (["--kind", "sibling"], "--kind='sibling': expected --ontology FILE beside it: a hierarchy"),
        (["--kind", "annotator", "--ontology", "photo"], "expected --agreement FILE beside it"),
        (
            ["--kind", "drop", "--no-changes"],
            "--kind=['drop']: expected either this option or --no-changes, not both",
        ),
        (
            ["--rate", "0.1", "--no-changes"],
            "--rate=[0.1]: expected either this option or --no-changes, not both",
        ),
        (["--table", "behaviour"], "--table='behaviour'"),
        (["--table", "agreement"], "--table='agreement'"),
        (["--table", "swaps", "--table", "wins", "--format", "csv"], "one table for --format csv"),
        (["--table", "sensitivity", "--no-changes", "--resamples", "20"], "--table='sensitivity'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_command_refuses_what_there_is_not(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert message in refusal(["study", TRUTH, RUNS, "-m", "F", *options], capsys, monkeypatch)
