"""What is written is read again, whatever the names are."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

# Every text that is the same without blanks around it and that UTF-8 can write.
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
NAMES = st.text(LETTERS, min_size=1, max_size=8).filter(lambda text: text == text.strip())
AWKWARD = st.sampled_from(
    ["a,b", 'a"b', '"', "a;b", "a|b", "a\nb", "a\rb", "a\tb", "Bäume", "0", "=1", "nan"]
)


@st.composite
def label_sets(draw: st.DrawFn, *, without: str = "") -> oe.LabelSets:
    names = (NAMES | AWKWARD).filter(lambda name: not set(name) & set(without))
    vocabulary = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    samples = draw(st.lists(NAMES | AWKWARD, min_size=1, max_size=5, unique=True))
    sets = [draw(st.lists(st.sampled_from(vocabulary), unique=True)) for _ in samples]
    return oe.LabelSets.from_sets(sets, vocabulary=vocabulary, samples=samples)


def same(ours: oe.LabelSets, theirs: oe.LabelSets) -> bool:
    return (
        ours.samples == theirs.samples
        and ours.vocabulary == theirs.vocabulary
        and bool((ours.matrix.toarray() == theirs.matrix.toarray()).all())
    )


def as_columns(sets: oe.LabelSets) -> str:
    file = io.StringIO(newline="")
    table = csv.writer(file, quoting=csv.QUOTE_ALL)
    table.writerow(["id", *sets.vocabulary])
    for sample, row in zip(sets.samples, sets.matrix.toarray().astype(int).tolist(), strict=True):
        table.writerow([sample, *row])
    return file.getvalue()


def as_json(sets: oe.LabelSets) -> str:
    return json.dumps({sample: sets.labels_of(sample) for sample in sets.samples})


@pytest.mark.parametrize("output_format", ["wide", "long"])
@given(sets=label_sets(without=";"))
def test_what_is_written_is_read_again(output_format: Literal["wide", "long"], sets: oe.LabelSets) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        oe.write_labels(sets, path, output_format=output_format)
        assert oe.labels.recognise(path).format == output_format
        assert same(oe.read_labels(path, concepts=sets.vocabulary), sets)


@pytest.mark.parametrize(("input_format", "content_of"), [("columns", as_columns), ("json", as_json)])
@given(sets=label_sets())
def test_what_others_write_is_read(
    input_format: str, content_of: Callable[[oe.LabelSets], str], sets: oe.LabelSets
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels")
        path.write_bytes(content_of(sets).encode())
        assert same(oe.read_labels(path, concepts=sets.vocabulary, input_format=input_format), sets)


@given(sets=label_sets())
def test_the_long_format_can_write_every_label(sets: oe.LabelSets) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        oe.write_labels(sets, path, output_format="long")
        assert same(oe.read_labels(path, concepts=sets.vocabulary), sets)
