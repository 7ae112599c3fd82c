"""Files that say something else than they seem to: read as written, or refused with file and row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.labels.reading import read_label_file, read_score_file
from tests.commands import call, refusal


def written(folder: Path, name: str, text: str) -> Path:
    """Write a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


# repeated scores --------------------------------------------------------------------------------------------

SCORES = "sample,concept,score\np1,sky,0.5\np1,sea,0.2\np1,sky,0.8\np1,sky,0.1\np2,sea,0.9\n"


@pytest.mark.parametrize(("repeats", "sky"), [("max", 0.8), ("first", 0.5)])
def test_of_repeated_scores_the_highest_or_the_first_counts(
    tmp_path: Path, repeats: Literal["max", "first"], sky: float
) -> None:
    path = written(tmp_path, "run.csv", SCORES)
    scores = oe.read_scores(path, repeats=repeats)
    assert scores.vocabulary.concepts == ("sea", "sky")
    assert scores.matrix.toarray().tolist() == [[0.2, sky], [0.9, 0]]
    assert oe.read_labels(path, threshold=0.6, repeats=repeats).labels_of("p1") == (
        ("sky",) if sky > 0.6 else ()
    )


def test_repeated_scores_are_refused_by_default_with_their_number_and_the_option(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", SCORES)
    with pytest.raises(
        InputError, match=r"run\.csv: .* in rows 2 and 4; .* 2 repeated scores.*--repeats max"
    ):
        oe.read_scores(path)


def test_scores_of_two_names_of_one_concept_are_repeats(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", "sample,concept,score\np1,sky,0.5\np1,Himmel,0.8\n")
    scores = oe.read_scores(path, concept_map={"Himmel": "sky"}, concepts=["sky"], repeats="max")
    assert scores.matrix.toarray().tolist() == [[0.8]]


def test_the_preset_cafa_takes_the_highest_of_repeated_scores_and_counts_them(tmp_path: Path) -> None:
    edges = written(tmp_path, "edges.csv", "parent,child\nX:r,X:a\nX:r,X:b\n")
    truth = written(tmp_path, "truth.csv", "id,labels\np1,X:a\np2,X:b\n")
    rows = "p1\tX:a\t0.5\np1\tX:a\t0.8\np2\tX:b\t0.9\n"
    run, once = written(tmp_path, "run.tsv", rows), written(tmp_path, "once.tsv", rows.partition("\n")[2])
    options = (edges, "--information-from", truth, "--preset", "cafa", "--format", "csv")
    found, expected = (call("score", truth, one, "--ontology", *options) for one in (run, once))
    assert found.stdout.splitlines()[1].split(",")[1:] == expected.stdout.splitlines()[1].split(",")[1:]
    table = call("score", truth, run, "--verbose", "--ontology", *options[:-2])
    assert "1 repeated score of a (sample, concept) pair; the highest score" in " ".join(table.stdout.split())


def test_validate_counts_repeated_scores_as_the_command_would_read_them(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", SCORES)
    assert call("validate", path, "--scores").exit_code == 1
    assert call("validate", path, "--scores", "--repeats", "max").exit_code == 0


# joined and cut files ---------------------------------------------------------------------------------------

JOINED = {
    "wide": ("id,labels\np1,sky\n", "id,labels\np2,sea\n"),
    "wide in quotes": ('id,labels\np1,"sky;sea"\n', "id,labels\np2,sea\n"),
    "wide in another order": ("id,labels\np1,sky\n", "labels,id\nsea,p2\n"),
    "long": ("sample,concept\np1,sky\n", "sample,concept\np2,sea\n"),
    "columns": ("id,sky,sea\np1,1,0\n", "id,sky,sea\np2,0,1\n"),
    "below remarks": ("#id,labels\np1,sky\n", "#id,labels\np2,sea\n"),
    "in capitals": ("id,labels\np1,sky\n", "ID,Labels\np2,sea\n"),
    "in capitals, in quotes and in another order": ('ImageId,labels\np1,"sky"\n', "LABELS,imageID\nsea,p2\n"),
}


@pytest.mark.parametrize("kind", JOINED)
def test_a_header_inside_of_a_label_file_is_refused_with_its_row(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, "both.csv", "".join(JOINED[kind]))
    with pytest.raises(InputError, match=r"both\.csv, row 3: this row repeats the header"):
        oe.read_labels(path)
    found = call("validate", path)
    assert found.exit_code == 1
    assert "row 3: this row repeats the header" in " ".join(found.stdout.split())


READERS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "agreement": (oe.read_agreement, "concept,agreement\nsky,1\n"),
    "weights": (oe.read_weights, "concept,weight\nsky,1\n"),
    "annotators in a column": (oe.read_annotations, "sample,annotator,concept\np1,Ann,sky\n"),
    "annotators in columns": (oe.read_annotations, "sample,Ann,Bob\np1,sky,sea\n"),
    "concepts in columns": (oe.read_annotations, "sample,annotator,sky\np1,Ann,1\n"),
}


@pytest.mark.parametrize("kind", READERS)
def test_a_header_inside_of_any_table_is_refused_with_its_row(tmp_path: Path, kind: str) -> None:
    read, text = READERS[kind]
    with pytest.raises(InputError, match=r"both\.csv, row 3: this row repeats the header"):
        read(written(tmp_path, "both.csv", text + text))


def test_a_byte_order_mark_inside_of_a_file_is_refused_with_its_row(tmp_path: Path) -> None:
    text = "\ufeffid,labels\r\np1,sky\r\n"
    assert oe.read_labels(written(tmp_path, "one.csv", text)).samples == ("p1",)
    with pytest.raises(InputError, match=r"both\.csv, row 3: a byte order mark"):
        oe.read_labels(written(tmp_path, "both.csv", f"{text}\ufeffp2,sea\r\n"))


HEAD, ROWS = "AUTHOR\tTEAM\nMODEL\t1\nKEYWORDS\tx.\n", "T1\tGO:0008150\t0.95\nT2\tGO:0008150\t1.00\n"


def test_a_cafa_file_without_its_end_is_cut_off_and_refused_by_validate_too(tmp_path: Path) -> None:
    assert oe.read_scores(written(tmp_path, "rows.txt", ROWS)).samples == ("T1", "T2")
    assert oe.read_scores(written(tmp_path, "whole.txt", f"{HEAD}{ROWS}END\n")).samples == ("T1", "T2")
    path = written(tmp_path, "cut.txt", HEAD + ROWS)
    with pytest.raises(InputError, match=r"cut\.txt, row 5: .*does not end with END.*Fetch it again"):
        oe.read_scores(path)
    found = call("validate", path, "--scores")
    assert found.exit_code == 1
    assert "does not end with END" in " ".join(found.stdout.split())


@pytest.mark.parametrize("label", ["9/9", "inf/inf", "01/03"])
def test_a_class_that_an_arff_file_does_not_declare_is_refused(tmp_path: Path, label: str) -> None:
    text = "@relation r\n@attribute id string\n@attribute class hierarchical 01,01/01/03,02\n@data\np1,01/01@02\n"
    assert oe.read_labels(written(tmp_path, "fine.arff", text)).labels_of("p1") == ("01/01", "02")
    with pytest.raises(
        InputError, match=rf"odd\.arff, row 6: the attribute 'class' does not declare '{label}'"
    ):
        oe.read_labels(written(tmp_path, "odd.arff", f"{text}p2,02@{label}\n"))


# names that look the same -----------------------------------------------------------------------------------

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(("one", "other"), [(COMPOSED, DECOMPOSED), ("sky", "sky\u200b")])
def test_names_that_look_the_same_are_refused_within_a_file(tmp_path: Path, one: str, other: str) -> None:
    for text in (
        f"id,labels\np1,{one}\np2,{other}\n",
        f"sample,concept\np1,{one}\np2,{other}\n",
        f"sample,{one},{other}\np1,1,0\n",
    ):
        with pytest.raises(InputError, match=r"run\.csv: two names of concepts look the same.*\(row [123]\)"):
            oe.read_labels(written(tmp_path, "run.csv", text))


def test_names_that_look_the_same_are_refused_between_truth_and_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = written(tmp_path, "truth.csv", f"id,labels\np1,{COMPOSED}\n")
    run = written(tmp_path, "run.csv", f"id,labels\np1,{DECOMPOSED}\n")
    said = refusal(["score", truth, run], capsys, monkeypatch)
    assert r"caf\xe9" in said
    assert "truth.csv, sample 'p1'" in said
    assert "run.csv, sample 'p1'" in said
    translated = written(tmp_path, "map.csv", f"label,concept\n{DECOMPOSED},{COMPOSED}\n")
    assert call("score", truth, run, "--concept-map", translated, "-m", "F").exit_code == 0


def test_names_that_look_the_same_are_two_concepts_where_both_are_listed(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", f"id,labels\np1,{COMPOSED}\np2,{DECOMPOSED}\n")
    assert len(oe.read_labels(path, concepts=[COMPOSED, DECOMPOSED]).vocabulary) == 2


def test_flags_that_differ_in_tags_are_different_concepts(tmp_path: Path) -> None:
    flags = ["\U0001f3f4" + "".join(chr(0xE0000 + ord(sign)) for sign in tag) for tag in ("gbeng", "gbsct")]
    path = written(tmp_path, "run.csv", "id,labels\np1,{}\np2,{}\n".format(*flags))
    assert len(oe.read_labels(path).vocabulary) == 2


@pytest.mark.parametrize("missing", ["refuse", "empty"])
@pytest.mark.parametrize(("one", "other"), [(COMPOSED, DECOMPOSED), ("p1", "p\u200b1")])
def test_samples_whose_names_look_the_same_are_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    other: str,
    missing: str,
) -> None:
    truth = written(tmp_path, "truth.csv", f"id,labels\n{one},sky\np2,sea\n")
    run = written(tmp_path, "run.csv", f"id,labels\n{other},sky\np2,sea\n")
    assert "two names of samples look the same" in refusal(
        ["score", truth, run, "--missing", missing], capsys, monkeypatch
    )
    with pytest.raises(InputError, match="two names of samples look the same"):
        oe.evaluate(oe.read_labels(truth), oe.read_labels(run), missing=missing)  # type: ignore[arg-type] # a parameter
    found = oe.audit.validate(run, samples=truth)
    assert any("two names of samples look the same" in finding.explanation for finding in found)


def test_annotators_whose_names_look_the_same_are_refused(tmp_path: Path) -> None:
    text = f"sample,annotator,concept\np1,{COMPOSED},sky\np2,{DECOMPOSED},sky\n"
    with pytest.raises(InputError, match="two names of annotators look the same"):
        oe.read_annotations(written(tmp_path, "said.csv", text))


# JSON in cells ----------------------------------------------------------------------------------------------

CHOICES, LIST = '"{""choices"": [""sky"", ""trees""]}"', '"[""sky"", ""trees""]"'


@pytest.mark.parametrize("cell", [CHOICES, LIST])
@pytest.mark.parametrize(
    "text",
    ["id,labels\np1,{}\np2,sea\np3,\n", "id,label\np1,{}\np2,sea\np3,\n", "id,labels\np1,{}\np2,sea;\np3,\n"],
)
def test_lists_of_json_are_labels_beside_plain_cells(tmp_path: Path, text: str, cell: str) -> None:
    labels = oe.read_labels(written(tmp_path, "truth.csv", text.format(cell)))
    assert [labels.labels_of(sample) for sample in labels.samples] == [("sky", "trees"), ("sea",), ()]


@pytest.mark.parametrize("cell", [CHOICES, LIST])
@pytest.mark.parametrize(
    "text",
    [
        "id,annotator,choice\np1,Ann,{}\np1,Bob,sea\n",
        "id,annotator,label,value\np1,Ann,{},1\np1,Bob,sea,1\n",
        "id,Ann,Bob\np1,{},sea\n",
    ],
)
def test_lists_of_json_are_labels_of_annotators(tmp_path: Path, text: str, cell: str) -> None:
    said = oe.read_annotations(written(tmp_path, "said.csv", text.format(cell)))
    assert said.of("Ann").labels_of("p1") == ("sky", "trees")
    assert said.of("Bob").labels_of("p1") == ("sea",)


def test_labels_under_a_title_of_their_own_are_found_as_the_option_names_them(tmp_path: Path) -> None:
    rows = f"1,p1,{CHOICES}\n2,p1,sky\n1,p2,trees\n2,p2,trees\n"
    path = written(tmp_path, "export.csv", f"annotator,sample,scenery\n{rows}")
    named = call("agreement", path, "--concept-column", "scenery")
    assert (named.exit_code, call("agreement", path).stdout) == (0, named.stdout)


@pytest.mark.parametrize("cell", ['{""choices"": [""sky"", ""trees""]', "[''sky"])
def test_what_only_begins_as_a_list_of_json_is_no_label(tmp_path: Path, cell: str) -> None:
    for text in (f'id,labels\np1,"{cell}"\np2,sky\n', f'sample,concept\np1,"{cell}"\np2,sky\n'):
        with pytest.raises(InputError, match="JSON stands where the name of a concept belongs"):
            oe.read_labels(written(tmp_path, "run.csv", text))


def test_a_corrected_copy_of_a_file_with_json_is_written_anew(tmp_path: Path) -> None:
    edges = written(tmp_path, "edges.csv", "parent,child\nplants,trees\n")
    path, copy = (
        written(tmp_path, "truth.csv", 'id,labels\np1,"[""trees""]"\np2,plants;trees\n'),
        tmp_path / "new.csv",
    )
    said = call("audit", path, "--ontology", edges, "--convention", "closed", "--fix", copy).stdout
    assert "some cells are JSON" in " ".join(said.split())
    assert copy.read_text("utf-8") == "id,labels\np1,plants;trees\np2,plants;trees\n"


def test_an_export_of_label_studio_is_read_as_it_is(tmp_path: Path) -> None:
    rows = [
        "annotation_id,annotator,choice,created_at,id,image,lead_time",
        f"1,ann,{CHOICES},2024-01-01,10,/data/1.jpg,3.2",
        "2,bob,sky,2024-01-01,10,/data/1.jpg,3.2",
    ]
    path = written(tmp_path, "export.csv", "\n".join(rows) + "\n")
    said = oe.read_annotations(path)
    assert (said.annotators, said.samples) == (("ann", "bob"), ("10",))
    assert said.vocabulary.concepts == ("sky", "trees")
    assert call("agreement", path).exit_code == 0


OBJECT, REGIONS = '"{""x"": 1, ""y"": [""sky"", ""sea""]}"', '"[{""start"": 1, ""labels"": [""sky""]}]"'
REFUSING: dict[str, tuple[Callable[[Path], Any], str]] = {
    "wide": (oe.read_labels, "id,labels\np1,{}\np2,sea;sky\n"),
    "long": (oe.read_labels, "id,label\np1,{}\np2,sea\n"),
    "scores": (oe.read_scores, "id,label,score\np1,{},0.5\n"),
    "annotations": (oe.read_annotations, "id,annotator,label\np1,Ann,{}\n"),
    "annotators in columns": (oe.read_annotations, "id,Ann,Bob\np1,{},sea\n"),
    "agreement": (oe.read_agreement, "concept,agreement\n{},1\n"),
    "weights": (oe.read_weights, "concept,weight\n{},1\n"),
}


@pytest.mark.parametrize("cell", [OBJECT, REGIONS])
@pytest.mark.parametrize("kind", REFUSING)
def test_other_json_in_a_cell_is_refused_by_every_reader_with_its_row(
    tmp_path: Path, kind: str, cell: str
) -> None:
    read, text = REFUSING[kind]
    with pytest.raises(InputError, match=r"file\.csv, row 2: JSON stands where the name of a concept"):
        read(written(tmp_path, "file.csv", text.format(cell)))


def test_a_list_of_labels_with_one_score_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", f"id,label,score\np1,{LIST},0.5\n")
    with pytest.raises(InputError, match=r"run\.csv, row 2: JSON stands"):
        oe.read_scores(path)


# titles of columns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title", ["id", "Sample", "image_id", "filename", "path", "video", "task", "study_id"]
)
def test_every_reader_knows_the_same_titles_for_the_samples(tmp_path: Path, title: str) -> None:
    columns = written(tmp_path, "columns.csv", f"{title},sky,sea\np1,1,0\n")
    assert oe.read_labels(columns).samples == ("p1",)
    beside = written(tmp_path, "beside.csv", f"comment,{title},labels\nfine,p1,sky;sea\n")
    assert oe.read_labels(beside).samples == ("p1",)
    said = written(tmp_path, "said.csv", f"{title},annotator,label\np1,Ann,sky\n")
    assert oe.read_annotations(said).samples == ("p1",)
    records = written(tmp_path, "records.jsonl", f'{{"{title}": "p1", "labels": ["sky"]}}\n')
    assert oe.read_labels(records).samples == ("p1",)
    run = written(tmp_path, "run.csv", "id,labels\np1,sky\n")
    listed = written(tmp_path, "listed.csv", f"comment,{title}\nfine,p1\n")
    assert call("validate", run, "--samples", listed).exit_code == 0


# ontologies -------------------------------------------------------------------------------------------------

HEAD_OF_XML = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'


def test_an_error_of_an_entity_is_said_once(tmp_path: Path) -> None:
    entities = '<!DOCTYPE a [\n<!ENTITY a "b">\n<!ENTITY c "&a;&a;">]>'
    path = written(tmp_path, "lol.owl", entities + HEAD_OF_XML)
    with pytest.raises(InputError) as caught:
        oe.read_ontology(path)
    said = str(caught.value)
    assert said.startswith(f"{path}, row 3: the entity 'c' is made of other entities. Write out")
    assert said.count("lol.owl") == 1
    assert ".." not in said


def test_the_encoding_of_an_ontology_is_named_with_the_line_that_converts_it(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_bytes("@prefix : <urn:x#> .".encode("utf-32"))
    with pytest.raises(InputError, match=r"is in UTF-32\. .*iconv -f utf-32 -t utf-8"):
        oe.read_ontology(path)


def test_a_label_file_in_utf_32_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes("id,labels\np1,sky\n".encode("utf-32"))
    with pytest.raises(InputError, match=r"truth\.csv: the file is in UTF-32\. .*iconv -f utf-32 -t utf-8"):
        oe.read_labels(path)
    path.write_bytes("id,labels\np1,sky\n".encode("utf-16"))
    assert oe.read_labels(path).labels_of("p1") == ("sky",)


def test_n3_that_is_no_turtle_is_read_where_it_is_called_so(tmp_path: Path) -> None:
    text = (
        "@prefix : <urn:x#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ":plants is rdfs:subClassOf of :trees .\n"
    )
    path = written(tmp_path, "plants.n3", text)
    with pytest.raises(InputError, match=r"plants\.n3, row 3: this is not valid Turtle: is is not"):
        oe.read_ontology(path)
    assert sorted(oe.read_ontology(path, input_format="n3").graph) == ["plants", "trees"]
    path = written(tmp_path, "plants.n3", text + ":trees :a , .\n")
    with pytest.raises(InputError, match=r"plants\.n3, row 4: this is not valid N3: , is not"):
        oe.read_ontology(path, input_format="n3")


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", '{"a": ' + "1" * 5000 + "}"), ("a.jsonld", '{"@id": ' + "1" * 5000 + "}")]
)
def test_very_long_numbers_are_refused_without_advice_to_programmers(
    tmp_path: Path, name: str, text: str
) -> None:
    for read in (oe.read_ontology, oe.read_labels):
        with pytest.raises(InputError, match=r"a whole number of more than 4,300 digits") as caught:
            read(written(tmp_path, name, text))
        assert "sys." not in str(caught.value)


