"""The gate: all cells of a column are judged at once, before their texts become names of labels.

The thresholds were chosen on columns of real files, of which none is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MOST_SHOWN, InputError, did_you_mean, enumerate_some, pluralise
from ontoeval.plumbing.list_texts import is_structure

SIGNS: tuple[str, ...] = (*";|\t\n\uff1b\u3001\uff0c^~#\x1f", "::", "<br>", "&", "/", ",", " ")
"""Signs that may stand between labels, of which the first counts that does."""

MARK = re.compile(r"[01](?:\.0*)?|true|false", re.IGNORECASE)
_VALUE = re.compile(
    r"\s*(?:[01](?:\.0*)?|0?\.\d+|true|false|yes|no|[yntf+-]|present|absent|positive|negative)", re.IGNORECASE
)
_DIGITS, _WHOLE = re.compile(r"[01]{3,}|[YN]{3,}|[TF]{3,}"), re.compile(r"-?\d+")
_NUMBERS, _BLANK = re.compile(r"\d+(?: +\d+)*"), re.compile(" ")
_BETWEEN_VALUES = re.compile(r"[\s,;|]+")
_OTHER_LANGUAGE = re.compile(
    r"['\"`\u201c\xab\u2018\u201e]|><|[\w.= ]*[([{]+['\"`\u201c]|%w\[|"
    r"(?:\w*[Ss]et|\w*[Ll]ist|tuple|\w*[Aa]rray|tensor|Index|Series|Vector|character|(?:np|numpy|torch|pd)\.\w+)\(|c\([^)]*(?:,|$)"
)
Known = Callable[[Collection[str]], bool]
"""Whether all of some texts are labels."""

_PAIRS = ("()", "[]", "{}")
_FEW, _MOST_OF, _PART_OF = 3, 0.9, 0.25

_MARKED = re.compile(r"(.*\S)\s*(?:[:=]\s*|\()[01]?\.\d+\)?|(?:[!~\xac]|(\d{1,3})[.)]\s+)(\S.*)")
"""A name and beside it a score, a negation or a rank: dog:0.9, dog (1.0), !dog, 2. dog."""


@dataclass(frozen=True)
class Advice:
    """What a door calls the ways to read a column otherwise."""

    values: str
    """Of a column of values for each concept."""
    separate: Callable[[str], str]
    """Of a column with several labels in a text, by the sign between them."""
    place: Callable[[str], str] = lambda _: ""
    """Where a label stands first."""


def vectors(cells: Iterable[Any], least: int = 2) -> list[list[str]] | None:
    """Values of cells that all hold as many numbers from 0 to 1 or truth values; None of other cells."""
    found, width = list[list[str]](), 0
    for cell in cells:
        if isinstance(cell, str):
            values = list(filter(None, _BETWEEN_VALUES.split(cell.strip("()[] \n"))))
        elif isinstance(cell, list | tuple | np.ndarray):
            values = list(map(str, cell))
        elif cell is None:
            values = []
        else:
            return None
        width = width or len(values)
        if values and (len(values) != width or width == 1 or not all(map(_VALUE.fullmatch, values))):
            return None
        found.append(values)
    return found if sum(map(bool, found)) >= least else None


def marks_in(values: Sequence[Sequence[str]]) -> NDArray[np.bool_] | None:
    """Array of vectors of 0 and 1, without any for an empty cell; None where other numbers are among them."""
    if not all(map(MARK.fullmatch, chain.from_iterable(values))):
        return None
    none = [False] * max(map(len, values))
    return np.array([[one[0] in "1tT" for one in row] or none for row in values], dtype=bool)


def width_of(names: Collection[str], sizes: NDArray[np.integer]) -> int:
    """Width of the vectors that names are, each or all of a sample together; else 0."""
    if not names or sizes.sum() < 2:  # noqa: PLR2004 - cells
        return 0
    width = int(sizes.max())
    if width > 1 and {*sizes.tolist()} <= {0, width} and all(map(_VALUE.fullmatch, names)):
        return width if np.count_nonzero(sizes) > 1 else 0
    first = next(iter(names))
    if first and {*map(len, names)} == {len(first)} and all(map(_DIGITS.fullmatch, names)):
        return len(first) * any(name[0] in "0NF" for name in names)
    values = vectors(names, 1)
    return 0 if values is None else len(values[0])


def refuse_misread(
    names: Collection[str],
    sizes: NDArray[np.integer],
    advice: Advice,
    *,
    known: Known | None = None,
    overruled: bool = False,
    where: object = "",
) -> None:
    """Refuse names that are not those of labels: values, lists of other languages, or several labels in one.

    `sizes` are the numbers of labels of the samples. A list of concepts or a separator overrules the last.
    """
    if (width := width_of(names, sizes)) and not (known and known(names)):
        raise vectors_error(width, advice.values, where)
    written = [name for name in names if _is_written_otherwise(name) and not (known and known((name,)))]
    tags = any(name[0] == "<" and "><" in name and name[-1] == ">" for name in written)
    if tags or (len(written) > 1 and len(written) >= _PART_OF * len(names)):
        raise InputError(
            f"{pluralise(len(written), 'label')} with brackets or quotes of a list: "
            f"{enumerate_some(written)}",
            "Write a list as JSON or Python does, or separate the labels by a sign. If they are names, "
            "list all concepts (classes=, concepts=, --concepts FILE).",
            where=where,
        )
    if known is None:
        _refuse_marked(names, int(sizes.max(initial=0)), where)
    below = [name for name in names if name[:1] == "-"]
    numbered = below == ["-1"] and all(map(_WHOLE.fullmatch, names))
    if numbered and sizes.max(initial=0) > 1 and not (known and known(below)):  # alone it may be a class
        raise InputError(
            "-1 among the numbers of classes, which is none of them",
            "Leave it out where it fills up a row, or means that nothing is known. If it is a class, list "
            "all (classes=, concepts=, --concepts FILE).",
            where=where,
        )
    if not overruled and known is None and (sign := joining_sign(names)) is not None:
        raise several_error([name for name in names if sign in name], sign, advice, where)


def _is_written_otherwise(name: str) -> bool:
    """Whether brackets, quotes or a call of some language stand around a name, or around several."""
    return (
        _OTHER_LANGUAGE.match(name) is not None
        or "><" in name
        or name[:1] + name[-1:] in _PAIRS
        or sum(map(name.count, "([{")) != sum(map(name.count, ")]}"))
    )


def _refuse_marked(names: Collection[str], longest: int, where: object) -> None:
    """Refuse texts if nearly all are a name with a score, a negation or a rank, and several names recur."""
    lists = [[*map(str.strip, re.split("[;,|]", name))] for name in names]
    found = {text: _MARKED.fullmatch(text) for text in chain.from_iterable(lists)}
    times = Counter(mark[1] or mark[3] if mark else text for text, mark in found.items())
    marked = [text for text, mark in found.items() if mark or times[text] > 1]
    if len(marked) < _MOST_OF * len(found) or sum(count > 1 for count in times.values()) < _FEW:
        return
    ranks = {int(mark[2]) for mark in found.values() if mark and mark[2]}
    if not ranks or ranks == {*range(1, max(longest, *map(len, lists)) + 1)}:
        raise InputError(
            f"{pluralise(len(marked), 'label')} with a score, a negation or a rank: {enumerate_some(marked)}",
            "Write names alone, leave out absent labels, and give scores in a table of sample, concept and "
            "score. If these are names, list all concepts (classes=, concepts=, --concepts FILE).",
            where=where,
        )


def joining_sign(names: Collection[str]) -> str | None:
    """Sign at which names fall into parts that other names have too."""
    for sign in SIGNS:
        if sign == " " and names and all(map(_NUMBERS.fullmatch, names)) and any(map(_BLANK.search, names)):
            return sign
        holding = [name for name in names if sign in name and not (sign == "/" and "://" in name)]
        if len(holding) < _FEW or len(holding) < _PART_OF * len(names):
            continue
        parts = {name: {*map(str.strip, name.split(sign))} - {""} for name in names}
        if sign == " " and _are_facets(holding, names):
            continue
        times = Counter(chain.from_iterable(parts.values()))
        apart = [all(times[part] > 1 and part[0] != "(" for part in parts[name]) for name in holding]
        if sum(apart) >= _MOST_OF * len(holding):
            return sign
    return None


def _are_facets(holding: Sequence[str], names: Collection[str]) -> bool:
    """Whether each word has its place in names and is no name itself, or all begin with a "no"."""
    placed = {(word, place) for name in holding for place, word in enumerate(name.split())}
    words = {word for word, _ in placed}
    apart = len(placed) == len(words) and words.isdisjoint(names) and all(map(str.isalpha, words))
    return apart or {word.lower() for word, place in placed if place == 0} <= {"no", "not", "non", "without"}


def vectors_error(width: int, remedy: str, where: object = "") -> InputError:
    """Error for vectors where labels belong."""
    return InputError(
        f"every list holds {width} values from 0 to 1: one for each concept, not labels", remedy, where=where
    )


def refuse_joined(
    texts: Collection[str],
    signs: Sequence[str],
    advice: Advice,
    *,
    among: Collection[str] | None = None,
    where: object = "",
) -> None:
    """Refuse texts with a sign between labels, of which one is `among` others if these are given."""
    for sign in signs:
        joined = [text for text in texts if sign in text and not is_structure(text)]
        if among is not None:
            joined = [text for text in joined if not {*map(str.strip, text.split(sign))}.isdisjoint(among)]
        if joined:
            raise several_error(joined, sign, advice, where)


def several_error(joined: list[str], sign: str, advice: Advice, where: object = "") -> InputError:
    """Error for texts of several labels."""
    first = f", first in {place}" if (place := advice.place(joined[0])) else ""
    return InputError(
        f"{pluralise(len(joined), 'label')} with {sign!r}: {enumerate_some(joined)}{first}",
        advice.separate(sign),
        where=where,
    )


def refuse_other_columns(columns: Sequence[str], known: Collection[str], run: str) -> None:
    """Refuse a run with columns that the truth lacks, where no list of concepts knows them."""
    lacking = [name for name in known if name not in columns]
    if beyond := [f"{name!r}{did_you_mean(name, lacking)}" for name in columns if name not in known]:
        raise InputError(
            f"{run!r} has {pluralise(len(beyond), 'column')} that the truth lacks: "
            f"{', '.join(beyond[:MOST_SHOWN])}",
            "Correct the titles, or name all concepts (classes=, concepts=, --concepts FILE).",
        )
