"""How results show themselves; `ontoeval.reports` is the only import from a lower room to a higher one."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator
from functools import partial
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from ontoeval.core.names import Show
from ontoeval.errors import Late, habits, unknown_attribute
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.writing import write_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FrameRows = Literal["sample", "concept"]
"""What the rows of a frame are, where they are not those that a notebook shows."""


def reports(name: str) -> Any:  # noqa: ANN401 - whatever function has this name
    """Import `ontoeval.reports`, only when a result is shown, and return its function of this name."""
    return getattr(import_module("ontoeval.reports"), name)


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


class _AnsweringType(ABCMeta):
    """Class whose constructors have other names in other libraries, which are answered by the call here."""

    def __getattr__(cls, name: str) -> object:
        """Answer a constructor that the class does not have."""
        if text := habits()["functions"].get(f"{cls.__name__}.{name}"):
            return import_module("ontoeval.core.advice").OtherName(name, text)
        message = f"type object {cls.__name__!r} has no attribute {name!r}"
        raise AttributeError(message)


class Answering:
    """Base of what is no data frame: attributes of other libraries are answered by the call that has them.

    `as_frame`, if a type has it, is the call that makes a data frame in place of `to_frame`.
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a frame of any library
            """Make the frame of a library, or name the call that gives what frames and other results have."""
            if (same := habits()["frames"].get(name)) is not None and hasattr(type(self), "to_frame"):
                return partial(self.to_frame, same)
            raise AttributeError(Late(lambda: unknown_attribute(self, name, self._meant(name))))

    def _meant(self, name: str) -> str:  # noqa: ARG002 - of results that know others
        """Name what a result of this kind has in place of an attribute."""
        return ""


class Brief(Answering, metaclass=_AnsweringType):
    """Base of large values: the text of each is one line that names the type and counts its parts."""

    @property
    def _brief(self) -> str:
        """Text in brackets after the name of the class."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Name the type and count the parts, in one line."""
        return f"{type(self).__name__}({self._brief})"


class Shown(Brief):
    """Base of results: each is a line, a table where it is printed, HTML in a notebook, and a data frame."""

    if not TYPE_CHECKING:

        def __getitem__(self, key: object) -> None:
            """Name the call that looks up a row or a column."""
            raise unknown_attribute(self, "[...]", error=TypeError)

        def __iter__(self) -> Iterator[dict[str, Any]]:
            """Go through the rows of the frame, so that any library makes a frame of a result."""
            table = reports("table_framed")(self)
            return (dict(zip([one.title for one in table.columns], row, strict=True)) for row in table.rows)

        def __round__(self, digits: int = 0) -> None:
            """Name the call that rounds."""
            raise unknown_attribute(self, "round(...)", error=TypeError)

    def __str__(self) -> str:
        """Write the table as aligned text."""
        return cast("str", reports("text")(self))

    def _repr_html_(self) -> str:
        """Write the result for a notebook, without a script."""
        return cast("str", reports("html")(self))

    def to_frame(self, backend: str = "pandas", *, rows: FrameRows | None = None, **others: str) -> Any:  # noqa: ANN401 - a frame of any library
        """Make a data frame.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow"; or what `rows` takes.
        rows
            Of an evaluation or a comparison: "sample", one row per sample with its score by each measure; or
            "concept", one row per concept with its counts, P, R, F and its scores by measures.
        **others
            Words that other libraries have for `rows`, such as ``per="sample"``.

        Returns
        -------
        DataFrame
            The rows that a notebook shows, all of them, with numbers in full, and those of the parts that
            ``by=`` cuts; of a comparison one row per run, with a column per measure and one for the kind:
            run, baseline or oracle (``tables()["scores"].to_frame()`` has one row per run and measure), of a
            confusion matrix one row and column per concept (`ConfusionMatrix.to_long` has one row per entry
            that is not 0), of a study one per correlation and two measures, of an ontology or a hierarchy one
            per link. In pandas, samples or concepts are the index, too, as integers if all
            names are whole numbers.

        Raises
        ------
        InputError
            If the library is not installed.
        ParameterError
            If a result has no such rows.
        """
        return reports("frame")(self, backend, rows, **others)


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
    """Draw a figure of `ontoeval.figures`, which pyplot shows and saves."""
    requires("matplotlib.pyplot", "figures", "A figure")
    drawn: Any = getattr(reports("figures"), figure)(result, **options)
    drawn.ax_, drawn.figure_ = drawn, drawn.figure  # as displays of scikit-learn call them
    return cast("Axes", drawn)


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
