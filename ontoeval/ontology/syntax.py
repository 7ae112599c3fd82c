"""Recognise the syntax of a file by its content, not by its suffix."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from pathlib import PurePath
from shlex import quote

from ontoeval.errors import InputError
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.safety import root_element
from ontoeval.ontology.tables import are_paths, holds_links, is_edge_list, is_level_table, is_tree_numbers
from ontoeval.ontology.triples import OWL, RDF, ROW
from ontoeval.plumbing.files import File, compression_of
from ontoeval.plumbing.text_checks import to_convert, utf8_of, wide_encoding

READ = (
    f"Ontologies are read from {', '.join(SYNTAXES.values())}, OBO, JSON, and tables: call the column "
    "of the concepts 'child' and that of what stands above 'parent'. Where each row is a path such as "
    "plants/trees, name the format (input_format=, --ontology-format): paths."
)
_AGAIN = "Fetch it again, or name another one."
_HEAD = 65_536  # characters that most rules look at
_LINES = 50

_COMMENTS = re.compile(r"(?:\s++|[#!][^\n]*+)*+")
_WEB_PAGE = re.compile(
    r"(?:<\?xml[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s++)?html\b", re.IGNORECASE | re.DOTALL
)
# An IRI of Turtle stands in the same bracket; but a root element that matters binds a namespace, so after
# its name there is a blank.
_XML = re.compile(r"<(?:[?!]|(?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*(?:\s|/>))")
_TRIX = "http://www.w3.org/2004/03/trix/trix-1/"
_HEXTUPLE = re.compile(  # an IRI or blank node, an IRI, and four texts in a row of their own
    r'\[ *"[^"\n]*:[^"\n]*" *, *"[^"\n]*:[^"\n]*"(?: *, *"(?:[^"\\\n]|\\.)*"){4} *\][ \r]*(?:\n|\Z)'
)
_JSON = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[]")
_OBO = re.compile(
    r"\s*(?:format-version|data-version|default-namespace)\s*:|.*?^\[(?:Term|Typedef)\]\s*$",
    re.MULTILINE | re.DOTALL,
)
_AS_TABLE = (
    "Write the hierarchy as a table with the columns parent and child; networkx reads most formats of "
    "graphs, and networkx.write_edgelist writes what is read here."
)
_AS_COLUMNS = "Write its hierarchy as a table with the columns parent and child."
_REFUSED = [  # beginnings, each with what the file is and the remedy; without one, robot converts the file
    (re.compile(pattern, re.IGNORECASE if remedy else 0), f"{name}, which is not read", remedy)
    for pattern, name, remedy in (
        (r"(?:Prefix|Ontology|Document|Import)\s*\(", "the file is written in OWL functional syntax", ""),
        (
            r"(?:Prefix|Namespace|Ontology|Class|ObjectProperty|DataProperty|Individual)\s*:\s",
            "the file is written in OWL Manchester syntax",
            "",
        ),
        (r"(?:strict\s+)?(?:di)?graph\b[^\n{\[:<]*+\{", "this is a graph of Graphviz (DOT)", _AS_TABLE),
        (r"\*Vertices\b", "this is a network of Pajek", _AS_TABLE),
        (r"%YAML|---\s|[^\s:#]+:[ \r]*\n(?:[ ]+\S|- )", "the file is written in YAML", _AS_COLUMNS),
        (r"(?:\s*+%[^\n]*+)*+\s*+@relation\b", "this is ARFF", _AS_COLUMNS),
    )
]
_MULAN = "http://mulan.sourceforge.net/labels"
_SUBJECTS = re.compile(r"<[^<>\s]+>\t[^<\t\n][^\t\n]*(?:\n|$)")
_CLOSED = re.compile(r"<([A-Za-z_][\w.-]*)>")
# No prefixed name can come first: its prefix must be bound before.
_TURTLE = re.compile(r"@|prefix\s+\S*:|base\s*<|graph\s+\S+\s*\{|[<\[({]|_:\S", re.IGNORECASE)


_FORMS = (
    (are_paths, "paths"),
    (is_tree_numbers, "mtrees"),
    (is_level_table, "levels"),
    (is_edge_list, "edges"),
)


def recognise(data: bytes, *, where: str) -> str:
    """Recognise the syntax of a file, or refuse it."""
    head = _decode_head(data, where=where)
    if _WEB_PAGE.match(head):
        raise InputError(
            "this is a web page (HTML), not an ontology",
            "Save the file that the page shows or links to, often behind a link named 'raw' or 'download'.",
        )
    closed = _CLOSED.match(head)
    if _XML.match(head) or (closed and f"</{closed[1]}>".encode() in data):
        return _xml(data, where=where)
    content = unix_lines(decode_text(data, where=where))
    if _HEXTUPLE.match(content.lstrip()):
        return "hext"
    if _JSON.match(content.lstrip()):
        return "jsonld" if re.search(rb'"@(context|id|graph|type)"\s*:', data) else "json"
    comments = _COMMENTS.match(content)
    begin = comments.end() if comments else 0
    if begin == len(content):
        raise InputError("the file holds nothing but comments", _AGAIN)
    return _recognise_text(content[begin:], where=where)


def body_of(file: File) -> bytes:
    """Bytes of a file without its mark, in UTF-8 where they are text; XML declares its own encoding."""
    is_text = wide_encoding(file.data) == "UTF-16" and not _decode_head(
        file.data, where=file.where
    ).startswith("<?xml")
    return utf8_of(file.data, where=file.where) if is_text else file.data.removeprefix(BOM_UTF8)


def decode_text(data: bytes, *, where: str) -> str:
    """Decode UTF-8; refuses other encodings, and two files that were joined."""
    return utf8_of(data, where=where).decode()


def unix_lines(content: str) -> str:
    """End rows by a line feed alone."""
    return content.replace("\r\n", "\n").replace("\r", "\n") if "\r" in content else content


def _decode_head(data: bytes, *, where: str) -> str:
    """Decode the beginning of a file, with replacements for invalid UTF-8."""
    if not data.strip():
        raise InputError("the file is empty", _AGAIN)
    refuse_binary(data, where=where)
    return data[:_HEAD].decode(wide_encoding(data) or "utf-8", errors="replace").lstrip()


def refuse_binary(data: bytes, *, where: str) -> None:
    """Refuse a binary file by its beginning; UTF-16 is text."""
    if packer := compression_of(data):
        raise InputError(f"the file is compressed ({packer})", "Unpack it first.")
    wide = wide_encoding(data)
    if wide == "UTF-32":  # which no parser takes
        raise to_convert(wide, where=where)
    if b"\0" in data[:_HEAD] and not wide:
        raise InputError("this is no text file", "Name a file of text.")


def _recognise_text(content: str, *, where: str) -> str:
    """Recognise syntaxes that are neither XML nor JSON."""
    head = content[:_HEAD]
    for pattern, name, remedy in _REFUSED:
        if pattern.match(head):
            raise InputError(name, remedy or _conversion(where))
    if _SUBJECTS.match(head):
        raise InputError(
            "these are subjects of Annif, each with its label, without parents",
            "Name the vocabulary that they come from, as SKOS.",
        )
    if _OBO.match(head):
        return "obo"
    if not _TURTLE.match(head):
        for is_form, form in _FORMS:
            if is_form(head):
                return form
        if holds_links(content):
            return "edges"
        raise InputError(f"the syntax is not recognised; it begins with {head[:40]!r}", READ)
    lines = [line for line in head.split("\n")[:_LINES] if not _COMMENTS.fullmatch(line)]
    rows = [ROW.fullmatch(line) for line in (lines[:-1] or lines)]  # the last may be cut off
    if not all(rows):
        return "turtle"
    return "nquads" if any(row and row["graph"] for row in rows) else "ntriples"


def _xml(data: bytes, *, where: str) -> str:
    namespace, name, attributes = root_element(data)
    # Any element may be the root of RDF/XML, as long as it describes a resource.
    if (namespace, name) == (RDF, "RDF") or RDF in attributes:
        return "rdfxml"
    if namespace == _TRIX:
        return "trix"
    if (namespace, name) == (OWL, "Ontology"):
        raise InputError("the file is written in OWL/XML, which is not read", _conversion(where))
    if (namespace, name) == (_MULAN, "labels"):
        return "mulan"
    raise InputError(f"this is XML, but not RDF/XML: its root element is {name!r}", READ)


def _conversion(where: str) -> str:
    path = PurePath(where)
    output = path.with_suffix(".ttl")
    if output == path:
        output = path.with_name(f"{path.stem}-converted.ttl")
    return f"Convert it with: robot convert --input {quote(where)} --output {quote(str(output))}"
