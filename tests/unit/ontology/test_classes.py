"""Classes of OWL and RDF Schema: which there are, and which lies below which."""

import pytest


def links(ontology):
    return sorted(ontology.graph.edges(data="kind"))


def test_named_superclasses_are_parents(read):
    ontology = read(":trees rdfs:subClassOf :plants . :plants a owl:Class . :sky a rdfs:Class .")
    assert links(ontology) == [("plants", "trees", "rdfs:subClassOf")]
    assert list(ontology.graph) == ["plants", "sky", "trees"]


@pytest.mark.parametrize(
    "axiom",
    [
        ":pine owl:equivalentClass [ owl:intersectionOf ( :trees :evergreen {some} ) ] .",
        ":pine rdfs:subClassOf [ owl:intersectionOf ( [ owl:intersectionOf (:trees) ] :evergreen {some} ) ].",
        ":pine owl:intersectionOf ( :trees :evergreen {some} ) .",
        "[ owl:intersectionOf ( :trees :evergreen ) ] owl:equivalentClass :pine .",
    ],
)
def test_named_members_of_an_intersection_are_parents(axiom, read):
    some = "[ a owl:Restriction ; owl:onProperty :has ; owl:someValuesFrom :needles ]"
    ontology = read(axiom.replace("{some}", some))
    kind = "owl:intersectionOf"
    assert links(ontology) == [("evergreen", "pine", kind), ("trees", "pine", kind)]


@pytest.mark.parametrize(
    "axiom",
    [
        ":plants owl:equivalentClass [ owl:unionOf ( :trees [ owl:unionOf ( :flowers ) ] ) ] .",
        ":plants owl:unionOf ( :trees :flowers ) .",
    ],
)
def test_members_of_a_union_that_a_class_is_equal_to_are_children(axiom, read):
    assert links(read(axiom)) == [("plants", "flowers", "owl:unionOf"), ("plants", "trees", "owl:unionOf")]


def test_members_of_a_union_without_a_name_are_counted(read):
    ontology = read(":plants owl:equivalentClass [ owl:unionOf ( :trees [ owl:complementOf :sky ] ) ] .")
    assert links(ontology) == [("plants", "trees", "owl:unionOf")]
    assert ontology.report.unused["members of a union without a name"].examples == ("plants",)


def test_members_of_a_disjoint_union_are_children_and_exclude_each_other(read):
    ontology = read(":plants owl:disjointUnionOf ( :trees :flowers ) .")
    assert links(ontology) == [
        ("plants", "flowers", "owl:disjointUnionOf"),
        ("plants", "trees", "owl:disjointUnionOf"),
    ]
    assert ontology.report.exclusions == {"owl:disjointUnionOf": 1}


def test_members_of_a_union_above_a_class_are_no_parents(read):
    ontology = read(":hedge a owl:Class ; rdfs:subClassOf [ owl:unionOf ( :trees :shrubs ) ] .")
    assert list(ontology.graph) == ["hedge"]
    assert ontology.report.unused["unions of classes above a class"].examples == ("hedge",)


def test_a_class_that_others_use_is_not_taken_apart_there(read):
    ontology = read(":pine rdfs:subClassOf :trees . :trees owl:intersectionOf ( :plants :tall ) .")
    assert set(ontology.graph.predecessors("pine")) == {"trees"}
    assert set(ontology.graph.predecessors("trees")) == {"plants", "tall"}


def test_the_axiom_that_says_a_link_first_is_remembered(read):
    ontology = read(
        ":pine rdfs:subClassOf :trees ; owl:equivalentClass [ owl:intersectionOf ( :trees :evergreen ) ] ."
    )
    assert ("trees", "pine", "rdfs:subClassOf") in links(ontology)


def test_classes_of_the_languages_themselves_are_no_concepts(read):
    ontology = read(
        "owl:Thing a owl:Class . :sky rdfs:subClassOf owl:Thing . owl:Nothing rdfs:subClassOf :sky ."
        ":sky rdfs:subClassOf rdfs:Resource . :text a rdfs:Class ; rdfs:subClassOf rdfs:Literal ."
    )
    assert list(ontology.graph) == ["sky", "text"]
    assert links(ontology) == []


def test_a_class_below_itself_is_a_matter_of_course(read):
    ontology = read(":sky rdfs:subClassOf :sky . :clouds rdfs:subClassOf :sky .")
    assert links(ontology) == [("sky", "clouds", "rdfs:subClassOf")]
    assert ontology.report.links_left_out["of a concept to itself"].examples == ("sky",)


