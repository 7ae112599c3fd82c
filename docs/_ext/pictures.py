"""Pages whose code the build runs: pictures and tables from the code beside them, and a notebook to download.

A page of `docs/tutorials` or `docs/gallery` has two kinds of code blocks. A block `python` is a doctest: what
it prints must be what the page shows; where the page shows nothing, the last value is inserted as a table. A
block `{picture}` binds `ax`, and the picture is inserted with the text of its option `:alt:`.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, DocTestParser, Example, OutputChecker
from io import StringIO
from pathlib import Path

from ontoeval.reports.paper import style

FOLDERS = ("tutorials", "gallery")
DRAWN = "_drawn"
"""Folder for pictures and notebooks inside the sources, since Sphinx looks for them there."""

THUMBNAILS = "<!-- thumbnails -->"
"""What stands in a page for all pictures."""

BLOCK = re.compile(r"^```(python|\{picture\})\n((?::alt: [^\n]*\n)?)(.*?)^```\n", re.DOTALL | re.MULTILINE)
DOWNLOAD = re.compile(r"\{download\}`[^`<]*<([^>]+)>`")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!http)[^)]*\)|\{[a-z:]+\}`([^`<]+?)(?: <[^>]*>)?`")


class PageError(Exception):
    """Code of a page that fails, prints something else, or draws nothing."""


@dataclass(frozen=True)
class Cell:
    """Statements that a notebook runs at once, and what they print."""

    code: str
    printed: str


@dataclass(frozen=True)
class Block:
    """Code block of a page: its text, its cells, and the alternative text of its picture."""

    shown: str
    cells: tuple[Cell, ...]
    alt: str | None


def parts_of(text: str) -> list[str | Block]:
    """Split a page into texts and code blocks."""
    parts: list[str | Block] = []
    end = 0
    for match in BLOCK.finditer(text):
        kind, alt, shown = match.groups()
        parts += [text[end : match.start()], Block(shown, tuple(_cells(shown)), None)]
        if kind != "python":
            parts[-1] = Block(shown, tuple(_cells(shown)), alt.removeprefix(":alt:").strip())
        end = match.end()
    return [*parts, text[end:]]


def _cells(shown: str) -> Iterator[Cell]:
    """Split a block behind every statement that prints."""
    code = ""
    for example in DocTestParser().parse(shown):
        if isinstance(example, Example):
            code += example.source
            if example.want:
                yield Cell(code, example.want)
                code = ""
    if code:
        yield Cell(code, "")


def run(cell: Cell, names: dict[str, object]) -> object:
    """Run a cell as a notebook does, check what it prints, and return its last value."""
    tree, out, value = ast.parse(cell.code), StringIO(), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "<page>", "exec"), names)  # noqa: S102 - the page's own code
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)  # noqa: S307 - likewise
            if value is not None and cell.printed:
                out.write(f"{value!r}\n")
    if not OutputChecker().check_output(cell.printed, out.getvalue(), NORMALIZE_WHITESPACE | ELLIPSIS):
        raise PageError(f"{cell.code}\nexpected:\n{cell.printed}\nprinted:\n{out.getvalue()}")
    return value


def run_page(text: str, folder: Path) -> Iterator[tuple[Block, object]]:
    """Run the blocks of a page in an empty folder with the files that the page offers; give their values."""
    import matplotlib.pyplot as plt

    names: dict[str, object] = {"__name__": "__main__"}
    plt.switch_backend("agg")  # no window
    with contextlib.ExitStack() as stack:
        empty = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(contextlib.chdir(empty))
        stack.enter_context(style())
        stack.callback(plt.close, "all")
        for name in DOWNLOAD.findall(text):
            shutil.copy(folder / name, empty)
        for block in parts_of(text):
            if isinstance(block, Block):
                values = [run(cell, names) for cell in block.cells]
                if block.alt is not None and not (block.alt and hasattr(names.get("ax"), "figure")):
                    raise PageError(f"a picture needs :alt: and an `ax` that holds it:\n{block.shown}")
                yield block, values[-1] if block.alt is None else names.pop("ax")


def draw(ax: object, path: Path) -> None:
    """Write a picture as a transparent SVG, its letters as outlines: readers may lack the font."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "ontoeval"}):
        path.parent.mkdir(parents=True, exist_ok=True)
        options = {"transparent": True, "bbox_inches": "tight", "metadata": {"Date": None}}
        ax.figure.savefig(path, format="svg", **options)  # type: ignore[attr-defined]


