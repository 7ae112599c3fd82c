"""What can be read of a page in a browser: colours that names stand on, names that are too long, titles."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.browser.test_pages import BROWSER, browser, draw_all, open_table, opened, playwright  # noqa: F401 - a fixture
from tests.pages import comparison

import ontoeval as oe  # isort: skip - what it needs is there
from ontoeval.core.table import Column, Table
from ontoeval.reports.comparison import parts_section
from ontoeval.reports.marks import SCALES, Icicle, Matrix
from ontoeval.reports.page import Figure, FigureView, Section, report_page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")

LONG = "resnet50_finetuned_on_everything_with_a_batch_size_of_256_and_a_learning_rate_of_0.001_for_one_hundred_epochs_seed_17"

BOXES = """element => [...element.querySelectorAll('%s')].map(one => {
    const {left, top, right, bottom} = one.getBoundingClientRect();
    return [left, top, right, bottom];
})"""

COLOURS = """element => [...element.querySelectorAll('g.slice')].map(one => [
    getComputedStyle(one.querySelector('path')).fill, getComputedStyle(one.querySelector('text')).fill])"""


def luminance(colour: str) -> float:
    """Follow the definition of WCAG 2."""
    parts = np.array([int(part) for part in re.findall(r"\d+", colour)[:3]]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def page_of(path, *plotted):
    table = Table("T", (Column("n"),), ((1,),))
    figures = [Figure(f"F{at}", [FigureView(plot, table)]) for at, plot in enumerate(plotted)]
    path.write_text(report_page("T", [Section("s", "S", "", figures)], []), encoding="utf-8")
    return path


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_names_on_an_icicle_have_a_contrast_of_4_5_on_every_colour(browser, tmp_path, colours):  # noqa: F811
    count = 90
    values = np.append(np.nan, np.linspace(-1, 1, count))
    names, parents = ["top", *(f"n{at}" for at in range(count))], [-1, *[0] * count]
    plotted = [Icicle(names, parents, values, title="F", scale=scale, limits=(-1, 1)) for scale in SCALES]
    with opened(browser, page_of(tmp_path / "page.html", *plotted), color_scheme=colours) as tab:
        for plot in draw_all(tab).all():
            playwright.expect(plot.locator("g.slice")).to_have_count(count + 1)
            pairs = plot.evaluate(COLOURS)
            assert len({fill for fill, _ in pairs}) > count / 2
            assert min(contrast(*pair) for pair in pairs) >= 4.5


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_numbers_in_the_cells_of_a_matrix_have_that_contrast_too(browser, tmp_path, colours):  # noqa: F811
    values = np.linspace(-1, 1, 144).reshape(12, 12)
    values[3, 4] = np.nan
    names = [f"n{at}" for at in range(12)]
    plotted = [
        Matrix(values, names, names, scale=scale, limits=(-1, 1), reading="", numbers=".2f")
        for scale in SCALES
    ]
    with opened(browser, page_of(tmp_path / "page.html", *plotted), color_scheme=colours) as tab:
        for plot in draw_all(tab).all():
            texts = plot.locator(".textpoint text")
            playwright.expect(texts).to_have_count(143)
            assert texts.first.text_content() == "-1.00"
            scale = plot.evaluate("element => element.layout.coloraxis.colorscale")
            stops = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for _, colour in scale]
            for text, value in zip(texts.all(), values.T[~np.isnan(values.T)].tolist(), strict=True):
                at = (value + 1) / 2
                cell = [
                    round(np.interp(at, [stop for stop, _ in scale], channel))
                    for channel in zip(*stops, strict=True)
                ]
                assert (
                    contrast(f"rgb{tuple(cell)}", text.evaluate("one => getComputedStyle(one).fill")) >= 4.5
                )


@pytest.mark.parametrize("width", [1400, 400])
def test_titles_of_a_matrix_keep_clear_of_its_names(browser, tmp_path, width):  # noqa: F811
    path = tmp_path / "page.html"
    names = (
        "landscape_element",
        "a",
        "representation",
        "impression",
        "b",
        "scene_of_many_people",
        "sky",
        "sea",
    )
    path.write_text(comparison(names).report(sections=["confusion"]), encoding="utf-8")
    with opened(browser, path, width=width) as tab:
        figure = tab.locator("#confusion figure").first
        plot = draw_all(tab).first
        for option in figure.locator("select").nth(1).locator("option").all_inner_texts():
            figure.locator("select").nth(1).select_option(option)
            ticks = plot.evaluate(BOXES % ".xtick text, .ytick text")
            titles = plot.evaluate(BOXES % ".xtitle, .ytitle")
            assert len(titles) == 2
            assert not [1 for title in titles for tick in ticks if overlap(title, tick)]


@pytest.mark.parametrize("width", [1400, 400])
def test_no_name_on_an_icicle_is_too_small_and_none_sticks_out(browser, tmp_path, width):  # noqa: F811
    concepts = oe.read_ontology(oe.ontologies.path("photo"))
    folder = oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", concepts)
    run = oe.read_labels(folder / "runs" / "noisy.csv", concepts)
    found = oe.compare(truth, {"noisy": run}, hierarchy=concepts.hierarchy(), measures="F", resamples=5)
    path = tmp_path / "page.html"
    path.write_text(found.report(sections=["concepts"]), encoding="utf-8")
    with opened(browser, path, width=width) as tab:
        plot = draw_all(tab).first
        playwright.expect(plot.locator("g.slice")).to_have_count(68)
        texts, tiles = plot.evaluate(BOXES % "g.slice text"), plot.evaluate(BOXES % "g.slice path")
        shown = [(text, tile) for text, tile in zip(texts, tiles, strict=True) if text[2] > text[0]]
        assert len(shown) > 50
        for text, tile in shown:
            assert text[3] - text[1] >= 11  # a line of ten pixels
            assert tile[0] - 1 <= text[0]
            assert text[2] <= tile[2] + 1


@pytest.mark.parametrize("width", [1400, 400])
def test_a_long_name_of_a_run_fills_one_line_is_found_and_copied_whole(browser, tmp_path, width):  # noqa: F811
    truth = {"1": ["a"], "2": ["b"]}
    path = tmp_path / "page.html"
    runs = {LONG: truth, "other": {"1": ["a"], "2": []}}
    found = oe.compare(truth, runs, measures="F", baselines=(), resamples=5)
    path.write_text(found.report(), encoding="utf-8")
    with opened(browser, path, width=width, permissions=["clipboard-read", "clipboard-write"]) as tab:
        name = tab.locator(".leaders tbody th .cut")
        assert name.bounding_box()["height"] < 30
        assert name.get_attribute("title") == LONG
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.get_by_label("Filter runs").fill(LONG[-8:])
        assert tab.locator("#leaders-said").inner_text() == "1 of 2 rows"
        figure = tab.locator("#leaderboard figure").first
        open_table(figure)
        figure.get_by_role("button", name="Copy as CSV").click()
        playwright.expect(figure.locator("details .said")).to_have_text("Copied.")
        copied = list(csv.DictReader(io.StringIO(tab.evaluate("navigator.clipboard.readText()"))))
        assert {row["run"] for row in copied} == {LONG, "other"}
        tab.emulate_media(media="print")
        assert name.locator("span").first.evaluate("one => getComputedStyle(one).whiteSpace") == "normal"


def test_where_no_runs_differ_there_is_no_hole(browser, tmp_path):  # noqa: F811
    truth = {str(at): ["a", "b"] for at in range(9)}
    runs = {f"run {at}": {**truth, str(at): ["a"]} for at in range(3)}
    path = tmp_path / "page.html"
    path.write_text(oe.compare(truth, runs, measures="F", resamples=20).report(), encoding="utf-8")
    with opened(browser, path) as tab:
        draw_all(tab)
        figure = tab.locator("#leaderboard figure").nth(2)
        playwright.expect(figure.locator(".verdict")).to_contain_text("No two runs differ significantly by F")
        assert not figure.locator(".plot:visible").count()
        open_table(figure)
        playwright.expect(figure.locator("tbody tr:visible")).to_have_count(3)


def test_what_is_not_drawn_takes_no_room(browser, tmp_path):  # noqa: F811
    table = Table("T", (Column("n"),), ((1,),))
    drawn = Matrix(np.eye(2), "ab", "ab", scale="amount", limits=(0, 1), reading="")
    views = [FigureView(table=table, html="<p>Nothing.</p>"), FigureView(drawn, table)]
    path = tmp_path / "page.html"
    path.write_text(
        report_page("T", [Section("s", "S", "", [Figure("F", views, [("Of", "ab")])])], []), "utf-8"
    )
    with opened(browser, path) as tab:
        plot = tab.locator(".plot")
        playwright.expect(plot).to_be_hidden()
        tab.locator("figure select").select_option("b")
        playwright.expect(plot.locator(".heatmaplayer").first).to_be_attached()
        assert plot.is_visible()
        tab.locator("figure select").select_option("a")
        playwright.expect(plot).to_be_hidden()


def test_names_beside_many_columns_do_not_lie_on_each_other(browser, tmp_path):  # noqa: F811
    names = [f"concept number {at}" for at in range(60)]
    plot = Matrix(np.eye(60), names, names, scale="amount", limits=(0, 1), reading="")
    for width, count in ((1400, 60), (400, 20)):
        with opened(browser, page_of(tmp_path / "page.html", plot), width=width) as tab:
            boxes = sorted(draw_all(tab).first.evaluate(BOXES % ".xtick text"))
            assert count / 2 <= len(boxes) <= count
            assert all(left[2] <= right[0] + 3 for left, right in pairwise(boxes))


def test_the_parts_of_a_comparison_are_chosen(browser, tmp_path):  # noqa: F811
    cut = {("season", name): comparison(samples=size) for name, size in (("spring", 20), ("autumn", 30))}
    path = tmp_path / "page.html"
    whole = replace(comparison(), parts=cut)
    section: Any = parts_section(whole, {})
    rows = section.figures[0].views[0].table.rows
    path.write_text(whole.report(sections=["parts"]), encoding="utf-8")
    with opened(browser, path, width=400) as tab:
        draw_all(tab)
        texts = tab.locator("#parts .plot .textpoint text").all_text_contents()
        assert sorted(texts) == sorted(f"{row[3]:.3f}" for row in rows)
        figure = tab.locator("#parts figure").nth(1)
        assert "20 samples, 8 concepts" in figure.inner_text()
        figure.locator("select").select_option("season: autumn")
        assert "30 samples, 8 concepts" in figure.inner_text()
        assert [panel.is_visible() for panel in figure.locator(".panel").all()] == [False, True]
        board = figure.locator(".panel:visible .leaders")
        board.locator("thead button").first.click()
        assert board.locator("tbody th").all_inner_texts() == [
            "animals",
            "cats",
            "dogs",
            "permuted baseline",
            "prior baseline",
            "siblings oracle",
            "top oracle",
        ]
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400
