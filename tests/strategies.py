"""Hypothesis strategies for label sets, hierarchies and what goes with them; all small, all composable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

NAMES = tuple(ascii_lowercase)


@dataclass(frozen=True)
class Pair:
    """True and predicted label sets over concepts 0 to q - 1, sample by sample."""

    q: int
    truths: tuple[frozenset[int], ...]
    predictions: tuple[frozenset[int], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the concepts."""
        return NAMES[: self.q]

    @property
    def truth(self) -> NDArray[np.bool_]:
        """The truth as a boolean array, one row per sample."""
        return as_array(self.truths, self.q)

    @property
    def prediction(self) -> NDArray[np.bool_]:
        """The prediction as a boolean array, one row per sample."""
        return as_array(self.predictions, self.q)

    def swapped(self) -> Pair:
        """Exchange truth and prediction."""
        return Pair(self.q, self.predictions, self.truths)

    def __add__(self, other: Pair) -> Pair:
        """Put the samples of another pair behind these."""
        return Pair(self.q, self.truths + other.truths, self.predictions + other.predictions)


@dataclass(frozen=True)
class Graph:
    """Names and (parent, child) edges of an acyclic hierarchy; every name is listed before its children."""

    names: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]

    def below(self, name: str) -> frozenset[str]:
        """Name a concept and everything below it."""
        found = {name}
        for parent, child in self.edges:  # parents come first, so one pass is enough
            if parent in found:
                found.add(child)
        return frozenset(found)


def as_array(sets: Sequence[frozenset[int]], q: int) -> NDArray[np.bool_]:
    """Write label sets as a boolean array, one row per sample."""
    array = np.zeros((len(sets), q), dtype=bool)
    for row, labels in enumerate(sets):
        array[row, list(labels)] = True
    return array


def named(sets: Sequence[frozenset[int]], names: Sequence[str] = NAMES) -> list[set[str]]:
    """Put names for numbers."""
    return [{names[label] for label in labels} for labels in sets]


# label sets -------------------------------------------------------------------------------------------------


def label_sets(
    q: int, *, min_size: int = 0, max_size: int | None = None
) -> st.SearchStrategy[frozenset[int]]:
    """One label set over q concepts, often empty."""
    return st.frozensets(st.integers(0, q - 1), min_size=min_size, max_size=max_size)


@st.composite
def label_set_pairs(
    draw: st.DrawFn,
    *,
    min_samples: int = 1,
    max_samples: int = 8,
    min_q: int = 1,
    max_q: int = 5,
    min_size: int = 0,
    max_size: int | None = None,
) -> Pair:
    """True and predicted label sets of up to eight samples over up to five concepts."""
    q = draw(st.integers(min_q, max_q))
    n = draw(st.integers(min_samples, max_samples))
    sets = st.tuples(*[label_sets(q, min_size=min_size, max_size=max_size)] * n)
    return Pair(q, draw(sets), draw(sets))


@st.composite
def batches(draw: st.DrawFn, *, max_samples: int = 8, max_q: int = 5) -> tuple[Pair, Pair]:
    """Two pairs over the same concepts, to be evaluated apart and together; both may be without samples."""
    whole = draw(label_set_pairs(min_samples=0, max_samples=max_samples, max_q=max_q))
    cut = draw(st.integers(0, len(whole.truths)))
    return (
        Pair(whole.q, whole.truths[:cut], whole.predictions[:cut]),
        Pair(whole.q, whole.truths[cut:], whole.predictions[cut:]),
    )


def multiclass_pairs(*, max_samples: int = 8, max_q: int = 5) -> st.SearchStrategy[Pair]:
    """Pairs with exactly one true and one predicted label per sample."""
    return label_set_pairs(max_samples=max_samples, max_q=max_q, min_size=1, max_size=1)


@st.composite
def class_arrays(
    draw: st.DrawFn, *, max_samples: int = 20, max_q: int = 5
) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
    """Class numbers, true and predicted, and how many classes there are."""
    q = draw(st.integers(2, max_q))
    n = draw(st.integers(1, max_samples))
    classes = st.lists(st.integers(0, q - 1), min_size=n, max_size=n)
    return np.array(draw(classes), dtype=np.intp), np.array(draw(classes), dtype=np.intp), q


# hierarchies ------------------------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn, *, min_nodes: int = 1, max_nodes: int = 11, roots: int | None = None) -> Graph:
    """Trees or forests: every concept has one parent among the earlier ones, or none."""
    count = draw(st.integers(min_nodes, max_nodes))
    names = NAMES[:count]
    roots = draw(st.integers(1, min(3, count))) if roots is None else roots
    edges = [(draw(st.sampled_from(names[:child])), names[child]) for child in range(roots, count)]
    return Graph(names, tuple(edges))


@st.composite
def dags(draw: st.DrawFn, *, min_nodes: int = 1, max_nodes: int = 11, roots: int | None = None) -> Graph:
    """Acyclic hierarchies: every concept has up to three parents among the earlier ones."""
    count = draw(st.integers(min_nodes, max_nodes))
    names = NAMES[:count]
    roots = draw(st.integers(1, min(3, count))) if roots is None else roots
    edges = []
    for child in range(roots, count):
        parents = draw(st.sets(st.sampled_from(names[:child]), min_size=1, max_size=3))
        edges += [(parent, names[child]) for parent in sorted(parents)]
    return Graph(names, tuple(edges))


def graphs(*, max_nodes: int = 11) -> st.SearchStrategy[Graph]:
    """Trees, forests and DAGs."""
    return st.one_of(trees(max_nodes=max_nodes), dags(max_nodes=max_nodes))


def concept_sets(names: Sequence[str], *, max_size: int = 4) -> st.SearchStrategy[frozenset[str]]:
    """Label sets by name."""
    return st.frozensets(st.sampled_from(names), max_size=max_size)


@st.composite
def concept_set_pairs(
    draw: st.DrawFn, names: Sequence[str], *, max_samples: int = 4
) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """True and predicted label sets by name, sample by sample."""
    n = draw(st.integers(1, max_samples))
    sets = st.lists(concept_sets(names), min_size=n, max_size=n)
    return draw(sets), draw(sets)


def agreements(names: Sequence[str]) -> st.SearchStrategy[dict[str, float]]:
    """An agreement for every concept; round numbers, so that ties and equal values occur."""
    return st.fixed_dictionaries({name: st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]) for name in names})


@st.composite
def exclusions(draw: st.DrawFn, graph: Graph, *, max_size: int = 3) -> tuple[tuple[str, str], ...]:
    """Pairs of concepts that exclude one another; never a concept and its ancestor."""
    pairs = [
        (one, other)
        for position, one in enumerate(graph.names)
        for other in graph.names[position + 1 :]
        if other not in graph.below(one) and one not in graph.below(other)
    ]
    return tuple(draw(st.lists(st.sampled_from(pairs), max_size=max_size, unique=True)) if pairs else ())


def requirements(
    graph: Graph, *, max_size: int = 3
) -> st.SearchStrategy[tuple[tuple[str, frozenset[str]], ...]]:
    """Pairs of a concept and the alternatives of which it needs one; several of one concept must all hold."""
    alternatives = st.frozensets(st.sampled_from(graph.names), min_size=1, max_size=3)
    rule = st.tuples(st.sampled_from(graph.names), alternatives)
    return st.lists(rule, max_size=max_size, unique=True).map(tuple)
