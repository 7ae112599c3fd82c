"""A corrected copy differs from the file in the rows that were corrected, and in nothing else."""

from __future__ import annotations

import gzip
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.audit.exchange import baseline
from ontoeval.errors import InputError

EDGES = "child,parent\nland plants,plants\ntrees,land plants\nflowers,land plants\n"
CLOSED = ["plants;land plants;trees", "trees;plants;land plants", "flowers;plants;land plants"]


@pytest.fixture
def ontology(tmp_path: Path) -> oe.Ontology:
    (tmp_path / "nature.csv").write_text(EDGES, encoding="utf-8")
    return oe.read_ontology(tmp_path / "nature.csv")


def differences(tmp_path: Path, ontology: oe.Ontology, labels: str, **options: Any) -> list[str]:
    """What `diff` says of a file and its corrected copy, after what the log and reading say was checked."""
    path, copy = tmp_path / "labels.txt", tmp_path / "copy.txt"
    path.write_bytes(labels.encode())
    correction = oe.correct_labels(path, ontology, **options)
    correction.write(copy, tmp_path / "log.csv")
    assert path.read_bytes() == labels.encode(), "the input is never touched"
    again = oe.correct_labels(copy, ontology, **options)
    assert not again.changes
    again.write(tmp_path / "again.txt", tmp_path / "log.csv")
    assert (tmp_path / "again.txt").read_bytes() == copy.read_bytes()
    assert again.sets.samples == correction.sets.samples
    for sample in correction.sets.samples:
        assert set(again.sets.labels_of(sample)) == set(correction.sets.labels_of(sample))
    old, new = (file.read_bytes().decode().splitlines(keepends=True) for file in (path, copy))
    return [line for line in unified_diff(old, new, n=0) if not line.startswith(("---", "+++", "@@"))]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (
            "\ufeffYTID, start ,positive_labels\r\np1,0,trees;plants;land plants\r\n\r\np2,5,land plants\r\n",
            ["-p2,5,land plants\r\n", "+p2,5,land plants;plants\r\n"],
        ),
        (
            'id;labels\np1;"trees, land plants, plants"\np2;"flowers , plants"',
            ['-p2;"flowers , plants"', '+p2;"flowers , plants , land plants"'],
        ),
        (
            'id,labels,remark\np1,trees,"a\nb"\np2,,""\n',
            ['-p1,trees,"a\n', '+p1,trees;land plants;plants,"a\n'],
        ),
        (
            "id\tlabels\np1\ttrees|plants|land plants|\np2\tTrees|plants|\n",
            ["-p2\tTrees|plants|\n", "+p2\ttrees|plants|land plants|\n"],
        ),
        (
            "id,labels\np1,\"['trees', 'plants', 'land plants']\"\np2,['trees']\n",
            ["-p2,['trees']\n", "+p2,\"['trees', 'land plants', 'plants']\"\n"],
        ),
        (
            'id,labels\np1,"[""trees"", ""plants"", ""land plants""]"\np2,[trees]\n',
            ["-p2,[trees]\n", '+p2,"[""trees"", ""land plants"", ""plants""]"\n'],
        ),
        (
            "id,labels\np1,trees;trees;plants;land plants\np2,\np1,plants;trees;land plants\n",
            [
                *("-p1,trees;trees;plants;land plants\n", "+p1,trees;plants;land plants\n"),
                "-p1,plants;trees;land plants\n",
            ],
        ),
        (
            "image,tag,split\np1,trees,a\np1,plants,a\np2,,a\np1,land plants,a\np2,land plants,b",
            ["-p2,land plants,b", "+p2,land plants,b\n", "+p2,plants,\n"],
        ),
        (
            'sample,concept\np2,"land plants"\r\np1,trees\r\np1,Trees\r\np1,trees\r\np2,plants\r\n',
            [
                *("-p1,Trees\r\n", "-p1,trees\r\n"),
                *("+p1,land plants\r\n", "+p1,plants\r\n"),
            ],
        ),
        (
            "id,labels\np1,trees ; plants ; land plants\np2,trees ; plants ;\n",
            ["-p2,trees ; plants ;\n", "+p2,trees ; plants ; land plants ;\n"],
        ),
        (
            "id\tlabels\np1\t['plants', 'land plants']\np2\t['land plants']\np3\t[ 'trees' ]\n",
            [
                *("-p2\t['land plants']\n", "-p3\t[ 'trees' ]\n"),
                *("+p2\t['land plants', 'plants']\n", "+p3\t[ 'trees', 'land plants', 'plants' ]\n"),
            ],
        ),
        (
            'id,labels\np1,"[""trees"",""gr\\u00fcn"",\'x\']"\n',
            [
                '-p1,"[""trees"",""gr\\u00fcn"",\'x\']"\n',
                '+p1,"[""trees"",""gr\\u00fcn"",\'x\',""land plants"",""plants""]"\n',
            ],
        ),
        (
            "id,labels\np1,['plants' 'land plants']\np2,['trees' 'plants']\n",
            ["-p2,['trees' 'plants']\n", "+p2,['trees' 'plants' 'land plants']\n"],
        ),
        (
            "sample,concept,split\r\np1,plants,1\r\np1,plants,1\r\n\r\n\r\np2,land plants,2",
            ["-p1,plants,1\r\n", "-p2,land plants,2", "+p2,land plants,2\r\n", "+p2,plants,\r\n"],
        ),
        (
            'id,labels,n\np1,plants,"a\n\nb"\n\n\np1,plants,"a\n\nb"\n',
            ['-p1,plants,"a\n', "-\n", '-b"\n'],
        ),
        (
            "id,trees,plants,land plants\np1,True,True,True\np2,True,False,True\n",
            ["-p2,True,False,True\n", "+p2,True,True,True\n"],
        ),
        (
            "id,trees,plants,land plants\np1,1,1,1\np2,true,false,1\np3,0,0,0\n",
            ["-p2,true,false,1\n", "+p2,true,true,1\n"],
        ),
    ],
)
def test_a_copy_differs_in_the_rows_that_were_corrected(
    tmp_path: Path, ontology: oe.Ontology, labels: str, expected: list[str]
) -> None:
    assert differences(tmp_path, ontology, labels, convention="closed") == expected


