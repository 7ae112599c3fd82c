"""First snippets of people who know scikit-learn, pandas, networkx or HiClass: each works, or says what to write.

A snippet is an expression. Its value is expected, or words of its error.
"""

from __future__ import annotations

import importlib.util
import io
import pickle  # noqa: F401 - of a snippet
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import rdflib
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.concepts import LabelFrequencies

TORCH = importlib.util.find_spec("torch")
pd = pytest.importorskip("pandas")
f1_score = pytest.importorskip("sklearn.metrics").f1_score

Y = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0]])
P = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
S = np.array([[0.9, 0.1, 0.4], [0.2, 0.8, 0.6], [0.7, 0.4, 0.1], [0.1, 0.3, 0.2]])
NAMES = ["sea", "sky", "tree"]
FRAME = pd.DataFrame(Y, columns=NAMES)
LISTS, FOUND = [["sea", "tree"], ["sky"]], [["sea"], ["sky", "tree"]]
EDGES = [("plants", "tree"), ("plants", "moss"), ("all", "plants"), ("all", "sea")]
TREE, MOSS = [["tree"]], [["moss"]]


def dice(truth: NDArray[Any], prediction: NDArray[Any]) -> float:
    return float(2 * (truth * prediction).sum() / (truth.sum() + prediction.sum()))


def hits(truth: list[set[str]], prediction: list[set[str]]) -> list[float]:
    return [float(one == other) for one, other in zip(truth, prediction, strict=True)]


def of_ontology() -> rdflib.Graph:
    graph = rdflib.Graph()
    for parent, child in EDGES:
        graph.add(
            (rdflib.URIRef(f"http://o/{child}"), rdflib.RDFS.subClassOf, rdflib.URIRef(f"http://o/{parent}"))
        )
    return graph


def of_turtle(**options: Any) -> oe.Ontology:
    """Ontology of a text whose own prefix is another."""
    return oe.read_ontology(io.StringIO(of_ontology().serialize(format="turtle")), **options)


def of_hiclass() -> Any:
    """Graph as HiClass 5.0 makes `hierarchy_`."""
    paths = [
        ("all",),
        ("all", "plants"),
        ("all", "plants", "tree"),
        ("all", "plants", "moss"),
        ("all", "sea"),
    ]
    nodes = {path: "::HiClass::Separator::".join(path) for path in paths}
    return nx.DiGraph((nodes.get(path[:-1], "hiclass::root"), node) for path, node in nodes.items())


def one(*sides: Any, **options: Any) -> float:
    """Score of the only measure."""
    (score,) = oe.evaluate(*sides, **options).values()
    return score


def row(result: Any, concept: str) -> list[float]:
    """Row of a report."""
    return list(result.to_frame().set_index("concept").loc[concept])


COMPARED = oe.compare(Y, {"near": Y, "far": P}, measures=["F", "Hamming"], resamples=20)
_COMPARED_MORE = oe.compare(np.tile(Y, (5, 1)), {"a": np.tile(P, (5, 1)), "b": 1 - np.tile(P, (5, 1))}, measures="F", resamples=50)  # fmt: skip

