"""Forms in which the data sets of this field come: paths, keys of records, numbered records, MEKA and MULAN."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.labels import read_label_file, read_score_file
from ontoeval.labels.reading_options import LabelReading
from ontoeval.options import filled

LEVELS = "id,l1,l2,l3,text\n1,Agent,Artist,UNK,x\n2,Place,,,y\n3,None,None,None,z\n4,Agent,Athlete,Runner,\n"
SETS = {"1": ("Agent", "Artist"), "2": ("Place",), "3": (), "4": ("Agent", "Athlete", "Runner")}


def sets_of(labels: Any) -> dict[str, tuple[str, ...]]:
    return {sample: labels.labels_of(sample) for sample in labels.samples}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(content: Any, name: str = "labels") -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return written


def test_paths_are_read_alike_from_columns_lists_and_frames(write: Any, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    padded = {n: [*labels, *["UNK"] * (3 - len(labels))] for n, labels in SETS.items()}
    records = [{"id": n, "labels": labels} for n, labels in padded.items()]
    files = [
        write(LEVELS),
        write({n: [*labels, *[None] * (3 - len(labels))] for n, labels in SETS.items()}, "json"),
        write(records, "records"),
        write("".join(f"{json.dumps(one)}\n" for one in records), "lines"),
        write("id,labels\n" + "".join(f"{n},{';'.join(path)}\n" for n, path in padded.items()), "wide"),
    ]
    table = pd.DataFrame(
        {"id": [*padded]} | {f"l{k + 1}": [path[k] for path in padded.values()] for k in range(3)}
    )
    if pytest.importorskip("pyarrow"):
        table.to_parquet(tmp_path / "table.parquet")
        files.append(tmp_path / "table.parquet")
    for path in files:
        assert sets_of(oe.read_labels(path, input_format="paths")) == SETS
    array = np.array([*padded.values()], dtype=object)
    for paths in (padded, table, table.set_index("id"), table.replace("UNK", None)):
        assert sets_of(oe.LabelSets.from_paths(paths)) == SETS
    assert [*sets_of(oe.LabelSets.from_paths(array)).values()] == [*SETS.values()]
    of_two = oe.LabelSets.from_paths(table, levels=["l1", "l2"], samples=["a", "b", "c", "d"])
    assert of_two.labels_of("4") == ("Agent", "Athlete")
    file = read_label_file(files[0], reading=filled(LabelReading, {"input_format": "paths"}))
    assert (
        str(file.format) == "CSV with a column for each level of a path ('l1', 'l2', 'l3'; not used: 'text')"
    )
    assert file.ledger.nulls == 6


def test_levels_may_be_named_and_stand_in_any_order(write: Any) -> None:
    path = write("area,id,domain\nb,1,a\nUNK,2,c\n")
    named = oe.read_labels(path, input_format="paths", concept_column=["domain", "area"])
    assert sets_of(named) == {"1": ("a", "b"), "2": ("c",)}
    numbered = oe.read_labels(write("id,l10,l2\n1,b,a\n2,UNK,c\n"), input_format="paths")
    assert sets_of(numbered) == {"1": ("a", "b"), "2": ("c",)}


WRONG_PATHS: dict[str, tuple[str, dict[str, Any], str]] = {
    "several columns of one file": (LEVELS, {"concept_column": ["l1", "l2"]}, r"several of the named columns are there: 'l1', 'l2'.*--input-format paths"),
    "a label below padding": ("id,l1,l2\n1,UNK,a\n", {"input_format": "paths"}, "sample '1' has 'a' below 'UNK'"),
    "a label below nothing": ("id,l1,l2\n1,,a\n", {"input_format": "paths"}, "sample '1' has 'a' below 'UNK'"),
    "one of several levels": (LEVELS, {"input_format": "paths", "concept_column": "l1"}, r"'l1', 'l2', 'l3' may all hold labels.*name each or none"),
    "no levels": ("id,x,y\n1,a,b\n", {"input_format": "paths"}, "no column for the levels of a path among 'id', 'x', 'y'"),
    "two kinds of levels": ("id,l1,l2,x1,x2\n1,a,b,c,d\n", {"input_format": "paths"}, "no column for the levels of a path among"),
    "no sample": ("l1,l2\na,b\n", {"input_format": "paths"}, "no column for the sample among 'l1', 'l2'"),
    "a level that is not there": (LEVELS, {"input_format": "paths", "concept_column": ["l1", "l4"]}, "no column 'l4'"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_PATHS)
def test_what_is_no_path_is_refused(case: str, write: Any) -> None:
    text, options, words = WRONG_PATHS[case]
    with pytest.raises(InputError, match=words):
        oe.read_labels(write(text), **options)


def test_paths_in_memory_and_scores_are_refused_by_name(write: Any) -> None:
    with pytest.raises(InputError, match=r"the path \['UNK', 'a'\] of row 1 has a label below padding"):
        oe.LabelSets.from_paths([["a", "b"], ["UNK", "a"]])
    with pytest.raises(InputError, match="'ab' stands where a path belongs"):
        oe.LabelSets.from_paths(["ab"])
    with pytest.raises(InputError, match="labels, not scores"):
        read_score_file(write(LEVELS), reading=filled(LabelReading, {"input_format": "paths"}))


def test_keys_of_records_are_named_as_columns_are(write: Any) -> None:
    records = [{"doc": "1", "doc_id": "x", "doc_label": ["a", "b"], "p": [0.9, 0.1]}, {"doc": "2", "doc_id": "y", "doc_label": [], "p": []}]  # fmt: skip
    for path in (write(records), write("".join(f"{json.dumps(one)}\n" for one in records), "lines")):
        with pytest.raises(InputError, match=r"several keys for the sample: .* Or name the keys"):
            oe.read_labels(path)
        named: Any = {"sample_column": "doc_id", "concept_column": "doc_label"}
        assert sets_of(oe.read_labels(path, **named)) == {"x": ("a", "b"), "y": ()}
        cut = oe.read_labels(path, **named, value_column="p", threshold=0.5)
        assert sets_of(cut) == {"x": ("a",), "y": ()}
        with pytest.raises(InputError, match=r"no column 'doc_idd' \(near: 'doc_id'"):
            oe.read_labels(path, sample_column="doc_idd")
    contents: list[Any] = [{"p1": ["a"]}, {"images": [], "annotations": [], "categories": []}]
    for content in contents:
        with pytest.raises(InputError, match="keys are named, but this JSON holds no records"):
            oe.read_labels(write(content), concept_column="labels")


def test_records_that_nothing_may_name_are_numbered(write: Any) -> None:
    texts = [{"text": "x", "label": ["a", "b"]}, {"text": "y", "label": ["a"]}]
    tokens = [{"doc_label": ["a", "b"], "doc_token": ["x"]}, {"doc_label": ["a"], "doc_token": ["y"]}]
    for records, options in ((texts, {}), (tokens, {"concept_column": "doc_label"})):
        for path in (write(records), write("".join(f"{json.dumps(one)}\n" for one in records), "lines")):
            file = read_label_file(path, reading=filled(LabelReading, options))
            assert sets_of(file.sets) == {"0": ("a", "b"), "1": ("a",)}
            assert "samples numbered" in str(file.format)


OWN_KEYS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "labels by title": ([{"sku": "p", "size": {"w": 0.3}, "categories": ["a", "b"]}, {"sku": "q", "size": {"w": 0.4}, "categories": ["a"]}], {}),
    "labels by the only list": ([{"sku": "p", "codes": ["a", "b"]}, {"sku": "q", "codes": ["a"]}], {}),
    "scores by title": ([{"sku": "p", "scores": {"a": 7, "b": 5}}, {"sku": "q", "scores": {"a": 6, "b": -2}}], {"threshold": 4}),
    "scores by the only object of such": ([{"sku": "p", "size": {"w": 3}, "probs": {"a": 0.7, "b": 0.5}}, {"sku": "q", "size": {"w": 3}, "probs": {"a": 0.6, "b": 0.2}}], {"threshold": 0.4}),
    "answers": ([{"sku": "p", "top": [{"tag": "a"}, {"tag": "b"}]}, {"sku": "q", "top": [{"tag": "a"}]}], {}),
    "a named sample": ([{"sku": "p", "shop": "x", "codes": ["a", "b"]}, {"sku": "q", "shop": "z", "codes": ["a"]}], {"sample_column": "sku"}),
}  # fmt: skip


@pytest.mark.parametrize("case", OWN_KEYS)
def test_keys_of_records_are_found_by_what_they_hold(case: str, write: Any) -> None:
    records, options = OWN_KEYS[case]
    lines = "".join(f"{json.dumps(one)}\n" for one in records)
    sources: list[Any] = [write(records), write(lines, "lines"), records]
    for source in sources:
        file = read_label_file(source, reading=filled(LabelReading, options))
        assert sets_of(file.sets) == {"p": ("a", "b"), "q": ("a",)}
        assert "sample 'sku'" in str(file.format)
    for held in ({"size": {"w": 3}}, {"x": ["a"], "y": ["b"]}, {"x": {"a": 1}, "y": {"a": 1}}):
        with pytest.raises(InputError, match="no key for the sample among 'sku'"):
            oe.read_labels(write([{"sku": "p", **held}, {"sku": "q", **held}]))


ATTRIBUTES = (
    "@attribute a {0,1}\n@attribute 'b c' {0, 1}\n@attribute f numeric\n@attribute g {x,'y,z'}\n@data\n"
)
XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels"><label name="a"><label name="b c"/></label><label name="d"/></labels>"""


