"""Parquet files say what the same tables as text say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MissingExtraError, UnknownConceptError
from ontoeval.labels.parquet import values_in

SETS = {"p1": ("sea", "sky"), "p2": (), "p3": ("sea",)}


@pytest.fixture
def pa() -> Any:
    return pytest.importorskip("pyarrow")


def written(folder: Path, columns: Any, **options: Any) -> Path:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = folder / "truth.parquet"
    parquet.write_table(
        columns if isinstance(columns, arrow.Table) else arrow.table(columns), path, **options
    )
    return path


def as_sets(path: Path, **options: Any) -> dict[str, tuple[str, ...]]:
    sets = oe.read_labels(path, **options)
    return {sample: sets.labels_of(sample) for sample in sets.samples}


LONG: dict[str, list[Any]] = {"sample": ["p1", "p1", "p2", "p3"], "concept": ["sky", "sea", None, "sea"]}
LISTS: dict[str, list[Any]] = {"id": ["p1", "p2", "p3"], "labels": [["sky", "sea"], None, ["sea"]]}


@pytest.mark.parametrize(
    ("columns", "description"),
    [
        (LONG, "long Parquet (columns 'sample', 'concept')"),
        (LISTS, "wide Parquet (columns 'id', 'labels')"),
        (
            {"split": ["a", "b", "c"], **LISTS, "text": ["x", "y", "z"]},
            "wide Parquet (columns 'split', 'id', 'labels', 'text'; not used: 'split', 'text')",
        ),
        (
            {"id": ["p1", "p2", "p3"], "labels": ["sky;sea", "", "sea"]},
            "wide Parquet (columns 'id', 'labels'",
        ),
        ({"id": ["p1", "p2", "p3"], "sea": [1, 0, 1], "sky": [1, 0, 0]}, "Parquet with a column for each"),
        ({"id": ["p1", "p2", "p3"], "sea": [True, False, True], "sky": [1.0, 0.0, 0.0]}, "Parquet with a"),
        ({"id": [" p1", "p1 ", "p2", "p3"], "label": ["sky ", "sea", " ", "sea"]}, "long Parquet"),
    ],
)
def test_every_shape_says_the_same(tmp_path: Path, columns: dict[str, list[Any]], description: str) -> None:
    path = written(tmp_path, columns)
    assert str(oe.labels.read_label_file(path).format).startswith(description)
    assert as_sets(path) == SETS


def test_columns_may_be_numbered_by_a_dictionary_in_any_order(tmp_path: Path, pa: Any) -> None:
    sample = pa.DictionaryArray.from_arrays([2, 2, 0, 1], ["p2", "p3", "p1", "unused"])
    concept = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0]), ["sea", "sky", "unused"])
    path = written(tmp_path, pa.table({"sample": sample, "concept": concept}))
    assert as_sets(path) == SETS
    assert oe.read_labels(path).samples == ("p1", "p2", "p3")
    assert oe.read_labels(path).vocabulary.concepts == ("sea", "sky")


def test_lists_may_all_be_empty(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": ["p1", "p2"], "labels": [[], None]})
    assert as_sets(path) == {"p1": (), "p2": ()}


@pytest.mark.parametrize("kind", ["list", "large_list", "fixed_size_list", "dictionary", "large_string"])
def test_lists_of_every_kind_are_read(tmp_path: Path, pa: Any, kind: str) -> None:
    types = {
        "list": pa.list_(pa.string()),
        "large_list": pa.large_list(pa.string()),
        "fixed_size_list": pa.list_(pa.string(), 2),
        "dictionary": pa.list_(pa.dictionary(pa.int32(), pa.string())),
        "large_string": pa.list_(pa.large_string()),
    }
    lists = pa.array([["sky", "sea"], [None, None], ["sea", "sea"]]).cast(types[kind])
    path = written(tmp_path, pa.table({"id": [1, 2, 3], "tags": lists}))
    file = oe.labels.read_label_file(path)
    assert [file.sets.labels_of(name) for name in file.sets.samples] == [("sea", "sky"), (), ("sea",)]
    assert file.sets.samples == ("1", "2", "3")
    assert file.repeated == 1
    assert any("2 nulls among the labels" in note for note in file.notes)
    wrong = pa.array([["sky", "sea"], [" ", "sea"], ["sea", "sea"]]).cast(types[kind])
    with pytest.raises(InputError, match=r"row 2: a label has an empty name"):
        oe.labels.read_label_file(written(tmp_path, pa.table({"id": [1, 2, 3], "tags": wrong})))


def test_row_groups_and_pages_are_no_borders(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    samples = np.sort(rng.integers(0, 300, 2_000))
    columns = {
        "sample": [f"p{number}" for number in samples],
        "concept": [f"c{number}" for number in rng.integers(0, 50, 2_000)],
    }
    path = written(tmp_path, columns, row_group_size=77, data_page_size=64, dictionary_pagesize_limit=128)
    text = tmp_path / "truth.csv"
    rows = zip(columns["sample"], columns["concept"], strict=True)
    text.write_text("sample,concept\n" + "".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")
    from_parquet, from_text = oe.labels.read_label_file(path), oe.labels.read_label_file(text)
    assert from_parquet.sets.samples == from_text.sets.samples
    assert from_parquet.sets.vocabulary == from_text.sets.vocabulary
    assert from_parquet.sets.matrix.toarray().tolist() == from_text.sets.matrix.toarray().tolist()
    assert from_parquet.repeated == from_text.repeated


def test_lists_of_numbered_texts_may_lie_in_several_row_groups(tmp_path: Path, pa: Any) -> None:
    lists = pa.array([["sky", "sea"], None, ["sea"]]).cast(pa.list_(pa.dictionary(pa.int32(), pa.string())))
    assert as_sets(written(tmp_path, pa.table({"id": list(SETS), "labels": lists}), row_group_size=1)) == SETS


@pytest.mark.parametrize(
    "columns",
    [
        {"sample": ["p1", "p1", "p2"], "concept": ["sky", "sea", None], "score": [0.9, 0.0, None]},
        {"id": ["p1", "p2"], "labels": [["sky", "sea"], []], "scores": [[0.9, 0.0], []]},
        {"id": ["p1", "p2"], "labels": ["sky;sea", ""], "scores": ["0.9;0", ""]},
    ],
)
def test_scores_stand_beside_labels(tmp_path: Path, columns: dict[str, list[Any]]) -> None:
    path = written(tmp_path, columns)
    scores = oe.read_scores(path)
    assert (scores.samples, scores.vocabulary.concepts) == (("p1", "p2"), ("sea", "sky"))
    assert scores.matrix.toarray().tolist() == [[0, 0.9], [0, 0]]
    assert scores.matrix.nnz == 1  # a score of 0 is no score
    with pytest.raises(InputError, match="scores, not labels"):
        oe.read_labels(path)


def test_a_column_of_scores_for_each_concept_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": ["p1"], "sky": [0.5], "sea": [0.0]})
    assert oe.read_scores(path).matrix.toarray().tolist() == [[0.5, 0.0]]
    with pytest.raises(InputError, match=r"row 1: column 'sky' holds 0\.5, neither 0 nor 1"):
        oe.read_labels(path)


def test_unknown_labels_are_named_with_their_row(tmp_path: Path) -> None:
    for columns, row in ((LONG, 2), (LISTS, 1)):
        with pytest.raises(UnknownConceptError, match=f"'sea' in row {row}"):
            oe.read_labels(written(tmp_path, columns), concepts=["sky"])


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, LONG)
    content = path.read_bytes()
    for broken in (content[:-8], content[:4], content[:4] + b"\0" * 40 + content[44:], b"PAR1PAR1"):
        path.write_bytes(broken)
        with pytest.raises(InputError, match="this Parquet file cannot be read"):
            oe.read_labels(path)


def test_two_columns_of_one_name_are_refused(tmp_path: Path, pa: Any) -> None:
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["label", "label"])
    with pytest.raises(InputError, match="two columns have one name"):
        oe.labels.recognise(written(tmp_path, table))


def test_a_file_that_holds_far_more_than_it_is_large_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"sample": ["p"] * 500_000, "concept": ["c"] * 500_000})
    assert as_sets(path) == {"p": ("c",)}
    with pytest.raises(InputError, match="bytes declares 1,000,000 values"):
        oe.read_labels(path, max_bytes=2**20)


def test_parquet_needs_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "truth.parquet"
    path.write_bytes(b"PAR1")
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(MissingExtraError, match=r"Reading Parquet needs pyarrow.*\[arrow\]"):
        oe.read_labels(path)


@pytest.mark.no_cover
def test_footers_say_what_pyarrow_finds_in_them(tmp_path: Path, pa: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    names = [f"column {number}" for number in range(40)]
    columns = {name: [[1, 2], None, [3]] for name in names} | {"text": ["a", None, "c"]}
    table = pa.table(columns).replace_schema_metadata({"made": "by hand"})
    path = written(tmp_path, table, row_group_size=2, write_page_index=True)
    content, meta = path.read_bytes(), parquet.read_metadata(path)
    footer = content[-8 - int.from_bytes(content[-8:-4], "little") : -8]
    for chosen in ({"text"}, {"text", "column 7"}, set(names), set()):
        expected = sum(
            meta.row_group(group).column(leaf).num_values
            for group in range(meta.num_row_groups)
            for leaf in range(meta.num_columns)
            if meta.schema.column(leaf).path.split(".")[0] in chosen
        )
        assert values_in(footer, chosen) == expected
    for end in range(0, len(footer) - 1, 97):
        with pytest.raises(ValueError, match="footer is broken"):
            values_in(footer[:end], {"text"})


@pytest.mark.parametrize(
    "footer",
    [
        b"\x00",
        b"\x4f",
        b"\x1c" * 100,
        b"\x49\x1c\x05",
        b"\x1b\x01\x33\x01\x02\x00",
        b"\x17" + b"\0" * 8 + b"\x00",
    ],
)
def test_a_broken_footer_is_refused(footer: bytes) -> None:
    with pytest.raises(ValueError, match="its footer is broken"):
        values_in(footer, {"a"})


def test_lists_of_numbers_are_labels_and_no_values_for_each_concept(pa: Any, tmp_path: Path) -> None:
    numbers = pa.array([[27, 3], []], pa.list_(pa.int64()))
    sets = oe.read_labels(written(tmp_path, {"id": ["p1", "p2"], "labels": numbers}))
    assert [sets.labels_of(sample) for sample in sets.samples] == [("27", "3"), ()]
    with pytest.raises(InputError, match=r"every list holds 2 values from 0 to 1"):
        oe.read_labels(written(tmp_path, {"id": ["p1", "p2"], "labels": [[1, 0], [0, 0]]}))
    with pytest.raises(InputError, match=r"truth\.parquet: a column of double"):
        oe.read_labels(written(tmp_path, {"id": ["p1"], "labels": [[0.5, 0.1]]}))


@pytest.mark.parametrize(
    "columns",
    [
        {"id": ["p1", "p1", "p2"], "labels": ["sky", "sky;sea", "sea"]},
        {"id": ["p1", "p1", "p2"], "labels": [["sky"], ["sky", "sea"], ["sea"]]},
        {"id": ["p1", "p1", "p2"], "sky": [1, 1, 0], "sea": [0, 1, 1]},
    ],
)
def test_an_audit_goes_on_behind_a_repeated_sample(tmp_path: Path, columns: dict[str, list[Any]]) -> None:
    path = written(tmp_path, columns)
    with pytest.raises(InputError, match="row 2: sample 'p1' is there already in row 1"):
        oe.read_labels(path)
    findings = oe.audit_labels(path, oe.read_ontology(oe.ontologies.path("photo")))
    assert findings.of("conflicting-sample")[0].samples == ("p1",)


CLASSES = {"names": ["cat", "dog", "owl"], "_type": "ClassLabel"}


@pytest.mark.parametrize(
    ("feature", "values"),
    [
        ({"feature": CLASSES, "_type": "Sequence"}, [[0, 2], [1], None]),
        ({"feature": CLASSES, "_type": "List"}, [[0, 2], [1], []]),
        ([CLASSES], [[0, 2], [1], []]),
        (CLASSES, [0, 2, 1]),
    ],
)
def test_classes_of_hugging_face_are_read_by_their_names(
    feature: object, values: list[object], pa: Any, tmp_path: Path
) -> None:
    column = "labels" if isinstance(values[0], list) else "label"
    held = {"info": {"features": {"id": {"dtype": "string", "_type": "Value"}, column: feature}}}
    table = pa.table({"id": ["p1", "p2", "p3"], column: values})
    path = written(tmp_path, table.replace_schema_metadata({"huggingface": json.dumps(held)}))
    expected = [("cat", "owl"), ("dog",), ()] if column == "labels" else [("cat",), ("owl",), ("dog",)]
    sets = oe.read_labels(path)
    assert [sets.labels_of(sample) for sample in sets.samples] == expected


def test_a_class_that_the_metadata_do_not_name_is_refused_with_its_row(pa: Any, tmp_path: Path) -> None:
    held = {"info": {"features": {"labels": {"feature": CLASSES, "_type": "List"}}}}
    table = pa.table({"id": ["p1", "p2"], "labels": [[0], [-1]]})
    path = written(tmp_path, table.replace_schema_metadata({"huggingface": json.dumps(held)}))
    with pytest.raises(
        InputError, match=r"truth\.parquet, row 2: the class -1, but the metadata name .* 0 to 2"
    ):
        oe.read_labels(path)


def test_a_page_with_a_flipped_bit_is_refused_by_its_checksum(pa: Any, tmp_path: Path) -> None:
    table = pa.table({"id": ["p1", "p2"], "labels": [["catalogue"], ["dogma"]]})
    path = written(tmp_path, table, write_page_checksum=True, compression="none")
    path.write_bytes(path.read_bytes().replace(b"catalogue", b"catalogui", 1))
    with pytest.raises(InputError, match="could not verify page integrity"):
        oe.read_labels(path)


def test_a_folder_that_hugging_face_saved_has_the_names_of_its_classes(tmp_path: Path, pa: Any) -> None:
    """As `Dataset.save_to_disk` of datasets 5.2.0 writes it; media are structs of bytes and a path."""
    ipc = pytest.importorskip("pyarrow.ipc")
    features = {"labels": {"feature": {"names": ["cat", "dog"], "_type": "ClassLabel"}, "_type": "List"}}
    held = {"huggingface": json.dumps({"info": {"features": features}})}
    media = pa.struct({"bytes": pa.binary(), "path": pa.string()})
    for number, (path, labels) in enumerate({"p1.png": [1], "p2.png": [0, 1]}.items()):
        columns = {"image": pa.array([{"bytes": b"x", "path": path}], media), "labels": [labels]}
        table = pa.table(columns).replace_schema_metadata(held)
        with ipc.new_stream(tmp_path / f"data-{number:05}-of-00002.arrow", table.schema) as stream:
            stream.write_table(table)
    (tmp_path / "state.json").write_text("{}")
    assert as_sets(tmp_path) == {"p1.png": ("dog",), "p2.png": ("cat", "dog")}
    (tmp_path / "data-00000-of-00002.arrow").write_bytes(b"cut off")
    with pytest.raises(InputError, match="this data set cannot be read"):
        oe.read_labels(tmp_path)
    (tmp_path / "dataset_dict.json").write_text("{}")
    (tmp_path / "train").mkdir()
    with pytest.raises(InputError, match="holds several splits: 'train'"):
        oe.read_labels(tmp_path)


NAMED = json.dumps(
    {"info": {"features": {"labels": {"feature": {"names": ["Sky", "sky", "night", "nature"]}}}}}
)
RELABELLED: dict[str, tuple[str, Any, list[Any], list[Any]]] = {
    "lists": ("labels", "list(text)", [["Sky", "nature"], ["sky", None], [], None], [["sky", "nature"], ["sky", None, "nature"], [], None]),
    "dictionaries": ("labels", "list(codes)", [["Sky"], ["sky"], [], None], [["sky", "nature"], ["sky", "nature"], [], None]),
    "classes": ("labels", "list(number)", [[0], [1, 2], [], None], [[1, 3], [1, 2, 3], [], None]),
    "texts": ("labels", "text", ["Sky; nature", "sky; night", "", None], ["sky; nature", "sky; night; nature", "", None]),
    "one label": ("concept", "codes", ["Sky", "sky", " night", None], ["sky", "sky", " night", None]),
}  # fmt: skip


@pytest.mark.parametrize("case", RELABELLED)
def test_a_corrected_copy_differs_in_labels_alone(case: str, tmp_path: Path, pa: Any) -> None:
    title, kind, before, after = RELABELLED[case]
    types = {
        "list": pa.list_,
        "text": pa.string(),
        "codes": pa.dictionary(pa.int8(), pa.string()),
        "number": pa.int64(),
    }
    column = pa.array(before, eval(kind, types))  # noqa: S307 - a type of pyarrow
    box = pa.array([{"x": [1.5]}, None, {"x": []}, {"x": [2]}])
    titled = "id" if title == "labels" else "sample"
    table = pa.table({titled: ["p1", "p2", "p3", "p4"], title: column, "box": box})
    path = written(
        tmp_path, table.replace_schema_metadata({"huggingface": NAMED} if case == "classes" else {"a": "b"})
    )
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(parquet.read_table(path), path, row_group_size=2, compression="NONE")
    ontology = tmp_path / "nature.csv"
    ontology.write_text("child,parent\nsky,nature\nmoon,night\n", "utf-8")
    options: Any = {"sample_column": titled, "concept_column": title}
    options["convention"] = "mixed" if case == "one label" else "closed"
    correction = oe.correct_labels(path, ontology, **options)
    correction.write(tmp_path / "copy.parquet", tmp_path / "log.csv")
    old, new = (parquet.read_table(tmp_path / name) for name in ("truth.parquet", "copy.parquet"))
    groups = parquet.read_metadata(tmp_path / "copy.parquet")
    assert groups.num_row_groups == 2
    assert groups.row_group(0).column(0).compression == "UNCOMPRESSED"
    assert old.schema.equals(new.schema, check_metadata=True)
    assert old.drop_columns([title]).equals(new.drop_columns([title]))
    assert new[title].to_pylist() == after
    if case == "one label":
        with pytest.raises(InputError, match="rows of Parquet are neither added nor taken out"):
            oe.correct_labels(path, ontology, **{**options, "convention": "closed"}).write(
                tmp_path / "x.parquet", tmp_path / "x.csv"
            )
