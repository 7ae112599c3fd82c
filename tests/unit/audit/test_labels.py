"""Audits of label sets: each rule, on files as they are."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.audit.exchange import baseline, new_findings, read_baseline
from ontoeval.audit.findings import Finding
from ontoeval.audit.labels import RULES
from ontoeval.core.rules import Exclusion, Requirement
from ontoeval.errors import InputError, ParameterError
from ontoeval.reports.audit import branches_table

OBO = """format-version: 1.2

[Term]
id: X:1
name: animal
alt_id: X:11

[Term]
id: X:2
name: dog
is_a: X:1
disjoint_from: X:3

[Term]
id: X:3
name: cat
is_a: X:1

[Term]
id: X:4
name: hound
is_obsolete: true
replaced_by: X:2

[Term]
id: X:5
name: griffin
is_obsolete: true

[Term]
id: X:6
name: poodle
is_a: X:2
"""

HIERARCHY = oe.Hierarchy.from_edges(
    [
        ("nature", "plants"),
        ("plants", "trees"),
        ("plants", "flowers"),
        ("seasons", "summer"),
        ("seasons", "winter"),
        ("winter", "january"),
        ("scene", "beach"),
        ("scene", "outdoor"),
        ("scene", "indoor"),
    ],
    abstract=["nature", "seasons", "scene"],
    exclusions=[Exclusion("summer", "winter", "owl:disjointWith"), Exclusion("indoor", "outdoor")],
    requirements=[Requirement("beach", ("outdoor", "nature"), "hasPlace")],
)


def sets(*rows: str) -> oe.LabelSets:
    return oe.LabelSets.from_sets([row.split() for row in rows])


def audit(*rows: str, **options: str) -> oe.audit.Findings:
    return oe.audit_labels(sets(*rows), HIERARCHY, **options)  # type: ignore[arg-type]


def obo(tmp_path: Path, labels: str, **options: object) -> oe.audit.Findings:
    (tmp_path / "x.obo").write_text(OBO, encoding="utf-8")
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "x.obo")
    return oe.audit_labels(tmp_path / "labels.csv", ontology, **options)  # type: ignore[arg-type]


def named(findings: oe.audit.Findings) -> dict[str, tuple[str, ...]]:
    return {finding.rule: finding.concepts for finding in findings if finding.severity != "note"}


# ImageCLEF 2011 ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def imageclef(data: Path) -> oe.audit.Findings:
    folder = data / "imageclef2011"
    ontology = oe.read_ontology(folder / "photo_tagging_2011.owl")
    return oe.audit_labels(
        folder / "truth.txt",
        ontology,
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )


EXPECTED = {
    ("systematic-exclusion", "Female", "Male"): (1254, 1254),
    ("exclusion", "Active", "Inactive"): (16, 1242),
    ("exclusion", "Happy", "Unpleasant"): (8, 856),
    ("exclusion", "Euphoric", "Melancholic"): (2, 280),
    ("exclusion", "HighGradeOverallQuality", "OutOfFocus"): (8, 150),
    ("requirement", "Portrait", "Animals", "Single", "SmallGroup"): (17, 984),
    ("requirement", "LandscapeNature", "Outdoor"): (27, 1362),
    ("requirement", "LandscapeNature", "LandscapeElements"): (55, 1362),
    ("requirement", "BeachHolidays", "Outdoor"): (1, 154),
    ("requirement", "BeachHolidays", "LandscapeElements"): (6, 154),
    ("requirement", "Desert", "LandscapeElements"): (3, 30),
    ("requirement", "SnowSkiing", "Outdoor"): (4, 127),
    ("missing-ancestor", "Garden", "Plants"): (104, 621),
    ("missing-ancestor", "Rain", "Water"): (30, 37),
    ("mixed-convention", "Painting", "Art"): (248, 325),
    ("mixed-convention", "Graffiti", "Art"): (92, 124),
}
"""All that is wrong with the training truth, each with how many photos show it of how many could."""


def short(name: str) -> str:
    return name.rpartition(".")[2]


def test_exactly_the_errors_of_the_imageclef_truth_are_found(imageclef: oe.audit.Findings) -> None:
    found = {
        (finding.rule, *map(short, finding.concepts)): (finding.count, finding.total)
        for finding in imageclef
        if finding.severity != "note"
    }
    assert found == EXPECTED


def test_the_notes_on_the_imageclef_truth_are_true(imageclef: oe.audit.Findings, data: Path) -> None:
    folder = data / "imageclef2011"
    truth = oe.read_labels(
        folder / "truth.txt",
        oe.read_ontology(folder / "photo_tagging_2011.owl"),
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    dense = {
        name: truth.matrix[:, [column]].toarray().ravel() for name, column in truth.vocabulary.index.items()
    }
    assert {finding.rule for finding in imageclef if finding.severity == "note"} == {
        "always-with",
        "same-labels",
    }
    for finding in imageclef.of("always-with"):
        first, *others = finding.concepts
        assert finding.count == dense[first].sum()
        assert all(dense[other][dense[first]].all() for other in others)
    rows = [tuple(truth.labels_of(sample)) for sample in truth.samples]
    times = Counter(rows)
    (same,) = imageclef.of("same-labels")
    assert all(times[rows[row]] > 1 for row in same.rows.tolist())
    assert same.count == 18, "the other 294 have labels that often go together"


def test_the_convention_of_the_imageclef_truth_is_stated(imageclef: oe.audit.Findings) -> None:
    assert imageclef.summary["convention"] == {
        "name": "closed",
        "implied": 4576,
        "present": 4117,
        "forced": False,
    }


def test_a_systematic_error_is_one_finding_that_says_so(imageclef: oe.audit.Findings) -> None:
    (finding,) = imageclef.of("systematic-exclusion")
    assert "owl:disjointWith" in finding.explanation
    assert "1,254 of 1,254 samples with 'female' have 'male' too" in finding.explanation
    assert len(finding.samples) == 5


def test_the_corrected_imageclef_truth_keeps_only_what_needs_a_human(data: Path, tmp_path: Path) -> None:
    folder = data / "imageclef2011"
    ontology = oe.read_ontology(folder / "photo_tagging_2011.owl")
    reading: dict[str, Any] = {"concepts": folder / "concepts.txt", "concept_map": folder / "concept_map.csv"}
    correction = oe.correct_labels(folder / "truth.txt", ontology, **reading)
    correction.write(tmp_path / "corrected.txt", tmp_path / "log.csv")
    again = oe.audit_labels(tmp_path / "corrected.txt", ontology, **reading)
    mended = ("missing-ancestor", "Garden", "Plants")
    assert mended in EXPECTED
    kept = {key: value for key, value in EXPECTED.items() if key != mended}
    assert {
        (finding.rule, *map(short, finding.concepts)): (finding.count, finding.total)
        for finding in again
        if finding.severity != "note"
    } == kept
    before, after = (
        (path / name).read_bytes().split(b"\n")
        for path, name in ((folder, "truth.txt"), (tmp_path, "corrected.txt"))
    )
    differ = [new.split()[0].decode() for old, new in zip(before, after, strict=True) if old != new]
    assert differ == sorted({change.sample for change in correction.changes}, key=differ.index)
    assert len(differ) == 104


def test_a_baseline_of_the_imageclef_truth_accepts_it_in_another_order(
    data: Path, tmp_path: Path, imageclef: oe.audit.Findings
) -> None:
    folder = data / "imageclef2011"
    lines = (folder / "truth.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "truth.txt").write_text("".join(sorted(lines, reverse=True)), encoding="utf-8")
    assert max(lines).startswith("{"), "which is no JSON"
    again = oe.audit_labels(
        tmp_path / "truth.txt",
        oe.read_ontology(folder / "photo_tagging_2011.owl"),
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    (tmp_path / "accepted.json").write_text(baseline(imageclef, imageclef.samples), encoding="utf-8")
    assert not new_findings(again, read_baseline(tmp_path / "accepted.json"), again.samples)


# names ------------------------------------------------------------------------------------------------------


def test_names_that_are_no_labels_are_told_apart(tmp_path: Path) -> None:
    labels = "id,labels\np1,X:1;X:2\np2,X:11;X:4\np3,X:5;X:1\np4,anymal;X:1\n"
    findings = obo(tmp_path, labels)
    assert named(findings) == {
        "alternative": ("X:11", "X_1"),
        "replaced": ("X:4", "X_2"),
        "deprecated": ("X:5",),
        "unknown": ("anymal",),
    }
    (unknown,) = findings.of("unknown")
    assert unknown.explanation == "'anymal' (row 5) is no concept of the ontology."
    assert unknown.fix == "Write what was meant (near: 'animal')."
    assert unknown.samples == ("p4",)
    assert [finding.fixable for finding in (*findings.of("replaced"), *findings.of("deprecated"))] == [
        True,
        False,
    ]


def test_a_concept_that_was_given_up_names_what_to_consider(tmp_path: Path) -> None:
    text = OBO.replace("name: griffin\nis_obsolete: true", "name: griffin\nis_obsolete: true\nconsider: X:2")
    text += "\n[Term]\nid: X:7\nname: fox\nis_obsolete: true\nconsider: X:2\nconsider: X:3\n"
    (tmp_path / "x.obo").write_text(text, encoding="utf-8")
    (tmp_path / "labels.csv").write_text("id,labels\np1,X:5;X:1\np2,X:7;X:1\n", encoding="utf-8")
    found = oe.audit_labels(tmp_path / "labels.csv", oe.read_ontology(tmp_path / "x.obo")).of("deprecated")
    told = {finding.concepts[0]: (finding.explanation, finding.fix) for finding in found}
    assert "names what to consider: 'X:2 (dog)'." in told["X:5"][0]
    assert "names what to consider: 'X:2 (dog)', 'X:3 (cat)'." in told["X:7"][0]
    assert (told["X:5"][1], told["X:7"][1]) == (
        "Write 'X:2 (dog)', if that is intended.",
        "Write one of these.",
    )


def test_concepts_are_named_as_the_file_names_them_and_with_their_labels(tmp_path: Path) -> None:
    for written, told in (("X:6", "X:2 (dog)"), ("poodle", "dog"), ("X_6", "X_2 (dog)")):
        (finding,) = obo(tmp_path, f"id,labels\np1,{written}\n", convention="closed").of("missing-ancestor")
        assert finding.fix == f"Add {told!r}."
        assert finding.concepts == ("X_6", "X_2")
    iri = "http://purl.obolibrary.org/obo/X_6"
    (finding,) = obo(tmp_path, f"id,labels\np1,{iri}\n", convention="closed").of("missing-ancestor")
    assert finding.fix == "Add 'X_2 (dog)'."


def test_a_name_that_several_concepts_bear_lists_them(tmp_path: Path) -> None:
    labels = "id,labels\np1,a/oil\np2,oil\n"
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    turtle = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    turtle += '<urn:a#oil> a owl:Class ; rdfs:label "oil" ; rdfs:subClassOf <urn:c#all> .'
    turtle += (
        '<urn:b#oil> a owl:Class ; rdfs:label "oil" ; rdfs:subClassOf <urn:c#all> . <urn:c#all> a owl:Class .'
    )
    (tmp_path / "oil.ttl").write_text(turtle, encoding="utf-8")
    findings = oe.audit_labels(tmp_path / "labels.csv", oe.read_ontology(tmp_path / "oil.ttl"))
    assert findings.of("ambiguous")[0].concepts == ("oil", "urn:a#oil", "urn:b#oil")


def test_an_abstract_concept_is_an_error_that_names_labels_below(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("id,labels\np1,setting\n", encoding="utf-8")
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    (finding,) = oe.audit_labels(tmp_path / "labels.csv", ontology).of("abstract")
    assert finding.fix == "Write a concept below it, such as 'indoor', 'outdoor'."


def test_an_abstract_concept_of_a_hierarchy_is_told_from_an_unknown_one() -> None:
    assert named(audit("nature")) == {"abstract": ("nature",)}
    assert named(audit("natura")) == {"unknown": ("natura",)}


def test_what_was_left_out_of_the_ontology_is_unknown_and_the_reason_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.obo").write_text(OBO, encoding="utf-8")
    (tmp_path / "labels.csv").write_text("id,labels\np1,X:3\n", encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "x.obo", root="X:2")
    (finding,) = oe.audit_labels(tmp_path / "labels.csv", ontology).of("unknown")
    assert "outside the branches" in finding.explanation


@pytest.mark.parametrize("options", [{}, {"root": "X:1"}])
def test_a_label_of_a_concept_that_is_there_is_fine_although_another_was_called_so(
    tmp_path: Path, options: dict[str, str]
) -> None:
    gone = "\n[Term]\nid: X:7\nname: dog\n" + "is_obsolete: true\n" * (not options)
    (tmp_path / "x.obo").write_text(OBO + gone, encoding="utf-8")
    (tmp_path / "labels.csv").write_text("id,labels\np1,dog\n", encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "x.obo", **options)  # type: ignore[arg-type]
    assert not oe.audit_labels(tmp_path / "labels.csv", ontology).fails("warning")


def test_several_spellings_of_a_concept_are_one_note(tmp_path: Path) -> None:
    findings = obo(tmp_path, "id,labels\np1,X:2;X:1\np2,Dog;X:1\np3,X:2;X:1\n")
    (finding,) = findings.of("spelling")
    assert (finding.concepts, finding.samples) == (("X_2", "Dog"), ("p2",))
    assert finding.fix == "Write 'X:2' everywhere."


def test_what_only_stands_for_a_concept_is_fine_where_no_sample_bears_it(tmp_path: Path) -> None:
    assert not obo(tmp_path, "id,X:1,X:11,X:2\np1,1,0,1\n").of("alternative")
    (finding,) = obo(tmp_path, "id,X:1,X:12\np1,1,0\n").of("unknown")
    assert finding.count == 0, "nobody bears it, but other commands refuse it"


def test_an_abstract_concept_without_labels_below_can_only_be_taken_away(tmp_path: Path) -> None:
    (path := tmp_path / "labels.csv").write_text("id,labels\np1,a/c;a/b\n", encoding="utf-8")
    ontology = oe.Ontology.from_paths(["a/b", "a/c"])
    (finding,) = oe.audit_labels(path, ontology, concepts=["a/b"]).of("abstract")
    assert (finding.concepts, finding.fix) == (("a/c",), "Remove it.")


# rules ------------------------------------------------------------------------------------------------------


def test_an_exclusion_that_is_inherited_names_the_label_and_the_axiom() -> None:
    (finding,) = audit("summer january", "winter summer", "winter").of("exclusion")
    assert (finding.concepts, finding.count) == (("summer", "winter"), 2)
    assert "(owl:disjointWith), inherited by 'january' below 'winter'" in finding.explanation


def test_what_is_to_be_taken_away_is_what_samples_bear() -> None:
    (finding,) = audit("summer january").of("exclusion")
    assert finding.fix == "Check which label is wrong, and remove it: 'summer' or 'january'."
    (finding,) = audit("summer winter january").of("exclusion")
    assert finding.fix is not None
    assert finding.fix.endswith("remove it: 'summer' or each present label of 'winter', 'january'.")


@pytest.mark.parametrize(
    ("rows", "fix", "common"),
    [
        (
            ["dusk dark"],
            "Another label of these samples excludes what is required: check which of the labels is wrong.",
            "Another label of these samples excludes what is required: check which of the labels is wrong.",
        ),
        (
            ["dusk", "dawn"],
            "Add 'light'; or remove each present label of 'dawn', 'dusk', if that is wrong.",
            "Add what is required; or remove the label, if that is wrong.",
        ),
    ],
)
def test_a_requirement_that_is_inherited_names_the_heirs_and_nothing_that_is_excluded(
    rows: list[str], fix: str, common: str
) -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("photo", "dawn"), ("photo", "dusk"), ("all", "light"), ("all", "dark")],
        exclusions=[Exclusion("dark", "light")],
        requirements=[Requirement("photo", ("light",))],
    )
    (finding,) = oe.audit_labels(sets(*rows), hierarchy).of("requirement")
    assert (finding.fix, finding.common[1]) == (fix, common)


def test_an_exclusion_of_an_abstract_concept_names_its_heirs() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("season", "summer"), ("season", "winter"), ("place", "indoor")],
        abstract=["season", "place"],
        exclusions=[Exclusion("season", "indoor")],
    )
    (finding,) = oe.audit_labels(sets("winter indoor"), hierarchy).of("exclusion")
    assert "inherited by 'winter' below 'season'" in finding.explanation


def test_a_requirement_says_what_would_satisfy_it() -> None:
    (finding,) = audit("beach", "beach trees", "beach outdoor").of("requirement")
    assert (finding.concepts, finding.count, finding.total) == (("beach", "outdoor", "nature"), 1, 3)
    assert finding.fix is not None
    assert finding.fix.startswith("Add one of 'plants', 'trees', 'flowers', 'outdoor'; or remove 'beach'")


def test_a_requirement_that_most_leave_unmet_is_systematic() -> None:
    (finding,) = audit(*["beach"] * 30, "beach outdoor").of("systematic-requirement")
    assert (finding.count, finding.total) == (30, 31)
    assert "Does this rule apply to labels?" in finding.explanation


def test_a_systematic_exclusion_counts_the_samples_with_the_rarer_label() -> None:
    (finding,) = audit(*["indoor outdoor"] * 19, "indoor", *["outdoor"] * 30).of("systematic-exclusion")
    assert "19 of 20 samples with 'indoor' have 'outdoor' too" in finding.explanation
    assert (finding.count, finding.total) == (19, 20)


def test_a_requirement_of_what_can_be_no_label_blames_no_sample() -> None:
    hierarchy = HIERARCHY.with_labels(["beach", "summer"])
    findings = oe.audit_labels(sets("beach", "summer"), hierarchy)
    (finding,) = findings.of("unmeetable")
    assert finding.severity == "note"
    assert not findings.fails("warning")


# ancestors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        ([*["trees plants"] * 9, "flowers plants", "trees"], "closed"),
        ([*["trees"] * 9, "flowers", "january", "trees plants"], "most-specific"),
        (["trees plants", "trees plants", "flowers plants", "trees"], "mixed"),
        (["trees", "flowers plants"], "mixed"),
        (["summer"], "most-specific"),
    ],
)
def test_the_convention_is_inferred(rows: list[str], name: str) -> None:
    assert audit(*rows).summary["convention"]["name"] == name


def test_only_what_most_of_a_file_does_is_called_its_way() -> None:
    rows = ["trees plants", *["flowers plants"] * 10, "flowers"]
    assert "Elsewhere this file includes it." in audit(*rows).of("missing-ancestor")[0].explanation
    (finding,) = audit("trees", convention="closed").of("missing-ancestor")
    assert finding.explanation.endswith("lack its ancestor 'plants'.")
    (finding,) = audit("trees plants", convention="most-specific").of("redundant-ancestor")
    assert finding.explanation.endswith("which implies it.")


def test_mixed_conventions_are_a_finding_for_each_descendant_that_lacks_its_ancestor() -> None:
    (finding,) = audit("trees", "flowers plants").of("mixed-convention")
    assert (finding.concepts, finding.count, finding.total) == (("trees", "plants"), 1, 1)
    assert finding.samples == ("0",)
    assert not audit("trees", "flowers plants", convention="closed").of("mixed-convention")
    assert not audit("trees", "flowers plants", convention="mixed").of("mixed-convention"), "it was chosen"


def test_the_nearest_label_above_is_missed_across_abstract_concepts_and_along_deep_chains() -> None:
    chain = [f"c{number}" for number in range(3_000)]
    hierarchy = oe.Hierarchy.from_edges(pairwise(chain), abstract=chain[1:2_000])
    findings = oe.audit_labels(oe.LabelSets.from_sets([["c2001", "c2000"]]), hierarchy, convention="closed")
    assert [finding.concepts for finding in findings.of("missing-ancestor")] == [("c2000", "c0")]


def test_an_ancestor_that_most_samples_lack_raises_doubts_about_the_link() -> None:
    rows = *["trees"] * 3, "trees plants", *["flowers plants"] * 30
    (finding,) = audit(*rows).of("missing-ancestor")
    assert "These are most of them" in finding.explanation
    assert not finding.fixable, "somebody must decide"
    assert audit(*rows, convention="closed").of("missing-ancestor")[0].fixable, "somebody has decided"
    (few,) = audit("trees", "trees", *["flowers plants"] * 19).of("missing-ancestor")
    assert few.fixable, "two may be mistakes"


def test_an_ancestor_that_most_samples_bear_may_be_meant() -> None:
    hierarchy = oe.Hierarchy.from_edges([("winter", "january"), *((f"a{n}", f"b{n}") for n in range(5))])
    rows = [
        *["january winter"] * 3,
        *(f"b{n}" for n in range(5) for _ in range(8)),
        *"a0 a1 a2 a3 a4".split(),
    ]

    def redundant(*more: str, **options: str) -> Finding:
        found = oe.audit_labels(sets(*rows, *more), hierarchy, **options)  # type: ignore[arg-type]
        return found.of("redundant-ancestor")[0]

    assert "it may be there on purpose" in redundant().explanation
    assert not redundant().fixable
    assert redundant(convention="most-specific").fixable
    assert redundant(*["january"] * 3).fixable


def test_what_is_there_below_what_is_absent_is_an_error(tmp_path: Path) -> None:
    labels = "sample,concept,score\np1,X:2,1\np1,X:1,0\np2,X:6,1\np2,X:2,-1\np2,X:1,1\np3,X:3,0\n"
    findings = obo(tmp_path, labels, negative=0)
    (finding,) = findings.of("negative-ancestor")
    assert (finding.concepts, finding.samples) == (("X_2", "X_1"), ("p1",))
    assert "1 of 1 samples with 'X:2 (dog)' have its ancestor 'X:1 (animal)' absent." in finding.explanation


def test_a_label_that_is_there_and_absent_is_a_contradiction(tmp_path: Path) -> None:
    findings = obo(tmp_path, "sample,concept,score\np1,X:1,1\np1,X:1,-1\n", negative=-1)
    assert findings.of("contradiction")[0].concepts == ("X_1",)


def test_ancestors_that_were_denied_or_not_verified_follow_no_convention(tmp_path: Path) -> None:
    labels = "id,X:1,X:2,X:3\np1,0,1,0\np2,1,1,0\np3,,0,1\np4,0,1,\n"
    findings = obo(tmp_path, labels, negative=0)
    assert named(findings).keys() == {"negative-ancestor"}
    assert findings.summary["convention"]["name"] == "mixed"
    assert obo(tmp_path, labels, negative=0, convention="most-specific").of("redundant-ancestor")


def test_verified_labels_in_memory_are_audited_too() -> None:
    verified = oe.VerifiedLabels.from_sets([["trees"]], [["plants"]], vocabulary=HIERARCHY.label_vocabulary)
    findings = oe.audit_labels(verified, HIERARCHY)
    assert findings.of("negative-ancestor")[0].concepts == ("trees", "plants")


# samples ----------------------------------------------------------------------------------------------------


def test_samples_with_several_rows_are_told_apart(tmp_path: Path) -> None:
    rows = "p1,X:1\np1,X:1\np2,X:1\np2,X:1;X:2\np3,X:1;X:1\np4,\nP4,X:1;X:3\n"
    findings = obo(tmp_path, "id,labels\n" + rows)
    samples = {finding.rule: finding.samples for finding in findings}
    assert samples["duplicate-sample"] == ("p1",)
    assert samples["conflicting-sample"] == ("p2",)
    assert samples["repeated-label"] == ("p3",)
    assert samples["unlabelled"] == ("p4",)
    assert samples["similar-sample"] == ("p4", "P4")
    assert not findings.of("conflicting-sample")[0].fixable, "which row is right, nobody can tell"


def test_labels_are_the_same_however_they_are_spelt_and_where_rows_do_not_conflict(tmp_path: Path) -> None:
    rare = ";".join(f"Y:{number}" for number in range(6))
    terms = "".join(f"\n[Term]\nid: {term}\nname: rare {term[2:]}\n" for term in rare.split(";"))
    (tmp_path / "x.obo").write_text(OBO + terms, encoding="utf-8")
    spelt = f"{rare};X:2", rare.replace("Y:", "rare ") + ";dog", f"X_2;{rare}"
    rows = [
        f"p{number},{row}" for number, row in enumerate((*spelt, f"what;{rare}", f"{rare};what", *spelt[:2]))
    ]
    rows += [f"p6,{rare}", *(f"q{number},X:1" for number in range(500))]
    (tmp_path / "labels.csv").write_text("\n".join(["id,labels", *rows]), encoding="utf-8")
    found = oe.audit_labels(tmp_path / "labels.csv", oe.read_ontology(tmp_path / "x.obo"))
    assert found.of("same-labels")[0].rows.tolist() == [0, 1, 2, 3, 4, 5], "p6 has rows that differ"


def test_a_table_with_a_column_for_each_concept_may_repeat_samples_too(tmp_path: Path) -> None:
    findings = obo(tmp_path, "id,X:1,X:2\np1,1,0\np1,1,0\n")
    assert findings.of("duplicate-sample")[0].samples == ("p1",)


def test_concepts_that_are_never_used_or_once_are_one_note_each() -> None:
    findings = audit("trees plants", "trees plants", "summer")
    (never,), (once,) = findings.of("never-used"), findings.of("used-once")
    assert never.concepts == ("flowers", "winter", "january", "beach", "outdoor", "indoor")
    assert (once.concepts, once.samples, once.rows.tolist()) == (("summer",), ("2",), [2])
    (once,) = audit("january", "flowers summer").of("used-once")
    assert once.concepts == ("flowers", "summer", "january")
    assert once.rows.tolist() == [1, 1, 0], "one of each concept"
    assert once.samples == ("1", "0"), "each once"


def test_labels_that_are_always_together_are_told_unless_something_says_so() -> None:
    together = audit(*["trees summer"] * 20, *["flowers"] * 30, *["indoor"] * 30).of("always-with")
    assert {finding.concepts for finding in together} == {("trees", "summer"), ("summer", "trees")}
    assert "Nor are 'summer' ever used without it." in together[1].explanation
    demanded = audit(*["beach outdoor"] * 20, *["trees plants"] * 20, *["indoor"] * 60)
    assert not demanded.of("always-with"), "a rule and a link say it"
    rare = audit(*["trees summer"] * 9, *["indoor"] * 30)
    assert not rare.of("always-with"), "nine times may be chance"


# all --------------------------------------------------------------------------------------------------------


def test_json_has_findings_and_a_summary() -> None:
    content = audit(*["trees plants"] * 3, "flowers", "what", convention="closed").content
    assert list(content) == ["findings", "summary"]
    assert json.loads(json.dumps(content)) == content
    keys = ["rule", "severity", "concepts", "count", "samples", "total", "explanation", "fix", "fixable"]
    assert all(list(finding) == keys for finding in content["findings"])
    assert {row["rule"] for row in content["summary"]["by_rule"]} <= RULES.keys()
    branches = {row["branch"]: row["findings"] for row in content["summary"]["by_branch"]}
    assert branches["nature"] == 2, "a missing ancestor, and a concept used once"
    assert content["summary"]["worst_samples"] == [
        {"sample": "3", "count": 1},
        {"sample": "4", "count": 1},
    ]


def test_branches_are_called_what_findings_call_them(tmp_path: Path) -> None:
    findings = obo(tmp_path, "id,labels\np1,X:2\np2,X:1;X:2\np3,what\n")
    assert {row[0] for row in branches_table(findings).rows} == {
        "X:2 (dog)",
        "X:3 (cat)",
        "X:1 (animal)",
        "(none)",
    }
    assert {row["branch"] for row in findings.by_branch} == {"X_1", "X_2", "X_3", ""}
    named = {"b": f"b ({'dog' * 20})"}
    long = oe.audit.Findings([Finding("rare", "note", ("a",), 1)], {"a": ("b",)}, called=named)
    assert branches_table(long).rows[0][0] == f"b ({'dog' * 8}do…"
    kept = replace(findings, found=findings.of("unknown"))
    assert kept.called == findings.called


@pytest.mark.parametrize(
    ("rule", "rows", "common", "own"),
    [
        (
            "missing-ancestor",
            ["trees"] * 4 + ["trees plants"] * 40,
            "Ancestors of labels are missing. Elsewhere this file includes them.",
            "'trees' without 'plants'",
        ),
        (
            "missing-ancestor",
            ["trees"] * 3 + ["flowers plants"] * 40,
            (
                "Ancestors of labels are missing. Elsewhere this file includes them. Most samples with these "
                "labels lack them, so the link in the ontology may be wrong."
            ),
            "'trees' without 'plants'",
        ),
        (
            "redundant-ancestor",
            ["trees plants"] + ["trees"] * 40,
            "Labels are redundant: a descendant implies them. Elsewhere this file leaves them out.",
            "'plants'",
        ),
        (
            "exclusion",
            ["summer january"],
            "Labels that exclude each other are on the same samples.",
            "'summer' and 'winter' (owl:disjointWith), inherited by 'january' below 'winter'",
        ),
        (
            "requirement",
            ["beach"],
            "A required label, or a descendant of it, is missing beside these labels.",
            "'beach' requires 'outdoor' or 'nature' (hasPlace)",
        ),
        ("unknown", ["treees"], "Labels are no concepts of the ontology.", "'treees' (near: 'trees')"),
        (
            "always-with",
            ["trees summer"] * 20 + ["indoor"] * 30,
            "All samples with a label have another too, though nothing demands it.",
            "'summer' with 'trees', and 'trees' not without it",
        ),
    ],
)
def test_what_is_said_of_several_findings_and_of_each(
    rule: str, rows: list[str], common: str, own: str
) -> None:
    found = audit(*rows).of(rule)
    assert (common, own) in {(one.common[0], one.own) for one in found}


def test_labels_that_stand_for_others_are_told_in_a_few_words(tmp_path: Path) -> None:
    findings = obo(tmp_path, "id,labels\np1,X:4\np2,X:11\np3,dog;X:2\n")
    assert {one.rule: one.own for one in findings if one.common} == {
        "replaced": "'X:4' (row 2): 'X:2 (dog)'",
        "alternative": "'X:11' (row 3): 'X:1 (animal)'",
        "spelling": "'X:2', 'dog'",
    }


def test_lists_count_in_each_branch_the_concepts_that_lie_there() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("all", "plants"), ("all", "sky"), *(("plants", name) for name in ("trees", "moss", "ferns"))]
    )
    findings = oe.audit.Findings(
        (audited := oe.audit_labels(sets("all"), hierarchy)).of("never-used"), audited.branches
    )
    assert {row["branch"]: row["count"] for row in findings.by_branch} == {"plants": 4, "sky": 1}
    once = oe.audit_labels(sets("all plants sky", "all trees"), hierarchy)
    counts = {
        row["branch"]: row["count"]
        for row in oe.audit.Findings(once.of("used-once"), once.branches).by_branch
    }
    assert counts == {"plants": 2, "sky": 1}


def test_the_worst_samples_are_those_of_the_findings_that_are_left() -> None:
    findings = audit("summer winter", "what")
    left = replace(findings, found=findings.of("unknown"))
    assert (findings.worst, left.worst) == ((("0", 1), ("1", 1)), (("1", 1),))


def test_of_many_findings_of_a_rule_those_are_shown_that_can_be_read() -> None:
    findings = oe.audit_labels(oe.LabelSets.from_sets([[f"x{row}"] for row in range(1_500)]), HIERARCHY)
    assert len(findings.of("unknown")) == 1_500
    shown = [finding for finding in findings.gathered if finding.rule == "unknown"]
    assert len(shown) == 1_001
    rest = next(finding for finding in shown if not finding.concepts)
    assert (rest.count, len(rest.samples)) == (500, 5)
    assert rest.explanation.startswith("500 more findings of this rule")
    content = findings.content
    assert content["summary"]["error"] == 1_500, "all are counted"
    assert len(content["findings"]) < 1_010


def test_rules_and_severities_that_are_none_are_refused() -> None:
    for severities in ({"unknown": "bad"}, {"unknwon": "off"}):
        with pytest.raises(ParameterError, match="severities"):
            audit("summer", severities=severities)  # type: ignore[arg-type]


def test_severities_can_be_changed_and_rules_left_out() -> None:
    options = {"severities": {"unlabelled": "error", "never-used": "off"}}
    findings = audit("", "summer", **options)  # type: ignore[arg-type]
    assert findings.of("unlabelled")[0].severity == "error"
    assert not findings.of("never-used")
    with pytest.raises(ParameterError, match="severity='fatal'"):
        findings.fails("fatal")  # type: ignore[arg-type]


def test_samples_that_are_empty_and_no_samples_at_all_are_no_errors() -> None:
    for rows in ([], [""]):
        assert not audit(*rows).fails("warning")
    assert audit().summary["samples"] == 0


def test_findings_do_not_depend_on_how_sets_are_held() -> None:
    rows = [["trees", "plants"], ["beach"], ["summer", "winter"]]
    own = oe.LabelSets.from_sets(rows, vocabulary=HIERARCHY.label_vocabulary)
    assert (
        oe.audit_labels(own, HIERARCHY).content
        == oe.audit_labels(oe.LabelSets.from_sets(rows), HIERARCHY).content
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"convention": "open"}, "convention='open'"),
        ({"negative": 2}, "negative=2"),
        ({"close": True}, "no 'close'.*as they are"),
        ({"unknown": "drop"}, "no 'unknown'.*as they are"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(oe.OntoevalError, match=message):
        obo(tmp_path, "id,labels\np1,X:1\n", **options)


def test_scores_need_one_threshold(tmp_path: Path) -> None:
    labels = "sample,concept,score\np1,X:1,0.9\np1,X:2,0.1\n"
    assert not obo(tmp_path, labels, threshold=0.5).of("missing-ancestor")
    with pytest.raises(ParameterError, match=r"threshold=.*one number for all concepts"):
        obo(tmp_path, labels, threshold={"X:1": 0.5})


def test_numbers_that_say_nothing_of_verified_labels_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"sample 'p1' has the value 0\.5 for 'X:1'"):
        obo(tmp_path, "sample,concept,score\np1,X:1,0.5\n", negative=0)


def test_rows_are_the_positions_of_the_samples() -> None:
    (finding,) = audit("summer", "summer winter").of("exclusion")
    assert np.array_equal(finding.rows, [1])
    assert finding.share == 1.0
    assert np.isnan(replace(finding, total=None).share)
