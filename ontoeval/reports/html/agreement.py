"""The report on annotators: how far they agree, on what, who differs, and how many would be enough."""

from __future__ import annotations

import numpy as np

from ontoeval._version import __version__
from ontoeval.annotators.agreement import AnnotatorAgreement as Agreement
from ontoeval.annotators.concept_agreement import NAMES, TITLES
from ontoeval.annotators.sufficiency import sufficiency
from ontoeval.errors import counted
from ontoeval.reports.agreement import fewer_annotators, of_sets, overall
from ontoeval.reports.html.page import Figure, Section, View, report_page
from ontoeval.reports.html.sections.annotators import annotators, confusions, pairs
from ontoeval.reports.html.sections.branches import Shade, branches
from ontoeval.reports.plots import intervals
from ontoeval.reports.plots_lines import Line, lines
from ontoeval.reports.plotted_names import local
from ontoeval.reports.table import Column, Table
from ontoeval.reports.tree import drawn

MOST = 60
"""Concepts whose intervals are drawn: those on which annotators agree least."""

ROWS = 3_000
"""Concepts that tables hold."""

ROUNDED = 6


def agreement_report(agreement: Agreement, *, title: str = "Agreement of annotators") -> str:
    """Write the report on annotators: one HTML page that needs nothing else."""
    said, found, hierarchy = agreement.annotations, agreement.estimates, agreement.hierarchy
    made = [
        _overall(agreement),
        _concepts(agreement),
        annotators(agreement),
        pairs(agreement),
        confusions(agreement),
        _enough(agreement),
    ]
    facts = [
        ("annotators", f"{len(said.annotators):,}"),
        ("samples", f"{len(said.samples):,}"),
        ("concepts", f"{len(agreement.concepts):,}"),
        ("sheets", f"{len(said):,}"),
        ("mean α of the concepts", f"{float(found.mean['alpha'].value):.3f}"),
        ("in the majority", f"{float(found.mean['majority'].value):.1%}"),
    ]
    drawn_by = agreement.options.bootstrap
    recipe = [
        f"ontoeval {__version__}",
        f"{counted(len(said), 'sheet')} of annotators",
        f"{counted(len(agreement.concepts), 'concept')} (sha256 {said.vocabulary.digest[:12]})",
    ]
    if hierarchy is not None:
        size, digest = counted(len(hierarchy.vocabulary), "concept"), hierarchy.digest[:12]
        recipe.append(f"hierarchy of {size} (sha256 {digest}), costs: {agreement.options.cost}")
    recipe += [
        f"{agreement.options.level:.0%} {agreement.options.interval} intervals over samples",
        f"{counted(drawn_by.resamples, 'bootstrap resample')}, seed {drawn_by.seed}",
        *agreement.notes,
    ]
    return report_page(title, [section for section in made if section is not None], recipe, facts=facts)


def _overall(agreement: Agreement) -> Section:
    found = agreement.estimates
    parts = {"mean over concepts": found.mean, "all decisions": found.pooled}
    if agreement.single:
        parts["labels as categories"] = agreement.single
    table = overall(agreement)
    views = []
    for name, part in parts.items():
        own = [one for one in NAMES if one in part]
        numbers = np.array([[float(number) for number in part[one]] for one in own]).T
        plot = intervals([TITLES[one] for one in own], *numbers, title=name, level=agreement.options.level)
        views.append(View(plot, table))
    figures = [
        Figure(
            "All concepts together",
            views,
            [("Of", list(parts))],
            "Points are coefficients, whiskers their intervals over samples. Shares of annotators who say "
            "the same come first; the others set off what chance would bring.",
        )
    ]
    sets = [one for one in agreement.sets if one.sheets]
    if sets:
        plot = intervals(
            [one.distance for one in sets],
            *np.array([[one.value, one.low, one.high] for one in sets]).T,
            title="Krippendorff's α of whole label sets",
            level=agreement.options.level,
        )
        text = "By how far apart two sets count as: not the same, by shared labels, or by the hierarchy."
        figures.append(Figure("Whole label sets", [View(plot, of_sets(agreement))], text=text))
    lead = "1 is agreement throughout; 0, for κ, α and AC1, is as much as chance would bring."
    return Section("overall", "Overall", lead, figures)


