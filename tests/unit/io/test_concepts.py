"""Concept lists and concept maps come in several shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import InputError
from ontoeval.labels.name_resolution import read_concept_map, read_concepts


def written(folder: Path, content: str) -> Path:
    path = folder / "concepts.txt"
    path.write_bytes(content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "sky\nbig tree\n",
        "\nsky\n\nbig tree",
        "concept\nsky\nbig tree\n",
        "number\tname\r\n0\tsky\r\n1\tbig tree\r\n",
        "label,concept\nSky above,sky\nTree,big tree\n",
        "concept,agreement\nsky,1\nbig tree,0.9\n",
        'name;note\nsky;"a;b"\n"big tree";c\n',
    ],
)
def test_concept_lists_are_lines_or_a_column_with_a_name(tmp_path: Path, content: str) -> None:
    assert read_concepts(written(tmp_path, content)) == ("sky", "big tree")


def test_a_line_is_one_name_although_it_has_commas(tmp_path: Path) -> None:
    content = "Speech\nMale speech, man speaking\n"
    assert read_concepts(written(tmp_path, content)) == ("Speech", "Male speech, man speaking")


@pytest.mark.parametrize(
    "content",
    [
        'index,mid,display_name\n0,/m/09x0r,"Speech"\n1,/m/05zppz,"Male speech, man speaking"\n',
        "number;code\n0;sky\n",
        "number\tcode\n0\tsky\n",
    ],
)
def test_a_table_without_a_column_of_names_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"row 1: several columns, '\w+', .*none is called 'concept'"):
        read_concepts(written(tmp_path, content))


@pytest.mark.parametrize("content", ["Speech, male\nSpeech, female\n", "a,b\nc\n"])
def test_lines_that_are_no_table_are_names(tmp_path: Path, content: str) -> None:
    assert read_concepts(written(tmp_path, content)) == tuple(content.splitlines())


def test_a_concept_map_translates_a_concept_list(tmp_path: Path) -> None:
    translated = read_concepts(
        written(tmp_path, "Himmel\nsea\n"), concept_map={"Himmel": "sky", "Berg": "hill"}
    )
    assert translated == ("sky", "sea")


@pytest.mark.parametrize(
    "content",
    [
        "label,concept\nHimmel,sky\nMeer,sea\nSee,sea\n",
        "concept\tremark\tlabel\nsky\t\tHimmel\nsea\tx\tMeer\nsea\t\tSee\nsky\t\tHimmel\n",
        "name;iri\nHimmel;sky\nMeer;sea\nSee;sea\n",
    ],
)
def test_a_concept_map_has_a_column_of_labels_and_one_of_concepts(tmp_path: Path, content: str) -> None:
    assert read_concept_map(written(tmp_path, content)) == {"Himmel": "sky", "Meer": "sea", "See": "sea"}
