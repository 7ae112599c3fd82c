"""Which concepts are kept, and which of them are abstract."""

import pytest

from ontoeval.errors import AmbiguousNameError, InputError, ParameterError, UnknownConceptError

TREE = """
:oak rdfs:subClassOf :trees . :trees rdfs:subClassOf :plants . :plants rdfs:subClassOf :things .
:wheat rdfs:subClassOf :plants , :food . :food rdfs:subClassOf :things . :bread rdfs:subClassOf :food .
"""


def test_a_root_keeps_its_branch_and_itself(read):
    ontology = read(TREE, root="plants")
    assert sorted(ontology.graph) == ["oak", "plants", "trees", "wheat"]
    assert ontology.report.left_out["outside the branches"].count == 3
    assert ontology.report.links_left_out["to what is left out"].examples == ("plants", "wheat")


def test_several_roots_keep_several_branches(read):
    ontology = read(TREE, root=["trees", "http://example.org/photo#food"])
    assert sorted(ontology.graph) == ["bread", "food", "oak", "trees", "wheat"]
    assert ontology.report.roots.examples == ("food", "trees")


def test_a_root_that_is_no_concept_is_an_error(read):
    with pytest.raises(
        UnknownConceptError, match=r"photo.ttl: 1 unknown concept: 'plantz' in `root`.*'plants'"
    ):
        read(TREE, root="plantz")


def test_a_root_that_is_ambiguous_is_an_error(read):
    with pytest.raises(AmbiguousNameError, match=r"photo.ttl, `root`: 'sky' is ambiguous"):
        read(":sky a owl:Class . other:sky a owl:Class .", root="sky")


def test_a_root_that_is_deprecated_is_an_error_that_says_so(read):
    with pytest.raises(UnknownConceptError, match=r"'old' \(deprecated\)"):
        read(":new a owl:Class . :old a owl:Class ; owl:deprecated true .", root="old")


def test_given_concepts_are_abstract_beside_those_that_are_marked(read):
    ontology = read(TREE + ":plants oe:abstract true .", abstract=["things", "Food"])
    assert ontology.report.abstract.examples == ("food", "plants", "things")
    assert read(TREE, abstract="things").report.abstract.examples == ("things",)


def test_everything_that_a_concept_list_does_not_name_is_abstract(read):
    ontology = read(TREE + ":oak oe:abstract true .", concepts=["OAK", "trees", "wheat"])
    assert ontology.hierarchy().label_vocabulary.concepts == ("oak", "trees", "wheat")


def test_concepts_of_the_list_that_there_are_not_are_an_error_that_lists_them(read):
    with pytest.raises(UnknownConceptError, match=r"2 unknown concepts: 'elm' in `concepts`; 'ash' in"):
        read(TREE, concepts=["oak", "elm", "ash"])


def test_concepts_of_the_list_beyond_the_branches_are_an_error(read):
    with pytest.raises(
        UnknownConceptError, match=r"'bread' in `abstract` or `concepts`.*outside the branches"
    ):
        read(TREE, root="plants", concepts=["oak", "bread"])


def test_a_concept_cannot_be_abstract_and_in_the_list(read):
    with pytest.raises(ParameterError, match=r"abstract=.*'oak'"):
        read(TREE, abstract=["oak"], concepts=["oak", "trees"])


def test_an_empty_concept_list_leaves_no_label(read):
    with pytest.raises(InputError, match=r"photo.ttl: every concept is abstract"):
        read(TREE, concepts=[])


@pytest.mark.parametrize("option", ["root", "abstract", "concepts"])
def test_names_have_to_be_texts(option, read):
    with pytest.raises(ParameterError, match=f"{option}=.*expected names of concepts"):
        read(TREE, **{option: [3]})


@pytest.mark.parametrize("language", ["", " ", 3])
def test_a_language_has_to_be_a_tag(language, read):
    with pytest.raises(ParameterError, match="language="):
        read(TREE, language=language)


LABELLED = ':a rdfs:subClassOf :b ; rdfs:label "a" . :b rdfs:label "b" . :alone a owl:Class . '


def test_what_has_neither_link_nor_label_is_left_out_of_a_labelled_file(read):
    ontology = read(LABELLED + ':labelled a owl:Class ; rdfs:label "l" .')
    assert list(ontology.graph) == ["a", "b", "labelled"]
    assert ontology.report.left_out["without link and label"].examples == ("alone",)


@pytest.mark.parametrize("option", ["root", "abstract", "concepts"])
def test_what_is_named_is_kept_even_without_link_and_label(option, read):
    names = {"root": ["alone", "b"], "abstract": ["alone"], "concepts": ["alone", "a"]}
    assert "alone" in read(LABELLED, **{option: names[option]}).graph


def test_nothing_is_left_out_of_a_file_without_links_or_without_labels(read):
    assert list(read(':a a owl:Class . :b a owl:Class ; rdfs:label "b" .').graph) == ["a", "b"]
    assert list(read(":a rdfs:subClassOf :b . :alone a owl:Class .").graph) == ["a", "alone", "b"]


def test_what_was_left_out_is_said_where_it_is_missed(read):
    ontology = read(TREE + ':bread rdfs:label "loaf" .', root="plants")
    with pytest.raises(
        UnknownConceptError, match=r"Left out of the ontology: 'loaf' \(outside the branches\)"
    ):
        ontology.resolve("loaf")
    assert ontology.left_out["bread"] == "outside the branches"


def test_the_hierarchy_is_made_once_with_concepts_in_alphabetical_order(read):
    ontology = read(TREE)
    assert ontology.hierarchy() is ontology.hierarchy()
    assert ontology.hierarchy().vocabulary.concepts == tuple(sorted(ontology.graph))
    assert ontology.hierarchy().depth.tolist() == [2, 1, 3, 1, 0, 2, 2]
