"""The report of what was read."""

from ontoeval.ontology.report import ReadingReport, Row, Tally, tallies


def test_a_tally_counts_all_and_shows_five():
    assert Tally.of("hgfedcbaa") == Tally(9, ("a", "b", "c", "d", "e"))


def test_reasons_are_in_alphabetical_order():
    assert list(tallies([("b", "x"), ("a", "y")])) == ["a", "b"]


def test_the_report_counts_everything(read):
    ontology = read("""
        <http://example.org/photo> a owl:Ontology ; owl:imports <http://example.org/more> .
        :photo a owl:Class ; oe:abstract true ; rdfs:label "photo"@en .
        :sky rdfs:subClassOf :photo ; rdfs:label "sky"@en , "Himmel"@de ; owl:disjointWith :sea .
        :sea rdfs:subClassOf :photo , :water ; rdfs:label "sea" ; owl:equivalentClass :ocean .
        :ocean a owl:Class ; rdfs:label "ocean" .
        :ocean rdfs:subClassOf [ owl:onProperty :on ; owl:someValuesFrom :photo ] .
        :lake rdfs:subClassOf :water ; rdfs:label "sky"@en .
        :old a owl:Class ; owl:deprecated true ; obo:IAO_0100001 :sky . :none a owl:Class .
        :sea rdfs:subClassOf [ owl:onProperty obo:part_of ; owl:someValuesFrom :water ] .
    """)
    assert ontology.report.rows() == (
        Row("read as", "OWL classes"),
        Row("concepts found", 8),
        Row("left out: deprecated", 1, ("old",)),
        Row("left out: without link and label", 1, ("none",)),
        Row("concepts", 5),
        Row("of these labels", 4),
        Row("of these abstract", 1, ("photo",)),
        Row("roots", 2, ("photo", "water")),
        Row("levels of links", 1),
        Row("links", 4),
        Row("links from rdfs:subClassOf", 4),
        Row("several parents", 1, ("ocean",)),
        Row("exclusions from owl:disjointWith", 1),
        Row("preconditions by on", 1),
        Row("no preconditions: part_of", 1),
        Row("equal to others, merged", 1, ("ocean = sea",)),
        Row("replaced by concepts", 1, ("old",)),
        Row("used but not declared", 3, ("lake", "sky", "water")),
        Row("labels in no language", 2),
        Row("labels in de", 1),
        Row("labels in en", 3),
        Row("without a label", 1, ("water",)),
        Row("ambiguous labels", 1, ("sky",)),
        Row("imports not read", 1, ("http://example.org/more",)),
    )


def test_preconditions_without_a_relation_are_by_none():
    rows = ReadingReport("JSON", preconditions={"": 2, "on": 1}).rows()
    assert [row.item for row in rows[-2:]] == ["preconditions", "preconditions by on"]


def test_the_report_is_a_plain_table():
    report = ReadingReport("OWL classes", found=1234, left_out={"deprecated": Tally(1234, ("a", "b\x1b[2J"))})
    assert str(report).splitlines()[:3] == [
        "read as               OWL classes",
        "concepts found              1,234",
        "left out: deprecated        1,234  a, 'b\\x1b[2J'",
    ]
