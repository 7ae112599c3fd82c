"""Figures for papers: what they show, and how they are written."""

from __future__ import annotations

import sys
from functools import partial
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.comparison.reliability import RankCorrelation
from ontoeval.errors import InputError, MeasureError, MissingExtraError, ParameterError
from ontoeval.reports import figures as drawn
from ontoeval.reports.figures import is_figure
from ontoeval.reports.paper import MOST
from ontoeval.reports.selection import per_sample

matplotlib = pytest.importorskip("matplotlib")
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.text import Text  # noqa: E402

figures: Any = drawn  # matplotlib's types are unions of all that could be drawn
HOSTILE = ("$x_1$ and $", "_under", r"^\frac{1}{2}$$", "<script>&amp;", "esc\x1b[31m", "a" * 90, "%&#{}~\n")
LABELS = ("a", "b", "c", "$d_1$", "<e>")
HIERARCHY = oe.Hierarchy.from_edges(
    [("r", "a"), ("r", "b"), ("a", "c"), ("a", "$d_1$"), ("b", "<e>")], abstract=["r"]
)
MEASURES = ("F", "hF", "F(average='macro')", "Hamming")
FEW: dict[str, Any] = {"resamples": 30, "hierarchy": HIERARCHY, "measures": MEASURES}


def truth_of(number=40):
    rng = np.random.default_rng(3)
    sets = {f"s{at}": [one for one in LABELS if rng.random() < 0.4] for at in range(number)}
    return oe.LabelSets.from_sets(sets, vocabulary=HIERARCHY.label_vocabulary)


def runs_of(truth, names):
    step = 0.8 / len(names)
    return {
        name: oe.comparison.perturb(truth, "random", step * at, hierarchy=HIERARCHY, seed=at)
        for at, name in enumerate(names)
    }


@pytest.fixture(scope="module")
def study():
    truth = truth_of()
    return oe.study(
        truth,
        runs_of(truth, HOSTILE),
        changes=oe.comparison.Changes(kinds=["drop", "sibling"], rates=[0.1, 0.5]),
        baselines=("random",),
        chance=True,
        **FEW,
    )


@pytest.fixture(scope="module")
def comparison(study):
    return study.comparison


