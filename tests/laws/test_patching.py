"""A corrected copy is the file, but for the rows that were corrected."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

EDGES = "child,parent\nland plants,plants\ntrees,land plants\noaks,trees\nflowers,land plants\nsky,\n"
KNOWN = ["land plants", "plants", "trees", "oaks", "flowers", "sky", "Sky"]
LABELS = st.lists(st.sampled_from([*KNOWN, "griffin"]), max_size=6)
ENDS = st.sampled_from(["\n", "\r\n"])


def table(rows: list[list[str]], delimiter: str, end: str, quoting: Any) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return file.getvalue()


@st.composite
def wide(draw: st.DrawFn) -> list[list[str]]:
    sign = draw(st.sampled_from([";", "|", ",", "; ", " | "]))
    rows = [
        [f"p{draw(st.integers(0, 9))}", draw(st.sampled_from(["", 'a "b"', "c\nd", "e,f;g\th"])), labels]
        for labels in (sign.join(draw(LABELS)) for _ in range(draw(st.integers(1, 8))))
    ]
    return [["image", "title", "labels"], *rows]


@st.composite
def long(draw: st.DrawFn) -> list[list[str]]:
    label = st.sampled_from([*KNOWN, "griffin", ""])
    rows = [
        [draw(label), draw(st.sampled_from(["", "c\r\nd", "1"])), f"p{draw(st.integers(0, 4))}"]
        for _ in range(draw(st.integers(1, 14)))
    ]
    return [["label", "split", "sample"], *rows]


@st.composite
def columns(draw: st.DrawFn) -> list[list[str]]:
    names = draw(st.lists(st.sampled_from(KNOWN), min_size=1, unique=True))
    words = st.sampled_from(["0", "1", "true", "False", "1.0", "0.0"])
    rows = [[f"p{row}", *(draw(words) for _ in names)] for row in range(draw(st.integers(1, 8)))]
    return [["id", *names], *rows]


@given(
    rows=wide() | long() | columns(),
    delimiter=st.sampled_from([",", ";", "\t"]),
    end=ENDS,
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    cut=st.booleans(),
    convention=st.sampled_from(["closed", "most-specific", "mixed"]),
    off=st.sets(st.sampled_from(["repeated-label", "duplicate-sample", "spelling"])),
)
def test_a_copy_holds_what_it_should_and_differs_where_it_should(
    rows: list[list[str]],
    delimiter: str,
    end: str,
    quoting: Any,
    *,
    cut: bool,
    convention: Any,
    off: set[str],
) -> None:
    text = table(rows, delimiter, end, quoting)
    text = text.removesuffix(end) if cut else text
    with TemporaryDirectory() as folder:
        path, copy, again = (Path(folder, name) for name in ("labels.csv", "copy.csv", "again.csv"))
        Path(folder, "nature.csv").write_text(EDGES, encoding="utf-8")
        ontology = oe.read_ontology(Path(folder, "nature.csv"))
        path.write_bytes(text.encode())
        options: Any = {"convention": convention, "severities": dict.fromkeys(off, "off")}
        first = oe.correct_labels(path, ontology, **options)
        first.write(copy, Path(folder, "log.csv"))
        second = oe.correct_labels(copy, ontology, **options)
        second.write(again, Path(folder, "log.csv"))
        assert not second.changes
        assert again.read_bytes() == copy.read_bytes()
        assert set(first.sets.samples) == set(second.sets.samples)
        for sample in first.sets.samples:
            assert set(first.sets.labels_of(sample)) == set(second.sets.labels_of(sample))
        if first.patch is None:
            return
        before, after = (
            list(csv.reader(io.StringIO(file.read_bytes().decode(), newline=""), delimiter=delimiter))
            for file in (path, copy)
        )
    left = [column for column, name in enumerate(before[0]) if name in after[0]]
    assert set(before[0]) - set(after[0]) <= {"sky", "Sky"}, "of two columns of a concept one goes, no other"
    whole, before = before, [[row[column] for column in left] for row in before]
    place = rows[0].index("sample") if "sample" in rows[0] else 0
    changed = {change.sample for change in first.changes}
    assert not off & {change.rule for change in first.changes}
    unread = {"wide": 1, "long": 1}.get(first.patch.form.format)
    if unread is not None:
        kept = {(row[place], row[unread]) for row in after}
        assert kept >= {(row[place], row[unread]) for row in before}, "what is not read is still there"
    assert [row for row in before if row[place] not in changed] == [
        row for row in after if row[place] not in changed
    ]
    for sample in changed:
        assert [row for row in whole if row[place] == sample] != [
            row for row in after if row[place] == sample
        ]
