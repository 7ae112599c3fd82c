"""Figures for papers, drawn by matplotlib: each takes a result, and axes where it is part of more."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.axioms import Behaviour
from ontoeval.comparison.error_kinds import ERROR_KINDS, ErrorsByKind
from ontoeval.comparison.pitfalls import Pitfall
from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.comparison.reliability import RankCorrelation
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.sensitivity import Curve
from ontoeval.comparison.study import Study
from ontoeval.confusion.matrix import PARTS, ConfusionMatrix, matrix_of
from ontoeval.confusion.one_vs_rest import branch_counts
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import Show
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError, ParameterError, one_of, pluralise
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.measures.base import best_end
from ontoeval.measures.confusion_rules import Confusion, usual_rule
from ontoeval.measures.counts import FRatio
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.writing import write_aside
from ontoeval.reports.comparison import ridges_of, score_intervals
from ontoeval.reports.concepts import DrawnHierarchy, Tree, tree_to_draw
from ontoeval.reports.confusion import level_groups, rule_name, shares_of_rows
from ontoeval.reports.errors import bars as error_bars
from ontoeval.reports.marks import PALETTE, TREE, Icicle
from ontoeval.reports.paper import (
    GREY,
    LEAF,
    MOST,
    ONE,
    PLAIN,
    TALLEST,
    TWO,
    axes,
    colour_bar,
    draw_icicle,
    draw_intervals,
    draw_lines,
    draw_matrix,
    draw_ridges,
    drawing,
    height_of,
    label,
    legend,
    name_rows,
    new_figure,
    size_of,
    style,
    subscripts,
    wrapped,
)
from ontoeval.reports.pitfalls import picture
from ontoeval.reports.selection import per_sample
from ontoeval.reports.sensitivity import SCORE, TAU, behaviour_matrix, change_lines, kind_of
from ontoeval.reports.study import power_curves, rank_matrix, stability_intervals, swap_curves, wins_matrix
from ontoeval.reports.verdicts import TITLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BESIDE: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.02)}
"""Where a legend stands right of its axes."""

HATCHES = ("", "", "", "////", "", "....", "")
"""Hatches of the kinds of errors: kinds whose colours are alike in grey differ."""

WIDTH = 18  # characters of a line below an axis

DRAWN: dict[str, tuple[type, ...]] = {
    "scores": (Comparison, Study),
    "distribution": (Comparison, Study),
    "icicle": (Comparison, Study, Evaluation, Hierarchy, Ontology),
    "confusion": (Comparison, Study, Evaluation, ConfusionMatrix),
    "errors": (ErrorsByKind,),
    "pitfall": (Pitfall,),
    "behaviour": (Behaviour, Study),
    "agreement": (RankCorrelation, Study),
    **dict.fromkeys(("power", "stability", "swaps", "winners", "sensitivity"), (Study,)),
    "save_figures": (Comparison, ErrorsByKind, Study),
}
"""What each function draws."""


def _kind(result: object) -> str:
    """Type of a result in words, with its article."""
    name = type(result).__name__
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _check(result: object, function: str) -> None:
    """Refuse what a function does not draw, and name those that do."""
    if isinstance(result, DRAWN[function]):
        return
    others = [f"figures.{name}" for name, kinds in DRAWN.items() if isinstance(result, kinds)]
    able = " or ".join(kind.__name__ for kind in DRAWN[function])
    instead = f"Draw it by {' or '.join(others)}." if others else f"Give a {able}."
    raise InputError(f"figures.{function} draws a {able}, not {_kind(result)}", instead)


def _comparison(result: Comparison | Study, function: str) -> Comparison:
    """Take the comparison of a study, which has all its figures."""
    _check(result, function)
    return result.comparison if isinstance(result, Study) else result


def scores(
    comparison: Comparison | Study,
    measure: str | None = None,
    *,
    by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of runs with their intervals, the best run above.

    Parameters
    ----------
    comparison
        Of the runs; or a study, which has one.
    measure
        Which scores; by default those of the first measure.
    by
        The measure by which runs are ordered; by default the same.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One row per run; those that share a letter are not distinguishable; baselines are open diamonds.
    """
    comparison = _comparison(comparison, "scores")
    notation, order = _choose_runs(comparison, measure, by)
    letters, size = comparison.groups(notation), size_of(len(order))
    with axes(ax, ONE, height_of(len(order)) + 0.5) as on:
        draw_intervals(on, score_intervals(comparison, notation, order))
        for row, run in enumerate(order):
            place: dict[str, Any] = {"transform": on.get_yaxis_transform(), "va": "center"}
            on.text(1.02, row, letters[run], fontsize=size, **place, **PLAIN)
        low_is_best = best_end(comparison.measures[notation]) == "lowest"
        on.set_xlabel(wrapped(notation + " ↓" * low_is_best, WIDTH), **PLAIN)
        _say_how_many(on, comparison)
    return on


