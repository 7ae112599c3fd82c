"""Comparisons that pages are made of: ordinary ones, and ones whose names try to be more than names."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

import ontoeval as oe
from ontoeval.comparison.result import Comparison

HOSTILE = (
    "</script><script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "<b>bold</b>&amp;%{x}$y$",
    "line\nbreak\x1b[31m\x00",
    "\u202egnp.exe",
    "2011-01-01",
    "{{7*7}}",
    "a' onmouseover='document.title=1",
)
"""Names as they can be found in files."""


def comparison(
    names: tuple[str, ...] = ("animals", "cats", "dogs", "plants", "trees", "flowers", "sky", "sea"),
    *,
    samples: int = 60,
    runs: int = 3,
    flat: bool = False,
    **options: object,
) -> Comparison:
    """Compare runs that err more and more; the first, fourth and seventh name stand above others."""
    rng = np.random.default_rng(20090)
    hierarchy = oe.Hierarchy.from_edges(
        [(names[0], names[1]), (names[0], names[2]), (names[3], names[4]), (names[3], names[5])],
        concepts=names,
    )
    ids = [f"{names[at % len(names)]} {at}" for at in range(samples)]
    truth = rng.random((samples, len(names))) < 0.3

    def sets(array: np.ndarray) -> oe.LabelSets:
        return oe.LabelSets.from_array(array, vocabulary=names, samples=ids)

    made = {names[at]: sets(truth ^ (rng.random(truth.shape) < 0.08 * (at + 1))) for at in range(runs)}
    measures = ["F", "F(average='macro')", "Hamming"]
    return oe.compare(
        sets(truth),
        made,
        hierarchy=None if flat else hierarchy,
        **{"measures": measures if flat else ["OS", *measures], "resamples": 100, **options},  # type: ignore[arg-type]
    )


def plotted(kind: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Draw a mark by plotly itself, which refuses what is no figure."""
    from plotly.graph_objects import Figure

    from ontoeval.reports.plots import as_plotly

    return Figure(as_plotly(kind(*args, **options)))


def content(page: str) -> Any:
    """Read what the script of a page draws."""
    (found,) = re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def headings(page: str) -> list[str]:
    """The titles of sections."""
    return re.findall(r"<h2[^>]*>(.*?)</h2>", page)


def unscripted(page: str) -> str:
    """A page without what it draws, its script and its style."""
    return re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)


def figures_of(page: str) -> Any:
    """What the script of a page draws, lists that occur several times at each place."""
    read = content(page)

    def whole(values: Any) -> Any:
        if isinstance(values, list):
            return [*map(whole, values)]
        if not isinstance(values, dict):
            return values
        if "$" in values:
            return whole(read["lists"][values["$"]])
        if {*values} == {"of", "at"}:
            names = whole(values["of"])
            return [names[at] for at in whole(values["at"])]
        return {name: whole(value) for name, value in values.items()}

    return whole(read["figures"])


def tables_of(page: str) -> dict[str, dict[str, list[Any]]]:
    """Find all tables of a page by their titles, and their columns by theirs."""
    tables = [view["table"] for figure in figures_of(page) for view in figure if view["table"]]
    return {
        table["title"]: {column["title"]: column["values"] for column in table["columns"]} for table in tables
    }


SKIPPED = re.compile(r"<(noscript|details|button|pre)\b.*?</\1>", re.DOTALL)
LINES = re.compile(r"</?(?:p|div|dl|tr|li|select|article|table|section|figcaption)\b[^>]*>")


def outline(page: str, *, of: str = "") -> Iterator[str]:
    """What a page, or a section of it, says line by line, and what the views of its figures draw.

    Of the table of a view its first row is told, once, of a plot the first traces, and of lists the first elements.
    """
    said = SKIPPED.sub("", unscripted(page).partition("<main")[2].partition(">")[2])
    section, before = "", set[str]()
    for text, views in zip(said.split("</figure>"), [*figures_of(page), []], strict=True):
        texts = re.sub(r"</(td|th|option|dt)>", " | ", re.sub(r"\s+", " ", text))
        texts = re.sub(r"<h([123]).*?>", lambda level: f"<p>{'=' * int(level[1])} ", texts)
        lines = [re.sub(r"</?(?!wbr|bdi)[a-z].*?>", " ", line) for line in LINES.split(texts)]
        lines = [html.unescape(" ".join(re.sub(r"<.*?>", "", line).split()).strip(" |")) for line in lines]
        for line in [*lines, *chain.from_iterable(map(told, views))]:
            section = line[3:] if line.startswith("== ") else section
            if line and of in {"", section} and line not in before:
                yield line
                before |= {line} if line[0] == " " else set()


def told(view: Any) -> Iterator[str]:
    """What a view draws, and the first row and the notes of its table."""
    if view["plot"]:
        traces = view["plot"]["data"]
        names = view["plot"]["layout"].get("yaxis", {}).get("ticktext")
        more = [f"… {len(traces)}"] * (len(traces) > 3) + [f"beside {shown(names)}"] * bool(names)
        yield "- " + "; ".join([*map(trace, traces[:3]), *more, *frame(view["plot"]["layout"])])
    if view["table"]:
        columns = view["table"]["columns"]
        first = [f"{one['title']} {shown(one['values'][0])}" for one in columns if one["values"]]
        yield f"  {view['table']['title']} ({len(columns[0]['values'])}): {', '.join(first)}"
        yield from (f"  {note}" for note in view["table"]["notes"])


def frame(layout: Any) -> Iterator[str]:
    """The range of the colours of a plot and of its axis, and its lines."""
    if colours := layout.get("coloraxis"):
        yield f"{layout['meta']['scale']} from {shown(colours['cmin'])} to {shown(colours['cmax'])}"
    if ends := layout.get("xaxis", {}).get("range"):
        yield f"across {shown(ends)}"
    if lines := layout.get("shapes"):
        yield f"lines at {shown([line.get('path') or line.get('x0') or line.get('y0', 0) for line in lines])}"


def shown(value: Any) -> str:
    """A cell or numbers, to three digits, and of many the first."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value[:3]))}{f', … {len(value)}' * (len(value) > 3)}]"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def trace(drawn: Any) -> str:
    """What a trace of a plot is, and its numbers."""
    sides = {side: drawn[side] for side in ("z", "x", "y", "labels") if drawn.get(side)}
    sides |= {"colours": drawn["marker"]["colors"]} if drawn["type"] == "icicle" else {}
    return " ".join([drawn["type"], *(f"{side} {shown(values)}" for side, values in sides.items())])
