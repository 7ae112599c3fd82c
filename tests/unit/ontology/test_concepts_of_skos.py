"""SKOS: which concepts there are, and which lies below which."""

import pytest


def links(ontology):
    return sorted(ontology.graph.edges(data="kind"))


def test_broader_and_narrower_are_united(read):
    ontology = read(":trees skos:broader :plants . :plants skos:narrower :trees , :flowers .")
    assert links(ontology) == [("plants", "flowers", "skos:narrower"), ("plants", "trees", "skos:broader")]


def test_transitive_links_count_where_there_are_no_others_and_are_reduced(read):
    ontology = read(
        ":oak skos:broaderTransitive :trees , :plants . :trees skos:broaderTransitive :plants ."
        ":plants skos:narrowerTransitive :grass ."
    )
    assert links(ontology) == [
        ("plants", "grass", "skos:narrowerTransitive"),
        ("plants", "trees", "skos:broaderTransitive"),
        ("trees", "oak", "skos:broaderTransitive"),
    ]


def test_transitive_links_beside_direct_ones_are_counted_only(read):
    ontology = read(
        ":oak skos:broader :trees ; skos:broaderTransitive :trees , :plants . :trees skos:broader :plants ."
    )
    assert links(ontology) == [("plants", "trees", "skos:broader"), ("trees", "oak", "skos:broader")]
    assert ontology.report.unused["transitive links beside direct ones"].examples == ("oak",)


@pytest.mark.parametrize("kind", ["skos:Collection", "skos:OrderedCollection", "skos:ConceptScheme"])
def test_schemes_and_collections_are_no_concepts(kind, read):
    ontology = read(f":group a {kind} . :oak a skos:Concept ; skos:broader :group , :trees .")
    assert links(ontology) == [("trees", "oak", "skos:broader")]
    assert ontology.report.unused["skos:broader with what is no concept"].examples == ("oak",)


def test_concepts_that_are_not_declared_are_concepts_and_counted(read):
    ontology = read(":oak a skos:Concept ; skos:broader :trees .")
    assert list(ontology.graph) == ["oak", "trees"]
    assert ontology.report.undeclared.examples == ("trees",)


def test_preferred_labels_are_labels(read):
    ontology = read(
        ':oak a skos:Concept ; skos:prefLabel "oak"@en ; skos:altLabel "oak tree"@en ; rdfs:label "Oak"@en .'
    )
    assert ontology.graph.nodes["oak"]["label"] == "oak"


def test_deprecated_concepts_are_left_out(read):
    ontology = read(":oak a skos:Concept . :old a skos:Concept ; owl:deprecated true .")
    assert list(ontology.graph) == ["oak"]


def test_abstract_marks_hold_for_skos_as_well(read):
    ontology = read(":trees a skos:Concept ; oe:abstract true . :oak skos:broader :trees .")
    assert ontology.hierarchy().label_vocabulary.concepts == ("oak",)


def test_a_file_with_more_concepts_than_classes_is_skos_and_says_so(read):
    ontology = read(":Kind a owl:Class . :oak a skos:Concept . :elm a skos:Concept .")
    assert list(ontology.graph) == ["elm", "oak"]
    assert (ontology.report.read_as, ontology.report.also) == ("SKOS concepts", "1 OWL classes")


def test_a_file_with_as_many_classes_is_owl_and_says_so(read):
    ontology = read(":Kind a owl:Class . :oak a skos:Concept .")
    assert list(ontology.graph) == ["Kind"]
    assert (ontology.report.read_as, ontology.report.also) == ("OWL classes", "1 SKOS concepts")


def test_a_concept_scheme_names_the_ontology(read):
    ontology = read("<http://example.org/trees> a skos:ConceptScheme . :oak a skos:Concept .")
    assert ontology.source.iri == "http://example.org/trees"


THESAURI = (
    "@prefix iso: <http://purl.org/iso25964/skos-thes#> . @prefix gvp: <http://vocab.getty.edu/ontology#> ."
    "@prefix xl: <http://www.w3.org/2008/05/skos-xl#> ."
)


def test_generic_links_of_thesauri_are_links_and_partitive_ones_are_none(read):
    ontology = read(
        THESAURI + ":oak a skos:Concept ; iso:broaderGeneric :trees ; iso:broaderPartitive :forest ."
        ":plants a skos:Concept ; iso:narrowerGeneric :trees . :elm gvp:broaderGeneric :trees ."
        ":trees skos:broader :plants ."
    )
    assert links(ontology) == [
        ("plants", "trees", "skos:broader"),
        ("trees", "elm", "gvp:broaderGeneric"),
        ("trees", "oak", "iso-thes:broaderGeneric"),
    ]


@pytest.mark.parametrize(("language", "label"), [("en", "oaks"), ("de", "Eichen")])
def test_labels_may_be_resources_of_their_own(language, label, read):
    ontology = read(
        THESAURI + ":oak a skos:Concept ; xl:prefLabel :l1 , [ a xl:Label ; xl:literalForm 'Eichen'@de ] ."
        ":l1 xl:literalForm 'oaks'@en . :elm a skos:Concept ; skos:prefLabel 'elms' ; xl:prefLabel :l1 .",
        language=language,
    )
    assert dict(ontology.graph.nodes(data="label")) == {"oak": label, "elm": "elms"}
