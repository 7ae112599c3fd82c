"""The examples run as a reader runs them, and what they print is right."""

from __future__ import annotations

import csv
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.ontology.model import Ontology
from tests.oracles import ontology_score as oracle

EXAMPLES = Path(__file__).parents[2] / "examples"
BRANCHES = ["ContentElement", "Impression", "Quality", "Representation", "SceneDescription"]


def run(name: str, *arguments: str | Path) -> list[str]:
    command = [sys.executable, "-W", "error", EXAMPLES / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def table(lines: list[str]) -> dict[str, list[float]]:
    """Rows that end in numbers, by what stands before these."""
    found: dict[str, list[float]] = {}
    for line in lines:
        words = line.split()
        numbers = [word for word in words if word.replace(".", "", 1).isdigit() and "." in word]
        if numbers and words[-len(numbers) :] == numbers:
            found[line[: line.index(numbers[0])].strip()] = [float(number) for number in numbers]
    return found


def test_every_example_is_run_here_or_beside() -> None:
    here = {
        "atlas.py",
        "baselines.py",
        "make_picture.py",
        "merge_parts.py",
        "own_measure.py",
        "ranking_study.py",
        "score_runs.py",
        "transport_study.py",
    }
    beside = {
        "codabench.py",
        "make_annotations.py",
        "make_benchmark.py",
    }  # in test_codabench.py, test_shipped_annotations.py and ..._benchmark.py
    assert {path.name for path in EXAMPLES.glob("*.py")} == here | beside


def test_the_study_of_ranking_measures_has_a_table_of_the_shipped_benchmark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ONTOEVAL_DATA", "nowhere")
    lines = run("ranking_study.py", "--measure", "tF", "--measure", "R")
    rows = [line for line in lines if line.startswith(("| tF", "| R", "| F"))]
    won = [row.split(" | ")[-1].removesuffix(" |") for row in rows]
    assert won[0::3] == won[2::3] == ["no"] * 2
    assert all("siblings" in cell for cell in won[1::3])


def test_scoring_runs_ranks_them_and_explains_the_worst_photo_of_the_second() -> None:
    lines = run("score_runs.py")
    ranked = [line.split()[0] for line in lines[1:5]]
    assert ranked == ["careful", "near-miss", "noisy", "over-labelling"]
    assert table(lines[:5])["careful"] == [0.8929, 0.8929, 0.8314, 0.8234]
    assert any(line.startswith("agreement given (sha256 ") for line in lines)
    assert "Rules that the truth breaks: 0" in lines
    start = lines.index("The worst photo of near-miss:")
    assert "  false  indoor: 1.0000  (indoor excludes outdoor)" in lines[start:]
    assert "  outdoor -> indoor: 23.2 (7% of outdoor)" in lines[start:]


def test_the_pictures_of_the_first_page_are_drawn_by_an_example_and_say_what_their_texts_say(
    tmp_path: Path,
) -> None:
    pytest.importorskip("matplotlib")
    run("make_picture.py", "--out", tmp_path)
    root, words = EXAMPLES.parent, {}
    for name in ("nearness", "confusion"):
        committed = root / "docs" / "_static" / f"{name}.svg"
        assert committed.stat().st_size < 60_000
        drawn, words[name] = (
            re.findall(r"<text[^>]*>([^<]*)", path.read_text(encoding="utf-8"))
            for path in (tmp_path / committed.name, committed)
        )
        assert drawn == words[name]  # versions of matplotlib place them otherwise
        assert "prefers-color-scheme: dark" in committed.read_text(encoding="utf-8")
    scores = [
        float(word.split()[0]) for word in words["nearness"] if word.endswith((" plants", " mountains"))
    ]
    assert scores == [0, 0.8, 0.93, 0, 0.4, 0.67]
    for page in ("README.md", "docs/index.md"):
        text = (root / page).read_text(encoding="utf-8")
        assert "F 0 and 0, hF 0.80 and 0.40, OS 0.93 and 0.67](" in text
        assert {*re.findall(r"_static/(\w+).svg", text)} == {*words}
    assert len((root / "README.md").read_text(encoding="utf-8").split()) <= 330


def test_the_atlas_is_what_its_page_shows() -> None:
    atlas = (EXAMPLES / "atlas.md").read_text(encoding="utf-8")
    shown = atlas.partition("$ python examples/atlas.py\n")[2].partition("```")[0].splitlines()
    printed = run("atlas.py")
    assert len(printed) == len(shown)
    for line, expected in zip(printed, shown, strict=True):
        begin = expected.partition("...")[0]
        # How long it takes is the computer's.
        assert line.startswith(begin) if "..." in expected else re.sub(r"\d\.\d$", "0.0", line) == expected


def rows_of_the_atlas() -> list[list[str]]:
    """The rows of the tables about files of others: file, origin, and what is said of it."""
    tables = (EXAMPLES / "atlas.md").read_text(encoding="utf-8").partition("## What others publish")[2]
    rows = [line.removeprefix("| `") for line in tables.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row.removesuffix(" |").replace("`", "", 1).split("|")] for row in rows]


