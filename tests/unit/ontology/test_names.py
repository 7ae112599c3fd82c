"""What concepts are called, and by what else they may be called."""

import pytest

from ontoeval.core.names import local_name
from ontoeval.errors import AmbiguousNameError, UnknownConceptError
from ontoeval.ontology.names import choose_label, name_all
from ontoeval.ontology.triples import Text
from tests.parsers import PARSERS, parsing_with


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://example.org/photo#trees", "trees"),
        ("http://example.org/photo/trees", "trees"),
        ("http://example.org/photo/trees/", "trees"),
        ("http://example.org/photo#plants/trees", "plants/trees"),
        ("http://example.org/GO:0005634", "GO:0005634"),
        ("urn:photo:trees", "trees"),
        ("trees", "trees"),
        ("http://", "http:"),
    ],
)
def test_a_local_name_is_the_last_part_of_an_iri(iri, name):
    assert local_name(iri) == name


def test_names_are_as_short_as_they_can_be_without_being_shared():
    prefixes = {"a": "http://a/", "ab": "http://a/b#", "": "http://c/"}
    names = name_all(["http://a/sky", "http://a/b#sky", "http://c/sky", "http://c/sea"], prefixes)
    assert list(names.values()) == ["a:sky", "ab:sky", "http://c/sky", "sea"]


def test_a_curie_that_looks_like_a_local_name_is_not_used():
    names = name_all(["http://a/sky", "http://b/sky", "http://b/a:sky"], {"a": "http://a/"})
    assert list(names.values()) == ["http://a/sky", "http://b/sky", "http://b/a:sky"]


CLASHING = """
:sky a owl:Class ; rdfs:label "Heaven" . other:sky a owl:Class ; rdfs:label "Sky above" .
<http://third.org/sky> a owl:Class ; rdfs:label "heaven" . :sea a owl:Class ; rdfs:label "sea" .
other:Sea a owl:Class ; rdfs:label "Ocean" . :lake a owl:Class ; rdfs:label "sea" .
"""


def test_concepts_with_clashing_local_names_have_longer_names(read):
    ontology = read(CLASHING)
    # The empty prefix is no name that could be written anywhere else.
    assert set(ontology.graph) == {
        "http://example.org/photo#sky",
        "other:sky",
        "http://third.org/sky",
        "sea",
        "Sea",
        "lake",
    }
    assert ontology.report.clashing.examples == ("sky",)
    assert ontology.report.ambiguous.examples == ("sea",)


@pytest.mark.parametrize("parser", PARSERS)
def test_the_empty_prefix_is_understood_though_no_name_begins_with_it(read, parser):
    with parsing_with(parser):
        ontology = read(CLASHING)
    assert ontology.resolve(":sky") == ontology.resolve(" :sky ") == "http://example.org/photo#sky"
    assert ontology.resolve(":sea") == "sea"
    assert ontology.spellings.find(":Sea") == ()  # which is other:Sea
    with pytest.raises(UnknownConceptError, match=r"'lakes' \(near: 'lake'\)"):
        ontology.resolve("lakes")
    assert not any(name.startswith(":") for name in ontology.graph)


@pytest.mark.parametrize("parser", PARSERS)
def test_the_namespace_of_elements_without_prefix_is_that_of_the_empty_one(read_text, parser):
    with parsing_with(parser):
        ontology = read_text(
            '<rdf:RDF xmlns="http://example.org/photo#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
            ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">'
            '<owl:Class rdf:about="http://example.org/photo#sky"><rdfs:label>Heaven</rdfs:label></owl:Class></rdf:RDF>'
        )
    assert ontology.resolve(":sky") == ontology.resolve("Heaven") == "sky"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("other:sky", "other:sky"),
        ("http://example.org/other#sky", "other:sky"),
        ("<http://third.org/sky>", "http://third.org/sky"),
        ("Sky above", "other:sky"),
        ("SKY ABOVE", "other:sky"),
        (" Sky above ", "other:sky"),
        ("Heaven", "http://example.org/photo#sky"),
        ("heaven", "http://third.org/sky"),
        ("other:Sea", "Sea"),
        ("sea", "sea"),
        ("Sea", "Sea"),
        ("ocean", "Sea"),
    ],
)
def test_a_concept_is_found_by_name_iri_curie_and_label(text, name, read):
    ontology = read(CLASHING)
    assert ontology.resolve(text) == name
    assert ontology.spellings.find(text) == (name,)


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("sky", ("http://example.org/photo#sky", "http://third.org/sky", "other:sky")),
        ("HEAVEN", ("http://example.org/photo#sky", "http://third.org/sky")),
        ("SEA", ("Sea", "lake", "sea")),
    ],
)
def test_an_ambiguous_name_is_an_error_that_lists_the_candidates(text, candidates, read):
    ontology = read(CLASHING)
    assert ontology.spellings.find(text) == candidates
    with pytest.raises(AmbiguousNameError, match=f"truth.csv, row 3: '{text}' is ambiguous") as error:
        ontology.resolve(text, where="truth.csv, row 3")
    assert all(candidate in str(error.value) for candidate in candidates)


