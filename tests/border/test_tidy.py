"""The tidy long table holds every value once."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError

TITLES = ("run", "measure", "parameters", "concept", "sample", "value")
TRUTH = [["a", "b"], ["b"], []]
RUNS = {"good, 1": TRUTH, 'bad "2"': [["c"], ["b"], ["a"]]}
MEASURES = ["F(average='macro')", "Hamming", "OS(alpha=2)"]
COMPARISON = oe.compare(
    TRUTH,
    RUNS,
    hierarchy=oe.Hierarchy.from_edges([("top", name) for name in "abc"], abstract=["top"]),
    measures=MEASURES,
    resamples=20,
    baselines=(),
)


def test_there_is_a_row_for_each_run_concept_and_sample() -> None:
    columns = oe.reports.columns_of(COMPARISON.evaluations)
    rows = list(zip(*columns.values(), strict=True))
    assert tuple(columns) == TITLES
    assert len(rows) == 2 * (3 + 3 + 3 * 3)
    assert len({row[:-1] for row in rows}) == len(rows)
    values = {(run, measure, concept, sample): value for run, measure, _, concept, sample, value in rows}
    for run, evaluation in COMPARISON.evaluations.items():
        for measure, score in evaluation.scores.items():
            assert values[run, measure, None, None] == score
            for sample, one in zip(evaluation.samples, evaluation.per_sample(measure), strict=True):
                assert values[run, measure, None, sample] == pytest.approx(one, nan_ok=True)
        for concept, one in evaluation.per_concept(MEASURES[0]).items():
            assert values[run, MEASURES[0], concept, None] == pytest.approx(one, nan_ok=True)


def test_all_parameters_are_told() -> None:
    columns = oe.reports.columns_of(COMPARISON.evaluations)
    told = dict(zip(columns["measure"], columns["parameters"], strict=True))
    assert told["OS(alpha=2)"].startswith("alpha=2, cost='depth-weighted'")
    assert told["Hamming"] == ""


def test_csv_holds_the_same_and_leaves_undefined_values_empty(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    COMPARISON.write_long(path)
    with path.open(encoding="utf-8", newline="") as file:
        found = [list(row.values()) for row in csv.DictReader(file)]
    columns = oe.reports.columns_of(COMPARISON.evaluations)
    expected = [
        ["" if cell is None else cell for cell in row[:-1]] + ["" if math.isnan(row[-1]) else repr(row[-1])]
        for row in zip(*columns.values(), strict=True)
    ]
    assert found == expected
    assert any(row[-1] == "" for row in found)


def test_parquet_holds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = oe.reports.columns_of(COMPARISON.evaluations)
    for size, groups in ((1_000_000, 1), (10, 3), (1, 14)):  # all at once, a few at a time, each alone
        monkeypatch.setattr("ontoeval.reports.evaluation.ROW_GROUP", size)
        path = tmp_path / f"{size}.parquet"
        oe.reports.write_tidy(path, COMPARISON.evaluations)
        found = parquet.ParquetFile(path)
        assert found.num_row_groups == groups
        table = found.read().to_pydict()
        assert list(table) == list(TITLES)
        assert {title: cells for title, cells in table.items() if title != "value"} == {
            title: cells for title, cells in columns.items() if title != "value"
        }
        assert table["value"] == pytest.approx(columns["value"], nan_ok=True)


def test_a_frame_holds_the_same() -> None:
    pytest.importorskip("pandas")
    frame = COMPARISON.to_long()
    assert tuple(frame.columns) == TITLES
    assert len(frame) == len(oe.reports.columns_of(COMPARISON.evaluations)["run"])


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"long\.xlsx: the long table's format is unknown"):
        COMPARISON.write_long(tmp_path / "long.xlsx")
