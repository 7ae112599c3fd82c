"""What marks become in plotly, which refuses what is no figure."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ontoeval.errors import InputError
from ontoeval.reports.marks import Bars, Icicle, Intervals, Line, Lines, Matrix, Panels, Ridges
from ontoeval.reports.page import Figure, FigureView
from ontoeval.reports.plots import short_of, text_of
from tests.pages import plotted

pytest.importorskip("plotly")

EYE: dict[str, Any] = {"scale": "amount", "limits": (0, 1), "reading": "%{z}"}
LONG = "resnet50_finetuned_on_everything_with_a_batch_size_of_256_and_a_seed_17"


def test_names_that_look_alike_stay_apart_and_no_markup_is_read() -> None:
    figure = plotted(Matrix, np.eye(2), ["a\x1b", "a\\x1b"], ["x", "y"], **EYE)
    assert list(figure.data[0].y) == ["a\\x1b", "a\\x1b (2)"]
    assert text_of("<b>&%{x}") == "&#60;b&#62;&#38;&#37;{x}"


def test_names_are_cut_in_the_middle_and_of_two_something_of_both_stays() -> None:
    figure = plotted(Intervals, [LONG, f"{LONG} − other"], [0, 0], [0, 0], [1, 1], title="F")
    assert list(figure.layout.yaxis.ticktext) == ["resnet50_finetuned_on_…seed_17", "resnet50_…_17 − other"]
    assert short_of("short → other", 30) == "short → other"


def test_a_matrix_has_numbers_gaps_and_more_to_say_only_where_asked() -> None:
    plain = plotted(Matrix, np.eye(2), "ab", "ab", by_root=True, **EYE)
    assert plain.data[0].texttemplate is None
    assert plain.layout.coloraxis.colorscale[1][0] == pytest.approx(1 / 36)
    told = plotted(Matrix, np.eye(2), "ab", "ab", numbers=".1f", more=np.ones((2, 2, 1)), **EYE)
    assert told.data[0].texttemplate == "%{z:.1f}"
    assert told.data[0].customdata is not None


def test_titles_of_a_matrix_keep_their_distance_from_its_names() -> None:
    layout = plotted(Matrix, np.eye(2), "ab", "ab", titles=("<true>", "predicted"), **EYE).layout
    assert layout.xaxis.title.standoff == layout.yaxis.title.standoff == 14
    assert layout.yaxis.title.text == "&#60;true&#62;"
    assert list(layout.yaxis.range) == [1.5, -0.5]


def test_measures_that_all_rank_alike_have_a_tree_without_height() -> None:
    tree = np.array([[0.0, 1.0, 0.0, 2.0]])
    layout = plotted(Matrix, np.ones((2, 2)), "ab", "ab", tree=tree, **EYE).layout
    assert len(layout.shapes) == 1
    assert layout.xaxis.range[1] > 1.5


def test_scores_are_binned_within_the_range_of_the_measure_or_their_own() -> None:
    scores = {"known": np.array([2.0, 4.0, np.nan]), "unknown": np.array([np.nan])}
    ridges = Ridges(scores, title="F", ends=(0, np.inf), bins=2)
    found = [side.tolist() for run in scores for side in ridges.binned(run)]
    assert found == [[0, 2, 4], [0, 1], [0, 0.5, 1], [0, 0]]
    flat = plotted(Ridges, {"a": np.array([np.nan, np.nan])}, title="F", ends=(0, 1), bins=2)
    assert flat.data[-1].x == (None,)
    assert set(flat.data[0].y) == {0}


def test_intervals_of_undefined_scores_are_not_drawn() -> None:
    figure = plotted(Intervals, ["a"], [np.nan], [np.nan], [np.nan], title="F", chance=np.nan)
    assert [len(trace.x) for trace in figure.data] == [0, 0]
    assert not figure.layout.shapes


def test_lines_are_broken_where_they_are_undefined() -> None:
    figure = plotted(Lines, [Line("a", [1, 2], [0.5, np.nan])], titles=("x", "y"), reading="")
    assert list(figure.data[0].y) == [0.5, None]
    assert figure.layout.showlegend is False
    assert not figure.layout.shapes


def test_lines_can_have_a_band_a_threshold_and_ranges() -> None:
    shown = [Line("a", [1, 2], [1, 2]), Line("b", [1, 2], [2, 1])]
    more: dict[str, Any] = {"ranges": ([0, 3], None), "threshold": 1.5, "band": ([0, 1], [2, 3])}
    figure = plotted(Lines, shown, titles=("x", "y"), reading="", **more)
    assert list(figure.data[0].y) == [0, 1, 3, 2]
    assert list(figure.layout.xaxis.range) == [0, 3]
    assert figure.layout.yaxis.range is None
    assert figure.layout.shapes[0].y0 == 1.5
    assert figure.layout.showlegend is True


def test_more_lines_than_colours_differ_by_dashes_and_long_ones_are_not_dotted() -> None:
    figure = plotted(Lines, [Line(str(at), [0], [at]) for at in range(17)], titles=("", ""), reading="")
    assert len({(trace.line.color, trace.line.dash) for trace in figure.data}) == 17
    long = plotted(Lines, [Line("a", range(50), range(50))], titles=("", ""), reading="")
    assert long.data[0].marker.size == 1


def test_small_multiples_share_a_legend_and_do_not_overlap() -> None:
    panels = [(f"p{at}", [Line("a", [0, 1], [0, at]), Line("b", [0, 1], [at, 0])]) for at in range(5)]
    figure = plotted(Panels, panels, reading="", columns=2)
    assert [trace.showlegend for trace in figure.data] == [True, True, *[False] * 8]
    axes = [getattr(figure.layout, f"yaxis{at or ''}").domain for at in (0, 2, 3, 4, 5)]
    assert axes[0] == axes[1]
    assert axes[2][1] < axes[0][0]
    assert axes[4][1] < axes[2][0]
    assert all(0 <= low < high <= 1 for low, high in axes)
    assert [note.text for note in figure.layout.annotations] == [f"<b>p{at}</b>" for at in range(5)]


@pytest.mark.parametrize(
    ("parents", "levels"),
    [([-1], 1), ([-1, 0, 0], 2), ([-1, 0, 1, -1], 4), ([at - 1 for at in range(20)], 6)],
)
def test_an_icicle_knows_how_many_levels_stand_beside_each_other(parents: list[int], levels: int) -> None:
    names = ["Sky", "Sky.", *(f"n{at}" for at in range(2, len(parents)))][: len(parents)]
    figure = plotted(Icicle, names, parents, np.zeros(len(parents)), title="F", scale="amount", limits=(0, 1))
    assert figure.layout.meta["levels"] == levels
    assert (figure.layout.uniformtext.minsize, figure.layout.uniformtext.mode) == (10, "hide")
    assert list(figure.data[0].labels)[-len(names) :] == names


def test_bars_of_few_things_are_counted_in_ones() -> None:
    options: dict[str, Any] = {"title": "", "reading": ["", ""]}
    few, more, parts = (
        plotted(Bars, "ab", own, "kk", **options).layout for own in ([1, 6], [1, 7], [1.0, 2.0])
    )
    assert (few.xaxis.dtick, more.xaxis.dtick, parts.xaxis.dtick) == (1, None, None)
    assert few.showlegend is False
    colours = {"error": "red", "note": "blue"}
    coloured = plotted(Bars, "ab", [1, 2], ["note", "error"], colours=colours, **options)
    assert [(trace.name, trace.marker.color) for trace in coloured.data] == [*colours.items()]


def test_figures_need_a_view_for_each_choice() -> None:
    with pytest.raises(InputError, match=re.escape("1 views for 2 combinations")):
        Figure("F", [FigureView()], [("Run", ["a", "b"])])