def test_attributes_of_meka_and_mulan_are_labels_in_whole_and_sparse_rows(write: Any) -> None:
    wanted = {"0": ("a",), "1": ("b c",), "2": (), "3": ("a", "b c")}
    whole = write(
        f"@relation 'x: -C 2 -split-number 2'\n{ATTRIBUTES}1,0,.5,x\n0,1,0,'y,z'\n0,0,0,x\n1,1,0,x\n"
    )
    sparse = write(
        f"@relation 'x:-C 2'\n{ATTRIBUTES}{{0 1, 2 .5}}\n{{1 1,3 'y,z'}}\n{{}}\n{{0 1,1 1}}\n", "sparse"
    )
    for path in (whole, sparse):
        assert sets_of(oe.read_labels(path)) == wanted
    file = read_label_file(whole)
    assert str(file.format) == "ARFF with 0 and 1 for each label (2; not used: 'f', 'g')"
    last = write("@relation 'x: -C -1'\n@attribute id string\n@attribute f numeric\n@attribute a {1,0}\n@data\n{0 p, 1 2}\n{0 q,2 0}\n")  # fmt: skip
    assert sets_of(oe.read_labels(last)) == {"p": ("a",), "q": ()}  # what is left out is the first value
    mulan = write(f"@relation flags\n{ATTRIBUTES}1,0,.5,x\n", "mulan")
    labels = write(XML, "labels.xml")
    assert sets_of(oe.read_labels(mulan, labels)) == {"0": ("a",)}
    assert oe.read_labels(mulan, concepts=["a", "b c"]).vocabulary.concepts == ("a", "b c")
    assert sorted(oe.read_ontology(labels).graph.edges) == [("a", "b c")]


