"""A page for each public object, and the lists of docs/api.md with what each object is for."""

import inspect
import re
import sys
import textwrap
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal, get_args, get_origin

from measures import cited, remove_others, write_if_new
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging
from sphinx.util.inspect import stringify_signature
from sphinx.util.typing import stringify_annotation

FOLDER = "reference/api"
LISTED = re.compile(r"^- `((?:oe|ontoeval)\.[\w.]+)`$", re.MULTILINE)
ROOMS = "core concepts measures evaluation confusion comparison labels ontology annotators audit"
MODULES = ["ontoeval", *(f"ontoeval.{room}" for room in ROOMS.split())]
"""Modules whose every public object is listed."""

CONSTRUCTED = {
    "AgreementOptions",
    "AnnotationReading",
    "Bootstrap",
    "Changes",
    "Exclusion",
    "LabelCost",
    "LabelCosts",
    "LabelFrequencies",
    "LabelReading",
    "Layout",
    "NameOptions",
    "OntoevalMetric",
    "OntologyScore",
    "Plan",
    "PropensityGainAt",
    "PropensityPrecisionAt",
    "Requirement",
    "Scorer",
    "Vocabulary",
}
"""Classes that programs call; all others are made by functions and constructors such as `from_sets`."""

MEMBERS = {
    "OntoevalMetric": "higher_is_better, update, compute, set_dtype",
    "Scorer": "greater_is_better, score",
    "AgreementOptions": None,
    "Basis": None,
    "BenchmarkResults": None,
    "Change": None,
    "Check": None,
    "Consensus": None,
    "DawidSkene": None,
    "LabelCost": None,
    "LabelCosts": None,
    "LabelFrequencies": "from_labels",
    "Layout": None,
    "OntologyScore": None,
    "PropensityGainAt": None,
    "PropensityPrecisionAt": None,
    "SetDistance": None,
    "Source": None,
}
"""Members of classes that have others, which users do not call: names, or None for no members."""

LONGEST = 50
"""Characters of an annotation or a default value that a signature of 84 columns has room for."""

INTERNAL = "amount, derive, draw, in_order, remade, required_hierarchy, row"


def imported_from(name):
    """Write the name by which Python imports an object."""
    whole = re.sub(r"^oe\.", "ontoeval.", name)
    return whole.replace("ontoeval.figures.", "ontoeval.reports.figures.").replace(
        "ontoeval.ontologies.", "ontoeval.ontology.ontologies."
    )


def load(name):
    """Import an object."""
    home, _, own = imported_from(name).rpartition(".")
    return getattr(import_module(home), own)


@cache
def listed(source):
    """Names of docs/api.md, and the page of each: some file systems take Study for study."""
    names = LISTED.findall(Path(source, "api.md").read_text(encoding="utf-8"))
    pages = {}
    for name in names:
        taken = {page.lower() for page in pages.values()}
        pages[name] = name if name.lower() not in taken else f"{name}-2"
    return pages


def summary_of(name):
    """First sentence of the docstring; of data, of the text that follows the assignment."""
    one = load(name)
    text = inspect.getdoc(one) if inspect.isclass(one) or inspect.isroutine(one) else data_text(name, one)
    first = (text or "").partition("\n\n")[0].replace("\n", " ")
    return cited(first, "{cite:%s}`%s`")


def in_short(name):
    """Cut the summary at its first comma, colon or semicolon, if at least three words are left."""
    summary = summary_of(name)
    first = re.split(r"[,:;](?= )", summary)[0]
    return first.removesuffix(".") if len(first.split()) > 2 else summary  # noqa: PLR2004


def data_text(name, value):
    """Find the text that follows the assignment of a table of the package."""
    own = name.rpartition(".")[2]
    for home, module in sorted(sys.modules.items()):
        if home.startswith("ontoeval.") and vars(module).get(own) is value:
            lines = ModuleAnalyzer.for_module(home).find_attr_docs().get(("", own))
            if lines:
                return "\n".join(lines).strip()
    return ""


def data_page(name, value):
    """Describe a table of the package: what it holds, and its keys."""
    text = textwrap.indent(data_text(name, value), "   ")
    keys = [key for key in value if isinstance(key, str)]
    return [f".. py:data:: {imported_from(name)}", "", text, "", *(f"   - ``{key}``" for key in keys)]


