"""Guards that Turtle and JSON-LD pass before a parser sees them: nesting, long literals, remote contexts."""

from __future__ import annotations

import re
from typing import Any

from ontoeval.core import json_text
from ontoeval.errors import InputError, enumerate_some

# Parsers of brackets call themselves, so brackets may only be nested so deeply; and rdflib appends to the
# text of a literal at each row, quote and escape, in a time that grows with the square of the literal.

DEEPEST = 100
"""Brackets of Turtle and JSON that may stand inside each other; files that people write have ten."""

_FLATTER = "Convert the file to N-Triples, which has no brackets."

_MOST_WORK = 10**10
"""Characters that may be copied for the sake of one file: about a second."""

# Possessive throughout: whatever the text, it is looked at once. An escape outside of literals is
# part of a name, and what looks like a comment inside of an IRI is none. A literal that is not closed
# is one too: parsers go through it before they find out.
_TOKEN = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?+'
    r"|'''(?:[^'\\]++|\\.|'{1,2}(?!'))*+(?:'{3,5})?+"
    r'|"(?:[^"\\\n\r]++|\\.)*+"?+'
    r"|'(?:[^'\\\n\r]++|\\.)*+'?+"
    r"|<[^<>]*+>|\\.|#[^\n]*+|[\[\](){}]",
    re.DOTALL,
)
_DEPTH = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}


def check(content: str, *, where: str) -> None:
    """Refuse Turtle and its kin where brackets are too deep or literals have too many rows."""
    brackets = max(map(content.count, "[({"))
    pieces = content.count("\\") + content.count("'")
    if '"""' in content or "'''" in content:
        pieces += content.count("\n") + content.count('"')
    if brackets <= DEEPEST and pieces * len(content) <= _MOST_WORK:
        return
    depth = work = 0
    for match in _TOKEN.finditer(content):
        token = match[0]
        if len(token) == 1:
            depth += _DEPTH.get(token, 0)  # an empty comment is none
            if depth > DEEPEST:
                raise too_deep(where=where, row=content.count("\n", 0, match.start()) + 1)
        elif token[0] in "\"'":
            work += len(token) * sum(map(token.count, "\n\\\"'"))
            if work > _MOST_WORK:
                raise InputError(
                    f"a literal of {len(token):,} characters in {token.count(chr(10)) + 1:,} rows would "
                    "take too long to read",
                    "Shorten the literal, or take it out: labels are short.",
                    where=where,
                    row=content.count("\n", 0, match.start()) + 1,
                )


def loaded(data: bytes, *, where: str) -> object:
    """Load JSON-LD whose contexts are all in the file itself."""
    # A key that stands twice counts with its last value, as parsers of JSON-LD have it.
    document: object = json_text.load(
        data, where=where, kind="JSON-LD", repeated="last", deepest=DEEPEST, flatter=_FLATTER
    )
    remote: dict[str, None] = {}
    waiting: list[Any] = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += item.values()
            for key in ("@context", "@import"):
                contexts = item.get(key)
                listing = contexts if isinstance(contexts, list) else [contexts]
                remote |= dict.fromkeys(context for context in listing if isinstance(context, str))
                for context in listing:
                    if isinstance(context, dict) and not _ends(context):
                        raise tangled(where=where)
    if remote:
        raise InputError(
            f"the JSON-LD context {enumerate_some(remote)} lies outside the file, and nothing is fetched "
            "from there",
            "Write the context into the file, under '@context', or convert the file to Turtle.",
            where=where,
        )
    return document


def tangled(*, where: str) -> InputError:
    """Error: the terms of a JSON-LD context need each other."""
    return InputError(
        "terms of its context are defined by other terms, too many times over to be followed",
        "Write out what they stand for, or convert the file to Turtle.",
        where=where,
    )


def too_deep(*, where: str, row: int | None = None) -> InputError:
    """Error: brackets are nested too deeply."""
    return json_text.too_deep(DEEPEST, _FLATTER, where=where, row=row)


def _ends(context: dict[str, Any]) -> bool:
    """Whether chains of terms that define each other are short: parsers recurse for each."""
    waiting: dict[str, set[str]] = {}
    for term, definition in context.items():
        parts = definition.values() if isinstance(definition, dict) else (definition,)
        texts = [term, *(part for part in parts if isinstance(part, str))]
        prefixes = {text.partition(":")[0] for text in texts} | set(texts[1:])
        waiting[term] = {other for other in prefixes if other in context and other != term}
    needed: dict[str, list[str]] = {}
    for term, others in waiting.items():
        for other in others:
            needed.setdefault(other, []).append(term)
    defined = [term for term, others in waiting.items() if not others]
    left = len(waiting) - len(defined)
    for _ in range(DEEPEST):
        following = []
        for term in defined:
            for other in needed.get(term, ()):
                waiting[other].discard(term)
                if not waiting[other]:
                    following.append(other)
        left -= len(following)
        defined = following
    return not left