def _concepts(agreement: Agreement) -> Section:
    found = agreement.estimates.concepts
    titles = [TITLES[name] for name in NAMES]
    views = [_dots(agreement, name) for name in NAMES]
    text = "Those on which annotators agree least stand above."
    if len(agreement.concepts) > MOST:
        text += f" Of {len(agreement.concepts):,} concepts {MOST} are drawn."
    figures = [Figure("Agreement per concept", views, [("Coefficient", titles)], text)]
    hierarchy = agreement.hierarchy
    if hierarchy is not None:
        places = hierarchy.vocabulary.positions(agreement.concepts)
        tree, used = drawn(hierarchy), np.zeros(len(hierarchy.vocabulary), dtype=bool)
        used[places] = True
        shades = {}
        for name in NAMES:
            own = np.full(used.size, np.nan)
            own[places] = found[name].value
            known = np.isfinite(own)
            counts = tree.sums(known.astype(np.float64))
            means = tree.sums(np.nan_to_num(own)) / np.where(counts > 0, counts, np.nan)
            low = 0.5 if name == "majority" else 0.0
            shades[TITLES[name]] = Shade(np.where(used, own, means), "quality", 3, (low, 1.0))
        text = (
            "Click on a concept to see its branch alone. A concept that is no label has the mean of those "
            "below it; grey is undefined. What is below 0 is as dark as 0."
        )
        title = "Agreement in the hierarchy"
        figures.append(branches(title, hierarchy, shades, choice="Coefficient", text=text, used=used))
    return Section("concepts", "Concepts", "What people see alike, and what they do not.", figures)


def _dots(agreement: Agreement, name: str) -> View:
    one = agreement.estimates.concepts[name]
    order = np.argsort(one.value, kind="stable")  # nan comes last
    shown = order[np.isfinite(one.value[order])][:MOST]
    plot = intervals(
        local([agreement.concepts[at] for at in shown.tolist()]),
        one.value[shown],
        one.low[shown],
        one.high[shown],
        title=TITLES[name],
        level=agreement.options.level,
    )
    # The same concepts in the same order for each coefficient: a page holds their names once.
    order = np.sort(np.argsort(agreement.estimates.concepts["majority"].value, kind="stable")[:ROWS])
    sides = (side[order].round(ROUNDED).tolist() for side in one)
    columns = (Column("concept"), *(Column(title, 3) for title in (TITLES[name], "low", "high")))
    names = [agreement.concepts[at] for at in order.tolist()]
    notes = (
        [f"{ROWS:,} concepts on which most differ from the majority."]
        if len(agreement.concepts) > ROWS
        else []
    )
    rows = tuple(zip(names, *sides, strict=True))
    return View(plot, Table(f"{TITLES[name]} per concept", columns, rows, tuple(notes)))


def _enough(agreement: Agreement) -> Section:
    curve = sufficiency(agreement.annotations, seed=agreement.options.bootstrap.seed)
    numbers = [one.annotators for one in curve]
    change = [1 - one.weight for one in curve]
    table = fewer_annotators(curve)
    band = [one.low for one in curve], [one.high for one in curve]
    reading = "%{x} annotators: %{y:.3f}"
    shown = [
        (
            Line("F of the label sets", numbers, [one.f for one in curve]),
            "F beside the majority of all",
            band,
        ),
        (
            Line("same decisions", numbers, [one.decisions for one in curve]),
            "share of the same decisions",
            None,
        ),
        (Line("weights", numbers, change), "1 less the mean change of the weight", None),
    ]
    views = []
    for line, title, own in shown:
        plot = lines([line], titles=("annotators of each sample", title), reading=reading, band=own)
        plot.update_xaxes(dtick=1 if max(numbers) <= MOST_TICKS else None)
        views.append(View(plot, table))
    text = (
        "What the majority of so many annotators says, drawn at random for each sample, beside what the "
        "majority of all says. The band holds all draws. Where the curve is flat, more annotators change "
        "little. Half of an even number is no majority, which takes labels away."
    )
    names = ["label sets", "decisions", "weights of concepts"]
    figure = Figure("Fewer annotators", views, [("Compare", names)], text)
    lead = "Those who were asked stand for all who could be: with few of them the curve is too high."
    return Section("enough", "How many suffice", lead, [figure])


MOST_TICKS = 15
