"""Files of annotations in all their forms say the same, and wrong ones say where they are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError, UnknownConceptError
from ontoeval.labels.annotations import read_annotation_files

PHOTO = oe.read_ontology(oe.ontologies.path("photo"))
CONCEPTS = ("sea", "sky", "sun")

LONG = "sample,annotator,concept\np1,Ann,sky\np1,Ann,sea\np2,Ann,\np1,Bob,sky\np2,Bob,sun\n"
SEVERAL = "photo,worker_id,labels\np1,Ann,sky;sea\np2,Ann,\np1,Bob,sky\np2,Bob,sun\n"
COLUMNS = "image_id,rad_id,sea,sky,sun\np1,Ann,1,1,0\np2,Ann,0,0,0\np1,Bob,0,1,0\np2,Bob,0,0,1\n"
DECISIONS = "task,worker,concept,value\n" + "".join(
    f"{photo},{who},{concept},{int(concept in said)}\n"
    for photo, who, said in (
        ("p1", "Ann", ("sky", "sea")),
        ("p2", "Ann", ()),
        ("p1", "Bob", ("sky",)),
        ("p2", "Bob", ("sun",)),
    )
    for concept in CONCEPTS
)
BESIDE = "sample,concept,Ann,Bob\np1,sea,1,0\np1,sky,1,1\np1,sun,0,0\np2,sea,0,0\np2,sky,0,0\np2,sun,0,1\n"
RECORDS = (
    '{"id": "p1", "annotator": "Ann", "labels": ["sky", "sea"], "spans": [{"start": 1}]}',
    '{"annotator": "Bob", "id": "p1", "labels": ["sky"], "tokens": ["a", "b"]}',
    '{"id": "p2", "annotator": "Ann", "labels": []}',
    '{"id": "p2", "annotator": "Bob", "labels": "sun"}',
)
CELLS = "sample,Ann,Bob\np1,sky;sea,sky\np2,;,sun\n"
ONE_FILE = {
    "long": LONG,
    "long with several labels in a row": SEVERAL,
    "a column for each concept": COLUMNS,
    "decisions": DECISIONS,
    "annotators in columns": BESIDE,
    "labels of annotators in columns": CELLS,
    "tabs": LONG.replace(",", "\t"),
    "records of JSON": f"[{', '.join(RECORDS)}]",
    "records of JSON in an object": f'{{"version": 1,\n"annotations": [{", ".join(RECORDS)}]}}',
    "JSON Lines": "\n\n".join(RECORDS),
    "decisions in JSON": json.dumps(
        [
            dict(zip(("task", "worker", "concept", "value"), row.split(","), strict=True))
            for row in DECISIONS.splitlines()[1:]
        ]
    ),
}
BY_ANNOTATOR = {
    "wide": {"Ann.csv": "id,labels\np1,sky;sea\np2,\n", "Bob.csv": "id,labels\np1,sky\np2,sun\n"},
    "long": {
        "Ann.csv": "sample,concept\np1,sky\np1,sea\np2,\n",
        "Bob.csv": "sample,concept\np1,sky\np2,sun\n",
    },
    "columns": {
        "Ann.csv": "Study,sea,sky,sun\np1,1.0,1.0,0.0\np2,0.0,0.0,0.0\n",
        "Bob.csv": "Study,sea,sky,sun\np1,0.0,1.0,0.0\np2,0.0,0.0,1.0\n",
    },
    "JSON": {"Ann.json": '{"p1": ["sky", "sea"], "p2": []}', "Bob.json": '{"p1": ["sky"], "p2": ["sun"]}'},
    "mixed": {
        "Ann.json": '{"p1": ["sky", "sea"], "p2": []}',
        "rest.csv": "sample,annotator,concept\np1,Bob,sky\np2,Bob,sun\n",
    },
    "decisions": {
        "Ann.csv": "sample,concept,score\np1,sky,1\np1,sea,1\np1,sun,0\np2,sky,0\np2,sea,0\np2,sun,0\n",
        "Bob.csv": "sample,concept,score\np1,sky,1\np1,sea,0\np1,sun,0\np2,sky,0\np2,sea,0\np2,sun,1\n",
    },
}


def write(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def sheets(said: oe.Annotations) -> dict[tuple[str, str], tuple[set[str], set[str]]]:
    """What each annotator says of each sample is there, and of what nothing is known."""
    names = said.vocabulary.concepts
    found = {}
    for row in range(len(said)):
        there, gaps = (
            {names[column] for column in side[[row]].indices.tolist()}
            for side in (said.positive, said.unknown)
        )
        found[said.samples[said.sample[row]], said.annotators[said.annotator[row]]] = (there, gaps)
    return found


EXPECTED = {
    ("p1", "Ann"): ({"sky", "sea"}, set[str]()),
    ("p2", "Ann"): (set[str](), set[str]()),
    ("p1", "Bob"): ({"sky"}, set[str]()),
    ("p2", "Bob"): ({"sun"}, set[str]()),
}


@pytest.mark.parametrize("form", ONE_FILE)
def test_one_table_says_who_said_what(form: str, tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, {"said.csv": ONE_FILE[form]}))
    assert sheets(said) == EXPECTED
    assert set(said.vocabulary) == set(CONCEPTS)


@pytest.mark.parametrize("form", BY_ANNOTATOR)
def test_one_file_for_each_annotator_says_who_said_what(form: str, tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, BY_ANNOTATOR[form]))
    assert sheets(said) == EXPECTED
    assert said.annotators == ("Ann", "Bob")


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = []
    for who in ("Ann", "Bob"):
        (tmp_path / who).mkdir()
        paths += write(tmp_path / who, {"labels.csv": "id,labels\np1,sky;sea\n"})
    assert oe.read_annotations(*paths).annotators == tuple(path.as_posix() for path in paths)


@pytest.mark.parametrize(
    ("uncertain", "there", "unknown"),
    [("missing", set(), {"sky", "sun"}), ("absent", set(), {"sun"}), ("present", {"sky"}, {"sun"})],
)
@pytest.mark.parametrize("form", ["a file per annotator", "rows", "columns"])
def test_uncertain_is_what_was_asked_for_and_nothing_is_missing(
    uncertain, there, unknown, form, tmp_path
) -> None:
    files = {
        "a file per annotator": {
            "Ann.csv": "Study,sea,sky,sun\np1,0.0,-1.0,\n",
            "Bob.csv": "Study,sea,sky,sun\np1,1.0,1.0,1.0\np2,,,\n",
        },
        "rows": {"said.csv": "sample,annotator,sea,sky,sun\np1,Ann,0,-1,\np1,Bob,1,1,1\np2,Bob,,,\n"},
        "columns": {"said.csv": "sample,concept,Ann,Bob\np1,sea,0,1\np1,sky,-1,1\np1,sun,,1\np2,sea,,\n"},
    }[form]
    said = oe.read_annotations(*write(tmp_path, files), uncertain=uncertain)
    assert sheets(said) == {("p1", "Ann"): (there, unknown), ("p1", "Bob"): ({"sea", "sky", "sun"}, set())}
    assert said.samples == ("p1", "p2")


def test_values_without_a_header_are_of_the_listed_concepts(tmp_path: Path) -> None:
    paths = write(tmp_path, {"Ann.txt": "p1 1 -1 0\np2 0 0 1\n", "Bob.txt": "p1 1 1 0\n"})
    said = oe.read_annotations(*paths, concepts=list(CONCEPTS))
    assert sheets(said) == {
        ("p1", "Ann"): ({"sea"}, {"sky"}),
        ("p2", "Ann"): ({"sun"}, set()),
        ("p1", "Bob"): ({"sea", "sky"}, set()),
    }


def test_names_of_samples_may_begin_as_json_does(tmp_path: Path) -> None:
    paths = write(tmp_path, {"Ann.txt": "{p1} 1 -1 0\np2 0 0 1\n", "Bob.txt": "{p1} 1 1 0\n"})
    said = oe.read_annotations(*paths, concepts=list(CONCEPTS))
    assert sheets(said) == {
        ("{p1}", "Ann"): ({"sea"}, {"sky"}),
        ("p2", "Ann"): ({"sun"}, set()),
        ("{p1}", "Bob"): ({"sea", "sky"}, set()),
    }


def test_votes_on_one_concept_are_called_by_the_file(tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, {"sky.csv": "id,Ann,Bob,Eve\np1,1,0,\np2,1,1,-1\n"}))
    assert said.vocabulary.concepts == ("sky",)
    assert sheets(said) == {
        ("p1", "Ann"): ({"sky"}, set()),
        ("p1", "Bob"): (set(), set()),
        ("p2", "Ann"): ({"sky"}, set()),
        ("p2", "Bob"): ({"sky"}, set()),
        ("p2", "Eve"): (set(), {"sky"}),
    }


def test_numbers_that_are_no_votes_are_labels(tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, {"said.csv": "unit,A,B\n1,1,2\n2,3,\n"}))
    assert sheets(said) == {
        ("1", "A"): ({"1"}, set()),
        ("1", "B"): ({"2"}, set()),
        ("2", "A"): ({"3"}, set()),
    }


def test_what_no_decision_speaks_of_is_unknown(tmp_path: Path) -> None:
    text = "sample,worker,concept,answer\np1,Ann,sky,yes\np1,Bob,sky,no\np2,Bob,sea,uncertain\n"
    said = oe.read_annotations(*write(tmp_path, {"said.csv": text}), concepts=["sea", "sky"])
    assert sheets(said) == {
        ("p1", "Ann"): ({"sky"}, {"sea"}),
        ("p1", "Bob"): (set(), {"sea"}),
        ("p2", "Bob"): (set(), {"sea", "sky"}),
    }


def test_a_column_called_label_says_whether_the_concept_is_there(tmp_path: Path) -> None:
    text = "sample,worker,concept,label\np1,Ann,sky,1\np1,Bob,sky,0\n"
    assert sheets(oe.read_annotations(*write(tmp_path, {"said.csv": text}))) == {
        ("p1", "Ann"): ({"sky"}, set()),
        ("p1", "Bob"): (set(), set()),
    }


def test_a_data_frame_s_index_is_the_sample(tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, {"said.csv": ",annotator,concept\np1,Ann,sky\np1,Bob,sky\n"}))
    assert said.samples == ("p1",)


def test_concepts_go_by_all_their_names_and_notes_say_how_files_were_read(tmp_path: Path) -> None:
    text = "sample,annotator,concept,x_min\np1,Ann,Sky,3\np1,Bob,sky,4\np1,Bob,dragons,5\n"
    paths = write(tmp_path, {"said.csv": text})
    with pytest.raises(UnknownConceptError, match="'dragons' in row 4"):
        oe.read_annotations(*paths, ontology=PHOTO)
    files = read_annotation_files(*paths, ontology=PHOTO, unknown="drop", concept_map={"Sky": "sky"})
    assert sheets(files.annotations) == {("p1", "Ann"): ({"sky"}, set()), ("p1", "Bob"): ({"sky"}, set())}
    assert files.annotations.vocabulary == PHOTO.hierarchy().label_vocabulary
    assert "one label in each row" in files.notes[0]
    assert "not used: 'x_min'" in files.notes[0]
    assert "left out 1 label that are no concepts: 'dragons (1)'" in files.notes[1]


def test_an_id_that_was_given_up_is_read_as_what_stands_for_it(tmp_path: Path) -> None:
    obo = "format-version: 1.2\n\n[Term]\nid: X:1\nname: sky\nalt_id: X:9\n\n[Term]\nid: X:2\nname: sea\n"
    ontology, said = write(
        tmp_path, {"x.obo": obo, "said.csv": "sample,annotator,concept\np,Ann,X:9\np,Bob,X:1\n"}
    )
    files = read_annotation_files(said, ontology=oe.read_ontology(ontology))
    assert any("read 1 label as what they stand for: 'X:9 as" in note for note in files.notes)


WRONG = {
    "an annotator alone": (
        {"said.csv": "id,labels\np1,sky\n"},
        ("said.csv: the annotator of these labels is unknown", "sample,annotator,concept"),
    ),
    "JSON of one annotator": ({"said.json": '{"p1": []}'}, ("the annotator of these labels",)),
    "JSON by annotator": (
        {"said.json": '{"Ann": {"p1": ["sky"]}, "Bob": {"p1": []}}'},
        ("the annotator of these labels", 'records such as {"sample": "p1", "annotator": "Ann", "labels"'),
    ),
    "JSON without a label": (
        {"said.jsonl": '{"id": "p", "annotator": "A", "labels": []}\n\n{"id": "p", "annotator": "B"}'},
        ("said.jsonl, row 3: 'labels' holds null", "records such as"),
    ),
    "JSON with a truth value for a label": (
        {
            "said.jsonl": '{"id": "p", "annotator": "A", "labels": []}\n{"id": "p", "annotator": "B", "labels": [true]}'
        },
        ("said.jsonl, row 2: 'labels' holds true", "records such as"),
    ),
    "JSON with a truth value for an annotator": (
        {"said.json": '[{"id": "p", "annotator": false, "labels": ["sky"]}]'},
        ("said.json, row 1: 'annotator' holds false",),
    ),
    "JSON with a truth value for a sample": (
        {"said.json": '[{"id": true, "annotator": "A", "labels": ["sky"]}]'},
        ("said.json, row 1: 'id' holds true",),
    ),
    "lists of annotators": (
        {"said.json": '[{"id": "p", "Ann": [], "Bob": []}]'},
        ("said.json, row 1: 'Ann' holds []", "records such as"),
    ),
    "broken JSON Lines": (
        {"said.jsonl": '{"id": "p", "annotator": "A", "labels": []}\n[]\n'},
        ("the annotator of these labels",),
    ),
    "no samples": ({"said.csv": "annotator,concept\nAnn,sky\n"}, ("no column for the sample", "row 1")),
    "several annotators' columns": (
        {"said.csv": "sample,annotator,worker,concept\np,A,B,sky\n"},
        ("several columns for the annotator: 'annotator', 'worker'",),
    ),
    "no rows": ({"said.csv": "sample,annotator,concept\n"}, ("no row below the header",)),
    "no name of a column": (
        {"said.csv": "sample,annotator,sky,\np,A,1,1\n"},
        ("a column has no name", "row 1"),
    ),
    "no concepts": ({"said.csv": "sample,annotator\np,A\n"}, ("no column for concepts",)),
    "no sample": (
        {"said.csv": "sample,annotator,concept\n,A,sky\n"},
        ("said.csv, row 2: the sample has no name",),
    ),
    "no annotator": (
        {"said.csv": "sample,annotator,concept\np,,sky\n"},
        ("row 2: the annotator has no name",),
    ),
    "another value": (
        {"said.csv": "sample,annotator,sky\np,A,1\np,B,2\n"},
        ("said.csv, row 3: column 'sky' holds '2'", "1 (present)"),
    ),
    "another value of a file per annotator": (
        {"Ann.csv": "id,sky\np,1\n", "Bob.csv": "id,sky\np,0.5\n"},
        ("Bob.csv, row 2: column 'sky' holds '0.5'",),
    ),
    "another score in a row": (
        {"Ann.csv": "sample,concept,score\np,sky,1\n", "Bob.csv": "sample,concept,score\np,sky,0.5\n"},
        ("Bob.csv, row 2: 'sky' has the value 0.5",),
    ),
    "a value of nothing": (
        {"said.csv": "sample,annotator,concept,value\np,A,,1\n"},
        ("row 2: a value, but no concept",),
    ),
    "several labels in one": (
        {"said.csv": "sample,annotator,concept\np,A,sky\np,B,sky;sea\n"},
        ("'sky;sea' in row 3 looks like several labels",),
    ),
    "a label twice": (
        {"said.csv": "sample,annotator,concept\np,A,sky\np,B,sky\np,A,sky\n"},
        ("said.csv, row 4: 'A' decides 'sky' in sample 'p' again, as already in", "row 2"),
    ),
    "a label twice in a field": (
        {"Ann.csv": "id,labels\np,sky;sky\n", "Bob.csv": "id,labels\np,sky;sea\n"},
        ("Ann.csv: 'Ann' decides 'sky' in sample 'p' again, as already in this file",),
    ),
    "a label twice in two files": (
        {"one.csv": "sample,annotator,concept\np,A,sky\n", "two.csv": "sample,annotator,concept\np,A,sky\n"},
        ("two.csv, row 2: 'A' decides 'sky' in sample 'p' again, as already in ", "one.csv, row 2"),
    ),
    "a sample in two files": (
        {"one.csv": "sample,annotator,concept\np,A,sky\n", "two.csv": "sample,annotator,concept\np,A,sea\n"},
        ("'A' has labels of sample 'p' in ", "one.csv", "two.csv"),
    ),
    "two rows of a sheet": (
        {"said.csv": "sample,annotator,sky\np,A,1\np,B,1\np,A,0\n"},
        ("row 4: 'A' has sample 'p' already in row 2",),
    ),
    "two columns of an annotator": (
        {"said.csv": "sample,concept,A,A\np,sky,1,1\n"},
        ("columns of the same name: 'A'",),
    ),
    "two columns of a concept": (
        {"said.csv": "sample,annotator,sky,Sky\np,A,1,1\n"},
        ("the columns 'sky' and 'Sky' are both the concept 'sky'",),
    ),
    "two rows of a sample": (
        {"said.csv": "sample,A,B\np,1,1\np,0,0\n"},
        ("row 3: sample 'p' is there already in row 2",),
    ),
    "a concept without name": (
        {"said.csv": "sample,concept,A,B\np,,1,1\n"},
        ("row 2: a value, but no concept",),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_says_where_it_is_wrong(case: str, tmp_path: Path) -> None:
    files, parts = WRONG[case]
    translate = {"Sky": "sky"} if "columns of a concept" in case else None
    with pytest.raises(InputError) as error:
        oe.read_annotations(*write(tmp_path, files), concept_map=translate)
    assert all(part in str(error.value) for part in parts), error.value


@pytest.mark.parametrize(
    "text", [RECORDS[0], f"\n{RECORDS[0]}\n", json.dumps(json.loads(RECORDS[0]), indent=1)]
)
def test_a_single_record_is_one(text: str, tmp_path: Path) -> None:
    said = oe.read_annotations(*write(tmp_path, {"said.jsonl": text}))
    assert sheets(said) == {("p1", "Ann"): ({"sea", "sky"}, set())}


def test_a_single_record_of_a_file_of_one_annotator_is_of_that_one(tmp_path: Path) -> None:
    files = {"Ann.jsonl": '{"id": "p1", "labels": ["sky"]}', "Bob.json": '{"p1": ["sea"]}'}
    assert sheets(oe.read_annotations(*write(tmp_path, files))) == {
        ("p1", "Ann"): ({"sky"}, set()),
        ("p1", "Bob"): ({"sea"}, set()),
    }


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        oe.read_annotations()
    with pytest.raises(ParameterError, match="uncertain='maybe'"):
        oe.read_annotations(*write(tmp_path, {"said.csv": LONG}), uncertain="maybe")  # type: ignore[arg-type]