WORK: dict[str, tuple[Callable[[], object], object]] = {
    # names of scikit-learn
    "f1_micro": (lambda: one(Y, P, measures="f1_micro"), 2 * 3 / 9),
    "f1_macro": (lambda: one(Y, P, measures="f1_macro"), (1 + 2 / 3 + 0) / 3),
    "F1_Macro": (lambda: one(Y, P, measures="F1_Macro"), (1 + 2 / 3 + 0) / 3),
    "f1_macro(beta=2)": (lambda: one(Y, P, measures="f1_macro(beta=2)"), (1 + 5 / (5 + 4) + 0) / 3),
    "f1_samples": (lambda: one(Y, P, measures="f1_samples"), (2 / 3 + 2 / 3 + 2 / 3 + 0) / 4),
    "precision_macro": (lambda: one(Y, P, measures="precision_macro"), (1 + 1 + 0) / 3),
    "recall_weighted": (lambda: one(Y, P, measures="recall_weighted"), (2 * 1 + 2 * 0.5 + 0) / 5),
    "jaccard_samples": (lambda: one(Y, P, measures="jaccard_samples"), (0.5 + 0.5 + 0.5 + 0) / 4),
    "hamming_loss": (lambda: one(Y, P, measures="hamming_loss"), 3 / 12),
    "subset_accuracy": (lambda: one(Y, P, measures="subset_accuracy"), 0.25),
    "average_precision": (lambda: one(Y, S, measures="average_precision"), (1 + 1 + 0.5) / 3),
    "roc_auc": (lambda: one(Y, S, measures="roc_auc"), (1 + 1 + 2 / 3) / 3),
    "the own name": (lambda: list(oe.evaluate(Y, P, measures=["f1_macro", "hamming_loss"])), ["F(average='macro', undefined=0)", "Hamming"]),
    "looked up by the alias": (lambda: oe.evaluate(Y, P, measures=["f1_micro", "P"])["f1_micro"], 2 / 3),
    "macro-F1": (lambda: one(Y, P, measures="macro-F1"), (1 + 2 / 3 + 0) / 3),
    "a symbol with @k": (lambda: [*oe.evaluate(Y, S, measures=["nDCG@10", "precision@3", "P@1"])], ["nDCGAt(k=10)", "PAt(k=3)", "PAt(k=1)"]),
    "average=": (lambda: oe.evaluate(Y, P, average="macro").scores, {"F(average='macro', undefined=0)": (1 + 2 / 3 + 0) / 3}),  # type: ignore[call-arg]
    "measures third": (lambda: oe.evaluate(Y, P, "F")["F"], 2 / 3),  # type: ignore[call-arg]
    "y_true=": (lambda: oe.evaluate(y_true=Y, y_pred=P, scoring="P", target_names=NAMES)["P"], 3 / 4),  # type: ignore[call-arg]
    # functions
    "a function of arrays": (lambda: one(Y, P, measures=oe.own_measure(dice, on="arrays")), 2 / 3),
    "a partial function": (lambda: one(Y, P, measures=oe.own_measure(partial(dice), on="arrays", name="mine")), 2 / 3),
    "a function of sets": (lambda: one(LISTS, FOUND, measures=hits), 0.0),
    # reports
    "report of a concept": (lambda: row(oe.evaluate(FRAME, P).classification_report(), "sky"), [1.0, 0.5, 2 / 3, 2]),
    "macro row": (lambda: row(oe.evaluate(FRAME, P).classification_report(), "macro avg"), [2 / 3, 0.5, 5 / 9, 5]),
    "sorted by F": (lambda: [r[0] for r in oe.evaluate(FRAME, P).classification_report(sort="f1-score").rows][:3], ["tree", "sky", "sea"]),
    "per_concept": (lambda: oe.evaluate(FRAME, P, measures="R(average='macro')").per_concept()["sky"], 0.5),
    # data
    "classes": (lambda: one(Y, P, classes=np.array(NAMES), measures="F"), 2 / 3),
    "a frame beside an array": (lambda: one(FRAME, P, measures="F"), 2 / 3),
    "frames in another order": (lambda: one(FRAME, pd.DataFrame(P, columns=NAMES)[NAMES[::-1]], measures="F"), 2 / 3),
    "lists": (lambda: one(LISTS, FOUND, measures="F"), 2 / 3),
    "scores at a threshold": (lambda: one(Y, S, threshold=0.5, measures="F"), 2 * 3 / 9),
    "ignore_index": (lambda: one(np.where(P > Y, -1, Y), P, ignore_index=-1, measures="F"), 2 * 3 / 8),
    "labels of f1_score": (lambda: [one(Y, P, only=which, measures="f1_macro") for which in ([0, 2], [1, 2])], [f1_score(Y, P, labels=which, average="macro", zero_division=0) for which in ([0, 2], [1, 2])]),
    "groups": (lambda: "by= scores each" in repr(oe.evaluate(FRAME, P, groups=[*"aabb"])), True),
    "nan beside ignore_index": (lambda: one(pd.DataFrame(np.where(P > Y, np.nan, Y)), P, ignore_index=-1, measures="F"), 2 * 3 / 8),
    "ignore_index of lists": (lambda: one([[1, -1], [0, 1]], [[1, 1], [1, 1]], classes=["sea", "sky"], ignore_index=-1, measures="F"), 0.8),
    "ignore_index in compare": (lambda: oe.compare(np.where(P > Y, 255, Y), {"a": P}, ignore_index=255, measures="F", resamples=5)["a"]["F"], 2 * 3 / 8),
    "scores beside ignore_index": (lambda: one(np.where(P > Y, -1, Y), S, ignore_index=-1, threshold=0.5, measures="F"), 2 * 3 / 8),
    "a list of thresholds": (lambda: one(Y, S, threshold=[0.5] * 3, measures="F"), 2 * 3 / 9),
    "an array of thresholds": (lambda: oe.LabelScores.from_array(S).at(np.full(3, 0.5)).matrix.nnz, 4),
    "tuned thresholds as an array": (lambda: list(np.asarray(tuned := oe.tune_thresholds(Y, S, folds=2, per="concept")) - [tuned[name] for name in "012"]), [0, 0, 0]),
    "the highest score": (lambda: oe.evaluate(Y, oe.LabelScores.from_array(S).top(1), measures="F")["F"], f1_score(Y, np.eye(3)[S.argmax(1)], average="micro")),
    "tuned thresholds": (lambda: oe.tune_thresholds(Y, S, folds=2).apparent, oe.sweep(Y, S, measures="F").best("F")[1]),
    "sample_weight": (lambda: one(Y, P, measures="F", sample_weight=[1, 1, 0, 0]), 2 / 3),
    "sweep of an array": (lambda: oe.sweep(Y, S, measures="F", thresholds=(0.5,))["F"][0], 2 * 3 / 9),
    "curve of an array": (lambda: oe.curve(Y, S, classes=NAMES, thresholds=(0.5,), propagate=False).recall[0], (0.5 + 1 + 0.5 + 1) / 4),
    # comparisons
    "comparison[run]": (lambda: COMPARED["far"]["F"], 2 / 3),
    "best": (lambda: [COMPARED.best, COMPARED.best(), COMPARED.best("Hamming"), f"{COMPARED.best}"], ["near"] * 4),
    "float": (lambda: float(oe.evaluate(Y, P, measures="F")), 2 / 3),
    "pd.DataFrame": (lambda: [*pd.DataFrame(oe.one_vs_rest(FRAME, P)).set_index("concept")["TP"]], [2, 1, 0]),
    "samples": (lambda: [*COMPARED.to_frame(rows="sample").query("run == 'far'")["Hamming"]], [1 / 3, 1 / 3, 1 / 3, 0]),
    "print of runs": (lambda: [line.split()[:3] for line in str(COMPARED).splitlines() if " near " in line], [["1", "near", "1.0000"]]),
    "left out": (lambda: oe.evaluate(Y, S, measures="P@3").cautions, ["PAt(k=3) is undefined for 1 of 4 samples, which are left out."]),
    "intervals": (lambda: COMPARED.intervals["near"]["Hamming"], (0.0, 0.0)),
    "to_frame": (lambda: [*COMPARED.to_frame().set_index("run").loc["far", ["F", "Hamming", "Hamming low"]]], [2 / 3, 0.25, COMPARED.low[1, 1]]),
    "to_frame of parts": (lambda: dict(oe.evaluate(Y, P, measures="F", by=[*"aabb"]).to_frame().set_index("part")["F"]), {"all": 2 / 3, "a": 2 / 3, "b": 2 / 3}),
    "p_value": (lambda: [_COMPARED_MORE.p_value(*pair, measure="F") for pair in (("a", "b"), ("b", "a"))], [_COMPARED_MORE.adjusted[0, 0, 1]] * 2),
    "print": (lambda: "sky               1.0000   0.5000     0.6667         2" in str(oe.evaluate(FRAME, P).classification_report()), True),
    # hierarchies
    "edges": (lambda: one(TREE, MOSS, hierarchy=EDGES, measures="hF(root='in')"), 2 / 3),
    "a generator of edges": (lambda: one(TREE, MOSS, hierarchy=(pair for pair in EDGES), measures="hF(root='in')"), 2 / 3),
    "a frame of edges": (lambda: one(TREE, MOSS, hierarchy=pd.DataFrame(EDGES, columns=["parent", "child"]), measures="hF(root='in')"), 2 / 3),
    "by= beside codes of digits": (lambda: oe.evaluate(desks := pd.DataFrame({"article_id": ["a", "b"], "desk": ["home", "world"], "codes": ["01003;04002", "04002"]}), desks.drop(columns="desk"), by="desk", hierarchy=[("0", "01003"), ("0", "04002")], measures="F")["F"], 1.0),
    "columns with code": (lambda: [oe.evaluate(*[{"id": ["a", "b"], "code": codes}] * 2, measures="F").notes[:1] for codes in (["01", "02"], ["b"])], [["Python objects: JSON (sample 'id', concept 'code', by what they hold)"], []]),
    "a named column of codes": (lambda: one(frame := pd.DataFrame({"key": ["a"], "icd_codes": ["oak"], "barcodes": ["a;b"]}), frame.assign(icd_codes="elm"), label_column="icd_codes", id_column="key", measures="F"), 0.0),
    "a frame from child to parent": (lambda: one(TREE, MOSS, hierarchy=pd.DataFrame(EDGES, columns=["parent", "child"])[["child", "parent"]], measures="hF(root='in')"), 2 / 3),
    "a text in memory": (lambda: one(TREE, MOSS, hierarchy=io.StringIO("parent,child\n" + "\n".join(map(",".join, EDGES))), measures="hF(root='in')"), 2 / 3),
    "bytes in memory": (lambda: len(oe.read_ontology(io.BytesIO(oe.ontologies.path("photo").read_bytes())).graph), 68),
    "prefixes": (lambda: of_turtle(prefixes={"EX": "http://o/"}).resolve("EX:tree"), "tree"),
    "prefixes of rdflib": (lambda: oe.read_ontology(of_ontology()).resolve("<http://o/moss>"), "moss"),
    "rdflib": (lambda: one(TREE, MOSS, hierarchy=of_ontology(), measures="hF(root='in')"), 2 / 3),
    "networkx": (lambda: one(TREE, MOSS, hierarchy=nx.DiGraph(EDGES), measures="hF(root='in')"), 2 / 3),
    "HiClass": (lambda: one(TREE, MOSS, hierarchy=of_hiclass(), measures="hF(root='in')"), 2 / 3),
    "a dictionary": (lambda: one(TREE, MOSS, hierarchy={"all": {"plants": ["tree", "moss"], "sea": []}}, measures="hF(root='in')"), 2 / 3),
}  # fmt: skip


