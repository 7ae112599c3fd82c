"""How results show themselves; `ontoeval.reports` is the only import from a lower room to a higher one."""

from __future__ import annotations

from functools import partial
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ontoeval.core.names import Show
from ontoeval.errors import habits
from ontoeval.plumbing.writing import write_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def reports(name: str) -> Any:  # noqa: ANN401 - whatever function has this name
    """Import `ontoeval.reports`, only when a result is shown, and return its function of this name."""
    return getattr(import_module("ontoeval.reports"), name)


def tables_of(result: object) -> dict[str, Any]:
    """All tables of a result, by short names; `core.table` stands above this module."""
    return cast("dict[str, Any]", reports("tables")(result))


class Page(str):
    """An HTML page: a text for programs, a file by `save`, and a frame where a notebook shows it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Name the type and the size, in one line."""
        return f"Page({len(self):,} characters of HTML; page.save(path) writes the file)"

    def _repr_html_(self) -> str:
        """Show the page in a frame, apart from the notebook."""
        look = 'style="width:100%;height:80vh;border:1px solid rgba(128,128,128,.35)"'
        return f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts allow-downloads" {look}></iframe>'

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file, in place of one that is there.

        Parameters
        ----------
        path
            Path of the file; missing folders are made.
        """
        write_all({Path(path): self})


def page_of(result: object, **options: object) -> Page:
    """One HTML page about a result; options that are None are left to the page."""
    given = {name: value for name, value in options.items() if value is not None}
    return cast("Page", reports("report")(result, **given))


class TruthNote(str):
    """A note that counts true labels: where the truth is not public, the recipe lacks it."""

    __slots__ = ()


class Brief:
    """Base of large values: the text of each is one line that names the type and counts its parts."""

    @property
    def _brief(self) -> str:
        """Text in brackets after the name of the class."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Name the type and count the parts, in one line."""
        return f"{type(self).__name__}({self._brief})"


class Shown(Brief):
    """Base of results: each is a line of text, HTML where a notebook shows it, and a data frame."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a frame of any library
            """Say how a result is written, where a method of data frames is looked for, or write it."""
            if (same := habits()["frames"].get(name)) is not None:
                return partial(self.to_frame, same)
            how = f": use {use}" if name[:1] != "_" and (use := habits()["results"].get(name)) else ""
            message = f"{type(self).__name__!r} object has no attribute {name!r}{how}"
            raise AttributeError(message)

    def _repr_html_(self) -> str:
        """Write the result for a notebook, without a script."""
        return cast("str", reports("html")(self))

    def to_frame(self, backend: str = "pandas") -> Any:  # noqa: ANN401 - a frame of any library
        """Make a data frame.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow".

        Returns
        -------
        DataFrame
            The rows that a notebook shows, all of them, with numbers in full; of a comparison one row per run
            and measure, of a confusion matrix one per entry that is not 0, of a study one per correlation and
            two measures, of an ontology or a hierarchy one per link.

        Raises
        ------
        InputError
            If the library is not installed.
        """
        return reports("frame")(self, backend)


class Paged(Shown):
    """Base of results with a page that has no other options than its words."""

    def report(
        self, *, title: str | None = None, description: str | None = None, author: str | None = None
    ) -> Page:
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        title
            Title of the page.
        description, author
            Words below the title; an empty line begins a new paragraph.

        Returns
        -------
        Page
            The page: a text of HTML; ``.save(path)`` writes the file, and a notebook shows it in a frame.
        """
        return page_of(self, title=title, description=description, author=author)


def axes_of(figure: str, result: object, **options: object) -> Axes:
    """Draw a figure of `ontoeval.figures`."""
    return cast("Axes", getattr(reports("figures"), figure)(result, **options))


class Plotted(Shown):
    """Base of results with a hierarchy that one figure shows best."""

    def plot(self, *, show: Show | None = None, ax: Axes | None = None) -> Axes:
        """Draw the figure that shows the result best, `ontoeval.figures.icicle`, by matplotlib.

        Parameters
        ----------
        show
            How concepts are named: by "label", by name ("id"), or by "both".
        ax
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            A notebook shows them as a picture.

        Raises
        ------
        MissingExtraError
            If the extra "figures" is not installed.
        """
        return axes_of("icicle", self, show=show, ax=ax)
