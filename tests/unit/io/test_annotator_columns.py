"""What columns of tables of annotations are: by their names, by their cells, or as the caller says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.annotations import read_annotation_files

PHOTO = oe.read_ontology(oe.ontologies.path("photo"))
MTURK = (
    "HITId,AssignmentId,WorkerId,Input.image_url,Answer.labels\n"
    "h1,a1,W1,u1,sky|sea\nh1,a2,W2,u1,sky\nh2,a3,W1,u2,sky\nh2,a4,W2,u2,\n"
)
BOXES = "image_id,class_name,class_id,rad_id\ni1,Nodule,8,R8\ni1,Nodule,8,R8\ni1,Edema,3,R9\n"
SKY, SEA = "image,rad1,rad2\np1,1,1\np2,0,1\n", "image,rad1,rad2\np1,0,1\np2,0,\n"
STUDY = "Study,Edema,Mass\np1,1,0\np2,0,1\n"


def write(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def said_of(said: oe.Annotations) -> dict[tuple[str, str], dict[str, int]]:
    """What each annotator says of each sample: 1 or 0 of each concept of which anything is known."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    there, gaps = said.positive.toarray(), said.unknown.toarray()
    for row in range(len(said)):
        sheet = found[said.samples[said.sample[row]], said.annotators[said.annotator[row]]] = {}
        for column, concept in enumerate(said.vocabulary.concepts):
            if not gaps[row, column]:
                sheet[concept] = int(there[row, column])
    return found


def read(folder: Path, files: dict[str, str], **options: Any) -> dict[tuple[str, str], dict[str, int]]:
    return said_of(oe.read_annotations(*write(folder, files), **options))


def notes_of(folder: Path, files: dict[str, str], **options: Any) -> str:
    return "\n".join(read_annotation_files(*write(folder, files), **options).notes)


def test_columns_of_values_ask_nothing_of_other_concepts_of_the_ontology(tmp_path: Path) -> None:
    for files in (
        {"sky.csv": "image,rad1,rad2\np1,1,0\n"},
        {"said.csv": "image,rater,sky\np1,rad1,1\np1,rad2,0\n"},
        {"rad1.csv": "image,sky\np1,1\n", "rad2.csv": "image,sky\np1,0\n"},
    ):
        assert read(tmp_path, files, ontology=PHOTO) == {
            ("p1", "rad1"): {"sky": 1},
            ("p1", "rad2"): {"sky": 0},
        }


def test_concepts_that_nobody_was_asked_have_no_weight_and_keep_no_sheet_from_comparison(
    tmp_path: Path,
) -> None:
    text = "image,rater,sky,sea\np1,A,1,0\np1,B,1,1\np2,A,0,1\np2,B,0,1\n"
    asked = oe.agreement(oe.read_annotations(*write(tmp_path, {"said.csv": text})), resamples=5)
    known = oe.agreement(
        oe.read_annotations(*write(tmp_path, {"said.csv": text}), ontology=PHOTO),
        hierarchy=PHOTO.hierarchy(),
        resamples=5,
    )
    assert known.weights() == asked.weights()
    assert known.estimates.undefined["majority"] == len(known.concepts) - 2
    assert [one.sheets for one in known.sets] == [4, 4, 4, 4]
    assert {one.distance: one.value for one in known.sets[:3]} == pytest.approx(
        {one.distance: one.value for one in asked.sets}
    )
    curve, plain = (oe.annotators.sufficiency(one.annotations) for one in (known, asked))
    assert [one.decisions for one in curve] == [one.decisions for one in plain]


def test_who_has_no_column_for_a_concept_says_nothing_of_it(tmp_path: Path) -> None:
    full = "image,sky,sea\np1,1,1\n"
    found = read(tmp_path, {"A.csv": full, "B.csv": "image,sky\np1,1\n", "C.csv": full})
    assert found["p1", "B"] == {"sky": 1}
    assert found["p1", "A"] == {"sky": 1, "sea": 1}


def test_one_sheet_may_be_spread_over_files_that_ask_of_different_concepts(tmp_path: Path) -> None:
    one, other = "image,rater,sky\np1,A,1\n", "image,rater,sea\np1,A,0\n"
    files = {"one.csv": one, "two.csv": other, "three.csv": "image,rater,sky\np1,B,0\n"}
    for options in ({}, {"concepts": ["sea", "sky", "sun"]}):
        assert read(tmp_path, files, **options) == {
            ("p1", "A"): {"sky": 1, "sea": 0},
            ("p1", "B"): {"sky": 0},
        }


