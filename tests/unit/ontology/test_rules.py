"""What excludes and what requires what, in every form that OWL has for it."""

import pytest

DECLARED = (
    ":sky a owl:Class . :sea a owl:Class . :sand a owl:Class . :town a owl:Class . :photo a owl:Class ."
)


def some(filler, *, of=":shows"):
    return f"[ a owl:Restriction ; owl:onProperty {of} ; owl:someValuesFrom {filler} ]"


def exclusions(ontology):
    return [str(rule) for rule in ontology.exclusions]


def requirements(ontology):
    return [str(rule) for rule in ontology.requirements]


@pytest.mark.parametrize(
    ("axiom", "expected"),
    [
        (":sky owl:disjointWith :sea . :sea owl:disjointWith :sky .", ["sea excludes sky"]),
        (
            "[] a owl:AllDisjointClasses ; owl:members ( :sky :sea :sand ) .",
            ["sand excludes sea", "sand excludes sky", "sea excludes sky"],
        ),
        (":photo owl:disjointUnionOf ( :sky :sea ) .", ["sea excludes sky"]),
        (":sky owl:complementOf :sea .", ["sea excludes sky"]),
        (":sky rdfs:subClassOf [ owl:complementOf :sea ] .", ["sea excludes sky"]),
        (":sky owl:equivalentClass [ owl:complementOf :sea ] .", ["sea excludes sky"]),
        (
            ":sky owl:equivalentClass [ owl:intersectionOf ( :photo [ owl:complementOf :sea ] ) ] .",
            ["sea excludes sky"],
        ),
        (
            ":sky rdfs:subClassOf [ owl:complementOf [ owl:unionOf ( :sea :sand ) ] ] .",
            ["sand excludes sky", "sea excludes sky"],
        ),
        (f":sky rdfs:subClassOf [ owl:complementOf {some(':sea')} ] .", ["sea excludes sky"]),
        (
            ":sky owl:disjointWith [ owl:unionOf ( :sea :sand ) ] .",
            ["sand excludes sky", "sea excludes sky"],
        ),
    ],
)
def test_every_form_of_exclusion_is_read(axiom, expected, read):
    assert exclusions(read(DECLARED + axiom)) == expected


def test_a_pair_that_two_axioms_exclude_is_excluded_once(read):
    ontology = read(
        DECLARED + ":sky owl:disjointWith :sea . [] a owl:AllDisjointClasses ; owl:members ( :sky :sea ) ."
    )
    assert [rule.source for rule in ontology.exclusions] == ["owl:disjointWith"]


@pytest.mark.parametrize(
    ("axiom", "reason", "examples"),
    [
        (":sky owl:disjointWith :sky .", "exclusions of a class by itself", ("sky",)),
        (
            f":sky owl:disjointWith {some(':sea')} .",
            "owl:disjointWith with an expression",
            ("sky",),
        ),
        (
            f":sky rdfs:subClassOf [ owl:complementOf {some(':sea', of='obo:RO_1')} ] .",
            "complements of expressions",
            ("sky",),
        ),
        (
            f":sky rdfs:subClassOf [ owl:complementOf {some('[ owl:intersectionOf ( :sea :sand ) ]')} ] .",
            "complements of expressions",
            ("sky",),
        ),
    ],
)
def test_exclusions_that_cannot_be_said_between_concepts_are_counted(axiom, reason, examples, read):
    ontology = read(DECLARED + axiom)
    assert ontology.exclusions == ()
    assert ontology.report.unused[reason].examples == examples


@pytest.mark.parametrize(
    "above", ["rdfs:subClassOf {}", "owl:equivalentClass {}", "owl:intersectionOf ( {} )"]
)
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (some(":sea"), ["photo requires sea"]),
        (some("[ owl:unionOf ( :sea :sand ) ]"), ["photo requires sand or sea"]),
        (some("[ owl:intersectionOf ( :sea :sand ) ]"), ["photo requires sand", "photo requires sea"]),
        (
            f"[ owl:unionOf ( {some(':sea')} {some(':sand', of=':on')} ) ]",
            ["photo requires sand or sea"],
        ),
        (
            f"[ owl:intersectionOf ( {some(':sea')} {some(':sand')} ) ]",
            ["photo requires sand", "photo requires sea"],
        ),
        (
            f"[ owl:unionOf ( {some('[ owl:intersectionOf ( :sea :sand ) ]')} {some(':sky')} ) ]",
            ["photo requires sand or sky", "photo requires sea or sky"],
        ),
        (some(":sea", of="[ owl:inverseOf :shown_on ]"), ["photo requires sea"]),
        (some("owl:Thing"), []),
    ],
)
def test_every_form_of_requirement_is_read(above, condition, expected, read):
    ontology = read(f"{DECLARED} :photo {above.format(condition)} .")
    assert requirements(ontology) == expected
    assert all(rule.precondition for rule in ontology.requirements)


