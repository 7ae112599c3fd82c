"""What audits write: corrected copies, baselines, rules, and SARIF."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.audit.exchange import (
    Accepted,
    baseline,
    lines_showing,
    new_findings,
    read_baseline,
    read_settings,
    sarif,
)
from ontoeval.audit.findings import Finding
from ontoeval.audit.labels import RULES
from ontoeval.errors import InputError
from tests.unit.audit.test_labels import HIERARCHY, OBO, sets


@pytest.fixture
def ontology(tmp_path: Path) -> oe.Ontology:
    (tmp_path / "x.obo").write_text(OBO, encoding="utf-8")
    return oe.read_ontology(tmp_path / "x.obo")


def corrected(tmp_path: Path, ontology: oe.Ontology, labels: str, **options: Any) -> tuple[str, str]:
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    correction = oe.correct_labels(tmp_path / "labels.csv", ontology, **options)
    correction.write(tmp_path / "out.csv", tmp_path / "log.csv")
    assert (tmp_path / "labels.csv").read_text(encoding="utf-8") == labels, "the input is never touched"
    return tuple((tmp_path / name).read_text(encoding="utf-8") for name in ("out.csv", "log.csv"))  # type: ignore[return-value]


# corrected copies -------------------------------------------------------------------------------------------


def test_a_corrected_copy_keeps_what_needs_a_human(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = (
        "id,labels\np1,X:4;X:1\np2,X:5;anymal\np3,X:6;X:3\np3,X:6\np4,X:3;X:3;X:11\np5,X:2;dog;X:1\np6,\n"
    )
    copy, log = corrected(tmp_path, ontology, labels, convention="closed")
    assert copy.splitlines() == [
        "id,labels",
        "p1,X:2;X:1",
        "p2,X:5;anymal",
        "p3,X:6;X:3",
        "p3,X:6",
        "p4,X:3;X:1",
        "p5,X:2;X:1",
        "p6,",
    ]
    assert log.splitlines() == [
        "sample,change,label,new,rule",
        "p1,rename,X:4,X:2,replaced",
        "p4,join,X:3,,repeated-label",
        "p4,rename,X:11,X:1,alternative",
        "p5,rename,dog,X:2,spelling",
    ]


def test_a_file_of_most_specific_labels_loses_what_is_redundant(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    labels = "sample,concept\np1,dog\np1,animal\np2,poodle\np3,poodle\np4,cat\np5,\n"
    cats = [f"q{number},cat" for number in range(9)]
    copy, log = corrected(tmp_path, ontology, labels + "\n".join(cats) + "\n")
    assert copy.splitlines() == ["sample,concept", "p1,dog", "p2,poodle", "p3,poodle", "p4,cat", "p5,", *cats]
    assert log.splitlines()[1:] == ["p1,remove,animal,,redundant-ancestor"]


@pytest.mark.parametrize(
    ("spelling", "added"),
    [
        ("poodle", "dog"),
        ("X_6", "X_2"),
        ("http://purl.obolibrary.org/obo/X_6", "http://purl.obolibrary.org/obo/X_2"),
    ],
)
def test_labels_that_are_added_are_written_like_the_others(
    tmp_path: Path, ontology: oe.Ontology, spelling: str, added: str
) -> None:
    copy, _ = corrected(tmp_path, ontology, f"sample,concept\np1,{spelling}\n", convention="closed")
    assert f"p1,{added}\n" in copy


def test_labels_of_a_concept_map_stay_its_labels(tmp_path: Path, ontology: oe.Ontology) -> None:
    concept_map = {"Pudel": "X:6", "Hund": "X:2", "Tier": "X:1", "Rest": "X:5"}
    copy, _ = corrected(
        tmp_path,
        ontology,
        "id,labels\np1,Pudel\n",
        concept_map=concept_map,
        convention="closed",
    )
    assert copy.splitlines()[1] == "p1,Pudel;Tier;Hund"


def test_the_separator_that_was_named_is_kept(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = "id,labels\np1,a;b/X:2\n"
    copy, _ = corrected(tmp_path, ontology, labels, separator="/", convention="closed")
    assert copy.splitlines()[1] == "p1,a;b/X:2/X:1"
    again = oe.correct_labels(tmp_path / "out.csv", ontology, separator="/", convention="closed")
    assert not again.changes


def test_labels_that_hold_the_separator_are_written_one_in_each_row(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    copy, _ = corrected(tmp_path, ontology, '{"p1": ["a;b", "X:2"]}')
    assert copy.splitlines() == ["sample,concept", "p1,X:2", "p1,a;b"]


def test_a_copy_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, ontology: oe.Ontology) -> None:
    (tmp_path / "labels.csv").write_text("id,labels\np1,X:1\n", encoding="utf-8")
    correction = oe.correct_labels(tmp_path / "labels.csv", ontology)
    (tmp_path / "out").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match="this is a folder"):
        correction.write(tmp_path / "new.csv", tmp_path / "out")
    assert sorted(tmp_path.iterdir()) == before


def test_verified_labels_are_not_corrected() -> None:
    verified = oe.VerifiedLabels.from_sets([["trees"]], [["plants"]], vocabulary=HIERARCHY.label_vocabulary)
    with pytest.raises(InputError, match="verified labels is not corrected"):
        oe.correct_labels(verified, HIERARCHY)  # type: ignore[arg-type]


def test_what_a_rule_or_a_baseline_switches_off_is_not_corrected(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    labels = "id,labels\np1,X:4;X:1\np2,X:4;X:2;X:1\np3,X:3\np4,X:6\np5,X:1\np5,X:1\n"
    off: dict[str, Any] = {"replaced": "off", "missing-ancestor": "off", "duplicate-sample": "off"}
    copy, log = corrected(tmp_path, ontology, labels, convention="closed", severities=off)
    assert copy.splitlines()[1:] == labels.splitlines()[1:]
    assert log.splitlines()[1:] == []
    old = "id,labels\np1,X:4;X:1\np3,X:3\np5,X:1\np5,X:1\n"
    (tmp_path / "old.csv").write_text(old, encoding="utf-8")
    findings = oe.audit_labels(tmp_path / "old.csv", ontology, convention="closed")
    path = saved(tmp_path, findings, oe.LabelSets.from_sets({name: [] for name in findings.samples}))
    copy, log = corrected(tmp_path, ontology, labels, convention="closed", baseline=path)
    assert copy.splitlines()[1:] == [
        *("p1,X:4;X:1", "p2,X:2;X:1", "p3,X:3", "p4,X:6;X:1;X:2", "p5,X:1", "p5,X:1")
    ]
    assert [line.split(",")[:3] for line in log.splitlines()[1:]] == [
        ["p2", "rename", "X:4"],
        ["p4", "add", "X:1"],
        ["p4", "add", "X:2"],
    ]


@pytest.mark.parametrize(
    ("convention", "rule"), [("closed", "missing-ancestor"), ("most-specific", "redundant-ancestor")]
)
def test_what_is_left_alone_is_not_said_to_be_fixable(
    tmp_path: Path, ontology: oe.Ontology, convention: str, rule: str
) -> None:
    path = tmp_path / "labels.csv"
    options: dict[str, Any] = {"convention": convention}
    rows = "id,labels\np1,X:6;X:2\np1,X:3\n"
    path.write_text(rows, encoding="utf-8")
    assert [one.fixable for one in oe.audit_labels(path, ontology, **options).of(rule)] in (
        [False],
        [False] * 2,
    )
    assert not oe.correct_labels(path, ontology, **options).changes
    path.write_text(rows + "p2,X:6;X:2\n", encoding="utf-8")
    assert any(one.fixable for one in oe.audit_labels(path, ontology, **options).of(rule))
    assert {change.sample for change in oe.correct_labels(path, ontology, **options).changes} == {"p2"}


def test_rows_that_say_the_same_are_corrected_where_they_are_not_joined(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    off: dict[str, Any] = {"duplicate-sample": "off"}
    labels = "id,labels\np1,X:2\np1,X:2\n"
    copy, _ = corrected(tmp_path, ontology, labels, convention="closed", severities=off)
    assert copy.splitlines()[1:] == ["p1,X:2;X:1"] * 2


def test_links_that_are_doubted_add_nothing_and_stop_what_lies_above() -> None:
    hierarchy = oe.Hierarchy.from_edges([("top", "art"), ("art", "painting"), ("top", "sky")])
    rows = [*[["painting"]] * 3, *[["sky", "top"]] * 40, ["sky"]]
    correction = oe.correct_labels(oe.LabelSets.from_sets(rows), hierarchy)
    assert [change[:3] for change in correction.changes] == [("43", "add", "top")]
    forced = oe.correct_labels(oe.LabelSets.from_sets(rows), hierarchy, convention="closed")
    assert len(forced.changes) == 7


def test_where_a_correction_ends_a_doubt_it_goes_on() -> None:
    # Of four that bear b three lack a, until those that bear c get a.
    hierarchy = oe.Hierarchy.from_edges([("a", "b"), ("a", "c")])
    rows = [*[["b"]] * 3, ["a", "b"], *[["b", "c"]] * 4, *[["a", "c"]] * 80]
    correction = oe.correct_labels(oe.LabelSets.from_sets(rows), hierarchy)
    again = oe.audit_labels(correction.sets, hierarchy)
    assert not [finding for finding in again if finding.fixable]
    assert len(correction.changes) == 7


@pytest.mark.parametrize(
    ("labels", "copy"),
    [
        ("id,labels\np1,X:1|X:2\n", "p1,X:1|X:2"),
        ("id,X:1,X:2\np1,1,1\n", "p1,1,1"),
        ("id,X:1,dog\np1,1,1\np2,1,0\np3,1,1\n", "p1,1,1"),
        ("id,X:1,X:4\np1,1,1\n", "p1,X:1;X:2"),
        ("id,labels\np1,X:1|X:2|X:6\np2,X:1|X:11\n", "p1,X:1|X:2|X:6"),
        ("id,labels\np1,animal|dog|big; poodle\np2,animal\np3,big; poodle\n", "p1,animal|dog|big; poodle"),
    ],
)
def test_the_format_is_as_near_as_it_can_be(tmp_path: Path, labels: str, copy: str) -> None:
    odd = OBO.replace("name: griffin", "name: a;b").replace("name: poodle", "name: big; poodle")
    (tmp_path / "odd.obo").write_text(odd, encoding="utf-8")
    written, _ = corrected(tmp_path, oe.read_ontology(tmp_path / "odd.obo"), labels)
    assert copy in written.splitlines()


def test_changes_are_a_sequence() -> None:
    hierarchy = oe.Hierarchy.from_edges([("plants", "trees")])
    correction = oe.correct_labels(sets("trees", "", "trees"), hierarchy, convention="closed")
    first, last = correction.changes
    assert (first.sample, last.sample) == ("0", "2")
    assert correction.changes[-1:] == (last,)
    with pytest.raises(IndexError):
        correction.changes[2]


def test_names_are_quoted_in_the_log(tmp_path: Path) -> None:
    hierarchy = oe.Hierarchy.from_edges([('a "b", c', "trees")])
    labels = oe.LabelSets.from_sets({"p,1": ["trees"]})
    correction = oe.correct_labels(labels, hierarchy, convention="closed")
    correction.write(tmp_path / "out.csv", tmp_path / "log.csv")
    with (tmp_path / "log.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1] == ["p,1", "add", 'a "b", c', "", "missing-ancestor"]


# baselines --------------------------------------------------------------------------------------------------


def saved(tmp_path: Path, findings: oe.audit.Findings, labels: oe.LabelSets) -> Path:
    path = tmp_path / "baseline.json"
    path.write_text(baseline(findings, labels.samples), encoding="utf-8")
    return path


def test_a_baseline_lets_only_new_samples_through(tmp_path: Path) -> None:
    before, after = sets("summer winter", "beach"), sets("summer winter", "beach", "summer winter", "beach")
    accepted = read_baseline(saved(tmp_path, oe.audit_labels(before, HIERARCHY), before))
    findings = new_findings(oe.audit_labels(after, HIERARCHY), accepted, after.samples)
    errors = [finding for finding in findings if finding.severity == "error"]
    assert [(finding.rule, finding.count, finding.samples) for finding in errors] == [
        ("exclusion", 1, ("2",)),
        ("requirement", 1, ("3",)),
    ]
    assert errors[0].explanation.endswith("Accepted: 1 of 2 samples; new: '2'.")


def test_a_baseline_accepts_no_other_samples_in_the_place_of_those_that_were_mended(tmp_path: Path) -> None:
    before, after = sets("summer winter", "beach outdoor"), sets("summer", "summer winter beach outdoor")
    accepted = read_baseline(saved(tmp_path, oe.audit_labels(before, HIERARCHY), before))
    found = oe.audit_labels(after, HIERARCHY).of("exclusion")
    (finding,) = new_findings(found, accepted, after.samples)
    assert finding.samples == ("1",)


def unused(*concepts: str) -> Finding:
    return Finding("never-used", "note", concepts, len(concepts), key=("never-used",), cases=concepts)


def test_a_baseline_accepts_fewer_concepts_of_a_list_and_tells_only_new_ones() -> None:
    accepted: Accepted = {("never-used",): {"a", "b"}}
    assert new_findings([unused("b")], accepted, ()) == []
    (finding,) = new_findings([unused("b", "c")], accepted, ())
    assert (finding.concepts, finding.count) == (("c",), 1)
    assert finding.explanation.endswith("Accepted: 1 of 2 concepts; new: 'c'.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 9, "accepted": []}',
        '{"version": 1, "accepted": []}',
        '{"version": 2, "accepted": [{"key": ["a"]}]}',
        "\ud800",
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(InputError, match="no baseline of findings"):
        read_baseline(tmp_path / "b.json")


# rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules", "this is no TOML"),
        ("[rule]\n", r"read from a table \[rules\]"),
        ("[rules]\nunknwon = 'off'", "no rule 'unknwon' .near: 'unknown'"),
        ("[rules]\nunknown = 'fatal'", "'unknown' has the severity 'fatal'"),
        ("[rules]\nunknown = []", "has the severity"),
    ],
)
def test_a_file_of_rules_that_says_nothing_sensible_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "rules.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_settings(tmp_path / "rules.toml", RULES)


# SARIF ------------------------------------------------------------------------------------------------------


def test_sarif_describes_the_rules_that_are_broken() -> None:
    findings = oe.audit_labels(sets("summer winter", "unheard"), HIERARCHY)
    log = sarif(findings, RULES, "my labels.csv")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (place,) = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "my%20labels.csv"
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note"}
    assert json.loads(json.dumps(log)) == log
    prints = [result["partialFingerprints"]["finding/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_says_in_which_row_an_unknown_label_is_met(tmp_path: Path, ontology: oe.Ontology) -> None:
    (tmp_path / "labels.csv").write_text("id,labels\np1,X:1\np2,X:1;unheard\n", encoding="utf-8")
    findings = oe.audit_labels(tmp_path / "labels.csv", ontology)
    lines = {
        result["ruleId"]: result["locations"][0]["physicalLocation"]["region"]["startLine"]
        for result in sarif(findings, RULES, "labels.csv")["runs"][0]["results"]
    }
    assert (lines["unknown"], lines["never-used"]) == (3, 1)


LINES: dict[str, tuple[str, dict[str, tuple[int, ...]]]] = {
    "long": (
        "sample,concept\np1,X:1\np2,X:2\np2,X:1\np2,odd\np1,X:6\np3,X:6\np3,odd\n",
        {"unknown": (5, 7), "missing-ancestor": (2, 7)},
    ),
    "wide": (
        "id,labels\np1,X:1\np1,X:2\n\np2,X:6;odd\np3,odd\n",
        {"unknown": (5, 6), "conflicting-sample": (2, 3), "missing-ancestor": (5,)},
    ),
    "again": (
        "id,labels\np1,X:1\np2,X:1\np1,X:1\np3,X:1;X:2\np3,X:1\np1,X:1\n",
        {"duplicate-sample": (4, 7), "conflicting-sample": (5, 6), "used-once": (5,)},
    ),
    "columns": (
        "id,X:1,X:2,odd\np1,1,1,0\np2,0,1,1\np3,1,1,1\n",
        {"unknown": (1, 3, 4), "missing-ancestor": (3,)},
    ),
    "jsonl": (
        '{"id": "p1", "labels": []}\n\n{"id": "p2", "labels": ["odd", "X:2", "X:1"]}\n',
        {"unknown": (3,), "unlabelled": (1,)},
    ),
    "json": ('{"p1": ["X:1"], "p2": ["odd", "X:2"]}', {"unknown": (), "missing-ancestor": ()}),
    "annif": ("a\t<X:1>\n\nb\t<odd> <odder>\n", {"unknown": (1,)}),
    "arff": (
        "@relation x\n@attribute class hierarchical X:1,X:2\n@data\nX:1\n\nX:2\n",
        {"missing-ancestor": (6,)},
    ),
}
"""Label files, and in which lines of them some rules are broken."""


@pytest.mark.parametrize("written", LINES)
def test_a_finding_is_seen_in_the_lines_where_samples_begin(
    written: str, tmp_path: Path, ontology: oe.Ontology
) -> None:
    text, lines = LINES[written]
    (tmp_path / "labels.txt").write_text(text, encoding="utf-8")
    findings = oe.audit_labels(tmp_path / "labels.txt", ontology, convention="closed")
    assert {rule: lines_showing(findings, findings.of(rule)[0], 20) for rule in lines} == lines


@pytest.mark.parametrize(
    ("columns", "seen"),
    [
        ({"id": ["p1", "p2", "p3"], "labels": ["X:1", "odd", "X:1;X:2"]}, (2,)),
        ({"id": ["p1", "p2", "p3"], "labels": [["X:1"], ["odd"], ["odd"]]}, (2, 3)),
        ({"sample": ["p1", "p2", "p2", "p3"], "concept": ["X:1", "X:1", "odd", "odd"]}, (3, 4)),
        ({"id": ["p1", "p2"], "X:1": [1, 1], "odd": [0, 1]}, (2,)),
    ],
)
def test_the_rows_of_parquet_count_as_lines(
    columns: dict[str, list[object]], seen: tuple[int, ...], tmp_path: Path, ontology: oe.Ontology
) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), tmp_path / "labels.parquet")
    findings = oe.audit_labels(tmp_path / "labels.parquet", ontology)
    assert lines_showing(findings, findings.of("unknown")[0], 20) == seen


def test_sarif_names_a_few_lines_of_a_large_file(tmp_path: Path, ontology: oe.Ontology) -> None:
    rows = "".join(f"p{row},{'X:2' if row > 1_500 else 'X:1'}\n" for row in range(2_000))
    (tmp_path / "labels.csv").write_text(f"id,labels\n{rows}p,odd\n", encoding="utf-8")
    findings = oe.audit_labels(tmp_path / "labels.csv", ontology, convention="closed")
    results = {one["ruleId"]: one for one in sarif(findings, RULES, "labels.csv")["runs"][0]["results"]}
    assert [
        [place["physicalLocation"]["region"]["startLine"] for place in results[rule]["locations"]]
        for rule in ("missing-ancestor", "unknown")
    ] == [list(range(1_503, 1_523)), [2_002]]
    named = ["logicalLocations" in place for place in results["missing-ancestor"]["locations"]]
    assert named == [True] + [False] * 19


def test_what_a_baseline_accepts_is_not_where_the_rest_is_seen(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,labels\np1,odd\n", encoding="utf-8")
    (tmp_path / "accepted.json").write_text(
        baseline(oe.audit_labels(labels, ontology), ("p1",)), encoding="utf-8"
    )
    labels.write_text("id,labels\np1,odd\np2,odd\n", encoding="utf-8")
    findings = oe.audit_labels(labels, ontology)
    (new,) = new_findings(findings.of("unknown"), read_baseline(tmp_path / "accepted.json"), findings.samples)
    assert lines_showing(findings, new, 20) == (3,)


def test_of_concepts_that_are_used_once_the_new_ones_are_seen_where_they_are(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,labels\np1,X:1\np2,X:1\np3,X:3;X:1\n", encoding="utf-8")
    before = oe.audit_labels(labels, ontology)
    (tmp_path / "accepted.json").write_text(baseline(before, before.samples), encoding="utf-8")
    labels.write_text("id,labels\np1,X:1\np2,X:1;X:2\np3,X:3;X:1\n", encoding="utf-8")
    findings = oe.audit_labels(labels, ontology)
    (new,) = new_findings(
        findings.of("used-once"), read_baseline(tmp_path / "accepted.json"), findings.samples
    )
    assert (new.concepts, new.samples, lines_showing(findings, new, 20)) == (("X_2",), ("p2",), (3,))
