"""Formulas as MathML, made while the manual is built: browsers draw them without a script."""

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util.math import get_node_equation_number

NAMES = re.compile(r"(\\text|\\mathrm)\{[^}]*\}|(?<![\\A-Za-z])(?:[A-Za-z]{3,}|[A-Z]{2,})(?![A-Za-z])")
"""Names of several letters; what is upright already comes first."""


def mathml(tex, display="inline"):
    """Convert a formula of TeX, names of several letters upright."""
    upright = NAMES.sub(lambda name: name[0] if name[1] else rf"\text{{{name[0]}}}", tex)
    made = convert(re.sub(r"\s+", " ", upright), display=display)
    return made.replace("<mi>&#x029F5;</mi>", "<mo>&#x2216;</mo>")  # \setminus is an operator


def visit_math(self, node):
    """Write a formula within a line."""
    self.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def visit_math_block(self, node):
    """Write a formula of its own, which is scrolled where it is wider than the page."""
    self.body.append(self.starttag(node, "div", CLASS="formula"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})</span>')
    self.body.append(mathml(node.astext(), "block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    """Add the renderer."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