WRONG_ARFF = {
    "no labels": ("@relation flags\n", "1,0,0,x", r"no hierarchical attributes .*'x: -C 3'.*--concepts"),
    "labels that are no 0 and 1": ("@relation 'x: -C 3'\n", "1,0,0,x", "'-C 3' counts the labels, but 2 of 4 attributes are {0,1}"),
    "too many": ("@relation 'x: -C -9'\n", "1,0,0,x", "'-C -9' counts the labels, but "),
    "another value": ("@relation 'x: -C 2'\n", "2,0,0,x", "row 7: 'a' is '2', neither 0 nor 1"),
    "no value": ("@relation 'x: -C 2'\n", "1,?,0,x", "row 7: column 'b c' holds a null, neither 0 nor 1.*negative 0"),
    "a number too large": ("@relation 'x: -C 2'\n", "{0 1,9 2}", "row 7: this sparse row is not understood"),
    "a number twice": ("@relation 'x: -C 2'\n", "{0 1,0 1}", "row 7: this sparse row is not understood"),
    "no pair": ("@relation 'x: -C 2'\n", "{0 1, x}", "row 7: this sparse row is not understood"),
    "a row without an end": ("@relation 'x: -C 2'\n", "{0 1, 1 1", "row 7: this sparse row is not understood"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_ARFF)
def test_what_is_no_arff_is_refused(case: str, write: Any) -> None:
    head, row, words = WRONG_ARFF[case]
    with pytest.raises(InputError, match=words):
        oe.read_labels(write(f"{head}{ATTRIBUTES}{row}\n"))


@pytest.mark.parametrize("change", ['<label name=""/>', "<label/>", '<x name="y"/>'])
def test_what_is_no_label_of_mulan_is_refused(change: str, write: Any) -> None:
    with pytest.raises(InputError, match=r"row 2: the element '(label|x)' is no label with a name"):
        oe.read_ontology(write(XML.replace('<label name="d"/>', change), "labels.xml"))
