"""Machine-readable worked values, where the folder with real data has a gold.json beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples

FAMILIES = ("krstinic-", "heydarian-", "slides-", "nowak-", "toy-", "oid-", "physionet-")


def close(found: Any, expected: Any, tolerance: float) -> None:
    """Expect arrays that differ by no more than the entry's tolerance, and by rounding."""
    difference = np.abs(np.asarray(found, dtype=float) - np.asarray(expected, dtype=float))
    assert difference.max(initial=0) <= max(tolerance, 1e-9)


def scores(truth: Any, prediction: Any, measures: dict[str, str]) -> dict[str, float]:
    """Evaluate measures and give them the entry's names."""
    result = oe.evaluate(truth, prediction, measures=list(measures.values()))
    return {key: result[measure] for key, measure in measures.items()}


def multiclass_counts(entry: dict[str, Any]) -> None:
    """Precision and recall from an ordinary matrix."""
    names = tuple(map(str, range(len(entry["inputs"]["cm"]))))
    matrix = oe.confusion.ConfusionMatrix(
        np.array(entry["inputs"]["cm"], dtype=float), names, names, "multiclass"
    )
    match entry["measure"]:
        case "column normalisation":
            close(matrix.normalised("predicted"), entry["expected"], entry["tol"])
        case "row normalisation":
            close(matrix.normalised("true"), entry["expected"], entry["tol"])
        case _:
            close(matrix.counts().recall, entry["expected"]["recall"], entry["tol"])
            close(matrix.counts().precision, entry["expected"]["precision"], entry["tol"])
            assert np.sum(entry["inputs"]["cm"]) == entry["expected"]["n"]


def krstinic(entry: dict[str, Any]) -> None:
    """The matrix of Krstinić et al. 2020, raw and normalised, and their set measures."""
    truth, prediction = (np.array(entry["inputs"][side]) for side in "YZ")
    matrix, expected = oe.confusion_matrix(truth, prediction, rule="krstinic"), entry["expected"]
    match entry["measure"]:
        case "column normalised":
            close(np.array(matrix.normalised("predicted"))[:4, :4], expected, entry["tol"])
        case "row normalised":
            close(np.array(matrix.normalised("true"))[:4, :4], expected, entry["tol"])
        case "example based":
            measures = {
                "accuracy": "Jaccard",
                "precision": "P(average='samples')",
                "recall": "R(average='samples')",
                "f1": "F(average='samples')",
                "hamming_loss": "Hamming",
                "subset_accuracy": "ExactMatch",
            }
            assert scores(truth, prediction, measures) == pytest.approx(expected, abs=entry["tol"])
        case _:
            close(matrix.matrix[:4, :4] * 6, expected["matrix_times_6"], entry["tol"])
            close(matrix.counts().precision[:4], expected["precision"], entry["tol"])
            close(matrix.counts().recall[:4], expected["recall"], entry["tol"])
            assert matrix.matrix.sum() == pytest.approx(expected["total"])


def quarters(counts: oe.confusion.ConceptCounts) -> Any:
    """[[TN, FP], [FN, TP]] of each class."""
    return np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=-1).reshape(-1, 2, 2)


def heydarian_table_1(entry: dict[str, Any]) -> None:
    """All matrices of the nine instances."""
    truth, prediction = (np.array(entry["inputs"][side]) for side in "TP")
    expected = dict(entry["expected"])
    close(quarters(oe.one_vs_rest(truth, prediction)), expected.pop("ovr_sklearn"), 0)
    mlcm = oe.confusion_matrix(truth, prediction, rule="mlcm")
    close(mlcm.matrix, expected.pop("mlcm"), 0)
    close(quarters(mlcm.counts()), expected.pop("mlcm_ovr"), 0)
    close(quarters(mlcm.counts()).sum(axis=0), expected.pop("mlcm_ovr_sum"), 0)
    for row, one in enumerate(expected.pop("mlcm_per_instance")):
        close(oe.confusion_matrix(truth[[row]], prediction[[row]], rule="mlcm").matrix, one, 0)
    rules: dict[str, tuple[str, str | None]] = {
        "krstinic_times_60": ("krstinic", None),
        "tensor_unique_recall_times_60": ("tensor-recall", "unique"),
        "tensor_unique_precision_times_60": ("tensor-precision", "unique"),
        "tensor_cases_recall_times_60": ("tensor-recall", "case"),
        "tensor_cases_precision_times_60": ("tensor-precision", "case"),
    }
    for key, (rule, variant) in rules.items():
        found = oe.confusion_matrix(truth, prediction, rule=rule, variant=variant).matrix
        close(found * 60, expected.pop(key), entry["tol"])
    assert not expected