@pytest.mark.parametrize("other", ["image,rater,sky\np1,A,{}\n", "image,rater,concept,value\np1,A,sky,{}\n"])
def test_an_answer_that_two_files_give_is_named_and_merged_where_that_is_asked_for(
    other: str, tmp_path: Path
) -> None:
    files = {"one.csv": "image,rater,sky,sun\np1,A,0,1\n", "two.csv": other.format(0)}
    with pytest.raises(
        InputError, match=r"two.csv, row 2: 'A' decides 'sky' .*one.csv, row 2.*--repeats merge"
    ):
        read(tmp_path, files)
    assert read(tmp_path, files, repeats="merge") == {("p1", "A"): {"sky": 0, "sun": 1}}
    files["two.csv"] = other.format(1)
    with pytest.raises(InputError, match="'A' decides 'sky' in sample 'p1' again, differently"):
        read(tmp_path, files, repeats="merge")


def test_an_empty_value_beside_an_answer_is_no_second_answer(tmp_path: Path) -> None:
    files = {
        "one.csv": "image,rater,sky,sun\np1,A,,1\n",
        "two.csv": "image,rater,concept,value\np1,A,sky,0\n",
    }
    assert read(tmp_path, files) == {("p1", "A"): {"sky": 0, "sun": 1}}


def test_a_file_of_labels_answers_for_all_concepts_so_that_no_other_file_may(tmp_path: Path) -> None:
    files = {"one.csv": "image,rater,sky,sun\np1,A,0,1\n", "two.csv": "image,rater,concept\np1,A,sea\n"}
    with pytest.raises(InputError, match=r"'A' has labels of sample 'p1' in .*one.csv.*two.csv"):
        read(tmp_path, files)


def test_remarks_before_the_header_are_left_out_as_of_label_files(tmp_path: Path) -> None:
    table = "image,rater,sky\np1,A,1\np1,B,2\n"
    for head in ("# made by hand, twice\n", "#\n# see the guidelines\n", "#"):
        rows = head.count("\n") + 3
        with pytest.raises(InputError, match=rf"said.csv, row {rows}: column 'sky' holds '2'"):
            read(tmp_path, {"said.csv": head + table}, sample_column="image")
        found = read(tmp_path, {"said.csv": head + table.replace("2", "0")}, sample_column="image")
        assert found == {("p1", "A"): {"sky": 1}, ("p1", "B"): {"sky": 0}}


@pytest.mark.parametrize("cell", ["?", "2", "0.5", "perhaps"])
def test_one_odd_cell_among_votes_is_an_error_and_makes_no_labels(cell: str, tmp_path: Path) -> None:
    files = {"Nodule.csv": f"image,rad1,rad2,rad3\na,1,0,1\nb,1,1,0\nc,0,,{cell}\n"}
    with pytest.raises(InputError, match=r"Nodule.csv, row 4: column 'rad3' holds ") as error:
        read(tmp_path, files)
    assert "--ignore-column" in str(error.value)


def test_a_column_of_remarks_beside_votes_is_an_error_until_it_is_ignored(tmp_path: Path) -> None:
    files = {"sky.csv": "image,rad1,rad2,age,comment,hand\na,1,0,30,x,left\nb,1,1,20,y,right\n"}
    with pytest.raises(InputError, match="row 2: column 'age' holds '30' where others hold 1, 0 or -1"):
        read(tmp_path, files)
    found = read(tmp_path, files, ignore_columns=["age", "comment", "hand"])
    assert found["a", "rad2"] == {"sky": 0}
    with pytest.raises(InputError, match=r"no column 'ages' \(near: 'age'\)"):
        read(tmp_path, files, ignore_columns=["ages"])


def test_columns_beside_one_of_annotators_are_not_annotators(tmp_path: Path) -> None:
    files = {"v.csv": "sample,rater,cat,dog\np1,A,1,0\n"}
    with pytest.raises(InputError, match="column 'rater' holds the annotators, so that the others are none"):
        read(tmp_path, files, columns="annotators")
    assert read(tmp_path, files, columns="concepts") == {("p1", "A"): {"cat": 1, "dog": 0}}


def test_a_lone_column_that_is_ignored_is_one_name(tmp_path: Path) -> None:
    files = {"sky.csv": "image,rad1,rad2,age\na,1,0,30\n"}
    assert read(tmp_path, files, ignore_columns="age")["a", "rad2"] == {"sky": 0}


