"""Columns that are named: a table says the same whatever its columns are called, and wherever they stand."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

NAMES = ("fox", "wolf", "deer")

statements = st.lists(
    st.tuples(st.sampled_from(("p1", "p2", "p3")), st.sampled_from(NAMES)),
    min_size=1,
    max_size=8,
    unique=True,
).map(sorted)
"""Samples with one label each; the rows of a sample follow one another."""

remarks = st.lists(st.sampled_from(("# made by hand", "! twice,checked", "#")), max_size=3)

orders = st.permutations(range(4))


@contextmanager
def table(
    rows: Sequence[Sequence[str]],
    titles: Sequence[str] | None,
    order: Sequence[int],
    before: Sequence[str] = (),
) -> Iterator[Path]:
    """Write a table, with its columns in some order."""
    text = StringIO()
    text.writelines(f"{line}\n" for line in before)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([row[n] for n in order] for row in ([titles] if titles else []) + [*rows])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        path.write_text(text.getvalue(), encoding="utf-8")
        yield path


def columns(order: Sequence[int], titles: Sequence[str] | None, roles: Sequence[str]) -> dict[str, Any]:
    """Name columns by their titles, or by their numbers from 1."""
    found: dict[str, Any] = {
        f"{role}_column": order.index(n) + 1 if titles is None else titles[n] for n, role in enumerate(roles)
    }
    return found if titles else {**found, "header": False}


def labels_of(sets: oe.LabelSets) -> dict[str, tuple[str, ...]]:
    """The labels of each sample."""
    return {sample: sets.labels_of(sample) for sample in sets.samples}


TITLES = ("uid", "species seen", "p(x)", "labels")
"""Titles of which none is usual for its column; the last is that of a column that is not read."""


def reading(named: dict[str, Any]) -> oe.labels.LabelReading:
    return oe.labels.LabelReading(oe.labels.NameOptions(NAMES), oe.labels.Layout(**named))


@given(said=statements, order=orders, before=remarks, titled=st.booleans())
def test_named_columns_say_what_usual_titles_say(
    said: list[tuple[str, str]], order: list[int], before: list[str], *, titled: bool
) -> None:
    rows = [(sample, label, "0.5", "x y") for sample, label in said]
    titles = TITLES if titled else None
    with table([row[:2] for row in rows], ["sample", "concept"], [0, 1]) as path:
        usual = oe.read_labels(path, concepts=NAMES)
    with table(rows, titles, order, before) as path:
        named = columns(order, titles, ["sample", "concept"])
        file = oe.labels.read_label_file(path, reading=reading(named))
        scores = oe.read_scores(
            path, concepts=NAMES, **columns(order, titles, ["sample", "concept", "value"])
        )
    assert labels_of(file.sets) == labels_of(usual)
    assert file.format.remarks == len(before)
    assert labels_of(scores.at(0.5)) == labels_of(usual)


@given(said=statements, absent=st.sets(st.integers(0, 7)), order=orders, data=st.data())
def test_a_label_is_present_absent_or_unknown_as_its_row_says(
    said: list[tuple[str, str]], absent: set[int], order: list[int], data: st.DataObject
) -> None:
    no = st.sampled_from(("NOT", "not", "NOT|part_of", "enables|NOT", "NOT|", "excluded", " absent "))
    yes = st.sampled_from(("", "present", "part_of", "contributes_to|enables"))
    rows = [
        (sample, label, data.draw(no if number in absent else yes), "")
        for number, (sample, label) in enumerate(said)
    ]
    named = columns(order, TITLES, ["sample", "concept", "negation"])
    with table(rows, TITLES, order) as path:
        file = oe.labels.read_label_file(path, reading=reading(named))
        verified = [oe.read_verified_labels(path, concepts=NAMES, negative=n, **named) for n in (0, -1)]
    there = {cell for number, cell in enumerate(said) if number not in absent}
    assert {(s, label) for s, labels in labels_of(file.sets).items() for label in labels} == there
    assert file.sets.samples == tuple(dict.fromkeys(sample for sample, _ in said))
    assert file.ledger.negated == len(said) - len(there)
    for both in verified:
        assert labels_of(both.positive) == labels_of(file.sets)
        assert {(s, x) for s, xs in labels_of(both.negative).items() for x in xs} == {*said} - there


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow")
@given(said=statements, absent=st.sets(st.integers(0, 7)), order=orders)
def test_parquet_says_what_text_says(said: list[tuple[str, str]], absent: set[int], order: list[int]) -> None:
    rows = [(*cell, "NOT" if number in absent else "", "") for number, cell in enumerate(said)]
    named = columns(order, TITLES, ["sample", "concept", "negation"])
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    with table(rows, TITLES, order) as path:
        text = oe.labels.read_label_file(path, reading=reading(named))
        pq.write_table(pa.table({TITLES[n]: [row[n] for row in rows] for n in order}), path)
        binary = oe.labels.read_label_file(path, reading=reading(named))
        verified = oe.read_verified_labels(path, concepts=NAMES, **named)
    assert labels_of(binary.sets) == labels_of(text.sets) == labels_of(verified.positive)
    assert binary.ledger.negated == text.ledger.negated == verified.negative.matrix.nnz
