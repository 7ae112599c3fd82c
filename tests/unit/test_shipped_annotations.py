"""The shipped annotations follow from their script, and show what their README says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

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


def test_the_readme_shows_the_annotators_as_the_package_does(found: oe.annotators.AnnotatorAgreement) -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \|$", README, re.MULTILINE)
    ranked = sorted(found.annotators, key=lambda one: -one.f)
    assert rows == [(one.name, f"{one.f:.3f}", f"{one.kappa:.3f}") for one in ranked]
    assert ranked[-1].name == "Jo"