def test_a_column_that_is_named_for_two_things_is_said_to_be(tmp_path: Path) -> None:
    files = {"v.csv": "sample,annotator,concept\np1,A,sky\n"}
    with pytest.raises(InputError, match="column 'sample' is named for several: 'sample', 'annotator'"):
        read(tmp_path, files, sample_column="sample", annotator_column="sample")


@pytest.mark.parametrize("name", ["v.csv", "v.json"])
def test_values_can_be_ignored_only_where_none_says_that_a_label_is_not_there(
    name: str, tmp_path: Path
) -> None:
    def said(*values: float) -> dict[str, str]:
        if name == "v.csv":
            rows = "".join(f"p{n},A,sky,{value}\n" for n, value in enumerate(values))
            return {name: f"sample,annotator,label,value\n{rows}"}
        keys = ("sample", "annotator", "label", "value", "box")
        records = [(f"p{n}", "A", "sky", value, [1, 2]) for n, value in enumerate(values)]
        return {name: json.dumps([dict(zip(keys, row, strict=True)) for row in records])}

    with pytest.raises(InputError, match=r"column 'value' holds '0.7'. .*\(missing\).$"):
        read(tmp_path, said(0, 0.7, 1))
    with pytest.raises(InputError, match=r"'value', which is to be ignored, holds '0': .* remove such rows"):
        read(tmp_path, said(0.7, 0, 1), ignore_columns=["value"])
    assert read(tmp_path, said(0.7, 1), ignore_columns=["value"])["p0", "A"] == {"sky": 1}


def test_labels_that_look_like_answers_are_said_and_refused_where_they_are_no_concepts(
    tmp_path: Path,
) -> None:
    files = {"ck.tsv": "task\tworker\tlabel\nt1\tw1\t1\nt1\tw2\t0\nt2\tw1\tnan\n"}
    note = "column 'label' holds '0', '1' alone, like answers to one question"
    assert note in notes_of(tmp_path, files, na="empty")
    with pytest.raises(InputError, match=f"{note}, and no concepts. Add a column 'concept'"):
        read(tmp_path, files, ontology=PHOTO)
    assert "answers" not in notes_of(tmp_path, files, concepts=["0", "1"], na="empty")
    assert "answers" not in notes_of(tmp_path, {"ck.csv": "task,worker,label\nt1,w1,1\nt1,w2,2\n"})


def test_numbers_are_labels_where_concepts_are_so_called(tmp_path: Path) -> None:
    files = {"said.csv": "image,A,B\na,1,2\nb,0,1\n"}
    with pytest.raises(InputError, match="holds '2'"):
        read(tmp_path, files)
    assert read(tmp_path, files, concepts=["0", "1", "2"])["a", "B"] == {"0": 0, "1": 0, "2": 1}


@pytest.mark.parametrize("word", ["NaN", "nan", "NA", "null", "None", ""])
def test_every_word_for_nothing_is_missing_whatever_stands_beside_it(word: str, tmp_path: Path) -> None:
    for more in ("", "b,1,\n", "b,1,NA\n"):
        found = read(tmp_path, {"A.csv": f"Study,sky,sea\na,1,{word}\n{more}", "B.csv": "Study,sky\na,0\n"})
        assert found["a", "A"] == {"sky": 1}


def test_words_for_nothing_are_labels_or_none_as_the_call_says(tmp_path: Path) -> None:
    files = {"said.csv": "sample,Ann,Bob\np1,sky;sea,sky\np2,sky,NaN\np3,None,\n"}
    with pytest.raises(InputError, match=r"said\.csv: 'NaN' in row 3, and 1 other .*--na empty"):
        read(tmp_path, files)
    assert read(tmp_path, files, na="empty") == {
        ("p1", "Ann"): {"sea": 1, "sky": 1},
        ("p1", "Bob"): {"sea": 0, "sky": 1},
        ("p2", "Ann"): {"sea": 0, "sky": 1},
    }
    long = {"said.csv": "sample,annotator,concept\np1,A,nan\np1,B,sky\n"}
    with pytest.raises(InputError, match="'nan' in row 2"):
        read(tmp_path, long)
    assert read(tmp_path, long, na="empty") == {("p1", "A"): {"sky": 0}, ("p1", "B"): {"sky": 1}}
    assert "'nan (1)'" in notes_of(tmp_path, long, na="empty")
    for known in ({"na": "label"}, {"concepts": ["nan", "sky"]}):
        assert read(tmp_path, long, **known)["p1", "A"] == {"nan": 1, "sky": 0}


