"""How Sphinx builds the manual: Markdown pages, the API from docstrings, references from references.bib."""

import re
import tomllib
from pathlib import Path

from ontoeval import __version__ as release
from ontoeval.measures.catalogue import CATALOGUE, FAMILIES
from ontoeval.reports.catalogue import one_measure
from ontoeval.reports.formats import to_markdown

project = "ontoeval"
author = "ontoeval contributors"
copyright = author
version = release

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build"]

autodoc_member_order = "bysource"
bibtex_bibfiles = ["../ontoeval/references.bib"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False  # autodoc lists them
with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
    numpydoc_validation_checks = set(tomllib.load(file)["tool"]["numpydoc_validation"]["checks"])

html_css_files = ["manual.css"]
html_static_path = ["_static"]
html_theme = "furo"
smartquotes = False  # notations are there to be copied


def link_references(app, what, name, obj, options, lines):
    """Let `[nowak2009]_`, which reads well in a terminal, refer to that entry of references.bib."""
    lines[:] = [re.sub(r"\[([a-z]+\d{4}[a-z]?)\]_", r":cite:t:`\1`", line) for line in lines]


def write_catalogue(app):
    """Write a page about every measure from what the catalogue says of it."""
    parts = ["# Catalogue of measures\n\nAs `ontoeval measures SYMBOL` prints it.\n"]
    for family, what in FAMILIES.items():
        parts.append(f"## Measures of {what}\n")
        for entry in CATALOGUE:
            if entry.family == family:
                table = to_markdown(one_measure(entry.symbol))
                parts.append(f"### `{entry.symbol}`: {entry.title}\n\n{table}")
    page = Path(app.srcdir, "catalogue.md")
    text = "\n".join(parts)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app):
    """Connect, ahead of numpydoc, which would take the key for a footnote."""
    app.connect("builder-inited", write_catalogue)
    app.connect("autodoc-process-docstring", link_references, priority=400)