def on_canvas(ax):
    """Draw, so that texts have a place."""
    canvas = FigureCanvasAgg(ax.figure)
    canvas.draw()
    return canvas.get_renderer()


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def rows(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


def points(ax, marker):
    """Coordinates of all points that are marked so."""
    lines = [line for line in ax.get_lines() if line.get_marker() == marker]
    return np.concatenate([line.get_xydata() for line in lines])


def test_scores_are_drawn_with_their_intervals_and_letters_the_best_above(comparison):
    ax = figures.scores(comparison, "hF")
    column = comparison.column("hF")
    order = comparison.order("hF")
    shown = points(ax, "o")
    own = [run for run in order if comparison.runs[run] not in comparison.baselines]
    assert shown[:, 0].tolist() == comparison.scores[own, column].tolist()
    assert set(points(ax, "|")[:, 0]) == set(comparison.low[:, column]) | set(comparison.high[:, column])
    (baseline,) = points(ax, "D")
    assert baseline.tolist() == [
        comparison.scores[-1, column],
        order.index(len(comparison.runs) - 1),
    ]
    letters = comparison.groups("hF")
    assert [text.get_text() for text in ax.texts] == [letters[run] for run in order]
    assert comparison.chance[column] in [line.get_xdata()[0] for line in ax.get_lines()]
    assert ax.get_xlabel() == "hF"


def test_a_measure_that_is_best_when_low_says_so(comparison):
    assert figures.scores(comparison, "Hamming").get_xlabel() == "Hamming ↓"


def test_ridges_are_the_shares_of_samples_and_diamonds_their_means(comparison):
    ax = figures.distribution(comparison)
    found = per_sample(comparison, "F")
    order = comparison.order("F")
    assert points(ax, "d")[:, 0].tolist() == [
        pytest.approx(np.nanmean(found[comparison.runs[run]])) for run in order
    ]
    for row, (run, ridge) in enumerate(zip(order, ax.patches, strict=True)):
        heights, edges, baseline = ridge.get_data()
        shares = (baseline - heights) / (baseline - heights).sum()
        counts, _ = np.histogram(found[comparison.runs[run]], bins=edges)
        assert baseline == row
        assert shares == pytest.approx(counts / counts.sum())


def test_a_mean_over_concepts_has_no_distribution(comparison):
    with pytest.raises(MeasureError, match="scores no single samples"):
        figures.distribution(comparison, "F(average='macro')")


def test_a_measure_that_was_not_compared_is_an_error(comparison):
    with pytest.raises(MeasureError, match="was not compared"):
        figures.scores(comparison, "Jaccard")


def test_the_icicle_shows_f_of_each_branch(comparison):
    run = comparison.runs[2]
    ax = figures.icicle(comparison, run)
    (tiles,) = ax.collections
    shown = dict(zip([text.get_text() for text in ax.texts], tiles.get_array().tolist(), strict=True))
    batch = comparison.evaluations[run].sets
    whole = [
        HIERARCHY.label_ancestors.T.dot(np.atleast_2d(side.matrix.toarray()).T) > 0
        for side in (batch.truth, batch.prediction)
    ]
    both, either = (whole[0] & whole[1]).sum(axis=1), whole[0].sum(axis=1) + whole[1].sum(axis=1)
    assert list(shown) == ["r", "a", "c", "$d_1$", "b", "<e>"]
    assert shown == pytest.approx(dict(zip(HIERARCHY.vocabulary.concepts, 2 * both / either, strict=True)))
    heights = [np.ptp(path.vertices[:, 1]) for path in tiles.get_paths()]
    assert heights == [3, 2, 1, 1, 1, 1]


def test_the_icicle_can_show_another_measure_and_leaves_what_has_no_score_grey(comparison):
    run = comparison.runs[2]
    ax = figures.icicle(comparison, run, measure="F(average='macro')")
    (tiles,) = ax.collections
    shown = dict(zip([text.get_text() for text in ax.texts], tiles.get_array().tolist(), strict=True))
    assert shown.pop("r") is None
    assert shown == pytest.approx(comparison.evaluations[run].per_concept("F(average='macro')"))
    assert ax.get_title(loc="left").startswith("F(average='macro')")


def wide_comparison(edges, labels):
    hierarchy = oe.Hierarchy.from_edges(edges)
    truth = {f"s{at}": [name] for at, name in enumerate(labels)}
    return oe.compare(truth, {"run": truth}, hierarchy=hierarchy, measures="F", resamples=5)


def test_of_a_wide_ontology_the_upper_levels_are_drawn():
    edges = [(f"g{at}", f"l{at}.{child}") for at in range(30) for child in range(4)]
    ax = figures.icicle(wide_comparison(edges, [child for _, child in edges]))
    assert {text.get_text() for text in ax.texts} == {f"g{at}" for at in range(30)}
    assert ax.get_title(loc="left").endswith("; 30 of 150 concepts")


def test_of_very_many_roots_the_most_frequent_are_drawn():
    names = [f"l{at:03}" for at in range(200)]
    truth = {f"s{at}": names[at:] for at in range(200)}
    comparison = oe.compare(truth, {"run": truth}, measures="F", resamples=5)
    ax = figures.icicle(comparison)
    assert [text.get_text() for text in ax.texts] == names[-MOST:]
    assert "the 60 most confused of 201" in figures.confusion(comparison).get_xlabel()


def test_the_confusion_matrix_holds_the_shares_of_rows_in_the_order_of_the_hierarchy(comparison):
    run = comparison.runs[4]
    ax = figures.confusion(comparison, run)
    batch = comparison.evaluations[run].sets
    matrix = oe.confusion_matrix(batch.truth, batch.prediction, hierarchy=HIERARCHY)
    order = [matrix.rows.index(name) for name in ("a", "c", "$d_1$", "b", "<e>", "unmatched")]
    (image,) = ax.images
    assert rows(ax) == [matrix.rows[at] for at in order] == [tick.get_text() for tick in ax.get_xticklabels()]
    assert image.get_array().data == pytest.approx(
        np.asarray(matrix.normalised("true").matrix)[np.ix_(order, order)]
    )
    seams = {float(line.get_ydata()[0]) for line in ax.get_lines()} - {0.0}
    assert seams == {2.5, 4.5}  # before b, and before what is no concept


def test_the_confusion_matrix_can_be_collapsed_to_a_level(comparison):
    ax = figures.confusion(comparison, level=1)
    assert rows(ax)[:2] == ["a", "b"]
    with pytest.raises(ParameterError, match="level"):
        figures.confusion(comparison, level=8)


def test_concepts_cannot_be_drawn_of_scores_without_threshold():
    truth = oe.LabelSets.from_sets({"s": ["a"], "t": ["b"]})
    scores = oe.LabelScores(
        sparse.csr_array(np.array([[0.9, 0.1], [0.4, 0.6]])), truth.vocabulary, truth.samples
    )
    comparison = oe.compare(truth, {"run": scores}, measures="LRAP", resamples=5)
    with pytest.raises(InputError, match="no label sets"):
        figures.icicle(comparison)
    assert [name for name, _ in figures.figures_of(comparison)] == ["scores", "samples"]


@pytest.mark.parametrize("method", ["tau_b", "ks"])
def test_agreement_is_drawn_in_the_order_of_its_tree(method):
    values = oe.comparison.correlation_matrix(np.random.default_rng(1).normal(size=(9, 5)), method=method)
    ranking = RankCorrelation(method, ("v", "w", "x", "y", "z"), values, values, values, values)
    ax = figures.agreement(ranking)
    (image,) = ax.images
    order = list(ranking.order)
    assert rows(ax) == [ranking.measures[at] for at in order]
    assert image.get_array().data == pytest.approx(ranking.values[np.ix_(order, order)])
    written = [text.get_text() for text in ax.texts][: len(order) ** 2]
    assert written == [f"{value:.2f}" for value in ranking.values[np.ix_(order, order)].ravel()]
    joins = [line.get_xdata() for line in ax.get_lines()]
    assert len(joins) == len(order) - 1
    far = max(float(np.max(join)) for join in joins)
    base = min(float(np.min(join)) for join in joins)
    heights = sorted((float(np.max(join)) - base) / (far - base) for join in joins)
    assert heights == pytest.approx(ranking.tree[:, 2] / ranking.tree[-1, 2])


def test_curves_of_p_values_are_those_of_the_study(study):
    ax = figures.power(study)
    order = np.argsort(-study.power.share, kind="stable")
    curves = ax.get_lines()[: len(order)]
    for at, line in zip(order, curves, strict=True):
        assert line.get_ydata().tolist() == study.power.curves[at].tolist()
    assert ax.get_lines()[-1].get_ydata() == [study.power.alpha] * 2
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    assert named == [f"{study.power.share[at]:.0%}  {study.power.measures[at]}" for at in order]


def test_winners_are_drawn_with_their_shares_and_losers_counted(study):
    ax, found = figures.winners(study), study.winners
    (image,) = ax.images
    shown = image.get_array().data
    winning = found.share.max(axis=1) >= 0.005
    assert 0 < winning.sum() < len(found.runs)
    assert sorted(shown.ravel()) == sorted(found.share[winning].ravel())
    assert ax.get_xlabel().startswith(f"{len(found.runs) - winning.sum()} other run")
    assert f"{shown[0, 0]:.0%}" in texts(ax.figure)


def test_a_change_that_was_not_tried_is_an_error(study):
    with pytest.raises(ParameterError, match="drop"):
        figures.sensitivity(study, "truth", "add")
    truth = truth_of(20)
    without = oe.study(truth, runs_of(truth, ["x", "y", "z"]), changes=None, **FEW)
    with pytest.raises(InputError, match="no changes were tried"):
        figures.sensitivity(without, "truth", "drop")
    assert not [name for name, _ in figures.figures_of(without) if name.startswith("sensitivity")]


@pytest.mark.no_cover
def test_names_are_shown_as_text(study, tmp_path):
    for name, figure in figures.figures_of(study):
        for text in figure.findobj(Text):
            ours = "$_{" in text.get_text() and not any(hostile in text.get_text() for hostile in HOSTILE)
            assert ours or "$" not in text.get_text() or not text.get_parse_math(), (name, text)
    figures.save_figures(study.comparison, tmp_path, formats=["svg"])
    written = (tmp_path / "scores.svg").read_text(encoding="utf-8")
    assert ">$x_1$ and $<" in written
    assert "&lt;script&gt;&amp;amp;" in written
    assert r">esc\x1b[31m<" in written
    assert "<script" not in written


@pytest.mark.no_cover
def test_every_figure_is_written_and_nothing_else(study, tmp_path):
    folder = tmp_path / "new" / "figures"
    paths = figures.save_figures(study, folder, formats="png")
    names = [
        "scores", "samples", "concepts", "confusion",
        *(f"agreement-{method}" for method in study.agreements), "power", "stability", "swaps", "winners",
        "sensitivity-prediction", "sensitivity-truth", "sensitivity-ontology",
    ]  # fmt: skip
    assert paths == [folder / f"{name}.png" for name in names]
    assert sorted(paths) == sorted(folder.iterdir())
    assert all(is_figure(type(study), path.name) for path in paths)


@pytest.mark.no_cover
def test_files_are_the_same_whenever_they_are_written(comparison, tmp_path):
    first = figures.save_figures(comparison, tmp_path / "one")
    with matplotlib.rc_context({"font.size": 30, "text.usetex": False, "axes.grid": True}):
        again = figures.save_figures(comparison, tmp_path / "two", formats=("pdf", "png"))
        alone = figures.save_figures(comparison, tmp_path / "three", formats="svg")
    contents = {path.name: path.read_bytes() for path in first}
    assert {path.name: path.read_bytes() for path in (*again, *alone)} == contents
    assert all(is_figure(type(comparison), name) for name in contents)


def test_a_format_that_is_none_is_refused_before_anything_is_written(comparison, tmp_path):
    with pytest.raises(ParameterError, match="gif"):
        figures.save_figures(comparison, tmp_path / "new", formats=["png", "gif"])
    assert not (tmp_path / "new").exists()


def test_drawing_changes_neither_settings_nor_windows(study, monkeypatch):
    before = dict(matplotlib.rcParams)  # which imports pyplot
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    ax = figures.scores(study.comparison)
    assert dict(matplotlib.rcParams) == before
    assert ax.figure.canvas.manager is None


@pytest.mark.parametrize(
    "draw",
    ids="scores distribution icicle confusion agreement power stability swaps winners sensitivity".split(),
    argvalues=[
        lambda study: partial(figures.scores, study.comparison),
        lambda study: partial(figures.distribution, study.comparison),
        lambda study: partial(figures.icicle, study.comparison),
        lambda study: partial(figures.confusion, study.comparison),
        lambda study: partial(figures.agreement, study.agreements["spearman"]),
        lambda study: partial(figures.power, study),
        lambda study: partial(figures.stability, study),
        lambda study: partial(figures.swaps, study),
        lambda study: partial(figures.winners, study),
        lambda study: partial(figures.sensitivity, study, "truth", "drop"),
    ],
)
def test_every_figure_can_be_part_of_another(study, draw):
    figure = Figure()
    own, other = figure.subplots(1, 2)
    assert draw(study)(ax=own) is own
    assert not other.get_lines()
    assert len(own.get_children()) > len(other.get_children())
    on_canvas(own)


@pytest.mark.no_cover
def test_many_runs_fill_a_page_and_no_more():
    truth = truth_of(20)
    comparison = oe.compare(
        truth,
        runs_of(truth, [f"run {at}" for at in range(70)]),
        resamples=10,
        hierarchy=HIERARCHY,
        measures=[*MEASURES, "Jaccard"],
        test="none",
        baselines=(),
    )
    found = list(islice(figures.figures_of(comparison), 3))
    assert [name for name, _ in found] == ["scores", "scores-2", "samples"]
    for _, figure in found:
        assert figure.get_size_inches()[1] < 9
    ax = found[0][1].axes[0]
    renderer = on_canvas(ax)
    boxes = [tick.get_window_extent(renderer) for tick in ax.get_yticklabels()]
    assert len(boxes) == 70
    assert not any(one.overlaps(next_) for one, next_ in pairwise(boxes))


def test_of_more_runs_than_a_page_holds_the_best_are_drawn():
    truth = truth_of(10)
    names = [f"run {at}" for at in range(MOST + 5)]
    comparison = oe.compare(
        truth, runs_of(truth, names), resamples=4, measures="F", test="none", hierarchy=HIERARCHY
    )
    ax = figures.scores(comparison)
    assert len(rows(ax)) == MOST
    assert ax.get_ylabel() == f"the best {MOST} of {MOST + 5 + len(comparison.baselines)} runs and baselines"


def test_nothing_is_told_of_the_truth_of_a_public_comparison(comparison):
    from dataclasses import replace

    public = replace(comparison, public=True)
    assert [name for name, _ in figures.figures_of(public)] == ["scores", "samples"]


def test_without_matplotlib_the_extra_is_named(comparison, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    with pytest.raises(MissingExtraError, match="figures"):
        figures.scores(comparison)


def test_behaviour_is_drawn_with_its_shares_and_whole_sentences(study):
    tried = oe.comparison.behaviour(["F", "hF"], HIERARCHY)
    ax = figures.behaviour(tried)
    axioms = [tick.get_text() for tick in ax.get_yticklabels()]
    assert axioms == [str(row[0]) for row in tried.table().rows]
    assert any(len(axiom) > 28 for axiom in axioms)
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    row = axioms.index("a sibling costs less than a stranger")
    assert (cells[0, row], cells[1, row]) == ("0%", "100%")
    assert figures.behaviour(study).get_images()
    flat = oe.study(truth_of(), runs_of(truth_of(), ("a", "b")), measures="F", resamples=20, changes=None)
    with pytest.raises(InputError, match="no axioms were tried"):
        figures.behaviour(flat)