@pytest.mark.parametrize("case", WORK)
@pytest.mark.filterwarnings("ignore:F is 0/0")
def test_a_first_snippet_works(case: str) -> None:
    snippet, expected = WORK[case]
    found = snippet()
    assert found == expected or found == pytest.approx(expected)


ANSWERED: dict[str, tuple[Callable[[], object], str]] = {
    "f1": (lambda: one(Y, P, measures="f1"), r"'f1' means several.*'F' is the micro average.*'f1_macro'"),
    "precision": (lambda: one(Y, P, measures="precision"), "'P' is the micro average.*'precision_samples'"),
    "accuracy": (lambda: one(Y, P, measures="accuracy"), "'ExactMatch' is.*accuracy_score.*'Accuracy' the share of right decisions"),
    "mAP": (lambda: one(Y, S, measures="mAP"), r"'AP' is the mean over concepts.*AP\(average='samples'\)"),
    "unknown options of f1_macro": (lambda: one(Y, P, measures="f1_macro(bets=2)"), r"f1_macro has no option 'bets' \(near: 'beta'\)"),
    "a count below 0": (lambda: LabelFrequencies({"a": -10}, 5), "from 0 to 5"),
    "an option of the alias itself": (lambda: one(Y, P, measures="f1_macro(average='micro')"), r"f1_macro has its own 'average'. Write F\("),
    "a name in another case": (lambda: one(Y, P, measures="hamming"), "'Hamming' is the loss"),
    "exactmatch": (lambda: one(Y, P, measures="exactmatch"), r"\(near: 'ExactMatch'\)"),
    "a function of arrays": (lambda: one(Y, P, measures=dice), r"own_measure\(function, on='arrays'\)"),
    "audit": (lambda: oe.audit(FRAME, "photo"), r"audit_labels\(FRAME, ontology='photo'\)"),  # type: ignore[operator]
    "f1_score": (lambda: oe.f1_score(Y, P), "ontoeval.evaluate"),  # type: ignore[attr-defined]
    "confidence_interval": (lambda: oe.confidence_interval(Y, P), r"compare\(Y, {'P': P}\)\. The table"),  # type: ignore[attr-defined]
    "a misspelt run": (lambda: COMPARED["Near"], r"no run 'Near' \(near: 'near'\)"),
    "a measure in place of a run": (lambda: COMPARED["F"], r"There are: 'near', 'far'.*comparison\[run\]"),
    "to_csv": (lambda: COMPARED.to_csv("scores.csv"), r"use to_frame\(\)\.to_csv"),  # type: ignore[attr-defined]
    "F of each concept": (lambda: oe.evaluate(Y, P).per_concept("F"), r"classification_report\(\)"),
    "a report of scores": (lambda: oe.evaluate(Y, S, measures="AP").classification_report(), "Give a threshold"),
    "an unknown order": (lambda: oe.evaluate(Y, P).classification_report(sort="f1"), "near: 'f1-score'"),  # type: ignore[arg-type]
    "unnamed columns": (lambda: one(TREE, MOSS, hierarchy=pd.DataFrame(EDGES)), r"frame.columns = \[\"parent\", \"child\"\]"),
    "other columns": (lambda: one(TREE, MOSS, hierarchy=pd.DataFrame(EDGES, columns=["source", "target"])), '"parent" and "child"'),
    "a text as a path": (lambda: one(TREE, MOSS, hierarchy="parent,child\nplants,tree\n"), r"io.StringIO\(text\)"),
    "a repeated name of HiClass": (lambda: one(TREE, MOSS, hierarchy=nx.DiGraph([("hiclass::root", "a"), ("hiclass::root", "b"), ("a", "a::HiClass::Separator::tree"), ("b", "b::HiClass::Separator::tree")])), "near: .*'a/tree'"),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERED)
