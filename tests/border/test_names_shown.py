"""What people read for a concept in every kind of output, and what programs read beside it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import ParameterError

OBO = """format-version: 1.2

[Term]
id: T:1
name: cell

[Term]
id: T:2
name: nucleus
is_a: T:1

[Term]
id: T:3
name: membrane
is_a: T:1

[Term]
id: T:4
name: membrane
is_a: T:2
"""

MEMBRANES = {"membrane (T:3)", "membrane (T:4)"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels that are opaque identifiers, and their ontology."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("cells.obo").write_text(OBO)
    Path("truth.csv").write_text("sample,label\np1,T:3\np2,T:4\np3,T:2\n")
    Path("run.csv").write_text("sample,label\np1,T:4\np2,T:4\np3,T:2\n")
    Path("said.csv").write_text("sample,annotator,label\np1,A,T:3\np1,B,T:4\np2,A,T:2\np2,B,T:2\n")


def read(name: str) -> csv.DictReader[str]:
    return csv.DictReader(Path(name).read_text().splitlines())


def told(*arguments: str) -> str:
    """Everything that a command prints."""
    done = CliRunner().invoke(app, [*arguments, "--ontology", "cells.obo"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def matrix_and_batch() -> tuple[oe.confusion.ConfusionMatrix, Any]:
    ontology = oe.read_ontology("cells.obo")
    truth, run = (oe.read_labels(name, ontology) for name in ("truth.csv", "run.csv"))
    batch = oe.align(truth, run, hierarchy=ontology.hierarchy())
    return oe.confusion_matrix(truth, run, hierarchy=ontology.hierarchy()), batch


# The rule ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edges", "shown"),
    [
        (["Sky>Sky.Clouds", "Sky>Sky.Stars"], ["Sky", "Clouds", "Stars"]),
        (["C/C1>C/C1/C15"], ["C/C1", "C/C1/C15"]),  # C/C1 is below no concept: perhaps no path
        (["CC>CC/C1", "CC/C1>CC/C1/C15"], ["CC", "C1", "C15"]),
        (["AA>AA.Other", "BB>BB.Other"], ["AA", "AA.Other", "BB", "BB.Other"]),
        (["AA>AA.Bb", "AA.Bb>AA.Bb.Cc", "DD>DD.Cc"], ["AA", "Bb", "Bb.Cc", "DD", "DD.Cc"]),
        (["bacteria>e.coli", "bacteria>e.albertii"], ["bacteria", "e.coli", "e.albertii"]),
        (["1>1.2", "1.2>1.2.7"], ["1", "1.2", "1.2.7"]),  # codes
    ],
)
def test_of_names_that_are_paths_the_last_parts_are_shown(edges: list[str], shown: list[str]) -> None:
    hierarchy = oe.Hierarchy.from_edges([(edge.partition(">")[0], edge.partition(">")[2]) for edge in edges])
    assert list(hierarchy.vocabulary.shown()) == shown
    assert list(hierarchy.vocabulary.shown("id")) == list(hierarchy.vocabulary)


def test_a_label_is_shown_with_the_identifier_where_two_concepts_have_it() -> None:
    vocabulary = oe.read_ontology("cells.obo").hierarchy().vocabulary
    assert set(vocabulary.shown()) == {"cell", "nucleus", *MEMBRANES}
    assert vocabulary.shown("both")[0] == f"cell ({vocabulary[0]})"
    assert len(set(vocabulary.shown())) == len(vocabulary)


# Outputs ----------------------------------------------------------------------------------------------------


def test_a_terminal_shows_labels_identifiers_or_both() -> None:
    call = ("confusion", "truth.csv", "run.csv")
    assert "nucleus" in told(*call)
    assert not re.search(r"T.2\b", told(*call))
    assert "nucleus" not in told(*call, "--show", "id")
    assert re.search(r"nucleus\s+\(T.2\)", told(*call, "--show", "both"))
    assert "membrane (T:3)" in told("explain", "truth.csv", "run.csv", "p1")
    assert "nucleus" in told("agreement", "said.csv", "--resamples", "5")


def test_files_for_programs_have_names_and_beside_them_labels() -> None:
    name = oe.read_ontology("cells.obo").resolve("nucleus")
    told("score", "truth.csv", "run.csv", "--per-concept", "counts.csv")
    rows = {row["concept"]: row for row in read("counts.csv")}
    assert rows[name]["label"] == "nucleus"
    told("score", "truth.csv", "run.csv", "--per-concept", "counts.csv", "--show", "id")
    assert "label" not in Path("counts.csv").read_text().splitlines()[0]
    found = json.loads(told("confusion", "truth.csv", "run.csv", "--format", "json"))
    assert found["row_labels"][found["rows"].index(name)] == "nucleus"
    explained = json.loads(told("explain", "truth.csv", "run.csv", "p3", "--format", "json"))["rows"]
    assert (explained[0]["concept"], explained[0]["concept label"]) == (name, "nucleus")
    latex = told("confusion", "truth.csv", "run.csv", "--format", "latex")
    assert "nucleus" in latex
    assert name not in latex


def test_where_no_label_differs_files_have_no_column_of_labels() -> None:
    Path("plain.csv").write_text("parent,child\nsky,clouds\nsky,sun\n")
    for name in ("truth.csv", "run.csv"):
        Path(name).write_text("sample,label\np1,clouds\np2,sun\n")
    call = ["score", "truth.csv", "run.csv", "--ontology", "plain.csv", "--per-concept", "counts.csv"]
    assert CliRunner().invoke(app, call).exit_code == 0
    assert Path("counts.csv").read_text().startswith("run,concept,support")


def test_results_keep_names_as_keys_and_frames_have_both() -> None:
    pytest.importorskip("pandas")
    matrix, batch = matrix_and_batch()
    name = oe.read_ontology("cells.obo").resolve("nucleus")
    assert name in matrix.rows
    result = oe.evaluate(
        batch.truth, batch.prediction, hierarchy=batch.hierarchy, measures=["F(average='macro')"]
    )
    assert name in result.per_concept("F(average='macro')")
    assert name in matrix.to_frame().index
    frame = matrix.to_long()
    assert set(frame["true label"]) <= {"nucleus", *MEMBRANES}
    assert name in set(frame["true"])
    comparison = oe.compare(
        batch.truth, {"run": batch.prediction}, measures=["F(average='macro')"], resamples=5
    )
    comparison.write_long("long.csv")
    long = {row["concept"]: row["label"] for row in read("long.csv")}
    assert long[name] == "nucleus"


def test_pages_notebooks_and_figures_show_labels() -> None:
    for package in ("jinja2", "matplotlib"):
        pytest.importorskip(package)
    matrix, batch = matrix_and_batch()
    name = oe.read_ontology("cells.obo").resolve("nucleus")
    for page in (matrix._repr_html_(), batch.hierarchy._repr_html_()):
        assert "nucleus" in page
    assert name not in matrix._repr_html_()
    given = {"hierarchy": batch.hierarchy, "measures": ["OS"], "resamples": 5}
    comparison = oe.compare(batch.truth, {"run": batch.prediction}, **given)
    page = comparison.report()
    assert "membrane (T:3)" in page
    assert f'"{name}"' not in page
    for ax in (matrix.plot(), oe.figures.confusion(comparison)):
        assert "nucleus" in [tick.get_text() for tick in ax.get_yticklabels()]
    assert "nucleus" in {text.get_text() for text in oe.figures.icicle(batch.hierarchy).texts}
    assert name in {text.get_text() for text in oe.figures.icicle(batch.hierarchy, show="id").texts}


def test_python_shows_concepts_by_name_where_asked() -> None:
    _, batch = matrix_and_batch()
    name = oe.read_ontology("cells.obo").resolve("nucleus")
    by_name = oe.explain(batch.truth, batch.prediction, "p3", hierarchy=batch.hierarchy.showing("id"))
    by_label = oe.explain(batch.truth, batch.prediction, "p3", hierarchy=batch.hierarchy)
    assert (f" {name}:" in str(by_name), " nucleus:" in str(by_label)) == (True, True)
    said = oe.Annotations.from_sets({"A": batch.truth, "B": batch.prediction})
    found = oe.agreement(said, hierarchy=batch.hierarchy, resamples=5)
    assert [oe.reports.tables(found, show=show)["concepts"].text(row)[0] for show in ("id", "both", None)
            for row in oe.reports.tables(found, show=show)["concepts"].rows if row[0] == name] == [
        name, f"nucleus ({name})", "nucleus"]  # fmt: skip
    with pytest.raises(ParameterError, match="show"):
        batch.hierarchy.showing("labels")


def test_audits_and_errors_show_labels() -> None:
    Path("truth.csv").write_text("sample,label\np1,T:4\np1,T:2\np2,nucleous\n")
    page = CliRunner().invoke(app, ["audit", "truth.csv", "--ontology", "cells.obo"]).output
    assert "nucleus" in page
    done = CliRunner().invoke(app, ["score", "truth.csv", "run.csv", "--ontology", "cells.obo"])
    assert "(near: 'nucleus')" in str(done.exception)


def test_notes_on_broken_rules_name_concepts_as_people_do(tmp_path: Path) -> None:
    terms = ("X:1\nname: all", "X:2\nname: sky\nis_a: X:1\ndisjoint_from: X:3", "X:3\nname: sea\nis_a: X:1")
    path = tmp_path / "x.obo"
    path.write_text("format-version: 1.2\n" + "".join(f"\n[Term]\nid: {term}\n" for term in terms))
    both = [["sky", "sea"]] * 3
    assert "'sky excludes sea' in 3 of 3" in oe.evaluate(both, both, hierarchy=path).cautions[0]
