"""The catalogue of measures as tables, and its sources as BibTeX."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import fields
from functools import cache

import numpy as np

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.table import Column, Table, cell_text
from ontoeval.errors import OntoevalError
from ontoeval.measures.base import LAWS, Measure, Measures, info, laws_of
from ontoeval.measures.catalogue import (
    CATALOGUE,
    FAMILIES,
    Entry,
    citation,
    entry,
    entry_of,
    full_name,
    general_notation,
    is_known,
    measures_of,
    name,
    parse,
    software,
    source_of,
)
from ontoeval.measures.notation import names_a_module
from ontoeval.measures.presets import PRESETS, preset
from ontoeval.measures.presets import preset as preset_by_name
from ontoeval.plumbing.checks import as_list


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
            "Measures as a field computes them: `--preset NAME`; `--presets` lists them.",
        ),
    )


def all_presets() -> Table:
    """List every preset, with what its numbers were compared with."""
    titles = ("preset", "title", "measures", "compared with", "cases", "date", "decimals")
    rows = tuple(
        (name, one.title, len(one.measures), one.checked, one.cases, one.date, one.digits)
        for name, one in PRESETS.items()
    )
    note = "`ontoeval measures --preset NAME` lists the measures of one."
    return Table("Presets", tuple(map(Column, titles)), rows, (note,))


def one_preset(name: str) -> Table:
    """List the measures of a preset, with its conventions."""
    chosen = preset(name)
    rows = tuple((notation, entry(notation.partition("(")[0]).title) for notation in chosen.measures)
    notes = (*chosen.lines, f"See {citation(chosen.source)}.")
    return Table(f"Preset {name}: {chosen.title}", (Column("measure"), Column("title")), rows, notes)


def one_measure(notation: str) -> Table:
    """Describe one measure in full."""
    measure = parse(notation)
    own = names_a_module(notation)
    plain = measure.measure if hasattr(measure, "decoder") else measure
    summary = (inspect.getdoc(type(plain)) or "").partition("\n")[0]
    known = (
        Entry(type(measure).__name__, measure, summary, "a module of your own")
        if own
        else entry(name(measure).partition("(")[0])
    )
    low, high = info(measure, "bounds")
    meanings = _meanings(type(plain))
    status = "emerging: not yet checked against its source" if info(measure, "emerging") else "published"
    if known.source == "ontoevaltransport":
        status = "a measure of this package, explained in its manual"
    status = "not of this package" if own else status
    general = name(measure) if own else general_notation(measure)
    rows = [
        ("name", known.title),
        ("family", FAMILIES.get(known.family, known.family)),
        *([("stands for", general)] if general != name(measure) else []),
        ("summary", summary),
        ("formula", info(measure, "formula_text")),
        ("status", status),
        ("measures", f"label {info(measure, 'takes')}"),
        ("range", f"{low:g} to {high:g}"),
        ("best", cell_text(info(measure, "best"))),
        ("cases", "one sample; ontology photo; no agreement; scores 0.9; ia: 1, of the root 0; ic: depth"),
        *((f"  {what}", _example(measure, *sides)) for what, sides in EXAMPLES.items()),
        ("with every option", full_name(measure)),
        *((f"  {field.name}", meanings.get(field.name, "")) for field in fields(plain)),
        ("laws it has", "; ".join(LAWS[law] for law in sorted(laws_of(measure))) or "–"),
        ("laws it has not", "; ".join(LAWS[law] for law in sorted(info(measure, "denied_laws"))) or "–"),
        ("parts can be merged", "yes" if info(measure, "mergeable") else "no, it needs all samples at once"),
        ("source", citation(known.source) if is_known(known.source) else known.source or "–"),
    ]
    return Table(known.symbol, (Column("what"), Column("which")), tuple(rows))


EXAMPLES = {
    "trees for flowers": ({"flowers"}, {"trees": 0.9}),
    "mountains for flowers": ({"flowers"}, {"mountains": 0.9}),
    "nothing for flowers": ({"flowers"}, {}),
    "trees for nothing": (set(), {"trees": 0.9}),
    "nothing for nothing": (set(), {}),
}
"""True labels, and predicted ones with their scores: the scores show the conventions of a measure."""


@cache
def _hierarchy_of_cases() -> Hierarchy:
    from ontoeval.ontology.reading import read_ontology

    hierarchy = read_ontology("photo").hierarchy()
    return hierarchy.with_weight("ia", np.minimum(hierarchy.depth, 1)).with_weight("ic", hierarchy.depth)


def _example(measure: Measure, truth: set[str], prediction: dict[str, float]) -> str:
    """Score of one sample of the shipped ontology as text, or the reason why the measure has none."""
    from ontoeval.evaluation.scoring import evaluate  # not needed by lists of measures

    if info(measure, "joint"):
        return cell_text(None)
    hierarchy = _hierarchy_of_cases()
    vocabulary = hierarchy.label_vocabulary
    true = LabelSets.from_sets([truth], vocabulary=vocabulary)
    values = [[prediction.get(name, 0.0) for name in vocabulary]]
    predicted = LabelScores.from_array(values, vocabulary=vocabulary)
    chosen = predicted if info(measure, "takes") == "scores" else predicted.at(0.5)
    try:
        with np.errstate(
            divide="ignore", invalid="ignore"
        ):  # a third party's formula may not check this itself
            (score,) = evaluate(true, chosen, hierarchy=hierarchy, measures=[measure]).scores.values()
        return cell_text(None) if np.isnan(score) else f"{score:.4g}"
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


PARTS = {
    "averages": "opitz2019",
    "batet": "batet2011",
    "cafaeval": "piovesan2024",
    "ia": "clark2013",
    "jiang-conrath": "jiang1997",
    "krstinic": "krstinic2020",
    "leacock-chodorow": "leacock1998",
    "lin": "lin1998",
    "mlcm": "heydarian2022",
    "resnik": "resnik1999",
    "sanchez": "sanchez2011",
    "seco": "seco2004",
    "tensor": "krstinic2024",
    "wu-palmer": "wu1994",
    "zhou": "zhou2008",
}
"""Who is to be cited for what options name."""

_NAMING = ("cost", "information", "of", "rule", "thresholds", "weight", "weights")
"""Options whose values name a published method."""


def cite(measures: Measures = (), *, preset: str | None = None) -> str:
    """Write the BibTeX entries of whatever a result rests on.

    Parameters
    ----------
    measures
        Notations or measures, or a single one.
    preset
        A preset whose measures are cited as well, and its program.

    Returns
    -------
    str
        One entry for each source, below a comment with the purpose of the citation; the package comes last.

    Raises
    ------
    MeasureError
        If a notation cannot be read.
    ParameterError
        If there is no such preset.

    Examples
    --------
    >>> entries = cite("OS(cost='lin(seco)')").splitlines()
    >>> [line.rpartition("{")[2] for line in entries if line.startswith("@")]
    ['nowak2009,', 'lin1998,', 'seco2004,', 'ontoeval,']
    """
    wanted = as_list(measures)
    used: dict[str, list[str]] = {}
    if preset is not None:
        named = preset_by_name(preset)
        used[named.source] = [f"the preset {preset}"]
        wanted = [*named.measures, *wanted]
    for notation, measure in (measures_of(wanted) if wanted else {}).items():
        for source in sources_of(measure):
            used.setdefault(source, []).append(notation)
    unstated = used.pop("", [])
    # Measures of others may hold an entry of their own instead of a key.
    parts = [f"{_comment(notations)}{entry_of(source)}\n" for source, notations in used.items()]
    if unstated:
        parts.append(f"{_comment(unstated)}% (no source is stated)\n")
    return "\n".join([*parts, f"{_comment(['the package that computed it'])}{software()}\n"])


def sources_of(measure: Measure) -> list[str]:
    """List the sources of a measure."""
    values = [getattr(measure, option, None) for option in _NAMING]
    words = [
        word
        for value in values
        if isinstance(value, str)
        for word in re.findall(r"[a-z]+(?:-[a-z]+)*", value.replace("tensor-", "tensor "))
    ]
    decoded = ["plaud2025"] * hasattr(measure, "decoder")
    return list(
        dict.fromkeys([source_of(measure), *(PARTS[word] for word in words if word in PARTS), *decoded])
    )


def _comment(lines: Iterable[str]) -> str:
    # BibTeX passes over what stands between entries, but an @ would begin one.
    return "".join(f"% {' '.join(line.split()).replace('@', '(at)')}\n" for line in lines)