def test_very_long_numbers_in_a_benchmark_file_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "benchmark.toml", f"truth = 'a'\nruns = 'b'\nseed = {'1' * 5000}\n")
    with pytest.raises(InputError, match=r"benchmark\.toml: this is no TOML: a whole number of more than"):
        oe.run_benchmark(path)


def test_a_byte_order_mark_inside_of_an_ontology_is_refused_with_its_row(tmp_path: Path) -> None:
    path = written(tmp_path, "a.obo", "format-version: 1.2\n\n[Term]\nid: X:1\n\ufeff[Term]\nid: X:2\n")
    with pytest.raises(InputError, match=r"a\.obo, row 5: a byte order mark"):
        oe.read_ontology(path)


def test_classes_of_the_languages_are_filtered_and_counted(tmp_path: Path) -> None:
    text = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix : <urn:x#> .
:a a owl:Class ; rdfs:subClassOf :b, owl:Thing .
:b a owl:Class .
:c a owl:Class ; rdfs:subClassOf owl:DeprecatedClass .
oio:DbXref a owl:Class .
xsd:integer a rdfs:Class ; rdfs:subClassOf xsd:decimal .
"""
    report = oe.read_ontology(written(tmp_path, "a.ttl", text)).report
    (tally,) = report.unused.values()
    assert tally.count == 4
    assert "not used: classes of OWL, RDF, SKOS, XML Schema or the OBO format" in str(report)


def test_a_long_first_row_of_json_lines_is_a_record(tmp_path: Path) -> None:
    names = ", ".join(f'"{number}"' for number in range(200_000))
    rows = f'{{"id": "p1", "labels": [{names}]}}', '{"id": "p2", "labels": ["7"]}'
    for name, text in {"lines.jsonl": "\n".join(rows), "list.json": f"[{', '.join(rows)}]"}.items():
        assert oe.read_labels(written(tmp_path, name, text)).labels_of("p2") == ("7",), name


# columns that are no concepts -------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["image,sample,labels", ",image,sample,labels", ",image,clip,sky"])
def test_two_columns_that_may_hold_the_samples_are_named(tmp_path: Path, header: str) -> None:
    how = ("'sample' may .*: call one of them 'id'", r"the columns '', 'image', 'clip' may .*index=False")
    with pytest.raises(InputError, match=how["sky" in header]):
        oe.read_labels(written(tmp_path, "two.csv", f"{header}\n{header}\n"))


def test_a_corrected_copy_leaves_out_the_index_that_has_no_title(tmp_path: Path) -> None:
    path = written(tmp_path, "truth.csv", ",id,sky,plants,trees\n0,7,1,0,1\n1,8,1,0,0\n")
    assert "not used: ''" in str(oe.labels.recognise(path))
    for name in ("1", "2"):  # the copy is one of the format itself
        call("audit", path, "--ontology", "photo", "--fix", tmp_path / name, "--convention", "closed")
        assert oe.read_labels(tmp_path / name).samples == ("7", "8")


def test_columns_of_several_kinds_are_refused_where_no_concepts_are_known(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", "id,fold,width,sky,sea\na,3,640,0.9,0.2\nb,2,480,0.3,0.4\n")
    with pytest.raises(InputError, match=r"2 of 4 columns .*: 'fold', 'width'\. .*--input-format columns"):
        oe.read_scores(path)
    names = ("fold", "width", "sky", "sea")
    for option in ({"input_format": "columns"}, {"concepts": names}):
        assert oe.read_scores(path, **option).vocabulary.concepts == names
    assert "fold" in call("validate", path, "--threshold", 0.5).output
    logits = written(tmp_path, "logits.csv", "id,sky,sea\na,-3,2\nb,2,0.5\n")
    assert oe.read_scores(logits).signed


def test_a_column_that_is_no_concept_among_columns_of_0_and_1_is_not_called_scores(tmp_path: Path) -> None:
    path = written(tmp_path, "run.csv", "id,fold,sky,sea\na,2,1,0\nb,3,0,1\n")
    table = pd.read_csv(path)
    table.to_parquet(tmp_path / "run.parquet")
    for name in ("run.csv", "run.parquet"):
        with pytest.raises(
            InputError, match=r"'fold' holds 2, but 2 of 3 columns hold only 0 and 1"
        ) as error:
            oe.read_labels(tmp_path / name)
        assert "scores. Give a threshold" not in str(error.value)
        with pytest.raises(InputError, match=r"1 of 3 columns hold numbers outside \[0, 1\], .*: 'fold'"):
            oe.read_labels(tmp_path / name, threshold=0.5)
    with pytest.raises(InputError, match=r"holds 0\.5, neither 0 nor 1: these are scores"):
        oe.read_labels(written(tmp_path, "scores.csv", "id,sky,sea\na,0.5,0\n"))


@pytest.mark.parametrize(
    ("name", "text", "whole"),
    [
        ("run.json", '[{"id": "p1", "labels": "sky;sea"}]', {"concepts": ["sky;sea"]}),
        ("2.json", '[{"id": "p1", "labels": "sky;sea"}, {"id": 2, "labels": []}]', {"concepts": ["sky;sea"]}),
        ("run.jsonl", '{"id": "p1", "label": "sky|sea"}\n', {"concepts": ["sky|sea"]}),
        (
            "2.jsonl",
            '{"id": 0, "labels": []}\n{"id": "p1", "labels": "sky;sea"}\n',
            {"input_format": "jsonl"},
        ),
        ("run.csv", "id,labels\np1,sky;sea|cat;sea\n", {"separator": ";"}),
        ("long.csv", "sample,concept\np1,sky;sea\n", {"input_format": "long"}),
    ],
)
def test_a_text_that_looks_like_several_labels_is_refused(
    tmp_path: Path, name: str, text: str, whole: dict[str, Any]
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InputError, match=r"1 label with '[;|]': .*, first in (row|record) \d"):
        oe.read_labels(path)
    assert any("sea" in label for label in oe.read_labels(path, **whole).labels_of("p1"))


# names that stand for nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("long.csv", "sample,concept\np1,sky\np2,{}\n"),
        ("wide.csv", "id,labels\np1,sky\np2,{}\n"),
        ("columns.csv", "id,sky,{}\np1,1,0\np2,0,1\n"),
        ("labels.json", '{{"p1": ["sky"], "p2": ["{}"]}}'),
        ("labels.jsonl", '{{"id": "p1", "labels": ["sky"]}}\n{{"id": "p2", "labels": ["{}"]}}\n'),
    ],
)
@pytest.mark.parametrize("word", ["NaN", "NA", "n/a", "null", "None"])
def test_a_word_for_nothing_is_refused_left_out_or_a_label(
    tmp_path: Path, name: str, text: str, word: str
) -> None:
    path = written(tmp_path, name, text.format(word))
    with pytest.raises(InputError, match=rf"{name}: '{word}' in .* is no label: .*--na empty"):
        oe.read_labels(path)
    with pytest.raises(InputError, match="is no label"):
        oe.read_labels(path, concepts=["sky", "sea"])
    file = oe.labels.read_label_file(path, reading=oe.labels.LabelReading(oe.labels.NameOptions(na="empty")))
    assert (file.sets.labels_of("p2"), file.sets.vocabulary.concepts) == ((), ("sky",))
    assert file.notes == (f"{path}: left out 1 label that are no concepts: '{word} (1)'",)
    for known in ({"na": "label"}, {"concepts": ["sky", word]}):
        assert oe.read_labels(path, **known).labels_of("p2") == (word,)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "p1", "labels": ["sky", null]}\n{"id": "p2", "labels": null}\n',
        '{"p1": ["sky", null], "p2": [null]}',
    ],
)
def test_audits_validations_and_migrations_count_nulls(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "labels.jsonl", text)
    told = "2 nulls among the labels, read as no label"
    moved = ("migrate", path, "--from", "photo", "--to", "photo", "--out", tmp_path / "moved.jsonl")
    ways: list[tuple[object, ...]] = [("validate", path), ("audit", path, "--ontology", "photo"), moved]
    for way in ways:
        assert told in " ".join(call(*way).output.split()), way


def test_records_of_annotators_count_nulls_and_refuse_empty_names(tmp_path: Path) -> None:
    first = '{"id": "p1", "annotator": "Ann", "labels": ["sky"]}\n'
    for labels in ("null", "[null]"):
        path = written(
            tmp_path, "said.jsonl", f'{first}{{"id": "p1", "annotator": "Bob", "labels": {labels}}}\n'
        )
        assert oe.read_annotations(path).of("Bob").labels_of("p1") == ()
        assert "1 null among the labels, read as no label" in " ".join(call("agreement", path).output.split())
    path = written(tmp_path, "said.jsonl", first + '{"id": "p1", "annotator": "Bob", "labels": [""]}\n')
    with pytest.raises(InputError, match=r"said\.jsonl, row 2: a label has an empty name"):
        oe.read_annotations(path)


def test_null_is_no_label_and_counted_and_an_empty_name_is_refused(tmp_path: Path) -> None:
    texts = {
        "labels.json": '{"p1": ["sky", null], "p2": null}',
        "records.json": '[{"id": "p1", "labels": ["sky", null]}, {"id": "p2", "labels": null}]',
        "lines.jsonl": '{"id": "p1", "labels": ["sky", null]}\n{"id": "p2", "labels": null}\n',
    }
    paths = [written(tmp_path, name, text) for name, text in texts.items()]
    pd.DataFrame({"id": ["p1", "p2"], "labels": [["sky", None], None]}).to_parquet(tmp_path / "a.parquet")
    for path in (*paths, tmp_path / "a.parquet"):
        file = oe.labels.read_label_file(path)
        assert (file.sets.labels_of("p1"), file.sets.labels_of("p2")) == (("sky",), ())
        assert file.notes == (f"{path}: 2 nulls among the labels, read as no label",)
    for text in (
        '{"p1": ["sky", ""]}',
        '[{"id": "p1", "labels": ["sky", " "]}]',
        '{"p1": {"sky": 0.5, "": 0.9}}',
    ):
        path = written(tmp_path, "empty.json", text)
        with pytest.raises(InputError, match="a label has an empty name"):
            (oe.read_scores if "0.9" in text else oe.read_labels)(path)


NULL_SCORES = {
    "scores.json": '{"p1": {"sky": 0.5, "sea": null}, "p2": null}',
    "records.json": '[{"id": "p1", "labels": ["sky", "sea"], "scores": [0.5, null]}, '
    '{"id": "p2", "labels": null, "scores": null}]',
    "lines.jsonl": '{"id": "p1", "label": "sky", "score": 0.5}\n{"id": "p2", "label": "sky", "score": null}\n'
    '{"id": "p1", "label": null, "score": 0.9}\n',
    "objects.jsonl": '{"id": "p1", "labels": {"sky": 0.5, "sea": null}}\n{"id": "p2", "labels": {"sea": null}}\n',
}
TABLES: dict[str, dict[str, list[Any]]] = {
    "columns": {"id": ["p1", "p2"], "sky": [0.5, None], "sea": [None, 0.0]},
    "long": {"sample": ["p1", "p2", "p2"], "concept": ["sky", "sea", None], "score": [0.5, None, 0.9]},
    "lists": {"id": ["p1", "p2"], "labels": [["sky", "sea"], None], "scores": [[0.5, None], None]},
}


TRUTH = {"truth.csv": "id,labels\np1,sky\np2,sea\n", "concepts.txt": "sea\nsky\n"}


@pytest.mark.parametrize("case", [*NULL_SCORES, *TABLES])
def test_a_null_score_is_no_label_and_counted(tmp_path: Path, case: str) -> None:
    if case in TABLES:
        path = tmp_path / "scores.parquet"
        pq.write_table(pa.table(TABLES[case]), path)
    else:
        path = written(tmp_path, case, NULL_SCORES[case])
    found = read_score_file(path)
    assert found.scores.at(0.1).labels_of("p1") == ("sky",)
    assert (found.scores.samples, found.scores.matrix.nnz, found.ledger.nulls) == (("p1", "p2"), 1, 2)
    assert found.notes == (f"{path}: 2 nulls among the labels, read as no label",)
    if case in TABLES:
        frame = oe.LabelScores.from_frame(pa.table(TABLES[case]))
        assert (frame.samples, frame.matrix.nnz) == (("p1", "p2"), 1)
    truth, concepts = (written(tmp_path, name, text) for name, text in TRUTH.items())
    more = ("--concepts", concepts, "-m", "F", "--threshold", 0.1, "--verbose")
    shown = " ".join(call("score", truth, path, *more).output.split())
    assert f"{path.name}: 2 nulls among the labels, read as no label" in shown


def test_nulls_in_columns_of_0_and_1_are_refused_and_unknown_to_verified_labels(tmp_path: Path) -> None:
    table = pa.table({"id": ["p1", "p2"], "sky": [1, None], "sea": [None, 0]})
    pq.write_table(table, tmp_path / "truth.parquet")
    with pytest.raises(InputError, match="row 1: column 'sea' holds a null, neither 0 nor 1"):
        read_label_file(tmp_path / "truth.parquet")
    for verified in (
        oe.read_verified_labels(tmp_path / "truth.parquet"),
        oe.VerifiedLabels.from_frame(table, sample="id"),
    ):
        assert verified.known.toarray().tolist() == [[True, False], [False, True]]
    for frame in (table, table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(InputError, match=r"nan \(sample 'p1', concept 'sea'\).*ignore_index=-1"):
            oe.evaluate(frame, frame, measures="F")
    filled = table.to_pandas().fillna(0)
    assert oe.evaluate(filled, filled, measures="F", ignore_index=-1)["F"] == 1
    with pytest.raises(InputError, match="neither 0 nor 1"):
        oe.evaluate(np.array([[1, np.nan]]), np.array([[1, 0]]))


# JSON from files and in memory ------------------------------------------------------------------------------

RECORDS = [{"id": "p", "labels": ["a", "b"]}, {"id": "q", "labels": ["c"]}]
ANSWERS = {
    "p": [{"label": "a", "score": 0.9}, {"label": "b", "score": 0.8}],
    "q": [{"label": "c", "score": 1}],
}
MARKS = [{"id": "p", "a": 1, "b": True, "c": 0}, {"id": "q", "a": 0, "b": False, "c": 1}]
SPLIT = [["p", ["a", "b"]], ["q", ["c"]]]
BOXES = {"p": [{"label": "a", "bbox": [1]}, {"label": "b"}], "q": [{"label": "c"}]}
COCO: Any = {
    "images": [{"id": 1, "file_name": "p"}, {"id": 2, "file_name": "q"}],
    "categories": [{"id": at, "name": name} for at, name in enumerate("abc")],
    "annotations": [{"image_id": image, "category_id": at} for image, at in ((1, 0), (1, 1), (2, 2))],
}
SHAPES: dict[str, Any] = {
    "records": RECORDS,
    "one label each": [{"id": one, "label": label} for one, label in (("p", "a"), ("p", "b"), ("q", "c"))],
    "lists": {"p": ["a", "b"], "q": ["c"]},
    "scores": {"p": {"a": 0.9, "b": 0.8, "c": 0.1}, "q": {"c": 1}},
    "records by sample": {"p": {"labels": ["a", "b"]}, "q": {"labels": ["c"]}},
    "scores beside": {
        "p": {"labels": ["a", "b"], "scores": [0.9, 0.8]},
        "q": {"labels": ["c"], "scores": [1]},
    },
    "answers": ANSWERS,
    "answers in records": [{"image": one, "predictions": found} for one, found in ANSWERS.items()],
    "answers in order": [*ANSWERS.values()],
    "annotations": [{"id": one, "annotations": found} for one, found in BOXES.items()],
    "COCO": COCO,
    "nested": {"version": 1, "data": {"p": ["a", "b"], "q": ["c"]}},
    "nested records": {"data": RECORDS},
    "to_json": {"id": {"0": "p", "1": "q"}, "labels": {"0": ["a", "b"], "1": ["c"]}},
    "to_json with an index": {"labels": {"p": ["a", "b"], "q": ["c"]}},
    "orient index": {str(at): one for at, one in enumerate(RECORDS)},
    "orient split": {"columns": ["id", "labels"], "index": [0, 1], "data": SPLIT},
    "orient split with an index": {
        "columns": ["labels"],
        "index": ["p", "q"],
        "data": [row[1:] for row in SPLIT],
    },
    "columns": {"id": ["p", "q"], "labels": [["a", "b"], ["c"]]},
    "columns, one label each": {"image": ["p", "p", "q"], "label": ["a", "b", "c"]},
    "orient table": {"schema": {"fields": []}, "data": RECORDS},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_json_holds_is_read_alike_in_files_and_in_memory(shape: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(SHAPES[shape]), encoding="utf-8")
    scored: dict[str, Any] = {"threshold": 0.5} if "score" in shape or "answers" in shape else {}
    truth: Any = {"p": ["a", "b"], "q": ["c"]}
    truth = [*truth.values()] if "order" in shape else truth
    for run in (tmp_path / "run.json", SHAPES[shape]):
        found = oe.evaluate(truth, run, measures="ExactMatch", **scored)
        assert (found["ExactMatch"], len(found.totals.vocabulary)) == (1, 3)
        if not scored and shape != "orient table":
            assert oe.audit_labels(run).facts["samples"] == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            {"a": {"p": 1, "q": 0}, "b": {"p": 1, "q": 0}},
            "or a table with a column for each",
        ),
        (MARKS, "no key for the labels among 'id', 'a', 'b', 'c'"),
        ({"id": ["p"], "labels": ["a", "b"]}, "columns of different lengths: 'id', 'labels'"),
        ({"run": {"p": ["a"]}}, "1 run ('run') where the labels of one belong"),
        ([{"id": "p", "annotations": [{"label": "a", "negated": True}]}], "'negated' may mark labels"),
        ([{"id": "p", "labels": b"a"}], "objects that JSON cannot hold"),
    ],
)
def test_json_that_leaves_a_doubt_is_refused_alike(content: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(oe.OntoevalError, match=re.escape(said)):
        oe.evaluate({"p": ["a", "b"]}, content)
    if "cannot hold" not in said:
        (tmp_path / "run.json").write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(oe.OntoevalError, match=re.escape(said)):
            oe.read_labels(tmp_path / "run.json")