def distribution(
    comparison: Comparison | Study,
    measure: str | None = None,
    *,
    by: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the scores of samples are spread: one ridge per run, with its mean.

    Parameters
    ----------
    comparison
        Of the runs; or a study, which has one.
    measure
        Which scores; by default those of the first measure.
    by
        The measure by which runs are ordered; by default the same.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Shares of samples in 40 intervals, each ridge to its own height.

    Raises
    ------
    MeasureError
        If the measure scores no single samples.
    """
    comparison = _comparison(comparison, "distribution")
    notation, order = _choose_runs(comparison, measure, by)
    found = per_sample(comparison, notation)
    if not found:
        raise MeasureError(
            f"{notation} scores no single samples. Take a measure that is a mean over samples."
        )
    own = {name: found[name] for name in (comparison.runs[run] for run in order)}
    mark = ridges_of(comparison, notation, own, order)
    with axes(ax, ONE, height_of(len(order), 0.26) + 0.5) as on:
        draw_ridges(on, mark)
        on.set_xlabel(wrapped(mark.title, WIDTH), **PLAIN)
        _say_how_many(on, comparison)
    return on


def _choose_runs(comparison: Comparison, measure: str | None, by: str | None) -> tuple[str, list[int]]:
    """Choose a measure, and the runs that a page holds, the best by this or another measure first."""
    notations = list(comparison.measures)
    notation = notations[comparison.column(notations[0] if measure is None else measure)]
    return notation, comparison.order(notation if by is None else by)[:MOST]


def _say_how_many(ax: Axes, comparison: Comparison) -> None:
    if len(comparison.runs) > MOST:
        what = "runs and baselines" if comparison.baselines else "runs"
        ax.set_ylabel(f"the best {MOST} of {len(comparison.runs)} {what}")


WIDEST = 60  # rows of a confusion matrix


def icicle(
    result: Comparison | Study | Evaluation | Hierarchy | Ontology,
    run: str | None = None,
    *,
    measure: str | None = None,
    show: Show | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ontology coloured by how well a run finds each concept: roots left, leaves right.

    Parameters
    ----------
    result
        A comparison, a study or an evaluation; or a hierarchy or an ontology, drawn without colours.
    run
        Which run of a comparison; by default the best by the first measure.
    measure
        One of the measures that are means over concepts; by default F of the branch.
    show
        How concepts are named: by "label", by name ("id"), or by "both"; by default see `Hierarchy.showing`.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        A rectangle per concept, as high as the leaves below it; grey where there is no score.

    Raises
    ------
    InputError
        If the runs are no label sets.
    MeasureError
        If the measure is no mean over concepts.
    ParameterError
        If a run or a measure is named of what has none.
    """
    _check(result, "icicle")
    values, support, title = None, None, ""
    if isinstance(result, Hierarchy | Ontology):
        for name, value in (("run", run), ("measure", measure)):
            if value is not None:
                raise ParameterError(name, value, f"nothing: {_kind(result)} has no scores")
        hierarchy = result if isinstance(result, Hierarchy) else result.arrays
        called = hierarchy.vocabulary.names
    else:
        run, evaluation, batch = _find_sets(result, run, "icicle")
        hierarchy = batch.any_hierarchy
        values = _concept_scores(evaluation, batch, hierarchy, measure)
        called = batch.vocabulary.names or hierarchy.vocabulary.names
        support = hierarchy.label_ancestors.T @ batch.truth.matrix.sum(axis=0)
        title = ", ".join(filter(None, [measure or "F of the branch", label(run)]))
    names = hierarchy.vocabulary.concepts
    nothing, tree = np.full(len(names), np.nan), tree_to_draw(hierarchy)
    kept = _choose_nodes(tree, nothing if support is None else support)
    part = DrawnHierarchy(hierarchy, tree, kept, 0, called)
    mark = Icicle(
        part.names if show is None else [name.showing(show) for name in part.names],
        part.parents,
        (nothing if values is None else values)[part.kept],
        title=title,
        scale="quality",
        limits=(0.0, 1.0),
    )
    height = max(0.8, height_of(int(mark.leaves.sum()), LEAF))
    with axes(ax, TWO, height + 0.3) as on:
        image = draw_icicle(on, mark)
        if values is not None:
            colour_bar(on, image, "", shrink=min(1.0, 2 / height), anchor=(0, 1))
        left_out = f"{part.kept.size} of {len(names):,} concepts" * (part.kept.size < len(names))
        on.set_title("; ".join(filter(None, [title, left_out])), loc="left", **PLAIN)
    return on


def _concept_scores(
    evaluation: Evaluation, batch: Batch, hierarchy: Hierarchy, measure: str | None
) -> Numbers:
    """Score each concept of the hierarchy, nan where it has no score."""
    if measure is None:
        return FRatio(1.0)(branch_counts(hierarchy, batch))
    scores, values = evaluation.per_concept(measure), np.full(len(hierarchy.vocabulary), np.nan)
    values[hierarchy.vocabulary.positions(list(scores))] = list(scores.values())
    return values


def _find_sets(
    result: Comparison | Study | Evaluation, run: str | None, function: str
) -> tuple[str, Evaluation, Batch]:
    """Find the name of a run, "" where it has none, its scores and its label sets."""
    if isinstance(result, Evaluation):
        if run is not None:
            raise ParameterError("run", run, "nothing: an Evaluation is of one run, which has no name")
        run, evaluation = "", result
    else:
        comparison = _comparison(result, function)
        run = comparison.best if run is None else run
        one_of("run", run, comparison.runs)
        evaluation = comparison.evaluations[run]
    if evaluation.sets is None:
        if evaluation.batch is None:
            raise InputError("no samples are held", "Use ontoeval.evaluate.")
        raise InputError("the runs are no label sets", "Give a threshold, which makes label sets of scores.")
    return run, evaluation, evaluation.sets


def _choose_nodes(tree: Tree, support: Numbers) -> NDArray[np.intp]:
    """Choose what is drawn: as many levels as a page has rows for; of too many roots the most frequent."""
    level, root = tree.levels, np.arange(tree.parent.size)
    for concept in tree.order.tolist():
        if tree.parent[concept] >= 0:
            root[concept] = root[tree.parent[concept]]
    roots = tree.order[tree.parent[tree.order] < 0]
    most_frequent = np.argsort(-support[roots], kind="stable")[:MOST]
    below = np.isin(root, roots[most_frequent])[tree.order]
    for deepest in range(int(level.max(initial=0)), -1, -1):
        kept = tree.order[below & (level[tree.order] <= deepest)]
        above = tree.parent[kept]
        if kept.size - np.unique(above[above >= 0]).size <= MOST:  # so many are leaves
            break
    return kept


def confusion(
    result: Comparison | Study | Evaluation | ConfusionMatrix,
    run: str | None = None,
    *,
    level: int | str | None = None,
    hierarchy: Hierarchy | None = None,
    show: Show | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a run takes for what, in the order of the hierarchy.

    Parameters
    ----------
    result
        A confusion matrix; or a comparison, a study or an evaluation, of which one is made by the
        default rule of `ontoeval.confusion_matrix`.
    run
        Which run of a comparison; by default the best by the first measure.
    level
        A depth, of which a root has 0; or "labels"; by default the finest that a page holds.
    hierarchy
        The hierarchy of the concepts of a matrix, which orders and collapses it; all else has its own.
    show
        How concepts are named: by "label", by name ("id"), or by "both"; by default see `Hierarchy.showing`.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Rows are true, columns predicted; a row sums to 1. Lines part the branches below the roots.

    Raises
    ------
    InputError
        If the runs are no label sets, or the matrix is not square.
    ParameterError
        If there is no such run or level, or a hierarchy is given of what has its own.
    """
    _check(result, "confusion")
    if isinstance(result, ConfusionMatrix):
        if run is not None:
            raise ParameterError("run", run, "nothing: a ConfusionMatrix is of one run, which has no name")
        if len(result.rows) != len(result.columns):
            raise InputError("a matrix that is not square is not drawn", "Give a square one.")
        if hierarchy is None and level not in {None, "labels"}:
            raise ParameterError("level", level, "a hierarchy= beside it, whose levels collapse the matrix")
        matrix = result
        hierarchy = Hierarchy.flat(Vocabulary(matrix.rows)) if hierarchy is None else hierarchy
    else:
        if hierarchy is not None:
            raise ParameterError("hierarchy", hierarchy, f"nothing: {_kind(result)} has its own")
        run, _, batch = _find_sets(result, run, "confusion")
        matrix, hierarchy = matrix_of(batch, Confusion(usual_rule(batch.hierarchy))), batch.any_hierarchy
    levels: dict[int | str, tuple[str, ...] | None] = {**dict(level_groups(hierarchy)), "labels": None}
    if level is None:
        sizes = {one: len(levels[one] or matrix.rows) for one in [*levels][::-1]}
        level = next((one for one, size in sizes.items() if size <= WIDEST), "labels")
    one_of("level", level, tuple(levels))
    cut, tree = levels[level], tree_to_draw(hierarchy)
    if cut is not None:
        matrix = matrix.aggregated(hierarchy, cut=cut)
    matrix = matrix if show is None else replace(matrix, names=replace(matrix.names, show=show))
    mark = shares_of_rows(matrix, hierarchy, tree, most=WIDEST)
    number, total = len(mark.rows), len(matrix.rows)
    side = min(height_of(number, 0.2), TWO - 2.3)
    with axes(ax, side + 2.3, side + 1.4) as on:
        image = draw_matrix(on, mark, side / number)
        for at in _seams(mark.rows, hierarchy, tree) if len(hierarchy.parents.data) else ():
            on.axhline(at - 0.5, color=GREY, linewidth=0.4)
            on.axvline(at - 0.5, color=GREY, linewidth=0.4)
        on.set_ylabel("true")
        most = f"\nthe {number} most confused of {total:,}" * (number == WIDEST < total - 1)
        on.set_xlabel(f"predicted{most}")
        of = f" of {run}" if run else ""
        on.set_title(wrapped(f"Confusions{of}, rule {rule_name(matrix)}", int(20 + 16 * side)), **PLAIN)
        colour_bar(on, image, f"share {PARTS[matrix.shares]}", ticks=[0, 0.05, 0.2, 0.5, 1])
    return on


def _seams(names: Sequence[str], hierarchy: Hierarchy, tree: Tree) -> list[int]:
    index = hierarchy.vocabulary.index
    branch: dict[int, Any] = {}
    for concept in tree.order.tolist():
        above = int(tree.parent[concept])
        # A single root holds everything: what lies below it parts the concepts.
        branch[concept] = (
            concept if above < 0 or (len(hierarchy.roots) == 1 and tree.parent[above] < 0) else branch[above]
        )
    of = [branch[index[name]] if name in index else name for name in names]
    return [at for at in range(1, len(of)) if of[at] != of[at - 1]]


FEWEST_WINS = 0.005  # share of the resamples that a run wins by some measure, to be shown


def errors(found: ErrorsByKind, *, ax: Axes | None = None) -> Axes:
    """Draw the shares of the kinds of errors, in the wrong labels of runs and in their losses by measures.

    Parameters
    ----------
    found
        Of `ontoeval.errors_by_kind`.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Stacked bars: one for each run and, below it, one for each measure. A share below 0 lies left of 0:
        the score falls if these errors are repaired.
    """
    _check(found, "errors")
    names, shares = error_bars(found)
    shares = np.nan_to_num(shares)
    with axes(ax, TWO * 0.8, height_of(len(names)) + 0.6) as on:
        made = []
        for at in range(len(ERROR_KINDS)):
            before = shares[:, :at]
            ends = (end(before, 0).sum(axis=1) for end in (np.minimum, np.maximum))
            start = np.where(shares[:, at] < 0, *ends)
            look: dict[str, Any] = {"edgecolor": "white", "lw": 0.4, "hatch": HATCHES[at], "left": start}
            made.append(on.barh(range(len(names)), shares[:, at], color=PALETTE[at], **look))
        name_rows(on, names)
        on.set_xlabel("share of the wrong labels, or of the loss by the measure")
        legend(on, made, list(ERROR_KINDS), **BESIDE)
    return on


def pitfall(found: Pitfall, *, ax: Axes | None = None) -> Axes:
    """Draw a pitfall: the tree, and what is right, missed and false in each sample by both predictions.

    Parameters
    ----------
    found
        One of the pitfalls of `ontoeval.find_pitfalls`.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        A row for each concept, a column for each sample.
    """
    _check(found, "pitfall")
    table, samples = picture(found), found.truth.samples
    with axes(ax, ONE, height_of(len(table.rows)) + 0.9) as on:
        for row, cells in enumerate(table.rows):
            for at, cell in enumerate(cells[1:]):
                on.text(at, row, str(cell), ha="center", va="center")
        name_rows(on, [str(cells[0]) for cells in table.rows])
        on.set_xlim(-0.5, len(samples) - 0.5)
        on.set_xticks(range(len(samples)), labels=samples)
        on.set_xlabel("\n".join(wrapped(note, 60) for note in table.notes), **PLAIN)
        on.set_title(wrapped(table.title, 60), **PLAIN)
    return on


def agreement(ranking: RankCorrelation | Study, *, ax: Axes | None = None) -> Axes:
    """Draw how alike measures rank the runs, those that rank alike together, with their tree.

    Parameters
    ----------
    ranking
        One of the agreements of a study, ``study.agreements["tau_b"]``; of a study itself the first.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        The matrix; the tree, at its right, joins measures at the mean distance of their clusters.
    """
    _check(ranking, "agreement")
    ranking = next(iter(ranking.agreements.values())) if isinstance(ranking, Study) else ranking
    mark, number = rank_matrix(ranking), len(ranking.measures)
    side = min(max(0.3 * number, 1.0), TWO - 3.4)
    with axes(ax, side * (1 + TREE) + 2.0, side + 1.9) as on:
        image = draw_matrix(on, mark, side / number)
        name = subscripts(TITLES.get(ranking.method, ranking.method))
        title = f"{name}: {int(ranking.method not in DISTANCES)} where both rank alike"
        colour_bar(
            on, image, title, location="top", aspect=35, pad=0.03, shrink=1 / (1 + TREE), anchor=(0, 0.5),
            math=True,
        )  # fmt: skip
    return on


def power(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw achieved significance levels: the p-values of all pairs of runs, the largest first.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure, and in the legend the share of pairs below the line.

    References
    ----------
    [sakai2006]_
    """
    _check(study, "power")
    found = study.power
    shares = [f"{_share(found.share[at], 0)}  {found.measures[at]}" for at in found.order.tolist()]
    with _beside_legend(ax, shares) as on:
        draw_lines(on, power_curves(study))
        on.locator_params(axis="x", integer=True)
    return on


@contextmanager
def _beside_legend(ax: Axes | None, names: Sequence[str]) -> Iterator[Axes]:
    """Give axes for lines, which are named beside them."""
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(names) + 0.6)) as on:
        yield on
        legend(on, on.get_lines()[: len(names)], names, **BESIDE)