@pytest.mark.parametrize(
    ("condition", "relation"),
    [
        (some(":sea"), "shows"),
        (f"[ owl:unionOf ( {some(':sea')} {some(':sand', of=':on')} ) ]", "on|shows"),
        (some(":sea", of="[ owl:inverseOf :shown_on ]"), "inverse of shown_on"),
    ],
)
def test_a_requirement_knows_the_property_that_states_it(condition, relation, read):
    ontology = read(f"{DECLARED} :photo rdfs:subClassOf {condition} .")
    assert [rule.relation for rule in ontology.requirements] == [relation]


@pytest.mark.parametrize(
    "relation", ["obo:BFO_0000050", "other:part_of", "other:has_part", "other:RO_0002202"]
)
def test_relations_of_obo_are_no_preconditions(relation, read):
    ontology = read(f"{DECLARED} :sky rdfs:subClassOf {some(':sea', of=relation)} .")
    assert [rule.precondition for rule in ontology.requirements] == [False]
    assert ontology.report.preconditions == {}
    assert sum(ontology.report.other_requirements.values()) == 1


@pytest.mark.parametrize(
    "condition",
    [
        "[ a owl:Restriction ; owl:onProperty :shows ; owl:allValuesFrom :sea ]",
        "[ a owl:Restriction ; owl:onProperty :shows ; owl:hasValue :sea1 ]",
        "[ a owl:Restriction ; owl:onProperty :shows ; owl:minCardinality 1 ]",
        some("[ a owl:Restriction ; owl:onProperty :shows ; owl:someValuesFrom :sea ]"),
        f"[ owl:unionOf ( {some(':sea')} [ a owl:Restriction ; owl:onProperty :p ; owl:hasValue :x ] ) ]",
    ],
)
def test_other_restrictions_are_counted(condition, read):
    ontology = read(f"{DECLARED} :photo rdfs:subClassOf {condition} .")
    assert ontology.requirements == ()
    assert ontology.report.unused["restrictions of another kind"].examples == ("photo",)


def test_an_axiom_that_excludes_more_pairs_than_can_be_kept_is_counted_instead(read):
    members = " ".join(f":c{number}" for number in range(1_002))
    ontology = read(f"{DECLARED} [] a owl:AllDisjointClasses ; owl:members ( {members} ) .")
    assert ontology.exclusions == ()
    assert ontology.report.unused["owl:AllDisjointClasses of too many classes"].count == 1


def test_what_multiplies_beyond_reason_is_counted_instead(read):
    both = some("[ owl:intersectionOf ( :sea :sand ) ]")
    ontology = read(f"{DECLARED} :photo rdfs:subClassOf [ owl:unionOf ( {both * 7} ) ] .")
    assert ontology.requirements == ()
    assert ontology.report.unused["restrictions of another kind"].count == 1


def test_a_requirement_that_names_what_is_no_concept_is_left_out_as_a_whole(read):
    ontology = read(f"{DECLARED} :photo rdfs:subClassOf {some('[ owl:unionOf ( :sea :undeclared ) ]')} .")
    assert ontology.requirements == ()
    assert ontology.report.rules_left_out["requirements"].examples == ("photo",)


def test_rules_beyond_the_branches_are_left_out_and_counted(read):
    ontology = read(
        f":sea rdfs:subClassOf :water . :lake rdfs:subClassOf :water , {some(':mountains')} ."
        ":mountains a owl:Class ; owl:disjointWith :sea . :sea owl:disjointWith :lake .",
        root="water",
    )
    assert exclusions(ontology) == ["lake excludes sea"]
    assert requirements(ontology) == []
    assert {reason: tally.count for reason, tally in ontology.report.rules_left_out.items()} == {
        "exclusions": 1,
        "requirements": 1,
    }


def test_rules_reach_the_hierarchy(read):
    ontology = read(f"{DECLARED} :sky owl:disjointWith :sea . :photo rdfs:subClassOf {some(':town')} .")
    assert ontology.hierarchy().exclusions == ontology.exclusions
    assert ontology.hierarchy().requirements == ontology.requirements