def heydarian_table_5(entry: dict[str, Any]) -> None:
    """One instance."""
    found = oe.confusion_matrix(np.array(entry["inputs"]["T"]), np.array(entry["inputs"]["P"]), rule="mlcm")
    close(found.matrix, entry["expected"], entry["tol"])


def averages(truth: Any, prediction: Any, average: str, rule: str) -> list[float]:
    """Precision, recall and F."""
    measures = {symbol: f"{symbol}(average='{average}', rule='{rule}')" for symbol in "PRF"}
    return list(scores(truth, prediction, measures).values())


def heydarian_table_8(entry: dict[str, Any]) -> None:
    """From the matrix of the ECG test set to everything that is derived from it."""
    expected, cells = entry["expected"], entry["inputs"]["mlcm"]
    names = tuple(map(str, range(len(cells))))
    matrix = oe.confusion.ConfusionMatrix(np.array(cells, dtype=float), names, names, "mlcm")
    counts = matrix.counts()
    close(np.array(matrix.normalised("true")) * 100, expected["row_percent"], entry["tol_row_percent"])
    close(quarters(counts), expected["ovr"], 0)
    found = np.stack([counts.precision, counts.recall, counts.f()], axis=-1)[:9]
    close(found, expected["prf"], entry["tol"])
    close(counts.support[:9], expected["weight"], 0)
    sums = [counts.tp.sum(), counts.fn.sum(), counts.fp.sum(), counts.tn.sum() / counts.tp.sum()]
    close(sums, [expected[key] for key in ("sumTP", "sumFN", "sumFP", "TN_over_TP")], entry["tol"])
    truth, prediction = (examples.array(sets, 9) for sets in examples.one_label_samples(cells))
    for average, key in (("micro", "micro"), ("macro", "macro9"), ("weighted", "weighted")):
        close(averages(truth, prediction, average, "mlcm"), expected[key], entry["tol"])


def heydarian_table_10(entry: dict[str, Any]) -> None:
    """From counts against each class to their averages."""
    expected = entry["expected"]
    sides: tuple[list[list[int]], list[list[int]]] = ([], [])
    for (tn, fp), (fn, tp) in entry["inputs"]["ovr"]:
        sides[0].append([0] * tn + [0] * fp + [1] * fn + [1] * tp)
        sides[1].append([0] * tn + [1] * fp + [0] * fn + [1] * tp)
    truth, prediction = (np.array(side).T for side in sides)
    counts = oe.one_vs_rest(truth, prediction)
    close(np.stack([counts.precision, counts.recall, counts.f()], axis=-1), expected["prf"], entry["tol"])
    close(counts.support, expected["support"], 0)
    close([counts.fn.sum(), counts.fp.sum()], [expected["sumFN"], expected["sumFP"]], 0)
    close(counts.tn.sum() / counts.tp.sum(), expected["TN_over_TP"], entry["tol"])
    for average in ("micro", "macro", "weighted"):
        close(averages(truth, prediction, average, "one-vs-rest"), expected[average], entry["tol"])


