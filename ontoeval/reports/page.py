"""A page: a list of sections, written as one HTML file that needs no network."""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import count, product
from typing import TYPE_CHECKING, Any, TypedDict

from ontoeval._version import __version__
from ontoeval.core.showing import Page
from ontoeval.core.table import Cell, Table, cell_text, is_number, shorten_names
from ontoeval.plumbing.json_text import Json
from ontoeval.reports.formats import explode_estimates
from ontoeval.reports.plots import as_plotly

if TYPE_CHECKING:
    import jinja2

HOME = files("ontoeval.reports")


CLICK = {
    "cell": "Click a cell to see its samples.",
    "bar": "Click a bar to see its samples.",
    "branch": "Click a leaf to see its samples; a branch is chosen here.",
}


@dataclass(frozen=True, eq=False)
class FigureView:
    """Drawing, table and text of a figure for one choice."""

    plot: Any = None
    table: Table | None = None
    html: str = ""
    samples: Mapping[str, Any] | None = None
    """What parts of the drawing lead to, of a `SamplePool`."""


@dataclass(frozen=True, eq=False)
class Figure:
    """Something to look at, which may have choices."""

    title: str
    views: Sequence[FigureView]
    choices: Sequence[tuple[str, Sequence[str]]] = ()
    text: str = ""
    open_table: bool = False

    @property
    def samples(self) -> str:
        """Kind of mark that links to samples, a key of `CLICK`; empty without links."""
        return next((str(one["kind"]) for view in self.views if (one := view.samples) and one["keys"]), "")

    @property
    def named_views(self) -> list[tuple[str, FigureView]]:
        """Each view with the options that it is shown for, as many views as combinations."""
        options = product(*(options for _, options in self.choices))
        return [(", ".join(chosen), view) for chosen, view in zip(options, self.views, strict=True)]


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page."""

    key: str
    title: str
    text: str
    figures: Sequence[Figure]


class About(TypedDict, total=False):
    """Texts of the publisher below the title of a page; an empty line begins a new paragraph."""

    description: str
    author: str
    inputs: Sequence[str]
    """Lines of the recipe on the files that were read."""


def report_page(
    title: str,
    parts: Sequence[Section | None],
    recipe: Sequence[str],
    *,
    facts: Sequence[tuple[str, str]] = (),
    head: str = "",
    pictures: Sequence[str] = (),
    samples: Mapping[str, Any] | None = None,
    description: str = "",
    author: str = "",
    inputs: Sequence[str] = (),
) -> Page:
    """Write a page of sections, without those that are None."""
    sections = [section for section in parts if section is not None]
    figures = [figure for section in sections for figure in section.figures]
    number = count()
    content = [
        [
            {
                "plot": None if view.plot is None else _to_plain(as_plotly(view.plot)),
                "table": None if view.table is None else of_table(view.table),
                **({"samples": view.samples} if view.samples else {}),
            }
            for view in figure.views
        ]
        for figure in figures
    ]
    drawn = any(view.plot is not None for figure in figures for view in figure.views)
    style = _file("style.css")
    scripts = [_file("plotly.min.js"), _file("page.js")][0 if drawn else 1 :]
    page = template("page").render(
        title=title,
        author=author,
        description=[text for text in re.split(r"\n\s*\n", description) if text.strip()],
        sections=[(section, [(next(number), figure) for figure in section.figures]) for section in sections],
        recipe="\n".join(cell_text(line) for line in (*inputs, *recipe)),
        facts=facts,
        head=head,
        version=__version__,
        content=as_content(content, samples),
        click={} if samples is None else CLICK,
        style=style,
        scripts=scripts,
        policy=_policy(style, scripts, pictures),
    )
    return Page(page)


def template(name: str) -> jinja2.Template:
    """Find a template."""
    return _environment().get_template(f"{name}.html.j2")


def verdict(text: str) -> str:
    """Write a sentence that replaces a figure without data."""
    return f'<p class="verdict">{escape(cell_text(text))}</p>'


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # notebooks do without

    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FunctionLoader(lambda name: _file("templates", name)),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"written": cell_text, "short": partial(shorten_names, longest=OPTION)}
    return environment


@cache
def _file(*name: str) -> str:
    return HOME.joinpath(*name).read_text(encoding="utf-8")


def _policy(style: str, scripts: Sequence[str], pictures: Sequence[str]) -> str:
    """Allow what stands in the page, and nothing else: no connection leaves it."""
    rules = {
        "default-src": ["'none'"],
        "script-src": [_hash(script) for script in scripts],
        # plotly adds one empty style element, and sets style attributes of what it draws.
        "style-src-elem": [_hash(style), _hash("")],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": ["data:", "blob:", *pictures],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }
    return "; ".join(" ".join([rule, *sources]) for rule, sources in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


OPTION = 56  # characters of an option of a choice
SHORT = 6  # lists up to this length are written where they stand
DIGITS = 6  # significant digits of numbers that are no whole ones
EXACT = 2**53  # whole numbers below this are what they seem to a browser


_NESTED = (dict, list)


class SharedLists:
    """Lists of values, each kept once however often it is used: choices of a figure share most of theirs."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def lists(self) -> str:
        """The lists as JSON, in the order in which they were met."""
        return f"[{','.join(self._places)}]"

    def add(self, values: Json) -> Json:
        """Put long lists of plain values into the pool."""
        if isinstance(values, dict):
            return {key: self.add(value) for key, value in values.items()}
        if isinstance(values, list):
            kept = [self.add(value) if isinstance(value, _NESTED) else value for value in values]
            if len(kept) <= SHORT or any("$" not in value for value in kept if isinstance(value, dict)):
                return kept
            return {"$": self._places.setdefault(_json(kept), len(self._places))}
        return values


