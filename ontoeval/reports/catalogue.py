"""The catalogue of measures as tables."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

import numpy as np

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.table import Column, Table, written
from ontoeval.errors import OntoevalError
from ontoeval.evaluation.scoring import evaluate
from ontoeval.measures.base import LAWS, Measure, info, laws_of
from ontoeval.measures.catalogue import (
    CATALOGUE,
    FAMILIES,
    Entry,
    citation,
    entry,
    full_name,
    in_general,
    is_known,
    name,
    parse,
)
from ontoeval.measures.notation import names_a_module
from ontoeval.measures.presets import PRESETS, preset


def all_measures() -> Table:
    """List every measure."""
    rows = tuple(
        (one.symbol, one.family, one.title, info(one.measure, "formula_text"))
        for family in FAMILIES
        for one in CATALOGUE
        if one.family == family
    )
    return Table(
        "Measures",
        (Column("symbol"), Column("family"), Column("title"), Column("formula")),
        rows,
        (
            "Options go in brackets: F(average='macro'). `ontoeval measures SYMBOL` explains them.",
            f"Measures as a field computes them: `--preset NAME`, one of {', '.join(PRESETS)}.",
        ),
    )


def one_preset(name: str) -> Table:
    """List the measures of a preset, with its conventions."""
    chosen = preset(name)
    rows = tuple((notation, entry(notation.partition("(")[0]).title) for notation in chosen.measures)
    notes = (*chosen.conventions, f"See {citation(chosen.source)}.")
    return Table(f"Preset {name}: {chosen.title}", (Column("measure"), Column("title")), rows, notes)


def one_measure(notation: str) -> Table:
    """Describe one measure in full."""
    measure = parse(notation)
    own = names_a_module(notation)
    summary = inspect.getdoc(type(measure)).partition("\n")[0]  # type: ignore[union-attr]
    known = (
        Entry(type(measure).__name__, measure, summary, "a module of your own")
        if own
        else entry(notation.partition("(")[0].strip())
    )
    low, high = info(measure, "bounds")
    meanings = _meanings(type(measure))
    status = "emerging: not yet checked against its source" if info(measure, "emerging") else "published"
    status = "not of this package" if own else status
    general = name(measure) if own else in_general(measure)
    rows = [
        ("name", known.title),
        ("family", FAMILIES.get(known.family, known.family)),
        *([("stands for", general)] if general != name(measure) else []),
        ("summary", summary),
        ("formula", info(measure, "formula_text")),
        ("status", status),
        ("measures", f"label {info(measure, 'takes')}"),
        ("range", f"{low:g} to {high:g}"),
        ("best", written(info(measure, "best"))),
        *((what, _example(measure, *sides)) for what, sides in EXAMPLES.items()),
        ("with every option", full_name(measure)),
        *((f"  {field.name}", meanings.get(field.name, "")) for field in fields(measure)),
        ("laws it has", "; ".join(LAWS[law] for law in sorted(laws_of(measure))) or "–"),
        ("laws it has not", "; ".join(LAWS[law] for law in sorted(info(measure, "denied_laws"))) or "–"),
        ("parts can be merged", "yes" if info(measure, "mergeable") else "no, it needs all samples at once"),
        ("source", citation(known.source) if is_known(known.source) else known.source or "–"),
    ]
    return Table(known.symbol, (Column("what"), Column("which")), tuple(rows))


EXAMPLE = (("landscape", "plants"), ("landscape", "mountains"), ("plants", "trees"), ("plants", "flowers"))
"""Links of the hierarchy that examples are computed on."""

EXAMPLES = {
    "trees for flowers": ({"flowers"}, {"trees": 0.9}),
    "mountains for flowers": ({"flowers"}, {"mountains": 0.9}),
    "nothing for flowers": ({"flowers"}, {}),
    "trees for nothing": (set(), {"trees": 0.9}),
    "nothing for nothing": (set(), {}),
}
"""True labels, and predicted ones with their scores: what a measure gives says what its conventions are."""


def _example(measure: Measure, truth: set[str], prediction: dict[str, float]) -> str:
    """Measure one sample of a small hierarchy; why that cannot be done is an answer as well."""
    hierarchy = Hierarchy.from_edges(EXAMPLE)
    says = (hierarchy.depth > 0).astype(float)  # each concept but the root says one bit
    hierarchy = hierarchy.with_weight("ia", says).with_weight("ic", hierarchy.depth)
    vocabulary = hierarchy.label_vocabulary
    true = LabelSets.from_sets([truth], vocabulary=vocabulary)
    values = [[prediction.get(name, 0.0) for name in vocabulary]]
    predicted = LabelScores.from_array(values, vocabulary=vocabulary)
    chosen = predicted if info(measure, "takes") == "scores" else predicted.at(0.5)
    try:
        with np.errstate(divide="ignore", invalid="ignore"):  # somebody else's formula may not say so itself
            (score,) = evaluate(true, chosen, hierarchy=hierarchy, measures=[measure]).scores.values()
        return written(None) if np.isnan(score) else f"{score:.4g}"
    except OntoevalError as error:
        return str(error).partition(". ")[0]


def _meanings(kind: type) -> dict[str, str]:
    """Collect what the docstrings of a class and its parents say of each parameter."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        block = re.search(r"Parameters\n-+\n(.*?)(\n\n\w|\Z)", inspect.cleandoc(one.__doc__ or ""), re.DOTALL)
        if block:
            for name, text in re.findall(r"^(\w+)\n((?: {4}.*\n?)+)", block.group(1), re.MULTILINE):
                found[name] = " ".join(text.split())
    return found
