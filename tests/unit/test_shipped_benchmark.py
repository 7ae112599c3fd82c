"""The shipped benchmark follows from its script, keeps its rules, and shows what its README says."""

import csv
import re
import runpy
from pathlib import Path

import pytest

import ontoeval as oe

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "make_benchmark.py"
BENCHMARK = ROOT / "examples" / "benchmark"
README = (BENCHMARK / "README.md").read_text(encoding="utf-8")
RUNS = ["careful", "near-miss", "noisy", "over-labelling"]
MEASURES = ["F", "OS(penalise='none')", "OS"]


def read(path: Path) -> dict[str, frozenset[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: frozenset(row["labels"].split(";")) for row in csv.DictReader(file)}


def read_run(name: str) -> dict[str, frozenset[str]]:
    return read(BENCHMARK / "runs" / f"{name}.csv")


TRUTH = read(BENCHMARK / "truth.csv")


def precision_and_recall(run: dict[str, frozenset[str]]) -> tuple[float, float]:
    shared = sum(len(TRUTH[photo] & labels) for photo, labels in run.items())
    return shared / sum(map(len, run.values())), shared / sum(map(len, TRUTH.values()))


def f(run: dict[str, frozenset[str]]) -> float:
    precision, recall = precision_and_recall(run)
    return 2 * precision * recall / (precision + recall)


def data_files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.csv")}


def leaderboard() -> dict[str, list[float]]:
    """Read the table in the README."""
    rows = re.findall(rf"^\| ({'|'.join(RUNS)}) \|(.*)\|$", README, re.MULTILINE)
    return {run: [float(cell) for cell in cells.split("|")] for run, cells in rows}


def ranking(measure: str) -> list[str]:
    """Order the runs by one column of the README, best first."""
    column = MEASURES.index(measure)
    return sorted(RUNS, key=lambda run: -leaderboard()[run][column])


def test_the_script_writes_the_shipped_files_byte_for_byte(tmp_path):
    runpy.run_path(str(SCRIPT))["main"](["--out", str(tmp_path)])
    assert data_files(tmp_path) == data_files(BENCHMARK)


def test_the_readme_names_the_seed_and_says_that_all_is_synthetic():
    assert f"--seed {runpy.run_path(str(SCRIPT))['SEED']} " in README
    assert README.startswith("# A synthetic photo benchmark\n")


def test_the_truth_keeps_every_rule():
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    truth = oe.read_labels(BENCHMARK / "truth.csv", ontology)
    strict = "OS(penalise='all predicted')"
    assert oe.evaluate(truth, truth, hierarchy=ontology.hierarchy(), measures=[strict])[strict] == 1


def test_noisy_and_near_miss_find_the_same_true_labels_and_err_about_as_often():
    noisy, near = read_run("noisy"), read_run("near-miss")
    assert all(noisy[photo] & labels == near[photo] & labels for photo, labels in TRUTH.items())
    assert f(noisy) == pytest.approx(f(near), abs=0.02)


@pytest.mark.parametrize("name", RUNS)
def test_the_readme_shows_the_scores_that_the_package_gives(name):
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    result = oe.evaluate(
        oe.read_labels(BENCHMARK / "truth.csv", ontology),
        oe.read_labels(BENCHMARK / "runs" / f"{name}.csv", ontology),
        hierarchy=ontology.hierarchy(),
        agreement=oe.read_agreement(BENCHMARK / "agreement.csv", ontology),
        measures=MEASURES,
    )
    assert [round(result[measure], 3) for measure in MEASURES] == leaderboard()[name]


def test_the_readme_tells_the_rankings_that_its_table_shows():
    assert ranking("F") == ["careful", "over-labelling", "near-miss", "noisy"]
    assert ranking("OS(penalise='none')") == ["over-labelling", "near-miss", "careful", "noisy"]
    assert ranking("OS") == ["careful", "near-miss", "noisy", "over-labelling"]