def test_subjects_are_no_concepts(tmp_path: Path) -> None:
    text = "subject_id,study_id,Edema,Mass\n1,10,1,0\n2,11,0,\n"
    with pytest.raises(InputError, match="row 3: column 'subject_id' holds '2'"):
        read(tmp_path, {"mimic.csv": text})
    files = {"A.csv": text, "B.csv": text}
    with pytest.raises(InputError, match=r"column 'subject_id' holds '2'.* --ignore-column"):
        read(tmp_path, files)
    assert read(tmp_path, files, ignore_columns=["subject_id"])["11", "B"] == {"Edema": 0}


def test_files_by_concept_are_read_so_where_that_is_said_or_the_concepts_tell(tmp_path: Path) -> None:
    files = {"sky.csv": SKY, "sea.csv": SEA}
    expected = {
        ("p1", "rad1"): {"sky": 1, "sea": 0},
        ("p1", "rad2"): {"sky": 1, "sea": 1},
        ("p2", "rad1"): {"sky": 0, "sea": 0},
        ("p2", "rad2"): {"sky": 1},
    }
    assert read(tmp_path, files, columns="annotators") == expected
    assert read(tmp_path, files, concepts=["sea", "sky"]) == expected
    assert set(read(tmp_path, files)) == {(photo, who) for photo in ("p1", "p2") for who in ("sky", "sea")}
    assert "columns are taken for concepts, and files for annotators" in notes_of(tmp_path, files)
    assert "taken" not in notes_of(tmp_path, files, columns="annotators")
    assert "taken" not in notes_of(tmp_path, files, columns="concepts")
    with pytest.raises(ParameterError, match="columns='rows'"):
        read(tmp_path, files, columns="rows")


def test_a_single_table_of_values_says_that_columns_are_taken_for_annotators(tmp_path: Path) -> None:
    note = "the columns 'Edema', 'Mass' are taken for annotators of the concept 'study'"
    assert note in notes_of(tmp_path, {"study.csv": STUDY})
    with pytest.raises(InputError, match=r"this concept does not exist.*--columns concepts"):
        read(tmp_path, {"study.csv": STUDY}, ontology=PHOTO)
    assert read(tmp_path, {"study.csv": STUDY}, columns="concepts") == {
        ("p1", "study"): {"Edema": 1, "Mass": 0},
        ("p2", "study"): {"Edema": 0, "Mass": 1},
    }


def test_what_sums_annotators_up_is_none_of_them(tmp_path: Path) -> None:
    files = {"sky.csv": "image,rad1,rad2,Consensus\np1,1,0,1\n"}
    assert set(read(tmp_path, files)) == {("p1", "rad1"), ("p1", "rad2")}
    assert "not used: 'Consensus'" in notes_of(tmp_path, files)


def test_what_silence_says_is_decided_over_all_files_and_said(tmp_path: Path) -> None:
    ones = "image,concept,value\np1,sky,1\np2,sea,1\n"
    files = {"A.csv": ones, "B.csv": ones}
    assert read(tmp_path, files)["p1", "A"] == {"sea": 0, "sky": 1}
    assert "all values are 1: concepts without a row count as absent" in notes_of(tmp_path, files)
    files["B.csv"] += "p2,sky,0\n"
    assert read(tmp_path, files)["p1", "A"] == {"sky": 1}
    assert "count as unknown" in notes_of(tmp_path, files)


@pytest.mark.parametrize(
    ("values", "silence"),
    [
        ("Study,Edema,Mass\ns1,1,0\n", "unknown"),
        ("Study,Edema,Mass\ns1,1,-1\n", "unknown"),
        ("sample,concept,A,B\ns1,Edema,1,0\n", "unknown"),
        ("Study,Edema,Mass\ns1,1,1\n", "absent"),
        ("sample,concept,A,B\ns1,Edema,1,1\n", "absent"),
        ("sample,annotator,labels\ns1,A,Edema\n", "absent"),
    ],
)
def test_what_silence_says_hangs_on_the_values_of_files_of_every_form(
    values: str, silence: str, tmp_path: Path
) -> None:
    files = {"r1.csv": values, "long.csv": "sample,annotator,concept,value\ns1,r9,Edema,1\n"}
    assert f"concepts without a row count as {silence}" in notes_of(tmp_path, files)