def published() -> list[list[str]]:
    """All files that are read, and those that the page shows as refused."""
    with (EXAMPLES / "atlas.csv").open(encoding="utf-8", newline="") as file:
        whole = list(csv.reader(file))[1:]
    return [*whole, *(row for row in rows_of_the_atlas() if len(row) == 3)]


def test_the_atlas_shows_rows_of_its_whole_table() -> None:
    whole = [row[:7] for row in published()]
    shown = [row for row in rows_of_the_atlas() if len(row) != 3]
    assert len(shown) > 10
    assert [row for row in shown if row not in whole] == []


@pytest.mark.parametrize("row", published(), ids=lambda row: row[0])
def test_published_ontologies_hold_what_the_atlas_says(row: list[str], data: Path) -> None:
    name, _, *cells = row
    found = [path for path in (data / "ontologies").rglob(name) if "micro" not in str(path)]
    if not found:
        pytest.skip(f"{name} is called otherwise there")
    atlas = runpy.run_path(str(EXAMPLES / "atlas.py"))
    if len(cells) == 1:
        with pytest.raises(oe.OntoevalError) as error:
            oe.read_ontology(found[0])
        said = cells[0].partition(" --input")[0].split(" …")  # the folder is not the manual's
        assert all(part in str(error.value) for part in said)
    else:
        ontology = oe.read_ontology(found[0])
        assert atlas["described"](ontology) == [cell or "-" for cell in cells]


def test_the_atlas_counts_the_published_files_as_its_page_says(data: Path) -> None:
    atlas = (EXAMPLES / "atlas.md").read_text(encoding="utf-8")
    shown = atlas.partition("## What others publish")[2].partition("```text\n")[2].partition("```")[0]
    printed = "\n".join(run("atlas.py", data / "ontologies"))
    assert printed.endswith(f"\n{shown.rstrip()}")


def test_the_atlas_writes_a_cell_for_each_column_of_a_spreadsheet(tmp_path: Path) -> None:
    (tmp_path / "a b.ofn").write_text("Ontology(<urn:x>)\n", encoding="utf-8")
    (tmp_path / "links.csv").write_text("parent,child\nanimal,cat\n", encoding="utf-8")
    titles, refused, read = csv.reader(run("atlas.py", tmp_path, "--csv"))
    assert len(titles) == len(refused) == len(read)
    assert read[:3] == ["links.csv", "edge list", "2"]
    assert refused[0] == "a b.ofn"
    assert f"--output '{tmp_path / 'a b.ttl'}'" in refused[-1]


def test_parts_score_what_the_whole_scores() -> None:
    lines = run("merge_parts.py")
    assert lines[-1] == "5 parts have the same scores as the whole."
    scores = table(lines)
    assert len(scores) == 6
    assert all(len({*columns}) == 1 for columns in scores.values())


