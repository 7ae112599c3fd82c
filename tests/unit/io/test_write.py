"""What is written is read again, whatever the names are."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.reading import read_labels
from ontoeval.labels.recognition import recognise
from ontoeval.labels.writers import write_labels

# Every text that is the same without blanks around it and that UTF-8 can write.
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
NAMES = st.text(LETTERS, min_size=1, max_size=8).filter(lambda text: text == text.strip())
AWKWARD = st.sampled_from(
    ["a,b", 'a"b', '"', "a;b", "a|b", "a\nb", "a\rb", "a\tb", "Bäume", "0", "=1", "nan"]
)


@st.composite
def label_sets(draw: st.DrawFn, *, without: str = "") -> LabelSets:
    names = (NAMES | AWKWARD).filter(lambda name: not set(name) & set(without))
    vocabulary = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    samples = draw(st.lists(NAMES | AWKWARD, min_size=1, max_size=5, unique=True))
    sets = [draw(st.lists(st.sampled_from(vocabulary), unique=True)) for _ in samples]
    return LabelSets.from_sets(sets, vocabulary=vocabulary, samples=samples)


def same(ours: LabelSets, theirs: LabelSets) -> bool:
    return (
        ours.samples == theirs.samples
        and ours.vocabulary == theirs.vocabulary
        and bool((ours.matrix.toarray() == theirs.matrix.toarray()).all())
    )


def as_columns(sets: LabelSets) -> str:
    file = io.StringIO(newline="")
    table = csv.writer(file, quoting=csv.QUOTE_ALL)
    table.writerow(["id", *sets.vocabulary])
    for sample, row in zip(sets.samples, sets.matrix.toarray().astype(int).tolist(), strict=True):
        table.writerow([sample, *row])
    return file.getvalue()


def as_json(sets: LabelSets) -> str:
    return json.dumps({sample: sets.labels_of(sample) for sample in sets.samples})


@pytest.mark.parametrize("output_format", ["wide", "long"])
@given(sets=label_sets(without=";"))
def test_what_is_written_is_read_again(output_format: Literal["wide", "long"], sets: LabelSets) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        write_labels(sets, path, output_format=output_format)
        assert recognise(path).format == output_format
        assert same(read_labels(path, concepts=sets.vocabulary), sets)


@pytest.mark.parametrize(("input_format", "content_of"), [("columns", as_columns), ("json", as_json)])
@given(sets=label_sets())
def test_what_others_write_is_read(
    input_format: str, content_of: Callable[[LabelSets], str], sets: LabelSets
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels")
        path.write_bytes(content_of(sets).encode())
        assert same(read_labels(path, concepts=sets.vocabulary, input_format=input_format), sets)


@given(sets=label_sets())
def test_the_long_format_can_write_every_label(sets: LabelSets) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "labels.csv")
        write_labels(sets, path, output_format="long")
        assert same(read_labels(path, concepts=sets.vocabulary), sets)


def test_a_label_that_contains_a_separator_stays_one_label(tmp_path: Path) -> None:
    sets = LabelSets.from_sets({"p1": ["Speech, male"], "p2": ["Music|loud"], "p3": []})
    write_labels(sets, tmp_path / "labels.csv")
    assert same(read_labels(tmp_path / "labels.csv"), sets)


def test_a_row_with_two_labels_shows_what_separates_them(tmp_path: Path) -> None:
    sets = LabelSets.from_sets({"p1": ["land plants"], "p2": ["Speech, male", "sky"]})
    write_labels(sets, tmp_path / "labels.csv")
    written = (tmp_path / "labels.csv").read_text(encoding="utf-8")
    assert written == 'id,labels\np1,land plants\np2,"Speech, male;sky"\n'
    assert same(read_labels(tmp_path / "labels.csv"), sets)


def test_a_file_is_packed_where_its_name_says_so(tmp_path: Path) -> None:
    sets = LabelSets.from_sets({"p1": ["sky"], "p2": []})
    for name in ("labels.csv", "labels.csv.gz", "again.gz"):
        write_labels(sets, tmp_path / name)
        assert same(read_labels(tmp_path / name), sets)
    packed = (tmp_path / "labels.csv.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "labels.csv").read_bytes()
    assert packed == (tmp_path / "again.gz").read_bytes(), "neither times nor names are in it"


def test_a_label_that_contains_the_separator_needs_the_long_format(tmp_path: Path) -> None:
    sets = LabelSets.from_sets({"p1": ["a;b"]})
    with pytest.raises(InputError, match=r"'a;b' contains what separates labels.*output_format='long'"):
        write_labels(sets, tmp_path / "labels.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [" sky", "sky\n", "s\0ky", "\ud800"])
def test_names_that_would_not_be_read_again_are_not_written(tmp_path: Path, name: str) -> None:
    for sets in (LabelSets.from_sets({"p1": [name]}), LabelSets.from_sets({name: ["sky"]})):
        with pytest.raises(InputError, match=r"would not be read as it is\. Rename it"):
            write_labels(sets, tmp_path / "labels.csv")


def test_a_format_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    sets = LabelSets.from_sets({"p1": ["sky"]})
    with pytest.raises(ParameterError, match="output_format='json'"):
        write_labels(sets, tmp_path / "labels", output_format="json")  # type: ignore[arg-type]