def slides_multiclass(entry: dict[str, Any]) -> None:
    """The printed matrices have predicted classes as rows."""
    cells = np.array(entry["inputs"]["cm_rows_predicted"]).T
    truth, prediction = (
        examples.array(sets, len(cells)) for sets in examples.one_label_samples(cells.tolist())
    )
    counts = oe.confusion_matrix(truth, prediction, rule="multiclass").counts()
    expected = dict(entry["expected"])
    for key in ("TP", "TN", "FP", "FN"):
        close(getattr(counts, key.lower()), expected.pop(key), 0)
    measures = {
        "macroP": "P(average='macro')",
        "microP": "P",
        "weightedP": "P(average='weighted')",
        "macroR": "R(average='macro')",
        "averaged_F1": "F(average='macro')",
        "F1_of_averages": "F(average='macro', of='averages')",
        "microF1": "F",
    }
    assert scores(truth, prediction, measures) == pytest.approx(expected, abs=entry["tol"])


def slides_7label(entry: dict[str, Any]) -> None:
    """Counts and measures per instance, and averages per class with 0 for an undefined recall."""
    names = tuple(entry["inputs"]["labels"])
    truth, prediction = (
        oe.LabelSets.from_sets(list(map(set, entry["inputs"][side])), vocabulary=names)
        for side in ("true", "pred")
    )
    by_instance = oe.one_vs_rest(truth.matrix.toarray().T, prediction.matrix.toarray().T)
    expected = dict(entry["expected"])
    for key in ("TP", "TN", "FP", "FN"):
        close(getattr(by_instance, key.lower()), expected.pop(key), 0)
    measures = {
        "match_ratio": "ExactMatch",
        "jaccard": "Jaccard",
        "hamming_loss": "Hamming",
        "precision": "P(average='samples')",
        "recall": "R(average='samples')",
        "averaged_F1": "F(average='samples')",
        "F1_of_averages": "F(average='samples', of='averages')",
        "microP": "P",
        "microR": "R",
        "microF1": "F",
        "macroP_class": "P(average='macro', undefined=0.0)",
        "macroR_class": "R(average='macro', undefined=0.0)",
        "macroF1_class": "F(average='macro', undefined=0.0)",
    }
    assert scores(truth, prediction, measures) == pytest.approx(expected, abs=entry["tol"])


def nowak_links(entry: dict[str, Any]) -> None:
    """Costs of the links of a chain, top first."""
    links = [(str(link), str(link + 1)) for link in range(entry["inputs"]["links"])]
    hierarchy = oe.Hierarchy.from_edges(links)
    close([oe.concepts.cost_between(hierarchy, *link) for link in links], entry["expected"], entry["tol"])


def hierarchy_of(entry: dict[str, Any]) -> oe.Hierarchy:
    """The entry's hierarchy."""
    return oe.Hierarchy.from_edges([(parent, child) for parent, child in entry["inputs"]["edges"]])


def nowak_cost(entry: dict[str, Any]) -> None:
    """Cost between two concepts."""
    found = oe.concepts.cost_between(hierarchy_of(entry), entry["inputs"]["a"], entry["inputs"]["b"])
    close(found, entry["expected"], entry["tol"])


def nowak_score(entry: dict[str, Any]) -> None:
    """Score of one photo; "weighted" is eq. 1 read literally where nothing is predicted."""
    hierarchy, expected = hierarchy_of(entry), dict(entry["expected"])
    truth, prediction = ([entry["inputs"][side]] for side in "GP")
    agreement = dict.fromkeys(hierarchy.vocabulary, 1.0) | entry["inputs"]["agreement"]
    plain, square, literal = "OS", "OS(alpha=2)", "OS(empty_prediction='weighted')"
    found = oe.evaluate(truth, prediction, hierarchy=hierarchy, measures=[plain, square, literal])
    close([found[plain], found[square]], [expected.pop("score"), expected.pop("score_alpha2")], entry["tol"])
    weighted = oe.evaluate(
        truth, prediction, hierarchy=hierarchy, agreement=agreement, measures=[plain, literal]
    )
    close(weighted[literal], expected.pop("score_agreement"), entry["tol"])
    if expected:
        close(weighted[plain], expected.pop("score_agreement_default"), entry["tol"])
    assert not expected