def of_table(table: Table) -> dict[str, Any]:
    """Write a table as what JSON can hold, column by column."""
    table = explode_estimates(table)
    columns = [
        {
            "title": cell_text(column.title),
            "digits": table.digits[which],
            "values": _column([_cell(row[which]) for row in table.rows]),
        }
        for which, column in enumerate(table.columns)
    ]
    notes = list(map(cell_text, table.notes))
    return {"title": cell_text(table.title), "columns": columns, "notes": notes}


def as_content(
    figures: Sequence[Sequence[Mapping[str, Any]]], samples: Mapping[str, Any] | None = None
) -> str:
    """Encode the content of a page so that it is safe inside a script element."""
    pool = SharedLists()
    kept = _json([[pool.add(view) for view in views] for views in figures])
    more = "" if samples is None else f'"samples":{_json(pool.add(samples))},'
    content = f'{{"figures":{kept},{more}"lists":{pool.lists}}}'
    for character in "<>&\u2028\u2029":
        content = content.replace(character, f"\\u{ord(character):04x}")
    return content


def _json(values: Json) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _column(values: list[Json]) -> Json:
    """Name each text once where texts are repeated: `{"of": texts, "at": places}`."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values)) if isinstance(value, str)}
    if len(places) < len(set(values)) or len(values) < 2 * len(places):
        return values
    return {"of": list(places), "at": [places[value] for value in values]}


def _cell(cell: Cell) -> Json:
    if isinstance(cell, str) or (isinstance(cell, float) and math.isinf(cell)):
        return cell_text(cell)
    return _short(cell) if is_number(cell) else None


@lru_cache(maxsize=1 << 16)
def _short(number: float) -> float:
    """Round a number, and write 1.0 as 1, which is the same to the page."""
    if float(number).is_integer() and abs(number) < EXACT:
        return int(number)
    return float(f"{number:.{DIGITS}g}")


def _to_plain(value: Json) -> Json:
    if isinstance(value, float):
        return _short(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _to_plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_to_plain(one) for one in value]
    return value
