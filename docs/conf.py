"""How Sphinx builds the manual: Markdown pages, the API from docstrings, references from references.bib."""

import sys
import tomllib
from pathlib import Path

from ontoeval import __version__ as release

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ontoeval"
author = "ontoeval contributors"
copyright = author
version = release

extensions = [
    "commands",
    "crosslinks",
    "mathml",
    "measures",
    "myst_parser",
    "numpydoc",
    "objects",
    "pictures",
    "rules",
    "searching",
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

default_role = "py:obj"  # of docstrings
copybutton_line_continuation_character = "\\"
copybutton_only_copy_prompt_lines = True
copybutton_prompt_is_regexp = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
maximum_signature_line_length = 48  # and the name of the module before it
html_copy_source = False
html_css_files = ["manual.css"]
html_domain_indices = False
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_theme = "furo"
html_use_index = False
smartquotes = False  # notations are there to be copied


def link_references(app, what, name, obj, options, lines):
    """Make references of keys."""
    from measures import cited

    lines[:] = cited("\n".join(lines), ":cite:%s:`%s`").split("\n")


def shorten_navigation(app, page, template, context, doctree):
    """Name only the chapters beside a generated page: the whole tree is half of its size."""
    if page.startswith(("decisions/", "reference/")) and (toctree := context.get("toctree")):
        context["toctree"] = lambda **options: toctree(**options | {"collapse": True, "maxdepth": 1})


def setup(app):
    """Connect, ahead of numpydoc, which would take the key for a footnote."""
    app.connect("autodoc-process-docstring", link_references, priority=400)
    app.connect("html-page-context", shorten_navigation, priority=400)  # ahead of furo
