"""Formats of single fields: Annif's corpora, ARFF with hierarchical classes, CAFA, AudioSet, PhysioNet."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from ontoeval.errors import AmbiguousNameError, InputError, UnknownConceptError
from ontoeval.labels.reading import read_label_file, read_labels, read_scores
from ontoeval.labels.recognition import recognise
from ontoeval.ontology.reading import read_ontology

IRI = "http://example.org/"


def written(folder: Path, content: str, name: str = "truth.txt") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def as_sets(path: Path, **options: Any) -> dict[str, tuple[str, ...]]:
    sets = read_labels(path, **options)
    return {sample: sets.labels_of(sample) for sample in sets.samples}


# Annif ------------------------------------------------------------------------------------------------------

DOCUMENTS = f'A "title"\t<{IRI}sky> <{IRI}sea>\nAnother; title, long\t\nA "title"\t<{IRI}sea>\n'


def test_documents_of_annif_are_numbered(tmp_path: Path) -> None:
    path = written(tmp_path, DOCUMENTS)
    assert str(recognise(path)) == "subjects as Annif writes them"
    assert as_sets(path) == {"0": (f"<{IRI}sea>", f"<{IRI}sky>"), "1": (), "2": (f"<{IRI}sea>",)}
    with pytest.raises(UnknownConceptError, match=rf"'<{IRI}sky>' in row 1"):
        read_labels(path, concepts=[f"<{IRI}sea>"])


def test_a_file_of_subjects_is_named_for_its_document(tmp_path: Path) -> None:
    subjects = written(tmp_path, f"<{IRI}sky>\tsky\n\n<{IRI}sea>\tsea\n", "385445.tsv")
    assert as_sets(subjects) == {"385445": (f"<{IRI}sea>", f"<{IRI}sky>")}
    assert as_sets(written(tmp_path, "sky\nSpeech, male; or female\n", "385445.key")) == {
        "385445": ("Speech, male; or female", "sky")
    }
    packed = tmp_path / "7.key.gz"
    packed.write_bytes(gzip.compress(b"sky\n"))
    assert as_sets(packed) == {"7": ("sky",)}


def test_a_folder_holds_a_file_for_each_document(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    for name, content in {
        "a.tsv": f"<{IRI}sky>\tsky\n",
        "a.key": "something else\n",
        "a.txt": "A text",
        "b.key": "sea\n",
        "c.key": "",
        "a.annif": f"<{IRI}sky>\tsky\t0.9\n<{IRI}sea>\tsea\t0.1\n",
        "b.annif": f"<{IRI}sea>\tsea\t0.4\n",
    }.items():
        written(folder, content, name)
    assert as_sets(folder) == {"a": (f"<{IRI}sky>",), "b": ("sea",), "c": ()}
    assert as_sets(folder, threshold=0.4) == {"a": (f"<{IRI}sky>",), "b": (f"<{IRI}sea>",)}
    assert read_scores(folder).matrix.nnz == 3
    first = read_label_file(folder).digest
    written(folder, "sky\n", "c.key")
    assert read_label_file(folder).digest != first
    with pytest.raises(UnknownConceptError, match=rf"'<{IRI}sky>' in .*a\.tsv"):
        read_labels(folder, concepts=["sea", "sky"])


@pytest.mark.parametrize("first", ["a text\t<http://a/b> <http://a/c>", "label\tid"])
def test_a_folder_is_refused_whose_tables_are_no_documents(tmp_path: Path, first: str) -> None:
    written(tmp_path, f"<{IRI}sky>\tsky\n", "subjects.tsv")
    path = written(tmp_path, f"{first}\n", "documents.tsv")
    with pytest.raises(InputError, match=r"documents\.tsv: the first line is '.*begins with an <IRI>.*alone"):
        read_labels(tmp_path)
    if "<" in first:
        assert as_sets(path) == {"0": ("<http://a/b>", "<http://a/c>")}


def test_merged_classes_are_read_over_an_ontology(tmp_path: Path) -> None:
    ontology = read_ontology(
        written(tmp_path, "child,parent\nAF,ecg\nCRBBB,block\nRBBB,block\nblock,ecg\n", "ecg.csv")
    )
    truth = written(tmp_path, "id,labels\np1,CRBBB\np2,AF;RBBB\np3,CRBBB|RBBB\n", "truth.csv")
    file = read_label_file(truth, ontology, concepts=["AF", "CRBBB|RBBB"])
    assert file.sets.vocabulary.concepts == ("AF", "CRBBB")
    assert [file.sets.labels_of(sample) for sample in file.sets.samples] == [
        ("CRBBB",),
        ("AF", "CRBBB"),
        ("CRBBB",),
    ]
    assert file.translated["RBBB"] == ("CRBBB", 1)
    # A class that only the data set knows is what it is merged with.
    other = written(tmp_path, "id,labels\np1,complete\n", "other.csv")
    assert as_sets(other, ontology=ontology, concepts=["complete|CRBBB"]) == {"p1": ("CRBBB",)}
    with pytest.raises(InputError, match="both the concept 'CRBBB'"):
        read_labels(truth, ontology, concepts=["AF", "CRBBB|RBBB", "RBBB"])
    with pytest.raises(UnknownConceptError, match=r"'x\|y' in position 1"):
        read_labels(truth, ontology, concepts=["x|y"])


def test_a_folder_without_what_is_wanted_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "scores", f"<{IRI}sky>\tsky\t0.9\n", "a.annif")
    with pytest.raises(InputError, match="these are scores, not labels"):
        read_labels(tmp_path / "scores")
    written(tmp_path / "labels", "sky\n", "a.key")
    with pytest.raises(InputError, match=r"there are no \.annif files in this folder"):
        read_scores(tmp_path / "labels")
    with pytest.raises(InputError, match="not the format 'wide': it is a folder"):
        read_labels(tmp_path / "labels", input_format="wide")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (DOCUMENTS + "no tab\n", {}, "row 4: no tab between a text and its subjects"),
        (DOCUMENTS, {"threshold": 0.5}, "a corpus of labels, not of scores"),
        (f"<{IRI}sky>\tsky\t0.9\n", {}, "row 1: scores, not labels"),
        (f"<{IRI}sky>\tsky\t0.9\n<{IRI}sea>\tsea\n", {"threshold": 0.5}, "row 2: no score"),
        (f"<{IRI}sky>\tsky\thigh\n", {"threshold": 0.5}, "row 1: the score 'high'"),
    ],
)
def test_a_wrong_file_of_annif_is_refused(
    tmp_path: Path, content: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=rf"truth\.txt.*{message}"):
        read_labels(written(tmp_path, content), **options)


# ARFF -------------------------------------------------------------------------------------------------------

ARFF = """% genes
@RELATION 'pheno0.names'