def test_parents_that_are_not_declared_are_concepts_and_counted(read):
    ontology = read(":trees a owl:Class ; rdfs:subClassOf :plants .")
    assert list(ontology.graph) == ["plants", "trees"]
    assert ontology.report.undeclared.examples == ("plants",)


@pytest.mark.parametrize(
    "mark", ["owl:deprecated true", "a owl:DeprecatedClass", "rdfs:subClassOf owl:DeprecatedClass"]
)
def test_deprecated_classes_are_left_out_and_counted(mark, read):
    ontology = read(f":old a owl:Class ; {mark} . :oak rdfs:subClassOf :old , :trees .")
    assert links(ontology) == [("trees", "oak", "rdfs:subClassOf")]
    assert ontology.report.left_out["deprecated"].examples == ("old",)
    assert ontology.report.links_left_out["to what is left out"].examples == ("oak",)


def test_obsolete_classes_of_obo_are_deprecated(read):
    ontology = read(
        ":new a owl:Class ."
        ":old rdfs:subClassOf <http://www.geneontology.org/formats/oboInOwl#ObsoleteClass> ."
    )
    assert list(ontology.graph) == ["new"]


def test_the_marks_of_abstract_classes_are_heeded(read):
    ontology = read(
        ":a a owl:Class ; oe:abstract true . :b rdfs:subClassOf :a ; oe:abstract false . "
        ':c rdfs:subClassOf :a ; oe:abstract "1"^^xsd:boolean .'
    )
    assert dict(ontology.graph.nodes(data="abstract")) == {"a": True, "b": False, "c": True}
    assert ontology.hierarchy().label_vocabulary.concepts == ("b",)


def test_inner_nodes_are_never_taken_for_abstract(read):
    ontology = read(":trees rdfs:subClassOf :plants .")
    assert not ontology.hierarchy().abstract.any()


def test_axioms_about_a_class_without_a_name_are_counted(read):
    ontology = read(":sky a owl:Class . [ owl:unionOf ( :a :b ) ] rdfs:subClassOf :sky .")
    assert ontology.report.unused["axioms about a class without a name"].examples == ("sky",)


def test_individuals_and_properties_are_no_concepts(read):
    ontology = read(":sky a owl:Class . :photo1 a :sky , owl:NamedIndividual . :shows a owl:ObjectProperty .")
    assert list(ontology.graph) == ["sky"]


def test_a_list_that_bites_its_tail_is_read_once(read):
    ontology = read(":plants owl:unionOf _:l . _:l rdf:first :trees ; rdf:rest _:l .")
    assert links(ontology) == [("plants", "trees", "owl:unionOf")]


def test_imports_are_listed_and_not_followed(read):
    ontology = read(
        "<http://example.org/photo> a owl:Ontology ; owl:imports <http://example.org/more> ."
        ":sky a owl:Class ."
    )
    assert ontology.report.imports.examples == ("http://example.org/more",)


def test_of_several_ontologies_in_a_file_the_one_that_most_concepts_belong_to_is_meant(read):
    ontology = read(
        "<http://example.org/another> a owl:Ontology . <http://example.org/photo#> a owl:Ontology ;"
        " owl:versionIRI <http://example.org/photo/2> . :sky a owl:Class . :sea a owl:Class ."
    )
    assert (ontology.source.iri, ontology.source.version) == (
        "http://example.org/photo#",
        "http://example.org/photo/2",
    )


def test_classes_without_instances_are_counted(read):
    ontology = read(
        ":a a owl:Class ; rdfs:subClassOf owl:Nothing , :b . :b owl:equivalentClass owl:Nothing ."
    )
    assert list(ontology.graph.edges) == [("b", "a")]
    assert ontology.report.unused["owl:Nothing above a class, which then has no instances"].count == 2


def test_a_union_of_nothing_is_counted(read):
    ontology = read(":a a owl:Class ; rdfs:subClassOf [ owl:unionOf () ] .")
    assert list(ontology.graph) == ["a"]
    assert ontology.report.unused["unions of nothing above a class"].examples == ("a",)


def test_the_classes_of_skos_are_no_concepts(read):
    ontology = read(":Place a owl:Class ; rdfs:subClassOf skos:Concept . :Town rdfs:subClassOf :Place .")
    assert list(ontology.graph) == ["Place", "Town"]
