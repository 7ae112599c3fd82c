"""Agreement of annotators: tables, sections and page."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from typing import Any, Unpack

import numpy as np
from scipy import sparse

from ontoeval._version import __version__
from ontoeval.annotators.agreement import AnnotatorAgreement
from ontoeval.annotators.annotator_comparison import annotator_confusion
from ontoeval.annotators.concept_agreement import NAMES, TITLES, CoefficientEstimate
from ontoeval.annotators.consensus import DawidSkene
from ontoeval.annotators.simulation import Sufficiency, sufficiency
from ontoeval.confusion.matrix import ConfusionMatrix
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.shares import Shares
from ontoeval.core.showing import Page
from ontoeval.core.table import Column, Estimate, Table
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, pluralise
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries
from ontoeval.reports.concepts import Shade, branches, tree_to_draw
from ontoeval.reports.confusion import CELLS, WIDEST, drawn_bars, drawn_matrix, order_of, top_confusions
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Bars, Intervals, Line, Lines, Matrix
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import alike_together
from ontoeval.reports.verdicts import of_agreement, of_outliers

DIGITS = 3


EVEN = (
    "A label that half of the annotators see is not there: even numbers lose labels by such ties, which odd "
    "ones do not have, and can fall below these"
)
"""Why more annotators can seem to be worse."""


def per_concept(
    agreement: AnnotatorAgreement, coefficient: str = "majority", *, intervals: bool = False
) -> Table:
    """List the coefficients of each concept."""
    basis, given = agreement.estimates.basis, agreement.annotations
    columns: dict[str, Any] = {"concept": agreement.names.texts(agreement.concepts)}
    for name in (coefficient, *(name for name in NAMES if name != coefficient)):
        title, (value, low, high) = TITLES[name], agreement.estimates.concepts[name]
        columns[title] = value
        if intervals or name == coefficient:
            columns |= {f"{title} low": low, f"{title} high": high}
    columns |= {
        "samples": basis.samples,
        "decisions": basis.decisions,
        "positive samples": basis.positive,
        "rarer majority": basis.rarer,
        "disputed samples": basis.disputed,
        "undefined resamples": basis.undefined,
    }
    title = (
        f"Agreement of {pluralise(len(given.annotators), 'annotator')} on "
        f"{pluralise(len(given.samples), 'sample')}, {pluralise(len(agreement.concepts), 'concept')}"
    )
    drawn = agreement.options.bootstrap
    how = f"{100 * agreement.options.level:g}% {agreement.options.interval}"
    bounds = (
        f"low and high, or in brackets: {how} intervals, "
        f"{pluralise(drawn.resamples, 'bootstrap resample')} of the samples, seed {drawn.seed}"
    )
    return Table.from_columns(title, columns, digits=DIGITS, notes=(*agreement.notes, bounds))


def overall(agreement: AnnotatorAgreement) -> Table:
    """List the coefficients of all concepts together."""
    found = agreement.estimates
    parts: dict[str, Mapping[str, CoefficientEstimate]] = {"mean": found.mean, "all decisions": found.pooled}
    if agreement.single:
        parts["categories"] = agreement.single
    bounds = (f"{part}{end}" for part in parts for end in ("", " low", " high"))
    rows = [
        [
            TITLES[name],
            found.undefined[name],
            *(float(number) for part in parts.values() for number in part.get(name, (nan,) * 3)),
        ]
        for name in NAMES
    ]
    title, titles = "Agreement, all concepts together", ("coefficient", "undefined", *bounds)
    return table_of(title, titles, rows, digits=DIGITS)


def set_alphas_table(agreement: AnnotatorAgreement) -> Table:
    """List alpha of whole label sets by each distance."""
    drawn = any(one.pairs is not None for one in agreement.sets)
    titles = ["coefficient", "value", "low", "high", "sets", "distinct", *["drawn", "standard error"] * drawn]
    names = {"hierarchical": f"hierarchical ({agreement.options.cost})"}
    rows = [(f"α, {names.get(name, name)}", *rest[: len(titles) - 1]) for name, *rest in agreement.sets]
    return table_of("Agreement on whole label sets", titles, rows, digits=DIGITS, own={"standard error": 4})


def annotators(agreement: AnnotatorAgreement) -> Table:
    """List each annotator beside the majority of the rest, those who agree least first, and name outliers."""
    titles = ["annotator", "samples", "labels per sample", "open", "decisions"]
    scores = [*agreement.details.scores["kappa"]]
    rest = [agreement.details.scores[name].value for name in ("agreement", "precision", "recall", "f")]
    numbers = np.array([*scores, *rest]).T.tolist()
    titles += ["κ", "κ low", "κ high", "same", "P", "R", "F"]
    rows = [(*agreement.annotators[at][:5], *numbers[at]) for at in agreement.annotator_order]
    title = "Each annotator against the majority of the rest, lowest κ first"
    return table_of(title, titles, rows, digits=DIGITS, notes=of_outliers(agreement))


def pairs(agreement: AnnotatorAgreement) -> Table:
    """List the agreement of each pair of annotators."""
    titles = ("first", "second", "samples", "decisions", "Cohen κ")
    return table_of(
        "Pairs of annotators, all decisions that both take", titles, agreement.pairs, digits=DIGITS, keys=2
    )


def least_agreeing(table: Table, number: int) -> Table:
    """Keep the pairs of annotators who agree least, narrow enough to be printed."""
    kappas = np.array([row[-1] for row in table.rows], dtype=np.float64)
    rows = [table.rows[place] for place in np.argsort(kappas, kind="stable")[:number].tolist()]
    title = table.title
    if len(rows) < len(table.rows):
        title += f", {len(rows):,} of {len(table.rows):,} with the lowest κ"
    return brief(replace(table, title=title, rows=tuple(rows)))


def fewer_annotators(curve: Sequence[Sufficiency]) -> Table:
    """List the agreement of fewer annotators with all."""
    scores = ("same decisions", "F", "F, lowest", "F, highest", "change of the weight")
    notes = (EVEN,) * any(one.annotators % 2 == 0 for one in curve)
    title = "The majority of fewer annotators beside that of all"
    return table_of(title, ("annotators", "samples", *scores), curve, digits=DIGITS, notes=notes)


def weights(values: Mapping[str, float]) -> Table:
    """List weights of concepts, as `ontoeval.read_agreement` reads them."""
    return table_of("", ("concept", "agreement"), values.items(), digits=DIGITS)


def model_rates(model: DawidSkene) -> Table:
    """List how each annotator answers on each concept, by the model."""
    titles = ("concept", "annotator", "sensitivity", "specificity", "prevalence")
    sides = (side.T[list(model.heard)].ravel() for side in (model.sensitivity, model.specificity))
    rates = zip(*sides, strict=True)
    names = ((concept, name) for concept in model.heard for name in model.annotators)
    rows = (
        (model.vocabulary[concept], name, *numbers, model.prevalence[concept])
        for (concept, name), numbers in zip(names, rates, strict=True)
    )
    return table_of("Annotators by the model of Dawid and Skene", titles, rows, digits=DIGITS)


def probabilities(model: DawidSkene) -> Table:
    """List the probabilities of labels, as `ontoeval.read_scores` reads them."""
    return _entries(model.probability, model.samples, model.vocabulary, "score")


def shares(found: Shares) -> Table:
    """List shares, as `ontoeval.read_shares` reads them; a 0 names a sample without labels."""
    matrix = found.matrix.tolil()
    matrix[np.diff(found.matrix.indptr) == 0, 0] = np.nan
    return _entries(sparse.csr_array(matrix), found.samples, found.vocabulary, "share")


def _entries(found: sparse.csr_array, samples: Sequence[str], vocabulary: Vocabulary, title: str) -> Table:
    names, concepts = (np.array(some, dtype=object) for some in (samples, [*vocabulary]))
    values = np.nan_to_num(found.data).tolist()
    rows = zip(names[row_of_entries(found)], concepts[found.indices], values, strict=True)
    return table_of("", ("sample", "concept", title), rows, digits=DIGITS)


REST = "all coefficients of each concept, and what they rest on: --per-concept FILE, or --format csv or json"

BRIEF: dict[str, dict[str, str | None]] = {
    "annotator": {"labels per sample": "labels", "decisions": None},
    "annotators": {
        "same decisions": "same",
        "F": "F [lowest, highest]",
        "change of the weight": "change of weight",
    },
    "first": {"decisions": None, "sets": None},
    "concept": {
        "positive samples": "positive",
        **dict.fromkeys(("decisions", "rarer majority", "disputed samples", "undefined resamples")),
    },
}
"""Titles of brief tables, by the first title: other words, and none for columns that are left out."""


ENDS = ("low", "lowest", "high", "highest")


def brief_per_concept(table: Table, coefficient: str) -> Table:
    """Keep one coefficient with its interval, one other coefficient, and the number of samples."""
    other = "majority" if coefficient == "alpha" else "alpha"
    kept = {coefficient, other} if len(table.rows) > 1 else set(NAMES)
    shown = brief(table, left_out={TITLES[name] for name in NAMES if name not in kept})
    return replace(shown, notes=(*shown.notes, REST))


def brief(table: Table, *, left_out: Container[str] = ()) -> Table:
    """Put bounds beside their numbers; leave out columns of little use, or of zeros only."""
    titles = [column.title for column in table.columns]
    names = {title: title for title in titles} | BRIEF.get(titles[0], {})
    columns: dict[str, tuple[Column, list[Any]]] = {}
    cells: dict[str, list[Any]] = {title: [row[at] for row in table.rows] for at, title in enumerate(titles)}
    for at, title in enumerate(titles):
        name, own = names[title], cells[title]
        unused = title in {"open", "undefined"} and not np.nan_to_num(own).any()
        if name is None or unused or title in left_out or title.endswith(ENDS):
            continue
        if "".join(titles[at + 1 : at + 2]).endswith(ENDS):
            bounds = (map(float, cells[title]) for title in titles[at : at + 3])
            own = [Estimate(*numbers) for numbers in zip(*bounds, strict=True)]
        columns[name] = replace(table.columns[at], title=name), own
    if "undefined" in columns:
        columns["undefined"] = columns.pop("undefined")  # behind what it is of
    chosen, shown = zip(*columns.values(), strict=True)
    return replace(table, columns=chosen, rows=tuple(zip(*shown, strict=True)))


def briefly(agreement: AnnotatorAgreement) -> Table:
    """Show the means over concepts, and below them the concepts."""
    means = replace(brief(overall(agreement)), title="Means over concepts, and all decisions together")
    concepts = brief(per_concept(agreement), left_out={"positive samples"})
    notes = ("In brackets: intervals. .to_frame() has all columns.", *concepts.notes)
    return replace(concepts, notes=notes, parts=(means, replace(concepts, title="Concepts")))


MOST = 60  # concepts whose intervals are drawn: those on which annotators agree least
ROWS = 3_000  # concepts that tables hold

ROUNDED = 6


def tables(agreement: AnnotatorAgreement) -> dict[str, Table]:
    """Make all tables of annotators."""
    return {
        "concepts": per_concept(agreement),
        "overall": overall(agreement),
        "sets": set_alphas_table(agreement),
        "annotators": annotators(agreement),
        "pairs": pairs(agreement),
    }


def report(
    agreement: AnnotatorAgreement, *, title: str = "Agreement of annotators", **about: Unpack[About]
) -> Page:
    """Write the report on annotators: one HTML page that needs nothing else."""
    given, found, hierarchy = agreement.annotations, agreement.estimates, agreement.hierarchy
    samples = SamplePool(meanings=("by both", "by the first alone", "by the second alone"), unit="comparison")
    made = [
        _overall(agreement),
        _concepts(agreement),
        annotators_section(agreement),
        pairs_section(agreement),
        confusions_section(agreement, samples),
        _enough(agreement),
    ]
    facts = [
        ("annotators", f"{len(given.annotators):,}"),
        ("samples", f"{len(given.samples):,}"),
        ("concepts", f"{len(agreement.concepts):,}"),
        ("sheets (sample × annotator)", f"{len(given):,}"),
        ("answers that are the majority's", f"{float(found.mean['majority'].value):.1%}"),
    ]
    drawn_by = agreement.options.bootstrap
    recipe = [
        f"ontoeval {__version__}",
        f"{pluralise(len(given), 'sheet')} of annotators",
        f"{pluralise(len(agreement.concepts), 'concept')} (sha256 {given.vocabulary.digest[:12]})",
    ]
    if hierarchy is not None:
        size, digest = pluralise(len(hierarchy.vocabulary), "concept"), hierarchy.digest[:12]
        recipe.append(f"hierarchy of {size} (sha256 {digest}), costs: {agreement.options.cost}")
    recipe += [
        f"{100 * agreement.options.level:g}% {agreement.options.interval} intervals over samples",
        f"{pluralise(drawn_by.resamples, 'bootstrap resample')}, seed {drawn_by.seed}",
        *agreement.notes,
    ]
    head = "\n".join([of_agreement(agreement), *map(_sentence, of_outliers(agreement))])
    return report_page(title, made, recipe, facts=facts, head=head, samples=samples.content(), **about)


def _overall(agreement: AnnotatorAgreement) -> Section:
    found, level = agreement.estimates, agreement.options.level
    parts = {"mean over concepts": found.mean, "all decisions": found.pooled}
    if agreement.single:
        parts["labels as categories"] = agreement.single
    table, views = overall(agreement), list[FigureView]()
    for name, part in parts.items():
        own = [one for one in NAMES if one in part]
        numbers = np.array([[float(number) for number in part[one]] for one in own]).T
        plot = Intervals([TITLES[one] for one in own], *numbers, title=name, level=level)
        views.append(FigureView(plot, table))
    text = (
        "Shares come first: of answers that are the majority's, of pairs of answers that are the same, of "
        "samples on which all agree. The others set off what chance would bring, which is 0; 1 is "
        f"agreement throughout. Whiskers are {100 * level:g}% intervals over samples."
    )
    figures = [Figure("All concepts together", views, [("Of", list(parts))], text)]
    table = set_alphas_table(agreement)
    if any(one.sheets for one in agreement.sets):
        text = "Krippendorff's α by how far apart two sets count as: not the same, or by shared labels"
        text += "." if agreement.hierarchy is None else "; or by the hierarchy."
        figures.append(Figure("Whole label sets", [FigureView(table=table)], text=text, open_table=True))
    lead = " ".join(map(_sentence, agreement.notes))
    return Section("overall", "Overall", lead, figures)


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."


def _concepts(agreement: AnnotatorAgreement) -> Section:
    found, hierarchy = agreement.estimates.concepts, agreement.hierarchy
    titles = [TITLES[name] for name in NAMES]
    # On what nobody gives all agree, which is no agreement on what it is.
    given = np.bincount(agreement.annotations.positive.indices, minlength=len(agreement.concepts)) > 0
    drawn = {name: np.where(given, found[name].value, np.nan) for name in NAMES}
    views = [_dots(agreement, name, values) for name, values in drawn.items()]
    text = "The least agreement first."
    if not given.all():
        text += f" {int((~given).sum()):,} concepts that nobody gives are left out."
    if given.sum() > MOST:
        text += f" Of {given.sum():,} concepts {MOST} are drawn."
    figures = [Figure("Agreement per concept", views, [("Coefficient", titles)], text)]
    if hierarchy is not None:
        places = hierarchy.vocabulary.positions(agreement.concepts)
        tree, used = tree_to_draw(hierarchy), np.zeros(len(hierarchy.vocabulary), dtype=bool)
        used[places[given]] = True
        shades = {}
        for name, values in drawn.items():
            own = np.full(used.size, np.nan)
            own[places] = values
            counts = tree.sums(np.isfinite(own).astype(np.float64))
            means = tree.sums(np.nan_to_num(own)) / np.where(counts > 0, counts, np.nan)
            low = 0.5 if name == "majority" else 0.0
            shades[TITLES[name]] = Shade(np.where(used, own, means), "quality", 3, (low, 1.0))
        text = (
            "Click on a concept to see its branch alone. A concept that nobody gives has the mean of those "
            "below it; grey is undefined. What is below 0 is as dark as 0."
        )
        title = "Agreement in the hierarchy"
        figures.append(branches(title, hierarchy, shades, choice="Coefficient", text=text, used=used))
    return Section("concepts", "Concepts", "What people see alike, and what they do not.", figures)


def _dots(agreement: AnnotatorAgreement, name: str, values: Numbers) -> FigureView:
    one = agreement.estimates.concepts[name]
    order = np.argsort(values, kind="stable")  # nan comes last
    shown = order[np.isfinite(values[order])][:MOST]
    plot = Intervals(
        agreement.names.texts(agreement.concepts[at] for at in shown.tolist()),
        *(side[shown] for side in one),
        title=TITLES[name],
        level=agreement.options.level,
    )
    # The same concepts in the same order for each coefficient: a page holds their names once.
    order = np.sort(np.argsort(agreement.estimates.concepts["majority"].value, kind="stable")[:ROWS])
    sides = (side[order].round(ROUNDED) for side in one)
    columns: dict[str, Any] = {
        "concept": agreement.names.texts(agreement.concepts[at] for at in order.tolist()),
        "given in samples": agreement.estimates.basis.positive[order],
    }
    columns |= dict(zip((TITLES[name], "low", "high"), sides, strict=True))
    more = len(agreement.concepts) > ROWS
    notes = [f"{ROWS:,} concepts on which most differ from the majority."] * more
    title = f"{TITLES[name]} per concept"
    return FigureView(plot, Table.from_columns(title, columns, digits=DIGITS, notes=notes))


def _enough(agreement: AnnotatorAgreement) -> Section:
    curve = sufficiency(agreement.annotations, seed=agreement.options.bootstrap.seed)
    table, numbers = replace(fewer_annotators(curve), notes=()), [one.annotators for one in curve]
    band = [one.low for one in curve], [one.high for one in curve]
    f, same, change = zip(*((one.f, one.decisions, 1 - one.weight) for one in curve), strict=True)
    axes: tuple[dict[str, int], dict[str, int]] = ({"dtick": 1} if max(numbers) <= MOST_TICKS else {}, {})
    shown = {
        "label sets": ("F of the label sets", f, "F beside the majority of all", band),
        "decisions": ("same decisions", same, "share of the same decisions", None),
        "weights of concepts": ("weights", change, "1 less the mean change of the weight", None),
    }
    views = []
    for name, values, title, own in shown.values():
        titles, reading = ("annotators of each sample", title), "%{x} annotators: %{y:.3f}"
        plot = Lines([Line(name, numbers, values)], titles=titles, reading=reading, band=own, axes=axes)
        views.append(FigureView(plot, table))
    text = (
        "What the majority of so many annotators says, drawn at random for each sample, beside what the "
        "majority of all says. The band holds all draws. Where the curve is flat, more annotators change "
        f"little. {EVEN}."
    )
    figure = Figure("Fewer annotators", views, [("Compare", list(shown))], text)
    lead = "Those who were asked stand for all who could be: with few of them the curve is too high."
    return Section("enough", "How many suffice", lead, [figure])


MOST_TICKS = 15


CARDS = 30  # annotators whose intervals are drawn: those who agree least
DIFFERENCES = 3  # concepts that are named of an annotator
PAIR_ROWS = 150  # annotators in the matrix of pairs: those who have seen most


CONFUSIONS_SHOWN = 20  # confusions that are listed


def annotators_section(agreement: AnnotatorAgreement) -> Section:
    """Show each annotator beside the majority of the others."""
    found, order = agreement.details, agreement.annotator_order
    own = [agreement.annotators[at] for at in order]
    columns: dict[str, Any] = {
        "annotator": [one.name for one in own],
        "samples": [one.samples for one in own],
        "labels per sample": np.array([one.labels for one in own]),
    }
    differences = [_differences(agreement, at) for at in order]
    shown = {
        "κ": "kappa",
        "F": "f",
        "precision": "precision",
        "recall": "recall",
        "same decisions": "agreement",
    }
    views = []
    for title, key in shown.items():
        numbers = dict(zip((title, "low", "high"), (side[order] for side in found.scores[key]), strict=True))
        table = {**columns, **numbers, "differs most on": differences}
        drawn = (side[:CARDS] for side in numbers.values())
        plot = Intervals(columns["annotator"][:CARDS], *drawn, title=title, level=agreement.options.level)
        views.append(FigureView(plot, Table.from_columns(f"{title} of annotators", table, digits=DIGITS)))
    text = (
        "The lowest κ first. The table has the concepts on which each differs most often: + where only the "
        "annotator sees the concept, − where only the majority of the others does."
    )
    if len(own) > CARDS:
        text += f" Of {len(own):,} annotators {CARDS} are drawn."
    lead = "Each beside the majority of the others who have seen the same samples; a tie is no majority."
    figures = [Figure("Agreement with the others", views, [("Score", list(shown))], text, open_table=True)]
    return Section("annotators", "Annotators", lead, figures)


def _differences(agreement: AnnotatorAgreement, at: int) -> str:
    """List the concepts on which an annotator differs most often, and how often in either direction."""
    more, fewer = (side[[at]].toarray().ravel() for side in (agreement.details.more, agreement.details.fewer))
    order = np.argsort(-(more + fewer), kind="stable")[:DIFFERENCES].tolist()
    return ", ".join(
        f"{agreement.names.display_name(agreement.concepts[place])} +{more[place]} −{fewer[place]}"
        for place in order
        if more[place] + fewer[place]
    )


def pairs_section(agreement: AnnotatorAgreement) -> Section | None:
    """Show the agreement of each pair of annotators."""
    found = agreement.estimates.pairs
    names, number = agreement.annotations.annotators, len(agreement.annotations.annotators)
    seen = np.bincount(agreement.annotations.annotator, minlength=number)
    kept = np.sort(np.argsort(-seen, kind="stable")[:PAIR_ROWS])
    kappa = np.full((number, number), np.nan)
    kappa[found.first, found.second] = kappa[found.second, found.first] = agreement.estimates.kappa
    shown = kappa[np.ix_(kept, kept)]
    if not np.isfinite(shown).any():
        return None
    order = kept[alike_together(shown)] if kept.size > 1 else kept
    shown, rows = kappa[np.ix_(order, order)], [names[at] for at in order.tolist()]
    plot = Matrix(
        shown,
        rows,
        rows,
        scale="amount",
        limits=(float(np.clip(np.floor(np.nanmin(shown) * 10) / 10, 0.0, 0.8)), 1.0),
        reading="<b>%{y}</b><br><b>%{x}</b><br>κ = %{z:.3f}",
        numbers=".2f",
    )
    text = "Cohen κ is of all decisions that both have taken. Those who agree stand together."
    if number > PAIR_ROWS:
        text += f" Of {number:,} annotators the {PAIR_ROWS} who have seen most are shown."
    figure = Figure("Pairs of annotators", [FigureView(plot, pairs(agreement))], text=text)
    lead = "Groups of people who see things alike may have been taught alike."
    return Section("pairs", "Pairs", lead, [figure])


def confusions_section(agreement: AnnotatorAgreement, samples: SamplePool | None = None) -> Section | None:
    """Show which concepts annotators take for each other, and the samples where they do."""
    hierarchy = agreement.hierarchy or Hierarchy.flat(agreement.annotations.vocabulary)
    tree = tree_to_draw(hierarchy)
    size = min(len(agreement.concepts), WIDEST) + 1
    worst = sorted(agreement.pairs, key=lambda pair: (np.isnan(pair.kappa), pair.kappa))
    asked: list[tuple[str, str | None, str | None]] = [("everybody", None, None)]
    asked += [(f"{name} and the others", name, None) for name in agreement.annotations.annotators]
    asked += [(f"{pair.first} and {pair.second}", pair.first, pair.second) for pair in worst]
    found: dict[str, ConfusionMatrix] = {}
    for title, first, second in asked[: max(1, CELLS // size**2)]:
        try:
            found[title] = annotator_confusion(
                agreement.annotations,
                first,
                second,
                hierarchy=agreement.hierarchy,
                seed=agreement.options.bootstrap.seed,
            )
        except InputError:  # no sheets in common that are complete
            continue
    if not found:
        return None
    batches = {title: matrix.origin.batch for title, matrix in found.items() if matrix.origin is not None}
    samples = samples or SamplePool()
    samples.add(batches)
    views, lists = [], []
    for title, matrix in found.items():
        sides = (
            ("one says", "another says") if title == "everybody" else ("the first says", "the second says")
        )
        order = order_of(matrix, hierarchy, tree, WIDEST)
        cells = samples.matrix(title, matrix, order, views=len(found), sides=sides)
        view = drawn_matrix(matrix, hierarchy, tree, title=f"Confusions, {title}", sides=sides)
        views.append(replace(view, samples=cells))
        lists.append(_frequent(matrix, sides, partial(samples.bars, title, views=len(found), sides=sides)))
    text = (
        "A label that one annotator gives and the other does not, and what the other gives instead: each is "
        "paired with at most one, the nearest first; a row sums to 1. Colours follow the square root, so "
        f"that small shares show. {next(iter(found.values())).pairing}"
    )
    if len(found) < len(asked):
        text += f" Of {len(asked):,} combinations {len(found):,} are shown, those that agree least."
    often = (
        "How often one annotator gives a label where the other gives another one instead, over the samples "
        "that both have seen; of everybody each two count in both orders."
    )
    choices = [("Annotators", list(found))]
    figures = [
        Figure("Most frequent confusions", lists, choices, often),
        Figure("Confusion matrix", views, choices, text),
    ]
    lead = "Which concepts people take for each other."
    return Section("confusions", "Confusions", lead, figures)


def _frequent(matrix: ConfusionMatrix, sides: tuple[str, str], samples: Callable[..., Any]) -> FigureView:
    table = top_confusions(matrix, CONFUSIONS_SHOWN)
    bars = {one[:2]: one.mass for one in matrix.top(CONFUSIONS_SHOWN)}
    # Neither annotator is the truth.
    table = replace(table, columns=(*map(Column, sides), *table.columns[2:]))
    reading = [f"{matrix.names.join(pair, ' → ').display_name}: {mass:,.2f}" for pair, mass in bars.items()]
    plot = partial(Bars, kinds=["confusions"] * len(bars), title="how often", reading=reading)
    return drawn_bars(matrix, bars, plot, table, samples)
