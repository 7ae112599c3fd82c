"""Reports of studies, and figures of lines; what a browser makes of them is tested in tests/browser."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import ParameterError
from ontoeval.reports import study as pages
from ontoeval.reports.marks import Bars, Icicle, Line, Lines, Matrix, Panels
from ontoeval.reports.sensitivity import sensitivity_section
from ontoeval.reports.study import report
from tests.other_pages import measures, small_study, tables_of
from tests.pages import HOSTILE, plot_in, plotted
from tests.unit.test_html_report import content, headings, unscripted

TRUTH = [["a"], ["a", "b"], ["b"], ["c"]] * 5
MATRIX = 2  # behind the scores and their intervals
RUNS = {"x": TRUTH, "y": [["a"]] * 20, "z": [["a", "b"]] * 20}


@pytest.fixture(scope="module")
def study():
    return measures()


@pytest.fixture(scope="module")
def page(study):
    return study.report()


def plot_of(page: str, figure: int, view: int = 0) -> Any:
    return content(page)["figures"][figure][view]["plot"]


def test_a_report_of_a_study_has_all_sections(page):
    titles = "Leaderboard;Agreement;Discriminative power;Stability;Winners;Sensitivity;Behaviour;Recipe"
    assert headings(page) == titles.split(";")


def test_a_report_of_a_study_is_the_same_each_time(study, page):
    assert report(study) == page


def test_the_scores_that_a_study_is_about_stand_above(study):
    page = report(study, teams={study.comparison.runs[0]: "the team"})
    table = tables_of(page)["Scores"]
    assert table["score"] == pytest.approx(study.comparison.scores.T.ravel().tolist(), abs=1e-6)
    assert "the team" in table["team"]
    assert "Differences between runs" not in page


def test_correlations_can_be_chosen_and_each_has_its_clusters(page):
    assert "<option>Kendall&#39;s τ_b</option>" in page
    assert "<option>Kolmogorov–Smirnov&#39;s D</option>" in page
    assert len(content(page)["figures"][MATRIX]) == len(content(page)["figures"][MATRIX + 1]) == 2


def test_the_tree_stands_beside_the_matrix(study, page):
    plot = plot_of(page, MATRIX)["layout"]
    number = len(study.entrants.measures)
    assert len(plot["shapes"]) == number - 1
    assert plot["xaxis"]["range"][1] > number - 0.5
    assert plot["yaxis"]["range"] == [number - 0.5, -0.5]


def test_one_measure_has_no_tree():
    found = small_study(TRUTH, RUNS, only=["F"])
    assert "shapes" not in plot_of(found.report(), MATRIX)["layout"]
    titles = "Leaderboard;Agreement;Discriminative power;Stability;Winners;Recipe"
    assert headings(found.report()) == titles.split(";")


def test_measures_that_all_rank_alike_have_a_tree_without_height():
    tree = np.array([[0.0, 1.0, 0.0, 2.0]])
    figure = plotted(Matrix, np.ones((2, 2)), "ab", "ab", scale="amount", limits=(0, 1), tree=tree)
    assert len(figure.layout.shapes) == 1


def test_every_number_of_a_study_is_in_a_table(study, page):
    shown = tables_of(page)
    assert shown["Discriminative power"]["measure"] == list(study.power.measures)
    assert len(shown["Achieved significance levels"]["p"]) == study.power.curves.size
    assert shown["Stability of rankings"]["measure"] == list(study.stability.measures)
    assert set(shown["Sensitivity"]["kind"]) <= {curve.kind for curve in study.sensitivity.curves}
    assert len(shown["Share of cases in which axioms hold"]["axiom"]) == len(study.behaviour.table().rows)


def test_measures_that_disagree_are_coloured_by_direction():
    rng = np.random.default_rng(1)
    truth = (rng.random((40, 4)) < 0.4).astype(int)
    scores = 0.5 * truth + 0.8 * rng.random((40, 4))
    runs = {f"r{at}": (scores > at / 7).astype(int) for at in range(1, 6)}
    found = oe.study(truth, runs, measures=["P", "R"], resamples=20, changes=None, correlations=["tau_b"])
    assert found.agreements["tau_b"].values[0, 1] < 0
    assert plot_of(found.report(), MATRIX)["layout"]["meta"]["scale"] == "direction"


def test_many_runs_are_drawn_in_part(study, monkeypatch):
    monkeypatch.setattr(pages, "MOST", 2)
    assert "Of 6 runs the 2 that win most are drawn." in report(study)


def test_many_measures_have_no_numbers_in_their_cells(study, monkeypatch):
    monkeypatch.setattr(pages, "WRITTEN", 1)
    assert "texttemplate" not in plot_of(report(study), MATRIX)["data"][0]


def test_without_changes_and_hierarchy_their_sections_are_left_out():
    found = measures(flat=True)
    assert headings(found.report())[-2:] == ["Sensitivity", "Recipe"]
    assert sensitivity_section(small_study(TRUTH, RUNS, only=["F"])) is None


def test_runs_that_all_tie_have_no_curves_of_swaps():
    runs = {"x": [["a"]] * 20, "y": [["b"]] * 20}
    page = small_study([["c"]] * 20, runs, only=["F"]).report()
    assert "<h3" in page
    assert not re.search(r">Swaps</h3>", page)


def test_levels_that_are_taken_out_have_panels_of_their_own(study, page):
    choices = re.findall(r"<option>(.*?)</option>", page)
    assert "a changed ontology: mean quality" in choices
    assert "a changed ontology: mean quality, level by level" in choices
    assert "the truth, changed, as prediction: quality" in choices
    section = sensitivity_section(study)
    assert section is not None
    shown = section.figures[0]
    assert len(shown.views) == len(shown.choices[0][1])


def test_a_measure_that_changes_leave_undefined_has_no_line(study):
    curves = [replace(curve, tau=np.full_like(curve.tau, np.nan)) for curve in study.sensitivity.curves]
    for curve in curves:
        curve.tau[:, 1] = 0.5
    levels = [curve for curve in curves if curve.kind == "collapse level"]
    changed = replace(study, sensitivity=replace(study.sensitivity, curves=tuple(levels)))
    section = sensitivity_section(changed)
    assert section is not None
    score, tau = section.figures[0].views
    assert [trace.name for trace in plot_in(score).data] == list(study.sensitivity.measures)
    assert [trace.name for trace in plot_in(tau).data] == [study.sensitivity.measures[1]]


def test_hostile_names_of_runs_are_text():
    page = measures(HOSTILE).report(title=HOSTILE[0])
    assert not re.search(r"<(b|img|script)[ >]", unscripted(page))
    assert "\x1b" not in page
    assert "taken'</script>" not in page


def test_the_command_writes_a_report_of_a_study(tmp_path):
    folder, report = oe.ontologies.benchmark(), tmp_path / "report.html"
    asked = [
        "study",
        str(folder / "truth.csv"),
        str(folder / "runs"),
        "--ontology",
        "photo",
        "-m",
        "F",
        "-m",
        "OS",
    ]
    asked += ["--resamples", "20", "--no-changes"]
    done = CliRunner().invoke(app, [*asked, "--report", str(report)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "<title>Study of measures</title>" in report.read_text(encoding="utf-8")
    with pytest.raises(ParameterError, match="--report"):
        CliRunner().invoke(app, [*asked, "--report", str(folder / "truth.csv")], catch_exceptions=False)


def test_lines_are_broken_where_they_are_undefined():
    figure = plotted(Lines, [Line("a", [1, 2], [0.5, np.nan])], titles=("x", "y"), reading="")
    assert list(figure.data[0].y) == [0.5, None]
    assert figure.layout.showlegend is False
    assert not figure.layout.shapes


def test_lines_can_have_a_band_a_threshold_and_ranges():
    shown = [Line("a", [1, 2], [1, 2]), Line("b", [1, 2], [2, 1])]
    figure = plotted(
        Lines,
        shown,
        titles=("x", "y"),
        reading="",
        ranges=([0, 3], None),
        threshold=1.5,
        band=([0, 1], [2, 3]),
    )
    assert list(figure.data[0].y) == [0, 1, 3, 2]
    assert list(figure.layout.xaxis.range) == [0, 3]
    assert figure.layout.yaxis.range is None
    assert figure.layout.shapes[0].y0 == 1.5
    assert figure.layout.showlegend is True


def test_more_lines_than_colours_differ_by_dashes():
    figure = plotted(Lines, [Line(str(at), [0], [at]) for at in range(17)], titles=("", ""), reading="")
    drawn = {(trace.line.color, trace.line.dash) for trace in figure.data}
    assert len(drawn) == 17


def test_long_lines_are_not_dotted():
    figure = plotted(Lines, [Line("a", range(50), range(50))], titles=("", ""), reading="")
    assert figure.data[0].marker.size == 1


def test_small_multiples_share_a_legend_and_do_not_overlap():
    panels = [(f"p{at}", [Line("a", [0, 1], [0, at]), Line("b", [0, 1], [at, 0])]) for at in range(5)]
    figure = plotted(Panels, panels, reading="", columns=2)
    assert [trace.showlegend for trace in figure.data] == [True, True, *[False] * 8]
    axes = [getattr(figure.layout, f"yaxis{at or ''}").domain for at in (0, 2, 3, 4, 5)]
    assert axes[0] == axes[1]
    assert axes[2][1] < axes[0][0]
    assert axes[4][1] < axes[2][0]
    assert all(0 <= low < high <= 1 for low, high in axes)
    assert [note.text for note in figure.layout.annotations] == [f"<b>p{at}</b>" for at in range(5)]


def test_an_icicle_has_the_names_that_it_is_given():
    names = ["Sky", "Sky.Clouds", "Skyline", "Sky.", "Sea"]
    figure = plotted(Icicle, names, [-1, 0, 0, 0, 0], np.ones(5), title="", scale="amount", limits=(0, 1))
    assert list(figure.data[0].labels) == list(figure.data[0].text) == names


def test_bars_of_few_things_are_counted_in_ones():
    options: dict[str, Any] = {"title": "", "reading": ["", ""]}
    assert plotted(Bars, "ab", [1, 6], "kk", **options).layout.xaxis.dtick == 1
    assert plotted(Bars, "ab", [1, 7], "kk", **options).layout.xaxis.dtick is None
    assert plotted(Bars, "ab", [1.0, 2.0], "kk", **options).layout.xaxis.dtick is None
    assert plotted(Bars, "ab", [1, 2], "kk", **options).layout.showlegend is False
    coloured = plotted(
        Bars, "ab", [1, 2], ["note", "error"], colours={"error": "red", "note": "blue"}, **options
    )
    assert [(trace.name, trace.marker.color) for trace in coloured.data] == [
        ("error", "red"),
        ("note", "blue"),
    ]
