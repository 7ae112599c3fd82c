"""What results show of themselves: one line of text, HTML in notebooks, data frames, and figures."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import Any, cast
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import habits

FOLDER = oe.ontologies.benchmark()


@pytest.fixture(scope="module")
def ontology() -> oe.Ontology:
    return oe.read_ontology(oe.ontologies.path("photo"))


@pytest.fixture(scope="module")
def shown(ontology: oe.Ontology) -> dict[str, Any]:
    """One result of each kind."""
    hierarchy = ontology.hierarchy()
    truth = oe.read_labels(FOLDER / "truth.csv", ontology)
    runs = {path.stem: oe.read_labels(path, ontology) for path in sorted(FOLDER.glob("runs/*.csv"))}
    run = runs["noisy"]
    few: dict[str, Any] = {"hierarchy": hierarchy, "measures": ["OS", "F"], "resamples": 20}
    scores = oe.LabelScores(run.matrix.astype(float), run.vocabulary, run.samples)
    said = oe.Annotations.from_sets({"Ann": [["a"], ["a", "b"]], "Bob": [["a"], ["a"]]})
    study = oe.study(truth, runs, changes=None, **few)
    found = oe.audit_labels(FOLDER / "truth.csv", ontology)
    return {
        "Evaluation": oe.evaluate(truth, run, hierarchy=hierarchy),
        "Comparison": study.comparison,
        "Study": study,
        "Behaviour": study.behaviour,
        "ConfusionMatrix": oe.confusion_matrix(truth, run, hierarchy=hierarchy),
        "ConfusionTensor": oe.confusion_tensor(truth, run, hierarchy=hierarchy),
        "ConceptCounts": oe.one_vs_rest(truth, run, hierarchy=hierarchy),
        "Explanation": oe.explain(truth, run, "photo-0001", hierarchy=hierarchy),
        "Findings": found,
        "AnnotatorAgreement": oe.agreement(said, resamples=20),
        "Ontology": ontology,
        "Hierarchy": hierarchy,
        "ScoreCurve": oe.curve(truth, scores, hierarchy=hierarchy),
        "Sweep": oe.sweep(truth, scores, measures="F", thresholds=[0.2, 0.5]),
        "TunedThresholds": oe.tune_thresholds([[1, 0], [0, 1]], [[0.9, 0.1], [0.2, 0.8]], folds=2),
        "Difference": oe.audit.difference(truth, run),
        "Migration": oe.audit.migrate(truth, ontology, ontology),
        "Table": study.comparison.table(),
    }


def test_a_text_is_one_short_line(shown: dict[str, Any], ontology: oe.Ontology) -> None:
    truth = oe.read_labels(FOLDER / "truth.csv", ontology)
    batch = oe.align(truth, truth, hierarchy=ontology.hierarchy())
    study, few = shown["Study"], oe.labels.ConceptValues({"a": 1.0})
    others = [truth, truth.vocabulary, batch, oe.collect(batch, ["F"]), next(iter(shown["Findings"])), few]
    others += [study.power, study.stability, study.winners, *study.agreements.values()]
    for one in (*shown.values(), *others):
        text = repr(one)
        assert text.startswith(f"{type(one).__name__}(")
        assert "\n" not in text
        assert len(text) < 150
    assert repr(truth) == "LabelSets(500 samples, 53 concepts)"
    assert repr(shown["Hierarchy"]) == "Hierarchy(68 concepts, 5 levels, 1 root)"
    assert repr(ontology) == "Ontology('photo.ttl': 68 concepts, 67 links)"
    assert repr(shown["Findings"]) == "Findings(12 errors, 1 note)"


def test_what_is_shown_by_a_line_is_still_compared_by_its_fields() -> None:
    finding = oe.audit.Finding("rare", "note", ("a",), 1, ("p1",))
    assert finding == oe.audit.Finding("rare", "note", ("a",), 1, ("p1",))
    assert finding != oe.audit.Finding("rare", "note", ("a",), 1, ("p2",))
    assert oe.Vocabulary(("a", "b")) != oe.Vocabulary(("b", "a"))


KINDS = (
    "Evaluation", "Comparison", "Study", "Behaviour", "ConfusionMatrix", "ConfusionTensor", "ConceptCounts",
    "Explanation", "Findings", "AnnotatorAgreement", "Ontology", "Hierarchy", "ScoreCurve", "Sweep",
    "TunedThresholds", "Table", "Difference", "Migration",
)  # fmt: skip


def parsed(result: Any) -> ET.Element:
    """Parse what a notebook shows; whatever is not closed or not escaped is an error."""
    html = result._repr_html_()
    assert "<script" not in html
    assert len(html) < 40_000
    return ET.fromstring(html)  # noqa: S314 - our own


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_every_result(shown: dict[str, Any], kind: str) -> None:
    page = parsed(shown[kind])
    assert page.find(".//details" if kind in {"Ontology", "Hierarchy"} else ".//table") is not None
    assert all(cell.text or len(cell) for cell in page.iter("th"))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_result_is_a_data_frame(shown: dict[str, Any], kind: str, backend: str) -> None:
    pytest.importorskip(backend)
    frame = shown[kind].to_frame(backend)
    assert type(frame).__module__.startswith(backend)
    assert frame.shape[0]


def test_a_frame_holds_numbers_in_full(shown: dict[str, Any]) -> None:
    pytest.importorskip("polars")
    result, matrix, hierarchy = (shown[kind] for kind in ("Evaluation", "ConfusionMatrix", "Hierarchy"))
    assert dict(result.to_frame("polars").iter_rows()) == dict(result.scores)
    assert matrix.to_frame("polars").drop("true").to_numpy().tolist() == matrix.to_numpy().tolist()
    entries = matrix.to_long("polars")
    assert entries.columns == ["true", "true label", "predicted", "predicted label", "mass", "share of row"]
    assert entries["mass"].sum() == pytest.approx(matrix.matrix.sum())
    assert len(shown["Findings"].to_frame("polars")) == len(shown["Findings"])
    links = hierarchy.to_frame("polars").drop_nulls()
    again = oe.Hierarchy.from_edges(links.select("parent", "child").iter_rows())
    assert set(again.vocabulary) == set(hierarchy.vocabulary)
    assert again.parents.nnz == hierarchy.parents.nnz


@pytest.mark.parametrize("kind", KINDS)
def test_what_frames_have_is_answered_by_the_call_that_has_it(shown: dict[str, Any], kind: str) -> None:
    pytest.importorskip("pandas")
    result = shown[kind]
    frame = result.to_frame()
    for name in (one for names in habits()["frame"].values() for one in names if not hasattr(result, one)):
        with pytest.raises(AttributeError, match=f"'{kind}' object has no attribute '{name}': use ") as met:
            getattr(result, name)
        if f"use to_frame().{name}" in str(met.value) and not name.startswith("write"):
            assert hasattr(frame, name)
    with pytest.raises(AttributeError, match=r"'gibberish'\. to_frame\(\) makes a data frame"):
        result.gibberish  # noqa: B018
    with pytest.raises(TypeError, match=r"'round\(\.\.\.\)': use to_"):
        round(result, 3)


def test_what_answers_an_attribute_is_there(shown: dict[str, Any], ontology: oe.Ontology) -> None:
    truth = oe.read_labels(FOLDER / "truth.csv", ontology)
    scores = oe.LabelScores(truth.matrix.astype(float), truth.vocabulary, truth.samples)
    result, bases = shown["Evaluation"], {"NamedRows": truth, "Paged": shown["Evaluation"]}
    others = [truth, scores, result.totals, oe.Accumulator("F"), next(iter(shown["Findings"]))]
    others += [result.per_sample("F"), result.per_concept("F(average='macro')")]
    values = shown | {type(one).__name__: one for one in others} | bases
    for row, use in habits()["results"].items():
        kind, _, name = row.partition(".")
        of = values.get(kind)
        if of is None or not name.isidentifier():
            continue
        with pytest.raises(AttributeError, match=re.escape(f"use {use}")):
            getattr(of, name)
        path, *more = (re.match(r"[a-z_.]*", use) or [""])[0].rstrip(".").split(".")
        root = {"result": result, "scores": scores, "ontoeval": oe}.get(path)
        if more and root is not None:
            attrgetter(".".join(more))(root)
        elif path not in {"", "pandas", "networkx", "print", "evaluate", "result"}:
            assert hasattr(of, path), row
    without: list[Any] = [truth, truth.vocabulary, result.totals]
    for one in without:
        with pytest.raises(AttributeError) as met:
            one.to_list  # noqa: B018
        assert "to_frame" not in str(met.value)


@pytest.mark.parametrize("backend", ["pandas", "polars"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"Evaluation", "Findings"}])
def test_a_library_of_frames_makes_one_of_any_result(shown: dict[str, Any], kind: str, backend: str) -> None:
    library = pytest.importorskip(backend)
    rows, frame = library.DataFrame(list(shown[kind])), shown[kind].to_frame(backend)
    assert rows.shape[0] == frame.shape[0]
    assert {*rows.columns} >= {*frame.columns}
    if kind not in {"ConfusionMatrix", "TunedThresholds"}:  # which numpy makes arrays of
        assert library.DataFrame(shown[kind]).shape == frame.shape


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_printed_is_a_table_that_fits_a_terminal(shown: dict[str, Any], kind: str) -> None:
    lines = str(shown[kind]).splitlines()
    assert all(len(line) <= 110 for line in lines)
    assert len(lines) == 1 if kind in {"Evaluation", "Ontology", "Hierarchy"} else 3 < len(lines) < 150


def test_parts_are_printed_and_shown_with_their_sizes() -> None:
    truth, run, by = [["a"], ["b"], ["a"]], [["a"], ["a"], ["a"]], ["x", "y", "x"]
    found = oe.evaluate(truth, run, measures="F", by=by)
    assert repr(found).endswith("; 2 parts: print(result))")
    rows = [line.split() for line in str(found).splitlines()[4:7]]
    assert rows == [["all", "3", "0.6667"], ["part", "x", "2", "1.0000"], ["part", "y", "1", "0.0000"]]
    assert [cell.text for cell in parsed(found).iter("td")][4:8] == ["part", "x", "2", "1.0000"]
    compared = oe.compare(truth, {"one": run, "two": truth}, measures="F", by=by, baselines=(), resamples=5)
    for text in (str(compared), "".join(parsed(compared).itertext())):
        assert "part: x (2 samples, 2 concepts)" in text


def test_names_are_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)> & 'b\x1b\""
    hierarchy = oe.Hierarchy.from_edges([(hostile, "a"), (hostile, f"{hostile}2")], abstract=[hostile])
    truth, run = {hostile: ["a"]}, {hostile: [f"{hostile}2"]}
    results = [
        hierarchy,
        oe.Ontology.from_paths([f"{hostile}/a"]),
        oe.confusion_matrix(truth, run),
        oe.explain(truth, run, hostile, hierarchy=hierarchy),
        oe.compare(truth, {hostile: run}, hierarchy=hierarchy, resamples=5),
        oe.audit.Findings([oe.audit.Finding("rare", "note", (hostile,), 1, (hostile,))]),
        oe.one_vs_rest(truth, run),
    ]
    for result in results:
        page = parsed(result)
        assert page.find(".//img") is None
        assert any("<img src=x" in text for text in page.itertext())


def test_long_tables_and_large_trees_are_cut_and_say_so() -> None:
    concepts = [f"c{number}" for number in range(3_000)]
    hierarchy = oe.Hierarchy.from_edges([("root", name) for name in concepts])
    page = "".join(parsed(hierarchy).itertext())
    assert "root 3,000" in page
    assert "and 2,701 more" in page
    chain = oe.Hierarchy.from_edges(pairwise(concepts))
    assert len(list(parsed(chain).iter("details"))) < 60
    truth = oe.LabelSets.from_sets([concepts[:30]])
    assert "and 10 more rows: see .to_frame()" in "".join(parsed(oe.one_vs_rest(truth, truth)).itertext())
    matrix = parsed(oe.confusion_matrix(truth, truth, rule="mlcm"))
    assert "to_frame() has all entries" in "".join(matrix.itertext())


def test_a_public_comparison_shows_scores_alone() -> None:
    truth, run = {"p1": ["secret"], "p2": ["b"]}, {"p1": ["b"], "p2": ["b"]}
    found = oe.compare(truth, {"run": run}, measures=["F"], resamples=5)
    text = "".join(parsed(replace(found, public=True)).itertext())
    assert "secret" not in text
    assert "p1" not in text


def test_a_notebook_loads_neither_templates_nor_figures() -> None:
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['jinja2', 'matplotlib', 'pandas']));"
        "import ontoeval as oe; oe.evaluate([[1, 0]], [[1, 1]])._repr_html_();"
        "oe.confusion_matrix([[1, 0]], [[1, 1]])._repr_html_();"
        "oe.Hierarchy.from_edges([('a', 'b')])._repr_html_()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


PLOTTED = ("Evaluation", "Comparison", "Study", "ConfusionMatrix", "Ontology", "Hierarchy")


def texts_of(ax: Any) -> set[str]:
    return {text.get_text() for text in ax.texts}


def test_pyplot_has_each_plot_and_not_the_figures_of_files(shown: dict[str, Any], tmp_path: Any) -> None:
    pytest.importorskip("matplotlib").use("agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for kind in PLOTTED:
        assert shown[kind].plot().figure is pyplot.gcf()
        pyplot.close("all")
    oe.figures.save_figures(shown["Comparison"], tmp_path, formats="png")
    assert pyplot.get_fignums() == []


def test_figures_are_drawn_from_what_one_has(shown: dict[str, Any]) -> None:
    figure, figures = pytest.importorskip("matplotlib.figure").Figure, cast("Any", oe.figures)
    for kind in ("Ontology", "Hierarchy", "Evaluation", "Comparison", "Study"):
        assert {"sky", "subject"} <= texts_of(figures.icicle(shown[kind]))
    matrix, hierarchy = shown["ConfusionMatrix"], shown["Hierarchy"]
    plain, ordered = figures.confusion(matrix), figures.confusion(matrix, hierarchy=hierarchy)
    rows = [[tick.get_text() for tick in ax.get_yticklabels()] for ax in (plain, ordered)]
    assert rows[0] == [matrix.names.display_name(row) for row in matrix.rows]
    assert sorted(rows[0]) == sorted(rows[1])
    assert rows[0] != rows[1]
    own = figures.confusion(shown["Evaluation"])
    values = [ax.get_images()[0].get_array() for ax in (own, ordered)]
    assert np.array_equal(*values)
    groups = figures.confusion(matrix, hierarchy=hierarchy, level=1)
    assert len(groups.get_yticklabels()) == 6
    ax = figure().subplots()
    assert figures.icicle(hierarchy, ax=ax) is ax


def test_a_figure_of_what_it_does_not_draw_names_the_one_that_does(shown: dict[str, Any]) -> None:
    pytest.importorskip("matplotlib")
    figures: Any = oe.figures
    wrong = {
        ("scores", "ConfusionMatrix"): r"figures.scores draws a Comparison or Study, not a ConfusionMatrix.*"
        r"Draw it by figures.confusion",
        ("confusion", "Ontology"): r"figures.confusion draws .*, not an Ontology.*by figures.icicle",
        ("power", "Comparison"): r"figures.power draws a Study, not a Comparison",
        ("save_figures", "Findings"): r"not a Findings.*Give a Comparison or ErrorsByKind or Study",
    }
    for (name, kind), message in wrong.items():
        more = ("folder",) if name == "save_figures" else ()
        with pytest.raises(oe.OntoevalError, match=message):
            getattr(figures, name)(shown[kind], *more)
    for call in (
        lambda: figures.icicle(shown["Hierarchy"], "noisy"),
        lambda: figures.icicle(shown["Ontology"], measure="F"),
        lambda: figures.confusion(shown["ConfusionMatrix"], "noisy"),
        lambda: figures.confusion(shown["Evaluation"], "noisy"),
        lambda: figures.confusion(shown["Evaluation"], hierarchy=shown["Hierarchy"]),
        lambda: figures.confusion(shown["ConfusionMatrix"], level=1),
    ):
        with pytest.raises(oe.OntoevalError, match=r"expected (nothing|one of|a hierarchy)"):
            call()


def test_an_audit_without_findings_says_what_was_checked() -> None:
    page = oe.audit_ontology("photo")._repr_html_()
    assert "Passed 39 checks" in page
    assert "redundant-link" in page
    assert "<th" not in page


def test_agreement_fits_a_cell_and_begins_with_the_means(shown: dict[str, Any]) -> None:
    page = parsed(shown["AnnotatorAgreement"])
    means, concepts = page.iter("table")
    assert [row.findtext("td") for row in means.iter("tr")][1] == "majority"
    for table in (means, concepts):
        assert len(list(next(iter(table.iter("tr"))))) <= 10
    (low, high), *_ = re.findall(r"\[(\S+), (\S+)\]", "".join(means.itertext()))
    assert float(low) < float(high)
    assert ".to_frame()" in "".join(page.itertext())


def test_corrections_are_shown_by_their_changes() -> None:
    truth = oe.read_labels(oe.ontologies.benchmark() / "truth.csv", "photo")
    found = oe.correct_labels(truth, "photo")
    number = len(found.changes)
    assert repr(found) == f"Correction({number} changes in {found.changed} samples)"
    page = parsed(found)
    assert [cell.text for cell in page.iter("th")] == ["sample", "change", "label", "new", "rule"]
    pytest.importorskip("polars")
    assert len(found.to_frame("polars")) == number


def test_the_report_on_a_file_keeps_its_lines_in_a_notebook(ontology: oe.Ontology) -> None:
    page = parsed(ontology.report)
    assert page.tag == "pre"
    assert "".join(page.itertext()) == str(ontology.report)
