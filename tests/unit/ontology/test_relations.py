"""Relations that the hierarchy follows when it is asked to, beside is-a."""

import pytest

from ontoeval.errors import AmbiguousNameError, CycleError, ParameterError

CAR = """
    :part_of a owl:ObjectProperty ; rdfs:label "part of"@en .
    :car a owl:Class . :vehicle a owl:Class . :car rdfs:subClassOf :vehicle .
    :wheel a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :part_of ; owl:someValuesFrom :car ] .
"""


def links(ontology):
    return sorted(ontology.graph.edges(data="kind"))


@pytest.mark.parametrize(
    "name",
    [
        "part_of",
        "part of",
        "Part Of",
        "http://example.org/photo#part_of",
        "<http://example.org/photo#part_of>",
    ],
)
def test_restrictions_of_a_relation_become_links_of_its_name(name, read):
    ontology = read(CAR, relations=name)
    kind = "part_of" if "http" in name else name
    assert ("car", "wheel", kind) in links(ontology)
    assert ontology.requirements == ()
    assert ontology.report.links[kind] == 1


def test_without_being_asked_for_they_are_requirements(read):
    ontology = read(CAR)
    assert links(ontology) == [("vehicle", "car", "rdfs:subClassOf")]
    assert len(ontology.requirements) == 1


@pytest.mark.parametrize(
    "axiom",
    [
        ":wheel owl:equivalentClass [ owl:intersectionOf ( :thing [ owl:onProperty :part_of ; owl:someValuesFrom :car ] ) ] .",
        ":wheel rdfs:subClassOf [ owl:onProperty :part_of ; owl:someValuesFrom [ owl:intersectionOf ( :car :thing ) ] ] .",
        ":wheel :part_of :car . :wheel a owl:Class .",
    ],
)
def test_a_relation_is_followed_wherever_it_is_said(axiom, read):
    ontology = read(f":car a owl:Class . :thing a owl:Class . {axiom}", relations=["part_of"])
    assert ("car", "wheel", "part_of") in links(ontology)


def test_a_union_below_a_relation_stays_a_requirement(read):
    ontology = read(
        ":a rdfs:subClassOf [ owl:onProperty :part_of ; owl:someValuesFrom [ owl:unionOf ( :b :c ) ] ] ."
        ":a a owl:Class . :b a owl:Class . :c a owl:Class .",
        relations="part_of",
    )
    assert links(ontology) == []
    assert list(map(str, ontology.requirements)) == ["a requires b or c"]


def test_is_a_wins_where_both_are_said(read):
    ontology = read(CAR + ":wheel rdfs:subClassOf :car .", relations="part_of")
    assert ("car", "wheel", "rdfs:subClassOf") in links(ontology)


def test_what_is_part_of_itself_is_counted(read):
    ontology = read(CAR + ":car :part_of :car .", relations="part_of")
    assert ontology.report.unused["part_of of a concept to itself"].examples == ("car",)


def test_individuals_are_not_drawn_in(read):
    ontology = read(CAR + ":my_wheel :part_of :my_car .", relations="part_of")
    assert "my_wheel" not in ontology.graph


def test_skos_concepts_are_linked_by_triples(read):
    skos = """
        :wheel a skos:Concept ; :partOf :car . :car a skos:Concept ; skos:broader :vehicle ; :partOf :scheme .
        :scheme a skos:ConceptScheme .
    """
    assert links(read(skos, relations="partOf")) == [
        ("car", "wheel", "partOf"),
        ("vehicle", "car", "skos:broader"),
    ]


def test_a_relation_that_runs_in_circles_is_an_error(read):
    with pytest.raises(CycleError, match=r"car -> wheel -> car|wheel -> car -> wheel"):
        read(CAR + ":car :part_of :wheel .", relations="part_of")


def test_a_relation_that_is_not_there_is_an_error_that_lists_those_that_are(read):
    with pytest.raises(ParameterError, match=r"relations='has_part'.*\('part_of'\)"):
        read(CAR, relations="has_part")
    with pytest.raises(ParameterError, match=r"there is none"):
        read(":a a owl:Class .", relations="has_part")


def test_a_relation_of_two_namespaces_is_ambiguous(read):
    with pytest.raises(AmbiguousNameError, match="other#part_of"):
        read(CAR + ":car other:part_of :vehicle .", relations="part_of")


def test_the_parts_of_obo_are_known_by_name_though_the_file_does_not_name_them(read):
    ontology = read(":wheel a owl:Class ; obo:BFO_0000050 :car . :car a owl:Class .", relations="part_of")
    assert links(ontology) == [("car", "wheel", "part_of")]


@pytest.mark.parametrize("file", ["so.owl", "so.obo"])
def test_parts_of_a_published_ontology_are_as_many_as_were_counted(file, data):
    from ontoeval.ontology.reading import read_ontology

    report = read_ontology(data / "ontologies" / "so" / file, relations="part_of").report
    assert report.links["part_of"] == 185


OBO = """[Term]
id: X:1
name: car

[Term]
id: X:2
name: wheel
relationship: part_of X:1

[Typedef]
id: part_of
name: is a part of
xref: BFO:0000050
"""
GRAPHS = """{"graphs": [{"nodes": [
    {"id": "http://purl.obolibrary.org/obo/X_1", "type": "CLASS", "lbl": "car"},
    {"id": "http://purl.obolibrary.org/obo/X_2", "type": "CLASS", "lbl": "wheel"},
    {"id": "http://purl.obolibrary.org/obo/BFO_0000050", "type": "PROPERTY", "lbl": "is a part of"}],
  "edges": [{"sub": "http://purl.obolibrary.org/obo/X_2", "obj": "http://purl.obolibrary.org/obo/X_1",
    "pred": "http://purl.obolibrary.org/obo/BFO_0000050"}]}]}
"""


@pytest.mark.parametrize("content", [OBO, GRAPHS], ids=["OBO", "OBO Graphs"])
@pytest.mark.parametrize(
    "name",
    [
        "is a part of",
        "Part of",
        "BFO:0000050",
        "BFO_0000050",
        "http://purl.obolibrary.org/obo/BFO_0000050",
        "<http://purl.obolibrary.org/obo/BFO_0000050>",
    ],
)
def test_relations_outside_of_rdf_have_all_their_names_too(name, content, read_text):
    assert list(read_text(content, relations=name).graph.edges(data="kind")) == [("X_1", "X_2", name)]


def test_a_name_of_several_relations_outside_of_rdf_is_ambiguous(read_text):
    content = (
        OBO.replace("part_of X:1", "part_of X:1\nrelationship: bit_of X:1") + "\n[Typedef]\nid: bit_of\n"
    )
    with pytest.raises(AmbiguousNameError, match="'bit_of', 'part_of'"):
        read_text(content + "name: is a part of\n", relations="is a part of")


def test_transitive_links_of_skos_are_followed_where_one_asks_for_them(read):
    turtle = ":a skos:broader :b . :b skos:broader :c . :a skos:broaderTransitive :b , :c , :d . :d a skos:Concept ."
    assert links(read(turtle)) == [("b", "a", "skos:broader"), ("c", "b", "skos:broader")]
    asked = read(turtle, relations="broaderTransitive")
    assert links(asked) == [
        ("b", "a", "skos:broader"),
        ("c", "b", "skos:broader"),
        ("d", "a", "broaderTransitive"),
    ]


def test_relations_with_what_is_no_concept_are_counted(read):
    ontology = read(":car a owl:Class . :wheel a owl:Class ; :part_of :car , :bus .", relations="part_of")
    assert ontology.report.unused["part_of with what is no concept"].examples == ("wheel",)
