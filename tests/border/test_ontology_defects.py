"""Defects of ontologies that are found by their rule alone, and twins without the defect that are clean."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import AmbiguousNameError

PREFIXES = """@prefix : <http://example.org/zoo#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
ZOO = "animal: mammal:animal dog:mammal poodle:dog cat:mammal bird:animal duck:bird owl:bird hawk:bird eagle:bird crane:bird"
BODY = "part:0 organ:1 heart:2 heart_valve:2 tonsil:2 lung:2"


def concept(name: str, parent: str, label: str = "") -> str:
    link = f"skos:broader :{parent} ; " if parent else ""
    return f':{name} a skos:Concept ; {link}skos:inScheme :s ; skos:definition "A {name}."@en ; skos:prefLabel {label or repr(name)}@en .\n'


def thesaurus(*more: str, **labels: str) -> str:
    pairs = (one.split(":") for one in ZOO.split())
    return (
        PREFIXES
        + "".join(concept(name, above, labels.get(name, "")) for name, above in pairs)
        + "\n".join(more)
    )


def obo(*more: str) -> str:
    text = "format-version: 1.2\nontology: t\n\n[Typedef]\nid: part_of\nname: part of\n\n"
    for number, one in enumerate(BODY.split(), 1):
        name, above = one.split(":")
        text += (
            f'[Term]\nid: T:{number}\nname: {name.replace("_", " ")}\ndef: "A {name}." []\n'
            + f"is_a: T:{above}\n\n" * (above != "0")
        )
    return text + "\n".join(more)


def term(*clauses: str, name: str = "liver") -> str:
    return f'[Term]\nid: T:10\nname: {name}\ndef: "Its definition." []\n' + "\n".join(clauses) + "\n"


TABLE = "child,parent,label\nanimal,,Animal\nmammal,animal,Mammal\nbird,animal,Bird\nduck,bird,Duck\ndog,mammal,Dog\n"
OLD = ("is_obsolete: true", "name: obsolete")
CLASSES = (
    PREFIXES
    + ":a a owl:Class ; rdfs:label 'aa' . :c a owl:Class ; rdfs:subClassOf :a ; rdfs:label 'cc' . :b a owl:Class ; rdfs:label 'bb' ; "
)
CLEAN = {
    "thesaurus": thesaurus(),
    "terms": obo(),
    "table": TABLE,
    "a comment that is no other name": obo(term("is_a: T:2 ! organ", "relationship: part_of T:1 ! the old name")),
    "several to consider": obo(term("is_obsolete: true", "consider: T:1", "consider: T:2")),
    "replaced": obo(term("is_obsolete: true", "replaced_by: T:3")),
    "related": thesaurus(":poodle skos:related :cat ."),
    "matched elsewhere": thesaurus(":cat skos:exactMatch <http://example.com/cat> ."),
    "a plural of another branch": thesaurus(concept("ducks", "mammal")),
    "letters between underscores": obo(term("is_a: T:2", name="V_DJ gene"), term("is_a: T:2", name="VDJ gene").replace("T:10", "T:11").replace("Its", "Another")),
    "one label of another language beside the usual one": thesaurus(':cat skos:prefLabel "chat"@fr .'),
    "a name that is the own label": thesaurus(cat='"cat"'),
    "a sign": thesaurus(concept("fox", "mammal", '"fox & hare < 3 > 2"')),
    "a link and the inverse of an equivalence": CLASSES + "rdfs:subClassOf :a ; owl:equivalentClass :a . :a rdfs:subClassOf :b .",
}  # fmt: skip
BROKEN = {
    "a row twice": ("repeated-link", TABLE + "dog,mammal,Dog\n", "'dog'"),
    "a clause twice": ("repeated-link", obo(term("is_a: T:2", "is_a: T:2")), "'T_10'"),
    "a plural": ("twin-label", thesaurus(concept("ducks", "bird")), "'duck', 'ducks'"),
    "a hyphen": ("twin-label", obo(term("is_a: T:2", name="heart-valve")), "'T_10 (heart-valve)'"),
    "case of names": ("twin-label", "child,parent\nbird,animal\nBird,animal\nduck,bird\n", "'Bird', 'bird'"),
    "equal to its parent": ("equal-to-parent", CLASSES + "rdfs:subClassOf :a ; owl:equivalentClass :a .", "zoo#b"),
    "a relation without a Typedef": ("undeclared-relation", obo(term("is_a: T:2", "relationship: prat_of T:1")), "'prat_of'"),
    "two replacements": ("wrong-replacement", obo(term(*OLD[:1], "replaced_by: T:1", "replaced_by: T:2")), "2 replacements: 'T_1', 'T_2'"),
    "replaced by itself": ("wrong-replacement", obo(term(*OLD[:1], "replaced_by: T:10")), "leads back to it"),
    "something to consider that is not there": ("wrong-replacement", obo(term(*OLD[:1], "consider: T:777")), "Its suggestion 'T:777' does not exist"),
    "replaced by an obsolete term": ("wrong-replacement", obo(term(*OLD[:1], "replaced_by: T:11"), term(*OLD[:1]).replace("T:10", "T:11").replace("Its", "Another")), "'T:11 (liver)' is obsolete too"),
    "a single intersection_of": ("single-intersection", obo(term("is_a: T:2", "intersection_of: T:2")), "'T:2'"),
    "another name in the comment": ("wrong-comment", obo(term("is_a: T:2 ! heart")), "T_2 (organ): the comment says 'heart'"),
    "related over two steps": ("related-and-broader", thesaurus(":poodle skos:related :mammal ."), "mammal and poodle"),
    "markup": ("markup", thesaurus(concept("fox", "mammal", '"red <i>fox</i>"')), "'red <i>fox</i>'"),
    "a hidden label of another": ("shared-synonym", thesaurus(':cat skos:hiddenLabel "dog"@en .'), "dog and cat"),
    "another language alone": ("missing-language", thesaurus(concept("fox", "mammal", '"renard"').replace('"renard"@en', '"renard"@fr')), "only in 'fr'"),
    "a match within the scheme": ("match-inside", thesaurus(":cat skos:exactMatch :dog ."), "cat and dog"),
    "a name that is a label": ("name-is-label", thesaurus(concept("c2", "mammal", '"cat"'), cat='"feline"'), "cat (feline) and c2 (cat): 'cat'"),
    "an undeclared parent": ("undeclared", thesaurus(concept("fox", "mamal")), "'mamal'"),
}  # fmt: skip


