"""Identifiers that were given up lead to the concepts that took their place, in label files too."""

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import UnknownConceptError

OIO = "<http://www.geneontology.org/formats/oboInOwl#{}>"
DCTERMS = "<http://purl.org/dc/terms/{}>"


@pytest.mark.parametrize(
    "said",
    [
        "obo:X_1 obo:IAO_0100001 obo:X_2 .",
        'obo:X_1 obo:IAO_0100001 "X:2" .',
        'obo:X_1 obo:IAO_0100001 "http://purl.obolibrary.org/obo/X_2"^^xsd:anyURI .',
        f"obo:X_1 {OIO.format('replacedBy')} obo:X_2 .",
        f"obo:X_1 {DCTERMS.format('isReplacedBy')} obo:X_2 .",
        f"obo:X_2 {DCTERMS.format('replaces')} obo:X_1 .",
        f'obo:X_2 {OIO.format("hasAlternativeId")} "X:1" .',
        "obo:X_1 <https://schema.org/supersededBy> obo:X_2 .",
    ],
)
@pytest.mark.parametrize(
    "declared", ["", 'obo:X_1 a owl:Class ; owl:deprecated true ; rdfs:label "old sky" .']
)
def test_what_was_replaced_is_found_by_each_of_its_names(said, declared, read):
    ontology = read(f'obo:X_2 a owl:Class ; rdfs:label "sky" . {declared} {said}')
    iri = "http://purl.obolibrary.org/obo/X_1"
    spellings = [iri, f"<{iri}>", "X:1", "obo:X_1", "X_1", *(["old sky"] if declared else [])]
    assert {ontology.replaced[spelling] for spelling in spellings} == {"X_2"}
    assert [ontology.resolve(spelling) for spelling in spellings] == ["X_2"] * len(spellings)
    assert ontology.report.replaced.examples == (("X_1",) if declared else (iri,))


def test_replacements_are_followed_to_the_end(read):
    ontology = read("""
        :c a owl:Class . :a owl:deprecated true ; a owl:Class ; obo:IAO_0100001 :b .
        :b owl:deprecated true ; a owl:Class ; obo:IAO_0100001 :c .
    """)
    assert (ontology.resolve("a"), ontology.resolve("b")) == ("c", "c")


def test_what_replaces_each_other_leads_nowhere(read):
    ontology = read("""
        :c a owl:Class . :a owl:deprecated true ; a owl:Class ; obo:IAO_0100001 :b .
        :b owl:deprecated true ; a owl:Class ; obo:IAO_0100001 :a .
    """)
    assert ontology.replaced == {}
    with pytest.raises(UnknownConceptError, match=r"'a' \(deprecated\)"):
        ontology.resolve("a")


def test_what_several_concepts_replace_leads_to_none_of_them(read):
    ontology = read(
        ":a a owl:Class ; owl:deprecated true ; obo:IAO_0100001 :b , :c . :b a owl:Class . :c a owl:Class ."
    )
    assert ontology.replaced == {}
    assert ontology.report.unused["replaced by several concepts"].examples == ("a",)


def test_a_concept_that_is_there_keeps_its_name_whatever_is_said_to_replace_it(read):
    ontology = read(":a a owl:Class ; obo:IAO_0100001 :b . :b a owl:Class .")
    assert ontology.resolve("a") == "a"


def test_a_name_of_a_concept_wins_over_one_that_was_given_up(read):
    ontology = read("""
        :a a owl:Class ; owl:deprecated true ; rdfs:label "sky" ; obo:IAO_0100001 :b .
        :b a owl:Class ; rdfs:label "b" . :c a owl:Class ; rdfs:label "sky" .
    """)
    assert (ontology.resolve("sky"), ontology.resolve("a")) == ("c", "b")


def test_what_replaces_from_outside_the_branches_is_left_out_as_well(read):
    ontology = read(
        ":a a owl:Class ; owl:deprecated true ; obo:IAO_0100001 :b . :b a owl:Class . :c a owl:Class .",
        root="c",
    )
    assert ontology.replaced == {}


def test_what_replaces_may_have_become_one_with_another(read):
    ontology = read("""
        :old a owl:Class ; owl:deprecated true ; obo:IAO_0100001 :z .
        :z a owl:Class ; owl:equivalentClass :a . :a a owl:Class .
    """)
    assert ontology.resolve("old") == "a"


def test_labels_of_a_file_are_resolved_through_replacements_and_counted(read, tmp_path: Path):
    ontology = read(
        'obo:X_2 a owl:Class ; rdfs:label "sky" . obo:X_1 a owl:Class ; owl:deprecated true ; obo:IAO_0100001 obo:X_2 .'
    )
    path = tmp_path / "labels.csv"
    path.write_text("id,labels\np1,X:1\np2,sky\n", encoding="utf-8")
    file = oe.labels.read_label_file(path, ontology)
    assert [file.sets.labels_of(sample) for sample in ("p1", "p2")] == [("X_2",), ("X_2",)]
    assert file.translated == {"X:1": ("X_2", 1)}


def test_every_alternative_identifier_of_a_published_ontology_is_resolved(data):
    from ontoeval.ontology.reading import read_ontology

    ontology = read_ontology(data / "ontologies" / "so" / "so.owl")
    assert ontology.resolve("SO:1000008") == ontology.resolve("SO:1000008".replace(":", "_"))
    assert ontology.report.replaced.count == 189
