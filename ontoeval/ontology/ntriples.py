"""N-Triples and N-Quads: one triple on each row, so simple that a row needs no parser."""

from __future__ import annotations

import re

from ontoeval.errors import InputError
from ontoeval.ontology.triples import Text, Triples

_IRI = r'<[^<>"\s]*+>'
_BLANK = r'_:[^\s<>"]*[^\s<>".]'
_LITERAL = rf'"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)"(?:\^\^{_IRI}|@(?P<language>[A-Za-z0-9-]+))?'
# Possessive throughout: whatever the row, it is looked at once.
ROW = re.compile(
    rf"\s*+(?P<subject>{_IRI}|{_BLANK})\s*+(?P<predicate>{_IRI})\s*+(?:(?P<node>{_IRI}|{_BLANK})|{_LITERAL})"
    rf"\s*+(?P<graph>{_IRI}|{_BLANK})?\s*+\.\s*+(?:#.*)?"
)
"""A row that is not empty and no comment."""

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})|([tbnrf\"'\\]))")
_SIGNS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def parse(content: str, triples: Triples, *, where: str) -> None:
    """Read N-Triples, or N-Quads without regard to the graphs.

    rdflib needs a time for it that grows with the square of the longest row.
    """
    # Not splitlines: it also splits at signs that may stand in a literal.
    for number, row in enumerate(content.replace("\r\n", "\n").split("\n")):
        match = ROW.fullmatch(row)
        if match is None:
            if row.strip() and not row.lstrip().startswith("#"):
                raise InputError(
                    f"this is no triple: {row.strip()[:80]!r}",
                    "Is the file complete? Fetch it again, or correct the row.",
                    where=where,
                    row=number + 1,
                )
            continue
        subject, predicate, node, text, language = match.group(
            "subject", "predicate", "node", "text", "language"
        )
        triples.add(
            _node(subject),
            _unescaped(predicate[1:-1]),
            _node(node) if node else Text(_unescaped(text), (language or "").lower()),
        )


def _node(node: str) -> str:
    return _unescaped(node[1:-1]) if node.startswith("<") else node


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_sign, text) if "\\" in text else text


def _sign(match: re.Match[str]) -> str:
    short, long, letter = match.groups()
    return _SIGNS.get(letter, letter) if letter else chr(int(short or long, 16))
