"""Patched long files: one label in each row, so that rows go and others are added."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ontoeval.audit.placing import Wanted
from ontoeval.audit.written import Original
from ontoeval.labels.edits import Edit, RawRow
from ontoeval.labels.formats import Recognised


def one_label_each(wanted: Wanted, original: Original) -> Iterator[Edit]:
    """Correct files with one label in each row."""
    form, samples = wanted.form, wanted.final.samples
    placings = {samples[number]: wanted.placing(number) for number in wanted.changed.tolist()}
    others = sorted(set(range(form.width)) - {form.sample, form.concept})
    found: list[_Found] = []
    last: dict[str, int] = {}
    for batch in original.rows.batches(form.delimiter, form.width):
        names = batch.columns[form.sample]
        for place in [n for n, name in enumerate(names) if name.strip() in placings]:
            sample, old = names[place].strip(), batch.columns[form.concept or 0][place].strip()
            # A row without a label says that there is the sample.
            beside = hash(tuple(batch.columns[n][place] for n in others))
            now = placings[sample].name(old, beside) if old else ""
            if now is not None:
                last[sample] = len(found)
            found.append(_Found(batch.lines[place], sample, now, now != old))
    for place, (begin, sample, now, changes) in enumerate(found):
        added = placings[sample].missing if last.get(sample) == place else []
        if added or changes:
            yield Edit(begin, partial(_entry, form, original.line_end, now, added))


class _Found(NamedTuple):
    """A row of a sample that changes: where it begins, and its label now, None where it goes."""

    begin: int
    sample: str
    now: str | None
    changes: bool


def _entry(form: Recognised, line_end: str, now: str | None, added: list[str], text: str) -> str:
    """Correct a row, and add others below it, which say of the sample nothing but these labels."""
    if now is None:
        return ""
    raw, column = RawRow(text, form.delimiter), form.concept or 0
    others = set(range(len(raw.spans))) - {form.sample, column}
    line = raw.replaced({column: now}) if raw.value(column).strip() != now else text
    end = "" if raw.end or not added else line_end
    more = (raw.replaced({**dict.fromkeys(others, ""), column: name}) for name in added)
    return end.join([line, *more]) + end