@ATTRIBUTE 2-deoxyglucose {w,n,s,r}
@ATTRIBUTE 'two words' numeric
@ATTRIBUTE class hierarchical 01,01/01,01/01/03,02
@DATA
n,1.5,01/01/03@02 % a remark
% another

w,?,01
"""


def test_labels_of_arff_are_separated_by_at_signs(tmp_path: Path) -> None:
    path = written(tmp_path, ARFF)
    assert str(recognise(path)) == "ARFF with a hierarchical class"
    assert as_sets(path) == {"0": ("01/01/03", "02"), "1": ("01",)}


def test_what_is_a_link_in_the_declaration_is_no_label(tmp_path: Path) -> None:
    content = (
        "@relation go\n@attribute ID string\n@attribute class hierarchical root/GO1,GO1/GO2\n@attribute x "
        "numeric\n@data\nYAL001C,GO1@GO2,0\n'YAL 2',GO1,1\n"
    )
    assert as_sets(written(tmp_path, content)) == {"YAL001C": ("GO1", "GO2"), "YAL 2": ("GO1",)}


def test_values_of_arff_stand_in_either_quotes_and_hold_the_other_as_it_is(tmp_path: Path) -> None:
    rows = """"g1",a\n "q,r", "a@b"\n'say "x"',b\nO'Brien,"a"\n5" disc,b % a remark\nit\\'s,b\n"""
    content = f"@relation r\n@attribute id string\n@attribute class hierarchical a,b\n@data\n{rows}"
    assert as_sets(written(tmp_path, content)) == {
        "g1": ("a",),
        "q,r": ("a", "b"),
        'say "x"': ("b",),
        "O'Brien": ("a",),
        '5" disc': ("b",),
        "it's": ("b",),
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hierarchical 01,01/01,01/01/03,02", "numeric", "no hierarchical attributes among '2-deoxyglucose'"),
        ("'two words' numeric", "a hierarchical b", "2 hierarchical attributes"),
        ("'two words' numeric", "two", r"row 5: '@ATTRIBUTE two' declares nothing"),
        ("@DATA\n", "", "there is no @data"),
        ("w,?,01", "w,01", "row 11: 2 fields, but 3 attributes are declared"),
        ("w,?,01", "w,1,?", "row 11: the class is not known"),
        ("w,?,01", "{0 w, 2 01}", "row 11: a sparse row"),
        ("n,1.5,01/01/03@02 % a remark\n% another\n\nw,?,01\n", "", "there is no row below @data"),
    ],
)
def test_a_wrong_arff_file_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"truth\.txt.*{message}"):
        read_labels(written(tmp_path, ARFF.replace(old, new)))


def test_arff_has_no_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ARFF holds labels, not scores"):
        read_scores(written(tmp_path, ARFF))


# CAFA -------------------------------------------------------------------------------------------------------

CAFA = "T1\tGO:0008150\t0.95\nT1\tGO:0003674\t0.20\nT2\tGO:0008150\t1.00\n"
HEAD = "AUTHOR\tTEAM\nMODEL\t1\nKEYWORDS\tsequence alignment, other.\n"


@pytest.mark.parametrize(
    "content", [CAFA, HEAD + CAFA + "END\n", HEAD + CAFA + "END", CAFA.replace("\t", "  ")]
)
def test_three_columns_of_cafa_are_scores(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    assert recognise(path).format == "cafa"
    assert read_scores(path).matrix.toarray().tolist() == [[0.2, 0.95], [0, 1]]
    assert as_sets(path, threshold=0.5) == {"T1": ("GO:0008150",), "T2": ("GO:0008150",)}
    with pytest.raises(InputError, match=r"this is CAFA .* \(target, term, score\): scores, not labels"):
        read_labels(path)


def test_two_columns_of_cafa_are_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "T1\tGO:0008150\nT1\tGO:0003674\nT2\tGO:0008150\n")
    assert str(recognise(path)) == "CAFA TSV (target, term)"
    assert as_sets(path) == {"T1": ("GO:0003674", "GO:0008150"), "T2": ("GO:0008150",)}


def test_terms_of_any_kind_are_read_where_the_format_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "T1\tsky\t0.5\n")
    assert read_scores(path, input_format="cafa").samples == ("T1",)
    with pytest.raises(InputError, match="not recognised"):
        read_scores(path)
    with pytest.raises(InputError, match="this is not the format 'cafa'"):
        read_scores(written(tmp_path, "a\tb\tc\td\n"), input_format="cafa")
    with pytest.raises(InputError, match="this is not the format 'cafa'"):
        read_scores(written(tmp_path, HEAD), input_format="cafa")


@pytest.mark.parametrize("score", ["0.00", "1.01", "-0.5"])
def test_scores_of_cafa_are_above_0_and_at_most_1(tmp_path: Path, score: str) -> None:
    with pytest.raises(InputError, match=rf"truth\.txt, row 5: the score {float(score):g}\. CAFA's scores"):
        read_scores(written(tmp_path, HEAD + CAFA.replace("0.20", score) + "END\n"))


def test_a_score_of_cafa_that_is_no_number_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"row 5: column 'score' holds 'high'"):
        read_scores(written(tmp_path, HEAD + CAFA.replace("0.20", "high") + "END\n"))


# AudioSet and other segments --------------------------------------------------------------------------------

SEGMENTS = '--4gqARaEJE, 0.000, 10.000, "/m/068hy,/m/07q6cd_"\n--BfvyPmVMo, 20.000, 30.000, "/m/068hy"\n'
NAMES = "YTID, start_seconds, end_seconds, positive_labels\n"


@pytest.mark.parametrize("head", [NAMES, f"# {NAMES}", f"# made on Sunday\n# num_segs=2\r\n# {NAMES}"])
def test_segments_of_audioset_are_read_with_their_remarks(tmp_path: Path, head: str) -> None:
    path = written(tmp_path, head + SEGMENTS)
    assert as_sets(path) == {"--4gqARaEJE": ("/m/068hy", "/m/07q6cd_"), "--BfvyPmVMo": ("/m/068hy",)}
    assert recognise(path).unused == ("start_seconds", "end_seconds")
    with pytest.raises(UnknownConceptError, match=rf"'/m/07q6cd_' in row {head.count(chr(10)) + 1}"):
        read_labels(path, concepts=["/m/068hy"])


def test_remarks_may_stand_before_any_header_and_are_never_rows(tmp_path: Path) -> None:
    assert as_sets(written(tmp_path, "# by me, and others\nid,labels\np1,sky\n")) == {"p1": ("sky",)}
    first = written(tmp_path, "#1 0 1\n#2 1 1\np3 0 0\n")
    assert read_labels(first, concepts=["a", "b"]).samples == ("#1", "#2", "p3")
    assert read_labels(written(tmp_path, "#1 0 1\n"), concepts=["a", "b"]).samples == ("#1",)


def test_events_of_one_clip_are_its_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "filename\tonset\toffset\tevent_label\na.wav\t0\t1\tDog\na.wav\t2\t3\tCat\n")
    assert as_sets(path) == {"a.wav": ("Cat", "Dog")}


# wide files -------------------------------------------------------------------------------------------------


def test_scores_stand_beside_labels_in_a_wide_file(tmp_path: Path) -> None:
    path = written(tmp_path, "id,labels,scores\np1,sky;sea,0.9;0\np2,,\np3,sea,0.5\n")
    scores = read_scores(path)
    assert scores.matrix.toarray().tolist() == [[0, 0.9], [0, 0], [0.5, 0]]
    assert scores.matrix.nnz == 2  # a score of 0 is no score
    with pytest.raises(InputError, match="scores, not labels"):
        read_labels(path)
    for wrong, message in (("0.9", "2 labels, but the scores '0.9'"), ("0.9;x", "column 'scores' holds 'x'")):
        with pytest.raises(InputError, match=rf"row 2.*{message}"):
            read_scores(written(tmp_path, f"id,labels,scores\np1,sky;sea,{wrong}\n"))


MERGED = ["270492004", "733534002|164909002", "713427006|59118001"]


@pytest.mark.parametrize(
    "labels",
    [
        '"270492004,733534002|164909002"',
        "270492004;164909002",
        "270492004|733534002",
        '"164909002|733534002,270492004"',
    ],
)
def test_any_part_of_merged_classes_stands_for_them(tmp_path: Path, labels: str) -> None:
    path = written(tmp_path, f"id,labels\nA1,{labels}\nA2,713427006|59118001\n")
    sets = as_sets(path, concepts=MERGED)
    assert sets == {"A1": ("270492004", "733534002|164909002"), "A2": ("713427006|59118001",)}


def test_what_stands_for_a_merged_class_is_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept\nA1,733534002\nA2,733534002\nA2,713427006|59118001\n")
    file = read_label_file(path, concepts=MERGED)
    assert file.translated == {"733534002": ("733534002|164909002", 2)}
    assert "read 2 labels as what they stand for: '733534002 as 733534002|164909002 (2)'" in file.notes[0]


def test_a_part_of_two_merged_classes_is_ambiguous(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept\nA1,b\n")
    with pytest.raises(AmbiguousNameError, match=r"row 2: 'b' is ambiguous: it names 'a\|b', 'b\|c'"):
        read_labels(path, concepts=["a|b", "b|c"])


def test_of_several_separators_the_first_that_leaves_only_labels_counts(tmp_path: Path) -> None:
    path = written(tmp_path, 'id,labels\np1,"Speech, male;Music"\np2,"Music"\n')
    assert as_sets(path, concepts=["Music", "Speech, male"])["p1"] == ("Music", "Speech, male")
    path = written(tmp_path, 'id,labels\np1,"a;b,c"\n')
    assert as_sets(path, concepts=["a;b", "c"]) == {"p1": ("a;b", "c")}
    with pytest.raises(UnknownConceptError, match="separated by ';'"):
        read_labels(path, concepts=["a;b", "d"])
