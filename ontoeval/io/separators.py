"""What separates the labels of a sample where all of them stand in one field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain

SEPARATORS = (";", "|", ",")
"""The first of these that occurs in any field separates labels; `separator_of` says more."""

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
        but labels, if there is one: a label may have another in its name.

    Examples
    --------
    >>> separator_of(["sky;sea", "Speech, male"]), separator_of(["sky"])
    (';', None)
    >>> separator_of(["AF,LBBB|CLBBB"], {"AF", "LBBB|CLBBB"}.issuperset)
    ','
    """
    present = [sign for sign in SEPARATORS if any(sign in field for field in fields)]
    if len(present) > 1 and known is not None:
        for sign in present:
            texts = {text.strip() for text in chain.from_iterable(field.split(sign) for field in fields)}
            if known(texts - {""}):
                return sign
    return present[0] if present else None
