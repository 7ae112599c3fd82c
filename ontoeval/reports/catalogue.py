"""The catalogue of measures as tables, and its sources as BibTeX."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rules import Exclusion
from ontoeval.core.table import Table, cell_text
from ontoeval.errors import OntoevalError
from ontoeval.measures.base import LAWS, SYMMETRY, Measure, Measures, best_end, info, laws_of
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
    link,
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
from ontoeval.reports.formats import table_of


def all_measures() -> Table:
    """List every measure."""
    listed = (one for family in FAMILIES for one in CATALOGUE if one.family == family)
    rows = ((one.symbol, one.family, one.title, info(one.measure, "formula_text")) for one in listed)
    notes = (
        "Options go in brackets: F(average='macro'). `ontoeval measures SYMBOL` explains them.",
        "Measures as a field computes them: `--preset NAME`; `--presets` lists them.",
    )
    return table_of("Measures", ("symbol", "family", "title", "formula"), rows, notes=notes)


def all_presets() -> Table:
    """List every preset, with what its numbers were compared with."""
    titles = ("preset", "title", "measures", "compared with", "cases", "date", "decimals")
    rows = (
        (name, one.title, len(one.measures), one.checked, one.cases, one.date, one.digits)
        for name, one in PRESETS.items()
    )
    note = "`ontoeval measures --preset NAME` lists the measures of one."
    return table_of("Presets", titles, rows, notes=[note])


def one_preset(name: str) -> Table:
    """List the measures of a preset, with its conventions."""
    chosen = preset(name)
    rows = ((notation, entry(notation.partition("(")[0]).title) for notation in chosen.measures)
    notes = (*chosen.lines, f"See {citation(chosen.source)}.")
    return table_of(f"Preset {name}: {chosen.title}", ("measure", "title"), rows, notes=notes)


def one_measure(notation: str) -> Table:
    """Describe one measure in full."""
    measure = parse(notation)
    own = names_a_module(notation)
    known, plain, summary = _described(measure)
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
        ("does not see", "; ".join(_unseen(measure, _hierarchy_of_cases())) or "–"),
        ("parts can be merged", "yes" if info(measure, "mergeable") else "no, it needs all samples at once"),
        ("source", citation(known.source) if is_known(known.source) else known.source or "–"),
    ]
    return table_of(known.symbol, ("what", "which"), rows)


def _described(measure: Measure) -> tuple[Entry, Any, str]:
    """Entry of a measure, without decoding, and the first sentence of its documentation."""
    plain = getattr(measure, "measure", measure) if hasattr(measure, "decoder") else measure
    summary = (inspect.getdoc(type(plain)) or "").partition("\n")[0]
    symbol = name(measure).partition("(")[0]
    unknown = Entry(type(measure).__name__, measure, summary, "a module of your own")
    return next((one for one in CATALOGUE if one.symbol == symbol), unknown), plain, summary


class MeasureLine(NamedTuple):
    """What a reader of a score has to know of its measure."""

    notation: str
    text: str
    source: str = ""
    link: str = ""

    def __str__(self) -> str:
        """One line, as a terminal shows it."""
        return " ".join(filter(None, (f"{self.notation}: {self.text}", self.source, self.link)))


def measure_lines(measures: Mapping[str, Any], hierarchy: Hierarchy | None = None) -> list[MeasureLine]:
    """Explain measures: what they are, which end is better, what they do not see, and their source."""
    return [_line(notation, measure, hierarchy) for notation, measure in measures.items()]


def _line(notation: str, measure: Any, hierarchy: Hierarchy | None) -> MeasureLine:  # noqa: ANN401 - of any class
    known, plain, summary = _described(measure)
    meanings, family = _meanings(type(plain)), FAMILIES.get(known.family, "")
    about = summary if known.title in family else family
    what = f"{known.title}: {about}".rstrip(".: ")
    for option in ("average", *(one for one in meanings if f"{one}=" in notation and one != "average")):
        value = getattr(plain, option, None)
        told = re.search(rf'"{value}": ([^;.(]+)', meanings.get(option, ""))
        what += f"; {value} ({told[1].strip()})" if told else ""
    (low, high), end = info(measure, "bounds"), best_end(measure)
    better = f"{'Higher' if end == 'highest' else 'Lower'} is better" if end else "Neither end is better"
    better += f" ({low:g} to {high:g})" * bool(np.isfinite([low, high]).all())
    unseen = _unseen(measure, hierarchy) if family else []
    denied = [LAWS[law] for law in sorted(info(measure, "denied_laws") - SYMMETRY)]
    more = [f"Does not see: {'; '.join(unseen)}"] * bool(unseen)
    more += [f"Not true of it: {'; '.join(denied)}"] * bool(denied)
    text = f"{'. '.join([what, better, *more])}."
    if not is_known(known.source):
        return MeasureLine(notation, text)
    cited = re.sub(r"^([^,(]+)(?:, [^,(]+){2,} \(", r"\1 et al. (", citation(known.source)).partition(")")[0]
    return MeasureLine(notation, text, f"{cited})", link(known.source))


_SMALL = [("plants", "trees"), ("plants", "flowers"), ("views", "mountains"), ("views", "sea")]


def _unseen(measure: Measure, hierarchy: Hierarchy | None) -> list[str]:
    """Name what does not change the score of small cases; what only an ontology has, where there is one."""
    plain = Hierarchy.from_edges(_SMALL)
    ruled = Hierarchy.from_edges(_SMALL, exclusions=[Exclusion("flowers", "trees")])

    def score(truth: str, prediction: str, hierarchy: Hierarchy = plain) -> float:
        # The second sample is right: of a concept that is true somewhere a false label lowers means, too.
        pairs = [(truth, prediction), ("flowers sea", "flowers sea")]
        cases = [(set(one.split()), dict.fromkeys(other.split(), 1.0)) for one, other in pairs]
        return _score(measure, hierarchy, *cases)

    try:
        best = score("flowers sea", "flowers sea")
        if info(measure, "takes") == "scores" or best != info(measure, "best"):
            return []
        unseen = ["missed labels"] * (score("flowers sea", "flowers") == best)
        unseen += ["false labels"] * (score("flowers", "flowers sea") == best)
        if hierarchy is not None and len(hierarchy.parents.data):
            far = {score("flowers", one) for one in ("plants", "trees", "mountains")}
            unseen += ["how far a wrong label is from the true one"] * (len(far) == 1)
            closed = {score("flowers", "flowers plants"), score("flowers plants", "flowers")} == {best}
            unseen += ["whether sets hold the ancestors of their labels"] * closed
            both = [score("flowers", one, of) for of in (plain, ruled) for one in ("trees", "flowers trees")]
            rules = bool(hierarchy.exclusions or hierarchy.requirements)
            unseen += ["broken rules of the ontology"] * (rules and both[:2] == both[2:])
    except OntoevalError:  # its parameters are of another hierarchy, or it needs single labels
        return []
    return unseen


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
    try:
        score = _score(measure, _hierarchy_of_cases(), (truth, prediction))
        return cell_text(None) if np.isnan(score) else f"{score:.4g}"
    except OntoevalError as error:
        return str(error).partition(". ")[0]


def _score(measure: Measure, hierarchy: Hierarchy, *cases: tuple[set[str], Mapping[str, float]]) -> float:
    """Score samples, each with its true labels and the scores of predicted ones; nan of a joint measure."""
    from ontoeval.evaluation.scoring import evaluate  # not needed by lists of measures

    if info(measure, "joint"):
        return np.nan
    vocabulary = hierarchy.label_vocabulary
    true = LabelSets.from_sets([truth for truth, _ in cases], vocabulary=vocabulary)
    values = [[scores.get(name, 0.0) for name in vocabulary] for _, scores in cases]
    predicted = LabelScores.from_array(values, vocabulary=vocabulary)
    chosen = predicted if info(measure, "takes") == "scores" else predicted.at(0.5)
    # A third party's formula may not check this itself.
    with np.errstate(divide="ignore", invalid="ignore"):
        return evaluate(true, chosen, hierarchy=hierarchy, measures=[measure])[name(measure)]


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
    parts = (PARTS[word] for word in words if word in PARTS)
    return list(dict.fromkeys([source_of(measure), *parts, *decoded]))


def _comment(lines: Iterable[str]) -> str:
    # BibTeX passes over what stands between entries, but an @ would begin one.
    return "".join(f"% {' '.join(line.split()).replace('@', '(at)')}\n" for line in lines)