def test_an_own_measure_stands_beside_the_others_and_tells_two_runs_apart() -> None:
    lines = run("own_measure.py")
    start = lines.index("noisy")
    near_miss, noisy = table(lines[:start]), table(lines[start:])
    own = "HierarchicalF(beta=1.0)"
    assert list(near_miss) == ["F", own, "HierarchicalF(beta=2)", "OS", "worst sample:"]
    assert near_miss["F"][0] - noisy["F"][0] < 0.02
    assert near_miss[own][0] - noisy[own][0] > 0.09


def test_the_own_measure_is_f_of_sets_with_their_ancestors() -> None:
    measure = runpy.run_path(str(EXAMPLES / "own_measure.py"))["HierarchicalF"](beta=2.0)
    edges = [("top", "plants"), ("plants", "trees"), ("plants", "flowers"), ("top", "sky")]
    hierarchy = oe.Hierarchy.from_edges(edges)
    truth, prediction = [["trees", "sky"], []], [["flowers"], []]
    result = oe.evaluate(truth, prediction, hierarchy=hierarchy, measures=[measure])
    common, predicted, true = 1, 2, 3  # plants; flowers, plants; trees, plants, sky
    assert result[measure] == pytest.approx(5 * common / (predicted + 4 * true))
    assert np.isnan(result.per_sample(measure)).tolist() == [False, True]


def test_baselines_of_the_shipped_benchmark_score_well_unless_rules_count() -> None:
    lines = run("baselines.py")
    scores = table(lines)
    assert {notation: numbers[0] for notation, numbers in scores.items()} == dict.fromkeys(scores, 0)
    assert scores["OS"] == [0, 0.5102, 0.7496]
    assert scores["OS(penalise='none')"] == [0, 0.7468, 0.7496]
    assert scores["OS(penalise='all predicted')"] == [0, 0.4032, 0.7496]
    assert lines[-1] == "The truth breaks 0 of 33 rules."