@pytest.mark.parametrize(
    ("labels", "convention", "expected"),
    [
        ("file,onset,label\nf1,0.1,trees\nf1,0.9,trees\nf1,5,plants\n", "most-specific", []),
        ("file,onset,label\nf1,0.1,trees\nf1,0.1,trees\nf1,5,trees\n", "mixed", ["-f1,0.1,trees\n"]),
        (
            "file,onset,label\nf1,1,trees\nf1,1,Trees\nf1,2,Trees\nf2,1,trees\n",
            "mixed",
            ["-f1,1,Trees\n", "-f1,2,Trees\n", "+f1,2,trees\n"],
        ),
        (
            "id,labels,note\np1,plants,1\np1,plants,2\np2,land plants,1\np2,land plants,2\n",
            "closed",
            [
                *("-p2,land plants,1\n", "-p2,land plants,2\n"),
                *("+p2,land plants;plants,1\n", "+p2,land plants;plants,2\n"),
            ],
        ),
    ],
)
def test_rows_that_say_something_of_their_own_are_kept(
    tmp_path: Path, ontology: oe.Ontology, labels: str, convention: str, expected: list[str]
) -> None:
    assert differences(tmp_path, ontology, labels, convention=convention) == expected


@pytest.mark.parametrize(
    ("labels", "rule", "told"),
    [
        (
            "file,onset,label\nf1,1,trees\nf1,2,trees\n",
            "repeated-label",
            "differ in what is not read ('onset')",
        ),
        (
            "id,labels,note\np1,trees;sky,1\np1,sky;trees,2\n",
            "duplicate-sample",
            "not read ('note'): all are",
        ),
    ],
)
def test_rows_that_are_kept_are_told_with_the_reason(
    tmp_path: Path, ontology: oe.Ontology, labels: str, rule: str, told: str
) -> None:
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    (finding,) = oe.audit_labels(tmp_path / "labels.csv", ontology).of(rule)
    assert not finding.fixable
    assert told in finding.explanation


