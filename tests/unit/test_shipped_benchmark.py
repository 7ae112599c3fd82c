"""The shipped benchmark follows from its script, keeps its rules, and shows what its README says."""

import csv
import re
import runpy
from itertools import combinations
from pathlib import Path

import pytest

import ontoeval as oe

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "make_benchmark.py"
BENCHMARK = ROOT / "examples" / "benchmark"
README = (BENCHMARK / "README.md").read_text(encoding="utf-8")
RUNS = ["careful", "near-miss", "noisy", "over-labelling"]
MEASURES = ["F", "OS(penalise='none')", "OS"]

EXACTLY_ONE = {
    "people count": {"no_people", "one_person", "small_group", "big_group"},
    "exposure": {"neutral_exposure", "overexposed", "underexposed"},
    "sharpness": {"sharp", "partly_blurred", "motion_blur", "out_of_focus"},
}
AT_MOST_ONE = [
    *EXACTLY_ONE.values(),
    {"spring", "summer", "autumn", "winter"},
    {"indoor", "outdoor"},
    {"day", "twilight", "night"},
    {"out_of_focus", "high_overall_quality"},
]
BELOW = {
    "plants": {"trees", "flowers"},
    "sky": {"clouds"},
    "water": {"lake", "river", "sea"},
    "animals": {"birds", "cats", "dogs"},
    "vehicles": {"bicycles", "cars", "ships"},
}
WATER = {"water"} | BELOW["water"]
LANDSCAPE_ELEMENTS = WATER | {"plants", "sky", "mountains", "snow"} | BELOW["plants"] | BELOW["sky"]
REQUIRED = [
    ("portrait", {"animals", "one_person", "small_group"} | BELOW["animals"]),
    ("landscape", {"outdoor"}),
    ("landscape", LANDSCAPE_ELEMENTS),
    ("beach_holiday", {"outdoor"}),
    ("beach_holiday", WATER),
    ("city_life", {"buildings", "vehicles"} | BELOW["vehicles"]),
    ("snow", {"outdoor"}),
]


def read(path: Path) -> dict[str, frozenset[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: frozenset(row["labels"].split(";")) for row in csv.DictReader(file)}


def read_run(name: str) -> dict[str, frozenset[str]]:
    return read(BENCHMARK / "runs" / f"{name}.csv")


def read_agreement() -> dict[str, float]:
    with (BENCHMARK / "agreement.csv").open(encoding="utf-8", newline="") as file:
        return {row["concept"]: float(row["agreement"]) for row in csv.DictReader(file)}


TRUTH = read(BENCHMARK / "truth.csv")


def breaks_a_rule(labels: frozenset[str]) -> bool:
    excluded = any(len(labels & group) > 1 for group in AT_MOST_ONE)
    return excluded or any(label in labels and not labels & needed for label, needed in REQUIRED)


def rule_breakers(run: dict[str, frozenset[str]]) -> int:
    return sum(map(breaks_a_rule, run.values()))


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


def test_another_seed_writes_other_files(tmp_path):
    runpy.run_path(str(SCRIPT))["main"](["--out", str(tmp_path), "--seed", "1"])
    shipped = data_files(BENCHMARK)
    written = data_files(tmp_path)
    assert written.keys() == shipped.keys()
    assert all(written[file] != shipped[file] for file in shipped)


def test_the_readme_names_the_seed_and_says_that_all_is_synthetic():
    assert f"--seed {runpy.run_path(str(SCRIPT))['SEED']} " in README
    assert README.startswith("# A synthetic photo benchmark\n")


def test_the_truth_has_500_photos():
    assert list(TRUTH) == [f"photo-{number:04}" for number in range(1, 501)]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_has_the_photos_of_the_truth_and_labels_each(name):
    run = read_run(name)
    assert list(run) == list(TRUTH)
    assert all(labels and "" not in labels for labels in run.values())


def test_true_photos_have_between_3_and_20_labels_and_about_11():
    counts = [len(labels) for labels in TRUTH.values()]
    assert min(counts) >= 3
    assert max(counts) <= 20
    assert sum(counts) / len(counts) == pytest.approx(11, abs=0.5)


@pytest.mark.parametrize("group", EXACTLY_ONE)
def test_every_true_photo_has_exactly_one_label_of(group):
    assert all(len(labels & EXACTLY_ONE[group]) == 1 for labels in TRUTH.values())


def test_the_truth_uses_every_concept_that_has_an_agreement():
    assert frozenset().union(*TRUTH.values()) == read_agreement().keys()
    assert len(read_agreement()) == 53


def test_the_truth_keeps_every_rule():
    assert rule_breakers(TRUTH) == 0


def test_the_truth_is_not_closed_under_ancestors():
    unclosed = [
        photo
        for photo, labels in TRUTH.items()
        if any(labels & below and parent not in labels for parent, below in BELOW.items())
    ]
    assert 25 < len(unclosed) < 250


def test_no_two_photo_files_are_alike():
    files = [TRUTH, *map(read_run, RUNS)]
    assert not [1 for one, other in combinations(files, 2) if one == other]


def test_the_careful_run_is_precise_misses_much_and_keeps_every_rule():
    precision, recall = precision_and_recall(read_run("careful"))
    assert precision > 0.95
    assert recall < 0.8
    assert rule_breakers(read_run("careful")) == 0


def test_the_over_labelling_run_misses_little_and_breaks_rules_nearly_everywhere():
    precision, recall = precision_and_recall(read_run("over-labelling"))
    assert recall > 0.95
    assert precision < 0.7
    assert rule_breakers(read_run("over-labelling")) > 450


def test_noisy_and_near_miss_find_the_same_true_labels_and_err_about_as_often():
    noisy, near = read_run("noisy"), read_run("near-miss")
    assert all(noisy[photo] & labels == near[photo] & labels for photo, labels in TRUTH.items())
    assert f(noisy) == pytest.approx(f(near), abs=0.02)


@pytest.mark.parametrize("name", ["noisy", "near-miss"])
def test_runs_that_err_break_rules_at_times(name):
    assert 250 < rule_breakers(read_run(name)) < 450


def test_agreement_lies_between_0_and_1_and_has_the_two_published_values():
    agreement = read_agreement()
    assert all(0 <= value <= 1 for value in agreement.values())
    assert agreement["clouds"] == 0.96
    assert agreement["aesthetic"] == 0.75


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


def test_the_package_finds_no_broken_rule_in_the_truth():
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    truth = oe.read_labels(BENCHMARK / "truth.csv", ontology)
    strict = "OS(penalise='all predicted')"
    assert oe.evaluate(truth, truth, hierarchy=ontology.hierarchy(), measures=[strict])[strict] == 1


def test_the_readme_tells_the_rankings_that_its_table_shows():
    assert ranking("F") == ["careful", "over-labelling", "near-miss", "noisy"]
    assert ranking("OS(penalise='none')") == ["over-labelling", "near-miss", "careful", "noisy"]
    assert ranking("OS") == ["careful", "near-miss", "noisy", "over-labelling"]


def test_the_ontology_score_sets_near_miss_clearly_above_noisy():
    _, near, _ = leaderboard()["near-miss"]
    _, noisy, _ = leaderboard()["noisy"]
    assert near - noisy > 0.05
