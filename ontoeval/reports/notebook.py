"""Results in a notebook: HTML without scripts, whose colours suit light and dark themes, and data frames."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from importlib import import_module
from typing import Any, cast

import numpy as np

from ontoeval.confusion.matrix import PARTS, ConfusionMatrix, as_shares
from ontoeval.core.frames import AnyFrame, frame_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.table import Cell, Estimate, Table, cell_text, is_number, score_of_cell
from ontoeval.errors import ParameterError, pluralise
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.sparse import row_of_entries
from ontoeval.reports import evaluation
from ontoeval.reports.concepts import tree_to_draw
from ontoeval.reports.formats import explode_estimates, for_programs, is_numeric, table_of

SHOWN: Mapping[str, str] = {
    "AnnotatorAgreement": "agreement.briefly",
    "Behaviour": "sensitivity.shares",
    "Comparison": "comparison.board",
    "ConceptCounts": "evaluation.decisions",
    "ConfusionMatrix": "confusion.brief",
    "ConfusionTensor": "evaluation.decisions",
    "Correction": "versions.corrections_table",
    "Difference": "versions.changes_table",
    "ErrorsByKind": "errors.errors",
    "Evaluation": "scores.board",
    "Explanation": "evaluation.explained",
    "Findings": "audit.briefly",
    "Hierarchy": "notebook.links",
    "Ontology": "notebook.links",
    "Migration": "versions.migration_table",
    "OntologyDifference": "versions.ontology_changes_table",
    "Pitfall": "pitfalls.picture",
    "ScoreCurve": "evaluation.points",
    "Study": "study.briefly",
    "Sweep": "evaluation.points",
    "Table": "notebook.unchanged_table",
    "TunedThresholds": "evaluation.chosen_thresholds",
}
"""The function of `reports` that makes the one table of each type of result."""

FRAMED: Mapping[str, str] = {
    **SHOWN,
    "AnnotatorAgreement": "agreement.per_concept",
    "ConfusionMatrix": "confusion.whole",
    "Findings": "audit.every_finding",
    "Study": "study.agreements",
}
"""The function that makes the table of a data frame."""

ROWS = dict.fromkeys(("sample", "samples"), evaluation.per_sample)
ROWS |= dict.fromkeys(("concept", "concepts", "class", "classes", "label", "labels"), evaluation.of_concepts)
"""What makes the table of other rows, by the words for these."""

MOST_ROWS, MOST_COLUMNS, MOST_NOTES, MOST_LINES = 20, 24, 4, 60
"""What a notebook and a printed line show of a table; of a confusion matrix with more columns the largest
entries."""

MOST_CONCEPTS, MOST_LEVELS, FEW = 300, 40, 3
"""What a notebook shows of a tree, and the number of roots up to which they are open."""

PALE = "rgba(128,128,128,.35)"  # seen on white and on black
QUIET = "opacity:.75;font-size:90%"
INK = "31,99,155"  # of the cells of a matrix


def unchanged_table(table: Table) -> Table:
    """Show a table as it is."""
    return table


def links(result: Hierarchy | Ontology) -> Table:
    """List the links of a hierarchy; a root has none above it."""
    hierarchy = result if isinstance(result, Hierarchy) else result.arrays
    names, parents = hierarchy.vocabulary.concepts, hierarchy.parents
    pairs: list[tuple[str, str | None]] = [(names[at], None) for at in hierarchy.roots.tolist()]
    both = zip(row_of_entries(parents).tolist(), parents.indices.tolist(), strict=True)
    pairs += [(names[child], names[parent]) for child, parent in both]
    if isinstance(result, Hierarchy):
        called = hierarchy.vocabulary.names
        named = ((called.text(child), parent and called.text(parent)) for child, parent in pairs)
        return table_of("Links", ("child", "parent"), named)
    labels = dict(zip(names, result.labels, strict=True))
    rows = ((child, parent, labels[child]) for child, parent in pairs)
    return table_of("Links", ("child", "parent", "label"), rows)


def table_shown(result: object, makers: Mapping[str, str] = SHOWN) -> Table:
    """Make the one table of a result."""
    (where,) = (makers[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in makers)
    module, _, name = where.partition(".")
    return cast("Table", getattr(import_module(f"{__package__}.{module}"), name)(result))


def _noun(rows: str) -> str:
    """Title of the column that names the rows."""
    return "sample" if rows.startswith("sample") else "concept"


def table_framed(result: object, rows: str | None = None) -> Table:
    """Make the table of a data frame: the one table of a result, or that of its samples or concepts."""
    if rows is None:
        return explode_estimates(for_programs(table_shown(result, FRAMED)))
    runs = {"": result} if isinstance(result, Evaluation) else getattr(result, "disclosed", None)
    if runs is None or str(rows) not in ROWS:
        usual = table_framed(result)
        if str(rows) in ROWS and usual.columns[0].title == _noun(str(rows)):
            return replace(usual, notes=())
        raise ParameterError("rows", rows, "'sample' or 'concept', of an evaluation or a comparison")
    table = for_programs(ROWS[rows](runs))
    return evaluation.without_run(table) if isinstance(result, Evaluation) else table


def frame(result: object, backend: str = "pandas", rows: str | None = None, **others: object) -> AnyFrame:
    """Make a data frame, numbers in full; that of a matrix, samples or concepts has their names as index."""
    for name, value in others.items():
        if rows is not None or name not in {"per", "by", "kind"} or str(value) not in ROWS:
            raise TypeError(f"to_frame has no {name!r}: it takes backend= and rows='sample' or 'concept'.")
        rows = str(value)
    backend, rows = ("pandas", backend) if rows is None and backend in ROWS else (backend, rows)
    table = table_framed(result, rows)
    columns = {column.title: [row[which] for row in table.rows] for which, column in enumerate(table.columns)}
    made = frame_of({str(title): list(_as_one_type(cells)) for title, cells in columns.items()}, backend)
    counted = isinstance(result, ConfusionMatrix) and result.rule == "krstinic" and not result.shares
    for note in table.notes if rows is not None or counted else ():
        warnings.warn(note, stacklevel=3)
    if backend == "pandas" and isinstance(result, ConfusionMatrix):
        return made.set_index("true").rename_axis(columns="predicted")
    if backend != "pandas" or rows is None:
        return made
    named = made[_noun(rows)]
    whole = all(name.isdecimal() and str(int(name)) == name for name in named)  # as pandas reads them
    return made.set_axis((named.astype(int) if whole else named).to_numpy(), axis=0)


def text(result: object) -> str:
    """Write the one table of a result as aligned text, of very many rows the first; some are a line."""
    if isinstance(result, Hierarchy | Ontology) or (isinstance(result, Evaluation) and not result.parts):
        return repr(result)
    table = table_shown(result)
    if (more := len(table.rows) - MOST_LINES) > 0 and not table.parts:
        note = f"and {pluralise(more, 'more row')}: see .to_frame()"
        table = replace(table, rows=table.rows[:MOST_LINES], notes=(note, *table.notes))
    return str(table)


def _as_one_type(cells: list[Cell]) -> Iterable[Cell]:
    """Write numbers beside texts as texts: a column of a frame has one type."""
    if not any(isinstance(cell, str) for cell in cells):
        return cells
    return [
        cell if cell is None else str(cell) if isinstance(cell, str) else cell_text(cell) for cell in cells
    ]


def html(result: object) -> str:
    """Write a result as HTML for the output of a cell."""
    own: Any = {"ConfusionMatrix": _matrix, "Hierarchy": _tree, "Ontology": _tree}
    parts: Iterator[str] = own.get(type(result).__name__, _table)(result)
    named = table_shown(result).title if isinstance(result, Table | Evaluation) else repr(result)
    title = escape(cell_text(named))
    return f'<div style="overflow-x:auto"><div><b>{title}</b></div>{"".join(parts)}</div>'


def _table(result: object) -> Iterator[str]:
    table = table_shown(result)
    for part in table.parts or (table,):
        yield from map(_text, [part.title] * bool(table.parts))
        yield rows_html(part) * bool(part.columns)
    yield from _notes(table.caption)


def _matrix(matrix: ConfusionMatrix) -> Iterator[str]:
    yield _text(matrix.pairing)
    if max(matrix.matrix.shape) > MOST_COLUMNS:
        yield rows_html(table_shown(matrix))
        yield _text("The largest confusions; .to_frame() has all entries.")
        return
    values = matrix.to_numpy()
    shares = as_shares(matrix).to_numpy()
    digits = 0 if np.array_equal(values, np.rint(values)) else 2
    rows, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    corner = Table.from_matrix("", "true \\ predicted", rows, columns, values, digits=digits)
    shades = {
        (row, column + 1): f";background:rgba({INK},{0.6 * shares[row, column] ** 0.5:.2f})"
        for row, column in np.argwhere(values).tolist()
    }
    yield rows_html(corner, shades)
    yield _text(f"The stronger the colour, the larger the share {PARTS[matrix.shares]}.")


def _tree(result: Hierarchy | Ontology) -> Iterator[str]:
    """Draw each concept once, the upper levels of a large hierarchy, as branches that open."""
    hierarchy = result if isinstance(result, Hierarchy) else result.arrays
    names, labels = hierarchy.vocabulary.concepts, hierarchy.vocabulary.shown()
    tree = tree_to_draw(hierarchy)
    kept = np.zeros(len(names), dtype=bool)
    kept[np.argsort(tree.levels, kind="stable")[:MOST_CONCEPTS]] = True
    kept &= tree.levels < MOST_LEVELS
    below = tree.parent >= 0
    children = np.bincount(tree.parent[below], minlength=len(names))
    hidden = np.bincount(tree.parent[below & ~kept], minlength=len(names))
    waiting: list[tuple[int, str]] = []  # how deep branches are that are open, and what closes each
    for concept in tree.order[kept[tree.order]].tolist():
        level = int(tree.levels[concept])
        while waiting and waiting[-1][0] >= level:
            yield waiting.pop()[1]
        text = _concept(names[concept], labels[concept], abstract=bool(hierarchy.abstract[concept]))
        if not children[concept]:
            yield f'<div style="margin-left:1.1em">{text}</div>'
            continue
        is_open = ' open=""' * (level == 0 and len(hierarchy.roots) <= FEW)
        count = f' <span style="{QUIET}">{children[concept]:,}</span>'
        yield (
            f'<details{is_open}><summary style="cursor:pointer">{text}{count}</summary>'
            f'<div style="margin-left:1.1em">'
        )
        more = f"<div>{_text(f'and {hidden[concept]:,} more')}</div>" * bool(hidden[concept])
        waiting.append((level, f"{more}</div></details>"))
    yield from (closing for _, closing in reversed(waiting))
    left_out = int((~kept).sum())
    notes = [f"{pluralise(left_out, 'concept')} of the lower levels left out."] * bool(left_out)
    if hierarchy.several_parents.size:
        notes.append("A concept with several parents is shown once, below the first of the deepest.")
    yield from _notes(notes)


def _concept(name: str, label: str, *, abstract: bool) -> str:
    shown = escape(cell_text(label))
    shown = f'<i title="abstract: never a label">{shown}</i>' if abstract else shown
    return shown + f' <span style="{QUIET}">{escape(cell_text(name))}</span>' * (name != label)


def rows_html(table: Table, shades: Mapping[tuple[int, int], str] | None = None) -> str:
    """Write the rows of a table, the best numbers in bold; of very many rows or columns the first."""
    columns = range(min(len(table.columns), MOST_COLUMNS + 1))
    right = [is_numeric(table, which) for which in range(len(table.columns))]
    edge = f'style="border:0;border-bottom:1px solid {PALE};vertical-align:top;background:none"'

    def cell(tag: str, which: int, content: str, look: str = "") -> str:
        side = "right" if right[which] else "left"
        return f'<{tag} style="text-align:{side}{look}">{content}</{tag}>'

    head = "".join(cell("th", which, escape(cell_text(table.columns[which].title))) for which in columns)
    body = []
    for at, row in enumerate(table.rows[:MOST_ROWS] if shades is None else table.rows):
        cells = (
            cell("td", which, _cell(table, at, which, row[which]), (shades or {}).get((at, which), ""))
            for which in columns
        )
        body.append(f"<tr {edge}>{''.join(cells)}</tr>")
    left_out = [
        pluralise(number, f"more {noun}")
        for number, noun in (
            (len(table.rows) - len(body), "row"),
            (len(table.columns) - len(columns), "column"),
        )
        if number
    ]
    look = "border-collapse:collapse;border:0;font-variant-numeric:tabular-nums;margin:4px 0"
    parts = f"<thead><tr {edge}>{head}</tr></thead><tbody>{''.join(body)}</tbody>"
    made = f'<table cellpadding="4" style="{look}">{parts}</table>'
    return made + (_text(f"and {', '.join(left_out)}: see .to_frame()") if left_out else "")


def _cell(table: Table, at: int, which: int, value: Cell) -> str:
    digits = table.digits[which]
    text = escape(cell_text(score_of_cell(value), digits))
    text = f"<b>{text}</b>" if table.is_best(at, which) else text
    if isinstance(value, Estimate) and (is_number(value.low) or is_number(value.high)):
        low, high = cell_text(value.low, digits), cell_text(value.high, digits)
        text += f' <span style="{QUIET}">[{low}, {high}]</span>'
    return text + (f" {escape(value.mark)}" if isinstance(value, Estimate) and value.mark else "")


def _text(text: str) -> str:
    return f'<div style="{QUIET}">{escape(cell_text(text))}</div>'


def _notes(notes: Iterable[str]) -> Iterator[str]:
    notes = list(notes)
    yield from map(_text, notes[:MOST_NOTES])
    if len(notes) > MOST_NOTES:
        yield _text(f"and {pluralise(len(notes) - MOST_NOTES, 'note')} more")
