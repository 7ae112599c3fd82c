"""Every format says the same sets, and what is done with labels is stated and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import AmbiguousNameError, InputError, ParameterError, UnknownConceptError
from ontoeval.labels.reading import read_label_file, read_labels
from ontoeval.ontology import ontologies
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology

CONCEPTS = ("sea", "sky", "trees")
IRI = "https://w3id.org/ontoeval/diamond#"
PREFIXES = (
    "@prefix p: <http://example.org/p#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
)


@pytest.fixture(scope="module")
def vehicles() -> Ontology:
    return read_ontology(ontologies.path("diamond"))


def written(folder: Path, content: str, name: str = "truth.txt") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def as_sets(sets: LabelSets) -> dict[str, tuple[str, ...]]:
    return {sample: sets.labels_of(sample) for sample in sets.samples}


@pytest.mark.parametrize(
    "content",
    [
        "id,labels\np1,sky;sea\np2,\np3,trees\n",
        "id,labels\np1,sky|sea\np2,\np3,trees\n",
        'id,labels\np1,"sky, sea"\np2,\np3,trees\n',
        "image\ttags\np1\tsky;sea\np2\t\np3\ttrees\n",
        "labels;id\nsky,sea;p1\n;p2\ntrees;p3\n",
        "sample,concept\np1,sky\np1,sea\np2,\np3,trees\n",
        "concept\tsample\nsky\tp1\n\tp2\ntrees\tp3\nsea\tp1\n",
        "id,sky,sea,trees\np1,1,1,0\np2,0,0,0\np3,0,0,1\n",
        ",trees,sky,sea\np1,0.0,1.0,1.0\np2,0,0,0\np3,1,0,0\n",
        "id,sky,sea,trees\np1,True,true,False\np2,false,0,0\np3,0,0,TRUE\n",
        '{"p1": ["sky", "sea"], "p2": [], "p3": ["trees"]}',
        "p1 1 1 0\np2 0 0 0\np3 0 0 1\n",
        "p1\t1\t1\t0\np2\t0\t0\t0\np3\t0\t0\t1\n",
    ],
)
def test_every_format_says_the_same(tmp_path: Path, content: str) -> None:
    # The concept list has the order of the columns of ImageCLEF text, which names none itself.
    sets = read_labels(written(tmp_path, content), concepts=["sky", "sea", "trees"])
    assert sets.vocabulary.concepts == ("sky", "sea", "trees")
    assert as_sets(sets) == {"p1": ("sky", "sea"), "p2": (), "p3": ("trees",)}


@pytest.mark.parametrize(
    ("content", "concepts"),
    [
        ("id,labels\np1,trees;sky\np2,sea\n", CONCEPTS),
        ("sample,concept\np1,trees\np1,sky\np2,sea\n", CONCEPTS),
        ('{"p1": ["trees", "sky"], "p2": ["sea"]}', CONCEPTS),
        ("id,trees,sky,sea,moon\np1,1,1,0,0\np2,0,0,1,0\n", ("trees", "sky", "sea", "moon")),
    ],
)
def test_without_a_list_the_concepts_are_those_that_occur(
    tmp_path: Path, content: str, concepts: tuple[str, ...]
) -> None:
    assert read_labels(written(tmp_path, content)).vocabulary.concepts == concepts


def test_a_separator_that_is_given_overrides(tmp_path: Path) -> None:
    path = written(tmp_path, "id,labels\np1,sky sea;shore\n")
    assert read_labels(path, separator=" ").labels_of("p1") == ("sea;shore", "sky")


def test_the_separator_is_stated(tmp_path: Path) -> None:
    file = read_label_file(written(tmp_path, "id,labels\np1,a|b\n"))
    assert file.format.separator == "|"
    assert str(file.format) == "wide CSV (columns 'id', 'labels'; labels separated by '|')"
    assert str(file).endswith(
        "truth.txt: wide CSV (columns 'id', 'labels'; labels separated by '|'); 1 sample"
    )


@pytest.mark.parametrize(
    "spelling",
    ["car", IRI + "car", f"<{IRI}car>", "Car", " car "],
    ids=["name", "IRI", "<IRI>", "case", "blanks"],
)
def test_labels_go_by_any_name_of_the_ontology(tmp_path: Path, vehicles: Ontology, spelling: str) -> None:
    sets = read_labels(written(tmp_path, f"sample,concept\np1,{spelling}\n"), vehicles)
    assert sets.vocabulary is vehicles.hierarchy().label_vocabulary
    assert sets.labels_of("p1") == ("car",)


def test_labels_go_by_label_and_curie(tmp_path: Path) -> None:
    turtle = PREFIXES + (
        'p:t a owl:Class ; rdfs:label "tall trees" ; rdfs:subClassOf p:plants . p:plants a owl:Class .'
    )
    ontology = read_ontology(written(tmp_path, turtle, "plants.ttl"))
    sets = read_labels(written(tmp_path, "id,labels\np1,tall trees\np2,p:t;p:plants\n"), ontology)
    assert as_sets(sets) == {"p1": ("t",), "p2": ("plants", "t")}


def test_an_ambiguous_label_is_an_error_that_names_the_candidates_and_the_row(tmp_path: Path) -> None:
    turtle = PREFIXES + (
        'p:food a owl:Class . p:fuel a owl:Class . p:oil1 a owl:Class ; rdfs:label "oil" ; '
        'rdfs:subClassOf p:food . p:oil2 a owl:Class ; rdfs:label "oil" ; rdfs:subClassOf p:fuel .'
    )
    ontology = read_ontology(written(tmp_path, turtle, "oil.ttl"))
    path = written(tmp_path, "id,labels\np1,food\np2,oil\n")
    for unknown in ("error", "drop"):
        with pytest.raises(
            AmbiguousNameError, match=r"truth\.txt, row 3: 'oil' is ambiguous.*'oil1', 'oil2'"
        ):
            read_labels(path, ontology, unknown=unknown)


def test_a_label_that_the_ontology_has_given_up_is_an_error_that_says_so(tmp_path: Path) -> None:
    turtle = PREFIXES + (
        "p:a a owl:Class . p:b a owl:Class ; rdfs:subClassOf p:a . p:old a owl:Class ; owl:deprecated true ."
    )
    ontology = read_ontology(written(tmp_path, turtle, "plants.ttl"))
    path = written(tmp_path, "id,labels\np1,b\np2,old\n")
    with pytest.raises(
        UnknownConceptError, match=r"'old' in row 3\. 'old' was left out when .*plants\.ttl was read"
    ):
        read_labels(path, ontology)


def test_a_concept_map_translates_before_the_ontology_is_asked(tmp_path: Path, vehicles: Ontology) -> None:
    concept_map = written(tmp_path, f"label,concept\nAutomobile,{IRI}car\ncar,bicycle\n", "map.csv")
    path = written(tmp_path, "id,labels\np1,Automobile\np2,car\np3,helicopter\n")
    sets = read_labels(path, vehicles, concept_map=concept_map)
    assert as_sets(sets) == {"p1": ("car",), "p2": ("bicycle",), "p3": ("helicopter",)}


def test_a_concept_map_translates_without_an_ontology(tmp_path: Path) -> None:
    path = written(tmp_path, "id,labels\np1,Himmel;Meer\np2,sky\n")
    sets = read_labels(path, concept_map={"Himmel": "sky", "Meer": "sea"})
    assert as_sets(sets) == {"p1": ("sea", "sky"), "p2": ("sky",)}


def test_a_concept_list_restricts_an_ontology_and_keeps_its_order(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, "id,labels\np1,car\n")
    sets = read_labels(path, vehicles, concepts=["seaplane", IRI + "car", "Aircraft"])
    assert sets.vocabulary.concepts == ("aircraft", "car", "seaplane")


def test_a_label_that_the_concept_list_leaves_out_is_refused_or_dropped(
    tmp_path: Path, vehicles: Ontology
) -> None:
    path = written(tmp_path, "id,labels\np1,car;bicycle\n")
    with pytest.raises(
        UnknownConceptError, match=r"'bicycle' in row 2\. The ontology has them, but the concept"
    ):
        read_labels(path, vehicles, concepts=["car", "aircraft"])
    file = read_label_file(path, vehicles, concepts=["car", "aircraft"], unknown="drop")
    assert file.sets.labels_of("p1") == ("car",)
    assert file.dropped == {"bicycle": 1}


def test_the_concept_list_and_an_ontology_that_was_read_with_it_agree(tmp_path: Path) -> None:
    concepts = ["car", "bicycle"]
    ontology = read_ontology(ontologies.path("diamond"), concepts=concepts)
    sets = read_labels(written(tmp_path, "id,labels\np1,car\n"), ontology, concepts=concepts)
    assert sets.vocabulary == ontology.hierarchy().label_vocabulary


@pytest.mark.parametrize(
    "content",
    [
        "id,labels\np1,car;cat\np2,cat;dog\np3,cat\n",
        "sample,concept\np1,car\np1,cat\np2,cat\np2,dog\np3,cat\n",
        "id,cat,car,dog\np1,1,1,0\np2,1,0,1\np3,1,0,0\n",
        '{"p1": ["car", "cat"], "p2": ["cat", "dog"], "p3": ["cat"]}',
    ],
)
def test_dropped_labels_are_counted_by_spelling(tmp_path: Path, vehicles: Ontology, content: str) -> None:
    file = read_label_file(written(tmp_path, content), vehicles, unknown="drop")
    assert as_sets(file.sets) == {"p1": ("car",), "p2": (), "p3": ()}
    assert file.dropped == {"cat": 3, "dog": 1}
    assert "left out 4 labels that are no concepts: 'cat (3)', 'dog (1)'" in file.notes[0]


def test_dropped_columns_of_imageclef_text_are_stated(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, "p1 1 1 0\np2 1 0 0\n")
    file = read_label_file(path, vehicles, concepts=["cat", "car", "dog"], unknown="drop")
    assert as_sets(file.sets) == {"p1": ("car",), "p2": ()}
    assert file.dropped == {"cat": 2, "dog": 0}


def test_an_abstract_label_is_an_error_even_where_unknown_ones_are_dropped(
    tmp_path: Path, vehicles: Ontology
) -> None:
    path = written(tmp_path, "id,labels\np1,car\np2,Vehicle\n")
    with pytest.raises(
        InputError, match=r"'Vehicle' in row 3 is an abstract concept.*such as 'aircraft', 'amphibious_car'"
    ):
        read_labels(path, vehicles, unknown="drop")


def test_repeated_labels_are_harmless_and_counted(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, f"sample,concept\np1,car\np1,{IRI}car\np1,bicycle\np1,car\n")
    file = read_label_file(path, vehicles)
    assert file.sets.labels_of("p1") == ("bicycle", "car")
    assert file.repeated == 2
    assert "2 labels repeated for the same sample" in file.notes[0]


def test_a_file_without_oddities_has_no_notes(tmp_path: Path, vehicles: Ontology) -> None:
    assert read_label_file(written(tmp_path, "id,labels\np1,car\n"), vehicles).notes == ()


def test_two_columns_of_one_concept_are_refused(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, f"id,car,{IRI}car\np1,0,1\n")
    with pytest.raises(InputError, match=r"the columns 'car' and '.*#car' are both the concept 'car'"):
        read_labels(path, vehicles)


def test_one_label_that_looks_like_several_is_not_taken_for_one(tmp_path: Path, vehicles: Ontology) -> None:
    path = written(tmp_path, "id,label\np1,car;bicycle\n")
    with pytest.raises(
        InputError, match=r"'car;bicycle' in row 2 looks like several labels.*the column 'labels'"
    ):
        read_labels(path)
    with pytest.raises(UnknownConceptError, match="'car;bicycle' in row 2"):
        read_labels(path, vehicles)
    assert read_labels(path, input_format="wide").labels_of("p1") == ("bicycle", "car")
    assert read_labels(path, input_format="long").labels_of("p1") == ("car;bicycle",)


def test_the_order_of_the_samples_is_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept\np9,a\np1,a\np9,b\np5,a\n")
    assert read_labels(path).samples == ("p9", "p1", "p5")


@pytest.mark.parametrize(
    ("option", "value"), [("unknown", "ignore"), ("separator", ""), ("threshold", float("nan"))]
)
def test_options_have_the_values_that_they_have(tmp_path: Path, option: str, value: object) -> None:
    path = written(tmp_path, "id,a\np1,0.5\n")
    with pytest.raises(ParameterError, match=f"{option}="):
        read_labels(path, **{option: value})  # type: ignore[arg-type]