def test_a_snippet_that_cannot_work_is_answered_with_the_one_that_does(case: str) -> None:
    snippet, words = ANSWERED[case]
    with pytest.raises((oe.OntoevalError, AttributeError, TypeError)) as met:
        snippet()
    assert re.search(words, str(met.value), re.DOTALL), str(met.value)


TEXTS = {
    "truth.csv": "id,labels\np1,sea;tree\np2,sky\np3,sea;sky\np4,\n",
    "runs/vit.csv": "id,labels\np1,sea\np2,sky;tree\np3,sea\np4,\n",
    "hierarchy.csv": "parent,child\nplace,sea\nplace,sky\nplant,tree\nthing,place\nthing,plant\n",
    "topics.jsonl": '{"id": "p1", "topics": ["sea", "sky"]}\n{"id": "p2", "topics": []}\n',
    "sites.csv": "id,site\np1,north\np2,north\np3,south\np4,south\n",
}
L = pd.DataFrame([["p1", "sea"], ["p1", "tree"], ["p2", "sky"]], columns=["image_id", "label"])
T = pd.Series(["sea;tree", "sky", "sea;sky", ""]).str.split(";")
R = pd.Series(["sea", "sky;tree", "sea", ""]).str.split(";")
H = pd.DataFrame([["place", "sea"], ["place", "sky"], ["plant", "tree"]], columns=["parent", "child"])
RUNS = ""
"""Of a snippet that runs as it is."""

