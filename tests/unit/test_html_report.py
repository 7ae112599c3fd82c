"""Reports as pages; what a browser makes of them is tested in tests/browser."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.core.table import Column, Table
from ontoeval.errors import InputError, ParameterError
from ontoeval.reports import concepts, confusion, explanation
from ontoeval.reports.comparison import (
    PUBLIC,
    leaderboard_section,
    measures_section,
    report,
    samples_section,
)
from ontoeval.reports.concepts import tree_to_draw
from ontoeval.reports.explanation import SMALL, pictures
from ontoeval.reports.marks import Intervals, Matrix, Ridges
from ontoeval.reports.page import Figure, FigureView, Section, as_content, of_table, report_page
from ontoeval.reports.plots import text_of
from ontoeval.reports.selection import per_sample
from tests.pages import HOSTILE, comparison, plot_in, plotted

TABLE = Table("Runs", (Column("run"), Column("F", 2)), (("a", 0.5), ("b", None)), ("A note.",))


def content(page):
    (found,) = re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def headings(page):
    return re.findall(r"<h2[^>]*>(.*?)</h2>", page)


def unscripted(page):
    return re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)


def figure_of(section, at=0):
    return section.figures[at]


def rows_of(view):
    return view.table.rows


@pytest.fixture(scope="module")
def usual():
    return comparison(baselines=("empty", "prior"), chance=True)


@pytest.fixture(scope="module")
def page(usual):
    return report(usual, title="Runs & runs")


def test_a_report_has_all_sections(page):
    titles = "Leaderboard;Scores of samples;Concepts;Confusions;Worst samples;Agreement of measures;Recipe"
    assert headings(page) == titles.split(";")


def test_a_report_is_the_same_each_time(usual, page):
    assert report(usual, title="Runs & runs") == page


@pytest.mark.no_cover
def test_a_report_is_the_same_with_every_seed_of_hashes():
    script = (
        "from tests.pages import comparison; from hashlib import sha256;"
        "print(sha256(comparison(runs=2, samples=9).report().encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_a_page_names_no_address_but_that_of_its_parts(page):
    assert not re.findall(r'(?:src|href|action)="(?!#|data:)[^"]*"', unscripted(page))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html.unescape(page))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "http" not in policy


def test_a_page_holds_the_script_that_draws_once(page):
    assert page.count("plotly.js v") == 1


def test_a_page_without_plots_does_without_that_script():
    page = report_page("T", [Section("s", "S", "", [Figure("Numbers", [FigureView(table=TABLE)])])], ["one"])
    assert "plotly.js v" not in page
    assert content(page)["figures"][0][0]["table"]["columns"][1]["values"] == [0.5, None]


def test_the_recipe_ends_the_page(usual, page):
    (recipe,) = re.findall(r'<pre id="recipe-text"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert html.unescape(recipe) == usual.signature


def test_every_figure_has_its_numbers(page):
    for figure in content(page)["figures"]:
        for view in figure:
            assert view["table"]["columns"]


def test_a_baseline_is_no_winner():
    truth = {"1": ["a"], "2": ["b"]}
    runs = {"good": {"1": ["a"], "2": []}}
    found = oe.compare(truth, runs, measures="R", resamples=5, baselines=("all",))
    assert "<dt>best by R</dt><dd><bdi>good</bdi>" in unscripted(found.report())
    undefined = oe.compare({"1": []}, {"good": {"1": []}}, measures="R", resamples=5)
    assert "best by" not in unscripted(undefined.report())


def test_the_leaderboard_shows_scores_intervals_groups_and_chance(usual, page):
    text = unscripted(page)
    best = usual.scores[0, 0]
    assert f"{best:.4f}</span><sup>a</sup>" in text
    assert f"{usual.low[0, 0]:.3f} – {usual.high[0, 0]:.3f}" in text
    assert f"{round(100 * usual.above_chance[0, 0])} %" in text
    assert text.count('class="tag">baseline') == 2
    assert text.count('<span class="fine">lower is better</span>') == 1
    assert "↓" not in text


def test_an_undefined_score_is_a_dash_and_sorts_last():
    truth: dict[str, list[str]] = {"s": [], "t": []}
    page = report(oe.compare(truth, {"a": truth, "b": truth}, measures="R", resamples=20, baselines=()))
    assert page.count('data-value=""><span class="score">–</span>') == 2


def test_without_a_test_all_differences_are_shown():
    pairs = figure_of(leaderboard_section(comparison(test="none")), 2)
    assert "adjusted" not in pairs.text
    assert not np.isnan(np.array(plot_in(pairs.views[0]).data[0].z, dtype=float)).any()


def test_one_run_has_no_differences():
    page = report(comparison(runs=1))
    assert "Differences between runs" not in page
    assert "Agreement of measures" not in page


def test_baselines_alone_are_not_looked_into(usual):
    from dataclasses import replace

    alone = {run: usual.evaluations[run] for run in usual.baselines}
    rows = [usual.runs.index(run) for run in alone]
    few = replace(
        usual,
        evaluations=alone,
        scores=usual.scores[rows],
        low=usual.low[rows],
        high=usual.high[rows],
        replicates=usual.replicates[:, rows],
        p_values=usual.p_values[:, rows][:, :, rows],
        adjusted=usual.adjusted[:, rows][:, :, rows],
    )
    assert headings(report(few)) == ["Leaderboard", "Scores of samples", "Recipe"]


def test_scores_without_a_threshold_have_no_sections_of_label_sets():
    truth = oe.LabelSets.from_array([[1, 0], [0, 1], [1, 1]])
    runs = {name: oe.LabelScores.from_array(np.eye(3, 2) / at) for at, name in enumerate("ab", start=2)}
    page = report(oe.compare(truth, runs, measures=["LRAP", "AP"], resamples=20))
    assert headings(page) == ["Leaderboard", "Scores of samples", "Recipe"]


def test_means_over_concepts_say_nothing_of_a_sample(usual):
    assert per_sample(usual, "F(average='macro')") == {}
    assert set(per_sample(usual, "F")) == set(usual.runs)


def test_where_no_measure_scores_samples_their_section_is_left_out():
    found = comparison(flat=True, measures=["F(average='macro')"])
    assert samples_section(found) is None
    assert explanation.worst_section(found) is None


def test_without_a_hierarchy_concepts_are_flat_and_nothing_is_explained():
    page = report(comparison(flat=True))
    assert "Costliest confusions" not in page
    assert "What each label is charged" not in page
    assert "Concepts in their hierarchy" in page


def test_sections_can_be_chosen_and_public_ones_name_no_sample(usual):
    page = report(usual, sections=PUBLIC)
    assert headings(page) == ["Leaderboard", "Scores of samples", "Agreement of measures", "Recipe"]
    assert usual.evaluations["animals"].samples[0] not in page
    with pytest.raises(ParameterError, match="'leader': expected one of 'leaderboard'"):
        report(usual, sections=["leader"])


def test_a_comparison_writes_its_report(usual):
    assert usual.report(title="Runs & runs", sections=PUBLIC) == report(
        usual, title="Runs & runs", sections=PUBLIC
    )


def test_hostile_names_are_text():
    page = report(
        comparison(HOSTILE, runs=6, baselines=("empty",)),
        title=HOSTILE[0],
        images="https://a.example/{sample}.jpg",
    )
    scripts = re.findall(r"<script[^>]*>", page)
    assert len(scripts) == 3  # the data, plotly, and the page's own
    assert "<img" not in unscripted(page)
    assert "<b>" not in unscripted(page)
    assert not set("\x00\x1b\u202e") & set(page)
    assert HOSTILE[0] in json.dumps(content(page))


def test_names_that_look_alike_stay_apart():
    figure = plotted(
        Matrix, np.eye(2), ["a\x1b", "a\\x1b"], ["x", "y"], scale="amount", limits=(0, 1), reading="%{z}"
    )
    assert list(figure.data[0].y) == ["a\\x1b", "a\\x1b (2)"]


def test_what_plotly_would_read_as_markup_is_escaped():
    assert text_of("<b>&%{x}") == "&#60;b&#62;&#38;&#37;{x}"


def test_a_matrix_has_numbers_gaps_and_more_to_say_only_where_asked():
    plain = plotted(
        Matrix, np.eye(2), "ab", "ab", scale="amount", limits=(0, 1), reading="%{z}", by_root=True
    )
    assert plain.data[0].texttemplate is None
    assert plain.layout.coloraxis.colorscale[1][0] == pytest.approx(1 / 36)
    told = plotted(
        Matrix,
        np.eye(2),
        "ab",
        "ab",
        scale="amount",
        limits=(0, 1),
        reading="",
        numbers=".1f",
        more=np.ones((2, 2, 1)),
    )
    assert told.data[0].texttemplate == "%{z:.1f}"
    assert told.data[0].customdata is not None


def test_scores_are_binned_within_the_range_of_the_measure_or_their_own():
    scores = {"known": np.array([2.0, 4.0, np.nan]), "unknown": np.array([np.nan])}
    ridges = Ridges(scores, title="F", ends=(0, np.inf), bins=2)
    edges, shares = ridges.binned("known")
    assert edges.tolist() == [0, 2, 4]
    assert shares.tolist() == [0, 1]
    edges, shares = ridges.binned("unknown")
    assert edges.tolist() == [0, 0.5, 1]
    assert shares.tolist() == [0, 0]


def test_ridges_of_undefined_scores_lie_flat():
    figure = plotted(Ridges, {"a": np.array([np.nan, np.nan])}, title="F", ends=(0, 1), bins=2)
    assert figure.data[-1].x == (None,)
    assert set(figure.data[0].y) == {0}


def test_intervals_of_undefined_scores_are_not_drawn():
    figure = plotted(Intervals, ["a"], [np.nan], [np.nan], [np.nan], title="F", chance=np.nan)
    assert [len(trace.x) for trace in figure.data] == [0, 0]
    assert not figure.layout.shapes


def test_concepts_are_drawn_once_below_the_first_of_their_deepest_parents():
    hierarchy = oe.Hierarchy.from_edges(
        [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"), ("d", "e")]
    )
    tree = tree_to_draw(hierarchy)
    assert [hierarchy.vocabulary[at] for at in tree.order.tolist()] == ["a", "b", "d", "e", "c"]
    assert tree.sums(np.ones(5)).tolist() == [5, 3, 1, 2, 1]


def test_a_concept_with_several_parents_is_said_to_be_drawn_once():
    hierarchy = oe.Hierarchy.from_edges([("a", "c"), ("b", "c")])
    sets = [["c"], ["a"]] * 5
    found = oe.compare(sets, {"r": sets}, hierarchy=hierarchy, measures="F", resamples=20)
    assert "drawn once" in figure_of(concepts.concepts_section(found)).text


def test_errors_of_a_branch_are_those_of_its_labels(usual):
    figure = figure_of(concepts.concepts_section(usual))
    rows = {row[0]: row for row in rows_of(figure.views[0])}
    batch = usual.evaluations["animals"].sets
    wrong = np.asarray(batch.missed.sum(axis=0) + batch.false.sum(axis=0))
    share = wrong[:3].sum() / wrong.sum()
    assert rows["animals"][-1] == pytest.approx(share, abs=1e-6)
    assert plot_in(figure.views[3]).data[0].marker.colors[1] == pytest.approx(share, abs=1e-6)


def test_of_many_concepts_the_upper_levels_in_use_are_drawn(usual, monkeypatch):
    monkeypatch.setattr(concepts, "MOST", 4)
    monkeypatch.setattr(concepts, "CELLS", 8)
    figure = figure_of(concepts.concepts_section(usual))
    assert len(rows_of(figure.views[0])) == 4
    assert "4 concepts of the lower levels are left out" in figure.text
    assert "Of 3 runs the best 2 are shown." in figure.text


def test_confusions_collapse_to_the_levels_of_the_hierarchy(usual):
    figure = figure_of(confusion.confusion_section(usual))
    assert [options for _, options in figure.choices] == [
        ["animals", "cats", "dogs"],
        ("level 1: 4 groups", "all 8 labels"),
    ]
    coarse, fine = map(rows_of, figure.views[:2])
    assert [row[0] for row in coarse] == ["animals", "plants", "sky", "sea", "unmatched"]
    assert [row[0] for row in fine][:3] == ["animals", "cats", "dogs"]
    assert all(sum(row[1:]) == pytest.approx(1, abs=0.005) for row in fine if sum(row[1:]))


def test_of_many_concepts_and_runs_the_matrix_shows_a_part(usual, monkeypatch):
    monkeypatch.setattr(confusion, "WIDEST", 3)
    monkeypatch.setattr(confusion, "CELLS", 10)
    figure = figure_of(confusion.confusion_section(usual))
    assert figure.choices[1][1] == ("the 3 most confused labels",)
    assert len(rows_of(figure.views[0])) == 3
    assert "Of 3 runs the best 1 are shown." in figure.text


def test_costly_confusions_are_priced_by_their_paths(usual):
    rows = rows_of(figure_of(confusion.confusion_section(usual), 1).views[0])
    for true, predicted, price, mass, cost, _, path in rows:
        assert price == pytest.approx(mass * cost)
        assert path.split(" – ")[0] == true
        assert path.split(" – ")[-1] == predicted
    prices = [row[2] for row in rows]
    assert prices == sorted(prices, reverse=True)


def test_the_worst_samples_are_explained(usual):
    figure = figure_of(explanation.worst_section(usual))
    scores = usual.evaluations["cats"].per_sample("OS")
    rows = rows_of(figure.views[1])
    assert [row[1] for row in rows] == pytest.approx(np.sort(scores)[:9])
    assert "What each label is charged" in figure.views[1].html


def test_of_many_runs_the_worst_samples_of_the_best_are_shown(usual, monkeypatch):
    monkeypatch.setattr(explanation, "RUNS", 2)
    figure = figure_of(explanation.worst_section(usual, number=1))
    assert len(figure.views) == 2
    assert "Of 3 runs the best 2 are shown." in figure.text


def test_the_worst_samples_by_a_loss_are_those_that_lose_most():
    found = comparison(flat=True, measures=["Hamming"])
    values = [row[1] for row in rows_of(figure_of(explanation.worst_section(found)).views[0])]
    assert values[0] == max(found.evaluations["animals"].per_sample("Hamming"))


def test_measures_agree_over_runs_not_over_baselines(usual):
    figure = figure_of(measures_section(usual))
    assert "over 3 runs" in figure.text
    rows = {row[0]: row[1:] for row in rows_of(figure.views[0])}
    assert rows["Hamming"] == pytest.approx([1, 1, 1, 1])  # more is worse, and that is known


def test_figures_need_a_view_for_each_choice():
    with pytest.raises(InputError, match="1 views for 2 combinations"):
        Figure("F", [FigureView()], [("Run", ["a", "b"])])


def test_lists_that_views_share_are_written_once():
    view = {"x": list(range(9)), "short": [1]}
    assert json.loads(as_content([[view, view]])) == {
        "figures": [[{"x": {"$": 0}, "short": [1]}] * 2],
        "lists": [list(range(9))],
    }


def test_numbers_are_rounded_to_six_digits():
    view = FigureView(Intervals(["a"], [1 / 3], [0.0], [1.0], title="F"))
    page = report_page("T", [Section("s", "S", "", [Figure("F", [view])])], [])
    assert content(page)["figures"][0][0]["plot"]["data"][0]["x"] == [0.333333]
    assert of_table(Table("", (Column("F"),), ((1 / 3,),)))["columns"][0]["values"] == [0.333333]


def test_repeated_texts_of_a_table_are_written_once():
    rows = (("a", 1), ("a", 2), ("b", 3), ("b", 4))
    columns = of_table(Table("", (Column("run"), Column("n")), rows))["columns"]
    assert [column["values"] for column in columns] == [{"of": ["a", "b"], "at": [0, 0, 1, 1]}, [1, 2, 3, 4]]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "small.PNG").write_bytes(b"png")
    (tmp_path / "images" / "large 1.jpg").write_bytes(b"j" * (SMALL + 1))
    (tmp_path / "images" / "note.txt").write_text("no picture", encoding="utf-8")
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    return tmp_path


def test_small_pictures_are_embedded_and_large_ones_linked(folder):
    found = pictures(folder / "images", folder)
    assert found.find("small") == ("data:image/png;base64,cG5n", False)
    assert found.find("large 1") == ("images/large%201.jpg", False)
    assert found.find("large 1.jpg") == ("images/large%201.jpg", False)


@pytest.mark.parametrize("sample", ["note.txt", "note", "../secret", "nothing", "a\x00b", "x" * 5_000, ""])
def test_what_is_no_picture_of_the_folder_is_not_shown(folder, sample):
    assert pictures(folder / "images", folder).find(sample) is None


def test_many_small_pictures_are_linked_in_the_end(folder, monkeypatch):
    monkeypatch.setattr("ontoeval.reports.explanation.TOTAL", 4)
    found = pictures(folder / "images", folder)
    assert [str(found.find("small"))[17:22] for _ in range(2)] == ["data:", "image"]


def test_pictures_elsewhere_are_asked_for(usual):
    page = report(usual, images="https://pictures.example:8080/{sample}.jpg")
    assert "img-src data: blob: https://pictures.example:8080;" in page
    assert 'data-picture="https://pictures.example:8080/' in page
    assert "<img" not in unscripted(page)


def test_pictures_of_a_folder_are_shown(usual, folder):
    sample = rows_of(figure_of(explanation.worst_section(usual)).views[0])[0][0]
    (folder / "images" / f"{sample}.png").write_bytes(b"png")
    assert '<img src="data:image/png' in report(usual, images=folder / "images", folder=folder)


@pytest.mark.parametrize(
    "images",
    ["https://a.example/x.jpg", "ftp://a.example/{sample}", "https://a;b/{sample}", "https:///{sample}"],
)
def test_an_address_of_pictures_that_is_none_is_refused(images):
    with pytest.raises(ParameterError, match="a folder, or an address such as"):
        pictures(images)


def test_a_folder_of_pictures_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such folder of pictures"):
        pictures(tmp_path / "nothing")


@pytest.mark.no_cover
def test_the_example_of_the_manual_runs(tmp_path, monkeypatch):
    manual = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", manual, re.DOTALL):
        exec(block, names)  # noqa: S102 - the manual's code
    assert (tmp_path / "report.html").is_file()
    assert (tmp_path / "audit.html").is_file()
