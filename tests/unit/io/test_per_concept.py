"""Agreements and thresholds cover every concept that may be a label, or say which they lack."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import InputError, ParameterError, UnknownConceptError
from ontoeval.labels.per_concept import read_agreement, read_thresholds, read_weights
from ontoeval.ontology import ontologies
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology

IRI = "https://w3id.org/ontoeval/diamond#"


@pytest.fixture(scope="module")
def vehicles() -> Ontology:
    return read_ontology(ontologies.path("diamond"))


def written(folder: Path, content: str) -> Path:
    path = folder / "agreement.csv"
    path.write_text(content, encoding="utf-8")
    return path


def test_an_agreement_covers_every_label_in_the_order_of_the_ontology(
    tmp_path: Path, vehicles: Ontology
) -> None:
    content = f"concept,agreement\nSeaplane,0.5\n{IRI}car,0\n"
    agreement = read_agreement(written(tmp_path, content), vehicles, default=1)
    assert tuple(agreement) == vehicles.hierarchy().label_vocabulary.concepts
    assert (agreement["seaplane"], agreement["car"], agreement["bicycle"]) == (0.5, 0.0, 1.0)
    assert len(agreement.filled) == 7


def test_a_concept_without_agreement_is_an_error_that_names_it(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, "concept,agreement\nseaplane,0.5\n")
    with pytest.raises(
        InputError, match=r"agreement\.csv: no agreement for 8 of 9 concepts: 'aircraft'.*default"
    ):
        read_agreement(path, vehicles)


def test_without_ontology_the_agreement_covers_what_is_listed(tmp_path: Path) -> None:
    path = written(tmp_path, "agreement\tlabel\n1e-1\tsky\n0.3\tsea\n")
    assert dict(read_agreement(path)) == {"sky": 0.1, "sea": 0.3}
    assert dict(read_agreement(path, concepts=["sea", "hill", "sky"], default=0.5)) == {
        "sea": 0.3,
        "hill": 0.5,
        "sky": 0.1,
    }


def test_agreements_of_concepts_that_are_no_labels_are_stated_and_not_used(vehicles: Ontology) -> None:
    agreement = read_agreement({"car": 1, "vehicle": 0.3, "bicycle": 1}, vehicles, concepts=["car"])
    assert dict(agreement) == {"car": 1.0}
    assert agreement.unused == ("vehicle", "bicycle")


def test_an_agreement_is_translated_by_a_concept_map(vehicles: Ontology) -> None:
    agreement = read_agreement({"Auto": 0.25}, vehicles, concept_map={"Auto": "car"}, default=1)
    assert agreement["car"] == 0.25


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"car": 1.01}, r"entry 'car': the agreement of 'car' is '1\.01'\. Write a number from 0 to 1"),
        ({"car": -0.1}, "the agreement of 'car' is '-0.1'"),
        ({"car": float("nan")}, "the agreement of 'car' is 'nan'"),
        ({"car": 1, "Car": 1}, r"'Car', which is the same concept as 'car', has two values"),
    ],
)
def test_an_agreement_is_a_number_from_0_to_1_for_each_concept(
    vehicles: Ontology, table: dict[str, float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_agreement(table, vehicles, default=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("concept,agreement\ncar,1\ncar,0.5\n", r"agreement\.csv: 'car' has two values, in row 2 and row 3"),
        ("concept,agreement\ncar,high\n", r"agreement\.csv, row 2: the agreement of 'car' is 'high'"),
        ("concept,agreement\ncar,\n", r"agreement\.csv, row 2: the agreement is empty"),
        (
            "car,1\n",
            r"agreement\.csv, row 1: no columns for the concept among 'car', '1'\. .*concept,agreement",
        ),
    ],
)
def test_a_wrong_table_is_refused_with_the_row(
    tmp_path: Path, vehicles: Ontology, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_agreement(written(tmp_path, content), vehicles, default=1)


def test_an_agreement_of_something_unknown_is_an_error_with_near_matches(vehicles: Ontology) -> None:
    with pytest.raises(UnknownConceptError, match=r"'seeplane' in entry 'seeplane' \(near: 'seaplane'"):
        read_agreement({"seeplane": 1}, vehicles, default=1)


def test_the_default_is_checked_as_well() -> None:
    for wrong in (2, True, "1", float("nan")):
        with pytest.raises(ParameterError, match=r"default=.*: expected None or a number in \[0, 1\]"):
            read_agreement({}, default=wrong)  # type: ignore[arg-type]
    for wrong in (-1, True, "1", float("inf")):
        with pytest.raises(ParameterError, match=r"default=.*: expected None or a number of at least 0"):
            read_weights({}, default=wrong)  # type: ignore[arg-type]


def test_thresholds_may_be_any_finite_number(tmp_path: Path) -> None:
    path = written(tmp_path, "concept,threshold\nsky,-3.5\nsea,12\n")
    assert dict(read_thresholds(path)) == {"sky": -3.5, "sea": 12.0}
    with pytest.raises(InputError, match=r"the threshold of 'sky' is 'inf'\. Write a finite number"):
        read_thresholds({"sky": float("inf")})
