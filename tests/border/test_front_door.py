"""What people have at hand, given to the public functions as it is."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe

PD = pytest.importorskip("pandas")

EDGES = [("plants", "trees"), ("plants", "flowers"), ("root", "plants"), ("root", "mountains")]
TRUTH = {"p1": ["trees"], "p2": ["flowers"], "p3": ["mountains"]}
RUN = {"p1": ["plants"], "p2": ["trees"], "p3": ["mountains"]}
SAID = {"Ann": TRUTH, "Bob": RUN}
HIERARCHY = oe.Hierarchy.from_edges(EDGES)
TWO = [["a"], ["b"]]
ARRAY = np.array([[1, 0], [1, 1]])


def digest_of(batch: Any) -> Any:
    return batch.hierarchy.digest


WITH_HIERARCHY: dict[str, Callable[[Any], Any]] = {
    "evaluate": lambda h: oe.evaluate(TRUTH, RUN, hierarchy=h).scores,
    "compare": lambda h: oe.compare(TRUTH, {"a": RUN}, hierarchy=h, resamples=20).scores.tolist(),
    "study": lambda h: oe.study(TRUTH, {"a": RUN, "b": TRUTH}, hierarchy=h, resamples=20).comparison.scores.tolist(),
    "align": lambda h: digest_of(oe.align(TRUTH, RUN, hierarchy=h)),
    "confusion_matrix": lambda h: str(oe.confusion_matrix(TRUTH, RUN, hierarchy=h).matrix),
    "confusion_tensor": lambda h: oe.confusion_tensor(TRUTH, RUN, hierarchy=h).counts().tp.tolist(),
    "one_vs_rest": lambda h: oe.one_vs_rest(TRUTH, RUN, hierarchy=h).tp.tolist(),
    "explain": lambda h: str(oe.explain(TRUTH, RUN, "p1", hierarchy=h)),
    "agreement": lambda h: oe.agreement(SAID, hierarchy=h, resamples=20).weights(),
    "consensus": lambda h: oe.annotators.consensus(SAID, hierarchy=h, method="consistent").samples,
    "perturb": lambda h: oe.comparison.perturb(TRUTH, "parent", 1, hierarchy=h, seed=0).labels_of("p1"),
    "baseline": lambda h: oe.comparison.baseline(TRUTH, "prior", hierarchy=h).vocabulary.concepts,
    "collapse_level": lambda h: oe.comparison.collapse_level(h, 1).hierarchy.digest,
    "cost_between": lambda h: oe.concepts.cost_between(h, "trees", "flowers"),
    "information_content": lambda h: oe.concepts.information_content(TRUTH, h).tolist(),
    "difference": lambda h: oe.audit.difference(TRUTH, RUN, h).vocabulary.concepts,
    "closed": lambda h: oe.LabelSets.from_sets(TRUTH).closed(h).labels_of("p1"),
}  # fmt: skip


@pytest.mark.parametrize("verb", WITH_HIERARCHY)
def test_every_function_takes_edges_as_it_takes_their_hierarchy(verb: str) -> None:
    call = WITH_HIERARCHY[verb]
    assert call(EDGES) == call(HIERARCHY)


def test_a_hierarchy_may_be_an_ontology_its_file_or_its_name() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    expected = oe.evaluate([["lake"]], [["river"]], hierarchy=ontology.hierarchy()).signature
    for given in (ontology, oe.ontologies.path("photo"), str(oe.ontologies.path("photo")), "photo"):
        assert oe.evaluate([["lake"]], [["river"]], hierarchy=given).signature == expected
    with pytest.raises(oe.OntoevalError, match="near: 'photo'"):
        oe.evaluate([["lake"]], [["river"]], hierarchy="phota")


def test_a_keyword_that_means_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^evaluate has no 'group'\. Write groups="):
        oe.evaluate(TWO, TWO, group=["a", "b"])  # type: ignore[call-arg]


UNKNOWN: dict[str, Callable[..., Any]] = {
    "treshold": partial(oe.evaluate, TWO, TWO),
    "levels": partial(oe.compare, TWO, {"a": TWO}),
    "measure_": partial(oe.study, TWO, {"a": TWO, "b": TWO}),
    "resample": partial(oe.agreement, SAID),
    "tresholds": partial(oe.labels.read_label_file, "labels.csv"),
    "convention": partial(oe.labels.read_score_file, "scores.csv"),
    "anotator_column": partial(oe.labels.read_annotation_files, "said.csv"),
    "unknwon": partial(oe.audit.validate, "run.csv"),
    "path": partial(oe.reports.report, oe.evaluate(TWO, TWO)),
}


@pytest.mark.parametrize("option", UNKNOWN)
def test_an_option_that_a_function_would_pass_on_is_refused_where_nothing_has_it(option: str) -> None:
    with pytest.raises(TypeError, match=f"(has no|unexpected keyword argument) '{option}'"):
        UNKNOWN[option](**{option: 1})


MARKS = PD.DataFrame({"a": [1, -1], "b": [0, 1]}, index=["p", "q"])


def test_rows_of_texts_in_an_array_are_labels_and_empty_texts_fill_them_up() -> None:
    texts = np.array([["sky", "sea"], ["sky", ""]])
    for array in (texts, texts.astype(object)):
        assert oe.align(array, [["sky", "sea"], ["sky"]]).truth.sizes.tolist() == [2, 1]
        assert oe.evaluate(array, array, measures="F")["F"] == 1


def test_the_only_measure_need_not_be_named() -> None:
    one = oe.evaluate(ARRAY, ARRAY, measures="F(average='macro')")
    assert one.per_concept() == one.per_concept("F(average='macro')") == {"0": 1, "1": 1}
    assert one.per_sample().shape == (2,)
    for rows in (oe.evaluate(ARRAY, ARRAY).per_concept, oe.evaluate(ARRAY, ARRAY).per_sample):
        with pytest.raises(oe.OntoevalError, match=r"7 measures.*'F'"):
            rows()


def test_a_dictionary_may_be_nested_and_lists_childless_concepts() -> None:
    digest = digest_of(oe.align(TRUTH, RUN, hierarchy=EDGES))
    tree = {"plants": ["trees", "flowers"], "root": ("plants", "mountains"), "trees": [], "flowers": {}}
    assert digest_of(oe.align(TRUTH, RUN, hierarchy=tree)) == digest
    nested: dict[str, Any] = {"root": {"plants": {"trees": [], "flowers": []}, "mountains": {}}}
    hf = oe.evaluate(TRUTH, RUN, hierarchy=EDGES, measures="hF").scores
    assert oe.evaluate(TRUTH, RUN, hierarchy=nested, measures="hF").scores == hf


def test_graphs_of_networkx_run_from_parent_to_child() -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph(EDGES)
    expected = oe.evaluate(TRUTH, RUN, hierarchy=EDGES).scores
    assert oe.evaluate(TRUTH, RUN, hierarchy=graph).scores == expected
    ontology = oe.read_ontology("photo")
    known = oe.evaluate([["lake"]], [["sea"]], hierarchy=ontology).scores
    assert oe.evaluate([["lake"]], [["sea"]], hierarchy=ontology.graph).scores == known
    for other, message in (
        (graph.reverse(), r"graph.reverse\(\)"),
        (graph.to_undirected(), "no direction"),
        (nx.MultiDiGraph(EDGES), r"networkx.DiGraph\(\[\(parent, child\)"),
    ):
        with pytest.raises(oe.OntoevalError, match=message):
            oe.evaluate(TRUTH, RUN, hierarchy=other)


OBO = """format-version: 1.2
ontology: plants

