"""The report of what was read."""

import ontoeval as oe
from ontoeval.ontology.report import ReportRow, Tally, tallies


def test_a_tally_counts_all_and_shows_five():
    assert Tally.from_items("hgfedcbaa") == Tally(9, ("a", "b", "c", "d", "e"))


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
        ReportRow("read as", "OWL classes"),
        ReportRow("concepts found", 8),
        ReportRow("left out: deprecated", 1, ("old",)),
        ReportRow("left out: without link and label", 1, ("none",)),
        ReportRow("concepts", 5),
        ReportRow("of these labels", 4),
        ReportRow("of these abstract", 1, ("photo",)),
        ReportRow("roots", 2, ("photo", "water")),
        ReportRow("levels of links", 1),
        ReportRow("links", 4),
        ReportRow("links from rdfs:subClassOf", 4),
        ReportRow("several parents", 1, ("ocean",)),
        ReportRow("exclusions from owl:disjointWith", 1),
        ReportRow("preconditions by on", 1),
        ReportRow("no preconditions: part_of", 1),
        ReportRow("equal to others, merged", 1, ("ocean = sea",)),
        ReportRow("replaced by concepts", 1, ("old",)),
        ReportRow("used but not declared", 3, ("lake", "sky", "water")),
        ReportRow("labels in no language", 2),
        ReportRow("labels in de", 1),
        ReportRow("labels in en", 3),
        ReportRow("without a label", 1, ("water",)),
        ReportRow("ambiguous labels", 1, ("sky",)),
        ReportRow("imports not read", 1, ("http://example.org/more",)),
    )


def test_preconditions_without_a_relation_are_by_none():
    rows = oe.ontology.ReadingReport("JSON", preconditions={"": 2, "on": 1}).rows()
    assert [row.item for row in rows[-2:]] == ["preconditions", "preconditions by on"]


def test_the_report_is_a_plain_table():
    report = oe.ontology.ReadingReport(
        "OWL classes", found=1234, left_out={"deprecated": Tally(1234, ("a", "b\x1b[2J"))}
    )
    assert str(report).splitlines()[:3] == [
        "read as               OWL classes",
        "concepts found              1,234",
        "left out: deprecated        1,234  a, 'b\\x1b[2J'",
    ]
