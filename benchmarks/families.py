"""Every family of measures on documents that bear headings of MeSH, alone and all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer, cost, seconds
from benchmarks.ontology_score import drawn_hierarchy
from benchmarks.published import MESH, published
from benchmarks.samples import label_sets, names_of

BARS = {
    ("hP", "hR", "hF"): Bar(seconds=0.3, megabytes=250),
    ("tF", "tKappa"): Bar(seconds=0.45),
    ("LCaF",): Bar(seconds=10),
    ("OS(cost='lin')",): Bar(seconds=5),
}
OTHERS = ("MGIA", "HLoss", "SetDistance", "Distance", "nearP", "PhysioNet", "pathF", "hF(weight='ia')")


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Measure sets, scores, and the information contrast, which needs a tree."""
    mesh = published(MESH)
    if isinstance(mesh, str):
        yield Comparison("families, MeSH", mesh)
    else:
        yield from _of_sets(oe.read_ontology(mesh).hierarchy(), effort)
        yield _of_scores(oe.read_ontology(mesh).hierarchy(), effort)
    yield _information_contrast(effort)


def _of_sets(hierarchy: oe.Hierarchy, effort: Effort) -> Iterator[Comparison]:
    truth, prediction = label_sets(effort.of(10_000), hierarchy.label_vocabulary, labels=13)
    known = oe.concepts.with_information(hierarchy, truth, corpus="the benchmark's own truth")
    batch = oe.align(truth, prediction, hierarchy=known)
    size = f"{len(batch):,} × {len(hierarchy.vocabulary):,}"

    def work(measures: tuple[str, ...]) -> Callable[[], object]:
        # A new batch each time: views are kept with it.
        return lambda: oe.score(oe.collect(oe.Batch(batch.truth, batch.prediction, known), measures)).scores

    alone: list[Cost] = []
    for measures in (*BARS, *((name,) for name in OTHERS)):
        alone.append(cost(work(measures), effort))
        yield Comparison(f"{', '.join(measures)}, MeSH", size, alone[-1], bar=BARS.get(measures))
    together = tuple(measure for measures in (*BARS, *((name,) for name in OTHERS)) for measure in measures)
    peer = Peer("one after the other", Cost(sum(one.seconds for one in alone)))
    yield Comparison(f"these {len(together)} at once, MeSH", size, cost(work(together), effort), peer)


def _of_scores(hierarchy: oe.Hierarchy, effort: Effort) -> Comparison:
    """Find Fmax among 99 thresholds; 13 labels are true and 13 have scores, half of them right."""
    truth, prediction = label_sets(effort.of(3_000), hierarchy.label_vocabulary, labels=13)
    drawn = np.random.default_rng(3).random(prediction.matrix.nnz)
    scored = prediction.matrix.astype(float)
    scored.data = 0.01 + 0.99 * drawn
    scores = oe.LabelScores.from_array(scored, vocabulary=prediction.vocabulary, samples=prediction.samples)
    ours = partial(oe.evaluate, truth, scores, hierarchy=hierarchy, measures="Fmax")
    size = f"{len(truth):,} × {len(hierarchy.vocabulary):,}"
    bar = Bar(seconds=1, megabytes=300)
    return Comparison("Fmax, 99 thresholds, MeSH", size, cost(lambda: ours().scores, effort), bar=bar)


def _information_contrast(effort: Effort) -> Comparison:
    """Score items of a tree of 272 concepts, beside PyEvALL, which reads files of them."""
    drawn = drawn_hierarchy(272)
    single = {child: parent for parent, child in zip(*_ends(drawn), strict=True)}  # one parent each
    tree = oe.Hierarchy.from_edges([(parent, child) for child, parent in single.items()])
    truth, prediction = label_sets(effort.of(1_000), tree.label_vocabulary, labels=3)
    known = oe.concepts.with_information(tree, truth, corpus="the benchmark's own truth")
    ours = cost(lambda: oe.evaluate(truth, prediction, hierarchy=known, measures="ICM").scores, effort)
    what, size = "ICM, a tree", f"{len(truth):,} × {len(tree.vocabulary):,}"
    if find_spec("pyevall") is None:  # it needs NumPy 1, so it is seldom there
        return Comparison(what, size, ours)
    theirs = seconds(partial(_with_pyevall, tree, truth, prediction), effort)
    return Comparison(what, size, ours, Peer("PyEvALL", Cost(theirs)), Bar(ratio=50))


def _ends(hierarchy: oe.Hierarchy) -> tuple[list[str], list[str]]:
    below, above = hierarchy.parents.nonzero()
    names = hierarchy.vocabulary.concepts
    return [names[node] for node in above], [names[node] for node in below]


def _with_pyevall(tree: oe.Hierarchy, truth: oe.LabelSets, prediction: oe.LabelSets) -> object:
    import json

    children: dict[str, list[str]] = {}
    for parent, child in zip(*_ends(tree), strict=True):
        children.setdefault(parent, []).append(child)

    def nested(name: str) -> object:
        return {child: nested(child) for child in children.get(name, [])} if name in children else []

    with TemporaryDirectory() as folder:
        paths = []
        for name, sets in (("truth", truth), ("prediction", prediction)):
            items = [
                {"test_case": "benchmark", "id": sample, "value": sorted(labels)}
                for sample, labels in zip(sets.samples, names_of(sets), strict=True)
            ]
            paths.append(Path(folder, f"{name}.json"))
            paths[-1].write_text(json.dumps(items), encoding="utf-8")
        evaluation = import_module("pyevall.evaluation").PyEvALLEvaluation()
        roots = {tree.vocabulary[root]: nested(tree.vocabulary[root]) for root in tree.roots}
        return evaluation.evaluate(str(paths[1]), str(paths[0]), ["ICM"], hierarchy=roots)