[Term]
id: X:0
name: root

[Term]
id: X:1
name: plants
is_a: X:0

[Term]
id: X:2
name: trees
is_a: X:1
relationship: part_of X:4

[Term]
id: X:3
name: flowers
is_a: X:1

[Term]
id: X:4
name: mountains
is_a: X:0

[Term]
id: X:5
name: gone
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""


@pytest.mark.parametrize("library", ["obonet", "pronto", "nxontology"])
def test_ontologies_of_other_libraries_mean_what_their_file_means(library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    path = tmp_path / "plants.obo"
    path.write_text(OBO)
    edges = [("X:0", "X:1"), ("X:1", "X:2"), ("X:1", "X:3"), ("X:0", "X:4")]
    truth, run = [["X:2"], ["X:3"]], [["X:1"], ["X:2"]]
    expected = oe.evaluate(truth, run, hierarchy=edges, measures=["OS", "hF"]).scores
    assert (
        oe.evaluate(truth, run, hierarchy=ontology_of(library, path), measures=["OS", "hF"]).scores
        == expected
    )


def ontology_of(library: str, path: Path) -> Any:
    """Read a file of OBO by another library."""
    if library == "obonet":
        return importlib.import_module("obonet").read_obo(path)
    if library == "pronto":
        return importlib.import_module("pronto").Ontology(path)
    return importlib.import_module("nxontology.imports").from_file(path)


def test_graphs_of_obonet_that_were_changed_are_refused(tmp_path: Path) -> None:
    obonet, nx = pytest.importorskip("obonet"), pytest.importorskip("networkx")
    path = tmp_path / "plants.obo"
    path.write_text(OBO)
    graph = obonet.read_obo(path)
    for other, message in (
        (graph.reverse(), "seem to run from child to parent.*as obonet.read_obo made it"),
        (nx.DiGraph(graph), "lost the relations"),
    ):
        with pytest.raises(oe.OntoevalError, match=message):
            oe.evaluate([["X:2"]], [["X:1"]], hierarchy=other)


def overlap(truth: list[set[str]], prediction: list[set[str]]) -> list[float]:
    """Jaccard index of each sample."""
    return [len(a & b) / len(a | b) if a | b else 1.0 for a, b in zip(truth, prediction, strict=True)]


def test_a_function_is_a_measure_whose_score_is_the_mean_over_the_samples() -> None:
    result = oe.evaluate(TRUTH, RUN, measures=[overlap, "Jaccard"])
    assert list(result) == ["overlap", "Jaccard"]
    assert result["overlap"] == result[overlap] == result["Jaccard"]
    assert result.per_sample(overlap).tolist() == [0, 0, 1] == result.per_sample("overlap").tolist()
    found = oe.compare(TRUTH, {"a": RUN, "b": TRUTH}, measures=[overlap, "Jaccard"], resamples=50)
    assert np.array_equal(found.replicates[..., 0], found.replicates[..., 1])
    assert np.array_equal(found.p_values[0], found.p_values[1], equal_nan=True)
    assert "overlap" in found.report()


def test_undefined_samples_of_a_function_are_left_out_of_the_mean() -> None:
    def first(truth: list[set[str]], prediction: list[set[str]]) -> Any:
        return np.array([np.nan] + [1.0] * (len(truth) - 1)) * len(prediction[0])

    assert oe.evaluate(TRUTH, RUN, measures=first)["first"] == 1


def test_functions_that_cannot_be_used_are_refused() -> None:
    other = lambda truth, prediction: [1.0 for _ in truth]  # noqa: ARG005, E731
    other.__name__ = "overlap"
    with pytest.raises(oe.OntoevalError, match="'overlap' has the name of another function"):
        oe.evaluate(TRUTH, RUN, measures=[overlap, other])
    other.__name__ = "F"
    with pytest.raises(oe.OntoevalError, match="'F' has the name of a measure of the catalogue"):
        oe.evaluate(TRUTH, RUN, measures=other)
    wrong: list[tuple[Any, str]] = [
        (lambda truth, prediction: 1.0, r"shape \(\) for 3 samples.*a number for each sample"),  # noqa: ARG005
        (lambda truth, prediction: truth - prediction, "raises TypeError.*two lists of sets of labels"),
    ]
    for function, message in wrong:
        with pytest.raises(oe.OntoevalError, match=message):
            oe.evaluate(TRUTH, RUN, measures=function)


CLASSES = ["flowers", "mountains", "trees"]
EXPECTED = {"p1": ("trees",), "p2": ("flowers", "trees"), "p3": ()}
FORMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "sets": ([{"trees"}, {"trees", "flowers"}, set()], {}),
    "lists": ([["trees"], ("trees", "flowers"), []], {}),
    "texts": (["trees", "trees; flowers", ""], {"separator": ";"}),
    "array of texts": (np.array(["trees", "trees|flowers", ""]), {"separator": "|"}),
    "numbers": ([[2], [2, 0], []], {"classes": CLASSES}),
    "sets of numbers": ([{2}, {2, 0}, set()], {"classes": np.array(CLASSES)}),
    "columns": (np.array([[0, 0, 1], [1, 0, 1], [0, 0, 0]]), {"classes": CLASSES}),
    "sparse": (sparse.csr_array(np.array([[0, 0, 1], [1, 0, 1], [0, 0, 0]])), {"classes": CLASSES}),
}
VERBS: dict[str, Callable[..., Any]] = {
    "evaluate": lambda t, p, **how: oe.evaluate(t, p, measures="F(average='macro')", **how).scores,
    "compare": lambda t, p, **how: oe.compare(t, {"a": p}, resamples=20, baselines=(), **how).scores.tolist(),
    "align": lambda t, p, **how: oe.align(t, p, **how).prediction.samples,
    "confusion_matrix": lambda t, p, **how: str(oe.confusion_matrix(t, p, **how).matrix),
    "confusion_tensor": lambda t, p, **how: oe.confusion_tensor(t, p, **how).counts().tp.tolist(),
    "one_vs_rest": lambda t, p, **how: oe.one_vs_rest(t, p, **how).tp.tolist(),
    "explain": lambda t, p, **how: str(oe.explain(t, p, "0", hierarchy=EDGES, **how)),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_labels_may_be_written_in_many_forms(form: str) -> None:
    labels, how = FORMS[form]
    batch = oe.align(labels, labels, hierarchy=EDGES, **how)
    assert [{*batch.truth.labels_of(name)} for name in "012"] == list(map(set, EXPECTED.values()))
    for verb in VERBS.values():
        over = {"classes": CLASSES}
        assert verb(labels, labels, **{**how, **over}) == verb(*[list(EXPECTED.values())] * 2, **over)


def test_a_list_of_texts_has_one_label_for_each_sample() -> None:
    for labels in (["sky", "sea"], ("sky", "sea"), np.array(["sky", "sea"]), {"0": "sky", "1": "sea"}):
        assert oe.LabelSets.from_sets(labels).labels_of("0") == ("sky",)
        assert oe.evaluate(labels, labels, measures="F")["F"] == 1
    assert oe.evaluate([1, 0], np.array([1, 1]), classes=["sky", "sea"], measures="F")["F"] == 0.5
    assert oe.align(["sea"], ["sea"], classes=["sky", "sea"]).truth.vocabulary.concepts == ("sky", "sea")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_series_and_frames_of_texts_are_read(library: str) -> None:
    pd = pytest.importorskip(library)
    series = pd.Series(["sky", "sea"])
    assert oe.evaluate(series, series, measures="F")["F"] == 1
    joined = pd.DataFrame({"id": ["p", "q"], "labels": ["sky; sea", ""]})
    assert oe.align(joined, joined, separator=";").truth.labels_of("p") == ("sea", "sky")
    scores = pd.DataFrame({"id": ["0", "1"], "sea": [0.9, 0.1], "sky": [0.2, 0.8]})
    assert oe.sweep(["sea", "sky"], scores, measures="F", classes=["sea", "sky", "sun"])["F"].max() == 1


def test_lists_that_are_written_in_texts_are_read() -> None:
    truth, run = ["['trees', 'sky']", "[]"], ["['sky']", "[]"]
    for given in (truth, PD.Series(truth)):
        assert oe.evaluate(given, run, measures="F")["F"] == pytest.approx(2 / 3)
    assert oe.evaluate(["['trees']"], ["trees"], hierarchy=EDGES, measures="F")["F"] == 1


def test_names_with_commas_and_empty_sets_are_taken() -> None:
    names = ["Diabetes Mellitus, Type 2", "sky"]
    assert oe.evaluate(names, names, measures="F")["F"] == 1
    assert oe.evaluate(names[:1], names[:1], classes=names, measures="F")["F"] == 1
    for empty in (PD.Series(["sky", ""]), PD.Series([["sky"], []]), ["sky", ""], [["sky"], []], ["sky", []]):
        assert oe.align(empty, empty).truth.sizes.tolist() == [1, 0]


FOLDER = oe.ontologies.benchmark()
READING: dict[str, Callable[[Any], Any]] = {
    "read_labels": lambda o: oe.read_labels(FOLDER / "truth.csv", o).vocabulary.concepts,
    "read_agreement": lambda o: dict(oe.read_agreement(FOLDER / "agreement.csv", ontology=o)),
    "audit_labels": lambda o: str(oe.audit_labels(FOLDER / "truth.csv", o).found),
    "diff_ontologies": lambda o: (str(oe.diff_ontologies(o, "photo")), str(oe.diff_ontologies("photo", o))),
    "migrate": lambda o: str(oe.audit.migrate(TRUTH, o, o).moves),
    "correct_labels": lambda o: len(oe.correct_labels(FOLDER / "truth.csv", o).changes),
    "validate": lambda o: str(oe.audit.validate(FOLDER / "truth.csv", ontology=o).found),
}


@pytest.mark.parametrize("verb", READING)
def test_an_ontology_beside_a_file_may_be_its_path_or_its_name(verb: str) -> None:
    call, path = READING[verb], oe.ontologies.path("photo")
    assert call("photo") == call(path) == call(oe.read_ontology(path))


def test_calls_that_nearly_work_are_answered_with_the_call() -> None:
    with pytest.raises(oe.OntoevalError, match=r"concepts=hierarchy.label_vocabulary"):
        oe.read_labels(FOLDER / "truth.csv", HIERARCHY)
    with pytest.raises(oe.OntoevalError, match="Unknown measure 'photo'"):
        oe.evaluate(TWO, TWO, "photo")  # type: ignore[call-arg]
    names: Any = {0: "a", 1: "b"}
    assert oe.evaluate([1, 0], ["b", "b"], classes=names, measures="F")["F"] == 0.5


TEN: dict[str, Callable[[], Any]] = {
    "arrays": lambda: oe.evaluate(ARRAY, ARRAY)["F"],
    "sparse": lambda: oe.evaluate(sparse.csr_matrix(ARRAY), sparse.csr_array(ARRAY))["F"],
    "booleans": lambda: oe.evaluate(ARRAY.astype(bool), ARRAY.astype(bool).tolist())["F"],
    "sets": lambda: oe.evaluate([{"sky"}, {"sea"}], [["sky"], ["sea"]])["F"],
    "single labels": lambda: oe.evaluate(["sky", "sea"], ["sky", "sea"])["F"],
    "mapping": lambda: oe.evaluate({"p": ["sky"], "q": "sea".split()}, {"q": ["sea"], "p": ["sky"]})["F"],
    "scores": lambda: oe.evaluate(ARRAY, ARRAY * 0.9, threshold=0.5, measures="F")["F"],
    "ontology": lambda: oe.evaluate([["lake"]], [["lake"]], hierarchy=oe.read_ontology("photo"))["OS"],
    "function": lambda: oe.evaluate(TRUTH, TRUTH, measures=overlap)[overlap],
    "runs": lambda: oe.compare(ARRAY, {"a": ARRAY, "b": ARRAY}, resamples=20).evaluations["a"]["F"],
}  # fmt: skip


@pytest.mark.parametrize("snippet", TEN)
def test_first_calls_work_at_the_first_try(snippet: str) -> None:
    assert TEN[snippet]() == 1


SETS_OF_P = {"p": ["a", "b"], "q": ["c"], "r": ["a"]}
ODD: list[Any] = [
    *([True, False, True], [None, None, None], [["a"], ["b"]], {"a": 1}, {1, 2}, [], np.eye(3), b"x"),
    *(3, 2.5, float("nan"), True, object(), "zzz", np.array([True, False, True]), Path("no file")),
]
SIDES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "evaluate": (oe.evaluate, (SETS_OF_P, SETS_OF_P), {"measures": "F"}),
    "compare": (oe.compare, (SETS_OF_P, {"x": SETS_OF_P}), {"measures": "F", "resamples": 5}),
    "audit_labels": (oe.audit_labels, (SETS_OF_P,), {}),
    "confusion_matrix": (oe.confusion_matrix, (SETS_OF_P, SETS_OF_P), {}),
    "agreement": (oe.agreement, ({"x": SETS_OF_P, "y": SETS_OF_P},), {"resamples": 5}),
}


@pytest.mark.parametrize("verb", SIDES)
def test_a_keyword_of_a_wrong_type_is_refused_by_name_if_at_all(verb: str) -> None:
    called, given, options = SIDES[verb]
    parameters = inspect.signature(called).parameters.values()
    for name in [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]:
        for value in ODD:
            with suppress(oe.OntoevalError):
                called(*given, **(options | {name: value}))


def test_a_mask_is_no_list_of_labels_and_the_advised_one_is() -> None:
    mask, classes = [True, False, True], ["a", "b", "c"]
    with pytest.raises(
        oe.OntoevalError, match=r"only=\[True, False, True\]: expected names; of a mask \[name"
    ):
        oe.evaluate(SETS_OF_P, SETS_OF_P, only=mask)  # type: ignore[arg-type]
    kept = [name for name, kept in zip(classes, mask, strict=True) if kept]
    assert oe.evaluate(SETS_OF_P, SETS_OF_P, only=kept, measures="F")["F"] == 1
