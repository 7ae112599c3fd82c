"""Reports of audits; what a browser makes of them is tested in tests/browser."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import ParameterError
from ontoeval.reports import audit as pages
from ontoeval.reports import concepts
from ontoeval.reports.audit import affected_by_branch, report
from tests.other_pages import NAMES, audit, hierarchy, tables_of
from tests.pages import HOSTILE
from tests.unit.test_html_report import headings, unscripted


def test_an_audit_has_all_sections():
    sections = ["Summary", "Branches", "Findings", "Worst samples", "Checks passed", "Recipe"]
    assert headings(audit().report()) == sections


def test_a_report_of_an_audit_is_the_same_each_time():
    assert audit().report() == report(audit())


def test_the_summary_counts_findings_by_rule_and_says_what_each_looks_for():
    found = audit()
    rules = tables_of(found.report())["By rule"]
    assert rules["rule"] == [row["rule"] for row in found.by_rule]
    assert rules["findings"] == [row["findings"] for row in found.by_rule]
    assert all(text.endswith(".") for text in rules["looks for"])


def test_a_rule_of_somebody_else_needs_no_description():
    page = oe.audit.Findings([oe.audit.Finding("own-rule", "error", ("a",), 1)]).report()
    assert tables_of(page)["By rule"]["looks for"] == [""]
    assert headings(page) == ["Summary", "Findings", "Recipe"]


@pytest.mark.parametrize(
    ("convention", "words"),
    [
        ("infer", "hold the ancestors of their labels, as inferred from the file"),
        ("most-specific", "leave the ancestors of their labels out, as the option demands"),
        ("mixed", "follow no convention on the ancestors of their labels, as the option demands"),
    ],
)
def test_the_convention_of_the_file_is_told(convention, words):
    sets = oe.LabelSets.from_sets([["animals", "cats"], ["plants", "trees"]])
    assert words in unscripted(oe.audit_labels(sets, hierarchy(), convention=convention).report())


def test_each_finding_is_told_with_its_concepts_count_and_fix():
    found = audit()
    text = html.unescape(unscripted(found.report()))
    for finding in found:
        assert finding.explanation in text
        assert finding.fix is None or finding.fix in text
    assert tables_of(found.report())["Findings"]["count"] == [finding.count for finding in found]


def test_what_can_be_corrected_is_marked_and_counted():
    sets = oe.LabelSets.from_sets([["animals", "cats"]] * 18 + [["cats"], ["unheard"]])
    text = html.unescape(unscripted(oe.audit_labels(sets, hierarchy()).report()))
    assert "Add 'animals'.</bdi> (--fix)</p>" in text
    assert text.count("(--fix)") == 2, "once as a mark, and once where this is explained"
    assert "--fix would correct 1 finding in 1 sample; left for a human: 1 error," in text
    assert "--fix" not in unscripted(
        oe.audit.Findings([oe.audit.Finding("rare", "note", ("a",), 1, fix="Look.")]).report()
    )


def test_of_many_findings_a_page_shows_the_worst_and_counts_the_rest():
    many = oe.audit.Findings([oe.audit.Finding("rare", "note", (f"c{at}",), 1) for at in range(1_200)])
    page = many.report()
    assert "200 more findings are left out: they come later in this order." in page
    assert len(tables_of(page)["Findings"]["rule"]) == 1_000
    assert ">1,200<" in page


def test_long_explanations_do_not_make_a_page_too_large():
    long = oe.audit.Findings(
        [oe.audit.Finding("rare", "note", (f"c{at}",), 1, explanation="a" * 50_000) for at in range(900)]
    )
    page = long.report()
    assert len(page) < 8e6
    assert len(tables_of(page)["Findings"]["rule"]) == 11


def test_one_finding_is_shown_however_long_it_is(monkeypatch):
    monkeypatch.setattr(pages, "CHARACTERS", 3)
    assert tables_of(audit().report())["Findings"]["rule"] == [audit().found[0].rule]


def test_a_finding_about_many_concepts_names_the_first():
    page = oe.audit.Findings([oe.audit.Finding("rare", "note", tuple("abcdefgh"), 8)]).report()
    assert tables_of(page)["Findings"]["concepts"] == ["a, b, c, d, e and 3 more"]
    assert "and 3 more" in unscripted(page)


def test_nothing_found_is_said():
    page = oe.audit_labels(oe.LabelSets.from_sets([["animals", "cats"]]), hierarchy(), severities=dict.fromkeys(
        ("used-once", "never-used"), "off")).report()  # fmt: skip
    assert headings(page) == ["Checks passed", "Ontology", "Recipe"]
    assert "checks: nothing was found in 1 sample." in page


def test_branches_count_each_affected_sample_once():
    found = [
        oe.audit.Finding("a", "error", ("cats",), 2, rows=np.array([0, 1])),
        oe.audit.Finding("b", "error", ("dogs", "dogs", "no concept"), 2, rows=np.array([1, 2])),
    ]
    counts = dict(
        zip(hierarchy().vocabulary, affected_by_branch(found, hierarchy(), 3).tolist(), strict=True)
    )
    assert counts == {name: {"animals": 3, "cats": 2, "dogs": 2}.get(name, 0) for name in NAMES}


def test_branches_are_counted_alike_however_many_samples_are_looked_at_at_a_time(monkeypatch):
    found, samples = list(audit()), len(audit().samples)
    whole = affected_by_branch(found, hierarchy(), samples)
    monkeypatch.setattr(pages, "ROWS", 7)
    assert affected_by_branch(found, hierarchy(), samples).tolist() == whole.tolist()


def test_the_icicle_tells_samples_and_findings_of_each_branch():
    table = tables_of(audit().report())["Findings in their branches"]
    at = {name: place for place, name in enumerate(table["concept"])}
    assert table["samples with errors or warnings"][at["plants"]] == 2
    assert table["below"][at["cats"]] == "animals"
    assert set(table) >= {"errors", "samples with any finding"}


def test_concepts_that_are_used_once_mark_no_sample_in_the_branches_of_each_other():
    sets = oe.LabelSets.from_sets([["animals", "cats"], ["plants"]])
    table = tables_of(oe.audit_labels(sets, hierarchy()).report())["Findings in their branches"]
    assert "samples with any finding" not in table


def test_a_large_hierarchy_is_drawn_in_part(monkeypatch):
    monkeypatch.setattr(concepts, "MOST", 5)
    page = audit().report()
    assert "concepts of the lower levels are left out" in page
    assert len(tables_of(page)["Findings in their branches"]["concept"]) <= 5


def test_a_concept_with_several_parents_is_drawn_once_and_that_is_said():
    several = oe.Hierarchy.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    page = oe.audit_labels(oe.LabelSets.from_sets([["d"], ["d", "x"]]), several).report()
    assert "drawn once" in page
    assert sorted(tables_of(page)["Findings in their branches"]["concept"]) == ["a", "b", "c", "d"]


def test_worst_samples_are_shown_with_what_they_show():
    found = audit()
    rows = tables_of(found.report())["Worst samples"]
    sample, count = found.worst[0]
    assert rows["sample"].count(sample) == count
    assert set(rows["severity"]) <= {"error", "warning"}


def test_a_worst_sample_whose_findings_are_accepted_is_not_shown():
    found = audit()
    page = replace(
        found,
        found=[finding for finding in found if finding.severity == "note"],
        facts={**found.facts, "accepted": 3},
    ).report()
    assert "Worst samples" not in headings(page)
    assert "accepted: 3" in page


def test_an_audit_of_an_ontology_shows_its_shape(tmp_path):
    path = tmp_path / "plants.csv"
    rows = [f"leaf{at},tree" for at in range(30)]
    path.write_text("\n".join(["child,parent", "oak,tree", "tree,plant", "oak,plant", *rows]) + "\n")
    found = oe.audit_ontology(path)
    page = found.report(title="Plants")
    assert headings(page) == ["Summary", "Branches", "Findings", "Checks passed", "Shape", "Recipe"]
    shown = tables_of(page)
    assert shown["Concepts by depth"]["concepts"] == [1, 1, 31]
    assert shown["Concepts by children"]["children"] == [
        *map(str, range(11)),
        "11 to 20",
        "21 to 40",
    ]
    assert sum(shown["Concepts by children"]["concepts"]) == 33
    assert shown["Concepts by parents"]["concepts"] == [1, 31, 1]
    assert shown["Shape"]["value"][0] == 33
    assert "samples" not in dict(re.findall(r"<dt>(.*?)</dt><dd><bdi>(.*?)</bdi>", page))


def test_an_ontology_as_it_was_read_tells_what_cannot_be_found():
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    page = oe.audit_ontology(ontology).report()
    assert "neither cycles nor deprecated concepts" in page
    assert "Shape" in headings(page)


def test_hostile_names_of_an_audit_are_text():
    found = audit(HOSTILE)
    page = found.report(title=HOSTILE[0])
    shown = unscripted(page)
    assert not re.search(r"<(b|img|script)[ >]", shown)
    assert "\x1b" not in page
    assert "\x00" not in page
    assert html.escape(HOSTILE[4].encode("unicode_escape").decode()) in shown
    assert "taken'</script>" not in page


def test_a_page_of_the_imageclef_truth_counts_what_is_wrong_with_it(data):
    folder = data / "imageclef2011"
    found = oe.audit_labels(
        folder / "truth.txt",
        oe.read_ontology(folder / "photo_tagging_2011.owl"),
        concepts=folder / "concepts.txt",
        concept_map=folder / "concept_map.csv",
    )
    page = found.report()
    table = tables_of(page)["Findings in their branches"]
    rows = dict(zip(table["concept"], table["samples with errors or warnings"], strict=True))
    assert rows["Gender"] == 1_254
    assert "4,117 of 4,576 implied ancestors are there" in page


def test_the_commands_write_reports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("id,labels\np1,trees;snow\np2,treees\n")
    for call in (["audit", "labels.csv", "--ontology", "photo"], ["audit-ontology", "photo"]):
        asked = [*call, "--report", "report.html"]
        assert CliRunner().invoke(app, asked, catch_exceptions=False).exit_code == 0
        title = "labels.csv" if call[0] == "audit" else "photo.ttl"
        assert f"<title>Audit of {title}</title>" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "call", [["audit", "x.csv", "--ontology", "x.csv"], ["audit-ontology", "x.csv"]], ids=lambda call: call[0]
)
def test_a_report_is_not_written_over_what_is_read(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("child,parent\na,b\n")
    with pytest.raises(
        ParameterError, match=r"--report='x\.csv': expected another name: a file that is read"
    ):
        CliRunner().invoke(app, [*call, "--report", "x.csv"], catch_exceptions=False)
    assert (tmp_path / "x.csv").read_text() == "child,parent\na,b\n"