def notebook(text: str) -> dict[str, object]:
    """Make a notebook of a page, without outputs; links between pages become plain words."""
    cells: list[dict[str, object]] = []
    for part in parts_of(text):
        if isinstance(part, Block):
            show = "" if part.alt is None else "\nax"
            sources = [("code", cell.code.rstrip()) for cell in part.cells]
            sources[-1] = ("code", sources[-1][1] + show)
        else:
            sources = [("markdown", LINK.sub(lambda found: found[1] or found[2], part).strip())]
        for kind, source in sources:
            more = {"execution_count": None, "outputs": []} if kind == "code" else {}
            own = {"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}, "source": source, **more}
            cells += [own] if source else []
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def made_page(page: Path, drawn: Path) -> str:
    """Run a page, draw its pictures and write its notebook into a folder; return the page with both in it."""
    text, name = page.read_text(encoding="utf-8"), f"{page.parent.name}-{page.stem}"
    text = text.replace(THUMBNAILS, "\n".join(thumbnails(page.parents[1])))
    up = os.path.relpath(drawn, page.parent).replace(os.sep, "/")
    values, made = run_page(text, page.parent), []
    for number, part in enumerate(parts_of(text)):
        made.append(part if isinstance(part, str) else f"```python\n{part.shown}```\n")
        if isinstance(part, Block):
            _, value = next(values)
            if part.alt is not None:
                draw(value, drawn / f"{name}-{number}.svg")
                options = f":alt: {part.alt}\n:class: drawn"
                made.append(f"\n```{{image}} {up}/{name}-{number}.svg\n{options}\n```\n")
            elif not part.cells[-1].printed and hasattr(value, "_repr_html_"):
                made.append(f'\n<div class="shown">\n{_one_block(value._repr_html_())}\n</div>\n')
    with contextlib.suppress(StopIteration):  # the folder goes
        next(values)
    if len(made) == 1:
        return text
    drawn.mkdir(parents=True, exist_ok=True)
    (drawn / f"{name}.ipynb").write_text(json.dumps(notebook(text), indent=1), encoding="utf-8")
    link = f"\n{{download}}`Download this page as a notebook <{up}/{name}.ipynb>`\n"
    return re.sub(r"^# .*\n", lambda title: title[0] + link, "".join(made), count=1, flags=re.MULTILINE)


def thumbnails(docs: Path) -> Iterator[str]:
    """List the pictures of all pages that run, each under its heading, with a link to its code."""
    yield '<div class="thumbnails">'
    for page in (page for folder in FOLDERS for page in sorted(docs.joinpath(folder).glob("*.md"))):
        heading, folder = "", page.parent.name
        for number, part in enumerate(parts_of(page.read_text(encoding="utf-8"))):
            if isinstance(part, str):
                heading = [heading, *re.findall(r"^#+ (.*)", part, re.MULTILINE)][-1]
            elif part.alt is not None:
                anchor = re.sub("[^a-z0-9]+", "-", heading.lower()).strip("-")
                place = f"../{folder}/{page.stem}.html#{anchor}"
                image = f"../_images/{folder}-{page.stem}-{number}.svg"
                alt = part.alt.replace('"', "&quot;")
                yield f'<a href="{place}"><img class="drawn" src="{image}" alt="{alt}">{heading}</a>'
    yield "</div>"


def _one_block(html: str) -> str:
    """Take out empty lines, at which Markdown would end a block of HTML."""
    return re.sub(r"\n\s*\n", "\n", html)


def setup(app):
    """Run pages when Sphinx reads them."""
    from sphinx.errors import ExtensionError

    def read(app, name, source) -> None:
        page = Path(app.srcdir, f"{name}.md")
        if page.parent.name in FOLDERS:
            try:
                source[0] = made_page(page, Path(app.srcdir, DRAWN))
            except Exception as error:
                raise ExtensionError(f"{page}: {error}", error) from error

    app.connect("source-read", read)
    app.add_css_file("pictures.css")
    return {"parallel_read_safe": True}
