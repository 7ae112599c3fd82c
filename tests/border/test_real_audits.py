"""Audits of real files find what was counted in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe

ERRORS = {
    ("systematic-exclusion", "Female", "Male"): (1254, 1254),
    ("exclusion", "Active", "Inactive"): (16, 1242),
    ("exclusion", "Happy", "Unpleasant"): (8, 856),
    ("exclusion", "Euphoric", "Melancholic"): (2, 280),
    ("exclusion", "HighGradeOverallQuality", "OutOfFocus"): (8, 150),
    ("requirement", "Portrait", "Animals", "Single", "SmallGroup"): (17, 984),
    ("requirement", "LandscapeNature", "Outdoor"): (27, 1362),
    ("requirement", "LandscapeNature", "LandscapeElements"): (55, 1362),
    ("requirement", "BeachHolidays", "Outdoor"): (1, 154),
    ("requirement", "BeachHolidays", "LandscapeElements"): (6, 154),
    ("requirement", "Desert", "LandscapeElements"): (3, 30),
    ("requirement", "SnowSkiing", "Outdoor"): (4, 127),
    ("missing-ancestor", "Garden", "Plants"): (104, 621),
    ("doubtful-ancestor", "Rain", "Water"): (30, 37),
    ("mixed-convention", "Painting", "Art"): (248, 325),
    ("mixed-convention", "Graffiti", "Art"): (92, 124),
}
"""All that is wrong with the training truth of ImageCLEF 2011: how many photos show it, of how many that could."""


def errors(findings: oe.audit.Findings) -> dict[tuple[str, ...], tuple[int, int | None]]:
    return {
        (one.rule, *(name.rpartition(".")[2] for name in one.concepts)): (one.count, one.total)
        for one in findings
        if one.severity != "note"
    }


def test_the_errors_of_the_imageclef_truth_are_found_and_a_copy_keeps_what_needs_a_human(
    data: Path, tmp_path: Path
) -> None:
    folder = data / "imageclef2011"
    ontology = oe.read_ontology(folder / "photo_tagging_2011.owl")
    reading = {"concepts": folder / "concepts.txt", "concept_map": folder / "concept_map.csv"}
    found = oe.audit_labels(folder / "truth.txt", ontology, **reading)  # type: ignore[arg-type]
    assert errors(found) == ERRORS
    convention = {"name": "closed", "implied": 4576, "present": 4117, "forced": False}
    assert found.summary["convention"] == convention
    assert [one.count for one in found.of("same-labels")] == [18], "the other 294 often go together"
    correction = oe.correct_labels(folder / "truth.txt", ontology, **reading)  # type: ignore[arg-type]
    correction.write(tmp_path / "corrected.txt", tmp_path / "log.csv")
    again = oe.audit_labels(tmp_path / "corrected.txt", ontology, **reading)  # type: ignore[arg-type]
    assert {*ERRORS.items()} - {*errors(again).items()} == {
        (("missing-ancestor", "Garden", "Plants"), (104, 621))
    }
    assert len({change.sample for change in correction.changes}) == 104


@pytest.mark.parametrize(
    ("file", "rule", "expected"),
    [
        (
            "pizza/pizza.owl",
            "unsatisfiable",
            {("CheeseyVegetableTopping", "CheeseTopping", "VegetableTopping")},
        ),
        (
            "uberon/uberon_hist.obo",
            "unsatisfiable",
            {("UBERON_0004745", "UBERON_0002513", "UBERON_0002514")},
        ),
        ("skosmos_tests/cycle.ttl", "cycle", {("ta2",), ("ta3", "ta4")}),
    ],
)
def test_known_faults_of_published_ontologies_are_found(
    data: Path, file: str, rule: str, expected: set[tuple[str, ...]]
) -> None:
    found = oe.audit_ontology(data / "ontologies" / file).of(rule)
    assert {one.concepts for one in found} == expected


def test_the_second_version_of_a_published_ontology_differs_as_counted_from_its_axioms(data: Path) -> None:
    folder = data / "ontologies" / "owlapi_tests"
    found = oe.diff_ontologies(folder / "caro.obo", folder / "caro_2_merged.owl")
    assert (found.sizes, found.shared) == ((48, 104), 47)
    assert [(one.concept, one.after) for one in found.of("obsolete")] == [("CARO_0000065", "")]
    labels = ("anatomical system", "connected anatomical system")
    assert [one[1:4] for one in found.of("renamed")] == [("CARO_0000011", *labels)]
    numbers = ("0000011", "0000012", "0000024", "0000032", "0000043", "0000054", "0000055")
    assert [one.concept for one in found.of("moved")] == [f"CARO_{number}" for number in numbers]
    assert len(found.of("new")) == 57


def test_an_ontology_in_two_syntaxes_has_no_differences(data: Path) -> None:
    folder = data / "ontologies"
    for one, other in (("go/go-nucleus.obo", "go/go-nucleus.owl"), ("uat_skos/UAT.json", "uat_skos/UAT.rdf")):
        assert not oe.diff_ontologies(folder / one, folder / other).changes
