"""Pages of comparisons: their parts, names that are too long, and pairs of runs that do not differ."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.reports import comparison as pages
from ontoeval.reports.agreement import confusions_section
from ontoeval.reports.comparison import PUBLIC, leaderboard_section, parts_section, report
from ontoeval.reports.concepts import choose_concepts
from ontoeval.reports.confusion import confusion_section
from ontoeval.reports.marks import Icicle, Intervals, Matrix
from ontoeval.reports.page import Section
from ontoeval.reports.plots import SMALLEST, STANDOFF, short_of
from tests.pages import HOSTILE, comparison, plot_in, plotted
from tests.unit.test_html_report import content, headings, unscripted

LONG = "resnet50_finetuned_on_everything_with_a_batch_size_of_256_and_a_learning_rate_of_0.001_for_one_hundred_epochs_seed_17"


def shown(section: Section | None) -> Any:
    """Look at the figures of a section that is there."""
    assert section is not None
    return section.figures


@pytest.fixture(scope="module")
def whole():
    return comparison(baselines=("empty",))


@pytest.fixture(scope="module")
def cut():
    return {
        ("season", "spring"): comparison(samples=20, baselines=("empty",)),
        ("season", "<b>autumn</b>"): comparison(samples=30, baselines=("empty",)),
        ("level", "depth 1"): comparison(samples=60, baselines=("empty",)),
    }


def test_parts_have_scores_side_by_side_and_leaderboards_of_their_own(whole, cut):
    made = parts_section(whole, cut, {"cats": "Team A"})
    scores, boards = shown(made)
    assert scores.choices == [("By", ["season", "level"]), ("Measure", tuple(whole.measures))]
    first = scores.views[0]
    assert list(plot_in(first).data[0].x) == ["all", "spring", "&#60;b&#62;autumn&#60;/b&#62;"]
    assert len(plot_in(first).data[0].y) == 3  # baselines have their place in the leaderboards
    assert np.array(plot_in(first).data[0].z).sum(axis=1) == pytest.approx(
        0
    )  # beside the mean of their column
    loss = list(whole.measures).index("Hamming")
    drawn = np.array(plot_in(scores.views[loss]).data[0].z)[0]
    told = np.array(plot_in(scores.views[loss]).data[0].customdata)[:, 0, 0]
    assert drawn.argmax() == told.argmin()  # less is better
    spring = cut["season", "spring"]
    row = next(row for row in first.table.rows if row[0] == "spring")
    run = spring.runs.index(row[2])
    assert row[1] == "20 samples, 8 labels"
    assert row[3:] == (spring.scores[run, 0], spring.low[run, 0], spring.high[run, 0])
    assert boards.choices == [("Part", ["season: spring", "season: <b>autumn</b>", "level: depth 1"])]
    assert f"{spring.scores.max(axis=0)[0]:.4f}" in boards.views[0].html
    assert "Team A" in boards.views[0].html
    assert "Filter runs" not in boards.views[0].html
    assert "Runs that share a letter" in boards.text


def test_a_page_without_parts_does_not_speak_of_them(whole, cut):
    assert parts_section(whole, {}, {}) is None
    assert "Parts" not in headings(report(whole))
    assert headings(whole.report(parts=cut))[:2] == ["Leaderboard", "Parts"]


def test_parts_are_public_and_name_no_sample(whole, cut):
    page = whole.report(parts=cut, sections=PUBLIC)
    assert "Parts" in headings(page)
    assert whole.evaluations["cats"].samples[0] not in page
    assert "<b>autumn" not in unscripted(page)


def test_of_many_parts_the_first_are_shown(whole, cut, monkeypatch):
    monkeypatch.setattr(pages, "CELLS", whole.scores.size * 2)
    monkeypatch.setattr(pages, "MOST", 2)
    scores, boards = shown(parts_section(whole, cut, {}))
    assert len(boards.views) == 2
    assert "Of 3 parts the first 2 are shown." in boards.text
    assert "Of 3 runs the best 2 are shown." in scores.text


def test_parts_without_a_score_are_left_empty(whole):
    without = replace(whole, scores=np.full_like(whole.scores, np.nan), p_values=np.full_like(whole.p_values, np.nan),
                      adjusted=np.full_like(whole.adjusted, np.nan))  # fmt: skip
    scores, boards = shown(parts_section(without, {("by", "part"): without}, {}))
    assert plot_in(scores.views[0]).layout.coloraxis.cmax == 1
    assert "letter" not in boards.text


def test_parts_of_baselines_alone_are_shown():
    found = comparison(runs=1)
    alone = replace(found, baselines=found.runs)
    scores, _ = shown(parts_section(alone, {("by", "part"): alone}, {}))
    assert list(plot_in(scores.views[0]).data[0].y) == [found.runs[run] for run in found.order()]


@pytest.mark.parametrize("public", [(), ("--public",)])
def test_the_command_shows_parts_on_its_page(public, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = oe.ontologies.benchmark()
    arguments = ["compare", str(folder / "truth.csv"), str(folder / "runs"), "--ontology", "photo", "-m", "F"]
    arguments += ["--by", "branch", "--resamples", "20", "--report", "page.html", *public]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    page = Path("page.html").read_text("utf-8")
    assert "Parts" in headings(page)
    assert "<option>branch: scene</option>" in page
    assert bool(re.search(r"photo-\d{4}", page)) is not bool(public)


# --- Pairs that do not differ ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alike():
    found = comparison(runs=3)
    return replace(found, adjusted=np.where(np.isnan(found.adjusted), np.nan, 0.4))


def test_where_no_two_runs_differ_a_sentence_says_so_and_intervals_show_by_how_much_they_may(alike):
    figure = shown(leaderboard_section(alike))[2]
    for view, notation in zip(figure.views, alike.measures, strict=True):
        assert f"No two runs differ significantly by {notation}: the smallest" in re.sub(
            r"&#3[49];", "'", view.html
        )
        assert "adjusted p is 0.400" in view.html
        differences = [abs(x) for x in plot_in(view).data[0].x]
        assert len(differences) == 3
        assert differences == sorted(differences, reverse=True)
        assert [shape.x0 for shape in plot_in(view).layout.shapes] == [0]
        assert len(view.table.rows) == 3
    assert figure.text == ""
    assert "Of 3 pairs" not in figure.views[0].html


def test_of_many_pairs_that_do_not_differ_those_that_differ_most_are_drawn(monkeypatch):
    monkeypatch.setattr(pages, "MOST", 4)
    found = comparison(runs=4)
    unsure = replace(found, adjusted=np.where(np.isnan(found.adjusted), np.nan, 0.4))
    view = shown(leaderboard_section(unsure))[2].views[0]
    assert len(plot_in(view).data[0].x) == 4
    assert len(view.table.rows) == 6
    assert "Of 6 pairs the 4 that differ most are shown." in view.html


def test_where_some_runs_differ_the_matrix_says_how_to_read_it():
    figure = shown(leaderboard_section(comparison(runs=3)))[2]
    assert plot_in(figure.views[0]).data[0].type == "heatmap"
    assert figure.text.startswith("Score of the row minus score of the column. Empty where")


def test_where_no_run_has_a_score_there_are_no_differences():
    truth: dict[str, list[str]] = {"s": [], "t": []}
    found = oe.compare(truth, {"a": truth, "b": truth}, measures="R", resamples=20)
    (view,) = shown(leaderboard_section(found))[2].views
    assert view.plot is None
    assert "There are no two runs with a score by R." in view.html


# --- Names --------------------------------------------------------------------------------------------------


def test_a_long_name_of_a_run_can_be_cut_and_is_told_whole():
    truth = {"1": ["a"], "2": ["b"]}
    page = oe.compare(truth, {LONG: truth, "short": {"1": ["a"], "2": []}}, measures="F", resamples=5).report(
        teams={"short": LONG[::-1]}
    )
    assert (
        f'<span class="cut" dir="auto" title="{LONG}"><bdi>{LONG[:-8]}</bdi><bdi>{LONG[-8:]}</bdi></span>'
        in page
    )
    assert f'title="{LONG[::-1]}"' in page
    assert '<th scope="row"><bdi>short</bdi>' in page
    names = content(page)["figures"][0][0]["table"]["columns"][0]["values"]
    assert LONG in names


def test_hostile_names_that_are_cut_are_text():
    page = report(comparison(tuple(f"{name}{'x' * 30}" for name in HOSTILE), runs=6))
    assert "<img" not in unscripted(page)
    assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', unscripted(page)))


def test_names_are_cut_in_the_middle_and_of_two_something_of_both_stays():
    names = [LONG, f"{LONG} − other"]
    ticks = plotted(Intervals, names, [0, 0], [0, 0], [1, 1], title="F").layout.yaxis.ticktext
    assert list(ticks) == ["resnet50_finetuned_on_…seed_17", "resnet50_…_17 − other"]
    assert short_of("short → other", 30) == "short → other"


# --- Drawings -----------------------------------------------------------------------------------------------


def levels_of(parents: list[int]) -> Any:
    names = [f"n{at}" for at in range(len(parents))]
    plot = plotted(Icicle, names, parents, np.zeros(len(parents)), title="F", scale="amount", limits=(0, 1))
    assert plot.layout.uniformtext.minsize == SMALLEST
    assert plot.layout.uniformtext.mode == "hide"
    return plot.layout.meta["levels"]


def test_an_icicle_knows_how_many_levels_stand_beside_each_other():
    assert levels_of([-1]) == 1
    assert levels_of([-1, 0, 0]) == 2
    assert levels_of([-1, 0, 1, -1]) == 4  # with one above the roots
    assert levels_of([at - 1 for at in range(20)]) == 6


def test_titles_of_a_matrix_keep_their_distance_from_its_names():
    plot = plotted(
        Matrix,
        np.eye(2),
        "ab",
        "ab",
        scale="amount",
        limits=(0, 1),
        reading="",
        titles=("<true>", "predicted"),
    )
    assert plot.layout.xaxis.title.standoff == plot.layout.yaxis.title.standoff == STANDOFF
    assert plot.layout.yaxis.title.text == "&#60;true&#62;"
    assert list(plot.layout.yaxis.range) == [1.5, -0.5]


def test_where_nothing_was_confused_a_sentence_says_so():
    truth = {str(at): ["a", "b"][: 1 + at % 2] for at in range(6)}
    hierarchy = oe.Hierarchy.from_edges([("top", "a"), ("top", "b")], abstract=["top"])
    found = oe.compare(truth, {"perfect": truth}, hierarchy=hierarchy, measures="F", resamples=5)
    view = shown(confusion_section(found))[1].views[0]
    assert view.plot is None
    assert "No concept was taken for another." in view.html


def test_where_annotators_confuse_nothing_a_sentence_says_so():
    said = {name: oe.LabelSets.from_sets({"1": ["a"], "2": ["b"]}) for name in ("Ann", "Bob")}
    found = oe.agreement(oe.Annotations.from_sets(said), resamples=5, seed=1)
    view = shown(confusions_section(found))[0].views[0]
    assert view.plot is None
    assert "No concept was taken for another." in view.html


@pytest.mark.parametrize(("number", "said"), [(100, False), (200, True)])
def test_an_icicle_of_many_concepts_says_where_names_are_that_have_no_room(number, said):
    hierarchy = oe.Hierarchy.from_edges([("top", f"n{at}") for at in range(number)])
    part = choose_concepts(hierarchy, np.ones(number + 1, dtype=bool), 2_000)
    assert ("Names that there is no room for" in part.reading("")) is said
