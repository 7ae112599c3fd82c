"""Prolog: an XML file up to its first element, which tells what it is."""

from __future__ import annotations

from xml.parsers import expat

from ontoeval.errors import InputError
from ontoeval.ontology.entities import PROLOG, ElementBound, guard


def root_element(data: bytes, *, where: str) -> tuple[str, str, frozenset[str]]:
    """Find the first element of an XML file, and read no further."""
    (element, attributes), _ = beginning(data, where=where)
    namespace, _, name = element.rpartition(" ")
    return namespace, name, frozenset(key.rpartition(" ")[0] for key in attributes)


def beginning(data: bytes, *, where: str) -> tuple[tuple[str, dict[str, str]], dict[str, str]]:
    """Read an XML file up to its first element."""
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        bound.check(attributes)
        if not found:
            found.append((name, attributes))

    parser = expat.ParserCreate(namespace_separator=" ")
    # Newer expat waits for far more data before it parses a long element again; here pieces double anyway.
    getattr(parser, "SetReparseDeferralEnabled", lambda _: None)(False)  # noqa: FBT003 - its only argument
    entities = guard(parser, where=where)
    bound = ElementBound(lambda: parser.CurrentLineNumber, where=where)
    parser.StartElementHandler = start
    parser.StartNamespaceDeclHandler, parser.EndNamespaceDeclHandler = bound.declare, bound.forget
    begin, step = 0, PROLOG
    while begin < len(data):
        try:
            parser.Parse(data[begin : begin + step])
        except expat.ExpatError as error:
            if not found:
                raise not_well_formed(expat.ErrorString(error.code), where=where, row=error.lineno) from error
        except InputError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that there is not, or that expat cannot read
            raise not_well_formed(str(error), where=where) from error
        if found:
            return found[0], entities
        # A parser begins an element again with each piece.
        begin, step = begin + step, 2 * step
    raise not_well_formed("there is no element in it", where=where)


def not_well_formed(problem: str | None, *, where: str, row: int | None = None) -> InputError:
    """Say that a file is not XML, though it begins like it."""
    if problem == "not well-formed (invalid token)":  # what the parser says of most mistakes
        problem = "a sign that cannot stand there"
    return InputError(
        f"this is not well-formed XML: {problem}",
        "Is the file complete? Fetch it again, or correct the row; characters beyond ASCII must be in the "
        "encoding that its first row declares, by default UTF-8.",
        where=where,
        row=row,
    )
