"""What separates the labels of a sample where all of them stand in one field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain

from ontoeval.errors import InputError

BLANK = " "

SEPARATORS = (";", "|", ",", BLANK)
"""The first of these that occurs in any field separates labels; `separator_of` says more of blanks."""

_WORD = re.compile(r"<[^<>\s]+>|\d+")

Known = Callable[[Collection[str]], bool]
"""Tells whether all of some texts are labels."""


def separator_of(fields: Sequence[str], known: Known | None = None) -> str | None:
    """Find out what separates labels."""
    present = [sign for sign in SEPARATORS if sign != BLANK and any(sign in field for field in fields)]
    if len(present) > 1 and known is not None:
        for sign in present:
            texts = {text.strip() for text in chain.from_iterable(field.split(sign) for field in fields)}
            if known(texts - {""}):
                return sign
    if present or not any(BLANK in field.strip() for field in fields):
        return present[0] if present else None
    words = set(chain.from_iterable(map(str.split, fields)))
    if known is None:
        return BLANK if all(map(_WORD.fullmatch, words)) else None
    return BLANK if _are_words(fields, words, known) else None


def _are_words(fields: Sequence[str], words: Collection[str], known: Known) -> bool:
    """Tell whether fields hold words that are labels, and not labels of several words."""
    different = {field.strip() for field in fields} - {""}
    if known(words):
        return not known(different)
    # Some are misspelt, or labels no more: what the others are tells how they are to be read.
    several = [field for field in fields if BLANK in field.strip()]
    count = Counter(chain.from_iterable(map(str.split, several)))
    right = sum(times for word, times in count.items() if known((word,)))
    return 2 * right > count.total() and not any(known((field.strip(),)) for field in set(several))


def refuse_blanks(fields: Sequence[str], where: str) -> None:
    """Refuse fields that may hold one label of several words or several of one word."""
    different = {field.strip() for field in fields}
    count = Counter(chain.from_iterable(set(field.split()) for field in different))
    several = [
        field for field in different if BLANK in field and any(count[word] > 1 for word in field.split())
    ]
    if several:
        raise unclear_blanks(min(several), where)


def unclear_blanks(field: str, where: str) -> InputError:
    """Say that a field may hold one label of several words or several of one word."""
    return InputError(
        f"{field[:80]!r} may be one label, or several with blanks between them",
        "Say what separates labels (separator=, --separator): ' ' if they are several, ';' if each field "
        "is one label.",
        where=where,
    )
