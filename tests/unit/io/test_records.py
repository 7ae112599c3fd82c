"""Records in JSON and JSON Lines: one object for each sample, or for each label."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ontoeval.errors import InputError
from ontoeval.labels.reading import read_label_file, read_labels, read_scores
from ontoeval.labels.recognition import recognise

RECORDS: list[dict[str, Any]] = [
    {"id": "p1", "title": "On the sky", "labels": ["sky", "sea"]},
    {"id": "p2", "title": "On nothing", "labels": []},
    {"id": 3, "title": "On the sea", "labels": ["sea"]},
]
SETS = {"p1": ("sea", "sky"), "p2": (), "3": ("sea",)}


def written(folder: Path, content: object, *, lines: bool = False) -> Path:
    path = folder / "truth.json"
    texts = [json.dumps(record) for record in content] if isinstance(content, list) and lines else []
    path.write_text("\n".join(texts) if lines else json.dumps(content, indent=1), encoding="utf-8")
    return path


def sets_of(path: Path, **options: Any) -> dict[str, tuple[str, ...]]:
    sets = read_labels(path, **options)
    return {sample: sets.labels_of(sample) for sample in sets.samples}


@pytest.mark.parametrize(
    "wrapped", [RECORDS, {"documents": RECORDS}, {"system": "A", "n": 3, "articles": RECORDS}]
)
def test_a_list_of_records_is_found_alone_or_in_an_object(tmp_path: Path, wrapped: object) -> None:
    path = written(tmp_path, wrapped)
    assert sets_of(path) == SETS
    form = read_label_file(path).format
    assert str(form) == "JSON (records with the keys 'id', 'labels'; not used: 'title')"
    assert str(recognise(path)) == "JSON (the labels of each sample)"


def test_json_lines_have_a_record_in_each_line(tmp_path: Path) -> None:
    path = written(tmp_path, RECORDS, lines=True)
    assert sets_of(path) == SETS
    assert str(recognise(path)) == "JSON Lines (keys 'id', 'labels'; not used: 'title')"
    path.write_text("\n\n" + path.read_text(encoding="utf-8").replace("\n", "\n\n"), encoding="utf-8")
    assert sets_of(path) == SETS


def test_one_line_that_is_a_record_is_json_lines_and_one_with_a_sample_is_not(tmp_path: Path) -> None:
    assert recognise(written(tmp_path, [RECORDS[0]], lines=True)).format == "jsonl"
    path = tmp_path / "one.json"
    path.write_text('{"id": ["sky"], "labels": ["sea"]}', encoding="utf-8")
    assert recognise(path).format == "json"
    assert sets_of(path) == {"id": ("sky",), "labels": ("sea",)}
    path.write_text('{"p1": ["sky"]}', encoding="utf-8")
    assert sets_of(path, input_format="json") == {"p1": ("sky",)}


@pytest.mark.parametrize(
    ("record", "keys"),
    [
        ({"pmid": 7, "meshMajor": ["a"], "year": 2014, "journal": "J"}, ("pmid", "meshMajor")),
        ({"id": "x", "pmid": 7, "decsCodes": ["a"]}, ("id", "decsCodes")),
        ({"document_id": "x", "class": "a", "labels": ["b"]}, ("document_id", "labels")),
        ({"image": "x", "tag": "a"}, ("image", "tag")),
        ({"id": "x", "labels": ["a"], "scores": [0.5]}, ("id", "labels", "scores")),
    ],
)
def test_keys_go_by_the_names_that_columns_have(
    tmp_path: Path, record: dict[str, Any], keys: tuple[str, ...]
) -> None:
    assert recognise(written(tmp_path, [record], lines=True)).header == keys


def test_a_record_may_hold_one_label_and_a_sample_several_of_them(tmp_path: Path) -> None:
    records = [{"id": "p1", "label": "sky"}, {"id": "p2", "label": ""}, {"id": "p1", "label": "sea"}]
    assert sets_of(written(tmp_path, records, lines=True)) == {"p1": ("sea", "sky"), "p2": ()}


@pytest.mark.parametrize(
    "records",
    [
        [
            {"id": "p1", "labels": ["sky", "sea"], "scores": [0.9, 0]},
            {"id": "p2", "labels": [], "scores": []},
        ],
        [{"id": "p1", "labels": {"sky": 0.9, "sea": 0}}, {"id": "p2", "labels": {}}],
        [{"id": "p1", "label": "sky", "score": 0.9}, {"id": "p1", "label": "sea", "score": 0}],
    ],
)
def test_scores_stand_beside_labels(tmp_path: Path, records: list[Any]) -> None:
    for lines in (True, False):
        path = written(tmp_path, records, lines=lines)
        scores = read_scores(path)
        assert scores.vocabulary.concepts == ("sea", "sky")
        assert scores.matrix.toarray()[0].tolist() == [0, 0.9]
        assert scores.matrix.nnz == 1  # a score of 0 is no score
        assert read_labels(path, threshold=0.5).labels_of("p1") == ("sky",)
        with pytest.raises(InputError, match="scores, not labels"):
            read_labels(path)


def test_labels_are_no_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"truth\.json, row 1: sample 'p1' has labels, not scores"):
        read_scores(written(tmp_path, RECORDS, lines=True))


def test_labels_that_are_repeated_in_a_list_are_counted(tmp_path: Path) -> None:
    file = read_label_file(written(tmp_path, {"documents": [{"id": "p1", "labels": ["a", "b", "a", "a"]}]}))
    assert file.repeated == 2
    assert "2 labels repeated for the same sample" in file.notes[0]


WRONG: dict[str, tuple[list[Any], str]] = {
    "no labels": ([{"id": "p1"}, {"id": "p2"}], "row 1: no key for the labels among 'id'"),
    "no sample": ([{"labels": ["a"]}, RECORDS[0]], "row 1: no key for the sample among 'labels'"),
    "two keys for labels": (
        [{"id": "p1", "labels": [], "tags": []}, RECORDS[0]],
        "row 1: several keys for the labels: 'labels', 'tags'",
    ),
    "a key that is lacking": ([RECORDS[0], {"id": "p2"}], "row 2: a record without 'labels'"),
    "the same sample": ([RECORDS[0], RECORDS[0]], "row 2: sample 'p1' is there already"),
    "the same sample with one label": (
        [RECORDS[0], {"id": "p1", "labels": "moon"}],
        "row 2: sample 'p1' is there already",
    ),
    "no name": ([{"id": " ", "labels": []}], "row 1: the sample has no name"),
    "a truth value for a name": ([{"id": True, "labels": []}], "row 1: a record has .*true"),
    "numbers for labels": ([{"id": "p1", "labels": [7.5]}], r"row 1: sample 'p1' has \[7.5\]"),
    "truth values for labels": ([{"id": "p1", "labels": [True]}], r"row 1: sample 'p1' has \[true\]"),
    "an empty name": (
        [RECORDS[0], {"id": "p9", "labels": ["sky", ""]}],
        "row 2: sample 'p9': a label has an empty name",
    ),
    "fewer scores": (
        [{"id": "p1", "labels": ["a", "b"], "scores": [1]}],
        r"row 1: sample 'p1' has .* with the scores \[1\]",
    ),
    "a score that is no number": (
        [{"id": "p1", "labels": ["a"], "scores": ["1"]}],
        "row 1: sample 'p1' has .* with the scores",
    ),
    "a list of scores for one label": (
        [{"id": "p1", "label": "a", "score": [1]}],
        "row 1: sample 'p1' has .* with the scores",
    ),
    "no object": ([RECORDS[0], ["sky"]], r"row 2: this line holds \[\"sky\"\], no object"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_record_is_refused_with_its_row(tmp_path: Path, case: str) -> None:
    records, message = WRONG[case]
    with pytest.raises(InputError, match=rf"truth\.json, {message}"):
        read_labels(written(tmp_path, records, lines=True), threshold=0.5 if "score" in case else None)


def test_in_a_list_records_are_counted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"truth\.json, record 2, row 10: a record without 'labels'"):
        read_labels(written(tmp_path, [RECORDS[0], {"id": "p2"}]))


def test_a_line_that_is_no_json_is_refused_with_its_row(tmp_path: Path) -> None:
    path = written(tmp_path, RECORDS, lines=True)
    path.write_text(path.read_text(encoding="utf-8") + '\n{"id": "p4", "labels": [}', encoding="utf-8")
    with pytest.raises(InputError, match=r"truth\.json, row 4: this is not valid JSON"):
        read_labels(path)
    path.write_text(
        '{"id": "p1", "labels": [], "labels": ["a"]}\n{"id": "p2", "labels": []}', encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"row 1: keys stand twice in one object: 'labels'"):
        read_labels(path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "p3", "id": "p4", "labels": ["sky"]}', "row 3: keys stand twice in one object: 'id'"),
        ('{"id": "p3", "labels": ["sea"], "labels": ["sky"]}', "row 3: keys stand twice"),
        ('{"id": "p3", "labels": ["sky"]} {"id": "p4", "labels": []}', "row 3: this is not valid JSON"),
        ('{"id": "p1", "labels": ["sky"]}', "row 3: sample 'p1' is there already"),
        ('{"id": " ", "labels": ["sky"]}', "row 3: the sample has no name"),
        ('{"id": "p3", "labels": ["sky", null, ""]}', "row 3: sample 'p3': a label has an empty name"),
        ('{"id": "p3", "labels": ["' + "sky" + '", {"a": 1}]}', "row 3: sample 'p3' has"),
    ],
)
def test_one_wrong_line_among_others_is_found_by_its_row(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    rows = [
        '{"id": "p1", "labels": ["sky"]}',
        '{"id": "p2", "labels": []}',
        line,
        '{"id": "p9", "labels": []}',
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(problem)):
        read_labels(path)


@pytest.mark.parametrize("odd", ['{"id": "p\\u0033", "labels": ["sea"]}', '{"id": 3, "labels": ["sea"]}', ""])
def test_lines_that_are_written_otherwise_are_read_alike(odd: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    rows = [json.dumps({"id": f"q{number}", "labels": ["sky", "sea"]}) for number in range(9)]
    path.write_text("\n".join([*rows, odd]), encoding="utf-8")
    sets = read_labels(path)
    assert sets.samples[:9] == tuple(f"q{number}" for number in range(9))
    assert all(sets.labels_of(name) == ("sea", "sky") for name in sets.samples[:9])
    assert [sets.labels_of(name) for name in sets.samples[9:]] == [("sea",)] * bool(odd)


def test_an_error_in_a_line_of_json_bears_its_row(tmp_path: Path) -> None:
    path = written(tmp_path, [*RECORDS, {"id": "p2", "labels": []}], lines=True)
    with pytest.raises(InputError, match="row 4: sample 'p2' is there already") as caught:
        read_labels(path)
    assert caught.value.row == 4
