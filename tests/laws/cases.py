"""What the laws are tried on: every measure at many points, and sets over a hierarchy with rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.measures.base import info
from ontoeval.measures.catalogue import Entry
from tests.oracles.ontology_score import Tree
from tests.strategies import NAMES, Graph, Pair, exclusions, requirements

T = TypeVar("T")

fewer = settings(max_examples=max(6, settings().max_examples // 4))
"""For tests that look at many measures in each example."""

some = settings(max_examples=max(8, settings().max_examples // 2))
"""For tests that look at every measure in each example, of which most share what they sum."""


def exists(strategy: st.SearchStrategy[T], predicate: Callable[[T], bool]) -> bool:
    """Find a counterexample to a law; none, in 2,000 tries, is an error."""
    health = list(HealthCheck)
    find(
        strategy,
        predicate,
        settings=settings(max_examples=2_000, phases=[Phase.generate], suppress_health_check=health),
    )
    return True


# sets over a hierarchy --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """True and predicted sets over the labels of a hierarchy, its rules, and an agreement."""

    graph: Graph
    abstract: frozenset[str]
    exclusions: tuple[tuple[str, str], ...]
    requirements: tuple[tuple[str, frozenset[str]], ...]
    agreement: Mapping[str, float]
    truths: tuple[frozenset[str], ...]
    predictions: tuple[frozenset[str], ...]
    new_names: tuple[str, ...] = ()
    """One for each concept: the same names in another order."""

    @property
    def labels(self) -> list[str]:
        """Concepts that may be labels, in the order of the columns."""
        return [name for name in sorted(self.graph.names) if name not in self.abstract]

    @cached_property
    def bare_hierarchy(self) -> oe.Hierarchy:
        """The hierarchy without agreement; its concepts are in alphabetical order."""
        return oe.Hierarchy.from_edges(
            self.graph.edges,
            concepts=sorted(self.graph.names),
            abstract=sorted(self.abstract),
            exclusions=[oe.core.Exclusion(*pair) for pair in self.exclusions],
            requirements=[oe.core.Requirement(name, tuple(sorted(some))) for name, some in self.requirements],
        )

    @cached_property
    def hierarchy(self) -> oe.Hierarchy:
        """The hierarchy with its agreement, and what a corpus says, which moves with the truth."""
        corpus = (*self.truths, frozenset(self.labels))
        sets = oe.LabelSets.from_sets(corpus, vocabulary=self.bare_hierarchy.label_vocabulary)
        return oe.concepts.with_information(
            oe.concepts.with_agreement(self.bare_hierarchy, self.agreement),
            sets,
            corpus="the truth and a full set",
        )

    @cached_property
    def batch(self) -> oe.Batch:
        """The sets as a batch."""
        return self.sets(self.truths, self.predictions)

    def sets(
        self, truths: Sequence[Iterable[str]], predictions: Sequence[Iterable[str]], *, agreed: bool = True
    ) -> oe.Batch:
        """Make a batch of other sets over the same labels."""
        vocabulary = self.bare_hierarchy.label_vocabulary
        truth, prediction = (
            oe.LabelSets.from_sets(side, vocabulary=vocabulary) for side in (truths, predictions)
        )
        return oe.Batch(truth, prediction, self.hierarchy if agreed else self.bare_hierarchy)

    def tree(self, kind: str = "depth-weighted", *, connect_roots: bool = True) -> Tree:
        """The hierarchy for the naive implementation."""
        return Tree(self.graph.edges, self.graph.names, connect_roots=connect_roots, kind=kind)

    def as_tree(self) -> Case:
        """Keep one parent of each concept alone."""
        one = {child: (parent, child) for parent, child in reversed(self.graph.edges)}
        return replace(self, graph=replace(self.graph, edges=tuple(sorted(one.values()))))

    def renamed(self) -> Case:
        """Give every concept its new name, which moves its column too."""
        new = dict(zip(self.graph.names, self.new_names, strict=True))

        def sets(old: Iterable[Iterable[str]]) -> tuple[frozenset[str], ...]:
            return tuple(frozenset(new[name] for name in labels) for labels in old)

        return replace(
            self,
            graph=Graph(self.new_names, tuple((new[a], new[b]) for a, b in self.graph.edges)),
            abstract=frozenset(new[name] for name in self.abstract),
            exclusions=tuple((new[a], new[b]) for a, b in self.exclusions),
            requirements=tuple(
                (new[name], frozenset(new[one] for one in some)) for name, some in self.requirements
            ),
            agreement={new[name]: value for name, value in self.agreement.items()},
            truths=sets(self.truths),
            predictions=sets(self.predictions),
        )


def members(bits: int, names: Sequence[T]) -> frozenset[T]:
    """The names whose bits are set."""
    return frozenset(name for place, name in enumerate(names) if bits >> place & 1)


@st.composite
def subsets(draw: st.DrawFn, names: Sequence[T], count: int) -> tuple[frozenset[T], ...]:
    """Some subsets of up to eight names: a byte for each, which is drawn faster than sets are."""
    return tuple(members(byte, names) for byte in draw(st.binary(min_size=count, max_size=count)))


@st.composite
def pairs(
    draw: st.DrawFn, *, min_samples: int = 1, max_samples: int = 6, min_q: int = 1, max_q: int = 5
) -> Pair:
    """True and predicted label sets over a few concepts, sample by sample."""
    q = draw(st.integers(min_q, max_q))
    n = draw(st.integers(min_samples, max_samples))
    return Pair(q, draw(subsets(range(q), n)), draw(subsets(range(q), n)))


@st.composite
def hierarchies(draw: st.DrawFn, *, max_nodes: int = 8) -> Graph:
    """Trees, forests and DAGs: every concept has up to two parents among the earlier ones."""
    names = NAMES[: draw(st.integers(1, max_nodes))]
    links = {
        (names[parent], child)
        for place, child in enumerate(names)
        for parent in (draw(st.integers(-1, place - 1)), draw(st.integers(-1, place - 1)))
        if parent >= 0
    }
    return Graph(names, tuple(sorted(links)))


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    one_label: bool = False,
    min_samples: int = 1,
    max_samples: int = 4,
    max_nodes: int = 8,
) -> Case:
    """Random sets over a random hierarchy with rules, agreement and concepts that are no labels."""
    graph = draw(hierarchies(max_nodes=max_nodes))
    names = graph.names
    labels = sorted(draw(subsets(names, 1))[0]) or list(names)
    if draw(st.booleans()):
        labels = list(names)
    count = draw(st.integers(min_samples, max_samples))
    if one_label:
        one = st.tuples(*[st.sampled_from(labels).map(lambda label: frozenset({label}))] * count)
        truths, predictions = draw(one), draw(one)
    else:
        truths, predictions = draw(subsets(labels, count)), draw(subsets(labels, count))
    turned = draw(st.integers(0, len(names) - 1))
    return Case(
        graph,
        frozenset(names) - frozenset(labels),
        draw(exclusions(graph, max_size=2)) if draw(st.booleans()) else (),
        draw(requirements(graph, max_size=2)) if draw(st.booleans()) else (),
        dict(zip(names, draw(_AGREEMENTS[len(names)]), strict=True)),
        truths,
        predictions,
        (names[turned:] + names[:turned])[:: draw(st.sampled_from([1, -1]))],
    )


_AGREEMENTS = {
    count: st.binary(min_size=count, max_size=count).map(lambda some: [byte % 5 / 4 for byte in some])
    for count in range(1, 9)
}
"""Round numbers, so that ties and equal values occur."""


def batch_of(pair: Pair) -> oe.Batch:
    """Make a batch of a pair of arrays."""
    truth, prediction = (
        oe.LabelSets.from_array(side, vocabulary=pair.names) for side in (pair.truth, pair.prediction)
    )
    return oe.Batch(truth, prediction)


def picked(batch: oe.Batch, rows: Sequence[int] | NDArray[np.intp]) -> oe.Batch:
    """Take some samples of a batch, in any order, repeated at will."""
    index = np.asarray(rows, dtype=np.intp)
    truth, prediction = (
        oe.LabelSets.from_array(side.matrix[index], vocabulary=side.vocabulary)
        for side in (batch.truth, batch.prediction)
    )
    return oe.Batch(truth, prediction, batch.hierarchy)


# measures ---------------------------------------------------------------------------------------------------

_RULES: tuple[tuple[str, str | None], ...] = (
    ("krstinic", None),
    ("mlcm", "paper"),
    ("mlcm", "package"),
    ("tensor", "unique"),
    ("tensor", "case"),
)
_AVERAGED: tuple[dict[str, Any], ...] = (
    {"average": "micro"},
    {"average": "micro", "undefined": 0.0},
    {"average": "macro"},
    {"average": "macro", "undefined": 0.0},
    {"average": "macro", "undefined": 1.0},
    {"average": "macro", "undefined": 0.0, "labels": "used"},
    {"average": "macro", "labels": "true"},
    {"average": "weighted", "labels": "predicted"},
    {"average": "weighted"},
    {"average": "weighted", "undefined": 0.0},
    {"average": "samples"},
    {"average": "samples", "empty": None},
    {"average": "samples", "empty": 0.0},
    *(
        {"rule": rule, "variant": variant, **options}
        for rule, variant in _RULES
        for options in (
            {"average": "micro"},
            {"average": "micro", "pseudo_classes": "exclude"},
            {"average": "macro"},
            {"average": "macro", "pseudo_classes": "include"},
            {"average": "weighted"},
        )
    ),
)
_F: tuple[dict[str, Any], ...] = (
    {"beta": 2},
    {"beta": 0, "average": "macro"},
    {"beta": 0.5, "average": "samples"},
    {"average": "macro", "of": "averages"},
    {"average": "macro", "of": "averages", "undefined": 0.0, "beta": 2},
    {"average": "weighted", "of": "averages"},
    {"average": "samples", "of": "averages", "empty": None},
    {"average": "macro", "of": "averages", "rule": "krstinic"},
)
_ALPHA: tuple[dict[str, Any], ...] = (
    {"alpha": 0},
    {"alpha": 2.5},
    {"beta": 0.5},
    {"gamma": 0.25, "alpha": 0.5},
)
_OS: tuple[dict[str, Any], ...] = (
    {"alpha": 0},
    {"alpha": 2.5, "cost": "links"},
    {"cost": "flat", "agreement": None},
    {"ties": "smallest", "penalise": "none"},
    {"empty_prediction": "weighted"},
    {"penalise": "none", "agreement": None},
    {"penalise": "all predicted"},
    {"exclusions": "none", "connect_roots": False},
    {"requirements": "none", "cost": "links"},
    {"cost": "lin"},
    {"cost": "lin(zhou(0.3))", "connect_roots": False},
    {"cost": "jiang-conrath(ic)", "penalise": "none"},
    {"cost": "resnik(sanchez)"},
    {"cost": "wu-palmer", "agreement": None},
    {"cost": "wu-palmer(links)", "connect_roots": False},
    {"cost": "leacock-chodorow", "alpha": 2},
    {"cost": "batet", "ties": "smallest"},
)
_SETS: tuple[dict[str, Any], ...] = (
    {"root": "in"},
    {"root": "virtual"},
    {"members": "leaves", "root": "in"},
    {"members": "labels", "root": "in"},
    {"members": "descendants", "average": "macro"},
    {"root": "in", "level": 0, "average": "samples"},
    {"max_distance": 1, "average": "samples"},
    {"max_distance": 1, "root": "virtual"},
    {"weight": "agreement", "average": "samples"},
    {"weight": "ia"},
    {"weight": "zhou(0.3)", "root": "in", "average": "samples"},
)
_ICM: tuple[dict[str, Any], ...] = (
    {"information": "seco"},
    {"information": "sanchez(own-leaf)", "alpha1": 1.5, "beta": 2.5},
    {"beta": 3.5},
)
_LOWEST: tuple[dict[str, Any], ...] = (
    {"root": "out"},
    {"root": "virtual", "average": "macro"},
    {"max_distance": 1},
    {"root": "virtual", "max_distance": 2},
)
_PAIRS: tuple[dict[str, Any], ...] = ({"max_distance": 1}, {"max_distance": 2.5, "connect_roots": True})
_EXTRA = {
    "F": _F,
    **dict.fromkeys(("LCaP", "LCaR", "LCaF"), _LOWEST),
    "MGIA": _PAIRS,
    "GIE": (*_PAIRS, {"pairs": "cover"}, {"pairs": "all"}),
    "Alpha": _ALPHA,
    "OS": _OS,
    **dict.fromkeys(("hP", "hR", "hF", "hJaccard"), _SETS),
    **dict.fromkeys(("ICM", "ICMnorm"), _ICM),
}
_ONE_LABEL: tuple[dict[str, Any], ...] = (
    {"rule": "multiclass", "average": "micro"},
    {"rule": "multiclass", "average": "macro"},
    {"rule": "multiclass", "average": "weighted", "undefined": 0.0},
)


_LOSSES: dict[str, tuple[dict[str, Any], ...]] = {
    "HLoss": (
        {"root": "in"},
        {"costs": "depth", "base": 0.5},
        {"costs": "depth", "root": "in"},
    ),
    "ZeroOne": ({"root": "in"}, {"members": "labels", "root": "in"}, {"root": "virtual"}),
    "SymmetricDifference": (
        {"root": "in"},
        {"members": "descendants"},
        {"weight": "agreement"},
        {"level": 0, "root": "in"},
    ),
    "SetDistance": ({"root": "out"}, {"base": 1}, {"base": 0.5}),
    "Distance": (
        {"sides": "false"},
        {"sides": "missed", "per": "sample"},
        {"per": "label", "scaled": True},
        {"cost": "geometric(0.5)", "connect_roots": False},
        {"cost": "depth-weighted", "scaled": True},
    ),
    **dict.fromkeys(
        ("nearP", "nearR"),
        (
            {"average": "macro"},
            {"average": "macro", "undefined": 0.0, "acceptable": 1},
            {"form": "similarity"},
            {"form": "similarity", "cost": "depth-weighted", "average": "macro", "mean_similarity": 0.25},
            {"cost": "geometric(0.5)", "acceptable": 0.75, "connect_roots": False},
        ),
    ),
    **dict.fromkeys(("iP", "iR", "iF", "Excess", "Deficient", "iDistance"), ({"by": "depth"},)),
}
_TRANSPORT: tuple[dict[str, Any], ...] = (
    {"weights": "halving"},
    {"weights": "unit", "members": "given"},
    {"weights": "ia", "agreement": None},
    {"credit_from": 0.5},
)
_OF_BITS: tuple[dict[str, Any], ...] = (
    *_TRANSPORT,
    {"average": "samples"},
    {"average": "samples", "empty": None, "exclusions": "declared"},
    {"average": "samples", "empty": 0.0, "weights": "unit"},
    {"exclusions": "declared", "members": "given"},
)
_EXTRA |= _LOSSES
_EXTRA |= {
    **dict.fromkeys(("tP", "tR", "tJaccard"), _OF_BITS),
    "tF": (*_OF_BITS, {"beta": 2, "average": "samples"}),
    "tKappa": _TRANSPORT,
    "CoPHE": ({"average": "samples"}, {"weights": "bits", "members": "most specific"}, {"beta": 2}),
}
_EXTRA |= {
    "LevelAccuracy": ({"members": "ancestors"},),
    "HCA": ({"members": "ancestors"},),
    "Inconsistency": ({"by": "paths"}, {"by": "exclusions"}),
}
_PATHS: tuple[dict[str, Any], ...] = ({"ends": "most specific"}, {"undefined": 1.0})
_EXTRA |= {
    **dict.fromkeys(("pathP", "pathR", "pathF", "pathAccuracy"), _PATHS),
    "SetCoverage": ({"level": 1}, {"target": 0.9}),
    "SetSize": ({"of": "members"},),
    "PhysioNet": ({"cost": "flat", "undefined": None}, {"cost": "links", "undefined": 1.0}),
}


def _points(entry: Entry) -> list[Any]:
    """A measure at its default and at the other points that it can be had at."""
    hints = get_type_hints(type(entry.measure))
    points = (*(_AVERAGED if "rule" in hints else ()), *_EXTRA.get(entry.symbol, ()))
    averages = get_args(hints.get("average")) or ("micro",)
    found = [replace(entry.measure, **one) for one in points if one.get("average", "micro") in averages]
    return list(dict.fromkeys([entry.measure, *found]))


POINTS: dict[str, list[Any]] = {
    entry.symbol: _points(entry)
    for entry in oe.CATALOGUE
    if not info(entry.measure, "single") and info(entry.measure, "takes") == "sets"
}
"""Each measure of the catalogue at many points, if it is one of any sets."""

SINGLE_POINTS: dict[str, list[Any]] = {
    entry.symbol: _points(entry)
    for entry in oe.CATALOGUE
    if info(entry.measure, "single") and info(entry.measure, "takes") == "sets"
}
"""Each measure that needs one label per sample at many points."""

ONE_LABEL_POINTS: dict[str, list[Any]] = {
    **SINGLE_POINTS,
    **{
        entry.symbol: [replace(entry.measure, **options) for options in _ONE_LABEL]
        for entry in oe.CATALOGUE
        if hasattr(entry.measure, "rule") and entry.measure.view is None  # a label has several ancestors
    },
}
"""The points that only data with one label per sample has."""


def scores(batch: oe.Batch, measures: Iterable[Any]) -> dict[str, float]:
    """Score a batch with some measures."""
    return dict(oe.score(oe.collect(batch, list(measures))).scores)


def per_sample(case: Case, measure: Any) -> list[float]:
    """The score of each sample."""
    return list(oe.evaluation.Evaluation(oe.collect(case.batch, [measure]), case.batch).per_sample(measure))


def differing(
    found: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float = 1e-12
) -> dict[str, tuple[Any, Any]]:
    """Both scores of every measure for which they differ; nan equals nan."""
    return {
        key: (found[key], expected[key])
        for key in expected
        if not np.allclose(found[key], expected[key], rtol=0, atol=tolerance, equal_nan=True)
    }