def stability(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how alike other samples rank the runs, the steadiest measure above.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Mean τ_b with the ranking of resamples; open diamonds: between random halves.
    """
    _check(study, "stability")
    mark = stability_intervals(study)
    with axes(ax, ONE, height_of(len(mark.names)) + 0.8) as on:
        drawn = draw_intervals(on, mark)
        on.set_xlabel(subscripts(mark.title))
        legend(on, drawn, ["resamples", "two halves"], loc="lower left", ncols=2, bbox_to_anchor=(0, 1))
    return on


def swaps(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how often two halves of the samples put a pair of runs in different orders.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure: the share of swaps among the runs that differ by more in the first half than a
        part of the largest difference.

    References
    ----------
    [voorhees2002]_
    """
    _check(study, "swaps")
    found, mark = study.stability, swap_curves(study)
    swapped = dict(zip(found.measures, found.swaps, strict=True))
    shares = [f"{_share(swapped[line.name], 1)}  {line.name}" for line in mark.lines]
    with _beside_legend(ax, shares) as on:
        draw_lines(on, mark, marker=".", markersize=4)
        percent = import_module("matplotlib.ticker").PercentFormatter
        on.xaxis.set_major_formatter(percent(1))
        on.yaxis.set_major_formatter(percent(1))
        on.set_ylim(0, None)
    return on


def _share(value: float, digits: int) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}%}"


