"""Names in figures: such that plotly shows them as they are, short, and no two alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count

from ontoeval.core.table import clipped

MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "&<>%$"}
"""Characters that plotly reads as markup, as a placeholder, or as a formula."""

SEPARATORS = "#/."
"""Separators within names of concepts."""


def text_of(name: str, longest: int | None = None) -> str:
    """Write a name such that plotly shows it as it is."""
    return clipped(name, longest).translate(MARKUP)


def short_of(name: str, longest: int) -> str:
    """Write a name, or two with an arrow or a minus between them, such that something of both stays."""
    parts = re.split("( → | − )", name)
    most = longest if len(parts) == 1 else (longest - 3) // 2
    return "".join(part if at % 2 else text_of(part, most) for at, part in enumerate(parts))


def local(names: Sequence[str]) -> list[str]:
    """Write names short: without what stands before the last separator, where that leaves all different."""
    ends = [re.split(f"[{SEPARATORS}]", name)[-1] for name in names]
    times = Counter(ends)
    return [end if end and times[end] == 1 else name for end, name in zip(ends, names, strict=True)]


def unlike(names: Sequence[str]) -> list[str]:
    """Write names such that plotly shows them as they are, and no two alike."""
    found: dict[str, None] = {}
    for text in map(text_of, names):
        candidates = chain([text], (f"{text} ({number})" for number in count(2)))
        found[next(one for one in candidates if one not in found)] = None
    return list(found)
