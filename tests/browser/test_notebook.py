"""What a browser makes of the output of a cell: trees open, nothing sticks out, no script is needed."""

from __future__ import annotations

import pytest

from tests.browser.test_pages import BROWSER, browser, opened, playwright  # noqa: F401 - a fixture

import ontoeval as oe  # isort: skip - what it needs is there

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    folder = oe.ontologies.benchmark()
    truth, run = (oe.read_labels(folder / name, ontology) for name in ("truth.csv", "runs/noisy.csv"))
    matrix = oe.confusion_matrix(truth, run, hierarchy=ontology.hierarchy())
    results = (
        ontology,
        matrix.aggregated(ontology.hierarchy(), level=1),
        oe.compare(truth, {"noisy": run}, hierarchy=ontology.hierarchy(), resamples=5),
        oe.audit_labels(folder / "truth.csv", ontology),
    )
    path = tmp_path_factory.mktemp("cells") / "cells.html"
    html = "".join(result._repr_html_() for result in results)
    path.write_text(f'<!doctype html><meta charset="utf-8"><body>{html}</body>', encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [1000, 400])
def test_a_wide_table_scrolls_in_its_own_cell(browser, cells, width):  # noqa: F811
    with opened(browser, cells, width=width) as tab:
        assert tab.locator("table").count() == 3
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_branch_opens_without_a_script(browser, cells):  # noqa: F811
    with opened(browser, cells, java_script_enabled=False) as tab:
        lake = tab.get_by_text("lake", exact=True).first
        playwright.expect(lake).to_be_hidden()
        for branch in ("landscape element", "water"):
            tab.locator("summary", has_text=branch).first.click()
        playwright.expect(lake).to_be_visible()


def test_a_page_is_shown_in_a_frame_with_its_figures(browser, tmp_path):  # noqa: F811
    truth, run = [["a"], ["b"], ["a", "b"]], [["a"], ["a"], ["a", "b"]]
    page = oe.compare(truth, {"one": run, "two": truth}, resamples=5).report(title="Two runs")
    (tmp_path / "cell.html").write_text(f"<!doctype html><body>{page._repr_html_()}</body>", encoding="utf-8")
    with opened(browser, tmp_path / "cell.html") as tab:
        frame = tab.frame_locator("iframe")
        playwright.expect(frame.get_by_role("heading", name="Two runs")).to_be_visible()
        plot = frame.locator("#leaderboard .plot").first
        plot.scroll_into_view_if_needed()
        playwright.expect(plot.locator(".main-svg").first).to_be_attached()
