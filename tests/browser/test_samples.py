"""Samples behind cells, bars and branches, in a browser."""

from __future__ import annotations

import pytest

from tests.browser.test_pages import BROWSER, browser, opened, playwright  # noqa: F401 - a fixture
from tests.pages import HOSTILE, comparison

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "page.html"
    path.write_text(comparison().report(), encoding="utf-8")
    return path


def ready(figure):
    figure.scroll_into_view_if_needed()
    playwright.expect(figure.locator(".main-svg").first).to_be_attached()
    playwright.expect(figure.locator(".behind button")).to_be_enabled()


def focused(tab, text):
    """Wait until the focus is there: a dialog that closes gives the focus back a moment later."""
    tab.wait_for_function("text => document.activeElement.textContent === text", arg=text)


def click_cell(tab, figure, key):
    """Click in the middle of a cell of a matrix."""
    area = figure.locator(".nsewdrag").first
    area.scroll_into_view_if_needed()
    box, width = area.bounding_box(), figure.locator(".plot").evaluate("one => one.data[0].x.length")
    row, column = divmod(key, width)
    size = box["width"] / width, box["height"] / width
    tab.mouse.click(box["x"] + (column + 0.5) * size[0], box["y"] + (row + 0.5) * size[1])


@pytest.mark.parametrize(("width", "colours"), [(1400, "light"), (400, "dark")])
def test_a_cell_opens_a_panel_that_escape_closes(browser, page, width, colours):  # noqa: F811
    with opened(browser, page, width=width, color_scheme=colours) as tab:
        figure, panel = tab.locator("#confusion figure").first, tab.locator("dialog")
        ready(figure)
        option = figure.locator(".behind option").nth(1)
        names, _, count = option.inner_text().rpartition(" (")
        click_cell(tab, figure, int(option.get_attribute("value")))
        playwright.expect(panel).to_be_visible()
        assert panel.get_by_role("heading").first.inner_text() == "true {}, predicted {}".format(
            *names.split(" → ")
        )
        shown = panel.locator("article").count()
        assert shown == min(12, int(count.split()[0]))
        assert panel.locator(".labels b").count() >= shown
        assert tab.evaluate("document.querySelector('dialog').scrollWidth") <= width
        tab.keyboard.press("Escape")
        playwright.expect(panel).to_be_hidden()
        focused(tab, "Show samples")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_right_leads_nowhere_and_says_so(browser, page):  # noqa: F811
    with opened(browser, page) as tab:
        figure = tab.locator("#confusion figure").first
        ready(figure)
        click_cell(tab, figure, 0)
        playwright.expect(figure.locator(".behind .hint")).to_contain_text("only errors lead to samples")
        playwright.expect(tab.locator("dialog")).to_have_count(0)


def test_samples_are_reached_by_the_keyboard_alone(browser, page):  # noqa: F811
    with opened(browser, page) as tab:
        figure, panel = tab.locator("#concepts figure"), tab.locator("dialog")
        ready(figure)
        tile = figure.locator("g.slice", has_text="plants").first
        tile.focus()
        tab.keyboard.press("Enter")
        playwright.expect(figure.locator(".behind option:checked")).to_contain_text("plants (")
        figure.locator(".behind button").focus()
        tab.keyboard.press("Enter")
        assert panel.get_by_role("heading").first.inner_text() == "Errors in plants"
        focused(tab, "Close")
        tab.keyboard.press("Enter")
        playwright.expect(panel).to_be_hidden()
        focused(tab, "Show samples")
        figure.locator("g.slice", has_text="trees").focus()
        tab.keyboard.press("Enter")
        assert panel.get_by_role("heading").first.inner_text() == "Errors in trees"
        tab.keyboard.press("Escape")
        focused(tab, "trees")


def test_another_run_has_other_samples_and_hostile_names_stay_text(browser, tmp_path):  # noqa: F811
    path = tmp_path / "hostile.html"
    path.write_text(comparison(HOSTILE).report(), encoding="utf-8")
    with opened(browser, path) as tab:
        figure, panel = tab.locator("#confusion figure").nth(1), tab.locator("dialog")
        ready(figure)
        figure.locator(".choices select").select_option(index=2)
        figure.locator(".behind button").click()
        assert panel.locator("p bdi").first.text_content() == HOSTILE[2]
        assert panel.locator("img, script, a").count() == 0
        assert tab.title() != "taken"
