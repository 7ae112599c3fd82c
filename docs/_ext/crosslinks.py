"""Code that names a measure, an object or a command links to the page of it, once a page."""

import re

from docutils import nodes
from objects import listed

from ontoeval.cli import COMMANDS
from ontoeval.measures.catalogue import CATALOGUE


def pages_of(source):
    """Page of each text that is a link."""
    pages = {name: f"reference/api/{file}" for name, file in listed(source).items()}
    pages |= {f"ontoeval {name}": f"reference/cli/{name}" for name in COMMANDS}
    return pages | {entry.symbol: f"reference/measures/{entry.symbol}" for entry in CATALOGUE}


def add_links(app, doctree, here):
    """Link the first occurrence of each text, unless it is a link or a title already."""
    pages = pages_of(app.srcdir)
    taken = {here}
    for literal in list(doctree.findall(nodes.literal)):
        text = re.sub(r"\(\)$", "", literal.astext())
        page = pages.get(text)
        inside = literal.parent
        while inside is not None and not isinstance(inside, nodes.reference | nodes.title):
            inside = inside.parent
        if page is None or inside is not None or page in taken:
            continue
        taken.add(page)
        link = nodes.reference("", "", internal=True, refuri=app.builder.get_relative_uri(here, page))
        literal.replace_self(link)
        link += literal


def setup(app):
    """Connect."""
    app.connect("doctree-resolved", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
