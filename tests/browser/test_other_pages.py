"""What a browser makes of reports of audits, of annotators and of studies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.core.table import Column, Table
from ontoeval.reports.page import Figure, FigureView, Section, report_page
from tests.browser.test_pages import (
    BROWSER,
    browser,  # noqa: F401 - a fixture
    draw_all,
    heights,
    open_table,
    opened,
    playwright,
)
from tests.other_pages import annotators, audit, measures
from tests.pages import HOSTILE

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")
PAGES: dict[str, Callable[..., Any]] = {"audit": audit, "agreement": annotators, "study": measures}
PLOTS = {"audit": 1, "agreement": 8, "study": 9}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        for kind, options in (("usual", ()), ("hostile", (HOSTILE,))):
            title = {"title": HOSTILE[0]} if options else {}
            (folder / f"{name}-{kind}.html").write_text(make(*options).report(**title), encoding="utf-8")
    return folder


@pytest.mark.parametrize(("width", "colours"), [(1400, "light"), (400, "dark")])
@pytest.mark.parametrize("name", PAGES)
def test_every_figure_is_drawn_and_nothing_sticks_out(browser, reports, name, width, colours):  # noqa: F811
    with opened(browser, reports / f"{name}-usual.html", width=width, color_scheme=colours) as tab:
        kept = heights(tab)
        assert draw_all(tab).count() == PLOTS[name]
        assert heights(tab) == kept
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_column_that_is_hardly_cut_is_not_told_to_be_hidden(browser, tmp_path):  # noqa: F811
    table = Table("Two", (Column("n"), Column("name")), ((3, "b"), (2, "c"), (2, "a")))
    figure = Figure("F", [FigureView(table=table)], open_table=True)
    path = tmp_path / "page.html"
    path.write_text(report_page("T", [Section("s", "S", "", [figure])], []), encoding="utf-8")
    with opened(browser, path, width=380) as tab:
        table = tab.locator(".scroll:has(th)")
        heads = table.locator("th[scope=col]").evaluate_all("all => all.map(one => one.ariaSort)")
        assert heads == ["descending", None]  # the order of the rows is told
        hint = table.locator("+ .beyond")
        playwright.expect(hint).to_be_empty()
        for width, told in (("20rem", "More to the right"), ("60rem", "1 more column to the right")):
            table.evaluate(
                """(table, width) => {
                    table.querySelector("th:last-child").style.minWidth = width;
                    table.dispatchEvent(new Event("scroll"));
                }""",
                width,
            )
            playwright.expect(hint).to_have_text(f"{told}: scroll →")


@pytest.mark.parametrize("name", PAGES)
def test_every_choice_is_drawn(browser, reports, name):  # noqa: F811
    with opened(browser, reports / f"{name}-usual.html") as tab:
        draw_all(tab)
        for figure in tab.locator("figure:has(select)").all():
            if not figure.locator("details[open]").count():
                open_table(figure)
            for select in figure.locator("select").all():
                for option in select.locator("option").all_inner_texts():
                    select.select_option(option)
                    assert figure.locator("tbody tr").count() > 0


@pytest.mark.parametrize("name", PAGES)
def test_hostile_names_are_text_in_a_browser(browser, reports, name):  # noqa: F811
    with opened(browser, reports / f"{name}-hostile.html") as tab:
        draw_all(tab)
        assert tab.locator("h1").inner_text() == HOSTILE[0]
        assert tab.title() == HOSTILE[0]
        assert tab.locator(".plot a, main img, .cards b, .findings b").count() == 0


def test_findings_are_sorted_by_severity_and_by_count_and_filtered(browser, reports):  # noqa: F811
    with opened(browser, reports / "audit-usual.html") as tab:
        lines = tab.locator(".findings tbody tr")
        severities = [finding.severity for finding in audit()]
        assert lines.locator("td:first-child").all_inner_texts() == severities
        for levels in (["error", "warning", "note"], ["note", "warning", "error"]):
            tab.locator(".findings").get_by_role("button", name="Severity").click()
            shown = lines.locator("td:first-child").all_inner_texts()
            assert shown == sorted(severities, key=levels.index)
        tab.locator(".findings thead th").nth(3).get_by_role("button").click()
        counts = lines.evaluate_all("all => all.map(line => Number(line.cells[3].dataset.value))")
        assert counts == sorted(counts, reverse=True)
        tab.get_by_label("Filter findings").fill("no such animals")
        shown = [line.inner_text() for line in lines.all() if line.is_visible()]
        assert shown
        assert all("no such animals" in text for text in shown)
        said = tab.locator("#found-said").inner_text()
        assert said == f"{len(shown)} of {len(severities)} findings"


def test_a_click_on_a_concept_shows_its_branch(browser, reports):  # noqa: F811
    with opened(browser, reports / "audit-usual.html") as tab:
        plot = tab.locator("#branches .plot")
        plot.scroll_into_view_if_needed()
        playwright.expect(plot.locator("g.slice").first).to_be_attached()
        plot.locator("g.slice", has_text="animals").first.click()
        playwright.expect(plot.locator("g.slice", has_text="plants")).to_have_count(0)


def test_branches_are_reached_by_keys(browser, reports):  # noqa: F811
    with opened(browser, reports / "audit-usual.html") as tab:
        plot = tab.locator("#branches .plot")
        plot.scroll_into_view_if_needed()
        tiles = plot.locator("g.slice")
        playwright.expect(tiles.first).to_have_attribute("tabindex", "0")
        assert plot.locator("g.slice[tabindex='0']").count() == 1
        names = tiles.all_text_contents()
        tiles.first.focus()
        for key in ("ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft"):  # nothing is before the first
            tab.keyboard.press(key)
        playwright.expect(tiles.nth(1)).to_be_focused()
        playwright.expect(plot.locator(".hovertext").first).to_contain_text(names[1])
        tab.keyboard.press("Enter")
        playwright.expect(tiles.first).to_have_text(names[1])
        playwright.expect(tiles.first).to_be_focused()
        # plotly heeds no click while tiles move.
        tab.wait_for_function("() => !document.querySelector('#branches .js-plotly-plot')._transitioning")
        tab.keyboard.press(" ")
        playwright.expect(tiles).to_have_count(len(names))


@pytest.mark.parametrize("name", PAGES)
def test_paper_shows_all_drawings_and_the_tables_that_stand_alone(browser, reports, name):  # noqa: F811
    with opened(browser, reports / f"{name}-usual.html", color_scheme="dark") as tab:
        tab.emulate_media(media="print")
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert tab.locator("figure:not(.drawn) details:not([open])").count() == 0
        drawn = tab.locator(".plot").evaluate_all(
            "all => all.map(one => one.querySelectorAll('.main-svg').length > 0)"
        )
        assert all(drawn)
        tab.evaluate("window.dispatchEvent(new Event('afterprint'))")


def test_a_study_of_many_measures_is_as_wide_as_paper(browser, tmp_path):  # noqa: F811
    truth = [["a"], ["a", "b"], ["b"], ["c"]] * 5
    runs = {"x": truth, "y": [["a"]] * 20, "z": [["a", "b"]] * 20}
    flat = [f"{one}(average='{how}')" for one in "FPR" for how in ("micro", "macro", "samples", "weighted")]
    study = oe.study(truth, runs, measures=[*flat, "Hamming"], resamples=20, changes=None)
    path = tmp_path / "study.html"
    path.write_text(study.report(), encoding="utf-8")
    with opened(browser, path, width=680) as tab:
        tab.emulate_media(media="print")
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 680
        row = tab.locator(".leaders tbody tr").first
        shown = row.locator("td").evaluate_all(
            "all => all.map(one => getComputedStyle(one, '::before').content)"
        )
        assert shown[:2] == ['"F"', "\"F(average='macro')\""]
        assert len(shown) == 13