@pytest.mark.parametrize("arguments", [["truth.csv"], ["--ontology", "photo.ttl"]], ids=["truth", "ontology"])
def test_baselines_want_truth_and_ontology_together(arguments: list[str]) -> None:
    command = [sys.executable, str(EXAMPLES / "baselines.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs --ontology" in done.stderr


class Tree(oracle.Tree):
    """The naive tree, with each cost worked out once."""

    def cost(self, one: str, other: str) -> float:
        costs: dict[tuple[str, str], float] = self.__dict__.setdefault("_costs", {})
        if (one, other) not in costs:
            costs[one, other] = super().cost(one, other)
        return costs[one, other]


class Real(NamedTuple):
    """The official ontology and truth of ImageCLEF 2011, and what the example prints of them."""

    ontology: Ontology
    truth: oe.LabelSets
    tree: Tree
    printed: list[str]


@pytest.fixture(scope="module")
def real(data: Path) -> Real:
    folder = data / "imageclef2011"
    file, labels = folder / "photo_tagging_2011.owl", folder / "truth.txt"
    concepts, concept_map = folder / "concepts.txt", folder / "concept_map.csv"
    ontology = oe.read_ontology(file, root=BRANCHES)
    truth = oe.read_labels(labels, ontology, concepts=concepts, concept_map=concept_map)
    roots = [word for branch in BRANCHES for word in ("--root", branch)]
    files = {"--ontology": file, "--concepts": concepts, "--concept-map": concept_map}
    chosen = [str(word) for option in files.items() for word in option]
    return Real(
        ontology, truth, Tree(tuple(ontology.graph.edges)), run("baselines.py", labels, *roots, *chosen)
    )


def test_a_real_truth_breaks_a_third_of_the_rules_it_is_held_to(real: Real) -> None:
    start = real.printed.index("The truth breaks 12 of 39 rules.") + 1
    local = re.compile(r"(?:\w+\.)+(?=\w)")
    assert [" ".join(local.sub("", line).split()) for line in real.printed[start:]] == [
        "1,254 of 2,178 sets: Female excludes Male (suspect)",
        "55 of 1,362 sets: LandscapeNature requires LandscapeElements",
        "27 of 1,362 sets: LandscapeNature requires Outdoor",
        "17 of 984 sets: Portrait requires Animals or Single or SmallGroup",
        "16 of 2,865 sets: Active excludes Inactive",
        "8 of 2,250 sets: Happy excludes Unpleasant",
        "8 of 1,819 sets: HighGradeOverallQuality excludes OutOfFocus",  # 150 of these are out of focus
        "6 of 154 sets: BeachHolidays requires LandscapeElements",
        "4 of 127 sets: SnowSkiing requires Outdoor",
        "3 of 30 sets: Desert requires LandscapeElements (suspect)",
        "2 of 1,504 sets: Euphoric excludes Melancholic",
        "1 of 154 sets: BeachHolidays requires Outdoor",
    ]
    out_of_focus = real.truth.vocabulary.index["Quality.Blurring.OutOfFocus"]
    assert real.truth.matrix[:, [out_of_focus]].sum() == 150


def test_baselines_of_a_real_truth_score_well_above_their_f(real: Real) -> None:
    scores = table(real.printed)
    assert scores["OS"] == [0, 0.5919, 0.7793]
    assert scores["OS(penalise='all predicted')"] == [0, 0.5282, 0.7755]
    assert scores["OS(penalise='none')"] == [0, 0.7770, 0.7902]
    assert scores["F"] == [0, 0.2139, 0.3518]
    assert scores["Jaccard"] == [0, 0.1198, 0.2213]


@pytest.mark.parametrize("penalise", ["false positives", "all predicted", "none"])
def test_baselines_of_real_photos_score_what_the_naive_implementation_says(real: Real, penalise: str) -> None:
    samples = np.random.default_rng(2011).choice(real.truth.samples, size=400, replace=False).tolist()
    subset = real.truth.take(samples)
    results = runpy.run_path(str(EXAMPLES / "baselines.py"))["evaluated"](subset, real.ontology.hierarchy())
    sets = [frozenset(subset.labels_of(sample)) for sample in samples]
    predictions = {
        "nothing": [frozenset[str]()] * len(sets),
        "everything": [frozenset(real.truth.vocabulary)] * len(sets),
        "another sample's": [sets[-1], *sets[:-1]],
    }
    assert list(results) == list(predictions)
    exclusions = [(rule.first, rule.second) for rule in real.ontology.exclusions]
    requirements = [(rule.concept, frozenset(rule.any_of)) for rule in real.ontology.requirements]
    for name, predicted in predictions.items():
        expected = [
            oracle.score(
                *pair, real.tree, penalise=penalise, exclusions=exclusions, requirements=requirements
            )
            for pair in zip(sets, predicted, strict=True)
        ]
        measure = f"OS(penalise={penalise!r})"
        np.testing.assert_allclose(results[name].per_sample(measure), expected, rtol=0, atol=1e-12)
        assert results[name][measure] == pytest.approx(np.mean(expected), abs=1e-12)


def test_the_study_of_transport_measures_prints_the_recorded_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ONTOEVAL_DATA", raising=False)
    lines = run("transport_study.py", "--draws", "3", "--seeds", "1", "--resamples", "5")
    tables = {part.splitlines()[0]: part for part in "\n".join(lines).split("\n**")[1:]}
    chance, moved = (
        tables["Predictions that know nothing of the sample**"],
        next(part for title, part in tables.items() if "other hierarchies" in title),
    )
    [of_kappa] = [line for line in chance.splitlines() if line.startswith("| tKappa |")]
    scores = [float(cell) for cell in of_kappa.strip("| ").split(" | ")[1:]]
    assert scores[:3] == [0, 0, 0]
    assert max(map(abs, scores[3:5])) < 0.02 < scores[-1]
    recorded = (EXAMPLES / "transport_study.txt").read_text(encoding="utf-8")
    assert chance.strip() in recorded
    assert moved.strip() in recorded
