"""Checks of untrusted files before a parser reads them: entities, nesting, literals, contexts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sized
from graphlib import CycleError, TopologicalSorter
from itertools import chain, repeat
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ontoeval.errors import InputError, enumerate_some
from ontoeval.plumbing import json_text
from ontoeval.plumbing.text_checks import LONGEST_FIELD, too_long

# XML --------------------------------------------------------------------------------------------------------

# Editors write namespaces as internal entities, so these must work. What reaches outside the file, or grows
# when it is used, is refused before it can: a kilobyte of entities inside entities fills any memory.

_DEEPEST_ELEMENT = 5_000  # that stand inside each other: parsers check all open ones at each new one
_LONGEST = 1024  # characters that one entity may stand for; namespaces are shorter
_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}
_PROLOG = 65_536  # bytes that are looked at in one step on the way to the first element
_MOST_PER_ELEMENT = 500  # attributes, and namespaces that it sees: parsers compare each with all
_MOST_ADDED = 64 * 2**20  # characters by which entities may lengthen a file
_REFERENCE = re.compile(rb"&([^&;#<>\s]{1,256});")
_UTF_8 = frozenset({"utf-8", "us-ascii", "ascii"})
_WRITE_OUT = "Write out what the entities stand for; for an ontology Protégé does this when it saves."


class _ElementBound:
    """Count attributes, namespaces, depth and text while a file is parsed; refuse elements with too much."""

    def __init__(self, row: Callable[[], int | None]) -> None:
        self._row = row
        self._namespaces = self._depth = self._length = 0

    def begin(self, _name: str, attributes: Sized) -> None:
        """Count an element that begins."""
        self._depth, self._length = self._depth + 1, 0
        self.check(attributes)
        if self._depth > _DEEPEST_ELEMENT:
            raise InputError(
                f"elements are nested more than {_DEEPEST_ELEMENT:,} deep",
                "Nest fewer elements; an ontology can be converted to N-Triples, where nothing is nested.",
            )

    def end(self, _name: str) -> None:
        """Count an element no more."""
        self._depth, self._length = self._depth - 1, 0

    def read(self, text: str) -> None:
        """Count a piece of a text, which comments and CDATA cut."""
        self._length += len(text)
        if self._length > LONGEST_FIELD:
            raise too_long("a text", LONGEST_FIELD, row=self._row())

    def declare(self, *_: object) -> None:
        """Count a namespace that holds from here on."""
        self._namespaces += 1
        self._check(self._namespaces, "namespaces")

    def forget(self, *_: object) -> None:
        """Count a namespace no more."""
        self._namespaces -= 1

    def check(self, attributes: Sized) -> None:
        """Refuse an element with very many attributes."""
        self._check(len(attributes), "attributes")

    def _check(self, count: int, what: str) -> None:
        if count > _MOST_PER_ELEMENT:
            raise InputError(
                f"an element has more than {_MOST_PER_ELEMENT} {what}",
                "Give each element fewer; an ontology can be converted to Turtle or N-Triples.",
                row=self._row(),
            )


def guard(parser: expat.XMLParserType) -> dict[str, str]:
    """Make a parser refuse entities that are external, nested or long."""
    entities: dict[str, str] = {}

    def declared(name: str, parameter: bool, value: str | None, *_: object) -> None:  # noqa: FBT001 - expat's own
        if value is None:
            problem = "is external: nothing outside the file is read"
        elif parameter:
            problem = "is a parameter entity, which is not read"
        elif _PREDEFINED.get(name) == value:
            return
        elif "&" in value or "%" in value:
            problem = "is made of other entities"
        elif len(value) > _LONGEST:
            problem = f"stands for {len(value):,} characters, more than the {_LONGEST:,} that are read"
        else:
            entities.setdefault(name, value)  # the first declaration is the one that holds
            return
        row = parser.CurrentLineNumber
        raise InputError(f"the entity {name!r} {problem}", _WRITE_OUT, row=row)

    parser.EntityDeclHandler = declared
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return entities


def _guarded_parser() -> tuple[expat.XMLParserType, dict[str, str], _ElementBound]:
    parser = expat.ParserCreate(namespace_separator=" ")
    bound = _ElementBound(lambda: parser.CurrentLineNumber)
    parser.StartNamespaceDeclHandler, parser.EndNamespaceDeclHandler = bound.declare, bound.forget
    return parser, guard(parser), bound


def _check_entities(data: bytes) -> None:
    """Refuse entities that are declared elsewhere, or that would make the file much longer.

    Where a declaration points to another file, parsers drop entities that they do not know from
    the attributes silently, and with them half of an IRI.
    """
    if re.search(rb"<!DOCTYPE\s+[^\s\[>]+\s+(SYSTEM|PUBLIC)\s", data[:_PROLOG]):
        declared = {name.decode() for name in re.findall(rb"<!ENTITY\s+([\w.-]+)\s", data)}
        used = {name.decode() for name in re.findall(rb"&([A-Za-z_][\w.-]*);", data)}
        unknown = sorted(used - declared - _PREDEFINED.keys())
        if unknown:
            problem = (
                f"{enumerate_some(unknown)} would have to be declared in another file, which is not read"
            )
            raise InputError(problem, _WRITE_OUT)
    _check_growth(data)


def _check_growth(data: bytes) -> None:
    if b"<!ENTITY" not in data[:_PROLOG]:
        return
    _, entities = _beginning(data)
    # One look at the file, however many entities there are.
    used = Counter(match[1] for match in _REFERENCE.finditer(data))
    added = sum(used[name.encode()] * len(value) for name, value in entities.items())
    if added > _MOST_ADDED:
        problem = f"its entities would lengthen the file by {added / 2**20:,.0f} MiB"
        raise InputError(problem, _WRITE_OUT)


def root_element(data: bytes) -> tuple[str, str, frozenset[str]]:
    """Find namespace, name and namespaces of attributes of the first element, and read no further."""
    (element, attributes), _ = _beginning(data)
    namespace, _, name = element.rpartition(" ")
    return namespace, name, frozenset(key.rpartition(" ")[0] for key in attributes)


def _beginning(data: bytes) -> tuple[tuple[str, dict[str, str]], dict[str, str]]:
    """Read an XML file up to its first element; returns the element and the entities."""
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        bound.check(attributes)
        found.append((name, attributes))

    parser, entities, bound = _guarded_parser()
    # Newer expat waits for far more data before it parses a long element again; here pieces double anyway.
    getattr(parser, "SetReparseDeferralEnabled", lambda _: None)(False)  # noqa: FBT003 - its only argument
    parser.StartElementHandler = start
    begin, step = 0, _PROLOG
    while begin < len(data):
        try:
            parser.Parse(data[begin : begin + step])
        except expat.ExpatError as error:
            if not found:
                raise not_well_formed(expat.ErrorString(error.code), row=error.lineno) from error
        except InputError:
            raise
        except (
            LookupError,
            ValueError,
        ) as error:  # an encoding that does not exist, or that expat cannot read
            raise not_well_formed(str(error)) from error
        if found:
            return found[0], entities
        # A parser begins an element again with each piece.
        begin, step = begin + step, 2 * step
    raise not_well_formed("there is no element in it")


def plain_xml(data: bytes, prefixes: dict[str, str]) -> bytes:
    """Write out the entities of an XML file, drop their declarations, and encode it in UTF-8."""
    _check_entities(data)
    parser, entities, bound = _guarded_parser()
    doctype: list[int] = []
    encodings: list[str | None] = []

    def declare(prefix: str | None, uri: str | None) -> None:
        bound.declare()
        prefixes.setdefault(prefix or "", uri or "")

    parser.StartElementHandler, parser.EndElementHandler = bound.begin, bound.end
    if len(data) > LONGEST_FIELD:  # else no text is that long
        parser.CharacterDataHandler, parser.buffer_text = bound.read, True
    parser.StartNamespaceDeclHandler = declare
    parser.XmlDeclHandler = lambda _version, encoding, _standalone: encodings.append(encoding)
    parser.StartDoctypeDeclHandler = lambda *_: doctype.append(parser.CurrentByteIndex)
    parser.EndDoctypeDeclHandler = lambda: doctype.append(parser.CurrentByteIndex)
    _parse_whole(parser, data)
    is_utf8 = _UTF_8.issuperset(encoding.lower() for encoding in encodings if encoding)
    has_markup = any(set(value) & set("<\"'") for value in entities.values())
    if b"\0" in data[:4] or not is_utf8 or has_markup or (entities and b"<![CDATA[" in data):
        return _rewritten_xml(data)
    if not doctype:
        return data
    # expat reports where the declarations begin, not where their element begins.
    first, last = data.rindex(b"<!DOCTYPE", 0, doctype[0] + len(b"<!DOCTYPE")), doctype[1]
    end = data.index(b">", last) + 1
    values = {name.encode(): value.encode() for name, value in entities.items()}
    body = _REFERENCE.sub(lambda match: values.get(match[1], match[0]), data[end:])
    return data[:first] + b"\n" * data.count(b"\n", first, end) + body  # each row keeps its number


def _rewritten_xml(data: bytes) -> bytes:
    """Write XML as its parser sees it, which takes longer than to replace its entities."""
    pieces: list[str] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        pieces.extend(("<", name, *(f" {key}={quoteattr(value)}" for key, value in attributes.items()), ">"))

    def skip(name: str, _is_parameter: bool) -> None:  # noqa: FBT001 - expat's own
        raise not_well_formed(f"the entity {name!r} is not declared")

    parser = expat.ParserCreate()
    parser.SkippedEntityHandler = skip
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: pieces.append(f"</{name}>")
    parser.CharacterDataHandler = lambda text: pieces.append(escape(text))
    _parse_whole(parser, data)
    return "".join(pieces).encode()


def _parse_whole(parser: expat.XMLParserType, data: bytes) -> None:
    try:
        parser.Parse(data, True)  # noqa: FBT003 - the last piece
    except expat.ExpatError as error:
        raise not_well_formed(expat.ErrorString(error.code), row=error.lineno) from error
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # an encoding that does not exist
        raise not_well_formed(str(error)) from error


def not_well_formed(problem: str | None, *, row: int | None = None) -> InputError:
    """Error: a file is not XML, though it begins like it."""
    if problem == "not well-formed (invalid token)":  # the parser's message for most mistakes
        problem = "a sign that cannot stand there"
    return InputError(
        f"this is not well-formed XML: {problem}",
        "Is the file complete? Fetch it again, or correct the row; characters beyond ASCII must be in the "
        "encoding that its first row declares, by default UTF-8.",
        row=row,
    )


# Turtle and JSON-LD -----------------------------------------------------------------------------------------

# Parsers of brackets call themselves, so brackets may only be nested so deeply.

_DEEPEST = 100  # brackets that may stand inside each other; files that people write have ten
_MOST_REPEATED = 20_000_000  # terms of contexts, in small files: parsers copy them for each context inside
_FLATTER = "Convert the file to N-Triples, which has no brackets."

# Possessive throughout: whatever the text, it is looked at once. An escape outside of literals is
# part of a name, and what looks like a comment inside of an IRI is none. A literal that is not closed
# is one too: parsers go through it before they find out. What is plain, IRIs and short literals
# without escapes among it, is passed over at once; the last two parts let every place match.
_TOKEN = re.compile(
    r"""(?:[^"'<>\\#\[\](){}]++|<[^<>]*+>|"[^"'\\\n\r]++")*+("""
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?+'
    r"|'''(?:[^'\\]++|\\.|'{1,2}(?!'))*+(?:'{3,5})?+"
    r'|"(?:[^"\\\n\r]++|\\.)*+"?+'
    r"|'(?:[^'\\\n\r]++|\\.)*+'?+"
    r"|\\.|#[^\n]*+|[\[\](){}]|<<|>>|.|\Z)",
    re.DOTALL,
)
_DEPTH = {"[": 1, "(": 1, "{": 1, "<<": 1, "]": -1, ")": -1, "}": -1, ">>": -1}


def check_brackets(content: str) -> None:
    """Refuse Turtle and its kin where brackets are too deep or literals too long."""
    brackets = max(map(content.count, ("[", "(", "{", "<<")))
    if brackets <= _DEEPEST and len(content) <= LONGEST_FIELD:
        return
    depth = 0
    for match in _TOKEN.finditer(content):
        token = match[1]
        depth += _DEPTH.get(token, 0)
        if depth > _DEEPEST:
            row = content.count("\n", 0, match.start(1)) + 1
            raise json_text.too_deep(_DEEPEST, _FLATTER, row=row)
        if len(token) > LONGEST_FIELD and token[0] in "\"'":
            row = content.count("\n", 0, match.start(1)) + 1
            raise too_long("a literal", LONGEST_FIELD, row=row)


def load_jsonld(data: bytes) -> object:
    """Load JSON-LD whose contexts are all in the file itself."""
    # A key that stands twice counts with its last value, as parsers of JSON-LD have it.
    document: object = json_text.load(
        data, kind="JSON-LD", repeated="last", deepest=_DEEPEST, flatter=_FLATTER
    )
    remote, scoped, repeated = dict[str, None](), set[str](), 0
    waiting: list[tuple[Any, int]] = [(document, 0)]  # each with the number of terms defined around it
    while waiting:
        item, terms = waiting.pop()
        if isinstance(item, list):
            waiting += zip(item, repeat(terms))
        elif isinstance(item, str):
            repeated += terms * (item in scoped)  # a type may have a context of its own
        elif isinstance(item, dict):
            repeated += terms * len(scoped.intersection(item))
            for key in ("@context", "@import"):
                contexts = item.get(key)
                listing = contexts if isinstance(contexts, list) else [contexts]
                remote |= dict.fromkeys(context for context in listing if isinstance(context, str))
                inside = [context for context in listing if isinstance(context, dict)]
                if not all(map(_terminates, inside)):
                    raise InputError(
                        "its context defines terms by other terms, in a chain that is endless or too long",
                        "Write out what they stand for, or convert the file to Turtle.",
                    )
                repeated += terms * bool(inside)
                terms += sum(map(len, inside))
                defined = chain.from_iterable(map(dict.items, inside))
                scoped |= {term for term, one in defined if isinstance(one, dict) and "@context" in one}
            waiting += zip(item.values(), repeat(terms))
            if repeated > (most := max(_MOST_REPEATED, len(data))):
                raise InputError(
                    f"its contexts repeat the terms of those around them more than {most:,} times",
                    "Write all terms into one '@context', or convert the file to Turtle.",
                )
    if remote:
        raise InputError(
            f"the JSON-LD context {enumerate_some(remote)} lies outside the file, and nothing is fetched "
            "from there",
            "Write the context into the file, under '@context', or convert the file to Turtle.",
        )
    return document


def _terminates(context: dict[str, Any]) -> bool:
    """Whether chains of terms that define each other are short: parsers recurse for each."""
    needed: dict[str, set[str]] = {}
    for term, definition in context.items():
        parts = definition.values() if isinstance(definition, dict) else (definition,)
        texts = [term, *(part for part in parts if isinstance(part, str))]
        prefixes = {text.partition(":")[0] for text in texts} | set(texts[1:])
        needed[term] = {other for other in prefixes if other in context and other != term}
    sorter = TopologicalSorter(needed)
    try:
        sorter.prepare()
    except CycleError:
        return False
    for _ in range(_DEEPEST + 1):
        sorter.done(*sorter.get_ready())
    return not sorter.is_active()
