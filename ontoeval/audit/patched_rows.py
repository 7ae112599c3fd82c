"""Patched rows: rows that hold all labels of a sample, in one field or with a value for each concept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontoeval.audit.placing import Placing, Wanted
from ontoeval.audit.written import Original
from ontoeval.labels.cells import BETWEEN, SEPARATORS, TRUTH_VALUES, number, relisted, unlisted
from ontoeval.labels.edits import RawRow


@dataclass(frozen=True, eq=False)
class Labels:
    """Corrects fields that hold all labels of a sample."""

    wanted: Wanted
    sign: str | None

    @classmethod
    def of(cls, wanted: Wanted, new: set[str], separator: str | None) -> Labels | None:
        """Choose what separates labels, such that what is written is read again."""
        if wanted.form.lists:
            return cls(wanted, None)
        names, most = wanted.final.vocabulary, int(np.diff(wanted.final.matrix.indptr).max(initial=0))
        found = separator or wanted.form.separator
        if found is None:
            # The first of them that occurs separates labels: here none does yet.
            return None if _any_in(new, SEPARATORS[:-1]) else cls(wanted, SEPARATORS[0])
        if separator is not None:
            return None if _any_in(new, (found,)) else cls(wanted, found)
        before = SEPARATORS[: SEPARATORS.index(found) + 1]
        unclear = most < 2 and _any_in(names, SEPARATORS)  # noqa: PLR2004 - none would separate anything
        return None if unclear or _any_in(new, before) else cls(wanted, found)

    def __call__(self, row: int, text: str) -> str:
        """Correct a row."""
        raw, column = RawRow(text, self.wanted.form.delimiter), self.wanted.form.concept or 0
        field, placing = raw.value(column), self.wanted.placing(row)
        if self.sign is not None:
            return raw.replaced({column: _separated(field, self.sign, placing)})
        (items,) = unlisted([field]) or [""]
        kept = [placing.name(item.strip()) for item in items.split(BETWEEN)]
        return raw.replaced({column: relisted([*filter(None, kept), *placing.missing], field)})


def _separated(field: str, sign: str, placing: Placing) -> str:
    """Correct labels between signs, with the blanks beside these; a field may end with one."""
    parts = [part for part in field.split(sign) if part.strip()]
    kept = [
        part.replace(part.strip(), name) for part in parts if (name := placing.name(part.strip())) is not None
    ]
    between = sign
    if len(parts) > 1:
        between = parts[0][len(parts[0].rstrip()) :] + sign + parts[1][: -len(parts[1].lstrip())]
    # Behind the last label there may be blanks, and what would separate it from others.
    behind = field[field.rindex(parts[-1]) + len(parts[-1].rstrip()) :] if parts else ""
    return between.join([*filter(None, [sign.join(kept).strip()]), *placing.missing]) + behind


@dataclass(frozen=True, eq=False)
class Values:
    """Corrects rows with a value for each concept."""

    wanted: Wanted
    place: Mapping[str, int]
    original: Original
    gone: tuple[int, ...] = ()

    def __call__(self, row: int, text: str) -> str:
        """Correct a row."""
        raw = RawRow(text, self.wanted.form.delimiter)
        there = {self.place[name] for name in self.wanted.labels(row)}
        fields = list(map(raw.value, range(1, len(raw.spans))))
        words = _words(fields)
        changed = {
            column: column in there
            for column, word in enumerate(fields, 1)
            if _is_there(word) != (column in there)
        }
        text = raw.replaced(
            {at: words[value] if value in words else self._usual[value] for at, value in changed.items()}
        )
        return RawRow(text, raw.delimiter).without(self.gone)

    @cached_property
    def _usual(self) -> dict[bool, str]:
        """How the file says that a label is there, and that it is not."""
        form, found = self.wanted.form, dict[bool, str]()
        for batch in self.original.rows.batches(form.delimiter, form.width):
            for column in batch.columns[1:]:
                found = {**_words(column), **found}
            if len(found) > 1:
                break
        return {False: "0", True: "1", **found}


def _words(fields: Iterable[str]) -> dict[bool, str]:
    """Take the first word for what is there, and the first for what is not."""
    words: dict[bool, str] = {}
    for field in dict.fromkeys(fields):
        words.setdefault(_is_there(field), field)
    return words


def _is_there(word: str) -> bool:
    return bool(TRUTH_VALUES.get(word.strip().lower(), number(word)))


def _any_in(names: Iterable[str], signs: tuple[str, ...]) -> bool:
    return any(sign in name for name in names for sign in signs)