def test_columns_of_any_name_can_be_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no column for the sample.*--sample-column"):
        read(tmp_path, {"m.csv": MTURK})
    options = {"sample_column": "Input.image_url", "concept_column": "Answer.labels"}
    with pytest.raises(InputError, match=r"looks like several labels.*--separator"):
        read(tmp_path, {"m.csv": MTURK}, **options)
    found = read(tmp_path, {"m.csv": MTURK}, separator="|", annotator_column="WorkerId", **options)
    assert found["u1", "W1"] == {"sea": 1, "sky": 1}
    assert found["u2", "W2"] == {"sea": 0, "sky": 0}
    with pytest.raises(InputError, match=r"row 1: no column 'image'.*'Input.image_url'"):
        read(tmp_path, {"m.csv": MTURK}, sample_column="image")


def test_named_columns_hold_for_files_of_one_annotator_each(tmp_path: Path) -> None:
    files = dict.fromkeys(("A.csv", "B.csv"), "uid,hand,what\np1,l,sky\np1,r,sea\np2,l,\n")
    with pytest.raises(InputError, match=r"not recognised.*--sample-column"):
        read(tmp_path, files)
    found = read(tmp_path, files, sample_column="uid", concept_column="what")
    assert found["p1", "B"] == {"sea": 1, "sky": 1}
    assert found["p2", "A"] == {"sea": 0, "sky": 0}


def test_rows_that_seem_repeated_hint_at_a_column_of_annotators(tmp_path: Path) -> None:
    text = "sample,label,doctor\na,sky,D1\na,sky,D2\n"
    assert read(tmp_path, {"d.csv": text}, annotator_column="doctor")["a", "D2"] == {"sky": 1}
    for files in ({"d.csv": "sample,doctor,sky\na,1,1\na,0,1\n"}, {"A.csv": text, "B.csv": text}):
        with pytest.raises(InputError, match="--annotator-column"):
            read(tmp_path, files)


def test_what_is_said_again_counts_once_where_that_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"several columns for the concept.*--concept-column"):
        read(tmp_path, {"boxes.csv": BOXES})
    with pytest.raises(InputError, match=r"row 3: 'R8' decides 'Nodule'.*--repeats merge"):
        read(tmp_path, {"boxes.csv": BOXES}, concept_column="class_name")
    options = {"concept_column": "class_name", "repeats": "merge"}
    assert read(tmp_path, {"boxes.csv": BOXES}, **options)["i1", "R8"] == {"Edema": 0, "Nodule": 1}
    assert "duplicates, merged: 1 time" in notes_of(tmp_path, {"boxes.csv": BOXES}, **options)
    twice = "sample,annotator,concept,value\np,A,sky,1\np,A,sky,0\n"
    with pytest.raises(InputError, match=r"again, differently, as already in this file, row 2. Keep one.$"):
        read(tmp_path, {"said.csv": twice}, repeats="merge")
    with pytest.raises(ParameterError, match="repeats='often'"):
        read(tmp_path, {"said.csv": twice}, repeats="often")


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_the_index_of_a_data_frame_is_left_out_beside_samples(name: str, tmp_path: Path) -> None:
    wide = {"sky.csv": f"{name},image_id,rad_1,rad_2\n0,i0,1,0\n1,i1,0,\n"}
    assert read(tmp_path, wide)["i0", "rad_2"] == {"sky": 0}
    assert f"not used: {name!r}" in notes_of(tmp_path, wide)
    files = dict.fromkeys(("A.csv", "B.csv"), f"{name},Study,sky\n0,p1,1\n")
    assert read(tmp_path, files)["p1", "A"] == {"sky": 1}


def test_packed_files_are_called_as_what_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "sky.csv.gz"
    path.write_bytes(gzip.compress(SKY.encode()))
    assert oe.read_annotations(path).vocabulary.concepts == ("sky",)
    (tmp_path / "sky.csv").write_text(SKY, encoding="utf-8")
    both = oe.read_annotations(path, tmp_path / "sky.csv")
    assert both.annotators == (path.as_posix(), (tmp_path / "sky.csv").as_posix())


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    table = pytest.importorskip("pyarrow").table(columns)
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    return path