TOY: dict[str, list[str]] = {
    "nowak": ["OS"],
    "jaccard": ["Jaccard"],
    "hPRF": ["hP", "hR", "hF"],
    "hPRF_with_root": ["hP(root='in')", "hR(root='in')", "hF(root='in')"],
    "descendant_PRF": ["dP", "dR", "dF"],
    "LCA_PRF": ["LCaP", "LCaR", "LCaF"],
    "MGIA_dmax3": ["MGIA(max_distance=3)"],
    "MGIA_dmax6": ["MGIA(max_distance=6)"],
    "set_distance_w075": ["SetDistance"],
    "H_loss": ["HLoss"],
    "H_loss_norm": ["HLoss(costs='normalised')"],
}
"""What the columns of the table of the toy tree are called here."""


def toy(entry: dict[str, Any]) -> None:
    """One line of the table of the toy tree; 0/0 is 0 there."""
    sides = [[entry["inputs"][side]] for side in ("true", "pred")]
    for column, measures in TOY.items():
        result = oe.evaluate(*sides, hierarchy=hierarchy_of(entry), measures=measures)
        close(np.nan_to_num(list(result.scores.values())), entry["expected"][column], entry["tol"])


def physionet(entry: dict[str, Any]) -> None:
    """The score and what it is made of; rewards are 1 - cost."""
    rewards = np.array(entry["inputs"]["W"])
    names = tuple(map(str, range(len(rewards))))
    hierarchy = oe.Hierarchy.flat(oe.Vocabulary(names)).with_cost("rewards", 1 - rewards)
    measure = f"PhysioNet(cost='rewards', normal='{entry['inputs']['normal']}')"
    sides = [np.array(entry["inputs"][side]) for side in "YZ"]
    result, expected = oe.evaluate(*sides, hierarchy=hierarchy, measures=measure), entry["expected"]
    close(result[measure], expected["score"], entry["tol"])
    (sums,) = result.totals.sums.values()
    close(sums, [expected[key] for key in ("observed", "correct", "inactive")], entry["tol"])


def open_images(entry: dict[str, Any]) -> None:
    """What one verified label says of others."""
    hierarchy = hierarchy_of(entry)
    for key, expected in entry["expected"].items():
        kind, label = key.split("_")
        sides = ([[label]], [[]]) if kind == "positive" else ([[]], [[label]])
        verified = oe.VerifiedLabels.from_sets(*sides, vocabulary=hierarchy.vocabulary).expanded(hierarchy)
        assert sorted(getattr(verified, kind).labels_of("0")) == expected


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    # the longest beginning of an entry's name counts
    "krstinic-": krstinic,
    "krstinic-T1": multiclass_counts,
    "krstinic-T2": multiclass_counts,
    "krstinic-T3": multiclass_counts,
    "heydarian-T1": heydarian_table_1,
    "heydarian-T10": heydarian_table_10,
    "heydarian-T5": heydarian_table_5,
    "heydarian-T8": heydarian_table_8,
    "slides-7label": slides_7label,
    "slides-multiclass-": slides_multiclass,
    "nowak-": nowak_score,
    "nowak-2-14": nowak_cost,
    "nowak-links-": nowak_links,
    "oid-expansion": open_images,
    "physionet-": physionet,
    "toy-": toy,
}


@pytest.mark.parametrize("beginning", list(CHECKS))
def test_worked_values_that_lie_beside_the_data(beginning: str, data: Path) -> None:
    entries = [e for e in gold(data) if longest_beginning(e["id"]) == beginning]
    assert entries
    for entry in entries:
        CHECKS[beginning](entry)


def test_every_worked_value_of_the_papers_that_are_implemented_has_a_check(data: Path) -> None:
    unchecked = [
        e["id"] for e in gold(data) if e["id"].startswith(FAMILIES) and not longest_beginning(e["id"])
    ]
    assert unchecked == []


def longest_beginning(name: str) -> str:
    """Find the check that an entry is for."""
    return max((beginning for beginning in CHECKS if name.startswith(beginning)), key=len, default="")


def gold(data: Path) -> list[dict[str, Any]]:
    """Read the entries, or skip the test."""
    path = data.parent / "gold.json"
    if not path.is_file():
        pytest.skip(f"no worked values at {path}")
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return entries
