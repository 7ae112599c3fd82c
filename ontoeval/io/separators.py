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
    """Find out what separates labels.

    Parameters
    ----------
    fields
        All labels of a sample in each.
    known
        Tells whether texts are labels, where that is known.

    Returns
    -------
    str or None
        The first of the separators that occurs; of several that do, the first that leaves nothing
        but labels, if there is one: a label may have another in its name. Blanks separate only <IRI>s,
        whole numbers, and words of which most are labels where no field of several words is one.

    Examples
    --------
    >>> separator_of(["sky;sea", "Speech, male"]), separator_of(["sky"])
    (';', None)
    >>> separator_of(["AF,LBBB|CLBBB"], {"AF", "LBBB|CLBBB"}.issuperset)
    ','
    >>> separator_of(["sky sea moon", "deep blue"], {"sky", "sea"}.issuperset) is None
    True
    >>> separator_of(["147 616", "51"]), separator_of(["clear primary"], {"clear", "primary"}.issuperset)
    (' ', ' ')
    """
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
    """Refuse fields that may hold one label of several words or several of one word.

    Parameters
    ----------
    fields
        All labels of a sample in each; nothing separates them but blanks.
    where
        The file, for messages.

    Raises
    ------
    InputError
        If a word of one field is there in another: then they may be labels.

    Examples
    --------
    >>> refuse_blanks(["great white shark", "hen"], "memory")
    """
    different = {field.strip() for field in fields}
    count = Counter(chain.from_iterable(set(field.split()) for field in different))
    several = [
        field for field in different if BLANK in field and any(count[word] > 1 for word in field.split())
    ]
    if several:
        raise unclear_blanks(min(several), where)


def unclear_blanks(field: str, where: str) -> InputError:
    """Say that a field may hold one label of several words or several of one word.

    Parameters
    ----------
    field
        The field.
    where
        The file.

    Returns
    -------
    InputError
        The error, to be raised.
    """
    return InputError(
        f"{field[:80]!r} may be one label, or several with blanks between them",
        "Say what separates labels (separator=, --separator): ' ' if they are several, ';' if each field "
        "is one label.",
        where=where,
    )
