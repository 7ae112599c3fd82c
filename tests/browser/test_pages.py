"""What a browser makes of reports: every section is drawn, controls work, nothing is fetched."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from contextlib import contextmanager

import numpy as np
import pytest

from tests.pages import HOSTILE, comparison

playwright = pytest.importorskip("playwright.sync_api")

import ontoeval as oe  # noqa: E402 - what it needs is there
from ontoeval.core.table import Column, Table  # noqa: E402
from ontoeval.reports.page import Figure, FigureView, Section, report_page  # noqa: E402

BROWSER = os.environ.get("ONTOEVAL_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")
playwright.expect.set_options(timeout=30_000)  # milliseconds: a machine may have other things to do
DRAWN = "element => element.querySelectorAll('.main-svg').length > 0"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def opened(browser, path, *, width=1400, **options):
    """Open a page; whatever it complains about or asks of a network is a failure."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    tab.on("request", lambda request: said.append(request.url) if request.url.startswith("http") else None)
    tab.goto(path.as_uri())
    yield tab
    context.close()
    assert said == []


def draw_all(tab):
    plots = tab.locator(".plot")
    for at in range(plots.count()):
        plots.nth(at).scroll_into_view_if_needed()
        playwright.expect(plots.nth(at).locator(".main-svg").first).to_be_attached()
    return plots


def heights(tab):
    return tab.locator(".plot").evaluate_all("plots => plots.map(plot => plot.offsetHeight)")


def open_table(figure):
    """Open the numbers of a figure by the keyboard, which no figure drawn in the meantime can push away."""
    figure.locator("summary").press("Enter")


@pytest.fixture(scope="module")
def usual():
    return comparison(baselines=("empty",), chance=True)


