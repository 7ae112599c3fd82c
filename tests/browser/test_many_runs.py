"""A page of 19 runs: what stands below each choice of each figure is that choice's, and agrees with the data."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.browser.test_pages import BROWSER, browser, draw_all, opened, playwright  # noqa: F401 - a fixture
from tests.pages import comparison

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium here: ONTOEVAL_BROWSER names one")

NOTHING = "No concept was taken for another."
GROUPS = ["Arts", "Crime", "Faith", "Garden", "Health", "Kids", "Travel", "Facts"]
LINKS = [(group, f"{group} {at}") for group in GROUPS for at in "123"]
RUNS = 19

CHOOSE = """([figure, at]) => {
  const selects = [...figure.querySelectorAll('.choices select')];
  for (const [which, select] of selects.entries()) {
    select.selectedIndex = at[which];
    select.dispatchEvent(new Event('change'));
  }
  const shown = (element) => element !== null && element.checkVisibility();
  const plot = figure.querySelector('.plot');
  const behind = figure.querySelector('.behind');
  const panels = [...figure.querySelectorAll('.panel')].filter(shown);
  return {
    panels: panels.map((panel) => Number(panel.dataset.view)),
    text: panels.map((panel) => panel.innerText).join(),
    ticks: shown(plot) ? plot.layout.yaxis?.ticktext : null,
    plot: shown(plot) ? plot.data.map(({ x, y, z, type }) => ({ x, y, z, type })) : null,
    table: [...figure.querySelectorAll('.numbers tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText)),
    behind: shown(behind) ? [...behind.querySelectorAll('option')].map((option) => option.innerText) : null,
  };
}"""

BROKEN = r"""all => all.flatMap((one) => {
  const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const found = [];
  while (nodes.nextNode()) {
    for (const { 0: word, index } of nodes.currentNode.data.matchAll(/\w+/g)) {
      const range = document.createRange();
      range.setStart(nodes.currentNode, index);
      range.setEnd(nodes.currentNode, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  }
  return found;
})"""
"""The words of a head that are on two lines."""


def closed(labels: set[str]) -> list[str]:
    return sorted(labels | {label.split()[0] for label in labels})


@pytest.fixture(scope="module")
def data() -> tuple[dict[str, list[str]], dict[str, dict[str, list[str]]]]:
    """Runs that exchange more and more leaves for others; the tenth only leaves labels out."""
    rng = np.random.default_rng(8)
    leaves = [child for _, child in LINKS]
    truth = {f"book {at}": set(rng.choice(leaves, rng.integers(1, 4), replace=False)) for at in range(80)}

    def other(label: str, rate: float) -> str:
        return str(rng.choice(leaves)) if rng.random() < rate else label

    runs = {
        f"run {at:02}": {
            book: closed({other(one, 0.03 * at + 0.02) for one in labels}) for book, labels in truth.items()
        }
        for at in range(RUNS)
    }
    runs["run 09"] = {
        book: closed(labels if at % 3 else set()) for at, (book, labels) in enumerate(truth.items())
    }
    return {book: closed(labels) for book, labels in truth.items()}, runs


@pytest.fixture(scope="module")
def matrices(data: Any) -> dict[str, oe.confusion.ConfusionMatrix]:
    truth, runs = data
    return {name: oe.confusion_matrix(truth, run, hierarchy=LINKS) for name, run in runs.items()}


@pytest.fixture(scope="module")
def page(data: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    truth, runs = data
    path = tmp_path_factory.mktemp("pages") / "page.html"
    compared = oe.compare(truth, runs, hierarchy=LINKS, measures=["OS", "F"], resamples=5, test="none")
    path.write_text(compared.report(), encoding="utf-8")
    return path


def test_each_choice_of_each_figure_shows_its_own(browser: Any, page: Any) -> None:  # noqa: F811
    with opened(browser, page) as tab:
        draw_all(tab)
        content = tab.evaluate("JSON.parse(document.getElementById('data').textContent).figures")
        seen = 0
        for figure in tab.locator("[data-figure]").all():
            views = content[int(figure.get_attribute("data-figure"))]
            counts = figure.locator(".choices select").evaluate_all(
                "all => all.map(one => one.options.length)"
            )
            own = figure.locator(".panel").evaluate_all("all => all.map(one => Number(one.dataset.view))")
            for at, choice in enumerate(product(*map(range, counts))):
                found = tab.evaluate(CHOOSE, [figure.element_handle(), choice])
                assert found["panels"] == [at] * (at in own)
                assert (found["plot"] is None) == (views[at]["plot"] is None)
                assert found["plot"] or found["text"] or found["table"]
                assert found["behind"] != []  # no control without anything to choose
                assert (found["behind"] is not None) == bool(views[at].get("samples", {}).get("keys"))
                seen += 1
        assert seen > 3 * RUNS


def test_confusions_of_every_run_are_those_of_its_matrix(
    browser: Any,  # noqa: F811
    page: Any,
    matrices: dict[str, oe.confusion.ConfusionMatrix],
) -> None:
    with opened(browser, page) as tab:
        draw_all(tab)
        squares, costs = tab.locator("#confusion figure").all()
        names = costs.locator(".choices option").all_inner_texts()
        assert sorted(names) == sorted(matrices)
        assert 0 < names.index("run 09") < RUNS - 1
        for at, name in enumerate(names):
            matrix, found = matrices[name], tab.evaluate(CHOOSE, [costs.element_handle(), [at]])
            masses = {(one.true, one.predicted): one.mass for one in matrix.top(1_000)}
            assert (found["text"] == NOTHING) == (not masses) == (name == "run 09")
            assert (found["plot"] is None) == (not masses)
            if not masses:
                continue
            bars = found["ticks"]
            assert len(bars) == len(found["table"]) == min(20, len(masses))
            assert sorted(bars) == sorted(f"{row[0]} → {row[1]}" for row in found["table"])
            for true, predicted, _, mass, *_ in found["table"]:
                assert mass == f"{masses[true, predicted]:,.2f}"
        hierarchy = oe.Hierarchy.from_edges(LINKS)
        runs, levels = (
            one.all_inner_texts()
            for one in (one.locator("option") for one in squares.locator(".choices select").all())
        )
        for row, name in enumerate(runs):
            for column, level in enumerate(levels):
                found = tab.evaluate(CHOOSE, [squares.element_handle(), [row, column]])
                (heat,) = (trace for trace in found["plot"] if trace["type"] == "heatmap")
                grouped = matrices[name] if column else matrices[name].aggregated(hierarchy, level=0)
                whole = grouped.to_numpy()
                count = len(whole) - 1  # without "nothing", which comes last
                assert len(heat["y"]) == count + bool(whole[-1].any() or whole[:, -1].any()), level
                shares = np.array(heat["z"])
                assert np.trace(shares) == pytest.approx(
                    np.trace(np.asarray(grouped.normalised("true"))), abs=0.02
                )
                off = whole[:count, :count]
                wrong = shares[:count, :count].sum() - np.trace(shares[:count, :count])
                assert (wrong > 0) == (off.sum() - np.trace(off) > 0) == (name != "run 09")


@pytest.mark.parametrize("room", [0, 150])
def test_controls_without_anything_to_choose_are_not_there(
    browser: Any,  # noqa: F811
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    room: int,
) -> None:
    monkeypatch.setattr("ontoeval.reports.samples.LABELS", room)  # the first figures use all of it
    path = tmp_path / "page.html"
    path.write_text(comparison().report(), encoding="utf-8")
    with opened(browser, path) as tab:
        draw_all(tab)
        counts = tab.locator(".behind:visible").evaluate_all(
            "all => all.map((one) => one.querySelectorAll('option').length)"
        )
        assert 0 not in counts
        assert bool(counts) == bool(room)


@pytest.mark.parametrize("width", [680, 400])
def test_words_and_numbers_stay_whole_on_paper(browser: Any, page: Any, width: int) -> None:  # noqa: F811
    with opened(browser, page, width=width) as tab:
        draw_all(tab)
        # A reader has opened the table of the matrix; those of other drawings are closed, and stay so on paper.
        tab.locator("#confusion summary").first.press("Enter")
        playwright.expect(tab.locator("#confusion .numbers tbody tr").first).to_be_attached()
        tab.emulate_media(media="print")
        tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert tab.locator(".drawn .numbers:visible").count() == 1
        assert tab.get_by_text("The first 12 rows").count() == 0
        broken = tab.locator(".numbers td.number bdi").evaluate_all(
            "all => all.filter(one => one.getClientRects().length > 1).map(one => one.innerText)"
        )
        assert broken == []
        words = tab.locator(".numbers thead th button").evaluate_all(BROKEN)
        assert words == []