def test_what_was_kept_for_a_column_is_joined_where_the_copy_has_none(tmp_path: Path) -> None:
    hierarchy = oe.Hierarchy.from_edges([("a;b", "trees")])
    (tmp_path / "labels.csv").write_text("id,labels,n\np1,trees,1\np1,trees,2\n", encoding="utf-8")
    correction = oe.correct_labels(tmp_path / "labels.csv", hierarchy, convention="closed")
    correction.write(tmp_path / "copy.csv", tmp_path / "log.csv")
    assert (tmp_path / "copy.csv").read_text(encoding="utf-8") == "sample,concept\np1,a;b\np1,trees\n"
    assert [tuple(change[1:]) for change in correction.changes] == [
        ("join", "", "", "duplicate-sample"),
        ("add", "a;b", "", "missing-ancestor"),
    ]


def test_changes_can_be_made_in_the_order_of_the_log(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = "id,labels\np1,trees;Plants;plants;Plants\np2,plants\np3,plants\n"
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    correction = oe.correct_labels(tmp_path / "labels.csv", ontology, convention="most-specific")
    assert [tuple(change[1:4]) for change in correction.changes] == [
        ("join", "Plants", ""),
        ("rename", "Plants", "plants"),
        ("remove", "plants", ""),
    ]


@pytest.mark.parametrize(
    "labels", ["id,labels\np1,plants;plants\np2,trees;Trees;trees\n", "id,label\np1,plants\np1,plants\n"]
)
def test_repeated_labels_that_are_accepted_or_of_no_account_stay(
    tmp_path: Path, ontology: oe.Ontology, labels: str
) -> None:
    off: dict[str, Any] = {"convention": "mixed", "severities": {"repeated-label": "off", "spelling": "off"}}
    assert differences(tmp_path, ontology, labels, **off) == []
    findings = oe.audit_labels(tmp_path / "labels.txt", ontology, convention="mixed")
    (tmp_path / "accepted.json").write_text(baseline(findings, findings.samples), encoding="utf-8")
    accepted: dict[str, Any] = {"convention": "mixed", "baseline": tmp_path / "accepted.json"}
    assert differences(tmp_path, ontology, labels, **accepted) == []
    assert differences(tmp_path, ontology, labels, convention="mixed")


def test_labels_that_are_added_leave_accepted_repetitions_alone(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    off: dict[str, Any] = {"convention": "closed", "severities": {"repeated-label": "off"}}
    labels = "id,labels\np1,Trees;trees;trees;Trees\np2,trees;plants;land plants\n"
    assert differences(tmp_path, ontology, labels, **off) == [
        "-p1,Trees;trees;trees;Trees\n",
        "+p1,trees;trees;land plants;plants\n",
    ]


def test_values_are_written_in_the_words_of_the_file(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = "id,trees,land plants,plants\np1,True,True,True\np2,True,False,False\n"
    assert differences(tmp_path, ontology, labels, convention="most-specific") == [
        "-p1,True,True,True\n",
        "+p1,True,False,False\n",
    ]
    labels = "id,trees,plants\np1,yes,yes\n".replace("yes", "true")
    assert differences(tmp_path, ontology, labels, convention="most-specific")[1] == "+p1,true,0\n"


@pytest.mark.parametrize(
    ("labels", "copy"),
    [
        ("id,trees,Trees,plants\np1,1,0,1\n\np2,0,1,1\n", "id,trees,plants\np1,1,1\n\np2,1,1\n"),
        (
            "\ufeff# of a\r\n# id;trees;Trees;TREES\r\np1; 1;0 ;0\r\np2; 0;1;0",
            "\ufeff# of a\r\n# id;trees\r\np1; 1\r\np2; 1",
        ),
        ('\n"id\n",Plants,"plants",trees\np1,0,1,1\n', '\n"id\n","plants",trees\np1,1,1\n'),
        ("id,Plants,trees,plants\np1,0,1,0\n", "id,Plants,trees\np1,0,1\n"),
    ],
)
def test_of_columns_of_one_concept_that_are_merged_one_is_left(
    tmp_path: Path, ontology: oe.Ontology, labels: str, copy: str
) -> None:
    differences(tmp_path, ontology, labels, convention="mixed")
    assert (tmp_path / "copy.txt").read_bytes() == copy.encode()
    assert not oe.audit_labels(tmp_path / "copy.txt", ontology, convention="mixed").of("spelling")
    assert len(oe.read_labels(tmp_path / "copy.txt", ontology)) == labels.count("\np")


def test_columns_of_one_concept_stay_where_their_spelling_is_of_no_account(
    tmp_path: Path, ontology: oe.Ontology
) -> None:
    labels = "id,trees,Trees\np1,1,0\np2,0,1\n"
    assert not differences(tmp_path, ontology, labels, severities={"spelling": "off"})


GENES = "[Term]\nid: X:1\n\n[Term]\nid: X:2\nis_a: X:1\n\n[Term]\nid: X:3\nname: old\nis_obsolete: true\n"


def test_blanks_separate_labels_of_which_some_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "x.obo").write_text(GENES, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "x.obo")
    labels = "id,labels\np1,X:1 X:2 X:3\np2,X:2 X:1 X:77\np3,X:2\np4,X:88\n"
    assert differences(tmp_path, ontology, labels, convention="closed") == ["-p3,X:2\n", "+p3,X:2 X:1\n"]


def test_nobody_guesses_what_separates_labels_where_blanks_may(tmp_path: Path) -> None:
    (tmp_path / "x.obo").write_text(GENES, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "x.obo")
    path = tmp_path / "labels.csv"
    path.write_text("id,labels\np1,X:1 X:2 X:77 X:78\np3,X:2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"may be one label, or several.*--separator"):
        oe.correct_labels(path, ontology, convention="closed")
    assert not oe.correct_labels(path, ontology, convention="most-specific").changes
    assert len(oe.correct_labels(path, ontology, convention="closed", separator=" ").changes) == 1
    path.write_text("id,labels\np1,a new label\np3,X:2\n", encoding="utf-8")
    assert len(oe.correct_labels(path, ontology, convention="closed").changes) == 1


def test_text_without_a_header_is_corrected_value_by_value(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = "{b} 1  1 1\n a  0 1 1 \r\n{c}\t0.0 0.0 1.0\n"
    concepts = ["trees", "land plants", "plants"]
    options: dict[str, Any] = {"concepts": concepts, "convention": "most-specific"}
    assert differences(tmp_path, ontology, labels, **options) == [
        *("-{b} 1  1 1\n", "- a  0 1 1 \r\n", "+{b} 1  0 0\n", "+ a  0 1 0 \r\n"),
    ]


def test_annotations_of_proteins_are_corrected_between_their_head_and_end(tmp_path: Path) -> None:
    obo = "[Term]\nid: GO:1\n\n[Term]\nid: GO:2\nis_a: GO:1\nalt_id: GO:3\n"
    (tmp_path / "go.obo").write_text(obo, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "go.obo")
    labels = "AUTHOR me\nT1 GO:1\nT1 GO:2\nT2 GO:3\nEND\n"
    assert differences(tmp_path, ontology, labels, convention="closed") == [
        *("-T2 GO:3\n", "+T2 GO:2\n", "+T2 GO:1\n"),
    ]


@pytest.mark.parametrize(
    ("labels", "options", "copy"),
    [
        ("id,labels\np1,a\np2,trees\n", {}, "sample,concept\np1,a\np2,a;b\np2,trees\n"),
        ("id,labels\np1,a|plants\np2,trees\n", {}, "sample,concept\np1,a\np1,plants\np2,a;b\np2,trees\n"),
        ("id,labels\np1,trees;a\n", {"separator": ";"}, "sample,concept\np1,a\np1,a;b\np1,trees\n"),
        ("id,trees,plants\np1,1,0\n", {}, "sample,concept\np1,a;b\np1,trees\n"),
        ("id,flowers\np1,1\np2,0\n", {}, "id,labels\np1,a b;flowers\np2,\n"),
        (
            "id,labels\np1,a b|flowers|\np2,a b|\n",
            {"convention": "most-specific"},
            "id,labels\np1,flowers|\np2,a b|\n",
        ),
    ],
)
def test_what_would_be_read_in_another_way_is_written_anew(
    tmp_path: Path, labels: str, options: dict[str, Any], copy: str
) -> None:
    edges = "child,parent\na;b,\ntrees,a;b\nflowers,a b\nplants,\na,\n"
    (tmp_path / "odd.csv").write_text(edges, encoding="utf-8")
    ontology = oe.read_ontology(tmp_path / "odd.csv")
    differences(tmp_path, ontology, labels, **{"convention": "closed", **options})
    assert (tmp_path / "copy.txt").read_text(encoding="utf-8") == copy


def test_a_label_with_a_blank_is_not_written_between_blanks(tmp_path: Path) -> None:
    hierarchy = oe.Hierarchy.from_edges([("land plants", "PO:1")])
    (tmp_path / "labels.txt").write_text("T1 PO:1\n", encoding="utf-8")
    correction = oe.correct_labels(tmp_path / "labels.txt", hierarchy, convention="closed")
    correction.write(tmp_path / "copy.csv", tmp_path / "log.csv")
    assert (tmp_path / "copy.csv").read_text(encoding="utf-8") == "id,labels\nT1,land plants;PO:1\n"


@pytest.mark.parametrize(
    ("labels", "options", "problem"),
    [
        ("sample,label,score\np1,trees,0.9\np1,plants,0.2\n", {"threshold": 0.5}, "scores are not corrected"),
        ("id,plants,trees\np1,0.7,.9\n", {"threshold": 0.5}, "scores are not corrected"),
        ("@relation x\n@attribute class hierarchical trees\n@data\ntrees\n", {}, "this is ARFF"),
    ],
)
def test_what_holds_more_than_labels_is_not_corrected(
    tmp_path: Path, ontology: oe.Ontology, labels: str, options: dict[str, Any], problem: str
) -> None:
    (tmp_path / "labels.txt").write_text(labels, encoding="utf-8")
    with pytest.raises(InputError, match=f"{problem}.*Audit it without --fix"):
        oe.correct_labels(tmp_path / "labels.txt", ontology, **options)


def test_a_copy_is_packed_where_its_name_says_so(tmp_path: Path, ontology: oe.Ontology) -> None:
    labels = "id,labels\np1,trees\np2,plants\n"
    with gzip.open(tmp_path / "labels.csv.gz", "wt") as file:
        file.write(labels)
    correction = oe.correct_labels(tmp_path / "labels.csv.gz", ontology, convention="closed")
    correction.write(tmp_path / "copy.csv.gz", tmp_path / "log.csv.gz")
    with gzip.open(tmp_path / "copy.csv.gz", "rt") as file:
        assert file.read() == "id,labels\np1,trees;land plants;plants\np2,plants\n"
    with gzip.open(tmp_path / "log.csv.gz", "rt") as file:
        assert len(file.readlines()) == 3
    assert oe.correct_labels(tmp_path / "copy.csv.gz", ontology, convention="closed").changes.matrix.nnz == 0