def test_an_unknown_name_is_an_error_with_near_ones(read):
    ontology = read(CLASHING)
    assert ontology.spellings.find("skies above") == ()
    with pytest.raises(UnknownConceptError, match=r"'skies above'.*near: 'Sky above'"):
        ontology.resolve("skies above")


def test_many_names_are_resolved_at_once_and_the_unknown_ones_listed_with_their_places(read):
    ontology = read(CLASHING)
    assert ontology.resolve_all(["sea", "Ocean", "sea"]) == {"sea": "sea", "Ocean": "Sea"}
    with pytest.raises(UnknownConceptError, match=r"truth.csv: 2 unknown.*'x' in row 3.*'y' in row 9"):
        ontology.resolve_all({"x": "row 3", "sea": "row 4", "y": "row 9"}, where="truth.csv")


def test_the_names_are_a_mapping_of_every_unambiguous_spelling(read):
    names = read(CLASHING).names
    assert names["Sky above"] == names["<http://example.org/other#sky>"] == "other:sky"
    assert "sky" not in names


def test_identifiers_of_obo_are_understood(read):
    ontology = read("obo:GO_0005634 a owl:Class . obo:BFO_0000001 a owl:Class .")
    assert ontology.resolve("GO:0005634") == ontology.resolve("obo:GO_0005634") == "GO_0005634"


def test_accents_may_be_encoded_in_either_way(read):
    ontology = read(':t a owl:Class ; rdfs:label "B\u00e4ume" .')
    assert ontology.resolve("Ba\u0308ume") == "t"


def test_names_do_not_depend_on_the_branches_that_are_kept(read):
    ontology = read(":sky rdfs:subClassOf :top . other:sky rdfs:subClassOf other:top .", root="other:top")
    assert set(ontology.graph) == {"other:sky", "other:top"}


LABELS = [Text("colour", "en-gb"), Text("color", "en-us"), Text("Farbe", "de"), Text("tint", "")]


@pytest.mark.parametrize(
    ("language", "labels", "chosen"),
    [
        ("en", [Text("hue", "en"), *LABELS], "hue"),
        ("en", LABELS, "colour"),
        ("en-US", LABELS, "color"),
        ("en-AU", [Text("hue", "en"), *LABELS], "hue"),
        ("EN-GB", LABELS, "colour"),
        ("fr", LABELS, "tint"),
        ("fr", LABELS[:3], "Farbe"),
        ("eng", LABELS, "tint"),
        ("en", [Text("  ", "en"), Text("b", "en"), Text("a", "en")], "a"),
        ("en", [Text("two\n words", "en")], "two words"),
        ("en", [], ""),
    ],
)
def test_labels_are_chosen_by_language_then_variant_then_none_then_any(language, labels, chosen):
    assert choose_label([labels], language) == chosen
    assert choose_label([labels[::-1]], language) == chosen


def test_a_preferred_label_in_the_asked_language_wins_over_a_label_in_another(read):
    ontology = read(':pizza a owl:Class ; rdfs:label "Piza"@pt ; skos:prefLabel "Pizza"@en .')
    assert ontology.graph.nodes["pizza"]["label"] == "Pizza"


def test_concepts_without_label_are_shown_by_their_local_name_and_counted(read):
    ontology = read(
        ':sky a owl:Class . :sea a owl:Class ; rdfs:label "Meer"@de , "sea"@en-GB .', language="de"
    )
    assert dict(ontology.graph.nodes(data="label")) == {"sky": "sky", "sea": "Meer"}
    assert ontology.report.unlabelled.examples == ("sky",)
    assert ontology.report.languages == {"de": 1, "en-gb": 1}


def test_half_characters_that_escapes_make_are_replaced(read):
    ontology = read(r':sky a owl:Class ; rdfs:label "\ud83d sky" .')
    assert ontology.graph.nodes["sky"]["label"] == "? sky"
