"""Columns of samples and labels in tables with titles of their own, by what the first rows hold.

Sets turned round, and absent labels taken for present ones, have scores too. So the caller names the columns
of what could be read in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ontoeval.plumbing.column_titles import (
    ANNOTATOR,
    CODES,
    CONCEPT,
    CONCEPTS,
    FLAG,
    GROUP,
    SAMPLE,
    SAMPLE_WEIGHT,
    SCORE,
    SCORES,
    LabelColumns,
    called_sample,
    index_width,
    is_ignorable,
    normalise_title,
    numbered_alike,
    positions,
)

_NO_LABELS = (
    SAMPLE
    | GROUP
    | SAMPLE_WEIGHT
    | {"child", "parent", "broader", "narrower", "to", "superclass", "threshold", "team", "camera", "sex"}
)
"""Titles of columns that hold no labels, whatever their texts are."""

_REMARKS = frozenset(
    {"caption", "description", "comment", "comments", "note", "notes", "remark", "remarks", "date", "time"}
)
"""Titles of columns that hold neither samples nor labels."""

_IDENTIFIER = re.compile(r"(?i:.*[ _-])?(?i:u?u?id|key|uri|url)|.*[a-z](?:Id|ID)")
"""A title that ends as those of identifiers."""

_WORDS = "true|false|yes|no|[ynxtf]|present|absent|excluded|positive|negative|not|unknown|na|nan|none|null"
_VALUE = re.compile(rf"(?i:[\d\s.,:;/%+−-]*(?:e[+-]?\d+)?|[+-]?inf|{_WORDS})")
"""A number, a date, or a word that says whether something is there."""

_NO_CONCEPT = _NO_LABELS | _REMARKS | SCORE | SCORES | CONCEPT | CONCEPTS | FLAG | ANNOTATOR
_NO_CONCEPT |= {"truth", "prediction", "y_true", "y_pred", "y_score", "is_train", "is_test", "total", "count"}
"""Titles of columns of numbers that are not those of a concept, unless it is known."""

_NUMBER = re.compile(r"(?i:\s*([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|true|false|nan|none)?\s*)")
_UNIT = re.compile(r"(?i:\s*(0*[01](\.0*)?|0*\.\d+|\d(\.\d*)?e-\d+|true|false|nan|none)?\s*)")
"""Any number, or one from 0 to 1; or none."""

_CODE = re.compile(r"\d+|(?=.*\d)[^\W\d][\w.:/-]*")
"""A whole number, or a word with a digit."""

_SEVERAL = re.compile(r"[;|]|^\s*\[.*\]\s*$")

FEW_COLUMNS = 50
"""Most columns among which labels are looked for."""

_FIRST = 1_000

Known = Callable[[Collection[str]], bool]


class _Columns(NamedTuple):
    """Columns by their normalised titles, cells and texts; and those that name samples by their titles."""

    names: Sequence[str]
    cells: Sequence[Sequence[object]]
    texts: Sequence[Sequence[str]]
    keys: Sequence[int]


def rows_to_see(width: int) -> int:
    """How many rows show what columns hold, fewer in wide tables."""
    return max(1, _FIRST * FEW_COLUMNS // max(width, FEW_COLUMNS))


def columns_by_content(
    titles: Sequence[str],
    columns: Sequence[Sequence[object]],
    known: Known | None = None,
    *,
    annotators: Sequence[int] | None = None,
) -> LabelColumns | None:
    """Find the columns of samples and labels by their first cells; None in any doubt.

    Labels have a usual title, are the only lists of texts or the only known concepts, or stand beside one
    other column, and recur or are codes by their title. Samples are called so or have a title of identifiers,
    or are alone and never repeat.
    """
    names = [*map(normalise_title, titles)]
    score = positions(names, SCORE | SCORES)
    apart = positions(names, ANNOTATOR) if annotators is None else annotators
    marked = [*map(_IDENTIFIER.fullmatch, titles)]
    left = [n for n, name in enumerate(names) if (name in _REMARKS and not marked[n]) or is_ignorable(name)]
    others = [n for n in range(len(names)) if n not in {*score, *apart, *left}]
    index = {n: [*map(str, columns[n])] for n in range(index_width(titles))}
    rest = [n for n in others if n not in index or not all(map(_VALUE.fullmatch, index[n]))]
    others = rest if rest[1:] else others
    scored = len(score) > (0 if {*names} & (CONCEPT | CONCEPTS) else 1)
    mixed = scored or numbered_alike(names) or not FLAG.isdisjoint(names)
    if mixed or (annotators is None and apart) or len(others) < 2:  # noqa: PLR2004
        return None
    texts = [[cell.strip() for cell in one if isinstance(cell, str) and cell.strip()] for one in columns]
    keys = [n for n in others if names[n] in SAMPLE or marked[n]]
    concepts = [n for n in others if _mostly_known(texts[n], known)]
    table = _Columns(names, columns, texts, keys)
    labels = _labels_among(others, table, concepts)
    if labels is None or any(_is_data(titles[n], texts[n], known) for n in others):
        return None
    several = not texts[labels]
    sure = labels in concepts or several or names[labels] in CONCEPT | CONCEPTS
    several = several or (names[labels] not in CONCEPT and any(map(_SEVERAL.search, texts[labels])))
    rest = [n for n in others if n != labels]
    sample = _samples_among(rest, table, several=several, sure=sure, labels=labels)
    if sample is None or (labels not in concepts and _commas_may_separate(texts[labels])):
        return None
    each = [*zip(*(map(str, columns[n]) for n in (sample, *apart)), strict=True)]
    evident = sure or several or _recurs(texts[labels]) or _are_codes(names[labels], texts[labels])
    unique = [one for one in index.values() if not _recurs(one) and one != [*map(str, range(len(one)))]]
    identified = sample in keys and names[sample] not in GROUP and all(map(str.isdigit, chain(*unique)))
    if unique and not identified and _recurs(each):
        return None  # rows that are numbered may be samples, too
    repeated = _recurs(each) and not (labels in concepts or (not several and (sure or sample in keys)))
    return LabelColumns(sample, labels, score[0] if score else None, several) if evident > repeated else None


def sample_beside_numbers(
    titles: Sequence[str], columns: Sequence[Sequence[object]], known: Known | None = None
) -> str | None:
    """Title of the samples of a table with a column of numbers for each concept; None in any doubt.

    A title is a known concept; where none is known, samples have a title of identifiers. Numbers of other
    columns lie between 0 and 1, which years, places and counts do not.
    """
    titles, columns = titles[index_width(titles) :], columns[index_width(titles) :]
    names, sure = [*map(normalise_title, titles)], [known is not None and known([one]) for one in titles]
    every = zip(map({True: _NUMBER, False: _UNIT}.__getitem__, sure), columns, strict=True)
    numbers = [all(form.fullmatch(str(cell)) for cell in one) for form, one in every]
    keys = [n for n, one in enumerate(titles) if one and (_IDENTIFIER.fullmatch(one) or not numbers[n])]
    if len(keys) != 1 or len(titles) == 1 or names[0] in SAMPLE or _recurs([*map(str, columns[keys[0]])]):
        return None
    others = {name for n, name in enumerate(names) if n not in keys and not sure[n]}
    never = _NO_CONCEPT - SAMPLE if 2 * sum(sure) > len(sure) else _NO_CONCEPT
    odd = others & never or any(map(is_ignorable, others)) or names[keys[0]] in CONCEPT | ANNOTATOR
    fit = any(sure) if known else _IDENTIFIER.fullmatch(titles[keys[0]])
    return titles[keys[0]] if fit and not odd else None


def _is_data(title: str, texts: Collection[str], known: Known | None) -> bool:
    """Whether a title is what stands below it, as in a file without a header."""
    shapes = {re.sub(r"\d+", "0", text) for text in (title, *texts)}
    numbered = re.search(r"\d", title) is not None and len(shapes) <= len({*texts}) / 2
    return title in texts or numbered or _SEVERAL.search(title) is not None or bool(known and known([title]))


def _labels_among(others: Sequence[int], table: _Columns, concepts: Sequence[int]) -> int | None:
    """Find the only column that may hold labels, some of which hold known concepts."""
    names, columns, texts, keys = table
    titled = [n for n in others if names[n] in CONCEPT | CONCEPTS]
    lists = [n for n in others if any(map(_is_list, columns[n]))]
    concepts = [n for n in concepts if names[n] not in SAMPLE]
    beside = [n for n in others if n not in keys] if keys else others[1:]
    signed = [n for n in others if n not in keys and any(map(_SEVERAL.search, texts[n]))]
    coded = [n for n in others if keys and n not in keys and _are_codes(names[n], texts[n])]
    found = titled or lists or concepts or signed or coded or (beside if len(others) == 2 else [])  # noqa: PLR2004
    if len(found) != 1 or (lists and lists != found) or names[found[0]] in _NO_LABELS:
        return None
    if found not in (titled, concepts) and _are_sentences(texts[found[0]]):
        return None
    if lists:
        cells: list[Any] = [*filter(_is_list, columns[found[0]])]
        return found[0] if all(isinstance(one, str | None) for one in chain.from_iterable(cells)) else None
    values = {text for text in texts[found[0]] if _VALUE.fullmatch(text)}
    usual = [n for n in others if CODES.fullmatch(names[n])] or found
    numbers = found[0] in {*coded} & {*usual} or (found == concepts and not values <= {"0", "1"})
    return found[0] if texts[found[0]] and (numbers or len(values) < len({*texts[found[0]]})) else None


def _are_codes(title: str, texts: Collection[str]) -> bool:
    """Whether texts are codes by their title, or lists of numbers of one length, some with leading 0."""
    pieces = [part.strip() for text in {*texts} for part in re.split("[;|]", text) if part.strip()]
    several, lengths = any(map(_SEVERAL.search, texts)), {*map(len, pieces)}
    if {*pieces} <= {"0", "1"} or not all(map(_CODE.fullmatch, pieces)):
        return False
    if CODES.fullmatch(title):
        return several or min(lengths) > 1
    # Four digits may be a time of day.
    alike = len(lengths) == 1 and all(re.fullmatch(r"\d{5,}", piece) for piece in pieces)
    first = any(piece[0] == "0" for piece in pieces) and not re.search("date|time|day|phone", title)
    return several and alike and first and _recurs(pieces)


def _are_sentences(texts: Collection[str]) -> bool:
    """Whether most texts end as sentences do, and most are long or hardly any recurs: names recur."""
    pieces = [part.strip() for text in texts for part in re.split("[;|]", text) if part.strip()]
    many = sum(len(piece.split()[4:]) > 0 for piece in pieces) * 2 > len(pieces)
    ended = sum(text[-1] in ".!?" for text in texts) * 2 > len(texts)
    return ended and (many or len({*pieces}) * 10 > len(pieces) * 9)


def _samples_among(
    rest: Sequence[int], table: _Columns, *, several: bool, sure: bool, labels: int
) -> int | None:
    """Find the only column that may hold the samples; with one label a row no other may have a meaning."""
    names, columns, _, keys = table
    called = [n for n in rest if n in keys and names[n] not in (GROUP if rest[1:] else ())]
    if several:
        usual = called_sample(names, called) or called
        usual = usual or [n for n in rest if not rest[1:] or _never_repeats(columns[n])]
        return usual[0] if len(usual) == 1 else None
    if not rest[1:]:
        return rest[0] if called or sure or _never_repeats(columns[rest[0]]) else None
    if len(called) != 1:
        return None
    sample = columns[called[0]]
    beside = [columns[n] for n in rest if n != called[0]]
    odd = any(all(_VALUE.fullmatch(str(cell)) for cell in one) or not _depends(one, sample) for one in beside)
    return None if odd or _depends(sample, columns[labels]) else called[0]


def _depends(values: Iterable[object], keys: Iterable[object]) -> bool:
    """Whether equal keys have equal values beside them."""
    found = dict[str, str]()
    return all(
        found.setdefault(str(key), str(one)) == str(one) for one, key in zip(values, keys, strict=True)
    )


def _never_repeats(cells: Sequence[object]) -> bool:
    """Whether cells are different, and not all of them values."""
    return not _recurs([*map(str, cells)]) and not all(_VALUE.fullmatch(str(cell)) for cell in cells)


def _recurs(cells: Sequence[object]) -> bool:
    return len({*cells}) < len(cells)


def _is_list(cell: object) -> bool:
    return hasattr(cell, "__iter__") and not isinstance(cell, str | bytes | Mapping)


def _commas_may_separate(texts: Collection[str]) -> bool:
    """Whether a piece between commas stands elsewhere, too."""
    pieces = [{part.strip() for part in re.split(r"[;|,]", text)} for text in {*texts}]
    joined = [part for text, part in zip({*texts}, pieces, strict=True) if "," in text and text[0] != "["]
    return any(not one.isdisjoint(other) for one in joined for other in pieces if other is not one)


def _mostly_known(texts: Sequence[str], known: Known | None) -> bool:
    """Whether more than half of some texts are known names, or have a sign between such names."""
    if known is None:
        return False
    different = {*texts}
    parts = [re.split(sign, text) for text in different for sign in ("[;|]", ",")]
    right = [known([piece.strip() for piece in part if piece.strip()]) for part in parts]
    return sum(map(max, right[::2], right[1::2])) > len(different) / 2