def audit(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "zoo"
    path.write_text(text, encoding="utf-8")
    return [(finding.rule, finding.explanation) for finding in oe.audit_ontology(path)]


@pytest.mark.parametrize("case", BROKEN)
def test_a_defect_is_one_finding(case: str, tmp_path: Path) -> None:
    rule, text, words = BROKEN[case]
    ((found, explanation),) = audit(tmp_path, text)
    assert found == rule
    assert words in explanation


@pytest.mark.parametrize("case", CLEAN)
def test_a_clean_twin_has_none(case: str, tmp_path: Path) -> None:
    assert audit(tmp_path, CLEAN[case]) == []


def test_a_name_that_is_a_label_is_ambiguous_in_labels_and_never_a_fix(tmp_path: Path) -> None:
    path, labels = tmp_path / "zoo.ttl", tmp_path / "labels.csv"
    path.write_text(BROKEN["a name that is a label"][1], encoding="utf-8")
    labels.write_text("id,label\na,cat\nb,feline\nc,dog\n", encoding="utf-8")
    ontology = oe.read_ontology(path)
    findings = oe.audit_labels(labels, ontology)
    (finding,) = [one for one in findings if one.rule == "name-is-label"]
    assert "'cat' (row 2) is the name of a concept and the label of another one" in finding.explanation
    assert not {"spelling", "ambiguous"} & {one.rule for one in findings}
    with pytest.raises(AmbiguousNameError, match="'cat'"):
        oe.read_labels(labels, ontology)
    assert ontology.resolve("http://example.org/zoo#cat") == "cat"
    # Names without IRIs have no other spelling, so a name stays a name.
    plain = tmp_path / "plain.csv"
    plain.write_text("id,parent,label\ncat,animal,feline\nc2,animal,cat\nanimal,,\n", encoding="utf-8")
    assert oe.read_ontology(plain).resolve("cat") == "cat"


def test_a_tie_of_spellings_goes_to_the_preferred_label(tmp_path: Path) -> None:
    path, labels = tmp_path / "zoo.obo", tmp_path / "labels.csv"
    path.write_text(obo(), encoding="utf-8")
    labels.write_text("id,label\na,heart\nb,Heart\n", encoding="utf-8")
    (finding,) = [one for one in oe.audit_labels(labels, oe.read_ontology(path)) if one.rule == "spelling"]
    assert finding.fix == "Write 'heart' everywhere."


def test_verified_labels_with_columns_that_are_not_read_are_audited(tmp_path: Path) -> None:
    path, labels = tmp_path / "zoo.ttl", tmp_path / "labels.csv"
    path.write_text(thesaurus(), encoding="utf-8")
    rows = "a,v,dog,1\na,v,cat,0\nb,v,owl,1\nb,w,owl,1\nc,v,hawk,0\n"
    labels.write_text("ImageID,Source,LabelName,Confidence\n" + rows, encoding="utf-8")
    findings = oe.audit_labels(labels, oe.read_ontology(path))
    (repeated,) = [one for one in findings if one.rule == "repeated-label"]
    assert (repeated.samples, repeated.severity) == (("b",), "note")