@pytest.fixture(scope="module")
def report(usual, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "report.html"
    path.write_text(
        usual.report(title="Runs", images="https://pictures.example/{sample}.jpg"), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(("width", "colours"), [(1400, "light"), (400, "dark")])
def test_every_figure_is_drawn_and_nothing_sticks_out(browser, report, width, colours):
    with opened(browser, report, width=width, color_scheme=colours) as tab:
        kept = heights(tab)
        assert draw_all(tab).count() == 6
        assert heights(tab) == kept  # nothing on the page moves as it is drawn
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_table_that_goes_on_beyond_its_edge_says_so(browser, report):
    with opened(browser, report, width=400) as tab:
        hint = tab.locator("#leaderboard .beyond").first
        playwright.expect(hint).to_contain_text("to the right: scroll →")
        tab.locator(".scroll:has(.leaders)").evaluate("one => one.scrollTo(9999, 0)")
        playwright.expect(hint).to_be_empty()
    with opened(browser, report, width=1400) as tab:
        playwright.expect(tab.locator("#leaderboard .beyond").first).to_be_empty()


def test_on_a_narrow_page_names_are_shortened_and_small_numbers_left_out(browser, tmp_path):
    truth = {str(sample): ["a", "b"] for sample in range(9)}
    runs = {f"a very long name of a run, number {one}": {**truth, "1": ["a"] * one} for one in range(12)}
    path = tmp_path / "page.html"
    path.write_text(
        oe.compare(truth, runs, measures=["F", "P", "R"], resamples=5, test="none").report(), "utf-8"
    )
    for width, numbers in ((1400, 12 * 12), (400, 0)):
        with opened(browser, path, width=width) as tab:
            draw_all(tab)
            square = tab.locator("#leaderboard .plot").nth(1)
            names = square.locator(".ytick text").all_text_contents()
            assert all((len(name) <= 22) == (width == 400) for name in names)
            assert square.locator(".textpoint").count() == numbers
            first = tab.locator("#leaderboard .plot").first
            bar, cells = (first.locator(one).first.bounding_box() for one in (".modebar-group", ".nsewdrag"))
            assert bar["y"] + bar["height"] <= cells["y"] + 4


def test_the_leaderboard_is_sorted_by_a_column_and_filtered(browser, report):
    with opened(browser, report) as tab:
        lines = tab.locator(".leaders tbody tr")
        column = tab.locator(".leaders thead th").nth(4)
        column.get_by_role("button").click()
        assert column.get_attribute("aria-sort") == "ascending"  # a loss: the best first
        values = lines.evaluate_all("all => all.map(line => Number(line.cells[4].dataset.value))")
        assert values == sorted(values)
        column.get_by_role("button").click()
        assert column.get_attribute("aria-sort") == "descending"
        tab.locator(".leaders thead button").first.click()
        assert lines.first.locator("th").inner_text() == "animals"
        tab.get_by_label("Filter runs").fill("CAT")
        assert [line.is_visible() for line in lines.all()].count(True) == 1
        assert tab.locator("#leaders-said").inner_text() == "1 of 4 rows"


def test_a_choice_changes_the_figure_and_its_table(browser, report):
    with opened(browser, report) as tab:
        draw_all(tab)
        figure = tab.locator("#confusion figure").first
        open_table(figure)
        playwright.expect(figure.locator("tbody tr")).to_have_count(5)
        assert figure.locator("thead th").all_inner_texts()[1:] == [
            "animals",
            "plants",
            "sky",
            "sea",
            "unmatched",
        ]
        figure.locator("select").nth(1).select_option("all 8 labels")
        playwright.expect(figure.locator("tbody tr")).to_have_count(9)
        assert figure.locator(".plot").evaluate("element => element.data[0].y.length") == 9


def test_panels_follow_the_choice(browser, report):
    with opened(browser, report) as tab:
        figure = tab.locator("#worst figure")
        figure.locator("select").select_option("dogs")
        shown = [panel.is_visible() for panel in figure.locator(".panel").all()]
        assert shown == [False, False, True]


def test_a_table_is_sorted_filtered_and_copied(browser, report):
    with opened(browser, report, permissions=["clipboard-read", "clipboard-write"]) as tab:
        figure = tab.locator("#concepts figure")
        open_table(figure)
        playwright.expect(figure.locator("tbody tr")).to_have_count(8)
        figure.locator("thead button").first.click()
        names = figure.locator("tbody th").all_inner_texts()
        assert names == sorted(names)
        figure.get_by_role("button", name="Copy as CSV").click()
        playwright.expect(figure.locator(".said")).to_have_text("Copied.")
        copied = list(csv.reader(io.StringIO(tab.evaluate("navigator.clipboard.readText()"))))
        assert [line[0] for line in copied[1:]] == names
        figure.get_by_label("Filter").fill("plant")
        # Its own row, and those of the concepts below it.
        assert figure.locator("tbody th").all_inner_texts() == ["flowers", "plants", "trees"]


def test_long_tables_show_their_beginning_first(browser, tmp_path):
    path = tmp_path / "long.html"
    table = Table("Many", (Column("n"), Column("name")), tuple((at, f'a "{at}"') for at in range(250)))
    page = report_page(
        "T", [Section("s", "S", "", [Figure("F", [FigureView(table=table)], open_table=True)])], []
    )
    path.write_text(page, encoding="utf-8")
    with opened(browser, path) as tab:
        playwright.expect(tab.locator("tbody tr")).to_have_count(200)
        tab.get_by_role("button", name="Show all 250 rows").click()
        assert tab.locator("tbody tr").count() == 250


def test_the_recipe_is_copied(browser, report, usual):
    with opened(browser, report, permissions=["clipboard-read", "clipboard-write"]) as tab:
        tab.locator("#recipe button").click()
        playwright.expect(tab.locator("#recipe .said")).to_have_text("Copied.")
        assert tab.evaluate("navigator.clipboard.readText()").startswith(usual.signature)


def test_colours_can_be_changed_and_figures_follow(browser, report):
    with opened(browser, report, color_scheme="light") as tab:
        plot = tab.locator("#leaderboard .plot").first
        plot.scroll_into_view_if_needed()
        playwright.expect(plot.locator(".main-svg").first).to_be_attached()
        ink = "element => element.layout.font.color"
        before = plot.evaluate(ink)
        tab.get_by_role("button", name="Dark colours").click()
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 21, 27)"
        assert plot.evaluate(ink) != before
        tab.get_by_role("button", name="Light colours").click()
        assert plot.evaluate(ink) == before


def test_what_is_under_the_mouse_is_told(browser, report):
    with opened(browser, report) as tab:
        plot = tab.locator("#concepts .plot")
        plot.scroll_into_view_if_needed()
        playwright.expect(plot.locator(".icicle").first).to_be_attached()
        sector = plot.locator("g.slice").first
        sector.hover()
        playwright.expect(plot.locator(".hoverlayer text").first).to_contain_text("F of the branch")


def test_no_button_sends_a_figure_away(browser, report):
    with opened(browser, report) as tab:
        draw_all(tab)
        titles = tab.locator(".modebar-btn").evaluate_all("all => all.map(one => one.dataset.title)")
        assert {title.split()[0] for title in titles} == {"Download", "Zoom", "Pan", "Reset"}


def test_a_page_is_used_with_the_keyboard(browser, report):
    with opened(browser, report) as tab:
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.textContent") == "Skip to the content"
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.id") == "content"
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.id") == "leaders"
        tab.locator("#leaderboard summary").first.focus()
        tab.keyboard.press("Enter")
        rows = tab.locator("#leaderboard details").first.locator("tbody tr")
        playwright.expect(rows).to_have_count(16)


def test_pictures_elsewhere_are_fetched_when_asked_for(browser, report):
    context = browser.new_context()
    tab = context.new_page()
    asked: list[str] = []

    def refuse(route):
        asked.append(route.request.url)
        route.abort()

    tab.route(re.compile("^https"), refuse)
    tab.goto(report.as_uri())
    button = tab.locator("#worst .panel:visible button").first
    assert asked == []
    button.click()
    playwright.expect(tab.locator("#worst .note").first).to_have_text("There is no such picture.")
    assert len(asked) == 1
    assert asked[0].startswith("https://pictures.example/")
    context.close()


def test_pictures_of_a_folder_are_seen(browser, tmp_path):
    small = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
    found = comparison(runs=1)
    for sample in found.evaluations["animals"].samples:
        (tmp_path / f"{sample}.png").write_bytes(small + (b"\0" * 60_000 if "sea" in sample else b""))
    path = tmp_path / "report.html"
    path.write_text(found.report(images=tmp_path, folder=tmp_path), encoding="utf-8")
    with opened(browser, path) as tab:
        for picture in tab.locator("#worst img").all():
            picture.scroll_into_view_if_needed()
            playwright.expect(picture).to_have_js_property("naturalWidth", 1)
        sources = tab.locator("#worst img").evaluate_all("all => all.map(one => one.src.slice(0, 5))")
        assert set(sources) == {"data:", "file:"}


def test_paper_shows_open_tables_in_light_colours(browser, report):
    with opened(browser, report, color_scheme="dark") as tab:
        tab.emulate_media(media="print")
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert tab.locator(".numbers:visible").count() == tab.locator("details[open]").count() == 1
        assert all(tab.locator(".plot").evaluate_all(f"all => all.map({DRAWN})"))
        tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert tab.locator("details[open]").count() == 1  # what was open before: the costliest confusions


def test_hostile_names_are_text_in_a_browser(browser, tmp_path):
    path = tmp_path / "hostile.html"
    page = comparison(HOSTILE, runs=6, chance=True).report(
        title=HOSTILE[0], images="https://a.example/{sample}"
    )
    path.write_text(page, encoding="utf-8")
    with opened(browser, path) as tab:
        draw_all(tab)
        assert tab.locator("h1").inner_text() == HOSTILE[0]
        assert tab.title() == HOSTILE[0]
        assert tab.locator(".plot b, .plot a, main img").count() == 0
        runs = tab.locator(".leaders tbody th").all_text_contents()
        assert {run.strip() for run in runs} >= {*HOSTILE[:3]}
        ticks = tab.locator("#leaderboard .plot").first.locator(".ytick").all_inner_texts()
        shown = tab.locator("#leaderboard .plot").first.locator(".ytick text").all_text_contents()
        assert HOSTILE[2] in shown, ticks


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Seven runs of long names and eight measures, two of them with long options."""
    rng = np.random.default_rng(3)
    truth = rng.random((200, 6)) < 0.4
    runs = {
        f"team_{one}_run_with_a_name_that_has_no_blank_to_be_broken_at": truth
        ^ (rng.random((200, 6)) < one / 12)
        for one in range(6)
    }
    measures = ["F", "F(average='macro')", "P(average='macro')", "P", "R", "Hamming", "Jaccard", "ExactMatch"]
    found = oe.compare(
        truth, {**runs, "copy_of_" + min(runs): runs[min(runs)]}, measures=measures, resamples=50
    )
    path = tmp_path_factory.mktemp("pages") / "many.html"
    path.write_text(found.report(), encoding="utf-8")
    return path


def test_names_without_blanks_and_many_measures_are_not_cut(browser, many):
    for width in (1400, 400):
        with opened(browser, many, width=width) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.evaluate(
                "[...document.querySelectorAll('p')].every(one => one.scrollWidth <= one.clientWidth)"
            )
            if width == 1400:
                playwright.expect(tab.locator("#leaderboard .beyond").first).to_be_empty()


@pytest.mark.parametrize("width", [1400, 400])
def test_numbers_in_cells_are_as_wide_as_their_cells_or_left_out(browser, report, many, width):
    for path in (report, many):
        with opened(browser, path, width=width) as tab:
            draw_all(tab)
            square = tab.locator("#leaderboard .plot").nth(1)
            cells = square.evaluate("one => one._fullLayout.xaxis._length / one.data[0].x.length")
            widths = square.locator(".textpoint text").evaluate_all(
                "all => all.map(one => one.getBBox().width)"
            )
            assert all(width <= cells for width in widths)
            assert widths or path == many


def test_names_stay_whole_on_paper_and_headings_with_what_they_head(browser, report):
    with opened(browser, report, width=680) as tab:
        tab.emulate_media(media="print")
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 680
        first = tab.locator(".leaders tbody th bdi, .numbers tbody th bdi").evaluate_all(
            "all => all.every(one => one.getClientRects().length < 2)"
        )
        assert first
        tall = tab.locator(".plot").evaluate_all("all => all.every(one => one.offsetHeight <= 800)")
        assert tall
