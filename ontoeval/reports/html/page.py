"""A page: a list of sections, written as one HTML file that needs no network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import count, product
from math import prod
from typing import Any

from ontoeval._version import __version__
from ontoeval.core.extras import requires
from ontoeval.errors import InputError
from ontoeval.reports.html.content import as_content, of_plot, of_table
from ontoeval.reports.table import Table, written

HOME = files("ontoeval.reports.html")


@dataclass(frozen=True, eq=False)
class View:
    """What a figure shows for one choice."""

    plot: Any = None
    table: Table | None = None
    html: str = ""


@dataclass(frozen=True, eq=False)
class Figure:
    """Something to look at, which may have choices."""

    title: str
    views: Sequence[View]
    choices: Sequence[tuple[str, Sequence[str]]] = ()
    text: str = ""
    open_table: bool = False

    def __post_init__(self) -> None:
        """Check that there is a view for each combination."""
        wanted = prod(len(options) for _, options in self.choices)
        if len(self.views) != wanted:
            raise InputError(
                f"{len(self.views)} views for {wanted} combinations of choices", "Give one view for each."
            )

    @property
    def named_views(self) -> list[tuple[str, View]]:
        """Each view with the options that it is shown for."""
        options = product(*(options for _, options in self.choices))
        return [(", ".join(chosen), view) for chosen, view in zip(options, self.views, strict=True)]

    @property
    def has_plot(self) -> bool:
        """Whether something is drawn."""
        return any(view.plot is not None for view in self.views)

    @property
    def has_table(self) -> bool:
        """Whether there are numbers."""
        return any(view.table is not None for view in self.views)


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page."""

    key: str
    title: str
    text: str
    figures: Sequence[Figure]


def report_page(
    title: str,
    sections: Sequence[Section],
    recipe: Sequence[str],
    *,
    facts: Sequence[tuple[str, str]] = (),
    head: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """Write a page."""
    figures = [figure for section in sections for figure in section.figures]
    number = count()
    content = [
        [
            {
                "plot": None if view.plot is None else of_plot(view.plot),
                "table": None if view.table is None else of_table(view.table),
            }
            for view in figure.views
        ]
        for figure in figures
    ]
    drawn = any(figure.has_plot for figure in figures)
    style = HOME.joinpath("style.css").read_text(encoding="utf-8")
    scripts = [_plotly(), HOME.joinpath("page.js").read_text(encoding="utf-8")][0 if drawn else 1 :]
    page: str = template("page").render(
        title=title,
        sections=[(section, [(next(number), figure) for figure in section.figures]) for section in sections],
        recipe="\n".join(written(line) for line in recipe),
        facts=facts,
        head=head,
        version=__version__,
        content=as_content(content),
        style=style,
        scripts=scripts,
        # plotly brings the style of its maps along, unless an element of this name is there.
        skipped=sorted(set(re.findall(r'getElementById\("([0-9a-f]{64})"\)', scripts[0]))),
        policy=_policy(style, scripts, pictures),
    )
    return page


def template(name: str) -> Any:  # noqa: ANN401 - a template of jinja2
    """Find a template."""
    return _environment().get_template(f"{name}.html.j2")


def verdict(text: str) -> str:
    """Write a sentence that stands where there is nothing to draw, or says what a drawing comes to."""
    return str(template("verdict").render(text=text))


@cache
def _environment() -> Any:  # noqa: ANN401 - an environment of jinja2
    jinja2 = requires("jinja2", "report", "A report")
    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FunctionLoader(
            lambda name: HOME.joinpath("templates", name).read_text(encoding="utf-8")
        ),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["written"] = written
    return environment


@cache
def _plotly() -> str:
    requires("plotly", "report", "A report")
    return files("plotly").joinpath("package_data", "plotly.min.js").read_text(encoding="utf-8")


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
