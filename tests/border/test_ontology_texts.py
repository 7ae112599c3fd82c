"""Defects in the annotations of ontologies, one a file: each is found by its rule, and nothing else is said."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.audit.ontology_texts import CHECKS
from tests.commands import call

SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://e.org/> .
:s a skos:ConceptScheme .
:animal a skos:Concept ; skos:prefLabel "animal"@en ; skos:topConceptOf :s ; skos:notation "A" ;
    skos:definition "A living thing that moves."@en .
:dog a skos:Concept ; skos:prefLabel "dog"@en ; skos:altLabel "hound"@en ; skos:broader :animal ;
    skos:notation "D" ; skos:definition "It barks."@en .
:cat a skos:Concept ; skos:prefLabel "cat"@en ; skos:altLabel "puss"@en ; skos:broader :animal ;
    skos:notation "C" ; skos:definition "It mews."@en ; skos:exactMatch <http://o.org/cat> ; skos:related :dog .
"""

BIRD = ':bird a skos:Concept ; skos:prefLabel "bird"@en ; skos:broader :animal'

IN_SKOS = [
    ("several-labels", ':dog skos:prefLabel "doggo"@en .'),
    ("label-as-synonym", ':dog skos:altLabel "Dog"@en .'),
    ("shared-synonym", ':cat skos:altLabel "dog"@en .'),
    ("shared-synonym", ':cat skos:altLabel "hound"@en .'),
    ("several-definitions", ':dog skos:definition "It bites."@en .'),
    ("shared-definition", f'{BIRD} ; skos:definition "It barks."@en .'),
    ("missing-definition", f"{BIRD} ."),
    ("shared-notation", f'{BIRD} ; skos:notation "D" ; skos:definition "It sings."@en .'),
    ("related-and-broader", ":dog skos:related :animal ."),
    ("related-to-itself", ":dog skos:related :dog ."),
    ("mapping-clash", ":cat skos:broadMatch <http://o.org/cat> ."),
    ("mapping-clash", ":dog skos:exactMatch <http://o.org/cat> ."),
    ("language-tag", ':dog skos:altLabel "Hund"@germanlanguage .'),
    ("language-tag", ':dog skos:altLabel "Hund" .'),
    ("top-with-parents", ":dog skos:topConceptOf :s ."),
    ("untidy-text", ':dog skos:altLabel " doggy"@en .'),
    ("untidy-text", ':dog skos:altLabel "big  dog"@en .'),
    (
        "obsolete-name",
        ':bird a skos:Concept ; skos:prefLabel "obsolete bird"@en ; skos:broader :animal ; skos:definition "It sang."@en .',
    ),
]

OBO = """format-version: 1.2
ontology: t

[Term]
id: T:1
name: animal
def: "Moves." [x]

[Term]
id: T:2
name: dog
def: "Barks." [x]
synonym: "hound" EXACT []
is_a: T:1
alt_id: T:9

[Term]
id: T:3
name: cat
def: "Mews." [x]
is_a: T:1

[Term]
id: T:8
name: obsolete bird
is_obsolete: true
replaced_by: T:3
"""

SWIMS = 'def: "Swims." [x]'

IN_OBO = [
    ("live-alternative-id", ["id: T:9", "name: wolf", 'def: "Howls." [x]', "is_a: T:1"]),
    ("described-twice", ["id: T:3", "name: cat"]),
    ("obsolete-with-parents", ["id: T:10", "name: obsolete fish", "is_obsolete: true", "is_a: T:1"]),
    ("wrong-replacement", ["id: T:10", "name: fish", SWIMS, "is_a: T:1", "replaced_by: T:3"]),
    ("wrong-replacement", ["id: T:10", "name: obsolete fish", "is_obsolete: true", "replaced_by: T:77"]),
    ("label-as-synonym", ["id: T:10", "name: fish", SWIMS, "is_a: T:1", *['synonym: "pesce" EXACT []'] * 2]),
    ("shared-synonym", ["id: T:10", "name: fish", SWIMS, "is_a: T:1", 'synonym: "hound" EXACT []']),
    ("obsolete-name", ["id: T:10", "name: obsolete fish", SWIMS, "is_a: T:1"]),
    ("untidy-text", ["id: T:10", "name: big  fish", SWIMS, "is_a: T:1"]),
    ("missing-definition", ["id: T:10", "name: fish", "is_a: T:1"]),
    ("shared-definition", ["id: T:10", "name: fish", 'def: "Barks." [x]', "is_a: T:1"]),
    ("label-as-synonym", ["id: T:10", "name: fish", SWIMS, "is_a: T:1", 'synonym: "fish" EXACT []']),
]

OWL = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://e.org/> .
:animal a owl:Class ; rdfs:label "animal"@en .
:dog a owl:Class ; rdfs:label "dog"@en ; rdfs:subClassOf :animal .
:cat a owl:Class ; rdfs:label "cat"@en ; rdfs:subClassOf :animal .
:part a owl:ObjectProperty ; rdfs:label "part"@en , "has  part"@en .
"""

SEEDED = [
    *((rule, "x.ttl", SKOS + defect) for rule, defect in IN_SKOS),
    *((rule, "x.obo", "\n".join([OBO, "[Term]", *clauses, ""])) for rule, clauses in IN_OBO),
    ("several-labels", "x.ttl", OWL + ':dog rdfs:label "hound"@en .'),
    (
        "obsolete-with-parents",
        "x.ttl",
        OWL + ":old a owl:Class ; rdfs:subClassOf :animal ; owl:deprecated true ; rdfs:label 'old'@en .",
    ),
]


@pytest.mark.parametrize(("rule", "name", "content"), SEEDED)
def test_a_seeded_defect_is_one_finding(rule: str, name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (found,) = oe.audit_ontology(path)
    assert found.rule == rule
    assert found.concepts
    assert found.fix


@pytest.mark.parametrize(("name", "content"), [("x.ttl", SKOS), ("x.obo", OBO), ("x.ttl", OWL)])
def test_nothing_is_said_of_a_clean_file(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    findings = oe.audit_ontology(path)
    assert list(findings) == []
    assert {*CHECKS} < {*findings.checks}


def test_cases_are_counted_and_the_first_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    more = "".join(
        f':c{n} a skos:Concept ; skos:prefLabel "c {n} "@en ; skos:broader :animal .\n' for n in range(8)
    )
    path.write_text(SKOS + more, encoding="utf-8")
    (found,) = [one for one in oe.audit_ontology(path) if one.rule == "untidy-text"]
    assert found.count == 8
    assert "and 3 more" in found.explanation


def test_every_case_has_its_concepts_and_the_words_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    pairs = "".join(
        f':c{n} a skos:Concept ; skos:prefLabel "C {n}"@en ; skos:broader :animal ; skos:altLabel "Of {n // 2}"@en .\n'
        for n in range(14)
    )
    path.write_text(SKOS + pairs, encoding="utf-8")
    findings = oe.audit_ontology(path)
    (found,) = [one for one in findings.content["findings"] if one["rule"] == "shared-synonym"]
    assert [one["concepts"] for one in found["cases"]] == [[f"c{n}", f"c{n + 1}"] for n in range(0, 14, 2)]
    assert found["cases"][3]["case"].endswith(": 'Of 3'")
    rows = [row for row in call("audit", str(path), "--format", "csv").stdout.splitlines() if "'Of 6'" in row]
    assert rows == ["warning,shared-synonym,\"c12, c13\",,,,c12 and c13: 'Of 6',"]
