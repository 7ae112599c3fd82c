"""Names that only look like several labels are read, and marks of absent labels are not overlooked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError

pd = pytest.importorskip("pandas")


@pytest.mark.parametrize(
    "names",
    [
        ["left lung", "right lung", "left kidney", "right kidney", "left eye", "right eye"],
        ["(0, 10]", "(10, 20]", "(20, 30]", "[30, 40)", "<0", ">40"],
        ["c(RGDyK)", "c(RGDfV)", "c(RGDfC)", "c(MYC)", "c-Myc", "(R)-x"],
        ["-2", "-1", "0", "1", "2", "3"],
    ],
)
def test_names_that_look_like_lists_are_read(names: list[str]) -> None:
    truth = [[names[n], names[(n + 1) % 6]] for n in range(6)]
    run = [[names[n], names[(n + 2) % 6]] for n in range(6)]
    assert oe.evaluate(truth, run, measures="F")["F"] == pytest.approx(0.5)
    run = [[name] for name in names]
    assert oe.evaluate(run, run, measures="F")["F"] == 1


def test_a_key_that_marks_labels_as_absent_is_not_overlooked(tmp_path: Path) -> None:
    rows = [
        {"sample": sample, "concept": concept, "present": concept == "cat"}
        for sample in "ab"
        for concept in ("cat", "dog")
    ]
    records, table, columnar = (tmp_path / f"truth.{ending}" for ending in ("json", "csv", "parquet"))
    records.write_text(json.dumps(rows), encoding="utf-8")
    pd.DataFrame(rows).to_csv(table, index=False)
    pd.DataFrame(rows).to_parquet(columnar)
    for path in (records, table, columnar):
        with pytest.raises(InputError, match="'present' may mark labels as absent"):
            oe.read_labels(path, sample_column="sample", concept_column="concept")
    with pytest.raises(InputError, match="'present' may mark labels as absent"):
        oe.LabelSets.from_frame(pd.DataFrame(rows), sample="sample", concept="concept")


@pytest.mark.parametrize("titles", [("labels", "labels2"), ("class", "class.1"), ("tag", "tag_2")])
def test_a_second_column_of_labels_is_not_overlooked(tmp_path: Path, titles: tuple[str, str]) -> None:
    frame = pd.DataFrame([["a", "cat", "dog"], ["b", "owl", None]], columns=["id", *titles])
    frame.to_json(tmp_path / "truth.json", orient="records")
    frame.to_csv(tmp_path / "truth.csv", index=False)
    for path in (tmp_path / "truth.json", tmp_path / "truth.csv"):
        with pytest.raises(InputError, match=f"'{titles[0]}', '{titles[1]}' may all hold labels"):
            oe.read_labels(path)
    with pytest.raises(InputError, match="differ by a number only"):
        oe.LabelSets.from_frame(frame)


def test_the_sign_between_blanks_is_the_separator_that_is_advised(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("id,labels\n1,sky & sea\n2,sea & tree\n3,tree\n", encoding="utf-8")
    with pytest.raises(InputError, match="'&' if there are several"):
        oe.read_labels(path)
    assert set(oe.read_labels(path, separator="&").vocabulary) == {"sky", "sea", "tree"}
