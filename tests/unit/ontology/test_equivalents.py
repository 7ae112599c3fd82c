"""Concepts that a file says are equal become one, by whose names all of them are found."""

import pytest

from ontoeval.errors import AmbiguousNameError, CycleError


def edges(ontology):
    return sorted(ontology.graph.edges)


def test_equal_classes_become_one_with_the_links_of_both(read):
    ontology = read("""
        :heaven a owl:Class ; rdfs:subClassOf :above ; owl:equivalentClass :sky .
        :sky a owl:Class ; rdfs:subClassOf :nature . :clouds rdfs:subClassOf :sky .
    """)
    assert edges(ontology) == [("above", "heaven"), ("heaven", "clouds"), ("nature", "heaven")]
    assert ontology.report.equivalents.examples == ("heaven = sky",)
    assert ontology.report.found == ontology.report.concepts + 1


@pytest.mark.parametrize(
    "spelling",
    ["sky", "other:sky", "http://example.org/other#sky", "<http://example.org/other#sky>", "Skies", "SKIES"],
)
def test_what_became_one_with_another_is_found_by_its_own_names(spelling, read):
    ontology = read("""
        :heaven a owl:Class ; rdfs:label "Heaven"@en ; owl:equivalentClass other:sky .
        other:sky a owl:Class ; rdfs:label "Skies"@en . :clouds rdfs:subClassOf :heaven .
    """)
    assert ontology.resolve(spelling) == "heaven"
    assert ontology.resolve(spelling) == "heaven"


def test_branches_and_marks_may_name_what_became_one_with_another(read):
    turtle = (
        ":heaven a owl:Class ; owl:equivalentClass :sky . :sky a owl:Class . :clouds rdfs:subClassOf :sky ."
    )
    assert list(read(turtle, root="sky").graph) == ["clouds", "heaven"]
    assert read(turtle, abstract="sky").hierarchy().label_vocabulary.concepts == ("clouds",)


def test_classes_of_other_vocabularies_are_not_added(read):
    ontology = read(":sky a owl:Class ; owl:equivalentClass other:heaven .")
    assert list(ontology.graph) == ["sky"]
    assert ontology.report.equivalents.count == 0


@pytest.mark.parametrize(
    ("turtle", "kept"),
    [
        # Live rather than given up, whatever else speaks for the other.
        (
            ":a a owl:Class ; owl:deprecated true ; owl:equivalentClass other:b . other:b rdfs:subClassOf :c .",
            "b",
        ),
        # Declared rather than only used.
        (":c rdfs:subClassOf :a . other:b a owl:Class ; owl:equivalentClass :a .", "b"),
        # Of the namespace that most have.
        (":z a owl:Class ; owl:equivalentClass other:a . other:a a owl:Class . :x a owl:Class .", "z"),
        # First in the alphabet.
        (":b a owl:Class ; owl:equivalentClass :a . :a a owl:Class .", "a"),
    ],
)
def test_which_of_equal_classes_is_kept_does_not_depend_on_the_order(turtle, kept, read):
    assert kept in read(turtle).graph
    assert kept in read(" .\n".join(reversed(turtle.removesuffix(".").split(" . "))) + " .").graph


def test_all_are_given_up_where_all_are_deprecated(read):
    ontology = read(
        ":a a owl:Class ; owl:deprecated true ; owl:equivalentClass :b . :b a owl:Class ; owl:deprecated true ."
        ":c a owl:Class ."
    )
    assert list(ontology.graph) == ["c"]


def test_a_class_below_one_that_it_is_equal_to_is_no_cycle(read):
    ontology = read(":a rdfs:subClassOf :b ; owl:equivalentClass :b . :b rdfs:subClassOf :c .")
    assert edges(ontology) == [("c", "a")]


def test_a_cycle_through_equal_classes_says_that_all_on_it_are_equal(read):
    ontology = read("""
        :a rdfs:subClassOf :b . :b owl:equivalentClass :c . :c rdfs:subClassOf :a . :c a owl:Class .
        :d rdfs:subClassOf :c . :e rdfs:subClassOf :b .
    """)
    assert edges(ontology) == [("c", "d"), ("c", "e")]
    assert [ontology.resolve(name) for name in "abc"] == ["c", "c", "c"]


def test_a_cycle_of_links_alone_stays_an_error(read):
    with pytest.raises(CycleError, match="a -> b -> a"):
        read(
            ":a rdfs:subClassOf :b . :b rdfs:subClassOf :a ; owl:equivalentClass :c . :c rdfs:subClassOf :d ."
        )


def test_equal_to_equal_is_equal(read):
    ontology = read(
        ":a owl:equivalentClass :b . :b owl:equivalentClass :c . :a a owl:Class . :b a owl:Class . :c a owl:Class ."
    )
    assert list(ontology.graph) == ["a"]


def test_rules_and_marks_of_all_hold_of_the_one(read):
    ontology = read("""
        :sea a owl:Class ; owl:equivalentClass :ocean ; owl:disjointWith :sky .
        :ocean a owl:Class ; oe:abstract true ; owl:disjointWith :land .
        :ship rdfs:subClassOf [ owl:onProperty :on ; owl:someValuesFrom :sea ] .
        :ocean rdfs:subClassOf [ owl:onProperty :on ; owl:someValuesFrom :sea ] .
        :sky a owl:Class . :land a owl:Class . :ship a owl:Class .
    """)
    assert list(map(str, ontology.exclusions)) == ["land excludes ocean", "ocean excludes sky"]
    assert list(map(str, ontology.requirements)) == ["ship requires ocean"]
    assert ontology.graph.nodes["ocean"]["abstract"]


def test_an_exclusion_of_equal_classes_is_counted_and_says_nothing(read):
    ontology = read(":a a owl:Class ; owl:equivalentClass :b ; owl:disjointWith :b . :b a owl:Class .")
    assert ontology.exclusions == ()
    assert ontology.report.unused["exclusions of a class by itself"].count == 1


def test_a_label_in_the_asked_language_wins_whichever_class_bears_it(read):
    ontology = read("""
        :a a owl:Class ; rdfs:label "Himmel"@de ; owl:equivalentClass :b .
        :b a owl:Class ; rdfs:label "sky"@en , "Gewölbe"@de .
    """)
    assert ontology.graph.nodes["a"]["label"] == "sky"


def test_a_name_that_another_concept_has_as_well_is_still_ambiguous(read):
    ontology = read(
        ':a a owl:Class ; owl:equivalentClass other:c . other:c a owl:Class ; rdfs:label "cloud" .'
        ':b a owl:Class ; rdfs:label "cloud" .'
    )
    with pytest.raises(AmbiguousNameError, match="'cloud'"):
        ontology.resolve("cloud")
