"""The examples run as a reader runs them, and what they print is right."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.ontology import Ontology
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
    here = {"baselines.py", "own_measure.py", "score_runs.py", "stream_chunks.py"}
    beside = {"make_benchmark.py"}  # in test_shipped_benchmark.py
    assert {path.name for path in EXAMPLES.glob("*.py")} == here | beside


def test_scoring_runs_ranks_them_and_explains_the_worst_photo_of_the_second() -> None:
    lines = run("score_runs.py")
    ranked = [line.split()[0] for line in lines[1:5]]
    assert ranked == ["careful", "near-miss", "noisy", "over-labelling"]
    assert table(lines[:5])["careful"] == [0.8929, 0.8929, 0.8314, 0.8234]
    assert "agreement given" in lines
    assert "Rules that the truth breaks: 0" in lines
    start = lines.index("The worst photo of near-miss:")
    assert "  false  indoor: 1.0000  (indoor excludes outdoor)" in lines[start:]
    assert "  outdoor -> indoor: 23.2 (7% of outdoor)" in lines[start:]


def test_chunks_score_what_the_whole_scores() -> None:
    lines = run("stream_chunks.py")
    assert lines[0] == "5 chunks of 120, 120, 120, 120, 20 samples"
    assert lines[-1] == "Chunks score what the whole scores."
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
    command = [sys.executable, EXAMPLES / "baselines.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs --ontology" in done.stderr


@pytest.fixture(scope="module")
def real(data: Path) -> Iterator[tuple[Ontology, oe.LabelSets, list[str]]]:
    """The official ontology and truth of ImageCLEF 2011, and what the example prints of them."""
    folder = data / "imageclef2011"
    concepts, concept_map = folder / "concepts.txt", folder / "concept_map.csv"
    file = folder / "photo_tagging_2011.owl"
    ontology = oe.read_ontology(file, root=BRANCHES)
    truth = oe.read_labels(folder / "truth.txt", ontology, concepts=concepts, concept_map=concept_map)
    roots = [word for branch in BRANCHES for word in ("--root", branch)]
    chosen = ["--ontology", file, *roots, "--concepts", concepts, "--concept-map", concept_map]
    yield ontology, truth, run("baselines.py", folder / "truth.txt", *chosen)


def test_a_real_truth_breaks_a_third_of_the_rules_it_is_held_to(
    real: tuple[Ontology, oe.LabelSets, list[str]],
) -> None:
    ontology, truth, lines = real
    position = lines.index("The truth breaks 12 of 39 rules.")
    names = {name: name.rpartition(".")[2] for name in ontology.graph}
    printed = lines[position + 1 :]
    for name in sorted(names, key=len, reverse=True):
        printed = [line.replace(name, names[name]) for line in printed]
    assert [" ".join(line.split()) for line in printed] == [
        "1,254 of 2,178 sets: Female excludes Male (suspect)",
        "55 of 1,362 sets: LandscapeNature requires LandscapeElements",
        "27 of 1,362 sets: LandscapeNature requires Outdoor",
        "17 of 984 sets: Portrait requires Animals or Single or SmallGroup",
        "16 of 2,865 sets: Active excludes Inactive",
        "8 of 2,250 sets: Happy excludes Unpleasant",
        "8 of 1,819 sets: HighGradeOverallQuality excludes OutOfFocus",
        "6 of 154 sets: BeachHolidays requires LandscapeElements",
        "4 of 127 sets: SnowSkiing requires Outdoor",
        "3 of 30 sets: Desert requires LandscapeElements (suspect)",
        "2 of 1,504 sets: Euphoric excludes Melancholic",
        "1 of 154 sets: BeachHolidays requires Outdoor",
    ]
    # Of the desert photos none is without outdoor, and of those out of focus 8 are of high quality.
    support = dict(zip(truth.vocabulary, np.asarray(truth.matrix.sum(axis=0)).tolist(), strict=True))
    assert support["Quality.Blurring.OutOfFocus"] == 150
    assert not any("Desert requires Outdoor" in line for line in printed)


def test_baselines_of_a_real_truth_score_well_above_their_f(
    real: tuple[Ontology, oe.LabelSets, list[str]],
) -> None:
    scores = table(real[2])
    assert scores["OS"] == [0, 0.5919, 0.7793]
    assert scores["OS(penalise='all predicted')"] == [0, 0.5282, 0.7755]
    assert scores["OS(penalise='none')"] == [0, 0.7770, 0.7902]
    assert scores["F"] == [0, 0.2139, 0.3518]
    assert scores["Jaccard"] == [0, 0.1198, 0.2213]


def naive(ontology: Ontology, penalise: str, truth: frozenset[str], prediction: frozenset[str]) -> float:
    """The independent implementation, with the rules of the ontology."""
    return oracle.score(
        truth,
        prediction,
        _tree(ontology),
        penalise=penalise,
        exclusions=[(rule.first, rule.second) for rule in ontology.exclusions],
        requirements=[(rule.concept, frozenset(rule.any_of)) for rule in ontology.requirements],
    )


_TREES: dict[int, oracle.Tree] = {}


def _tree(ontology: Ontology) -> oracle.Tree:
    return _TREES.setdefault(id(ontology), CachedTree(tuple(ontology.graph.edges)))


class CachedTree(oracle.Tree):
    """The naive tree, with each cost worked out once."""

    def cost(self, one: str, other: str) -> float:
        costs: dict[tuple[str, str], float] = self.__dict__.setdefault("_costs", {})
        if (one, other) not in costs:
            costs[one, other] = super().cost(one, other)
        return costs[one, other]


@pytest.mark.parametrize("penalise", ["false positives", "all predicted", "none"])
def test_baselines_of_real_photos_score_what_the_naive_implementation_says(
    real: tuple[Ontology, oe.LabelSets, list[str]], penalise: str
) -> None:
    ontology, truth, _ = real
    rng = np.random.default_rng(2011)
    samples = rng.choice(truth.samples, size=400, replace=False).tolist()
    subset = truth.take(samples)
    example = runpy.run_path(str(EXAMPLES / "baselines.py"))
    measure = f"OS(penalise={penalise!r})"
    results: Mapping[str, oe.Evaluation] = example["evaluated"](subset, ontology.hierarchy())
    sets = [frozenset(subset.labels_of(sample)) for sample in samples]
    predictions = {
        "nothing": [frozenset[str]()] * len(sets),
        "everything": [frozenset(truth.vocabulary)] * len(sets),
        "another sample's": [sets[-1], *sets[:-1]],
    }
    assert list(results) == list(predictions)
    for name, predicted in predictions.items():
        expected = [naive(ontology, penalise, *pair) for pair in zip(sets, predicted, strict=True)]
        np.testing.assert_allclose(results[name].per_sample(measure), expected, rtol=0, atol=1e-12)
        assert results[name][measure] == pytest.approx(np.mean(expected), abs=1e-12)