SNIPPETS: list[tuple[str, str, str]] = [
    ("pickle.loads(pickle.dumps([oe, oe.evaluation]))[0].evaluate(Y, P, measures='hamming_loss')", RUNS, ""),
    ("oe.evaluate(Y, P, measures=['jaccard_samples', 'accuracy'])", "'ExactMatch'", "oe.evaluate(Y, P, measures=['jaccard_samples', 'ExactMatch'])"),
    ("oe.precision_recall_fscore_support(Y, P, average='macro')", "These are three numbers", "list(oe.evaluate(Y, P, measures='P,R,F', average='macro').values())"),
    ("oe.evaluate(Y, S, measures='roc_auc').to_frame(per='concept')['AUC']", RUNS, ""),
    ("oe.evaluate(LISTS, FOUND, classes=NAMES, hierarchy={'sea': 'place', 'sky': 'place', 'tree': 'plant'}, measures='hF')", RUNS, ""),
    ("oe.evaluate(Y, S, measures=['roc_auc_macro', 'roc_auc_micro', 'average_precision_micro'])", RUNS, ""),
    ("oe.evaluate(Y, S, threshold=0.5, labels=NAMES, measures=['micro_f1', 'macro_f1'])", RUNS, ""),
    ("oe.scorer('hF', hierarchy=[('a', 'top'), ('b', 'top'), ('c', 'a'), ('d', 'b')], classes=[*'abcd'])", "Turn them round", "oe.scorer('hF', hierarchy=[('top', 'a'), ('top', 'b'), ('a', 'c'), ('b', 'd')], classes=[*'abcd'])"),
    ("oe.confusion_matrix(T, R, normalize='pred').to_frame()", RUNS, ""),
    ("oe.evaluate('truth.csv', 'runs/vit.csv', hierarchy='hierarchy.csv', measures=['F', 'hF'])", RUNS, ""),
    ("oe.evaluate(Y, P, measures='F').per_concept('F')", "classification_report()", "oe.evaluate(Y, P).classification_report()"),
    ("oe.evaluate(Y, P).confidence_interval('F')", "compare(truth, {'run': prediction}).intervals", "oe.compare(Y, {'run': P}, resamples=5).intervals"),
    ("oe.score(Y, P, 'fbeta', beta=2, average='macro')", RUNS, ""),
    ("oe.evaluate(FRAME, P, hierarchy=nx.from_pandas_edgelist(H, 'parent', 'child', create_using=nx.DiGraph), measures='hF')", RUNS, ""),
    ("[oe.score(Y, S, one) for one in ('coverage_error', 'label_ranking_loss', 'label_ranking_average_precision')]", RUNS, ""),
    ("oe.evaluate(pd.Series(['sea;tree', 'sky']), pd.Series(['sea', 'sky']), sep=';', measures=['F', 'P', 'R']).to_frame()", RUNS, ""),
    ("oe.evaluate(T, R, measures=['F', 'Jaccard'], hierarchy='hierarchy.csv')", RUNS, ""),
    ("oe.curve(FRAME[['sea']], pd.DataFrame(S, columns=NAMES)[['sea']], kind='pr')", "propagate=False, average='micro'", "oe.curve(FRAME[['sea']], pd.DataFrame(S, columns=NAMES)[['sea']], propagate=False, average='micro').thresholds"),
    ("oe.evaluate(Y, P, measures=['f1', 'hamming'])", "'Hamming' is the loss", "oe.evaluate(Y, P, measures=['f1_micro', 'Hamming'])"),
    ("oe.evaluate(Y, P, classes=NAMES, hierarchy=io.StringIO('{\"sea\": \"place\", \"sky\": \"place\", \"tree\": \"thing\", \"place\": \"thing\"}'), measures='hF')", RUNS, ""),
    ("oe.agreement(pd.DataFrame({'id': [1, 2], 'anna': ['sea;sky', 'sea'], 'ben': ['sea', 'sky']}).set_index('id'))", "melt('id', var_name='annotator', value_name='labels')", "oe.agreement(pd.DataFrame({'id': [1, 2], 'anna': ['sea;sky', 'sea'], 'ben': ['sea', 'sky']}).melt('id', var_name='annotator', value_name='labels'), separator=';')"),
    ("oe.evaluate(Y, P, measures='LCA', classes=NAMES, hierarchy='hierarchy.csv')['LCaF']", RUNS, ""),
    ("oe.evaluate(L, L, id_col='image_id', label_col='label', measures='F')", RUNS, ""),
    ("oe.evaluate(FRAME, P, hierarchy=H, measures=['hP', 'hR', 'hF']).to_dict()", RUNS, ""),
    ("oe.evaluate(Y, P, measures='F').by_group()", "evaluate(truth, prediction, by=...).to_frame()", "oe.evaluate('truth.csv', 'runs/vit.csv', by='sites.csv').to_frame()"),
    ("pd.DataFrame({'t': T, 'r': R, 'site': [1, 1, 2, 2]}).groupby('site').apply(lambda g: oe.score(g['t'], g['r'], 'F')['F'])", RUNS, ""),
    ("oe.compare('truth.csv', 'runs', measures=['F', 'hF'], hierarchy='hierarchy.csv', resamples=5)", RUNS, ""),
    ("oe.evaluate(Y, S, measures=['precision@3', 'recall@3', 'ndcg@5'])", RUNS, ""),
    ("oe.evaluate(Y, P, measures=['F', 'hF'], hierarchy='hierarchy.csv', class_names=NAMES)", RUNS, ""),
    ("oe.evaluate(Y, S > 0.5, measures=['micro-F1', 'macro-F1', 'subset accuracy']).to_dict()", RUNS, ""),
    ("__import__('ontoeval.metrics')", "write from ontoeval import", "oe.metrics"),
    ("[oe.Metric, oe.TorchMetric, oe.torchmetrics.OntologyMetric, oe.HierarchicalF1Score][len(NAMES)](measures='F', classes=NAMES)", "needs torch" if TORCH is None else RUNS, "oe.torch.HierarchicalMetric"),
    ("__import__('ontoeval.torchmetrics.classification')", "from ontoeval.integrations.torchmetrics import OntoevalMetric, then OntoevalMetric('hF', hierarchy, cl", "oe.F1"),
    ("oe.Metric(hierarchy=H)", "ontoeval.Metric is another call here. Write ontoeval.integrations.torchmetrics.OntoevalMetric(measures, hierarchy=H, classes", "oe.Metric"),
    ("oe.evaluate(Y, P, avg='macro')", RUNS, ""),
    ("oe.agreement({'a': LISTS, 'b': FOUND}).to_frame(rows='concept')", RUNS, ""),
    ("oe.evaluate(Y, P, measures=\"F(average='micro')\", average='macro')", "average=macro contradict each other", "oe.evaluate(Y, P, measures='f1', average='macro')"),
    ("oe.evaluate(Y, P, top_k=True)", "top_k=True: expected None or a whole number of at least 1", "not hasattr(oe, 'BERTScore') and oe.RecallMetric and oe.hFMetric"),
    ("oe.evaluate(Y, oe.LabelSets.from_array(P), top_k=1)", "'F'. Give scores as an array, a data frame", "oe.evaluate(Y, S, top_k=1, measures='P')"),
    ("oe.FBetaScore('multilabel', 2.0, zero=1)", "Metric('F(undefined=0, beta=2)', classes=classes). zero: left out", "oe.F2Score"),
    ("__import__('ontoeval.sklearn')", "from ontoeval.integrations.sklearn import scorer, then scorer(measure", "oe.sklearn.scorer"),
    ("__import__('ontoeval.integrations.foo')", "from ontoeval.integrations import sklearn or torchmetrics or transformers", "oe.integrations.sklearn"),
    ("oe.Accumulator('F', threshold=0.5).update(S, Y)", "The truth comes first", "oe.Accumulator('F', threshold=0.5).update(target=Y, preds=S) is None"),
    ("oe.compare(S, {'a': Y}, resamples=5)", "The truth comes first", "oe.compare(Y, {'a': S}, threshold=0.5, resamples=5)"),
    ("oe.Evaluator('F').add_batch(predictions=P, references=Y)", "update(truth, prediction)", "oe.Evaluator('F').update(predictions=P, references=Y) is None"),
    ("oe.evaluate(FRAME, P, groupby=[*'aabb'], measures='F').parts['part', 'a']", RUNS, ""),
    ("oe.hierarchical_f1_score(FRAME, P, hierarchy=H)", RUNS, ""),
    ("oe.best_threshold(Y, S, cv=2)", RUNS, ""),
    ("(S >= oe.tune_thresholds(Y, S, folds=2)).shape[Y.shape != (4, 3)]", RUNS, ""),
    ("oe.confusion_matrix(Y, P).plot().figure_", RUNS, ""),
    ("oe.evaluate(FRAME, P, metadata=pd.DataFrame({'id': [*'0123'], 'site': [*'aabb']})).parts['site', 'b']", RUNS, ""),
    ("oe.evaluate(Y, S, top_k=2, measures=['P', 'R'])", RUNS, ""),
    ("oe.evaluate(Y, S, topk=2, classes=NAMES)", "Write ontoeval.evaluate(Y, ontoeval.LabelScores.from_array(S, classes=NAMES).top(2), classes=NAMES). Measures of the first 2", "oe.evaluate(Y, oe.LabelScores.from_array(S, classes=NAMES).top(2), classes=NAMES)"),
    ("oe.compare(FRAME, {'a': FRAME}, k=2)", "LabelScores.from_frame(scores).top(2)", "oe.LabelScores.from_frame(FRAME).top(2)"),
    ("oe.compare(Y, {'a': S}, k=2, measures='F')", "'k': no option of 'F'. Give sets of labels: ontoeval.LabelScores.from_array(scores).top(2)", "oe.compare(Y, {'a': oe.LabelScores.from_array(S).top(2)}, measures='F', resamples=5)"),
    ("oe.evaluate(Y, P, confidence=0.9, n_bootstraps=5)", "ontoeval.compare(Y, {'run': P}, level=0.9, resamples=5). The table", "oe.compare(Y, {'run': P}, level=0.9, resamples=5).intervals"),
    ("oe.compare(L, {'a': L}, item='image_id', labels='label', resamples=5)", RUNS, ""),
    ("oe.evaluate(L, L, id='img', label='label')", "no data frame and no file has the column 'img'", "oe.evaluate(L, L, id='image_id', label='label')"),
    ("oe.evaluate(Y, P, id='img')", "Give data frames or files", "oe.LabelSets.from_frame(L, id='image_id', label='label')"),
    ("oe.agreement(L, annotator='ann')", "no data frame and no file has the column 'ann'", "oe.Annotations.from_frame(L.assign(ann='anna'), annotator='ann', concept='label')"),
    ("oe.evaluate(Y, P).precision", "result['P'], the micro average", "oe.evaluate(Y, P)['P']"),
    ("oe.multilabel_confusion_matrix(Y, P)[1]", RUNS, ""),
    ("oe.load_ontology('photo')", RUNS, ""),
    ("oe.read_ontology('photo').similarity_matrix()", "ontoeval.concepts.similarity(hierarchy", "oe.concepts.similarity('photo', 'sky', 'sea') >= 0"),
    ("oe.classification_report(Y, P, target_names=NAMES, digits=4)", RUNS, ""),
    ("oe.Accumulator('F').result()", "compute()", "oe.Accumulator('F').compute"),
    ("oe.evaluate(preds=S, target=Y, threshold=0.5, num_labels=3, measures='F')", RUNS, ""),
    ("oe.evaluate(Y, np.log(S / (1 - S)), measures='macro_f1')", "1 / (1 + numpy.exp(-logits))", "oe.evaluate(Y, 1 / (1 + np.exp(-np.log(S / (1 - S)))), measures='macro_f1', threshold=0.5)"),
    ("oe.evaluate(Y, S.astype(np.float16), threshold=0.5, measures=['F', 'brier'])", "Calibration is not measured", "oe.evaluate(Y, S.astype(np.float16), threshold=0.5, measures='F')"),
    ("oe.evaluate(predictions=P.tolist(), references=Y.tolist(), average='weighted', measures='f1')", RUNS, ""),
    ("oe.evaluate(Y, P, id2label=dict(enumerate(NAMES)), hierarchy={'sea': 'place', 'sky': 'place', 'tree': 'plant'}, measures='hF')", RUNS, ""),
    ("oe.evaluate(Y, np.argsort(-S)[:, :2], classes=NAMES, measures='F')", RUNS, ""),
    ("oe.evaluate(FRAME.replace(0, np.nan), P)", "nan (concept 'sky')", "oe.evaluate(FRAME.replace(0, np.nan).fillna(0), P)"),
    ("oe.integrations.torch('F', num_labels=3)", "needs torch" if TORCH is None else RUNS, "oe.integrations.__all__"),
    ("oe.Batch(Y, P, measures='F')", "ontoeval.evaluate(truth, prediction, measures=...)", "oe.evaluate(Y, P, measures='F')"),
    ("oe.Batch(Y, P)", "ontoeval.align(truth, prediction)", "oe.align(Y, P)"),
    ("oe.Accumulator('F').update(P, target=Y)", "The truth comes first", "[oe.Accumulator('F').update(Y, P)]"),
    ("oe.evaluate(Y, S, measures=['MRR', 'mrr@10', 'PAt(10)', 'hit_rate@5', 'top_k_accuracy@3', 'recall@5'])", RUNS, ""),
    ("oe.evaluate(Y, S, measures='ndcg')", "with k no less than the number of labels", "oe.evaluate(Y, S, measures='nDCGAt(k=5)')"),
    ("oe.evaluate(Y, S, measures='map@3')", "'PAt(k=5)', 'RAt(k=5)' and 'nDCGAt(k=5)'", "oe.evaluate(Y, S, measures=['PAt(k=5)', \"AP(average='samples')\"])"),
    ("oe.evaluate(Y, S, measures='precision@k')", "such as PAt(k=5)", "oe.evaluate(Y, S, measures='PAt(k=5)')"),
    ("oe.evaluate(Y, P, per_class=True)", "classification_report(sort='f1-score')", "oe.evaluate(Y, P).classification_report(sort='f1-score')"),
    ("oe.evaluate(FRAME, P, hierarchy={'place': NAMES}, leaves=True)", "only='leaves'", "oe.evaluate(FRAME, P, hierarchy={'place': NAMES}, only='leaves')"),
    ("oe.evaluate(FRAME, P, owl='hierarchy.csv', group_by=[*'aabb'])", RUNS, ""),
    ("oe.evaluate(Y, P, bootstrap=1000)", "compare(Y, {'run': P}, resamples=1000). The table", "oe.compare(Y, {'run': P}, bootstrap=5, confidence=0.9).intervals"),
    ("oe.confusion_matrix(Y, P).plot(cmap='Blues')", "axes.images[0].set_cmap('Blues')", "oe.confusion_matrix(Y, P).plot"),
    ("oe.compare(Y, {'near': Y, 'far': P}, measures=['F', 'P'], resamples=5).to_frame().sort_values('F').set_index('run')['F']['far']", RUNS, ""),
    ("COMPARED.pvalue('far', 'near', measure='Hamming')", "use p_value(run, other)", "COMPARED.p_value('far', 'near', measure='Hamming')"),
    ("COMPARED.winner", "use best", "COMPARED.best"),
    ("COMPARED.items()", "evaluations.items()", "COMPARED.evaluations.items()"),
    ("oe.evaluate(FRAME, P, measures='F').per_sample().sort_values()", "result.to_frame(rows='sample').sort_values(...)", "oe.evaluate(FRAME, P, measures='F').to_frame(rows='sample').sort_values('F')"),
    ("pd.DataFrame(oe.evaluate(Y, P))", "use to_frame(), pandas.Series(result), or dict(result) among several", "pd.Series(oe.evaluate(Y, P))"),
    ("pd.DataFrame({'a': oe.evaluate(Y, P)})", "dict(result) among several", "pd.DataFrame({'a': dict(oe.evaluate(Y, P))})"),
    ("oe.confusion_matrix(FRAME, P)['sky']", "to_frame().loc[true, predicted]", "oe.confusion_matrix(FRAME, P).to_frame().loc['sky', 'tree']"),
    ("oe.confusion_matrix(FRAME, P).labels", "rows, of the truth, and columns", "oe.confusion_matrix(FRAME, P).rows"),
    ("oe.confusion_matrix(FRAME, P).stack()", "to_long()", "oe.confusion_matrix(FRAME, P).to_long()"),
    ("oe.one_vs_rest(FRAME, P)['TP']", "to_frame()[...]", "oe.one_vs_rest(FRAME, P).to_frame()['TP']"),
    ("round(oe.evaluate(Y, P), 3)", "to_frame().round(3)", "oe.evaluate(Y, P).to_frame().round(3)"),
    ("oe.evaluate(Y, P).plot(kind='bar')", "result.to_frame().plot('measure', 'score', kind='bar')", "oe.evaluate(Y, P).to_frame().plot"),
    ("oe.evaluate(Y, P).save('scores.csv')", "to_frame().to_csv(path)", "oe.evaluate(Y, P).to_frame().to_csv('scores.csv') is None"),
    ("oe.evaluate(FRAME, P, measures='f1_macro').per_concept().sort_values()", "pandas.Series(scores).sort_values(...)", "pd.Series(oe.evaluate(FRAME, P, measures='f1_macro').per_concept()).sort_values()"),
    ("oe.evaluate(FRAME, P, measures='f1_macro').per_concept().confidence_interval('sky')", "compare(truth, runs, only=[concept]).intervals", "oe.compare(FRAME, {'run': P}, only=['sky'], resamples=5).intervals"),
    ("oe.evaluate(FRAME, P).per_class", "to_frame(rows='concept')", "oe.evaluate(FRAME, P).to_frame('classes')"),
    ("oe.evaluate(Y, P, labels=[0, 1], measures='f1_macro')", RUNS, ""),
    ("oe.evaluate(FRAME, FRAME, labels=NAMES[:2], average='macro')", "take only=[...]", "oe.evaluate(FRAME, FRAME, only=NAMES[:2], average='macro')"),
    ("oe.evaluate('truth.csv', 'runs/vit.csv', by=['sites.csv', 'branch'], hierarchy='hierarchy.csv').parts['branch', 'plant']", RUNS, ""),
    ("oe.evaluate(FRAME.assign(site=[*'aabb']), P, by=['site', 'branch'], hierarchy={'place': NAMES[:2], 'plant': ['tree']}).parts['site', 'b']", RUNS, ""),
    ("oe.tune_thresholds(Y, S, per_concept=True)", "per='concept'", "oe.tune_thresholds(Y, S, per='concept', folds=2)"),
    ("oe.evaluate(Y, S, top_k=2, measures=['P', 'R', 'F'])", "'top_k': no option of 'F'. Write ontoeval.evaluate(Y, ontoeval.LabelScores.from_array(S).top(2), measures=['P', 'R', 'F'])", "oe.evaluate(Y, S, measures=['P@2', 'R@2'])"),
    ("oe.evaluate(Y, P, measures='hamming_loss').hamming_loss", "result['hamming_loss']", "oe.evaluate(Y, P, measures='hamming_loss')['hamming_loss']"),
    ("oe.evaluate(Y, P, measures='F').hamming_loss", "evaluate(truth, prediction, measures='Hamming')", "oe.evaluate(Y, P, measures='hamming_loss')"),
    ("oe.evaluate(Y, P).jaccard", "result['Jaccard'], the mean over samples", "oe.evaluate(Y, P)['Jaccard'] + oe.evaluate(Y, P)['ExactMatch']"),
    ("oe.confusion_matrix(Y, P).top_confusions(5)", "top(number)", "oe.confusion_matrix(Y, P).top(5)"),
    ("oe.evaluate(np.where(P > Y, -1, Y), P, ignore=-1)", RUNS, ""),
    ("oe.evaluate(Y, P).to_dict(prefix='val/')", "{'val/' + name: score for name, score in result.items()}", "{'val/' + name: score for name, score in oe.evaluate(Y, P).items()}"),
    ("oe.read_ontology('photo').distance_matrix()", "cost_between(hierarchy, first, second, cost='links')", "oe.concepts.cost_between('photo', 'sky', 'sea', cost='links')"),
    ("oe.metrics.f1_score(Y, P, average='samples')", RUNS, ""),
    ("oe.pairwise_distances('photo')", "cost_between('photo', first, second, cost='links'). Call it for each pair. It is a share of the longest way", "oe.concepts.cost_between('photo', 'sky', 'sea', cost='links')"),
    ("oe.evaluate(Y, P).per_sample(['F', 'P'])", "result.to_frame(rows='sample')", "oe.evaluate(Y, P).to_frame(rows='samples')[['sample', 'F', 'P']]"),
    ("oe.evaluate([['sea'], ['sky']], [{'label': 'sea', 'score': 0.9}, {'label': 'sea', 'score': 0.8}], threshold=0.5)", RUNS, ""),
    ("oe.load('hF')", "ontoeval.Accumulator(measures)", "oe.Accumulator('hF', hierarchy=H, classes=NAMES)"),
    ("oe.study(Y, {'a': P, 'b': 1 - Y}, measures=['F', 'P'], correlation='kendall', changes=None)", RUNS, ""),
    ("oe.evaluate('topics.jsonl', pd.DataFrame({'id': ['p1', 'p2'], 'topics': [['sea', 'sky'], []]}))", RUNS, ""),
    ("oe.evaluate(Y, [np.stack([1 - one, one], axis=1) for one in S.T], threshold=0.5)", RUNS, ""),
]  # fmt: skip
"""A snippet; words of its refusal, if it does not run; and what runs after them."""


@pytest.mark.filterwarnings("ignore::UserWarning")  # notes, beside bare numbers
@pytest.mark.parametrize(("text", "words", "then"), SNIPPETS)
def test_a_snippet_of_a_newcomer_runs_or_is_answered_by_what_runs(
    text: str, words: str, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name, content in TEXTS.items():
        Path(name).write_text(content, encoding="utf-8")
    if words:
        with pytest.raises(
            (oe.OntoevalError, AttributeError, ImportError, TypeError), match=re.escape(words)
        ):
            eval(text)  # noqa: S307 - our own
    assert eval(then or text) is not None  # noqa: S307
