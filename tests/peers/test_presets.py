"""Presets give the numbers of the programs that they are named after."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.measures import LabelCosts
from ontoeval.measures.catalogue import citation, measures_of
from ontoeval.measures.presets import PRESETS, preset
from tests.commands import call, refusal
from tests.laws.scored import label_scores
from tests.unit.test_hierarchical_measures import TOY


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_holds_measures_that_can_be_read_and_a_source(name: str) -> None:
    chosen = preset(name)
    assert len(measures_of(chosen.measures)) == len(chosen.measures)
    assert chosen.conventions
    assert citation(chosen.source)
    assert chosen.checked in " ".join(chosen.lines)
    assert date.fromisoformat(chosen.date).isoformat() == chosen.date


Compared = Iterator[tuple[float, float]]
"""Ours, and what the program printed."""
GOLD = json.loads(
    Path(__file__).parents[1].joinpath("oracles", "reference_gold.json").read_text(encoding="utf-8")
)


def of_preset(name: str, *sides: Any, **how: Any) -> list[float]:
    """Scores of a run by a preset, in its order."""
    return list(oe.evaluate(*sides, measures=preset(name).measures, **how).scores.values())


def texts(sides: Any) -> list[list[str]]:
    """The labels of each sample as texts."""
    return [[str(label) for label in side] for side in sides]


def with_hemkit(case: Any, name: str, first: int, keys: tuple[str, ...] = ("hF", "hP", "hR")) -> Compared:
    """Hierarchical measures of HEMKit; its choice among shortest ways is not followed."""
    edges = [(str(parent), child) for child, some in case["parents"].items() for parent in some]
    hierarchy = oe.Hierarchy.from_edges(edges, concepts=[str(one) for one in case["roots"]])
    found = of_preset(name, texts(case["truth"]), texts(case["run"]), hierarchy=hierarchy)
    yield from zip(found[first:], (case["official"][key] for key in keys), strict=False)


def with_the_jar(case: Any) -> Compared:
    """Flat measures of BioASQ."""
    keys = "MiF MiP MiR MaF MaP MaR EbF EbP EbR Accuracy".split()
    flat = preset("bioasq").measures[: len(keys)]
    found = oe.evaluate(texts(case["truth"]), texts(case["run"]), measures=flat)
    yield from zip(found.scores.values(), (case["official"][key] for key in keys), strict=True)


def recorded(group: str, of: Callable[[Any], bool] = lambda _: True) -> list[Any]:
    """The recorded cases of a preset."""
    return [case for case in GOLD["presets"][group]["cases"] if of(case)]


def uncut(case: Any) -> bool:
    """Whether HEMKit was called with a distance that cuts nothing."""
    return bool(case["distance"] > 1000)


def of_scores(name: str, *keys: str) -> Callable[[Any], Compared]:
    """Measures of arrays of scores, by the keys of what was printed."""

    def compared(case: Any) -> Compared:
        found = of_preset(name, np.array(case["truth"]), np.array(case["scores"]))
        yield from zip(found, (case.get("trec_eval", case)[key] for key in keys), strict=False)

    return compared


def of_labels(name: str, *keys: str) -> Callable[[Any], Compared]:
    """Measures of label sets."""

    def compared(case: Any) -> Compared:
        hierarchy = None
        if "edges" in GOLD["presets"][name]:
            hierarchy = oe.Hierarchy.from_edges(map(tuple, GOLD["presets"][name]["edges"]))
        found = of_preset(name, texts(case["truth"]), texts(case["run"]), hierarchy=hierarchy)
        yield from zip(found, (case.get("official", case)[key] for key in keys), strict=True)

    return compared


def with_costs(name: str, case: Any, groups: Mapping[str, list[str]]) -> list[float]:
    """Scores of one label each, by a preset that has tables of costs."""
    tables = {key: LabelCosts(rows, groups, key) for key, rows in preset(name).costs.items()}
    measures = [
        replace(one, table=tables[one.table]) if getattr(one, "table", None) else one
        for one in measures_of(preset(name).measures).values()
    ]
    sides = ([[str(label)] for label in case[side]] for side in ("truth", "run"))
    return list(oe.evaluate(*sides, measures=measures).scores.values())


def of_fungi(case: Any) -> Compared:
    """Tracks 1 to 4, and F."""
    poisonous = list(map(str, GOLD["presets"]["fungiclef2023"]["poisonous"]))
    found = with_costs("fungiclef2023", case, {"poisonous": poisonous})
    yield from zip(found, case["official"].values(), strict=True)


def of_snakes(case: Any) -> Compared:
    """Both tracks: official numbers are rounded, and so are the parts of track 1."""
    venomous = {str(one) for one in GOLD["presets"]["snakeclef2023"]["venomous"]}
    harmless = {str(one) for one in case["truth"] + case["run"]} - venomous
    groups = {"venomous": sorted(venomous), "harmless": sorted(harmless)}
    cost, venom, harm, f = with_costs("snakeclef2023", case, groups)
    yield cost * len(case["truth"]), case["official"]["Track2 Metric"]
    if case["unrounded_track1"] is not None and not np.isnan(case["unrounded_track1"]):
        yield 100 * (f + 10 - venom - harm) / 11, case["official"]["Track1 Metric"]


def of_captions(key: str) -> Callable[[Any], Compared]:
    """The primary score, or the secondary one over the allowed concepts."""

    def compared(case: Any) -> Compared:
        allowed = set(GOLD["presets"]["imageclefmedical2025"]["allowed"])
        truth, run, name = case["truth"], case["run"], "imageclefmedical2025"
        if key == "score_secondary":
            truth, run = (
                [[one for one in some if one in allowed] for some in side]
                for side in (case["truth_manual"], run)
            )
            name += "-secondary"
        yield of_preset(name, truth, run)[0], case["official"][key]

    return compared


def of_proteins(case: Any) -> Compared:
    """The mean over namespaces."""
    edges = [(parent, child) for child, some in case["parents"].items() for parent in some]
    hierarchy = oe.Hierarchy.from_edges(edges, concepts=list(case["parents"])).with_weight("ia", case["ia"])
    vocabulary = hierarchy.label_vocabulary
    truth = oe.LabelSets.from_sets(case["truth"].values(), vocabulary=vocabulary)
    scores = label_scores([case["scores"][name] for name in case["truth"]], vocabulary)
    yield of_preset("cafa5", truth, scores, hierarchy=hierarchy)[0], case["official"]["mean_of_three"]


def of_species(case: Any) -> Compared:
    """The error rate of the first k."""
    truth, scores = [[label] for label in case["truth"]], np.array(case["scores"])
    marks = np.zeros(scores.shape, dtype=bool)
    marks[np.arange(len(truth)), case["truth"]] = True
    (measure,) = measures_of(preset("geolifeclef2022").measures).values()
    found = oe.evaluate(marks, scores, measures=replace(measure, k=case["k"], unscored="last"))
    yield 1 - next(iter(found.scores.values())), case["official_error"]


def of_observations(case: Any) -> Compared:
    """The costs of predicted taxa, counted by hand as the readme says."""
    hierarchy = oe.Hierarchy.from_edges([(parent, child) for child, parent in case["parents"].items()])
    run = [[one] if one in hierarchy.vocabulary else [] for one in case["run"]]
    yield (
        of_preset("fathomnet2025", [[one] for one in case["truth"]], run, hierarchy=hierarchy)[0],
        case["mean"],
    )


LCA = ("LCaF", "LCaP", "LCaR")
RECORDED: dict[str, list[tuple[list[Any], Callable[[Any], Compared], float]]] = {
    "bioasq": [
        (recorded("bioasq_flat"), with_the_jar, 1e-12),
        (
            recorded("bioasq_hierarchical", lambda one: not uncut(one)),
            lambda c: with_hemkit(c, "bioasq", 10),
            6e-7,
        ),
    ],
    "hemkit": [(recorded("bioasq_hierarchical", uncut), lambda c: with_hemkit(c, "hemkit", 0), 6e-7)],
    "semeval2024t4": [(recorded("semeval2024t4"), of_labels("semeval2024t4", "hF", "hP", "hR"), 1e-11)],
    "geolifeclef2024": [(recorded("geolifeclef2024"), of_labels("geolifeclef2024", "F_samples"), 1e-11)],
    "birdclef2023": [(recorded("birdclef"), of_scores("birdclef2023", "padded_cmAP"), 1e-11)],
    "birdclef2024": [
        (
            recorded("birdclef", lambda one: one["macro_AUC"] is not None),
            of_scores("birdclef2024", "macro_AUC"),
            1e-11,
        )
    ],
    "imageclef2011": [(recorded("imageclef2011-2013"), of_scores("imageclef2011", "map", "gm_map"), 6e-5)],
    "dcase": [(recorded("dcase"), of_scores("dcase", "mAP", "dprime", "lwlrap", "AUC"), 1e-11)],
    "fungiclef2023": [(recorded("fungiclef2023"), of_fungi, 1e-10)],
    "snakeclef2023": [(recorded("snakeclef2023"), of_snakes, 0.0062)],
    "imageclefmedical2025": [(recorded("imageclefmedical2025"), of_captions("score"), 1e-11)],
    "imageclefmedical2025-secondary": [
        (recorded("imageclefmedical2025"), of_captions("score_secondary"), 1e-11)
    ],
    "fathomnet2025": [(recorded("fathomnet2025"), of_observations, 1e-11)],
    "cafa5": [(recorded("cafa5"), of_proteins, 1e-9)],
    "geolifeclef2022": [(recorded("geolifeclef2022"), of_species, 1e-11)],
}
"""Recorded cases by preset, with how they are compared, and by how much digits that are printed may differ."""


@pytest.mark.parametrize("name", RECORDED)
def test_a_preset_gives_every_number_that_was_recorded(name: str) -> None:
    for cases, compared, tolerance in RECORDED[name]:
        for number, case in enumerate(cases):
            for found, official in compared(case):
                assert found == pytest.approx(official, abs=tolerance), (number, case)
    assert preset(name).cases in {sum(len(cases) for cases, *_ in RECORDED[name]), None}


@pytest.mark.parametrize(("name", "first", "equal"), [("bioasq", 13, 20), ("hemkit", 3, 13)])
def test_the_choice_of_ways_changes_so_many_cases_of_hemkit(name: str, first: int, equal: int) -> None:
    cases = recorded("bioasq_hierarchical", lambda one: uncut(one) == (name == "hemkit"))
    pairs = (list(with_hemkit(case, name, first, LCA)) for case in cases)
    assert sum(all(abs(ours - theirs) < 6e-7 for ours, theirs in some) for some in pairs) == equal


def test_the_preset_of_scikit_learn_gives_its_numbers() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(7)
    truth, prediction = random.random((2, 40, 6)) < 0.25
    prediction[:, 4], truth[:, 5], prediction[3], truth[3] = False, False, False, False
    expected: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is undefined
        for average in ("micro", "macro", "weighted", "samples"):
            precision, recall, f, _ = metrics.precision_recall_fscore_support(
                truth, prediction, average=average
            )
            expected += [f, precision, recall]
        expected.append(metrics.jaccard_score(truth, prediction, average="samples"))
    expected += [metrics.hamming_loss(truth, prediction), metrics.accuracy_score(truth, prediction)]
    found = oe.evaluate(truth, prediction, measures=preset("sklearn").measures).scores
    np.testing.assert_allclose(list(found.values()), expected, atol=1e-12)


ONE_PATH = (
    ["A A1 a", "A A1 b", "B B1 d", "B B2", "A A2 c"],
    ["A A1 b", "A A2 c", "B B2", "B B1 e", "A A2 c"],
)
SEVERAL_PATHS = (
    ["A A1 a B B1 d", "A A2 c", "B B1 e B2"],
    ["A A1 b B B1 d", "A A1 a B B2", "B B1 e"],
)


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (ONE_PATH, [0.5714285714285714] * 3 + [0.56] + [0.5666666666666667] * 2),
        (
            SEVERAL_PATHS,
            [
                *(2 / 3, 0.6428571428571429, 0.6923076923076923),
                *(0.6468253968253969, 0.6777777777777777, 0.638888888888889),
            ],
        ),
    ],
    ids=["one path", "several paths"],
)
def test_the_preset_of_hiclass_gives_its_numbers(
    sides: tuple[list[str], list[str]], expected: list[float]
) -> None:
    """HiClass 5.0.8: f1, precision and recall, average="micro" and "macro"."""
    truth, prediction = ([labels.split() for labels in side] for side in sides)
    found = oe.evaluate(truth, prediction, hierarchy=TOY, measures=preset("hiclass").measures).scores
    np.testing.assert_allclose(list(found.values()), expected, atol=1e-12)


def scored(folder: Path, truth: str, prediction: str, *options: str) -> list[float]:
    """Scores of a run by the command, in the order of the preset."""
    for name, text in {"truth.csv": truth, "run.csv": prediction}.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = call("score", folder / "truth.csv", folder / "run.csv", *options, "--format", "json")
    (row,) = json.loads(command.stdout)["rows"]
    return [value for value in row.values() if not isinstance(value, str)]


def rows(header: str, values: Mapping[str, str]) -> str:
    """Write a table of two columns."""
    return "\n".join([header, *(f"{one},{other}" for one, other in values.items())]) + "\n"


SPECIES = "0 1 2 3 -1 -1 0 2 4 4 3 1".split()
NAMED = "0 2 2 0 -1 1 -1 -1 3 4 3 2".split()


def test_the_preset_of_fungiclef_gives_the_official_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """BohemianVRA/FGVC-Competitions, FungiCLEF2023/evaluate.py @ 7fabdeb; poisonous: 2 and 3."""
    numbered = [{str(row): label for row, label in enumerate(side)} for side in (SPECIES, NAMED)]
    sides = [rows("observationID,class_id", side) for side in numbered]
    (tmp_path / "groups.csv").write_text("concept,group\n2,poisonous\n3,poisonous\n", encoding="utf-8")
    options = "--preset", "fungiclef2023", "--cost-groups", f"{tmp_path}/groups.csv"
    expected = [0.5833333333333334, 16.916666666666668, 17.5, 1.1833333333333333, 0.41111111111111115]
    assert scored(tmp_path, *sides, *options) == pytest.approx(expected, abs=1e-12)
    lacking = ["score", tmp_path / "truth.csv", tmp_path / "run.csv", "--preset", "fungiclef2023"]
    assert "a file concept,group with 'poisonous'" in refusal(lacking, capsys, monkeypatch)
    unused = [*lacking[:3], "-m", "F", "--costs", "mine=costs.csv"]
    assert "a measure beside it that names the table" in refusal(unused, capsys, monkeypatch)


def test_the_preset_of_fathomnet_counts_links_as_its_examples_do(tmp_path: Path) -> None:
    """fathomnet/fgvc-comp-2025, README.md @ 0bfcc52: distances 1, 2 and 6, and 12 for an unknown name."""
    tree = [
        *(("Asteronyx loveni", "Asteronyx"), ("Asteronyx longifissus", "Asteronyx")),
        *(("Asteronyx", "Asteronychidae"), ("Asteronychidae", "Euryalida"), ("Euryalida", "Ophiuroidea")),
        *(("Ophiacanthidae", "Ophiacanthida"), ("Ophiacanthida", "Ophiuroidea")),
    ]
    (tmp_path / "tree.csv").write_text(rows("child,parent", dict(tree)), encoding="utf-8")
    for name, distance in {
        "Asteronyx loveni": 0,
        "Asteronyx": 1,
        "Asteronyx longifissus": 2,
        "Ophiacanthidae": 6,
        "Misspelt": 12,
    }.items():
        sides = (rows("annotation_id,concept_name", {"1": one}) for one in ("Asteronyx loveni", name))
        options = "--ontology", f"{tmp_path}/tree.csv", "--preset", "fathomnet2025", "--unknown", "drop"
        assert scored(tmp_path, *sides, *options) == [distance]


def test_the_preset_of_semeval_gives_the_official_numbers() -> None:
    """scorer_subtask_2.py of SemEval-2025 task 10, with the classes A, B, C and Other."""
    gold = [["A", "B"], ["C"], ["Other"], [], []]
    found = [["A"], ["C", "B"], ["Other"], ["A"], []]
    (score,) = oe.evaluate(gold, found, measures=preset("semeval2025t10").measures).scores.values()
    assert score == pytest.approx(0.4666666666666666, abs=1e-12)


def test_dprime_of_concepts_follows_from_the_areas_of_scikit_learn() -> None:
    metrics, special = pytest.importorskip("sklearn.metrics"), pytest.importorskip("scipy.special")
    random = np.random.default_rng(0)
    truth, scores = random.random((60, 7)) < 0.3, random.random((60, 7)).round(2)
    truth[0] = False
    auc = metrics.roc_auc_score(truth, scores, average=None)
    each = oe.evaluate(truth, scores, measures="dPrime(of='concepts')").scores
    np.testing.assert_allclose(list(each.values()), 2**0.5 * special.ndtri(auc).mean(), atol=1e-12)


def test_presets_are_listed_with_what_they_were_compared_with() -> None:
    printed = json.loads(call("measures", "--presets", "--format", "json").stdout)
    listed = {row["preset"]: row for row in printed["rows"]}
    assert list(listed) == list(PRESETS)
    assert listed["fungiclef2023"]["compared with"].endswith("@ ecb583b")
    assert listed["hemkit"]["cases"] == 15
    assert listed["plantclef2025"]["cases"] is None


def test_the_preset_of_plantclef_gives_the_mean_over_transects_of_scores_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(11)
    truth, prediction = random.random((2, 50, 8)) < 0.3
    truth[4], prediction[4], prediction[5] = False, False, False
    transect = np.array([f"t{number}" for number in random.integers(0, 6, 50)])
    each = [
        metrics.f1_score(truth[rows], prediction[rows], average="samples", zero_division=0)
        for rows in (transect == name for name in sorted(set(transect)))
    ]
    measures = preset("plantclef2025").measures
    found = oe.evaluate(truth, prediction, measures=measures, groups=transect)
    assert found[measures[0]] == pytest.approx(np.mean(each), abs=1e-12)
    # Two quadrats: all species right, and five of six, without a false one: 1 and 10/11.
    pair = [[["1395806"], list("abcdef")], [["1395806"], list("abcde")]]
    assert oe.evaluate(*pair, measures=measures, groups=["t", "u"])[measures[0]] == pytest.approx(21 / 22)


def test_propensities_come_from_the_annotations_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth, run = "sample,label\na,x\na,y\n", "sample,label,score\na,x,.9\na,z,.8\n"
    (tmp_path / "train.csv").write_text("sample,label\n1,x\n2,x\n3,y\n4,x\n", encoding="utf-8")
    named = "-m", "PSPAt(k=2)", "--information-from", f"{tmp_path}/train.csv"
    x, y = (1 + (np.log(4) - 1) * (2.5 / (number + 1.5)) ** 0.55 for number in (3, 1))
    assert scored(tmp_path, truth, run, *named) == pytest.approx([x / (x + y)])
    lacking = ["score", tmp_path / "truth.csv", tmp_path / "run.csv", "-m", "PSPAt(k=2)"]
    assert "--information-from LABELS" in refusal(lacking, capsys, monkeypatch)