def test_parquet_holds_all_tables_without_lists(tmp_path: Path) -> None:
    long = {"sample": ["a", "a"], "annotator": ["A", "B"], "concept": ["sky", None]}
    files = read_annotation_files(parquet(tmp_path / "long.parquet", long))
    assert said_of(files.annotations) == {("a", "A"): {"sky": 1}, ("a", "B"): {"sky": 0}}
    assert "long.parquet: Parquet with one label in each row" in files.notes[0]
    values = {"sky": [1.0, float("nan")], "sea": [None, -1.0], "__index_level_0__": ["p", "q"]}
    paths = [parquet(tmp_path / f"{who}.parquet", values) for who in ("A", "B")]
    assert said_of(oe.read_annotations(*paths, uncertain="present")) == {
        (sample, who): said for who in ("A", "B") for sample, said in (("p", {"sky": 1}), ("q", {"sea": 1}))
    }
    with pytest.raises(InputError, match=r"odd.parquet, row 2: column 'sky' holds '7'"):
        oe.read_annotations(
            parquet(tmp_path / "odd.parquet", {"id": ["a", "b"], "rater": ["A", "A"], "sky": [1, 7]})
        )


def test_several_labels_in_one_are_refused_in_files_of_one_annotator_too(tmp_path: Path) -> None:
    files = dict.fromkeys(("A.csv", "B.csv"), "sample,concept\np1,sky;sea\n")
    with pytest.raises(InputError, match=r"A.csv: 'sky;sea' in row 2 looks like several labels"):
        read(tmp_path, files)
    assert read(tmp_path, files, input_format="long")["p1", "A"] == {"sky;sea": 1}


def test_nulls_among_the_labels_of_parquet_are_counted(tmp_path: Path) -> None:
    table = {"sample": ["a", "a", "b"], "annotator": ["A", "B", "A"], "labels": ["sky;sea", None, ""]}
    files = read_annotation_files(parquet(tmp_path / "said.parquet", table))
    assert said_of(files.annotations)["a", "B"] == {"sky": 0, "sea": 0}
    assert any(
        note.endswith("said.parquet: 1 null among the labels, read as no label") for note in files.notes
    )


def test_parquet_without_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the annotator of these labels is unknown"):
        oe.read_annotations(parquet(tmp_path / "said.parquet", {}))


def test_labels_in_json_are_taken_as_they_are(tmp_path: Path) -> None:
    labels = ["sea; sky", "a|b", "c, d", "e f"]
    records = [{"sample": "a", "annotator": who, "labels": labels} for who in "AB"]
    (tmp_path / "said.json").write_text(json.dumps(records), encoding="utf-8")
    assert said_of(oe.read_annotations(tmp_path / "said.json")) == {
        ("a", who): dict.fromkeys(labels, 1) for who in "AB"
    }


def test_records_of_one_annotator_each_are_label_files(tmp_path: Path) -> None:
    paths = [tmp_path / "A.json", tmp_path / "B.json"]
    for path in paths:
        path.write_text('[{"id": "a", "text": "t", "labels": ["sky"], "meta": {"x": 1}}]', encoding="utf-8")
    with pytest.raises(InputError, match="records such as"):
        oe.read_annotations(paths[0])
    said = {"sky": 1}
    assert said_of(oe.read_annotations(*paths)) == {("a", "A"): said, ("a", "B"): said}


def test_lists_of_several_annotators_in_parquet_say_which_formats_may_hold_them(tmp_path: Path) -> None:
    lists = {"sample": ["a"], "annotator": ["A"], "labels": [["sky"]]}
    with pytest.raises(InputError, match="Parquet is read without lists"):
        oe.read_annotations(parquet(tmp_path / "long.parquet", lists))


@pytest.mark.parametrize(
    ("header", "cells"), [("sample,{}", "p1,sky,sky,sea"), ("sample,concept,{}", "p1,sky,1,1,0")]
)
def test_columns_that_are_taken_for_annotators_are_all_named(tmp_path: Path, header: str, cells: str) -> None:
    others = ",".join(f"rad{n}" for n in range(7))
    text = f"{header.format(others + ',reference')}\n{cells + ',' * 5}\n"
    notes = notes_of(tmp_path, {"said.csv": text})
    assert "taken for annotators: 'rad0', 'rad1'" in notes
    assert "'rad6', 'reference'; --ignore-column leaves one out" in notes
    told = notes_of(tmp_path, {"said.csv": text}, ignore_columns=["reference"])
    assert "'rad6'; --ignore-column" in told


@pytest.mark.parametrize("name", ["reference_standard", "Gold_Standard"])
def test_columns_that_sum_annotators_up_are_no_annotators(tmp_path: Path, name: str) -> None:
    files = {"sky.csv": f"image,rad1,rad2,{name}\np1,1,1,0\np2,0,1,1\n"}
    assert {who for _, who in read(tmp_path, files)} == {"rad1", "rad2"}
    assert f"not used: {name!r}" in notes_of(tmp_path, files)
