"""Baselines: what is the same finding as one that was accepted, and what is new."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.audit.exchange import baseline, new_findings, read_baseline, sarif
from ontoeval.audit.findings import Finding
from ontoeval.core.rules import Exclusion, Requirement
from tests.unit.audit.test_labels import HIERARCHY, audit, sets


def news(before: oe.audit.Findings, after: oe.audit.Findings, path: Path) -> list[Finding]:
    (path / "baseline.json").write_text(baseline(before, before.samples), encoding="utf-8")
    return new_findings(after, read_baseline(path / "baseline.json"), after.samples)


def links(path: Path, *pairs: str) -> Path:
    path.write_text("child,parent\n" + "".join(f"{pair}\n" for pair in pairs), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("broken", "mended"), [("indoor outdoor", ["indoor", "outdoor"]), ("beach", ["beach outdoor"] * 2)]
)
def test_what_was_systematic_and_is_mended_in_part_is_not_new(
    broken: str, mended: list[str], tmp_path: Path
) -> None:
    before = audit(*[broken] * 400)
    after = audit(*mended * 100, *[broken] * 80)
    assert before.found[0].rule.startswith("systematic-")
    assert not after.found[0].rule.startswith("systematic-")
    assert not [one for one in news(before, after, tmp_path) if one.severity == "error"]


def test_a_cycle_over_other_links_is_new_and_one_over_fewer_is_not(tmp_path: Path) -> None:
    before = oe.audit_ontology(links(tmp_path / "a.csv", "a,b", "b,c", "c,a", "c,b"))
    other = oe.audit_ontology(links(tmp_path / "b.csv", "a,b", "b,a"))
    assert [one.concepts for one in news(before, other, tmp_path)] == [("a", "b")]
    fewer = oe.audit_ontology(links(tmp_path / "c.csv", "a,b", "b,c", "c,b"))
    assert not [one for one in news(before, fewer, tmp_path) if one.rule == "cycle"]


def test_redundant_links_are_the_same_ones_one_by_one_and_together(tmp_path: Path) -> None:
    rows = [row for at in range(100) for row in (f"x{at},m{at}", f"m{at},top", f"x{at},top")]
    before = oe.audit_ontology(links(tmp_path / "a.csv", *rows)).of("redundant-link")
    after = oe.audit_ontology(links(tmp_path / "b.csv", *rows[:-1])).of("redundant-link")
    assert (len(before), len(after)) == (1, 99)
    assert not news(oe.audit.Findings(before), oe.audit.Findings(after), tmp_path)
    more = oe.audit_ontology(links(tmp_path / "c.csv", *rows, "y,m0", "y,top"))
    (new,) = (one for one in news(oe.audit.Findings(before), more, tmp_path) if one.rule == "redundant-link")
    assert new.count == 101, "what no concept and no sample is a part of is told as a whole"


def test_findings_of_an_audit_have_keys_and_fingerprints_of_their_own(tmp_path: Path) -> None:
    names = {
        "P1": ["beach"],
        "p1": ["summer", "winter"],
        "Q": ["indoor"],
        "q": ["outdoor", "indoor"],
    }
    findings = oe.audit_labels(oe.LabelSets.from_sets(names), HIERARCHY)
    assert len(findings.of("similar-sample")) == 2
    results = sarif(findings, {}, "labels.csv")["runs"][0]["results"]
    prints = [result["partialFingerprints"]["finding/v1"] for result in results]
    assert len(set(prints)) == len(prints)
    again = oe.audit_ontology(links(tmp_path / "a.csv", "a,b", "b,a", "c,d", "d,c"))
    results = sarif(again, {}, "a.csv")["runs"][0]["results"]
    assert len({result["partialFingerprints"]["finding/v1"] for result in results}) == len(again)


def test_the_fingerprint_of_a_list_stays_when_the_list_changes() -> None:
    prints = set()
    for row in ("trees plants", "flowers plants summer"):
        findings = oe.audit.Findings(audit(row).of("never-used"))
        (result,) = sarif(findings, {}, "labels.csv")["runs"][0]["results"]
        prints.add(result["partialFingerprints"]["finding/v1"])
    assert len(prints) == 1


def test_a_rule_that_no_set_can_meet_is_the_same_whatever_samples_show_it(tmp_path: Path) -> None:
    hierarchy = HIERARCHY.with_labels(["beach", "summer"])
    before, after = (oe.audit_labels(sets(*rows), hierarchy) for rows in (["beach"], ["summer", "beach"]))
    assert not [one for one in news(before, after, tmp_path) if one.rule == "unmeetable"]


def test_a_new_exclusion_of_an_unsatisfiable_concept_is_new(tmp_path: Path) -> None:
    def made(*pairs: tuple[str, str]) -> oe.audit.Findings:
        hierarchy = oe.Hierarchy.from_edges(
            [(above, "x") for above in "abc"], exclusions=[Exclusion(*pair) for pair in pairs]
        )
        ontology = oe.Ontology(hierarchy, ("",) * 4, ("",) * 4, ("is_a",) * 3)
        return oe.audit_ontology(ontology)

    before, after = made(("a", "b")), made(("a", "b"), ("b", "c"))
    assert [one.rule for one in news(before, after, tmp_path)] == ["unsatisfiable"]
    assert not news(after, before, tmp_path)


def test_the_order_of_rows_is_not_seen_in_a_baseline() -> None:
    rows = {"p1": ["trees", "what"], "p2": ["trees"], "p3": ["beach", "what"], "p4": ["what"]}
    texts = {
        baseline(findings, findings.samples)
        for order in (list(rows), list(reversed(rows)))
        for findings in [oe.audit_labels(oe.LabelSets.from_sets({k: rows[k] for k in order}), HIERARCHY)]
    }
    assert len(texts) == 1


def test_requirements_are_told_apart_by_their_relation() -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [], concepts=["a", "b"], requirements=[Requirement("a", ("b",), relation) for relation in ("r", "s")]
    )
    keys = {one.key for one in oe.audit_labels(sets("a"), hierarchy).of("requirement")}
    assert keys == {("requirement", "r", "a", "b"), ("requirement", "s", "a", "b")}