def page(name):
    """Write the page of an object."""
    one, whole = load(name), imported_from(name)
    if inspect.isclass(one):
        members = MEMBERS.get(one.__name__, "")
        lines = [f".. autoclass:: {whole}"]
        if members is not None:
            hidden = ", ".join([INTERNAL, *getattr(one, "_fields", ())])  # a named tuple's, without texts
            lines += [f"   :members: {members}", f"   :exclude-members: {hidden}"]
        if members is not None and re.fullmatch(r"ontoeval\.(core\.)?\w+", whole):
            lines.append("   :inherited-members: BaseException, Sequence, PickledByFields")
    elif inspect.isroutine(one):
        lines = [f".. autofunction:: {whole}"]
    else:
        lines = data_page(name, one)
    body = "\n".join(lines)
    return (
        f"---\norphan: true\n---\n\n# `{name}`\n\n```{{eval-rst}}\n{body}\n```\n\n"
        "Other objects: [Python API by task](../../api.md).\n"
    )


def write_pages(app):
    """Write the page of every object, and warn of public ones without."""
    pages = listed(app.srcdir)
    remove_others(Path(app.srcdir, FOLDER), pages.values())
    for name, file in pages.items():
        write_if_new(Path(app.srcdir, FOLDER, f"{file}.md"), page(name))
    known = {imported_from(name) for name in pages}
    for module in MODULES:
        home = import_module(module)
        for own in home.__all__:
            if inspect.ismodule(getattr(home, own)) or own == "__version__" or f"{module}.{own}" in known:
                continue
            logging.getLogger(__name__).warning("api.md does not list %s.%s", module, own)


def link_names(app, docname, source):
    """Link the names of the lists to their pages, with what they are for."""
    if docname == "api":
        pages = listed(app.srcdir)
        source[0] = LISTED.sub(
            lambda name: f"- [`{name[1]}`]({FOLDER}/{pages[name[1]]}.md): {in_short(name[1])}".rstrip(": "),
            source[0],
        )


def annotation_of(text, names):
    """Write an annotation as the source has it, with the values of choices in place of their name."""
    text = re.sub(r"^Annotated\[(.*?),\s*\w+(\(.*\))?\]$", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"\bnp\.(random\.)?|\bos\.", "", text.replace("NDArray[np.float64]", "Numbers"))

    def spelt(word):
        choice = names.get(word[0])
        return f"Literal{list(get_args(choice))}" if get_origin(choice) is Literal else word[0]

    long = re.sub(r"\b[A-Z]\w+\b", spelt, text)
    return long if len(long) <= LONGEST else text


def shorten(app, what, name, obj, options, signature, return_annotation):
    """Write signatures by the names that the source uses, not by what these stand for."""
    if signature is None or what not in {"class", "function", "method"}:
        return None
    if what == "class" and obj.__name__ not in CONSTRUCTED:
        return "", None
    try:
        made = inspect.signature(obj)
    except ValueError:
        return None
    names = vars(import_module(obj.__module__)) | getattr(inspect.unwrap(obj), "__globals__", {})
    new = []
    for one in made.parameters.values():
        kind, default = one.annotation, one.default
        kind = annotation_of(kind, names) if isinstance(kind, str) else kind
        default = default if default is inspect.Parameter.empty else Named(default_of(default))
        if what != "method" or one.name not in {"self", "cls"}:
            new.append(one.replace(annotation=kind, default=default))
    returned = made.return_annotation
    if isinstance(returned, str):
        returned = annotation_of(returned, names)
    made = made.replace(parameters=new, return_annotation=inspect.Signature.empty)
    text = stringify_signature(made, unqualified_typehints=True)
    if what == "class" or returned is inspect.Signature.empty:
        return text, None
    return text, stringify_annotation(returned, "smart") if not isinstance(returned, str) else returned


def default_of(value):
    """Write a default value; a long one as the call of its class, or as three dots."""
    text = value.__name__ if inspect.isfunction(value) else repr(value)
    if len(text) <= LONGEST:
        return text
    made = type(value)
    whole = isinstance(value, (tuple, list, dict, str)) or value != made()
    return "..." if whole else f"{made.__name__}()"


class Named:
    """A default value that is shown by name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def setup(app):
    """Connect."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", link_names)
    app.connect("autodoc-process-signature", shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
