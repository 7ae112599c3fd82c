"""Several labels in one text, of a file or of a frame: which sign separates them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain, repeat
from operator import contains

from ontoeval.core.gate import SIGNS, Known
from ontoeval.errors import InputError

BLANK = " "

SEPARATORS = (";", "|", ",", BLANK)
"""Separators of labels, of which the first that occurs in any field counts; for blanks see `separator_of`."""

_IRI_OR_NUMBER = re.compile(r"<[^<>\s]+>|\d+")


def separator_of(fields: Sequence[str], known: Known | None = None) -> str | None:
    """Find the separator of labels; None where each field is a known name."""
    if known is not None and known({field.strip() for field in fields} - {""}):
        return None
    present = [sign for sign in SEPARATORS if sign != BLANK and any(map(contains, fields, repeat(sign)))]
    if len(present) > 1 and known is not None:
        for sign in present:
            texts = {text.strip() for text in chain.from_iterable(field.split(sign) for field in fields)}
            if known(texts - {""}):
                return sign
    if present or not any(BLANK in field.strip() for field in fields):
        return present[0] if present else None
    words = set(chain.from_iterable(map(str.split, fields)))
    if known is None:
        return BLANK if all(map(_IRI_OR_NUMBER.fullmatch, words)) else None
    return BLANK if _are_words(fields, words, known) else None


def joins(fields: Collection[str], sign: str, known: Known) -> bool:
    """Whether fields hold a sign, between known names alone, and none of them is a name itself."""
    joined = {field.strip() for field in fields if sign in field}
    pieces = {piece.strip() for field in joined for piece in field.split(sign)} - {""}
    return bool(pieces) and known(pieces) and not any(known({field}) for field in joined)


_MOST_SIGNS = 8
"""Most signs in a name that is looked for among labels with signs between them."""


def pieces_of(text: str, sign: str, known: Known | None = None) -> list[str]:
    """Labels between the signs of a text; known names that hold the sign stay whole."""
    parts, found = text.split(sign), list[str]()
    pieces = [piece for part in parts if (piece := part.strip())]
    if known is None or len(parts) == 1 or (known(pieces) and not known([text.strip()])):
        return pieces
    while parts:
        sizes = range(min(len(parts), _MOST_SIGNS + 1), 1, -1)
        size = next((size for size in sizes if known([sign.join(parts[:size]).strip()])), 1)
        found.append(sign.join(parts[:size]).strip())
        parts = parts[size:]
    return [*filter(None, found)]


def _are_words(fields: Sequence[str], words: Collection[str], known: Known) -> bool:
    """Whether fields hold several labels of one word, not one label of several words."""
    different = {field.strip() for field in fields} - {""}
    if known(words):
        return not known(different)
    # A few may be misspelt or obsolete: the others decide how fields are read.
    several = [field for field in fields if BLANK in field.strip()]
    count = Counter(chain.from_iterable(map(str.split, several)))
    right = sum(times for word, times in count.items() if known((word,)))
    return 2 * right > count.total() and not any(known((field.strip(),)) for field in set(several))


def refuse_blanks(fields: Sequence[str]) -> None:
    """Refuse fields that may hold one label of several words or several of one word."""
    different = {field.strip() for field in fields}
    count = Counter(chain.from_iterable(set(field.split()) for field in different))
    joined = [field for field in different if BLANK in field]
    several = [field for field in joined if any(count[word] > 1 for word in field.split())]
    if several:
        raise unclear_blanks(min(several))


def unclear_blanks(field: str) -> InputError:
    """Error for a field that may hold one label of several words or several of one word."""
    sign = next((word for word in field.split() if word in SIGNS), BLANK)
    return InputError(
        f"{field[:80]!r} may be one label, or several with blanks between them",
        f"Name the separator of labels (separator=, --separator): {sign!r} if there are several, ';' if each "
        "field is one label.",
    )
