"""What is found out about annotators, as tables for a line of 80 characters: the columns that matter most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan

from ontoeval.annotators.concept_agreement import NAMES, TITLES
from ontoeval.reports.table import Cell, Estimate, Table, is_number, plain

REST = "all coefficients of each concept, and what they rest on: --per-concept FILE, or --format csv or json"


def per_concept(table: Table, coefficient: str) -> Table:
    """Leave the interval of one coefficient, one other beside it, and how many samples they rest on."""
    others = [name for name in NAMES if name != coefficient]
    if len(table.rows) > 1:
        others = ["majority" if coefficient == "alpha" else "alpha"]
    counts = {"samples": "samples", "positive": "positive samples"}
    shown = _laid_out(
        table,
        {
            "concept": ("concept",),
            TITLES[coefficient]: _bounded(TITLES[coefficient]),
            **{TITLES[name]: (TITLES[name],) for name in others},
            **{title: (source,) for title, source in counts.items()},
        },
    )
    return replace(shown, notes=(*shown.notes, REST))


def overall(table: Table) -> Table:
    """Put bounds beside their coefficients, and leave out that none is undefined."""
    parts = [column.title for column in table.columns if f"{column.title} low" in _titles(table)]
    undefined = {"undefined": ("undefined",)} if _any(table, "undefined") else {}
    return _laid_out(
        table, {"coefficient": ("coefficient",), **{part: _bounded(part) for part in parts}, **undefined}
    )


def of_sets(table: Table) -> Table:
    """Put bounds beside alpha."""
    rest = [title for title in _titles(table) if title not in {"distance", "α", "low", "high"}]
    return _laid_out(
        table,
        {"distance": ("distance",), "α": ("α", "low", "high"), **{title: (title,) for title in rest}},
    )


def annotators(table: Table) -> Table:
    """Leave out how many decisions are compared, and that nobody leaves anything open."""
    names = {"labels per sample": "labels"}
    left = {"decisions", *(() if _any(table, "open") else ("open",))}
    return _laid_out(
        table, {names.get(title, title): (title,) for title in _titles(table) if title not in left}
    )


def fewer_annotators(table: Table) -> Table:
    """Put the lowest and highest F beside F."""
    return _laid_out(
        table,
        {
            "annotators": ("annotators",),
            "samples": ("samples",),
            "same": ("same decisions",),
            "F [lowest, highest]": ("F", "F, lowest", "F, highest"),
            "change of weight": ("change of the weight",),
        },
    )


def _bounded(title: str) -> tuple[str, ...]:
    return title, f"{title} low", f"{title} high"


def _titles(table: Table) -> list[str]:
    return [column.title for column in table.columns]


def _any(table: Table, title: str) -> bool:
    place = _titles(table).index(title)
    return any(is_number(row[place]) and row[place] != 0 for row in table.rows)


def _laid_out(table: Table, columns: Mapping[str, tuple[str, ...]]) -> Table:
    """Take columns under other titles; of three of them the latter are the bounds of the first."""
    places = [[_titles(table).index(source) for source in sources] for sources in columns.values()]
    chosen = tuple(
        replace(table.columns[first], title=title) for title, (first, *_) in zip(columns, places, strict=True)
    )

    def cell(row: tuple[Cell, ...], own: list[int]) -> Cell:
        if len(own) == 1:
            return row[own[0]]
        value, low, high = (float(number) if is_number(number := plain(row[place])) else nan for place in own)
        return Estimate(value, low, high)

    rows = tuple(tuple(cell(row, own) for own in places) for row in table.rows)
    return replace(table, columns=chosen, rows=rows)
