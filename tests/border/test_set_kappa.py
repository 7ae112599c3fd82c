"""Kappa of whole label sets: annotations and a hierarchy in, a coefficient beside Cohen's kappa out."""

from __future__ import annotations

import csv
import json
from math import isnan, log
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import UnknownConceptError
from tests.commands import call
from tests.pages import tables_of

SETS = {"Ann": [["a"], ["b"], ["a"], ["c"]], "Bob": [["a"], ["b"], ["b"], ["c"]]}
LINKS = oe.Hierarchy.from_edges([("x", "a"), ("x", "b")], concepts=["x", "a", "b", "c"], abstract=["x"])

FLAT = (3 - 5 / 4) / (4 - 5 / 4)
"""Three of four labels are shared; by chance (2 · 1 + 1 · 2 + 1 · 1) / 4."""

SIBLINGS = 1 - log(2) / log(3)
"""Bits that a and b share: two of three labels are below x."""

OVER = (3 + SIBLINGS - (chance := (9 * SIBLINGS + 4 * (1 - SIBLINGS) + 1) / 4)) / (4 - chance)


def test_a_sibling_counts_in_part() -> None:
    for hierarchy, expected in ((None, FLAT), (LINKS, OVER)):
        found = oe.agreement(oe.Annotations.from_sets(SETS), hierarchy=hierarchy, resamples=50)
        (pair,) = found.pairs
        assert pair.sets == 4
        assert pair.set_kappa == pytest.approx(expected)
        assert pair.low <= pair.set_kappa <= pair.high
        assert float(found.set_kappa.mean.value) == pytest.approx(expected)
        # With one other, the majority of the rest is that other.
        assert [one.set_kappa for one in found.annotators] == pytest.approx([expected, expected])
        rows = {name: table.rows for name, table in found.tables().items()}
        assert rows["sets"][-1][0] == "set κ, mean over pairs"
        assert rows["sets"][-1][1] == pytest.approx(expected)
        at = [column.title for column in found.tables()["annotators"].columns].index("set κ")
        assert rows["annotators"][0][at] == pytest.approx(expected)
        assert rows["pairs"][0][6] == pytest.approx(expected)


def test_a_weight_of_the_hierarchy_and_labels_that_others_imply_change_nothing() -> None:
    plain = oe.Hierarchy.from_edges([("x", "a"), ("x", "b")], concepts=["x", "a", "b", "c"])
    weighed = plain.with_weight("agreement", {"a": 0.5, "b": 0.1, "c": 1.0, "x": 1.0})
    closed = SETS | {"Bob": [["a", "x"], ["b", "x"], ["b", "x"], ["c"]]}
    cases = ((plain, SETS), (weighed, SETS), (plain, closed))
    kappas = [oe.agreement(said, hierarchy=links, resamples=5).pairs[0].set_kappa for links, said in cases]
    assert kappas == pytest.approx([kappas[0]] * 3)


def test_files_with_gaps_give_pairs_in_json_csv_and_on_the_page(tmp_path: Path) -> None:
    path, pairs, page = (tmp_path / name for name in ("said.csv", "pairs.csv", "page.html"))
    rows = "".join(
        f"p{n},{who},{','.join(str(int(label in labels)) for label in 'abc')}\n"
        for who, sets in SETS.items()
        for n, labels in enumerate(sets)
    )
    path.write_text(f"sample,annotator,a,b,c\n{rows}p4,Ann,1,,0\np4,Bob,0,1,0\n", encoding="utf-8")
    done = call("agreement", path, "--resamples", 20, "--pairs", pairs, "--report", page, "--format", "json")
    tables = {table["title"]: table["rows"] for table in json.loads(done.stdout)["tables"]}
    (row,) = tables["Pairs of annotators"]
    assert (row["samples"], row["sets"], row["set κ"]) == (5, 4, pytest.approx(FLAT))
    with pairs.open(encoding="utf-8", newline="") as file:
        (written,) = csv.DictReader(file)
    assert float(written["set κ"]) == pytest.approx(FLAT)
    assert float(written["low"]) == pytest.approx(row["low"])
    shown = page.read_text(encoding="utf-8")
    assert tables_of(shown)["Pairs of annotators"]["set κ"] == pytest.approx([FLAT], rel=1e-5)
    text = call("agreement", path, "--resamples", 20).stdout
    assert "Pairs of annotators" in text
    assert f"{FLAT:.3f} [" in text


def test_where_no_two_sheets_are_whole_or_all_are_alike_it_is_undefined() -> None:
    alike = oe.agreement({"Ann": [["a"], ["a"]], "Bob": [["a"], ["a"]]}, hierarchy=LINKS, resamples=5)
    assert isnan(alike.pairs[0].set_kappa)
    assert isnan(float(alike.set_kappa.mean.value))


def test_labels_that_the_hierarchy_lacks_are_named() -> None:
    with pytest.raises(UnknownConceptError, match="'sky'"):
        oe.agreement({"Ann": [["sky"]], "Bob": [["a"]]}, hierarchy=LINKS, sets=["exact"], resamples=5)
