"""How Sphinx builds the manual: Markdown pages, the API from docstrings, references from references.bib."""

import re
import sys
import tomllib
from pathlib import Path

from ontoeval import __version__ as release
from ontoeval.comparison.pitfalls import PITFALLS, find_pitfalls
from ontoeval.errors import OntoevalError
from ontoeval.measures.catalogue import CATALOGUE, FAMILIES
from ontoeval.reports.catalogue import one_measure
from ontoeval.reports.formats import table_of, to_markdown
from ontoeval.reports.notebook import links

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ontoeval"
author = "ontoeval contributors"
copyright = author
version = release

extensions = [
    "mathml",
    "myst_parser",
    "numpydoc",
    "pictures",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build", "_drawn"]

autodoc_member_order = "bysource"
bibtex_bibfiles = ["../ontoeval/references.bib"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False  # autodoc lists them
with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
    numpydoc_validation_checks = set(tomllib.load(file)["tool"]["numpydoc_validation"]["checks"])

copybutton_only_copy_prompt_lines = True
copybutton_prompt_is_regexp = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
html_css_files = ["manual.css"]
html_domain_indices = False
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_theme = "furo"
html_use_index = False
smartquotes = False  # notations are there to be copied



def link_references(app, what, name, obj, options, lines):
    """Let `[nowak2009]_`, which reads well in a terminal, refer to that entry of references.bib."""
    lines[:] = [re.sub(r"\[([a-z]+\d{4}[a-z]?)\]_", r":cite:t:`\1`", line) for line in lines]


PITFALLS_HERE = """
The second table of a measure has the smallest [pitfall](perturbation.md#pitfalls) found for each axiom,
on a small tree. Not every axiom is wanted of every measure, and finding nothing proves nothing.
"""
SMALL_TREE = list(zip("aabbccddf", "bcdefghij", strict=True))


def pitfalls_of(symbol):
    """Write a table of the smallest case that is found against each axiom on a small tree."""
    try:
        found = find_pitfalls(symbol, hierarchy=SMALL_TREE, axioms=PITFALLS)
    except OntoevalError:  # no measure of label sets, or one that needs more than a tree
        return ""
    rows = [
        (
            one.axiom,
            one.worse_score,
            one.better_score,
            *map(sets_of, (one.truth, one.worse, one.better)),
            links_of(one),
        )
        for one in found.pitfalls
    ]
    titles = ("axiom", "worse", "better", "truth", "worse labels", "better labels", "links")
    return to_markdown(table_of("", titles, rows)) + "\n" if rows else ""


def sets_of(side):
    """Write the labels of each sample."""
    return "; ".join(", ".join(side.labels_of(sample)) or "nothing" for sample in side.samples)


def links_of(found):
    """Write the links of a hierarchy, from parent to child."""
    return ", ".join(f"{parent} → {child}" for child, parent in links(found.hierarchy).rows if parent)


def write_catalogue(app):
    """Write a page about every measure from what the catalogue says of it."""
    parts = ["# Catalogue of measures\n\nAs `ontoeval measures SYMBOL` prints it.", PITFALLS_HERE]
    for family, what in FAMILIES.items():
        parts.append(f"## Measures of {what}\n")
        for entry in CATALOGUE:
            if entry.family == family:
                table = to_markdown(one_measure(entry.symbol))
                parts.append(f"### `{entry.symbol}`: {entry.title}\n\n{table}\n{pitfalls_of(entry.symbol)}")
    page = Path(app.srcdir, "catalogue.md")
    text = "\n".join(parts)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app):
    """Connect, ahead of numpydoc, which would take the key for a footnote."""
    app.connect("builder-inited", write_catalogue)
    app.connect("autodoc-process-docstring", link_references, priority=400)
