"""Audits of ontologies: each rule finds what it is there for, and nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.audit.findings import Finding, Findings
from ontoeval.audit.ontology import RULES, audit_ontology
from ontoeval.errors import CycleError, ParameterError
from ontoeval.ontology.reading import read_draft
from tests.commands import call, refusal

Write = Callable[..., Path]

TURTLE = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix oe: <https://w3id.org/ontoeval/ns#> .
@prefix : <http://example.org/t#> .
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str, name: str = "t.obo") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def obo(*terms: str) -> str:
    """An OBO file: of each term "id name | clause | clause"."""
    stanzas = []
    for term in terms:
        head, *clauses = term.split(" | ")
        identifier, _, name = head.partition(" ")
        lines = [f"id: T:{identifier}", *([f"name: {name}"] if name else []), *clauses]
        stanzas.append("[Term]\n" + "\n".join(lines))
    return "ontology: t\n\n" + "\n\n".join(stanzas) + "\n"


def turtle(classes: str, axioms: str = "") -> str:
    """A Turtle file: of each class "name" or "name parent"."""
    lines = []
    for line in classes.split(";"):
        name, *above = line.split()
        lines.append(f':{name} a owl:Class ; rdfs:label "{name}" .')
        lines += [f":{name} rdfs:subClassOf :{parent} ." for parent in above]
    return TURTLE + "\n".join(lines) + "\n" + axioms


def only(findings: Findings, rule: str) -> Finding:
    assert len(findings.of(rule)) == 1
    return findings.of(rule)[0]


def rules_in(findings: Findings) -> set[str]:
    return {finding.rule for finding in findings}


def test_an_ontology_without_faults_has_no_findings() -> None:
    findings = audit_ontology(oe.ontologies.path("diamond"))
    assert not findings.fails("warning")
    assert findings.facts["shape"]["with several parents"] == 2
    assert findings.facts["shape"]["depth"] == 3


def test_the_shipped_ontologies_have_no_errors_and_no_warnings() -> None:
    for name in ("photo", "nowak-2009-figure-1", "diamond"):
        assert not audit_ontology(oe.ontologies.path(name)).fails("warning"), name


def test_cycles_are_findings_that_name_every_link(write: Write) -> None:
    path = write(obo("1 a", "2 b | is_a: T:1 | is_a: T:3", "3 c | is_a: T:2", "4 d | is_a: T:3"))
    finding = only(audit_ontology(path), "cycle")
    assert finding.severity == "error"
    assert set(finding.concepts) == {"T_2", "T_3"}
    assert finding.count == 2
    assert "T_2 (b) -> T_3 (c) (is_a); T_3 (c) -> T_2 (b) (is_a)" in finding.explanation
    with pytest.raises(CycleError):
        oe.read_ontology(path)


def test_a_tangle_is_one_finding_with_the_number_of_its_concepts(write: Write) -> None:
    path = write("child,parent\n" + "a,b\nb,a\nb,c\nc,a\n", "t.csv")
    finding = only(audit_ontology(path), "cycle")
    assert finding.count == 3
    assert "1 more concepts are tangled in it" in finding.explanation


def test_long_cycles_are_cut_short_in_words_but_named_in_full(write: Write) -> None:
    names = [f"c{number:02}" for number in range(20)]
    rows = [f"{one},{other}" for one, other in zip(names, [*names[1:], names[0]], strict=True)]
    finding = only(audit_ontology(write("\n".join(["child,parent", *rows]), "t.csv")), "cycle")
    assert len(finding.concepts) == 20
    assert finding.explanation.endswith("; ….")


def test_a_link_of_a_concept_to_itself_is_a_cycle_unless_it_says_nothing(write: Write) -> None:
    finding = only(audit_ontology(write("child,parent\na,a\nb,a\n", "t.csv")), "cycle")
    assert (finding.concepts, finding.fix) == (("a",), "Remove this link.")
    harmless = audit_ontology(write(turtle("a;b a", ":a rdfs:subClassOf :a ."), "t.ttl"))
    assert only(harmless, "self-link").concepts == ("a",)


def test_orphans_are_named_also_those_that_reading_leaves_out(write: Write) -> None:
    terms = turtle("a;b a;c a;alone", ":nameless a owl:Class .")
    finding = only(audit_ontology(write(terms, "t.ttl")), "orphan")
    assert finding.concepts == ("alone", "nameless")
    assert (finding.count, finding.total) == (2, 5)
    assert "left out when the ontology is read: 'nameless'" in finding.explanation


def test_a_single_concept_is_no_orphan(write: Write) -> None:
    assert "orphan" not in rules_in(audit_ontology(write(obo("1 a"))))


def test_several_roots_are_noted_without_orphans(write: Write) -> None:
    findings = audit_ontology(write(turtle("a;b a;c;d c;alone"), "t.ttl"))
    assert only(findings, "several-roots").concepts == ("a", "c")
    assert only(findings, "several-roots").severity == "note"


def test_a_link_that_follows_from_others_is_redundant(write: Write) -> None:
    path = write(obo("1 plant", "2 tree | is_a: T:1", "3 oak | is_a: T:2 | is_a: T:1"))
    finding = only(audit_ontology(path), "redundant-link")
    assert finding.concepts == ("T_3", "T_1")
    assert finding.explanation == "T_3 (oak) lies below T_1 (plant) through T_2 (tree) already."
    assert finding.fix == "Remove the link from T_3 (oak) to T_1 (plant)."


def test_a_link_that_a_definition_needs_is_not_redundant(write: Write) -> None:
    path = write(
        obo(
            "1 plant",
            "2 tree | is_a: T:1",
            "3 oak | is_a: T:2 | intersection_of: T:1 | intersection_of: part_of T:2",
        )
    )
    assert "redundant-link" not in rules_in(audit_ontology(path))
    again = path.read_text(encoding="utf-8").replace("is_a: T:2\n", "is_a: T:2\nis_a: T:1\n")
    assert only(audit_ontology(write(again)), "redundant-link").concepts == ("T_3", "T_1")


def test_a_way_through_another_relation_makes_no_link_redundant(write: Write) -> None:
    path = write(obo("1 car", "2 wheel | relationship: part_of T:1", "3 tyre | is_a: T:2 | is_a: T:1"))
    draft = read_draft(path, relations="part_of")
    assert "redundant-link" not in rules_in(audit_ontology(draft))
    assert "redundant-link" not in rules_in(audit_ontology(oe.read_ontology(path, relations="part_of")))


def test_redundant_links_throughout_a_file_are_one_finding(write: Write) -> None:
    pairs = [f"c{low:02},c{high:02}" for low in range(1, 20) for high in range(low)]
    findings = audit_ontology(write("\n".join(["child,parent", *pairs]), "t.csv"))
    finding = only(findings, "redundant-link")
    assert (finding.count, finding.total) == (171, 190)


def test_many_redundant_links_of_one_concept_are_counted_in_words(write: Write) -> None:
    pairs = [f"c{low:02},c{low - 1:02}" for low in range(1, 12)] + [f"low,c{high:02}" for high in range(12)]
    finding = only(audit_ontology(write("\n".join(["child,parent", *pairs]), "t.csv")), "redundant-link")
    assert finding.count == 11
    assert "and 3 more already" in finding.explanation


def test_what_lies_below_two_that_exclude_each_other_can_have_no_instances(write: Write) -> None:
    axiom = ":b owl:disjointWith :c ."
    path = write(turtle("a;b a;c a;d b c;e d;f e", axiom), "t.ttl")
    finding = only(audit_ontology(path), "unsatisfiable")
    assert finding.severity == "error"
    assert finding.concepts == ("d", "b", "c")
    assert finding.count == 3
    assert "b excludes c (owl:disjointWith)" in finding.explanation
    assert "The same holds for 2 descendants." in finding.explanation


def test_exclusions_between_a_concept_and_what_lies_below_it_are_unsatisfiable(write: Write) -> None:
    findings = audit_ontology(write(turtle("a;b a", ":a owl:disjointWith :b ."), "t.ttl"))
    assert only(findings, "unsatisfiable").concepts == ("b", "a")


def test_many_exclusions_that_meet_in_one_concept_are_one_finding(write: Write) -> None:
    classes = "a;b a;c a;d a;e b c d"
    axiom = "[] a owl:AllDisjointClasses ; owl:members (:b :c :d :a) ."
    findings = audit_ontology(write(turtle(classes, axiom), "t.ttl"))
    met = [finding for finding in findings.of("unsatisfiable") if finding.concepts[0] == "e"]
    assert len(met) == 1
    assert met[0].concepts == ("e", "b", "c", "d")


def test_more_exclusions_than_are_shown_are_counted(write: Write) -> None:
    classes = "a;b a;c a;d a;f a;e b c d f"
    axiom = "[] a owl:AllDisjointClasses ; owl:members (:b :c :d :f) ."
    finding = only(audit_ontology(write(turtle(classes, axiom), "t.ttl")), "unsatisfiable")
    assert "and 3 more such pairs" in finding.explanation


def test_several_concepts_that_can_have_no_instances_are_named_together(write: Write) -> None:
    findings = audit_ontology(write(turtle("a;b a;c a;d b c;e b c", ":b owl:disjointWith :c ."), "t.ttl"))
    assert only(findings, "unsatisfiable").concepts == ("d", "e", "b", "c")
    assert "they lie below" in only(findings, "unsatisfiable").explanation


def test_a_concept_that_excludes_itself_or_is_nothing_can_have_no_instances(write: Write) -> None:
    axioms = ":b owl:disjointWith :b . :c rdfs:subClassOf owl:Nothing ."
    findings = audit_ontology(write(turtle("a;b a;c a", axioms), "t.ttl"))
    assert {finding.concepts for finding in findings.of("unsatisfiable")} == {("b",), ("c",)}


def needs(concept: str, *others: str) -> str:
    fillers = " ".join(f":{other}" for other in others)
    filler = fillers if len(others) == 1 else f"[ a owl:Class ; owl:unionOf ({fillers}) ]"
    restriction = f"[ a owl:Restriction ; owl:onProperty :shows ; owl:someValuesFrom {filler} ]"
    return f":{concept} rdfs:subClassOf {restriction} ."


def test_a_requirement_of_what_is_excluded_cannot_be_met(write: Write) -> None:
    axioms = needs("portrait", "crowd") + ":photo owl:disjointWith :people ."
    path = write(turtle("photo;portrait photo;people;crowd people", axioms), "t.ttl")
    finding = only(audit_ontology(path), "impossible-requirement")
    assert finding.concepts == ("portrait",)
    assert (finding.count, finding.total) == (1, 1)
    assert "portrait requires crowd; but people excludes photo (owl:disjointWith)" in finding.explanation


def test_a_requirement_with_an_alternative_can_be_met(write: Write) -> None:
    axioms = needs("portrait", "crowd", "dog") + ":photo owl:disjointWith :people ."
    path = write(turtle("photo;portrait photo;people;crowd people;dog", axioms), "t.ttl")
    assert "impossible-requirement" not in rules_in(audit_ontology(path))


def test_a_requirement_is_impossible_where_each_label_of_it_is_excluded_or_none_may_be_one(
    write: Write,
) -> None:
    classes = "top;portrait top;people top;crowd people;pair people;thing top"
    axioms = needs("portrait", "people", "thing")
    axioms += (
        ":portrait owl:disjointWith :crowd , :pair . :people oe:abstract true . :thing oe:abstract true ."
    )
    finding = only(audit_ontology(write(turtle(classes, axioms), "t.ttl")), "impossible-requirement")
    assert "each label at or below people is excluded" in finding.explanation
    assert "nothing at or below thing can be a label" in finding.explanation


def test_a_requirement_that_only_some_of_what_inherits_it_can_meet_names_the_highest_others(
    write: Write,
) -> None:
    classes = "photo;light;day photo;night photo;midnight night;dark;dusk photo"
    axioms = needs("photo", "light") + ":night owl:disjointWith :light . :dusk owl:disjointWith :light ."
    findings = audit_ontology(write(turtle(classes, axioms), "t.ttl")).of("impossible-requirement")
    assert [finding.concepts for finding in findings] == [("dusk",), ("night",)]
    assert findings[1].explanation == (
        "1 inherited requirement by shows cannot be met by labels: photo requires light, inherited by night; "
        "but light excludes night (owl:disjointWith)."
    )
    assert (findings[1].count, findings[1].total) == (1, None)


def test_what_lies_below_two_that_exclude_each_other_is_not_blamed_for_what_it_inherits(
    write: Write,
) -> None:
    axioms = needs("photo", "light") + ":night owl:disjointWith :light . :photo owl:disjointWith :night ."
    findings = audit_ontology(write(turtle("photo;light;night photo", axioms), "t.ttl"))
    assert rules_in(findings) >= {"unsatisfiable"}
    assert "impossible-requirement" not in rules_in(findings)
    axioms = needs("night", "day") + ":photo owl:disjointWith :night ."
    assert rules_in(audit_ontology(write(turtle("photo;day photo;night photo", axioms), "t.ttl"))) == {
        "unsatisfiable"
    }


def test_requirements_that_fail_alike_are_one_finding(write: Write) -> None:
    classes = "photo;people;" + ";".join(f"p{n} photo;q{n} people" for n in range(6))
    axioms = "".join(needs(f"p{n}", f"q{n}") for n in range(6)) + ":photo owl:disjointWith :people ."
    finding = only(audit_ontology(write(turtle(classes, axioms), "t.ttl")), "impossible-requirement")
    assert (finding.count, finding.total, len(finding.concepts)) == (6, 6, 6)
    assert "; …; but" in finding.explanation


def test_more_reasons_than_are_shown_are_counted(write: Write) -> None:
    classes = "photo;" + ";".join(f"q{n}" for n in range(5))
    axioms = needs("photo", *(f"q{n}" for n in range(5)))
    axioms += "".join(f":photo owl:disjointWith :q{n} ." for n in range(5))
    finding = only(audit_ontology(write(turtle(classes, axioms), "t.ttl")), "impossible-requirement")
    assert "and 2 more" in finding.explanation


def test_what_obo_relations_need_is_no_requirement_of_labels(write: Write) -> None:
    path = write(obo("1 a | disjoint_from: T:2 | relationship: part_of T:2", "2 b"))
    assert "impossible-requirement" not in rules_in(audit_ontology(path))


def test_labels_that_differ_by_case_alone_are_duplicates(write: Write) -> None:
    path = write(obo("1 top", "2 Sky | is_a: T:1", "3 sky | is_a: T:1"))
    finding = only(audit_ontology(path), "duplicate-label")
    assert finding.concepts == ("T_2", "T_3")
    assert "'Sky', 'sky'" in finding.explanation


def test_missing_labels_are_counted_in_a_file_and_in_an_ontology_alike(write: Write) -> None:
    path = write(obo("1 top", *(f"{n} | is_a: T:1" for n in range(2, 9)), "9 low | is_a: T:1"))
    for findings in (audit_ontology(path), audit_ontology(oe.read_ontology(path))):
        finding = only(findings, "missing-label")
        assert (finding.count, finding.total) == (7, 9)
        assert "and 2 more" in finding.explanation


def test_plain_names_need_no_labels(write: Write) -> None:
    assert not len(audit_ontology(write("child,parent\nb,a\nc,a\n", "t.csv")))


def test_what_is_used_and_never_declared_is_told_with_the_imports(write: Write) -> None:
    findings = audit_ontology(write(obo("1 top", "2 a | is_a: T:1", "3 b | is_a: T:7")))
    assert only(findings, "undeclared").concepts == ("T_7",)
    assert only(findings, "undeclared").fix == "Declare them, or correct the names."
    text = obo("1 top", "2 a | is_a: T:1", "3 b | is_a: T:7").replace("\n\n", "\nimport: other.owl\n\n", 1)
    findings = audit_ontology(write(text))
    assert "'other.owl'" in only(findings, "undeclared").explanation
    assert only(findings, "undeclared").fix == "Name the local copies of the imports (--import)."


def test_deprecated_concepts_in_use_are_found_with_what_replaces_them(write: Write) -> None:
    path = write(
        obo(
            "1 top",
            "2 old | is_obsolete: true | replaced_by: T:1",
            "3 low | is_a: T:2 | is_a: T:1",
            "4 part | is_a: T:1 | relationship: part_of T:2",
            "5 foe | is_a: T:1 | disjoint_from: T:2",
            "6 gone | is_obsolete: true",
            "7 last | is_a: T:6 | is_a: T:1",
        )
    )
    first, second = sorted(audit_ontology(path).of("deprecated-in-use"), key=lambda found: found.concepts)
    assert first.concepts == ("T_2", "T_3", "T_4", "T_5")
    assert first.fix == "Use T_1 (top) instead."
    for use in ("below it: 'T_3 (low)'", "needing it (part_of): 'T_4 (part)'", "excluding it: 'T_5 (foe)'"):
        assert use in first.explanation
    assert (second.concepts, second.fix) == (("T_6", "T_7"), "Use another concept instead.")


def test_deprecated_concepts_that_nobody_uses_are_no_finding(write: Write) -> None:
    path = write(obo("1 top", "2 old | is_obsolete: true | is_a: T:1", "3 a | is_a: T:1"))
    assert "deprecated-in-use" not in rules_in(audit_ontology(path))


def test_an_ontology_in_memory_is_audited_for_all_that_it_still_holds(write: Write) -> None:
    path = write(obo("1 plant", "2 tree | is_a: T:1", "3 oak | is_a: T:2 | is_a: T:1"))
    findings = audit_ontology(oe.read_ontology(path))
    assert rules_in(findings) == {"redundant-link"}
    assert "neither cycles nor deprecated concepts" in findings.facts["notes"][0]
    assert audit_ontology(path).facts["notes"] == []


def test_rules_that_the_truth_breaks_often_are_suspect(write: Write) -> None:
    axioms = ":a owl:disjointWith :b ." + needs("c", "d")
    ontology = oe.read_ontology(write(turtle("top;a top;b top;c top;d top", axioms), "t.ttl"))
    sets = oe.LabelSets.from_sets(
        {"p1": ["a", "b"], "p2": ["a"], "p3": ["c"], "p4": ["c", "d"]},
        vocabulary=ontology.hierarchy().label_vocabulary,
    )
    broken, unmet = sorted(
        audit_ontology(ontology, labels=sets).of("suspect-rule"), key=lambda found: found.concepts
    )
    assert (broken.concepts, broken.count, broken.total, broken.samples) == (("a", "b"), 1, 2, ("p1",))
    assert (unmet.concepts, unmet.count, unmet.total, unmet.samples) == (("c", "d"), 1, 2, ("p3",))


def test_rules_that_are_seldom_broken_are_not_suspect(write: Write) -> None:
    ontology = oe.read_ontology(write(turtle("top;a top;b top", ":a owl:disjointWith :b ."), "t.ttl"))
    sets = oe.LabelSets.from_sets([["a", "b"], *[["a"]] * 99])
    assert "suspect-rule" not in rules_in(audit_ontology(ontology, labels=sets))


def test_severities_can_be_changed_and_rules_turned_off(write: Write) -> None:
    path = write(turtle("a;b a;c;d c;alone"), "t.ttl")
    findings = audit_ontology(path, severities={"orphan": "error", "several-roots": "off"})
    assert [(finding.rule, finding.severity) for finding in findings] == [("orphan", "error")]
    with pytest.raises(ParameterError, match=r"near: 'orphan'"):
        audit_ontology(path, severities={"orphans": "error"})
    with pytest.raises(ParameterError, match=r"severities\['orphan'\]='bad'"):
        audit_ontology(path, severities={"orphan": "bad"})  # type: ignore[dict-item]


def test_chains_of_thousands_of_links_are_audited(write: Write) -> None:
    rows = [f"c{n},c{n - 1}" for n in range(1, 3_000)]
    findings = audit_ontology(write("\n".join(["child,parent", *rows, "c2999,c0"]), "t.csv"))
    assert rules_in(findings) == {"redundant-link"}
    assert findings.facts["shape"]["depth"] == 2_999


def test_each_rule_is_described() -> None:
    assert all(rule.name == name and rule.description.endswith(".") for name, rule in RULES.items())


def test_the_shape_counts_links_of_cycles_but_no_depth_of_theirs(write: Write) -> None:
    shape = audit_ontology(write("child,parent\na,b\nb,a\n", "t.csv")).facts["shape"]
    assert (shape["links"], shape["roots"], shape["leaves"], shape["depth"]) == (2, 0, 0, 0)
    assert shape["mean depth of leaves"] is None
    flat = audit_ontology(write(obo("1 a", "2 b"))).facts["shape"]
    assert (flat["roots"], flat["leaves"], flat["most children"]) == (2, 2, "")
    assert flat["mean children of inner concepts"] is None


# The command line.


def test_the_command_prints_findings_and_the_shape(write: Write) -> None:
    shown = call(
        "audit-ontology", str(write(obo("1 a", "2 b | is_a: T:1 | is_a: T:3", "3 c | is_a: T:2")))
    ).stdout
    assert "A cycle, child -> parent" in shown
    assert "mean children of inner concepts" in shown


def test_the_command_writes_json_of_findings_and_summary(write: Write) -> None:
    path = write(obo("1 a", "2 b | is_a: T:1", "3 c | is_a: T:2 | is_a: T:1"))
    found = json.loads(call("audit-ontology", str(path), "--format", "json").stdout)
    assert set(found) == {"findings", "summary"}
    assert found["findings"][0]["rule"] == "redundant-link"
    assert found["findings"][0]["concepts"] == ["T_3", "T_1"]
    assert found["summary"]["shape"]["depth"] == 2
    assert found["summary"]["warning"] == 1


def test_the_command_fails_on_what_it_is_told_to_and_accepts_a_baseline(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(write(obo("1 a", "2 b | is_a: T:1", "3 c | is_a: T:2 | is_a: T:1")))
    accepted, sarif = str(tmp_path / "accepted.json"), tmp_path / "audit.sarif"
    assert "the audit has 1 finding" in refusal(
        ["audit-ontology", path, "--fail-on", "warning"], capsys, monkeypatch, code=1
    )
    assert call("audit-ontology", path, "--fail-on", "error", "--sarif", str(sarif)).exit_code == 0
    assert "redundant-link" in sarif.read_text(encoding="utf-8")
    assert call("audit-ontology", path, "--write-baseline", accepted).exit_code == 0
    assert call("audit-ontology", path, "--baseline", accepted, "--fail-on", "note").exit_code == 0


def test_the_command_takes_severities_from_a_file(write: Write) -> None:
    path = write(obo("1 a", "2 b | is_a: T:1", "3 c | is_a: T:2 | is_a: T:1"))
    rules = write('[rules]\nredundant-link = "off"\n', "rules.toml")
    found = json.loads(call("audit-ontology", str(path), "--rules", str(rules), "--format", "json").stdout)
    assert found["findings"] == []


def test_a_file_of_rules_serves_audits_of_ontologies_and_of_labels(write: Write) -> None:
    path = write("child,parent\na,b\nb,c\na,c\n", "t.csv")
    labels = write("id,labels\np1,a\n", "labels.csv")
    text = "[rules]\nredundant-link = 'off'\nused-once = 'off'\nshape = 'note'\n"
    rules = ["--rules", str(write(text, "rules.toml")), "--format", "csv"]
    assert "redundant-link" not in call("audit-ontology", path, *rules).stdout
    shown = call("audit", labels, "--ontology", path, *rules).stdout
    assert "never-used" in shown
    assert "used-once" not in shown


def test_the_command_looks_at_labels_where_the_ontology_can_be_read(write: Write) -> None:
    path = write(turtle("top;a top;b top", ":a owl:disjointWith :b ."), "t.ttl")
    labels = write("id,labels\np1,a;b\n", "truth.csv")
    found = json.loads(call("audit-ontology", str(path), "--labels", str(labels), "--format", "json").stdout)
    assert [finding["rule"] for finding in found["findings"]] == ["suspect-rule"]
    assert found["findings"][0]["samples"] == ["p1"]
    cyclic = write(turtle("top;a top b;b a", ""), "c.ttl")
    result = call("audit-ontology", str(cyclic), "--labels", str(labels))
    assert "not looked at, since no label is understood while there are cycles" in result.stdout
    again = call("audit-ontology", str(path), "--labels", str(labels), "--format", "csv").stdout
    assert "suspect-rule" in again


def test_the_command_never_writes_over_what_it_reads(
    write: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(write(obo("1 a", "2 b | is_a: T:1")))
    assert "--sarif" in refusal(["audit-ontology", path, "--sarif", path], capsys, monkeypatch)


def test_hostile_names_come_out_as_text(write: Write) -> None:
    path = write(obo("1 a", "2 \x1b[31mred[/] | is_a: T:1", "3 c | is_a: T:2 | is_a: T:1"))
    shown = call("audit-ontology", str(path)).stdout
    assert "\x1b[31m" not in shown
    assert "red[/]" in shown


# Real files.


def test_the_official_ontology_of_imageclef_2011_and_its_truth(data: Path) -> None:
    folder = data / "imageclef2011"
    ontology = oe.read_ontology(folder / "photo_tagging_2011.owl")
    truth = oe.read_labels(
        folder / "truth.txt",
        ontology,
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    findings = audit_ontology(read_draft(folder / "photo_tagging_2011.owl"), labels=truth)
    broken = {(finding.count, finding.total) for finding in findings.of("suspect-rule")}
    assert (1_254, 2_178) in broken
    assert (3, 30) in broken
    assert not findings.fails("error")


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("pizza/pizza.owl", ("CheeseyVegetableTopping", "CheeseTopping", "VegetableTopping")),
        ("uberon/uberon_hist.obo", ("UBERON_0004745", "UBERON_0002513", "UBERON_0002514")),
    ],
)
def test_known_unsatisfiable_classes_of_real_ontologies_are_found(
    data: Path, file: str, expected: tuple[str, ...]
) -> None:
    assert only(audit_ontology(data / "ontologies" / file), "unsatisfiable").concepts == expected


def test_the_cycles_of_a_real_file_are_found(data: Path) -> None:
    findings = audit_ontology(data / "ontologies" / "skosmos_tests" / "cycle.ttl")
    assert {frozenset(finding.concepts) for finding in findings.of("cycle")} == {
        frozenset({"ta2"}),
        frozenset({"ta3", "ta4"}),
    }


def test_requirements_that_exclude_each_other_are_never_met_together() -> None:
    def made(requirements: dict[str, tuple[str, ...]], first: str, second: str) -> list[tuple[str, ...]]:
        names = sorted({*requirements, *(name for many in requirements.values() for name in many), first})
        hierarchy = oe.Hierarchy.from_edges(
            [("top", name) for name in names],
            exclusions=[oe.core.Exclusion(first, second)],
            requirements=[
                oe.core.Requirement(one, (many,)) for one, some in requirements.items() for many in some
            ],
        )
        count = len(hierarchy.vocabulary)
        ontology = oe.Ontology(hierarchy, ("",) * count, ("",) * count, ("is_a",) * (count - 1))
        found = audit_ontology(ontology).of("impossible-requirement")
        assert all("both follow from it" in one.explanation for one in found)
        return [one.concepts for one in found]

    assert made({"p": ("x", "y")}, "x", "y") == [("p",)]
    assert made({"a": ("b",), "b": ("c",)}, "c", "a") == [("a",)]
    assert made({"a": ("b",), "b": ("a",)}, "c", "a") == []


def test_an_alternative_that_is_excluded_leaves_what_the_others_need(write: Write) -> None:
    classes = "top;a top;b top;c top;d top;e top"
    axioms = needs("a", "b", "c") + needs("b", "d") + ":a owl:disjointWith :c . :a owl:disjointWith :d ."
    finding = only(audit_ontology(write(turtle(classes, axioms), "t.ttl")), "impossible-requirement")
    assert finding.concepts == ("a",)
    assert "both follow from it" in finding.explanation


def test_what_all_alternatives_need_is_needed(write: Write) -> None:
    classes = "top;a top;b top;c top;d top;e top"
    both = needs("a", "b", "c") + needs("b", "d") + ":a owl:disjointWith :e . " + needs("c", "d")
    finding = only(
        audit_ontology(write(turtle(classes, both + needs("d", "e")), "t.ttl")), "impossible-requirement"
    )
    assert finding.concepts == ("a",)
    one = both.replace(needs("c", "d"), "")
    path = write(turtle(classes, one + needs("d", "e")), "t.ttl")
    assert "impossible-requirement" not in rules_in(audit_ontology(path))


def test_a_file_without_any_labels_lacks_none(write: Write) -> None:
    plain = ":a a owl:Class . :b a owl:Class ; rdfs:subClassOf :a ."
    assert not audit_ontology(write(TURTLE + plain, "t.ttl")).of("missing-label")
    labelled = f'{plain} :a rdfs:label "A" .'
    assert audit_ontology(write(TURTLE + labelled, "u.ttl")).of("missing-label")[0].concepts == ("b",)
