"""What marks become in plotly, which refuses what is no figure."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ontoeval.core.names import ConceptNames, DisplayedName
from ontoeval.errors import InputError
from ontoeval.reports.marks import Icicle, Intervals, Line, Panels
from ontoeval.reports.page import Figure, FigureView
from ontoeval.reports.plots import short_of
from tests.pages import plotted

pytest.importorskip("plotly")

LONG = "resnet50_finetuned_on_everything_with_a_batch_size_of_256_and_a_seed_17"


def test_names_are_cut_in_the_middle_and_of_two_something_of_both_stays() -> None:
    figure = plotted(Intervals, [LONG, "vit"], [0, 0], [0, 0], [1, 1], title="F")
    assert list(figure.layout.yaxis.ticktext) == ["resnet50_finetuned_on_…seed_17", "vit"]
    assert short_of([DisplayedName("bg_1", ConceptNames({"bg_1": "big group"}))], 30) == ["big group"]
    pairs = ["short → other", f"{LONG} − other"]
    assert short_of(pairs, 30) == ["short → other", "resnet50_…_17 − other"]


def test_different_names_stay_different_when_they_are_cut() -> None:
    assert short_of(["Potato, fried", "Potato, boiled"], 10) == ["Potato…ied", "Potato…led"]
    assert short_of(["a b c d e 1 f", "a b c d e 2 f"], 6) == ["a …1 f", "a …2 f"]


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


def test_figures_need_a_view_for_each_choice() -> None:
    with pytest.raises(InputError, match=re.escape("1 views for 2 combinations")):
        Figure("F", [FigureView()], [("Run", ["a", "b"])])
