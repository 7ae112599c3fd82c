"""Cells of tables: numbers, lists in brackets, and several labels in one field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, repeat
from math import isfinite, nan
from operator import contains

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import SIGNS, Known
from ontoeval.errors import InputError

TRUTH_VALUES = {"true": 1.0, "false": 0.0}  # words that columns of 0 and 1 may hold instead


_ABSENT = frozenset({"not", "excluded", "absent"})
_PRESENT = re.compile(  # words, and the relations of GAF 2.2
    "|present|enables|contributes_to|involved_in|located_in|part_of|is_active_in|colocalizes_with"
    "|acts_upstream_of(_or_within)?(_(positive|negative)_effect)?"
)


def is_negated(text: str) -> bool | None:
    """Whether a qualifier marks a label as absent; None where a word of it is unknown."""
    words = {word.strip().lower() for word in text.split("|")}
    return None if not all(map(_PRESENT.fullmatch, words - _ABSENT)) else not words.isdisjoint(_ABSENT)


def parse_number(text: str) -> float | None:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    # Python's own notation allows underscores between digits; in a table an underscore is a slip.
    return value if isfinite(value) and "_" not in text else None


def parse_numbers(texts: Sequence[str], words: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Read many numbers."""
    if "_" not in "".join(texts):
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            pass  # a word, or an error
        else:
            if not words or np.isfinite(values).all():
                return values  # Python reads some words, such as nan, as numbers
    known: dict[str, float] = {}
    for text in set(texts):
        value = (words or {}).get(text.strip().lower(), parse_number(text))
        known[text] = nan if value is None else value
    return np.fromiter(map(known.__getitem__, texts), dtype=np.float64, count=len(texts))


BLANK = " "

SEPARATORS = (";", "|", ",", BLANK)
"""Separators of labels, of which the first that occurs in any field counts; for blanks see `separator_of`."""

_IRI_OR_NUMBER = re.compile(r"<[^<>\s]+>|\d+")


def separator_of(fields: Sequence[str], known: Known | None = None) -> str | None:
    """Find the separator of labels."""
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
    several = [
        field for field in different if BLANK in field and any(count[word] > 1 for word in field.split())
    ]
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
