"""What the catalogue, recipes and citations say of measures is what the measures compute."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import call

FOREST = [("r", "a"), ("s", "b")]


def described(symbol: str) -> str:
    """What `ontoeval measures` says of a measure, on one line."""
    return " ".join(call("measures", symbol).output.split())


@pytest.mark.parametrize(
    ("measure", "times"), [("GIE", 2), ("GIE(pairs='cover')", 2), ("GIE(pairs='all')", 1)]
)
def test_labels_below_different_roots_cost_what_the_catalogue_says(measure: str, times: int) -> None:
    for distance in (5, 7):
        chosen: Any = replace(oe.measures.parse(measure), max_distance=distance)
        (score,) = oe.evaluate([["a"]], [["b"]], hierarchy=FOREST, measures=chosen).scores.values()
        assert score == times * distance
    text = described("GIE")
    assert "no pair costs more" not in text
    assert "Below different roots a missed and a false label cost 2 D together, or D with" in text


def test_a_pair_of_the_cheapest_cover_costs_twice_the_limit_at_most() -> None:
    chains = [("r", "a0"), ("r", "b0"), *((f"{x}{i}", f"{x}{i + 1}") for x in "ab" for i in range(5))]
    for depth in range(6):
        links = 2 * (depth + 1)
        found = oe.evaluate(
            [[f"a{depth}"]], [[f"b{depth}"]], hierarchy=chains, measures=["GIE", "GIE(pairs='cover')"]
        )
        assert found["GIE(pairs='cover')"] == min(links, 10)
        assert found["GIE"] == 2 * min(links, 5)


def test_hamming_loss_of_verified_labels_is_the_share_of_all_known_decisions() -> None:
    concepts = ["a", "b", "c", "d", "e"]
    verified = oe.VerifiedLabels.from_sets(
        {"1": ["b"], "2": []},
        {"1": ["c", "e"], "2": ["c", "d"]},
        vocabulary=oe.LabelSets.from_sets([concepts]).vocabulary,
    )
    assert oe.evaluate(verified, {"1": ["a"], "2": []}, measures="Hamming")["Hamming"] == pytest.approx(1 / 5)
    assert "mean of |Y Δ Z|" not in described("Hamming")
    assert "of verified labels and beside known terms, / all decisions left" in described("Hamming")


def test_the_f_measure_is_cited_by_its_author() -> None:
    def keys(*measures: str) -> list[str]:
        return re.findall(r"^@\w+\{(\w+),", call("measures", *measures, "--bibtex").output, re.MULTILINE)

    assert keys("F") == keys("F(average='macro')") == ["vanrijsbergen1979", "ontoeval"]
    assert keys("F(average='macro', of='averages')") == ["vanrijsbergen1979", "opitz2019", "ontoeval"]
    assert keys("hF") == ["kiritchenko2006", "ontoeval"]
    assert "van Rijsbergen (1979). Information Retrieval" in described("F")


def test_the_recipe_names_the_root_that_hierarchical_measures_leave_out() -> None:
    links = [("landscape", one) for one in ("plants", "mountains", "water")]
    truth, run = [["plants", "mountains"]], [["plants"]]
    measures = ["hF", "hJaccard", "hF(root='in')", "F"]
    one = oe.evaluate(truth, run, hierarchy=links, measures=measures)
    two = oe.evaluate(truth, run, hierarchy=[*links, ("people", "group")], measures=measures)
    assert [one["hF"], two["hF"]] == pytest.approx([2 / 3, 0.8])
    assert one["hF(root='in')"] == two["hF(root='in')"] == two["hF"]
    assert "hF, hJaccard: the root 'landscape' is no member (root='out')" in one.signature.splitlines()
    assert "is no member" not in two.signature
    flat = oe.evaluate(truth, run, hierarchy=links, measures=["F", "hF(root='in')"])
    assert "is no member" not in flat.signature
    assert list(one.scores) == measures  # the keys are the notation, defaults omitted


def test_the_short_recipe_of_a_command_names_the_root_too() -> None:
    folder = oe.ontologies.benchmark()
    arguments = ["score", folder / "truth.csv", folder / "runs/noisy.csv", "--ontology", "photo", "-m"]
    said = " ".join(call(*arguments, "hF").output.split())
    assert "hF: the root 'photo concept' is no member (root='out')" in said
    assert "is no member" not in call(*arguments, "hF(root='in')").output


CASES = {
    "trees for flowers": ({"flowers"}, {"trees"}),
    "mountains for flowers": ({"flowers"}, {"mountains"}),
    "nothing for flowers": ({"flowers"}, set()),
    "trees for nothing": (set(), {"trees"}),
    "nothing for nothing": (set(), set()),
}


@pytest.mark.parametrize(
    "symbol", ["OS", "tF", "F", "Hamming", "hF", "hJaccard", "LCaF", "GIE", "MGIA", "dF"]
)
def test_the_cases_of_the_catalogue_are_those_of_the_ontology_that_the_catalogue_names(symbol: str) -> None:
    rows = dict(
        line.split(",", 1) for line in call("measures", symbol, "--format", "csv").output.splitlines()
    )
    assert "ontology photo; no agreement" in rows["cases"]
    for case, (truth, predicted) in CASES.items():
        (score,) = oe.evaluate([truth], [predicted], hierarchy="photo", measures=symbol).scores.values()
        shown = rows[f"  {case}"]
        assert shown in {"–", ""} if np.isnan(score) else float(shown) == pytest.approx(score, rel=1e-3)


PAGES = (Path("README.md"), *sorted(Path("docs").glob("*.md")))


def test_the_manual_scores_the_shipped_benchmark_by_os_in_one_setting() -> None:
    ontology, folder = oe.read_ontology("photo"), oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", ontology)
    agreement = oe.read_agreement(folder / "agreement.csv", ontology)
    scores: dict[bool, list[str]] = {True: [], False: []}
    for path in sorted(folder.glob("runs/*.csv")):
        run = oe.read_labels(path, ontology)
        for agreed in scores:
            more: dict[str, Any] = {"agreement": agreement} if agreed else {}
            score = oe.evaluate(truth, run, hierarchy=ontology, measures="OS", **more)["OS"]
            scores[agreed] += [f"{score:.4f}", f"{score:.6f}"[:6]]
    texts = {page.name: page.read_text("utf-8") for page in PAGES}
    shown = {
        agreed: [p for p, text in texts.items() if any(n in text for n in scores[agreed])]
        for agreed in scores
    }
    assert {"start.md", "compare.md"} <= set(shown[True])
    assert not shown[False]
