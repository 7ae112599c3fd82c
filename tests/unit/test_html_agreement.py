"""Reports on annotators; what a browser makes of them is tested in tests/browser."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from scipy import sparse
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import ParameterError
from ontoeval.reports import agreement as pages
from ontoeval.reports import agreement as sections
from ontoeval.reports.agreement import report
from tests.other_pages import annotators, tables_of
from tests.pages import HOSTILE
from tests.unit.test_html_report import headings, unscripted


def cards(page: str) -> list[str]:
    return [
        re.sub(r"(<.*?>|\s)+", " ", card).strip()
        for card in re.findall(r"<article.*?</article>", page, re.DOTALL)
    ]


def test_a_report_on_annotators_has_all_sections():
    titles = "Overall;Concepts;Annotators;Pairs;Confusions;How many suffice;Recipe"
    assert headings(annotators().report()) == titles.split(";")


def test_a_report_on_annotators_is_the_same_each_time():
    assert annotators().report() == report(annotators())


def test_the_concepts_of_all_coefficients_have_their_intervals():
    found = annotators()
    shown = tables_of(found.report())
    for name, title in (("majority", "majority"), ("alpha", "α")):
        table = shown[f"{title} per concept"]
        assert tuple(table["concept"]) == found.concepts
        for column, side in zip((title, "low", "high"), found.estimates.concepts[name], strict=True):
            assert table[column] == pytest.approx(side.tolist(), abs=1e-6)


def test_of_many_concepts_those_are_shown_on_which_people_agree_least(monkeypatch):
    monkeypatch.setattr(pages, "ROWS", 3)
    monkeypatch.setattr(pages, "MOST", 2)
    found = annotators()
    page = found.report()
    majority = found.estimates.concepts["majority"].value
    kept = tables_of(page)["majority per concept"]["concept"]
    assert kept == [found.concepts[at] for at in np.sort(np.argsort(majority, kind="stable")[:3])]
    assert "Of 8 concepts 2 are drawn." in page
    assert "3 concepts on which most differ from the majority." in page


def test_a_concept_that_is_no_label_has_the_mean_of_those_below():
    hierarchy = oe.Hierarchy.from_edges([("all", "a"), ("all", "b"), ("all", "c"), ("c", "d")])
    said = {"Ann": [["a"], ["a", "b"]], "Bob": [["a"], ["a"]], "Eve": [["a"], ["a"]]}
    found = oe.agreement(oe.Annotations.from_sets(said), hierarchy=hierarchy, resamples=10)
    table = tables_of(found.report())["Agreement in the hierarchy"]
    rows = dict(zip(table["concept"], table["majority"], strict=True))
    a, b = found.estimates.concepts["majority"].value
    assert rows == {
        "all": pytest.approx((a + b) / 2, abs=1e-5),
        "a": a,
        "b": pytest.approx(b, abs=1e-5),
        "c": None,
        "d": None,
    }


def test_without_a_hierarchy_there_is_no_icicle():
    shown = tables_of(annotators(flat=True).report())
    assert "Agreement in the hierarchy" not in shown
    assert "Confusions, everybody: rows are one says, columns another says" in shown


def test_cards_tell_who_says_more_and_who_less():
    truth = [["a", "b"], ["a"], ["b"], ["a", "b"]] * 5
    said = {
        "Ann": truth,
        "Bob": truth,
        "Eve": truth,
        "Max": [[*row, "c"] for row in truth],
        "Min": [row[:1] for row in truth],
    }
    page = oe.agreement(oe.Annotations.from_sets(said), resamples=20).report()
    texts = {text.split()[0]: text for text in cards(page)}
    assert "67% more labels than the others" in texts["Max"]
    assert "c +20" in texts["Max"]
    assert "33% fewer labels than the others" in texts["Min"]
    assert "b −10" in texts["Min"]
    assert "as many labels as the others" in texts["Ann"]
    assert "+" not in texts["Ann"]


def test_a_card_says_what_was_left_open_and_what_cannot_be_compared():
    said = oe.Annotations(
        sparse.csr_array(np.array([[True, False], [True, False], [False, False]])),
        sparse.csr_array(np.array([[False, True], [False, False], [False, False]])),
        oe.Vocabulary(("a", "b")),
        ("p", "q"),
        ("Ann", "Bob", "Eve"),
        np.array([0, 0, 1]),
        np.array([0, 1, 2]),
    )
    page = oe.agreement(said, resamples=10).report()
    texts = {text.split()[0]: text for text in cards(page)}
    assert "50.0% left open" in texts["Ann"]
    assert "no labels to compare" in texts["Eve"]


def test_of_many_annotators_those_who_agree_least_are_shown(monkeypatch):
    monkeypatch.setattr(sections, "CARDS", 2)
    monkeypatch.setattr(sections, "PAIR_ROWS", 3)
    monkeypatch.setattr(sections, "CELLS", 2 * 81)
    page = annotators().report()
    assert len(cards(page)) == 2
    assert "Of 5 annotators 2 are shown." in page
    assert "Of 5 annotators the 3 who have seen most are shown." in page
    assert "Of 16 combinations 2 are shown, those that agree least." in page
    matrices = [title for title in tables_of(page) if title.startswith("Confusions, ")]
    assert len(matrices) == 2


def test_pairs_are_all_there():
    found = annotators()
    table = tables_of(found.report())["Pairs of annotators"]
    assert list(zip(table["first"], table["second"], strict=True)) == [pair[:2] for pair in found.pairs]
    assert table["Cohen κ"] == pytest.approx([pair.kappa for pair in found.pairs], rel=1e-5)


def test_annotators_who_always_say_the_same_have_no_matrix_of_pairs():
    said = oe.Annotations.from_sets({"Ann": [["a"]], "Bob": [["a"]]})
    titles = headings(oe.agreement(said, resamples=10).report())
    assert titles == ["Overall", "Concepts", "Annotators", "Confusions", "How many suffice", "Recipe"]


def test_sheets_that_leave_something_open_are_not_confused():
    said = oe.Annotations(
        sparse.csr_array(np.array([[True, False], [False, False]])),
        sparse.csr_array(np.array([[False, True], [True, False]])),
        oe.Vocabulary(("a", "b")),
        ("p",),
        ("Ann", "Bob"),
        np.array([0, 0]),
        np.array([0, 1]),
    )
    assert "Confusions" not in headings(oe.agreement(said, resamples=10).report())


def test_single_labels_are_compared_as_categories():
    said = oe.Annotations.from_sets({"Ann": [["a"], ["b"], ["a"]], "Bob": [["a"], ["a"], ["a"]]})
    page = oe.agreement(said, resamples=10).report()
    assert "<option>labels as categories</option>" in page


def test_the_recipe_tells_how_intervals_were_made():
    (recipe,) = re.findall(r'<pre id="recipe-text"[^>]*>(.*?)</pre>', annotators().report(), re.DOTALL)
    assert "50 bootstrap resamples, seed 3" in recipe
    assert "hierarchy of 8 concepts" in recipe


def test_hostile_names_of_annotators_are_text():
    page = annotators(HOSTILE).report(title=HOSTILE[2])
    shown = unscripted(page)
    assert not re.search(r"<(b|img|script)[ >]", shown)
    assert "\x1b" not in page
    assert "\x00" not in page
    assert "taken'</script>" not in page
    assert html.escape(HOSTILE[5]) in shown


def test_the_command_writes_a_report(tmp_path):
    said, report = tmp_path / "said.csv", tmp_path / "report.html"
    said.write_text(
        "sample,annotator,concept\n" + "".join(f"p{n},{who},sky\n" for n in range(4) for who in "ABC")
    )
    asked = ["agreement", str(said), "--resamples", "10", "--report"]
    assert CliRunner().invoke(app, [*asked, str(report)], catch_exceptions=False).exit_code == 0
    assert "<title>Agreement of annotators</title>" in report.read_text(encoding="utf-8")
    with pytest.raises(ParameterError, match="--report"):
        CliRunner().invoke(app, [*asked, str(said)], catch_exceptions=False)
