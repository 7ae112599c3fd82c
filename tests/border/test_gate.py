"""Names that only look like several labels are read, and marks of absent labels are not overlooked."""

from __future__ import annotations

import json
from functools import partial
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
        *(
            line.split(", ")
            for line in """\
IL-2 (1), IL-6 (1), TNF (1), CD4 (1), p53, BRCA1
Fe(0), Fe(1), Fe(2), Cu(1), Cu(2), Mn(2)
python:3.8, python:3.9, node:0.12, node:14, redis:6, redis:7
grade 0.5, grade 1, grade 1.5, stage 0.5, stage 1, level 1
1:1, 1:2, 0:1, 1:0, 12:30, 0:30
ER=0, ER=1, ER=2, PR=0, PR=1, PR=2
ER:positive, ER:negative, PR:positive, PR:negative, HER2:positive, HER2:negative
T:0, T:1, T:2, N:0, N:1, M:0
GO:0008150, GO:0003674, MESH:0, MESH:1, DOID:4, DOID:14
NaCl (0.9%), NaCl (5%), milk (1.5%), milk (3.5%), ethanol (70%), ethanol (96%)
no finding, no_finding, finding, not sure, sure, mass
no tumor, tumor, no edema, edema, no mass, mass
smoker, non-smoker, diabetic, non-diabetic, obese, non-obese
1. Introduction, 2. Methods, 3. Results, 4. Discussion, 5. Funding, 6. Data
1. rib, 2. rib, 3. rib, 1. finger, 3. finger, 1. molar
glove, no_glove, goggles, no_goggles, helmet, no_helmet
left_turn, no_left_turn, right_turn, no_right_turn, u_turn, no_u_turn
toxic, not toxic, obscene, not obscene, hateful, not hateful
sex:0, sex:1, smoker:0, smoker:1, diabetic:0, diabetic:1
0:0, 0:1, 1:0, 1:1, 3:0, 3:1
cat, cat (1), dog, dog (1), owl, owl (1)
<div>, <span>, <p>, <table>, <a>, <b>""".split("\n")
        ),
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


def test_scores_beside_names_are_read_from_a_table_or_as_names_of_a_list(tmp_path: Path) -> None:
    scores = {"p1": {"dog": 0.9, "cat": 0.1, "owl": 0.8}, "p2": {"dog": 0.2, "cat": 0.7, "owl": 0.3}}
    cells = {sample: [f"{name}:{score}" for name, score in one.items()] for sample, one in scores.items()}
    column, table = tmp_path / "column.csv", tmp_path / "table.csv"
    column.write_text("id,labels\n" + "".join(f"{name},{';'.join(one)}\n" for name, one in cells.items()))
    rows = [f"{sample},{name},{score}\n" for sample, one in scores.items() for name, score in one.items()]
    table.write_text("sample,concept,score\n" + "".join(rows), encoding="utf-8")
    names = sorted({name for one in cells.values() for name in one})
    for wrong in (partial(oe.read_labels, column), partial(oe.evaluate, cells, cells)):
        with pytest.raises(InputError, match=r"6 labels with a score.* a table of sample, concept and score"):
            wrong()
    assert oe.read_labels(table, threshold=0.5).labels_of("p1") == ("dog", "owl")
    assert len(oe.read_labels(column, concepts=names).vocabulary) == 6
    assert oe.evaluate(cells, cells, classes=names, measures="F")["F"] == 1
