"""Labels as programs and benchmarks of others write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ontoeval.errors import InputError, UnknownConceptError
from ontoeval.labels.chunks import read_label_chunks
from ontoeval.labels.reading import read_labels, read_scores
from ontoeval.labels.recognition import recognise


def sets_of(folder: Path, content: str, **options: Any) -> dict[str, set[str]]:
    path = folder / "labels.txt"
    path.write_text(content, encoding="utf-8")
    sets = read_labels(path, **options)
    return {sample: set(sets.labels_of(sample)) for sample in sets.samples}


TWO = {"p1": {"cat", "old dog"}, "p2": {"cat"}}


@pytest.mark.parametrize(
    "content",
    [
        "id,labels\np1,\"['cat', 'old dog']\"\np2,['cat']\n",
        "id,labels\np1,['cat' 'old dog']\np2,['cat']\n",
        'id,labels\np1,"[""cat"", ""old dog""]"\np2,"[""cat""]"\n',
        'id\tlabels\np1\t["cat", "old\\u0020dog"]\np2\t["cat"]\n',
        'id,labels\np1,"[cat, old dog]"\np2,[cat]\n',
    ],
)
def test_cells_may_hold_lists_as_python_and_json_write_them(content: str, tmp_path: Path) -> None:
    if "\t" in content:
        content = content.replace('"', '""').replace("\t[", '\t"[').replace("]\n", ']"\n')
    assert sets_of(tmp_path, content) == TWO


def test_lists_have_escapes_and_may_be_empty_and_have_scores_beside_them(tmp_path: Path) -> None:
    content = """id,labels\np1,"['a\\\\b', 'it\\'s']"\np2,[]\np3,\n"""
    assert sets_of(tmp_path, content) == {"p1": {"a\\b", "it's"}, "p2": set(), "p3": set()}
    path = tmp_path / "run.csv"
    path.write_text("id,labels,scores\np1,\"['cat', 'dog']\",\"[0.5, 0.25]\"\n", encoding="utf-8")
    assert read_scores(path).matrix.toarray().tolist() == [[0.5, 0.25]]


def test_what_is_no_list_keeps_its_brackets(tmp_path: Path) -> None:
    assert sets_of(tmp_path, "id,labels\np1,[cat];[dog]\np2,cat\n")["p1"] == {"[cat]", "[dog]"}
    assert sets_of(tmp_path, "id,labels\np1,['cat'dog]\n") == {"p1": {"['cat'dog]"}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("id,attribute_ids\np1,147 616\np2,51\n", {"p1": {"147", "616"}, "p2": {"51"}}),
        ("id,labels\np1,<urn:a> <urn:b>\np2,<urn:a>\n", {"p1": {"<urn:a>", "<urn:b>"}, "p2": {"<urn:a>"}}),
    ],
)
def test_blanks_separate_numbers_and_iris(
    content: str, expected: dict[str, set[str]], tmp_path: Path
) -> None:
    assert sets_of(tmp_path, content) == expected


BLANKS = "image_name,tags\np1,haze primary\np2,clear primary\np3,water\n"


def test_words_that_may_be_labels_are_refused_until_it_is_said_what_separates_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'clear primary' may be one label, or several with blanks"):
        sets_of(tmp_path, BLANKS)
    assert sets_of(tmp_path, BLANKS, separator=" ")["p2"] == {"clear", "primary"}
    assert sets_of(tmp_path, BLANKS, separator=";")["p2"] == {"clear primary"}


def test_blanks_separate_labels_that_are_known(tmp_path: Path) -> None:
    assert sets_of(tmp_path, BLANKS, concepts=["haze", "primary", "clear", "water"])["p1"] == {
        "haze",
        "primary",
    }
    whole = ["haze primary", "clear primary", "water"]
    assert sets_of(tmp_path, BLANKS, concepts=whole)["p1"] == {"haze primary"}


def test_blanks_separate_labels_of_which_most_are_known(tmp_path: Path) -> None:
    concepts = ["clear", "primary", "water", "bare ground"]
    with pytest.raises(UnknownConceptError, match="'haze'"):
        sets_of(tmp_path, BLANKS, concepts=concepts)
    # A label of several words stays whole, and so does what may be a misspelt one.
    for last in ("p3,bare ground", "p3,clear\np4,primary rock\np5,bare primary rock"):
        with pytest.raises(UnknownConceptError, match=r"'haze primary'|'bare primary rock'"):
            sets_of(tmp_path, f"image_name,tags\np1,haze primary\n{last}\n", concepts=concepts)


def test_blanks_separate_labels_in_chunks_as_well(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    rows = "".join(f"p{number},{'haze primary' if number % 2 else 'water'}\n" for number in range(100_000))
    path.write_text("id,labels\n" + rows, encoding="utf-8")
    chunks = list(read_label_chunks(path, concepts=["haze", "primary", "water"], chunk=40_000))
    assert sum(chunk.matrix.nnz for chunk in chunks) == 150_000


def test_other_columns_beside_all_labels_of_a_sample_are_counted_and_not_read(tmp_path: Path) -> None:
    content = 'fname,labels,mids,split\np1,"cat,dog","/m/1,/m/2",train\np2,cat,/m/1,val\n'
    assert sets_of(tmp_path, content) == {"p1": {"cat", "dog"}, "p2": {"cat"}}
    assert recognise(tmp_path / "labels.txt").unused == ("mids", "split")
    content = "Image Index,Finding Labels,Patient ID\np1,Edema|Mass,1\np2,Mass,1\n"
    assert sets_of(tmp_path, content) == {"p1": {"Edema", "Mass"}, "p2": {"Mass"}}


def test_names_of_columns_may_be_written_in_one_word(tmp_path: Path) -> None:
    content = "ImageID,Source,LabelName,Confidence\np1,verification,/m/1,1\np1,verification,/m/2,0\n"
    assert sets_of(tmp_path, content, threshold=0.5) == {"p1": {"/m/1"}}
    content = "EntryID\tterm\taspect\nP1\tGO:0008152\tBPO\n"
    assert sets_of(tmp_path, content) == {"P1": {"GO:0008152"}}


def test_whole_numbers_may_be_labels_in_json(tmp_path: Path) -> None:
    assert sets_of(tmp_path, '{"p1": [0, 3], "p2": [1]}') == {"p1": {"0", "3"}, "p2": {"1"}}
    assert sets_of(tmp_path, '{"id": "p1", "labels": [27]}\n{"id": "p2", "label": 4, "labels": []}\n')[
        "p1"
    ] == {"27"}


@pytest.mark.parametrize(
    "content",
    ['{"p1": [0, 1, 0], "p2": [1, 0, 0]}', '{"id": 1, "labels": [0, 1]}\n{"id": 2, "labels": [1, 0]}\n'],
)
def test_values_for_each_concept_are_no_labels(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="values for each concept, not labels"):
        sets_of(tmp_path, content)


COCO: dict[str, Any] = {
    "info": {"year": 2017},
    "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}],
    "annotations": [
        {"image_id": 1, "category_id": 17},
        {"image_id": 1, "category_id": 18},
        {"image_id": 1, "category_id": 17},
    ],
    "categories": [{"id": 17, "name": "cat"}, {"id": 18, "name": "dog"}],
}


def test_annotations_of_coco_are_the_categories_of_each_image(tmp_path: Path) -> None:
    assert sets_of(tmp_path, json.dumps(COCO)) == {"a.jpg": {"cat", "dog"}, "b.jpg": set()}
    nameless = {**COCO, "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2}]}
    assert sets_of(tmp_path, json.dumps(nameless)) == {"1": {"cat", "dog"}, "2": set()}


@pytest.mark.parametrize(
    ("part", "value", "found"),
    [
        ("images", [], "there are no images"),
        ("images", [{"id": 2}], "row 1: an annotation refers to image 1, which is missing"),
        ("images", [{"id": 1}, {"id": "1"}], "row 1: an image has the 'id' 1 of another"),
        (
            "images",
            [{"id": 1, "file_name": "a"}, {"id": 2, "file_name": "a"}],
            "an image has the 'file_name' 'a' of another",
        ),
        (
            "categories",
            [{"id": 17, "name": "mouse"}, {"id": 18, "name": "mouse"}],
            "row 1: a category has the 'name' 'mouse' of another",
        ),
        ("categories", [{"id": 18, "name": "dog"}], "an annotation refers to category 17"),
        ("categories", [{"id": 18}], "a category without 'name'"),
        ("annotations", ["cat"], "an annotation without 'image_id'"),
        ("annotations", [{"image_id": 1, "category_id": None}], "an annotation without 'category_id'"),
    ],
)
def test_annotations_that_do_not_fit_together_are_errors(
    part: str, value: list[Any], found: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=found):
        sets_of(tmp_path, json.dumps({**COCO, part: value}))


def test_annotations_of_images_have_no_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scores"):
        sets_of(tmp_path, json.dumps(COCO), threshold=0.5)


@pytest.mark.parametrize("content", ["__label__sky A photo\n", "1,3 5:0.2 9:1\n", " 5:0.2\n"])
def test_labels_before_texts_or_features_are_no_format_that_is_recognised(
    content: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="the format is not recognised: the first row is"):
        sets_of(tmp_path, content)


def test_annotations_of_genes_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"annotations of genes .* which are not read. Write a table"):
        sets_of(tmp_path, "!gaf-version: 2.2\nUniProtKB\tA0A024\tNUDT4B\tenables\tGO:0003723\n")