def winners(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how surely each run wins by each measure.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Share of the bootstrap resamples that a run wins, runs × measures; those that win none are left out.
    """
    _check(study, "winners")
    found = study.winners
    winning = np.nan_to_num(found.share)[found.order].max(axis=1) >= FEWEST_WINS
    winning[0] = True  # also where no measure is defined
    order = found.order[winning][:MOST]
    mark, others = wins_matrix(study, order), len(found.runs) - len(order)
    width, height = min(TWO, 2.0 + 0.36 * len(found.measures)), height_of(len(order), 0.19)
    with axes(ax, width, height + 1.4) as on:
        image = draw_matrix(on, mark, min((width - 2.0) / len(found.measures), height / len(order)))
        if others:
            some = f"{pluralise(others, 'other run')}: below {FEWEST_WINS:.1%} by every measure"
            on.set_xlabel(wrapped(some, 2 * WIDTH))
        if not on.texts:
            colour_bar(on, image, "share of resamples won")
    return on


def sensitivity(study: Study, changed: str, kind: str, *, ax: Axes | None = None) -> Axes:
    """Draw curves of all measures over the amounts of one kind of change.

    Parameters
    ----------
    study
        Of the measures.
    changed
        "prediction" for the quality of a changed truth: how far it lies from that of the truth, as a part of
        the largest change by the measure; "truth" or "ontology" for τ_b with the ranking before.
    kind
        How it was changed.
    ax
        Axes to draw on; by default those of a new figure.

    Raises
    ------
    InputError
        If no changes were tried.
    """
    _check(study, "sensitivity")
    if study.sensitivity is None:
        raise InputError("no changes were tried", "Make the study without changes=None.")
    curves: dict[tuple[str, str], Curve] = {(one.changed, one.kind): one for one in study.sensitivity.curves}
    one_of("changed", changed, tuple(dict.fromkeys(one for one, _ in curves)))
    one_of("kind", kind, tuple(other for one, other in curves if one == changed))
    with _beside_legend(ax, study.sensitivity.measures) as on:
        draw_curve(on, study, curves[changed, kind])
    return on


def draw_curve(ax: Axes, study: Study, curve: Curve) -> list[object]:
    """Draw one change without naming the measures."""
    shown = SCORE if curve.changed == "prediction" else TAU
    lines = draw_lines(ax, change_lines(study, curve, shown), marker=".", markersize=3.5)
    ax.locator_params(axis="x", nbins=4, integer=curve.by_level)
    ax.set_title(wrapped(kind_of(study, curve), 26), **PLAIN)
    return lines


def behaviour(found: Behaviour | Study, *, ax: Axes | None = None) -> Axes:
    """Draw which axioms hold for which measures.

    Parameters
    ----------
    found
        Of `ontoeval.comparison.behaviour`; or a study, which has one where there is a hierarchy.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Axioms × measures: the share of the cases in which an axiom holds. Not every axiom is wanted of every
        measure.

    Raises
    ------
    InputError
        If nothing was tried.
    """
    _check(found, "behaviour")
    tried = found.behaviour if isinstance(found, Study) else found
    if tried is None or not tried.trials:
        raise InputError("no axioms were tried", "Give a hierarchy.")
    mark = behaviour_matrix(tried)
    width, height = 3.2 + 0.36 * len(mark.columns), height_of(len(mark.rows), 0.22)
    with axes(ax, min(TWO, width), height + 1.2) as on:
        draw_matrix(on, mark, 0.22)
        on.set_yticklabels(mark.rows, **PLAIN)  # axioms are sentences, not cut as names are
    return on


Result = Comparison | ErrorsByKind | Study

FORMATS: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}
"""Metadata left out of files, so that the same result gives the same bytes."""

_COMPARED = r"(?:scores|samples)(?:-\d+)?|concepts|confusion"
_STUDIED = r"agreement-[a-z_]+|power|stability|swaps|winners|sensitivity-[a-z]+"
_NAMES = {Comparison: _COMPARED, ErrorsByKind: "errors", Study: f"{_COMPARED}|{_STUDIED}"}
"""Patterns of the names of figures, by kind of result."""

ABREAST = 4  # panels side by side


def save_figures(
    result: Result, folder: FilePath, *, formats: Iterable[str] = ("pdf", "svg", "png")
) -> list[Path]:
    """Write all figures of a result into a folder.

    Parameters
    ----------
    result
        A comparison, errors by kind, or a study, which has all figures of its comparison as well.
    folder
        Where files are written; it is made where there is none.
    formats
        "pdf", "svg", "png".

    Returns
    -------
    list of Path
        The files: the same bytes for the same result and the same version of matplotlib.
    """
    _check(result, "save_figures")
    paths = []
    for name, content in drawn_files(result, formats):
        paths.append(Path(folder) / name)
        with write_aside(paths[-1]) as aside:
            aside.write_bytes(content)
    return paths


def is_figure(kind: type[Result], name: str) -> bool:
    """Recognise the name of a file that `save_figures` may write of a kind of result."""
    return re.fullmatch(rf"(?:{_NAMES[kind]})\.(?:{'|'.join(FORMATS)})", name) is not None


def drawn_files(
    result: Result, formats: Iterable[str] = ("pdf", "svg", "png")
) -> Iterator[tuple[str, bytes]]:
    """Draw all figures of a result as files, one after the other."""
    chosen = tuple(dict.fromkeys(as_list(formats)))
    for form in chosen:
        one_of("formats", form, tuple(FORMATS))
    for title, figure in figures_of(result):
        files = [(f"{title}.{form}", form, BytesIO()) for form in chosen]
        with drawing():
            # Laid out once: a file must not depend on which others are written.
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            for _, form, content in files:
                figure.savefig(content, format=form, metadata=FORMATS[form])
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close(figure)
        yield from ((name, content.getvalue()) for name, _, content in files)


def figures_of(result: Result) -> Iterator[tuple[str, Any]]:
    """Draw all figures of a result, one after the other, each with its name."""
    if isinstance(result, Study):
        yield from figures_of(result.comparison)
        yield from _of_study(result)
    elif isinstance(result, ErrorsByKind):
        yield "errors", errors(result).figure
    else:
        yield from _of_comparison(result)


def _of_comparison(comparison: Comparison) -> Iterator[tuple[str, Any]]:
    notations = list(comparison.measures)
    for title, measures, draw, row in (
        ("scores", notations, scores, 0.17),
        ("samples", [one for one in notations if per_sample(comparison, one)], distribution, 0.26),
    ):
        yield from _panels(comparison, title, measures, draw, row)
    # What concepts are found, and what is taken for what, tells the truth of samples.
    sets = comparison[comparison.best].sets
    if not comparison.public and sets is not None:
        if len(sets.any_hierarchy.parents.data):
            yield "concepts", icicle(comparison).figure
        yield "confusion", confusion(comparison).figure


def _panels(
    comparison: Comparison, title: str, measures: Sequence[str], draw: Callable[..., Any], row: float
) -> Iterator[tuple[str, Figure]]:
    """Draw one panel per measure, the runs in the order of the first; as many as a page holds."""
    height = height_of(len(comparison.runs), row) + 0.45
    page = max(1, int(TALLEST / height)) * ABREAST
    for number, start in enumerate(range(0, len(measures), page), 1):
        own = measures[start : start + page]
        across = min(len(own), ABREAST)
        down = -(-len(own) // across)
        with style():
            width = TWO if across > 2 else 1.5 + 1.7 * across  # noqa: PLR2004 - more fill both columns
            figure = new_figure(width, height * down)
            for at, ax in _grid(figure, len(own), across):
                draw(comparison, own[at], by=next(iter(comparison.measures)), ax=ax)
                if at % across:
                    ax.tick_params(labelleft=False)
        yield title if number == 1 else f"{title}-{number}", figure


def _of_study(study: Study) -> Iterator[tuple[str, Any]]:
    for method, ranking in study.agreements.items():
        yield f"agreement-{method}", agreement(ranking).figure
    for title, draw in (("power", power), ("stability", stability), ("swaps", swaps), ("winners", winners)):
        yield title, draw(study).figure
    if study.sensitivity is not None:
        curves: dict[str, list[Curve]] = {}
        for curve in study.sensitivity.curves:
            if np.isfinite(curve.scores if curve.changed == "prediction" else curve.tau).any():
                curves.setdefault(curve.changed, []).append(curve)
        for changed, own in curves.items():
            yield f"sensitivity-{changed}", _changes(study, own)


def _changes(study: Study, curves: Sequence[Curve]) -> Figure:
    measures = study.entrants.measures
    across = min(3, len(curves))
    down = -(-len(curves) // across)
    with style():
        figure = new_figure(TWO, max(1.5 * down + 0.4, 0.15 * len(measures) + 0.5))
        for at, ax in _grid(figure, len(curves), across, sharey=True):
            lines = draw_curve(ax, study, curves[at])
            if at + across < len(curves):
                ax.set_xlabel("")
        legend(figure, lines, measures, loc="outside right upper")
    return figure


def _grid(figure: Figure, count: int, across: int, **options: Any) -> Iterator[tuple[int, Axes]]:  # noqa: ANN401
    """Go through the panels of a figure; those at the left alone name their rows, and the last are empty."""
    panels = figure.subplots(-(-count // across), across, squeeze=False, **options).flat
    for at, ax in enumerate(panels):
        if at >= count:
            ax.set_axis_off()
            continue
        yield at, ax
        if at % across:
            ax.set_ylabel("")
