"""What becomes of the labels in the rows of a file, and how these change where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress, repeat
from string import whitespace
from typing import Any

import numpy as np

from ontoeval.audit.raw_labels import Original
from ontoeval.errors import InputError
from ontoeval.labels.formats import Recognised
from ontoeval.labels.recognition import parse
from ontoeval.labels.spans import LINE_END, Edit, Placed, spliced, write_json
from ontoeval.labels.writers import LabelRows
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.list_texts import BETWEEN, list_items, write_list
from ontoeval.plumbing.sparse import stored_columns


@dataclass(frozen=True, eq=False)
class Relabelling:
    """What becomes of the labels in the rows of a file.

    `kept` are the rows of the file that are rows of `final`, and of these `changed` are rows of samples that
    change; `once` marks rows in which a label counts once, `called` names the labels of the file, `exchanged`
    those of a sample that become others.
    """

    final: LabelRows
    kept: Places
    changed: Places
    once: Marks
    called: Mapping[str, str]
    exchanged: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def labels(self, row: int) -> list[str]:
        """List the labels of a row."""
        return [self.final.vocabulary.concepts[at] for at in stored_columns(self.final.matrix, row)]

    def match(
        self, row: int, written: Iterable[str], beside: Iterable[int] = repeat(0)
    ) -> tuple[list[str | None], list[str]]:
        """Name the labels that a row writes, with None for those that go; and list those that it lacks."""
        met = dict.fromkeys(self.labels(row), False)
        first: dict[tuple[str, int], str] = {}
        names: list[str | None] = []
        for text, other in zip(written, beside, strict=False):
            known = self.exchanged.get((self.final.samples[row], text)) or self.called.get(text, text)
            name = text if text in met else known
            # Repeated labels stay; a label renamed to another of the row is merged with that one.
            stays = name in met and (
                (name, other) not in first or (first[name, other] == text and not self.once[row])
            )
            if name in met:
                first.setdefault((name, other), text)
                met[name] = True
            names.append(name if stays or not text else None)
        return names, [name for name, there in met.items() if not there]

    def list_of(self, row: int, field: str, sign: str | None) -> str:
        """Write the labels of a row into the field that holds them, separated by a sign or as a list."""
        parts = (list_items([field]) or [""])[0].split(BETWEEN) if sign is None else field.split(sign)
        parts = [part for part in parts if part.strip()]
        written = [part.strip(whitespace) for part in parts]
        names, missing = self.match(row, written)
        if names == written and not missing:
            return field
        if sign is None:
            return write_list([*filter(None, names), *missing], field)
        pairs = zip(parts, written, names, strict=True)
        kept = [part.replace(old, name) for part, old, name in pairs if name]
        between = sign
        if len(parts) > 1:  # with the blanks beside it
            between = parts[0].partition(written[0])[2] + sign + parts[1][: -len(parts[1].lstrip())]
        # Behind the last label there may be blanks, and what would separate it from others.
        behind = field[field.rindex(parts[-1]) + len(parts[-1].rstrip(whitespace)) :] if parts else ""
        return between.join([*filter(None, [sign.join(kept).strip(whitespace)]), *missing]) + behind


def placed_edits(original: Original, form: Recognised, new: Relabelling) -> list[Edit] | None:
    """Change labels where they stand; None where a decoder does not know that."""
    rows, options, final = original.rows, original.options, new.final
    found = parse(replace(rows, placed=True), form, options)
    if found.spots is None:
        return None
    at: dict[int, defaultdict[int, list[tuple[str, Any]]]] = defaultdict(partial(defaultdict, list))
    owner = np.zeros_like(found.sample) if found.owner is None else found.owner
    parts = (part.tolist() for part in (found.sample, owner, found.concept))
    for row, sheet, code, spot in zip(*parts, found.spots, strict=True):
        at[row][sheet].append((found.spellings[code], spot))
    changes = _Changes(form.format == "labelstudio", rows.data, new.exchanged)
    for number, row in zip(new.changed.tolist(), new.kept[new.changed].tolist(), strict=True):
        for labels in at[row].values() or [[]]:
            # Labels that are given again in another item, such as a box, are not repeated.
            beside = [id(spot if (items := _list_of(spot)) is None else items) for _, spot in labels]
            names, missing = new.match(number, [old for old, _ in labels], beside)
            empty = found.holders[row] if found.holders and not (found.sheets or labels) else None
            if missing and isinstance(empty, Placed) and isinstance(empty, list) and not empty:
                changes.texts[id(empty)] = empty, write_json(missing)
            elif why := changes.note(final.samples[number], labels, names, missing):
                raise InputError(f"sample {found.samples[row]!r}: {why}", "")
    if new.kept.size < len(found.samples):
        gone = np.isin(found.sheets[0], new.kept, invert=True) if found.sheets else ()
        changes.take_out(list(compress(found.holders, gone)))
    edits = changes.edits()
    # Places may be shared: what is written must read as it was meant.
    again = parse(replace(rows, data="".join(spliced(rows.data, edits)).encode()), form, options)
    entries = zip(again.sample.tolist(), again.concept.tolist(), strict=True)
    read = {(again.samples[row], again.spellings[code]) for row, code in entries}
    wanted = zip(*(part.tolist() for part in final.matrix.nonzero()), strict=True)
    if read != {(final.samples[row], final.vocabulary[column]) for row, column in wanted}:
        raise InputError("several labels stand in one place, and not all change alike", "")
    return edits


def _list_of(spot: Any) -> Any:  # noqa: ANN401 - a label and a list that know where they stand
    """Find the list of labels in which a label stands; None on a path, or with other things beside it."""
    held = getattr(spot, "holder", None)
    whole = isinstance(held, list) and all(isinstance(one, Placed) for one in held)  # no nulls in it
    return held if whole and not isinstance(getattr(held, "holder", None), list) else None


@dataclass
class _Changes:
    """Collects new texts of labels, and additions to lists, by the identity of what is replaced."""

    studio: bool
    data: bytes
    exchanged: Mapping[tuple[str, str], str]
    texts: dict[int, tuple[Placed, str]] = field(default_factory=dict)
    lists: dict[int, tuple[Any, list[str]]] = field(default_factory=dict)

    def note(
        self, sample: str, labels: list[tuple[str, Any]], names: list[str | None], missing: list[str]
    ) -> str:
        """Note the changes of a sample; say why one cannot be written."""
        for (old, spot), name in zip(labels, names, strict=True):
            if name == old:
                continue
            unlisted = getattr(spot, "listed", None) and not {old, name} & spot.listed.keys()
            if not isinstance(spot, Placed) or old not in str(spot) or unlisted:
                return f"nothing says where {old!r} stands"
            if spot.listed is not None and (sample, old) in self.exchanged and name not in spot.listed:
                return f"{name!r} is not among the labels that may stand there"
            if name is None and not self._is_open(spot):
                return f"{old!r} cannot be taken out without what stands beside it"
            self._change(spot, old, name)
        if not missing:
            return ""
        pairs = sorted(zip((spot for _, spot in labels), names, strict=True), key=lambda pair: bool(pair[1]))
        spot, name = next((pair for pair in reversed(pairs) if self._is_open(pair[0])), (None, None))
        if spot is None or not {*missing} <= {*(spot.listed or missing)}:
            return f"nothing says where {missing[0]!r} is to be added"
        if (items := _list_of(spot)) is None:
            self._write_choices(spot, [*filter(None, [name]), *missing])
        else:
            self.lists.setdefault(id(items), (items, []))[1].extend(map(spot.quote, missing))
        return ""

    def _write_choices(self, spot: Any, choices: list[str]) -> None:  # noqa: ANN401 - a text
        text = write_json({"choices": choices})
        self.texts[id(spot)] = spot, text if spot.holder is not None else spot.quote(text)

    def _is_open(self, spot: object) -> bool:
        """Whether labels may be added beside a label, or it may be removed: not in a region or on a path."""
        items = _list_of(spot)
        if items is None:  # Label Studio writes the only answer without a list
            return self.studio and isinstance(spot, Placed) and not isinstance(spot.holder, list)
        return not self.studio or not isinstance(items.holder, dict) or "choices" in items.holder

    def _change(self, spot: Any, old: str, name: str | None) -> None:  # noqa: ANN401 - a text
        if name is None and _list_of(spot) is None:
            self._write_choices(spot, [])
            return
        if name is None:
            self.lists.setdefault(id(spot.holder), (spot.holder, []))
        elif spot.listed is not None and name not in spot.listed:
            declared = spot.listed[old]
            self.texts[id(declared)] = declared, declared.quote(name)
        text = spot.quote(name) if name else ""
        if text is not None:  # the number of a category stays
            self.texts[id(spot)] = spot, text

    def take_out(self, holders: Iterable[Any]) -> None:
        """Take out annotations: items of lists, or lines."""
        for one in holders:
            if not isinstance(one, Placed):
                raise InputError("annotations cannot be taken out", "")
            if isinstance(one.holder, list):
                self.lists.setdefault(id(one.holder), (one.holder, []))
            else:
                end = LINE_END.search(self.data, one.end)
                one.end = len(self.data) if end is None else end.end()
            self.texts[id(one)] = one, ""

    def _between(self, items: Any) -> str:  # noqa: ANN401 - a list
        if items[1:]:
            return self.data[items[0].end : items[1].begin].decode()
        space = self.data[items.begin : items[0].begin].decode()
        return f",{space[1:]}" if space[:1] == "[" and space[1:].isspace() else str(items.between)

    def edits(self) -> list[Edit]:
        """Give the changes in the order of the file."""
        inside = {id(item) for items, _ in self.lists.values() for item in items}
        single = [pair for pair in self.texts.values() if id(pair[0]) not in inside or pair[1]]
        edits = [Edit(spot.begin, spot.end, text) for spot, text in single]
        for items, more in self.lists.values():
            gone = [self.texts.get(id(one), (one, "-"))[1] == "" for one in items]
            first = gone.index(False) if False in gone else len(items)
            for n, one in enumerate(items):
                if gone[n] and n > first:
                    edits.append(Edit(items[n - 1].end, one.end, ""))
                elif gone[n]:
                    edits.append(Edit(one.begin, items[n + 1].begin if items[n + 1 :] else one.end, ""))
            if more:
                between = self._between(items)
                before = between * (first < len(items))
                edits.append(Edit(items[-1].end, items[-1].end, before + between.join(more)))
        return sorted(edits)
