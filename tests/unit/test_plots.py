"""What marks become in plotly, which refuses what is no figure."""

from __future__ import annotations

import numpy as np
import pytest

from ontoeval.core.names import ConceptNames, DisplayedName
from ontoeval.reports.marks import Icicle, Intervals
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
