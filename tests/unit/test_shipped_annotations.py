"""The shipped annotations follow from their script, and show what their README says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "make_annotations.py"
FOLDER = ROOT / "examples" / "annotations"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
ONTOLOGY = oe.read_ontology(oe.ontologies.path("photo"))


@pytest.fixture(scope="module")
def said() -> oe.Annotations:
    return oe.read_annotations(FOLDER / "annotations.csv", ontology=ONTOLOGY)


@pytest.fixture(scope="module")
def found(said: oe.Annotations) -> oe.annotators.AnnotatorAgreement:
    return oe.agreement(said, hierarchy=ONTOLOGY.hierarchy(), resamples=20)


def test_the_script_writes_the_shipped_file_byte_for_byte(tmp_path: Path) -> None:
    runpy.run_path(str(SCRIPT))["main"](["--out", str(tmp_path)])
    shipped = (FOLDER / "annotations.csv").read_bytes()
    assert (tmp_path / "annotations.csv").read_bytes() == shipped
    runpy.run_path(str(SCRIPT))["main"](["--out", str(tmp_path), "--seed", "1"])
    assert (tmp_path / "annotations.csv").read_bytes() != shipped


def test_the_readme_names_the_seed_and_says_that_all_is_synthetic() -> None:
    assert f"--seed {runpy.run_path(str(SCRIPT))['SEED']} " in README
    assert README.startswith("# Synthetic annotations\n\n**Nothing here was photographed or annotated.**")


def test_ten_people_label_a_hundred_photos_of_which_two_miss_some(said: oe.Annotations) -> None:
    assert (len(said.annotators), len(said.samples)) == (10, 100)
    seen = np.bincount(said.annotator)
    assert (seen == 100).sum() == 8
    assert seen.min() > 30


def test_the_readme_shows_the_annotators_as_the_package_does(found: oe.annotators.AnnotatorAgreement) -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \|$", README, re.MULTILINE)
    ranked = sorted(found.annotators, key=lambda one: -one.f)
    assert rows == [(one.name, f"{one.f:.3f}", f"{one.kappa:.3f}") for one in ranked]
    assert ranked[-1].name == "Jo"


def test_people_agree_on_what_a_photo_shows_more_than_on_how_it_looks(
    found: oe.annotators.AnnotatorAgreement,
) -> None:
    weights = found.weights("ac1")
    assert min(weights[name] for name in ("dogs", "birds", "river", "cars")) > 0.9
    assert max(weights[name] for name in ("aesthetic", "calm", "high_overall_quality")) < 0.6


def test_near_misses_make_the_hierarchical_alpha_the_largest(found: oe.annotators.AnnotatorAgreement) -> None:
    values = {one.distance: one.value for one in found.sets}
    assert values["exact"] < values["masi"] < values["jaccard"] < values["hierarchical"]


def test_the_majority_is_nearer_to_the_truth_than_any_annotator(said: oe.Annotations) -> None:
    truth = oe.read_labels(oe.ontologies.benchmark() / "truth.csv", ONTOLOGY)
    agreed = oe.annotators.consensus(said)
    own = [said.of(who) for who in said.annotators]
    scores = [oe.evaluate(truth.take(one.samples), one, measures=["F"])["F"] for one in (agreed, *own)]
    assert scores[0] == max(scores)
